//! A columnar table of codes: for every block of 64 codes, a column of pegs for each cell, then a column of counts for each
//! color.
//!
//! A guess is compared with one column at a time, so a vector register scores dozens of codes at once. The columns of a block
//! are contiguous, each on its own cache line. A table takes `cells + colors` bytes per code.

use crate::{code::Code, color::Color, rules::Rules, space::Space};

/// Number of codes in a block: the bytes of a 512-bit register.
pub(crate) const BLOCK: usize = 64;

/// Peg that equals no color. It pads the last block.
const NO_COLOR: u8 = u8::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct BlockColumn(pub(crate) [u8; BLOCK]);

/// A list of codes in columnar layout, in insertion order.
///
/// ```
/// use pegwise_game::{Rules, Table};
/// let rules: Rules = "4x6".parse().unwrap();
/// let table = Table::all(&rules).unwrap();
/// assert_eq!(table.len(), 1296);
/// assert_eq!(table.code(7).notation(6).to_string(), "1122");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    cells: usize,
    colors: usize,
    len: usize,
    /// For each block, a column for each cell, then one for each color.
    columns: Vec<BlockColumn>,
}

/// Error for codes that do not fit a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// More colors than fit in a byte.
    #[error("a table of codes holds at most {max} colors, but these rules have {0}", max = Table::MAX_COLORS)]
    TooManyColors(u16),
    /// More cells than fit in a byte.
    #[error("a table of codes holds at most {max} cells, but these rules have {0}", max = Table::MAX_CELLS)]
    TooManyCells(usize),
    /// Number of codes in a space that is too large to list, and the maximum.
    #[error("{0} codes are too many to list; the maximum is {1}")]
    TooManyCodes(String, u64),
}

impl Table {
    /// Maximum number of colors.
    pub const MAX_COLORS: u16 = 255;
    /// Maximum number of cells.
    pub const MAX_CELLS: usize = 255;
    /// Maximum number of codes that [`Table::all`] lists: 8x8 and 7x10 fit.
    pub const MAX_CODES: u64 = 1 << 25;

    /// Creates an empty table for the codes of `rules`.
    pub fn new(rules: &Rules) -> Result<Self, TableError> {
        let (cells, colors) = (rules.cells(), rules.colors());
        if colors > Self::MAX_COLORS {
            return Err(TableError::TooManyColors(colors));
        }
        if cells > Self::MAX_CELLS {
            return Err(TableError::TooManyCells(cells));
        }
        Ok(Self { cells, colors: colors.into(), len: 0, columns: Vec::new() })
    }

    /// Creates a table of all codes, in the order of [`Space::iter`].
    pub fn all(rules: &Rules) -> Result<Self, TableError> {
        let space = Space::new(rules);
        let count = space.count();
        let fits = count.exact().and_then(|count| u64::try_from(count).ok()).filter(|&count| count <= Self::MAX_CODES);
        let Some(codes) = fits else {
            return Err(TableError::TooManyCodes(count.to_string(), Self::MAX_CODES));
        };
        let mut table = Self::new(rules)?;
        table.columns.reserve_exact((codes as usize).div_ceil(BLOCK) * table.width());
        let mut code = space.first();
        loop {
            table.push(&code);
            if !space.advance(&mut code) {
                return Ok(table);
            }
        }
    }

