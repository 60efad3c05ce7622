//! Writes the small class files that the VM makes itself: the classes behind
//! lambda expressions (`lambda.rs`).
//!
//! Straight-line code only: no branches, so no stack maps.

use crate::hash::FastMap;

/// A class file in the making.
#[derive(Default)]
pub struct Spin {
    pool: Vec<u8>,
    count: u16,
    known: FastMap<Vec<u8>, u16>,
    fields: Vec<u8>,
    field_count: u16,
    methods: Vec<u8>,
    method_count: u16,
}

/// Bytecode of one method, with the depth of its operand stack.
#[derive(Default)]
pub struct Code {
    pub bytes: Vec<u8>,
    depth: i32,
    deepest: i32,
}

/// Opcodes in use.
pub mod op {
    pub const ILOAD: u8 = 21;
    pub const LLOAD: u8 = 22;
    pub const FLOAD: u8 = 23;
    pub const DLOAD: u8 = 24;
    pub const ALOAD: u8 = 25;
    pub const DUP: u8 = 89;
    pub const I2L: u8 = 133;
    pub const I2F: u8 = 134;
    pub const I2D: u8 = 135;
    pub const L2F: u8 = 137;
    pub const L2D: u8 = 138;
    pub const F2D: u8 = 141;
    pub const IRETURN: u8 = 172;
    pub const LRETURN: u8 = 173;
    pub const FRETURN: u8 = 174;
    pub const DRETURN: u8 = 175;
    pub const ARETURN: u8 = 176;
    pub const RETURN: u8 = 177;
    pub const GETFIELD: u8 = 180;
    pub const PUTFIELD: u8 = 181;
    pub const INVOKEVIRTUAL: u8 = 182;
    pub const INVOKESPECIAL: u8 = 183;
    pub const INVOKESTATIC: u8 = 184;
    pub const INVOKEINTERFACE: u8 = 185;
    pub const NEW: u8 = 187;
    pub const CHECKCAST: u8 = 192;
}

const FIELD_REF: u8 = 9;
const METHOD_REF: u8 = 10;
const INTERFACE_METHOD_REF: u8 = 11;

impl Spin {
    fn entry(&mut self, bytes: Vec<u8>) -> u16 {
        if let Some(&index) = self.known.get(&bytes) {
            return index;
        }
        self.count += 1;
        self.pool.extend(&bytes);
        self.known.insert(bytes, self.count);
        self.count
    }

