//! What a tree achieves from a position on, for every position at once.

use serde::{Deserialize, Serialize};

use super::{Node, Step, Traversal};

/// What a tree achieves from a position on.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_solve::{Watch, catalog, tree::{Builder, Summary}};
/// let rules: Rules = "4x6".parse()?;
/// let knuth = catalog::strategy("knuth", &rules)?.position_strategy().unwrap();
/// let tree = Builder::new(&rules, Watch::default()).build(&*knuth)?;
/// let summary = Summary::of(&tree.root);
/// assert_eq!((summary.codes, summary.total, summary.max), (1296, 5801, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// How many codes are played.
    pub codes: u64,
    /// Guesses until the code is played, counted from this position and summed over its codes.
    pub total: u64,
    /// The most guesses any code needs from this position on.
    pub max: u32,
    /// Positions, this one included.
    pub nodes: u64,
}

impl Summary {
    /// The summary of one position.
    #[must_use]
    pub fn of(node: &Node) -> Self {
        let mut open: Vec<Self> = Vec::new();
        let mut whole = Self::default();
        for step in Traversal::new(node) {
            match step {
                Step::Enter { node, .. } => open.push(Self::of_guess(node)),
                Step::Leave { .. } => {
                    whole = open.pop().unwrap_or_default();
                    if let Some(above) = open.last_mut() {
                        above.add_below(&whole);
                    }
                }
            }
        }
        whole
    }

    /// The summary of a position and of every one below it, in the order of a [`Traversal`].
    #[must_use]
    pub fn of_each(root: &Node) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for step in Traversal::new(root) {
            match step {
                Step::Enter { node, .. } => {
                    open.push(all.len());
                    all.push(Self::of_guess(node));
                }
                Step::Leave { .. } => {
                    if let (Some(number), Some(&above)) = (open.pop(), open.last()) {
                        let below = all[number];
                        all[above].add_below(&below);
                    }
                }
            }
        }
        all
    }

    /// The summary of a guess alone, without what follows it.
    fn of_guess(node: &Node) -> Self {
        let won = u64::from(node.wins);
        Self { codes: won, total: won, max: u32::from(node.wins), nodes: 1 }
    }

    fn add_below(&mut self, below: &Self) {
        self.codes += below.codes;
        self.total += below.total + below.codes;
        self.max = self.max.max(below.max + 1);
        self.nodes += below.nodes;
    }

    /// Mean guesses from this position until the code is played.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.total as f64 / self.codes as f64
    }
}
