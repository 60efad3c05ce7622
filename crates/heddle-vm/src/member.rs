//! MemberName: how `java.lang.invoke` names fields and methods to the VM, and how
//! the VM resolves such names.
//!
//! Follows HotSpot's method-handle support: a resolved name carries the access
//! flags, a reference kind that says how the member is called (directly, through
//! the table of virtual methods, through an interface), the method itself (number
//! plus one, in the injected `vmtarget` of its ResolvedMethodName) or the field's
//! offset (in the injected `vmindex`). The resolution rules are those of the
//! invoke instructions with HotSpot's messages. Loader constraints are left out.

use crate::class::{Basic, ClassKind, ClassPtr, FieldRef, MethodPtr, access};
use crate::heap::Ref;
use crate::native::{Res, throw};
use crate::polymorphic::{Polymorphic, kind_of};
use crate::symbol::Symbol;
use crate::vm::Vm;

/// Bits of `MemberName.flags`.
pub mod flag {
    pub const IS_METHOD: u32 = 0x0001_0000;
    pub const IS_CONSTRUCTOR: u32 = 0x0002_0000;
    pub const IS_FIELD: u32 = 0x0004_0000;
    pub const IS_TYPE: u32 = 0x0008_0000;
    pub const ALL_KINDS: u32 = 0x000f_0000;
    pub const CALLER_SENSITIVE: u32 = 0x0010_0000;
    pub const TRUSTED_FINAL: u32 = 0x0020_0000;
    pub const KIND_SHIFT: u32 = 24;
    pub const KIND_MASK: u32 = 0xf;
}

/// Reference kinds of JVMS 4.4.8.
pub mod kind {
    pub const GET_FIELD: u32 = 1;
    pub const GET_STATIC: u32 = 2;
    pub const PUT_FIELD: u32 = 3;
    pub const PUT_STATIC: u32 = 4;
    pub const INVOKE_VIRTUAL: u32 = 5;
    pub const INVOKE_STATIC: u32 = 6;
    pub const INVOKE_SPECIAL: u32 = 7;
    pub const NEW_INVOKE_SPECIAL: u32 = 8;
    pub const INVOKE_INTERFACE: u32 = 9;
}

const METHOD_MODIFIERS: u16 = 0x1dff;
const FIELD_MODIFIERS: u16 = 0x50df;
/// `vmindex` of methods that are called directly.
const NON_VIRTUAL: i64 = -2;

/// A method and how it is to be called.
#[derive(Clone, Copy)]
pub struct Callee {
    pub method: MethodPtr,
    /// Class named in the MemberName: the holder, or the class that inherits an
    /// interface method through its vtable.
    pub holder: ClassPtr,
    pub call: CallKind,
}

/// How a resolved method is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallKind {
    Direct,
    /// Index in the table of virtual methods.
    Virtual(i64),
    /// Index among the interface's methods.
    Interface(i64),
}

/// A member to be found: where, what, and for whom.
#[derive(Clone, Copy)]
pub struct Query {
    pub owner: ClassPtr,
    pub name: Symbol,
    pub desc: Symbol,
    /// Class whose access rights count; `None`: no checks.
    pub caller: Option<ClassPtr>,
}

impl Vm {
    // ---- filling MemberNames ------------------------------------------------------------

    /// Makes a MemberName stand for a method.
    pub fn set_method_member(&mut self, member: Ref, callee: Callee) -> Res<()> {
        let m = callee.method;
        let mut flags = (m.access & METHOD_MODIFIERS) as u32;
        if m.flags.signature_polymorphic {
            flags |= access::NATIVE as u32;
        }
        let (kind, index) = match callee.call {
            CallKind::Interface(index) => (kind::INVOKE_INTERFACE, index),
            CallKind::Virtual(index) => (kind::INVOKE_VIRTUAL, index),
            CallKind::Direct if m.is_static() => (kind::INVOKE_STATIC, NON_VIRTUAL),
            CallKind::Direct => (kind::INVOKE_SPECIAL, NON_VIRTUAL),
        };
        let constructor = self.symbols.bytes(m.name) == b"<init>";
        flags |= if constructor {
            flag::IS_CONSTRUCTOR
        } else {
            flag::IS_METHOD
        };
        flags |= kind << flag::KIND_SHIFT;
        if m.flags.caller_sensitive {
            flags |= flag::CALLER_SENSITIVE;
        }
        let resolved = self.new_object(self.known.resolved_method_name)?;
        let (target, holder) = (self.known.resolved_vmtarget, self.known.resolved_vmholder);
        self.heap.put(resolved, target, m.id as u64 + 1);
        self.heap.put_ref(resolved, holder, m.class.mirror.get());
        self.fill(member, flags, resolved, index, callee.holder);
        Ok(())
    }

