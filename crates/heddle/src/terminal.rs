//! What the user looks at: the width of the terminal, whether it has colours, and the
//! progress line.

use crate::memory;
use crate::save::Saver;
use crate::signals;
use crate::verdict::is_error;
use heddle_explore::{Bound, Control, Found, Outcome, Progress, Tick};
use heddle_report::source::Sources;
use heddle_report::text::Layout;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Characters per line where there is no terminal: files and pipes do not care, and
/// blessed reports are the same everywhere.
const WIDTH: usize = 120;

/// How a report is laid out on standard output.
pub fn layout(full: bool, sources: &Sources) -> Layout<'_> {
    let terminal = std::io::stdout().is_terminal();
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
    Layout {
        colours: terminal && !no_color && !dumb,
        width: if terminal { width() } else { WIDTH },
        full,
        sources,
    }
}

fn width() -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok();
    let told = size.map(|s| usize::from(s.ws_col)).filter(|w| *w > 0);
    asked.or(told).unwrap_or(WIDTH).max(40)
}

/// The clock, Ctrl-C, the progress line of a search, and the file that it is saved in.
pub struct Watch {
    started: Instant,
    /// What earlier parts of the search took.
    before: Duration,
    /// What the runs took from which the search learns where the program stands.
    rehearsed: Duration,
    limit: Option<Duration>,
    memory: Memory,
    /// How long it goes on after an error without finding another one.
    patience: Option<Duration>,
    last_error: Option<Instant>,
    terminal: bool,
    shown: Instant,
    saves: Option<Saves>,
}

/// How much memory the search may use, and when that was looked at last.
struct Memory {
    limit: u64,
    looked: Option<Instant>,
}

impl Memory {
    fn is_full(&mut self) -> bool {
        let just_now = |at: Instant| at.elapsed() < Duration::from_millis(50);
        if self.looked.is_some_and(just_now) {
            return false;
        }
        self.looked = Some(Instant::now());
        memory::used() > self.limit
    }
}

struct Saves {
    saver: Saver,
    every: Duration,
    last: Instant,
    due: bool,
}

impl Watch {
    pub fn new(limit: Option<f64>) -> Watch {
        signals::watch();
        let now = Instant::now();
        Watch {
            started: now,
            before: Duration::ZERO,
            rehearsed: Duration::ZERO,
            limit: limit.map(Duration::from_secs_f64),
            memory: Memory {
                limit: memory::available() / 2,
                looked: None,
            },
            patience: None,
            last_error: None,
            terminal: std::io::stderr().is_terminal(),
            shown: now,
            saves: None,
        }
    }

    /// The search begins. What came before is no part of it, but of the time that it may take.
    pub fn begins(&mut self) {
        self.rehearsed = self.started.elapsed();
        self.limit = self.limit.map(|l| l.saturating_sub(self.rehearsed));
        self.started = Instant::now();
    }

    /// The search ends when the process uses more memory than this.
    pub fn limit_memory_to(&mut self, bytes: u64) {
        self.memory.limit = bytes;
    }

    /// The search goes on that took so long already.
    pub fn goes_on(&mut self, before: Duration) {
        self.before = before;
    }

    /// The search is saved every now and then.
    pub fn saves(&mut self, saver: Saver, every: f64) {
        self.saves = Some(Saves {
            saver,
            every: Duration::from_secs_f64(every),
            last: Instant::now(),
            due: false,
        });
    }

    /// Ends the search when no error was found for so long after the last one.
    pub fn is_patient_for(&mut self, patience: Duration) {
        self.patience = Some(patience);
    }

    /// Lets the search run no longer than this from its start on; what the limit was.
    pub fn limit_to(&mut self, limit: Duration) -> Option<Duration> {
        let whole = self.limit;
        self.limit = Some(whole.map_or(limit, |whole| whole.min(limit)));
        whole
    }

