//! Verification of a tree by replay against every code, based on the rules alone.
//!
//! All codes start at the root; each guess splits them, and each part follows its branch. Every code must reach a guess
//! that equals it, every branch must be reached by some code, and no guess may leave the set of codes unchanged. A code
//! is evaluated once per guess, so the cost of a replay is the total of the tree; memory is two tables of codes.
//!
//! A replay shows the results of a tree. It cannot show that no better tree exists.

use std::collections::BTreeSet;

use pegwise_game::{Code, Feedback, History, Judge, Rules, Table, TableError, Turn, partition::Partitioner};
use pegwise_search::secrets::SecretList;
use serde::{Deserialize, Serialize};

use super::{Claim, Node, ShapeError, Step, Traversal, Tree, TreeFile, TreePath};

/// Results of a tree, by replay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Rules of the game.
    pub rules: Rules,
    /// Guesses until the code is played, summed over all codes.
    pub total: u64,
    /// Number of codes.
    pub codes: u64,
    /// Mean number of guesses until the code is played.
    pub mean: f64,
    /// Maximum number of guesses per code.
    pub max: u32,
    /// Number of codes that take one guess, two guesses, and so on.
    pub histogram: Vec<u64>,
    /// Number of positions of the tree.
    pub nodes: u64,
    /// Claim that the tree is optimal; not verified.
    pub proven: bool,
    /// Claimed lower bound on the total; not verified.
    pub lower_bound: Option<u64>,
}

/// Error found by a replay.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The space cannot be listed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The structure of the tree is invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Codes reach a feedback that has no branch.
    #[error("{place}: {guess} can be answered {feedback} ({codes} of the codes left), and no branch follows")]
    MissingBranch {
        /// Position of the error.
        place: TreePath,
        /// Guess of the position.
        guess: String,
        /// Feedback without a branch.
        feedback: Feedback,
        /// Number of codes that give this feedback.
        codes: u64,
    },
    /// No code reaches a branch.
    #[error("{place}: {guess} cannot be answered {feedback} by any of the codes left, yet a branch follows")]
    EmptyBranch {
        /// Position of the error.
        place: TreePath,
        /// Guess of the position.
        guess: String,
        /// Feedback of the branch.
        feedback: Feedback,
    },
    /// A guess marked as winning cannot win: its code was played before, or ruled out.
    #[error("{place}: {guess} is marked as winning, but was played or ruled out before")]
    CannotWin {
        /// Position of the error.
        place: TreePath,
        /// Guess of the position.
        guess: String,
    },
    /// A guess can win and is not marked as winning.
    #[error("{place}: {guess} can be the code, but is not marked as winning")]
    UnclaimedWin {
        /// Position of the error.
        place: TreePath,
        /// Guess of the position.
        guess: String,
    },
    /// A guess does not split the codes.
    #[error("{place}: {guess} leaves all {codes} codes as they were")]
    Useless {
        /// Position of the error.
        place: TreePath,
        /// Guess of the position.
        guess: String,
        /// Number of codes left.
        codes: u64,
    },
    /// Some code takes more guesses than the rules allow.
    #[error("some code needs {max} guesses, and the rules allow {allowed}")]
    OutOfGuesses {
        /// Maximum number of guesses per code.
        max: u32,
        /// Maximum number of guesses that the rules allow.
        allowed: u32,
    },
    /// The tree does not find a listed secret.
    #[error("the tree does not find {secret}, which is a listed secret")]
    MissingSecret {
        /// The secret.
        secret: String,
    },
    /// The tree finds a code that is not a listed secret.
    #[error("the tree finds {code}, which is not a listed secret")]
    UnlistedSecret {
        /// The code.
        code: String,
    },
    /// The tree guesses a code that is not listed.
    #[error("the tree guesses {guess}, which is not a listed guess")]
    UnlistedGuess {
        /// The guess.
        guess: String,
    },
    /// A claim of the file is wrong.
    #[error("the claimed {what} is {claimed}, but the tree's is {found}")]
    WrongClaim {
        /// Claimed quantity: codes, total or most guesses.
        what: &'static str,
        /// Claimed value.
        claimed: u64,
        /// Value by replay.
        found: u64,
    },
    /// The total of the tree is below the claimed lower bound.
    #[error("the claimed lower bound {claimed} exceeds the total {found}")]
    WrongBound {
        /// Claimed lower bound.
        claimed: u64,
        /// Total by replay.
        found: u64,
    },
}

