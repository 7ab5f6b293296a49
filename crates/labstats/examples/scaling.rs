//! Draws how guesses grow with the board, from reports that `pegwise lab report --format json` wrote:
//!
//! `cargo run --release -p pegwise-labstats --example scaling -- REPORT... > docs/any-size.svg`
//!
//! Square boards alone are shown, n pegs in n colors, together with the floor that counting gives and the few results that
//! others have published.

use std::{error::Error, io::Write as _};

use pegwise_labstats::{
    Summary,
    plot::{Axis, Curve, CurvePoint, Lines, Scale, Spread},
};
use serde_json::Value;

/// Guesses of a solver by satisfiability on n by n boards; the last is one game.
const SATISFIABILITY: [(f64, f64); 3] = [(10.0, 11.6), (12.0, 14.0), (15.0, 15.0)];

fn main() -> Result<(), Box<dyn Error>> {
    let mut points = Vec::new();
    for path in std::env::args().skip(1) {
        let report: Value = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
        for row in report.as_array().into_iter().flatten() {
            points.extend(square(row));
        }
    }
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    let floor = points.iter().filter_map(|point| Some(CurvePoint { x: point.x, y: Summary::of(&[floor(point.x)])? }));
    let floor = floor.collect();
    let published =
        SATISFIABILITY.iter().filter_map(|&(x, guesses)| Some(CurvePoint { x, y: Summary::of(&[guesses])? }));
    let published = published.collect();
    let names = points.iter().map(|point| (point.x, format!("{}", point.x))).collect();
    let curve = |name: &str, points: Vec<CurvePoint>| Curve { name: name.to_owned(), points };
    let plot = Lines {
        title: "Guesses on n x n boards".to_owned(),
        x: Axis { scale: Scale::Log, names, ..Axis::new("n (log scale)") },
        y: Axis { scale: Scale::Log, ..Axis::new("mean guesses (log scale)") },
        curves: vec![
            curve("adaptive", points),
            curve("counting floor", floor),
            curve("published: satisfiability", published),
        ],
        spread: Spread::Bars,
    };
    std::io::stdout().lock().write_all(plot.svg().as_bytes())?;
    Ok(())
}

/// The guesses of a row of a report, where its board is square.
fn square(row: &Value) -> Option<CurvePoint> {
    let (cells, colors) = row["rules"].as_str()?.split_once('x')?;
    let cells: f64 = cells.parse().ok().filter(|_| cells == colors)?;
    let guesses = &row["guesses"];
    let number = |name: &str| guesses[name].as_f64();
    let interval = &guesses["ci95"];
    let y = Summary {
        n: row["games"].as_u64()? as usize,
        mean: number("mean")?,
        sd: number("sd"),
        median: number("median")?,
        min: number("min")?,
        max: number("max")?,
        ci95: interval[0].as_f64().zip(interval[1].as_f64()).map(|(low, high)| [low, high]),
    };
    Some(CurvePoint { x: cells, y })
}

/// Guesses that are needed to tell all codes apart when every answer is as likely as another.
fn floor(n: f64) -> f64 {
    n * n.log2() / (n * (n + 3.0) / 2.0).log2()
}
