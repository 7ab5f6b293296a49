//! One game: its state, the actions of the player, and the queries it waits for.

use std::sync::Arc;

use pegwise_coach::{Amount, Analysis, Contradiction, Hint, Mode, Record, Repair};
use pegwise_game::{Code, Feedback, History, Rules, Space, Turn};
use pegwise_solve::{Rng, Spec, codemaker::Fixed, secrets::SecretList, seeds};

use super::{
    entry::{SlotEditor, neighbor},
    event::{Action, Direction, Effect, EffectQueue, Event, NoGuess, PlayQuery, QueryId, QueryOutcome},
};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlaySetup {
    pub(crate) rules: Rules,
    pub(crate) mode: Mode,
    /// Strategy that guesses or gives hints.
    pub(crate) spec: Spec,
    pub(crate) seed: u64,
    pub(crate) secret: Option<Code>,
    /// Possible secrets and guesses of one set of rules, if they are listed.
    pub(crate) secrets: Option<Arc<SecretList>>,
}

impl PlaySetup {
    /// Returns the list of secrets, if there is one for the rules.
    pub(crate) fn listed(&self) -> Option<&Arc<SecretList>> {
        self.secrets.as_ref().filter(|secrets| *secrets.rules() == self.rules)
    }

    /// Takes the settings of a record; those it lacks are kept.
    pub(crate) fn of_record(self, record: &Record) -> Self {
        Self {
            rules: record.rules.clone().with_names_of(&self.rules),
            mode: record.mode,
            spec: record.strategy.clone().unwrap_or(self.spec),
            seed: record.seed.unwrap_or(self.seed),
            secret: record.secret.clone(),
            secrets: self.secrets,
        }
    }

    /// Returns the computer's code: the given one, or one drawn from the seed as `pegwise solve` does. A code of the player
    /// is only known if it was given.
    pub(crate) fn hidden(&self) -> Option<Code> {
        let drawn = || match self.listed() {
            Some(secrets) => seeds::listed_secret(self.seed, secrets),
            None => seeds::secret(self.seed, &self.rules),
        };
        match self.mode {
            Mode::Make => self.secret.clone(),
            Mode::Break | Mode::Watch => Some(self.secret.clone().unwrap_or_else(drawn)),
        }
    }

