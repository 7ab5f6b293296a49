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
    /// Ranked strategies, best first, then those that failed or solved no game.
    pub rows: Vec<ReportRow>,
    /// Compact letter display of the strategies: two that share a letter do not differ significantly. `None` with a single
    /// strategy or with too many.
    pub groups: Option<Vec<String>>,
    /// Pairwise differences.
    pub differences: Vec<StrategyDifference>,
    /// Statistics of the run means by strategy, for strategies with several runs.
    pub runs: Vec<(String, RunMeans)>,
}

/// Sorts strategies: those that are ranked first, by share of games solved, then by mean guesses over the secrets that all
/// of them solved.
pub(super) fn rank(here: &mut Vec<(&TrialSample, &ReportRow)>) {
    let ranked = here.iter().filter(|(_, row)| row.is_ranked());
    let solved: Vec<_> = ranked.map(|(sample, _)| sample.by_secret()).collect();
    let is_common = |secret: &u64| solved.iter().all(|secrets| secrets.contains_key(secret));
    let common: Vec<u64> =
        solved.first().into_iter().flat_map(|secrets| secrets.keys().copied().filter(is_common)).collect();
    let guesses = |sample: &TrialSample, row: &ReportRow| {
        let own = || row.guesses.map_or(f64::INFINITY, |guesses| guesses.mean);
        if common.is_empty() || !row.is_ranked() {
            return own();
        }
        let means = sample.by_secret();
        common.iter().map(|secret| means[secret].mean).sum::<f64>() / common.len() as f64
    };
    let mut keyed: Vec<_> = here.iter().map(|&(sample, row)| (guesses(sample, row), sample, row)).collect();
    keyed.sort_by(|(one, _, a), (other, _, b)| {
        let share = b.share_solved().total_cmp(&a.share_solved());
        let order = b.is_ranked().cmp(&a.is_ranked()).then(share).then(one.total_cmp(other));
        order.then_with(|| a.strategy.cmp(&b.strategy))
    });
    *here = keyed.into_iter().map(|(_, sample, row)| (sample, row)).collect();
}

impl BoardReport {
    /// Analyzes samples with their rows, in the order of [`rank`].
    pub(super) fn new(rules: &str, here: &[(&TrialSample, &ReportRow)]) -> Self {
        let samples: Vec<&TrialSample> =
            here.iter().filter(|(_, row)| row.is_ranked()).map(|(sample, _)| *sample).collect();
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
            let text = "Guesses are those of solved games. Strategies are ranked by the share of games solved, then by the \
                        guesses on the secrets that all of them solved; a strategy that failed is not ranked.";
            blocks.push(ReportBlock::Text(text.to_owned()));
        }
        if !self.differences.is_empty() {
            blocks.push(ReportBlock::Table(differences_table(&self.differences)));
            let ranked = rows.iter().filter(|row| row.is_ranked()).count();
            blocks.push(ReportBlock::Text(about_differences(&self.differences, ranked)));
        }
        blocks.push(ReportBlock::Table(cost_table("Codes examined per game", &rows, |row| Some(&row.examined), count)));
        if rows.iter().any(|row| row.consistent.is_some()) {
            let caption = "Consistent codes found per game";
            blocks.push(ReportBlock::Table(cost_table(caption, &rows, |row| row.consistent.as_ref(), count)));
        }
        blocks.push(ReportBlock::Table(cost_table("Time per game", &rows, |row| Some(&row.seconds), time)));
        blocks.extend(runs_table(&self.runs).map(ReportBlock::Table));
        let solved: Vec<_> = here.iter().copied().filter(|(_, row)| row.solved > 0).collect();
        blocks.extend(figures::of_rules(&self.rules, &solved).into_iter().map(ReportBlock::Figure));
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
    let (lost, failed) = (rows.iter().any(|row| row.lost > 0), rows.iter().any(|row| row.failed > 0));
    let optional = |shown: bool, heading: &'static str| shown.then_some(heading);
    let counts = ["games", "solved"].into_iter().chain(optional(lost, "lost")).chain(optional(failed, "failed"));
    let unsolved = rows.iter().any(|row| row.solved < row.games);
    let numbers = counts.chain(optional(unsolved, "% solved")).chain(["mean ± 95 %", "sd", "median", "min", "max"]);
    let numbers: Vec<&str> = numbers.chain(optional(totals, "total")).collect();
    let mut columns = ReportColumn::list(&["strategy"], &numbers);
    columns.extend(groups.iter().flat_map(|_| ReportColumn::list(&["group"], &[])));
    let number = |value: f64| amount(value, 0);
    let cells = |(index, row): (usize, &&ReportRow)| {
        let mut cells = vec![row.strategy.clone(), number(row.games as f64), number(row.solved as f64)];
        cells.extend(lost.then(|| number(row.lost as f64)));
        cells.extend(failed.then(|| number(row.failed as f64)));
        cells.extend(unsolved.then(|| percent_solved(row)));
        let guesses =
            |text: &dyn Fn(&SampleSummary) -> String| row.guesses.as_ref().map_or_else(|| "–".to_owned(), text);
        cells.extend([
            guesses(&|guesses| mean_and_margin(guesses, |value| amount(value, 3))),
            guesses(&|guesses| or_dash(guesses.sd, |sd| amount(sd, 3))),
            guesses(&|guesses| guesses.median.to_string()),
            guesses(&|guesses| number(guesses.min)),
            guesses(&|guesses| number(guesses.max)),
        ]);
        if totals {
            cells.push(row.total.map_or_else(|| "–".to_owned(), |total| number(total as f64)));
        }
        cells.extend(groups.map(|groups| groups.get(index).cloned().unwrap_or_else(|| "–".to_owned())));
        cells
    };
    ReportTable { caption: "Guesses per game".to_owned(), columns, rows: rows.iter().enumerate().map(cells).collect() }
}

