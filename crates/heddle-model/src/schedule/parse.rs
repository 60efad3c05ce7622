//! From text to a [`Schedule`]. Any input gives a schedule or an error that names the
//! line and what was expected there; none panics.

use super::words::{self, Words, one_line};
use super::{
    AccessEntry, AccessKind, CodeEntry, CodePlace, Command, Header, Line, LogLevel, Main,
    MethodName, Point, Schedule, ScheduleError, ThreadEntry, Times, VERSION,
};
use crate::ThreadPath;

const COMMANDS: &str = "before, in, within, switch, notify, timeout, spurious, die, terminate, log, \
                        loopbegin or loopend";
const KEYS: &[&str] = &[
    "program", "main", "options", "strategy", "seed", "finding", "access", "thread", "code",
];

/// A loop without an event is unrolled at once, so it must be short.
const MOST_ACTIONS: u64 = 10_000;

impl Schedule {
    /// Reads the text of a schedule. `file` is only used in errors.
    pub fn parse(file: &str, text: &str) -> Result<Schedule, ScheduleError> {
        let mut parser = Parser::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate() {
            parser.number = index as u32 + 1;
            parser.line(line).map_err(|message| ScheduleError {
                file: file.to_string(),
                line: parser.number,
                message,
            })?;
        }
        match parser.loops.last() {
            None => Ok(parser.schedule),
            Some(open) => Err(ScheduleError {
                file: file.to_string(),
                line: open.line,
                message: "this loopbegin has no end; expected a loopend after it".to_string(),
            }),
        }
    }

    /// As [`parse`](Schedule::parse), from bytes that may not even be text.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Schedule, ScheduleError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Schedule::parse(file, text),
            Err(error) => {
                let before = &bytes[..error.valid_up_to()];
                Err(ScheduleError {
                    file: file.to_string(),
                    line: before.iter().filter(|&&b| b == b'\n').count() as u32 + 1,
                    message: "this is not text; expected a schedule in UTF-8".to_string(),
                })
            }
        }
    }
}

#[derive(Default)]
struct Parser {
    schedule: Schedule,
    number: u32,
    /// Whether a command was read; the header is over then.
    commands: bool,
    loops: Vec<OpenLoop>,
}

struct OpenLoop {
    line: u32,
    has_event: bool,
    actions: u64,
}

