//! Holm's correction.

/// Corrects the p values of several tests made at once, so that the chance of even one false alarm stays what it was for
/// a single test: Holm's step-down method.
///
/// ```
/// use pegwise_labstats::compare::holm;
/// assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
/// ```
///
/// # References
///
/// S. Holm, *A simple sequentially rejective multiple test procedure*, 1979.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![0.0; p.len()];
    let mut largest: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        largest = largest.max(p[index] * (p.len() - rank) as f64).min(1.0);
        corrected[index] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::close;

    #[test]
    fn agrees_with_statsmodels() {
        // statsmodels.stats.multitest.multipletests(p, method='holm')[1]
        let check = |p: &[f64], expected: &[f64]| {
            for (&ours, &expected) in holm(p).iter().zip(expected) {
                close(ours, expected);
            }
        };
        // The fourth step, 2 * 0.04, may not fall below the third, 3 * 0.03.
        check(&[0.01, 0.02, 0.03, 0.04, 0.05], &[0.05, 0.08, 0.09, 0.09, 0.09]);
        check(&[0.0004, 0.2, 0.012, 0.012, 0.7, 0.049], &[0.0024, 0.4, 0.06, 0.06, 0.7, 0.147]);
        check(&[0.9, 0.6], &[1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
