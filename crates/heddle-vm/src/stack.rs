//! A thread's stack: its memory, and how much of it has changed.
//!
//! A thread writes to its innermost frame only. So whatever lies below the lowest frame that it
//! has been in since some moment is what it was at that moment. Marks and digests go by that
//! ([`Reach`]): what they cost depends on how far the thread went, not on how deep its stack is,
//! or a recursion with an operation at each level would take time quadratic in its depth.
//!
//! - [`Stack::save`] brings a copy of the stack up to date and logs what the copy has to give up
//!   for that; [`Stack::restore`] takes the stack back to the copy, and the copy to the one before.
//! - [`Thread::sum_up`] keeps digests of the first 128 words, the first 256, and so on, as long
//!   as these do not change.

use crate::thread::Thread;

/// Bytes of a thread's stack, as HotSpot's default on 64-bit Linux.
pub const STACK_BYTES: usize = 1 << 20;
/// What a program can ask for: at least what the VM itself needs, and not the whole of
/// the address space.
pub const STACK_RANGE: std::ops::RangeInclusive<u64> = 1 << 18..=1 << 34;

/// A thread's stack memory: reserved once, committed as it is touched.
pub struct Stack {
    base: *mut u64,
    bytes: usize,
    /// The stack as it was when it was saved last.
    saved: Vec<u64>,
    /// Digests of the first [`SPAN`] words, twice as many, and so on.
    sums: Vec<Sum>,
}

impl Stack {
    /// A stack of at least so many bytes.
    pub fn new(bytes: usize) -> Stack {
        let bytes = bytes.next_multiple_of(1 << 16);
        // SAFETY: an anonymous private mapping at an address of the kernel's choice.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        assert!(
            base != libc::MAP_FAILED,
            "heddle internal error: no memory for a thread's stack"
        );
        Stack {
            base: base.cast(),
            bytes,
            saved: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// Makes it one of a new thread.
    pub fn reset(&mut self) {
        self.saved.clear();
        self.sums.clear();
    }

    /// Brings the copy up to date with the stack, whose first `words` are in use: it has changed
    /// from `unsaved` on. What the copy gives up goes to the end of `log`; how long it was,
    /// and from where on.
    pub fn save(&mut self, unsaved: usize, words: usize, log: &mut Vec<u64>) -> (usize, usize) {
        let before = self.saved.len();
        let from = unsaved.min(before);
        log.extend_from_slice(&self.saved[from..]);
        self.saved.truncate(from);
        if from < words {
            // SAFETY: within the mapping.
            let new = unsafe { std::slice::from_raw_parts(self.base.add(from), words - from) };
            self.saved.extend_from_slice(new);
        }
        (before, from)
    }

    /// Undoes [`Stack::save`], which answered `(before, from)`: the stack, which has changed
    /// from `unsaved` on since, is what it was then, and so is the copy.
    pub fn restore(&mut self, unsaved: usize, (before, from): (usize, usize), log: &mut Vec<u64>) {
        self.sums.truncate(unsaved / SPAN);
        if let Some(old) = self.saved.get(unsaved..) {
            // SAFETY: so many words were in use when they were saved.
            unsafe {
                std::ptr::copy_nonoverlapping(old.as_ptr(), self.base.add(unsaved), old.len());
            }
        }
        let logged = log.len() - (before - from);
        self.saved.truncate(from);
        self.saved.extend_from_slice(&log[logged..]);
        log.truncate(logged);
    }

    pub fn base(&self) -> *mut u64 {
        self.base
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether it is one that [`Stack::new`] makes for so many bytes.
    pub fn serves(&self, bytes: usize) -> bool {
        self.bytes == bytes.next_multiple_of(1 << 16)
    }

    /// Frames must end before this; what lies behind is left for the frames that
    /// throw the StackOverflowError.
    pub fn limit(&self) -> *mut u64 {
        // SAFETY: inside the mapping.
        unsafe { self.base.add(self.bytes / 8 - RESERVE_WORDS) }
    }

    /// The very end: frames of the VM's own stubs may use the reserve.
    pub fn hard_limit(&self) -> *mut u64 {
        // SAFETY: inside the mapping.
        unsafe { self.base.add(self.bytes / 8 - 1024) }
    }
}

/// Words kept free for constructing and throwing a StackOverflowError.
const RESERVE_WORDS: usize = 4096;

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the mapping made in `new`.
        unsafe {
            libc::munmap(self.base.cast(), self.bytes);
        }
    }
}

