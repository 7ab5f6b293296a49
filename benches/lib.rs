//! Timing that is robust against noise.
//!
//! Every benchmark runs its subject and its baseline alternately in the same process, takes the minimum over several rounds of
//! each, and asserts that both give the same result. Ratios depend on the machine and its load much less than absolute times.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Returns the seconds per call of `work`: the minimum over several rounds, each long enough for the clock.
pub fn seconds_per_call<T>(mut work: impl FnMut() -> T) -> f64 {
    const ROUNDS: usize = 5;
    const ROUND: Duration = Duration::from_millis(60);
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        best = best.min(round(ROUND, &mut work));
    }
    best
}

/// Returns the seconds per call of two functions, timed alternately so that load on the machine affects both.
pub fn seconds_per_call_of_both<A, B>(mut one: impl FnMut() -> A, mut other: impl FnMut() -> B) -> (f64, f64) {
    const ROUNDS: usize = 15;
    const ROUND: Duration = Duration::from_millis(8);
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(round(ROUND, &mut one));
        best[1] = best[1].min(round(ROUND, &mut other));
    }
    (best[0], best[1])
}

/// Returns the mean seconds per call over a round of `length`.
fn round<T>(length: Duration, work: &mut impl FnMut() -> T) -> f64 {
    let started = Instant::now();
    let mut calls = 0u32;
    while calls == 0 || started.elapsed() < length {
        black_box(work());
        calls += 1;
    }
    started.elapsed().as_secs_f64() / f64::from(calls)
}
