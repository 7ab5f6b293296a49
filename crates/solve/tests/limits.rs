//! Time limits and cancellation, on a clock that counts work: the work between two checks of the clock is bounded for
//! every search and position. `cargo bench -p pegwise-benches --bench cancelling` measures the same by the real clock.

use std::{ops::ControlFlow, time::Duration};

use pegwise_game::{History, Rules};
use pegwise_solve::candidates::backtrack::{Backtrack, End, Order};
use pegwise_solve::candidates::tempering::{self, Effort};
use pegwise_solve::clock::TestClock;
use pegwise_solve::tree::exact::{Options, Report, solve};
use pegwise_solve::{Basis, Limits, Rng, Search, Stop, Watch, catalog};

/// Nominal time between two checks: one thread may be this late.
const MAX_GAP: Duration = Duration::from_millis(2);
/// The same for proofs, which check the clock every 2^24 marks: a nominal nanosecond each, and much less with SIMD.
const MAX_PROOF_GAP: Duration = Duration::from_millis(25);

/// A position after `turns` random guesses.
fn position(rules: &str, turns: u64) -> History {
    let rules: Rules = rules.parse().unwrap();
    let secret = Rng::new(1).code(&rules);
    History::against(&rules, &secret, (0..turns).map(|number| Rng::new(2 + number).code(&rules)))
}

/// Runs `work` on `threads` threads.
fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn after(time: Duration) -> Watch<'static> {
    Watch::new(Some(time), None)
}

#[test]
fn every_strategy_respects_a_time_limit() {
    const LIMIT: Duration = Duration::from_millis(1);
    let clock = TestClock::start();
    for rules in ["4x6", "8x8", "10x10", "grid:3x3x4", "8x10:no-repeats"] {
        let history = position(rules, 3);
        for row in catalog::rows().iter().filter(|row| row.can_play(history.rules())) {
            let mut strategy = catalog::strategy(row.name, history.rules()).unwrap();
            clock.restart();
            let limits = Limits { time: Some(LIMIT), ..Limits::default() };
            let propose = || strategy.next_guess(&history, &mut Search::new(1).with_limits(limits)).unwrap();
            let proposal = on_threads(1, propose);
            let elapsed = clock.elapsed();
            assert!(elapsed <= LIMIT + MAX_GAP, "{} at {rules}: {elapsed:?}", row.name);
            history.rules().check_code(&proposal.guess).unwrap();
            let explained = matches!(proposal.basis, Basis::BestEffort(_) | Basis::Scored | Basis::Planned);
            assert!(history.is_consistent(&proposal.guess) || explained, "{} at {rules}: {}", row.name, proposal.basis);
        }
    }
}

#[test]
fn adaptive_checks_the_clock_often_on_any_board() {
    let clock = TestClock::start();
    for (rules, turns) in [
        ("8x12", 3),
        ("10x10", 9),
        ("20x20", 10),
        ("20x20:black-only", 10),
        ("20x20:distance", 4),
        ("16x6:lies=1", 5),
        ("100x5", 40),
        ("100x100", 60),
        ("150x150", 60),
        ("grid:7x7x8", 3),
        ("grid:10x10x8", 2),
        ("grid:20x20x8", 2),
    ] {
        let history = position(rules, turns);
        for milliseconds in [0, 1, 3, 10, 30, 100] {
            clock.restart();
            let time = Duration::from_millis(milliseconds);
            let proposal = on_threads(1, || {
                let mut search = Search::new(3).with_cancel(clock.cancel_at(time));
                catalog::strategy("adaptive", history.rules()).unwrap().next_guess(&history, &mut search).unwrap()
            });
            history.rules().check_code(&proposal.guess).unwrap();
            let (elapsed, gap) = (clock.elapsed(), clock.longest_gap());
            assert!(elapsed <= time + MAX_GAP && gap <= MAX_GAP, "{rules} after {time:?}: {elapsed:?}, gap {gap:?}");
        }
    }
}

#[test]
fn annealing_checks_the_clock_in_every_round() {
    let clock = TestClock::start();
    for (rules, turns) in [("20x20", 12), ("50x50", 20), ("grid:7x7x8", 3)] {
        let history = position(rules, turns);
        clock.restart();
        on_threads(1, || {
            let mut search = Search::new(1).with_cancel(clock.cancel_at(Duration::from_millis(20)));
            let start = search.rng.code(history.rules());
            let effort = Effort { codes: usize::MAX, moves: 10_000_000 };
            tempering::sample(&history, &start, effort, &mut search)
        });
        assert!(clock.longest_gap() <= MAX_GAP, "{rules}: {:?}", clock.longest_gap());
        assert!(clock.elapsed() <= Duration::from_millis(20) + MAX_GAP, "{rules}: {:?}", clock.elapsed());
    }
}

#[test]
fn backtracking_checks_the_clock_as_it_goes() {
    let clock = TestClock::start();
    // Few codes are consistent, so that long stretches pass without one.
    let history = position("12x12", 6);
    let mut search = Search::new(1).with_cancel(clock.cancel_at(Duration::from_millis(20)));
    let visit = |_: &_| ControlFlow::Continue(());
    let end = Backtrack::new(&history).visit(Order::AscendingFrom(None), 10_000_000, &mut search, visit);
    assert_eq!(end, End::Stopped(Stop::Cancelled));
    assert!(clock.longest_gap() <= MAX_GAP, "{:?}", clock.longest_gap());
    assert!(clock.elapsed() <= Duration::from_millis(20) + MAX_GAP, "{:?}", clock.elapsed());
}

fn stopped(rules: &str, time: Duration, threads: usize) -> Report {
    let rules: Rules = rules.parse().unwrap();
    on_threads(threads, || solve(&rules, &Options::default(), after(time), |_| ()).unwrap())
}

#[test]
fn a_proof_that_is_stopped_returns_a_whole_tree() {
    let clock = TestClock::start();
    for milliseconds in [0, 1, 20, 100] {
        clock.restart();
        let report = stopped("4x7", Duration::from_millis(milliseconds), 1);
        let stats = report.tree.stats();
        assert_eq!((stats.codes, stats.total, report.proven), (2401, report.total, false));
        assert!(report.lower_bound <= 11228 && 11228 <= report.total && report.total < 12000);
        assert!(clock.longest_gap() <= MAX_PROOF_GAP, "{milliseconds} ms: {:?}", clock.longest_gap());
    }
}

#[test]
fn threads_of_a_proof_stop_together() {
    const THREADS: usize = 3;
    const LIMIT: Duration = Duration::from_millis(500);
    let clock = TestClock::start();
    let report = stopped("4x9", LIMIT, THREADS);
    // Beyond the limit, the tree is put together within a grace of 50 ms.
    let most = LIMIT + Duration::from_millis(50) + THREADS as u32 * MAX_PROOF_GAP;
    assert!(clock.elapsed() <= most, "{:?}", clock.elapsed());
    assert_eq!((report.tree.stats().total, report.proven), (report.total, false));
    assert!(report.lower_bound <= 34666 && 34666 <= report.total);
}
