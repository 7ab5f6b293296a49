//! Tests of every backend against the pair function.

use proptest::prelude::*;

use super::*;
use crate::code::Code;
use crate::feedback::{FeedbackKind, Judge};
use crate::space::Space;

fn backends() -> impl Iterator<Item = Backend> {
    Backend::ALL.into_iter().filter(|backend| backend.is_available())
}

/// Generates rules of every kind, small and large, whose codes fit a table.
fn any_rules() -> impl Strategy<Value = Rules> {
    let texts = "1x1 2x2 4x6 5x8 6x9 8x8 15x20 16x5 4x10:no-repeats 5x5:no-repeats 9x40:no-repeats 4x6:black-only \
        20x20:black-only 40x4:black-only 4x6:color-only 5x6:per-cell 3x9:per-cell 7x4:per-cell grid:2x3x3:per-cell \
        20x5:color-only 4x6:higher-lower 15x9:higher-lower 4x6:distance 3x9:city-block grid:2x3x4 triangle:3x4 ring:5x3 cube:2x2x2x3";
    prop::sample::select(texts.split_whitespace().collect::<Vec<_>>()).prop_map(|text| text.parse().unwrap())
}

fn any_code(rules: &Rules) -> impl Strategy<Value = Code> + use<> {
    let (cells, colors, repeats) = (rules.cells(), rules.colors(), rules.repeats());
    let free = prop::collection::vec(0..colors, cells).prop_map(Code::from_indices).boxed();
    let order = Just((0..colors).collect::<Vec<u16>>()).prop_shuffle();
    let distinct = order.prop_map(move |order| Code::from_indices(order[..cells].to_vec())).boxed();
    if repeats { free } else { distinct }
}

fn guess_and_codes() -> impl Strategy<Value = (Rules, Code, Vec<Code>)> {
    any_rules().prop_flat_map(|rules| {
        let codes = prop::collection::vec(any_code(&rules), 0..600);
        (Just(rules.clone()), any_code(&rules), codes)
    })
}

/// Generates tables of a single chunk, of several chunks of [`CHUNK`] blocks, and of several rounds of counters up to
/// 15 or 255.
fn guess_and_long_codes() -> impl Strategy<Value = (Rules, Code, Vec<Code>)> {
    let lengths =
        prop_oneof![8 => 0..600usize, 2 => 16 * BLOCK..40 * BLOCK, 1 => (CHUNK - 1) * BLOCK..3 * CHUNK * BLOCK];
    (guess_and_codes(), lengths).prop_map(|((rules, guess, codes), length)| {
        let codes = codes.iter().cycle().take(length).cloned().collect();
        (rules, guess, codes)
    })
}

/// Computes the histogram by the pair function of each code.
fn naive_histogram(rules: &Rules, guess: &Code, codes: &[Code], counts: &mut [u32]) {
    let (mut judge, encoding) = (Judge::new(rules), MarkEncoding::new(rules).unwrap());
    for code in codes {
        let byte = encoding.byte(judge.feedback(guess, code).marks()[0]).unwrap();
        counts[encoding.possible().binary_search(&byte).unwrap()] += 1;
    }
}

/// Generates every number of cells that bit planes support, with few and many codes, so that long counters are needed.
fn plane_guess_and_codes() -> impl Strategy<Value = (Rules, Code, Vec<Code>)> {
    let texts = ["3x4", "3x12", "4x6", "5x8", "6x9", "7x10", "8x8", "8x2", "4x10:no-repeats", "8x9:no-repeats"];
    let rules = prop::sample::select(texts.to_vec()).prop_map(|text| text.parse::<Rules>().unwrap());
    let lengths = prop_oneof![8 => 0..600usize, 2 => 600..6000usize, 1 => 120_000..140_000usize];
    (rules, lengths).prop_flat_map(|(rules, length)| {
        let codes = prop::collection::vec(any_code(&rules), 1..400);
        let codes = codes.prop_map(move |codes| codes.iter().cycle().take(length).cloned().collect::<Vec<Code>>());
        (Just(rules.clone()), any_code(&rules), codes)
    })
}

