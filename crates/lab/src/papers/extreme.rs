//! Whether the largest or least of a published sample could be one of ours.
//!
//! The largest of n games has no margin: it grows with n, and one game decides it. But how often our games exceed it tells
//! how likely n games are to stay at or below it, and how likely to reach it. A printed extreme is refuted where one of the
//! two is less likely than three standard errors, supported where both are at least one in forty, and undecided where our
//! games are too few to say.

use pegwise_labstats::compare::proportion;

use super::{finding::Verdict, judge::NORMAL, printed::Printed};

/// Which extreme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Least,
    Most,
}

/// Between what chances a sample of the published size stays within the printed extreme, and reaches it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extreme {
    side: Side,
    stays: [f64; 2],
    reaches: [f64; 2],
}

/// The chance of more than three standard errors to one side.
const HARDLY: f64 = 0.001_35;
const LIKELY: f64 = 0.025;

impl Extreme {
    /// By how many of our games are `beyond` the printed extreme, and how many beyond or at it. A bound need not be reached.
    pub(super) fn counted(side: Side, bound: bool, beyond: [u64; 2], games: u64, theirs: f64) -> Self {
        let [past, at] = beyond.map(|times| proportion(times, games));
        let none = |chance: f64| (1.0 - chance).powf(theirs);
        let reaches = if bound { [1.0; 2] } else { [1.0 - none(at[0]), 1.0 - none(at[1])] };
        Self { side, stays: [none(past[1]), none(past[0])], reaches }
    }

    /// The extreme of so many runs, whose means are spread like a normal distribution; our mean has an error.
    pub(super) fn normal(side: Side, printed: &Printed, mean: f64, error: f64, of_run: f64, runs: f64) -> Self {
        let toward = if side == Side::Most { 1.0 } else { -1.0 };
        // Rounding may have moved it either way.
        let chance = |off: f64, rounded: f64| {
            let distance = toward * (printed.value() - mean) + rounded * printed.half_unit() + off * NORMAL * error;
            below(distance / of_run).powf(runs)
        };
        let stays = [chance(-1.0, 1.0), chance(1.0, 1.0)];
        let reaches = [1.0 - chance(1.0, -1.0), 1.0 - chance(-1.0, -1.0)];
        Self { side, stays, reaches }
    }

    /// How it is judged, in words.
    pub(super) fn about(&self) -> String {
        match self.side {
            Side::Most => "chance of such a maximum".to_owned(),
            Side::Least => "chance of such a minimum".to_owned(),
        }
    }

    pub(super) fn verdict(&self, games: u64) -> Verdict {
        let Self { stays, reaches, .. } = self;
        if stays[1] < HARDLY || reaches[1] < HARDLY {
            return Verdict::Refuted;
        }
        if stays[0] >= LIKELY && reaches[0] >= LIKELY {
            return Verdict::Supported;
        }
        // Four times the games halve what is left open.
        Verdict::Undecided { needs: Some(games.saturating_mul(4)) }
    }
}

/// The chance of a normal number to be below this many standard deviations.
fn below(deviations: f64) -> f64 {
    pegwise_labstats::compare::normal_cdf(deviations)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(beyond: [u64; 2], games: u64, theirs: f64) -> Verdict {
        Extreme::counted(Side::Most, false, beyond, games, theirs).verdict(games)
    }

    #[test]
    fn a_maximum_is_judged_by_how_often_it_is_passed() {
        // One game of a hundred is beyond it: a hundred games stay below it one time in three.
        assert_eq!(verdict([100, 500], 10_000, 100.0), Verdict::Supported);
        // A thousand games never stay below what one of ten passes.
        assert_eq!(verdict([1000, 2000], 10_000, 1000.0), Verdict::Refuted);
        // None of our hundred thousand games reaches it: ten would not either.
        assert_eq!(verdict([0, 0], 100_000, 10.0), Verdict::Refuted);
        // None of our hundred games reaches it, but a thousand might.
        assert!(matches!(verdict([0, 0], 100, 1000.0), Verdict::Undecided { .. }));
    }

    #[test]
    fn the_extremes_of_runs_are_those_of_normal_numbers() {
        let judged = |printed: &str, side| {
            let printed: Printed = printed.parse().unwrap();
            Extreme::normal(side, &printed, 4.41, 0.002, 0.013, 10.0).verdict(1000)
        };
        // The largest of ten is about one and a half standard deviations above the mean.
        assert_eq!(judged("4.430", Side::Most), Verdict::Supported);
        assert_eq!(judged("4.390", Side::Least), Verdict::Supported);
        assert_eq!(judged("4.510", Side::Most), Verdict::Refuted);
        assert_eq!(judged("4.430", Side::Least), Verdict::Refuted);
    }
}
