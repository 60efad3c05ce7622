//! `jdb` on a replay: breakpoints by line, steps through both threads in the order of the
//! schedule without choosing a thread, locals as they were.

mod jvm;

use jvm::{Bench, HEDDLE, lost_update};
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Both read before either writes; `b` writes last.
const LOST: &str = "\
heddle-schedule 1
main Till
options -cp classes
finding assertion \"Assertion fails in main at Till.main (Till.java:11): lost: 10\"
thread 0 / main
thread 1 /0 a
thread 2 /1 b

in Till main 39 1
switch 1
before Till add 9 1
switch 2
before Till add 9 1
switch 1
before Till lambda$main$0 4 1
die 2
before Till lambda$main$1 5 1
die 0
";

#[test]
fn jdb_steps_through_a_lost_update() {
    let bench = Bench::new("debugger");
    let till = lost_update("", "assert sum == 11 : \"lost: \" + sum;");
    bench.compile(&[("Till.java", &till)], &[]);
    bench.write("lost.sched", LOST);
    // A port that is free now.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|l| l.local_addr())
        .expect("a port")
        .port()
        .to_string();
    let mut replay = bench
        .command(
            HEDDLE,
            &["replay", &format!("--suspend={port}"), "lost.sched"],
        )
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("heddle");
    let mut jdb = Jdb::attach(&bench, &port);
    jdb.order("stop at Till:15", "breakpoint Till:15");
    jdb.order("run", r#""thread=a", Till.add(), line=15"#);
    jdb.order("locals", "amount = 1");
    jdb.order("step", r#""thread=a", Till.add(), line=16"#);
    jdb.order("locals", "seen = 0");
    jdb.order("step", r#""thread=a", Till.add(), line=17"#);
    // The turn goes to b before a writes; nobody chose it.
    jdb.order("step", r#""thread=b", Till.add(), line=15"#);
    jdb.order("print Till.sum", "Till.sum = 0");
    jdb.order("step", r#""thread=b", Till.add(), line=16"#);
    jdb.order("locals", "seen = 0");
    jdb.order("step", r#""thread=b", Till.add(), line=17"#);
    jdb.order("locals", "more = 10");
    // And back to a, whose step is completed now: it has written.
    jdb.order("step", r#""thread=a", Till.add(), line=18"#);
    jdb.order("print Till.sum", "Till.sum = 1");
    jdb.order("cont", r#""thread=b", Till.add(), line=18"#);
    jdb.order("print Till.sum", "Till.sum = 10");
    // jdb stops where an exception is thrown that nobody will catch.
    let lost = r#"AssertionError (uncaught)"thread=main", Till.main(), line=11"#;
    jdb.order("cont", lost);
    jdb.order("cont", "The application");
    let ended = replay.wait().expect("heddle");
    let mut said = String::new();
    let _ = replay
        .stdout
        .take()
        .expect("a pipe")
        .read_to_string(&mut said);
    assert_eq!(ended.code(), Some(1), "{said}");
    assert!(said.contains("Confirmed on "), "{said}");
}

/// A debugger that is talked to.
struct Jdb {
    child: Child,
    stdin: ChildStdin,
    bytes: Receiver<u8>,
    said: String,
}

impl Jdb {
    /// Attaches, as soon as the JVM is there.
    fn attach(bench: &Bench, port: &str) -> Jdb {
        let start = Instant::now();
        loop {
            let mut child = bench
                .command("jdb", &["-attach", port])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("jdb");
            let mut out = child.stdout.take().expect("a pipe");
            let (sender, bytes) = channel();
            std::thread::spawn(move || {
                let mut one = [0];
                while out.read(&mut one).is_ok_and(|n| n == 1) && sender.send(one[0]).is_ok() {}
            });
            let mut jdb = Jdb {
                stdin: child.stdin.take().expect("a pipe"),
                child,
                bytes,
                said: String::new(),
            };
            if jdb.hears("VM Started", Duration::from_secs(60)) {
                return jdb;
            }
            assert!(
                start.elapsed() < Duration::from_secs(120),
                "no JVM: {}",
                jdb.said
            );
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    fn order(&mut self, command: &str, answer: &str) {
        self.said.clear();
        writeln!(self.stdin, "{command}").expect("jdb listens");
        let heard = self.hears(answer, Duration::from_secs(60));
        assert!(heard, "`{command}` gave no `{answer}` but:\n{}", self.said);
    }

    /// Whether jdb says something before it ends or the time is over.
    fn hears(&mut self, answer: &str, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        while !self.said.contains(answer) {
            let left = end.saturating_duration_since(Instant::now());
            match self.bytes.recv_timeout(left) {
                Ok(byte) => self.said.push(byte as char),
                Err(_) => return false,
            }
        }
        true
    }
}

impl Drop for Jdb {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
