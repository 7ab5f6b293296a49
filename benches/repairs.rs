//! Rank of the true repair after a player who follows the hints records one turn incorrectly, with a mistake drawn from the
//! model, and reaches a contradiction.
//!
//! The shares of games with the true repair first, and among the first three, are printed with their upper bounds: the mean
//! likelihood of these repairs under the model. Arguments restrict the boards:
//!
//! `cargo bench -p pegwise-benches --bench repairs -- 4x6 5x8`

#[path = "../crates/coach/tests/shared/mistakes.rs"]
mod mistakes;

use std::{io::Write as _, time::Instant};

use mistakes::MistakeOutcome;
use pegwise_coach::RepairKind;
use pegwise_game::Rules;
use pegwise_solve::catalog;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "rules             mistake      games  contradictions   found  repairs   first %   at best   three %   at best      mean ms       max ms"
    )?;
    let mut sensitivity: Vec<(&str, RepairStatistics)> = Vec::new();
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (text, games) in
        [("4x6", 1000), ("5x8", 1000), ("6x9", 1000), ("grid:2x2x6", 200), ("4x6:higher-lower", 200), ("10x10", 20)]
    {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == text) {
            continue;
        }
        let rules: Rules = text.parse().expect("these rules are well formed");
        let mut strategy = catalog::strategy("adaptive", &rules).expect("it plays every board");
        let mut tally = RepairStatistics::default();
        for seed in 0.. {
            tally.add(mistakes::any_game(&rules, &mut *strategy, seed));
            if tally.games == games {
                break;
            }
        }
        tally.print(&mut out, text, "any")?;
        sensitivity.push((text, tally));
        // By kind of mistake.
        for kind in mistakes::KINDS {
            let mut tally = RepairStatistics::default();
            for seed in 0..games as u64 / 5 {
                tally.add(mistakes::game(&rules, &mut *strategy, kind, seed));
            }
            tally.print(&mut out, text, &format!("{kind:?}").to_lowercase())?;
        }
    }
    writeln!(out, "\nrules             odds of the mistakes                           first %   three %")?;
    for (text, tally) in &sensitivity {
        print_other_odds(&mut out, text, &tally.contradictory)?;
    }
    Ok(())
}

/// Alternative odds in the order of [`mistakes::MODEL`]: flatter ones, those of the model, and ones with an increasing share of
/// misread pegs. None of them is based on data.
const OTHER_ODDS: [[f64; 6]; 5] = [
    [0.35, 0.25, 0.15, 0.12, 0.08, 0.05],
    [0.60, 0.12, 0.15, 0.07, 0.03, 0.03],
    [0.70, 0.10, 0.10, 0.05, 0.03, 0.02],
    [0.80, 0.06, 0.08, 0.03, 0.015, 0.015],
    [0.90, 0.03, 0.04, 0.015, 0.0075, 0.0075],
];

/// Prints the results of the same games for other odds: games are weighted by the ratio of the odds of their mistake, and repairs
/// are ranked again.
fn print_other_odds(out: &mut impl std::io::Write, text: &str, games: &[ContradictoryGame]) -> std::io::Result<()> {
    for odds in OTHER_ODDS {
        let more = |kind: RepairKind| {
            let model = mistakes::MODEL.iter().zip(odds).find(|((other, _), _)| *other == kind);
            model.map_or(0.0, |((_, own), odds)| odds / own)
        };
        let (mut all, mut first, mut three) = (0.0, 0.0, 0.0);
        for game in games {
            let weights: Vec<f64> = game.repairs.iter().map(|(kind, likelihood)| likelihood * more(*kind)).collect();
            let before = |place: usize| weights.iter().filter(|weight| **weight > weights[place]).count();
            let weight = more(game.kind);
            all += weight;
            first += weight * f64::from(u8::from(game.place.is_some_and(|place| before(place) == 0)));
            three += weight * f64::from(u8::from(game.place.is_some_and(|place| before(place) < 3)));
        }
        let [first, three] = [first, three].map(|sum| 100.0 * sum / f64::max(all, 1e-9));
        writeln!(out, "{text:<18}{:<44}{first:>10.1}{three:>10.1}", format!("{odds:?}"))?;
    }
    Ok(())
}

/// A game that ended in a contradiction: the kind of mistake, all repairs, and the rank of the true one.
struct ContradictoryGame {
    kind: RepairKind,
    repairs: Vec<(RepairKind, f64)>,
    place: Option<usize>,
}

/// Statistics of games with a mistake.
#[derive(Default)]
struct RepairStatistics {
    games: usize,
    contradictory: Vec<ContradictoryGame>,
    contradictions: usize,
    found: usize,
    repairs: usize,
    first: usize,
    three: usize,
    /// Sums of the likelihoods of the first repair and of the first three, which bound every order of the same repairs.
    best_first: f64,
    best_three: f64,
    seconds: f64,
    longest: f64,
}

impl RepairStatistics {
    fn add(&mut self, outcome: MistakeOutcome) {
        self.games += usize::from(!matches!(outcome, MistakeOutcome::Flawless));
        let MistakeOutcome::Contradiction(game) = outcome else { return };
        let started = Instant::now();
        let (mended, place) = mistakes::mended(&game);
        let took = started.elapsed().as_secs_f64();
        (self.seconds, self.longest) = (self.seconds + took, self.longest.max(took));
        self.contradictions += 1;
        let repairs = mended.repairs.iter().map(|repair| (repair.kind, repair.likelihood)).collect();
        self.contradictory.push(ContradictoryGame { kind: game.kind, repairs, place });
        self.repairs += mended.repairs.len();
        self.found += usize::from(place.is_some());
        self.first += usize::from(place == Some(0));
        self.three += usize::from(place.is_some_and(|place| place < 3));
        let likelihood = |count: usize| mended.repairs.iter().take(count).map(|repair| repair.likelihood).sum::<f64>();
        (self.best_first, self.best_three) = (self.best_first + likelihood(1), self.best_three + likelihood(3));
        let missing = place.is_none() && mended.complete;
        assert!(!missing, "the true repair is missing from a complete list: {:?}", game.notes);
    }

    fn print(&self, out: &mut impl std::io::Write, text: &str, kind: &str) -> std::io::Result<()> {
        let count = self.contradictions.max(1) as f64;
        writeln!(
            out,
            "{text:<18}{kind:<11}{:>7}{:>16}{:>8}{:>9.1}{:>10.1}{:>10.1}{:>10.1}{:>10.1}{:>13.1}{:>13.1}",
            self.games,
            self.contradictions,
            self.found,
            self.repairs as f64 / count,
            100.0 * self.first as f64 / count,
            100.0 * self.best_first / count,
            100.0 * self.three as f64 / count,
            100.0 * self.best_three / count,
            1e3 * self.seconds / count,
            1e3 * self.longest,
        )
    }
}
