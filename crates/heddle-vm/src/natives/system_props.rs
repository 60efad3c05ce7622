//! jdk.internal.util.SystemProps$Raw: system properties of the VM and the host.
//!
//! The values are those that the `java` of the same JDK shows. Version and vendor
//! are read from the constants of java.lang.VersionProps. Two departures:
//! `java.vm.info` says that code is interpreted, and properties that describe
//! HotSpot's own machinery (its compilers, its compressed references) are absent.

use crate::heap::Ref;
use crate::native::{Frame, Res, Table, from_ref};
use crate::natives::platform::{Locale, users};
use crate::options::Main;
use crate::vm::Vm;

pub const TABLE: &[Table] = &[(
    "jdk/internal/util/SystemProps$Raw",
    &[
        ("vmProperties()[Ljava/lang/String;", vm_properties),
        (
            "platformProperties()[Ljava/lang/String;",
            platform_properties,
        ),
    ],
)];

fn vm_properties(vm: &mut Vm, _: Frame) -> Res<u64> {
    let home = vm.options.java_home.to_string_lossy().into_owned();
    let runtime_version = version_constant(vm, "java_runtime_version")?;
    let specification = version_constant(vm, "VERSION_SPECIFICATION")?;
    let vendor = version_constant(vm, "VENDOR")?;
    let runtime_name = version_constant(vm, "java_runtime_name")?;
    let name = if runtime_name.starts_with("OpenJDK") {
        "OpenJDK 64-Bit Server VM"
    } else {
        "Java HotSpot(TM) 64-Bit Server VM"
    };
    let command = match &vm.options.main {
        Main::Class(name) | Main::Jar(name) => name.clone(),
    };
    let command: Vec<String> = std::iter::once(command)
        .chain(vm.options.args.iter().cloned())
        .collect();
    let mut properties: Vec<(String, String)> = [
        (
            "java.vm.specification.name",
            "Java Virtual Machine Specification",
        ),
        ("java.vm.specification.vendor", "Oracle Corporation"),
        ("java.vm.specification.version", &specification[..]),
        ("java.vm.version", &runtime_version[..]),
        ("java.vm.name", name),
        ("java.vm.vendor", &vendor[..]),
        ("java.vm.info", "interpreted mode"),
        ("jdk.debug", "release"),
        ("sun.boot.library.path", &format!("{home}/lib")),
        ("java.library.path", &library_path(vm, &vendor)),
        ("java.home", &home[..]),
        ("java.class.path", &vm.options.class_path[..]),
        ("sun.java.command", &command.join(" ")),
        ("sun.java.launcher", "SUN_STANDARD"),
    ]
    .map(|(key, value)| (key.to_string(), value.to_string()))
    .into();
    properties.extend(vm.options.properties.iter().cloned());
    let mut strings = Vec::new();
    for (key, value) in properties {
        strings.push(vm.new_string(&key)?);
        strings.push(vm.new_string(&value)?);
    }
    vm.new_ref_array(vm.known.string, &strings).map(from_ref)
}

/// A string constant of java.lang.VersionProps.
fn version_constant(vm: &mut Vm, field: &str) -> Res<String> {
    let class = vm.load_boot("java/lang/VersionProps")?;
    let name = vm.symbol(field);
    let file = class.file.as_ref();
    let found = class.fields.iter().find(|f| f.name == name);
    let text = file.zip(found).and_then(|(file, field)| {
        let index = file.fields.get(field.index as usize)?.constant_value?;
        match file.pool.get(index) {
            heddle_classfile::Constant::String { utf8 } => {
                Some(String::from_utf8_lossy(file.pool.utf8(utf8)).into_owned())
            }
            _ => None,
        }
    });
    Ok(text.unwrap_or_default())
}

