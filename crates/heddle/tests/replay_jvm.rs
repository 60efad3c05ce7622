//! `heddle replay --jvm`, as a process: races by method references, states of threads, who is
//! interrupted and notified, and what becomes of the JVM when Heddle is ended.

mod jvm;

use heddle_conformance::toolchain::jvms;
use jvm::{Bench, HEDDLE};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Accesses that no bytecode of the program makes: the library calls what is referred to.
const REFERENCES: &str = r#"import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

public class References {
    interface Tasks {
        /** Made in an interface, and of its own type. */
        static Runnable task(List<Integer> list) {
            return list::clear;
        }
    }

    public static void main(String[] args) throws Exception {
        List<Integer> list = new ArrayList<>(List.of(1, 2));
        ExecutorService pool = Executors.newFixedThreadPool(2);
        switch (args[0]) {
            case "thread":
                new Thread(list::size).start();
                new Thread(list::clear).start();
                break;
            case "interface":
                new Thread(Tasks.task(list)).start();
                new Thread(Tasks.task(list)).start();
                break;
            case "pool":
                pool.submit(list::size);
                pool.submit(list::clear);
                break;
            case "future":
                CompletableFuture.supplyAsync(() -> 3, pool).thenAccept(list::add);
                CompletableFuture.supplyAsync(() -> 4, pool).thenAccept(list::add);
                break;
            case "arguments": {
                // The receiver is an argument, and so are a long and what is boxed.
                BiFunction<List<Integer>, Integer, Integer> take = List::get;
                BiConsumer<List<Integer>, Integer> add = List::add;
                new Thread(() -> take.apply(list, 0)).start();
                new Thread(() -> add.accept(list, 5)).start();
                break;
            }
            case "made": {
                Function<Collection<Integer>, List<Integer>> copy = ArrayList::new;
                new Thread(() -> copy.apply(list)).start();
                new Thread(list::clear).start();
                break;
            }
        }
        pool.shutdown();
    }
}
"#;

#[test]
fn races_by_method_references_are_confirmed() {
    for kind in ["thread", "interface", "pool", "future", "arguments", "made"] {
        let bench = Bench::new(&format!("replay-references-{kind}"));
        bench.compile(&[("References.java", REFERENCES)], &[]);
        let words = ["check", "--only", "race", "--schedule-dir", "."];
        let said = bench.heddle(&[&words[..], &["-cp", "classes", "References", kind]].concat());
        assert_eq!(said.code, Some(1), "{kind}: {}{}", said.out, said.err);
        is_confirmed(&bench, &bench.schedules().remove(0));
    }
}

/// On every JVM of the machine, twice.
fn is_confirmed(bench: &Bench, schedule: &str) {
    for home in jvms() {
        let jvm = format!("--jvm={}", home.display());
        let said = bench.heddle(&["replay", schedule, &jvm, "--runs=2"]);
        let confirmed = said.out.lines().any(|l| l.starts_with("Confirmed on "));
        assert!(
            confirmed,
            "{schedule} on {home:?}: {}{}",
            said.out, said.err
        );
    }
}

