//! Instructions that name a field or method (JVMS 4.10.1.8, 4.10.1.9).

use super::method::MethodVerifier;
use super::report::{self, Fault, Origin};
use super::types::{OBJECT, Type};
use super::{Checked, Member};
use crate::code::Operand;
use crate::descriptor::{MethodDescriptor, parse_field};
use crate::opcode::*;
use crate::pool::tag;

impl<'a> MethodVerifier<'a> {
    pub fn field(&mut self, op: u8, index: u16) -> Checked<()> {
        self.pool_index(index)?;
        let pool = &self.class.pool;
        if pool.tag(index) != tag::FIELD_REF {
            return Err(self.pool_kind(index));
        }
        let (class_name, name, desc) = pool.member(index);
        let class = Type::of_name(class_name);
        let at = self.frame.offset;
        let is_static = op == GETSTATIC || op == PUTSTATIC;
        if class.is_array() && !is_static {
            let external = report::external(self.class.name());
            let message = format!(
                "Expecting reference to class in class {external} at constant pool index {index}"
            );
            let fault = Fault::Type {
                at,
                found: Origin::pool(index, class),
                wanted: None,
            };
            return Err(self.error(fault, message));
        }
        let Some(ty) = parse_field(desc).map(Type::of_field) else {
            // Only in classes that were parsed in trust.
            return Err(self.pool_kind(index));
        };
        if op == PUTSTATIC || op == PUTFIELD {
            self.pop_words(ty)?;
        }
        if !is_static {
            // HotSpot first pops whatever there is when it stores.
            let mut receiver = if op == PUTFIELD {
                self.pop_any()?
            } else {
                self.pop(class)?
            };
            // A constructor may set its own fields before it calls another.
            if op == PUTFIELD
                && receiver == Type::UninitializedThis
                && class == self.this
                && self.class.field(name, desc).is_some()
            {
                receiver = self.this;
            }
            if op == PUTFIELD && !class.accepts(receiver, self.env)? {
                let fault = Fault::Type {
                    at,
                    found: self.popped(),
                    wanted: Some(Origin::pool(index, class)),
                };
                return Err(self.error(fault, "Bad type on operand stack in putfield"));
            }
            self.check_protected(class_name, Member::Field(name, desc), receiver, "getfield")?;
        }
        if op == GETSTATIC || op == GETFIELD {
            self.push_words(ty)?;
        }
        Ok(())
    }

    /// A protected member of another package may only be used on objects of
    /// the current class (JVMS 4.10.1.8).
    fn check_protected(
        &self,
        class: &[u8],
        member: Member<'_>,
        receiver: Type<'a>,
        insn: &str,
    ) -> Checked<()> {
        if receiver == self.this || !self.env.has_superclass(class) {
            return Ok(());
        }
        if !self.env.is_protected_elsewhere(class, member)? {
            return Ok(());
        }
        // Arrays seem to have a public clone().
        if let Member::Method(b"clone", _) = member
            && class == OBJECT
            && receiver.is_array()
        {
            return Ok(());
        }
        if self.this.accepts_receiver(receiver, self.env)? {
            return Ok(());
        }
        let fault = Fault::Type {
            at: self.frame.offset,
            found: self.popped(),
            wanted: Some(Origin::implicit(self.this)),
        };
        Err(self.error(fault, format!("Bad access to protected data in {insn}")))
    }

    pub fn invoke(&mut self, op: u8, operand: Operand<'a>) -> Checked<()> {
        let index = match operand {
            Operand::Constant(index)
            | Operand::Interface { index, .. }
            | Operand::Dynamic { index, .. } => index,
            _ => 0,
        };
        self.pool_index(index)?;
        let pool = &self.class.pool;
        let right = match (op, pool.tag(index)) {
            (INVOKEDYNAMIC, found) => found == tag::INVOKE_DYNAMIC,
            (INVOKEINTERFACE, found) => found == tag::INTERFACE_METHOD_REF,
            (INVOKESPECIAL | INVOKESTATIC, tag::INTERFACE_METHOD_REF) => self.class.major >= 52,
            (_, found) => found == tag::METHOD_REF,
        };
        if !right {
            return Err(self.pool_kind(index));
        }
        let (class_name, name, desc) = if op == INVOKEDYNAMIC {
            let (_, name, desc) = pool.dynamic(index);
            (OBJECT, name, desc)
        } else {
            pool.member(index)
        };
        let class = Type::of_name(class_name);
        let Some(signature) = MethodDescriptor::parse(desc) else {
            // Only in classes that were parsed in trust.
            return Err(self.pool_kind(index));
        };
        self.check_call(op, operand, index, class, name, signature.slots)?;

        let parameters: Vec<_> = signature.parameters().collect();
        for &parameter in parameters.iter().rev() {
            self.pop_words(Type::of_field(parameter))?;
        }
        match op {
            INVOKESTATIC | INVOKEDYNAMIC => {}
            _ if name == b"<init>" => self.invoke_init(index, class, desc)?,
            INVOKESPECIAL => {
                self.pop(self.this)?;
            }
            _ => {
                let receiver = self.pop(class)?;
                if op == INVOKEVIRTUAL {
                    let member = Member::Method(name, desc);
                    self.check_protected(class_name, member, receiver, "invokevirtual")?;
                }
            }
        }
        match signature.result {
            Some(result) => self.push_words(Type::of_field(result)),
            None => Ok(()),
        }
    }

