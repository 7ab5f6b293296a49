//! The plots of a report.

use super::block::{Figure, Kind};
use super::sweeps::{Written, sweeps};
use super::{Row, Sample};
use crate::Summary;
use crate::plot::{
    Axis, BoxPlot, Curve, CurvePoint, Histogram, Lines, Scale, Scatter, ScatterPoint, Series, Spread, Unit,
};

/// More strategies than this cannot be told apart in one plot.
const MOST_SHOWN: usize = 12;
/// A parameter that grows by more than this is shown on a log scale.
const WIDE_RANGE: f64 = 30.0;
/// Costs that grow by more than this are: below, such a scale has hardly a mark.
const WIDE_COSTS: f64 = 10.0;

/// The plots of the strategies under one set of rules, best first.
pub(super) fn of_rules(rules: &str, here: &[(&Sample, &Row)]) -> Vec<Figure> {
    let shown = &here[..here.len().min(MOST_SHOWN)];
    let which = if here.len() > MOST_SHOWN { format!(", the {MOST_SHOWN} best") } else { String::new() };
    let series = |values: fn(&Sample) -> Vec<f64>| -> Vec<Series> {
        shown.iter().map(|(sample, row)| Series::new(row.strategy.as_str(), values(sample))).collect()
    };
    let mut figures = Vec::new();

    let title = format!("Guesses, {rules}{which}");
    let axis = Axis::new("guesses");
    let histogram = Histogram { title: title.clone(), axis: axis.clone(), series: series(Sample::guesses) };
    figures.push(Figure::new(Kind::Histogram, Some(rules), &[], &title, histogram.svg()));
    let boxes = BoxPlot { title: title.clone(), axis, series: series(Sample::guesses) };
    figures.push(Figure::new(Kind::Box, Some(rules), &[], &title, boxes.svg()));

    if here.iter().any(|(_, row)| row.examined.max > 0.0) {
        let title = format!("Guesses against codes examined, {rules}{which}");
        let point =
            |(_, row): &(&Sample, &Row)| ScatterPoint { name: row.strategy.clone(), x: row.examined, y: row.guesses };
        let points = shown.iter().map(point).collect();
        let means = shown.iter().map(|(_, row)| row.examined.mean);
        let x = examined_axis(means.clone(), means);
        let scatter = Scatter { title: title.clone(), x, y: Axis::new("mean guesses"), points };
        figures.push(Figure::new(Kind::Evaluations, Some(rules), &[], &title, scatter.svg()));
        let title = format!("Codes examined, {rules}{which}");
        let rows = shown.iter().map(|(_, row)| row);
        let axis = examined_axis(rows.clone().map(|row| row.examined.min), rows.map(|row| row.examined.max));
        let boxes = BoxPlot { title: title.clone(), axis, series: series(Sample::examined) };
        figures.push(Figure::new(Kind::Examined, Some(rules), &[], &title, boxes.svg()));
    }
    figures.extend(sweep_figures(rules, here));
    figures
}

/// The axis for codes examined between the lowest of some values and the highest of others.
fn examined_axis(low: impl Iterator<Item = f64>, high: impl Iterator<Item = f64>) -> Axis {
    let (low, high) = (low.fold(f64::INFINITY, f64::min), high.fold(0.0, f64::max));
    if high > WIDE_COSTS * low {
        Axis { scale: Scale::Log, ..Axis::new("codes examined a game (log scale)") }
    } else {
        Axis::new("codes examined a game")
    }
}

/// What each parameter does that was varied.
fn sweep_figures(rules: &str, here: &[(&Sample, &Row)]) -> Vec<Figure> {
    let strategies: Vec<Written<'_>> =
        here.iter().map(|(sample, row)| (row.strategy.as_str(), &sample.defaults[..])).collect();
    let figure = |sweep: super::sweeps::Sweep| {
        let values = || sweep.curves.values().flatten().map(|(value, _)| *value);
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        let log = low > 0.0 && high / low > WIDE_RANGE;
        let label = if log { format!("{} (log scale)", sweep.parameter) } else { sweep.parameter.clone() };
        let points = |values: &[(f64, usize)]| {
            values.iter().map(|&(x, place)| CurvePoint { x, y: here[place].1.guesses }).collect::<Vec<_>>()
        };
        let curves = sweep.curves.iter().take(MOST_SHOWN);
        let curves = curves.map(|(setting, values)| Curve { name: setting.clone(), points: points(values) }).collect();
        let title = format!("What {} does in {}, {rules}", sweep.parameter, sweep.strategy);
        let plot = Lines {
            title: title.clone(),
            x: Axis { scale: if log { Scale::Log } else { Scale::Linear }, ..Axis::new(label) },
            y: Axis::new("guesses, mean and 95 % interval"),
            curves,
            spread: Spread::Band,
        };
        Figure::new(Kind::Sweep, Some(rules), &[&sweep.strategy, &sweep.parameter], &title, plot.svg())
    };
    sweeps(&strategies).into_iter().map(figure).collect()
}

/// How strategies scale with the board, if some were run on more than one.
pub(super) fn scaling(samples: &[&Sample], rows: &[Row]) -> Vec<Figure> {
    let all: Vec<(f64, &Row)> =
        samples.iter().zip(rows).filter_map(|(sample, row)| Some((sample.codes?, row))).collect();
    let mut strategies: Vec<&str> = Vec::new();
    for (_, row) in &all {
        let boards = all.iter().filter(|(_, other)| other.strategy == row.strategy).count();
        if boards > 1 && !strategies.contains(&row.strategy.as_str()) {
            strategies.push(&row.strategy);
        }
    }
    if strategies.is_empty() {
        return Vec::new();
    }
    strategies.truncate(MOST_SHOWN);
    let mut names: Vec<(f64, String)> = all.iter().map(|(codes, row)| (*codes, row.rules.clone())).collect();
    names.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    names.dedup();
    let x = Axis { scale: Scale::Log, names, ..Axis::new("board, by its number of codes (log scale)") };
    let figure = |name: &str, title: &str, y: Axis, measure: fn(&Row) -> Summary| {
        let curve = |strategy: &&str| {
            let mine = all.iter().filter(|(_, row)| row.strategy == *strategy);
            let points = mine.map(|(codes, row)| CurvePoint { x: *codes, y: measure(row) }).collect();
            Curve { name: (*strategy).to_owned(), points }
        };
        let curves = strategies.iter().map(curve).collect();
        let plot = Lines { title: title.to_owned(), x: x.clone(), y, curves, spread: Spread::Bars };
        Figure::new(Kind::Scaling, None, &[name], title, plot.svg())
    };
    let time = Axis { scale: Scale::Log, unit: Unit::Seconds, ..Axis::new("mean time a game (log scale)") };
    vec![
        figure("guesses", "Guesses, by board", Axis::new("mean guesses"), |row| row.guesses),
        figure("time", "Time, by board", time, |row| row.seconds),
    ]
}
