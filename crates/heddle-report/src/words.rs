//! Acts and places as people read them.

use heddle_model::report::Deed;
use heddle_model::{Frame, simple_name};

/// What somebody did, without the subject.
pub(crate) fn sentence(deed: &Deed) -> String {
    match deed {
        Deed::Read { place, value } => format!("reads {place} = {value}"),
        Deed::Write { place, value } => format!("writes {place} = {value}"),
        Deed::Lock(lock) => format!("locks {lock}"),
        Deed::Unlock(lock) => format!("unlocks {lock}"),
        Deed::Blocked { lock, owner } => match owner {
            Some(owner) => format!("wants {lock}, held by {owner}"),
            None => format!("wants {lock}"),
        },
        Deed::Wait(on) => format!("waits on {on}"),
        Deed::Notify { object, woken } if woken.is_empty() => {
            format!("notifies {object}: nobody waits")
        }
        Deed::Notify { object, woken } => format!("notifies {object}: wakes {}", woken.join(", ")),
        Deed::Joins(thread) => format!("waits for the end of {thread}"),
        Deed::Joined(thread) => format!("joins {thread}"),
        Deed::Stuck(why) => why.clone(),
        Deed::Interrupt(whom) => format!("interrupts {whom}"),
        Deed::Start(whom) => format!("starts {whom}"),
        Deed::End => "ends".to_string(),
        Deed::Call {
            call,
            result: Some(result),
        } => format!("calls {call} = {result}"),
        Deed::Call { call, result: None } => format!("calls {call}"),
        Deed::Return {
            call,
            result: Some(result),
        } => format!("{call} returns {result}"),
        Deed::Return { call, result: None } => format!("{call} returns"),
        Deed::Throw(what) => format!("throws {}", without_package(what)),
        Deed::Print(text) => format!("prints {}", text.trim_end()),
        Deed::TimeUp => "its time is up".to_string(),
        Deed::Spurious => "wakes up without a reason".to_string(),
        Deed::TaskDone => {
            "has done its task; what the library does next is still to come".to_string()
        }
        Deed::Switch { to, why } => format!("→ {to}: {why}"),
    }
}

/// `IOException: no` for `java.io.IOException: no`.
fn without_package(exception: &str) -> &str {
    let class = exception.split(':').next().unwrap_or(exception);
    &exception[class.rfind('.').map_or(0, |dot| dot + 1)..]
}

/// `Bank.java:12`, or the method where there is no line.
pub(crate) fn short(frame: &Frame) -> String {
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        _ => format!("{}.{}", simple_name(&frame.class), frame.method),
    }
}

/// A frame as Java prints it, so that editors make a link of it.
pub(crate) fn java(frame: &Frame) -> String {
    let place = match (&frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.clone(),
        (None, _) => "Unknown Source".to_string(),
    };
    format!("{}.{}({place})", frame.class, frame.method)
}

/// `1,234 schedules`.
pub(crate) fn plural(count: u64, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {what}{s}", grouped(count))
}

/// `1,234`.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The first ones of many names: `a, b, c and 97 more`.
pub(crate) fn few(names: &[String]) -> String {
    const MOST: usize = 8;
    const SHOWN: usize = 3;
    let (shown, left) = match names.len() {
        ..=MOST => (names, 0),
        many => (&names[..SHOWN], many - SHOWN),
    };
    let mut shown = shown.to_vec();
    if left > 0 {
        shown.push(format!("{left} more"));
    }
    list(&shown)
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(plural(1, "error"), "1 error");
        assert_eq!(plural(1234567, "bytecode"), "1,234,567 bytecodes");
        assert_eq!(plural(123, "x"), "123 xs");
    }

    #[test]
    fn many_names_are_cut() {
        let names = |count: u32| (1..=count).map(|n| format!("t{n}")).collect::<Vec<_>>();
        assert_eq!(super::few(&names(3)), "t1, t2 and t3");
        assert_eq!(super::few(&names(100)), "t1, t2, t3 and 97 more");
    }

    #[test]
    fn packages_are_left_out_of_exceptions_only() {
        let cut = super::without_package;
        assert_eq!(
            cut("java.io.IOException: a.b: c.d"),
            "IOException: a.b: c.d"
        );
        assert_eq!(cut("Mine"), "Mine");
    }
}
