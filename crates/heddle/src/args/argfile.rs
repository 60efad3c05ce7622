//! Files of arguments (`@file`), in the language of the `java` launcher: words between
//! white space; quotes hold a word together; inside quotes a backslash means the next
//! character, or a control character, and at the end of a line it continues the word on
//! the next one; `#` begins a comment. What such a file names is not read as a file again.

use std::fs;

/// The file that a word names, if it is `@file`; `@@word` is a word with one `@`.
pub fn named(word: &str) -> Option<&str> {
    let file = word.strip_prefix('@')?;
    (!file.is_empty() && !file.starts_with('@')).then_some(file)
}

pub fn read(file: &str) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(file).map_err(|e| format!("could not read @{file}: {e}"))?;
    Ok(words(&text))
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.chars().peekable();
    let mut quote = None;
    while let Some(c) = rest.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            // A quote that is not closed ends with its line.
            (Some(_), '\n' | '\r') => {
                quote = None;
                words.extend(word.take());
            }
            (Some(_), '\\') => {
                let word = word.get_or_insert_default();
                match rest.next() {
                    Some('n') => word.push('\n'),
                    Some('t') => word.push('\t'),
                    Some('r') => word.push('\r'),
                    Some('f') => word.push('\u{c}'),
                    Some('\n' | '\r') => {
                        while rest.next_if(|c| c.is_ascii_whitespace()).is_some() {}
                    }
                    Some(other) => word.push(other),
                    None => {}
                }
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '#') => {
                words.extend(word.take());
                while rest.next_if(|&c| c != '\n').is_some() {}
            }
            (None, c) if c.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quotes_comments_and_lines() {
        let text = "-cp a:b # not this\n\"two words\" 'it''s' C:\\dir\n\"go \\\n   on\\t!\" '' \"open\nnext";
        let expected = [
            "-cp",
            "a:b",
            "two words",
            "its",
            "C:\\dir",
            "go on\t!",
            "",
            "open",
            "next",
        ];
        assert_eq!(words(text), expected);
    }
}
