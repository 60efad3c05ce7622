//! Huffman codes of deflate blocks: counting, building, sending.
//!
//! Ties between equally frequent symbols decide the bytes, so the heap, the
//! depth rule and the treatment of too long codes are those of zlib's trees.

const MAX_BITS: usize = 15;
const LITERALS: usize = 256;
const END_OF_BLOCK: usize = 256;
const LENGTH_CODES: usize = 286;
const DISTANCE_CODES: usize = 30;
const BIT_LENGTH_CODES: usize = 19;
const HEAP: usize = 2 * LENGTH_CODES + 1;

/// Symbols in a block before it is closed.
pub const BLOCK_SYMBOLS: usize = (1 << 14) - 1;

const LENGTH_EXTRA: [u8; 29] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];
const DISTANCE_EXTRA: [u8; 30] = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
];
const BIT_LENGTH_EXTRA: [u8; 19] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 7];
/// Order in which the lengths of bit-length codes are sent.
const BIT_LENGTH_ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];
const REPEAT: usize = 16;
const ZEROS_SHORT: usize = 17;
const ZEROS_LONG: usize = 18;

/// A node: frequency, later code; parent, later length.
#[derive(Clone, Copy, Default)]
struct Node {
    count: u16,
    len: u16,
}

#[derive(Clone, Copy)]
struct Kind {
    extra: &'static [u8],
    /// Symbol of the first extra-bits entry.
    base: usize,
    elements: usize,
    max_length: usize,
    fixed: Option<&'static [Node]>,
}

/// The codes of the block at work and the bits not yet sent.
#[derive(Clone)]
pub struct Trees {
    literals: [Node; HEAP],
    distances: [Node; 2 * DISTANCE_CODES + 1],
    bit_lengths: [Node; 2 * BIT_LENGTH_CODES + 1],
    literal_max: usize,
    distance_max: usize,
    /// Distance (0: a literal) and length less three, or the literal.
    symbols: Vec<(u16, u8)>,
    /// Bits that the block takes with its own codes, and with the fixed ones.
    own_bits: u64,
    fixed_bits: u64,
    bits: u64,
    bit_count: u32,
    /// Bytes ready to be taken.
    pub pending: Vec<u8>,
}

struct Fixed {
    literals: [Node; 288],
    distances: [Node; 30],
    length_code: [u8; 256],
    length_base: [u16; 29],
    /// Codes of distances less one: below 256 directly, above by their upper bits.
    distance_code: [u8; 512],
    distance_base: [u16; 30],
}

static FIXED: std::sync::LazyLock<Fixed> = std::sync::LazyLock::new(Fixed::new);

impl Fixed {
    fn new() -> Fixed {
        let mut fixed = Fixed {
            literals: [Node::default(); 288],
            distances: [Node::default(); 30],
            length_code: [0; 256],
            length_base: [0; 29],
            distance_code: [0; 512],
            distance_base: [0; 30],
        };
        let mut length = 0;
        for (code, &extra) in LENGTH_EXTRA[..28].iter().enumerate() {
            fixed.length_base[code] = length as u16;
            for _ in 0..1 << extra {
                fixed.length_code[length] = code as u8;
                length += 1;
            }
        }
        // The longest match has a code of its own.
        fixed.length_code[255] = 28;
        let mut distance = 0usize;
        for (code, &extra) in DISTANCE_EXTRA.iter().enumerate() {
            fixed.distance_base[code] = distance as u16;
            for _ in 0..1 << extra {
                if distance < 256 {
                    fixed.distance_code[distance] = code as u8;
                } else {
                    fixed.distance_code[256 + (distance >> 7)] = code as u8;
                }
                distance += 1;
            }
        }
        let mut counts = [0; MAX_BITS + 1];
        for (symbol, node) in fixed.literals.iter_mut().enumerate() {
            node.len = match symbol {
                0..144 => 8,
                144..256 => 9,
                256..280 => 7,
                _ => 8,
            };
            counts[node.len as usize] += 1;
        }
        assign_codes(&mut fixed.literals, 287, &counts);
        for (symbol, node) in fixed.distances.iter_mut().enumerate() {
            *node = Node {
                len: 5,
                count: reverse(symbol as u16, 5),
            };
        }
        fixed
    }

