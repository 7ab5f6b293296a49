//! Comparison of published numbers with measured ones.
//!
//! A number is supported if the whole confidence interval of ours is inside the tolerance around it, refuted if the
//! interval is outside, and undecided otherwise.
//!
//! # Tolerance
//!
//! Half a unit of the last printed digit is always allowed, since a printed number stands for all that round to it. Added
//! to it is the largest of
//!
//! - **2 %** of a mean or median of guesses: less than a tenth of a guess at 4x6, the typical effect of different
//!   tie-breaking on the strategies of the literature;
//! - **10 %** of a mean of evaluations or of codes found, and of a standard deviation: these depend on program details that
//!   papers do not print;
//! - **three standard errors of the paper's own sample**. Three, because with about eight hundred numbers, two standard
//!   errors would refute forty by chance.
//!
//! If both sides are deterministic, the digits must agree. A file may allow a relative deviation instead, up to the
//! percentages above, if the paper does not specify what determines the number.
//!
//! # Extremes
//!
//! The maximum of n games grows with n and depends on a single game, so it has no tolerance. Instead, the frequency with
//! which our games exceed the printed maximum gives the probabilities that n games stay at or below it, and that they
//! reach it. A printed extreme is refuted if one of the two is smaller than the tail probability of three standard errors,
//! supported if both are at least 2.5 %, and undecided if our games are too few.

use std::fmt;

use pegwise_labstats::ErrorBasis;
use pegwise_labstats::compare::{normal_cdf, proportion};
use serde::Serialize;

use super::statistics::{ColumnStatistics, RowStatistics};
use super::table::{
    MeasuredQuantity, PrintedNumber, PrintingCorrection, PublishedMeasure, PublishedOrder, PublishedRow,
    PublishedValue, Statistic,
};

/// Verdict on a published number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum PublishedVerdict {
    /// Our number agrees within the tolerance.
    Supported,
    /// Our number differs by more than the tolerance.
    Refuted,
    /// The games played are too few for a decision.
    Undecided {
        /// Number of games needed for a decision, if known.
        needs: Option<u64>,
    },
    /// The strategy or measurement does not exist yet.
    Missing {
        /// Missing part.
        reason: String,
    },
    /// Not judged.
    Information {
        /// Reason.
        reason: String,
    },
}

impl PublishedVerdict {
    /// Returns the name in records.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Refuted => "refuted",
            Self::Undecided { .. } => "undecided",
            Self::Missing { .. } => "missing",
            Self::Information { .. } => "not judged",
        }
    }

    pub(super) fn information(reason: impl Into<String>) -> Self {
        Self::Information { reason: reason.into() }
    }
}

impl fmt::Display for PublishedVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Supported | Self::Refuted | Self::Undecided { needs: None } => Ok(()),
            Self::Undecided { needs: Some(games) } => write!(f, ": needs {games} games"),
            Self::Missing { reason } | Self::Information { reason } => write!(f, ": {reason}"),
        }
    }
}

/// Comparison of a published number with ours.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// Label of the row.
    pub row: String,
    /// Rules, if games are played.
    pub rules: Option<String>,
    /// Strategy, if games are played.
    pub strategy: Option<String>,
    /// Measured quantity and statistic.
    pub measure: String,
    /// Printed number; `None` if a figure has no numbers.
    pub published: Option<String>,
    /// Correction of a printing error, which is compared instead.
    pub correction: Option<PrintingCorrection>,
    /// Our number, with at least the printed digits.
    pub ours: Option<String>,
    /// 95 % confidence interval of our number; `None` if it is exact.
    pub interval: Option<[f64; 2]>,
    /// Largest accepted deviation, if it is a number.
    pub margin: Option<f64>,
    /// Origin of the margin, or another method of comparison.
    #[serde(rename = "window")]
    pub tolerance: Option<String>,
    /// Number of games that we played.
    pub games: Option<u64>,
    /// Known cause of a refutation.
    pub cause: Option<String>,
    /// Verdict.
    #[serde(flatten)]
    pub verdict: PublishedVerdict,
}

impl Finding {
    /// Creates a finding without a number of ours.
    pub(super) fn without_result(published: &PublishedValue, row: &PublishedRow, verdict: PublishedVerdict) -> Self {
        Self {
            rules: Some(row.rules.to_string()),
            strategy: row.strategy.as_ref().ok().cloned(),
            published: Some(published.printed.to_string()),
            correction: published.correction.clone(),
            cause: published.cause.clone(),
            ..Self::new(&row.label, &published.measure.to_string(), verdict)
        }
    }

    /// Creates a finding with only its name and verdict.
    pub(super) fn new(row: &str, measure: &str, verdict: PublishedVerdict) -> Self {
        Self {
            row: row.to_owned(),
            rules: None,
            strategy: None,
            measure: measure.to_owned(),
            published: None,
            correction: None,
            ours: None,
            interval: None,
            margin: None,
            tolerance: None,
            games: None,
            cause: None,
            verdict,
        }
    }
}

