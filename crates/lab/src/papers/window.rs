//! How far a number may be off and still be the same.
//!
//! Half a unit of the last printed digit is granted always: a printed number stands for all that round to it. Beyond it,
//!
//! - **2 %** of a mean or median of guesses: less than a tenth of a guess at 4x6, which is what a change of tie-breaking does
//!   to the strategies of the literature;
//! - **10 %** of a mean of evaluations or of codes found, and of a standard deviation: what depends on details of a program
//!   that papers do not print;
//! - **three standard errors of the paper's own sample**, where that is more: its luck is not ours to answer for. Three,
//!   because with some eight hundred numbers two standard errors would refute forty by luck alone.
//!
//! Where nothing is left to luck on either side, the digits must be the same; a file may grant a share instead, up to these,
//! where the paper leaves open what decides the number.

use super::{
    exhibit::Published,
    finding::Verdict,
    measure::{Measure, Quantity, Statistic},
    printed::Printed,
};

/// How many standard errors of its own sample are granted to a paper.
pub(super) const ERRORS: f64 = 3.0;

/// A window around a published number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Window {
    /// How far ours may be off.
    pub(super) margin: f64,
    /// Where that comes from.
    pub(super) about: String,
}

/// The share of a number that is granted.
pub(super) fn share(measure: Measure) -> f64 {
    const GUESSES: f64 = 0.02;
    const OTHERS: f64 = 0.1;
    match (measure.quantity, measure.statistic) {
        (_, Statistic::Sd) => OTHERS,
        (Quantity::Guesses | Quantity::Identified | Quantity::RunMeans | Quantity::Nodes | Quantity::Codes, _) => {
            GUESSES
        }
        (Quantity::Examined | Quantity::Consistent | Quantity::Milliseconds, _) => OTHERS,
    }
}

impl Window {
    /// Nothing but rounding.
    pub(super) fn digits(printed: &Printed) -> Self {
        Self { margin: printed.half_unit(), about: "digits".to_owned() }
    }

    /// The window of a number that rests on luck: ours, or theirs with this standard error.
    pub(super) fn of(measure: Measure, printed: &Printed, their_error: f64) -> Self {
        let (granted, luck) = (share(measure) * printed.value(), ERRORS * their_error);
        let (margin, about) = match luck > granted {
            true => (luck, "3 s.e. of the paper".to_owned()),
            false => (granted, percent(share(measure))),
        };
        Self { margin: margin + printed.half_unit(), about }
    }

    /// The window of a number that nothing is left to luck in.
    pub(super) fn exact(published: &Published, printed: &Printed) -> Self {
        match published.within {
            None => Self::digits(printed),
            Some(within) => Self { margin: within * printed.value() + printed.half_unit(), about: percent(within) },
        }
    }
}

fn percent(share: f64) -> String {
    format!("{} %", (share * 1e4).round() / 100.0)
}

/// What a number of ours, with half its interval, comes to.
pub(super) fn verdict(value: f64, half: f64, printed: &Printed, window: &Window, games: u64) -> Verdict {
    if printed.is_bound() || (half == 0.0 && printed.is(value)) {
        return if printed.is(value) { Verdict::Supported } else { Verdict::Refuted };
    }
    if !half.is_finite() {
        // A single game has no spread to judge by.
        return Verdict::Undecided { needs: None };
    }
    /// Numbers computed in another order differ in their last bits.
    const NOISE: f64 = 1e-9;
    let (off, margin) = ((value - printed.value()).abs(), window.margin + NOISE * printed.value().abs());
    if off + half <= margin {
        return Verdict::Supported;
    }
    if off - half > margin {
        return Verdict::Refuted;
    }
    // The interval narrows with the root of the number of games.
    let needed = games as f64 * (half / (margin - off).abs()).powi(2);
    const MOST: f64 = 1e9;
    Verdict::Undecided { needs: (needed <= MOST).then(|| needed.ceil() as u64) }
}
