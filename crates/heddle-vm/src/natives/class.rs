//! `java.lang.Class`: what a class is, by name and kind, and its supertypes.
//!
//! Members are in `class_members.rs`, relations between classes (nests, enclosing
//! and inner classes, records, sealed hierarchies) in `class_relations.rs`.
//! Follows HotSpot's `jvm.cpp` in behaviour and messages.

use crate::class::{Basic, ClassKind, ClassPtr, access};
use crate::heap::Ref;
use crate::native::{Frame, Res, Table, Trap, from_bool, from_int, from_ref, throw, throw_null};
use crate::vm::{Vm, trap};
use heddle_classfile::Span;

pub const TABLE: &[Table] = &[(
    "java/lang/Class",
    &[
        ("registerNatives()V", nothing),
        (
            "forName0(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;",
            for_name,
        ),
        ("isInstance(Ljava/lang/Object;)Z", is_instance),
        ("isAssignableFrom(Ljava/lang/Class;)Z", is_assignable_from),
        ("isInterface()Z", is_interface),
        ("isArray()Z", is_array),
        ("isPrimitive()Z", is_primitive),
        ("isHidden()Z", is_hidden),
        ("getSuperclass()Ljava/lang/Class;", superclass),
        ("getInterfaces0()[Ljava/lang/Class;", interfaces),
        ("getModifiers()I", modifiers),
        ("getSigners()[Ljava/lang/Object;", signers),
        ("setSigners([Ljava/lang/Object;)V", set_signers),
        (
            "getProtectionDomain0()Ljava/security/ProtectionDomain;",
            protection_domain,
        ),
        (
            "getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;",
            primitive_class,
        ),
        (
            "getGenericSignature0()Ljava/lang/String;",
            generic_signature,
        ),
        ("getRawAnnotations()[B", raw_annotations),
        ("getRawTypeAnnotations()[B", raw_type_annotations),
        ("initClassName()Ljava/lang/String;", init_class_name),
        (
            "desiredAssertionStatus0(Ljava/lang/Class;)Z",
            desired_assertion_status,
        ),
    ],
)];

/// A native that has nothing to do here (`registerNatives`, `initIDs`).
pub fn nothing(_vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(0)
}

/// The class whose mirror is the receiver.
pub fn receiver(vm: &Vm, f: Frame) -> ClassPtr {
    vm.mirrored(f.reference(0))
}

impl Vm {
    /// Modifiers of a class as `Class.getModifiers` gives them: those of the InnerClasses
    /// attribute for member classes.
    pub fn class_modifiers(&self, class: ClassPtr) -> u16 {
        match class.kind {
            ClassKind::Primitive(_) => access::PUBLIC | access::FINAL | access::ABSTRACT,
            ClassKind::Array { element, .. } => {
                let visible = access::PUBLIC | access::PRIVATE | access::PROTECTED;
                self.class_modifiers(element) & visible | access::FINAL | access::ABSTRACT
            }
            ClassKind::Instance => {
                let file = class
                    .file
                    .as_ref()
                    .expect("heddle internal error: class without file");
                let own = file.name();
                let inner = file
                    .inner_classes
                    .iter()
                    .find(|i| i.inner != 0 && file.pool.class_name(i.inner) == own);
                inner.map_or(class.access, |i| i.access) & !access::SUPER & 0x7fff
            }
        }
    }

    /// A byte[] with part of a class's file, or null.
    pub fn span_array(&mut self, class: ClassPtr, span: Option<Span>) -> Res<Ref> {
        match (span, class.file.as_ref()) {
            (Some(span), Some(file)) => {
                let bytes = file.span(span);
                self.new_byte_array(bytes)
            }
            _ => Ok(Ref::NULL),
        }
    }

    /// The interned String of a constant-pool text, or null for none.
    pub fn pool_string(&mut self, class: ClassPtr, index: Option<u16>) -> Res<Ref> {
        match (index, class.file.as_ref()) {
            (Some(index), Some(file)) => {
                let symbol = self.symbols.intern(file.pool.utf8(index));
                self.intern_symbol(symbol)
            }
            _ => Ok(Ref::NULL),
        }
    }

