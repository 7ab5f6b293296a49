//! Breaking the computer's code.

use pegwise_coach::Mode;
use pegwise_game::Turn;

use super::{entry::Entry, game::Game, note::Note, thinking::About, wishes::Wishes};

impl Game {
    /// Plays the guess that was typed.
    pub(super) fn guess(&mut self, wishes: &mut Wishes) {
        let guess = match self.entry.code(self.rules()) {
            Ok(guess) => guess,
            Err(why) => {
                self.note = Some(Note::bad(format!("Not yet: {why}.")));
                return;
            }
        };
        let Some(feedback) = self.judge(&guess) else { return };
        self.stop(wishes);
        self.entry = Entry::guess(self.rules());
        self.push(Turn { guess, feedback }, None, wishes);
        self.go_on(wishes);
    }

    /// Takes the last guess back, to be played otherwise.
    pub(super) fn undo_guess(&mut self, wishes: &mut Wishes) {
        match self.pop(wishes) {
            Some((turn, _)) => {
                self.stop(wishes);
                self.entry = Entry::of_code(self.rules(), &turn.guess);
            }
            None => self.note = Some(Note::plain("Nothing was played yet.")),
        }
    }

    /// Asks for a hint; a hint that is there already is taken.
    pub(super) fn ask_hint(&mut self, wishes: &mut Wishes) {
        if self.mode() != Mode::Break {
            self.note = Some(Note::plain("Here the computer guesses, and tells what it thinks."));
        } else if self.is_over() {
            self.note = Some(Note::plain(format!("The game is over; {} starts another.", self.key('n'))));
        } else if let Some(hint) = &self.hint {
            self.entry = Entry::of_code(self.rules(), &hint.guess);
        } else if self.thinking.is_none() {
            self.ask_guess(About::Hint, wishes);
        }
    }
}
