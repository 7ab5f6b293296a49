//! What the benchmarks share: timing that is honest on a noisy machine.
//!
//! Every benchmark runs its subject and its baseline in turns in the same process, takes the best of several rounds of
//! each, and asserts that both gave the same answer. Absolute times depend on the machine and its mood; ratios much less.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Seconds a call of `work` takes: the best of several rounds, each long enough for the clock.
pub fn seconds_per_call<T>(mut work: impl FnMut() -> T) -> f64 {
    const ROUNDS: usize = 5;
    const ROUND: Duration = Duration::from_millis(60);
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        best = best.min(round(ROUND, &mut work));
    }
    best
}

/// Seconds a call of each of two works takes, timed in turns, so that what slows the machine down slows both.
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

/// Seconds a call takes over a round.
fn round<T>(length: Duration, work: &mut impl FnMut() -> T) -> f64 {
    let started = Instant::now();
    let mut calls = 0u32;
    while calls == 0 || started.elapsed() < length {
        black_box(work());
        calls += 1;
    }
    started.elapsed().as_secs_f64() / f64::from(calls)
}
