//! A thread that runs without end: it goes round a loop that waits for a change, and nobody
//! is left to make it; or it used up the steps that a path allows it (`--max-steps`), so it
//! is likely to be in a loop that nobody ends. If it is in one that has no way out, that is
//! what it was written for, and no error.
//!
//! While searching it costs nothing and names where the thread is. With a history
//! ([`Livelock::with_history`], for the second run of a schedule that was found) it also
//! names the loop: the shortest round of places that the thread went through again and
//! again at the end. A loop without calls, locks and accesses leaves no places.

use crate::saved::Saved;
use crate::waits::{Chain, goes_round, is_alive};
use crate::wording::{list, name, place, whereabouts};
use heddle_model::{
    Detector, End, Event, EventMask, Finding, FindingKind, Findings, Line, Site, ThreadId, View,
};
use std::collections::BTreeSet;

/// How many places are remembered per thread, and how long a loop can be.
const REMEMBERED: usize = 512;
const LONGEST: usize = REMEMBERED / 3;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Livelock {
    watches: bool,
    /// Per thread, what it did last; the newest at the end.
    trails: Saved<Vec<(ThreadId, Vec<Site>)>>,
}

crate::rewinds_by!(Livelock, trails);

impl Livelock {
    /// One that remembers where threads went.
    pub fn with_history() -> Livelock {
        Livelock {
            watches: true,
            ..Livelock::default()
        }
    }
}

impl Detector for Livelock {
    fn wants(&self) -> EventMask {
        match self.watches {
            false => EventMask::NONE,
            true => EventMask::READ
                .and(EventMask::WRITE)
                .and(EventMask::LOCK)
                .and(EventMask::NOTIFY)
                .and(EventMask::CALL),
        }
    }

    fn event(&mut self, event: &Event, view: &dyn View, _: &mut Findings) {
        if view.trusted(event.site.method) {
            return;
        }
        let trails = self.trails.change();
        let at = trails.iter().position(|t| t.0 == event.thread);
        let at = at.unwrap_or_else(|| {
            trails.push((event.thread, Vec::new()));
            trails.len() - 1
        });
        let trail = &mut trails[at].1;
        if trail.len() == 2 * REMEMBERED {
            trail.drain(..REMEMBERED);
        }
        trail.push(event.site);
    }

    fn end(&mut self, end: &End, view: &dyn View, out: &mut Findings) {
        match *end {
            // Daemons may run for ever, and so may who is written for it.
            End::StepLimit(thread) if view.is_daemon(thread) || !view.can_end(thread) => {}
            End::StepLimit(thread) => self.runs(thread, view, out),
            End::Stuck => {
                for thread in spinning(view) {
                    spins(thread, view, out);
                }
            }
            End::Repeats(ref threads) => self.repeats(threads, view, out),
            End::Exited(_) => {}
        }
    }
}

impl Livelock {
    /// Threads have brought the program back to a state that it was in. If that is what all of
    /// them are written for, it is none.
    fn repeats(&self, threads: &[ThreadId], view: &dyn View, out: &mut Findings) {
        if !threads.iter().any(|&t| view.can_end(t)) {
            return;
        }
        let at = threads.iter().filter_map(|&t| whereabouts(view, t));
        let sites: Vec<Site> = at.collect();
        // The search may close the same loop wherever it likes: it goes by the methods.
        let method = |site: &Site| Line {
            method: site.method,
            number: None,
        };
        let mut lines: Vec<Line> = sites.iter().map(method).collect();
        lines.sort();
        lines.dedup();
        let is_it = |f: &Finding| f.kind == FindingKind::Livelock && f.lines == lines;
        if let Some(at) = out.known.iter().position(is_it) {
            out.again.push(at);
        } else if !out.new.iter().any(is_it) {
            let names: Vec<String> = threads.iter().map(|&t| name(view, t)).collect();
            let goes = if threads.len() == 1 { "goes" } else { "go" };
            let places = sites
                .iter()
                .map(|&site| place(view, site))
                .collect::<Vec<_>>();
            let message = format!(
                "Livelock: {} {goes} round and round at {}: the program comes back to a state that \
                 it was in, and can do so for ever",
                list(&names),
                list(&places)
            );
            out.add(Finding {
                threads: threads.to_vec(),
                sites,
                lines,
                ..Finding::new(FindingKind::Livelock, message)
            });
        }
    }

    /// A thread has used up its steps.
    fn runs(&self, thread: ThreadId, view: &dyn View, out: &mut Findings) {
        let trail = self.trails.get().iter().find(|t| t.0 == thread);
        let round = trail.map_or(&[][..], |t| round(&t.1));
        let mut places: Vec<String> = Vec::new();
        for &site in round {
            let line = place(view, site);
            if !places.contains(&line) {
                places.push(line);
            }
        }
        let at = whereabouts(view, thread);
        let who = name(view, thread);
        let message = match (places.is_empty(), at) {
            (false, _) => format!(
                "Livelock: {who} runs round and round through {}",
                list(&places)
            ),
            (true, Some(site)) => {
                format!("Livelock: {who} runs without end in {}", place(view, site))
            }
            (true, None) => format!("Livelock: {who} runs without end"),
        };
        let sites: Vec<Site> = at.into_iter().collect();
        if let Some(lines) = out.news(view, FindingKind::Livelock, false, &sites) {
            out.add(Finding {
                threads: vec![thread],
                sites,
                lines,
                ..Finding::new(FindingKind::Livelock, message)
            });
        }
    }
}

/// The threads in loops without end that the program waits for: a daemon thread counts where
/// somebody depends on it.
fn spinning(view: &dyn View) -> BTreeSet<ThreadId> {
    let all = (0..view.thread_count() as u32).map(ThreadId);
    all.filter(|&id| is_alive(view, id) && !view.is_daemon(id))
        .filter_map(|victim| Chain::from(view, victim).end)
        .filter(|&end| goes_round(view, end))
        .collect()
}

/// A thread waits in a loop, and nothing can change any more.
fn spins(thread: ThreadId, view: &dyn View, out: &mut Findings) {
    let at = whereabouts(view, thread);
    let sites: Vec<Site> = at.into_iter().collect();
    if let Some(lines) = out.news(view, FindingKind::Livelock, false, &sites) {
        let who = name(view, thread);
        let at = at.map_or(String::new(), |site| format!(" at {}", place(view, site)));
        let message = format!(
            "Livelock: {who} goes round and round{at} until something changes, and nobody is \
             left to change it"
        );
        out.add(Finding {
            threads: vec![thread],
            sites,
            lines,
            ..Finding::new(FindingKind::Livelock, message)
        });
    }
}

/// The shortest tail of a trail that occurs three times in a row at its end.
fn round(trail: &[Site]) -> &[Site] {
    let length = trail.len();
    let repeats = |period: &usize| {
        let tail = &trail[length - period..];
        (2..=3).all(|n| &trail[length - n * period..length - (n - 1) * period] == tail)
    };
    let longest = LONGEST.min(length / 3);
    match (1..=longest).find(repeats) {
        Some(period) => &trail[length - period..],
        None => &[],
    }
}
