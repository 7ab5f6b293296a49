//! Replaying a tree of a game with lies: every code, every answer that may be given of it, and every game that follows. A
//! code that is found in several such games counts once for each.

use pegwise_game::{Code, Feedback, History, Judge, Table, Turn};

use super::{Node, Place, Tree, Verdict, VerifyError, verdict};

pub(super) fn replay(tree: &Tree, codes: &Table) -> Result<Verdict, VerifyError> {
    let all: Vec<Code> = codes.codes().collect();
    let judge = Judge::new(&tree.rules);
    let mut replay =
        Replay { all: &all, judge, history: History::new(tree.rules.clone()), histogram: Vec::new(), nodes: 0 };
    replay.node(&tree.root, &all)?;
    verdict(tree, replay.histogram, replay.nodes)
}

struct Replay<'a> {
    all: &'a [Code],
    judge: Judge,
    history: History,
    histogram: Vec<u64>,
    nodes: u64,
}

impl Replay<'_> {
    /// Replays a position in which these codes are possible.
    fn node(&mut self, node: &Node, possible: &[Code]) -> Result<(), VerifyError> {
        self.nodes += 1;
        let rules = self.history.rules().clone();
        let (place, guess) = (
            |history: &History| Place::new(&rules, history.turns().to_vec()),
            node.guess.notation(rules.colors()).to_string(),
        );
        let wins = possible.contains(&node.guess);
        match (wins, node.wins) {
            (false, true) => return Err(VerifyError::CannotWin { place: place(&self.history), guess }),
            (true, false) => return Err(VerifyError::UnclaimedWin { place: place(&self.history), guess }),
            _ => {}
        }
        if wins {
            let guesses = self.history.len() + 1;
            self.histogram.resize(self.histogram.len().max(guesses), 0);
            self.histogram[guesses - 1] += 1;
        }
        let mut answers: Vec<Feedback> = self.all.iter().map(|code| self.judge.feedback(&node.guess, code)).collect();
        answers.sort_unstable();
        answers.dedup();
        let mut branches = node.branches.iter().peekable();
        for feedback in answers.into_iter().filter(|answer| !answer.is_winning(&rules)) {
            let turn = Turn { guess: node.guess.clone(), feedback: feedback.clone() };
            self.history.push(turn).expect("the guesses of a tree in shape fit its rules");
            let left: Vec<Code> =
                possible.iter().filter(|code| self.history.is_consistent_by(&mut self.judge, code)).cloned().collect();
            let branch = branches.next_if(|branch| branch.feedback == feedback);
            match branch {
                Some(branch) if !left.is_empty() => self.node(&branch.node, &left)?,
                None if left.is_empty() => {}
                found => {
                    self.history.pop();
                    let (place, codes) = (place(&self.history), left.len() as u64);
                    return Err(match found {
                        Some(_) => VerifyError::EmptyBranch { place, guess, feedback },
                        None => VerifyError::MissingBranch { place, guess, feedback, codes },
                    });
                }
            }
            self.history.pop();
        }
        match branches.next() {
            Some(branch) => {
                Err(VerifyError::EmptyBranch { place: place(&self.history), guess, feedback: branch.feedback.clone() })
            }
            None => Ok(()),
        }
    }
}
