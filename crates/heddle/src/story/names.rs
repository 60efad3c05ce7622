//! What a story calls things, once the whole of it is known.
//!
//! An object that a static leads to has the name of the static (`Bank.checking`), or of the
//! fields from there on (`Bank.main.lock`, `Dinner.forks[2]`), as long as none of them ever
//! referred to anything else; so has one that a named object of the story refers to
//! (`Account@1.lock`). All others are known by class and number. Threads are known by their
//! own names.

use super::record::{Call, Happening, Waits, What, Why};
use heddle_model::{
    Datum, Finding, MethodId, ObjectId, PendingOp, Place, Site, ThreadId, View, simple_name,
};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Names of objects in one state of the machine.
pub struct Names<'a> {
    view: &'a dyn View,
    /// Names that the program gives.
    given: BTreeMap<ObjectId, String>,
    /// Names by class and number, as they were asked for.
    numbered: RefCell<BTreeMap<ObjectId, String>>,
    /// Gives such names.
    number: OnceCell<Box<dyn Fn(ObjectId) -> String + 'a>>,
}

/// Fields on the way to an object.
const LONGEST_WAY: usize = 3;
/// Objects that are looked at for the sake of names.
const MOST_OBJECTS: usize = 20_000;
/// A longer argument is cut.
const LONGEST_ARGUMENT: usize = 40;

