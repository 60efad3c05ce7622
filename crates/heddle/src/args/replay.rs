//! The arguments of `heddle replay`.

use super::Command;
use super::java::{self, JavaOption};
use super::values::{assertion, number};
use super::words::Words;
use crate::replay_jvm::JvmArgs;

/// Arguments of `heddle replay`.
pub struct ReplayArgs {
    pub file: String,
    /// Options of `check` that are added to those of the file.
    pub options: Vec<String>,
    /// Main class (or `-jar` and a file) and arguments, if not those of the file.
    pub main: Vec<String>,
    /// Which messages of `log` are shown.
    pub verbosity: u8,
    /// Try it although the code has changed.
    pub force: bool,
    /// On a stock JVM instead of the VM.
    pub jvm: Option<JvmArgs>,
}

const HELP: &str = "\
heddle replay: runs a program by a schedule file, which `heddle check` has written or you have.

Usage:
  heddle replay [options] FILE [options] [Main [args…]]

The file says what to run and how; what is given here comes on top:
  -cp PATH             where the classes are
  -DNAME=VALUE, -ea, -da, --jdk HOME, --only, --ignore, --trust …   as in `heddle check`
  --verbosity N        which `log` commands are shown, 0 to 4 (default: 1)
  --jvm[=HOME]         on a stock JVM: HotSpot or any other, of any release from 8 on
  --runs N             so often on the JVM
  --suspend[=PORT]     on a JVM that waits for a debugger (docs/debugging.md)
  --force              try it although methods that the schedule mentions have changed
  --max-time 30s, --max-steps N    for schedules that do not end
  --json FILE, --src PATH, --full, --trace    as in `heddle check`

Exit code: 0 the schedule was followed and nothing is wrong; 1 it shows an error;
2 a bound ended it; 3 the program does not do what the schedule says, which is told.
";

/// Options of `replay` that take a value.
const VALUES: &[&str] = &[
    "-cp",
    "-classpath",
    "--class-path",
    "--jdk",
    "--heap",
    "--processors",
    "--trust",
    "--distrust",
    "--only",
    "--ignore",
    "--json",
    "--src",
    "--max-time",
    "--max-steps",
];

pub fn parse(words: &[String]) -> Result<Command, String> {
    let mut replay = ReplayArgs {
        file: String::new(),
        options: Vec::new(),
        main: Vec::new(),
        verbosity: 1,
        force: false,
        jvm: None,
    };
    let (mut suspend, mut runs) = (None, 1);
    let mut words = Words::new("replay", words);
    while let Some(word) = words.next()? {
        let name = word.name.as_str();
        match name {
            "--help" | "-h" => return Ok(Command::Help(HELP.into())),
            "--force" => replay.force = true,
            "--jvm" => {
                replay.jvm = Some(JvmArgs {
                    home: word.inline.clone(),
                    ..JvmArgs::default()
                });
            }
            "--runs" => runs = number(name, &words.value(&word)?, 1)?,
            "--suspend" => {
                let port = word.inline.as_deref().unwrap_or("5005").parse().ok();
                let port = port.filter(|&port| port > 0);
                suspend = Some(port.ok_or("--suspend takes the number of a port")?);
            }
            "--verbosity" => {
                replay.verbosity = match words.value(&word)?.parse() {
                    Ok(level @ 0..=4) => level,
                    _ => return Err("--verbosity takes a number from 0 to 4".into()),
                };
            }
            "--full" | "--trace" | "--digest" => replay.options.push(word.whole),
            _ if VALUES.contains(&name) => {
                replay.options.push(name.to_string());
                replay.options.push(words.value(&word)?);
            }
            _ if word.whole.starts_with('-') && name != "-jar" => match java::option(name)? {
                Some(JavaOption::Module(_)) => {
                    replay.options.push(name.to_string());
                    replay.options.push(words.value(&word)?);
                }
                None if !word.whole.starts_with("-D") && assertion(&word.whole).is_none() => {
                    return words.unknown(&word);
                }
                _ => replay.options.push(word.whole),
            },
            _ if replay.file.is_empty() && name != "-jar" => replay.file = word.whole,
            _ if name.ends_with(".sched") => {
                let first = &replay.file;
                return Err(format!(
                    "heddle replay takes one schedule: {first} or {name}; what follows it is a main class"
                ));
            }
            _ => {
                replay.main = vec![word.whole];
                replay.main.extend_from_slice(words.rest());
                break;
            }
        }
    }
    if suspend.is_some() || runs > 1 {
        let jvm = replay.jvm.get_or_insert_default();
        (jvm.suspend, jvm.runs) = (suspend, runs);
    }
    if replay.file.is_empty() {
        return Err("name a schedule file; try `heddle replay --help`".into());
    }
    Ok(Command::Replay(replay))
}