    /// An array of mirrors.
    pub fn class_array(&mut self, classes: &[ClassPtr]) -> Res<Ref> {
        let mirrors: Vec<Ref> = classes.iter().map(|c| c.mirror.get()).collect();
        self.new_ref_array(self.known.class, &mirrors)
    }

    /// Whether assertions are on in a class, by the command line's switches.
    fn assertions_on(&self, class: ClassPtr) -> bool {
        let name = self.external_name(class);
        let package = name.rfind('.').map_or("", |dot| &name[..dot]);
        let switches = &self.options.assertions.user;
        let named = || {
            switches
                .iter()
                .rev()
                .filter_map(|(on, what)| Some((*on, what.as_ref()?)))
        };
        if let Some((on, _)) = named().find(|(_, what)| **what == name) {
            return on;
        }
        // The longest package that fits; of equal ones the last given.
        let mut best: Option<(usize, bool)> = None;
        for (on, what) in named() {
            let Some(prefix) = what.strip_suffix("...") else {
                continue;
            };
            let fits = if prefix.is_empty() {
                package.is_empty()
            } else {
                package == prefix
                    || package
                        .strip_prefix(prefix)
                        .is_some_and(|rest| rest.starts_with('.'))
            };
            if fits && best.is_none_or(|(length, _)| prefix.len() > length) {
                best = Some((prefix.len(), on));
            }
        }
        if let Some((_, on)) = best {
            return on;
        }
        if class.loader.is_null() {
            return self.options.assertions.system;
        }
        let general = switches.iter().rev().find(|(_, what)| what.is_none());
        general.is_some_and(|(on, _)| *on)
    }
}

fn for_name(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (text, initialize, loader) = (f.reference(0), f.bool(1), f.reference(2));
    if text.is_null() {
        return throw_null();
    }
    let given = vm.mutf8(text);
    let name: Vec<u8> = given
        .iter()
        .map(|&b| if b == b'.' { b'/' } else { b })
        .collect();
    if given.contains(&b'/') || !is_class_name(&name) {
        return throw(
            "java/lang/ClassNotFoundException",
            heddle_classfile::mutf8::to_string_lossy(&name),
        );
    }
    let symbol = vm.symbols.intern(&name);
    let class = match vm.load_class(loader, symbol) {
        Ok(class) => class,
        Err(mut why) => {
            match &mut *why {
                // The loader's own exception is what the caller gets.
                Trap::Load { wrap, .. } => *wrap = false,
                Trap::ThrowNew { class, message, .. }
                    if *class == "java/lang/NoClassDefFoundError" && loader.is_null() =>
                {
                    *class = "java/lang/ClassNotFoundException";
                    *message = Some(heddle_classfile::mutf8::to_string_lossy(&name));
                }
                _ => {}
            }
            return Err(why);
        }
    };
    if initialize {
        vm.ensure_initialized(class)?;
        vm.look_at_initialization(class);
    }
    Ok(from_ref(class.mirror.get()))
}

/// Whether this is the name of a class or an array class, in internal form.
fn is_class_name(name: &[u8]) -> bool {
    if name.is_empty() || name.len() > 65535 {
        return false;
    }
    if name[0] == b'[' {
        let dimensions = name.iter().take_while(|&&b| b == b'[').count();
        let element = &name[dimensions..];
        return dimensions <= 255
            && match element {
                [b'L', inner @ .., b';'] => is_plain_name(inner),
                [one] => b"ZBCSIJFD".contains(one),
                _ => false,
            };
    }
    is_plain_name(name)
}

fn is_plain_name(name: &[u8]) -> bool {
    !name.is_empty()
        && name
            .split(|&b| b == b'/')
            .all(|part| !part.is_empty() && !part.iter().any(|b| matches!(b, b'.' | b';' | b'[')))
}

fn is_instance(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    Ok(from_bool(
        !class.is_primitive() && vm.is_instance(f.reference(1), class),
    ))
}

