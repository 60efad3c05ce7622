//! Fills the folder given as argument with the smaller classes of java.base.

#[path = "../../crates/heddle-classfile/tests/common/jdk.rs"]
mod jdk;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder for the seeds");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let small = jdk::classes(&jdk::image())
        .into_iter()
        .filter(|c| c.0 == "java.base" && c.2.len() < 700)
        .step_by(3);
    for (i, (_, _, bytes)) in small.enumerate() {
        let path = std::path::Path::new(&folder).join(format!("{i}.class"));
        std::fs::write(path, bytes).expect("the folder can be written to");
    }
}
