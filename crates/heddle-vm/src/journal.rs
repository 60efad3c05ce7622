//! The way back: marks, and the undo entries for state outside the heap.
//!
//! A mark is a position in three logs (heap words, undo entries, saved stacks)
//! plus a copy of the small globals. Between marks every change passes through a
//! `touch_…` or `log_…` function of this file (or the heap's barrier), which
//! records the old value once an epoch while a mark is live, and nothing
//! otherwise. Rewinding plays the logs backwards.

use crate::class::{ClassPtr, InitState, Resolved};
use crate::constraints::Constraint;
use crate::files::Files;
use crate::heap::Ref;
use crate::heap::log::LogPosition;
use crate::monitor::Monitor;
use crate::symbol::Symbol;
use crate::thread::{Control, ThreadId};
use crate::vm::{Globals, Vm};
use heddle_classfile::Constant;
use heddle_model::{Mark, Rewind};

/// Live marks and what has changed since.
#[derive(Default)]
pub struct Journal {
    marks: Vec<MarkRecord>,
    undo: Vec<Undo>,
    /// Parts of saved stacks, one after the other.
    stacks: Vec<u64>,
    /// Control data saved with them.
    controls: Vec<Control>,
    /// Options of the choice points at which marks were taken, one after the other.
    choices: Vec<heddle_model::Choice>,
    next_mark: u64,
    /// Epoch of the time before the oldest live mark.
    base_epoch: u32,
    /// Epoch in which the files were saved last.
    files_epoch: u32,
}

struct MarkRecord {
    mark: Mark,
    heap: LogPosition,
    undo: usize,
    stacks: usize,
    globals: Globals,
    current: ThreadId,
    output: (usize, usize),
    output_total: u64,
    pause: heddle_model::Pause,
    /// Options of the choice point, at the end of `Journal::choices`.
    choices: usize,
}

enum Undo {
    Patch {
        at: *mut u64,
        old: u64,
    },
    /// The stack was saved, see [`crate::stack::Stack::save`]; what the copy gave up is at the
    /// end of `Journal::stacks`.
    Thread {
        id: ThreadId,
        object: Ref,
        daemon: bool,
        saved: (usize, usize),
    },
    ThreadBorn,
    Monitor {
        obj: Ref,
        old: Option<Monitor>,
    },
    State {
        class: ClassPtr,
        old: InitState,
    },
    Resolved {
        class: ClassPtr,
        index: u16,
        old: Resolved,
    },
    CallSite {
        site: crate::linkage::Site,
        old: Option<Resolved>,
    },
    Loaded {
        loader: Ref,
        name: Symbol,
        defined: bool,
    },
    Hidden {
        loader: Ref,
        name: Symbol,
        class: ClassPtr,
    },
    ArrayClass {
        class: ClassPtr,
    },
    Module {
        class: ClassPtr,
        old: Ref,
    },
    NestHost {
        class: ClassPtr,
        old: Option<ClassPtr>,
    },
    Interned(Box<[u16]>),
    Constraints(Vec<Constraint>),
    /// A package was given to a module.
    Package {
        loader: Ref,
        package: Symbol,
    },
    Export {
        from: Ref,
        package: Symbol,
        to: Ref,
    },
    JavaBase(Ref),
    BootUnnamed(Ref),
    Files(Box<Files>),
}

impl Vm {
    /// Starts an epoch, after a mark or a rewind.
    pub fn start_epoch(&mut self) {
        if self.heap.epochs_used_up() {
            let regions: Vec<_> = self.threads.iter().map(|t| t.control.region).collect();
            self.heap.renumber_epochs(&regions);
            for thread in &mut self.threads {
                thread.saved_epoch = 0;
            }
            self.journal.files_epoch = 0;
        }
        self.heap.next_epoch();
    }

    fn logging(&self) -> bool {
        self.heap.marked()
    }

    /// Whether what entry `index` of `code`'s constant pool resolves to, a class or a member
    /// of `target`, can be kept over rewinds: both classes were there before the oldest mark
    /// (and `target` initialized, if that matters), and so was the answer of `code`'s loader
    /// for the class that the entry names, and it imposes no loader constraint. Then
    /// resolving again would have no effect and give the same.
    pub fn durable(&self, code: ClassPtr, index: u16, target: ClassPtr, initialized: bool) -> bool {
        let base = self.journal.base_epoch;
        code.loaded_epoch.get() <= base
            && target.loaded_epoch.get() <= base
            && (!initialized || target.initialized_epoch.get() <= base)
            && self.answered(code, index, base)
            && !self.imposes(code, index, target)
    }

