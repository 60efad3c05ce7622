//! The program's source, as far as it is found (`--src PATH`).

use heddle_model::Frame;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;

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
                Some(text.lines().map(|l| l.trim().to_string()).collect())
            });
            if let Some(lines) = lines {
                return lines.get((line as usize).checked_sub(1)?).cloned();
            }
        }
        None
    }
}
