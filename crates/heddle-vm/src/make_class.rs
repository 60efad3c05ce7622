//! From a parsed class file to a [`Class`]: layout, flags, methods, and whether its code is
//! trusted.

use crate::class::{
    Basic, Class, ClassFlags, ClassKind, ClassPtr, Field, InitState, Method, MethodFlags, Touches,
    access,
};
use crate::heap::{Ref, Shape};
use crate::isa::{FRAME_HEADER, Op, insn};
use crate::known::INJECTED;
use crate::layout::Layout;
use crate::load::Definition;
use crate::native::{Res, SCRATCH};
use crate::symbol::Symbol;
use crate::vm::Vm;
use heddle_classfile::ClassFile;
use std::cell::{Cell, OnceCell, RefCell};

/// What the code of a method is before its first call.
pub static TRANSLATE: [u64; 1] = [insn(Op::Translate, 0, 0, 0)];
pub static NATIVE: [u64; 2] = [insn(Op::NativeEnter, 0, 0, 0), insn(Op::Native, 0, 0, 0)];
pub static ENTER_SYNC: [u64; 2] = [insn(Op::ArriveSync, 0, 0, 0), insn(Op::EnterSync, 0, 0, 0)];
pub static ENTER_PRINT: [u64; 1] = [insn(Op::EnterPrint, 0, 0, 0)];
pub static ENTER_HANDLER: [u64; 1] = [insn(Op::EnterHandler, 0, 0, 0)];
pub static ABSTRACT: [u64; 1] = [insn(Op::Abstract, 0, 0, 0)];

