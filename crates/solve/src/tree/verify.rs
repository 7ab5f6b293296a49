//! Replaying a tree against every code, with nothing but the rules of the game.
//!
//! All codes stand at the first position; each guess parts them, and each part goes on along its branch. Every code must
//! come to a guess that is the code, every branch must be taken by some code, and no guess may leave the codes as they
//! were. A code is looked at once a guess, so a tree costs its total; memory is two tables of codes.
//!
//! A replay shows what a tree achieves. That no better tree exists is a claim it cannot check.

mod lies;

use pegwise_game::{Code, Feedback, Rules, Table, TableError, Turn, partition::Partitioner};
use serde::{Deserialize, Serialize};

use super::{Claim, Node, Place, ShapeError, Tree, TreeFile};

/// What a tree achieves, shown by replay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The rules.
    pub rules: Rules,
    /// Guesses until the code is played, summed over all codes.
    pub total: u64,
    /// How many codes there are.
    pub codes: u64,
    /// Mean guesses until the code is played.
    pub mean: f64,
    /// The most guesses any code needs.
    pub max: u32,
    /// How many codes need one guess, two guesses, and so on.
    pub histogram: Vec<u64>,
    /// Positions of the tree.
    pub nodes: u64,
    /// Whether the tree is claimed to be the best; not shown by replay.
    pub proven: bool,
    /// The claimed total that no tree can be below.
    pub lower_bound: Option<u64>,
}

/// Why a tree is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The space cannot be listed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// It is wrong whatever the codes are.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Codes reach a feedback that has no branch.
    #[error("{place}: {guess} can be answered {feedback} ({codes} of the codes left), and no branch follows")]
    MissingBranch {
        /// The position.
        place: Place,
        /// Its guess.
        guess: String,
        /// The feedback without a branch.
        feedback: Feedback,
        /// How many codes give it.
        codes: u64,
    },
    /// A branch that no code reaches.
    #[error("{place}: {guess} cannot be answered {feedback} by any of the codes left, yet a branch follows")]
    EmptyBranch {
        /// The position.
        place: Place,
        /// Its guess.
        guess: String,
        /// The feedback that cannot be.
        feedback: Feedback,
    },
    /// A guess said to win that no longer can: its code was played before, or ruled out.
    #[error("{place}: {guess} is said to be the code for some, but was played or ruled out before")]
    CannotWin {
        /// The position.
        place: Place,
        /// Its guess.
        guess: String,
    },
    /// A guess that can win and is not said to.
    #[error("{place}: {guess} can be the code, and the tree says it cannot")]
    UnclaimedWin {
        /// The position.
        place: Place,
        /// Its guess.
        guess: String,
    },
    /// A guess that tells nothing.
    #[error("{place}: {guess} leaves all {codes} codes as they were")]
    Useless {
        /// The position.
        place: Place,
        /// Its guess.
        guess: String,
        /// Codes left.
        codes: u64,
    },
    /// Some code needs more guesses than the rules allow.
    #[error("some code needs {max} guesses, and the rules allow {allowed}")]
    OutOfGuesses {
        /// The most guesses any code needs.
        max: u32,
        /// The most the rules allow.
        allowed: u32,
    },
    /// The tree achieves something else than claimed.
    #[error("the claimed {what} is {claimed}, and the tree's is {found}")]
    WrongClaim {
        /// What is claimed: codes, total or most guesses.
        what: &'static str,
        /// As claimed.
        claimed: u64,
        /// As replayed.
        found: u64,
    },
    /// A bound that the tree itself is below.
    #[error("no tree is said to have a total below {claimed}, and this one has {found}")]
    WrongBound {
        /// The bound claimed.
        claimed: u64,
        /// The total replayed.
        found: u64,
    },
}

/// Replays a tree file, and checks what it claims.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_solve::tree::{VerifyError, formats::{Format, import}, verify};
/// let rules: Rules = "2x3".parse()?;
/// let text = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}";
/// let mut file = import(Format::Contest, Some(&rules), text.as_bytes())?;
/// assert_eq!(verify(&file)?.total, 21);
/// file.claim.total = 20;
/// assert_eq!(verify(&file).unwrap_err().to_string(), "the claimed total is 20, and the tree's is 21");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(file: &TreeFile) -> Result<Verdict, VerifyError> {
    claimed(file, verify_tree(&file.tree)?)
}

