//! Feedback matrix of a space, and partitions computed from it.
//!
//! A search below a few thousand codes splits the same codes by the same guesses again and again, so the marks of all
//! pairs are computed once, as one byte each: 1.6 MB at 4x6, 25 MB for the 5040 codes of 4x10 without repeats, and at
//! most [`MAX_BYTES`].
//!
//! [`PartCounter`] counts the parts that each guess makes of a few codes, for all guesses at once: each code
//! contributes a row with one mark per guess, each mark becomes a bit, the bits of all rows are combined by OR, and
//! their number is the number of parts. That takes a few instructions per code and 64 guesses.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use pegwise_game::{
    Code, Feedback, Judge, Rules, Space, Table,
    cpu::{Avx2, Avx512},
    partition::Partitioner,
    symmetry::Symmetry,
};

use super::{ExactError, MAX_CODES, bounds::Width, rank};
use pegwise_search::{Watch, clock, secrets::SecretList};

/// Maximum size of the matrix, in bytes.
pub(super) const MAX_BYTES: u64 = 1 << 30;
/// Guesses per block; rows are padded to whole blocks.
pub(super) const BLOCK: usize = 64;
/// Maximum number of different feedbacks: numbers of parts are bytes.
pub(super) const MAX_KINDS: usize = 254;
/// Maximum number of marks in a [`MarkSet`] of one word.
pub(super) const MARKS_PER_WORD: usize = 128;
/// Number of marks computed by a kernel between two checks of the clock: a few milliseconds.
const MARKS_PER_CLOCK_CHECK: usize = 1 << 24;
/// The same for marks computed by the pair function.
const JUDGED_PER_CLOCK_CHECK: usize = 1 << 17;
/// Maximum number of marks that are evaluated to measure the positions after a guess: a fraction of a second.
const MAX_MEASURED_MARKS: usize = 1 << 30;

/// Set of marks below `WORDS * MARKS_PER_WORD`.
#[derive(Clone, Copy)]
pub(super) struct MarkSet<const WORDS: usize>([u128; WORDS]);

impl<const WORDS: usize> MarkSet<WORDS> {
    pub(super) const EMPTY: Self = Self([0; WORDS]);

    #[inline]
    fn place(mark: u8) -> (usize, u128) {
        (if WORDS == 1 { 0 } else { usize::from(mark) / MARKS_PER_WORD }, 1 << (usize::from(mark) % MARKS_PER_WORD))
    }

    /// Inserts a mark; returns true if it is new.
    #[inline]
    pub(super) fn insert(&mut self, mark: u8) -> bool {
        let (word, bit) = Self::place(mark);
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Returns true if a mark was inserted.
    #[inline]
    pub(super) fn contains(&self, mark: u8) -> bool {
        let (word, bit) = Self::place(mark);
        self.0[word] & bit != 0
    }

    /// Returns the number of marks.
    #[inline]
    fn len(&self) -> u8 {
        self.0.iter().map(|word| word.count_ones() as u8).sum()
    }
}

/// Codes that may be the secret, and codes that may be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// All codes of the rules may be either.
    Whole,
    /// Listed codes may be the secret; all codes of the rules may be guessed.
    ListedSecrets,
    /// Listed codes may be the secret, and listed codes may be guessed.
    ListedGuesses,
}

/// Marks of all pairs of codes.
pub(super) struct FeedbackMatrix {
    /// Codes that may be guessed.
    pub(super) table: Table,
    /// Rows of the codes that may be the secret, ascending.
    pub(super) secrets: Vec<u16>,
    pub(super) scope: Scope,
    /// Feedback of each mark.
    pub(super) feedbacks: Vec<Feedback>,
    /// Winning mark.
    pub(super) winning: u8,
    /// Width of the positions after a guess, by mark; meaningless for the winning mark, which ends the game.
    pub(super) widths: Vec<Width>,
    stride: usize,
    /// Row per guess: the mark of each code.
    by_guess: Vec<u8>,
    /// Row per code: the mark of each guess. Empty if the feedback is symmetric.
    by_code: Vec<u8>,
}

