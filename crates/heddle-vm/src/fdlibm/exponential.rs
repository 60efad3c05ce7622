//! Exponentials, logarithms and the hyperbolic functions.

use super::{high, low, with_high};

const LN2_HI: f64 = 6.93147180369123816490e-01;
const LN2_LO: f64 = 1.90821492927058770002e-10;
const INV_LN2: f64 = 1.44269504088896338700e+00;
const TWO54: f64 = 18_014_398_509_481_984.0;
/// Above it, e^x overflows; below it, it is zero.
const OVERFLOW: f64 = 7.09782712893383973096e+02;
const UNDERFLOW: f64 = -7.45133219101941108420e+02;

/// Coefficients of the logarithm's series.
const LG: [f64; 7] = [
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
];

/// Multiplies by 2^k through the exponent bits.
fn scale_high(y: f64, k: i32) -> f64 {
    with_high(y, high(y).wrapping_add(k << 20))
}

pub fn exp(x: f64) -> f64 {
    const P1: f64 = 1.66666666666666019037e-01;
    const P2: f64 = -2.77777777770155933842e-03;
    const P3: f64 = 6.61375632143793436117e-05;
    const P4: f64 = -1.65339022054652515390e-06;
    const P5: f64 = 4.13813679705723846039e-08;
    const TWOM1000: f64 = f64::from_bits((1023 - 1000) << 52);
    let negative = high(x) < 0;
    let hx = high(x) & 0x7fff_ffff;
    if hx >= 0x4086_2e42 {
        if hx >= 0x7ff0_0000 {
            if x.is_nan() {
                return x + x;
            }
            return if negative { 0.0 } else { x };
        }
        if x > OVERFLOW {
            return f64::INFINITY;
        }
        if x < UNDERFLOW {
            return 0.0;
        }
    }
    let (mut x, mut hi, mut lo, mut k) = (x, 0.0, 0.0, 0);
    if hx > 0x3fd6_2e42 {
        if hx < 0x3ff0_a2b2 {
            (hi, lo, k) = if negative {
                (x + LN2_HI, -LN2_LO, -1)
            } else {
                (x - LN2_HI, LN2_LO, 1)
            };
        } else {
            k = (INV_LN2 * x + if negative { -0.5 } else { 0.5 }) as i32;
            let t = k as f64;
            hi = x - t * LN2_HI;
            lo = t * LN2_LO;
        }
        x = hi - lo;
    } else if hx < 0x3e30_0000 {
        return 1.0 + x;
    }
    let t = x * x;
    let c = x - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
    if k == 0 {
        return 1.0 - ((x * c) / (c - 2.0) - x);
    }
    let y = 1.0 - ((lo - (x * c) / (2.0 - c)) - hi);
    if k >= -1021 {
        scale_high(y, k)
    } else {
        scale_high(y, k + 1000) * TWOM1000
    }
}

pub fn expm1(x: f64) -> f64 {
    const Q1: f64 = -3.33333333333331316428e-02;
    const Q2: f64 = 1.58730158725481460165e-03;
    const Q3: f64 = -7.93650757867487942473e-05;
    const Q4: f64 = 4.00821782732936239552e-06;
    const Q5: f64 = -2.01099218183624371326e-07;
    let negative = high(x) < 0;
    let hx = high(x) & 0x7fff_ffff;
    if hx >= 0x4043_687a {
        if hx >= 0x4086_2e42 {
            if hx >= 0x7ff0_0000 {
                if x.is_nan() {
                    return x + x;
                }
                return if negative { -1.0 } else { x };
            }
            if x > OVERFLOW {
                return f64::INFINITY;
            }
        }
        if negative {
            return -1.0;
        }
    }
    let (mut x, mut c, mut k) = (x, 0.0, 0);
    if hx > 0x3fd6_2e42 {
        let (hi, lo);
        if hx < 0x3ff0_a2b2 {
            (hi, lo, k) = if negative {
                (x + LN2_HI, -LN2_LO, -1)
            } else {
                (x - LN2_HI, LN2_LO, 1)
            };
        } else {
            k = (INV_LN2 * x + if negative { -0.5 } else { 0.5 }) as i32;
            let t = k as f64;
            hi = x - t * LN2_HI;
            lo = t * LN2_LO;
        }
        x = hi - lo;
        c = (hi - x) - lo;
    } else if hx < 0x3c90_0000 {
        return x;
    }
    let hfx = 0.5 * x;
    let hxs = x * hfx;
    let r1 = 1.0 + hxs * (Q1 + hxs * (Q2 + hxs * (Q3 + hxs * (Q4 + hxs * Q5))));
    let t = 3.0 - r1 * hfx;
    let mut e = hxs * ((r1 - t) / (6.0 - x * t));
    if k == 0 {
        return x - (x * e - hxs);
    }
    e = x * (e - c) - c;
    e -= hxs;
    if k == -1 {
        return 0.5 * (x - e) - 0.5;
    }
    if k == 1 {
        return if x < -0.25 {
            -2.0 * (e - (x + 0.5))
        } else {
            1.0 + 2.0 * (x - e)
        };
    }
    if k <= -2 || k > 56 {
        return scale_high(1.0 - (e - x), k) - 1.0;
    }
    if k < 20 {
        let t = with_high(1.0, 0x3ff0_0000 - (0x20_0000 >> k));
        return scale_high(t - (e - x), k);
    }
    let t = with_high(1.0, (0x3ff - k) << 20);
    let y = (x - (e + t)) + 1.0;
    scale_high(y, k)
}

