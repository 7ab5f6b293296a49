//! Watching a strategy.

use pegwise_coach::Mode;
use pegwise_game::Turn;

use super::{
    game::{Game, Thought},
    note::Note,
    wishes::Wishes,
};

impl Game {
    /// The guess that waits is answered, and the next is thought of.
    pub(super) fn step(&mut self, wishes: &mut Wishes) {
        self.pace.waited = 0;
        if self.is_over() || self.mode() != Mode::Watch {
            return;
        }
        let Some(thought) = self.thought.take() else {
            self.note = Some(Note::plain("It is still thinking; Esc has it play what it has."));
            return;
        };
        let Some(feedback) = self.judge(&thought.guess) else { return };
        self.push(Turn { guess: thought.guess.clone(), feedback }, Some(thought), wishes);
        self.go_on(wishes);
    }

    /// One turn back.
    pub(super) fn step_back(&mut self, wishes: &mut Wishes) {
        self.running = false;
        match self.pop(wishes) {
            Some((turn, thought)) => {
                self.stop(wishes);
                self.thought = Some(thought.unwrap_or(Thought { guess: turn.guess, why: None }));
            }
            None => self.note = Some(Note::plain("This is the start.")),
        }
    }

    /// Goes on by itself, or stops.
    pub(super) fn run(&mut self) {
        if self.mode() == Mode::Watch {
            self.running = !self.running && !self.is_over();
            self.pace.waited = 0;
        }
    }
}
