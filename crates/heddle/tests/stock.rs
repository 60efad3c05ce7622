//! Schedules on stock JVMs: all that are installed beside the `java` on the PATH.

mod jvm;

use jvm::{Bench, Said, java, jvms};
use std::path::Path;

/// The program of jreplay's figures 2 and 3.
const PRODCONS: &str = "Prodcons";

fn prodcons(name: &str) -> Bench {
    let bench = Bench::new(name);
    bench.compile_corpus(PRODCONS);
    bench
}

/// Instruments for a schedule and runs the result.
fn follow(bench: &Bench, home: &Path, main: &str) -> Said {
    let made = bench.heddle(&[
        "instrument",
        "--schedule",
        "s.sched",
        "-cp",
        "classes",
        "-o",
        "out",
    ]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    bench.run(java(home), &["-Xverify:all", "-ea", "-cp", "out", main])
}

/// Figure 1a of jreplay, with methods by position and without any header: thread numbers are
/// the order of creation.
const FIGURE_1A: &str = "\
before Prodcons 1 36 1
switch 1 # p
before Producer 1 10 1
switch 2 # c1
before Consumer 1 6 1
switch 3 # c2
before Consumer 1 10 1
switch 2 # c1
# error when executing get
";

#[test]
fn the_failing_schedule_of_jreplay() {
    let bench = prodcons("stock-figure-1a");
    bench.write("s.sched", FIGURE_1A);
    for home in jvms() {
        let said = follow(&bench, &home, PRODCONS);
        assert_eq!(
            (said.code, said.err.as_str()),
            (Some(1), "Error.\n"),
            "{home:?}"
        );
    }
}

/// Figure 1b: producer and first consumer interleave twice, then producer and second, for
/// ever. Messages tell the rounds.
#[test]
fn the_endless_schedule_of_jreplay() {
    let bench = prodcons("stock-figure-1b");
    let text = "\
before Prodcons 1 36 1
switch 1
loopbegin
  loopbegin
    before Producer 1 10 1
    switch 2
    before Consumer 1 10 1
    log 1 first
    switch 1
  loopend 2
  loopbegin
    before Producer 1 10 1
    switch 3
    before Consumer 1 10 1
    log 1 second
    switch 1
  loopend 2
  log 1 round
loopend 500
log 1 done
terminate
";
    bench.write("s.sched", text);
    for home in jvms() {
        // After `terminate` the program fails sooner or later, or never ends.
        let said = {
            let made = bench.heddle(&[
                "instrument",
                "--schedule",
                "s.sched",
                "-cp",
                "classes",
                "-o",
                "out",
            ]);
            assert_eq!(made.code, Some(0), "{}", made.err);
            bench.write("s.sched", &text.replace("\nterminate\n", "\n"));
            bench.run(
                java(&home),
                &["-Dheddle.schedule=bounded.sched", "-cp", "out", PRODCONS],
            )
        };
        let rounds = said.err.matches("heddle: round").count();
        assert_eq!(rounds, 500, "{home:?}: {:?}", said.code);
        let order: Vec<&str> = (said.err.lines())
            .filter_map(|l| l.strip_prefix("heddle: "))
            .take(5)
            .collect();
        assert_eq!(order, ["first", "first", "second", "second", "round"]);
    }
}
