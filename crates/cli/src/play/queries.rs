//! Background computations of the game, each on its own thread.
//!
//! A strategy keeps its tables between guesses: it is moved into a query and returned with the result. If the query is
//! cancelled, the strategy is lost and the next query builds a new one.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::Sender,
    },
    thread,
    time::Duration,
};

use pegwise_coach::{Amount, HintError, Notes, analyze, analyze_among, hint, hint_among, mend, remaining};
use pegwise_game::{History, Rules};
use pegwise_solve::{Limits, Meter, Rng, Search, Spec, Strategy, secrets::SecretList};

use super::{
    model::event::{NoGuess, PlayQuery, QueryId, QueryOutcome},
    run::Message,
};
use crate::arguments;

const ALTERNATIVES: usize = 4;
const COUNT_TIME: Duration = Duration::from_secs(10);
/// Maximum number of running queries, including cancelled ones that have not stopped yet.
const MAX_QUERIES: usize = 12;

pub(super) struct FinishedQuery {
    id: QueryId,
    outcome: QueryOutcome,
    cached: Option<CachedStrategy>,
}

/// Strategy that is kept between queries.
pub(super) struct CachedStrategy {
    spec: Spec,
    rules: Rules,
    strategy: Box<dyn Strategy>,
}

pub(super) struct BackgroundQueries {
    time: Option<Duration>,
    /// Possible secrets of one set of rules, if they are listed.
    secrets: Option<Arc<SecretList>>,
    cached: Option<CachedStrategy>,
    running: Vec<RunningQuery>,
    done: Sender<Message>,
}

struct RunningQuery {
    id: QueryId,
    cancel: Arc<AtomicBool>,
    meter: Arc<Meter>,
    cancelled: bool,
}

impl BackgroundQueries {
    pub(super) fn new(time: Option<Duration>, secrets: Option<Arc<SecretList>>, done: Sender<Message>) -> Self {
        Self { time, secrets, cached: None, running: Vec::new(), done }
    }

    pub(super) fn start(&mut self, id: QueryId, query: PlayQuery) -> std::io::Result<()> {
        if self.running.len() >= MAX_QUERIES {
            return Err(std::io::Error::other("too many computations are still running; wait a moment"));
        }
        let (cancel, meter) = (Arc::new(AtomicBool::new(false)), Arc::new(Meter::default()));
        let running = RunningQuery { id, cancel: Arc::clone(&cancel), meter: Arc::clone(&meter), cancelled: false };
        let cached = if matches!(query, PlayQuery::Guess { .. }) { self.cached.take() } else { None };
        let (time, secrets, done) = (self.time, self.secrets.clone(), self.done.clone());
        thread::Builder::new().name("thinking".to_owned()).spawn(move || {
            let work = AssertUnwindSafe(|| run_query(query, cached, secrets.as_ref(), time, &cancel, &meter));
            let answer = match catch_unwind(work) {
                Ok((outcome, cached)) => Message::Finished(FinishedQuery { id, outcome, cached }),
                Err(panic) => Message::Panicked(panic),
            };
            // Fails only if the game has ended.
            let _ = done.send(answer);
        })?;
        self.running.push(running);
        Ok(())
    }

