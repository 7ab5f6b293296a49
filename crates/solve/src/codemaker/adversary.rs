//! A codemaker that has not chosen yet: the dynamic game.
//!
//! It hides no code. Each answer is one that some code still possible would give, chosen so that the game goes on for
//! as long as it can, and the code is settled only when a single one is left. An answer is never taken back, so every
//! game is one that an honest codemaker with some unlucky code could have played.
//!
//! Without more it answers so that most codes are left: greedy, and against a good codebreaker hard to beat, but not
//! the worst there is. [Against a tree](Adversary::against) it knows what the codebreaker will play, and answers as the
//! code that takes longest: the game then takes exactly as many guesses as the worst code of the tree. Off the tree it
//! goes on by the number of codes.
//!
//! Equal answers are decided by the number of codes left, then by the lowest feedback, and the winning answer is given
//! only when there is no other.
//!
//! # Cost and limits
//! One pass of the partition kernel over the codes still possible for each answer. Spaces that are too large to list
//! are listed by backtracking once few codes are left and sampled before that, some thousand codes at a time: the
//! answer is then the one that leaves most of the sample. It still fits some code, since the codes that the last answer
//! was chosen for stay in the sample until the next one.
//!
//! # References
//! - A. Bestavros and A. Belal: Mastermind, a game of diagnosis strategies. Bulletin of the Faculty of Engineering,
//!   Alexandria University (1986): the codemaker may change the code as long as it fits all answers.
//! - D. E. Knuth: The computer as master mind. Journal of Recreational Mathematics 9 (1976), 1-6: the answer that
//!   leaves most is the one his strategy guards against.

use std::{cmp::Reverse, collections::BTreeSet, sync::Arc};

use pegwise_game::{
    Code, Feedback, History, Rules, Table, TableError, Turn,
    partition::{Part, Partitioner},
};

use super::{Codemaker, CodemakerError};
use crate::{
    candidates::CandidateTracker,
    rng::Rng,
    search::Search,
    tree::{Node, Summary, Tree},
};

/// May switch to any code that fits its answers so far, and answers so that the game goes on.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_solve::{Rng, codemaker::{Adversary, Codemaker}};
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
    /// Codes that fit every answer so far, ascending; never none.
    codes: Arc<Table>,
    /// Whether these are all of them.
    complete: bool,
    /// What the codebreaker will play, while the game is where that is known.
    plan: Option<Node>,
    rng: Rng,
}

impl Adversary {
    /// Answers so that most codes are left. The random numbers matter only where the space is too large to list.
    pub fn new(rules: &Rules, rng: Rng) -> Result<Self, TableError> {
        let remaining = CandidateTracker::new(rules)?;
        let mut adversary = Self {
            history: History::new(rules.clone()),
            codes: Arc::new(Table::new(rules)?),
            partitioner: Partitioner::new(rules),
            remaining,
            complete: false,
            plan: None,
            rng,
        };
        adversary.look_again();
        Ok(adversary)
    }

    /// The same codemaker against a codebreaker that plays this tree.
    #[must_use]
    pub fn against(mut self, tree: Tree) -> Self {
        self.plan = Some(tree.root);
        self
    }

    /// Draws another sample of the codes that fit, or lists them now that they are few.
    fn look_again(&mut self) {
        let mut search = Search::with_rng(self.rng.clone());
        let view = self.remaining.after(&self.history, &mut search);
        self.rng = search.rng;
        // Some code fits: the one that the last answer was chosen for.
        let Ok(view) = view else { return };
        self.complete = view.complete;
        if view.complete {
            self.codes = view.codes;
            return;
        }
        // What was found before fits as well, and is there even if the sample finds nothing.
        let all: BTreeSet<Code> = view.codes.codes().chain(self.codes.codes()).collect();
        if let Ok(codes) = Table::from_codes(self.history.rules(), &all) {
            self.codes = Arc::new(codes);
        }
    }

