use heddle_explore::strategies::Dpor;
use heddle_explore::toy::{programs, Toy};
use heddle_explore::{Limits, explore};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: u32 = args[2].parse().unwrap();
    let m: u32 = args.get(3).map_or(1, |m| m.parse().unwrap());
    let p = match args[1].as_str() { "readers" => programs::readers(n), "indexer" => programs::indexer(n), "lastzero" => programs::lastzero(n), "filesystem" => programs::filesystem(n), "phil" => programs::philosophers(n, m, false), "left" => programs::philosophers(n, m, true), "perf" => programs::performance(n, m), _ => programs::counter(n) };
    let begin = std::time::Instant::now();
    let limits = Limits { schedules: Some(5_000_000), ..Limits::default() };
    let o = explore(&mut Toy::new(p), &mut Dpor::new(), &mut [], &limits, &mut ());
    let s = begin.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let rss = status.lines().find(|l| l.starts_with("VmHWM")).unwrap();
    println!("{} schedules, {} points, {} blocked, complete {}, {s:.2} s, {:.0}/s {rss}", o.schedules, o.choice_points, o.blocked, o.complete, o.schedules as f64 / s);
}
