//! Small natives that ask the host or the VM for one fact: java.io.Console,
//! java.util.TimeZone, jdk.internal.jimage.NativeImageBuffer, the initializers of
//! java.net, and java.io.ObjectStreamClass.
//!
//! Sockets are left out: their natives are missing and therefore reported by name.

use crate::class::InitState;
use crate::heap::Ref;
use crate::native::{Frame, Res, Table, call, from_bool, from_int, from_ref, throw_null};
use crate::vm::Vm;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

pub const TABLE: &[Table] = &[
    (
        "java/io/Console",
        &[
            ("encoding()Ljava/lang/String;", |_, _| {
                Ok(from_ref(Ref::NULL))
            }),
            ("ttyStatus()I", tty_status),
            ("istty()Z", is_tty),
        ],
    ),
    (
        "java/io/ObjectStreamClass",
        &[
            ("initNative()V", |_, _| Ok(0)),
            (
                "hasStaticInitializer(Ljava/lang/Class;)Z",
                has_static_initializer,
            ),
        ],
    ),
    (
        "java/util/TimeZone",
        &[
            (
                "getSystemTimeZoneID(Ljava/lang/String;)Ljava/lang/String;",
                time_zone,
            ),
            ("getSystemGMTOffsetID()Ljava/lang/String;", gmt_offset),
        ],
    ),
    (
        "jdk/internal/jimage/NativeImageBuffer",
        &[(
            "getNativeMap(Ljava/lang/String;)Ljava/nio/ByteBuffer;",
            native_map,
        )],
    ),
    ("java/net/InetAddress", &[("init()V", |_, _| Ok(0))]),
    ("java/net/Inet4Address", &[("init()V", |_, _| Ok(0))]),
    ("java/net/Inet6Address", &[("init()V", |_, _| Ok(0))]),
    ("java/net/NetworkInterface", &[("init()V", |_, _| Ok(0))]),
    ("java/net/DatagramPacket", &[("init()V", |_, _| Ok(0))]),
    (
        "java/net/InetAddressImplFactory",
        &[("isIPv6Supported()Z", |_, _| {
            Ok(from_bool(Path::new("/proc/net/if_inet6").exists()))
        })],
    ),
];

fn tty_status(_: &mut Vm, _: Frame) -> Res<u64> {
    let bits = std::io::stdin().is_terminal() as i32
        | (std::io::stdout().is_terminal() as i32) << 1
        | (std::io::stderr().is_terminal() as i32) << 2;
    Ok(from_int(bits))
}

fn is_tty(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(from_bool(
        std::io::stdin().is_terminal() && std::io::stdout().is_terminal(),
    ))
}

fn has_static_initializer(vm: &mut Vm, f: Frame) -> Res<u64> {
    let mirror = f.reference(0);
    if mirror.is_null() {
        return throw_null();
    }
    let class = vm.mirrored(mirror);
    let (name, desc) = (vm.symbol("<clinit>"), vm.symbol("()V"));
    Ok(from_bool(class.declared(name, desc).is_some()))
}

// ---- time zones -------------------------------------------------------------------

const LOCAL_TIME: &str = "/etc/localtime";
const ZONES: &str = "/usr/share/zoneinfo";

fn time_zone(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.reference(0).is_null() {
        return Ok(from_ref(Ref::NULL));
    }
    let variable = vm
        .environment("TZ")
        .filter(|tz| !tz.is_empty())
        .map(str::to_string);
    let Some(mut zone) = variable.or_else(system_zone) else {
        return Ok(from_ref(Ref::NULL));
    };
    for prefix in [":", "posix/"] {
        if let Some(rest) = zone.strip_prefix(prefix) {
            zone = rest.to_string();
        }
    }
    vm.new_string(&zone).map(from_ref)
}

/// The zone that `/etc/localtime` is a link to or a copy of.
fn system_zone() -> Option<String> {
    let path = Path::new(LOCAL_TIME);
    if let Ok(target) = std::fs::read_link(path) {
        return zone_name(&target.to_string_lossy());
    }
    let wanted = std::fs::read(path).ok()?;
    let found = find_copy(Path::new(ZONES), &wanted)?;
    zone_name(&found.to_string_lossy())
}

