//! Codes as bit planes: one bit per code instead of one byte.
//!
//! For every cell and color there is a plane of the codes with this color in this cell, and for every color and number n a
//! plane of the codes with at least n pegs of this color. The black pegs of 512 codes are then the sum of one plane per cell,
//! and black and white pegs together the sum of as many others: a color with m pegs in the guess adds the planes for n = 1 to
//! m, which is the minimum of the two counts. Sums and counts are binary, one register per digit, computed with full adders
//! (carry-save addition), so that a pair of guess and code takes a fraction of an instruction.
//!
//! As with columns, the roles can be exchanged: the planes may be those of 512 *guesses*, scored against one code after
//! another. The counters of each lane are then converted to bytes once for all codes.

use std::sync::Arc;

use super::{BatchKernel, Block, MAX_TALLY_CODES, Tally, backend::Instructions, word::Word};
#[cfg(target_arch = "x86_64")]
use super::{
    word::{Ymm, Zmm},
    x86,
};
use crate::table::{BLOCK, Table};

/// Number of codes in a plane, which are scored at a time.
pub const LANES_PER_PLANE: usize = 512;

/// One bit for each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Plane(pub(super) [u64; LANES_PER_PLANE / 64]);

const EMPTY: Plane = Plane([0; LANES_PER_PLANE / 64]);

/// Minimum number of cells of a code in bit planes.
const MIN_PLANE_CELLS: usize = 3;
/// Maximum number of cells of a code in bit planes.
const MAX_PLANE_CELLS: usize = 8;

/// Codes as bit planes, in the order of a table. They take `cells * colors / 4` bytes per code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitPlanes {
    cells: usize,
    colors: usize,
    len: usize,
    /// For each group of 512 codes, a plane for each cell and color, then one for each number and color.
    planes: Vec<Plane>,
}

impl BitPlanes {
    fn new(table: &Table) -> Self {
        let (cells, colors, len) = (table.cells(), table.colors(), table.len());
        let width = 2 * cells * colors;
        let mut planes = vec![EMPTY; len.div_ceil(LANES_PER_PLANE) * width];
        let mut indices = PlaneIndices::default();
        for row in 0..len {
            indices.set(table, row);
            let planes = &mut planes[row / LANES_PER_PLANE * width..][..width];
            let (word, bit) = (row % LANES_PER_PLANE / 64, 1 << (row % 64));
            for &index in indices.cells[..cells].iter().chain(&indices.colors[..cells]) {
                planes[usize::from(index)].0[word] |= bit;
            }
        }
        Self { cells, colors, len, planes }
    }

    /// Returns the number of codes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there are no codes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the memory used by the planes in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.planes[..])
    }

    /// Returns the planes of a group.
    #[inline]
    fn group(&self, group: usize) -> &[Plane] {
        let width = 2 * self.cells * self.colors;
        &self.planes[group * width..][..width]
    }
}

/// Indices of the planes of a group that contain a code.
#[derive(Debug, Clone, Copy, Default)]
struct PlaneIndices {
    /// The plane of each cell and its color.
    cells: [u16; MAX_PLANE_CELLS],
    /// For each cell, whose peg is the n-th of its color, the plane of codes with at least n pegs of that color.
    colors: [u16; MAX_PLANE_CELLS],
}

impl PlaneIndices {
    fn from_row(table: &Table, row: usize) -> Self {
        let mut indices = Self::default();
        indices.set(table, row);
        indices
    }

    #[inline]
    fn set(&mut self, table: &Table, row: usize) {
        let (cells, colors) = (table.cells(), table.colors());
        let (columns, lane) = (table.pegs(row / BLOCK), row % BLOCK);
        let mut pegs = [0; MAX_PLANE_CELLS];
        for (cell, (peg, column)) in pegs.iter_mut().zip(columns).enumerate() {
            *peg = usize::from(column.0[lane]);
            self.cells[cell] = (cell * colors + *peg) as u16;
        }
        for cell in 0..cells {
            let before = pegs[..cell].iter().filter(|&&before| before == pegs[cell]).count();
            self.colors[cell] = ((cells + before) * colors + pegs[cell]) as u16;
        }
    }
}

