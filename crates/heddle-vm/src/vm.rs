//! The virtual machine: what all its parts share, and the small operations that
//! natives and the interpreter are built from.
//!
//! State that the program can observe is in four places, each with its own way
//! back: the heap (logged writes), threads (copied when they first run after a
//! mark), [`Globals`] (copied with every mark), and tables (undo entries,
//! `journal.rs`). Everything else here is cache and never rewound.

use crate::class::{Basic, Class, ClassKind, ClassPtr, Field, MethodPtr, access};
use crate::files::Files;
use crate::hash::FastMap;
use crate::heap::{ClassId, ELEMENTS, Heap, OutOfMemory, Ref};
use crate::journal::Journal;
use crate::known::Known;
use crate::load::BootPath;
use crate::monitor::Monitor;
use crate::native::{NativeFn, Res, Trap, throw};
use crate::options::Options;
use crate::stack::Stack;
use crate::symbol::{Symbol, Symbols};
use crate::thread::{Thread, ThreadId};
use crate::translate::Translator;
use std::collections::BTreeMap;

/// The virtual machine.
pub struct Vm {
    pub options: Options,
    pub heap: Heap,
    pub symbols: Symbols,
    /// Classes by id; index 0 is unused.
    pub classes: Vec<ClassPtr>,
    /// Methods by id.
    pub methods: Vec<MethodPtr>,
    /// Classes by initiating loader and name.
    pub dictionary: FastMap<(Ref, Symbol), ClassPtr>,
    pub constraints: Vec<crate::constraints::Constraint>,
    /// When a loader was first asked for a class that another one defines, as an epoch.
    pub asked: FastMap<(Ref, Symbol), u32>,
    /// Classes that a rewind unloaded, by name: taken up again if the same bytes come.
    pub unloaded: FastMap<(Ref, Symbol), Vec<ClassPtr>>,
    /// Native functions by class, name and descriptor.
    pub natives: FastMap<(Symbol, Symbol, Symbol), NativeFn>,
    pub known: Known,
    pub boot_path: BootPath,
    pub threads: Vec<Thread>,
    /// The thread that runs, or ran last.
    pub current: ThreadId,
    /// Monitors that have more to them than an owner and a count.
    pub monitors: BTreeMap<Ref, Monitor>,
    /// Interned strings by content (UTF-16 units).
    pub strings: FastMap<Box<[u16]>, Ref>,
    pub journal: Journal,
    pub globals: Globals,
    pub files: Files,
    /// What the program wrote and nobody has taken yet, in order.
    pub output: Output,
    pub translator: Translator,
    /// Selected methods of interface and virtual lookups.
    pub selections: FastMap<(ClassId, u32), MethodPtr>,
    /// Signature-polymorphic intrinsics by name and descriptor.
    pub polymorphic: FastMap<(Symbol, Symbol), MethodPtr>,
    /// First entry of each class's vtable, by class id.
    pub vtables: Vec<*const MethodPtr>,
    /// Id of the element class, by id of the array class; 0 for others.
    pub elements_of: Vec<u32>,
    /// Id of `boolean[]`.
    pub boolean_array: u32,
    /// Direct-mapped cache of interface selections: (class id, method id) and target.
    pub interface_cache: Box<[(u64, Option<MethodPtr>)]>,
    /// Factory methods of lambdas, by the class they make instances of.
    pub lambda_factories: FastMap<ClassId, MethodPtr>,
    /// Adapters that the VM made for call sites, and what they concatenate by method id:
    /// caches, kept over rewinds.
    pub adapters: FastMap<crate::linkage::Site, MethodPtr>,
    pub recipes: FastMap<u32, &'static crate::concat::Recipe>,
    pub records: FastMap<u32, &'static crate::records::Shape>,
    /// Call sites that Java code linked.
    pub call_sites: FastMap<crate::linkage::Site, crate::class::Resolved>,
    /// Stacks of dead threads, ready for use.
    pub spare_stacks: Vec<Stack>,
    /// Once a call went through one.
    pub guards: Option<crate::guards::Guards>,
    pub stubs: Option<crate::upcall::Stubs>,
    /// The options at the last choice.
    pub choices: Vec<heddle_model::Choice>,
    /// By thread: see `awaiting.rs`. What is there may be of another path.
    pub ahead: Vec<Option<crate::awaiting::Ahead>>,
    /// Whom the notification could wake at which the running thread has just stopped.
    pub candidates: Vec<crate::thread::ThreadId>,
    /// Bytecodes run so far, those that were rewound included.
    pub work: u64,
    /// Whether what the next instruction writes was logged; false between slices.
    pub logged: bool,
    /// Where `Break` stands at this moment, and the word that belongs there.
    pub broken: Option<(*mut u64, u64)>,
    /// Where the running thread is to stop.
    pub stops: heddle_model::OpMask,
    /// Why the running thread stopped last.
    pub pause: heddle_model::Pause,
    /// The running thread stops before operations although it is alone.
    pub watched: bool,
    /// What holds wherever the machine stops, if the program is right.
    pub invariants: crate::invariant::Invariants,
    /// The call that is being told.
    pub called: crate::telling::Called,
    /// What is known of the program, and whether this is the run that finds it out.
    pub learned: crate::learned::Learned,
    pub learning: bool,
    /// Standard output and error as the library made them, for `printing.rs`.
    pub standard_streams: [Ref; 2],
    /// Monitors of the library that were taken in the run that finds things out.
    pub crossed: std::collections::BTreeSet<Ref>,
    /// Monitors that `hooks.rs` is about.
    pub halting: [Ref; 2],
    /// What the observer of this run wants to be told.
    pub wanted: heddle_model::EventMask,
    /// Events that natives have reported and nobody has been told yet.
    pub events: Vec<heddle_model::Event>,
}

