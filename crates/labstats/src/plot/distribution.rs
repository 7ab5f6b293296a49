//! Distributions of several samples: histograms, in one frame or one panel per series, and box plots.

use super::Series;
use super::axis::{Axis, AxisUnit, FittedAxis};
use super::canvas::{
    AXIS, CONTRAST, FONT_SIZE, GRID, MARGIN, PlotFrame, PlotLayout, Svg, TITLE_SIZE, color, shorten, text_width,
};
use crate::summary::{mean_and_variance, quantile};

/// A histogram of several samples: grouped bars, or one panel per sample if there are too many for grouped bars.
///
/// ```
/// use pegwise_labstats::plot::{Axis, HistogramPlot, Series};
/// let series = vec![Series::new("knuth", [4.0, 5.0, 4.0]), Series::new("random", [5.0, 6.0, 5.0])];
/// let svg = HistogramPlot { title: "Guesses, 4x6".into(), axis: Axis::new("guesses"), series }.svg();
/// assert!(svg.contains("share of games"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct HistogramPlot {
    /// Title.
    pub title: String,
    /// Measured quantity.
    pub axis: Axis,
    /// Samples.
    pub series: Vec<Series>,
}

impl HistogramPlot {
    /// Largest number of series drawn as grouped bars.
    const MAX_BARS: usize = 4;

    /// Draws the plot.
    pub fn svg(&self) -> String {
        let pooled: Vec<f64> = self.series.iter().flat_map(|series| series.values.iter().copied()).collect();
        let bins = bins_of(&pooled);
        let shares: Vec<Vec<f64>> = self.series.iter().map(|series| shares(&bins, &series.values)).collect();
        let single = bins.iter().all(|bin| bin.to - bin.from == 1.0 && bin.from.fract().abs() == 0.5);
        let x = if single { each_value(&bins) } else { self.axis.fit(bins.iter().flat_map(|bin| [bin.from, bin.to])) };
        let share_axis = Axis { unit: AxisUnit::Percent, ..Axis::default() };
        let y = share_axis.fit(shares.iter().flatten().copied().chain([0.0]));
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        if self.series.len() > Self::MAX_BARS {
            return Panels { title: &self.title, label: &self.axis.label, names: &names, bins: &bins, x, y }
                .svg(&shares);
        }
        let mut frame = PlotFrame::new(PlotLayout {
            title: &self.title,
            legend: &names,
            x,
            x_label: &self.axis.label,
            y,
            y_label: "share of games",
            field: PlotFrame::FIELD,
            y_grid: true,
            x_grid: false,
        });
        for (series, shares) in shares.iter().enumerate() {
            draw_bars(&mut frame, &bins, shares, series, self.series.len());
        }
        frame.finish()
    }
}

/// Range of values that one bar stands for: from `from`, inclusive, to `to`, exclusive except in the last bin.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bin {
    from: f64,
    to: f64,
}

/// Returns adjacent bins for a sample. Integers within a small range get one bin each, centered on it, including integers
/// that do not occur. Other samples are split into ranges of equal width.
fn bins_of(values: &[f64]) -> Vec<Bin> {
    /// Largest range of integers that get one bin each.
    const MAX_SINGLE_VALUES: f64 = 40.0;
    const RANGES: usize = 20;
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if values.is_empty() {
        return Vec::new();
    }
    let whole = values.iter().all(|value| value.fract() == 0.0);
    let (start, width, count) = if whole && max - min < MAX_SINGLE_VALUES {
        (min - 0.5, 1.0, (max - min) as usize + 1)
    } else if max > min {
        (min, (max - min) / RANGES as f64, RANGES)
    } else {
        (min - 0.5, 1.0, 1)
    };
    let edge = |index: usize| start + width * index as f64;
    (0..count).map(|index| Bin { from: edge(index), to: edge(index + 1) }).collect()
}

/// Returns the percentage of the values in each bin.
fn shares(bins: &[Bin], values: &[f64]) -> Vec<f64> {
    let mut shares = vec![0.0; bins.len()];
    for value in values {
        let index = bins.partition_point(|bin| bin.to <= *value).min(bins.len() - 1);
        shares[index] += 100.0 / values.len() as f64;
    }
    shares
}

/// Returns an axis with one tick per integer bin.
fn each_value(bins: &[Bin]) -> FittedAxis {
    let (low, high) = match (bins.first(), bins.last()) {
        (Some(first), Some(last)) => (first.from, last.to),
        _ => (0.5, 1.5),
    };
    let names = bins.iter().map(|bin| (bin.from + 0.5, format!("{}", bin.from + 0.5)));
    FittedAxis::between(low, high, names.collect())
}

