//! Guesses until one code is left: the count of Bestavros and Belal, who do not play the code they know.

use pegwise_game::{Code, Judge, Rules, Space, Table, Turn};

/// Counts guesses until one code is left.
pub(super) struct Identifier {
    judge: Judge,
    codes: Vec<Code>,
}

impl Identifier {
    /// Beyond so many codes, listing them for every game takes too long.
    const MOST_CODES: u128 = 100_000;

    /// `None` where there are too many codes.
    pub(super) fn new(rules: &Rules) -> Option<Self> {
        Space::new(rules).count().exact().filter(|&count| count <= Self::MOST_CODES)?;
        let codes = Table::all(rules).ok()?.codes().collect();
        Some(Self { judge: Judge::new(rules), codes })
    }

    /// After how many of the turns one code was left.
    pub(super) fn count(&mut self, turns: &[Turn]) -> usize {
        let mut left: Vec<&Code> = self.codes.iter().collect();
        for (before, turn) in turns.iter().enumerate() {
            if left.len() <= 1 {
                return before;
            }
            left.retain(|code| self.judge.agrees(turn, code));
        }
        turns.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pegwise_game::History;

    #[test]
    fn the_guess_that_only_plays_the_code_is_not_counted() {
        let rules: Rules = "2x3".parse().unwrap();
        let count = |turns: &[&str]| {
            let history = History::parse(&rules, turns.iter().copied()).unwrap();
            Identifier::new(&rules).unwrap().count(history.turns())
        };
        // 12 answered 0,2 leaves 21 alone; 11 answered 2,0 is the code itself.
        assert_eq!(count(&["12=0,2", "21=2,0"]), 1);
        assert_eq!(count(&["11=2,0"]), 1);
        assert_eq!(count(&["11=1,0", "12=2,0"]), 2);
    }

    #[test]
    fn large_spaces_are_not_listed() {
        assert!(Identifier::new(&"8x12".parse().unwrap()).is_none());
    }
}
