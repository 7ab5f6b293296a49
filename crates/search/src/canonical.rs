//! Canonical forms and keys of sets of codes.
//!
//! Two sets that differ only by a permutation of colors and cells ([`AllowedSymmetries`]) have the same least total, so
//! searches look positions up under a key of a canonical form. The number of occurrences of each color in each cell
//! gives every color and every cell a signature; colors and cells are renamed in the order of their signatures. If
//! signatures tie, the order is arbitrary: equivalent sets may then get different keys, but sets that are not
//! equivalent never share a form. Keys are sums of 128-bit random numbers, one per code, so different forms share a key
//! with probability 2^-128.

use pegwise_game::{Rules, Table, symmetry::AllowedSymmetries};

/// Maximum number of cells for [`canonical_key`]; with [`MAX_KEY_COLORS`], a renamed code fits 60 bits.
const MAX_KEY_CELLS: usize = 12;
/// Maximum number of colors for [`canonical_key`].
const MAX_KEY_COLORS: usize = 32;
/// Maximum number of colors and of cells that [`rename`] accepts.
const MAX_NAMES: usize = 64;

/// Renames colors and cells by signature. `counts` holds the number of codes with each color in each cell, cell by
/// cell; the lengths of `new_color` and `new_cell` are the numbers of colors and cells.
#[inline]
fn rename<N: Copy + Into<u64>>(
    symmetries: AllowedSymmetries,
    counts: &[N],
    new_color: &mut [u32],
    new_cell: &mut [u32],
) {
    let (mut color_signs, mut cell_signs) = ([0u64; MAX_NAMES], [0u64; MAX_NAMES]);
    let (color_signs, cell_signs) = (&mut color_signs[..new_color.len()], &mut cell_signs[..new_cell.len()]);
    // Colors first by their counts alone, then cells by counts and colors, then colors again by cells.
    let rows = || counts.chunks_exact(new_color.len());
    for row in rows() {
        for (sign, &count) in color_signs.iter_mut().zip(row) {
            *sign = sign.wrapping_add(weak_hash(count.into()));
        }
    }
    for (cell, row) in cell_signs.iter_mut().zip(rows()) {
        for (&sign, &count) in color_signs.iter().zip(row) {
            *cell = cell.wrapping_add(weak_hash(sign.wrapping_add(count.into())));
        }
    }
    for (&cell, row) in cell_signs.iter().zip(rows()) {
        for (sign, &count) in color_signs.iter_mut().zip(row) {
            *sign = sign.wrapping_add(weak_hash(cell.wrapping_add(count.into())));
        }
    }
    ranks(color_signs, symmetries.colors, new_color);
    ranks(cell_signs, symmetries.cells, new_cell);
}

/// Writes the rank of each signature in ascending order, or its own index if `may_move` is false.
#[inline]
fn ranks(signs: &[u64], may_move: bool, ranks: &mut [u32]) {
    for (index, &sign) in signs.iter().enumerate() {
        let before = |&(other, &its): &(usize, &u64)| its < sign || (its == sign && other < index);
        let rank = signs.iter().enumerate().filter(before).count();
        ranks[index] = if may_move { rank } else { index } as u32;
    }
}

/// Returns the key of a set of codes without renaming: the sum of a random number per code.
pub fn set_key(codes: &Table) -> u128 {
    let colors = codes.colors() as u64;
    sum_of_randoms(codes, |row| {
        (0..codes.cells()).fold(0, |number, cell| number * colors + u64::from(codes.peg(row, cell)))
    })
}

/// Returns the key shared by all sets of codes with the same canonical form; `None` on boards with too many cells or
/// colors.
pub(crate) fn canonical_key(symmetries: AllowedSymmetries, codes: &Table) -> Option<u128> {
    let (cells, colors) = (codes.cells(), codes.colors());
    if cells > MAX_KEY_CELLS || colors > MAX_KEY_COLORS {
        return None;
    }
    let mut counts = [0u32; MAX_KEY_CELLS * MAX_KEY_COLORS];
    let counts = &mut counts[..cells * colors];
    for row in 0..codes.len() {
        for cell in 0..cells {
            counts[cell * colors + usize::from(codes.peg(row, cell))] += 1;
        }
    }
    let (mut new_color, mut new_cell) = ([0; MAX_KEY_COLORS], [0; MAX_KEY_CELLS]);
    rename(symmetries, counts, &mut new_color[..colors], &mut new_cell[..cells]);
    let weights: [u64; MAX_KEY_CELLS] = std::array::from_fn(|cell| (MAX_KEY_COLORS as u64).pow(new_cell[cell]));
    Some(sum_of_randoms(codes, |row| {
        let digit = |cell: usize| u64::from(new_color[usize::from(codes.peg(row, cell))]);
        (0..cells).map(|cell| digit(cell) * weights[cell]).sum()
    }))
}

