//! Classes, methods and fields as the VM sees them after loading.
//!
//! All of it is allocated once and lives for ever (`&'static`): a class that a
//! rewind unloads keeps its number and its mirror's address, and gets them again
//! when the same bytes are loaded once more, so code and inline caches that
//! mention it stay valid. What the program can observe of a class (its
//! initialization state, resolved constants) sits in `Cell`s that only
//! `journal.rs` writes.

use crate::heap::{ClassId, Ref};
use crate::isa::Body;
use crate::layout::STATICS_START;
use crate::native::NativeFn;
use crate::symbol::Symbol;
use crate::thread::ThreadId;
use heddle_classfile::ClassFile;
use heddle_model::Site;
use std::cell::{Cell, OnceCell, RefCell};

pub type ClassPtr = &'static Class;
pub type MethodPtr = &'static Method;

/// A class, interface, array class or primitive type.
pub struct Class {
    pub id: ClassId,
    /// Internal form: `java/lang/String`, `[I`, `int`; a hidden class has `/0x…` appended.
    pub name: Symbol,
    pub kind: ClassKind,
    pub access: u16,
    /// Defining loader; null is the boot loader.
    pub loader: Ref,
    /// Superclass; `None` for Object, interfaces have Object.
    pub parent: Option<ClassPtr>,
    /// Direct superinterfaces.
    pub interfaces: Vec<ClassPtr>,
    /// All superinterfaces, transitive, each once, supertypes first.
    pub all_interfaces: Vec<ClassPtr>,
    /// Superclass chain from Object down to this class: subclass tests by depth.
    pub chain: Vec<ClassPtr>,
    pub file: Option<ClassFile>,
    /// Declared fields, in class-file order; injected ones last.
    pub fields: Vec<Field>,
    /// Declared methods, in class-file order.
    pub methods: OnceCell<Vec<MethodPtr>>,
    /// Virtual methods by index.
    pub vtable: OnceCell<Vec<MethodPtr>>,
    /// Bytes of an instance, header included, a multiple of 8.
    pub instance_size: u32,
    /// Bytes of the mirror with the statics.
    pub mirror_size: u32,
    pub mirror: Cell<Ref>,
    pub state: Cell<InitState>,
    /// Epochs of loading and of the end of initialization, for what may outlast rewinds.
    pub loaded_epoch: Cell<u32>,
    pub initialized_epoch: Cell<u32>,
    /// It was initialized while no other thread of the program was alive.
    pub initialized_alone: Cell<bool>,
    /// The thread that did, or does, or tried last.
    pub initialized_by: Cell<ThreadId>,
    /// Resolved constants, by pool index.
    pub resolved: RefCell<Vec<Resolved>>,
    /// The class of arrays of this, once it exists.
    pub array_class: Cell<Option<ClassPtr>>,
    /// java.lang.Module object of the class.
    pub module: Cell<Ref>,
    pub flags: ClassFlags,
    /// The nest host once resolved (for hidden nestmates set at definition).
    pub nest_host: Cell<Option<ClassPtr>>,
    /// Class data of a hidden class is in the mirror; the host that looked it up:
    pub hidden: bool,
    /// Of a class behind a lambda of the program: where that is written.
    pub written_at: Cell<Option<Site>>,
    /// Offsets of the reference fields of an instance, once somebody asked.
    pub reference_offsets: OnceCell<Vec<u32>>,
    /// Offsets of its fields that order no threads, once somebody asked.
    pub quiet: OnceCell<Vec<u32>>,
    /// What threads wait for at its objects for good, once somebody asked.
    pub gate: OnceCell<Option<crate::gates::Gate>>,
    /// Offsets of volatile fields, sorted: of instances (inherited ones too) and statics.
    pub volatiles: OnceCell<[Box<[u32]>; 2]>,
    /// Where the class came from, for error messages (“file:/…” or “jrt:/java.base”).
    pub source: String,
}

