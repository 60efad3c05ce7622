//! Sine, cosine, tangent and their inverses.

use super::reduce::rem_pio2;
use super::{high, low, without_low};

const PIO2_HI: f64 = f64::from_bits(0x3ff9_21fb_5444_2d18);
const PIO2_LO: f64 = f64::from_bits(0x3c91_a626_3314_5c07);
const PIO4_HI: f64 = f64::from_bits(0x3fe9_21fb_5444_2d18);
const PIO4_LO: f64 = f64::from_bits(0x3c81_a626_3314_5c07);
const PI: f64 = f64::from_bits(0x4009_21fb_5444_2d18);
const PI_LO: f64 = f64::from_bits(0x3ca1_a626_3314_5c07);

pub fn sin(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix <= 0x3fe9_21fb {
        return kernel_sin(x, 0.0, false);
    }
    if ix >= 0x7ff0_0000 {
        return x - x;
    }
    let (n, y0, y1) = rem_pio2(x);
    match n & 3 {
        0 => kernel_sin(y0, y1, true),
        1 => kernel_cos(y0, y1),
        2 => -kernel_sin(y0, y1, true),
        _ => -kernel_cos(y0, y1),
    }
}

pub fn cos(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix <= 0x3fe9_21fb {
        return kernel_cos(x, 0.0);
    }
    if ix >= 0x7ff0_0000 {
        return x - x;
    }
    let (n, y0, y1) = rem_pio2(x);
    match n & 3 {
        0 => kernel_cos(y0, y1),
        1 => -kernel_sin(y0, y1, true),
        2 => -kernel_cos(y0, y1),
        _ => kernel_sin(y0, y1, true),
    }
}

pub fn tan(x: f64) -> f64 {
    let ix = high(x) & 0x7fff_ffff;
    if ix <= 0x3fe9_21fb {
        return kernel_tan(x, 0.0, 1);
    }
    if ix >= 0x7ff0_0000 {
        return x - x;
    }
    let (n, y0, y1) = rem_pio2(x);
    kernel_tan(y0, y1, 1 - ((n & 1) << 1))
}

/// Sine on [-π/4, π/4]; `y` is the tail of `x`, looked at only with `tail`.
fn kernel_sin(x: f64, y: f64, tail: bool) -> f64 {
    const S1: f64 = -1.66666666666666324348e-01;
    const S2: f64 = 8.33333333332248946124e-03;
    const S3: f64 = -1.98412698298579493134e-04;
    const S4: f64 = 2.75573137070700676789e-06;
    const S5: f64 = -2.50507602534068634195e-08;
    const S6: f64 = 1.58969099521155010221e-10;
    if high(x) & 0x7fff_ffff < 0x3e40_0000 {
        return x;
    }
    let z = x * x;
    let v = z * x;
    let r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
    if tail {
        x - ((z * (0.5 * y - v * r) - y) - v * S1)
    } else {
        x + v * (S1 + z * r)
    }
}

fn kernel_cos(x: f64, y: f64) -> f64 {
    const C1: f64 = 4.16666666666666019037e-02;
    const C2: f64 = -1.38888888888741095749e-03;
    const C3: f64 = 2.48015872894767294178e-05;
    const C4: f64 = -2.75573143513906633035e-07;
    const C5: f64 = 2.08757232129817482790e-09;
    const C6: f64 = -1.13596475577881948265e-11;
    let ix = high(x) & 0x7fff_ffff;
    if ix < 0x3e40_0000 {
        return 1.0;
    }
    let z = x * x;
    let r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
    if ix < 0x3fd3_3333 {
        return 1.0 - (0.5 * z - (z * r - x * y));
    }
    let qx = if ix > 0x3fe9_0000 {
        0.28125
    } else {
        f64::from_bits(((ix - 0x0020_0000) as u64) << 32)
    };
    let hz = 0.5 * z - qx;
    let a = 1.0 - qx;
    a - (hz - (z * r - x * y))
}

