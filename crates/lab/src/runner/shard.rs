//! A part of an experiment's games.

use std::{fmt, str::FromStr};

/// One of several equal parts of the games, written `2/4`: of every four games in a row, the second.
///
/// ```
/// use pegwise_lab::Shard;
/// let shard: Shard = "2/4".parse().unwrap();
/// assert_eq!(shard.to_string(), "2/4");
/// assert!("5/4".parse::<Shard>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From zero.
    index: u64,
    count: u64,
}

/// Why a text is not a shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a shard; write its number and how many there are, as in 1/4, 2/4, 3/4 and 4/4")]
pub struct ShardError(String);

impl Shard {
    /// How many of this many games belong to it.
    pub(crate) fn share(self, games: u64) -> u64 {
        games.saturating_sub(self.index).div_ceil(self.count)
    }

    /// The number of a game of its own.
    pub(crate) fn number(self, place: u64) -> u64 {
        place * self.count + self.index
    }

    /// The place of a game among its own, if it is one.
    pub(crate) fn place(self, number: u64) -> Option<u64> {
        (number % self.count == self.index).then_some(number / self.count)
    }
}

/// All games.
impl Default for Shard {
    fn default() -> Self {
        Self { index: 0, count: 1 }
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some((index.trim().parse::<u32>().ok()?.checked_sub(1)?, count.trim().parse::<u32>().ok()?))
        });
        match numbers {
            Some((index, count)) if index < count => Ok(Self { index: index.into(), count: count.into() }),
            _ => Err(ShardError(text.to_owned())),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_part_all_games() {
        let shards: Vec<Shard> = (1..=3).map(|index| format!("{index}/3").parse().unwrap()).collect();
        for games in 0..10 {
            let own = |shard: &Shard| (0..shard.share(games)).map(|place| shard.number(place)).collect::<Vec<_>>();
            let mut all: Vec<u64> = shards.iter().flat_map(own).collect();
            all.sort_unstable();
            assert_eq!(all, (0..games).collect::<Vec<_>>());
        }
        assert_eq!(shards[1].place(4), Some(1));
        assert_eq!(shards[1].place(5), None);
    }

    #[test]
    fn nonsense_is_no_shard() {
        for text in ["", "1", "0/4", "5/4", "1/0", "a/b", "-1/4", "1/4/4"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
