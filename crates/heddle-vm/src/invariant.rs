//! Invariants of the program (`--invariant Class.method`): static methods without
//! parameters that give a boolean, evaluated wherever a search stops.
//!
//! Evaluating is a run like any other, on a thread that the VM keeps for it, from a mark
//! to which it is rewound: a method may allocate, load classes, even write, and nothing
//! remains of it. Where it would have to wait, or where its class does not exist yet,
//! it says nothing.

use crate::class::{InitState, MethodPtr};
use crate::heap::Ref;
use crate::interp::RunEnd;
use crate::native::{Frame, Res, Trap, call_catching};
use crate::stack::STACK_BYTES;
use crate::thread::{ThreadId, ThreadState};
use crate::upcall::stub;
use crate::vm::{Vm, trap};
use heddle_model::{InvariantResult, OpMask, Outcome, Pause, Rewind};

/// Bytecodes that an evaluation may take.
const BUDGET: i64 = 10_000_000;

/// The invariants and what they gave last.
#[derive(Default)]
pub struct Invariants {
    /// Class and method, as the program names them.
    list: Vec<(String, String)>,
    pub results: Vec<InvariantResult>,
    evaluator: Option<Evaluator>,
    /// What the running evaluation came to.
    outcome: Option<Outcome>,
}

#[derive(Clone, Copy)]
struct Evaluator {
    thread: ThreadId,
    stub: MethodPtr,
}

impl Invariants {
    /// What was true elsewhere says nothing about where the machine stopped now.
    pub fn forget(&mut self) {
        for result in &mut self.results {
            result.outcome = Outcome::Unknown;
        }
    }
}

impl Vm {
    /// Watches these from now on; must come before the first mark. Each is `Class.method`.
    pub fn watch_invariants(&mut self, names: &[String]) -> Result<(), String> {
        for name in names {
            let Some((class, method)) = name.rsplit_once('.') else {
                return Err(format!("--invariant takes Class.method, not '{name}'"));
            };
            self.invariants.list.push((class.into(), method.into()));
            self.invariants.results.push(InvariantResult {
                name: name.clone(),
                outcome: Outcome::Unknown,
            });
        }
        if !names.is_empty() {
            let stub = stub(self, "<invariant>", "(J)V", evaluation);
            let thread = self.new_thread(vec![u32::MAX], u64::MAX, STACK_BYTES);
            self.thread_mut(thread).system = true;
            self.thread_mut(thread).daemon = true;
            self.set_state(thread, ThreadState::Idle);
            self.invariants.evaluator = Some(Evaluator { thread, stub });
        }
        Ok(())
    }

    /// Evaluates all of them in the present state.
    pub fn evaluate_invariants(&mut self) {
        let Some(evaluator) = self.invariants.evaluator else {
            return;
        };
        for i in 0..self.invariants.list.len() {
            let outcome = match self.invariant_method(i) {
                Ok(Some(method)) => self.evaluate(evaluator, method),
                Ok(None) => Outcome::Unknown,
                Err(what) => Outcome::Threw(what),
            };
            self.invariants.results[i].outcome = outcome;
        }
    }

    /// The method, once its class can be used.
    fn invariant_method(&mut self, i: usize) -> Result<Option<MethodPtr>, String> {
        let (class, method) = &self.invariants.list[i];
        let (class, method) = (class.replace('.', "/"), method.clone());
        let (name, method_name) = (self.symbol(&class), self.symbol(&method));
        let key = (self.globals.main_loader, name);
        let Some(&class) = self.dictionary.get(&key) else {
            return Ok(None);
        };
        let desc = self.symbol("()Z");
        let found = class.declared(method_name, desc);
        let Some(found) = found.filter(|m| m.is_static()) else {
            return Err("an error: there is no such static boolean method".into());
        };
        let usable = !matches!(class.state.get(), InitState::Running(_) | InitState::Failed);
        Ok(usable.then_some(found))
    }

    fn evaluate(&mut self, evaluator: Evaluator, method: MethodPtr) -> Outcome {
        let mark = self.mark();
        let stops = std::mem::replace(&mut self.stops, OpMask::NONE);
        let object = self.running().object;
        let Evaluator { thread, stub } = evaluator;
        self.touch_thread(thread);
        self.thread_mut(thread).object = object;
        self.thread_mut(thread).control.state = ThreadState::Runnable;
        self.push_bottom(thread, stub, &[method.id as u64, 0]);
        self.current = thread;
        self.invariants.outcome = None;
        let end = self.run_thread(BUDGET, &mut ());
        let outcome = match (end, self.invariants.outcome.take()) {
            (RunEnd::Paused, Some(outcome)) => outcome,
            _ => Outcome::Unknown,
        };
        self.rewind(mark);
        self.forget(mark);
        self.stops = stops;
        self.thread_mut(thread).object = Ref::NULL;
        outcome
    }
}

/// The stub: calls the method whose number it has, and pauses with what came of it.
fn evaluation(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() == 0 {
        let method = vm.methods[f.raw(0) as usize];
        vm.ensure_initialized(method.class)?;
        f.set_phase(1);
        return call_catching(method, Vec::new());
    }
    let thrown = f.take_exception();
    vm.invariants.outcome = Some(match (thrown.is_null(), f.result() as i32 & 1) {
        (true, 1) => Outcome::Holds,
        (true, _) => Outcome::Broken,
        (false, _) => Outcome::Threw(vm.exception_text_of(thrown)),
    });
    trap(Trap::Pause(Pause::Slice))
}
