//! Which code is trusted: a call into it is one operation of its caller's. Both engines ask
//! here, so that schedules carry over.
//!
//! Words name packages (`java.`), classes with what is nested in them (`my.Cache`), or
//! methods (`my.Cache.get`). The longest that covers a method decides; between a word of
//! trust and the same one of distrust, distrust does.

use std::fmt;

/// The packages of the JDK.
const LIBRARY: [&str; 4] = ["java.", "javax.", "jdk.", "sun."];

/// Words of trust and of distrust.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trust {
    trusted: Vec<String>,
    distrusted: Vec<String>,
}

impl Trust {
    pub fn new(trusted: Vec<String>, distrusted: Vec<String>) -> Trust {
        Trust {
            trusted,
            distrusted,
        }
    }

    /// The library: what is trusted unless somebody says otherwise.
    pub fn library() -> Trust {
        Trust::new(LIBRARY.map(String::from).to_vec(), Vec::new())
    }

    /// Adds words, separated by commas; `none` takes back all that was trusted before.
    pub fn trust(&mut self, words: &str) {
        for word in words.split(',').filter(|w| !w.is_empty()) {
            match word {
                "none" => self.trusted.clear(),
                word => self.trusted.push(word.to_string()),
            }
        }
    }

    /// Adds words of distrust, separated by commas.
    pub fn distrust(&mut self, words: &str) {
        let words = words.split(',').filter(|w| !w.is_empty());
        self.distrusted.extend(words.map(String::from));
    }

    /// Whether nothing is trusted.
    pub fn is_empty(&self) -> bool {
        self.trusted.is_empty()
    }

    /// Whether a class, by its name with dots, is trusted as a whole.
    pub fn class(&self, class: &str) -> bool {
        let longest = |words: &[String]| {
            let covering = words.iter().filter(|w| covers(w, class));
            covering.map(|w| w.len()).max()
        };
        longest(&self.trusted) > longest(&self.distrusted)
    }

    /// The same for a class that comes from the JDK: packages of its own that others have, too
    /// (`com.sun.`, `org.xml.`), go with `java.`.
    pub fn class_of_jdk(&self, class: &str) -> bool {
        let distrusted = || self.distrusted.iter().any(|word| covers(word, class));
        self.class(class) || self.class("java.lang.Object") && !distrusted()
    }

    /// What is said of a method apart from its class.
    pub fn method(&self, class: &str, method: &str) -> Option<bool> {
        let named = |words: &[String]| {
            words.iter().any(|word| {
                let rest = word.strip_prefix(class).and_then(|r| r.strip_prefix('.'));
                rest == Some(method)
            })
        };
        match (named(&self.trusted), named(&self.distrusted)) {
            (_, true) => Some(false),
            (true, false) => Some(true),
            (false, false) => None,
        }
    }

    /// Whether a method is trusted, by itself or with its class.
    pub fn covers(&self, class: &str, method: &str) -> bool {
        let own = self.method(class, method);
        own.unwrap_or_else(|| self.class(class))
    }

    /// Whether any word names a method of this class.
    pub fn names_methods(&self, class: &str) -> bool {
        let mut words = self.trusted.iter().chain(&self.distrusted);
        words.any(|word| {
            let rest = word.strip_prefix(class).and_then(|r| r.strip_prefix('.'));
            rest.is_some_and(|method| !method.is_empty())
        })
    }

    pub fn trusted(&self) -> &[String] {
        &self.trusted
    }

    pub fn distrusted(&self) -> &[String] {
        &self.distrusted
    }
}

/// Whether a word covers a class: by its package, as itself, or as one around it.
fn covers(word: &str, class: &str) -> bool {
    match class.strip_prefix(word) {
        Some(rest) => word.ends_with('.') || rest.is_empty() || rest.starts_with(['.', '$']),
        None => false,
    }
}

/// `java., javax. but not java.util.`
impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.trusted.join(", "))?;
        match self.distrusted.is_empty() {
            true => Ok(()),
            false => write!(f, " but not {}", self.distrusted.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Trust;

    fn trust(trusted: &[&str], distrusted: &[&str]) -> Trust {
        let words = |list: &[&str]| list.iter().map(|w| w.to_string()).collect();
        Trust::new(words(trusted), words(distrusted))
    }

    #[test]
    fn the_longest_word_decides() {
        let both = trust(
            &["java.", "my.Cache", "java.util.concurrent.atomic."],
            &["java.util.concurrent.", "my.Cache$Entry"],
        );
        assert!(both.class("java.lang.String"));
        assert!(!both.class("java.util.concurrent.FutureTask"));
        assert!(both.class("java.util.concurrent.atomic.AtomicInteger"));
        assert!(both.class("my.Cache") && both.class("my.Cache$Other"));
        assert!(!both.class("my.Cache$Entry") && !both.class("my.CacheTwo"));
        assert!(!trust(&[], &[]).class("java.lang.String"));
        assert!(!trust(&["a.B"], &["a.B"]).class("a.B"));
    }

    #[test]
    fn words_are_added() {
        let mut words = Trust::library();
        words.trust("my.,your.Class");
        words.distrust("java.util.");
        assert!(words.class("java.lang.Thread") && words.class("your.Class"));
        assert!(!words.class("java.util.List"));
        words.trust("none,my.");
        assert_eq!(words.trusted(), ["my."]);
    }

    #[test]
    fn methods_are_named_after_their_class() {
        let one = trust(&["my.Cache.get", "java."], &["java.lang.Object.wait"]);
        assert_eq!(one.method("my.Cache", "get"), Some(true));
        assert_eq!(one.method("my.Cache", "put"), None);
        assert_eq!(one.method("java.lang.Object", "wait"), Some(false));
        assert!(!one.class("my.Cache"));
        assert!(one.names_methods("my.Cache") && !one.names_methods("my.Other"));
        assert_eq!(
            one.to_string(),
            "my.Cache.get, java. but not java.lang.Object.wait"
        );
    }
}
