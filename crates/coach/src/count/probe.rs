//! How many codes fit, estimated, and a near uniform sample of them.
//!
//! Codes are put together cell by cell, many at a time. In each cell a color is drawn by how likely it seems that a code so
//! begun can be finished, and the code is weighed by what was left out: on average the weights come to the number of codes
//! that fit, whatever "seems likely" is worth (sequential importance sampling; D. E. Knuth, Estimating the efficiency of
//! backtrack programs, 1975). Codes of small weight give way to copies of heavier ones, which changes no average (a particle
//! filter; P. Del Moral, Feynman-Kac Formulae, 2004). Batches that know nothing of each other tell how far the average is to
//! be trusted: where they differ too much, there is no estimate.
//!
//! A code seems likely to be finished when the sums that each line still lacks are what random colors would add.

mod drawing;
mod ground;
mod rating;

use pegwise_game::{Code, History};
use pegwise_solve::Search;

use self::ground::Ground;
use crate::{
    figure::{Amount, Figure, Size},
    fit::Fit,
};

/// Batches, and codes of each. More codes are tried only while the batches agree too little.
const BATCHES: usize = 16;
const CODES: usize = 128;
const MOST_CODES: usize = 512;
/// Colors that are weighed for the turns of all batches together: some tenths of a second. Fewer codes are not worth it.
const WORK: usize = 6_000_000;
const FEWEST_CODES: usize = 16;
/// Standard errors on either side of an estimate. Student's quantile for 95 percent is 2.13 with so many batches; weights are
/// skewed, so that a batch now and then has much more than the others, and a sample without one seems nearer than it is.
const STUDENT: f64 = 2.3;
/// The most that batches may differ, as standard deviation over mean; beyond, they are too skewed for an interval.
const MOST_SPREAD: f64 = 0.6;
/// No estimate claims to be nearer than this share.
const NEAREST: f64 = 0.005;
/// An estimate this near is near enough.
const NEAR: f64 = 0.04;

/// Codes drawn without regard to the other batches.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub(crate) codes: Vec<Code>,
    /// The logarithm of the number of codes that fit, as this batch has it.
    log: f64,
}

/// What probes have found.
#[derive(Debug, Clone)]
pub(crate) struct Probes {
    pub(crate) amount: Amount,
    pub(crate) batches: Vec<Batch>,
}

/// Probes for the codes that fit whole turns, and notes with forgotten parts. `None` where the batches differ too much, or
/// when stopped.
pub(crate) fn probe(history: &History, partial: &[Fit], search: &mut Search<'_>) -> Option<Probes> {
    // Tables for longer lines would take more time than a player waits.
    const LONGEST: usize = 1024;
    if history.rules().board().lines().any(|line| line.len() > LONGEST) {
        return None;
    }
    if history.rules().feedback().model().per_cell && !history.is_empty() {
        return None;
    }
    let ground = Ground::new(history);
    let most = (WORK / (BATCHES * ground.work_a_code())).min(MOST_CODES);
    if most < FEWEST_CODES {
        return None;
    }
    let mut codes = CODES.min(most);
    loop {
        let batches = (0..BATCHES).map(|_| ground.batch(codes, partial, search)).collect::<Option<Vec<Batch>>>()?;
        let spread = spread(&batches)?;
        let near = spread.error <= NEAR;
        if near || codes >= most {
            let (value, off) = (spread.log_mean, (STUDENT * spread.error).max(NEAREST));
            let [value, low, high] =
                [value, value - off, value + off].map(|log| Size::from_log10(log / std::f64::consts::LN_10));
            return (spread.deviation <= MOST_SPREAD)
                .then_some(Probes { amount: Figure::Estimate { value, low, high }, batches });
        }
        // Codes that are four times as many come within half as much.
        codes = if spread.error > 2.0 * NEAR { most } else { (codes * 2).min(most) };
    }
}

struct Spread {
    /// The logarithm of the mean over the batches.
    log_mean: f64,
    /// The standard deviation of a batch, and the standard error of the mean, both as shares of the mean.
    deviation: f64,
    error: f64,
}

fn spread(batches: &[Batch]) -> Option<Spread> {
    let most = batches.iter().map(|batch| batch.log).fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return None;
    }
    let values: Vec<f64> = batches.iter().map(|batch| (batch.log - most).exp()).collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let deviation = variance.sqrt() / mean;
    Some(Spread { log_mean: most + mean.ln(), deviation, error: deviation / count.sqrt() })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pegwise_game::{Feedback, Rules, Space, Turn, feedback};
    use pegwise_solve::Rng;

    use super::*;
    use crate::figure::Quantity as _;

    /// A random position: some turns about a random code.
    fn position(rules: &Rules, turns: usize, rng: &mut Rng) -> History {
        let secret = rng.code(rules);
        let mut history = History::new(rules.clone());
        for _ in 0..turns {
            let guess = rng.code(rules);
            let feedback = feedback(rules, &guess, &secret);
            history.push(Turn { guess, feedback }).unwrap();
        }
        history
    }

    /// Intervals hold the truth about as often as they say, over positions of every kind of board and feedback. Few codes are
    /// listed and never estimated.
    #[test]
    fn intervals_cover_the_truth() {
        const FEWEST: usize = 40;
        let mut rng = Rng::new(5);
        let (mut met, mut missed) = ([0u32; 2], [Vec::new(), Vec::new()]);
        for (text, turns) in [
            ("4x6", 1),
            ("5x6", 1),
            ("5x8", 1),
            ("5x8", 2),
            ("6x5", 2),
            ("5x8:no-repeats", 1),
            ("5x6:black-only", 2),
            ("6x5:color-only", 2),
            ("5x6:higher-lower", 2),
            ("5x6:distance", 1),
            ("grid:2x2x6", 1),
            ("grid:2x3x5", 1),
            ("ring:6x4", 1),
        ] {
            let rules: Rules = text.parse().unwrap();
            for seed in 0..16 {
                let history = position(&rules, turns, &mut rng);
                let fitting: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
                let guess = rng.code(&rules);
                if fitting.len() < FEWEST {
                    continue;
                }
                let Some(probes) = probe(&history, &[], &mut Search::new(seed)) else { continue };
                assert!(probes.batches.iter().flat_map(|batch| &batch.codes).all(|code| history.is_consistent(code)));
                let mut parts: BTreeMap<Feedback, f64> = BTreeMap::new();
                fitting.iter().for_each(|code| *parts.entry(feedback(&rules, &guess, code)).or_default() += 1.0);
                let codes = fitting.len() as f64;
                let alike: f64 = parts.values().map(|size| size * size / codes / codes).sum();
                let count = probes.amount.interval().map(|(low, high)| (low.double(), high.double()));
                let intervals = [(codes, count), (alike, probes.rate(&rules, &guess).alike.interval())];
                for (at, (truth, interval)) in intervals.into_iter().enumerate() {
                    let Some((low, high)) = interval else { continue };
                    met[at] += 1;
                    // Where all codes are answered alike there is nothing to be wrong about.
                    if !(low - 1e-9..=high + 1e-9).contains(&truth) {
                        missed[at].push(format!("{text}/{turns}: {truth:.4} not in {low:.4} to {high:.4}"));
                    }
                }
            }
        }
        for (met, missed) in met.into_iter().zip(missed) {
            let covered = 1.0 - missed.len() as f64 / f64::from(met);
            assert!(met >= 100 && (0.90..=0.99).contains(&covered), "{} of {met} missed: {missed:#?}", missed.len());
        }
    }
}
