//! Which JDK to use.

use std::path::{Path, PathBuf};

const INSTALL: &str =
    "install one (Debian: `apt-get install openjdk-17-jdk`), or name it with --jdk HOME";

/// The one release whose internals `heddle-vm` knows.
pub const RELEASE: u32 = 17;

/// The home of the JDK: as given, else `$JAVA_HOME`, else that of `java` on the PATH.
pub fn find(given: Option<&str>) -> Result<PathBuf, String> {
    if let Some(home) = given {
        return check(Path::new(home), home);
    }
    if let Some(home) = std::env::var_os("JAVA_HOME").filter(|h| !h.is_empty()) {
        let home = Path::new(&home);
        return check(home, &format!("$JAVA_HOME, {},", home.display()));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    for directory in std::env::split_paths(&path) {
        // `java` is usually a chain of links into the JDK's bin directory.
        if let Ok(java) = directory.join("java").canonicalize()
            && let Some(home) = java.parent().and_then(Path::parent)
        {
            return check(
                home,
                &format!("{}, where `java` on the PATH leads,", home.display()),
            );
        }
    }
    Err(format!(
        "no JDK found: there is no `java` on the PATH; {INSTALL}"
    ))
}

/// The home, if a JDK that Heddle can use is there; `name` is what the user calls it.
fn check(home: &Path, name: &str) -> Result<PathBuf, String> {
    if !home.join("lib/modules").is_file() {
        return Err(format!(
            "{name} is not the home of a JDK (it has no lib/modules); {INSTALL}"
        ));
    }
    let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
    let version = release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION="));
    let major = version.map(|v| v.trim_matches('"').split('.').next().unwrap_or(""));
    match major {
        Some(major) if major != RELEASE.to_string() => Err(format!(
            "{name} is a JDK {major}, and Heddle works with JDK {RELEASE} only; {INSTALL}"
        )),
        _ => home
            .canonicalize()
            .map_err(|e| format!("{name} cannot be read: {e}")),
    }
}
