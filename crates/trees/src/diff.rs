//! Comparison of two trees of the same rules.

use std::{cmp::Ordering, fmt};

use pegwise_game::{Code, Rules, Turn};
use serde::Serialize;

use super::{Node, Summary, Tree, TreePath};

/// Differences between two trees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diff {
    /// Rules of both trees.
    pub rules: Rules,
    /// Totals of the first tree.
    pub first: Summary,
    /// Totals of the second tree.
    pub second: Summary,
    /// Number of positions at which both play the same guess.
    pub same: u64,
    /// Positions at which they first differ on each path. Positions below are not compared.
    pub differences: Vec<Difference>,
}

/// Position at which two trees differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The position.
    pub place: TreePath,
    /// Choice of the first tree; `None` if it has no such position.
    pub first: Option<Side>,
    /// Choice of the second tree; `None` if it has no such position.
    pub second: Option<Side>,
}

/// Choice of one tree at a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Side {
    /// Guess of the tree.
    pub guess: Code,
    /// Totals of the position.
    #[serde(flatten)]
    pub summary: Summary,
}

/// Error for trees of different rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the first tree is for {first}, but the second is for {second}")]
pub struct OtherRules {
    /// Rules of the first tree.
    pub first: String,
    /// Rules of the second tree.
    pub second: String,
}

/// Compares two trees of the same rules, position by position.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_trees::{diff, formats::{Format, import}};
/// let rules: Rules = "1x3".parse()?;
/// let one = import(Format::Contest, Some(&rules), "{A:{00:{B:{00:C}}}}".as_bytes())?;
/// let other = import(Format::Contest, Some(&rules), "{A:{00:{C:{00:B}}}}".as_bytes())?;
/// let diff = diff(&one.tree, &other.tree)?;
/// assert_eq!((diff.same, diff.differences.len()), (1, 1));
/// assert_eq!(diff.differences[0].place.to_string(), "after 1=0,0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn diff(first: &Tree, second: &Tree) -> Result<Diff, OtherRules> {
    if first.rules != second.rules {
        return Err(OtherRules { first: first.rules.to_string(), second: second.rules.to_string() });
    }
    let summaries = (Summary::of_each(&first.root), Summary::of_each(&second.root));
    let mut comparison = Comparison {
        rules: &first.rules,
        summaries: (&summaries.0, &summaries.1),
        numbers: (0, 0),
        open: Vec::new(),
        same: 0,
        differences: Vec::new(),
    };
    comparison.enter(&first.root, &second.root);
    while comparison.step() {}
    let Comparison { same, differences, .. } = comparison;
    Ok(Diff { rules: first.rules.clone(), first: summaries.0[0], second: summaries.1[0], same, differences })
}

/// A pair of positions with the same guess, and the next branch of each.
struct Pair<'a> {
    first: &'a Node,
    second: &'a Node,
    next: (usize, usize),
}

struct Comparison<'a> {
    rules: &'a Rules,
    /// Summaries of all positions, in the order of a [`Traversal`](super::Traversal).
    summaries: (&'a [Summary], &'a [Summary]),
    /// Indices of the next positions in that order.
    numbers: (usize, usize),
    open: Vec<Pair<'a>>,
    same: u64,
    differences: Vec<Difference>,
}

impl<'a> Comparison<'a> {
    fn enter(&mut self, first: &'a Node, second: &'a Node) {
        if first.guess == second.guess && first.wins == second.wins {
            self.same += 1;
            self.numbers.0 += 1;
            self.numbers.1 += 1;
            self.open.push(Pair { first, second, next: (0, 0) });
        } else {
            self.part(Some(first), Some(second));
        }
    }

