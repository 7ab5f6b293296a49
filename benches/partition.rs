//! Pairs of guess and code per second for each backend, compared with the pair function, and with black and white pegs on the
//! same board.
//!
//! Then bit planes compared with columns, for many guesses against few codes. The thresholds of
//! [`BatchKernel::prefers_bit_planes`] follow from this table.
//!
//! `cargo bench -p pegwise-benches --bench partition`, or with `-- bit-planes` only the last table.
//!
//! [`BatchKernel::prefers_bit_planes`]: pegwise_game::partition::BatchKernel::prefers_bit_planes

use std::{collections::BTreeMap, io::Write};

use pegwise_benches::{seconds_per_call, seconds_per_call_of_both};
use pegwise_game::{
    Code, Judge, Rules, Table,
    partition::{Backend, GUESS_GROUP, LANES_PER_PLANE, MAX_TALLY_CODES, Partitioner, Tally},
};

/// Each board with black and white pegs first, then with other rules.
const RULES: [&str; 9] =
    ["4x6", "5x8", "5x8:black-only", "5x8:higher-lower", "6x9", "4x10", "4x10:no-repeats", "5x10", "5x10:no-repeats"];

/// Baseline: the pair function for each code.
fn naive(judge: &mut Judge, guess: &Code, codes: &[Code], partitioner: &Partitioner) -> Vec<u32> {
    let encoding = partitioner.batch_kernel().expect("rows have a kernel").encoding();
    let mut counts = vec![0; encoding.possible().len()];
    for code in codes {
        let feedback = judge.feedback(guess, code);
        let byte = encoding.byte(feedback.marks()[0]).expect("a mark of these rules");
        counts[encoding.possible().partition_point(|&possible| possible < byte)] += 1;
    }
    counts
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if !std::env::args().any(|argument| argument == "bit-planes") {
        columns(&mut out)?;
    }
    many_guesses(&mut out)
}

fn available() -> impl Iterator<Item = Backend> {
    Backend::ALL.into_iter().filter(|&backend| backend.is_available() && backend != Backend::Scalar)
}

/// Returns up to `max` codes, evenly spaced in the space.
fn spread(rules: &Rules, max: usize) -> Table {
    let all = Table::all(rules).expect("these spaces can be listed");
    let max = max.min(all.len());
    let rows: Vec<u32> = (0..max).map(|row| (row * all.len() / max) as u32).collect();
    all.select(&rows)
}

/// Many guesses against few codes, as in the tree of a strategy: bit planes and columns.
fn many_guesses(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "\nrules    codes  backend        columns G/s    planes G/s   ratio")?;
    let squares = Tally::sum(|size| (size * size) as u16);
    for text in ["3x8", "4x6", "5x8", "6x9", "7x10"] {
        let rules: Rules = text.parse().expect("these rules are well formed");
        let pool = spread(&rules, 4 * LANES_PER_PLANE);
        for codes in [3, 4, 6, 8, 16, 32, 64, 127, 256, 1024] {
            let codes = spread(&rules, codes);
            for backend in available() {
                let partitioner = Partitioner::with_backend(&rules, backend);
                let kernel = partitioner.batch_kernel().expect("rows have a kernel");
                let planes = kernel.bit_planes(&pool);
                let (mut batch, mut plane_batch) = (kernel.code_batch(&codes), kernel.bit_plane_batch(&codes));
                let guesses = pool.len();
                let (groups, plane_groups) = (guesses.div_ceil(GUESS_GROUP), guesses.div_ceil(LANES_PER_PLANE));
                let (columns, bit_planes) = if codes.len() <= MAX_TALLY_CODES {
                    let (mut tallied, mut plane_tallies) =
                        (vec![[0; GUESS_GROUP]; groups], vec![[0; LANES_PER_PLANE]; plane_groups]);
                    let times = seconds_per_call_of_both(
                        || {
                            for (group, out) in tallied.iter_mut().enumerate() {
                                kernel.tally(&mut batch, &pool, group, &squares, out);
                            }
                        },
                        || {
                            for (group, out) in plane_tallies.iter_mut().enumerate() {
                                kernel.bit_plane_tally(&mut plane_batch, &planes, group, &squares, out);
                            }
                        },
                    );
                    let [one, other] = [tallied.as_flattened(), plane_tallies.as_flattened()];
                    assert_eq!(one[..guesses], other[..guesses], "{backend} at {text}");
                    times
                } else {
                    let (mut counts, mut plane_counts) = (Vec::new(), Vec::new());
                    let times = seconds_per_call_of_both(
                        || (0..groups).for_each(|group| kernel.histograms(&mut batch, &pool, group, &mut counts)),
                        || {
                            for group in 0..plane_groups {
                                kernel.bit_plane_histograms(&mut plane_batch, &planes, group, &mut plane_counts);
                            }
                        },
                    );
                    let last = (guesses - 1) % GUESS_GROUP;
                    let last_plane = (guesses - 1) % LANES_PER_PLANE;
                    let same = counts.iter().zip(&plane_counts).all(|(one, other)| one[last] == other[last_plane]);
                    assert!(same, "{backend} at {text}");
                    times
                };
                let rate = |seconds: f64| (guesses * codes.len()) as f64 / seconds / 1e9;
                writeln!(
                    out,
                    "{text:<8}{:>6}  {backend:<12}{:>14.3}{:>14.3}{:>8.2}",
                    codes.len(),
                    rate(columns),
                    rate(bit_planes),
                    columns / bit_planes
                )?;
            }
        }
    }
    Ok(())
}

fn columns(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "rules               backend          G pairs/s   times the naive  times black/white")?;
    let mut classic: BTreeMap<(&str, String), f64> = BTreeMap::new();
    for text in RULES {
        let rules: Rules = text.parse().expect("these rules are well formed");
        let table = Table::all(&rules).expect("these spaces are small");
        let codes: Vec<Code> = table.codes().collect();
        let guess = codes[codes.len() / 3].clone();
        let mut judge = Judge::new(&rules);
        let best = Partitioner::new(&rules);
        let expected = naive(&mut judge, &guess, &codes, &best);
        let baseline = seconds_per_call(|| naive(&mut judge, &guess, &codes, &best));
        writeln!(out, "{text:<20}{:<12}{:>14.3}{:>18}", "naive", rate(&codes, baseline), "1.0")?;
        for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
            let partitioner = Partitioner::with_backend(&rules, backend);
            let kernel = partitioner.batch_kernel().expect("rows have a kernel");
            let mut counts = vec![0; expected.len()];
            let seconds = seconds_per_call(|| kernel.histogram(&guess, &table, &mut counts));
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
