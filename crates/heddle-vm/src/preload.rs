//! Library classes that a program needs, initialized before its `main`, and calls of method
//! and variable handles, linked before it.
//!
//! A search rewinds to points near the start of the program again and again, and
//! every path would load and initialize the same library classes anew. So the
//! program is run once for a trial, what it needed is noted down, and the machine
//! that explores loads those classes before the first mark. The program cannot tell:
//! initializers of the JDK depend on nothing that a program does before (those that
//! read system properties read them as given on the command line), and classes of
//! the program itself are only loaded, never initialized early.
//!
//! The same goes for calls of `MethodHandle.invoke`, `invokeExact` and the accessors of
//! VarHandles: what links them is code of the JDK that depends on nothing but the type of
//! the call, and what it makes are caches of the JDK. `invokedynamic` is left alone: its
//! bootstrap method may be the program's.

use crate::class::{Basic, ClassPtr, Field, InitState, Resolved, access};
use crate::hash::FastSet;
use crate::heap::{ClassId, ELEMENTS, Ref};
use crate::linkage::Site;
use crate::native::{Frame, Res, call_catching, from_ref};
use crate::vm::Vm;
use std::hash::Hash;

/// What to load before `main`.
#[derive(Clone, Debug, Default)]
pub struct Preload {
    /// Library classes to be initialized, in the order in which the trial did it.
    pub library: Vec<String>,
    /// Names that the application's loader was asked for.
    pub application: Vec<String>,
    /// Calls of method and variable handles to be linked.
    pub calls: Vec<HandleCall>,
    /// Accessors of variable handles that were used.
    pub accessors: Vec<Accessor>,
}

/// A reference to a signature-polymorphic method in a class's constant pool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandleCall {
    pub class: String,
    /// Of the application's loader; else of the library.
    pub application: bool,
    pub index: u16,
}

/// The JDK finds the method behind an accessor when it is first used, and keeps it in the
/// `VarForm` that a static of a class of its own holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Accessor {
    pub class: String,
    pub field: String,
    /// The ordinal of the access mode.
    pub mode: u32,
}

impl Preload {
    /// Adds what another one has; whether anything was new.
    pub fn add(&mut self, other: Preload) -> bool {
        fn add<T: Eq + Hash>(to: &mut Vec<T>, from: Vec<T>) -> bool {
            let known: FastSet<&T> = to.iter().collect();
            let new = from.into_iter().filter(|one| !known.contains(one));
            let new: Vec<T> = new.collect();
            let any = !new.is_empty();
            to.extend(new);
            any
        }
        let new = [
            add(&mut self.library, other.library),
            add(&mut self.application, other.application),
            add(&mut self.calls, other.calls),
            add(&mut self.accessors, other.accessors),
        ];
        new.contains(&true)
    }
}

const FORM: &str = "java/lang/invoke/VarForm";

impl Vm {
    /// What this machine has loaded, initialized and linked so far.
    pub fn preload_list(&self) -> Preload {
        let from_image = |c: &&ClassPtr| {
            c.flags.from_jdk && c.loader.is_null() && c.is_instance_kind() && !c.hidden
        };
        let mut library: Vec<&ClassPtr> = self.classes[1..]
            .iter()
            .filter(from_image)
            .filter(|c| c.is_initialized() && !self.has_executor(c))
            .collect();
        library.sort_by_key(|c| c.id);
        let mut application: Vec<(u32, String)> = self
            .dictionary
            .iter()
            .filter(|((loader, _), class)| !loader.is_null() && !class.hidden)
            .filter(|((loader, _), _)| *loader == self.application_loader())
            .map(|((_, name), class)| (class.id.0, self.text(*name)))
            .collect();
        application.sort();
        let accessors = library
            .iter()
            .flat_map(|c| self.accessors_used(c))
            .collect();
        Preload {
            library: library.into_iter().map(|c| self.name(c)).collect(),
            application: application.into_iter().map(|(_, name)| name).collect(),
            calls: self.handle_calls(),
            accessors,
        }
    }

    /// Whether a static of a class holds an executor that waits for time to pass: what is in
    /// its queue is the program's, and so is the queue.
    fn has_executor(&self, class: ClassPtr) -> bool {
        let statics = class.fields.iter();
        let mut statics =
            statics.filter(|f| f.access & access::STATIC != 0 && f.basic == Basic::Reference);
        statics.any(|field| {
            let value = self.heap.get_ref(class.mirror.get(), field.offset as u64);
            !value.is_null()
                && self.name(self.class_of(value))
                    == "java/util/concurrent/ScheduledThreadPoolExecutor"
        })
    }

    /// Whether the running thread is in a method of the application's loader.
    pub fn is_in_program(&self) -> bool {
        let frame = self.threads[self.current.0 as usize].frames().next();
        let loader = self.application_loader();
        frame.is_some_and(|f| f.method.class.loader == loader && !f.method.flags.vm_stub)
    }

    /// The running thread throws an Error when it runs next, as if its present method had
    /// made it.
    pub fn throw_error(&mut self) {
        let method = self.running().control.method;
        let made = self.new_object(self.known.error);
        let trace = self.new_primitive_array(Basic::Long, 2);
        let (Ok(error), Ok(trace)) = (made, trace) else {
            return;
        };
        // One frame; see `natives/throwable.rs`.
        let frame = (method.id as u64) << 32;
        self.heap.put(trace, ELEMENTS + 8, frame);
        let (backtrace, depth) = (self.known.throwable_backtrace, self.known.throwable_depth);
        self.heap.put_ref(error, backtrace, trace);
        self.heap.put(error, depth, 1i32);
        self.running().control.stop = error;
    }

