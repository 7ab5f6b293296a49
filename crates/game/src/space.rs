//! The code space: all codes of the rules, counted, ranked, unranked and enumerated in order.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{code::Code, color::Color, rules::Rules};

/// A number of codes: exact if it fits 128 bits, and a formula otherwise.
///
/// ```
/// use pegwise_game::{Rules, Space};
/// let count = |rules: &str| Space::new(&rules.parse::<Rules>().unwrap()).count();
/// assert_eq!(count("4x6").exact(), Some(1296));
/// assert_eq!(count("4x10:no-repeats").exact(), Some(5040));
/// assert_eq!(count("100x100").to_string(), "100^100 (about 1.0e200)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Count {
    /// The number itself.
    Exact(u128),
    /// `base` to the power of `exponent`.
    Power {
        /// Number of colors for each cell.
        base: u16,
        /// Number of cells.
        exponent: usize,
    },
    /// `first * (first - 1) * …`, with `factors` factors.
    Falling {
        /// Number of colors for the first cell.
        first: u16,
        /// Number of cells.
        factors: usize,
    },
}

impl Count {
    /// Returns the number if it is exact.
    pub const fn exact(self) -> Option<u128> {
        match self {
            Self::Exact(count) => Some(count),
            Self::Power { .. } | Self::Falling { .. } => None,
        }
    }

    /// Parses the output of [`fmt::Display`]; the text after a space is ignored.
    fn parse(text: &str) -> Option<Self> {
        let formula = text.split(' ').next()?;
        if let Some((base, exponent)) = formula.split_once('^') {
            return Some(Self::Power { base: base.parse().ok()?, exponent: exponent.parse().ok()? });
        }
        let Some((first, rest)) = formula.split_once("!/") else { return Some(Self::Exact(formula.parse().ok()?)) };
        let (first, rest) = (first.parse::<u16>().ok()?, rest.strip_suffix('!')?.parse::<u16>().ok()?);
        Some(Self::Falling { first, factors: first.checked_sub(rest)?.into() })
    }

    /// Returns an approximate logarithm to base ten.
    pub fn log10(self) -> f64 {
        match self {
            Self::Exact(count) => (count as f64).log10(),
            Self::Power { base, exponent } => f64::from(base).log10() * exponent as f64,
            Self::Falling { first, factors } => (0..factors).map(|step| (f64::from(first) - step as f64).log10()).sum(),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(count) => return count.fmt(f),
            Self::Power { base, exponent } => write!(f, "{base}^{exponent}")?,
            Self::Falling { first, factors } => {
                write!(f, "{first}!/{}!", usize::from(*first) - factors)?;
            }
        }
        let log10 = self.log10();
        let (mantissa, exponent) = (10f64.powf(log10.fract()), log10.floor());
        write!(f, " (about {mantissa:.1}e{exponent})")
    }
}

/// A number up to 2^53, which JSON readers represent exactly, and text beyond.
impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const LARGEST_EXACT_DOUBLE: u128 = 1 << 53;
        match self.exact() {
            Some(count) if count <= LARGEST_EXACT_DOUBLE => serializer.serialize_u64(count as u64),
            _ => serializer.collect_str(self),
        }
    }
}

const EXPECTED: &str = "a number of codes, or text such as 100^100, is expected";

#[derive(Deserialize)]
#[serde(untagged)]
enum SerializedCount {
    Number(u64),
    Text(String),
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match SerializedCount::deserialize(deserializer)? {
            SerializedCount::Number(count) => Ok(Self::Exact(count.into())),
            SerializedCount::Text(text) => Self::parse(&text).ok_or_else(|| de::Error::custom(EXPECTED)),
        }
    }
}

/// All codes of the rules in lexicographic order: `1111`, `1112`, ….
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    cells: usize,
    colors: u16,
    repeats: bool,
}

impl Space {
    /// Creates the space of `rules`.
    pub fn new(rules: &Rules) -> Self {
        Self { cells: rules.cells(), colors: rules.colors(), repeats: rules.repeats() }
    }

    /// Returns the number of codes.
    pub fn count(self) -> Count {
        match self.completions(0) {
            Some(count) => Count::Exact(count),
            None if self.repeats => Count::Power { base: self.colors, exponent: self.cells },
            None => Count::Falling { first: self.colors, factors: self.cells },
        }
    }

    /// Returns the number of codes with given colors in the first `filled` cells; `None` past 128 bits.
    fn completions(self, filled: usize) -> Option<u128> {
        (filled..self.cells).try_fold(1u128, |product, cell| product.checked_mul(self.choices(cell)))
    }

    /// Returns the number of colors available for a cell.
    fn choices(self, cell: usize) -> u128 {
        let used = if self.repeats { 0 } else { cell };
        u128::from(self.colors) - used as u128
    }

