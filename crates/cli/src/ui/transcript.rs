//! A game written down turn by turn, as it is played.

use std::io::{self, Write as _};

use pegwise_game::{Count, Feedback, Rules, Space};
use pegwise_solve::{Basis, GameTurn};

use super::{Block, Drawing, Screen, number, style};
use crate::{game::Event, hint::feedback_heading};

/// Writes the turns of a game to the screen, each as soon as it is played.
pub(crate) struct Transcript<'a> {
    screen: &'a mut Screen,
    drawing: Drawing,
    space: Count,
    widths: Widths,
    turns: usize,
    /// How far the line has come of a turn that waits for what is still possible, which may be known only when the next
    /// guess is.
    open: Option<usize>,
    /// Turns whose guess is the best that was found within limits, and what stood in the way.
    best_effort: Vec<(usize, String)>,
}

struct Widths {
    guess: usize,
    feedback: usize,
    remaining: usize,
}

const TURN: &str = "turn";
const GUESS: &str = "guess";
const REMAINING: &str = "still possible";
const GAP: usize = 3;
/// How wide the bar of the whole space is.
const BAR: usize = 14;

impl<'a> Transcript<'a> {
    /// Starts with the headings of the columns.
    pub(crate) fn start(screen: &'a mut Screen, rules: &Rules) -> io::Result<Self> {
        let drawing = Drawing::new(rules, screen.look());
        let space = Space::new(rules);
        let feedback = feedback_heading(rules);
        let widths = Widths {
            guess: drawing.code(&space.first()).width().max(GUESS.len()),
            feedback: drawing.feedback(&Feedback::winning(rules)).width().max(feedback.len()),
            remaining: number::count(space.count()).len().max(REMAINING.len()),
        };
        let heading = |text: &str| Block::new(style::COLUMN, text);
        let line = widths.columns(heading(TURN), heading(GUESS), heading(feedback));
        writeln!(screen, "{}", line.beside(GAP, heading(REMAINING).pad_left(widths.remaining)))?;
        Ok(Self { screen, drawing, space: space.count(), widths, turns: 0, open: None, best_effort: Vec::new() })
    }

    /// Writes what happened.
    pub(crate) fn happened(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Turn(turn) => self.turn(turn),
            Event::Remaining(count) => self.remaining(count),
        }
    }

    fn turn(&mut self, turn: &GameTurn) -> io::Result<()> {
        self.turns += 1;
        let number = Block::new(style::DIM, self.turns.to_string());
        let (guess, feedback) = (self.drawing.code(&turn.guess), self.drawing.feedback(&turn.feedback));
        let drawn = self.widths.columns(number, guess, feedback);
        if drawn.height() > 1 && self.turns > 1 {
            writeln!(self.screen)?;
        }
        if let Basis::BestEffort(why) = &turn.basis {
            self.best_effort.push((self.turns, why.clone()));
        }
        self.open = Some(drawn.last_width());
        write!(self.screen, "{drawn}")?;
        self.screen.flush()
    }

    fn remaining(&mut self, count: Option<Count>) -> io::Result<()> {
        let Some(width) = self.open.take() else { return Ok(()) };
        let tail = match count {
            Some(count) => Block::new(style::PLAIN, number::count(count)),
            None => Block::new(style::DIM, "not counted"),
        };
        let mut tail = tail.pad_left(self.widths.remaining);
        if let (true, Some(count)) = (self.screen.look().color, count) {
            tail = tail.beside(2, self.bar(count));
        }
        writeln!(self.screen, "{}{tail}", " ".repeat((self.widths.before_remaining() + GAP).saturating_sub(width)))
    }

    /// How much is still possible, on a scale of bits: each good guess takes off about as much as the one before.
    fn bar(&self, count: Count) -> Block {
        let used = self.widths.before_remaining() + GAP + self.widths.remaining + 2;
        let longest = self.screen.look().width.map_or(BAR, |width| width.saturating_sub(used).min(BAR));
        let share = count.log10() / self.space.log10().max(f64::MIN_POSITIVE);
        Block::new(style::BAR, "▬".repeat((share * longest as f64).ceil() as usize))
    }

    /// Says of which guesses more cannot be said than that they are the best that was found.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Some((turn, why)) = self.best_effort.first() else { return Ok(()) };
        let number = self.best_effort.len();
        let verb = if number == 1 { "is" } else { "are" };
        let guesses = number::things(number, "guess", "guesses");
        let note = format!("{guesses} {verb} the best found, not the best there is (turn {turn}: {why})");
        let width = self.screen.text_width(0);
        writeln!(self.screen, "\n{}", Block::wrapped(style::DIM, &note, width))
    }
}

impl Widths {
    fn columns(&self, turn: Block, guess: Block, feedback: Block) -> Block {
        let feedback = feedback.widen(self.feedback);
        turn.pad_left(TURN.len()).beside(GAP, guess.widen(self.guess)).beside(GAP, feedback)
    }

    fn before_remaining(&self) -> usize {
        TURN.len() + GAP + self.guess + GAP + self.feedback
    }
}
