//! Linking: tables of virtual methods, method selection, and the checks that a
//! class makes of its supertypes (JVMS 5.3.5, 5.4.5, 5.4.6).

use crate::class::{ClassPtr, Method, MethodPtr, access};
use crate::heap::Ref;
use crate::load::{Definition, package_of};
use crate::native::{Res, throw};
use crate::symbol::Symbol;
use crate::vm::Vm;
use heddle_classfile::ClassFile;

impl Vm {
    /// Fills the vtable: the superclass's, overridden and extended by the declared
    /// methods, then entries for interface methods that no class implements.
    pub fn build_vtable(&mut self, class: ClassPtr) -> Res<()> {
        let mut table: Vec<MethodPtr> = class.parent.map_or(Vec::new(), |p| p.vtable().to_vec());
        if !class.is_interface() {
            let init = self.symbol("<init>");
            let clinit = self.symbol("<clinit>");
            for &method in class.methods() {
                if method.is_static()
                    || method.is_private()
                    || method.name == init
                    || method.name == clinit
                {
                    continue;
                }
                let mut first = None;
                for (i, slot) in table.iter_mut().enumerate() {
                    if slot.name == method.name
                        && slot.desc == method.desc
                        && self.can_override(class, slot)
                    {
                        if slot.access & access::FINAL != 0 {
                            let message = format!(
                                "class {} overrides final method {}.{}{}",
                                self.external_name(class),
                                self.external_name(slot.class),
                                self.text(method.name),
                                self.text(method.desc)
                            );
                            return throw("java/lang/IncompatibleClassChangeError", message);
                        }
                        *slot = method;
                        first.get_or_insert(i);
                    }
                }
                let index = first.unwrap_or_else(|| {
                    table.push(method);
                    table.len() - 1
                });
                method.vtable_index.set(index as i32);
            }
            for interface in &class.all_interfaces {
                for &method in interface.methods() {
                    if method.is_static() || method.is_private() || method.name == clinit {
                        continue;
                    }
                    let found = table
                        .iter()
                        .position(|m| m.name == method.name && m.desc == method.desc);
                    match found {
                        Some(i) if !table[i].class.is_interface() => {}
                        Some(i) => table[i] = most_specific(class, method).unwrap_or(method),
                        None => table.push(most_specific(class, method).unwrap_or(method)),
                    }
                }
            }
        }
        let _ = class.vtable.set(table);
        Ok(())
    }

    /// Whether a method of `class` overrides `old`, which a superclass (or an interface,
    /// through an entry of the superclass's table) declares.
    pub fn can_override(&self, class: ClassPtr, old: &Method) -> bool {
        if old.access & (access::PUBLIC | access::PROTECTED) != 0 {
            return true;
        }
        old.class.loader == class.loader && self.package(old.class) == self.package(class)
    }

