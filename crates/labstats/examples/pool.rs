//! Summarizes the games of several stores of experiments that differ only in their seeds, in the format of
//! `pegwise lab report --format csv`:
//!
//! `for s in a b c; do pegwise lab export $s.db --format jsonl; done | cargo run -p pegwise-labstats --example pool`

use std::{
    collections::BTreeMap,
    error::Error,
    io::{BufRead as _, Write as _},
};

use pegwise_labstats::{Summary, report::csv_field};
use serde_json::Value;

/// Games of one strategy under one set of rules: guesses, codes examined and seconds, and the number of solved games.
#[derive(Default)]
struct Games {
    numbers: [Vec<f64>; 3],
    solved: usize,
}

const NAMES: [&str; 3] = ["guesses", "examined", "seconds"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut all: BTreeMap<(String, String), Games> = BTreeMap::new();
    let mut order = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let game: Value = serde_json::from_str(&line?)?;
        let text = |name: &str| game[name].as_str().map(str::to_owned).ok_or(format!("a game without {name}"));
        let key = (text("rules")?, text("strategy")?);
        if !all.contains_key(&key) {
            order.push(key.clone());
        }
        let games = all.entry(key).or_default();
        for (numbers, name) in games.numbers.iter_mut().zip(NAMES) {
            numbers.push(game[name].as_f64().ok_or(format!("a game without {name}"))?);
        }
        games.solved += usize::from(game["solved"] == true);
    }
    let mut out = std::io::stdout().lock();
    write!(out, "rules,strategy,games,solved")?;
    for name in NAMES {
        for what in ["mean", "low95", "high95", "sd", "median", "min", "max"] {
            write!(out, ",{name}_{what}")?;
        }
    }
    writeln!(out)?;
    for key in order {
        let games = &all[&key];
        let (rules, strategy) = &key;
        write!(out, "{},{},{},{}", csv_field(rules), csv_field(strategy), games.numbers[0].len(), games.solved)?;
        for numbers in &games.numbers {
            let summary = Summary::of(numbers).ok_or("no games")?;
            let interval = summary.ci95.map_or_else(|| ",".to_owned(), |[low, high]| format!("{low},{high}"));
            let sd = summary.sd.map(|sd| sd.to_string()).unwrap_or_default();
            write!(out, ",{},{interval},{sd},{},{},{}", summary.mean, summary.median, summary.min, summary.max)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
