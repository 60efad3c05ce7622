//! Every program of the corpus behaves under `heddle run` as under `java`.

use std::time::Duration;

use heddle_conformance::compare::Verdict;
use heddle_conformance::suite::{self, Settings, Subject};
use heddle_conformance::toolchain::{Jdk, find_heddle, target_dir, workspace_root};
use heddle_conformance::{corpus, generate};

fn settings(folder: &str) -> Settings {
    Settings {
        scratch: target_dir().join("conformance").join(folder),
        subject: Subject::Heddle(find_heddle().expect("a heddle binary")),
        jobs: 2,
        limit: Duration::from_secs(60),
    }
}

/// Runs the whole corpus and fails on any difference from `java`.
fn all_programs(settings: &Settings) {
    let programs =
        corpus::discover(&workspace_root().join("programs").join("run")).expect("programs");
    assert!(
        programs.len() >= 150,
        "the corpus has shrunk to {} programs",
        programs.len()
    );
    let jdk = Jdk::find().expect("a JDK");
    let cases = suite::run(&programs, &jdk, settings, &|_| ()).expect("the suite runs");
    let again = suite::asked_again(&cases);
    println!(
        "{} of {} programs needed a second answer of java: {}",
        again.len(),
        cases.len(),
        again.join(", ")
    );
    let wrong: Vec<String> = cases
        .iter()
        .filter(|c| c.verdict != Verdict::Passed)
        .map(|c| format!("{}: {:?}", c.name, c.verdict))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} programs differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_program_behaves_as_under_java() {
    all_programs(&settings("test-run"));
}

#[test]
fn no_program_notices_marks_and_rewinds() {
    let heddle = find_heddle().expect("a heddle binary");
    all_programs(&Settings {
        subject: Subject::Rehearsal(heddle, 7),
        ..settings("test-rehearsal")
    });
}

#[test]
fn random_programs_behave_as_under_java() {
    let jdk = Jdk::find().expect("a JDK");
    let plan = generate::Plan {
        seed: 1,
        count: 100,
        batch: 50,
    };
    let log = std::sync::Mutex::new(String::new());
    let tally = generate::run(&plan, &jdk, &settings("test-generated"), &|text| {
        let mut log = log.lock().expect("no logger panics");
        log.push_str(text);
        log.push('\n');
    })
    .expect("the generator runs");
    let log = log.into_inner().expect("no logger panics");
    assert_eq!((tally.different, tally.unsupported), (0, 0), "{log}");
}
