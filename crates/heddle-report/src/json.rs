//! JSON, with the keys that the manual promises. Keys are added, never changed.

use heddle_model::Frame;
use heddle_model::report::{Act, Deed, Error, Missing, Report, Scope, StackFrame, ThreadStory};
use std::fmt::Write as _;

/// The report as one JSON object, with a line end behind it.
pub fn json(report: &Report) -> String {
    let mut text = String::new();
    write(&report_value(report), 0, &mut text);
    text.push('\n');
    text
}

enum Value {
    Null,
    Bool(bool),
    Whole(u64),
    Real(f64),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(&'static str, Value)>),
}

fn report_value(report: &Report) -> Value {
    Value::Object(vec![
        ("tool", "heddle".into()),
        ("version", report.version.as_str().into()),
        ("verdict", report.verdict.name().into()),
        ("worth", report.worth.name().into()),
        ("strategy", report.strategy.as_str().into()),
        ("seed", report.seed.map_or(Value::Null, Value::Whole)),
        ("schedules", Value::Whole(report.schedules)),
        ("extra_schedules", Value::Whole(report.extra)),
        ("blocked_schedules", Value::Whole(report.blocked)),
        ("choice_points", Value::Whole(report.choice_points)),
        ("bytecodes", Value::Whole(report.bytecodes)),
        ("seconds", Value::Real(report.seconds)),
        ("complete", Value::Bool(report.complete)),
        ("explored", report.explored.map_or(Value::Null, Value::Real)),
        ("scope", report.scope.as_ref().map_or(Value::Null, scope)),
        ("assumptions", texts(&report.assumptions)),
        ("bounds", texts(&report.bounds)),
        ("notes", texts(&report.notes)),
        ("unsupported", list(&report.unsupported, missing)),
        ("errors", list(&report.errors, error)),
        ("warnings", list(&report.warnings, error)),
    ])
}

fn scope(scope: &Scope) -> Value {
    Value::Object(vec![
        ("threads", texts(&scope.threads)),
        ("shared", texts(&scope.shared)),
    ])
}

fn missing(missing: &Missing) -> Value {
    Value::Object(vec![
        ("what", missing.what.as_str().into()),
        ("stack", list(&missing.stack, stack_frame)),
    ])
}

fn error(error: &Error) -> Value {
    Value::Object(vec![
        ("kind", error.kind.name().into()),
        ("message", error.message.as_str().into()),
        ("cause", maybe(error.cause.as_deref())),
        ("hint", maybe(error.hint.as_deref())),
        ("places", list(&error.places, frame)),
        ("potential", Value::Bool(error.potential)),
        ("schedule_index", Value::Whole(error.schedule_index)),
        ("times", error.times.map_or(Value::Null, Value::Whole)),
        ("schedule_file", maybe(error.schedule_file.as_deref())),
        ("replay", maybe(error.replay.as_deref())),
        ("on_jvm", maybe(error.on_jvm.as_deref())),
        ("threads", list(&error.threads, thread)),
        (
            "trace",
            list(&error.trace, |act| self::act(act, &error.threads)),
        ),
    ])
}

fn thread(thread: &ThreadStory) -> Value {
    Value::Object(vec![
        ("name", thread.name.as_str().into()),
        ("path", thread.path.to_string().as_str().into()),
        ("named", Value::Bool(thread.named)),
        ("state", thread.state.as_str().into()),
        ("holds", texts(&thread.holds)),
        ("wants", maybe(thread.wants.as_deref())),
        ("threw", maybe(thread.threw.as_deref())),
        ("stack", list(&thread.stack, stack_frame)),
    ])
}

fn frame(frame: &Frame) -> Value {
    Value::Object(frame_keys(frame))
}

fn stack_frame(stack: &StackFrame) -> Value {
    let mut keys = frame_keys(&stack.frame);
    keys.push(("trusted", Value::Bool(stack.trusted)));
    Value::Object(keys)
}

fn frame_keys(frame: &Frame) -> Vec<(&'static str, Value)> {
    let line = frame.line.map_or(Value::Null, |l| Value::Whole(l.into()));
    vec![
        ("class", frame.class.as_str().into()),
        ("method", frame.method.as_str().into()),
        ("file", maybe(frame.file.as_deref())),
        ("line", line),
    ]
}

fn act(act: &Act, threads: &[ThreadStory]) -> Value {
    let name = threads.get(act.thread).map(|t| t.name.as_str());
    let mut keys = vec![
        ("thread", maybe(name)),
        ("at", act.at.as_ref().map_or(Value::Null, frame)),
    ];
    let (verb, operands): (&str, Vec<(&'static str, Value)>) = match &act.deed {
        Deed::Read { place, value } => ("read", access(place, value)),
        Deed::Write { place, value } => ("write", access(place, value)),
        Deed::Lock(lock) => ("lock", object(lock)),
        Deed::Unlock(lock) => ("unlock", object(lock)),
        Deed::Blocked { lock, owner } => (
            "blocked",
            vec![
                ("object", lock.as_str().into()),
                ("owner", maybe(owner.as_deref())),
            ],
        ),
        Deed::Wait(on) => ("wait", object(on)),
        Deed::Notify { object, woken } => (
            "notify",
            vec![("object", object.as_str().into()), ("woken", texts(woken))],
        ),
        Deed::Joins(whom) => ("joins", vec![("target", whom.as_str().into())]),
        Deed::Joined(whom) => ("joined", vec![("target", whom.as_str().into())]),
        Deed::Stuck(why) => ("stuck", vec![("why", why.as_str().into())]),
        Deed::Interrupt(whom) => ("interrupt", vec![("target", whom.as_str().into())]),
        Deed::Start(whom) => ("start", vec![("target", whom.as_str().into())]),
        Deed::End => ("end", Vec::new()),
        Deed::Call { call, result } => ("call", call_keys(call, result.as_deref())),
        Deed::Return { call, result } => ("return", call_keys(call, result.as_deref())),
        Deed::TimeUp => ("time-up", Vec::new()),
        Deed::Spurious => ("spurious", Vec::new()),
        Deed::TaskDone => ("task-done", Vec::new()),
        Deed::Throw(what) => ("throw", vec![("exception", what.as_str().into())]),
        Deed::Print(text) => ("print", vec![("text", text.as_str().into())]),
        Deed::Switch { to, why } => (
            "switch",
            vec![("to", to.as_str().into()), ("why", why.as_str().into())],
        ),
    };
    keys.push(("op", verb.into()));
    keys.extend(operands);
    keys.push(("matters", Value::Bool(act.matters)));
    keys.push(("named", Value::Bool(act.named)));
    Value::Object(keys)
}

fn call_keys(call: &str, result: Option<&str>) -> Vec<(&'static str, Value)> {
    vec![("method", call.into()), ("value", maybe(result))]
}

fn access(place: &str, value: &str) -> Vec<(&'static str, Value)> {
    vec![("place", place.into()), ("value", value.into())]
}

fn object(name: &str) -> Vec<(&'static str, Value)> {
    vec![("object", name.into())]
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_string())
    }
}

