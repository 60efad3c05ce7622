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
    /// Makes a plain access that its caller asked for: reflection and handles.
    Accessor,
    /// Generated for a handle. Its name says nothing: what it does to fields is what it calls.
    Form,
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

    /// Whether a call of it by the program is answered for by the program.
    pub fn serves_its_caller(self) -> bool {
        matches!(self, Code::Unguarded | Code::Between | Code::Accessor)
    }
}

impl Codes {
    #[inline]
    pub fn of(&mut self, method: MethodId, view: &dyn View) -> Code {
        self.0.of(method.0, || match view.trusted(method) {
            true => {
                let frame = view.frame(Site { method, bci: -1 });
                of_library(&frame.class, &frame.method)
            }
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

/// Classes of packages that have others of another kind.
const UNGUARDED: &[&str] = &[
    "java.lang.StringBuilder",
    "java.lang.AbstractStringBuilder",
    "java.util.regex.Matcher",
    "java.util.zip.CRC32",
    "java.util.zip.CRC32C",
    "java.util.zip.Adler32",
    "java.nio.charset.CharsetDecoder",
    "java.nio.charset.CharsetEncoder",
    "jdk.internal.util.ArraysSupport",
    "java.security.MessageDigest",
    "java.security.MessageDigest$Delegate",
    "java.security.Signature",
    "java.security.Signature$Delegate",
    "java.io.StreamTokenizer",
    "javax.crypto.Mac",
    "javax.crypto.Cipher",
];

/// Classes that work on objects of the program for it.
const BETWEEN: &[&str] = &["java.io.ObjectOutputStream", "java.io.ObjectInputStream"];

/// The kind of a method of the library, by its documentation.
fn of_library(class: &str, method: &str) -> Code {
    let in_package = |package: &str| class.strip_prefix(package);
    if in_package("java.util.stream.").is_some() {
        return Code::Between;
    }
    if [
        "java.lang.invoke.LambdaForm$MH",
        "java.lang.invoke.LambdaForm$DMH",
    ]
    .iter()
    .any(|form| in_package(form).is_some())
    {
        return Code::Form;
    }
    if [
        "java.lang.reflect.",
        "java.lang.invoke.",
        "jdk.internal.reflect.",
    ]
    .iter()
    .any(|package| in_package(package).is_some())
    {
        return match is_accessor(class, method) {
            true => Code::Accessor,
            false => Code::Between,
        };
    }
    if class.ends_with(".misc.Unsafe") || class == "java.io.ObjectStreamClass$FieldReflector" {
        return match is_plain(method) {
            true => Code::Accessor,
            false => Code::Trusted,
        };
    }
    if BETWEEN.contains(&class) {
        return Code::Between;
    }
    // What stands behind `javax.crypto` and `java.text`.
    let behind = ["com.sun.crypto.provider.", "sun.text."];
    if UNGUARDED.contains(&class) || behind.into_iter().any(|p| in_package(p).is_some()) {
        return Code::Unguarded;
    }
    let is_buffer = |name: &str| name.contains("Buffer") && !name.contains('.');
    if in_package("java.nio.").is_some_and(is_buffer) {
        return Code::Unguarded;
    }
    let name = ["java.util.", "java.text."]
        .into_iter()
        .find_map(in_package);
    match name {
        // In a package below.
        Some(name) if name.contains('.') => Code::Trusted,
        // Documented as safe, never changed once made, or kept by streams, which lock theirs
        // (the monitors of the standard ones are not told of).
        Some(name)
            if ["ResourceBundle", "Locale", "Currency", "Formatter"]
                .iter()
                .any(|c| name.starts_with(c)) =>
        {
            Code::Trusted
        }
        Some(_) => Code::Unguarded,
        None => Code::Trusted,
    }
}

/// Whether a method of reflection or of a handle makes accesses that are not volatile: for
/// volatile fields and in other modes other methods do.
fn is_accessor(class: &str, method: &str) -> bool {
    let plain = |prefixes: [&str; 2]| {
        let starts = prefixes.iter().any(|prefix| method.starts_with(prefix));
        starts && !method.contains("Volatile")
    };
    if class.starts_with("java.lang.invoke.VarHandle") {
        return matches!(method, "get" | "set");
    }
    class.contains("FieldAccessorImpl") && plain(["get", "set"])
        || class.contains("ArrayAccessor") && plain(["getElement", "setElement"])
        || class.starts_with("java.lang.invoke.DirectMethodHandle") && plain(["get", "put"])
}

/// Whether a method that accesses memory for its caller does so in no other than the plain mode.
fn is_plain(method: &str) -> bool {
    const OTHERS: [&str; 6] = ["And", "Volatile", "Acquire", "Release", "Opaque", "Ordered"];
    let starts = ["get", "put", "set"].iter().any(|p| method.starts_with(p));
    starts && !OTHERS.iter().any(|mode| method.contains(mode))
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
            ("java.util.Formatter", Code::Trusted),
            ("java.lang.StringBuilder", Code::Unguarded),
            ("java.lang.StringBuffer", Code::Trusted),
            ("java.lang.Thread", Code::Trusted),
            ("java.util.regex.Matcher", Code::Unguarded),
            ("java.util.regex.Pattern", Code::Trusted),
            ("java.nio.HeapByteBuffer", Code::Unguarded),
            ("java.nio.channels.FileChannel", Code::Trusted),
            ("java.lang.reflect.Method", Code::Between),
            ("java.lang.invoke.LambdaForm$DMH/0x0800", Code::Form),
            ("java.lang.invoke.LambdaForm$Name", Code::Between),
            ("java.io.ObjectOutputStream", Code::Between),
            ("javax.crypto.Mac", Code::Unguarded),
        ];
        for (class, code) in cases {
            assert_eq!(of_library(class, "call"), code, "{class}");
        }
        let cases = [
            (
                "java.lang.invoke.VarHandleInts$FieldInstanceReadWrite",
                "set",
                true,
            ),
            (
                "java.lang.invoke.VarHandleInts$FieldInstanceReadWrite",
                "setRelease",
                false,
            ),
            ("java.lang.invoke.DirectMethodHandle$Holder", "getInt", true),
            (
                "java.lang.invoke.DirectMethodHandle$Holder",
                "getIntVolatile",
                false,
            ),
            (
                "java.lang.invoke.DirectMethodHandle$Holder",
                "invokeStatic",
                false,
            ),
            (
                "jdk.internal.reflect.UnsafeIntegerFieldAccessorImpl",
                "setInt",
                true,
            ),
        ];
        for (class, method, plain) in cases {
            let code = if plain { Code::Accessor } else { Code::Between };
            assert_eq!(of_library(class, method), code, "{class}.{method}");
        }
        for (method, plain) in [
            ("getInt", true),
            ("putLongUnaligned", true),
            ("getAndAddInt", false),
            ("putOrderedInt", false),
            ("putIntRelease", false),
            ("compareAndSetInt", false),
        ] {
            assert_eq!(is_plain(method), plain, "{method}");
        }
        assert!(is_cache("java.util.HashMap", "keySet"));
        assert!(!is_cache("java.util.HashMap", "size"));
        assert!(!is_cache("shop.Map", "keySet"));
    }
}
