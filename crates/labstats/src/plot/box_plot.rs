//! The spread of several samples side by side.

use super::axis::{Axis, FittedAxis};
use super::frame::{Frame, Layout};
use super::{Series, theme};
use crate::summary::{mean_and_variance, quantile};

/// The spread of each strategy: a box from the first to the third quartile, a line at the median, a diamond at the mean,
/// whiskers to the last values within one and a half boxes, and dots beyond.
///
/// ```
/// use pegwise_labstats::plot::{Axis, BoxPlot, Series};
/// let series = vec![Series::new("knuth", [4.0, 5.0, 4.0, 6.0]), Series::new("random", [5.0, 6.0, 5.0, 9.0])];
/// let svg = BoxPlot { title: "Guesses, 4x6".into(), axis: Axis::new("guesses"), series }.svg();
/// assert!(svg.contains(">knuth<"));
/// ```
///
/// # References
///
/// J. W. Tukey, *Exploratory Data Analysis*, 1977.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxPlot {
    /// What stands above it.
    pub title: String,
    /// What is measured.
    pub axis: Axis,
    /// The samples, drawn from top to bottom.
    pub series: Vec<Series>,
}

impl BoxPlot {
    const ROW: f64 = 44.0;
    /// More dots than this are a smear, and make large files.
    const MOST_DOTS: usize = 60;

    /// Draws it.
    pub fn svg(&self) -> String {
        let count = self.series.len();
        // The first stands at the top, where y is largest.
        let place = |index: usize| (count - index) as f64;
        let names = self.series.iter().enumerate().map(|(index, series)| (place(index), series.name.clone()));
        let y = FittedAxis::between(0.5, count.max(1) as f64 + 0.5, names.collect());
        let all = self.series.iter().flat_map(|series| series.values.iter().copied());
        let mut frame = Frame::new(Layout {
            title: &self.title,
            legend: &[],
            x: self.axis.fit(all).padded(0.02),
            x_label: &self.axis.label,
            y,
            y_label: "",
            field: Self::ROW * count.max(1) as f64 + 10.0,
            y_grid: false,
            x_grid: true,
        });
        for (index, series) in self.series.iter().enumerate() {
            if let Some(spread) = Spread::of(&series.values) {
                let y = frame.y(place(index));
                draw(&mut frame, &spread, index, y);
            }
        }
        frame.finish()
    }
}

/// What a box shows.
#[derive(Debug, PartialEq)]
struct Spread {
    quartiles: [f64; 3],
    mean: f64,
    whiskers: [f64; 2],
    /// Values beyond the whiskers, each once.
    outliers: Vec<f64>,
}

impl Spread {
    fn of(values: &[f64]) -> Option<Self> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        if sorted.is_empty() {
            return None;
        }
        let quartiles = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
        let reach = 1.5 * (quartiles[2] - quartiles[0]);
        let (low, high) = (quartiles[0] - reach, quartiles[2] + reach);
        let first_inside = sorted.partition_point(|&value| value < low);
        let after_inside = sorted.partition_point(|&value| value <= high);
        // A sample with both quartiles on one value may have no value at all inside.
        let whiskers = match &sorted[first_inside..after_inside] {
            [] => [quartiles[0], quartiles[2]],
            [only] => [*only, *only],
            [first, .., last] => [first.min(quartiles[0]), last.max(quartiles[2])],
        };
        let mean = mean_and_variance(&sorted).0;
        let mut outliers = [&sorted[..first_inside], &sorted[after_inside..]].concat();
        outliers.dedup();
        Some(Self { quartiles, mean, whiskers, outliers })
    }
}

fn draw(frame: &mut Frame, spread: &Spread, series: usize, y: f64) {
    let color = theme::color(series);
    let stroke = format!("stroke=\"{color}\" stroke-width=\"1.5\"");
    let [q1, median, q3] = spread.quartiles.map(|value| frame.x(value));
    let [low, high] = spread.whiskers.map(|value| frame.x(value));
    for (from, to) in [(low, q1), (q3, high)] {
        frame.svg.line((from, y), (to, y), &stroke);
    }
    for end in [low, high] {
        frame.svg.line((end, y - 6.0), (end, y + 6.0), &stroke);
    }
    let body = format!("fill=\"{color}\" fill-opacity=\"0.3\" {stroke}");
    frame.svg.rect((q1, y - 12.0), (q3, y + 12.0), &body);
    frame.svg.line((median, y - 12.0), (median, y + 12.0), &format!("stroke=\"{color}\" stroke-width=\"4\""));
    let dots = &spread.outliers;
    let every = dots.len().div_ceil(BoxPlot::MOST_DOTS).max(1);
    // From the far end, so that the largest is always among them.
    for &value in dots.iter().rev().step_by(every) {
        let place = (frame.x(value), y);
        frame.svg.circle(place, 2.5, &format!("fill=\"{color}\" fill-opacity=\"0.7\""));
    }
    let x = frame.x(spread.mean);
    frame.svg.polygon([(x, y - 5.0), (x + 5.0, y), (x, y + 5.0), (x - 5.0, y)], theme::CONTRAST);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_whiskers_and_outliers() {
        let spread = Spread::of(&[1., 2., 3., 4., 10., 12., 13., 30., 30.]).unwrap();
        assert_eq!(spread.quartiles, [3.0, 10.0, 13.0]);
        assert_eq!((spread.whiskers, spread.outliers), ([1.0, 13.0], vec![30.0]));
        let constant = Spread::of(&[4.0, 4.0, 4.0, 4.0, 4.0, 9.0]).unwrap();
        assert_eq!((constant.whiskers, constant.outliers), ([4.0, 4.0], vec![9.0]));
        assert_eq!(Spread::of(&[f64::NAN]), None);
    }
}
