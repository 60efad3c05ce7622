//! The slow sides of instructions: resolving what they name, making what they
//! create, and the errors they raise.

use crate::class::{Basic, ClassKind, ClassPtr, Field, InitState, MethodPtr, Touches, access};
use crate::heap::{ClassId, Ref};
use crate::interp::{InterfaceCall, VirtualCall};
use crate::make_class::{ENTER_HANDLER, ENTER_PRINT, ENTER_SYNC};
use crate::native::{NativeFn, Res, Trap, throw, unsupported};
use crate::vm::Vm;

impl Vm {
    // ---- fields ---------------------------------------------------------------------

    pub fn resolve_instance_field(
        &mut self,
        method: MethodPtr,
        index: u16,
    ) -> Res<(ClassPtr, &'static Field)> {
        let found = self.resolve_field(method.class, index)?;
        let field = found.field();
        if field.access & access::STATIC != 0 {
            let message = format!(
                "Expected non-static field {}.{}",
                self.external_name(found.class),
                self.text(field.name)
            );
            return throw("java/lang/IncompatibleClassChangeError", message);
        }
        if field.offset > u16::MAX as u32 {
            return unsupported("a class with more than 64 KiB of fields");
        }
        Ok((found.class, field))
    }

    pub fn resolve_put_field(
        &mut self,
        method: MethodPtr,
        index: u16,
    ) -> Res<(ClassPtr, &'static Field)> {
        let (holder, field) = self.resolve_instance_field(method, index)?;
        self.check_final(method, holder, field, "<init>")?;
        Ok((holder, field))
    }

    /// A final field is only written by its class, in initializers.
    fn check_final(
        &mut self,
        method: MethodPtr,
        holder: ClassPtr,
        field: &Field,
        initializer: &str,
    ) -> Res<()> {
        if field.access & access::FINAL == 0 {
            return Ok(());
        }
        let modern = method.class.file.as_ref().is_some_and(|f| f.major >= 53);
        let in_initializer = self.text(method.name) == initializer;
        if holder == method.class && (in_initializer || !modern) {
            return Ok(());
        }
        let kind = if initializer == "<clinit>" {
            "static"
        } else {
            "non-static"
        };
        let place = format!("{}.{}", self.external_name(holder), self.text(field.name));
        let reason = if holder != method.class {
            let own = self.external_name(method.class);
            format!("a different class ({own}) than the field's declaring class")
        } else {
            let own = self.text(method.name);
            format!("a different method ({own}) than the initializer method {initializer} ")
        };
        let message = format!("Update to {kind} final field {place} attempted from {reason}");
        throw("java/lang/IllegalAccessError", message)
    }

    /// A static field and the class that holds it, initialized (or being so by us).
    pub fn resolve_static_field(
        &mut self,
        method: MethodPtr,
        index: u16,
        write: bool,
    ) -> Res<(ClassPtr, &'static Field)> {
        let found = self.resolve_field(method.class, index)?;
        let field = found.field();
        if field.access & access::STATIC == 0 {
            let message = format!(
                "Expected static field {}.{}",
                self.external_name(found.class),
                self.text(field.name)
            );
            return throw("java/lang/IncompatibleClassChangeError", message);
        }
        if write {
            self.check_final(method, found.class, field, "<clinit>")?;
        }
        self.ensure_initialized(found.class)?;
        Ok((found.class, field))
    }

    // ---- objects and arrays -------------------------------------------------------------

    pub fn resolve_new(&mut self, method: MethodPtr, index: u16) -> Res<ClassPtr> {
        let class = self.resolve_class(method.class, index)?;
        if class.is_abstract() || class.is_interface() || class == self.known.class {
            return throw("java/lang/InstantiationError", self.external_name(class));
        }
        self.ensure_initialized(class)?;
        Ok(class)
    }

    /// `newarray` with the class file's type code.
    pub fn new_primitive_checked(&mut self, code: u8, length: i32) -> Res<Ref> {
        let class = self
            .known
            .primitive_array(Basic::PRIMITIVES[code as usize - 4]);
        self.new_array_checked(class, length)
    }

