//! The keys that do something just now; each is a button too.

use pegwise_coach::Mode;
use ratatui::text::{Line, Span};

use super::{Drawing, Room};
use crate::play::model::{Focus, Game, Model, event::Action};

/// A key, what it does, and the action of a click on it.
type Key = (&'static str, &'static str, Action);

/// The keys of a game.
pub(super) fn of_game(game: &Game) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    match game.focus() {
        Focus::Guess if game.ready => keys.push(("Enter", "guess", Action::Enter)),
        Focus::Guess => keys.push(("Enter", "ready", Action::Enter)),
        Focus::Marks if game.editing.is_some() => {
            keys.extend([("Enter", "change", Action::Enter), ("Esc", "leave it", Action::Escape)]);
        }
        Focus::Marks => keys.push(("Enter", "answer", Action::Enter)),
        Focus::Repairs => keys.push(("Enter", "mend", Action::Enter)),
        Focus::Nothing if game.mode() == Mode::Watch && !game.is_over() => {
            let run = if game.running { "pause" } else { "run" };
            keys.extend([("Enter", "next", Action::Enter), ("Space", run, Action::Run)]);
            keys.extend([("+", "faster", Action::Faster(true)), ("-", "slower", Action::Faster(false))]);
        }
        Focus::Nothing => {}
    }
    if game.mode() == Mode::Break && !game.is_over() {
        keys.push(("h", if game.hint.is_some() { "take it" } else { "hint" }, Action::Hint));
    }
    keys.push(("u", "undo", Action::Undo));
    if game.mode() == Mode::Make && game.secret.is_none() && !game.history.is_empty() {
        keys.push(("e", "edit", Action::Edit(None)));
    }
    if game.mode() == Mode::Break && !game.is_over() {
        keys.push(("g", "give up", Action::GiveUp));
    }
    keys.push(("n", "new", Action::Menu));
    if !game.history.is_empty() {
        keys.push(("a", "analysis", Action::Analyze));
    }
    keys.extend([("s", "save", Action::Save), ("l", "share", Action::Share)]);
    keys.extend([("?", "help", Action::Help), ("q", "quit", Action::Quit)]);
    keys
}

/// The keys of the menu.
pub(super) fn of_menu(model: &Model) -> Vec<Key> {
    let back = if model.game.is_some() { "back" } else { "quit" };
    vec![
        ("Enter", "play", Action::Enter),
        ("o", "open a saved game", Action::Load),
        ("?", "help", Action::Help),
        ("Esc", back, Action::Escape),
    ]
}

/// The keys in as many lines as they need: the words of each line.
fn lines(keys: &[Key], width: usize) -> Vec<Vec<Key>> {
    let mut lines: Vec<Vec<Key>> = vec![Vec::new()];
    let mut used = 0;
    for &key in keys {
        let length = length(key);
        if used > 0 && used + length > width {
            lines.push(Vec::new());
            used = 0;
        }
        used += length + APART;
        if let Some(line) = lines.last_mut() {
            line.push(key);
        }
    }
    lines
}

const APART: usize = 3;

fn length((key, word, _): Key) -> usize {
    key.chars().count() + 1 + word.chars().count()
}

/// How many lines the keys take; where they would take more than these, those least needed are left out.
pub(super) fn height(keys: &[Key], width: u16, most: u16) -> u16 {
    (lines(keys, width.into()).len() as u16).min(most)
}

/// The keys that fit so many lines. The last two, help and the way out, always stay.
fn fitting(keys: &[Key], width: usize, most: usize) -> Vec<Key> {
    let mut keys = keys.to_vec();
    while lines(&keys, width).len() > most && keys.len() > 3 {
        keys.remove(keys.len() - 3);
    }
    keys
}

/// Draws the keys. Where letters are colors, commands are in upper case.
pub(super) fn draw(drawing: &mut Drawing<'_>, room: Room, keys: &[Key], upper: bool) {
    let (look, buffer, hits) = drawing.parts();
    let keys = fitting(keys, room.width.into(), room.height.into());
    for (line, y) in lines(&keys, room.width.into()).into_iter().zip(room.top()..room.bottom()) {
        let mut x = room.x;
        for (key, word, action) in line {
            let key = if upper && key.len() == 1 { key.to_uppercase() } else { key.to_owned() };
            let width = length(("", word, action)) as u16 + key.chars().count() as u16;
            let text = Line::from(vec![Span::styled(key, look.name()), Span::raw(" "), Span::styled(word, look.dim())]);
            buffer.set_line(x, y, &text, width);
            hits.add(Room::new(x, y, width, 1), action);
            x += width + APART as u16;
        }
    }
}
