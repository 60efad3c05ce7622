//! The file `expect` of a program for `heddle check`: what a complete search must say.
//! The keys are explained in `programs/check/README.md`; one that is not there is an error.

use heddle_model::FindingKind;

/// A kind of error that is expected, or several of which one will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneOf(pub Vec<FindingKind>);

impl std::fmt::Display for OneOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|k| k.name()).collect();
        f.write_str(&names.join(" or "))
    }
}

/// What is expected of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// Whether a complete search finds nothing wrong.
    pub ok: bool,
    /// What it must report,
    pub errors: Vec<OneOf>,
    /// what it reports if it goes on after that,
    pub then: Vec<OneOf>,
    /// and what it may report.
    pub also: Vec<OneOf>,
    pub args: Vec<String>,
    pub options: Vec<String>,
    /// Some schedules do not end.
    pub endless: bool,
    pub twin: Option<String>,
    /// Bounds without which the search takes too long for a test; it is not complete then.
    pub bounds: Vec<String>,
    /// How many schedules each strategy explores, where it explores all.
    pub counts: Vec<(String, u64)>,
}

impl Expectation {
    /// Reads the text of a file; the error names the line.
    pub fn read(text: &str) -> Result<Expectation, String> {
        let mut expectation = Expectation::default();
        let (mut verdict, mut notes) = (false, false);
        let mut seen: Vec<&str> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let at = |message: String| format!("line {}: {message}", number + 1);
            let (key, value) = line
                .split_once(':')
                .ok_or_else(|| at(format!("expected `key: value`, not '{line}'")))?;
            let (key, value) = (key.trim(), value.trim());
            if seen.contains(&key) {
                return Err(at(format!("'{key}' is there twice")));
            }
            seen.push(key);
            match key {
                "verdict" => {
                    verdict = true;
                    expectation.ok = match value {
                        "ok" => true,
                        "error" => false,
                        other => {
                            return Err(at(format!("a verdict is ok or error, not '{other}'")));
                        }
                    };
                }
                "errors" => expectation.errors = kinds(value).map_err(at)?,
                "then" => expectation.then = kinds(value).map_err(at)?,
                "also" => expectation.also = kinds(value).map_err(at)?,
                "args" => expectation.args = words(value),
                "options" => expectation.options = words(value),
                "needs" if value == "endless" => expectation.endless = true,
                "needs" => return Err(at(format!("needs: endless, not '{value}'"))),
                "twin" => expectation.twin = Some(value.to_string()),
                "bounds" => expectation.bounds = words(value),
                "counts" => expectation.counts = counts(value).map_err(at)?,
                "notes" => notes = true,
                // For people, and for the tests of dpor alone.
                "estimate" | "dpor" => {}
                _ => return Err(at(format!("unknown key '{key}'"))),
            }
        }
        match (verdict, notes) {
            _ if expectation.ok != expectation.errors.is_empty() => {
                Err("a verdict of error names errors, one of ok does not".into())
            }
            (true, true) => Ok(expectation),
            _ => Err("`verdict` and `notes` must be there".into()),
        }
    }

    /// Whether errors of this kind may be reported.
    pub fn allows(&self, kind: FindingKind) -> bool {
        let all = [&self.errors, &self.then, &self.also];
        let mut named = all.into_iter().flatten().flat_map(|one| &one.0);
        named.any(|k| *k == kind)
    }
}

/// The text of an expectation with other counts; the rest stays as it is.
pub fn with_counts(text: &str, counts: &[(String, u64)]) -> String {
    let shown: Vec<String> = counts.iter().map(|(s, n)| format!("{s} {n}")).collect();
    let line = format!("counts: {}", shown.join(", "));
    let mut lines: Vec<&str> = text.lines().filter(|l| !l.starts_with("counts:")).collect();
    let at = lines.iter().position(|l| l.starts_with("notes:"));
    if !counts.is_empty() {
        lines.insert(at.unwrap_or(lines.len()), &line);
    }
    lines.join("\n") + "\n"
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

fn kinds(text: &str) -> Result<Vec<OneOf>, String> {
    let kind = |name: &str| {
        FindingKind::named(name.trim()).ok_or_else(|| format!("'{name}' is no kind of error"))
    };
    let one = |names: &str| names.split('|').map(kind).collect::<Result<_, _>>();
    text.split(',').map(|names| one(names).map(OneOf)).collect()
}

fn counts(text: &str) -> Result<Vec<(String, u64)>, String> {
    let count = |part: &str| {
        let (strategy, number) = part.trim().split_once(' ')?;
        Some((strategy.to_string(), number.parse().ok()?))
    };
    let wrong = |part: &str| format!("expected `strategy number`, not '{}'", part.trim());
    text.split(',')
        .map(|part| count(part).ok_or_else(|| wrong(part)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named() {
        let read = |text: &str| Expectation::read(text).unwrap_err();
        assert_eq!(read("verdict: ok\nnote: x"), "line 2: unknown key 'note'");
        assert_eq!(
            read("verdict: fine"),
            "line 1: a verdict is ok or error, not 'fine'"
        );
        assert_eq!(
            read("errors: dedlock"),
            "line 1: 'dedlock' is no kind of error"
        );
        assert_eq!(read("notes: a\nnotes: b"), "line 2: 'notes' is there twice");
        assert_eq!(
            read("counts: dfs"),
            "line 1: expected `strategy number`, not 'dfs'"
        );
        assert!(read("verdict: error\nnotes: x").contains("names errors"));
        assert!(read("verdict: ok").contains("must be there"));
        assert!(read("nothing").contains("key: value"));
    }

    #[test]
    fn counts_can_be_replaced() {
        let text = "verdict: ok\ncounts: dfs 3\nnotes: x\n";
        let counts = [("dpor".to_string(), 1), ("dfs".to_string(), 4)];
        let changed = with_counts(text, &counts);
        assert_eq!(changed, "verdict: ok\ncounts: dpor 1, dfs 4\nnotes: x\n");
        assert_eq!(Expectation::read(&changed).unwrap().counts, counts);
        assert_eq!(with_counts(text, &[]), "verdict: ok\nnotes: x\n");
    }
}
