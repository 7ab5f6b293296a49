//! Adversarial codemaker: the dynamic game.
//!
//! It has no fixed code. Each answer is the feedback of some candidate, chosen to prolong the game, and the code is
//! fixed only when a single candidate is left. Answers are never changed, so every game is one that a codemaker with
//! some fixed code could have played.
//!
//! By default it chooses the answer that leaves the most candidates: a greedy choice that is close to the worst case
//! against a good codebreaker. [Against a tree](Adversary::against) it knows the guesses of the codebreaker and answers
//! as the code that takes longest: the game then takes exactly as many guesses as the worst code of the tree. If the
//! codebreaker leaves the tree, it continues with the greedy choice.
//!
//! Ties are broken by the number of candidates, then by the lowest feedback. The winning answer is given only if there
//! is no other.
//!
//! # Cost and limits
//! One pass of the partition kernel over the candidates per answer. In spaces that are too large to list, some thousand
//! candidates are sampled until few enough are left to enumerate them by backtracking; the answer is then the one that
//! leaves most of the sample. Every answer is consistent with some code, since the candidates that remain after an
//! answer stay in the sample.
//!
//! # References
//! - A. Bestavros and A. Belal: Mastermind, a game of diagnosis strategies. Bulletin of the Faculty of Engineering,
//!   Alexandria University (1986): the codemaker may change the code as long as it fits all answers.
//! - D. E. Knuth: The computer as master mind. Journal of Recreational Mathematics 9 (1976), 1-6: the answer that
//!   leaves most is the one his strategy guards against.

use std::{cmp::Reverse, collections::BTreeSet, sync::Arc};

use pegwise_game::partition::{Part, Partitioner};
use pegwise_game::{Code, Feedback, History, Rules, Table, TableError, Turn};

use super::{Codemaker, CodemakerError};
use crate::candidates::CandidateTracker;
use crate::rng::Rng;
use crate::search::Search;
use crate::tree::{Node, Summary, Tree};

/// Codemaker that may change its code as long as it is consistent with all answers, and prolongs the game.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_search::{Rng, codemaker::{Adversary, Codemaker}};
/// let rules: Rules = "4x6".parse()?;
/// let mut codemaker = Adversary::new(&rules, Rng::new(1))?;
/// let reply = codemaker.reply(&rules.parse_code("1122")?)?;
/// assert_eq!(reply.to_string(), "0,0", "of three answers that leave 256 codes");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Adversary {
    history: History,
    remaining: CandidateTracker,
    partitioner: Partitioner,
    /// Candidates, ascending; never empty.
    codes: Arc<Table>,
    /// True if `codes` has all candidates.
    complete: bool,
    /// Tree of the codebreaker, from the current position on; `None` off the tree.
    tree: Option<Node>,
    rng: Rng,
}

impl Adversary {
    /// Creates a greedy adversary. The generator is used only for spaces that are too large to list.
    pub fn new(rules: &Rules, rng: Rng) -> Result<Self, TableError> {
        let remaining = CandidateTracker::new(rules)?;
        let mut adversary = Self {
            history: History::new(rules.clone()),
            codes: Arc::new(Table::new(rules)?),
            partitioner: Partitioner::new(rules),
            remaining,
            complete: false,
            tree: None,
            rng,
        };
        adversary.update_candidates();
        Ok(adversary)
    }

    /// Sets the tree that the codebreaker plays.
    #[must_use]
    pub fn against(mut self, tree: Tree) -> Self {
        self.tree = Some(tree.root);
        self
    }

    /// Lists the candidates, or adds a new sample of them.
    fn update_candidates(&mut self) {
        let mut search = Search::with_rng(self.rng.clone());
        let view = self.remaining.after(&self.history, &mut search);
        self.rng = search.rng;
        // On an error the present candidates are kept: at least one is always consistent.
        let Ok(view) = view else { return };
        self.complete = view.complete;
        if view.complete {
            self.codes = view.codes;
            return;
        }
        // The present candidates are consistent, too.
        let all: BTreeSet<Code> = view.codes.codes().chain(self.codes.codes()).collect();
        if let Ok(codes) = Table::from_codes(self.history.rules(), &all) {
            self.codes = Arc::new(codes);
        }
    }

