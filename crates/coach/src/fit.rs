//! Whether a code fits a note: whether it would have been answered so, whatever the forgotten parts were.
//!
//! With the whole guess known, its feedback is compared where it is known. With pegs forgotten, some way to fill them in must
//! lead to the feedback: they are set one after the other, and left as soon as a line can no longer reach its numbers. Only
//! colors that make a difference are tried: where colors are mere names, all that the code does not show are alike.

use pegwise_game::{Code, Color, FeedbackModel, Judge, Rules, Turn};
use pegwise_solve::clock;

use crate::notes::{Note, PartialMark};

/// Tells whether codes fit one note.
#[derive(Debug, Clone)]
pub(crate) struct Fit {
    judge: Judge,
    asks: Asks,
}

#[derive(Debug, Clone)]
enum Asks {
    /// Everything is known.
    Turn(Turn),
    /// The guess is known, and some numbers.
    Numbers { guess: Code, marks: Vec<PartialMark> },
    /// Some of the guess is unknown.
    Filling(Box<Filling>),
}

impl Fit {
    /// The fit of a note of these rules.
    pub(crate) fn new(rules: &Rules, note: &Note) -> Self {
        let asks = match (note.turn(), note.code()) {
            (Some(turn), _) => Asks::Turn(turn),
            (None, Some(guess)) => Asks::Numbers { guess, marks: note.feedback.clone() },
            (None, None) => Asks::Filling(Box::new(Filling::new(rules, note))),
        };
        Self { judge: Judge::new(rules), asks }
    }

    /// Whether a code fits.
    pub(crate) fn fits(&mut self, code: &[Color]) -> bool {
        clock::work(clock::STEP_COST);
        let Self { judge, asks } = self;
        match asks {
            Asks::Turn(turn) => judge.agrees(turn, code),
            Asks::Numbers { guess, marks } => {
                judge.marks(guess, code).zip(&*marks).all(|(mark, known)| known.agrees(mark))
            }
            Asks::Filling(filling) => filling.can_be(code),
        }
    }
}

/// Steps after which a guess with many forgotten pegs is taken to fit: nothing possible is ever ruled out.
const MOST_STEPS: u32 = 20_000;

/// Fills in the forgotten pegs of a guess.
#[derive(Debug, Clone)]
struct Filling {
    judge: Judge,
    rules: Rules,
    /// The guess as it is filled in.
    guess: Vec<Color>,
    known: Vec<(usize, Color)>,
    unknown: Vec<usize>,
    lines_of: Vec<Vec<usize>>,
    marks: Vec<PartialMark>,
    lines: Vec<Line>,
    /// For each color, how often the filled guess shows it: forbidden twice where there are no repeats.
    used: Vec<u16>,
    steps: u32,
}

/// What a line has come to with the pegs set so far.
#[derive(Debug, Clone, Default)]
struct Line {
    cells: Vec<usize>,
    /// Pegs that are not set yet.
    left: u64,
    /// The sums of its mark.
    sums: [u64; 2],
    /// For each color, how often code and guess show it.
    code: Vec<u16>,
    guess: Vec<u16>,
}

impl Filling {
    fn new(rules: &Rules, note: &Note) -> Self {
        let board = rules.board();
        let mut lines_of = vec![Vec::new(); board.cells()];
        for (number, line) in board.lines().enumerate() {
            line.iter().for_each(|&cell| lines_of[cell].push(number));
        }
        let colors = usize::from(rules.colors());
        let counted = if rules.feedback().model().colors { colors } else { 0 };
        let line = |line: &[usize]| Line {
            cells: line.to_vec(),
            code: vec![0; counted],
            guess: vec![0; counted],
            ..Line::default()
        };
        Self {
            judge: Judge::new(rules),
            rules: rules.clone(),
            guess: vec![Color::new(0); rules.cells()],
            known: (0..).zip(&note.guess).filter_map(|(cell, peg)| Some((cell, (*peg)?))).collect(),
            unknown: (0..).zip(&note.guess).filter(|(_, peg)| peg.is_none()).map(|(cell, _)| cell).collect(),
            lines_of,
            marks: note.feedback.clone(),
            lines: board.lines().map(line).collect(),
            used: vec![0; colors],
            steps: 0,
        }
    }

