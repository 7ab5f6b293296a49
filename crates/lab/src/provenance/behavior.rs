//! How a strategy behaves, as one number.

use std::{fmt, str::FromStr, sync::atomic::AtomicBool};

use pegwise_game::Rules;
use pegwise_solve::{Game, Limits, ParameterKind, Spec, catalog};
use serde::Serialize;

use crate::{
    experiment::{Experiment, Secrets},
    fingerprint::Fingerprint,
    player::Player,
};

/// What is played: boards small enough that all of it takes milliseconds, of each kind that strategies treat apart.
const BOARDS: [&str; 4] = ["3x4", "4x5:no-repeats", "3x4:black-only", "grid:2x2x3"];
/// The first guesses of a large one, for those that play any size: they may treat it in another way.
const LARGE: &str = "10x10:max-guesses=2";
/// A board that only they can play.
const HUGE: &str = "60x60";
/// What those play that can play none of these.
const CLASSIC: &str = "4x6";
/// How many games of each.
const GAMES: u64 = 3;
const SEED: u64 = 1;
/// Bounds the work of those who search long; a limit on counts is the same on every machine.
const LIMITS: Limits = Limits { examined: Some(500), nodes: Some(500), time: None };

/// How a strategy with its parameters behaves: guesses and counts of its games on a few small boards, as one number.
/// Strategies that differ on these boards differ in it; those that only differ elsewhere may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Behavior(u64);

/// The behavior of a strategy of this program.
///
/// ```
/// use pegwise_lab::behavior_of;
/// let (knuth, entropy) = (behavior_of(&"knuth".parse()?), behavior_of(&"entropy".parse()?));
/// assert_eq!(knuth, behavior_of(&"knuth".parse()?));
/// assert_ne!(knuth, entropy);
/// assert_eq!(knuth.to_string().parse(), Ok(knuth));
/// # Ok::<(), pegwise_solve::SpecError>(())
/// ```
#[must_use]
pub fn behavior_of(spec: &Spec) -> Behavior {
    // Nobody knows what another program does when it is asked a second time: it is known by its file.
    if let Some(fingerprint) = catalog::fingerprint_of(spec.row()) {
        return Behavior(fingerprint);
    }
    let mut fingerprint = Fingerprint::new();
    play(spec, &mut fingerprint);
    Behavior(fingerprint.value())
}

/// Adds the games of a strategy to `fingerprint`, and returns their work: codes examined, feedbacks computed and steps of a search.
fn play(spec: &Spec, fingerprint: &mut Fingerprint) -> u64 {
    let mut add = |board, count| add_board(fingerprint, spec, board, count);
    let small: Vec<u64> = BOARDS.iter().filter_map(|board| add(board, GAMES)).collect();
    let any_size = HUGE.parse().is_ok_and(|huge| spec.row().can_play(&huge));
    let large = if any_size { add(LARGE, 1) } else { None };
    let classic = if small.is_empty() { add(CLASSIC, GAMES) } else { None };
    small.into_iter().chain(large).chain(classic).sum()
}

/// Adds the games on a board to `fingerprint`, and returns their work; `None` if the strategy cannot play it.
fn add_board(fingerprint: &mut Fingerprint, spec: &Spec, board: &str, count: u64) -> Option<u64> {
    let rules = board.parse::<Rules>().ok()?;
    let spec = fitting(spec, &rules)?;
    fingerprint.add(board.as_bytes());
    // That it gives up is a part of how a strategy behaves.
    let games = games(&rules, spec, count).unwrap_or_default();
    games.iter().for_each(|game| add(fingerprint, game));
    Some(games.iter().map(|game| game.counts).map(|counts| counts.examined + counts.scored + counts.nodes).sum())
}

/// The strategy with its parameters, but for codes of another board.
fn fitting(spec: &Spec, rules: &Rules) -> Option<Spec> {
    if catalog::build(spec, rules).is_ok() {
        return Some(spec.clone());
    }
    let row = spec.row();
    let kept = row.parameters.iter().filter(|parameter| !matches!(parameter.kind, ParameterKind::CodeOr(_)));
    let kept = kept.map(|parameter| format!("{}={}", parameter.name, spec.arguments().text(parameter.name)));
    let spec: Spec = format!("{}({})", row.name, kept.collect::<Vec<_>>().join(",")).parse().ok()?;
    catalog::build(&spec, rules).is_ok().then_some(spec)
}

fn games(rules: &Rules, spec: Spec, count: u64) -> Option<Vec<Game>> {
    let experiment = Experiment::new(vec![rules.clone()], vec![spec], Secrets::Drawn(count)).ok()?.with_seed(SEED);
    let cell = experiment.cells().into_iter().next()?;
    let mut player = Player::new(cell, SEED, LIMITS).ok()?;
    let never = AtomicBool::new(false);
    (0..count).map(|number| player.play(number, &never).ok().map(|played| played.game)).collect()
}

fn add(fingerprint: &mut Fingerprint, game: &Game) {
    for turn in &game.turns {
        turn.guess.iter().for_each(|color| fingerprint.add(&(color.index() as u16).to_le_bytes()));
    }
    let counts = game.counts;
    for count in [counts.examined, counts.consistent, counts.scored, counts.nodes] {
        fingerprint.add(&count.to_le_bytes());
    }
}

impl fmt::Display for Behavior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Behavior {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u64::from_str_radix(text, 16).map(Self)
    }
}

impl Serialize for Behavior {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_behaves_in_its_own_way_and_always_alike() {
        for row in catalog::rows() {
            let spec = row.spec();
            let behavior = behavior_of(&spec);
            assert_eq!(behavior, behavior_of(&spec), "{}", row.name);
            assert_ne!(behavior, Behavior(Fingerprint::new().value()), "{} plays none of the boards", row.name);
        }
    }

    #[test]
    fn behavior_takes_little_work() {
        for row in catalog::rows() {
            let work = play(&row.spec(), &mut Fingerprint::new());
            assert!(work < 1_000_000, "{}: {work}", row.name);
        }
    }

    #[test]
    fn parameters_are_behavior_and_codes_of_other_boards_are_left_out() {
        let behavior = |text: &str| behavior_of(&text.parse().unwrap());
        assert_ne!(behavior("entropy"), behavior("entropy(guesses=consistent)"));
        assert_eq!(behavior("knuth(first=112233)"), behavior("knuth"));
    }
}
