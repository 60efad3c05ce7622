//! Native methods, one file per class or small family, one line each in [`TABLES`].
//!
//! To add a native: write `fn name(vm: &mut Vm, f: Frame) -> Res<u64>` in the file
//! of its class and add `("name(descriptor)", name)` to the table there. A new
//! class: a new file, a `mod` line and a line in `TABLES`.

pub mod access_controller;
pub mod class;
pub mod class_loader;
pub mod class_members;
pub mod class_relations;
pub mod constant_pool;
mod file_streams;
mod host_facts;
mod host_name;
mod invoke;
pub mod loader;
mod management;
mod management_host;
mod management_memory;
mod management_threads;
pub mod math;
pub mod misc_vm;
pub mod module;
mod nio_channels;
mod nio_files;
pub mod npe;
pub mod object;
mod platform;
mod process;
pub mod reference;
pub mod reflect_array;
pub mod reflect_executable;
pub mod reflect_invoke;
pub mod reflection;
pub mod stack_walker;
pub mod strict_math;
pub mod system;
mod system_props;
pub mod threads;
pub mod throwable;
mod unix_file_system;
pub mod unsafe_memory;
mod watch;
mod zip;

use crate::native::Table;
use crate::vm::Vm;

/// Every class with natives.
const TABLES: &[&[Table]] = &[
    file_streams::TABLE,
    host_facts::TABLE,
    host_name::TABLE,
    management::TABLE,
    management_host::TABLE,
    management_memory::TABLE,
    management_threads::TABLE,
    nio_channels::TABLE,
    nio_files::TABLE,
    watch::TABLE,
    process::TABLE,
    system_props::TABLE,
    unix_file_system::TABLE,
    zip::TABLE,
    system::TABLE,
    threads::TABLE,
    unsafe_memory::TABLE,
    access_controller::TABLE,
    class_loader::TABLE,
    loader::TABLE,
    misc_vm::TABLE,
    module::TABLE,
    class::TABLE,
    math::TABLE,
    strict_math::TABLE,
    npe::TABLE,
    object::TABLE,
    reference::TABLE,
    stack_walker::TABLE,
    throwable::TABLE,
    class_members::TABLE,
    class_relations::TABLE,
    constant_pool::TABLE,
    reflect_array::TABLE,
    reflect_executable::TABLE,
    reflect_invoke::TABLE,
    reflection::TABLE,
    invoke::TABLE,
];

impl Vm {
    /// Enters all natives into the registry.
    pub fn register_natives(&mut self) {
        for (class, entries) in TABLES.iter().copied().flatten() {
            let class = self.symbol(class);
            for (signature, function) in *entries {
                let paren = signature
                    .find('(')
                    .expect("heddle internal error: native signature");
                let name = self.symbol(&signature[..paren]);
                let desc = self.symbol(&signature[paren..]);
                self.natives.insert((class, name, desc), *function);
            }
        }
    }
}
