//! What the keys do.
//!
//! Colors are digits, or letters in games of ten to 26 colors. Commands are letters too: in upper case they always
//! work, in lower case where letters are no colors.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::event::{Action, Way};

/// What a key means while the board has the keys.
pub(super) fn on_board(key: KeyEvent, letters_are_colors: bool) -> Option<Action> {
    if let Some(action) = anywhere(key) {
        return Some(action);
    }
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('z' | 'u') if control => Action::Undo,
        KeyCode::Char('s') if control => Action::Save,
        KeyCode::Char('o') if control => Action::Load,
        KeyCode::Char('n') if control => Action::Menu,
        KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::F(2) => Action::Hint,
        KeyCode::Left => Action::Move(Way::Left),
        KeyCode::Right | KeyCode::Tab => Action::Move(Way::Right),
        KeyCode::BackTab => Action::Move(Way::Left),
        KeyCode::Up => Action::Move(Way::Up),
        KeyCode::Down => Action::Move(Way::Down),
        KeyCode::Home => Action::GoTo(0),
        KeyCode::End => Action::GoTo(usize::MAX),
        KeyCode::PageUp => Action::Scroll(5),
        KeyCode::PageDown => Action::Scroll(-5),
        KeyCode::Backspace | KeyCode::Delete => Action::Erase,
        KeyCode::Char('+') => Action::Cycle(true),
        KeyCode::Char('-') => Action::Cycle(false),
        KeyCode::Char('<') => Action::Shift(-4),
        KeyCode::Char('>') => Action::Shift(4),
        KeyCode::Char('?') => Action::Help,
        KeyCode::Char(char) if char.is_ascii_digit() || char == ' ' => Action::Type(char),
        KeyCode::Char(',') => Action::Type(' '),
        KeyCode::Char(char) if char.is_ascii_lowercase() && letters_are_colors => Action::Type(char),
        KeyCode::Char(char) => command(char.to_ascii_lowercase())?,
        _ => return None,
    })
}

/// The command of a letter.
fn command(letter: char) -> Option<Action> {
    Some(match letter {
        'h' => Action::Hint,
        'u' => Action::Undo,
        'n' => Action::Menu,
        's' => Action::Save,
        'o' => Action::Load,
        'l' => Action::Share,
        'a' => Action::Analyze,
        'g' => Action::GiveUp,
        'e' => Action::Edit(None),
        'r' => Action::Run,
        'c' => Action::Clear,
        'q' => Action::Quit,
        _ => return None,
    })
}

/// Keys that mean the same whatever is open.
pub(super) fn anywhere(key: KeyEvent) -> Option<Action> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if control => Some(Action::Interrupt),
        KeyCode::Char('q') if control => Some(Action::Quit),
        KeyCode::F(1) => Some(Action::Help),
        KeyCode::Enter => Some(Action::Enter),
        KeyCode::Esc => Some(Action::Escape),
        _ => None,
    }
}
