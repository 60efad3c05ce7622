//! A class path, read into memory as one tree of files, the way a JVM of a given release
//! would see it.
//!
//! Where several elements have a file of the same name the first one counts, except for
//! lists of services, which are put together. Of a multi-release jar the files for the
//! release are taken. What only makes sense inside of a jar is left out: manifests,
//! signatures (changed classes would not match them), module descriptions. Each thing that
//! a user may miss gives a note.
//!
//! Left out: archives of other kinds, remote elements.

use heddle_classfile::zip::Archive;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Files by name, with slashes: `shop/Cart.class`.
#[derive(Debug, Default)]
pub struct ClassPath {
    pub files: BTreeMap<String, Vec<u8>>,
    /// What is not as it was, one sentence each.
    pub notes: Vec<String>,
}

impl ClassPath {
    /// Reads the elements of a class path. Elements that do not exist are skipped, as
    /// `java` does it.
    pub fn read(class_path: &str, release: u32) -> Result<ClassPath, String> {
        let mut read = ClassPath::default();
        let mut elements: Vec<PathBuf> = class_path.split(':').rev().map(element).collect();
        let mut seen = Vec::new();
        while let Some(element) = elements.pop() {
            if seen.contains(&element) {
                continue;
            }
            if element.is_dir() {
                read.folder(&element, "")?;
            } else if element.is_file() {
                let more = read.jar(&element, release)?;
                elements.extend(more.into_iter().rev());
            }
            seen.push(element);
        }
        Ok(read)
    }

    /// The bytes of a class, by its name with slashes.
    pub fn class(&self, name: &str) -> Option<&[u8]> {
        self.files.get(&format!("{name}.class")).map(Vec::as_slice)
    }

    fn folder(&mut self, folder: &Path, prefix: &str) -> Result<(), String> {
        let fail = |e: io::Error| format!("cannot read {}: {e}", folder.display());
        let mut entries = fs::read_dir(folder)
            .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
            .map_err(fail)?;
        entries.sort_by_key(|e| e.file_name());
        for entry in entries {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let path = entry.path();
            if path.is_dir() {
                self.folder(&path, &format!("{name}/"))?;
            } else if path.is_file() {
                let bytes =
                    fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
                self.add(name, bytes);
            }
        }
        Ok(())
    }

