//! Whole games without a terminal.

use std::{path::PathBuf, sync::atomic::AtomicBool};

use pegwise_coach::{Mode, Record};
use pegwise_game::{Rules, feedback};
use pegwise_solve::Meter;
use proptest::{
    collection,
    prelude::{Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest},
    sample,
};
use ratatui::{
    Terminal,
    backend::TestBackend,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
};

use super::{
    event::{Action, Direction, Effect, Event, QueryId, SaveError},
    *,
};
use crate::play::{
    queries,
    view::{self, Theme},
};

/// Game whose effects are executed by the test.
pub(crate) struct TestGame {
    pub(crate) model: Model,
    /// Queries that have not run yet.
    running: Vec<(QueryId, event::PlayQuery)>,
    /// Other effects.
    requested: Vec<Effect>,
}

pub(crate) fn setup(rules: &str, mode: Mode, secret: Option<&str>) -> PlaySetup {
    let rules: Rules = rules.parse().unwrap();
    let secret = secret.map(|secret| rules.parse_code(secret).unwrap());
    PlaySetup { rules, mode, spec: "adaptive".parse().unwrap(), seed: 7, secret, secrets: None }
}

impl TestGame {
    pub(crate) fn start(rules: &str, mode: Mode, secret: Option<&str>) -> Self {
        let mut table = Self::of(Model::in_game(setup(rules, mode, secret)));
        table.work();
        table
    }