/// Replays a part of a tree over the codes of its position, and checks what it claims: see [`Tree::place`]. Codes after
/// answers that may be lies belong to no one position, and have no parts.
pub fn verify_part(file: &TreeFile) -> Result<Verdict, VerifyError> {
    let tree = &file.tree;
    if tree.rules.lies() > 0 {
        return verify(file);
    }
    tree.check_shape()?;
    let mut replay = Replay::new(&tree.rules)?;
    let mut rows: Vec<u32> = (0..replay.codes.len() as u32).collect();
    let mut node = &tree.root;
    for _ in tree.place().turns() {
        let branch = &node.branches[0];
        rows = replay.answering(&node.guess, &branch.feedback, &rows)?;
        replay.path.push((&node.guess, &branch.feedback));
        replay.nodes += 1;
        node = &branch.node;
    }
    replay.node(node, &mut rows)?;
    claimed(file, verdict(tree, replay.histogram, replay.nodes)?)
}

/// A verdict with what is claimed of better trees, if the other claims of the file are true.
fn claimed(file: &TreeFile, mut verdict: Verdict) -> Result<Verdict, VerifyError> {
    let Claim { codes, total, max } = file.claim;
    let claims = [
        ("number of codes", codes, verdict.codes),
        ("total", total, verdict.total),
        ("most guesses", max.into(), verdict.max.into()),
    ];
    if let Some(&(what, claimed, found)) = claims.iter().find(|(_, claimed, found)| claimed != found) {
        return Err(VerifyError::WrongClaim { what, claimed, found });
    }
    if let Some(claimed) = file.lower_bound.filter(|&bound| bound > verdict.total) {
        return Err(VerifyError::WrongBound { claimed, found: verdict.total });
    }
    verdict.proven = file.proven;
    verdict.lower_bound = file.lower_bound;
    Ok(verdict)
}

/// Replays a tree of which nothing is claimed.
pub fn verify_tree(tree: &Tree) -> Result<Verdict, VerifyError> {
    tree.check_shape()?;
    if tree.rules.lies() > 0 {
        return lies::replay(tree, &Table::all(&tree.rules)?);
    }
    let mut replay = Replay::new(&tree.rules)?;
    let mut rows: Vec<u32> = (0..replay.codes.len() as u32).collect();
    replay.node(&tree.root, &mut rows)?;
    verdict(tree, replay.histogram, replay.nodes)
}

/// What a replayed tree achieves.
fn verdict(tree: &Tree, histogram: Vec<u64>, nodes: u64) -> Result<Verdict, VerifyError> {
    let codes: u64 = histogram.iter().sum();
    let total = (1..).zip(&histogram).map(|(guesses, codes): (u64, &u64)| guesses * codes).sum();
    let max = histogram.len() as u32;
    if let Some(allowed) = tree.rules.max_guesses().filter(|&allowed| allowed < max) {
        return Err(VerifyError::OutOfGuesses { max, allowed });
    }
    Ok(Verdict {
        rules: tree.rules.clone(),
        total,
        codes,
        mean: total as f64 / codes as f64,
        max,
        histogram,
        nodes,
        proven: false,
        lower_bound: None,
    })
}

struct Replay<'a> {
    rules: &'a Rules,
    winning: Feedback,
    partitioner: Partitioner,
    /// All codes.
    codes: Table,
    /// Guesses and feedbacks on the way to the position.
    path: Vec<(&'a Code, &'a Feedback)>,
    histogram: Vec<u64>,
    nodes: u64,
}

impl<'a> Replay<'a> {
    /// A replay of nothing yet.
    fn new(rules: &'a Rules) -> Result<Self, TableError> {
        Ok(Self {
            rules,
            winning: Feedback::winning(rules),
            partitioner: Partitioner::new(rules),
            codes: Table::all(rules)?,
            path: Vec::new(),
            histogram: Vec::new(),
            nodes: 0,
        })
    }

