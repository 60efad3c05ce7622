//! The race detector on written stories, and on random ones against the definition: two
//! accesses that no chain of edges connects.

mod common;

use common::*;
use heddle_detect::Race;
use heddle_model::{
    Detector, EventKind, Finding, FindingKind, ObjectId, Place, Rewind, Site, ThreadId, View,
};

fn story() -> Story<Race> {
    Story::default()
}

fn start(child: u32) -> EventKind {
    EventKind::ThreadStart {
        child: ThreadId(child),
    }
}

fn unpark(target: u32) -> EventKind {
    EventKind::Unpark {
        target: ThreadId(target),
    }
}

fn publish(object: u32) -> EventKind {
    EventKind::Publish {
        object: ObjectId(object),
    }
}

#[test]
fn a_race_names_both_accesses() {
    let fake = Fake::new(3);
    let mut story = story();
    story.event(&fake, 1, write(1));
    story.event(&fake, 2, read(1));
    let found = story.take();
    assert_eq!(found.len(), 1);
    let race = &found[0];
    assert_eq!((race.kind, race.potential), (FindingKind::Race, false));
    assert_eq!(
        race.message,
        "Data race on Account@1.+8: worker-1 writes at Bank.m1 (Bank.java:11) while worker-2 \
         reads at Bank.m2 (Bank.java:12); nothing orders them"
    );
    assert_eq!(race.threads, [ThreadId(2), ThreadId(1)]);
    assert_eq!(race.sites, [site(2), site(1)]);
    assert_eq!(race.objects, [ObjectId(1)]);
}

#[test]
fn the_same_lines_are_one_race_whatever_the_objects() {
    let fake = Fake::new(3);
    let mut story = story();
    for object in 1..5 {
        story.event(&fake, 1, write(object));
        story.event(&fake, 2, write(object));
        story.event(&fake, 1, read(object));
    }
    assert_eq!(story.messages().len(), 1);
    // What the driver knows is counted and not told again.
    let mut known = Story::<Race>::default();
    known.event(&fake, 1, write(1));
    known.event(&fake, 2, write(1));
    known.found.known = known.take();
    known.event(&fake, 1, write(2));
    known.event(&fake, 2, write(2));
    assert_eq!(known.take(), []);
    assert_eq!(known.found.again, [0]);
}

#[test]
fn reads_are_no_race_and_every_one_of_them_is_with_a_write() {
    let fake = Fake::new(5);
    let mut story = story();
    for thread in [1, 2, 3, 1, 2, 3] {
        story.event(&fake, thread, read(1));
    }
    assert_eq!(story.take(), []);
    story.event(&fake, 4, write(1));
    let with: Vec<ThreadId> = story.take().iter().map(|f| f.threads[1]).collect();
    assert_eq!(with.len(), 3);
    for thread in [1, 2, 3] {
        assert!(with.contains(&ThreadId(thread)), "{with:?}");
    }
    // The write stands for the reads before it.
    story.event(&fake, 1, write(1));
    assert_eq!(story.take().len(), 1);
}

#[test]
fn what_orders_threads() {
    let mut fake = Fake::new(4);
    fake.volatile.push(field(9));
    let class = EventKind::Write {
        place: Place::Field {
            object: ObjectId(8),
            offset: 0,
        },
        value: 1,
    };
    let used = EventKind::Read {
        place: Place::Field {
            object: ObjectId(8),
            offset: 0,
        },
        value: 1,
    };
    // What the first thread does last, what the second one does first.
    let edges: &[(&[EventKind], &[EventKind])] = &[
        (&[lock(5), unlock(5)], &[lock(5)]),
        (&[lock(5), wait(5)], &[lock(5)]),
        (&[write(9)], &[read(9)]),
        (&[write(ATOMIC)], &[read(ATOMIC)]),
        (&[start(2)], &[]),
        (&[unpark(2)], &[EventKind::Park]),
        (&[class], &[used]),
    ];
    for (gives, takes) in edges {
        let mut story = story();
        story.event(&fake, 1, write(1));
        story.event(&fake, 1, read(2));
        story.events(&fake, 1, gives);
        story.events(&fake, 2, takes);
        story.event(&fake, 2, read(1));
        story.event(&fake, 2, write(1));
        story.event(&fake, 2, write(2));
        assert_eq!(story.take(), [], "{gives:?} {takes:?}");
        // The other way round nothing is ordered.
        story.event(&fake, 1, read(1));
        assert_eq!(story.take().len(), 1, "{gives:?} {takes:?}");
        // And only what came before the edge is.
        story.event(&fake, 3, write(1));
        assert!(!story.take().is_empty());
    }
}

