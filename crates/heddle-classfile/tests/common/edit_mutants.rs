//! Damaged class files are edited or refused, without a panic; those that are
//! still right stay right.

#![allow(dead_code)]

use super::differential::seeds;
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
}

/// Damages and edits `count` class files; panics when an edit spoils one, or
/// refuses one that is right.
pub fn run(world: &World, count: usize, seed: u64) -> Tally {
    let seeds = seeds(world);
    let mut rng = Rng(seed | 1);
    let mut tally = Tally::default();
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
        check(world, bytes, variant, what, &mut tally);
    }
    tally
}

fn check(world: &World, bytes: Vec<u8>, variant: Variant, what: &str, tally: &mut Tally) {
    let options = |checks| ParseOptions {
        checks,
        ..ParseOptions::default()
    };
    let bytes = heddle_classfile::ClassBytes::from(bytes);
    let strict = ClassFile::parse(bytes.clone(), &options(Checks::Strict)).is_ok();
    let Ok(class) = ClassFile::parse(bytes, &options(Checks::Trusted)) else {
        tally.unreadable += 1;
        return;
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
                save(&class);
                panic!("{variant:?} of a class with a damaged {what} was refused: {error}");
            }
            return;
        }
    };
    tally.edited += 1;
    if !strict || verify(world, &class).is_err() {
        return;
    }
    let new = ClassFile::parse(edited.clone(), &options(Checks::Strict));
    let new = new.unwrap_or_else(|error| {
        save(&class);
        panic!("{variant:?} of a class with a damaged {what}: {error}")
    });
    if let Err(failure) = verify(world, &new) {
        save(&class);
        panic!("{variant:?} of a class with a damaged {what}: {failure:#?}");
    }
    tally.right += 1;
}

fn verify(world: &World, class: &ClassFile) -> Result<(), VerifyFailure> {
    let loader = Loader {
        world,
        class,
        same_loader: false,
    };
    verify_class(class, &loader)
}

fn save(class: &ClassFile) {
    let path = super::hotspot::scratch("mutant").with_extension("class");
    std::fs::write(&path, class.bytes()).expect("can write");
    println!("the class is in {}", path.display());
}
