//! What is said about the strategies under one set of rules.

use super::block::{Block, Column, Table};
use super::number::{amount, chance, or_dash, time};
use super::pairs::{self, LEVEL, Pair};
use super::{Row, Sample, figures};
use crate::{RunMeans, Summary};

/// Every two of more strategies than this would fill pages, and say little after the correction.
const MOST_COMPARED: usize = 16;

/// The section of these rules. The strategies come best first.
pub(super) fn blocks(rules: &str, here: &[(&Sample, &Row)]) -> Vec<Block> {
    let samples: Vec<&Sample> = here.iter().map(|(sample, _)| *sample).collect();
    let rows: Vec<&Row> = here.iter().map(|(_, row)| *row).collect();
    let compared = (2..=MOST_COMPARED).contains(&samples.len());
    let pairs = if compared { pairs::pairs(&samples) } else { Vec::new() };
    let groups = compared.then(|| pairs::groups(&samples, &pairs));
    let mut blocks = vec![Block::Heading(rules.to_owned()), Block::Table(guesses_table(&rows, groups.as_deref()))];
    if rows.iter().any(|row| row.solved < row.games) {
        blocks.push(Block::Text(
            "Games that were given up count with the guesses played, so the true number of guesses is higher."
                .to_owned(),
        ));
    }
    blocks.push(Block::Table(cost_table("Codes examined a game", &rows, |row| Some(&row.examined), count)));
    if rows.iter().any(|row| row.consistent.is_some()) {
        let caption = "Consistent codes found, a game";
        blocks.push(Block::Table(cost_table(caption, &rows, |row| row.consistent.as_ref(), count)));
    }
    blocks.push(Block::Table(cost_table("Time a game", &rows, |row| Some(&row.seconds), time)));
    blocks.extend(runs_table(here).map(Block::Table));
    if compared {
        blocks.push(Block::Table(pairs_table(&rows, &pairs)));
        blocks.push(Block::Text(format!(
            "Each column of tests is two-sided, and corrected for the number of pairs by Holm's method. Strategies that share \
             a group cannot be told apart at {LEVEL} by the paired Wilcoxon test, or, where fewer than half of the games are \
             shared, by the Mann-Whitney test."
        )));
    } else if samples.len() > MOST_COMPARED {
        blocks.push(Block::Text(format!("More than {MOST_COMPARED} strategies are not compared two by two.")));
    }
    blocks.extend(figures::of_rules(rules, here).into_iter().map(Block::Figure));
    blocks
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
fn runs_table(here: &[(&Sample, &Row)]) -> Option<Table> {
    let means = here.iter().filter_map(|(sample, row)| Some((row, RunMeans::of(&sample.guesses_by_run())?)));
    let means: Vec<_> = means.filter(|(_, means)| means.runs > 1).collect();
    if means.is_empty() {
        return None;
    }
    let mut columns = vec![Column::names("strategy")];
    columns.extend(["runs", "min", "mean", "median", "max", "sd"].map(Column::numbers));
    let text = |value: f64| amount(value, 3);
    let cells = |(row, means): &(&&Row, RunMeans)| {
        let RunMeans { runs, min, mean, median, max, sd } = *means;
        let mut cells = vec![row.strategy.clone(), runs.to_string()];
        cells.extend([min, mean, median, max].map(text));
        cells.push(or_dash(sd, text));
        cells
    };
    let rows = means.iter().map(cells).collect();
    Some(Table { caption: "Mean guesses of whole runs".to_owned(), columns, rows })
}

fn pairs_table(rows: &[&Row], pairs: &[Pair]) -> Table {
    let mut columns = vec![Column::names("strategy"), Column::names("against")];
    columns.extend(["shared games", "difference", "Wilcoxon", "sign", "Welch", "Mann-Whitney"].map(Column::numbers));
    let cells = |pair: &Pair| {
        let (first, second) = (rows[pair.places.0], rows[pair.places.1]);
        let difference = format!("{:+.3}", first.guesses.mean - second.guesses.mean);
        let mut cells =
            vec![first.strategy.clone(), second.strategy.clone(), amount(pair.shared as f64, 0), difference];
        cells.extend(pair.p.map(chance));
        cells
    };
    let caption = "Differences in guesses, and the chance of such a difference by luck".to_owned();
    Table { caption, columns, rows: pairs.iter().map(cells).collect() }
}
