//! What a guess does, in numbers that say how sure they are.
//!
//! Against all codes that fit, where they are listed, every number is exact. So it is before the first turn on rows, where the
//! answers to a guess are counted without listing codes. Elsewhere a near uniform sample gives estimates, and where there is
//! none, nothing is said.

use pegwise_game::{Code, Table, partition::Partitioner};
use pegwise_solve::Search;
use serde::{Deserialize, Serialize};

use crate::{
    count::transfer,
    figure::{Amount, Figure, Quantity as _, field},
    notes::Notes,
    possible::Possible,
};

/// A guess, and how it compares with others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rated {
    /// The guess.
    pub guess: Code,
    /// Its place among the guesses shown: one more than there are guesses that are certainly better.
    pub rank: usize,
    /// Whether it can be the secret.
    pub consistent: bool,
    /// Its score, in the unit of the strategy.
    #[serde(flatten, with = "field::score")]
    pub score: Figure<f64>,
    /// What the score is.
    pub unit: String,
    /// How many codes are possible after its answer, on average; a code that was found counts as one.
    #[serde(flatten, with = "field::expected_remaining")]
    pub expected_remaining: Figure<f64>,
    /// The chance that it is the secret.
    #[serde(flatten, with = "field::chance")]
    pub chance: Figure<f64>,
    /// How many guesses it costs on average, against the best guess and the best play after either.
    #[serde(flatten, with = "field::lost")]
    pub lost: Figure<f64>,
}

/// What a score is where no strategy says otherwise.
pub(crate) const BITS: &str = "bits";

/// Rates guesses against the codes that fit notes.
pub(crate) struct Rater<'a> {
    notes: &'a Notes,
    possible: &'a Possible,
    /// All codes that fit, where they are all there.
    codes: Option<(Table, Partitioner)>,
}

impl<'a> Rater<'a> {
    pub(crate) fn new(notes: &'a Notes, possible: &'a Possible) -> Self {
        let rules = notes.rules();
        let table = || Table::from_codes(rules, &possible.codes).ok().filter(|table| !table.is_empty());
        // Where answers may be lies, the codes that an answer leaves are not those that would give it.
        let codes = if possible.complete && rules.lies() == 0 { table() } else { None };
        Self { notes, possible, codes: codes.map(|codes| (codes, Partitioner::new(rules))) }
    }

    /// How a guess does, with its score in this unit.
    pub(crate) fn rate(&mut self, guess: Code, unit: &str, search: &mut Search<'_>) -> Rated {
        let consistent = self.is_possible(&guess);
        let chance =
            if consistent { self.possible.amount.map(|codes| 1.0 / codes.double()) } else { Figure::Exact(0.0) };
        let (expected_remaining, score) = match self.sizes(&guess, search) {
            Some(sizes) => {
                let codes: f64 = sizes.iter().sum();
                let expected = sizes.iter().map(|size| size * size).sum::<f64>() / codes;
                (Figure::Exact(expected), score(&sizes, unit).map_or(Figure::Unknown, Figure::Exact))
            }
            None => self.estimate(&guess, unit),
        };
        // A bound on the codes is a bound from below on the chance, which says nothing.
        let chance = if matches!(chance, Figure::AtMost(_)) { Figure::Unknown } else { chance };
        let unit = unit.to_owned();
        Rated { guess, rank: 1, consistent, score, unit, expected_remaining, chance, lost: Figure::Unknown }
    }

    /// The sizes of the parts that a guess makes of all codes that fit, in ascending order, where they can be known.
    fn sizes(&mut self, guess: &Code, search: &mut Search<'_>) -> Option<Vec<f64>> {
        let mut sizes: Vec<f64> = if let Some((codes, partitioner)) = &mut self.codes {
            let mut sizes = Vec::new();
            partitioner.sizes(guess, codes, &mut sizes);
            sizes.into_iter().map(f64::from).collect()
        } else if self.notes.notes().is_empty()
            && self.notes.rules().lies() == 0
            && transfer::counts_by_color(self.notes.rules())
        {
            transfer::answers(self.notes.rules(), guess, search)?.into_values().map(|size| size as f64).collect()
        } else {
            return None;
        };
        sizes.sort_by(f64::total_cmp);
        Some(sizes)
    }

