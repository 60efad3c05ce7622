//! Marks in a program's source: `//~ kind …` at the end of a line says that an error of
//! this kind names the line.

use heddle_model::FindingKind;
use std::io;
use std::path::PathBuf;

/// All marks of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(Vec<Mark>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Mark {
    file: String,
    line: u64,
    kind: FindingKind,
}

impl Marks {
    pub fn read(sources: &[PathBuf]) -> io::Result<Marks> {
        let mut marks = Vec::new();
        for source in sources {
            let file = source.file_name().unwrap_or_default().to_string_lossy();
            let text = std::fs::read_to_string(source)?;
            marks.extend(in_file(&file, &text).map_err(io::Error::other)?);
        }
        Ok(Marks(marks))
    }

    /// Whether any line is marked with this kind: otherwise the error has no place in the
    /// program's own code.
    pub fn any(&self, kind: FindingKind) -> bool {
        self.0.iter().any(|m| m.kind == kind)
    }

    pub fn has(&self, kind: FindingKind, file: &str, line: u64) -> bool {
        let here = |m: &Mark| m.kind == kind && m.file == file && m.line == line;
        self.0.iter().any(here)
    }
}

fn in_file(file: &str, text: &str) -> Result<Vec<Mark>, String> {
    let mut marks = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some((_, kinds)) = line.split_once("//~") else {
            continue;
        };
        for name in kinds.split_whitespace() {
            let kind = FindingKind::named(name)
                .ok_or_else(|| format!("{file}:{number}: '{name}' is no kind of error"))?;
            marks.push(Mark {
                file: file.to_string(),
                line: number,
                kind,
            });
        }
    }
    Ok(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_kinds() {
        let text = "class A {\n  int x; //~ race assertion\n}";
        let marks = Marks(in_file("A.java", text).unwrap());
        assert!(marks.has(FindingKind::Race, "A.java", 2));
        assert!(marks.has(FindingKind::Assertion, "A.java", 2));
        assert!(!marks.has(FindingKind::Race, "A.java", 1));
        assert!(marks.any(FindingKind::Race) && !marks.any(FindingKind::Livelock));
        assert!(in_file("A.java", "x; //~ rase").is_err());
    }
}
