//! Command-line arguments. Flags that `java` has are spelled as `java` spells them,
//! which no argument parser made for other conventions understands.

use crate::convert::{self, ConvertArgs};
use crate::instrument::{self, InstrumentArgs};
use crate::replay_jvm::JvmArgs;
use heddle_model::Trust;
use heddle_vm::vm::{Assertions, Main};

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

/// Arguments of `heddle run`.
#[derive(Clone)]
pub struct RunArgs {
    pub jdk: Option<String>,
    pub class_path: Option<String>,
    pub properties: Vec<(String, String)>,
    pub assertions: Assertions,
    pub main: Main,
    pub args: Vec<String>,
    pub heap: Option<u64>,
    pub processors: Option<u32>,
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
            processors: None,
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
    pub match_states: bool,
    pub trust: Trust,
    pub max_schedules: Option<u64>,
    pub max_time: Option<f64>,
    pub max_steps: Option<u64>,
    pub max_depth: Option<u64>,
    /// Explore by an increasing number of preemptions, or of delays, up to this one.
    pub preemptions: Option<u32>,
    pub delays: Option<u32>,
    /// The depth of the errors that pct looks for.
    pub pct_depth: Option<u32>,
    /// How long auto explores before it samples, in seconds.
    pub budget: Option<f64>,
    /// Workers.
    pub jobs: usize,
    pub keep_going: bool,
    pub only: Vec<String>,
    pub ignore: Vec<String>,
    pub json: Option<String>,
    pub sources: Vec<String>,
    pub full: bool,
    /// Timed waits may end at any moment.
    pub timeouts_any: bool,
    /// Critical sections that share no data stay in one order: as the user wants it.
    pub lazy_mutexes: Option<bool>,
    /// Waits may end without a reason.
    pub spurious: bool,
    /// Methods that must give true wherever the search stops.
    pub invariants: Vec<String>,
    /// Tell what happens while it happens.
    pub trace: bool,
    /// Where schedule files go; `none`: nowhere.
    pub schedule_dir: Option<String>,
    /// Explore only from the first entry of this method on, `Class.method`,
    pub from: Option<String>,
    /// until this one is entered.
    pub until: Option<String>,
    /// Where the search is saved,
    pub save: Option<String>,
    /// how often, in seconds,
    pub save_every: f64,
    /// and the file of the search that goes on.
    pub resume: Option<String>,
    /// Replay each error on this JVM and say what happens there.
    pub confirm: Option<JvmArgs>,
    /// Where the schedule of the last path goes.
    pub record: Option<String>,
    /// Print a digest of the state in which the last path ended.
    pub digest: bool,
    /// The options that matter for what the program does, as they were given.
    pub kept: Vec<String>,
}

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