/// Each way looks at the state of a thread, and fails for the one that it names.
const STATES: &str = r#"public class States {
    static final Object LOCK = new Object();

    synchronized void empty() {}

    synchronized double add(int a, long b, String c, double d) {
        return a + b + c.length() + d;
    }

    static synchronized void nothing() {}

    public static void main(String[] args) throws Exception {
        States held = new States();
        Thread third = new Thread(() -> { synchronized (LOCK) { Thread.yield(); } });
        Thread.State seen;
        Thread t;
        switch (args[0]) {
            case "BLOCKED":
                t = new Thread(() -> { synchronized (LOCK) { } });
                synchronized (LOCK) {
                    t.start();
                    seen = t.getState();
                }
                break;
            case "RUNNABLE":
                // Nobody holds what it is about to take, or it has not come there yet.
                t = new Thread(() -> { synchronized (LOCK) { } });
                t.start();
                seen = t.getState();
                break;
            case "BLOCKED by another":
                t = new Thread(() -> { synchronized (LOCK) { } });
                third.start();
                t.start();
                seen = t.getState();
                break;
            case "BLOCKED in a method":
                t = new Thread(() -> held.empty());
                synchronized (held) {
                    t.start();
                    seen = t.getState();
                }
                break;
            case "BLOCKED in a method with arguments":
                t = new Thread(() -> held.add(1, 2L, "three", 4.0));
                synchronized (held) {
                    t.start();
                    seen = t.getState();
                }
                break;
            case "BLOCKED in a static method":
                t = new Thread(() -> nothing());
                synchronized (States.class) {
                    t.start();
                    seen = t.getState();
                }
                break;
            case "BLOCKED after it was woken":
                t = new Thread(() -> await(0));
                t.start();
                synchronized (LOCK) {
                    LOCK.notify();
                    seen = t.getState();
                }
                synchronized (LOCK) {
                    LOCK.notify();
                }
                break;
            case "WAITING":
                t = new Thread(() -> await(0));
                t.start();
                seen = t.getState();
                synchronized (LOCK) {
                    LOCK.notify();
                }
                break;
            case "TIMED_WAITING":
                t = new Thread(() -> await(1000));
                t.start();
                seen = t.getState();
                break;
            default:
                t = new Thread(() -> { });
                t.start();
                seen = t.getState();
                break;
        }
        String expected = args[0].split(" ")[0];
        if (seen.toString().equals(expected)) {
            throw new IllegalStateException(expected);
        }
    }

    static void await(long millis) {
        synchronized (LOCK) {
            try {
                LOCK.wait(millis);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
"#;

/// What `Thread.getState` answers depends on the schedule alone, in the VM and on JVMs.
#[test]
fn states_of_threads_are_those_of_the_schedule() {
    let bench = Bench::new("replay-states");
    bench.compile(&[("States.java", STATES)], &[]);
    for state in [
        "BLOCKED",
        "RUNNABLE",
        "BLOCKED by another",
        "BLOCKED in a method",
        "BLOCKED in a method with arguments",
        "BLOCKED in a static method",
        "BLOCKED after it was woken",
        "WAITING",
        "TIMED_WAITING",
        "TERMINATED",
    ] {
        let folder = state.replace(' ', "-");
        // All orders of locks, not only those of what they guard.
        let words = ["check", "--strategy", "dfs", "--only", "exception"];
        let rest = ["--schedule-dir", &folder, "-cp", "classes", "States", state];
        let said = bench.heddle(&[&words[..], &rest].concat());
        assert_eq!(said.code, Some(1), "{state}: {}{}", said.out, said.err);
        let schedule = format!("{folder}/States-exception-1.sched");
        let said = bench.heddle(&["replay", &schedule]);
        assert_eq!(said.code, Some(1), "{state}: {}{}", said.out, said.err);
        is_confirmed(&bench, &schedule);
    }
}

/// Waiters that are interrupted and then notified, alone or in company: what becomes of them is
/// named by the exception.
const LEAVING: &str = r#"public class Leaving {
    static final Object LOCK = new Object();
    static volatile String first, second;

    static String await() {
        synchronized (LOCK) {
            try {
                LOCK.wait(1000);
                return Thread.currentThread().isInterrupted() ? "both" : "notified";
            } catch (InterruptedException e) {
                return "interrupted";
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread one = new Thread(() -> first = await(), "one");
        Thread two = new Thread(() -> second = await(), "two");
        one.start();
        two.start();
        one.interrupt();
        if (args[0].startsWith("two")) {
            two.interrupt();
        }
        synchronized (LOCK) {
            if (args[0].endsWith("all")) {
                LOCK.notifyAll();
            } else {
                LOCK.notify();
            }
        }
        one.join();
        two.join();
        if (first.equals("both") && second.equals("both")) throw new Exception("both, both");
        if (first.equals("both")) throw new Exception("both");
        if (second.equals("both")) throw new Exception("second both");
    }
}
"#;

/// A notification may reach a thread that was interrupted and is not back yet, in the VM and on
/// JVMs.
#[test]
fn who_is_interrupted_may_still_be_notified() {
    let bench = Bench::new("replay-leaving");
    bench.compile(&[("Leaving.java", LEAVING)], &[]);
    for (way, found) in [("one", 1), ("one-all", 1), ("two", 2), ("two-all", 3)] {
        let words = ["check", "--only", "exception", "--schedule-dir", way];
        let said = bench.heddle(&[&words[..], &["-cp", "classes", "Leaving", way]].concat());
        assert_eq!(said.code, Some(1), "{way}: {}{}", said.out, said.err);
        for number in 1..=found {
            let schedule = format!("{way}/Leaving-exception-{number}.sched");
            let said = bench.heddle(&["replay", &schedule]);
            assert_eq!(said.code, Some(1), "{schedule}: {}{}", said.out, said.err);
            is_confirmed(&bench, &schedule);
        }
    }
}

/// Tells which process it is, and stays.
const STAYS: &str = r#"public class Stays {
    public static void main(String[] args) throws Exception {
        System.out.println(ProcessHandle.current().pid());
        Thread.sleep(1000000000);
    }
}
"#;

#[test]
fn no_jvm_outlives_its_replay() {
    let bench = Bench::new("replay-killed");
    bench.compile(&[("Stays.java", STAYS)], &[]);
    bench.write(
        "s.sched",
        "heddle-schedule 1\nmain Stays\noptions -cp classes\n\nlog 2 begin\n",
    );
    for home in jvms() {
        for (signal, code) in [("TERM", Some(143)), ("INT", Some(130)), ("KILL", None)] {
            let scratch = bench.0.join(format!("tmp-{signal}"));
            let _ = std::fs::remove_dir_all(&scratch);
            std::fs::create_dir_all(&scratch).expect("a folder");
            let jvm = format!("--jvm={}", home.display());
            let mut command = bench.command(HEDDLE, &["replay", "s.sched", &jvm]);
            command.env("TMPDIR", &scratch);
            command.stdout(Stdio::piped()).stderr(Stdio::null());
            let mut heddle = command.spawn().expect("heddle");
            let mut line = String::new();
            let out = heddle.stdout.take().expect("a pipe");
            let _ = BufReader::new(out).read_line(&mut line);
            let process = Path::new("/proc").join(line.trim());
            assert!(!line.trim().is_empty() && process.exists(), "{line:?}");
            let number = heddle.id().to_string();
            let kill = ["-s", signal, number.as_str()];
            assert_eq!(bench.run("/bin/kill", &kill).code, Some(0));
            let status = heddle.wait().expect("it was started");
            assert_eq!(status.code(), code, "{signal} on {home:?}");
            let start = Instant::now();
            while process.exists() {
                let waited = start.elapsed();
                assert!(
                    waited < Duration::from_secs(60),
                    "{signal}: {home:?} runs on"
                );
                std::thread::sleep(Duration::from_millis(50));
            }
            let left = std::fs::read_dir(&scratch).expect("the folder").count();
            assert!(left == 0 || signal == "KILL", "{signal}: {left} files left");
        }
    }
}
