//! Events and effects of the game. The model never touches a terminal, a file, a clock or a thread.

use std::path::PathBuf;

use pegwise_coach::{Amount, Analysis, Contradiction, Hint, Record};
use pegwise_game::{Code, History};
use pegwise_solve::Spec;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

#[derive(Debug, Clone)]
pub(crate) enum Event {
    Key(KeyEvent),
    Paste(String),
    Action(Action),
    /// A tenth of a second has passed.
    Tick,
    /// Number of codes that a query has examined so far.
    Progress(QueryId, u64),
    Done(QueryId, QueryOutcome),
    /// A query could not be started.
    Failed(QueryId, String),
    Saved(PathBuf, Result<(), SaveError>),
    Loaded(Result<Record, String>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SaveError {
    Exists,
    Failed(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Type(char),
    /// Puts a color of the palette into the current slot.
    Put(u64),
    GoTo(usize),
    Turn(usize, bool),
    Empty(usize),
    Move(Direction),
    Cycle(bool),
    Erase,
    Clear,
    /// Plays the guess, gives the feedback, or starts the game.
    Enter,
    /// Closes a box, stops a query, or opens the menu.
    Escape,
    /// Asks for a hint; a second time plays it.
    Hint,
    Undo,
    Menu,
    /// Asks for the name of a file to save.
    Save,
    /// Asks for the name of a file to load.
    Load,
    /// Shows the game as a line of text.
    Share,
    Analyze,
    Help,
    /// Reveals the code.
    GiveUp,
    /// Edits the feedback of a turn; without an index, of the turn before the one being edited.
    Edit(Option<usize>),
    Repair(usize),
    /// Runs or pauses a watched game.
    Run,
    /// Makes a watched game faster or slower.
    Faster(bool),
    /// Scrolls to earlier (positive) or later turns.
    Scroll(i32),
    Shift(i32),
    Choose(usize),
    Change(usize, bool),
    Quit,
    /// Quits because of Ctrl-C.
    Interrupt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// Number of a query, which identifies outdated results.
pub(crate) type QueryId = u64;

#[derive(Debug, Clone)]
pub(crate) enum Effect {
    /// Starts a query on its own thread.
    Start(QueryId, PlayQuery),
    /// Asks a query to finish early with its best result.
    FinishEarly(QueryId),
    Cancel(QueryId),
    /// Writes a file; replaces an existing one only if `overwrite` is set.
    Save {
        path: PathBuf,
        text: String,
        overwrite: bool,
    },
    Load(PathBuf),
    Copy(String),
    /// Ends the game; true if interrupted.
    Quit(bool),
}

#[derive(Debug, Clone)]
pub(crate) enum PlayQuery {
    /// Counts the consistent codes after each number of turns, from `first` on.
    Count {
        history: History,
        first: usize,
    },
    /// Finds the next guess of a strategy and explains it.
    Guess {
        history: History,
        spec: Spec,
        seed: u64,
    },
    /// Finds contradictory turns and possible repairs.
    FindRepairs(History),
    Analyze {
        history: History,
        secret: Option<Code>,
    },
}

#[derive(Debug, Clone)]
pub(crate) enum QueryOutcome {
    Count(Vec<Amount>),
    Guess(Result<Box<Hint>, NoGuess>),
    Repairs(Option<Contradiction>),
    Analysis(Result<Box<Analysis>, String>),
}

#[derive(Debug, Clone)]
pub(crate) enum NoGuess {
    /// No code is consistent with the turns.
    Contradiction(Box<Contradiction>),
    Other(String),
}

/// Effects that the current update requests, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct EffectQueue {
    last: QueryId,
    effects: Vec<Effect>,
}

impl EffectQueue {
    pub(super) fn start(&mut self, query: PlayQuery) -> QueryId {
        self.last += 1;
        self.effects.push(Effect::Start(self.last, query));
        self.last
    }

    pub(super) fn add(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn cancel(&mut self, query: Option<QueryId>) {
        self.effects.extend(query.map(Effect::Cancel));
    }

    pub(super) fn take(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }
}

/// Returns the action of a key while no text is typed.
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
        KeyCode::Left => Action::Move(Direction::Left),
        KeyCode::Right | KeyCode::Tab => Action::Move(Direction::Right),
        KeyCode::BackTab => Action::Move(Direction::Left),
        KeyCode::Up => Action::Move(Direction::Up),
        KeyCode::Down => Action::Move(Direction::Down),
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

/// Returns the action of a key that works in every state; `None` for other keys.
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