/// Comparison of a published order of rows with ours.
#[derive(Debug, Clone, Serialize)]
pub struct OrderFinding {
    /// Statement of the paper.
    pub says: String,
    /// Compared quantity.
    pub measure: String,
    /// Labels of the rows in increasing order.
    pub rows: Vec<String>,
    /// Our means of the rows that were run.
    pub ours: Vec<f64>,
    /// Known cause of a refutation.
    pub cause: Option<String>,
    /// Verdict.
    #[serde(flatten)]
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
    pub note: Option<String>,
    /// Findings on the numbers.
    pub findings: Vec<Finding>,
    /// Findings on the order of rows.
    pub claims: Vec<OrderFinding>,
}

impl TableReport {
    /// Returns all verdicts.
    pub fn verdicts(&self) -> impl Iterator<Item = &PublishedVerdict> {
        let of_findings = self.findings.iter().map(|finding| &finding.verdict);
        of_findings.chain(self.claims.iter().map(|claim| &claim.verdict))
    }

    /// Returns everything refuted, with its known cause: row and measure, or the statement of an order.
    pub fn refuted(&self) -> impl Iterator<Item = (String, Option<&str>)> {
        let refuted = |verdict: &PublishedVerdict| *verdict == PublishedVerdict::Refuted;
        let findings = self.findings.iter().filter(move |finding| refuted(&finding.verdict));
        let findings =
            findings.map(|finding| (format!("{}, {}", finding.row, finding.measure), finding.cause.as_deref()));
        let claims = self.claims.iter().filter(move |claim| refuted(&claim.verdict));
        findings.chain(claims.map(|claim| (claim.says.clone(), claim.cause.as_deref())))
    }
}

/// Number of standard errors of the paper's sample that are accepted.
const STANDARD_ERRORS: f64 = 3.0;

/// Tolerance around a published number.
#[derive(Debug, Clone, PartialEq)]
struct Tolerance {
    /// Largest accepted deviation.
    margin: f64,
    /// Origin of the margin.
    origin: String,
}

/// Returns the accepted relative deviation of a measure.
pub(super) fn relative_tolerance(measure: PublishedMeasure) -> f64 {
    const GUESSES: f64 = 0.02;
    const OTHERS: f64 = 0.1;
    match (measure.quantity, measure.statistic) {
        (_, Statistic::Sd) => OTHERS,
        (
            MeasuredQuantity::Guesses
            | MeasuredQuantity::Identified
            | MeasuredQuantity::RunMeans
            | MeasuredQuantity::Nodes
            | MeasuredQuantity::Codes,
            _,
        ) => GUESSES,
        (MeasuredQuantity::Examined | MeasuredQuantity::Consistent | MeasuredQuantity::Milliseconds, _) => OTHERS,
    }
}

impl Tolerance {
    /// Accepts rounding only.
    fn digits(printed: &PrintedNumber) -> Self {
        Self { margin: printed.half_unit(), origin: "digits".to_owned() }
    }

    /// Returns the tolerance of a random number whose published value has standard error `their_error`.
    fn of(measure: PublishedMeasure, printed: &PrintedNumber, their_error: f64) -> Self {
        let (relative, statistical) = (relative_tolerance(measure) * printed.value(), STANDARD_ERRORS * their_error);
        let (margin, origin) = match statistical > relative {
            true => (statistical, "3 s.e. of the paper".to_owned()),
            false => (relative, percent(relative_tolerance(measure))),
        };
        Self { margin: margin + printed.half_unit(), origin }
    }

    /// Returns the tolerance of a number that is deterministic on both sides.
    fn exact(published: &PublishedValue, printed: &PrintedNumber) -> Self {
        match published.within {
            None => Self::digits(printed),
            Some(within) => Self { margin: within * printed.value() + printed.half_unit(), origin: percent(within) },
        }
    }
}

fn percent(share: f64) -> String {
    format!("{} %", (share * 1e4).round() / 100.0)
}

/// Judges our number, whose confidence interval has half width `half_width`.
fn verdict_of(
    value: f64,
    half_width: f64,
    printed: &PrintedNumber,
    tolerance: &Tolerance,
    games: u64,
) -> PublishedVerdict {
    if printed.is_bound() || (half_width == 0.0 && printed.matches(value)) {
        return if printed.matches(value) { PublishedVerdict::Supported } else { PublishedVerdict::Refuted };
    }
    if !half_width.is_finite() {
        // The spread of a single game is unknown.
        return PublishedVerdict::Undecided { needs: None };
    }
    /// Relative rounding error of a different order of summation.
    const ROUNDING: f64 = 1e-9;
    let (off, margin) = ((value - printed.value()).abs(), tolerance.margin + ROUNDING * printed.value().abs());
    if off + half_width <= margin {
        return PublishedVerdict::Supported;
    }
    if off - half_width > margin {
        return PublishedVerdict::Refuted;
    }
    // The width of the interval falls with the square root of the number of games.
    let needed = games as f64 * (half_width / (margin - off).abs()).powi(2);
    const MAX_GAMES: f64 = 1e9;
    PublishedVerdict::Undecided { needs: (needed <= MAX_GAMES).then(|| needed.ceil() as u64) }
}

