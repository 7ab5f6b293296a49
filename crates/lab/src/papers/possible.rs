//! Whether integer counts can have a printed mean and standard deviation.
//!
//! If every code was played once, the sum of the guesses is an integer near the printed mean times the number of games, and the
//! sum of their squares is an integer of the same parity. A printed number that no such sums produce is impossible, whatever
//! was played. Rounding, truncation and single precision are allowed, and the divisors n and n - 1.
//!
//! # References
//! - N. J. L. Brown, J. A. J. Heathers, *The GRIM test*, 2017.
//! - J. Anaya, *The GRIMMER test*, 2016.

use super::table::{MeasuredQuantity, PrintedNumber, PublishedMeasure, PublishedRow, PublishedValue, Statistic};

/// Relative error of sums in single precision.
const SINGLE_PRECISION: f64 = 3e-7;
/// Largest number of sums that are tried.
const MAX_SUMS: f64 = 10_000.0;

/// Returns the argument against a printed mean or standard deviation of guesses over every code, if it is impossible.
pub(super) fn objection(value: &PublishedValue, row: &PublishedRow) -> Option<String> {
    let PublishedMeasure { quantity, statistic } = value.measure;
    let counted = matches!(quantity, MeasuredQuantity::Guesses | MeasuredQuantity::Nodes);
    let counted = counted && row.plays_all() && row.repeats.get() == 1;
    let games = row.games_published();
    let of = |statistic| {
        let measure = PublishedMeasure { quantity, statistic };
        let value = row.published.iter().find(|published| published.measure == measure);
        value.map(|published| &published.printed).filter(|printed| !printed.is_bound())
    };
    let (mean, sd) = (of(Statistic::Mean).filter(|_| counted)?, of(Statistic::Sd));
    match statistic {
        Statistic::Mean => {
            (!sums(mean, games)?.any(|_| true)).then(|| format!("no sum of {games} whole numbers has this mean"))
        }
        Statistic::Sd => {
            let sd = sd?;
            (!sums(mean, games)?.any(|sum| squares_exist(sum, sd, games)))
                .then(|| format!("{games} whole numbers with the printed mean cannot have this standard deviation"))
        }
        _ => None,
    }
}

/// Returns the sums of `games` integers with a printed mean, unless there are too many.
fn sums(mean: &PrintedNumber, games: f64) -> Option<impl Iterator<Item = f64>> {
    let unit = 2.0 * mean.half_unit();
    let (from, to) = (((mean.value() - unit) * games).ceil(), ((mean.value() + unit) * games).floor());
    (to - from < MAX_SUMS)
        .then(|| (0..=(to - from) as u64).map(move |more| from + more as f64).filter(move |_| to >= from))
}

/// Returns true if a sum of squares of the parity of `sum` gives the printed standard deviation.
fn squares_exist(sum: f64, sd: &PrintedNumber, games: f64) -> bool {
    let unit = (2.0 * sd.half_unit()).max(SINGLE_PRECISION * sd.value());
    [games, games - 1.0].into_iter().any(|divisor| {
        let square = |sd: f64| divisor * sd * sd + sum * sum / games;
        let first = square((sd.value() - unit).max(0.0)).ceil();
        let first = first + (first + sum).rem_euclid(2.0);
        first <= square(sd.value() + unit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn possible(total: f64, sd: &str, games: f64) -> bool {
        squares_exist(total, &sd.parse().unwrap(), games)
    }

    #[test]
    fn moments_of_counts_are_possible_and_others_are_not() {
        // Guesses 4, 5, 5, 6: sum 20, squares 102, variances 1/2 and 2/3.
        assert!(possible(20.0, "0.7071", 4.0) && possible(20.0, "0.8165", 4.0));
        assert!(!possible(20.0, "0.75", 4.0));
        // Truncated instead of rounded.
        assert!(possible(20.0, "0.8164", 4.0));
    }

    #[test]
    fn sums_near_a_mean_are_whole() {
        let sums = |mean: &str, games: f64| sums(&mean.parse().unwrap(), games).unwrap().collect::<Vec<_>>();
        assert_eq!(sums("9.298828", 512.0), [4761.0]);
        assert_eq!(sums("4.340", 1296.0), [5624.0, 5625.0]);
        assert_eq!(sums("5.3333", 4.0), [] as [f64; 0]);
    }
}
