//! Options of `heddle check` that do not go together: one sentence each.

use crate::args::CheckArgs;
use crate::phases::AUTO;
use heddle_explore::strategies::{self, STRATEGIES};

/// Refuses a question that cannot be meant.
pub fn agree(args: &CheckArgs) -> Result<(), String> {
    let name = args.strategy.as_str();
    let auto = name == AUTO;
    if !auto && !STRATEGIES.iter().any(|(known, _)| *known == name) {
        let known: Vec<&str> = STRATEGIES.iter().map(|(name, _)| *name).collect();
        let known = known.join(", ");
        return Err(format!(
            "unknown strategy '{name}'; there are {known}, {AUTO}"
        ));
    }
    let bound = match (args.preemptions, args.delays) {
        (Some(_), Some(_)) => {
            return Err(
                "--preemptions and --delays are two ways to bound a search; take one".into(),
            );
        }
        (Some(_), None) => Some("--preemptions"),
        (None, Some(_)) => Some("--delays"),
        (None, None) => None,
    };
    if let Some(bound) = bound.filter(|_| !strategies::can_be_bounded(name)) {
        return Err(format!("{bound} needs dpor, dfs or dfs-blocks, not {name}"));
    }
    if args.pct_depth.is_some() && name != "pct" && !auto {
        return Err(format!("--pct-depth is for pct and {AUTO}, not for {name}"));
    }
    if args.budget.is_some() && !auto {
        return Err(format!("--budget is for {AUTO}; {name} takes --max-time"));
    }
    let saved = args.save.is_some() || args.resume.is_some();
    if auto && saved {
        return Err(format!(
            "a search by {AUTO} cannot be saved, one by dpor can"
        ));
    }
    if args.match_states && saved {
        return Err(
            "a search with --match-states cannot go on later: the names it has for states \
                    hold in one process only"
                .into(),
        );
    }
    if args.jobs > 1 {
        let section = args.from.is_some() || args.until.is_some();
        let against = [
            (bound.is_some(), bound.unwrap_or_default()),
            (section, "--from and --until"),
            (saved, "--save and --resume"),
            (args.match_states, "--match-states"),
            (args.trace, "--trace"),
            (args.record.is_some(), "--record"),
            (args.digest, "--digest"),
        ];
        if let Some((_, option)) = against.iter().find(|(given, _)| *given) {
            return Err(format!("--jobs does not go with {option}"));
        }
        if !auto && !strategies::can_be_shared(name) {
            return Err(format!(
                "--jobs needs a strategy that explores everything, not {name}"
            ));
        }
    }
    if let Some(bound) = bound {
        let section = args.from.is_some() || args.until.is_some();
        let against = [
            (section, "--from and --until"),
            (args.match_states, "--match-states"),
        ];
        if let Some((_, option)) = against.iter().find(|(given, _)| *given) {
            return Err(format!("{bound} does not go with {option}"));
        }
    }
    Ok(())
}
