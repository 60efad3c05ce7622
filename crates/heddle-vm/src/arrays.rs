//! Classes that no file defines: those of arrays, made when they are first asked for, and of
//! the primitive types, made at the start (JVMS 5.3.3).

use crate::class::{Basic, Class, ClassFlags, ClassKind, ClassPtr, access};
use crate::heap::{Ref, Shape};
use crate::layout::STATICS_START;
use crate::native::Res;
use crate::symbol::Symbol;
use crate::vm::Vm;

/// Key under which array classes are found again by the id of their element class.
const ARRAYS: Symbol = Symbol(u32::MAX);

impl Vm {
    pub fn load_array(&mut self, loader: Ref, name: &[u8]) -> Res<ClassPtr> {
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

    pub fn unloaded_array(&self, element: ClassPtr) -> Option<ClassPtr> {
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
        let id = self.heap.add_shape(Shape::Array(shift), STATICS_START);
        let interfaces = vec![self.known.cloneable, self.known.serializable];
        // The visibility of an array class is that of its innermost element.
        let mut innermost = element;
        while let Some(inner) = innermost.element() {
            innermost = inner;
        }
        let class: ClassPtr = Box::leak(Box::new(Class {
            access: innermost.access & (access::PUBLIC | access::PRIVATE | access::PROTECTED)
                | access::FINAL
                | access::ABSTRACT,
            loader: element.loader,
            parent: Some(object),
            all_interfaces: interfaces.clone(),
            interfaces,
            chain: vec![object],
            flags: ClassFlags {
                from_jdk: true,
                trusted: true,
                ..element.flags
            },
            hidden: element.hidden,
            ..Class::without_file(id, name, ClassKind::Array { element, shift })
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

    /// The primitive types and their array classes; made once, before anything else.
    pub fn make_primitives(&mut self) {
        for (i, basic) in Basic::PRIMITIVES.into_iter().enumerate() {
            let id = self.heap.add_shape(Shape::Object(16), STATICS_START);
            let name = self.symbols.intern(basic.java_name().as_bytes());
            let class = Class::without_file(id, name, ClassKind::Primitive(basic));
            let class: ClassPtr = Box::leak(Box::new(class));
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
