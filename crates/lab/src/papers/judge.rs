//! Comparison of published numbers and claims with ours.
//!
//! # Numbers
//!
//! The window of a printed number contains the values that the paper's own sample may have come from: three standard errors
//! to both sides, and half a unit of the last digit. Each statistic has its own: Student's t for means, chi-square for
//! standard deviations, order statistics for medians, and for extremes the probability that a sample of the published size
//! stays within the printed number and reaches it. If a deterministic strategy plays every code, the digits must agree.
//!
//! A number is inside if the 95 % confidence interval of ours lies in the window, and refuted if it lies outside. Inside, it is
//! reproduced if it also discriminates: no other strategy or parameter value of the same table would pass. Rows on the same
//! board are the others; if there are none, all rows.
//!
//! # Claims
//!
//! A claim is a list of comparisons of two means. Each is tested by the differences on the same secrets, at 95 % after Holm's
//! correction over the comparisons of the claim.

use std::collections::BTreeMap;

use pegwise_labstats::compare::{chi_square_interval, holm, normal_cdf, proportion};
use pegwise_labstats::{ErrorBasis, Estimate};
use serde::Serialize;

use super::possible;
use super::statistics::{ColumnStatistics, RowStatistics};
use super::table::{
    ClaimLink, MeasuredQuantity, PrintedNumber, PublishedClaim, PublishedMeasure, PublishedRow, PublishedTable,
    PublishedValue, Statistic,
};

/// Verdict on a published number or claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PublishedVerdict {
    /// Ours agrees, and nothing else in the table would.
    Reproduced,
    /// Ours agrees, but so does something else in the table.
    Compatible,
    /// Ours differs.
    Refuted,
    /// The opposite of a claim holds.
    Reversed,
    /// The games played are too few for a decision.
    Undecided,
    /// The number is impossible, or the paper contradicts itself.
    PaperWrong,
    /// Times on other machines, and pictures without numbers.
    NotComparable,
}

impl PublishedVerdict {
    /// All verdicts.
    pub const ALL: [Self; 7] = [
        Self::Reproduced,
        Self::Compatible,
        Self::Refuted,
        Self::Reversed,
        Self::Undecided,
        Self::PaperWrong,
        Self::NotComparable,
    ];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Compatible => "compatible",
            Self::Refuted => "refuted",
            Self::Reversed => "reversed",
            Self::Undecided => "undecided",
            Self::PaperWrong => "paper wrong",
            Self::NotComparable => "not comparable",
        }
    }

    /// Returns true if the paper and our games contradict each other, so that a cause is wanted.
    pub fn contradicts(self) -> bool {
        matches!(self, Self::Refuted | Self::Reversed)
    }
}

/// Cause of a refutation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FindingCause {
    /// Explanation.
    pub why: String,
    /// Row that meets the number, which makes the cause tested; otherwise it is conjectured.
    pub met_by: Option<String>,
}

/// Comparison of a published number with ours, or one comparison of a claim.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// Label of the row, or statement of the claim.
    pub row: String,
    /// Rules, if games are played.
    pub rules: Option<String>,
    /// Strategy, if games are played.
    pub strategy: Option<String>,
    /// Measured quantity and statistic.
    pub measure: String,
    /// Printed number, or the comparison of a claim.
    pub published: Option<String>,
    /// Our number, with at least the printed digits, or the difference of the means.
    pub ours: Option<String>,
    /// 95 % confidence interval of ours; `None` if it is exact.
    pub interval: Option<[f64; 2]>,
    /// Accepted values.
    pub window: Option<[f64; 2]>,
    /// Number of games that we played.
    pub games: Option<u64>,
    /// Number of games for a decision, if undecided and known.
    pub needs: Option<u64>,
    /// Reason for the verdict.
    pub note: Option<String>,
    /// Cause of a refutation.
    pub cause: Option<FindingCause>,
    /// Verdict; `None` for games behind no printed number, and for a comparison of a claim with several.
    pub verdict: Option<PublishedVerdict>,
}