/// Where HotSpot looks for native libraries; Debian and Ubuntu build in paths of theirs.
fn library_path(vm: &Vm, vendor: &str) -> String {
    let cpu = std::env::consts::ARCH;
    let tail = if matches!(vendor, "Debian" | "Ubuntu") {
        format!(
            "/usr/java/packages/lib:/usr/lib/{cpu}-linux-gnu/jni:/lib/{cpu}-linux-gnu:/usr/lib/{cpu}-linux-gnu:/usr/lib/jni:/lib:/usr/lib"
        )
    } else {
        "/usr/java/packages/lib:/usr/lib64:/lib64:/lib:/usr/lib".to_string()
    };
    match vm
        .environment("LD_LIBRARY_PATH")
        .filter(|path| !path.is_empty())
    {
        Some(path) => format!("{path}:{tail}"),
        None => tail,
    }
}

fn platform_properties(vm: &mut Vm, _: Frame) -> Res<u64> {
    let raw = vm.load_boot("jdk/internal/util/SystemProps$Raw")?;
    let format = vm.locale("LC_CTYPE");
    let display = vm.locale("LC_MESSAGES");
    let encoding = format.encoding.clone();
    let uid = rustix::process::getuid().as_raw();
    let user = users().find(|user| user.id == uid);
    let home = user
        .as_ref()
        .map(|u| u.home.clone())
        .filter(|home| home.len() >= 3);
    let home = home.or_else(|| vm.environment("HOME").map(str::to_string));
    let system = rustix::system::uname();
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        other => other,
    };
    let tty = |yes: bool| yes.then(|| encoding.clone());
    use std::io::IsTerminal;
    let some = |text: &str| Some(text.to_string());
    let mut values = vec![
        ("_file_encoding_NDX", Some(encoding.clone())),
        ("_sun_jnu_encoding_NDX", Some(encoding.clone())),
        (
            "_sun_stdout_encoding_NDX",
            tty(std::io::stdout().is_terminal()),
        ),
        (
            "_sun_stderr_encoding_NDX",
            tty(std::io::stderr().is_terminal()),
        ),
        ("_file_separator_NDX", some("/")),
        ("_path_separator_NDX", some(":")),
        ("_line_separator_NDX", some("\n")),
        ("_java_io_tmpdir_NDX", some("/tmp")),
        ("_os_name_NDX", some(&system.sysname().to_string_lossy())),
        ("_os_version_NDX", some(&system.release().to_string_lossy())),
        ("_os_arch_NDX", some(arch)),
        ("_sun_arch_data_model_NDX", some("64")),
        ("_sun_cpu_endian_NDX", some("little")),
        ("_sun_io_unicode_encoding_NDX", some("UnicodeLittle")),
        (
            "_user_dir_NDX",
            some(&vm.options.directory.to_string_lossy()),
        ),
        ("_user_home_NDX", home.or(some("?"))),
        (
            "_user_name_NDX",
            Some(user.map_or("?".to_string(), |user| user.name)),
        ),
    ];
    let names = [
        [
            "_format_language_NDX",
            "_format_script_NDX",
            "_format_country_NDX",
            "_format_variant_NDX",
        ],
        [
            "_display_language_NDX",
            "_display_script_NDX",
            "_display_country_NDX",
            "_display_variant_NDX",
        ],
    ];
    for (names, locale) in names.into_iter().zip([format, display]) {
        let Locale {
            language,
            script,
            country,
            variant,
            ..
        } = locale;
        values.extend(
            names
                .into_iter()
                .zip([Some(language), script, country, variant]),
        );
    }
    // The positions are constants of the class, different from release to release.
    let count = position(vm, raw, "FIXED_LENGTH").unwrap_or(0);
    let mut strings = vec![Ref::NULL; count];
    for (name, value) in values {
        let (Some(at), Some(value)) = (position(vm, raw, name), value) else {
            continue;
        };
        strings[at] = vm.new_string(&value)?;
    }
    vm.new_ref_array(vm.known.string, &strings).map(from_ref)
}

fn position(vm: &mut Vm, raw: crate::class::ClassPtr, name: &str) -> Option<usize> {
    let symbol = vm.symbol(name);
    let field = raw.fields.iter().find(|f| f.name == symbol)?;
    let file = raw.file.as_ref()?;
    let index = file.fields.get(field.index as usize)?.constant_value?;
    match file.pool.get(index) {
        heddle_classfile::Constant::Integer(value) => Some(value as usize),
        _ => None,
    }
}
