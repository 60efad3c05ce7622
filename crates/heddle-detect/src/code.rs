//! Whose code an access belongs to.
//!
//! What trusted code does to shared data is its own business, and taken to be right. But
//! some of the library is documented as not safe for threads: what such code does is what
//! the program asked for, and two calls that meet are a race of the program's.

use crate::facts::Facts;
use heddle_model::{MethodId, Site, View};

/// The code of each method.
#[derive(Clone, Debug, Default)]
pub struct Codes(Facts<Code>);

/// What a method's accesses count for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// The program's own.
    Own,
    /// Trusted to do right.
    Trusted,
    /// Of a class whose users have to keep threads apart.
    Unguarded,
    /// Works on behalf of its caller on classes of the other kinds.
    Between,
}

/// Fields that unguarded classes fill on demand, with what every thread would put there.
const CACHES: &[(&str, &[&str])] = &[
    // The views of a map: they have no state of their own.
    ("java.util.", &["keySet", "values", "entrySet"]),
    ("java.util.", &["navigableKeySet", "descendingMap"]),
    ("java.util.", &["entrySetView", "navigableKeySetView"]),
    ("java.util.", &["descendingMapView"]),
    // The broken-down form of a time.
    ("java.util.Date", &["cdate"]),
];

impl Code {
    /// Whether its own accesses do not count.
    pub fn is_trusted(self) -> bool {
        matches!(self, Code::Trusted | Code::Between)
    }
}

impl Codes {
    #[inline]
    pub fn of(&mut self, method: MethodId, view: &dyn View) -> Code {
        self.0.of(method.0, || match view.trusted(method) {
            true => of_library(&view.frame(Site { method, bci: -1 }).class),
            false => Code::Own,
        })
    }
}

/// Whether a field of the library is a cache that may be filled twice.
pub fn is_cache(class: &str, field: &str) -> bool {
    let listed =
        |(prefix, fields): &(&str, &[&str])| class.starts_with(prefix) && fields.contains(&field);
    CACHES.iter().any(listed)
}

/// The kind of a class of the library, by its documentation.
fn of_library(class: &str) -> Code {
    if class.starts_with("java.util.stream.") {
        return Code::Between;
    }
    let name = ["java.util.", "java.text."]
        .iter()
        .find_map(|package| class.strip_prefix(package));
    match name {
        // In a package below.
        Some(name) if name.contains('.') => Code::Trusted,
        // Documented as safe, or never changed once made.
        Some(name)
            if ["ResourceBundle", "Locale", "Currency"]
                .iter()
                .any(|c| name.starts_with(c)) =>
        {
            Code::Trusted
        }
        Some(_) => Code::Unguarded,
        None if matches!(
            class,
            "java.lang.StringBuilder" | "java.lang.AbstractStringBuilder"
        ) =>
        {
            Code::Unguarded
        }
        None => Code::Trusted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_the_library() {
        let cases = [
            ("java.util.HashMap", Code::Unguarded),
            ("java.util.HashMap$Node", Code::Unguarded),
            ("java.util.concurrent.ConcurrentHashMap", Code::Trusted),
            ("java.util.stream.ReferencePipeline$3", Code::Between),
            ("java.text.SimpleDateFormat", Code::Unguarded),
            ("java.util.Locale$Builder", Code::Trusted),
            ("java.lang.StringBuilder", Code::Unguarded),
            ("java.lang.StringBuffer", Code::Trusted),
            ("java.lang.Thread", Code::Trusted),
        ];
        for (class, code) in cases {
            assert_eq!(of_library(class), code, "{class}");
        }
        assert!(is_cache("java.util.HashMap", "keySet"));
        assert!(!is_cache("java.util.HashMap", "size"));
        assert!(!is_cache("shop.Map", "keySet"));
    }
}