/// Codes prepared to be partitioned by guesses in bit planes, with buffers. Clones share the codes.
#[derive(Debug, Clone)]
pub struct BitPlaneBatch {
    codes: Arc<[PlaneIndices]>,
    pegs: Box<DecodedPegs>,
    /// For each possible mark and lane, the number of codes with this mark.
    counters: Vec<Counter>,
    /// The same for more codes than a [`Counter`] can count.
    long: Vec<Vec<Plane>>,
    /// The same for the lanes of a block, as bytes.
    counts: Vec<Block>,
}

impl BitPlaneBatch {
    /// Returns the number of codes.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns true if there are no codes.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }
}

impl BatchKernel {
    /// Returns true if codes of these rules can be stored in bit planes: rows of three to eight cells with black and white pegs.
    pub fn supports_bit_planes(&self) -> bool {
        self.encoding.model().is_classic() && (MIN_PLANE_CELLS..=MAX_PLANE_CELLS).contains(&self.encoding.cells())
    }

    /// Returns true if `guesses` guesses in bit planes are scored faster against `codes` codes than guesses in columns, not
    /// counting the conversion.
    ///
    /// Columns are faster for few codes, because the counters of bit planes must be converted to bytes. The thresholds are
    /// measured by `cargo bench -p pegwise-benches --bench partition -- bit-planes`.
    pub fn prefers_bit_planes(&self, codes: usize, guesses: usize) -> bool {
        let min_codes = match self.instructions {
            Instructions::Scalar => usize::MAX,
            Instructions::Portable => 256,
            Instructions::Avx2(_) => 48,
            Instructions::Avx512(_) => 3,
        };
        self.supports_bit_planes() && codes >= min_codes && guesses >= LANES_PER_PLANE
    }

    /// Converts the codes of a table to bit planes.
    ///
    /// # Panics
    /// Panics if these rules do not [support bit planes](Self::supports_bit_planes).
    pub fn bit_planes(&self, table: &Table) -> BitPlanes {
        assert!(self.supports_bit_planes(), "codes of these rules do not fit bit planes");
        BitPlanes::new(table)
    }

    /// Prepares codes to be partitioned by guesses in bit planes.
    ///
    /// # Panics
    /// Panics if these rules do not [support bit planes](Self::supports_bit_planes).
    pub fn bit_plane_batch(&self, codes: &Table) -> BitPlaneBatch {
        assert!(self.supports_bit_planes(), "codes of these rules do not fit bit planes");
        let marks = self.encoding.possible().len();
        let long =
            if codes.len() > MAX_SHORT_COUNT { vec![vec![EMPTY; digits(codes.len())]; marks] } else { Vec::new() };
        BitPlaneBatch {
            codes: (0..codes.len()).map(|row| PlaneIndices::from_row(codes, row)).collect(),
            pegs: Box::new(DecodedPegs::EMPTY),
            counters: vec![[EMPTY; SHORT_DIGITS]; marks],
            long,
            counts: vec![[0; BLOCK]; marks],
        }
    }

    /// Like [`BatchKernel::tally`], for the guesses from `LANES_PER_PLANE * group` on.
    ///
    /// # Panics
    /// Panics if `group` is out of range, or the batch is larger than [`Tally::max_codes`].
    pub fn bit_plane_tally(
        &self,
        batch: &mut BitPlaneBatch,
        guesses: &BitPlanes,
        group: usize,
        tally: &Tally,
        out: &mut [u16; LANES_PER_PLANE],
    ) {
        const { assert!(MAX_TALLY_CODES <= MAX_SHORT_COUNT) };
        let BitPlaneBatch { codes, pegs, counters, counts, .. } = batch;
        tally.check(codes.len());
        self.instructions.count_guesses(guesses, group, codes, pegs, counters);
        self.instructions.tally_counters(counters, digits(codes.len()), tally, counts, out);
    }

