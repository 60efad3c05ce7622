//! Printing in a search. Nobody reads what the program prints to standard output and error
//! on the many paths of a search, and no program can tell: so the methods of the library
//! that all printing goes through return at once there, which saves thousands of bytecodes
//! for a line (`Op::EnterPrint` stands in front of them). If the order in which threads
//! print is to count (`--order-output`), they write to a place that all share first.
//!
//! Only where nothing but the text is lost: the stream is one that the library made at the
//! start and is open; its monitor is free, or else the thread waits for it as always; and
//! for a stack trace no method of the program takes part in it. Where the program holds that
//! monitor while it does other things (`crossings.rs`), all that is left of printing is to
//! take it.

use crate::class::{ClassPtr, MethodPtr};
use crate::heap::Ref;
use crate::native::Frame;
use crate::vm::Vm;
use heddle_model::{ObjectId, Place};

/// What becomes of what the program prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Printing {
    #[default]
    Shown,
    /// Nobody reads it.
    Swallowed,
    /// Nobody reads it, but its order counts.
    Ordered,
}

/// Class, method, descriptor, and the local variable with the stream.
const PRINTERS: &[(&str, &str, &str, usize)] = &[
    ("java/io/PrintStream", "write", "(Ljava/lang/String;)V", 0),
    ("java/io/PrintStream", "writeln", "(Ljava/lang/String;)V", 0),
    ("java/io/PrintStream", "write", "([C)V", 0),
    ("java/io/PrintStream", "writeln", "([C)V", 0),
    ("java/io/PrintStream", "newLine", "()V", 0),
    ("java/io/PrintStream", "write", "(I)V", 0),
    ("java/io/PrintStream", "write", "([BII)V", 0),
    (
        "java/lang/Throwable",
        "printStackTrace",
        "(Ljava/io/PrintStream;)V",
        1,
    ),
];

/// What a stack trace asks of an exception.
const ASKED: &[(&str, &str)] = &[
    ("toString", "()Ljava/lang/String;"),
    ("getLocalizedMessage", "()Ljava/lang/String;"),
    ("getMessage", "()Ljava/lang/String;"),
    ("getCause", "()Ljava/lang/Throwable;"),
];
/// The number of all that is printed, among files.
const OUTPUT: u32 = 1;
/// Causes that are looked at before it is done the long way.
const LONGEST: usize = 16;

impl Vm {
    /// Whether a method is one that may have nothing to do in this search.
    pub fn is_printer(&self, method: MethodPtr) -> bool {
        self.options.printing != Printing::Shown
            && method.flags.trusted
            && self.printer(method).is_some()
    }

    /// The local variable of a method in which the stream is that it prints to.
    fn printer(&self, method: MethodPtr) -> Option<usize> {
        let is = |symbol, text: &str| self.symbols.bytes(symbol) == text.as_bytes();
        let found = PRINTERS.iter().find(|(class, name, desc, _)| {
            is(method.class.name, class) && is(method.name, name) && is(method.desc, desc)
        });
        found.map(|printer| printer.3)
    }

    /// The streams that the library made for the program.
    pub fn note_standard_streams(&mut self) {
        if self.options.printing != Printing::Shown
            && let Ok(system) = self.load_boot("java/lang/System")
        {
            self.standard_streams = ["out", "err"].map(|name| {
                let at = self.offset(system, name);
                self.heap.get_ref(system.mirror.get(), at)
            });
        }
    }

    /// The stream of a printer that was just called and has nothing to do but to take the
    /// stream's monitor, if that counts.
    pub fn swallowing(&mut self, method: MethodPtr, local: impl Fn(usize) -> u64) -> Option<Ref> {
        let at = self.printer(method)?;
        let stream = Ref(local(at) as u32);
        if stream.is_null() || !self.standard_streams.contains(&stream) {
            return None;
        }
        let open = !self.field_ref(stream, "out").is_null();
        let free = !self.is_taken(stream, self.current) || self.learned.holds_streams;
        let plain = at == 0 || self.is_plain(Ref(local(0) as u32));
        (open && free && plain).then_some(stream)
    }

    /// What printing changes, if its order counts.
    pub fn printed_place(&self) -> Option<Place> {
        let object = ObjectId(self.known.object.mirror.get().0);
        let ordered = self.options.printing == Printing::Ordered && self.heap.tracking;
        ordered.then(|| Place::file(object, OUTPUT))
    }

    /// Whether the stack trace of an exception is the library's work alone.
    fn is_plain(&mut self, exception: Ref) -> bool {
        let mut next = exception;
        for _ in 0..LONGEST {
            let class = self.class_of(next);
            if !self.asks_the_library(class) {
                return false;
            }
            let suppressed = self.field_ref(next, "suppressedExceptions");
            let none = suppressed.is_null()
                || self.name(self.class_of(suppressed)) == "java/util/Collections$EmptyList";
            let cause = self.heap.get_ref(next, self.known.throwable_cause);
            if !none {
                return false;
            }
            if cause.is_null() || cause == next {
                return true;
            }
            next = cause;
        }
        false
    }

    fn asks_the_library(&mut self, class: ClassPtr) -> bool {
        ASKED.iter().all(|&(name, desc)| {
            let declared = self.method(self.known.throwable, name, desc);
            let chosen = self.select(class, declared);
            chosen.is_some_and(|method| method.flags.trusted)
        })
    }

    /// The descriptor of the stream in slot 0 of a native of java.io.
    fn descriptor_of(&self, f: Frame) -> Option<i32> {
        let object = self.reference_in(f.reference(0), "fd");
        let field = self.instance_field(self.class_of(object), "fd");
        let field = field.filter(|_| !object.is_null())?;
        Some(self.heap.get(object, u64::from(field.offset)))
    }

    /// Whether a native of a stream of java.io does something that others can notice: not
    /// if the stream is one of the standard ones.
    pub(crate) fn stream_noticeable(&self, f: Frame) -> bool {
        !matches!(self.descriptor_of(f), Some(0..=2))
    }
}
