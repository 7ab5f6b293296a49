//! How many pairs of guess and code each backend scores in a second, and how that compares with the pair function, and with
//! black and white pegs on the same board.
//!
//! Then how the kernels on masks compare with those on columns: one guess against many codes, and many guesses against few
//! codes. [`BatchKernel::prefers_bit_planes`] follows from the second table.
//!
//! `cargo bench -p pegwise-benches --bench partition`, or with `-- slices` the last two tables alone.
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

/// The naive twin: the pair function on each code, counted by feedback.
fn naive(judge: &mut Judge, guess: &Code, codes: &[Code], partitioner: &Partitioner) -> Vec<u32> {
    let coding = partitioner.batch_kernel().expect("rows have a kernel").encoding();
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
    if !std::env::args().any(|argument| argument == "slices") {
        columns(&mut out)?;
    }
    many_codes(&mut out)?;
    many_guesses(&mut out)
}

fn available() -> impl Iterator<Item = Backend> {
    Backend::ALL.into_iter().filter(|&backend| backend.is_available() && backend != Backend::Scalar)
}

/// Some codes of a space, spread over all of it.
fn spread(rules: &Rules, most: usize) -> Table {
    let all = Table::all(rules).expect("these spaces can be listed");
    let most = most.min(all.len());
    let rows: Vec<u32> = (0..most).map(|row| (row * all.len() / most) as u32).collect();
    all.select(&rows)
}

/// One guess against many codes: masks against columns.
fn many_codes(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "\n{:<8}{:>10}  {:<12}{:>14}{:>14}{:>8}",
        "rules", "codes", "backend", "columns G/s", "masks G/s", "ratio"
    )?;
    for text in ["4x6", "5x8", "6x9", "7x10"] {
        let rules: Rules = text.parse().expect("these rules are well formed");
        for codes in [640, 5000, 40_000, 500_000, 10_000_000] {
            let table = spread(&rules, codes);
            if table.len() < codes {
                break;
            }
            let guesses = table.select(&[(table.len() / 3) as u32]);
            for backend in available() {
                let partitioner = Partitioner::with_backend(&rules, backend);
                let lanes = partitioner.batch_kernel().expect("rows have a kernel");
                let (slices, mut space) = (lanes.bit_planes(&table), lanes.bit_plane_batch(&guesses));
                let marks = lanes.encoding().possible().len();
                let (mut by_column, mut by_mask) = (vec![0; marks], vec![0; marks]);
                let (columns, masks) = seconds_per_call_of_both(
                    || lanes.histogram_of_row(&guesses, 0, &table, &mut by_column),
                    || lanes.bit_plane_histogram_of_row(&guesses, 0, &slices, &mut space, &mut by_mask),
                );
                assert_eq!(by_column, by_mask, "{backend} at {text}");
                let rate = |seconds: f64| table.len() as f64 / seconds / 1e9;
                writeln!(
                    out,
                    "{text:<8}{:>10}  {backend:<12}{:>14.3}{:>14.3}{:>8.2}",
                    table.len(),
                    rate(columns),
                    rate(masks),
                    columns / masks
                )?;
            }
        }
    }
    Ok(())
}

/// Many guesses against few codes, as in the tree of a strategy: masks against columns.
fn many_guesses(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(
        out,
        "\n{:<8}{:>6}  {:<12}{:>14}{:>14}{:>8}",
        "rules", "codes", "backend", "columns G/s", "masks G/s", "ratio"
    )?;
    let squares = Tally::sum(|size| (size * size) as u16);
    for text in ["3x8", "4x6", "5x8", "6x9", "7x10"] {
        let rules: Rules = text.parse().expect("these rules are well formed");
        let pool = spread(&rules, 4 * LANES_PER_PLANE);
        for codes in [3, 4, 6, 8, 16, 32, 64, 127, 256, 1024] {
            let codes = spread(&rules, codes);
            for backend in available() {
                let partitioner = Partitioner::with_backend(&rules, backend);
                let lanes = partitioner.batch_kernel().expect("rows have a kernel");
                let slices = lanes.bit_planes(&pool);
                let (mut crowd, mut sliced) = (lanes.code_batch(&codes), lanes.bit_plane_batch(&codes));
                let guesses = pool.len();
                let (bundles, slice_count) = (guesses.div_ceil(GUESS_GROUP), guesses.div_ceil(LANES_PER_PLANE));
                let (columns, masks) = if codes.len() <= MAX_TALLY_CODES {
                    let (mut tallied, mut tallied_slices) =
                        (vec![[0; GUESS_GROUP]; bundles], vec![[0; LANES_PER_PLANE]; slice_count]);
                    let times = seconds_per_call_of_both(
                        || {
                            for (bundle, out) in tallied.iter_mut().enumerate() {
                                lanes.tally(&mut crowd, &pool, bundle, &squares, out);
                            }
                        },
                        || {
                            for (slice, out) in tallied_slices.iter_mut().enumerate() {
                                lanes.bit_plane_tally(&mut sliced, &slices, slice, &squares, out);
                            }
                        },
                    );
                    let [one, other] = [tallied.as_flattened(), tallied_slices.as_flattened()];
                    assert_eq!(one[..guesses], other[..guesses], "{backend} at {text}");
                    times
                } else {
                    let (mut counts, mut sliced_counts) = (Vec::new(), Vec::new());
                    let times = seconds_per_call_of_both(
                        || (0..bundles).for_each(|bundle| lanes.histograms(&mut crowd, &pool, bundle, &mut counts)),
                        || {
                            for slice in 0..slice_count {
                                lanes.bit_plane_histograms(&mut sliced, &slices, slice, &mut sliced_counts);
                            }
                        },
                    );
                    let last = (guesses - 1) % GUESS_GROUP;
                    let last_slice = (guesses - 1) % LANES_PER_PLANE;
                    let same = counts.iter().zip(&sliced_counts).all(|(one, other)| one[last] == other[last_slice]);
                    assert!(same, "{backend} at {text}");
                    times
                };
                let rate = |seconds: f64| (guesses * codes.len()) as f64 / seconds / 1e9;
                writeln!(
                    out,
                    "{text:<8}{:>6}  {backend:<12}{:>14.3}{:>14.3}{:>8.2}",
                    codes.len(),
                    rate(columns),
                    rate(masks),
                    columns / masks
                )?;
            }
        }
    }
    Ok(())
}

fn columns(out: &mut impl Write) -> std::io::Result<()> {
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
        let baseline = seconds_per_call(|| naive(&mut judge, &guess, &codes, &best));
        writeln!(out, "{text:<20}{:<12}{:>14.3}{:>18}", "naive", rate(&codes, baseline), "1.0")?;
        for backend in Backend::ALL.into_iter().filter(|backend| backend.is_available()) {
            let partitioner = Partitioner::with_backend(&rules, backend);
            let lanes = partitioner.batch_kernel().expect("rows have a kernel");
            let mut counts = vec![0; expected.len()];
            let seconds = seconds_per_call(|| lanes.histogram(&guess, &table, &mut counts));
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