impl Parser {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(rest) = log_line(line) {
            return self.log(rest);
        }
        let Words { words, comment } = words::split(line)?;
        let comment = comment.map(|c| one_line(&c));
        let Some((keyword, operands)) = words.split_first() else {
            if comment.is_some() {
                self.push(None, comment);
            }
            return Ok(());
        };
        let mut operands = Operands::new(keyword, operands);
        if keyword == "heddle-schedule" {
            self.version(&mut operands)?;
            operands.end()?;
            self.header_comment(comment);
        } else if KEYS.contains(&keyword.as_str()) {
            self.key(&mut operands)?;
            operands.end()?;
            self.header_comment(comment);
        } else {
            let command = self.command(&mut operands)?;
            operands.end()?;
            self.commands = true;
            self.push(Some(command), comment);
        }
        Ok(())
    }

    fn push(&mut self, command: Option<Command>, comment: Option<String>) {
        self.schedule.lines.push(Line {
            command,
            comment,
            number: self.number,
        });
    }

    /// A comment on a line of the header. Those read before it were comments of the
    /// header too.
    fn header_comment(&mut self, comment: Option<String>) {
        let earlier = self.schedule.lines.drain(..).filter_map(|l| l.comment);
        if let Some(header) = &mut self.schedule.header {
            header.comments.extend(earlier);
            header.comments.extend(comment);
        }
    }

    fn version(&mut self, operands: &mut Operands) -> Result<(), String> {
        if self.commands || self.schedule.header.is_some() {
            return Err("expected `heddle-schedule` once, as the first line".to_string());
        }
        let version = operands.number("the version of the format", 1, u64::from(u32::MAX))?;
        if version > u64::from(VERSION) {
            return Err(format!(
                "the format has version {version}; expected at most {VERSION}, a newer heddle wrote this"
            ));
        }
        self.schedule.header = Some(Header::default());
        Ok(())
    }

    fn key(&mut self, operands: &mut Operands) -> Result<(), String> {
        let key = operands.keyword;
        let Some(header) = &mut self.schedule.header else {
            return Err(format!(
                "`{key}` belongs to a header; expected a first line `heddle-schedule {VERSION}` above it"
            ));
        };
        if self.commands {
            return Err(format!(
                "`{key}` belongs to the header; expected it above the first command"
            ));
        }
        let twice = match key {
            "program" => {
                let digest = operands.digest("the digest of the program")?;
                header.program.replace(digest).is_some()
            }
            "main" => {
                let class = operands.class("the name of the main class")?;
                let arguments = operands.rest();
                header.main.replace(Main { class, arguments }).is_some()
            }
            "options" => {
                let twice = !header.options.is_empty();
                header.options = operands.rest();
                twice
            }
            "strategy" => {
                let name = operands.word("the name of a strategy")?.to_string();
                header.strategy.replace(name).is_some()
            }
            "seed" => {
                let seed = operands.number("a seed", 0, u64::MAX)?;
                header.seed.replace(seed).is_some()
            }
            "finding" => {
                let kind = operands.word("a kind of finding")?.to_string();
                let message = operands.word("its message")?.to_string();
                header.finding.replace((kind, message)).is_some()
            }
            "access" => {
                let access = operands.access()?;
                header.accesses.push(access);
                false
            }
            "thread" => {
                let number = operands.number("the number of a thread", 0, u64::from(u32::MAX))?;
                let path = operands.word("its path, such as / or /0/1")?;
                let path: ThreadPath = path.parse().map_err(|()| {
                    format!("expected the path of a thread, such as / or /0/1, found `{path}`")
                })?;
                let name = operands.word("the name of the thread")?.to_string();
                let number = number as u32;
                if let Some(same) = header.threads.iter().find(|t| t.path == path) {
                    return Err(format!(
                        "thread {} has the path {path} already; expected another",
                        same.number
                    ));
                }
                let twice = header.threads.iter().any(|t| t.number == number);
                header.threads.push(ThreadEntry { number, path, name });
                twice
            }
            _ => {
                let class = operands.class("the name of a class")?;
                let method = operands.method()?;
                let digest = operands.digest("the digest of its code")?;
                let twice = (header.code.iter()).any(|c| c.class == class && c.method == method);
                header.code.push(CodeEntry {
                    class,
                    method,
                    digest,
                });
                twice
            }
        };
        if twice {
            return Err(format!("a second `{key}` for the same thing; expected one"));
        }
        Ok(())
    }

    fn command(&mut self, operands: &mut Operands) -> Result<Command, String> {
        let command = command(self.schedule.header.as_ref(), operands)?;
        self.nest(&command)?;
        Ok(command)
    }

    /// Keeps account of the loops.
    fn nest(&mut self, command: &Command) -> Result<(), String> {
        match command {
            Command::LoopBegin => self.loops.push(OpenLoop {
                line: self.number,
                has_event: false,
                actions: 0,
            }),
            Command::LoopEnd(times) => {
                let Some(closed) = self.loops.pop() else {
                    return Err("expected a loopbegin above this loopend".to_string());
                };
                let actions = match times {
                    Times::Count(times) => closed.actions.max(1).saturating_mul(*times),
                    Times::Forever => u64::MAX,
                };
                if !closed.has_event && actions > MOST_ACTIONS {
                    return Err(format!(
                        "the loop from line {} on never lets the program run; expected a `before` or `in` inside it",
                        closed.line
                    ));
                }
                if let Some(outer) = self.loops.last_mut() {
                    outer.has_event |= closed.has_event;
                    outer.actions = outer.actions.saturating_add(actions);
                }
            }
            other => {
                if let Some(open) = self.loops.last_mut() {
                    open.has_event |= matches!(
                        other,
                        Command::Before(_) | Command::In(_) | Command::Within(_)
                    );
                    open.actions = open.actions.saturating_add(1);
                }
            }
        }
        Ok(())
    }

    fn log(&mut self, rest: &str) -> Result<(), String> {
        let (command, comment) = log_command(rest)?;
        self.nest(&command)?;
        self.commands = true;
        self.push(Some(command), comment);
        Ok(())
    }
}

