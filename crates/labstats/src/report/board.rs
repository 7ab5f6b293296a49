//! What is said about the strategies under one set of rules.

use serde::Serialize;

use super::block::{Block, Column, Table};
use super::conclusion::conclusion;
use super::number::{amount, chance, or_dash, time};
use super::pairs::{self, Difference, LEVEL, MOST_COMPARED};
use super::{Row, Sample, figures};
use crate::{Basis, RunMeans, Summary};

/// All that the games under one set of rules say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Board {
    /// The rules.
    pub rules: String,
    /// What it comes to, in one sentence.
    pub conclusion: String,
    /// The best strategy, if one is without doubt.
    pub winner: Option<String>,
    /// The strategies, best first.
    pub rows: Vec<Row>,
    /// Letters for the strategies: two that share one cannot be told apart. None where there are too many or one alone.
    pub groups: Option<Vec<String>>,
    /// How they differ.
    pub differences: Vec<Difference>,
    /// How the mean varies between runs, where a strategy was run several times: by strategy.
    pub runs: Vec<(String, RunMeans)>,
}

impl Board {
    /// The board of some samples with their rows, best first.
    pub(super) fn new(rules: &str, here: &[(&Sample, &Row)]) -> Self {
        let samples: Vec<&Sample> = here.iter().map(|(sample, _)| *sample).collect();
        let rows: Vec<&Row> = here.iter().map(|(_, row)| *row).collect();
        let differences = pairs::differences(&samples);
        let (conclusion, winner) = conclusion(rules, &rows, &differences);
        let runs = here.iter().filter_map(|(sample, row)| {
            let means = RunMeans::of(&sample.guesses_by_run()).filter(|means| means.runs > 1)?;
            Some((row.strategy.clone(), means))
        });
        Self {
            rules: rules.to_owned(),
            conclusion,
            winner,
            groups: pairs::groups(samples.len(), &differences),
            differences,
            runs: runs.collect(),
            rows: rows.into_iter().cloned().collect(),
        }
    }

    /// The section of the board.
    pub(super) fn blocks(&self, here: &[(&Sample, &Row)]) -> Vec<Block> {
        let rows: Vec<&Row> = self.rows.iter().collect();
        let mut blocks = vec![
            Block::Heading(self.rules.clone()),
            Block::Text(self.conclusion.clone()),
            Block::Table(guesses_table(&rows, self.groups.as_deref())),
        ];
        if rows.iter().any(|row| row.solved < row.games) {
            blocks.push(Block::Text(
                "Games that were given up count with the guesses played, so the true number of guesses is higher."
                    .to_owned(),
            ));
        }
        if !self.differences.is_empty() {
            blocks.push(Block::Table(differences_table(&self.differences)));
            blocks.push(Block::Text(about_differences(&self.differences, rows.len())));
        }
        blocks.push(Block::Table(cost_table("Codes examined a game", &rows, |row| Some(&row.examined), count)));
        if rows.iter().any(|row| row.consistent.is_some()) {
            let caption = "Consistent codes found, a game";
            blocks.push(Block::Table(cost_table(caption, &rows, |row| row.consistent.as_ref(), count)));
        }
        blocks.push(Block::Table(cost_table("Time a game", &rows, |row| Some(&row.seconds), time)));
        blocks.extend(runs_table(&self.runs).map(Block::Table));
        blocks.extend(figures::of_rules(&self.rules, here).into_iter().map(Block::Figure));
        blocks
    }
}

/// A count, or a mean of counts.
fn count(value: f64) -> String {
    amount(value, usize::from(value.fract() != 0.0))
}

/// `4.414 ± 0.024`
fn mean_and_margin(summary: &Summary, text: impl Fn(f64) -> String) -> String {
    match summary.margin() {
        Some(margin) => format!("{} ± {}", text(summary.mean), text(margin)),
        None => text(summary.mean),
    }
}