/// Minimum or maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extremum {
    Min,
    Max,
}

/// Bounds on the probabilities that a sample of the published size stays within the printed extreme, and reaches it.
#[derive(Debug, Clone, Copy)]
struct ExtremeTest {
    side: Extremum,
    stays: [f64; 2],
    reaches: [f64; 2],
}

/// One-sided tail probability of three standard errors.
const REFUTE_BELOW: f64 = 0.001_35;
const SUPPORT_FROM: f64 = 0.025;

impl ExtremeTest {
    /// Counts our games: `beyond` are the numbers of games past the printed extreme, and past or at it. `theirs` is the number
    /// of published games. A bound need not be reached.
    fn counted(side: Extremum, bound: bool, beyond: [u64; 2], games: u64, theirs: f64) -> Self {
        let [past, at] = beyond.map(|times| proportion(times, games));
        let none = |chance: f64| (1.0 - chance).powf(theirs);
        let reaches = if bound { [1.0; 2] } else { [1.0 - none(at[0]), 1.0 - none(at[1])] };
        Self { side, stays: [none(past[1]), none(past[0])], reaches }
    }

    /// Creates the test for the extreme of `runs` run means, which are normally distributed. Our mean has standard
    /// error `error`, and the mean of one run standard deviation `of_run`.
    fn normal(side: Extremum, printed: &PrintedNumber, mean: f64, error: f64, of_run: f64, runs: f64) -> Self {
        let toward = if side == Extremum::Max { 1.0 } else { -1.0 };
        // Rounding can go either way.
        let chance = |off: f64, rounded: f64| {
            let distance = toward * (printed.value() - mean) + rounded * printed.half_unit() + off * Z_95 * error;
            normal_cdf(distance / of_run).powf(runs)
        };
        let stays = [chance(-1.0, 1.0), chance(1.0, 1.0)];
        let reaches = [1.0 - chance(1.0, -1.0), 1.0 - chance(-1.0, -1.0)];
        Self { side, stays, reaches }
    }

    /// Describes the method.
    fn about(&self) -> String {
        match self.side {
            Extremum::Max => "chance of such a maximum".to_owned(),
            Extremum::Min => "chance of such a minimum".to_owned(),
        }
    }

    fn verdict(&self, games: u64) -> PublishedVerdict {
        let Self { stays, reaches, .. } = self;
        if stays[1] < REFUTE_BELOW || reaches[1] < REFUTE_BELOW {
            return PublishedVerdict::Refuted;
        }
        if stays[0] >= SUPPORT_FROM && reaches[0] >= SUPPORT_FROM {
            return PublishedVerdict::Supported;
        }
        // Four times the games halve the width of the bounds.
        PublishedVerdict::Undecided { needs: Some(games.saturating_mul(4)) }
    }
}

/// Our number with its interval, and the tolerance of the published number.
struct Ours {
    value: f64,
    /// Half width of the 95 % interval; zero if exact.
    half_width: f64,
    tolerance: Tolerance,
}

