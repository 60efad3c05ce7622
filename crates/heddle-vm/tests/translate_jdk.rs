//! Every method of `java.base` translates into well-formed code, and damaged
//! ones never make the translator panic.

mod common;

use heddle_vm::translate::Translator;

#[test]
fn all_of_java_base() {
    let mut translator = Translator::new();
    let mut methods = 0;
    for class in common::classes("java.base") {
        for method in class.methods.iter().filter(|m| m.code.is_some()) {
            let place = || {
                let name = class.pool.utf8(method.name);
                format!(
                    "{}.{}",
                    String::from_utf8_lossy(class.name()),
                    String::from_utf8_lossy(name)
                )
            };
            match translator.translate(&class, method, heddle_vm::places::Watched::Nothing) {
                Ok(body) => {
                    if let Err(defect) = common::check(&body) {
                        panic!("{}: {defect}", place());
                    }
                }
                Err(error) => panic!("{}: {error}", place()),
            }
            methods += 1;
        }
    }
    assert!(methods > 10_000, "only {methods} methods");
}

/// Bytes of code are overwritten at random, by bytes of code as often as not.
#[test]
fn damaged_code_never_panics() {
    // SEED=n tries others.
    let seed: u64 = std::env::var("SEED").map_or(1, |n| n.parse().expect("a number"));
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut random = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % n
    };
    let mut translator = Translator::new();
    let (mut good, mut bad) = (0, 0);
    for class in common::classes("java.base").iter().step_by(3) {
        let mut bytes = class.bytes().to_vec();
        for code in class.methods.iter().filter_map(|m| m.code.as_ref()) {
            let range = code.bytes.range();
            for _ in 0..1 + range.len() / 40 {
                let at = range.start + random(range.len());
                bytes[at] = if random(2) == 0 {
                    bytes[range.start + random(range.len())]
                } else {
                    random(202) as u8
                };
            }
        }
        let Some(damaged) = common::try_parse(bytes) else {
            continue;
        };
        for method in damaged.methods.iter().filter(|m| m.code.is_some()) {
            match translator.translate(&damaged, method, heddle_vm::places::Watched::Nothing) {
                Ok(body) => {
                    good += 1;
                    if let Err(defect) = common::check(&body) {
                        let name = String::from_utf8_lossy(damaged.pool.utf8(method.name));
                        panic!("{name}: {defect}");
                    }
                }
                Err(_) => bad += 1,
            }
        }
    }
    assert!(good > 500 && bad > 500, "{good} good, {bad} bad");
}
