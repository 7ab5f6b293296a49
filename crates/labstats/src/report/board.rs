//! Analysis of all strategies under one set of rules: tables, and a conclusion in one sentence.

use serde::Serialize;

use super::{
    Block, Column, ReportRow, Sample, Table,
    differences::{self, DETECTABLE_DIFFERENCE, Difference, LEVEL, MAX_COMPARED},
    figures,
    formats::{amount, format_p, or_dash, time},
};
use crate::{Basis, RunMeans, Summary};

/// Analysis of the games under one set of rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Board {
    /// Rules.
    pub rules: String,
    /// Conclusion in one sentence.
    pub conclusion: String,
    /// Best strategy, if it is significantly better than all others.
    pub winner: Option<String>,
    /// Strategies, best first.
    pub rows: Vec<ReportRow>,
    /// Compact letter display of the strategies: two that share a letter do not differ significantly. `None` with a single
    /// strategy or with too many.
    pub groups: Option<Vec<String>>,
    /// Pairwise differences.
    pub differences: Vec<Difference>,
    /// Statistics of the run means by strategy, for strategies with several runs.
    pub runs: Vec<(String, RunMeans)>,
}

impl Board {
    /// Analyzes samples with their rows, best first.
    pub(super) fn new(rules: &str, here: &[(&Sample, &ReportRow)]) -> Self {
        let samples: Vec<&Sample> = here.iter().map(|(sample, _)| *sample).collect();
        let rows: Vec<&ReportRow> = here.iter().map(|(_, row)| *row).collect();
        let differences = differences::differences(&samples);
        let (conclusion, winner) = conclusion(rules, &rows, &differences);
        let runs = here.iter().filter_map(|(sample, row)| {
            let means = RunMeans::of(&sample.guesses_by_run()).filter(|means| means.runs > 1)?;
            Some((row.strategy.clone(), means))
        });
        Self {
            rules: rules.to_owned(),
            conclusion,
            winner,
            groups: differences::groups(samples.len(), &differences),
            differences,
            runs: runs.collect(),
            rows: rows.into_iter().cloned().collect(),
        }
    }

    /// Returns the section of the board.
    pub(super) fn blocks(&self, here: &[(&Sample, &ReportRow)]) -> Vec<Block> {
        let rows: Vec<&ReportRow> = self.rows.iter().collect();
        let mut blocks = vec![
            Block::Heading(self.rules.clone()),
            Block::Text(self.conclusion.clone()),
            Block::Table(guesses_table(&rows, self.groups.as_deref())),
        ];
        if rows.iter().any(|row| row.solved < row.games) {
            blocks.push(Block::Text(
                "Abandoned games count with the guesses played, so the true number of guesses is higher.".to_owned(),
            ));
        }
        if !self.differences.is_empty() {
            blocks.push(Block::Table(differences_table(&self.differences)));
            blocks.push(Block::Text(about_differences(&self.differences, rows.len())));
        }
        blocks.push(Block::Table(cost_table("Codes examined per game", &rows, |row| Some(&row.examined), count)));
        if rows.iter().any(|row| row.consistent.is_some()) {
            let caption = "Consistent codes found per game";
            blocks.push(Block::Table(cost_table(caption, &rows, |row| row.consistent.as_ref(), count)));
        }
        blocks.push(Block::Table(cost_table("Time per game", &rows, |row| Some(&row.seconds), time)));
        blocks.extend(runs_table(&self.runs).map(Block::Table));
        blocks.extend(figures::of_rules(&self.rules, here).into_iter().map(Block::Figure));
        blocks
    }
}

/// Formats a count, or a mean of counts.
fn count(value: f64) -> String {
    amount(value, usize::from(value.fract() != 0.0))
}

/// Formats a mean with its margin: `4.414 ± 0.024`.
fn mean_and_margin(summary: &Summary, text: impl Fn(f64) -> String) -> String {
    match summary.margin() {
        Some(margin) => format!("{} ± {}", text(summary.mean), text(margin)),
        None => text(summary.mean),
    }
}

fn guesses_table(rows: &[&ReportRow], groups: Option<&[String]>) -> Table {
    let mut columns = vec![Column::names("strategy")];
    columns.extend(["games", "solved", "mean ± 95 %", "sd", "median", "min", "max"].map(Column::numbers));
    let totals = rows.iter().any(|row| row.total.is_some());
    if totals {
        columns.push(Column::numbers("total"));
    }
    if groups.is_some() {
        columns.push(Column::names("group"));
    }
    let cells = |(index, row): (usize, &&ReportRow)| {
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
    Table { caption: "Guesses per game".to_owned(), columns, rows: rows.iter().enumerate().map(cells).collect() }
}

/// Builds a table of a cost per game. Strategies without a summary are omitted.
fn cost_table(
    caption: &str,
    rows: &[&ReportRow],
    summary: impl Fn(&ReportRow) -> Option<&Summary>,
    text: impl Fn(f64) -> String + Copy,
) -> Table {
    let mut columns = vec![Column::names("strategy")];
    columns.extend(["mean ± 95 %", "sd", "median", "min", "max"].map(Column::numbers));
    let cells = |row: &&ReportRow| {
        let summary = summary(row)?;
        let Summary { sd, median, min, max, .. } = *summary;
        let mean = mean_and_margin(summary, text);
        Some(vec![row.strategy.clone(), mean, or_dash(sd, text), text(median), text(min), text(max)])
    };
    Table { caption: caption.to_owned(), columns, rows: rows.iter().filter_map(cells).collect() }
}

/// Builds a table of run means, if a strategy has several runs.
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
            format_p(difference.p),
            format_p(difference.p_holm),
        ]
    };
    let caption = "Differences in guesses, secret by secret".to_owned();
    Table { caption, columns, rows: differences.iter().map(cells).collect() }
}

