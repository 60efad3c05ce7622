//! Linking of call sites: `invokedynamic` (JVMS 5.4.3.6) and calls of
//! signature-polymorphic methods. Constants are in `constants.rs`; lambdas, string
//! concatenations and records have short cuts in files of their own.
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

use crate::class::{ClassPtr, MethodPtr, Resolved};
use crate::constants;
use crate::heap::{ClassId, Ref};
use crate::make_class::basic_types;
use crate::member::kind;
use crate::native::{Frame, Res, Trap, call, call_catching, from_ref, throw};
use crate::polymorphic::{Polymorphic, kind_of};
use crate::symbol::Symbol;
use crate::upcall::stub;
use crate::vm::{Vm, trap};

/// The stubs of this file.
#[derive(Clone, Copy)]
pub struct LinkStubs {
    site: MethodPtr,
    site_inner: MethodPtr,
    pub(crate) constant: MethodPtr,
    pub(crate) constant_inner: MethodPtr,
    pub(crate) handle_call: MethodPtr,
    method_type: MethodPtr,
    constant_adapter: MethodPtr,
    fail_again: MethodPtr,
    load_class: MethodPtr,
}

impl LinkStubs {
    pub fn make(vm: &mut Vm) -> LinkStubs {
        LinkStubs {
            site: stub(vm, "<link site>", "(IIII)V", link_site),
            site_inner: stub(
                vm,
                "<link site>",
                "(IIII)Ljava/lang/Object;",
                link_site_inner,
            ),
            constant: stub(vm, "<link constant>", "(II)V", constants::link_constant),
            constant_inner: stub(
                vm,
                "<link constant>",
                "(II)Ljava/lang/Object;",
                constants::link_constant_inner,
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
        match self
            .call_sites
            .get(&Site::Dynamic {
                method: method.id,
                at: site,
            })
            .copied()
        {
            Some(Resolved::CallSite(adapter, appendix)) => Ok((adapter, appendix)),
            Some(Resolved::Failed(error)) => self.fail_again(error, false),
            _ => {
                let args = vec![
                    class.id.0 as u64,
                    index as u64,
                    site as u64,
                    method.id as u64,
                ];
                call(self.stubs().link.site, args)
            }
        }
    }

    /// The linked method and appendix (null: none) of a call of a signature-polymorphic
    /// method. Access to the method must have been checked.
    pub fn resolve_handle_call(&mut self, class: ClassPtr, index: u16) -> Res<(MethodPtr, Ref)> {
        let site = Site::Handle {
            class: class.id.0,
            index,
        };
        if let Some(&Resolved::CallSite(adapter, appendix)) = self.call_sites.get(&site) {
            return Ok((adapter, appendix));
        }
        let member = self.member_ref(class, index);
        if kind_of(self.symbols.bytes(member.name)) != Polymorphic::Linked {
            return Ok((self.polymorphic_method(member.name, member.desc), Ref::NULL));
        }
        call(
            self.stubs().link.handle_call,
            vec![class.id.0 as u64, index as u64],
        )
    }

    /// Throws again what the first attempt ended with: a new error of the same class with
    /// the same message, and for constants a new cause, as HotSpot does.
    pub fn fail_again<T>(&mut self, error: Ref, with_cause: bool) -> Res<T> {
        call(
            self.stubs().link.fail_again,
            vec![from_ref(error), with_cause as u64],
        )
    }

    /// Lets a loader load a class that a pool entry names.
    pub fn load_for_entry<T>(
        &mut self,
        class: ClassPtr,
        index: u16,
        loader: Ref,
        name: Symbol,
    ) -> Res<T> {
        let args = vec![
            class.id.0 as u64,
            index as u64,
            from_ref(loader),
            name.0 as u64,
        ];
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

    pub(crate) fn call_method_type<T>(&mut self, class: ClassPtr, desc: Symbol) -> Res<T> {
        call(
            self.stubs().link.method_type,
            vec![class.id.0 as u64, desc.0 as u64],
        )
    }

    /// Method and appendix of what a linking method of the JDK answered.
    fn unpack(&mut self, member: Ref, appendix: Ref) -> Res<(MethodPtr, Ref)> {
        if member.is_null()
            || self
                .heap
                .get_ref(member, self.known.member_method)
                .is_null()
        {
            return throw(
                "java/lang/LinkageError",
                "bad value from MethodHandleNatives",
            );
        }
        Ok((self.member_target(member), self.heap.element(appendix, 0)))
    }
}

// ---- stubs ------------------------------------------------------------------------------

pub(crate) fn class_arg(vm: &Vm, f: Frame) -> ClassPtr {
    vm.class(ClassId(f.raw(0) as u32))
}

/// An `invokedynamic` instruction; arguments: class, pool index, bytecode index, method.
fn link_site(vm: &mut Vm, f: Frame) -> Res<u64> {
    let site = Site::Dynamic {
        method: f.raw(3) as u32,
        at: f.raw(2) as u32,
    };
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
    let site = Site::Dynamic {
        method: f.raw(3) as u32,
        at: f.raw(2) as u32,
    };
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
            let site = Site::Handle {
                class: class.id.0,
                index,
            };
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
    let Some((class, message)) = vm.like(error) else {
        return trap(Trap::Throw(error));
    };
    let old = vm.heap.get_ref(error, vm.known.throwable_cause);
    if f.phase() == 0 && f.bool(1) && !old.is_null() && old != error {
        let Some((class, message)) = vm.like(old) else {
            return trap(Trap::Throw(error));
        };
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
    trap(Trap::ThrowNew {
        class,
        message,
        cause,
    })
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
    let returns = types
        .pop()
        .expect("heddle internal error: descriptor without result");
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
pub(crate) fn wrapped(vm: &mut Vm, f: Frame) -> Res<Ref> {
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

pub(crate) fn is_linkage_error(vm: &mut Vm, error: Ref) -> Res<bool> {
    let class = vm.load_boot("java/lang/LinkageError")?;
    Ok(vm.is_instance(error, class))
}

/// What a short cut answers, `None` where it would throw: the general path throws it then.
pub fn unless_it_throws<T>(linked: Res<Option<T>>) -> Res<Option<T>> {
    match linked {
        Err(trap) if matches!(*trap, Trap::Throw(_) | Trap::ThrowNew { .. }) => Ok(None),
        other => other,
    }
}