/// Small state, copied with every mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Globals {
    /// Virtual nanoseconds since the start.
    pub clock: u64,
    /// What it was when it was last looked whose time is up.
    pub expired: u64,
    /// Exit code once `halt` was called.
    pub exit: Option<i32>,
    /// Counter for the random numbers the program asks the system for.
    pub random: u64,
    /// Hidden classes defined so far, for their names.
    pub hidden_classes: u64,
    /// Lambdas linked so far, for the names of their classes.
    pub lambdas: u32,
    /// Phase of library initialization reached (0 … 3).
    pub init_phase: u8,
    /// Standard input consumed.
    pub input: u64,
    /// Bytecodes run so far.
    pub bytecodes: u64,
    /// Threads of the program that are alive: the initial one until `main` is over, and
    /// those started since `main` began.
    pub live: u32,
    /// Whether the program has ever started one.
    pub threaded: bool,
    /// All threads, those of the library too, for those who ask for their number.
    pub roll: crate::onlookers::Roll,
    /// The program begins: the library is initialized and the main class loaded.
    pub main_started: bool,
    /// The loader of the main class.
    pub main_loader: Ref,
    /// The largest number of a thread (`Thread.getId`) that is older than the program.
    pub library_threads: u64,
    /// Which state a search is in, as far as it was asked for.
    pub state: crate::state::State,
}

/// Standard output and error, interleaved as written.
#[derive(Default, Debug)]
pub struct Output {
    pub bytes: Vec<(Stream, Vec<u8>)>,
    /// Bytes taken by the caller already.
    pub total: u64,
}

/// A standard stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    Out,
    Err,
}

impl Vm {
    // ---- classes and mirrors ------------------------------------------------------

    #[inline(always)]
    pub fn class(&self, id: ClassId) -> ClassPtr {
        self.classes[id.0 as usize]
    }

    /// The class of an object.
    #[inline(always)]
    pub fn class_of(&self, obj: Ref) -> ClassPtr {
        self.class(self.heap.class_of(obj))
    }

    /// The class that a mirror (java.lang.Class object) stands for.
    pub fn mirrored(&self, mirror: Ref) -> ClassPtr {
        debug_assert!(!mirror.is_null());
        self.class(ClassId(self.heap.length(mirror)))
    }

    pub fn is_instance(&self, obj: Ref, class: ClassPtr) -> bool {
        !obj.is_null() && self.class_of(obj).is_subtype_of(class)
    }

    /// Internal name of a class as text.
    pub fn name(&self, class: ClassPtr) -> String {
        self.symbols.text(class.name)
    }

    /// Name as `Class.getName` gives it: dots for slashes (hidden classes keep the
    /// slash before their suffix).
    pub fn external_name(&self, class: ClassPtr) -> String {
        let mut innermost = class;
        while let Some(inner) = innermost.element() {
            innermost = inner;
        }
        external(&self.symbols.text(class.name), innermost.hidden)
    }

    pub fn text(&self, symbol: Symbol) -> String {
        self.symbols.text(symbol)
    }

