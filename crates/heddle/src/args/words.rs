//! The words of a command line, one after the other, as the launcher of `java` reads them:
//! `--name=value` and `--name value` are the same, and the words of a file can be given
//! as `@file`.

use super::argfile;

/// Where the reading of a command line is.
pub struct Words {
    words: Vec<String>,
    at: usize,
    /// Words from here on were given themselves and not by an `@file`.
    given: usize,
    /// The command, whose help is named when something is wrong.
    command: &'static str,
}

/// A word that may carry a value.
pub struct Word {
    pub whole: String,
    /// What stands before `=`, if it is a long option; else all of it.
    pub name: String,
    pub inline: Option<String>,
}

impl Words {
    pub fn new(command: &'static str, words: &[String]) -> Words {
        Words {
            words: words.to_vec(),
            at: 0,
            given: 0,
            command,
        }
    }

    pub fn next(&mut self) -> Result<Option<Word>, String> {
        while let Some(file) = self
            .words
            .get(self.at)
            .and_then(|word| argfile::named(word))
        {
            if self.at < self.given {
                break;
            }
            let read = argfile::read(file)?;
            self.given = self.at + read.len();
            self.words.splice(self.at..=self.at, read);
        }
        let Some(whole) = self.words.get(self.at).cloned() else {
            return Ok(None);
        };
        self.at += 1;
        let (name, inline) = match whole.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name.into(), Some(value.into())),
            _ => (whole.clone(), None),
        };
        Ok(Some(Word {
            whole,
            name,
            inline,
        }))
    }

    /// The value of an option: behind its `=`, or the next word.
    pub fn value(&mut self, option: &Word) -> Result<String, String> {
        let next = option.inline.as_ref().or_else(|| {
            self.at += 1;
            self.words.get(self.at - 1)
        });
        next.cloned().ok_or_else(|| {
            let (name, command) = (&option.name, self.command);
            format!("{name} needs a value; try `heddle {command} --help`")
        })
    }

    /// That an option is not known.
    pub fn unknown<T>(&self, option: &Word) -> Result<T, String> {
        let (whole, command) = (&option.whole, self.command);
        Err(format!(
            "unknown option '{whole}'; try `heddle {command} --help`"
        ))
    }

    /// How many words were read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The words from a position up to here.
    pub fn since(&self, position: usize) -> &[String] {
        &self.words[position..self.at.min(self.words.len())]
    }

    /// What was not read yet.
    pub fn rest(&self) -> &[String] {
        self.words.get(self.at..).unwrap_or_default()
    }
}