    fn distance_code(&self, distance: u16) -> usize {
        let index = if distance < 256 {
            distance as usize
        } else {
            256 + (distance as usize >> 7)
        };
        self.distance_code[index] as usize
    }
}

impl Default for Trees {
    fn default() -> Trees {
        let mut trees = Trees {
            literals: [Node::default(); HEAP],
            distances: [Node::default(); 2 * DISTANCE_CODES + 1],
            bit_lengths: [Node::default(); 2 * BIT_LENGTH_CODES + 1],
            literal_max: 0,
            distance_max: 0,
            symbols: Vec::new(),
            own_bits: 0,
            fixed_bits: 0,
            bits: 0,
            bit_count: 0,
            pending: Vec::new(),
        };
        trees.start_block();
        trees
    }
}

impl Trees {
    /// Bits that wait to make up a byte.
    pub fn bit_count(&self) -> u32 {
        self.bit_count
    }

    pub fn has_symbols(&self) -> bool {
        !self.symbols.is_empty()
    }

    fn start_block(&mut self) {
        self.literals[..LENGTH_CODES]
            .iter_mut()
            .for_each(|n| n.count = 0);
        self.distances[..DISTANCE_CODES]
            .iter_mut()
            .for_each(|n| n.count = 0);
        self.bit_lengths[..BIT_LENGTH_CODES]
            .iter_mut()
            .for_each(|n| n.count = 0);
        self.literals[END_OF_BLOCK].count = 1;
        self.own_bits = 0;
        self.fixed_bits = 0;
        self.symbols.clear();
    }

    /// Adds a literal; true when the block is full.
    #[inline]
    pub fn literal(&mut self, byte: u8) -> bool {
        self.symbols.push((0, byte));
        self.literals[byte as usize].count += 1;
        self.symbols.len() == BLOCK_SYMBOLS
    }

    /// Adds a match; true when the block is full.
    #[inline]
    pub fn repeat(&mut self, distance: u16, length_less_three: u8) -> bool {
        self.symbols.push((distance, length_less_three));
        let fixed = &*FIXED;
        let code = fixed.length_code[length_less_three as usize] as usize;
        self.literals[code + LITERALS + 1].count += 1;
        self.distances[fixed.distance_code(distance - 1)].count += 1;
        self.symbols.len() == BLOCK_SYMBOLS
    }

    /// Ends the block in the shortest of the three ways. `stored`: its bytes, if they are
    /// still at hand; `compress`: false at level 0.
    pub fn end_block(
        &mut self,
        stored: Option<&[u8]>,
        stored_len: u64,
        compress: bool,
        last: bool,
    ) {
        let (own, fixed, bit_length_max);
        if compress {
            self.literal_max = self.build(Which::Literals);
            self.distance_max = self.build(Which::Distances);
            bit_length_max = self.build_bit_lengths();
            fixed = (self.fixed_bits + 3 + 7) >> 3;
            own = ((self.own_bits + 3 + 7) >> 3).min(fixed);
        } else {
            own = stored_len + 5;
            fixed = own;
            bit_length_max = 0;
        }
        if let Some(bytes) = stored.filter(|_| stored_len + 4 <= own) {
            self.stored_block(bytes, last);
        } else if fixed == own {
            self.send(2 | last as u16, 3);
            let tables = &*FIXED;
            self.send_symbols(&tables.literals, &tables.distances);
        } else {
            self.send(4 | last as u16, 3);
            self.send_trees(bit_length_max);
            let (literals, distances) = (self.literals, self.distances);
            self.send_symbols(&literals, &distances);
        }
        self.start_block();
        if last {
            self.align();
        }
    }

    /// A stored block (at most 65535 bytes).
    pub fn stored_block(&mut self, bytes: &[u8], last: bool) {
        self.stored_header(bytes.len() as u16, last);
        self.pending.extend_from_slice(bytes);
    }

    /// The start of a stored block whose bytes the caller sends.
    pub fn stored_header(&mut self, len: u16, last: bool) {
        self.send(last as u16, 3);
        self.align();
        self.pending.extend_from_slice(&len.to_le_bytes());
        self.pending.extend_from_slice(&(!len).to_le_bytes());
    }

