//! Who takes an exception that nobody catches: a handler of the program's own, or the library,
//! which prints it. Follows `Thread.dispatchUncaughtException`, which then does it.
//!
//! A thread need not end by such an exception. A worker of a fork/join pool catches what a task
//! throws that was given to `execute`, and calls the handler itself, and so may a program. Where
//! that comes to the library (`Op::EnterHandler` stands in front of [`SEEING_TO`]), it is told
//! as if the thread had ended by it: `java` prints the same.

use crate::class::MethodPtr;
use crate::heap::Ref;
use crate::native::Frame;
use crate::printing::Printing;
use crate::vm::{Stream, Vm};
use heddle_model::View;

const TAKES: (&str, &str) = (
    "uncaughtException",
    "(Ljava/lang/Thread;Ljava/lang/Throwable;)V",
);

/// Methods of the library that see to an exception: class, name, descriptor, and the local
/// variable with the exception.
const SEEING_TO: &[(&str, &str, &str, usize)] = &[
    ("java/lang/ThreadGroup", TAKES.0, TAKES.1, 2),
    (
        "java/util/concurrent/ForkJoinTask$RunnableExecuteAction",
        "trySetException",
        "(Ljava/lang/Throwable;)I",
        1,
    ),
];

/// Who calls the first of these after it was told what becomes of the exception.
const TOLD_BY: &[&str] = &["dispatchUncaughtException", "trySetException"];

impl Vm {
    /// Whether a method is one in which the library sees to an exception that nobody catches.
    pub fn sees_to_exceptions(&self, method: MethodPtr) -> bool {
        self.seeing_to(method).is_some()
    }

    fn seeing_to(&self, method: MethodPtr) -> Option<usize> {
        let is = |symbol, text: &str| self.symbols.bytes(symbol) == text.as_bytes();
        let found = SEEING_TO.iter().find(|(class, name, desc, _)| {
            is(method.class.name, class) && is(method.name, name) && is(method.desc, desc)
        });
        found.map(|entry| entry.3)
    }

    /// Reports the exception that the library is about to see to in `method`, which was just
    /// called, unless that was told already.
    #[cold]
    pub fn tell_exception(&mut self, method: MethodPtr, local: impl Fn(usize) -> u64) {
        let Some(at) = self.seeing_to(method) else {
            return;
        };
        let exception = Ref(local(at) as u32);
        if exception.is_null() {
            return;
        }
        if method.class != self.known.thread_group {
            let handled = self.is_handled();
            return self.emit_uncaught(exception, handled);
        }
        let group = Ref(local(0) as u32);
        let last = self.reference_in(group, "parent").is_null();
        if last && !self.is_told() {
            let common = self.common_handler();
            let handled = !common.is_null() && self.is_handler(common);
            self.emit_uncaught(exception, handled);
        }
    }

    /// Whether the running thread, in a method of a group, was sent there by the library itself.
    fn is_told(&mut self) -> bool {
        let group = self.known.thread_group;
        let mut frames = self.running().frames();
        let by = frames.find(|f| f.method.class != group).map(|f| f.method);
        by.is_some_and(|by| by.class.flags.from_jdk && TOLD_BY.contains(&&*self.text(by.name)))
    }

    /// A handler is over. What it threw itself nobody takes: `java` prints that it was thrown
    /// from the handler.
    pub fn handler_is_over(&mut self, f: Frame) {
        let thrown = f.take_exception();
        if thrown.is_null() {
            return;
        }
        self.emit_uncaught(thrown, false);
        if self.options.printing == Printing::Shown {
            let class = self.external_name(self.class_of(thrown));
            let thread = View::thread(self, self.current).name;
            let line = format!(
                "\nException: {class} thrown from the UncaughtExceptionHandler in thread \"{thread}\"\n"
            );
            self.output.write(Stream::Err, line.as_bytes());
        }
    }

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
