//! Building level by level, for strategies that choose for many positions at a time.

use std::sync::atomic::Ordering;

use pegwise_game::{Code, Feedback, Table, partition::Partitioner};

use super::{BuildError, Builder, Worker};
use crate::{
    parallel,
    strategy::Position,
    tree::{Branch, Node},
};

/// A position whose guess is not chosen yet.
struct Open {
    codes: Table,
    guesses: Vec<Code>,
}

/// A position whose guess is chosen, with its branches still apart.
struct Stub {
    guess: Code,
    wins: bool,
    /// The feedback of each branch, and what is below.
    branches: Vec<(Feedback, Below)>,
    /// The first of its open branches in the level below.
    first: usize,
}

/// What is below a branch.
enum Below {
    /// One code, which is the guess then.
    Leaf(Code),
    /// A position of the level below, the next one.
    Open,
}

impl Builder<'_> {
    /// The position after these guesses, level by level: the guesses for all positions of a level are chosen together.
    pub(super) fn levels(&self, worker: &mut Worker, codes: &Table, guesses: &[Code]) -> Result<Node, BuildError> {
        let mut levels: Vec<Vec<Stub>> = Vec::new();
        let mut open = vec![Open { codes: codes.clone(), guesses: guesses.to_vec() }];
        while !open.is_empty() {
            let stopped = || self.watch.stop().map_or(Ok(()), |stop| Err(BuildError::Stopped(stop)));
            stopped()?;
            let positions: Vec<Position<'_>> =
                open.iter().map(|open| Position { codes: &open.codes, guesses: &open.guesses }).collect();
            let chosen = worker.strategy.choose_batch(&positions, self.watch);
            stopped()?;
            drop(positions);
            let partitioner = &worker.partitioner;
            let split = |(open, guess): (Open, Code)| self.split_level(&mut partitioner.clone(), open, guess);
            let split = parallel::try_map(open.into_iter().zip(chosen).collect(), split)?;
            let (mut stubs, mut next) = (Vec::with_capacity(split.len()), Vec::new());
            for (mut stub, parts) in split {
                stub.first = next.len();
                next.extend(parts);
                stubs.push(stub);
            }
            levels.push(stubs);
            open = next;
        }
        // From the deepest level up, each takes its branches from the one below.
        let mut below: Vec<Option<Node>> = Vec::new();
        for stubs in levels.into_iter().rev() {
            let nodes = stubs.into_iter().map(|stub| {
                let mut next = stub.first;
                let branch = |(feedback, below_it): (Feedback, Below)| {
                    let node = match below_it {
                        Below::Leaf(code) => Node::leaf(code),
                        Below::Open => {
                            next += 1;
                            below[next - 1].take()?
                        }
                    };
                    Some(Branch { feedback, node })
                };
                let branches = stub.branches.into_iter().filter_map(branch).collect();
                Some(Node { guess: stub.guess, wins: stub.wins, branches })
            });
            let nodes: Vec<Option<Node>> = nodes.collect();
            below = nodes;
        }
        Ok(below.swap_remove(0).expect("the first level has the position itself"))
    }

    /// What a guess makes of a position, and the positions after it.
    fn split_level(
        &self,
        partitioner: &mut Partitioner,
        open: Open,
        guess: Code,
    ) -> Result<(Stub, Vec<Open>), BuildError> {
        let Open { codes, mut guesses } = open;
        let mut stub = Stub { wins: true, branches: Vec::new(), first: 0, guess };
        if codes.len() == 1 && codes.code(0) == stub.guess {
            self.done.fetch_add(1, Ordering::Relaxed);
            return Ok((stub, Vec::new()));
        }
        let parts = self.split(partitioner, &codes, &stub.guess)?;
        stub.wins = parts.wins;
        guesses.push(stub.guess.clone());
        let mut after = Vec::with_capacity(parts.others.len());
        for part in parts.others {
            let below = match part.rows[..] {
                [row] => {
                    self.done.fetch_add(1, Ordering::Relaxed);
                    Below::Leaf(codes.code(row as usize))
                }
                ref rows => {
                    after.push(Open { codes: codes.select(rows), guesses: guesses.clone() });
                    Below::Open
                }
            };
            stub.branches.push((part.feedback, below));
        }
        Ok((stub, after))
    }
}
