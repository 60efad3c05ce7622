//! Where the tools are: the JDK, the `heddle` binary, the scratch directory.
//!
//! The JDK is `$JAVA_HOME` or the one on the PATH. Heddle is `$HEDDLE` or the
//! binary beside this executable. Scratch space is inside the cargo target
//! directory, so that `cargo clean` removes it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The JDK whose behaviour is the specification.
#[derive(Clone, Debug)]
pub struct Jdk {
    pub java: PathBuf,
    pub javac: PathBuf,
    pub jar: PathBuf,
    /// What `java -version` prints; part of every cache key.
    pub version: String,
}

impl Jdk {
    pub fn find() -> Result<Jdk, String> {
        let tool = |name: &str| match env::var_os("JAVA_HOME") {
            Some(home) if Path::new(&home).join("bin").join(name).exists() => {
                Path::new(&home).join("bin").join(name)
            }
            _ => PathBuf::from(name),
        };
        let java = tool("java");
        let out = Command::new(&java)
            .arg("-version")
            .stdin(Stdio::null())
            .output()
            .map_err(|e| {
                format!(
                    "no JDK: cannot run {}: {e}; install a JDK or set JAVA_HOME",
                    java.display()
                )
            })?;
        let version = String::from_utf8_lossy(&out.stderr).into_owned();
        Ok(Jdk {
            javac: tool("javac"),
            jar: tool("jar"),
            java,
            version,
        })
    }
}

/// The homes of the JVMs to replay on: that of `$JAVA_HOME` or of the `java` on the PATH, and
/// a newer one, `$HEDDLE_NEWER_JDK` or those that are installed beside it.
pub fn jvms() -> Vec<PathBuf> {
    let home_of = |java: PathBuf| {
        let java = java.canonicalize().ok()?;
        Some(java.parent()?.parent()?.to_path_buf())
    };
    let path = env::var_os("PATH").unwrap_or_default();
    let given = env::var_os("JAVA_HOME").filter(|home| !home.is_empty());
    let home = match given {
        Some(home) => home_of(Path::new(&home).join("bin/java")),
        None => env::split_paths(&path).find_map(|dir| home_of(dir.join("java"))),
    };
    let home = home.expect("a JDK: set JAVA_HOME or put `java` on the PATH");
    let newer = match env::var_os("HEDDLE_NEWER_JDK") {
        Some(newer) => vec![PathBuf::from(newer)],
        None => installed_beside(&home),
    };
    let mut homes = vec![home];
    for other in newer {
        if let Ok(other) = other.canonicalize()
            && other.join("bin/java").is_file()
            && !homes.contains(&other)
        {
            homes.push(other);
        }
    }
    homes
}

fn installed_beside(home: &Path) -> Vec<PathBuf> {
    let folder = home.parent().unwrap_or(home);
    crate::corpus::sorted(folder).unwrap_or_default()
}

/// Finds the Heddle binary that is to be tested.
pub fn find_heddle() -> Result<PathBuf, String> {
    if let Some(path) = env::var_os("HEDDLE") {
        let path = PathBuf::from(path);
        let path = path
            .canonicalize()
            .map_err(|e| format!("HEDDLE={}: {e}", path.display()))?;
        return Ok(path);
    }
    let exe = env::current_exe().map_err(|e| e.to_string())?;
    let mut tried = Vec::new();
    for dir in exe.ancestors().skip(1).take(2) {
        tried.push(dir.join("heddle"));
    }
    tried.push(target_dir().join("release").join("heddle"));
    tried.into_iter().find(|p| p.is_file()).ok_or_else(|| {
        "no heddle binary: build it with `cargo build -p heddle`, or set HEDDLE to its path".into()
    })
}

/// The cargo target directory: the one that holds this executable.
pub fn target_dir() -> PathBuf {
    if let Some(dir) = env::var_os("CARGO_TARGET_DIR") {
        return std::path::absolute(&dir).unwrap_or_else(|_| dir.into());
    }
    let exe = env::current_exe().unwrap_or_default();
    exe.ancestors()
        .find(|p| p.join("CACHEDIR.TAG").exists())
        .map(Path::to_path_buf)
        .unwrap_or_else(|| workspace_root().join("target"))
}

/// The root of the workspace this crate was compiled in.
pub fn workspace_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors()
        .nth(2)
        .expect("the crate lies two levels below the workspace root")
        .into()
}

/// FNV-1a over 128 bits: a cache key, not a safeguard against an adversary.
#[derive(Clone, Debug)]
pub struct Digest(u128);

impl Default for Digest {
    fn default() -> Self {
        Digest(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Digest {
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
            self.0 =
                (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    pub fn text(&self) -> String {
        format!("{:032x}", self.0)
    }
}
