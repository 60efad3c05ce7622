//! Constants that Java code makes: MethodHandle, MethodType and Dynamic (JVMS
//! 5.4.3.5, 5.4.3.6), and the static arguments of bootstrap methods.
//!
//! As in `linkage.rs`, the work is done by the JDK, called from stubs; the result
//! (or the failure) ends up in the class's table of resolved constants.

use crate::class::{Basic, ClassPtr, Resolved};
use crate::heap::{ELEMENTS, Ref};
use crate::linkage::{class_arg, is_linkage_error, wrapped};
use crate::member::{Query, kind};
use crate::native::{Frame, Res, Trap, call, call_catching, from_int, from_ref, throw};
use crate::resolve::{MemberRef, find_field};
use crate::vm::{Vm, trap};
use heddle_classfile::Constant;

impl Vm {
    /// The value of a loadable constant: String, Class, MethodHandle, MethodType, Dynamic.
    pub fn resolve_constant(&mut self, class: ClassPtr, index: u16) -> Res<u64> {
        match self.resolved(class, index) {
            Resolved::Object(object) => return Ok(from_ref(object)),
            Resolved::Value(value) => return Ok(value),
            Resolved::Class(found) => return Ok(from_ref(found.mirror.get())),
            Resolved::Failed(error) => return self.fail_again(error, true),
            _ => {}
        }
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
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
            | Constant::Dynamic { .. } => call(
                self.stubs().link.constant,
                vec![class.id.0 as u64, index as u64],
            ),
            other => panic!("heddle internal error: {other:?} is not loadable"),
        }
    }

    /// Pool indexes of the static arguments of a dynamic entry; `None` if it is not one.
    pub fn bootstrap_arguments(&self, class: ClassPtr, index: i32) -> Option<&'static [u16]> {
        let file = class.file.as_ref()?;
        let index = u16::try_from(index).ok()?;
        match file.pool.get(index) {
            Constant::Dynamic { bootstrap, .. } | Constant::InvokeDynamic { bootstrap, .. } => file
                .bootstrap_methods
                .get(bootstrap as usize)
                .map(|b| &b.args[..]),
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
    pub fn bootstrap_part(&mut self, f: Frame, class: ClassPtr, index: u16, part: i32) -> Res<Ref> {
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
                let count = self
                    .bootstrap_arguments(class, index as i32)
                    .map_or(0, |a| a.len());
                self.box_value(Basic::Int, count as u64)
            }
        }
    }

    pub(crate) fn bootstrap_handle(&self, class: ClassPtr, index: u16) -> u16 {
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let (bootstrap, _, _) = file.pool.dynamic(index);
        file.bootstrap_methods[bootstrap as usize].handle
    }

    /// Static arguments as `linkCallSite` and `linkDynamicConstant` take them: null for
    /// none, a single one naked, an array, or (count, pool index) for Java to pull.
    pub(crate) fn static_arguments(&mut self, class: ClassPtr, index: u16, bsm: Ref) -> Res<Ref> {
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
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        file.pool.get(index)
    }
}

/// A constant; arguments: class, pool index.
pub(crate) fn link_constant(vm: &mut Vm, f: Frame) -> Res<u64> {
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
            let error = if dynamic {
                wrapped(vm, f)?
            } else {
                f.slot_ref(0)
            };
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

pub(crate) fn link_constant_inner(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = class_arg(vm, f);
    let index = f.raw(1) as u16;
    match vm.constant(class, index) {
        Constant::MethodType { desc } => {
            if f.phase() == 0 {
                let file = class
                    .file
                    .as_ref()
                    .expect("heddle internal error: class without file");
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
    let owner = if owner.is_array() {
        vm.known.object
    } else {
        owner
    };
    let q = Query {
        owner,
        name: member.name,
        desc: member.desc,
        caller: Some(class),
    };
    vm.link(owner)?;
    let callee = match reference_kind {
        kind::INVOKE_VIRTUAL => {
            let found = vm.lookup(owner, member.name, member.desc);
            if found.is_some_and(|m| m.flags.signature_polymorphic) {
                return Ok(());
            }
            vm.query_virtual(q)?
        }
        kind::INVOKE_STATIC => vm.query_static(q)?,
        kind::INVOKE_SPECIAL | kind::NEW_INVOKE_SPECIAL => vm.query_special(q)?,
        kind::INVOKE_INTERFACE => vm.query_interface(q)?,
        _ => {
            let Some(found) = find_field(owner, member.name, member.desc) else {
                return throw("java/lang/NoSuchFieldError", vm.text(member.name));
            };
            return vm.constrain_field(class, found.class, member.name, member.desc);
        }
    };
    vm.constrain_method(class, owner, callee.method)
}

fn inconsistent(vm: &mut Vm, owner: ClassPtr, member: &MemberRef, index: u16) -> String {
    let name = vm.external_name(owner);
    let text = vm
        .method_text(owner, member.name, member.desc)
        .replacen(&format!("{name}."), "", 1);
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
