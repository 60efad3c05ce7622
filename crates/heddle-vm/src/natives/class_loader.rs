//! `java.lang.ClassLoader`: defining classes, and what loaders have found.
//!
//! A definition may have to load supertypes through Java code; the native is then
//! run again from the start. Meanwhile it notes what it defines (`definitions.rs`).

use crate::class::{Basic, ClassPtr};
use crate::heap::Ref;
use crate::load::Definition;
use crate::native::{Frame, Res, Table, Trap, from_ref, throw, throw_bare, throw_null};
use crate::natives::class::nothing;
use crate::symbol::Symbol;
use crate::vm::Vm;
use heddle_classfile::{ClassBytes, ClassFile, ParseOptions};

pub const TABLE: &[Table] = &[(
    "java/lang/ClassLoader",
    &[
        ("registerNatives()V", nothing),
        (
            "defineClass0(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BIILjava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;",
            define_lookup,
        ),
        (
            "defineClass1(Ljava/lang/ClassLoader;Ljava/lang/String;[BIILjava/security/ProtectionDomain;Ljava/lang/String;)Ljava/lang/Class;",
            define_array,
        ),
        (
            "defineClass2(Ljava/lang/ClassLoader;Ljava/lang/String;Ljava/nio/ByteBuffer;IILjava/security/ProtectionDomain;Ljava/lang/String;)Ljava/lang/Class;",
            define_buffer,
        ),
        (
            "findBootstrapClass(Ljava/lang/String;)Ljava/lang/Class;",
            find_bootstrap,
        ),
        (
            "findLoadedClass0(Ljava/lang/String;)Ljava/lang/Class;",
            find_loaded,
        ),
        (
            "retrieveDirectives()Ljava/lang/AssertionStatusDirectives;",
            directives,
        ),
    ],
)];

/// Flags of `defineClass0`.
const NESTMATE: i32 = 1;
const HIDDEN: i32 = 2;
const STRONG: i32 = 4;
const VM_ANNOTATIONS: i32 = 8;

const ILLEGAL: &str = "java/lang/IllegalArgumentException";

impl Vm {
    /// Defines a class for the loader of a native's frame, with its protection domain.
    fn define_for(
        &mut self,
        f: Frame,
        name: Option<Symbol>,
        bytes: Vec<u8>,
        domain: Ref,
        definition: Definition,
    ) -> Res<ClassPtr> {
        let bytes = ClassBytes::from(bytes);
        match self.define_class(f.reference(0), name, bytes.clone(), definition) {
            Ok(class) => {
                self.end_definition(f);
                self.set_field_ref(class.mirror.get(), "protectionDomain", domain);
                Ok(class)
            }
            Err(trap) => {
                if let (Trap::Load { .. }, false) = (&*trap, definition.hidden) {
                    let name = name.or_else(|| self.own_name(bytes));
                    self.note_definition(f, name);
                }
                Err(trap)
            }
        }
    }

    /// The name that a class file gives itself.
    fn own_name(&mut self, bytes: ClassBytes) -> Option<Symbol> {
        let options = ParseOptions::default();
        let file = ClassFile::parse(bytes, &options).ok()?;
        Some(self.symbols.intern(file.name()))
    }
}

/// The internal name that a String with a binary name stands for.
pub fn internal_name(vm: &mut Vm, string: Ref) -> Option<Symbol> {
    if string.is_null() {
        return None;
    }
    let mut bytes = vm.mutf8(string);
    bytes
        .iter_mut()
        .filter(|b| **b == b'.')
        .for_each(|b| *b = b'/');
    Some(vm.symbols.intern(&bytes))
}

/// The bytes of part of a byte[].
pub fn array_part(vm: &Vm, array: Ref, from: i32, length: i32) -> Res<Vec<u8>> {
    if array.is_null() {
        return throw_null();
    }
    let all = vm.heap.array_bytes(array);
    let part = usize::try_from(from).ok().zip(usize::try_from(length).ok());
    match part.and_then(|(from, length)| all.get(from..from.checked_add(length)?)) {
        Some(bytes) => Ok(bytes.to_vec()),
        None => throw_bare("java/lang/ArrayIndexOutOfBoundsException"),
    }
}

fn define_array(vm: &mut Vm, f: Frame) -> Res<u64> {
    let bytes = array_part(vm, f.reference(2), f.int(3), f.int(4))?;
    let name = internal_name(vm, f.reference(1));
    let class = vm.define_for(f, name, bytes, f.reference(5), Definition::default())?;
    Ok(from_ref(class.mirror.get()))
}

