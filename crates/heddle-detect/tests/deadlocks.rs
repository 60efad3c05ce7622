//! The two deadlock detectors on written stories; the figures are Rivet's.

mod common;

use common::*;
use heddle_detect::{ConditionDeadlock, LockCycle};
use heddle_model::{
    Detector, End, EventKind, FindingKind, ObjectId, Pause, Place, Rewind, ThreadId,
};

type Locks = Story<LockCycle>;
type Conditions = Story<ConditionDeadlock>;

const CYCLE: &str = "Deadlock: worker-1 holds Account@1 and wants Account@2, held by worker-2; \
                     worker-2 holds Account@2 and wants Account@1, held by worker-1";
const POSSIBLE: &str = "Deadlock is possible: worker-1 takes Account@2 while it holds Account@1; \
                        worker-2 takes Account@1 while it holds Account@2";

fn crossed() -> Fake {
    let mut fake = Fake::new(3);
    fake.own(1, 1);
    fake.own(2, 2);
    fake.set(1, "BLOCKED", Some(2));
    fake.set(2, "BLOCKED", Some(1));
    fake
}

#[test]
fn a_cycle_of_monitors_that_happened() {
    let fake = crossed();
    let mut story = Locks::default();
    story.event(&fake, 1, lock(1));
    story.event(&fake, 2, lock(2));
    story.pause(&fake, 2, Pause::Blocked(ObjectId(1)));
    let found = story.take();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, CYCLE);
    assert_eq!(found[0].kind, FindingKind::LockCycle);
    assert_eq!(found[0].threads, [ThreadId(1), ThreadId(2)]);
    assert!(!found[0].potential);
    // Known already, at the next pause and at the end.
    story.pause(&fake, 1, Pause::Blocked(ObjectId(2)));
    story.end(&fake, End::Stuck);
    assert_eq!(story.take(), []);
}

#[test]
fn what_was_predicted_can_still_happen() {
    let mut story = Locks::default();
    let free = Fake::new(3);
    // The first one has passed both before, and the second one wants what it may hold.
    story.events(&free, 1, &[lock(1), lock(2), unlock(2), unlock(1)]);
    story.events(&free, 2, &[lock(2), lock(1), unlock(1), unlock(2)]);
    assert_eq!(story.messages(), [POSSIBLE]);
    let fake = crossed();
    story.events(&fake, 1, &[lock(1)]);
    story.events(&fake, 2, &[lock(2)]);
    story.pause(&fake, 2, Pause::Blocked(ObjectId(1)));
    let found = story.take();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, CYCLE);
    assert!(!found[0].potential);
    story.end(&fake, End::Stuck);
    assert_eq!(story.take(), []);
}

#[test]
fn a_cycle_is_seen_at_the_end_without_any_event() {
    let mut story = Locks::default();
    story.end(&crossed(), End::Exited(0));
    assert_eq!(story.take(), []);
    story.end(&crossed(), End::Stuck);
    assert_eq!(story.messages(), [CYCLE]);
}

#[test]
fn locks_of_the_library_count_too() {
    let mut fake = crossed();
    fake.owners.clear();
    fake.own(1, 1);
    fake.own(2, 202);
    fake.park(1, Some(202));
    let mut story = Locks::default();
    story.pause(&fake, 1, Pause::Waiting);
    assert!(story.messages()[0].contains("worker-1 holds Account@1 and wants Account@202"));
}

#[test]
fn figure_2_14_is_predicted() {
    let fake = Fake::new(3);
    let mut story = Locks::default();
    story.events(&fake, 1, &[lock(1), lock(2), unlock(2), unlock(1)]);
    story.events(&fake, 2, &[lock(2), lock(1)]);
    let found = story.take();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, POSSIBLE);
    assert!(found[0].potential);
    // Once per path.
    story.events(&fake, 2, &[unlock(1), lock(1)]);
    assert_eq!(story.take(), []);
}

/// Rivet's own case: the first thread has left the inner lock and still holds the outer
/// one when the second is refused it.
#[test]
fn figure_2_15_is_predicted_where_a_lock_is_refused() {
    let mut fake = Fake::new(3);
    fake.own(1, 1);
    fake.own(2, 2);
    fake.set(2, "BLOCKED", Some(1));
    let mut story = Locks::default();
    story.events(&fake, 1, &[lock(1), lock(2), unlock(2)]);
    story.events(&fake, 2, &[lock(2)]);
    assert_eq!(story.take(), []);
    story.pause(&fake, 2, Pause::Blocked(ObjectId(1)));
    assert_eq!(story.messages(), [POSSIBLE]);
}

