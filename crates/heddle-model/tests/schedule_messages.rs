//! The message-based format: read, written, and converted both ways.

use heddle_model::schedule::{Command, Messages, Schedule};

/// Figure 6 of jreplay: the schedule of figure 1a by messages.
const FIGURE_6: &str = "\
schedulebegin 0 # main
  before Prodcons 1 36 1
  send 1 0
  receive 0 -1
scheduleend

schedulebegin 1 # p
  receive 0 0
  before Producer 1 13 1
  send 2 0
  receive 1 -1
scheduleend

schedulebegin 2 # c1
  receive 1 0
  before Consumer 1 9 1
  send 3 0
  receive 3 0
scheduleend

schedulebegin 3 # c2
  receive 2 0
  before Consumer 1 13 1
  send 2 0
  receive 3 -1
scheduleend
";

const FIGURE_1A: &str = "\
before Prodcons 1 36 1
switch 1 # p
before Producer 1 13 1
switch 2 # c1
before Consumer 1 9 1
switch 3 # c2
before Consumer 1 13 1
switch 2 # c1
";

#[test]
fn figure_6_reads_back_and_is_figure_1a() {
    let read = Messages::parse("x", FIGURE_6).unwrap();
    assert_eq!(read.to_string(), FIGURE_6);
    assert_eq!(read.switches().unwrap().to_string(), FIGURE_1A);
    assert!(Messages::is_in(FIGURE_6) && !Messages::is_in(FIGURE_1A));
}

#[test]
fn figure_1a_becomes_figure_6() {
    let schedule = Schedule::parse("x", FIGURE_1A).unwrap();
    let without_names = FIGURE_6.lines().map(|l| l.split(" #").next().unwrap());
    let expected = without_names.collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(schedule.messages().unwrap().to_string(), expected);
}

/// What a schedule does, loops unrolled.
fn steps(schedule: &Schedule) -> Vec<String> {
    let show = |s: heddle_model::schedule::follow::Step| {
        format!(
            "{:?} {:?} {:?}",
            s.thread,
            s.until,
            s.then
                .iter()
                .map(|(_, a)| format!("{a:?}"))
                .collect::<Vec<_>>()
        )
    };
    schedule.steps().map(show).collect()
}

/// Generated schedules come back from messages with the same steps and as many switches.
#[test]
fn there_and_back() {
    for seed in 0..300u64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut below = |n: u64| {
            state = state
                .wrapping_mul(0x5851_F42D_4C95_7F2D)
                .wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 33) % n
        };
        let mut text = String::new();
        let mut alive = vec![0u64, 1, 2, 3];
        let mut running = 0;
        for _ in 0..below(20) + 1 {
            let kind = if below(4) == 0 { "in" } else { "before" };
            text += &format!("{kind} T{running} run()V {} {}\n", below(9), below(3) + 1);
            if below(5) == 0 {
                text += &format!("notify {}\n", alive[below(alive.len() as u64) as usize]);
            }
            let others: Vec<u64> = alive.iter().copied().filter(|t| *t != running).collect();
            let Some(&to) = others.get(below(others.len().max(1) as u64) as usize) else {
                break;
            };
            if below(6) == 0 {
                text += &format!("die {to}\n");
                alive.retain(|t| *t != running);
            } else {
                text += &format!("switch {to}\n");
            }
            running = to;
        }
        let schedule = Schedule::parse("x", &text).unwrap();
        let messages = schedule.messages().unwrap();
        let read = Messages::parse("x", &messages.to_string()).unwrap();
        assert_eq!(read.threads.len(), messages.threads.len());
        let back = read.switches().unwrap();
        assert_eq!(steps(&back), steps(&schedule), "{text}\n{messages}\n{back}");
    }
}

/// Two pairs of threads that have nothing to do with each other: the order that takes the
/// fewest switches does one pair after the other.
#[test]
fn few_switches() {
    let text = "\
schedulebegin 0
before A a()V 1 1
send 1 0
send 2 0
receive 0 -1
scheduleend
schedulebegin 1
receive 0 0
before B b()V 1 1
before B b()V 2 1
send 3 7
scheduleend
schedulebegin 2
receive 0 0
before C c()V 1 1
before C c()V 2 1
send 3 8
scheduleend
schedulebegin 3
receive 1 7
receive 2 8
before D d()V 1 1
scheduleend
";
    let schedule = Messages::parse("x", text).unwrap().switches().unwrap();
    let switches = schedule
        .commands()
        .filter(|(_, c)| matches!(c, Command::Switch(_)));
    assert_eq!(switches.count(), 3, "{schedule}");
}

#[test]
fn mistakes_are_told_with_their_line() {
    let cases = [
        (
            "before A a()V 1 1\nschedulebegin 0\nscheduleend\n",
            1,
            "schedulebegin",
        ),
        ("schedulebegin 0\nswitch 1\nscheduleend\n", 2, "switch"),
        (
            "schedulebegin 0\nsend 1 x\nscheduleend\n",
            2,
            "number of a message",
        ),
        ("schedulebegin 0\nsend 1 1\n", 2, "scheduleend"),
        (
            "schedulebegin 0\nscheduleend\nschedulebegin 0\nscheduleend\n",
            3,
            "second",
        ),
        (
            "schedulebegin 0\nscheduleend\nterminate\n",
            3,
            "schedulebegin",
        ),
    ];
    for (text, line, word) in cases {
        let error = Messages::parse("x", text).unwrap_err();
        assert!(
            error.line == line && error.message.contains(word),
            "{error}"
        );
    }
    let stuck =
        "schedulebegin 0\nreceive 1 5\nterminate\nscheduleend\nschedulebegin 1\nscheduleend\n";
    let stuck = Messages::parse("x", stuck).unwrap().switches().unwrap_err();
    assert!(stuck.contains("receive 1 5"), "{stuck}");
    let endless = "loopbegin\nbefore A a()V 1 1\nswitch 0\nloopend inf\n";
    assert!(Schedule::parse("x", endless).unwrap().messages().is_err());
}