    /// A new array whose length comes from the program.
    pub fn new_array_checked(&mut self, class: ClassPtr, length: i32) -> Res<Ref> {
        if length < 0 {
            return throw("java/lang/NegativeArraySizeException", length.to_string());
        }
        if length >= i32::MAX - 1 {
            return throw(
                "java/lang/OutOfMemoryError",
                "Requested array size exceeds VM limit",
            );
        }
        self.new_array(class, length as u32)
    }

    pub fn new_multi_array(&mut self, class: ClassPtr, lengths: &[i32]) -> Res<Ref> {
        if let Some(&negative) = lengths.iter().find(|l| **l < 0) {
            return throw("java/lang/NegativeArraySizeException", negative.to_string());
        }
        self.new_dimension(class, lengths)
    }

    fn new_dimension(&mut self, class: ClassPtr, lengths: &[i32]) -> Res<Ref> {
        let array = self.new_array_checked(class, lengths[0])?;
        if lengths.len() > 1 {
            let element = class.element().expect("heddle internal error: dimensions");
            for i in 0..lengths[0] as u32 {
                let inner = self.new_dimension(element, &lengths[1..])?;
                self.heap.set_element(array, i, inner);
            }
        }
        Ok(array)
    }

    /// aastore: the array's element class must take the value's.
    pub fn check_store(&mut self, array: ClassId, value: ClassId) -> Res<()> {
        let ClassKind::Array { element, .. } = self.class(array).kind else {
            panic!("heddle internal error: aastore into no array");
        };
        let value = self.class(value);
        if value.is_subtype_of(element) {
            return Ok(());
        }
        throw("java/lang/ArrayStoreException", self.external_name(value))
    }

    #[cold]
    pub fn class_cast(&mut self, from: ClassId, to: ClassPtr) -> Box<Trap> {
        let from = self.class(from);
        let message = format!(
            "class {} cannot be cast to class {} ({})",
            self.external_name(from),
            self.external_name(to),
            self.describe_both(from, to)
        );
        let class = "java/lang/ClassCastException";
        Box::new(Trap::ThrowNew {
            class,
            message: Some(message),
            cause: Ref::NULL,
        })
    }

    // ---- calls --------------------------------------------------------------------------

    pub fn resolve_static_call(&mut self, method: MethodPtr, index: u16) -> Res<MethodPtr> {
        let target = self.resolve_method(method.class, index)?;
        if !target.is_static() {
            let text = self.method_text(target.class, target.name, target.desc);
            return throw(
                "java/lang/IncompatibleClassChangeError",
                format!("Expected static method '{text}'"),
            );
        }
        if target.flags.signature_polymorphic {
            let member = self.member_ref(method.class, index);
            return Ok(self.polymorphic_method(member.name, member.desc));
        }
        self.ensure_initialized(target.class)?;
        Ok(target)
    }

    pub fn resolve_special_call(&mut self, method: MethodPtr, index: u16) -> Res<MethodPtr> {
        let mut target = self.resolve_method(method.class, index)?;
        let text = |vm: &Vm, t: MethodPtr| vm.method_text(t.class, t.name, t.desc);
        if target.is_static() {
            let message = format!("Expecting non-static method '{}'", text(self, target));
            return throw("java/lang/IncompatibleClassChangeError", message);
        }
        let init = self.symbol("<init>");
        if target.name == init {
            let member = self.member_ref(method.class, index);
            let named = self.resolve_class(method.class, member.class)?;
            if named != target.class {
                let message = format!("'{}'", self.method_text(named, member.name, member.desc));
                return throw("java/lang/NoSuchMethodError", message);
            }
            return Ok(target);
        }
        // A call of a superclass's method starts the search at the direct superclass.
        let caller = method.class;
        if !target.class.is_interface()
            && caller != target.class
            && caller.access & access::SUPER != 0
            && caller.is_subtype_of(target.class)
            && !target.is_private()
            && let Some(parent) = caller.parent
        {
            match self.find_method(parent, target.name, target.desc) {
                Some(found) => target = found,
                None => {
                    let message = format!("'{}'", text(self, target));
                    return throw("java/lang/AbstractMethodError", message);
                }
            }
        }
        if target.is_abstract() {
            let message = format!("'{}'", text(self, target));
            return throw("java/lang/AbstractMethodError", message);
        }
        Ok(target)
    }