#[test]
fn figure_2_16_and_a_last_lock_that_was_not_nested_raise_nothing() {
    let mut fake = Fake::new(3);
    let mut story = Locks::default();
    story.events(&fake, 1, &[lock(1), unlock(1), lock(2), unlock(2)]);
    story.events(&fake, 2, &[lock(2), unlock(2), lock(1), unlock(1)]);
    // Rivet's chain runs: wanted 1, its owner 1, whose last lock 2 is owned by 2.
    story.events(&fake, 1, &[lock(2), unlock(2), lock(1)]);
    story.events(&fake, 2, &[lock(2)]);
    fake.own(1, 1);
    fake.own(2, 2);
    fake.set(2, "BLOCKED", Some(1));
    story.pause(&fake, 2, Pause::Blocked(ObjectId(1)));
    assert_eq!(story.take(), []);
}

#[test]
fn figure_2_17_is_predicted_in_any_order() {
    let fake = Fake::new(3);
    let mut story = Locks::default();
    story.events(
        &fake,
        2,
        &[lock(1), unlock(1), lock(2), lock(1), unlock(1), unlock(2)],
    );
    story.events(&fake, 1, &[lock(1), lock(2), unlock(2), unlock(1)]);
    assert_eq!(story.messages(), [POSSIBLE]);
}

#[test]
fn a_gate_keeps_threads_apart() {
    let fake = Fake::new(3);
    let mut story = Locks::default();
    story.events(
        &fake,
        1,
        &[lock(9), lock(1), lock(2), unlock(2), unlock(1), unlock(9)],
    );
    story.events(
        &fake,
        2,
        &[lock(9), lock(2), lock(1), unlock(1), unlock(2), unlock(9)],
    );
    assert_eq!(story.take(), []);
}

#[test]
fn what_was_over_before_the_start_cannot_meet() {
    let fake = Fake::new(3);
    let there = [lock(1), lock(2), unlock(2), unlock(1)];
    let back = [lock(2), lock(1), unlock(1), unlock(2)];
    let start = EventKind::ThreadStart { child: ThreadId(1) };
    let mut story = Locks::default();
    story.events(&fake, 0, &there);
    story.event(&fake, 0, start);
    story.events(&fake, 1, &back);
    assert_eq!(story.take(), []);
    // Started by one that main started: still after it.
    story.event(&fake, 1, EventKind::ThreadStart { child: ThreadId(2) });
    story.events(&fake, 2, &back);
    assert_eq!(story.take(), []);
    // The same again in main, now that the others run.
    story.events(&fake, 0, &there);
    assert_eq!(story.take().len(), 1);
}

#[test]
fn what_was_joined_cannot_meet() {
    let fake = Fake::new(3);
    let there = [lock(1), lock(2), unlock(2), unlock(1)];
    let back = [lock(2), lock(1), unlock(1), unlock(2)];
    let death = |object: u32| Place::Field {
        object: ObjectId(object),
        offset: 16,
    };
    let joins = EventKind::SeesEnd {
        of: ThreadId(1),
        place: death(101),
    };
    for joined in [true, false] {
        let mut story = Locks::default();
        story.event(&fake, 0, EventKind::ThreadStart { child: ThreadId(1) });
        story.events(&fake, 1, &there);
        story.event(&fake, 1, EventKind::ThreadEnd);
        if joined {
            story.event(&fake, 0, joins);
        }
        story.events(&fake, 0, &back);
        assert_eq!(story.take().len(), usize::from(!joined));
    }
}

/// As the library tells of its locks: who owns one is written.
fn owner(story: &mut Locks, fake: &Fake, thread: u32, lock: u32, owns: bool) {
    let kind = EventKind::Write {
        place: field(lock),
        value: u64::from(owns),
    };
    let event = heddle_model::Event::new(ThreadId(thread), site(SET_OWNER), kind);
    story.detector.event(&event, fake, &mut story.found);
}

#[test]
fn locks_of_the_library_are_predicted_gate_and_are_tried() {
    let mut fake = Fake::new(3);
    fake.calls = LOCK;
    // One monitor, one lock.
    let mut story = Locks::default();
    owner(&mut story, &fake, 1, 202, true);
    story.events(&fake, 1, &[lock(1), unlock(1)]);
    owner(&mut story, &fake, 1, 202, false);
    story.event(&fake, 2, lock(1));
    owner(&mut story, &fake, 2, 202, true);
    let found = story.take();
    assert_eq!(
        found[0].message,
        "Deadlock is possible: worker-1 takes Account@1 while it holds Account@202; worker-2 \
         takes Account@202 while it holds Account@1"
    );
    assert_eq!(found[0].sites, [site(1), site(2)]);
    // A lock as a gate.
    let mut story = Locks::default();
    for (thread, first, second) in [(1, 1, 2), (2, 2, 1)] {
        owner(&mut story, &fake, thread, 202, true);
        story.events(&fake, thread, &[lock(first), lock(second)]);
        story.events(&fake, thread, &[unlock(second), unlock(first)]);
        owner(&mut story, &fake, thread, 202, false);
    }
    assert_eq!(story.take(), []);
    // Who only tries does not wait.
    fake.calls = TRY_LOCK;
    let mut story = Locks::default();
    owner(&mut story, &fake, 1, 202, true);
    story.events(&fake, 1, &[lock(1), unlock(1)]);
    owner(&mut story, &fake, 1, 202, false);
    story.event(&fake, 2, lock(1));
    owner(&mut story, &fake, 2, 202, true);
    assert_eq!(story.take(), []);
}

