//! The report for people: the sentence that names the defect, the story in columns, one
//! per thread, the threads as they were left, and the summary.
//!
//! If the terminal is too narrow for the columns, the story is a list with the name of
//! the thread on each line. Widths count characters, so wide scripts may not line up.

use crate::relevant::relevant;
use crate::source::Sources;
use heddle_model::report::{Act, Deed, Error, Missing, Report, ThreadStory, Verdict};
use heddle_model::{Frame, simple_name};

/// How to lay it out.
#[derive(Debug)]
pub struct Layout<'a> {
    /// Colours, for terminals that have them.
    pub colours: bool,
    /// Characters per line.
    pub width: usize,
    /// All of the story instead of what matters.
    pub full: bool,
    pub sources: &'a Sources,
}

/// The whole report.
pub fn text(report: &Report, layout: &Layout<'_>) -> String {
    let mut out = Out {
        text: String::new(),
        layout,
    };
    for (index, error) in report.errors.iter().enumerate() {
        if index > 0 {
            out.line("");
        }
        out.error(error);
    }
    if !report.errors.is_empty() {
        out.line("");
    }
    for missing in &report.unsupported {
        out.missing(missing);
    }
    out.summary(report);
    out.text
}

/// One act on a line of its own, as `--trace` shows it while the program runs.
pub fn live(act: &Act, thread: &str, layout: &Layout<'_>) -> String {
    let out = Out {
        text: String::new(),
        layout,
    };
    let at = act
        .at
        .as_ref()
        .map_or(String::new(), |at| format!("{} ", short(at)));
    let thread = out.paint(Paint::Bold, &clean(thread));
    format!(
        "{thread}: {}\n",
        clean(&format!("{at}{}", sentence(&act.deed)))
    )
}

#[derive(Clone, Copy)]
enum Paint {
    Bold,
    Dim,
    Red,
    Green,
    Yellow,
    Cyan,
}

struct Out<'a> {
    text: String,
    layout: &'a Layout<'a>,
}

impl Out<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn paint(&self, paint: Paint, text: &str) -> String {
        if !self.layout.colours || text.is_empty() {
            return text.to_string();
        }
        let code = match paint {
            Paint::Bold => 1,
            Paint::Dim => 2,
            Paint::Red => 31,
            Paint::Green => 32,
            Paint::Yellow => 33,
            Paint::Cyan => 36,
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }

    fn error(&mut self, error: &Error) {
        let paint = if error.potential {
            Paint::Yellow
        } else {
            Paint::Red
        };
        let note = if error.potential {
            "Potential (no schedule confirmed it): "
        } else {
            ""
        };
        for line in wrap(&format!("{note}{}", error.message), self.layout.width) {
            let line = self.paint(paint, &line);
            self.line(&line);
        }
        if !error.trace.is_empty() {
            self.line("");
            self.story(error);
        }
        if !error.threads.is_empty() {
            self.line("");
            self.threads(&error.threads);
        }
        if let Some(file) = &error.schedule_file {
            self.line("");
            let shown = format!(
                "Schedule {} of the search, kept in {file}",
                error.schedule_index
            );
            self.line(&shown);
        }
        if let Some(command) = &error.replay {
            let command = self.paint(Paint::Bold, command);
            self.line(&format!("Replay: {command}"));
        }
        if let Some(said) = &error.on_jvm {
            let mut chars = said.chars();
            let first = chars.next().map(|c| c.to_ascii_uppercase());
            let said: String = first.into_iter().chain(chars).collect();
            for line in wrap(&format!("{said}."), self.layout.width) {
                self.line(&line);
            }
        }
    }

