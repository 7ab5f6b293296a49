//! What the player does in a game.

use pegwise_coach::Mode;

use super::{
    entry::Entry,
    event::{Action, Effect, Way},
    game::Game,
    note::Note,
    place,
    thinking::About,
    wishes::Wishes,
};

/// What the keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The pegs of a guess, or of a code that is being made.
    Guess,
    /// The numbers of a feedback.
    Marks,
    /// The repairs of answers that cannot all be true.
    Repairs,
    /// Nothing is typed: the game is watched, or over, or the computer thinks.
    Nothing,
}

impl Game {
    /// What the keys go to.
    pub(crate) fn focus(&self) -> Focus {
        if self.editing.is_some() {
            return Focus::Marks;
        }
        if self.trouble.is_some() {
            return Focus::Repairs;
        }
        match self.mode() {
            _ if self.is_over() => Focus::Nothing,
            Mode::Break => Focus::Guess,
            Mode::Make if !self.ready => Focus::Guess,
            Mode::Make if self.thought.is_some() => Focus::Marks,
            Mode::Make | Mode::Watch => Focus::Nothing,
        }
    }

    /// What is being typed.
    pub(crate) fn typed(&self) -> Option<&Entry> {
        match self.focus() {
            Focus::Guess => Some(&self.entry),
            Focus::Marks => Some(&self.marks),
            Focus::Repairs | Focus::Nothing => None,
        }
    }

    fn typed_mut(&mut self) -> Option<&mut Entry> {
        match self.focus() {
            Focus::Guess => Some(&mut self.entry),
            Focus::Marks => Some(&mut self.marks),
            Focus::Repairs | Focus::Nothing => None,
        }
    }

    /// Does what the player wants; false when there is nothing of that kind to do.
    pub(super) fn act(&mut self, action: Action, wishes: &mut Wishes) -> bool {
        let sure = std::mem::take(&mut self.sure);
        if action != Action::Escape {
            self.note = None;
        }
        match action {
            Action::Enter => self.enter(wishes),
            Action::Escape => return self.escape(wishes),
            Action::Hint => self.ask_hint(wishes),
            Action::Undo => self.undo(wishes),
            Action::GiveUp => self.give_up(sure, wishes),
            Action::Edit(turn) => self.edit(turn),
            Action::Repair(number) => self.repair(number, wishes),
            Action::Run => self.run(),
            Action::Faster(faster) => self.pace.change(faster),
            Action::Type(' ') if self.mode() == Mode::Watch => self.run(),
            Action::Cycle(up) if self.mode() == Mode::Watch => self.pace.change(up),
            Action::Move(Way::Right) if self.mode() == Mode::Watch => self.step(wishes),
            Action::Move(Way::Left) if self.mode() == Mode::Watch => self.undo(wishes),
            action if self.focus() == Focus::Repairs => self.choose(action, wishes),
            action => return self.edit_entry(action),
        }
        true
    }

    fn enter(&mut self, wishes: &mut Wishes) {
        match (self.focus(), self.mode()) {
            (Focus::Marks, _) if self.editing.is_some() => self.finish_edit(wishes),
            (Focus::Marks, _) => self.answer(wishes),
            (Focus::Repairs, _) => self.repair_chosen(wishes),
            (Focus::Guess, Mode::Make) => self.make_code(wishes),
            (Focus::Guess, _) => self.guess(wishes),
            (Focus::Nothing, Mode::Watch) => self.step(wishes),
            (Focus::Nothing, _) => {}
        }
    }

    /// Closes or stops something; false when there was nothing to close or to stop.
    fn escape(&mut self, wishes: &mut Wishes) -> bool {
        if self.editing.take().is_some() {
            self.restore_marks();
        } else if self.running {
            self.running = false;
        } else if let Some(thinking) = &mut self.thinking {
            if thinking.about == About::Guess && !thinking.hurried {
                thinking.hurried = true;
                wishes.add(Effect::Hurry(thinking.ticket));
            } else if thinking.about == About::Guess {
                return false;
            } else {
                self.stop(wishes);
            }
        } else if self.note.take().is_none() && self.hint.take().is_none() {
            return false;
        }
        true
    }

    fn edit_entry(&mut self, action: Action) -> bool {
        let rules = self.rules().clone();
        let is_guess = self.focus() == Focus::Guess;
        let Some(entry) = self.typed_mut() else { return false };
        match action {
            Action::Type(' ') => entry.part(),
            Action::Type(char) => match (rules.palette().color_for_key(char).filter(|_| is_guess), char.to_digit(10)) {
                (Some(color), _) => entry.put(color.number().into()),
                (None, Some(digit)) => entry.digit(digit.into()),
                (None, None) => return false,
            },
            Action::Put(value) => entry.put(value),
            Action::GoTo(slot) => entry.go_to(slot),
            Action::Turn(slot, up) => {
                entry.go_to(slot);
                entry.cycle(up);
            }
            Action::Empty(slot) => {
                entry.go_to(slot);
                entry.empty();
            }
            Action::Move(Way::Left) => entry.previous(),
            Action::Move(Way::Right) => entry.next(),
            Action::Move(way) => match place::neighbor(rules.board(), entry.cursor(), way == Way::Down) {
                Some(cell) if is_guess => entry.go_to(cell),
                _ => entry.cycle(way == Way::Up),
            },
            Action::Cycle(up) => entry.cycle(up),
            Action::Erase => entry.erase(),
            Action::Clear => entry.clear(),
            _ => return false,
        }
        true
    }

    fn undo(&mut self, wishes: &mut Wishes) {
        if self.revealed {
            self.note = Some(Note::plain(format!("The code is known now; {} starts another game.", self.key('n'))));
            return;
        }
        match self.mode() {
            Mode::Break => self.undo_guess(wishes),
            Mode::Make => self.undo_answer(wishes),
            Mode::Watch => self.step_back(wishes),
        }
    }

    fn give_up(&mut self, sure: bool, wishes: &mut Wishes) {
        if self.mode() != Mode::Break || self.is_over() {
            self.note = Some(Note::plain("There is nothing to give up here."));
        } else if sure {
            self.revealed = true;
            self.stop(wishes);
            self.hint = None;
            self.go_on(wishes);
        } else {
            self.sure = true;
            self.note = Some(Note::plain("Once more to give up and see the code."));
        }
    }
}