/// Method of comparison, with our number.
enum Judgment {
    /// By a tolerance.
    Tolerance(Ours),
    /// By the probability of the extreme.
    ExtremeTest(f64, ExtremeTest),
    /// Not judged, with the reason.
    None(f64, &'static str),
}

/// Minimum number of games to judge a mean.
const MIN_GAMES_FOR_MEAN: f64 = 10.0;
/// Minimum number of games to judge a spread or a median.
const MIN_GAMES_FOR_SPREAD: f64 = 30.0;

/// 97.5 % quantile of the normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// Judges one published number of a row.
pub(super) fn judge(published: &PublishedValue, row: &PublishedRow, statistics: &RowStatistics) -> Finding {
    // A corrected number replaces a printing error.
    let printed = published.correction.as_ref().map_or(&published.printed, |correction| &correction.right);
    let Some(judgment) = judgment(published, printed, row, statistics) else {
        let reason = format!("{} is not counted", published.measure.quantity.name());
        return Finding::without_result(published, row, PublishedVerdict::Missing { reason });
    };
    let not_judged = published.information.clone().map(PublishedVerdict::information);
    let (value, interval, margin, tolerance, verdict) = match judgment {
        Judgment::None(value, reason) => (value, None, None, None, PublishedVerdict::information(reason)),
        Judgment::ExtremeTest(value, extreme) => {
            (value, None, None, Some(extreme.about()), extreme.verdict(statistics.games))
        }
        Judgment::Tolerance(Ours { value, half_width, tolerance }) => {
            let interval =
                (half_width > 0.0 && half_width.is_finite()).then_some([value - half_width, value + half_width]);
            let verdict = verdict_of(value, half_width, printed, &tolerance, statistics.games);
            (
                value,
                interval,
                Some(tolerance.margin).filter(|margin| margin.is_finite()),
                Some(tolerance.origin),
                verdict,
            )
        }
    };
    Finding {
        ours: (!value.is_nan()).then(|| format_ours(value, printed.decimals())),
        interval,
        margin,
        tolerance,
        games: Some(statistics.games),
        ..Finding::without_result(published, row, not_judged.unwrap_or(verdict))
    }
}

/// Formats our number with the printed digits and one more.
fn format_ours(value: f64, decimals: usize) -> String {
    let decimals = if value.fract() == 0.0 { decimals } else { decimals + 1 };
    format!("{value:.decimals$}")
}

fn judgment(
    published: &PublishedValue,
    printed: &PrintedNumber,
    row: &PublishedRow,
    statistics: &RowStatistics,
) -> Option<Judgment> {
    let PublishedMeasure { quantity, statistic } = published.measure;
    match quantity {
        MeasuredQuantity::Codes => {
            // If fewer codes were played than printed, their number is unknown.
            let value = statistics.codes as f64;
            let half_width = if value < printed.value() { f64::INFINITY } else { 0.0 };
            let ours = Ours { value, half_width, tolerance: Tolerance::digits(printed) };
            Some(Judgment::Tolerance(ours))
        }
        MeasuredQuantity::RunMeans => judge_run_means(published, printed, row, statistics),
        MeasuredQuantity::Milliseconds => {
            let summary = &statistics.columns.get(&quantity)?.summary;
            let value = if statistic == Statistic::Sd { summary.sd.unwrap_or(f64::NAN) } else { summary.mean };
            Some(Judgment::None(value, "times depend on the machine"))
        }
        _ => Some(judge_column(published, printed, row, statistics.columns.get(&quantity)?)),
    }
}

fn judge_column(
    published: &PublishedValue,
    printed: &PrintedNumber,
    row: &PublishedRow,
    column: &ColumnStatistics,
) -> Judgment {
    let PublishedMeasure { quantity, statistic } = published.measure;
    let summary = &column.summary;
    let (games, theirs) = (summary.n as f64, row.games_published());
    let exact = column.estimate.basis == ErrorBasis::Exact && row.exact;
    // A few games may be equal by chance.
    let judged = |value: f64, half_width: f64, least: f64, tolerance: Tolerance| {
        let half_width = match exact {
            true => 0.0,
            false if games < least => f64::INFINITY,
            false => half_width,
        };
        Judgment::Tolerance(Ours { value, half_width, tolerance })
    };
    // Deterministic numbers must agree in their digits, or within the relative tolerance of the file.
    let tolerance = |their_error: f64| match exact {
        true => Tolerance::exact(published, printed),
        false => Tolerance::of(published.measure, printed, if row.exact { 0.0 } else { their_error }),
    };
    match statistic {
        Statistic::Mean => {
            // A printed standard deviation gives the paper's standard error, except if every code was played: then it is
            // mostly the spread between secrets.
            let own = column.estimate.error.unwrap_or(f64::INFINITY);
            let printed_sd =
                row.printed(PublishedMeasure { quantity, statistic: Statistic::Sd }).filter(|_| !row.plays_all());
            let their_error = printed_sd.map_or(own * (games / theirs).sqrt(), |sd| sd / theirs.sqrt());
            let half_width = column.estimate.interval().map_or(f64::INFINITY, |[low, high]| (high - low) / 2.0);
            judged(column.estimate.mean, half_width, MIN_GAMES_FOR_MEAN, tolerance(their_error))
        }
        Statistic::Sd => {
            let sample = summary.sd.unwrap_or(0.0);
            // Papers do not say whether they divide by n or by n - 1.
            let value = if exact && !printed.matches(sample) { column.population_sd() } else { sample };
            judged(
                value,
                Z_95 * column.sd_standard_error(games),
                MIN_GAMES_FOR_SPREAD,
                tolerance(column.sd_standard_error(theirs)),
            )
        }
        Statistic::Median => {
            let [low, high] = column.median_interval(games, Z_95);
            let [least, most] = column.median_interval(theirs, STANDARD_ERRORS);
            let half_width = (high - summary.median).max(summary.median - low);
            let their_error = (most - summary.median).max(summary.median - least) / STANDARD_ERRORS;
            judged(summary.median, half_width, MIN_GAMES_FOR_SPREAD, tolerance(their_error))
        }
        Statistic::Min | Statistic::Max => {
            let (value, side) = match statistic {
                Statistic::Min => (summary.min, Extremum::Min),
                _ => (summary.max, Extremum::Max),
            };
            if exact {
                return judged(value, 0.0, 0.0, tolerance(0.0));
            }
            let [above, at_least] = column.counts_from(printed.value());
            let beyond = match side {
                Extremum::Max => [above, at_least],
                Extremum::Min => [summary.n as u64 - at_least, summary.n as u64 - above],
            };
            let bound = printed.is_bound();
            Judgment::ExtremeTest(value, ExtremeTest::counted(side, bound, beyond, summary.n as u64, theirs))
        }
    }
}

/// Judges statistics of run means. The runs are few, but their means are approximately normal with a known variance.
fn judge_run_means(
    published: &PublishedValue,
    printed: &PrintedNumber,
    row: &PublishedRow,
    statistics: &RowStatistics,
) -> Option<Judgment> {
    let statistic = published.measure.statistic;
    let (runs, column) = (statistics.runs?, statistics.columns.get(&MeasuredQuantity::Guesses)?);
    let theirs = f64::from(row.repeats.get());
    let own = column.estimate.error?;
    // Standard deviation of the mean of one run.
    let of_run = own * (column.summary.n as f64 / statistics.codes as f64).sqrt();
    let their_sd = row
        .printed(PublishedMeasure { quantity: MeasuredQuantity::RunMeans, statistic: Statistic::Sd })
        .unwrap_or(of_run);
    /// Ratio of the standard errors of the median and the mean of a normal sample.
    const MEDIAN_FACTOR: f64 = 1.2533;
    let few = (column.summary.n as f64) < MIN_GAMES_FOR_SPREAD;
    let judged = |value: f64, error: f64, their_error: f64| {
        let tolerance = Tolerance::of(published.measure, printed, their_error);
        Some(Judgment::Tolerance(Ours { value, half_width: if few { f64::INFINITY } else { Z_95 * error }, tolerance }))
    };
    let extreme = |value: f64, side: Extremum| {
        if few {
            let tolerance = Tolerance::digits(printed);
            return Some(Judgment::Tolerance(Ours { value, half_width: f64::INFINITY, tolerance }));
        }
        Some(Judgment::ExtremeTest(
            value,
            ExtremeTest::normal(side, printed, column.estimate.mean, own, of_run, theirs),
        ))
    };
    match statistic {
        Statistic::Mean => judged(runs.mean, own, their_sd / theirs.sqrt()),
        Statistic::Median => judged(column.estimate.mean, own, MEDIAN_FACTOR * their_sd / theirs.sqrt()),
        Statistic::Sd => {
            let freedom = column.estimate.freedom.max(1) as f64;
            judged(of_run, of_run / (2.0 * freedom).sqrt(), their_sd / (2.0 * (theirs - 1.0)).sqrt())
        }
        Statistic::Min => extreme(runs.min, Extremum::Min),
        Statistic::Max => extreme(runs.max, Extremum::Max),
    }
}

/// Judges an order of rows: no mean exceeds the next by more than the relative tolerance.
pub(super) fn judge_order(order: &PublishedOrder, rows: &[(&PublishedRow, Option<&RowStatistics>)]) -> OrderFinding {
    let quantity = match order.measure.quantity {
        MeasuredQuantity::RunMeans => MeasuredQuantity::Guesses,
        other => other,
    };
    let mean = |label: &String| {
        let (_, statistics) = rows.iter().find(|(row, _)| row.label == *label)?;
        let column = (*statistics)?.columns.get(&quantity)?;
        let enough = column.estimate.basis == ErrorBasis::Exact || column.summary.n as f64 >= MIN_GAMES_FOR_MEAN;
        Some((column.estimate.mean, column.estimate.error.filter(|_| enough).unwrap_or(f64::INFINITY)))
    };
    let means: Vec<(f64, f64)> = order.rows.iter().filter_map(mean).collect();
    let missing = order.rows.len() - means.len();
    let verdicts = means.windows(2).map(|pair| {
        let [(first, one), (second, other)] = [pair[0], pair[1]];
        let (difference, half_width) = (first - second, Z_95 * one.hypot(other));
        let margin = relative_tolerance(order.measure) * second.abs();
        match () {
            () if difference + half_width <= margin => PublishedVerdict::Supported,
            () if difference - half_width > 0.0 => PublishedVerdict::Refuted,
            () => PublishedVerdict::Undecided { needs: None },
        }
    });
    let worst = verdicts.max_by_key(|verdict| match verdict {
        PublishedVerdict::Supported => 0,
        PublishedVerdict::Undecided { .. } => 1,
        _ => 2,
    });
    let verdict = match &order.information {
        _ if missing > 0 => {
            PublishedVerdict::Missing { reason: format!("{missing} of its {} rows are not run", order.rows.len()) }
        }
        Some(reason) => PublishedVerdict::information(reason.clone()),
        None => worst.unwrap_or(PublishedVerdict::Supported),
    };
    OrderFinding {
        says: order.says.clone(),
        measure: order.measure.to_string(),
        rows: order.rows.clone(),
        ours: means.iter().map(|(mean, _)| *mean).collect(),
        cause: order.cause.clone(),
        verdict,
    }
}

impl PublishedRow {
    /// Returns the number of games behind the published numbers.
    fn games_published(&self) -> f64 {
        self.published_games.unwrap_or_else(|| self.games_in_full()) as f64
    }

