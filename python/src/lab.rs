//! Experiments and stores.

use std::{
    num::NonZeroU32,
    path::PathBuf,
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

use pegwise_game::Rules as Inner;
use pegwise_lab::{
    Experiment, Mixing, RunEnd, RunProgress, Runner, Secrets, Shard, Store, StoreError,
    export::{self, GameFormat},
    report, sweep,
};
use pegwise_solve::Limits;
use pyo3::{prelude::*, types::PyDict};
use serde::Deserialize;
use serde_json::json;

use crate::{
    array::array,
    convert::{Whole, json as to_python},
    error::{LabError, wrong},
    work,
};

/// Maximum number of threads of a run.
const MAX_THREADS: u64 = 1024;

/// An experiment as JSON, which can be sent to other machines.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    /// A TOML file with the whole experiment.
    file: Option<PathBuf>,
    #[serde(default)]
    rules: Vec<String>,
    #[serde(default)]
    strategies: Vec<String>,
    /// Number of random secrets; every code is played if neither this nor `secrets` is given.
    games: Option<u64>,
    secrets: Option<Vec<String>>,
    repeats: Option<u32>,
    #[serde(default)]
    seed: u64,
    seconds: Option<f64>,
    examined: Option<u64>,
    nodes: Option<u64>,
}

impl Described {
    fn read(text: &str) -> PyResult<Experiment> {
        let described: Self = serde_json::from_str(text).map_err(wrong!(LabError))?;
        described.experiment()
    }

    fn experiment(self) -> PyResult<Experiment> {
        if let Some(file) = self.file {
            return Experiment::load(&file).map_err(wrong!(LabError));
        }
        let rules = self.rules.iter().map(|rules| rules.parse()).collect::<Result<Vec<Inner>, _>>();
        let mut strategies = Vec::new();
        for text in &self.strategies {
            strategies.extend(sweep::expand(text).map_err(wrong!(StrategyError))?);
        }
        let secrets = match (self.secrets, self.games) {
            (Some(_), Some(_)) => return Err(LabError::new_err("give either games or secrets")),
            (Some(codes), None) => Secrets::Listed(codes),
            (None, Some(games)) => Secrets::Drawn(games),
            (None, None) => Secrets::All,
        };
        let repeats =
            NonZeroU32::new(self.repeats.unwrap_or(1)).ok_or_else(|| LabError::new_err("repeats are 1 or more"))?;
        let limits = Limits { examined: self.examined, nodes: self.nodes, time: crate::strategy::time(self.seconds)? };
        let experiment =
            Experiment::new(rules.map_err(wrong!(RulesError))?, strategies, secrets).map_err(wrong!(LabError))?;
        let experiment = experiment.with_repeats(repeats).map_err(wrong!(LabError))?;
        Ok(experiment.with_seed(self.seed).with_limits(limits))
    }
}

fn mixing(allowed: bool) -> Mixing {
    if allowed { Mixing::Allowed } else { Mixing::Refused }
}

/// Returns the pairs of rules and strategies of an experiment with their numbers of games.
#[pyfunction]
pub(crate) fn lab_plan<'py>(py: Python<'py>, experiment: &str) -> PyResult<Bound<'py, PyAny>> {
    let experiment = Described::read(experiment)?;
    let cells = experiment.cells();
    let cells = cells.iter().map(
        |cell| json!({ "rules": cell.rules.to_string(), "strategy": cell.strategy.to_string(), "games": cell.games() }),
    );
    to_python(py, &cells.collect::<Vec<_>>())
}

/// Plays the games of an experiment that are missing in a store.
#[pyfunction]
#[pyo3(signature = (experiment, store, threads, shard, allow_mixed, progress, date = None))]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub(crate) fn lab_run<'py>(
    py: Python<'py>,
    experiment: &str,
    store: PathBuf,
    threads: Option<Whole<1, MAX_THREADS>>,
    shard: &str,
    allow_mixed: bool,
    progress: Option<Py<PyAny>>,
    date: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let experiment = Described::read(experiment)?;
    let shard = shard.parse::<Shard>().map_err(wrong!(LabError))?;
    let threads =
        threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), |given| given.0 as usize);
    let working = Instant::now();
    let told = work::released(py, |cancel| {
        let mut kept = Store::create(&store, &experiment).map_err(wrong!(LabError))?;
        let done = RunProgress::default();
        let (mixing, date) = (mixing(allow_mixed), date.as_deref());
        let runner = Runner { experiment: &experiment, threads, shard, mixing, date, cancel: Some(cancel) };
        let over = std::sync::atomic::AtomicBool::new(false);
        let end = thread::scope(|scope| {
            let watcher = progress.as_ref().map(|progress| {
                let (done, over) = (&done, &over);
                scope.spawn(move || watch(progress, done, over, cancel))
            });
            let end = runner.run(&mut kept, &done);
            over.store(true, Ordering::Relaxed);
            if let Some(watcher) = watcher {
                watcher.thread().unpark();
                // A panic of the watcher has already been reported.
                let _ = watcher.join();
            }
            end
        });
        let end = end.map_err(wrong!(LabError))?;
        let failures = kept.failures().map_err(wrong!(LabError))?;
        Ok::<_, PyErr>((end, done, failures))
    })?;
    let (end, done, failures) = told?;
    let [games, played, solved] = [&done.done, &done.played, &done.solved].map(|count| count.load(Ordering::Relaxed));
    to_python(
        py,
        &json!({
            "store": store, "games": games, "played": played, "mean": done.mean(), "solved": solved,
            "finished": end == RunEnd::Finished, "failures": failures, "seconds": working.elapsed().as_secs_f64(),
        }),
    )
}

