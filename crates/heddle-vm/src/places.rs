//! Places in the program that somebody wants to be told about: schedules are written and
//! followed by them (`heddle_model::schedule`).
//!
//! What is watched is decided before the machine is made, because it is a matter of
//! translation: in front of a watched bytecode stands an instruction of its own, which
//! reports that the thread has come there ([`heddle_model::EventKind::Arrive`]) and, if a
//! schedule is followed, stops. Code without watched places is the same as ever and pays
//! nothing.
//!
//! Only the program's own code is watched: not trusted classes, which no schedule may
//! mention, and not hidden ones, which have no name that lasts.

use crate::class::{ClassPtr, InitState, MethodPtr};
use crate::heap::ClassId;
use crate::interp::{Next, RunEnd};
use crate::vm::Vm;
use heddle_model::schedule::{CodePlace, MethodName};
use heddle_model::{Event, EventKind, MethodId, OpMask, Pause, Site};

/// What to watch in the whole program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Places {
    #[default]
    None,
    /// Every bytecode: a run is to be written down.
    All,
    /// These, each named by method name and descriptor: a schedule is to be followed.
    Only(Vec<CodePlace>),
    /// The first bytecode of these methods, `Class.method`, whatever their descriptors: a
    /// section of the program begins or ends there.
    Entries(Vec<String>),
}

/// What to watch in one method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Watched {
    #[default]
    Nothing,
    Everything,
    /// The bytecodes at these indexes.
    These(Vec<u16>),
}

impl Watched {
    pub fn has(&self, bci: usize) -> bool {
        match self {
            Watched::Nothing => false,
            Watched::Everything => true,
            Watched::These(indexes) => indexes.iter().any(|&i| usize::from(i) == bci),
        }
    }
}

impl Vm {
    /// What to watch in a method.
    pub(crate) fn watched_in(&self, method: MethodPtr) -> Watched {
        if !is_program(method) {
            return Watched::Nothing;
        }
        match &self.options.places {
            Places::None => Watched::Nothing,
            Places::All => Watched::Everything,
            Places::Entries(methods) => {
                let class = self.external_name(method.class);
                let name = format!("{class}.{}", self.text(method.name));
                match methods.contains(&name) {
                    true => Watched::These(vec![0]),
                    false => Watched::Nothing,
                }
            }
            Places::Only(places) => {
                let class = self.external_name(method.class);
                let named = MethodName::Named {
                    name: self.text(method.name),
                    descriptor: Some(self.text(method.desc)),
                };
                let here = places
                    .iter()
                    .filter(|p| p.class == class && p.method == named);
                let indexes: Vec<u16> = here.map(|p| p.index).collect();
                match indexes.is_empty() {
                    true => Watched::Nothing,
                    false => Watched::These(indexes),
                }
            }
        }
    }
}

impl Vm {
    /// Where the program wrote the method reference that `method` was made of, if it refers
    /// to trusted code and that place is watched. To call it is to come there again, and so is
    /// to return: nothing else of the program runs then.
    #[cold]
    pub(crate) fn watched_reference(&self, method: MethodPtr) -> Option<Site> {
        let makes = self.symbols.bytes(method.name) == b"<init>" || method.is_static();
        let site = method.class.written_at.get().filter(|_| !makes)?;
        let body = self.methods[site.method.0 as usize].body.get();
        let watched = body.is_some_and(|b| b.watched.has(site.bci as usize));
        watched.then_some(site)
    }

    /// The running thread, in the library by now, counts as having come to a bytecode
    /// again.
    pub(crate) fn arrive_again(&mut self, method: MethodPtr, bci: i32) -> Next {
        let body = method.body.get();
        if !body.is_some_and(|b| b.watched.has(bci as usize)) {
            return Next::Continue;
        }
        let site = Site {
            method: MethodId(method.id),
            bci,
        };
        let (thread, kind) = (self.current, EventKind::Arrive);
        if self.wanted.has(kind.mask()) {
            self.events.push(Event::new(thread, site, kind));
        }
        if self.stops.has(OpMask::GUIDED) {
            self.pause = Pause::Arrived(site);
            return Next::End(RunEnd::Paused);
        }
        Next::Continue
    }

    /// The initializer that runs first when the stub that initializes a class, which the
    /// running thread stands in, goes on.
    pub(crate) fn first_initializer(&self) -> Option<MethodPtr> {
        let frame = self.thread(self.current).frames().next()?;
        let class = self.class(ClassId(frame.local(0) as u32));
        let pending = |c: &&ClassPtr| {
            std::ptr::eq(**c, class)
                || matches!(c.state.get(), InitState::Loaded | InitState::Linked)
        };
        let clinit = |c: &ClassPtr| {
            let methods = c.methods().iter().copied();
            methods
                .into_iter()
                .find(|m| self.symbols.bytes(m.name) == b"<clinit>")
        };
        let mut chain = class.chain.iter().filter(pending);
        chain.find_map(clinit).filter(|m| is_program(m))
    }
}

/// Whether a method is the program's own code, as schedules see it.
pub(crate) fn is_program(method: MethodPtr) -> bool {
    let class: ClassPtr = method.class;
    !method.flags.trusted && !class.hidden && !method.flags.vm_stub
}