/// Replays a tree file and checks its claims. The tree of a list of secrets is replayed over the codes that it finds
/// ([`TreeFile::secrets`]).
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_trees::{VerifyError, formats::{Format, import}, verify};
/// let rules: Rules = "2x3".parse()?;
/// let text = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}";
/// let mut file = import(Format::Contest, Some(&rules), text.as_bytes())?;
/// assert_eq!(verify(&file)?.total, 21);
/// file.claim.total = 20;
/// assert_eq!(verify(&file).unwrap_err().to_string(), "the claimed total is 20, but the tree's is 21");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(file: &TreeFile) -> Result<Verdict, VerifyError> {
    claimed(file, verify_over(&file.tree, || file.secrets())?)
}

/// Replays a tree file, checks its claims, and checks that it finds exactly the secrets of a list by guesses of the list.
pub fn verify_list(file: &TreeFile, list: &SecretList) -> Result<Verdict, VerifyError> {
    let verdict = verify(file)?;
    let text = |code: &Code| code.notation(file.tree.rules.colors()).to_string();
    let found = file.secrets()?;
    let found: BTreeSet<Code> = found.codes().collect();
    let is_listed = |code: &Code| list.codes().binary_search(code).is_ok();
    if let Some(code) = list.codes().iter().find(|&code| !found.contains(code)) {
        return Err(VerifyError::MissingSecret { secret: text(code) });
    }
    if let Some(code) = found.iter().find(|&code| !is_listed(code)) {
        return Err(VerifyError::UnlistedSecret { code: text(code) });
    }
    let guesses = Traversal::new(&file.tree.root).filter_map(|step| match step {
        Step::Enter { node, .. } => Some(&node.guess),
        Step::Leave { .. } => None,
    });
    let may_guess = |code: &Code| list.guesses().is_none_or(|guesses| guesses.binary_search(code).is_ok());
    match guesses.into_iter().find(|&guess| !may_guess(guess)) {
        Some(guess) => Err(VerifyError::UnlistedGuess { guess: text(guess) }),
        None => Ok(verdict),
    }
}

