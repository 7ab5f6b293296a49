//! What the benchmarks share: timing that is honest on a noisy machine.
//!
//! Every benchmark runs its subject and its baseline in turns in the same process, takes the best of several rounds of
//! each, and asserts that both gave the same answer. Absolute times depend on the machine and its mood; ratios much less.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Seconds a call of `work` takes: the best of several rounds, each long enough for the clock.
pub fn seconds_a_call<T>(mut work: impl FnMut() -> T) -> f64 {
    const ROUNDS: usize = 5;
    const ROUND: Duration = Duration::from_millis(60);
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let mut calls = 0u32;
        while calls == 0 || started.elapsed() < ROUND {
            black_box(work());
            calls += 1;
        }
        best = best.min(started.elapsed().as_secs_f64() / f64::from(calls));
    }
    best
}