impl FeedbackMatrix {
    /// Computes the matrix of a space of at most [`MAX_BYTES`]; an error if stopped.
    pub(super) fn new(rules: &Rules, watch: Watch<'_>) -> Result<Self, ExactError> {
        Self::within(MAX_BYTES, rules, watch)
    }

    /// Computes the matrix of a space if it takes at most `bytes` bytes.
    pub(super) fn within(bytes: u64, rules: &Rules, watch: Watch<'_>) -> Result<Self, ExactError> {
        // Spaces that are too large are refused before they are listed.
        let codes = Space::new(rules).count().exact().filter(|&codes| codes <= Table::MAX_CODES.into());
        if let Some(codes) = codes.map(|codes| codes as usize)
            && (codes > u16::MAX.into() || (codes * codes.next_multiple_of(BLOCK)) as u64 > bytes)
        {
            return Err(ExactError::TooManyCodes { codes });
        }
        let table = Table::all(rules)?;
        let secrets = (0..table.len()).map(|row| row as u16).collect();
        Self::of_table(rules, table, secrets, Scope::Whole, watch)
    }

    /// Computes the matrix of a list of secrets.
    pub(super) fn of_list(list: &SecretList, watch: Watch<'_>) -> Result<Self, ExactError> {
        let rules = list.rules();
        let Some(guesses) = list.guesses() else {
            // Widths of all secrets also hold for some of them.
            let whole = Self::new(rules, watch)?;
            let secrets = list.codes().iter().filter_map(|code| rank(rules, code)).collect();
            return Ok(Self { secrets, scope: Scope::ListedSecrets, ..whole });
        };
        if guesses.len() > MAX_CODES {
            return Err(ExactError::TooManyCodes { codes: guesses.len() });
        }
        let table = Table::from_codes(rules, guesses)?;
        let secrets = (0..).zip(guesses).filter(|(_, code)| list.codes().binary_search(code).is_ok());
        let secrets = secrets.map(|(row, _)| row).collect();
        Self::of_table(rules, table, secrets, Scope::ListedGuesses, watch)
    }

    /// Returns the row of a code; `None` if it may not be guessed.
    pub(super) fn row(&self, rules: &Rules, code: &Code) -> Option<u16> {
        match self.scope {
            Scope::ListedGuesses => (0..).zip(self.table.codes()).find(|(_, other)| other == code).map(|(row, _)| row),
            Scope::Whole | Scope::ListedSecrets => rank(rules, code),
        }
    }

    /// Returns the row of a first guess; an error if it may not be guessed or does not split the secrets.
    pub(super) fn first_guess(&self, rules: &Rules, code: &Code) -> Result<u16, ExactError> {
        let wrong = || ExactError::WrongFirstGuess { rules: rules.to_string() };
        let guess = self.row(rules, code).ok_or_else(wrong)?;
        let mark = |&code: &u16| self.of_guess(guess)[usize::from(code)];
        let first = self.secrets.first().map(mark);
        let splits = first == Some(self.winning) || self.secrets.iter().any(|code| Some(mark(code)) != first);
        if splits { Ok(guess) } else { Err(ExactError::UselessFirstGuess) }
    }

