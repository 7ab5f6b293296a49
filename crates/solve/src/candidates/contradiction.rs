//! Which turns cannot all be true.

use pegwise_game::History;

use super::backtrack::{Backtrack, End, Order};
use crate::search::Search;

/// The most steps spent on asking whether some of the turns can be true together.
const MOST_STEPS: u64 = 2_000_000;

/// One-based numbers of turns of a history that no code fits, such that the others do not matter. Turns are left out one
/// after the other as long as the rest still contradicts itself; where that cannot be told in time, a turn stays in.
#[must_use]
pub fn contradiction(history: &History, search: &mut Search<'_>) -> Vec<usize> {
    let mut blamed: Vec<usize> = (1..=history.len()).collect();
    // The latest turns are tried first, so that those left are the first at which things went wrong.
    for turn in (1..=history.len()).rev() {
        let rest: Vec<usize> = blamed.iter().copied().filter(|&other| other != turn).collect();
        if is_contradictory(history, &rest, search) {
            blamed = rest;
        }
    }
    blamed
}

fn is_contradictory(history: &History, turns: &[usize], search: &mut Search<'_>) -> bool {
    let some = history.select(turns.iter().map(|turn| turn - 1));
    let (_, end) = Backtrack::new(&some).first(Order::AscendingFrom(None), MOST_STEPS, search);
    end == End::NoMore
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blamed(turns: &[&str]) -> Vec<usize> {
        let history = History::parse(&"4x6".parse().unwrap(), turns.iter().copied()).unwrap();
        contradiction(&history, &mut Search::new(0))
    }

    #[test]
    fn only_turns_that_matter_are_named() {
        assert_eq!(blamed(&["1122=4,0", "3456=1,1"]), [1, 2]);
        assert_eq!(blamed(&["1122=0,0", "3344=0,1", "5566=0,0", "1234=0,0"]), [1, 2, 3]);
        assert_eq!(blamed(&["1234=0,0", "3456=2,0", "1111=2,0"]), [1, 3]);
        assert_eq!(blamed(&["1111=0,1"]), [1]);
    }
}
