//! How far a code is from fitting a history.

use pegwise_game::{Color, History, HistoryChange, HistoryTracker, Judge, Mark, Rules, Turn};

use super::packed::{Packed, Packing};

/// The turns of a game, kept in a form that codes are compared with fast: packed words where the rules allow, the plain
/// pair function elsewhere. Works for every board and feedback.
///
/// ```
/// use pegwise_game::{History, Rules};
/// use pegwise_solve::candidates::Ledger;
/// let rules: Rules = "4x6".parse().unwrap();
/// let mut ledger = Ledger::new(&rules);
/// ledger.follow(&History::parse(&rules, ["1122=1,1", "1344=0,2"]).unwrap());
/// assert_eq!(ledger.distance(&rules.parse_code("4125").unwrap()), 2);
/// assert!(!ledger.is_consistent(&rules.parse_code("2523").unwrap()));
/// assert!(ledger.is_consistent(&rules.parse_code("4621").unwrap()));
/// ```
#[derive(Debug, Clone)]
pub struct Ledger {
    judge: Judge,
    packing: Option<Packing>,
    tracker: HistoryTracker,
    /// The turns again, packed.
    packed: Vec<PackedTurn>,
}

#[derive(Debug, Clone, Copy)]
struct PackedTurn {
    guess: Packed,
    black: i32,
    white: i32,
}

/// By how much a code misses one mark of one turn: what the code would have been answered, less what was answered. Marks
/// that are not black and white pegs put their first number into `black` and their second into `white`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Misfit {
    /// Black pegs too many.
    pub black: i32,
    /// White pegs too many.
    pub white: i32,
}

impl Misfit {
    #[inline]
    fn between(mark: Mark, answered: Mark) -> Self {
        let clamped = |misfit: i64| misfit.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let [black, white] = mark.residual(answered).map(clamped);
        Self { black, white }
    }

    /// Pegs wrong in all.
    #[inline]
    #[must_use]
    pub fn size(self) -> u32 {
        self.black.unsigned_abs() + self.white.unsigned_abs()
    }
}

impl Ledger {
    /// A ledger without turns.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self {
            judge: Judge::new(rules),
            packing: Packing::new(rules),
            tracker: HistoryTracker::default(),
            packed: Vec::new(),
        }
    }

    /// Takes on the turns of a history, which may go on from the last one or be any other, and tells which it was.
    pub fn follow(&mut self, history: &History) -> HistoryChange {
        let course = self.tracker.update(history);
        self.packed.truncate(course.shared());
        for turn in &history.turns()[course.shared()..] {
            if let Some(packing) = self.packing {
                let [black, pegs] = turn.feedback.marks()[0].sums().map(|sum| sum as i32);
                self.packed.push(PackedTurn { guess: packing.pack(&turn.guess), black, white: pegs - black });
            }
        }
        course
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.judge.rules()
    }

    /// The turns.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        self.tracker.turns()
    }

    /// How codes are packed, where they are.
    #[must_use]
    pub fn packing(&self) -> Option<Packing> {
        self.packing
    }

    /// Whether this code would have produced every feedback, but for the lies that the rules allow.
    #[inline]
    pub fn is_consistent(&mut self, code: &[Color]) -> bool {
        match self.packing {
            Some(packing) if self.rules().lies() == 0 => {
                self.misfits_of(packing.pack(code)).all(|misfit| misfit == Misfit::default())
            }
            _ => self.judge.allows(self.tracker.turns(), code),
        }
    }

    /// The misfits of a packed code, turn by turn.
    #[inline]
    pub fn misfits_of(&self, code: Packed) -> impl Iterator<Item = Misfit> {
        self.packed.iter().map(move |turn| {
            let (black, pegs) = (turn.guess.black(code) as i32, turn.guess.pegs(code) as i32);
            Misfit { black: black - turn.black, white: pegs - black - turn.white }
        })
    }

    /// Looks at the misfits of a code: turn by turn, and line by line within a turn.
    #[inline]
    pub fn misfits(&mut self, code: &[Color], mut look: impl FnMut(Misfit)) {
        if let Some(packing) = self.packing {
            return self.misfits_of(packing.pack(code)).for_each(look);
        }
        for turn in self.tracker.turns() {
            let answered = turn.feedback.marks().iter();
            for (mark, &answered) in self.judge.marks(&turn.guess, code).zip(answered) {
                look(Misfit::between(mark, answered));
            }
        }
    }

    /// The pegs wrong over all turns: zero for a consistent code.
    #[inline]
    pub fn distance(&mut self, code: &[Color]) -> u32 {
        let mut distance = 0;
        self.misfits(code, |misfit| distance += misfit.size());
        distance
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Rng;

    proptest! {
        /// The packed path and the plain one against the definition, and following a game against starting anew.
        #[test]
        fn ledgers_agree_with_the_pair_function(
            rules in prop::sample::select(vec!["4x6", "8x12", "11x11", "1x128", "128x1", "12x12", "4x10:no-repeats",
                "grid:3x3x4", "5x5:black-only", "5x5:color-only", "5x5:per-cell", "4x6:higher-lower", "4x6:distance"]),
            seed: u64,
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(seed);
            let (mut history, mut followed) = (History::new(rules.clone()), Ledger::new(&rules));
            let secret = rng.code(&rules);
            for _ in 0..4 {
                let guess = rng.code(&rules);
                let feedback = pegwise_game::feedback(&rules, &guess, &secret);
                history.push(Turn { guess, feedback }).unwrap();
                followed.follow(&history);
                // A look at another turn, and back again.
                let mut aside = history.select(0..history.len() - 1);
                let guess = rng.code(&rules);
                let feedback = pegwise_game::feedback(&rules, &guess, &guess);
                aside.push(Turn { guess, feedback }).unwrap();
                followed.follow(&aside);
                followed.follow(&history);
                let mut fresh = Ledger::new(&rules);
                fresh.follow(&history);
                for code in [rng.code(&rules), rng.code(&rules), secret.clone()] {
                    let mut naive = 0;
                    for turn in history.turns() {
                        let feedback = pegwise_game::feedback(&rules, &turn.guess, &code);
                        let pairs = feedback.marks().iter().zip(turn.feedback.marks());
                        naive += pairs.map(|(&mark, &answered)| Misfit::between(mark, answered).size()).sum::<u32>();
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
