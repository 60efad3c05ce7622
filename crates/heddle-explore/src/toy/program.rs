//! The toy machine's programs: instructions, and the threads that are made of them.

/// One instruction. Locks, variables and threads are named by small numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Lock(u32),
    Unlock(u32),
    /// Reads a variable into the thread's register.
    Read(u32),
    /// Writes a constant.
    Write(u32, u32),
    /// Writes the register plus a constant.
    Store(u32, u32),
    /// Adds a constant to a variable in one step; the register gets the old value.
    Add(u32, u32),
    /// Writes the third to a variable that has the value of the second, else jumps by so
    /// many instructions; in one step.
    Cas(u32, u32, u32, i32),
    /// Reads a variable; jumps by so many instructions unless it has this value.
    Unless(u32, u32, i32),
    Jump(i32),
    Start(u32),
    Join(u32),
    Wait(u32),
    TimedWait(u32),
    Notify(u32),
    NotifyAll(u32),
    /// Waits for a permit, and takes it.
    Park,
    /// Gives a thread a permit.
    Unpark(u32),
    /// Begins trusted code: all up to the next [`Op::Leave`] is one operation, unless it
    /// blocks.
    Enter,
    Leave,
    /// Ends the program, whatever the other threads are doing.
    Exit,
    /// Reads a variable and fails unless it has this value.
    Assert(u32, u32),
    /// Reads a variable and fails unless it is what the register holds.
    AssertSame(u32),
}

/// A program: the code of each thread, the initial one first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub threads: Vec<Vec<Op>>,
    pub locks: u32,
    pub variables: u32,
}

impl Program {
    /// With as many locks and variables as the code mentions.
    pub fn new(threads: Vec<Vec<Op>>) -> Program {
        let (mut locks, mut variables) = (0, 0);
        for op in threads.iter().flatten() {
            match *op {
                Op::Lock(l) | Op::Unlock(l) | Op::Wait(l) | Op::TimedWait(l) => {
                    locks = locks.max(l + 1);
                }
                Op::Notify(l) | Op::NotifyAll(l) => locks = locks.max(l + 1),
                Op::Read(v) | Op::Write(v, _) | Op::Store(v, _) | Op::Unless(v, ..) => {
                    variables = variables.max(v + 1);
                }
                Op::Add(v, _) | Op::Cas(v, ..) => variables = variables.max(v + 1),
                Op::Assert(v, _) | Op::AssertSame(v) => variables = variables.max(v + 1),
                Op::Jump(_) | Op::Start(_) | Op::Join(_) => {}
                Op::Park | Op::Unpark(_) | Op::Enter | Op::Leave | Op::Exit => {}
            }
        }
        Program {
            threads,
            locks,
            variables,
        }
    }

    /// An initial thread that starts these others and ends.
    pub fn started(mut bodies: Vec<Vec<Op>>) -> Program {
        let main = (1..=bodies.len() as u32).map(Op::Start).collect();
        bodies.insert(0, main);
        Program::new(bodies)
    }
}
