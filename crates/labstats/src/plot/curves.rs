//! Plots of means with their confidence intervals: line plots and scatter plots.

use super::axis::Axis;
use super::canvas::{PlotFrame, PlotLayout, color, dash, mark};
use crate::SampleSummary;

/// One point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Board size or parameter value.
    pub x: f64,
    /// Measured values.
    pub y: SampleSummary,
}

/// A curve of one strategy.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Points in any order.
    pub points: Vec<CurvePoint>,
}

/// Display of the 95 % confidence intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalStyle {
    /// Error bars: for discrete x values, such as boards.
    Bars,
    /// A band along the curve: for a continuous parameter.
    Band,
}

/// A line plot of means with 95 % confidence intervals, for scaling with the board size or for a parameter sweep.
///
/// ```
/// use pegwise_labstats::{SampleSummary, plot::{Axis, Curve, CurvePoint, LinePlot, IntervalStyle}};
/// let y = |values: &[f64]| SampleSummary::of(values).expect("there are values");
/// let points = vec![
///     CurvePoint { x: 64.0, y: y(&[4.5, 4.7, 4.6]) },
///     CurvePoint { x: 128.0, y: y(&[4.4, 4.5, 4.5]) },
/// ];
/// let sweep = LinePlot {
///     title: "evorank, 4x6".into(),
///     x: Axis::new("population"),
///     y: Axis::new("mean guesses"),
///     curves: vec![Curve { name: "evorank".into(), points }],
///     spread: IntervalStyle::Band,
/// };
/// assert!(sweep.svg().contains("population"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LinePlot {
    /// Title.
    pub title: String,
    /// Independent variable.
    pub x: Axis,
    /// Measured quantity.
    pub y: Axis,
    /// Curves, one per strategy.
    pub curves: Vec<Curve>,
    /// Display of the confidence intervals.
    pub spread: IntervalStyle,
}

impl LinePlot {
    /// Draws the plot.
    pub fn svg(&self) -> String {
        let names: Vec<&str> = self.curves.iter().map(|curve| curve.name.as_str()).collect();
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let mut frame = PlotFrame::new(PlotLayout {
            title: &self.title,
            legend: &names,
            x: self.x.fit(points().map(|point| point.x)).padded(0.05),
            x_label: &self.x.label,
            y: self.y.fit(points().flat_map(|point| ends(point).into_iter().chain([point.y.mean]))).padded(0.03),
            y_label: &self.y.label,
            field: PlotFrame::FIELD,
            y_grid: true,
            x_grid: self.spread == IntervalStyle::Bars,
        });
        let curves: Vec<Vec<CurvePoint>> = self.curves.iter().map(|curve| in_order(&curve.points)).collect();
        // Draw all bands below all lines.
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

/// Returns the ends of the interval, or the mean twice if there is no interval.
fn ends(point: &CurvePoint) -> [f64; 2] {
    point.y.ci95.unwrap_or([point.y.mean; 2])
}

fn draw_spread(frame: &mut PlotFrame, points: &[CurvePoint], series: usize, spread: IntervalStyle) {
    let color = color(series);
    match spread {
        IntervalStyle::Band => {
            let upper = points.iter().map(|point| frame.point(point.x, ends(point)[1]));
            let lower = points.iter().rev().map(|point| frame.point(point.x, ends(point)[0]));
            let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
            frame.svg.polygon(outline, &format!("fill=\"{color}\" fill-opacity=\"0.22\""));
        }
        IntervalStyle::Bars => {
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

fn draw_line(frame: &mut PlotFrame, points: &[CurvePoint], series: usize) {
    let places: Vec<(f64, f64)> = points.iter().map(|point| frame.point(point.x, point.y.mean)).collect();
    let look = format!("stroke=\"{}\" stroke-width=\"2\" {}", color(series), dash(series));
    frame.svg.polyline(places.iter().copied(), &look);
    for place in places {
        mark(&mut frame.svg, series, place, 4.0);
    }
}

/// One point of a scatter plot.
#[derive(Debug, Clone, PartialEq)]
pub struct ScatterPoint {
    /// Name in the legend.
    pub name: String,
    /// Horizontal measure, such as codes examined.
    pub x: SampleSummary,
    /// Vertical measure, such as guesses.
    pub y: SampleSummary,
}

/// A scatter plot of two measures: one mark per strategy at its means, with 95 % error bars.
///
/// ```
/// use pegwise_labstats::{SampleSummary, plot::{Axis, Scale, ScatterPlot, ScatterPoint}};
/// let of = |values: &[f64]| SampleSummary::of(values).expect("there are values");
/// let knuth = ScatterPoint { name: "knuth".into(), x: of(&[1296.0, 1290.0]), y: of(&[4.0, 5.0]) };
/// let x = Axis { scale: Scale::Log, ..Axis::new("codes examined per game") };
/// let svg = ScatterPlot { title: "4x6".into(), x, y: Axis::new("guesses"), points: vec![knuth] }.svg();
/// assert!(svg.contains("codes examined per game"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ScatterPlot {
    /// Title.
    pub title: String,
    /// Horizontal measure.
    pub x: Axis,
    /// Vertical measure.
    pub y: Axis,
    /// Points, one per strategy.
    pub points: Vec<ScatterPoint>,
}

impl ScatterPlot {
    /// Draws the plot.
    pub fn svg(&self) -> String {
        let names: Vec<&str> = self.points.iter().map(|point| point.name.as_str()).collect();
        let mut frame = PlotFrame::new(PlotLayout {
            title: &self.title,
            legend: &names,
            x: self.x.fit(self.points.iter().flat_map(|point| reach(&point.x))).padded(0.03),
            x_label: &self.x.label,
            y: self.y.fit(self.points.iter().flat_map(|point| reach(&point.y))).padded(0.03),
            y_label: &self.y.label,
            field: PlotFrame::FIELD,
            y_grid: true,
            x_grid: true,
        });
        for (series, point) in self.points.iter().enumerate() {
            let look = format!("stroke=\"{}\" stroke-width=\"1.5\"", color(series));
            let (x, y) = frame.point(point.x.mean, point.y.mean);
            if let Some([low, high]) = point.x.ci95 {
                frame.svg.line((frame.x(low), y), (frame.x(high), y), &look);
            }
            if let Some([low, high]) = point.y.ci95 {
                frame.svg.line((x, frame.y(low)), (x, frame.y(high)), &look);
            }
            mark(&mut frame.svg, series, (x, y), 6.0);
        }
        frame.finish()
    }
}

/// Returns the mean and the ends of its interval.
fn reach(summary: &SampleSummary) -> impl Iterator<Item = f64> {
    summary.ci95.into_iter().flatten().chain([summary.mean])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_joined_in_order() {
        let y = SampleSummary::of(&[4.0, 5.0]).unwrap();
        let points: Vec<CurvePoint> = [3.0, 1.0, 2.0].into_iter().map(|x| CurvePoint { x, y }).collect();
        assert_eq!(in_order(&points).iter().map(|point| point.x).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_single_game_has_a_mark_but_no_bars() {
        let one = SampleSummary::of(&[4.0]).unwrap();
        let points = vec![ScatterPoint { name: "knuth".into(), x: one, y: one }];
        let svg = ScatterPlot { title: String::new(), x: Axis::default(), y: Axis::default(), points }.svg();
        assert!(svg.contains("<circle") && !svg.contains("stroke-width=\"1.5\""));
    }
}
