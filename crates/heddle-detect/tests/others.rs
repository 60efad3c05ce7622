//! The other detectors, and several of them as one.

mod common;

use common::*;
use heddle_detect::set::DETECTORS;
use heddle_detect::{
    ConditionDeadlock, Eraser, Fanout, Filter, Invariant, Livelock, Swallowed, Uncaught,
};
use heddle_model::{
    Detector, End, EventKind, EventMask, FindingKind, InvariantResult, ObjectId, Outcome, Pause,
    Rewind, ThreadId,
};

#[test]
fn assertions_and_exceptions() {
    let fake = Fake::new(2);
    let mut story = Story::<Uncaught>::default();
    let uncaught = |object| EventKind::Uncaught {
        exception: ObjectId(object),
        handled: false,
    };
    story.event(&fake, 1, uncaught(7));
    story.event(&fake, 0, uncaught(8));
    story.event(&fake, 0, uncaught(9));
    let found = story.take();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].kind, FindingKind::Assertion);
    assert_eq!(
        found[0].message,
        "Assertion fails in worker-1 at Bank.m1 (Bank.java:11): empty"
    );
    assert_eq!(found[1].kind, FindingKind::Exception);
    assert_eq!(
        found[1].message,
        "main ends by an exception at Bank.m0 (Bank.java:10): java.lang.IllegalStateException: empty"
    );
}

#[test]
fn an_unprotected_place() {
    let fake = Fake::new(3);
    let mut story = Story::<Eraser>::default();
    // Exclusive, then read by another: nothing yet.
    story.events(&fake, 1, &[write(1), write(1)]);
    story.event(&fake, 2, read(1));
    assert_eq!(story.take(), []);
    story.event(&fake, 2, write(1));
    let found = story.take();
    assert_eq!(
        found[0].message,
        "No lock protects Account@1.+8: worker-2 writes it at Bank.m2 (Bank.java:12)"
    );
    assert!(found[0].potential);
    story.event(&fake, 1, write(1));
    assert_eq!(story.take(), []);
}

#[test]
fn different_locks_protect_nothing() {
    let fake = Fake::new(3);
    let mut story = Story::<Eraser>::default();
    story.events(&fake, 1, &[lock(8), write(1), unlock(8)]);
    story.events(&fake, 2, &[lock(9), write(1), unlock(9)]);
    assert_eq!(story.take(), []);
    story.events(&fake, 1, &[lock(8), write(1), unlock(8)]);
    assert_eq!(
        story.messages(),
        [
            "No lock protects Account@1.+8: worker-1 writes it at Bank.m1 (Bank.java:11) and shares \
          no lock with worker-2, which used it at Bank.m2 (Bank.java:12)"
        ]
    );
}

#[test]
fn protected_read_only_volatile_and_trusted_places() {
    let mut fake = Fake::new(60);
    fake.volatile.push(field(3));
    let mut story = Story::<Eraser>::default();
    for thread in [1, 2, 1, 2] {
        story.events(
            &fake,
            thread,
            &[lock(8), lock(9), write(1), unlock(9), write(1)],
        );
        story.events(&fake, thread, &[unlock(8), read(2), write(3)]);
        // `wait` lets go of the lock and takes it again.
        story.events(
            &fake,
            thread,
            &[lock(8), wait(8), lock(8), write(1), unlock(8)],
        );
    }
    // Threads 51 and 52 are in trusted methods.
    story.event(&fake, 51, write(4));
    story.event(&fake, 52, write(4));
    assert_eq!(story.take(), []);
}

/// Rivet's figure 2.2: both look at the field under the lock; B writes without it if it
/// saw that A has not written yet.
#[test]
fn no_eraser() {
    let fake = Fake::new(3);
    let look = [lock(1), read(1), unlock(1)];
    let careful = [lock(1), write(1), unlock(1)];
    let mut story = Story::<Eraser>::default();
    story.events(&fake, 1, &look);
    let mark = story.detector.mark();
    for _ in 0..2 {
        // B gets there before A has written.
        story.events(&fake, 2, &look);
        story.event(&fake, 2, write(1));
        assert_eq!(story.take().len(), 1);
        story.detector.rewind(mark);
        // A has written.
        story.events(&fake, 1, &careful);
        story.events(&fake, 2, &look);
        story.events(&fake, 2, &careful);
        assert_eq!(story.take(), []);
        story.detector.rewind(mark);
    }
}