fn guesses_table(rows: &[&Row], groups: Option<&[String]>) -> Table {
    let mut columns = vec![Column::names("strategy")];
    columns.extend(["games", "solved", "mean ± 95 %", "sd", "median", "min", "max"].map(Column::numbers));
    let totals = rows.iter().any(|row| row.total.is_some());
    if totals {
        columns.push(Column::numbers("total"));
    }
    if groups.is_some() {
        columns.push(Column::names("group"));
    }
    let cells = |(index, row): (usize, &&Row)| {
        let mut cells = vec![
            row.strategy.clone(),
            amount(row.games as f64, 0),
            amount(row.solved as f64, 0),
            mean_and_margin(&row.guesses, |value| amount(value, 3)),
            or_dash(row.guesses.sd, |sd| amount(sd, 3)),
            row.guesses.median.to_string(),
            amount(row.guesses.min, 0),
            amount(row.guesses.max, 0),
        ];
        if totals {
            cells.push(row.total.map_or_else(|| "–".to_owned(), |total| amount(total as f64, 0)));
        }
        cells.extend(groups.map(|groups| groups[index].clone()));
        cells
    };
    Table { caption: "Guesses a game".to_owned(), columns, rows: rows.iter().enumerate().map(cells).collect() }
}

/// A table of something that each game cost, of the strategies for which it is known.
fn cost_table(
    caption: &str,
    rows: &[&Row],
    summary: impl Fn(&Row) -> Option<&Summary>,
    text: impl Fn(f64) -> String + Copy,
) -> Table {
    let mut columns = vec![Column::names("strategy")];
    columns.extend(["mean ± 95 %", "sd", "median", "min", "max"].map(Column::numbers));
    let cells = |row: &&Row| {
        let summary = summary(row)?;
        let Summary { sd, median, min, max, .. } = *summary;
        let mean = mean_and_margin(summary, text);
        Some(vec![row.strategy.clone(), mean, or_dash(sd, text), text(median), text(min), text(max)])
    };
    Table { caption: caption.to_owned(), columns, rows: rows.iter().filter_map(cells).collect() }
}

/// How the mean varies between runs, if any strategy was run more than once.
fn runs_table(runs: &[(String, RunMeans)]) -> Option<Table> {
    let mut columns = vec![Column::names("strategy")];
    columns.extend(["runs", "min", "mean", "median", "max", "sd"].map(Column::numbers));
    let text = |value: f64| amount(value, 3);
    let cells = |(strategy, means): &(String, RunMeans)| {
        let RunMeans { runs, min, mean, median, max, sd } = *means;
        let mut cells = vec![strategy.clone(), runs.to_string()];
        cells.extend([min, mean, median, max].map(text));
        cells.push(or_dash(sd, text));
        cells
    };
    let rows: Vec<Vec<String>> = runs.iter().map(cells).collect();
    (!rows.is_empty()).then(|| Table { caption: "Mean guesses of whole runs".to_owned(), columns, rows })
}

fn differences_table(differences: &[Difference]) -> Table {
    let mut columns = vec![Column::names("strategy"), Column::names("against")];
    columns.extend(["secrets", "difference", "95 % interval", "effect", "p", "p (Holm)"].map(Column::numbers));
    let cells = |difference: &Difference| {
        let interval = difference.ci95.map(|[low, high]| format!("{low:+.3} to {high:+.3}"));
        vec![
            difference.strategy.clone(),
            difference.against.clone(),
            amount(difference.shared as f64, 0),
            format!("{:+.3}", difference.difference),
            interval.unwrap_or_else(|| if difference.basis == Basis::Exact { "exact" } else { "–" }.to_owned()),
            or_dash(difference.effect, |effect| format!("{effect:+.2}")),
            chance(difference.p),
            chance(difference.p_holm),
        ]
    };
    let caption = "Differences in guesses, secret by secret".to_owned();
    Table { caption, columns, rows: differences.iter().map(cells).collect() }
}

/// How the differences were found.
fn about_differences(differences: &[Difference], strategies: usize) -> String {
    if differences.iter().all(|difference| difference.basis == Basis::Exact) {
        return "Every code was played by strategies that draw nothing: the differences are exact.".to_owned();
    }
    let which = if strategies > MOST_COMPARED { " Each strategy is compared with the best." } else { "" };
    let groups =
        if strategies > MOST_COMPARED { "" } else { " Strategies that share a group cannot be told apart so." };
    format!(
        "Repeats of a secret are averaged, and the same secrets compared.{which} The effect is the difference in its standard \
         deviations; p is of the t test behind the interval, and Holm's method allows for all comparisons of the board: below \
         {LEVEL} a difference counts.{groups}"
    )
}
