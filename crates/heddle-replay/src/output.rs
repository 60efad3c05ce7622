//! The instrumented program on disk: a folder that runs with `java -cp FOLDER Main`.
//!
//! All of the class path goes into it, changed classes in the place of the old ones, with
//! the library, the schedule and the table of places. Nothing is written anywhere else,
//! and nothing over files that are not Heddle's.

use crate::class_path::ClassPath;
use crate::instrument::Instrumented;
use crate::library;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the library looks for its files, on the class path.
const FOLDER: &str = "META-INF/heddle";
/// The library as a jar, for `-javaagent`.
pub const AGENT: &str = "heddle-replay.jar";

/// What goes with the classes.
pub struct Extras {
    pub places: String,
    pub purpose: Purpose,
}

/// What the program is for.
pub enum Purpose {
    /// To run by this schedule, of which there is a digest unless it is one by messages.
    Follow {
        schedule: String,
        digest: Option<Vec<u8>>,
    },
    /// To write its own schedule: lines of its header, and the digests of methods that may
    /// go into it.
    Record { header: String, code: String },
}

/// Writes a program to a folder, which must be new, empty, or written by Heddle before.
pub fn write(
    folder: &Path,
    class_path: &ClassPath,
    program: &Instrumented,
    extras: &Extras,
) -> Result<(), String> {
    if library::CLASSES.is_empty() {
        return Err("this heddle was built without the replay library: build it on a machine with a JDK (javac)".into());
    }
    clear(folder)?;
    let mut made = Vec::new();
    for (name, bytes) in &class_path.files {
        let bytes = program.classes.get(name).unwrap_or(bytes);
        put(folder, name, bytes, &mut made)?;
    }
    for (name, bytes) in library::CLASSES {
        put(folder, name, bytes, &mut made)?;
    }
    let mut own = |name: &str, bytes: &[u8]| {
        let name = format!("{FOLDER}/{name}");
        put(folder, &name, bytes, &mut made)
    };
    own("places", extras.places.as_bytes())?;
    let mut needs = String::from(if program.needs_agent { "agent\n" } else { "" });
    match &extras.purpose {
        Purpose::Follow { schedule, digest } => {
            needs.push_str(match digest {
                Some(_) => "digest\n",
                None => "messages\n",
            });
            own("schedule", schedule.as_bytes())?;
            own("digest", digest.as_deref().unwrap_or_default())?;
        }
        Purpose::Record { header, code } => {
            needs.push_str("record\n");
            own("header", header.as_bytes())?;
            own("code", code.as_bytes())?;
        }
    }
    own("needs", needs.as_bytes())?;
    put(folder, AGENT, &library::agent_jar(), &mut made)
}

/// Makes sure that the folder is there and empty.
fn clear(folder: &Path) -> Result<(), String> {
    let shown = folder.display();
    if folder.join(FOLDER).is_dir() {
        fs::remove_dir_all(folder).map_err(|e| format!("cannot replace {shown}: {e}"))?;
    }
    fs::create_dir_all(folder).map_err(|e| format!("cannot make {shown}: {e}"))?;
    let mut entries = fs::read_dir(folder).map_err(|e| format!("cannot read {shown}: {e}"))?;
    match entries.next() {
        None => Ok(()),
        Some(_) => Err(format!(
            "{shown} holds files that heddle did not write; name a new folder"
        )),
    }
}

/// Writes one file. `made` are the folders that are there already.
fn put(folder: &Path, name: &str, bytes: &[u8], made: &mut Vec<PathBuf>) -> Result<(), String> {
    let path = folder.join(name);
    let fail = |e| format!("cannot write {}: {e}", path.display());
    let parent = path.parent().expect("it is below the folder");
    if made.last().is_none_or(|last| last != parent) {
        fs::create_dir_all(parent).map_err(fail)?;
        made.push(parent.to_path_buf());
    }
    fs::write(&path, bytes).map_err(fail)
}
