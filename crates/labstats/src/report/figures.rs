//! Plots of a report, and the detection of parameter sweeps among its strategies.

use std::collections::BTreeMap;

use super::{PlotKind, ReportFigure, ReportRow, TrialSample};
use crate::SampleSummary;
use crate::plot::{
    Axis, AxisUnit, BoxPlot, Curve, CurvePoint, HistogramPlot, IntervalStyle, LinePlot, Scale, ScatterPlot,
    ScatterPoint, Series,
};

/// Maximum number of strategies per plot.
const MAX_SHOWN: usize = 12;
/// Ratio of parameter values above which a log scale is used.
const WIDE_RANGE: f64 = 30.0;
/// Ratio of costs above which a log scale is used.
const WIDE_COSTS: f64 = 10.0;

/// Draws the plots of the strategies under one set of rules, best first.
pub(super) fn of_rules(rules: &str, here: &[(&TrialSample, &ReportRow)]) -> Vec<ReportFigure> {
    let shown = &here[..here.len().min(MAX_SHOWN)];
    let which = if here.len() > MAX_SHOWN { format!(", the {MAX_SHOWN} best") } else { String::new() };
    let series = |values: fn(&TrialSample) -> Vec<f64>| -> Vec<Series> {
        shown.iter().map(|(sample, row)| Series::new(row.strategy.as_str(), values(sample))).collect()
    };
    let figure = |kind, title: &str, svg| ReportFigure::new(kind, Some(rules), &[], title, svg);
    let title = format!("Guesses, {rules}{which}");
    let (axis, guesses) = (Axis::new("guesses"), series(TrialSample::guesses));
    let histogram = HistogramPlot { title: title.clone(), axis: axis.clone(), series: guesses.clone() };
    let boxes = BoxPlot { title: title.clone(), axis, series: guesses };
    let mut figures =
        vec![figure(PlotKind::Histogram, &title, histogram.svg()), figure(PlotKind::Box, &title, boxes.svg())];
    if here.iter().any(|(_, row)| row.examined.max > 0.0) {
        let rows = || shown.iter().map(|(_, row)| *row);
        let title = format!("Guesses against codes examined, {rules}{which}");
        let points = rows()
            .filter_map(|row| Some(ScatterPoint { name: row.strategy.clone(), x: row.examined, y: row.guesses? }));
        let x = examined_axis(rows().map(|row| row.examined.mean), rows().map(|row| row.examined.mean));
        let y = Axis::new("mean guesses");
        let scatter = ScatterPlot { title: title.clone(), x, y, points: points.collect() };
        figures.push(figure(PlotKind::Evaluations, &title, scatter.svg()));
        let title = format!("Codes examined, {rules}{which}");
        let axis = examined_axis(rows().map(|row| row.examined.min), rows().map(|row| row.examined.max));
        let boxes = BoxPlot { title: title.clone(), axis, series: series(TrialSample::examined) };
        figures.push(figure(PlotKind::Examined, &title, boxes.svg()));
    }
    figures.extend(sweep_figures(rules, here));
    figures
}

/// Returns the axis for codes examined, from the minimum of `low` to the maximum of `high`.
fn examined_axis(low: impl Iterator<Item = f64>, high: impl Iterator<Item = f64>) -> Axis {
    let (low, high) = (low.fold(f64::INFINITY, f64::min), high.fold(0.0, f64::max));
    if high > WIDE_COSTS * low {
        Axis { scale: Scale::Log, ..Axis::new("codes examined per game (log scale)") }
    } else {
        Axis::new("codes examined per game")
    }
}

/// Draws one plot per parameter sweep.
fn sweep_figures(rules: &str, here: &[(&TrialSample, &ReportRow)]) -> Vec<ReportFigure> {
    let strategies: Vec<StrategyText<'_>> =
        here.iter().map(|(sample, row)| (row.strategy.as_str(), &sample.defaults[..])).collect();
    let figure = |sweep: ParameterSweep| {
        let values = || sweep.curves.values().flatten().map(|(value, _)| *value);
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        let log = low > 0.0 && high / low > WIDE_RANGE;
        let label = if log { format!("{} (log scale)", sweep.parameter) } else { sweep.parameter.clone() };
        let points = |values: &[(f64, usize)]| {
            values
                .iter()
                .filter_map(|&(x, place)| Some(CurvePoint { x, y: here[place].1.guesses? }))
                .collect::<Vec<_>>()
        };
        let curves = sweep.curves.iter().take(MAX_SHOWN);
        let curves = curves.map(|(setting, values)| Curve { name: setting.clone(), points: points(values) }).collect();
        let title = format!("Effect of {} on {}, {rules}", sweep.parameter, sweep.strategy);
        let plot = LinePlot {
            title: title.clone(),
            x: Axis { scale: if log { Scale::Log } else { Scale::Linear }, ..Axis::new(label) },
            y: Axis::new("guesses, mean and 95 % interval"),
            curves,
            spread: IntervalStyle::Band,
        };
        ReportFigure::new(PlotKind::Sweep, Some(rules), &[&sweep.strategy, &sweep.parameter], &title, plot.svg())
    };
    sweeps(&strategies).into_iter().map(figure).collect()
}

