//! The story of an error in columns, one per thread that takes part in it.
//!
//! Columns are as wide as what is in them, as far as the terminal allows. Where they would be
//! too narrow to read, each thread has a lane of two characters instead, and what it does
//! stands behind the lanes with its name; with very many threads the lanes go too. Widths
//! count characters, so wide scripts may not line up.

use crate::page::{Page, Paint, clean, pad, wrap};
use crate::words::{few, sentence, short};
use heddle_model::report::{Act, Deed, Error};
use std::collections::BTreeSet;

/// Below this a column is too narrow, above it it gets no wider.
const NARROWEST: usize = 22;
const WIDEST: usize = 64;
const GAP: &str = " │ ";

/// Writes the story, or what matters of it.
pub(crate) fn story(page: &mut Page<'_>, error: &Error) {
    let rows = rows(page, error);
    let mut threads: Vec<usize> = rows.iter().filter_map(Row::thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let gutter = rows.len().to_string().len() + 1;
    let name = |t: usize| clean(&error.threads[t].name);
    let natural: Vec<usize> = threads
        .iter()
        .map(|&t| {
            let own = rows.iter().filter(|r| r.thread() == Some(t));
            let widest = own.map(Row::width).max().unwrap_or(0);
            widest.max(name(t).chars().count()).min(WIDEST)
        })
        .collect();
    let room = page.width().saturating_sub(gutter);
    let names: Vec<String> = threads.iter().map(|&t| name(t)).collect();
    match fit(&natural, room) {
        Some(widths) => table(page, &rows, &threads, &names, &widths, gutter),
        None => lanes(page, &rows, &threads, &names, gutter),
    }
}

/// One row of the story.
enum Row {
    Act {
        thread: usize,
        /// Where, and the source there; empty if that has just been said.
        place: String,
        deed: String,
        paint: Paint,
        named: bool,
    },
    Switch(String),
}

impl Row {
    fn thread(&self) -> Option<usize> {
        match self {
            Row::Act { thread, .. } => Some(*thread),
            Row::Switch(_) => None,
        }
    }

    /// Characters of its longest line.
    fn width(&self) -> usize {
        match self {
            Row::Act { place, deed, .. } => {
                let mark = if self.is_named() { 2 } else { 0 };
                place.chars().count().max(deed.chars().count() + 2 + mark)
            }
            Row::Switch(_) => 0,
        }
    }

    fn is_named(&self) -> bool {
        matches!(self, Row::Act { named: true, .. })
    }

    /// Its lines at most this wide.
    fn lines(&self, width: usize) -> Vec<(Paint, String)> {
        let Row::Act {
            place,
            deed,
            paint,
            named,
            ..
        } = self
        else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        if !place.is_empty() {
            lines.extend(wrap(place, width).into_iter().map(|l| (Paint::Dim, l)));
        }
        let mark = if *named { " ◄" } else { "" };
        let deed = wrap(&format!("{deed}{mark}"), width.saturating_sub(2));
        lines.extend(deed.into_iter().map(|l| (*paint, format!("  {l}"))));
        lines
    }
}

/// The rows that are shown. Several switches in a row are one, and one that leads back to
/// where it came from is none.
fn rows(page: &Page<'_>, error: &Error) -> Vec<Row> {
    let mut rows = Vec::new();
    // Who ran before the switches that were passed, and why it did not go on.
    let mut switch: Option<(usize, &str)> = None;
    let mut stood: Option<(usize, String)> = None;
    let shown = |act: &&Act| (page.full() || act.matters) && act.thread < error.threads.len();
    let by = bystanders(error, page.full());
    let mut acts = error.trace.iter().filter(shown).peekable();
    while let Some(act) = acts.next() {
        if let Deed::Switch { why, .. } = &act.deed {
            switch.get_or_insert((act.thread, why));
            continue;
        }
        if let Some((from, why)) = switch.take()
            && from != act.thread
        {
            let name = |t: usize| error.threads[t].name.as_str();
            rows.push(Row::Switch(format!(
                "{} → {}: {why}",
                name(from),
                name(act.thread)
            )));
            stood = None;
        }
        let mut deed = sentence(&act.deed);
        if let Deed::Start(first) = &act.deed
            && by.contains(first.as_str())
        {
            let mut names = vec![first.clone()];
            while let Some(next) = acts.next_if(|next| starts_too(act, next, &by)) {
                if let Deed::Start(name) = &next.deed {
                    names.push(name.clone());
                }
            }
            deed = format!("starts {}", few(&names));
        }
        let at = act.at.as_ref().map(short).unwrap_or_default();
        let said = stood.as_ref() == Some(&(act.thread, at.clone()));
        let source = act.at.as_ref().filter(|_| !said);
        let source = source.and_then(|at| page.source(at));
        let place = match (said, source) {
            (true, _) => String::new(),
            (false, Some(source)) => format!("{at}  {source}"),
            (false, None) => at.clone(),
        };
        stood = Some((act.thread, at));
        rows.push(Row::Act {
            thread: act.thread,
            place: clean(&place),
            deed: clean(&deed),
            paint: match act.named {
                true => Paint::Red,
                false => colour(&act.deed),
            },
            named: act.named,
        });
    }
    rows
}

/// Threads that are started in the story and do nothing else in it, if there are many.
fn bystanders(error: &Error, full: bool) -> BTreeSet<&str> {
    const MANY: usize = 4;
    let name = |t: usize| error.threads.get(t).map(|thread| thread.name.as_str());
    let acts = error.trace.iter().filter(|a| a.matters);
    let acting = acts
        .clone()
        .filter(|a| !matches!(a.deed, Deed::Switch { .. }));
    let acting: BTreeSet<&str> = acting.filter_map(|a| name(a.thread)).collect();
    let started = acts.filter_map(|a| match &a.deed {
        Deed::Start(whom) if !acting.contains(whom.as_str()) => Some(whom.as_str()),
        _ => None,
    });
    let by: BTreeSet<&str> = started.collect();
    match full || by.len() < MANY {
        true => BTreeSet::new(),
        false => by,
    }
}

/// Whether a thread starts another bystander at the same place as the one before.
fn starts_too(before: &Act, act: &Act, by: &BTreeSet<&str>) -> bool {
    let starts = matches!(&act.deed, Deed::Start(whom) if by.contains(whom.as_str()));
    starts && (act.thread, &act.at) == (before.thread, &before.at)
}

/// Widths that fit, the widest columns giving way first.
fn fit(natural: &[usize], room: usize) -> Option<Vec<usize>> {
    let gaps = GAP.chars().count() * natural.len().saturating_sub(1);
    let room = room.checked_sub(gaps)?;
    let mut widths = natural.to_vec();
    let least = |width: usize| width.min(NARROWEST);
    while widths.iter().sum::<usize>() > room {
        let at = (0..widths.len()).max_by_key(|&i| widths[i])?;
        if widths[at] <= least(natural[at]) {
            return None;
        }
        widths[at] -= 1;
    }
    Some(widths)
}

fn table(
    page: &mut Page<'_>,
    rows: &[Row],
    threads: &[usize],
    names: &[String],
    widths: &[usize],
    gutter: usize,
) {
    let blank = " ".repeat(gutter);
    let head = names.iter().zip(widths).map(|(name, &width)| {
        let cut: String = name.chars().take(width).collect();
        page.paint(Paint::Bold, &pad(&cut, width))
    });
    let head = head.collect::<Vec<_>>().join(GAP);
    page.line(&format!("{blank}{head}"));
    let rule: Vec<String> = widths.iter().map(|&w| "─".repeat(w)).collect();
    page.line(&format!("{blank}{}", rule.join("─┼─")));
    let mut number = 0;
    for row in rows {
        let Some(thread) = row.thread() else {
            switch_row(page, row, gutter);
            continue;
        };
        number += 1;
        let column = threads.iter().position(|t| *t == thread).unwrap_or(0);
        for (index, (paint, text)) in row.lines(widths[column]).into_iter().enumerate() {
            let mut line = count(page, number, index, gutter);
            let cells = widths
                .iter()
                .enumerate()
                .map(|(i, &width)| match i == column {
                    true => page.paint(paint, &text) + &" ".repeat(width - text.chars().count()),
                    false => " ".repeat(width),
                });
            line += &cells.collect::<Vec<_>>().join(GAP);
            page.line(&line);
        }
    }
}

fn lanes(page: &mut Page<'_>, rows: &[Row], threads: &[usize], names: &[String], gutter: usize) {
    // Lanes are for the eye; they must leave room for the words.
    let with_lanes = 2 * threads.len() <= page.width() / 3;
    let lane = |thread: Option<usize>, first: bool| -> String {
        if !with_lanes {
            return String::new();
        }
        let mark = |t: &usize| match thread == Some(*t) && first {
            true => "● ",
            false => "│ ",
        };
        threads.iter().map(mark).collect()
    };
    let indent = gutter + if with_lanes { 2 * threads.len() } else { 0 };
    let room = page.width().saturating_sub(indent);
    if with_lanes {
        for (index, name) in names.iter().enumerate() {
            let before: String = (0..index).map(|_| "│ ").collect();
            let name = page.paint(Paint::Bold, name);
            page.line(&format!("{}{before}┌ {name}", " ".repeat(gutter)));
        }
    }
    let mut number = 0;
    for row in rows {
        let Some(thread) = row.thread() else {
            if let Row::Switch(text) = row {
                let before = lane(None, false);
                for line in wrap(text, room.saturating_sub(3)) {
                    let line = page.paint(Paint::Yellow, &line);
                    page.line(&format!("{}{before}── {line}", " ".repeat(gutter)));
                }
            }
            continue;
        };
        number += 1;
        let column = threads.iter().position(|t| *t == thread).unwrap_or(0);
        let name = page.paint(Paint::Bold, &names[column]);
        let mut before = count(page, number, 0, gutter);
        before += &lane(Some(thread), true);
        page.line(&format!("{before}{name}"));
        for (paint, text) in row.lines(room.saturating_sub(2)) {
            let text = page.paint(paint, &text);
            let before = lane(Some(thread), false);
            page.line(&format!("{}{before}  {text}", " ".repeat(gutter)));
        }
    }
}

/// The number of a row, in front of its first line.
fn count(page: &Page<'_>, number: usize, line: usize, gutter: usize) -> String {
    let number = match line {
        0 => number.to_string(),
        _ => String::new(),
    };
    let digits = gutter - 1;
    page.paint(Paint::Dim, &format!("{number:>digits$}")) + " "
}

fn switch_row(page: &mut Page<'_>, row: &Row, gutter: usize) {
    let Row::Switch(text) = row else { return };
    let room = page.width().saturating_sub(gutter + 3);
    for (index, line) in wrap(text, room).iter().enumerate() {
        let line = page.paint(Paint::Yellow, line);
        let dash = if index == 0 { "──" } else { "  " };
        page.line(&format!("{}{dash} {line}", " ".repeat(gutter)));
    }
}

fn colour(deed: &Deed) -> Paint {
    match deed {
        Deed::Lock(_) | Deed::Unlock(_) | Deed::Wait(_) | Deed::Notify { .. } => Paint::Cyan,
        Deed::Blocked { .. } | Deed::Joins(_) | Deed::Stuck(_) | Deed::Throw(_) => Paint::Red,
        _ => Paint::Bold,
    }
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn the_widest_columns_give_way() {
        assert_eq!(fit(&[10, 20], 40), Some(vec![10, 20]));
        assert_eq!(fit(&[10, 60], 53), Some(vec![10, 40]));
        assert_eq!(fit(&[60, 60], 53), Some(vec![25, 25]));
        assert_eq!(fit(&[60, 60], 46), None);
        assert_eq!(fit(&[5; 8], 61), Some(vec![5; 8]));
    }
}
