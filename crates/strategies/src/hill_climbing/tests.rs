//! Games of hill climbers with different settings. Their means are compared with the published tables by `pegwise lab reproduce`.

use std::ops::ControlFlow;

use pegwise_game::Rules;

use pegwise_search::codemaker::{Adversary, Fixed};
use pegwise_search::{Rng, Search, play};
use pegwise_solve::catalog;

/// Returns the total numbers of guesses and of examined codes, and the maximum number of guesses.
fn play_games(spec: &str, rules: &str, games: u64) -> (usize, u64, usize) {
    let rules: Rules = rules.parse().unwrap();
    let mut strategy = catalog::strategy(spec, &rules).unwrap();
    let (mut guesses, mut examined, mut max) = (0, 0, 0);
    for seed in 0..games {
        let mut codemaker = Fixed::random(&rules, &mut Rng::new(seed));
        let mut search = Search::new(seed + games);
        let game = play(&rules, &mut *strategy, &mut codemaker, &mut search, |_| ControlFlow::Continue(())).unwrap();
        (guesses, examined) = (guesses + game.guesses(), examined + game.counts.examined);
        max = max.max(game.guesses());
    }
    (guesses, examined, max)
}

#[test]
fn xu_climbs_on_small_boards() {
    for (rules, games) in [("4x6", 1000), ("5x8", 100), ("6x9", 10)] {
        let climbed = play_games("shc-xu", rules, games);
        assert_eq!(play_games("xu", rules, games), climbed, "{rules}");
        assert!(rules != "4x6" || climbed.2 <= 9, "{climbed:?}");
    }
}

#[test]
fn the_tracker_changes_no_guess() {
    for (rules, games) in [("4x6", 300), ("5x8", 20), ("4x7:no-repeats", 100), ("4x4:black-only", 50)] {
        let (with, examined, _) = play_games("shc", rules, games);
        let (without, examined_again, _) = play_games("shc(tracker=false)", rules, games);
        assert_eq!(with, without, "{rules}");
        assert!(examined <= examined_again, "{rules}");
    }
}

#[test]
fn the_proposals_for_further_work_play_as_well() {
    let plain = play_games("shc", "4x6", 2000).0;
    for spec in [
        "shc(diversity=adaptive)", "shc(diversity=pegs)", "shc(memory=true)", "shc(mutation=circular)",
        "shc(flee=true)", "shc(flee=true,colors=random)", "shc(unlike=true)", "shc(replace=equal)", "shc-genetic",
    ] {
        let (guesses, ..) = play_games(spec, "4x6", 2000);
        assert!(guesses.abs_diff(plain) < 200, "{spec}: {guesses} and {plain}");
    }
}

/// A game depends on its history and seed only, not on the games before it.
#[test]
fn earlier_games_leave_no_trace() {
    let rules: Rules = "4x6".parse().unwrap();
    for spec in ["shc(memory=true)", "shc(diversity=pegs,unlike=true,mutation=circular)", "shc-genetic(population=3)"] {
        let game = |strategy: &mut dyn pegwise_search::Strategy, seed| {
            let mut codemaker = Fixed::random(&rules, &mut Rng::new(seed));
            play(&rules, strategy, &mut codemaker, &mut Search::new(seed), |_| ControlFlow::Continue(())).unwrap().turns
        };
        let mut used = catalog::strategy(spec, &rules).unwrap();
        for seed in 0..30 {
            assert_eq!(game(&mut *used, seed), game(&mut *catalog::strategy(spec, &rules).unwrap(), seed), "{spec}");
        }
    }
}

/// Section 6 asks for dynamic games: against a codemaker that may change its code, the climber needs one or two guesses
/// more, like random consistent codes.
#[test]
fn dynamic_games_are_won() {
    let rules: Rules = "4x6".parse().unwrap();
    let total = |spec: &str| {
        let mut strategy = catalog::strategy(spec, &rules).unwrap();
        let guesses = (0..200).map(|seed| {
            let mut codemaker = Adversary::new(&rules, Rng::new(seed)).unwrap();
            let mut search = Search::new(seed);
            let game =
                play(&rules, &mut *strategy, &mut codemaker, &mut search, |_| ControlFlow::Continue(())).unwrap();
            assert!(game.is_solved());
            game.guesses()
        });
        guesses.sum::<usize>()
    };
    let [climber, random] = ["shc", "random-consistent"].map(total);
    assert!(climber.abs_diff(random) < 100 && (1000..1400).contains(&climber), "{climber} and {random}");
}

/// Boards too large for climbing are solved, too.
#[test]
fn large_boards_are_solved() {
    for (spec, rules) in [("xu", "15x15"), ("shifting(counting=true)", "15x15"), ("shc", "8x10")] {
        assert!(play_games(spec, rules, 1).0 < 15 * 14 + 2, "{spec}");
    }
}
