//! Loading: from a name or bytes to a [`Class`] (JVMS 5.3).
//!
//! The boot loader reads the JDK's image here; every other loader is Java code,
//! reached through [`Trap::Load`]. `define_class` is the common end of both. It
//! may answer with a trap (a superclass has to be loaded by Java code first) and
//! is then simply called again.

use crate::class::{Basic, ClassPtr, InitState};
use crate::hash::{FastMap, FastSet};
use crate::heap::Ref;
use crate::native::{Res, Trap, throw};
use crate::symbol::Symbol;
use crate::vm::{Vm, trap};
use heddle_classfile::jimage::Image;
use heddle_classfile::{Checks, ClassBytes, ClassFile, ClassFileError, ParseOptions};
use heddle_model::{EventKind, ObjectId};

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
    pub fn full_name(&mut self, own_name: Symbol, definition: Definition) -> Symbol {
        if !definition.hidden {
            return own_name;
        }
        let number = self.globals.hidden_classes;
        let mut bytes = self.symbols.bytes(own_name).to_vec();
        bytes.extend(format!("/0x{:016x}", 0x8_0000_0000u64 + (number + 1) * 0x400).bytes());
        self.symbols.intern(&bytes)
    }

    pub fn enter(&mut self, class: ClassPtr, loader: Ref, name: Symbol, definition: Definition) {
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

    // ---- mirrors ------------------------------------------------------------------------

    fn options_max_major(&self) -> u16 {
        self.boot_path.image_major()
    }
}

/// The package part of an internal class name.
pub fn package_of(name: &[u8]) -> &[u8] {
    name.iter()
        .rposition(|&b| b == b'/')
        .map_or(&[], |slash| &name[..slash])
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