    /// Returns the zero-based position of a code in the order; `None` if the code is not in this space or the number of codes
    /// exceeds 128 bits.
    pub fn rank(self, code: &[Color]) -> Option<u128> {
        self.completions(0)?;
        if code.len() != self.cells {
            return None;
        }
        let mut used = vec![false; usize::from(self.colors)];
        let mut rank = 0;
        for (cell, color) in code.iter().enumerate() {
            let taken = used.get_mut(color.index())?;
            if !self.repeats && std::mem::replace(taken, true) {
                return None;
            }
            let below = used[..color.index()].iter().filter(|&&used| !used).count();
            rank = rank * self.choices(cell) + below as u128;
        }
        Some(rank)
    }

    /// Returns the code at a position; `None` past the end, or if the number of codes exceeds 128 bits.
    pub fn unrank(self, rank: u128) -> Option<Code> {
        if rank >= self.completions(0)? {
            return None;
        }
        let mut free: Vec<u16> = (0..self.colors).collect();
        let mut rest = rank;
        let mut colors = Vec::with_capacity(self.cells);
        for cell in 0..self.cells {
            let weight = self.completions(cell + 1)?;
            let choice = (rest / weight) as usize;
            rest %= weight;
            colors.push(if self.repeats { free[choice] } else { free.remove(choice) });
        }
        Some(Code::from_indices(colors))
    }

    /// Returns the first code.
    pub fn first(self) -> Code {
        let color = |cell: usize| if self.repeats { 0 } else { cell as u16 };
        Code::from_indices((0..self.cells).map(color))
    }

    /// Iterates lazily over all codes in order.
    pub fn iter(self) -> impl Iterator<Item = Code> {
        std::iter::successors(Some(self.first()), move |code| {
            let mut next = code.clone();
            self.advance(&mut next).then_some(next)
        })
    }

    /// Replaces a code by the next one in order; returns false, leaving the code unchanged, after the last.
    pub fn advance(self, code: &mut Code) -> bool {
        let colors = code.colors_mut();
        for cell in (0..colors.len()).rev() {
            let (head, tail) = colors.split_at_mut(cell);
            let free = |color: u16| self.repeats || !head.contains(&Color::new(color));
            let above = tail[0].index() as u16 + 1;
            let Some(next) = (above..self.colors).find(|&color| free(color)) else { continue };
            tail[0] = Color::new(next);
            for cell in cell + 1..colors.len() {
                let (head, tail) = colors.split_at_mut(cell);
                let lowest = (0..self.colors).find(|&color| self.repeats || !head.contains(&Color::new(color)));
                // Rules without repeats have at least as many colors as cells, so a color is found.
                tail[0] = Color::new(lowest.unwrap_or(0));
            }
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(rules: &str) -> Space {
        Space::new(&rules.parse().unwrap())
    }

    #[test]
    fn counts_past_128_bits_are_formulas() {
        assert_eq!(space("38x10").count().exact(), Some(10u128.pow(38)));
        assert_eq!(space("39x10").count(), Count::Power { base: 10, exponent: 39 });
        assert_eq!(space("1024x1024").count().to_string(), "1024^1024 (about 3.5e3082)");
        assert_eq!(space("1024x1024:no-repeats").count().to_string(), "1024!/0! (about 5.4e2639)");
        assert_eq!(space("100x1").count().exact(), Some(1));
        assert_eq!(space("1024x1024").rank(&space("1024x1024").first()), None);
        assert_eq!(space("1024x1024").unrank(0), None);
    }

    #[test]
    fn counts_come_back_from_json() {
        for rules in ["4x6", "17x10", "38x10", "39x10", "1024x1024", "1024x1024:no-repeats", "100x200:no-repeats"] {
            let count = space(rules).count();
            let json = serde_json::to_string(&count).unwrap();
            assert_eq!(serde_json::from_str::<Count>(&json).unwrap(), count, "{json}");
        }
        for wrong in ["\"many\"", "\"3^x\"", "\"3!/4!\"", "\"3!/\"", "\"\"", "-1", "1.5", "null"] {
            assert!(serde_json::from_str::<Count>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn walking_ranking_and_unranking_agree() {
        for rules in ["4x6", "3x5:no-repeats", "1x1", "5x1", "4x4:no-repeats", "grid:2x2x3", "1x7"] {
            let space = space(rules);
            let mut seen = 0;
            for (rank, code) in (0..).zip(space.iter()) {
                assert_eq!(space.rank(&code), Some(rank), "{rules}");
                assert_eq!(space.unrank(rank).as_ref(), Some(&code), "{rules}");
                seen += 1;
            }
            assert_eq!(space.count(), Count::Exact(seen), "{rules}");
            assert_eq!(space.unrank(seen), None, "{rules}");
        }
        let space = space("3x5:no-repeats");
        assert_eq!(space.rank(&Code::from_indices([0u16, 0, 1])), None);
        assert_eq!(space.rank(&Code::from_indices([0u16, 5, 1])), None);
        assert_eq!(space.rank(&Code::from_indices([0u16, 1])), None);
    }

    #[test]
    fn huge_spaces_can_be_walked_from_the_start() {
        assert_eq!(space("1024x1024").iter().take(3).count(), 3);
    }
}
