//! Paths to positions of a tree, and the part of a tree after a path.

use std::fmt;

use pegwise_game::{Rules, Turn};
use serde::{Serialize, Serializer};

use super::{Branch, Node, PathError, Tree};

/// Position of a tree, given by the turns that lead to it.
///
/// ```
/// use pegwise_game::{Rules, Turn};
/// use pegwise_search::tree::TreePath;
/// let rules: Rules = "4x6".parse()?;
/// assert_eq!(TreePath::new(&rules, Vec::new()).to_string(), "at the start");
/// let path = TreePath::new(&rules, vec![Turn::parse(&rules, "1122=1,0")?]);
/// assert_eq!(path.to_string(), "after 1122=1,0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreePath {
    turns: Vec<Turn>,
    rules: Rules,
}

impl TreePath {
    /// Creates the path of these turns.
    pub fn new(rules: &Rules, turns: Vec<Turn>) -> Self {
        Self { turns, rules: rules.clone() }
    }

    /// Returns the turns.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }
}

impl fmt::Display for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.turns.is_empty() {
            return f.write_str("at the start");
        }
        f.write_str("after")?;
        self.turns.iter().try_for_each(|turn| write!(f, " {}", turn.notation(&self.rules)))
    }
}

/// Serialized as a list of turns.
impl Serialize for TreePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.turns.serialize(serializer)
    }
}

impl Tree {
    /// Returns the position of a part; the start for a whole tree.
    ///
    /// ```
    /// use pegwise_game::{Rules, Turn};
    /// use pegwise_solve::{Watch, catalog, tree::Builder};
    /// let rules: Rules = "4x6".parse()?;
    /// let knuth = catalog::strategy("knuth", &rules)?.position_strategy().unwrap();
    /// let tree = Builder::new(&rules, Watch::default()).build(&*knuth)?;
    /// let part = tree.part(&[Turn::parse(&rules, "1122=1,0")?])?;
    /// assert_eq!((part.stats().codes, part.stats().total), (256, 1179));
    /// assert_eq!(part.place().to_string(), "after 1122=1,0");
    /// assert_eq!(tree.place().to_string(), "at the start");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn place(&self) -> TreePath {
        let (mut node, mut turns) = (&self.root, Vec::new());
        while let (false, [Branch { feedback, node: below }]) = (node.wins, &node.branches[..]) {
            turns.push(Turn { guess: node.guess.clone(), feedback: feedback.clone() });
            node = below;
        }
        TreePath::new(&self.rules, turns)
    }

    /// Returns the part of the tree after `turns`.
    pub fn part(&self, turns: &[Turn]) -> Result<Self, PathError> {
        let mut root = self.position(turns)?.clone();
        for Turn { guess, feedback } in turns.iter().rev() {
            let branch = Branch { feedback: feedback.clone(), node: root };
            root = Node { guess: guess.clone(), wins: false, branches: vec![branch] };
        }
        Ok(Self { rules: self.rules.clone(), root })
    }
}
