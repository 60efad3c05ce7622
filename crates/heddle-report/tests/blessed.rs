//! Reports as they come out, beside what they are expected to be. Set `HEDDLE_BLESS=1`
//! to accept what comes out now; read the difference before you commit it.

use heddle_model::report::{Act, Deed, Error, Missing, Report, ThreadStory, Verdict};
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

fn deadlock() -> Error {
    let thread =
        |path: &str, name: &str, state: &str, holds: &[&str], wants: &str, line| ThreadStory {
            path: path.parse().unwrap(),
            name: name.into(),
            state: state.into(),
            holds: holds.iter().map(|h| h.to_string()).collect(),
            wants: Some(wants.to_string()).filter(|w| !w.is_empty()),
            stack: vec![frame(line)],
        };
    let act = |thread, line, deed| Act {
        thread,
        at: Some(frame(line)),
        deed,
    };
    let switch = |thread, to: &str, why: &str| Act {
        thread,
        at: None,
        deed: Deed::Switch {
            to: to.into(),
            why: why.into(),
        },
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
        potential: false,
        schedule_index: 3,
        schedule_file: Some("lock-cycle-1.sched".into()),
        on_jvm: None,
        places: Vec::new(),
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
            act(2, 6, Deed::Call("Account.hashCode".into())),
            act(
                2,
                6,
                Deed::Blocked {
                    lock: "Account@1".into(),
                    owner: "worker-1".into(),
                },
            ),
            switch(2, "worker-1", "worker-2 wants Account@1, held by worker-1"),
            act(
                1,
                6,
                Deed::Blocked {
                    lock: "Account@2".into(),
                    owner: "worker-2".into(),
                },
            ),
        ],
    }
}

fn report(verdict: Verdict, errors: Vec<Error>) -> Report {
    Report {
        version: "0.1.0".into(),
        verdict,
        strategy: "dpor".into(),
        seed: None,
        schedules: 1234,
        choice_points: 56789,
        bytecodes: 1234567,
        seconds: 0.25,
        complete: verdict == Verdict::Ok,
        explored: (verdict == Verdict::Incomplete).then_some(0.125),
        assumptions: vec!["the library (java., javax., jdk., sun.) is correct".into()],
        bounds: Vec::new(),
        unsupported: Vec::new(),
        errors,
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
        stack: (1..30).map(frame).collect(),
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
}

#[test]
fn nothing_of_the_programs_reaches_the_terminal_raw() {
    let mut error = deadlock();
    for thread in &mut error.threads {
        thread.name += "\x1b[2J\n";
        thread.holds.push("\x07".into());
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
    let act = Act {
        thread: 0,
        at: None,
        deed: Deed::Print("\x1b[0m\n".into()),
    };
    assert_eq!(live(&act, "main", &layout(&nowhere)), "main: prints  [0m\n");
}
