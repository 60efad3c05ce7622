//! Loading: from a name or bytes to a [`Class`] (JVMS 5.3).
//!
//! The boot loader reads the JDK's image here; every other loader is Java code,
//! reached through [`Trap::Load`]. `define_class` is the common end of both. It
//! may answer with a trap (a superclass has to be loaded by Java code first) and
//! is then simply called again.

use crate::class::{
    Basic, Class, ClassFlags, ClassKind, ClassPtr, Field, InitState, Method, MethodFlags, access,
};
use crate::hash::{FastMap, FastSet};
use crate::heap::{Ref, Shape};
use crate::isa::{FRAME_HEADER, Op, insn};
use crate::known::INJECTED;
use crate::layout::{Layout, STATICS_START};
use crate::native::{Res, SCRATCH, Trap, throw};
use crate::symbol::Symbol;
use crate::vm::{Vm, trap};
use heddle_classfile::jimage::Image;
use heddle_classfile::{Checks, ClassBytes, ClassFile, ClassFileError, Constant, ParseOptions};
use heddle_model::{EventKind, ObjectId};
use std::cell::{Cell, OnceCell, RefCell};

/// Where the boot loader finds classes.
pub struct BootPath {
    pub image: Image,
    /// Modules defined to the boot loader, by package (internal form).
    pub packages: FastMap<Symbol, Ref>,
    /// Modules of other loaders' packages, by loader and package.
    pub loader_packages: FastMap<(Ref, Symbol), Ref>,
    /// Exported packages: module, package, and to which module (null: to all).
    pub exports: FastSet<(Ref, Symbol, Ref)>,
    /// java.base, once defined; until then its classes wait for it.
    pub java_base: Ref,
    /// The boot loader's unnamed module.
    pub unnamed: Ref,
}

/// In place of a module in [`BootPath::exports`]: all unnamed modules.
pub const ALL_UNNAMED: Ref = Ref(u32::MAX);

/// How a class is to be defined.
#[derive(Clone, Copy, Default)]
pub struct Definition {
    /// From the JDK's image: trusted, not verified.
    pub from_jdk: bool,
    /// A hidden class: not in the dictionary, a fresh name each time.
    pub hidden: bool,
    /// Nest host of a hidden class defined as nestmate.
    pub nest_host: Option<ClassPtr>,
}

pub static TRANSLATE: [u64; 1] = [insn(Op::Translate, 0, 0, 0)];
pub static NATIVE: [u64; 2] = [insn(Op::NativeEnter, 0, 0, 0), insn(Op::Native, 0, 0, 0)];
pub static ENTER_SYNC: [u64; 2] = [insn(Op::ArriveSync, 0, 0, 0), insn(Op::EnterSync, 0, 0, 0)];
pub static ABSTRACT: [u64; 1] = [insn(Op::Abstract, 0, 0, 0)];

impl Vm {
    /// Loads a class of the JDK's image with the boot loader; it must exist.
    pub fn load_boot(&mut self, name: &str) -> Res<ClassPtr> {
        let symbol = self.symbol(name);
        self.load_class(Ref::NULL, symbol)
    }

    /// The class `name` as `loader` sees it. A loader other than the boot loader may
    /// have to run first: then the answer is a trap, and the call must be repeated.
    /// A missing class is a NoClassDefFoundError.
    pub fn load_class(&mut self, loader: Ref, name: Symbol) -> Res<ClassPtr> {
        if let Some(&found) = self.dictionary.get(&(loader, name)) {
            return Ok(found);
        }
        let bytes = self.symbols.bytes(name);
        if bytes.first() == Some(&b'[') {
            return self.load_array(loader, bytes);
        }
        if loader.is_null() {
            return match self.find_boot(name)? {
                Some(class) => Ok(class),
                None => throw("java/lang/NoClassDefFoundError", self.symbols.text(name)),
            };
        }
        self.check_circular(loader, name)?;
        trap(Trap::Load {
            loader,
            name,
            wrap: true,
        })
    }