    fn of_table(
        rules: &Rules,
        table: Table,
        secrets: Vec<u16>,
        scope: Scope,
        watch: Watch<'_>,
    ) -> Result<Self, ExactError> {
        let stride = table.len().next_multiple_of(BLOCK);
        let mut by_guess = vec![0; table.len() * stride];
        let clock = |row: usize, marks: usize| {
            clock::work(stride as u64);
            let rows = (marks / stride).max(1);
            if row % rows < rows - 1 {
                Ok(())
            } else {
                watch.stop().map_or(Ok(()), |stop| Err(ExactError::Stopped(stop)))
            }
        };
        let partitioner = Partitioner::new(rules);
        let feedbacks = match partitioner.batch_kernel() {
            Some(lanes) => {
                let possible = lanes.encoding().possible();
                if possible.len() > MAX_KINDS {
                    return Err(ExactError::TooManyFeedbacks { feedbacks: possible.len() });
                }
                let mut number = [0u8; 256];
                for (index, &byte) in (0..).zip(possible) {
                    number[usize::from(byte)] = index;
                }
                let mut marks = Vec::with_capacity(stride);
                for (guess, row) in by_guess.chunks_exact_mut(stride).enumerate() {
                    lanes.marks(&table.code(guess), &table, &mut marks);
                    for (to, &mark) in row.iter_mut().zip(&marks) {
                        *to = number[usize::from(mark)];
                    }
                    clock(guess, MARKS_PER_CLOCK_CHECK)?;
                }
                possible.iter().map(|&byte| Feedback::new([lanes.encoding().mark(byte)])).collect()
            }
            None => Self::judge_all(rules, &table, stride, &mut by_guess, |row| clock(row, JUDGED_PER_CLOCK_CHECK))?,
        };
        let symmetric = rules.feedback().model().is_symmetric();
        let mut by_code = Vec::new();
        if !symmetric {
            by_code = vec![0; table.len() * stride];
            for guess in 0..table.len() {
                for code in 0..table.len() {
                    by_code[code * stride + guess] = by_guess[guess * stride + code];
                }
                clock(guess, MARKS_PER_CLOCK_CHECK / 8)?;
            }
        }
        let (winning, widths) = (by_guess[0], vec![Width::of_kinds(feedbacks.len()); feedbacks.len()]);
        let mut matrix = Self { table, secrets, scope, feedbacks, winning, widths, stride, by_guess, by_code };
        matrix.measure(rules, watch);
        Ok(matrix)
    }

    /// Computes a width for each mark of the first guess, which bounds the width of every later position. Equivalent guesses
    /// have equal widths; none are equivalent on a list. If there are too many guesses, or when stopped, all positions keep
    /// the greatest width.
    fn measure(&mut self, rules: &Rules, watch: Watch<'_>) {
        let symmetry = Symmetry::new(rules, &[]);
        let is_first =
            |&guess: &u16| self.scope != Scope::Whole || symmetry.is_representative(&self.table.code(guess.into()));
        let firsts: Vec<u16> = (0..self.len() as u16).filter(is_first).collect();
        if firsts.len() * self.secrets.len() * self.stride > MAX_MEASURED_MARKS {
            return;
        }
        let kernel = PartCounter::available(self.kinds())[0];
        let (mut widths, mut split) = (vec![Width::new(0, 0); self.kinds()], Split::default());
        let mut parts = vec![0; self.stride];
        for guess in firsts {
            if watch.stop().is_some() {
                return;
            }
            split.of(self, guess, &self.secrets);
            for (mark, part) in split.parts() {
                kernel.parts(self, part, 0, &mut parts);
                let own = part.iter().map(|&code| std::mem::take(&mut parts[usize::from(code)])).max().unwrap_or(0);
                let other = parts[..self.len()].iter().fold(0, |most, &parts| most.max(parts));
                let width = &mut widths[usize::from(mark)];
                *width = width.max(Width::new(own, other));
            }
            clock::work((self.secrets.len() * self.stride) as u64);
        }
        self.widths = widths;
    }

    /// Computes the marks of boards without packed marks by the pair function. Calls `clock` after every row.
    fn judge_all(
        rules: &Rules,
        table: &Table,
        stride: usize,
        marks: &mut [u8],
        clock: impl Fn(usize) -> Result<(), ExactError>,
    ) -> Result<Vec<Feedback>, ExactError> {
        let codes: Vec<Code> = table.codes().collect();
        let mut judge = Judge::new(rules);
        let mut numbers: BTreeMap<Feedback, usize> = BTreeMap::new();
        let mut feedbacks = Vec::new();
        for ((at, guess), row) in codes.iter().enumerate().zip(marks.chunks_exact_mut(stride)) {
            for (code, to) in codes.iter().zip(row) {
                let feedback = judge.feedback(guess, code);
                let number = *numbers.entry(feedback).or_insert_with_key(|feedback| {
                    feedbacks.push(feedback.clone());
                    feedbacks.len() - 1
                });
                if number >= MAX_KINDS {
                    return Err(ExactError::TooManyFeedbacks { feedbacks: number + 1 });
                }
                *to = number as u8;
            }
            clock(at)?;
        }
        Ok(feedbacks)
    }