/// The deadlock that happened at the same lines replaces the one that was predicted.
#[test]
fn a_prediction_is_covered_by_what_happened() {
    let mut story = Locks::default();
    let fake = Fake::new(3);
    story.events(&fake, 1, &[lock(1), lock(2), unlock(2), unlock(1)]);
    story.events(&fake, 2, &[lock(2), lock(1)]);
    let predicted = story.take().remove(0);
    let mut story = Locks::default();
    story.end(&crossed(), End::Stuck);
    let happened = story.take().remove(0);
    assert!(happened.covers(&predicted) && !predicted.covers(&happened));
    // And is not predicted again.
    let mut story = Locks::default();
    story.found.known.push(happened);
    story.events(&fake, 1, &[lock(1), lock(2), unlock(2), unlock(1)]);
    story.events(&fake, 2, &[lock(2), lock(1)]);
    assert_eq!(story.take(), []);
}

#[test]
fn one_thread_alone_and_three_in_a_ring() {
    let fake = Fake::new(4);
    let mut story = Locks::default();
    story.events(&fake, 1, &[lock(1), lock(2), unlock(2), unlock(1)]);
    story.events(&fake, 1, &[lock(2), lock(1), unlock(1), unlock(2)]);
    assert_eq!(story.take(), []);
    let mut story = Locks::default();
    story.events(&fake, 1, &[lock(1), lock(2), unlock(2), unlock(1)]);
    story.events(&fake, 2, &[lock(2), lock(3), unlock(3), unlock(2)]);
    story.events(&fake, 3, &[lock(3), lock(1), unlock(1), unlock(3)]);
    let found = story.take();
    assert_eq!(found[0].threads, [ThreadId(1), ThreadId(2), ThreadId(3)]);
    assert_eq!(found[0].objects, [ObjectId(2), ObjectId(3), ObjectId(1)]);
}

#[test]
fn wait_gives_the_monitor_back() {
    let fake = Fake::new(3);
    let mut story = Locks::default();
    // Figure 2.23: 1 waits on the outer lock and takes it again inside the inner one.
    story.events(
        &fake,
        1,
        &[lock(1), lock(2), wait(1), lock(1), unlock(2), unlock(1)],
    );
    assert_eq!(story.take(), []);
    story.events(&fake, 2, &[lock(2), lock(1), wait(1)]);
    assert_eq!(story.messages(), [POSSIBLE]);
}

#[test]
fn predictions_rewind() {
    let fake = Fake::new(3);
    let mut story = Locks::default();
    story.event(&fake, 1, lock(1));
    let mark = story.detector.mark();
    story.events(&fake, 1, &[lock(2), unlock(2), unlock(1)]);
    story.events(&fake, 2, &[lock(2), lock(1)]);
    assert_eq!(story.messages(), [POSSIBLE]);
    story.detector.rewind(mark);
    // In this world 1 never takes 2.
    story.events(&fake, 1, &[unlock(1)]);
    story.events(&fake, 2, &[lock(2), lock(1), unlock(1), unlock(2)]);
    assert_eq!(story.take(), []);
    story.detector.rewind(mark);
    story.events(&fake, 1, &[lock(2), unlock(2), unlock(1)]);
    story.events(&fake, 2, &[lock(2), lock(1)]);
    assert_eq!(story.messages(), [POSSIBLE]);
}

/// Figure 2.20: the second thread notifies nobody, then both wait.
#[test]
fn a_notify_that_was_already_sent() {
    let mut fake = Fake::new(3);
    fake.set(0, "TERMINATED", None);
    let mut story = Conditions::default();
    story.events(&fake, 2, &[notify(1, 0), wait(1)]);
    story.events(&fake, 1, &[wait(1)]);
    fake.set(1, "WAITING", Some(1));
    fake.set(2, "WAITING", Some(1));
    story.end(&fake, End::Stuck);
    let found = story.take();
    assert_eq!(
        found[0].message,
        "Condition deadlock: worker-1 waits on Account@1 for a notify that was already sent, by \
         worker-2 at Bank.m2 (Bank.java:12); worker-2 waits on Account@1 and nobody is left to \
         wake it"
    );
    assert_eq!(
        (found.len(), found[0].kind),
        (1, FindingKind::ConditionDeadlock)
    );
}

