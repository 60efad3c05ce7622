//! The fork/join pool that all share, in a search of a program that asks pools what they do.
//!
//! It was made before `main`, so what is done to it is the library's business (`sharing.rs`): who
//! hands it a task cannot tell which worker takes it, or whether that one had to be woken. But who
//! asks it how many are at work, or waits until nobody is, looks at its fields. In such
//! a program they count as those of a pool that the program has made itself.

use crate::vm::Vm;

impl Vm {
    /// What threads do to the pool counts from now on: to its own fields, and to the table
    /// of its queues.
    pub fn share_common_pool(&mut self) {
        let Ok(class) = self.load_boot("java/util/concurrent/ForkJoinPool") else {
            return;
        };
        let Some(common) = self.static_field(class, "common") else {
            return;
        };
        let mirror = class.mirror.get();
        let pool = self.heap.get_ref(mirror, common.offset.into());
        // One that is not there yet will be made by the program.
        if !class.is_initialized() || pool.is_null() {
            return;
        }
        self.heap.set_shared(pool);
        let queues = self.reference_in(pool, "queues");
        if !queues.is_null() {
            self.heap.set_shared(queues);
        }
    }
}
