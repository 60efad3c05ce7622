//! Linking of call sites and of constants that Java code makes: `invokedynamic`
//! (JVMS 5.4.3.6), calls of signature-polymorphic methods, and the constants
//! MethodHandle, MethodType and Dynamic.
//!
//! The work is done by the JDK (`MethodHandleNatives.linkCallSite` and its
//! siblings), called from stubs as in `upcall.rs`: the instruction that needs a
//! result answers with a call of a stub, the stub puts the result into a table,
//! and the instruction, run again, finds it there. Each kind has an outer stub
//! that turns failures into what HotSpot throws and remembers linkage errors,
//! and an inner one that does the work.
//!
//! An `invokedynamic` instruction has a call site of its own, so its result is
//! kept per method and bytecode index and not per constant-pool entry.

use crate::class::{Basic, ClassPtr, MethodPtr, Resolved};
use crate::heap::{ClassId, ELEMENTS, Ref};
use crate::load::basic_types;
use crate::member::{Query, kind};
use crate::native::{Frame, Res, Trap, call, call_catching, from_int, from_ref, throw};
use crate::polymorphic::{Polymorphic, kind_of};
use crate::resolve::{MemberRef, find_field};
use crate::symbol::Symbol;
use crate::upcall::stub;
use crate::vm::{Vm, trap};
use heddle_classfile::Constant;

/// The stubs of this file.
#[derive(Clone, Copy)]
pub struct LinkStubs {
    site: MethodPtr,
    site_inner: MethodPtr,
    constant: MethodPtr,
    constant_inner: MethodPtr,
    handle_call: MethodPtr,
    method_type: MethodPtr,
    constant_adapter: MethodPtr,
    fail_again: MethodPtr,
    load_class: MethodPtr,
}

impl LinkStubs {
    pub fn make(vm: &mut Vm) -> LinkStubs {
        LinkStubs {
            site: stub(vm, "<link site>", "(IIII)V", link_site),
            site_inner: stub(vm, "<link site>", "(IIII)Ljava/lang/Object;", link_site_inner),
            constant: stub(vm, "<link constant>", "(II)V", link_constant),
            constant_inner: stub(
                vm,
                "<link constant>",
                "(II)Ljava/lang/Object;",
                link_constant_inner,
            ),
            handle_call: stub(vm, "<link call>", "(II)V", link_handle_call),
            method_type: stub(vm, "<method type>", "(II)Ljava/lang/Object;", method_type),
            constant_adapter: stub(
                vm,
                "<constant>",
                "(Ljava/lang/Object;)Ljava/lang/Object;",
                constant_adapter,
            ),
            fail_again: stub(vm, "<fail again>", "(Ljava/lang/Throwable;Z)V", fail_again),
            load_class: stub(vm, "<load>", "(IILjava/lang/Object;I)V", load_class),
        }
    }
}

impl LinkStubs {
    /// The adapter of call sites whose value is always their appendix.
    pub fn constant_adapter(&self) -> MethodPtr {
        self.constant_adapter
    }
}

fn constant_adapter(_: &mut Vm, f: Frame) -> Res<u64> {
    Ok(f.raw(0))
}

/// An instruction that is linked by Java code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Site {
    /// `invokedynamic`: method id and bytecode index.
    Dynamic { method: u32, at: u32 },
    /// Calls of a signature-polymorphic method: class id and pool index of the reference.
    Handle { class: u32, index: u16 },
}

impl Vm {
    /// The linked method and appendix of an `invokedynamic` instruction.
    pub fn resolve_call_site(
        &mut self,
        class: ClassPtr,
        index: u16,
        site: u32,
        method: MethodPtr,
    ) -> Res<(MethodPtr, Ref)> {
        match self.call_sites.get(&Site::Dynamic { method: method.id, at: site }).copied() {
            Some(Resolved::CallSite(adapter, appendix)) => Ok((adapter, appendix)),
            Some(Resolved::Failed(error)) => self.fail_again(error, false),
            _ => {
                let args = vec![class.id.0 as u64, index as u64, site as u64, method.id as u64];
                call(self.stubs().link.site, args)
            }
        }
    }