impl Finding {
    /// Creates a finding with only its name and verdict.
    pub(super) fn new(row: &str, measure: &str, verdict: Option<PublishedVerdict>) -> Self {
        Self {
            row: row.to_owned(),
            rules: None,
            strategy: None,
            measure: measure.to_owned(),
            published: None,
            ours: None,
            interval: None,
            window: None,
            games: None,
            needs: None,
            note: None,
            cause: None,
            verdict,
        }
    }

    /// Creates a finding that is not comparable for a reason.
    pub(super) fn not_comparable(row: &str, measure: &str, reason: &str) -> Self {
        Self { note: Some(reason.to_owned()), ..Self::new(row, measure, Some(PublishedVerdict::NotComparable)) }
    }
}

/// Comparison of a claim with our games.
#[derive(Debug, Clone, Serialize)]
pub struct ClaimFinding {
    /// Statement of the paper.
    pub says: String,
    /// Compared quantity.
    pub measure: String,
    /// Comparisons.
    pub links: Vec<Finding>,
    /// Cause of a refutation.
    pub cause: Option<FindingCause>,
    /// Verdict.
    pub verdict: PublishedVerdict,
}

/// Findings of one table or figure.
#[derive(Debug, Clone, Serialize)]
pub struct TableReport {
    /// Id of the table.
    pub id: String,
    /// Title.
    pub title: String,
    /// Place in the paper.
    pub source: String,
    /// Interpretation of the paper.
    pub reading: Option<String>,
    /// Tables that a figure repeats, whose numbers are counted there.
    pub same_as: Vec<String>,
    /// Findings on the numbers.
    pub findings: Vec<Finding>,
    /// Findings on the claims.
    pub claims: Vec<ClaimFinding>,
}

impl TableReport {
    /// Returns every verdict with its name, as in `row, measure`, its cause and its note.
    pub fn verdicts(&self) -> impl Iterator<Item = (PublishedVerdict, String, Option<&FindingCause>, Option<&str>)> {
        let findings = self.findings.iter().filter_map(|finding| {
            let name = format!("{}, {}", finding.row, finding.measure);
            Some((finding.verdict?, name, finding.cause.as_ref(), finding.note.as_deref()))
        });
        let claims = self.claims.iter();
        findings.chain(claims.map(|claim| (claim.verdict, claim.says.clone(), claim.cause.as_ref(), None)))
    }
}

/// Number of verdicts of each kind.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct VerdictCounts {
    /// Number of verdicts by name.
    pub verdicts: BTreeMap<&'static str, usize>,
    /// Number of refuted or reversed verdicts with a tested cause, a conjectured cause, and none.
    pub causes: [usize; 3],
}

impl VerdictCounts {
    /// Counts the verdicts of reports.
    pub fn of<'a>(reports: impl IntoIterator<Item = &'a TableReport>) -> Self {
        let mut counts =
            Self { verdicts: PublishedVerdict::ALL.map(|verdict| (verdict.name(), 0)).into(), causes: [0; 3] };
        for (verdict, _, cause, _) in reports.into_iter().flat_map(TableReport::verdicts) {
            *counts.verdicts.entry(verdict.name()).or_default() += 1;
            if verdict.contradicts() {
                counts.causes[cause.map_or(2, |cause| usize::from(cause.met_by.is_none()))] += 1;
            }
        }
        counts
    }

    /// Returns the counts as a sentence.
    pub fn sentence(&self) -> String {
        let [tested, conjectured, none] = self.causes;
        let counts =
            PublishedVerdict::ALL.map(|verdict| format!("{} {}", self.verdicts[verdict.name()], verdict.name()));
        format!(
            "{}. Causes of the refuted and reversed: {tested} tested, {conjectured} conjectured, {none} none.",
            counts.join(", ")
        )
    }
}

/// Number of standard errors of the paper's sample in a window.
const STANDARD_ERRORS: f64 = 3.0;
/// One-sided tail probability of three standard errors.
const WINDOW_TAIL: f64 = 0.001_35;
/// Rounding error of a difference of exact means.
const ROUNDING: f64 = 1e-9;
/// One-sided tail probability of our intervals.
const OUR_TAIL: f64 = 0.025;
/// 97.5 % quantile of the normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;
/// Ratio of the standard errors of the median and the mean of a normal sample.
const MEDIAN_FACTOR: f64 = 1.2533;
/// Minimum number of games to judge a number.
const MIN_GAMES: f64 = 30.0;
/// Number of games beyond which none is named.
const MAX_GAMES: f64 = 1e9;

