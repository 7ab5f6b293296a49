//! What Merelo, Mora, Runarsson and Cotta published in 2010 about EvoRank and the genetic algorithm it grew from.

use std::ops::ControlFlow;

use pegwise_game::{Rules, Space};
use pegwise_solve::{Search, catalog, codemaker::Fixed, play};

/// What a strategy took over all codes of 4x6, some times over.
struct Run {
    games: f64,
    mean: f64,
    /// The variance of guesses from game to game.
    variance: f64,
    examined: f64,
}

fn run(strategy: &str, times: u64) -> Run {
    let rules: Rules = "4x6".parse().unwrap();
    let mut player = catalog::strategy(strategy, &rules).unwrap();
    let (mut games, mut sum, mut squares, mut examined) = (0.0, 0.0, 0.0, 0.0);
    for time in 0..times {
        for (number, secret) in (0..).zip(Space::new(&rules).iter()) {
            let mut codemaker = Fixed::new(&rules, secret).unwrap();
            let mut search = Search::new(time * 10_000 + number);
            let seen = |_: &_| ControlFlow::Continue(());
            let game = play(&rules, &mut *player, &mut codemaker, &mut search, seen).unwrap();
            assert!(game.is_solved());
            let guesses = game.turns.len() as f64;
            games += 1.0;
            sum += guesses;
            squares += guesses * guesses;
            examined += game.counts.examined as f64;
        }
    }
    let mean = sum / games;
    Run { games, mean, variance: squares / games - mean * mean, examined: examined / games }
}

/// Guesses agree within three standard errors, those of the paper and of the run here together.
#[test]
fn table_4() {
    let rows = include_str!("golden/merelo-2010-table-4.txt").lines().filter(|line| !line.starts_with('#'));
    let handles: Vec<_> = rows.map(|row| (row, std::thread::spawn(move || check(row)))).collect();
    for (row, handle) in handles {
        assert!(handle.join().is_ok(), "{row}");
    }
}

fn check(row: &str) {
    let fields: Vec<&str> = row.split('|').map(str::trim).collect();
    let [strategy, mean, sd] = fields[..] else { panic!("{row}") };
    let [mean, sd]: [f64; 2] = [mean, sd].map(|text| text.parse().unwrap());
    let run = run(strategy, 2);
    let error = (sd * sd / 10.0 + run.variance / run.games).sqrt();
    assert!((run.mean - mean).abs() < 3.0 * error, "{strategy}: {} instead of {mean}, error {error}", run.mean);
}

/// The text on figure 1: evaluations grow with the population; EvoRank at 400 takes about as many as the plain
/// algorithm at 256, and about a third fewer than it at 400.
#[test]
fn evaluations_compare_as_the_text_says() {
    let examined = |strategy: &str| run(strategy, 1).examined;
    let evorank = examined("evorank(population=400)");
    let plain = [128, 256, 400].map(|population| examined(&format!("cga(population={population})")));
    assert!(plain[0] < plain[1] && plain[1] < plain[2], "{plain:?}");
    assert!((evorank / plain[1] - 1.0).abs() < 0.1, "{evorank} against {}", plain[1]);
    assert!((0.6..0.8).contains(&(evorank / plain[2])), "{evorank} against {}", plain[2]);
}
