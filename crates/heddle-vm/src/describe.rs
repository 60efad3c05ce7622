//! Names of things in the program's own terms, for reports: what `View` asks that is not
//! needed to run.
//!
//! Everything here is read off the present state, so that it is the same in every
//! process that comes to it; some answers walk the heap. Only findings ask.

use crate::census::Census;
use crate::class::{Basic, ClassKind, ClassPtr, Field, access};
use crate::heap::Ref;
use crate::thread::{Thread, ThreadId};
use crate::vm::Vm;
use heddle_model::{FieldName, MethodId, Place, Site, simple_name};

const OWNABLE: &str = "java/util/concurrent/locks/AbstractOwnableSynchronizer";

impl Vm {
    /// What reports call an object; see [`Census::name`].
    pub fn object_text(&self, object: Ref) -> String {
        Census::new(self).name(object)
    }

    /// A raw value in a place as the program would write it.
    pub fn value_in(&self, place: Place, value: u64) -> String {
        self.basic_text(self.basic_in(place), value)
    }

    /// The type of what is in a place.
    pub(crate) fn basic_in(&self, place: Place) -> Basic {
        match place {
            Place::Element { array, .. } => {
                let class = self.class(self.heap.class_of(Ref(array.0)));
                match class.element().map(|e| e.kind) {
                    Some(ClassKind::Primitive(basic)) => basic,
                    _ => Basic::Reference,
                }
            }
            Place::Field { object, offset } => self
                .field_at(Ref(object.0), offset)
                .map_or(Basic::Int, |f| f.basic),
        }
    }

    /// A raw value of a type as the program would write it.
    pub fn basic_text(&self, basic: Basic, value: u64) -> String {
        match basic {
            Basic::Boolean => (value & 1 != 0).to_string(),
            Basic::Char => format!("{:?}", char::from_u32(value as u32 & 0xffff).unwrap_or('?')),
            Basic::Float => f32::from_bits(value as u32).to_string(),
            Basic::Double => f64::from_bits(value).to_string(),
            Basic::Byte => (value as i8).to_string(),
            Basic::Short => (value as i16).to_string(),
            Basic::Long => (value as i64).to_string(),
            Basic::Int | Basic::Void => (value as i32).to_string(),
            Basic::Reference => match Ref(value as u32) {
                Ref::NULL => "null".into(),
                other => self
                    .value_object(other)
                    .unwrap_or_else(|| self.object_text(other)),
            },
        }
    }

    /// `Account@1.balance`, `Counter.total`, `int[]@2[5]`.
    pub fn place_text(&self, place: Place) -> String {
        match place {
            Place::Element { array, index } => {
                format!("{}[{index}]", self.object_text(Ref(array.0)))
            }
            Place::Field { object, .. } if place.is_initialization() => {
                let class = self.short_name(self.mirrored(Ref(object.0)));
                format!("{class}.<initialized>")
            }
            Place::Field { object, .. } if place.is_monitor() => self.object_text(Ref(object.0)),
            Place::Field { object, .. } if place.file_number().is_some() => {
                match place.file_number() {
                    None | Some(0) => format!("{}.<position>", self.object_text(Ref(object.0))),
                    Some(1) => "the output".into(),
                    Some(file) => match self.files.touched().name(file) {
                        Some(name) => format!("file {name}"),
                        None => "memory outside the heap".into(),
                    },
                }
            }
            Place::Field { object, offset } => {
                let object = Ref(object.0);
                let field = match self.field_at(object, offset) {
                    Some(field) => self.text(field.name),
                    None => format!("+{offset}"),
                };
                let is_class = self.class(self.heap.class_of(object)) == self.known.class;
                let owner = match is_class {
                    true => self.short_name(self.mirrored(object)),
                    false => self.object_text(object),
                };
                format!("{owner}.{field}")
            }
        }
    }

    /// Whether a place is a volatile field.
    pub fn is_volatile_place(&self, place: Place) -> bool {
        let Place::Field { object, offset } = place else {
            return false;
        };
        let object = Ref(object.0);
        let class = self.class(self.heap.class_of(object));
        let volatile = |class: ClassPtr, of_class: bool| {
            let [instance, statics] = class.volatiles.get_or_init(|| volatiles(class));
            let offsets = if of_class { statics } else { instance };
            offsets.binary_search(&offset).is_ok()
        };
        let of_class = class == self.known.class && volatile(self.mirrored(object), true);
        // Not every JDK 17 declares it so, but `isAlive` and `join` do order.
        let alive = || u64::from(offset) == self.known.thread_eetop;
        of_class || volatile(class, false) || alive() && class.is_subtype_of(self.known.thread)
    }