/// Place of our number relative to the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    Inside,
    Outside,
    /// Across an edge; the number of games for a decision, if known.
    Open(Option<u64>),
}

/// Our number compared with a printed one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Assessment {
    pub(super) value: f64,
    interval: Option<[f64; 2]>,
    window: Option<[f64; 2]>,
    pub(super) place: Place,
}

impl Assessment {
    /// Compares a value with its interval, from `games` games, and a window.
    fn of(value: f64, interval: [f64; 2], window: [f64; 2], games: f64) -> Self {
        // The sum depends on its order in the last bits.
        let noise = 1e-9 * value.abs().max(1.0);
        let ([low, high], [least, most]) = (interval, [window[0] - noise, window[1] + noise]);
        let place = if least <= low && high <= most {
            Place::Inside
        } else if high < least || low > most {
            Place::Outside
        } else {
            // The width of the interval falls with the square root of the number of games.
            let (arm, gap) = ((high - value).max(value - low), (value - least).abs().min((most - value).abs()));
            let needed = games * (arm / gap).powi(2);
            Place::Open((needed <= MAX_GAMES).then(|| needed.ceil() as u64))
        };
        let interval = (high > low && (high - low).is_finite()).then_some(interval);
        Self { value, interval, window: Some(window).filter(|window| window.iter().all(|end| end.is_finite())), place }
    }

    /// Judges a sample of a deterministic strategy: digits need every code, and a window without width would refute one in
    /// twenty by chance.
    fn of_sample(self, row: &PublishedRow) -> Self {
        let apart = |[low, high]: [f64; 2], [least, most]: [f64; 2]| {
            2.0 * high - self.value < least || 2.0 * low - self.value > most
        };
        let refuted = self.place == Place::Outside
            && self.interval.zip(self.window).is_none_or(|(own, window)| apart(own, window));
        Self { place: if refuted { Place::Outside } else { Place::Open(Some(row.games_in_full())) }, ..self }
    }

    /// Compares a number without error with the printed digits.
    fn digits(value: f64, printed: &PrintedNumber) -> Self {
        let place = if printed.matches(value) { Place::Inside } else { Place::Outside };
        let half = printed.half_unit();
        let window = (!printed.is_bound()).then_some([printed.value() - half, printed.value() + half]);
        Self { value, interval: None, window, place }
    }
}

/// Window of a printed number: `errors` times three to both sides, plus rounding.
fn around(printed: &PrintedNumber, error: f64) -> [f64; 2] {
    let margin = STANDARD_ERRORS * error + printed.half_unit();
    [printed.value() - margin, printed.value() + margin]
}

/// Window of a printed standard deviation with `freedom` degrees of freedom.
fn around_sd(printed: &PrintedNumber, freedom: f64) -> [f64; 2] {
    let [low, high] = chi_square_interval(printed.value(), freedom, WINDOW_TAIL);
    [low - printed.half_unit(), high + printed.half_unit()]
}

/// Bounds on the probabilities that a sample of the published size stays within the printed extreme, and reaches it.
#[derive(Debug, Clone, Copy)]
struct ExtremeTest {
    stays: [f64; 2],
    reaches: [f64; 2],
}

impl ExtremeTest {
    /// Counts our games: `beyond` are the numbers of games past the printed extreme, and past or at it. `theirs` is the number
    /// of published games. A bound need not be reached.
    fn counted(bound: bool, beyond: [u64; 2], games: u64, theirs: f64) -> Self {
        let [past, at] = beyond.map(|times| proportion(times, games));
        let none = |chance: f64| (1.0 - chance).powf(theirs);
        let reaches = if bound { [1.0; 2] } else { [1.0 - none(at[0]), 1.0 - none(at[1])] };
        Self { stays: [none(past[1]), none(past[0])], reaches }
    }

