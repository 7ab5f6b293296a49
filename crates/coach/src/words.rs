//! Words for people.

/// A number of things: `1 code`, `2 codes`.
pub(crate) fn things(number: impl Into<u128>, one: &str, many: &str) -> String {
    let number = number.into();
    format!("{number} {}", if number == 1 { one } else { many })
}
