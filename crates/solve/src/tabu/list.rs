//! Moves that may not be made again for a while.

use std::collections::VecDeque;

/// The last moves, as many as the tenure.
#[derive(Debug, Clone)]
pub(super) struct TabuList<M> {
    moves: VecDeque<M>,
    tenure: usize,
}

impl<M: PartialEq> TabuList<M> {
    pub(super) fn new(tenure: usize) -> Self {
        Self { moves: VecDeque::with_capacity(tenure + 1), tenure }
    }

    pub(super) fn contains(&self, made: &M) -> bool {
        self.moves.contains(made)
    }

    pub(super) fn push(&mut self, made: M) {
        self.moves.push_back(made);
        if self.moves.len() > self.tenure {
            self.moves.pop_front();
        }
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
    }
}
