//! The report for people: the sentence that names the defect, the story (`columns.rs`), the
//! threads as they were left (`stacks.rs`), what to do next, and the summary.

use crate::columns;
pub use crate::page::Layout;
use crate::page::{Page, Paint, clean};
use crate::stacks;
use crate::words::{grouped, list, plural, sentence, short};
use heddle_model::Frame;
use heddle_model::report::{Deed, Error, Missing, Report, Scope, Verdict, Worth};

/// The whole report.
pub fn text(report: &Report, layout: &Layout<'_>) -> String {
    let mut page = Page::new(layout);
    for (index, error) in report.errors.iter().chain(&report.warnings).enumerate() {
        if index > 0 {
            let rule = "═".repeat(page.width().min(40));
            let rule = page.paint(Paint::Dim, &rule);
            page.line("");
            page.line(&rule);
            page.line("");
        }
        self::error(&mut page, error);
    }
    if !(report.errors.is_empty() && report.warnings.is_empty()) {
        page.line("");
    }
    for missing in &report.unsupported {
        self::missing(&mut page, missing);
    }
    summary(&mut page, report);
    page.into_text()
}

/// One act on a line of its own, as `--trace` shows it while the program runs.
pub fn live(at: Option<&Frame>, deed: &Deed, thread: &str, layout: &Layout<'_>) -> String {
    let at = at.map_or(String::new(), |at| format!("{} ", short(at)));
    let thread = Page::new(layout).paint(Paint::Bold, &clean(thread));
    format!("{thread}: {}\n", clean(&format!("{at}{}", sentence(deed))))
}

fn error(page: &mut Page<'_>, error: &Error) {
    let (paint, note) = match (error.potential, error.kind.is_warning()) {
        (true, _) => (Paint::Yellow, "Potential (no schedule showed it): "),
        (false, true) => (Paint::Yellow, "Warning: "),
        (false, false) => (Paint::Red, ""),
    };
    page.paragraph(Some(paint), "", &format!("{note}{}", error.message));
    if let Some(cause) = &error.cause {
        page.paragraph(None, "", cause);
    }
    if error.trace.iter().any(|act| page.full() || act.matters) {
        page.line("");
        columns::story(page, error);
    }
    if !error.threads.is_empty() {
        page.line("");
        stacks::threads(page, error);
    }
    if error.hint.is_some() || error.replay.is_some() || error.on_jvm.is_some() {
        page.line("");
    }
    if let Some(hint) = &error.hint {
        page.paragraph(None, "Hint:   ", hint);
    }
    if let Some(command) = &error.replay {
        let command = page.paint(Paint::Bold, &clean(command));
        page.line(&format!("Replay: {command}"));
    }
    if let Some(said) = &error.on_jvm {
        page.paragraph(None, "On a JVM: ", said);
    }
}

fn missing(page: &mut Page<'_>, missing: &Missing) {
    let line = format!("Heddle cannot run {} yet:", clean(&missing.what));
    let line = page.paint(Paint::Yellow, &line);
    page.line(&line);
    stacks::stack(page, &missing.stack);
    page.line("");
}

fn summary(page: &mut Page<'_>, report: &Report) {
    let (paint, verdict) = verdict(report);
    let verdict = page.paint(paint, &verdict);
    let seed = report.seed.map_or(String::new(), |s| format!(", seed {s}"));
    let extra = match report.extra {
        0 => String::new(),
        more => format!(" and {} extra", grouped(more)),
    };
    page.line(&format!(
        "{verdict}: {}{extra} in {:.2} s ({}{seed}; {}, {})",
        plural(report.schedules, "schedule"),
        report.seconds,
        report.strategy,
        plural(report.choice_points, "choice point"),
        plural(report.bytecodes, "bytecode"),
    ));
    if let Some(explored) = explored(report) {
        page.paragraph(None, "", &explored);
    }
    if let Some(scope) = &report.scope {
        self::scope(page, scope);
    }
    for (title, items) in [
        ("Note: ", &report.notes),
        ("Ended by: ", &report.bounds),
        ("Assumed: ", &report.assumptions),
    ] {
        let mut first = title.to_string();
        for item in items {
            page.paragraph(None, &first, item);
            first = " ".repeat(title.len());
        }
    }
}

