//! Who takes a key or a click: what lies over the rest, the menu, or the game.

use std::path::PathBuf;

use pegwise_coach::Record;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{
    Field, Game, Line, Model, Note, Overlay, Purpose,
    event::{Action, Effect, Way},
    keys,
};

impl Model {
    pub(super) fn key(&mut self, key: KeyEvent) {
        let action = match (&mut self.overlay, &mut self.menu.typing) {
            (Some(Overlay::File { line, purpose }), _) => {
                let action = type_key(line, key);
                if action.is_none()
                    && matches!(purpose, Purpose::Overwrite(path) if path.as_os_str() != line.text().as_str())
                {
                    // Another name is another question.
                    *purpose = Purpose::Save;
                }
                action
            }
            (None, Some(line)) if self.in_menu => type_key(line, key),
            _ => {
                let letters = self.game.as_ref().is_some_and(Game::letters_are_colors);
                keys::on_board(key, letters && !self.in_menu && self.overlay.is_none())
            }
        };
        if let Some(action) = action {
            self.act(action);
        }
    }

    /// A text that was pasted: into the line being typed, or a whole game.
    pub(super) fn paste(&mut self, text: &str) {
        let line = match (&mut self.overlay, &mut self.menu.typing) {
            (Some(Overlay::File { line, .. }), _) => Some(line),
            (None, typing) if self.in_menu => typing.as_mut(),
            _ => None,
        };
        match line {
            Some(line) => text.trim().chars().for_each(|char| line.put(char)),
            None => match Record::from_line(text) {
                Ok(record) => self.resume(&record),
                Err(error) => self.tell(Note::bad(error.to_string())),
            },
        }
    }

    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Quit => self.wishes.add(Effect::Quit(false)),
            Action::Interrupt => self.wishes.add(Effect::Quit(true)),
            _ if self.overlay.is_some() => self.act_on_overlay(action),
            Action::Help => self.open(Overlay::Help),
            Action::Load => {
                self.overlay = Some(Overlay::File { line: Line::default(), purpose: Purpose::Load });
            }
            action if self.in_menu => self.act_in_menu(action),
            action => self.act_in_game(action),
        }
    }

    fn act_on_overlay(&mut self, action: Action) {
        match (self.overlay.take(), action) {
            (Some(Overlay::File { line, purpose }), Action::Enter) => {
                let path = PathBuf::from(line.text().trim());
                if path.as_os_str().is_empty() {
                    return;
                }
                let overwrite = matches!(purpose, Purpose::Overwrite(_));
                match (purpose, &self.game) {
                    (Purpose::Load, _) => self.wishes.add(Effect::Load(path)),
                    (_, Some(game)) => {
                        let text = game.record().to_text();
                        self.wishes.add(Effect::Save { path, text, overwrite });
                    }
                    (_, None) => {}
                }
            }
            (Some(Overlay::Share(line)), Action::Enter) => {
                self.wishes.add(Effect::Copy(line));
                self.tell(Note::good("Copied, if this terminal lets programs copy."));
            }
            (overlay, Action::Scroll(lines)) => {
                self.page = self.page.saturating_add_signed(-lines as isize);
                self.overlay = overlay;
            }
            (overlay @ Some(Overlay::Help | Overlay::Analysis), Action::Move(way @ (Way::Up | Way::Down))) => {
                self.page = self.page.saturating_add_signed(if way == Way::Down { 1 } else { -1 });
                self.overlay = overlay;
            }
            // Every other key closes what is open; a line being typed has taken its own keys before.
            _ => {}
        }
    }

    fn act_in_menu(&mut self, action: Action) {
        self.note = None;
        if self.menu.typing.is_some() {
            match action {
                Action::Enter => {
                    if let Err(why) = self.menu.finish_typing() {
                        self.note = Some(Note::bad(why));
                    }
                }
                Action::Escape => self.menu.typing = None,
                _ => {}
            }
            return;
        }
        let (chosen, field) = (self.menu.chosen, self.menu.field());
        match action {
            Action::Enter if field == Field::Rules => self.menu.change(field, true),
            Action::Enter => self.start_chosen(),
            Action::Escape if self.game.is_some() => self.in_menu = false,
            Action::Escape => self.wishes.add(Effect::Quit(false)),
            Action::Move(Way::Up) => self.menu.go_to(chosen.saturating_sub(1)),
            Action::Move(Way::Down) => self.menu.go_to(chosen + 1),
            Action::Move(Way::Left) | Action::Cycle(false) => self.menu.change(field, false),
            Action::Move(Way::Right) | Action::Cycle(true) => self.menu.change(field, true),
            Action::Choose(line) => {
                self.menu.go_to(line);
                match self.menu.field() {
                    Field::Start => self.start_chosen(),
                    Field::Rules => self.menu.change(Field::Rules, true),
                    _ => {}
                }
            }
            Action::Change(line, up) => {
                self.menu.go_to(line);
                self.menu.change(self.menu.field(), up);
            }
            _ => {}
        }
    }

    fn start_chosen(&mut self) {
        match self.menu.setup(self.setup.seed) {
            Ok(setup) => self.start(setup),
            Err(why) => self.note = Some(Note::bad(why)),
        }
    }

    fn act_in_game(&mut self, action: Action) {
        let Some(game) = &mut self.game else { return };
        match action {
            Action::Scroll(lines) => {
                self.scroll = self.scroll.saturating_add_signed(lines as isize);
            }
            Action::Shift(columns) => {
                self.shift = self.shift.saturating_add_signed(columns as isize);
            }
            Action::Menu => self.in_menu = true,
            Action::Save => {
                let line = Line::new(&file_name(game));
                self.overlay = Some(Overlay::File { line, purpose: Purpose::Save });
            }
            Action::Share => self.overlay = Some(Overlay::Share(game.record().line())),
            Action::Analyze if game.history.is_empty() => {
                game.note = Some(Note::plain("Nothing was played yet."));
            }
            Action::Analyze => {
                game.analyze(&mut self.wishes);
                self.open(Overlay::Analysis);
            }
            action => {
                self.scroll = 0;
                if !game.act(action, &mut self.wishes) && matches!(action, Action::Escape) {
                    self.in_menu = true;
                }
            }
        }
    }
}

/// A key for a line of text; what else it means, where it is none.
fn type_key(line: &mut Line, key: KeyEvent) -> Option<Action> {
    let action = keys::anywhere(key);
    if action.is_none() {
        match key.code {
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => line.clear(),
            KeyCode::Char(char) => line.put(char),
            KeyCode::Backspace => line.erase(),
            KeyCode::Left => line.go(false),
            KeyCode::Right => line.go(true),
            _ => {}
        }
    }
    action.filter(|action| *action != Action::Help)
}

/// A name for the file of a game.
fn file_name(game: &Game) -> String {
    let rules: String =
        game.rules().to_string().chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
    format!("{}-{}-{}.toml", game.mode(), rules.chars().take(40).collect::<String>(), game.setup.seed)
}