    /// The linked method and appendix (null: none) of a call of a signature-polymorphic
    /// method. Access to the method must have been checked.
    pub fn resolve_handle_call(&mut self, class: ClassPtr, index: u16) -> Res<(MethodPtr, Ref)> {
        let site = Site::Handle { class: class.id.0, index };
        if let Some(&Resolved::CallSite(adapter, appendix)) = self.call_sites.get(&site) {
            return Ok((adapter, appendix));
        }
        let member = self.member_ref(class, index);
        if kind_of(self.symbols.bytes(member.name)) != Polymorphic::Linked {
            return Ok((self.polymorphic_method(member.name, member.desc), Ref::NULL));
        }
        call(self.stubs().link.handle_call, vec![class.id.0 as u64, index as u64])
    }

    /// The value of a loadable constant: String, Class, MethodHandle, MethodType, Dynamic.
    pub fn resolve_constant(&mut self, class: ClassPtr, index: u16) -> Res<u64> {
        match self.resolved(class, index) {
            Resolved::Object(object) => return Ok(from_ref(object)),
            Resolved::Value(value) => return Ok(value),
            Resolved::Class(found) => return Ok(from_ref(found.mirror.get())),
            Resolved::Failed(error) => return self.fail_again(error, true),
            _ => {}
        }
        let file = class.file.as_ref().expect("heddle internal error: class without file");
        match file.pool.get(index) {
            Constant::String { utf8 } => {
                let symbol = self.symbols.intern(file.pool.utf8(utf8));
                let string = self.intern_symbol(symbol)?;
                self.set_resolved(class, index, Resolved::Object(string));
                Ok(from_ref(string))
            }
            Constant::Class { .. } => {
                let found = self.resolve_class(class, index)?;
                Ok(from_ref(found.mirror.get()))
            }
            Constant::MethodHandle { .. }
            | Constant::MethodType { .. }
            | Constant::Dynamic { .. } => {
                call(self.stubs().link.constant, vec![class.id.0 as u64, index as u64])
            }
            other => panic!("heddle internal error: {other:?} is not loadable"),
        }
    }

    /// Throws again what the first attempt ended with: a new error of the same class with
    /// the same message, and for constants a new cause, as HotSpot does.
    pub fn fail_again<T>(&mut self, error: Ref, with_cause: bool) -> Res<T> {
        call(self.stubs().link.fail_again, vec![from_ref(error), with_cause as u64])
    }

    /// Lets a loader load a class that a pool entry names.
    pub fn load_for_entry<T>(
        &mut self,
        class: ClassPtr,
        index: u16,
        loader: Ref,
        name: Symbol,
    ) -> Res<T> {
        let args = vec![class.id.0 as u64, index as u64, from_ref(loader), name.0 as u64];
        call(self.stubs().link.load_class, args)
    }

    /// Class and message of an exception, for another one like it; `None` if its class is
    /// not one of the JDK's.
    fn like(&self, error: Ref) -> Option<(&'static str, Option<String>)> {
        let class = self.class_of(error);
        let name = std::str::from_utf8(self.symbols.bytes(class.name)).ok()?;
        let message = self.heap.get_ref(error, self.known.throwable_message);
        let message = (!message.is_null()).then(|| self.string(message));
        class.flags.from_jdk.then_some((name, message))
    }

    // ---- bootstrap arguments ------------------------------------------------------------