fn draw_bars(frame: &mut PlotFrame, bins: &[Bin], shares: &[f64], series: usize, of: usize) {
    let look = format!("fill=\"{}\"", color(series));
    for (bin, &share) in bins.iter().zip(shares).filter(|(_, share)| **share > 0.0) {
        let (from, to) = (frame.x(bin.from), frame.x(bin.to));
        let width = (to - from) * 0.84 / of as f64;
        let left = from + (to - from) * 0.08 + width * series as f64;
        let (top, bottom) = (frame.y(share), frame.y(0.0));
        // Bars are at least one pixel high, so that rare values remain visible.
        frame.svg.rect((left, top.min(bottom - 1.0)), (left + (width - 1.0).max(1.0), bottom), &look);
    }
}

/// Gap between panels.
const GAP: f64 = 20.0;
/// Width of the y labels at the left.
const LEFT: f64 = 62.0;
/// Height of the name of a panel.
const NAME: f64 = 26.0;
/// Height of the plot area of a panel.
const FIELD: f64 = 96.0;
/// Height of the x labels of a panel.
const NUMBERS: f64 = 24.0;

/// Common parameters of the panels.
#[derive(Debug)]
struct Panels<'a> {
    title: &'a str,
    label: &'a str,
    names: &'a [&'a str],
    bins: &'a [Bin],
    x: FittedAxis,
    y: FittedAxis,
}

impl Panels<'_> {
    /// Draws one panel per list of shares.
    fn svg(&self, shares: &[Vec<f64>]) -> String {
        let mut svg = Svg::default();
        svg.title(self.title);
        let (columns, width) = self.columns();
        let first = MARGIN + TITLE_SIZE + 6.0;
        for (series, shares) in shares.iter().enumerate() {
            let (row, column) = (series / columns, series % columns);
            let left = LEFT + (width + GAP) * column as f64;
            let top = first + NAME + (NAME + FIELD + NUMBERS) * row as f64;
            self.draw(&mut svg, series, shares, (left, top), width);
        }
        let end = first + (NAME + FIELD + NUMBERS) * shares.len().div_ceil(columns) as f64;
        let middle = (LEFT + PlotFrame::WIDTH - MARGIN) / 2.0;
        svg.text((middle, end + FONT_SIZE + 2.0), "middle", "", self.label);
        svg.upward_text((MARGIN, (first + NAME + end) / 2.0), "share of games");
        svg.finish(self.title, PlotFrame::WIDTH, end + FONT_SIZE + 2.0 + MARGIN)
    }

    /// Returns the number of columns and their width: three, or two if a name needs the space.
    fn columns(&self) -> (usize, f64) {
        let width = |columns: usize| (PlotFrame::WIDTH - LEFT - MARGIN - GAP * (columns - 1) as f64) / columns as f64;
        let widest = self.names.iter().map(|name| text_width(name, FONT_SIZE)).fold(0.0, f64::max);
        let columns = if widest <= width(3) { 3 } else { 2 };
        (columns, width(columns))
    }

    fn draw(&self, svg: &mut Svg, series: usize, shares: &[f64], (left, top): (f64, f64), width: f64) {
        let bottom = top + FIELD;
        let x = |value: f64| left + width * self.x.position_of(value);
        let y = |value: f64| bottom - FIELD * self.y.position_of(value);
        let fitting = (width / text_width("m", FONT_SIZE)) as usize;
        svg.text((left, top - 8.0), "start", "", &shorten(self.names[series], fitting));
        // Every second grid line suffices at this size.
        for (value, name) in self.y.ticks.iter().step_by(2) {
            svg.line((left, y(*value)), (left + width, y(*value)), GRID);
            if left == LEFT {
                svg.text((left - 6.0, y(*value) + FONT_SIZE * 0.35), "end", "", name);
            }
        }
        let look = format!("fill=\"{}\"", color(series));
        for (bin, &share) in self.bins.iter().zip(shares).filter(|(_, share)| **share > 0.0) {
            let room = (x(bin.to) - x(bin.from)) * 0.08;
            svg.rect((x(bin.from) + room, y(share).min(bottom - 1.0)), (x(bin.to) - room, bottom), &look);
        }
        svg.line((left, bottom), (left + width, bottom), AXIS);
        svg.tick_labels(self.x.ticks.iter().map(|(value, name)| (x(*value), name.as_str())), bottom + FONT_SIZE + 3.0);
    }
}

/// A box plot: a box from the first to the third quartile, a line at the median, a diamond at the mean, whiskers to the
/// last values within 1.5 interquartile ranges, and dots for outliers.
///
/// ```
/// use pegwise_labstats::plot::{Axis, BoxPlot, Series};
/// let series = vec![Series::new("knuth", [4.0, 5.0, 4.0, 6.0]), Series::new("random", [5.0, 6.0, 5.0, 9.0])];
/// let svg = BoxPlot { title: "Guesses, 4x6".into(), axis: Axis::new("guesses"), series }.svg();
/// assert!(svg.contains(">knuth<"));
/// ```
///
/// # References
/// J. W. Tukey, *Exploratory Data Analysis*, 1977.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxPlot {
    /// Title.
    pub title: String,
    /// Measured quantity.
    pub axis: Axis,
    /// Samples, from top to bottom.
    pub series: Vec<Series>,
}