    /// Like [`BatchKernel::histograms`], for the guesses from `LANES_PER_PLANE * group` on.
    ///
    /// # Panics
    /// Panics if `group` is out of range.
    pub fn bit_plane_histograms(
        &self,
        batch: &mut BitPlaneBatch,
        guesses: &BitPlanes,
        group: usize,
        out: &mut Vec<[u32; LANES_PER_PLANE]>,
    ) {
        let BitPlaneBatch { codes, pegs, counters, long, .. } = batch;
        out.resize(counters.len(), [0; LANES_PER_PLANE]);
        if codes.len() <= MAX_SHORT_COUNT {
            self.instructions.count_guesses(guesses, group, codes, pegs, counters);
            let digits = digits(codes.len());
            self.instructions.numbers(counters.iter().map(|counter| &counter[..digits]), out);
            return;
        }
        long.iter_mut().for_each(|long| long.fill(EMPTY));
        for codes in codes.chunks(MAX_SHORT_COUNT) {
            self.instructions.count_guesses(guesses, group, codes, pegs, counters);
            let set = set_digits(codes.len());
            counters.iter_mut().for_each(|counter| counter[set..].fill(EMPTY));
            self.instructions.add_counters(counters, long);
        }
        self.instructions.numbers(long.iter().map(|long| &long[..]), out);
    }
}

/// Number of binary digits of a [`Counter`].
const SHORT_DIGITS: usize = 8;

/// Maximum value of a [`Counter`].
const MAX_SHORT_COUNT: usize = (1 << SHORT_DIGITS) - 1;

/// Number of pairs of guess and code that are added to the counters at a time.
const PAIRS_PER_STEP: usize = 8;

/// Counters of one mark: a plane for each binary digit, the lowest first.
pub(super) type Counter = [Plane; SHORT_DIGITS];

/// For each number of pegs and pair of a step, the lanes with this number.
type Decoded = [[Plane; PAIRS_PER_STEP]; MAX_PLANE_CELLS + 1];

/// Black pegs, and black and white pegs together, of the pairs of a step. This is a reused buffer, since clearing it would take
/// as long as counting a few codes.
#[derive(Debug, Clone)]
struct DecodedPegs {
    black: Decoded,
    total: Decoded,
}

impl DecodedPegs {
    const EMPTY: Self = Self {
        black: [[EMPTY; PAIRS_PER_STEP]; MAX_PLANE_CELLS + 1],
        total: [[EMPTY; PAIRS_PER_STEP]; MAX_PLANE_CELLS + 1],
    };

    /// Computes the pegs of the first `pairs` pairs. The other pairs, up to `PAIRS`, get no lanes.
    #[inline(always)]
    fn set<'a, W: Word, const P: usize, const PAIRS: usize>(
        &mut self,
        token: W::Token,
        pairs: usize,
        part: usize,
        pair: impl Fn(usize) -> (&'a [Plane], &'a PlaneIndices),
    ) {
        for at in 0..pairs {
            let (planes, code) = pair(at);
            decode::<W, P>(sum::<W, P>(token, planes, &code.cells, part), &mut self.black, at, part);
            decode::<W, P>(sum::<W, P>(token, planes, &code.colors, part), &mut self.total, at, part);
        }
        for black in self.black[..=P].iter_mut().flat_map(|black| &mut black[pairs..PAIRS]) {
            W::zero(token).store(black, part);
        }
    }

    /// Returns the lanes in which a pair has a mark.
    #[inline(always)]
    fn with<W: Word>(&self, token: W::Token, (black, total): (usize, usize), at: usize, part: usize) -> W {
        W::load(token, &self.black[black][at], part).and(W::load(token, &self.total[total][at], part))
    }
}

/// Maximum number of marks of codes in bit planes.
const MAX_MARKS: usize = mark_count(MAX_PLANE_CELLS);

/// Returns the number of marks of black and white pegs on a row.
const fn mark_count(cells: usize) -> usize {
    (cells + 1) * (cells + 2) / 2 - 1
}

/// All marks of `P` cells, as black pegs and pegs in total.
struct ClassicMarks<const P: usize>;

impl<const P: usize> ClassicMarks<P> {
    const LISTED: [(usize, usize); MAX_MARKS] = {
        let mut marks = [(0, 0); MAX_MARKS];
        let (mut at, mut black) = (0, 0);
        while black <= P {
            let mut total = black;
            while total <= P {
                // All pegs black except for a white one is impossible.
                if black + 1 != P || total != P {
                    marks[at] = (black, total);
                    at += 1;
                }
                total += 1;
            }
            black += 1;
        }
        marks
    };
    const ALL: &[(usize, usize)] = Self::LISTED.split_at(mark_count(P)).0;
}

