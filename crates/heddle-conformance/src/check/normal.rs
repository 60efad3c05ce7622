//! What of a report differs from machine to machine and from JDK to JDK, and what stands
//! for it in a blessed report: one table.

/// Rewrites a report so that only what matters is left to compare.
pub fn normal(report: &str) -> String {
    let mut text = String::new();
    for line in report.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let mut shown: Vec<String> = Vec::with_capacity(words.len());
        for (index, word) in words.iter().enumerate() {
            let next = words.get(index + 1).copied().unwrap_or("");
            shown.push(match RULES.iter().find(|rule| (rule.applies)(word, next)) {
                Some(rule) => (rule.instead)(word),
                None => word.to_string(),
            });
        }
        text.push_str(shown.join(" ").trim_end());
        text.push('\n');
    }
    text
}

/// A word that is replaced, if it is followed by a certain one.
struct Rule {
    applies: fn(&str, &str) -> bool,
    instead: fn(&str) -> String,
}

const RULES: &[Rule] = &[
    // How long it took, and how fast that is.
    Rule {
        applies: |word, next| number(word) && (next == "s" || next.starts_with("s ")),
        instead: |_| "#".into(),
    },
    // The library's own code is counted too, and differs between JDKs.
    Rule {
        applies: |word, next| number(word) && next.starts_with("bytecode"),
        instead: |_| "#".into(),
    },
    // As are its frames, where they are folded,
    Rule {
        applies: |word, next| number(word) && (next == "frames" || next == "frame"),
        instead: |_| "#".into(),
    },
    // and its lines.
    Rule {
        applies: |word, _| word.starts_with("java.") && word.ends_with(')'),
        instead: |word| match word.rsplit_once(':') {
            Some((before, _)) => format!("{before})"),
            None => word.to_string(),
        },
    },
    // Identity hash codes.
    Rule {
        applies: |word, _| hash_code(word).is_some(),
        instead: |word| match hash_code(word) {
            Some((before, rest)) => format!("{before}@#{rest}"),
            None => word.to_string(),
        },
    },
];

/// What comes before and after a hash code as `Object.toString` writes it.
fn hash_code(word: &str) -> Option<(&str, &str)> {
    let (before, after) = word.split_once('@')?;
    let digits = after.find(|c: char| !c.is_ascii_hexdigit());
    let (hash, rest) = after.split_at(digits.unwrap_or(after.len()));
    (hash.len() >= 5).then_some((before, rest))
}

fn number(word: &str) -> bool {
    let word = word.trim_start_matches('(');
    word.starts_with(|c: char| c.is_ascii_digit())
        && word
            .chars()
            .all(|c| c.is_ascii_digit() || c == '.' || c == ',')
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn what_differs_is_replaced() {
        let cases = [
            (
                "Proved: 12 schedules in 0.25 s (dpor; 1,234 bytecodes)",
                "Proved: 12 schedules in # s (dpor; # bytecodes)",
            ),
            (
                "    … 7 frames of java.util.concurrent",
                "    … # frames of java.util.concurrent",
            ),
            (
                "    at java.lang.Thread.run(Thread.java:840)",
                "    at java.lang.Thread.run(Thread.java)",
            ),
            (
                "    at Bank.move(Bank.java:16)  ",
                "    at Bank.move(Bank.java:16)",
            ),
        ];
        for (raw, wanted) in cases {
            assert_eq!(normal(raw), format!("{wanted}\n"));
        }
    }
}
