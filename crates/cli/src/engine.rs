//! `pegwise engine`: a process that other programs control with lines of JSON. See `docs/engine-protocol.md`.
//!
//! One thread reads requests, one runs the strategy, and the main thread handles the events of both and writes the
//! answers, so requests are handled during a search. An invalid request gets an error, and the engine continues.

use std::{
    io::{self, Write as _},
    str::FromStr as _,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use anyhow::{anyhow, bail, ensure};
use pegwise_game::{Count, History, Rules, Space, Turn, shorten};
use pegwise_lab::wire::{self, WireLine};
use pegwise_solve::{
    Counts, Limits, Meter, Proposal, Rng, Search, Spec, Strategy, StrategyError,
    candidates::{CandidateTracker, contradiction},
    clock::Moment,
    secrets::SecretList,
    seeds,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    arguments::{self, DEFAULT_RULES, DEFAULT_SEED, DEFAULT_STRATEGY},
    contradiction::{explain, name_turns},
    exit::Exit,
    ui::Screen,
};

/// Serve other programs over standard input and output.
///
/// Requests and answers are lines of JSON: `{"do":"new","rules":"4x6"}` starts a game,
/// `{"do":"turn","guess":[1,1,2,2],"feedback":"1,0"}` adds a turn, `{"do":"guess"}` asks for the best guess,
/// `{"do":"stop"}` stops the search, and `{"do":"quit"}` ends the engine. So does the end of the input, after the last
/// answer. See docs/engine-protocol.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Interval between progress messages.
    #[arg(long, value_name = "TIME", default_value = "0.5")]
    #[arg(value_parser = arguments::duration, allow_hyphen_values = true)]
    progress: Duration,
}

/// Event for the main thread.
enum EngineEvent {
    WireLine(WireLine),
    Found(Box<SearchOutcome>),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    // A client that sends more requests is blocked.
    let (events, inbox) = mpsc::sync_channel(16);
    let lines = events.clone();
    thread::spawn(move || read_requests(&lines));
    let mut engine = Engine { screen: Screen::new(), events, tick: args.progress, game: None, search: None };
    engine.run(&inbox)?;
    Ok(Exit::Success)
}

