//! Positions of a tree as text: the guess, and a row for each feedback.

use std::fmt;

use pegwise_game::{Code, Feedback, Palette, Rules, Turn};
use serde::Serialize;

use super::{Node, Step, Summary, Traversal, Tree, TreePath};

/// Position of a tree, ready to print.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PositionReport {
    /// Rules of the tree.
    pub rules: Rules,
    /// The position.
    pub place: TreePath,
    /// Guess of the position.
    pub guess: Code,
    /// True if the guess can be the secret.
    pub wins: bool,
    /// Totals of the position.
    #[serde(flatten)]
    pub summary: Summary,
    /// Mean number of guesses from this position.
    pub mean: f64,
    /// Rows of the feedbacks other than the winning one.
    pub rows: Vec<FeedbackRow>,
}

/// Row of a feedback.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeedbackRow {
    /// The feedback.
    pub feedback: Feedback,
    /// Next guess.
    pub guess: Code,
    /// Totals of the next position.
    #[serde(flatten)]
    pub summary: Summary,
    /// Mean number of guesses from the next position.
    pub mean: f64,
}

/// Error for turns that lead to no position of the tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// A turn, by its one-based number, plays the first guess, and the tree plays the second.
    #[error("turn {0} plays {1}, but the tree plays {2}")]
    OtherGuess(usize, String, String),
    /// A turn, by its one-based number, wins the game.
    #[error("turn {0} wins the game: nothing follows")]
    Won(usize),
    /// The feedback has no branch: the one-based number of the turn, its guess and its feedback.
    #[error("turn {0}: no code is left that answers {1} with {2}")]
    NoBranch(usize, String, Feedback),
}

impl Tree {
    /// Returns the position after `turns`.
    pub fn position(&self, turns: &[Turn]) -> Result<&Node, PathError> {
        let mut node = &self.root;
        let text = |code: &Code| code.notation(self.rules.palette()).to_string();
        for (turn, Turn { guess, feedback }) in (1..).zip(turns) {
            if *guess != node.guess {
                return Err(PathError::OtherGuess(turn, text(guess), text(&node.guess)));
            }
            node = match node.after(feedback) {
                Some(below) => below,
                None if feedback.is_winning(&self.rules) => return Err(PathError::Won(turn)),
                None => return Err(PathError::NoBranch(turn, text(guess), feedback.clone())),
            };
        }
        Ok(node)
    }

    /// Returns the position after `turns`, ready to print: the guess, and a row for each feedback.
    ///
    /// ```
    /// use pegwise_game::Rules;
    /// use pegwise_solve::tree::formats::{Format, import};
    /// let rules: Rules = "2x3".parse()?;
    /// let text = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}";
    /// let tree = import(Format::Contest, Some(&rules), text.as_bytes())?.tree;
    /// assert_eq!(
    ///     tree.show(&[])?.to_string(),
    ///     "at the start: guess 12, 9 codes, total 21, mean 2.3333, at most 3\n\
    ///      answer  codes  next    mean  most\n\
    ///      0,0         1  33    1.0000     1\n\
    ///      0,1         2  23    1.5000     2\n\
    ///      0,2         1  21    1.0000     1\n\
    ///      1,0         4  13    1.7500     2\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn show(&self, turns: &[Turn]) -> Result<PositionReport, PathError> {
        let node = self.position(turns)?;
        let row = |branch: &super::Branch| {
            let summary = Summary::of(&branch.node);
            let (feedback, guess) = (branch.feedback.clone(), branch.node.guess.clone());
            FeedbackRow { feedback, guess, summary, mean: summary.mean() }
        };
        let summary = Summary::of(node);
        Ok(PositionReport {
            rules: self.rules.clone(),
            place: TreePath::new(&self.rules, turns.to_vec()),
            guess: node.guess.clone(),
            wins: node.wins,
            summary,
            mean: summary.mean(),
            rows: node.branches.iter().map(row).collect(),
        })
    }

    /// Returns the position after `turns` and those up to `depth` guesses below it, ready to print with one line each.
    pub fn list(&self, turns: &[Turn], depth: usize) -> Result<impl fmt::Display, PathError> {
        let node = self.position(turns)?;
        let palette = self.rules.palette();
        Ok(fmt::from_fn(move |f| {
            let summaries = Summary::of_each(node);
            let mut summaries = summaries.iter();
            let mut walk = Traversal::new(node);
            while let Some(step) = walk.next() {
                let Step::Enter { feedback, node, .. } = step else { continue };
                let Some(summary) = summaries.next() else { break };
                if walk.depth() <= depth {
                    let indent = 2 * (walk.depth() - 1);
                    write_line(f, indent, feedback, node, summary, palette)?;
                }
            }
            Ok(())
        }))
    }
}

fn write_line(
    f: &mut fmt::Formatter<'_>,
    indent: usize,
    feedback: Option<&Feedback>,
    node: &Node,
    summary: &Summary,
    palette: Palette,
) -> fmt::Result {
    write!(f, "{:indent$}", "")?;
    if let Some(feedback) = feedback {
        write!(f, "{feedback}: ")?;
    }
    write!(f, "{}", node.guess.notation(palette))?;
    if summary.codes > 1 {
        write!(f, "  {} codes, mean {:.4}, at most {}", summary.codes, summary.mean(), summary.max)?;
    }
    writeln!(f)
}

impl fmt::Display for PositionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let palette = self.rules.palette();
        let Summary { codes, total, max, .. } = self.summary;
        let cannot_win = if self.wins { "" } else { " (cannot be the code)" };
        let guess = self.guess.notation(palette);
        if codes == 1 {
            return writeln!(f, "{}: guess {guess}{cannot_win}, the only code left", self.place);
        }
        writeln!(
            f,
            "{}: guess {guess}{cannot_win}, {codes} codes, total {total}, mean {:.4}, at most {max}",
            self.place, self.mean
        )?;
        let rows: Vec<[String; 5]> = self.rows.iter().map(|row| row.words(palette)).collect();
        let head = ["answer", "codes", "next", "mean", "most"].map(str::to_owned);
        let width = |column: usize| rows.iter().chain([&head]).map(|row| row[column].len()).max().unwrap_or(0);
        let widths = [0, 1, 2, 3, 4].map(width);
        for [answer, codes, next, mean, most] in [&head].into_iter().chain(&rows) {
            let [a, c, n, e, m] = widths;
            writeln!(f, "{answer:a$}  {codes:>c$}  {next:n$}  {mean:>e$}  {most:>m$}")?;
        }
        Ok(())
    }
}

impl FeedbackRow {
    fn words(&self, palette: Palette) -> [String; 5] {
        let Summary { codes, max, .. } = self.summary;
        let next = self.guess.notation(palette).to_string();
        [self.feedback.to_string(), codes.to_string(), next, format!("{:.4}", self.mean), max.to_string()]
    }
}