    /// Creates the test for the extreme of `runs` run means, which are normally distributed. `off` is the printed extreme
    /// minus our mean, in the direction of the extreme, `error` the standard error of our mean, and `of_run` the standard
    /// deviation of the mean of one run.
    fn normal(off: f64, half_unit: f64, error: f64, of_run: f64, runs: f64) -> Self {
        // Rounding can go either way.
        let chance = |errors: f64, rounded: f64| {
            normal_cdf((off + rounded * half_unit + errors * Z_95 * error) / of_run).powf(runs)
        };
        let stays = [chance(-1.0, 1.0), chance(1.0, 1.0)];
        Self { stays, reaches: [1.0 - chance(1.0, -1.0), 1.0 - chance(-1.0, -1.0)] }
    }

    fn place(&self, games: u64) -> Place {
        let Self { stays, reaches } = self;
        if stays[1] < WINDOW_TAIL || reaches[1] < WINDOW_TAIL {
            Place::Outside
        } else if stays[0] >= OUR_TAIL && reaches[0] >= OUR_TAIL {
            Place::Inside
        } else {
            // Four times the games halve the width of the bounds.
            Place::Open(Some(games.saturating_mul(4)))
        }
    }
}

/// Compares a published number of `row` with statistics, which may be those of another row. `None` if nothing was counted.
pub(super) fn assess(value: &PublishedValue, row: &PublishedRow, statistics: &RowStatistics) -> Option<Assessment> {
    let (printed, PublishedMeasure { quantity, .. }) = (&value.printed, value.measure);
    match quantity {
        MeasuredQuantity::Codes => {
            let assessment = Assessment::digits(statistics.codes as f64, printed);
            Some(if statistics.census { assessment } else { Assessment { place: Place::Open(None), ..assessment } })
        }
        MeasuredQuantity::RunMeans => assess_runs(value, row, statistics),
        _ => {
            let column = statistics.columns.get(&quantity)?;
            let assessment = assess_column(value, row, column)?;
            let sampled = row.exact && column.estimate.basis != ErrorBasis::Exact;
            Some(if sampled { assessment.of_sample(row) } else { assessment })
        }
    }
}

fn assess_column(value: &PublishedValue, row: &PublishedRow, column: &ColumnStatistics) -> Option<Assessment> {
    let (printed, statistic) = (&value.printed, value.measure.statistic);
    let (summary, estimate) = (&column.summary, &column.estimate);
    let (games, theirs) = (summary.n as f64, row.games_published());
    let exact = row.exact && estimate.basis == ErrorBasis::Exact;
    let few = !exact && games < MIN_GAMES;
    // Our interval of a few games is unknown.
    let judged = |own: f64, interval: [f64; 2], window: [f64; 2]| {
        let interval = if few { [f64::NEG_INFINITY, f64::INFINITY] } else { interval };
        Some(Assessment::of(own, interval, window, games))
    };
    // Nothing was drawn on the side of the paper: only rounding.
    let drawn = |error: f64| if row.exact { 0.0 } else { error };
    match statistic {
        Statistic::Mean if exact => Some(Assessment::digits(estimate.mean, printed)),
        Statistic::Mean => {
            let own = estimate.error.unwrap_or(f64::INFINITY);
            let error = printed_sd(value, row, column).map_or(own * (games / theirs).sqrt(), |sd| sd / theirs.sqrt());
            judged(estimate.mean, estimate.interval().unwrap_or([estimate.mean; 2]), around(printed, drawn(error)))
        }
        Statistic::Sd if exact => {
            // Papers do not say whether they divide by n or by n - 1.
            let sample = summary.sd.unwrap_or(0.0);
            let own = if printed.matches(sample) { sample } else { column.population_sd() };
            Some(Assessment::digits(own, printed))
        }
        Statistic::Sd => {
            let own = summary.sd.unwrap_or(0.0);
            let window = if row.exact { around(printed, 0.0) } else { around_sd(printed, column.sd_freedom(theirs)) };
            judged(own, chi_square_interval(own, column.sd_freedom(games), OUR_TAIL), window)
        }
        Statistic::Median if exact => Some(Assessment::digits(summary.median, printed)),
        Statistic::Median => {
            let [least, most] = column.median_interval(theirs, STANDARD_ERRORS);
            let arms = if row.exact { [0.0; 2] } else { [most - summary.median, summary.median - least] };
            let window =
                [printed.value() - arms[0] - printed.half_unit(), printed.value() + arms[1] + printed.half_unit()];
            judged(summary.median, column.median_interval(games, Z_95), window)
        }
        Statistic::Min | Statistic::Max => {
            let own = if statistic == Statistic::Min { summary.min } else { summary.max };
            if exact {
                return Some(Assessment::digits(own, printed));
            }
            let [above, at_least] = column.counts_from(printed.value());
            let all = summary.n as u64;
            let beyond = if statistic == Statistic::Max { [above, at_least] } else { [all - at_least, all - above] };
            let place = match few {
                true => Place::Open(None),
                false => ExtremeTest::counted(printed.is_bound(), beyond, all, theirs).place(all),
            };
            Some(Assessment { value: own, interval: None, window: None, place })
        }
    }
}

