//! Programs that do something else than their schedule says, on JVMs: the library stops
//! there, says where and what it expected, and never hangs.

mod jvm;

use heddle_conformance::toolchain::jvms;
use jvm::{Bench, Said, java};
use std::path::Path;
use std::time::{Duration, Instant};

/// Two threads add what a file says to a sum.
const SUM: &str = r#"import java.nio.file.*;

public class Sum {
    static int sum;

    public static void main(String[] args) throws Exception {
        int n = Files.readAllLines(Paths.get("input.txt")).size();
        Thread a = new Thread(() -> add(n), "a");
        Thread b = new Thread(() -> add(n), "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert sum == 2 * n : "lost";
    }

    static void add(int n) {
        for (int i = 0; i < n; i++) {
            sum++;
        }
    }
}
"#;

/// Compiles the program and finds its lost update.
fn found(name: &str) -> (Bench, String) {
    let bench = Bench::new(name);
    bench.write("input.txt", "1\n2\n");
    bench.compile(&[("Sum.java", SUM)], &[]);
    let words = ["check", "--schedule-dir", ".", "--only", "assertion"];
    let words = [&words[..], &["-cp", "classes", "Sum"]].concat();
    let said = bench.heddle(&words);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    let file = bench.schedules().remove(0);
    (bench, file)
}

fn replay(bench: &Bench, home: &Path, file: &str, more: &[&str]) -> Said {
    let jvm = format!("--jvm={}", home.display());
    let mut words = vec!["replay", jvm.as_str()];
    words.extend(more);
    words.push(file);
    bench.heddle(&words)
}

/// Step, thread, place expected, place found, and reasons.
fn tells_divergence(said: &Said) {
    let err = &said.err;
    assert_eq!(said.code, Some(3), "{}{err}", said.out);
    for part in [
        "heddle: the program leaves the schedule",
        ": step ",
        "expected ",
        "bytecode ",
        "\n  but ",
        "likely reasons: other class files",
        "other input",
        "random numbers",
    ] {
        assert!(err.contains(part), "no `{part}` in: {err}");
    }
}

#[test]
fn other_input() {
    let (bench, file) = found("diverge-input");
    for home in jvms() {
        bench.write("input.txt", "1\n2\n");
        let same = replay(&bench, &home, &file, &[]);
        assert_eq!(same.code, Some(1), "{}{}", same.out, same.err);
        bench.write("input.txt", "");
        tells_divergence(&replay(&bench, &home, &file, &[]));
    }
}

#[test]
fn other_class_files() {
    let (bench, file) = found("diverge-classes");
    // The same places, but other code around them: first a sentence, then on demand a try.
    let changed = SUM.replace("sum++;", "sum = Math.max(sum, i);");
    bench.compile(&[("Sum.java", &changed)], &[]);
    for home in jvms() {
        let said = replay(&bench, &home, &file, &[]);
        assert_eq!(said.code, Some(3), "{}{}", said.out, said.err);
        let sentence = "the code of Sum.add(I)V has changed since the schedule was written";
        assert!(said.err.contains(sentence), "{}", said.err);
        let forced = replay(&bench, &home, &file, &["--force"]);
        assert!(
            matches!(forced.code, Some(2 | 3)),
            "{:?} {}",
            forced.code,
            forced.err
        );
    }
    // What the schedule does not mention may change.
    let elsewhere = SUM.replace("\"lost\"", "\"lost \" + sum");
    bench.compile(&[("Sum.java", &elsewhere)], &[]);
    let said = replay(&bench, &jvms()[0], &file, &[]);
    let fails = said.err.contains("has changed since");
    assert!(said.code == Some(1) || fails, "{}{}", said.out, said.err);
}

/// Where the schedule has a thread running that waits for something outside, or runs on and
/// on, or is blocked: all end, soon, with a dump.
#[test]
fn nothing_hangs() {
    let cases = [
        ("runs on and on", "while (System.nanoTime() != 0) { }"),
        ("runs on and on", "new java.net.ServerSocket(0).accept();"),
        ("is blocked", "synchronized (Hang.class) { }"),
    ];
    for (number, (told, body)) in cases.into_iter().enumerate() {
        let bench = Bench::new(&format!("diverge-hang-{number}"));
        let text = format!(
            r#"public class Hang {{
    public static void main(String[] args) throws Exception {{
        Thread t = new Thread(() -> {{
            try {{
                work();
            }} catch (Exception e) {{
                throw new RuntimeException(e);
            }}
            done();
        }}, "worker");
        synchronized (Hang.class) {{
            t.start();
            done();
        }}
        t.join();
    }}

    static void work() throws Exception {{
        {body}
    }}

    static void done() {{ }}
}}
"#
        );
        bench.compile(&[("Hang.java", &text)], &[]);
        // While main holds the monitor, the worker is to come to its end.
        bench.write(
            "s.sched",
            "before Hang done 0 1\nswitch 1\nbefore Hang done 0 1\nswitch 0\n",
        );
        let words = ["instrument", "--schedule", "s.sched"];
        let words = [&words[..], &["-cp", "classes", "-o", "out"]].concat();
        assert_eq!(bench.heddle(&words).code, Some(0));
        for home in jvms() {
            let start = Instant::now();
            let words = ["-Dheddle.patience=1", "-Dheddle.run.patience=2"];
            let words = [&words[..], &["-cp", "out", "Hang"]].concat();
            let said = bench.run(java(&home), &words);
            tells_divergence(&said);
            assert!(said.err.contains(told), "{body}: {}", said.err);
            // The dump: both threads with their stacks.
            for part in [
                "worker ",
                "at Hang.work(Hang.java:",
                "main ",
                "at Hang.main",
            ] {
                assert!(said.err.contains(part), "{body}: no `{part}`: {}", said.err);
            }
            assert!(start.elapsed() < Duration::from_secs(120), "{body}");
        }
    }
}
