//! `heddle convert`: a schedule file from one format to the other.

use crate::CANNOT_ANSWER;
use crate::instrument::read_script;
use std::process::ExitCode;

pub const HELP: &str = "\
heddle convert: turns a schedule by switches into one by messages, or the other way round.

Usage:
  heddle convert FILE [-o OUT]

Messages let threads run side by side; switches say who runs at every moment. Without -o the
result goes to the standard output.

Exit code: 0, or 3 if the file has no counterpart in the other format.
";

/// Arguments of `heddle convert`.
pub struct ConvertArgs {
    pub file: String,
    pub output: Option<String>,
}

impl ConvertArgs {
    /// Reads the words behind `convert`; `None` if help is asked for.
    pub fn parse(words: &[String]) -> Result<Option<ConvertArgs>, String> {
        let (mut file, mut output) = (None, None);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--help" | "-h" => return Ok(None),
                "-o" | "--output" => {
                    let name = words.next().cloned();
                    output = Some(name.ok_or("-o needs the name of a file")?);
                }
                _ if word.starts_with('-') || file.is_some() => {
                    return Err(format!(
                        "unknown word '{word}'; try `heddle convert --help`"
                    ));
                }
                _ => file = Some(word.clone()),
            }
        }
        let file = file.ok_or("name a schedule file; try `heddle convert --help`")?;
        Ok(Some(ConvertArgs { file, output }))
    }
}

pub fn command(args: &ConvertArgs) -> ExitCode {
    match convert(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("heddle: {message}");
            ExitCode::from(CANNOT_ANSWER)
        }
    }
}

fn convert(args: &ConvertArgs) -> Result<(), String> {
    let file = &args.file;
    let (schedule, messages) = read_script(file)?;
    let text = match messages {
        Some(_) => schedule.to_string(),
        None => schedule
            .messages()
            .map_err(|e| format!("{file}: {e}"))?
            .to_string(),
    };
    match &args.output {
        Some(output) => {
            std::fs::write(output, text).map_err(|e| format!("cannot write {output}: {e}"))
        }
        None => {
            print!("{text}");
            Ok(())
        }
    }
}
