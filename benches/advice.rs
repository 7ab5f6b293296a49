//! Compares every number of hints and analyses with a reference implementation that lists all codes: exact numbers must be
//! equal, and the confidence intervals of estimates must have about the stated coverage.
//!
//! `cargo bench -p pegwise-benches --bench advice`, with `-- SEED` for other positions, or `-- SEED estimates` for only the boards
//! with estimates

#[path = "../crates/coach/tests/shared/reference.rs"]
mod reference;

use std::io::Write as _;

use reference::{ComparisonTally, Reference};

/// Boards on which every number is exact, and the number of positions.
const EXACT: [(&str, u64); 6] =
    [("4x6", 60), ("5x8", 40), ("3x20", 30), ("4x20", 10), ("grid:2x2x4", 40), ("grid:3x3x3", 20)];
/// Boards on which numbers are estimated, small enough for the reference implementation.
const ESTIMATED: [(&str, u64); 5] = [
    ("grid:2x4x6", 40),
    ("grid:3x3x5", 40),
    ("ring:9x5", 30),
    ("grid:2x5x4", 30),
    ("lines:1.2.3.4/4.5.6/6.7.8.1x6", 20),
];

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let seed = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(77_000u64);
    writeln!(out, "rules                             positions   exact  estimates  covered %  others")?;
    let mut all = ComparisonTally::default();
    let exact = if std::env::args().any(|word| word == "estimates") { &[][..] } else { &EXACT };
    for &(text, positions) in exact.iter().chain(&ESTIMATED) {
        let reference = Reference::new(text);
        let mut tally = ComparisonTally::default();
        for at in 0..positions {
            reference.check_position(1 + at as usize % 3, seed + at, &mut tally);
        }
        print_row(&mut out, text, &tally)?;
        all.positions += tally.positions;
        all.exact += tally.exact;
        all.others += tally.others;
        all.estimates += tally.estimates;
        all.covered += tally.covered;
    }
    print_row(&mut out, "all", &all)?;
    assert!(all.estimates >= 100, "too few estimates");
    assert!((90.0..=99.0).contains(&all.coverage()), "coverage {:.1} %", all.coverage());
    Ok(())
}

fn print_row(out: &mut impl std::io::Write, text: &str, tally: &ComparisonTally) -> std::io::Result<()> {
    let ComparisonTally { positions, exact, estimates, others, .. } = tally;
    writeln!(out, "{text:<32}{positions:>11}{exact:>8}{estimates:>11}{:>11.1}{others:>8}", tally.coverage())
}
