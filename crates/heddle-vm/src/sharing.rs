//! Which objects more than one thread can reach.
//!
//! Only a search needs to know: accesses to objects that no other thread can reach
//! are no choices. An object becomes shared when a reference to it is stored in a
//! shared object or in a static of the program, or when a thread is started on it;
//! everything that it refers to becomes shared with it. Objects that existed before
//! the program's `main` belong to the library and never count (what a program does
//! to them is the library's bookkeeping: output streams, thread numbers, caches);
//! `--trust none` is for programs that communicate through them.
//!
//! Follows Rinard's and Nidhugg's idea of dynamic escape; conservative in one
//! direction only: a shared object never becomes private again on the same path.

use crate::class::{ClassKind, ClassPtr, access};
use crate::heap::{ELEMENTS, MIRRORS_LIMIT, Ref};
use crate::native::Frame;
use crate::settings::Setting;
use crate::vm::Vm;
use heddle_model::{EventKind, ObjectId, Place};

impl Vm {
    /// Starts keeping track, at the beginning of the program's `main`.
    pub fn track_sharing(&mut self) {
        self.heap.tracking = true;
        // The one object of before that threads do meet at: `join` of the initial thread.
        let initial = self.threads[0].object;
        self.heap.set_shared(initial);
        self.note_group(0);
        if self.learned.asks_for_members {
            self.heap.set_shared(self.threads[0].group);
        }
        if self.learned.asks_for_pools {
            self.share_common_pool();
        }
        if self.learned.settings.contains(&Setting::Properties) {
            self.share_properties();
        }
    }

    /// Whether an object belongs to the library: a mirror or older than `main`.
    pub fn of_library(&self, obj: Ref) -> bool {
        self.heap.before_program(obj)
    }

    /// `value` is about to be stored where other threads can find it.
    pub fn publish(&mut self, value: Ref) {
        let known = |obj| self.heap.is_shared(obj) || self.of_library(obj);
        if !self.heap.tracking || value.is_null() || known(value) {
            return;
        }
        let mut left = vec![value];
        while let Some(obj) = left.pop() {
            if self.heap.is_shared(obj) || self.of_library(obj) {
                continue;
            }
            self.heap.set_shared(obj);
            self.emit(EventKind::Publish {
                object: ObjectId(obj.0),
            });
            if self.monitor_owner(obj).is_some() {
                // From now on others can see that it is locked.
                let object = ObjectId(obj.0);
                self.emit(EventKind::Lock { object });
            }
            if !self.keeps_to_itself(obj) {
                self.each_reference(obj, |inner| left.push(inner));
            }
        }
    }

    /// Whether what an object refers to is the library's business: the characters of a string, say, which
    /// never change. (That they are looked at is no operation, then. It must be none: who has
    /// the hash code of a string computed looks at them, and who finds it there does not.)
    fn keeps_to_itself(&self, obj: Ref) -> bool {
        let class = self.class_of(obj);
        let quiet = class.flags.quiet || std::ptr::eq(class, self.known.string);
        quiet && class.flags.is_library()
    }

    /// Must come before a reference is stored in a field or element of `holder`: what is
    /// reported of the store comes after what is reported here.
    #[inline(always)]
    pub fn storing(&mut self, holder: Ref, value: Ref) {
        if self.heap.tracking && self.publishes(holder) {
            self.publish(value);
        }
    }

    /// Whether what is stored in `holder` can be found by other threads.
    pub fn publishes(&self, holder: Ref) -> bool {
        (self.heap.is_shared(holder) || self.of_library(holder)) && !self.keeps_to_itself(holder)
    }

    /// Whether an access to a field is one that other threads can notice: of a shared
    /// object, or a static that is not the JDK's (but see `settings.rs`); final fields are none.
    #[inline]
    pub fn noticeable(&self, obj: Ref, offset: u64) -> bool {
        if obj.at() >= MIRRORS_LIMIT {
            return self.heap.is_shared(obj) && !self.is_quiet(self.class_of(obj), offset);
        }
        let class = self.mirrored(obj);
        let counts =
            !class.flags.is_library() || class.flags.counts && self.is_setting(class, offset);
        counts && !is_final_static(class, offset)
    }

    /// The same for an accessor of Unsafe: object in slot 1, offset in slot 2.
    pub fn access_noticeable(&self, f: Frame) -> bool {
        let (obj, offset) = (f.reference(1), f.long(2) as u64);
        if !self.heap.tracking {
            return true;
        }
        match obj.at() >= MIRRORS_LIMIT && self.class_of(obj).is_array() {
            true => self.heap.is_shared(obj),
            false => self.noticeable(obj, offset),
        }
    }

    /// Reports that a native reads an element, if others can notice. The value is left out.
    pub fn element_read(&mut self, array: Ref, index: u32) {
        if self.heap.is_shared(array) {
            let place = element(array, index);
            self.emit(EventKind::Read { place, value: 0 });
        }
    }

    /// The same for writing.
    pub fn element_written(&mut self, array: Ref, index: u32) {
        if self.heap.is_shared(array) {
            let place = element(array, index);
            self.emit(EventKind::Write { place, value: 0 });
        }
    }

    /// Reports that a native reads all of an object.
    pub fn object_read(&mut self, object: Ref) {
        if !self.heap.tracking || !self.heap.is_shared(object) {
            return;
        }
        let class = self.class_of(object);
        if class.is_array() {
            for index in 0..self.heap.length(object) {
                self.element_read(object, index);
            }
            return;
        }
        let fields = class.chain.iter().flat_map(|c| c.fields.iter());
        for field in fields.filter(|f| f.access & access::STATIC == 0) {
            let offset = u64::from(field.offset);
            if self.noticeable(object, offset) {
                let place = Place::Field {
                    object: ObjectId(object.0),
                    offset: field.offset,
                };
                let value = self.load_basic(object, offset, field.basic);
                self.emit(EventKind::Read { place, value });
            }
        }
    }

    /// Calls `found` for every reference that an object holds.
    pub fn each_reference(&self, obj: Ref, mut found: impl FnMut(Ref)) {
        let class = self.class_of(obj);
        if let ClassKind::Array { element, .. } = class.kind {
            if !element.is_primitive() {
                for i in 0..self.heap.length(obj) {
                    let inner = self.heap.get_ref(obj, ELEMENTS + i as u64 * 4);
                    if !inner.is_null() {
                        found(inner);
                    }
                }
            }
            return;
        }
        for &offset in reference_offsets(class) {
            let inner = self.heap.get_ref(obj, offset as u64);
            if !inner.is_null() {
                found(inner);
            }
        }
    }
}

fn element(array: Ref, index: u32) -> Place {
    Place::Element {
        array: ObjectId(array.0),
        index,
    }
}

/// Whether the static at an offset of the mirror is final: written by the initializer, for
/// which others wait.
fn is_final_static(class: ClassPtr, offset: u64) -> bool {
    let mut statics = class.fields.iter();
    let found = statics.find(|f| f.offset as u64 == offset && f.access & access::STATIC != 0);
    found.is_some_and(|f| f.access & access::FINAL != 0)
}

/// Offsets of the reference fields of an instance, inherited ones included.
fn reference_offsets(class: ClassPtr) -> &'static [u32] {
    class.reference_offsets.get_or_init(|| {
        let mut offsets: Vec<u32> = class
            .parent
            .map_or(Vec::new(), |p| reference_offsets(p).to_vec());
        let own = class.fields.iter().filter(|f| {
            f.access & access::STATIC == 0 && f.basic == crate::class::Basic::Reference
        });
        offsets.extend(own.map(|f| f.offset));
        offsets
    })
}