    /// Returns the number of codes.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns the number of different feedbacks.
    #[inline]
    pub(super) fn kinds(&self) -> usize {
        self.feedbacks.len()
    }

    /// Returns the mark of each code for this guess.
    #[inline]
    pub(super) fn of_guess(&self, guess: u16) -> &[u8] {
        &self.by_guess[usize::from(guess) * self.stride..][..self.stride]
    }

    /// Returns the mark of each guess for this code.
    #[inline]
    pub(super) fn of_code(&self, code: u16) -> &[u8] {
        let marks = if self.by_code.is_empty() { &self.by_guess } else { &self.by_code };
        &marks[usize::from(code) * self.stride..][..self.stride]
    }

    /// Returns the length of a row, including padding.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.stride
    }
}

/// Kernels that count parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartCounter {
    /// 64 guesses per register.
    Avx512(Avx512),
    /// 32 guesses per register, for at most 16 marks.
    Avx2(Avx2),
    /// One guess at a time.
    Portable,
}

impl PartCounter {
    /// Returns the kernels that this machine has for `kinds` marks, fastest first.
    pub(super) fn available(kinds: usize) -> Vec<Self> {
        let wide = Avx512::detect().filter(|_| kinds <= 64).map(Self::Avx512);
        let narrow = Avx2::detect().filter(|_| kinds <= 16).map(Self::Avx2);
        [wide, narrow, Some(Self::Portable)].into_iter().flatten().collect()
    }

    /// Counts the parts that the guesses from `first` on make of the codes. `first` and the length of `out` are
    /// multiples of [`BLOCK`]; numbers past the last guess are meaningless.
    #[inline]
    pub(super) fn parts(self, matrix: &FeedbackMatrix, codes: &[u16], first: usize, out: &mut [u8]) {
        assert!(out.len().is_multiple_of(BLOCK) && first + out.len() <= matrix.stride(), "a list of other guesses");
        match self {
            // SAFETY: the token shows that the processor has AVX-512.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { x86::parts_512(matrix, codes, first, out) },
            // SAFETY: the token shows that the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => unsafe { x86::parts_256(matrix, codes, first, out) },
            _ if matrix.kinds() <= MARKS_PER_WORD => portable::<1>(matrix, codes, first, out),
            _ => portable::<2>(matrix, codes, first, out),
        }
    }

    /// Returns the sums, for each guess of the block from `first` on and each part but the winning one, the excess of
    /// its size over each of the `thresholds` of its mark; [`u16::MAX`] if the sum is larger or a part has more than
    /// `most` codes.
    #[inline]
    pub(super) fn excess(
        self,
        matrix: &FeedbackMatrix,
        codes: &[u16],
        first: usize,
        (thresholds, most): (&[Vec<u16>], u16),
        out: &mut [u16; BLOCK],
    ) {
        match self {
            // SAFETY: the token shows that the processor has AVX-512.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { x86::excess_512(matrix, codes, first, (thresholds, most), out) },
            // SAFETY: the token shows that the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => unsafe { x86::excess_256(matrix, codes, first, (thresholds, most), out) },
            _ => excess(matrix, codes, first, (thresholds, most), out),
        }
    }
}