    pub fn resolve_virtual_call(&mut self, method: MethodPtr, index: u16) -> Res<VirtualCall> {
        let target = self.resolve_method(method.class, index)?;
        if target.is_static() {
            let text = self.method_text(target.class, target.name, target.desc);
            return throw(
                "java/lang/IncompatibleClassChangeError",
                format!("Expecting non-static method '{text}'"),
            );
        }
        if target.flags.signature_polymorphic {
            let member = self.member_ref(method.class, index);
            if self.symbols.bytes(member.name) == b"invokeBasic" {
                return Ok(VirtualCall::Direct(
                    self.polymorphic_method(member.name, member.desc),
                ));
            }
            let (adapter, appendix) = self.resolve_handle_call(method.class, index)?;
            return Ok(VirtualCall::Linked(adapter, appendix));
        }
        let direct = target.is_private()
            || (target.access & access::FINAL != 0 && !target.class.is_interface())
            || (target.class.access & access::FINAL != 0 && !target.class.is_interface());
        if direct {
            return Ok(VirtualCall::Direct(target));
        }
        let member = self.member_ref(method.class, index);
        let named = self.resolve_class(method.class, member.class)?;
        match self.vtable_index(named, target) {
            Some(slot) if slot <= u16::MAX as usize => Ok(VirtualCall::Table(slot as u16, named)),
            _ => Ok(VirtualCall::Direct(target)),
        }
    }

    pub fn resolve_interface_call(&mut self, method: MethodPtr, index: u16) -> Res<InterfaceCall> {
        let target = self.resolve_method(method.class, index)?;
        if target.is_static() {
            let text = self.method_text(target.class, target.name, target.desc);
            return throw(
                "java/lang/IncompatibleClassChangeError",
                format!("Expecting non-static method '{text}'"),
            );
        }
        if target.class.is_interface() {
            Ok(InterfaceCall::Interface(target))
        } else {
            Ok(InterfaceCall::Object(target))
        }
    }

    /// The method that an interface call runs for a receiver class.
    pub fn select_interface_call(&mut self, id: ClassId, wanted: MethodPtr) -> Res<MethodPtr> {
        let class = self.class(id);
        if !class.is_subtype_of(wanted.class) {
            let message = format!(
                "Class {} does not implement the requested interface {}",
                self.external_name(class),
                self.external_name(wanted.class)
            );
            return throw("java/lang/IncompatibleClassChangeError", message);
        }
        match self.select(class, wanted) {
            Some(found) if found.is_abstract() => Err(self.no_implementation(class, wanted)),
            Some(found) if found.access & access::PUBLIC == 0 && !found.is_private() => {
                let message = format!(
                    "class {} tried to access {}method '{}' ({})",
                    self.external_name(wanted.class),
                    if found.access & access::PROTECTED != 0 {
                        "protected "
                    } else {
                        ""
                    },
                    self.method_text(found.class, found.name, found.desc),
                    self.describe_both(wanted.class, found.class)
                );
                throw("java/lang/IllegalAccessError", message)
            }
            Some(found) => Ok(found),
            None => {
                let message = format!("Conflicting default methods: {}", self.text(wanted.name));
                throw("java/lang/IncompatibleClassChangeError", message)
            }
        }
    }

    /// A method without code was called on an object.
    pub fn abstract_call(&mut self, method: MethodPtr, receiver: Ref) -> Box<Trap> {
        let class = if receiver.is_null() {
            method.class
        } else {
            self.class_of(receiver)
        };
        self.no_implementation(class, method)
    }

