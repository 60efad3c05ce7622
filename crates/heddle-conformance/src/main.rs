//! The command line of the conformance harness.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use heddle_conformance::compare::Verdict;
use heddle_conformance::suite::{self, Case, Settings, Subject};
use heddle_conformance::toolchain::{Jdk, find_heddle, target_dir, workspace_root};
use heddle_conformance::{corpus, generate};

const USAGE: &str = "\
usage: heddle-conformance [FILTER…] [--jobs N] [--limit SECONDS] [--against heddle|java] [--rehearse SEED] [--list] [--quiet]
       heddle-conformance generate [--seed S] [--count N] [--batch N] [--print] [same options]

A filter is a part of `topic/Name`. The binary is $HEDDLE, else the one in the target directory.
`--rehearse SEED` marks and rewinds at random points and compares the whole state after each rewind.
`--against java` compares java with itself (plain and -Xint) to find programs that are not deterministic.";

struct Options {
    filters: Vec<String>,
    jobs: usize,
    limit: u64,
    against_java: bool,
    rehearse: Option<u64>,
    list: bool,
    quiet: bool,
    generate: bool,
    plan: generate::Plan,
    print: bool,
}

fn main() -> ExitCode {
    let options = match parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(3);
        }
    };
    let result = if options.generate {
        generated(&options)
    } else {
        programs(&options)
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("heddle-conformance: {message}");
            ExitCode::from(3)
        }
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        filters: Vec::new(),
        jobs: 2,
        limit: 30,
        against_java: false,
        rehearse: None,
        list: false,
        quiet: false,
        generate: false,
        plan: generate::Plan::default(),
        print: false,
    };
    let mut first = true;
    while let Some(arg) = args.next() {
        let mut number = |name: &str| -> Result<u64, String> {
            let text = args
                .next()
                .ok_or(format!("{name} needs a value\n{USAGE}"))?;
            text.parse()
                .map_err(|_| format!("{name}: {text} is no number\n{USAGE}"))
        };
        match arg.as_str() {
            "generate" if first => options.generate = true,
            "--jobs" | "-j" => options.jobs = number("--jobs")? as usize,
            "--limit" => options.limit = number("--limit")?,
            "--seed" => options.plan.seed = number("--seed")?,
            "--count" => options.plan.count = number("--count")?,
            "--batch" => options.plan.batch = number("--batch")?.max(1),
            "--against" => match args.next().as_deref() {
                Some("java") => options.against_java = true,
                Some("heddle") => options.against_java = false,
                _ => return Err(format!("--against is heddle or java\n{USAGE}")),
            },
            "--rehearse" => options.rehearse = Some(number("--rehearse")?),
            "--list" => options.list = true,
            "--quiet" | "-q" => options.quiet = true,
            "--print" => options.print = true,
            "--help" | "-h" => return Err(USAGE.into()),
            other if other.starts_with('-') => {
                return Err(format!("unknown option {other}\n{USAGE}"));
            }
            other => options.filters.push(other.into()),
        }
        first = false;
    }
    Ok(options)
}

fn settings(options: &Options, folder: &str) -> Result<Settings, String> {
    Ok(Settings {
        scratch: target_dir().join("conformance").join(folder),
        subject: match options.rehearse {
            _ if options.against_java => Subject::Java,
            Some(seed) => Subject::Rehearsal(find_heddle()?, seed),
            None => Subject::Heddle(find_heddle()?),
        },
        jobs: options.jobs,
        limit: Duration::from_secs(options.limit),
    })
}

fn programs(options: &Options) -> Result<bool, String> {
    let mut all = corpus::discover(&workspace_root().join("programs").join("run"))
        .map_err(|e| format!("programs/run: {e}"))?;
    all.retain(|p| {
        options.filters.is_empty() || options.filters.iter().any(|f| p.name.contains(f))
    });
    if options.list {
        all.iter().for_each(|p| println!("{}", p.name));
        return Ok(true);
    }
    if all.is_empty() {
        return Err("no program matches".into());
    }
    let jdk = Jdk::find()?;
    let settings = settings(options, "run")?;
    let start = Instant::now();
    let cases = suite::run(&all, &jdk, &settings, &|case| show(case, options.quiet))
        .map_err(|e| e.to_string())?;
    Ok(summarise(&cases, start.elapsed()))
}

fn show(case: &Case, quiet: bool) {
    match &case.verdict {
        Verdict::Passed if quiet => {}
        Verdict::Passed => println!(
            "passed       {} ({:.2} s)",
            case.name,
            case.elapsed.as_secs_f64()
        ),
        Verdict::Unsupported(what) => println!("unsupported  {}: {what}", case.name),
        Verdict::Failed(report) => print!("FAILED       {}\n{report}", case.name),
    }
}

fn summarise(cases: &[Case], elapsed: Duration) -> bool {
    let mut rows: Vec<(&str, [usize; 3])> = Vec::new();
    let mut total = [0; 3];
    for case in cases {
        let topic = case.name.split('/').next().unwrap_or_default();
        if rows.last().is_none_or(|(last, _)| *last != topic) {
            rows.push((topic, [0; 3]));
        }
        let column = match case.verdict {
            Verdict::Passed => 0,
            Verdict::Failed(_) => 1,
            Verdict::Unsupported(_) => 2,
        };
        rows.last_mut().expect("a row was pushed").1[column] += 1;
        total[column] += 1;
    }
    println!(
        "\n{:<12}{:>8}{:>8}{:>13}",
        "topic", "passed", "failed", "unsupported"
    );
    rows.push(("total", total));
    for (topic, [passed, failed, unsupported]) in rows {
        println!("{topic:<12}{passed:>8}{failed:>8}{unsupported:>13}");
    }
    let again = suite::asked_again(cases);
    if !again.is_empty() {
        println!(
            "{} passed only when java was asked again: {}",
            again.len(),
            again.join(", ")
        );
    }
    println!("{:.1} s", elapsed.as_secs_f64());
    total[1] + total[2] == 0
}

fn generated(options: &Options) -> Result<bool, String> {
    if options.print {
        println!("{}", generate::source(options.plan.seed));
        return Ok(true);
    }
    let jdk = Jdk::find()?;
    let settings = settings(options, "generated")?;
    let start = Instant::now();
    let tally = generate::run(&options.plan, &jdk, &settings, &|text| println!("{text}"))
        .map_err(|e| e.to_string())?;
    println!(
        "{} programs from seed {}: {} equal, {} different, {} batches unsupported, {:.1} s",
        tally.equal + tally.different,
        options.plan.seed,
        tally.equal,
        tally.different,
        tally.unsupported,
        start.elapsed().as_secs_f64()
    );
    Ok(tally.different + tally.unsupported == 0)
}
