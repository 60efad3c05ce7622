//! Resolution of constant-pool entries (JVMS 5.4.3), with the access checks and
//! HotSpot's messages.
//!
//! Results are kept in the class's table; failures too, as the specification
//! wants them (the same error again), except where Java code has yet to run.

use crate::class::{ClassPtr, FieldRef, MethodPtr, Resolved, access};
use crate::native::{Res, Trap, throw};
use crate::symbol::Symbol;
use crate::vm::Vm;
use heddle_classfile::Constant;

/// A symbolic reference to a member.
pub struct MemberRef {
    /// Pool index of the class.
    pub class: u16,
    pub name: Symbol,
    pub desc: Symbol,
    pub interface: bool,
}

impl Vm {
    pub fn resolved(&self, class: ClassPtr, index: u16) -> Resolved {
        class.resolved.borrow()[index as usize]
    }

    /// Name, descriptor and class index of a field or method reference.
    pub fn member_ref(&mut self, class: ClassPtr, index: u16) -> MemberRef {
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let (owner, nat, interface) = match file.pool.get(index) {
            Constant::FieldRef { class, nat } => (class, nat, false),
            Constant::MethodRef { class, nat } => (class, nat, false),
            Constant::InterfaceMethodRef { class, nat } => (class, nat, true),
            Constant::InvokeDynamic { nat, .. } | Constant::Dynamic { nat, .. } => (0, nat, false),
            other => panic!("heddle internal error: {other:?} is no member reference"),
        };
        let (name, desc) = file.pool.name_and_type(nat);
        MemberRef {
            class: owner,
            name: self.symbols.intern(name),
            desc: self.symbols.intern(desc),
            interface,
        }
    }

    /// Resolves a class entry.
    pub fn resolve_class(&mut self, class: ClassPtr, index: u16) -> Res<ClassPtr> {
        match self.resolved(class, index) {
            Resolved::Class(found) => return Ok(found),
            Resolved::Failed(error) => return self.fail_again(error, true),
            _ => {}
        }
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let name = self.symbols.intern(file.pool.class_name(index));
        // A hidden class means itself by its own name.
        let found = if index == file.this_class {
            class
        } else {
            match self.load_class(class.loader, name) {
                Ok(found) => found,
                Err(trap) => match *trap {
                    // A failure is remembered: no loader is asked twice for one entry.
                    Trap::Load { loader, name, .. } => {
                        return self.load_for_entry(class, index, loader, name);
                    }
                    _ => return Err(trap),
                },
            }
        };
        self.check_class_access(class, found)?;
        self.set_resolved(class, index, Resolved::Class(found));
        Ok(found)
    }

    /// Public, or in the same package; modules must read and export.
    pub fn check_class_access(&mut self, from: ClassPtr, to: ClassPtr) -> Res<()> {
        let mut innermost = to;
        while let Some(inner) = innermost.element() {
            innermost = inner;
        }
        let to = innermost;
        if to.is_primitive() || from == to || self.same_package(from, to) {
            return Ok(());
        }
        if to.access & access::PUBLIC != 0 && self.module_allows(from, to) {
            return Ok(());
        }
        if self.is_accessor(from) {
            return Ok(());
        }
        if to.access & access::PUBLIC != 0 {
            let message = self.module_message(from, to);
            return throw("java/lang/IllegalAccessError", message);
        }
        let message = format!(
            "failed to access class {} from class {} ({})",
            self.external_name(to),
            self.external_name(from),
            self.describe_both(to, from)
        );
        throw("java/lang/IllegalAccessError", message)
    }

    /// Whether `to`'s package is exported to `from`'s module.
    fn module_allows(&mut self, from: ClassPtr, to: ClassPtr) -> bool {
        let (a, b) = (from.module.get(), to.module.get());
        if a == b || b.is_null() || a.is_null() {
            return true;
        }
        if !to.flags.from_jdk || from.flags.from_jdk {
            return true;
        }
        self.is_exported(to, a)
    }

    fn module_message(&mut self, from: ClassPtr, to: ClassPtr) -> String {
        let name = self.field_ref(to.module.get(), "name");
        let module = self.string(name);
        let package = String::from_utf8_lossy(self.package(to)).replace('/', ".");
        let hash = self.identity_hash(from.module.get());
        format!(
            "class {} (in unnamed module @0x{hash:x}) cannot access class {} (in module {module}) because module {module} does not export {package} to unnamed module @0x{hash:x}",
            self.external_name(from),
            self.external_name(to),
        )
    }