    /// The name of a field and its class.
    pub fn field_name(&self, place: Place) -> Option<FieldName> {
        let Place::Field { object, offset } = place else {
            return None;
        };
        let object = Ref(object.0);
        let class = self.class(self.heap.class_of(object));
        let of = match class == self.known.class {
            true => vec![self.mirrored(object), class],
            false => class.chain.clone(),
        };
        let field = self.field_at(object, offset)?;
        let declares = |c: &&ClassPtr| c.fields.iter().any(|f| std::ptr::eq(f, field));
        Some(FieldName {
            class: self.external_name(of.iter().find(declares)?),
            name: self.text(field.name),
        })
    }

    /// Whether an object's class, or a superclass, has this external name.
    pub fn is_instance_named(&self, object: Ref, name: &str) -> bool {
        let class = self.class(self.heap.class_of(object));
        let mut kinds = class.chain.iter().chain(&class.all_interfaces);
        kinds.any(|c| self.external_name(c) == name)
    }

    /// The class of an exception and its message, as `Throwable.toString` puts them.
    pub fn exception_text_of(&self, exception: Ref) -> String {
        let class = self.class(self.heap.class_of(exception));
        let name = self.external_name(class);
        match self.heap.get_ref(exception, self.known.throwable_message) {
            Ref::NULL => match self.what_was_null(exception) {
                Some(what) if name == "java.lang.NullPointerException" => {
                    format!("{name}: {what}")
                }
                _ => name,
            },
            message => format!("{name}: {}", self.string(message)),
        }
    }

    /// What was null where an exception was thrown, in the words of `npe.rs`.
    pub fn what_was_null(&self, exception: Ref) -> Option<String> {
        let accessor = b"jdk/internal/reflect/NativeConstructorAccessorImpl";
        let (hidden, frames) = self.backtrace(exception)?;
        let &(method, bci) = frames.first()?;
        let owner = self.symbols.bytes(method.class.name);
        if hidden || method.is_native() || bci < 0 || owner == accessor {
            return None;
        }
        crate::npe::message(method.class.file.as_ref()?, method.info()?, bci as u16)
    }

    /// Where the program threw an exception: the innermost frame of its own.
    pub fn thrown_at_place(&self, exception: Ref) -> Option<Site> {
        let (_, frames) = self.backtrace(exception)?;
        let own = frames.iter().find(|(m, _)| !m.flags.trusted);
        let (method, bci) = own.or(frames.first()).copied()?;
        Some(Site {
            method: MethodId(method.id),
            bci,
        })
    }

    /// The exception that a future was completed by: what the program threw, not what the
    /// library has put around it.
    pub fn exception_in(&self, future: Ref) -> Option<Ref> {
        const TASK: &str = "java/util/concurrent/FutureTask";
        const EXCEPTIONAL: i32 = 3;
        const COMPLETABLE: &str = "java/util/concurrent/CompletableFuture";
        const RESULT: &str = "java/util/concurrent/CompletableFuture$AltResult";
        const FORKED: &str = "java/util/concurrent/ForkJoinTask";
        const AUX: &str = "java/util/concurrent/ForkJoinTask$Aux";
        const THROWN: i32 = 1 << 17;
        const WRAPPER: &str = "java/util/concurrent/CompletionException";
        if let Some(state) = self.declared_field(future, TASK, "state") {
            let state: i32 = self.heap.get(future, u64::from(state.offset));
            let outcome = self.reference_named(future, TASK, "outcome");
            return outcome.filter(|_| state == EXCEPTIONAL);
        }
        if let Some(status) = self.declared_field(future, FORKED, "status") {
            let status: i32 = self.heap.get(future, u64::from(status.offset));
            let aux = self.reference_named(future, FORKED, "aux");
            let aux = aux.filter(|_| status < 0 && status & THROWN != 0)?;
            return self.reference_named(aux, AUX, "ex");
        }
        let result = self.reference_named(future, COMPLETABLE, "result")?;
        let mut exception = self.reference_named(result, RESULT, "ex")?;
        while self.name(self.class_of(exception)) == WRAPPER
            && let Some(cause) = self.reference_named(exception, "java/lang/Throwable", "cause")
        {
            exception = cause;
        }
        Some(exception)
    }

