//! Argument reduction: `x - n * π/2` as a sum of two doubles, for any `x`.
//!
//! Medium arguments use π/2 in three parts (Cody and Waite); large ones multiply
//! by as many bits of 2/π as their exponent asks for (Payne and Hanek).

use super::{high, with_high};

const INV_PIO2: f64 = f64::from_bits(0x3fe4_5f30_6dc9_c883);
/// π/2 in parts of 33 bits, each followed by what it leaves.
const PIO2_1: f64 = f64::from_bits(0x3ff9_21fb_5440_0000);
const PIO2_1T: f64 = f64::from_bits(0x3dd0_b461_1a62_6331);
const PIO2_2: f64 = f64::from_bits(0x3dd0_b461_1a60_0000);
const PIO2_2T: f64 = f64::from_bits(0x3ba3_198a_2e03_7073);
const PIO2_3: f64 = f64::from_bits(0x3ba3_198a_2e00_0000);
const PIO2_3T: f64 = f64::from_bits(0x397b_839a_2520_49c1);
const TWO24: f64 = 16_777_216.0;
const TWON24: f64 = 1.0 / 16_777_216.0;

/// 2/π in pieces of 24 bits.
const TWO_OVER_PI: [i32; 66] = [
    0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163,
    0xabdebb, 0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129,
    0xa73ee8, 0x8235f5, 0x2ebb44, 0x84e99c, 0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c,
    0x845f8b, 0xbdf928, 0x3b1ff8, 0x97ffde, 0x05980f, 0xef2f11, 0x8b5a0a, 0x6d1f6d, 0x367ecf,
    0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d, 0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7, 0x8a5292,
    0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330, 0x46fc7b, 0x6babf0, 0xcfbc20, 0x9af436, 0x1da9e3,
    0x91615e, 0xe61b08, 0x659985, 0x5f14a0, 0x68408d, 0xffd880, 0x4d7327, 0x310606, 0x1556ca,
    0x73a8c9, 0x60e27b, 0xc08c6b,
];

/// Upper words of the first multiples of π/2.
const MULTIPLES: [i32; 32] = [
    0x3ff9_21fb,
    0x4009_21fb,
    0x4012_d97c,
    0x4019_21fb,
    0x401f_6a7a,
    0x4022_d97c,
    0x4025_fdbb,
    0x4029_21fb,
    0x402c_463a,
    0x402f_6a7a,
    0x4031_475c,
    0x4032_d97c,
    0x4034_6b9c,
    0x4035_fdbb,
    0x4037_8fdb,
    0x4039_21fb,
    0x403a_b41b,
    0x403c_463a,
    0x403d_d85a,
    0x403f_6a7a,
    0x4040_7e4c,
    0x4041_475c,
    0x4042_106c,
    0x4042_d97c,
    0x4043_a28c,
    0x4044_6b9c,
    0x4045_34ac,
    0x4045_fdbb,
    0x4046_c6cb,
    0x4047_8fdb,
    0x4048_58eb,
    0x4049_21fb,
];

/// π/2 in pieces of 24 bits.
const PIO2: [f64; 8] = [
    f64::from_bits(0x3ff9_21fb_4000_0000),
    f64::from_bits(0x3e74_442d_0000_0000),
    f64::from_bits(0x3cf8_4698_8000_0000),
    f64::from_bits(0x3b78_cc51_6000_0000),
    f64::from_bits(0x39f0_1b83_8000_0000),
    f64::from_bits(0x387a_2520_4000_0000),
    f64::from_bits(0x36e3_8222_8000_0000),
    f64::from_bits(0x3569_f31d_0000_0000),
];

/// The quadrant and the reduced argument in two parts.
pub fn rem_pio2(x: f64) -> (i32, f64, f64) {
    let hx = high(x);
    let ix = hx & 0x7fff_ffff;
    if ix <= 0x3fe9_21fb {
        return (0, x, 0.0);
    }
    if ix < 0x4002_d97c {
        return near_pio2(x, hx, ix);
    }
    if ix <= 0x4139_21fb {
        return medium(x, hx, ix);
    }
    if ix >= 0x7ff0_0000 {
        let nan = x - x;
        return (0, nan, nan);
    }
    // |x| in three pieces of 24 bits.
    let e0 = (ix >> 20) - 1046;
    let mut z = with_high(x, ix - (e0 << 20));
    let mut pieces = [0.0; 3];
    for piece in pieces.iter_mut().take(2) {
        *piece = z as i32 as f64;
        z = (z - *piece) * TWO24;
    }
    pieces[2] = z;
    let mut count = 3;
    while pieces[count - 1] == 0.0 {
        count -= 1;
    }
    let (n, y0, y1) = large(&pieces[..count], e0);
    if hx < 0 { (-n, -y0, -y1) } else { (n, y0, y1) }
}

fn near_pio2(x: f64, hx: i32, ix: i32) -> (i32, f64, f64) {
    let close = ix == 0x3ff9_21fb;
    if hx > 0 {
        let mut z = x - PIO2_1;
        let rest = if close {
            z -= PIO2_2;
            PIO2_2T
        } else {
            PIO2_1T
        };
        let y0 = z - rest;
        (1, y0, (z - y0) - rest)
    } else {
        let mut z = x + PIO2_1;
        let rest = if close {
            z += PIO2_2;
            PIO2_2T
        } else {
            PIO2_1T
        };
        let y0 = z + rest;
        (-1, y0, (z - y0) + rest)
    }
}

