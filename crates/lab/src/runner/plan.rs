//! Which games are still to be played, and who plays which.

use std::sync::{Arc, atomic::Ordering};

use super::{Progress, Shard};
use crate::{
    experiment::{Cell, Experiment},
    store::{Store, StoreError},
};

/// The games still to be played, handed out a few at a time.
pub(super) struct Plan {
    shard: Shard,
    cells: Vec<Part>,
    /// The cell that games are taken from.
    current: usize,
    /// Games not handed out yet.
    left: u64,
}

/// The games of a cell.
struct Part {
    cell: Arc<Cell>,
    /// How many games the shard has.
    games: u64,
    /// The next place in the shard.
    next: u64,
    /// One bit for each place of the shard, set where the game is done; empty where none is.
    done: Vec<u64>,
}

/// A few games of one cell.
pub(super) struct Task {
    pub(super) cell: Arc<Cell>,
    pub(super) numbers: Vec<u64>,
}

/// The most games that are handed out at once.
const MOST: u64 = 128;
/// Toward the end of a run, a task is at most this part of what is left, so that all threads end together.
const PART: u64 = 32;

impl Plan {
    /// The games that the store does not have yet.
    pub(super) fn new(
        experiment: &Experiment,
        shard: Shard,
        store: &Store,
        progress: &Progress,
    ) -> Result<Self, StoreError> {
        let mut plan = Self { shard, cells: Vec::new(), current: 0, left: 0 };
        for cell in experiment.cells() {
            let games = shard.share(cell.games());
            let (mut done, mut found, mut guesses) = (Vec::new(), 0, 0);
            store.finished(cell.id, |number, of_game| {
                let Some(place) = shard.place(number).filter(|&place| place < games) else { return };
                if done.is_empty() {
                    done.resize(games.div_ceil(64) as usize, 0u64);
                }
                done[(place / 64) as usize] |= 1 << (place % 64);
                found += 1;
                guesses += of_game;
            })?;
            progress.total.fetch_add(games, Ordering::Relaxed);
            progress.add(found, guesses);
            plan.left += games - found;
            plan.cells.push(Part { cell: Arc::new(cell), games, next: 0, done });
        }
        Ok(plan)
    }

    /// The next few games.
    pub(super) fn take(&mut self) -> Option<Task> {
        let most = (self.left / PART).clamp(1, MOST) as usize;
        while let Some(part) = self.cells.get_mut(self.current) {
            let mut numbers = Vec::with_capacity(most);
            while numbers.len() < most && part.next < part.games {
                if !part.is_done(part.next) {
                    numbers.push(self.shard.number(part.next));
                }
                part.next += 1;
            }
            if !numbers.is_empty() {
                self.left -= numbers.len() as u64;
                return Some(Task { cell: Arc::clone(&part.cell), numbers });
            }
            self.current += 1;
        }
        None
    }
}

impl Part {
    fn is_done(&self, place: u64) -> bool {
        self.done.get((place / 64) as usize).is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }
}
