//! The game without a terminal.
//!
//! [`Model::update`] takes one event at a time and returns effects; the rest is plain data that the view draws. Nothing
//! here blocks, draws or reads a clock, so that tests can play whole games.

mod entry;
pub(crate) mod event;
mod game;
mod menu;
#[cfg(test)]
pub(crate) mod tests;

use std::{path::PathBuf, sync::Arc};

use pegwise_coach::Record;
use pegwise_solve::secrets::SecretList;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use self::event::{Action, Direction, Effect, EffectQueue, Event, SaveError};
pub(crate) use self::{
    entry::{LineEditor, SlotEditor},
    game::{
        AnalysisState, Focus, GameState, PlaySetup, QueryPurpose, RepairMenu, StatusMessage, Tone, bad, good, plain,
    },
    menu::{Field, Menu},
};

#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) menu: Menu,
    pub(crate) in_menu: bool,
    pub(crate) game: Option<GameState>,
    pub(crate) overlay: Option<Overlay>,
    /// Message in the menu.
    pub(crate) note: Option<StatusMessage>,
    /// Lines scrolled back.
    pub(crate) scroll: usize,
    /// Columns scrolled sideways.
    pub(crate) shift: usize,
    /// First visible line of the box.
    pub(crate) page: usize,
    /// Settings of the next game.
    setup: PlaySetup,
    effects: EffectQueue,
}

/// Box over the game or the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Overlay {
    Help,
    Analysis,
    Share(String),
    File { line: LineEditor, purpose: FilePurpose },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FilePurpose {
    Save,
    /// The file exists; Enter replaces it.
    Overwrite(PathBuf),
    Load,
}

impl Model {
    /// Starts in the menu, with the given settings.
    pub(crate) fn in_menu(setup: PlaySetup) -> Self {
        Self {
            menu: Menu::new(&setup),
            in_menu: true,
            game: None,
            overlay: None,
            note: None,
            scroll: 0,
            shift: 0,
            page: 0,
            setup,
            effects: EffectQueue::default(),
        }
    }

    pub(crate) fn in_game(setup: PlaySetup) -> (Self, Vec<Effect>) {
        let mut model = Self::in_menu(setup.clone());
        model.start(setup);
        let effects = model.effects.take();
        (model, effects)
    }

    /// Starts in a saved or shared game.
    pub(crate) fn in_record(setup: PlaySetup, record: &Record) -> (Self, Vec<Effect>) {
        let mut model = Self::in_menu(setup);
        let effects = model.update(Event::Loaded(Ok(record.clone())));
        (model, effects)
    }

    /// Returns the list of secrets, also if it is for other rules.
    pub(crate) fn secrets(&self) -> Option<Arc<SecretList>> {
        self.setup.secrets.clone()
    }

    pub(crate) fn update(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Key(key) => self.key(key),
            Event::Paste(text) => self.paste(&text),
            Event::Action(action) => self.act(action),
            Event::Tick | Event::Progress(..) | Event::Done(..) | Event::Failed(..) => {
                if let Some(game) = &mut self.game {
                    game.background(event, &mut self.effects);
                }
            }
            Event::Saved(path, result) => self.saved(path, result),
            Event::Loaded(Ok(record)) => self.resume(&record),
            Event::Loaded(Err(why)) => self.show_message(bad(why)),
        }
        self.effects.take()
    }

    /// Limits the scroll positions to those that the view supports.
    pub(crate) fn clamp_scroll(&mut self, scroll: usize, shift: usize, page: usize) {
        self.scroll = self.scroll.min(scroll);
        self.shift = self.shift.min(shift);
        self.page = self.page.min(page);
    }

    /// Returns true if the state changes with time.
    pub(crate) fn is_busy(&self) -> bool {
        self.game.as_ref().is_some_and(|game| {
            game.pending.is_some() || game.running || matches!(game.analysis, Some(AnalysisState::Pending(_)))
        })
    }

    fn start(&mut self, setup: PlaySetup) {
        self.leave_game();
        self.setup = setup.again();
        self.game = Some(GameState::start(setup, &mut self.effects));
    }

    fn resume(&mut self, record: &Record) {
        self.leave_game();
        let game = GameState::resume(self.setup.clone(), record, &mut self.effects);
        self.setup = game.setup.again();
        self.menu = Menu::new(&game.setup);
        self.game = Some(game);
    }

    fn leave_game(&mut self) {
        if let Some(mut game) = self.game.take() {
            game.cancel_all(&mut self.effects);
        }
        self.in_menu = false;
        self.overlay = None;
        self.note = None;
        (self.scroll, self.shift) = (0, 0);
    }

    fn open(&mut self, overlay: Overlay) {
        self.overlay = Some(overlay);
        self.page = 0;
    }

    /// Shows a message in the game or the menu.
    fn show_message(&mut self, note: StatusMessage) {
        match &mut self.game {
            Some(game) if !self.in_menu => game.note = Some(note),
            _ => self.note = Some(note),
        }
    }

    fn saved(&mut self, path: PathBuf, result: Result<(), SaveError>) {
        match result {
            Ok(()) => {
                let text = format!("Saved. Resume with: pegwise play --load {}", path.display());
                self.show_message(good(text));
            }
            Err(SaveError::Failed(why)) => self.show_message(bad(why)),
            Err(SaveError::Exists) => {
                let line = LineEditor::new(&path.display().to_string());
                self.overlay = Some(Overlay::File { line, purpose: FilePurpose::Overwrite(path) });
            }
        }
    }
}

