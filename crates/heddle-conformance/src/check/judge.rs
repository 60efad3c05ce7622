//! Whether the answer of a search is the expected one.

use super::{Expectation, Marks};
use crate::launch::{Exit, Outcome};
use heddle_model::FindingKind;
use serde_json::Value;

/// What is looked at in a report.
#[derive(Clone, Debug)]
pub struct Answer {
    pub verdict: String,
    pub schedules: u64,
    /// Schedules that were begun and given up.
    pub in_vain: u64,
    pub complete: bool,
    pub unsupported: Vec<String>,
    pub errors: Vec<Reported>,
}

/// One error of a report.
#[derive(Clone, Debug)]
pub struct Reported {
    pub kind: FindingKind,
    pub message: String,
    pub potential: bool,
    /// The file that repeats it.
    pub schedule: Option<String>,
    /// Files and lines.
    pub places: Vec<(String, u64)>,
}

impl Answer {
    /// Reads a report in JSON.
    pub fn read(text: &str) -> Result<Answer, String> {
        let json: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let errors = list(&json, "errors")?.iter();
        let errors = errors.chain(list(&json, "warnings")?);
        let unsupported = list(&json, "unsupported")?;
        Ok(Answer {
            verdict: string(&json, "verdict")?,
            schedules: json["schedules"].as_u64().ok_or("no schedules")?,
            in_vain: json["blocked_schedules"].as_u64().unwrap_or(0),
            complete: json["complete"].as_bool().ok_or("no completeness")?,
            unsupported: unsupported
                .iter()
                .map(|m| string(m, "what"))
                .collect::<Result<_, _>>()?,
            errors: errors.map(reported).collect::<Result<_, _>>()?,
        })
    }

    /// What is wrong with it.
    pub fn judge(&self, expected: &Expectation, marks: &Marks) -> Vec<String> {
        let mut wrong = Vec::new();
        for what in &self.unsupported {
            wrong.push(format!("unsupported: {what}"));
        }
        if self.in_vain > 0 {
            wrong.push(format!("{} schedules were begun in vain", self.in_vain));
        }
        let real: Vec<&Reported> = self.errors.iter().filter(|e| !e.potential).collect();
        for error in &real {
            if !expected.allows(error.kind) {
                wrong.push(format!("not expected: {}", error.message));
            }
            wrong.extend(misplaced(error, marks));
        }
        for one in &expected.errors {
            if !real.iter().any(|e| one.0.contains(&e.kind)) {
                wrong.push(format!("did not find: {one}"));
            }
        }
        let verdict = match (expected.ok, self.complete) {
            (false, _) => "error",
            (true, true) => "ok",
            (true, false) => "incomplete",
        };
        if self.verdict != verdict {
            wrong.push(format!("says {}, not {verdict}", self.verdict));
        }
        if expected.bounds.is_empty() && !expected.endless && !self.complete {
            wrong.push("did not explore everything".into());
        }
        wrong
    }

    /// What is wrong with the replay of an error: it is to show the same, as sure.
    pub fn repeats(&self, error: &Reported) -> Option<String> {
        let mut all = self.errors.iter();
        let same = all.any(|e| (&e.message, e.potential) == (&error.message, error.potential));
        let shown: Vec<&str> = self.errors.iter().map(|e| e.message.as_str()).collect();
        (!same).then(|| {
            let (wanted, shown) = (&error.message, shown.join("; "));
            format!("its replay shows another error than {wanted}: {shown}")
        })
    }

    /// The exit code is that of the verdict.
    pub fn exit_code(&self, outcome: &Outcome) -> Option<String> {
        let code = match self.verdict.as_str() {
            "ok" => 0,
            "error" if !self.unsupported.is_empty() => 4,
            "error" => 1,
            "incomplete" => 2,
            _ => 3,
        };
        let right = outcome.exit == Exit::Code(code);
        (!right).then(|| format!("{} with the verdict {}", outcome.exit, self.verdict))
    }
}

/// An error names a line that is marked with its kind, both accesses of a race do.
fn misplaced(error: &Reported, marks: &Marks) -> Option<String> {
    if !marks.any(error.kind) {
        return None;
    }
    let marked = |(file, line): &(String, u64)| marks.has(error.kind, file, *line);
    let right = match error.kind {
        FindingKind::Race => error.places.len() >= 2 && error.places.iter().all(marked),
        _ => error.places.iter().any(marked),
    };
    let places: Vec<String> = error
        .places
        .iter()
        .map(|(f, l)| format!("{f}:{l}"))
        .collect();
    let (kind, places) = (error.kind.name(), places.join(", "));
    (!right).then(|| format!("not marked with {kind}: {places} ({})", error.message))
}

fn reported(error: &Value) -> Result<Reported, String> {
    let kind = string(error, "kind")?;
    let places = list(error, "places")?.iter().filter_map(|place| {
        let file = place["file"].as_str()?.to_string();
        Some((file, place["line"].as_u64()?))
    });
    Ok(Reported {
        kind: FindingKind::named(&kind).ok_or_else(|| format!("unknown kind {kind}"))?,
        message: string(error, "message")?,
        potential: error["potential"].as_bool().unwrap_or(false),
        schedule: error["schedule_file"].as_str().map(String::from),
        places: places.collect(),
    })
}

fn string(of: &Value, key: &str) -> Result<String, String> {
    let text = of[key].as_str().ok_or_else(|| format!("no {key}"))?;
    Ok(text.to_string())
}

fn list<'a>(of: &'a Value, key: &str) -> Result<&'a Vec<Value>, String> {
    of[key].as_array().ok_or_else(|| format!("no {key}"))
}
