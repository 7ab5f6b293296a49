//! What happens to the game, and what it wants done. The model never touches a terminal, a file, a clock or a thread.

use std::path::PathBuf;

use pegwise_coach::{Amount, Analysis, Contradiction, Hint, Record};
use pegwise_game::{Code, History};
use pegwise_solve::Spec;
use ratatui::crossterm::event::KeyEvent;

/// Something that happened.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// A text was pasted.
    Paste(String),
    /// Something on the screen was clicked or turned.
    Action(Action),
    /// A tenth of a second has passed.
    Tick,
    /// How far a job is.
    Progress(Ticket, u64),
    /// A job is done.
    Done(Ticket, Outcome),
    /// A job could not be done, and why.
    Failed(Ticket, String),
    /// A file was written, or not, and why.
    Saved(PathBuf, Result<(), SaveError>),
    /// A file was read, or not, and why.
    Loaded(Result<Record, String>),
}

/// Why a game was not saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SaveError {
    /// There is a file of that name already.
    Exists,
    /// Anything else.
    Failed(String),
}

/// What the player wants, by key or by mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// A character for what is being typed.
    Type(char),
    /// A color of the palette.
    Put(u64),
    /// The cursor goes to this slot.
    GoTo(usize),
    /// The slot is turned up or down.
    Turn(usize, bool),
    /// The slot is emptied.
    Empty(usize),
    /// The cursor goes on, back, up or down.
    Move(Way),
    /// The next or the previous number at the cursor.
    Cycle(bool),
    /// The last thing typed goes.
    Erase,
    /// Everything typed goes.
    Clear,
    /// Yes: plays the guess, takes the feedback, starts the game.
    Enter,
    /// No: closes what is open, stops what is thinking, leads to the menu.
    Escape,
    /// A better idea, please; once more takes it.
    Hint,
    /// One turn back.
    Undo,
    /// To the menu.
    Menu,
    /// Asks for the name of a file to save to.
    Save,
    /// Asks for the name of a file to load.
    Load,
    /// The game as a line of text.
    Share,
    /// How well it was played.
    Analyze,
    /// What the keys do.
    Help,
    /// Shows the code.
    GiveUp,
    /// An answer of an earlier turn is to be changed: this one, or the one before that being changed.
    Edit(Option<usize>),
    /// A repair is chosen.
    Repair(usize),
    /// Watches without stopping, or stops.
    Run,
    /// Watches faster or slower.
    Faster(bool),
    /// Earlier turns come into view, or later ones.
    Scroll(i32),
    /// The board moves sideways.
    Shift(i32),
    /// A line of the menu is chosen.
    Choose(usize),
    /// A line of the menu is changed up or down.
    Change(usize, bool),
    /// The end.
    Quit,
    /// The end, in a hurry.
    Interrupt,
}

/// Where the cursor goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Left,
    Right,
    Up,
    Down,
}

/// The number of a job, so that an answer to an old question is known as such.
pub(crate) type Ticket = u64;

/// What the model wants done.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    /// A job for a thread of its own.
    Ask(Ticket, Job),
    /// The job should come to an end with what it has.
    Hurry(Ticket),
    /// Nobody wants the answer any more.
    Drop(Ticket),
    /// Writes a file; over one that is there only if told so.
    Save { path: PathBuf, text: String, overwrite: bool },
    /// Reads a file.
    Load(PathBuf),
    /// Puts a text on the clipboard.
    Copy(String),
    /// Ends the game; true when in a hurry.
    Quit(bool),
}

/// Something to think about.
#[derive(Debug, Clone)]
pub(crate) enum Job {
    /// How many codes fit after each number of turns, from this one on.
    Count { history: History, first: usize },
    /// The next guess of a strategy, and what there is to say about it.
    Guess { history: History, spec: Spec, seed: u64 },
    /// Which answers cannot all be true, and what would mend them.
    Mend(History),
    /// How well it was played.
    Analyze { history: History, secret: Option<Code> },
}

/// What came of a job.
#[derive(Debug, Clone)]
pub(crate) enum Outcome {
    Count(Vec<Amount>),
    Guess(Result<Box<Hint>, NoGuess>),
    Mend(Option<Contradiction>),
    Analysis(Result<Box<Analysis>, String>),
}

/// Why there is no next guess.
#[derive(Debug, Clone)]
pub(crate) enum NoGuess {
    /// No code fits.
    Contradiction(Box<Contradiction>),
    /// Anything else.
    Other(String),
}