impl Model {
    pub(super) fn key(&mut self, key: KeyEvent) {
        let action = match (&mut self.overlay, &mut self.menu.typing) {
            (Some(Overlay::File { line, purpose }), _) => {
                let action = type_key(line, key);
                if action.is_none()
                    && matches!(purpose, FilePurpose::Overwrite(path) if path.as_os_str() != line.text().as_str())
                {
                    // Another name must be confirmed separately.
                    *purpose = FilePurpose::Save;
                }
                action
            }
            (None, Some(line)) if self.in_menu => type_key(line, key),
            _ => {
                let letters = self.game.as_ref().is_some_and(GameState::letters_are_colors);
                event::on_board(key, letters && !self.in_menu && self.overlay.is_none())
            }
        };
        if let Some(action) = action {
            self.act(action);
        }
    }

    /// Handles pasted text: for the line being typed, or a whole game.
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
                Err(error) => self.show_message(bad(error.to_string())),
            },
        }
    }

    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Quit => self.effects.add(Effect::Quit(false)),
            Action::Interrupt => self.effects.add(Effect::Quit(true)),
            _ if self.overlay.is_some() => self.act_on_overlay(action),
            Action::Help => self.open(Overlay::Help),
            Action::Load => {
                self.overlay = Some(Overlay::File { line: LineEditor::default(), purpose: FilePurpose::Load });
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
                let overwrite = matches!(purpose, FilePurpose::Overwrite(_));
                match (purpose, &self.game) {
                    (FilePurpose::Load, _) => self.effects.add(Effect::Load(path)),
                    (_, Some(game)) => {
                        let text = game.record().to_text();
                        self.effects.add(Effect::Save { path, text, overwrite });
                    }
                    (_, None) => {}
                }
            }
            (Some(Overlay::Share(line)), Action::Enter) => {
                self.effects.add(Effect::Copy(line));
                self.show_message(good("Copied, if this terminal supports it."));
            }
            (overlay, Action::Scroll(lines)) => {
                self.page = self.page.saturating_add_signed(-lines as isize);
                self.overlay = overlay;
            }
            (
                overlay @ Some(Overlay::Help | Overlay::Analysis),
                Action::Move(direction @ (Direction::Up | Direction::Down)),
            ) => {
                self.page = self.page.saturating_add_signed(if direction == Direction::Down { 1 } else { -1 });
                self.overlay = overlay;
            }
            // Other keys close the box; a line being typed has handled its own keys.
            _ => {}
        }
    }

    fn act_in_menu(&mut self, action: Action) {
        self.note = None;
        if self.menu.typing.is_some() {
            match action {
                Action::Enter => {
                    if let Err(why) = self.menu.apply_typed_rules() {
                        self.note = Some(bad(why));
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
            Action::Escape => self.effects.add(Effect::Quit(false)),
            Action::Move(Direction::Up) => self.menu.go_to(chosen.saturating_sub(1)),
            Action::Move(Direction::Down) => self.menu.go_to(chosen + 1),
            Action::Move(Direction::Left) | Action::Cycle(false) => self.menu.change(field, false),
            Action::Move(Direction::Right) | Action::Cycle(true) => self.menu.change(field, true),
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
        let secrets = self.secrets();
        match self.menu.setup(self.setup.seed, secrets) {
            Ok(setup) => self.start(setup),
            Err(why) => self.note = Some(bad(why)),
        }
    }

    fn act_in_game(&mut self, action: Action) {
        let Some(game) = &mut self.game else { return };
        match action {
            Action::Scroll(lines) => self.scroll = self.scroll.saturating_add_signed(lines as isize),
            Action::Shift(columns) => self.shift = self.shift.saturating_add_signed(columns as isize),
            Action::Menu => self.in_menu = true,
            Action::Save => {
                let line = LineEditor::new(&file_name(game));
                self.overlay = Some(Overlay::File { line, purpose: FilePurpose::Save });
            }
            Action::Share => self.overlay = Some(Overlay::Share(game.record().line())),
            Action::Analyze if game.history.is_empty() => {
                game.note = Some(plain("Nothing was played yet."));
            }
            Action::Analyze => {
                game.analyze(&mut self.effects);
                self.open(Overlay::Analysis);
            }
            action => {
                self.scroll = 0;
                if !game.act(action, &mut self.effects) && matches!(action, Action::Escape) {
                    self.in_menu = true;
                }
            }
        }
    }
}

/// Handles a key in a line of text; returns its action if it does not edit.
fn type_key(line: &mut LineEditor, key: KeyEvent) -> Option<Action> {
    let action = event::anywhere(key);
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

fn file_name(game: &GameState) -> String {
    let rules: String =
        game.rules().to_string().chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
    format!("{}-{}-{}.toml", game.mode(), rules.chars().take(40).collect::<String>(), game.setup.seed)
}