#[test]
fn a_thread_that_waits_for_its_permit_goes_on_after_unpark() {
    let fake = Fake::new(3);
    let mut story = story();
    story.event(&fake, 2, EventKind::Park);
    story.event(&fake, 1, write(1));
    story.event(&fake, 1, unpark(2));
    story.event(&fake, 1, write(2));
    story.event(&fake, 2, read(1));
    assert_eq!(story.take(), []);
    story.event(&fake, 2, read(2));
    assert_eq!(story.take().len(), 1);
}

#[test]
fn writers_of_a_volatile_field_that_know_nothing_of_each_other() {
    let mut fake = Fake::new(4);
    fake.volatile.push(field(9));
    let mut story = story();
    story.events(&fake, 1, &[write(1), write(9)]);
    story.events(&fake, 2, &[write(2), write(9)]);
    // The reader sees what both released.
    story.events(&fake, 3, &[read(9), read(1), read(2)]);
    assert_eq!(story.take(), []);
    // The second writer did not read it, so it does not know of the first.
    story.event(&fake, 2, read(1));
    assert_eq!(story.take().len(), 1);
}

#[test]
fn publication() {
    let fake = Fake::new(3);
    let mut unsafely = story();
    unsafely.event(&fake, 1, publish(1));
    unsafely.event(&fake, 1, write(2));
    unsafely.event(&fake, 2, read(2));
    unsafely.take();
    unsafely.event(&fake, 2, read(3));
    assert_eq!(unsafely.take(), []);
    let mut fresh = story();
    fresh.event(&fake, 1, publish(1));
    fresh.event(&fake, 2, read(1));
    assert_eq!(
        fresh.messages(),
        [
            "Data race on Account@1.+8: worker-1 makes Account@1 visible to other threads at \
             Bank.m1 (Bank.java:11), and worker-2 reads the field at Bank.m2 (Bank.java:12); \
             nothing orders them"
        ]
    );
    let mut safely = story();
    safely.events(&fake, 1, &[lock(5), publish(1), unlock(5)]);
    safely.events(&fake, 2, &[lock(5), read(1), write(1), unlock(5)]);
    assert_eq!(safely.take(), []);
}

/// Tells something that a thread does in one method of the library while the program is
/// where `common` says it is.
fn inside(story: &mut Story<Race>, view: &dyn View, thread: u32, method: u32, kind: EventKind) {
    let event = heddle_model::Event::new(ThreadId(thread), site(method), kind);
    story.detector.event(&event, view, &mut story.found);
}

#[test]
fn trusted_code_orders_and_is_not_judged() {
    let fake = Fake::new(3);
    let mut story = story();
    for thread in [1, 2] {
        inside(&mut story, &fake, thread, TRUSTED, write(1));
        inside(&mut story, &fake, thread, TRUSTED, publish(2));
        story.event(&fake, thread, read(2));
    }
    assert_eq!(story.take(), []);
    // A plain read behind a fence sees what was released in another mode.
    story.event(&fake, 1, write(3));
    story.event(&fake, 1, write(ATOMIC));
    inside(&mut story, &fake, 2, TRUSTED, read(ATOMIC));
    story.event(&fake, 2, read(3));
    assert_eq!(story.take(), []);
}