#[test]
fn a_notify_that_woke_another() {
    let mut fake = Fake::new(3);
    let mut story = Conditions::default();
    story.event(&fake, 0, notify(1, 0));
    story.event(&fake, 1, wait(1));
    story.event(&fake, 0, notify(1, 1));
    fake.set(0, "TERMINATED", None);
    fake.set(2, "TERMINATED", None);
    fake.set(1, "WAITING", Some(1));
    story.end(&fake, End::Stuck);
    assert_eq!(
        story.messages(),
        [
            "Condition deadlock: worker-1 waits on Account@1 and the notify of main at Bank.m0 \
          (Bank.java:10) woke another thread"
        ]
    );
}

/// Figure 2.23, the condition deadlock: 1 waits on the outer lock and keeps the inner.
#[test]
fn a_lock_held_by_a_waiter() {
    let mut fake = Fake::new(3);
    fake.own(1, 2);
    fake.set(0, "WAITING", Some(101));
    fake.set(1, "WAITING", Some(1));
    fake.set(2, "BLOCKED", Some(2));
    let mut story = Conditions::default();
    story.event(&fake, 1, wait(1));
    story.end(&fake, End::Stuck);
    assert_eq!(
        story.messages(),
        [
            "Condition deadlock: worker-1 waits on Account@1 while it holds Account@2, which \
          worker-2 wants; main waits for the end of worker-1; worker-2 wants Account@2, held by \
          worker-1, which waits"
        ]
    );
}

#[test]
fn parked_threads_and_daemons() {
    let mut fake = Fake::new(3);
    fake.calls = PARK;
    fake.park(0, Some(5));
    fake.park(1, None);
    fake.threads[1].daemon = true;
    fake.set(2, "TERMINATED", None);
    let mut story = Conditions::default();
    story.end(&fake, End::Stuck);
    let found = story.take();
    assert_eq!(found[0].kind, FindingKind::Deadlock);
    assert_eq!(
        found[0].message,
        "Deadlock: main is parked on Account@5 and nobody is left to wake it"
    );
}

#[test]
fn the_program_waits_on_a_condition_or_in_the_library() {
    let mut fake = Fake::new(1);
    fake.park(0, Some(5));
    let mut told = |calls| {
        fake.calls = calls;
        let mut story = Conditions::default();
        story.end(&fake, End::Stuck);
        let found = story.take().remove(0);
        (found.kind, found.message)
    };
    assert_eq!(
        told(AWAIT),
        (
            FindingKind::ConditionDeadlock,
            "Condition deadlock: main waits on Account@5 and nobody is left to wake it".into()
        )
    );
    assert_eq!(
        told(LATCH),
        (
            FindingKind::Deadlock,
            "Deadlock: main waits in CountDownLatch.await at Bank.m0 (Bank.java:10) and nobody is \
             left to wake it"
                .into()
        )
    );
}

#[test]
fn who_waits_for_a_cycle_of_locks_is_no_case_of_its_own() {
    let mut fake = crossed();
    fake.set(0, "WAITING", Some(101));
    let mut story = Conditions::default();
    story.end(&fake, End::Stuck);
    assert_eq!(story.take(), []);
}

#[test]
fn joins_in_a_ring_and_locks_of_the_dead() {
    let mut fake = Fake::new(2);
    fake.set(0, "WAITING", Some(101));
    fake.set(1, "WAITING", Some(100));
    let mut story = Conditions::default();
    story.end(&fake, End::Stuck);
    let found = story.take();
    assert_eq!(found[0].kind, FindingKind::Deadlock);
    assert_eq!(
        found[0].message,
        "Deadlock: main waits for the end of worker-1; worker-1 waits for the end of main"
    );

    let mut fake = Fake::new(2);
    fake.own(1, 200);
    fake.park(0, Some(200));
    fake.set(1, "TERMINATED", None);
    story.end(&fake, End::Stuck);
    assert_eq!(
        story.messages(),
        ["Deadlock: main wants Account@200, held by worker-1, which has ended"]
    );
}

#[test]
fn what_cannot_be_explained_is_still_said() {
    let fake = Fake::new(1);
    let mut story = Conditions::default();
    story.end(&fake, End::Stuck);
    assert_eq!(
        story.messages(),
        ["Deadlock: main cannot go on at Bank.m0 (Bank.java:10)"]
    );
}