    fn no_implementation(&mut self, class: ClassPtr, method: MethodPtr) -> Box<Trap> {
        let text = self.method_text(method.class, method.name, method.desc);
        let text = text.replacen(&format!("{}.", self.external_name(method.class)), "", 1);
        let kind = if method.class.is_interface() {
            "interface"
        } else {
            "abstract class"
        };
        let message = format!(
            "Receiver class {} does not define or inherit an implementation of the resolved method 'abstract {text}' of {kind} {}.",
            self.external_name(class),
            self.external_name(method.class)
        );
        let class = "java/lang/AbstractMethodError";
        Box::new(Trap::ThrowNew {
            class,
            message: Some(message),
            cause: Ref::NULL,
        })
    }

    // ---- bodies ---------------------------------------------------------------------------

    /// Translates a method at its first call.
    pub fn translate_method(&mut self, method: MethodPtr) -> Res<()> {
        if method.body.get().is_none() {
            if method.class.state.get() == InitState::Loaded {
                self.link(method.class)?;
            }
            let file = method
                .class
                .file
                .as_ref()
                .expect("heddle internal error: no class file");
            let info = method
                .info()
                .expect("heddle internal error: no method info");
            let watched = self.watched_in(method);
            let body = match self.translator.translate(file, info, watched) {
                Ok(body) => body,
                Err(error) => {
                    let text = self.method_text(method.class, method.name, method.desc);
                    return throw("java/lang/VerifyError", format!("{text}: {error}"));
                }
            };
            method.frame_words.set(body.frame_words);
            let _ = method.body.set(body);
        }
        let body = method
            .body
            .get()
            .expect("heddle internal error: body just set");
        let start = if method.is_synchronized() {
            let watched = usize::from(body.watched.has(0));
            ENTER_SYNC[1 - watched..].as_ptr()
        } else if self.is_printer(method) {
            ENTER_PRINT.as_ptr()
        } else if self.sees_to_exceptions(method) {
            ENTER_HANDLER.as_ptr()
        } else {
            body.words.as_ptr()
        };
        method.code.set(start);
        method.ahead.set(crate::frames::ahead(method, start));
        Ok(())
    }

    /// Which natives do something that other threads can notice.
    fn touches(&self, method: MethodPtr) -> Touches {
        let class = self.symbols.bytes(method.class.name);
        let name = self.symbols.bytes(method.name);
        match (class, name) {
            // A start is none: if others know the thread already, and may ask whether it is
            // alive, the monitor that `start` takes is one.
            (b"java/lang/Object", b"wait") => Touches::Always,
            (b"java/lang/Object", b"notify" | b"notifyAll" | b"clone") => Touches::Slot0,
            (b"java/lang/reflect/Array", name)
                if name != b"getLength"
                    && (name.starts_with(b"get") || name.starts_with(b"set")) =>
            {
                Touches::Slot0
            }
            (
                b"java/lang/Thread",
                b"interrupt0" | b"stop0" | b"suspend0" | b"resume0" | b"isAlive",
            ) => Touches::Slot0,
            (b"java/lang/Thread", b"sleep") => Touches::Always,
            (b"java/lang/Thread", b"start0") => Touches::Threads,
            (b"sun/management/ThreadImpl", _) => Touches::Threads,
            (
                b"sun/management/VMManagementImpl",
                b"getTotalThreadCount"
                | b"getLiveThreadCount"
                | b"getPeakThreadCount"
                | b"getDaemonThreadCount",
            ) => Touches::Threads,
            (b"java/lang/Thread", b"yield") => Touches::Yield,
            (b"jdk/internal/misc/Unsafe", b"park" | b"unpark") => Touches::Always,
            (b"jdk/internal/misc/Unsafe", b"setMemory0") => Touches::Memory,
            (b"jdk/internal/misc/Unsafe", b"copyMemory0" | b"copySwapMemory0") => Touches::Memories,
            (b"jdk/internal/misc/Unsafe", name)
                if name.starts_with(b"get")
                    || name.starts_with(b"put")
                    || name.starts_with(b"compareAnd") =>
            {
                match name.starts_with(b"compareAnd") || name.ends_with(b"Volatile") {
                    true => Touches::Slot1Volatile,
                    false => Touches::Slot1,
                }
            }
            (b"jdk/internal/misc/Unsafe", b"shouldBeInitialized0" | b"ensureClassInitialized0") => {
                Touches::Mirror1
            }
            // It may initialize a class; which one is known once it is loaded.
            (b"java/lang/Class", b"forName0") => Touches::Always,
            // It ends what all threads do.
            (b"java/lang/Shutdown", b"beforeHalt") => Touches::Always,
            (b"java/lang/System", b"arraycopy") => Touches::Slots02,
            (
                b"java/io/FileInputStream"
                | b"java/io/FileOutputStream"
                | b"java/io/RandomAccessFile",
                _,
            ) => Touches::Stream,
            (
                b"java/io/UnixFileSystem"
                | b"java/io/FileDescriptor"
                | b"sun/nio/fs/UnixNativeDispatcher"
                | b"sun/nio/fs/UnixCopyFile"
                | b"sun/nio/fs/LinuxWatchService"
                | b"sun/nio/ch/FileDispatcherImpl"
                | b"sun/nio/ch/FileChannelImpl"
                | b"java/nio/MappedMemoryUtils",
                name,
            ) if !name.starts_with(b"init") => Touches::Files,
            _ => Touches::Nothing,
        }
    }

