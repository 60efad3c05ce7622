//! Programs that are hard to instrument: handled, or one sentence that names the class and
//! the reason. What the user has is never changed.

mod jvm;

use heddle_conformance::toolchain::jvms;
use jvm::{Bench, Said, java, lost_update};
use std::fs;
use std::path::{Path, PathBuf};

/// A program in a package that prints what is in the till.
fn shop() -> String {
    lost_update("package shop;\n\n", "System.out.println(sum);")
}

/// Both threads read before either writes.
const LOST: &str = "\
in shop.Till main 39 1
switch 1
before shop.Till add 9 1
switch 2
before shop.Till add 9 1
switch 1
before shop.Till lambda$main$0 4 1
die 2
before shop.Till lambda$main$1 5 1
die 0
";

fn till(name: &str, options: &[&str]) -> Bench {
    let bench = Bench::new(name);
    bench.compile(&[("Till.java", &shop())], options);
    bench.write("s.sched", LOST);
    bench
}

fn instrument(bench: &Bench, path: &str) -> Said {
    let before = content(&bench.0.join(path));
    let words = [
        "instrument",
        "--schedule",
        "s.sched",
        "-cp",
        path,
        "-o",
        "out",
    ];
    let said = bench.heddle(&words);
    let after = content(&bench.0.join(path));
    assert!(before == after, "{path} was changed");
    said
}

/// Names and bytes of all files.
fn content(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    if path.is_file() {
        return vec![(path.to_path_buf(), fs::read(path).expect("a file"))];
    }
    let mut all = Vec::new();
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        all.extend(content(&entry.path()));
    }
    all.sort();
    all
}

/// The update is lost on all JVMs.
fn loses(bench: &Bench, made: &Said) {
    assert_eq!(made.code, Some(0), "{}", made.err);
    for home in jvms() {
        let said = bench.run(java(&home), &["-Xverify:all", "-cp", "out", "shop.Till"]);
        let told = (said.code, said.out.as_str());
        assert_eq!(told, (Some(0), "10\n"), "{home:?}: {}", said.err);
    }
}

/// One sentence, without a trace of ours, that has all these parts.
fn refuses(said: &Said, parts: &[&str]) {
    assert_eq!(said.code, Some(3), "{}{}", said.out, said.err);
    assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    for part in parts {
        assert!(said.err.contains(part), "no `{part}` in: {}", said.err);
    }
}

fn jar(bench: &Bench, words: &[&str]) {
    let said = bench.run("jar", words);
    assert_eq!(said.code, Some(0), "{}", said.err);
}

#[test]
fn signed_and_sealed_jars() {
    let bench = till("bad-signed", &[]);
    bench.write("manifest", "Sealed: true\n");
    jar(
        &bench,
        &["cfm", "till.jar", "manifest", "-C", "classes", "."],
    );
    let key = [
        "-genkeypair",
        "-keystore",
        "keys",
        "-storepass",
        "secret",
        "-alias",
        "me",
    ];
    let key = [&key[..], &["-keyalg", "RSA", "-dname", "CN=me"]].concat();
    assert_eq!(bench.run("keytool", &key).code, Some(0));
    let sign = [
        "-keystore",
        "keys",
        "-storepass",
        "secret",
        "till.jar",
        "me",
    ];
    assert_eq!(bench.run("jarsigner", &sign).code, Some(0));
    let made = instrument(&bench, "till.jar");
    for note in [
        "the signatures of till.jar are left out",
        "are not sealed any more",
    ] {
        assert!(made.err.contains(note), "{}", made.err);
    }
    loses(&bench, &made);
}

