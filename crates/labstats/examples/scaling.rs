//! Plots the growth of guesses or seconds with the board size, from summaries by `pegwise lab report --format csv` or the example
//! `pool`:
//!
//! `cargo run -p pegwise-labstats --example scaling -- guesses SUMMARY... > docs/any-size-guesses.svg`
//!
//! Only square boards (n pegs, n colors) are shown, with the information-theoretic lower bound and published results.

use std::{error::Error, io::Write as _};

use pegwise_labstats::SampleSummary;
use pegwise_labstats::plot::{Axis, Curve, CurvePoint, IntervalStyle, LinePlot, Scale};

/// Published guesses and seconds of a SAT-based solver on n x n boards; the last row is a single game.
const SATISFIABILITY: [(f64, f64, f64); 3] = [(10.0, 11.6, 1.6), (12.0, 14.0, 2.4), (15.0, 15.0, 6.6)];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().filter(|what| what == "guesses" || what == "seconds");
    let what = what.ok_or("usage: scaling guesses|seconds SUMMARY...")?;
    let mut points = Vec::new();
    for path in arguments {
        let summaries = std::fs::read_to_string(&path)?;
        let mut rows = summaries.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect());
        let heading: Vec<&str> = rows.next().unwrap_or_default();
        points.extend(rows.filter_map(|row: Vec<&str>| square(&heading, &row, &what)));
    }
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    let names = points.iter().map(|point| (point.x, format!("{}", point.x))).collect();
    let published = SATISFIABILITY.map(|(n, guesses, seconds)| (n, if what == "guesses" { guesses } else { seconds }));
    let floors: Vec<(f64, f64)> = points.iter().map(|point| (point.x, floor(point.x))).collect();
    let mut curves = vec![
        Curve { name: "adaptive".to_owned(), points },
        curve("counting floor", &floors),
        curve("published: satisfiability", &published),
    ];
    if what == "seconds" {
        curves.remove(1);
    }
    let plot = LinePlot {
        title: format!("{} on n x n boards", if what == "guesses" { "Guesses" } else { "Seconds per game" }),
        x: Axis { scale: Scale::Log, names, ..Axis::new("n (log scale)") },
        y: Axis { scale: Scale::Log, ..Axis::new(format!("mean {what} (log scale)")) },
        curves,
        spread: IntervalStyle::Bars,
    };
    std::io::stdout().lock().write_all(plot.svg().as_bytes())?;
    Ok(())
}

/// Creates a curve without intervals.
fn curve(name: &str, points: &[(f64, f64)]) -> Curve {
    let points = points.iter().filter_map(|&(x, y)| Some(CurvePoint { x, y: SampleSummary::of(&[y])? }));
    Curve { name: name.to_owned(), points: points.collect() }
}

/// Returns the guesses or seconds of a CSV row, if its board is square.
fn square(heading: &[&str], row: &[&str], what: &str) -> Option<CurvePoint> {
    let field = |name: &str| heading.iter().position(|other| *other == name).and_then(|place| row.get(place).copied());
    let (cells, colors) = field("rules")?.split_once('x')?;
    let cells: f64 = cells.parse().ok().filter(|_| cells == colors)?;
    let number = |name: &str| field(&format!("{what}_{name}"))?.parse::<f64>().ok();
    let y = SampleSummary {
        n: field("games")?.parse().ok()?,
        mean: number("mean")?,
        sd: number("sd"),
        median: number("median")?,
        min: number("min")?,
        max: number("max")?,
        ci95: number("low95").zip(number("high95")).map(|(low, high)| [low, high]),
    };
    Some(CurvePoint { x: cells, y })
}

/// Returns the guesses needed to distinguish all codes if all answers are equally likely.
fn floor(n: f64) -> f64 {
    n * n.log2() / (n * (n + 3.0) / 2.0).log2()
}