/// Returns the printed standard deviation for the window of a mean. If every code was played it is mostly the spread between
/// codes, and if our games refute it, it says nothing about the mean.
fn printed_sd(value: &PublishedValue, row: &PublishedRow, column: &ColumnStatistics) -> Option<f64> {
    let measure = PublishedMeasure { statistic: Statistic::Sd, ..value.measure };
    let printed = row.published.iter().find(|published| published.measure == measure)?;
    let valid = !row.plays_all() && assess_column(printed, row, column)?.place != Place::Outside;
    valid.then(|| printed.printed.value())
}

/// Compares statistics of run means. The runs are few, but their means are approximately normal with a known variance.
fn assess_runs(value: &PublishedValue, row: &PublishedRow, statistics: &RowStatistics) -> Option<Assessment> {
    let (printed, statistic) = (&value.printed, value.measure.statistic);
    let (runs, column) = (statistics.runs?, statistics.columns.get(&MeasuredQuantity::Guesses)?);
    let (theirs, games, estimate) = (row.runs_published(), column.summary.n as f64, &column.estimate);
    let error = estimate.error?;
    // Standard deviation of the mean of one run.
    let of_run = error * (games / statistics.codes as f64).sqrt();
    let sd = PublishedMeasure { quantity: MeasuredQuantity::RunMeans, statistic: Statistic::Sd };
    let their_sd = row.published.iter().find(|published| published.measure == sd).map(|sd| sd.printed.value());
    let their_sd = their_sd.unwrap_or(of_run);
    let toward = if statistic == Statistic::Min { -1.0 } else { 1.0 };
    let unknown = (estimate.basis == ErrorBasis::Sample).then_some([f64::NEG_INFINITY, f64::INFINITY]);
    let judged = |own: f64, error: f64, their_error: f64| {
        let interval = unknown.unwrap_or([own - Z_95 * error, own + Z_95 * error]);
        Some(Assessment::of(own, interval, around(printed, their_error), games))
    };
    match statistic {
        Statistic::Mean => judged(estimate.mean, error, their_sd / theirs.sqrt()),
        Statistic::Median => {
            let error = MEDIAN_FACTOR * of_run / (runs.runs as f64).sqrt();
            judged(runs.median, error, MEDIAN_FACTOR * their_sd / theirs.sqrt())
        }
        Statistic::Sd => {
            let interval = unknown.unwrap_or(chi_square_interval(of_run, estimate.freedom as f64, OUR_TAIL));
            Some(Assessment::of(of_run, interval, around_sd(printed, theirs - 1.0), games))
        }
        Statistic::Min | Statistic::Max => {
            let off = toward * (printed.value() - estimate.mean);
            let test = ExtremeTest::normal(off, printed.half_unit(), error, of_run, theirs);
            let place = if unknown.is_some() { Place::Open(None) } else { test.place(games as u64) };
            let value = if statistic == Statistic::Min { runs.min } else { runs.max };
            Some(Assessment { value, interval: None, window: None, place })
        }
    }
}

