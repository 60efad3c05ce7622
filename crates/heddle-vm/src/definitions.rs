//! Definitions that wait for a supertype, and circular ones (JVMS 5.3.5).
//!
//! A native that defines a class waits on its thread's stack while Java code loads a
//! supertype. Who asks for a class that waits in this way on the same thread goes round in
//! circles. A class that another thread defines is followed to what that one waits for, so
//! that threads which enter a circle at different places do not wait for each other for
//! ever. HotSpot keeps a table of such definitions; here the stacks are that table, which
//! rewinds with them.

use crate::heap::Ref;
use crate::native::{Frame, Res, throw};
use crate::symbol::Symbol;
use crate::thread::ThreadId;
use crate::vm::Vm;

/// A definition that waits for a supertype.
struct Definition {
    thread: ThreadId,
    loader: Ref,
    name: Symbol,
    /// The supertype that the loader was asked for.
    awaited: Symbol,
}

/// Where a native that defines a class notes its name.
const NAME: usize = 4;

impl Vm {
    /// The native in this frame waits for a supertype of `name`.
    pub fn note_definition(&self, f: Frame, name: Option<Symbol>) {
        f.set_slot(NAME, name.map_or(0, |name| u64::from(name.0) + 1));
    }

    /// The native in this frame has defined its class.
    pub fn end_definition(&self, f: Frame) {
        f.set_slot(NAME, 0);
    }

    /// A loader is about to be asked for a class: does that class wait for the answer?
    pub fn check_circular(&self, loader: Ref, name: Symbol) -> Res<()> {
        let definitions = self.definitions();
        let mut name = name;
        // Definitions of other threads may form a circle of their own.
        for _ in 0..=definitions.len() {
            let mut same = definitions
                .iter()
                .filter(|d| d.loader == loader && d.name == name)
                .peekable();
            let Some(&first) = same.peek() else {
                return Ok(());
            };
            if same.any(|d| d.thread == self.current) {
                return throw("java/lang/ClassCircularityError", self.text(name));
            }
            name = first.awaited;
        }
        Ok(())
    }

    /// The native that runs is about to load supertypes of `name`: does another definition of
    /// it wait for this one?
    pub fn check_redefinition(&self, loader: Ref, name: Symbol) -> Res<()> {
        let waits = self
            .definitions()
            .iter()
            .any(|d| d.thread == self.current && d.loader == loader && d.name == name);
        if waits {
            return throw("java/lang/ClassCircularityError", self.text(name));
        }
        Ok(())
    }

    /// All definitions that wait.
    fn definitions(&self) -> Vec<Definition> {
        let mut all = Vec::new();
        let Some(stubs) = self.stubs.as_ref() else {
            return all;
        };
        for thread in &self.threads {
            let mut asked = None;
            for frame in thread.frames() {
                if let Some(awaited) = asked.take()
                    && frame.method.is_native()
                    && frame.method.class == self.known.class_loader
                {
                    let frame = frame.native();
                    if let Some(name) = frame.slot(NAME).checked_sub(1) {
                        all.push(Definition {
                            thread: thread.id,
                            loader: frame.reference(0),
                            name: Symbol(name as u32),
                            awaited,
                        });
                    }
                }
                if frame.method == stubs.load {
                    asked = Some(Symbol(frame.local(1) as u32));
                }
            }
        }
        all
    }
}
