//! What a tree achieves, as `build`, `verify` and `import` tell it.

use std::io::{self, Write as _};

use pegwise_game::{Count, Rules};
use pegwise_solve::tree::{TreeFile, Verdict};
use serde::Serialize;

use crate::ui::{Align, Block, Screen, Table, number, style};

/// What a tree achieves.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) rules: Rules,
    pub(super) made_by: String,
    /// Guesses until the code is played, summed over all codes.
    pub(super) total: u64,
    pub(super) codes: u64,
    pub(super) mean: f64,
    /// The most guesses any code needs.
    pub(super) max: u32,
    /// How many codes need that many.
    pub(super) deepest: u64,
    /// How many codes need one guess, two guesses, and so on.
    pub(super) histogram: Vec<u64>,
    /// Whether no better tree exists, as claimed by what made it.
    pub(super) proven: bool,
    pub(super) lower_bound: Option<u64>,
}

impl Report {
    /// What the tree itself says.
    pub(super) fn of(file: &TreeFile) -> Self {
        Self::new(file, file.tree.stats().histogram)
    }

    /// What a replay showed.
    pub(super) fn of_verdict(file: &TreeFile, verdict: Verdict) -> Self {
        Self::new(file, verdict.histogram)
    }

    fn new(file: &TreeFile, histogram: Vec<u64>) -> Self {
        let codes: u64 = histogram.iter().sum();
        let total = (1..).zip(&histogram).map(|(guesses, codes): (u64, &u64)| guesses * codes).sum();
        Self {
            rules: file.tree.rules.clone(),
            made_by: file.made_by.clone(),
            total,
            codes,
            mean: total as f64 / codes as f64,
            max: histogram.len() as u32,
            deepest: histogram.last().copied().unwrap_or(0),
            histogram,
            proven: file.proven,
            lower_bound: file.lower_bound,
        }
    }

    /// Writes the report for people, with more facts after those that every tree has.
    pub(super) fn show(&self, more: &[(&str, String)], screen: &mut Screen) -> io::Result<()> {
        let codes = number::codes(Count::Exact(self.codes.into()));
        let made_by = style::paint(style::NAME, &self.made_by);
        writeln!(screen, "{} · {codes} · {made_by}\n", style::paint(style::HEADING, &self.rules))?;

        let most = number::things(self.max as usize, "guess", "guesses");
        let deepest = number::codes(Count::Exact(self.deepest.into()));
        let facts = [
            ("total", format!("{} guesses", number::grouped(self.total))),
            ("mean", format!("{:.4} guesses", self.mean)),
            ("deepest", format!("{most}, for {deepest}")),
        ];
        let facts: Vec<&(&str, String)> = facts.iter().chain(more).collect();
        let width = facts.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
        for (label, fact) in facts {
            let fact = Block::wrapped(style::PLAIN, fact, screen.text_width(width + 3));
            writeln!(screen, "{}", Block::new(style::DIM, label).widen(width).beside(3, fact))?;
        }
        writeln!(screen, "\n{}", self.distribution(screen))
    }

    /// What is said of better trees, if anything is.
    pub(super) fn proof(&self) -> Option<String> {
        match (self.proven, self.lower_bound) {
            (true, _) => Some("no tree is better".to_owned()),
            (false, Some(bound)) => {
                let gap = 100.0 * (self.total as f64 / bound as f64 - 1.0);
                Some(format!("no total is below {}; this one is {gap:.2} % above", number::grouped(bound)))
            }
            (false, None) => None,
        }
    }

    /// The same as a fact beside the others, where it is believed rather than shown.
    pub(super) fn claims(&self) -> Vec<(&'static str, String)> {
        self.proof().map(|proof| ("claimed", proof)).into_iter().collect()
    }

    fn distribution(&self, screen: &Screen) -> Block {
        /// How wide the bar of all codes would be.
        const BAR: f64 = 40.0;
        let mut table = Table::new([("guesses", Align::Right), ("codes", Align::Right), ("", Align::Left)]);
        for (guesses, &codes) in (1..).zip(&self.histogram) {
            let bar = (codes as f64 / self.codes as f64 * BAR).ceil() as usize;
            // As beside the turns of a game: in plain text the number is enough.
            let bar = if screen.look().color { "▬".repeat(bar) } else { String::new() };
            table.row([
                Block::new(style::DIM, format!("{guesses}")),
                Block::new(style::PLAIN, number::grouped(codes)),
                Block::new(style::BAR, bar),
            ]);
        }
        table.block()
    }
}