    // ---- bits ---------------------------------------------------------------------

    #[inline]
    fn send(&mut self, value: u16, count: u32) {
        self.bits |= (value as u64) << self.bit_count;
        self.bit_count += count;
        if self.bit_count >= 32 {
            self.pending
                .extend_from_slice(&(self.bits as u32).to_le_bytes());
            self.bits >>= 32;
            self.bit_count -= 32;
        }
    }

    /// Whole bytes of the bits at hand.
    pub fn flush_bits(&mut self) {
        while self.bit_count >= 8 {
            self.pending.push(self.bits as u8);
            self.bits >>= 8;
            self.bit_count -= 8;
        }
    }

    fn align(&mut self) {
        self.flush_bits();
        if self.bit_count > 0 {
            self.pending.push(self.bits as u8);
        }
        self.bits = 0;
        self.bit_count = 0;
    }

    // ---- building -------------------------------------------------------------------

    fn build(&mut self, which: Which) -> usize {
        let fixed = &*FIXED;
        let (tree, kind): (&mut [Node], Kind) = match which {
            Which::Literals => (
                &mut self.literals,
                Kind {
                    extra: &LENGTH_EXTRA,
                    base: LITERALS + 1,
                    elements: LENGTH_CODES,
                    max_length: MAX_BITS,
                    fixed: Some(&fixed.literals),
                },
            ),
            Which::Distances => (
                &mut self.distances,
                Kind {
                    extra: &DISTANCE_EXTRA,
                    base: 0,
                    elements: DISTANCE_CODES,
                    max_length: MAX_BITS,
                    fixed: Some(&fixed.distances),
                },
            ),
            Which::BitLengths => (
                &mut self.bit_lengths,
                Kind {
                    extra: &BIT_LENGTH_EXTRA,
                    base: 0,
                    elements: BIT_LENGTH_CODES,
                    max_length: 7,
                    fixed: None,
                },
            ),
        };
        let mut builder = Builder::new(tree, kind);
        builder.run();
        let (own, fixed, max) = (builder.own_bits, builder.fixed_bits, builder.max_code);
        self.own_bits = self.own_bits.wrapping_add(own);
        self.fixed_bits = self.fixed_bits.wrapping_add(fixed);
        max
    }

    fn build_bit_lengths(&mut self) -> usize {
        let mut counts = [0u16; BIT_LENGTH_CODES];
        let mut count = |symbol: usize, _: u16, _: u32| counts[symbol] += 1;
        runs(&mut self.literals, self.literal_max, &mut count);
        runs(&mut self.distances, self.distance_max, &mut count);
        for (node, count) in self.bit_lengths.iter_mut().zip(counts) {
            node.count = count;
        }
        self.build(Which::BitLengths);
        let mut last = BIT_LENGTH_CODES - 1;
        while last >= 3 && self.bit_lengths[BIT_LENGTH_ORDER[last]].len == 0 {
            last -= 1;
        }
        self.own_bits += 3 * (last as u64 + 1) + 5 + 5 + 4;
        last
    }

    fn send_trees(&mut self, bit_length_max: usize) {
        self.send((self.literal_max + 1 - 257) as u16, 5);
        self.send(self.distance_max as u16, 5);
        self.send((bit_length_max + 1 - 4) as u16, 4);
        for &symbol in &BIT_LENGTH_ORDER[..=bit_length_max] {
            self.send(self.bit_lengths[symbol].len, 3);
        }
        let codes = self.bit_lengths;
        let mut sent = Vec::new();
        let mut put = |symbol: usize, extra: u16, bits: u32| sent.push((symbol, extra, bits));
        runs(&mut self.literals, self.literal_max, &mut put);
        runs(&mut self.distances, self.distance_max, &mut put);
        for (symbol, extra, bits) in sent {
            self.send(codes[symbol].count, codes[symbol].len as u32);
            if bits > 0 {
                self.send(extra, bits);
            }
        }
    }

