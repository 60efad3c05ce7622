//! Loader constraints (JVMS 5.3.4): loaders whose classes exchange a type must mean the
//! same class by its name.
//!
//! As in HotSpot, a constraint is a name with the loaders that have to agree and the class
//! they agree on, once one of them has it. Resolving a member of another loader's class adds
//! constraints for the types in its descriptor, and so does linking a class that overrides
//! or implements methods of another loader's types. Whoever comes second, the constraint or
//! a class that breaks it, is refused with a LinkageError.
//!
//! Names in `java` need no constraint: only the JDK defines such classes, each of them once.

use crate::class::{ClassPtr, MethodPtr, access};
use crate::heap::Ref;
use crate::link::select_interface;
use crate::native::{Res, throw};
use crate::symbol::Symbol;
use crate::vm::Vm;

/// Loaders that agree on the class of a name.
#[derive(Clone, Debug)]
pub struct Constraint {
    pub name: Symbol,
    pub loaders: Vec<Ref>,
    pub class: Option<ClassPtr>,
}

impl Vm {
    /// Whether resolving a member with this descriptor imposes constraints.
    pub fn constrains(&self, desc: &[u8], a: Ref, b: Ref) -> bool {
        a != b && types(desc).any(|t| !is_unique(innermost(t)))
    }

    /// A class (`None`: one that is yet to be made) is about to be entered for a loader: does
    /// it break a constraint?
    pub fn check_constraints(
        &mut self,
        loader: Ref,
        name: Symbol,
        class: Option<ClassPtr>,
        is_interface: bool,
    ) -> Res<()> {
        let constraint = self.constraint(loader, name);
        let Some(existing) = constraint.and_then(|at| self.constraints[at].class) else {
            return Ok(());
        };
        if class == Some(existing) {
            return Ok(());
        }
        let message = format!(
            "loader constraint violation: loader {} wants to load {} {}. A different {} with the same name was previously loaded by {}. ({})",
            self.describe_loader(loader),
            kind(is_interface),
            self.text(name).replace('/', "."),
            kind(existing.is_interface()),
            self.describe_loader(existing.loader),
            self.where_is(existing)
        );
        throw("java/lang/LinkageError", message)
    }

    /// A loader has a class now; those that agree with it will have the same one.
    pub fn meet_constraint(&mut self, loader: Ref, name: Symbol, class: ClassPtr) {
        if let Some(at) = self.constraint(loader, name)
            && self.constraints[at].class.is_none()
        {
            self.log_constraints();
            self.constraints[at].class = Some(class);
        }
    }

    /// A method of `owner`, declared by `found.class`, is resolved for `class`.
    pub fn constrain_method(
        &mut self,
        class: ClassPtr,
        owner: ClassPtr,
        found: MethodPtr,
    ) -> Res<()> {
        let holder = found.class;
        let Err(failed) = self.constrain(found.desc, class.loader, holder.loader) else {
            return Ok(());
        };
        let message = format!(
            "loader constraint violation: when resolving {} '{}' the class loader {} of the current class, {}, and the class loader {} for the method's defining class, {}, have different Class objects for the type {failed} used in the signature ({}; {})",
            if owner.is_interface() {
                "interface method"
            } else {
                "method"
            },
            self.method_text(owner, found.name, found.desc),
            self.describe_loader(class.loader),
            self.external_name(class),
            self.describe_loader(holder.loader),
            self.external_name(holder),
            self.where_is(class),
            self.where_is(holder),
        );
        throw("java/lang/LinkageError", message)
    }

    /// A field that `holder` declares is resolved for `class`.
    pub fn constrain_field(
        &mut self,
        class: ClassPtr,
        holder: ClassPtr,
        name: Symbol,
        desc: Symbol,
    ) -> Res<()> {
        let Err(failed) = self.constrain(desc, class.loader, holder.loader) else {
            return Ok(());
        };
        let message = format!(
            "loader constraint violation: when resolving field \"{}\" of type {failed}, the class loader {} of the current class, {}, and the class loader {} for the field's defining {}, {}, have different Class objects for type {failed} ({}; {})",
            self.text(name),
            self.describe_loader(class.loader),
            self.external_name(class),
            self.describe_loader(holder.loader),
            kind(holder.is_interface()),
            self.external_name(holder),
            self.where_is(class),
            self.where_is(holder),
        );
        throw("java/lang/LinkageError", message)
    }

    /// A class that is being linked shares types with those whose methods it overrides or
    /// implements.
    pub fn constrain_supertypes(&mut self, class: ClassPtr) -> Res<()> {
        if class.is_interface() || class.loader.is_null() {
            return Ok(());
        }
        for &method in class.methods() {
            if method.vtable_index.get() < 0 {
                continue;
            }
            let inherited = class.parent.map_or(&[][..], |p| p.vtable());
            let overridden = inherited.iter().filter(|old| {
                old.name == method.name
                    && old.desc == method.desc
                    && old.class.loader != class.loader
                    && self.can_override(class, old)
            });
            for old in overridden.copied().collect::<Vec<_>>() {
                self.constrain_override(class, method, old)?;
            }
        }
        for interface in class.all_interfaces.iter().copied() {
            for &method in interface.methods() {
                if method.is_static() || method.is_private() {
                    continue;
                }
                let selected = select_interface(class, method).filter(|m| {
                    m.access & access::PUBLIC != 0
                        && !m.is_abstract()
                        && m.class.loader != interface.loader
                });
                if let Some(selected) = selected {
                    self.constrain_implementation(class, method, selected)?;
                }
            }
        }
        Ok(())
    }

