//! `heddle replay --jvm`: a schedule on a stock JVM, and whether what it was written for
//! happens there too.

use crate::args::{CheckArgs, ReplayArgs};
use crate::instrument::{self, Request};
use crate::{check, replay, signals};
use heddle_model::report::Error;
use heddle_model::schedule::{AccessEntry, Header, Messages, Schedule};
use heddle_replay::launch::{Jvm, Launch, Scratch, Until};
use heddle_replay::outcome::{Comparison, Outcome, can_be_seen};
use heddle_vm::options::{Assertions, Main};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// After which a JVM on which an error is to be confirmed is ended.
const PATIENCE: Duration = Duration::from_secs(300);

/// Which JVM, and whether a debugger is to come.
#[derive(Clone, Default)]
pub struct JvmArgs {
    /// Its home; without one, that of `$JAVA_HOME` or of the `java` on the PATH.
    pub home: Option<String>,
    /// Wait for a debugger on this port.
    pub suspend: Option<u16>,
    /// How often; 0 is once.
    pub runs: u64,
}

/// Follows a schedule on a JVM; exit code 1 if something breaks, 0 if nothing does, 3 if
/// the schedule cannot be followed, that of a shell if a signal ended it.
pub fn follow(args: &ReplayArgs, jvm: &JvmArgs) -> Result<u8, String> {
    let (schedule, messages) = instrument::read_script(&args.file)?;
    let header = schedule.header.clone().unwrap_or_default();
    let check = replay::check_args(args, &header)?;
    let prepared = Prepared::new(
        &args.file,
        (&schedule, messages.as_ref()),
        &check,
        jvm,
        args.force,
    )?;
    if let Some(port) = jvm.suspend {
        eprintln!("heddle: the JVM waits for a debugger on port {port}");
    }
    let launch = Launch {
        suspend: jvm.suspend,
        until: until(&header).filter(|_| jvm.suspend.is_none()),
        verbosity: args.verbosity,
        limit: check.max_time.map(Duration::from_secs_f64),
        ..prepared.launch.clone()
    };
    signals::watch();
    let mut confirmed = 0;
    for run in 1.. {
        let ran = prepared.jvm.run(prepared.folder.path(), &launch);
        if let Some(signal) = signals::take() {
            // As if it had not been kept; but the JVM and all files are gone.
            return Ok(128 + signal as u8);
        }
        let ran = ran?;
        let name = ran.jvm.clone();
        if ran.diverged.is_some() || ran.unable.is_some() {
            // The library has said so.
            return Ok(crate::CANNOT_ANSWER);
        }
        let Some((kind, message)) = &header.finding else {
            let broken = ran.stuck.is_some() || !ran.uncaught.is_empty();
            if broken || run >= jvm.runs {
                return Ok(u8::from(broken));
            }
            continue;
        };
        let how = match verdict(&ran, (kind, message), &header.accesses) {
            Verdict::Confirmed => "Confirmed",
            Verdict::Followed => "Followed",
            Verdict::Differs(how) => {
                println!("Not confirmed on {name}: {how}. In the VM: {message}");
                return Ok(2);
            }
        };
        confirmed += 1;
        if run >= jvm.runs {
            let times = if run > 1 {
                format!(" {confirmed} times")
            } else {
                String::new()
            };
            println!("{how} on {name}{times}: {message}");
            return Ok(1);
        }
    }
    unreachable!("runs end")
}

/// Replays each error on a JVM and notes down what happens there.
pub fn confirm(errors: &mut [Error], check: &CheckArgs, jvm: &JvmArgs) {
    for error in errors {
        let Some(file) = error.schedule_file.as_deref() else {
            continue;
        };
        let said = confirm_one(file, check, jvm, error.kind.name(), &error.message);
        error.on_jvm = Some(said.unwrap_or_else(|e| format!("not tried on a JVM: {e}")));
    }
}

fn confirm_one(
    file: &str,
    check: &CheckArgs,
    jvm: &JvmArgs,
    kind: &str,
    message: &str,
) -> Result<String, String> {
    let schedule = instrument::read_schedule(file)?;
    let header = schedule.header.clone().unwrap_or_default();
    let prepared = Prepared::new(file, (&schedule, None), check, jvm, false)?;
    let launch = Launch {
        until: until(&header),
        silent: true,
        limit: Some(PATIENCE),
        ..prepared.launch.clone()
    };
    let ran = prepared.jvm.run(prepared.folder.path(), &launch)?;
    let name = &ran.jvm;
    Ok(match verdict(&ran, (kind, message), &header.accesses) {
        Verdict::Confirmed => format!("confirmed on {name}"),
        Verdict::Followed => format!("its schedule was followed to its end on {name}"),
        Verdict::Differs(how) => format!("not confirmed on {name}: {how}"),
    })
}

