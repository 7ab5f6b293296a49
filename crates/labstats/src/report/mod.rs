//! Reports of experiments: tables, comparisons and plots, as JSON, Markdown or a page of HTML.
//!
//! ```
//! use pegwise_labstats::report::{Report, Sample, Trial};
//! let mut sample = Sample::new("4x6", "knuth");
//! for game in 0..3 {
//!     sample.push(Trial { run: 0, game, solved: true, guesses: 4, examined: 40, consistent: 0, seconds: 0.001 });
//! }
//! let report = Report::new(&[sample]);
//! assert_eq!(report.rows[0].games, 3);
//! assert!(report.html("An experiment").starts_with("<!DOCTYPE html>"));
//! assert!(report.markdown("An experiment", None).contains("| knuth |"));
//! ```

mod block;
mod board;
mod conclusion;
mod csv;
mod figures;
mod html;
mod latex;
mod markdown;
mod number;
mod pairs;
mod row;
mod sample;
mod sweeps;

pub use block::{Block, Column, Figure, Kind, Table};
pub use board::Board;
pub use pairs::Difference;
pub use row::Row;
pub use sample::{Sample, Trial};

/// Everything that is said about an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// A row for each sample that has games, in the order of the samples.
    pub rows: Vec<Row>,
    /// The whole analysis, board by board: what a program wants to know.
    pub boards: Vec<Board>,
    /// The same for people, block by block: tables, comparisons and plots, rules by rules.
    pub blocks: Vec<Block>,
}

impl Report {
    /// The report of these samples. Two samples of the same rules and strategy are shown as two.
    pub fn new(samples: &[Sample]) -> Self {
        let (samples, rows): (Vec<&Sample>, Vec<Row>) =
            samples.iter().filter_map(|sample| Some((sample, Row::of(sample)?))).unzip();
        let mut boards: Vec<&str> = Vec::new();
        for sample in &samples {
            if !boards.contains(&sample.rules.as_str()) {
                boards.push(&sample.rules);
            }
        }
        let (mut blocks, mut analyzed) = (Vec::new(), Vec::new());
        for board in boards {
            let mut here: Vec<(&Sample, &Row)> =
                samples.iter().copied().zip(&rows).filter(|(sample, _)| sample.rules == board).collect();
            here.sort_by(|(_, a), (_, b)| {
                a.guesses.mean.total_cmp(&b.guesses.mean).then_with(|| a.strategy.cmp(&b.strategy))
            });
            let board = Board::new(board, &here);
            blocks.extend(board.blocks(&here));
            analyzed.push(board);
        }
        let scaling = figures::scaling(&samples, &rows);
        if !scaling.is_empty() {
            blocks.push(Block::Heading("Scaling".to_owned()));
            blocks.extend(scaling.into_iter().map(Block::Figure));
        }
        Self { rows, boards: analyzed, blocks }
    }

    /// What each board comes to, a sentence each.
    pub fn conclusions(&self) -> impl Iterator<Item = &str> {
        self.boards.iter().map(|board| board.conclusion.as_str())
    }

    /// The plots, each under a name that suits a file.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Figure(figure) => Some(figure),
            _ => None,
        })
    }

    /// The report as Markdown. Plots are linked as SVG files in a folder, if one is named: write them there by the names
    /// of [`figures`](Self::figures).
    pub fn markdown(&self, title: &str, folder: Option<&str>) -> String {
        markdown::document(title, &self.blocks, folder)
    }

    /// The tables of the report for a paper in LaTeX.
    pub fn latex(&self, title: &str) -> String {
        latex::document(title, &self.blocks)
    }

    /// A line for each strategy at each rules, with a heading.
    pub fn csv(&self) -> String {
        csv::lines(&self.boards)
    }

    /// The report as one page that needs nothing else: no scripts, no other files, no network.
    pub fn html(&self, title: &str) -> String {
        html::page(title, &self.blocks)
    }
}

#[cfg(test)]
mod tests;