#[test]
fn unguarded_classes_of_the_library_are_judged_where_the_program_calls_them() {
    let mut fake = Fake::new(3);
    let mut shared = story();
    for thread in [1, 2] {
        fake.calls = UNGUARDED;
        inside(&mut shared, &fake, thread, UNGUARDED, write(1));
    }
    assert_eq!(
        shared.messages(),
        [
            "Data race on Account@1.+8: worker-1 writes at Bank.m1 (Bank.java:11) while worker-2 \
             writes at Bank.m2 (Bank.java:12); nothing orders them"
        ]
    );
    // Called by other trusted code, which has its own ways.
    fake.calls = TRUSTED;
    let mut inner = story();
    for thread in [1, 2] {
        inside(&mut inner, &fake, thread, UNGUARDED, write(1));
    }
    assert_eq!(inner.take(), []);
    // The program uses it itself, and has handed it over.
    let mut lent = story();
    fake.calls = UNGUARDED;
    inside(&mut lent, &fake, 1, UNGUARDED, write(1));
    fake.calls = TRUSTED;
    inside(&mut lent, &fake, 2, UNGUARDED, write(1));
    assert_eq!(lent.take().len(), 1);
}

/// A random story: for each step a thread and what it does.
fn random_story(seed: u64, steps: usize) -> Vec<(u32, EventKind)> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random = move |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u32 % below
    };
    let threads = 2 + random(4);
    let mut started: Vec<u32> = vec![0, 1];
    // Who holds which lock; locks are 20 and 21.
    let mut held = [None, None];
    let mut told = Vec::new();
    while told.len() < steps {
        let by = started[random(started.len() as u32) as usize];
        // In every other story accesses are rare among what orders them.
        let rare = seed % 2 == 1 && random(4) != 0;
        let kind = match if rare { 5 + random(7) } else { random(12) } {
            0..=2 => read(1 + random(2)),
            3..=4 => write(1 + random(2)),
            5 => read(9),
            6 => write(9),
            7 | 8 => {
                let at = random(2) as usize;
                match held[at] {
                    None => {
                        held[at] = Some(by);
                        lock(20 + at as u32)
                    }
                    Some(owner) if owner == by => {
                        held[at] = None;
                        unlock(20 + at as u32)
                    }
                    Some(_) => continue,
                }
            }
            9 => match random(2) {
                0 => write(ATOMIC),
                _ => read(ATOMIC),
            },
            10 => match random(2) {
                0 => EventKind::Park,
                _ => unpark(started[random(started.len() as u32) as usize]),
            },
            _ if (started.len() as u32) < threads => {
                let child = started.len() as u32;
                started.push(child);
                start(child)
            }
            _ => continue,
        };
        told.push((by, kind));
    }
    told
}

/// The races of a story by the definition: all pairs of accesses of which one is a write,
/// of different threads, and not connected. Each access has a site of its own.
fn races(told: &[(u32, EventKind)]) -> Vec<(usize, usize)> {
    let length = told.len();
    // before[j][i]: what happened at i happens before j.
    let mut before = vec![vec![false; length]; length];
    for j in 0..length {
        let (by, kind) = told[j];
        let mut edges: Vec<usize> = Vec::new();
        // The step before in the same thread, or the start of the thread.
        let last = (0..j).rev().find(|&i| told[i].0 == by);
        edges.extend(last);
        edges.extend((0..j).filter(|&i| told[i].1 == start(by)));
        match kind {
            EventKind::Lock { object } => {
                let gave = |&i: &usize| told[i].1 == EventKind::Unlock { object };
                edges.extend((0..j).rev().find(gave));
            }
            EventKind::Read { place, .. } if place == field(9) => {
                edges.extend((0..j).filter(|&i| told[i].1 == write(9)));
            }
            _ if kind == read(ATOMIC) => {
                edges.extend((0..j).filter(|&i| told[i].1 == write(ATOMIC)));
            }
            EventKind::Park => {
                edges.extend((0..j).filter(|&i| told[i].1 == unpark(by)));
            }
            _ => {}
        }
        // The first step after `park` comes after the permits that were given meanwhile.
        if let Some(last) = last.filter(|&last| told[last].1 == EventKind::Park) {
            edges.extend((last..j).filter(|&i| told[i].1 == unpark(by)));
        }
        for i in edges {
            before[j][i] = true;
            let (earlier, later) = before.split_at_mut(j);
            for (mine, its) in later[0].iter_mut().zip(&earlier[i]).take(i) {
                *mine |= *its;
            }
        }
    }
    let access = |i: usize| match told[i].1 {
        kind if is_ordering(kind) => None,
        EventKind::Read { place, .. } if place != field(9) => Some((place, false)),
        EventKind::Write { place, .. } if place != field(9) => Some((place, true)),
        _ => None,
    };
    let mut found = Vec::new();
    for j in 0..length {
        for i in 0..j {
            if let (Some((a, wrote)), Some((b, writes))) = (access(i), access(j))
                && a == b
                && (wrote || writes)
                && told[i].0 != told[j].0
                && !before[j][i]
            {
                found.push((i, j));
            }
        }
    }
    found
}

