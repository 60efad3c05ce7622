//! `heddle check` from outside: searches that are killed and go on, sections, trust, bounds,
//! input, and what the exit code tells.

mod common;

use common::{HEDDLE, Place, assert_refusal, text};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A report in JSON.
struct Answer {
    code: Option<i32>,
    json: Value,
}

impl Answer {
    fn of(out: &Output) -> Answer {
        let json = serde_json::from_slice(&out.stdout).unwrap_or_else(|e| {
            panic!("{e}: {}{}", text(&out.stdout), text(&out.stderr));
        });
        Answer {
            code: out.status.code(),
            json,
        }
    }

    fn schedules(&self) -> u64 {
        self.json["schedules"].as_u64().expect("a number")
    }

    fn errors(&self) -> BTreeSet<(String, String)> {
        let errors = self.json["errors"].as_array().expect("a list");
        let string = |e: &Value, key: &str| e[key].as_str().expect(key).to_string();
        errors
            .iter()
            .map(|e| (string(e, "kind"), string(e, "message")))
            .collect()
    }

    fn list(&self, key: &str) -> String {
        self.json[key].to_string()
    }
}

fn check(place: &Place, args: &[&str]) -> Answer {
    let mut all = vec!["check", "--json", "-", "--schedule-dir", "none", "-cp", "."];
    all.extend(args);
    Answer::of(&place.run(HEDDLE, &all))
}

/// Threads that count; the sum is wrong in some schedules. Long enough to be killed.
const COUNTS: &str = r#"public class Counts {
    static int sum;
    static final Object lock = new Object();

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]), rounds = Integer.parseInt(args[1]);
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new Thread(() -> count(rounds));
            all[i].start();
        }
        for (Thread t : all) t.join();
        assert sum == threads * rounds : "lost";
    }

    static void count(int rounds) {
        for (int i = 0; i < rounds; i++) {
            int seen;
            synchronized (lock) { seen = sum; }
            synchronized (lock) { sum = seen + 1; }
        }
    }
}"#;