/// Replays a part of a tree over the codes of its position ([`Tree::place`]) and checks its claims. Trees of games with
/// lies have no parts.
pub fn verify_part(file: &TreeFile) -> Result<Verdict, VerifyError> {
    let tree = &file.tree;
    if tree.rules.lies() > 0 {
        return verify(file);
    }
    tree.check_shape()?;
    let mut replay = Replay::new(&tree.rules, file.secrets()?);
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

/// Adds the claims about better trees to a verdict, if the other claims of the file are true.
fn claimed(file: &TreeFile, mut verdict: Verdict) -> Result<Verdict, VerifyError> {
    let Claim { codes, total, max, .. } = file.claim;
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

/// Replays a tree over all codes, without claims.
pub fn verify_tree(tree: &Tree) -> Result<Verdict, VerifyError> {
    verify_over(tree, || Table::all(&tree.rules))
}

/// Replays a tree over some codes, which are listed after its shape has been checked.
fn verify_over(tree: &Tree, codes: impl FnOnce() -> Result<Table, TableError>) -> Result<Verdict, VerifyError> {
    tree.check_shape()?;
    let codes = codes()?;
    if tree.rules.lies() > 0 {
        return replay_with_lies(tree, &codes);
    }
    let mut replay = Replay::new(&tree.rules, codes);
    let mut rows: Vec<u32> = (0..replay.codes.len() as u32).collect();
    replay.node(&tree.root, &mut rows)?;
    verdict(tree, replay.histogram, replay.nodes)
}

/// Creates the verdict of a replayed tree.
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
    /// Codes to find.
    codes: Table,
    /// Turns that lead to the position.
    path: Vec<(&'a Code, &'a Feedback)>,
    histogram: Vec<u64>,
    nodes: u64,
}

impl<'a> Replay<'a> {
    /// Creates a replay of these codes at the root.
    fn new(rules: &'a Rules, codes: Table) -> Self {
        Self {
            rules,
            winning: Feedback::winning(rules),
            partitioner: Partitioner::new(rules),
            codes,
            path: Vec::new(),
            histogram: Vec::new(),
            nodes: 0,
        }
    }

    /// Returns the rows of the codes that give this feedback.
    fn answering(&mut self, guess: &Code, feedback: &Feedback, rows: &[u32]) -> Result<Vec<u32>, VerifyError> {
        let parts = self.partitioner.split(guess, &self.codes.select(rows));
        let part = parts.iter().find(|part| part.feedback == *feedback).ok_or_else(|| VerifyError::EmptyBranch {
            place: self.place(),
            guess: guess.notation(self.rules.colors()).to_string(),
            feedback: feedback.clone(),
        })?;
        Ok(part.rows.iter().map(|&row| rows[row as usize]).collect())
    }

    /// Replays a position reached by the codes in `rows`. The rows are sorted by branch, so that all positions share
    /// one list. Recursion is bounded, since the depth was checked.
    fn node(&mut self, node: &'a Node, rows: &mut [u32]) -> Result<(), VerifyError> {
        self.nodes += 1;
        // Most positions have one code left, which needs no partition.
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

    /// Sorts the rows by branch, and returns the number of rows per branch. A winning row comes last.
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

    fn place(&self) -> TreePath {
        let turn = |&(guess, feedback): &(&Code, &Feedback)| Turn { guess: guess.clone(), feedback: feedback.clone() };
        TreePath::new(self.rules, self.path.iter().map(turn).collect())
    }
}

/// Replays a tree of a game with lies: every code, every possible answer, and every game that follows. A code that is
/// found in several games counts once per game.
fn replay_with_lies(tree: &Tree, codes: &Table) -> Result<Verdict, VerifyError> {
    let all: Vec<Code> = codes.codes().collect();
    let judge = Judge::new(&tree.rules);
    let mut replay =
        LyingReplay { all: &all, judge, history: History::new(tree.rules.clone()), histogram: Vec::new(), nodes: 0 };
    replay.node(&tree.root, &all)?;
    verdict(tree, replay.histogram, replay.nodes)
}

struct LyingReplay<'a> {
    all: &'a [Code],
    judge: Judge,
    history: History,
    histogram: Vec<u64>,
    nodes: u64,
}

impl LyingReplay<'_> {
    /// Replays a position in which these codes are possible.
    fn node(&mut self, node: &Node, possible: &[Code]) -> Result<(), VerifyError> {
        self.nodes += 1;
        let rules = self.history.rules().clone();
        let (place, guess) = (
            |history: &History| TreePath::new(&rules, history.turns().to_vec()),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::samples;
    use pegwise_search::tree::Branch;

    fn code(rules: &str, text: &str) -> Code {
        rules.parse::<Rules>().unwrap().parse_code(text).unwrap()
    }

    #[test]
    fn published_totals_are_replayed() {
        let verdict = verify(&samples::file("4x6", "knuth")).unwrap();
        assert_eq!((verdict.total, verdict.codes, verdict.max), (5801, 1296, 5));
        assert_eq!(verdict.histogram, [1, 6, 62, 533, 694]);
        assert!((verdict.mean - 4.4761).abs() < 0.0001);
    }

    #[test]
    fn trees_of_lists_find_the_listed_secrets_by_listed_guesses() {
        let rules: Rules = "3x4".parse().unwrap();
        let list = |text: &str| SecretList::parse(&rules, text).unwrap();
        let (whole, secrets) = (samples::file("3x4", "knuth"), list("112\n121\n334\n"));
        assert_eq!(
            verify_list(&whole, &secrets).unwrap_err().to_string(),
            "the tree finds 111, which is not a listed secret"
        );
        let options = crate::exact::Options {
            secrets: Some(std::sync::Arc::new(secrets.clone())),
            ..crate::exact::Options::default()
        };
        let tree = crate::exact::solve(&rules, &options, pegwise_search::Watch::default(), |_| ()).unwrap().tree;
        let file = TreeFile::new(tree, "exact").of_list();
        assert_eq!(verify_list(&file, &secrets).unwrap().total, 5);
        let mut bytes = Vec::new();
        file.write(&mut bytes).unwrap();
        assert_eq!(TreeFile::read(&bytes[..]).unwrap(), file);
        assert!(matches!(verify(&TreeFile::new(file.tree.clone(), "")), Err(VerifyError::MissingBranch { .. })));
        for (secrets, guesses, fault) in [
            ("112\n121\n333\n334\n", "111\n", "the tree does not find 333, which is a listed secret"),
            ("112\n121\n", "334\n", "the tree finds 334, which is not a listed secret"),
        ] {
            let error = verify_list(&file, &list(secrets).with_guesses(&list(guesses))).unwrap_err();
            assert_eq!(error.to_string(), fault);
        }
        let leaf = |text: &str| Node::leaf(code("3x4", text));
        let branch = |secret: &str| Branch {
            feedback: pegwise_game::feedback(&rules, &code("3x4", "114"), &code("3x4", secret)),
            node: leaf(secret),
        };
        let mut branches = vec![branch("112"), branch("121")];
        branches.sort_by(|one, other| one.feedback.cmp(&other.feedback));
        let root = Node { guess: code("3x4", "114"), wins: false, branches };
        let guessed = TreeFile::new(Tree { rules: rules.clone(), root }, "by hand").of_list();
        let closed = list("112\n121\n");
        assert_eq!(verify_list(&guessed, &closed).unwrap().total, 4);
        let error = verify_list(&guessed, &closed.clone().with_guesses(&closed)).unwrap_err();
        assert_eq!(error.to_string(), "the tree guesses 114, which is not a listed guess");
        let mut twice = file.clone();
        let again = twice.tree.root.branches[0].node.clone();
        twice.tree.root.branches[1].node = again;
        assert!(verify(&twice).is_err());
        assert_eq!(crate::join(&mut whole.tree.clone(), &file), Err(crate::JoinError::Listed));
    }

    #[test]
    fn every_kind_of_rules_is_replayed() {
        for rules in samples::SMALL {
            let file = samples::file(rules, "shapiro(order=numeric)");
            let verdict = verify(&file).unwrap();
            assert_eq!(verdict.histogram, file.tree.stats().histogram, "{rules}");
        }
    }

    #[test]
    fn deep_trees_are_replayed() {
        let verdict = verify(&samples::file("1x255", "shapiro(order=numeric)")).unwrap();
        assert_eq!((verdict.max, verdict.total), (255, 255 * 256 / 2));
    }

    #[test]
    fn wrong_claims_are_reported() {
        let right = samples::file("3x4", "knuth");
        let mut wrong = right.clone();
        wrong.claim.total -= 1;
        assert!(matches!(verify(&wrong), Err(VerifyError::WrongClaim { what: "total", .. })));
        let mut wrong = right.clone();
        wrong.claim.max += 1;
        assert!(matches!(verify(&wrong), Err(VerifyError::WrongClaim { what: "most guesses", .. })));
        let mut wrong = right.clone();
        wrong.claim.codes = 63;
        assert!(matches!(verify(&wrong), Err(VerifyError::WrongClaim { what: "number of codes", .. })));
        let total = right.claim.total;
        assert!(verify(&right.clone().with_proof(true, Some(total))).unwrap().proven);
        assert!(matches!(verify(&right.with_proof(false, Some(total + 1))), Err(VerifyError::WrongBound { .. })));
    }

    #[test]
    fn a_missing_branch_is_reported() {
        let mut tree = samples::tree("4x6", "knuth");
        let branch = &mut tree.root.branches[3];
        let (feedback, below) = (branch.feedback.clone(), branch.node.branches.remove(0));
        let guess = branch.node.guess.notation(6).to_string();
        let Err(VerifyError::MissingBranch { place, guess: named, feedback: missing, .. }) = verify_tree(&tree) else {
            panic!("not found")
        };
        assert_eq!((named, missing), (guess, below.feedback));
        assert_eq!(place.to_string(), format!("after 1122={feedback}"));
    }

    #[test]
    fn an_unreachable_branch_is_reported() {
        let mut tree = samples::tree("4x6", "knuth");
        // One black and three whites need three colors, and 1122 has two.
        let feedback = tree.rules.parse_feedback("1,3").unwrap();
        let node = Node::leaf(code("4x6", "1212"));
        tree.root.branches.push(Branch { feedback: feedback.clone(), node });
        tree.root.branches.sort_by(|one, other| one.feedback.cmp(&other.feedback));
        let Err(VerifyError::EmptyBranch { feedback: found, .. }) = verify_tree(&tree) else { panic!("not found") };
        assert_eq!(found, feedback);
    }

    #[test]
    fn a_code_played_twice_is_reported() {
        let mut tree = samples::tree("1x3", "shapiro(order=numeric)");
        // 1, then 2, then 1 again where 3 should be.
        tree.root.branches[0].node.branches[0].node.guess = code("1x3", "1");
        let error = verify_tree(&tree).unwrap_err();
        assert_eq!(error.to_string(), "after 1=0,0 2=0,0: 1 is marked as winning, but was played or ruled out before");
    }

    #[test]
    fn an_unmarked_win_is_reported() {
        let mut tree = samples::tree("2x3", "knuth");
        tree.root.wins = false;
        assert!(matches!(verify_tree(&tree), Err(VerifyError::UnclaimedWin { .. })));
    }

    #[test]
    fn a_useless_guess_is_reported() {
        let mut tree = samples::tree("1x3", "shapiro(order=numeric)");
        let below = tree.root.branches[0].node.clone();
        let feedback = tree.root.branches[0].feedback.clone();
        // 1 is asked again.
        let again = Node { guess: code("1x3", "1"), wins: false, branches: vec![Branch { feedback, node: below }] };
        tree.root.branches[0].node = again;
        let error = verify_tree(&tree).unwrap_err();
        assert_eq!(error.to_string(), "after 1=0,0: 1 leaves all 2 codes as they were");
    }

    #[test]
    fn shapes_are_checked_first() {
        let mut tree = samples::tree("2x3", "knuth");
        tree.root.guess = code("3x3", "111");
        assert!(matches!(verify_tree(&tree), Err(VerifyError::Shape(_))));
        let mut tree = samples::tree("2x3", "knuth");
        tree.root.branches.reverse();
        assert!(matches!(verify_tree(&tree), Err(VerifyError::Shape(_))));
    }

    #[test]
    fn the_limit_on_guesses_holds() {
        let mut tree = samples::tree("4x6", "knuth");
        tree.rules = "4x6:max-guesses=5".parse().unwrap();
        assert!(verify_tree(&tree).is_ok());
        tree.rules = "4x6:max-guesses=4".parse().unwrap();
        assert_eq!(verify_tree(&tree), Err(VerifyError::OutOfGuesses { max: 5, allowed: 4 }));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_built_tree_is_valid(file in samples::any_file()) {
            let file = file.with_proof(false, None);
            let verdict = verify_tree(&file.tree);
            if file.tree.rules.max_guesses().is_none() {
                prop_assert_eq!(verify(&file).unwrap().histogram, file.tree.stats().histogram);
            } else {
                let over = matches!(verdict, Err(VerifyError::OutOfGuesses { .. }));
                prop_assert!(verdict.is_ok() || over);
            }
        }
    }
}
