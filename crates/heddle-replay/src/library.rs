//! The Java library that goes with instrumented programs, as `build.rs` compiled it from
//! `runtime/`.

use heddle_classfile::zip;

/// Its class files: path and content. Empty if there was no Java compiler.
pub const CLASSES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The library as a Java agent. The boot loader finds its classes there, so that the JDK's
/// own code can call them.
pub fn agent_jar() -> Vec<u8> {
    let manifest = "Manifest-Version: 1.0\r\n\
                    Premain-Class: heddle.replay.Agent\r\n\
                    Boot-Class-Path: heddle-replay.jar\r\n\
                    Can-Redefine-Classes: true\r\n\
                    Can-Retransform-Classes: true\r\n\r\n";
    let mut entries = vec![("META-INF/MANIFEST.MF", manifest.as_bytes())];
    entries.extend(CLASSES.iter().copied());
    zip::write(&entries)
}