    fn can_be(&mut self, code: &[Color]) -> bool {
        self.used.fill(0);
        for line in &mut self.lines {
            line.left = line.cells.len() as u64;
            line.sums = [0; 2];
            line.guess.fill(0);
            line.code.fill(0);
            if !line.code.is_empty() {
                line.cells.iter().for_each(|&cell| line.code[code[cell].index()] += 1);
            }
        }
        self.steps = 0;
        for at in 0..self.known.len() {
            let (cell, color) = self.known[at];
            self.set(cell, color, code);
        }
        (0..self.lines.len()).all(|line| self.can_reach(line)) && self.fill(0, code)
    }

    /// Fills the unknown cells from this one on.
    fn fill(&mut self, from: usize, code: &[Color]) -> bool {
        let Some(&cell) = self.unknown.get(from) else {
            // Sums do not tell which cells have the white pegs.
            return !self.rules.feedback().model().per_cell
                || self.judge.marks(&self.guess, code).zip(&self.marks).all(|(mark, known)| known.agrees(mark));
        };
        for color in self.choices(cell, code) {
            self.steps += 1;
            clock::work(clock::STEP_COST);
            if self.steps > MOST_STEPS {
                return true;
            }
            self.set(cell, color, code);
            let lines = &self.lines_of[cell];
            if lines.iter().all(|&line| self.can_reach(line)) && self.fill(from + 1, code) {
                return true;
            }
            self.unset(cell, color, code);
        }
        false
    }

    /// The colors that make a difference in a cell: the code's own first.
    fn choices(&self, cell: usize, code: &[Color]) -> Vec<Color> {
        let free = |color: &Color| self.rules.repeats() || self.used[color.index()] == 0;
        let all = (0..self.rules.colors()).map(Color::new);
        let own = code[cell];
        let model = self.rules.feedback().model();
        let others: Vec<Color> = if model.colors {
            let (shown, absent): (Vec<_>, Vec<_>) = all.filter(free).partition(|color| code.contains(color));
            shown.into_iter().chain(absent.into_iter().take(1)).collect()
        } else if model.cell.is_count() && self.rules.repeats() {
            let lower = (own.index() > 0).then(|| Color::new(0));
            let higher =
                (own.index() + 1 < usize::from(self.rules.colors())).then(|| Color::new(self.rules.colors() - 1));
            lower.into_iter().chain(higher).collect()
        } else {
            all.filter(free).collect()
        };
        Some(own).filter(free).into_iter().chain(others.into_iter().filter(|&color| color != own)).collect()
    }

    fn set(&mut self, cell: usize, color: Color, code: &[Color]) {
        self.guess[cell] = color;
        self.used[color.index()] += 1;
        for &line in &self.lines_of[cell] {
            let line = &mut self.lines[line];
            line.left -= 1;
            let gain = line.gain(self.rules.feedback().model(), color, code[cell], 1);
            line.sums.iter_mut().zip(gain).for_each(|(sum, gain)| *sum += gain);
            if let Some(shown) = line.guess.get_mut(color.index()) {
                *shown += 1;
            }
        }
    }

    fn unset(&mut self, cell: usize, color: Color, code: &[Color]) {
        self.used[color.index()] -= 1;
        for &line in &self.lines_of[cell] {
            let line = &mut self.lines[line];
            line.left += 1;
            let gain = line.gain(self.rules.feedback().model(), color, code[cell], 0);
            line.sums.iter_mut().zip(gain).for_each(|(sum, gain)| *sum -= gain);
            if let Some(shown) = line.guess.get_mut(color.index()) {
                *shown -= 1;
            }
        }
    }

