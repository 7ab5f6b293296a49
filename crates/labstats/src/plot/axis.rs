//! Axes: scales, units, and round tick values.

/// Scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Linear.
    #[default]
    Linear,
    /// Logarithmic. Values that are not positive are drawn at the low end.
    Log,
}

/// Description of an axis.
///
/// ```
/// use pegwise_labstats::plot::{Axis, Scale, AxisUnit};
/// let axis = Axis { scale: Scale::Log, unit: AxisUnit::Seconds, ..Axis::new("time per game") };
/// assert_eq!(axis.label, "time per game");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// Label: the quantity, and its unit if the tick labels do not show it.
    pub label: String,
    /// Number format of the tick labels.
    pub unit: AxisUnit,
    /// Scale.
    pub scale: Scale,
    /// Named values to use as ticks instead of round numbers, such as boards placed by their number of codes.
    pub names: Vec<(f64, String)>,
}

impl Axis {
    /// Creates a linear axis of plain numbers.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// Fits the axis to the range of `values`.
    pub(crate) fn fit(&self, values: impl IntoIterator<Item = f64>) -> FittedAxis {
        let usable = |value: &f64| value.is_finite() && (self.scale == Scale::Linear || *value > 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(usable) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        // Named ticks do not need round ends.
        if !self.names.is_empty() && low < high {
            return FittedAxis { low, high, log: self.scale == Scale::Log, ticks: self.names.clone() };
        }
        match self.scale {
            Scale::Linear => self.fit_linear(low, high),
            Scale::Log => self.fit_log(low, high),
        }
    }

    fn fit_linear(&self, low: f64, high: f64) -> FittedAxis {
        let (low, high) = if high > low { (low, high) } else { (low - 0.5, high + 0.5) };
        let step = round_step((high - low) / 5.0);
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let ticks = (first as i64..=last as i64).map(|index| index as f64 * step);
        let ticks = ticks.map(|value| (value, self.unit.text(value, decimals))).collect();
        FittedAxis { low: first * step, high: last * step, log: false, ticks: self.named(ticks) }
    }

    fn fit_log(&self, low: f64, high: f64) -> FittedAxis {
        let decades = (high / low).log10();
        // A short range needs ticks between the powers of ten; a long range skips some powers.
        let factors: &[f64] = if decades < 1.3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let every = if decades > 8.0 { (decades / 6.0).ceil() as i32 } else { 1 };
        let (first, last) = (low.log10().floor() as i32 - 1, high.log10().ceil() as i32 + 1);
        let powers = (first..=last).filter(|power| power.rem_euclid(every) == 0);
        let marks: Vec<f64> =
            powers.flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power))).collect();
        let below = marks.iter().rposition(|&mark| mark <= low * 1.0001).unwrap_or(0);
        let above =
            marks.iter().position(|&mark| mark >= high * 0.9999 && mark > marks[below]).unwrap_or(marks.len() - 1);
        let marks = &marks[below..=above];
        let ticks = marks.iter().map(|&value| (value, self.unit.short(value))).collect();
        FittedAxis { low: marks[0], high: marks[marks.len() - 1], log: true, ticks: self.named(ticks) }
    }

    fn named(&self, ticks: Vec<(f64, String)>) -> Vec<(f64, String)> {
        if self.names.is_empty() { ticks } else { self.names.clone() }
    }
}

/// An axis with fixed ends and ticks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FittedAxis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    log: bool,
    pub(crate) ticks: Vec<(f64, String)>,
}

impl FittedAxis {
    /// Creates a linear axis with these ends and ticks.
    pub(crate) fn between(low: f64, high: f64, ticks: Vec<(f64, String)>) -> Self {
        Self { low, high, log: false, ticks }
    }

    /// Returns the position of a value: 0 at the low end, 1 at the high end.
    pub(crate) fn position_of(&self, value: f64) -> f64 {
        let place = if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        place.clamp(0.0, 1.0)
    }

    /// Extends both ends by `share` of the length, so that marks at the ends do not touch the frame.
    pub(crate) fn padded(mut self, share: f64) -> Self {
        if self.log {
            let factor = (self.high / self.low).powf(share);
            (self.low, self.high) = (self.low / factor, self.high * factor);
        } else {
            let more = (self.high - self.low) * share;
            (self.low, self.high) = (self.low - more, self.high + more);
        }
        self
    }
}