    /// Pool indexes of the static arguments of a dynamic entry; `None` if it is not one.
    pub fn bootstrap_arguments(&self, class: ClassPtr, index: i32) -> Option<&'static [u16]> {
        let file = class.file.as_ref()?;
        let index = u16::try_from(index).ok()?;
        match file.pool.get(index) {
            Constant::Dynamic { bootstrap, .. } | Constant::InvokeDynamic { bootstrap, .. } => {
                file.bootstrap_methods.get(bootstrap as usize).map(|b| &b.args[..])
            }
            _ => None,
        }
    }

    /// Makes sure that a static argument has its value.
    pub fn resolve_argument(&mut self, class: ClassPtr, index: u16) -> Res<()> {
        match self.constant(class, index) {
            Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_) => {
                Ok(())
            }
            _ => self.resolve_constant(class, index).map(|_| ()),
        }
    }

    /// Whether a static argument has its value already.
    pub fn is_resolved(&self, class: ClassPtr, index: u16) -> bool {
        match self.constant(class, index) {
            Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_) => {
                true
            }
            _ => !matches!(self.resolved(class, index), Resolved::No),
        }
    }

    /// A static argument as an object; primitives are boxed.
    pub fn bootstrap_argument(&mut self, class: ClassPtr, index: u16) -> Res<Ref> {
        match self.constant(class, index) {
            Constant::Integer(i) => self.box_value(Basic::Int, from_int(i)),
            Constant::Float(bits) => self.box_value(Basic::Float, bits as u64),
            Constant::Long(l) => self.box_value(Basic::Long, l as u64),
            Constant::Double(bits) => self.box_value(Basic::Double, bits),
            Constant::Dynamic { .. } => {
                let value = self.resolve_constant(class, index)?;
                match self.resolved(class, index) {
                    Resolved::Value(_) => {
                        let member = self.member_ref(class, index);
                        let basic = Basic::of(self.symbols.bytes(member.desc)[0]);
                        self.box_value(basic, value)
                    }
                    _ => Ok(Ref(value as u32)),
                }
            }
            _ => Ok(Ref(self.resolve_constant(class, index)? as u32)),
        }
    }

    /// What `copyOutBootstrapArguments` gives for -4 … -1: bootstrap method, name, type,
    /// number of arguments. Uses the frame's phase for the type.
    pub fn bootstrap_part(
        &mut self,
        f: Frame,
        class: ClassPtr,
        index: u16,
        part: i32,
    ) -> Res<Ref> {
        let member = self.member_ref(class, index);
        match part {
            -4 => {
                let handle = self.bootstrap_handle(class, index);
                Ok(Ref(self.resolve_constant(class, handle)? as u32))
            }
            -3 => self.new_string_mutf8(self.symbols.bytes(member.name)),
            -2 => {
                let desc = self.symbols.bytes(member.desc);
                if desc[0] != b'(' {
                    let class = self.load_descriptor(class.loader, desc)?;
                    return Ok(class.mirror.get());
                }
                if f.phase() == 0 {
                    f.set_phase(1);
                    return self.call_method_type(class, member.desc);
                }
                Ok(f.result_ref())
            }
            _ => {
                let count = self.bootstrap_arguments(class, index as i32).map_or(0, |a| a.len());
                self.box_value(Basic::Int, count as u64)
            }
        }
    }

    fn bootstrap_handle(&self, class: ClassPtr, index: u16) -> u16 {
        let file = class.file.as_ref().expect("heddle internal error: class without file");
        let (bootstrap, _, _) = file.pool.dynamic(index);
        file.bootstrap_methods[bootstrap as usize].handle
    }

    /// Static arguments as `linkCallSite` and `linkDynamicConstant` take them: null for
    /// none, a single one naked, an array, or (count, pool index) for Java to pull.
    fn static_arguments(&mut self, class: ClassPtr, index: u16, bsm: Ref) -> Res<Ref> {
        let arguments = self.bootstrap_arguments(class, index as i32).unwrap_or(&[]);
        if arguments.is_empty() {
            return Ok(Ref::NULL);
        }
        let ty = self.heap.get_ref(bsm, self.known.handle_type);
        let ptypes = self.heap.get_ref(ty, self.known.method_type_ptypes);
        let mut pull = self.heap.length(ptypes) == 2;
        if !pull && matches!(self.constant(class, index), Constant::Dynamic { .. }) {
            // A dynamic constant that needs another one: Java code recurses, not we.
            pull = arguments.iter().any(|&a| {
                matches!(self.constant(class, a), Constant::Dynamic { .. })
                    && !self.is_resolved(class, a)
            });
        }
        if pull && arguments.len() <= 5 && arguments.iter().all(|&a| self.is_resolved(class, a)) {
            pull = false;
        }
        if pull {
            let pair = self.new_primitive_array(Basic::Int, 2)?;
            self.heap.put(pair, ELEMENTS, arguments.len() as u32);
            self.heap.put(pair, ELEMENTS + 4, index as u32);
            return Ok(pair);
        }
        for &argument in arguments {
            self.resolve_argument(class, argument)?;
        }
        let mut values = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            values.push(self.bootstrap_argument(class, argument)?);
        }
        if let [one] = values[..]
            && !one.is_null()
            && !self.class_of(one).is_array()
        {
            return Ok(one);
        }
        self.new_ref_array(self.known.object, &values)
    }

    fn constant(&self, class: ClassPtr, index: u16) -> Constant {
        let file = class.file.as_ref().expect("heddle internal error: class without file");
        file.pool.get(index)
    }

    fn call_method_type<T>(&mut self, class: ClassPtr, desc: Symbol) -> Res<T> {
        call(self.stubs().link.method_type, vec![class.id.0 as u64, desc.0 as u64])
    }

    /// Method and appendix of what a linking method of the JDK answered.
    fn unpack(&mut self, member: Ref, appendix: Ref) -> Res<(MethodPtr, Ref)> {
        if member.is_null() || self.heap.get_ref(member, self.known.member_method).is_null() {
            return throw("java/lang/LinkageError", "bad value from MethodHandleNatives");
        }
        Ok((self.member_target(member), self.heap.element(appendix, 0)))
    }
}

