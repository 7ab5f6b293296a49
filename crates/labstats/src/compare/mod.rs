//! Whether samples differ by more than luck.
//!
//! Games of an experiment are paired: game k hides the same code from every strategy. [`wilcoxon`] and [`sign`] use that;
//! [`welch`] and [`mann_whitney`] do not, and serve when samples share no games. All are two-sided. Many pairs compared
//! at once need [`holm`]; [`letters`] then groups what cannot be told apart.
//!
//! The tests are written here on the distributions of a statistics library, which has no paired ones, and whose
//! Mann-Whitney compares every value with every other: too slow for a million games.

mod groups;
mod holm;
mod mann_whitney;
mod proportion;
mod ranks;
mod sign;
mod welch;
mod wilcoxon;

pub use groups::letters;
pub use holm::holm;
pub use mann_whitney::mann_whitney;
pub use proportion::proportion;
pub use sign::sign;
pub use welch::{Welch, welch};
pub use wilcoxon::wilcoxon;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// What a test found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Outcome {
    /// The number the test rests on.
    pub statistic: f64,
    /// How often luck alone would show a difference at least this large.
    pub p: f64,
}

/// The chance of a normal number to be below this many standard deviations.
///
/// ```
/// use pegwise_labstats::compare::normal_below;
/// assert!((normal_below(1.96) - 0.975).abs() < 1e-4);
/// ```
#[must_use]
pub fn normal_below(deviations: f64) -> f64 {
    Normal::standard().cdf(deviations)
}

/// The two-sided p of a statistic that is nearly normal: its distance from its mean, less half a step because it moves in
/// steps, against its standard deviation.
fn nearly_normal(distance: f64, sd: f64) -> f64 {
    if sd == 0.0 {
        // Every value is the same, so nothing speaks for a difference.
        return 1.0;
    }
    let z = (distance.abs() - 0.5).max(0.0) / sd;
    2.0 * Normal::standard().sf(z)
}

/// Checks a number against a reference to ten digits.
#[cfg(test)]
pub(crate) fn close(ours: f64, reference: f64) {
    let error = (ours - reference).abs() / reference.abs().max(f64::MIN_POSITIVE);
    assert!(error < 1e-9, "{ours} instead of {reference}");
}

#[cfg(test)]
pub(crate) mod samples {
    /// Guesses of two strategies over the same twenty games.
    pub(crate) const FIRST: [f64; 20] =
        [4., 5., 4., 6., 5., 4., 3., 5., 6., 5., 4., 5., 5., 6., 4., 7., 5., 4., 5., 5.];
    pub(crate) const SECOND: [f64; 20] =
        [4., 4., 5., 5., 4., 4., 4., 4., 5., 5., 5., 4., 4., 5., 4., 5., 4., 5., 4., 5.];

    /// Nine patients before and after, the example of Hollander and Wolfe that R's manual also uses.
    pub(crate) const BEFORE: [f64; 9] = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
    #[expect(clippy::approx_constant, reason = "a measurement, not pi")]
    pub(crate) const AFTER: [f64; 9] = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];

    /// `[(k*k*a+b*k)%11 for k in range(300)]`: many values, many ties.
    pub(crate) fn many(a: i32, b: i32) -> Vec<f64> {
        (0..300).map(|k| f64::from((k * k * a + b * k) % 11)).collect()
    }
}
