//! The parts of a build that several machines can take, and one of them by itself.

use pegwise_game::{
    Code, Table, Turn,
    partition::{Part, Partitioner},
};

use super::{BuildError, Builder, PART, Worker};
use crate::{
    candidates::listed::Filter,
    strategy::{Position, PositionStrategy},
    tree::{Journal, Untold},
};

impl Builder<'_> {
    /// The parts that several machines can build, each by itself, by the turns that lead to them: those that a journal keeps.
    /// None where the space is so small, or the rules such, that a build has no parts.
    pub fn parts(&self, strategy: &dyn PositionStrategy) -> Result<Vec<Vec<Turn>>, BuildError> {
        Untold::check(&self.rules)?;
        let all = Table::all(&self.rules)?;
        let mut parts = Vec::new();
        if self.rules.lies() == 0 && all.len() > PART {
            let mut worker = Worker { strategy: strategy.duplicate(), partitioner: Partitioner::new(&self.rules) };
            self.find_parts(&mut worker, &all, &mut Vec::new(), &mut parts)?;
        }
        Ok(parts)
    }

    /// The parts below a position with more codes than a part has.
    fn find_parts(
        &self,
        worker: &mut Worker,
        codes: &Table,
        turns: &mut Vec<Turn>,
        parts: &mut Vec<Vec<Turn>>,
    ) -> Result<(), BuildError> {
        let guesses: Vec<Code> = turns.iter().map(|turn| turn.guess.clone()).collect();
        let guess = worker.strategy.choose_within(Position { codes, guesses: &guesses }, self.watch);
        if let Some(stop) = self.watch.stop() {
            return Err(BuildError::Stopped(stop));
        }
        let split = worker.partitioner.split(&guess, codes);
        if let [_] = split[..] {
            let guess = guess.notation(self.rules.colors()).to_string();
            return Err(BuildError::Useless { guess, codes: codes.len() });
        }
        for Part { feedback, rows } in split.into_iter().filter(|part| !part.feedback.is_winning(&self.rules)) {
            turns.push(Turn { guess: guess.clone(), feedback });
            if rows.len() > PART {
                self.find_parts(worker, &codes.select(&rows), turns, parts)?;
            } else {
                parts.push(turns.clone());
            }
            turns.pop();
        }
        Ok(())
    }

    /// One of the [parts](Self::parts), as [`Journal::take`] takes it.
    pub fn part(&self, strategy: &dyn PositionStrategy, turns: &[Turn]) -> Result<Vec<u8>, BuildError> {
        let mut codes = Table::all(&self.rules)?;
        let mut filter = Filter::new(&self.rules);
        for turn in turns {
            codes = codes.select(filter.rows(&codes, turn));
        }
        if codes.is_empty() {
            return Err(BuildError::Journal("no code fits the turns to the part".to_owned()));
        }
        let mut worker = Worker { strategy: strategy.duplicate(), partitioner: Partitioner::new(&self.rules) };
        let mut guesses = turns.iter().map(|turn| turn.guess.clone()).collect();
        let node = self.node(&mut worker, &codes, &mut guesses, &[])?;
        Journal::part(&self.rules, &self.path(turns), &node).map_err(|error| BuildError::Journal(error.to_string()))
    }

    /// What a journal knows a part by.
    pub(super) fn path(&self, turns: &[Turn]) -> String {
        let path: Vec<String> = turns.iter().map(|turn| turn.notation(&self.rules).to_string()).collect();
        path.join(" ")
    }
}
