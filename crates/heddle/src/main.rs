//! The command line: flags, wiring, exit codes. The only crate that prints or exits.

/// Prints to a stream whose reader may have gone: the exit code is still the answer. The
/// library's macros of these names panic then.
macro_rules! to_stream {
    ($stream:ident, $write:ident, $($text:tt)*) => {{
        use std::io::Write as _;
        let _ = $write!(std::io::$stream(), $($text)*);
    }};
}
macro_rules! print {
    ($($text:tt)*) => { to_stream!(stdout, write, $($text)*) };
}
macro_rules! println {
    ($($text:tt)*) => { to_stream!(stdout, writeln, $($text)*) };
}
macro_rules! eprint {
    ($($text:tt)*) => { to_stream!(stderr, write, $($text)*) };
}
macro_rules! eprintln {
    ($($text:tt)*) => { to_stream!(stderr, writeln, $($text)*) };
}

mod agree;
mod args;
mod check;
mod class_path;
mod code;
mod convert;
mod instrument;
mod jdk;
mod jobs;
mod memory;
mod phases;
mod rehearse;
mod replay;
mod replay_jvm;
mod run;
mod save;
mod schedules;
mod search;
mod signals;
mod start;
mod story;
mod stuck;
mod terminal;
mod trace;
mod verdict;

use std::process::ExitCode;

/// Exit code for a question that could not be answered: usage, no JDK, unsupported.
const CANNOT_ANSWER: u8 = 3;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("heddle: {panic}\nheddle: this is a mistake of Heddle's own: please report it");
        std::process::exit(CANNOT_ANSWER.into());
    }));
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    match args::parse(&words) {
        Ok(args::Command::Help(text)) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Ok(args::Command::Version) => {
            println!("heddle {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        Ok(args::Command::Run(options)) => run::run(options),
        Ok(args::Command::Check(options)) => check::check(*options),
        Ok(args::Command::Replay(options)) => replay::replay(options),
        Ok(args::Command::Instrument(options)) => instrument::command(&options),
        Ok(args::Command::Convert(options)) => convert::command(&options),
        Err(message) => {
            eprintln!("heddle: {message}");
            ExitCode::from(CANNOT_ANSWER)
        }
    }
}
