//! Names for things in an execution: a newtype each.

use std::fmt;
use std::str::FromStr;

/// Dense number of a thread in one execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ThreadId(pub u32);

/// Which child of which child of the initial thread: the same in every
/// interleaving and on every JVM.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ThreadPath(pub Box<[u32]>);

/// `/` is the initial thread, `/0` the first one it started, `/0/2` the third one that
/// one started.
impl fmt::Display for ThreadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("/");
        }
        self.0.iter().try_for_each(|child| write!(f, "/{child}"))
    }
}

impl FromStr for ThreadPath {
    type Err = ();

    fn from_str(text: &str) -> Result<ThreadPath, ()> {
        let steps = text.strip_prefix('/').ok_or(())?;
        if steps.is_empty() {
            return Ok(ThreadPath::default());
        }
        let plain = |step: &str| step.bytes().all(|b| b.is_ascii_digit());
        let child = |step: &str| plain(step).then(|| step.parse().ok()).flatten().ok_or(());
        steps
            .split('/')
            .map(child)
            .collect::<Result<_, ()>>()
            .map(ThreadPath)
    }
}

/// An object. Depends on what its thread did before, not on the interleaving.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

/// A method of the machine; [`crate::View::frame`] gives its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MethodId(pub u32);

/// A place in the program: a method and a bytecode index (-1 in natives).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site {
    pub method: MethodId,
    pub bci: i32,
}

/// A class name as Java writes it (`java.lang.String`).
pub type ClassName = String;

/// A class as its source calls it: without its package and the classes around it. Classes
/// without a name keep the class they are in (`Bank$1`).
pub fn simple_name(class: &str) -> &str {
    let name = class.rsplit('.').next().unwrap_or(class);
    match name.rsplit_once('$') {
        Some((_, inner)) if inner.starts_with(|c: char| c.is_alphabetic()) => inner,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_names() {
        let cases = [
            "a.b.C",
            "C",
            "a.C$Inner",
            "a.C$1",
            "a.C$$Lambda/0x1",
            "a.C$1Local",
        ];
        let simple = ["C", "C", "Inner", "C$1", "Lambda/0x1", "C$1Local"];
        assert_eq!(cases.map(simple_name), simple);
    }

    #[test]
    fn paths_read_back() {
        for text in ["/", "/0", "/12/3"] {
            assert_eq!(text.parse::<ThreadPath>().unwrap().to_string(), text);
        }
        for bad in ["", "0", "//", "/a", "/-1", "/1/", "/+1"] {
            assert!(bad.parse::<ThreadPath>().is_err(), "{bad}");
        }
    }
}