    /// Whether resolving entry `index` of `code`'s pool to a member of `target` imposes loader
    /// constraints.
    pub fn imposes(&self, code: ClassPtr, index: u16, target: ClassPtr) -> bool {
        if code.loader == target.loader {
            return false;
        }
        let Some(file) = code.file.as_ref() else {
            return false;
        };
        match file.pool.get(index) {
            Constant::FieldRef { nat, .. }
            | Constant::MethodRef { nat, .. }
            | Constant::InterfaceMethodRef { nat, .. } => {
                let (_, desc) = file.pool.name_and_type(nat);
                self.constrains(desc, code.loader, target.loader)
            }
            _ => false,
        }
    }

    /// Whether the loader of `code` knew the class that a pool entry names at epoch `base`.
    pub fn answered(&self, code: ClassPtr, index: u16, base: u32) -> bool {
        if code.loader.is_null() {
            return true;
        }
        let Some(file) = code.file.as_ref() else {
            return false;
        };
        let class = match file.pool.get(index) {
            Constant::Class { .. } => index,
            Constant::FieldRef { class, .. }
            | Constant::MethodRef { class, .. }
            | Constant::InterfaceMethodRef { class, .. } => class,
            _ => return false,
        };
        let Some(name) = self.symbols.find(file.pool.class_name(class)) else {
            return false;
        };
        let key = (code.loader, name);
        match self.dictionary.get(&key) {
            Some(own) if own.loader == code.loader => own.loaded_epoch.get() <= base,
            Some(_) => self.asked.get(&key).is_some_and(|&epoch| epoch <= base),
            None => false,
        }
    }

    /// [`Vm::patch`] without a way back, for durable resolutions.
    ///
    /// # Safety
    /// As for `patch`.
    pub unsafe fn patch_durably(&mut self, durable: bool, at: *mut u64, new: u64) {
        // SAFETY: by the contract.
        unsafe {
            if durable {
                *at = new;
            } else {
                self.patch(at, new);
            }
        }
    }

    /// Overwrites a word of translated code.
    ///
    /// # Safety
    /// `at` must point into the words of a method's body.
    pub unsafe fn patch(&mut self, at: *mut u64, new: u64) {
        // SAFETY: by the contract; bodies are never freed or moved.
        unsafe {
            if self.logging() {
                self.journal.undo.push(Undo::Patch { at, old: *at });
            }
            *at = new;
        }
    }

    /// Must come before a thread's control data or stack changes.
    #[inline]
    pub fn touch_thread(&mut self, id: ThreadId) {
        if self.threads[id.0 as usize].saved_epoch < self.heap.mark_epoch {
            self.save_thread(id);
        }
    }

    fn save_thread(&mut self, id: ThreadId) {
        let thread = &mut self.threads[id.0 as usize];
        thread.saved_epoch = self.heap.mark_epoch;
        thread.settle();
        let (unsaved, words) = (thread.control.reach.unsaved, thread.live_words());
        let log = &mut self.journal.stacks;
        let saved = thread.stack.save(unsaved, words, log);
        let control = std::slice::from_ref(&thread.control);
        self.journal.controls.extend_from_slice(control);
        thread.control.reach.unsaved = usize::MAX;
        self.journal.undo.push(Undo::Thread {
            id,
            object: thread.object,
            daemon: thread.daemon,
            saved,
        });
    }

    /// A thread was added to the table.
    pub fn log_thread_born(&mut self) {
        if self.logging() {
            self.journal.undo.push(Undo::ThreadBorn);
        }
    }

    /// Must come before the entry of a monitor changes.
    pub fn touch_monitor(&mut self, obj: Ref) {
        if self.logging() {
            let old = self.monitors.get(&obj).cloned();
            self.journal.undo.push(Undo::Monitor { obj, old });
        }
    }

    pub fn set_class_state(&mut self, class: ClassPtr, state: InitState) {
        if self.logging() {
            self.journal.undo.push(Undo::State {
                class,
                old: class.state.get(),
            });
        }
        self.count_class_state(class.id.0, class.state.get(), state);
        class.state.set(state);
        if state == InitState::Initialized {
            class.initialized_epoch.set(self.heap.epoch);
        }
    }

    pub fn set_resolved(&mut self, class: ClassPtr, index: u16, value: Resolved) {
        let mut resolved = class.resolved.borrow_mut();
        let old = std::mem::replace(&mut resolved[index as usize], value);
        let durable = match value {
            Resolved::Class(c) => self.durable(class, index, c, false),
            Resolved::Field(f) => self.durable(class, index, f.class, false),
            Resolved::Method(m) => self.durable(class, index, m.class, false),
            _ => false,
        };
        if self.logging() && !durable {
            self.journal.undo.push(Undo::Resolved { class, index, old });
        }
    }