/// Explains the comparison method.
fn about_differences(differences: &[Difference], strategies: usize) -> String {
    if differences.iter().all(|difference| difference.basis == Basis::Exact) {
        return "Deterministic strategies played every code, so the differences are exact.".to_owned();
    }
    let which = if strategies > MAX_COMPARED { " Each strategy is compared with the best." } else { "" };
    let groups =
        if strategies > MAX_COMPARED { "" } else { " Strategies that share a group do not differ significantly." };
    format!(
        "Repeats of a secret are averaged, and comparisons are paired by secret.{which} The effect is Cohen's d, p is from the \
         t test of the interval, and Holm's method corrects it for all comparisons on the board: below {LEVEL} a difference \
         is significant.{groups}"
    )
}

/// Returns the conclusion, and the winner if it is significant. `rows` are sorted best first.
pub(super) fn conclusion(rules: &str, rows: &[&ReportRow], differences: &[Difference]) -> (String, Option<String>) {
    let [best, others @ ..] = rows else { return (format!("{rules}: no games yet."), None) };
    if others.is_empty() {
        return (format!("{rules}: {} needs {}.", best.strategy, needs(best)), None);
    }
    let of_best = || differences.iter().filter(|difference| difference.places.0 == 0);
    let equals: Vec<&Difference> = of_best().filter(|difference| !difference.is_clear()).collect();
    if let Some(next) = of_best().find(|difference| difference.places.1 == 1).filter(|_| equals.is_empty()) {
        return (format!("{rules}: {}", winner(best, others[0], next)), Some(best.strategy.clone()));
    }
    let names: Vec<&str> = equals.iter().map(|difference| difference.against.as_str()).collect();
    let rest = if equals.len() < others.len() { ", all others are worse" } else { "" };
    if equals.iter().all(|difference| difference.basis == Basis::Exact) {
        let all = list(&[&[best.strategy.as_str()], &names[..]].concat());
        return (format!("{rules}: {all} are equally good, {}{rest}.", needs(best)), None);
    }
    // The least certain comparison determines the number of games.
    let more = equals.iter().filter_map(|difference| difference.additional_secrets).max();
    let more = match more {
        Some(0) => format!("a difference of {DETECTABLE_DIFFERENCE} would have been detected"),
        Some(more) => {
            format!("{} more games would detect a difference of {DETECTABLE_DIFFERENCE}", amount(more as f64, 0))
        }
        None => "more games are needed to detect any difference".to_owned(),
    };
    (format!("{rules}: no clear winner between {} and {}{rest}; {more}.", best.strategy, list(&names)), None)
}

fn winner(best: &ReportRow, next: &ReportRow, difference: &Difference) -> String {
    let name = &best.strategy;
    match (best.total.zip(next.total), difference.ci95) {
        (Some((one, other)), _) if best.games == next.games => format!(
            "{name} is best with {}, {} fewer than {}, the next.",
            needs(best),
            amount((other - one) as f64, 0),
            next.strategy
        ),
        (_, Some([low, high])) => format!(
            "{name} is best with {}: {} fewer than {}, the next (95 % interval {} to {}).",
            needs(best),
            amount(-difference.difference, 3),
            next.strategy,
            amount(-high, 3),
            amount(-low, 3)
        ),
        _ => format!(
            "{name} is best with {}: {} fewer than {}.",
            needs(best),
            amount(-difference.difference, 3),
            next.strategy
        ),
    }
}

/// Describes the guesses of a strategy: a total if exact, otherwise a mean with its margin.
fn needs(row: &ReportRow) -> String {
    match (row.total, row.guesses.margin()) {
        (Some(total), _) => {
            let (total, secrets) = (amount(total as f64, 0), amount(row.games as f64, 0));
            format!("{total} guesses over all {secrets} codes, {} each", amount(row.guesses.mean, 3))
        }
        (None, Some(margin)) => format!("{} ± {} guesses", amount(row.guesses.mean, 3), amount(margin, 3)),
        (None, None) => format!("{} guesses", amount(row.guesses.mean, 3)),
    }
}

/// Joins names to an enumeration.
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
