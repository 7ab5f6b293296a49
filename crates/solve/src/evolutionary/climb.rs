//! Local search: one cell at a time, as long as that brings a code nearer to fitting.

use pegwise_game::Color;

use super::examiner::Examiner;
use crate::{candidates::fallback::StopCause, search::Search};

/// Tries every color in every cell, keeps each change that lowers the cost at once, and goes round until none does. Returns
/// the cost of the local optimum that the code then is. Where colors must differ, a cell takes a color from the cell that
/// has it in trade for its own.
///
/// A changed code counts as examined once more, in the end; the changes tried count as steps.
pub(super) fn climb(
    examiner: &mut Examiner,
    code: &mut [Color],
    cost: u32,
    search: &mut Search<'_>,
) -> Result<u32, StopCause> {
    let (colors, repeats) = (examiner.rules().colors(), examiner.rules().repeats());
    let mut best = cost;
    // The pair of cell and color that was tried last before things stopped getting better.
    let mut untried = code.len() * usize::from(colors);
    'round: while untried > 0 && best > 0 {
        for cell in 0..code.len() {
            for color in (0..colors).map(Color::new) {
                let old = code[cell];
                if color != old {
                    let holder = if repeats { None } else { code.iter().position(|&other| other == color) };
                    code[cell] = color;
                    if let Some(holder) = holder {
                        code[holder] = old;
                    }
                    let cost = examiner.try_out(code, search)?;
                    if cost < best {
                        best = cost;
                        untried = code.len() * usize::from(colors);
                        continue;
                    }
                    if let Some(holder) = holder {
                        code[holder] = color;
                    }
                    code[cell] = old;
                }
                untried -= 1;
                if untried == 0 {
                    break 'round;
                }
            }
        }
    }
    match if best < cost { search.examine(1) } else { None } {
        Some(stop) => Err(StopCause::Limit(stop)),
        None => Ok(best),
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Code, History, Rules, Turn};
    use proptest::prelude::*;

    use super::*;
    use crate::{Rng, candidates::Ledger};

    proptest! {
        /// A climb ends where no single change helps, at the cost it says, with a valid code.
        #[test]
        fn climbs_end_in_local_optima(
            rules in prop::sample::select(vec!["1x1", "4x6", "5x3", "4x8:no-repeats", "4x4:no-repeats", "grid:2x2x5"]),
            seed: u64,
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut search = Search::new(seed);
            let mut rng = Rng::new(seed ^ 1);
            let secret = rng.code(&rules);
            let mut history = History::new(rules.clone());
            for _ in 0..3 {
                let guess = rng.code(&rules);
                let feedback = pegwise_game::feedback(&rules, &guess, &secret);
                history.push(Turn { guess, feedback }).unwrap();
            }
            let (mut examiner, mut ledger) = (Examiner::new(&rules), Ledger::new(&rules));
            examiner.begin(&history);
            ledger.follow(&history);
            let mut code = rng.code(&rules);
            let start = ledger.distance(&code);
            let end = climb(&mut examiner, code.colors_mut(), start, &mut search).unwrap();
            prop_assert!(rules.check_code(&code).is_ok());
            prop_assert!(end <= start);
            prop_assert_eq!(ledger.distance(&code), end);
            for cell in 0..code.len() {
                for color in (0..rules.colors()).map(Color::new) {
                    let mut other: Code = code.clone();
                    if let Some(holder) = code.iter().position(|&held| held == color).filter(|_| !rules.repeats()) {
                        other.colors_mut()[holder] = code[cell];
                    }
                    other.colors_mut()[cell] = color;
                    prop_assert!(ledger.distance(&other) >= end);
                }
            }
        }
    }
}