    /// Makes a MemberName stand for a field, to be read or written.
    pub fn set_field_member(&mut self, member: Ref, found: FieldRef, setter: bool) -> Res<()> {
        let field = found.field();
        let is_static = field.access & access::STATIC != 0;
        let mut flags = (field.access & FIELD_MODIFIERS) as u32 | flag::IS_FIELD;
        let mut kind = if is_static {
            kind::GET_STATIC
        } else {
            kind::GET_FIELD
        };
        if setter {
            kind += kind::PUT_FIELD - kind::GET_FIELD;
        }
        flags |= kind << flag::KIND_SHIFT;
        let record = found
            .class
            .file
            .as_ref()
            .is_some_and(|f| f.record.is_some());
        if field.access & access::FINAL != 0 && (is_static || found.class.hidden || record) {
            flags |= flag::TRUSTED_FINAL;
        }
        self.fill(member, flags, Ref::NULL, field.offset as i64, found.class);
        Ok(())
    }

    fn fill(&mut self, member: Ref, flags: u32, method: Ref, index: i64, holder: ClassPtr) {
        let k = &self.known;
        let at = (
            k.member_flags,
            k.member_method,
            k.member_vmindex,
            k.member_clazz,
        );
        self.heap.put(member, at.0, flags);
        self.heap.put_ref(member, at.1, method);
        self.heap.put(member, at.2, index);
        self.heap.put_ref(member, at.3, holder.mirror.get());
    }

    /// The field that a resolved MemberName stands for.
    pub fn member_field(&self, member: Ref) -> Option<FieldRef> {
        let clazz = self.heap.get_ref(member, self.known.member_clazz);
        if clazz.is_null() {
            return None;
        }
        let class = self.mirrored(clazz);
        let flags: u32 = self.heap.get(member, self.known.member_flags);
        let offset: i64 = self.heap.get(member, self.known.member_vmindex);
        let is_static = flags & access::STATIC as u32 != 0;
        let index = class.fields.iter().position(|f| {
            (f.access & access::STATIC != 0) == is_static && f.offset as i64 == offset
        })?;
        Some(FieldRef {
            class,
            index: index as u16,
        })
    }

    /// How a method is called when `owner` names it.
    pub fn callee(&mut self, method: MethodPtr, owner: ClassPtr) -> Callee {
        let holder = method.class;
        let direct = Callee {
            method,
            holder,
            call: CallKind::Direct,
        };
        if self.statically_bound(method) {
            return direct;
        }
        if !holder.is_interface() {
            let index = method.vtable_index.get() as i64;
            return Callee {
                method,
                holder,
                call: CallKind::Virtual(index),
            };
        }
        if !owner.is_interface() {
            let index = self.vtable_index(owner, method).unwrap_or(0) as i64;
            return Callee {
                method,
                holder: owner,
                call: CallKind::Virtual(index),
            };
        }
        // An interface that declares a method of Object again.
        let object = self.known.object;
        if let Some(own) = object.declared(method.name, method.desc)
            && own.vtable_index.get() >= 0
            && own.access & access::PUBLIC != 0
        {
            let index = own.vtable_index.get() as i64;
            return Callee {
                method,
                holder: object,
                call: CallKind::Virtual(index),
            };
        }
        let index = holder
            .methods()
            .iter()
            .position(|m| *m == method)
            .unwrap_or(0) as i64;
        Callee {
            method,
            holder,
            call: CallKind::Interface(index),
        }
    }

    /// No override is possible.
    fn statically_bound(&self, method: MethodPtr) -> bool {
        method.is_static()
            || method.is_private()
            || method.access & access::FINAL != 0
            || self.symbols.bytes(method.name) == b"<init>"
            || (method.class.access & access::FINAL != 0 && !method.class.is_interface())
    }

    // ---- resolution -----------------------------------------------------------------------

    /// `invokestatic`.
    pub fn query_static(&mut self, q: Query) -> Res<Callee> {
        let method = self.query(q, q.owner.is_interface())?;
        if !method.is_static() {
            return self.change(method, "Expected static method ");
        }
        Ok(Callee {
            method,
            holder: method.class,
            call: CallKind::Direct,
        })
    }

    /// `invokevirtual`.
    pub fn query_virtual(&mut self, q: Query) -> Res<Callee> {
        let method = self.query(q, false)?;
        if method.class.is_interface() && method.is_private() {
            let text = self.method_text(method.class, method.name, method.desc);
            let caller = q.caller.map_or("<null>".into(), |c| self.external_name(c));
            let message = format!(
                "private interface method requires invokeinterface, not invokevirtual: method '{text}', caller-class: {caller}"
            );
            return throw("java/lang/IncompatibleClassChangeError", message);
        }
        if method.is_static() {
            return self.change(method, "Expecting non-static method ");
        }
        Ok(self.callee(method, q.owner))
    }

    /// `invokeinterface`.
    pub fn query_interface(&mut self, q: Query) -> Res<Callee> {
        let method = self.query(q, true)?;
        if method.is_static() {
            return self.change(method, "Expected instance not static method ");
        }
        Ok(self.callee(method, q.owner))
    }