    pub fn symbol(&mut self, text: &str) -> Symbol {
        self.symbols.intern(text.as_bytes())
    }

    // ---- threads --------------------------------------------------------------------

    #[inline(always)]
    pub fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.0 as usize]
    }

    #[inline(always)]
    pub fn thread_mut(&mut self, id: ThreadId) -> &mut Thread {
        &mut self.threads[id.0 as usize]
    }

    /// The running thread.
    #[inline(always)]
    pub fn running(&mut self) -> &mut Thread {
        &mut self.threads[self.current.0 as usize]
    }

    // ---- allocation -------------------------------------------------------------------

    /// A new instance, all fields zero; the class must be initialized (or being so).
    pub fn new_object(&mut self, class: ClassPtr) -> Res<Ref> {
        debug_assert!(class.is_instance_kind());
        let thread = self.current.0 as usize;
        let region = &mut self.threads[thread].control.region;
        match self
            .heap
            .allocate(region, class.id, class.instance_size as u64, 0)
        {
            Ok(obj) => Ok(obj),
            Err(OutOfMemory) => self.out_of_memory(),
        }
    }

    /// A new array of an array class.
    pub fn new_array(&mut self, class: ClassPtr, length: u32) -> Res<Ref> {
        let ClassKind::Array { shift, .. } = class.kind else {
            panic!("heddle internal error: {class:?} is not an array class");
        };
        let size = (ELEMENTS + ((length as u64) << shift) + 7) & !7;
        let thread = self.current.0 as usize;
        let region = &mut self.threads[thread].control.region;
        match self.heap.allocate(region, class.id, size, length) {
            Ok(array) => Ok(array),
            Err(OutOfMemory) => self.out_of_memory(),
        }
    }

    fn out_of_memory<T>(&mut self) -> Res<T> {
        throw("java/lang/OutOfMemoryError", "Java heap space")
    }

    /// A new primitive array.
    pub fn new_primitive_array(&mut self, element: Basic, length: u32) -> Res<Ref> {
        let class = self.known.primitive_array(element);
        self.new_array(class, length)
    }

    pub fn new_byte_array(&mut self, bytes: &[u8]) -> Res<Ref> {
        let array = self.new_primitive_array(Basic::Byte, bytes.len() as u32)?;
        self.heap.write_bytes(array, ELEMENTS, bytes);
        Ok(array)
    }

    /// A new array of references to instances of `element`.
    pub fn new_ref_array(&mut self, element: ClassPtr, items: &[Ref]) -> Res<Ref> {
        let class = self.array_class_of(element);
        let array = self.new_array(class, items.len() as u32)?;
        for (i, &item) in items.iter().enumerate() {
            self.heap.set_element(array, i as u32, item);
        }
        Ok(array)
    }

    /// The references in an array.
    pub fn elements(&self, array: Ref) -> Vec<Ref> {
        (0..self.heap.length(array))
            .map(|i| self.heap.element(array, i))
            .collect()
    }

    // ---- boxes ----------------------------------------------------------------------------

    /// The basic type of a box class (`java/lang/Integer` …), if it is one.
    pub fn box_type(&self, class: ClassPtr) -> Option<Basic> {
        self.known
            .boxes
            .iter()
            .find(|(_, c, _)| *c == class)
            .map(|(basic, _, _)| *basic)
    }

    /// Type and raw value inside a box object.
    pub fn unbox(&self, boxed: Ref) -> Option<(Basic, u64)> {
        if boxed.is_null() {
            return None;
        }
        let class = self.class_of(boxed);
        let (basic, _, offset) = *self.known.boxes.iter().find(|(_, c, _)| *c == class)?;
        Some((basic, self.load_basic(boxed, offset as u64, basic)))
    }

    /// A new box for a primitive value. Always a fresh object; reflection and method
    /// handles use the caches of `valueOf` through [`Vm::box_method`].
    pub fn box_value(&mut self, basic: Basic, value: u64) -> Res<Ref> {
        let found = self.known.boxes.iter().find(|(b, _, _)| *b == basic);
        let (_, class, offset) = *found.expect("heddle internal error: no box for the type");
        let boxed = self.new_object(class)?;
        self.store_basic(boxed, offset as u64, basic, value);
        Ok(boxed)
    }

    /// `valueOf` of the box class of a primitive type.
    pub fn box_method(&mut self, basic: Basic) -> MethodPtr {
        let found = self.known.boxes.iter().find(|(b, _, _)| *b == basic);
        let (_, class, _) = *found.expect("heddle internal error: no box for the type");
        let desc = format!("({})L{};", basic.char() as char, self.name(class));
        self.method(class, "valueOf", &desc)
    }

    /// Reads a field or element of a basic type as a register value.
    pub fn load_basic(&self, obj: Ref, offset: u64, basic: Basic) -> u64 {
        match basic {
            Basic::Boolean => self.heap.get::<u8>(obj, offset) as u64,
            Basic::Byte => self.heap.get::<i8>(obj, offset) as i32 as u32 as u64,
            Basic::Char => self.heap.get::<u16>(obj, offset) as u64,
            Basic::Short => self.heap.get::<i16>(obj, offset) as i32 as u32 as u64,
            Basic::Int | Basic::Float | Basic::Reference => {
                self.heap.get::<u32>(obj, offset) as u64
            }
            Basic::Long | Basic::Double => self.heap.get::<u64>(obj, offset),
            Basic::Void => 0,
        }
    }

    /// Writes a register value to a field or element of a basic type.
    pub fn store_basic(&mut self, obj: Ref, offset: u64, basic: Basic, value: u64) {
        match basic {
            Basic::Boolean => self.heap.put(obj, offset, value as u8 & 1),
            Basic::Byte => self.heap.put(obj, offset, value as u8),
            Basic::Char | Basic::Short => self.heap.put(obj, offset, value as u16),
            Basic::Int | Basic::Float | Basic::Reference => {
                self.heap.put(obj, offset, value as u32)
            }
            Basic::Long | Basic::Double => self.heap.put(obj, offset, value),
            Basic::Void => {}
        }
    }

    // ---- members by name (for natives and library initialization) ------------------------

    /// A method declared by the class or a superclass or superinterface; it must exist.
    pub fn method(&mut self, class: ClassPtr, name: &str, desc: &str) -> MethodPtr {
        let (n, d) = (self.symbol(name), self.symbol(desc));
        self.find_method(class, n, d).unwrap_or_else(|| {
            panic!(
                "heddle internal error: no {}.{name}{desc} in this JDK",
                self.name(class)
            )
        })
    }

    /// Method lookup through superclasses, then superinterfaces (JVMS 5.4.3.3, without
    /// access checks).
    pub fn find_method(&self, class: ClassPtr, name: Symbol, desc: Symbol) -> Option<MethodPtr> {
        let mut next = Some(class);
        while let Some(c) = next {
            if let Some(found) = c.declared(name, desc) {
                return Some(found);
            }
            next = c.parent;
        }
        let mut any = None;
        for interface in &class.all_interfaces {
            if let Some(found) = interface.declared(name, desc)
                && !found.is_static()
                && !found.is_private()
            {
                if !found.is_abstract() {
                    // The most specific one wins: subtypes come later in the list.
                    any = Some(found);
                } else if any.is_none() {
                    any = Some(found);
                }
            }
        }
        any
    }

    /// Offset of a field declared by the class or a superclass; it must exist.
    pub fn offset(&mut self, class: ClassPtr, name: &str) -> u64 {
        let symbol = self.symbol(name);
        let found = find_field(class, |f| f.name == symbol);
        let Some(field) = found else {
            panic!(
                "heddle internal error: no field {}.{name} in this JDK",
                self.name(class)
            );
        };
        field.offset as u64
    }

    /// The field of instances of a class that has this name, its own or an inherited one.
    pub fn instance_field(&self, class: ClassPtr, name: &str) -> Option<&'static Field> {
        self.field_named(class, name, false)
    }

    pub fn static_field(&self, class: ClassPtr, name: &str) -> Option<&'static Field> {
        self.field_named(class, name, true)
    }

    fn field_named(&self, class: ClassPtr, name: &str, fixed: bool) -> Option<&'static Field> {
        find_field(class, |f| {
            (f.access & access::STATIC != 0) == fixed
                && self.symbols.bytes(f.name) == name.as_bytes()
        })
    }

    /// What the reference field of this name holds; null if there is no such field.
    pub fn reference_in(&self, object: Ref, name: &str) -> Ref {
        let field = self.instance_field(self.class_of(object), name);
        field.map_or(Ref::NULL, |f| self.heap.get_ref(object, f.offset.into()))
    }

    /// Reads a reference field by name: convenient, for paths that are not hot.
    pub fn field_ref(&mut self, obj: Ref, name: &str) -> Ref {
        let offset = self.offset(self.class_of(obj), name);
        self.heap.get_ref(obj, offset)
    }
    pub fn set_field_ref(&mut self, obj: Ref, name: &str, value: Ref) {
        let offset = self.offset(self.class_of(obj), name);
        self.heap.put_ref(obj, offset, value);
    }
    pub fn field_int(&mut self, obj: Ref, name: &str) -> i32 {
        let offset = self.offset(self.class_of(obj), name);
        self.heap.get(obj, offset)
    }
    pub fn set_field_int(&mut self, obj: Ref, name: &str, value: i32) {
        let offset = self.offset(self.class_of(obj), name);
        self.heap.put(obj, offset, value);
    }
    pub fn field_long(&mut self, obj: Ref, name: &str) -> i64 {
        let offset = self.offset(self.class_of(obj), name);
        self.heap.get(obj, offset)
    }
    pub fn set_field_long(&mut self, obj: Ref, name: &str, value: i64) {
        let offset = self.offset(self.class_of(obj), name);
        self.heap.put(obj, offset, value);
    }
    pub fn set_field_bool(&mut self, obj: Ref, name: &str, value: bool) {
        let offset = self.offset(self.class_of(obj), name);
        self.heap.put(obj, offset, value as u8);
    }

    /// The implementation of a virtual or interface method in the class of a receiver.
    pub fn select(&mut self, class: ClassPtr, method: MethodPtr) -> Option<MethodPtr> {
        if method.is_private() || method.is_static() {
            return Some(method);
        }
        let index = method.vtable_index.get();
        if index >= 0 && !method.class.is_interface() {
            return class.vtable().get(index as usize).copied();
        }
        if let Some(&found) = self.selections.get(&(class.id, method.id)) {
            return Some(found);
        }
        let found = crate::link::select_interface(class, method)?;
        self.selections.insert((class.id, method.id), found);
        Some(found)
    }

    /// The identity hash code: of the address, which depends on nothing but the thread
    /// that made the object; of the name for class mirrors.
    pub fn identity_hash(&self, obj: Ref) -> i32 {
        if obj.is_null() {
            return 0;
        }
        let class = self.heap.class_of(obj);
        let seed = if class == self.known.class.id {
            let name = self.symbols.bytes(self.mirrored(obj).name);
            name.iter()
                .fold(7u64, |h, &b| h.wrapping_mul(31).wrapping_add(b as u64))
        } else {
            obj.0 as u64
        };
        let hash = (crate::heap::mix(seed) & 0x7fff_ffff) as i32;
        if hash == 0 { 1 } else { hash }
    }

    /// Whether the package of a JDK class is exported to `module`, as Module says.
    pub fn is_exported(&mut self, class: ClassPtr, module: Ref) -> bool {
        let package = self.package(class);
        let symbol = self.symbols.intern(package);
        let from = class.module.get();
        self.boot_path.exports.contains(&(from, symbol, Ref::NULL))
            || self.boot_path.exports.contains(&(from, symbol, module))
            || self
                .boot_path
                .exports
                .contains(&(from, symbol, crate::load::ALL_UNNAMED))
                && self.field_ref(module, "name").is_null()
    }

    /// Sleeps, waits and time-outs look at this clock; see `clock.rs`.
    pub fn now_nanos(&self) -> u64 {
        self.globals.clock
    }
}

/// `java/lang/String` to `java.lang.String`; the suffix of hidden classes stays.
pub fn external(internal: &str, hidden: bool) -> String {
    if hidden && let Some(slash) = internal.rfind('/') {
        return format!(
            "{}{}",
            internal[..slash].replace('/', "."),
            &internal[slash..]
        );
    }
    internal.replace('/', ".")
}

/// A trap as an error.
pub fn trap<T>(trap: Trap) -> Res<T> {
    Err(Box::new(trap))
}

impl Class {
    /// A short-cut for `self.kind` of arrays.
    pub fn element_shift(&self) -> u8 {
        match self.kind {
            ClassKind::Array { shift, .. } => shift,
            _ => 0,
        }
    }
}

/// The first field like this, of a class or of one above it.
fn find_field(class: ClassPtr, is_it: impl Fn(&Field) -> bool) -> Option<&'static Field> {
    let mut next = Some(class);
    while let Some(class) = next {
        let own = class.fields.iter().find(|f| is_it(f));
        if own.is_some() {
            return own;
        }
        next = class.parent;
    }
    None
}
