//! `java.lang.Module`: modules as the VM knows them — which packages belong to
//! them and who may use these.
//!
//! The reads relation lives in the Java objects alone: resolution here checks
//! exports (see `resolve.rs`), not reads.

use crate::heap::Ref;
use crate::load::ALL_UNNAMED;
use crate::native::{Frame, Res, Table, throw, throw_null};
use crate::natives::class_loader::internal_name;
use crate::symbol::Symbol;
use crate::vm::Vm;

pub const TABLE: &[Table] = &[(
    "java/lang/Module",
    &[
        (
            "defineModule0(Ljava/lang/Module;ZLjava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V",
            define,
        ),
        (
            "addReads0(Ljava/lang/Module;Ljava/lang/Module;)V",
            add_reads,
        ),
        (
            "addExports0(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V",
            add_exports,
        ),
        (
            "addExportsToAll0(Ljava/lang/Module;Ljava/lang/String;)V",
            add_exports_to_all,
        ),
        (
            "addExportsToAllUnnamed0(Ljava/lang/Module;Ljava/lang/String;)V",
            add_exports_to_unnamed,
        ),
    ],
)];

const ILLEGAL: &str = "java/lang/IllegalArgumentException";

fn define(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (module, open, packages) = (f.reference(0), f.bool(1), f.reference(4));
    if module.is_null() {
        return throw_null();
    }
    let loader = vm.field_ref(module, "loader");
    let name = vm.field_ref(module, "name");
    if name.is_null() {
        return throw(ILLEGAL, "Module name cannot be null");
    }
    let name = vm.string(name);
    let mut symbols: Vec<Symbol> = Vec::new();
    if !packages.is_null() {
        for package in vm.elements(packages) {
            let Some(symbol) = internal_name(vm, package) else {
                return throw(ILLEGAL, "Bad package name");
            };
            symbols.push(symbol);
        }
    }
    for &package in &symbols {
        let text = vm.text(package);
        let under_java = text == "java" || text.starts_with("java/");
        if under_java && !loader.is_null() && !is_platform_loader(vm, loader) {
            let message = format!(
                "Class loader (instance of): {} tried to define prohibited package name: {}",
                vm.external_name(vm.class_of(loader)),
                text.replace('/', ".")
            );
            return throw(ILLEGAL, message);
        }
        if let Some(other) = package_module(vm, loader, package) {
            let other = vm.field_ref(other, "name");
            let message = format!(
                "Package {} for module {name} is already in another module, {}, defined to the class loader",
                text.replace('/', "."),
                vm.string(other)
            );
            return throw("java/lang/IllegalStateException", message);
        }
    }
    for &package in &symbols {
        vm.set_package_module(loader, package, module);
        if open {
            vm.add_export(module, package, Ref::NULL);
        }
    }
    if name == "java.base" && loader.is_null() {
        vm.set_java_base(module);
        // Everything loaded so far is java.base's.
        for i in 1..vm.classes.len() {
            let class = vm.classes[i];
            if class.loader.is_null() && class.module.get().is_null() {
                vm.set_class_module(class, module);
                let at = vm.known.class_module;
                vm.heap.put_ref(class.mirror.get(), at, module);
            }
        }
    }
    Ok(0)
}

fn package_module(vm: &Vm, loader: Ref, package: Symbol) -> Option<Ref> {
    if loader.is_null() {
        return vm.boot_path.packages.get(&package).copied();
    }
    vm.boot_path
        .loader_packages
        .get(&(loader, package))
        .copied()
}

/// Whether a loader is the platform loader.
pub fn is_platform_loader(vm: &Vm, loader: Ref) -> bool {
    let class = vm.class_of(loader);
    class.loader.is_null()
        && vm.symbols.bytes(class.name) == b"jdk/internal/loader/ClassLoaders$PlatformClassLoader"
}

fn add_reads(_vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.reference(0).is_null() {
        return throw_null();
    }
    Ok(0)
}

fn export(vm: &mut Vm, f: Frame, to: Ref) -> Res<u64> {
    let from = f.reference(0);
    let Some(package) = internal_name(vm, f.reference(1)) else {
        return throw_null();
    };
    if from.is_null() {
        return throw_null();
    }
    // An unnamed module exports everything already.
    if vm.field_ref(from, "name").is_null() {
        return Ok(0);
    }
    let loader = vm.field_ref(from, "loader");
    if package_module(vm, loader, package) != Some(from) {
        let name = vm.field_ref(from, "name");
        let message = format!(
            "Package: {} not found in from_module: {}",
            vm.text(package).replace('/', "."),
            vm.string(name)
        );
        return throw(ILLEGAL, message);
    }
    vm.add_export(from, package, to);
    Ok(0)
}

fn add_exports(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.reference(2).is_null() {
        return throw_null();
    }
    export(vm, f, f.reference(2))
}

fn add_exports_to_all(vm: &mut Vm, f: Frame) -> Res<u64> {
    export(vm, f, Ref::NULL)
}

fn add_exports_to_unnamed(vm: &mut Vm, f: Frame) -> Res<u64> {
    export(vm, f, ALL_UNNAMED)
}