    /// The class of a field descriptor (`I`, `Ljava/lang/String;`, `[[J`).
    pub fn load_descriptor(&mut self, loader: Ref, descriptor: &[u8]) -> Res<ClassPtr> {
        match descriptor.first() {
            Some(b'L') => {
                let name = self.symbols.intern(&descriptor[1..descriptor.len() - 1]);
                self.load_class(loader, name)
            }
            Some(b'[') => {
                let name = self.symbols.intern(descriptor);
                self.load_class(loader, name)
            }
            Some(&c) => Ok(self.known.primitive(Basic::of(c))),
            None => panic!("heddle internal error: empty descriptor"),
        }
    }

    fn load_array(&mut self, loader: Ref, name: &[u8]) -> Res<ClassPtr> {
        let element = self.load_descriptor(loader, &name[1..])?;
        Ok(self.array_class_of(element))
    }

    /// The class of arrays of `element`; made when first asked for.
    pub fn array_class_of(&mut self, element: ClassPtr) -> ClassPtr {
        if let Some(array) = element.array_class.get() {
            return array;
        }
        let old = self.unloaded_array(element);
        let array = match old {
            Some(array) => array,
            None => self.make_array_class(element),
        };
        if old.is_some() {
            self.heap
                .reset_mirror(array.mirror.get(), self.known.class.id, array.id);
            self.fill_mirror(array);
        } else {
            self.create_mirror(array);
        }
        array.loaded_epoch.set(self.heap.epoch);
        array.initialized_epoch.set(self.heap.epoch);
        self.set_array_class(element, array);
        array
    }

    fn unloaded_array(&self, element: ClassPtr) -> Option<ClassPtr> {
        self.unloaded
            .get(&(Ref(element.id.0), ARRAYS))
            .and_then(|v| v.first())
            .copied()
    }

    fn make_array_class(&mut self, element: ClassPtr) -> ClassPtr {
        let element_name = self.symbols.bytes(element.name).to_vec();
        let mut name = vec![b'['];
        let shift = match element.kind {
            ClassKind::Primitive(basic) => {
                name.push(basic.char());
                basic.shift()
            }
            ClassKind::Array { .. } => {
                name.extend(&element_name);
                2
            }
            ClassKind::Instance => {
                name.push(b'L');
                name.extend(&element_name);
                name.push(b';');
                2
            }
        };
        let name = self.symbols.intern(&name);
        let object = self.known.object;
        let mirror_size = STATICS_START;
        let id = self.heap.add_shape(Shape::Array(shift), mirror_size);
        let interfaces = vec![self.known.cloneable, self.known.serializable];
        // The visibility of an array class is that of its innermost element.
        let mut innermost = element;
        while let Some(inner) = innermost.element() {
            innermost = inner;
        }
        let class: ClassPtr = Box::leak(Box::new(Class {
            id,
            name,
            kind: ClassKind::Array { element, shift },
            access: innermost.access & (access::PUBLIC | access::PRIVATE | access::PROTECTED)
                | access::FINAL
                | access::ABSTRACT,
            loader: element.loader,
            parent: Some(object),
            all_interfaces: interfaces.clone(),
            interfaces,
            chain: vec![object],
            file: None,
            fields: Vec::new(),
            methods: OnceCell::new(),
            vtable: OnceCell::new(),
            instance_size: 16,
            mirror_size,
            mirror: Cell::new(Ref::NULL),
            state: Cell::new(InitState::Initialized),
            loaded_epoch: Cell::new(0),
            initialized_epoch: Cell::new(0),
            initialized_alone: Cell::new(true),
            resolved: RefCell::new(Vec::new()),
            array_class: Cell::new(None),
            module: Cell::new(Ref::NULL),
            flags: ClassFlags {
                from_jdk: true,
                trusted: true,
                ..element.flags
            },
            nest_host: Cell::new(None),
            hidden: element.hidden,
            reference_offsets: OnceCell::new(),
            quiet: OnceCell::new(),
            volatiles: OnceCell::new(),
            source: String::new(),
        }));
        let _ = class.vtable.set(object.vtable().to_vec());
        self.classes.push(class);
        self.vtables.push(class.vtable().as_ptr());
        self.elements_of.push(element.id.0);
        debug_assert_eq!(self.classes.len() - 1, id.0 as usize);
        self.unloaded
            .entry((Ref(element.id.0), ARRAYS))
            .or_default()
            .push(class);
        class
    }

