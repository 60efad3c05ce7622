//! Native methods, one file per class or small family, one line each in [`TABLES`].
//!
//! To add a native: write `fn name(vm: &mut Vm, f: Frame) -> Res<u64>` in the file
//! of its class and add `("name(descriptor)", name)` to the table there. A new
//! class: a new file, a `mod` line and a line in `TABLES`.

mod file_streams;
mod host_facts;
mod platform;
mod process;
mod system_props;
mod unix_file_system;

use crate::native::Table;
use crate::vm::Vm;

/// Every class with natives.
const TABLES: &[&[Table]] = &[
    file_streams::TABLE,
    host_facts::TABLE,
    process::TABLE,
    system_props::TABLE,
    unix_file_system::TABLE,
];

impl Vm {
    /// Enters all natives into the registry.
    pub fn register_natives(&mut self) {
        for (class, entries) in TABLES.iter().copied().flatten() {
            let class = self.symbol(class);
            for (signature, function) in *entries {
                let paren = signature.find('(').expect("heddle internal error: native signature");
                let name = self.symbol(&signature[..paren]);
                let desc = self.symbol(&signature[paren..]);
                self.natives.insert((class, name, desc), *function);
            }
        }
    }
}
