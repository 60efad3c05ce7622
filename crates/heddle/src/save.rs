//! `--save FILE` and `--resume FILE`: a search that goes on later.
//!
//! The file says which program is searched and how, what was counted, which errors were
//! found and by which routes, and where the strategy was; one line each, words as in schedule
//! files. It is written every minute, at the end, and at once when an error is found, under
//! another name first, so that there is always a whole one.
//!
//! A route is where the machine had to stop and what was taken there, nothing of the
//! process that found it; the errors are found again by running their routes.

use heddle_explore::{Bound, Found, Outcome, Route, Taken, Unsupported};
use heddle_model::schedule::Header;
use heddle_model::schedule::words::{self, Word};
use heddle_model::{Choice, Finding, FindingKind, OpMask, Pick, ThreadId};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

const FIRST_LINE: &str = "heddle search 2";

/// Which search it is: lines that must be the same when it goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question(Vec<Vec<String>>);

impl Question {
    /// `search` are the options that change what is explored.
    pub fn new(header: &Header, search: Vec<String>) -> Question {
        let word = |text: &str| text.to_string();
        let mut lines = Vec::new();
        if let Some(program) = &header.program {
            lines.push(vec![word("program"), program.clone()]);
        }
        if let Some(main) = &header.main {
            let mut line = vec![word("main"), main.class.clone()];
            line.extend(main.arguments.iter().cloned());
            lines.push(line);
        }
        for (key, words) in [("options", &header.options), ("search", &search)] {
            let mut line = vec![word(key)];
            line.extend(words.iter().cloned());
            lines.push(line);
        }
        Question(lines)
    }

    /// What is different in another one, in words; `None` if nothing is.
    fn difference(&self, other: &Question) -> Option<String> {
        let (mine, theirs) = self.0.iter().zip(&other.0).find(|(a, b)| a != b)?;
        let shown = |line: &[String]| line[1..].join(" ");
        Some(match mine[0].as_str() {
            "program" => "a program whose class files are others".to_string(),
            "main" => format!("`{}`, not `{}`", shown(theirs), shown(mine)),
            _ => format!("the options `{}`, not `{}`", shown(theirs), shown(mine)),
        })
    }
}

/// What a file holds.
pub struct Saved {
    pub so_far: Outcome,
    /// Where the strategy was; `None` if the search had not come far enough.
    pub frontier: Option<Vec<u64>>,
    pub elapsed: Duration,
}

/// Writes the file.
pub struct Saver {
    file: PathBuf,
    question: Question,
    frontier: Option<Vec<u64>>,
    so_far: Outcome,
}

impl Saver {
    /// Fails if the file cannot be written.
    pub fn new(file: &str, question: Question, earlier: Option<&Saved>) -> Result<Saver, String> {
        let saver = Saver {
            file: PathBuf::from(file),
            question,
            frontier: earlier.and_then(|e| e.frontier.clone()),
            so_far: earlier.map_or(Outcome::default(), |e| e.so_far.clone()),
        };
        saver.write(Duration::ZERO)?;
        Ok(saver)
    }

    /// An error that was found after the search was last saved.
    pub fn found(&mut self, found: &Found, elapsed: Duration) -> Result<(), String> {
        self.so_far.found.push(found.clone());
        self.write(elapsed)
    }

    pub fn save(
        &mut self,
        frontier: Option<&[u64]>,
        so_far: &Outcome,
        elapsed: Duration,
    ) -> Result<(), String> {
        self.frontier = frontier.map(<[u64]>::to_vec);
        self.so_far = so_far.clone();
        self.write(elapsed)
    }

    fn write(&self, elapsed: Duration) -> Result<(), String> {
        let text = print(
            &self.question,
            &self.so_far,
            self.frontier.as_deref(),
            elapsed,
        );
        let fresh = self.file.with_extension("new");
        let written =
            std::fs::write(&fresh, text).and_then(|()| std::fs::rename(&fresh, &self.file));
        written.map_err(|e| format!("cannot save the search in {}: {e}", self.file.display()))
    }
}

/// Reads the file of a search for the same question.
pub fn read(file: &str, question: &Question) -> Result<Saved, String> {
    let text =
        std::fs::read_to_string(Path::new(file)).map_err(|e| format!("cannot read {file}: {e}"))?;
    let (theirs, saved) = parse(&text).map_err(|(line, e)| format!("{file}:{line}: {e}"))?;
    match question.difference(&theirs) {
        Some(difference) => Err(format!("{file} holds the search of {difference}")),
        None => Ok(saved),
    }
}