    /// A class of the boot loader; `None` if there is none of that name.
    pub fn find_boot(&mut self, name: Symbol) -> Res<Option<ClassPtr>> {
        if let Some(&found) = self.dictionary.get(&(Ref::NULL, name)) {
            return Ok(Some(found));
        }
        let text = self.symbols.bytes(name);
        let package = package_of(text);
        let module = if self.globals.init_phase >= 2 {
            let package = self.symbols.intern(package);
            if !self.boot_path.packages.contains_key(&package) {
                return Ok(None);
            }
            match self
                .boot_path
                .image
                .module_of_package(self.symbols.bytes(package))
            {
                Some(module) => module,
                None => return Ok(None),
            }
        } else {
            "java.base"
        };
        let Ok(text) = std::str::from_utf8(text) else {
            return Ok(None);
        };
        if let Some(class) = self.reload_boot(name)? {
            return Ok(Some(class));
        }
        let Some(bytes) = self.boot_path.image.find(module, &format!("{text}.class")) else {
            return Ok(None);
        };
        let definition = Definition {
            from_jdk: true,
            ..Definition::default()
        };
        let class =
            self.define_class(Ref::NULL, Some(name), ClassBytes::from(bytes), definition)?;
        Ok(Some(class))
    }

    /// Makes a class from its bytes. `name`, if given, is what the bytes must say.
    pub fn define_class(
        &mut self,
        loader: Ref,
        name: Option<Symbol>,
        bytes: ClassBytes,
        definition: Definition,
    ) -> Res<ClassPtr> {
        // A hidden class is called what its definer says, whatever its bytes say.
        let expected = name
            .filter(|_| !definition.hidden)
            .map(|n| self.symbols.bytes(n));
        let options = ParseOptions {
            expected_name: expected,
            checks: if definition.from_jdk {
                Checks::Trusted
            } else {
                Checks::Strict
            },
            max_major: self.options_max_major(),
            preview: self.options.preview,
            ..ParseOptions::default()
        };
        let file = match ClassFile::parse(bytes, &options) {
            Ok(file) => file,
            Err(error) => return format_error(error),
        };
        let own_name = match name {
            Some(name) if definition.hidden => name,
            _ => self.symbols.intern(file.name()),
        };
        if !definition.hidden
            && let Some(&old) = self.dictionary.get(&(loader, own_name))
        {
            let message = format!(
                "loader {} attempted duplicate class definition for {}. ({} is in {})",
                self.describe_loader(loader),
                self.external_name(old),
                self.external_name(old),
                self.describe_module_and_parent(old),
            );
            return throw("java/lang/LinkageError", message);
        }
        // As in HotSpot, interfaces come first.
        let mut interfaces = Vec::with_capacity(file.interfaces.len());
        for &index in &file.interfaces {
            let name = self.symbols.intern(file.pool.class_name(index));
            let interface = self.load_supertype(loader, own_name, name)?;
            self.check_is_interface(own_name, loader, interface)?;
            interfaces.push(interface);
        }
        let parent = match file.super_name() {
            None => None,
            Some(name) => {
                let name = self.symbols.intern(name);
                Some(self.load_supertype(loader, own_name, name)?)
            }
        };
        if !definition.from_jdk {
            self.check_supertypes(&file, own_name, loader, parent, &interfaces, definition)?;
        }
        if !definition.hidden {
            self.check_constraints(loader, own_name, None, file.is_interface())?;
        }
        if let Some(class) = self.reload(loader, own_name, &file, parent, &interfaces, definition) {
            return Ok(class);
        }
        self.make_class(loader, own_name, file, parent, interfaces, definition)
    }