    /// Package of a class, internal form.
    pub fn package(&self, class: ClassPtr) -> &'static [u8] {
        let mut innermost = class;
        while let Some(inner) = innermost.element() {
            innermost = inner;
        }
        let name = self.symbols.bytes(innermost.name);
        if innermost.hidden {
            return package_of(package_of(name));
        }
        package_of(name)
    }

    pub fn same_package(&self, a: ClassPtr, b: ClassPtr) -> bool {
        a.loader == b.loader && self.package(a) == self.package(b)
    }

    /// The index in `class`'s vtable of a resolved method.
    pub fn vtable_index(&self, class: ClassPtr, method: MethodPtr) -> Option<usize> {
        if !method.class.is_interface() {
            let index = method.vtable_index.get();
            return (index >= 0).then_some(index as usize);
        }
        class
            .vtable()
            .iter()
            .position(|m| m.name == method.name && m.desc == method.desc)
    }

    /// What `name` implements must be an interface.
    pub fn check_is_interface(&mut self, name: Symbol, loader: Ref, other: ClassPtr) -> Res<()> {
        if other.is_interface() {
            return Ok(());
        }
        let own = self.symbols.text(name).replace('/', ".");
        let message = format!(
            "class {own} can not implement {}, because it is not an interface ({own} is in unnamed module of loader {}; {} is in {})",
            self.external_name(other),
            self.describe_loader(loader),
            self.external_name(other),
            self.describe_module(other)
        );
        throw("java/lang/IncompatibleClassChangeError", message)
    }

    /// Supertypes must exist in the right kind, be accessible, and allow this subtype.
    pub fn check_supertypes(
        &mut self,
        file: &ClassFile,
        name: Symbol,
        loader: Ref,
        parent: Option<ClassPtr>,
        interfaces: &[ClassPtr],
        definition: Definition,
    ) -> Res<()> {
        let own = self.symbols.text(name).replace('/', ".");
        let own_package = package_of(self.symbols.bytes(name));
        if let Some(parent) = parent {
            let parent_name = self.external_name(parent);
            if parent.is_interface() {
                let message = format!("class {own} has interface {parent_name} as super class");
                return throw("java/lang/IncompatibleClassChangeError", message);
            }
            if parent.access & access::FINAL != 0 {
                let message = format!("class {own} cannot inherit from final class {parent_name}");
                return throw("java/lang/IncompatibleClassChangeError", message);
            }
            self.check_super_access(&own, own_package, loader, parent, "superclass", definition)?;
            self.check_permits(file, name, loader, parent, "class")?;
        }
        for &interface in interfaces {
            self.check_super_access(
                &own,
                own_package,
                loader,
                interface,
                "superinterface",
                definition,
            )?;
            self.check_permits(file, name, loader, interface, "class")?;
        }
        Ok(())
    }

    fn check_super_access(
        &mut self,
        own: &str,
        own_package: &[u8],
        loader: Ref,
        other: ClassPtr,
        role: &str,
        _definition: Definition,
    ) -> Res<()> {
        if other.access & access::PUBLIC != 0
            || (other.loader == loader && self.package(other) == own_package)
            || self.is_accessor(other)
        {
            return Ok(());
        }
        let message = format!(
            "class {own} cannot access its {role} {} ({own} is in unnamed module of loader {}; {} is in {})",
            self.external_name(other),
            self.describe_loader(loader),
            self.external_name(other),
            self.describe_module(other)
        );
        throw("java/lang/IllegalAccessError", message)
    }

    /// A sealed supertype must name this class.
    fn check_permits(
        &mut self,
        _file: &ClassFile,
        name: Symbol,
        loader: Ref,
        other: ClassPtr,
        what: &str,
    ) -> Res<()> {
        let Some(sealed) = other.file.as_ref() else {
            return Ok(());
        };
        let Some(permitted) = sealed.permitted_subclasses.as_ref() else {
            return Ok(());
        };
        let own = self.symbols.bytes(name);
        let listed = permitted.iter().any(|&i| sealed.pool.class_name(i) == own);
        if listed && other.loader == loader {
            return Ok(());
        }
        let message = format!(
            "{what} {} cannot {} sealed {} {}",
            self.symbols.text(name).replace('/', "."),
            if other.is_interface() {
                "implement"
            } else {
                "inherit from"
            },
            if other.is_interface() {
                "interface"
            } else {
                "class"
            },
            self.external_name(other)
        );
        throw("java/lang/IncompatibleClassChangeError", message)
    }

    /// A loader as error messages name it: `'app'`, `'bootstrap'`,
    /// `my.Loader @1b2c3d`.
    pub fn describe_loader(&mut self, loader: Ref) -> String {
        if loader.is_null() {
            return "'bootstrap'".into();
        }
        let name = self.field_ref(loader, "name");
        let class = self.class_of(loader);
        if !name.is_null() {
            let text = self.string(name);
            if self.is_builtin_loader(loader) {
                return format!("'{text}'");
            }
            return format!("'{text}' @{:x}", self.identity_hash(loader));
        }
        format!(
            "{} @{:x}",
            self.external_name(class),
            self.identity_hash(loader)
        )
    }

    /// A class's module as error messages name it.
    pub fn describe_module(&mut self, class: ClassPtr) -> String {
        let module = class.module.get();
        let mut loader = self.describe_loader(class.loader);
        if class.loader.is_null() {
            loader = "'bootstrap'".into();
        }
        if !module.is_null() {
            let name = self.field_ref(module, "name");
            if !name.is_null() {
                return format!("module {} of loader {loader}", self.string(name));
            }
        }
        format!("unnamed module of loader {loader}")
    }

    /// As [`Vm::describe_module`]; for loaders of the program, their parent too.
    pub fn describe_module_and_parent(&mut self, class: ClassPtr) -> String {
        let text = self.describe_module(class);
        let loader = class.loader;
        if loader.is_null()
            || self.class_of(loader).flags.from_jdk && self.is_builtin_loader(loader)
        {
            return text;
        }
        let parent = self.field_ref(loader, "parent");
        let parent = self.describe_loader(parent);
        format!("{text}, parent loader {parent}")
    }

    /// Whether a loader is the application or the platform loader.
    pub fn is_builtin_loader(&self, loader: Ref) -> bool {
        self.symbols
            .bytes(self.class_of(loader).name)
            .starts_with(b"jdk/internal/loader/ClassLoaders$")
    }

    /// Whether a loader is the one for modules of the JDK that the boot loader does not have.
    pub fn is_platform_loader(&self, loader: Ref) -> bool {
        const NAME: &[u8] = b"jdk/internal/loader/ClassLoaders$PlatformClassLoader";
        !loader.is_null() && self.symbols.bytes(self.class_of(loader).name) == NAME
    }

    /// `A and B are in unnamed module of loader 'app'`, or each on its own.
    pub fn describe_both(&mut self, a: ClassPtr, b: ClassPtr) -> String {
        let (an, bn) = (self.external_name(a), self.external_name(b));
        let (am, bm) = (self.describe_module(a), self.describe_module(b));
        if am == bm && a.loader == b.loader {
            return format!("{an} and {bn} are in {am}");
        }
        format!("{an} is in {am}; {bn} is in {bm}")
    }
}

/// Selection of an interface method for a receiver class: the class chain first, then
/// the most specific superinterface.
pub fn select_interface(class: ClassPtr, method: MethodPtr) -> Option<MethodPtr> {
    let mut next = Some(class);
    while let Some(c) = next {
        if let Some(found) = c.declared(method.name, method.desc)
            && !found.is_static()
            && !found.is_private()
            && !c.is_interface()
        {
            return Some(found);
        }
        next = c.parent;
    }
    most_specific(class, method)
}

/// The maximally-specific superinterface method; the non-abstract one if it is alone.
fn most_specific(class: ClassPtr, method: MethodPtr) -> Option<MethodPtr> {
    let mut candidates: Vec<MethodPtr> = Vec::new();
    let own = class.is_interface().then_some(class);
    for interface in class.all_interfaces.iter().copied().chain(own) {
        if let Some(found) = interface.declared(method.name, method.desc)
            && !found.is_static()
            && !found.is_private()
        {
            candidates.retain(|c| !interface.is_subtype_of(c.class));
            if !candidates.iter().any(|c| c.class.is_subtype_of(interface)) {
                candidates.push(found);
            }
        }
    }
    let mut concrete = candidates.iter().filter(|c| !c.is_abstract());
    match (concrete.next(), concrete.next()) {
        (Some(one), None) => Some(one),
        (Some(_), Some(_)) => None,
        _ => candidates.first().copied(),
    }
}
