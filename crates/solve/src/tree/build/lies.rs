//! Positions of a game in which answers may be lies.

use std::sync::atomic::Ordering;

use pegwise_game::{Code, Table, Turn, partition::Part};

use super::{BuildError, Builder, Worker};
use crate::{
    candidates::{LiarCandidates, listed::Filter},
    strategy::Position,
    tree::{Branch, Node},
};

/// What a build with lies works with.
pub(super) struct Lying<'a> {
    pub(super) all: &'a Table,
    pub(super) filter: Filter,
    pub(super) guesses: Vec<Code>,
}

impl Builder<'_> {
    /// A position of a game in which answers may be lies: what the answers of all codes leave, true or not.
    pub(super) fn node_with_lies(
        &self,
        worker: &mut Worker,
        lying: &mut Lying<'_>,
        suspects: &LiarCandidates,
    ) -> Result<Node, BuildError> {
        if let Some(stop) = self.watch.stop() {
            return Err(BuildError::Stopped(stop));
        }
        let codes = &suspects.codes;
        let guess = worker.strategy.choose_within(Position { codes, guesses: &lying.guesses }, self.watch);
        let wins = codes.codes().any(|code| code == guess);
        self.done.fetch_add(wins.into(), Ordering::Relaxed);
        if wins && codes.len() == 1 {
            return Ok(Node::leaf(guess));
        }
        lying.guesses.push(guess.clone());
        let mut branches = Vec::new();
        for Part { feedback, .. } in worker.partitioner.split(&guess, lying.all) {
            let turn = Turn { guess: guess.clone(), feedback };
            let left = suspects.after(&turn, &mut lying.filter);
            if turn.feedback.is_winning(&self.rules) || left.codes.is_empty() {
                continue;
            }
            if left == *suspects {
                let guess = guess.notation(self.rules.colors()).to_string();
                return Err(BuildError::Useless { guess, codes: codes.len() });
            }
            branches.push(Branch { feedback: turn.feedback, node: self.node_with_lies(worker, lying, &left)? });
        }
        lying.guesses.pop();
        Ok(Node { guess, wins, branches })
    }
}