/// Rows of a table with the statistics of those that were run.
pub(super) type PlayedRows<'a> = [(&'a PublishedRow, Option<&'a RowStatistics>)];

/// Judges the numbers of a table.
pub(super) fn judge_numbers(table: &PublishedTable, rows: &PlayedRows<'_>) -> Vec<Finding> {
    let of_row = |(row, statistics): &(&PublishedRow, Option<&RowStatistics>)| {
        let finding = |value| judge(value, row, *statistics, rows, table);
        row.published.iter().map(finding).collect::<Vec<_>>()
    };
    rows.iter().flat_map(of_row).collect()
}

fn judge(
    value: &PublishedValue,
    row: &PublishedRow,
    statistics: Option<&RowStatistics>,
    rows: &PlayedRows<'_>,
    table: &PublishedTable,
) -> Finding {
    let measure = value.measure.to_string();
    let finding = Finding {
        rules: Some(row.rules.to_string()),
        strategy: row.strategy.as_ref().ok().cloned(),
        published: Some(value.printed.to_string()),
        games: statistics.map(|statistics| statistics.games),
        ..Finding::not_comparable(&row.label, &measure, "not counted")
    };
    let Some(assessment) = statistics.and_then(|statistics| assess(value, row, statistics)) else {
        let reason = match row.spec() {
            Err(reason) => reason,
            Ok(_) => format!("{} is not counted", value.measure.quantity.name()),
        };
        return Finding { note: Some(reason), ..finding };
    };
    let Assessment { value: own, interval, window, place } = assessment;
    let digits = value.printed.decimals() + usize::from(own.fract() != 0.0);
    let finding = Finding { ours: (!own.is_nan()).then(|| format!("{own:.digits$}")), ..finding };
    if value.measure.quantity == MeasuredQuantity::Milliseconds {
        return Finding { note: Some("a time on another machine".to_owned()), ..finding };
    }
    // A number that ours agrees with is not declared wrong.
    let declared = || value.wrong.clone().filter(|_| place != Place::Inside);
    let wrong = possible::objection(value, row).or_else(declared);
    let (verdict, note) = match place {
        _ if wrong.is_some() => (PublishedVerdict::PaperWrong, wrong),
        Place::Open(_) => (PublishedVerdict::Undecided, None),
        Place::Outside => (PublishedVerdict::Refuted, None),
        Place::Inside => match also_inside(value, row, rows, window) {
            Rivals::None => (PublishedVerdict::Compatible, Some("nothing in the table to tell it from".to_owned())),
            Rivals::Pass(other) => (PublishedVerdict::Compatible, Some(format!("not told from {other}"))),
            Rivals::Fail => (PublishedVerdict::Reproduced, None),
        },
    };
    let needs = match place {
        Place::Open(needs) if verdict == PublishedVerdict::Undecided => needs,
        _ => None,
    };
    let cause = verdict.contradicts().then(|| cause_of(value, row, rows, table, &measure)).flatten();
    Finding { interval, window, needs, note, cause, verdict: Some(verdict), ..finding }
}

/// Result of comparing the other rows of a table with a printed number.
enum Rivals {
    /// There are none.
    None,
    /// None would pass.
    Fail,
    /// This one is not outside the window.
    Pass(String),
}

