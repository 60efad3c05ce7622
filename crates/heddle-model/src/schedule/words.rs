//! A line is a row of words; a word with blanks or signs of the language in it is
//! quoted. Java allows almost anything in names, and Kotlin's tests use it.

use std::fmt::{self, Write as _};

/// A line cut up: its words, and the comment after them.
#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    pub words: Vec<String>,
    pub comment: Option<String>,
}

/// Cuts a line into words and comment. Fails with what is wrong in it.
pub fn split(line: &str) -> Result<Words, String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        if let Some(comment) = rest.strip_prefix('#') {
            return Ok(Words {
                words,
                comment: Some(comment.trim().to_string()),
            });
        }
        rest = match rest.strip_prefix('"') {
            Some(quoted) => {
                let (word, rest) = unquote(quoted)?;
                words.push(word);
                if !rest.is_empty() && !rest.starts_with(|c: char| c.is_whitespace() || c == '#') {
                    return Err("expected a blank after the closing \"".to_string());
                }
                rest
            }
            None => {
                let end = rest.find(|c: char| c.is_whitespace() || c == '#');
                let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
                if word.contains(['"', '\\']) {
                    return Err(format!(
                        "`{word}` has a \" or \\ in it; expected such a word in \"quotes\""
                    ));
                }
                words.push(word.to_string());
                rest
            }
        };
        rest = rest.trim_start();
    }
    Ok(Words {
        words,
        comment: None,
    })
}

/// Reads a quoted word from after its opening quote; gives what follows it too.
fn unquote(text: &str) -> Result<(String, &str), String> {
    let mut word = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((word, &text[at + 1..])),
            '\\' => match chars.next().map(|(_, c)| c) {
                Some('n') => word.push('\n'),
                Some('t') => word.push('\t'),
                Some(c @ ('"' | '\\')) => word.push(c),
                Some('u') => {
                    let digits: String = chars.by_ref().take(4).map(|(_, c)| c).collect();
                    let code = u32::from_str_radix(&digits, 16).ok();
                    let code = code.filter(|_| digits.len() == 4 && !digits.starts_with('+'));
                    match code.and_then(char::from_u32) {
                        Some(c) => word.push(c),
                        None => {
                            return Err(format!(
                                "expected four hexadecimal digits that make a character after \\u, found `{digits}`"
                            ));
                        }
                    }
                }
                Some(c) => {
                    return Err(format!(
                        "unknown escape \\{c}; expected \\n, \\t, \\\", \\\\ or \\u and four digits"
                    ));
                }
                None => break,
            },
            c => word.push(c),
        }
    }
    Err("a \" is never closed; expected another one on the same line".to_string())
}

/// A word as it must be written.
pub struct Word<'a>(pub &'a str);

impl fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let special =
            |c: char| c.is_whitespace() || c.is_control() || matches!(c, '#' | '"' | '\\');
        if !self.0.is_empty() && !self.0.contains(special) {
            return f.write_str(self.0);
        }
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '"' | '\\' => write!(f, "\\{c}")?,
                // Whatever else an editor or a line reader could take for a line end.
                c if c.is_control() || (c.is_whitespace() && c != ' ') => {
                    write!(f, "\\u{:04x}", c as u32)?
                }
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// Text for a comment or a message: one line, each run of blanks a single one.
pub(super) fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|w| !w.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        split(line).unwrap().words
    }

    #[test]
    fn words_and_comments() {
        let cut = split("  switch 1# p # q ").unwrap();
        assert_eq!(cut.words, ["switch", "1"]);
        assert_eq!(cut.comment.as_deref(), Some("p # q"));
        assert_eq!(split("").unwrap().words, [""; 0]);
    }

    #[test]
    fn quoted_words_come_back() {
        for word in [
            "",
            "a b",
            "#",
            "\"\\",
            "\u{85}\u{2028}\r\n\t",
            "plain",
            "\u{1F600} x",
        ] {
            let line = format!("x {} y", Word(word));
            assert_eq!(line.lines().count(), 1);
            assert_eq!(words(&line), ["x", word, "y"]);
        }
    }

    #[test]
    fn broken_quotes_are_named() {
        for bad in [
            "\"a",
            "\"a\\",
            "\"\\q\"",
            "\"\\u12\"",
            "\"\\ud800\"",
            "\"a\"b",
            "a\"b",
            "\"\\u+123\"",
        ] {
            assert!(split(bad).is_err(), "{bad}");
        }
    }
}
