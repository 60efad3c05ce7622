//! Bad input, deadlocks and signals: what the user is told, and the exit code.
//!
//! Where the mistake is the program's, the answer is that of `java`, which is asked
//! here; where it is in how Heddle was called, it is one sentence and exit code 3. In
//! no case is anything left behind in the working directory.

mod common;

use common::{HEDDLE, Place, assert_refusal, text};
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

const OK: &str =
    "public class Ok { public static void main(String[] a) { System.out.println(1); } }";

#[test]
fn wrong_usage() {
    let place = Place::new("usage");
    place.refuses(&["bogus"], "unknown command 'bogus'");
    place.refuses(&["run", "--nope", "Ok"], "unknown option '--nope'");
    place.refuses(&["run", "-Xmx1x", "Ok"], "-Xmx takes a size");
    place.refuses(&["run", "-Xss", "Ok"], "-Xss takes a size");
    place.refuses(&["run", "-javaagent:a.jar", "Ok"], "-javaagent:a.jar");
    place.refuses(&["check", "--module-path", "m", "Ok"], "--module-path");
    place.refuses(&["run", "--add-opens"], "--add-opens needs a value");
    place.refuses(&["run", "@nowhere", "Ok"], "@nowhere");
    place.refuses(&["replay", "no.sched", "--force"], "no.sched: No such file");
    place.refuses(&["replay", "no.sched", "--nope"], "unknown option '--nope'");
    place.refuses(&["run", "-cp"], "-cp needs a value");
    place.refuses(&["run", "-cp", "."], "name a main class or a jar");
    place.refuses(&["run", "--slice", "0", "Ok"], "--slice takes");
    place.refuses(&["run", "--seed", "x", "Ok"], "--seed takes");
    place.refuses(&["run", "--heap", "12x", "Ok"], "--heap takes a size");
    place.refuses(&["run", "--heap", "0", "Ok"], "--heap takes a size");
    place.refuses(&["run", "--heap=1k", "Ok"], "at least 2m");
    place.refuses(&["run", "--heap", "100g", "Ok"], "27g at most");
}

/// Nobody reads what is said, and the exit code is the same.
#[test]
fn a_reader_that_has_gone() {
    let place = Place::new("gone");
    for (args, code) in [
        ("--help", "0"),
        ("bogus", "3"),
        ("check -cp . Nowhere", "3"),
    ] {
        let script = format!("(sleep 0.3; {HEDDLE} {args} 2>&1; echo $? >code) | true");
        place.run("sh", &["-c", &script]);
        let written = fs::read_to_string(place.0.join("code")).expect("an exit code");
        assert_eq!(written.trim(), code, "{args}");
    }
}

/// What a file of arguments says, `java` and Heddle understand in the same way.
#[test]
fn arguments_from_a_file() {
    let place = Place::new("argfile");
    let show = "public class Show { public static void main(String[] a) { \
                System.out.println(System.getProperty(\"p\") + String.join(\"|\", a)); } }";
    place.compile("Show", show);
    place.write("options", "# two\n-cp . \"-Dp=a \\\"b\\\" \\\n   c\"\n");
    place.write("all", "-cp '.' Show 'one two' \"\\tthree\" @options");
    for args in [
        &["@options", "Show", "@options"][..],
        &["@all", "@all"],
        &["-Dp=q", "@all"],
    ] {
        let run = [&["run"], args].concat();
        let (expected, actual) = (place.run("java", args), place.heddle(&run));
        assert!(expected.status.success(), "{}", text(&expected.stderr));
        assert_eq!(text(&actual.stdout), text(&expected.stdout), "{args:?}");
    }
}

#[test]
fn no_jdk() {
    let place = Place::new("no-jdk");
    place.write("release", "JAVA_VERSION=\"99.0.1\"\n");
    place.refuses(&["run", "--jdk", "nowhere", "Ok"], "not the home of a JDK");
    fs::create_dir(place.0.join("lib")).expect("a directory");
    place.write("lib/modules", "");
    place.refuses(&["run", "--jdk", ".", "Ok"], "is a JDK 99");
    place.write("release", "JAVA_VERSION=\"17.0.1\"\n");
    place.refuses(&["run", "--jdk", ".", "Ok"], "modules");
    let out = place
        .command(HEDDLE, &["run", "Ok"])
        .env("JAVA_HOME", "/nowhere")
        .output();
    assert_refusal(
        &out.expect("heddle runs"),
        "$JAVA_HOME, /nowhere, is not the home",
    );
    let mut alone = place.command(HEDDLE, &["run", "Ok"]);
    let out = alone
        .env_remove("JAVA_HOME")
        .env("PATH", "/nowhere")
        .output();
    assert_refusal(&out.expect("heddle runs"), "no JDK found");
}