    /// Advances to the next branch of the pair last entered; `false` at the end.
    fn step(&mut self) -> bool {
        let Some(pair) = self.open.last_mut() else { return false };
        let (first, second) = (pair.first.branches.get(pair.next.0), pair.second.branches.get(pair.next.1));
        let order = match (first, second) {
            (None, None) => {
                self.open.pop();
                return true;
            }
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(first), Some(second)) => first.feedback.cmp(&second.feedback),
        };
        let first = first.filter(|_| order.is_le());
        let second = second.filter(|_| order.is_ge());
        pair.next.0 += usize::from(first.is_some());
        pair.next.1 += usize::from(second.is_some());
        match (first, second) {
            (Some(first), Some(second)) => self.enter(&first.node, &second.node),
            _ => self.part(first.map(|branch| &branch.node), second.map(|branch| &branch.node)),
        }
        true
    }

    fn part(&mut self, first: Option<&Node>, second: Option<&Node>) {
        let place = TreePath::new(self.rules, self.turns(first.is_some()));
        let take = |node: Option<&Node>, summaries: &[Summary], number: &mut usize| {
            let node = node?;
            let summary = summaries[*number];
            // Positions below are skipped.
            *number += summary.nodes as usize;
            Some(Side { guess: node.guess.clone(), summary })
        };
        let first = take(first, self.summaries.0, &mut self.numbers.0);
        let second = take(second, self.summaries.1, &mut self.numbers.1);
        self.differences.push(Difference { place, first, second });
    }

    /// Returns the turns to the branch last taken, which at the deepest pair only one tree may have.
    fn turns(&self, by_first: bool) -> Vec<Turn> {
        let turn = |pair: &Pair<'_>| {
            let (node, next) = if by_first { (pair.first, pair.next.0) } else { (pair.second, pair.next.1) };
            Turn { guess: node.guess.clone(), feedback: node.branches[next - 1].feedback.clone() }
        };
        self.open.iter().map(turn).collect()
    }
}

impl Diff {
    /// Returns true if the trees are equal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty()
    }

    /// Returns the number of differences at which the second tree has the lower total.
    #[must_use]
    pub fn better(&self) -> usize {
        self.compared().filter(|order| order.is_gt()).count()
    }

    /// Returns the number of differences at which the second tree has the higher total.
    #[must_use]
    pub fn worse(&self) -> usize {
        self.compared().filter(|order| order.is_lt()).count()
    }

    /// Compares the totals of both trees at each difference where both have the position.
    fn compared(&self) -> impl Iterator<Item = Ordering> {
        let sides = self.differences.iter().filter_map(|one| one.first.as_ref().zip(one.second.as_ref()));
        sides.map(|(first, second)| first.summary.total.cmp(&second.summary.total))
    }
}

/// One line per difference, then the totals.
impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: &Option<Side>| match side {
            None => "nothing".to_owned(),
            Some(Side { guess, summary }) => {
                let guess = guess.notation(self.rules.palette());
                format!("{guess} ({} in {}, at most {})", summary.codes, summary.total, summary.max)
            }
        };
        for difference in &self.differences {
            writeln!(f, "{}: {} | {}", difference.place, side(&difference.first), side(&difference.second))?;
        }
        let (same, different) = (self.same, self.differences.len());
        let (better, worse) = (self.better(), self.worse());
        writeln!(f, "{same} positions equal, {different} different: the second better at {better}, worse at {worse}")?;
        write!(
            f,
            "total {} | {}, at most {} | {}",
            self.first.total, self.second.total, self.first.max, self.second.max
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn a_tree_does_not_differ_from_itself() {
        let tree = samples::tree("4x6", "knuth");
        let diff = diff(&tree, &tree).unwrap();
        assert!(diff.is_empty());
        assert_eq!(diff.same, diff.first.nodes);
    }

    #[test]
    fn the_differences_make_up_the_difference_of_totals() {
        let (knuth, parts) = (samples::tree("4x6", "knuth"), samples::tree("4x6", "most-parts(first=1122)"));
        let diff = diff(&knuth, &parts).unwrap();
        let mut gained = 0;
        for difference in &diff.differences {
            let (first, second) = (difference.first.as_ref().unwrap(), difference.second.as_ref().unwrap());
            assert_eq!(first.summary.codes, second.summary.codes);
            assert_eq!(Some(&first.guess), knuth.position(difference.place.turns()).ok().map(|node| &node.guess));
            assert_eq!(second.summary, Summary::of(parts.position(difference.place.turns()).unwrap()));
            gained += first.summary.total as i64 - second.summary.total as i64;
        }
        assert_eq!(gained, diff.first.total as i64 - diff.second.total as i64);
        assert!(diff.better() > 0);
    }

    #[test]
    fn a_missing_branch_is_a_difference() {
        let whole = samples::tree("2x3", "knuth");
        let mut cut = whole.clone();
        let gone = cut.root.branches.remove(1);
        let found = diff(&whole, &cut).unwrap();
        assert_eq!(found.differences.len(), 1);
        assert_eq!(found.differences[0].second, None);
        assert_eq!(found.differences[0].place.turns()[0].feedback, gone.feedback);
        assert_eq!(diff(&cut, &whole).unwrap().differences[0].first, None);
    }

    #[test]
    fn other_rules_are_refused() {
        let error = diff(&samples::tree("2x3", "knuth"), &samples::tree("2x4", "knuth")).unwrap_err();
        assert_eq!(error.to_string(), "the first tree is for 2x3, but the second is for 2x4");
    }
}