impl Vm {
    pub fn make_class(
        &mut self,
        loader: Ref,
        own_name: Symbol,
        file: ClassFile,
        parent: Option<ClassPtr>,
        interfaces: Vec<ClassPtr>,
        definition: Definition,
    ) -> Res<ClassPtr> {
        let layout = self.lay_out(own_name, &file, parent);
        let mut all_interfaces: Vec<ClassPtr> = Vec::new();
        let mut add = |i: ClassPtr| {
            if !all_interfaces.contains(&i) {
                all_interfaces.push(i);
            }
        };
        if let Some(parent) = parent {
            parent.all_interfaces.iter().for_each(|i| add(i));
        }
        for interface in &interfaces {
            interface.all_interfaces.iter().for_each(|i| add(i));
            add(interface);
        }
        let is_class_class = self.symbols.bytes(own_name) == b"java/lang/Class";
        let shape = if is_class_class {
            Shape::Mirror
        } else {
            Shape::Object(layout.instance_size)
        };
        let id = self.heap.add_shape(shape, layout.mirror_size);
        let name = self.full_name(own_name, definition);
        self.globals.hidden_classes += definition.hidden as u64;
        let definition = Definition {
            from_jdk: definition.from_jdk || self.is_platform_loader(loader),
            ..definition
        };
        let flags = self.class_flags(&file, own_name, parent, &all_interfaces, definition);
        if !flags.trusted {
            self.learn_class(&file);
        }
        let count = file.pool.len() as usize;
        let class: &'static mut Class = Box::leak(Box::new(Class {
            access: file.access,
            loader,
            parent,
            interfaces,
            all_interfaces,
            chain: parent.map_or(Vec::new(), |p| p.chain.clone()),
            fields: layout.fields,
            instance_size: layout.instance_size,
            mirror_size: layout.mirror_size,
            state: Cell::new(InitState::Loaded),
            resolved: RefCell::new(vec![Default::default(); count]),
            flags,
            nest_host: Cell::new(definition.nest_host),
            hidden: definition.hidden,
            file: Some(file),
            ..Class::without_file(id, name, ClassKind::Instance)
        }));
        let own: *const Class = class;
        // SAFETY: leaked, so it lives for ever; the mutable borrow ends with this push, and
        // from here on the class is only shared.
        unsafe {
            class.chain.push(&*own);
        }
        // SAFETY: as above.
        let class: ClassPtr = unsafe { &*own };
        self.classes.push(class);
        debug_assert_eq!(self.classes.len() - 1, id.0 as usize);
        self.vtables.push(std::ptr::null());
        self.elements_of.push(0);
        self.make_methods(class);
        self.build_vtable(class)?;
        self.vtables[id.0 as usize] = class.vtable().as_ptr();
        if is_class_class {
            self.known.class = class;
            for i in 1..self.classes.len() {
                self.create_mirror(self.classes[i]);
            }
        } else if self.known.class.id.0 != 0 {
            self.create_mirror(class);
        }
        self.enter(class, loader, own_name, definition);
        Ok(class)
    }

    fn class_flags(
        &mut self,
        file: &ClassFile,
        name: Symbol,
        parent: Option<ClassPtr>,
        all_interfaces: &[ClassPtr],
        definition: Definition,
    ) -> ClassFlags {
        let inherited = parent.map_or(ClassFlags::default(), |p| p.flags);
        let own = self.symbols.bytes(name);
        let finalizer = own != b"java/lang/Object"
            && file.method(b"finalize", b"()V").is_some_and(|m| {
                // An empty body (a lone `return`) is no finalizer, as in HotSpot.
                m.code
                    .as_ref()
                    .is_some_and(|c| file.code_bytes(c) != [0xb1])
            });
        let trusted = self.is_trusted(own, definition.from_jdk);
        let named = |part: &[u8]| own.windows(part.len()).any(|w| w == part);
        let is_proxy = definition.hidden && named(b"$$Lambda") && !self.options.trust.is_empty();
        let declares_defaults = file.is_interface()
            && file
                .methods
                .iter()
                .any(|m| m.access & (access::ABSTRACT | access::STATIC) == 0);
        ClassFlags {
            finalizer: finalizer || inherited.finalizer,
            reference: own == b"java/lang/ref/Reference" || inherited.reference,
            has_defaults: declares_defaults || all_interfaces.iter().any(|i| i.flags.has_defaults),
            throwable: own == b"java/lang/Throwable" || inherited.throwable,
            from_jdk: definition.from_jdk,
            trusted: is_proxy || trusted,
            hands_on: is_proxy && !trusted,
            quiet: inherited.quiet || trusted && crate::bookkeeping::is_quiet_class(own),
            counts: self.learned.changes_hooks && own == crate::hooks::LIST
                || definition.from_jdk && self.holds_settings(own),
            goes_on: self.goes_on(own),
        }
    }

    /// Whether a class is trusted, by its name and by where it comes from.
    pub fn is_trusted(&self, name: &[u8], from_jdk: bool) -> bool {
        let trust = &self.options.trust;
        let dotted = || String::from_utf8_lossy(name).replace('/', ".");
        !trust.is_empty()
            && match from_jdk {
                true => trust.class_of_jdk(&dotted()),
                false => trust.class(&dotted()),
            }
    }

    /// Whether a method is trusted: as its class, unless something else is said of it.
    fn is_trusted_method(&self, class: ClassPtr, name: Symbol) -> bool {
        let trust = &self.options.trust;
        if trust.is_empty() {
            return class.flags.trusted;
        }
        let owner = self.external_name(class);
        if !trust.names_methods(&owner) {
            return class.flags.trusted;
        }
        let said = trust.method(&owner, &self.text(name));
        said.unwrap_or(class.flags.trusted)
    }

    pub fn make_methods(&mut self, class: ClassPtr) {
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let own = self.symbols.bytes(class.name);
        let handles =
            own == b"java/lang/invoke/MethodHandle" || own == b"java/lang/invoke/VarHandle";
        let waits = calls_of_wait(file);
        let mut methods = Vec::with_capacity(file.methods.len());
        for (index, m) in file.methods.iter().enumerate() {
            let name = self.symbols.intern(file.pool.utf8(m.name));
            let desc = self.symbols.intern(file.pool.utf8(m.desc));
            let both = access::NATIVE | access::VARARGS;
            let flags = MethodFlags {
                hidden: class.hidden || (m.flags.hidden && class.flags.from_jdk),
                caller_sensitive: m.flags.caller_sensitive && class.flags.from_jdk,
                vm_stub: false,
                trusted: false,
                own: true,
                signature_polymorphic: handles && m.access & both == both,
                waits: m
                    .code
                    .as_ref()
                    .is_some_and(|code| has_any(file.code_bytes(code), &waits)),
            };
            let max_locals = m.code.as_ref().map(|c| c.max_locals);
            // A registered function takes the place of Java code in `Math` alone, whose
            // functions HotSpot replaces too.
            let replaced = own == b"java/lang/Math"
                && class.loader.is_null()
                && self.natives.contains_key(&(class.name, name, desc));
            let access = if replaced {
                m.access | access::NATIVE
            } else {
                m.access
            };
            methods.push(self.make_method(
                class,
                name,
                desc,
                access,
                index as u16,
                max_locals,
                flags,
            ));
        }
        let _ = class.methods.set(methods);
    }

    /// A method; its code is a stub that finds out at the first call.
    #[allow(clippy::too_many_arguments)]
    pub fn make_method(
        &mut self,
        class: ClassPtr,
        name: Symbol,
        desc: Symbol,
        flags: u16,
        index: u16,
        max_locals: Option<u16>,
        mut method_flags: MethodFlags,
    ) -> &'static Method {
        method_flags.trusted = self.is_trusted_method(class, name);
        method_flags.own = !method_flags.trusted || class.flags.hands_on;
        let (params, returns) = basic_types(self.symbols.bytes(desc));
        let slots: usize = params.iter().map(|p| p.slots()).sum();
        let arg_slots = slots as u16 + (flags & access::STATIC == 0) as u16;
        let code: &'static [u64] = if flags & access::NATIVE != 0 {
            &NATIVE
        } else if flags & access::ABSTRACT != 0 {
            &ABSTRACT
        } else {
            &TRANSLATE
        };
        let max_locals = max_locals.unwrap_or(arg_slots).max(arg_slots);
        let ways = [
            self.single_access(class, name),
            self.only_locks(class, name),
            self.waits_for_good(class, name, desc),
        ];
        let known = ways.into_iter().find(|w| *w != Touches::Nothing);
        let touches = known.unwrap_or(Touches::Nothing);
        let method: &'static Method = Box::leak(Box::new(Method {
            code: Cell::new(code.as_ptr()),
            ahead: Cell::new(0),
            frame_words: Cell::new(max_locals as u32 + FRAME_HEADER as u32 + SCRATCH as u32),
            max_locals,
            arg_slots,
            class,
            name,
            desc,
            id: self.methods.len() as u32,
            access: flags,
            index,
            vtable_index: Cell::new(-1),
            body: OnceCell::new(),
            native: Cell::new(None),
            touches: Cell::new(touches),
            pure: Cell::default(),
            returns,
            params,
            flags: method_flags,
        }));
        self.methods.push(method);
        method
    }

    pub fn lay_out(&mut self, name: Symbol, file: &ClassFile, parent: Option<ClassPtr>) -> Layout {
        let own = self.symbols.bytes(name);
        let mut fields: Vec<Field> = Vec::with_capacity(file.fields.len());
        for (index, f) in file.fields.iter().enumerate() {
            let desc = file.pool.utf8(f.desc);
            fields.push(Field {
                access: f.access,
                name: self.symbols.intern(file.pool.utf8(f.name)),
                desc: self.symbols.intern(desc),
                offset: 0,
                basic: Basic::of(desc[0]),
                index: index as u16,
            });
        }
        for (class, field, desc) in INJECTED {
            if class.as_bytes() == own && parent.is_some() {
                fields.push(Field {
                    access: access::PRIVATE | access::SYNTHETIC,
                    name: self.symbols.intern(field.as_bytes()),
                    desc: self.symbols.intern(desc.as_bytes()),
                    offset: 0,
                    basic: Basic::of(desc.as_bytes()[0]),
                    index: u16::MAX,
                });
            }
        }
        Layout::of(fields, parent, own == b"java/lang/Class")
    }
}