#[test]
fn classes_that_cannot_be_run() {
    let place = Place::new("classes");
    place.compile("Ok", OK);
    place.as_java(&["-cp", ".", "Missing"]);
    place.as_java(&["-cp", "nowhere", "Ok"]);
    place.as_java(&["-cp", ".", "Ok.class"]);
    place.compile(
        "NoMain",
        "public class NoMain { static void main(int[] a) {} }",
    );
    place.as_java(&["-cp", ".", "NoMain"]);
    place.compile(
        "Late",
        "public class Late { public void main(String[] a) {} }",
    );
    place.as_java(&["-cp", ".", "Late"]);

    let mut class = fs::read(place.0.join("Ok.class")).expect("a class file");
    // Major version, bytes 6 and 7: that of JDK 25.
    class[7] = 69;
    place.write("Ok.class", &class);
    place.as_java(&["-cp", ".", "Ok"]);
    class[7] = 61;
    place.write("Ok.class", &class[..class.len() / 2]);
    place.as_java(&["-cp", ".", "Ok"]);
    place.write("Ok.class", "not a class file");
    place.as_java(&["-cp", ".", "Ok"]);
    fs::remove_file(place.0.join("Ok.class")).expect("the class file");
    fs::create_dir(place.0.join("Ok.class")).expect("a directory");
    place.as_java(&["-cp", ".", "Ok"]);
}

#[test]
fn jars_that_cannot_be_run() {
    let place = Place::new("jars");
    place.compile("Ok", OK);
    place.as_java(&["-jar", "missing.jar"]);
    place.write("empty.jar", "").as_java(&["-jar", "empty.jar"]);
    place
        .write("text.jar", "this is no archive".repeat(100))
        .as_java(&["-jar", "text.jar"]);
    assert!(
        place
            .run("jar", &["cf", "plain.jar", "Ok.class"])
            .status
            .success()
    );
    place.as_java(&["-jar", "plain.jar"]);
    assert!(
        place
            .run("jar", &["cfM", "bare.jar", "Ok.class"])
            .status
            .success()
    );
    place.as_java(&["-jar", "bare.jar"]);
    let whole = fs::read(place.0.join("plain.jar")).expect("a jar");
    place
        .write("cut.jar", &whole[..whole.len() / 2])
        .as_java(&["-jar", "cut.jar"]);
    place.as_java(&["-cp", "text.jar", "Ok"]);
}

#[test]
fn deadlocks_are_told() {
    let place = Place::new("deadlock");
    let source = include_str!("../../../examples/Transfer.java");
    place.compile("Transfer", source);
    let out = place.heddle(&["run", "-cp", ".", "Transfer"]);
    assert_eq!(out.status.code(), Some(1));
    let expected = include_str!("transfer.txt");
    // Lines inside the JDK differ from release to release.
    let shown: String = text(&out.stderr)
        .lines()
        .filter(|line| !line.contains("at java."))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(shown, expected);
}

#[test]
fn deadlocks_of_library_locks_are_told() {
    let place = Place::new("library-locks");
    place.compile(
        "Locks",
        r#"import java.util.concurrent.locks.ReentrantLock;
        public class Locks {
            static final ReentrantLock A = new ReentrantLock(), B = new ReentrantLock();
            static void both(ReentrantLock first, ReentrantLock second) {
                first.lock();
                try { Thread.sleep(1); } catch (InterruptedException e) { }
                second.lock();
            }
            public static void main(String[] a) {
                new Thread(() -> both(A, B), "one").start();
                new Thread(() -> both(B, A), "two").start();
            }
        }"#,
    );
    let out = place.heddle(&["run", "-cp", ".", "Locks"]);
    assert_eq!(out.status.code(), Some(1));
    let expected = "heddle: deadlock: \"one\" holds ReentrantLock@1 and waits for ReentrantLock@2, \
        held by \"two\"; \"two\" holds ReentrantLock@2 and waits for ReentrantLock@1, held by \"one\"";
    assert_eq!(text(&out.stderr).lines().next(), Some(expected));
}

#[test]
fn a_signal_runs_the_shutdown_hooks() {
    let place = Place::new("signal");
    place.compile(
        "Hook",
        r#"public class Hook {
            public static void main(String[] a) throws Exception {
                Thread hook = new Thread(() -> System.out.println("hook"));
                Runtime.getRuntime().addShutdownHook(hook);
                System.out.println("ready");
                if (a.length > 0) System.in.read();
                while (true) Thread.onSpinWait();
            }
        }"#,
    );
    for args in [
        &["run", "-cp", ".", "Hook"][..],
        &["run", "-cp", ".", "Hook", "read"],
    ] {
        let mut child = place.command(HEDDLE, args);
        let mut child = child
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("heddle");
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(
            child.stdout.take().expect("standard output"),
        ));
        let mut line = || lines.next().and_then(Result::ok);
        assert_eq!(line().as_deref(), Some("ready"));
        // Time to get into the read.
        std::thread::sleep(Duration::from_millis(100));
        let kill = Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status();
        assert!(kill.expect("kill runs").success());
        assert_eq!(line().as_deref(), Some("hook"));
        assert_eq!(child.wait().expect("heddle ends").code(), Some(143));
    }
}
