//! `pegwise engine`: a process that other programs drive, a JSON line at a time. The protocol is in
//! `docs/engine-protocol.md`.
//!
//! One thread reads requests, one thinks while there is something to think about, and the one here answers both, so
//! that the engine listens while it thinks. A request that is wrong gets an error, and the engine goes on.

mod game;
mod request;

use std::{
    io::{self, Write as _},
    str::FromStr as _,
    sync::{
        atomic::Ordering,
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{anyhow, bail};
use pegwise_game::Rules;
use pegwise_lab::wire::{self, WireLine};
use pegwise_solve::Spec;
use serde_json::{Value, json};

use self::{
    game::{Game, Thinking, Thought},
    request::{Marked, Request},
};
use crate::{
    arguments::{DEFAULT_RULES, DEFAULT_STRATEGY},
    exit::Exit,
    ui::Screen,
};

/// Think for other programs, which ask over standard input and output.
///
/// Every request and every answer is a line of JSON: `{"do":"new","rules":"4x6"}` starts a game,
/// `{"do":"turn","guess":[1,1,2,2],"feedback":"1,0"}` tells a turn, `{"do":"guess"}` asks for the best guess,
/// `{"do":"stop"}` ends the thinking, `{"do":"quit"}` ends the engine, and so does the end of the input, once what was
/// asked is answered. docs/engine-protocol.md
/// tells it all.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How often to tell how far it is while it thinks.
    #[arg(long, value_name = "SECONDS", default_value = "0.5")]
    #[arg(value_parser = crate::arguments::time_limit, allow_hyphen_values = true)]
    progress: Duration,
}

/// Something to answer.
enum Event {
    Line(WireLine),
    Thought(Box<Thought>),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    // A few requests may wait; a peer that sends more waits itself.
    let (events, inbox) = mpsc::sync_channel(16);
    let lines = events.clone();
    thread::spawn(move || read_requests(&lines));
    let mut engine = Engine { screen: Screen::new(), events, tick: args.progress, game: None, thinking: None };
    engine.run(&inbox)?;
    Ok(Exit::Done)
}

fn read_requests(events: &SyncSender<Event>) {
    let mut stdin = io::stdin().lock();
    loop {
        // What cannot be read any more has come to its end.
        let line = wire::read_line(&mut stdin).unwrap_or(WireLine::End);
        let end = line == WireLine::End;
        if events.send(Event::Line(line)).is_err() || end {
            return;
        }
    }
}

/// Whether there is more to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Listen,
    Quit,
}

struct Engine {
    screen: Screen,
    events: SyncSender<Event>,
    tick: Duration,
    game: Option<Game>,
    thinking: Option<Thinking>,
}