    /// `invokespecial`.
    pub fn query_special(&mut self, q: Query) -> Res<Callee> {
        let mut method = self.query(q, q.owner.is_interface())?;
        let constructor = self.symbols.bytes(q.name) == b"<init>";
        if constructor && method.class != q.owner {
            let text = self.method_text(q.owner, method.name, method.desc);
            let owner = self.external_name(q.owner);
            let text = text.replacen(&format!("{owner}."), "", 1);
            let message = format!("{owner}: method '{text}' not found");
            return throw("java/lang/NoSuchMethodError", message);
        }
        if let Some(caller) = q.caller
            && q.owner.is_interface()
            && caller != q.owner
            && !caller.interfaces.contains(&q.owner)
            && !self.is_accessor(caller)
        {
            let text = self.method_text(method.class, method.name, method.desc);
            let message = format!(
                "Interface method reference: '{text}', is in an indirect superinterface {}",
                self.external_name(q.owner)
            );
            return throw("java/lang/IncompatibleClassChangeError", message);
        }
        if method.is_static() {
            return self.change(method, "Expecting non-static method ");
        }
        if let Some(caller) = q.caller
            && !constructor
            && caller != q.owner
            && !q.owner.is_interface()
            && caller.is_subtype_of(q.owner)
        {
            // A call of a superclass's method selects from the direct superclass on.
            let parent = caller.parent.unwrap_or(q.owner);
            let selected = self.find_method(parent, method.name, method.desc);
            match selected.filter(|m| !m.is_static()) {
                Some(selected) => method = selected,
                None => return self.not_implemented(method),
            }
        }
        if method.is_abstract() {
            return self.not_implemented(method);
        }
        Ok(Callee {
            method,
            holder: method.class,
            call: CallKind::Direct,
        })
    }

    fn not_implemented<T>(&mut self, method: MethodPtr) -> Res<T> {
        let text = self.method_text(method.class, method.name, method.desc);
        throw("java/lang/AbstractMethodError", format!("'{text}'"))
    }

    fn change<T>(&mut self, method: MethodPtr, what: &str) -> Res<T> {
        let text = self.method_text(method.class, method.name, method.desc);
        throw(
            "java/lang/IncompatibleClassChangeError",
            format!("{what}'{text}'"),
        )
    }

    /// Lookup and access check of a method; `interface`: what kind `owner` must be.
    fn query(&mut self, q: Query, interface: bool) -> Res<MethodPtr> {
        if q.owner.is_interface() != interface {
            let name = self.external_name(q.owner);
            let message = if interface {
                format!("Found class {name}, but interface was expected")
            } else {
                format!("Found interface {name}, but class was expected")
            };
            return throw("java/lang/IncompatibleClassChangeError", message);
        }
        let found = match self.lookup(q.owner, q.name, q.desc) {
            Some(m) if m.flags.signature_polymorphic => match kind_of(self.symbols.bytes(q.name)) {
                Polymorphic::Linked => Some(m),
                _ => Some(self.polymorphic_method(q.name, q.desc)),
            },
            found => found,
        };
        let Some(found) = found else {
            let message = self.method_text(q.owner, q.name, q.desc);
            return throw("java/lang/NoSuchMethodError", format!("'{message}'"));
        };
        if let Some(caller) = q.caller
            && !self.can_access(caller, q.owner, found.class, found.access)
        {
            let message = self.method_access_message(caller, found)?;
            return throw("java/lang/IllegalAccessError", message);
        }
        Ok(found)
    }

    // ---- types as descriptors ----------------------------------------------------------------

    /// The descriptor of what a MemberName has as its type: a MethodType, a Class or a
    /// String.
    pub fn type_descriptor(&mut self, of: Ref) -> Res<Symbol> {
        let class = self.class_of(of);
        if class == self.known.method_type {
            let rtype = self.heap.get_ref(of, self.known.method_type_rtype);
            let ptypes = self.heap.get_ref(of, self.known.method_type_ptypes);
            let mut desc = vec![b'('];
            for ptype in self.elements(ptypes) {
                desc.extend(self.descriptor(self.mirrored(ptype)));
            }
            desc.push(b')');
            desc.extend(self.descriptor(self.mirrored(rtype)));
            return Ok(self.symbols.intern(&desc));
        }
        if class == self.known.class {
            let desc = self.descriptor(self.mirrored(of));
            return Ok(self.symbols.intern(&desc));
        }
        if class == self.known.string {
            return Ok(self.string_symbol(of));
        }
        throw("java/lang/InternalError", "unrecognized type")
    }

    /// The field descriptor of a class.
    pub fn descriptor(&self, class: ClassPtr) -> Vec<u8> {
        match class.kind {
            ClassKind::Primitive(basic) => vec![basic.char()],
            ClassKind::Array { .. } => self.symbols.bytes(class.name).to_vec(),
            ClassKind::Instance => {
                let name = self.symbols.bytes(class.name);
                [b"L", name, b";"].concat()
            }
        }
    }

    /// The class of a primitive descriptor; null for others.
    pub fn primitive_mirror(&self, desc: &[u8]) -> Ref {
        match Basic::of(desc[0]) {
            Basic::Reference => Ref::NULL,
            basic => self.known.primitive(basic).mirror.get(),
        }
    }
}