    fn send_symbols(&mut self, literals: &[Node], distances: &[Node]) {
        let fixed = &*FIXED;
        let symbols = std::mem::take(&mut self.symbols);
        for &(distance, value) in &symbols {
            if distance == 0 {
                let node = literals[value as usize];
                self.send(node.count, node.len as u32);
                continue;
            }
            let code = fixed.length_code[value as usize] as usize;
            let node = literals[code + LITERALS + 1];
            self.send(node.count, node.len as u32);
            let extra = LENGTH_EXTRA[code] as u32;
            if extra > 0 {
                self.send(value as u16 - fixed.length_base[code], extra);
            }
            let distance = distance - 1;
            let code = fixed.distance_code(distance);
            let node = distances[code];
            self.send(node.count, node.len as u32);
            let extra = DISTANCE_EXTRA[code] as u32;
            if extra > 0 {
                self.send(distance - fixed.distance_base[code], extra);
            }
        }
        let node = literals[END_OF_BLOCK];
        self.send(node.count, node.len as u32);
        self.symbols = symbols;
    }
}

#[derive(Clone, Copy)]
enum Which {
    Literals,
    Distances,
    BitLengths,
}

/// The lengths of a tree as bit-length symbols with their extra bits.
fn runs(tree: &mut [Node], max_code: usize, out: &mut impl FnMut(usize, u16, u32)) {
    tree[max_code + 1].len = u16::MAX;
    let mut previous = None;
    let mut next = tree[0].len;
    let mut count = 0u16;
    let (mut most, mut least) = if next == 0 { (138, 3) } else { (7, 4) };
    for n in 0..=max_code {
        let current = next;
        next = tree[n + 1].len;
        count += 1;
        if count < most && current == next {
            continue;
        }
        if count < least {
            for _ in 0..count {
                out(current as usize, 0, 0);
            }
        } else if current != 0 {
            if previous != Some(current) {
                out(current as usize, 0, 0);
                count -= 1;
            }
            out(REPEAT, count.wrapping_sub(3), 2);
        } else if count <= 10 {
            out(ZEROS_SHORT, count - 3, 3);
        } else {
            out(ZEROS_LONG, count - 11, 7);
        }
        count = 0;
        previous = Some(current);
        (most, least) = match next {
            0 => (138, 3),
            _ if current == next => (6, 3),
            _ => (7, 4),
        };
    }
}

struct Builder<'a> {
    tree: &'a mut [Node],
    kind: Kind,
    heap: [u16; HEAP],
    heap_len: usize,
    /// The sorted part of the heap starts here.
    heap_max: usize,
    depth: [u8; HEAP],
    max_code: usize,
    own_bits: u64,
    fixed_bits: u64,
}

