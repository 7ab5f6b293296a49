//! Summarizes the games of several stores of experiments that differ only in their seeds, as
//! `pegwise lab report --format csv` does for one store:
//!
//! `for s in a b c; do pegwise lab export $s.db --format jsonl; done | cargo run -p pegwise-labstats --example pool`

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead as _, Write as _};

use pegwise_labstats::report::{ExperimentReport, TrialOutcome, TrialResult, TrialSample};
use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let mut samples: BTreeMap<(String, String), TrialSample> = BTreeMap::new();
    for line in std::io::stdin().lock().lines() {
        let game: Value = serde_json::from_str(&line?)?;
        let text = |name: &str| game[name].as_str().ok_or(format!("a game without {name}"));
        let number = |name: &str| game[name].as_u64().ok_or(format!("a game without {name}"));
        let (rules, strategy) = (text("rules")?, text("strategy")?);
        let key = (rules.to_owned(), strategy.to_owned());
        let sample = samples.entry(key).or_insert_with(|| TrialSample::new(rules, strategy));
        sample.push(TrialResult {
            run: 0,
            // Every seed draws its own secrets.
            game: sample.games() as u64,
            outcome: if game["solved"] == true { TrialOutcome::Solved } else { TrialOutcome::OutOfGuesses },
            guesses: number("guesses")?.try_into()?,
            examined: number("examined")?,
            consistent: number("consistent")?,
            seconds: game["seconds"].as_f64().ok_or("a game without seconds")?,
        });
    }
    let samples: Vec<TrialSample> = samples.into_values().collect();
    std::io::stdout().lock().write_all(ExperimentReport::new(&samples).csv().as_bytes())?;
    Ok(())
}
