//! `java.lang.StrictMath`: the functions that the JDK leaves to its C library.

use crate::fdlibm;
use crate::native::{Entry, Frame, Res, Table, from_double};
use crate::vm::Vm;

pub const TABLE: &[Table] = &[("java/lang/StrictMath", ENTRIES)];

const ENTRIES: &[Entry] = &[
    ("sin(D)D", |vm, f| one(vm, f, fdlibm::sin)),
    ("cos(D)D", |vm, f| one(vm, f, fdlibm::cos)),
    ("tan(D)D", |vm, f| one(vm, f, fdlibm::tan)),
    ("asin(D)D", |vm, f| one(vm, f, fdlibm::asin)),
    ("acos(D)D", |vm, f| one(vm, f, fdlibm::acos)),
    ("atan(D)D", |vm, f| one(vm, f, fdlibm::atan)),
    ("log(D)D", |vm, f| one(vm, f, fdlibm::log)),
    ("log10(D)D", |vm, f| one(vm, f, fdlibm::log10)),
    ("log1p(D)D", |vm, f| one(vm, f, fdlibm::log1p)),
    ("expm1(D)D", |vm, f| one(vm, f, fdlibm::expm1)),
    ("sinh(D)D", |vm, f| one(vm, f, fdlibm::sinh)),
    ("cosh(D)D", |vm, f| one(vm, f, fdlibm::cosh)),
    ("tanh(D)D", |vm, f| one(vm, f, fdlibm::tanh)),
    ("sqrt(D)D", |vm, f| one(vm, f, f64::sqrt)),
    ("atan2(DD)D", |vm, f| two(vm, f, fdlibm::atan2)),
    ("IEEEremainder(DD)D", |vm, f| {
        two(vm, f, fdlibm::ieee_remainder)
    }),
];

fn one(_vm: &mut Vm, f: Frame, function: fn(f64) -> f64) -> Res<u64> {
    Ok(from_double(function(f.double(0))))
}

fn two(_vm: &mut Vm, f: Frame, function: fn(f64, f64) -> f64) -> Res<u64> {
    Ok(from_double(function(f.double(0), f.double(2))))
}