#[test]
fn invariants_once_per_path() {
    let mut fake = Fake::new(2);
    let result = |name: &str, outcome| InvariantResult {
        name: name.into(),
        outcome,
    };
    fake.invariants = vec![
        result("Bank.sum", Outcome::Holds),
        result("Bank.ok", Outcome::Unknown),
    ];
    let mut story = Story::<Invariant>::default();
    story.pause(&fake, 1, Pause::BlockEnd);
    assert_eq!(story.take(), []);
    let mark = story.detector.mark();
    fake.invariants[0].outcome = Outcome::Broken;
    for _ in 0..2 {
        story.pause(&fake, 1, Pause::BlockEnd);
        story.pause(&fake, 1, Pause::BlockEnd);
        assert_eq!(
            story.messages(),
            ["Invariant Bank.sum no longer holds after Bank.m1 (Bank.java:11)"]
        );
        story.detector.rewind(mark);
    }
    fake.invariants[0].outcome = Outcome::Threw("java.lang.Error: x".into());
    story.end(&fake, End::Exited(0));
    assert_eq!(
        story.messages(),
        ["Invariant Bank.sum fails with java.lang.Error: x at the end"]
    );
}

#[test]
fn a_loop_is_named() {
    let fake = Fake::new(6);
    let mut story = Story {
        detector: Livelock::with_history(),
        found: Default::default(),
    };
    story.event(&fake, 5, read(1));
    // Worker 1 goes round through what its story calls threads 1, 2 and 3.
    let mut at = |number: u32| {
        let kind = read(1);
        let event = heddle_model::Event::new(ThreadId(1), site(number), kind);
        story.detector.event(&event, &fake, &mut story.found);
    };
    at(4);
    for _ in 0..1000 {
        [1, 2, 2, 3].into_iter().for_each(&mut at);
    }
    story.end(&fake, End::StepLimit(ThreadId(1)));
    assert_eq!(
        story.messages(),
        [
            "Livelock: worker-1 runs round and round through Bank.m1 (Bank.java:11), Bank.m2 \
          (Bank.java:12) and Bank.m3 (Bank.java:13)"
        ]
    );
}

#[test]
fn a_loop_without_history_is_placed() {
    let fake = Fake::new(2);
    let mut story = Story::<Livelock>::default();
    assert_eq!(story.detector.wants(), EventMask::NONE);
    story.end(&fake, End::StepLimit(ThreadId(1)));
    assert_eq!(
        story.messages(),
        ["Livelock: worker-1 runs without end in Bank.m1 (Bank.java:11)"]
    );
    // Nor is it one if that is what it was written for.
    let mut fake = Fake::new(2);
    fake.threads[1].endless = true;
    let mut story = Story::<Livelock>::default();
    story.end(&fake, End::StepLimit(ThreadId(1)));
    assert_eq!(story.take(), []);
}

#[test]
fn a_loop_that_waits_for_nobody() {
    let mut fake = Fake::new(3);
    fake.threads[1].spins = true;
    fake.set(0, "WAITING", Some(101));
    fake.set(2, "TERMINATED", None);
    let mut story = Story::<Livelock>::default();
    story.end(&fake, End::Exited(0));
    assert_eq!(story.take(), []);
    story.end(&fake, End::Stuck);
    assert_eq!(
        story.messages(),
        [
            "Livelock: worker-1 goes round and round at Bank.m1 (Bank.java:11) until something \
             changes, and nobody is left to change it"
        ]
    );
    // Who waits for it needs no other explanation.
    let mut story = Story::<ConditionDeadlock>::default();
    story.end(&fake, End::Stuck);
    assert_eq!(story.take(), []);
}