/// Returns the number of binary digits of a number.
fn digits(number: usize) -> usize {
    (usize::BITS - number.leading_zeros()) as usize
}

/// Returns the number of digits that [`count`] sets: those that the count can reach, and all that a step adds to.
fn set_digits(codes: usize) -> usize {
    digits(codes).max(PAIRS_PER_STEP.ilog2() as usize)
}

/// Counts the marks of `codes` in every lane of `planes`. Sets the first [`set_digits`] digits of the counters.
#[inline(always)]
fn count<W: Word, const P: usize>(
    token: W::Token,
    planes: &[Plane],
    codes: &[PlaneIndices],
    pegs: &mut DecodedPegs,
    counters: &mut [Counter],
) {
    assert!(codes.len() <= MAX_SHORT_COUNT);
    let digits = set_digits(codes.len());
    for part in 0..W::PARTS {
        for digit in counters.iter_mut().flat_map(|counter| &mut counter[..digits]) {
            W::zero(token).store(digit, part);
        }
        let mut first = 0;
        while first < codes.len() {
            let pair = |at: usize| (planes, &codes[first + at]);
            // The last few pairs need fewer adders.
            first += match codes.len() - first {
                left @ 1..=2 => add_step::<W, P, 2>(token, left, part, pair, pegs, counters, digits),
                left @ 3..=6 => add_step::<W, P, 4>(token, left.min(4), part, pair, pegs, counters, digits),
                left => add_step::<W, P, PAIRS_PER_STEP>(
                    token,
                    left.min(PAIRS_PER_STEP),
                    part,
                    pair,
                    pegs,
                    counters,
                    digits,
                ),
            };
        }
    }
}

/// Adds `pairs` pairs to the counters and returns their number.
#[inline(always)]
fn add_step<'a, W: Word, const P: usize, const PAIRS: usize>(
    token: W::Token,
    pairs: usize,
    part: usize,
    pair: impl Fn(usize) -> (&'a [Plane], &'a PlaneIndices),
    pegs: &mut DecodedPegs,
    counters: &mut [Counter],
    digits: usize,
) -> usize {
    pegs.set::<W, P, PAIRS>(token, pairs, part, pair);
    for (counter, mark) in counters.iter_mut().zip(ClassicMarks::<P>::ALL) {
        add::<W, PAIRS>(token, |at| pegs.with(token, *mark, at, part), &mut counter[..digits], part);
    }
    pairs
}

/// Adds the planes with some indices; returns the four binary digits of the sum of each lane.
#[inline(always)]
fn sum<W: Word, const P: usize>(
    token: W::Token,
    planes: &[Plane],
    indices: &[u16; MAX_PLANE_CELLS],
    part: usize,
) -> [W; 4] {
    let plane =
        |at: usize| if at < P { W::load(token, &planes[usize::from(indices[at])], part) } else { W::zero(token) };
    let (low, first) = W::full_add(plane(0), plane(1), plane(2));
    let (low, second) = W::full_add(low, plane(3), plane(4));
    if P <= 5 {
        return [low, first.xor(second), first.and(second), W::zero(token)];
    }
    let (low, third) = W::full_add(low, plane(5), plane(6));
    let (middle, high) = W::full_add(first, second, third);
    if P <= 7 {
        return [low, middle, high, W::zero(token)];
    }
    let (low, fourth) = (low.xor(plane(7)), low.and(plane(7)));
    let (middle, fifth) = (middle.xor(fourth), middle.and(fourth));
    [low, middle, high.xor(fifth), high.and(fifth)]
}

/// Decodes binary digits to one plane for each number.
#[inline(always)]
fn decode<W: Word, const P: usize>([low, middle, high, eight]: [W; 4], decoded: &mut Decoded, at: usize, part: usize) {
    let bits = [low, middle, high];
    let none = W::equals::<0>(bits);
    let mut set = |pegs: usize, lanes: W| lanes.store(&mut decoded[pegs][at], part);
    set(0, if P >= 8 { eight.not_and(none) } else { none });
    set(1, W::equals::<1>(bits));
    set(2, W::equals::<2>(bits));
    set(3, W::equals::<3>(bits));
    if P >= 4 {
        set(4, W::equals::<4>(bits));
    }
    if P >= 5 {
        set(5, W::equals::<5>(bits));
    }
    if P >= 6 {
        set(6, W::equals::<6>(bits));
    }
    if P >= 7 {
        set(7, W::equals::<7>(bits));
    }
    if P >= 8 {
        set(8, eight);
    }
}

