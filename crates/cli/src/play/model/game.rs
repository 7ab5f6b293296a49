//! One game: what all modes share. What is special to each is in [`super::breaking`], [`super::making`] and
//! [`super::watching`].

use pegwise_coach::{Amount, Hint, Mode, Record};
use pegwise_game::{Code, Feedback, History, Rules, Space, Turn};
use pegwise_solve::{codemaker::Fixed, seeds};

use super::{
    entry::Entry,
    event::{Job, Ticket},
    note::Note,
    setup::Setup,
    thinking::{About, Appraisal, Thinking},
    trouble::Trouble,
    wishes::Wishes,
};

/// A game, running or over.
#[derive(Debug, Clone)]
pub(crate) struct Game {
    pub(crate) setup: Setup,
    pub(crate) history: History,
    /// The code, where it is not in the player's mind alone.
    pub(crate) secret: Option<Code>,
    /// Whether the player gave up and was shown the code.
    pub(crate) revealed: bool,
    /// The guess being typed; before a code is made, that code.
    pub(crate) entry: Entry,
    /// The feedback being typed.
    pub(crate) marks: Entry,
    /// Whether the code is made, where the player makes it.
    pub(crate) ready: bool,
    /// The computer's guess that waits for its answer.
    pub(crate) thought: Option<Thought>,
    /// What the computer thought before each turn.
    thoughts: Vec<Option<Thought>>,
    /// How many codes fit after each number of turns, as far as they were counted; `None` where they are too many.
    pub(super) left: Vec<Amount>,
    pub(super) counting: Option<Ticket>,
    pub(crate) thinking: Option<Thinking>,
    pub(crate) hint: Option<Box<Hint>>,
    pub(crate) trouble: Option<Trouble>,
    /// The turn whose feedback is being changed.
    pub(crate) editing: Option<usize>,
    pub(crate) analysis: Option<Appraisal>,
    /// Watching without stopping.
    pub(crate) running: bool,
    pub(crate) pace: Pace,
    pub(crate) note: Option<Note>,
    /// Whether the player was asked if giving up is meant.
    pub(super) sure: bool,
}

/// A guess of the computer, and why.
#[derive(Debug, Clone)]
pub(crate) struct Thought {
    pub(crate) guess: Code,
    /// What it said about it; a game that was loaded says nothing of its past.
    pub(crate) why: Option<Box<Hint>>,
}

/// How fast a game is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pace {
    step: usize,
    /// Tenths of a second since the last turn.
    pub(super) waited: u32,
}

impl Pace {
    /// Tenths of a second between turns.
    const STEPS: [u32; 6] = [1, 3, 6, 10, 20, 40];

    pub(super) fn is_due(self) -> bool {
        self.waited >= Self::STEPS[self.step]
    }

    pub(super) fn change(&mut self, faster: bool) {
        self.step = if faster { self.step.saturating_sub(1) } else { (self.step + 1).min(Self::STEPS.len() - 1) };
    }

    /// Seconds between turns.
    pub(crate) fn seconds(self) -> f64 {
        f64::from(Self::STEPS[self.step]) / 10.0
    }
}

impl Game {
    /// A game at its start.
    pub(super) fn start(setup: Setup, wishes: &mut Wishes) -> Self {
        let rules = &setup.rules;
        let (history, secret) = (History::new(rules.clone()), setup.hidden());
        let mut game = Self {
            entry: Entry::guess(rules),
            marks: Entry::feedback(rules),
            left: vec![Space::new(rules).count().into()],
            counting: None,
            ready: setup.mode != Mode::Make || secret.is_some(),
            secret,
            history,
            revealed: false,
            thought: None,
            thoughts: Vec::new(),
            thinking: None,
            hint: None,
            trouble: None,
            editing: None,
            analysis: None,
            running: false,
            pace: Pace { step: 3, waited: 0 },
            note: None,
            sure: false,
            setup,
        };
        game.go_on(wishes);
        game
    }

    /// A game that was saved or shared goes on.
    pub(super) fn resume(setup: Setup, record: &Record, wishes: &mut Wishes) -> Self {
        let mut game = Self::start(setup.of_record(record), wishes);
        game.forget(wishes);
        game.revealed = record.revealed;
        game.ready |= !record.turns.is_empty();
        for turn in &record.turns {
            game.push(turn.clone(), None, wishes);
        }
        game.go_on(wishes);
        game
    }

