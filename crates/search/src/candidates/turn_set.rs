//! Distance of a code from a history: the residual of each turn, summed.
//!
//! [`Packing`] encodes a code in two words, so that a pair of codes is compared in a few instructions whatever the board.
//! One word has a bit per cell and color, the other counts each color in unary: the black pegs of a pair are the bits
//! that the first words share, all pegs together the bits that the second words share.

use pegwise_game::{Color, History, HistoryChange, HistoryTracker, Judge, Mark, Rules, Turn};

/// The turns of a game in a form that is fast to compare codes with: packed words if the rules allow, the pair function
/// otherwise. Supports every board and feedback kind.
///
/// ```
/// use pegwise_game::{History, Rules};
/// use pegwise_search::candidates::TurnSet;
/// let rules: Rules = "4x6".parse().unwrap();
/// let mut turns = TurnSet::new(&rules);
/// turns.follow(&History::parse(&rules, ["1122=1,1", "1344=0,2"]).unwrap());
/// assert_eq!(turns.distance(&rules.parse_code("4125").unwrap()), 2);
/// assert!(!turns.is_consistent(&rules.parse_code("2523").unwrap()));
/// assert!(turns.is_consistent(&rules.parse_code("4621").unwrap()));
/// ```
#[derive(Debug, Clone)]
pub struct TurnSet {
    judge: Judge,
    packing: Option<Packing>,
    tracker: HistoryTracker,
    /// The turns in packed form; empty without a packing.
    packed: Vec<PackedTurn>,
}

#[derive(Debug, Clone, Copy)]
struct PackedTurn {
    guess: Packed,
    black: i32,
    white: i32,
}

/// Difference between the mark that a code would have received and the mark of one turn. Marks other than black and
/// white pegs store their first number in `black` and their second in `white`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Residual {
    /// Excess of black pegs.
    pub black: i32,
    /// Excess of white pegs.
    pub white: i32,
}

impl Residual {
    #[inline]
    fn between(mark: Mark, answered: Mark) -> Self {
        let clamped = |residual: i64| residual.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let [black, white] = mark.residual(answered).map(clamped);
        Self { black, white }
    }

    /// Returns the sum of the absolute differences.
    #[inline]
    pub fn size(self) -> u32 {
        self.black.unsigned_abs() + self.white.unsigned_abs()
    }
}

impl TurnSet {
    /// Creates a set without turns.
    pub fn new(rules: &Rules) -> Self {
        Self {
            judge: Judge::new(rules),
            packing: Packing::new(rules),
            tracker: HistoryTracker::default(),
            packed: Vec::new(),
        }
    }

    /// Replaces the turns by those of `history`, reusing the shared prefix, and returns how the histories relate.
    pub fn follow(&mut self, history: &History) -> HistoryChange {
        let change = self.tracker.update(history);
        self.packed.truncate(change.shared());
        for turn in &history.turns()[change.shared()..] {
            if let Some(packing) = self.packing {
                let [black, pegs] = turn.feedback.marks()[0].sums().map(|sum| sum as i32);
                self.packed.push(PackedTurn { guess: packing.pack(&turn.guess), black, white: pegs - black });
            }
        }
        change
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        self.judge.rules()
    }

    /// Returns the turns.
    pub fn turns(&self) -> &[Turn] {
        self.tracker.turns()
    }

    /// Returns the packing, if the rules allow one.
    pub fn packing(&self) -> Option<Packing> {
        self.packing
    }

    /// Returns true if `code` agrees with every turn, except for as many lies as the rules allow.
    #[inline]
    pub fn is_consistent(&mut self, code: &[Color]) -> bool {
        match self.packing {
            Some(packing) if self.rules().lies() == 0 => {
                self.residuals(packing.pack(code)).all(|residual| residual == Residual::default())
            }
            _ => self.judge.allows(self.tracker.turns(), code),
        }
    }

    /// Returns the residuals of a packed code, one per turn.
    #[inline]
    pub fn residuals(&self, code: Packed) -> impl Iterator<Item = Residual> {
        self.packed.iter().map(move |turn| {
            let (black, pegs) = (turn.guess.black(code) as i32, turn.guess.pegs(code) as i32);
            Residual { black: black - turn.black, white: pegs - black - turn.white }
        })
    }

    /// Calls `visit` with each residual of `code`: turn by turn, and line by line within a turn.
    #[inline]
    pub fn visit_residuals(&mut self, code: &[Color], mut visit: impl FnMut(Residual)) {
        if let Some(packing) = self.packing {
            return self.residuals(packing.pack(code)).for_each(visit);
        }
        for turn in self.tracker.turns() {
            let answered = turn.feedback.marks().iter();
            for (mark, &answered) in self.judge.marks(&turn.guess, code).zip(answered) {
                visit(Residual::between(mark, answered));
            }
        }
    }

