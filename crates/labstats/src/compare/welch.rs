//! The t test of Welch.

use crate::summary::mean_and_variance;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// What Welch's test found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Welch {
    /// The difference of the means in its standard errors.
    pub t: f64,
    /// The degrees of freedom, rarely a whole number.
    pub freedom: f64,
    /// How often luck alone would show a difference at least this large.
    pub p: f64,
}

/// Whether the means of two samples differ, when their spreads may differ too: Welch's t test.
///
/// None if a sample has fewer than two values, or if neither varies: there is no error to measure the difference by.
///
/// ```
/// use pegwise_labstats::compare::welch;
/// let test = welch(&[4.0, 5.0, 4.0, 5.0], &[6.0, 7.0, 6.0, 8.0]).expect("both vary");
/// assert!(test.t < 0.0 && test.p < 0.05);
/// ```
///
/// # References
///
/// B. L. Welch, *The generalization of "Student's" problem when several different population variances are involved*,
/// 1947.
pub fn welch(first: &[f64], second: &[f64]) -> Option<Welch> {
    let ((mean_a, variance_a), (mean_b, variance_b)) = (mean_and_variance(first), mean_and_variance(second));
    let (n_a, n_b) = (first.len() as f64, second.len() as f64);
    let (error_a, error_b) = (variance_a? / n_a, variance_b? / n_b);
    let error = error_a + error_b;
    if error == 0.0 {
        return None;
    }
    let t = (mean_a - mean_b) / error.sqrt();
    let freedom = error.powi(2) / (error_a.powi(2) / (n_a - 1.0) + error_b.powi(2) / (n_b - 1.0));
    let p = 2.0 * StudentsT::new(0.0, 1.0, freedom).expect("the freedom is positive").sf(t.abs());
    Some(Welch { t, freedom, p: p.min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{close, samples};

    #[test]
    fn agrees_with_scipy() {
        // r = scipy.stats.ttest_ind(x, y, equal_var=False); r.statistic, r.df, r.pvalue
        let check = |x: &[f64], y: &[f64], expected: [f64; 3]| {
            let Welch { t, freedom, p } = welch(x, y).unwrap();
            for (ours, expected) in [t, freedom, p].into_iter().zip(expected) {
                close(ours, expected);
            }
        };
        check(&samples::BEFORE, &samples::AFTER, [1.2051727991066508, 15.795035582541257, 0.24588283853317094]);
        check(&samples::FIRST, &samples::SECOND[..15], [1.8265615336566459, 30.490027207190796, 0.07757149806450439]);
        check(
            &samples::many(7, 3),
            &samples::many(5, 1),
            [-6.9009121413975185, 597.9987437621552, 1.3208436024584179e-11],
        );
    }

    #[test]
    fn large_samples_agree_with_scipy() {
        // x = [k % 7 for k in range(400000)]; y = [k % 7 + (k % 300 == 0) for k in range(400000)]
        let x: Vec<f64> = (0..400_000).map(|k| f64::from(k % 7)).collect();
        let y: Vec<f64> = (0..400_000).map(|k| f64::from(k % 7 + i32::from(k % 300 == 0))).collect();
        let Welch { t, freedom, p } = welch(&x, &y).unwrap();
        close(t, -0.7455733308171488);
        close(freedom, 799997.8607602685);
        // The library's distribution keeps nine digits at this freedom.
        assert!((p - 0.4559254172428231).abs() < 1e-8);
    }

    #[test]
    fn nothing_to_measure_by() {
        assert_eq!(welch(&[4.0], &[5.0, 6.0]), None);
        assert_eq!(welch(&[4.0, 4.0], &[5.0, 5.0]), None);
    }
}