/// What explores unless the user says otherwise.
const DEFAULT_STRATEGY: &str = "dpor";

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
  --processors N   how many processors the program sees (default: the machine's)
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
  --strategy NAME      everything: dpor (default), exitblock, exitblock-rw, dfs, dfs-blocks;
                       a sample: random, pct, pos; one schedule: rr, lru; or auto: dpor for
                       a while (--budget 10s, or half of --max-time), then pct
  --preemptions N      with dpor or dfs: first without taking the turn from a thread that
                       could go on, then once, … up to N times
  --delays N           the same with delays of a deterministic scheduler
  --pct-depth D        for pct: errors that D orders make happen (default: 3)
  --jobs N             explore with N workers
  --mutexes lazy|plain for dpor: critical sections that share no data and cannot
                       deadlock stay in one order (default), or come in every order
                       (always with several --jobs)
  --match-states       explore what follows a state only once (with dfs): for programs
                       that can run for ever
  --trust WORD,…       code that is not explored besides the JDK's, a call into it is one
                       operation: my.package.  my.Class  my.Class.method; none for nothing
  --distrust WORD,…    code that is explored nevertheless; the longest word decides
  --from C.m           explore only from the first entry of this method on,
  --until C.m          until this one is entered; one schedule before and after that
  --seed N             for random strategies
  --slice N            for rr: the bytecodes of a turn (default: 20000)

Bounds:
  --max-schedules N (samples: 10000), --max-time 30s, --max-steps N (bytecodes of a
  thread on a path; default 100000000), --max-depth N (choices of a
  path; default 100000)
  --keep-going         count errors instead of reporting each only once
  --save FILE          save the search every minute (--save-every TIME) and at its end
  --resume FILE        go on with a search that was saved, and save it there

What to report:
  --only KIND,…  --ignore KIND,…   assertion, exception, deadlock, lock-cycle,
                       condition-deadlock, lock-discipline, livelock
  --json FILE          the report as JSON (- for standard output)
  --confirm[=HOME]     replay each error on a stock JVM, too
  --src PATH           where the sources are
  --full               all of the story, not only what matters
  --timeouts any       let time-outs happen at any moment (default: clock, only when
                       nothing else can happen before)
  --spurious           let waits end without a reason (explores with dfs)
  --invariant C.m      a static boolean method that must hold at every choice
  --trace              tell all that happens while it happens
  --schedule-dir DIR   where a schedule file goes for each error, none for nowhere
                       (default: heddle-schedules)
  --record FILE        a schedule file for the last path, whether it shows an error or not
  --digest             print a digest of the state at its end (a test of Heddle itself)
  --jdk HOME, --heap SIZE          as in `heddle run`

Exit code: 0 every behaviour was explored and none is wrong; 1 an error was found;
2 a bound ended the search first; 3 the question could not be answered; 4 both 1 and 3:
an error was found, and some paths could not be run.
";

const REPLAY_HELP: &str = "\
heddle replay: runs a program by a schedule file, which `heddle check` has written or you have.

Usage:
  heddle replay [options] FILE [Main [args…]]

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
        "replay" => parse_replay(&words[1..]),
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
            "--processors" => {
                run.processors = Some(number(name, &value()?, 1)?.min(1 << 16) as u32);
            }
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

/// Options of `check` that do not change what the program does under a given schedule.
const OF_THE_SEARCH: &[&str] = &[
    "--strategy",
    "--match-states",
    "--mutexes",
    "--seed",
    "--max-schedules",
    "--max-time",
    "--max-depth",
    "--preemptions",
    "--delays",
    "--pct-depth",
    "--budget",
    "--jobs",
    "--keep-going",
    "--json",
    "--src",
    "--full",
    "--trace",
    "--schedule-dir",
    "--from",
    "--until",
    "--save",
    "--save-every",
    "--resume",
    "--record",
    "--digest",
    "--jdk",
];

/// Takes the options of `check` out of the line; the rest is as for `run`.
pub fn parse_check(words: &[String]) -> Result<Command, String> {
    let mut check = CheckArgs {
        run: RunArgs::default(),
        strategy: DEFAULT_STRATEGY.into(),
        match_states: false,
        trust: Trust::library(),
        max_schedules: None,
        max_time: None,
        max_steps: None,
        max_depth: None,
        preemptions: None,
        delays: None,
        pct_depth: None,
        budget: None,
        jobs: 1,
        keep_going: false,
        only: Vec::new(),
        ignore: Vec::new(),
        json: None,
        sources: Vec::new(),
        full: false,
        timeouts_any: false,
        lazy_mutexes: None,
        spurious: false,
        invariants: Vec::new(),
        trace: false,
        schedule_dir: Some("heddle-schedules".into()),
        from: None,
        until: None,
        save: None,
        save_every: 60.0,
        resume: None,
        confirm: None,
        record: None,
        digest: false,
        kept: Vec::new(),
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
        let first = at;
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
            "--trust" => check.trust.trust(&value()?),
            "--distrust" => check.trust.distrust(&value()?),
            "--from" => check.from = Some(method(name, value()?)?),
            "--until" => check.until = Some(method(name, value()?)?),
            "--save" => check.save = Some(value()?),
            "--save-every" => check.save_every = seconds(name, &value()?)?,
            "--resume" => check.resume = Some(value()?),
            "--max-schedules" => check.max_schedules = Some(number(name, &value()?, 1)?),
            "--max-time" => check.max_time = Some(seconds(name, &value()?)?),
            "--max-steps" => check.max_steps = Some(number(name, &value()?, 1)?),
            "--max-depth" => check.max_depth = Some(number(name, &value()?, 1)?),
            "--preemptions" => check.preemptions = Some(small(name, &value()?, 0)?),
            "--delays" => check.delays = Some(small(name, &value()?, 0)?),
            "--pct-depth" => check.pct_depth = Some(small(name, &value()?, 1)?),
            "--budget" => check.budget = Some(seconds(name, &value()?)?),
            "--jobs" => check.jobs = small(name, &value()?, 1)? as usize,
            "--keep-going" => check.keep_going = true,
            "--only" => check.only.extend(list(value()?)),
            "--ignore" => check.ignore.extend(list(value()?)),
            "--json" => check.json = Some(value()?),
            "--src" => check.sources.push(value()?),
            "--full" => check.full = true,
            "--schedule-dir" => check.schedule_dir = Some(value()?),
            "--confirm" => {
                check.confirm = Some(JvmArgs {
                    home: inline,
                    ..JvmArgs::default()
                });
            }
            "--record" => check.record = Some(value()?),
            "--digest" => check.digest = true,
            "--trace" => check.trace = true,
            "--invariant" => check.invariants.push(value()?),
            "--timeouts" => {
                check.timeouts_any = match value()?.as_str() {
                    "any" => true,
                    "clock" => false,
                    other => return Err(format!("--timeouts takes any or clock, not '{other}'")),
                }
            }
            "--match-states" => check.match_states = true,
            "--mutexes" => {
                check.lazy_mutexes = match value()?.as_str() {
                    "lazy" => Some(true),
                    "plain" => Some(false),
                    other => return Err(format!("--mutexes takes lazy or plain, not '{other}'")),
                }
            }
            "--spurious" => {
                check.spurious = true;
                // dpor does not know yet what a wait that ends for no reason depends on.
                if check.strategy == DEFAULT_STRATEGY {
                    check.strategy = "dfs".into();
                }
            }
            "--real-time" | "--rehearse" => {
                return Err(format!(
                    "{name} is an option of `heddle run`, not of `check`"
                ));
            }
            // Options of `run` with a value keep it; the first word that is none is the main
            // class, and what follows belongs to the program.
            "-cp" | "-classpath" | "--class-path" | "--jdk" | "--heap" | "--processors"
            | "--seed" | "--slice" => {
                rest.push(name.to_string());
                rest.push(value()?);
            }
            _ if word.starts_with('-') && word != "-jar" => rest.push(word.clone()),
            _ => {
                rest.extend_from_slice(&words[at - 1..]);
                break;
            }
        }
        if !OF_THE_SEARCH.contains(&name) {
            check.kept.extend_from_slice(&words[first..at]);
        }
    }
    match parse_run(&rest).map_err(|m| m.replace("heddle run --help", "heddle check --help"))? {
        Command::Run(run) => check.run = run,
        other => return Ok(other),
    }
    if check.match_states {
        match check.strategy.as_str() {
            DEFAULT_STRATEGY => check.strategy = "dfs".into(),
            "dfs" | "dfs-blocks" => {}
            other => {
                return Err(format!(
                    "--match-states goes with --strategy dfs or dfs-blocks: what {other} leaves \
                     out depends on how it came to a state"
                ));
            }
        }
    }
    if check.run.assertions.user.is_empty() {
        check.run.assertions.user.push((true, None));
    }
    Ok(Command::Check(Box::new(check)))
}

