//! Generated Java programs in the VM: `dpor` reaches the outputs and errors that `dfs`
//! reaches, with plain mutexes in exactly as many schedules as there are classes of them,
//! counted by looking at every schedule, and begins none in vain.
//!
//! The programs are those of the tests of `heddle-explore`, written down in Java: monitors,
//! `wait` and `notify`, plain and volatile fields, atomics, parking, joins, branches on what
//! was read, assertions. Hundreds share one compilation and one start of the VM: a static
//! field says which of them is run, and is set before each search.
//!
//! `HEDDLE_PROGRAMS` is how many, `HEDDLE_SEED` which, and `HEDDLE_SCHEDULES` how many schedules
//! they may have in all.

mod bench;
mod common;
#[path = "../../heddle-explore/tests/all/common/mod.rs"]
mod toy;

use bench::Bench;
use common::Place;
use heddle_explore::strategies::{Dfs, Dpor};
use heddle_explore::{Limits, explore};
use heddle_model::OpMask;
use heddle_vm::learned::Learned;
use std::fmt::Write;
use toy::generate::{Dice, Flavour, program};
use toy::{Op, Program};

/// Programs that are compiled together.
const BATCH: usize = 300;

// Java.

/// The source of a program: class `P` and its number.
struct Source<'a> {
    program: &'a Program,
    number: usize,
    /// By variable: whether it is an `AtomicInteger`.
    atomic: Vec<bool>,
    text: String,
}

impl Source<'_> {
    fn write(program: &Program, number: usize, dice: &mut Dice) -> String {
        let ops = || program.threads.iter().flatten();
        let is_atomic =
            |v: u32| ops().any(|op| matches!(op, Op::Add(w, _) | Op::Cas(w, ..) if *w == v));
        let mut source = Source {
            program,
            number,
            atomic: (0..program.variables).map(is_atomic).collect(),
            text: String::new(),
        };
        source.class(dice);
        source.text
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("text");
    }

    fn class(&mut self, dice: &mut Dice) {
        let (program, number) = (self.program, self.number);
        let has = |op: Op| program.threads.iter().flatten().any(|o| *o == op);
        self.line(&format!("final class P{number} {{"));
        for (v, atomic) in self.atomic.clone().into_iter().enumerate() {
            let kind = if dice.one_in(2) { "volatile " } else { "" };
            self.line(&match atomic {
                true => format!("static final AtomicInteger v{v} = new AtomicInteger();"),
                false => format!("static {kind}int v{v};"),
            });
        }
        for l in 0..program.locks {
            self.line(&format!("static final Object l{l} = new Object();"));
        }
        if has(Op::Unpark(0)) {
            self.line("static final Thread t0 = Thread.currentThread();");
        }
        // To wait for the others and to print is a lot to be interleaved with.
        let reports = dice.one_in(8);
        for (t, ops) in program.threads.iter().enumerate() {
            if t > 0 {
                self.line(&format!(
                    "static final Thread t{t} = new Thread() {{ public void run() {{ \
                     try {{ run{t}(); }} catch (InterruptedException e) {{ \
                     throw new RuntimeException(e); }} }} }};"
                ));
            }
            let keeps = |op: &Op| matches!(op, Op::Read(_) | Op::Add(..));
            let keeps = ops.iter().any(keeps);
            if keeps {
                self.line(&format!("static int r{t};"));
            }
            self.line(&format!(
                "static void run{t}() throws InterruptedException {{ int r = 0;"
            ));
            self.block(ops, t);
            if keeps {
                self.line(&format!("r{t} = r;"));
            }
            if t == 0 && reports {
                self.report();
            }
            self.line("}");
        }
        self.line("}");
    }

    /// The end of the initial thread: it waits for the others and prints what is left.
    fn report(&mut self) {
        for t in 1..self.program.threads.len() {
            self.line(&format!("t{t}.join();"));
        }
        let values = 0..self.atomic.len() as u32;
        let all: Vec<String> = values.map(|v| self.value(v)).collect();
        self.line(&format!("System.out.println({});", all.join(" + \" \" + ")));
    }

    fn value(&self, v: u32) -> String {
        match self.atomic[v as usize] {
            true => format!("v{v}.get()"),
            false => format!("v{v}"),
        }
    }

    fn set(&self, v: u32, value: &str) -> String {
        match self.atomic[v as usize] {
            true => format!("v{v}.set({value});"),
            false => format!("v{v} = {value};"),
        }
    }

    fn block(&mut self, ops: &[Op], thread: usize) {
        let mut at = 0;
        while at < ops.len() {
            let line = match ops[at] {
                Op::Lock(l) => format!("synchronized (l{l}) {{"),
                Op::Unlock(_) => "}".into(),
                Op::Read(v) => format!("r = {};", self.value(v)),
                Op::Write(v, value) => self.set(v, &value.to_string()),
                Op::Store(v, plus) => self.set(v, &format!("r + {plus}")),
                Op::Add(v, plus) => format!("r = v{v}.getAndAdd({plus});"),
                Op::Cas(v, old, new, by) => {
                    self.line(&format!("if (v{v}.compareAndSet({old}, {new})) {{"));
                    self.block(&ops[at + 1..at + by as usize], thread);
                    at += by as usize - 1;
                    "}".into()
                }
                Op::Unless(v, value, by) => {
                    self.line(&format!("if ({} == {value}) {{", self.value(v)));
                    self.block(&ops[at + 1..at + by as usize], thread);
                    at += by as usize - 1;
                    "}".into()
                }
                Op::Start(t) => format!("t{t}.start();"),
                Op::Join(t) => format!("t{t}.join();"),
                Op::Wait(l) => format!("l{l}.wait();"),
                Op::TimedWait(l) => format!("l{l}.wait(1000);"),
                Op::Notify(l) => format!("l{l}.notify();"),
                Op::NotifyAll(l) => format!("l{l}.notifyAll();"),
                Op::Park => "LockSupport.park();".into(),
                Op::Unpark(t) => format!("LockSupport.unpark(t{t});"),
                Op::Assert(v, value) => {
                    let at = format!("\"{thread} at {at}\"");
                    format!(
                        "if ({} != {value}) throw new AssertionError({at});",
                        self.value(v)
                    )
                }
                Op::AssertSame(_) | Op::Jump(_) | Op::Enter | Op::Leave | Op::Exit => {
                    unreachable!("not generated here")
                }
            };
            self.line(&line);
            at += 1;
        }
    }
}

