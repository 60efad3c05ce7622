//! The program's source, as far as it is found: where the user says (`--src PATH`), beside
//! the class files, and where builds have it.

use heddle_model::Frame;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Directories that hold source files in folders by package. Files are read once.
#[derive(Debug, Default)]
pub struct Sources {
    roots: Vec<PathBuf>,
    files: RefCell<HashMap<PathBuf, Option<Vec<String>>>>,
}

impl Sources {
    pub fn new(roots: Vec<PathBuf>) -> Sources {
        Sources {
            roots,
            ..Sources::default()
        }
    }

    /// The text of the line that a frame is at, without its indentation.
    pub fn line(&self, frame: &Frame) -> Option<String> {
        let (file, line) = (frame.file.as_ref()?, frame.line?);
        let package = frame
            .class
            .rsplit_once('.')
            .map_or("", |(package, _)| package);
        // A class file may name any file; only plain names are looked for.
        if file.contains(['/', '\\']) || package.split('.').any(|p| p.contains(['/', '\\'])) {
            return None;
        }
        let mut files = self.files.borrow_mut();
        for root in &self.roots {
            let mut path = root.clone();
            path.extend(package.split('.').filter(|p| !p.is_empty()));
            path.push(file);
            let lines = files.entry(path).or_insert_with_key(|path| {
                let text = std::fs::read(path).ok()?;
                let text = String::from_utf8_lossy(&text);
                Some(text.lines().map(|l| code(l).to_string()).collect())
            });
            if let Some(lines) = lines {
                return lines.get((line as usize).checked_sub(1)?).cloned();
            }
        }
        None
    }
}

/// A line without its indentation and the comment behind it.
fn code(line: &str) -> &str {
    let (mut quote, mut escaped, mut slash) = (None, false, false);
    for (at, c) in line.char_indices() {
        match quote {
            _ if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '/' && slash => {
                let code = line[..at - 1].trim();
                // A line that is all comment says at least that.
                return if code.is_empty() { line.trim() } else { code };
            }
            None => {}
        }
        slash = quote.is_none() && c == '/';
    }
    line.trim()
}

/// Where builds keep sources, seen from the root of a project.
const USUAL: [&str; 4] = ["src/main/java", "src/test/java", "src", "java"];
/// How far the classes may be below the root: `build/classes/java/main` is four.
const DEEPEST: usize = 4;

/// Where the sources of the classes on a class path may be. Only directories that exist.
pub fn beside<'a>(class_path: impl IntoIterator<Item = &'a Path>) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = Vec::new();
    let mut add = |root: PathBuf| {
        if root.is_dir() && !roots.contains(&root) {
            roots.push(root);
        }
    };
    for entry in class_path {
        let entry = match entry.as_os_str().is_empty() {
            true => Path::new("."),
            false => entry,
        };
        let Ok(entry) = std::path::absolute(entry) else {
            continue;
        };
        if entry.is_dir() {
            add(entry.clone());
        }
        for project in entry.ancestors().skip(1).take(DEEPEST) {
            for usual in USUAL {
                add(project.join(usual));
            }
        }
    }
    roots
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn comments_behind_code_are_left_out() {
        assert_eq!(code("  count++; // lost"), "count++;");
        assert_eq!(code("  // all of it"), "// all of it");
        assert_eq!(
            code("f(\"http://x\", '/', \"\\\"//\"); //~ race"),
            "f(\"http://x\", '/', \"\\\"//\");"
        );
        assert_eq!(code("a / b / c"), "a / b / c");
    }
}
