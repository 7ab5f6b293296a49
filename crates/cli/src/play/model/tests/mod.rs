//! Whole games without a terminal.

mod laws;

use std::sync::atomic::AtomicBool;

use pegwise_coach::{Mode, Record};
use pegwise_game::{Rules, feedback};
use pegwise_solve::Meter;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{
    event::{Action, Effect, Event, SaveError, Ticket, Way},
    *,
};
use crate::play::errands;

/// A game with somebody who does what it wants, at once or when told to.
pub(crate) struct Table {
    pub(crate) model: Model,
    /// What was wished for and is not done yet.
    jobs: Vec<(Ticket, event::Job)>,
    /// Everything else that was wished for.
    wished: Vec<Effect>,
}

pub(crate) fn setup(rules: &str, mode: Mode, secret: Option<&str>) -> Setup {
    let rules: Rules = rules.parse().unwrap();
    let secret = secret.map(|secret| rules.parse_code(secret).unwrap());
    Setup { rules, mode, spec: "adaptive".parse().unwrap(), seed: 7, secret }
}

impl Table {
    pub(crate) fn start(rules: &str, mode: Mode, secret: Option<&str>) -> Self {
        let mut table = Self::of(Model::in_game(setup(rules, mode, secret)));
        table.work();
        table
    }

    pub(crate) fn of((model, effects): (Model, Vec<Effect>)) -> Self {
        let mut table = Self { model, jobs: Vec::new(), wished: Vec::new() };
        table.take(effects);
        table
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Ask(ticket, job) => self.jobs.push((ticket, job)),
                Effect::Drop(ticket) => self.jobs.retain(|(other, _)| *other != ticket),
                effect => self.wished.push(effect),
            }
        }
    }

    fn tell(&mut self, event: Event) {
        let effects = self.model.update(event);
        self.take(effects);
    }

    /// Does one of the jobs.
    fn work_on(&mut self, job: usize) {
        let (ticket, job) = self.jobs.remove(job);
        let (outcome, _) = errands::perform(job, None, None, &AtomicBool::new(false), &Meter::default());
        self.tell(Event::Done(ticket, outcome));
    }

    /// Does all jobs.
    pub(crate) fn work(&mut self) {
        while !self.jobs.is_empty() {
            self.work_on(0);
        }
    }

    pub(crate) fn act(&mut self, action: Action) {
        self.tell(Event::Action(action));
        self.work();
    }

    /// Presses keys: one for each character, and Enter for `\n`.
    pub(crate) fn press(&mut self, keys: &str) {
        for char in keys.chars() {
            let code = if char == '\n' { KeyCode::Enter } else { KeyCode::Char(char) };
            self.tell(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
            self.work();
        }
    }

    pub(crate) fn game(&self) -> &Game {
        self.model.game.as_ref().expect("a game")
    }

    fn turns(&self) -> Vec<String> {
        let game = self.game();
        game.history.turns().iter().map(|turn| turn.notation(game.rules()).to_string()).collect()
    }

    fn note(&self) -> &str {
        self.game().note.as_ref().map_or("", |note| &note.text)
    }
}

#[test]
fn a_code_is_broken() {
    let mut table = Table::start("4x6", Mode::Break, Some("3632"));
    table.press("1122\n12\n");
    assert_eq!(table.note(), "Not yet: 2 cells are still empty.");
    table.press("44\n3632\n");
    assert_eq!(table.turns(), ["1122=1,0", "1244=0,1", "3632=4,0"]);
    assert!(table.game().is_over());
    assert!(matches!(&table.game().analysis, Some(Appraisal::Known(Ok(analysis))) if analysis.skill.is_exact()));
    assert_eq!(table.game().left(1).and_then(pegwise_coach::Amount::exact), Some(256));
    table.press("u");
    assert!(!table.game().is_over(), "the last guess is taken back, and stands there to be changed");
    assert_eq!(table.game().entry.code(table.game().rules()).unwrap().notation(6).to_string(), "3632");
}

#[test]
fn hints_win_the_game() {
    for rules in ["4x6", "4x10:no-repeats", "grid:2x2x4", "4x6:higher-lower", "3x5:distance", "ring:4x3"] {
        let mut table = Table::start(rules, Mode::Break, None);
        for _ in 0..20 {
            table.act(Action::Hint);
            assert!(table.game().hint.is_some() || table.game().is_over(), "{rules}: {}", table.note());
            table.act(Action::Hint);
            table.act(Action::Enter);
        }
        assert!(table.game().history.is_solved(), "{rules}");
    }
}

