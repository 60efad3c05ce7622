//! What stories ask the machine: the arguments and results of calls, values that are
//! objects, and the ways that lead to an object from the program's statics.
//!
//! Like `describe.rs` this is read off the present state, for reports only.

use crate::class::{Basic, ClassKind, Field, MethodPtr, access};
use crate::heap::{ELEMENTS, Ref};
use crate::vm::Vm;
use heddle_model::{Datum, Link, ObjectId, Place};

/// The call that is being told: a method and its raw arguments.
#[derive(Default)]
pub struct Called {
    method: Option<MethodPtr>,
    slots: Vec<u64>,
}

impl Called {
    pub fn note(&mut self, method: MethodPtr, slots: impl Iterator<Item = u64>) {
        self.method = Some(method);
        self.slots.clear();
        self.slots.extend(slots);
    }
}

/// Classes whose objects are values in a field of this name.
const BOXES: [&str; 8] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Short",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
];

/// Of a longer string only the beginning is told.
const LONGEST_STRING: usize = 60;
/// Of a longer array only these elements have names.
const MOST_ELEMENTS: i32 = 64;

impl Vm {
    pub(crate) fn arguments_of_call(&self) -> Vec<Datum> {
        let Some(method) = self.called.method else {
            return Vec::new();
        };
        let has_receiver = method.access & access::STATIC == 0;
        let receiver = has_receiver.then_some(Basic::Reference);
        let mut slots = self.called.slots.iter();
        let mut arguments = Vec::new();
        for basic in receiver.into_iter().chain(method.params.iter().copied()) {
            let Some(&value) = slots.next() else { break };
            if matches!(basic, Basic::Long | Basic::Double) {
                // The value is in the first of its two slots.
                slots.next();
            }
            arguments.push(self.datum_of(basic, value));
        }
        arguments
    }

    pub(crate) fn result_of_call(&self, method: MethodPtr, value: u64) -> Option<Datum> {
        let returns = method.returns != Basic::Void;
        returns.then(|| self.datum_of(method.returns, value))
    }

    pub(crate) fn datum_of(&self, basic: Basic, value: u64) -> Datum {
        match basic {
            Basic::Reference if value as u32 != 0 => Datum::Object(ObjectId(value as u32)),
            basic => Datum::Text(self.basic_text(basic, value)),
        }
    }

    /// A string, a box or a constant of an enum as the program would write it.
    pub(crate) fn value_object(&self, object: Ref) -> Option<String> {
        let class = self.class(self.heap.class_of(object));
        if class == self.known.string {
            let text = self.string(object);
            let cut: String = text.chars().take(LONGEST_STRING).collect();
            let more = if cut.len() < text.len() { "…" } else { "" };
            return Some(format!("{:?}", cut + more));
        }
        if BOXES.contains(&self.name(class).as_str()) {
            let field = self.instance_field(class, "value")?;
            let at = u64::from(field.offset);
            let value = match field.basic {
                Basic::Boolean | Basic::Byte => self.heap.get::<u8>(object, at).into(),
                Basic::Char | Basic::Short => self.heap.get::<u16>(object, at).into(),
                Basic::Int | Basic::Float => self.heap.get::<u32>(object, at).into(),
                _ => self.heap.get::<u64>(object, at),
            };
            return Some(self.basic_text(field.basic, value));
        }
        // Constants with a body have a class of their own.
        let chain = &class.chain;
        let base = chain
            .iter()
            .position(|c| self.name(c) == "java/lang/Enum")?;
        let declared = chain.get(base + 1)?;
        let name = self.instance_field(chain[base], "name")?;
        let name = self.heap.get_ref(object, u64::from(name.offset));
        let constant = (!name.is_null()).then(|| self.string(name))?;
        Some(format!("{}.{constant}", self.short_name(declared)))
    }

    /// References in the statics of the program's classes, in the order in which these were
    /// loaded. What the compiler made has no name that anybody knows.
    pub(crate) fn links_of_statics(&self) -> Vec<Link> {
        let mut links = Vec::new();
        for &class in self.classes.iter().filter(|c| !c.flags.trusted) {
            let mirror = class.mirror.get();
            if mirror.is_null() || !class.is_instance_kind() {
                continue;
            }
            for field in class.fields.iter().filter(|f| is_named(f, true)) {
                let name = format!("{}.{}", self.short_name(class), self.text(field.name));
                links.extend(self.link_in_field(name, mirror, field));
            }
        }
        links
    }

    /// References in an object of the program.
    pub(crate) fn links_in(&self, object: Ref) -> Vec<Link> {
        let class = self.class(self.heap.class_of(object));
        if class == self.known.class || self.of_library(object) {
            return Vec::new();
        }
        if let ClassKind::Array { element, .. } = class.kind {
            if element.is_primitive() {
                return Vec::new();
            }
            let length = (self.heap.length(object) as i32).min(MOST_ELEMENTS);
            let element = |index: i32| {
                let to = self.heap.get_ref(object, ELEMENTS + index as u64 * 4);
                let array = ObjectId(object.0);
                (!to.is_null()).then(|| Link {
                    name: format!("[{index}]"),
                    place: Place::Element {
                        array,
                        index: index as u32,
                    },
                    is_final: false,
                    to: ObjectId(to.0),
                })
            };
            return (0..length).filter_map(element).collect();
        }
        // Of the library's own objects only what they are made of is of interest: the
        // synchronizer inside a lock.
        let declared = class.chain.iter();
        let fields = declared.flat_map(|c| c.fields.iter().map(|f| (c.flags.trusted, f)));
        let named = fields
            .filter(|(trusted, f)| is_named(f, false) && (!trusted || self.text(f.name) == "sync"));
        let links = named.filter_map(|(_, field)| {
            let name = format!(".{}", self.text(field.name));
            self.link_in_field(name, object, field)
        });
        links.collect()
    }

    fn link_in_field(&self, name: String, holder: Ref, field: &Field) -> Option<Link> {
        let to = self.heap.get_ref(holder, u64::from(field.offset));
        (!to.is_null()).then_some(Link {
            name,
            place: Place::Field {
                object: ObjectId(holder.0),
                offset: field.offset,
            },
            is_final: field.access & access::FINAL != 0,
            to: ObjectId(to.0),
        })
    }
}

/// Whether a field holds references and has a name in the source.
fn is_named(field: &Field, of_class: bool) -> bool {
    field.basic == Basic::Reference
        && field.access & access::SYNTHETIC == 0
        && (field.access & access::STATIC != 0) == of_class
}
