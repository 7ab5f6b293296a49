//! Walking a tree and putting one together, without recursion: a tree may be as deep as a hostile file makes it.

use pegwise_game::{Feedback, Turn};

use super::{Branch, Node};

/// A step of a [`Traversal`].
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// A position, before those below it.
    Enter {
        /// The feedback that leads here; `None` for the position the walk began at.
        feedback: Option<&'a Feedback>,
        /// The number of the branch that leads here among its siblings, from zero.
        index: usize,
        /// The position.
        node: &'a Node,
    },
    /// The same position, after those below it.
    Leave {
        /// The position.
        node: &'a Node,
    },
}

/// Every position of a tree: parents before children, branches in order.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_solve::tree::{Node, Step, Traversal};
/// let rules: Rules = "4x6".parse()?;
/// let leaf = Node::leaf(rules.parse_code("1122")?);
/// assert_eq!(Traversal::new(&leaf).filter(|step| matches!(step, Step::Enter { .. })).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Traversal<'a> {
    root: Option<&'a Node>,
    /// Positions entered and not left, each with the number of its next branch.
    open: Vec<(&'a Node, usize)>,
}

impl<'a> Traversal<'a> {
    /// A walk over a position and all below it.
    #[must_use]
    pub fn new(root: &'a Node) -> Self {
        Self { root: Some(root), open: Vec::new() }
    }

    /// How many positions are entered and not left.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The turns from the start of the walk to the position last entered and not left.
    #[must_use]
    pub fn turns(&self) -> Vec<Turn> {
        let above = self.open.len().saturating_sub(1);
        let turn = |&(node, next): &(&Node, usize)| Turn {
            guess: node.guess.clone(),
            feedback: node.branches[next - 1].feedback.clone(),
        };
        self.open[..above].iter().map(turn).collect()
    }
}

impl<'a> Iterator for Traversal<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        if let Some(node) = self.root.take() {
            self.open.push((node, 0));
            return Some(Step::Enter { feedback: None, index: 0, node });
        }
        let (node, next) = self.open.last_mut()?;
        let Some(branch) = node.branches.get(*next) else {
            let (node, _) = self.open.pop()?;
            return Some(Step::Leave { node });
        };
        let index = *next;
        *next += 1;
        self.open.push((&branch.node, 0));
        Some(Step::Enter { feedback: Some(&branch.feedback), index, node: &branch.node })
    }
}

/// A tree on its way from a file: positions are entered and left as a [`Traversal`] does.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    /// Positions entered and not left, each with the feedback that leads to it.
    open: Vec<(Option<Feedback>, Node)>,
}

impl Assembly {
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(super) fn enter(&mut self, feedback: Option<Feedback>, node: Node) {
        self.open.push((feedback, node));
    }

    /// The position last entered and not left.
    pub(super) fn current(&mut self) -> Option<&mut Node> {
        self.open.last_mut().map(|(_, node)| node)
    }

    /// The turns to the position last entered and not left.
    pub(super) fn turns(&self) -> Vec<Turn> {
        let pairs = self.open.iter().zip(self.open.iter().skip(1));
        let turn = |(above, below): (&(_, Node), &(Option<Feedback>, Node))| {
            Some(Turn { guess: above.1.guess.clone(), feedback: below.0.clone()? })
        };
        pairs.filter_map(turn).collect()
    }

    /// Ends the position last entered; gives the whole tree when that was the first one.
    pub(super) fn leave(&mut self) -> Option<Node> {
        let (feedback, node) = self.open.pop()?;
        match (self.open.last_mut(), feedback) {
            (Some((_, parent)), Some(feedback)) => {
                parent.branches.push(Branch { feedback, node });
                None
            }
            _ => Some(node),
        }
    }
}
