//! Reports as they come out, beside what they are expected to be. Set `HEDDLE_BLESS=1`
//! to accept what comes out now; read the difference before you commit it.

use heddle_model::report::{
    Act, Deed, Error, Missing, Report, Scope, StackFrame, ThreadStory, Verdict, Worth,
};
use heddle_model::{FindingKind, Frame};
use heddle_report::json::json;
use heddle_report::source::Sources;
use heddle_report::text::{Layout, live, text};
use std::path::Path;

fn blessed(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/blessed")
        .join(name);
    if std::env::var_os("HEDDLE_BLESS").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "{name} came out differently");
}

fn frame(line: u32) -> Frame {
    Frame {
        class: "shop.Bank".into(),
        method: "move".into(),
        file: Some("Bank.java".into()),
        line: Some(line),
    }
}

fn stack(lines: &[u32]) -> Vec<StackFrame> {
    let own = |line: &u32| StackFrame {
        frame: frame(*line),
        trusted: false,
    };
    lines.iter().map(own).collect()
}

fn library(method: &str) -> StackFrame {
    let (class, method) = method.rsplit_once('.').unwrap();
    StackFrame {
        frame: Frame {
            class: class.into(),
            method: method.into(),
            file: Some("Library.java".into()),
            line: Some(1),
        },
        trusted: true,
    }
}

fn deadlock() -> Error {
    let thread =
        |path: &str, name: &str, state: &str, holds: &[&str], wants: &str, line| ThreadStory {
            path: path.parse().unwrap(),
            name: name.into(),
            named: name != "main",
            state: state.into(),
            holds: holds.iter().map(|h| h.to_string()).collect(),
            wants: Some(wants.to_string()).filter(|w| !w.is_empty()),
            threw: None,
            stack: stack(&[line]),
        };
    let act = |thread, line, deed| Act {
        thread,
        at: Some(frame(line)),
        matters: line != 4,
        named: matches!(deed, Deed::Blocked { .. }),
        deed,
    };
    let switch = |thread, to: &str, why: &str| Act {
        thread,
        at: None,
        deed: Deed::Switch {
            to: to.into(),
            why: why.into(),
        },
        matters: true,
        named: false,
    };
    let read = |place: &str, value: &str| Deed::Read {
        place: place.into(),
        value: value.into(),
    };
    Error {
        kind: FindingKind::LockCycle,
        message: "Deadlock: worker-1 holds Account@1 and wants Account@2, held by worker-2; \
                  worker-2 holds Account@2 and wants Account@1, held by worker-1"
            .into(),
        cause: Some("worker-1 and worker-2 take the locks in different orders".into()),
        hint: Some("take these locks in the same order everywhere".into()),
        places: vec![frame(6), frame(6)],
        potential: false,
        schedule_index: 3,
        times: None,
        schedule_file: Some("lock-cycle-1.sched".into()),
        on_jvm: None,
        replay: Some("heddle replay lock-cycle-1.sched".into()),
        threads: vec![
            thread("/", "main", "WAITING", &[], "the end of worker-1", 20),
            thread("/0", "worker-1", "BLOCKED", &["Account@1"], "Account@2", 6),
            thread("/1", "worker-2", "BLOCKED", &["Account@2"], "Account@1", 6),
        ],
        trace: vec![
            act(0, 18, Deed::Start("worker-1".into())),
            act(0, 18, Deed::Start("worker-2".into())),
            switch(0, "worker-1", "main waits for the end of worker-1"),
            act(1, 4, read("Bank.only", "\"mine\u{1b}[2J\"")),
            act(1, 5, Deed::Lock("Account@1".into())),
            switch(
                1,
                "worker-2",
                "chosen by the search; worker-1 could have gone on",
            ),
            act(2, 5, Deed::Lock("Account@2".into())),
            act(
                2,
                6,
                Deed::Call {
                    call: "Account@1.hashCode()".into(),
                    result: Some("7".into()),
                },
            ),
            act(
                2,
                6,
                Deed::Blocked {
                    lock: "Account@1".into(),
                    owner: Some("worker-1".into()),
                },
            ),
            switch(2, "worker-1", "worker-2 wants Account@1, held by worker-1"),
            act(
                1,
                6,
                Deed::Blocked {
                    lock: "Account@2".into(),
                    owner: Some("worker-2".into()),
                },
            ),
        ],
    }
}

