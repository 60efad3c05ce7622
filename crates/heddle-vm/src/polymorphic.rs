//! The signature-polymorphic intrinsics of MethodHandle: `invokeBasic` and the
//! `linkTo…` methods, one [`Method`](crate::class::Method) per name and basic
//! type, made when first asked for.
//!
//! Their whole body is one instruction; the interpreter finds the target with
//! the functions below and goes on in it with the arguments where they are.
//! `invoke`, `invokeExact` and the VarHandle accessors are not here: they are
//! linked per call type by Java code (`linkage.rs`).

use crate::class::{Basic, MethodFlags, MethodPtr, access};
use crate::heap::Ref;
use crate::isa::{Op, insn};
use crate::symbol::Symbol;
use crate::vm::Vm;

static INVOKE_BASIC: [u64; 1] = [insn(Op::InvokeBasic, 0, 0, 0)];
static LINK_TO_STATIC: [u64; 1] = [insn(Op::LinkToStatic, 0, 0, 0)];
static LINK_TO_VIRTUAL: [u64; 1] = [insn(Op::LinkToVirtual, 0, 0, 0)];
static LINK_TO_SPECIAL: [u64; 1] = [insn(Op::LinkToSpecial, 0, 0, 0)];
static LINK_TO_INTERFACE: [u64; 1] = [insn(Op::LinkToInterface, 0, 0, 0)];

/// What a signature-polymorphic name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polymorphic {
    /// `invokeBasic`: an instance method, done by the interpreter.
    Basic,
    /// `linkTo…`: a static method, done by the interpreter.
    LinkTo,
    /// `invoke`, `invokeExact`, VarHandle accessors: Java code makes the adapter.
    Linked,
}

/// Classifies the name of a signature-polymorphic method.
pub fn kind_of(name: &[u8]) -> Polymorphic {
    match name {
        b"invokeBasic" => Polymorphic::Basic,
        b"linkToStatic" | b"linkToVirtual" | b"linkToSpecial" | b"linkToInterface" => {
            Polymorphic::LinkTo
        }
        _ => Polymorphic::Linked,
    }
}

impl Vm {
    /// The intrinsic `name` for calls of type `desc`; all types with the same basic type
    /// share one.
    pub fn polymorphic_method(&mut self, name: Symbol, desc: Symbol) -> MethodPtr {
        if let Some(&found) = self.polymorphic.get(&(name, desc)) {
            return found;
        }
        let text = self.symbols.bytes(name);
        let is_static = kind_of(text) == Polymorphic::LinkTo;
        let basic = basic_descriptor(self.symbols.bytes(desc), is_static);
        let basic = self.symbols.intern(&basic);
        if basic != desc {
            let method = self.polymorphic_method(name, basic);
            self.polymorphic.insert((name, desc), method);
            return method;
        }
        let code = match text {
            b"invokeBasic" => &INVOKE_BASIC,
            b"linkToStatic" => &LINK_TO_STATIC,
            b"linkToVirtual" => &LINK_TO_VIRTUAL,
            b"linkToSpecial" => &LINK_TO_SPECIAL,
            b"linkToInterface" => &LINK_TO_INTERFACE,
            _ => panic!("heddle internal error: {} is no intrinsic", self.text(name)),
        };
        // Not marked native: its frame is no native's and has no scratch space in use.
        let mut flags = access::SYNTHETIC | access::FINAL;
        if is_static {
            flags |= access::STATIC;
        }
        let facts = MethodFlags {
            hidden: true,
            signature_polymorphic: true,
            ..MethodFlags::default()
        };
        let class = self.known.method_handle;
        let method = self.make_method(class, name, desc, flags, u16::MAX, None, facts);
        method.code.set(code.as_ptr());
        self.polymorphic.insert((name, desc), method);
        method
    }

    /// The method that a resolved MemberName stands for.
    pub fn member_target(&self, member: Ref) -> MethodPtr {
        let resolved = self.heap.get_ref(member, self.known.member_method);
        let id: u64 = self.heap.get(resolved, self.known.resolved_vmtarget);
        self.methods[id as usize - 1]
    }

    /// The method that runs a method handle: the entry of its form.
    pub fn handle_target(&self, handle: Ref) -> MethodPtr {
        let form = self.heap.get_ref(handle, self.known.handle_form);
        let entry = self.heap.get_ref(form, self.known.form_entry);
        self.member_target(entry)
    }
}

/// A descriptor with references erased to Object and small integers to int; the last
/// parameter of `linkTo…` (the MemberName) keeps its type.
fn basic_descriptor(desc: &[u8], keep_last: bool) -> Vec<u8> {
    let mut basic = vec![b'('];
    let mut last = (0, 0, 0);
    let mut at = 1;
    while desc[at] != b')' {
        let start = at;
        let before = basic.len();
        at = erase(desc, at, &mut basic);
        last = (start, at, before);
    }
    if keep_last && last.1 > 0 {
        basic.truncate(last.2);
        basic.extend(&desc[last.0..last.1]);
    }
    basic.push(b')');
    erase(desc, at + 1, &mut basic);
    basic
}

fn erase(desc: &[u8], mut at: usize, out: &mut Vec<u8>) -> usize {
    match Basic::of(desc[at]) {
        Basic::Reference => {
            while desc[at] == b'[' {
                at += 1;
            }
            if desc[at] == b'L' {
                while desc[at] != b';' {
                    at += 1;
                }
            }
            out.extend(b"Ljava/lang/Object;");
        }
        Basic::Boolean | Basic::Byte | Basic::Char | Basic::Short => out.push(b'I'),
        other => out.push(other.char()),
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_erased() {
        let basic =
            |d: &str, keep| String::from_utf8(basic_descriptor(d.as_bytes(), keep)).expect("ASCII");
        assert_eq!(
            basic("(Ljava/lang/String;ZJ[[I)S", false),
            "(Ljava/lang/Object;IJLjava/lang/Object;)I"
        );
        assert_eq!(
            basic("([BLjava/lang/invoke/MemberName;)V", true),
            "(Ljava/lang/Object;Ljava/lang/invoke/MemberName;)V"
        );
        assert_eq!(basic("()D", true), "()D");
    }
}
