//! What a strategy costs against what it achieves.

use super::axis::Axis;
use super::frame::{Frame, Layout};
use super::theme;
use crate::Summary;

/// One strategy in a scatter plot.
#[derive(Debug, Clone, PartialEq)]
pub struct ScatterPoint {
    /// What the legend calls it.
    pub name: String,
    /// Where it stands from left to right, such as codes examined.
    pub x: Summary,
    /// Where it stands from bottom to top, such as guesses.
    pub y: Summary,
}

/// Two measures against each other: a mark a strategy at its means, with bars for the 95 % intervals.
///
/// ```
/// use pegwise_labstats::{Summary, plot::{Axis, Scale, Scatter, ScatterPoint}};
/// let of = |values: &[f64]| Summary::of(values).expect("there are values");
/// let knuth = ScatterPoint { name: "knuth".into(), x: of(&[1296.0, 1290.0]), y: of(&[4.0, 5.0]) };
/// let x = Axis { scale: Scale::Log, ..Axis::new("codes examined a game") };
/// let svg = Scatter { title: "4x6".into(), x, y: Axis::new("guesses"), points: vec![knuth] }.svg();
/// assert!(svg.contains("codes examined a game"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scatter {
    /// What stands above it.
    pub title: String,
    /// What is measured from left to right.
    pub x: Axis,
    /// What is measured from bottom to top.
    pub y: Axis,
    /// The strategies.
    pub points: Vec<ScatterPoint>,
}

impl Scatter {
    /// Draws it.
    pub fn svg(&self) -> String {
        let names: Vec<&str> = self.points.iter().map(|point| point.name.as_str()).collect();
        let mut frame = Frame::new(Layout {
            title: &self.title,
            legend: &names,
            x: self.x.fit(self.points.iter().flat_map(|point| reach(&point.x))).padded(0.03),
            x_label: &self.x.label,
            y: self.y.fit(self.points.iter().flat_map(|point| reach(&point.y))).padded(0.03),
            y_label: &self.y.label,
            field: Frame::FIELD,
            y_grid: true,
            x_grid: true,
        });
        for (series, point) in self.points.iter().enumerate() {
            let look = format!("stroke=\"{}\" stroke-width=\"1.5\"", theme::color(series));
            let (x, y) = frame.point(point.x.mean, point.y.mean);
            if let Some(ends) = point.x.ci95 {
                let [low, high] = ends.map(|end| frame.x(end));
                frame.svg.line((low, y), (high, y), &look);
            }
            if let Some(ends) = point.y.ci95 {
                let [low, high] = ends.map(|end| frame.y(end));
                frame.svg.line((x, low), (x, high), &look);
            }
            theme::mark(&mut frame.svg, series, (x, y), 6.0);
        }
        frame.finish()
    }
}

/// The mean and the ends of its interval.
fn reach(summary: &Summary) -> impl Iterator<Item = f64> {
    summary.ci95.into_iter().flatten().chain([summary.mean])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_game_has_a_mark_but_no_bars() {
        let one = Summary::of(&[4.0]).unwrap();
        let points = vec![ScatterPoint { name: "knuth".into(), x: one, y: one }];
        let svg = Scatter { title: String::new(), x: Axis::default(), y: Axis::default(), points }.svg();
        assert!(svg.contains("<circle") && !svg.contains("stroke-width=\"1.5\""));
    }
}
