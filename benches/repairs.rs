//! How often the true mistake is found, and how far up the list, when a player who follows the hints writes one turn down
//! wrong and ends in a contradiction.
//!
//! `cargo bench -p pegwise-benches --bench repairs`

#[path = "../crates/coach/tests/mistakes/mod.rs"]
mod mistakes;

use std::{io::Write as _, time::Instant};

use pegwise_game::Rules;
use pegwise_solve::catalog;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:<18}{:<11}{:>7}{:>16}{:>8}{:>9}{:>10}{:>10}{:>13}{:>13}",
        "rules",
        "mistake",
        "games",
        "contradictions",
        "found",
        "repairs",
        "first %",
        "three %",
        "ms on mean",
        "ms at most"
    )?;
    for (text, games) in
        [("4x6", 1000), ("5x8", 500), ("grid:2x2x6", 200), ("4x6:higher-lower", 200), ("8x12", 20), ("10x10", 20)]
    {
        let rules: Rules = text.parse().expect("these rules are well formed");
        let mut strategy = catalog::strategy("adaptive", &rules).expect("it plays every board");
        for kind in mistakes::KINDS {
            let (mut contradictions, mut found, mut repairs, mut first, mut three) = (0, 0, 0, 0, 0);
            let (mut seconds, mut longest) = (0.0, 0f64);
            for seed in 0..games {
                let Some(game) = mistakes::game(&rules, &mut *strategy, kind, seed) else { continue };
                let started = Instant::now();
                let (mended, place) = mistakes::mended(&game);
                let took = started.elapsed().as_secs_f64();
                (seconds, longest) = (seconds + took, longest.max(took));
                contradictions += 1;
                repairs += mended.repairs.len();
                found += usize::from(place.is_some());
                first += usize::from(place == Some(0));
                three += usize::from(place.is_some_and(|place| place < 3));
                assert!(
                    place.is_some() || !mended.complete,
                    "{text}: the truth is missing from a whole list, seed {seed}"
                );
            }
            if contradictions == 0 {
                continue;
            }
            let share = |count: usize| 100.0 * count as f64 / contradictions as f64;
            let mean = |sum: f64| sum / contradictions as f64;
            writeln!(
                out,
                "{text:<18}{:<11}{games:>7}{contradictions:>16}{found:>8}{:>9.1}{:>10.1}{:>10.1}{:>13.1}{:>13.1}",
                format!("{kind:?}").to_lowercase(),
                mean(repairs as f64),
                share(first),
                share(three),
                1e3 * mean(seconds),
                1e3 * longest,
            )?;
        }
    }
    Ok(())
}
