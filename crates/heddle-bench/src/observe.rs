//! What observation costs: a program run for nobody, for an observer that wants
//! nothing, and for one that counts reads and writes.
//!
//! The interpreter is compiled once for `()` and once for observers. `()` must cost
//! nothing: it is what `heddle run` uses. The observer that wants nothing shows what
//! the tests for wanted events cost in the other copy.

use std::cell::Cell;
use std::time::Duration;

use heddle_model::{Event, EventKind, EventMask, Observer, View};

use crate::inside::{best, machine, run_until, timed};
use crate::measure::Bench;
use crate::report::Figure;

pub fn run(bench: &Bench) -> Result<Vec<Figure>, String> {
    let mut figures = Vec::new();
    for class in ["Fields", "Calls", "Matrix"] {
        if !bench.wants(class) {
            continue;
        }
        let nobody = whole(bench, class, || ())?;
        let again = whole(bench, class, || ())?;
        let silent = whole(bench, class, || Silent)?;
        let events = Cell::new(0);
        let counting = whole(bench, class, || Count { events: &events })?;
        let more = |time: Duration| (time.as_secs_f64() / nobody.as_secs_f64() - 1.0) * 100.0;
        figures.push(
            Figure::new(
                &format!("{class}, nobody looks"),
                nobody.as_secs_f64() * 1e3,
                "ms",
            )
            .with_note(format!("measured again: {:+.1} %", more(again))),
        );
        let name = format!("{class}, observer wants nothing");
        figures.push(Figure::new(&name, more(silent), "%"));
        let runs = bench.runs(3) as f64;
        let each =
            (counting.as_secs_f64() - nobody.as_secs_f64()) * 1e9 * runs / events.get() as f64;
        let figure = Figure::new(&format!("{class}, reads and writes"), more(counting), "%");
        figures.push(figure.with_note(format!(
            "{each:.1} ns each of {:.0}",
            events.get() as f64 / runs
        )));
    }
    Ok(figures)
}

fn whole<O: Observer>(
    bench: &Bench,
    class: &str,
    mut observer: impl FnMut() -> O,
) -> Result<Duration, String> {
    best(bench.runs(3), || {
        let mut vm = machine(&bench.jdk, &bench.classes, class)?;
        timed(|| run_until(&mut vm, &mut observer(), |_| false))
    })
}

/// May want anything, wants nothing.
struct Silent;

impl Observer for Silent {
    const WANTS: EventMask = EventMask::ALL;

    fn mask(&self) -> EventMask {
        EventMask::NONE
    }

    fn event(&mut self, _: &Event, _: &dyn View) {}
}

struct Count<'a> {
    events: &'a Cell<u64>,
}

impl Observer for Count<'_> {
    const WANTS: EventMask = EventMask::ALL;

    fn mask(&self) -> EventMask {
        EventMask::READ.and(EventMask::WRITE)
    }

    fn event(&mut self, event: &Event, _: &dyn View) {
        if let EventKind::Read { .. } | EventKind::Write { .. } = event.kind {
            self.events.set(self.events.get() + 1);
        }
    }
}
