//! The virtual machine: runs bytecode on state that can be marked and rewound.

pub mod disasm;
pub mod isa;
pub mod translate;