/// Compares the other rows with a number and its window, the nearest first.
fn also_inside(value: &PublishedValue, row: &PublishedRow, rows: &PlayedRows<'_>, window: Option<[f64; 2]>) -> Rivals {
    let other = |(other, statistics): &(&PublishedRow, Option<&RowStatistics>)| {
        let same = (&other.rules, &other.strategy, &other.games) == (&row.rules, &row.strategy, &row.games);
        let own = if same { None } else { assess(value, row, (*statistics)?) }?;
        // The interval of few games is unknown.
        let known = own.interval.is_some() || !matches!(own.place, Place::Open(_));
        let interval = own.interval.unwrap_or([own.value; 2]);
        let judged = window.filter(|_| known).map(|window| Assessment::of(own.value, interval, window, 0.0));
        Some((other.rules == row.rules, judged.unwrap_or(own), other.label.clone()))
    };
    let mut rivals: Vec<(bool, Assessment, String)> = rows.iter().filter_map(other).collect();
    if rivals.iter().any(|(same_board, ..)| *same_board) {
        rivals.retain(|(same_board, ..)| *same_board);
    }
    let distance = |assessment: &Assessment| (assessment.value - value.printed.value()).abs();
    rivals.sort_by(|(_, one, _), (_, other, _)| distance(one).total_cmp(&distance(other)));
    if rivals.is_empty() {
        return Rivals::None;
    }
    let passes = rivals.into_iter().find(|(_, assessment, _)| assessment.place != Place::Outside);
    passes.map_or(Rivals::Fail, |(.., label)| Rivals::Pass(label))
}

/// Returns the cause of a refuted number. It is tested if the row that it names meets the number.
fn cause_of(
    value: &PublishedValue,
    row: &PublishedRow,
    rows: &PlayedRows<'_>,
    table: &PublishedTable,
    measure: &str,
) -> Option<FindingCause> {
    let covering = || table.causes.iter().filter(|cause| cause.covers(&row.label, measure));
    let meets = |label: &String| {
        let (_, statistics) = rows.iter().find(|(row, _)| row.label == *label)?;
        let place = assess(value, row, (*statistics)?)?.place;
        (place == Place::Inside).then(|| label.clone())
    };
    let tested = covering().find_map(|cause| Some((cause, cause.met_by.as_ref().and_then(meets)?)));
    let (cause, met_by) = tested.map(|(cause, row)| (cause, Some(row))).or_else(|| Some((covering().next()?, None)))?;
    Some(FindingCause { why: cause.why.clone(), met_by })
}

/// Judges a claim.
pub(super) fn judge_claim(claim: &PublishedClaim, table: &PublishedTable, rows: &PlayedRows<'_>) -> ClaimFinding {
    let quantity = match claim.quantity {
        MeasuredQuantity::RunMeans => MeasuredQuantity::Guesses,
        other => other,
    };
    let tests: Option<Vec<LinkTest>> = claim.links.iter().map(|link| LinkTest::of(link, quantity, rows)).collect();
    let measure = claim.quantity.name().to_owned();
    let mut finding = ClaimFinding {
        says: claim.says.clone(),
        measure: measure.clone(),
        links: Vec::new(),
        cause: None,
        verdict: PublishedVerdict::NotComparable,
    };
    let Some(tests) = tests.filter(|_| quantity != MeasuredQuantity::Milliseconds) else { return finding };
    let opposite = if claim.is_ratio { PublishedVerdict::Refuted } else { PublishedVerdict::Reversed };
    let corrected = holm(&tests.iter().map(|test| test.p).collect::<Vec<_>>());
    let link = |(test, (p, link)): (LinkTest, (f64, &ClaimLink))| {
        let verdict = match test.estimate.mean {
            _ if p >= 2.0 * OUR_TAIL => PublishedVerdict::Undecided,
            less if less < -ROUNDING => PublishedVerdict::Reproduced,
            more if more > ROUNDING => opposite,
            // Equal means: the claim is false, and so is its opposite.
            _ => PublishedVerdict::Refuted,
        };
        let needs = test.estimate.additional_secrets(test.estimate.mean.abs().max(f64::MIN_POSITIVE));
        let needs =
            needs.map(|more| more as f64 * test.games as f64 / test.estimate.secrets as f64 + test.games as f64);
        let undecided = verdict == PublishedVerdict::Undecided;
        Finding {
            published: Some(link.says.clone()),
            ours: Some(format!("{:.4}", test.estimate.mean)),
            interval: test.estimate.interval(),
            games: Some(test.games),
            needs: needs.filter(|needs| undecided && *needs <= MAX_GAMES).map(|needs| needs.ceil() as u64),
            note: Some(format!("p {p:.2e}")),
            ..Finding::new(&claim.says, "difference", Some(verdict))
        }
    };
    finding.links = tests.into_iter().zip(corrected.into_iter().zip(&claim.links)).map(link).collect();
    let any = |verdict| finding.links.iter().any(|link| link.verdict == Some(verdict));
    finding.verdict = match () {
        () if any(opposite) => opposite,
        () if any(PublishedVerdict::Refuted) => PublishedVerdict::Refuted,
        () if any(PublishedVerdict::Undecided) => PublishedVerdict::Undecided,
        () => PublishedVerdict::Reproduced,
    };
    if finding.verdict.contradicts() {
        let cause = table.causes.iter().find(|cause| cause.covers(&claim.says, ""));
        finding.cause = cause.map(|cause| FindingCause { why: cause.why.clone(), met_by: None });
    }
    finding
}

