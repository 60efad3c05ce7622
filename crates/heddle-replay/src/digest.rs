//! What the library need not find out about a schedule again: places, counts and threads,
//! line by line, as numbers (`Digest.java` reads them).
//!
//! The schedule goes with the program as text, which people read and change; the digest
//! holds for exactly the text that it was made of, by its checksum. Lines that are rare
//! stay text: the digest says where they are. What the library does not look at is left out.
//!
//! The format, in words of four bytes, the most significant first: the checksum of the
//! schedule and the table of places behind it; the number of places; number, index and
//! whether it ends the program of each; then for each line its number, its kind, and two
//! more words.

use crate::places::Place;
use heddle_classfile::zip::checksum::crc32;
use heddle_model::schedule::{CodePlace, Command, MethodName, Schedule, ScheduleError};
use std::collections::HashMap;

/// Kinds of lines, as in `Digest.java` and `Schedule.java`.
const TEXT: i32 = 0;
const BEFORE: i32 = 1;
const IN: i32 = 2;
const SWITCH: i32 = 16;

/// Lines of the header that say nothing to the library.
const UNREAD: &[&str] = &[
    "program", "main", "options", "strategy", "seed", "code", "#",
];

/// The digest of a schedule as it is written, whose places these are, and of their table.
pub fn digest(text: &str, places: &[Place], table: &str) -> Result<Vec<u8>, ScheduleError> {
    let schedule = Schedule::parse("schedule", text)?;
    let commands: HashMap<u32, &Command> = schedule.commands().collect();
    let sum = crc32(crc32(0, text.as_bytes()), table.as_bytes());
    let mut words = vec![sum as i32, places.len() as i32];
    for place in places {
        words.extend([place.number, place.index.into(), place.exits.into()]);
    }
    let mut rows = Rows::of(places);
    let mut start = 0;
    for (number, line) in (1u32..).zip(text.split_inclusive('\n')) {
        let trimmed = line.trim_end();
        let command = commands.get(&number);
        let short = command.and_then(|command| rows.short(command));
        if let Some([kind, a, b]) = short {
            words.extend([number as i32, kind, a, b]);
        } else if !UNREAD.iter().any(|word| trimmed.starts_with(word)) && !trimmed.is_empty() {
            words.extend([number as i32, TEXT, start as i32, trimmed.len() as i32]);
        }
        start += line.len();
    }
    Ok(words.into_iter().flat_map(i32::to_be_bytes).collect())
}

/// Where places are in the table.
struct Rows<'a> {
    places: &'a [Place],
    known: HashMap<CodePlace, Option<i32>>,
}

impl<'a> Rows<'a> {
    fn of(places: &'a [Place]) -> Rows<'a> {
        Rows {
            places,
            known: HashMap::new(),
        }
    }

    /// A command as three words: its kind, the row of its place or the number of a thread,
    /// and a count.
    fn short(&mut self, command: &Command) -> Option<[i32; 3]> {
        let (kind, point) = match command {
            Command::Switch(Some(to)) => return Some([SWITCH, i32::try_from(*to).ok()?, 0]),
            Command::Before(point) => (BEFORE, point),
            Command::In(point) => (IN, point),
            _ => return None,
        };
        let row = match self.known.get(&point.place) {
            Some(row) => *row,
            None => {
                let row = self.find(&point.place);
                self.known.insert(point.place.clone(), row);
                row
            }
        };
        Some([kind, row?, i32::try_from(point.count).ok()?])
    }

    fn find(&self, place: &CodePlace) -> Option<i32> {
        let class = place.class.replace('.', "/");
        let fits = |known: &Place| {
            let method = match &place.method {
                MethodName::Position(position) => known.method == *position as usize,
                MethodName::Named { name, descriptor } => {
                    let rest = known.name.strip_prefix(name.as_str());
                    rest.is_some_and(|rest| match descriptor {
                        Some(descriptor) => rest == descriptor,
                        None => rest.starts_with('('),
                    })
                }
            };
            known.class == class && known.index == place.index && method
        };
        let row = self.places.iter().position(fits)?;
        i32::try_from(row).ok()
    }
}
