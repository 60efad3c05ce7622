//! A slice is a number of bytecodes.
//!
//! How many bytecodes a piece of code stands for is compared with a count by the book in
//! `translate_random`. Here: however a run is cut into slices, each ends when it is used
//! up, and all together are as many bytecodes.

mod common;

use heddle_vm::interp::RunEnd;
use heddle_vm::options::Options;
use heddle_vm::vm::Vm;

/// More than any one instruction stands for.
const OVERRUN: u64 = 24;

/// The program: loops, calls, switches, exceptions, initializers, reflection.
fn machine() -> Vm {
    let home = common::jdk_home();
    let classes = common::compiled(
        "Cases.java",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/slices"),
    );
    let options = Options::plain(home, classes, "Cases");
    Vm::new(options).map_err(|e| e.0).expect("a machine")
}

/// Runs the program to its end in slices of that many bytecodes; what its one thread
/// used (the library's own run or not), and what it printed.
fn run(slice: i64) -> (u64, Vec<u8>) {
    let mut vm = machine();
    let mut output = Vec::new();
    let mut total = 0;
    loop {
        let before = vm.globals.bytecodes;
        let end = vm.run_thread(slice, &mut ());
        let used = vm.globals.bytecodes - before;
        if vm.current.0 == 0 {
            total += used;
        }
        // Time stands still: the library takes it as the seed of its hash tables.
        vm.globals.clock = 0;
        for (_, bytes) in vm.output.take() {
            output.extend(bytes);
        }
        match end {
            RunEnd::Slice => {
                assert!(used >= slice as u64, "{used} of {slice}");
                assert!(used < slice as u64 + OVERRUN, "{used} of {slice}");
            }
            RunEnd::Exit(0) => return (total, output),
            RunEnd::Exit(_) | RunEnd::Unsupported(_) => panic!("{end:?}"),
            _ => assert!(used < slice as u64 + OVERRUN, "{used} of {slice}"),
        }
        vm.expire();
        let after = vm.runnable().find(|id| *id > vm.current);
        vm.current = after.or_else(|| vm.runnable().next()).expect("a thread");
    }
}

#[test]
fn the_number_of_bytecodes_does_not_depend_on_the_slice() {
    let (expected, printed) = run(20_000);
    assert!(printed.len() > 300, "{}", String::from_utf8_lossy(&printed));
    for slice in [1, 2, 3, 17, 1000] {
        let (used, output) = run(slice);
        assert_eq!(used, expected, "slices of {slice}");
        assert!(output == printed, "slices of {slice}");
    }
}
