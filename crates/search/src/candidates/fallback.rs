//! A guess found by backtracking from random starts, for strategies whose own search found no consistent code.
//!
//! Evolutionary and annealing searches can neither prove that no code is consistent nor guarantee to find the last one.
//! Backtracking decides this in small spaces and usually finds a code in large ones.

use pegwise_game::{Code, History};

use super::backtrack::{Backtrack, End, Order};
use crate::search::{Search, Stop};
use crate::strategy::{Basis, Proposal, Proposed, StrategyError};

/// Steps per random start: a new start finds a code sooner than continuing from a bad one.
const STEPS_PER_START: u64 = 200_000;
const DRAW_STARTS: usize = 200;
/// Number of random starts after another search failed.
const FALLBACK_STARTS: usize = 20;

/// Proposes a consistent code found by backtracking from random starts, approximately uniformly distributed; an arbitrary
/// code, marked as such, if none is found within the limits. Supports every board.
///
/// ```
/// use pegwise_game::{History, Rules};
/// use pegwise_search::{Search, candidates};
/// let rules: Rules = "20x20".parse().unwrap();
/// let history = History::parse(&rules, ["AABBCCDDEEFFGGHHIIJJ=2,5"]).unwrap();
/// let proposal = candidates::draw(&history, &mut Search::new(1)).unwrap();
/// assert!(history.is_consistent(&proposal.guess));
/// ```
pub fn draw(history: &History, search: &mut Search<'_>) -> Proposed {
    if history.is_empty() {
        return Ok(Proposal::opening(None, history.rules(), search));
    }
    Ok(match random_starts(history, DRAW_STARTS, search)? {
        Ok(guess) => Proposal::new(guess, Basis::Consistent),
        Err(stop) => Proposal::last_resort(history.rules(), stop, search),
    })
}

/// A consistent code, or the limit that ended the search for one, if any.
type Found = Result<Code, Option<Stop>>;

/// Searches for a consistent code from up to `starts` random starts. Returns an error if there is none.
fn random_starts(history: &History, starts: usize, search: &mut Search<'_>) -> Result<Found, StrategyError> {
    let constraints = Backtrack::new(history);
    for _ in 0..starts {
        let mut rng = search.rng.clone();
        let (code, end) = constraints.first(Order::Random(&mut rng), STEPS_PER_START, search);
        search.rng = rng;
        match (code, end) {
            (Some(code), _) => return Ok(Ok(code)),
            (None, End::NoMore) => return Err(StrategyError::NO_CODE_FITS),
            (None, End::Stopped(stop)) => return Ok(Err(Some(stop))),
            (None, End::Enough | End::OutOfSteps) => {}
        }
    }
    Ok(Err(None))
}

/// Reason why a strategy's own search ended without a consistent code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopCause {
    /// A limit of the search was reached.
    Limit(Stop),
    /// The strategy used up its own effort.
    Effort,
}

/// Proposes a guess for a search that found no consistent code: one found by backtracking if only the effort was used up,
/// otherwise `nearest`, the code with the smallest distance that was seen.
pub fn fallback_guess(history: &History, cause: StopCause, nearest: Option<Code>, search: &mut Search<'_>) -> Proposed {
    let stop = match cause {
        StopCause::Limit(stop) => Some(stop),
        StopCause::Effort => match random_starts(history, FALLBACK_STARTS, search)? {
            Ok(guess) => return Ok(Proposal::new(guess, Basis::Consistent)),
            Err(stop) => stop,
        },
    };
    match (nearest, stop) {
        (Some(guess), Some(stop)) => {
            Ok(Proposal::new(guess, Basis::BestEffort(format!("nearest to fitting when {stop}"))))
        }
        (Some(guess), None) => Ok(Proposal::new(guess, Basis::BestEffort("nearest to fitting of all seen".to_owned()))),
        (None, stop) => Ok(Proposal::last_resort(history.rules(), stop, search)),
    }
}

/// Proposes `best` even if it is inconsistent. Backtracking detects contradictory turns, and supplies the guess if there
/// is no `best`.
pub fn play_best(history: &History, best: Option<Code>, search: &mut Search<'_>) -> Proposed {
    if let Some(guess) = best.as_ref().filter(|best| history.is_consistent(best)) {
        return Ok(Proposal::new(guess.clone(), Basis::Consistent));
    }
    let found = random_starts(history, FALLBACK_STARTS, search)?;
    Ok(match (best, found) {
        (Some(guess), _) => Proposal::new(guess, Basis::BestEffort("the best code found does not fit".to_owned())),
        (None, Ok(guess)) => Proposal::new(guess, Basis::Consistent),
        (None, Err(stop)) => Proposal::last_resort(history.rules(), stop, search),
    })
}

#[cfg(test)]
mod tests {
    use pegwise_game::Rules;

    use super::*;
    use crate::strategy::StrategyError;

    #[test]
    fn falls_back_to_a_consistent_code_or_reports_the_contradiction() {
        let rules: Rules = "4x6".parse().unwrap();
        let nearest = rules.parse_code("1111").unwrap();
        let fallback = |turns: &[&str], cause| {
            let history = History::parse(&rules, turns.iter().copied()).unwrap();
            fallback_guess(&history, cause, Some(nearest.clone()), &mut Search::new(1))
        };
        let fitting = fallback(&["1122=0,0", "3344=0,0", "5666=3,0"], StopCause::Effort).unwrap();
        assert_eq!(fitting.basis, Basis::Consistent);
        let error = fallback(&["1122=4,0", "3344=1,0"], StopCause::Effort).unwrap_err();
        assert_eq!(error, StrategyError::NO_CODE_FITS);
        let history = |turns: &[&str]| History::parse(&rules, turns.iter().copied()).unwrap();
        let best = |turns: &[&str], code| play_best(&history(turns), code, &mut Search::new(1));
        let fits = best(&["1122=2,0"], Some(nearest.clone())).unwrap();
        assert_eq!((fits.guess, fits.basis), (nearest.clone(), Basis::Consistent));
        let misfit = best(&["1122=1,0"], Some(nearest.clone())).unwrap();
        assert_eq!(misfit.guess, nearest);
        assert!(matches!(misfit.basis, Basis::BestEffort(_)));
        assert_eq!(best(&["1122=1,0"], None).unwrap().basis, Basis::Consistent);
        assert!(best(&["1122=4,0", "3344=1,0"], Some(nearest.clone())).is_err());
        let limited = fallback(&["1122=0,0"], StopCause::Limit(Stop::Time)).unwrap();
        assert_eq!(limited.guess, nearest);
        assert!(matches!(limited.basis, Basis::BestEffort(why) if why.contains("the time was up")));
    }
}
