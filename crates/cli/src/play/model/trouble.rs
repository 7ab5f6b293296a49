//! Answers that cannot all be true, and what would mend them.

use pegwise_coach::{Amount, Contradiction, Repair};
use pegwise_game::Turn;

/// What is wrong, and which repair is chosen.
#[derive(Debug, Clone)]
pub(crate) struct Trouble {
    pub(crate) contradiction: Contradiction,
    pub(crate) fixes: Vec<Fix>,
    pub(crate) chosen: usize,
}

/// One repair, or two that must be made together.
#[derive(Debug, Clone)]
pub(crate) struct Fix {
    /// Turns by their index, as they should have been.
    pub(super) changes: Vec<(usize, Turn)>,
    pub(crate) words: String,
    /// How many codes fit then.
    pub(crate) leaves: Amount,
}

impl Trouble {
    pub(super) fn new(contradiction: Contradiction) -> Self {
        let single =
            contradiction.repairs.iter().filter_map(|repair| Fix::new(std::slice::from_ref(repair), repair.leaves));
        let double = contradiction.pairs.iter().filter_map(|pair| Fix::new(&pair.repairs, pair.leaves));
        Self { fixes: single.chain(double).collect(), contradiction, chosen: 0 }
    }
}

impl Fix {
    fn new(repairs: &[Repair], leaves: Amount) -> Option<Self> {
        let change = |repair: &Repair| Some((repair.turn.checked_sub(1)?, repair.now.turn()?));
        let words: Vec<&str> = repairs.iter().map(|repair| repair.words.as_str()).collect();
        Some(Self { changes: repairs.iter().map(change).collect::<Option<_>>()?, words: words.join("; and "), leaves })
    }
}
