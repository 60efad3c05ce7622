//! Damaged class files are edited or refused, without a panic; those that are
//! still right stay right.

#![allow(dead_code)]

use super::differential::{jvm, seeds};
use super::instrument::{VARIANTS, Variant, instrument};
use super::mutants::{Rng, mutate, tangle};
use super::world::{Loader, World};
use heddle_classfile::edit::EditErrorKind;
use heddle_classfile::verify::{VerifyFailure, verify_class};
use heddle_classfile::{Checks, ClassFile, ParseOptions};

#[derive(Default, Debug)]
pub struct Tally {
    /// Not even a parser in trust takes them.
    pub unreadable: usize,
    pub refused: usize,
    pub edited: usize,
    /// Of those, verified before and after.
    pub right: usize,
    /// Of those, linked by the JVM before and after.
    pub linked: usize,
}

/// Damages and edits `count` class files; panics when an edit spoils one, or
/// refuses one that is right, by our verifier or that of the JVM on the path.
pub fn run(world: &World, count: usize, seed: u64) -> Tally {
    let seeds = seeds(world);
    let mut rng = Rng(seed | 1);
    let mut tally = Tally::default();
    let mut right = Vec::new();
    for i in 0..count {
        let (mut bytes, what) = match i % 8 {
            0 => (tangle(&mut rng), "tangle"),
            _ => mutate(seeds[rng.below(seeds.len())], &mut rng),
        };
        // Other places than those that verifiers look at.
        if i % 16 == 1 {
            let at = 8 + rng.below(bytes.len() - 8);
            bytes[at] = rng.below(256) as u8;
        }
        let variant = VARIANTS[rng.below(VARIANTS.len())];
        if let Some(edited) = check(world, bytes, variant, what, &mut tally) {
            right.push((variant, edited));
        }
        // Not too much at a time.
        if right.len() == 2000 || i + 1 == count {
            tally.linked += link(&std::mem::take(&mut right));
        }
    }
    tally
}

/// A class before and after.
type Edited = (Vec<u8>, Vec<u8>);

/// What the JVM links as it was it links as it is. How many these are.
fn link(pairs: &[(Variant, Edited)]) -> usize {
    let side = |pick: fn(&Edited) -> &Vec<u8>| {
        let bytes: Vec<Vec<u8>> = pairs.iter().map(|(_, e)| pick(e).clone()).collect();
        jvm(&bytes)
    };
    let (before, after) = (side(|e| &e.0), side(|e| &e.1));
    assert_eq!((before.len(), after.len()), (pairs.len(), pairs.len()));
    let mut linked = 0;
    for ((variant, edited), (old, new)) in pairs.iter().zip(before.iter().zip(&after)) {
        if old.outcome.error.is_empty() {
            linked += 1;
            if !new.outcome.error.is_empty() {
                save(&edited.0);
                panic!("{variant:?}: {:?}", new.outcome);
            }
        }
    }
    linked
}

/// The class before and after, if it is right.
fn check(
    world: &World,
    bytes: Vec<u8>,
    variant: Variant,
    what: &str,
    tally: &mut Tally,
) -> Option<Edited> {
    let options = |checks| ParseOptions {
        checks,
        ..ParseOptions::default()
    };
    let bytes = heddle_classfile::ClassBytes::from(bytes);
    let strict = ClassFile::parse(bytes.clone(), &options(Checks::Strict)).is_ok();
    let Ok(class) = ClassFile::parse(bytes, &options(Checks::Trusted)) else {
        tally.unreadable += 1;
        return None;
    };
    let edited = match instrument(&class, variant) {
        Ok(edited) => edited,
        Err(error) => {
            tally.refused += 1;
            let limit = matches!(
                error.kind,
                EditErrorKind::CodeTooLong { .. } | EditErrorKind::TooMany(_)
            );
            if !limit && strict && verify(world, &class).is_ok() {
                save(class.bytes());
                panic!("{variant:?} of a class with a damaged {what} was refused: {error}");
            }
            return None;
        }
    };
    tally.edited += 1;
    if !strict || verify(world, &class).is_err() {
        return None;
    }
    let new = ClassFile::parse(edited.clone(), &options(Checks::Strict));
    let new = new.unwrap_or_else(|error| {
        save(class.bytes());
        panic!("{variant:?} of a class with a damaged {what}: {error}")
    });
    if let Err(failure) = verify(world, &new) {
        save(class.bytes());
        panic!("{variant:?} of a class with a damaged {what}: {failure:#?}");
    }
    tally.right += 1;
    // Methods of 60,000 bytes are only slow.
    (variant != Variant::Far).then(|| (class.bytes().to_vec(), edited.to_vec()))
}

fn verify(world: &World, class: &ClassFile) -> Result<(), VerifyFailure> {
    let loader = Loader {
        world,
        class,
        same_loader: false,
    };
    verify_class(class, &loader)
}

fn save(bytes: &[u8]) {
    let path = super::hotspot::scratch("mutant").with_extension("class");
    std::fs::write(&path, bytes).expect("can write");
    println!("the class is in {}", path.display());
}
