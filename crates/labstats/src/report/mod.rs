//! Reports of experiments: tables, comparisons and plots as JSON, Markdown, LaTeX, CSV or HTML.
//!
//! ```
//! use pegwise_labstats::report::{ExperimentReport, TrialOutcome, TrialResult, TrialSample};
//! let mut sample = TrialSample::new("4x6", "knuth");
//! for game in 0..3 {
//!     let outcome = TrialOutcome::Solved;
//!     sample.push(TrialResult { run: 0, game, outcome, guesses: 4, examined: 40, consistent: 0, seconds: 0.001 });
//! }
//! let report = ExperimentReport::new(&[sample]);
//! assert_eq!(report.rows[0].games, 3);
//! assert!(report.html("An experiment").starts_with("<!DOCTYPE html>"));
//! assert!(report.markdown("An experiment", None).contains("| knuth |"));
//! ```

mod board;
mod differences;
mod figures;
mod formats;
mod sample;

pub use board::BoardReport;
pub use differences::StrategyDifference;
pub use formats::{PlotKind, ReportBlock, ReportColumn, ReportFigure, ReportTable, csv_field};
pub use sample::{ReportRow, TrialOutcome, TrialResult, TrialSample};

/// Report of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentReport {
    /// One row per sample with games, in the order of the samples.
    pub rows: Vec<ReportRow>,
    /// Analysis by board, for programs.
    pub boards: Vec<BoardReport>,
    /// Notice that games are missing.
    pub unfinished: Option<String>,
    /// Tables, comparisons and plots by board, for display.
    pub blocks: Vec<ReportBlock>,
}

impl ExperimentReport {
    /// Analyzes samples. Two samples of the same rules and strategy are listed separately.
    pub fn new(samples: &[TrialSample]) -> Self {
        let (samples, rows): (Vec<&TrialSample>, Vec<ReportRow>) =
            samples.iter().filter_map(|sample| Some((sample, ReportRow::of(sample)?))).unzip();
        let mut boards: Vec<&str> = Vec::new();
        for sample in &samples {
            if !boards.contains(&sample.rules.as_str()) {
                boards.push(&sample.rules);
            }
        }
        let (mut blocks, mut analyzed) = (Vec::new(), Vec::new());
        for board in boards {
            let mut here: Vec<(&TrialSample, &ReportRow)> =
                samples.iter().copied().zip(&rows).filter(|(sample, _)| sample.rules == board).collect();
            board::rank(&mut here);
            let board = BoardReport::new(board, &here);
            blocks.extend(board.blocks(&here));
            analyzed.push(board);
        }
        let scaling = figures::scaling(&samples, &rows);
        if !scaling.is_empty() {
            blocks.push(ReportBlock::Heading("Scaling".to_owned()));
            blocks.extend(scaling.into_iter().map(ReportBlock::Figure));
        }
        Self { rows, boards: analyzed, unfinished: None, blocks }
    }

    /// Adds a notice at the beginning if there are fewer games than `planned`.
    #[must_use]
    pub fn with_planned(mut self, planned: u64) -> Self {
        let games: usize = self.rows.iter().map(|row| row.games).sum();
        if (games as u64) < planned {
            let [games, planned] = [games as f64, planned as f64].map(|games| formats::amount(games, 0));
            self.unfinished = Some(format!("Unfinished: {games} of {planned} games."));
            self.blocks.splice(0..0, self.unfinished.clone().map(ReportBlock::Text));
        }
        self
    }

    /// Returns the conclusion of each board.
    pub fn conclusions(&self) -> impl Iterator<Item = &str> {
        self.boards.iter().map(|board| board.conclusion.as_str())
    }

    /// Returns the plots.
    pub fn figures(&self) -> impl Iterator<Item = &ReportFigure> {
        self.blocks.iter().filter_map(|block| match block {
            ReportBlock::Figure(figure) => Some(figure),
            _ => None,
        })
    }

    /// Writes the report as Markdown. If `folder` is given, plots are linked as SVG files in it, which the caller writes under
    /// the names of [`figures`](Self::figures).
    pub fn markdown(&self, title: &str, folder: Option<&str>) -> String {
        formats::markdown(title, &self.blocks, folder)
    }

    /// Writes the tables as LaTeX.
    pub fn latex(&self, title: &str) -> String {
        formats::latex(title, &self.blocks)
    }

    /// Writes one CSV line per strategy and board, with a header.
    pub fn csv(&self) -> String {
        formats::csv(&self.boards)
    }

    /// Writes the report as a self-contained HTML page without scripts.
    pub fn html(&self, title: &str) -> String {
        formats::html(title, &self.blocks)
    }
}

#[cfg(test)]
mod tests;