/// When a run for a finding is over.
fn until(header: &Header) -> Option<Until> {
    let (kind, message) = header.finding.as_ref()?;
    Some(match can_be_seen(kind, message, &header.accesses) {
        true => Until::Finding,
        false => Until::Done,
    })
}

/// What a JVM has to say about a finding.
pub enum Verdict {
    /// It happened again.
    Confirmed,
    /// The schedule was followed; what it shows cannot be seen on a JVM.
    Followed,
    Differs(String),
}

pub fn verdict(
    outcome: &Outcome,
    (kind, message): (&str, &str),
    accesses: &[AccessEntry],
) -> Verdict {
    if let Some(unable) = &outcome.unable {
        return Verdict::Differs(unable.clone());
    }
    if let Some(divergence) = &outcome.diverged {
        return Verdict::Differs(format!(
            "it left the schedule: {}, but {}",
            divergence.expected, divergence.found
        ));
    }
    if outcome.jvm.is_empty() {
        let code = outcome
            .code
            .map_or("a signal".to_string(), |c| format!("exit code {c}"));
        return Verdict::Differs(format!(
            "the JVM ended with {code} before the program began"
        ));
    }
    match outcome.compare(kind, message, accesses) {
        Comparison::Confirmed => Verdict::Confirmed,
        Comparison::Differs(how) => Verdict::Differs(how),
        Comparison::NothingToShow if outcome.done => Verdict::Followed,
        Comparison::NothingToShow => Verdict::Differs("the schedule was not done".to_string()),
    }
}

/// A program that is ready to run on a JVM, in a folder that is gone afterwards.
pub struct Prepared {
    pub jvm: Jvm,
    pub folder: Scratch,
    pub launch: Launch,
}

impl Prepared {
    pub fn new(
        file: &str,
        (schedule, messages): (&Schedule, Option<&Messages>),
        check: &CheckArgs,
        jvm: &JvmArgs,
        force: bool,
    ) -> Result<Prepared, String> {
        let jvm = Jvm::at(&home(jvm.home.as_deref().or(check.run.jdk.as_deref()))?)?;
        let options = check::options(check)?;
        let (path, main) = match &options.main {
            Main::Jar(jar) => (
                jar.clone(),
                heddle_replay::class_path::main_of_jar(Path::new(jar))?,
            ),
            Main::Class(class) => (options.class_path.clone(), class.clone()),
        };
        let folder = Scratch::new("replay")?;
        let made = instrument::write(&Request {
            file,
            schedule,
            messages,
            class_path: &path,
            release: jvm.release,
            force,
            output: folder.path(),
        })?;
        let launch = Launch {
            options: java_options(check, &options.assertions, options.processors),
            main,
            arguments: options.args.clone(),
            needs_agent: made.needs_agent,
            verbosity: 1,
            stopped: Some(signals::pending),
            ..Launch::default()
        };
        Ok(Prepared {
            jvm,
            folder,
            launch,
        })
    }
}

/// Options of `java` for what the schedule was made with.
fn java_options(check: &CheckArgs, assertions: &Assertions, processors: u32) -> Vec<String> {
    let mut words = vec![format!("-XX:ActiveProcessorCount={processors}")];
    if assertions.system {
        words.push("-esa".to_string());
    }
    for (on, what) in &assertions.user {
        let flag = if *on { "-ea" } else { "-da" };
        words.push(match what {
            Some(what) => format!("{flag}:{what}"),
            None => flag.to_string(),
        });
    }
    let properties = check.run.properties.iter();
    words.extend(properties.map(|(key, value)| format!("-D{key}={value}")));
    let modules = check.run.module_options.iter();
    words.extend(modules.map(|(option, value)| format!("{}={value}", option.name())));
    if check.run.preview {
        words.push("--enable-preview".into());
    }
    if let Some(stack) = check.run.stack {
        words.push(format!("-Xss{stack}"));
    }
    words
}

/// The home of the JVM: as given, else `$JAVA_HOME`, else that of `java` on the PATH.
fn home(given: Option<&str>) -> Result<PathBuf, String> {
    if let Some(home) = given {
        return Ok(PathBuf::from(home));
    }
    if let Some(home) = std::env::var_os("JAVA_HOME").filter(|h| !h.is_empty()) {
        return Ok(PathBuf::from(home));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .find_map(|folder| {
            let java = folder.join("java").canonicalize().ok()?;
            Some(java.parent()?.parent()?.to_path_buf())
        })
        .ok_or_else(|| "there is no `java` on the PATH; name a JVM with --jvm=HOME".to_string())
}