// ---- stubs ------------------------------------------------------------------------------

fn class_arg(vm: &Vm, f: Frame) -> ClassPtr {
    vm.class(ClassId(f.raw(0) as u32))
}

/// An `invokedynamic` instruction; arguments: class, pool index, bytecode index, method.
fn link_site(vm: &mut Vm, f: Frame) -> Res<u64> {
    let site = Site::Dynamic { method: f.raw(3) as u32, at: f.raw(2) as u32 };
    match f.phase() {
        0 => {
            f.set_phase(1);
            let args = (0..4).map(|i| f.raw(i)).collect();
            call_catching(vm.stubs().link.site_inner, args)
        }
        1 => {
            let thrown = f.take_exception();
            if thrown.is_null() {
                return Ok(0);
            }
            f.set_slot(0, from_ref(thrown));
            f.set_phase(2);
            link_site(vm, f)
        }
        _ => {
            let error = wrapped(vm, f)?;
            if let Some(Resolved::CallSite(..)) = vm.call_sites.get(&site) {
                return Ok(0);
            }
            if is_linkage_error(vm, error)? {
                vm.set_call_site(site, Resolved::Failed(error));
            }
            trap(Trap::Throw(error))
        }
    }
}

fn link_site_inner(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = class_arg(vm, f);
    let index = f.raw(1) as u16;
    let site = Site::Dynamic { method: f.raw(3) as u32, at: f.raw(2) as u32 };
    match f.phase() {
        0 => {
            if let Some((method, appendix)) = link_natively(vm, class, index, site)? {
                vm.set_call_site(site, Resolved::CallSite(method, appendix));
                return Ok(0);
            }
            let handle = vm.bootstrap_handle(class, index);
            let bsm = vm.resolve_constant(class, handle)?;
            f.set_slot(0, bsm);
            f.set_phase(1);
            let desc = vm.member_ref(class, index).desc;
            vm.call_method_type(class, desc)
        }
        1 => {
            f.set_slot(1, f.result());
            f.set_phase(2);
            link_site_inner(vm, f)
        }
        2 => {
            let arguments = vm.static_arguments(class, index, f.slot_ref(0))?;
            let member = vm.member_ref(class, index);
            let name = vm.intern_symbol(member.name)?;
            let appendix = vm.new_ref_array(vm.known.object, &[Ref::NULL])?;
            f.set_slot(2, from_ref(appendix));
            f.set_phase(3);
            let method = vm.method(
                vm.known.method_handle_natives,
                "linkCallSite",
                "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/invoke/MemberName;",
            );
            let args = vec![
                from_ref(class.mirror.get()),
                index as u64,
                f.slot(0),
                from_ref(name),
                f.slot(1),
                from_ref(arguments),
                from_ref(appendix),
            ];
            call(method, args)
        }
        _ => {
            let (method, appendix) = vm.unpack(f.result_ref(), f.slot_ref(2))?;
            // Another thread may have linked it meanwhile: the first result stays.
            if !matches!(vm.call_sites.get(&site), Some(Resolved::CallSite(..))) {
                vm.set_call_site(site, Resolved::CallSite(method, appendix));
            }
            Ok(0)
        }
    }
}

