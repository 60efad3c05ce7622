//! Who takes an exception that ends a thread: a handler of the program's own, or the library,
//! which prints it. Follows `Thread.dispatchUncaughtException`, which then does it.

use crate::class::{ClassPtr, access};
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
        let own = self.handler_in(thread, "uncaughtExceptionHandler");
        if !own.is_null() {
            return self.is_handler(own);
        }
        let mut group = self.handler_in(thread, "group");
        while !group.is_null() {
            if self.is_handler(group) {
                return true;
            }
            group = self.handler_in(group, "parent");
        }
        let common = self.static_handler();
        !common.is_null() && self.is_handler(common)
    }

    /// Whether an object takes exceptions by a method that is not the library's.
    fn is_handler(&mut self, object: Ref) -> bool {
        let (name, desc) = (self.symbol(TAKES.0), self.symbol(TAKES.1));
        let found = self.find_method(self.class_of(object), name, desc);
        found.is_some_and(|method| !method.class.flags.is_library())
    }

    fn handler_in(&self, object: Ref, field: &str) -> Ref {
        let mut next: Option<ClassPtr> = Some(self.class_of(object));
        while let Some(class) = next {
            let own = class.fields.iter().find(|f| {
                f.access & access::STATIC == 0 && self.symbols.bytes(f.name) == field.as_bytes()
            });
            if let Some(own) = own {
                return self.heap.get_ref(object, u64::from(own.offset));
            }
            next = class.parent;
        }
        Ref::NULL
    }

    fn static_handler(&self) -> Ref {
        let class = self.known.thread;
        let field = class.fields.iter().find(|f| {
            f.access & access::STATIC != 0
                && self.symbols.bytes(f.name) == b"defaultUncaughtExceptionHandler"
        });
        field.map_or(Ref::NULL, |f| {
            self.heap.get_ref(class.mirror.get(), u64::from(f.offset))
        })
    }
}