/// Returns the sum of the number of codes and a random number per code, where `number` maps rows of the table to
/// distinct numbers.
fn sum_of_randoms(codes: &Table, number: impl Fn(usize) -> u64) -> u128 {
    (0..codes.len()).map(|row| random(number(row))).fold(codes.len() as u128, u128::wrapping_add)
}

/// Returns the random 128-bit number of a code.
#[inline]
fn random(code: u64) -> u128 {
    u128::from(splitmix64(2 * code + 1)) << 64 | u128::from(splitmix64(2 * code + 2))
}

/// Returns a fast hash of low quality. A weak hash only misses symmetries; it never merges different positions.
#[inline]
fn weak_hash(number: u64) -> u64 {
    let number = (number ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Returns the output of the generator SplitMix64 for the state `number`.
#[inline]
pub fn splitmix64(number: u64) -> u64 {
    let number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

/// Maximum number of packed codes for which a table of ranks is built.
const MAX_PACKED: usize = 1 << 20;
/// Entry of a packed number that is not a code of the rules.
const NO_CODE: u16 = u16::MAX;
/// Maximum number of cells times colors for which sets are renamed.
const MAX_COUNTS: usize = 64;
/// Number of keys in the cache of [`CanonicalForms::key`]: 2 MiB.
const RECENT: usize = 1 << 16;

/// Canonical forms of sets of codes of one space, where codes are given by rank.
///
/// A form costs a few operations per code and per color of a cell. The keys of recent sets are cached under the sum of
/// the random numbers of their codes without renaming.
pub struct CanonicalForms {
    symmetries: AllowedSymmetries,
    cells: usize,
    colors: usize,
    /// Colors of every code, cell by cell.
    pegs: Vec<u8>,
    /// Rank of each packed code, whose digits in base `colors` are its colors. Empty if nothing is renamed.
    codes: Vec<u16>,
    /// Random number of each packed code.
    randoms: Vec<u128>,
    /// Cache: sums without renaming, and the keys of the canonical forms.
    recent: Vec<(u128, u128)>,
}

/// Canonical form of a set of codes.
#[derive(Debug, Clone, Copy)]
pub struct CanonicalForm {
    /// Key of the renamed set.
    pub(crate) key: u128,
    /// Contribution of each color in each cell to a packed code, cell by cell.
    digits: [u32; MAX_COUNTS],
}

impl CanonicalForms {
    /// Prepares the canonical forms of sets of `table`, the table of all codes. If no permutation is allowed, or if
    /// there are too many colors and cells, every set is its own form.
    pub fn new(rules: &Rules, table: &Table) -> Self {
        let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
        let packed = u32::try_from(cells).ok().and_then(|cells| colors.checked_pow(cells));
        let packed = packed.filter(|&packed| packed <= MAX_PACKED && cells * colors <= MAX_COUNTS);
        Self::with_packed(packed.unwrap_or(0), rules, table)
    }

    /// Prepares keys of sets of `table`, a list of codes: every set is its own form.
    pub fn without_symmetries(rules: &Rules, table: &Table) -> Self {
        Self::with_packed(0, rules, table)
    }

    fn with_packed(packed: usize, rules: &Rules, table: &Table) -> Self {
        let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
        let mut codes = vec![NO_CODE; packed];
        let randoms = (0..codes.len().max(table.len()) as u64).map(random).collect();
        let mut pegs = Vec::with_capacity(table.len() * cells);
        for row in 0..if codes.is_empty() { 0 } else { table.len() } {
            let first = pegs.len();
            pegs.extend((0..cells).map(|cell| table.peg(row, cell)));
            let number = pegs[first..].iter().fold(0, |number, &peg| number * colors + usize::from(peg));
            codes[number] = row as u16;
        }
        let recent = if codes.is_empty() { Vec::new() } else { vec![(0, 0); RECENT] };
        Self { symmetries: AllowedSymmetries::of_partitions(rules), cells, colors, pegs, codes, randoms, recent }
    }

    /// Returns the form of a set of codes.
    pub fn form(&self, set: &[u16]) -> CanonicalForm {
        let digits = if self.codes.is_empty() { [0; MAX_COUNTS] } else { self.digits(set) };
        let mut form = CanonicalForm { key: 0, digits };
        for &code in set {
            form.key = form.key.wrapping_add(self.randoms[self.pack(&form, code) as usize]);
        }
        form
    }

    /// Returns the key of the form of a set of codes.
    pub fn key(&mut self, set: &[u16]) -> u128 {
        let sum = set.iter().fold(0u128, |sum, &code| sum.wrapping_add(self.randoms[usize::from(code)]));
        if self.codes.is_empty() {
            return sum;
        }
        let at = sum as usize % RECENT;
        let (cached, key) = self.recent[at];
        if cached == sum {
            return key;
        }
        let key = self.form(set).key;
        self.recent[at] = (sum, key);
        key
    }

    /// Returns the new names of colors and cells, as digits of packed codes.
    fn digits(&self, set: &[u16]) -> [u32; MAX_COUNTS] {
        let (cells, colors) = (self.cells, self.colors);
        let mut counts = [0u16; MAX_COUNTS];
        for &code in set {
            let pegs = &self.pegs[usize::from(code) * cells..][..cells];
            for (row, &peg) in counts.chunks_exact_mut(colors).zip(pegs) {
                row[usize::from(peg)] += 1;
            }
        }
        let (mut new_color, mut new_cell) = ([0; MAX_COUNTS], [0; MAX_COUNTS]);
        rename(self.symmetries, &counts[..cells * colors], &mut new_color[..colors], &mut new_cell[..cells]);
        let mut digits = [0; MAX_COUNTS];
        for cell in 0..cells {
            let weight = (colors as u32).pow(new_cell[cell]);
            for color in 0..colors {
                digits[cell * colors + color] = new_color[color] * weight;
            }
        }
        digits
    }

    /// Returns `code` in the names of `form`.
    #[inline]
    pub fn pack(&self, form: &CanonicalForm, code: u16) -> u32 {
        if self.codes.is_empty() {
            return code.into();
        }
        let pegs = &self.pegs[usize::from(code) * self.cells..][..self.cells];
        let rows = form.digits.chunks_exact(self.colors);
        rows.zip(pegs).map(|(row, &peg)| row[usize::from(peg)]).sum()
    }

    /// Returns the code that [`CanonicalForms::pack`] packs to `packed`.
    pub fn unpack(&self, form: &CanonicalForm, packed: u32) -> Option<u16> {
        if self.codes.is_empty() {
            return u16::try_from(packed).ok();
        }
        let colors = self.colors as u32;
        let number = form.digits[..self.cells * self.colors].chunks_exact(self.colors).try_fold(0, |number, row| {
            // The weight of this cell is the digit of the color with the new name 1.
            let weight = row.iter().copied().filter(|&digit| digit > 0).min().unwrap_or(1);
            let digit = packed / weight % colors * weight;
            let color = row.iter().position(|&other| other == digit)?;
            Some(number * self.colors + color)
        })?;
        self.codes.get(number).copied().filter(|&code| code != NO_CODE)
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Code;

    use super::*;
    use crate::rng::Rng;

    #[test]
    fn equivalent_sets_share_a_key_and_others_do_not() {
        for text in ["4x6", "4x6:per-cell"] {
            let rules: Rules = text.parse().unwrap();
            let symmetries = AllowedSymmetries::of_partitions(&rules);
            let all = Table::all(&rules).unwrap();
            let mut forms = CanonicalForms::new(&rules, &all);
            let mut rng = Rng::new(5);
            let table = |codes: &[Code]| Table::from_codes(&rules, codes).unwrap();
            let mut keys = std::collections::HashSet::new();
            let mut same = [0, 0];
            for _ in 0..200 {
                let codes: Vec<Code> = (0..12).map(|_| rng.code(&rules)).collect();
                let renamed: Vec<Code> = codes
                    .iter()
                    .rev()
                    .map(|code| Code::from_indices([2, 0, 3, 1].map(|cell| (code[cell].index() as u16 + 2) % 6)))
                    .collect();
                let [key, other] = [&codes, &renamed].map(|codes| canonical_key(symmetries, &table(codes)).unwrap());
                let [by_rank, other_by_rank] = [&codes, &renamed].map(|codes| {
                    let space = pegwise_game::Space::new(&rules);
                    let ranks: Vec<u16> = codes.iter().map(|code| space.rank(code).unwrap() as u16).collect();
                    let form = forms.form(&ranks);
                    assert!(ranks.iter().all(|&rank| forms.unpack(&form, forms.pack(&form, rank)) == Some(rank)));
                    forms.key(&ranks)
                });
                // Signatures may tie; the order of names is then arbitrary.
                same[0] += usize::from(key == other);
                same[1] += usize::from(by_rank == other_by_rank);
                assert!(keys.insert(key) && keys.insert(by_rank) && keys.insert(set_key(&table(&codes))));
                assert_ne!(set_key(&table(&codes)), set_key(&table(&renamed)));
            }
            assert!(same[0] > 150 && same[0] == same[1], "{text}: {same:?} of 200 sets were recognized");
        }
    }
}