    fn printed(&self, measure: PublishedMeasure) -> Option<f64> {
        self.published.iter().find(|published| published.measure == measure).map(|published| published.printed.value())
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, num::NonZeroU32};

    use Statistic::{Max, Mean, Median, Min, Sd};
    use pegwise_labstats::{RunMeans, Scope};

    use super::*;
    use crate::papers::PublishedSecrets;

    /// Returns a row at 4x6 with one published quantity.
    fn row(
        games: PublishedSecrets,
        repeats: u32,
        exact: bool,
        quantity: MeasuredQuantity,
        published: &[(Statistic, &str)],
    ) -> PublishedRow {
        let published = published.iter().map(|(statistic, text)| PublishedValue {
            measure: PublishedMeasure { quantity, statistic: *statistic },
            printed: text.parse().unwrap(),
            within: None,
            correction: None,
            information: None,
            cause: None,
        });
        PublishedRow {
            label: "row".to_owned(),
            rules: "4x6".parse().unwrap(),
            strategy: Ok("knuth".to_owned()),
            games,
            repeats: NonZeroU32::new(repeats).unwrap(),
            exact,
            quick: None,
            published_games: None,
            published: published.collect(),
            tried: None,
        }
    }

    const DRAWN: Scope = Scope { census: false, random: true };
    const EVERY: Scope = Scope { census: true, random: false };

