//! `--trace`: what happens in a search, told while it happens.
//!
//! It watches as a detector that finds nothing, so it sees every path as the search runs
//! it, going back and confirmations included.

use crate::story;
use heddle_model::{
    ChoicePoint, Detector, End, Event, EventMask, Findings, Mark, Pause, Rewind, View,
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
        story::TOLD
    }

    fn event(&mut self, event: &Event, view: &dyn View, _: &mut Findings) {
        if let Some(act) = story::act(event, view) {
            let name = view.thread(event.thread).name;
            self.say(&text::live(&act, &name, &self.layout));
        }
    }

    fn pause(&mut self, at: &ChoicePoint<'_>, view: &dyn View, _: &mut Findings) {
        let name = |t| view.thread(t).name;
        let why = match at.pause {
            Pause::Slice => "used its slice".to_string(),
            Pause::BlockEnd => "ended an atomic block".into(),
            Pause::Before(op) => format!("is about to {}", story::operation(op, view)),
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
