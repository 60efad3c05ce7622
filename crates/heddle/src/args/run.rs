//! The arguments of `heddle run`, which `check` has, too.

use super::Command;
use super::java::{self, JavaOption, ModuleOption};
use super::values::{assertion, number, size};
use super::words::{Word, Words};
use heddle_vm::options::{Assertions, Main};

/// Arguments of `heddle run`.
#[derive(Clone)]
pub struct RunArgs {
    pub jdk: Option<String>,
    pub class_path: Option<String>,
    /// `--add-opens` and its like: name and value.
    pub module_options: Vec<(ModuleOption, String)>,
    pub preview: bool,
    /// The stack of a thread that asks for none, in bytes (`-Xss`).
    pub stack: Option<usize>,
    pub properties: Vec<(String, String)>,
    /// All options of `java` besides the class path, in order.
    pub given: Vec<String>,
    pub assertions: Assertions,
    pub main: Main,
    pub args: Vec<String>,
    pub heap: Option<u64>,
    pub processors: Option<u32>,
    pub slice: u64,
    pub seed: Option<u64>,
    pub real_time: bool,
    pub rehearse: Option<u64>,
}

impl Default for RunArgs {
    fn default() -> RunArgs {
        RunArgs {
            jdk: None,
            class_path: None,
            module_options: Vec::new(),
            preview: false,
            stack: None,
            properties: Vec::new(),
            given: Vec::new(),
            assertions: Assertions::default(),
            main: Main::Class(String::new()),
            args: Vec::new(),
            heap: None,
            processors: None,
            slice: 20_000,
            seed: None,
            real_time: false,
            rehearse: None,
        }
    }
}

const HELP: &str = "\
heddle run: runs a program once, deterministically, as `java` would.

Usage:
  heddle run [options] -cp PATH Main [args…]
  heddle run [options] -jar FILE [args…]

Options, as in `java`:
  -cp, -classpath, --class-path PATH   directories and jars to search for classes
  -jar FILE                            run the main class that a jar names
  -DNAME=VALUE                         set a system property
  -ea[:…], -da[:…], -esa, -dsa         switch assertions on and off
  --add-opens, --add-exports, --add-reads, --add-modules, --limit-modules
                                       change what modules see of each other
  --enable-preview                     allow class files with preview features
  -XmxSIZE, -XssSIZE                   memory for objects, for the stack of a thread
  -Xms…, -Xint, -XX:…, -server …       for the speed of HotSpot; they change nothing here
  @FILE                                read arguments from a file

Options of Heddle:
  --jdk HOME       the JDK to use (default: $JAVA_HOME, else the one of `java` on the PATH)
  --heap SIZE      most memory for objects, e.g. 512m or 4g (default: half of the machine's)
  --processors N   how many processors the program sees (default: the machine's)
  --slice N        bytecodes before the next thread's turn (default: 20000)
  --seed N         let slices vary at random, from this seed
  --real-time      sleep for real (default: virtual time, a sleep ends at once)
  --rehearse SEED  mark and rewind at random points on the way, and check that the
                   whole state is as before (a test of Heddle itself)

Exit code: that of the program; 1 if all its threads are stuck; 3 if it cannot be run.
";

pub fn parse(words: &[String]) -> Result<Command, String> {
    let mut run = RunArgs::default();
    let mut words = Words::new("run", words);
    while let Some(word) = words.next()? {
        let name = word.name.as_str();
        match name {
            "--help" | "-h" | "-help" | "-?" => return Ok(Command::Help(HELP.into())),
            "-cp" | "-classpath" | "--class-path" => run.class_path = Some(words.value(&word)?),
            "--jdk" => run.jdk = Some(words.value(&word)?),
            "--heap" => run.heap = Some(size(name, &words.value(&word)?)?),
            "--processors" => {
                let count = number(name, &words.value(&word)?, 1)?;
                run.processors = Some(count.min(1 << 16) as u32);
            }
            "--slice" => run.slice = number(name, &words.value(&word)?, 1)?,
            "--seed" => run.seed = Some(number(name, &words.value(&word)?, 0)?),
            "--real-time" => run.real_time = true,
            "--rehearse" => run.rehearse = Some(number(name, &words.value(&word)?, 0)?),
            "-jar" => {
                run.main = Main::Jar(words.value(&word)?);
                run.args = words.rest().to_vec();
                return Ok(Command::Run(run));
            }
            "-esa" | "-enablesystemassertions" => {
                run.assertions.system = true;
                run.given.push(word.whole);
            }
            "-dsa" | "-disablesystemassertions" => {
                run.assertions.system = false;
                run.given.push(word.whole);
            }
            _ if word.whole.starts_with("-D") => {
                run.given.push(word.whole.clone());
                let property = &word.whole[2..];
                let (key, value) = property.split_once('=').unwrap_or((property, ""));
                run.properties.push((key.to_string(), value.to_string()));
            }
            _ if word.whole.starts_with('-') => match assertion(&word.whole) {
                Some(assertion) => {
                    run.assertions.user.push(assertion);
                    run.given.push(word.whole);
                }
                None => run.java_option(&word, &mut words)?,
            },
            _ => {
                run.main = Main::Class(word.whole);
                run.args = words.rest().to_vec();
                return Ok(Command::Run(run));
            }
        }
    }
    Err("name a main class or a jar; try `heddle run --help`".into())
}

impl RunArgs {
    /// Takes an option of `java` for which Heddle has no word of its own.
    fn java_option(&mut self, word: &Word, words: &mut Words) -> Result<(), String> {
        let option = java::option(&word.name)?;
        let module = matches!(option, Some(JavaOption::Module(_)));
        if option.is_some() && !module {
            self.given.push(word.whole.clone());
        }
        match option {
            Some(JavaOption::Heap(size)) => self.heap = Some(size),
            Some(JavaOption::Stack(size)) => self.stack = Some(size),
            Some(JavaOption::Processors(count)) => self.processors = Some(count),
            Some(JavaOption::Preview) => self.preview = true,
            Some(JavaOption::Module(option)) => {
                let value = words.value(word)?;
                self.given.push(format!("{}={value}", word.name));
                self.module_options.push((option, value));
            }
            Some(JavaOption::Tuning) => {}
            Some(JavaOption::Missing) => {
                return Err(format!("Heddle lacks what {} asks for", word.whole));
            }
            None => return words.unknown(word),
        }
        Ok(())
    }
}
