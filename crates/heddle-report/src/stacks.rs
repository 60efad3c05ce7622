//! Threads and their stacks, as they were left.
//!
//! How the library does what it does is folded into one line, down to the frame that the
//! program called; the middle of a deep stack says little and is left out too. Threads that stand at
//! the same place for the same reason are shown as one.

use crate::page::{Page, Paint, clean};
use crate::words::{few, java, list};
use heddle_model::FindingKind;
use heddle_model::report::{Error, StackFrame, ThreadStory};

/// A longer stack is cut in the middle.
const DEEPEST: usize = 16;

/// The threads: those that the error is about, the others, and those that have ended in
/// one line. Stacks of the others are of interest where it is about who waits for whom.
pub(crate) fn threads(page: &mut Page<'_>, error: &Error) {
    let threads = &error.threads;
    let is_over = |t: &&ThreadStory| t.state == "TERMINATED" && t.threw.is_none();
    let waiting = matches!(
        error.kind,
        FindingKind::Deadlock | FindingKind::LockCycle | FindingKind::ConditionDeadlock
    );
    let accesses = matches!(error.kind, FindingKind::Race | FindingKind::LockDiscipline);
    let (named, others): (Vec<&ThreadStory>, Vec<&ThreadStory>) = threads
        .iter()
        .filter(|t| !(is_over(t) && !(t.named && accesses)))
        .partition(|t| t.named);
    let mut groups: Vec<Group<'_>> = Vec::new();
    for thread in named.into_iter().chain(others) {
        let shows = thread.named || waiting || page.full();
        let group = Group {
            names: vec![page.paint(Paint::Bold, &clean(&thread.name))],
            did: accesses && thread.named,
            like: thread,
            stack: if shows { &thread.stack } else { &[] },
        };
        match groups
            .iter_mut()
            .find(|g| !page.full() && g.is_like(&group))
        {
            Some(alike) => alike.names.extend(group.names),
            None => groups.push(group),
        }
    }
    for group in groups {
        page.line(&group.line());
        stack(page, group.stack);
    }
    let over: Vec<String> = threads
        .iter()
        .filter(is_over)
        .filter(|t| !(t.named && accesses))
        .map(|t| clean(&t.name))
        .collect();
    if !over.is_empty() {
        let have = if over.len() == 1 { "has" } else { "have" };
        page.paragraph(None, "", &format!("{} {have} ended", few(&over)));
    }
}

/// Threads that stand at the same place for the same reason.
struct Group<'a> {
    names: Vec<String>,
    /// One of the two accesses of a race.
    did: bool,
    like: &'a ThreadStory,
    /// What is shown of it.
    stack: &'a [StackFrame],
}

impl Group<'_> {
    fn is_like(&self, other: &Group<'_>) -> bool {
        let (one, two) = (self.like, other.like);
        let told = |t: &ThreadStory| t.threw.is_some() || !t.holds.is_empty();
        let alone = self.did || other.did || told(one) || told(two);
        let same = (&one.state, &one.wants, self.stack) == (&two.state, &two.wants, other.stack);
        !alone && same && one.named == two.named
    }

    fn line(&self) -> String {
        let names = few(&self.names);
        let thread = self.like;
        let (is, s) = match self.names.len() {
            1 => ("is", "s"),
            _ => ("are", ""),
        };
        let mut line = match (&thread.threw, &thread.wants) {
            (Some(exception), _) => format!("{names} threw {}", clean(exception)),
            _ if self.did => format!("{names}, when it did that"),
            (None, Some(wants)) if thread.state == "BLOCKED" => {
                format!("{names} {is} BLOCKED: want{s} {}", clean(wants))
            }
            (None, Some(wants)) if thread.state == "RUNNABLE" => {
                format!("{names} {is} RUNNABLE: wait{s} for {}", clean(wants))
            }
            (None, Some(wants)) => format!("{names} {is} {} for {}", thread.state, clean(wants)),
            (None, None) => format!("{names} {is} {}", thread.state),
        };
        if !thread.holds.is_empty() {
            line += &format!("; holds {}", clean(&list(&thread.holds)));
        }
        line
    }
}

pub(crate) fn stack(page: &mut Page<'_>, stack: &[StackFrame]) {
    let lines = match page.full() {
        true => stack.iter().map(Line::Frame).collect(),
        false => folded(stack),
    };
    let (top, bottom) = match page.full() || lines.len() <= DEEPEST {
        true => (lines.len(), lines.len()),
        false => (DEEPEST - 4, lines.len() - 3),
    };
    for (index, line) in lines.iter().enumerate() {
        if index == top && top < bottom {
            page.line(&format!("    … {} more", bottom - top));
        }
        if (top..bottom).contains(&index) {
            continue;
        }
        let text = match line {
            Line::Frame(frame) => {
                let source = page.source(&frame.frame).filter(|_| !frame.trusted);
                let source = source.map_or(String::new(), |s| format!("    {s}"));
                format!("    at {}{source}", java(&frame.frame))
            }
            Line::Folded(count, package) => {
                let s = if *count == 1 { "" } else { "s" };
                format!("    … {count} frame{s} of {package}")
            }
        };
        let text = page.paint(Paint::Dim, &clean(&text));
        page.line(&text);
    }
}

enum Line<'a> {
    Frame(&'a StackFrame),
    Folded(usize, String),
}

/// Frames of the library that no frame of the program called directly, folded.
fn folded(stack: &[StackFrame]) -> Vec<Line<'_>> {
    if stack.iter().all(|f| f.trusted) {
        return stack.iter().map(Line::Frame).collect();
    }
    let mut lines = Vec::new();
    let mut run: Vec<&StackFrame> = Vec::new();
    for frame in stack {
        if frame.trusted {
            run.push(frame);
            continue;
        }
        // The last one is what the program called.
        if let Some(called) = run.pop() {
            fold(&run, &mut lines);
            lines.push(Line::Frame(called));
            run.clear();
        }
        lines.push(Line::Frame(frame));
    }
    // Below the program there is only what every thread begins with.
    if run.iter().any(|f| f.frame.class != "java.lang.Thread") {
        fold(&run, &mut lines);
    }
    lines
}

fn fold<'a>(run: &[&'a StackFrame], lines: &mut Vec<Line<'a>>) {
    // One frame is no longer than the line that would stand for it, and says no more.
    if run.len() < 2 {
        return;
    }
    let package = |f: &&StackFrame| {
        let package = f.frame.class.rsplit_once('.').map_or("", |(p, _)| p);
        package.to_string()
    };
    let mut packages: Vec<String> = run.iter().map(package).collect();
    packages.sort();
    packages.dedup();
    // One package and those below it are named by the one.
    let mut shown: Vec<String> = Vec::new();
    for package in packages {
        let within = |outer: &String| package.starts_with(&format!("{outer}."));
        if !shown.iter().any(within) {
            shown.push(package);
        }
    }
    lines.push(Line::Folded(run.len(), list(&shown)));
}