    /// Resolves a field entry.
    pub fn resolve_field(&mut self, class: ClassPtr, index: u16) -> Res<FieldRef> {
        match self.resolved(class, index) {
            Resolved::Field(found) => return Ok(found),
            Resolved::Failed(error) => return self.fail_again(error, true),
            _ => {}
        }
        let member = self.member_ref(class, index);
        let owner = self.resolve_class(class, member.class)?;
        let Some(found) = find_field(owner, member.name, member.desc) else {
            return throw("java/lang/NoSuchFieldError", self.text(member.name));
        };
        let field = found.field();
        if !self.can_access(class, owner, found.class, field.access) {
            let message = format!(
                "class {} tried to access {}field {}.{} ({})",
                self.external_name(class),
                modifier(field.access),
                self.external_name(found.class),
                self.text(field.name),
                self.describe_both(class, found.class)
            );
            let message = message + &self.nest_errors(class, found.class, field.access)?;
            return throw("java/lang/IllegalAccessError", message);
        }
        self.constrain_field(class, found.class, member.name, member.desc)?;
        self.set_resolved(class, index, Resolved::Field(found));
        Ok(found)
    }

    /// Resolves a method entry, of a class or an interface. Signature-polymorphic methods
    /// are returned as declared.
    pub fn resolve_method(&mut self, class: ClassPtr, index: u16) -> Res<MethodPtr> {
        match self.resolved(class, index) {
            Resolved::Method(found) => return Ok(found),
            Resolved::Failed(error) => return self.fail_again(error, true),
            _ => {}
        }
        let member = self.member_ref(class, index);
        let owner = self.resolve_class(class, member.class)?;
        if owner.is_interface() != member.interface {
            let message = if member.interface {
                format!(
                    "Found class {}, but interface was expected",
                    self.external_name(owner)
                )
            } else {
                format!(
                    "Found interface {}, but class was expected",
                    self.external_name(owner)
                )
            };
            return throw("java/lang/IncompatibleClassChangeError", message);
        }
        let found = match self.lookup(owner, member.name, member.desc) {
            Some(found) => found,
            None => {
                let message = self.method_text(owner, member.name, member.desc);
                return throw("java/lang/NoSuchMethodError", format!("'{message}'"));
            }
        };
        if !self.can_access(class, owner, found.class, found.access) {
            let message = self.method_access_message(class, found)?;
            return throw("java/lang/IllegalAccessError", message);
        }
        if !found.flags.signature_polymorphic {
            self.constrain_method(class, owner, found)?;
        }
        self.set_resolved(class, index, Resolved::Method(found));
        Ok(found)
    }

    /// Why `class` may not call `found`.
    pub fn method_access_message(&mut self, class: ClassPtr, found: MethodPtr) -> Res<String> {
        let text = self.method_text(found.class, found.name, found.desc);
        let nests = self.nest_errors(class, found.class, found.access)?;
        Ok(format!(
            "class {} tried to access {}method '{text}' ({}){nests}",
            self.external_name(class),
            modifier(found.access),
            self.describe_both(class, found.class)
        ))
    }

    /// Lookup by name and descriptor; signature-polymorphic methods by name alone.
    pub fn lookup(&self, owner: ClassPtr, name: Symbol, desc: Symbol) -> Option<MethodPtr> {
        if owner == self.known.method_handle || owner == self.known.var_handle {
            let found = owner.methods().iter().find(|m| m.name == name);
            if let Some(found) = found.filter(|m| m.flags.signature_polymorphic) {
                return Some(found);
            }
        }
        let object = (owner.is_interface()).then_some(self.known.object);
        self.find_method(owner, name, desc).or_else(|| {
            object
                .and_then(|o| o.declared(name, desc))
                .filter(|m| m.access & access::PUBLIC != 0 && !m.is_static())
        })
    }

    /// `void Foo.bar(int, java.lang.String)`, as error messages write methods.
    pub fn method_text(&self, class: ClassPtr, name: Symbol, desc: Symbol) -> String {
        let desc = self.symbols.bytes(desc);
        let mut at = 1;
        let mut params = Vec::new();
        while at < desc.len() && desc[at] != b')' {
            params.push(java_type(desc, &mut at));
        }
        at += 1;
        let returns = java_type(desc, &mut at);
        format!(
            "{returns} {}.{}({})",
            self.external_name(class),
            self.symbols.text(name),
            params.join(", ")
        )
    }

    /// Member access (JVMS 5.4.4). `owner` is the class named in the reference,
    /// `declarer` the one that declares the member.
    pub fn can_access(
        &mut self,
        from: ClassPtr,
        owner: ClassPtr,
        declarer: ClassPtr,
        flags: u16,
    ) -> bool {
        if flags & access::PUBLIC != 0 || from == declarer {
            return true;
        }
        if flags & access::PRIVATE != 0 {
            return self.nest_host_of(from) == self.nest_host_of(declarer)
                || self.is_accessor(from);
        }
        if self.same_package(from, declarer) {
            return true;
        }
        // Arrays: clone is public.
        if flags & access::PROTECTED != 0 && (owner.is_array() || from.is_subtype_of(declarer)) {
            return true;
        }
        self.is_accessor(from)
    }