    /// Natives after which the thread is where it was: see `waiting.rs`. A sleep is one,
    /// since time passes only when nothing else can happen; accessors of Unsafe say
    /// themselves what they do.
    fn changes_nothing(&self, method: MethodPtr) -> bool {
        let touches = method.touches.get();
        let (class, name) = (
            self.symbols.bytes(method.class.name),
            self.symbols.bytes(method.name),
        );
        match class {
            b"java/lang/Thread" => matches!(
                name,
                b"currentThread" | b"yield" | b"sleep" | b"isAlive" | b"holdsLock"
            ),
            b"java/lang/Object" => name == b"getClass",
            b"java/lang/Class" => matches!(
                name,
                b"isInstance" | b"isAssignableFrom" | b"isArray" | b"isInterface" | b"isPrimitive"
            ),
            b"java/lang/Float" | b"java/lang/Double" | b"java/lang/StrictMath" => true,
            b"jdk/internal/misc/Unsafe" => {
                name.ends_with(b"Fence")
                    || matches!(touches, Touches::Slot1 | Touches::Slot1Volatile)
            }
            _ => false,
        }
    }

    /// The function of a native method.
    pub fn find_native(&mut self, method: MethodPtr) -> Res<NativeFn> {
        let key = (method.class.name, method.name, method.desc);
        if let Some(&function) = self.natives.get(&key) {
            method.native.set(Some(function));
            method.touches.set(self.touches(method));
            method.pure.set(self.changes_nothing(method));
            return Ok(function);
        }
        let name = self.symbols.bytes(method.name);
        if method.class.flags.from_jdk
            && self.symbols.bytes(method.desc) == b"()V"
            && (name == b"registerNatives" || name == b"initIDs" || name == b"initNative")
        {
            // These only tell a native library where the Java side is; there is none.
            method.native.set(Some(nothing_to_register));
            return Ok(nothing_to_register);
        }
        if !method.class.flags.from_jdk {
            let text = self.method_text(method.class, method.name, method.desc);
            return throw("java/lang/UnsatisfiedLinkError", format!("'{text}'"));
        }
        unsupported(format!(
            "the native method {}.{}{}",
            self.external_name(method.class),
            self.text(method.name),
            self.text(method.desc)
        ))
    }
}

fn nothing_to_register(_: &mut Vm, _: crate::native::Frame) -> Res<u64> {
    Ok(0)
}
