//! Settings of the library by which threads can tell each other something, in a search of a
//! program that uses them.
//!
//! System properties, the default locale, the counter for names of threads: they are the library's
//! own, which looks at them again and again, so what is done to them is nobody's business
//! (`sharing.rs`). But a program can set a property in one thread and ask for it in another, or
//! tell by the name of a thread how many came before. In one that mentions a method for it
//! (`learned.rs`) the setting counts as if it were the program's: the statics that hold it and,
//! since they were made before `main`, the properties themselves.

use crate::class::{ClassPtr, access};
use crate::heap::Ref;
use crate::vm::Vm;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Setting {
    Properties,
    Locale,
    TimeZone,
    /// Of exceptions that nobody catches.
    Handler,
    /// How many threads have got a name that says which one they are.
    Names,
    /// How many threads there have been.
    Numbers,
}

/// How it is known that a program uses a setting, and where it is held.
struct Entry {
    setting: Setting,
    /// Methods of this class, or of any.
    class: Option<&'static [u8]>,
    methods: &'static [&'static [u8]],
    holder: &'static [u8],
    fields: &'static [&'static [u8]],
}

const ENTRIES: &[Entry] = &[
    Entry {
        setting: Setting::Properties,
        class: Some(b"java/lang/System"),
        methods: &[
            b"setProperty",
            b"clearProperty",
            b"setProperties",
            b"getProperties",
        ],
        holder: b"java/lang/System",
        fields: &[b"props"],
    },
    Entry {
        setting: Setting::Locale,
        class: Some(b"java/util/Locale"),
        methods: &[b"setDefault"],
        holder: b"java/util/Locale",
        fields: &[
            b"defaultLocale",
            b"defaultDisplayLocale",
            b"defaultFormatLocale",
        ],
    },
    Entry {
        setting: Setting::TimeZone,
        class: Some(b"java/util/TimeZone"),
        methods: &[b"setDefault"],
        holder: b"java/util/TimeZone",
        fields: &[b"defaultTimeZone"],
    },
    Entry {
        setting: Setting::Handler,
        class: None,
        methods: &[b"setDefaultUncaughtExceptionHandler"],
        holder: b"java/lang/Thread",
        fields: &[b"defaultUncaughtExceptionHandler"],
    },
    Entry {
        setting: Setting::Names,
        class: None,
        methods: &[b"getName"],
        holder: b"java/lang/Thread",
        fields: &[b"threadInitNumber"],
    },
    Entry {
        setting: Setting::Numbers,
        class: None,
        methods: &[b"getId"],
        holder: b"java/lang/Thread",
        fields: &[b"threadSeqNumber"],
    },
];

/// The setting that a method which the program mentions is for.
pub fn used_by(class: &[u8], method: &[u8]) -> Option<Setting> {
    let mut entries = ENTRIES.iter();
    let of_class = |e: &Entry| e.class.is_none_or(|own| own == class);
    let entry = entries.find(|e| e.methods.contains(&method) && of_class(e))?;
    Some(entry.setting)
}

impl Vm {
    fn entries_of(&self, holder: &[u8]) -> impl Iterator<Item = &'static Entry> {
        let used =
            move |e: &&Entry| e.holder == holder && self.learned.settings.contains(&e.setting);
        ENTRIES.iter().filter(used)
    }

    /// Whether a class of the library holds settings that count.
    pub fn holds_settings(&self, class: &[u8]) -> bool {
        self.entries_of(class).next().is_some()
    }

    /// Whether the static of a class of the library that holds state of the program is such.
    #[cold]
    pub fn is_setting(&self, class: ClassPtr, offset: u64) -> bool {
        let name = self.symbols.bytes(class.name);
        let is_it =
            |f: &&crate::class::Field| f.offset as u64 == offset && f.access & access::STATIC != 0;
        let Some(field) = class.fields.iter().find(is_it) else {
            return false;
        };
        let field = self.symbols.bytes(field.name);
        name == crate::hooks::LIST || self.entries_of(name).any(|e| e.fields.contains(&field))
    }

    /// What threads do to the system properties counts from now on.
    pub fn share_properties(&mut self) {
        let Ok(system) = self.load_boot("java/lang/System") else {
            return;
        };
        let Some(held) = self.static_field(system, "props") else {
            return;
        };
        let properties = self.heap.get_ref(system.mirror.get(), held.offset.into());
        let map = self.reference_in(properties, "map");
        let mut left: Vec<Ref> = vec![properties, map];
        while let Some(object) = left.pop() {
            if object.is_null() || self.heap.is_shared(object) {
                continue;
            }
            self.heap.set_shared(object);
            let of_map = self
                .name(self.class_of(object))
                .contains("ConcurrentHashMap$");
            if object == map || of_map {
                let mut inner = Vec::new();
                self.each_reference(object, |found| inner.push(found));
                left.extend(inner);
            }
        }
    }
}
