//! Classes and fields of the library that the VM itself works with.
//!
//! The one list of what Heddle assumes about the JDK's Java code: a JDK without
//! one of these is reported by name at start-up.

use crate::class::{Basic, Class, ClassKind, ClassPtr, MethodPtr};
use crate::heap::ClassId;
use crate::native::Res;
use crate::symbol::Symbol;
use crate::vm::Vm;

macro_rules! known {
    (classes { $($class:ident = $name:literal),* $(,)? }
     offsets { $($offset:ident = $of:ident . $field:literal),* $(,)? }) => {
        /// Classes and field offsets by role.
        pub struct Known {
            $(pub $class: ClassPtr,)*
            $(pub $offset: u64,)*
            /// Primitive types in the order of [`Basic::PRIMITIVES`].
            pub primitives: [ClassPtr; 9],
            /// Arrays of them (void has none: its place is filled with `boolean[]`).
            pub primitive_arrays: [ClassPtr; 9],
            /// `Thread.join(long)`.
            pub thread_join: Option<MethodPtr>,
            /// `Thread.run()` and `Thread.exit()`.
            pub thread_run: Option<MethodPtr>,
            pub thread_exit: Option<MethodPtr>,
            /// Box classes and the offset of their value.
            pub boxes: Vec<(Basic, ClassPtr, u32)>,
        }

        impl Known {
            /// Before anything is loaded.
            pub fn none() -> Known {
                let nothing = nothing();
                Known {
                    $($class: nothing,)*
                    $($offset: 0,)*
                    primitives: [nothing; 9],
                    primitive_arrays: [nothing; 9],
                    thread_join: None,
                    thread_run: None,
                    thread_exit: None,
                    boxes: Vec::new(),
                }
            }
        }

        impl Vm {
            /// Loads the classes named above, in this order, and looks up the offsets.
            pub fn load_known(&mut self) -> Res<()> {
                $(
                    self.known.$class = self.load_boot($name)?;
                )*
                $(
                    self.known.$offset = self.offset(self.known.$of, $field);
                )*
                let thread = self.known.thread;
                self.known.thread_join = Some(self.method(thread, "join", "(J)V"));
                self.known.thread_run = Some(self.method(thread, "run", "()V"));
                self.known.thread_exit = Some(self.method(thread, "exit", "()V"));
                Ok(())
            }
        }
    };
}