    /// The game as a record.
    pub(crate) fn record(&self) -> Record {
        let (strategy, seed) = (Some(self.setup.spec.clone()), Some(self.setup.seed));
        let (secret, revealed) = (self.secret.clone(), self.revealed);
        Record { secret, revealed, strategy, seed, ..Record::new(self.setup.mode, &self.history) }
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.setup.rules
    }

    pub(crate) fn mode(&self) -> Mode {
        self.setup.mode
    }

    /// Whether lower-case letters are colors, so that commands are in upper case.
    pub(crate) fn letters_are_colors(&self) -> bool {
        self.rules().palette().has_letters()
    }

    /// The key of a command, as it must be pressed in this game.
    pub(crate) fn key(&self, letter: char) -> char {
        if self.letters_are_colors() { letter.to_ascii_uppercase() } else { letter }
    }

    /// Whether nothing is left to play.
    pub(crate) fn is_over(&self) -> bool {
        self.history.is_solved() || self.is_used_up() || self.revealed
    }

    /// Whether the guesses that the rules allow are used up.
    pub(crate) fn is_used_up(&self) -> bool {
        self.rules().max_guesses().is_some_and(|most| self.history.len() >= most as usize)
    }

    /// How many codes fit after so many turns: `None` while that is not known.
    pub(crate) fn left(&self, turns: usize) -> Option<Amount> {
        self.left.get(turns).copied()
    }

    /// What the secret answers.
    pub(super) fn judge(&self, guess: &Code) -> Option<Feedback> {
        let codemaker = Fixed::new(self.rules(), self.secret.clone()?).ok()?;
        Some(codemaker.with_seed(seeds::lies(self.setup.seed, self.rules())).answer(&self.history, guess))
    }

    /// Adds a turn and has the codes counted.
    pub(super) fn push(&mut self, turn: Turn, thought: Option<Thought>, wishes: &mut Wishes) {
        if let Err(reason) = self.history.push(turn) {
            self.note = Some(Note::bad(reason.to_string()));
            return;
        }
        self.thoughts.push(thought);
        self.hint = None;
        self.forget_analysis(wishes);
        self.count(wishes);
    }

    /// Takes the last turn back, with what the computer thought before it.
    pub(super) fn pop(&mut self, wishes: &mut Wishes) -> Option<(Turn, Option<Thought>)> {
        let turn = self.history.pop()?;
        let thought = self.thoughts.pop().flatten();
        self.left.truncate(self.history.len() + 1);
        self.hint = None;
        self.count(wishes);
        self.forget_analysis(wishes);
        Some((turn, thought))
    }

    /// Puts another turn in the place of one that was misjudged.
    pub(super) fn replace(&mut self, index: usize, turn: Turn, wishes: &mut Wishes) {
        let mut history = History::new(self.rules().clone());
        for (number, old) in self.history.turns().iter().enumerate() {
            // Turns of a history fit its rules, and so does the other one, which the caller has checked.
            let _ = history.push(if number == index { turn.clone() } else { old.clone() });
        }
        self.history = history;
        self.left.truncate(index + 1);
        self.forget_analysis(wishes);
        self.count(wishes);
    }

    /// Does what comes next by itself: asks for a guess, or tells how the game ended.
    pub(super) fn go_on(&mut self, wishes: &mut Wishes) {
        if self.is_over() {
            self.running = false;
            self.finish(wishes);
        } else if self.mode() != Mode::Break && self.ready {
            self.ask_guess(About::Guess, wishes);
        }
    }

    fn finish(&mut self, wishes: &mut Wishes) {
        self.thought = None;
        if self.mode() == Mode::Make && self.ended_in_contradiction() {
            self.think(About::Mend, Job::Mend(self.history.clone()), wishes);
        } else if self.mode() == Mode::Break && !self.history.is_empty() {
            self.analyze(wishes);
        }
    }

    /// Whether the answers before the last contradict that the last guess was right.
    fn ended_in_contradiction(&self) -> bool {
        let last = self.history.turns().last();
        self.history.is_solved() && last.is_some_and(|turn| !self.history.is_consistent(&turn.guess))
    }

    /// A tenth of a second has passed.
    pub(super) fn tick(&mut self, wishes: &mut Wishes) {
        if let Some(thinking) = &mut self.thinking {
            thinking.ticks += 1;
        }
        if self.running && self.thought.is_some() {
            self.pace.waited += 1;
            if self.pace.is_due() {
                self.step(wishes);
            }
        }
    }
}