fn zone_name(path: &str) -> Option<String> {
    let start = path.find("zoneinfo/")? + "zoneinfo/".len();
    Some(path[start..].to_string())
}

fn find_copy(dir: &Path, wanted: &[u8]) -> Option<PathBuf> {
    for entry in std::fs::read_dir(dir).ok()?.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || matches!(&name[..], "ROC" | "posixrules" | "localtime") {
            continue;
        }
        let Ok(meta) = std::fs::metadata(&path) else {
            continue;
        };
        if meta.is_dir() {
            if let Some(found) = find_copy(&path, wanted) {
                return Some(found);
            }
        } else if meta.len() == wanted.len() as u64
            && std::fs::read(&path).is_ok_and(|content| content == wanted)
        {
            return Some(path);
        }
    }
    None
}

/// The offset of a `TZ` in POSIX form (`XYZ3:30`), where no zone has that name.
fn gmt_offset(vm: &mut Vm, _: Frame) -> Res<u64> {
    let zone = vm.environment("TZ").unwrap_or("").to_string();
    let text = posix_offset(&zone).unwrap_or_else(|| "GMT".to_string());
    vm.new_string(&text).map(from_ref)
}

fn posix_offset(zone: &str) -> Option<String> {
    let rest = zone.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let (west, digits) = match rest.strip_prefix('-') {
        Some(digits) => (false, digits),
        None => (true, rest.strip_prefix('+').unwrap_or(rest)),
    };
    let end = digits
        .find(|c: char| !c.is_ascii_digit() && c != ':')
        .unwrap_or(digits.len());
    let mut parts = digits[..end].split(':');
    let hours: u32 = parts.next()?.parse().ok()?;
    let minutes: u32 = parts.next().map_or(Some(0), |m| m.parse().ok())?;
    if hours == 0 && minutes == 0 {
        return None;
    }
    Some(format!(
        "GMT{}{hours:02}:{minutes:02}",
        if west { '-' } else { '+' }
    ))
}

// ---- the JDK's image --------------------------------------------------------------

/// The image as a direct buffer. Only the VM's own image is known, as in HotSpot.
fn native_map(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() == 1 {
        return Ok(f.slot(0));
    }
    let name = f.reference(0);
    if name.is_null() {
        return throw_null();
    }
    let path = vm.options.java_home.join("lib/modules");
    let asked = PathBuf::from(vm.string(name));
    let same = asked == path || asked.canonicalize().ok() == path.canonicalize().ok();
    let Some((address, len)) = same.then(|| vm.heap.map_file(&path).ok()).flatten() else {
        return Ok(from_ref(Ref::NULL));
    };
    let class = vm.load_boot("java/nio/DirectByteBuffer")?;
    if class.state.get() != InitState::Initialized {
        vm.ensure_initialized(class)?;
    }
    let (init, narrow, wide) = (vm.symbol("<init>"), vm.symbol("(JI)V"), vm.symbol("(JJ)V"));
    let constructor = class
        .declared(init, narrow)
        .or_else(|| class.declared(init, wide));
    let Some(constructor) = constructor else {
        return Ok(from_ref(Ref::NULL));
    };
    let buffer = vm.new_object(class)?;
    f.set_slot(0, from_ref(buffer));
    f.set_phase(1);
    let mut args = vec![from_ref(buffer), address, 0, len];
    if constructor.desc == wide {
        args.push(0);
    }
    call(constructor, args)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posix_zones_count_westwards() {
        assert_eq!(posix_offset("XYZ3:30").as_deref(), Some("GMT-03:30"));
        assert_eq!(posix_offset("ABC-5").as_deref(), Some("GMT+05:00"));
        assert_eq!(posix_offset("UTC"), None);
        assert_eq!(
            zone_name("/usr/share/zoneinfo/Europe/Zurich").as_deref(),
            Some("Europe/Zurich")
        );
    }
}
