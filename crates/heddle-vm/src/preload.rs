//! Library classes that a program needs, initialized before its `main`.
//!
//! A search rewinds to points near the start of the program again and again, and
//! every path would load and initialize the same library classes anew. So the
//! program is run once for a trial, what it needed is noted down, and the machine
//! that explores loads those classes before the first mark. The program cannot tell:
//! initializers of the JDK depend on nothing that a program does before (those that
//! read system properties read them as given on the command line), and classes of
//! the program itself are only loaded, never initialized early.

use crate::class::{ClassPtr, InitState};
use crate::heap::Ref;
use crate::native::{Frame, Res, Trap, call_catching};
use crate::vm::{Vm, trap};

/// What to load before `main`.
#[derive(Clone, Debug, Default)]
pub struct Preload {
    /// Library classes to be initialized, in the order in which the trial did it.
    pub library: Vec<String>,
    /// Names that the application's loader was asked for.
    pub application: Vec<String>,
}

impl Vm {
    /// What this machine has loaded and initialized so far.
    pub fn preload_list(&self) -> Preload {
        let from_image = |c: &&ClassPtr| {
            c.flags.from_jdk && c.loader.is_null() && c.is_instance_kind() && !c.hidden
        };
        let mut library: Vec<&ClassPtr> = self.classes[1..]
            .iter()
            .filter(from_image)
            .filter(|c| c.is_initialized())
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
        Preload {
            library: library.into_iter().map(|c| self.name(c)).collect(),
            application: application.into_iter().map(|(_, name)| name).collect(),
        }
    }

    /// The loader of the program's main class, once it is loaded; null before.
    fn application_loader(&self) -> Ref {
        self.globals.main_loader
    }

    /// One step of preloading in the frame of the initial thread; `Ok` when all is done.
    /// Slot 3 counts.
    pub fn preload_step(&mut self, f: Frame) -> Res<()> {
        f.take_exception();
        loop {
            let next = f.slot(3) as usize;
            let (library, all) = {
                let list = &self.options.preload;
                (
                    list.library.len(),
                    list.library.len() + list.application.len(),
                )
            };
            if next >= all {
                f.set_slot(3, 0);
                return Ok(());
            }
            f.set_slot(3, next as u64 + 1);
            if next < library {
                let name = self.options.preload.library[next].clone();
                let symbol = self.symbol(&name);
                let Ok(Some(class)) = self.find_boot(symbol) else {
                    continue;
                };
                if matches!(class.state.get(), InitState::Loaded | InitState::Linked) {
                    let stub = self.stubs().initialize;
                    return call_catching(stub, vec![class.id.0 as u64, 0]);
                }
            } else {
                let name = self.options.preload.application[next - library].clone();
                let symbol = self.symbol(&name);
                let loader = self.application_loader();
                if !self.dictionary.contains_key(&(loader, symbol)) {
                    let stub = self.stubs().load;
                    return trap(Trap::Call {
                        method: stub,
                        args: vec![loader.0 as u64, symbol.0 as u64, 0],
                        catch: true,
                    });
                }
            }
        }
    }
}
