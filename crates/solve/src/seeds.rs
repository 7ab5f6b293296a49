//! Random streams derived from a seed: the same for the command, the page, Python and the laboratory.
//!
//! A seed identifies a sequence of numbered games. The secret of a game, the decisions of a strategy in it and the lies of
//! its codemaker come from separate streams, each derived from the seed, the rules, the number of the game and, for a
//! strategy, its name and parameters. No stream depends on earlier games, on other strategies or on the thread, so all
//! strategies meet the same secrets and any game can be replayed alone. A single game, such as one of `pegwise solve` or of
//! the page, is game 0: seed 7 at 4x6 hides 1656 everywhere.

use pegwise_game::{Code, Rules};

use crate::spec::Spec;
use pegwise_search::{Rng, secrets::SecretList};

/// Default seed of commands, experiments and requests that do not draw one.
pub const DEFAULT_SEED: u64 = 1;

/// Returns the secret of a single game.
///
/// ```
/// use pegwise_solve::seeds;
/// let rules = "4x6".parse().unwrap();
/// assert_eq!(seeds::secret(7, &rules).notation(6).to_string(), "1656");
/// ```
pub fn secret(seed: u64, rules: &Rules) -> Code {
    secret_stream(seed, &rules.to_string(), 0).code(rules)
}

/// Returns the secret of a single game whose secret is on a list.
pub fn listed_secret(seed: u64, secrets: &SecretList) -> Code {
    secrets.draw(&mut secret_stream(seed, &secrets.rules().to_string(), 0)).clone()
}

/// Returns the stream that a strategy draws from in a single game.
pub fn strategy(seed: u64, rules: &Rules, strategy: &Spec) -> Rng {
    strategy_stream(seed, &rules.to_string(), &strategy.to_string(), 0, 0)
}

/// Returns the seed of a codemaker's lies in a single game.
pub fn lies(seed: u64, rules: &Rules) -> u64 {
    lie_stream(seed, &rules.to_string(), 0, 0).word()
}

/// Returns the stream that the secret of game number `game` is drawn from.
pub fn secret_stream(seed: u64, rules: &str, game: u64) -> Rng {
    Rng::for_path(seed, [&b"secret"[..], rules.as_bytes(), &game.to_le_bytes()])
}

/// Returns the stream that a strategy draws from in repetition `repeat` of game number `game`.
pub fn strategy_stream(seed: u64, rules: &str, strategy: &str, game: u64, repeat: u64) -> Rng {
    let (game, repeat) = (game.to_le_bytes(), repeat.to_le_bytes());
    Rng::for_path(seed, [&b"strategy"[..], rules.as_bytes(), strategy.as_bytes(), &game, &repeat])
}

/// Returns the stream that lies are drawn from in repetition `repeat` of game number `game`.
pub fn lie_stream(seed: u64, rules: &str, game: u64, repeat: u64) -> Rng {
    Rng::for_path(seed, [&b"lies"[..], rules.as_bytes(), &game.to_le_bytes(), &repeat.to_le_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stores of earlier runs can be resumed only while these values stay the same.
    #[test]
    fn streams_never_change() {
        let rules: Rules = "4x6".parse().unwrap();
        let secrets: Vec<String> =
            (0..4).map(|game| secret_stream(7, "4x6", game).code(&rules).notation(6).to_string()).collect();
        assert_eq!(secrets, ["1656", "4452", "6531", "6513"]);
        assert_eq!(strategy_stream(7, "4x6", "knuth", 0, 0).below(1_000_000), 953_078);
    }
}