    pub(super) fn finish_early(&self, id: QueryId) {
        for query in self.running.iter().filter(|query| query.id == id) {
            query.cancel.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn cancel(&mut self, id: QueryId) {
        self.finish_early(id);
        for query in self.running.iter_mut().filter(|query| query.id == id) {
            query.cancelled = true;
        }
    }

    /// Takes back the strategy, and returns the result unless the query was cancelled.
    pub(super) fn take(&mut self, done: FinishedQuery) -> Option<(QueryId, QueryOutcome)> {
        let query = self.running.iter().position(|query| query.id == done.id)?;
        let query = self.running.swap_remove(query);
        self.cached = done.cached.or(self.cached.take());
        (!query.cancelled).then_some((done.id, done.outcome))
    }

    /// Returns the numbers of codes that active queries have examined.
    pub(super) fn progress(&self) -> impl Iterator<Item = (QueryId, u64)> {
        self.running.iter().filter(|query| !query.cancelled).map(|query| (query.id, query.meter.examined()))
    }
}

pub(super) fn run_query(
    query: PlayQuery,
    cached: Option<CachedStrategy>,
    secrets: Option<&Arc<SecretList>>,
    time: Option<Duration>,
    cancel: &AtomicBool,
    meter: &Meter,
) -> (QueryOutcome, Option<CachedStrategy>) {
    let limits = |time: Option<Duration>| Limits { time, ..Limits::default() };
    let search = |rng: Rng| Search::with_rng(rng).with_limits(limits(time)).with_cancel(cancel).with_meter(meter);
    let listed = |rules: &Rules| secrets.filter(|secrets| secrets.rules() == rules);
    match query {
        PlayQuery::Count { history, first } => {
            let mut search = search(Rng::new(0)).with_limits(limits(Some(COUNT_TIME)));
            let counts = (first..=history.len()).map(|turns| {
                search.begin_guess();
                let history = history.select(0..turns);
                match listed(history.rules()) {
                    Some(secrets) => Amount::from(secrets.remaining(&history)),
                    None => remaining(&Notes::from(&history), &mut search),
                }
            });
            (QueryOutcome::Count(counts.collect()), None)
        }
        PlayQuery::FindRepairs(history) => {
            (QueryOutcome::Repairs(mend(&Notes::from(&history), &mut search(Rng::new(0)))), None)
        }
        PlayQuery::Analyze { history, secret } => {
            let (notes, secret, mut search) = (Notes::from(&history), secret.as_ref(), search(Rng::new(0)));
            let analysis = match listed(history.rules()) {
                Some(secrets) => analyze_among(&notes, secret, secrets, &mut search, |_| ()),
                None => analyze(&notes, secret, &mut search),
            };
            (QueryOutcome::Analysis(analysis.map(Box::new).map_err(|error| error.to_string())), None)
        }
        PlayQuery::Guess { history, spec, seed } => {
            match CachedStrategy::reuse(cached, &spec, history.rules(), listed(history.rules())) {
                Ok(mut cached) => {
                    let mut search = search(stream(seed, &history));
                    search.alternatives = ALTERNATIVES;
                    let hint = match listed(history.rules()) {
                        Some(_) => hint_among(&history, &mut *cached.strategy, &mut search),
                        None => hint(&Notes::from(&history), &mut *cached.strategy, &mut search),
                    };
                    let guess = hint.map(Box::new).map_err(|error| match error {
                        HintError::Contradiction(contradiction) => NoGuess::Contradiction(Box::new(contradiction)),
                        error => NoGuess::Other(error.to_string()),
                    });
                    (QueryOutcome::Guess(guess), Some(cached))
                }
                Err(why) => (QueryOutcome::Guess(Err(NoGuess::Other(why))), None),
            }
        }
    }
}

impl CachedStrategy {
    /// Reuses the strategy if it is the requested one, else builds it.
    fn reuse(
        before: Option<Self>,
        spec: &Spec,
        rules: &Rules,
        secrets: Option<&Arc<SecretList>>,
    ) -> Result<Self, String> {
        match before.filter(|cached| cached.spec == *spec && cached.rules == *rules) {
            Some(cached) => Ok(cached),
            None => {
                let strategy = arguments::build_for(spec, rules, secrets).map_err(|error| error.to_string())?;
                Ok(Self { spec: spec.clone(), rules: rules.clone(), strategy })
            }
        }
    }
}

/// Returns the random numbers of a guess, which depend only on the seed and the turn.
fn stream(seed: u64, history: &History) -> Rng {
    Rng::for_path(seed, [&b"guess"[..], &(history.len() as u64).to_le_bytes()])
}
