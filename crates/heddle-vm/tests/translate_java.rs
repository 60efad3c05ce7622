//! Translated code computes what `java` computes.
//!
//! `tests/java/Cases.java` is compiled with `javac` and run by `java`; its
//! methods are then translated and run by the evaluator of `common`.

mod common;

use std::process::Command;

use common::eval::{Evaluator, Thrown};
use heddle_classfile::ClassFile;
use heddle_vm::translate::Translator;

fn compile() -> (ClassFile, String) {
    let classes = common::compiled(
        "Cases.java",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/translate_java"),
    );
    let java = Command::new(common::jdk_home().join("bin/java"))
        .arg("-cp")
        .arg(classes)
        .arg("Cases")
        .output()
        .expect("java runs");
    let class = common::parse_trusted(std::fs::read(classes.join("Cases.class")).unwrap());
    (class, String::from_utf8(java.stdout).unwrap())
}

#[test]
fn same_results_as_java() {
    let (class, expected) = compile();
    assert!(expected.lines().count() >= 15, "{expected}");
    for translator in [Translator::new(), Translator::with_far_jumps()] {
        let mut evaluator = Evaluator::new(class.clone(), translator);
        let mut wrong = String::new();
        for case in expected.lines() {
            let (name, expected) = case.split_once(' ').unwrap();
            evaluator.executed = 0;
            evaluator.statics.clear();
            evaluator.statics.insert("ratio".into(), 0.5f64.to_bits());
            let got = match evaluator.call_named(name, "()J", 0) {
                Ok(()) => (evaluator.stack[0] as i64).to_string(),
                Err(Thrown(e)) => evaluator.heap[e as usize - 1].class.clone(),
            };
            println!("{name}: {} instructions", evaluator.executed);
            if got != expected {
                wrong += &format!("{name}: java {expected}, translated {got}\n");
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }
}
