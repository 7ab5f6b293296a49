//! Strategy trees: nodes, traversal, statistics, and checks of their structure.

use pegwise_game::{Code, CodeErrorReason, Feedback, FeedbackKind, Rules, Turn};
use serde::{Deserialize, Serialize};

use super::TreePath;

/// Complete strategy: the first guess, and a subtree for every feedback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Rules of the game.
    pub rules: Rules,
    /// Position before the first guess.
    pub root: Node,
}

/// Position: the guess to play, and a branch for each feedback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Guess to play.
    pub guess: Code,
    /// True if the guess can be the secret. The winning feedback has no branch.
    pub wins: bool,
    /// Branches of the other feedbacks, ordered by feedback.
    pub branches: Vec<Branch>,
}

/// Branch of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Feedback of the guess.
    pub feedback: Feedback,
    /// Position after the feedback.
    pub node: Node,
}

/// Error for rules that have no trees, or none that can be searched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsupportedRules {
    /// The feedback does not identify every code.
    #[error("{0} feedback does not identify every code, so there is no tree")]
    AmbiguousFeedback(FeedbackKind),
    /// Answers may be lies, so a position is not determined by its set of codes.
    #[error("answers of {0} may be lies: a tree can be built from a strategy, but not optimized")]
    Lies(String),
}

impl UnsupportedRules {
    /// Checks that the feedback identifies every code.
    pub fn check(rules: &Rules) -> Result<(), Self> {
        let feedback = rules.feedback();
        if feedback.model().identifies_secret() { Ok(()) } else { Err(Self::AmbiguousFeedback(feedback)) }
    }

    /// Also checks that every position is determined by its set of codes.
    pub fn check_search(rules: &Rules) -> Result<(), Self> {
        Self::check(rules)?;
        if rules.lies() == 0 { Ok(()) } else { Err(Self::Lies(rules.to_string())) }
    }
}

impl Tree {
    /// Computes the statistics of the strategy over all codes.
    pub fn stats(&self) -> Stats {
        Stats::of(&self.root)
    }
}

impl Node {
    /// Returns a position with one code left.
    pub fn leaf(guess: Code) -> Self {
        Self { guess, wins: true, branches: Vec::new() }
    }

    /// Returns the position after a feedback.
    pub fn after(&self, feedback: &Feedback) -> Option<&Self> {
        let at = self.branches.binary_search_by(|branch| branch.feedback.cmp(feedback)).ok()?;
        Some(&self.branches[at].node)
    }
}

/// Statistics of a tree over all codes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stats {
    /// Number of codes found.
    pub codes: u64,
    /// Guesses until the code is played, summed over all codes.
    pub total: u64,
    /// Guesses until one code is left, summed over all codes.
    pub total_to_identify: u64,
    /// Maximum number of guesses per code.
    pub max: u32,
    /// Number of codes that take one guess, two guesses, and so on.
    pub histogram: Vec<u64>,
}

impl Stats {
    /// Computes the statistics of a subtree.
    pub fn of(root: &Node) -> Self {
        let mut stats = Self::default();
        stats.add(root, 1);
        stats.max = stats.histogram.len() as u32;
        stats.codes = stats.histogram.iter().sum();
        stats.total = (1..).zip(&stats.histogram).map(|(guesses, codes): (u64, &u64)| guesses * codes).sum();
        stats
    }

    fn add(&mut self, node: &Node, depth: usize) {
        if self.histogram.len() < depth {
            self.histogram.resize(depth, 0);
        }
        if node.wins {
            self.histogram[depth - 1] += 1;
            // The only code left was identified by the previous guess.
            let known_before = node.branches.is_empty() && depth > 1;
            self.total_to_identify += (depth - usize::from(known_before)) as u64;
        }
        for branch in &node.branches {
            self.add(&branch.node, depth + 1);
        }
    }

    /// Returns the mean number of guesses until the code is played.
    pub fn mean(&self) -> f64 {
        self.total as f64 / self.codes as f64
    }
}

/// Totals of a position.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_solve::{Watch, catalog, tree::{Builder, Summary}};
/// let rules: Rules = "4x6".parse()?;
/// let knuth = catalog::strategy("knuth", &rules)?.position_strategy().unwrap();
/// let tree = Builder::new(&rules, Watch::default()).build(&*knuth)?;
/// let summary = Summary::of(&tree.root);
/// assert_eq!((summary.codes, summary.total, summary.max), (1296, 5801, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Number of codes found.
    pub codes: u64,
    /// Guesses until the code is played, counted from this position and summed over its codes.
    pub total: u64,
    /// Maximum number of guesses per code, counted from this position.
    pub max: u32,
    /// Number of positions, including this one.
    pub nodes: u64,
}

impl Summary {
    /// Computes the summary of one position.
    pub fn of(node: &Node) -> Self {
        Self::of_each(node).swap_remove(0)
    }

