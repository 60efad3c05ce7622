//! Hello World from start to exit against `java -Xshare:off -Xint`.

use crate::measure::Bench;
use crate::report::Row;

pub fn run(bench: &Bench) -> Result<Vec<Row>, String> {
    if !bench.wants("Hello") {
        return Ok(Vec::new());
    }
    Ok(vec![bench.compare("Hello", &["-Xshare:off", "-Xint"], 15)])
}
