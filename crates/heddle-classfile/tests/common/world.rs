//! All classes of the JDK's image as a [`Hierarchy`], and one class to verify.

#![allow(dead_code)]

use heddle_classfile::jimage::Image;
use heddle_classfile::verify::{Hierarchy, Member, NeedsClass};
use heddle_classfile::{Checks, ClassBytes, ClassFile, ParseOptions, access};
use std::collections::HashMap;

/// The classes of an image by internal name.
pub struct World {
    pub classes: HashMap<Vec<u8>, ClassFile>,
}

impl World {
    pub fn new(image: &Image) -> World {
        let options = ParseOptions {
            checks: Checks::Trusted,
            max_major: 69,
            ..ParseOptions::default()
        };
        let classes = super::classes(image).into_iter().map(|(_, name, bytes)| {
            let class = ClassFile::parse(ClassBytes::Static(bytes), &options)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            (class.name().to_vec(), class)
        });
        World {
            classes: classes.collect(),
        }
    }

    pub fn superclasses<'w>(&'w self, class: &'w ClassFile) -> impl Iterator<Item = &'w ClassFile> {
        std::iter::successors(Some(class), |c| self.classes.get(c.super_name()?))
    }
}

/// What the loader that defines `class` sees. It is that class alone which it
/// defines; all others come from its parent.
pub struct Loader<'w> {
    pub world: &'w World,
    pub class: &'w ClassFile,
    /// The loader of `class` is that of the image, so packages are shared.
    pub same_loader: bool,
}

impl Loader<'_> {
    fn find(&self, name: &[u8]) -> Result<&ClassFile, NeedsClass> {
        if name == self.class.name() {
            return Ok(self.class);
        }
        self.world
            .classes
            .get(name)
            .ok_or_else(|| NeedsClass(name.to_vec()))
    }
}

impl Hierarchy for Loader<'_> {
    fn is_interface(&self, class: &[u8]) -> Result<bool, NeedsClass> {
        self.find(class).map(|c| c.is_interface())
    }

    fn is_subclass(&self, class: &[u8], ancestor: &[u8]) -> Result<bool, NeedsClass> {
        let (from, to) = (self.find(class)?, self.find(ancestor)?);
        Ok(self
            .world
            .superclasses(from)
            .any(|c| std::ptr::eq(c, to) || self.same_loader && c.name() == to.name()))
    }

    fn superclass(&self, class: &[u8]) -> Result<Option<Vec<u8>>, NeedsClass> {
        Ok(self.find(class)?.super_name().map(<[u8]>::to_vec))
    }

    fn has_superclass(&self, name: &[u8]) -> bool {
        let mut supers = self.world.superclasses(self.class).skip(1);
        supers.any(|c| c.name() == name)
    }

    fn is_protected_elsewhere(&self, class: &[u8], member: Member<'_>) -> Result<bool, NeedsClass> {
        let start = self
            .world
            .classes
            .get(class)
            .ok_or_else(|| NeedsClass(class.to_vec()))?;
        // Interfaces have no protected members, so superclasses suffice.
        let found = self.world.superclasses(start).find_map(|c| {
            let access = match member {
                Member::Field(name, desc) => c.field(name, desc).map(|f| f.access),
                Member::Method(name, desc) => c.method(name, desc).map(|m| m.access),
            };
            access.map(|a| (c, a))
        });
        Ok(found.is_some_and(|(holder, flags)| {
            let shared = self.same_loader && package(holder.name()) == package(self.class.name());
            flags & access::PROTECTED != 0 && !shared
        }))
    }
}

fn package(name: &[u8]) -> &[u8] {
    let end = name.iter().rposition(|&b| b == b'/').unwrap_or(0);
    &name[..end]
}
