//! Generated Java programs that interrupt threads, spin and call the library: `dpor` reaches the
//! outputs and errors that `dfs` reaches, explores no class of schedules twice, goes never astray
//! and begins none in vain.
//!
//! Where `generated.rs` writes down programs of the toy machine, these are made of what only Java
//! has: interrupts of whatever waits, `java.util.concurrent`, loops that wait for a change,
//! initialization of classes. Those of `states_of_threads` ask for the states of threads and start
//! one twice; those of `time_outs_at_any_moment` end their waits early. Those of
//! `locks_as_monitors` never tell a thread in the queue of a `ReentrantLock` from one before it, so
//! `dpor` does not run threads into locks that are taken. Classes are compared with those of a
//! `dfs` that does not either; what can be reached, with one that does.
//!
//! `HEDDLE_PROGRAMS` is how many, `HEDDLE_SEED` which, and `HEDDLE_FAILURES` after how many
//! faults no more are shown. `HEDDLE_KINDS` names the kinds of statements that may occur. With
//! `HEDDLE_LARGE=1` programs are larger, and not compared with `dfs`.

mod bench;
mod common;
#[path = "../../heddle-explore/tests/all/common/mod.rs"]
mod toy;

use bench::Bench;
use common::Place;
use heddle_explore::strategies::{Dfs, Dpor};
use heddle_model::OpMask;
use heddle_vm::learned::Learned;
use std::collections::BTreeMap;
use std::fmt::Write;
use toy::generate::Dice;

/// Programs that are compiled together.
const BATCH: usize = 200;
/// Programs of which `dpor` explores more schedules are not compared.
const MOST: u64 = 60;

/// A statement, perhaps with others inside.
#[derive(Clone, Debug)]
struct Statement {
    open: String,
    body: Vec<Statement>,
    close: String,
}

/// The bodies of its threads; the first is what the initial thread does once it has started
/// the others.
#[derive(Clone, Debug)]
struct Program {
    threads: Vec<Vec<Statement>>,
}

fn one(text: &str) -> Statement {
    around(text, Vec::new(), "")
}

fn around(open: &str, body: Vec<Statement>, close: &str) -> Statement {
    Statement {
        open: open.into(),
        body,
        close: close.into(),
    }
}

/// What a program may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Fields,
    Monitors,
    Signals,
    Sleeps,
    Joins,
    Interrupts,
    Polls,
    Parks,
    Locks,
    Conditions,
    Tries,
    Semaphores,
    Latches,
    Maps,
    Queues,
    Atomics,
    Spins,
    SpinLocks,
    Classes,
    Mutexes,
    Awaits,
    TimedTries,
    States,
    Starts,
    Gates,
    Futures,
}

const KINDS: &[(&str, Kind)] = &[
    ("fields", Kind::Fields),
    ("monitors", Kind::Monitors),
    ("signals", Kind::Signals),
    ("sleeps", Kind::Sleeps),
    ("joins", Kind::Joins),
    ("interrupts", Kind::Interrupts),
    ("polls", Kind::Polls),
    ("parks", Kind::Parks),
    ("locks", Kind::Locks),
    ("conditions", Kind::Conditions),
    ("tries", Kind::Tries),
    ("semaphores", Kind::Semaphores),
    ("latches", Kind::Latches),
    ("maps", Kind::Maps),
    ("queues", Kind::Queues),
    ("atomics", Kind::Atomics),
    ("spins", Kind::Spins),
    ("spinlocks", Kind::SpinLocks),
    ("classes", Kind::Classes),
    ("mutexes", Kind::Mutexes),
    ("awaits", Kind::Awaits),
    ("timedtries", Kind::TimedTries),
    ("states", Kind::States),
    ("starts", Kind::Starts),
    ("gates", Kind::Gates),
    ("futures", Kind::Futures),
];

/// Those that cannot tell a thread in the queue of a lock from one before it.
const BLIND: &[&str] = &[
    "fields",
    "monitors",
    "sleeps",
    "joins",
    "interrupts",
    "locks",
    "conditions",
    "tries",
    "queues",
    "atomics",
    "mutexes",
    "awaits",
    "timedtries",
];

/// Those that go with asking for the states of threads, and with time-outs at any moment.
const STATES: &[&str] = &[
    "states", "starts", "fields", "monitors", "signals", "sleeps", "joins", "parks",
];
const TIMED: &[&str] = &[
    "fields",
    "monitors",
    "signals",
    "sleeps",
    "joins",
    "interrupts",
];

/// Those that go with calls that wait for what happens for good.
const GATED: &[&str] = &[
    "fields", "monitors", "signals", "sleeps", "joins", "locks", "tries", "atomics", "mutexes",
    "gates", "futures",
];

