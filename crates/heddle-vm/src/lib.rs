//! A Java virtual machine on state that can be marked and rewound.
//!
//! The map of the files is in `docs/architecture.md`; start with `vm.rs`, then
//! `heap.rs`, `native.rs` and `interp.rs`.

pub mod arena;
pub mod bookkeeping;
pub mod boot;
pub mod calls;
pub mod class;
pub mod concat;
pub mod constants;
pub mod describe;
pub mod digest;
pub mod disasm;
pub mod elementary;
pub mod fdlibm;
pub mod files;
pub mod frames;
pub mod hash;
pub mod heap;
pub mod interp;
pub mod isa;
pub mod journal;
pub mod known;
pub mod lambda;
pub mod layout;
pub mod link;
pub mod linkage;
pub mod load;
pub mod machine;
pub mod member;
pub mod monitor;
pub mod native;
pub mod natives;
pub mod npe;
pub mod output;
pub mod places;
pub mod polymorphic;
pub mod preload;
pub mod records;
pub mod resolve;
pub mod sched;
pub mod sharing;
pub mod signal;
pub mod spin;
pub mod stops;
pub mod strings;
pub mod symbol;
pub mod text;
pub mod thread;
pub mod translate;
pub mod trap;
pub mod upcall;
pub mod verify;
pub mod vm;
pub mod zip;
