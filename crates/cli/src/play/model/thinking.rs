//! What is being thought about on behalf of a game: the questions it asks, and what becomes of the answers.

use pegwise_coach::{Analysis, Hint, Mode};

use super::{
    entry::Entry,
    event::{Effect, Job, NoGuess, Outcome, Ticket},
    game::{Game, Thought},
    note::Note,
    trouble::Trouble,
    wishes::Wishes,
};

/// How well it was played.
#[derive(Debug, Clone)]
pub(crate) enum Appraisal {
    /// Somebody is finding out.
    Asked(Ticket),
    /// It was found out, or could not be, and why.
    Known(Result<Box<Analysis>, String>),
}

/// Something that takes a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Thinking {
    pub(super) ticket: Ticket,
    pub(crate) about: About,
    /// Tenths of a second so far.
    pub(crate) ticks: u64,
    /// Codes examined so far.
    pub(crate) examined: u64,
    /// Whether it was told to come to an end.
    pub(crate) hurried: bool,
}

impl Thinking {
    /// How far a job is.
    pub(super) fn progress(&mut self, ticket: Ticket, examined: u64) {
        if self.ticket == ticket {
            self.examined = examined;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    Guess,
    Hint,
    Mend,
}

impl Game {
    /// Has the codes counted after every turn whose count is missing.
    pub(super) fn count(&mut self, wishes: &mut Wishes) {
        if let Some(ticket) = self.counting.take() {
            wishes.add(Effect::Drop(ticket));
        }
        let first = self.left.len();
        if first <= self.history.len() {
            self.counting = Some(wishes.ask(Job::Count { history: self.history.clone(), first }));
        }
    }

    pub(super) fn forget_analysis(&mut self, wishes: &mut Wishes) {
        if let Some(Appraisal::Asked(ticket)) = self.analysis.take() {
            wishes.add(Effect::Drop(ticket));
        }
    }

    /// Asks for the next guess: the computer's own, or one for the player.
    pub(super) fn ask_guess(&mut self, about: About, wishes: &mut Wishes) {
        let (history, spec, seed) = (self.history.clone(), self.setup.spec.clone(), self.setup.seed);
        self.think(about, Job::Guess { history, spec, seed }, wishes);
    }

    /// Starts to think about something instead of whatever was thought about.
    pub(super) fn think(&mut self, about: About, job: Job, wishes: &mut Wishes) {
        self.stop(wishes);
        let ticket = wishes.ask(job);
        self.thinking = Some(Thinking { ticket, about, ticks: 0, examined: 0, hurried: false });
    }

    /// Stops thinking: the answer is not wanted any more.
    pub(super) fn stop(&mut self, wishes: &mut Wishes) {
        if let Some(thinking) = self.thinking.take() {
            wishes.add(Effect::Drop(thinking.ticket));
        }
    }

    /// Stops everything: the game is left.
    pub(super) fn forget(&mut self, wishes: &mut Wishes) {
        self.stop(wishes);
        self.forget_analysis(wishes);
        if let Some(ticket) = self.counting.take() {
            wishes.add(Effect::Drop(ticket));
        }
    }

    /// Has the game analyzed, unless it is or was already.
    pub(super) fn analyze(&mut self, wishes: &mut Wishes) {
        if self.analysis.is_none() {
            let (history, secret) = (self.history.clone(), self.secret.clone());
            self.analysis = Some(Appraisal::Asked(wishes.ask(Job::Analyze { history, secret })));
        }
    }

    /// Takes the answer of a job. Answers to old questions are ignored.
    pub(super) fn done(&mut self, ticket: Ticket, outcome: Outcome) {
        match outcome {
            Outcome::Count(counts) => {
                if self.counting == Some(ticket) {
                    self.counting = None;
                    self.left.extend(counts);
                }
            }
            Outcome::Analysis(analysis) => {
                if matches!(self.analysis, Some(Appraisal::Asked(asked)) if asked == ticket) {
                    self.analysis = Some(Appraisal::Known(analysis));
                }
            }
            outcome => self.thought_about(ticket, outcome),
        }
    }

    /// A job could not be done.
    pub(super) fn failed(&mut self, ticket: Ticket, why: String) {
        if self.counting == Some(ticket) {
            self.counting = None;
        } else if matches!(self.analysis, Some(Appraisal::Asked(asked)) if asked == ticket) {
            self.analysis = Some(Appraisal::Known(Err(why)));
        } else if self.thinking.as_ref().is_some_and(|thinking| thinking.ticket == ticket) {
            self.thinking = None;
            self.running = false;
            self.note = Some(Note::bad(why));
        }
    }

    fn thought_about(&mut self, ticket: Ticket, outcome: Outcome) {
        let Some(thinking) = self.thinking.take_if(|thinking| thinking.ticket == ticket) else { return };
        match outcome {
            Outcome::Guess(Ok(hint)) if thinking.about == About::Hint => {
                self.note = None;
                self.hint = Some(hint);
            }
            Outcome::Guess(Ok(hint)) => self.guessed(hint),
            Outcome::Guess(Err(NoGuess::Contradiction(contradiction))) => {
                self.trouble = Some(Trouble::new(*contradiction));
            }
            Outcome::Guess(Err(NoGuess::Other(why))) => {
                self.running = false;
                self.note = Some(Note::bad(why));
            }
            Outcome::Mend(contradiction) => self.trouble = contradiction.map(Trouble::new),
            Outcome::Count(_) | Outcome::Analysis(_) => {}
        }
    }

    fn guessed(&mut self, hint: Box<Hint>) {
        self.marks = match self.judge(&hint.guess) {
            // Who wrote the code down need not count pegs.
            Some(feedback) if self.mode() == Mode::Make => Entry::of_feedback(self.rules(), &feedback),
            _ => Entry::feedback(self.rules()),
        };
        self.pace.waited = 0;
        self.thought = Some(Thought { guess: hint.guess.clone(), why: Some(hint) });
    }
}
