//! What a strategy achieves over all codes.

use serde::{Deserialize, Serialize};

use super::Node;

/// Guesses over all codes of a position.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stats {
    /// How many codes are played.
    pub codes: u64,
    /// Guesses until the code is played, summed over all codes.
    pub total: u64,
    /// Guesses until one code is left, played or not, summed over all codes.
    pub total_to_identify: u64,
    /// The most guesses any code needs.
    pub max: u32,
    /// How many codes need one guess, two guesses, and so on.
    pub histogram: Vec<u64>,
}

impl Stats {
    pub(super) fn of(root: &Node) -> Self {
        let mut stats = Self::default();
        stats.add(root, 1);
        stats.max = stats.histogram.len() as u32;
        stats.codes = stats.histogram.iter().sum();
        stats.total = (1..).zip(&stats.histogram).map(|(guesses, codes): (u64, &u64)| guesses * codes).sum();
        stats
    }

    fn add(&mut self, node: &Node, depth: usize) {
        if self.histogram.len() < depth {
            self.histogram.resize(depth, 0);
        }
        if node.wins {
            self.histogram[depth - 1] += 1;
            // With one code left, it was identified by the guess before.
            let known_before = node.branches.is_empty() && depth > 1;
            self.total_to_identify += (depth - usize::from(known_before)) as u64;
        }
        for branch in &node.branches {
            self.add(&branch.node, depth + 1);
        }
    }

    /// Mean guesses until the code is played.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.total as f64 / self.codes as f64
    }

    /// Mean guesses until one code is left.
    #[must_use]
    pub fn mean_to_identify(&self) -> f64 {
        self.total_to_identify as f64 / self.codes as f64
    }
}
