//! Makes a program that shows something smaller for as long as it shows it.

use super::*;

/// The smallest program that can be had from one by taking instructions away, one or a
/// pair at a time, so that `shows` holds.
pub fn shrink(program: &Program, shows: &dyn Fn(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    loop {
        let smaller = less(&smallest).find(|p| shows(p));
        match smaller {
            Some(program) => smallest = program,
            None => return smallest,
        }
    }
}

/// All programs with a little less in them.
fn less(program: &Program) -> impl Iterator<Item = Program> + '_ {
    let places = (0..program.threads.len()).flat_map(move |t| {
        let length = program.threads[t].len();
        (0..length).map(move |at| (t, at))
    });
    places.filter_map(move |(t, at)| {
        let body = &program.threads[t];
        let gone = match body[at] {
            Lock(l) => {
                let end = partner(body, at, Lock(l), Unlock(l))?;
                if body[at..end].contains(&Wait(l)) || body[at..end].contains(&TimedWait(l)) {
                    return None;
                }
                vec![at, end]
            }
            // A loop that does not wait any more does not end.
            Wait(_) | Unless(..) | Jump(_) if body.iter().any(is_back) => return None,
            Enter => vec![at, partner(body, at, Enter, Leave)?],
            Unlock(_) | Leave | Start(_) => return None,
            _ => vec![at],
        };
        let mut threads = program.threads.clone();
        threads[t] = without(body, &gone);
        Some(Program::new(threads))
    })
}

fn is_back(op: &Op) -> bool {
    matches!(op, Jump(..0))
}

fn partner(body: &[Op], at: usize, opens: Op, closes: Op) -> Option<usize> {
    let mut depth = 0;
    body.iter().enumerate().skip(at).find_map(|(i, op)| {
        depth += i32::from(*op == opens) - i32::from(*op == closes);
        (depth == 0).then_some(i)
    })
}

/// A body without some instructions, with its jumps to where they went.
fn without(body: &[Op], gone: &[usize]) -> Vec<Op> {
    let kept = |i: &usize| !gone.contains(i);
    let new = |i: usize| (0..i).filter(kept).count() as i32;
    let by = |at: usize, by: i32| new((at as i32 + by) as usize) - new(at);
    (0..body.len())
        .filter(kept)
        .map(|at| match body[at] {
            Unless(v, value, far) => Unless(v, value, by(at, far)),
            Cas(v, old, value, far) => Cas(v, old, value, by(at, far)),
            Jump(far) => Jump(by(at, far)),
            op => op,
        })
        .collect()
}
