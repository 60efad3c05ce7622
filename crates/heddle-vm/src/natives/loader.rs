//! `jdk.internal.loader`: the boot loader's packages, native libraries.
//!
//! The JDK's own libraries count as loaded: their natives are Heddle's. A library
//! of the program's cannot be: that is *unsupported*, not an UnsatisfiedLinkError,
//! because `java` would load it.

use crate::heap::Ref;
use crate::native::{Frame, Res, Table, from_bool, from_ref, throw, unsupported};
use crate::natives::class_loader::internal_name;
use crate::vm::Vm;
use std::collections::BTreeSet;
use std::path::Path;

pub const TABLE: &[Table] = &[
    (
        "jdk/internal/loader/BootLoader",
        &[
            (
                "getSystemPackageLocation(Ljava/lang/String;)Ljava/lang/String;",
                package_location,
            ),
            ("getSystemPackageNames()[Ljava/lang/String;", package_names),
            (
                "setBootLoaderUnnamedModule0(Ljava/lang/Module;)V",
                set_unnamed_module,
            ),
        ],
    ),
    (
        "jdk/internal/loader/NativeLibraries",
        &[
            (
                "findBuiltinLib(Ljava/lang/String;)Ljava/lang/String;",
                find_builtin,
            ),
            (
                "load(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZZ)Z",
                load,
            ),
            ("unload(Ljava/lang/String;ZZJ)V", unload),
            (
                "findEntry0(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;)J",
                find_entry,
            ),
        ],
    ),
];

/// Where a boot loader's package comes from: `jrt:/` and its module.
fn package_location(vm: &mut Vm, f: Frame) -> Res<u64> {
    let Some(package) = internal_name(vm, f.reference(0)) else {
        return Ok(0);
    };
    let Some(&module) = vm.boot_path.packages.get(&package) else {
        return Ok(0);
    };
    let name = vm.field_ref(module, "name");
    let location = format!("jrt:/{}", vm.string(name));
    Ok(from_ref(vm.new_string(&location)?))
}

/// Packages of which the boot loader has loaded a class, sorted.
fn package_names(vm: &mut Vm, _f: Frame) -> Res<u64> {
    let mut names: BTreeSet<&'static [u8]> = BTreeSet::new();
    for (&(loader, _), class) in vm.dictionary.iter() {
        if loader.is_null() && class.is_instance_kind() {
            names.insert(vm.package(class));
        }
    }
    let mut strings = Vec::new();
    for name in names {
        strings.push(vm.new_string_mutf8(name)?);
    }
    Ok(from_ref(vm.new_ref_array(vm.known.string, &strings)?))
}

fn set_unnamed_module(vm: &mut Vm, f: Frame) -> Res<u64> {
    vm.set_boot_unnamed(f.reference(0));
    Ok(0)
}

/// No library is linked into the VM, as in any JDK that users install.
fn find_builtin(_vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(0)
}

fn load(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (library, name, must) = (f.reference(0), vm.string(f.reference(1)), f.bool(4));
    let path = Path::new(&name);
    let home = std::fs::canonicalize(&vm.options.java_home);
    let own = home.is_ok_and(|home| path.starts_with(home.join("lib")));
    if own && path.exists() {
        // Any value but 0 says that it is loaded; 1.8 is the JNI version of these.
        vm.set_field_long(library, "handle", 1);
        vm.set_field_int(library, "jniVersion", 0x0001_0008);
        return Ok(from_bool(true));
    }
    if path.exists() {
        return unsupported(format!("the native library {name}"));
    }
    if must {
        return throw(
            "java/lang/UnsatisfiedLinkError",
            format!("{name}: cannot open shared object file: No such file or directory"),
        );
    }
    Ok(from_bool(false))
}

fn unload(_vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(0)
}

/// Entry points have no addresses here: natives are found by name.
fn find_entry(_vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(from_ref(Ref::NULL))
}
