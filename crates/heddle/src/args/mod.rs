//! Command-line arguments. Flags that `java` has are spelled as `java` spells them,
//! which no argument parser made for other conventions understands.

mod argfile;
mod check;
mod java;
mod replay;
mod run;
mod values;
mod words;

pub use check::{CheckArgs, parse as parse_check};
pub use replay::ReplayArgs;
pub use run::RunArgs;
pub use words::Words;

use crate::convert::{self, ConvertArgs};
use crate::instrument::{self, InstrumentArgs};

/// What the user asked for.
pub enum Command {
    Help(String),
    Version,
    Run(RunArgs),
    Check(Box<CheckArgs>),
    Replay(ReplayArgs),
    Instrument(InstrumentArgs),
    Convert(ConvertArgs),
}

const HELP: &str = "\
Heddle runs a compiled Java program under every thread schedule that matters.

Usage:
  heddle run [options] -cp PATH Main [args…]    run once, as `java` would
  heddle run [options] -jar FILE [args…]
  heddle check [options] -cp PATH Main [args…]  explore its thread schedules, report errors
  heddle replay [options] FILE                  run it by a schedule that `check` has written
  heddle instrument [options] --schedule FILE -cp PATH -o DIR
                                                make a program that runs as a schedule says on any JVM
  heddle convert FILE                           a schedule by switches to one by messages, or back

  heddle COMMAND --help    the options of a command
  heddle --version
";

/// Reads the command line (without the program's own name).
pub fn parse(words: &[String]) -> Result<Command, String> {
    let Some(command) = words.first() else {
        return Ok(Command::Help(HELP.into()));
    };
    match command.as_str() {
        "--help" | "-h" | "help" => Ok(Command::Help(HELP.into())),
        "--version" | "-V" => Ok(Command::Version),
        "run" => run::parse(&words[1..]),
        "check" => check::parse(&words[1..]),
        "replay" => replay::parse(&words[1..]),
        "instrument" => Ok(match InstrumentArgs::parse(&words[1..])? {
            Some(args) => Command::Instrument(args),
            None => Command::Help(instrument::HELP.into()),
        }),
        "convert" => Ok(match ConvertArgs::parse(&words[1..])? {
            Some(args) => Command::Convert(args),
            None => Command::Help(convert::HELP.into()),
        }),
        other => Err(format!("unknown command '{other}'; try `heddle --help`")),
    }
}