    /// Returns the statistics of games: all secrets, then all secrets again.
    fn statistics(values: &[f64], secrets: usize, scope: Scope) -> RowStatistics {
        let column = ColumnStatistics::of(values, secrets, scope).unwrap();
        let quantities = [MeasuredQuantity::Guesses, MeasuredQuantity::Examined, MeasuredQuantity::Milliseconds];
        let columns = quantities.map(|quantity| (quantity, column.clone()));
        let runs: Vec<&[f64]> = values.chunks(secrets).collect();
        let (games, codes) = (values.len() as u64, secrets as u64);
        RowStatistics { games, codes, columns: BTreeMap::from(columns), runs: RunMeans::of(&runs) }
    }

    fn verdicts(row: &PublishedRow, statistics: &RowStatistics) -> Vec<&'static str> {
        row.published.iter().map(|published| judge(published, row, statistics).verdict.name()).collect()
    }

    /// Returns guesses 4, 5, 4, 5, …: mean 4.5, standard deviation 0.5.
    fn alternating(games: usize) -> Vec<f64> {
        (0..games).map(|game| 4.0 + (game % 2) as f64).collect()
    }

    #[test]
    fn deterministic_digits_must_agree() {
        let statistics = statistics(&alternating(1296), 1296, EVERY);
        let judged = |statistic, text: &str, within| {
            let mut row = row(PublishedSecrets::All, 1, true, MeasuredQuantity::Guesses, &[(statistic, text)]);
            row.published[0].within = within;
            verdicts(&row, &statistics)[0]
        };
        for (statistic, text, verdict) in [
            (Mean, "4.5", "supported"),
            (Mean, "4.500", "supported"),
            (Mean, "4.501", "refuted"),
            (Mean, "4.49999999", "refuted"),
            (Max, "5", "supported"),
            (Max, "6", "refuted"),
            (Min, "4", "supported"),
            (Median, "4.5", "supported"),
            (Median, "3", "refuted"),
            // The standard deviation is 0.5 with divisor n and 0.50019 with divisor n - 1; papers use either.
            (Sd, "0.5000", "supported"),
            (Sd, "0.5002", "supported"),
            (Sd, "0.5001", "refuted"),
        ] {
            assert_eq!(judged(statistic, text, None), verdict, "{statistic:?} {text}");
        }
        assert_eq!(judged(Mean, "4.58", Some(0.02)), "supported");
        assert_eq!(judged(Mean, "4.62", Some(0.02)), "refuted");
    }

    #[test]
    fn our_interval_must_be_inside_the_tolerance() {
        // 10,000 games of ours: 4.5 ± 0.0098. The tolerance of 2 % exceeds the standard error of a million games.
        let many = statistics(&alternating(10_000), 10_000, DRAWN);
        let judged = |mean: &str, statistics: &RowStatistics| {
            let published = [(Mean, mean), (Sd, "0.50")];
            let row = row(PublishedSecrets::Drawn(1_000_000), 1, false, MeasuredQuantity::Guesses, &published);
            judge(&row.published[0], &row, statistics)
        };
        let near = judged("4.57", &many);
        assert_eq!(near.verdict, PublishedVerdict::Supported);
        assert_eq!(near.tolerance.as_deref(), Some("2 %"));
        assert!((near.margin.unwrap() - (0.02 * 4.57 + 0.005)).abs() < 1e-12);
        let [low, high] = near.interval.unwrap();
        assert!((low - 4.4902).abs() < 1e-4 && (high - 4.5098).abs() < 1e-4);
        assert_eq!(judged("4.70", &many).verdict, PublishedVerdict::Refuted);
        // At the edge of the tolerance the verdict is undecided, with the number of games needed.
        let PublishedVerdict::Undecided { needs: Some(needs) } = judged("4.59", &many).verdict else {
            panic!("undecided")
        };
        assert!(needs > 10_000, "{needs}");
        // Few games are undecided everywhere: 20 of them give 4.5 ± 0.22.
        let few = statistics(&alternating(20), 20, DRAWN);
        assert!(matches!(judged("4.50", &few).verdict, PublishedVerdict::Undecided { needs: Some(100..200) }));
        assert_eq!(judged("6.50", &few).verdict, PublishedVerdict::Refuted);
    }

