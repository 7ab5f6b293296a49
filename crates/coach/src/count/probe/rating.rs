//! What a guess does to the codes of a sample, with errors by leaving out one batch at a time.

use std::{cmp::Ordering, collections::BTreeMap};

use pegwise_game::{Code, Feedback, Judge, Rules};

use super::{BATCHES, Batch, Probes, STUDENT};
use crate::figure::Figure;

/// What a guess does to codes of the batches: the share that it leaves on average, and what it tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rating {
    /// The chance that two codes are answered alike.
    pub(crate) alike: Figure<f64>,
    /// Bits of Shannon's information.
    pub(crate) bits: Figure<f64>,
}

/// Fewer pairs than this that are answered alike tell nothing of how often that is.
const LEAST_PAIRS: f64 = 20.0;
/// With more answers than this share that were seen once, many were not seen at all.
const MOST_SINGLE: f64 = 0.05;

impl Probes {
    /// How a guess does, with errors by leaving out one batch at a time.
    pub(crate) fn rate(&self, rules: &Rules, guess: &Code) -> Rating {
        let parts = self.parts(rules, guess);
        let weights = self.weights();
        let all: Vec<usize> = (0..self.batches.len()).filter(|&at| weights[at] > 0.0).collect();
        let without = |left: usize| all.iter().copied().filter(|&at| at != left).collect::<Vec<_>>();
        let (codes, singles) = seen(&parts);
        let pairs = alike(&parts, &weights, &all).map_or(0.0, |alike| alike * codes * codes / 2.0);
        let jackknife = |of: &dyn Fn(&[usize]) -> Option<f64>| -> Option<Figure<f64>> {
            let value = of(&all)?;
            let others = all.iter().map(|&left| of(&without(left))).collect::<Option<Vec<f64>>>()?;
            let count = others.len() as f64;
            let mean = others.iter().sum::<f64>() / count;
            let variance = others.iter().map(|other| (other - mean).powi(2)).sum::<f64>() * (count - 1.0) / count;
            let off = STUDENT * variance.sqrt();
            let value = count * value - (count - 1.0) * mean;
            Some(Figure::Estimate { value, low: (value - off).max(0.0), high: value + off })
        };
        let enough = all.len() >= BATCHES / 2;
        let alike =
            (enough && pairs >= LEAST_PAIRS).then(|| jackknife(&|some| alike(&parts, &weights, some))).flatten();
        let bits = (enough && singles <= MOST_SINGLE * codes).then(|| jackknife(&|some| bits(&parts, &weights, some)));
        Rating { alike: alike.unwrap_or_default(), bits: bits.flatten().unwrap_or_default() }
    }

    /// For each batch, how many of its codes give each answer.
    fn parts(&self, rules: &Rules, guess: &Code) -> Vec<BTreeMap<Feedback, f64>> {
        let mut judge = Judge::new(rules);
        let mut of = |batch: &Batch| {
            let mut parts: BTreeMap<Feedback, f64> = BTreeMap::new();
            batch.codes.iter().for_each(|code| *parts.entry(judge.feedback(guess, code)).or_default() += 1.0);
            parts
        };
        self.batches.iter().map(&mut of).collect()
    }

    /// How kind an answer was, from 0 to 100: the share of codes whose answer leaves more, and half that of those whose
    /// answer leaves as much. Unknown where many answers were seen once or never, so that sizes cannot be compared.
    pub(crate) fn luck(&self, rules: &Rules, guess: &Code, answer: &Feedback) -> Figure<f64> {
        let parts = self.parts(rules, guess);
        let (codes, singles) = seen(&parts);
        let weights = self.weights();
        let mut sizes: BTreeMap<&Feedback, f64> = BTreeMap::new();
        for (parts, weight) in parts.iter().zip(&weights) {
            parts.iter().for_each(|(answer, size)| *sizes.entry(answer).or_default() += weight * size);
        }
        if singles > MOST_SINGLE * codes || sizes.len() < 2 {
            return Figure::Unknown;
        }
        let own = if *answer == Feedback::winning(rules) { 0.0 } else { sizes.get(answer).copied().unwrap_or(0.0) };
        let kinder = |answer: &Feedback| match sizes.get(answer).copied().unwrap_or(0.0).total_cmp(&own) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        };
        let mut shares: Vec<(f64, f64)> = Vec::new();
        for (parts, &weight) in parts.iter().zip(&weights).filter(|(parts, weight)| **weight > 0.0 && !parts.is_empty())
        {
            let codes: f64 = parts.values().sum();
            shares.push((weight, parts.iter().map(|(answer, size)| kinder(answer) * size).sum::<f64>() / codes));
        }
        if shares.len() < BATCHES / 2 {
            return Figure::Unknown;
        }
        let all: f64 = shares.iter().map(|(weight, _)| weight).sum();
        let mean = shares.iter().map(|(weight, share)| weight * share).sum::<f64>() / all;
        let squares: f64 = shares.iter().map(|(weight, share)| (weight * (share - mean)).powi(2)).sum();
        let count = shares.len() as f64;
        let off = STUDENT * (squares * count / (count - 1.0)).sqrt() / all;
        let [value, low, high] = [mean, (mean - off).max(0.0), (mean + off).min(1.0)].map(|share| 100.0 * share);
        Figure::Estimate { value, low, high }
    }

    /// What each batch counts for.
    fn weights(&self) -> Vec<f64> {
        let most = self.batches.iter().map(|batch| batch.log).fold(f64::NEG_INFINITY, f64::max);
        self.batches.iter().map(|batch| (batch.log - most).exp()).collect()
    }
}

/// Codes in all, and answers that were seen once.
fn seen(parts: &[BTreeMap<Feedback, f64>]) -> (f64, f64) {
    let mut sizes: BTreeMap<&Feedback, f64> = BTreeMap::new();
    parts.iter().flatten().for_each(|(answer, size)| *sizes.entry(answer).or_default() += size);
    (sizes.values().sum(), sizes.values().filter(|&&size| size == 1.0).count() as f64)
}

/// The shares of answers in each batch, so that no copy of a code meets another: only codes of different batches are compared.
fn alike(parts: &[BTreeMap<Feedback, f64>], weights: &[f64], some: &[usize]) -> Option<f64> {
    let (mut pooled, mut own, mut all, mut squares) = (BTreeMap::<&Feedback, f64>::new(), 0.0, 0.0, 0.0);
    for &at in some {
        let codes: f64 = parts[at].values().sum();
        for (answer, size) in &parts[at] {
            let share = weights[at] * size / codes;
            *pooled.entry(answer).or_default() += share;
            own += share * share;
        }
        all += weights[at];
        squares += weights[at] * weights[at];
    }
    let together: f64 = pooled.values().map(|share| share * share).sum();
    let pairs = all * all - squares;
    (pairs > 0.0).then(|| (together - own) / pairs)
}

/// Shannon's entropy of the answers.
fn bits(parts: &[BTreeMap<Feedback, f64>], weights: &[f64], some: &[usize]) -> Option<f64> {
    let mut pooled: BTreeMap<&Feedback, f64> = BTreeMap::new();
    for &at in some {
        let codes: f64 = parts[at].values().sum();
        parts[at].iter().for_each(|(answer, size)| *pooled.entry(answer).or_default() += weights[at] * size / codes);
    }
    let all: f64 = pooled.values().sum();
    // In the order of size, so that the order of a map changes no digit.
    let mut shares: Vec<f64> = pooled.into_values().map(|share| share / all).collect();
    shares.sort_by(f64::total_cmp);
    (all > 0.0).then(|| shares.iter().map(|share| -share * share.log2()).sum())
}
