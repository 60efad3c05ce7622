//! What happened on the JVM, as the library wrote it down (`Verdict.java`), and whether it
//! is what the schedule was said to show.

use heddle_model::schedule::{AccessEntry, words};
use heddle_model::simple_name;

/// The end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Name and version of the JVM, such as `HotSpot 17.0.9`.
    pub jvm: String,
    /// The exit code; a signal leaves none.
    pub code: Option<i32>,
    pub uncaught: Vec<Uncaught>,
    /// No thread can go on. The line that said so, 0 if none did.
    pub stuck: Option<u32>,
    /// What was expected and what happened instead.
    pub diverged: Option<Divergence>,
    /// Why the schedule could not even be begun.
    pub unable: Option<String>,
    /// The whole schedule came true.
    pub done: bool,
    /// What the two accesses of a race read or wrote, the earlier one first; a call has no
    /// value.
    pub accesses: Vec<Option<String>>,
    /// What became of the invariant where the schedule ends: `true`, `false`, or what it threw.
    pub invariant: Option<String>,
    /// The threads as they were at the end, if there was something to tell about them.
    pub threads: Vec<Thread>,
}

/// An exception that nobody caught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncaught {
    pub thread: String,
    /// Of the exception, with dots.
    pub class: String,
    pub message: String,
    /// File and line of the innermost frame of the program.
    pub at: String,
    pub assertion: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    pub line: u32,
    pub found: String,
    pub expected: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    pub name: String,
    /// What it waits for, in words.
    pub state: String,
    /// File and line where the schedule left it, if it did.
    pub left_at: Option<String>,
    /// Who holds the lock that it wants.
    pub owner: Option<String>,
    pub holds: Vec<String>,
    /// Class, method, file and line; the innermost first.
    pub stack: Vec<[String; 3]>,
    /// Files and lines of the program's own frames.
    pub own: Vec<String>,
}

/// How the outcome compares with the finding of the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It happened again.
    Confirmed,
    /// The schedule was followed, and something else or nothing happened.
    Differs(String),
    /// It says nothing that a JVM could show.
    NothingToShow,
}

/// Whether a JVM can show a finding: its kind, its sentence, and the accesses of a race.
pub fn can_be_seen(kind: &str, message: &str, accesses: &[AccessEntry]) -> bool {
    match kind {
        "assertion" | "exception" | "exit-code" | "invariant" => true,
        // One that was only assumed after many steps may run for any time.
        "livelock" => message.contains("until something changes") || goes_round(message),
        "race" => !accesses.is_empty(),
        "lock-cycle" | "condition-deadlock" | "deadlock" => {
            !message.starts_with("Deadlock is possible")
        }
        _ => false,
    }
}

/// Whether the sentence of a livelock says that threads repeat the same steps.
fn goes_round(message: &str) -> bool {
    message.contains("comes back to a state that it was in")
}

impl Outcome {
    /// Reads the library's report. Lines that make no sense are skipped.
    pub fn parse(text: &str) -> Outcome {
        let mut outcome = Outcome::default();
        for line in text.lines() {
            if let Ok(line) = words::split(line) {
                outcome.record(&line.words);
            }
        }
        outcome
    }

    fn record(&mut self, words: &[String]) {
        let Some((key, values)) = words.split_first() else {
            return;
        };
        let value = |i: usize| values.get(i).cloned().unwrap_or_default();
        let number = |i: usize| value(i).parse().unwrap_or(0);
        match key.as_str() {
            "jvm" => self.jvm = format!("{} {}", vm_name(&value(0)), value(1)),
            "uncaught" => self.uncaught.push(Uncaught {
                thread: value(0),
                class: value(1),
                message: value(2),
                at: value(3),
                assertion: value(4) == "true",
            }),
            "stuck" => self.stuck = Some(number(0)),
            "diverged" => {
                self.diverged = Some(Divergence {
                    line: number(0),
                    found: value(1),
                    expected: value(2),
                });
            }
            "unable" => self.unable = Some(value(0)),
            "access" => self.accesses.push(values.first().cloned()),
            "invariant" => self.invariant = Some(value(0)),
            "done" => self.done = true,
            "thread" => self.threads.push(Thread {
                name: value(0),
                state: value(1),
                left_at: Some(value(2)).filter(|at| at != "-"),
                owner: Some(value(3)).filter(|owner| owner != "-"),
                ..Thread::default()
            }),
            "holds" => {
                if let Some(thread) = self.threads.last_mut() {
                    thread.holds.push(value(0));
                }
            }
            "frame" => {
                if let Some(thread) = self.threads.last_mut() {
                    if value(3) == "own" {
                        thread.own.push(value(2));
                    }
                    thread.stack.push([value(0), value(1), value(2)]);
                }
            }
            _ => {}
        }
    }

