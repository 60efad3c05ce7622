//! Stacks come back with the marks, and marks save what has changed of them.

mod common;

use heddle_model::{Event, EventMask, Machine, Observer, OpMask, Pick, Rewind, Stop, View};
use heddle_vm::interp::RunEnd;
use heddle_vm::options::Options;
use heddle_vm::vm::Vm;

const STOPS: OpMask = OpMask(OpMask::VISIBLE.0 | OpMask::NOTIFY.0 | OpMask::STATE.0);

/// Stops, and does not listen.
struct Stopping;

impl Observer for Stopping {
    const WANTS: EventMask = EventMask::NONE;

    fn event(&mut self, _: &Event, _: &dyn View) {}
}

/// Before the first instruction of the program.
fn machine(main: &str) -> Vm {
    let classes = common::compiled("Deep.java", concat!(env!("CARGO_TARGET_TMPDIR"), "/stacks"));
    let options = Options {
        stop_at_main: true,
        slice: 1 << 40,
        ..Options::plain(common::jdk_home(), classes, main)
    };
    let mut vm = Vm::new(options).map_err(|e| e.0).expect("a machine");
    while !vm.globals.main_started {
        let end = vm.run_thread(1 << 40, &mut ());
        assert!(!matches!(end, RunEnd::Exit(_)), "{end:?}");
    }
    vm.track_sharing();
    vm
}

/// Follows random schedules with random marks and rewinds: whatever the threads did to their
/// stacks since, a rewind brings back all that a program could notice, and the digest of states,
/// which is kept up from stop to stop, tells the same of it.
#[test]
fn a_rewind_brings_stacks_back() {
    let mut vm = machine("Deep");
    let mut seed = 0x5eed_u64;
    let mut roll = move |sides: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % sides
    };
    let root = vm.mark();
    let mut stop = vm.run(STOPS, &mut Stopping);
    let mut marks = Vec::new();
    let (mut stops, mut rewinds) = (0, 0);
    while rewinds < 400 {
        stops += 1;
        if stop != Stop::Choice && marks.is_empty() {
            vm.rewind(root);
            stop = vm.run(STOPS, &mut Stopping);
            continue;
        }
        if stop == Stop::Choice && roll(10) == 0 {
            marks.push((vm.mark(), View::state(&vm), vm.digest()));
        }
        if !marks.is_empty() && (stop != Stop::Choice || roll(60) == 0) {
            rewinds += 1;
            let back = roll(marks.len());
            marks.truncate(back + 1);
            let (mark, state, digest) = &marks[back];
            vm.rewind(*mark);
            assert_eq!(View::state(&vm), *state, "after {rewinds} rewinds");
            assert!(vm.digest() == *digest, "after {rewinds} rewinds");
            // The same state, told by a machine that stops here once more.
            let again = vm.run(OpMask(STOPS.0 | OpMask::AT_ONCE.0), &mut Stopping);
            assert_eq!(again, Stop::Choice);
            assert_eq!(View::state(&vm), *state, "after {rewinds} rewinds");
            vm.rewind(*mark);
        }
        let options = vm.point().options.len();
        vm.take(Pick(roll(options)));
        stop = vm.run(STOPS, &mut Stopping);
    }
    println!("{stops} stops");
    assert!(stops > 3000);
}

/// A mark at each level of a recursion: each saves a few frames, not the stack.
#[test]
fn marks_save_what_changed() {
    let mut vm = machine("Straight");
    let levels = 5000;
    for _ in 0..levels {
        assert_eq!(vm.run(STOPS, &mut Stopping), Stop::Choice);
        vm.mark();
        vm.take(Pick(0));
    }
    let deep = vm.threads.iter().map(|t| t.live_words()).max();
    assert!(deep.is_some_and(|words| words > 3 * levels), "{deep:?}");
    let saved = vm.journal.saved_words();
    assert!(saved < 100 * levels, "{saved}");
}
