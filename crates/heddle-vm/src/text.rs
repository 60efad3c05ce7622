//! Text in the making for natives that put strings together: Latin-1 bytes as long
//! as that is enough, UTF-16 units from then on, as java.lang.String has it.

use crate::class::Basic;
use crate::heap::Ref;
use crate::native::{Res, throw};
use crate::vm::Vm;

/// A string under construction.
#[derive(Default)]
pub struct Text {
    latin: Vec<u8>,
    wide: Option<Vec<u16>>,
}

impl Text {
    pub fn with_capacity(capacity: usize) -> Text {
        Text {
            latin: Vec::with_capacity(capacity),
            wide: None,
        }
    }

    /// Adds Latin-1 text.
    pub fn latin(&mut self, bytes: &[u8]) {
        match &mut self.wide {
            None => self.latin.extend_from_slice(bytes),
            Some(wide) => wide.extend(bytes.iter().map(|&b| b as u16)),
        }
    }

    /// Adds UTF-16 text.
    pub fn units(&mut self, units: &[u16]) {
        match &mut self.wide {
            Some(wide) => wide.extend_from_slice(units),
            None if units.iter().all(|&u| u < 256) => {
                self.latin.extend(units.iter().map(|&u| u as u8));
            }
            None => {
                let mut wide: Vec<u16> = self.latin.iter().map(|&b| b as u16).collect();
                wide.extend_from_slice(units);
                self.wide = Some(wide);
            }
        }
    }

    /// Adds a String object, or `null`.
    pub fn string(&mut self, vm: &Vm, string: Ref) {
        if string.is_null() {
            return self.latin(b"null");
        }
        let value = vm.heap.get_ref(string, vm.known.string_value);
        if vm.heap.get::<u8>(string, vm.known.string_coder) == 0 {
            self.latin(vm.heap.array_bytes(value));
        } else {
            self.units(&vm.utf16(string));
        }
    }

    /// Adds a primitive value other than float and double.
    pub fn primitive(&mut self, basic: Basic, value: u64) {
        match basic {
            Basic::Boolean => self.latin(if value as u32 != 0 { b"true" } else { b"false" }),
            Basic::Char => self.units(&[value as u16]),
            Basic::Long => self.number(value as i64),
            _ => self.number(value as i32 as i64),
        }
    }

    fn number(&mut self, value: i64) {
        let mut buffer = [0; 20];
        let mut at = buffer.len();
        let mut rest = value.unsigned_abs();
        loop {
            at -= 1;
            buffer[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            at -= 1;
            buffer[at] = b'-';
        }
        self.latin(&buffer[at..]);
    }

    /// The finished String.
    pub fn finish(self, vm: &mut Vm) -> Res<Ref> {
        let bytes = self.wide.as_ref().map_or(self.latin.len(), |w| 2 * w.len());
        if bytes > i32::MAX as usize {
            let message = "Overflow: String length out of range";
            return throw("java/lang/OutOfMemoryError", message);
        }
        match self.wide {
            None => vm.new_string_raw(&self.latin, 0),
            Some(wide) => vm.new_string_utf16(&wide),
        }
    }
}