    /// Whether a class is one of the accessors that reflection generates: these are
    /// beyond access checks and verification, as in HotSpot.
    pub fn is_accessor(&self, class: ClassPtr) -> bool {
        class.chain.iter().any(|c| {
            c.loader.is_null()
                && self.symbols.bytes(c.name) == b"jdk/internal/reflect/MagicAccessorImpl"
        })
    }

    /// What is wrong with the nests of two classes, as an addition to a message about a
    /// private member; empty if nothing is.
    fn nest_errors(&mut self, from: ClassPtr, to: ClassPtr, flags: u16) -> Res<String> {
        if flags & access::PRIVATE == 0 {
            return Ok(String::new());
        }
        let mut errors = Vec::new();
        for class in [from, to] {
            errors.extend(self.nest_error(class)?);
        }
        errors.dedup();
        Ok(if errors.is_empty() {
            String::new()
        } else {
            format!(", ({})", errors.join(", "))
        })
    }

    /// Why a class is not a member of the nest that it names.
    fn nest_error(&mut self, class: ClassPtr) -> Res<Option<String>> {
        let Some(file) = class.file.as_ref() else {
            return Ok(None);
        };
        let Some(host) = file.nest_host else {
            return Ok(None);
        };
        if self.nest_host_of(class) != class {
            return Ok(None);
        }
        let name = self.symbols.intern(file.pool.class_name(host));
        let host = self.load_class(class.loader, name)?;
        let own = self.symbols.bytes(class.name);
        let lists = host
            .file
            .as_ref()
            .is_some_and(|f| f.nest_members.iter().any(|&m| f.pool.class_name(m) == own));
        let reason = if !self.same_package(host, class) {
            "types are in different packages"
        } else if !lists {
            "current type is not listed as a nest member"
        } else {
            return Ok(None);
        };
        Ok(Some(format!(
            "Type {} (loader: {}) is not a nest member of type {} (loader: {}): {reason}",
            self.external_name(class),
            self.describe_loader(class.loader),
            self.external_name(host),
            self.describe_loader(host.loader)
        )))
    }

    /// The nest host; the class itself where it names none or a wrong one.
    pub fn nest_host_of(&mut self, class: ClassPtr) -> ClassPtr {
        if let Some(host) = class.nest_host.get() {
            return host;
        }
        let Some(file) = class.file.as_ref() else {
            return class;
        };
        let Some(index) = file.nest_host else {
            return class;
        };
        // Nestmates are of one loader and package: the host is loaded already or can be
        // found without Java code; a host that is not there counts as absent.
        let name = self.symbols.intern(file.pool.class_name(index));
        let host = self.dictionary.get(&(class.loader, name)).copied();
        let host = host.or_else(|| {
            if class.loader.is_null() {
                self.find_boot(name).ok().flatten()
            } else {
                None
            }
        });
        let Some(host) = host else { return class };
        let own = self.symbols.bytes(class.name);
        let lists = host
            .file
            .as_ref()
            .is_some_and(|f| f.nest_members.iter().any(|&m| f.pool.class_name(m) == own));
        let host = if lists && self.same_package(host, class) {
            host
        } else {
            class
        };
        self.set_nest_host(class, host);
        host
    }
}

/// Field lookup (JVMS 5.4.3.2): the class, its superinterfaces, its superclass.
pub fn find_field(class: ClassPtr, name: Symbol, desc: Symbol) -> Option<FieldRef> {
    let own = class
        .fields
        .iter()
        .position(|f| f.name == name && f.desc == desc);
    if let Some(index) = own {
        return Some(FieldRef {
            class,
            index: index as u16,
        });
    }
    for interface in &class.interfaces {
        if let Some(found) = find_field(interface, name, desc) {
            return Some(found);
        }
    }
    find_field(class.parent?, name, desc)
}

fn modifier(flags: u16) -> &'static str {
    if flags & access::PRIVATE != 0 {
        "private "
    } else if flags & access::PROTECTED != 0 {
        "protected "
    } else {
        ""
    }
}

/// The Java text of the type at `at` in a descriptor.
pub fn java_type(desc: &[u8], at: &mut usize) -> String {
    let mut dimensions = 0;
    while desc.get(*at) == Some(&b'[') {
        dimensions += 1;
        *at += 1;
    }
    let base = match desc.get(*at) {
        Some(b'L') => {
            let start = *at + 1;
            while *at < desc.len() && desc[*at] != b';' {
                *at += 1;
            }
            String::from_utf8_lossy(&desc[start..*at]).replace('/', ".")
        }
        Some(&c) => crate::class::Basic::of(c).java_name().to_string(),
        None => String::new(),
    };
    *at += 1;
    base + &"[]".repeat(dimensions)
}