    /// Records what linking a call site came to.
    pub fn set_call_site(&mut self, site: crate::linkage::Site, value: Resolved) {
        let old = self.call_sites.insert(site, value);
        if self.logging() {
            self.journal.undo.push(Undo::CallSite { site, old });
        }
    }

    /// A class was entered into the dictionary; `defined`: by its defining loader.
    pub fn log_loaded(&mut self, loader: Ref, name: Symbol, defined: bool) {
        if self.logging() {
            self.journal.undo.push(Undo::Loaded {
                loader,
                name,
                defined,
            });
        }
    }

    /// A hidden class was defined from bytes that call it `name`.
    pub fn log_hidden(&mut self, loader: Ref, name: Symbol, class: ClassPtr) {
        if self.logging() {
            self.journal.undo.push(Undo::Hidden {
                loader,
                name,
                class,
            });
        }
    }

    pub fn set_array_class(&mut self, of: ClassPtr, array: ClassPtr) {
        if self.logging() {
            self.journal.undo.push(Undo::ArrayClass { class: of });
        }
        of.array_class.set(Some(array));
    }

    pub fn set_class_module(&mut self, class: ClassPtr, module: Ref) {
        if self.logging() {
            self.journal.undo.push(Undo::Module {
                class,
                old: class.module.get(),
            });
        }
        class.module.set(module);
    }

    pub fn set_nest_host(&mut self, class: ClassPtr, host: ClassPtr) {
        if self.logging() {
            self.journal.undo.push(Undo::NestHost {
                class,
                old: class.nest_host.get(),
            });
        }
        class.nest_host.set(Some(host));
    }

    pub fn log_interned(&mut self, units: &[u16]) {
        if self.logging() {
            self.journal.undo.push(Undo::Interned(units.into()));
        }
    }

    /// Must come before loader constraints change. There are few.
    pub fn log_constraints(&mut self) {
        if self.logging() {
            let old = self.constraints.clone();
            self.journal.undo.push(Undo::Constraints(old));
        }
    }

    /// A package of a loader belongs to `module` from now on.
    pub fn set_package_module(&mut self, loader: Ref, package: Symbol, module: Ref) {
        let path = &mut self.boot_path;
        if loader.is_null() {
            path.packages.insert(package, module);
        } else {
            path.loader_packages.insert((loader, package), module);
        }
        if self.logging() {
            self.journal.undo.push(Undo::Package { loader, package });
        }
    }

    /// `from` exports a package to module `to` (null: to all).
    pub fn add_export(&mut self, from: Ref, package: Symbol, to: Ref) {
        if self.boot_path.exports.insert((from, package, to)) && self.logging() {
            self.journal.undo.push(Undo::Export { from, package, to });
        }
    }

    pub fn set_java_base(&mut self, module: Ref) {
        let old = std::mem::replace(&mut self.boot_path.java_base, module);
        if self.logging() {
            self.journal.undo.push(Undo::JavaBase(old));
        }
    }

    pub fn set_boot_unnamed(&mut self, module: Ref) {
        let old = std::mem::replace(&mut self.boot_path.unnamed, module);
        if self.logging() {
            self.journal.undo.push(Undo::BootUnnamed(old));
        }
    }

    /// Must come before open files or the file overlay change.
    pub fn touch_files(&mut self) {
        if self.journal.files_epoch < self.heap.mark_epoch {
            self.journal.files_epoch = self.heap.mark_epoch;
            self.journal
                .undo
                .push(Undo::Files(Box::new(self.files.clone())));
        }
    }

