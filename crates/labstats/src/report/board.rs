//! Analysis of all strategies under one set of rules: tables, and a conclusion in one sentence.

use serde::Serialize;

use super::differences::{self, DETECTABLE_DIFFERENCE, LEVEL, MAX_COMPARED, StrategyDifference};
use super::formats::{amount, format_p, or_dash, time};
use super::{ReportBlock, ReportColumn, ReportRow, ReportTable, TrialSample, figures};
use crate::{ErrorBasis, RunMeans, SampleSummary};

/// Analysis of the games under one set of rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardReport {
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
    pub differences: Vec<StrategyDifference>,
    /// Statistics of the run means by strategy, for strategies with several runs.
    pub runs: Vec<(String, RunMeans)>,
}

impl BoardReport {
    /// Analyzes samples with their rows, best first.
    pub(super) fn new(rules: &str, here: &[(&TrialSample, &ReportRow)]) -> Self {
        let samples: Vec<&TrialSample> = here.iter().map(|(sample, _)| *sample).collect();
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
    pub(super) fn blocks(&self, here: &[(&TrialSample, &ReportRow)]) -> Vec<ReportBlock> {
        let rows: Vec<&ReportRow> = self.rows.iter().collect();
        let mut blocks = vec![
            ReportBlock::Heading(self.rules.clone()),
            ReportBlock::Text(self.conclusion.clone()),
            ReportBlock::Table(guesses_table(&rows, self.groups.as_deref())),
        ];
        if rows.iter().any(|row| row.solved < row.games) {
            blocks.push(ReportBlock::Text(
                "Abandoned games count with the guesses played, so the true number of guesses is higher.".to_owned(),
            ));
        }
        if !self.differences.is_empty() {
            blocks.push(ReportBlock::Table(differences_table(&self.differences)));
            blocks.push(ReportBlock::Text(about_differences(&self.differences, rows.len())));
        }
        blocks.push(ReportBlock::Table(cost_table("Codes examined per game", &rows, |row| Some(&row.examined), count)));
        if rows.iter().any(|row| row.consistent.is_some()) {
            let caption = "Consistent codes found per game";
            blocks.push(ReportBlock::Table(cost_table(caption, &rows, |row| row.consistent.as_ref(), count)));
        }
        blocks.push(ReportBlock::Table(cost_table("Time per game", &rows, |row| Some(&row.seconds), time)));
        blocks.extend(runs_table(&self.runs).map(ReportBlock::Table));
        blocks.extend(figures::of_rules(&self.rules, here).into_iter().map(ReportBlock::Figure));
        blocks
    }
}

/// Formats a count, or a mean of counts.
fn count(value: f64) -> String {
    amount(value, usize::from(value.fract() != 0.0))
}

/// Formats a mean with its margin: `4.414 ± 0.024`.
fn mean_and_margin(summary: &SampleSummary, text: impl Fn(f64) -> String) -> String {
    match summary.margin() {
        Some(margin) => format!("{} ± {}", text(summary.mean), text(margin)),
        None => text(summary.mean),
    }
}

fn guesses_table(rows: &[&ReportRow], groups: Option<&[String]>) -> ReportTable {
    let totals = rows.iter().any(|row| row.total.is_some());
    let numbers = ["games", "solved", "mean ± 95 %", "sd", "median", "min", "max", "total"];
    let mut columns = ReportColumn::list(&["strategy"], &numbers[..if totals { 8 } else { 7 }]);
    columns.extend(groups.iter().flat_map(|_| ReportColumn::list(&["group"], &[])));
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
    ReportTable { caption: "Guesses per game".to_owned(), columns, rows: rows.iter().enumerate().map(cells).collect() }
}

/// Builds a table of a cost per game. Strategies without a summary are omitted.
fn cost_table(
    caption: &str,
    rows: &[&ReportRow],
    summary: impl Fn(&ReportRow) -> Option<&SampleSummary>,
    text: impl Fn(f64) -> String + Copy,
) -> ReportTable {
    let columns = ReportColumn::list(&["strategy"], &["mean ± 95 %", "sd", "median", "min", "max"]);
    let cells = |row: &&ReportRow| {
        let summary = summary(row)?;
        let SampleSummary { sd, median, min, max, .. } = *summary;
        let mean = mean_and_margin(summary, text);
        Some(vec![row.strategy.clone(), mean, or_dash(sd, text), text(median), text(min), text(max)])
    };
    ReportTable { caption: caption.to_owned(), columns, rows: rows.iter().filter_map(cells).collect() }
}

/// Builds a table of run means, if a strategy has several runs.
fn runs_table(runs: &[(String, RunMeans)]) -> Option<ReportTable> {
    let columns = ReportColumn::list(&["strategy"], &["runs", "min", "mean", "median", "max", "sd"]);
    let text = |value: f64| amount(value, 3);
    let cells = |(strategy, means): &(String, RunMeans)| {
        let RunMeans { runs, min, mean, median, max, sd } = *means;
        let mut cells = vec![strategy.clone(), runs.to_string()];
        cells.extend([min, mean, median, max].map(text));
        cells.push(or_dash(sd, text));
        cells
    };
    let rows: Vec<Vec<String>> = runs.iter().map(cells).collect();
    (!rows.is_empty()).then(|| ReportTable { caption: "Mean guesses of whole runs".to_owned(), columns, rows })
}

fn differences_table(differences: &[StrategyDifference]) -> ReportTable {
    let numbers = ["secrets", "difference", "95 % interval", "effect", "p", "p (Holm)"];
    let columns = ReportColumn::list(&["strategy", "against"], &numbers);
    let cells = |difference: &StrategyDifference| {
        let interval = difference.ci95.map(|[low, high]| format!("{low:+.3} to {high:+.3}"));
        vec![
            difference.strategy.clone(),
            difference.against.clone(),
            amount(difference.shared as f64, 0),
            format!("{:+.3}", difference.difference),
            interval.unwrap_or_else(|| if difference.basis == ErrorBasis::Exact { "exact" } else { "–" }.to_owned()),
            or_dash(difference.effect, |effect| format!("{effect:+.2}")),
            format_p(difference.p),
            format_p(difference.p_holm),
        ]
    };
    let caption = "Differences in guesses, secret by secret".to_owned();
    ReportTable { caption, columns, rows: differences.iter().map(cells).collect() }
}

/// Explains the comparison method.
fn about_differences(differences: &[StrategyDifference], strategies: usize) -> String {
    if differences.iter().all(|difference| difference.basis == ErrorBasis::Exact) {
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
pub(super) fn conclusion(
    rules: &str,
    rows: &[&ReportRow],
    differences: &[StrategyDifference],
) -> (String, Option<String>) {
    let [best, others @ ..] = rows else { return (format!("{rules}: no games yet."), None) };
    if others.is_empty() {
        return (format!("{rules}: {} needs {}.", best.strategy, describe_guesses(best)), None);
    }
    let of_best = || differences.iter().filter(|difference| difference.places.0 == 0);
    let equals: Vec<&StrategyDifference> = of_best().filter(|difference| !difference.is_significant()).collect();
    if let Some(next) = of_best().find(|difference| difference.places.1 == 1).filter(|_| equals.is_empty()) {
        return (format!("{rules}: {}", winner(best, others[0], next)), Some(best.strategy.clone()));
    }
    let names: Vec<&str> = equals.iter().map(|difference| difference.against.as_str()).collect();
    let rest = if equals.len() < others.len() { ", all others are worse" } else { "" };
    if equals.iter().all(|difference| difference.basis == ErrorBasis::Exact) {
        let all = list(&[&[best.strategy.as_str()], &names[..]].concat());
        return (format!("{rules}: {all} are equally good, {}{rest}.", describe_guesses(best)), None);
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

fn winner(best: &ReportRow, next: &ReportRow, difference: &StrategyDifference) -> String {
    let (name, guesses, next_name) = (&best.strategy, describe_guesses(best), &next.strategy);
    let fewer = amount(-difference.difference, 3);
    match (best.total.zip(next.total), difference.ci95) {
        (Some((one, other)), _) if best.games == next.games => {
            let fewer = amount((other - one) as f64, 0);
            format!("{name} is best with {guesses}, {fewer} fewer than {next_name}, the next.")
        }
        (_, Some(interval)) => {
            let [low, high] = interval.map(|end| amount(-end, 3));
            format!(
                "{name} is best with {guesses}: {fewer} fewer than {next_name}, the next (95 % interval {high} to {low})."
            )
        }
        _ => format!("{name} is best with {guesses}: {fewer} fewer than {next_name}."),
    }
}

/// Describes the guesses of a strategy: a total if exact, otherwise a mean with its margin.
fn describe_guesses(row: &ReportRow) -> String {
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
