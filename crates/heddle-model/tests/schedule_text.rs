//! Schedule files as text: what is read, what is refused and how, and that whatever is
//! printed reads back as the same.

use heddle_model::schedule::{
    CodeEntry, CodePlace, Command, Header, Line, LogLevel, Main, MethodName, Point, Schedule,
    ThreadEntry, Times,
};

fn parse(text: &str) -> Schedule {
    Schedule::parse("x.sched", text).unwrap_or_else(|e| panic!("{e}"))
}

fn error(text: &str) -> String {
    Schedule::parse("x.sched", text).unwrap_err().to_string()
}

#[test]
fn plain_jreplay_files_are_read() {
    let schedule = parse(
        "# 0 (main) running\n\nbefore Prodcons 1 36 1\nswitch 1 # p\n\nloopbegin\n\
         before Producer 1 13 1\nswitch none\nloopend inf\nin pkg.A 0 7 2\ntimeout 3\nnotify 4\n\
         die 5\ndie none\nlog 2  two   words \"  # not this\nterminate\nloopbegin\n\
         before A 1 1 1\nloopend 9223372036854775807",
    );
    assert_eq!(schedule.header, None);
    assert_eq!(
        schedule.lines[0].comment.as_deref(),
        Some("0 (main) running")
    );
    let point = |class: &str, method, index, count| Point {
        place: CodePlace {
            class: class.into(),
            method: MethodName::Position(method),
            index,
        },
        count,
    };
    let commands: Vec<Command> = schedule.commands().map(|(_, c)| c.clone()).collect();
    let log = Command::Log {
        level: LogLevel::new(2).unwrap(),
        message: "two words \"".into(),
    };
    assert_eq!(
        commands,
        [
            Command::Before(point("Prodcons", 1, 36, 1)),
            Command::Switch(Some(1)),
            Command::LoopBegin,
            Command::Before(point("Producer", 1, 13, 1)),
            Command::Switch(None),
            Command::LoopEnd(Times::Forever),
            Command::In(point("pkg.A", 0, 7, 2)),
            Command::Timeout(3),
            Command::Notify(4),
            Command::Die(Some(5)),
            Command::Die(None),
            log,
            Command::Terminate,
            Command::LoopBegin,
            Command::Before(point("A", 1, 1, 1)),
            Command::LoopEnd(Times::Count(i64::MAX as u64)),
        ]
    );
    assert_eq!(schedule.lines[1].number, 3);
}

#[test]
fn the_header_is_read_and_printed() {
    let text = "# found at night\nheddle-schedule 1\nprogram 00ff\nmain shop.Main fast \"two words\" \"\"\n\
                options --trust none\nstrategy pct\nseed 18446744073709551615\n\
                finding lock-cycle \"Deadlock: a \\\"b\\\"\"\nthread 0 / main\nthread 1 /0 \"pool #1\"\n\
                code shop.Main \"a test()V\" 1a2b\n\n\
                before shop.Main \"a test()V\" 3 1\nswitch 1 # pool\n";
    let schedule = parse(text);
    let header = schedule.header.as_ref().unwrap();
    assert_eq!(
        header.main.as_ref().unwrap().arguments,
        ["fast", "two words", ""]
    );
    assert_eq!(header.threads[1].name, "pool #1");
    assert_eq!(schedule.thread(1).unwrap().path.0[..], [0]);
    assert_eq!(schedule.to_string(), text);
}

#[test]
fn comments_of_the_header_are_gathered_above_it() {
    let schedule = parse("heddle-schedule 1 # a\n# b\nseed 1 # c\n# d\nterminate\n# e");
    assert_eq!(
        schedule.to_string(),
        "# a\n# b\n# c\nheddle-schedule 1\nseed 1\n\n# d\nterminate\n# e\n"
    );
}