    fn undo(&mut self, entry: Undo) {
        match entry {
            // SAFETY: as in `patch`.
            Undo::Patch { at, old } => unsafe { *at = old },
            Undo::Thread {
                id,
                object,
                daemon,
                saved,
            } => {
                let thread = &mut self.threads[id.0 as usize];
                thread.settle();
                let unsaved = thread.control.reach.unsaved;
                let log = &mut self.journal.stacks;
                thread.stack.restore(unsaved, saved, log);
                let controls = &mut self.journal.controls;
                thread.control = *controls.last().expect("heddle internal error: undo log");
                controls.truncate(controls.len() - 1);
                thread.object = object;
                thread.daemon = daemon;
                thread.saved_epoch = 0;
            }
            Undo::ThreadBorn => {
                let thread = self
                    .threads
                    .pop()
                    .expect("heddle internal error: no thread to undo");
                self.spare_stacks.push(thread.stack);
            }
            Undo::Monitor { obj, old } => {
                match old {
                    Some(monitor) => self.monitors.insert(obj, monitor),
                    None => self.monitors.remove(&obj),
                };
            }
            Undo::State { class, old } => class.state.set(old),
            Undo::Resolved { class, index, old } => {
                class.resolved.borrow_mut()[index as usize] = old;
            }
            Undo::CallSite { site, old } => {
                match old {
                    Some(value) => self.call_sites.insert(site, value),
                    None => self.call_sites.remove(&site),
                };
            }
            Undo::Loaded {
                loader,
                name,
                defined,
            } => {
                let class = self.dictionary.remove(&(loader, name));
                if defined {
                    let class = class.expect("heddle internal error: class to unload");
                    self.unloaded.entry((loader, name)).or_default().push(class);
                }
            }
            Undo::Hidden {
                loader,
                name,
                class,
            } => {
                self.unloaded.entry((loader, name)).or_default().push(class);
            }
            Undo::ArrayClass { class } => class.array_class.set(None),
            Undo::Module { class, old } => class.module.set(old),
            Undo::NestHost { class, old } => class.nest_host.set(old),
            Undo::Interned(units) => {
                self.strings.remove(&units);
            }
            Undo::Constraints(old) => self.constraints = old,
            Undo::Package { loader, package } => {
                if loader.is_null() {
                    self.boot_path.packages.remove(&package);
                } else {
                    self.boot_path.loader_packages.remove(&(loader, package));
                }
            }
            Undo::Export { from, package, to } => {
                self.boot_path.exports.remove(&(from, package, to));
            }
            Undo::JavaBase(old) => self.boot_path.java_base = old,
            Undo::BootUnnamed(old) => self.boot_path.unnamed = old,
            Undo::Files(files) => {
                self.files = *files;
                self.journal.files_epoch = 0;
            }
        }
    }
}

impl Rewind for Vm {
    fn mark(&mut self) -> Mark {
        if self.journal.marks.is_empty() {
            self.journal.base_epoch = self.heap.epoch;
        }
        let mark = Mark(self.journal.next_mark);
        self.journal.next_mark += 1;
        let record = MarkRecord {
            mark,
            heap: self.heap.position(),
            undo: self.journal.undo.len(),
            stacks: self.journal.stacks.len(),
            globals: self.globals.clone(),
            current: self.current,
            output: self.output.position(),
            output_total: self.output.total,
            pause: self.pause,
            choices: self.choices.len(),
        };
        self.journal.choices.extend_from_slice(&self.choices);
        self.journal.marks.push(record);
        self.start_epoch();
        mark
    }

    fn rewind(&mut self, to: Mark) {
        let index = self.journal.position(to);
        let later = &self.journal.marks[index + 1..];
        let options = self.journal.choices.len() - later.iter().map(|m| m.choices).sum::<usize>();
        self.journal.choices.truncate(options);
        self.journal.marks.truncate(index + 1);
        let record = &self.journal.marks[index];
        let (heap, undo, stacks) = (record.heap, record.undo, record.stacks);
        while self.journal.undo.len() > undo {
            let entry = self
                .journal
                .undo
                .pop()
                .expect("heddle internal error: undo log");
            self.undo(entry);
        }
        self.heap.undo(heap);
        let record = &self.journal.marks[index];
        debug_assert_eq!(self.journal.stacks.len(), stacks);
        self.globals = record.globals.clone();
        self.current = record.current;
        self.pause = record.pause;
        let from = self.journal.choices.len() - record.choices;
        self.choices.clear();
        self.choices
            .extend_from_slice(&self.journal.choices[from..]);
        self.output.truncate(record.output, record.output_total);
        self.start_epoch();
    }

    fn forget(&mut self, mark: Mark) {
        let index = self.journal.position(mark);
        let later = &self.journal.marks[index + 1..];
        let end = self.journal.choices.len() - later.iter().map(|m| m.choices).sum::<usize>();
        let record = self.journal.marks.remove(index);
        self.journal.choices.drain(end - record.choices..end);
        if self.journal.marks.is_empty() {
            self.journal.undo.clear();
            self.journal.stacks.clear();
            self.journal.controls.clear();
            self.journal.choices.clear();
            self.heap.end_marks();
        }
    }
}

impl Journal {
    fn position(&self, mark: Mark) -> usize {
        let found = self.marks.iter().rposition(|m| m.mark == mark);
        found.expect("heddle internal error: the mark is not live")
    }

    /// Whether files were changed since the first mark.
    pub fn touched_files(&self) -> bool {
        self.files_epoch != 0
    }

    /// The oldest live mark.
    pub fn oldest(&self) -> Option<Mark> {
        self.marks.first().map(|m| m.mark)
    }

    /// Words of stacks that are kept for the way back.
    pub fn saved_words(&self) -> usize {
        self.stacks.len()
    }

    /// Number of live marks.
    pub fn live(&self) -> usize {
        self.marks.len()
    }
}
