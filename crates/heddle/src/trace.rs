//! `--trace`: what happens in a search, told while it happens.
//!
//! It watches as a detector that finds nothing, so it sees every path as the search runs
//! it, going back and confirmations included.

use crate::story::names::Names;
use heddle_model::report::Deed;
use heddle_model::{
    ChoicePoint, Detector, End, Event, EventKind, EventMask, Findings, Frame, Mark, ObjectId,
    Pause, Rewind, View,
};
use heddle_report::text::{self, Layout};
use std::io::Write;

/// Prints events and choice points.
pub struct Trace<'a> {
    layout: Layout<'a>,
    marks: u64,
}

impl<'a> Trace<'a> {
    pub fn new(layout: Layout<'a>) -> Trace<'a> {
        Trace { layout, marks: 0 }
    }

    /// Whoever reads along may have seen enough.
    fn say(&self, text: &str) {
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
    }
}

impl Rewind for Trace<'_> {
    fn mark(&mut self) -> Mark {
        self.marks += 1;
        Mark(self.marks)
    }

    fn rewind(&mut self, _: Mark) {
        self.say("-- back --\n");
    }

    fn forget(&mut self, _: Mark) {}
}

impl Detector for Trace<'_> {
    fn wants(&self) -> EventMask {
        TOLD
    }

    fn event(&mut self, event: &Event, view: &dyn View, _: &mut Findings) {
        if let Some((at, deed)) = act(event, view) {
            let name = view.thread(event.thread).name;
            self.say(&text::live(at.as_ref(), &deed, &name, &self.layout));
        }
    }

    fn looks_at_stops(&self) -> bool {
        true
    }

    fn pause(&mut self, at: &ChoicePoint<'_>, view: &dyn View, _: &mut Findings) {
        let name = |t| view.thread(t).name;
        let why = match at.pause {
            Pause::Slice => "used its slice".to_string(),
            Pause::BlockEnd => "ended an atomic block".into(),
            Pause::Before(op) => format!("is about to {}", Names::plain(view).operation(op)),
            Pause::Blocked(on) => format!("wants {}", view.object_name(on)),
            Pause::Waiting => "waits".into(),
            Pause::ThreadEnd => "has ended".into(),
            Pause::Arrived(site) => format!("comes to {}", view.code_place(site)),
            Pause::Notify(on) => format!("notifies {}", view.object_name(on)),
        };
        let options: Vec<String> = at.options.iter().map(|c| name(c.thread())).collect();
        let next = options.join(" or ");
        self.say(&format!("-- {} {why}; next: {next}\n", name(at.by)));
    }

    fn end(&mut self, end: &End, _: &dyn View, _: &mut Findings) {
        self.say(&format!("-- end: {end:?}\n"));
    }
}

/// The events that are told while they happen.
const TOLD: EventMask = EventMask::READ
    .and(EventMask::WRITE)
    .and(EventMask::LOCK)
    .and(EventMask::UNLOCK)
    .and(EventMask::WAIT)
    .and(EventMask::NOTIFY)
    .and(EventMask::INTERRUPT)
    .and(EventMask::THROW)
    .and(EventMask::THREAD);

/// What an event is in the program's own terms, if it is worth telling by itself.
fn act(event: &Event, view: &dyn View) -> Option<(Option<Frame>, Deed)> {
    let name = |o: ObjectId| view.object_name(o);
    let deed = match event.kind {
        EventKind::Read { place, value } => Deed::Read {
            place: view.place_name(place),
            value: view.value_text(place, value),
        },
        EventKind::Write { place, value } => Deed::Write {
            place: view.place_name(place),
            value: view.value_text(place, value),
        },
        EventKind::Lock { object } => Deed::Lock(name(object)),
        EventKind::Unlock { object } => Deed::Unlock(name(object)),
        EventKind::Wait { object } => Deed::Wait(name(object)),
        EventKind::Notify { object, woken, .. } => Deed::Notify {
            object: name(object),
            woken: match woken {
                0 => Vec::new(),
                1 => vec!["1 thread".to_string()],
                n => vec![format!("{n} threads")],
            },
        },
        EventKind::Interrupt { target } => Deed::Interrupt(view.thread(target).name),
        EventKind::Throw { exception } => Deed::Throw(view.exception_text(exception)),
        EventKind::ThreadStart { child } => Deed::Start(view.thread(child).name),
        EventKind::ThreadEnd => return Some((None, Deed::End)),
        _ => return None,
    };
    let own = view.own_frame(event.thread);
    let site = match view.trusted(event.site.method) {
        true => own?.site,
        false => event.site,
    };
    Some((Some(view.frame(site)), deed))
}