impl Class {
    /// A type that has no class file: a primitive, or what an array class begins as.
    pub fn without_file(id: ClassId, name: Symbol, kind: ClassKind) -> Class {
        Class {
            id,
            name,
            kind,
            access: access::PUBLIC | access::FINAL | access::ABSTRACT,
            loader: Ref::NULL,
            parent: None,
            interfaces: Vec::new(),
            all_interfaces: Vec::new(),
            chain: Vec::new(),
            file: None,
            fields: Vec::new(),
            methods: OnceCell::new(),
            vtable: OnceCell::new(),
            instance_size: 16,
            mirror_size: STATICS_START,
            mirror: Cell::new(Ref::NULL),
            state: Cell::new(InitState::Initialized),
            loaded_epoch: Cell::new(0),
            initialized_epoch: Cell::new(0),
            initialized_alone: Cell::new(true),
            initialized_by: Cell::new(ThreadId(0)),
            resolved: RefCell::new(Vec::new()),
            array_class: Cell::new(None),
            module: Cell::new(Ref::NULL),
            flags: ClassFlags {
                from_jdk: true,
                trusted: true,
                ..ClassFlags::default()
            },
            nest_host: Cell::new(None),
            hidden: false,
            written_at: Cell::new(None),
            reference_offsets: OnceCell::new(),
            quiet: OnceCell::new(),
            gate: OnceCell::new(),
            volatiles: OnceCell::new(),
            source: String::new(),
        }
    }

    /// Statics with a constant value: the field, and where the pool has the value.
    pub fn constant_values(&self) -> impl Iterator<Item = (&Field, u16)> {
        let values = self.file.as_ref().map_or(&[][..], |file| &file.fields);
        let statics = self
            .fields
            .iter()
            .filter(|f| f.access & access::STATIC != 0);
        statics.filter_map(|field| {
            let index = values.get(field.index as usize)?.constant_value?;
            Some((field, index))
        })
    }
}

/// What sort of type a [`Class`] is.
#[derive(Clone, Copy)]
pub enum ClassKind {
    Instance,
    /// `shift`: log2 of the element size.
    Array {
        element: ClassPtr,
        shift: u8,
    },
    Primitive(Basic),
}

/// Facts about a class that the VM asks often.
#[derive(Clone, Copy, Default)]
pub struct ClassFlags {
    /// Declares `finalize()` other than Object's.
    pub finalizer: bool,
    /// Is java.lang.ref.Reference or a subclass of it.
    pub reference: bool,
    /// Declares or inherits non-abstract interface methods (initialization of superinterfaces).
    pub has_defaults: bool,
    /// A subclass of java.lang.Throwable.
    pub throwable: bool,
    /// Came from the JDK's image.
    pub from_jdk: bool,
    /// In a trusted package: its code is not explored, a call into it is one operation.
    pub trusted: bool,
    /// What the library makes of a lambda expression or method reference of the program: not
    /// the program's code itself, but it hands on calls that the program wrote.
    pub hands_on: bool,
    /// Nothing that the library does to its objects orders threads.
    pub quiet: bool,
    /// Some of its statics hold state of the program, though it is the library's.
    pub counts: bool,
    /// No operation of a thread of the library ends where a method returns to its code.
    pub goes_on: bool,
}

impl ClassFlags {
    /// One of the JDK's that is trusted: what its statics hold and who initialized it is
    /// bookkeeping. Of other classes that are trusted it is state of the program.
    pub fn is_library(self) -> bool {
        self.trusted && self.from_jdk
    }
}

/// Initialization, JVMS 5.5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitState {
    Loaded,
    /// Verified and prepared.
    Linked,
    Running(ThreadId),
    Initialized,
    Failed,
}

/// A constant-pool entry after resolution.
#[derive(Clone, Copy, Default)]
pub enum Resolved {
    #[default]
    No,
    Class(ClassPtr),
    Field(FieldRef),
    Method(MethodPtr),
    /// A String, MethodHandle, MethodType or reference-typed dynamic constant.
    Object(Ref),
    /// A primitive dynamic constant.
    Value(u64),
    /// A linked call: the adapter method and its appendix.
    CallSite(MethodPtr, Ref),
    /// Resolution failed: this exception is thrown again each time.
    Failed(Ref),
}

/// Where a field is.
#[derive(Clone, Copy)]
pub struct FieldRef {
    pub class: ClassPtr,
    pub index: u16,
}

impl FieldRef {
    pub fn field(&self) -> &'static Field {
        &self.class.fields[self.index as usize]
    }
}

/// A declared field.
pub struct Field {
    pub access: u16,
    pub name: Symbol,
    pub desc: Symbol,
    /// Byte offset in the instance, or in the class mirror for statics.
    pub offset: u32,
    pub basic: Basic,
    /// Index in the class file; `u16::MAX` for injected fields.
    pub index: u16,
}

/// The basic types, with the codes of `newarray` where they have one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Basic {
    Boolean,
    Char,
    Float,
    Double,
    Byte,
    Short,
    Int,
    Long,
    Reference,
    Void,
}

