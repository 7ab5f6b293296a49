//! The loop: events in, effects out, a picture whenever something changed.

use std::{
    io,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use ratatui::crossterm::event::{self, MouseButton, MouseEvent, MouseEventKind};

use super::{
    errands::{Done, Errands},
    file,
    model::{
        Model,
        event::{Action, Effect, Event},
    },
    terminal::Takeover,
    view::{self, Drawn, Look},
};
use crate::interrupt;

/// What arrives while the game waits.
pub(super) enum Message {
    /// From the terminal.
    Input(event::Event),
    /// The terminal is gone.
    NoInput(io::Error),
    /// A job is done.
    Done(Done),
}

impl From<Done> for Message {
    fn from(done: Done) -> Self {
        Self::Done(done)
    }
}

/// How a game was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Quit,
    Interrupted,
}

/// The time between two pictures of something that moves; also how long a signal may wait.
const TICK: Duration = Duration::from_millis(100);

/// Plays until the player has enough.
pub(super) fn play(
    mut model: Model,
    effects: Vec<Effect>,
    look: Look,
    time: Option<Duration>,
) -> anyhow::Result<(Model, End)> {
    let raised = interrupt::patient_flag()?;
    let mut takeover = Takeover::begin().context("the terminal cannot be used for a game")?;
    let (sender, inbox) = mpsc::channel();
    listen(sender.clone()).context("no thread for the keys")?;
    let errands = Errands::new(time, sender);
    let end = Table { model: &mut model, errands, takeover: &mut takeover, look, drawn: Drawn::default() }
        .play(effects, &inbox, &raised)?;
    drop(takeover);
    Ok((model, end))
}

/// Reads keys and clicks on a thread of its own.
fn listen(sender: Sender<Message>) -> io::Result<()> {
    thread::Builder::new().name("keys".to_owned()).spawn(move || {
        loop {
            let message = event::read();
            let is_over = message.is_err();
            // The game has ended when nobody takes it.
            if sender.send(message.map_or_else(Message::NoInput, Message::Input)).is_err() || is_over {
                return;
            }
        }
    })?;
    Ok(())
}

struct Table<'a> {
    model: &'a mut Model,
    errands: Errands<Message>,
    takeover: &'a mut Takeover,
    look: Look,
    drawn: Drawn,
}

impl Table<'_> {
    fn play(&mut self, effects: Vec<Effect>, inbox: &Receiver<Message>, raised: &AtomicBool) -> anyhow::Result<End> {
        if let Some(end) = self.carry_out(effects)? {
            return Ok(end);
        }
        self.draw()?;
        let mut ticked = Instant::now();
        loop {
            let message = match inbox.recv_timeout(TICK.saturating_sub(ticked.elapsed())) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => anyhow::bail!("nobody reads the keys any more"),
            };
            if raised.load(Ordering::Relaxed) {
                return Ok(End::Interrupted);
            }
            let was_busy = self.model.is_busy();
            let mut changed = false;
            // Whatever else has arrived belongs to the same picture: a paste, a burst of the wheel.
            for message in message.into_iter().chain(inbox.try_iter().take(64)) {
                changed = true;
                if let Some(end) = self.receive(message)? {
                    return Ok(end);
                }
            }
            if ticked.elapsed() >= TICK {
                ticked = Instant::now();
                if was_busy {
                    changed = true;
                    if let Some(end) = self.tick()? {
                        return Ok(end);
                    }
                }
            }
            if changed {
                self.draw()?;
            }
        }
    }

    fn tick(&mut self) -> anyhow::Result<Option<End>> {
        let progress: Vec<_> = self.errands.progress().collect();
        for (ticket, examined) in progress {
            self.update(Event::Progress(ticket, examined))?;
        }
        self.update(Event::Tick)
    }

    fn receive(&mut self, message: Message) -> anyhow::Result<Option<End>> {
        let event = match message {
            Message::NoInput(error) => return Err(error).context("the terminal no longer answers"),
            // The terminal was given back and the panic reported where it happened; here the program ends by it.
            Message::Done(Done::Panicked(panic)) => std::panic::resume_unwind(panic),
            Message::Done(Done::Job(done)) => match self.errands.take(done) {
                Some((ticket, outcome)) => Event::Done(ticket, outcome),
                None => return Ok(None),
            },
            Message::Input(event::Event::Key(key)) => Event::Key(key),
            Message::Input(event::Event::Paste(text)) => Event::Paste(text),
            Message::Input(event::Event::Mouse(mouse)) => match self.clicked(mouse) {
                Some(action) => Event::Action(action),
                None => return Ok(None),
            },
            // Resized, or focused: the picture is drawn anew after every message.
            Message::Input(_) => return Ok(None),
        };
        self.update(event)
    }

    fn clicked(&self, mouse: MouseEvent) -> Option<Action> {
        let hit = self.drawn.hits.at(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => hit.map(|hit| hit.click),
            MouseEventKind::Down(_) => hit.and_then(|hit| hit.other),
            MouseEventKind::ScrollUp => Some(hit.and_then(|hit| hit.wheel).map_or(Action::Scroll(1), |(up, _)| up)),
            MouseEventKind::ScrollDown => {
                Some(hit.and_then(|hit| hit.wheel).map_or(Action::Scroll(-1), |(_, down)| down))
            }
            MouseEventKind::ScrollLeft => Some(Action::Shift(-2)),
            MouseEventKind::ScrollRight => Some(Action::Shift(2)),
            _ => None,
        }
    }

    fn update(&mut self, event: Event) -> anyhow::Result<Option<End>> {
        let effects = self.model.update(event);
        self.carry_out(effects)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> anyhow::Result<Option<End>> {
        for effect in effects {
            let answer = match effect {
                Effect::Ask(ticket, job) => match self.errands.ask(ticket, job) {
                    Ok(()) => None,
                    Err(error) => Some(Event::Failed(ticket, error.to_string())),
                },
                Effect::Hurry(ticket) => {
                    self.errands.hurry(ticket);
                    None
                }
                Effect::Drop(ticket) => {
                    self.errands.drop(ticket);
                    None
                }
                Effect::Save { path, text, overwrite } => {
                    let saved = file::save(&path, &text, overwrite);
                    Some(Event::Saved(path, saved))
                }
                Effect::Load(path) => Some(Event::Loaded(file::load(&path).map_err(|error| format!("{error:#}")))),
                Effect::Copy(text) => {
                    self.takeover.copy(&text)?;
                    None
                }
                Effect::Quit(hurry) => return Ok(Some(if hurry { End::Interrupted } else { End::Quit })),
            };
            if let Some(end) = answer.map(|event| self.update(event)).transpose()?.flatten() {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let (model, look) = (&*self.model, self.look);
        let mut drawn = Drawn::default();
        self.takeover
            .terminal()
            .draw(|frame| drawn = view::draw(frame, model, look))
            .context("the terminal no longer answers")?;
        self.model.clamp_scroll(drawn.scroll, drawn.shift, drawn.page);
        self.drawn = drawn;
        Ok(())
    }
}