#[test]
fn guesses_that_the_rules_allow_run_out() {
    let mut table = Table::start("4x6:max-guesses=2", Mode::Break, Some("3632"));
    table.press("1111\n2222\n3333\n");
    assert_eq!((table.turns().len(), table.game().is_over()), (2, true));
}

#[test]
fn giving_up_is_asked_twice() {
    let mut table = Table::start("4x6", Mode::Break, None);
    table.press("g1g");
    assert!(!table.game().is_over());
    table.press("g");
    assert!(table.game().is_over() && table.game().revealed);
    table.press("u");
    assert!(table.note().starts_with("The code is known now"));
}

/// Answers the computer's guesses for a code kept in mind; one answer may have a number too many.
fn answer(table: &mut Table, secret: &str, misjudged: Option<usize>) {
    let rules = table.game().rules().clone();
    let secret = rules.parse_code(secret).unwrap();
    for turn in 0..15 {
        let Some(thought) = &table.game().thought else { return };
        let right = feedback(&rules, &thought.guess, &secret);
        let mut numbers: Vec<u64> = right.marks().iter().flat_map(|mark| mark.numbers()).collect();
        if misjudged == Some(turn) {
            numbers[1] += 1;
        }
        let digits: String = numbers.iter().map(ToString::to_string).collect();
        table.press(&digits);
        table.press("\n");
    }
}

#[test]
fn the_computer_breaks_a_code_in_mind() {
    for (rules, secret) in [("4x6", "3632"), ("4x6:higher-lower", "3632"), ("grid:2x2x3", "1231"), ("5x8", "17283")] {
        let mut table = Table::start(rules, Mode::Make, None);
        assert!(!table.game().ready);
        table.press("\n");
        answer(&mut table, secret, None);
        assert!(table.game().history.is_solved() && table.game().trouble.is_none(), "{rules}");
    }
}

#[test]
fn a_misjudged_answer_is_caught_and_mended() {
    let mut caught = 0;
    for code in ["3632", "1456", "2241", "6512", "5533"] {
        let mut table = Table::start("4x6", Mode::Make, None);
        table.press("\n");
        answer(&mut table, code, Some(1));
        let Some(trouble) = &table.game().trouble else { continue };
        caught += 1;
        assert!(trouble.contradiction.turns.iter().any(|turns| turns.contains(&2)), "{code}");
        let rules = table.game().rules().clone();
        let secret = rules.parse_code(code).unwrap();
        let right = |(index, turn): &(usize, pegwise_game::Turn)| {
            *index == 1 && turn.feedback == feedback(&rules, &turn.guess, &secret)
        };
        let fix = trouble.fixes.iter().position(|fix| fix.changes.iter().all(right));
        table.act(Action::Repair(fix.expect("the true repair is in the list")));
        assert_eq!((table.note(), table.game().trouble.is_none()), ("Turn 2 is mended.", true), "{code}");
        answer(&mut table, code, None);
        assert!(table.game().history.is_solved(), "{code}");
    }
    assert!(caught > 1, "mistakes are found out");
}

#[test]
fn an_answer_is_changed_in_place() {
    let mut table = Table::start("4x6", Mode::Make, None);
    table.press("\n11\n01\n");
    let guesses: Vec<_> = table.game().history.turns().iter().map(|turn| turn.guess.clone()).collect();
    table.press("ee");
    assert_eq!(table.game().editing, Some(0));
    table.act(Action::Clear);
    table.press("20\n");
    assert_eq!(table.game().editing, None);
    let turns = table.game().history.turns();
    assert_eq!(turns[0].feedback.to_string(), "2,0");
    assert!(turns.iter().zip(guesses).all(|(turn, guess)| turn.guess == guess), "the guesses stay");
    table.press("e");
    table.act(Action::Escape);
    assert_eq!((table.game().editing, table.model.in_menu), (None, false));
}

#[test]
fn who_wrote_the_code_down_cannot_misjudge() {
    let mut table = Table::start("4x6", Mode::Make, None);
    table.press("3632\n");
    assert!(table.game().secret.is_some());
    let right = table.game().marks.marks(table.game().rules()).unwrap();
    table.act(Action::Clear);
    table.press("40\n");
    assert!(table.note().starts_with(&format!("Look again: your code answers {right}, not 4,0")), "{}", table.note());
    for _ in 0..10 {
        table.press("\n");
    }
    assert!(table.game().history.is_solved());
    for _ in 0..12 {
        table.press("u");
    }
    assert!(!table.game().ready && table.game().secret.is_none(), "back to where the code is made");
}

