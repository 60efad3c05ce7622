//! Which JDK to use.

use std::path::{Path, PathBuf};

const INSTALL: &str =
    "install one (Debian: `apt-get install openjdk-17-jdk`), or name it with --jdk HOME";

/// The home of the JDK: as given, else `$JAVA_HOME`, else that of `java` on the PATH.
pub fn find(given: Option<&str>) -> Result<PathBuf, String> {
    if let Some(home) = given {
        return check(Path::new(home)).ok_or_else(|| {
            format!("{home} is not the home of a JDK (it has no lib/modules); {INSTALL}")
        });
    }
    if let Some(home) = std::env::var_os("JAVA_HOME").filter(|h| !h.is_empty()) {
        let shown = Path::new(&home).display().to_string();
        return check(Path::new(&home)).ok_or_else(|| {
            format!("$JAVA_HOME is {shown}, which is not the home of a JDK (it has no lib/modules); {INSTALL}")
        });
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    for directory in std::env::split_paths(&path) {
        // `java` is usually a chain of links into the JDK's bin directory.
        if let Ok(java) = directory.join("java").canonicalize()
            && let Some(home) = java.parent().and_then(Path::parent)
            && let Some(home) = check(home)
        {
            return Ok(home);
        }
    }
    Err(format!(
        "no JDK found: there is no `java` on the PATH; {INSTALL}"
    ))
}

fn check(home: &Path) -> Option<PathBuf> {
    let home = home.canonicalize().ok()?;
    home.join("lib/modules").is_file().then_some(home)
}
