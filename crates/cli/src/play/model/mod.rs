//! The game without a terminal: what it is, what happens to it, and what it wants done.
//!
//! [`Model::update`] takes one event after the other and gives effects back; all else here is plain data that the view
//! draws. Nothing in it blocks, draws, or reads a clock, so that tests can play whole games.

mod acting;
mod breaking;
mod dispatch;
mod entry;
pub(crate) mod event;
mod game;
mod keys;
mod making;
mod menu;
mod note;
pub(crate) mod place;
mod prompt;
mod setup;
#[cfg(test)]
pub(crate) mod tests;
mod thinking;
mod trouble;
mod watching;
mod wishes;

use std::path::PathBuf;

use pegwise_coach::Record;

pub(crate) use self::{
    acting::Focus,
    entry::Entry,
    game::Game,
    menu::{Field, Menu},
    note::{Note, Tone},
    prompt::Line,
    setup::Setup,
    thinking::{About, Appraisal},
    trouble::Trouble,
};
use self::{
    event::{Effect, Event, SaveError},
    wishes::Wishes,
};

/// All there is.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) menu: Menu,
    /// Whether the menu is what is seen.
    pub(crate) in_menu: bool,
    pub(crate) game: Option<Game>,
    /// What lies over the game or the menu.
    pub(crate) overlay: Option<Overlay>,
    /// What the menu has to say.
    pub(crate) note: Option<Note>,
    /// How many lines of earlier turns were scrolled back to.
    pub(crate) scroll: usize,
    /// How far the board was moved sideways.
    pub(crate) shift: usize,
    /// The first line that is seen of what lies over the rest.
    pub(crate) page: usize,
    /// What the next game starts from.
    setup: Setup,
    wishes: Wishes,
}

/// What lies over the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Overlay {
    /// What the keys do.
    Help,
    /// How well it was played.
    Analysis,
    /// The game as a line of text.
    Share(String),
    /// The name of a file is being typed.
    File { line: Line, purpose: Purpose },
}

/// What a file is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Purpose {
    Save,
    /// There is a file of that name; once more writes over it.
    Overwrite(PathBuf),
    Load,
}

impl Model {
    /// In the menu, with this game chosen.
    pub(crate) fn in_menu(setup: Setup) -> Self {
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
            wishes: Wishes::default(),
        }
    }

    /// In a game that starts at once.
    pub(crate) fn in_game(setup: Setup) -> (Self, Vec<Effect>) {
        let mut model = Self::in_menu(setup.clone());
        model.start(setup);
        let effects = model.wishes.take();
        (model, effects)
    }

    /// In a game that was saved or shared.
    pub(crate) fn in_record(setup: Setup, record: &Record) -> (Self, Vec<Effect>) {
        let mut model = Self::in_menu(setup);
        model.resume(record);
        let effects = model.wishes.take();
        (model, effects)
    }

    /// Takes an event, and gives what is to be done about it.
    pub(crate) fn update(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Key(key) => self.key(key),
            Event::Paste(text) => self.paste(&text),
            Event::Action(action) => self.act(action),
            Event::Tick => {
                if let Some(game) = &mut self.game {
                    game.tick(&mut self.wishes);
                }
            }
            Event::Progress(ticket, examined) => {
                if let Some(thinking) = self.game.as_mut().and_then(|game| game.thinking.as_mut()) {
                    thinking.progress(ticket, examined);
                }
            }
            Event::Done(ticket, outcome) => {
                if let Some(game) = &mut self.game {
                    game.done(ticket, outcome);
                }
            }
            Event::Failed(ticket, why) => {
                if let Some(game) = &mut self.game {
                    game.failed(ticket, why);
                }
            }
            Event::Saved(path, result) => self.saved(path, result),
            Event::Loaded(Ok(record)) => self.resume(&record),
            Event::Loaded(Err(why)) => self.tell(Note::bad(why)),
        }
        self.wishes.take()
    }

    /// The view found that there is no more to scroll to than this.
    pub(crate) fn clamp_scroll(&mut self, scroll: usize, shift: usize, page: usize) {
        self.scroll = self.scroll.min(scroll);
        self.shift = self.shift.min(shift);
        self.page = self.page.min(page);
    }

    /// Whether time matters: somebody thinks, or a game runs by itself.
    pub(crate) fn is_busy(&self) -> bool {
        self.game.as_ref().is_some_and(|game| {
            game.thinking.is_some() || game.running || matches!(game.analysis, Some(Appraisal::Asked(_)))
        })
    }

    fn start(&mut self, setup: Setup) {
        self.leave_game();
        self.setup = setup.again();
        self.game = Some(Game::start(setup, &mut self.wishes));
    }

    fn resume(&mut self, record: &Record) {
        self.leave_game();
        let game = Game::resume(self.setup.clone(), record, &mut self.wishes);
        self.setup = game.setup.again();
        self.menu = Menu::new(&game.setup);
        self.game = Some(game);
    }

    fn leave_game(&mut self) {
        if let Some(mut game) = self.game.take() {
            game.forget(&mut self.wishes);
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

    /// Tells the player something, wherever the player is.
    fn tell(&mut self, note: Note) {
        match &mut self.game {
            Some(game) if !self.in_menu => game.note = Some(note),
            _ => self.note = Some(note),
        }
    }

    fn saved(&mut self, path: PathBuf, result: Result<(), SaveError>) {
        match result {
            Ok(()) => {
                self.tell(Note::good(format!("Saved. Go on another day: pegwise play --load {}", path.display())));
            }
            Err(SaveError::Failed(why)) => self.tell(Note::bad(why)),
            Err(SaveError::Exists) => {
                let line = Line::new(&path.display().to_string());
                self.overlay = Some(Overlay::File { line, purpose: Purpose::Overwrite(path) });
            }
        }
    }
}