    /// Returns the sum of the residual sizes over all turns: zero for a consistent code.
    #[inline]
    pub fn distance(&mut self, code: &[Color]) -> u32 {
        let mut distance = 0;
        self.visit_residuals(code, |residual| distance += residual.size());
        distance
    }
}

/// Layout of the packed codes of one set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packing {
    cells: u32,
    colors: u32,
}

/// Packed code. Only codes of the same packing are comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Packed {
    places: u128,
    counts: u128,
}

impl Packing {
    /// Creates the packing of a row with black and white feedback and at most 128 pairs of a cell and a color; `None` for
    /// other rules.
    ///
    /// ```
    /// use pegwise_game::Rules;
    /// use pegwise_search::candidates::Packing;
    /// let rules: Rules = "4x6".parse().unwrap();
    /// let packing = Packing::new(&rules).unwrap();
    /// let [guess, secret] = ["1122", "2123"].map(|code| packing.pack(&rules.parse_code(code).unwrap()));
    /// assert_eq!((guess.black(secret), guess.white(secret)), (2, 1));
    /// assert!(Packing::new(&"100x100".parse().unwrap()).is_none());
    /// ```
    pub fn new(rules: &Rules) -> Option<Self> {
        let (cells, colors) = (u32::try_from(rules.cells()).ok()?, u32::from(rules.colors()));
        let plain = rules.board().is_row() && rules.feedback().model().is_classic();
        let fits = cells.checked_mul(colors).is_some_and(|bits| bits <= u128::BITS);
        (plain && fits).then_some(Self { cells, colors })
    }

    /// Packs a code.
    #[inline]
    pub fn pack(self, code: &[Color]) -> Packed {
        self.pack_each(code)
    }

    /// Packs a code whose colors are not contiguous.
    #[inline]
    pub fn pack_each<'a>(self, code: impl IntoIterator<Item = &'a Color>) -> Packed {
        let (mut places, mut counts) = (0u128, 0u128);
        for (cell, color) in (0u32..).zip(code) {
            let color = color.index() as u32;
            places |= 1 << (cell * self.colors + color);
            // The unary count of a color is a run of ones at the low end of its field.
            let low = color * self.cells;
            let run = (counts >> low).trailing_ones();
            counts |= 1 << (low + run);
        }
        Packed { places, counts }
    }
}

impl Packed {
    /// Returns the number of black pegs.
    #[inline]
    pub fn black(self, other: Self) -> u32 {
        (self.places & other.places).count_ones()
    }

    /// Returns the number of black and white pegs.
    #[inline]
    pub fn pegs(self, other: Self) -> u32 {
        (self.counts & other.counts).count_ones()
    }

    /// Returns the number of white pegs.
    #[inline]
    pub fn white(self, other: Self) -> u32 {
        self.pegs(other) - self.black(other)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rng::Rng;

    proptest! {
        /// Both paths agree with the pair function, and an updated set with a new one.
        #[test]
        fn distances_agree_with_the_pair_function(
            rules in prop::sample::select(vec!["4x6", "8x12", "11x11", "1x128", "128x1", "12x12", "4x10:no-repeats",
                "grid:3x3x4", "5x5:black-only", "5x5:color-only", "5x5:per-cell", "4x6:higher-lower", "4x6:distance"]),
            seed: u64,
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(seed);
            let (mut history, mut followed) = (History::new(rules.clone()), TurnSet::new(&rules));
            let secret = rng.code(&rules);
            for _ in 0..4 {
                history.push(Turn::against(&rules, &secret, rng.code(&rules))).unwrap();
                followed.follow(&history);
                // Another last turn, and back again.
                let mut aside = history.select(0..history.len() - 1);
                let guess = rng.code(&rules);
                aside.push(Turn::against(&rules, &guess.clone(), guess)).unwrap();
                followed.follow(&aside);
                followed.follow(&history);
                let mut fresh = TurnSet::new(&rules);
                fresh.follow(&history);
                for code in [rng.code(&rules), rng.code(&rules), secret.clone()] {
                    let mut naive = 0;
                    for turn in history.turns() {
                        let feedback = pegwise_game::feedback(&rules, &turn.guess, &code);
                        let pairs = feedback.marks().iter().zip(turn.feedback.marks());
                        naive += pairs.map(|(&mark, &answered)| Residual::between(mark, answered).size()).sum::<u32>();
                    }
                    prop_assert_eq!(followed.distance(&code), naive);
                    prop_assert_eq!(fresh.distance(&code), naive);
                    prop_assert_eq!(followed.is_consistent(&code), history.is_consistent(&code));
                    prop_assert_eq!(followed.is_consistent(&code), naive == 0);
                }
            }
            prop_assert_eq!(followed.distance(&secret), 0);
        }
    }
}