/// Calls a Python function with the progress of a run; an exception of the function cancels the run.
fn watch(
    progress: &Py<PyAny>,
    done: &RunProgress,
    over: &std::sync::atomic::AtomicBool,
    cancel: &std::sync::atomic::AtomicBool,
) {
    const PAUSE: Duration = Duration::from_millis(200);
    loop {
        let last = over.load(Ordering::Relaxed);
        let (games, total) = (done.done.load(Ordering::Relaxed), done.total.load(Ordering::Relaxed));
        let result = Python::attach(|py| progress.call1(py, (games, total)).map(|_| ()));
        if result.is_err() {
            cancel.store(true, Ordering::Relaxed);
        }
        if last || result.is_err() {
            return;
        }
        thread::park_timeout(PAUSE);
    }
}

/// Merges stores of an experiment.
#[pyfunction]
pub(crate) fn lab_merge(py: Python<'_>, store: PathBuf, parts: Vec<PathBuf>, allow_mixed: bool) -> PyResult<u64> {
    work::released(py, |_| {
        let merged = Store::merge(&store, &parts, mixing(allow_mixed)).map_err(wrong!(LabError))?;
        merged.count().map_err(wrong!(LabError))
    })?
}

fn open(store: &std::path::Path) -> PyResult<Store> {
    Store::open(store).map_err(wrong!(LabError))
}

/// Returns the report of a store: rows, conclusions, plots and HTML.
#[pyfunction]
pub(crate) fn lab_report<'py>(py: Python<'py>, store: PathBuf) -> PyResult<Bound<'py, PyAny>> {
    let (report, failures) = work::released(py, |_| -> PyResult<_> {
        let store = open(&store)?;
        let report = report(&store).map_err(wrong!(LabError))?;
        Ok((report, store.failures().map_err(wrong!(LabError))?))
    })??;
    let title = store.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let figures = report.figures().map(|figure| {
        json!({ "name": figure.name, "title": figure.title, "kind": figure.kind.name(), "rules": figure.rules, "svg": figure.svg })
    });
    to_python(
        py,
        &json!({
            "rows": report.rows, "boards": report.boards, "conclusions": report.conclusions().collect::<Vec<_>>(),
            "unfinished": report.unfinished,
            "figures": figures.collect::<Vec<_>>(), "failures": failures, "html": report.html(&title),
            "markdown": report.markdown(&title, None),
        }),
    )
}

/// Returns the games of a store as columns.
#[pyfunction]
pub(crate) fn lab_games<'py>(py: Python<'py>, store: PathBuf) -> PyResult<Bound<'py, PyDict>> {
    #[derive(Default)]
    struct GameColumns {
        rules: Vec<String>,
        strategy: Vec<String>,
        secret: Vec<String>,
        stop: Vec<&'static str>,
        numbers: [Vec<i64>; 7],
        seconds: Vec<f64>,
    }
    let columns = work::released(py, |_| -> PyResult<_> {
        let store = open(&store)?;
        let mut columns = GameColumns::default();
        let each = |rules: &str, strategy: &str, of: &Inner, trial: &pegwise_lab::Trial| {
            columns.rules.push(rules.to_owned());
            columns.strategy.push(strategy.to_owned());
            columns.secret.push(trial.secret.notation(of.colors()).to_string());
            columns.stop.push(trial.outcome.name());
            let counts = trial.counts;
            let numbers = [
                trial.game,
                trial.repeat,
                trial.turns.len() as u64,
                counts.examined,
                counts.consistent,
                counts.scored,
                counts.nodes,
            ];
            for (column, number) in columns.numbers.iter_mut().zip(numbers) {
                column.push(number.cast_signed());
            }
            columns.seconds.push(trial.seconds);
            Ok(())
        };
        store.for_each_trial::<StoreError>(each).map_err(wrong!(LabError))?;
        Ok(columns)
    })??;
    let games = PyDict::new(py);
    let length = columns.seconds.len();
    games.set_item("rules", columns.rules)?;
    games.set_item("strategy", columns.strategy)?;
    games.set_item("secret", columns.secret)?;
    games.set_item("stop", columns.stop)?;
    let names = ["game", "repeat", "guesses", "examined", "consistent", "scored", "nodes"];
    for (name, column) in names.into_iter().zip(columns.numbers) {
        games.set_item(name, array(py, column, &[length])?)?;
    }
    games.set_item("seconds", array(py, columns.seconds, &[length])?)?;
    Ok(games)
}

/// Returns the games of a store as csv, pandas or jsonl.
#[pyfunction]
pub(crate) fn lab_export(py: Python<'_>, store: PathBuf, format: &str, times: bool) -> PyResult<String> {
    let format = match format {
        "csv" => GameFormat::Csv,
        "pandas" => GameFormat::Letters,
        "jsonl" => GameFormat::JsonLines,
        other => return Err(LabError::new_err(format!("'{other}' is not a format; use csv, pandas or jsonl"))),
    };
    let bytes = work::released(py, |_| -> PyResult<_> {
        let mut bytes = Vec::new();
        export::export(&open(&store)?, format, times, &mut bytes).map_err(wrong!(LabError))?;
        Ok(bytes)
    })??;
    String::from_utf8(bytes).map_err(wrong!(LabError))
}
