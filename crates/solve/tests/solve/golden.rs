//! Published numbers, and the best known ones. Published tables are checked by `pegwise lab reproduce`.

use pegwise_game::{Code, Count, Rules, Space, Table};
use pegwise_solve::{Game, Rng, Search, catalog, codemaker::Fixed};

use crate::{game, tree};

fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

#[test]
fn totals_over_all_codes() {
    for row in rows(include_str!("../golden/totals.txt")) {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let [rules, strategy, total, max, _source] = fields[..] else { panic!("{row}") };
        let rules: Rules = rules.parse().unwrap();
        let stats = tree(strategy, &rules).stats();
        assert_eq!(Count::Exact(stats.codes.into()), Space::new(&rules).count(), "{row}");
        assert_eq!((stats.total.to_string().as_str(), stats.max.to_string().as_str()), (total, max), "{row}");
    }
}

/// Bestavros and Belal count guesses until one code is left: 3.835 for maximum entropy, 3.860 for the minimax
/// criterion. They do not describe their tie-breaking, so the last digits differ.
#[test]
fn guesses_until_one_code_is_left() {
    let rules: Rules = "4x6".parse().unwrap();
    for (name, published) in [("bestavros-max-entropy", 3.835), ("bestavros-max-min", 3.860)] {
        let stats = tree(name, &rules).stats();
        let mean = stats.total_to_identify as f64 / stats.codes as f64;
        assert!((mean - published).abs() < 0.01, "{name}: {mean}");
    }
}

/// Plays every code of 4x6 `runs` times.
fn games(strategy: &str, runs: u64) -> Vec<Game> {
    let rules: Rules = "4x6".parse().unwrap();
    let mut strategy = catalog::strategy(strategy, &rules).unwrap();
    let secrets: Vec<Code> = Table::all(&rules).unwrap().codes().collect();
    let mut games = Vec::new();
    for run in 0..runs {
        for (number, secret) in (0u64..).zip(&secrets) {
            let path = [&run.to_le_bytes()[..], &number.to_le_bytes()[..]];
            let mut search = Search::with_rng(Rng::for_path(7, path));
            let mut codemaker = Fixed::new(&rules, secret.clone()).unwrap();
            let game = game(&rules, &mut *strategy, &mut codemaker, &mut search);
            assert!(game.is_solved());
            games.push(game);
        }
    }
    games
}

fn mean_guesses(strategy: &str, runs: u64) -> f64 {
    crate::mean_guesses(&games(strategy, runs))
}

/// Published as 4.64 after 1122, 4.608 after a random code with other details, 4.62 to 4.66 elsewhere.
#[test]
fn random_consistent_codes_need_about_4_64_guesses() {
    let mean = mean_guesses("random-consistent(first=1122)", 10);
    assert!((4.60..4.67).contains(&mean), "{mean}");
}

/// A random order of all codes is as good as independent draws; numeric order from a random start is worse. The
/// standard deviation of a game is about 0.87, so three standard errors of five runs are 0.033.
#[test]
fn orders_of_codes() {
    let shapiro = mean_guesses("shapiro", 5);
    assert!((shapiro - 4.64).abs() < 0.04, "{shapiro}");
    let swaszek = mean_guesses("swaszek", 5);
    assert!((swaszek - 4.758).abs() < 0.04, "{swaszek}");
}

/// A horizon above one turn has no tree, so every code is played.
#[test]
fn horizons_play_their_totals() {
    for (spec, rules, total) in [
        ("bestavros-max-entropy(horizon=2)", "3x5", 469),
        ("bestavros-max-entropy(horizon=2)", "4x4", 957),
        ("bestavros-max-min(horizon=3)", "3x5", 499),
    ] {
        let rules: Rules = rules.parse().unwrap();
        let mut strategy = catalog::strategy(spec, &rules).unwrap();
        assert!(strategy.position_strategy().is_none(), "{spec}");
        let guesses = Space::new(&rules).iter().map(|secret| {
            let mut codemaker = Fixed::new(&rules, secret).unwrap();
            game(&rules, &mut *strategy, &mut codemaker, &mut Search::new(1)).turns.len()
        });
        assert_eq!(guesses.sum::<usize>(), total, "{spec} at {rules}");
    }
    let all = catalog::strategy("bestavros-max-min(guesses=all,horizon=2)", &"4x6".parse().unwrap());
    assert!(all.err().unwrap().to_string().contains("guesses=consistent"));
}

/// Figure 1 of Merelo et al. 2010 with one counter: evaluations grow with the population, but at 400 EvoRank does not take
/// a third fewer than the canonical algorithm.
#[test]
fn evaluations_grow_with_the_population() {
    let examined = |strategy: &str| games(strategy, 1).iter().map(|game| game.counts.examined as f64).sum::<f64>();
    let evorank = examined("evorank(population=400)");
    let cga = [128, 256, 400].map(|population| examined(&format!("cga(population={population})")));
    assert!(cga[0] < cga[1] && cga[1] < cga[2], "{cga:?}");
    assert!((0.9..1.2).contains(&(evorank / cga[2])), "{evorank} against {}", cga[2]);
}