impl Basic {
    /// From the first character of a descriptor.
    pub fn of(descriptor: u8) -> Basic {
        match descriptor {
            b'Z' => Basic::Boolean,
            b'C' => Basic::Char,
            b'F' => Basic::Float,
            b'D' => Basic::Double,
            b'B' => Basic::Byte,
            b'S' => Basic::Short,
            b'I' => Basic::Int,
            b'J' => Basic::Long,
            b'V' => Basic::Void,
            _ => Basic::Reference,
        }
    }

    /// The descriptor character (`L` for references).
    pub fn char(self) -> u8 {
        match self {
            Basic::Boolean => b'Z',
            Basic::Char => b'C',
            Basic::Float => b'F',
            Basic::Double => b'D',
            Basic::Byte => b'B',
            Basic::Short => b'S',
            Basic::Int => b'I',
            Basic::Long => b'J',
            Basic::Void => b'V',
            Basic::Reference => b'L',
        }
    }

    /// log2 of the bytes a field or element takes.
    pub fn shift(self) -> u8 {
        match self {
            Basic::Boolean | Basic::Byte | Basic::Void => 0,
            Basic::Char | Basic::Short => 1,
            Basic::Int | Basic::Float | Basic::Reference => 2,
            Basic::Long | Basic::Double => 3,
        }
    }

    /// Local-variable slots of a value.
    pub fn slots(self) -> usize {
        match self {
            Basic::Void => 0,
            Basic::Long | Basic::Double => 2,
            _ => 1,
        }
    }

    /// Name in the language, e.g. `int`.
    pub fn java_name(self) -> &'static str {
        match self {
            Basic::Boolean => "boolean",
            Basic::Char => "char",
            Basic::Float => "float",
            Basic::Double => "double",
            Basic::Byte => "byte",
            Basic::Short => "short",
            Basic::Int => "int",
            Basic::Long => "long",
            Basic::Void => "void",
            Basic::Reference => "reference",
        }
    }

    pub const PRIMITIVES: [Basic; 9] = [
        Basic::Boolean,
        Basic::Char,
        Basic::Float,
        Basic::Double,
        Basic::Byte,
        Basic::Short,
        Basic::Int,
        Basic::Long,
        Basic::Void,
    ];
}

/// A method. The first fields are what a call touches.
#[repr(C)]
pub struct Method {
    /// First word of the code to run: the translated body, or a one-word stub.
    pub code: Cell<*const u64>,
    /// What a call pays for: the bytecodes from there to the end of the stretch.
    pub ahead: Cell<i64>,
    /// Words of the frame, for the stack check.
    pub frame_words: Cell<u32>,
    pub max_locals: u16,
    /// Argument slots, receiver included.
    pub arg_slots: u16,
    pub class: ClassPtr,
    pub name: Symbol,
    pub desc: Symbol,
    /// Number of the method in the VM; permanent.
    pub id: u32,
    pub access: u16,
    /// Index among the class's methods; `u16::MAX` for methods the VM made.
    pub index: u16,
    /// Index in the vtable; -1 for methods that are called directly.
    pub vtable_index: Cell<i32>,
    pub body: OnceCell<Body>,
    pub native: Cell<Option<NativeFn>>,
    /// Which shared state a native, or a method that is one access, touches, for the search.
    pub touches: Cell<Touches>,
    /// Whether a native changes nothing, or says itself when it does; see `waiting.rs`.
    pub pure: Cell<bool>,
    pub returns: Basic,
    /// Parameter types without the receiver.
    pub params: Vec<Basic>,
    pub flags: MethodFlags,
}

/// What a native does that other threads can notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Touches {
    #[default]
    Nothing,
    /// Always something: wait, park and their kin.
    Always,
    /// Nothing; but a loop that only does this is recognized by it: yield.
    Yield,
    /// The object in slot 0: notify, interrupt, clone.
    Slot0,
    /// The object in slot 1: the accessors of Unsafe.
    Slot1,
    /// The same in volatile mode, and compare-and-set.
    Slot1Volatile,
    /// The class whose number is in slot 0: the stub that initializes it.
    Class0,
    /// The initialization of the class whose mirror is in slot 1.
    Mirror1,
    /// The thread itself, when it ends: the stubs at the bottom of stacks.
    Life,
    /// Files.
    Files,
    /// Files, through an object in slot 0 that has a position in one.
    Stream,
    /// Who there is and what they do, in a program that asks for it (`onlookers.rs`).
    Threads,
    /// Memory at slot 1, and for a copy at slot 4.
    Memory,
    Memories,
    /// The objects in slots 0 and 2: arraycopy.
    Slots02,
    /// No native: a method of the library that does nothing but read one place, or write it.
    Reads,
    Writes,
    /// No native: a method of the library that does nothing but take a lock (`mutexes.rs`).
    Lock,
    /// No native: methods of the library that wait for what happens for good, or count down to
    /// it (`gates.rs`).
    Gate,
    CountsDown,
}

