//! Schedules on stock JVMs: all that are installed beside the `java` on the PATH.

mod jvm;

use heddle_conformance::toolchain::jvms;
use jvm::{Bench, Said, java};
use std::path::Path;

/// The program of jreplay's figures 2 and 3.
const PRODCONS: &str = "Prodcons";

fn prodcons(name: &str) -> Bench {
    let bench = Bench::new(name);
    bench.compile_corpus(PRODCONS);
    bench
}

/// Instruments the program in `classes` for the schedule in `s.sched`.
fn instrument(bench: &Bench) {
    let words = [
        "instrument",
        "--schedule",
        "s.sched",
        "-cp",
        "classes",
        "-o",
        "out",
    ];
    let made = bench.heddle(&words);
    assert_eq!(made.code, Some(0), "{}", made.err);
}

/// Runs what was instrumented.
fn run(bench: &Bench, home: &Path, main: &str) -> Said {
    bench.run(java(home), &["-Xverify:all", "-ea", "-cp", "out", main])
}

/// Compiles a program of the corpus and looks for its error; the first schedule.
fn find(bench: &Bench, name: &str, javac: &[&str]) -> String {
    let (args, options) = bench.compile_corpus_with(name, javac);
    let mut words = vec!["check", "--schedule-dir", "."];
    words.extend(options.iter().map(String::as_str));
    words.extend(["-cp", "classes", name]);
    words.extend(args.iter().map(String::as_str));
    let said = bench.heddle(&words);
    assert_eq!(said.code, Some(1), "{name}: {}{}", said.out, said.err);
    bench.schedules().remove(0)
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
    instrument(&bench);
    for home in jvms() {
        let said = run(&bench, &home, PRODCONS);
        let told = (said.code, said.err.as_str());
        assert_eq!(told, (Some(1), "Error.\n"), "{home:?}");
    }
}

/// The schedule that lies beside the program may be changed by hand, or be another file: it
/// is read anew. One by messages needs another instrumentation, which is said.
#[test]
fn a_schedule_that_was_changed_by_hand() {
    let bench = prodcons("stock-changed");
    bench.write("s.sched", FIGURE_1A);
    instrument(&bench);
    let changed = format!("log 1 by hand\n{FIGURE_1A}");
    bench.write("out/META-INF/heddle/schedule", &changed);
    bench.write("messages.sched", FIGURE_6);
    for home in jvms() {
        let said = run(&bench, &home, PRODCONS);
        let told = (said.code, said.err.as_str());
        assert_eq!(told, (Some(1), "heddle: by hand\nError.\n"), "{home:?}");
        let other = ["-Dheddle.schedule=messages.sched", "-cp", "out", PRODCONS];
        let said = bench.run(java(&home), &other);
        assert_eq!(said.code, Some(3), "{}", said.err);
        let why = "instrumented for a schedule by switches";
        assert!(said.err.contains(why), "{}", said.err);
    }
}

/// Figure 1b: producer and first consumer interleave twice, then producer and second, for
/// ever. Messages tell the rounds. Where a thread is switched from the place of its last
/// switch, having gone round once, the rule of appendix B asks for a count of 2; the figure
/// has 1 and would never move.
#[test]
fn the_endless_schedule_of_jreplay() {
    let bench = prodcons("stock-figure-1b");
    let rounds = |last: &str| {
        format!(
            "\
before Prodcons 1 36 1
switch 1
before Producer 1 10 1
switch 2
before Consumer 1 10 1
switch 1
before Producer 1 10 2
switch 3
before Consumer 1 10 1
switch 1
loopbegin
  loopbegin
    before Producer 1 10 2
    switch 2
    before Consumer 1 10 2
    log 1 first
    switch 1
  loopend 2
  loopbegin
    before Producer 1 10 2
    switch 3
    before Consumer 1 10 2
    log 2 second
    switch 1
  loopend 2
  log 1 round
loopend {last}
log 1 done
before Producer 1 10 2
switch 2
before Consumer 1 6 1
switch 3
before Consumer 1 10 2
switch 2
"
        )
    };
    bench.write("s.sched", &rounds("inf"));
    bench.write("bounded.sched", &rounds("50"));
    // What was instrumented for the endless schedule runs the bounded one just as well.
    instrument(&bench);
    for home in jvms() {
        let words = [
            "-Dheddle.schedule=bounded.sched",
            "-Dheddle.verbosity=2",
            "-cp",
            "out",
            PRODCONS,
        ];
        let said = bench.run(java(&home), &words);
        let told: Vec<&str> = (said.err.lines())
            .filter_map(|l| l.strip_prefix("heddle: "))
            .collect();
        let round = ["first", "first", "second", "second", "round"];
        assert_eq!(told[..250], round.repeat(50), "{home:?}: {:?}", said.code);
        assert_eq!(told[250..], ["done"]);
        // After that, the failure of figure 1a, so that there is an end.
        assert_eq!(said.code, Some(1), "{home:?}");
    }
}

