//! How many pairs of guess and code each backend scores in a second, and how that compares with the pair function, and with
//! black and white pegs on the same board.
//!
//! `cargo bench --bench partition`

use std::{collections::BTreeMap, io::Write as _};

use pegwise_benches::seconds_a_call;
use pegwise_game::{
    Code, Judge, Rules, Table,
    partition::{Backend, Partitioner},
};

/// Each board with black and white pegs first, then with other rules.
const RULES: [&str; 9] =
    ["4x6", "5x8", "5x8:black-only", "5x8:higher-lower", "6x9", "4x10", "4x10:no-repeats", "5x10", "5x10:no-repeats"];

/// The naive twin: the pair function on each code, counted by feedback.
fn naive(judge: &mut Judge, guess: &Code, codes: &[Code], partitioner: &Partitioner) -> Vec<u32> {
    let coding = partitioner.lanes().expect("rows have a kernel").coding();
    let mut counts = vec![0; coding.possible().len()];
    for code in codes {
        let feedback = judge.feedback(guess, code);
        let byte = coding.byte(feedback.marks()[0]).expect("a mark of these rules");
        counts[coding.possible().partition_point(|&possible| possible < byte)] += 1;
    }
    counts
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:<20}{:<12}{:>14}{:>18}{:>19}",
        "rules", "backend", "G pairs/s", "times the naive", "times black/white"
    )?;
    let mut classic: BTreeMap<(&str, String), f64> = BTreeMap::new();
    for text in RULES {
        let rules: Rules = text.parse().expect("these rules are well formed");
        let table = Table::all(&rules).expect("these spaces are small");
        let codes: Vec<Code> = table.codes().collect();
        let guess = codes[codes.len() / 3].clone();
        let mut judge = Judge::new(&rules);
        let best = Partitioner::new(&rules);
        let expected = naive(&mut judge, &guess, &codes, &best);
        let baseline = seconds_a_call(|| naive(&mut judge, &guess, &codes, &best));
        writeln!(out, "{text:<20}{:<12}{:>14.3}{:>18}", "naive", rate(&codes, baseline), "1.0")?;
        for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
            let partitioner = Partitioner::with_backend(&rules, backend);
            let lanes = partitioner.lanes().expect("rows have a kernel");
            let mut counts = vec![0; expected.len()];
            let seconds = seconds_a_call(|| lanes.histogram(&guess, &table, &mut counts));
            assert_eq!(counts, expected, "{backend} at {text}");
            let (ratio, rate) = (baseline / seconds, rate(&codes, seconds));
            let board = text.split(':').next().unwrap_or(text);
            let of_classic = rate / *classic.entry((board, backend.to_string())).or_insert(rate);
            writeln!(out, "{text:<20}{backend:<12}{rate:>14.3}{ratio:>18.1}{of_classic:>19.2}")?;
        }
    }
    Ok(())
}

fn rate(codes: &[Code], seconds: f64) -> f64 {
    codes.len() as f64 / seconds / 1e9
}
