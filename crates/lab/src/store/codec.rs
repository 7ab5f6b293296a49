//! Codes in a store, in as few bytes as their rules allow.

use pegwise_game::{Code, Color, Rules};

/// Writes and reads codes of some rules, each in the same number of bytes: the code as a number in base `colors`, or, past
/// 128 bits, two bytes a cell. The lowest byte comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Codec {
    cells: usize,
    colors: u16,
    /// Bytes a code.
    width: usize,
    /// Whether a code is one number.
    number: bool,
}

impl Codec {
    pub(crate) fn new(rules: &Rules) -> Self {
        let (cells, colors) = (rules.cells(), rules.colors());
        let codes = (0..cells).try_fold(1u128, |codes, _| codes.checked_mul(colors.into()));
        let bytes = |codes: u128| (u128::BITS - (codes - 1).leading_zeros()).div_ceil(8).max(1) as usize;
        Self { cells, colors, width: codes.map_or(2 * cells, bytes), number: codes.is_some() }
    }

    /// Bytes a code.
    pub(crate) fn width(self) -> usize {
        self.width
    }

    pub(crate) fn write(self, code: &[Color], out: &mut Vec<u8>) {
        if self.number {
            let push = |number: u128, color: &Color| number * u128::from(self.colors) + color.index() as u128;
            let number = code.iter().fold(0, push);
            out.extend_from_slice(&number.to_le_bytes()[..self.width]);
        } else {
            out.extend(code.iter().flat_map(|color| (color.index() as u16).to_le_bytes()));
        }
    }

    /// The code in these bytes, or `None` where they are none.
    pub(crate) fn read(self, bytes: &[u8]) -> Option<Code> {
        if bytes.len() != self.width {
            return None;
        }
        let mut colors = vec![0u16; self.cells];
        if self.number {
            let mut wide = [0; 16];
            wide[..self.width].copy_from_slice(bytes);
            let mut number = u128::from_le_bytes(wide);
            for color in colors.iter_mut().rev() {
                *color = (number % u128::from(self.colors)) as u16;
                number /= u128::from(self.colors);
            }
            if number > 0 {
                return None;
            }
        } else {
            for (color, pair) in colors.iter_mut().zip(bytes.chunks_exact(2)) {
                *color = u16::from_le_bytes([pair[0], pair[1]]);
            }
        }
        colors.iter().all(|&color| color < self.colors).then(|| Code::from_indices(colors))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pegwise_solve::Rng;

    #[test]
    fn codes_are_read_back_from_few_bytes() {
        for (rules, width) in [("4x6", 2), ("1x1", 1), ("5x8", 2), ("10x10", 5), ("20x20", 11), ("60x60", 120)] {
            let rules: Rules = rules.parse().unwrap();
            let codec = Codec::new(&rules);
            assert_eq!(codec.width(), width, "{rules}");
            let mut rng = Rng::new(1);
            for _ in 0..100 {
                let (code, mut bytes) = (rng.code(&rules), Vec::new());
                codec.write(&code, &mut bytes);
                assert_eq!(codec.read(&bytes), Some(code), "{rules}");
            }
        }
    }

    #[test]
    fn other_bytes_are_no_code() {
        let codec = Codec::new(&"4x6".parse().unwrap());
        assert_eq!(codec.read(&[0xFF, 0xFF]), None);
        assert_eq!(codec.read(&[0]), None);
    }
}
