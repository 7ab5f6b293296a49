//! Numbers in the tables of a report.

/// A number with its thousands parted by commas, and decimals while they matter.
pub(super) fn amount(value: f64, decimals: usize) -> String {
    let decimals = if value.abs() >= 1000.0 { decimals.min(1) } else { decimals };
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut parted = String::from(if value < 0.0 { "-" } else { "" });
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            parted.push(',');
        }
        parted.push(digit);
    }
    parted + fraction
}

/// A time, in the unit that suits it.
pub(super) fn time(seconds: f64) -> String {
    match seconds {
        ..0.0 => format!("-{}", time(-seconds)),
        0.0 => "0 s".to_owned(),
        ..1e-6 => format!("{:.0} ns", seconds * 1e9),
        ..1e-3 => format!("{:.1} µs", seconds * 1e6),
        ..1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{} s", amount(seconds, 2)),
    }
}

/// A chance, with as many digits as anyone reads.
pub(super) fn chance(p: Option<f64>) -> String {
    match p {
        None => "–".to_owned(),
        Some(..1e-4) => "< 0.0001".to_owned(),
        Some(p) => format!("{p:.4}"),
    }
}

/// A value that may be missing.
pub(super) fn or_dash(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(
            [4.4137, 999.96, 1295.55, -1_234_567.0].map(|value| amount(value, 3)),
            ["4.414", "999.960", "1,295.5", "-1,234,567.0"]
        );
        assert_eq!([0.0, 2e-7, 1.25e-5, 0.0312, 75.5].map(time), ["0 s", "200 ns", "12.5 µs", "31.2 ms", "75.50 s"]);
        assert_eq!([None, Some(3e-9), Some(0.0413)].map(chance), ["–", "< 0.0001", "0.0413"]);
    }
}