    /// Calls of handles that were linked, in an order that does not depend on hashing.
    fn handle_calls(&self) -> Vec<HandleCall> {
        let linked = self.call_sites.iter();
        let call = |(site, to): (&Site, &Resolved)| match (site, to) {
            (&Site::Handle { class, index }, Resolved::CallSite(..)) => {
                let class = self.class(ClassId(class));
                let application = class.loader == self.application_loader();
                let known = application || class.loader.is_null();
                (known && !class.hidden).then(|| HandleCall {
                    class: self.name(class),
                    application,
                    index,
                })
            }
            _ => None,
        };
        let mut calls: Vec<HandleCall> = linked.filter_map(call).collect();
        calls.sort();
        calls
    }

    /// The accessors that the forms in the statics of a class know.
    fn accessors_used(&self, class: ClassPtr) -> Vec<Accessor> {
        let mut used = Vec::new();
        for field in self.form_fields(class) {
            let form = self.heap.get_ref(class.mirror.get(), field.offset as u64);
            if form.is_null() {
                continue;
            }
            let members = self.class_of(form).fields.iter();
            let mut members = members.filter(|f| self.text(f.name) == "memberName_table");
            let Some(members) = members.next() else {
                continue;
            };
            let table = self.heap.get_ref(form, members.offset as u64);
            let modes = match table.is_null() {
                true => 0,
                false => self.heap.length(table),
            };
            let known = |mode: &u32| !self.heap.element(table, *mode).is_null();
            used.extend((0..modes).filter(known).map(|mode| Accessor {
                class: self.name(class),
                field: self.text(field.name),
                mode,
            }));
        }
        used
    }

    /// The statics of a class that hold forms of variable handles.
    fn form_fields(&self, class: ClassPtr) -> impl Iterator<Item = &'static Field> {
        let of_form = self.symbols.find(format!("L{FORM};").as_bytes());
        let fields = class.fields.iter();
        fields.filter(move |f| Some(f.desc) == of_form && f.access & access::STATIC != 0)
    }

    /// The loader of the program's main class, once it is loaded; null before.
    fn application_loader(&self) -> Ref {
        self.globals.main_loader
    }

    /// One step of preloading in the frame of the initial thread; `Ok` when all is done.
    /// Slot 3 counts.
    pub fn preload_step(&mut self, f: Frame) -> Res<()> {
        f.take_exception();
        // What the list names is looked up as it is needed.
        let list = std::mem::take(&mut self.options.preload);
        let done = self.preload_from(&list, f);
        self.options.preload = list;
        done
    }

    fn preload_from(&mut self, list: &Preload, f: Frame) -> Res<()> {
        loop {
            let mut next = f.slot(3) as usize;
            f.set_slot(3, next as u64 + 1);
            if let Some(name) = list.library.get(next) {
                self.preload_class(name)?;
                continue;
            }
            next -= list.library.len();
            if let Some(name) = list.application.get(next) {
                self.preload_application(name)?;
                continue;
            }
            next -= list.application.len();
            if let Some(call) = list.calls.get(next) {
                self.preload_call(call)?;
                continue;
            }
            next -= list.calls.len();
            if let Some(accessor) = list.accessors.get(next) {
                self.preload_accessor(accessor)?;
                continue;
            }
            f.set_slot(3, 0);
            return Ok(());
        }
    }

    fn preload_class(&mut self, name: &str) -> Res<()> {
        let symbol = self.symbol(name);
        if let Ok(Some(class)) = self.find_boot(symbol)
            && matches!(class.state.get(), InitState::Loaded | InitState::Linked)
        {
            let stub = self.stubs().initialize;
            return call_catching(stub, vec![class.id.0 as u64, 0]);
        }
        Ok(())
    }

    fn preload_application(&mut self, name: &str) -> Res<()> {
        let symbol = self.symbol(name);
        let loader = self.application_loader();
        if self.dictionary.contains_key(&(loader, symbol)) {
            return Ok(());
        }
        let stub = self.stubs().load;
        call_catching(stub, vec![loader.0 as u64, symbol.0 as u64, 0])
    }

    fn preload_call(&mut self, call: &HandleCall) -> Res<()> {
        let loader = match call.application {
            true => self.application_loader(),
            false => Ref::NULL,
        };
        let symbol = self.symbol(&call.class);
        let Some(&class) = self.dictionary.get(&(loader, symbol)) else {
            return Ok(());
        };
        let (class, index) = (class.id.0, call.index);
        if self.call_sites.contains_key(&Site::Handle { class, index }) {
            return Ok(());
        }
        let stub = self.stubs().link.handle_call;
        call_catching(stub, vec![class as u64, index as u64])
    }

    fn preload_accessor(&mut self, accessor: &Accessor) -> Res<()> {
        let symbol = self.symbol(&accessor.class);
        let Ok(Some(class)) = self.find_boot(symbol) else {
            return Ok(());
        };
        let field = self
            .form_fields(class)
            .find(|f| self.text(f.name) == accessor.field);
        let form = field.map_or(Ref::NULL, |f| {
            self.heap.get_ref(class.mirror.get(), f.offset as u64)
        });
        if form.is_null() {
            return Ok(());
        }
        let name = self.symbol("getMemberNameOrNull");
        let desc = self.symbol("(I)Ljava/lang/invoke/MemberName;");
        match self.find_method(self.class_of(form), name, desc) {
            Some(find) => call_catching(find, vec![from_ref(form), accessor.mode as u64]),
            None => Ok(()),
        }
    }
}