    #[test]
    fn the_standard_error_of_the_paper_is_accepted() {
        let statistics = statistics(&alternating(10_000), 10_000, DRAWN);
        let judged = |mean: &str, games: u64| {
            let row =
                row(PublishedSecrets::Drawn(games), 1, false, MeasuredQuantity::Guesses, &[(Mean, mean), (Sd, "0.60")]);
            judge(&row.published[0], &row, &statistics)
        };
        // A hundred games with sd 0.6 have a standard error of 0.06; three of them are 0.18.
        let finding = judged("4.66", 100);
        assert_eq!(
            (finding.verdict, finding.tolerance.as_deref()),
            (PublishedVerdict::Supported, Some("3 s.e. of the paper"))
        );
        assert_eq!(judged("4.66", 100_000).verdict, PublishedVerdict::Refuted);
        assert_eq!(judged("4.75", 100).verdict, PublishedVerdict::Refuted);
    }

    #[test]
    fn evaluations_have_a_larger_tolerance_than_guesses() {
        let statistics = statistics(&alternating(10_000), 10_000, DRAWN);
        let judged = |quantity, mean: &str| {
            verdicts(&row(PublishedSecrets::Drawn(1_000_000), 1, false, quantity, &[(Mean, mean)]), &statistics)[0]
        };
        assert_eq!(judged(MeasuredQuantity::Guesses, "4.80"), "refuted");
        assert_eq!(judged(MeasuredQuantity::Examined, "4.80"), "supported");
        assert_eq!(judged(MeasuredQuantity::Examined, "5.20"), "refuted");
    }

    #[test]
    fn spreads_and_medians_have_tolerances() {
        let statistics = statistics(&alternating(1000), 1000, DRAWN);
        let published = [(Sd, "0.50"), (Sd, "0.70"), (Median, "4"), (Median, "7")];
        let row = row(PublishedSecrets::Drawn(1000), 1, false, MeasuredQuantity::Guesses, &published);
        let judged = verdicts(&row, &statistics);
        assert_eq!((judged[0], judged[1], judged[3]), ("supported", "refuted", "refuted"));
    }

    #[test]
    fn a_few_games_are_undecided_even_if_equal() {
        let means = [(Mean, "4.0"), (Mean, "9.0"), (Median, "9")];
        let row = |published: &[_]| row(PublishedSecrets::Drawn(1000), 1, false, MeasuredQuantity::Guesses, published);
        // A printed spread would determine the standard error of the printed mean.
        let (means, spread) = (row(&means), row(&[(Sd, "9.0")]));
        for games in [1, 3, 9] {
            let few = statistics(&vec![4.0; games], games, DRAWN);
            assert_eq!(verdicts(&means, &few), ["undecided"; 3]);
            assert_eq!(verdicts(&spread, &few), ["undecided"]);
        }
        let enough = statistics(&alternating(20), 20, DRAWN);
        assert_eq!(verdicts(&means, &enough), ["refuted", "refuted", "undecided"]);
        assert_eq!(verdicts(&spread, &enough), ["undecided"]);
    }

    #[test]
    fn only_times_are_not_judged() {
        let statistics = statistics(&alternating(1000), 1000, DRAWN);
        let judged = |quantity, statistic| {
            verdicts(&row(PublishedSecrets::Drawn(1000), 1, false, quantity, &[(statistic, "9")]), &statistics)[0]
        };
        for statistic in Statistic::ALL {
            assert_eq!(judged(MeasuredQuantity::Milliseconds, statistic), "not judged");
            assert_ne!(judged(MeasuredQuantity::Guesses, statistic), "not judged");
            assert_ne!(judged(MeasuredQuantity::Examined, statistic), "not judged");
        }
    }

    #[test]
    fn bounds_are_judged() {
        let statistics = statistics(&alternating(1000), 1000, DRAWN);
        let published = [(Max, "<=5"), (Max, "<=4")];
        let row = row(PublishedSecrets::Drawn(1000), 1, false, MeasuredQuantity::Examined, &published);
        assert_eq!(verdicts(&row, &statistics)[1], "refuted");
        assert_ne!(verdicts(&row, &statistics)[0], "refuted");
    }

    #[test]
    fn run_means_are_judged() {
        // Two secrets, twenty runs: run means alternate between 4.5 and 5.0, so the mean is 4.75.
        let values: Vec<f64> = (0..20).flat_map(|run| [4.0, 5.0 + f64::from(run % 2)]).collect();
        let statistics = statistics(&values, 2, Scope { census: true, random: true });
        let published = [(Mean, "4.80"), (Sd, "0.25"), (Median, "4.75"), (Min, "4.40"), (Max, "5.10")];
        let row = row(PublishedSecrets::All, 10, false, MeasuredQuantity::RunMeans, &published);
        assert!(
            verdicts(&row, &statistics).iter().all(|verdict| *verdict != "refuted"),
            "{:?}",
            verdicts(&row, &statistics)
        );
        let far =
            self::row(PublishedSecrets::All, 10, false, MeasuredQuantity::RunMeans, &[(Mean, "5.40"), (Sd, "0.25")]);
        assert_eq!(verdicts(&far, &statistics)[0], "refuted");
    }