    pub fn utf8(&mut self, text: &[u8]) -> u16 {
        let mut bytes = vec![1];
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text);
        self.entry(bytes)
    }

    pub fn class(&mut self, name: &[u8]) -> u16 {
        let name = self.utf8(name);
        self.entry(pair(7, &[name]))
    }

    fn member(&mut self, tag: u8, class: &[u8], name: &[u8], desc: &[u8]) -> u16 {
        let class = self.class(class);
        let (name, desc) = (self.utf8(name), self.utf8(desc));
        let nat = self.entry(pair(12, &[name, desc]));
        self.entry(pair(tag, &[class, nat]))
    }

    pub fn field(&mut self, access: u16, name: &[u8], desc: &[u8]) {
        let parts = [access, self.utf8(name), self.utf8(desc), 0];
        self.fields
            .extend(parts.iter().flat_map(|p| p.to_be_bytes()));
        self.field_count += 1;
    }

    pub fn method(&mut self, access: u16, name: &[u8], desc: &[u8], locals: u16, code: Code) {
        let parts = [
            access,
            self.utf8(name),
            self.utf8(desc),
            1,
            self.utf8(b"Code"),
        ];
        let out = &mut self.methods;
        out.extend(parts.iter().flat_map(|p| p.to_be_bytes()));
        out.extend((12 + code.bytes.len() as u32).to_be_bytes());
        out.extend((code.deepest as u16).to_be_bytes());
        out.extend(locals.to_be_bytes());
        out.extend((code.bytes.len() as u32).to_be_bytes());
        out.extend(&code.bytes);
        out.extend([0; 4]);
        self.method_count += 1;
    }

    /// The finished file.
    pub fn finish(
        mut self,
        major: u16,
        access: u16,
        name: &[u8],
        parent: &[u8],
        interfaces: &[&[u8]],
    ) -> Vec<u8> {
        let mut head = vec![
            access,
            self.class(name),
            self.class(parent),
            interfaces.len() as u16,
        ];
        for interface in interfaces {
            head.push(self.class(interface));
        }
        let mut out = 0xcafe_babe_u32.to_be_bytes().to_vec();
        out.extend([0, 0]);
        out.extend(major.to_be_bytes());
        out.extend((self.count + 1).to_be_bytes());
        out.extend(&self.pool);
        out.extend(head.iter().flat_map(|p| p.to_be_bytes()));
        out.extend(self.field_count.to_be_bytes());
        out.extend(&self.fields);
        out.extend(self.method_count.to_be_bytes());
        out.extend(&self.methods);
        out.extend([0, 0]);
        out
    }

    // ---- instructions that name something ----------------------------------------------

    pub fn get_field(&mut self, code: &mut Code, class: &[u8], name: &[u8], desc: &[u8]) {
        let index = self.member(FIELD_REF, class, name, desc);
        code.with_index(op::GETFIELD, index, slots(desc) as i32 - 1);
    }

    pub fn put_field(&mut self, code: &mut Code, class: &[u8], name: &[u8], desc: &[u8]) {
        let index = self.member(FIELD_REF, class, name, desc);
        code.with_index(op::PUTFIELD, index, -(slots(desc) as i32) - 1);
    }

    pub fn type_insn(&mut self, code: &mut Code, opcode: u8, class: &[u8]) {
        let index = self.class(class);
        code.with_index(opcode, index, (opcode == op::NEW) as i32);
    }

    /// A call; `interface`: the class is one.
    pub fn invoke(
        &mut self,
        code: &mut Code,
        opcode: u8,
        class: &[u8],
        name: &[u8],
        desc: &[u8],
        interface: bool,
    ) {
        let tag = if interface {
            INTERFACE_METHOD_REF
        } else {
            METHOD_REF
        };
        let index = self.member(tag, class, name, desc);
        let (arguments, result) = argument_slots(desc);
        let arguments = arguments + (opcode != op::INVOKESTATIC) as usize;
        code.with_index(opcode, index, result as i32 - arguments as i32);
        if opcode == op::INVOKEINTERFACE {
            code.bytes.extend([arguments as u8, 0]);
        }
    }
}

impl Code {
    /// An instruction without operands that changes the depth by `change`.
    pub fn plain(&mut self, opcode: u8, change: i32) {
        self.bytes.push(opcode);
        self.grow(change);
    }

    /// Loads a local variable.
    pub fn load(&mut self, opcode: u8, local: u16) {
        if local < 256 {
            self.bytes.extend([opcode, local as u8]);
        } else {
            let [high, low] = local.to_be_bytes();
            self.bytes.extend([196, opcode, high, low]);
        }
        self.grow(if matches!(opcode, op::LLOAD | op::DLOAD) {
            2
        } else {
            1
        });
    }

    fn with_index(&mut self, opcode: u8, index: u16, change: i32) {
        self.bytes.push(opcode);
        self.bytes.extend(index.to_be_bytes());
        self.grow(change);
    }

    fn grow(&mut self, change: i32) {
        self.depth += change;
        self.deepest = self.deepest.max(self.depth);
    }
}

fn pair(tag: u8, parts: &[u16]) -> Vec<u8> {
    let mut bytes = vec![tag];
    bytes.extend(parts.iter().flat_map(|p| p.to_be_bytes()));
    bytes
}

/// Stack slots of a value of this type.
pub fn slots(desc: &[u8]) -> usize {
    match desc[0] {
        b'J' | b'D' => 2,
        b'V' => 0,
        _ => 1,
    }
}

/// Slots of a method's arguments and of its result.
fn argument_slots(desc: &[u8]) -> (usize, usize) {
    let (params, result) = split(desc);
    (params.iter().map(|p| slots(p)).sum(), slots(result))
}

/// The descriptors of parameters and result.
pub fn split(desc: &[u8]) -> (Vec<&[u8]>, &[u8]) {
    let mut params = Vec::new();
    let mut at = 1;
    while desc[at] != b')' {
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
        params.push(&desc[start..at]);
    }
    (params, &desc[at + 1..])
}