fn print(
    question: &Question,
    so_far: &Outcome,
    frontier: Option<&[u64]>,
    elapsed: Duration,
) -> String {
    let mut text = format!("{FIRST_LINE}\n");
    for line in &question.0 {
        let words: Vec<String> = line.iter().map(|w| Word(w).to_string()).collect();
        let _ = writeln!(text, "{}", words.join(" "));
    }
    let _ = writeln!(
        text,
        "counts {} {} {} {} {} {} {} {}",
        so_far.schedules,
        so_far.extra,
        so_far.blocked,
        so_far.choice_points,
        so_far.paths,
        so_far.work,
        so_far.deepest,
        elapsed.as_millis()
    );
    for bound in &so_far.bounds {
        match bound {
            Bound::Depth => text.push_str("cut depth\n"),
            Bound::Steps => text.push_str("cut steps\n"),
            _ => {}
        }
    }
    for unsupported in &so_far.unsupported {
        let what = Word(&unsupported.what);
        let _ = writeln!(text, "unsupported {what} {}", route(&unsupported.route));
    }
    for found in &so_far.found {
        let Finding {
            kind,
            message,
            potential,
            ..
        } = &found.finding;
        let _ = writeln!(
            text,
            "found {} {} {} {} {} {} {}",
            kind.name(),
            Word(message),
            if *potential { "potential" } else { "real" },
            if found.confirmed { "confirmed" } else { "-" },
            found.index,
            found.times,
            route(&found.route)
        );
    }
    if so_far.complete {
        text.push_str("over\n");
    }
    if let Some(frontier) = frontier {
        text.push_str("frontier");
        for word in frontier {
            let _ = write!(text, " {word:x}");
        }
        text.push('\n');
    }
    text
}

/// `stops pick:choice:stops …`
fn route(route: &Route) -> String {
    let mut text = format!("{:x}", route.first.0);
    for taken in &route.taken {
        let (letter, thread) = match taken.choice {
            Choice::Run(t) => ('r', t),
            Choice::Timeout(t) => ('t', t),
            Choice::Wake(t) => ('w', t),
            Choice::Spurious(t) => ('s', t),
            Choice::Stay(t) => ('y', t),
        };
        let (pick, stops) = (taken.pick.0, taken.stops.0);
        let _ = write!(text, " {pick}:{letter}{}:{stops:x}", thread.0);
    }
    text
}

fn parse(text: &str) -> Result<(Question, Saved), (usize, String)> {
    let mut lines = (1..).zip(text.lines());
    if lines.next().map(|(_, line)| line) != Some(FIRST_LINE) {
        return Err((1, format!("expected `{FIRST_LINE}`: no saved search")));
    }
    let mut question = Vec::new();
    let mut saved = Saved {
        so_far: Outcome::default(),
        frontier: None,
        elapsed: Duration::ZERO,
    };
    for (number, line) in lines {
        let words = words::split(line).map_err(|e| (number, e))?.words;
        let Some((key, rest)) = words.split_first() else {
            continue;
        };
        let read = match key.as_str() {
            "program" | "main" | "options" | "search" => {
                question.push(words);
                continue;
            }
            "counts" => counts(rest, &mut saved),
            "cut" => {
                let bound = match rest.first().map(String::as_str) {
                    Some("depth") => Some(Bound::Depth),
                    Some("steps") => Some(Bound::Steps),
                    _ => None,
                };
                bound.map(|bound| saved.so_far.bounds.push(bound))
            }
            "unsupported" => rest.split_first().and_then(|(what, rest)| {
                let route = parse_route(rest)?;
                let what = what.clone();
                saved.so_far.unsupported.push(Unsupported { what, route });
                Some(())
            }),
            "over" => {
                saved.so_far.complete = true;
                Some(())
            }
            "found" => parse_found(rest).map(|found| saved.so_far.found.push(found)),
            "frontier" => {
                let word = |w: &String| u64::from_str_radix(w, 16).ok();
                let all: Option<Vec<u64>> = rest.iter().map(word).collect();
                all.map(|all| saved.frontier = Some(all))
            }
            _ => None,
        };
        if read.is_none() {
            return Err((number, format!("`{key}` is not as Heddle writes it")));
        }
    }
    Ok((Question(question), saved))
}

fn counts(words: &[String], saved: &mut Saved) -> Option<()> {
    let numbers: Option<Vec<u64>> = words.iter().map(|w| w.parse().ok()).collect();
    let [
        schedules,
        extra,
        blocked,
        choice_points,
        paths,
        work,
        deepest,
        millis,
    ] = numbers?[..]
    else {
        return None;
    };
    let so_far = &mut saved.so_far;
    (so_far.schedules, so_far.extra, so_far.blocked) = (schedules, extra, blocked);
    (so_far.choice_points, so_far.paths, so_far.work) = (choice_points, paths, work);
    so_far.deepest = deepest as usize;
    saved.elapsed = Duration::from_millis(millis);
    Some(())
}

