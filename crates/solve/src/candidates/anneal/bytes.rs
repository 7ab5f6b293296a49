//! Pegs counted in bytes, 32 turns a register of AVX2: the innermost loop of a walk.
//!
//! The compiler makes vectors of the loops over turns, but takes the bytes out one by one to sum them up; and it goes
//! through memory between the two. Here a move is judged in registers from end to end.

use std::arch::x86_64::*;

use super::number::{Exchanged, Lanes, Recolored, SUMS};

/// Adds what the turns cost after a change of color: the sizes of both gaps, or their squares.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn add_recolored<const L: usize, const SQUARES: bool>(
    sums: [i32; SUMS],
    change: Recolored<'_, i8, L>,
) -> [i32; SUMS] {
    let [old, new] = change.colors.map(|color| _mm256_set1_epi8(color));
    // A color that is held once more counts where guesses show more than were held, and one less where they show as many.
    let (less, more) = (_mm256_set1_epi8(change.held[0] - 1), _mm256_set1_epi8(change.held[1]));
    let mut all = load_sums(&sums);
    let shown = change.shown[0].iter().zip(change.shown[1]);
    for (block, ((gaps, guessed), (shown_old, shown_new))) in
        change.gaps.iter().zip(change.guessed).zip(shown).enumerate()
    {
        let mut black = moved(load(&gaps[0]), load(guessed), old, new);
        if let Some(before) = change.before {
            black = moved(black, load(&before[block]), new, old);
        }
        let pegs = _mm256_sub_epi8(load(&gaps[1]), _mm256_cmpgt_epi8(load(shown_new), more));
        let pegs = _mm256_add_epi8(pegs, _mm256_cmpgt_epi8(load(shown_old), less));
        let (black, pegs) = (_mm256_abs_epi8(black), _mm256_abs_epi8(pegs));
        all = if SQUARES {
            _mm256_add_epi32(all, _mm256_add_epi32(squares(black), squares(pegs)))
        } else {
            // Two sizes of at most 127 fit a byte together.
            _mm256_add_epi32(all, sizes(_mm256_add_epi8(black, pegs)))
        };
    }
    stored(all)
}

/// Adds what the black pegs of the turns cost after an exchange: the sizes of their gaps, or the squares.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn add_exchanged<const L: usize, const SQUARES: bool>(
    sums: [i32; SUMS],
    change: Exchanged<'_, i8, L>,
) -> [i32; SUMS] {
    let [first, second] = change.colors.map(|color| _mm256_set1_epi8(color));
    let mut all = load_sums(&sums);
    let guessed = change.guessed[0].iter().zip(change.guessed[1]);
    for (block, (gaps, (one, other))) in change.gaps.iter().zip(guessed).enumerate() {
        let mut black = moved(load(&gaps[0]), load(one), first, second);
        black = moved(black, load(other), second, first);
        if let Some([one, other]) = change.before {
            black = moved(black, load(&one[block]), second, first);
            black = moved(black, load(&other[block]), first, second);
        }
        let black = _mm256_abs_epi8(black);
        all = _mm256_add_epi32(all, if SQUARES { squares(black) } else { sizes(black) });
    }
    stored(all)
}

/// Adds the sizes of bytes above -128.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn add_sizes<const L: usize>(sums: [i32; SUMS], bytes: &Lanes<i8, L>) -> [i32; SUMS] {
    stored(_mm256_add_epi32(load_sums(&sums), sizes(_mm256_abs_epi8(load(bytes)))))
}

/// Adds the squares of bytes above -128.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn add_squares<const L: usize>(sums: [i32; SUMS], bytes: &Lanes<i8, L>) -> [i32; SUMS] {
    stored(_mm256_add_epi32(load_sums(&sums), squares(_mm256_abs_epi8(load(bytes)))))
}

/// The gaps of black pegs after a cell has changed its color.
#[target_feature(enable = "avx2")]
#[inline]
fn moved(gaps: __m256i, guessed: __m256i, old: __m256i, new: __m256i) -> __m256i {
    let gaps = _mm256_sub_epi8(gaps, _mm256_cmpeq_epi8(guessed, new));
    _mm256_add_epi8(gaps, _mm256_cmpeq_epi8(guessed, old))
}

/// Unsigned bytes summed up: four sums of 64 bits, which are never large, and so as good as eight of 32.
#[target_feature(enable = "avx2")]
#[inline]
fn sizes(bytes: __m256i) -> __m256i {
    _mm256_sad_epu8(bytes, _mm256_setzero_si256())
}

/// The squares of bytes of at most 127 summed up: two of them fit 16 bits together.
#[target_feature(enable = "avx2")]
#[inline]
fn squares(bytes: __m256i) -> __m256i {
    _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, bytes), _mm256_set1_epi16(1))
}

#[target_feature(enable = "avx2")]
#[inline]
fn load<const L: usize>(bytes: &Lanes<i8, L>) -> __m256i {
    const { assert!(L == size_of::<__m256i>(), "a register is filled") };
    // SAFETY: there are as many bytes to be read as a register has, wherever they are.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_sums(sums: &[i32; SUMS]) -> __m256i {
    // SAFETY: eight sums are 32 bytes.
    unsafe { _mm256_loadu_si256(sums.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn stored(all: __m256i) -> [i32; SUMS] {
    let mut sums = [0; SUMS];
    // SAFETY: eight sums are 32 bytes.
    unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), all) };
    sums
}