/// Facts about a method that the VM asks often.
#[derive(Clone, Copy, Default)]
pub struct MethodFlags {
    /// Left out of stack traces (`@Hidden`, frames of the VM's own).
    pub hidden: bool,
    pub caller_sensitive: bool,
    /// A frame that the VM made; never shown to Java at all.
    pub vm_stub: bool,
    /// A call of it is one operation of the caller's.
    pub trusted: bool,
    /// What is called from it is an operation of its own: the program's code, or what the
    /// library makes of a method reference that the program wrote.
    pub own: bool,
    /// MethodHandle.invoke and invokeExact, the VarHandle accessors: linked per call type.
    pub signature_polymorphic: bool,
    /// It calls `Object.wait()`.
    pub waits: bool,
}

pub mod access {
    //! Access flags of the class-file format.
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const SUPER: u16 = 0x0020;
    pub const VOLATILE: u16 = 0x0040;
    pub const BRIDGE: u16 = 0x0040;
    pub const VARARGS: u16 = 0x0080;
    pub const TRANSIENT: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const STRICT: u16 = 0x0800;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
}

impl Class {
    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }
    pub fn is_abstract(&self) -> bool {
        self.access & access::ABSTRACT != 0
    }
    pub fn is_array(&self) -> bool {
        matches!(self.kind, ClassKind::Array { .. })
    }
    pub fn is_primitive(&self) -> bool {
        matches!(self.kind, ClassKind::Primitive(_))
    }
    pub fn is_instance_kind(&self) -> bool {
        matches!(self.kind, ClassKind::Instance)
    }
    /// Element type of an array class.
    pub fn element(&self) -> Option<ClassPtr> {
        match self.kind {
            ClassKind::Array { element, .. } => Some(element),
            _ => None,
        }
    }
    pub fn methods(&self) -> &[MethodPtr] {
        self.methods.get().map_or(&[], |m| m)
    }
    pub fn vtable(&self) -> &[MethodPtr] {
        self.vtable.get().map_or(&[], |v| v)
    }
    pub fn is_initialized(&self) -> bool {
        self.state.get() == InitState::Initialized
    }

    pub fn is_being_initialized_by_another(&self, thread: ThreadId) -> bool {
        matches!(self.state.get(), InitState::Running(by) if by != thread)
    }

    /// Declared method by name and descriptor.
    pub fn declared(&self, name: Symbol, desc: Symbol) -> Option<MethodPtr> {
        self.methods()
            .iter()
            .copied()
            .find(|m| m.name == name && m.desc == desc)
    }

    /// Declared field by name and descriptor.
    pub fn declared_field(&self, name: Symbol, desc: Symbol) -> Option<&Field> {
        self.fields
            .iter()
            .find(|f| f.name == name && f.desc == desc)
    }

    /// Same class or a subclass of `other`, or implements it; array rules included.
    pub fn is_subtype_of(&self, other: ClassPtr) -> bool {
        if std::ptr::eq(self, other) {
            return true;
        }
        if other.is_interface() {
            return self.all_interfaces.iter().any(|i| std::ptr::eq(*i, other));
        }
        match (self.kind, other.kind) {
            (
                ClassKind::Array { element: mine, .. },
                ClassKind::Array {
                    element: theirs, ..
                },
            ) => !mine.is_primitive() && !theirs.is_primitive() && mine.is_subtype_of(theirs),
            _ => {
                let depth = other.chain.len();
                depth > 0 && self.chain.len() >= depth && std::ptr::eq(self.chain[depth - 1], other)
            }
        }
    }
}

impl Method {
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }
    pub fn is_native(&self) -> bool {
        self.access & access::NATIVE != 0
    }
    pub fn is_abstract(&self) -> bool {
        self.access & access::ABSTRACT != 0
    }
    pub fn is_private(&self) -> bool {
        self.access & access::PRIVATE != 0
    }
    pub fn is_synchronized(&self) -> bool {
        self.access & access::SYNCHRONIZED != 0
    }
    /// The class file's description; `None` for methods that the VM made.
    pub fn info(&self) -> Option<&'static heddle_classfile::Method> {
        let class: ClassPtr = self.class;
        class.file.as_ref()?.methods.get(self.index as usize)
    }
}

impl std::fmt::Debug for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Class#{}", self.id.0)
    }
}

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Method#{}", self.id)
    }
}