    fn story(&mut self, error: &Error) {
        let trace = &error.trace;
        let shown = match self.layout.full {
            true => vec![true; trace.len()],
            false => relevant(trace),
        };
        let mut threads: Vec<usize> = Vec::new();
        for act in trace {
            if !threads.contains(&act.thread) && act.thread < error.threads.len() {
                threads.push(act.thread);
            }
        }
        threads.sort();
        let table = Table::new(&threads, trace.len(), self.layout.width);
        let names = threads.iter().map(|&t| error.threads[t].name.as_str());
        self.head(&table, &names.collect::<Vec<_>>());
        // Where the thread stood on the line above; said again when another one ran.
        let mut stood: Option<(usize, String)> = None;
        for (index, act) in trace.iter().enumerate() {
            let column = threads.iter().position(|&t| t == act.thread);
            let (true, Some(column)) = (shown[index], column) else {
                continue;
            };
            let from = error.threads[act.thread].name.as_str();
            if let Deed::Switch { to, why } = &act.deed {
                stood = None;
                let arrow = format!("{from} → {to}: {why}");
                let room = self.layout.width.saturating_sub(table.gutter + 3);
                for (row, line) in wrap(&arrow, room).iter().enumerate() {
                    let line = self.paint(Paint::Yellow, line);
                    let (gap, dash) = (table.gutter, if row == 0 { "──" } else { "  " });
                    self.line(&format!("{:gap$}{dash} {line}", ""));
                }
                continue;
            }
            let place = act.at.as_ref().map(short).unwrap_or_default();
            let mut cell: Vec<(Paint, String)> = Vec::new();
            if stood.as_ref() != Some(&(act.thread, place.clone())) {
                let source = act.at.as_ref().and_then(|at| self.layout.sources.line(at));
                let source = source.map_or(String::new(), |s| format!("  {s}"));
                let head = format!("{place}{source}");
                cell.extend(
                    wrap(&head, table.column)
                        .into_iter()
                        .map(|l| (Paint::Dim, l)),
                );
            }
            stood = Some((act.thread, place));
            let indent = table.column.saturating_sub(2);
            let deed = wrap(&sentence(&act.deed), indent);
            cell.extend(
                deed.into_iter()
                    .map(|l| (colour(&act.deed), format!("  {l}"))),
            );
            self.cells(&table, index + 1, column, from, &cell);
        }
    }