/// Zero, negative and subnormal arguments of a logarithm: the result, or the argument
/// made normal and the exponent taken off it.
fn log_start(x: f64) -> Result<(f64, i32), f64> {
    if high(x) < 0x0010_0000 {
        if x == 0.0 {
            return Err(f64::NEG_INFINITY);
        }
        if high(x) < 0 {
            return Err(f64::NAN);
        }
        return Ok((x * TWO54, -54));
    }
    if high(x) >= 0x7ff0_0000 {
        return Err(x + x);
    }
    Ok((x, 0))
}

pub fn log(x: f64) -> f64 {
    let (x, mut k) = match log_start(x) {
        Ok(start) => start,
        Err(result) => return result,
    };
    let mut hx = high(x);
    k += (hx >> 20) - 1023;
    hx &= 0x000f_ffff;
    let i = (hx + 0x9_5f64) & 0x10_0000;
    let x = with_high(x, hx | (i ^ 0x3ff0_0000));
    k += i >> 20;
    let f = x - 1.0;
    let dk = k as f64;
    if 0x000f_ffff & (2 + hx) < 3 {
        if f == 0.0 {
            return if k == 0 {
                0.0
            } else {
                dk * LN2_HI + dk * LN2_LO
            };
        }
        let r = f * f * (0.5 - 0.33333333333333333 * f);
        return if k == 0 {
            f - r
        } else {
            dk * LN2_HI - ((r - dk * LN2_LO) - f)
        };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * (LG[1] + w * (LG[3] + w * LG[5]));
    let t2 = z * (LG[0] + w * (LG[2] + w * (LG[4] + w * LG[6])));
    let r = t2 + t1;
    if (hx - 0x6_147a) | (0x6_b851 - hx) > 0 {
        let hfsq = 0.5 * f * f;
        if k == 0 {
            return f - (hfsq - s * (hfsq + r));
        }
        return dk * LN2_HI - ((hfsq - (s * (hfsq + r) + dk * LN2_LO)) - f);
    }
    if k == 0 {
        return f - s * (f - r);
    }
    dk * LN2_HI - ((s * (f - r) - dk * LN2_LO) - f)
}

pub fn log10(x: f64) -> f64 {
    const INV_LN10: f64 = 4.34294481903251816668e-01;
    const LOG10_2_HI: f64 = 3.01029995663611771306e-01;
    const LOG10_2_LO: f64 = 3.69423907715893078616e-13;
    let (x, mut k) = match log_start(x) {
        Ok(start) => start,
        Err(result) => return result,
    };
    let hx = high(x);
    k += (hx >> 20) - 1023;
    let i = (k < 0) as i32;
    let x = with_high(x, (hx & 0x000f_ffff) | ((0x3ff - i) << 20));
    let y = (k + i) as f64;
    let z = y * LOG10_2_LO + INV_LN10 * log(x);
    z + y * LOG10_2_HI
}

pub fn log1p(x: f64) -> f64 {
    let hx = high(x);
    let ax = hx & 0x7fff_ffff;
    let (mut k, mut f, mut hu, mut c) = (1, 0.0, 1, 0.0);
    if hx < 0x3fda_827a {
        if ax >= 0x3ff0_0000 {
            if x == -1.0 {
                return f64::NEG_INFINITY;
            }
            return (x - x) / (x - x);
        }
        if ax < 0x3e20_0000 {
            return if ax < 0x3c90_0000 { x } else { x - x * x * 0.5 };
        }
        if hx > 0 || hx <= 0xbfd2_bec3u32 as i32 {
            k = 0;
            f = x;
            hu = 1;
        }
    }
    if hx >= 0x7ff0_0000 {
        return x + x;
    }
    if k != 0 {
        let mut u;
        if hx < 0x4340_0000 {
            u = 1.0 + x;
            hu = high(u);
            k = (hu >> 20) - 1023;
            c = if k > 0 { 1.0 - (u - x) } else { x - (u - 1.0) };
            c /= u;
        } else {
            u = x;
            hu = high(u);
            k = (hu >> 20) - 1023;
        }
        hu &= 0x000f_ffff;
        if hu < 0x6_a09e {
            u = with_high(u, hu | 0x3ff0_0000);
        } else {
            k += 1;
            u = with_high(u, hu | 0x3fe0_0000);
            hu = (0x0010_0000 - hu) >> 2;
        }
        f = u - 1.0;
    }
    let dk = k as f64;
    let hfsq = 0.5 * f * f;
    if hu == 0 {
        if f == 0.0 {
            if k == 0 {
                return 0.0;
            }
            c += dk * LN2_LO;
            return dk * LN2_HI + c;
        }
        let r = hfsq * (1.0 - 0.66666666666666666 * f);
        if k == 0 {
            return f - r;
        }
        return dk * LN2_HI - ((r - (dk * LN2_LO + c)) - f);
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let r = z
        * (LG[0] + z * (LG[1] + z * (LG[2] + z * (LG[3] + z * (LG[4] + z * (LG[5] + z * LG[6]))))));
    if k == 0 {
        return f - (hfsq - s * (hfsq + r));
    }
    dk * LN2_HI - ((hfsq - (s * (hfsq + r) + (dk * LN2_LO + c))) - f)
}

/// Up to here, half of e^|x| can be computed as a product of two.
fn below_overflow(x: f64, ix: i32) -> bool {
    ix < 0x4086_33ce || ix == 0x4086_33ce && low(x) <= 0x8fb9_f87d
}

pub fn sinh(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix >= 0x7ff0_0000 {
        return x + x;
    }
    let h = if high(x) < 0 { -0.5 } else { 0.5 };
    if ix < 0x4036_0000 {
        if ix < 0x3e30_0000 {
            return x;
        }
        let t = expm1(x.abs());
        if ix < 0x3ff0_0000 {
            return h * (2.0 * t - t * t / (t + 1.0));
        }
        return h * (t + t / (t + 1.0));
    }
    if ix < 0x4086_2e42 {
        return h * exp(x.abs());
    }
    if below_overflow(x, ix) {
        let w = exp(0.5 * x.abs());
        let t = h * w;
        return t * w;
    }
    x * 1.0e307
}

pub fn cosh(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix >= 0x7ff0_0000 {
        return x * x;
    }
    if ix < 0x3fd6_2e43 {
        let t = expm1(x.abs());
        let w = 1.0 + t;
        if ix < 0x3c80_0000 {
            return w;
        }
        return 1.0 + (t * t) / (w + w);
    }
    if ix < 0x4036_0000 {
        let t = exp(x.abs());
        return 0.5 * t + 0.5 / t;
    }
    if ix < 0x4086_2e42 {
        return 0.5 * exp(x.abs());
    }
    if below_overflow(x, ix) {
        let w = exp(0.5 * x.abs());
        let t = 0.5 * w;
        return t * w;
    }
    f64::INFINITY
}

pub fn tanh(x: f64) -> f64 {
    let negative = high(x) < 0;
    let ix = high(x) & 0x7fff_ffff;
    if ix >= 0x7ff0_0000 {
        return if negative {
            1.0 / x - 1.0
        } else {
            1.0 / x + 1.0
        };
    }
    let z = if ix < 0x4036_0000 {
        if ix < 0x3c80_0000 {
            return x * (1.0 + x);
        }
        if ix >= 0x3ff0_0000 {
            let t = expm1(2.0 * x.abs());
            1.0 - 2.0 / (t + 2.0)
        } else {
            let t = expm1(-2.0 * x.abs());
            -t / (t + 2.0)
        }
    } else {
        1.0
    };
    if negative { -z } else { z }
}
