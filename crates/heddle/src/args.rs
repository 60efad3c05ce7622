//! Command-line arguments. Flags that `java` has are spelled as `java` spells them,
//! which no argument parser made for other conventions understands.

use heddle_vm::vm::{Assertions, Main};

/// What the user asked for.
pub enum Command {
    Help(String),
    Version,
    Run(RunArgs),
    Check(Box<CheckArgs>),
}

/// Arguments of `heddle run`.
pub struct RunArgs {
    pub jdk: Option<String>,
    pub class_path: Option<String>,
    pub properties: Vec<(String, String)>,
    pub assertions: Assertions,
    pub main: Main,
    pub args: Vec<String>,
    pub heap: Option<u64>,
    pub slice: u64,
    pub seed: Option<u64>,
    pub real_time: bool,
    pub rehearse: Option<u64>,
}

impl Default for RunArgs {
    fn default() -> RunArgs {
        RunArgs {
            jdk: None,
            class_path: None,
            properties: Vec::new(),
            assertions: Assertions::default(),
            main: Main::Class(String::new()),
            args: Vec::new(),
            heap: None,
            slice: 20_000,
            seed: None,
            real_time: false,
            rehearse: None,
        }
    }
}

/// Arguments of `heddle check`; those it shares with `run` are in `run`.
pub struct CheckArgs {
    pub run: RunArgs,
    pub strategy: String,
    pub trust: Option<Vec<String>>,
    pub max_schedules: Option<u64>,
    pub max_time: Option<f64>,
    pub max_steps: Option<u64>,
    pub max_depth: Option<u64>,
    pub keep_going: bool,
    pub only: Vec<String>,
    pub ignore: Vec<String>,
    pub json: Option<String>,
    pub sources: Vec<String>,
    pub full: bool,
}

const HELP: &str = "\
Heddle runs a compiled Java program under every thread schedule that matters.

Usage:
  heddle run [options] -cp PATH Main [args…]    run once, as `java` would
  heddle run [options] -jar FILE [args…]
  heddle check [options] -cp PATH Main [args…]  explore its thread schedules, report errors

  heddle COMMAND --help    the options of a command
  heddle --version
";

const RUN_HELP: &str = "\
heddle run: runs a program once, deterministically, as `java` would.

Usage:
  heddle run [options] -cp PATH Main [args…]
  heddle run [options] -jar FILE [args…]

Options, as in `java`:
  -cp, -classpath, --class-path PATH   directories and jars to search for classes
  -jar FILE                            run the main class that a jar names
  -DNAME=VALUE                         set a system property
  -ea[:…], -da[:…], -esa, -dsa         switch assertions on and off