    fn load_supertype(&mut self, loader: Ref, own_name: Symbol, name: Symbol) -> Res<ClassPtr> {
        if name == own_name {
            return throw("java/lang/ClassCircularityError", self.text(name));
        }
        if !loader.is_null() {
            self.check_redefinition(loader, own_name)?;
        }
        self.load_class(loader, name)
    }

    /// Takes a class up again that a rewind unloaded, if it is the same.
    fn reload(
        &mut self,
        loader: Ref,
        name: Symbol,
        file: &ClassFile,
        parent: Option<ClassPtr>,
        interfaces: &[ClassPtr],
        definition: Definition,
    ) -> Option<ClassPtr> {
        // The name of a hidden class depends on what was defined before it on this path,
        // not on what happened on others.
        let full_name = self.full_name(name, definition);
        let candidates = self.unloaded.get_mut(&(loader, name))?;
        let index = candidates.iter().position(|c| {
            c.name == full_name
                && c.parent == parent
                && c.interfaces == interfaces
                && c.hidden == definition.hidden
                && c.nest_host.get() == definition.nest_host
                && c.file.as_ref().is_some_and(|f| f.bytes() == file.bytes())
        })?;
        let class = candidates.remove(index);
        self.globals.hidden_classes += definition.hidden as u64;
        self.take_up(class, loader, name, definition);
        Some(class)
    }

    /// The same for the boot loader, whose classes are always the same: nothing is parsed.
    fn reload_boot(&mut self, name: Symbol) -> Res<Option<ClassPtr>> {
        let loader = Ref::NULL;
        let candidates = self.unloaded.get(&(loader, name));
        let is_it = |class: &&ClassPtr| !class.hidden && class.file.is_some();
        let Some(&class) = candidates.and_then(|all| all.iter().find(is_it)) else {
            return Ok(None);
        };
        for interface in class.interfaces.iter() {
            self.load_class(loader, interface.name)?;
        }
        if let Some(parent) = class.parent {
            self.load_class(loader, parent.name)?;
        }
        let is_interface = class.file.as_ref().is_some_and(|f| f.is_interface());
        self.check_constraints(loader, name, None, is_interface)?;
        if let Some(candidates) = self.unloaded.get_mut(&(loader, name)) {
            candidates.retain(|c| *c != class);
        }
        let definition = Definition {
            from_jdk: true,
            ..Definition::default()
        };
        self.take_up(class, loader, name, definition);
        Ok(Some(class))
    }

    /// Makes a class that a rewind unloaded new again.
    fn take_up(&mut self, class: ClassPtr, loader: Ref, name: Symbol, definition: Definition) {
        class.state.set(InitState::Loaded);
        class.resolved.borrow_mut().fill(Default::default());
        class.array_class.set(None);
        class.module.set(Ref::NULL);
        self.heap
            .reset_mirror(class.mirror.get(), self.known.class.id, class.id);
        self.fill_mirror(class);
        self.enter(class, loader, name, definition);
    }

    /// The name of a class about to be defined: hidden ones get the next number.
    fn full_name(&mut self, own_name: Symbol, definition: Definition) -> Symbol {
        if !definition.hidden {
            return own_name;
        }
        let number = self.globals.hidden_classes;
        let mut bytes = self.symbols.bytes(own_name).to_vec();
        bytes.extend(format!("/0x{:016x}", 0x8_0000_0000u64 + (number + 1) * 0x400).bytes());
        self.symbols.intern(&bytes)
    }

    fn enter(&mut self, class: ClassPtr, loader: Ref, name: Symbol, definition: Definition) {
        self.emit(EventKind::ClassLoad {
            mirror: ObjectId(class.mirror.get().0),
        });
        class.loaded_epoch.set(self.heap.epoch);
        if definition.hidden {
            // Hidden classes are in no dictionary; keyed by the name in their bytes they
            // can be taken up again after a rewind.
            self.log_hidden(loader, name, class);
        } else {
            self.dictionary.insert((loader, name), class);
            self.log_loaded(loader, name, true);
            self.meet_constraint(loader, name, class);
        }
    }

