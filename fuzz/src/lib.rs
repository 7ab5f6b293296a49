//! Code shared by the fuzz targets.

use pegwise_game::Rules;

/// Rules whose codes or feedback have different notations.
const RULES: [&str; 8] = [
    "4x6",
    "4x10:no-repeats",
    "3x40",
    "1x12",
    "grid:2x2x3",
    "4x6:distance",
    "3x5:higher-lower",
    "20x20:black-only",
];

/// Selects rules by a byte.
#[must_use]
pub fn rules(which: u8) -> Rules {
    RULES[usize::from(which) % RULES.len()].parse().expect("well formed")
}
