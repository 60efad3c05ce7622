//! Who takes an exception that ends a thread: a handler of the program's own, or the library,
//! which prints it. Follows `Thread.dispatchUncaughtException`, which then does it.

use crate::heap::Ref;
use crate::vm::Vm;

const TAKES: (&str, &str) = (
    "uncaughtException",
    "(Ljava/lang/Thread;Ljava/lang/Throwable;)V",
);

impl Vm {
    /// Whether the program itself handles what ends the running thread.
    pub fn is_handled(&mut self) -> bool {
        let thread = self.running().object;
        let own = self.reference_in(thread, "uncaughtExceptionHandler");
        if !own.is_null() {
            return self.is_handler(own);
        }
        let mut group = self.reference_in(thread, "group");
        while !group.is_null() {
            if self.is_handler(group) {
                return true;
            }
            group = self.reference_in(group, "parent");
        }
        let common = self.common_handler();
        !common.is_null() && self.is_handler(common)
    }

    /// Whether an object takes exceptions by a method that is not the library's.
    fn is_handler(&mut self, object: Ref) -> bool {
        let (name, desc) = (self.symbol(TAKES.0), self.symbol(TAKES.1));
        let found = self.find_method(self.class_of(object), name, desc);
        found.is_some_and(|method| !method.class.flags.is_library())
    }

    fn common_handler(&self) -> Ref {
        let class = self.known.thread;
        let field = self.static_field(class, "defaultUncaughtExceptionHandler");
        field.map_or(Ref::NULL, |f| {
            self.heap.get_ref(class.mirror.get(), f.offset.into())
        })
    }
}