fn driver(programs: usize) -> String {
    let mut text = String::from(
        "import java.util.concurrent.atomic.AtomicInteger;
         import java.util.concurrent.locks.LockSupport;
         public class Driver {
             static int which;
             public static void main(String[] args) throws InterruptedException {
                 switch (which) {\n",
    );
    for p in 0..programs {
        writeln!(text, "case {p}: P{p}.run0(); break;").expect("text");
    }
    text += "} } }\n";
    text
}

// The comparison.

/// Programs that were compared, and what they came to.
#[derive(Default)]
struct Tally {
    programs: u64,
    several: u64,
    stuck: u64,
    failed: u64,
    all: u64,
    plain: u64,
    lazy: u64,
    in_vain: u64,
    again: u64,
}

impl Tally {
    fn compare(&mut self, bench: &mut Bench, number: usize, program: &Program) {
        let (dfs, expected) = bench.search(number, &mut Dfs::new(), OpMask::NONE);
        if !dfs.complete {
            return;
        }
        // With the steps that `dpor` makes: where a thread ends is not one of its own.
        let (_, quiet) = bench.search(number, &mut Dfs::new(), OpMask::QUIET_ENDS);
        let context = |text: &str| {
            let threads = program.threads.iter();
            let threads: Vec<String> = threads.map(|t| format!("vec!{t:?},")).collect();
            format!("P{number}: {text}\n{}", threads.join("\n"))
        };
        let mut strategy = Dpor::new();
        let (plain, found) = bench.search(number, &mut strategy, OpMask::NONE);
        assert!(plain.complete, "{}", context("not complete"));
        assert!(found.finals == expected.finals, "{}", context("lost"));
        assert!(found.classes == quiet.classes, "{}", context("a class"));
        let classes = expected.classes.len() as u64;
        assert_eq!(plain.schedules, classes, "{}", context("more than once"));

        let mut strategy = Dpor::lazy();
        let (lazy, found) = bench.search(number, &mut strategy, OpMask::NONE);
        assert!(lazy.complete, "{}", context("lazy: not complete"));
        assert!(found.ends() == expected.ends(), "{}", context("lazy: lost"));

        let has = |text: &str| {
            let text: Vec<u32> = text.chars().map(u32::from).collect();
            let holds = |f: &(bool, Vec<u32>)| f.1.windows(text.len()).any(|w| w == text);
            u64::from(expected.finals.iter().any(holds))
        };
        self.programs += 1;
        self.several += u64::from(plain.schedules > 1);
        self.stuck += u64::from(expected.ends().1);
        self.failed += has("AssertionError");
        self.all += dfs.schedules;
        self.plain += plain.schedules;
        self.lazy += lazy.schedules;
        self.in_vain += plain.blocked;
        self.again += u64::from(!strategy.is_lazy());
    }
}

#[test]
fn as_many_schedules_as_classes() {
    let number = |name: &str, default: u64| {
        let set = std::env::var(name).ok().and_then(|n| n.parse().ok());
        set.unwrap_or(default)
    };
    let wanted = number("HEDDLE_PROGRAMS", 150);
    let mut dice = Dice(0x5eed_1234_abcd_0005 ^ number("HEDDLE_SEED", 0));
    let most = number("HEDDLE_SCHEDULES", 3_000);
    let mut tally = Tally::default();
    while tally.programs < wanted {
        let mut programs = Vec::new();
        while programs.len() < BATCH.min(wanted as usize * 3) {
            let flavour = Flavour {
                trusted: false,
                exits: false,
                ..Flavour::roll(&mut dice)
            };
            let program = program(&mut dice, &flavour);
            // Few have more than one class and few enough schedules to look at each: in the VM
            // a thread makes more steps.
            let classes = toy::run(&program, &mut Dpor::new()).schedules;
            let mut machine = toy::Toy::new(program.clone());
            let limits = Limits {
                schedules: Some(most / 50),
                ..Limits::default()
            };
            let few = explore(&mut machine, &mut Dfs::new(), &mut [], &limits, &mut ()).complete;
            if few && classes > 1 {
                programs.push(program);
            }
        }
        let place = Place::new("generated-java");
        let mut source = driver(programs.len());
        for (number, program) in programs.iter().enumerate() {
            source += &Source::write(program, number, &mut dice);
        }
        place.compile("Driver", &source);
        let mut bench = Bench::new(&place, Learned::default());
        bench.most = most;
        for (number, program) in programs.iter().enumerate() {
            if tally.programs < wanted {
                tally.compare(&mut bench, number, program);
            }
        }
        println!("{} programs", tally.programs);
    }
    let Tally {
        programs,
        several,
        stuck,
        failed,
        all,
        plain,
        lazy,
        in_vain,
        again,
    } = tally;
    println!(
        "{programs} programs, {several} with more than one class, {failed} with assertions that \
         fail, {stuck} with deadlocks: {plain} schedules of {all}, {in_vain} begun in vain; with \
         lazy mutexes {lazy}, {again} programs explored again"
    );
    assert!(several > programs / 2 && failed > programs / 10);
}