/// Reads a command; threads must be those of the header, if it has any.
pub(super) fn command(header: Option<&Header>, operands: &mut Operands) -> Result<Command, String> {
    let thread = |operands: &mut Operands| numbered(header, "the number of a thread", operands);
    Ok(match operands.keyword {
        "before" => Command::Before(operands.point()?),
        "in" => Command::In(operands.point()?),
        "within" => Command::Within(operands.point()?),
        "switch" => Command::Switch(target(header, operands)?),
        "die" => Command::Die(target(header, operands)?),
        "notify" => Command::Notify(thread(operands)?),
        "timeout" => Command::Timeout(thread(operands)?),
        "spurious" => Command::Spurious(thread(operands)?),
        "terminate" => Command::Terminate,
        "loopbegin" => Command::LoopBegin,
        "loopend" => {
            let what = "how often the loop is run (a number from 1 on, or inf)";
            match operands.peek() {
                Some("inf") => {
                    operands.word(what)?;
                    Command::LoopEnd(Times::Forever)
                }
                _ => Command::LoopEnd(Times::Count(operands.number(what, 1, i64::MAX as u64)?)),
            }
        }
        unknown => {
            return Err(format!("unknown command `{unknown}`; expected {COMMANDS}"));
        }
    })
}

/// A thread, or `none`.
fn target(header: Option<&Header>, operands: &mut Operands) -> Result<Option<u32>, String> {
    if operands.peek() == Some("none") {
        operands.word("")?;
        return Ok(None);
    }
    numbered(header, "the number of a thread or `none`", operands).map(Some)
}

pub(super) fn numbered(
    header: Option<&Header>,
    what: &str,
    operands: &mut Operands,
) -> Result<u32, String> {
    let number = operands.number(what, 0, u64::from(u32::MAX))? as u32;
    let table = header.map_or(&[][..], |h| &h.threads);
    if !table.is_empty() && !table.iter().any(|t| t.number == number) {
        let known: Vec<String> = table.iter().map(|t| t.number.to_string()).collect();
        return Err(format!(
            "there is no thread {number}; expected one of the header: {}",
            known.join(", ")
        ));
    }
    Ok(number)
}

/// `log`: its message runs to the end of the line or a `#`, quotes and all.
pub(super) fn log_command(rest: &str) -> Result<(Command, Option<String>), String> {
    let (text, comment) = match rest.split_once('#') {
        Some((text, comment)) => (text, Some(one_line(comment))),
        None => (rest, None),
    };
    let text = one_line(text);
    let (level, message) = text.split_once(' ').unwrap_or((&text, ""));
    let Some(level) = number(level).and_then(|l| LogLevel::new(l.try_into().ok()?)) else {
        return Err(format!("expected a log level from 1 to 4, found `{level}`"));
    };
    let message = message.to_string();
    Ok((Command::Log { level, message }, comment))
}

/// What follows the word `log` if a line begins with it.
pub(super) fn log_line(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("log")?;
    let ends = rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || c == '#');
    ends.then_some(rest)
}

/// The words after the first of a line, taken one after the other.
pub(super) struct Operands<'a> {
    keyword: &'a str,
    words: std::slice::Iter<'a, String>,
    /// What was taken last, to say what surplus words follow.
    taken: usize,
}

impl<'a> Operands<'a> {
    pub(super) fn new(keyword: &'a str, words: &'a [String]) -> Self {
        Operands {
            keyword,
            words: words.iter(),
            taken: 0,
        }
    }