/// Options of `replay` that take a value.
const REPLAY_VALUES: &[&str] = &[
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

fn parse_replay(words: &[String]) -> Result<Command, String> {
    let mut replay = ReplayArgs {
        file: String::new(),
        options: Vec::new(),
        main: Vec::new(),
        verbosity: 1,
        force: false,
        jvm: None,
    };
    let (mut suspend, mut runs) = (None, 1);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        match name {
            "--help" | "-h" => return Ok(Command::Help(REPLAY_HELP.into())),
            "--force" => replay.force = true,
            "--jvm" => {
                let home = word.split_once('=').map(|(_, home)| home.to_string());
                replay.jvm = Some(JvmArgs {
                    home,
                    ..JvmArgs::default()
                });
            }
            "--runs" => {
                let inline = word.split_once('=').map(|(_, value)| value.to_string());
                let value = inline.or_else(|| words.next().cloned());
                runs = number(name, &value.unwrap_or_default(), 1)?;
            }
            "--suspend" => {
                let port = word.split_once('=').map_or("5005", |(_, port)| port);
                let port = port.parse().ok().filter(|&port| port > 0);
                suspend = Some(port.ok_or("--suspend takes the number of a port")?);
            }
            "--verbosity" => {
                let inline = word.split_once('=').map(|(_, value)| value.to_string());
                let value = inline.or_else(|| words.next().cloned());
                replay.verbosity = match value.as_deref().map(str::parse) {
                    Some(Ok(level @ 0..=4)) => level,
                    _ => return Err("--verbosity takes a number from 0 to 4".into()),
                };
            }
            "--full" | "--trace" | "--digest" => replay.options.push(word.clone()),
            _ if REPLAY_VALUES.contains(&name) => {
                replay.options.push(word.clone());
                if name == word {
                    let value = words.next();
                    let value = value.ok_or_else(|| {
                        format!("{name} needs a value; try `heddle replay --help`")
                    })?;
                    replay.options.push(value.clone());
                }
            }
            _ if word.starts_with("-D") || assertion(word).is_some() => {
                replay.options.push(word.clone());
            }
            _ if word.starts_with('-') => {
                return Err(format!(
                    "unknown option '{word}'; try `heddle replay --help`"
                ));
            }
            _ => {
                replay.file = word.clone();
                replay.main = words.cloned().collect();
                if suspend.is_some() || runs > 1 {
                    let jvm = replay.jvm.get_or_insert_default();
                    (jvm.suspend, jvm.runs) = (suspend, runs);
                }
                return Ok(Command::Replay(replay));
            }
        }
    }
    Err("name a schedule file; try `heddle replay --help`".into())
}

/// `Class.method`.
fn method(name: &str, text: String) -> Result<String, String> {
    match text.rsplit_once('.') {
        Some((class, method)) if !class.is_empty() && !method.is_empty() => Ok(text),
        _ => Err(format!("{name} takes Class.method, not '{text}'")),
    }
}

/// `30s`, `5m`, `1h`, or seconds.
fn seconds(name: &str, text: &str) -> Result<f64, String> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b's') => (&text[..text.len() - 1], 1.0),
        Some(b'm') => (&text[..text.len() - 1], 60.0),
        Some(b'h') => (&text[..text.len() - 1], 3600.0),
        _ => (text, 1.0),
    };
    match digits.parse::<f64>() {
        // Nobody waits longer than thirty years.
        Ok(n) if n > 0.0 && n.is_finite() => Ok((n * unit).min(1e9)),
        _ => Err(format!(
            "{name} takes a time such as 30s or 5m, not '{text}'"
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

fn small(name: &str, text: &str, least: u64) -> Result<u32, String> {
    let n = number(name, text, least)?;
    u32::try_from(n).map_err(|_| format!("{name} takes a smaller number than {n}"))
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