    /// The rows of the codes that answer a guess so.
    fn answering(&mut self, guess: &Code, feedback: &Feedback, rows: &[u32]) -> Result<Vec<u32>, VerifyError> {
        let parts = self.partitioner.split(guess, &self.codes.select(rows));
        let part = parts.iter().find(|part| part.feedback == *feedback).ok_or_else(|| VerifyError::EmptyBranch {
            place: self.place(),
            guess: guess.notation(self.rules.colors()).to_string(),
            feedback: feedback.clone(),
        })?;
        Ok(part.rows.iter().map(|&row| rows[row as usize]).collect())
    }

    /// Replays a position reached by the codes in `rows`. The rows are put in the order of the branches, so that all
    /// positions share one list. Recursion is bounded, since the depth was checked.
    fn node(&mut self, node: &'a Node, rows: &mut [u32]) -> Result<(), VerifyError> {
        self.nodes += 1;
        // Most positions have one code left, which needs no more than a look.
        let only = if let [row] = *rows { Some(self.codes.code(row as usize)) } else { None };
        if only.is_some_and(|only| only == node.guess) && node.wins && node.branches.is_empty() {
            self.win();
            return Ok(());
        }
        let sizes = self.part(node, rows)?;
        if node.wins {
            self.win();
        }
        let mut rest = rows;
        for (branch, size) in node.branches.iter().zip(sizes) {
            let (part, others) = rest.split_at_mut(size);
            rest = others;
            self.path.push((&node.guess, &branch.feedback));
            self.node(&branch.node, part)?;
            self.path.pop();
        }
        Ok(())
    }

    /// Parts the rows by the feedback of the guess, and tells how many go along each branch. A row that is won goes last.
    fn part(&mut self, node: &Node, rows: &mut [u32]) -> Result<Vec<usize>, VerifyError> {
        let mut parts = self.partitioner.split(&node.guess, &self.codes.select(rows));
        let (place, guess) = (|| self.place(), || node.guess.notation(self.rules.colors()).to_string());
        let won = parts.iter().position(|part| part.feedback == self.winning).map(|index| parts.remove(index));
        match (&won, node.wins) {
            (None, true) => return Err(VerifyError::CannotWin { place: place(), guess: guess() }),
            (Some(_), false) => return Err(VerifyError::UnclaimedWin { place: place(), guess: guess() }),
            _ => {}
        }
        let mut branches = node.branches.iter().map(|branch| &branch.feedback).peekable();
        for part in &parts {
            let empty = branches.next_if(|&branch| *branch < part.feedback);
            if let Some(feedback) = empty {
                return Err(VerifyError::EmptyBranch { place: place(), guess: guess(), feedback: feedback.clone() });
            }
            if branches.next_if_eq(&&part.feedback).is_none() {
                let (feedback, codes) = (part.feedback.clone(), part.rows.len() as u64);
                return Err(VerifyError::MissingBranch { place: place(), guess: guess(), feedback, codes });
            }
        }
        if let Some(feedback) = branches.next() {
            return Err(VerifyError::EmptyBranch { place: place(), guess: guess(), feedback: feedback.clone() });
        }
        if won.is_none() && parts.len() == 1 {
            return Err(VerifyError::Useless { place: place(), guess: guess(), codes: rows.len() as u64 });
        }
        let before = rows.to_vec();
        let order = parts.iter().chain(&won).flat_map(|part| &part.rows);
        rows.iter_mut().zip(order).for_each(|(row, &index)| *row = before[index as usize]);
        Ok(parts.iter().map(|part| part.rows.len()).collect())
    }

    fn win(&mut self) {
        let guesses = self.path.len() + 1;
        if self.histogram.len() < guesses {
            self.histogram.resize(guesses, 0);
        }
        self.histogram[guesses - 1] += 1;
    }

    fn place(&self) -> Place {
        let turn = |&(guess, feedback): &(&Code, &Feedback)| Turn { guess: guess.clone(), feedback: feedback.clone() };
        Place::new(self.rules, self.path.iter().map(turn).collect())
    }
}

#[cfg(test)]
mod tests;