/// Basic types of parameters and result of a method descriptor.
pub fn basic_types(desc: &[u8]) -> (Vec<Basic>, Basic) {
    let mut params = Vec::new();
    let mut i = 1;
    while i < desc.len() && desc[i] != b')' {
        params.push(Basic::of(desc[i]));
        while desc[i] == b'[' {
            i += 1;
        }
        if desc[i] == b'L' {
            while desc[i] != b';' {
                i += 1;
            }
        }
        i += 1;
    }
    (params, Basic::of(desc[i + 1]))
}

/// The instructions by which a class calls `Object.wait()`.
fn calls_of_wait(file: &ClassFile) -> Vec<[u8; 3]> {
    const INVOKEVIRTUAL: u8 = 0xb6;
    let members = (1..file.pool.len()).filter(|at| {
        let member = file.pool.try_member(*at);
        member.is_some_and(|(_, name, desc)| name == b"wait" && desc == b"()V")
    });
    members
        .map(|at| [INVOKEVIRTUAL, (at >> 8) as u8, at as u8])
        .collect()
}

/// Whether code has one of these instructions, or bytes that look like one.
fn has_any(code: &[u8], instructions: &[[u8; 3]]) -> bool {
    let mut found = instructions.iter();
    found.any(|i| code.windows(3).any(|bytes| bytes == i))
}