/// Figure 6: figure 1a by messages.
const FIGURE_6: &str = "\
schedulebegin 0 # main
  before Prodcons 1 36 1
  send 1 0
  receive 0 -1
scheduleend

schedulebegin 1 # p
  receive 0 0
  before Producer 1 10 1
  send 2 0
  receive 1 -1
scheduleend

schedulebegin 2 # c1
  receive 1 0
  before Consumer 1 6 1
  send 3 0
  receive 3 0
scheduleend

schedulebegin 3 # c2
  receive 2 0
  before Consumer 1 10 1
  send 2 0
  receive 3 -1
scheduleend
";

#[test]
fn the_same_by_messages() {
    let bench = prodcons("stock-figure-6");
    bench.write("s.sched", FIGURE_6);
    instrument(&bench);
    for home in jvms() {
        let said = run(&bench, &home, PRODCONS);
        let told = (said.code, said.err.as_str());
        assert_eq!(told, (Some(1), "Error.\n"), "{home:?}");
    }
    // In the VM, one thread at a time.
    let vm = bench.heddle(&["replay", "-cp", "classes", "s.sched", PRODCONS]);
    assert_eq!(vm.code, Some(1), "{}{}", vm.out, vm.err);

    // There and back on the command line; comments are for people.
    bench.write("switches.sched", FIGURE_1A);
    let messages = bench.heddle(&["convert", "switches.sched", "-o", "messages.sched"]);
    assert_eq!(messages.code, Some(0), "{}", messages.err);
    let plain = |text: &str| {
        let lines = text
            .lines()
            .map(|l| l.split('#').next().unwrap_or(l).trim());
        let lines = lines.filter(|l| !l.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(plain(&bench.read("messages.sched")), plain(FIGURE_6));
    let switches = bench.heddle(&["convert", "messages.sched"]);
    assert_eq!(plain(&switches.out), plain(FIGURE_1A));
}

/// Two threads that wait for each other, and are not done before both have run: one at a
/// time would take for ever.
const TANDEM: &str = r#"public class Tandem {
    static volatile int left, right;
    static int order;

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> {
            left = 1;
            while (right == 0) { }
            order = order * 10 + 1;
        }, "a");
        Thread b = new Thread(() -> {
            right = 1;
            while (left == 0) { }
            order = order * 10 + 2;
        }, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(order);
    }
}
"#;

#[test]
fn threads_with_messages_run_side_by_side() {
    let bench = Bench::new("stock-tandem");
    bench.compile(&[("Tandem.java", TANDEM)], &[]);
    for (first, expected) in [(1, "12\n"), (2, "21\n")] {
        // The later one waits in front of its last statement until the other one is through.
        let (a, b) = match first {
            1 => (
                "before Tandem lambda$main$0 24 1\nsend 2 0",
                "before Tandem lambda$main$1 13 1\nreceive 1 0",
            ),
            _ => (
                "before Tandem lambda$main$0 13 1\nreceive 2 0",
                "before Tandem lambda$main$1 24 1\nsend 1 0",
            ),
        };
        let text =
            format!("schedulebegin 1\n{a}\nscheduleend\nschedulebegin 2\n{b}\nscheduleend\n");
        bench.write("s.sched", &text);
        instrument(&bench);
        for home in jvms() {
            let said = run(&bench, &home, "Tandem");
            let told = (said.code, said.out.as_str());
            assert_eq!(told, (Some(0), expected), "{home:?}: {}", said.err);
        }
    }
}

