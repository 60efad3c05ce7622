//! A digest of the whole state that a program can observe.
//!
//! Equal before a mark and after its rewind: the tests compare it, so state that
//! changes behind the journal's back is found. Caches are left out on purpose:
//! translated code as such (but not the patches of resolved instructions), inline
//! caches, symbols, classes that a rewind has unloaded. Order in hash tables does
//! not count. This is not the digest that matches states of different
//! interleavings; it contains addresses of code.

use crate::class::{ClassPtr, InitState, MethodPtr, Resolved};
use crate::disasm;
use crate::frames::bci_at;
use crate::hash::{FastHasher, FastSet};
use crate::heap::Ref;
use crate::isa::Op;
use crate::vm::Vm;
use std::hash::{Hash, Hasher};

/// The parts of the digest by name, so that a difference says where it is.
pub type Digest = Vec<(&'static str, u64)>;

impl Vm {
    /// Hashes everything; takes milliseconds.
    pub fn digest(&self) -> Digest {
        let loaded = self.loaded();
        vec![
            ("objects", self.objects_digest()),
            ("mirrors", self.mirrors_digest(&loaded)),
            ("threads", self.threads_digest()),
            (
                "monitors",
                of(&self
                    .monitors
                    .iter()
                    .map(|(o, m)| (o.0, &m.waiting, &m.leaving, &m.blocked, m.chunks))
                    .map(|p| of(&p))
                    .collect::<Vec<_>>()),
            ),
            ("globals", of(&format!("{:?}", self.globals))),
            ("classes", self.classes_digest(&loaded)),
            (
                "dictionary",
                sum(self.dictionary.iter().map(|(k, c)| (k, c.id))),
            ),
            (
                "constraints",
                sum(self
                    .constraints
                    .iter()
                    .map(|c| (c.name, &c.loaders, c.class.map(|class| class.id)))),
            ),
            ("strings", sum(self.strings.iter())),
            ("modules", self.modules_digest()),
            ("code", self.code_digest()),
            ("call sites", of(&self.call_sites.len())),
            (
                "output",
                of(&(
                    self.output.total,
                    self.output.bytes.iter().map(|(_, b)| b).collect::<Vec<_>>(),
                )),
            ),
            ("files", self.files.digest()),
        ]
    }

    /// Ids of the classes that are loaded now.
    pub fn loaded(&self) -> FastSet<u32> {
        let gone: FastSet<u32> = self
            .unloaded
            .values()
            .flatten()
            .filter(|c| !matches!(c.element(), Some(e) if e.array_class.get() == Some(c)))
            .map(|c| c.id.0)
            .collect();
        (1..self.classes.len() as u32)
            .filter(|id| !gone.contains(id))
            .collect()
    }

    fn objects_digest(&self) -> u64 {
        let mut hasher = FastHasher::default();
        for obj in self.objects() {
            if self.heap.class_of(obj) != self.known.class.id {
                self.hash_object(obj, &mut hasher);
            }
        }
        hasher.finish()
    }

    fn mirrors_digest(&self, loaded: &FastSet<u32>) -> u64 {
        let mut hasher = FastHasher::default();
        for class in self.classes.iter().skip(1) {
            if loaded.contains(&class.id.0) && !class.mirror.get().is_null() {
                self.hash_object(class.mirror.get(), &mut hasher);
            }
        }
        hasher.finish()
    }

    /// All words of an object but its epoch.
    fn hash_object(&self, obj: Ref, hasher: &mut FastHasher) {
        let bytes = self
            .heap
            .arena
            .bytes(obj.at(), self.heap.size_of(obj) as usize);
        obj.0.hash(hasher);
        for (i, word) in bytes.chunks_exact(8).enumerate() {
            let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            hasher.write_u64(if i == 0 { word as u32 as u64 } else { word });
        }
    }

    fn threads_digest(&self) -> u64 {
        let mut hasher = FastHasher::default();
        for thread in &self.threads {
            format!("{:?}{:?}", thread.path, thread.control).hash(&mut hasher);
            (thread.object.0, thread.daemon).hash(&mut hasher);
            thread.live().hash(&mut hasher);
        }
        hasher.finish()
    }

    fn classes_digest(&self, loaded: &FastSet<u32>) -> u64 {
        let mut total = 0u64;
        for class in self
            .classes
            .iter()
            .skip(1)
            .filter(|c| loaded.contains(&c.id.0))
        {
            if class.state.get() != InitState::Loaded {
                total = total.wrapping_add(of(&(class.id, format!("{:?}", class.state.get()))));
            }
            total = total.wrapping_add(of(&(class.id, class.module.get())));
            total = total.wrapping_add(self.resolved_digest(class));
        }
        total
    }

    fn resolved_digest(&self, class: ClassPtr) -> u64 {
        let mut total = 0u64;
        for (index, entry) in class.resolved.borrow().iter().enumerate() {
            let (value, target) = match *entry {
                Resolved::No => continue,
                Resolved::Class(c) => (c.id.0 as u64, Some(c)),
                Resolved::Field(f) => ((f.class.id.0 as u64) << 16 | f.index as u64, Some(f.class)),
                Resolved::Method(m) => (m.id as u64, Some(m.class)),
                Resolved::Object(o) | Resolved::Failed(o) => (o.0 as u64, None),
                Resolved::Value(v) => (v, None),
                Resolved::CallSite(m, o) => ((m.id as u64) << 32 | o.0 as u64, None),
            };
            if !target.is_some_and(|t| self.is_lasting(class, index as u16, t, false)) {
                total = total.wrapping_add(of(&(class.id, index, value)));
            }
        }
        total
    }

    fn modules_digest(&self) -> u64 {
        let boot = &self.boot_path;
        sum(boot.packages.iter())
            .wrapping_add(sum(boot.loader_packages.iter()))
            .wrapping_add(sum(boot.exports.iter()))
            .wrapping_add(of(&(boot.java_base, boot.unnamed)))
    }

    /// Whether a patched instruction may outlast a rewind; see `Vm::durable`.
    fn lasting(&self, method: MethodPtr, word: usize, op: Op) -> bool {
        let Some(body) = method.body.get() else {
            return false;
        };
        let bci = bci_at(method, &body.words[word]);
        let file = method.class.file.as_ref();
        let code = file.and_then(|f| Some(f.code_bytes(method.info()?.code.as_ref()?)));
        let index = code.and_then(|c| c.get(bci as usize + 1..bci as usize + 3));
        let Some(&[high, low]) = index else {
            return false;
        };
        let index = u16::from_be_bytes([high, low]);
        let entry = method.class.resolved.borrow().get(index as usize).copied();
        let target = match entry {
            Some(Resolved::Class(c)) => match op {
                Op::ANewArray => match c.array_class.get() {
                    Some(array) => array,
                    None => return false,
                },
                _ => c,
            },
            Some(Resolved::Field(f)) => f.class,
            Some(Resolved::Method(m)) => m.class,
            _ => return false,
        };
        self.is_lasting(method.class, index, target, needs_initialization(op))
    }

    /// Whether a resolution may outlast a rewind to the oldest mark (to a mark taken now, if
    /// there is none).
    fn is_lasting(&self, code: ClassPtr, index: u16, target: ClassPtr, initialized: bool) -> bool {
        match self.journal.live() {
            0 => {
                (!initialized || target.is_initialized())
                    && self.answered(code, index, self.heap.epoch)
                    && !self.imposes(code, index, target)
            }
            _ => self.durable(code, index, target, initialized),
        }
    }

    /// Instructions that resolution has patched. A body translated since the mark has
    /// none and so does not count.
    fn code_digest(&self) -> u64 {
        let mut total = 0u64;
        for method in &self.methods {
            let Some(body) = method.body.get() else {
                continue;
            };
            // Bodies that the VM itself makes are linked from the start.
            if method.info().is_none_or(|i| i.code.is_none()) {
                continue;
            }
            for (at, op, words) in disasm::instructions(body) {
                if patched(op) && !self.lasting(method, at, op) {
                    total = total.wrapping_add(of(&(method.id, at, words[0])));
                }
            }
        }
        total
    }
}

fn needs_initialization(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        GetStB
            | GetStZ
            | GetStC
            | GetStS
            | GetStW
            | GetStL
            | PutStB
            | PutStZ
            | PutStC
            | PutStW
            | PutStL
            | PutStA
            | New
            | InvokeStatic
    )
}

/// Operations that only exist after resolution.
fn patched(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        GetB | GetZ
            | GetC
            | GetS
            | GetW
            | GetL
            | PutB
            | PutZ
            | PutC
            | PutW
            | PutL
            | PutA
            | GetStB
            | GetStZ
            | GetStC
            | GetStS
            | GetStW
            | GetStL
            | PutStB
            | PutStZ
            | PutStC
            | PutStW
            | PutStL
            | PutStA
            | New
            | ANewArray
            | CheckCast
            | InstanceOf
            | InvokeStatic
            | InvokeSpecial
            | InvokeVirtual
            | InvokeInterface
            | InvokeLinked
    )
}

fn of<T: Hash>(value: &T) -> u64 {
    let mut hasher = FastHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Independent of the order.
fn sum<T: Hash>(items: impl Iterator<Item = T>) -> u64 {
    items.fold(0, |total, item| total.wrapping_add(of(&item)))
}
