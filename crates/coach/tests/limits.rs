//! Time limits and cancellation hold at every entry point, whatever the position. The program's own are in `tests/limits.rs`.

mod nasty;

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use nasty::{GRACE, latest, nasty};
use pegwise_coach::{Notes, analyze, best_hint, hint, mend, remaining};
use pegwise_solve::{Limits, Search, catalog};

const LIMIT: Duration = Duration::from_millis(100);
/// How long nobody cancels.
const PATIENCE: Duration = Duration::from_millis(100);
/// One test at a time: they would wait for each other's threads.
static CLOCK: Mutex<()> = Mutex::new(());

type Entry = fn(&Notes, &mut Search<'_>);

/// Every entry point, and for how many guesses the limit holds there.
fn entries(notes: &Notes) -> [(&'static str, Entry, u32); 5] {
    fn strategy(notes: &Notes) -> Box<dyn pegwise_solve::Strategy> {
        catalog::strategy("adaptive", notes.rules()).unwrap()
    }
    // What was guessed, what is left at the end, and what others do or what is wrong.
    let guesses = notes.notes().len() as u32 + 3;
    [
        ("hint", |notes, search| drop(hint(notes, &mut *strategy(notes), search)), 1),
        ("best_hint", |notes, search| drop(best_hint(notes, &mut *strategy(notes), search)), 1),
        ("remaining", |notes, search| _ = remaining(notes, search), 1),
        ("mend", |notes, search| drop(mend(notes, search)), 1),
        ("analyze", |notes, search| drop(analyze(notes, None, search)), guesses),
    ]
}

fn described(notes: &Notes) -> String {
    let turns: Vec<String> = notes.notes().iter().map(|note| note.notation(notes.rules()).to_string()).collect();
    let text = format!("{} {}", notes.rules(), turns.join(" "));
    text.chars().take(120).collect()
}

#[test]
fn time_limits_hold() {
    let _alone = CLOCK.lock();
    let mut late = Vec::new();
    for notes in nasty() {
        for (name, entry, guesses) in entries(&notes) {
            let by = latest(|| {
                let limits = Limits { time: Some(LIMIT), ..Limits::default() };
                let started = Instant::now();
                let mut search = Search::new(1).with_limits(limits);
                search.alternatives = 5;
                entry(&notes, &mut search);
                started.elapsed().saturating_sub(LIMIT.mul_f64(1.1) * guesses + GRACE)
            });
            if !by.is_zero() {
                late.push(format!("{name} by {by:?}: {}", described(&notes)));
            }
        }
    }
    assert!(late.is_empty(), "late, beyond the limit and its grace:\n{}", late.join("\n"));
}

#[test]
fn what_is_cancelled_ends() {
    let _alone = CLOCK.lock();
    let mut late = Vec::new();
    for notes in nasty() {
        for (name, entry, _) in entries(&notes) {
            let by = latest(|| {
                let cancel = AtomicBool::new(false);
                thread::scope(|scope| {
                    let cancelled = scope.spawn(|| {
                        thread::sleep(PATIENCE);
                        cancel.store(true, Ordering::Relaxed);
                        Instant::now()
                    });
                    let mut search = Search::new(1).with_cancel(&cancel);
                    search.alternatives = 5;
                    entry(&notes, &mut search);
                    let ended = Instant::now();
                    let cancelled = cancelled.join().unwrap();
                    ended.saturating_duration_since(cancelled).saturating_sub(PATIENCE.mul_f64(0.1) + GRACE)
                })
            });
            if !by.is_zero() {
                late.push(format!("{name} by {by:?}: {}", described(&notes)));
            }
        }
    }
    assert!(late.is_empty(), "went on when cancelled:\n{}", late.join("\n"));
}