#[test]
fn a_game_is_watched_step_by_step_and_by_itself() {
    let mut table = Table::start("4x6", Mode::Watch, Some("3632"));
    table.press("\n");
    table.act(Action::Move(Way::Right));
    assert_eq!(table.turns().len(), 2);
    table.act(Action::Move(Way::Left));
    assert_eq!((table.turns().len(), table.game().thought.is_some()), (1, true));
    table.press(" +");
    for _ in 0..100 {
        table.tell(Event::Tick);
        table.work();
    }
    assert!(table.game().history.is_solved() && !table.game().running);
    let again = Table::start("4x6", Mode::Watch, Some("3632"));
    let mut again = again;
    for _ in 0..10 {
        again.press("\n");
    }
    assert_eq!(again.turns(), table.turns(), "the same seed plays the same game, whatever was stepped back");
}

#[test]
fn letters_are_colors_from_ten_colors_on() {
    let mut table = Table::start("4x10", Mode::Break, Some("ABCJ"));
    table.press("hugj\n");
    assert_eq!(table.turns().len(), 0, "h and u are colors only up to j");
    table.press("abcj\n");
    assert_eq!(table.turns().len(), 1);
    table.press("U");
    assert_eq!(table.turns().len(), 0, "commands are in upper case");
}

#[test]
fn games_are_saved_loaded_and_shared() {
    let mut table = Table::start("4x6", Mode::Break, Some("3632"));
    table.press("1122\ns\n");
    let Some(Effect::Save { path, text, overwrite: false }) = table.wished.pop() else { panic!("nothing to save") };
    let record = Record::from_text(&text).unwrap();
    assert_eq!((record.turns.len(), record.secret.is_some()), (1, true));
    table.tell(Event::Saved(path.clone(), Err(SaveError::Exists)));
    table.press("\n");
    assert!(matches!(table.wished.pop(), Some(Effect::Save { overwrite: true, .. })));
    table.tell(Event::Saved(path, Ok(())));
    assert!(table.note().starts_with("Saved."));

    table.press("l");
    let Some(Overlay::Share(line)) = table.model.overlay.clone() else { panic!("nothing to share") };
    table.act(Action::Escape);
    let mut other = Table::start("5x8", Mode::Watch, None);
    other.tell(Event::Paste(format!("  {line}\n")));
    other.work();
    assert_eq!((other.turns(), other.game().mode()), (table.turns(), Mode::Break));
    other.press("3632\n");
    assert!(other.game().history.is_solved(), "the sealed code is the same");
    other.tell(Event::Paste("nonsense".to_owned()));
    assert!(other.note().contains("is not a game"));
    other.press("o");
    other.tell(Event::Paste("game.toml".to_owned()));
    other.press("\n");
    assert!(matches!(other.wished.pop(), Some(Effect::Load(path)) if path.as_os_str() == "game.toml"));
}

#[test]
fn the_menu_chooses_what_is_played() {
    let mut table = Table::of((Model::in_menu(setup("4x6", Mode::Break, None)), Vec::new()));
    let line = |model: &Model, field| model.menu.fields().iter().position(|&other| other == field).unwrap();
    let pegs = line(&table.model, Field::Side(0));
    table.act(Action::Change(pegs, true));
    let mode = line(&table.model, Field::Mode);
    table.act(Action::Change(mode, false));
    let strategy = line(&table.model, Field::Strategy);
    table.act(Action::Change(strategy, true));
    table.press("\n");
    assert_eq!((table.game().rules().to_string().as_str(), table.game().mode()), ("5x6", Mode::Watch));
    assert_ne!(table.game().setup.spec.to_string(), "adaptive");
    table.press("n");
    let rules = line(&table.model, Field::Rules);
    table.act(Action::Choose(rules));
    table.tell(Event::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    table.press("nonsense\n");
    assert!(table.model.note.as_ref().is_some_and(|note| note.tone == Tone::Bad));
    table.tell(Event::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    table.press("lines:1.2/2.3x4\n");
    assert_eq!(table.model.menu.rules().unwrap().to_string(), "lines:1.2/2.3x4");
    table.act(Action::Escape);
    assert!(!table.model.in_menu, "back to the game");
}

#[test]
fn a_contradictory_game_can_be_loaded() {
    let record = Record::from_line("pegwise/1 make 4x6 1122=0,0 3344=0,1 5566=0,0").unwrap();
    let mut table = Table::of(Model::in_record(setup("4x6", Mode::Break, None), &record));
    table.work();
    let trouble = table.game().trouble.as_ref().expect("no code fits");
    assert!(!trouble.fixes.is_empty());
}