    fn estimate(&self, guess: &Code, unit: &str) -> (Figure<f64>, Figure<f64>) {
        let Some(probes) = &self.possible.probes else { return (Figure::Unknown, Figure::Unknown) };
        let rating = probes.rate(self.notes.rules(), guess);
        let expected = share_of(rating.alike, self.possible.amount);
        (expected, if unit == BITS { rating.bits } else { Figure::Unknown })
    }

    pub(crate) fn is_possible(&self, code: &Code) -> bool {
        self.possible.contains(self.notes, code)
    }
}

/// The codes that are left when two are alike with this chance: the code itself is always left.
pub(crate) fn share_of(alike: Figure<f64>, amount: Amount) -> Figure<f64> {
    let figure = product(alike, amount);
    figure.map(|left| left.max(1.0))
}

/// A share of an amount. Errors are taken to have nothing to do with each other.
pub(crate) fn product(share: Figure<f64>, amount: Amount) -> Figure<f64> {
    let (Some(share_value), Some(codes)) = (share.value(), amount.value()) else { return Figure::Unknown };
    let value = share_value * codes.double();
    if !value.is_finite() {
        return Figure::Unknown;
    }
    let (Some((low, high)), Some((fewest, most))) = (share.interval(), amount.interval()) else {
        return Figure::Unknown;
    };
    if share.is_exact() && amount.is_exact() {
        return Figure::Exact(value);
    }
    let off = |share_end: f64, codes_end: f64| {
        let [share, codes] = [(share_end, share_value), (codes_end, codes.double())]
            .map(|(end, value)| if value > 0.0 { end / value - 1.0 } else { 0.0 });
        (share * share + codes * codes).sqrt()
    };
    let (below, above) = (off(low, fewest.double()), off(high, most.double()));
    Figure::Estimate { value, low: (value * (1.0 - below)).max(0.0), high: value * (1.0 + above) }
}

/// The score of parts in a unit, where it is a known one.
fn score(sizes: &[f64], unit: &str) -> Option<f64> {
    let codes: f64 = sizes.iter().sum();
    match unit {
        BITS => Some(sizes.iter().map(|size| size / codes * (codes / size).log2()).sum()),
        "codes at worst" => sizes.last().copied(),
        "codes on average" => Some(sizes.iter().map(|size| size * size).sum::<f64>() / codes),
        "parts" => Some(sizes.len() as f64),
        _ => None,
    }
}

/// Whether a score of a unit is the better the higher it is.
fn higher_is_better(unit: &str) -> bool {
    matches!(unit, BITS | "parts")
}

/// Gives ranks by guesses lost where they are known, else by the score; what lies within the errors is equal.
pub(crate) fn rank(guesses: &mut [&mut Rated]) {
    let by_lost = guesses.iter().all(|rated| rated.lost.value().is_some());
    let none = |rated: &Rated| rated.lost.known() == Some(0.0);
    let better = |one: &Rated, other: &Rated| {
        if by_lost {
            one.lost.is_below(other.lost)
        } else if none(one) || none(other) {
            // What is proven to be best is not beaten by a score.
            none(one) && !none(other)
        } else if higher_is_better(&one.unit) {
            other.score.is_below(one.score)
        } else {
            one.score.is_below(other.score)
        }
    };
    let ranks: Vec<usize> =
        guesses.iter().map(|rated| 1 + guesses.iter().filter(|other| better(other, rated)).count()).collect();
    guesses.iter_mut().zip(ranks).for_each(|(rated, rank)| rated.rank = rank);
}
