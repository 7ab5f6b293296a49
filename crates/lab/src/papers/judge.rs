//! Whether a published number and ours are the same but for luck and rounding.

use super::{
    digest::{Column, Digest},
    exhibit::{Order, Published, Row, Treatment},
    finding::{Finding, Verdict},
    measure::{Measure, Quantity, Statistic},
    printed::Printed,
};

/// How many standard errors are still luck.
const THRESHOLD: f64 = 3.0;

/// A number of ours, and what may set it apart from a published one.
#[derive(Debug, Clone, Copy)]
struct Ours {
    value: f64,
    test: Test,
}

#[derive(Debug, Clone, Copy)]
enum Test {
    /// Nothing is left to luck.
    Digits,
    /// The standard error of the difference.
    Error(f64),
    /// The published number must lie in between.
    Interval([f64; 2]),
    /// There is no sound one, for this reason.
    None(&'static str),
}

/// Judges one published number of a row.
pub(super) fn judge(published: &Published, row: &Row, digest: &Digest) -> Finding {
    let printed = &published.printed;
    let Some(ours) = ours(published.measure, printed, row, digest) else {
        return Finding::missing(published, row, format!("{} is not counted", published.measure.quantity.name()));
    };
    let (passes, standard_errors) = passes(&ours, printed);
    let near = |share: f64| (ours.value - printed.value()).abs() <= share * printed.value();
    let verdict = match (&published.treatment, passes, ours.test) {
        (Treatment::Errs(reason), ..) => Verdict::PaperErrs(reason.clone()),
        (Treatment::Information(reason), ..) => Verdict::Information(reason.clone()),
        (_, Some(true), _) => Verdict::Agrees,
        (Treatment::Within(share), ..) if near(*share) => Verdict::Agrees,
        (Treatment::Judged, None, Test::None(reason)) => Verdict::Information(reason.to_owned()),
        _ => Verdict::Disagrees,
    };
    Finding {
        ours: Some(shown(ours.value, printed.decimals())),
        games: Some(digest.games),
        standard_errors,
        verdict,
        ..Finding::missing(published, row, String::new())
    }
}

/// A number of ours with the printed digits, and one more to see how near it is.
fn shown(value: f64, decimals: usize) -> String {
    let decimals = if value.fract() == 0.0 { decimals } else { decimals + 1 };
    format!("{value:.decimals$}")
}

/// Whether ours passes for the printed number, where that can be said; and how far it is off, in standard errors.
fn passes(ours: &Ours, printed: &Printed) -> (Option<bool>, Option<f64>) {
    if printed.is_bound() {
        return (Some(printed.is(ours.value)), None);
    }
    match ours.test {
        Test::Digits => (Some(printed.is(ours.value)), None),
        Test::Error(error) if error <= 0.0 => (Some(printed.is(ours.value)), None),
        Test::Error(error) => {
            let off = (ours.value - printed.value()).abs() - printed.half_unit();
            let errors = off.max(0.0) / error;
            (Some(errors <= THRESHOLD), Some(errors.copysign(ours.value - printed.value())))
        }
        Test::Interval([low, high]) => {
            let (low, high) = (low - printed.half_unit(), high + printed.half_unit());
            (Some((low..=high).contains(&printed.value())), None)
        }
        Test::None(_) => (None, None),
    }
}

/// Our number, and how it is tested against the published one.
fn ours(measure: Measure, printed: &Printed, row: &Row, digest: &Digest) -> Option<Ours> {
    let Measure { quantity, statistic } = measure;
    match quantity {
        Quantity::Codes => Some(Ours { value: digest.codes as f64, test: Test::Digits }),
        Quantity::RunMeans => of_runs(statistic, row, digest),
        _ => {
            let column = digest.columns.get(&quantity)?;
            let exact = row.exact && digest.whole;
            let mut ours = of_column(quantity, statistic, row, column, exact);
            if exact && statistic == Statistic::Sd && !printed.is(ours.value) {
                // Papers do not say which of the two they mean.
                ours.value = column.population_sd();
            }
            if quantity == Quantity::Milliseconds {
                ours.test = Test::None("times are of other machines");
            }
            Some(ours)
        }
    }
}

fn of_column(quantity: Quantity, statistic: Statistic, row: &Row, column: &Column, exact: bool) -> Ours {
    let summary = &column.summary;
    let (games, published_games) = (summary.n as f64, row.games_published());
    let digits_or = |test: Test| if exact { Test::Digits } else { test };
    match statistic {
        Statistic::Mean => {
            // A printed standard deviation tells how the published games were spread, unless every code was played: then
            // it is for the most part the spread between secrets, which is no luck.
            let printed_sd = row.printed(Measure { quantity, statistic: Statistic::Sd }).filter(|_| !row.plays_all());
            let theirs = printed_sd.map_or(column.variance, |sd| sd.powi(2));
            let theirs = if row.exact { 0.0 } else { theirs / published_games };
            let error = (column.variance / games + theirs).sqrt();
            Ours { value: summary.mean, test: digits_or(Test::Error(error)) }
        }
        Statistic::Sd => {
            let error = column.error_of_sd(games).hypot(column.error_of_sd(published_games));
            let few = matches!(quantity, Quantity::Guesses | Quantity::Identified);
            let heavy = Test::None("a few long games decide the spread");
            let test = if few { Test::Error(error) } else { heavy };
            Ours { value: summary.sd.unwrap_or(0.0), test: digits_or(test) }
        }
        Statistic::Median => Ours { value: summary.median, test: digits_or(Test::Interval(column.median)) },
        Statistic::Min => Ours { value: summary.min, test: digits_or(Test::None("one lucky game decides it")) },
        Statistic::Max => Ours { value: summary.max, test: digits_or(Test::None("one unlucky game decides it")) },
    }
}

/// The runs of a strategy are few, but the mean of a run is spread like a normal distribution.
fn of_runs(statistic: Statistic, row: &Row, digest: &Digest) -> Option<Ours> {
    let (runs, column) = (digest.runs?, digest.columns.get(&Quantity::Guesses)?);
    let printed_sd = row.printed(Measure { quantity: Quantity::RunMeans, statistic: Statistic::Sd });
    let theirs = f64::from(row.repeats.get());
    // What a run mean varies by: as printed, and as our games say.
    let of_run = |column: &Column| (column.variance / digest.codes as f64).sqrt();
    let (their_sd, our_sd) = (printed_sd.unwrap_or_else(|| of_run(column)), runs.sd);
    let our_error = (column.variance / digest.games as f64).sqrt();
    let error_of_mean = our_error.hypot(their_sd / theirs.sqrt());
    /// The median of a normal sample varies this much more than its mean.
    const MEDIAN: f64 = 1.2533;
    let few = Test::None("the extremes of a few runs are luck");
    let one = Test::None("one run has no spread");
    Some(match statistic {
        Statistic::Mean => Ours { value: runs.mean, test: Test::Error(error_of_mean) },
        Statistic::Median => {
            let test = if runs.runs > 2 { Test::Error(MEDIAN * error_of_mean) } else { few };
            Ours { value: runs.median, test }
        }
        Statistic::Sd => {
            let error = |sd: f64, runs: f64| sd / (2.0 * (runs - 1.0)).sqrt();
            let test = match our_sd {
                Some(sd) if runs.runs > 2 => Test::Error(error(sd, runs.runs as f64).hypot(error(their_sd, theirs))),
                _ => one,
            };
            Ours { value: our_sd.unwrap_or(0.0), test }
        }
        Statistic::Min => Ours { value: runs.min, test: few },
        Statistic::Max => Ours { value: runs.max, test: few },
    })
}

/// Judges what is said of several rows together: no row has more than the next by more than luck.
pub(super) fn judge_order(order: &Order, rows: &[(&Row, Option<&Digest>)]) -> Finding {
    let found = order.rows.iter().filter_map(|label| rows.iter().find(|(row, _)| row.label == *label));
    let quantity = match order.measure.quantity {
        Quantity::RunMeans => Quantity::Guesses,
        other => other,
    };
    let means: Vec<(f64, f64)> = found
        .filter_map(|(row, digest)| {
            let digest = (*digest)?;
            let column = digest.columns.get(&quantity)?;
            let exact = row.exact && digest.whole;
            let variance = if exact { 0.0 } else { column.variance / column.summary.n as f64 };
            Some((column.summary.mean, variance))
        })
        .collect();
    let wrong = means.windows(2).map(|pair| {
        let ((first, one), (second, other)) = (pair[0], pair[1]);
        let error = (one + other).sqrt();
        if error > 0.0 { (first - second) / error } else { (first - second).signum() * (THRESHOLD + 1.0) }
    });
    let worst = wrong.fold(f64::NEG_INFINITY, f64::max);
    let missing = order.rows.len() - means.len();
    let verdict = match (&order.errs, &order.information) {
        _ if missing > 0 => Verdict::Missing(format!("{missing} of its {} rows are not run", order.rows.len())),
        (Some(reason), _) => Verdict::PaperErrs(reason.clone()),
        (None, Some(reason)) => Verdict::Information(reason.clone()),
        _ if worst <= THRESHOLD => Verdict::Agrees,
        _ => Verdict::Disagrees,
    };
    Finding {
        row: order.says.clone(),
        rules: None,
        strategy: None,
        measure: format!("order of {}", order.measure),
        published: Some(order.rows.join(" < ")),
        ours: (missing == 0).then(|| means.iter().map(|(mean, _)| shown(*mean, 2)).collect::<Vec<_>>().join(", ")),
        games: None,
        standard_errors: worst.is_finite().then_some(worst),
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