    /// Whether a line can still come to its numbers.
    fn can_reach(&self, line: usize) -> bool {
        let (mark, Line { cells, left, sums, .. }) = (&self.marks[line], &self.lines[line]);
        let model = self.rules.feedback().model();
        if model.per_cell {
            return true;
        }
        let most = model.cell.max_contribution(self.rules.colors());
        let set = cells.len() as u64 - left;
        // A cell changes no number by more than the most that it adds, and pegs of a color by one.
        let far = left * most.max(1);
        let near =
            |(number, known): (i64, &Option<u64>)| known.is_none_or(|goal| (goal as i64).abs_diff(number) <= far);
        model.numbers_at(*sums, set as usize).zip(mark.numbers()).all(near)
            && mark.mark().is_none_or(|goal| model.can_reach(*sums, goal.sums(), *left, most))
    }
}

impl Line {
    /// What a peg of the guess adds to the sums, when it is one of `already` more than the line counts.
    fn gain(&self, model: &FeedbackModel, peg: Color, code: Color, already: u16) -> [u64; 2] {
        let [first, second] = model.cell.contribution(peg.index() as u64, code.index() as u64);
        let counted = || self.guess[peg.index()] + already <= self.code[peg.index()];
        [first, second + u64::from(model.colors && counted())]
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Space, feedback};
    use pegwise_solve::Rng;
    use proptest::prelude::*;

    use super::*;
    use crate::notes::Notes;

    /// The definition: some turn that agrees with the note where it is known is answered by the code so.
    fn naive(rules: &Rules, note: &Note, code: &Code) -> bool {
        Space::new(rules).iter().any(|guess| {
            let turn = Turn { feedback: feedback(rules, &guess, code), guess };
            let turn = Note::from(turn);
            let pegs = note.guess.iter().zip(&turn.guess).all(|(known, peg)| known.is_none() || known == peg);
            let numbers =
                |note: &Note| note.feedback.iter().flat_map(|mark| mark.numbers().to_vec()).collect::<Vec<_>>();
            let known = numbers(note);
            pegs && known.iter().zip(numbers(&turn)).all(|(known, number)| known.is_none() || *known == number)
        })
    }

    proptest! {
        #[test]
        fn fits_are_those_of_the_definition(
            rules in prop::sample::select(vec!["3x4", "4x3", "3x4:no-repeats", "4x3:black-only", "4x3:color-only", "4x3:per-cell", "3x4:higher-lower",
                "3x4:no-repeats:higher-lower", "3x4:distance", "3x4:city-block", "grid:2x2x3", "ring:4x3", "1x3", "4x1"]),
            seed: u64, pegs: u8, numbers: u16,
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(seed);
            let (guess, secret) = (rng.code(&rules), rng.code(&rules));
            let mut note = Note::from(Turn { feedback: feedback(&rules, &guess, &secret), guess });
            for (cell, peg) in note.guess.iter_mut().enumerate() {
                if pegs >> cell & 1 == 1 {
                    *peg = None;
                }
            }
            let mut bit = 0;
            let marks: Vec<Vec<Option<u64>>> = note.feedback.iter().map(|mark| mark.numbers().iter().map(|number| {
                bit += 1;
                number.filter(|_| numbers >> (bit % 16) & 1 == 0)
            }).collect()).collect();
            let note = Note::new(&rules, note.guess, marks).unwrap();
            let mut notes = Notes::new(rules.clone());
            notes.push(note.clone()).unwrap();
            let mut fit = Fit::new(&rules, &note);
            prop_assert!(fit.fits(&secret));
            for _ in 0..8 {
                let code = rng.code(&rules);
                prop_assert_eq!(fit.fits(&code), naive(&rules, &note, &code), "{} {}", note.notation(&rules), code.notation(9));
            }
        }
    }
}