fn maybe(text: Option<&str>) -> Value {
    text.map_or(Value::Null, Value::from)
}

fn texts(texts: &[String]) -> Value {
    list(texts, |text| text.as_str().into())
}

fn list<T>(items: &[T], value: impl Fn(&T) -> Value) -> Value {
    Value::List(items.iter().map(value).collect())
}

fn write(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Whole(number) => {
            let _ = write!(out, "{number}");
        }
        // JSON has no infinities.
        Value::Real(number) if number.is_finite() => {
            let _ = write!(out, "{number}");
        }
        Value::Real(_) => out.push_str("null"),
        Value::Text(text) => quote(text, out),
        Value::List(items) => {
            let items = items.iter().map(|item| (None, item));
            nest(('[', ']'), items, depth, out);
        }
        Value::Object(keys) => {
            let items = keys.iter().map(|(key, value)| (Some(*key), value));
            nest(('{', '}'), items, depth, out);
        }
    }
}

fn nest<'a>(
    (open, close): (char, char),
    items: impl ExactSizeIterator<Item = (Option<&'static str>, &'a Value)>,
    depth: usize,
    out: &mut String,
) {
    out.push(open);
    let count = items.len();
    for (index, (key, value)) in items.enumerate() {
        let _ = write!(out, "\n{:1$}", "", 2 * (depth + 1));
        if let Some(key) = key {
            quote(key, out);
            out.push_str(": ");
        }
        write(value, depth + 1, out);
        if index + 1 < count {
            out.push(',');
        }
    }
    if count > 0 {
        let _ = write!(out, "\n{:1$}", "", 2 * depth);
    }
    out.push(close);
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // U+2028 and U+2029 end lines in JavaScript.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
