//! Speedup of tree improvement by threads: the same rounds on one thread and on one per core.
//!
//! `cargo bench -p pegwise-benches --bench threads`, or with `-- 8 16` for these numbers of threads.

use std::{io::Write as _, thread, time::Instant};

use pegwise_game::Rules;
use pegwise_solve::{
    Watch,
    tree::beam::{self, Options, Report},
};

/// Number of rounds, which take about twenty seconds on one thread.
const ROUNDS: u32 = 4;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut wanted: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    if wanted.is_empty() {
        wanted.push(thread::available_parallelism().map_or(2, usize::from));
    }
    let rules: Rules = "5x7".parse().expect("these rules are well formed");
    let (alone, seconds) = search(&rules, 1);
    writeln!(out, " threads    total   positions   seconds  times one thread")?;
    writeln!(out, "{:>8}{:>9}{:>12}{seconds:>10.2}{:>18.2}", 1, alone.total, alone.positions, 1.0)?;
    for threads in wanted {
        let (report, taken) = search(&rules, threads);
        assert_eq!(report, alone, "the tree does not depend on the threads");
        let times = seconds / taken;
        writeln!(out, "{threads:>8}{:>9}{:>12}{taken:>10.2}{times:>18.2}", report.total, report.positions)?;
    }
    Ok(())
}

/// Returns the report of a search with `threads` threads and its seconds.
fn search(rules: &Rules, threads: usize) -> (Report, f64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let options = Options { rounds: Some(ROUNDS), ..Options::default() };
    let started = Instant::now();
    let report = pool.install(|| beam::improve(rules, &options, Watch::default(), |_| ())).expect("a tree");
    (report, started.elapsed().as_secs_f64())
}