    /// The thread that has this object.
    pub fn thread_with(&self, object: Ref) -> Option<ThreadId> {
        let thread = self.threads.iter().find(|t| t.object == object);
        thread.filter(|_| !object.is_null()).map(|t| t.id)
    }

    /// The number of the thread that was created last, as far as threads were started.
    pub fn newest_thread(&self) -> u64 {
        self.threads
            .iter()
            .map(|t| self.java_number(t))
            .max()
            .unwrap_or(0)
    }

    /// The number of a thread of the program in the order of creation; 0 is the initial
    /// one.
    pub fn creation_number(&self, thread: ThreadId) -> Option<u32> {
        let seen = &self.threads[thread.0 as usize];
        if seen.system {
            return None;
        }
        let (own, first) = (self.java_number(seen), self.globals.library_threads);
        let of_library = self.threads.iter().filter(|t| t.system);
        let between = of_library
            .filter(|t| (first + 1..own).contains(&self.java_number(t)))
            .count() as u64;
        Some(own.saturating_sub(first).saturating_sub(between) as u32)
    }

    /// What `Thread.getId` says.
    fn java_number(&self, thread: &Thread) -> u64 {
        match thread.object {
            Ref::NULL => 0,
            object => self.heap.get(object, self.known.thread_tid),
        }
    }

    /// What a thread gave to `LockSupport.park` as its reason.
    pub fn park_blocker(&self, thread: ThreadId) -> Option<Ref> {
        let object = self.threads[thread.0 as usize].object;
        self.reference_named(object, "java/lang/Thread", "parkBlocker")
    }

    /// The owner of a lock of `java.util.concurrent`.
    pub fn exclusive_owner(&self, object: Ref) -> Option<ThreadId> {
        let owner = self.reference_named(object, OWNABLE, "exclusiveOwnerThread")?;
        self.thread_with(owner)
    }

    /// The reference in a field that this class declares, if the object has it.
    fn reference_named(&self, object: Ref, declaring: &str, name: &str) -> Option<Ref> {
        let field = self.declared_field(object, declaring, name)?;
        let value = self.heap.get_ref(object, u64::from(field.offset));
        (!value.is_null()).then_some(value)
    }

    /// A field that this class declares, if the object has it.
    fn declared_field(&self, object: Ref, declaring: &str, name: &str) -> Option<&'static Field> {
        if object.is_null() {
            return None;
        }
        let class = self.class(self.heap.class_of(object));
        let is = |c: &&ClassPtr| self.symbols.bytes(c.name) == declaring.as_bytes();
        let declaring: ClassPtr = class.chain.iter().find(is)?;
        self.instance_field(declaring, name)
    }

    /// The field at an offset of an object; a static one if the object is a class.
    pub(crate) fn field_at(&self, object: Ref, offset: u32) -> Option<&'static Field> {
        let class = self.class(self.heap.class_of(object));
        let is = |field: &&Field, of_class| {
            field.offset == offset && (field.access & access::STATIC != 0) == of_class
        };
        if class == self.known.class {
            let of: ClassPtr = self.mirrored(object);
            if let Some(field) = of.fields.iter().find(|f| is(f, true)) {
                return Some(field);
            }
        }
        let mut declared = class.chain.iter().rev().flat_map(|c| c.fields.iter());
        declared.find(|f| is(f, false))
    }

    /// A class as its source calls it, arrays as Java writes them.
    pub(crate) fn short_name(&self, class: ClassPtr) -> String {
        if let Some(element) = class.element() {
            return format!("{}[]", self.short_name(element));
        }
        simple_name(&self.external_name(class)).to_string()
    }
}

/// Offsets of a class's volatile fields, sorted: those of instances, inherited ones
/// included, and the statics.
fn volatiles(class: ClassPtr) -> [Box<[u32]>; 2] {
    let fields = |of_class: bool| {
        let chain = class.chain.iter().filter(|&&c| !of_class || c == class);
        let all = chain.flat_map(|c| c.fields.iter());
        let wanted = all.filter(|f| {
            f.access & access::VOLATILE != 0 && (f.access & access::STATIC != 0) == of_class
        });
        let mut offsets: Vec<u32> = wanted.map(|f| f.offset).collect();
        offsets.sort_unstable();
        offsets.into()
    };
    [fields(false), fields(true)]
}