/// Kills a search with signal 9 once it has saved itself, and says whether it did.
fn killed(place: &Place, args: &[&str], file: &str) -> bool {
    let mut all = vec!["check", "--schedule-dir", "none", "--save-every", "0.02"];
    all.extend(args);
    let mut child = place.command(HEDDLE, &all);
    let mut child = child
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("heddle");
    let began = Instant::now();
    loop {
        let saved = fs::read_to_string(place.0.join(file)).unwrap_or_default();
        if saved.contains("\nfrontier ") {
            child.kill().expect("it can be killed");
            let status = child.wait().expect("it ends");
            return status.code().is_none();
        }
        if child.try_wait().expect("it can be asked").is_some() {
            return false;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "never saved");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn killed_searches_go_on() {
    let searches = [
        ("dpor", "4"),
        ("exitblock", "2"),
        ("exitblock-rw", "4"),
        ("dfs-blocks", "2"),
    ];
    let place = Place::new("killed");
    place.compile("Counts", COUNTS);
    for (strategy, rounds) in searches {
        let program = ["Counts", "2", rounds];
        let whole = check(&place, &[&["--strategy", strategy][..], &program].concat());
        assert_eq!(whole.json["complete"], true, "{strategy}");
        let file = format!("{strategy}.search");
        let mut kills = 0;
        let mut args = vec!["--strategy", strategy, "--save", &file, "-cp", "."];
        args.extend(program);
        while kills < 3 && killed(&place, &args, &file) {
            kills += 1;
            args[2] = "--resume";
        }
        assert!(kills > 0, "{strategy} was over before it could be killed");
        let mut args = vec!["--strategy", strategy, "--resume", &file];
        args.extend(program);
        let rest = check(&place, &args);
        assert_eq!(rest.errors(), whole.errors(), "{strategy}");
        assert_eq!(rest.schedules(), whole.schedules(), "{strategy}");
        assert_eq!(rest.json["complete"], true, "{strategy}");
        assert_eq!(rest.code, whole.code, "{strategy}");
        // It is over: all that is left is to say it again.
        let again = check(&place, &args);
        assert_eq!(again.errors(), whole.errors(), "{strategy}");
        assert_eq!(again.schedules(), whole.schedules(), "{strategy}");
    }
}

#[test]
fn samples_go_on_with_other_samples() {
    let place = Place::new("samples");
    place.compile("Counts", COUNTS);
    let search = |more: &[&str]| {
        let args = [
            &["--strategy", "random", "--seed", "7"][..],
            more,
            &["Counts", "3", "1"],
        ];
        check(&place, &args.concat())
    };
    let whole = search(&["--max-schedules", "400"]);
    search(&["--max-schedules", "150", "--save", "random.search"]);
    let rest = search(&["--max-schedules", "400", "--resume", "random.search"]);
    assert_eq!((rest.schedules(), whole.schedules()), (400, 400));
    assert_eq!(rest.errors(), whole.errors());
    // One schedule has no middle, but it can be asked for all the same.
    let rr = [
        "--strategy",
        "rr",
        "--save",
        "rr.search",
        "Counts",
        "2",
        "1",
    ];
    assert_eq!(check(&place, &rr).schedules(), 1);
    let rr = [
        "--strategy",
        "rr",
        "--resume",
        "rr.search",
        "Counts",
        "2",
        "1",
    ];
    assert_eq!(check(&place, &rr).schedules(), 1);
}

#[test]
fn an_interrupt_reports_and_saves() {
    let place = Place::new("interrupt");
    place.compile("Counts", COUNTS);
    let mut child = place.command(HEDDLE, &["check", "--json", "-", "--schedule-dir", "none"]);
    let child = child
        .args(["--strategy", "dfs", "--save", "s.search"])
        .args(["--only", "deadlock", "-cp", ".", "Counts", "8", "2"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("heddle");
    // It saves an empty search when it begins.
    while !place.0.join("s.search").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    // Not INT, which is ignored in whatever a shell runs in the background.
    let kill = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill runs").success());
    let answer = Answer::of(&child.wait_with_output().expect("heddle ends"));
    assert_eq!(answer.code, Some(2), "{}", answer.json);
    assert!(answer.list("bounds").contains("signal"));
    let saved = fs::read_to_string(place.0.join("s.search")).expect("it was saved");
    let counts = saved
        .lines()
        .find(|l| l.starts_with("counts"))
        .expect("counts");
    let counted: u64 = counts.split(' ').nth(1).expect("a number").parse().unwrap();
    assert_eq!(counted, answer.schedules());
}

#[test]
fn a_loop_that_never_stops_can_be_interrupted() {
    const EVER: &str =
        "public class Ever { public static void main(String[] args) { while (true) { } } }";
    let place = Place::new("ever");
    place.compile("Ever", EVER);
    // In the runs before the search, and in the search.
    for wait in [300, 5000] {
        let mut child = place.command(HEDDLE, &["check", "--json", "-", "--schedule-dir", "none"]);
        let child = child
            .args(["-cp", ".", "Ever"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("heddle");
        std::thread::sleep(Duration::from_millis(wait));
        let kill = Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status();
        assert!(kill.expect("kill runs").success());
        let asked = Instant::now();
        let answer = Answer::of(&child.wait_with_output().expect("heddle ends"));
        assert!(asked.elapsed() < Duration::from_secs(10), "{wait} ms");
        assert_eq!(answer.code, Some(2), "{}", answer.json);
        assert!(answer.list("bounds").contains("signal"));
    }
}

#[test]
fn loops_without_a_way_out_are_no_livelocks() {
    const LOOPS: &str = r#"public class Loops {
    public static void main(String[] args) {
        int n = 0;
        new Thread(() -> { }).start();
        if (args[0].equals("ever")) {
            while (true) { n++; }
        }
        while (n >= 0) { n = n + 1 & 7; }
    }
}"#;
    let place = Place::new("loops");
    place.compile("Loops", LOOPS);
    let ever = check(&place, &["--max-steps", "3000000", "Loops", "ever"]);
    assert_eq!(ever.code, Some(2), "{}", ever.json);
    assert!(ever.list("bounds").contains("--max-steps"));
    let lost = check(&place, &["--max-steps", "3000000", "Loops", "lost"]);
    assert_eq!(lost.code, Some(1), "{}", lost.json);
    assert!(lost.list("errors").contains("runs without end"));
}

#[test]
fn saved_searches_are_not_mixed_up() {
    let place = Place::new("mixed");
    place.compile("Counts", COUNTS);
    let search = |args: &[&str]| {
        let mut all = vec!["check", "--schedule-dir", "none", "-cp", "."];
        all.extend(args);
        place.run(HEDDLE, &all)
    };
    search(&[
        "--max-schedules",
        "2",
        "--save",
        "a.search",
        "Counts",
        "3",
        "1",
    ]);
    let other = search(&["--resume", "a.search", "Counts", "2", "1"]);
    assert_refusal(&other, "`Counts 3 1`, not `Counts 2 1`");
    let other = search(&[
        "--strategy",
        "dfs",
        "--resume",
        "a.search",
        "Counts",
        "3",
        "1",
    ]);
    assert_refusal(&other, "dfs");
    assert_refusal(
        &search(&["--resume", "none.search", "Counts", "3", "1"]),
        "none.search",
    );
    let file = place.0.join("a.search");
    let broken = fs::read_to_string(&file)
        .unwrap()
        .replace("counts ", "counts x");
    fs::write(&file, broken).unwrap();
    assert_refusal(
        &search(&["--resume", "a.search", "Counts", "3", "1"]),
        "a.search:",
    );
    let nowhere = search(&["--save", "no/such/dir/a", "Counts", "3", "1"]);
    assert_refusal(&nowhere, "no/such/dir/a");
}

#[test]
fn every_bound_is_named() {
    let place = Place::new("bounds");
    place.compile("Counts", COUNTS);
    let only = ["--only", "deadlock", "Counts", "3", "1"];
    let small = [
        ("--max-schedules", "3"),
        ("--max-depth", "9"),
        ("--max-memory", "1m"),
    ];
    for (bound, most) in small {
        let cut = check(&place, &[&[bound, most][..], &only].concat());
        assert!(cut.list("bounds").contains(bound), "{}", cut.json);
        assert_eq!(cut.json["complete"], false);
        assert_eq!(cut.code, Some(2));
    }
    let timed = check(
        &place,
        &[
            "--strategy",
            "dfs",
            "--max-time",
            "0.2s",
            "--only",
            "deadlock",
            "Counts",
            "9",
            "2",
        ],
    );
    assert!(timed.list("bounds").contains("--max-time"));
    assert_eq!(timed.code, Some(2));
}

/// The time ends most samples where nobody has a choice yet: before the first thread is started.
#[test]
fn time_that_ends_in_the_middle_of_a_run_loses_no_error() {
    let place = Place::new("middle");
    place.compile(
        "Late",
        r#"public class Late {
            static int x;
            public static void main(String[] args) throws Exception {
                long sum = 0;
                for (int i = 0; i < 3_000_000; i++) sum += i * 7L;
                Thread[] both = { new Thread(() -> x++), new Thread(() -> x++) };
                for (Thread t : both) t.start();
                for (Thread t : both) t.join();
            }
        }"#,
    );
    let args = ["--strategy", "random", "--max-schedules", "1000000"];
    let cut = check(
        &place,
        &[&args[..], &["--max-time", "700ms", "Late"]].concat(),
    );
    assert!(cut.list("bounds").contains("--max-time"), "{}", cut.json);
    let kinds: BTreeSet<String> = cut.errors().into_iter().map(|e| e.0).collect();
    assert_eq!(kinds, BTreeSet::from(["race".to_string()]));
    assert_eq!(cut.code, Some(1));
}

/// Only what happens in the section is explored, and only there errors are found.
#[test]
fn sections_and_trust() {
    let place = Place::new("sections");
    place.compile(
        "Parts",
        r#"public class Parts {
            static int early, late;

            public static void main(String[] a) throws Exception {
                both(() -> {
                    int e;
                    synchronized (Parts.class) { e = early; }
                    synchronized (Parts.class) { early = e + 1; }
                });
                assert early == 2 : "early";
                second();
                third();
            }

            static void second() throws Exception {
                both(() -> {
                    int l;
                    synchronized (Parts.class) { l = late; }
                    synchronized (Parts.class) { late = l + 1; }
                });
                assert late == 2 : "late";
            }

            static void third() throws Exception {
                both(Parts::bump);
            }

            static void bump() { early++; late--; }

            static void both(Runnable r) throws Exception {
                Thread t = new Thread(r), u = new Thread(r);
                t.start(); u.start();
                t.join(); u.join();
            }
        }"#,
    );
    let found = |args: &[&str]| {
        let args = [&["--only", "assertion"][..], args, &["Parts"]].concat();
        let answer = check(&place, &args);
        let messages = answer.errors().into_iter().map(|(_, m)| m);
        let messages: Vec<String> = messages.collect();
        (answer, messages.join(" "))
    };
    let (whole, all) = found(&[]);
    assert!(all.contains("early") && all.contains("late"), "{all}");
    let (late, only) = found(&["--from", "Parts.second"]);
    assert!(!only.contains("early") && only.contains("late"), "{only}");
    assert!(late.schedules() < whole.schedules());
    for strategy in ["dpor", "dfs", "exitblock"] {
        let (early, only) = found(&["--strategy", strategy, "--until", "Parts.second"]);
        assert!(
            only.contains("early") && !only.contains("late"),
            "{strategy}: {only}"
        );
        let section = [
            "--strategy",
            strategy,
            "--from",
            "Parts.second",
            "--until",
            "Parts.third",
        ];
        let (both, only) = found(&section);
        assert!(
            !only.contains("early") && only.contains("late"),
            "{strategy}: {only}"
        );
        assert_eq!(both.schedules(), early.schedules(), "{strategy}");
        assert!(both.list("assumptions").contains("Parts.third"));
    }
    let (none, _) = found(&["--from", "Parts.nowhere"]);
    assert_eq!(none.code, Some(3), "{}", none.json);
    assert!(none.list("notes").contains("Parts.nowhere"));

    // A method, its class, or neither.
    let third = |args: &[&str]| {
        let args = [
            &["--from", "Parts.third", "--only", "deadlock"][..],
            args,
            &["Parts"],
        ];
        let answer = check(&place, &args.concat());
        assert_eq!(answer.json["complete"], true, "{}", answer.json);
        answer.schedules()
    };
    let (open, method) = (third(&[]), third(&["--trust", "Parts.bump"]));
    assert!(method < open, "{method} of {open}");
    assert_eq!(
        method,
        third(&["--trust", "Parts", "--distrust", "Parts.third,Parts.both"])
    );
    assert_eq!(open, third(&["--trust", "Parts", "--distrust", "Parts"]));
}

/// A method of trusted code that is explored all the same: its schedules replay.
#[test]
fn schedules_through_a_distrusted_method() {
    let place = Place::new("distrusted");
    place.compile(
        "Apart",
        r#"public class Apart {
            static final java.util.ArrayList<String> list = new java.util.ArrayList<>(4);

            public static void main(String[] a) throws Exception {
                Runnable adds = a.length > 0 ? Bumps::bump : () -> list.add("x");
                list.add("first");
                Thread t = new Thread(adds), u = new Thread(adds);
                t.start(); u.start();
                t.join(); u.join();
                int added = a.length > 0 ? Bumps.count : list.size() - 1;
                assert added == 2 : "added " + added;
            }
        }

        class Bumps {
            static int count;

            static void bump() {
                int c = count;
                count = c + 1;
            }
        }"#,
    );
    let library = &["--distrust", "java.util.ArrayList.add"][..];
    let own = &["--trust", "Bumps", "--distrust", "Bumps.bump"][..];
    for (options, args) in [(library, &["Apart"][..]), (own, &["Apart", "bumps"])] {
        let options = [&["check", "--only", "assertion"][..], options, args].concat();
        let found = place.run(HEDDLE, &options);
        assert_eq!(found.status.code(), Some(1), "{}", text(&found.stdout));
        let file = "heddle-schedules/Apart-assertion-1.sched";
        let again = place.heddle(&["replay", file]);
        assert_eq!(again.status.code(), Some(1), "{}", text(&again.stderr));
        assert!(text(&again.stdout).contains("added 1"));
        let on_jvm = place.heddle(&["replay", "--jvm", file]);
        match options.contains(&"--trust") {
            true => assert!(text(&on_jvm.stdout).contains("Confirmed on"), "{on_jvm:?}"),
            false => assert!(
                text(&on_jvm.stderr).contains("in the code of its library (java.util.ArrayList)"),
                "{on_jvm:?}"
            ),
        }
    }
}

/// What one path needs and Heddle lacks does not hide what is wrong on another.
#[test]
fn errors_beside_what_is_missing() {
    let place = Place::new("missing");
    place.compile(
        "Missing",
        r#"public class Missing {
            static volatile int x;

            public static void main(String[] a) throws Exception {
                Thread t = new Thread(() -> x = 1);
                t.start();
                int seen = x;
                if (seen == 1) new ProcessBuilder("true").start();
                else if (a.length > 0) throw new IllegalStateException("too early");
            }
        }"#,
    );
    let both = check(&place, &["Missing", "throw"]);
    assert_eq!(both.code, Some(4), "{}", both.json);
    assert_eq!(both.json["verdict"], "error");
    assert_eq!(both.errors().len(), 1, "{}", both.json);
    let stack = &both.json["unsupported"][0]["stack"];
    assert!(stack.to_string().contains("Missing.java"), "{stack}");
    let one = check(&place, &["Missing"]);
    assert_eq!((one.code, one.errors().len()), (Some(3), 0), "{}", one.json);
    assert_eq!(one.json["verdict"], "unsupported");
}

/// Every path reads the same, and nothing is written outside.
#[test]
fn input_is_the_same_on_every_path() {
    let place = Place::new("input");
    place.compile(
        "Reads",
        r#"import java.io.*;
        import java.nio.file.*;
        public class Reads {
            static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
            static final StringBuffer lines = new StringBuffer();

            public static void main(String[] a) throws Exception {
                String first = in.readLine();
                Runnable reader = () -> {
                    try {
                        synchronized (in) { lines.append(in.readLine()); }
                        Files.write(Path.of("out.txt"), new byte[] {1}, StandardOpenOption.APPEND);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                };
                Thread t = new Thread(reader), u = new Thread(reader);
                t.start(); u.start();
                t.join(); u.join();
                assert first.equals("one") : first;
                assert lines.toString().equals("twothree") : lines;
                assert in.readLine() == null;
                assert Files.size(Path.of("out.txt")) == 5 : Files.size(Path.of("out.txt"));
            }
        }"#,
    );
    place.write("out.txt", "abc");
    let mut child = place.command(HEDDLE, &["check", "--json", "-", "-cp", ".", "Reads"]);
    let mut child = child
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("heddle");
    let mut stdin = child.stdin.take().expect("standard input");
    stdin.write_all(b"one\ntwo\nthree\n").expect("it reads");
    drop(stdin);
    let answer = Answer::of(&child.wait_with_output().expect("heddle ends"));
    assert_eq!(answer.code, Some(0), "{}", answer.json);
    assert!(answer.schedules() > 1, "{}", answer.schedules());
    assert_eq!(fs::read(place.0.join("out.txt")).unwrap(), b"abc");
}

/// A lost exception is a warning: told, and no error.
#[test]
fn lost_exceptions_are_warnings() {
    let place = Place::new("lost");
    place.compile(
        "Lost",
        r#"import java.util.concurrent.*;
        public class Lost {
            public static void main(String[] a) throws Exception {
                ExecutorService pool = Executors.newSingleThreadExecutor();
                Future<?> f = pool.submit(() -> { throw new IllegalStateException("lost"); });
                if (a.length > 0) {
                    try { f.get(); } catch (ExecutionException e) { }
                }
                pool.shutdown();
            }
        }"#,
    );
    let lost = check(&place, &["Lost"]);
    assert_eq!(
        (lost.code, lost.errors().len()),
        (Some(0), 0),
        "{}",
        lost.json
    );
    assert_eq!(lost.json["warnings"][0]["kind"], "swallowed-exception");
    let asked = check(&place, &["Lost", "ask"]);
    assert_eq!(asked.list("warnings"), "[]");
}

/// The schedule of a warning ends with a worker that goes on from the middle of what the library
/// does, to the end of the program.
#[test]
fn warnings_replay() {
    let place = Place::new("replayed-warnings");
    place.compile(
        "Any",
        r#"import java.util.*;
        import java.util.concurrent.*;
        public class Any {
            public static void main(String[] a) throws Exception {
                ExecutorService pool = Executors.newFixedThreadPool(2);
                List<Callable<Integer>> tasks = new ArrayList<>();
                tasks.add(() -> { throw new IllegalStateException("one"); });
                tasks.add(() -> 2);
                pool.invokeAny(tasks);
                pool.shutdown();
            }
        }"#,
    );
    for strategy in ["dpor", "dfs", "exitblock-rw", "random"] {
        let args = ["check", "--strategy", strategy];
        let args = [&args[..], &["--json", "-", "-cp", ".", "Any"]].concat();
        let answer = Answer::of(&place.run(HEDDLE, &args));
        let warning = &answer.json["warnings"][0];
        let file = warning["schedule_file"].as_str().expect("a schedule");
        let again = place.run(HEDDLE, &["replay", "--json", "-", file]);
        let again = Answer::of(&again);
        assert_eq!(again.code, Some(0), "{strategy}: {}", again.json);
        assert_eq!(again.json["warnings"][0]["message"], warning["message"]);
    }
}

/// The time counts from the beginning, also where a program runs for long before it has threads.
#[test]
fn a_long_beginning_takes_no_longer_than_it_may() {
    let place = Place::new("beginning");
    place.compile(
        "Slow",
        r#"public class Slow {
            static volatile long x;
            public static void main(String[] a) {
                for (long i = 0; i < 1_000_000_000_000L; i++) { x += i; }
                new Thread(() -> x++).start();
            }
        }"#,
    );
    let begin = Instant::now();
    let answer = check(&place, &["--max-time", "1s", "Slow"]);
    assert_eq!(answer.code, Some(2), "{}", answer.json);
    let taken = begin.elapsed();
    assert!(taken < Duration::from_secs(10), "{taken:?}");
}

/// Threads that use an array through variable handles; one of them throws if it comes last.
const CELLS: &str = r#"import java.util.concurrent.atomic.AtomicIntegerArray;

public class Cells {
    public static void main(String[] args) {
        AtomicIntegerArray cells = new AtomicIntegerArray(2);
        new Thread(() -> cells.set(0, 1), "sets").start();
        new Thread(() -> {
            if (cells.compareAndSet(0, 1, 2)) throw new IllegalStateException("late");
        }, "compares").start();
    }
}"#;

/// What the library does at the first use of a variable handle, or to report an exception,
/// is done before the program begins: no path shows it, and none does it anew.
#[test]
fn what_the_library_does_once_is_on_no_path() {
    let place = Place::new("once");
    place.compile("Cells", CELLS);
    let args = [
        "check",
        "--trace",
        "--schedule-dir",
        "none",
        "-cp",
        ".",
        "Cells",
    ];
    let out = place.run(HEDDLE, &args);
    let told = text(&out.stdout) + &text(&out.stderr);
    assert!(told.contains("int[]@1[0]"), "{told}");
    for inside in ["MethodType", "MemberName", "LambdaForm", "HashedModules"] {
        assert!(!told.contains(inside), "{inside}: {told}");
    }
    // An order in which nothing is thrown, and one in which the stack is printed.
    let answer = check(&place, &["Cells"]);
    assert_eq!((answer.code, answer.schedules()), (Some(1), 2));
    let bytecodes = |args: &[&str]| {
        check(&place, args).json["bytecodes"]
            .as_u64()
            .expect("a number")
    };
    let all = bytecodes(&["--max-schedules", "2", "Cells"]);
    let first = bytecodes(&["--max-schedules", "1", "Cells"]);
    assert!(all - first < 20_000, "{first} and then {}", all - first);
}

/// Daemons that take explicit locks in opposite orders; the program ends all the same.
const DAEMONS: &str = r#"import java.util.concurrent.locks.ReentrantLock;

public class Daemons {
    static final ReentrantLock left = new ReentrantLock(), right = new ReentrantLock();
    static volatile int work;

    public static void main(String[] args) throws Exception {
        start(left, right);
        start(right, left);
        Thread.sleep(100);
        work++;
    }

    static void start(ReentrantLock first, ReentrantLock second) {
        Thread thread = new Thread(() -> {
            first.lock();
            second.lock();
            second.unlock();
            first.unlock();
        });
        thread.setDaemon(true);
        thread.start();
    }
}"#;

#[test]
fn deadlocks_are_seen_though_others_go_on() {
    let place = Place::new("daemons");
    place.compile("Daemons", DAEMONS);
    for mutexes in ["plain", "lazy"] {
        let args = ["--strategy", "dpor", "--mutexes", mutexes, "Daemons"];
        let answer = check(&place, &args);
        let kinds: Vec<String> = answer.errors().into_iter().map(|e| e.0).collect();
        assert_eq!(kinds, ["lock-cycle"]);
    }
}

/// How many processors there are is a question of the program's that the host must not answer:
/// two, or as many as the user says. Who does not ask is told nothing.
#[test]
fn processors_are_not_those_of_the_host() {
    let place = Place::new("processors");
    place.compile(
        "Workers",
        r#"public class Workers {
            public static void main(String[] args) throws Exception {
                int workers = args.length == 0 ? 2 : Runtime.getRuntime().availableProcessors();
                for (int i = 0; i < workers; i++) {
                    new Thread(() -> {}).start();
                }
                assert workers == 2 : workers;
            }
        }"#,
    );
    let one = check(&place, &["Workers"]);
    assert_eq!(one.code, Some(0), "{}", one.json);
    assert!(!one.list("assumptions").contains("processors"));
    let two = check(&place, &["Workers", "ask"]);
    assert_eq!(two.code, Some(0), "{}", two.json);
    assert!(two.list("assumptions").contains("2 processors"));
    let three = check(&place, &["-XX:ActiveProcessorCount=3", "Workers", "ask"]);
    assert_eq!(three.code, Some(1), "{}", three.json);
    assert!(three.list("assumptions").contains("3 processors"));
}
