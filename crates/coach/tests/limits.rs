//! Time limits and cancellation of every entry point, on a clock that counts work. The limits of the program are in
//! `tests/limits.rs`; `cargo bench -p pegwise-benches --bench limits` measures both in real time.

#[path = "shared/hard_positions.rs"]
mod hard_positions;

use std::time::Duration;

use hard_positions::hard_positions;
use pegwise_coach::{Notes, analyze, best_guesses, hint, mend, remaining};
use pegwise_game::Rules;
use pegwise_solve::{Limits, Search, catalog, clock::TestClock};

const LIMIT: Duration = Duration::from_millis(100);
/// Work after a limit, beyond a tenth of it.
const GRACE: Duration = Duration::from_millis(50);
/// Work between two checks of the clock.
const MAX_GAP: Duration = Duration::from_millis(5);

type EntryPoint = fn(&Notes, &mut Search<'_>);

/// Entry points, each with the number of guesses that the limit applies to.
fn entries(notes: &Notes) -> [(&'static str, EntryPoint, u32); 5] {
    fn strategy(notes: &Notes) -> Box<dyn pegwise_solve::Strategy> {
        catalog::strategy("adaptive", notes.rules()).unwrap()
    }
    // One per guess, and one each for the remaining codes, the other strategies and the repairs.
    let guesses = notes.notes().len() as u32 + 3;
    [
        ("hint", |notes, search| drop(hint(notes, &mut *strategy(notes), search)), 1),
        ("best_guesses", |notes, search| drop(best_guesses(notes, search)), 1),
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

/// Calls every entry point at every position, on one thread, with a search made by `search`. Returns the late ones.
fn late(search: impl Fn(&TestClock) -> Search<'static> + Sync) -> Vec<String> {
    let clock = TestClock::start();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut late = Vec::new();
    for notes in hard_positions() {
        for (name, entry, guesses) in entries(&notes) {
            clock.restart();
            one_thread.install(|| {
                let mut search = search(&clock);
                search.alternatives = 5;
                entry(&notes, &mut search);
            });
            let by = clock.elapsed().saturating_sub(LIMIT.mul_f64(1.1) * guesses + GRACE);
            let gap = clock.longest_gap().saturating_sub(MAX_GAP);
            if !by.is_zero() || !gap.is_zero() {
                late.push(format!("{name} by {by:?}, {gap:?} between two checks: {}", described(&notes)));
            }
        }
    }
    late
}

#[test]
fn time_limits_hold() {
    let limits = Limits { time: Some(LIMIT), ..Limits::default() };
    let late = late(|_| Search::new(1).with_limits(limits));
    assert!(late.is_empty(), "late, beyond the limit and its grace:\n{}", late.join("\n"));
}

#[test]
fn what_is_cancelled_ends() {
    let late = late(|clock| Search::new(1).with_cancel(clock.cancel_at(LIMIT)));
    assert!(late.is_empty(), "did not stop when cancelled:\n{}", late.join("\n"));
}

/// Work of a hint without a time limit in a space that can be listed.
const MAX_WORK: Duration = Duration::from_secs(2);
/// Positions of few codes: searches of the first ones, whose guesses are uninformative, are given up.
const WITHOUT_LIMIT: [(&str, &[&str]); 5] = [
    ("4x6:black-only", &["4412=2", "6461=1"]),
    ("4x8:black-only", &["1815=0", "8341=2", "6642=0"]),
    ("5x6:black-only", &["56613=1", "13625=1", "14144=1", "52335=0"]),
    ("5x6:higher-lower", &["23666=1,0,4", "66422=0,1,4"]),
    ("5x6", &["65132=1,2", "54312=0,2"]),
];

#[test]
fn hints_without_a_time_limit_take_little_work() {
    let clock = TestClock::start();
    for (rules, turns) in WITHOUT_LIMIT {
        let rules: Rules = rules.parse().unwrap();
        let notes = Notes::parse(&rules, turns.iter().copied()).unwrap();
        clock.restart();
        let mut search = Search::new(1);
        search.alternatives = 5;
        hint(&notes, &mut *catalog::strategy("adaptive", &rules).unwrap(), &mut search).unwrap();
        assert!(clock.elapsed() < MAX_WORK, "{}: {:?}", described(&notes), clock.elapsed());
    }
}