/// And those that have anything to do with such locks.
const LOCKING: &[&str] = &[
    "locks",
    "conditions",
    "tries",
    "mutexes",
    "awaits",
    "timedtries",
];

/// What is left of a thread's turn to write statements.
struct Author<'a> {
    dice: &'a mut Dice,
    kinds: &'a [Kind],
    threads: u32,
    me: u32,
}

impl Author<'_> {
    fn block(&mut self, most: u32, depth: u32) -> Vec<Statement> {
        let length = self.dice.roll(most + 1);
        (0..length).map(|_| self.statement(depth)).collect()
    }

    fn other(&mut self) -> u32 {
        let other = self.dice.roll(self.threads);
        if other >= self.me { other + 1 } else { other }
    }

    /// Something that can be interrupted.
    fn caught(&mut self, call: &str) -> Statement {
        let mark = 10 + self.dice.roll(5);
        one(&format!(
            "try {{ {call} }} catch (InterruptedException e) {{ r += {mark}; }}"
        ))
    }

    fn pick(&mut self, texts: &[&str]) -> Statement {
        one(texts[self.dice.roll(texts.len() as u32) as usize])
    }

    fn statement(&mut self, depth: u32) -> Statement {
        let kind = self.kinds[self.dice.roll(self.kinds.len() as u32) as usize];
        let deeper = depth < 2;
        let (x, n, other) = (self.dice.roll(2), self.dice.roll(2), self.other());
        match kind {
            Kind::Fields => match self.dice.roll(5) {
                0 => one(&format!("v{x} = {};", n + 1)),
                1 => one(&format!("r = 3 * r + v{x};")),
                2 => one(&format!("p{x} += {};", n + 1)),
                3 if deeper => {
                    let body = self.block(2, depth + 1);
                    around(&format!("if (v{x} == {n}) {{"), body, "}")
                }
                _ => one(&format!("v{x} = r;")),
            },
            Kind::Monitors if deeper => {
                let body = self.block(2, depth + 1);
                around(&format!("synchronized (l{x}) {{"), body, "}")
            }
            Kind::Monitors => one(&format!("synchronized (l{x}) {{ r = 3 * r + p{x}++; }}")),
            Kind::Signals => match self.dice.roll(4) {
                0 => self.caught(&format!("synchronized (l{x}) {{ l{x}.wait(); }}")),
                1 => self.caught(&format!("synchronized (l{x}) {{ l{x}.wait(50); }}")),
                2 => one(&format!("synchronized (l{x}) {{ l{x}.notify(); }}")),
                _ => one(&format!("synchronized (l{x}) {{ l{x}.notifyAll(); }}")),
            },
            Kind::Sleeps => self.caught("Thread.sleep(10);"),
            Kind::Joins => self.caught(&format!("t{other}.join();")),
            Kind::Interrupts => one(&format!("t{other}.interrupt();")),
            Kind::Polls => match self.dice.roll(4) {
                0 => one("if (Thread.interrupted()) r += 5;"),
                1 => one("if (Thread.currentThread().isInterrupted()) r += 6;"),
                2 => one(&format!("if (t{other}.isInterrupted()) r += 7;")),
                _ => one("while (!Thread.currentThread().isInterrupted()) Thread.onSpinWait();"),
            },
            Kind::Parks => match self.dice.roll(2) {
                0 => one("LockSupport.park();"),
                _ => one(&format!("LockSupport.unpark(t{other});")),
            },
            Kind::Locks => {
                let body = self.block(if deeper { 2 } else { 0 }, depth + 1);
                match self.dice.roll(2) {
                    0 => around(
                        &format!("k{x}.lock(); try {{"),
                        body,
                        &format!("}} finally {{ k{x}.unlock(); }}"),
                    ),
                    _ => around(
                        &format!("try {{ k{x}.lockInterruptibly(); try {{"),
                        body,
                        &format!(
                            "}} finally {{ k{x}.unlock(); }} }} \
                             catch (InterruptedException e) {{ r += 20; }}"
                        ),
                    ),
                }
            }
            Kind::Conditions => match self.dice.roll(3) {
                0 => self.caught(&format!(
                    "k{x}.lock(); try {{ c{x}.await(); }} finally {{ k{x}.unlock(); }}"
                )),
                1 => one(&format!(
                    "k{x}.lock(); try {{ c{x}.signal(); }} finally {{ k{x}.unlock(); }}"
                )),
                _ => one(&format!(
                    "k{x}.lock(); try {{ c{x}.signalAll(); }} finally {{ k{x}.unlock(); }}"
                )),
            },
            Kind::Tries => {
                let body = self.block(if deeper { 2 } else { 0 }, depth + 1);
                around(
                    &format!("if (k{x}.tryLock()) try {{"),
                    body,
                    &format!("}} finally {{ k{x}.unlock(); }} else r += 9;"),
                )
            }
            Kind::Semaphores => match self.dice.roll(3) {
                0 => self.caught("s.acquire();"),
                1 => one("s.release();"),
                _ => one("if (s.tryAcquire()) r += 8;"),
            },
            Kind::Latches => match self.dice.roll(2) {
                0 => self.caught("d.await();"),
                _ => one("d.countDown();"),
            },
            Kind::Gates => match self.dice.roll(12) {
                0 | 1 => self.caught(&format!("d{x}.await();")),
                2 => self.caught(&format!(
                    "if (d{x}.await({n}, TimeUnit.MILLISECONDS)) r += 5;"
                )),
                3 => one(&format!("r = 3 * r + (int) d{x}.getCount();")),
                4 | 5 => one(&format!("v{n}++; d{x}.countDown();")),
                6 if deeper => {
                    let body = self.block(2, depth + 1);
                    around(&format!("if (v{n} == 1) {{"), body, "}")
                }
                _ => one(&format!("d{x}.countDown();")),
            },
            Kind::Futures => match self.dice.roll(12) {
                0 | 1 => one("f.run();"),
                2 | 3 => around(
                    "try { r = 3 * r + f.get(); } catch (Exception e) { r += 10; }",
                    Vec::new(),
                    "",
                ),
                4 => one("if (f.cancel(false)) r += 3;"),
                5 => one("if (f.isDone()) r += 3;"),
                6 | 7 => one(&format!("if (g.complete({n})) r += 3;")),
                8 => one("r = 3 * r + g.join();"),
                9 => around(
                    "try { r = 3 * r + g.get(); } catch (Exception e) { r += 10; }",
                    Vec::new(),
                    "",
                ),
                10 => self.pick(&[
                    "g.thenAccept(x -> v0 += 2 + x);",
                    "g.obtrudeValue(2);",
                    "r = 3 * r + g.getNow(5);",
                    "g.completeExceptionally(new Exception());",
                ]),
                _ => one(&format!("v{x}++;")),
            },
            Kind::Maps => match self.dice.roll(5) {
                0 => one(&format!("m.put({x}, {n});")),
                1 => one(&format!("if (m.putIfAbsent({x}, {n}) == null) r += 4;")),
                2 => one(&format!("r = 3 * r + m.getOrDefault({x}, 2);")),
                3 => one(&format!("m.merge({x}, 1, Integer::sum);")),
                _ => one(&format!(
                    "r = 3 * r + m.computeIfAbsent({x}, k -> {{ v{n}++; return 1; }});"
                )),
            },
            Kind::Queues => match self.dice.roll(4) {
                0 => self.caught(&format!("q.put({n});")),
                1 => self.caught("r = 3 * r + q.take();"),
                2 => one(&format!("if (q.offer({n})) r += 2;")),
                _ => one("if (q.poll() == null) r += 3;"),
            },
            Kind::Atomics => match self.dice.roll(5) {
                0 => one(&format!("r = 3 * r + a{x}.getAndIncrement();")),
                1 => one(&format!("if (a{x}.compareAndSet({n}, {})) r += 1;", n + 1)),
                2 => one(&format!("a{x}.set({n});")),
                3 => one(&format!("r = 3 * r + a{x}.get();")),
                _ => one(&format!(
                    "for (;;) {{ int o = a{x}.get(); if (a{x}.compareAndSet(o, o + 1)) break; }}"
                )),
            },
            Kind::Spins => match self.dice.roll(5) {
                4 => one(&format!(
                    "while (v{x} == {n} && v{} == {n}) Thread.onSpinWait();",
                    1 - x
                )),
                0 => one(&format!("while (v{x} == {n}) Thread.onSpinWait();")),
                1 => one(&format!("while (a{x}.get() == {n}) Thread.onSpinWait();")),
                2 => one(&format!("v{x} = {};", n + 1)),
                _ => one(&format!("a{x}.set({});", n + 1)),
            },
            Kind::SpinLocks => {
                let body = self.block(if deeper { 2 } else { 0 }, depth + 1);
                match self.dice.roll(4) {
                    3 => around(
                        &format!(
                            "{{ int n{depth} = a{x}.getAndIncrement(); \
                             while (w{x} != n{depth}) Thread.onSpinWait();"
                        ),
                        body,
                        &format!("w{x}++; }}"),
                    ),
                    0 => around(
                        &format!("while (!b{x}.compareAndSet(false, true)) Thread.onSpinWait();"),
                        body,
                        &format!("b{x}.set(false);"),
                    ),
                    1 => around(
                        &format!("while (b{x}.getAndSet(true)) Thread.onSpinWait();"),
                        body,
                        &format!("b{x}.set(false);"),
                    ),
                    _ => around(
                        &format!(
                            "for (;;) {{ while (b{x}.get()) Thread.onSpinWait(); \
                             if (b{x}.compareAndSet(false, true)) break; }}"
                        ),
                        body,
                        &format!("b{x}.set(false);"),
                    ),
                }
            }
            Kind::Mutexes => {
                let body = self.block(if deeper { 2 } else { 0 }, depth + 1);
                around(
                    &format!("k{x}.lock(); try {{ r = 3 * r + p{n}++;"),
                    body,
                    &format!("}} finally {{ k{x}.unlock(); }}"),
                )
            }
            Kind::Awaits => match self.dice.roll(4) {
                0 => self.caught(&format!(
                    "k{x}.lock(); try {{ while (p{x} == 0) c{x}.await(); p{x}--; }} \
                     finally {{ k{x}.unlock(); }}"
                )),
                1 => self.caught(&format!(
                    "k{x}.lock(); try {{ if (!c{x}.await(5, TimeUnit.MILLISECONDS)) r++; }} \
                     finally {{ k{x}.unlock(); }}"
                )),
                2 => one(&format!(
                    "k{x}.lock(); try {{ p{x}++; c{x}.signal(); }} finally {{ k{x}.unlock(); }}"
                )),
                _ => one(&format!(
                    "k{x}.lock(); try {{ p{x}++; c{x}.signalAll(); }} finally {{ k{x}.unlock(); }}"
                )),
            },
            Kind::TimedTries => {
                let body = self.block(if deeper { 2 } else { 0 }, depth + 1);
                around(
                    &format!("try {{ if (k{x}.tryLock(5, TimeUnit.MILLISECONDS)) try {{"),
                    body,
                    &format!(
                        "}} finally {{ k{x}.unlock(); }} else r += 9; }} \
                         catch (InterruptedException e) {{ r += 21; }}"
                    ),
                )
            }
            Kind::States => match self.dice.roll(6) {
                0 => self.caught(&format!("t{other}.join();")),
                1 => one(&format!(
                    "while (t{other}.getState() == Thread.State.RUNNABLE) Thread.yield();"
                )),
                _ => one(&format!("r = 7 * r + t{other}.getState().ordinal();")),
            },
            Kind::Starts => self.pick(&[
                "try { e.start(); } catch (IllegalThreadStateException x) { r += 30; }",
                "if (e.isAlive()) r += 31;",
                "v0++;",
            ]),
            Kind::Classes => self.pick(&["r = 3 * r + I.x;", "r = 3 * r + J.x;", "v0++;"]),
        }
    }
}

