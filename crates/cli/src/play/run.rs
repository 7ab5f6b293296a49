//! Event loop of the game.

use std::{
    any::Any,
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
    load,
    model::{
        Model,
        event::{Action, Effect, Event},
    },
    queries::{BackgroundQueries, FinishedQuery},
    save,
    terminal::TerminalGuard,
    view::{self, Drawn, Theme},
};
use crate::exit::{self, Exit};

pub(super) enum Message {
    Input(event::Event),
    NoInput(io::Error),
    Finished(FinishedQuery),
    Panicked(Box<dyn Any + Send>),
}

/// Interval between ticks, and the longest delay of a signal.
const TICK: Duration = Duration::from_millis(100);

/// Runs the game until the player quits or an interrupt arrives.
pub(super) fn play(
    mut model: Model,
    effects: Vec<Effect>,
    theme: Theme,
    time: Option<Duration>,
) -> anyhow::Result<(Model, Exit)> {
    let raised = exit::polled_interrupt_flag()?;
    let mut guard = TerminalGuard::begin().context("the terminal cannot be used")?;
    let (sender, inbox) = mpsc::channel();
    listen(sender.clone()).context("a thread cannot be started")?;
    let queries = BackgroundQueries::new(time, model.secrets(), sender);
    let end = EventLoop { model: &mut model, queries, guard: &mut guard, theme, drawn: Drawn::default() }
        .play(effects, &inbox, &raised)?;
    drop(guard);
    Ok((model, end))
}

fn listen(sender: Sender<Message>) -> io::Result<()> {
    thread::Builder::new().name("keys".to_owned()).spawn(move || {
        loop {
            let message = event::read();
            let is_over = message.is_err();
            // Fails only if the game has ended.
            if sender.send(message.map_or_else(Message::NoInput, Message::Input)).is_err() || is_over {
                return;
            }
        }
    })?;
    Ok(())
}

struct EventLoop<'a> {
    model: &'a mut Model,
    queries: BackgroundQueries,
    guard: &'a mut TerminalGuard,
    theme: Theme,
    drawn: Drawn,
}

impl EventLoop<'_> {
    fn play(&mut self, effects: Vec<Effect>, inbox: &Receiver<Message>, raised: &AtomicBool) -> anyhow::Result<Exit> {
        if let Some(end) = self.execute(effects)? {
            return Ok(end);
        }
        self.draw()?;
        let mut ticked = Instant::now();
        loop {
            let message = match inbox.recv_timeout(TICK.saturating_sub(ticked.elapsed())) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => anyhow::bail!("the thread that reads the keys has ended"),
            };
            if raised.load(Ordering::Relaxed) {
                return Ok(Exit::Interrupted);
            }
            let was_busy = self.model.is_busy();
            let mut changed = false;
            // Messages that have already arrived are drawn together, such as those of a paste.
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

    fn tick(&mut self) -> anyhow::Result<Option<Exit>> {
        let progress: Vec<_> = self.queries.progress().collect();
        for (id, examined) in progress {
            self.update(Event::Progress(id, examined))?;
        }
        self.update(Event::Tick)
    }

    fn receive(&mut self, message: Message) -> anyhow::Result<Option<Exit>> {
        let event = match message {
            Message::NoInput(error) => return Err(error).context("the terminal no longer answers"),
            // The panic was reported and the terminal restored where it happened.
            Message::Panicked(panic) => std::panic::resume_unwind(panic),
            Message::Finished(done) => match self.queries.take(done) {
                Some((id, outcome)) => Event::Done(id, outcome),
                None => return Ok(None),
            },
            Message::Input(event::Event::Key(key)) => Event::Key(key),
            Message::Input(event::Event::Paste(text)) => Event::Paste(text),
            Message::Input(event::Event::Mouse(mouse)) => match self.clicked(mouse) {
                Some(action) => Event::Action(action),
                None => return Ok(None),
            },
            // The screen is drawn after every message, so a resize needs no event.
            Message::Input(_) => return Ok(None),
        };
        self.update(event)
    }

    fn clicked(&self, mouse: MouseEvent) -> Option<Action> {
        let hit = self.drawn.hits.at(mouse.column, mouse.row);
        let wheel = hit.and_then(|hit| hit.wheel).unwrap_or((Action::Scroll(1), Action::Scroll(-1)));
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => hit.map(|hit| hit.click),
            MouseEventKind::Down(_) => hit.and_then(|hit| hit.other),
            MouseEventKind::ScrollUp => Some(wheel.0),
            MouseEventKind::ScrollDown => Some(wheel.1),
            MouseEventKind::ScrollLeft => Some(Action::Shift(-2)),
            MouseEventKind::ScrollRight => Some(Action::Shift(2)),
            _ => None,
        }
    }

    fn update(&mut self, event: Event) -> anyhow::Result<Option<Exit>> {
        let effects = self.model.update(event);
        self.execute(effects)
    }

    fn execute(&mut self, effects: Vec<Effect>) -> anyhow::Result<Option<Exit>> {
        for effect in effects {
            let mut answer = None;
            match effect {
                Effect::Start(id, query) => {
                    let started = self.queries.start(id, query);
                    answer = started.err().map(|error| Event::Failed(id, error.to_string()));
                }
                Effect::FinishEarly(id) => self.queries.finish_early(id),
                Effect::Cancel(id) => self.queries.cancel(id),
                Effect::Save { path, text, overwrite } => {
                    let saved = save(&path, &text, overwrite);
                    answer = Some(Event::Saved(path, saved));
                }
                Effect::Load(path) => {
                    answer = Some(Event::Loaded(load(path).map_err(|error| format!("{error:#}"))));
                }
                Effect::Copy(text) => self.guard.copy(&text)?,
                Effect::Quit(interrupted) => {
                    return Ok(Some(if interrupted { Exit::Interrupted } else { Exit::Success }));
                }
            }
            if let Some(end) = answer.map(|event| self.update(event)).transpose()?.flatten() {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let (model, theme) = (&*self.model, self.theme);
        let mut drawn = Drawn::default();
        self.guard
            .terminal()
            .draw(|frame| drawn = view::draw(frame, model, theme))
            .context("the terminal no longer answers")?;
        self.model.clamp_scroll(drawn.scroll, drawn.shift, drawn.page);
        self.drawn = drawn;
        Ok(())
    }
}