    /// Whether this is what the schedule shows: a kind of finding, its sentence, and the
    /// accesses of a race.
    pub fn compare(&self, kind: &str, message: &str, accesses: &[AccessEntry]) -> Comparison {
        match kind {
            _ if !can_be_seen(kind, message, accesses) => Comparison::NothingToShow,
            "race" => self.compare_accesses(accesses),
            "assertion" | "exception" => self.compare_exception(kind, message),
            "exit-code" => self.compare_code(message),
            "invariant" => self.compare_invariant(message),
            "livelock" => self.compare_livelock(message),
            _ => self.compare_deadlock(message),
        }
    }

    /// Both accesses, one after the other, and what they read or wrote.
    fn compare_accesses(&self, expected: &[AccessEntry]) -> Comparison {
        if self.accesses.len() != expected.len() {
            return Comparison::Differs("the two accesses did not come in that order".to_string());
        }
        for (expected, found) in expected.iter().zip(&self.accesses) {
            let (Some(value), found) = (&expected.value, found.as_deref().unwrap_or("nothing"))
            else {
                continue;
            };
            if !same_value(value, found) {
                let place = &expected.place;
                return Comparison::Differs(format!(
                    "the {} at {place} has {found}, not {value}",
                    expected.kind.name()
                ));
            }
        }
        Comparison::Confirmed
    }

    /// The same exception at the same line.
    fn compare_exception(&self, kind: &str, message: &str) -> Comparison {
        let (at, text) = place_and_text(message);
        let same = |u: &&Uncaught| {
            let class = match kind {
                "assertion" => u.assertion,
                _ => text.starts_with(u.class.as_str()),
            };
            class && u.at == at
        };
        if self.uncaught.iter().any(|u| same(&u)) {
            return Comparison::Confirmed;
        }
        Comparison::Differs(match self.uncaught.first() {
            None => "no exception was left uncaught".to_string(),
            Some(u) => format!("{} ended by {} at {}", u.thread, u.class, u.at),
        })
    }

    /// The JVM ended with the exit code that the sentence has.
    fn compare_code(&self, message: &str) -> Comparison {
        let Some(code) = self.code else {
            return Comparison::Differs("a signal ended the JVM".to_string());
        };
        let (_, told) = message.split_once(" with exit code ").unwrap_or_default();
        let told = told.split(|c: char| !c.is_ascii_digit() && c != '-').next();
        match told == Some(&code.to_string()) {
            true => Comparison::Confirmed,
            false => Comparison::Differs(format!("the exit code is {code}")),
        }
    }

    /// The invariant is false, or throws the same exception. Threads that run side by side
    /// have no state in common that could be looked at.
    fn compare_invariant(&self, message: &str) -> Comparison {
        match self.invariant.as_deref() {
            Some("true") => Comparison::Differs("the invariant holds".to_string()),
            Some("false") if message.contains(" no longer holds ") => Comparison::Confirmed,
            Some(thrown) if message.contains(&format!(" fails with {thrown}")) => {
                Comparison::Confirmed
            }
            Some(other) => Comparison::Differs(format!("the invariant gives {other}")),
            None => Comparison::NothingToShow,
        }
    }

    /// Nobody can go on, and the thread that the sentence names runs in the class it names, where
    /// a loop may go through several methods; or several have gone round and round in theirs.
    fn compare_livelock(&self, message: &str) -> Comparison {
        if self.stuck.is_none() {
            return Comparison::Differs("the threads could go on".to_string());
        }
        if let Some((names, _)) = message.split_once(" go").filter(|_| goes_round(message)) {
            let round = |t: &&Thread| {
                let mut own = t.stack.iter();
                own.any(|[class, method, _]| {
                    message.contains(&format!(" {}.{method} ", simple_name(class)))
                })
            };
            let named = self.threads.iter().filter(|t| names.contains(&t.name));
            return match named.clone().count() > 0 && named.clone().all(|t| round(&t)) {
                true => Comparison::Confirmed,
                false => Comparison::Differs("other threads went round, or elsewhere".to_string()),
            };
        }
        let runs = |t: &&Thread| {
            let there = |[class, ..]: &[String; 3]| {
                message.contains(&format!(" at {}.", simple_name(class)))
            };
            message.starts_with(&format!("Livelock: {} ", t.name))
                // Or sleeps between two looks.
                && matches!(t.state.as_str(), "runs" | "is TIMED_WAITING")
                && t.stack.iter().any(there)
        };
        match self.threads.iter().find(runs) {
            Some(_) => Comparison::Confirmed,
            None => Comparison::Differs("another thread runs, or elsewhere".to_string()),
        }
    }