fn program(dice: &mut Dice, kinds: &[Kind], large: bool) -> Program {
    let threads = 1 + dice.roll(3);
    let length = [0, 4, 2, 1][threads as usize] + 2 * u32::from(large);
    let bodies = (0..=threads).map(|me| {
        let mut author = Author {
            dice,
            kinds,
            threads,
            me,
        };
        match me {
            0 => author.block(1, 0),
            _ => {
                let mut body = vec![author.statement(0)];
                body.extend(author.block(length - 1, 0));
                body
            }
        }
    });
    Program {
        threads: bodies.collect(),
    }
}

// Java.

fn write_statements(text: &mut String, body: &[Statement]) {
    for statement in body {
        writeln!(text, "{}", statement.open).expect("text");
        write_statements(text, &statement.body);
        if !statement.close.is_empty() {
            writeln!(text, "{}", statement.close).expect("text");
        }
    }
}

fn write_class(text: &mut String, program: &Program, number: usize) {
    let threads = program.threads.len();
    *text += &format!(
        "final class P{number} {{
         static volatile int v0, v1, w0, w1;
         static int p0, p1;
         static final Object l0 = new Object(), l1 = new Object();
         static final ReentrantLock k0 = new ReentrantLock(), k1 = new ReentrantLock();
         static final Condition c0 = k0.newCondition(), c1 = k1.newCondition();
         static final String h = new String(new char[] {{ 'h', (char) ('a' + {threads}) }});
         static final Semaphore s = new Semaphore(1);
         static final CountDownLatch d = new CountDownLatch(1);
         static final CountDownLatch d0 = new CountDownLatch(1), d1 = new CountDownLatch(2);
         static final FutureTask<Integer> f = new FutureTask<>(() -> v0 + v1);
         static final CompletableFuture<Integer> g = new CompletableFuture<>();
         static final ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>();
         static final ArrayBlockingQueue<Integer> q = new ArrayBlockingQueue<>(1);
         static final AtomicInteger a0 = new AtomicInteger(), a1 = new AtomicInteger();
         static final AtomicBoolean b0 = new AtomicBoolean(), b1 = new AtomicBoolean();
         static class I {{ static int x = 1 + v0; }}
         static class J {{ static int x = 2 + I.x + v1; }}
         static final Thread e = new Thread(() -> v1++);
         static Thread t0;\n"
    );
    for t in 0..threads {
        *text += &format!("static volatile int r{t};\n");
        if t > 0 {
            *text += &format!("static final Thread t{t} = new T({}, {t});\n", number + 1);
        }
    }
    for (t, body) in program.threads.iter().enumerate() {
        *text += &format!("static void run{t}() throws InterruptedException {{ int r = 0;\n");
        if t == 0 {
            *text += "t0 = Thread.currentThread();\n";
            for t in 1..threads {
                *text += &format!("t{t}.start();\n");
            }
        }
        write_statements(text, body);
        if t > 0 {
            *text += &format!("r{t} = r;");
        } else {
            *text += "Thread.interrupted();\n";
            for t in 1..threads {
                *text += &format!(
                    "for (;;) try {{ t{t}.join(); break; }} catch (InterruptedException e) {{ r++; }}\n"
                );
            }
            let results: Vec<String> = (1..threads).map(|t| format!("\" \" + r{t}")).collect();
            *text += &format!(
                "System.out.println(r + {} + \" \" + v0 + v1 + p0 + p1 + a0.get() + a1.get() + m.size());\n",
                results.join(" + ")
            );
        }
        *text += "}\n";
    }
    *text += "static void run(int t) throws InterruptedException { switch (t) {\n";
    for t in 0..threads {
        *text += &format!("case {t}: run{t}(); break;\n");
    }
    *text += "} } }\n";
}

