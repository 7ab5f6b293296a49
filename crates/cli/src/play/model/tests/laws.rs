//! What holds whatever happens.

use std::path::PathBuf;

use pegwise_coach::{Mode, Record};
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

use super::{Table, setup};
use crate::play::{
    model::{
        Game, Model,
        event::{Action, Event, SaveError, Ticket},
    },
    view::{self, Look},
};

/// Anything that may happen.
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
        1 => any::<Ticket>().prop_map(|ticket| Event::Failed(ticket % 8, "no".to_owned())),
    ]
}

const SMALL: [&str; 9] = [
    "2x3",
    "3x3",
    "3x10:no-repeats",
    "2x3:higher-lower",
    "2x3:distance",
    "grid:2x2x2",
    "triangle:2x2",
    "ring:3x2",
    "2x3:max-guesses=2",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_happens_breaks_the_game(
        rules in sample::select(&SMALL[..]),
        mode in sample::select(&Mode::ALL[..]),
        events in collection::vec((events(), any::<sample::Index>(), 0..3u8), 1..60),
        size in (1u16..120, 1u16..50),
        color in any::<bool>(),
    ) {
        let mut table = Table::of(Model::in_game(setup(rules, mode, None)));
        let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
        for (event, pick, jobs) in events {
            table.tell(event);
            // Answers come late and in any order; boards from the menu that are not small are not thought about.
            let small = table.model.game.as_ref().is_some_and(|game| {
                pegwise_game::Space::new(game.rules()).count().exact().is_some_and(|codes| codes < 2000)
            });
            for _ in 0..jobs {
                if !table.jobs.is_empty() && small {
                    let job = pick.index(table.jobs.len());
                    table.work_on(job);
                }
            }
            let mut drawn = view::Drawn::default();
            let look = Look { color, unicode: color };
            terminal.draw(|frame| drawn = view::draw(frame, &table.model, look)).unwrap();
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
        rules in sample::select(&SMALL[..]),
        mode in sample::select(&Mode::ALL[..]),
        steps in 0..4usize,
    ) {
        let mut table = Table::start(rules, mode, None);
        let step = |table: &mut Table| match mode {
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
            let guess = |game: &Game| game.thought.as_ref().map(|thought| thought.guess.clone());
            prop_assert_eq!(guess(after), guess(&before));
        }
    }
}
