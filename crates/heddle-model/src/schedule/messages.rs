//! The message-based format (jreplay, section 6): a sequence of commands for each thread,
//! which run side by side and wait for each other's messages.
//!
//! ```text
//! schedulebegin 1 # p
//!   receive 0 0
//!   before Producer run()V 13 1
//!   send 2 0
//!   receive 1 -1
//! scheduleend
//! ```
//!
//! `send T N` sends the number N to thread T and goes on; `receive T N` waits for it. Messages
//! of the same sender and number are as good as each other. A message from itself never comes:
//! the thread stays where it is. Events and the other actions mean what they mean in the
//! switch-based format; counts are those of the thread's own events.
//!
//! Ours adds `die T N` (not in jreplay): T gets the message when the thread has ended.
//!
//! Conversion to this format unrolls loops, so it refuses endless ones. The way back is a
//! topological sort that stays with a thread as long as it can go on: few switches, not
//! always the fewest, which would be NP-complete.

use super::follow::Action;
use super::parse::{self, Operands};
use super::record::Stands;
use super::words::{self, Words, one_line};
use super::{Command, Header, Line, Point, Schedule, ScheduleError};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

/// A schedule by messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Messages {
    pub header: Option<Header>,
    pub threads: Vec<Sequence>,
}

/// The commands of one thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence {
    pub thread: u32,
    pub comment: Option<String>,
    pub orders: Vec<Order>,
}

/// A command of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    Send {
        to: u32,
        message: i64,
    },
    Receive {
        from: u32,
        message: i64,
    },
    /// The thread ends, and then this one gets a message.
    Die {
        to: u32,
        message: i64,
    },
    /// `before`, `in`, `notify`, `timeout`, `spurious`, `terminate`, `log`.
    Command(Command),
}

/// The message that nobody sends.
const NEVER: i64 = -1;
/// Steps of a schedule that are unrolled at most.
const MOST_STEPS: usize = 1_000_000;

impl Messages {
    /// Whether a text is in this format.
    pub fn is_in(text: &str) -> bool {
        let word = |line: &str| line.split_whitespace().next().map(str::to_string);
        text.lines()
            .any(|l| word(l).as_deref() == Some("schedulebegin"))
    }

    /// Reads the text of a schedule. `file` is only used in errors.
    pub fn parse(file: &str, text: &str) -> Result<Messages, ScheduleError> {
        let fail = |line: usize, message: String| ScheduleError {
            file: file.to_string(),
            line: line as u32,
            message,
        };
        let begins = |line: &str| line.trim_start().starts_with("schedulebegin");
        let lines: Vec<&str> = text.lines().collect();
        let start = lines.iter().position(|l| begins(l)).unwrap_or(lines.len());
        let header = Schedule::parse(file, &lines[..start].join("\n"))?;
        if let Some((line, _)) = header.commands().next() {
            let message = "expected `schedulebegin` above this command".to_string();
            return Err(fail(line as usize, message));
        }
        let mut read = Messages {
            header: header.header,
            threads: Vec::new(),
        };
        let mut open = false;
        for (index, line) in lines.iter().enumerate().skip(start) {
            let outcome = read.line(line, &mut open);
            outcome.map_err(|message| fail(index + 1, message))?;
        }
        match open {
            false => Ok(read),
            true => Err(fail(lines.len(), "expected a `scheduleend`".to_string())),
        }
    }

    fn line(&mut self, line: &str, open: &mut bool) -> Result<(), String> {
        if let Some(rest) = parse::log_line(line).filter(|_| *open) {
            let (command, _) = parse::log_command(rest)?;
            self.push(Order::Command(command));
            return Ok(());
        }
        let Words { words, comment } = words::split(line)?;
        let Some((keyword, operands)) = words.split_first() else {
            return Ok(());
        };
        let mut operands = Operands::new(keyword, operands);
        match (keyword.as_str(), *open) {
            ("schedulebegin", false) => {
                let thread = self.thread(&mut operands)?;
                if self.threads.iter().any(|s| s.thread == thread) {
                    return Err(format!(
                        "a second schedule for thread {thread}; expected one"
                    ));
                }
                self.threads.push(Sequence {
                    thread,
                    comment: comment.map(|c| one_line(&c)),
                    orders: Vec::new(),
                });
                *open = true;
            }
            ("scheduleend", true) => *open = false,
            (_, false) => return Err(format!("expected `schedulebegin`, found `{keyword}`")),
            ("send" | "receive" | "die", true) => {
                let other = self.thread(&mut operands)?;
                let message = operands.signed("the number of a message")?;
                self.push(match keyword.as_str() {
                    "send" => Order::Send { to: other, message },
                    "receive" => Order::Receive {
                        from: other,
                        message,
                    },
                    _ => Order::Die { to: other, message },
                });
            }
            ("switch" | "loopbegin" | "loopend" | "schedulebegin", true) => {
                return Err(format!(
                    "`{keyword}` has no place in the schedule of one thread; expected send or receive"
                ));
            }
            (_, true) => {
                let command = parse::command(self.header.as_ref(), &mut operands)?;
                self.push(Order::Command(command));
            }
        }
        operands.end()
    }

