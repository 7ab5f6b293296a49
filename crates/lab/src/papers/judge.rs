//! Whether a published number is ours: within a margin, beyond it, or not to be told by the games played.
//!
//! A number is supported where the whole interval of ours lies inside the margin around it, refuted where the interval lies
//! outside, and undecided otherwise. The [window](super::window) says where margins come from.

use pegwise_labstats::Basis;

use super::{
    digest::{Column, Digest},
    exhibit::{Order, Published, Row},
    extreme::{Extreme, Side},
    finding::{Claim, Finding, Verdict},
    measure::{Measure, Quantity, Statistic},
    printed::Printed,
    window::{self, Window},
};

/// A number of ours, its interval, and the window of the published one.
struct Ours {
    value: f64,
    /// Half the 95 % interval; zero where nothing is left to luck.
    half: f64,
    window: Window,
}

/// How a number is judged.
enum Judgment {
    /// By a window.
    Window(Ours),
    /// By the chance of such an extreme.
    Extreme(f64, Extreme),
    /// Not at all, for this reason.
    None(f64, &'static str),
}

/// The fewest games whose mean is judged, and the fewest whose spread or median is.
const FEW: f64 = 10.0;
const MANY: f64 = 30.0;

/// The quantile of the normal distribution behind a 95 % interval.
pub(super) const NORMAL: f64 = 1.959_963_984_540_054;

/// Judges one published number of a row.
pub(super) fn judge(published: &Published, row: &Row, digest: &Digest) -> Finding {
    // Where the paper errs, what is held to be right is judged.
    let printed = published.correction.as_ref().map_or(&published.printed, |correction| &correction.right);
    let Some(judgment) = judgment(published, printed, row, digest) else {
        let reason = format!("{} is not counted", published.measure.quantity.name());
        return Finding::beside(published, row, Verdict::Missing { reason });
    };
    let not_judged = published.information.clone().map(Verdict::information);
    let (value, interval, margin, window, verdict) = match judgment {
        Judgment::None(value, reason) => (value, None, None, None, Verdict::information(reason)),
        Judgment::Extreme(value, extreme) => (value, None, None, Some(extreme.about()), extreme.verdict(digest.games)),
        Judgment::Window(Ours { value, half, window }) => {
            let interval = (half > 0.0 && half.is_finite()).then_some([value - half, value + half]);
            let verdict = window::verdict(value, half, printed, &window, digest.games);
            (value, interval, Some(window.margin).filter(|margin| margin.is_finite()), Some(window.about), verdict)
        }
    };
    Finding {
        ours: (!value.is_nan()).then(|| shown(value, printed.decimals())),
        interval,
        margin,
        window,
        games: Some(digest.games),
        ..Finding::beside(published, row, not_judged.unwrap_or(verdict))
    }
}

/// A number of ours with the printed digits, and one more to see how near it is.
fn shown(value: f64, decimals: usize) -> String {
    let decimals = if value.fract() == 0.0 { decimals } else { decimals + 1 };
    format!("{value:.decimals$}")
}

fn judgment(published: &Published, printed: &Printed, row: &Row, digest: &Digest) -> Option<Judgment> {
    let Measure { quantity, statistic } = published.measure;
    match quantity {
        Quantity::Codes => {
            // Where fewer were played than there are said to be, the others are not known.
            let value = digest.codes as f64;
            let half = if value < printed.value() { f64::INFINITY } else { 0.0 };
            let ours = Ours { value, half, window: Window::digits(printed) };
            Some(Judgment::Window(ours))
        }
        Quantity::RunMeans => of_runs(published, printed, row, digest),
        Quantity::Milliseconds => {
            let summary = &digest.columns.get(&quantity)?.summary;
            let value = if statistic == Statistic::Sd { summary.sd.unwrap_or(f64::NAN) } else { summary.mean };
            Some(Judgment::None(value, "times are of other machines"))
        }
        _ => Some(of_column(published, printed, row, digest.columns.get(&quantity)?)),
    }
}

fn of_column(published: &Published, printed: &Printed, row: &Row, column: &Column) -> Judgment {
    let Measure { quantity, statistic } = published.measure;
    let summary = &column.summary;
    let (games, theirs) = (summary.n as f64, row.games_published());
    let exact = column.estimate.basis == Basis::Exact && row.exact;
    // Fewer games may happen to be all alike, and tell nothing of how they are spread.
    let judged = |value: f64, half: f64, least: f64, window: Window| {
        let half = match exact {
            true => 0.0,
            false if games < least => f64::INFINITY,
            false => half,
        };
        Judgment::Window(Ours { value, half, window })
    };
    // Where nothing is left to luck on either side, digits must agree, or what is granted instead of them.
    let window = |their_error: f64| match exact {
        true => Window::exact(published, printed),
        false => Window::of(published.measure, printed, if row.exact { 0.0 } else { their_error }),
    };
    match statistic {
        Statistic::Mean => {
            // A printed standard deviation tells how the published games were spread, unless every code was played: then
            // it is for the most part the spread between secrets, which is no luck.
            let own = column.estimate.error.unwrap_or(f64::INFINITY);
            let printed_sd = row.printed(Measure { quantity, statistic: Statistic::Sd }).filter(|_| !row.plays_all());
            let their_error = printed_sd.map_or(own * (games / theirs).sqrt(), |sd| sd / theirs.sqrt());
            let half = column.estimate.interval().map_or(f64::INFINITY, |[low, high]| (high - low) / 2.0);
            judged(column.estimate.mean, half, FEW, window(their_error))
        }
        Statistic::Sd => {
            let sample = summary.sd.unwrap_or(0.0);
            // Papers do not say which of the two they mean.
            let value = if exact && !printed.is(sample) { column.population_sd() } else { sample };
            judged(value, NORMAL * column.error_of_sd(games), MANY, window(column.error_of_sd(theirs)))
        }
        Statistic::Median => {
            let [low, high] = column.median_of(games, NORMAL);
            let [least, most] = column.median_of(theirs, window::ERRORS);
            let half = (high - summary.median).max(summary.median - low);
            let their_error = (most - summary.median).max(summary.median - least) / window::ERRORS;
            judged(summary.median, half, MANY, window(their_error))
        }
        Statistic::Min | Statistic::Max => {
            let (value, side) = match statistic {
                Statistic::Min => (summary.min, Side::Least),
                _ => (summary.max, Side::Most),
            };
            if exact {
                return judged(value, 0.0, 0.0, window(0.0));
            }
            let [above, at_least] = column.above(printed.value());
            let beyond = match side {
                Side::Most => [above, at_least],
                Side::Least => [summary.n as u64 - at_least, summary.n as u64 - above],
            };
            let bound = printed.is_bound();
            Judgment::Extreme(value, Extreme::counted(side, bound, beyond, summary.n as u64, theirs))
        }
    }
}

/// The runs of a strategy are few, but the mean of a run is spread like a normal distribution, and our games tell how much.
fn of_runs(published: &Published, printed: &Printed, row: &Row, digest: &Digest) -> Option<Judgment> {
    let statistic = published.measure.statistic;
    let (runs, column) = (digest.runs?, digest.columns.get(&Quantity::Guesses)?);
    let theirs = f64::from(row.repeats.get());
    let own = column.estimate.error?;
    // What the mean of a single run varies by.
    let of_run = own * (column.summary.n as f64 / digest.codes as f64).sqrt();
    let their_sd = row.printed(Measure { quantity: Quantity::RunMeans, statistic: Statistic::Sd }).unwrap_or(of_run);
    /// The median of a normal sample varies this much more than its mean.
    const MEDIAN: f64 = 1.2533;
    let few = (column.summary.n as f64) < MANY;
    let judged = |value: f64, error: f64, their_error: f64| {
        let window = Window::of(published.measure, printed, their_error);
        Some(Judgment::Window(Ours { value, half: if few { f64::INFINITY } else { NORMAL * error }, window }))
    };
    let extreme = |value: f64, side: Side| {
        if few {
            let window = Window::digits(printed);
            return Some(Judgment::Window(Ours { value, half: f64::INFINITY, window }));
        }
        Some(Judgment::Extreme(value, Extreme::normal(side, printed, column.estimate.mean, own, of_run, theirs)))
    };
    match statistic {
        Statistic::Mean => judged(runs.mean, own, their_sd / theirs.sqrt()),
        Statistic::Median => judged(column.estimate.mean, own, MEDIAN * their_sd / theirs.sqrt()),
        Statistic::Sd => {
            let freedom = column.estimate.freedom.max(1) as f64;
            judged(of_run, of_run / (2.0 * freedom).sqrt(), their_sd / (2.0 * (theirs - 1.0)).sqrt())
        }
        Statistic::Min => extreme(runs.min, Side::Least),
        Statistic::Max => extreme(runs.max, Side::Most),
    }
}

/// Judges what is said of several rows together: no row has more than the next, by more than the margin of a mean.
pub(super) fn judge_order(order: &Order, rows: &[(&Row, Option<&Digest>)]) -> Claim {
    let quantity = match order.measure.quantity {
        Quantity::RunMeans => Quantity::Guesses,
        other => other,
    };
    let mean = |label: &String| {
        let (_, digest) = rows.iter().find(|(row, _)| row.label == *label)?;
        let column = (*digest)?.columns.get(&quantity)?;
        let told = column.estimate.basis == Basis::Exact || column.summary.n as f64 >= FEW;
        Some((column.estimate.mean, column.estimate.error.filter(|_| told).unwrap_or(f64::INFINITY)))
    };
    let means: Vec<(f64, f64)> = order.rows.iter().filter_map(mean).collect();
    let missing = order.rows.len() - means.len();
    let verdicts = means.windows(2).map(|pair| {
        let [(first, one), (second, other)] = [pair[0], pair[1]];
        let (difference, half) = (first - second, NORMAL * one.hypot(other));
        let margin = window::share(order.measure) * second.abs();
        match () {
            () if difference + half <= margin => Verdict::Supported,
            () if difference - half > 0.0 => Verdict::Refuted,
            () => Verdict::Undecided { needs: None },
        }
    });
    let worst = verdicts.max_by_key(|verdict| match verdict {
        Verdict::Supported => 0,
        Verdict::Undecided { .. } => 1,
        _ => 2,
    });
    let verdict = match &order.information {
        _ if missing > 0 => {
            Verdict::Missing { reason: format!("{missing} of its {} rows are not run", order.rows.len()) }
        }
        Some(reason) => Verdict::information(reason.clone()),
        None => worst.unwrap_or(Verdict::Supported),
    };
    Claim {
        says: order.says.clone(),
        measure: order.measure.to_string(),
        rows: order.rows.clone(),
        ours: means.iter().map(|(mean, _)| *mean).collect(),
        cause: order.cause.clone(),
        verdict,
    }
}

impl Row {
    /// How many games the published numbers rest on.
    fn games_published(&self) -> f64 {
        self.published_games.unwrap_or_else(|| self.games_in_full()) as f64
    }

    fn printed(&self, measure: Measure) -> Option<f64> {
        self.published.iter().find(|published| published.measure == measure).map(|published| published.printed.value())
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