Options of Heddle:
  --jdk HOME       the JDK to use (default: $JAVA_HOME, else the one of `java` on the PATH)
  --heap SIZE      most memory for objects, e.g. 512m or 4g (default: half of the machine's)
  --slice N        bytecodes before the next thread's turn (default: 20000)
  --seed N         let slices vary at random, from this seed
  --real-time      sleep for real (default: virtual time, a sleep ends at once)
  --rehearse SEED  mark and rewind at random points on the way, and check that the
                   whole state is as before (a test of Heddle itself)

Exit code: that of the program; 1 if all its threads are stuck; 3 if it cannot be run.
";

const CHECK_HELP: &str = "\
heddle check: runs a program under its thread schedules and reports what breaks it.

Usage:
  heddle check [options] -cp PATH Main [args…]
  heddle check [options] -jar FILE [args…]

Options, as in `java`: -cp, -jar, -D, -ea, -da (assertions are on by default)

What to explore:
  --strategy NAME      exitblock, exitblock-rw, dfs (default), dfs-blocks, random, rr
  --trust PREFIX,…     code that is not explored, a call into it is one operation
                       (default: java.,javax.,jdk.,sun.); --trust none for nothing
  --seed N             for random strategies

Bounds:
  --max-schedules N, --max-time 30s, --max-steps N (bytecodes of a path), --max-depth N
  --keep-going         count errors instead of reporting each only once

What to report:
  --only KIND,…  --ignore KIND,…   assertion, exception, deadlock, lock-cycle,
                       condition-deadlock, lock-discipline, livelock
  --json FILE          the report as JSON (- for standard output)
  --src PATH           where the sources are
  --full               all of the story, not only what matters
  --jdk HOME, --heap SIZE          as in `heddle run`

Exit code: 0 every behaviour was explored and none is wrong; 1 an error was found;
2 a bound ended the search first; 3 the question could not be answered.
";

/// Reads the command line (without the program's own name).
pub fn parse(words: &[String]) -> Result<Command, String> {
    let Some(command) = words.first() else {
        return Ok(Command::Help(HELP.into()));
    };
    match command.as_str() {
        "--help" | "-h" | "help" => Ok(Command::Help(HELP.into())),
        "--version" | "-V" => Ok(Command::Version),
        "run" => parse_run(&words[1..]),
        "check" => parse_check(&words[1..]),
        other => Err(format!("unknown command '{other}'; try `heddle --help`")),
    }
}

fn parse_run(words: &[String]) -> Result<Command, String> {
    let mut run = RunArgs::default();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        // `--name=value` and `--name value` are the same.
        let (name, inline) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_string())),
            _ => (word.as_str(), None),
        };
        let mut value = || {
            inline
                .clone()
                .or_else(|| {
                    at += 1;
                    words.get(at - 1).cloned()
                })
                .ok_or_else(|| format!("{name} needs a value; try `heddle run --help`"))
        };
        match name {
            "--help" | "-h" | "-help" | "-?" => return Ok(Command::Help(RUN_HELP.into())),
            "-cp" | "-classpath" | "--class-path" => run.class_path = Some(value()?),
            "--jdk" => run.jdk = Some(value()?),
            "--heap" => run.heap = Some(size(&value()?)?),
            "--slice" => run.slice = number(name, &value()?, 1)?,
            "--seed" => run.seed = Some(number(name, &value()?, 0)?),
            "--real-time" => run.real_time = true,
            "--rehearse" => run.rehearse = Some(number(name, &value()?, 0)?),
            "-jar" => {
                run.main = Main::Jar(value()?);
                run.args = words[at..].to_vec();
                return Ok(Command::Run(run));
            }
            "-esa" | "-enablesystemassertions" => run.assertions.system = true,
            "-dsa" | "-disablesystemassertions" => run.assertions.system = false,
            _ if word.starts_with("-D") => {
                let (key, value) = word[2..].split_once('=').unwrap_or((&word[2..], ""));
                run.properties.push((key.to_string(), value.to_string()));
            }
            _ if assertion(word).is_some() => run.assertions.user.extend(assertion(word)),
            _ if word.starts_with('-') => {
                return Err(format!("unknown option '{word}'; try `heddle run --help`"));
            }
            _ => {
                run.main = Main::Class(word.clone());
                run.args = words[at..].to_vec();
                return Ok(Command::Run(run));
            }
        }
    }
    Err("name a main class or a jar; try `heddle run --help`".into())
}

