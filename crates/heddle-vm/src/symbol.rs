//! Names: class names, member names and descriptors as small numbers.
//!
//! Interning is not observable by the program, so it is never rewound.

use crate::hash::FastMap;

/// An interned byte string (modified UTF-8, as in class files).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

impl std::fmt::Debug for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Symbol({})", self.0)
    }
}

/// The table of all names.
#[derive(Default)]
pub struct Symbols {
    map: FastMap<&'static [u8], Symbol>,
    list: Vec<&'static [u8]>,
}

impl Symbols {
    /// The symbol of a byte string.
    pub fn intern(&mut self, bytes: &[u8]) -> Symbol {
        if let Some(&found) = self.map.get(bytes) {
            return found;
        }
        let kept: &'static [u8] = Box::leak(bytes.to_vec().into_boxed_slice());
        let symbol = Symbol(self.list.len() as u32);
        self.list.push(kept);
        self.map.insert(kept, symbol);
        symbol
    }

    /// The symbol if the string is known already.
    pub fn find(&self, bytes: &[u8]) -> Option<Symbol> {
        self.map.get(bytes).copied()
    }

    /// The bytes of a symbol.
    pub fn bytes(&self, symbol: Symbol) -> &'static [u8] {
        self.list[symbol.0 as usize]
    }

    /// The text of a symbol, for messages; ill-formed parts are replaced.
    pub fn text(&self, symbol: Symbol) -> String {
        String::from_utf8_lossy(self.bytes(symbol)).into_owned()
    }
}
