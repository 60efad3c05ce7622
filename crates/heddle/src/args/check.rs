//! The arguments of `heddle check`.

use super::Command;
use super::java::{self, JavaOption};
use super::run::{self, RunArgs};
use super::values::{memory, method, number, seconds, small};
use super::words::Words;
use crate::replay_jvm::JvmArgs;
use heddle_model::Trust;

/// Arguments of `heddle check`; those it shares with `run` are in `run`.
pub struct CheckArgs {
    pub run: RunArgs,
    pub strategy: String,
    /// The user has said which.
    pub strategy_named: bool,
    /// The one that it said, in whose place another one explores.
    pub replaced: Option<String>,
    pub match_states: bool,
    pub trust: Trust,
    pub max_schedules: Option<u64>,
    pub max_time: Option<f64>,
    pub max_steps: Option<u64>,
    pub max_depth: Option<u64>,
    /// Bytes that the process may use.
    pub max_memory: Option<u64>,
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
    pub order_output: bool,
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

/// What explores unless the user says otherwise.
const DEFAULT_STRATEGY: &str = "dpor";

const HELP: &str = "\
heddle check: runs a program under its thread schedules and reports what breaks it.

Usage:
  heddle check [options] -cp PATH Main [args…]
  heddle check [options] -jar FILE [args…]

Options, as in `java`: -cp, -jar, -D, -ea, -da, --add-opens, -Xmx, @FILE … (see
`heddle run --help`; assertions are on by default)

What to explore:
  --strategy NAME      everything: dpor (default; if it takes long, with a few seconds of
                       samples in between), exitblock, exitblock-rw, dfs, dfs-blocks;
                       a sample: random, pct, pos; one schedule: rr, lru; or auto: dpor for
                       a while (--budget 10s, or half of --max-time), then pct
  --preemptions N      with dpor or dfs: first without taking the turn from a thread that
                       could go on, then once, … up to N times
  --delays N           the same with delays of a deterministic scheduler
  --pct-depth D        for pct: errors that D orders make happen (default: 3)
  --jobs N             explore with N workers
  --mutexes lazy|plain for dpor: critical sections that share no data and cannot
                       deadlock stay in one order (default), or come in every order
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
  thread on a path; default 100000000, more before the first thread starts),
  --max-depth N (choices of a path; default 100000), --max-memory SIZE (that heddle
  uses in all, such as 4g; default half of the machine's)
  --keep-going         count errors instead of reporting each only once, and do not stop when
                       no new one was found for 10 s
  --save FILE          save the search every minute (--save-every TIME) and at its end
  --resume FILE        go on with a search that was saved, and save it there

What to report:
  --only KIND,…  --ignore KIND,…   assertion, exception, race, deadlock, lock-cycle,
                       condition-deadlock, exit-code, invariant, livelock, lock-discipline,
                       swallowed-exception
  --json FILE          the report as JSON (- for standard output)
  --confirm[=HOME]     replay each error on a stock JVM, too
  --src PATH           where the sources are
  --full               all of the story, not only what matters
  --timeouts any       let time-outs happen at any moment (default: clock, only when
                       nothing else can happen before)
  --order-output       the order in which threads print makes a difference
  --spurious           let waits end without a reason (dfs in place of dpor, and
                       --match-states if nothing speaks against it)
  --invariant C.m      a static boolean method that must hold at every choice
  --trace              tell all that happens while it happens
  --schedule-dir DIR   where a schedule file goes for each error, none for nowhere
                       (default: heddle-schedules)
  --record FILE        a schedule file for the last path, whether it shows an error or not
  --digest             print a digest of the state at its end (a test of Heddle itself)
  --jdk HOME, --heap SIZE          as in `heddle run`
  -XX:ActiveProcessorCount=N       how many processors the program sees (default: 2, so that
                       the verdict does not depend on the machine)

Exit code: 0 every behaviour was explored and none is wrong; 1 an error was found;
2 a bound ended the search first; 3 the question could not be answered; 4 both 1 and 3:
an error was found, and some paths could not be run.
";

/// Options of `check` that do not change what the program does under a given schedule.
const OF_THE_SEARCH: &[&str] = &[
    "--strategy",
    "--match-states",
    "--mutexes",
    "--seed",
    "--max-schedules",
    "--max-time",
    "--max-depth",
    "--max-memory",
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
pub fn parse(words: &[String]) -> Result<Command, String> {
    let mut check = CheckArgs {
        run: RunArgs::default(),
        strategy: DEFAULT_STRATEGY.into(),
        strategy_named: false,
        replaced: None,
        match_states: false,
        trust: Trust::library(),
        max_schedules: None,
        max_time: None,
        max_steps: None,
        max_depth: None,
        max_memory: None,
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
        order_output: false,
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
    let mut words = Words::new("check", words);
    loop {
        let first = words.position();
        let Some(word) = words.next()? else { break };
        let name = word.name.as_str();
        let mut value = || words.value(&word);
        match name {
            "--help" | "-h" => return Ok(Command::Help(HELP.into())),
            "--strategy" => {
                check.strategy = value()?;
                check.strategy_named = true;
            }
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
            "--max-memory" => check.max_memory = Some(memory(name, &value()?)?),
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
                    home: word.inline.clone(),
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
            "--order-output" => check.order_output = true,
            "--spurious" => check.spurious = true,
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
            // So do those of `java`, which come with theirs.
            _ if word.whole.starts_with('-') && name != "-jar" => {
                rest.push(word.whole.clone());
                if let Ok(Some(JavaOption::Module(_))) = java::option(name)
                    && word.inline.is_none()
                {
                    rest.push(value()?);
                }
            }
            _ => {
                rest.push(word.whole);
                rest.extend_from_slice(words.rest());
                break;
            }
        }
        if !OF_THE_SEARCH.contains(&name) {
            check.kept.extend_from_slice(words.since(first));
        }
    }
    match run::parse(&rest).map_err(|m| m.replace("heddle run --help", "heddle check --help"))? {
        Command::Run(run) => check.run = run,
        other => return Ok(other),
    }
    if check.spurious {
        explore_wakes(&mut check);
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

/// Waits may end without a reason, and need not. A reduction comes to every end of the program, but
/// not to every state in which all threads wait and one would have to be woken like that; and
/// dpor does not know what a wait that ends so depends on.
fn explore_wakes(check: &mut CheckArgs) {
    let bounded = check.preemptions.is_some() || check.delays.is_some();
    let unreduced = match check.strategy.as_str() {
        "dpor" if !bounded => "dfs",
        "exitblock" | "exitblock-rw" => "dfs-blocks",
        _ => return,
    };
    let named = std::mem::replace(&mut check.strategy, unreduced.into());
    check.replaced = check.strategy_named.then_some(named);
    let saved = check.save.is_some() || check.resume.is_some();
    // Who waits in a loop can be woken for ever.
    check.match_states |= !saved && check.jobs == 1;
}