/// Computes [`PartCounter::excess`] in plain loops, which the compiler vectorizes.
#[inline(always)]
fn excess(
    matrix: &FeedbackMatrix,
    codes: &[u16],
    first: usize,
    (thresholds, most): (&[Vec<u16>], u16),
    out: &mut [u16; BLOCK],
) {
    out.fill(0);
    for mark in (0..matrix.kinds() as u8).filter(|&mark| mark != matrix.winning) {
        let mut sizes = [0u16; BLOCK];
        for codes in codes.chunks(u8::MAX.into()) {
            let mut counts = [0u8; BLOCK];
            for &code in codes {
                let marks = &matrix.of_code(code)[first..first + BLOCK];
                for (count, &other) in counts.iter_mut().zip(marks) {
                    *count += u8::from(other == mark);
                }
            }
            sizes.iter_mut().zip(counts).for_each(|(size, count)| *size += u16::from(count));
        }
        for &threshold in &thresholds[usize::from(mark)] {
            for (out, size) in out.iter_mut().zip(sizes) {
                *out = out.saturating_add(size.saturating_sub(threshold));
            }
        }
        for (out, size) in out.iter_mut().zip(sizes) {
            *out |= if size > most { u16::MAX } else { 0 };
        }
    }
}

fn portable<const WORDS: usize>(matrix: &FeedbackMatrix, codes: &[u16], first: usize, out: &mut [u8]) {
    for (first, out) in (first..).step_by(BLOCK).zip(out.chunks_exact_mut(BLOCK)) {
        let mut seen = [MarkSet::<WORDS>::EMPTY; BLOCK];
        for &code in codes {
            for (seen, &mark) in seen.iter_mut().zip(&matrix.of_code(code)[first..]) {
                seen.insert(mark);
            }
        }
        for (out, seen) in out.iter_mut().zip(seen) {
            *out = seen.len();
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{BLOCK, FeedbackMatrix, excess};

    /// # Safety
    /// The machine has AVX-512 F and BW.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) unsafe fn excess_512(
        matrix: &FeedbackMatrix,
        codes: &[u16],
        first: usize,
        limits: (&[Vec<u16>], u16),
        out: &mut [u16; BLOCK],
    ) {
        excess(matrix, codes, first, limits, out);
    }

    /// # Safety
    /// The machine has AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn excess_256(
        matrix: &FeedbackMatrix,
        codes: &[u16],
        first: usize,
        limits: (&[Vec<u16>], u16),
        out: &mut [u16; BLOCK],
    ) {
        excess(matrix, codes, first, limits, out);
    }

    /// # Safety
    /// The machine has AVX-512 F, BW, VBMI and BITALG, and there are at most 64 marks.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
    pub(super) unsafe fn parts_512(matrix: &FeedbackMatrix, codes: &[u16], first: usize, out: &mut [u8]) {
        match matrix.kinds().div_ceil(8) {
            0..=1 => groups::<1>(matrix, codes, first, out),
            2 => groups::<2>(matrix, codes, first, out),
            3 => groups::<3>(matrix, codes, first, out),
            4 => groups::<4>(matrix, codes, first, out),
            _ => groups::<8>(matrix, codes, first, out),
        }
    }

    /// Counts the distinct marks of each guess. Marks are processed in groups of eight: one byte per guess, one bit per mark.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
    fn groups<const GROUPS: usize>(matrix: &FeedbackMatrix, codes: &[u16], first: usize, out: &mut [u8]) {
        let mut bits = [_mm512_setzero_si512(); GROUPS];
        for (group, bits) in bits.iter_mut().enumerate() {
            let mut table = [0u8; BLOCK];
            (0..8).for_each(|bit| table[group * 8 + bit] = 1 << bit);
            // SAFETY: the table is as long as the register.
            *bits = unsafe { _mm512_loadu_si512(table.as_ptr().cast()) };
        }
        for (first, out) in (first..).step_by(BLOCK).zip(out.chunks_exact_mut(BLOCK)) {
            let mut seen = [_mm512_setzero_si512(); GROUPS];
            for &code in codes {
                let marks = &matrix.of_code(code)[first..first + BLOCK];
                // SAFETY: a block of marks is as long as the register.
                let marks = unsafe { _mm512_loadu_si512(marks.as_ptr().cast()) };
                for (seen, bits) in seen.iter_mut().zip(bits) {
                    *seen = _mm512_or_si512(*seen, _mm512_permutexvar_epi8(marks, bits));
                }
            }
            let mut parts = _mm512_setzero_si512();
            for seen in seen {
                parts = _mm512_add_epi8(parts, _mm512_popcnt_epi8(seen));
            }
            // SAFETY: a block of numbers is as long as the register.
            unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), parts) };
        }
    }

    /// # Safety
    /// The machine has AVX2, and there are at most 16 marks.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn parts_256(matrix: &FeedbackMatrix, codes: &[u16], first: usize, out: &mut [u8]) {
        const HALF: usize = BLOCK / 2;
        let table = |low: i64, high: i64| _mm256_setr_epi64x(low, high, low, high);
        let one_bit = 0x8040_2010_0804_0201_u64 as i64;
        let (low_bits, high_bits) = (table(one_bit, 0), table(0, one_bit));
        let half_byte = _mm256_set1_epi8(0x0F);
        // The number of bits of 0 to 15.
        let ones = table(0x0302_0201_0201_0100, 0x0403_0302_0302_0201);
        for (first, out) in (first..).step_by(HALF).zip(out.chunks_exact_mut(HALF)) {
            let (mut low, mut high) = (_mm256_setzero_si256(), _mm256_setzero_si256());
            for &code in codes {
                let marks = &matrix.of_code(code)[first..first + HALF];
                // SAFETY: half a block of marks is as long as the register.
                let marks = unsafe { _mm256_loadu_si256(marks.as_ptr().cast()) };
                low = _mm256_or_si256(low, _mm256_shuffle_epi8(low_bits, marks));
                high = _mm256_or_si256(high, _mm256_shuffle_epi8(high_bits, marks));
            }
            let count = |bits: __m256i| {
                let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bits), half_byte);
                let lower = _mm256_and_si256(bits, half_byte);
                _mm256_add_epi8(_mm256_shuffle_epi8(ones, upper), _mm256_shuffle_epi8(ones, lower))
            };
            let parts = _mm256_add_epi8(count(low), count(high));
            // SAFETY: half a block of numbers is as long as the register.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), parts) };
        }
    }
}

