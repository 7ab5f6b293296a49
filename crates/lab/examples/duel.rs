//! Compares two strategies on the same secrets: `cargo run --release -p pegwise-lab --example duel`.

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::collections::BTreeMap;

use pegwise_game::Rules;
use pegwise_lab::{Experiment, RunProgress, Runner, Secrets, Store, StoreError, Trial};
use pegwise_labstats::SampleSummary;

pub(crate) fn main() {
    let folder = tempfile::tempdir().expect("a folder for the games");
    let rules = vec!["3x4".parse().expect("three pegs in four colors")];
    let strategies = ["knuth", "random-consistent"].map(|name| name.parse().expect("a strategy"));
    let experiment =
        Experiment::new(rules, strategies.to_vec(), Secrets::Drawn(50)).expect("an experiment").with_seed(7);
    let mut store = Store::create(&folder.path().join("duel.db"), &experiment).expect("a store");
    Runner::new(&experiment).run(&mut store, &RunProgress::default()).expect("all games");

    let mut guesses: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let keep = |_: &str, strategy: &str, _: &Rules, trial: &Trial| -> Result<(), StoreError> {
        guesses.entry(strategy.to_owned()).or_default().push(trial.turns.len() as f64);
        Ok(())
    };
    store.for_each_trial(keep).expect("readable games");
    let mean = |strategy: &str| SampleSummary::of(&guesses[strategy]).expect("fifty games").mean;
    let (knuth, random) = (mean("knuth"), mean("random-consistent"));
    println!("knuth needs {knuth} guesses on average, random-consistent {random}");
    assert!(knuth < random);
}
