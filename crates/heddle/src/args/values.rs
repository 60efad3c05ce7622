//! Values of options: numbers, times, sizes, names; each with the sentence for a wrong one.

use heddle_vm::stack::STACK_RANGE;

/// `Class.method`.
pub fn method(name: &str, text: String) -> Result<String, String> {
    match text.rsplit_once('.') {
        Some((class, method)) if !class.is_empty() && !method.is_empty() => Ok(text),
        _ => Err(format!("{name} takes Class.method, not '{text}'")),
    }
}

/// `30s`, `5m`, `1h`, or seconds.
pub fn seconds(name: &str, text: &str) -> Result<f64, String> {
    let (digits, unit) = match text.as_bytes().last() {
        _ if text.ends_with("ms") => (&text[..text.len() - 2], 0.001),
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
pub fn assertion(word: &str) -> Option<(bool, Option<String>)> {
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

pub fn number(name: &str, text: &str, least: u64) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(n) if n >= least => Ok(n),
        _ => Err(format!(
            "{name} takes a whole number of at least {least}, not '{text}'"
        )),
    }
}

pub fn small(name: &str, text: &str, least: u64) -> Result<u32, String> {
    let n = number(name, text, least)?;
    u32::try_from(n).map_err(|_| format!("{name} takes a smaller number than {n}"))
}

/// Below this the library cannot start; above it references do not reach.
const LEAST_HEAP: u64 = 2 << 20;
const MOST_HEAP: u64 = 27 << 30;

/// The size of a heap.
pub fn size(name: &str, text: &str) -> Result<u64, String> {
    match bytes(text) {
        Some(size) if size < LEAST_HEAP => Err(format!("{name} must be at least 2m, not '{text}'")),
        Some(size) if size > MOST_HEAP => Err(format!("{name} can be 27g at most, not '{text}'")),
        Some(size) => Ok(size),
        None => Err(wrong_size(name, text)),
    }
}

/// Memory that may be used.
pub fn memory(name: &str, text: &str) -> Result<u64, String> {
    bytes(text).ok_or_else(|| wrong_size(name, text))
}

fn wrong_size(name: &str, text: &str) -> String {
    format!("{name} takes a size such as 512m or 4g, not '{text}'")
}

/// The size of a stack, brought into the range of what a thread can have.
pub fn size_of_stack(name: &str, text: &str) -> Result<usize, String> {
    match bytes(text) {
        Some(size) => Ok(size.clamp(*STACK_RANGE.start(), *STACK_RANGE.end()) as usize),
        None => Err(format!(
            "{name} takes a size such as 512k or 4m, not '{text}'"
        )),
    }
}

/// `64m`, `2g`, `100k`, or bytes.
fn bytes(text: &str) -> Option<u64> {
    let lower = text.to_ascii_lowercase();
    let (digits, shift) = match lower.as_bytes().last() {
        Some(b'k') => (&lower[..lower.len() - 1], 10),
        Some(b'm') => (&lower[..lower.len() - 1], 20),
        Some(b'g') => (&lower[..lower.len() - 1], 30),
        _ => (lower.as_str(), 0),
    };
    let n = digits.parse::<u64>().ok()?;
    (n > 0 && n.leading_zeros() >= shift).then_some(n << shift)
}