impl BoxPlot {
    const ROW: f64 = 44.0;
    /// Maximum number of outliers drawn per sample, to limit the file size.
    const MAX_DOTS: usize = 60;

    /// Draws the plot.
    pub fn svg(&self) -> String {
        let count = self.series.len();
        // The first sample is at the top, where y is largest.
        let place = |index: usize| (count - index) as f64;
        let names = self.series.iter().enumerate().map(|(index, series)| (place(index), series.name.clone()));
        let y = FittedAxis::between(0.5, count.max(1) as f64 + 0.5, names.collect());
        let all = self.series.iter().flat_map(|series| series.values.iter().copied());
        let mut frame = PlotFrame::new(PlotLayout {
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
            if let Some(spread) = BoxStatistics::of(&series.values) {
                let y = frame.y(place(index));
                draw_box(&mut frame, &spread, index, y);
            }
        }
        frame.finish()
    }
}

/// Statistics shown by a box.
#[derive(Debug, PartialEq)]
struct BoxStatistics {
    quartiles: [f64; 3],
    mean: f64,
    whiskers: [f64; 2],
    /// Distinct values beyond the whiskers.
    outliers: Vec<f64>,
}

impl BoxStatistics {
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
        // If both quartiles are equal, no value may be within reach.
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

fn draw_box(frame: &mut PlotFrame, spread: &BoxStatistics, series: usize, y: f64) {
    let color = color(series);
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
    let every = dots.len().div_ceil(BoxPlot::MAX_DOTS).max(1);
    // Thin out from the far end, so that the largest outlier is drawn.
    for &value in dots.iter().rev().step_by(every) {
        let place = (frame.x(value), y);
        frame.svg.circle(place, 2.5, &format!("fill=\"{color}\" fill-opacity=\"0.7\""));
    }
    let x = frame.x(spread.mean);
    frame.svg.polygon([(x, y - 5.0), (x + 5.0, y), (x, y + 5.0), (x - 5.0, y)], CONTRAST);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_each_series() {
        assert_eq!(shares(&bins_of(&[1.0, 2.0, 3.0]), &[2.0, 2.0, 3.0, 3.0]), [0.0, 50.0, 50.0]);
        let bins = bins_of(&[4.0, 5.0, 4.0, 7.0]);
        assert_eq!(shares(&bins, &[4.0, 5.0, 4.0, 7.0]), [50.0, 25.0, 0.0, 25.0]);
        assert_eq!(bins[0], Bin { from: 3.5, to: 4.5 });
    }

    #[test]
    fn ranges_hold_every_value_once() {
        let values: Vec<f64> = (0..1000).map(|k| f64::from(k * k) / 7.0).collect();
        let bins = bins_of(&values);
        let shares = shares(&bins, &values);
        assert_eq!(bins.len(), 20);
        assert!((shares.iter().sum::<f64>() - 100.0).abs() < 1e-6);
        for (bin, share) in bins.iter().zip(shares).take(19) {
            let inside = values.iter().filter(|&&value| bin.from <= value && value < bin.to).count();
            assert!((share - inside as f64 / 10.0).abs() < 1e-6);
        }
        assert_eq!(bins_of(&[]), []);
        assert_eq!(bins_of(&[0.25, 0.25]), [Bin { from: -0.25, to: 0.75 }]);
    }

    #[test]
    fn empty_samples_give_a_valid_image() {
        let plot = |series| HistogramPlot { title: String::new(), axis: Axis::default(), series }.svg();
        assert!(plot(vec![]).ends_with("</svg>\n"));
        assert!(plot(vec![Series::new("none", []), Series::new("one", [4.0])]).ends_with("</svg>\n"));
    }

    #[test]
    fn boxes_whiskers_and_outliers() {
        let spread = BoxStatistics::of(&[1., 2., 3., 4., 10., 12., 13., 30., 30.]).unwrap();
        assert_eq!(spread.quartiles, [3.0, 10.0, 13.0]);
        assert_eq!((spread.whiskers, spread.outliers), ([1.0, 13.0], vec![30.0]));
        let constant = BoxStatistics::of(&[4.0, 4.0, 4.0, 4.0, 4.0, 9.0]).unwrap();
        assert_eq!((constant.whiskers, constant.outliers), ([4.0, 4.0], vec![9.0]));
        assert_eq!(BoxStatistics::of(&[f64::NAN]), None);
    }
}
