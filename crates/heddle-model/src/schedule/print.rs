//! From a [`Schedule`] to text that reads back as the same schedule.
//!
//! Events begin at the margin and actions stand below them, loops are indented. Blank
//! lines are not kept; comments are, those of the header gathered at the top.

use super::words::{Word, one_line};
use super::{AccessEntry, CodePlace, Command, Header, MethodName, Point, Schedule, Times, VERSION};
use std::fmt;

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(header) = &self.header {
            write!(f, "{header}")?;
            if !self.lines.is_empty() {
                writeln!(f)?;
            }
        }
        let mut depth = 0usize;
        for line in &self.lines {
            if matches!(line.command, Some(Command::LoopEnd(_))) {
                depth = depth.saturating_sub(1);
            }
            // Deeper than anybody reads, so that no file can make us print megabytes.
            write!(f, "{:1$}", "", 2 * depth.min(20))?;
            if let Some(command) = &line.command {
                write!(f, "{command}")?;
            }
            if let Some(comment) = &line.comment {
                let gap = if line.command.is_some() { " " } else { "" };
                write!(f, "{gap}{}", Comment(comment))?;
            }
            writeln!(f)?;
            depth += usize::from(matches!(line.command, Some(Command::LoopBegin)));
        }
        Ok(())
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for comment in &self.comments {
            writeln!(f, "{}", Comment(comment))?;
        }
        writeln!(f, "heddle-schedule {VERSION}")?;
        if let Some(digest) = &self.program {
            writeln!(f, "program {}", Word(digest))?;
        }
        if let Some(main) = &self.main {
            write!(f, "main {}", Word(&main.class))?;
            words(f, &main.arguments)?;
        }
        if !self.options.is_empty() {
            write!(f, "options")?;
            words(f, &self.options)?;
        }
        if let Some(strategy) = &self.strategy {
            writeln!(f, "strategy {}", Word(strategy))?;
        }
        if let Some(seed) = self.seed {
            writeln!(f, "seed {seed}")?;
        }
        if let Some((kind, message)) = &self.finding {
            writeln!(f, "finding {} {}", Word(kind), Word(message))?;
        }
        for access in &self.accesses {
            let AccessEntry { thread, place, .. } = access;
            let (class, method) = (Word(&place.class), &place.method);
            let kind = access.kind.name();
            write!(f, "access {thread} {kind} {class} {method} {}", place.index)?;
            words(f, access.value.as_slice())?;
        }
        for thread in &self.threads {
            let name = Word(&thread.name);
            writeln!(f, "thread {} {} {name}", thread.number, thread.path)?;
        }
        for code in &self.code {
            let (class, digest) = (Word(&code.class), Word(&code.digest));
            writeln!(f, "code {class} {} {digest}", code.method)?;
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thread = |t: &Option<u32>| t.map_or("none".to_string(), |t| t.to_string());
        match self {
            Command::Before(point) => write!(f, "before {point}"),
            Command::In(point) => write!(f, "in {point}"),
            Command::Within(point) => write!(f, "within {point}"),
            Command::Switch(to) => write!(f, "switch {}", thread(to)),
            Command::Notify(whom) => write!(f, "notify {whom}"),
            Command::Timeout(whom) => write!(f, "timeout {whom}"),
            Command::Spurious(whom) => write!(f, "spurious {whom}"),
            Command::Die(to) => write!(f, "die {}", thread(to)),
            Command::Terminate => write!(f, "terminate"),
            Command::Log { level, message } => {
                // The language has no way to write a # in a message.
                let message = one_line(&message.replace('#', "*"));
                let gap = if message.is_empty() { "" } else { " " };
                write!(f, "log {}{gap}{message}", level.get())
            }
            Command::LoopBegin => write!(f, "loopbegin"),
            Command::LoopEnd(Times::Count(times)) => write!(f, "loopend {times}"),
            Command::LoopEnd(Times::Forever) => write!(f, "loopend inf"),
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Point { place, count } = self;
        let (class, method) = (Word(&place.class), &place.method);
        write!(f, "{class} {method} {} {count}", place.index)
    }
}

/// For people: "bytecode 7 of Buffer.put(I)V".
impl fmt::Display for CodePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CodePlace {
            class,
            method,
            index,
        } = self;
        write!(f, "bytecode {index} of {class}.{method}")
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MethodName::Position(position) => write!(f, "{position}"),
            MethodName::Named { name, descriptor } => {
                let descriptor = descriptor.as_deref().unwrap_or_default();
                write!(f, "{}", Word(&format!("{name}{descriptor}")))
            }
        }
    }
}

struct Comment<'a>(&'a str);

impl fmt::Display for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = one_line(self.0);
        let gap = if text.is_empty() { "" } else { " " };
        write!(f, "#{gap}{text}")
    }
}

fn words(f: &mut fmt::Formatter<'_>, words: &[String]) -> fmt::Result {
    for word in words {
        write!(f, " {}", Word(word))?;
    }
    writeln!(f)
}
