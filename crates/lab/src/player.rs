//! One strategy at its games, one after the other.

use std::{ops::ControlFlow, sync::atomic::AtomicBool};

use pegwise_game::Code;
use pegwise_solve::{
    Game, GameError, Limits, Rng, Search, Strategy,
    catalog::{self, CatalogError},
    codemaker::{CodemakerError, Fixed},
    play, seeds,
};

use crate::experiment::Cell;

/// A played game.
#[derive(Debug, Clone)]
pub struct Played {
    /// The code that was to be broken.
    pub secret: Code,
    /// The game.
    pub game: Game,
    /// Whether the strategy drew anything at random: if not, it plays this secret so every time.
    pub random: bool,
}

/// Plays games of a cell, in any order. The strategy is kept between games with the tables it made; every game begins with
/// no turns, so nothing of one game shows in the next.
pub struct Player {
    cell: Cell,
    /// The texts that the streams are named by.
    rules: String,
    strategy: String,
    seed: u64,
    limits: Limits,
    player: Box<dyn Strategy>,
    codemaker: Fixed,
}

impl Player {
    /// Makes the strategy of a cell.
    pub fn new(cell: Cell, seed: u64, limits: Limits) -> Result<Self, CatalogError> {
        let player = catalog::build(&cell.strategy, &cell.rules)?;
        // Those that cannot make use of a list play as ever.
        let informed = cell.deck.list().and_then(|secrets| player.for_secrets(secrets));
        let player = informed.unwrap_or(player);
        let (rules, strategy) = (cell.rules.to_string(), cell.strategy.to_string());
        let codemaker = Fixed::random(&cell.rules, &mut Rng::new(seed));
        Ok(Self { cell, rules, strategy, seed, limits, player, codemaker })
    }

    /// What is played.
    #[must_use]
    pub fn cell(&self) -> &Cell {
        &self.cell
    }

