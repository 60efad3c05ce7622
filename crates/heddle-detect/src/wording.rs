//! How sentences are put together.

use heddle_model::{Site, ThreadId, View, simple_name};

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// A place in the source: `Buffer.get (Buffer.java:12)`.
pub(crate) fn place(view: &dyn View, site: Site) -> String {
    let frame = view.frame(site);
    let class = simple_name(&frame.class);
    match (frame.file, frame.line) {
        (Some(file), Some(line)) => format!("{class}.{} ({file}:{line})", frame.method),
        _ => format!("{class}.{}", frame.method),
    }
}

pub(crate) fn name(view: &dyn View, thread: ThreadId) -> String {
    view.thread(thread).name
}

/// Where a thread is in the program's own code, as far as it is there at all.
pub(crate) fn whereabouts(view: &dyn View, thread: ThreadId) -> Option<Site> {
    let own = view.own_frame(thread).map(|own| own.site);
    own.or_else(|| view.stack(thread).first().copied())
}
