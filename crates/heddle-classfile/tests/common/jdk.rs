//! The user's JDK and its classes.

#![allow(dead_code)]

use heddle_classfile::jimage::Image;
use std::path::PathBuf;

/// The home of the JDK: `JAVA_HOME`, else the one `java` on the path belongs to.
pub fn jdk_home() -> PathBuf {
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return PathBuf::from(home);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|dir| dir.join("java"))
        .find_map(|java| java.canonicalize().ok())
        .and_then(|java| Some(java.parent()?.parent()?.to_owned()))
        .expect("a JDK: set JAVA_HOME or put java on the PATH")
}

/// Its image, read into memory and never freed.
pub fn image() -> Image {
    let path = jdk_home().join("lib").join("modules");
    let data = std::fs::read(&path).expect("the JDK's lib/modules can be read");
    Image::open(Vec::leak(data)).expect("lib/modules is an image")
}

/// Module, path below it and contents of every class file, sorted.
pub fn classes(image: &Image) -> Vec<(&'static str, String, &'static [u8])> {
    let mut classes: Vec<_> = image
        .locations()
        .filter(|l| l.extension == "class" && l.base != "module-info")
        .map(|l| {
            let bytes = image.content(&l).expect("not compressed");
            (l.module, l.name(), bytes.expect("inside the file"))
        })
        .collect();
    classes.sort();
    classes
}