/// What `heddle check` found is found again by messages, and after they were turned back.
#[test]
fn findings_survive_conversion() {
    for name in [
        "Overdraft",
        "NoEraser",
        "TicketLockTorn",
        "WaitIf",
        "NotifyStolen",
        "InterruptSwallowed",
    ] {
        let bench = Bench::new(&format!("stock-convert-{name}"));
        let found = find(&bench, name, &[]);
        let convert = |from: &str, to: &str| {
            let said = bench.heddle(&["convert", from, "-o", to]);
            assert_eq!(said.code, Some(0), "{name}: {}", said.err);
        };
        convert(&found, "messages.sched");
        convert("messages.sched", "switches.sched");
        let vm = bench.heddle(&["replay", "switches.sched"]);
        assert_eq!(vm.code, Some(1), "{name}: {}{}", vm.out, vm.err);
        let switches = |file: &str| bench.read(file).matches("\nswitch").count();
        assert!(switches("switches.sched") <= switches(&found), "{name}");
        for home in jvms() {
            let jvm = format!("--jvm={}", home.display());
            for file in ["messages.sched", "switches.sched"] {
                let said = bench.heddle(&["replay", &jvm, file]);
                let confirmed = said.out.contains("Confirmed on ");
                assert!(confirmed, "{name} {file}: {}{}", said.out, said.err);
            }
        }
    }
}

/// A program that writes its own schedule: what it wrote happens again in the VM and on
/// every JVM.
#[test]
fn recorded_schedules_replay_in_the_vm_and_on_jvms() {
    let mut broken = 0;
    for name in [
        "Overdraft",
        "WaitIf",
        "SplitSync",
        "TwoStage",
        "QueuePeekRemove",
    ] {
        let bench = Bench::new(&format!("stock-record-{name}"));
        let (args, _) = bench.compile_corpus(name);
        let made = bench.heddle(&["instrument", "--record", "-cp", "classes", "-o", "out"]);
        assert_eq!(made.code, Some(0), "{name}: {}", made.err);
        for (seed, home) in jvms().iter().cycle().take(4).enumerate() {
            let seed = format!("-Dheddle.seed={seed}");
            let mut words = vec!["-ea", &seed, "-Dheddle.record=r.sched", "-cp", "out", name];
            words.extend(args.iter().map(String::as_str));
            let said = bench.run(java(home), &words);
            let text = bench.read("r.sched");
            let finding = text.lines().find(|l| l.starts_with("finding "));
            let expected = Some(i32::from(finding.is_some()));
            broken += i32::from(finding.is_some());
            let what = format!("{name} {seed} {finding:?} {}", said.err);
            let vm = bench.heddle(&["replay", "r.sched"]);
            assert_eq!(vm.code, expected, "{what}: {}{}", vm.out, vm.err);
            for home in jvms() {
                let jvm = format!("--jvm={}", home.display());
                let said = bench.heddle(&["replay", &jvm, "r.sched"]);
                assert_eq!(said.code, expected, "{what}: {}{}", said.out, said.err);
            }
        }
    }
    assert!(broken > 0, "no seed broke anything");
}

