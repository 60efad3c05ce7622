//! The classes of a program, parsed when they are first looked at, and the questions about
//! their hierarchy that instrumentation asks.
//!
//! Classes of the JDK are not looked at: what is known about them is in the tables here.

use crate::class_path::ClassPath;
use heddle_classfile::mutf8::to_string_lossy as text;
use heddle_classfile::{Checks, ClassBytes, ClassFile, ParseOptions};
use heddle_model::Trust;
use heddle_model::schedule::{CodePlace, MethodName};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Classes of the JDK that are threads.
const THREADS: &[&str] = &[
    "java/lang/Thread",
    "java/util/concurrent/ForkJoinWorkerThread",
];

/// Types of the JDK whose `run` a thread may begin with.
const TASKS: &[&str] = &[
    "java/lang/Thread",
    "java/lang/Runnable",
    "java/util/TimerTask",
    "java/util/concurrent/ForkJoinWorkerThread",
    "java/util/concurrent/FutureTask",
    "java/util/concurrent/RunnableFuture",
    "java/util/concurrent/RunnableScheduledFuture",
];

/// The newest class files that are read: those of JDK 27.
const NEWEST: u16 = 71;

/// A program on a class path.
pub struct Program<'p> {
    pub class_path: &'p ClassPath,
    trust: Trust,
    parsed: RefCell<HashMap<String, Option<Rc<ClassFile>>>>,
}

impl<'p> Program<'p> {
    pub fn new(class_path: &'p ClassPath, trust: &Trust) -> Program<'p> {
        Program {
            class_path,
            trust: trust.clone(),
            parsed: RefCell::default(),
        }
    }

    /// Whether a class, named with dots or slashes, is trusted.
    pub fn trusts(&self, class: &str) -> bool {
        let dotted = class.replace('/', ".");
        self.trust.class(&dotted)
    }

    /// Whether a class is trusted, and no method of it is named apart.
    pub fn trusts_all_of(&self, class: &str) -> bool {
        self.trusts(class) && !self.trust.names_methods(&class.replace('/', "."))
    }

    /// Whether the method of a place is trusted.
    pub fn trusts_at(&self, place: &CodePlace) -> bool {
        let class = &place.class;
        match &place.method {
            MethodName::Named { name, .. } => self.trust.covers(class, name),
            MethodName::Position(_) => self.trusts_all_of(class),
        }
    }

    pub fn trust(&self) -> &Trust {
        &self.trust
    }

    /// A class of the program, by its name with slashes; `None` if there is none or it
    /// cannot be read.
    pub fn class(&self, name: &str) -> Option<Rc<ClassFile>> {
        if let Some(known) = self.parsed.borrow().get(name) {
            return known.clone();
        }
        let bytes = self.class_path.class(name);
        let class = bytes.and_then(|bytes| parse(bytes).ok());
        let class = class.filter(|c| c.name() == name.as_bytes()).map(Rc::new);
        let mut parsed = self.parsed.borrow_mut();
        parsed.insert(name.to_string(), class.clone());
        class
    }

    /// Why there is no such class, by its name with slashes.
    pub fn problem(&self, name: &str) -> String {
        let dotted = name.replace('/', ".");
        match self.class_path.class(name).map(parse) {
            None => format!("there is no class {dotted} on the class path"),
            Some(Err(error)) => format!("class {dotted} cannot be instrumented: {error}"),
            Some(Ok(_)) => format!("the class file of {dotted} holds another class"),
        }
    }

    /// Whether a class is `java.lang.Thread` or derived from it.
    pub fn is_thread(&self, class: &str) -> bool {
        self.superclasses(class)
            .any(|c| THREADS.contains(&c.as_str()))
    }

    /// Whether a thread may begin with the `run` of this class.
    pub fn is_task(&self, class: &str) -> bool {
        self.is_task_within(class, 0)
    }

    fn is_task_within(&self, class: &str, depth: u32) -> bool {
        // Deeper than any hierarchy: a circle.
        if depth > 100 || TASKS.contains(&class) {
            return TASKS.contains(&class);
        }
        let mut supertypes = self.supertypes(class).into_iter();
        supertypes.any(|s| self.is_task_within(&s, depth + 1))
    }

    /// Whether a class is, extends or implements something that is not the program's, other
    /// than `java.lang.Object`: code that is not the program's may know it as that.
    pub fn is_known_elsewhere(&self, class: &str) -> bool {
        self.is_known_within(class, 0)
    }

    fn is_known_within(&self, class: &str, depth: u32) -> bool {
        if class == "java/lang/Object" {
            return false;
        }
        let elsewhere = depth > 100 || self.trusts(class) || self.class(class).is_none();
        let mut supertypes = self.supertypes(class).into_iter();
        elsewhere || supertypes.any(|s| self.is_known_within(&s, depth + 1))
    }

    /// The superclass of a class of the program, and its interfaces.
    fn supertypes(&self, class: &str) -> Vec<String> {
        let Some(file) = self.class(class) else {
            return Vec::new();
        };
        let supers = file.super_name().into_iter().map(text);
        let interfaces = file
            .interfaces
            .iter()
            .map(|&i| text(file.pool.class_name(i)));
        supers.chain(interfaces).collect()
    }

    /// Whether a method that a class inherits from the JDK's `Thread` is that one still: no
    /// class of the program in between declares it.
    pub fn inherits_from_thread(&self, class: &str, name: &[u8], desc: &[u8]) -> bool {
        for ancestor in self.superclasses(class) {
            if THREADS.contains(&ancestor.as_str()) {
                return true;
            }
            let declares = |file: Rc<ClassFile>| file.method(name, desc).is_some();
            if self.class(&ancestor).is_some_and(declares) {
                return false;
            }
        }
        false
    }

    /// Whether `ancestor` is `class` or one of its superclasses within the program.
    pub fn extends(&self, class: &str, ancestor: &str) -> bool {
        self.superclasses(class).any(|c| c == ancestor)
    }

    /// The class of the program that declares a method, `class` or a superclass.
    pub fn declares(&self, class: &str, name: &[u8], desc: &[u8]) -> Option<String> {
        let declares = |file: Rc<ClassFile>| file.method(name, desc).is_some();
        let mut classes = self.superclasses(class);
        classes.find(|c| !self.trusts(c) && self.class(c).is_some_and(declares))
    }

    /// A class and its superclasses, up to the first that is not the program's.
    fn superclasses(&self, class: &str) -> impl Iterator<Item = String> + '_ {
        let next = |name: &String| {
            let file = self.class(name)?;
            file.super_name().map(text)
        };
        std::iter::successors(Some(class.to_string()), next).take(1000)
    }
}

/// Reads a class file; the error is a sentence.
pub fn parse(bytes: &[u8]) -> Result<ClassFile, String> {
    let options = ParseOptions {
        max_major: NEWEST,
        preview: true,
        checks: Checks::Strict,
        ..ParseOptions::default()
    };
    ClassFile::parse(ClassBytes::from(bytes.to_vec()), &options).map_err(|e| e.to_string())
}