/// The answer in a few words.
fn verdict(report: &Report) -> (Paint, String) {
    let real = report.errors.iter().filter(|e| !e.potential).count() as u64;
    let potential = report.errors.len() as u64 - real;
    let nothing = nothing_to_explore(report).is_some();
    let (paint, mut verdict) = match (report.verdict, report.worth) {
        (Verdict::Error, _) => (Paint::Red, plural(real, "error")),
        (Verdict::Ok, _) if nothing => (Paint::Yellow, "Nothing to explore".to_string()),
        (Verdict::Ok, Worth::Proved) if report.schedules == 0 => {
            let verdict = "Proved: no schedule breaks it, and none comes to an end";
            (Paint::Green, verdict.to_string())
        }
        (Verdict::Ok, Worth::Proved) => (Paint::Green, "Proved: no schedule breaks it".to_string()),
        (Verdict::Ok, _) => (Paint::Green, "Nothing breaks".to_string()),
        (Verdict::Incomplete, Worth::Sampled) => {
            (Paint::Yellow, "Sampled: nothing found".to_string())
        }
        (Verdict::Incomplete, Worth::Blind) => {
            (Paint::Yellow, "Blind in part: nothing found".to_string())
        }
        (Verdict::Incomplete, _) => (Paint::Yellow, "Bounded: nothing found so far".to_string()),
        (Verdict::Unsupported, _) => (Paint::Yellow, "Blind: no answer".to_string()),
    };
    if potential > 0 {
        verdict += &format!(", {potential} potential");
    }
    if !report.warnings.is_empty() {
        verdict += &format!(", {}", plural(report.warnings.len() as u64, "warning"));
    }
    (paint, verdict)
}

/// What the search covered, in a sentence.
fn explored(report: &Report) -> Option<String> {
    if let Some(reason) = nothing_to_explore(report) {
        return Some(reason);
    }
    let share = report
        .explored
        .map(|share| format!(": about {:.1} % of it", 100.0 * share.clamp(0.0, 0.999)));
    let share = share.unwrap_or_default();
    Some(match report.worth {
        Worth::Proved if report.schedules == 0 && report.verdict == Verdict::Ok => {
            "Every behaviour within the assumptions was explored: the program runs for ever, and comes \
             back to states that it was in."
                .to_string()
        }
        Worth::Proved => "Every behaviour within the assumptions was explored.".to_string(),
        Worth::Bounded => format!("Not everything was explored{share}."),
        Worth::Sampled => "Only a sample of the schedules was explored.".to_string(),
        Worth::Blind if report.unsupported.is_empty() => return None,
        Worth::Blind => {
            "Not everything could be explored: some paths need what Heddle lacks.".to_string()
        }
    })
}

/// Why there was nothing to explore, if there was not.
fn nothing_to_explore(report: &Report) -> Option<String> {
    let scope = report.scope.as_ref()?;
    let nothing = match (scope.threads.len(), scope.shared.is_empty()) {
        (0 | 1, _) => "The program started no second thread, so there is only one schedule.",
        // What they have in common may lie in the library alone: then it made a difference.
        (_, true) if report.strategy != "dpor" || report.schedules == 1 => {
            "The threads of the program have nothing in common, so all schedules are the same."
        }
        _ => return None,
    };
    (report.verdict == Verdict::Ok)
        .then(|| format!("{nothing} If that is not what you expected, Heddle saw the wrong thing."))
}

/// Most things that are named.
const MOST_SHARED: usize = 8;

fn scope(page: &mut Page<'_>, scope: &Scope) {
    if scope.shared.is_empty() {
        return;
    }
    let mut shown: Vec<String> = scope.shared.iter().take(MOST_SHARED).cloned().collect();
    let left = scope.shared.len() - shown.len();
    if left > 0 {
        shown.push(format!("{left} more"));
    }
    let threads = plural(scope.threads.len() as u64, "thread");
    page.paragraph(None, "", &format!("{threads} meet at {}.", list(&shown)));
}
