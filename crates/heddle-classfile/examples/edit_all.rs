//! Edits the classes of the JDK in one way or in all, verifies the results with
//! our verifier and, on request, with that of the JDK itself, which then runs on
//! the edited classes; prints failures and the time per class.
//!
//! Arguments: a variant or `all`; `--jvm`; `--every N` takes one class of N;
//! `--major N` makes them class files of that version first, and takes those that
//! still verify; and modules. Classes with a method that would become too long
//! are left alone and counted.

#[path = "../tests/common/mod.rs"]
mod common;

use common::hotspot::Patches;
use common::instrument::{VARIANTS, Variant, instrument, may_run_in};
use common::world::{Loader, World};
use heddle_classfile::edit::EditErrorKind;
use heddle_classfile::verify::{VerifyFailure, verify_class};
use heddle_classfile::{ClassFile, ParseOptions};
use std::time::Instant;

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let jvm = args
        .iter()
        .position(|a| a == "--jvm")
        .map(|i| args.remove(i))
        .is_some();
    let mut number = |flag: &str| {
        let at = args.iter().position(|a| a == flag)?;
        args.remove(at);
        Some(args.remove(at).parse::<u16>().expect("a number"))
    };
    let (every, major) = (number("--every").unwrap_or(1), number("--major"));
    let variants = match args.first().map(String::as_str) {
        None | Some("all") => VARIANTS.to_vec(),
        Some(name) => vec![Variant::named(name).expect("a variant")],
    };
    let modules = args.get(1..).unwrap_or_default();
    let image = common::image();
    let world = World::new(&image);
    let names: Vec<(&str, String)> = common::classes(&image)
        .into_iter()
        .filter(|c| modules.is_empty() || modules.iter().any(|m| m == c.0))
        .filter_map(|c| Some((c.0, c.1.strip_suffix(".class")?.to_owned())))
        .step_by(every.into())
        .collect();
    let options = ParseOptions {
        max_major: 69,
        ..ParseOptions::default()
    };
    let mut bad = false;
    for variant in variants {
        let (mut done, mut long, mut wrong, mut bytes, mut time) = (0, 0, 0, 0, 0.0);
        let mut patches = jvm.then(|| Patches::new("edit_all"));
        for (module, name) in &names {
            let Some(class) = world.classes.get(name.as_bytes()) else {
                continue;
            };
            let aged = major.map(|major| aged(class, major, &options));
            let class = match &aged {
                Some(Some(aged)) if verify(&world, aged).is_ok() => aged,
                Some(_) => continue,
                None => class,
            };
            let start = Instant::now();
            let edited = instrument(class, variant);
            time += start.elapsed().as_secs_f64();
            let edited = match edited {
                Ok(edited) => edited,
                Err(error) => {
                    long += 1;
                    if !matches!(error.kind, EditErrorKind::CodeTooLong { .. }) {
                        wrong += 1;
                        println!("{error}");
                    }
                    continue;
                }
            };
            done += 1;
            bytes += edited.len();
            let new = match ClassFile::parse(edited.clone(), &options) {
                Ok(new) => new,
                Err(error) => {
                    wrong += 1;
                    println!("{name}: {error}");
                    continue;
                }
            };
            if let Err(failure) = verify(&world, &new) {
                wrong += 1;
                println!("{name}: {failure:#?}");
            }
            if let Some(patches) = &mut patches
                && may_run_in(variant, module, name)
                && (major.is_none() || *module != "java.base")
            {
                patches.add(module, name, &edited);
            }
        }
        let micros = time * 1e6 / f64::from(done.max(1));
        println!(
            "{variant:?}: {done} classes edited ({bytes} bytes, {micros:.1} us/class), {long} too long, \
             {wrong} wrong"
        );
        bad |= wrong > 0;
        if let Some(patches) = patches {
            let linked = patches.link();
            for failure in &linked.failures {
                println!("{failure}");
            }
            bad |= !linked.failures.is_empty();
            println!(
                "    on the JVM: {} linked, {} failed, {} calls of inserted code",
                linked.classes,
                linked.failures.len(),
                linked.calls
            );
        }
    }
    std::process::exit(i32::from(bad));
}

/// The class as a file of an older version, if it uses nothing newer.
fn aged(class: &ClassFile, major: u16, options: &ParseOptions<'_>) -> Option<ClassFile> {
    let mut bytes = class.bytes().to_vec();
    bytes[6..8].copy_from_slice(&major.to_be_bytes());
    ClassFile::parse(bytes.into(), options).ok()
}

fn verify(world: &World, class: &ClassFile) -> Result<(), VerifyFailure> {
    let loader = Loader {
        world,
        class,
        same_loader: true,
    };
    verify_class(class, &loader)
}
