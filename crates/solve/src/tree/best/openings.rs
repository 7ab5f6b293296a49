//! First guesses, compared by what is found for each of their parts.

use std::sync::atomic::{AtomicU64, Ordering};

use pegwise_game::{Code, Rules, Table, partition::Partitioner, symmetry::Symmetry};

use super::{
    Options,
    search::{Round, Searcher, solved_up_to},
    values::{Found, Values},
};
use crate::{
    one_step::Pools,
    parallel,
    search::Watch,
    tree::{
        Branch, Node, Summary,
        exact::{Endgame, Marks, Solved},
    },
};

/// Openings that are followed at all.
const OPENINGS: usize = 5;

/// The first guesses that promise most.
pub(super) fn first_guesses(rules: &Rules, options: &Options, all: &Table, values: &Values) -> Vec<Code> {
    if let Some(guess) = &options.first_guess {
        return vec![guess.clone()];
    }
    let mut partitioner = Partitioner::new(rules);
    let mut sizes = Vec::new();
    let mut priced: Vec<(u64, Code)> = Symmetry::new(rules, [])
        .representatives()
        .map(|guess| {
            partitioner.sizes(&guess, all, &mut sizes);
            (sizes.iter().map(|&size| u64::from(values.of(size as usize))).sum(), guess)
        })
        .collect();
    priced.sort();
    priced.into_iter().take(OPENINGS).map(|(_, guess)| guess).collect()
}

/// A first guess, and what is known of each of its parts.
pub(super) struct Opening {
    guess: Code,
    codes: u64,
    parts: Vec<OpeningPart>,
}

struct OpeningPart {
    feedback: pegwise_game::Feedback,
    codes: Table,
    searcher: Searcher,
    total: Option<u64>,
    node: Option<Node>,
}

impl Opening {
    pub(super) fn new(rules: &Rules, pools: &Pools, all: &Table, guess: Code, values: &Values) -> Self {
        let winning = pegwise_game::Feedback::winning(rules);
        let parts = Partitioner::new(rules).split(&guess, all).into_iter().filter(|part| part.feedback != winning);
        let parts = parts.map(|part| OpeningPart {
            feedback: part.feedback,
            codes: all.select(&part.rows),
            searcher: Searcher::new(rules, pools, values.clone(), guess.clone()),
            total: None,
            node: None,
        });
        Self { codes: all.len() as u64, parts: parts.collect(), guess }
    }

    /// Searches every part once more, following so many guesses. Tells the total once every part has one.
    pub(super) fn round(
        &mut self,
        rules: &Rules,
        endgames: Option<(&Marks, &Solved)>,
        width: usize,
        watch: Watch<'_>,
        told: impl Fn(u64) + Sync,
    ) {
        let known: u64 = self.parts.iter().map(|part| part.total.unwrap_or(0)).sum();
        let whole = self.parts.iter().all(|part| part.total.is_some());
        let gained = AtomicU64::new(0);
        // The largest first, so that no thread is left with it at the end.
        let mut order: Vec<&mut OpeningPart> = self.parts.iter_mut().collect();
        order.sort_by_key(|part| std::cmp::Reverse(part.codes.len()));
        parallel::for_each(order, |part| {
            if watch.stop().is_some() {
                return;
            }
            let before = part.total;
            let endgame = endgames.map(|(marks, solved)| Endgame::new(rules, marks, solved, watch));
            let mut round = Round { solved_up_to: solved_up_to(width), watch, endgame };
            let Some(node) = part.searcher.improve(&part.codes, width, &mut round) else { return };
            let total = Summary::of(&node).total;
            if before.is_some_and(|before| before <= total) {
                return;
            }
            (part.total, part.node) = (Some(total), Some(node));
            if let (true, Some(before)) = (whole, before) {
                let gain = before - total;
                let others = gained.fetch_add(gain, Ordering::Relaxed);
                told(self.codes + known - others - gain);
            }
        });
        self.learn();
        let total = self.total();
        if total != u64::MAX {
            told(total);
        }
    }

    /// The expectations of every part become what was found in all of them.
    fn learn(&mut self) {
        let mut found = Found::default();
        for part in &self.parts {
            part.searcher.report(&mut found);
        }
        for part in &mut self.parts {
            part.searcher.learn(&found);
        }
    }

    pub(super) fn total(&self) -> u64 {
        let parts = self.parts.iter().map(|part| part.total).sum::<Option<u64>>();
        parts.map_or(u64::MAX, |parts| parts + self.codes)
    }

    pub(super) fn node(&self) -> Node {
        let branches = self.parts.iter().filter_map(|part| {
            let node = part.node.clone()?;
            Some(Branch { feedback: part.feedback.clone(), node })
        });
        Node { guess: self.guess.clone(), wins: true, branches: branches.collect() }
    }
}
