//! A tiny assembler: class files with exactly the bytes that a test wants.

#![allow(dead_code)]

/// A class file in the making: `T extends p/Base implements I`, unless changed.
pub struct Asm {
    pub major: u16,
    pub super_class: &'static str,
    pub interface: &'static str,
    pool: Vec<Vec<u8>>,
    methods: Vec<Vec<u8>>,
}

/// The body of a method.
#[derive(Clone, Default)]
pub struct Body {
    pub access: u16,
    pub name: &'static str,
    pub desc: &'static str,
    pub max_stack: u16,
    pub max_locals: u16,
    pub code: Vec<u8>,
    /// Start, end, target, catch type.
    pub handlers: Vec<[u16; 4]>,
    /// Number of entries and their bytes.
    pub map: Option<(u16, Vec<u8>)>,
}

impl Asm {
    pub fn new(major: u16) -> Asm {
        Asm {
            major,
            super_class: "p/Base",
            interface: "I",
            pool: Vec::new(),
            methods: Vec::new(),
        }
    }

    fn add(&mut self, entry: Vec<u8>) -> u16 {
        if let Some(found) = self.pool.iter().position(|e| *e == entry) {
            return found as u16 + 1;
        }
        self.pool.push(entry);
        self.pool.len() as u16
    }

    pub fn utf8(&mut self, text: &str) -> u16 {
        let mut entry = vec![1];
        entry.extend((text.len() as u16).to_be_bytes());
        entry.extend(text.bytes());
        self.add(entry)
    }

    fn pair(&mut self, tag: u8, a: u16, b: u16) -> u16 {
        self.add([&[tag][..], &a.to_be_bytes(), &b.to_be_bytes()].concat())
    }

    pub fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.add([&[7][..], &name.to_be_bytes()].concat())
    }

    pub fn string(&mut self, text: &str) -> u16 {
        let text = self.utf8(text);
        self.add([&[8][..], &text.to_be_bytes()].concat())
    }

    pub fn int(&mut self, value: i32) -> u16 {
        self.add([&[3][..], &value.to_be_bytes()].concat())
    }

    fn member(&mut self, tag: u8, class: &str, name: &str, desc: &str) -> u16 {
        let class = self.class(class);
        let (name, desc) = (self.utf8(name), self.utf8(desc));
        let nat = self.pair(12, name, desc);
        self.pair(tag, class, nat)
    }

    pub fn field(&mut self, class: &str, name: &str, desc: &str) -> u16 {
        self.member(9, class, name, desc)
    }

    pub fn method(&mut self, class: &str, name: &str, desc: &str) -> u16 {
        self.member(10, class, name, desc)
    }

    pub fn interface_method(&mut self, class: &str, name: &str, desc: &str) -> u16 {
        self.member(11, class, name, desc)
    }

    pub fn body(&mut self, body: Body) {
        let mut out = Vec::new();
        let u2 = |out: &mut Vec<u8>, v: u16| out.extend(v.to_be_bytes());
        u2(&mut out, body.access);
        u2(&mut out, self.utf8(body.name));
        u2(&mut out, self.utf8(body.desc));
        u2(&mut out, 1);
        u2(&mut out, self.utf8("Code"));
        let mut code = Vec::new();
        u2(&mut code, body.max_stack);
        u2(&mut code, body.max_locals);
        code.extend((body.code.len() as u32).to_be_bytes());
        code.extend(&body.code);
        u2(&mut code, body.handlers.len() as u16);
        for part in body.handlers.iter().flatten() {
            u2(&mut code, *part);
        }
        u2(&mut code, u16::from(body.map.is_some()));
        if let Some((count, map)) = &body.map {
            u2(&mut code, self.utf8("StackMapTable"));
            code.extend((map.len() as u32 + 2).to_be_bytes());
            u2(&mut code, *count);
            code.extend(map);
        }
        out.extend((code.len() as u32).to_be_bytes());
        out.extend(code);
        self.methods.push(out);
    }

    pub fn finish(mut self) -> Vec<u8> {
        let this = self.class("T");
        let base = self.class(self.super_class);
        let interface = self.class(self.interface);
        let (name, desc) = (self.utf8("own"), self.utf8("I"));
        let mut out = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
        out.extend(self.major.to_be_bytes());
        out.extend((self.pool.len() as u16 + 1).to_be_bytes());
        out.extend(self.pool.concat());
        for v in [0x21, this, base, 1, interface, 1, 0, name, desc, 0] {
            out.extend(v.to_be_bytes());
        }
        out.extend((self.methods.len() as u16).to_be_bytes());
        out.extend(self.methods.concat());
        out.extend([0, 0]);
        out
    }
}