    fn head(&mut self, table: &Table, names: &[&str]) {
        if table.listed {
            return;
        }
        let gap = table.gutter;
        let (mut line, mut rule) = (format!("{:gap$}", ""), format!("{:gap$}", ""));
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                line.push_str(" │ ");
                rule.push_str("─┼─");
            }
            let name: String = clean(name).chars().take(table.column).collect();
            line.push_str(&self.paint(Paint::Bold, &pad(&name, table.column)));
            rule.push_str(&"─".repeat(table.column));
        }
        self.line(&line);
        self.line(&rule);
    }

    /// One act: a number, and some lines in the column of its thread.
    fn cells(
        &mut self,
        table: &Table,
        number: usize,
        column: usize,
        thread: &str,
        cell: &[(Paint, String)],
    ) {
        for (row, (paint, text)) in cell.iter().enumerate() {
            let number = if row == 0 {
                number.to_string()
            } else {
                String::new()
            };
            let gutter = table.gutter - 1;
            let mut line = self.paint(Paint::Dim, &format!("{number:>gutter$}"));
            line.push(' ');
            let mut text = text.as_str();
            if table.listed && row == 0 {
                let name = format!("{}: ", clean(thread));
                line.push_str(&self.paint(Paint::Bold, &name));
                text = text.trim_start();
            }
            for other in 0..table.columns {
                let last = other + 1 == table.columns;
                if other == column || table.listed {
                    line.push_str(&self.paint(*paint, text));
                    let missing = table.column.saturating_sub(text.chars().count());
                    line.push_str(&" ".repeat(missing));
                } else {
                    line.push_str(&" ".repeat(table.column));
                }
                if !last {
                    line.push_str(" │ ");
                }
            }
            self.line(&line);
        }
    }

    fn threads(&mut self, threads: &[ThreadStory]) {
        for thread in threads {
            let name = self.paint(Paint::Bold, &clean(&thread.name));
            let mut line = format!("{name} is {}", thread.state);
            if !thread.holds.is_empty() {
                line += &format!(", holds {}", clean(&thread.holds.join(", ")));
            }
            if let Some(wants) = &thread.wants {
                line += &format!(", wants {}", clean(wants));
            }
            self.line(&line);
            self.stack(&thread.stack);
        }
    }

    fn stack(&mut self, stack: &[Frame]) {
        // The middle of a deep stack says little.
        let (top, bottom) = match self.layout.full || stack.len() <= 12 {
            true => (stack.len(), stack.len()),
            false => (8, stack.len() - 3),
        };
        for (index, frame) in stack.iter().enumerate() {
            if index < top || index >= bottom {
                let line = self.paint(Paint::Dim, &format!("    at {}", clean(&java(frame))));
                self.line(&line);
            } else if index == top {
                self.line(&format!("    … {} more", bottom - top));
            }
        }
    }

    fn missing(&mut self, missing: &Missing) {
        let line = format!("Heddle cannot run {} yet:", clean(&missing.what));
        let line = self.paint(Paint::Yellow, &line);
        self.line(&line);
        self.stack(&missing.stack);
        self.line("");
    }

    fn summary(&mut self, report: &Report) {
        let real = report.errors.iter().filter(|e| !e.potential).count();
        let potential = report.errors.len() - real;
        let (paint, mut verdict) = match report.verdict {
            Verdict::Ok => (Paint::Green, "No schedule breaks it".to_string()),
            Verdict::Error => (Paint::Red, plural(real as u64, "error")),
            Verdict::Incomplete => (Paint::Yellow, "Nothing found so far".to_string()),
            Verdict::Unsupported => (Paint::Yellow, "No answer".to_string()),
        };
        if potential > 0 {
            verdict += &format!(", {} potential", potential);
        }
        let verdict = self.paint(paint, &verdict);
        let seed = report.seed.map_or(String::new(), |s| format!(", seed {s}"));
        self.line(&format!(
            "{verdict}: {} in {:.2} s ({}{seed}; {}, {})",
            plural(report.schedules, "schedule"),
            report.seconds,
            report.strategy,
            plural(report.choice_points, "choice point"),
            plural(report.bytecodes, "bytecode"),
        ));
        let explored = match (report.complete, report.explored) {
            (true, _) => "Every behaviour within the assumptions was explored.".to_string(),
            (false, Some(share)) => format!(
                "Not everything was explored: about {:.1} % of it.",
                100.0 * share.clamp(0.0, 1.0)
            ),
            (false, None) => "Not everything was explored.".to_string(),
        };
        self.line(&explored);
        self.bullets("Ended by", &report.bounds);
        self.bullets("Assumed", &report.assumptions);
    }

    fn bullets(&mut self, title: &str, items: &[String]) {
        for item in items {
            let hang = " ".repeat(title.chars().count() + 2);
            let lines = wrap(item, self.layout.width.saturating_sub(hang.len()));
            for (index, line) in lines.iter().enumerate() {
                match index {
                    0 => self.line(&format!("{title}: {line}")),
                    _ => self.line(&format!("{hang}{line}")),
                }
            }
        }
    }
}

/// Columns of equal width, or a list where they would be too narrow to read.
struct Table {
    gutter: usize,
    columns: usize,
    column: usize,
    listed: bool,
}

const NARROWEST: usize = 24;
const WIDEST: usize = 60;