    /// Creates a table of `codes`, in their order.
    pub fn from_codes<'a>(rules: &Rules, codes: impl IntoIterator<Item = &'a Code>) -> Result<Self, TableError> {
        let mut table = Self::new(rules)?;
        for code in codes {
            table.push(code);
        }
        Ok(table)
    }

    /// Appends a code.
    ///
    /// # Panics
    /// Panics if the code has a different number of cells or a color outside the rules.
    pub fn push(&mut self, code: &[Color]) {
        assert_eq!(code.len(), self.cells, "a code of other rules");
        assert!(code.iter().all(|color| color.index() < self.colors), "a code of other rules");
        let lane = self.grow();
        let width = self.width();
        let start = self.columns.len() - width;
        let (pegs, counts) = self.columns[start..].split_at_mut(self.cells);
        for (column, color) in pegs.iter_mut().zip(code) {
            column.0[lane] = color.index() as u8;
            counts[color.index()].0[lane] += 1;
        }
    }

    /// Makes room for one more code and returns its lane in the last block.
    fn grow(&mut self) -> usize {
        let lane = self.len % BLOCK;
        if lane == 0 {
            self.push_block();
        }
        self.len += 1;
        lane
    }

    /// Appends an empty block.
    fn push_block(&mut self) {
        self.columns.extend(std::iter::repeat_n(BlockColumn([NO_COLOR; BLOCK]), self.cells));
        self.columns.extend(std::iter::repeat_n(BlockColumn([0; BLOCK]), self.colors));
    }

    /// Returns the number of columns of a block.
    #[inline]
    fn width(&self) -> usize {
        self.cells + self.colors
    }

    /// Returns a table of the codes at some rows, in the order given.
    ///
    /// # Panics
    /// Panics if a row is out of range.
    pub fn select(&self, rows: &[u32]) -> Self {
        let mut selected = Self { cells: self.cells, colors: self.colors, len: 0, columns: Vec::new() };
        self.select_into(rows, &mut selected);
        selected
    }

    /// Like [`Table::select`], but replaces the codes of an existing table.
    ///
    /// # Panics
    /// Panics if a row is out of range, or the table has other rules.
    pub fn select_into(&self, rows: &[u32], selected: &mut Self) {
        assert_eq!((self.cells, self.colors), (selected.cells, selected.colors), "a table of other rules");
        let width = self.width();
        selected.len = rows.len();
        selected.columns.clear();
        selected.columns.reserve(rows.len().div_ceil(BLOCK) * width);
        for rows in rows.chunks(BLOCK) {
            let start = selected.columns.len();
            selected.push_block();
            let block = &mut selected.columns[start..];
            // Row by row: the columns of a source row are contiguous.
            for (lane, &row) in rows.iter().enumerate() {
                let row = row as usize;
                let from = &self.columns[row / BLOCK * width..][..width];
                for (to, from) in block.iter_mut().zip(from) {
                    to.0[lane] = from.0[row % BLOCK];
                }
            }
        }
    }

    /// Returns the number of codes.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the table is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of cells of a code.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Returns the number of colors.
    pub fn colors(&self) -> usize {
        self.colors
    }

    /// Returns the code in a row.
    ///
    /// # Panics
    /// Panics if the row is out of range.
    pub fn code(&self, row: usize) -> Code {
        assert!(row < self.len, "row {row} of {}", self.len);
        Code::from_indices((0..self.cells).map(|cell| self.peg(row, cell)))
    }

    /// Iterates over all codes.
    pub fn codes(&self) -> impl ExactSizeIterator<Item = Code> {
        (0..self.len).map(|row| self.code(row))
    }

    /// Returns the zero-based color in a row and cell.
    ///
    /// # Panics
    /// Panics if the row or cell is out of range.
    #[inline]
    pub fn peg(&self, row: usize, cell: usize) -> u8 {
        self.pegs(row / BLOCK)[cell].0[row % BLOCK]
    }

    /// Returns true if any code has a zero-based color.
    ///
    /// # Panics
    /// Panics if the color is out of range.
    pub fn contains_color(&self, color: usize) -> bool {
        (0..self.blocks()).any(|block| self.counts(block)[color].0.iter().any(|&count| count > 0))
    }

    /// Returns the memory used by the codes in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.columns[..])
    }

    /// Returns the columns of pegs of a block, one for each cell.
    #[inline]
    pub(crate) fn pegs(&self, block: usize) -> &[BlockColumn] {
        &self.columns[block * self.width()..][..self.cells]
    }

    /// Returns the columns of counts of a block, one for each color.
    #[inline]
    pub(crate) fn counts(&self, block: usize) -> &[BlockColumn] {
        &self.columns[block * self.width() + self.cells..][..self.colors]
    }

    /// Returns all columns of consecutive blocks, pegs before counts in each, and the number of columns per block.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn columns(&self, first: usize, blocks: usize) -> (&[BlockColumn], usize) {
        let width = self.width();
        (&self.columns[first * width..][..blocks * width], width)
    }

    #[inline]
    pub(crate) fn blocks(&self) -> usize {
        self.len.div_ceil(BLOCK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_match_the_codes() {
        let rules: Rules = "3x5".parse().unwrap();
        let mut table = Table::new(&rules).unwrap();
        let codes: Vec<Code> = Space::new(&rules).iter().collect();
        for code in &codes {
            table.push(code);
        }
        assert_eq!(table.len(), 125);
        assert!(table.codes().eq(codes.iter().cloned()));
        assert_eq!(Table::all(&rules).unwrap().codes().collect::<Vec<_>>(), codes);
        for (row, code) in codes.iter().enumerate() {
            for color in 0..5 {
                let count = code.iter().filter(|shown| shown.index() == color).count();
                assert_eq!(usize::from(table.counts(row / BLOCK)[color].0[row % BLOCK]), count);
            }
        }
        let picked = table.select(&[7, 124, 0]);
        assert!(picked.codes().eq([codes[7].clone(), codes[124].clone(), codes[0].clone()]));
        assert!(table.select(&[]).is_empty());
        let mut kept = picked;
        for rows in [&[3, 4][..], &[], &[100; 70]] {
            table.select_into(rows, &mut kept);
            assert_eq!(kept, table.select(rows));
        }
    }

    #[test]
    fn large_spaces_are_rejected() {
        let error = |rules: &str| Table::all(&rules.parse().unwrap()).unwrap_err().to_string();
        assert_eq!(error("10x10"), "10000000000 codes are too many to list; the maximum is 33554432");
        assert_eq!(error("100x100"), "100^100 (about 1.0e200) codes are too many to list; the maximum is 33554432");
        assert!(Table::new(&"2x300".parse().unwrap()).is_err());
        assert!(Table::new(&"300x2".parse().unwrap()).is_err());
    }
}