    fn constrain_override(
        &mut self,
        class: ClassPtr,
        method: MethodPtr,
        old: MethodPtr,
    ) -> Res<()> {
        let Err(failed) = self.constrain(method.desc, class.loader, old.class.loader) else {
            return Ok(());
        };
        let message = format!(
            "loader constraint violation for class {own}: when selecting overriding method '{}' the class loader {} of the selected method's type {own}, and the class loader {} for its super type {} have different Class objects for the type {failed} used in the signature ({}; {})",
            self.method_text(class, method.name, method.desc),
            self.describe_loader(class.loader),
            self.describe_loader(old.class.loader),
            self.external_name(old.class),
            self.where_is(class),
            self.where_is(old.class),
            own = self.external_name(class),
        );
        throw("java/lang/LinkageError", message)
    }

    fn constrain_implementation(
        &mut self,
        class: ClassPtr,
        method: MethodPtr,
        selected: MethodPtr,
    ) -> Res<()> {
        let (interface, holder) = (method.class, selected.class);
        let Err(failed) = self.constrain(method.desc, holder.loader, interface.loader) else {
            return Ok(());
        };
        let message = format!(
            "loader constraint violation in interface itable initialization for class {}: when selecting method '{}' the class loader {} for super interface {}, and the class loader {} of the selected method's {}, {} have different Class objects for the type {failed} used in the signature ({}; {})",
            self.external_name(class),
            self.method_text(interface, method.name, method.desc),
            self.describe_loader(interface.loader),
            self.external_name(interface),
            self.describe_loader(holder.loader),
            kind(holder.is_interface()),
            self.external_name(holder),
            self.where_is(interface),
            self.where_is(holder),
        );
        throw("java/lang/LinkageError", message)
    }

    /// Two loaders agree on all types in a descriptor; the first one that they cannot agree
    /// on, as messages write it.
    fn constrain(&mut self, desc: Symbol, a: Ref, b: Ref) -> Result<(), String> {
        if a == b {
            return Ok(());
        }
        let desc = self.symbols.bytes(desc);
        for part in types(desc) {
            let name = innermost(part);
            if is_unique(name) {
                continue;
            }
            let name = self.symbols.intern(name);
            if !self.add_constraint(name, a, b) {
                let shown = if part[0] == b'[' {
                    part
                } else {
                    innermost(part)
                };
                return Err(String::from_utf8_lossy(shown).replace('/', "."));
            }
        }
        Ok(())
    }

    /// Whether `a` and `b` can agree on the class of a name; if so, they do from now on.
    fn add_constraint(&mut self, name: Symbol, a: Ref, b: Ref) -> bool {
        let groups = [a, b].map(|loader| self.constraint(loader, name));
        let mut class: Option<ClassPtr> = None;
        let loaded = [a, b].map(|loader| self.dictionary.get(&(loader, name)).copied());
        let agreed = groups.map(|at| at.and_then(|at| self.constraints[at].class));
        for known in loaded.into_iter().chain(agreed).flatten() {
            if class.is_some_and(|class| class != known) {
                return false;
            }
            class = Some(known);
        }
        if let [Some(one), Some(other)] = groups
            && one == other
            && self.constraints[one].class == class
        {
            return true;
        }
        self.log_constraints();
        let mut loaders = vec![a, b];
        let mut at: Vec<usize> = groups.into_iter().flatten().collect();
        at.sort_unstable();
        at.dedup();
        for at in at.into_iter().rev() {
            loaders.extend(self.constraints.remove(at).loaders);
        }
        loaders.sort_unstable();
        loaders.dedup();
        self.constraints.push(Constraint {
            name,
            loaders,
            class,
        });
        true
    }

    /// The constraint on a name that a loader is part of.
    fn constraint(&self, loader: Ref, name: Symbol) -> Option<usize> {
        self.constraints
            .iter()
            .position(|c| c.name == name && c.loaders.contains(&loader))
    }

    fn where_is(&mut self, class: ClassPtr) -> String {
        let place = self.describe_module_and_parent(class);
        format!("{} is in {place}", self.external_name(class))
    }
}

fn kind(is_interface: bool) -> &'static str {
    if is_interface { "interface" } else { "class" }
}

/// Whether only one class in all has this name.
fn is_unique(name: &[u8]) -> bool {
    name.is_empty() || name.starts_with(b"java/")
}

/// The reference types in a field or method descriptor.
fn types(desc: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at;
            while desc.get(at) == Some(&b'[') {
                at += 1;
            }
            if *desc.get(at)? == b'L' {
                at += desc[at..].iter().position(|&b| b == b';')?;
            }
            at += 1;
            if at > start + 1 {
                return Some(&desc[start..at]);
            }
        }
    })
}

/// The class name in the descriptor of a reference type; empty for arrays of primitives.
fn innermost(desc: &[u8]) -> &[u8] {
    let depth = desc.iter().take_while(|&&b| b == b'[').count();
    match &desc[depth..] {
        [b'L', name @ .., b';'] => name,
        _ => &[],
    }
}
