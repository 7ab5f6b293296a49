//! Snapshots of the screen at several sizes.

use pegwise_coach::{Mode, Record};
use ratatui::{Terminal, backend::TestBackend};

use super::{Drawn, Theme, draw};
use crate::play::model::{
    Model,
    event::{Action, Direction},
    tests::{TestGame, setup},
};

const THEME: Theme = Theme { color: true, unicode: true };
const PLAIN: Theme = Theme { color: false, unicode: false };

fn picture(table: &TestGame, (width, height): (u16, u16), theme: Theme) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| drop(draw(frame, &table.model, theme))).unwrap();
    // Trailing spaces are not significant.
    let lines = terminal.backend().to_string();
    let lines = lines.lines().map(|line| line.trim_matches('"').trim_end());
    lines.collect::<Vec<_>>().join("\n")
}

fn of_line(line: &str) -> TestGame {
    let mut table = TestGame::of(Model::in_record(setup("4x6", Mode::Break, None), &Record::from_line(line).unwrap()));
    table.work();
    table
}

#[test]
fn breaking() {
    let mut table = TestGame::start("4x6", Mode::Break, Some("3632"));
    table.press("1122\n1344\n36");
    insta::assert_snapshot!("breaking_80x24", picture(&table, (80, 24), THEME));
    insta::assert_snapshot!("breaking_plain_80x24", picture(&table, (80, 24), PLAIN));
    insta::assert_snapshot!("breaking_44x24", picture(&table, (44, 24), THEME));
    insta::assert_snapshot!("breaking_34x10", picture(&table, (34, 10), THEME));
    insta::assert_snapshot!("too_small_20x6", picture(&table, (20, 6), THEME));
    table.press("h");
    insta::assert_snapshot!("hint_90x26", picture(&table, (90, 26), THEME));
    table.press("hc3632\n");
    insta::assert_snapshot!("won_90x26", picture(&table, (90, 26), THEME));
    table.press("a");
    insta::assert_snapshot!("analysis_90x40", picture(&table, (90, 40), THEME));
}

#[test]
fn making_and_mending() {
    let mut table = TestGame::start("4x6", Mode::Make, None);
    insta::assert_snapshot!("making_80x24", picture(&table, (80, 24), THEME));
    table.press("\n1");
    insta::assert_snapshot!("answering_80x24", picture(&table, (80, 24), THEME));
    let table = of_line("pegwise/1 make 4x6 1122=0,0 3344=0,1 5566=0,0");
    insta::assert_snapshot!("mending_80x24", picture(&table, (80, 24), THEME));
    insta::assert_snapshot!("mending_40x16", picture(&table, (40, 16), THEME));
}

#[test]
fn watching() {
    let mut table = TestGame::start("4x6", Mode::Watch, Some("3632"));
    table.press("\n\n");
    insta::assert_snapshot!("watching_80x24", picture(&table, (80, 24), THEME));
}

#[test]
fn other_boards() {
    for (name, line) in [
        ("grid", "pegwise/1 break grid:3x3x5 111222333=1,0/1,0/1,0/3,0/0,0/0,0 secret:145245345"),
        ("triangle", "pegwise/1 make triangle:3x4 112233=1,0/1,0/2,0/2,0/2,0/0,0/2,0/1,0/1,0"),
        ("cube", "pegwise/1 make cube:2x2x2x3"),
        ("ring", "pegwise/1 watch ring:6x4 seed:3"),
        ("lines", "pegwise/1 make lines:1.2.3/3.4.5/1.5x6 12345=1,1/0,1/1,0"),
        ("higher_lower", "pegwise/1 make 4x6:higher-lower 3333=1,2,1"),
        ("letters", "pegwise/1 make 6x12 AABBCC=1,2 DDEEFF=0,1"),
        ("distance", "pegwise/1 make 4x9:distance 5555=20"),
    ] {
        let mut table = of_line(line);
        if table.game().mode() == Mode::Watch {
            table.press("\n");
        }
        insta::assert_snapshot!(format!("{name}_84x26"), picture(&table, (84, 26), THEME));
    }
}

#[test]
fn boards_larger_than_the_window_follow_the_cursor() {
    let mut table = TestGame::start("grid:20x30x9", Mode::Break, None);
    let start = picture(&table, (80, 24), THEME);
    for _ in 0..19 {
        table.act(Action::Move(Direction::Down));
    }
    table.act(Action::GoTo(usize::MAX));
    table.act(Action::Put(7));
    let end = picture(&table, (80, 24), THEME);
    assert_ne!(start, end);
    assert!(end.contains("[7]"), "{end}");
    insta::assert_snapshot!("large_grid_80x24", end);
}

#[test]
fn the_menu_and_help() {
    let mut table = TestGame::of((Model::in_menu(setup("4x6", Mode::Break, None)), Vec::new()));
    insta::assert_snapshot!("menu_80x24", picture(&table, (80, 24), THEME));
    insta::assert_snapshot!("menu_34x12", picture(&table, (34, 12), THEME));
    table.act(Action::Help);
    insta::assert_snapshot!("help_80x36", picture(&table, (80, 36), THEME));
}

#[test]
fn sharing_and_saving() {
    let mut table = TestGame::start("4x6", Mode::Break, Some("3632"));
    table.press("1122\nl");
    insta::assert_snapshot!("sharing_80x24", picture(&table, (80, 24), THEME));
    table.act(Action::Escape);
    table.press("s");
    insta::assert_snapshot!("saving_80x24", picture(&table, (80, 24), THEME));
}

#[test]
fn everything_on_the_screen_answers_to_the_mouse() {
    let table = TestGame::start("4x6", Mode::Break, None);
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let mut drawn = Drawn::default();
    terminal.draw(|frame| drawn = draw(frame, &table.model, THEME)).unwrap();
    let places = (0..24).flat_map(|row| (0..80).map(move |column| (column, row)));
    let clicks: Vec<Action> = places.filter_map(|(column, row)| Some(drawn.hits.at(column, row)?.click)).collect();
    let expected = [
        Action::GoTo(0),
        Action::GoTo(3),
        Action::Put(1),
        Action::Put(6),
        Action::Enter,
        Action::Hint,
        Action::Undo,
        Action::Menu,
        Action::Save,
        Action::Share,
        Action::Help,
        Action::Quit,
    ];
    for action in expected {
        assert!(clicks.contains(&action), "{action:?}");
    }
}
