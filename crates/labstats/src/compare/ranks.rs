//! Ranks of values, where equal values share the mean of their ranks.

/// Calls `visit` with the rank of each value of a sorted sample, and returns the sum of t³ - t over its ties of t values,
/// by which ties narrow a rank statistic. The key tells what to rank by.
pub(super) fn for_each_rank<T>(sorted: &[T], key: impl Fn(&T) -> f64, mut visit: impl FnMut(&T, f64)) -> f64 {
    let mut before = 0;
    let mut ties = 0.0;
    for equals in sorted.chunk_by(|a, b| key(a) == key(b)) {
        let t = equals.len() as f64;
        let rank = before as f64 + (t + 1.0) / 2.0;
        for value in equals {
            visit(value, rank);
        }
        before += equals.len();
        ties += t * (t * t - 1.0);
    }
    ties
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        let mut ranks = Vec::new();
        let ties = for_each_rank(&[1.0, 2.0, 2.0, 5.0, 5.0, 5.0], |&value| value, |_, rank| ranks.push(rank));
        assert_eq!(ranks, [1.0, 2.5, 2.5, 5.0, 5.0, 5.0]);
        assert_eq!(ties, 6.0 + 24.0);
    }
}