/// Class files of Java 8 and 11, with and without the agent.
#[test]
fn older_class_files() {
    for (release, version) in [("8", 52), ("11", 55)] {
        for name in ["WaitIf", "QueuePeekRemove"] {
            let bench = Bench::new(&format!("stock-release-{release}-{name}"));
            let found = find(&bench, name, &["--release", release, "-Xlint:-options"]);
            bench.write("s.sched", &bench.read(&found));
            instrument(&bench);
            let class = std::fs::read(bench.0.join(format!("out/{name}.class")));
            assert_eq!(class.expect("the class")[6..8], [0, version]);
            for home in jvms() {
                let said = run(&bench, &home, name);
                let fails = said.err.contains("java.util.NoSuchElementException");
                assert!(fails, "{name} {release} {home:?}: {}", said.err);
                let jvm = format!("--jvm={}", home.display());
                let said = bench.heddle(&["replay", &jvm, &found]);
                assert!(said.out.contains("Confirmed on "), "{name}: {}", said.out);
            }
        }
    }
}

/// Threads that go round and round do so again in the VM, by the loop of the schedule, and
/// on JVMs.
#[test]
fn a_livelock_is_a_loop_of_the_schedule() {
    let bench = Bench::new("stock-livelock");
    let found = find(&bench, "Polite", &[]);
    assert!(bench.read(&found).trim_end().ends_with("loopend inf"));
    let vm = bench.heddle(&["replay", &found]);
    assert_eq!(vm.code, Some(1), "{}{}", vm.out, vm.err);
    assert!(vm.out.starts_with("Livelock: "), "{}", vm.out);
    for home in jvms() {
        let jvm = format!("--jvm={}", home.display());
        let said = bench.heddle(&["replay", &jvm, &found]);
        assert!(
            said.out.contains("Confirmed on "),
            "{}{}",
            said.out,
            said.err
        );
    }
}

/// What comes out depends on which thread is how far at every access.
const MIXER: &str = r#"public class Mixer {
    static final int[] cells = new int[8];
    static int shared = 1;
    static long trace;

    static void mix(int id) {
        for (int i = 0; i < 60; i++) {
            int k = (i * 5 + id) % 8;
            cells[k] = cells[k + 3 & 7] * 3 + shared % 7 + id;
            shared = shared + cells[k] - i / (1 + (k & 1));
            if ((shared & 3) == id) {
                trace = trace * 31 + shared
                        + cells[7 - k];
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> mix(1));
        Thread b = new Thread(() -> mix(2));
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(java.util.Arrays.toString(cells) + " " + shared + " " + trace);
    }
}
"#;

/// Switches before any bytecode, many of which share their calls: slices of a few bytecodes.
#[test]
fn switches_anywhere() {
    let bench = Bench::new("stock-anywhere");
    bench.compile(&[("Mixer.java", MIXER)], &[]);
    let mut outputs = std::collections::BTreeSet::new();
    for (round, slice) in ["1", "2", "3", "7", "13", "50"].into_iter().enumerate() {
        let words = [
            "check",
            "--strategy",
            "rr",
            "--max-schedules",
            "1",
            "--slice",
        ];
        let more = [slice, "--ignore", "race", "--record", "s.sched"];
        let last = ["--schedule-dir", "none", "-cp", "classes", "Mixer"];
        bench.heddle(&[&words[..], &more, &last].concat());
        let vm = bench.heddle(&["replay", "s.sched"]).out;
        let expected = vm.lines().next().unwrap_or_default();
        outputs.insert(expected.to_string());
        instrument(&bench);
        let table = bench.read("out/META-INF/heddle/places");
        let numbers = table.lines().filter_map(|l| l.strip_prefix("place "));
        let numbers = numbers.filter_map(|l| l.split(' ').next());
        let (places, calls) = (
            numbers.clone().count(),
            numbers.collect::<std::collections::BTreeSet<_>>(),
        );
        assert!(
            slice != "1" || 3 * calls.len() < 2 * places,
            "{places} places: {calls:?}"
        );
        let homes = jvms();
        let said = run(&bench, &homes[round % homes.len()], "Mixer");
        assert_eq!(said.out.trim_end(), expected, "slice {slice}: {}", said.err);
    }
    assert!(outputs.len() > 2, "it makes no difference: {outputs:?}");
}