proptest! {
    #[test]
    fn parts_have_the_codes_of_their_feedback((rules, guess, codes) in guess_and_long_codes()) {
        let table = Table::from_codes(&rules, &codes).unwrap();
        let mut judge = Judge::new(&rules);
        for backend in backends() {
            let mut partitioner = Partitioner::with_backend(&rules, backend);
            let parts = partitioner.split(&guess, &table);
            let mut rows: Vec<u32> = Vec::new();
            for part in &parts {
                prop_assert!(part.rows.windows(2).all(|pair| pair[0] < pair[1]));
                for &row in &part.rows {
                    prop_assert_eq!(&judge.feedback(&guess, &codes[row as usize]), &part.feedback, "{}", backend);
                }
                rows.extend(&part.rows);
            }
            rows.sort_unstable();
            prop_assert!(rows.into_iter().eq(0..codes.len() as u32), "{}: every row in one part", backend);
            prop_assert!(parts.windows(2).all(|pair| pair[0].feedback < pair[1].feedback));

            let mut sizes = Vec::new();
            partitioner.sizes(&guess, &table, &mut sizes);
            let mut expected: Vec<u32> = parts.iter().map(|part| part.rows.len() as u32).collect();
            sizes.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(sizes, expected, "{}", backend);
        }
    }

    #[test]
    fn histograms_count_the_marks((rules, guess, codes) in guess_and_long_codes()) {
        let table = Table::from_codes(&rules, &codes).unwrap();
        for backend in backends() {
            let partitioner = Partitioner::with_backend(&rules, backend);
            let Some(kernel) = partitioner.batch_kernel() else { continue };
            let mut marks = Vec::new();
            kernel.marks(&guess, &table, &mut marks);
            let mut into = vec![u8::MAX; table.len()];
            kernel.marks_into(&guess, &table, &mut into);
            prop_assert_eq!(&into, &marks);
            let possible = kernel.encoding().possible();
            let expected: Vec<u32> =
                possible.iter().map(|byte| marks.iter().filter(|&mark| mark == byte).count() as u32).collect();
            let mut counts = vec![7; possible.len()];
            kernel.histogram(&guess, &table, &mut counts);
            prop_assert_eq!(&counts, &expected, "{}", backend);
            let guesses = Table::from_codes(&rules, [&guess]).unwrap();
            kernel.histogram_of_row(&guesses, 0, &table, &mut counts);
            prop_assert_eq!(counts, expected, "{}", backend);
        }
    }

    #[test]
    fn tallies_match_the_sizes((rules, _, codes) in guess_and_codes(), few in 0usize..=MAX_TALLY_CODES) {
        let guesses = Table::from_codes(&rules, &codes).unwrap();
        let few = Table::from_codes(&rules, codes.iter().take(few)).unwrap();
        let squares = Tally::sum(|size| (size * size) as u16);
        for backend in backends() {
            let mut partitioner = Partitioner::with_backend(&rules, backend);
            let Some(kernel) = partitioner.batch_kernel().filter(|kernel| kernel.supports_code_batches()).cloned() else { continue };
            let mut batch = kernel.code_batch(&few);
            for group in 0..guesses.len().div_ceil(GUESS_GROUP) {
                let mut out = [[0u16; GUESS_GROUP]; 2];
                for (tally, out) in [Tally::Largest, squares.clone()].iter().zip(&mut out) {
                    kernel.tally(&mut batch, &guesses, group, tally, out);
                }
                for lane in 0..GUESS_GROUP.min(guesses.len() - group * GUESS_GROUP) {
                    let mut sizes = Vec::new();
                    partitioner.sizes(&codes[group * GUESS_GROUP + lane], &few, &mut sizes);
                    prop_assert_eq!(u32::from(out[0][lane]), sizes.iter().copied().max().unwrap_or(0));
                    prop_assert_eq!(u32::from(out[1][lane]), sizes.iter().map(|size| size * size).sum::<u32>());
                }
            }
        }
    }

    #[test]
    fn guesses_in_bit_planes_match_single_guesses((rules, _, mut guesses) in plane_guess_and_codes(), batch in 0usize..700) {
        guesses.truncate(3 * LANES_PER_PLANE - 5);
        let few = batch.min(guesses.len() * 9);
        let codes: Vec<Code> = guesses.iter().cycle().skip(1).step_by(3).take(few).cloned().collect();
        let (pool, table) = (Table::from_codes(&rules, &guesses).unwrap(), Table::from_codes(&rules, &codes).unwrap());
        let marks = MarkEncoding::new(&rules).unwrap().possible().len();
        let squares = Tally::sum(|size| (size * size) as u16);
        for backend in backends() {
            let partitioner = Partitioner::with_backend(&rules, backend);
            let kernel = partitioner.batch_kernel().unwrap();
            let (planes, mut batch) = (kernel.bit_planes(&pool), kernel.bit_plane_batch(&table));
            let mut together = vec![[9; LANES_PER_PLANE]; 1];
            for group in 0..guesses.len().div_ceil(LANES_PER_PLANE) {
                kernel.bit_plane_histograms(&mut batch, &planes, group, &mut together);
                let mut tallied = [[0u16; LANES_PER_PLANE]; 2];
                if codes.len() <= MAX_TALLY_CODES {
                    kernel.bit_plane_tally(&mut batch, &planes, group, &Tally::Largest, &mut tallied[0]);
                    kernel.bit_plane_tally(&mut batch, &planes, group, &squares, &mut tallied[1]);
                }
                // The reference is slow: some guesses of each block are enough.
                for (lane, guess) in guesses[group * LANES_PER_PLANE..].iter().take(LANES_PER_PLANE).enumerate().step_by(7) {
                    let mut alone = vec![0; marks];
                    naive_histogram(&rules, guess, &codes, &mut alone);
                    prop_assert!(together.iter().map(|counts| counts[lane]).eq(alone.iter().copied()), "{}", backend);
                    if codes.len() <= MAX_TALLY_CODES {
                        prop_assert_eq!(u32::from(tallied[0][lane]), alone.iter().copied().max().unwrap_or(0));
                        prop_assert_eq!(u32::from(tallied[1][lane]), alone.iter().map(|size| size * size).sum::<u32>());
                    }
                }
            }
        }
    }

    #[test]
    fn histograms_of_guess_groups_match_single_guesses((rules, _, guesses) in guess_and_codes(), copies in 1usize..4) {
        // Repeated codes make a batch that is counted in several steps.
        let codes: Vec<Code> = guesses.iter().cycle().take(guesses.len() * copies).cloned().collect();
        let (pool, table) = (Table::from_codes(&rules, &guesses).unwrap(), Table::from_codes(&rules, &codes).unwrap());
        for backend in backends() {
            let partitioner = Partitioner::with_backend(&rules, backend);
            let Some(kernel) = partitioner.batch_kernel().filter(|kernel| kernel.supports_code_batches()) else { continue };
            let mut batch = kernel.code_batch(&table);
            let mut together = Vec::new();
            let mut alone = vec![0; kernel.encoding().possible().len()];
            for (row, guess) in guesses.iter().enumerate() {
                if row % GUESS_GROUP == 0 {
                    kernel.histograms(&mut batch, &pool, row / GUESS_GROUP, &mut together);
                }
                kernel.histogram(guess, &table, &mut alone);
                let mut lane: Vec<u32> = together.iter().map(|counts| counts[row % GUESS_GROUP]).collect();
                if rules.feedback() == FeedbackKind::HigherLower {
                    lane.sort_unstable();
                    alone.sort_unstable();
                }
                prop_assert_eq!(&lane, &alone, "{}", backend);
            }
        }
    }
}

