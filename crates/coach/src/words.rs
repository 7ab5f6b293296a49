//! Words for people.

use crate::figure::{Amount, Size};
use pegwise_game::Count;

/// A number of things: `1 code`, `2 codes`.
pub(crate) fn things(number: impl Into<u128>, one: &str, many: &str) -> String {
    let number = number.into();
    format!("{number} {}", if number == 1 { one } else { many })
}

/// An amount of codes, whole numbers without commas.
pub(crate) fn codes(amount: Amount) -> String {
    match amount {
        Amount::Exact(Size::Count(Count::Exact(count))) => things(count, "code", "codes"),
        amount => amount.codes(),
    }
}