/// Tangent (`sign` 1) or -1/tangent (`sign` -1) on [-π/4, π/4].
fn kernel_tan(x: f64, y: f64, sign: i32) -> f64 {
    const T: [f64; 13] = [
        3.33333333333334091986e-01,
        1.33333333333201242699e-01,
        5.39682539762260521377e-02,
        2.18694882948595424599e-02,
        8.86323982359930005737e-03,
        3.59207910759131235356e-03,
        1.45620945432529025516e-03,
        5.88041240820264096874e-04,
        2.46463134818469906812e-04,
        7.81794442939557092300e-05,
        7.14072491382608190305e-05,
        -1.85586374855275456654e-05,
        2.59073051863633712884e-05,
    ];
    let (mut x, mut y) = (x, y);
    let hx = high(x);
    let ix = hx & 0x7fff_ffff;
    if ix < 0x3e30_0000 {
        if (ix as u32 | low(x)) | (sign + 1) as u32 == 0 {
            return 1.0 / x.abs();
        }
        if sign == 1 {
            return x;
        }
        let w = x + y;
        return minus_reciprocal(w, without_low(w), x, y);
    }
    let big = ix >= 0x3fe5_9428;
    if big {
        if hx < 0 {
            x = -x;
            y = -y;
        }
        let z = PIO4_HI - x;
        let w = PIO4_LO - y;
        x = z + w;
        y = 0.0;
    }
    let z = x * x;
    let w = z * z;
    let r = T[1] + w * (T[3] + w * (T[5] + w * (T[7] + w * (T[9] + w * T[11]))));
    let v = z * (T[2] + w * (T[4] + w * (T[6] + w * (T[8] + w * (T[10] + w * T[12])))));
    let s = z * x;
    let mut r = y + z * (s * (r + v) + y);
    r += T[0] * s;
    let w = x + r;
    if big {
        let v = sign as f64;
        return (1 - ((hx >> 30) & 2)) as f64 * (v - 2.0 * (x - (w * w / (w + v) - r)));
    }
    if sign == 1 {
        return w;
    }
    minus_reciprocal(w, without_low(w), x, r)
}

/// `-1 / (x + r)` with the error of a single rounding; `w` is the sum, `z` its upper part.
fn minus_reciprocal(w: f64, z: f64, x: f64, r: f64) -> f64 {
    let v = r - (z - x);
    let a = -1.0 / w;
    let t = without_low(a);
    let s = 1.0 + t * z;
    t + a * (s + t * v)
}

/// The rational approximation that arc sine and arc cosine share.
fn arc_ratio(t: f64) -> f64 {
    const P0: f64 = 1.66666666666666657415e-01;
    const P1: f64 = -3.25565818622400915405e-01;
    const P2: f64 = 2.01212532134862925881e-01;
    const P3: f64 = -4.00555345006794114027e-02;
    const P4: f64 = 7.91534994289814532176e-04;
    const P5: f64 = 3.47933107596021167570e-05;
    const Q1: f64 = -2.40339491173441421878e+00;
    const Q2: f64 = 2.02094576023350569471e+00;
    const Q3: f64 = -6.88283971605453293030e-01;
    const Q4: f64 = 7.70381505559019352791e-02;
    let p = t * (P0 + t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5)))));
    let q = 1.0 + t * (Q1 + t * (Q2 + t * (Q3 + t * Q4)));
    p / q
}

pub fn asin(x: f64) -> f64 {
    let hx = high(x);
    let ix = hx & 0x7fff_ffff;
    if ix >= 0x3ff0_0000 {
        if (ix - 0x3ff0_0000) as u32 | low(x) == 0 {
            return x * PIO2_HI + x * PIO2_LO;
        }
        return (x - x) / (x - x);
    }
    if ix < 0x3fe0_0000 {
        if ix < 0x3e40_0000 {
            return x;
        }
        return x + x * arc_ratio(x * x);
    }
    let t = (1.0 - x.abs()) * 0.5;
    let ratio = arc_ratio(t);
    let s = t.sqrt();
    let result = if ix >= 0x3fef_3333 {
        PIO2_HI - (2.0 * (s + s * ratio) - PIO2_LO)
    } else {
        let w = without_low(s);
        let c = (t - w * w) / (s + w);
        let p = 2.0 * s * ratio - (PIO2_LO - 2.0 * c);
        let q = PIO4_HI - 2.0 * w;
        PIO4_HI - (p - q)
    };
    if hx > 0 { result } else { -result }
}

