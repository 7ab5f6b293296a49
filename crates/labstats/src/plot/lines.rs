//! A measure that changes with a size or a parameter.

use super::axis::Axis;
use super::frame::{Frame, Layout};
use super::theme;
use crate::Summary;

/// One point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// The size, or the value of the parameter.
    pub x: f64,
    /// What was measured there.
    pub y: Summary,
}

/// One strategy over all sizes or values.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// Its points, in any order.
    pub points: Vec<CurvePoint>,
}

/// How the 95 % interval is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// As a bar at each point: for separate things, such as boards.
    Bars,
    /// As a band along the curve: for a parameter, between whose values the curve is meant to be read.
    Band,
}

/// Means as curves with their 95 % intervals: how a strategy scales with the size of the board, or what a parameter does.
///
/// ```
/// use pegwise_labstats::{Summary, plot::{Axis, Curve, CurvePoint, Lines, Spread}};
/// let y = |values: &[f64]| Summary::of(values).expect("there are values");
/// let points = vec![
///     CurvePoint { x: 64.0, y: y(&[4.5, 4.7, 4.6]) },
///     CurvePoint { x: 128.0, y: y(&[4.4, 4.5, 4.5]) },
/// ];
/// let sweep = Lines {
///     title: "evorank, 4x6".into(),
///     x: Axis::new("population"),
///     y: Axis::new("mean guesses"),
///     curves: vec![Curve { name: "evorank".into(), points }],
///     spread: Spread::Band,
/// };
/// assert!(sweep.svg().contains("population"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    /// What stands above it.
    pub title: String,
    /// What varies.
    pub x: Axis,
    /// What is measured.
    pub y: Axis,
    /// The strategies.
    pub curves: Vec<Curve>,
    /// How intervals are shown.
    pub spread: Spread,
}

impl Lines {
    /// Draws it.
    pub fn svg(&self) -> String {
        let names: Vec<&str> = self.curves.iter().map(|curve| curve.name.as_str()).collect();
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let mut frame = Frame::new(Layout {
            title: &self.title,
            legend: &names,
            x: self.x.fit(points().map(|point| point.x)).padded(0.05),
            x_label: &self.x.label,
            y: self.y.fit(points().flat_map(|point| ends(point).into_iter().chain([point.y.mean]))).padded(0.03),
            y_label: &self.y.label,
            field: Frame::FIELD,
            y_grid: true,
            x_grid: self.spread == Spread::Bars,
        });
        let curves: Vec<Vec<CurvePoint>> = self.curves.iter().map(|curve| in_order(&curve.points)).collect();
        // All bands lie below all lines.
        for (series, points) in curves.iter().enumerate() {
            draw_spread(&mut frame, points, series, self.spread);
        }
        for (series, points) in curves.iter().enumerate() {
            draw_line(&mut frame, points, series);
        }
        frame.finish()
    }
}

fn in_order(points: &[CurvePoint]) -> Vec<CurvePoint> {
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    points
}

/// The interval, or the mean twice where a single game gives none.
fn ends(point: &CurvePoint) -> [f64; 2] {
    point.y.ci95.unwrap_or([point.y.mean; 2])
}

fn draw_spread(frame: &mut Frame, points: &[CurvePoint], series: usize, spread: Spread) {
    let color = theme::color(series);
    match spread {
        Spread::Band => {
            let upper = points.iter().map(|point| frame.point(point.x, ends(point)[1]));
            let lower = points.iter().rev().map(|point| frame.point(point.x, ends(point)[0]));
            let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
            frame.svg.polygon(outline, &format!("fill=\"{color}\" fill-opacity=\"0.22\""));
        }
        Spread::Bars => {
            for point in points {
                let (x, [low, high]) = (frame.x(point.x), ends(point).map(|end| frame.y(end)));
                let look = format!("stroke=\"{color}\" stroke-width=\"1.5\"");
                frame.svg.line((x, low), (x, high), &look);
                for end in [low, high] {
                    frame.svg.line((x - 4.0, end), (x + 4.0, end), &look);
                }
            }
        }
    }
}

fn draw_line(frame: &mut Frame, points: &[CurvePoint], series: usize) {
    let places: Vec<(f64, f64)> = points.iter().map(|point| frame.point(point.x, point.y.mean)).collect();
    let look = format!("stroke=\"{}\" stroke-width=\"2\" {}", theme::color(series), theme::dash(series));
    frame.svg.polyline(places.iter().copied(), &look);
    for place in places {
        theme::mark(&mut frame.svg, series, place, 4.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_joined_in_order() {
        let y = Summary::of(&[4.0, 5.0]).unwrap();
        let points: Vec<CurvePoint> = [3.0, 1.0, 2.0].into_iter().map(|x| CurvePoint { x, y }).collect();
        assert_eq!(in_order(&points).iter().map(|point| point.x).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    }
}