fn parse_found(words: &[String]) -> Option<Found> {
    let [
        kind,
        message,
        potential,
        confirmed,
        index,
        times,
        route @ ..,
    ] = words
    else {
        return None;
    };
    let mut finding = Finding::new(FindingKind::named(kind)?, message.clone());
    finding.potential = potential == "potential";
    Some(Found {
        finding,
        route: parse_route(route)?,
        index: index.parse().ok()?,
        confirmed: confirmed == "confirmed",
        times: times.parse().ok()?,
    })
}

fn parse_route(words: &[String]) -> Option<Route> {
    let (first, rest) = words.split_first()?;
    let mask = |text: &str| u32::from_str_radix(text, 16).ok().map(OpMask);
    let taken = |word: &String| {
        let mut parts = word.split(':');
        let (pick, choice, stops) = (parts.next()?, parts.next()?, parts.next()?);
        let (letter, thread) = choice.split_at_checked(1)?;
        let thread = ThreadId(thread.parse().ok()?);
        Some(Taken {
            pick: Pick(pick.parse().ok()?),
            choice: match letter {
                "r" => Choice::Run(thread),
                "t" => Choice::Timeout(thread),
                "w" => Choice::Wake(thread),
                "s" => Choice::Spurious(thread),
                "y" => Choice::Stay(thread),
                _ => return None,
            },
            stops: mask(stops)?,
        })
    };
    Some(Route {
        first: mask(first)?,
        taken: rest.iter().map(taken).collect::<Option<_>>()?,
        // How it ends is seen when it is run again.
        ..Route::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Question, Outcome, Vec<u64>) {
        let words = |line: &[&str]| line.iter().map(|w| w.to_string()).collect();
        let question = Question(vec![
            words(&["program", "abc"]),
            words(&["main", "a.Main", "x y", ""]),
            words(&["options", "-cp", "."]),
            words(&["search", "dfs"]),
        ]);
        let taken = |pick, choice| Taken {
            pick: Pick(pick),
            choice,
            stops: OpMask(10),
        };
        let route = Route {
            first: OpMask(2),
            taken: vec![
                taken(1, Choice::Run(ThreadId(3))),
                taken(0, Choice::Wake(ThreadId(12))),
                taken(2, Choice::Timeout(ThreadId(0))),
                taken(2, Choice::Spurious(ThreadId(1))),
            ],
            ..Route::default()
        };
        let outcome = Outcome {
            schedules: 4,
            extra: 5,
            blocked: 6,
            complete: true,
            choice_points: 7,
            paths: 8,
            work: 9,
            deepest: 10,
            bounds: vec![Bound::Depth, Bound::Steps],
            found: vec![Found {
                finding: Finding::new(FindingKind::Race, "on \"x\"\n#1".into()),
                route: route.clone(),
                index: 4,
                confirmed: true,
                times: 5,
            }],
            unsupported: vec![Unsupported {
                what: "a native".into(),
                route,
            }],
            ..Outcome::default()
        };
        (question, outcome, vec![1, u64::MAX])
    }

    #[test]
    fn what_is_written_reads_back() {
        let (question, outcome, frontier) = example();
        let elapsed = Duration::from_millis(1234);
        let text = print(&question, &outcome, Some(&frontier), elapsed);
        let (again, saved) = parse(&text).unwrap();
        assert_eq!(again, question);
        assert_eq!(saved.so_far, outcome);
        assert_eq!(saved.frontier, Some(frontier));
        assert_eq!(saved.elapsed, elapsed);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let (question, outcome, _) = example();
        let text = print(&question, &outcome, None, Duration::ZERO);
        let wrong = |from: &str, to: &str| parse(&text.replace(from, to)).err().unwrap();
        assert_eq!(wrong("heddle search 2", "heddle search 9").0, 1);
        assert_eq!(wrong("counts 4", "counts x").0, 6);
        assert_eq!(wrong("1:r3:a", "1:q3:a").0, 9);
        assert_eq!(wrong("cut depth", "cat depth").0, 7);
    }

    #[test]
    fn another_search_is_refused() {
        let (question, ..) = example();
        let mut other = question.clone();
        assert_eq!(question.difference(&other), None);
        other.0[1][1] = "b.Main".into();
        let told = question.difference(&other).unwrap();
        assert_eq!(told, "`b.Main x y `, not `a.Main x y `");
        other.0[0][1] = "def".into();
        assert!(question.difference(&other).unwrap().contains("class files"));
    }
}