/// How far down a thread has been. It says nothing about the program, and is no part of its state.
#[derive(Clone, Copy, PartialEq)]
pub struct Reach {
    /// The lowest frame that it was in since [`Thread::settle`].
    pub low: *mut u64,
    /// Words that it has not changed since its stack was saved.
    pub unsaved: usize,
}

impl Reach {
    /// Of a thread that has not run yet.
    pub fn all(stack: &Stack) -> Reach {
        Reach {
            low: stack.base,
            unsaved: 0,
        }
    }

    /// The thread is in this frame.
    #[inline(always)]
    pub fn comes_to(&mut self, fp: *mut u64) {
        if fp < self.low {
            self.low = fp;
        }
    }
}

/// Nothing: threads are compared by what is printed of them.
impl std::fmt::Debug for Reach {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

/// Words between two digests that are kept.
const SPAN: usize = 128;

/// A digest of some words.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sum {
    pub high: u64,
    pub low: u64,
}

impl Sum {
    const NOTHING: Sum = Sum { high: 0, low: !0 };

    /// With more words behind. A stack may lie elsewhere after a rewind: what points into it
    /// counts from its base.
    #[inline(always)]
    fn and(self, words: &[u64], stack: &Stack) -> Sum {
        let (base, bytes) = (stack.base as u64, stack.bytes as u64);
        let Sum { mut high, mut low } = self;
        for &word in words {
            let word = match word.wrapping_sub(base) {
                inside if inside < bytes => inside,
                _ => word,
            };
            high = (high.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
            low = (low.rotate_left(23) ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25);
        }
        Sum { high, low }
    }
}

impl Thread {
    /// Takes note of how far down the stack has changed, and counts anew from here on. The
    /// thread's position was saved.
    pub fn settle(&mut self) {
        let (stack, control) = (&mut self.stack, &mut self.control);
        let reach = &mut control.reach;
        if !control.fp.is_null() {
            reach.comes_to(control.fp);
        }
        let low = (reach.low as usize - stack.base as usize) / 8;
        reach.unsaved = reach.unsaved.min(low);
        stack.sums.truncate(low / SPAN);
        if !control.fp.is_null() {
            reach.low = control.fp;
        }
    }

    /// Brings the digests that are kept up to date, for [`Thread::sum`].
    pub fn sum_up(&mut self) {
        self.settle();
        if self.control.fp.is_null() {
            return;
        }
        // What the innermost frame will look like at the next time nobody knows.
        let sure = (self.control.fp as usize - self.stack.base as usize) / 8 / SPAN;
        for at in self.stack.sums.len()..sure {
            let words = &self.live()[at * SPAN..(at + 1) * SPAN];
            let sum = self.kept_sum().and(words, &self.stack);
            self.stack.sums.push(sum);
        }
    }

    /// The digest of the stack, as of the last [`Thread::sum_up`], after which it has not run.
    pub fn sum(&self) -> Sum {
        let rest = &self.live()[self.stack.sums.len() * SPAN..];
        self.kept_sum().and(rest, &self.stack)
    }

    /// The same, but for this thread alone, as long as its stack stays where it is: addresses
    /// count as they are, which makes it cheaper. Two words at a time are multiplied, as in
    /// wyhash, by two chains that do not wait for each other.
    pub fn own_sum(&self) -> u64 {
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let Sum { mut high, mut low } = self.kept_sum();
        let (four, rest) = self.live()[self.stack.sums.len() * SPAN..].as_chunks();
        for &[a, b, c, d] in four {
            high = fold(a ^ 0x517c_c1b7_2722_0a95, b ^ high);
            low = fold(c ^ 0x9fb2_1c65_1e98_df25, d ^ low);
        }
        for &word in rest {
            high = fold(word ^ 0x9e37_79b9_7f4a_7c15, high ^ 0xbf58_476d_1ce4_e5b9);
        }
        high ^ low.rotate_left(32)
    }

    fn kept_sum(&self) -> Sum {
        self.stack.sums.last().copied().unwrap_or(Sum::NOTHING)
    }
}
