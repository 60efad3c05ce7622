//! A JDK whose own classes were edited still runs, and verifies all of them.
//!
//! `examples/edit_all.rs` does this for every class and every way to edit.

mod common;

use common::hotspot::{Linked, Patches};
use common::instrument::{VARIANTS, Variant, instrument, may_run_in};
use common::world::{Loader, World};
use heddle_classfile::edit::EditErrorKind;
use heddle_classfile::verify::verify_class;
use heddle_classfile::{ClassFile, ParseOptions};

#[test]
fn the_jdk_runs_with_a_call_before_every_instruction() {
    let linked = edit_and_link("edit_before", 0, |_| Variant::Before);
    assert!(linked.failures.is_empty(), "{:#?}", linked.failures);
    assert!(linked.classes > 2500, "{linked:?}");
    assert!(linked.calls > 1_000_000, "{linked:?}");
}

#[test]
fn the_jdk_runs_edited_in_all_ways() {
    let variants: Vec<Variant> = VARIANTS
        .into_iter()
        .filter(|v| *v != Variant::Far)
        .collect();
    let linked = edit_and_link("edit_all_ways", 4, |i| variants[i % variants.len()]);
    assert!(linked.failures.is_empty(), "{:#?}", linked.failures);
    assert!(linked.classes > 2000, "{linked:?}");
}

/// Else the tests above would say nothing.
#[test]
fn a_wrong_class_is_noticed() {
    let world = World::new(&common::image());
    let class = &world.classes[&b"java/util/logging/Level"[..]];
    let method = class.methods.iter().filter_map(|m| m.code.as_ref());
    let code = method.max_by_key(|c| c.bytes.len()).expect("code");
    let mut bytes = class.bytes().to_vec();
    // Whatever was there, the stack is empty at the start.
    bytes[code.bytes.start as usize] = heddle_classfile::opcode::POP;
    let mut patches = Patches::new("edit_wrong");
    patches.add("java.logging", "java/util/logging/Level", &bytes);
    let linked = patches.link();
    assert_eq!(linked.classes, 0);
    let failure = &linked.failures[0];
    assert!(failure.contains("java.lang.VerifyError"), "{failure}");
}

/// Edits one class in nine, verifies each result, and lets the JVM do the same.
fn edit_and_link(folder: &str, first: usize, variant: impl Fn(usize) -> Variant) -> Linked {
    let image = common::image();
    let world = World::new(&image);
    let mut patches = Patches::new(folder);
    let options = ParseOptions {
        max_major: 69,
        ..ParseOptions::default()
    };
    let classes = common::classes(&image).into_iter();
    for (i, (module, name, _)) in classes.skip(first).step_by(9).enumerate() {
        let name = name.strip_suffix(".class").expect("class files");
        let class = &world.classes[name.as_bytes()];
        let edited = match instrument(class, variant(i)) {
            Ok(edited) => edited,
            Err(error) => {
                let too_long = matches!(error.kind, EditErrorKind::CodeTooLong { .. });
                assert!(too_long, "{error}");
                continue;
            }
        };
        let new = ClassFile::parse(edited.clone(), &options);
        let new = new.unwrap_or_else(|error| panic!("{:?} of {name}: {error}", variant(i)));
        let loader = Loader {
            world: &world,
            class: &new,
            same_loader: true,
        };
        if let Err(failure) = verify_class(&new, &loader) {
            panic!("{:?} of {name}: {failure:#?}", variant(i));
        }
        if may_run_in(variant(i), module, name) {
            patches.add(module, name, &edited);
        }
    }
    patches.link()
}
