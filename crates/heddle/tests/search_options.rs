//! Options of `heddle check` about how to search: what does not go together, what samples,
//! bounds and several workers say of a small program, and programs that are too large.

mod common;

use common::{HEDDLE, Place, text};
use std::process::Output;

/// A directory with one compiled program.
fn compiled(class: &str, source: &str) -> Place {
    let place = Place::new(&format!("search-{class}"));
    place.compile(class, source);
    place
}

fn check(place: &Place, args: &[&str], class: &str) -> Output {
    let mut all = vec!["check", "--schedule-dir", "none"];
    all.extend(args);
    all.extend(["-cp", "."]);
    all.extend(class.split(' '));
    place.run(HEDDLE, &all)
}

/// The value of a key of the report.
fn value(out: &Output, key: &str) -> String {
    let json = text(&out.stdout);
    let at = json.find(&format!("\"{key}\":"));
    let at = at.unwrap_or_else(|| panic!("{key}: {json} {}", text(&out.stderr)));
    let rest = json[at + key.len() + 3..].trim_start();
    let end = rest.find([',', '}', '\n']).unwrap_or(rest.len());
    rest[..end].trim_matches('"').to_string()
}

#[test]
fn what_does_not_go_together() {
    let place = Place::new("search");
    for (args, part) in [
        (
            &["--jobs", "0"][..],
            "--jobs takes a whole number of at least 1",
        ),
        (&["--jobs", "-2"], "--jobs takes a whole number"),
        (&["--jobs", "99999999999"], "--jobs takes a smaller number"),
        (
            &["--preemptions", "-1"],
            "--preemptions takes a whole number",
        ),
        (&["--delays", "some"], "--delays takes a whole number"),
        (
            &["--max-schedules", "-5"],
            "--max-schedules takes a whole number",
        ),
        (&["--max-time", "-5s"], "--max-time takes a time"),
        (&["--preemptions", "1", "--delays", "1"], "take one"),
        (&["--strategy", "pct", "--preemptions", "1"], "not pct"),
        (
            &["--strategy", "exitblock", "--delays", "1"],
            "not exitblock",
        ),
        (&["--strategy", "random", "--jobs", "2"], "not random"),
        (
            &["--jobs", "2", "--trace"],
            "--jobs does not go with --trace",
        ),
        (&["--jobs", "2", "--from", "A.b"], "--jobs does not go with"),
        (
            &["--jobs", "2", "--preemptions", "1"],
            "--jobs does not go with",
        ),
        (&["--pct-depth", "2"], "--pct-depth is for pct"),
        (&["--pct-depth", "0", "--strategy", "pct"], "at least 1"),
        (&["--budget", "3s"], "--budget is for auto"),
        (&["--strategy", "auto", "--save", "f"], "cannot be saved"),
        (&["--match-states", "--save", "f"], "cannot go on later"),
        (&["--strategy", "quantum"], "unknown strategy 'quantum'"),
    ] {
        let out = check(&place, args, "Nothing");
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(3), "{args:?}: {said}");
        assert!(said.contains(part), "{args:?}: {said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{args:?}: {said}");
        assert!(out.stdout.is_empty(), "{args:?}");
    }
}

const COUNT: &str = "
public class Count {
    static volatile int x;
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        for (int i = 0; i < n; i++) {
            new Thread(() -> { int y = x; x = y + 1; }).start();
        }
    }
}";

#[test]
fn workers_count_what_one_counts() {
    let place = compiled("Count", COUNT);
    for strategy in ["dpor", "dfs", "exitblock", "exitblock-rw"] {
        let n = if strategy == "dfs" { "2" } else { "3" };
        let class = format!("Count {n}");
        let report = |jobs: &str| {
            let args = ["--strategy", strategy, "--json", "-", "--jobs", jobs];
            let out = check(&place, &args, &class);
            let code = out.status.code();
            let keys = ["verdict", "schedules", "complete"];
            (code, keys.map(|key| value(&out, key)))
        };
        assert_eq!(report("1"), report("3"), "{strategy}");
    }
}

#[test]
fn samples_and_bounds_say_what_they_are() {
    let place = compiled("Sample", &COUNT.replace("Count", "Sample"));
    for (args, code, worth) in [
        (
            &["--strategy", "pct", "--max-schedules", "20"][..],
            2,
            "sampled",
        ),
        (
            &["--strategy", "pos", "--max-schedules", "20"],
            2,
            "sampled",
        ),
        (&["--strategy", "lru"], 2, "sampled"),
        (&["--preemptions", "1"], 2, "bounded"),
        (&["--delays", "1"], 2, "bounded"),
        (&["--preemptions", "9"], 0, "proved"),
        (&["--strategy", "auto"], 0, "proved"),
        (&["--max-schedules", "2"], 2, "bounded"),
    ] {
        let args = [args, &["--json", "-"]].concat();
        let out = check(&place, &args, "Sample 2");
        assert_eq!(value(&out, "worth"), worth, "{args:?}");
        assert_eq!(out.status.code(), Some(code), "{args:?}");
    }
    // What the time does not suffice for is sampled, and that is said.
    let args = ["--strategy", "auto", "--budget", "0.2s", "--max-time", "2s"];
    let out = check(&place, &args, "Sample 40");
    let said = text(&out.stdout);
    assert!(
        said.contains("explored by dpor until its time was up"),
        "{said}"
    );
    assert!(said.contains("then sampled by pct"), "{said}");
    assert_eq!(out.status.code(), Some(2), "{said}");
}