fn define_buffer(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (buffer, from, length) = (f.reference(2), f.int(3), f.int(4));
    if buffer.is_null() {
        return throw_null();
    }
    // Direct buffers only: the others were turned into arrays by the caller.
    let address = vm.field_long(buffer, "address") as u64 + from as u64;
    let bytes = vm.heap.arena.bytes(address, length as usize).to_vec();
    let name = internal_name(vm, f.reference(1));
    let class = vm.define_for(f, name, bytes, f.reference(5), Definition::default())?;
    Ok(from_ref(class.mirror.get()))
}

fn define_lookup(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() == 0 {
        let lookup = f.reference(1);
        let (flags, data) = (f.int(8), f.reference(9));
        if lookup.is_null() {
            return throw(ILLEGAL, "Lookup class is null");
        }
        let lookup = vm.mirrored(lookup);
        let hidden = flags & HIDDEN != 0;
        if !hidden {
            if !data.is_null() {
                return throw(ILLEGAL, "classData is only applicable for hidden classes");
            }
            if flags & NESTMATE != 0 {
                return throw(
                    ILLEGAL,
                    "dynamic nestmate is only applicable for hidden classes",
                );
            }
            if flags & STRONG == 0 {
                return throw(
                    ILLEGAL,
                    "an ordinary class must be strongly referenced by its defining loader",
                );
            }
            if flags & VM_ANNOTATIONS != 0 {
                return throw(ILLEGAL, "vm annotations only allowed for hidden classes");
            }
        }
        let bytes = array_part(vm, f.reference(3), f.int(4), f.int(5))?;
        let name = internal_name(vm, f.reference(2));
        let nest_host = (flags & NESTMATE != 0).then(|| vm.nest_host_of(lookup));
        let definition = Definition {
            from_jdk: false,
            hidden,
            nest_host,
        };
        let class = vm.define_for(f, name, bytes, f.reference(6), definition)?;
        if !vm.same_package(class, lookup) {
            return throw(
                ILLEGAL,
                "Lookup class and defined class are in different package",
            );
        }
        let at = vm.known.class_data;
        vm.heap.put_ref(class.mirror.get(), at, data);
        f.set_slot(0, from_ref(class.mirror.get()));
        f.set_phase(1);
    }
    let class = vm.mirrored(f.slot_ref(0));
    if f.bool(7) {
        vm.ensure_initialized(class)?;
    } else {
        vm.link(class)?;
    }
    Ok(from_ref(class.mirror.get()))
}

fn find_bootstrap(vm: &mut Vm, f: Frame) -> Res<u64> {
    let Some(name) = internal_name(vm, f.reference(0)) else {
        return Ok(0);
    };
    let found = vm.find_boot(name)?;
    Ok(from_ref(found.map_or(Ref::NULL, |c| c.mirror.get())))
}

fn find_loaded(vm: &mut Vm, f: Frame) -> Res<u64> {
    let Some(name) = internal_name(vm, f.reference(1)) else {
        return Ok(0);
    };
    let found = vm.dictionary.get(&(f.reference(0), name));
    Ok(from_ref(found.map_or(Ref::NULL, |c| c.mirror.get())))
}

/// The command line's assertion switches, for loaders whose own were changed.
fn directives(vm: &mut Vm, _f: Frame) -> Res<u64> {
    let class = vm.load_boot("java/lang/AssertionStatusDirectives")?;
    vm.ensure_initialized(class)?;
    let switches = vm.options.assertions.user.clone();
    let (mut classes, mut packages) = (Vec::new(), Vec::new());
    let mut default = false;
    for (on, what) in &switches {
        match what.as_deref() {
            None => default = *on,
            Some(what) => match what.strip_suffix("...") {
                Some(package) => packages.push((*on, package)),
                None => classes.push((*on, what)),
            },
        }
    }
    let object = vm.new_object(class)?;
    for (list, names_field, on_field) in [
        (classes, "classes", "classEnabled"),
        (packages, "packages", "packageEnabled"),
    ] {
        let mut names = Vec::new();
        let enabled = vm.new_primitive_array(Basic::Boolean, list.len() as u32)?;
        let flags: Vec<u8> = list.iter().map(|(on, _)| *on as u8).collect();
        vm.heap.write_bytes(enabled, crate::heap::ELEMENTS, &flags);
        for (_, name) in list {
            // The unnamed package is written as null.
            names.push(if name.is_empty() {
                Ref::NULL
            } else {
                vm.new_string(name)?
            });
        }
        let names = vm.new_ref_array(vm.known.string, &names)?;
        vm.set_field_ref(object, names_field, names);
        vm.set_field_ref(object, on_field, enabled);
    }
    vm.set_field_bool(object, "deflt", default);
    Ok(from_ref(object))
}