/// Draws the scaling with the board size, if a strategy was run on several boards.
pub(super) fn scaling(samples: &[&TrialSample], rows: &[ReportRow]) -> Vec<ReportFigure> {
    let all: Vec<(f64, &ReportRow)> =
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
    strategies.truncate(MAX_SHOWN);
    let mut names: Vec<(f64, String)> = all.iter().map(|(codes, row)| (*codes, row.rules.clone())).collect();
    names.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    names.dedup();
    let x = Axis { scale: Scale::Log, names, ..Axis::new("board, by its number of codes (log scale)") };
    let figure = |name: &str, title: &str, y: Axis, measure: fn(&ReportRow) -> Option<SampleSummary>| {
        let curve = |strategy: &&str| {
            let mine = all.iter().filter(|(_, row)| row.strategy == *strategy);
            let points = mine.filter_map(|(codes, row)| Some(CurvePoint { x: *codes, y: measure(row)? })).collect();
            Curve { name: (*strategy).to_owned(), points }
        };
        let curves = strategies.iter().map(curve).collect();
        let plot = LinePlot { title: title.to_owned(), x: x.clone(), y, curves, spread: IntervalStyle::Bars };
        ReportFigure::new(PlotKind::Scaling, None, &[name], title, plot.svg())
    };
    let time = Axis { scale: Scale::Log, unit: AxisUnit::Seconds, ..Axis::new("mean time per game (log scale)") };
    vec![
        figure("guesses", "Guesses, by board", Axis::new("mean guesses"), |row| row.guesses),
        figure("time", "Time, by board", time, |row| Some(row.seconds)),
    ]
}

/// A parameter of a strategy with the tested values.
#[derive(Debug, PartialEq)]
pub(super) struct ParameterSweep {
    pub(super) strategy: String,
    pub(super) parameter: String,
    /// For each setting of the other parameters, values and indices of the strategies.
    pub(super) curves: BTreeMap<String, Vec<(f64, usize)>>,
}

/// A strategy's text and the default values of its parameters.
pub(super) type StrategyText<'a> = (&'a str, &'a [(String, String)]);

/// Finds parameters with at least three values among strategies written as `name(parameter=value,…)` that agree in all
/// other parameters.
pub(super) fn sweeps(strategies: &[StrategyText<'_>]) -> Vec<ParameterSweep> {
    let mut found = BTreeMap::<(&str, &str), BTreeMap<String, Vec<(f64, usize)>>>::new();
    for (place, &(strategy, defaults)) in strategies.iter().enumerate() {
        let Some((name, parameters)) = split_strategy(strategy) else { continue };
        let is_written = |default: &str| parameters.iter().any(|(parameter, _)| *parameter == default);
        let unwritten = defaults.iter().map(|(parameter, value)| (parameter.as_str(), value.as_str()));
        let unwritten = unwritten.filter(|(parameter, _)| !is_written(parameter));
        for (parameter, value) in parameters.iter().copied().chain(unwritten) {
            let Ok(value) = value.parse::<f64>() else { continue };
            let others = parameters.iter().filter(|(other, _)| *other != parameter);
            let others: Vec<String> = others.map(|(other, value)| format!("{other}={value}")).collect();
            let setting = if others.is_empty() { name.to_owned() } else { format!("{name}({})", others.join(",")) };
            found.entry((name, parameter)).or_default().entry(setting).or_default().push((value, place));
        }
    }
    let mut sweeps = Vec::new();
    for ((strategy, parameter), mut curves) in found {
        curves.retain(|_, values| values.len() >= 3);
        for values in curves.values_mut() {
            values.sort_by(|one, other| one.0.total_cmp(&other.0));
        }
        if !curves.is_empty() {
            sweeps.push(ParameterSweep { strategy: strategy.to_owned(), parameter: parameter.to_owned(), curves });
        }
    }
    sweeps
}

/// Splits a strategy into its name and parameters.
fn split_strategy(strategy: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let Some((name, rest)) = strategy.split_once('(') else { return Some((strategy, Vec::new())) };
    let parameters = rest.strip_suffix(')')?.split(',');
    let parameters: Option<Vec<_>> = parameters.map(|parameter| parameter.trim().split_once('=')).collect();
    Some((name, parameters?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_varies_one_parameter() {
        let strategies =
            ["knuth", "er(p=64,r=0.5)", "er(p=128,r=0.5)", "er(p=256,r=0.5)", "er(p=128,r=0.25)", "er(p=x)"];
        let sweeps = sweeps(&strategies.map(|strategy| (strategy, &[][..])));
        assert_eq!(sweeps.len(), 1);
        assert_eq!((sweeps[0].strategy.as_str(), sweeps[0].parameter.as_str()), ("er", "p"));
        assert_eq!(sweeps[0].curves["er(r=0.5)"], [(64.0, 1), (128.0, 2), (256.0, 3)]);
    }

    #[test]
    fn a_value_that_goes_without_saying_is_a_value() {
        let defaults = [("bonus".to_owned(), "2".to_owned()), ("ties".to_owned(), "first".to_owned())];
        let strategies = ["entropy(bonus=4)", "entropy", "entropy(bonus=0)"].map(|strategy| (strategy, &defaults[..]));
        let sweeps = sweeps(&strategies);
        assert_eq!((sweeps.len(), sweeps[0].parameter.as_str()), (1, "bonus"));
        assert_eq!(sweeps[0].curves["entropy"], [(0.0, 2), (2.0, 1), (4.0, 0)]);
    }
}
