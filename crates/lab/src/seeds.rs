//! Where the randomness of a game comes from.
//!
//! Each game has streams of its own. None depends on the games before it, on the other strategies, or on who plays
//! it: so every strategy meets the same secrets, and a game can be played again by itself.

use pegwise_solve::Rng;

/// The stream that the secret of a game is drawn from.
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

/// The stream that a strategy draws from in a game, in one of the times that it is repeated.
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

/// The stream that the lies about a secret are drawn from, in one of the times that a game is repeated.
#[must_use]
pub fn of_lies(seed: u64, rules: &str, game: u64, repeat: u64) -> Rng {
    Rng::for_path(seed, [&b"lies"[..], rules.as_bytes(), &game.to_le_bytes(), &repeat.to_le_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stores of old runs go on only where these stay what they are.
    #[test]
    fn streams_are_the_same_for_ever() {
        let rules: pegwise_game::Rules = "4x6".parse().unwrap();
        let secrets: Vec<String> =
            (0..4).map(|game| of_secret(7, "4x6", game).code(&rules).notation(6).to_string()).collect();
        assert_eq!(secrets, ["1656", "4452", "6531", "6513"]);
        assert_eq!(of_strategy(7, "4x6", "knuth", 0, 0).below(1_000_000), 953_078);
    }
}