    /// How much an answer hurts: guesses that are sure to follow, then codes left. The winning answer hurts least.
    fn pain(&self, part: &Part, plan: Option<&Node>) -> (u32, usize, Reverse<Feedback>) {
        let rules = self.history.rules();
        let guesses = match plan.and_then(|node| node.after(&part.feedback)) {
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
        let plan = self.plan.take().filter(|node| node.guess == *guess);
        let parts = self.partitioner.split(guess, &self.codes);
        let worst = parts.into_iter().max_by_key(|part| self.pain(part, plan.as_ref()));
        let Part { feedback, rows } = worst.expect("some code fits every answer so far");
        self.codes = Arc::new(self.codes.select(&rows));
        self.plan = plan.and_then(|node| {
            let branch = node.branches.into_iter().find(|branch| branch.feedback == feedback);
            branch.map(|branch| branch.node)
        });
        self.history.push(Turn { guess: guess.clone(), feedback: feedback.clone() })?;
        if !self.complete && !self.history.is_solved() {
            self.look_again();
        }
        Ok(feedback)
    }

    /// The lowest code that fits every answer.
    fn reveal(&self) -> Option<Code> {
        Some(self.codes.code(0))
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, ops::ControlFlow};

    use pegwise_game::{Space, feedback};
    use proptest::{
        collection,
        prelude::{any, prop_assert, prop_assert_eq, proptest},
        sample,
    };

    use super::*;
    use crate::{Watch, catalog, play, tree::Builder};

    /// Guesses that a strategy takes against a codemaker, and what it was told.
    fn game(strategy: &str, rules: &Rules, codemaker: &mut Adversary) -> usize {
        let mut strategy = catalog::strategy(strategy, rules).unwrap();
        let mut search = Search::new(1);
        let game = play(rules, &mut *strategy, codemaker, &mut search, |_| ControlFlow::Continue(())).unwrap();
        assert!(game.is_solved());
        let code = codemaker.reveal().unwrap();
        assert!(
            game.turns.iter().all(|turn| feedback(rules, &turn.guess, &code) == turn.feedback),
            "one code fits all"
        );
        game.guesses()
    }

    fn tree(strategy: &str, rules: &Rules) -> Tree {
        let strategy = catalog::strategy(strategy, rules).unwrap();
        if let Some(tree) = strategy.tree() {
            return tree.clone();
        }
        Builder::new(rules, Watch::default()).build(&*strategy.position_strategy().unwrap()).unwrap()
    }

    #[test]
    fn against_a_tree_it_takes_as_long_as_the_worst_code() {
        for (text, strategy, published) in [
            ("4x6", "knuth", Some(5)),
            ("4x6", "optimal", Some(6)),
            ("4x7", "optimal", Some(6)),
            ("4x10:no-repeats", "optimal", Some(7)),
            ("4x6", "entropy", None),
            ("3x5:black-only", "knuth", None),
            ("grid:2x2x3", "knuth", None),
        ] {
            let rules: Rules = text.parse().unwrap();
            let tree = tree(strategy, &rules);
            let worst = tree.stats().max;
            assert!(published.is_none_or(|published| published == worst), "{strategy} at {text}: {worst}");
            let mut adversary = Adversary::new(&rules, Rng::new(1)).unwrap().against(tree);
            assert_eq!(game(strategy, &rules, &mut adversary), worst as usize, "{strategy} at {text}");
            let mut greedy = Adversary::new(&rules, Rng::new(1)).unwrap();
            assert!(game(strategy, &rules, &mut greedy) <= worst as usize, "{strategy} at {text}");
        }
    }

    #[test]
    fn off_the_tree_it_goes_on_by_the_number_of_codes() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut planned = Adversary::new(&rules, Rng::new(1)).unwrap().against(tree("knuth", &rules));
        let mut greedy = Adversary::new(&rules, Rng::new(1)).unwrap();
        for guess in ["1234", "1122", "5566"] {
            let guess = rules.parse_code(guess).unwrap();
            assert_eq!(planned.reply(&guess), greedy.reply(&guess));
        }
    }

    #[test]
    fn large_spaces_get_answers_that_some_code_gives() {
        for rules in ["7x9", "grid:3x3x6"] {
            let rules: Rules = rules.parse().unwrap();
            let mut adversary = Adversary::new(&rules, Rng::new(1)).unwrap();
            assert!(!adversary.complete, "the space is sampled");
            assert!(game("random-consistent", &rules, &mut adversary) > 2);
        }
    }

    #[test]
    fn rules_and_guesses_that_cannot_be_are_refused() {
        assert!(Adversary::new(&"4x300".parse().unwrap(), Rng::new(1)).is_err());
        let mut adversary = Adversary::new(&"4x6".parse().unwrap(), Rng::new(1)).unwrap();
        let stranger = adversary.reply(&Code::from_indices([0u16, 0, 9, 0]));
        assert!(matches!(stranger, Err(CodemakerError::Guess(_))));
        assert_eq!(adversary.codes.len(), 1296);
    }

    proptest! {
        #[test]
        fn the_answer_is_the_one_that_leaves_most(
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
