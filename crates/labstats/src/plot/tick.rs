//! Numbers beside the marks of an axis.

/// How the numbers of an axis are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// As they are, large ones with `k`, `M` or `G`.
    #[default]
    Plain,
    /// As a share of a hundred.
    Percent,
    /// As a time, from nanoseconds to seconds: minutes would not be round on a log scale.
    Seconds,
}

impl Unit {
    /// A number of a linear axis, whose steps need so many decimals.
    pub(crate) fn text(self, value: f64, decimals: usize) -> String {
        match self {
            Self::Plain if decimals > 0 => format!("{value:.decimals$}"),
            Self::Percent => format!("{value:.decimals$} %"),
            _ => self.short(value),
        }
    }

    /// A number in as few characters as it needs.
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
        // Display writes no more digits than tell the rounded number.
        format!("{}{name}", (count * 1000.0).round() / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let plain = [0.0, 0.5, 7.0, 999.0, 1500.0, 2e6, 3e9, 1e15].map(|value| Unit::Plain.short(value));
        assert_eq!(plain, ["0", "0.5", "7", "999", "1.5k", "2M", "3G", "1e6G"]);
        let times = [1e-9, 2.5e-5, 0.001, 0.5, 1.0, 90.0, 7200.0].map(|value| Unit::Seconds.short(value));
        assert_eq!(times, ["1 ns", "25 µs", "1 ms", "500 ms", "1 s", "90 s", "7200 s"]);
        assert_eq!(Unit::Percent.text(12.0, 0), "12 %");
    }
}
