//! What threads are worth to the search for better trees: the same rounds on one thread, and on as many as there are cores.
//!
//! `cargo bench -p pegwise-benches --bench threads`, or `-- 8 16` after it for these numbers of threads.

use std::{io::Write as _, thread, time::Instant};

use pegwise_game::Rules;
use pegwise_solve::{
    Watch,
    tree::beam::{self, Options, Report},
};

/// Rounds that one thread takes some twenty seconds for.
const ROUNDS: u32 = 4;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut wanted: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    if wanted.is_empty() {
        wanted.push(thread::available_parallelism().map_or(2, usize::from));
    }
    let rules: Rules = "5x7".parse().expect("these rules are well formed");
    let (alone, seconds) = search(&rules, 1);
    writeln!(out, "{:>8}{:>9}{:>12}{:>10}{:>18}", "threads", "total", "positions", "seconds", "times one thread")?;
    writeln!(out, "{:>8}{:>9}{:>12}{seconds:>10.2}{:>18.2}", 1, alone.total, alone.positions, 1.0)?;
    for threads in wanted {
        let (report, taken) = search(&rules, threads);
        assert_eq!(report, alone, "the tree does not depend on the threads");
        let times = seconds / taken;
        writeln!(out, "{threads:>8}{:>9}{:>12}{taken:>10.2}{times:>18.2}", report.total, report.positions)?;
    }
    Ok(())
}

/// What so many threads find, and the seconds they take.
fn search(rules: &Rules, threads: usize) -> (Report, f64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let options = Options { rounds: Some(ROUNDS), ..Options::default() };
    let started = Instant::now();
    let report = pool.install(|| beam::improve(rules, &options, Watch::default(), |_| ())).expect("a tree");
    (report, started.elapsed().as_secs_f64())
}
