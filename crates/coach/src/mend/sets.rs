//! The smallest sets of turns that cannot all be true.
//!
//! Every code misses some turns; a set of turns that cannot all be true has one that is missed in common with every code. So
//! the smallest such sets are the smallest that meet what every code misses. Codes are looked at as they are needed: a set
//! that meets all the misses known so far is asked about, and a code that fits it after all adds what it misses.

use std::collections::BTreeSet;

/// Turns as bits, from the first on.
pub(super) type Turns = u128;

/// What is known of a set of turns.
pub(super) enum Answer {
    /// Some code fits them all; it misses these other turns.
    Fits(Turns),
    /// No code fits.
    Never,
    /// It could not be told.
    Unknown,
}

/// The most sets that are named.
const MOST_SETS: usize = 20;
/// The most sets of one size that are asked about at a time.
const MOST_ASKED: usize = 200;
/// Steps of the search for one size.
const MOST_STEPS: usize = 100_000;

/// The smallest sets, and whether these are certainly all of that size, the smallest there is.
pub(super) fn smallest(
    turns: usize,
    mut misses: Vec<Turns>,
    mut ask: impl FnMut(Turns) -> Answer,
) -> (Vec<Turns>, bool) {
    let mut never = BTreeSet::new();
    let mut unknown = BTreeSet::new();
    let mut size = 1;
    'sizes: while size <= turns {
        let Some(sets) = meeting(&misses, size) else { return (never.into_iter().collect(), false) };
        for set in sets {
            if never.contains(&set) || unknown.contains(&set) {
                continue;
            }
            match ask(set) {
                Answer::Fits(missed) => {
                    misses.push(missed);
                    continue 'sizes;
                }
                Answer::Never => {
                    never.insert(set);
                }
                Answer::Unknown => {
                    unknown.insert(set);
                }
            }
            if never.len() >= MOST_SETS {
                return (never.into_iter().collect(), false);
            }
        }
        if !never.is_empty() {
            return (never.into_iter().collect(), unknown.is_empty());
        }
        size += 1;
    }
    (Vec::new(), false)
}

/// Sets of this size that meet all of these, in ascending order, as many as are asked about; `None` when it takes too long.
fn meeting(misses: &[Turns], size: usize) -> Option<BTreeSet<Turns>> {
    let mut found = BTreeSet::new();
    let mut steps = 0;
    extend(misses, 0, size, &mut found, &mut steps).then_some(found)
}

fn extend(misses: &[Turns], set: Turns, more: usize, found: &mut BTreeSet<Turns>, steps: &mut usize) -> bool {
    *steps += 1;
    if *steps > MOST_STEPS {
        return false;
    }
    // The set that is hardest to meet leaves the fewest choices.
    let unmet = misses.iter().filter(|&&missed| missed & set == 0).min_by_key(|missed| missed.count_ones());
    let Some(&unmet) = unmet else {
        // Larger sets than needed were looked at as smaller ones.
        found.insert(set);
        return true;
    };
    if more == 0 {
        return true;
    }
    let mut choices = unmet;
    while choices != 0 && found.len() < MOST_ASKED {
        let turn = choices & choices.wrapping_neg();
        choices ^= turn;
        if !extend(misses, set | turn, more - 1, found, steps) {
            return false;
        }
    }
    true
}

/// The set of the first so many turns.
pub(super) fn all(turns: usize) -> Turns {
    (0..turns).map(|turn| 1 << turn).sum()
}

/// The numbers of turns, from one.
pub(super) fn numbers(set: Turns) -> Vec<usize> {
    (0..Turns::BITS).filter(|bit| set >> bit & 1 == 1).map(|bit| bit as usize + 1).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against trying every set of turns.
        #[test]
        fn sets_are_the_smallest(codes in prop::collection::vec(1u128..64, 1..40)) {
            let contradictory = |set: Turns| codes.iter().all(|missed| missed & set != 0);
            let ask = |set: Turns| match codes.iter().find(|&&missed| missed & set == 0) {
                Some(&missed) => Answer::Fits(missed),
                None => Answer::Never,
            };
            let (found, complete) = smallest(6, Vec::new(), ask);
            let fewest = (1..64).filter(|&set| contradictory(set)).map(Turns::count_ones).min().unwrap();
            let expected: Vec<Turns> =
                (1..64).filter(|&set: &Turns| set.count_ones() == fewest && contradictory(set)).collect();
            prop_assert!(complete);
            prop_assert_eq!(found, expected);
        }
    }
}