    /// Nobody can go on, the threads that the sentence names among them, and who wants a
    /// lock wants it from the same thread.
    fn compare_deadlock(&self, message: &str) -> Comparison {
        if self.stuck.is_none() {
            return Comparison::Differs("the threads could go on".to_string());
        }
        let sentence = message.split_once(": ").map_or(message, |(_, rest)| rest);
        for clause in sentence.split("; ") {
            // The longest name that fits: `Thread-10`, not `Thread-1`.
            let named = (self.threads.iter()).filter(|t| {
                clause
                    .strip_prefix(&t.name)
                    .is_some_and(|r| r.starts_with([' ', ',']))
            });
            if clause.ends_with(" more are stuck") {
                continue;
            }
            let Some(thread) = named.max_by_key(|t| t.name.len()) else {
                return Comparison::Differs(format!("nobody is there of whom it says: {clause}"));
            };
            let Some((_, holder)) = clause.split_once(", held by ") else {
                continue;
            };
            // What a thread waits for that is at its end no JVM tells.
            if thread.owner.is_none() && thread.stack.is_empty() && thread.state == "is BLOCKED" {
                continue;
            }
            let owner = thread.owner.as_deref().unwrap_or("nobody");
            // More may be said about it: "held by main, which has ended".
            let rest = holder.strip_prefix(owner);
            if !rest.is_some_and(|r| r.is_empty() || r.starts_with([',', ' '])) {
                return Comparison::Differs(format!(
                    "{} waits for {owner}, not for {holder}",
                    thread.name
                ));
            }
        }
        Comparison::Confirmed
    }
}

/// `File.java:12` and what comes behind it, of a sentence such as "Assertion fails in main
/// at Bank.main (Bank.java:12): lost".
fn place_and_text(message: &str) -> (&str, &str) {
    for (open, _) in message.match_indices(" (") {
        let Some(close) = message[open..].find(')') else {
            break;
        };
        let inside = &message[open + 2..open + close];
        let line = inside.rsplit_once(':').map(|(_, line)| line);
        if line.is_some_and(|l| !l.is_empty() && l.bytes().all(|b| b.is_ascii_digit())) {
            let rest = &message[open + close + 1..];
            return (inside, rest.strip_prefix(": ").unwrap_or(rest));
        }
    }
    ("", "")
}

/// Whether the VM and a JVM mean the same value. Objects are told apart by their classes:
/// the numbers behind `@` are the VM's own.
fn same_value(expected: &str, found: &str) -> bool {
    let number = |text: &str| match text {
        // An array of bytes and one of booleans are read by the same bytecode.
        "true" => Some(1.0),
        "false" => Some(0.0),
        _ => text.parse::<f64>().ok(),
    };
    match (number(expected), number(found)) {
        (Some(one), Some(other)) => one == other || one.is_nan() && other.is_nan(),
        (None, None) => match expected.rsplit_once('@') {
            Some((class, _)) if !expected.starts_with('"') => {
                let class = class.split('$').next().unwrap_or(class);
                found.rsplit(['.', '$']).any(|part| part == class) || found.contains(class)
            }
            // The VM escapes what does not print.
            _ => expected == found || expected == escaped(found),
        },
        _ => false,
    }
}

/// A text or character in its quotes, with what does not print escaped.
fn escaped(quoted: &str) -> String {
    let inside = |quote: char| quoted.strip_prefix(quote)?.strip_suffix(quote);
    match (inside('"'), inside('\'').map(|c| c.chars().next())) {
        (Some(text), _) => format!("{text:?}"),
        (_, Some(Some(one))) => format!("{one:?}"),
        _ => quoted.to_string(),
    }
}

