//! Whether two strategies differ by more than luck: `cargo run -p pegwise-labstats --example is_it_luck`.

#![expect(clippy::print_stdout, reason = "an example shows what it finds")]

use pegwise_labstats::{Summary, compare};

pub(crate) fn main() {
    let knuth = [4.0, 5.0, 4.0, 5.0, 5.0, 4.0, 6.0, 5.0];
    let random = [5.0, 6.0, 4.0, 7.0, 6.0, 5.0, 6.0, 7.0];
    let means = [&knuth, &random].map(|guesses| Summary::of(guesses).expect("there are games").mean);
    let p = compare::wilcoxon(&knuth, &random).p;
    println!("{} and {} guesses on average; by luck alone with probability {p:.3}", means[0], means[1]);
    assert_eq!(means, [4.75, 5.75]);
    assert!(p < 0.05);
}
