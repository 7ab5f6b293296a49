//! Which of two answers is the better one.

use pegwise_game::Turn;

/// An answer as a distance to the goal: more pegs are better, and among as many pegs more black ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    /// Black and white pegs.
    pub(super) pegs: usize,
    pub(super) black: usize,
}

impl Score {
    /// The score of a turn on a row, answered in black pegs with or without white ones.
    pub(super) fn of(turn: &Turn) -> Self {
        let mark = turn.feedback.marks()[0];
        let black = mark.black().unwrap_or(0);
        Self::new(black, mark.pegs().map_or(0, |pegs| pegs - black))
    }

    pub(super) fn new(black: usize, white: usize) -> Self {
        Self { pegs: black + white, black }
    }

    pub(super) fn white(self) -> usize {
        self.pegs - self.black
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sequences of section 3.2, from the worst answer to the best.
    #[test]
    fn answers_are_ordered_as_printed() {
        let four = "00 01 10 02 11 20 03 12 21 30 04 13 22 40";
        let five = "00 01 10 02 11 20 03 12 21 30 04 13 22 31 40 05 14 23 32 50";
        for (cells, printed) in [(4, four), (5, five)] {
            let mut scores: Vec<Score> = (0..=cells)
                .flat_map(|black| (0..=cells - black).map(move |white| Score::new(black, white)))
                .filter(|score| !(score.pegs == cells && score.white() == 1))
                .collect();
            assert_eq!(scores.len(), cells * (cells + 3) / 2);
            scores.sort_unstable();
            let sorted: Vec<String> = scores.iter().map(|score| format!("{}{}", score.black, score.white())).collect();
            assert_eq!(sorted.join(" "), printed);
        }
    }

    /// The printed distance of [2,1] from the goal is a misprint: five answers are better.
    #[test]
    fn five_answers_are_better_than_two_black_and_one_white() {
        let better = [(3, 0), (0, 4), (1, 3), (2, 2), (4, 0)];
        assert!(better.into_iter().all(|(black, white)| Score::new(black, white) > Score::new(2, 1)));
    }
}
