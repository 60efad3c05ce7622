//! Compares two outcomes and shows where they part.

use std::fmt::Write;

use crate::launch::{Exit, Outcome};

/// Lines shown after the place of the first difference.
const SHOWN: usize = 8;
/// Longer lines are cut.
const WIDTH: usize = 200;

/// What the comparison of one program gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// Heddle says that it lacks something, and what.
    Unsupported(String),
    Failed(String),
}

/// Judges `actual` by `expected`.
pub fn judge(expected: &Outcome, actual: &Outcome) -> Verdict {
    if expected.exit != actual.exit
        && actual.exit == Exit::Code(3)
        && String::from_utf8_lossy(&actual.stderr)
            .to_lowercase()
            .contains("unsupported")
    {
        let text = String::from_utf8_lossy(&actual.stderr).into_owned();
        let line = text
            .lines()
            .find(|l| l.to_lowercase().contains("unsupported"));
        return Verdict::Unsupported(cut(line.unwrap_or_default()));
    }
    let mut report = String::new();
    if expected.exit != actual.exit {
        let _ = writeln!(report, "  expected {}, got {}", expected.exit, actual.exit);
    }
    if expected.stdout != actual.stdout {
        report.push_str("  stdout differs:\n");
        report.push_str(&difference(&expected.stdout, &actual.stdout));
    }
    let (want, got) = (first_line(&expected.stderr), first_line(&actual.stderr));
    if want != got {
        let _ = writeln!(
            report,
            "  first line of stderr differs:\n  - {}\n  + {}",
            cut(&want),
            cut(&got)
        );
    }
    if report.is_empty() {
        return Verdict::Passed;
    }
    if expected.stderr != actual.stderr && !actual.stderr.is_empty() {
        report.push_str("  stderr of the failing run:\n");
        for line in String::from_utf8_lossy(&actual.stderr).lines().take(SHOWN) {
            let _ = writeln!(report, "    {}", cut(line));
        }
    }
    Verdict::Failed(report)
}

/// The first difference of two texts, with the lines around it.
pub fn difference(expected: &[u8], actual: &[u8]) -> String {
    let (expected, actual) = (
        String::from_utf8_lossy(expected),
        String::from_utf8_lossy(actual),
    );
    let want: Vec<&str> = expected.split('\n').collect();
    let got: Vec<&str> = actual.split('\n').collect();
    let same = want.iter().zip(&got).take_while(|(a, b)| a == b).count();
    let mut text = String::new();
    let _ = writeln!(text, "  @@ line {}", same + 1);
    for line in &want[same.saturating_sub(2)..same] {
        let _ = writeln!(text, "    {}", cut(line));
    }
    // Resynchronise on the first expected line that also occurs in the actual rest.
    let meet = (same..want.len().min(same + SHOWN)).find_map(|i| {
        let j = got[same..]
            .iter()
            .take(SHOWN)
            .position(|l| *l == want[i] && !l.is_empty())?;
        Some((i, same + j))
    });
    let (end_want, end_got) = meet.unwrap_or((want.len(), got.len()));
    if let (Some(a), Some(b)) = (want.get(same), got.get(same)) {
        let column = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
        if column > WIDTH / 2 {
            let window = |line: &str| cut(&line.chars().skip(column - 40).collect::<String>());
            let _ = writeln!(
                text,
                "  from column {}:\n  - …{}\n  + …{}",
                column - 39,
                window(a),
                window(b)
            );
            return text;
        }
    }
    for (sign, lines, end) in [('-', &want, end_want), ('+', &got, end_got)] {
        for line in lines[same.min(end)..end].iter().take(SHOWN) {
            let _ = writeln!(text, "  {sign} {}", cut(line));
        }
    }
    text
}

fn first_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .lines()
        .next()
        .unwrap_or_default()
        .to_string()
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(stdout: &str, stderr: &str, code: i32) -> Outcome {
        Outcome {
            stdout: stdout.into(),
            stderr: stderr.into(),
            exit: Exit::Code(code),
            elapsed: Default::default(),
        }
    }

    #[test]
    fn only_the_first_line_of_stderr_counts() {
        let java = outcome("a\n", "Exception in thread\n\tat A\n", 1);
        assert_eq!(
            judge(&java, &outcome("a\n", "Exception in thread\n\tat B\n", 1)),
            Verdict::Passed
        );
        assert!(matches!(
            judge(&java, &outcome("a\n", "Exception\n", 1)),
            Verdict::Failed(_)
        ));
        assert!(matches!(
            judge(&java, &outcome("a\n", "Exception in thread\n", 0)),
            Verdict::Failed(_)
        ));
    }

    #[test]
    fn unsupported_is_no_failure() {
        let heddle = outcome("", "heddle: unsupported native A.b\n", 3);
        assert!(matches!(
            judge(&outcome("", "", 0), &heddle),
            Verdict::Unsupported(_)
        ));
    }

    #[test]
    fn difference_shows_both_sides_once() {
        assert_eq!(
            difference(b"a\nb\nc\n", b"a\nx\nc\n"),
            "  @@ line 2\n    a\n  - b\n  + x\n"
        );
    }

    #[test]
    fn long_lines_are_shown_around_the_difference() {
        let (a, b) = (
            format!("{}old", "x".repeat(300)),
            format!("{}new", "x".repeat(300)),
        );
        let text = difference(a.as_bytes(), b.as_bytes());
        assert!(
            text.contains("from column 261") && text.contains("xold") && text.contains("xnew"),
            "{text}"
        );
    }
}
