//! How often the true mistake is found, and how far up the list, when a player who follows the hints writes one turn down
//! wrong, as the model of mistakes has it, and ends in a contradiction.
//!
//! Beside how often the truth was first, and among the first three, stands how often it is so at best: the mean likelihood of
//! what is listed there, by the model that the mistakes are drawn from. Boards can be named to look at no others:
//!
//! `cargo bench -p pegwise-benches --bench repairs -- 4x6 5x8`

#[path = "../crates/coach/tests/shared/mistakes.rs"]
mod mistakes;

use std::{io::Write as _, time::Instant};

use mistakes::Outcome;
use pegwise_coach::RepairKind;
use pegwise_game::Rules;
use pegwise_solve::catalog;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:<18}{:<11}{:>7}{:>16}{:>8}{:>9}{:>10}{:>10}{:>10}{:>10}{:>13}{:>13}",
        "rules",
        "mistake",
        "games",
        "contradictions",
        "found",
        "repairs",
        "first %",
        "at best",
        "three %",
        "at best",
        "ms on mean",
        "ms at most"
    )?;
    let mut sensitivity: Vec<(&str, Tally)> = Vec::new();
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (text, games) in
        [("4x6", 1000), ("5x8", 1000), ("6x9", 1000), ("grid:2x2x6", 200), ("4x6:higher-lower", 200), ("10x10", 20)]
    {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == text) {
            continue;
        }
        let rules: Rules = text.parse().expect("these rules are well formed");
        let mut strategy = catalog::strategy("adaptive", &rules).expect("it plays every board");
        let mut tally = Tally::default();
        for seed in 0.. {
            tally.add(mistakes::any_game(&rules, &mut *strategy, seed));
            if tally.games == games {
                break;
            }
        }
        tally.tell(&mut out, text, "any")?;
        sensitivity.push((text, tally));
        // One by one, what is hard to find shows.
        for kind in mistakes::KINDS {
            let mut tally = Tally::default();
            for seed in 0..games as u64 / 5 {
                tally.add(mistakes::game(&rules, &mut *strategy, kind, seed));
            }
            tally.tell(&mut out, text, &format!("{kind:?}").to_lowercase())?;
        }
    }
    writeln!(out, "\n{:<18}{:<44}{:>10}{:>10}", "rules", "odds, were they these", "first %", "three %")?;
    for (text, tally) in &sensitivity {
        tell_other_odds(&mut out, text, &tally.contradictory)?;
    }
    Ok(())
}

/// Other odds than those of the model, in the order of [`mistakes::MODEL`]: flatter ones, the model's own, and ones by which
/// misread pegs outweigh the rest more and more. None of them was ever counted.
const OTHER_ODDS: [[f64; 6]; 5] = [
    [0.35, 0.25, 0.15, 0.12, 0.08, 0.05],
    [0.60, 0.12, 0.15, 0.07, 0.03, 0.03],
    [0.70, 0.10, 0.10, 0.05, 0.03, 0.02],
    [0.80, 0.06, 0.08, 0.03, 0.015, 0.015],
    [0.90, 0.03, 0.04, 0.015, 0.0075, 0.0075],
];

/// What the same games tell with other odds: each counts for as much more as its mistake is more common, and repairs are
/// ranked anew.
fn tell_other_odds(out: &mut impl std::io::Write, text: &str, games: &[Game]) -> std::io::Result<()> {
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

/// A game that ended in a contradiction: what happened, every repair, and where the true one stands.
struct Game {
    kind: RepairKind,
    repairs: Vec<(RepairKind, f64)>,
    place: Option<usize>,
}

/// Games with a mistake, how they ended, and where the truth stood.
#[derive(Default)]
struct Tally {
    games: usize,
    contradictory: Vec<Game>,
    contradictions: usize,
    found: usize,
    repairs: usize,
    first: usize,
    three: usize,
    /// How likely the first repair and the first three are by the model, summed: no order of the same repairs does better.
    best_first: f64,
    best_three: f64,
    seconds: f64,
    longest: f64,
}

impl Tally {
    fn add(&mut self, outcome: Outcome) {
        self.games += usize::from(!matches!(outcome, Outcome::Flawless));
        let Outcome::Contradiction(game) = outcome else { return };
        let started = Instant::now();
        let (mended, place) = mistakes::mended(&game);
        let took = started.elapsed().as_secs_f64();
        (self.seconds, self.longest) = (self.seconds + took, self.longest.max(took));
        self.contradictions += 1;
        let repairs = mended.repairs.iter().map(|repair| (repair.kind, repair.likelihood)).collect();
        self.contradictory.push(Game { kind: game.kind, repairs, place });
        self.repairs += mended.repairs.len();
        self.found += usize::from(place.is_some());
        self.first += usize::from(place == Some(0));
        self.three += usize::from(place.is_some_and(|place| place < 3));
        let likelihood = |most: usize| mended.repairs.iter().take(most).map(|repair| repair.likelihood).sum::<f64>();
        (self.best_first, self.best_three) = (self.best_first + likelihood(1), self.best_three + likelihood(3));
        assert!(place.is_some() || !mended.complete, "the truth is missing from a whole list: {:?}", game.notes);
    }

    fn tell(&self, out: &mut impl std::io::Write, text: &str, kind: &str) -> std::io::Result<()> {
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
