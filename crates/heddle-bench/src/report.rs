//! Results as a table for people and as JSON for programs.

use std::fmt::Write;
use std::time::Duration;

/// All measurements of one program.
pub struct Row {
    pub name: String,
    pub java: Vec<Duration>,
    pub heddle: Vec<Duration>,
    /// Why there is no result.
    pub problem: Option<String>,
}

impl Row {
    pub fn new(name: &str) -> Row {
        Row {
            name: name.into(),
            java: Vec::new(),
            heddle: Vec::new(),
            problem: None,
        }
    }

    pub fn with_problem(mut self, problem: String) -> Row {
        self.problem = Some(problem);
        self
    }

    /// The median of `java`, in seconds.
    pub fn plain(&self) -> f64 {
        median(&self.java)
    }

    /// The median of Heddle over the median of `java`.
    pub fn ratio(&self) -> f64 {
        median(&self.heddle) / median(&self.java)
    }
}

/// A number that stands for itself.
pub struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    target: Option<Target>,
    note: String,
}

impl Figure {
    pub fn new(name: &str, value: f64, unit: &'static str) -> Figure {
        Figure {
            name: name.into(),
            value,
            unit,
            target: None,
            note: String::new(),
        }
    }

    pub fn at_most(mut self, target: f64) -> Figure {
        self.target = Some(Target::AtMost(target));
        self
    }

    pub fn at_least(mut self, target: f64) -> Figure {
        self.target = Some(Target::AtLeast(target));
        self
    }

    pub fn with_note(mut self, note: String) -> Figure {
        self.note = note;
        self
    }
}

/// What a figure should be.
#[derive(Clone, Copy)]
enum Target {
    AtMost(f64),
    AtLeast(f64),
}

/// One table per group of figures.
pub fn figures(groups: &[(&str, Vec<Figure>)]) -> String {
    let mut text = String::new();
    for (group, figures) in groups.iter().filter(|(_, all)| !all.is_empty()) {
        let _ = writeln!(text, "\n{group}");
        for figure in figures {
            let target = match figure.target {
                Some(Target::AtMost(most)) if figure.value <= most => {
                    format!("  (at most {most}: yes)")
                }
                Some(Target::AtMost(most)) => format!("  (at most {most}: NO)"),
                Some(Target::AtLeast(least)) if figure.value >= least => {
                    format!("  (at least {least}: yes)")
                }
                Some(Target::AtLeast(least)) => format!("  (at least {least}: NO)"),
                None => String::new(),
            };
            let _ = writeln!(
                text,
                "{:<36}{:>10.2} {}{target}  {}",
                figure.name, figure.value, figure.unit, figure.note
            );
        }
    }
    text
}

/// One table per group: medians, ratio, geometric mean and worst ratio.
pub fn table(groups: &[(&str, Vec<Row>)]) -> String {
    let mut text = String::new();
    for (group, rows) in groups.iter().filter(|(_, rows)| !rows.is_empty()) {
        let _ = writeln!(
            text,
            "\n{group:<16}{:>10}{:>10}{:>8}",
            "java s", "heddle s", "ratio"
        );
        for row in rows {
            let _ = match &row.problem {
                Some(problem) => writeln!(text, "{:<16}{problem}", row.name),
                None => writeln!(
                    text,
                    "{:<16}{:>10.3}{:>10.3}{:>7.2}x",
                    row.name,
                    median(&row.java),
                    median(&row.heddle),
                    row.ratio()
                ),
            };
        }
        if let Some((mean, worst)) = summary(rows) {
            let _ = writeln!(
                text,
                "geometric mean {mean:.2}x, worst {:.2}x ({})",
                worst.ratio(),
                worst.name
            );
        }
    }
    text
}

pub fn json(groups: &[(&str, Vec<Row>)], figures: &[(&str, Vec<Figure>)]) -> String {
    let mut groups: Vec<String> = groups
        .iter()
        .map(|(group, rows)| {
            let all: Vec<String> = rows.iter().map(json_row).collect();
            let sum = match summary(rows) {
                Some((mean, worst)) => {
                    format!("\"geomean\":{mean:.4},\"worst\":{:.4},", worst.ratio())
                }
                None => String::new(),
            };
            format!(
                "{{\"group\":\"{group}\",{sum}\"programs\":[{}]}}",
                all.join(",")
            )
        })
        .collect();
    groups.extend(figures.iter().map(|(group, figures)| {
        let all: Vec<String> = figures
            .iter()
            .map(|f| {
                let (name, value, unit) = (&f.name, f.value, f.unit);
                format!("{{\"name\":\"{name}\",\"value\":{value:.4},\"unit\":\"{unit}\"}}")
            })
            .collect();
        format!("{{\"group\":\"{group}\",\"figures\":[{}]}}", all.join(","))
    }));
    format!("[{}]", groups.join(","))
}

fn json_row(row: &Row) -> String {
    match &row.problem {
        Some(problem) => {
            let text = problem
                .replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', "\\n");
            format!("{{\"name\":\"{}\",\"problem\":\"{text}\"}}", row.name)
        }
        None => format!(
            "{{\"name\":\"{}\",\"java_seconds\":{:.4},\"heddle_seconds\":{:.4},\"ratio\":{:.4},\"runs\":{}}}",
            row.name,
            median(&row.java),
            median(&row.heddle),
            row.ratio(),
            row.java.len()
        ),
    }
}

fn summary(rows: &[Row]) -> Option<(f64, &Row)> {
    let good: Vec<&Row> = rows.iter().filter(|r| r.problem.is_none()).collect();
    let worst = good.iter().max_by(|a, b| a.ratio().total_cmp(&b.ratio()))?;
    let logs: f64 = good.iter().map(|r| r.ratio().ln()).sum();
    Some(((logs / good.len() as f64).exp(), worst))
}

fn median(times: &[Duration]) -> f64 {
    let mut sorted: Vec<f64> = times.iter().map(Duration::as_secs_f64).collect();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, java: &[u64], heddle: &[u64]) -> Row {
        let times = |t: &[u64]| t.iter().map(|&s| Duration::from_secs(s)).collect();
        Row {
            java: times(java),
            heddle: times(heddle),
            ..Row::new(name)
        }
    }

    #[test]
    fn ratios_use_medians_and_the_geometric_mean() {
        let rows = [row("a", &[1, 9, 2], &[2, 2, 8]), row("b", &[1, 3], &[8, 8])];
        assert_eq!(rows[0].ratio(), 1.0);
        assert_eq!(rows[1].ratio(), 4.0);
        let (mean, worst) = summary(&rows).expect("two good rows");
        assert!((mean - 2.0).abs() < 1e-9);
        assert_eq!(worst.name, "b");
    }
}