/// Takes the options of `check` out of the line; the rest is as for `run`.
fn parse_check(words: &[String]) -> Result<Command, String> {
    let mut check = CheckArgs {
        run: RunArgs::default(),
        strategy: "dfs".into(),
        trust: None,
        max_schedules: None,
        max_time: None,
        max_steps: None,
        max_depth: None,
        keep_going: false,
        only: Vec::new(),
        ignore: Vec::new(),
        json: None,
        sources: Vec::new(),
        full: false,
    };
    let list = |text: String| -> Vec<String> {
        text.split(',')
            .filter(|p| !p.is_empty())
            .map(String::from)
            .collect()
    };
    let mut rest = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        let (name, inline) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_string())),
            _ => (word.as_str(), None),
        };
        let mut value = || {
            let next = inline.clone().or_else(|| {
                at += 1;
                words.get(at - 1).cloned()
            });
            next.ok_or_else(|| format!("{name} needs a value; try `heddle check --help`"))
        };
        match name {
            "--help" | "-h" => return Ok(Command::Help(CHECK_HELP.into())),
            "--strategy" => check.strategy = value()?,
            "--trust" => {
                let text = value()?;
                check.trust = Some(if text == "none" {
                    Vec::new()
                } else {
                    list(text)
                });
            }
            "--max-schedules" => check.max_schedules = Some(number(name, &value()?, 1)?),
            "--max-time" => check.max_time = Some(seconds(&value()?)?),
            "--max-steps" => check.max_steps = Some(number(name, &value()?, 1)?),
            "--max-depth" => check.max_depth = Some(number(name, &value()?, 1)?),
            "--keep-going" => check.keep_going = true,
            "--only" => check.only.extend(list(value()?)),
            "--ignore" => check.ignore.extend(list(value()?)),
            "--json" => check.json = Some(value()?),
            "--src" => check.sources.push(value()?),
            "--full" => check.full = true,
            "--slice" | "--real-time" | "--rehearse" => {
                return Err(format!(
                    "{name} is an option of `heddle run`, not of `check`"
                ));
            }
            // Options of `run` with a value keep it; the first word that is none is the main
            // class, and what follows belongs to the program.
            "-cp" | "-classpath" | "--class-path" | "--jdk" | "--heap" | "--seed" => {
                rest.push(name.to_string());
                rest.push(value()?);
            }
            _ if word.starts_with('-') && word != "-jar" => rest.push(word.clone()),
            _ => {
                rest.extend_from_slice(&words[at - 1..]);
                break;
            }
        }
    }
    match parse_run(&rest).map_err(|m| m.replace("heddle run --help", "heddle check --help"))? {
        Command::Run(run) => check.run = run,
        other => return Ok(other),
    }
    if check.run.assertions.user.is_empty() {
        check.run.assertions.user.push((true, None));
    }
    Ok(Command::Check(Box::new(check)))
}

/// `30s`, `5m`, `1h`, or seconds.
fn seconds(text: &str) -> Result<f64, String> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b's') => (&text[..text.len() - 1], 1.0),
        Some(b'm') => (&text[..text.len() - 1], 60.0),
        Some(b'h') => (&text[..text.len() - 1], 3600.0),
        _ => (text, 1.0),
    };
    match digits.parse::<f64>() {
        Ok(n) if n > 0.0 && n.is_finite() => Ok(n * unit),
        _ => Err(format!(
            "--max-time takes a time such as 30s or 5m, not '{text}'"
        )),
    }
}

/// `-ea`, `-da:pkg...` and their long forms.
fn assertion(word: &str) -> Option<(bool, Option<String>)> {
    let (name, what) = match word.split_once(':') {
        Some((name, what)) => (name, Some(what.to_string())),
        None => (word, None),
    };
    match name {
        "-ea" | "-enableassertions" => Some((true, what)),
        "-da" | "-disableassertions" => Some((false, what)),
        _ => None,
    }
}

fn number(name: &str, text: &str, least: u64) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(n) if n >= least => Ok(n),
        _ => Err(format!(
            "{name} takes a whole number of at least {least}, not '{text}'"
        )),
    }
}

/// Below this the library cannot start; above it references do not reach.
const LEAST_HEAP: u64 = 2 << 20;
const MOST_HEAP: u64 = 27 << 30;

/// `64m`, `2g`, `100k`, or bytes.
fn size(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, shift) = match lower.as_bytes().last() {
        Some(b'k') => (&lower[..lower.len() - 1], 10),
        Some(b'm') => (&lower[..lower.len() - 1], 20),
        Some(b'g') => (&lower[..lower.len() - 1], 30),
        _ => (lower.as_str(), 0),
    };
    match digits.parse::<u64>() {
        Ok(n) if n > 0 && n.leading_zeros() as u64 >= shift => match n << shift {
            size if size < LEAST_HEAP => Err(format!("--heap must be at least 2m, not '{text}'")),
            size if size > MOST_HEAP => Err(format!("--heap can be 27g at most, not '{text}'")),
            size => Ok(size),
        },
        _ => Err(format!(
            "--heap takes a size such as 512m or 4g, not '{text}'"
        )),
    }
}
