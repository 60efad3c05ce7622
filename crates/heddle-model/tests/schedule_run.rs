//! From runs to schedules and from schedules to steps.

use heddle_model::schedule::follow::{Action, Step};
use heddle_model::schedule::record::{Recorder, Stands, Taken, Took, schedule};
use heddle_model::schedule::{CodePlace, Guide, Header, MethodName, Schedule, ThreadEntry};
use heddle_model::{MethodId, Site, ThreadPath};

fn path(text: &str) -> ThreadPath {
    text.parse().unwrap()
}

fn place(class: &str, index: u16) -> CodePlace {
    let method = MethodName::Named {
        name: "run".into(),
        descriptor: Some("()V".into()),
    };
    CodePlace {
        class: class.into(),
        method,
        index,
    }
}

fn header() -> Header {
    let thread = |number, at, name: &str| ThreadEntry {
        number,
        path: path(at),
        name: name.into(),
    };
    Header {
        threads: vec![thread(0, "/", "main"), thread(1, "/0", "p")],
        ..Header::default()
    }
}

fn body(schedule: &Schedule) -> String {
    Schedule {
        header: None,
        ..schedule.clone()
    }
    .to_string()
}

#[test]
fn a_run_becomes_few_commands() {
    let taken = |by, class, index, stands, count, took| Taken {
        by: path(by),
        at: place(class, index),
        stands,
        count,
        took,
    };
    let run = [
        // Goes on by itself: no command.
        taken("/", "M", 3, Stands::Before, 1, Took::Run(path("/"))),
        taken("/", "M", 9, Stands::Before, 2, Took::Run(path("/0"))),
        taken("/0", "P", 4, Stands::Before, 1, Took::Wake(path("/"))),
        // Has not moved: joins the event above.
        taken("/0", "P", 4, Stands::Before, 1, Took::Wake(path("/1"))),
        taken("/0", "P", 8, Stands::In, 1, Took::Timeout(path("/1"))),
        taken("/1", "Q", 8, Stands::In, 1, Took::Timeout(path("/1"))),
        taken("/1", "Q", 8, Stands::In, 2, Took::Spurious(path("/"))),
        taken("/", "M", 20, Stands::Ended, 1, Took::Run(path("/0"))),
        taken("/0", "P", 8, Stands::In, 1, Took::Stuck),
    ];
    let found = schedule(header(), &run);
    assert_eq!(
        body(&found),
        "before M run()V 9 2\nswitch 1 # p\n\
         before P run()V 4 1\nnotify 0 # main\nnotify 2\n\
         in P run()V 8 1\ntimeout 2\nswitch 2\n\
         in Q run()V 8 1\ntimeout 2\n\
         in Q run()V 8 2\nspurious 0 # main\nswitch 0 # main\n\
         before M run()V 20 1\ndie 1 # p\n\
         in P run()V 8 1\nswitch none\n"
    );
    assert_eq!(found.thread(2).unwrap().path, path("/1"));
    assert_eq!(Schedule::parse("x", &found.to_string()), Ok(found));
}

#[test]
fn ends_are_written() {
    let end = |stands, took| {
        let one = Taken {
            by: path("/"),
            at: place("M", 1),
            stands,
            count: 1,
            took,
        };
        body(&schedule(header(), &[one]))
    };
    assert_eq!(
        end(Stands::Ended, Took::Stuck),
        "before M run()V 1 1\ndie none\n"
    );
    assert_eq!(
        end(Stands::Ended, Took::Exited),
        "before M run()V 1 1\nterminate\n"
    );
    assert_eq!(
        end(Stands::Before, Took::Stuck),
        "before M run()V 1 1\nswitch none\n"
    );
}

/// Two threads in a toy program: each round is bytecodes 0, 1, 2, and bytecode 1 is
/// where decisions fall. A recorded run, printed, read and followed, gives the run.
#[test]
fn a_recorded_run_is_followed_to_the_same_run() {
    for seed in 1..200u64 {
        let decisions: Vec<bool> = (0..24)
            .map(|i| (seed * 0x9E37_79B9) >> i & 1 == 1)
            .collect();
        let site = |bci| Site {
            method: MethodId(0),
            bci,
        };
        let name = |s: Site| place("T", s.bci as u16);
        let paths = [path("/"), path("/0")];
        // Run and record. `at` is the bytecode before which a thread stands.
        let mut recorder = Recorder::default();
        let (mut at, mut running, mut original) = ([None, None], 0, Vec::new());
        for &switch in &decisions {
            loop {
                let next = at[running].map_or(0, |a: i32| (a + 1) % 3);
                at[running] = Some(next);
                recorder.came_to(site(next));
                original.push((running, next));
                if next == 1 {
                    break;
                }
            }
            let to = if switch { 1 - running } else { running };
            let took = Took::Run(paths[to].clone());
            let stood = (site(1), Stands::Before);
            let next_at = at[to].map(|next| (site(next), Stands::Before));
            recorder.took(&paths[running], stood, took, next_at, name);
            running = to;
        }
        let text = recorder.schedule(header()).to_string();
        let read = Schedule::parse("x", &text).unwrap();

        // Follow.
        let (mut at, mut followed) = ([None, None], Vec::new());
        let mut last = 0;
        for Step {
            thread,
            until,
            then,
            ..
        } in read.steps()
        {
            let (running, until) = (thread.unwrap() as usize, until.unwrap());
            let mut count = u64::from(at[running] == Some(i32::from(until.point.place.index)));
            while count < until.point.count {
                let next = at[running].map_or(0, |a: i32| (a + 1) % 3);
                at[running] = Some(next);
                followed.push((running, next));
                count += u64::from(next == i32::from(until.point.place.index));
            }
            let [(_, Action::Switch(Some(to)))] = then[..] else {
                panic!("{then:?}")
            };
            last = to as usize;
        }
        // The last thread goes on without a command.
        while followed.len() < original.len() {
            let next = at[last].map_or(0, |a: i32| (a + 1) % 3);
            at[last] = Some(next);
            followed.push((last, next));
        }
        assert_eq!(followed, original, "{text}");
    }
}

