//! The digest of states: what is kept incrementally is what comes out when everything is
//! summed up, and it goes back with the marks.

mod common;

use heddle_model::{Machine, OpMask, Pick, Rewind, Stop, View};
use heddle_vm::heap::Region;
use heddle_vm::interp::RunEnd;
use heddle_vm::options::Options;
use heddle_vm::thread::ThreadState;
use heddle_vm::vm::Vm;

const STOPS: OpMask = OpMask(OpMask::VISIBLE.0 | OpMask::NOTIFY.0 | OpMask::STATE.0);

/// Before the first instruction of the program.
fn machine() -> Vm {
    let home = common::jdk_home();
    let classes = common::compiled(
        "Meeting.java",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/states"),
    );
    let options = Options {
        stop_at_main: true,
        slice: 1 << 40,
        ..Options::plain(home, classes, "Meeting")
    };
    let mut vm = Vm::new(options).map_err(|e| e.0).expect("a machine");
    while !vm.globals.main_started {
        let end = vm.run_thread(1 << 40, &mut ());
        assert!(!matches!(end, RunEnd::Exit(_)), "{end:?}");
    }
    vm.track_sharing();
    vm
}

/// The sum over all memory, from nothing.
fn whole(vm: &Vm) -> u128 {
    let alive = vm
        .threads
        .iter()
        .filter(|t| t.control.state != ThreadState::Dead);
    let regions: Vec<Region> = alive.map(|t| t.control.region).collect();
    // Mirrors stay where they are when a rewind unloads their classes.
    let loaded = vm.loaded();
    let gone = vm.classes.iter().filter(|c| !loaded.contains(&c.id.0));
    let gone: Vec<_> = gone.map(|c| c.mirror.get()).collect();
    vm.heap.whole_sum(&regions, &gone)
}

/// Follows random schedules with random marks and rewinds; at every stop the part of the
/// digest that is memory has changed by what the whole sum has changed by.
#[test]
fn the_sum_is_what_memory_adds_up_to() {
    let mut vm = machine();
    let mut seed = 0x5eed_u64;
    let mut roll = move |sides: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % sides
    };
    let root = vm.mark();
    let mut stop = vm.run(STOPS, &mut ());
    let start = whole(&vm).wrapping_sub(vm.globals.state.memory());
    let mut marks = Vec::new();
    let mut ends = 0;
    let mut stops = 0;
    let mut rewinds = 0;
    while ends < 100 {
        stops += 1;
        if stop == Stop::Choice {
            let expected = whole(&vm).wrapping_sub(start);
            assert_eq!(vm.globals.state.memory(), expected, "after {stops} stops");
        }
        if stop == Stop::Choice && roll(4) == 0 {
            marks.push((vm.mark(), View::state(&vm)));
        }
        if stop != Stop::Choice || roll(15) == 0 {
            ends += usize::from(stop != Stop::Choice);
            assert!(!matches!(stop, Stop::Unsupported(_)), "{stop:?}");
            let back = roll(marks.len() + 1);
            match marks.get(back) {
                Some(&(mark, state)) => {
                    vm.rewind(mark);
                    assert_eq!(View::state(&vm), state);
                }
                None => {
                    vm.rewind(root);
                    marks.clear();
                    stop = vm.run(STOPS, &mut ());
                    continue;
                }
            }
            marks.truncate(back + 1);
            rewinds += 1;
        }
        let options = vm.point().options.len();
        vm.take(Pick(roll(options)));
        stop = vm.run(STOPS, &mut ());
    }
    println!("{stops} stops, {rewinds} rewinds, {ends} ends");
    assert!(stops > 300 && rewinds > 20);
}

/// Two orders of steps that have nothing to do with each other lead to the same state, and
/// different states have different digests.
#[test]
fn states_do_not_depend_on_the_interleaving() {
    let mut vm = machine();
    let root = vm.mark();
    let mut seen = std::collections::BTreeMap::new();
    let mut met = 0;
    for seed in 0..200u64 {
        vm.rewind(root);
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut taken = 0;
        while vm.run(STOPS, &mut ()) == Stop::Choice {
            let state = View::state(&vm).expect("it was asked for");
            // Every step counts in the program or moves a thread on, so a state is only
            // reached by so many of them.
            if let Some(before) = seen.insert(state, taken) {
                met += 1;
                assert_eq!(before, taken, "a state after another number of steps");
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let pick = random as usize % vm.point().options.len();
            taken += 1;
            vm.take(Pick(pick));
        }
    }
    println!("{} states, met again {met} times", seen.len());
    assert!(met > seen.len());
}