pub fn acos(x: f64) -> f64 {
    let hx = high(x);
    let ix = hx & 0x7fff_ffff;
    if ix >= 0x3ff0_0000 {
        if (ix - 0x3ff0_0000) as u32 | low(x) == 0 {
            return if hx > 0 { 0.0 } else { PI + 2.0 * PIO2_LO };
        }
        return (x - x) / (x - x);
    }
    if ix < 0x3fe0_0000 {
        if ix <= 0x3c60_0000 {
            return PIO2_HI + PIO2_LO;
        }
        return PIO2_HI - (x - (PIO2_LO - x * arc_ratio(x * x)));
    }
    if hx < 0 {
        let z = (1.0 + x) * 0.5;
        let ratio = arc_ratio(z);
        let s = z.sqrt();
        let w = ratio * s - PIO2_LO;
        return PI - 2.0 * (s + w);
    }
    let z = (1.0 - x) * 0.5;
    let s = z.sqrt();
    let df = without_low(s);
    let c = (z - df * df) / (s + df);
    let w = arc_ratio(z) * s + c;
    2.0 * (df + w)
}

pub fn atan(x: f64) -> f64 {
    const HI: [f64; 4] = [
        4.63647609000806093515e-01,
        7.85398163397448278999e-01,
        9.82793723247329054082e-01,
        1.57079632679489655800e+00,
    ];
    const LO: [f64; 4] = [
        2.26987774529616870924e-17,
        3.06161699786838301793e-17,
        1.39033110312309984516e-17,
        6.12323399573676603587e-17,
    ];
    const A: [f64; 11] = [
        3.33333333333329318027e-01,
        -1.99999999998764832476e-01,
        1.42857142725034663711e-01,
        -1.11111104054623557880e-01,
        9.09088713343650656196e-02,
        -7.69187620504482999495e-02,
        6.66107313738753120669e-02,
        -5.83357013379057348645e-02,
        4.97687799461593236017e-02,
        -3.65315727442169155270e-02,
        1.62858201153657823623e-02,
    ];
    let hx = high(x);
    let ix = hx & 0x7fff_ffff;
    if ix >= 0x4410_0000 {
        if x.is_nan() {
            return x + x;
        }
        return if hx > 0 {
            HI[3] + LO[3]
        } else {
            -HI[3] - LO[3]
        };
    }
    let (id, x) = if ix < 0x3fdc_0000 {
        if ix < 0x3e20_0000 {
            return x;
        }
        (None, x)
    } else {
        let x = x.abs();
        if ix < 0x3fe6_0000 {
            (Some(0), (2.0 * x - 1.0) / (2.0 + x))
        } else if ix < 0x3ff3_0000 {
            (Some(1), (x - 1.0) / (x + 1.0))
        } else if ix < 0x4003_8000 {
            (Some(2), (x - 1.5) / (1.0 + 1.5 * x))
        } else {
            (Some(3), -1.0 / x)
        }
    };
    let z = x * x;
    let w = z * z;
    let s1 = z * (A[0] + w * (A[2] + w * (A[4] + w * (A[6] + w * (A[8] + w * A[10])))));
    let s2 = w * (A[1] + w * (A[3] + w * (A[5] + w * (A[7] + w * A[9]))));
    match id {
        None => x - x * (s1 + s2),
        Some(id) => {
            let z = HI[id] - ((x * (s1 + s2) - LO[id]) - x);
            if hx < 0 { -z } else { z }
        }
    }
}

pub fn atan2(y: f64, x: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return x + y;
    }
    if x == 1.0 {
        return atan(y);
    }
    let (hx, hy) = (high(x), high(y));
    let (ix, iy) = (hx & 0x7fff_ffff, hy & 0x7fff_ffff);
    let (x_negative, y_negative) = (hx < 0, hy < 0);
    let signed = |value: f64| if y_negative { -value } else { value };
    if y == 0.0 {
        return if x_negative { signed(PI) } else { y };
    }
    if x == 0.0 {
        return signed(PIO2_HI);
    }
    if x.is_infinite() {
        return signed(match (y.is_infinite(), x_negative) {
            (true, false) => PIO4_HI,
            (true, true) => 3.0 * PIO4_HI,
            (false, false) => 0.0,
            (false, true) => PI,
        });
    }
    if y.is_infinite() {
        return signed(PIO2_HI);
    }
    let k = (iy - ix) >> 20;
    let z = if k > 60 {
        PIO2_HI + 0.5 * PI_LO
    } else if x_negative && k < -60 {
        0.0
    } else {
        atan((y / x).abs())
    };
    match (x_negative, y_negative) {
        (false, false) => z,
        (false, true) => -z,
        (true, false) => PI - (z - PI_LO),
        (true, true) => (z - PI_LO) - PI,
    }
}