impl<'a> Builder<'a> {
    fn new(tree: &'a mut [Node], kind: Kind) -> Builder<'a> {
        Builder {
            tree,
            kind,
            heap: [0; HEAP],
            heap_len: 0,
            heap_max: HEAP,
            depth: [0; HEAP],
            max_code: 0,
            own_bits: 0,
            fixed_bits: 0,
        }
    }

    fn run(&mut self) {
        let mut max_code = None;
        for n in 0..self.kind.elements {
            if self.tree[n].count != 0 {
                self.heap_len += 1;
                self.heap[self.heap_len] = n as u16;
                max_code = Some(n);
            } else {
                self.tree[n].len = 0;
            }
        }
        // At least two codes, so that every one has a bit.
        while self.heap_len < 2 {
            let node = match max_code {
                None => 0,
                Some(n) if n < 2 => n + 1,
                Some(_) => 0,
            };
            if max_code.is_none_or(|n| n < 2) {
                max_code = Some(node);
            }
            self.heap_len += 1;
            self.heap[self.heap_len] = node as u16;
            self.tree[node].count = 1;
            self.own_bits = self.own_bits.wrapping_sub(1);
            if let Some(fixed) = self.kind.fixed {
                self.fixed_bits = self.fixed_bits.wrapping_sub(fixed[node].len as u64);
            }
        }
        self.max_code = max_code.unwrap_or(0);
        for n in (1..=self.heap_len / 2).rev() {
            self.sift(n);
        }
        let mut node = self.kind.elements;
        loop {
            let n = self.heap[1] as usize;
            self.heap[1] = self.heap[self.heap_len];
            self.heap_len -= 1;
            self.sift(1);
            let m = self.heap[1] as usize;
            self.heap_max -= 2;
            self.heap[self.heap_max + 1] = n as u16;
            self.heap[self.heap_max] = m as u16;
            self.tree[node].count = self.tree[n].count.wrapping_add(self.tree[m].count);
            self.depth[node] = self.depth[n].max(self.depth[m]) + 1;
            self.tree[n].len = node as u16;
            self.tree[m].len = node as u16;
            self.heap[1] = node as u16;
            node += 1;
            self.sift(1);
            if self.heap_len < 2 {
                break;
            }
        }
        self.heap_max -= 1;
        self.heap[self.heap_max] = self.heap[1];
        let counts = self.lengths();
        assign_codes(self.tree, self.max_code, &counts);
    }

    fn smaller(&self, n: u16, m: u16) -> bool {
        let (a, b) = (self.tree[n as usize].count, self.tree[m as usize].count);
        a < b || a == b && self.depth[n as usize] <= self.depth[m as usize]
    }

    fn sift(&mut self, mut k: usize) {
        let value = self.heap[k];
        let mut j = k << 1;
        while j <= self.heap_len {
            if j < self.heap_len && self.smaller(self.heap[j + 1], self.heap[j]) {
                j += 1;
            }
            if self.smaller(value, self.heap[j]) {
                break;
            }
            self.heap[k] = self.heap[j];
            k = j;
            j <<= 1;
        }
        self.heap[k] = value;
    }

    /// Lengths from the tree's shape; those that are too long are moved up.
    fn lengths(&mut self) -> [u16; MAX_BITS + 1] {
        let mut counts = [0u16; MAX_BITS + 1];
        let mut overflow = 0i32;
        self.tree[self.heap[self.heap_max] as usize].len = 0;
        for h in self.heap_max + 1..HEAP {
            let n = self.heap[h] as usize;
            let mut bits = self.tree[self.tree[n].len as usize].len as usize + 1;
            if bits > self.kind.max_length {
                bits = self.kind.max_length;
                overflow += 1;
            }
            self.tree[n].len = bits as u16;
            if n > self.max_code {
                continue;
            }
            counts[bits] += 1;
            let extra = if n >= self.kind.base {
                self.kind.extra[n - self.kind.base] as u64
            } else {
                0
            };
            let count = self.tree[n].count as u64;
            self.own_bits = self.own_bits.wrapping_add(count * (bits as u64 + extra));
            if let Some(fixed) = self.kind.fixed {
                let bits = count * (fixed[n].len as u64 + extra);
                self.fixed_bits = self.fixed_bits.wrapping_add(bits);
            }
        }
        if overflow == 0 {
            return counts;
        }
        while overflow > 0 {
            let mut bits = self.kind.max_length - 1;
            while counts[bits] == 0 {
                bits -= 1;
            }
            counts[bits] -= 1;
            counts[bits + 1] += 2;
            counts[self.kind.max_length] -= 1;
            overflow -= 2;
        }
        let mut h = HEAP;
        for bits in (1..=self.kind.max_length).rev() {
            let mut left = counts[bits];
            while left > 0 {
                h -= 1;
                let m = self.heap[h] as usize;
                if m > self.max_code {
                    continue;
                }
                let node = &mut self.tree[m];
                if node.len as usize != bits {
                    let change = (bits as i64 - node.len as i64) * node.count as i64;
                    self.own_bits = self.own_bits.wrapping_add(change as u64);
                    node.len = bits as u16;
                }
                left -= 1;
            }
        }
        counts
    }
}

fn assign_codes(tree: &mut [Node], max_code: usize, counts: &[u16; MAX_BITS + 1]) {
    let mut next = [0u16; MAX_BITS + 1];
    let mut code = 0u16;
    for bits in 1..=MAX_BITS {
        code = code.wrapping_add(counts[bits - 1]) << 1;
        next[bits] = code;
    }
    for node in &mut tree[..=max_code] {
        if node.len != 0 {
            node.count = reverse(next[node.len as usize], node.len as u32);
            next[node.len as usize] += 1;
        }
    }
}

fn reverse(code: u16, len: u32) -> u16 {
    code.reverse_bits() >> (16 - len)
}