    fn peek(&self) -> Option<&'a str> {
        self.words.as_slice().first().map(String::as_str)
    }

    fn word(&mut self, what: &str) -> Result<&'a str, String> {
        self.taken += 1;
        match self.words.next() {
            Some(word) => Ok(word),
            None => Err(format!(
                "expected {what} after `{}`, found the end of the line",
                self.keyword
            )),
        }
    }

    fn rest(&mut self) -> Vec<String> {
        self.words.by_ref().cloned().collect()
    }

    pub(super) fn end(&mut self) -> Result<(), String> {
        match self.words.next() {
            None => Ok(()),
            Some(word) => Err(format!(
                "`{}` takes {}; expected the end of the line, found `{word}`",
                self.keyword,
                match self.taken {
                    0 => "nothing".to_string(),
                    1 => "one word".to_string(),
                    n => format!("{n} words"),
                }
            )),
        }
    }

    fn number(&mut self, what: &str, least: u64, most: u64) -> Result<u64, String> {
        let word = self.word(what)?;
        match number(word) {
            Some(number) if (least..=most).contains(&number) => Ok(number),
            Some(_) => Err(format!(
                "expected {what}, from {least} to {most}, found `{word}`"
            )),
            None => Err(format!("expected {what}, found `{word}`")),
        }
    }

    /// A number that may be negative.
    pub(super) fn signed(&mut self, what: &str) -> Result<i64, String> {
        let word = self.word(what)?;
        let digits = word.strip_prefix('-').unwrap_or(word);
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let value = plain.then(|| word.parse().ok()).flatten();
        value.ok_or_else(|| format!("expected {what}, found `{word}`"))
    }

    fn digest(&mut self, what: &str) -> Result<String, String> {
        let word = self.word(what)?;
        let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if word.is_empty() || !word.bytes().all(hex) {
            return Err(format!(
                "expected {what} in hexadecimal (0-9, a-f), found `{word}`"
            ));
        }
        Ok(word.to_string())
    }

    fn class(&mut self, what: &str) -> Result<String, String> {
        let word = self.word(what)?;
        if word.is_empty() {
            return Err(format!("expected {what}, found nothing in quotes"));
        }
        // Class files write slashes; people write dots.
        Ok(word.replace('/', "."))
    }

    fn method(&mut self) -> Result<MethodName, String> {
        let what = "a method, such as run()V or its position in the class file";
        let word = self.word(what)?;
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        if digits && let Some(position) = number(word).and_then(|n| u32::try_from(n).ok()) {
            return Ok(MethodName::Position(position));
        }
        let (name, descriptor) = match word.find('(') {
            Some(at) => (&word[..at], Some(&word[at..])),
            None => (word, None),
        };
        let closed = descriptor.is_none_or(|d| d.find(')').is_some_and(|at| at + 1 < d.len()));
        if name.is_empty() || digits || !closed {
            return Err(format!("expected {what}, found `{word}`"));
        }
        Ok(MethodName::Named {
            name: name.to_string(),
            descriptor: descriptor.map(str::to_string),
        })
    }

    fn place(&mut self) -> Result<CodePlace, String> {
        let class = self.class("the name of a class")?;
        let method = self.method()?;
        let index = self.number("the index of a bytecode", 0, u64::from(u16::MAX))? as u16;
        Ok(CodePlace {
            class,
            method,
            index,
        })
    }

    fn point(&mut self) -> Result<Point, String> {
        let place = self.place()?;
        let count = self.number("a count of executions", 1, i64::MAX as u64)?;
        Ok(Point { place, count })
    }

    fn access(&mut self) -> Result<AccessEntry, String> {
        let thread = self.number("the number of a thread", 0, u64::from(u32::MAX))? as u32;
        let word = self.word("read, write or call")?;
        let kind = AccessKind::ALL.into_iter().find(|k| k.name() == word);
        let kind = kind.ok_or_else(|| format!("expected read, write or call, found `{word}`"))?;
        let place = self.place()?;
        let value = match kind {
            AccessKind::Call => None,
            _ => Some(self.word("what was read or written")?.to_string()),
        };
        Ok(AccessEntry {
            thread,
            kind,
            place,
            value,
        })
    }
}

/// A number in plain digits: no sign, nothing else.
fn number(word: &str) -> Option<u64> {
    word.bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| word.parse().ok())
        .flatten()
}
