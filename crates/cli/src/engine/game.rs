//! The game an engine thinks about.

use std::{
    sync::{Arc, atomic::AtomicBool, mpsc::SyncSender},
    thread::{self, JoinHandle},
    time::Duration,
};

use anyhow::{anyhow, bail, ensure};
use pegwise_game::{Count, History, Rules, Space, Turn};
use pegwise_lab::wire;
use pegwise_solve::{
    Counts, Limits, Meter, Proposal, Rng, Search, Spec, Strategy, StrategyError,
    candidates::{Remaining, contradiction},
    clock::Moment,
    secrets::SecretList,
};
use serde_json::Value;

use super::Event;
use crate::{arguments, mended};

/// More turns than any strategy takes; a bound on what a careless peer can make the engine keep.
const MOST_TURNS: usize = 10_000;

/// A game, with the strategy that thinks about it.
pub(super) struct Game {
    pub(super) spec: Spec,
    pub(super) seed: u64,
    pub(super) history: History,
    /// Counts the codes still possible where they can be listed.
    remaining: Option<Remaining>,
    /// The codes that can be the secret, where they are listed.
    secrets: Option<Arc<SecretList>>,
    /// Away while it thinks.
    strategy: Option<Box<dyn Strategy>>,
    rng: Rng,
}

/// A strategy at work.
pub(super) struct Thinking {
    pub(super) id: Option<Value>,
    pub(super) cancel: Arc<AtomicBool>,
    pub(super) meter: Arc<Meter>,
    pub(super) start: Moment,
    pub(super) thread: JoinHandle<()>,
    /// Whether the thread was seen to have ended before its thought came.
    pub(super) overdue: bool,
}

/// What a strategy came to.
pub(super) struct Thought {
    pub(super) result: Result<Proposal, StrategyError>,
    pub(super) counts: Counts,
    strategy: Box<dyn Strategy>,
    rng: Rng,
    /// The time limit.
    time: Option<Duration>,
}

impl Game {
    pub(super) fn new(rules: &Rules, spec: Spec, secrets: Option<Arc<SecretList>>, seed: u64) -> anyhow::Result<Self> {
        Ok(Self {
            strategy: Some(arguments::build_for(&spec, rules, secrets.as_ref())?),
            spec,
            seed,
            history: History::new(rules.clone()),
            remaining: Remaining::new(rules).ok().filter(|remaining| remaining.all().is_some()),
            secrets,
            rng: Rng::new(seed),
        })
    }

    /// How many codes can be the secret before anything is played.
    pub(super) fn codes(&self) -> Count {
        match &self.secrets {
            Some(secrets) => Count::Exact(secrets.len() as u128),
            None => Space::new(self.rules()).count(),
        }
    }

    pub(super) fn rules(&self) -> &Rules {
        self.history.rules()
    }

    /// Takes a turn, unless it cannot be true; tells how many codes are possible after it, where they are counted.
    pub(super) fn turn(&mut self, guess: &Value, feedback: &Value) -> anyhow::Result<Option<Count>> {
        ensure!(!self.history.is_solved(), "the game is over: the last turn found the code");
        ensure!(self.history.len() < MOST_TURNS, "a game has at most {MOST_TURNS} turns");
        let rules = self.rules();
        let guess = wire::code(rules, guess).map_err(|error| anyhow!("guess: {error}"))?;
        let feedback = wire::feedback(rules, feedback).map_err(|error| anyhow!("feedback: {error}"))?;
        self.history.push(Turn { guess, feedback })?;
        match self.count() {
            Ok(count) => Ok(count),
            Err(trouble) => {
                self.history.pop();
                bail!("{trouble}\n  the turn was not taken");
            }
        }
    }

    /// How many codes fit the turns, where they can be counted; an error when none does.
    pub(super) fn count(&mut self) -> Result<Option<Count>, String> {
        if let Some(last) = self.history.turns().last().filter(|_| self.history.is_solved()) {
            return match self.history.is_consistent(&last.guess) {
                true => Ok(Some(Count::Exact(1))),
                false => Err("no code fits: the guess does not fit the turns before it".to_owned()),
            };
        }
        if let Some(secrets) = &self.secrets {
            return match secrets.count_consistent(&self.history) {
                Count::Exact(0) => Err(StrategyError::NotListed.to_string()),
                count => Ok(Some(count)),
            };
        }
        let Some(remaining) = &mut self.remaining else { return Ok(None) };
        let mut search = Search::new(0);
        match remaining.after(&self.history, &mut search) {
            Ok(view) => Ok(view.count),
            Err(StrategyError::Contradiction { .. }) => {
                Err(mended::name_turns(&contradiction(&self.history, &mut search), &self.history))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// Sends the strategy off to think; it reports to `events`.
    pub(super) fn think(
        &mut self,
        id: Option<Value>,
        time: Option<Duration>,
        alternatives: usize,
        events: SyncSender<Event>,
    ) -> Option<Thinking> {
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
            // Nobody is there to tell when the engine has ended.
            let _ = events.send(Event::Thought(Box::new(Thought { result, counts, strategy, rng, time })));
        });
        Some(Thinking { id, cancel, meter, start: Moment::now(), thread, overdue: false })
    }

    /// Takes the strategy back, and tells what it found.
    pub(super) fn thought(&mut self, thought: Thought) -> (anyhow::Result<Proposal>, Counts) {
        self.strategy = Some(thought.strategy);
        self.rng = thought.rng;
        (thought.result.map_err(|error| mended::explain(error, &self.history, thought.time)), thought.counts)
    }

    /// Makes the strategy anew, after it was lost.
    pub(super) fn renew(&mut self) -> anyhow::Result<()> {
        self.strategy = Some(arguments::build_for(&self.spec, self.history.rules(), self.secrets.as_ref())?);
        Ok(())
    }
}

/// The list of secrets in a request, if there is one.
pub(super) fn secrets(
    rules: &Rules,
    secrets: Option<Vec<Value>>,
    weights: Option<Vec<f64>>,
) -> anyhow::Result<Option<Arc<SecretList>>> {
    let Some(secrets) = secrets else {
        ensure!(weights.is_none(), "weights: there are no secrets that they belong to");
        return Ok(None);
    };
    let weights = weights.unwrap_or_else(|| vec![1.0; secrets.len()]);
    ensure!(
        weights.len() == secrets.len(),
        "weights: write one for each secret; there are {} for {}",
        weights.len(),
        secrets.len()
    );
    let mut items = Vec::with_capacity(secrets.len());
    for (number, (secret, weight)) in (1..).zip(secrets.iter().zip(weights)) {
        let code = wire::code(rules, secret).map_err(|error| anyhow!("secrets: number {number}: {error}"))?;
        items.push((number, code, weight));
    }
    let list = SecretList::new(rules, items).map_err(|error| {
        let number = error.number().map(|number| format!("number {number}: ")).unwrap_or_default();
        anyhow!("secrets: {number}{error}")
    })?;
    Ok(Some(Arc::new(list)))
}
