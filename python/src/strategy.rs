//! Strategies and games.

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use pegwise_game::{History as Turns, Rules as Inner, Turn};
use pegwise_solve::{
    Limits, Rng, Search, Spec, Strategy as Plays,
    catalog::{self, StrategyDescription},
    codemaker::Fixed,
    play as play_game, seeds,
};
use pyo3::{prelude::*, types::PyTuple};
use serde_json::json;

use crate::{
    convert::{self, Seed, Whole, json as to_python, pegs},
    error::{PegwiseError, no_guess, no_strategy, wrong},
    history::History,
    rules::rules,
    work,
};

/// A strategy of the catalog by name and parameters, as `pegwise strategies` lists them.
///
/// The seed and the rules start one random stream: the same seed and the same calls give the same guesses.
///
/// >>> from pegwise import History, strategy
/// >>> knuth = strategy("knuth")
/// >>> knuth.next_guess(History("4x6"))
/// (1, 1, 2, 2)
/// >>> knuth.next_guess(History("4x6", ["1122=1,0"]))
/// (1, 3, 4, 4)
/// >>> strategy("knut")
/// Traceback (most recent call last):
/// ...
/// pegwise.StrategyError: 'knut' is not a strategy; did you mean knuth? `pegwise strategies` lists them all
#[pyclass(frozen, name = "Strategy", module = "pegwise")]
pub(crate) struct Strategy {
    spec: Spec,
    seed: u64,
    state: Mutex<StrategyState>,
}

/// The rules played last, the strategy built for them, and the position in its random stream.
struct StrategyState {
    game: Option<(Inner, Box<dyn Plays>, Rng)>,
}

/// Converts seconds to a time limit.
pub(crate) fn time(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let wrong = || PegwiseError::new_err("a time limit is a number of seconds above 0");
    let time = |seconds| Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).ok_or_else(wrong);
    seconds.map(time).transpose()
}

/// Reads a strategy by its name and parameters.
pub(crate) fn spec(text: &str) -> PyResult<Spec> {
    text.parse::<Spec>().map_err(wrong!(StrategyError))
}

#[pymethods]
impl Strategy {
    #[new]
    #[pyo3(signature = (spec, *, seed = Whole(1)))]
    fn new(spec: &str, seed: Seed) -> PyResult<Self> {
        let state = Mutex::new(StrategyState { game: None });
        Ok(Self { spec: self::spec(spec)?, seed: seed.0, state })
    }

    /// Name and parameters, without defaults.
    #[getter]
    fn spec(&self) -> String {
        self.spec.to_string()
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the next guess for any history.
    #[pyo3(signature = (history, *, time_limit = None))]
    fn next_guess<'py>(
        &self,
        py: Python<'py>,
        history: &Bound<'py, History>,
        time_limit: Option<f64>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let turns = history.get().inner(py);
        let limits = Limits { time: time(time_limit)?, ..Limits::default() };
        let proposed = work::released(py, |cancel| {
            // The interpreter lock is released here, so this cannot deadlock.
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let (player, rng) = match &mut state.game {
                Some((rules, player, rng)) if rules == turns.rules() => (player, rng),
                game => {
                    let player = catalog::build(&self.spec, turns.rules()).map_err(Err)?;
                    let rng = seeds::strategy(self.seed, turns.rules(), &self.spec);
                    let (_, player, rng) = game.insert((turns.rules().clone(), player, rng));
                    (player, rng)
                }
            };
            let mut search = Search::with_rng(rng.clone()).with_limits(limits).with_cancel(cancel);
            let proposed = player.next_guess(&turns, &mut search);
            *rng = search.rng;
            proposed.map_err(Ok)
        })?;
        match proposed {
            Ok(proposal) => pegs(py, &proposal.guess),
            Err(Ok(error)) => Err(no_guess(py, error)),
            Err(Err(error)) => Err(no_strategy(&error)),
        }
    }

    fn __repr__(&self) -> String {
        format!("strategy('{}', seed={})", self.spec, self.seed)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, u64))> {
        Ok((py.import("pegwise")?.getattr("_strategy_again")?, (self.spec(), self.seed)))
    }
}

/// Returns all strategies with their parameters.
#[pyfunction]
pub(crate) fn strategies(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &catalog::rows().iter().map(StrategyDescription::new).collect::<Vec<_>>())
}

/// Plays a game, like `pegwise solve`. The strategy has the same seed unless `strategy_seed` is given.
#[pyfunction]
#[pyo3(signature = (rules, strategy, secret, seed, strategy_seed, time_limit))]
pub(crate) fn play<'py>(
    py: Python<'py>,
    rules: &Bound<'py, PyAny>,
    strategy: &str,
    secret: Option<&Bound<'py, PyAny>>,
    seed: Seed,
    strategy_seed: Option<Seed>,
    time_limit: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let (seed, strategy_seed) = (seed.0, strategy_seed.unwrap_or(seed).0);
    let shared = self::rules(rules)?;
    let spec = spec(strategy)?;
    let secret = secret.map(|secret| convert::code(&shared.rules, secret)).transpose()?;
    let secret = secret.unwrap_or_else(|| seeds::secret(seed, &shared.rules));
    let limits = Limits { time: time(time_limit)?, ..Limits::default() };
    let played = work::released(py, |cancel| -> Result<_, PyErr> {
        let rules = &shared.rules;
        let mut player = catalog::build(&spec, rules).map_err(|error| no_strategy(&error))?;
        let mut codemaker =
            Fixed::new(rules, secret.clone()).map_err(wrong!(CodeError))?.with_seed(seeds::lies(seed, rules));
        let mut search =
            Search::with_rng(seeds::strategy(strategy_seed, rules, &spec)).with_limits(limits).with_cancel(cancel);
        let seen = |_: &_| match cancel.load(std::sync::atomic::Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        play_game(rules, &mut *player, &mut codemaker, &mut search, seen).map_err(wrong!(StrategyError))
    })??;
    let mut history = Turns::new(shared.rules.clone());
    let mut turns = Vec::new();
    for (place, turn) in played.turns.iter().enumerate() {
        let turn_played = Turn { guess: turn.guess.clone(), feedback: turn.feedback.clone() };
        history.push(turn_played).map_err(wrong!(PegwiseError))?;
        let listed = || History::of(&shared, history.clone()).consistent_codes(py).ok();
        let next = played.turns.get(place + 1).and_then(|next| next.before);
        let remaining = match history.is_solved() {
            true => json!(0),
            false => listed().map_or(json!(next), |codes| json!(codes.len())),
        };
        turns.push(json!({
            "guess": turn.guess, "feedback": turn.feedback, "remaining": remaining, "basis": turn.basis,
        }));
    }
    to_python(
        py,
        &json!({
            "rules": shared.rules, "strategy": spec.to_string(), "seed": seed, "secret": secret,
            "solved": played.is_solved(), "failure": played.failure, "guesses": played.guesses(),
            "examined": played.counts.examined, "scored": played.counts.scored, "seconds": played.seconds,
            "turns": turns,
        }),
    )
}
