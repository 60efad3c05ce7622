//! Fields of the library that order no threads: what one thread does to them no program
//! can tell from what another does, or only one thread ever looks.
//!
//! A search that counted them would find that everything depends on everything. Statics of
//! trusted classes and objects that are older than the program's `main` are left out
//! already (`sharing.rs`); this is the rest, each with its reason.

use crate::class::{Class, ClassPtr, Field, access};
use crate::groups::SETTINGS;
use crate::vm::Vm;

/// Class, fields, why.
const BOOKKEEPING: &[(&str, &[&str], &str)] = &[
    (
        "java/lang/Thread",
        &[
            "target",
            "threadLocals",
            "inheritableThreadLocals",
            "inheritedAccessControlContext",
            "threadLocalRandomSeed",
            "threadLocalRandomProbe",
            "threadLocalRandomSecondarySeed",
            "parkBlocker",
        ],
        "only the thread itself uses them; parkBlocker is for dumps of stacks",
    ),
    (
        "java/lang/String",
        &["hash", "hashIsZero"],
        "cached: whoever computes it gets the same",
    ),
];

/// The same for programs that do not ask for it (`learned.rs`).
const STATISTICS: &[(&str, &[&str])] = &[
    (
        "java/util/concurrent/ThreadPoolExecutor",
        &["completedTaskCount", "largestPoolSize"],
    ),
    (
        "java/util/concurrent/ThreadPoolExecutor$Worker",
        &["completedTasks"],
    ),
];

/// Classes of which nothing counts: fields, locks, and what they keep to themselves.
const QUIET_CLASSES: &[(&str, &str)] = &[(
    "java/lang/ThreadGroup",
    "all threads enter and leave one; who asks for its members is told otherwise (groups.rs)",
)];

/// Whether nothing that is done to objects of a class counts.
pub fn is_quiet_class(name: &[u8]) -> bool {
    QUIET_CLASSES.iter().any(|c| c.0.as_bytes() == name)
}

impl Vm {
    /// Whether the field of an instance at `offset` orders no threads: bookkeeping, or final.
    /// A final field is written before the object is shared (or the object leaks, see
    /// `learned.rs`) and never again.
    #[inline]
    pub fn is_quiet(&self, class: ClassPtr, offset: u64) -> bool {
        let quiet = match class.quiet.get() {
            Some(quiet) => quiet,
            None => self.find_quiet(class),
        };
        quiet.binary_search(&(offset as u32)).is_ok()
    }

    #[cold]
    fn find_quiet<'a>(&self, class: &'a Class) -> &'a [u32] {
        class.quiet.get_or_init(|| {
            let mut offsets = Vec::new();
            let mut next = Some(class);
            while let Some(c) = next {
                let own = c.fields.iter().filter(|f| self.is_quiet_field(c, f));
                offsets.extend(own.map(|f| f.offset));
                next = c.parent;
            }
            offsets.sort_unstable();
            offsets
        })
    }

    fn is_quiet_field(&self, class: &Class, field: &Field) -> bool {
        if field.access & access::STATIC != 0 {
            return false;
        }
        let listed = || {
            let (class, field) = (self.symbols.bytes(class.name), field.name);
            let statistics = match self.learned.asks_for_statistics {
                true => &[],
                false => STATISTICS,
            };
            let always = BOOKKEEPING.iter().map(|e| (e.0, e.1));
            let mut entries = always.chain(statistics.iter().copied());
            let entry = entries.find(|e| e.0.as_bytes() == class);
            let name = self.symbols.bytes(field);
            entry.is_some_and(|e| e.1.iter().any(|f| f.as_bytes() == name))
        };
        let setting = || {
            let name = self.symbols.bytes(field.name);
            self.learned.asks_for_members && SETTINGS.contains(&name)
        };
        let leaks = || self.learned.leaks.contains(self.symbols.bytes(class.name));
        field.access & access::FINAL != 0 && !leaks()
            || class.flags.quiet && class.flags.is_library() && !setting()
            || class.flags.trusted && listed()
    }
}