impl Table {
    fn new(threads: &[usize], acts: usize, width: usize) -> Table {
        let gutter = acts.to_string().len() + 1;
        let columns = threads.len().max(1);
        let room = width.saturating_sub(gutter + 3 * (columns - 1));
        let column = (room / columns).min(WIDEST);
        if column < NARROWEST && columns > 1 {
            let column = width.saturating_sub(gutter).max(NARROWEST);
            return Table {
                gutter,
                columns: 1,
                column,
                listed: true,
            };
        }
        Table {
            gutter,
            columns,
            column: column.max(NARROWEST),
            listed: false,
        }
    }
}

fn sentence(deed: &Deed) -> String {
    match deed {
        Deed::Read { place, value } => format!("reads {place} = {value}"),
        Deed::Write { place, value } => format!("writes {place} = {value}"),
        Deed::Lock(lock) => format!("locks {lock}"),
        Deed::Unlock(lock) => format!("unlocks {lock}"),
        Deed::Blocked { lock, owner } => format!("wants {lock}, held by {owner}"),
        Deed::Wait(on) => format!("waits on {on}"),
        Deed::Notify { object, woken } if woken.is_empty() => {
            format!("notifies {object}: nobody waits")
        }
        Deed::Notify { object, woken } => format!("notifies {object}: wakes {}", woken.join(", ")),
        Deed::Park => "parks".to_string(),
        Deed::Unpark(whom) => format!("unparks {whom}"),
        Deed::Interrupt(whom) => format!("interrupts {whom}"),
        Deed::Start(whom) => format!("starts {whom}"),
        Deed::End => "ends".to_string(),
        Deed::Call(method) => format!("calls {method}"),
        Deed::Return(method) => format!("returns from {method}"),
        Deed::Throw(what) => format!("throws {what}"),
        Deed::Print(text) => format!("prints {}", text.trim_end()),
        Deed::Switch { to, why } => format!("→ {to}: {why}"),
    }
}

fn colour(deed: &Deed) -> Paint {
    match deed {
        Deed::Lock(_) | Deed::Unlock(_) | Deed::Wait(_) | Deed::Notify { .. } => Paint::Cyan,
        Deed::Blocked { .. } | Deed::Throw(_) => Paint::Red,
        _ => Paint::Bold,
    }
}

/// `Bank.java:12`, or the method where there is no line.
fn short(frame: &Frame) -> String {
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        _ => format!("{}.{}", simple_name(&frame.class), frame.method),
    }
}

/// A frame as Java prints it, so that editors make a link of it.
fn java(frame: &Frame) -> String {
    let place = match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.clone(),
        (None, _) => "Unknown Source".to_string(),
    };
    format!("{}.{}({place})", frame.class, frame.method)
}

fn plural(count: u64, what: &str) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped} {what}{}", if count == 1 { "" } else { "s" })
}

fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

/// Control characters of the program's strings become blanks: they must not reach a
/// terminal.
fn clean(text: &str) -> String {
    let blank = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(blank).collect()
}

/// Lines of at most `width` characters, broken at blanks where there are any.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let text = clean(text);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let length = word.trim_end().chars().count();
        if used > 0 && used + length > width {
            lines.push(String::new());
            used = 0;
        }
        for c in word.chars() {
            if used == width && c != ' ' {
                lines.push(String::new());
                used = 0;
            }
            if used < width && !(used == 0 && c == ' ' && lines.len() > 1) {
                lines.last_mut().expect("never empty").push(c);
                used += 1;
            }
        }
    }
    lines.iter().map(|l| l.trim_end().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::{plural, wrap};

    #[test]
    fn lines_are_broken_at_blanks_or_anywhere() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghijkl", 8), ["abcdefgh", "ijkl"]);
        assert_eq!(wrap("12345678 x", 8), ["12345678", "x"]);
        assert_eq!(wrap("a\x1b[31m\nb", 20), ["a [31m b"]);
        assert_eq!(wrap("", 8), [""]);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(plural(1, "error"), "1 error");
        assert_eq!(plural(1234567, "bytecode"), "1,234,567 bytecodes");
        assert_eq!(plural(123, "x"), "123 xs");
    }
}