    /// Reads a jar; gives the elements that its manifest adds to the class path.
    fn jar(&mut self, path: &Path, release: u32) -> Result<Vec<PathBuf>, String> {
        let shown = path.display();
        let bytes = fs::read(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
        let archive = Archive::open(&bytes).map_err(|e| format!("cannot read {shown}: {e}"))?;
        let content = |entry| {
            let read = archive.read(entry);
            read.map_err(|e| format!("cannot read {shown}: {e}"))
        };
        let manifest = archive
            .entries
            .iter()
            .find(|e| e.name.eq_ignore_ascii_case("META-INF/MANIFEST.MF"));
        let manifest = Manifest::parse(&manifest.map(content).transpose()?.unwrap_or_default());
        if manifest.says("Sealed", "true") {
            self.notes
                .push(format!("the packages of {shown} are not sealed any more"));
        }
        let multi = manifest.says("Multi-Release", "true");
        // The file to take for each name, and the release it was made for.
        let mut chosen = BTreeMap::new();
        let mut signed = false;
        for (number, entry) in archive.entries.iter().enumerate() {
            if entry.name.ends_with('/') {
                continue;
            }
            if is_signature(&entry.name) {
                signed = true;
                continue;
            }
            let (made_for, name) = match versioned(&entry.name) {
                Some((made_for, name)) if multi && made_for <= release => (made_for, name),
                Some(_) => continue,
                None => (0, entry.name.as_str()),
            };
            if !stays_inside(name) {
                self.notes
                    .push(format!("{shown}: {} is left out", entry.name));
                continue;
            }
            match chosen.get(name) {
                Some(&(other, _)) if other >= made_for => {}
                _ => {
                    chosen.insert(name, (made_for, number));
                }
            }
        }
        if signed {
            self.notes
                .push(format!("the signatures of {shown} are left out"));
        }
        for (name, (_, number)) in chosen {
            self.add(name.to_string(), content(&archive.entries[number])?);
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let more = manifest.get("Class-Path").unwrap_or_default();
        Ok(more
            .split_whitespace()
            .map(|url| folder.join(url.strip_prefix("file:").unwrap_or(url)))
            .collect())
    }

    fn add(&mut self, name: String, bytes: Vec<u8>) {
        let inside_jars = name.eq_ignore_ascii_case("META-INF/MANIFEST.MF")
            || name.eq_ignore_ascii_case("META-INF/INDEX.LIST")
            || name == "module-info.class";
        if inside_jars {
            return;
        }
        match self.files.get_mut(&name) {
            None => {
                self.files.insert(name, bytes);
            }
            Some(earlier) if name.starts_with("META-INF/services/") => {
                earlier.push(b'\n');
                earlier.extend(bytes);
            }
            Some(_) => {}
        }
    }
}

/// The main class that a jar names.
pub fn main_of_jar(jar: &Path) -> Result<String, String> {
    let shown = jar.display();
    let bytes = fs::read(jar).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let archive = Archive::open(&bytes).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let manifest = archive
        .entries
        .iter()
        .find(|e| e.name.eq_ignore_ascii_case("META-INF/MANIFEST.MF"))
        .and_then(|entry| archive.read(entry).ok());
    let manifest = Manifest::parse(&manifest.unwrap_or_default());
    manifest
        .get("Main-Class")
        .map(|class| class.trim().to_string())
        .ok_or_else(|| format!("{shown} names no main class"))
}

fn element(text: &str) -> PathBuf {
    PathBuf::from(if text.is_empty() { "." } else { text })
}

fn is_signature(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let Some(file) = upper.strip_prefix("META-INF/") else {
        return false;
    };
    let ends = [".SF", ".RSA", ".DSA", ".EC"]
        .iter()
        .any(|e| file.ends_with(e));
    !file.contains('/') && (ends || file.starts_with("SIG-"))
}

/// The release that a file of a multi-release jar is for, and its name without that.
fn versioned(name: &str) -> Option<(u32, &str)> {
    let (number, rest) = name.strip_prefix("META-INF/versions/")?.split_once('/')?;
    Some((number.parse().ok()?, rest))
}

/// Whether a name from an archive leads nowhere else than below the target folder.
fn stays_inside(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('/')
        && !name.contains('\\')
        && name
            .split('/')
            .all(|part| !part.is_empty() && part != "." && part != "..")
}

/// The main section of a manifest.
struct Manifest(Vec<(String, String)>);

impl Manifest {
    fn parse(bytes: &[u8]) -> Manifest {
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        // A line that begins with a blank goes on with the one above.
        let joined = text.replace("\n ", "");
        let main = joined.split("\n\n").next().unwrap_or_default();
        let pairs = main.lines().filter_map(|line| line.split_once(": "));
        Manifest(pairs.map(|(k, v)| (k.to_string(), v.to_string())).collect())
    }

    fn get(&self, key: &str) -> Option<&str> {
        let found = self.0.iter().find(|(k, _)| k.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.as_str())
    }

    fn says(&self, key: &str, value: &str) -> bool {
        self.get(key)
            .is_some_and(|v| v.trim().eq_ignore_ascii_case(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_classfile::zip;

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("heddle-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_multi_release_signed_jar_and_a_folder_behind_it() {
        let folder = scratch("class-path");
        let manifest = "Manifest-Version: 1.0\r\nMulti-Release: true\r\nSealed: true\r\n\
                        Class-Path: clas\r\n ses/\r\n\r\nName: x\r\nSealed: false\r\n";
        let jar = zip::write(&[
            ("META-INF/MANIFEST.MF", manifest.as_bytes()),
            ("META-INF/SIGNER.SF", b"s"),
            ("META-INF/services/a.Service", b"one"),
            ("a/B.class", b"old"),
            ("META-INF/versions/11/a/B.class", b"eleven"),
            ("META-INF/versions/17/a/B.class", b"seventeen"),
            ("META-INF/versions/21/a/B.class", b"too new"),
            ("../evil", b"!"),
        ]);
        fs::write(folder.join("x.jar"), jar).unwrap();
        let classes = folder.join("classes");
        fs::create_dir_all(classes.join("META-INF/services")).unwrap();
        fs::create_dir_all(classes.join("a")).unwrap();
        fs::write(classes.join("a/B.class"), b"hidden").unwrap();
        fs::write(classes.join("a/C.class"), b"c").unwrap();
        fs::write(classes.join("META-INF/services/a.Service"), b"two").unwrap();
        let read = ClassPath::read(folder.join("x.jar").to_str().unwrap(), 17).unwrap();
        let names: Vec<&str> = read.files.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            ["META-INF/services/a.Service", "a/B.class", "a/C.class"]
        );
        assert_eq!(read.class("a/B"), Some(&b"seventeen"[..]));
        assert_eq!(read.files["META-INF/services/a.Service"], b"one\ntwo");
        assert_eq!(read.notes.len(), 3, "{:?}", read.notes);
        let old = ClassPath::read(folder.join("x.jar").to_str().unwrap(), 8).unwrap();
        assert_eq!(old.class("a/B"), Some(&b"old"[..]));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let folder = scratch("class-path-bad");
        fs::write(folder.join("bad.jar"), b"not a jar").unwrap();
        let error = ClassPath::read(folder.join("bad.jar").to_str().unwrap(), 17).unwrap_err();
        assert!(error.contains("bad.jar: it is not a zip file"), "{error}");
        assert!(
            ClassPath::read("no-such-place", 17)
                .unwrap()
                .files
                .is_empty()
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