#[test]
fn modules_and_releases() {
    let bench = till("bad-module", &[]);
    bench.write("module-info.java", "module shop { exports shop; }\n");
    let words = ["-d", "classes", "module-info.java", "Till.java"];
    assert_eq!(bench.run("javac", &words).code, Some(0));
    // Another class for newer releases, in which the bytecodes are elsewhere.
    let newer = shop().replace("int seen = sum;", "assert amount != 0; int seen = sum;");
    fs::create_dir_all(bench.0.join("newer")).expect("a folder");
    bench.write("newer/Till.java", &newer);
    let words = ["-d", "for-99", "newer/Till.java"];
    assert_eq!(bench.run("javac", &words).code, Some(0));
    let pack = ["--create", "--file", "till.jar", "-C", "classes", "."];
    let pack = [&pack[..], &["--release", "99", "-C", "for-99", "."]].concat();
    jar(&bench, &pack);
    let made = instrument(&bench, "till.jar");
    loses(&bench, &made);
}

#[test]
fn missing_debug_tables() {
    let bench = till("bad-debug", &["-g:none"]);
    let made = instrument(&bench, "classes");
    loses(&bench, &made);
}

/// A line-number table that points behind the code, which no JVM accepts either.
#[test]
fn wrong_debug_tables() {
    let bench = till("bad-tables", &[]);
    let file = bench.0.join("classes/shop/Till.class");
    let mut bytes = fs::read(&file).expect("the class");
    // The constructor's table: attribute length 6, one entry, bytecode 0, line 3.
    let table = [0, 0, 0, 6, 0, 1, 0, 0, 0, 3];
    let at = bytes.windows(10).position(|w| w == table).expect("a table");
    bytes[at + 6..at + 8].copy_from_slice(&[0x7f, 0xff]);
    fs::write(&file, bytes).expect("the class");
    let plain = bench.run("java", &["-cp", "classes", "shop.Till"]);
    assert!(plain.err.contains("ClassFormatError"), "{}", plain.err);
    refuses(
        &instrument(&bench, "classes"),
        &["class shop.Till cannot be instrumented", "LineNumberTable"],
    );
}

/// A method with hardly any room left.
#[test]
fn methods_near_the_limit() {
    // Each of these takes 3 bytes; a dozen are for the rest.
    for (statements, fits) in [(21_000, true), (21_840, false)] {
        let bench = Bench::new(&format!("bad-large-{statements}"));
        let body = "i += 2;\n".repeat(statements);
        let text = shop().replace(
            "int seen = sum;",
            &format!("int i = 0;\n{body}int seen = sum;"),
        );
        bench.compile(&[("Till.java", &text)], &[]);
        let index = 2 + 3 * statements;
        let shifted = LOST.replace("add 9", &format!("add {}", index + 9));
        bench.write("s.sched", &shifted);
        let made = instrument(&bench, "classes");
        match fits {
            true => loses(&bench, &made),
            false => refuses(&made, &["shop.Till", "add", "65535"]),
        }
    }
}

#[test]
fn already_instrumented() {
    let bench = till("bad-twice", &[]);
    assert_eq!(instrument(&bench, "classes").code, Some(0));
    fs::rename(bench.0.join("out"), bench.0.join("once")).expect("a folder");
    refuses(
        &instrument(&bench, "once"),
        &["class shop.Till is instrumented already"],
    );
}

#[test]
fn files_that_are_not_ours() {
    let bench = till("bad-output", &[]);
    fs::create_dir_all(bench.0.join("out")).expect("a folder");
    bench.write("out/mine", "important");
    refuses(
        &instrument(&bench, "classes"),
        &["out holds files that heddle did not write"],
    );
    assert_eq!(bench.read("out/mine"), "important");
}

#[test]
fn places_that_are_not_there() {
    let bench = till("bad-places", &[]);
    for (from, to, parts) in [
        (
            "add 9",
            "add 10",
            ["shop.Till.add(I)V begins at 10", "s.sched:3"],
        ),
        (
            "add 9",
            "sub 9",
            ["class shop.Till has no method sub", "s.sched:3"],
        ),
        (
            "shop.Till add",
            "shop.Cart add",
            ["there is no class shop.Cart", "s.sched:3"],
        ),
    ] {
        bench.write("s.sched", &LOST.replace(from, to));
        refuses(&instrument(&bench, "classes"), &parts);
    }
}