    fn push(&mut self, order: Order) {
        let last = self.threads.last_mut().expect("a schedule is open");
        last.orders.push(order);
    }

    fn thread(&self, operands: &mut Operands) -> Result<u32, String> {
        parse::numbered(self.header.as_ref(), "the number of a thread", operands)
    }

    /// The same as a sequence of switches. Fails where threads wait for messages that
    /// never come although others still have something to do.
    pub fn switches(&self) -> Result<Schedule, String> {
        Sorter::new(self).sort()
    }
}

impl Schedule {
    /// The same by messages: what one thread does between two switches is a stretch of its
    /// own sequence, and each switch a message. Endless loops are refused.
    pub fn messages(&self) -> Result<Messages, String> {
        let mut sequences: BTreeMap<u32, Vec<Order>> = BTreeMap::new();
        let mut running = 0;
        sequences.entry(0).or_default();
        for (done, step) in self.steps().enumerate() {
            if done == MOST_STEPS {
                return Err(format!(
                    "the schedule has more than {MOST_STEPS} steps; its loops cannot be written out"
                ));
            }
            let own = |s: &mut BTreeMap<u32, Vec<Order>>, thread, order| {
                s.entry(thread).or_default().push(order);
            };
            if let Some(until) = &step.until {
                let point = until.point.clone();
                let event = match until.stands {
                    Stands::In => Command::In(point),
                    Stands::Within => Command::Within(point),
                    Stands::Before | Stands::Ended => Command::Before(point),
                };
                own(&mut sequences, running, Order::Command(event));
            }
            for (_, action) in &step.then {
                let order = match *action {
                    Action::Switch(Some(to)) | Action::Die(Some(to)) => {
                        let dies = matches!(action, Action::Die(_));
                        let order = match dies {
                            true => Order::Die { to, message: 0 },
                            false => Order::Send { to, message: 0 },
                        };
                        own(&mut sequences, running, order);
                        let from = running;
                        let receive = Order::Receive { from, message: 0 };
                        own(&mut sequences, to, receive);
                        running = to;
                        continue;
                    }
                    Action::Switch(None) | Action::Die(None) => continue,
                    Action::Notify(whom) => Command::Notify(whom),
                    Action::Timeout(whom) => Command::Timeout(whom),
                    Action::Spurious(whom) => Command::Spurious(whom),
                    Action::Terminate => Command::Terminate,
                    Action::Log(level, message) => Command::Log {
                        level,
                        message: message.to_string(),
                    },
                };
                own(&mut sequences, running, Order::Command(order));
            }
        }
        // Whoever never had a turn does not get one here either.
        for thread in self.header.iter().flat_map(|h| &h.threads) {
            let (from, message) = (thread.number, NEVER);
            let never = || vec![Order::Receive { from, message }];
            sequences.entry(thread.number).or_insert_with(never);
        }
        // Whoever was switched from for good stays where it is.
        let waits = |orders: &[Order]| matches!(orders.last(), Some(Order::Send { .. }));
        for (&thread, orders) in &mut sequences {
            if waits(orders) {
                let (from, message) = (thread, NEVER);
                orders.push(Order::Receive { from, message });
            }
        }
        let threads = sequences.into_iter().map(|(thread, orders)| Sequence {
            thread,
            comment: self.thread(thread).map(|t| t.name.clone()),
            orders,
        });
        Ok(Messages {
            header: self.header.clone(),
            threads: threads.collect(),
        })
    }
}

/// Puts the sequences into one order.
struct Sorter<'a> {
    messages: &'a Messages,
    /// What each thread has still to do.
    left: BTreeMap<u32, VecDeque<&'a Order>>,
    /// Messages on their way: receiver, sender, number.
    mail: Vec<(u32, u32, i64)>,
    lines: Vec<Line>,
}

/// How far a thread came.
enum Halt {
    /// It waits for a message.
    Receives,
    /// It has ended, and this thread knows.
    Died(u32),
    /// Nothing is said about it any more.
    Done,
    Terminated,
}

