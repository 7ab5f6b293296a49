//! Scales of axes, and round numbers to mark on them.

use super::tick::Unit;

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal steps add equally.
    #[default]
    Linear,
    /// Equal steps multiply equally. Values that are not above zero stand at the low end.
    Log,
}

/// What an axis shows, and how.
///
/// ```
/// use pegwise_labstats::plot::{Axis, Scale, Unit};
/// let axis = Axis { scale: Scale::Log, unit: Unit::Seconds, ..Axis::new("time a game") };
/// assert_eq!(axis.label, "time a game");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// What is measured, and its unit if the marks do not show it.
    pub label: String,
    /// How numbers are written.
    pub unit: Unit,
    /// How values are spread.
    pub scale: Scale,
    /// Names for some values, marked instead of round numbers, such as boards by the number of their codes.
    pub names: Vec<(f64, String)>,
}

impl Axis {
    /// A linear axis of plain numbers.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// Fits the axis to the values it must show.
    pub(crate) fn fit(&self, values: impl IntoIterator<Item = f64>) -> FittedAxis {
        let usable = |value: &f64| value.is_finite() && (self.scale == Scale::Linear || *value > 0.0);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(usable) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        // Names need no round ends.
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
        // Few decades need marks between the powers of ten; many need some of those left out.
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

/// An axis that knows its ends and its marks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FittedAxis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    log: bool,
    pub(crate) ticks: Vec<(f64, String)>,
}

impl FittedAxis {
    /// A linear axis with these ends and marks.
    pub(crate) fn between(low: f64, high: f64, ticks: Vec<(f64, String)>) -> Self {
        Self { low, high, log: false, ticks }
    }

    /// Where a value stands: 0 at the low end, 1 at the high end.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let place = if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        place.clamp(0.0, 1.0)
    }

    /// Moves both ends out by a share of the length, so that marks at the ends do not touch the frame.
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

/// The next of 1, 2, 5, 10, … that is no smaller.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least * 0.999);
    factor.unwrap_or(10.0) * power
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
        let time = Axis { unit: Unit::Seconds, ..log };
        assert_eq!(labels(&time, &[2e-5, 0.004]), ["10 µs", "100 µs", "1 ms", "10 ms"]);
    }

    #[test]
    fn named_values_reach_from_end_to_end() {
        let names = vec![(1296.0, "4x6".to_owned()), (32768.0, "5x8".to_owned())];
        let axis = Axis { scale: Scale::Log, names, ..Axis::default() };
        let fitted = axis.fit([1296.0, 32768.0]);
        assert_eq!((fitted.place(1296.0), fitted.place(32768.0)), (0.0, 1.0));
        assert_eq!(labels(&axis, &[1296.0]), ["4x6", "5x8"]);
    }

    #[test]
    fn odd_samples_still_give_an_axis() {
        for axis in [Axis::default(), Axis { scale: Scale::Log, ..Axis::default() }] {
            for values in [&[][..], &[0.0], &[5.0], &[f64::NAN, f64::INFINITY], &[0.0, 1e-9, 1e30]] {
                let fitted = axis.fit(values.iter().copied());
                assert!(fitted.low < fitted.high && !fitted.ticks.is_empty(), "{values:?}: {fitted:?}");
                assert!(values.iter().all(|&value| value.is_nan() || (0.0..=1.0).contains(&fitted.place(value))));
            }
        }
    }
}