fn read_requests(events: &SyncSender<EngineEvent>) {
    let mut stdin = io::stdin().lock();
    loop {
        // An unreadable input has ended.
        let line = wire::read_line(&mut stdin).unwrap_or(WireLine::End);
        let end = line == WireLine::End;
        if events.send(EngineEvent::WireLine(line)).is_err() || end {
            return;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EngineStep {
    Continue,
    Quit,
}

struct Engine {
    screen: Screen,
    events: SyncSender<EngineEvent>,
    tick: Duration,
    game: Option<EngineGame>,
    search: Option<RunningSearch>,
}

impl Engine {
    fn run(&mut self, inbox: &Receiver<EngineEvent>) -> anyhow::Result<()> {
        let mut next_tick = Instant::now();
        let mut ended = false;
        loop {
            if ended && self.search.is_none() {
                self.request(WireLine::End)?;
                return Ok(());
            }
            let event = if self.search.is_some() {
                inbox.recv_timeout(next_tick.saturating_duration_since(Instant::now()))
            } else {
                inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
            };
            match event {
                // The last request is answered before the end of the input takes effect.
                Ok(EngineEvent::WireLine(WireLine::End)) if self.search.is_some() => ended = true,
                Ok(EngineEvent::WireLine(line)) => {
                    if self.request(line)? == EngineStep::Quit {
                        return Ok(());
                    }
                    next_tick = Instant::now() + self.tick;
                }
                Ok(EngineEvent::Found(outcome)) => self.found(*outcome)?,
                Err(RecvTimeoutError::Timeout) => {
                    next_tick = Instant::now() + self.tick;
                    self.tick()?;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn request(&mut self, line: WireLine) -> anyhow::Result<EngineStep> {
        let Some(Tagged { id, request }) = Tagged::read(line) else { return Ok(EngineStep::Continue) };
        let answered = request.map_err(anyhow::Error::msg).and_then(|request| self.answer(request, id.clone()));
        match answered {
            Ok((Some(answer), next)) => self.send(answer, id).map(|()| next),
            Ok((None, next)) => Ok(next),
            Err(error) => {
                self.send(json!({ "reply": "error", "error": format!("{error:#}") }), id).map(|()| EngineStep::Continue)
            }
        }
    }

    /// Handles a request. Returns the immediate answer, if there is one.
    fn answer(&mut self, request: Request, id: Option<Value>) -> anyhow::Result<(Option<Value>, EngineStep)> {
        let busy = self.search.is_some();
        let answer = match request {
            Request::Quit {} => return Ok((Some(json!({ "reply": "quit" })), EngineStep::Quit)),
            Request::Stop {} => {
                if let Some(search) = &self.search {
                    search.cancel.store(true, Ordering::Relaxed);
                }
                json!({ "reply": "stop", "thinking": busy })
            }
            _ if busy => bail!("a search is running: wait for its guess, or send {{\"do\":\"stop\"}}"),
            Request::New { rules, strategy, seed, secrets, weights, guesses } => {
                let rules: Rules = rules.as_deref().unwrap_or(DEFAULT_RULES).parse()?;
                let spec = Spec::from_str(strategy.as_deref().unwrap_or(DEFAULT_STRATEGY))?;
                let secrets = secret_list(&rules, secrets, weights, guesses)?;
                let game = self.game.insert(EngineGame::new(&rules, spec, secrets, seed.unwrap_or(DEFAULT_SEED))?);
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
                game.history.pop().ok_or_else(|| anyhow!("there is no turn to undo"))?;
                let remaining = game.count().map_err(anyhow::Error::msg)?;
                json!({ "reply": "undo", "turns": game.history.len(), "remaining": remaining })
            }
            Request::Guess { time_limit, alternatives } => {
                let time = time_limit.map(time).transpose()?;
                let events = self.events.clone();
                let search = self.game()?.search(id, time, alternatives.unwrap_or(0).into(), events);
                self.search = Some(search.ok_or_else(|| anyhow!("internal error: start a new game"))?);
                return Ok((None, EngineStep::Continue));
            }
        };
        Ok((Some(answer), EngineStep::Continue))
    }

    fn game(&mut self) -> anyhow::Result<&mut EngineGame> {
        self.game.as_mut().ok_or_else(|| anyhow!("no game: start one with {{\"do\":\"new\",\"rules\":\"4x6\"}}"))
    }

    fn found(&mut self, outcome: SearchOutcome) -> anyhow::Result<()> {
        let (Some(search), Some(game)) = (self.search.take(), &mut self.game) else { return Ok(()) };
        let (found, counts) = game.finish(outcome);
        let seconds = search.start.elapsed().as_secs_f64();
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
        self.send(answer, search.id)
    }

    /// Sends progress, or an error if the search panicked.
    fn tick(&mut self) -> anyhow::Result<()> {
        let (Some(search), Some(game)) = (&mut self.search, &mut self.game) else { return Ok(()) };
        let id = search.id.clone();
        // The outcome may still be in the channel; it will have arrived by the next tick.
        if search.thread.is_finished() && std::mem::replace(&mut search.overdue, true) {
            self.search = None;
            game.rebuild()?;
            return self
                .send(json!({ "reply": "error", "error": "internal error in the strategy; it was restarted" }), id);
        }
        let seconds = search.start.elapsed().as_secs_f64();
        let (examined, nodes) = (search.meter.examined(), search.meter.nodes());
        self.send(json!({ "reply": "progress", "seconds": seconds, "examined": examined, "nodes": nodes }), id)
    }

    fn send(&mut self, mut answer: Value, id: Option<Value>) -> anyhow::Result<()> {
        if let Some(id) = id {
            answer["id"] = id;
        }
        self.screen.json(&answer)?;
        self.screen.flush()?;
        Ok(())
    }
}

/// Describes the rules of a game for clients that do not parse the notation.
fn describe(game: &EngineGame) -> Value {
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

/// Maximum number of turns of a game, which bounds the memory of the engine.
const MAX_TURNS: usize = 10_000;

/// Game and its strategy.
struct EngineGame {
    spec: Spec,
    seed: u64,
    history: History,
    /// Candidates, if the space can be listed.
    remaining: Option<CandidateTracker>,
    /// Possible secrets, if they are listed.
    secrets: Option<Arc<SecretList>>,
    /// The strategy; `None` during a search.
    strategy: Option<Box<dyn Strategy>>,
    rng: Rng,
}

struct RunningSearch {
    id: Option<Value>,
    cancel: Arc<AtomicBool>,
    meter: Arc<Meter>,
    start: Moment,
    thread: JoinHandle<()>,
    /// True if the thread had ended at the last tick without an outcome.
    overdue: bool,
}

struct SearchOutcome {
    result: Result<Proposal, StrategyError>,
    counts: Counts,
    strategy: Box<dyn Strategy>,
    rng: Rng,
    /// The time limit.
    time: Option<Duration>,
}

impl EngineGame {
    fn new(rules: &Rules, spec: Spec, secrets: Option<Arc<SecretList>>, seed: u64) -> anyhow::Result<Self> {
        Ok(Self {
            strategy: Some(arguments::build_for(&spec, rules, secrets.as_ref())?),
            rng: seeds::strategy(seed, rules, &spec),
            spec,
            seed,
            history: History::new(rules.clone()),
            remaining: CandidateTracker::listed(rules),
            secrets,
        })
    }

    /// Returns the number of possible secrets at the start.
    fn codes(&self) -> Count {
        match &self.secrets {
            Some(secrets) => Count::Exact(secrets.len() as u128),
            None => Space::new(self.rules()).count(),
        }
    }

    fn rules(&self) -> &Rules {
        self.history.rules()
    }

    /// Adds a turn, unless it contradicts the others. Returns the number of possible codes, if it is counted.
    fn turn(&mut self, guess: &Value, feedback: &Value) -> anyhow::Result<Option<Count>> {
        ensure!(!self.history.is_solved(), "the game is over: the code was found");
        ensure!(self.history.len() < MAX_TURNS, "a game has at most {MAX_TURNS} turns");
        let rules = self.rules();
        let guess = wire::code(rules, guess).map_err(|error| anyhow!("guess: {error}"))?;
        let feedback = wire::feedback(rules, feedback).map_err(|error| anyhow!("feedback: {error}"))?;
        self.history.push(Turn { guess, feedback })?;
        match self.count() {
            Ok(count) => Ok(count),
            Err(problem) => {
                self.history.pop();
                bail!("{problem}\n  the turn was not added");
            }
        }
    }

    /// Counts the codes left, if they can be counted; an error if no code is consistent.
    fn count(&mut self) -> Result<Option<Count>, String> {
        if let Some(last) = self.history.turns().last().filter(|_| self.history.is_solved()) {
            return match self.history.is_consistent(&last.guess) {
                true => Ok(Some(Count::Exact(0))),
                false => Err("no code fits: the guess does not fit the turns before it".to_owned()),
            };
        }
        if let Some(secrets) = &self.secrets {
            return match secrets.remaining(&self.history) {
                Count::Exact(0) => Err(StrategyError::NotListed.to_string()),
                count => Ok(Some(count)),
            };
        }
        let Some(remaining) = &mut self.remaining else { return Ok(None) };
        let mut search = Search::new(0);
        match remaining.after(&self.history, &mut search) {
            Ok(view) => Ok(view.count),
            Err(StrategyError::Contradiction { .. }) => {
                Err(name_turns(&contradiction(&self.history, &mut search), &self.history))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// Starts a search on its own thread, which reports to `events`.
    fn search(
        &mut self,
        id: Option<Value>,
        time: Option<Duration>,
        alternatives: usize,
        events: SyncSender<EngineEvent>,
    ) -> Option<RunningSearch> {
        let mut strategy = self.strategy.take()?;
        let (cancel, meter) = (Arc::<AtomicBool>::default(), Arc::<Meter>::default());
        let (flag, shown) = (Arc::clone(&cancel), Arc::clone(&meter));
        let (history, rng) = (self.history.clone(), self.rng.clone());
        let thread = thread::spawn(move || {
            let limits = Limits { time, ..Limits::default() };
            let mut search = Search::with_rng(rng).with_limits(limits).with_cancel(&flag).with_meter(&shown);
            search.alternatives = alternatives;
            let result = strategy.next_guess(&history, &mut search);
            let (counts, rng) = (search.counts(), search.rng);
            // Fails only if the engine has ended.
            let _ = events.send(EngineEvent::Found(Box::new(SearchOutcome { result, counts, strategy, rng, time })));
        });
        Some(RunningSearch { id, cancel, meter, start: Moment::now(), thread, overdue: false })
    }

    /// Takes the strategy back, and returns its result.
    fn finish(&mut self, outcome: SearchOutcome) -> (anyhow::Result<Proposal>, Counts) {
        self.strategy = Some(outcome.strategy);
        self.rng = outcome.rng;
        (outcome.result.map_err(|error| explain(error, &self.history, outcome.time)), outcome.counts)
    }

    /// Builds the strategy again after a panic.
    fn rebuild(&mut self) -> anyhow::Result<()> {
        self.strategy = Some(arguments::build_for(&self.spec, self.history.rules(), self.secrets.as_ref())?);
        Ok(())
    }
}

/// Parses the lists of a request: the possible secrets, and the codes that may be guessed beside them.
fn secret_list(
    rules: &Rules,
    secrets: Option<Vec<Value>>,
    weights: Option<Vec<f64>>,
    guesses: Option<Vec<Value>>,
) -> anyhow::Result<Option<Arc<SecretList>>> {
    let Some(secrets) = secrets else {
        ensure!(weights.is_none(), "weights: write secrets, too");
        ensure!(guesses.is_none(), "guesses: write secrets, too");
        return Ok(None);
    };
    let weights = weights.unwrap_or_else(|| vec![1.0; secrets.len()]);
    ensure!(
        weights.len() == secrets.len(),
        "weights: write one per secret; there are {} for {} secrets",
        weights.len(),
        secrets.len()
    );
    let list = code_list("secrets", rules, secrets.iter().zip(weights))?;
    Ok(Some(Arc::new(match guesses {
        Some(guesses) => list.with_guesses(&code_list("guesses", rules, guesses.iter().map(|guess| (guess, 1.0)))?),
        None => list,
    })))
}

/// Parses codes with weights; errors name the field and the number of the code.
fn code_list<'a>(
    name: &str,
    rules: &Rules,
    codes: impl Iterator<Item = (&'a Value, f64)>,
) -> anyhow::Result<SecretList> {
    let mut items = Vec::new();
    for (number, (code, weight)) in (1..).zip(codes) {
        let code = wire::code(rules, code).map_err(|error| anyhow!("{name}: number {number}: {error}"))?;
        items.push((number, code, weight));
    }
    SecretList::new(rules, items).map_err(|error| {
        let number = error.number().map(|number| format!("number {number}: ")).unwrap_or_default();
        anyhow!("{name}: {number}{error}")
    })
}

#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
enum Request {
    New {
        rules: Option<String>,
        strategy: Option<String>,
        seed: Option<u64>,
        /// Possible secrets; all codes by default.
        secrets: Option<Vec<Value>>,
        weights: Option<Vec<f64>>,
        /// Codes that may be guessed beside the secrets; the strategy's choice by default.
        guesses: Option<Vec<Value>>,
    },
    Rules {},
    Turn {
        guess: Value,
        feedback: Value,
    },
    Undo {},
    Guess {
        time_limit: Option<f64>,
        alternatives: Option<u16>,
    },
    /// Stops the search, which answers with the best guess so far.
    Stop {},
    Quit {},
}

/// Request and the `id` that its answers repeat.
#[derive(Debug)]
struct Tagged {
    id: Option<Value>,
    request: Result<Request, String>,
}

impl Tagged {
    /// Parses a request; `None` for an empty line. The end of the input quits.
    fn read(line: WireLine) -> Option<Self> {
        let wrong = |problem: String| Some(Self { id: None, request: Err(problem) });
        let text = match line {
            WireLine::End => return Some(Self { id: None, request: Ok(Request::Quit {}) }),
            WireLine::TooLong => return wrong(format!("the line has more than {} bytes", wire::MAX_LINE_BYTES)),
            WireLine::NotUtf8 => return wrong("the line is not UTF-8 text".to_owned()),
            WireLine::Text(text) if text.trim().is_empty() => return None,
            WireLine::Text(text) => text,
        };
        let mut value: Value = match serde_json::from_str(&text) {
            Ok(value) => value,
            Err(error) => return wrong(format!("'{}' is not JSON: {error}", shorten(&text))),
        };
        let id = value.as_object_mut().and_then(|fields| fields.remove("id"));
        let request = serde_json::from_value(value)
            .map_err(|error| format!("'{}' is not a request: {error}; see docs/engine-protocol.md", shorten(&text)));
        Some(Self { id, request })
    }
}