    /// Returns the value of an answer for the codemaker: further guesses in the tree, then the number of candidates.
    /// The winning answer has the lowest value.
    fn value(&self, part: &Part, tree: Option<&Node>) -> (u32, usize, Reverse<Feedback>) {
        let rules = self.history.rules();
        let guesses = match tree.and_then(|node| node.after(&part.feedback)) {
            Some(node) => Summary::of(node).max,
            None => 0,
        };
        let codes = if part.feedback.is_winning(rules) { 0 } else { part.rows.len() };
        (guesses, codes, Reverse(part.feedback.clone()))
    }
}

impl Codemaker for Adversary {
    fn reply(&mut self, guess: &Code) -> Result<Feedback, CodemakerError> {
        self.history.rules().check_code(guess)?;
        let tree = self.tree.take().filter(|node| node.guess == *guess);
        let parts = self.partitioner.split(guess, &self.codes);
        let worst = parts.into_iter().max_by_key(|part| self.value(part, tree.as_ref()));
        let Part { feedback, rows } = worst.expect("at least one code is consistent with all answers");
        self.codes = Arc::new(self.codes.select(&rows));
        self.tree = tree.and_then(|node| {
            let branch = node.branches.into_iter().find(|branch| branch.feedback == feedback);
            branch.map(|branch| branch.node)
        });
        self.history.push(Turn { guess: guess.clone(), feedback: feedback.clone() })?;
        if !self.complete && !self.history.is_solved() {
            self.update_candidates();
        }
        Ok(feedback)
    }

    /// Returns the lowest candidate.
    fn reveal(&self) -> Option<Code> {
        Some(self.codes.code(0))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pegwise_game::{Space, feedback};
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
    use proptest::{collection, sample};

    use super::*;

    #[test]
    fn large_spaces_are_sampled() {
        for rules in ["7x9", "grid:3x3x6"] {
            assert!(!Adversary::new(&rules.parse().unwrap(), Rng::new(1)).unwrap().complete);
        }
    }

    #[test]
    fn invalid_rules_and_guesses_are_refused() {
        assert!(Adversary::new(&"4x300".parse().unwrap(), Rng::new(1)).is_err());
        let mut adversary = Adversary::new(&"4x6".parse().unwrap(), Rng::new(1)).unwrap();
        let invalid = adversary.reply(&Code::from_indices([0u16, 0, 9, 0]));
        assert!(matches!(invalid, Err(CodemakerError::Guess(_))));
        assert_eq!(adversary.codes.len(), 1296);
    }

    proptest! {
        #[test]
        fn the_answer_leaves_the_most_candidates(
            rules in sample::select(vec!["3x4", "4x3", "3x5:no-repeats", "3x4:black-only", "3x4:higher-lower",
                "3x3:distance", "grid:2x2x3", "ring:4x2"]),
            picks in collection::vec(any::<u32>(), 1..8),
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut left: Vec<Code> = Space::new(&rules).iter().collect();
            let all = left.clone();
            let mut adversary = Adversary::new(&rules, Rng::new(1)).unwrap();
            for pick in picks {
                let guess = &all[pick as usize % all.len()];
                let mut parts: BTreeMap<Feedback, Vec<Code>> = BTreeMap::new();
                for code in left {
                    parts.entry(feedback(&rules, guess, &code)).or_default().push(code);
                }
                let winning = Feedback::winning(&rules);
                // The first of the largest, in the order of feedback.
                let most = parts.iter().filter(|(other, _)| **other != winning).map(|(_, codes)| codes.len()).max();
                let expected = parts.iter().find(|(other, codes)| **other != winning && Some(codes.len()) == most);
                let expected = expected.map_or(&winning, |(other, _)| other).clone();
                let reply = adversary.reply(guess).unwrap();
                prop_assert_eq!(&reply, &expected);
                left = parts.remove(&reply).unwrap();
                prop_assert!(left.contains(&adversary.reveal().unwrap()));
            }
        }
    }
}