/// Returns the smallest of 1, 2, 5, 10, … times a power of ten that is at least `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least * 0.999);
    factor.unwrap_or(10.0) * power
}

/// Number format of tick labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AxisUnit {
    /// Plain numbers, large ones with `k`, `M` or `G`.
    #[default]
    Plain,
    /// Percentages.
    Percent,
    /// Times from nanoseconds to seconds; minutes would not be round on a log scale.
    Seconds,
}

impl AxisUnit {
    /// Formats a tick of a linear axis whose steps need `decimals` decimals.
    pub(crate) fn text(self, value: f64, decimals: usize) -> String {
        match self {
            Self::Plain if decimals > 0 => format!("{value:.decimals$}"),
            Self::Percent => format!("{value:.decimals$} %"),
            _ => self.short(value),
        }
    }

    /// Formats a number in as few characters as possible.
    pub(crate) fn short(self, value: f64) -> String {
        let units: &[(f64, &str)] = match self {
            Self::Plain => &[(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")],
            Self::Percent => &[(1.0, " %")],
            Self::Seconds => &[(1.0, " s"), (1e-3, " ms"), (1e-6, " µs"), (1e-9, " ns")],
        };
        if value == 0.0 {
            return "0".to_owned();
        }
        let &(size, name) =
            units.iter().find(|(size, _)| value.abs() >= size * 0.999_999).unwrap_or(&units[units.len() - 1]);
        let count = value / size;
        if count.abs() >= 10_000.0 || count.abs() < 0.001 {
            return format!("{count:.0e}{name}");
        }
        // `Display` writes the shortest text of the rounded number.
        format!("{}{name}", (count * 1000.0).round() / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64]) -> Vec<String> {
        axis.fit(values.iter().copied()).ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn marks_are_round_and_hold_the_values() {
        assert_eq!(labels(&Axis::new(""), &[0.0, 48.0]), ["0", "10", "20", "30", "40", "50"]);
        assert_eq!(labels(&Axis::new(""), &[4.41, 4.52]), ["4.40", "4.45", "4.50", "4.55"]);
        let log = Axis { scale: Scale::Log, ..Axis::default() };
        assert_eq!(labels(&log, &[30.0, 250_000.0]), ["10", "100", "1k", "10k", "100k", "1M"]);
        assert_eq!(labels(&log, &[30.0, 180.0]), ["20", "50", "100", "200"]);
        let time = Axis { unit: AxisUnit::Seconds, ..log };
        assert_eq!(labels(&time, &[2e-5, 0.004]), ["10 µs", "100 µs", "1 ms", "10 ms"]);
    }

    #[test]
    fn named_values_reach_from_end_to_end() {
        let names = vec![(1296.0, "4x6".to_owned()), (32768.0, "5x8".to_owned())];
        let axis = Axis { scale: Scale::Log, names, ..Axis::default() };
        let fitted = axis.fit([1296.0, 32768.0]);
        assert_eq!((fitted.position_of(1296.0), fitted.position_of(32768.0)), (0.0, 1.0));
        assert_eq!(labels(&axis, &[1296.0]), ["4x6", "5x8"]);
    }

    #[test]
    fn odd_samples_still_give_an_axis() {
        for axis in [Axis::default(), Axis { scale: Scale::Log, ..Axis::default() }] {
            for values in [&[][..], &[0.0], &[5.0], &[f64::NAN, f64::INFINITY], &[0.0, 1e-9, 1e30]] {
                let fitted = axis.fit(values.iter().copied());
                assert!(fitted.low < fitted.high && !fitted.ticks.is_empty(), "{values:?}: {fitted:?}");
                assert!(values.iter().all(|&value| value.is_nan() || (0.0..=1.0).contains(&fitted.position_of(value))));
            }
        }
    }

    #[test]
    fn numbers_are_short() {
        let plain = [0.0, 0.5, 7.0, 999.0, 1500.0, 2e6, 3e9, 1e15].map(|value| AxisUnit::Plain.short(value));
        assert_eq!(plain, ["0", "0.5", "7", "999", "1.5k", "2M", "3G", "1e6G"]);
        let times = [1e-9, 2.5e-5, 0.001, 0.5, 1.0, 90.0, 7200.0].map(|value| AxisUnit::Seconds.short(value));
        assert_eq!(times, ["1 ns", "25 µs", "1 ms", "500 ms", "1 s", "90 s", "7200 s"]);
        assert_eq!(AxisUnit::Percent.text(12.0, 0), "12 %");
    }
}