/// Tells a story, each step at a site of its own, and gives the pairs of steps found.
fn told_to(
    detector: &mut Race,
    fake: &Fake,
    told: &[(u32, EventKind)],
    first: usize,
) -> Vec<(usize, usize)> {
    let mut out = heddle_model::Findings::default();
    for (at, &(thread, kind)) in told.iter().enumerate() {
        let orders = is_ordering(kind);
        let site = Site {
            bci: (first + at) as i32,
            ..site(if orders { TRUSTED } else { 1 })
        };
        let event = heddle_model::Event {
            orders,
            ..heddle_model::Event::new(ThreadId(thread), site, kind)
        };
        if detector.wants().has(kind.mask()) {
            detector.event(&event, fake, &mut out);
        }
    }
    let pair = |f: &Finding| (f.sites[1].bci as usize, f.sites[0].bci as usize);
    out.new.iter().map(pair).collect()
}

/// FastTrack's promise: what it reports are races, and the first race on each place is
/// reported (later ones may hide behind it).
#[test]
fn random_stories_against_the_definition() {
    let mut fake = Fake::new(8);
    fake.volatile.push(field(9));
    let (mut racy, mut clean) = (0, 0);
    for seed in 0..4000 {
        let told = random_story(seed, 12 + (seed % 40) as usize);
        let expected = races(&told);
        let found = told_to(&mut Race::default(), &fake, &told, 0);
        for pair in &found {
            assert!(expected.contains(pair), "{seed}: {pair:?} in {told:?}");
        }
        for place in [field(1), field(2)] {
            let here = |&&(_, j): &&(usize, usize)| matches!(told[j].1, EventKind::Read { place: p, .. } | EventKind::Write { place: p, .. } if p == place);
            let first = |all: &[(usize, usize)]| all.iter().filter(here).map(|p| p.1).min();
            assert_eq!(
                first(&found),
                first(&expected),
                "{seed}: {place:?} in {told:?}"
            );
        }
        match expected.is_empty() {
            true => clean += 1,
            false => racy += 1,
        }
    }
    assert!(
        racy > 500 && clean > 500,
        "{racy} with races, {clean} without"
    );
}

/// Whatever was told after a mark and taken back leaves no trace.
#[test]
fn random_stories_after_rewinds() {
    let mut fake = Fake::new(8);
    fake.volatile.push(field(9));
    for seed in 0..500 {
        let told = random_story(seed, 40);
        let expected = told_to(&mut Race::default(), &fake, &told, 0);
        let (common, rest) = told.split_at(20);
        let mut detector = Race::default();
        told_to(&mut detector, &fake, common, 0);
        let mark = detector.mark();
        for other in 1..4 {
            let seed = seed * 10 + other;
            told_to(&mut detector, &fake, &random_story(seed, 30), 100);
            let inner = detector.mark();
            told_to(&mut detector, &fake, &random_story(seed + 5, 30), 200);
            detector.rewind(inner);
            detector.rewind(mark);
        }
        let again = told_to(&mut detector, &fake, rest, common.len());
        let late = |&(_, j): &(usize, usize)| j >= common.len();
        let wanted: Vec<(usize, usize)> = expected.into_iter().filter(late).collect();
        assert_eq!(again, wanted, "{seed}");
    }
}
