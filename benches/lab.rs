//! Overhead of running and storing games relative to playing them, and speedup by a second thread.
//!
//! `cargo bench --bench lab`

use std::{
    fs,
    io::Write as _,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use pegwise_lab::{CellPlayer, Experiment, RunProgress, Runner, Secrets, Store};
use pegwise_solve::Limits;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "strategy                 games  games per second            stored       cost of storing")?;
    for (strategy, games) in [("random-consistent", 200_000), ("entropy", 20_000)] {
        let experiment = experiment(strategy, games);
        let (played, in_memory) = best_of_three(|| play(&experiment));
        let (kept, stored) = best_of_three(|| run(&experiment, 1));
        assert_eq!(played, kept, "guesses of the same games");
        let rate = |time: Duration| games as f64 / time.as_secs_f64();
        let cost = 100.0 * (1.0 - in_memory.as_secs_f64() / stored.as_secs_f64());
        let (in_memory, stored) = (rate(in_memory), rate(stored));
        writeln!(out, "{strategy:<20}{games:>10}{in_memory:>18.0}{stored:>18.0}{cost:>20.1} %")?;
    }

    let experiment = experiment("entropy", 20_000);
    let wall = |threads| {
        let started = Instant::now();
        run(&experiment, threads);
        started.elapsed().as_secs_f64()
    };
    let best = |threads| (0..3).map(|_| wall(threads)).fold(f64::INFINITY, f64::min);
    let (one, two) = (best(1), best(2));
    writeln!(out, "\nentropy on two threads: {:.2} times one thread", one / two)
}

fn experiment(strategy: &str, games: u64) -> Experiment {
    let rules = vec!["4x6".parse().expect("these rules are well formed")];
    let strategies = vec![strategy.parse().expect("a strategy of the catalog")];
    Experiment::new(rules, strategies, Secrets::Drawn(games)).expect("an experiment")
}

/// Plays all games without storing them; returns the number of guesses.
fn play(experiment: &Experiment) -> u64 {
    let never = AtomicBool::new(false);
    let mut guesses = 0;
    for cell in experiment.cells() {
        let games = cell.games();
        let mut player = CellPlayer::new(cell, experiment.seed(), Limits::default()).expect("a strategy");
        for number in 0..games {
            guesses += player.play(number, &never).expect("a game").game.guesses() as u64;
        }
    }
    guesses
}

/// Plays and stores all games; returns the number of guesses.
fn run(experiment: &Experiment, threads: usize) -> u64 {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::create(&folder.path().join("games.db"), experiment).expect("a store");
    let progress = RunProgress::default();
    Runner { threads, ..Runner::new(experiment) }.run(&mut store, &progress).expect("a run");
    progress.guesses.into_inner()
}

/// Returns the result of `work` and its minimum processor time over three runs, including that of a writing thread.
fn best_of_three<T>(mut work: impl FnMut() -> T) -> (T, Duration) {
    let mut timed = || {
        let (processors, wall) = (processor_time(), Instant::now());
        let result = work();
        let spent = processors.zip(processor_time()).map_or_else(|| wall.elapsed(), |(before, after)| after - before);
        (result, spent)
    };
    let mut best = timed();
    for _ in 1..3 {
        let other = timed();
        if other.1 < best.1 {
            best = other;
        }
    }
    best
}

/// Returns the user and system time of this process, if `/proc` is available.
fn processor_time() -> Option<Duration> {
    const TICK: Duration = Duration::from_millis(10);
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program is in parentheses and may contain anything.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u32>().ok();
    Some(TICK * (ticks()? + ticks()?))
}
