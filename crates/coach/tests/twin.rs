//! Every exact number that a player sees agrees with a naive program. The benchmark `advice` looks at many more positions.

#[path = "twin/mod.rs"]
mod naive;

use naive::{Tally, Twin};

#[test]
fn exact_numbers_are_those_of_a_naive_program() {
    for (text, positions) in [("4x6", 12), ("5x8", 3), ("3x20", 3), ("4x20", 1), ("grid:2x2x4", 9), ("grid:3x3x3", 1)] {
        let twin = Twin::new(text);
        let mut tally = Tally::default();
        for seed in 0..positions {
            twin.look(1 + seed as usize % 3, 1000 + seed, &mut tally);
        }
        assert!(tally.exact >= 10 * tally.positions, "{text}: {tally:?}");
    }
}