    fn make_class(
        &mut self,
        loader: Ref,
        own_name: Symbol,
        file: ClassFile,
        parent: Option<ClassPtr>,
        interfaces: Vec<ClassPtr>,
        definition: Definition,
    ) -> Res<ClassPtr> {
        let layout = self.lay_out(own_name, &file, parent);
        let mut all_interfaces: Vec<ClassPtr> = Vec::new();
        let mut add = |i: ClassPtr| {
            if !all_interfaces.contains(&i) {
                all_interfaces.push(i);
            }
        };
        if let Some(parent) = parent {
            parent.all_interfaces.iter().for_each(|i| add(i));
        }
        for interface in &interfaces {
            interface.all_interfaces.iter().for_each(|i| add(i));
            add(interface);
        }
        let is_class_class = self.symbols.bytes(own_name) == b"java/lang/Class";
        let shape = if is_class_class {
            Shape::Mirror
        } else {
            Shape::Object(layout.instance_size)
        };
        let id = self.heap.add_shape(shape, layout.mirror_size);
        let name = self.full_name(own_name, definition);
        self.globals.hidden_classes += definition.hidden as u64;
        let flags = self.class_flags(&file, own_name, parent, &all_interfaces, definition);
        let count = file.pool.len() as usize;
        let class: &'static mut Class = Box::leak(Box::new(Class {
            id,
            name,
            kind: ClassKind::Instance,
            access: file.access,
            loader,
            parent,
            interfaces,
            all_interfaces,
            chain: parent.map_or(Vec::new(), |p| p.chain.clone()),
            fields: layout.fields,
            methods: OnceCell::new(),
            vtable: OnceCell::new(),
            instance_size: layout.instance_size,
            mirror_size: layout.mirror_size,
            mirror: Cell::new(Ref::NULL),
            state: Cell::new(InitState::Loaded),
            loaded_epoch: Cell::new(0),
            initialized_epoch: Cell::new(0),
            initialized_alone: Cell::new(true),
            resolved: RefCell::new(vec![Default::default(); count]),
            array_class: Cell::new(None),
            module: Cell::new(Ref::NULL),
            flags,
            nest_host: Cell::new(definition.nest_host),
            hidden: definition.hidden,
            reference_offsets: OnceCell::new(),
            quiet: OnceCell::new(),
            volatiles: OnceCell::new(),
            source: String::new(),
            file: Some(file),
        }));
        let own: *const Class = class;
        // SAFETY: leaked, so it lives for ever; the mutable borrow ends with this push, and
        // from here on the class is only shared.
        unsafe {
            class.chain.push(&*own);
        }
        // SAFETY: as above.
        let class: ClassPtr = unsafe { &*own };
        self.classes.push(class);
        debug_assert_eq!(self.classes.len() - 1, id.0 as usize);
        self.vtables.push(std::ptr::null());
        self.elements_of.push(0);
        self.make_methods(class);
        self.build_vtable(class)?;
        self.vtables[id.0 as usize] = class.vtable().as_ptr();
        if is_class_class {
            self.known.class = class;
            for i in 1..self.classes.len() {
                self.create_mirror(self.classes[i]);
            }
        } else if self.known.class.id.0 != 0 {
            self.create_mirror(class);
        }
        self.enter(class, loader, own_name, definition);
        Ok(class)
    }

    fn class_flags(
        &mut self,
        file: &ClassFile,
        name: Symbol,
        parent: Option<ClassPtr>,
        all_interfaces: &[ClassPtr],
        definition: Definition,
    ) -> ClassFlags {
        let inherited = parent.map_or(ClassFlags::default(), |p| p.flags);
        let own = self.symbols.bytes(name);
        let finalizer = own != b"java/lang/Object"
            && file.method(b"finalize", b"()V").is_some_and(|m| {
                // An empty body (a lone `return`) is no finalizer, as in HotSpot.
                m.code
                    .as_ref()
                    .is_some_and(|c| file.code_bytes(c) != [0xb1])
            });
        let declares_defaults = file.is_interface()
            && file
                .methods
                .iter()
                .any(|m| m.access & (access::ABSTRACT | access::STATIC) == 0);
        ClassFlags {
            finalizer: finalizer || inherited.finalizer,
            reference: own == b"java/lang/ref/Reference" || inherited.reference,
            has_defaults: declares_defaults || all_interfaces.iter().any(|i| i.flags.has_defaults),
            throwable: own == b"java/lang/Throwable" || inherited.throwable,
            from_jdk: definition.from_jdk,
            trusted: self.is_trusted(own, definition.hidden),
            quiet: crate::bookkeeping::is_quiet_class(own),
        }
    }

    /// Whether a class is trusted: by its name, or because it is what the library makes of
    /// a lambda expression or method reference. The latter only hands on calls; a method
    /// reference to the library is not the program's code.
    fn is_trusted(&self, name: &[u8], hidden: bool) -> bool {
        const PROXY: &[u8] = b"$$Lambda";
        let trust = &self.options.trust;
        let proxy = hidden && name.windows(PROXY.len()).any(|w| w == PROXY);
        let dotted = || String::from_utf8_lossy(name).replace('/', ".");
        !trust.is_empty() && (proxy || trust.class(&dotted()))
    }

    /// Whether a method is trusted: as its class, unless something else is said of it.
    fn is_trusted_method(&self, class: ClassPtr, name: Symbol) -> bool {
        let trust = &self.options.trust;
        if trust.is_empty() {
            return class.flags.trusted;
        }
        let owner = self.external_name(class);
        if !trust.names_methods(&owner) {
            return class.flags.trusted;
        }
        let said = trust.method(&owner, &self.text(name));
        said.unwrap_or(class.flags.trusted)
    }

    fn make_methods(&mut self, class: ClassPtr) {
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let own = self.symbols.bytes(class.name);
        let handles =
            own == b"java/lang/invoke/MethodHandle" || own == b"java/lang/invoke/VarHandle";
        let mut methods = Vec::with_capacity(file.methods.len());
        for (index, m) in file.methods.iter().enumerate() {
            let name = self.symbols.intern(file.pool.utf8(m.name));
            let desc = self.symbols.intern(file.pool.utf8(m.desc));
            let both = access::NATIVE | access::VARARGS;
            let flags = MethodFlags {
                hidden: class.hidden || (m.flags.hidden && class.flags.from_jdk),
                caller_sensitive: m.flags.caller_sensitive && class.loader.is_null(),
                vm_stub: false,
                trusted: false,
                signature_polymorphic: handles && m.access & both == both,
            };
            let max_locals = m.code.as_ref().map(|c| c.max_locals);
            // A registered function takes the place of Java code in `Math` alone, whose
            // functions HotSpot replaces too.
            let replaced = own == b"java/lang/Math"
                && class.loader.is_null()
                && self.natives.contains_key(&(class.name, name, desc));
            let access = if replaced {
                m.access | access::NATIVE
            } else {
                m.access
            };
            methods.push(self.make_method(
                class,
                name,
                desc,
                access,
                index as u16,
                max_locals,
                flags,
            ));
        }
        let _ = class.methods.set(methods);
    }

    /// A method; its code is a stub that finds out at the first call.
    #[allow(clippy::too_many_arguments)]
    pub fn make_method(
        &mut self,
        class: ClassPtr,
        name: Symbol,
        desc: Symbol,
        flags: u16,
        index: u16,
        max_locals: Option<u16>,
        mut method_flags: MethodFlags,
    ) -> &'static Method {
        method_flags.trusted = self.is_trusted_method(class, name);
        let (params, returns) = basic_types(self.symbols.bytes(desc));
        let slots: usize = params.iter().map(|p| p.slots()).sum();
        let arg_slots = slots as u16 + (flags & access::STATIC == 0) as u16;
        let code: &'static [u64] = if flags & access::NATIVE != 0 {
            &NATIVE
        } else if flags & access::ABSTRACT != 0 {
            &ABSTRACT
        } else {
            &TRANSLATE
        };
        let max_locals = max_locals.unwrap_or(arg_slots).max(arg_slots);
        let method: &'static Method = Box::leak(Box::new(Method {
            code: Cell::new(code.as_ptr()),
            ahead: Cell::new(0),
            frame_words: Cell::new(max_locals as u32 + FRAME_HEADER as u32 + SCRATCH as u32),
            max_locals,
            arg_slots,
            class,
            name,
            desc,
            id: self.methods.len() as u32,
            access: flags,
            index,
            vtable_index: Cell::new(-1),
            body: OnceCell::new(),
            native: Cell::new(None),
            touches: Cell::default(),
            pure: Cell::default(),
            returns,
            params,
            flags: method_flags,
        }));
        self.methods.push(method);
        method
    }

    // ---- mirrors ------------------------------------------------------------------------

    pub fn create_mirror(&mut self, class: ClassPtr) {
        if !class.mirror.get().is_null() {
            return;
        }
        let mirror = self.heap.allocate_mirror(self.known.class.id, class.id);
        class.mirror.set(mirror);
        self.fill_mirror(class);
    }

    /// Sets what the VM sets in a new mirror: loader, component type, module, and
    /// static constants other than strings (those follow at linking).
    fn fill_mirror(&mut self, class: ClassPtr) {
        let mirror = class.mirror.get();
        let k = &self.known;
        // Offsets are looked up once all known classes are loaded; classes loaded
        // before that get this when they are.
        if k.class_component == 0 {
            self.static_constants(class);
            return;
        }
        let (loader_at, component_at, module_at) =
            (k.class_loader_field, k.class_component, k.class_module);
        self.heap.put_ref(mirror, loader_at, class.loader);
        if let Some(element) = class.element() {
            self.heap
                .put_ref(mirror, component_at, element.mirror.get());
        }
        let module = self.module_of(class);
        self.set_class_module(class, module);
        self.heap.put_ref(mirror, module_at, module);
        self.static_constants(class);
    }

    /// Completes the mirrors made before the known offsets were.
    pub fn complete_mirrors(&mut self) {
        for i in 1..self.classes.len() {
            self.fill_mirror(self.classes[i]);
        }
    }

    fn static_constants(&mut self, class: ClassPtr) {
        let Some(file) = class.file.as_ref() else {
            return;
        };
        for field in class
            .fields
            .iter()
            .filter(|f| f.access & access::STATIC != 0)
        {
            let Some(info) = file.fields.get(field.index as usize) else {
                continue;
            };
            let Some(index) = info.constant_value else {
                continue;
            };
            let value = match file.pool.get(index) {
                Constant::Integer(i) => i as u32 as u64,
                Constant::Float(bits) => bits as u64,
                Constant::Long(l) => l as u64,
                Constant::Double(bits) => bits,
                _ => continue,
            };
            self.store_basic(class.mirror.get(), field.offset as u64, field.basic, value);
        }
    }

    /// The module of a class: by package and loader, else the loader's unnamed one;
    /// null while java.base is not defined yet.
    pub fn module_of(&mut self, class: ClassPtr) -> Ref {
        let mut innermost = class;
        while let Some(inner) = innermost.element() {
            innermost = inner;
        }
        if innermost.is_primitive() || self.boot_path.java_base.is_null() {
            return self.boot_path.java_base;
        }
        let name = self.symbols.bytes(innermost.name);
        let name = if innermost.hidden {
            &name[..name.iter().rposition(|&b| b == b'/').unwrap_or(0)]
        } else {
            name
        };
        let package = self.symbols.intern(package_of(name));
        let loader = innermost.loader;
        if loader.is_null() {
            return self
                .boot_path
                .packages
                .get(&package)
                .copied()
                .unwrap_or(self.boot_path.unnamed);
        }
        if let Some(&module) = self.boot_path.loader_packages.get(&(loader, package)) {
            return module;
        }
        self.field_ref(loader, "unnamedModule")
    }

    fn options_max_major(&self) -> u16 {
        self.boot_path.image_major()
    }

    pub fn lay_out(&mut self, name: Symbol, file: &ClassFile, parent: Option<ClassPtr>) -> Layout {
        let own = self.symbols.bytes(name);
        let mut fields: Vec<Field> = Vec::with_capacity(file.fields.len());
        for (index, f) in file.fields.iter().enumerate() {
            let desc = file.pool.utf8(f.desc);
            fields.push(Field {
                access: f.access,
                name: self.symbols.intern(file.pool.utf8(f.name)),
                desc: self.symbols.intern(desc),
                offset: 0,
                basic: Basic::of(desc[0]),
                index: index as u16,
            });
        }
        for (class, field, desc) in INJECTED {
            if class.as_bytes() == own && parent.is_some() {
                fields.push(Field {
                    access: access::PRIVATE | access::SYNTHETIC,
                    name: self.symbols.intern(field.as_bytes()),
                    desc: self.symbols.intern(desc.as_bytes()),
                    offset: 0,
                    basic: Basic::of(desc.as_bytes()[0]),
                    index: u16::MAX,
                });
            }
        }
        Layout::of(fields, parent, own == b"java/lang/Class")
    }

    /// The primitive types and their array classes; made once, before anything else.
    pub fn make_primitives(&mut self) {
        for (i, basic) in Basic::PRIMITIVES.into_iter().enumerate() {
            let id = self.heap.add_shape(Shape::Object(16), STATICS_START);
            let name = self.symbols.intern(basic.java_name().as_bytes());
            let class: ClassPtr = Box::leak(Box::new(Class {
                id,
                name,
                kind: ClassKind::Primitive(basic),
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
                reference_offsets: OnceCell::new(),
                quiet: OnceCell::new(),
                volatiles: OnceCell::new(),
                source: String::new(),
            }));
            self.classes.push(class);
            self.vtables.push(std::ptr::null());
            self.elements_of.push(0);
            self.known.primitives[i] = class;
            self.create_mirror(class);
        }
        for (i, basic) in Basic::PRIMITIVES.into_iter().enumerate() {
            let element = if basic == Basic::Void {
                Basic::Boolean
            } else {
                basic
            };
            self.known.primitive_arrays[i] = self.array_class_of(self.known.primitive(element));
        }
    }
}