/// The bootstraps that the VM does itself.
fn link_natively(
    vm: &mut Vm,
    class: ClassPtr,
    index: u16,
    site: Site,
) -> Res<Option<(MethodPtr, Ref)>> {
    if let Some(linked) = vm.link_lambda(class, index)? {
        return Ok(Some(linked));
    }
    let method = match vm.link_concat(class, index, site)? {
        Some(method) => Some(method),
        None => vm.link_record(class, index, site)?,
    };
    Ok(method.map(|m| (m, Ref::NULL)))
}

/// A constant; arguments: class, pool index.
fn link_constant(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = class_arg(vm, f);
    let index = f.raw(1) as u16;
    match f.phase() {
        0 => {
            f.set_phase(1);
            call_catching(vm.stubs().link.constant_inner, vec![f.raw(0), f.raw(1)])
        }
        1 => {
            let thrown = f.take_exception();
            if thrown.is_null() {
                let value = constant_value(vm, class, index, f.result_ref())?;
                if !vm.is_resolved(class, index) {
                    vm.set_resolved(class, index, value);
                }
                return Ok(0);
            }
            f.set_slot(0, from_ref(thrown));
            f.set_phase(2);
            link_constant(vm, f)
        }
        _ => {
            let dynamic = matches!(vm.constant(class, index), Constant::Dynamic { .. });
            let error = if dynamic { wrapped(vm, f)? } else { f.slot_ref(0) };
            if vm.is_resolved(class, index) {
                return Ok(0);
            }
            if is_linkage_error(vm, error)? {
                vm.set_resolved(class, index, Resolved::Failed(error));
            }
            trap(Trap::Throw(error))
        }
    }
}

/// The form in which a constant is kept.
fn constant_value(vm: &mut Vm, class: ClassPtr, index: u16, result: Ref) -> Res<Resolved> {
    if !matches!(vm.constant(class, index), Constant::Dynamic { .. }) {
        return Ok(Resolved::Object(result));
    }
    let desc = vm.member_ref(class, index).desc;
    let basic = Basic::of(vm.symbols.bytes(desc)[0]);
    if basic == Basic::Reference {
        return Ok(Resolved::Object(result));
    }
    match vm.unbox(result) {
        Some((found, value)) if found == basic => Ok(Resolved::Value(value)),
        Some(_) => throw("java/lang/InternalError", "primitive is not properly boxed"),
        None => throw("java/lang/InternalError", "null result instead of box"),
    }
}

fn link_constant_inner(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = class_arg(vm, f);
    let index = f.raw(1) as u16;
    match vm.constant(class, index) {
        Constant::MethodType { desc } => {
            if f.phase() == 0 {
                let file = class.file.as_ref().expect("heddle internal error: class without file");
                let desc = vm.symbols.intern(file.pool.utf8(desc));
                f.set_phase(1);
                return vm.call_method_type(class, desc);
            }
            Ok(f.result())
        }
        Constant::MethodHandle { kind, reference } => {
            link_method_handle(vm, f, class, kind as u32, reference)
        }
        _ => link_dynamic(vm, f, class, index),
    }
}

fn link_method_handle(
    vm: &mut Vm,
    f: Frame,
    class: ClassPtr,
    reference_kind: u32,
    reference: u16,
) -> Res<u64> {
    let member = vm.member_ref(class, reference);
    match f.phase() {
        0 => {
            let owner = vm.resolve_class(class, member.class)?;
            if reference_kind > kind::PUT_STATIC && owner.is_interface() != member.interface {
                let message = inconsistent(vm, owner, &member, f.raw(1) as u16);
                return throw("java/lang/IncompatibleClassChangeError", message);
            }
            check_member(vm, class, owner, reference_kind, &member)?;
            let desc = vm.symbols.bytes(member.desc);
            if desc[0] == b'(' {
                f.set_phase(1);
                return vm.call_method_type(class, member.desc);
            }
            let ty = vm.load_descriptor(class.loader, desc)?;
            f.set_slot(0, from_ref(ty.mirror.get()));
            f.set_phase(2);
            link_method_handle(vm, f, class, reference_kind, reference)
        }
        1 => {
            f.set_slot(0, f.result());
            f.set_phase(2);
            link_method_handle(vm, f, class, reference_kind, reference)
        }
        2 => {
            let owner = vm.resolve_class(class, member.class)?;
            let name = vm.intern_symbol(member.name)?;
            f.set_phase(3);
            let method = vm.method(
                vm.known.method_handle_natives,
                "linkMethodHandleConstant",
                "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
            );
            let args = vec![
                from_ref(class.mirror.get()),
                reference_kind as u64,
                from_ref(owner.mirror.get()),
                from_ref(name),
                f.slot(0),
            ];
            call(method, args)
        }
        _ => Ok(f.result()),
    }
}

