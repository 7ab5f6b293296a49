//! Latency of cancellation in the middle of games of any size, with a time limit of an hour per guess.
//!
//! `cargo bench -p pegwise-benches --bench cancelling`. Fails beyond 50 ms; needs an idle machine.

use std::{
    io::Write as _,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use pegwise_game::{History, Rules};
use pegwise_solve::{Limits, Rng, Search, catalog};

const MAX_LATENCY: Duration = Duration::from_millis(50);
/// Boards and the number of turns played.
const BOARDS: [(&str, u64); 11] = [
    ("8x12", 3),
    ("10x10", 9),
    ("15x15", 8),
    ("20x20", 10),
    ("50x50", 40),
    ("100x5", 40),
    ("100x100", 60),
    ("150x150", 60),
    ("grid:7x7x8", 3),
    ("grid:10x10x8", 2),
    ("grid:20x20x8", 2),
];

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "board                   max ms")?;
    for (text, turns) in BOARDS {
        let history = position(text, turns);
        let waits = [1, 5, 20, 60, 150, 400, 1000].map(Duration::from_millis);
        let longest = waits.map(|wait| latency(&history, wait)).into_iter().max().unwrap_or_default();
        writeln!(out, "{text:<14}{:>16.1}", longest.as_secs_f64() * 1000.0)?;
        assert!(longest < MAX_LATENCY, "{text}: {longest:?}");
    }
    Ok(())
}

/// Returns a position after random guesses.
fn position(text: &str, turns: u64) -> History {
    let rules: Rules = text.parse().expect("these rules are well formed");
    let secret = Rng::new(1).code(&rules);
    History::against(&rules, &secret, (0..turns).map(|number| Rng::new(2 + number).code(&rules)))
}

/// Returns the time from cancellation, `wait` after the start of the search, to the guess.
fn latency(history: &History, wait: Duration) -> Duration {
    let cancel = AtomicBool::new(false);
    let limits = Limits { time: Some(Duration::from_secs(3600)), ..Limits::default() };
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let mut search = Search::new(1).with_cancel(&cancel).with_limits(limits);
            let mut adaptive = catalog::strategy("adaptive", history.rules()).expect("it plays any rules");
            adaptive.next_guess(history, &mut search).expect("a guess");
            Instant::now()
        });
        thread::sleep(wait);
        cancel.store(true, Ordering::Relaxed);
        let cancelled = Instant::now();
        worker.join().expect("it ends").saturating_duration_since(cancelled)
    })
}