/// Codes of a position sorted by part.
#[derive(Default)]
pub(super) struct Split {
    codes: Vec<u16>,
    /// Start, end and mark of each part, without the winning part.
    parts: Vec<(u32, u32, u8)>,
    wins: bool,
}

impl Split {
    pub(super) fn of(&mut self, matrix: &FeedbackMatrix, guess: u16, set: &[u16]) {
        let row = matrix.of_guess(guess);
        let mut ends = [0u32; MAX_KINDS];
        for &code in set {
            ends[usize::from(row[usize::from(code)])] += 1;
        }
        self.parts.clear();
        self.wins = ends[usize::from(matrix.winning)] > 0;
        let mut at = 0;
        for (mark, end) in (0..).zip(&mut ends[..matrix.kinds()]) {
            let size = *end;
            if size > 0 && mark != matrix.winning {
                self.parts.push((at, at + size, mark));
            }
            *end = at;
            at += size;
        }
        self.codes.resize(set.len(), 0);
        for &code in set {
            let end = &mut ends[usize::from(row[usize::from(code)])];
            self.codes[*end as usize] = code;
            *end += 1;
        }
        // The largest part first: its bound is farthest from its total, so it is the most likely to rule out the guess.
        self.parts.sort_unstable_by_key(|&(first, end, mark)| (Reverse(end - first), mark));
    }

    pub(super) fn wins(&self) -> bool {
        self.wins
    }

    pub(super) fn parts(&self) -> impl DoubleEndedIterator<Item = (u8, &[u16])> + ExactSizeIterator {
        self.parts.iter().map(|&(first, end, mark)| (mark, &self.codes[first as usize..end as usize]))
    }
}

/// Partitions of a position seen so far, by fingerprint: a guess that makes the partition, and whether it can win.
#[derive(Default)]
pub(super) struct SeenPartitions(HashMap<u64, (u16, bool)>);