/// The member must exist before the types in its descriptor are loaded.
fn check_member(
    vm: &mut Vm,
    class: ClassPtr,
    owner: ClassPtr,
    reference_kind: u32,
    member: &MemberRef,
) -> Res<()> {
    let owner = if owner.is_array() { vm.known.object } else { owner };
    let q = Query { owner, name: member.name, desc: member.desc, caller: Some(class) };
    vm.link(owner)?;
    match reference_kind {
        kind::INVOKE_VIRTUAL => {
            let found = vm.lookup(owner, member.name, member.desc);
            if !found.is_some_and(|m| m.flags.signature_polymorphic) {
                vm.query_virtual(q)?;
            }
        }
        kind::INVOKE_STATIC => {
            vm.query_static(q)?;
        },
        kind::INVOKE_SPECIAL | kind::NEW_INVOKE_SPECIAL => {
            vm.query_special(q)?;
        },
        kind::INVOKE_INTERFACE => {
            vm.query_interface(q)?;
        },
        _ => {
            if find_field(owner, member.name, member.desc).is_none() {
                return throw("java/lang/NoSuchFieldError", vm.text(member.name));
            }
        }
    }
    Ok(())
}

fn inconsistent(
    vm: &mut Vm,
    owner: ClassPtr,
    member: &MemberRef,
    index: u16,
) -> String {
    let name = vm.external_name(owner);
    let text = vm.method_text(owner, member.name, member.desc).replacen(&format!("{name}."), "", 1);
    let (is, should) = if owner.is_interface() {
        ("CONSTANT_MethodRef", "CONSTANT_InterfaceMethodRef")
    } else {
        ("CONSTANT_InterfaceMethodRef", "CONSTANT_MethodRef")
    };
    format!(
        "Inconsistent constant pool data in classfile for class {}. Method '{text}' at index {index} is {is} and should be {should}",
        vm.name(owner)
    )
}

fn link_dynamic(vm: &mut Vm, f: Frame, class: ClassPtr, index: u16) -> Res<u64> {
    if f.phase() != 0 {
        return Ok(f.result());
    }
    let handle = vm.bootstrap_handle(class, index);
    let bsm = Ref(vm.resolve_constant(class, handle)? as u32);
    let member = vm.member_ref(class, index);
    let ty = vm.load_descriptor(class.loader, vm.symbols.bytes(member.desc))?;
    let arguments = vm.static_arguments(class, index, bsm)?;
    let name = vm.intern_symbol(member.name)?;
    f.set_phase(1);
    let method = vm.method(
        vm.known.method_handle_natives,
        "linkDynamicConstant",
        "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
    );
    let args = vec![
        from_ref(class.mirror.get()),
        index as u64,
        from_ref(bsm),
        from_ref(name),
        from_ref(ty.mirror.get()),
        from_ref(arguments),
    ];
    call(method, args)
}

/// A call of `MethodHandle.invoke`, `invokeExact` or a VarHandle accessor; arguments:
/// class, pool index of the method reference.
fn link_handle_call(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = class_arg(vm, f);
    let index = f.raw(1) as u16;
    let member = vm.member_ref(class, index);
    match f.phase() {
        0 => {
            f.set_phase(1);
            vm.call_method_type(class, member.desc)
        }
        1 => {
            f.set_slot(0, f.result());
            f.set_phase(2);
            link_handle_call(vm, f)
        }
        2 => {
            let owner = vm.resolve_class(class, member.class)?;
            let name = vm.intern_symbol(member.name)?;
            let appendix = vm.new_ref_array(vm.known.object, &[Ref::NULL])?;
            f.set_slot(1, from_ref(appendix));
            f.set_phase(3);
            let method = vm.method(
                vm.known.method_handle_natives,
                "linkMethod",
                "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/invoke/MemberName;",
            );
            let args = vec![
                from_ref(class.mirror.get()),
                kind::INVOKE_VIRTUAL as u64,
                from_ref(owner.mirror.get()),
                from_ref(name),
                f.slot(0),
                from_ref(appendix),
            ];
            call(method, args)
        }
        _ => {
            let (method, appendix) = vm.unpack(f.result_ref(), f.slot_ref(1))?;
            let site = Site::Handle { class: class.id.0, index };
            if !vm.call_sites.contains_key(&site) {
                vm.set_call_site(site, Resolved::CallSite(method, appendix));
            }
            Ok(0)
        }
    }
}

