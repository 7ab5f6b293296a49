//! Words for people.

use pegwise_game::Count;

/// A number of things: `1 code`, `2 codes`.
pub(crate) fn things(number: impl Into<u128>, one: &str, many: &str) -> String {
    let number = number.into();
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A number of codes.
pub(crate) fn codes(count: Count) -> String {
    match count.exact() {
        Some(count) => things(count, "code", "codes"),
        None => format!("{count} codes"),
    }
}

/// An average number of codes, with as many digits as matter.
pub(crate) fn average(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        ..1000.0 => format!("{value:.1}"),
        ..1e9 => format!("{value:.0}"),
        _ => format!("{value:.1e}"),
    }
}