    pub(crate) fn of((model, effects): (Model, Vec<Effect>)) -> Self {
        let mut table = Self { model, running: Vec::new(), requested: Vec::new() };
        table.take(effects);
        table
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Start(id, query) => self.running.push((id, query)),
                Effect::Cancel(id) => self.running.retain(|(other, _)| *other != id),
                effect => self.requested.push(effect),
            }
        }
    }

    fn send(&mut self, event: Event) {
        let effects = self.model.update(event);
        self.take(effects);
    }

    fn work_on(&mut self, query: usize) {
        let (id, query) = self.running.remove(query);
        let (outcome, _) = queries::run_query(query, None, None, None, &AtomicBool::new(false), &Meter::default());
        self.send(Event::Done(id, outcome));
    }

    pub(crate) fn work(&mut self) {
        while !self.running.is_empty() {
            self.work_on(0);
        }
    }

    pub(crate) fn act(&mut self, action: Action) {
        self.send(Event::Action(action));
        self.work();
    }

    /// Presses keys: one per character, and Enter for `\n`.
    pub(crate) fn press(&mut self, keys: &str) {
        for char in keys.chars() {
            let code = if char == '\n' { KeyCode::Enter } else { KeyCode::Char(char) };
            self.send(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
            self.work();
        }
    }

    pub(crate) fn game(&self) -> &GameState {
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
    let mut table = TestGame::start("4x6", Mode::Break, Some("3632"));
    table.press("1122\n12\n");
    assert_eq!(table.note(), "Not yet: 2 cells are still empty.");
    table.press("44\n3632\n");
    assert_eq!(table.turns(), ["1122=1,0", "1244=0,1", "3632=4,0"]);
    assert!(table.game().is_over());
    assert!(matches!(&table.game().analysis, Some(AnalysisState::Done(Ok(analysis))) if analysis.skill.is_exact()));
    assert_eq!(table.game().left(1).and_then(pegwise_coach::Amount::exact), Some(256));
    table.press("u");
    assert!(!table.game().is_over(), "the last guess is taken back, and stands there to be changed");
    assert_eq!(table.game().entry.code(table.game().rules()).unwrap().notation(6).to_string(), "3632");
}

#[test]
fn hints_win_the_game() {
    for rules in ["4x6", "4x10:no-repeats", "grid:2x2x4", "4x6:higher-lower", "3x5:distance", "ring:4x3"] {
        let mut table = TestGame::start(rules, Mode::Break, None);
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
    let mut table = TestGame::start("4x6:max-guesses=2", Mode::Break, Some("3632"));
    table.press("1111\n2222\n3333\n");
    assert_eq!((table.turns().len(), table.game().is_over()), (2, true));
}

#[test]
fn giving_up_is_asked_twice() {
    let mut table = TestGame::start("4x6", Mode::Break, None);
    table.press("g1g");
    assert!(!table.game().is_over());
    table.press("g");
    assert!(table.game().is_over() && table.game().revealed);
    table.press("u");
    assert!(table.note().starts_with("The code is known"));
}

/// Answers the computer's guesses for a secret code, with one wrong answer in turn `misjudged`.
fn answer(table: &mut TestGame, secret: &str, misjudged: Option<usize>) {
    let rules = table.game().rules().clone();
    let secret = rules.parse_code(secret).unwrap();
    for turn in 0..15 {
        let Some(computer_guess) = &table.game().computer_guess else { return };
        let right = feedback(&rules, &computer_guess.guess, &secret);
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
        let mut table = TestGame::start(rules, Mode::Make, None);
        assert!(!table.game().ready);
        table.press("\n");
        answer(&mut table, secret, None);
        assert!(table.game().history.is_solved() && table.game().repairs.is_none(), "{rules}");
    }
}

#[test]
fn a_misjudged_answer_is_caught_and_mended() {
    let mut caught = 0;
    for code in ["3632", "1456", "2241", "6512", "5533"] {
        let mut table = TestGame::start("4x6", Mode::Make, None);
        table.press("\n");
        answer(&mut table, code, Some(1));
        let Some(repairs) = &table.game().repairs else { continue };
        caught += 1;
        assert!(repairs.contradiction.turns.iter().any(|turns| turns.contains(&2)), "{code}");
        let rules = table.game().rules().clone();
        let secret = rules.parse_code(code).unwrap();
        let right = |(index, turn): &(usize, pegwise_game::Turn)| {
            *index == 1 && turn.feedback == feedback(&rules, &turn.guess, &secret)
        };
        let option = repairs.options.iter().position(|option| option.changes.iter().all(right));
        table.act(Action::Repair(option.expect("the true repair is in the list")));
        assert_eq!((table.note(), table.game().repairs.is_none()), ("Turn 2 is corrected.", true), "{code}");
        answer(&mut table, code, None);
        assert!(table.game().history.is_solved(), "{code}");
    }
    assert!(caught > 1, "mistakes are found out");
}

#[test]
fn an_answer_is_changed_in_place() {
    let mut table = TestGame::start("4x6", Mode::Make, None);
    table.press("\n11\n01\n");
    let guesses = table.game().history.guesses();
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
fn a_typed_code_prevents_wrong_answers() {
    let mut table = TestGame::start("4x6", Mode::Make, None);
    table.press("3632\n");
    assert!(table.game().secret.is_some());
    let right = table.game().marks.marks(table.game().rules()).unwrap();
    table.act(Action::Clear);
    table.press("40\n");
    assert!(
        table.note().starts_with(&format!("Check again: the feedback of your code is {right}, not 4,0")),
        "{}",
        table.note()
    );
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
    let mut table = TestGame::start("4x6", Mode::Watch, Some("3632"));
    table.press("\n");
    table.act(Action::Move(Direction::Right));
    assert_eq!(table.turns().len(), 2);
    table.act(Action::Move(Direction::Left));
    assert_eq!((table.turns().len(), table.game().computer_guess.is_some()), (1, true));
    table.press(" +");
    for _ in 0..100 {
        table.send(Event::Tick);
        table.work();
    }
    assert!(table.game().history.is_solved() && !table.game().running);
    let again = TestGame::start("4x6", Mode::Watch, Some("3632"));
    let mut again = again;
    for _ in 0..10 {
        again.press("\n");
    }
    assert_eq!(again.turns(), table.turns(), "the same seed plays the same game, whatever was stepped back");
}

#[test]
fn letters_are_colors_from_ten_colors_on() {
    let mut table = TestGame::start("4x10", Mode::Break, Some("ABCJ"));
    table.press("hugj\n");
    assert_eq!(table.turns().len(), 0, "h and u are colors only up to j");
    table.press("abcj\n");
    assert_eq!(table.turns().len(), 1);
    table.press("U");
    assert_eq!(table.turns().len(), 0, "commands are in upper case");
}

#[test]
fn games_are_saved_loaded_and_shared() {
    let mut table = TestGame::start("4x6", Mode::Break, Some("3632"));
    table.press("1122\ns\n");
    let Some(Effect::Save { path, text, overwrite: false }) = table.requested.pop() else { panic!("nothing to save") };
    let record = Record::from_text(&text).unwrap();
    assert_eq!((record.turns.len(), record.secret.is_some()), (1, true));
    table.send(Event::Saved(path.clone(), Err(SaveError::Exists)));
    table.press("\n");
    assert!(matches!(table.requested.pop(), Some(Effect::Save { overwrite: true, .. })));
    table.send(Event::Saved(path, Ok(())));
    assert!(table.note().starts_with("Saved."));

    table.press("l");
    let Some(Overlay::Share(line)) = table.model.overlay.clone() else { panic!("nothing to share") };
    table.act(Action::Escape);
    let mut other = TestGame::start("5x8", Mode::Watch, None);
    other.send(Event::Paste(format!("  {line}\n")));
    other.work();
    assert_eq!((other.turns(), other.game().mode()), (table.turns(), Mode::Break));
    other.press("3632\n");
    assert!(other.game().history.is_solved(), "the sealed code is the same");
    other.send(Event::Paste("nonsense".to_owned()));
    assert!(other.note().contains("is not a game"));
    other.press("o");
    other.send(Event::Paste("game.toml".to_owned()));
    other.press("\n");
    assert!(matches!(other.requested.pop(), Some(Effect::Load(path)) if path.as_os_str() == "game.toml"));
}

#[test]
fn the_menu_selects_the_game() {
    let mut table = TestGame::of((Model::in_menu(setup("4x6", Mode::Break, None)), Vec::new()));
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
    table.send(Event::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    table.press("nonsense\n");
    assert!(table.model.note.as_ref().is_some_and(|note| note.tone == Tone::Bad));
    table.send(Event::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    table.press("lines:1.2/2.3x4:lies=1\n");
    assert_eq!(table.model.menu.rules().unwrap().to_string(), "lines:1.2/2.3x4:lies=1");
    table.act(Action::Escape);
    assert!(!table.model.in_menu, "back to the game");
}

#[test]
fn a_contradictory_game_can_be_loaded() {
    let record = Record::from_line("pegwise/1 make 4x6 1122=0,0 3344=0,1 5566=0,0").unwrap();
    let mut table = TestGame::of(Model::in_record(setup("4x6", Mode::Break, None), &record));
    table.work();
    let repairs = table.game().repairs.as_ref().expect("no code fits");
    assert!(!repairs.options.is_empty());
}

fn events() -> impl Strategy<Value = Event> {
    let key = prop_oneof![
        8 => "[0-9a-z]".prop_map(|text| KeyCode::Char(text.chars().next().unwrap_or('1'))),
        2 => sample::select(vec!['?', '+', '-', '<', '>', ' ', 'U', 'H', 'N', 'E', 'A']).prop_map(KeyCode::Char),
        4 => Just(KeyCode::Enter),
        3 => sample::select(vec![KeyCode::Esc, KeyCode::Backspace, KeyCode::Left, KeyCode::Right, KeyCode::Up,
            KeyCode::Down, KeyCode::PageUp, KeyCode::PageDown, KeyCode::Tab, KeyCode::Home, KeyCode::End]),
    ];
    let action = prop_oneof![
        any::<u64>().prop_map(|value| Action::Put(value % 12)),
        any::<usize>().prop_map(Action::GoTo),
        (any::<usize>(), any::<bool>()).prop_map(|(slot, up)| Action::Turn(slot, up)),
        any::<usize>().prop_map(Action::Empty),
        any::<usize>().prop_map(|turn| Action::Edit(Some(turn % 8))),
        any::<usize>().prop_map(|number| Action::Repair(number % 8)),
        (any::<usize>(), any::<bool>()).prop_map(|(line, up)| Action::Change(line % 12, up)),
        any::<usize>().prop_map(|line| Action::Choose(line % 14)),
        any::<i32>().prop_map(Action::Scroll),
        any::<i32>().prop_map(Action::Shift),
        Just(Action::Run),
    ];
    prop_oneof![
        8 => key.prop_map(|code| Event::Key(KeyEvent::new(code, KeyModifiers::NONE))),
        3 => action.prop_map(Event::Action),
        2 => Just(Event::Tick),
        1 => any::<String>().prop_map(Event::Paste),
        1 => Just(Event::Saved(PathBuf::from("x"), Err(SaveError::Exists))),
        1 => Just(Event::Loaded(Err("no".to_owned()))),
        1 => any::<QueryId>().prop_map(|id| Event::Failed(id % 8, "no".to_owned())),
    ]
}

const SMALL: &str = "2x3 3x3 3x10:no-repeats 2x3:higher-lower 2x3:distance grid:2x2x2 triangle:2x2 ring:3x2 \
    2x3:max-guesses=2";

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_happens_breaks_the_game(
        rules in sample::select(SMALL.split(' ').collect::<Vec<_>>()),
        mode in sample::select(&Mode::ALL[..]),
        events in collection::vec((events(), any::<sample::Index>(), 0..3u8), 1..60),
        size in (1u16..120, 1u16..50),
        color in any::<bool>(),
    ) {
        let mut table = TestGame::of(Model::in_game(setup(rules, mode, None)));
        let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
        for (event, pick, running) in events {
            table.send(event);
            // Results arrive late and in any order; large boards from the menu are not computed.
            let small = table.model.game.as_ref().is_some_and(|game| {
                pegwise_game::Space::new(game.rules()).count().exact().is_some_and(|codes| codes < 2000)
            });
            for _ in 0..running {
                if !table.running.is_empty() && small {
                    let query = pick.index(table.running.len());
                    table.work_on(query);
                }
            }
            let mut drawn = view::Drawn::default();
            let theme = Theme { color, unicode: color };
            terminal.draw(|frame| drawn = view::draw(frame, &table.model, theme)).unwrap();
            table.model.clamp_scroll(drawn.scroll, drawn.shift, drawn.page);
            if let Some(game) = &table.model.game {
                let record = game.record();
                prop_assert_eq!(&Record::from_line(&record.line()).unwrap().turns, &record.turns);
                prop_assert!(game.mode() == Mode::Make || game.secret.is_some());
            }
        }
    }

    #[test]
    fn undo_takes_back_what_was_played(
        rules in sample::select(SMALL.split(' ').collect::<Vec<_>>()),
        mode in sample::select(&Mode::ALL[..]),
        steps in 0..4usize,
    ) {
        let mut table = TestGame::start(rules, mode, None);
        let step = |table: &mut TestGame| match mode {
            Mode::Break => { table.act(Action::Hint); table.act(Action::Hint); table.act(Action::Enter); }
            _ => table.act(Action::Enter),
        };
        if mode == Mode::Make {
            let code = table.game().setup.again().hidden();
            let secret = code.unwrap_or_else(|| pegwise_solve::Rng::new(1).code(table.game().rules()));
            for &color in &*secret {
                table.act(Action::Put(color.number().into()));
            }
            step(&mut table);
        }
        for _ in 0..steps {
            step(&mut table);
        }
        let before = table.game().clone();
        step(&mut table);
        if table.game().history.len() > before.history.len() {
            table.act(Action::Undo);
            let after = table.game();
            prop_assert_eq!(&after.history, &before.history);
            prop_assert_eq!(after.left(after.history.len()), before.left(before.history.len()));
            prop_assert_eq!(after.focus(), before.focus());
            let guess = |game: &GameState| game.computer_guess.as_ref().map(|computer_guess| computer_guess.guess.clone());
            prop_assert_eq!(guess(after), guess(&before));
        }
    }
}