/// Too many threads, too long a run, too deep a call, too large an array: each search ends
/// at its bounds with what it has.
#[test]
fn too_large_for_a_search() {
    let place = compiled(
        "Large",
        "
public class Large {
    static volatile int x;
    static int deep(int n) { x = n; return n == 0 ? 0 : 1 + deep(n - 1); }
    public static void main(String[] args) throws Exception {
        int[] big = new int[1_000_000];
        Runnable body = switch (args[0]) {
            case \"threads\" -> () -> x++;
            case \"long\" -> () -> { while (true) x++; };
            case \"deep\" -> () -> { if (x == 0) deep(20_000); };
            default -> () -> { for (int i = 0; i < big.length; i++) big[i] = i; };
        };
        int n = args[0].equals(\"threads\") ? 2000 : 2;
        for (int i = 0; i < n; i++) new Thread(body).start();
    }
}",
    );
    for (what, strategy) in [
        ("threads", "dpor"),
        ("long", "dpor"),
        ("long", "pct"),
        ("deep", "dpor"),
        ("array", "dpor"),
    ] {
        let args = ["--strategy", strategy, "--max-time", "1s", "--heap", "512m"];
        let args = [&args[..], &["--ignore", "race", "--json", "-"]].concat();
        let out = check(&place, &args, &format!("Large {what}"));
        let code = out.status.code();
        let said = text(&out.stdout) + &text(&out.stderr);
        assert!(
            matches!(code, Some(1 | 2)),
            "{what} {strategy}: {code:?} {said}"
        );
        assert_eq!(value(&out, "complete"), "false", "{what} {strategy}");
    }
}

/// Many threads that write before one reads: the error is at the far end of a space that no
/// search goes through.
const FAR: &str = "
public class Far {
    static volatile int a, b;
    public static void main(String[] args) {
        for (int i = 0; i < 30; i++) {
            new Thread(() -> { a = 1; b = -1; }).start();
        }
        new Thread(() -> {
            int x = a, y = b;
            if (x == 0 && y == -1 || x == 1 && y == 0) throw new IllegalStateException();
        }).start();
    }
}";

#[test]
fn errors_far_off_are_found_by_a_look_around() {
    let place = compiled("Far", FAR);
    let began = std::time::Instant::now();
    let out = check(&place, &["--max-time", "60s", "--json", "-"], "Far");
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stdout));
    assert_eq!(value(&out, "complete"), "false");
    // The rest is the search's: it stops some time after the last error.
    assert!(began.elapsed().as_secs() < 50);
    assert!(text(&out.stdout).contains("samples were drawn"));
    // Who names a strategy gets that one.
    let named = ["--strategy", "dpor", "--max-time", "5s", "--json", "-"];
    let out = check(&place, &named, "Far");
    assert!(!text(&out.stdout).contains("samples were drawn"));
}

/// Endless paths are most of the tree, and the states are few.
#[test]
fn threads_that_back_off_are_explored_by_states() {
    let place = compiled(
        "BackOff",
        "import java.util.concurrent.locks.ReentrantLock;
         public class BackOff {
             static void both(ReentrantLock first, ReentrantLock second) {
                 while (true) {
                     first.lock();
                     if (second.tryLock()) { second.unlock(); first.unlock(); return; }
                     first.unlock();
                 }
             }
             public static void main(String[] args) {
                 ReentrantLock left = new ReentrantLock(), right = new ReentrantLock();
                 new Thread(() -> both(left, right)).start();
                 new Thread(() -> both(right, left)).start();
             }
         }",
    );
    let out = check(&place, &["--max-time", "60s"], "BackOff");
    let said = text(&out.stdout);
    assert!(said.contains("there are few states"), "{said}");
    assert_eq!(out.status.code(), Some(0), "{said}");
}

/// A notification that comes too early is an error, whoever explores and in whatever order that
/// is said, although a wake-up without a reason would help.
#[test]
fn no_wake_up_hides_that_all_wait() {
    let place = compiled(
        "TooEarly",
        "public class TooEarly {
             static final Object lock = new Object();
             public static void main(String[] args) throws Exception {
                 new Thread(() -> { synchronized (lock) { lock.notify(); } }).start();
                 synchronized (lock) { lock.wait(); }
             }
         }",
    );
    for strategy in [
        "dpor",
        "dfs",
        "exitblock",
        "exitblock-rw",
        "dfs-blocks",
        "auto",
    ] {
        for jobs in ["1", "2"] {
            for args in [
                ["--spurious", "--strategy", strategy, "--jobs", jobs],
                ["--strategy", strategy, "--jobs", jobs, "--spurious"],
            ] {
                let out = check(&place, &args, "TooEarly");
                let said = text(&out.stdout);
                assert!(said.contains("Condition deadlock"), "{args:?}: {said}");
                assert_eq!(out.status.code(), Some(1), "{args:?}: {said}");
            }
        }
    }
    let out = check(&place, &["--spurious", "--preemptions", "2"], "TooEarly");
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stdout));
}

#[test]
fn an_invariant_that_does_not_exist() {
    let source =
        "class Till { static boolean fits() { return true; } boolean own() { return true; }
        public static void main(String[] args) { } }";
    let place = compiled("Till", source);
    for (invariant, part) in [
        ("Tll.fits", "there is no class Tll on the class path"),
        ("Till.fit", "Till has no method static boolean fit()"),
        ("Till.own", "Till has no method static boolean own()"),
        ("fits", "--invariant takes Class.method"),
    ] {
        let out = check(&place, &["--invariant", invariant], "Till");
        assert_eq!(out.status.code(), Some(3), "{invariant}");
        assert!(text(&out.stderr).contains(part), "{}", text(&out.stderr));
    }
    let out = check(&place, &["--invariant", "Till.fits"], "Till");
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
}
