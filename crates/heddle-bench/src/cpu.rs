//! CPU-bound single-threaded programs against `java -Xint`.

use crate::measure::{Bench, programs};
use crate::report::Row;

pub fn run(bench: &Bench) -> Result<Vec<Row>, String> {
    let names = programs()?;
    let wanted = names.iter().filter(|name| bench.wants(name));
    Ok(wanted
        .map(|name| bench.compare(name, &["-Xint"], 3))
        .collect())
}
