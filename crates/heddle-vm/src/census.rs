//! All objects of a state by class: what reports call them by, `Account@2`.
//!
//! The number is that of the object among those of its class by address, and each thread
//! allocates in a region of its own, so it does not depend on the interleaving. Counting
//! takes a walk over the heap, so whoever wants many names counts once.

use crate::class::ClassPtr;
use crate::heap::{Ref, Region};
use crate::thread::ThreadState;
use crate::vm::Vm;

pub struct Census<'a> {
    vm: &'a Vm,
    /// By number of class, each by address.
    of: Vec<Vec<Ref>>,
}

impl<'a> Census<'a> {
    pub fn new(vm: &'a Vm) -> Census<'a> {
        let mut of = vec![Vec::new(); vm.classes.len()];
        for object in vm.objects() {
            of[vm.heap.class_of(object).0 as usize].push(object);
        }
        Census { vm, of }
    }

    /// `Account@2`: the second object of its class that the program made. Classes are
    /// `Account.class`.
    pub fn name(&self, object: Ref) -> String {
        let vm = self.vm;
        if object.is_null() {
            return "null".to_string();
        }
        let class = vm.class(vm.heap.class_of(object));
        if class == vm.known.class {
            return format!("{}.class", vm.short_name(vm.mirrored(object)));
        }
        if let Some(holder) = self.holder_of(object, class) {
            return self.name(holder);
        }
        // The library has objects of many classes before the program has any: they would
        // only make numbers large.
        let old = vm.of_library(object);
        let same = &self.of[class.id.0 as usize];
        let before = same.iter().take_while(|other| other.at() <= object.at());
        let number = before.filter(|other| vm.of_library(**other) == old).count();
        let whose = if old { "jdk" } else { "" };
        format!("{}@{whose}{number}", vm.short_name(class))
    }

    /// The lock that the program made, if the object is what the library keeps inside it: a
    /// `ReentrantLock` for its `NonfairSync`.
    fn holder_of(&self, object: Ref, class: ClassPtr) -> Option<Ref> {
        let vm = self.vm;
        let name = vm.name(class);
        let (outer, inner) = name.split_once('$')?;
        if !outer.starts_with("java/util/concurrent/") || !inner.ends_with("Sync") {
            return None;
        }
        let holds = |other: &Ref| {
            let mut found = false;
            vm.each_reference(*other, |inner| found |= inner == object);
            found
        };
        let outers = vm.classes.iter().zip(&self.of);
        let outers = outers.filter(|(of, _)| vm.symbols.bytes(of.name) == outer.as_bytes());
        outers.flat_map(|(_, objects)| objects).copied().find(holds)
    }
}

impl Vm {
    /// All objects, by address.
    pub fn objects(&self) -> impl Iterator<Item = Ref> {
        let alive = self.threads.iter();
        let alive = alive.filter(|t| t.control.state != ThreadState::Dead);
        let regions: Vec<Region> = alive.map(|t| t.control.region).collect();
        let all = self.heap.object_addresses(&regions).into_iter();
        all.map(|at| Ref((at >> 3) as u32))
    }
}