#[test]
fn loops_are_unrolled_as_they_are_asked_for() {
    // Figure 1b of jreplay, with the loops that its text describes.
    let text = "before Prodcons 1 36 1\nswitch 1\nloopbegin\n\
                loopbegin\nbefore Producer 1 13 1\nswitch 2\nbefore Consumer 1 13 1\nswitch 1\nloopend 2\n\
                loopbegin\nbefore Producer 1 13 1\nswitch 3\nbefore Consumer 1 13 1\nswitch 1\nloopend 2\n\
                loopend inf\n";
    let schedule = Schedule::parse("x", text).unwrap();
    let to: Vec<u32> = schedule
        .steps()
        .take(18)
        .map(|s| match s.then[..] {
            [(_, Action::Switch(Some(to)))] => to,
            _ => panic!("{s:?}"),
        })
        .collect();
    assert_eq!(to, [1, 2, 1, 2, 1, 3, 1, 3, 1, 2, 1, 2, 1, 3, 1, 3, 1, 2]);
    let runs: Vec<_> = schedule
        .steps()
        .take(4)
        .map(|s| (s.line, s.thread))
        .collect();
    assert_eq!(
        runs,
        [(1, Some(0)), (5, Some(1)), (7, Some(2)), (5, Some(1))]
    );
}

#[test]
fn actions_may_come_first_and_terminate_comes_last() {
    let schedule = Schedule::parse(
        "x",
        "log 1 hi\nswitch 2\nbefore A 1 1 1\nterminate\nbefore A 1 2 1\n",
    );
    let schedule = schedule.unwrap();
    let steps: Vec<Step> = schedule.steps().collect();
    assert_eq!(steps.len(), 2);
    assert_eq!((steps[0].until, steps[0].then.len()), (None, 2));
    assert_eq!(steps[1].thread, Some(2));
    assert_eq!(steps[1].then, [(4, Action::Terminate)]);
}

#[test]
fn a_guide_counts_as_the_manual_says() {
    // A failed attempt, a round trip, a thread still blocked.
    let text = "heddle-schedule 1\nthread 0 / main\nthread 1 /0 p\n\
                before A run()V 3 2\nswitch 1\nbefore A run()V 3 1\nswitch 0\n\
                before A run()V 3 1\nlog 1 stuck\nbefore A run()V 3 2\nswitch 1\n\
                in A run 9 1\ntimeout 1\nin A run 9 1\nswitch none\n";
    let schedule = Schedule::parse("x.sched", text).unwrap();
    let (here, there, call) = (place("A", 3), place("A", 4), place("A", 9));
    assert_eq!(schedule.places().len(), 2);
    let mut guide = Guide::new(&schedule);
    assert!(!guide.came_to(&there) && !guide.came_to(&here));
    assert_eq!(
        guide.diverged("x.sched", "main ends").to_string(),
        "x.sched:4: the program leaves the schedule: expected main to come to bytecode 3 of \
         A.run()V (1 of 2 times so far), but main ends"
    );
    assert!(guide.came_to(&here));
    assert_eq!(guide.step().unwrap().thread, Some(0));
    // p has yet to begin.
    assert!(!guide.next(None));
    assert_eq!(guide.step().unwrap().thread, Some(1));
    assert!(guide.came_to(&here));
    // main stands there still, and is not to move.
    assert!(guide.next(Some((&here, Stands::Before))));
    assert!(!guide.next(Some((&here, Stands::Before))));
    assert!(!guide.came_to(&there) && guide.came_to(&here));
    // p goes on to a call that blocks.
    assert!(!guide.next(Some((&here, Stands::Before))));
    assert!(!guide.came_to(&call) && guide.is_blocked_in(&call));
    assert!(guide.next(Some((&call, Stands::In))));
    assert!(!guide.next(Some((&call, Stands::In))));
    assert_eq!((guide.step(), guide.done()), (None, 6));
    assert!(
        guide
            .diverged("x", "p ends")
            .to_string()
            .contains("after the end")
    );
}
