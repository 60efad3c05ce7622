//! `java.lang.Math`: functions that HotSpot replaces by code of its own. They are not
//! native in the library; entries here take their place (see `load.rs`).

use crate::elementary;
use crate::native::{Entry, Frame, Res, Table, from_double};
use crate::vm::Vm;

pub const TABLE: &[Table] = &[("java/lang/Math", ENTRIES)];

const ENTRIES: &[Entry] = &[
    ("sin(D)D", |vm, f| one(vm, f, elementary::sin)),
    ("cos(D)D", |vm, f| one(vm, f, elementary::cos)),
    ("tan(D)D", |vm, f| one(vm, f, elementary::tan)),
    ("exp(D)D", |vm, f| one(vm, f, elementary::exp)),
    ("log(D)D", |vm, f| one(vm, f, elementary::log)),
    ("log10(D)D", |vm, f| one(vm, f, elementary::log10)),
    ("pow(DD)D", power),
];

fn one(_vm: &mut Vm, f: Frame, function: fn(f64) -> f64) -> Res<u64> {
    Ok(from_double(function(f.double(0))))
}

fn power(_vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(from_double(elementary::pow(f.double(0), f.double(2))))
}