/// Formats the share of games solved in percent, with its confidence interval: `9.5 (6.2 to 14.4)`.
fn percent_solved(row: &ReportRow) -> String {
    let percent = |share: f64| amount(100.0 * share, 1);
    let share = percent(row.share_solved());
    row.solved_ci95.map_or(share.clone(), |ends| {
        let [low, high] = ends.map(percent);
        format!("{share} ({low} to {high})")
    })
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
    let numbers = ["secrets", "difference", "95 % interval", "effect", "p", "p (Holm)", "solved", "p (Holm)"];
    let solved = differences.iter().any(|difference| difference.solved.is_some());
    let columns = ReportColumn::list(&["strategy", "against"], &numbers[..if solved { 8 } else { 6 }]);
    let cells = |difference: &StrategyDifference| {
        let interval = difference.ci95.map(|[low, high]| format!("{low:+.3} to {high:+.3}"));
        let mut cells = vec![
            difference.strategy.clone(),
            difference.against.clone(),
            amount(difference.shared as f64, 0),
            or_dash(difference.difference, |difference| format!("{difference:+.3}")),
            interval.unwrap_or_else(|| if difference.basis == ErrorBasis::Exact { "exact" } else { "–" }.to_owned()),
            or_dash(difference.effect, |effect| format!("{effect:+.2}")),
            format_p(difference.p),
            format_p(difference.p_holm),
        ];
        if solved {
            let share = or_dash(difference.solved, |share| format!("{:+.1} %", 100.0 * share));
            cells.extend([share, format_p(difference.p_solved_holm)]);
        }
        cells
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
    let solved = if differences.iter().any(|difference| difference.solved.is_some()) {
        " Shares of games solved are compared by the sign test."
    } else {
        ""
    };
    let unpaired = if differences.iter().all(|difference| difference.paired) {
        ""
    } else {
        " Strategies that played different secrets are compared by their means (Welch's t test)."
    };
    format!(
        "Repeats of a secret are averaged, and comparisons are paired by secret.{unpaired}{which} The effect is Cohen's \
         d, p is from the t test of the interval, and Holm's method corrects it for all comparisons on the board: below {LEVEL} a difference \
         is significant.{solved}{groups}"
    )
}

/// Returns the conclusion, and the winner if it is significant. `rows` are in the order of [`rank`].
pub(super) fn conclusion(
    rules: &str,
    rows: &[&ReportRow],
    differences: &[StrategyDifference],
) -> (String, Option<String>) {
    let (ranked, others) = rows.split_at(rows.iter().filter(|row| row.is_ranked()).count());
    let (compared, winner) = conclusion_of_ranked(ranked, differences);
    let unranked = others.iter().map(|row| {
        let (strategy, games) = (&row.strategy, amount(row.games as f64, 0));
        match (row.failed, &row.failure) {
            (0, _) => format!("{strategy} solved none of {games} games."),
            (failed, reason) => {
                let reason = reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
                format!("{strategy} failed in {} of {games} games and is not ranked{reason}.", amount(failed as f64, 0))
            }
        }
    });
    let sentences: Vec<String> = compared.into_iter().chain(unranked).collect();
    (
        format!("{rules}: {}", if sentences.is_empty() { "no games yet.".to_owned() } else { sentences.join(" ") }),
        winner,
    )
}

/// Returns the conclusion on the strategies that are ranked, best first, and the winner if it is significant.
fn conclusion_of_ranked(rows: &[&ReportRow], differences: &[StrategyDifference]) -> (Option<String>, Option<String>) {
    let [best, others @ ..] = rows else { return (None, None) };
    if others.is_empty() {
        let verb = if best.solved < best.games { "solves" } else { "needs" };
        return (Some(format!("{} {verb} {}.", best.strategy, describe_guesses(best))), None);
    }
    let of_best = || differences.iter().filter(|difference| difference.places.0 == 0);
    let equals: Vec<&StrategyDifference> = of_best().filter(|difference| !difference.is_better()).collect();
    let worse = of_best().filter(|difference| difference.is_better()).count();
    if let Some(next) = of_best().find(|difference| difference.places.1 == 1).filter(|_| worse == others.len()) {
        return (Some(winner(best, others[0], next)), Some(best.strategy.clone()));
    }
    let names: Vec<&str> = equals.iter().map(|difference| difference.against.as_str()).collect();
    let rest = if worse > 0 && worse + equals.len() == others.len() { ", all others are worse" } else { "" };
    let is_equal =
        |difference: &&StrategyDifference| difference.basis == ErrorBasis::Exact && !difference.is_significant();
    if equals.iter().all(is_equal) {
        let all = list(&[&[best.strategy.as_str()], &names[..]].concat());
        return (Some(format!("{all} are equally good, {}{rest}.", describe_guesses(best))), None);
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
    let all = list(&[&[best.strategy.as_str()], &names[..]].concat());
    (Some(format!("no clear winner between {all}{rest}; {more}.")), None)
}

fn winner(best: &ReportRow, next: &ReportRow, difference: &StrategyDifference) -> String {
    let (name, guesses, next_name) = (&best.strategy, describe_guesses(best), &next.strategy);
    let fewer = or_dash(difference.difference, |difference| amount(-difference, 3));
    if difference.solves_differently() {
        return format!(
            "{name} is best: it solves {} % of the games, {next_name}, the next, {} %.",
            amount(100.0 * best.share_solved(), 1),
            amount(100.0 * next.share_solved(), 1)
        );
    }
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

/// Describes the guesses of a strategy: a total if exact, otherwise a mean with its margin; with the share of games solved
/// unless all were solved.
fn describe_guesses(row: &ReportRow) -> String {
    let Some(guesses) = &row.guesses else { return "no game".to_owned() };
    let described = match row.total {
        Some(total) => {
            let (total, secrets) = (amount(total as f64, 0), amount(row.games as f64, 0));
            format!("{total} guesses over all {secrets} codes, {} each", amount(guesses.mean, 3))
        }
        None => format!("{} guesses", mean_and_margin(guesses, |value| amount(value, 3))),
    };
    if row.solved == row.games {
        return described;
    }
    let [solved, games] = [row.solved, row.games].map(|games| amount(games as f64, 0));
    format!("{solved} of {games} games, with {described}")
}

/// Joins names to an enumeration.
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
