//! Explores a program exhaustively without any reduction: a look at the machine.

use heddle_model::{
    Choice, Event, EventMask, Machine, Observer, OpMask, Pause, Pick, Rewind, Stop, View,
};
use heddle_vm::vm::{Main, Options, Vm};
use std::collections::BTreeMap;

struct Stops;
impl Observer for Stops {
    const WANTS: EventMask = EventMask::READ;
    const STOPS: bool = true;
    fn mask(&self) -> EventMask {
        EventMask::NONE
    }
    fn event(&mut self, _: &Event, _: &dyn View) {}
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mask = if args[3] == "block" {
        OpMask::BLOCK_END
    } else {
        OpMask::VISIBLE
    };
    let mut options = Options {
        java_home: args[1].clone().into(),
        class_path: ".".into(),
        properties: Vec::new(),
        main: Main::Class(args[2].clone()),
        args: args[4..].to_vec(),
        assertions: Default::default(),
        heap_limit: 1 << 30,
        start_millis: 0,
        processors: 2,
        environment: Vec::new(),
        seed: 0,
        trust: ["java.", "javax.", "jdk.", "sun."]
            .map(String::from)
            .to_vec(),
        stop_at_main: true,
        slice: 1_000_000,
        directory: ".".into(),
        preload: Default::default(),
    };
    if std::env::var("NOPRELOAD").is_err() {
        let mut trial = Vm::new(Options {
            stop_at_main: false,
            ..options.clone()
        })
        .expect("boot");
        trial.files.keep_inside();
        for _ in 0..1000 {
            use heddle_vm::interp::RunEnd;
            if matches!(
                trial.run_thread(100_000, &mut ()),
                RunEnd::Exit(_) | RunEnd::Unsupported(_)
            ) {
                break;
            }
            trial.expire();
            let next = trial
                .runnable()
                .find(|t| *t > trial.current)
                .or_else(|| trial.runnable().next());
            let Some(next) = next else { break };
            trial.current = next;
        }
        options.preload = trial.preload_list();
        println!(
            "preload {} + {}",
            options.preload.library.len(),
            options.preload.application.len()
        );
    }
    let mut vm = Vm::new(options).expect("boot");
    while !vm.globals.main_started {
        vm.run_thread(1_000_000, &mut ());
        let next = vm.runnable().next();
        vm.current = next.unwrap_or(vm.current);
    }
    vm.current = heddle_model::ThreadId(0);
    vm.track_sharing();
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    let (mut count, mut points) = (0u64, 0u64);
    let start = std::time::Instant::now();
    let mut stack: Vec<(heddle_model::Mark, Vec<Choice>, usize)> = Vec::new();
    let trace = std::env::var("TRACE").is_ok();
    'path: loop {
        let stop = vm.run(mask.and(OpMask::NOTIFY), &mut Stops);
        match stop {
            Stop::Choice => {
                points += 1;
                let point = vm.point();
                if trace {
                    println!(
                        "{:depth$}{:?} {:?}",
                        "",
                        point.pause,
                        point.options,
                        depth = stack.len()
                    );
                }
                if let Pause::Before(_) | Pause::BlockEnd | Pause::Slice = point.pause
                    && point.options.len() == 1
                {
                    vm.take(Pick(0));
                    continue;
                }
                let options = point.options.to_vec();
                let mark = vm.mark();
                stack.push((mark, options, 0));
                vm.take(Pick(0));
            }
            Stop::Ended(end) => {
                count += 1;
                let out: String = vm
                    .output
                    .bytes
                    .iter()
                    .map(|(_, b)| String::from_utf8_lossy(b))
                    .collect();
                *ends
                    .entry(format!(
                        "{end:?} {}",
                        out.lines().take(2).collect::<Vec<_>>().join("|")
                    ))
                    .or_default() += 1;
                loop {
                    let Some((mark, options, taken)) = stack.last_mut() else {
                        break 'path;
                    };
                    *taken += 1;
                    if *taken < options.len() {
                        let (mark, pick) = (*mark, *taken);
                        vm.rewind(mark);
                        vm.choices = options.clone();
                        vm.take(Pick(pick));
                        continue 'path;
                    }
                    let mark = *mark;
                    stack.pop();
                    vm.rewind(mark);
                    vm.forget(mark);
                }
            }
            Stop::Unsupported(what) => panic!("{what}"),
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{count} schedules, {points} choice points, {:.0} schedules/s",
        count as f64 / seconds
    );
    for (end, n) in ends {
        println!("{n:8} {end}");
    }
}
