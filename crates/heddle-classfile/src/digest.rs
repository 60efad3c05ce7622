//! Digests of class files and of the code in them, to tell whether a program is still the
//! one that something was written about.
//!
//! The digest of a method's code is taken over what its instructions mean: constants by
//! value and by name, never by their number in the pool, which any other change of the
//! class shifts. Two methods have the same digest when a schedule that mentions bytecodes
//! of the one can be followed in the other: same instructions at the same indexes, same
//! handlers. Debug tables do not count.
//!
//! The hash is FNV-1a with 128 bits: against accidents, not against enemies.

use crate::class::{ClassFile, Method, access};
use crate::code::{Operand, decode};
use crate::pool::Constant;

/// A digest in the making.
#[derive(Clone, Copy, Debug)]
pub struct Digest(u128);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Digest {
    /// Adds bytes whose number is known from what was added before.
    pub fn add(&mut self, bytes: &[u8]) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(PRIME);
        }
    }

    /// Adds bytes and their number.
    pub fn text(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as i64);
        self.add(bytes);
    }

    pub fn number(&mut self, number: i64) {
        self.add(&number.to_le_bytes());
    }

    /// 16 hexadecimal digits.
    pub fn hex(&self) -> String {
        format!("{:016x}", (self.0 >> 64) as u64 ^ self.0 as u64)
    }
}

impl ClassFile {
    /// The digest of a method's code; `None` if it has none.
    pub fn code_digest(&self, method: &Method) -> Option<String> {
        let code = method.code.as_ref()?;
        let bytes = self.code_bytes(code);
        let mut digest = Digest::default();
        digest.number(i64::from(
            method.access & (access::SYNCHRONIZED | access::STATIC),
        ));
        let mut pc = 0;
        while pc < bytes.len() {
            let Ok(insn) = decode(bytes, pc) else {
                // Not code: what is there counts as it is.
                digest.text(&bytes[pc..]);
                break;
            };
            digest.number(i64::from(insn.opcode));
            self.add_operand(&mut digest, insn.operand);
            pc += insn.length as usize;
        }
        for handler in &code.handlers {
            for at in [handler.start, handler.end, handler.target] {
                digest.number(i64::from(at));
            }
            self.add_constant(&mut digest, handler.catch_type, 0);
        }
        Some(digest.hex())
    }

    fn add_operand(&self, digest: &mut Digest, operand: Operand<'_>) {
        match operand {
            Operand::None => {}
            Operand::Int(value) | Operand::Branch(value) => digest.number(i64::from(value)),
            Operand::ArrayType(code) => digest.number(i64::from(code)),
            Operand::Local(local) => digest.number(i64::from(local)),
            Operand::Increment { local, by } => {
                digest.number(i64::from(local));
                digest.number(i64::from(by));
            }
            Operand::Constant(index)
            | Operand::Interface { index, .. }
            | Operand::Dynamic { index, .. } => self.add_constant(digest, index, 0),
            Operand::MultiArray { index, dimensions } => {
                self.add_constant(digest, index, 0);
                digest.number(i64::from(dimensions));
            }
            Operand::Table(switch) => {
                digest.number(i64::from(switch.low));
                digest.number(i64::from(switch.default));
                switch
                    .targets()
                    .for_each(|target| digest.number(i64::from(target)));
            }
            Operand::Lookup(switch) => {
                digest.number(i64::from(switch.default));
                for (key, target) in switch.pairs() {
                    digest.number(i64::from(key));
                    digest.number(i64::from(target));
                }
            }
        }
    }

    /// What a constant is, as far as names go. Dynamic constants may name each other;
    /// nothing is looked up more than a few times in a row.
    fn add_constant(&self, digest: &mut Digest, index: u16, depth: u32) {
        const DEEPEST: u32 = 8;
        digest.number(i64::from(self.pool.tag(index)));
        let pool = &self.pool;
        match pool.get(index) {
            Constant::Unusable => {}
            Constant::Integer(value) => digest.number(i64::from(value)),
            Constant::Float(bits) => digest.number(i64::from(bits)),
            Constant::Long(value) => digest.number(value),
            Constant::Double(bits) => digest.number(bits as i64),
            Constant::Utf8(_) => digest.text(pool.utf8(index)),
            Constant::Class { name } | Constant::Module { name } | Constant::Package { name } => {
                digest.text(pool.utf8(name));
            }
            Constant::String { utf8 } => digest.text(pool.utf8(utf8)),
            Constant::MethodType { desc } => digest.text(pool.utf8(desc)),
            Constant::NameAndType { name, desc } => {
                digest.text(pool.utf8(name));
                digest.text(pool.utf8(desc));
            }
            Constant::FieldRef { class, nat }
            | Constant::MethodRef { class, nat }
            | Constant::InterfaceMethodRef { class, nat } => {
                digest.text(pool.class_name(class));
                self.add_constant(digest, nat, depth);
            }
            Constant::MethodHandle { kind, reference } => {
                digest.number(i64::from(kind));
                self.add_constant(digest, reference, depth);
            }
            Constant::Dynamic { bootstrap, nat } | Constant::InvokeDynamic { bootstrap, nat } => {
                self.add_constant(digest, nat, depth);
                let method = self.bootstrap_methods.get(usize::from(bootstrap));
                if let Some(method) = method.filter(|_| depth < DEEPEST) {
                    self.add_constant(digest, method.handle, depth + 1);
                    for &arg in &method.args {
                        self.add_constant(digest, arg, depth + 1);
                    }
                }
            }
        }
    }
}