    /// Returns the settings of the next game, with another code.
    pub(crate) fn again(&self) -> Self {
        // The next seed follows from this one, so that a series of games is reproducible.
        let seed = Rng::for_path(self.seed, [&b"again"[..]]).below(1_000_000);
        Self { seed, secret: None, ..self.clone() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatusMessage {
    pub(crate) text: String,
    pub(crate) tone: Tone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    Plain,
}

pub(crate) fn good(text: impl Into<String>) -> StatusMessage {
    StatusMessage { text: text.into(), tone: Tone::Good }
}

pub(crate) fn bad(text: impl Into<String>) -> StatusMessage {
    StatusMessage { text: text.into(), tone: Tone::Bad }
}

pub(crate) fn plain(text: impl Into<String>) -> StatusMessage {
    StatusMessage { text: text.into(), tone: Tone::Plain }
}

#[derive(Debug, Clone)]
pub(crate) struct GameState {
    pub(crate) setup: PlaySetup,
    pub(crate) history: History,
    /// The code, unless only the player knows it.
    pub(crate) secret: Option<Code>,
    /// True if the player gave up and saw the code.
    pub(crate) revealed: bool,
    /// Guess being typed; before the player's code is ready, that code.
    pub(crate) entry: SlotEditor,
    pub(crate) marks: SlotEditor,
    /// True once the code exists.
    pub(crate) ready: bool,
    /// Guess of the computer that waits for feedback.
    pub(crate) computer_guess: Option<ComputerGuess>,
    /// Guesses of the computer before each turn.
    computer_guesses: Vec<Option<ComputerGuess>>,
    /// Number of consistent codes after each number of turns, as far as counted.
    pub(super) left: Vec<Amount>,
    pub(super) counting: Option<QueryId>,
    pub(crate) pending: Option<PendingQuery>,
    pub(crate) hint: Option<Box<Hint>>,
    pub(crate) repairs: Option<RepairMenu>,
    /// Turn whose feedback is being edited.
    pub(crate) editing: Option<usize>,
    pub(crate) analysis: Option<AnalysisState>,
    /// True if a watched game runs by itself.
    pub(crate) running: bool,
    /// Index into `PACES`.
    pace: usize,
    /// Tenths of a second since the last turn of a watched game.
    waited: u32,
    pub(crate) note: Option<StatusMessage>,
    /// True if the player was asked to confirm giving up.
    pub(super) sure: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct ComputerGuess {
    pub(crate) guess: Code,
    /// Explanation; absent in a loaded game.
    pub(crate) why: Option<Box<Hint>>,
}

/// Tenths of a second between turns of a watched game, by pace.
const PACES: [u32; 6] = [1, 3, 6, 10, 20, 40];

impl GameState {
    pub(super) fn start(setup: PlaySetup, effects: &mut EffectQueue) -> Self {
        let rules = &setup.rules;
        let (history, secret) = (History::new(rules.clone()), setup.hidden());
        let mut game = Self {
            entry: SlotEditor::guess(rules),
            marks: SlotEditor::feedback(rules),
            left: vec![match setup.listed() {
                Some(secrets) => Amount::count(secrets.len() as u128),
                None => Space::new(rules).count().into(),
            }],
            counting: None,
            ready: setup.mode != Mode::Make || secret.is_some(),
            secret,
            history,
            revealed: false,
            computer_guess: None,
            computer_guesses: Vec::new(),
            pending: None,
            hint: None,
            repairs: None,
            editing: None,
            analysis: None,
            running: false,
            pace: 3,
            waited: 0,
            note: None,
            sure: false,
            setup,
        };
        game.advance(effects);
        game
    }

    pub(super) fn resume(setup: PlaySetup, record: &Record, effects: &mut EffectQueue) -> Self {
        let mut game = Self::start(setup.of_record(record), effects);
        game.cancel_all(effects);
        game.revealed = record.revealed;
        game.ready |= !record.turns.is_empty();
        for turn in &record.turns {
            game.push(turn.clone(), None, effects);
        }
        game.advance(effects);
        game
    }

    pub(crate) fn record(&self) -> Record {
        let (strategy, seed) = (Some(self.setup.spec.clone()), Some(self.setup.seed));
        let (secret, revealed) = (self.secret.clone(), self.revealed);
        Record { secret, revealed, strategy, seed, ..Record::new(self.setup.mode, &self.history) }
    }

    fn say(&mut self, text: impl Into<String>) {
        self.note = Some(plain(text));
    }

    fn complain(&mut self, text: impl Into<String>) {
        self.note = Some(bad(text));
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.setup.rules
    }

    pub(crate) fn mode(&self) -> Mode {
        self.setup.mode
    }

    /// Returns true if lower-case letters are colors, so that commands are upper-case letters.
    pub(crate) fn letters_are_colors(&self) -> bool {
        self.rules().palette().has_letters()
    }

    /// Returns the key of a command in this game.
    pub(crate) fn key(&self, letter: char) -> char {
        if self.letters_are_colors() { letter.to_ascii_uppercase() } else { letter }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.history.is_solved() || self.is_used_up() || self.revealed
    }

    pub(crate) fn is_used_up(&self) -> bool {
        self.rules().max_guesses().is_some_and(|most| self.history.len() >= most as usize)
    }

    /// Returns the number of consistent codes after `turns` turns; `None` while it is unknown.
    pub(crate) fn left(&self, turns: usize) -> Option<Amount> {
        self.left.get(turns).copied()
    }

    pub(super) fn judge(&self, guess: &Code) -> Option<Feedback> {
        let codemaker = Fixed::new(self.rules(), self.secret.clone()?).ok()?;
        Some(codemaker.with_seed(seeds::lies(self.setup.seed, self.rules())).answer(&self.history, guess))
    }

    pub(super) fn push(&mut self, turn: Turn, computer_guess: Option<ComputerGuess>, effects: &mut EffectQueue) {
        if let Err(reason) = self.history.push(turn) {
            return self.complain(reason.to_string());
        }
        self.computer_guesses.push(computer_guess);
        self.hint = None;
        self.cancel_analysis(effects);
        self.count(effects);
    }

    /// Removes the last turn, and returns it with its guess as the computer explained it.
    pub(super) fn pop(&mut self, effects: &mut EffectQueue) -> Option<(Turn, ComputerGuess)> {
        let turn = self.history.pop()?;
        let explained = self.computer_guesses.pop().flatten();
        let computer_guess = explained.unwrap_or(ComputerGuess { guess: turn.guess.clone(), why: None });
        self.left.truncate(self.history.len() + 1);
        self.hint = None;
        self.count(effects);
        self.cancel_analysis(effects);
        Some((turn, computer_guess))
    }

    pub(super) fn replace(&mut self, index: usize, turn: Turn, effects: &mut EffectQueue) {
        let mut history = History::new(self.rules().clone());
        for (number, old) in self.history.turns().iter().enumerate() {
            // All turns were checked against the rules.
            let _ = history.push(if number == index { turn.clone() } else { old.clone() });
        }
        self.history = history;
        self.left.truncate(index + 1);
        self.cancel_analysis(effects);
        self.count(effects);
    }

    /// Continues the game: requests the next guess, or ends the game.
    pub(super) fn advance(&mut self, effects: &mut EffectQueue) {
        if self.is_over() {
            self.running = false;
            self.finish(effects);
        } else if self.mode() != Mode::Break && self.ready {
            self.ask_guess(QueryPurpose::Guess, effects);
        }
    }

    fn finish(&mut self, effects: &mut EffectQueue) {
        self.computer_guess = None;
        if self.mode() == Mode::Make && self.ends_in_contradiction() {
            self.think(QueryPurpose::Repairs, PlayQuery::FindRepairs(self.history.clone()), effects);
        } else if self.mode() == Mode::Break && !self.history.is_empty() {
            self.analyze(effects);
        }
    }

    /// Returns true if the winning guess contradicts earlier answers.
    fn ends_in_contradiction(&self) -> bool {
        let last = self.history.turns().last();
        self.history.is_solved() && last.is_some_and(|turn| !self.history.is_consistent(&turn.guess))
    }

    fn tick(&mut self, effects: &mut EffectQueue) {
        if let Some(pending) = &mut self.pending {
            pending.ticks += 1;
        }
        if self.running && self.computer_guess.is_some() {
            self.waited += 1;
            if self.waited >= PACES[self.pace] {
                self.step(effects);
            }
        }
    }
}

/// Keyboard focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Focus {
    /// Pegs of a guess, or of the player's code.
    Guess,
    Marks,
    Repairs,
    /// None: the game is watched or over, or a query is running.
    Nothing,
}

impl GameState {
    pub(crate) fn focus(&self) -> Focus {
        if self.editing.is_some() {
            return Focus::Marks;
        }
        if self.repairs.is_some() {
            return Focus::Repairs;
        }
        match self.mode() {
            _ if self.is_over() => Focus::Nothing,
            Mode::Break => Focus::Guess,
            Mode::Make if !self.ready => Focus::Guess,
            Mode::Make if self.computer_guess.is_some() => Focus::Marks,
            Mode::Make | Mode::Watch => Focus::Nothing,
        }
    }

    pub(crate) fn typed(&self) -> Option<&SlotEditor> {
        match self.focus() {
            Focus::Guess => Some(&self.entry),
            Focus::Marks => Some(&self.marks),
            Focus::Repairs | Focus::Nothing => None,
        }
    }

    fn typed_mut(&mut self) -> Option<&mut SlotEditor> {
        match self.focus() {
            Focus::Guess => Some(&mut self.entry),
            Focus::Marks => Some(&mut self.marks),
            Focus::Repairs | Focus::Nothing => None,
        }
    }

    /// Handles an action; false if it does not apply.
    pub(super) fn act(&mut self, action: Action, effects: &mut EffectQueue) -> bool {
        let sure = std::mem::take(&mut self.sure);
        if action != Action::Escape {
            self.note = None;
        }
        match action {
            Action::Enter => self.enter(effects),
            Action::Escape => return self.escape(effects),
            Action::Hint => self.ask_hint(effects),
            Action::Undo => self.undo(effects),
            Action::GiveUp => self.give_up(sure, effects),
            Action::Edit(turn) => self.edit(turn),
            Action::Repair(number) => self.repair(number, effects),
            Action::Run => self.run(),
            Action::Faster(faster) => self.change_pace(faster),
            Action::Type(' ') if self.mode() == Mode::Watch => self.run(),
            Action::Cycle(up) if self.mode() == Mode::Watch => self.change_pace(up),
            Action::Move(Direction::Right) if self.mode() == Mode::Watch => self.step(effects),
            Action::Move(Direction::Left) if self.mode() == Mode::Watch => self.undo(effects),
            action if self.focus() == Focus::Repairs => self.choose(action, effects),
            action => return self.edit_entry(action),
        }
        true
    }

    fn enter(&mut self, effects: &mut EffectQueue) {
        match (self.focus(), self.mode()) {
            (Focus::Marks, _) if self.editing.is_some() => self.finish_edit(effects),
            (Focus::Marks, _) => self.answer(effects),
            (Focus::Repairs, _) => self.repair(self.repairs.as_ref().map_or(0, |repairs| repairs.chosen), effects),
            (Focus::Guess, Mode::Make) => self.make_code(effects),
            (Focus::Guess, _) => self.guess(effects),
            (Focus::Nothing, Mode::Watch) => self.step(effects),
            (Focus::Nothing, _) => {}
        }
    }

    /// Closes or stops something; false if there was nothing to close or stop.
    fn escape(&mut self, effects: &mut EffectQueue) -> bool {
        if self.editing.take().is_some() {
            self.restore_marks();
        } else if self.running {
            self.running = false;
        } else if let Some(pending) = &mut self.pending {
            if pending.purpose == QueryPurpose::Guess && !pending.finishing {
                pending.finishing = true;
                effects.add(Effect::FinishEarly(pending.id));
            } else if pending.purpose == QueryPurpose::Guess {
                return false;
            } else {
                self.stop(effects);
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
            Action::Move(Direction::Left) => entry.previous(),
            Action::Move(Direction::Right) => entry.next(),
            Action::Move(direction) => match neighbor(rules.board(), entry.cursor, direction == Direction::Down) {
                Some(cell) if is_guess => entry.go_to(cell),
                _ => entry.cycle(direction == Direction::Up),
            },
            Action::Cycle(up) => entry.cycle(up),
            Action::Erase => entry.erase(),
            Action::Clear => entry.clear(),
            _ => return false,
        }
        true
    }

    fn undo(&mut self, effects: &mut EffectQueue) {
        if self.revealed {
            return self.say(format!("The code is known; press {} for a new game.", self.key('n')));
        }
        match self.mode() {
            Mode::Break => self.undo_guess(effects),
            Mode::Make => self.undo_answer(effects),
            Mode::Watch => self.step_back(effects),
        }
    }

    fn give_up(&mut self, sure: bool, effects: &mut EffectQueue) {
        if self.mode() != Mode::Break || self.is_over() {
            self.say("There is nothing to give up.");
        } else if sure {
            self.revealed = true;
            self.stop(effects);
            self.hint = None;
            self.advance(effects);
        } else {
            self.sure = true;
            self.say("Press again to give up and see the code.");
        }
    }

    pub(super) fn guess(&mut self, effects: &mut EffectQueue) {
        let guess = match self.entry.code(self.rules()) {
            Ok(guess) => guess,
            Err(why) => return self.complain(format!("Not yet: {why}.")),
        };
        let guesses = self.setup.listed().and_then(|secrets| secrets.guesses());
        if guesses.is_some_and(|guesses| guesses.binary_search(&guess).is_err()) {
            return self.complain("Not yet: this code is not in the list of guesses.");
        }
        let Some(feedback) = self.judge(&guess) else { return };
        self.stop(effects);
        self.entry = SlotEditor::guess(self.rules());
        self.push(Turn { guess, feedback }, None, effects);
        self.advance(effects);
    }

    /// Undoes the last guess, which can then be edited.
    pub(super) fn undo_guess(&mut self, effects: &mut EffectQueue) {
        match self.pop(effects) {
            Some((turn, _)) => {
                self.stop(effects);
                self.entry = SlotEditor::of_code(self.rules(), &turn.guess);
            }
            None => self.say("There are no turns yet."),
        }
    }

    /// Asks for a hint; an existing hint is put into the entry.
    pub(super) fn ask_hint(&mut self, effects: &mut EffectQueue) {
        if self.mode() != Mode::Break {
            self.say("In this mode, the computer guesses and explains.");
        } else if self.is_over() {
            self.say(format!("The game is over; press {} for a new one.", self.key('n')));
        } else if let Some(hint) = &self.hint {
            self.entry = SlotEditor::of_code(self.rules(), &hint.guess);
        } else if self.pending.is_none() {
            self.ask_guess(QueryPurpose::Hint, effects);
        }
    }
}

impl GameState {
    pub(super) fn make_code(&mut self, effects: &mut EffectQueue) {
        if !self.entry.is_empty() {
            match self.entry.code(self.rules()) {
                Ok(code) if self.setup.listed().is_some_and(|secrets| secrets.weight(&code) == 0.0) => {
                    return self.complain("Not yet: this code is not in the list of secrets.");
                }
                Ok(code) => self.secret = Some(code),
                Err(why) => return self.complain(format!("Not yet: {why}. Clear it to keep the code in mind.")),
            }
        }
        self.ready = true;
        self.advance(effects);
    }

    pub(super) fn answer(&mut self, effects: &mut EffectQueue) {
        let Some(computer_guess) = self.computer_guess.clone() else { return };
        let feedback = match self.marks.marks(self.rules()) {
            Ok(feedback) => feedback,
            Err(why) => return self.complain(format!("Not possible: {why}.")),
        };
        if let Some(right) = self.judge(&computer_guess.guess).filter(|right| *right != feedback) {
            self.complain(format!("Check again: the feedback of your code is {right}, not {feedback}."));
            self.marks = SlotEditor::of_feedback(self.rules(), &right);
            return;
        }
        self.computer_guess = None;
        self.push(Turn { guess: computer_guess.guess.clone(), feedback }, Some(computer_guess), effects);
        self.advance(effects);
    }

    pub(super) fn undo_answer(&mut self, effects: &mut EffectQueue) {
        self.editing = None;
        if let Some((turn, computer_guess)) = self.pop(effects) {
            self.stop(effects);
            self.repairs = None;
            self.marks = SlotEditor::of_feedback(self.rules(), &turn.feedback);
            self.computer_guess = Some(computer_guess);
        } else if self.ready {
            self.stop(effects);
            self.computer_guess = None;
            self.ready = false;
            if let Some(secret) = self.secret.take() {
                self.entry = SlotEditor::of_code(self.rules(), &secret);
            }
        } else {
            self.say("There are no turns yet.");
        }
    }

    /// Starts to edit the feedback of a turn: the given one, else the one before the current edit, else the last.
    pub(super) fn edit(&mut self, turn: Option<usize>) {
        if self.mode() != Mode::Make {
            return self.say("The computer gives the answers, and they are correct.");
        }
        if self.secret.is_some() {
            return self.say("The computer knows your code, so every answer is correct.");
        }
        let last = self.history.len();
        let before = self.editing.filter(|&editing| editing > 0).unwrap_or(last).checked_sub(1);
        let Some(turn) = turn.or(before).filter(|&turn| turn < last) else {
            return self.say("There are no answers yet.");
        };
        self.editing = Some(turn);
        self.restore_marks();
    }

    /// Fills the feedback entry for the turn that is edited or answered.
    pub(super) fn restore_marks(&mut self) {
        self.marks = match self.editing.and_then(|turn| self.history.turns().get(turn)) {
            Some(turn) => SlotEditor::of_feedback(self.rules(), &turn.feedback),
            None => SlotEditor::feedback(self.rules()),
        };
    }

    pub(super) fn finish_edit(&mut self, effects: &mut EffectQueue) {
        let Some(index) = self.editing else { return };
        match self.marks.marks(self.rules()) {
            Ok(feedback) if feedback.is_winning(self.rules()) && index + 1 < self.history.len() => {
                self.complain("That would have ended the game: undo the later turns first.");
            }
            Ok(feedback) => {
                let guess = self.history.turns()[index].guess.clone();
                self.correct(vec![(index, Turn { guess, feedback })], effects);
            }
            Err(why) => self.complain(format!("Not possible: {why}.")),
        }
    }

    fn correct(&mut self, changes: Vec<(usize, Turn)>, effects: &mut EffectQueue) {
        self.editing = None;
        self.repairs = None;
        self.computer_guess = None;
        self.stop(effects);
        self.restore_marks();
        let numbers: Vec<String> = changes.iter().map(|(index, _)| (index + 1).to_string()).collect();
        for (index, turn) in changes {
            self.replace(index, turn, effects);
        }
        let (turns, are) = if numbers.len() == 1 { ("Turn", "is") } else { ("Turns", "are") };
        self.note = Some(good(format!("{turns} {} {are} corrected.", numbers.join(" and "))));
        self.advance(effects);
    }

    /// Moves the selection of repairs, or applies one by its number.
    pub(super) fn choose(&mut self, action: Action, effects: &mut EffectQueue) {
        let Some(repairs) = &mut self.repairs else { return };
        let last = repairs.options.len().saturating_sub(1);
        match action {
            Action::Move(Direction::Down | Direction::Right) => repairs.chosen = (repairs.chosen + 1).min(last),
            Action::Move(Direction::Up | Direction::Left) => repairs.chosen = repairs.chosen.saturating_sub(1),
            Action::Type(char) => {
                if let Some(number @ 1..) = char.to_digit(10) {
                    self.repair(number as usize - 1, effects);
                }
            }
            _ => {}
        }
    }

    pub(super) fn repair(&mut self, number: usize, effects: &mut EffectQueue) {
        let option = self.repairs.as_ref().and_then(|repairs| repairs.options.get(number));
        match option.map(|option| option.changes.clone()) {
            Some(changes) if changes.iter().all(|(index, _)| *index < self.history.len()) => {
                self.correct(changes, effects);
            }
            _ => {
                let (edit, undo) = (self.key('e'), self.key('u'));
                let text = format!("Press {edit} to change an answer, or {undo} to undo the last one.");
                self.say(text);
            }
        }
    }
}

impl GameState {
    pub(super) fn step(&mut self, effects: &mut EffectQueue) {
        self.waited = 0;
        if self.is_over() || self.mode() != Mode::Watch {
            return;
        }
        let Some(computer_guess) = self.computer_guess.take() else {
            return self.say("Still thinking; press Esc to use the best guess so far.");
        };
        let Some(feedback) = self.judge(&computer_guess.guess) else { return };
        self.push(Turn { guess: computer_guess.guess.clone(), feedback }, Some(computer_guess), effects);
        self.advance(effects);
    }

    pub(super) fn step_back(&mut self, effects: &mut EffectQueue) {
        self.running = false;
        match self.pop(effects) {
            Some((_, computer_guess)) => {
                self.stop(effects);
                self.computer_guess = Some(computer_guess);
            }
            None => self.say("This is the first turn."),
        }
    }

    fn change_pace(&mut self, faster: bool) {
        self.pace = if faster { self.pace.saturating_sub(1) } else { (self.pace + 1).min(PACES.len() - 1) };
    }

    pub(crate) fn seconds_per_turn(&self) -> f64 {
        f64::from(PACES[self.pace]) / 10.0
    }

    pub(super) fn run(&mut self) {
        if self.mode() == Mode::Watch {
            self.running = !self.running && !self.is_over();
            self.waited = 0;
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum AnalysisState {
    Pending(QueryId),
    Done(Result<Box<Analysis>, String>),
}

/// Query whose result the player waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PendingQuery {
    pub(super) id: QueryId,
    pub(crate) purpose: QueryPurpose,
    pub(crate) ticks: u64,
    pub(crate) examined: u64,
    /// True if it was asked to finish early.
    pub(crate) finishing: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryPurpose {
    Guess,
    Hint,
    Repairs,
}

impl GameState {
    /// Requests the missing counts of codes.
    pub(super) fn count(&mut self, effects: &mut EffectQueue) {
        effects.cancel(self.counting.take());
        let first = self.left.len();
        if first <= self.history.len() {
            self.counting = Some(effects.start(PlayQuery::Count { history: self.history.clone(), first }));
        }
    }

    pub(super) fn cancel_analysis(&mut self, effects: &mut EffectQueue) {
        if let Some(AnalysisState::Pending(id)) = self.analysis.take() {
            effects.add(Effect::Cancel(id));
        }
    }

    pub(super) fn ask_guess(&mut self, purpose: QueryPurpose, effects: &mut EffectQueue) {
        let (history, spec, seed) = (self.history.clone(), self.setup.spec.clone(), self.setup.seed);
        self.think(purpose, PlayQuery::Guess { history, spec, seed }, effects);
    }

    pub(super) fn think(&mut self, purpose: QueryPurpose, query: PlayQuery, effects: &mut EffectQueue) {
        self.stop(effects);
        let id = effects.start(query);
        self.pending = Some(PendingQuery { id, purpose, ticks: 0, examined: 0, finishing: false });
    }

    pub(super) fn stop(&mut self, effects: &mut EffectQueue) {
        effects.cancel(self.pending.take().map(|pending| pending.id));
    }

    pub(super) fn cancel_all(&mut self, effects: &mut EffectQueue) {
        self.stop(effects);
        self.cancel_analysis(effects);
        effects.cancel(self.counting.take());
    }

    /// Requests an analysis, unless there is one.
    pub(super) fn analyze(&mut self, effects: &mut EffectQueue) {
        if self.analysis.is_none() {
            let (history, secret) = (self.history.clone(), self.secret.clone());
            self.analysis = Some(AnalysisState::Pending(effects.start(PlayQuery::Analyze { history, secret })));
        }
    }

    /// Handles the passage of time and events of queries; results of outdated queries are ignored.
    pub(super) fn background(&mut self, event: Event, effects: &mut EffectQueue) {
        match event {
            Event::Tick => self.tick(effects),
            Event::Progress(id, examined) => {
                if let Some(pending) = self.pending.as_mut().filter(|pending| pending.id == id) {
                    pending.examined = examined;
                }
            }
            Event::Done(id, outcome) => self.done(id, outcome),
            Event::Failed(id, why) => self.failed(id, why),
            _ => {}
        }
    }

    fn done(&mut self, id: QueryId, outcome: QueryOutcome) {
        match outcome {
            QueryOutcome::Count(counts) => {
                if self.counting.take_if(|counting| *counting == id).is_some() {
                    self.left.extend(counts);
                }
            }
            QueryOutcome::Analysis(analysis) => {
                if matches!(self.analysis, Some(AnalysisState::Pending(asked)) if asked == id) {
                    self.analysis = Some(AnalysisState::Done(analysis));
                }
            }
            outcome => self.query_finished(id, outcome),
        }
    }

    /// Handles a query that could not be started.
    fn failed(&mut self, id: QueryId, why: String) {
        if self.counting == Some(id) {
            self.counting = None;
        } else if matches!(self.analysis, Some(AnalysisState::Pending(asked)) if asked == id) {
            self.analysis = Some(AnalysisState::Done(Err(why)));
        } else if self.pending.as_ref().is_some_and(|pending| pending.id == id) {
            self.pending = None;
            self.running = false;
            self.complain(why);
        }
    }

    fn query_finished(&mut self, id: QueryId, outcome: QueryOutcome) {
        let Some(pending) = self.pending.take_if(|pending| pending.id == id) else { return };
        match outcome {
            QueryOutcome::Guess(Ok(hint)) if pending.purpose == QueryPurpose::Hint => {
                self.note = None;
                self.hint = Some(hint);
            }
            QueryOutcome::Guess(Ok(hint)) => self.guessed(hint),
            QueryOutcome::Guess(Err(NoGuess::Contradiction(contradiction))) => {
                self.repairs = Some(RepairMenu::new(*contradiction));
            }
            QueryOutcome::Guess(Err(NoGuess::Other(why))) => {
                self.running = false;
                self.complain(why);
            }
            QueryOutcome::Repairs(contradiction) => self.repairs = contradiction.map(RepairMenu::new),
            QueryOutcome::Count(_) | QueryOutcome::Analysis(_) => {}
        }
    }

    fn guessed(&mut self, hint: Box<Hint>) {
        self.marks = match self.judge(&hint.guess) {
            // With a known code, the feedback is filled in.
            Some(feedback) if self.mode() == Mode::Make => SlotEditor::of_feedback(self.rules(), &feedback),
            _ => SlotEditor::feedback(self.rules()),
        };
        self.waited = 0;
        self.computer_guess = Some(ComputerGuess { guess: hint.guess.clone(), why: Some(hint) });
    }
}

/// Contradiction and the selected repair.
#[derive(Debug, Clone)]
pub(crate) struct RepairMenu {
    pub(crate) contradiction: Contradiction,
    pub(crate) options: Vec<RepairOption>,
    pub(crate) chosen: usize,
}

/// One repair, or two that must be made together.
#[derive(Debug, Clone)]
pub(crate) struct RepairOption {
    /// Corrected turns by index.
    pub(super) changes: Vec<(usize, Turn)>,
    pub(crate) words: String,
    /// Number of codes consistent with the corrected turns.
    pub(crate) leaves: Amount,
}

impl RepairMenu {
    pub(super) fn new(contradiction: Contradiction) -> Self {
        let single = contradiction
            .repairs
            .iter()
            .filter_map(|repair| RepairOption::new(std::slice::from_ref(repair), repair.leaves));
        let double = contradiction.pairs.iter().filter_map(|pair| RepairOption::new(&pair.repairs, pair.leaves));
        Self { options: single.chain(double).collect(), contradiction, chosen: 0 }
    }
}

impl RepairOption {
    fn new(repairs: &[Repair], leaves: Amount) -> Option<Self> {
        let change = |repair: &Repair| Some((repair.turn.checked_sub(1)?, repair.now.turn()?));
        let words: Vec<&str> = repairs.iter().map(|repair| repair.words.as_str()).collect();
        Some(Self { changes: repairs.iter().map(change).collect::<Option<_>>()?, words: words.join("; and "), leaves })
    }
}