impl<'a> Sorter<'a> {
    fn new(messages: &'a Messages) -> Sorter<'a> {
        let left = messages
            .threads
            .iter()
            .map(|s| (s.thread, s.orders.iter().collect()))
            .collect();
        Sorter {
            messages,
            left,
            mail: Vec::new(),
            lines: Vec::new(),
        }
    }

    fn sort(mut self) -> Result<Schedule, String> {
        let mut running = 0;
        loop {
            let halt = self.run(running);
            if let Halt::Terminated = halt {
                break;
            }
            let Some(next) = self.next(running, &halt) else {
                break;
            };
            let command = match halt {
                Halt::Died(_) => Command::Die(Some(next)),
                _ => Command::Switch(Some(next)),
            };
            self.lines.push(Line {
                command: Some(command),
                comment: self.name(next),
                number: 0,
            });
            running = next;
        }
        let stuck = self.left.iter().find(|(thread, orders)| {
            let forever =
                matches!(orders.front(), Some(Order::Receive { from, .. }) if from == *thread);
            !orders.is_empty() && !forever
        });
        match stuck {
            Some((thread, orders)) if !self.terminated() => Err(format!(
                "thread {thread} waits for a message that never comes: {}",
                orders[0]
            )),
            _ => Ok(Schedule {
                header: self.messages.header.clone(),
                lines: self.lines,
            }),
        }
    }

    fn terminated(&self) -> bool {
        let last = self.lines.last().and_then(|l| l.command.as_ref());
        last == Some(&Command::Terminate)
    }

    /// Lets a thread do what it can.
    fn run(&mut self, thread: u32) -> Halt {
        let mut died = None;
        while let Some(&order) = self.left.get(&thread).and_then(VecDeque::front) {
            match order {
                Order::Receive { from, message } => {
                    let wanted = (thread, *from, *message);
                    let Some(at) = self.mail.iter().position(|m| *m == wanted) else {
                        return Halt::Receives;
                    };
                    self.mail.remove(at);
                }
                Order::Send { to, message } => self.mail.push((*to, thread, *message)),
                Order::Die { to, message } => {
                    self.mail.push((*to, thread, *message));
                    died = Some(*to);
                }
                Order::Command(command) => {
                    self.lines.push(command.clone().into());
                    if *command == Command::Terminate {
                        return Halt::Terminated;
                    }
                }
            }
            self.left.get_mut(&thread).expect("it is there").pop_front();
        }
        died.map_or(Halt::Done, Halt::Died)
    }

    /// Who goes on: the one that was just sent something, else the first that can.
    fn next(&self, running: u32, halt: &Halt) -> Option<u32> {
        let can = |thread: &u32| match self.left.get(thread).and_then(VecDeque::front) {
            Some(Order::Receive { from, message }) => {
                self.mail.contains(&(*thread, *from, *message))
            }
            Some(_) => true,
            None => false,
        };
        let died = match halt {
            Halt::Died(to) => Some(*to),
            _ => None,
        };
        // Of a thread without events nothing is known but that it goes on: it comes last.
        let has_events = |thread: &u32| {
            let mut orders = self.left.get(thread).into_iter().flatten();
            orders.any(|order| matches!(order, Order::Command(_)))
        };
        let sent = self
            .mail
            .iter()
            .rev()
            .filter(|m| m.1 == running)
            .map(|m| m.0);
        let others = self.left.keys().copied().filter(|t| *t != running);
        let order: Vec<u32> = died
            .into_iter()
            .chain(sent)
            .chain(others)
            .filter(can)
            .collect();
        let eventful = order.iter().copied().find(has_events);
        eventful.or_else(|| order.first().copied())
    }

    fn name(&self, thread: u32) -> Option<String> {
        let sequence = self.messages.threads.iter().find(|s| s.thread == thread)?;
        sequence.comment.clone()
    }
}

impl fmt::Display for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(header) = &self.header {
            writeln!(f, "{header}")?;
        }
        for (number, sequence) in self.threads.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "schedulebegin {}", sequence.thread)?;
            if let Some(comment) = sequence.comment.as_ref().filter(|c| !c.is_empty()) {
                write!(f, " # {}", one_line(comment))?;
            }
            writeln!(f)?;
            for order in &sequence.orders {
                writeln!(f, "  {order}")?;
            }
            writeln!(f, "scheduleend")?;
        }
        Ok(())
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Send { to, message } => write!(f, "send {to} {message}"),
            Order::Receive { from, message } => write!(f, "receive {from} {message}"),
            Order::Die { to, message } => write!(f, "die {to} {message}"),
            Order::Command(command) => write!(f, "{command}"),
        }
    }
}

impl Messages {
    /// The events of all threads.
    pub fn points(&self) -> impl Iterator<Item = (&Point, bool)> {
        let orders = self.threads.iter().flat_map(|s| &s.orders);
        orders.filter_map(|order| match order {
            Order::Command(Command::Before(point)) => Some((point, false)),
            Order::Command(Command::In(point) | Command::Within(point)) => Some((point, true)),
            _ => None,
        })
    }
}
