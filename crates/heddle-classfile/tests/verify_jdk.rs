//! Every class of the JDK is accepted.

mod common;

use common::world::{Loader, World};
use heddle_classfile::verify::verify_class;

#[test]
fn all_classes_of_the_jdk_verify() {
    let world = World::new(&common::image());
    let mut refused = Vec::new();
    for class in world.classes.values() {
        let loader = Loader {
            world: &world,
            class,
            same_loader: true,
        };
        if let Err(failure) = verify_class(class, &loader) {
            refused.push((String::from_utf8_lossy(class.name()).into_owned(), failure));
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
    assert!(world.classes.len() > 5000);
}

/// javac's code keeps the types of locals simple enough to be inferred.
#[test]
fn java_base_verifies_without_its_maps() {
    let world = World::new(&common::image());
    let image = common::image();
    let mut refused = Vec::new();
    let mut seen = 0;
    for (module, name, _) in common::classes(&image) {
        let Some(class) = name
            .strip_suffix(".class")
            .and_then(|n| world.classes.get(n.as_bytes()))
        else {
            continue;
        };
        // What came after version 49 the older verifier does not know.
        let newer = class.pool.iter().any(|(_, c)| {
            use heddle_classfile::Constant::*;
            matches!(
                c,
                InvokeDynamic { .. } | MethodHandle { .. } | MethodType { .. } | Dynamic { .. }
            )
        });
        if module != "java.base" || newer {
            continue;
        }
        let mut old = class.clone();
        old.major = 49;
        let loader = Loader {
            world: &world,
            class: &old,
            same_loader: true,
        };
        seen += 1;
        if let Err(failure) = verify_class(&old, &loader) {
            let text = format!("{failure:?}");
            // Calls of static and private interface methods are newer as well.
            if !text.contains("Illegal type in constant pool") {
                refused.push((name, text));
            }
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
    assert!(seen > 1000, "{seen}");
}
