//! Formatting of numbers.

use pegwise_game::Count;

/// Formats a number with commas between groups of three digits.
pub(crate) fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count of codes, in scientific notation if it is large.
pub(crate) fn count(count: Count) -> String {
    const READABLE: u128 = 1_000_000_000_000_000;
    match count.exact() {
        Some(exact) if exact < READABLE => grouped(exact),
        Some(exact) => format!("{:.1e}", exact as f64),
        None => count.to_string(),
    }
}

/// Formats a count of codes with the word "codes".
pub(crate) fn codes(count: Count) -> String {
    let text = self::count(count);
    if count.exact() == Some(1) { format!("{text} code") } else { format!("{text} codes") }
}

/// Formats a number with its noun: `1 guess`, `2 guesses`.
pub(crate) fn things(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number as u128), if number == 1 { one } else { many })
}

/// Formats a duration.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        ..0.001 => "under 1 ms".to_owned(),
        ..1.0 => format!("{:.0} ms", seconds * 1000.0),
        _ => format!("{seconds:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_digits() {
        let texts = [0u32, 7, 999, 1000, 1296, 123_456, 1_048_576].map(grouped);
        assert_eq!(texts, ["0", "7", "999", "1,000", "1,296", "123,456", "1,048,576"]);
        assert_eq!(count(Count::Exact(10u128.pow(20))), "1.0e20");
        assert_eq!(count(Count::Power { base: 100, exponent: 100 }), "100^100 (about 1.0e200)");
    }
}
