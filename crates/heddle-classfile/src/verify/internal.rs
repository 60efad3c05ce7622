//! Bytecodes that HotSpot 17 uses internally. In a class file they are illegal,
//! but its verifier notices only when the walk gets there, and names them.

/// In bytes; 0 for what HotSpot does not know either.
pub(super) fn length(op: u8) -> usize {
    match op {
        203..=219 | 226 | 227 | 231 | 233..=235 => 3,
        202 | 220 | 232 | 236 | 238 => 1,
        221..=223 | 225 => 4,
        224 | 230 | 237 => 2,
        _ => 0,
    }
}

pub(super) fn mnemonic(op: u8) -> Option<&'static str> {
    NAMES.get(usize::from(op).checked_sub(202)?).copied()
}

const NAMES: [&str; 37] = [
    "breakpoint",
    "fast_agetfield",
    "fast_bgetfield",
    "fast_cgetfield",
    "fast_dgetfield",
    "fast_fgetfield",
    "fast_igetfield",
    "fast_lgetfield",
    "fast_sgetfield",
    "fast_aputfield",
    "fast_bputfield",
    "fast_zputfield",
    "fast_cputfield",
    "fast_dputfield",
    "fast_fputfield",
    "fast_iputfield",
    "fast_lputfield",
    "fast_sputfield",
    "fast_aload_0",
    "fast_iaccess_0",
    "fast_aaccess_0",
    "fast_faccess_0",
    "fast_iload",
    "fast_iload2",
    "fast_icaload",
    "fast_invokevfinal",
    "fast_linearswitch",
    "fast_binaryswitch",
    "fast_aldc",
    "fast_aldc_w",
    "return_register_finalizer",
    "invokehandle",
    "nofast_getfield",
    "nofast_putfield",
    "nofast_aload_0",
    "nofast_iload",
    "shouldnotreachhere",
];