    #[test]
    fn corrections_replace_printing_errors() {
        let statistics = statistics(&alternating(10_000), 10_000, DRAWN);
        let judged = |right: &str| {
            let mut row = row(PublishedSecrets::Drawn(10_000), 1, false, MeasuredQuantity::Guesses, &[(Mean, "9.0")]);
            row.published[0].correction =
                Some(PrintingCorrection { right: right.parse().unwrap(), reason: "why".to_owned() });
            let finding = judge(&row.published[0], &row, &statistics);
            assert_eq!(finding.published.as_deref(), Some("9.0"));
            finding.verdict
        };
        assert_eq!(judged("4.50"), PublishedVerdict::Supported);
        assert_eq!(judged("5.50"), PublishedVerdict::Refuted);
    }

    #[test]
    fn quantities_that_are_not_counted_are_missing() {
        let statistics = statistics(&alternating(1000), 1000, DRAWN);
        let row = row(PublishedSecrets::Drawn(1000), 1, false, MeasuredQuantity::Consistent, &[(Mean, "9.0")]);
        assert_eq!(verdicts(&row, &statistics), ["missing"]);
    }

    #[test]
    fn orders_hold_up_to_the_tolerance() {
        let low = statistics(&alternating(10_000), 10_000, DRAWN);
        let same = statistics(&alternating(9_000), 9_000, DRAWN);
        let high = statistics(&alternating(10_000).iter().map(|value| value + 1.0).collect::<Vec<_>>(), 10_000, DRAWN);
        let few = statistics(&alternating(10), 10, DRAWN);
        let named = |label: &str| PublishedRow {
            label: label.to_owned(),
            ..row(PublishedSecrets::Drawn(100), 1, false, MeasuredQuantity::Guesses, &[])
        };
        let rows = [named("low"), named("same"), named("high"), named("few")];
        let statistics = [&low, &same, &high, &few];
        let rows: Vec<(&PublishedRow, Option<&RowStatistics>)> = rows.iter().zip(statistics.map(Some)).collect();
        let claim = |labels: &[&str]| {
            let order = PublishedOrder {
                says: "so".to_owned(),
                measure: PublishedMeasure { quantity: MeasuredQuantity::Guesses, statistic: Mean },
                rows: labels.iter().map(ToString::to_string).collect(),
                information: None,
                cause: None,
            };
            judge_order(&order, &rows).verdict.name()
        };
        assert_eq!(claim(&["low", "same", "high"]), "supported");
        assert_eq!(claim(&["same", "low", "high"]), "supported");
        assert_eq!(claim(&["high", "low"]), "refuted");
        assert_eq!(claim(&["low", "few"]), "undecided");
        assert_eq!(claim(&["low", "none"]), "missing");
    }

    fn extreme_verdict(beyond: [u64; 2], games: u64, theirs: f64) -> PublishedVerdict {
        ExtremeTest::counted(Extremum::Max, false, beyond, games, theirs).verdict(games)
    }

    #[test]
    fn a_maximum_is_judged_by_how_often_it_is_passed() {
        // One percent of our games exceed it: a hundred games stay below it with probability one third.
        assert_eq!(extreme_verdict([100, 500], 10_000, 100.0), PublishedVerdict::Supported);
        // Ten percent exceed it: a thousand games never stay below it.
        assert_eq!(extreme_verdict([1000, 2000], 10_000, 1000.0), PublishedVerdict::Refuted);
        // None of our hundred thousand games reaches it, so ten games would not.
        assert_eq!(extreme_verdict([0, 0], 100_000, 10.0), PublishedVerdict::Refuted);
        // None of our hundred games reaches it, but a thousand games could.
        assert!(matches!(extreme_verdict([0, 0], 100, 1000.0), PublishedVerdict::Undecided { .. }));
    }

    #[test]
    fn the_extremes_of_runs_are_those_of_normal_numbers() {
        let judged = |printed: &str, side| {
            let printed: PrintedNumber = printed.parse().unwrap();
            ExtremeTest::normal(side, &printed, 4.41, 0.002, 0.013, 10.0).verdict(1000)
        };
        // The maximum of ten is about 1.5 standard deviations above the mean.
        assert_eq!(judged("4.430", Extremum::Max), PublishedVerdict::Supported);
        assert_eq!(judged("4.390", Extremum::Min), PublishedVerdict::Supported);
        assert_eq!(judged("4.510", Extremum::Max), PublishedVerdict::Refuted);
        assert_eq!(judged("4.430", Extremum::Min), PublishedVerdict::Refuted);
    }
}