/// Adds two, four or eight planes to a counter.
#[inline(always)]
fn add<W: Word, const PAIRS: usize>(token: W::Token, is: impl Fn(usize) -> W, counter: &mut [Plane], part: usize) {
    let (ones, a) = W::full_add(W::load(token, &counter[0], part), is(0), is(1));
    if PAIRS == 2 {
        ones.store(&mut counter[0], part);
        return carry(token, a, &mut counter[1..], part);
    }
    let (ones, b) = W::full_add(ones, is(2), is(3));
    if PAIRS == 4 {
        ones.store(&mut counter[0], part);
        let (twos, a) = W::full_add(W::load(token, &counter[1], part), a, b);
        twos.store(&mut counter[1], part);
        return carry(token, a, &mut counter[2..], part);
    }
    let (ones, c) = W::full_add(ones, is(4), is(5));
    let (ones, d) = W::full_add(ones, is(6), is(7));
    ones.store(&mut counter[0], part);
    let (twos, a) = W::full_add(W::load(token, &counter[1], part), a, b);
    let (twos, b) = W::full_add(twos, c, d);
    twos.store(&mut counter[1], part);
    let (fours, a) = W::full_add(W::load(token, &counter[2], part), a, b);
    fours.store(&mut counter[2], part);
    carry(token, a, &mut counter[3..], part);
}

/// Adds a carry to binary digits.
#[inline(always)]
fn carry<W: Word>(token: W::Token, mut carry: W, digits: &mut [Plane], part: usize) {
    for digit in digits {
        let before = W::load(token, digit, part);
        before.xor(carry).store(digit, part);
        carry = before.and(carry);
    }
}

/// Adds counters to long ones, which have enough digits for the sum, at least [`SHORT_DIGITS`].
#[inline(always)]
fn add_short_counters<W: Word>(token: W::Token, counters: &[Counter], long: &mut [Vec<Plane>]) {
    for (counter, long) in counters.iter().zip(long) {
        for part in 0..W::PARTS {
            let mut carry = W::zero(token);
            let (low, high) = long.split_at_mut(SHORT_DIGITS);
            for (sum, digit) in low.iter_mut().zip(counter) {
                let (bit, next) = W::full_add(W::load(token, sum, part), W::load(token, digit, part), carry);
                bit.store(sum, part);
                carry = next;
            }
            self::carry(token, carry, high, part);
        }
    }
}

/// Words to which the bits of each byte are spread, one bit per byte.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= ((byte as u64 >> bit) & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// Returns the numbers of up to eight digits in a block of lanes.
#[inline(always)]
fn lane_bytes(digits: &[Plane], block: usize) -> [u8; BLOCK] {
    let mut numbers = [0u64; BLOCK / 8];
    for (place, digit) in digits.iter().enumerate() {
        for (numbers, byte) in numbers.iter_mut().zip(digit.0[block].to_le_bytes()) {
            *numbers |= SPREAD[usize::from(byte)] << place;
        }
    }
    let mut bytes = [0; BLOCK];
    for (bytes, numbers) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
        *bytes = numbers.to_le_bytes();
    }
    bytes
}

/// Computes the numbers of any number of digits in a block of lanes.
#[inline(always)]
fn lane_numbers(digits: &[Plane], block: usize, out: &mut [u32]) {
    out.fill(0);
    for (place, digits) in digits.chunks(8).enumerate() {
        for (out, byte) in out.iter_mut().zip(lane_bytes(digits, block)) {
            *out |= u32::from(byte) << (8 * place);
        }
    }
}

