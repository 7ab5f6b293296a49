//! Whoever cancels is answered at once, at any size: what is done between two looks at the watch is little. What that is by the
//! clock, `cargo bench -p pegwise-benches --bench cancelling` measures.

use std::sync::atomic::AtomicU64;

use pegwise_game::{History, Rules, Turn, feedback};

use crate::{catalog, rng::Rng, search::Search};

/// Moves of walks between two looks: some milliseconds on the largest boards, where a move is judged in a fifth of a
/// microsecond. All ladders may be on their way when it is cancelled.
const MOVES: u64 = 2 * 4_000;
/// Codes that guesses are compared by between two looks, each in about a nanosecond.
const PAIRS: u64 = 256 * 4_000;

/// A position in the middle of a game, of guesses that tell little.
fn position(text: &str, turns: u64) -> History {
    let rules: Rules = text.parse().unwrap();
    let secret = Rng::new(1).code(&rules);
    let mut history = History::new(rules.clone());
    for number in 0..turns {
        let guess = Rng::new(2 + number).code(&rules);
        let feedback = feedback(&rules, &guess, &secret);
        history.push(Turn { guess, feedback }).unwrap();
    }
    history
}

#[test]
fn little_is_done_between_two_looks_at_the_watch() {
    let boards = [
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
    ];
    for (text, turns) in boards {
        let history = position(text, turns);
        for looks in [0, 1, 2, 3, 5, 10, 30, 100] {
            let left = AtomicU64::new(looks);
            let mut search = Search::new(3).with_looks(&left);
            let mut adaptive = catalog::strategy("adaptive", history.rules()).unwrap();
            let proposal = adaptive.next_guess(&history, &mut search).unwrap();
            history.rules().check_code(&proposal.guess).unwrap();
            let spent = search.counts();
            assert!(spent.examined <= (looks + 1) * MOVES, "{text}, {looks} looks: {} moves", spent.examined);
            assert!(spent.scored <= (looks + 1) * PAIRS, "{text}, {looks} looks: {} pairs", spent.scored);
        }
    }
}