known! {
    classes {
        object = "java/lang/Object",
        serializable = "java/io/Serializable",
        cloneable = "java/lang/Cloneable",
        class = "java/lang/Class",
        string = "java/lang/String",
        throwable = "java/lang/Throwable",
        error = "java/lang/Error",
        thread = "java/lang/Thread",
        thread_group = "java/lang/ThreadGroup",
        system = "java/lang/System",
        shutdown = "java/lang/Shutdown",
        class_loader = "java/lang/ClassLoader",
        module = "java/lang/Module",
        reference = "java/lang/ref/Reference",
        finalizer = "java/lang/ref/Finalizer",
        stack_trace_element = "java/lang/StackTraceElement",
        member_name = "java/lang/invoke/MemberName",
        resolved_method_name = "java/lang/invoke/ResolvedMethodName",
        method_handle = "java/lang/invoke/MethodHandle",
        method_type = "java/lang/invoke/MethodType",
        lambda_form = "java/lang/invoke/LambdaForm",
        var_handle = "java/lang/invoke/VarHandle",
        call_site = "java/lang/invoke/CallSite",
        method_handle_natives = "java/lang/invoke/MethodHandleNatives",
        reflect_method = "java/lang/reflect/Method",
        reflect_constructor = "java/lang/reflect/Constructor",
        reflect_field = "java/lang/reflect/Field",
        ownable = "java/util/concurrent/locks/AbstractOwnableSynchronizer",
        synchronizer = "java/util/concurrent/locks/AbstractQueuedSynchronizer",
        mutex = "java/util/concurrent/locks/ReentrantLock$Sync",
    }
    offsets {
        string_value = string."value",
        string_coder = string."coder",
        string_hash = string."hash",
        class_loader_field = class."classLoader",
        class_component = class."componentType",
        class_module = class."module",
        class_data = class."classData",
        class_name = class."name",
        throwable_backtrace = throwable."backtrace",
        throwable_depth = throwable."depth",
        throwable_message = throwable."detailMessage",
        throwable_cause = throwable."cause",
        throwable_trace = throwable."stackTrace",
        thread_eetop = thread."eetop",
        thread_name = thread."name",
        thread_tid = thread."tid",
        thread_status = thread."threadStatus",
        thread_group_field = thread."group",
        thread_daemon = thread."daemon",
        thread_priority = thread."priority",
        thread_interrupted = thread."interrupted",
        thread_stillborn = thread."stillborn",
        thread_stack_size = thread."stackSize",
        thread_target = thread."target",
        thread_locals = thread."threadLocals",
        thread_inheritable_locals = thread."inheritableThreadLocals",
        thread_access_control = thread."inheritedAccessControlContext",
        thread_blocker = thread."blocker",
        thread_handler = thread."uncaughtExceptionHandler",
        group_threads = thread_group."threads",
        group_size = thread_group."nthreads",
        group_groups = thread_group."ngroups",
        group_destroyed = thread_group."destroyed",
        group_daemon = thread_group."daemon",
        shutdown_hooks = shutdown."hooks",
        shutdown_halt_lock = shutdown."haltLock",
        referent = reference."referent",
        ownable_owner = ownable."exclusiveOwnerThread",
        synchronizer_state = synchronizer."state",
        member_clazz = member_name."clazz",
        member_name_field = member_name."name",
        member_type = member_name."type",
        member_flags = member_name."flags",
        member_method = member_name."method",
        member_vmindex = member_name."vmindex",
        resolved_vmtarget = resolved_method_name."vmtarget",
        resolved_vmholder = resolved_method_name."vmholder",
        handle_form = method_handle."form",
        handle_type = method_handle."type",
        form_entry = lambda_form."vmentry",
        method_type_rtype = method_type."rtype",
        method_type_ptypes = method_type."ptypes",
    }
}

/// Fields that the VM adds to library classes, as HotSpot does: class, name, descriptor.
pub const INJECTED: &[(&str, &str, &str)] = &[
    ("java/lang/invoke/MemberName", "vmindex", "J"),
    ("java/lang/invoke/ResolvedMethodName", "vmtarget", "J"),
    (
        "java/lang/invoke/ResolvedMethodName",
        "vmholder",
        "Ljava/lang/Object;",
    ),
    // Why the initialization of a class failed, for those who come later.
    ("java/lang/Class", "vminiterror", "Ljava/lang/Object;"),
    ("java/lang/StackFrameInfo", "vmframe", "J"),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker",
        "position",
        "J",
    ),
    (
        "java/lang/Class",
        "protectionDomain",
        "Ljava/security/ProtectionDomain;",
    ),
    ("java/lang/Class", "initError", "Ljava/lang/Throwable;"),
    ("java/lang/Class", "signers", "[Ljava/lang/Object;"),
];

impl Vm {
    /// One of the methods that are looked up when the VM starts.
    pub fn known_method(&self, method: Option<MethodPtr>) -> MethodPtr {
        method.expect("heddle internal error: a method of the library is missing")
    }
}

impl Known {
    /// The class of a primitive type.
    pub fn primitive(&self, basic: Basic) -> ClassPtr {
        let index = Basic::PRIMITIVES.iter().position(|b| *b == basic);
        self.primitives[index.expect("heddle internal error: not a primitive type")]
    }

    /// The class of arrays of a primitive type.
    pub fn primitive_array(&self, basic: Basic) -> ClassPtr {
        let index = Basic::PRIMITIVES.iter().position(|b| *b == basic);
        self.primitive_arrays[index.expect("heddle internal error: not a primitive type")]
    }
}

/// A class that stands for “not loaded yet”.
fn nothing() -> ClassPtr {
    Box::leak(Box::new(Class::without_file(
        ClassId(0),
        Symbol(0),
        ClassKind::Instance,
    )))
}