/// A class entry whose loader has to run; arguments: class, pool index, loader, name.
fn load_class(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() == 0 {
        f.set_phase(1);
        return call_catching(vm.stubs().load, vec![f.raw(2), f.raw(3), 1]);
    }
    let thrown = f.take_exception();
    if thrown.is_null() {
        return Ok(0);
    }
    let class = class_arg(vm, f);
    let index = f.raw(1) as u16;
    if is_linkage_error(vm, thrown)? && !vm.is_resolved(class, index) {
        vm.set_resolved(class, index, Resolved::Failed(thrown));
    }
    trap(Trap::Throw(thrown))
}

/// Throws an error like one from before; arguments: that one, whether with a cause.
fn fail_again(vm: &mut Vm, f: Frame) -> Res<u64> {
    let error = f.reference(0);
    let Some((class, message)) = vm.like(error) else { return trap(Trap::Throw(error)) };
    let old = vm.heap.get_ref(error, vm.known.throwable_cause);
    if f.phase() == 0 && f.bool(1) && !old.is_null() && old != error {
        let Some((class, message)) = vm.like(old) else { return trap(Trap::Throw(error)) };
        let name = vm.symbol(class);
        let message = match message {
            Some(text) => vm.new_string(&text)?,
            None => Ref::NULL,
        };
        f.set_phase(1);
        let args = vec![name.0 as u64, from_ref(message), 0];
        return call_catching(vm.stubs().throw, args);
    }
    let cause = f.take_exception();
    trap(Trap::ThrowNew { class, message, cause })
}

/// The MethodType of a descriptor; arguments: the class that names it, the descriptor.
fn method_type(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() != 0 {
        return Ok(f.result());
    }
    let class = class_arg(vm, f);
    let desc = vm.symbols.bytes(Symbol(f.raw(1) as u32));
    let mut types = Vec::with_capacity(basic_types(desc).0.len() + 1);
    let mut at = 1;
    while at < desc.len() {
        if desc[at] == b')' {
            at += 1;
            continue;
        }
        let start = at;
        while desc[at] == b'[' {
            at += 1;
        }
        if desc[at] == b'L' {
            while desc[at] != b';' {
                at += 1;
            }
        }
        at += 1;
        let found = vm.load_descriptor(class.loader, &desc[start..at])?;
        vm.check_class_access(class, found)?;
        types.push(found.mirror.get());
    }
    let returns = types.pop().expect("heddle internal error: descriptor without result");
    let params = vm.new_ref_array(vm.known.class, &types)?;
    f.set_phase(1);
    let method = vm.method(
        vm.known.method_handle_natives,
        "findMethodHandleType",
        "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;",
    );
    call(method, vec![from_ref(returns), from_ref(params)])
}

/// The exception in slot 0 as a failed bootstrap throws it: an Error as it is, anything
/// else inside a BootstrapMethodError. Uses phases from 2 on.
fn wrapped(vm: &mut Vm, f: Frame) -> Res<Ref> {
    let thrown = f.slot_ref(0);
    if vm.is_instance(thrown, vm.known.error) {
        return Ok(thrown);
    }
    if f.phase() == 3 {
        return Ok(f.slot_ref(1));
    }
    let class = vm.load_boot("java/lang/BootstrapMethodError")?;
    vm.ensure_initialized(class)?;
    let object = vm.new_object(class)?;
    f.set_slot(1, from_ref(object));
    f.set_phase(3);
    let init = vm.method(class, "<init>", "(Ljava/lang/Throwable;)V");
    call(init, vec![from_ref(object), from_ref(thrown)])
}

fn is_linkage_error(vm: &mut Vm, error: Ref) -> Res<bool> {
    let class = vm.load_boot("java/lang/LinkageError")?;
    Ok(vm.is_instance(error, class))
}