/// Evaluates an expression with the number of cells as a constant.
macro_rules! with_cells {
    ($cells:expr, $constant:ident => $call:expr) => {
        with_cells!($cells, $constant => $call; 3, 4, 5, 6, 7, 8)
    };
    ($cells:expr, $constant:ident => $call:expr; $($number:literal),+) => {
        match $cells {
            $($number => {
                const $constant: usize = $number;
                $call
            })+
            cells => unreachable!("codes of {cells} cells do not fit bit planes"),
        }
    };
}

/// Defines the kernels for a type of register.
macro_rules! kernels {
    ($name:ident, $word:ty $(, $features:literal)?) => {
        mod $name {
            use super::*;

            type Token = <$word as Word>::Token;

            $(#[target_feature(enable = $features)])?
            pub(super) fn count_guesses(
                token: Token,
                guesses: &BitPlanes,
                group: usize,
                codes: &[PlaneIndices],
                pegs: &mut DecodedPegs,
                counters: &mut [Counter],
            ) {
                let planes = guesses.group(group);
                with_cells!(guesses.cells, P => count::<$word, P>(token, planes, codes, pegs, counters));
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn add_counters(token: Token, counters: &[Counter], long: &mut [Vec<Plane>]) {
                add_short_counters::<$word>(token, counters, long);
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn numbers<'a>(
                _: Token,
                counters: impl Iterator<Item = &'a [Plane]>,
                out: &mut [[u32; LANES_PER_PLANE]],
            ) {
                for (digits, out) in counters.zip(out) {
                    for (block, out) in out.chunks_mut(BLOCK).enumerate() {
                        lane_numbers(digits, block, out);
                    }
                }
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn bytes(_: Token, counters: &[Counter], digits: usize, block: usize, counts: &mut [Block]) {
                for (counter, counts) in counters.iter().zip(counts) {
                    *counts = lane_bytes(&counter[..digits], block);
                }
            }
        }
    };
}

kernels!(words, u64);
#[cfg(target_arch = "x86_64")]
kernels!(ymm, Ymm, "avx2,popcnt");
#[cfg(target_arch = "x86_64")]
kernels!(zmm, Zmm, "avx512f,avx512bw,avx512vbmi,avx512vpopcntdq,popcnt");

/// Calls a kernel for the registers of an instruction set.
macro_rules! dispatch {
    ($instructions:expr, $kernel:ident($($argument:expr),*)) => {
        match $instructions {
            // SAFETY: the token proves that the processor has AVX2 and POPCNT.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(token) => unsafe { ymm::$kernel(token, $($argument),*) },
            // SAFETY: the token proves that the processor has these extensions of AVX-512 and POPCNT.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(token) => unsafe { zmm::$kernel(token, $($argument),*) },
            _ => words::$kernel((), $($argument),*),
        }
    };
}

impl Instructions {
    /// Counts the marks of `codes` for each guess of a group; see [`count`].
    fn count_guesses(
        self,
        guesses: &BitPlanes,
        group: usize,
        codes: &[PlaneIndices],
        pegs: &mut DecodedPegs,
        counters: &mut [Counter],
    ) {
        dispatch!(self, count_guesses(guesses, group, codes, pegs, counters));
    }

    fn add_counters(self, counters: &[Counter], long: &mut [Vec<Plane>]) {
        dispatch!(self, add_counters(counters, long));
    }

    /// Converts the counters of each lane to numbers.
    fn numbers<'a>(self, counters: impl Iterator<Item = &'a [Plane]>, out: &mut [[u32; LANES_PER_PLANE]]) {
        #[cfg(target_arch = "x86_64")]
        if let Self::Avx512(_) = self {
            // SAFETY: the token proves that the processor has AVX-512.
            return unsafe { x86::plane_numbers_512(counters, out) };
        }
        dispatch!(self, numbers(counters, out));
    }

    /// Computes the tally of the counters of each lane.
    fn tally_counters(
        self,
        counters: &[Counter],
        digits: usize,
        tally: &Tally,
        counts: &mut [Block],
        out: &mut [u16; LANES_PER_PLANE],
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Self::Avx512(_) = self {
            // SAFETY: the token proves that the processor has AVX-512.
            return unsafe { x86::plane_tally_512(counters, digits, tally, out) };
        }
        for (block, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
            dispatch!(self, bytes(counters, digits, block, counts));
            self.tally(counts, tally, out);
        }
    }
}