/// Key under which array classes are found again by the id of their element class.
const ARRAYS: Symbol = Symbol(u32::MAX);

/// The package part of an internal class name.
pub fn package_of(name: &[u8]) -> &[u8] {
    name.iter()
        .rposition(|&b| b == b'/')
        .map_or(&[], |slash| &name[..slash])
}

/// Basic types of parameters and result of a method descriptor.
pub fn basic_types(desc: &[u8]) -> (Vec<Basic>, Basic) {
    let mut params = Vec::new();
    let mut i = 1;
    while i < desc.len() && desc[i] != b')' {
        params.push(Basic::of(desc[i]));
        while desc[i] == b'[' {
            i += 1;
        }
        if desc[i] == b'L' {
            while desc[i] != b';' {
                i += 1;
            }
        }
        i += 1;
    }
    (params, Basic::of(desc[i + 1]))
}

/// The Java error for a class file that cannot be used.
fn format_error<T>(error: ClassFileError) -> Res<T> {
    throw(error.kind.java_class(), error.message)
}

impl BootPath {
    /// The newest class-file version that this JDK knows: that of its own classes.
    pub fn image_major(&self) -> u16 {
        static OBJECT: &str = "java/lang/Object.class";
        let bytes = self.image.find("java.base", OBJECT).unwrap_or(&[]);
        bytes
            .get(6..8)
            .map_or(61, |b| u16::from_be_bytes([b[0], b[1]]))
    }
}