fn report(verdict: Verdict, errors: Vec<Error>) -> Report {
    Report {
        version: "0.1.0".into(),
        verdict,
        worth: match verdict {
            Verdict::Ok | Verdict::Error => Worth::Proved,
            Verdict::Incomplete => Worth::Bounded,
            Verdict::Unsupported => Worth::Blind,
        },
        strategy: "dpor".into(),
        seed: None,
        schedules: 1234,
        extra: 0,
        blocked: 0,
        choice_points: 56789,
        bytecodes: 1234567,
        seconds: 0.25,
        complete: verdict == Verdict::Ok,
        explored: (verdict == Verdict::Incomplete).then_some(0.125),
        scope: Some(Scope {
            threads: vec!["main".into(), "worker-1".into(), "worker-2".into()],
            shared: vec!["Account@1".into(), "Account@2".into()],
        }),
        notes: Vec::new(),
        assumptions: vec!["the library (java., javax., jdk., sun.) is correct".into()],
        bounds: Vec::new(),
        unsupported: Vec::new(),
        errors,
        warnings: Vec::new(),
    }
}

fn layout(sources: &Sources) -> Layout<'_> {
    Layout {
        colours: false,
        width: 110,
        full: false,
        sources,
    }
}

#[test]
fn a_deadlock() {
    let report = report(Verdict::Error, vec![deadlock()]);
    let nowhere = Sources::default();
    blessed("deadlock.txt", &text(&report, &layout(&nowhere)));
    blessed(
        "deadlock.full.txt",
        &text(
            &report,
            &Layout {
                full: true,
                ..layout(&nowhere)
            },
        ),
    );
    blessed(
        "deadlock.narrow.txt",
        &text(
            &report,
            &Layout {
                width: 60,
                ..layout(&nowhere)
            },
        ),
    );
    blessed(
        "deadlock.colours.txt",
        &text(
            &report,
            &Layout {
                colours: true,
                ..layout(&nowhere)
            },
        ),
    );
    let here = Sources::new(vec![
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/src"),
    ]);
    blessed(
        "deadlock.source.txt",
        &text(
            &report,
            &Layout {
                width: 140,
                ..layout(&here)
            },
        ),
    );
    blessed("deadlock.json", &json(&report));
}

#[test]
fn other_verdicts() {
    let nowhere = Sources::default();
    blessed(
        "ok.txt",
        &text(&report(Verdict::Ok, Vec::new()), &layout(&nowhere)),
    );
    blessed("ok.json", &json(&report(Verdict::Ok, Vec::new())));

    let mut bounded = report(Verdict::Incomplete, Vec::new());
    bounded.bounds = vec![
        "--max-time 30s".into(),
        "--max-steps 1000 in worker-1".into(),
    ];
    bounded.seed = Some(7);
    blessed("incomplete.txt", &text(&bounded, &layout(&nowhere)));

    let mut missing = report(Verdict::Unsupported, Vec::new());
    let what = "the native method java.net.Foo.bar()".into();
    missing.unsupported.push(Missing {
        what,
        stack: stack(&(1..30).collect::<Vec<_>>()),
    });
    blessed("unsupported.txt", &text(&missing, &layout(&nowhere)));

    let potential = Error {
        potential: true,
        trace: Vec::new(),
        threads: Vec::new(),
        schedule_file: None,
        replay: None,
        on_jvm: None,
        places: Vec::new(),
        ..deadlock()
    };
    let both = report(Verdict::Incomplete, vec![potential]);
    blessed("potential.txt", &text(&both, &layout(&nowhere)));

    let warning = Error {
        kind: FindingKind::SwallowedException,
        message: "An exception is lost".into(),
        ..both.errors[0].clone()
    };
    let mut warned = report(Verdict::Ok, Vec::new());
    warned.warnings.push(Error {
        potential: false,
        ..warning
    });
    blessed("warning.txt", &text(&warned, &layout(&nowhere)));

    let mut sampled = report(Verdict::Incomplete, Vec::new());
    sampled.worth = Worth::Sampled;
    sampled.notes = vec!["something else".into()];
    blessed("sampled.txt", &text(&sampled, &layout(&nowhere)));
    for (threads, name) in [(1, "alone.txt"), (3, "apart.txt")] {
        let mut vacuous = report(Verdict::Ok, Vec::new());
        vacuous.scope = Some(Scope {
            threads: vec!["main".into(); threads],
            shared: Vec::new(),
        });
        blessed(name, &text(&vacuous, &layout(&nowhere)));
    }
}