#[test]
fn exceptions_in_futures_that_nobody_asks() {
    let mut fake = Fake::new(3);
    let mut story = Story::<Swallowed>::default();
    // Two tasks write to their futures; only one of them has failed.
    story.event(&fake, 1, write(10));
    fake.thrown.push((ObjectId(10), ObjectId(8)));
    story.events(&fake, 1, &[write(10), write(11)]);
    let mark = story.detector.mark();
    let asks = |story: &mut Story<Swallowed>, method| {
        let event = heddle_model::Event::new(ThreadId(0), site(method), read(10));
        story.detector.event(&event, &fake, &mut story.found);
    };
    asks(&mut story, IS_DONE);
    story.end(&fake, End::Exited(0));
    let found = story.take();
    assert_eq!(found.len(), 1);
    assert!(found[0].kind.is_warning());
    assert_eq!(
        found[0].message,
        "An exception is lost: java.lang.IllegalStateException: empty in worker-1 at Bank.m8 \
         (Bank.java:18) is kept in FutureTask@10, which nobody asks"
    );
    asks(&mut story, LATCH);
    story.end(&fake, End::Exited(0));
    assert_eq!(story.take(), []);
    story.detector.rewind(mark);
    story.end(&fake, End::Stuck);
    assert_eq!(story.take().len(), 1);
}

#[test]
fn every_kind_has_a_detector_with_a_name_of_its_own() {
    for &kind in FindingKind::ALL {
        let finders = DETECTORS.iter().filter(|d| d.kinds.contains(&kind)).count();
        assert_eq!(finders, 1, "{}", kind.name());
        assert_eq!(FindingKind::named(kind.name()), Some(kind));
    }
}

#[test]
fn filters() {
    let wanted = |only: &[&str], ignore: &[&str]| {
        let filter = Filter::new(only, ignore).unwrap();
        let kinds = FindingKind::ALL.iter().filter(|&&k| filter.wants(k));
        kinds.map(|k| k.name()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        wanted(&["deadlock"], &[]),
        "lock-cycle condition-deadlock deadlock"
    );
    assert_eq!(
        wanted(&["uncaught", "race"], &["exception"]),
        "assertion race"
    );
    assert_eq!(
        wanted(&[], &["deadlock", "eraser", "race"]),
        "assertion exception exit-code invariant livelock swallowed-exception"
    );
    let error = Filter::new(&["deadlok"], &[]).unwrap_err().to_string();
    assert!(error.starts_with("unknown kind of error `deadlok`; expected one of assertion, "));
}

#[test]
fn a_fanout_wants_filters_and_rewinds_for_all() {
    let fake = Fake::new(3);
    let assertions = Fanout::new(Filter::new(&["assertion"], &[]).unwrap());
    assert_eq!(assertions.wants(), EventMask::UNCAUGHT);
    let mut story = Story {
        detector: assertions,
        found: Default::default(),
    };
    story.event(
        &fake,
        1,
        EventKind::Uncaught {
            exception: ObjectId(8),
            handled: false,
        },
    );
    assert_eq!(story.take(), []);
    story.event(
        &fake,
        1,
        EventKind::Uncaught {
            exception: ObjectId(7),
            handled: false,
        },
    );
    assert_eq!(story.take().len(), 1);

    let all = Fanout::new(Filter::default());
    assert!(all.wants().has(EventMask::READ) && all.wants().has(EventMask::NOTIFY));
    let mut story = Story {
        detector: all,
        found: Default::default(),
    };
    let outer = story.detector.mark();
    story.event(&fake, 1, write(1));
    let inner = story.detector.mark();
    for _ in 0..2 {
        story.event(&fake, 2, write(1));
        story.events(&fake, 1, &[lock(1), lock(2), unlock(2), unlock(1)]);
        story.events(&fake, 2, &[lock(2), lock(1), unlock(1), unlock(2)]);
        let kinds: Vec<FindingKind> = story.take().iter().map(|f| f.kind).collect();
        assert_eq!(
            kinds,
            [
                FindingKind::Race,
                FindingKind::LockDiscipline,
                FindingKind::LockCycle
            ]
        );
        story.detector.rewind(inner);
    }
    story.detector.forget(inner);
    story.detector.rewind(outer);
    story.event(&fake, 2, write(1));
    assert_eq!(story.take(), []);
}
