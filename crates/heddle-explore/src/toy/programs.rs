//! Programs whose schedules have been counted: in the papers on partial-order reduction,
//! and in Rivet's tables.
//!
//! Arrays are variables side by side, loops are unrolled as far as they can go.

use super::Op::{self, *};
use super::Program;

/// `n` threads increment one counter once: n! schedules.
pub fn counter(n: u32) -> Program {
    Program::started(vec![vec![Add(0, 1)]; n as usize])
}

/// One thread writes, `n` threads read: 2^n schedules.
pub fn readers(n: u32) -> Program {
    let mut bodies = vec![vec![Write(0, 1)]];
    bodies.extend(vec![vec![Read(0)]; n as usize]);
    Program::started(bodies)
}

/// Writers 1 … n set a[j] = a[j-1] + 1, and a reader walks down from n to the first zero:
/// (n+3)·2^(n-2) schedules.
pub fn lastzero(n: u32) -> Program {
    // Whoever reads zero skips the rest.
    let walk = (0..=n).rev();
    let reader = walk.flat_map(|i| [Unless(i, 0, 2), Jump(i as i32 * 2 + 1)]);
    let mut bodies: Vec<Vec<Op>> = vec![reader.collect()];
    bodies.extend((1..=n).map(|j| vec![Read(j - 1), Store(j, 1)]));
    Program::started(bodies)
}

/// `n` threads put four entries each into a table of 128 slots by compare-and-set, probing
/// on from slot 7w mod 128: 8^(n-11) schedules from n = 12 on.
pub fn indexer(n: u32) -> Program {
    const SIZE: u32 = 128;
    const PROBES: u32 = 8;
    let insert = |t: u32| {
        let entries = (1..=4).flat_map(move |k| {
            let w = k * 11 + t;
            (0..PROBES).flat_map(move |probe| {
                let slot = (w * 7 + probe) % SIZE;
                [Cas(slot, 0, w, 2), Jump((PROBES - probe) as i32 * 2 - 1)]
            })
        });
        entries.collect()
    };
    Program::started((0..n).map(insert).collect())
}

/// 32 inodes and 26 blocks with a lock each; thread t takes inode t mod 32 and, if that is
/// free, the first free block from 2i mod 26 on: 2, 8, 32, 64 schedules for n = 14, 16, 18, 19.
pub fn filesystem(n: u32) -> Program {
    const INODES: u32 = 32;
    const BLOCKS: u32 = 26;
    const PROBES: u32 = 6;
    let allocate = |t: u32| {
        let i = t % INODES;
        let mut code = vec![Lock(i), Unless(i, 0, 1 + PROBES as i32 * 7)];
        for probe in 0..PROBES {
            let b = (i * 2 + probe) % BLOCKS;
            let (lock, busy) = (INODES + b, INODES + b);
            let left = (PROBES - probe - 1) as i32;
            code.extend([
                Lock(lock),
                Unless(busy, 0, 5),
                Write(busy, 1),
                Write(i, b + 1),
                Unlock(lock),
                Jump(2 + left * 7),
                Unlock(lock),
            ]);
        }
        code.push(Unlock(i));
        code
    };
    Program::started((0..n).map(allocate).collect())
}

/// `n` threads that touch nothing but what is their own: one schedule.
pub fn independent(n: u32) -> Program {
    Program::started((0..n).map(|t| vec![Read(t), Store(t, 1)]).collect())
}

/// Rivet, figure 4.1: each of `threads` threads takes each of `locks` locks once.
pub fn performance(threads: u32, locks: u32) -> Program {
    let body: Vec<Op> = (0..locks).flat_map(|l| [Lock(l), Unlock(l)]).collect();
    Program::started(vec![body; threads as usize])
}

/// `n` philosophers around a table, each of whom eats `rounds` times and counts; the last
/// one takes the forks in the other order if `left_handed`.
pub fn philosophers(n: u32, rounds: u32, left_handed: bool) -> Program {
    let eat = |i: u32| {
        let mut forks = [i, (i + 1) % n];
        if left_handed && i + 1 == n {
            forks.reverse();
        }
        let [first, second] = forks;
        [
            Lock(first),
            Lock(second),
            Read(i),
            Store(i, 1),
            Unlock(second),
            Unlock(first),
        ]
        .repeat(rounds as usize)
    };
    Program::started((0..n).map(eat).collect())
}
