//! The codes that a codemaker who may lie can have hidden.

use pegwise_game::{Table, Turn};

use super::listed::Filter;

/// Listed codes, each with the number of turns that it disagrees with: no more than the rules allow lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspects {
    /// The codes still possible, ascending.
    pub codes: Table,
    misses: Vec<u8>,
}

impl Suspects {
    /// All of these codes, before the first turn.
    #[must_use]
    pub fn all(codes: &Table) -> Self {
        Self { codes: codes.clone(), misses: vec![0; codes.len()] }
    }

    /// Those that are left after a turn. The answer to the code itself is never a lie, and neither is that it was found.
    #[must_use]
    pub fn after(&self, turn: &Turn, filter: &mut Filter) -> Self {
        let rules = filter.rules();
        let most = if turn.feedback.is_winning(rules) { 0 } else { rules.lies() };
        let mut agreeing = filter.rows(&self.codes, turn).iter().copied().peekable();
        let (mut rows, mut misses) = (Vec::new(), Vec::new());
        for (row, &missed) in (0..).zip(&self.misses) {
            let lied = agreeing.next_if_eq(&row).is_none();
            if !lied || (missed < most && self.codes.code(row as usize) != turn.guess) {
                rows.push(row);
                misses.push(missed + u8::from(lied));
            }
        }
        Self { codes: self.codes.select(&rows), misses }
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Code, History, Rules, Space, feedback};

    use super::*;
    use crate::{
        Rng, Search,
        candidates::{
            Remaining,
            backtrack::{Backtrack, Order},
        },
    };

    /// The definition: codes that disagree with few enough turns, and with none in which they were guessed or found.
    fn naive(history: &History) -> Vec<Code> {
        let rules = history.rules();
        let is_possible = |code: &Code| {
            let lies = history.turns().iter().filter(|turn| feedback(rules, &turn.guess, code) != turn.feedback);
            let told: Vec<bool> = lies.map(|turn| turn.guess != *code && !turn.feedback.is_winning(rules)).collect();
            told.len() <= usize::from(rules.lies()) && told.into_iter().all(|lie| lie)
        };
        Space::new(rules).iter().filter(is_possible).collect()
    }

    /// Every pair of turns of small games, and three turns at random of others, by every way to find what is possible.
    #[test]
    fn what_is_possible_is_what_the_definition_says() {
        for text in [
            "2x3:lies=1",
            "3x3:lies=1",
            "3x3:lies=2",
            "3x4:per-cell:lies=1",
            "grid:2x2x2:lies=1",
            "3x3:distance:lies=1",
        ] {
            let rules: Rules = text.parse().unwrap();
            let codes: Vec<Code> = Space::new(&rules).iter().collect();
            let mut rng = Rng::new(1);
            let mut remaining = Remaining::new(&rules).unwrap();
            let games = if codes.len() <= 27 { codes.len() * codes.len() } else { 200 };
            for game in 0..games {
                let mut history = History::new(rules.clone());
                let guesses = [
                    codes[game % codes.len()].clone(),
                    codes[game / codes.len() % codes.len()].clone(),
                    rng.code(&rules),
                ];
                for guess in guesses {
                    let feedback = feedback(&rules, &guess, &codes[rng.index(codes.len())]);
                    history.push(Turn { guess, feedback }).unwrap();
                    let expected = naive(&history);
                    let fitting: Vec<Code> = codes.iter().filter(|code| history.is_consistent(code)).cloned().collect();
                    assert_eq!(fitting, expected, "{text}");
                    let mut found = Vec::new();
                    Backtrack::new(&history).visit(Order::AscendingFrom(None), u64::MAX, &mut Search::new(0), |code| {
                        found.push(Code::new(code));
                        std::ops::ControlFlow::Continue(())
                    });
                    assert_eq!(found, expected, "{text} after {:?}", history.turns());
                    let listed = remaining.after(&history, &mut Search::new(0));
                    let listed = listed.map_or(Vec::new(), |view| view.codes.codes().collect());
                    assert_eq!(listed, expected, "{text}");
                }
            }
        }
    }
}
