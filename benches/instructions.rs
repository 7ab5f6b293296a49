//! Instructions of ten hot functions, counted by valgrind and compared with `instructions.txt`.
//!
//! Counts do not depend on the load of the machine, so a test can compare them; they do depend on the compiler. The benchmark
//! fails if a count is more than `TOLERANCE` above its recorded value. `-- --record` writes the file.
//!
//! `cargo bench --workspace --profile dev --bench instructions` uses the code that the tests have compiled.

use std::{
    collections::BTreeMap,
    env, fs,
    hint::black_box,
    io::{self, Write as _},
    process::Command,
};

use pegwise_game::{History, Judge, Rules, Table, partition::Partitioner};
use pegwise_solve::{
    Search, Watch,
    candidates::{
        CandidateTracker,
        beliefs::Beliefs,
        draw,
        tempering::{self, Effort},
    },
    catalog,
    tree::{TreeFile, exact, verify},
};

/// Largest accepted ratio of a count to its recorded value.
const TOLERANCE: f64 = 1.05;
const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");

const CASES: [&str; 10] = [
    "feedback of pairs", "histograms", "candidates by filtering", "candidate by backtracking", "tempering",
    "belief propagation", "one-step entropy", "evolution", "exact search", "verification of a tree",
];

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Runs the part of a case that is counted: valgrind collects within this function only.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    black_box(());
}

fn run(case: &str) -> Result<()> {
    let rules: Rules = match case {
        "tempering" => "10x10",
        "belief propagation" => "20x20",
        "candidate by backtracking" => "8x12",
        "exact search" => "3x6",
        _ => "4x6",
    }
    .parse()?;
    let turns: &[&str] = match case {
        "tempering" => &["1,1,2,2,3,3,4,4,5,5=2,4", "6,6,7,7,1,1,2,2,8,8=1,3"],
        "belief propagation" => &["AAAAABBBBBCCCCCDDDDD=5,0", "EEEEEFFFFFAAAAABBBBB=3,4"],
        "candidate by backtracking" => &["AABBCCDD=2,2", "EEFFAAGG=1,2"],
        _ => &["1122=1,0"],
    };
    let history = match case {
        "exact search" => History::new(rules.clone()),
        _ => History::parse(&rules, turns.iter().copied())?,
    };
    let mut search = Search::new(1);
    match case {
        "feedback of pairs" => {
            let (codes, mut judge) = (Table::all(&rules)?, Judge::new(&rules));
            let codes: Vec<_> = codes.codes().step_by(9).collect();
            counted(&mut || {
                for (guess, code) in codes.iter().flat_map(|guess| codes.iter().map(move |code| (guess, code))) {
                    black_box(judge.feedback(guess, code));
                }
            });
        }
        "histograms" => {
            let (codes, partitioner) = (Table::all(&rules)?, Partitioner::new(&rules));
            let kernel = partitioner.batch_kernel().ok_or("rows have a kernel")?;
            let mut histogram = vec![0; kernel.encoding().possible().len()];
            counted(&mut || {
                for row in 0..codes.len() {
                    kernel.histogram_of_row(&codes, row, &codes, &mut histogram);
                }
            });
        }
        "candidates by filtering" => {
            let mut tracker = CandidateTracker::new(&rules)?;
            counted(&mut || drop(black_box(tracker.after(&history, &mut search))));
        }
        "candidate by backtracking" => counted(&mut || drop(black_box(draw(&history, &mut search)))),
        "tempering" => {
            let start = search.rng.code(&rules);
            let effort = Effort { codes: 10, moves: 50_000 };
            counted(&mut || drop(black_box(tempering::sample(&history, &start, effort, &mut search))));
        }
        "belief propagation" => {
            let mut beliefs = Beliefs::new(&rules).ok_or("these rules are supported")?;
            beliefs.follow(&history);
            counted(&mut || {
                beliefs.propagate(5, Watch::default(), &mut search);
            });
        }
        "one-step entropy" | "evolution" => {
            let name = if case == "evolution" { "evorank" } else { "entropy" };
            let mut strategy = catalog::strategy(name, &rules)?;
            counted(&mut || drop(black_box(strategy.next_guess(&history, &mut search))));
        }
        "exact search" => {
            counted(&mut || {
                drop(black_box(exact::solve(&rules, &exact::Options::default(), Watch::default(), |_| ())));
            });
        }
        "verification of a tree" => {
            let file = TreeFile::read(&include_bytes!("../crates/solve/records/4x6.tree")[..])?;
            counted(&mut || drop(black_box(verify(&file))));
        }
        _ => return Err(format!("no case is called {case}").into()),
    }
    Ok(())
}

fn count(case: &str) -> Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*instructions*counted*"])
        .arg(env::current_exe()?)
        .args(["--case", case])
        // One thread and portable code, so that the count does not depend on the machine.
        .env("RAYON_NUM_THREADS", "1")
        .env("PEGWISE_SIMD", "off")
        .output()
        .map_err(|error| format!("valgrind cannot be run: {error}"))?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = messages.lines().find_map(|line| line.split_once("Collected : ")).map(|(_, number)| number.trim());
    collected.and_then(|number| number.parse().ok()).ok_or_else(|| format!("{case}: {messages}").into())
}

fn main() -> Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    if let Some(at) = words.iter().position(|word| word == "--case") {
        return run(&words[at + 1]);
    }
    let recorded = fs::read_to_string(RECORDED).unwrap_or_default();
    let recorded: BTreeMap<&str, u64> = recorded
        .lines()
        .filter_map(|line| line.rsplit_once(' '))
        .filter_map(|(case, count)| Some((case.trim(), count.parse().ok()?)))
        .collect();
    let mut out = io::stdout().lock();
    let (mut lines, mut slower) = (String::new(), false);
    for case in CASES {
        let count = count(case)?;
        let ratio = recorded.get(case).map_or(f64::INFINITY, |&recorded| count as f64 / recorded as f64);
        slower |= ratio > TOLERANCE;
        writeln!(out, "{case:<28}{count:>14} instructions, {ratio:.3} of the recorded count")?;
        lines += &format!("{case:<28}{count:>14}\n");
    }
    if words.iter().any(|word| word == "--record") {
        fs::write(RECORDED, lines)?;
    } else if slower {
        return Err("more instructions than recorded; if that is intended, record them anew with -- --record".into());
    }
    Ok(())
}
