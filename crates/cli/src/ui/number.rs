//! Formatting of numbers.

use pegwise_game::Count;
pub(crate) use pegwise_labstats::grouped;

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
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
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
    fn large_counts_are_rounded() {
        assert_eq!(count(Count::Exact(1296)), "1,296");
        assert_eq!(count(Count::Exact(10u128.pow(20))), "1.0e20");
        assert_eq!(count(Count::Power { base: 100, exponent: 100 }), "100^100 (about 1.0e200)");
    }
}
