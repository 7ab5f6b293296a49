//! Random streams of a game.
//!
//! Each game has its own streams, which do not depend on other games, strategies or threads. So all strategies get the
//! same secrets, and a game can be replayed on its own.

use pegwise_solve::Rng;

/// Returns the stream from which the secret of a game is drawn.
///
/// ```
/// use pegwise_lab::seeds;
/// assert_eq!(seeds::of_secret(7, "4x6", 12), seeds::of_secret(7, "4x6", 12));
/// assert_ne!(seeds::of_secret(7, "4x6", 12), seeds::of_secret(7, "4x6", 13));
/// ```
#[must_use]
pub fn of_secret(seed: u64, rules: &str, game: u64) -> Rng {
    Rng::for_path(seed, [&b"secret"[..], rules.as_bytes(), &game.to_le_bytes()])
}

/// Returns the stream from which a strategy draws in one repeat of a game.
///
/// ```
/// use pegwise_lab::seeds;
/// assert_ne!(seeds::of_strategy(7, "4x6", "swaszek", 12, 0), seeds::of_strategy(7, "4x6", "swaszek", 12, 1));
/// ```
#[must_use]
pub fn of_strategy(seed: u64, rules: &str, strategy: &str, game: u64, repeat: u64) -> Rng {
    let (game, repeat) = (game.to_le_bytes(), repeat.to_le_bytes());
    Rng::for_path(seed, [&b"strategy"[..], rules.as_bytes(), strategy.as_bytes(), &game, &repeat])
}

/// Returns the stream from which the lies about a secret are drawn in one repeat of a game.
#[must_use]
pub fn of_lies(seed: u64, rules: &str, game: u64, repeat: u64) -> Rng {
    Rng::for_path(seed, [&b"lies"[..], rules.as_bytes(), &game.to_le_bytes(), &repeat.to_le_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stores of earlier runs can be resumed only if these values do not change.
    #[test]
    fn streams_are_the_same_for_ever() {
        let rules: pegwise_game::Rules = "4x6".parse().unwrap();
        let secrets: Vec<String> =
            (0..4).map(|game| of_secret(7, "4x6", game).code(&rules).notation(6).to_string()).collect();
        assert_eq!(secrets, ["1656", "4452", "6531", "6513"]);
        assert_eq!(of_strategy(7, "4x6", "knuth", 0, 0).below(1_000_000), 953_078);
    }
}
