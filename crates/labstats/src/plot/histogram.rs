//! How often each number of guesses was needed.

use super::axis::{Axis, FittedAxis};
use super::frame::{Frame, Layout};
use super::panels::Panels;
use super::{Series, Unit, theme};
use crate::histogram as counts;

/// How often each value occurs, for several strategies: bars side by side, or a panel each when there are too many
/// for that.
///
/// ```
/// use pegwise_labstats::plot::{Axis, Histogram, Series};
/// let series = vec![Series::new("knuth", [4.0, 5.0, 4.0]), Series::new("random", [5.0, 6.0, 5.0])];
/// let svg = Histogram { title: "Guesses, 4x6".into(), axis: Axis::new("guesses"), series }.svg();
/// assert!(svg.contains("share of games"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// What stands above it.
    pub title: String,
    /// What is counted.
    pub axis: Axis,
    /// The samples.
    pub series: Vec<Series>,
}

impl Histogram {
    /// With more series than this, bars get too thin to tell apart.
    const MOST_BARS: usize = 4;

    /// Draws it.
    pub fn svg(&self) -> String {
        let pooled: Vec<f64> = self.series.iter().flat_map(|series| series.values.iter().copied()).collect();
        let bins = counts::Histogram::of(&pooled).bins;
        let shares: Vec<Vec<f64>> = self.series.iter().map(|series| shares(&bins, &series.values)).collect();
        let single = bins.iter().all(|bin| bin.to - bin.from == 1.0 && bin.from.fract().abs() == 0.5);
        let x = if single { each_value(&bins) } else { self.axis.fit(bins.iter().flat_map(|bin| [bin.from, bin.to])) };
        let share_axis = Axis { unit: Unit::Percent, ..Axis::default() };
        let y = share_axis.fit(shares.iter().flatten().copied().chain([0.0]));
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        if self.series.len() > Self::MOST_BARS {
            return Panels { title: &self.title, label: &self.axis.label, names: &names, bins: &bins, x, y }
                .svg(&shares);
        }
        let mut frame = Frame::new(Layout {
            title: &self.title,
            legend: &names,
            x,
            x_label: &self.axis.label,
            y,
            y_label: "share of games",
            field: Frame::FIELD,
            y_grid: true,
            x_grid: false,
        });
        for (series, shares) in shares.iter().enumerate() {
            draw_bars(&mut frame, &bins, shares, series, self.series.len());
        }
        frame.finish()
    }
}

/// The percentage of the values in each bin.
fn shares(bins: &[counts::Bin], values: &[f64]) -> Vec<f64> {
    let mut shares = vec![0.0; bins.len()];
    for value in values {
        let index = bins.partition_point(|bin| bin.to <= *value).min(bins.len() - 1);
        shares[index] += 100.0 / values.len() as f64;
    }
    shares
}

/// An axis on which each whole number has the same room.
fn each_value(bins: &[counts::Bin]) -> FittedAxis {
    let (low, high) = match (bins.first(), bins.last()) {
        (Some(first), Some(last)) => (first.from, last.to),
        _ => (0.5, 1.5),
    };
    let names = bins.iter().map(|bin| (bin.from + 0.5, format!("{}", bin.from + 0.5)));
    FittedAxis::between(low, high, names.collect())
}

fn draw_bars(frame: &mut Frame, bins: &[counts::Bin], shares: &[f64], series: usize, of: usize) {
    let look = format!("fill=\"{}\"", theme::color(series));
    for (bin, &share) in bins.iter().zip(shares).filter(|(_, share)| **share > 0.0) {
        let (from, to) = (frame.x(bin.from), frame.x(bin.to));
        let width = (to - from) * 0.84 / of as f64;
        let left = from + (to - from) * 0.08 + width * series as f64;
        let (top, bottom) = (frame.y(share), frame.y(0.0));
        // A game in a million still shows.
        frame.svg.rect((left, top.min(bottom - 1.0)), (left + (width - 1.0).max(1.0), bottom), &look);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_each_series() {
        let bins = counts::Histogram::of(&[1.0, 2.0, 3.0]).bins;
        assert_eq!(shares(&bins, &[2.0, 2.0, 3.0, 3.0]), [0.0, 50.0, 50.0]);
    }

    #[test]
    fn nothing_to_show_is_still_a_picture() {
        let plot = |series| Histogram { title: String::new(), axis: Axis::default(), series }.svg();
        assert!(plot(vec![]).ends_with("</svg>\n"));
        assert!(plot(vec![Series::new("none", []), Series::new("one", [4.0])]).ends_with("</svg>\n"));
    }
}
