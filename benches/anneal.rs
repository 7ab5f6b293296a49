//! Time until the sampler finds a consistent code at 20x20, compared with textbook simulated annealing.
//!
//! `cargo bench --bench anneal`

use std::io::Write as _;

use pegwise_benches::seconds_per_call;
use pegwise_game::{Code, Color, History, Judge, Rules, Turn};
use pegwise_solve::{
    Rng, Search,
    candidates::tempering::{self, Effort},
};

/// Baseline: simulated annealing that compares the whole code with every turn for each move.
fn plain(history: &History, seed: u64) -> Code {
    let rules = history.rules();
    let (mut rng, mut judge) = (Rng::new(seed), Judge::new(rules));
    let mut code: Vec<Color> = rng.code(rules).to_vec();
    let mut cost = distance(&mut judge, history, &code);
    let (hot, cold, moves) = (2.0f64, 0.3, 200_000);
    loop {
        for step in 0..moves {
            if cost == 0 {
                return Code::new(code);
            }
            let temperature = hot * (cold / hot).powf(f64::from(step) / f64::from(moves));
            let before = code.clone();
            let cell = rng.index(code.len());
            if rng.below(2) == 0 {
                code[cell] = Color::new(rng.below(rules.colors().into()) as u16);
            } else {
                let other = rng.index(code.len());
                code.swap(cell, other);
            }
            let new = distance(&mut judge, history, &code);
            let luck = (rng.below(1 << 53) as f64 + 0.5) / (1u64 << 53) as f64;
            if f64::from(new - cost) <= -temperature * luck.ln() {
                cost = new;
            } else {
                code = before;
            }
        }
    }
}

/// Energy: the sum of the absolute residuals over all turns.
fn distance(judge: &mut Judge, history: &History, code: &[Color]) -> i32 {
    let mut distance = 0;
    for turn in history.turns() {
        for (mark, answered) in judge.marks(&turn.guess, code).zip(turn.feedback.marks()) {
            distance += mark.residual(*answered).iter().map(|residual| residual.abs() as i32).sum::<i32>();
        }
    }
    distance
}

fn fast(history: &History, seed: u64) -> Code {
    let mut search = Search::new(seed);
    let start = search.rng.code(history.rules());
    let effort = Effort { codes: 1, moves: 1 << 30 };
    tempering::sample(history, &start, effort, &mut search).codes.swap_remove(0)
}

/// Plays a game of consistent guesses.
fn played(rules: &Rules, turns: usize, seed: u64) -> History {
    let secret = Rng::new(seed).code(rules);
    let mut history = History::new(rules.clone());
    for turn in 0..turns as u64 {
        let guess = fast(&history, seed * 1000 + turn);
        history.push(Turn::against(rules, &secret, guess)).expect("guesses fit the rules");
    }
    history
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "rules        turns         plain        anneal   times the plain")?;
    let rules: Rules = "20x20".parse().expect("these rules are well formed");
    for turns in [4, 8, 11] {
        let histories: Vec<History> = (0..3).map(|seed| played(&rules, turns, seed)).collect();
        let time = |find: fn(&History, u64) -> Code| {
            let mut seed = 0;
            seconds_per_call(|| {
                for history in &histories {
                    seed += 1;
                    let code = find(history, seed);
                    assert!(history.is_consistent(&code), "a code that does not fit");
                }
            }) / histories.len() as f64
        };
        let (baseline, seconds) = (time(plain), time(fast));
        let (plain, anneal, ratio) = (baseline * 1e3, seconds * 1e3, baseline / seconds);
        writeln!(out, "{rules:<10}{turns:>8}{plain:>11.2} ms{anneal:>11.2} ms{ratio:>18.1}")?;
    }
    Ok(())
}