impl Engine {
    fn run(&mut self, inbox: &Receiver<Event>) -> anyhow::Result<()> {
        let mut next_tick = Instant::now();
        let mut ended = false;
        loop {
            if ended && self.thinking.is_none() {
                self.request(WireLine::End)?;
                return Ok(());
            }
            let event = if self.thinking.is_some() {
                inbox.recv_timeout(next_tick.saturating_duration_since(Instant::now()))
            } else {
                inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
            };
            match event {
                // Who has no more to ask still waits for what was asked.
                Ok(Event::Line(WireLine::End)) if self.thinking.is_some() => ended = true,
                Ok(Event::Line(line)) => {
                    if self.request(line)? == Next::Quit {
                        return Ok(());
                    }
                    next_tick = Instant::now() + self.tick;
                }
                Ok(Event::Thought(thought)) => self.thought(*thought)?,
                Err(RecvTimeoutError::Timeout) => {
                    next_tick = Instant::now() + self.tick;
                    self.tick()?;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// Answers a line.
    fn request(&mut self, line: WireLine) -> anyhow::Result<Next> {
        let Some(Marked { id, request }) = Marked::read(line) else { return Ok(Next::Listen) };
        let answered = request.map_err(anyhow::Error::msg).and_then(|request| self.answer(request, id.clone()));
        match answered {
            Ok((Some(answer), next)) => self.say(answer, id).map(|()| next),
            Ok((None, next)) => Ok(next),
            Err(error) => {
                self.say(json!({ "reply": "error", "error": format!("{error:#}") }), id).map(|()| Next::Listen)
            }
        }
    }

    /// The answer to a request, if it has one at once, and whether it was the last.
    fn answer(&mut self, request: Request, id: Option<Value>) -> anyhow::Result<(Option<Value>, Next)> {
        let busy = self.thinking.is_some();
        let answer = match request {
            Request::Quit {} => return Ok((Some(json!({ "reply": "quit" })), Next::Quit)),
            Request::Stop {} => {
                if let Some(thinking) = &self.thinking {
                    thinking.cancel.store(true, Ordering::Relaxed);
                }
                json!({ "reply": "stop", "thinking": busy })
            }
            _ if busy => bail!("the engine is thinking: wait for its guess, or send {{\"do\":\"stop\"}}"),
            Request::New { rules, strategy, seed, secrets, weights } => {
                let rules: Rules = rules.as_deref().unwrap_or(DEFAULT_RULES).parse()?;
                let spec = Spec::from_str(strategy.as_deref().unwrap_or(DEFAULT_STRATEGY))?;
                let secrets = game::secrets(&rules, secrets, weights)?;
                let game = self.game.insert(Game::new(&rules, spec, secrets, seed.unwrap_or(1))?);
                let mut answer = describe(game);
                answer["reply"] = json!("new");
                answer
            }
            Request::Rules {} => describe(self.game()?),
            Request::Turn { guess, feedback } => {
                let game = self.game()?;
                let remaining = game.turn(&guess, &feedback)?;
                let (turns, solved) = (game.history.len(), game.history.is_solved());
                json!({ "reply": "turn", "turns": turns, "remaining": remaining, "solved": solved })
            }
            Request::Undo {} => {
                let game = self.game()?;
                game.history.pop().ok_or_else(|| anyhow!("there is no turn to take back"))?;
                let remaining = game.count().map_err(anyhow::Error::msg)?;
                json!({ "reply": "undo", "turns": game.history.len(), "remaining": remaining })
            }
            Request::Guess { time_limit, alternatives } => {
                let time = time_limit.map(time).transpose()?;
                let events = self.events.clone();
                let thinking = self.game()?.think(id, time, alternatives.unwrap_or(0).into(), events);
                self.thinking = Some(thinking.ok_or_else(|| anyhow!("the strategy is lost: start a new game"))?);
                return Ok((None, Next::Listen));
            }
        };
        Ok((Some(answer), Next::Listen))
    }

    fn game(&mut self) -> anyhow::Result<&mut Game> {
        self.game
            .as_mut()
            .ok_or_else(|| anyhow!("there is no game: start one with {{\"do\":\"new\",\"rules\":\"4x6\"}}"))
    }

    /// Tells the guess that was thought of.
    fn thought(&mut self, thought: Thought) -> anyhow::Result<()> {
        let (Some(thinking), Some(game)) = (self.thinking.take(), &mut self.game) else { return Ok(()) };
        let (found, counts) = game.thought(thought);
        let seconds = thinking.start.elapsed().as_secs_f64();
        let answer = match found {
            Ok(proposal) => json!({
                "reply": "guess",
                "guess": proposal.guess,
                "basis": proposal.basis,
                "remaining": proposal.remaining,
                "alternatives": proposal.alternatives,
                "examined": counts.examined,
                "scored": counts.scored,
                "seconds": seconds,
            }),
            Err(error) => json!({ "reply": "error", "error": format!("{error:#}"), "seconds": seconds }),
        };
        self.say(answer, thinking.id)
    }

    /// Tells how far the thinking is, or that it came to nothing.
    fn tick(&mut self) -> anyhow::Result<()> {
        let (Some(thinking), Some(game)) = (&mut self.thinking, &mut self.game) else { return Ok(()) };
        let id = thinking.id.clone();
        // A thought may be on its way still; by the next look it has come, or never will.
        if thinking.thread.is_finished() && std::mem::replace(&mut thinking.overdue, true) {
            self.thinking = None;
            game.renew()?;
            return self.say(json!({ "reply": "error", "error": "the strategy broke down; it starts anew" }), id);
        }
        let seconds = thinking.start.elapsed().as_secs_f64();
        let (examined, nodes) = (thinking.meter.examined(), thinking.meter.nodes());
        self.say(json!({ "reply": "progress", "seconds": seconds, "examined": examined, "nodes": nodes }), id)
    }

    fn say(&mut self, mut answer: Value, id: Option<Value>) -> anyhow::Result<()> {
        if let Some(id) = id {
            answer["id"] = id;
        }
        self.screen.json(&answer)?;
        self.screen.flush()?;
        Ok(())
    }
}

/// The rules of a game, for a peer that does not read the notation.
fn describe(game: &Game) -> Value {
    let rules = game.rules();
    json!({
        "reply": "rules",
        "rules": rules,
        "cells": rules.cells(),
        "colors": rules.colors(),
        "repeats": rules.repeats(),
        "feedback": rules.feedback().name(),
        "lines": rules.board().line_count(),
        "codes": game.codes(),
        "strategy": game.spec,
        "seed": game.seed,
        "turns": game.history.len(),
    })
}

fn time(seconds: f64) -> anyhow::Result<Duration> {
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| anyhow!("time_limit: write a number of seconds above zero, as in 0.5"))
}