    /// What can be said without the stack.
    fn check_call(
        &self,
        op: u8,
        operand: Operand<'a>,
        index: u16,
        class: Type<'a>,
        name: &[u8],
        slots: u16,
    ) -> Checked<()> {
        match operand {
            Operand::Interface { count, .. } if u16::from(count) != slots + 1 => {
                return Err(self.bad_code("Inconsistent args count operand in invokeinterface"));
            }
            Operand::Interface { zero, .. } if zero != 0 => {
                return Err(self.bad_code("Fourth operand byte of invokeinterface must be zero"));
            }
            Operand::Dynamic { zero, .. } if zero != 0 => {
                return Err(
                    self.bad_code("Third and fourth operand bytes of invokedynamic must be zero")
                );
            }
            _ => {}
        }
        if name.first() == Some(&b'<') {
            if op != INVOKESPECIAL || name != b"<init>" {
                return Err(self.bad_code("Illegal call to internal method"));
            }
            return Ok(());
        }
        if op != INVOKESPECIAL || self.is_direct_super(class) {
            return Ok(());
        }
        if !class.accepts(self.this, self.env)? {
            return Err(self.bad_code(
                "Bad invokespecial instruction: current class isn't assignable to reference class.",
            ));
        }
        if self.class.pool.tag(index) == tag::INTERFACE_METHOD_REF {
            return Err(self.bad_code(
                "Bad invokespecial instruction: interface method reference is in an indirect \
                 superinterface.",
            ));
        }
        Ok(())
    }

    /// The class itself, its superclass or an interface that it names.
    fn is_direct_super(&self, class: Type<'a>) -> bool {
        let Type::Class(name) = class else {
            return false;
        };
        let mut interfaces = self.class.interfaces.iter();
        class == self.this
            || self.class.super_name() == Some(name)
            || interfaces.any(|&i| self.class.pool.class_name(i) == name)
    }

    fn invoke_init(&mut self, index: u16, class: Type<'a>, desc: &[u8]) -> Checked<()> {
        let at = self.frame.offset;
        match self.pop(Type::AnyReference)? {
            Type::UninitializedThis => {
                let super_class = self.class.super_name().map(Type::Class);
                if class != self.this && Some(class) != super_class {
                    let fault = Fault::Type {
                        at,
                        found: Origin::implicit(class),
                        wanted: Some(Origin::implicit(self.this)),
                    };
                    return Err(self.error(fault, "Bad <init> method call"));
                }
                // A handler must not let a half-made object escape.
                for handler in &self.code.handlers {
                    let range = u32::from(handler.start)..u32::from(handler.end);
                    if range.contains(&at) && !self.ends_in_athrow(handler.target) {
                        return Err(self.bad_code(
                            "Bad <init> method call from after the start of a try block",
                        ));
                    }
                }
                self.check_handler_frames(true)?;
                self.frame.initialize(Type::UninitializedThis, self.this);
                self.this_initialized_here = true;
            }
            Type::Uninitialized(place) => {
                let (new_index, made) = self.made_at(place)?;
                if made != class {
                    let fault = Fault::Type {
                        at,
                        found: Origin::pool(new_index, made),
                        wanted: Some(Origin::pool(index, class)),
                    };
                    return Err(self.error(fault, "Call to wrong <init> method"));
                }
                self.check_protected_init(new_index, class, desc)?;
                self.check_handler_frames(false)?;
                self.frame.initialize(Type::Uninitialized(place), made);
            }
            _ => {
                let fault = Fault::Type {
                    at,
                    found: self.popped(),
                    wanted: None,
                };
                return Err(self.error(fault, "Bad operand type when invoking <init>"));
            }
        }
        Ok(())
    }

    /// The class that the `new` at this place makes. Maps are only accepted if
    /// they name places of `new`.
    fn made_at(&self, place: u16) -> Checked<(u16, Type<'a>)> {
        let place = usize::from(place);
        let operand = self.bytes.get(place + 1..place + 3).unwrap_or(&[0, 0]);
        let index = u16::from_be_bytes([operand[0], operand[1]]);
        Ok((index, self.pool_class(index)?))
    }

    fn check_protected_init(&self, index: u16, class: Type<'a>, desc: &[u8]) -> Checked<()> {
        let Type::Class(name) = class else {
            return Ok(());
        };
        if !self.env.has_superclass(name) {
            return Ok(());
        }
        let member = Member::Method(b"<init>", desc);
        if !self.env.is_protected_elsewhere(name, member)?
            || self.this.accepts_receiver(class, self.env)?
        {
            return Ok(());
        }
        let fault = Fault::Type {
            at: self.frame.offset,
            found: Origin::pool(index, class),
            wanted: Some(Origin::implicit(self.this)),
        };
        Err(self.error(fault, "Bad access to protected <init> method"))
    }
}
