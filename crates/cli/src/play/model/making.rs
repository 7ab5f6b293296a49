//! Making a code that the computer breaks, and mending answers that cannot all be true.

use pegwise_coach::Mode;
use pegwise_game::Turn;

use super::{
    entry::Entry,
    event::{Action, Way},
    game::{Game, Thought},
    note::Note,
    wishes::Wishes,
};

impl Game {
    /// The code is made: in the player's mind, or typed.
    pub(super) fn make_code(&mut self, wishes: &mut Wishes) {
        if !self.entry.is_empty() {
            match self.entry.code(self.rules()) {
                Ok(code) => self.secret = Some(code),
                Err(why) => {
                    self.note = Some(Note::bad(format!("Not yet: {why}. Empty it to keep the code in mind.")));
                    return;
                }
            }
        }
        self.ready = true;
        self.go_on(wishes);
    }

    /// Answers the computer's guess with the feedback that was typed.
    pub(super) fn answer(&mut self, wishes: &mut Wishes) {
        let Some(thought) = self.thought.clone() else { return };
        let feedback = match self.marks.marks(self.rules()) {
            Ok(feedback) => feedback,
            Err(why) => {
                self.note = Some(Note::bad(format!("That cannot be: {why}.")));
                return;
            }
        };
        if let Some(right) = self.judge(&thought.guess).filter(|right| *right != feedback) {
            self.note = Some(Note::bad(format!("Look again: your code answers {right}, not {feedback}.")));
            self.marks = Entry::of_feedback(self.rules(), &right);
            return;
        }
        self.thought = None;
        self.push(Turn { guess: thought.guess.clone(), feedback }, Some(thought), wishes);
        self.go_on(wishes);
    }

    /// Takes the last answer back.
    pub(super) fn undo_answer(&mut self, wishes: &mut Wishes) {
        self.editing = None;
        if let Some((turn, thought)) = self.pop(wishes) {
            self.stop(wishes);
            self.trouble = None;
            self.marks = Entry::of_feedback(self.rules(), &turn.feedback);
            self.thought = Some(thought.unwrap_or(Thought { guess: turn.guess, why: None }));
        } else if self.ready {
            self.stop(wishes);
            self.thought = None;
            self.ready = false;
            if let Some(secret) = self.secret.take() {
                self.entry = Entry::of_code(self.rules(), &secret);
            }
        } else {
            self.note = Some(Note::plain("Nothing was played yet."));
        }
    }

    /// Starts to change the feedback of a turn: the one given, or else the last, or the one before that being changed.
    pub(super) fn edit(&mut self, turn: Option<usize>) {
        if self.mode() != Mode::Make {
            self.note = Some(Note::plain("The answers here are the computer's, and right."));
            return;
        }
        if self.secret.is_some() {
            self.note = Some(Note::plain("The computer knows your code, so every answer is right."));
            return;
        }
        let last = self.history.len();
        let before = self.editing.filter(|&editing| editing > 0).unwrap_or(last).checked_sub(1);
        let Some(turn) = turn.or(before).filter(|&turn| turn < last) else {
            self.note = Some(Note::plain("Nothing was answered yet."));
            return;
        };
        self.editing = Some(turn);
        self.restore_marks();
    }

    /// The feedback entry as it should be for what is being answered.
    pub(super) fn restore_marks(&mut self) {
        self.marks = match self.editing.and_then(|turn| self.history.turns().get(turn)) {
            Some(turn) => Entry::of_feedback(self.rules(), &turn.feedback),
            None => Entry::feedback(self.rules()),
        };
    }

    /// Takes the changed feedback.
    pub(super) fn finish_edit(&mut self, wishes: &mut Wishes) {
        let Some(index) = self.editing else { return };
        match self.marks.marks(self.rules()) {
            Ok(feedback) if feedback.is_winning(self.rules()) && index + 1 < self.history.len() => {
                self.note = Some(Note::bad("That would have ended the game: take the later turns back first."));
            }
            Ok(feedback) => {
                let guess = self.history.turns()[index].guess.clone();
                self.mend(vec![(index, Turn { guess, feedback })], wishes);
            }
            Err(why) => self.note = Some(Note::bad(format!("That cannot be: {why}."))),
        }
    }

    /// Puts turns in the place of others, and thinks again.
    fn mend(&mut self, changes: Vec<(usize, Turn)>, wishes: &mut Wishes) {
        self.editing = None;
        self.trouble = None;
        self.thought = None;
        self.stop(wishes);
        self.restore_marks();
        let numbers: Vec<String> = changes.iter().map(|(index, _)| (index + 1).to_string()).collect();
        for (index, turn) in changes {
            self.replace(index, turn, wishes);
        }
        let (turns, are) = if numbers.len() == 1 { ("Turn", "is") } else { ("Turns", "are") };
        self.note = Some(Note::good(format!("{turns} {} {are} mended.", numbers.join(" and "))));
        self.go_on(wishes);
    }

    /// Moves among the repairs, or takes one by its number.
    pub(super) fn choose(&mut self, action: Action, wishes: &mut Wishes) {
        let Some(trouble) = &mut self.trouble else { return };
        let last = trouble.fixes.len().saturating_sub(1);
        match action {
            Action::Move(Way::Down | Way::Right) => trouble.chosen = (trouble.chosen + 1).min(last),
            Action::Move(Way::Up | Way::Left) => trouble.chosen = trouble.chosen.saturating_sub(1),
            Action::Type(char) => {
                if let Some(number @ 1..) = char.to_digit(10) {
                    self.repair(number as usize - 1, wishes);
                }
            }
            _ => {}
        }
    }

    pub(super) fn repair_chosen(&mut self, wishes: &mut Wishes) {
        if let Some(chosen) = self.trouble.as_ref().map(|trouble| trouble.chosen) {
            self.repair(chosen, wishes);
        }
    }

    /// Takes a repair.
    pub(super) fn repair(&mut self, number: usize, wishes: &mut Wishes) {
        let fix = self.trouble.as_ref().and_then(|trouble| trouble.fixes.get(number));
        match fix.map(|fix| fix.changes.clone()) {
            Some(changes) if changes.iter().all(|(index, _)| *index < self.history.len()) => self.mend(changes, wishes),
            _ => {
                let (edit, undo) = (self.key('e'), self.key('u'));
                let text = format!("Change an answer with {edit}, or take the last one back with {undo}.");
                self.note = Some(Note::plain(text));
            }
        }
    }
}
