//! Runs a program as `heddle run` does, and nothing else: one copy of the interpreter, for
//! nobody who looks. For counting instructions (`hooks.rs` of `heddle-bench`).
//!
//! Arguments: the JDK's home, a folder with class files, the main class.

use std::io::Write;
use std::path::Path;

use heddle_vm::interp::RunEnd;
use heddle_vm::options::Options;
use heddle_vm::vm::Vm;

/// Bytecodes in a slice, as in `heddle run`.
const SLICE: i64 = 20_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [home, classes, class] = &args[..] else {
        panic!("arguments: HOME CLASSES MAIN");
    };
    let options = Options::plain(home.into(), Path::new(classes), class);
    let mut vm = Vm::new(options).map_err(|e| e.0).expect("a machine");
    loop {
        let end = vm.run_thread(SLICE, &mut ());
        for (_, bytes) in vm.output.take() {
            std::io::stdout()
                .write_all(&bytes)
                .expect("the output can be written");
        }
        match end {
            RunEnd::Exit(code) => std::process::exit(code),
            RunEnd::Unsupported(what) => panic!("unsupported: {what}"),
            _ => {}
        }
        vm.expire();
        let after = vm.runnable().find(|id| *id > vm.current);
        vm.current = after
            .or_else(|| vm.runnable().next())
            .expect("a thread that can run");
    }
}
