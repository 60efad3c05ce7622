//! Text in the making: lines, colours, and words broken to the width of the page. Control
//! characters of the program's strings become blanks: they must not reach a terminal.

use crate::source::Sources;
use heddle_model::Frame;

/// How to lay it out.
#[derive(Debug)]
pub struct Layout<'a> {
    /// Colours, for terminals that have them.
    pub colours: bool,
    /// Characters per line.
    pub width: usize,
    /// All of the story and of the stacks instead of what matters.
    pub full: bool,
    pub sources: &'a Sources,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Paint {
    Bold,
    Dim,
    Red,
    Green,
    Yellow,
    Cyan,
}

pub(crate) struct Page<'a> {
    text: String,
    layout: &'a Layout<'a>,
}

impl<'a> Page<'a> {
    pub fn new(layout: &'a Layout<'a>) -> Page<'a> {
        Page {
            text: String::new(),
            layout,
        }
    }

    pub fn into_text(self) -> String {
        self.text
    }

    pub fn width(&self) -> usize {
        self.layout.width
    }

    pub fn full(&self) -> bool {
        self.layout.full
    }

    /// The source text at a frame, if it is found.
    pub fn source(&self, frame: &Frame) -> Option<String> {
        self.layout.sources.line(frame)
    }

    pub fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// A paragraph in one colour, with what follows the first line indented.
    pub fn paragraph(&mut self, paint: Option<Paint>, first: &str, text: &str) {
        let hang = " ".repeat(first.chars().count());
        let room = self.width().saturating_sub(hang.len());
        for (index, line) in wrap(text, room).iter().enumerate() {
            let line = match paint {
                Some(paint) => self.paint(paint, line),
                None => line.clone(),
            };
            let before = if index == 0 { first } else { &hang };
            self.line(&format!("{before}{line}"));
        }
    }

    pub fn paint(&self, paint: Paint, text: &str) -> String {
        if !self.layout.colours || text.is_empty() {
            return text.to_string();
        }
        let code = match paint {
            Paint::Bold => 1,
            Paint::Dim => 2,
            Paint::Red => 31,
            Paint::Green => 32,
            Paint::Yellow => 33,
            Paint::Cyan => 36,
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

pub(crate) fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

pub(crate) fn clean(text: &str) -> String {
    let blank = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(blank).collect()
}

/// Lines of at most `width` characters, broken at blanks where there are any, and words that
/// are too long between the parts of a name.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let text = clean(text);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let length = word.trim_end().chars().count();
        if used > 0 && used + length > width {
            lines.push(String::new());
            used = 0;
        }
        for part in parts(word, length > width) {
            if used > 0 && used + part.trim_end().chars().count() > width {
                lines.push(String::new());
                used = 0;
            }
            for c in part.chars() {
                if used == width && c != ' ' {
                    lines.push(String::new());
                    used = 0;
                }
                if used < width && !(used == 0 && c == ' ' && lines.len() > 1) {
                    lines.last_mut().expect("never empty").push(c);
                    used += 1;
                }
            }
        }
    }
    lines.iter().map(|l| l.trim_end().to_string()).collect()
}

/// A word, or where it may be broken: before a dot, behind an opening parenthesis.
fn parts(word: &str, broken: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, c) in word.char_indices().filter(|_| broken) {
        let cut = match c {
            '.' => at,
            '(' => at + 1,
            _ => continue,
        };
        if cut > from {
            parts.push(&word[from..cut]);
            from = cut;
        }
    }
    parts.push(&word[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_are_broken_at_blanks_or_anywhere() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghijkl", 8), ["abcdefgh", "ijkl"]);
        assert_eq!(wrap("12345678 x", 8), ["12345678", "x"]);
        assert_eq!(wrap("a\x1b[31m\nb", 20), ["a [31m b"]);
        assert_eq!(wrap("", 8), [""]);
        assert_eq!(
            wrap("in Bank@1.book.find(key)", 14),
            ["in", "Bank@1.book", ".find(key)"]
        );
    }
}