    pub fn set_limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
    }

    /// Whether the time is up, or the user does not want any more.
    pub fn is_over(&self) -> bool {
        let over = |limit| self.started.elapsed() >= limit;
        signals::pending() || self.limit.is_some_and(over)
    }

    /// How long the search has taken, earlier parts included.
    pub fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// How long it took until the search began.
    pub fn rehearsed(&self) -> Duration {
        self.rehearsed
    }

    /// Saves the search as it ended.
    pub fn ended(&mut self, outcome: &Outcome) {
        let frontier = outcome.frontier.clone();
        self.write(|saver, elapsed| saver.save(frontier.as_deref(), outcome, elapsed));
    }

    /// That it cannot be saved does not end a search.
    fn write(&mut self, write: impl FnOnce(&mut Saver, Duration) -> Result<(), String>) {
        let elapsed = self.elapsed();
        if let Some(saves) = &mut self.saves
            && let Err(message) = write(&mut saves.saver, elapsed)
        {
            eprintln!("heddle: {message}");
        }
    }

    pub fn clear_line(&self) {
        if self.terminal {
            eprint!("\r\x1b[K");
        }
    }
}

impl Control for Watch {
    fn tick(&mut self, progress: &Progress) -> Tick {
        if self
            .limit
            .is_some_and(|limit| self.started.elapsed() >= limit)
        {
            return Tick::Stop(Bound::Time);
        }
        if self.memory.is_full() {
            return Tick::Stop(Bound::Memory);
        }
        let quiet = self.last_error.map(|last| last.elapsed());
        if quiet
            .zip(self.patience)
            .is_some_and(|(quiet, most)| quiet >= most)
        {
            return Tick::Stop(Bound::Error);
        }
        if let Some(saves) = &mut self.saves {
            saves.due = saves.last.elapsed() >= saves.every;
        }
        if self.terminal && self.shown.elapsed() > Duration::from_millis(200) {
            self.shown = Instant::now();
            let seconds = self.started.elapsed().as_secs_f64();
            eprint!("\r\x1b[K{}", progress_line(progress, seconds));
            let _ = std::io::stderr().flush();
        }
        Tick::GoOn
    }

    fn interrupted(&self) -> bool {
        signals::pending()
    }

    fn time_is_up(&self) -> bool {
        let late = |limit| self.started.elapsed() >= limit;
        self.interrupted() || self.limit.is_some_and(late)
    }

    fn found(&mut self, found: &Found) {
        if is_error(&found.finding) {
            self.last_error = Some(Instant::now());
        }
        self.write(|saver, elapsed| saver.found(found, elapsed));
    }

    fn wants_save(&self) -> bool {
        self.saves.as_ref().is_some_and(|saves| saves.due)
    }

    fn save(&mut self, frontier: &[u64], so_far: &Outcome) {
        if let Some(saves) = &mut self.saves {
            (saves.due, saves.last) = (false, Instant::now());
        }
        self.write(|saver, elapsed| saver.save(Some(frontier), so_far, elapsed));
    }
}

/// `12,345 schedules, 2,345/s, depth 17, about 12.3 % explored, 1 error`.
fn progress_line(progress: &Progress, seconds: f64) -> String {
    let rate = progress.schedules as f64 / seconds.max(0.001);
    let share = progress.explored.map_or(String::new(), |share| {
        format!(", about {:.1} % explored", 100.0 * share.min(0.999))
    });
    let size = progress.size.map_or(String::new(), |size| {
        format!(" of {} ± {}", rough(size.size), rough(size.error))
    });
    let errors = match progress.found {
        0 => String::new(),
        1 => ", 1 error".to_string(),
        n => format!(", {n} errors"),
    };
    format!(
        "{} schedules, {rate:.0}/s, depth {}{share}{size}{errors}",
        progress.schedules, progress.depth
    )
}

/// A number with two digits that count.
fn rough(number: f64) -> String {
    match number < 1e5 {
        true => format!("{number:.0}"),
        false => format!("{number:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::progress_line;
    use heddle_explore::{Estimate, Progress};

    #[test]
    fn progress_is_told_in_one_line() {
        let mut progress = Progress {
            schedules: 3000,
            depth: 12,
            ..Progress::default()
        };
        let line = progress_line(&progress, 1.5);
        assert_eq!(line, "3000 schedules, 2000/s, depth 12");
        progress.explored = Some(0.125);
        progress.found = 1;
        let line = progress_line(&progress, 1.5);
        assert!(line.ends_with("depth 12, about 12.5 % explored, 1 error"));
        progress.size = Some(Estimate {
            size: 2.4e7,
            error: 1234.0,
        });
        let line = progress_line(&progress, 1.5);
        assert!(line.ends_with("about 12.5 % explored of 2.4e7 ± 1234, 1 error"));
    }
}