impl SeenPartitions {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns true if no earlier guess with the same value of `wins` makes the same partition. Proofs depend on it, so
    /// equal fingerprints are verified by comparison.
    #[inline]
    pub(super) fn is_new(&mut self, matrix: &FeedbackMatrix, set: &[u16], guess: u16, wins: bool) -> bool {
        let row = matrix.of_guess(guess);
        let marks = set.iter().map(|&code| row[usize::from(code)]);
        let print = match matrix.kinds() {
            0..=16 => partition_fingerprint::<16>(marks, wins),
            17..=32 => partition_fingerprint::<32>(marks, wins),
            33..=128 => partition_fingerprint::<128>(marks, wins),
            _ => partition_fingerprint::<MAX_KINDS>(marks, wins),
        };
        self.is_new_under(print, matrix, set, guess, wins)
    }

    /// Like [`SeenPartitions::is_new`], with a known fingerprint.
    #[inline]
    pub(super) fn is_new_under(
        &mut self,
        print: u64,
        matrix: &FeedbackMatrix,
        set: &[u16],
        guess: u16,
        wins: bool,
    ) -> bool {
        let &mut (other, other_wins) = self.0.entry(print).or_insert((guess, wins));
        other == guess || wins != other_wins || !alike(matrix.of_guess(guess), matrix.of_guess(other), set)
    }
}

/// Returns true if two guesses make the same partition.
fn alike(one: &[u8], other: &[u8], set: &[u16]) -> bool {
    let (mut there, mut back) = ([u8::MAX; MAX_KINDS], [u8::MAX; MAX_KINDS]);
    set.iter().all(|&code| {
        let (mark, same) = (one[usize::from(code)], other[usize::from(code)]);
        let (there, back) = (&mut there[usize::from(mark)], &mut back[usize::from(same)]);
        if *there == u8::MAX && *back == u8::MAX {
            (*there, *back) = (same, mark);
        }
        *there == same && *back == mark
    })
}