/// Frames of the library are folded down to what the program called, and below the program
/// there is only what every thread begins with.
#[test]
fn stacks_of_the_library_are_folded() {
    let mut error = deadlock();
    error.trace.clear();
    error.threads.truncate(1);
    error.threads[0].stack = [
        vec![
            library("jdk.internal.misc.Unsafe.park"),
            library("java.util.concurrent.locks.LockSupport.park"),
            library("java.util.concurrent.FutureTask.awaitDone"),
            library("java.util.concurrent.FutureTask.get"),
        ],
        stack(&[7]),
        vec![library("java.util.List.forEach")],
        stack(&[8]),
        vec![
            library("java.util.concurrent.ThreadPoolExecutor.runWorker"),
            library("java.util.concurrent.ThreadPoolExecutor$Worker.run"),
            library("java.lang.Thread.run"),
        ],
    ]
    .concat();
    let report = report(Verdict::Error, vec![error]);
    let nowhere = Sources::default();
    blessed("folded.txt", &text(&report, &layout(&nowhere)));
}

/// More threads than columns fit: lanes; more than lanes fit: neither.
#[test]
fn many_threads() {
    let mut error = deadlock();
    let one = error.threads[1].clone();
    error.threads = (0..12)
        .map(|n| ThreadStory {
            name: format!("worker-{n}"),
            ..one.clone()
        })
        .collect();
    error.trace = (0..12)
        .flat_map(|thread| {
            let act = |deed| Act {
                thread,
                at: Some(frame(5)),
                deed,
                matters: true,
                named: false,
            };
            let to = format!("worker-{}", thread + 1);
            let why = format!("worker-{thread} has ended");
            [
                act(Deed::Lock("Account@1".into())),
                act(Deed::Switch { to, why }),
            ]
        })
        .collect();
    let report = report(Verdict::Error, vec![error]);
    let nowhere = Sources::default();
    for (width, name) in [(110, "lanes.txt"), (60, "list.txt")] {
        let layout = Layout {
            width,
            ..layout(&nowhere)
        };
        blessed(name, &text(&report, &layout));
    }
}

#[test]
fn nothing_of_the_programs_reaches_the_terminal_raw() {
    let mut error = deadlock();
    for thread in &mut error.threads {
        thread.name += "\x1b[2J\n";
        thread.holds.push("\x07".into());
        thread.wants = Some("\x1b".into());
    }
    error.message += "\x1b";
    let report = report(Verdict::Error, vec![error]);
    let nowhere = Sources::default();
    for (full, width) in [(false, 110), (true, 110), (true, 40)] {
        let text = text(
            &report,
            &Layout {
                full,
                width,
                ..layout(&nowhere)
            },
        );
        assert!(
            !text.chars().any(|c| c.is_control() && c != '\n'),
            "{text:?}"
        );
    }
    let deed = Deed::Print("\x1b[0m\n".into());
    assert_eq!(
        live(None, &deed, "main", &layout(&nowhere)),
        "main: prints  [0m\n"
    );
}