/// Test of one comparison of a claim.
struct LinkTest {
    /// Mean of the smaller rows minus the factor times that of the larger.
    estimate: Estimate,
    /// Two-sided p value of a mean of zero.
    p: f64,
    games: u64,
}

impl LinkTest {
    /// Compares two groups of rows: by the differences on the same secrets if there are any, else by the errors of the means.
    fn of(link: &ClaimLink, quantity: MeasuredQuantity, rows: &PlayedRows<'_>) -> Option<Self> {
        let side = |labels: &[String], weight: f64| -> Option<Vec<_>> {
            let term = |label: &String| {
                let (row, statistics) = rows.iter().find(|(row, _)| row.label == *label)?;
                Some((weight / labels.len() as f64, *row, (*statistics)?, (*statistics)?.columns.get(&quantity)?))
            };
            labels.iter().map(term).collect()
        };
        let terms = [side(&link.less, 1.0)?, side(&link.more, -link.factor)?].concat();
        let (_, first_row, first, _) = terms[0];
        let games = terms.iter().map(|(_, _, of_row, _)| of_row.games).min()?;
        let without_secrets =
            terms.iter().all(|(.., column)| matches!(column.estimate.basis, ErrorBasis::Exact | ErrorBasis::Census));
        let same_secrets = terms.iter().all(|(_, row, of_row, _)| {
            let same_games = !first.census || row.games == first_row.games;
            row.rules == first_row.rules && of_row.census == first.census && same_games
        });
        let estimate = if same_secrets && !without_secrets {
            let shared = terms.iter().map(|(_, _, of_row, _)| of_row.codes).min()? as usize;
            let mut differences = vec![0.0; shared];
            for (weight, _, of_row, column) in &terms {
                column.add_secret_means(&mut differences, of_row.codes as usize, *weight);
            }
            let secrets: Vec<u64> = (0..shared as u64).collect();
            Estimate::of(&differences, &secrets, Default::default())?
        } else {
            let mean = terms.iter().map(|(weight, .., column)| weight * column.estimate.mean).sum();
            let variance =
                |(weight, .., column): &(f64, _, _, &ColumnStatistics)| Some((weight * column.estimate.error?).powi(2));
            let variances: Vec<f64> = terms.iter().map(variance).collect::<Option<_>>()?;
            let drawn = terms.iter().map(|(.., column)| column.estimate.freedom).filter(|freedom| *freedom > 0);
            let (error, freedom) = (variances.iter().sum::<f64>().sqrt(), drawn.min().unwrap_or(0));
            let basis = if error > 0.0 { ErrorBasis::Census } else { ErrorBasis::Exact };
            Estimate { mean, error: Some(error), freedom, secrets: first.codes as usize, basis }
        };
        let enough = estimate.basis == ErrorBasis::Exact || estimate.secrets as f64 >= MIN_GAMES;
        // A difference without error is certain.
        let p = if enough { estimate.p().unwrap_or(0.0) } else { 1.0 };
        Some(Self { estimate, p, games })
    }
}

impl PublishedRow {
    /// Returns the number of games behind the published numbers.
    pub(super) fn games_published(&self) -> f64 {
        self.published_games.unwrap_or_else(|| self.games_in_full()) as f64
    }

    /// Returns the number of runs behind the published numbers.
    fn runs_published(&self) -> f64 {
        self.games_published() / self.games.count(&self.rules) as f64
    }
}

#[cfg(test)]
mod tests;