    /// Computes the summaries of a position and of all positions below it, in the order of a [`Traversal`].
    pub fn of_each(root: &Node) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for step in Traversal::new(root) {
            match step {
                Step::Enter { node, .. } => {
                    open.push(all.len());
                    all.push(Self::of_guess(node));
                }
                Step::Leave { .. } => {
                    if let (Some(number), Some(&above)) = (open.pop(), open.last()) {
                        let below = all[number];
                        all[above].add_below(&below);
                    }
                }
            }
        }
        all
    }

    /// Returns the summary of a guess without its branches.
    fn of_guess(node: &Node) -> Self {
        let won = u64::from(node.wins);
        Self { codes: won, total: won, max: u32::from(node.wins), nodes: 1 }
    }

    fn add_below(&mut self, below: &Self) {
        self.codes += below.codes;
        self.total += below.total + below.codes;
        self.max = self.max.max(below.max + 1);
        self.nodes += below.nodes;
    }

    /// Returns the mean number of guesses from this position until the code is played.
    pub fn mean(&self) -> f64 {
        self.total as f64 / self.codes as f64
    }
}

/// Step of a [`Traversal`].
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// A position, before those below it.
    Enter {
        /// Feedback that leads here; `None` for the position where the traversal began.
        feedback: Option<&'a Feedback>,
        /// Index of the branch that leads here.
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

/// Depth-first traversal of a tree without recursion: a file may hold a very deep tree. Parents come before children,
/// and branches in order.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_search::tree::{Node, Step, Traversal};
/// let rules: Rules = "4x6".parse()?;
/// let leaf = Node::leaf(rules.parse_code("1122")?);
/// assert_eq!(Traversal::new(&leaf).filter(|step| matches!(step, Step::Enter { .. })).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Traversal<'a> {
    root: Option<&'a Node>,
    /// Positions entered and not left, each with the index of its next branch.
    open: Vec<(&'a Node, usize)>,
}

impl<'a> Traversal<'a> {
    /// Starts a traversal at a position.
    pub fn new(root: &'a Node) -> Self {
        Self { root: Some(root), open: Vec::new() }
    }

    /// Returns the number of positions entered and not left.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the turns from the start of the traversal to the position last entered and not left.
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

/// Tree under construction: positions are entered and left in the order of a [`Traversal`].
#[derive(Debug, Default)]
pub struct Assembly {
    /// Positions entered and not left, each with the feedback that leads to it.
    open: Vec<(Option<Feedback>, Node)>,
}

impl Assembly {
    /// Returns the number of positions entered and not left.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Enters a position, by `feedback` from the position above it.
    pub fn enter(&mut self, feedback: Option<Feedback>, node: Node) {
        self.open.push((feedback, node));
    }

    /// Returns the position last entered and not left.
    pub fn current(&mut self) -> Option<&mut Node> {
        self.open.last_mut().map(|(_, node)| node)
    }

    /// Returns the turns to the position last entered and not left.
    pub fn turns(&self) -> Vec<Turn> {
        let pairs = self.open.iter().zip(self.open.iter().skip(1));
        let turn = |(above, below): (&(_, Node), &(Option<Feedback>, Node))| {
            Some(Turn { guess: above.1.guess.clone(), feedback: below.0.clone()? })
        };
        pairs.filter_map(turn).collect()
    }

    /// Leaves the position last entered; returns the whole tree if that was the root.
    pub fn leave(&mut self) -> Option<Node> {
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

/// Maximum depth of a tree that is read, written or verified: several times the number of guesses that testing the 255
/// colors of a table one by one takes, and small enough for any stack.
pub const MAX_DEPTH: usize = 1024;

/// Structural fault of a tree, and its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct ShapeError {
    /// Position of the fault.
    pub place: TreePath,
    /// Kind of fault.
    pub fault: Fault,
}

/// Structural fault of a position, independent of its codes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The guess is not a code of the rules.
    #[error("the guess is not a code of these rules: {0}")]
    Guess(CodeErrorReason),
    /// The winning feedback has a branch.
    #[error("the winning feedback has a branch, though the game is over")]
    BranchAfterWin,
    /// A branch that is duplicated or out of order.
    #[error("the branch of {0} is duplicated or out of order")]
    Order(Feedback),
    /// The guess neither wins nor has branches.
    #[error("the guess cannot be the code, and no branch follows it")]
    DeadEnd,
    /// The tree is deeper than [`MAX_DEPTH`].
    #[error("the tree is deeper than {MAX_DEPTH} guesses")]
    TooDeep,
}

impl Tree {
    /// Checks that every guess is a code of the rules, that branches are in order, and that every path ends with a win.
    /// Verification checks which codes are found.
    pub fn check_shape(&self) -> Result<(), ShapeError> {
        let winning = Feedback::winning(&self.rules);
        let mut walk = Traversal::new(&self.root);
        while let Some(step) = walk.next() {
            let Step::Enter { node, .. } = step else { continue };
            let unordered = node.branches.windows(2).find(|pair| pair[0].feedback >= pair[1].feedback);
            let fault = if walk.depth() > MAX_DEPTH {
                Fault::TooDeep
            } else if let Err(reason) = self.rules.check_code(&node.guess) {
                Fault::Guess(reason)
            } else if !node.wins && node.branches.is_empty() {
                Fault::DeadEnd
            } else if let Some(pair) = unordered {
                Fault::Order(pair[1].feedback.clone())
            } else if node.branches.iter().any(|branch| branch.feedback == winning) {
                Fault::BranchAfterWin
            } else {
                continue;
            };
            return Err(ShapeError { place: TreePath::new(&self.rules, walk.turns()), fault });
        }
        Ok(())
    }
}
