//! The elementary functions of `StrictMath`, bit for bit: the algorithms of
//! fdlibm 5.3, which the Java specification prescribes.
//!
//! Every operation must stay as it is written: another order of additions or a
//! fused multiply-add gives other last bits. Left out: what the JDK has in Java
//! (`cbrt`, `hypot`, `pow`; `exp` is here because the hyperbolic functions use it).

mod exponential;
pub mod reduce;
mod trigonometric;

pub use exponential::{cosh, exp, expm1, log, log1p, log10, sinh, tanh};
pub use trigonometric::{acos, asin, atan, atan2, cos, sin, tan};

/// The upper half of a double's bits.
fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

/// The lower half.
fn low(x: f64) -> u32 {
    x.to_bits() as u32
}

fn with_high(x: f64, high: i32) -> f64 {
    f64::from_bits((high as u32 as u64) << 32 | x.to_bits() & 0xffff_ffff)
}

/// Without the lower half of the bits.
fn without_low(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !0xffff_ffff)
}

/// IEEE remainder: `x - n * p` for the integer `n` nearest to `x / p`, ties to even.
pub fn ieee_remainder(x: f64, p: f64) -> f64 {
    if p == 0.0 || !x.is_finite() || p.is_nan() {
        return (x * p) / (x * p);
    }
    let negative = x.is_sign_negative();
    let p = p.abs();
    let mut r = x;
    if high(p) <= 0x7fdf_ffff {
        r %= p + p;
    }
    if r.abs() == p {
        return 0.0 * x;
    }
    r = r.abs();
    if high(p) < 0x0020_0000 {
        if r + r > p {
            r -= p;
            if r + r >= p {
                r -= p;
            }
        }
    } else {
        let half = 0.5 * p;
        if r > half {
            r -= p;
            if r >= half {
                r -= p;
            }
        }
    }
    if negative { -r } else { r }
}