/// Singley's figure 3-1: the parts of 1122 at 4x6.
#[test]
fn parts_of_1122() {
    let rules: Rules = "4x6".parse().unwrap();
    let table = Table::all(&rules).unwrap();
    let published = "0,0=256 0,1=256 0,2=96 0,3=16 0,4=1 1,0=256 1,1=208 1,2=36 2,0=114 2,1=32 2,2=4 3,0=20 4,0=1";
    for backend in backends() {
        let parts = Partitioner::with_backend(&rules, backend).split(&rules.parse_code("1122").unwrap(), &table);
        let sizes: Vec<String> = parts.iter().map(|part| format!("{}={}", part.feedback, part.rows.len())).collect();
        assert_eq!(sizes.join(" "), published, "{backend}");
    }
}

/// Every possible feedback occurs, and their number is P(P+3)/2.
#[test]
fn there_are_p_times_p_plus_3_over_2_feedbacks() {
    for cells in 1..=5 {
        let rules = Rules::classic(cells, 2 * cells as u16).unwrap();
        let table = Table::all(&rules).unwrap();
        let mut partitioner = Partitioner::new(&rules);
        let guesses = Space::new(&rules).iter().step_by(3);
        let seen: std::collections::BTreeSet<Feedback> =
            guesses.take(2000).flat_map(|guess| partitioner.split(&guess, &table)).map(|part| part.feedback).collect();
        assert_eq!(seen.len(), cells * (cells + 3) / 2, "{cells} cells");
    }
}

/// The bound of a tally is that of its worst partition.
#[test]
fn tallies_are_bounded_by_16_bits() {
    assert_eq!(Tally::Largest.max_codes(), MAX_TALLY_CODES);
    assert_eq!(Tally::sum(|size| (size * size) as u16).max_codes(), MAX_TALLY_CODES);
    assert_eq!(Tally::sum(|_| 1000).max_codes(), 65, "as many parts of one code");
    assert_eq!(Tally::sum(|size| if size > 9 { u16::MAX } else { 0 }).max_codes(), 10);
    assert_eq!(Tally::sum(|_| u16::MAX).max_codes(), 1);
}
