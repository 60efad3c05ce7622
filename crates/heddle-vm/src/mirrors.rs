//! Mirrors: the `java.lang.Class` objects, which hold the statics.

use crate::class::ClassPtr;
use crate::heap::Ref;
use crate::load::package_of;
use crate::vm::Vm;
use heddle_classfile::Constant;

impl Vm {
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
    pub fn fill_mirror(&mut self, class: ClassPtr) {
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

    pub fn static_constants(&mut self, class: ClassPtr) {
        let Some(file) = class.file.as_ref() else {
            return;
        };
        for (field, index) in class.constant_values() {
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
}