    /// Plays the game with this number; a raised flag breaks it off, and then it counts for nothing.
    pub fn play(&mut self, number: u64, cancel: &AtomicBool) -> Result<Played, GameError> {
        let deck = &self.cell.deck;
        let (game, repeat) = (number % deck.len(), number / deck.len());
        let secret = deck.secret(game);
        let rng = seeds::strategy_stream(self.seed, &self.rules, &self.strategy, game, repeat);
        let untouched = rng.clone();
        let mut search = Search::with_rng(rng).with_limits(self.limits).with_cancel(cancel);
        let lies = match self.cell.rules.lies() {
            // Nobody would draw from the stream, and making it costs as much as half a guess.
            0 => 0,
            _ => seeds::lie_stream(self.seed, &self.rules, game, repeat).word(),
        };
        self.codemaker.hide(secret.clone(), lies).map_err(CodemakerError::from)?;
        let cancelled = |_: &_| {
            let raised = cancel.load(std::sync::atomic::Ordering::Relaxed);
            if raised { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let game = play(&self.cell.rules, &mut *self.player, &mut self.codemaker, &mut search, cancelled)?;
        Ok(Played { secret, game, random: search.rng != untouched })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Experiment, Secrets};

    #[test]
    fn secrets_drawn_by_weight_come_from_the_list_and_strategies_know_it() {
        let list = "111 5\n222\n333 0\n444 2\n".into();
        let strategies = vec!["entropy".parse().unwrap(), "evorank".parse().unwrap()];
        let secrets = Secrets::Weighted { list, games: 40 };
        let experiment = Experiment::new(vec!["3x6".parse().unwrap()], strategies, secrets).unwrap().with_seed(3);
        let never = AtomicBool::new(false);
        let mut drawn = std::collections::BTreeMap::new();
        for cell in experiment.cells() {
            let informed = cell.strategy.row().name == "entropy";
            let mut player = Player::new(cell, 3, Limits::default()).unwrap();
            for number in 0..40 {
                let Played { secret, game, .. } = player.play(number, &never).unwrap();
                *drawn.entry(secret.notation(6).to_string()).or_insert(0) += 1;
                assert!(!informed || game.guesses() <= 3);
            }
        }
        assert_eq!(drawn.keys().collect::<Vec<_>>(), ["111", "222", "444"]);
        assert!(drawn["111"] > drawn["444"] && drawn["444"] > 0, "{drawn:?}");
    }

    /// A single game is game 0 of its seed: the laboratory plays what `pegwise solve` and the page play.
    #[test]
    fn game_zero_is_the_single_game_of_the_seed() {
        for text in ["4x6", "4x6:lies=1"] {
            let (rules, spec): (pegwise_game::Rules, pegwise_solve::Spec) =
                (text.parse().unwrap(), "random-consistent".parse().unwrap());
            let experiment = Experiment::new(vec![rules.clone()], vec![spec.clone()], Secrets::Drawn(1)).unwrap();
            let cell = experiment.with_seed(7).cells().remove(0);
            let played = Player::new(cell, 7, Limits::default()).unwrap().play(0, &AtomicBool::new(false)).unwrap();
            let secret = seeds::secret(7, &rules);
            assert_eq!(played.secret, secret);
            let mut codemaker = Fixed::new(&rules, secret).unwrap().with_seed(seeds::lies(7, &rules));
            let mut search = Search::with_rng(seeds::strategy(7, &rules, &spec));
            let mut player = catalog::build(&spec, &rules).unwrap();
            let game = play(&rules, &mut *player, &mut codemaker, &mut search, |_| ControlFlow::Continue(())).unwrap();
            assert_eq!(format!("{:?}", played.game.turns), format!("{:?}", game.turns), "{text}");
        }
    }

    #[test]
    fn what_draws_nothing_is_told_from_what_draws() {
        let strategies = ["knuth", "greedy-1", "random-consistent", "entropy(ties=random)"];
        let strategies = strategies.map(|strategy| strategy.parse().unwrap()).to_vec();
        let experiment = Experiment::new(vec!["4x6".parse().unwrap()], strategies, Secrets::Drawn(5)).unwrap();
        let never = AtomicBool::new(false);
        for cell in experiment.cells() {
            let expected = cell.strategy.to_string().contains("random");
            let mut player = Player::new(cell, 1, Limits::default()).unwrap();
            let random = (0..5).any(|number| player.play(number, &never).unwrap().random);
            assert_eq!(random, expected, "{}", player.cell().strategy);
        }
    }

    /// Rows must not depend on which games a thread played before.
    #[test]
    fn games_do_not_depend_on_the_games_before_them() {
        let strategies: Vec<_> = catalog::rows().iter().map(|row| row.name.parse().unwrap()).collect();
        for rules in ["3x4", "4x6", "grid:2x2x3"] {
            let rules: pegwise_game::Rules = rules.parse().unwrap();
            let can_play = strategies.iter().filter(|spec: &&pegwise_solve::Spec| spec.row().can_play(&rules));
            let can_play = can_play.cloned().collect();
            let experiment = Experiment::new(vec![rules], can_play, Secrets::Drawn(6)).unwrap();
            let never = AtomicBool::new(false);
            for cell in experiment.cells() {
                let name = format!("{} at {}", cell.strategy, cell.rules);
                let new = || Player::new(cell.clone(), 1, Limits::default()).unwrap();
                let mut kept = new();
                for number in [3, 1, 4, 0, 5, 3] {
                    let (one, other) = (kept.play(number, &never).unwrap(), new().play(number, &never).unwrap());
                    let turns = |game: &Game| format!("{:?}", game.turns);
                    assert_eq!(turns(&one.game), turns(&other.game), "{name}: game {number}");
                    assert_eq!(one.game.counts, other.game.counts, "{name}: game {number}");
                    assert_eq!(one.random, other.random, "{name}: game {number}");
                }
            }
        }
    }
}