fn is_assignable_from(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let other = f.reference(1);
    if other.is_null() {
        return throw_null();
    }
    let other = vm.mirrored(other);
    if class.is_primitive() || other.is_primitive() {
        return Ok(from_bool(class == other));
    }
    Ok(from_bool(other.is_subtype_of(class)))
}

fn is_interface(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    Ok(from_bool(class.is_instance_kind() && class.is_interface()))
}

fn is_array(vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(from_bool(receiver(vm, f).is_array()))
}

fn is_primitive(vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(from_bool(receiver(vm, f).is_primitive()))
}

fn is_hidden(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    Ok(from_bool(class.is_instance_kind() && class.hidden))
}

fn superclass(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    if class.is_interface() {
        return Ok(0);
    }
    Ok(from_ref(class.parent.map_or(Ref::NULL, |p| p.mirror.get())))
}

fn interfaces(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    Ok(from_ref(vm.class_array(&class.interfaces)?))
}

fn modifiers(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    Ok(from_int(vm.class_modifiers(class) as i32))
}

fn signers(vm: &mut Vm, f: Frame) -> Res<u64> {
    let signers = vm.field_ref(f.reference(0), "signers");
    if signers.is_null() {
        return Ok(0);
    }
    // The caller gets a copy: the kept array is the VM's.
    let items = vm.elements(signers);
    let element = vm
        .class_of(signers)
        .element()
        .expect("heddle internal error: signers");
    Ok(from_ref(vm.new_ref_array(element, &items)?))
}

fn set_signers(vm: &mut Vm, f: Frame) -> Res<u64> {
    if receiver(vm, f).is_instance_kind() {
        vm.set_field_ref(f.reference(0), "signers", f.reference(1));
    }
    Ok(0)
}

fn protection_domain(vm: &mut Vm, f: Frame) -> Res<u64> {
    let mut class = receiver(vm, f);
    while let Some(element) = class.element() {
        class = element;
    }
    if class.is_primitive() {
        return Ok(0);
    }
    Ok(from_ref(
        vm.field_ref(class.mirror.get(), "protectionDomain"),
    ))
}

fn primitive_class(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.reference(0).is_null() {
        return throw_null();
    }
    let name = vm.string(f.reference(0));
    match Basic::PRIMITIVES
        .into_iter()
        .find(|b| b.java_name() == name)
    {
        Some(basic) => Ok(from_ref(vm.known.primitive(basic).mirror.get())),
        None => throw("java/lang/ClassNotFoundException", name),
    }
}

fn generic_signature(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let index = class.file.as_ref().and_then(|file| file.signature);
    Ok(from_ref(vm.pool_string(class, index)?))
}

fn raw_annotations(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let span = class
        .file
        .as_ref()
        .and_then(|file| file.annotations.visible);
    Ok(from_ref(vm.span_array(class, span)?))
}

fn raw_type_annotations(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let span = class
        .file
        .as_ref()
        .and_then(|file| file.annotations.visible_types);
    Ok(from_ref(vm.span_array(class, span)?))
}

fn init_class_name(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    let units = {
        let bytes = vm.symbols.bytes(class.name);
        let keep = if class.hidden {
            bytes.iter().rposition(|&b| b == b'/')
        } else {
            None
        };
        let dotted: Vec<u8> = bytes
            .iter()
            .enumerate()
            .map(|(i, &b)| {
                if b == b'/' && Some(i) != keep {
                    b'.'
                } else {
                    b
                }
            })
            .collect();
        crate::strings::decode_mutf8(&dotted)
    };
    let name = vm.intern_utf16(&units)?;
    let at = vm.known.class_name;
    vm.heap.put_ref(f.reference(0), at, name);
    Ok(from_ref(name))
}

fn desired_assertion_status(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.reference(0).is_null() {
        return trap(Trap::ThrowNew {
            class: "java/lang/NullPointerException",
            message: None,
            cause: Ref::NULL,
        });
    }
    let class = vm.mirrored(f.reference(0));
    Ok(from_bool(
        class.is_instance_kind() && vm.assertions_on(class),
    ))
}