/// All programs, and what a trial run is to find: the classes of the library that they use.
fn write_all(programs: &[Program]) -> String {
    let mut text = String::from(
        "import java.util.concurrent.*;
         import java.util.concurrent.atomic.*;
         import java.util.concurrent.locks.*;
         public class Driver {
             static int which, s;
             public static void main(String[] args) { run(which, 0); }
             static void warm() throws InterruptedException {
                 Thread t = new T(-2, 0); t.start(); t.join(); t.interrupt();
                 t.getState().ordinal(); t.isAlive(); t = new Thread(() -> s--); t.start(); t.join();
                 try { t.start(); } catch (IllegalThreadStateException e) { }
                 Thread.interrupted(); Thread.currentThread().isInterrupted();
                 LockSupport.unpark(Thread.currentThread()); LockSupport.park();
                 ReentrantLock k = new ReentrantLock(); Condition c = k.newCondition();
                 k.lock(); try { c.await(1, TimeUnit.MILLISECONDS); c.signal(); c.signalAll(); }
                 finally { k.unlock(); }
                 if (k.tryLock(1, TimeUnit.MILLISECONDS)) k.unlock();
                 k.lockInterruptibly(); k.unlock(); if (k.tryLock()) k.unlock();
                 Semaphore s = new Semaphore(1); s.acquire(); s.release(); s.tryAcquire();
                 CountDownLatch d = new CountDownLatch(1); d.countDown(); d.await();
                 d.await(1, TimeUnit.MILLISECONDS); d.getCount();
                 FutureTask<Integer> f = new FutureTask<>(() -> 1);
                 f.run(); f.cancel(false); f.isDone();
                 CompletableFuture<Integer> g = new CompletableFuture<>();
                 g.thenAccept(x -> Driver.s++); g.complete(1); g.join(); g.obtrudeValue(1); g.getNow(1);
                 g.completeExceptionally(new Exception());
                 try { f.get(); g.get(); } catch (ExecutionException e) { }
                 ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>();
                 m.put(0, 1); m.putIfAbsent(1, 1); m.getOrDefault(2, 2); m.merge(0, 1, Integer::sum);
                 m.computeIfAbsent(7, x -> 1); m.size();
                 ArrayBlockingQueue<Integer> q = new ArrayBlockingQueue<>(1);
                 q.put(1); q.take(); q.offer(1); q.poll();
                 AtomicInteger a = new AtomicInteger(); a.getAndIncrement(); a.set(0);
                 a.compareAndSet(0, 1); a.get(); AtomicBoolean b = new AtomicBoolean();
                 b.getAndSet(true); b.compareAndSet(true, false); b.get(); b.set(true);
                 
                 Thread.onSpinWait(); Thread.sleep(1);
                 Object l = new Object(); synchronized (l) { l.wait(1); l.notify(); l.notifyAll(); }
                 t = Thread.currentThread(); t.interrupt();
                 try { Thread.sleep(1); } catch (InterruptedException e) { }
                 System.out.println(\"\" + 1 + \" \" + 2);
             }
             static void run(int p, int t) {
                 try { switch (p) { case 0: warm(); break;\n",
    );
    for p in 0..programs.len() {
        writeln!(text, "case {}: P{p}.run(t); break;", p + 1).expect("text");
    }
    text += "} } catch (InterruptedException e) { throw new RuntimeException(e); } } }
        final class T extends Thread {
            final int p, t;
            T(int p, int t) { this.p = p; this.t = t; }
            public void run() { Driver.run(p, t); }
        }\n";
    for (number, program) in programs.iter().enumerate() {
        write_class(&mut text, program, number);
    }
    text
}

fn bench(place: &str, programs: &[Program]) -> Bench {
    let text = write_all(programs);
    let place = Place::new(place);
    place.compile("Driver", &text);
    let says = |what: &str| programs.iter().any(|p| show(p).contains(what));
    let learned = Learned {
        asks_for_queues: says("LockSupport.park()"),
        asks_for_interrupts: says("0.isInterrupted()") || says("1.isInterrupted()"),
        interrupts: text.contains("0.interrupt()") || text.contains("1.interrupt()"),
        asks_for_locks: text.contains("0.tryLock()") || text.contains("1.tryLock()"),
        asks_for_states: says(".getState()"),
        asks_for_lives: says(".getState()") || says(".isAlive()"),
        ..Learned::default()
    };
    Bench::new(&place, learned)
}

// The comparison.

/// How programs are looked at.
#[derive(Clone, Copy, Debug)]
struct How {
    large: bool,
    /// Timed waits end at any moment.
    early: bool,
}

/// What became of a program.
#[derive(Clone, Debug, Default)]
struct Compared {
    all: u64,
    classes: u64,
    plain: u64,
    lazy: u64,
    faults: Vec<&'static str>,
}

/// `None` if there are too many schedules to look at each. Of `large` programs nobody knows all
/// schedules.
fn compare(bench: &mut Bench, number: usize, how: How) -> Option<Compared> {
    let How { large, early } = how;
    let time_outs = |dpor: Dpor| match early {
        true => dpor.with_early_timeouts(),
        false => dpor,
    };
    let mut strategy = time_outs(Dpor::new());
    let (plain, found) = bench.search(number + 1, &mut strategy, OpMask::NONE);
    if plain.schedules > MOST && !large || !plain.bounds.is_empty() {
        return None;
    }
    let mut faults = Vec::new();
    let mut check = |ok: bool, fault: &'static str| {
        if !ok {
            faults.push(fault);
        }
    };
    check(strategy.astray() == 0, "astray");
    check(plain.blocked == 0, "in vain");
    let distinct = found.classes.len() as u64;
    check(plain.schedules <= distinct, "more than once");
    let mut compared = Compared {
        plain: plain.schedules,
        ..Compared::default()
    };
    if !large {
        let stops = match early {
            true => OpMask::TIMEOUTS,
            false => OpMask::NONE,
        };
        let (dfs, expected) = bench.search(number + 1, &mut Dfs::new(), stops);
        if !dfs.complete {
            return None;
        }
        let stops = stops.and(OpMask::QUIET_ENDS).and(OpMask::MUTEXES);
        let (_, quiet) = bench.search(number + 1, &mut Dfs::new(), stops);
        check(found.finals == expected.finals, "lost");
        check(found.classes == quiet.classes, "other classes");
        let mut strategy = time_outs(Dpor::lazy());
        let (lazy, found) = bench.search(number + 1, &mut strategy, OpMask::NONE);
        check(lazy.complete, "lazy: not complete");
        check(strategy.is_lazy(), "lazy: again");
        check(found.ends() == expected.ends(), "lazy: lost");
        compared.all = dfs.schedules;
        compared.classes = quiet.classes.len() as u64;
        compared.lazy = lazy.schedules;
    }
    compared.faults = faults;
    Some(compared)
}

/// The smallest program that can be had by taking statements away so that it has a fault.
fn shrink(place: &str, program: &Program, fault: &'static str, how: How) -> (Program, Compared) {
    let (mut smallest, mut result) = (program.clone(), Compared::default());
    loop {
        let smaller = less(&smallest);
        let mut bench = bench(&format!("smaller-{place}"), &smaller);
        let found = smaller.iter().enumerate().find_map(|(number, program)| {
            let compared = compare(&mut bench, number, how)?;
            compared
                .faults
                .contains(&fault)
                .then(|| (program.clone(), compared))
        });
        match found {
            Some((program, compared)) => (smallest, result) = (program, compared),
            None => return (smallest, result),
        }
    }
}

fn less(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for t in 0..program.threads.len() {
        let last = t > 1 && t + 1 == program.threads.len();
        let named = [format!("t{t}."), format!("(t{t})")];
        let text = show(program);
        let named = named.iter().any(|name| text.contains(name));
        if last && program.threads[t].is_empty() && !named {
            let mut threads = program.threads.clone();
            threads.pop();
            all.push(Program { threads });
        }
        for body in less_of(&program.threads[t]) {
            let mut threads = program.threads.clone();
            threads[t] = body;
            all.push(Program { threads });
        }
    }
    all
}

fn less_of(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for at in 0..body.len() {
        let with = |these: Vec<Statement>| {
            let mut new = body.to_vec();
            new.splice(at..=at, these);
            new
        };
        all.push(with(Vec::new()));
        let statement = &body[at];
        if !statement.body.is_empty() {
            all.push(with(statement.body.clone()));
        }
        for inner in less_of(&statement.body) {
            let mut new = statement.clone();
            new.body = inner;
            all.push(with(vec![new]));
        }
    }
    all
}

fn show(program: &Program) -> String {
    let mut text = String::new();
    for (t, body) in program.threads.iter().enumerate() {
        text += &format!("// t{t}\n");
        write_statements(&mut text, body);
    }
    text
}

#[test]
fn interrupts_spins_and_calls() {
    let others = [
        "mutexes",
        "awaits",
        "timedtries",
        "states",
        "starts",
        "gates",
        "futures",
    ];
    let named = |name: &str| !others.contains(&name);
    try_programs("generated-calls", named, |_| true, false);
}

#[test]
fn states_of_threads() {
    let named = |name: &str| STATES.contains(&name);
    let asking = |kind: Kind| [Kind::States, Kind::Starts].contains(&kind);
    try_programs("generated-states", named, asking, false);
}

#[test]
fn time_outs_at_any_moment() {
    let named = |name: &str| TIMED.contains(&name);
    let waiting = |kind: Kind| [Kind::Signals, Kind::Sleeps].contains(&kind);
    try_programs("generated-timeouts", named, waiting, true);
}

#[test]
fn locks_as_monitors() {
    let named = |name: &str| BLIND.contains(&name);
    let locking = |kind: Kind| {
        let mut locking = KINDS.iter().filter(|k| LOCKING.contains(&k.0));
        locking.any(|k| k.1 == kind)
    };
    try_programs("generated-locks", named, locking, false);
}

#[test]
fn calls_that_wait_for_good() {
    let named = |name: &str| GATED.contains(&name);
    let waiting = |kind: Kind| [Kind::Gates, Kind::Futures].contains(&kind);
    try_programs("generated-gates", named, waiting, false);
}

/// Tries programs of these kinds of statements, with at least one that is `needed` in each.
fn try_programs(
    place: &str,
    usual: impl Fn(&str) -> bool,
    needed: impl Fn(Kind) -> bool,
    early: bool,
) {
    let number = |name: &str, default: u64| {
        let set = std::env::var(name).ok().and_then(|n| n.parse().ok());
        set.unwrap_or(default)
    };
    let wanted = number("HEDDLE_PROGRAMS", 40);
    let large = number("HEDDLE_LARGE", 0) > 0;
    let failures = number("HEDDLE_FAILURES", 1);
    let mut dice = Dice(0x5eed_1234_abcd_0007 ^ number("HEDDLE_SEED", 0));
    let only = std::env::var("HEDDLE_KINDS").ok();
    let named = |name: &str| {
        let only = only.as_ref();
        only.map_or(usual(name), |only| only.split(',').any(|o| o == name))
    };
    let how = How { large, early };
    let kinds: Vec<Kind> = KINDS.iter().filter(|k| named(k.0)).map(|k| k.1).collect();
    let (mut programs, mut all, mut classes, mut plain, mut lazy) = (0, 0, 0, 0, 0);
    let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
    let mut shown = 0;
    while programs < wanted {
        let mut batch = Vec::new();
        while batch.len() < BATCH.min(wanted as usize * 3) {
            let some = 1 + dice.roll(4);
            let chosen: Vec<Kind> = (0..some)
                .map(|_| kinds[dice.roll(kinds.len() as u32) as usize])
                .collect();
            if chosen.iter().any(|k| needed(*k)) {
                batch.push(program(&mut dice, &chosen, large));
            }
        }
        let mut machine = bench(place, &batch);
        for (number, program) in batch.iter().enumerate() {
            if programs >= wanted {
                break;
            }
            let Some(compared) = compare(&mut machine, number, how) else {
                continue;
            };
            if compared.plain == 1 && compared.faults.is_empty() && !dice.one_in(10) {
                continue;
            }
            programs += 1;
            all += compared.all;
            classes += compared.classes;
            plain += compared.plain;
            lazy += compared.lazy;
            for fault in &compared.faults {
                *faults.entry(fault).or_default() += 1;
            }
            if let Some(fault) = compared.faults.first()
                && shown < failures
            {
                shown += 1;
                let (smallest, compared) = shrink(place, program, fault, how);
                println!("== {fault}: {compared:?}\n{}", show(&smallest));
            }
        }
        println!("{programs} programs; {faults:?}");
    }
    println!(
        "{programs} programs: {plain} schedules of {all} for {classes} classes; with lazy mutexes \
         {lazy}; {faults:?}"
    );
    assert!(faults.is_empty());
}

/// Programs that were once explored in another number of schedules than they have classes of
/// them: what each thread does.
#[test]
fn known_cases() {
    let cas = "while (!b0.compareAndSet(false, true)) Thread.onSpinWait();";
    let swap = "while (b0.getAndSet(true)) Thread.onSpinWait();";
    let free = "b0.set(false);";
    let programs: [&[&[&str]]; 13] = [
        // Two threads that are started by two others, in either order: which number they get is no
        // difference.
        &[
            &["try { t1.join(); } catch (InterruptedException e) { r += 13; }"],
            &[
                "try { e.start(); } catch (IllegalThreadStateException x) { r += 30; }",
                "try { t0.join(); } catch (InterruptedException e) { r += 10; }",
            ],
            &["try { t0.join(); } catch (InterruptedException e) { r += 13; }"],
        ],
        // Whether others are alive makes a difference to what is told of initialization, and to
        // nothing else.
        &[&["r = 3 * r + I.x;"], &[]],
        // A lock is taken again before the one who spins for it has run.
        &[&[cas, free], &[cas, free, swap, free]],
        // A call that fails where it comes first, and so covers what is planned beside it.
        &[
            &["if (a1.compareAndSet(1, 2)) r += 1;"],
            &["r = 3 * r + a1.getAndIncrement();"],
            &["while (a1.get() == 1) Thread.onSpinWait();"],
        ],
        // How often its owner has a lock is no difference to others.
        &[
            &["if (k0.tryLock()) k0.unlock();"],
            &["if (k0.tryLock()) { if (k0.tryLock()) k0.unlock(); k0.unlock(); }"],
        ],
        // Where one that is looked at again and again comes before a `join`, it waits or does
        // not, and nothing on the path says which of the two came first.
        &[
            &[],
            &[],
            &["while (t0.getState() == Thread.State.RUNNABLE) Thread.yield();"],
        ],
        // With lazy mutexes: a lock that is never given back is not what keeps the last step of
        // who wants it from coming earlier.
        &[
            &["k1.lock(); r = 3 * r + p0++; k0.lock(); c0.await();"],
            &["k0.lock(); r = 3 * r + p0++; k1.lock(); k1.unlock(); k0.unlock();"],
        ],
        &[
            &[],
            &["synchronized (l1) { r = 7 * r + t2.getState().ordinal(); t0.join(); }"],
            &["r = 7 * r + t0.getState().ordinal(); synchronized (l1) { }"],
        ],
        // One who looks at two places again and again is let go on by a change that is undone at
        // once: it comes to see it, though it looks elsewhere first.
        &[
            &[],
            &[
                "while (v0 == 0 && v1 == 1) Thread.onSpinWait();",
                "v1 = 1;",
                "v1 = 0;",
            ],
            &["v1 = 1; v1 = 0; v1 = 1; v0 = 1; v1 = 0;"],
        ],
        &[
            &[],
            &["while (v0 == 0 && v1 == 1) Thread.onSpinWait();", "v1 = 2;"],
            &["v1 = 1; v1 = 0; v1 = 1; v1 = 0; v0 = 1;"],
        ],
        // Who has the hash code of a string computed does what nobody does later.
        &[
            &[],
            &["if (h.hashCode() == 7) v0 = 1; p0 += 2; r = v1;"],
            &["if (h.hashCode() == 7) v1 = 1; p0 += 1; r = v0;"],
        ],
        // Some who wait for a latch are in its queue, and others before the call.
        &[
            &[],
            &["d1.await();"],
            &["d0.await();"],
            &["if (d0.await(1, TimeUnit.MILLISECONDS)) r += 5;"],
        ],
        // A lock of the library that is nested in itself, as a call.
        &[
            &["k1.lock(); k1.lockInterruptibly(); k1.unlock(); k1.unlock();"],
            &["k1.lock(); k1.unlock(); LockSupport.unpark(t0); LockSupport.park();"],
        ],
    ];
    let body = |body: &&[&str]| body.iter().map(|s| one(s)).collect();
    for (number, threads) in programs.iter().enumerate() {
        let program = Program {
            threads: threads.iter().map(body).collect(),
        };
        // One machine each: what one of them does makes no difference to how others are taken.
        let mut machine = bench(&format!("known-{number}"), std::slice::from_ref(&program));
        let how = |large| How {
            large,
            early: false,
        };
        let small = compare(&mut machine, 0, how(false));
        let compared = small.or_else(|| compare(&mut machine, 0, how(true)));
        let compared = compared.expect("a program without loops that never end");
        assert!(
            compared.faults.is_empty(),
            "{compared:?}\n{}",
            show(&program)
        );
    }
}