/// What people call a JVM.
fn vm_name(full: &str) -> &str {
    let hotspot = full.contains("HotSpot") || full.starts_with("OpenJDK");
    if hotspot {
        "HotSpot"
    } else if full.contains("OpenJ9") {
        "OpenJ9"
    } else {
        full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_are_compared_by_class_and_line() {
        let outcome = Outcome::parse(
            "jvm \"OpenJDK 64-Bit Server VM\" 17.0.9\n\
             uncaught main java.lang.AssertionError \"lost (1:2)\" A.java:7 true\n\
             uncaught \"Thread 1\" java.lang.ArithmeticException \"/ by zero\" B.java:8 false\n\
             done 3\n",
        );
        assert_eq!(outcome.jvm, "HotSpot 17.0.9");
        assert!(outcome.done);
        let compare = |kind, message| outcome.compare(kind, message, &[]);
        let confirmed = [
            (
                "assertion",
                "Assertion fails in main at A.main (A.java:7): lost (1:2)",
            ),
            (
                "exception",
                "Thread 1 ends by an exception at B.run (B.java:8): java.lang.ArithmeticException: / by zero",
            ),
        ];
        for (kind, message) in confirmed {
            assert_eq!(compare(kind, message), Comparison::Confirmed, "{message}");
        }
        let others = [
            (
                "assertion",
                "Assertion fails in main at A.main (A.java:9): lost",
            ),
            (
                "exception",
                "x ends by an exception at B.run (B.java:8): java.lang.IllegalStateException",
            ),
            ("deadlock", "Deadlock: a waits for the end of b"),
        ];
        for (kind, message) in others {
            assert!(
                matches!(compare(kind, message), Comparison::Differs(_)),
                "{message}"
            );
        }
    }

    #[test]
    fn a_deadlock_is_the_same_if_the_same_threads_want_the_same() {
        let report = |owner| {
            Outcome::parse(&format!(
                "stuck 12\nthread T-1 \"wants X\" D.java:5 {owner}\nholds Y\n\
                 frame D run D.java:5 own\nthread T-10 \"wants Y\" - T-1\n"
            ))
        };
        let message = "Deadlock: T-1 holds Y and wants X, held by T-10; T-10 holds X and wants Y, held by T-1";
        let same = |o: Outcome| o.compare("lock-cycle", message, &[]) == Comparison::Confirmed;
        assert!(same(report("T-10")));
        assert!(!same(report("T-3")));
        assert!(!same(Outcome::default()));
        let other = "Condition deadlock: main waits on A and nobody is left to wake it";
        assert!(report("T-10").compare("condition-deadlock", other, &[]) != Comparison::Confirmed);
    }

    #[test]
    fn a_crowd_is_summed_up_and_an_end_wants_what_no_jvm_tells() {
        let outcome = Outcome::parse(
            "stuck 12\nthread w-1 \"is in park\" - -\nthread t \"is BLOCKED\" - -\n",
        );
        let message = "Deadlock: t wants Thread@1, held by v, which waits; 91 more are stuck; \
                       w-1, w-2 and w-3 wait for work";
        assert_eq!(
            outcome.compare("deadlock", message, &[]),
            Comparison::Confirmed
        );
    }

    #[test]
    fn exit_codes_are_numbers() {
        let outcome = Outcome {
            code: Some(1),
            ..Outcome::default()
        };
        let message =
            |code: u32| format!("The program ends with exit code {code}, since main ends");
        let compare = |code| outcome.compare("exit-code", &message(code), &[]);
        assert_eq!(compare(1), Comparison::Confirmed);
        assert_ne!(compare(11), Comparison::Confirmed);
    }

    #[test]
    fn values_of_the_vm_and_of_a_jvm_are_the_same_if_a_program_could_not_tell() {
        let same = [
            ("1", "1"),
            ("true", "1"),
            ("0.1", "0.1"),
            ("100", "100.0"),
            ("Resource@1", "shop.Resource"),
            ("int[]@3", "int[]"),
            ("null", "null"),
            ("\"a@b\"", "\"a@b\""),
            ("'x'", "'x'"),
            ("'\\n'", "'\n'"),
            ("\"a\\tb\"", "\"a\tb\""),
        ];
        for (expected, found) in same {
            assert!(same_value(expected, found), "{expected} {found}");
        }
        let others = [
            ("1", "2"),
            ("true", "0"),
            ("null", "shop.Resource"),
            ("Resource@1", "null"),
            ("Resource@1", "shop.Cart"),
            ("\"a@b\"", "\"a@c\""),
            ("1", "null"),
        ];
        for (expected, found) in others {
            assert!(!same_value(expected, found), "{expected} {found}");
        }
    }
}
