//! The colors that the secret may show.

use pegwise_game::{Color, Rules, Turn};

use crate::{evolutionary::mutation, rng::Rng};

/// The colors that no empty feedback has ruled out: a guess without a black or white peg shows none of the secret's.
///
/// Only where colors may repeat: without repeats, all the others must be there anyway, and codes are kept valid by
/// [`repair`](crate::evolutionary::repair).
#[derive(Debug)]
pub(super) struct AllowedColors {
    rules: Rules,
    colors: Vec<Color>,
}

impl AllowedColors {
    /// All colors.
    pub(super) fn new(rules: &Rules) -> Self {
        Self { rules: rules.clone(), colors: (0..rules.colors()).map(Color::new).collect() }
    }

    /// Takes on the turns of a game, and tells whether a color was lost.
    pub(super) fn follow(&mut self, turns: &[Turn]) -> bool {
        let before = self.colors.len();
        self.colors.clear();
        self.colors.extend((0..self.rules.colors()).map(Color::new));
        let is_empty = |turn: &&Turn| {
            let mut marks = turn.feedback.marks().iter();
            marks.all(|mark| mark.pegs() == Some(0))
        };
        if self.rules.repeats() {
            for turn in turns.iter().filter(is_empty) {
                self.colors.retain(|color| !turn.guess.contains(color));
            }
        }
        if self.colors.is_empty() {
            // The turns contradict each other. That is said elsewhere; any color will do here.
            self.colors.extend((0..self.rules.colors()).map(Color::new));
        }
        self.colors.len() != before
    }

    /// Gives each cell of a lost color one of those left.
    pub(super) fn purge(&self, code: &mut [Color], rng: &mut Rng) {
        for color in code {
            if self.colors.binary_search(color).is_err() {
                *color = self.colors[rng.index(self.colors.len())];
            }
        }
    }

    /// Gives one cell another color of those left.
    pub(super) fn recolor(&self, code: &mut [Color], rng: &mut Rng) {
        if self.colors.len() == usize::from(self.rules.colors()) {
            return mutation::recolor(code, &self.rules, rng);
        }
        if self.colors.len() > 1 {
            let cell = rng.index(code.len());
            let other = self.colors[rng.index(self.colors.len() - 1)];
            // The last color stands for the one that the cell has already.
            code[cell] = if other == code[cell] { self.colors[self.colors.len() - 1] } else { other };
        }
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::History;

    use super::*;

    #[test]
    fn empty_feedback_rules_colors_out() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["1122=0,0", "3456=2,2", "1115=0,0"]).unwrap();
        let mut palette = AllowedColors::new(&rules);
        assert!(palette.follow(history.turns()));
        assert!(!palette.follow(history.turns()));
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let mut code = rng.code(&rules);
            palette.purge(code.colors_mut(), &mut rng);
            let before = code.clone();
            palette.recolor(code.colors_mut(), &mut rng);
            assert!(code.iter().all(|color| [3, 4, 6].contains(&color.number())));
            assert_eq!(code.iter().zip(&before[..]).filter(|(one, other)| one != other).count(), 1);
        }
        assert!(palette.follow(&[]));
    }

    #[test]
    fn other_feedback_rules_nothing_out() {
        for (rules, turn) in [("4x6:black-only", "1122=0"), ("3x6:no-repeats", "123=0,0"), ("2x2:distance", "11=0")] {
            let rules: Rules = rules.parse().unwrap();
            let history = History::parse(&rules, [turn]).unwrap();
            assert!(!AllowedColors::new(&rules).follow(history.turns()), "{rules}");
        }
    }
}