/// Every way to be wrong that we could think of, with what is said about it.
#[test]
fn mistakes_are_named() {
    let cases = [
        (
            "swich 1",
            "1: unknown command `swich`; expected before, in, within, switch",
        ),
        (
            "\n\nswitch",
            "3: expected the number of a thread or `none` after `switch`, found the end of the line",
        ),
        (
            "switch x",
            "1: expected the number of a thread or `none`, found `x`",
        ),
        (
            "switch -1",
            "1: expected the number of a thread or `none`, found `-1`",
        ),
        (
            "switch 99999999999",
            "1: expected the number of a thread or `none`, from 0 to 4294967295",
        ),
        (
            "notify none",
            "1: expected the number of a thread, found `none`",
        ),
        (
            "terminate now",
            "1: `terminate` takes nothing; expected the end of the line, found `now`",
        ),
        (
            "before A 1 2 3 4",
            "1: `before` takes 4 words; expected the end of the line, found `4`",
        ),
        ("before A", "1: expected a method, such as run()V"),
        ("before A run( 1 1", "1: expected a method, such as run()V"),
        ("before A 99999999999 1 1", "1: expected a method"),
        (
            "before A run()V x 1",
            "1: expected the index of a bytecode, found `x`",
        ),
        (
            "before A run()V 65536 1",
            "1: expected the index of a bytecode, from 0 to 65535",
        ),
        (
            "before A run()V 1 0",
            "1: expected a count of executions, from 1 to",
        ),
        (
            "in A run()V 1",
            "1: expected a count of executions after `in`",
        ),
        ("log 5 x", "1: expected a log level from 1 to 4, found `5`"),
        ("log", "1: expected a log level from 1 to 4, found ``"),
        ("loopend 1", "1: expected a loopbegin above this loopend"),
        (
            "loopbegin\nbefore A 1 1 1\nloopend",
            "3: expected how often the loop is run",
        ),
        (
            "loopbegin\nbefore A 1 1 1\nloopend 0",
            "3: expected how often the loop is run",
        ),
        (
            "loopbegin\nbefore A 1 1 1\nloopbegin\nlog 1 x\nloopend 2",
            "1: this loopbegin has no end",
        ),
        (
            "loopbegin\nlog 1 x\nloopend inf",
            "3: the loop from line 1 on never lets the program run",
        ),
        (
            "loopbegin\nloopbegin\nloopend 9999\nloopend 9999",
            "4: the loop from line 1 on never lets",
        ),
        ("\"a", "1: a \" is never closed"),
        (
            "heddle-schedule 2",
            "1: the format has version 2; expected at most 1",
        ),
        ("heddle-schedule", "1: expected the version of the format"),
        (
            "terminate\nheddle-schedule 1",
            "2: expected `heddle-schedule` once, as the first line",
        ),
        (
            "seed 1",
            "1: `seed` belongs to a header; expected a first line `heddle-schedule 1`",
        ),
        (
            "heddle-schedule 1\nterminate\nseed 1",
            "3: `seed` belongs to the header; expected it above",
        ),
        ("heddle-schedule 1\nseed 1\nseed 1", "3: a second `seed`"),
        (
            "heddle-schedule 1\nprogram xyz",
            "2: expected the digest of the program in hexadecimal",
        ),
        (
            "heddle-schedule 1\nmain \"\"",
            "2: expected the name of the main class",
        ),
        (
            "heddle-schedule 1\nthread 0 0 main",
            "2: expected the path of a thread, such as / or /0/1",
        ),
        (
            "heddle-schedule 1\nthread 0 / a\nthread 0 /1 b",
            "3: a second `thread`",
        ),
        (
            "heddle-schedule 1\nthread 0 / a\nthread 1 / b",
            "3: thread 0 has the path / already",
        ),
        (
            "heddle-schedule 1\nthread 0 / a\nthread 2 /0 b\nswitch 1",
            "4: there is no thread 1; expected one of the header: 0, 2",
        ),
    ];
    for (text, expected) in cases {
        let found = error(text);
        assert!(
            found.starts_with(&format!("x.sched:{expected}")),
            "{text:?}: {found}"
        );
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let error = Schedule::read("x", b"terminate\nlog 1 \xff").unwrap_err();
    assert_eq!(
        error.to_string(),
        "x:2: this is not text; expected a schedule in UTF-8"
    );
}

#[test]
fn whatever_is_printed_reads_back() {
    let mut random = Random(1);
    for _ in 0..3000 {
        let schedule = random.schedule();
        let text = schedule.to_string();
        let back = Schedule::parse("printed", &text);
        assert_eq!(back.as_ref(), Ok(&schedule), "{text}");
        assert_eq!(back.unwrap().to_string(), text);
    }
}

/// Text put together from pieces of the language and from noise is read or refused; what
/// is read prints and can be followed.
#[test]
fn no_text_makes_it_panic() {
    let pieces = [
        "before",
        "in",
        "switch",
        "notify",
        "timeout",
        "spurious",
        "die",
        "terminate",
        "log",
        "loopbegin",
        "loopend",
        "inf",
        "none",
        "heddle-schedule",
        "seed",
        "thread",
        "main",
        "code",
        "program",
        "options",
        "finding",
        "strategy",
        "A",
        "run()V",
        "m(",
        "0",
        "1",
        "2",
        "18446744073709551616",
        "-1",
        "/",
        "/0/1",
        "//",
        "\"",
        "\\",
        "\\u00e",
        "#",
        " ",
        "  ",
        "\t",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\r",
        "\u{0}",
        "\u{2028}",
        "\u{feff}",
        "é",
        "\u{1F600}",
    ];
    let mut random = Random(2);
    let mut read = 0;
    for round in 0..20_000 {
        let mut text = String::new();
        for _ in 0..random.below(24) {
            text.push_str(pieces[random.below(pieces.len())]);
            if random.below(3) > 0 {
                text.push(' ');
            }
        }
        let mut bytes = text.clone().into_bytes();
        if round % 4 == 0 && !bytes.is_empty() {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        if let Ok(schedule) = Schedule::read("noise", &bytes) {
            read += usize::from(!schedule.lines.is_empty());
            let printed = schedule.to_string();
            assert_eq!(
                Schedule::parse("printed", &printed).as_ref(),
                Ok(&schedule),
                "{printed}"
            );
            schedule.steps().take(100).for_each(drop);
        }
    }
    assert!(read > 200, "only {read} texts made sense");
}

/// A small generator (xorshift*), so that failures repeat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn word(&mut self) -> String {
        self.pick(&[
            "a", "x y", "#", "\"", "\\u", "\n\r\t", "é\u{85}", "--opt=1", "none",
        ])
        .into()
    }

    fn method(&mut self) -> MethodName {
        let name = self
            .pick(&["run", "<init>", "a b", "lambda$0", "x#", "1x"])
            .to_string();
        match self.below(3) {
            0 => MethodName::Position(self.below(9) as u32),
            1 => MethodName::Named {
                name,
                descriptor: None,
            },
            _ => MethodName::Named {
                name,
                descriptor: Some("(I[La/B;)V".into()),
            },
        }
    }

    fn class(&mut self) -> String {
        self.pick(&["A", "a.b.C$1", "spaced out.X", "Ä"]).into()
    }

    fn comment(&mut self) -> Option<String> {
        (self.below(4) == 0).then(|| self.pick(&["", "p", "a # b", "\"x\" \\"]).into())
    }

    fn thread(&mut self) -> u32 {
        self.below(4) as u32
    }

    fn command(&mut self, depth: &mut usize) -> Command {
        let index = self.below(65536) as u16;
        let place = CodePlace {
            class: self.class(),
            method: self.method(),
            index,
        };
        let point = Point {
            place,
            count: 1 + self.next(),
        };
        match self.below(11) {
            0 => Command::Before(point),
            1 => Command::In(point),
            2 => Command::Switch(Some(self.thread())),
            3 => Command::Switch(None),
            4 => Command::Notify(self.thread()),
            5 => Command::Timeout(self.thread()),
            6 => Command::Spurious(self.thread()),
            7 => Command::Die(Some(self.thread())),
            8 => Command::Terminate,
            9 => Command::Log {
                level: LogLevel::new(1 + self.below(4) as u8).unwrap(),
                message: self.pick(&["", "hello", "a \"b\" \\ c"]).into(),
            },
            _ => {
                *depth += 1;
                Command::LoopBegin
            }
        }
    }

    fn schedule(&mut self) -> Schedule {
        let mut schedule = Schedule::default();
        if self.below(3) > 0 {
            let some = |yes: usize| yes > 0;
            let mut header = Header {
                comments: (0..self.below(3)).filter_map(|_| self.comment()).collect(),
                ..Header::default()
            };
            if some(self.below(2)) {
                header.program = Some("0123456789abcdef".into());
                header.main = Some(Main {
                    class: self.class(),
                    arguments: (0..self.below(3)).map(|_| self.word()).collect(),
                });
                header.options = (0..self.below(3)).map(|_| self.word()).collect();
            }
            if some(self.below(2)) {
                header.strategy = Some(self.word());
                header.seed = Some(self.next());
                header.finding = Some((self.word(), self.word()));
            }
            if some(self.below(2)) {
                for number in 0..4 {
                    let path = format!("/{number}/7").parse().unwrap();
                    header.threads.push(ThreadEntry {
                        number,
                        path,
                        name: self.word(),
                    });
                }
                let (class, method) = (self.class(), self.method());
                header.code.push(CodeEntry {
                    class,
                    method,
                    digest: "0f".into(),
                });
            }
            schedule.header = Some(header);
        }
        let mut depth = 0;
        for _ in 0..self.below(12) {
            let command = (self.below(8) > 0).then(|| self.command(&mut depth));
            let comment = match command {
                Some(_) => self.comment(),
                None => Some("alone".into()),
            };
            schedule.lines.push(Line {
                command,
                comment,
                number: 0,
            });
        }
        for _ in 0..depth {
            // An event, so that the loop may be endless.
            let place = CodePlace {
                class: self.class(),
                method: self.method(),
                index: 0,
            };
            schedule
                .lines
                .push(Command::Before(Point { place, count: 1 }).into());
            let times = match self.below(2) {
                0 => Times::Forever,
                _ => Times::Count(1 + self.next()),
            };
            schedule.lines.push(Command::LoopEnd(times).into());
        }
        schedule
    }
}

/// The example of the manual is read, and is what the printer prints.
#[test]
fn the_manual_is_right() {
    let manual = include_str!("../../../docs/schedules.md");
    let example = manual.split("```").nth(1).unwrap().trim_start();
    let schedule = Schedule::parse("docs/schedules.md", example).unwrap();
    assert_eq!(schedule.steps().count(), 4);
    assert_eq!(schedule.to_string(), example);
}