/// Returns a fingerprint of a partition, given the mark of each code, and of `wins`. Marks are below `KINDS`; the
/// fingerprint does not depend on which mark a part has.
#[inline]
pub(crate) fn partition_fingerprint<const KINDS: usize>(marks: impl Iterator<Item = u8>, wins: bool) -> u64 {
    let mut sums = [0u64; KINDS];
    for (number, mark) in (1u64..).zip(marks) {
        let random = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let sum = &mut sums[usize::from(mark)];
        *sum = sum.wrapping_add((random ^ random >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9));
    }
    let mix = |sum: u64| (sum ^ sum >> 32).wrapping_mul(0x94D0_49BB_1331_11EB).rotate_left(23);
    sums.iter().fold(wins.into(), |print: u64, &sum| print.wrapping_add(mix(sum)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    use pegwise_search::{Rng, Watch};

    #[test]
    fn all_kernels_agree_with_sets_of_marks() {
        for rules in ["3x5", "4x4:no-repeats", "5x3", "3x4:higher-lower", "5x4:black-only", "grid:2x2x3"] {
            let matrix = FeedbackMatrix::new(&rules.parse().unwrap(), Watch::default()).unwrap();
            for step in [1, 3, 7, 29] {
                let codes: Vec<u16> = (0..matrix.len() as u16).step_by(step).collect();
                for kernel in PartCounter::available(matrix.kinds()) {
                    let mut parts = vec![0; matrix.stride()];
                    kernel.parts(&matrix, &codes, 0, &mut parts);
                    for (guess, &parts) in (0..matrix.len() as u16).zip(&parts) {
                        let row = matrix.of_guess(guess);
                        let marks: BTreeSet<u8> = codes.iter().map(|&code| row[usize::from(code)]).collect();
                        assert_eq!(usize::from(parts), marks.len(), "{rules} {kernel:?} {guess}");
                    }
                    for (thresholds, most) in [(vec![1, 4, 9], u16::MAX), (vec![1, 3], 20), (vec![0; 99], u16::MAX)] {
                        let (mut out, of_marks) = ([0; BLOCK], vec![thresholds.clone(); matrix.kinds()]);
                        kernel.excess(&matrix, &codes, 0, (&of_marks, most), &mut out);
                        for (guess, &found) in (0..matrix.len() as u16).zip(&out) {
                            let parts = parts_by_mark(&matrix, guess, &codes);
                            let sizes =
                                || parts.iter().filter(|part| *part.0 != matrix.winning).map(|part| part.1.len());
                            let excess = |size: usize| {
                                thresholds.iter().map(|&threshold| size.saturating_sub(threshold.into())).sum::<usize>()
                            };
                            let too_large = sizes().any(|size| size > most.into());
                            let sum = if too_large { usize::MAX } else { sizes().map(excess).sum() };
                            assert_eq!(usize::from(found), sum.min(u16::MAX.into()), "{rules} {kernel:?} {guess}");
                        }
                    }
                }
            }
        }
    }

    fn parts_by_mark(matrix: &FeedbackMatrix, guess: u16, set: &[u16]) -> BTreeMap<u8, Vec<u16>> {
        let mut parts: BTreeMap<u8, Vec<u16>> = BTreeMap::new();
        set.iter().for_each(|&code| parts.entry(matrix.of_guess(guess)[usize::from(code)]).or_default().push(code));
        parts
    }

    /// Returns the partition of a set by a guess.
    fn parts(matrix: &FeedbackMatrix, guess: u16, set: &[u16]) -> BTreeSet<Vec<u16>> {
        parts_by_mark(matrix, guess, set).into_values().collect()
    }

    /// Every position after any guess, and random subsets of it.
    #[test]
    fn widths_hold_after_every_guess() {
        let mut rng = Rng::new(2);
        for rules in ["3x4", "3x4:no-repeats", "3x4:black-only", "2x4:higher-lower", "2x4:per-cell", "grid:2x2x2"] {
            let rules: Rules = rules.parse().unwrap();
            let matrix = FeedbackMatrix::new(&rules, Watch::default()).unwrap();
            let all: Vec<u16> = (0..matrix.len() as u16).collect();
            for &guess in &all {
                let parts_below = parts_by_mark(&matrix, guess, &all).into_iter();
                for (mark, part) in parts_below.filter(|part| part.0 != matrix.winning) {
                    let kept: Vec<u16> = part.iter().copied().filter(|_| rng.index(3) > 0).collect();
                    for set in [part, kept].iter().filter(|set| !set.is_empty()) {
                        let most = |own: bool| {
                            let guesses = all.iter().filter(|&guess| set.contains(guess) == own);
                            guesses.map(|&guess| parts(&matrix, guess, set).len()).max().unwrap_or(0) as u8
                        };
                        let (width, limit) = (Width::new(most(true), most(false)), matrix.widths[usize::from(mark)]);
                        assert_eq!(width.min(limit), width, "{rules} {guess} {mark}");
                    }
                }
            }
        }
    }

    #[test]
    fn guesses_are_compared_and_not_only_their_fingerprints() {
        let matrix = FeedbackMatrix::new(&"3x4".parse().unwrap(), Watch::default()).unwrap();
        let mut rng = Rng::new(1);
        for size in 2..12 {
            let mut set: Vec<u16> = (0..size).map(|_| rng.index(matrix.len()) as u16).collect();
            set.sort_unstable();
            set.dedup();
            let (mut seen, mut ways) = (SeenPartitions::default(), BTreeSet::new());
            for guess in 0..matrix.len() as u16 {
                let wins = set.contains(&guess);
                let way = (parts(&matrix, guess, &set), wins);
                // As if all partitions had the fingerprint of the first.
                let mut alone = SeenPartitions::default();
                alone.is_new_under(7, &matrix, &set, 0, set.contains(&0));
                let first = (parts(&matrix, 0, &set), set.contains(&0));
                assert_eq!(
                    alone.is_new_under(7, &matrix, &set, guess, wins),
                    guess == 0 || way != first,
                    "{set:?} {guess}"
                );
                assert_eq!(seen.is_new(&matrix, &set, guess, wins), ways.insert(way), "{set:?} {guess}");
            }
        }
    }
}
