//! Time limits and cancellation hold at every entry point, whatever the position.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use pegwise_coach::{Notes, analyze, best_hint, hint, mend, remaining};
use pegwise_game::{Rules, Turn, feedback};
use pegwise_solve::{Limits, Rng, Search, catalog};

/// What a player may wait beyond the limit: a tenth of it, and this.
const GRACE: Duration = Duration::from_millis(50);
const LIMIT: Duration = Duration::from_millis(100);
/// How long nobody cancels.
const PATIENCE: Duration = Duration::from_millis(100);
/// What is late is tried again: a machine that is busy with other things is late now and then, a program that does not look at
/// the clock always.
const TRIES: usize = 4;
/// One test at a time: they would wait for each other's threads.
static CLOCK: Mutex<()> = Mutex::new(());

/// Positions in which something takes long: much is forgotten, much is left, or nothing fits.
fn nasty() -> Vec<Notes> {
    let written = [
        ("10x4", vec!["??????????=2,3", "??????????=2,3"]),
        ("5x8", vec!["?????=1,?", "11?23=?,1"]),
        ("8x12", vec!["ABCDEFGH=?,3", "A?B?C?D?=2,2", "????????=1,1"]),
        ("grid:3x3x6", vec!["?????????=1,0/?/1,?/?/?/?", "123456123=?"]),
        ("20x20", vec!["AABBCCDDEEFFGGHHIIJJ=1,10", "AABBCCDDEEFFGGHHIIJJ=2,10"]),
        ("20x20", vec!["ABCDEFGHIJKLMNOPQRST=2,10", "AABBCCDDEEFFGGHHIIJJ=?,9", "??????????KKLLMMNNOO=1,?"]),
    ];
    let mut nasty: Vec<Notes> =
        written.into_iter().map(|(rules, turns)| Notes::parse(&rules.parse().unwrap(), turns).unwrap()).collect();
    let played = [
        ("20x20", 8),
        ("100x100", 4),
        ("60x90:no-repeats", 3),
        ("grid:4x4x6", 2),
        ("grid:10x10x10", 3),
        ("20x20:black-only", 12),
        ("12x12:distance", 4),
        ("9x9:lies=1", 4),
        ("cube:3x3x3x4", 2),
    ];
    let mut rng = Rng::new(3);
    for (text, turns) in played {
        let rules: Rules = text.parse().unwrap();
        let secret = rng.code(&rules);
        let mut notes = Notes::new(rules.clone());
        for _ in 0..turns {
            let guess = rng.code(&rules);
            notes.push(Turn { feedback: feedback(&rules, &guess, &secret), guess }.into()).unwrap();
        }
        nasty.push(notes.clone());
        // The same with an answer of another secret, which mostly fits no code.
        if rules.lies() == 0 {
            let (guess, other) = (rng.code(&rules), rng.code(&rules));
            notes.push(Turn { feedback: feedback(&rules, &guess, &other), guess }.into()).unwrap();
            nasty.push(notes);
        }
    }
    nasty
}

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

/// How much later than it should something came to an end, at best of a few tries.
fn latest(mut late_by: impl FnMut() -> Duration) -> Duration {
    let mut least = Duration::MAX;
    for _ in 0..TRIES {
        least = least.min(late_by());
        if least.is_zero() {
            break;
        }
    }
    least
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
