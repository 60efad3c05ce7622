//! Small classes of `jdk.internal.misc` and `jdk.internal.vm`: `VM`, `CDS`,
//! `VMSupport`, and `jdk.internal.perf.Perf`.
//!
//! There is no shared archive of classes; performance counters are plain memory
//! that nobody reads.

use crate::native::{Frame, Res, Table, call, from_bool, from_ref, throw_null};
use crate::natives::class::nothing;
use crate::natives::module::is_platform_loader;
use crate::vm::Vm;

pub const TABLE: &[Table] = &[
    (
        "jdk/internal/misc/VM",
        &[
            ("initialize()V", nothing),
            (
                "latestUserDefinedLoader0()Ljava/lang/ClassLoader;",
                latest_user_loader,
            ),
            ("getNanoTimeAdjustment(J)J", nano_time_adjustment),
            (
                "getRuntimeArguments()[Ljava/lang/String;",
                runtime_arguments,
            ),
        ],
    ),
    (
        "jdk/internal/misc/CDS",
        &[
            ("isDumpingClassList0()Z", no),
            ("isDumpingArchive0()Z", no),
            ("isSharingEnabled0()Z", no),
            ("getRandomSeedForDumping()J", no),
            ("initializeFromArchive(Ljava/lang/Class;)V", nothing),
            ("logLambdaFormInvoker(Ljava/lang/String;)V", nothing),
        ],
    ),
    (
        "jdk/internal/vm/VMSupport",
        &[(
            "getVMTemporaryDirectory()Ljava/lang/String;",
            temporary_directory,
        )],
    ),
    (
        "jdk/internal/perf/Perf",
        &[
            ("registerNatives()V", nothing),
            (
                "createLong(Ljava/lang/String;IIJ)Ljava/nio/ByteBuffer;",
                create_long,
            ),
            ("highResCounter()J", high_res_counter),
            ("highResFrequency()J", high_res_frequency),
        ],
    ),
];

fn no(_vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(from_bool(false))
}

/// The loader of the innermost frame that is neither the boot nor the platform loader's.
fn latest_user_loader(vm: &mut Vm, _f: Frame) -> Res<u64> {
    for frame in vm.java_frames(vm.current) {
        let class = frame.method.class;
        // Accessors that reflection generated have loaders of their own.
        if class.loader.is_null() || vm.is_accessor(class) {
            continue;
        }
        if !is_platform_loader(vm, class.loader) {
            return Ok(from_ref(class.loader));
        }
    }
    Ok(0)
}

/// Nanoseconds from a number of seconds since 1970 to now; -1 if that is too far away.
fn nano_time_adjustment(vm: &mut Vm, f: Frame) -> Res<u64> {
    const FAR: i64 = 0x1_0000_0000;
    let now = vm.options.start_millis as i128 * 1_000_000 + vm.now_nanos() as i128;
    let (seconds, nanos) = ((now / 1_000_000_000) as i64, (now % 1_000_000_000) as i64);
    let difference = seconds.wrapping_sub(f.long(0));
    if !(-FAR..=FAR).contains(&difference) {
        return Ok(-1i64 as u64);
    }
    Ok((difference * 1_000_000_000 + nanos) as u64)
}

pub fn runtime_arguments(vm: &mut Vm, _f: Frame) -> Res<u64> {
    let mut strings = Vec::new();
    for text in vm.options.given.clone() {
        strings.push(vm.new_string(&text)?);
    }
    Ok(from_ref(vm.new_ref_array(vm.known.string, &strings)?))
}

fn temporary_directory(vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(from_ref(vm.new_string("/tmp")?))
}

/// A counter: a buffer of eight bytes that belongs to its user alone.
fn create_long(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() == 1 {
        return Ok(from_ref(f.result_ref()));
    }
    if f.reference(1).is_null() {
        return throw_null();
    }
    let class = vm.load_boot("java/nio/ByteBuffer")?;
    vm.ensure_initialized(class)?;
    let bytes = vm.new_byte_array(&f.long(4).to_ne_bytes())?;
    let wrap = vm.method(class, "wrap", "([B)Ljava/nio/ByteBuffer;");
    f.set_phase(1);
    call(wrap, vec![from_ref(bytes)])
}

fn high_res_counter(vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(vm.now_nanos())
}

fn high_res_frequency(_vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(1_000_000_000)
}
