//! Code that runs when a method reference is called.
//!
//! What a call site of `LambdaMetafactory` makes is an object of a class that the JVM spins,
//! and that class calls the method that the site refers to: there is no bytecode of the
//! program before that call. So the site is made to refer to a new method of this class,
//! which runs the code and calls the other one, as compilers do it for lambda expressions.
//!
//! Left out: `altMetafactory`, by which lambdas are serializable: what was written by name
//! is read by name.

use super::{ClassEdit, EditError, Kind, NewMethod, Snippet};
use crate::class::access;
use crate::code::{Operand, decode};
use crate::descriptor::{FieldType, MethodDescriptor, split_type};
use crate::opcode::{DUP, INVOKEINTERFACE, INVOKESPECIAL, INVOKESTATIC, INVOKEVIRTUAL, RETURN};
use crate::pool::Constant;

/// Kinds of method handles (JVMS table 5.4.3.5-A).
const VIRTUAL: u8 = 5;
const STATIC: u8 = 6;
const SPECIAL: u8 = 7;
const NEW: u8 = 8;
const INTERFACE: u8 = 9;

/// A method that a call site refers to.
struct Referred<'c> {
    kind: u8,
    reference: u16,
    owner: &'c [u8],
    desc: &'c [u8],
}

impl<'c> ClassEdit<'c> {
    /// Has snippets run before and after the method to which the call site at `pc` refers, each
    /// time that what the site made is called. Whether there is such a site; if not, nothing
    /// changes.
    pub fn around_referred(
        &mut self,
        method: usize,
        pc: u32,
        around: [&Snippet; 2],
    ) -> Result<bool, EditError> {
        let class = self.class;
        let Some((site, referred)) = self.site(method, pc) else {
            return Ok(false);
        };
        let (bootstrap, interface_method, made) = class.pool.dynamic(site);
        let Some(desc) = through(made, &referred) else {
            return Ok(false);
        };
        let name = format!("heddle$referred${}", self.new_methods.len()).into_bytes();
        let Some(body) = self.body(&desc, &referred, around) else {
            return Ok(false);
        };
        self.add_method(NewMethod {
            access: access::PRIVATE | access::STATIC | access::SYNTHETIC,
            name: name.clone(),
            desc: desc.clone(),
            body: Some(body),
        });
        let constants = &mut self.constants;
        let reference = match class.access & access::INTERFACE {
            0 => constants.method_ref(class.name(), name, desc),
            _ => constants.interface_method_ref(class.name(), name, desc),
        };
        let old = &class.bootstrap_methods[usize::from(bootstrap)];
        let mut arguments = old.args.clone();
        arguments[1] = constants.method_handle(STATIC, reference);
        let bootstrap = self.add_bootstrap(old.handle, arguments);
        let site = (self.constants).invoke_dynamic(bootstrap, interface_method, made);
        let snippet = self.snippet().invoke_dynamic(site, made).done();
        self.code(method)?.replace(pc, &snippet);
        Ok(true)
    }

    /// The class whose method the call site at `pc` refers to, if it is one of the metafactory.
    pub fn referred_owner(&self, method: usize, pc: u32) -> Option<&'c [u8]> {
        self.site(method, pc).map(|(_, referred)| referred.owner)
    }

    /// The constant of a call site of the metafactory, and to what it refers.
    fn site(&self, method: usize, pc: u32) -> Option<(u16, Referred<'c>)> {
        let class = self.class;
        let code = class.methods.get(method)?.code.as_ref()?;
        let insn = decode(class.code_bytes(code), pc as usize).ok()?;
        let Operand::Dynamic { index: site, .. } = insn.operand else {
            return None;
        };
        let Constant::InvokeDynamic { bootstrap, .. } = class.pool.get(site) else {
            return None;
        };
        let bootstrap = class.bootstrap_methods.get(usize::from(bootstrap))?;
        let Constant::MethodHandle { reference, .. } = class.pool.get(bootstrap.handle) else {
            return None;
        };
        let (owner, name, _) = class.pool.try_member(reference)?;
        if (owner, name) != (b"java/lang/invoke/LambdaMetafactory", b"metafactory") {
            return None;
        }
        let Constant::MethodHandle { kind, reference } = class.pool.get(*bootstrap.args.get(1)?)
        else {
            return None;
        };
        let (owner, _, desc) = class.pool.try_member(reference)?;
        let referred = Referred {
            kind,
            reference,
            owner,
            desc,
        };
        Some((site, referred))
    }

    /// The call with all parameters, between two snippets.
    fn body(
        &mut self,
        desc: &[u8],
        referred: &Referred<'_>,
        [before, after]: [&Snippet; 2],
    ) -> Option<Snippet> {
        let signature = MethodDescriptor::parse(desc)?;
        let opcode = match (referred.kind, self.class.pool.get(referred.reference)) {
            (STATIC, _) => INVOKESTATIC,
            (NEW | SPECIAL, _) => INVOKESPECIAL,
            (_, Constant::InterfaceMethodRef { .. }) => INVOKEINTERFACE,
            _ => INVOKEVIRTUAL,
        };
        let mut body = self.snippet();
        body.append(before);
        if referred.kind == NEW {
            body.new_object(referred.owner).op(DUP);
        }
        let mut local = 0;
        for (number, parameter) in signature.parameters().enumerate() {
            let kind = Kind::of(parameter);
            body.load(kind, local);
            let receiver = number == 0 && opcode != INVOKESTATIC && referred.kind != NEW;
            // What was captured may be declared as something else that fits.
            if receiver && parameter != FieldType::Object(referred.owner) {
                body.check_cast(referred.owner);
            }
            local += kind.slots();
        }
        body.invoke(opcode, referred.reference, referred.desc);
        body.append(after);
        let end = signature
            .result
            .map_or(RETURN, |ty| Kind::of(ty).return_opcode());
        Some(body.op(end).done())
    }
}

/// The descriptor of a static method that takes what a call site captures and then the
/// other parameters of the method that it refers to, the receiver included.
fn through(made: &[u8], referred: &Referred<'_>) -> Option<Vec<u8>> {
    let captured = types(made)?.0;
    let (mut all, mut result) = types(referred.desc)?;
    let owner = match referred.owner.first()? {
        b'[' => referred.owner.to_vec(),
        _ => [b"L", referred.owner, b";"].concat(),
    };
    match referred.kind {
        STATIC => {}
        NEW => result = &owner,
        VIRTUAL | SPECIAL | INTERFACE => all.insert(0, &owner),
        // Fields.
        _ => return None,
    }
    let rest = all.get(captured.len()..)?;
    let all = [&captured[..], rest].concat().concat();
    Some([b"(", &all[..], b")", result].concat())
}

/// The parameters of a descriptor, and its result.
fn types(desc: &[u8]) -> Option<(Vec<&[u8]>, &[u8])> {
    let mut rest = desc.strip_prefix(b"(")?;
    let mut found = Vec::new();
    while !rest.starts_with(b")") {
        let (_, after) = split_type(rest)?;
        found.push(&rest[..rest.len() - after.len()]);
        rest = after;
    }
    Some((found, &rest[1..]))
}