fn medium(x: f64, hx: i32, ix: i32) -> (i32, f64, f64) {
    let n = (x.abs() * INV_PIO2 + 0.5) as i32;
    let count = n as f64;
    let mut r = x.abs() - count * PIO2_1;
    let mut w = count * PIO2_1T;
    let mut y0 = r - w;
    let quick = n < 32 && ix != MULTIPLES[(n - 1) as usize];
    if !quick {
        let exponent = ix >> 20;
        let lost = |y: f64| exponent - ((high(y) >> 20) & 0x7ff);
        if lost(y0) > 16 {
            let t = r;
            w = count * PIO2_2;
            r = t - w;
            w = count * PIO2_2T - ((t - r) - w);
            y0 = r - w;
            if lost(y0) > 49 {
                let t = r;
                w = count * PIO2_3;
                r = t - w;
                w = count * PIO2_3T - ((t - r) - w);
                y0 = r - w;
            }
        }
    }
    let y1 = (r - y0) - w;
    if hx < 0 { (-n, -y0, -y1) } else { (n, y0, y1) }
}

/// `x * 2^n`; the exponents that occur here are far from any limit of doubles.
fn scale(x: f64, n: i32) -> f64 {
    x * f64::from_bits(((1023 + n) as u64) << 52)
}

fn large(x: &[f64], e0: i32) -> (i32, f64, f64) {
    const JK: usize = 4;
    let jx = x.len() - 1;
    let jv = ((e0 - 3) / 24).max(0) as usize;
    let mut q0 = e0 - 24 * (jv as i32 + 1);
    let mut f = [0.0f64; 20];
    for (i, slot) in f.iter_mut().enumerate().take(jx + JK + 1) {
        let j = jv as i32 - jx as i32 + i as i32;
        *slot = if j < 0 {
            0.0
        } else {
            TWO_OVER_PI[j as usize] as f64
        };
    }
    let product = |f: &[f64; 20], i: usize| {
        let mut sum = 0.0;
        for (j, part) in x.iter().enumerate() {
            sum += part * f[jx + i - j];
        }
        sum
    };
    let mut q = [0.0f64; 20];
    for (i, slot) in q.iter_mut().enumerate().take(JK + 1) {
        *slot = product(&f, i);
    }
    let mut iq = [0i32; 20];
    let mut jz = JK;
    let (n, ih, mut z) = loop {
        let mut z = q[jz];
        for (i, j) in (1..=jz).rev().enumerate() {
            let fw = (TWON24 * z) as i32 as f64;
            iq[i] = (z - TWO24 * fw) as i32;
            z = q[j - 1] + fw;
        }
        z = scale(z, q0);
        z -= 8.0 * (z * 0.125).floor();
        let mut n = z as i32;
        z -= n as f64;
        let mut ih = 0;
        if q0 > 0 {
            let i = iq[jz - 1] >> (24 - q0);
            n += i;
            iq[jz - 1] -= i << (24 - q0);
            ih = iq[jz - 1] >> (23 - q0);
        } else if q0 == 0 {
            ih = iq[jz - 1] >> 23;
        } else if z >= 0.5 {
            ih = 2;
        }
        if ih > 0 {
            n += 1;
            let mut carry = false;
            for word in iq.iter_mut().take(jz) {
                if carry {
                    *word = 0xff_ffff - *word;
                } else if *word != 0 {
                    carry = true;
                    *word = 0x100_0000 - *word;
                }
            }
            match q0 {
                1 => iq[jz - 1] &= 0x7f_ffff,
                2 => iq[jz - 1] &= 0x3f_ffff,
                _ => {}
            }
            if ih == 2 {
                z = 1.0 - z;
                if carry {
                    z -= scale(1.0, q0);
                }
            }
        }
        if z == 0.0 && iq[JK..jz].iter().all(|&word| word == 0) {
            // All bits cancelled: more of 2/π is needed.
            let mut k = 1;
            while iq[JK - k] == 0 {
                k += 1;
            }
            for i in jz + 1..=jz + k {
                f[jx + i] = TWO_OVER_PI[jv + i] as f64;
                q[i] = product(&f, i);
            }
            jz += k;
            continue;
        }
        break (n, ih, z);
    };
    if z == 0.0 {
        jz -= 1;
        q0 -= 24;
        while iq[jz] == 0 {
            jz -= 1;
            q0 -= 24;
        }
    } else {
        z = scale(z, -q0);
        if z >= TWO24 {
            let fw = (TWON24 * z) as i32 as f64;
            iq[jz] = (z - TWO24 * fw) as i32;
            jz += 1;
            q0 += 24;
            iq[jz] = fw as i32;
        } else {
            iq[jz] = z as i32;
        }
    }
    let mut fw = scale(1.0, q0);
    for i in (0..=jz).rev() {
        q[i] = fw * iq[i] as f64;
        fw *= TWON24;
    }
    let mut fq = [0.0f64; 20];
    for i in (0..=jz).rev() {
        let mut sum = 0.0;
        let mut k = 0;
        while k <= JK && k <= jz - i {
            sum += PIO2[k] * q[i + k];
            k += 1;
        }
        fq[jz - i] = sum;
    }
    let mut sum = 0.0;
    for i in (0..=jz).rev() {
        sum += fq[i];
    }
    let mut rest = fq[0] - sum;
    for part in fq.iter().take(jz + 1).skip(1) {
        rest += part;
    }
    if ih == 0 {
        (n & 7, sum, rest)
    } else {
        (n & 7, -sum, -rest)
    }
}
