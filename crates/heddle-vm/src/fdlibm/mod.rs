//! The elementary functions of `StrictMath`, bit for bit: the algorithms of
//! fdlibm 5.3, which the Java specification prescribes.
//!
//! Every operation must stay as it is written: another order of additions or a
//! fused multiply-add gives other last bits. Left out: what the JDK has in Java
//! (`cbrt`, `hypot`, `pow`; `exp` is here because the hyperbolic functions use it).

// The constants are written as fdlibm publishes them; `(x - x) / (x - x)` is how it
// makes NaN out of an argument.
#![allow(clippy::excessive_precision, clippy::approx_constant, clippy::eq_op)]

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits that `StrictMath` of JDK 17 gives.
    #[test]
    fn as_strict_math() {
        let all = [
            sin(1e22),
            cos(1e300),
            tan(2.5),
            asin(0.7),
            acos(-0.3),
            atan(9.5),
            log(3.7),
            log10(3.7),
            log1p(1e-5),
            expm1(1.3),
            sinh(5.5),
            cosh(5.5),
            tanh(0.4),
            atan2(-1.5, -2.5),
            ieee_remainder(7.5, 2.0),
        ];
        let bits: Vec<String> = all.iter().map(|x| format!("{:x}", x.to_bits())).collect();
        assert_eq!(
            bits.join(" "),
            "bfeb453ab76bf397 bfe2699022adc4c1 bfe7e79b4e00bb15 3fe8d00e692afd95 3ffe0200bbc96ad8 3ff77467e364f601 3ff4eeee650ae550 3fe22eb561ccc100 3ee4f8aea9ae7317 40055ab83615f8b4 405e9602d48d0661 405e9645c9b6718b 3fd8511573c242d6 c004cf33dec5e9e0 bfe0000000000000"
        );
    }
}
