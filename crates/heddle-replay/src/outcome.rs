//! What happened on the JVM, as the library wrote it down (`Verdict.java`), and whether it
//! is what the schedule was said to show.

use heddle_model::schedule::words;

/// The end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Name and version of the JVM, such as `HotSpot 17.0.9`.
    pub jvm: String,
    pub uncaught: Vec<Uncaught>,
    /// No thread can go on. The line that said so, 0 if none did.
    pub stuck: Option<u32>,
    /// What was expected and what happened instead.
    pub diverged: Option<Divergence>,
    /// Why the schedule could not even be begun.
    pub unable: Option<String>,
    /// The whole schedule came true.
    pub done: bool,
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

    /// Whether this is what the schedule shows: a kind of finding and its sentence.
    pub fn compare(&self, kind: &str, message: &str) -> Comparison {
        match kind {
            "assertion" | "exception" => self.compare_exception(kind, message),
            "lock-cycle" | "condition-deadlock" | "deadlock"
                if message.starts_with("Deadlock is possible") =>
            {
                Comparison::NothingToShow
            }
            "lock-cycle" | "condition-deadlock" | "deadlock" => self.compare_deadlock(message),
            _ => Comparison::NothingToShow,
        }
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
                    .is_some_and(|r| r.starts_with(' '))
            });
            let Some(thread) = named.max_by_key(|t| t.name.len()) else {
                return Comparison::Differs(format!("nobody is there of whom it says: {clause}"));
            };
            let Some((_, holder)) = clause.split_once(", held by ") else {
                continue;
            };
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
        let compare = |kind, message| outcome.compare(kind, message);
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
        let same = |o: Outcome| o.compare("lock-cycle", message) == Comparison::Confirmed;
        assert!(same(report("T-10")));
        assert!(!same(report("T-3")));
        assert!(!same(Outcome::default()));
        let other = "Condition deadlock: main waits on A and nobody is left to wake it";
        assert!(report("T-10").compare("condition-deadlock", other) != Comparison::Confirmed);
    }
}
