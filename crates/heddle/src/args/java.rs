//! Options of `java` and of HotSpot that users have in their scripts: what each means here.

use super::values::{size, size_of_stack};

/// What an option of `java` means.
pub enum JavaOption {
    /// `-Xmx`: bytes.
    Heap(u64),
    /// `-Xss`: bytes.
    Stack(usize),
    Processors(u32),
    /// `--enable-preview`.
    Preview,
    /// Changes the module graph; has a value.
    Module(ModuleOption),
    /// Makes HotSpot faster or slower, and nothing else.
    Tuning,
    /// Known, and not there.
    Missing,
}

/// Options that change the module graph. The JDK's own start reads them as properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleOption {
    AddOpens,
    AddExports,
    AddReads,
    AddModules,
    LimitModules,
}

impl ModuleOption {
    const ALL: [ModuleOption; 5] = [
        ModuleOption::AddOpens,
        ModuleOption::AddExports,
        ModuleOption::AddReads,
        ModuleOption::AddModules,
        ModuleOption::LimitModules,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ModuleOption::AddOpens => "--add-opens",
            ModuleOption::AddExports => "--add-exports",
            ModuleOption::AddReads => "--add-reads",
            ModuleOption::AddModules => "--add-modules",
            ModuleOption::LimitModules => "--limit-modules",
        }
    }

    /// The property by which the launcher hands the `number`th such option on.
    pub fn property(self, number: usize) -> String {
        match self {
            ModuleOption::AddOpens => format!("jdk.module.addopens.{number}"),
            ModuleOption::AddExports => format!("jdk.module.addexports.{number}"),
            ModuleOption::AddReads => format!("jdk.module.addreads.{number}"),
            ModuleOption::AddModules => format!("jdk.module.addmods.{number}"),
            ModuleOption::LimitModules => "jdk.module.limitmods".into(),
        }
    }
}

/// Options that only concern how fast HotSpot is; those that end in `:` have more behind it.
const TUNING: [&str; 10] = [
    "-Xms", "-Xmn", "-Xint", "-Xcomp", "-Xmixed", "-Xbatch", "-Xshare:", "-XX:", "-server",
    "-client",
];

/// Options that ask for a part that Heddle does not have.
const MISSING: [&str; 12] = [
    "-javaagent:",
    "-agentlib:",
    "-agentpath:",
    "-m",
    "--module",
    "-p",
    "--module-path",
    "--patch-module",
    "--upgrade-module-path",
    "-Xbootclasspath",
    "-verbose",
    "-Xlog",
];

/// The meaning of an option (what stands before `=`, for the long ones), if `java` has it
/// and Heddle has no word of its own for it.
pub fn option(name: &str) -> Result<Option<JavaOption>, String> {
    if let Some(text) = name.strip_prefix("-Xmx") {
        return Ok(Some(JavaOption::Heap(size("-Xmx", text)?)));
    }
    if let Some(text) = name.strip_prefix("-Xss") {
        return Ok(Some(JavaOption::Stack(size_of_stack("-Xss", text)?)));
    }
    if let Some(text) = name.strip_prefix("-XX:ActiveProcessorCount=") {
        let count = text.parse().ok().filter(|&n| n > 0);
        let count = count.ok_or(format!("{name}: a number of processors is expected"))?;
        return Ok(Some(JavaOption::Processors(count)));
    }
    let begins = |known: &&str| match known.strip_suffix(':') {
        Some(_) => name.starts_with(*known),
        None => name == *known || (known.starts_with("-X") && name.starts_with(*known)),
    };
    let module = ModuleOption::ALL.into_iter().find(|o| o.name() == name);
    Ok(match module {
        Some(module) => Some(JavaOption::Module(module)),
        None if name == "--enable-preview" => Some(JavaOption::Preview),
        None if MISSING.iter().any(begins) || name.starts_with("-verbose:") => {
            Some(JavaOption::Missing)
        }
        None if TUNING.iter().any(begins) => Some(JavaOption::Tuning),
        None => None,
    })
}
