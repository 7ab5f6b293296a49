//! Plot of the number of remaining codes.

use pegwise_game::Space;
use pegwise_labstats::SampleSummary;
use pegwise_labstats::plot::{Axis, Curve, CurvePoint, IntervalStyle, LinePlot, Scale};

use crate::{analyze::Analysis, figure::Size};

/// Largest base-10 logarithm plotted as a number; larger spaces are plotted as logarithms.
const LARGEST_LOG10: f64 = 300.0;

/// Draws the number of remaining codes after each guess, for the player and the reference games, as an SVG that follows
/// the reader's light or dark mode. A solved game counts as one code.
///
/// ```
/// use pegwise_coach::{Notes, analyze, plot};
/// use pegwise_game::Rules;
/// use pegwise_solve::Search;
/// let rules: Rules = "4x6".parse()?;
/// let notes = Notes::parse(&rules, ["1122=1,0", "1344=0,1"])?;
/// let svg = plot(&analyze(&notes, None, &mut Search::new(1))?);
/// assert!(svg.starts_with("<svg ") && svg.contains("this game"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plot(analysis: &Analysis) -> String {
    let start = Space::new(&analysis.rules).count().log10();
    let mut curves: Vec<Curve> = Vec::new();
    for other in &analysis.others {
        let after = other.turns.iter().map(|turn| turn.after.value().map(Size::log10));
        curves.push(curve(other.strategy, start, after));
    }
    // The last curve is drawn on top.
    curves.push(curve("this game", start, analysis.turns.iter().map(|turn| turn.after.value().map(Size::log10))));
    let longest = curves.iter().flat_map(|curve| &curve.points).map(|point| point.x as usize).max().unwrap_or(0);
    let names = (0..=longest).map(|turn| (turn as f64, if turn == 0 { "start".to_owned() } else { turn.to_string() }));
    let y = if start <= LARGEST_LOG10 {
        Axis { scale: Scale::Log, ..Axis::new("codes still possible") }
    } else {
        Axis::new("codes still possible, as a power of ten")
    };
    let lines = LinePlot {
        title: format!("{}: codes left after each guess", analysis.rules),
        x: Axis { names: names.collect(), ..Axis::new("guess") },
        y,
        curves,
        spread: IntervalStyle::Bars,
    };
    lines.svg()
}

/// Builds the curve of a game from base-10 logarithms, without turns of unknown count.
fn curve(name: &str, start: f64, left: impl Iterator<Item = Option<f64>>) -> Curve {
    let value = |log10: f64| if start <= LARGEST_LOG10 { 10f64.powf(log10.max(0.0)) } else { log10.max(0.0) };
    let points = std::iter::once(Some(start)).chain(left).enumerate();
    let point = |(turn, log10): (usize, Option<f64>)| {
        Some(CurvePoint { x: turn as f64, y: SampleSummary::of(&[value(log10?)])? })
    };
    Curve { name: name.to_owned(), points: points.filter_map(point).collect() }
}