impl<'a> Names<'a> {
    /// `writes` says how often each place was written.
    pub fn new(
        view: &'a dyn View,
        happenings: &[Happening],
        writes: &BTreeMap<Place, u32>,
    ) -> Names<'a> {
        let mut names = Names::plain(view);
        let lasts = |place: Place, is_final: bool| {
            is_final || writes.get(&place).copied().unwrap_or(0) <= 1
        };
        let mut left: VecDeque<(ObjectId, String, usize)> = VecDeque::new();
        for link in view.statics() {
            if lasts(link.place, link.is_final) {
                left.push_back((link.to, link.name, 1));
            }
        }
        names.spread(&mut left, &lasts);
        for object in mentioned(happenings) {
            let has_own = names.given.contains_key(&object) || view.thread_of(object).is_some();
            if !has_own && view.object_value(object).is_none() {
                let name = names.object(object);
                for link in view.links(object) {
                    if lasts(link.place, link.is_final) {
                        let name = format!("{name}{}", link.name);
                        left.push_back((link.to, name, LONGEST_WAY));
                    }
                }
                names.spread(&mut left, &lasts);
            }
        }
        names
    }

    /// Names by class and number only.
    pub fn plain(view: &'a dyn View) -> Names<'a> {
        Names {
            view,
            given: BTreeMap::new(),
            numbered: RefCell::default(),
            number: OnceCell::new(),
        }
    }

    /// What a thread refers to is not named after it: that would name it after whoever
    /// happens to come first.
    fn spread(
        &mut self,
        left: &mut VecDeque<(ObjectId, String, usize)>,
        lasts: &dyn Fn(Place, bool) -> bool,
    ) {
        while let Some((object, name, length)) = left.pop_front() {
            if self.given.contains_key(&object)
                || self.given.len() > MOST_OBJECTS
                || self.view.thread_of(object).is_some()
            {
                continue;
            }
            self.given.insert(object, name.clone());
            for link in self.view.links(object) {
                // What a lock of the library is made of is the lock.
                let inner = link.name == ".sync" && length <= LONGEST_WAY;
                if inner {
                    left.push_front((link.to, name.clone(), length));
                } else if length < LONGEST_WAY && lasts(link.place, link.is_final) {
                    let name = format!("{name}{}", link.name);
                    left.push_back((link.to, name, length + 1));
                }
            }
        }
    }

    pub fn thread(&self, id: ThreadId) -> String {
        self.view.thread(id).name
    }

    pub fn object(&self, object: ObjectId) -> String {
        if let Some(name) = self.given.get(&object) {
            return name.clone();
        }
        if let Some(thread) = self.view.thread_of(object) {
            return format!("thread {}", self.thread(thread));
        }
        let mut numbered = self.numbered.borrow_mut();
        let name = numbered
            .entry(object)
            .or_insert_with(|| self.number(object));
        name.clone()
    }

    /// The name by class and number.
    fn number(&self, object: ObjectId) -> String {
        self.number.get_or_init(|| self.view.object_names())(object)
    }

    pub fn place(&self, place: Place) -> String {
        match place {
            Place::Element { array, index } => format!("{}[{index}]", self.object(array)),
            Place::Field { object, .. } => match self.view.field(place) {
                // All that an atomic is to the program.
                Some(field) if field.name == "value" && is_atomic(object, self.view) => {
                    self.object(object)
                }
                Some(field) if self.view.class_of(object) != "java.lang.Class" => {
                    format!("{}.{}", self.object(object), field.name)
                }
                _ => self.view.place_name(place),
            },
        }
    }

    pub fn datum(&self, datum: &Datum) -> String {
        match datum {
            Datum::Text(text) => text.clone(),
            Datum::Object(object) => match self.view.object_value(*object) {
                Some(value) => value,
                None => self.object(*object),
            },
        }
    }

    pub fn value(&self, place: Place, value: u64) -> String {
        self.datum(&self.view.datum(place, value))
    }

    /// `queue.put("x")`, `Thread.sleep(10)`.
    pub fn call(&self, call: &Call) -> String {
        let frame = self.view.frame(Site {
            method: call.method,
            bci: 0,
        });
        let class = simple_name(&frame.class);
        let Some(arguments) = &call.arguments else {
            return format!("{class}.{}", frame.method);
        };
        let (on, rest) = match (call.is_static, arguments.as_slice()) {
            (false, [Datum::Object(receiver), rest @ ..]) => (self.receiver(*receiver), rest),
            (_, all) => (class.to_string(), all),
        };
        let rest: Vec<String> = rest.iter().map(|a| self.argument(a)).collect();
        let rest = rest.join(", ");
        match frame.method.as_str() {
            "<init>" => format!("new {class}({rest})"),
            method => format!("{on}.{method}({rest})"),
        }
    }

    fn receiver(&self, object: ObjectId) -> String {
        match self.view.thread_of(object) {
            Some(thread) => self.thread(thread),
            None => self.datum(&Datum::Object(object)),
        }
    }

    fn argument(&self, argument: &Datum) -> String {
        if let Datum::Object(object) = argument
            && self.view.class_of(*object).contains("$$Lambda")
        {
            return "λ".to_string();
        }
        let text = self.datum(argument);
        match text.char_indices().nth(LONGEST_ARGUMENT) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    pub fn result(&self, call: &Call) -> Option<String> {
        call.result.as_ref().map(|r| self.argument(r))
    }

    /// What a thread waits for, as the object of `waits for`.
    pub fn waited_for(&self, waits: &Waits) -> String {
        match waits {
            Waits::Lock(lock, owner) => {
                let held = owner.map(|o| format!(", held by {}", self.thread(o)));
                format!("{}{}", self.object(*lock), held.unwrap_or_default())
            }
            Waits::End(thread) => format!("the end of {}", self.thread(*thread)),
            Waits::Notification(on) => format!("a notification on {}", self.object(*on)),
            Waits::Library { call, on, owner } => {
                let held = owner.map(|o| format!(", held by {}", self.thread(o)));
                let held = held.unwrap_or_default();
                match (call, on) {
                    (Some(call), _) => format!("the return of {}{held}", self.call(call)),
                    (None, Some(on)) => format!("{}{held}", self.object(*on)),
                    (None, None) => "a permit".to_string(),
                }
            }
            Waits::Class(class) => {
                format!("the initialization of {}", self.object(*class))
            }
            Waits::Change => "a change of what it looks at in a loop".to_string(),
            Waits::Resume => "a call of Thread.resume".to_string(),
        }
    }

    /// The same as a whole predicate.
    pub fn waits(&self, waits: &Waits) -> String {
        match waits {
            Waits::Lock(..) => format!("wants {}", self.waited_for(waits)),
            Waits::Library {
                call: Some(call),
                owner,
                ..
            } => {
                let held = owner.map(|o| format!(" for {}", self.thread(o)));
                format!("waits in {}{}", self.call(call), held.unwrap_or_default())
            }
            _ => format!("waits for {}", self.waited_for(waits)),
        }
    }

    /// Why a thread of this name does not go on.
    pub fn why(&self, name: &str, why: &Why) -> String {
        match why {
            Why::Waits(waits) => format!("{name} {}", self.waits(waits)),
            Why::Ended => format!("{name} has ended"),
            Why::Before(op) => format!("{name} is about to {}", self.operation(*op)),
            Why::After => format!("{name} could go on"),
            Why::Slice => format!("{name} has used up its slice"),
            Why::Schedule => "the schedule says so".to_string(),
        }
    }

    /// What a thread is about to do, as an infinitive.
    pub fn operation(&self, op: PendingOp) -> String {
        match op {
            PendingOp::Read(place) => format!("read {}", self.place(place)),
            PendingOp::Write(place) => format!("write {}", self.place(place)),
            PendingOp::Lock(on) if self.view.class_of(on) == "java.lang.Class" => {
                format!("use {}", self.object(on))
            }
            // What a `ReentrantLock` has inside stands for its monitor.
            PendingOp::Lock(on) | PendingOp::Poll(on)
                if self.view.class_of(on).contains(".ReentrantLock$") =>
            {
                "call ReentrantLock.lock".to_string()
            }
            PendingOp::LockWithin(on) if self.view.class_of(on) == "java.lang.Shutdown$Lock" => {
                "halt".to_string()
            }
            PendingOp::Lock(on) | PendingOp::Poll(on) | PendingOp::LockWithin(on) => {
                format!("lock {}", self.object(on))
            }
            PendingOp::Unlock(on) => format!("unlock {}", self.object(on)),
            PendingOp::Call(method)
            | PendingOp::Access { by: method, .. }
            | PendingOp::Gate { by: method, .. } => {
                match self.method(method) {
                    // What is left of a thread whose code has been run.
                    exit if exit == "Thread.exit" => "end".to_string(),
                    called => match called.strip_suffix(".<init>") {
                        Some(class) => format!("create a {class}"),
                        None => format!("call {called}"),
                    },
                }
            }
            PendingOp::Join(thread) => format!("join {}", self.thread(thread)),
            PendingOp::JoinUnborn(_) => "call Thread.join".to_string(),
            PendingOp::Begin => "begin".to_string(),
        }
    }

    /// `Condition.await`.
    pub fn method(&self, method: MethodId) -> String {
        let frame = self.view.frame(Site { method, bci: 0 });
        format!("{}.{}", simple_name(&frame.class), frame.method)
    }

    /// The sentence of a detector, which knows objects by class and number only, with the names
    /// of the story, which mentions these objects.
    pub fn in_sentence(&self, finding: &Finding, mentioned: &[ObjectId]) -> String {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let called = finding.objects.iter().zip(&finding.called);
        let called = called.map(|(object, name)| (*object, name.clone()));
        let others = mentioned
            .iter()
            .chain(&finding.objects)
            .map(|object| (*object, None));
        for (object, name) in called.map(|(o, n)| (o, Some(n))).chain(others) {
            let told = self.object(object);
            let name = name.unwrap_or_else(|| self.number(object));
            names.entry(name).or_insert(told);
        }
        replace_names(&finding.message, &names)
    }
}

/// Whether an object is a variable of `java.util.concurrent.atomic`.
pub fn is_atomic(object: ObjectId, view: &dyn View) -> bool {
    let class = view.class_of(object);
    class.starts_with("java.util.concurrent.atomic.Atomic")
}

/// Objects that a story mentions, each once, in the order in which it does.
pub fn mentioned(happenings: &[Happening]) -> Vec<ObjectId> {
    let mut objects = Vec::new();
    let mut known = BTreeSet::new();
    let mut mention = |object: ObjectId| {
        if known.insert(object) {
            objects.push(object);
        }
    };
    for happening in happenings {
        match &happening.what {
            What::Read { place, .. } | What::Write { place, .. } => match *place {
                Place::Field { object, .. } => mention(object),
                Place::Element { array, .. } => mention(array),
            },
            What::Lock(on) | What::Unlock(on) | What::Wait(on) | What::Notify { on, .. } => {
                mention(*on);
            }
            What::Call(call) => {
                if let Some(Datum::Object(receiver)) =
                    call.arguments.as_ref().and_then(|a| a.first())
                {
                    mention(*receiver);
                }
            }
            _ => {}
        }
    }
    objects
}

/// Replaces names where they stand by themselves, all at once: `Account@1`, but not in `Account@12`
/// nor in `BankAccount@1`.
fn replace_names(text: &str, names: &BTreeMap<String, String>) -> String {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut result = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let fits = |name: &&String| {
            let after = rest.strip_prefix(name.as_str());
            after.is_some_and(|after| !name.is_empty() && !after.starts_with(part))
        };
        // The longest one that fits: an element's name begins with its array's.
        let found = names.keys().filter(fits).max_by_key(|name| name.len());
        let (old, new) = match found.filter(|_| !result.ends_with(part)) {
            Some(name) => (name.len(), names[name].as_str()),
            None => {
                let first = rest.chars().next().map_or(0, char::len_utf8);
                (first, &rest[..first])
            }
        };
        result.push_str(new);
        rest = &rest[old..];
    }
    result
}

#[cfg(test)]
mod tests {
    use super::replace_names;
    use std::collections::BTreeMap;

    #[test]
    fn whole_names_are_replaced_and_once() {
        let text = "a holds Account@1 and Account@12; MyAccount@1, Account@1.lock, Account@2";
        let wanted = "a holds Account@2 and Account@12; MyAccount@1, Account@2.lock, Bank.a";
        let names = [("Account@1", "Account@2"), ("Account@2", "Bank.a")];
        let names: BTreeMap<String, String> = names
            .map(|(from, to)| (from.to_string(), to.to_string()))
            .into();
        assert_eq!(replace_names(text, &names), wanted);
    }
}
