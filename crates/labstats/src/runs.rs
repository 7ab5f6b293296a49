//! Means of whole runs, the figures in which evolutionary strategies were first compared.

use crate::Summary;
use serde::Serialize;

/// How the mean varies from run to run: minimum, mean, median, maximum and standard deviation of the run means.
///
/// Each run plays the same games; what differs is a strategy's own randomness.
///
/// ```
/// use pegwise_labstats::RunMeans;
/// let runs = [[4.0, 5.0, 4.0, 6.0], [5.0, 5.0, 4.0, 4.0], [3.0, 5.0, 4.0, 5.0]];
/// let means = RunMeans::of(&runs).expect("every run has games");
/// assert_eq!((means.runs, means.min, means.median, means.max), (3, 4.25, 4.5, 4.75));
/// ```
///
/// # References
///
/// J. J. Merelo et al., *Finding better solutions to the Mastermind puzzle using evolutionary algorithms*, 2010, table IV.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RunMeans {
    /// How many runs.
    pub runs: usize,
    /// The lowest mean of a run.
    pub min: f64,
    /// The mean of the means.
    pub mean: f64,
    /// The median of the means.
    pub median: f64,
    /// The highest mean of a run.
    pub max: f64,
    /// The standard deviation of the means; none for a single run.
    pub sd: Option<f64>,
}

impl RunMeans {
    /// The figures of these runs; none if there is no run, or one without games.
    pub fn of<R: AsRef<[f64]>>(runs: &[R]) -> Option<Self> {
        let means: Option<Vec<f64>> = runs.iter().map(|run| Some(Summary::of(run.as_ref())?.mean)).collect();
        let Summary { n, mean, sd, median, min, max, .. } = Summary::of(&means?)?;
        Some(Self { runs: n, min, mean, median, max, sd })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::close;

    #[test]
    fn agrees_with_numpy() {
        // m = [numpy.mean(r) for r in runs]; min(m), numpy.mean(m), numpy.median(m), max(m), numpy.std(m, ddof=1)
        let runs = [[4., 5., 4., 6.], [5., 5., 4., 4.], [3., 5., 4., 5.], [6., 6., 4., 5.], [4., 4., 4., 4.]];
        let means = RunMeans::of(&runs).unwrap();
        assert_eq!((means.runs, means.min, means.median, means.max), (5, 4.0, 4.5, 5.25));
        close(means.mean, 4.55);
        close(means.sd.unwrap(), 0.48088460154178364);
    }

    #[test]
    fn a_run_without_games_has_no_mean() {
        assert_eq!(RunMeans::of(&[vec![4.0], vec![]]), None);
        assert_eq!(RunMeans::of::<Vec<f64>>(&[]), None);
    }
}
