//! What is played when a search by chance found no code that fits: one found by backtracking, if there is any.
//!
//! Breeding and walking can neither prove that no code fits nor promise to find the last one. So a strategy whose own effort is
//! spent asks here once more: backtracking from random starts settles small spaces for good and most of the large ones.

use pegwise_game::{Code, History};

use super::drawn::{Sought, seek};
use crate::{
    search::{Search, Stop},
    strategy::{Basis, Proposal, Proposed},
};

/// Starts before the nearest code is played.
const STARTS: usize = 20;

/// Why breeding ended without a code that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopCause {
    /// A limit of the search was reached: the nearest code is played at once.
    Limit(Stop),
    /// The strategy's own effort: backtracking has the last word.
    Effort,
}

/// A guess for want of a bred one. `nearest` is the code nearest to fitting that was seen, if any was.
pub fn settle(history: &History, spent: StopCause, nearest: Option<Code>, search: &mut Search<'_>) -> Proposed {
    let stop = match spent {
        StopCause::Limit(stop) => Some(stop),
        StopCause::Effort => match seek(history, STARTS, search)? {
            Sought::Found(guess) => return Ok(Proposal::new(guess, Basis::Consistent)),
            Sought::Nothing(stop) => stop,
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

/// A guess for a strategy that plays its best code whether it fits or not, provided that some code does fit. A code
/// found by backtracking is played only when the strategy has none.
pub fn best_of(history: &History, best: Option<Code>, search: &mut Search<'_>) -> Proposed {
    if let Some(guess) = best.as_ref().filter(|best| history.is_consistent(best)) {
        return Ok(Proposal::new(guess.clone(), Basis::Consistent));
    }
    let found = seek(history, STARTS, search)?;
    Ok(match (best, found) {
        (Some(guess), _) => Proposal::new(guess, Basis::BestEffort("the best code met does not fit".to_owned())),
        (None, Sought::Found(guess)) => Proposal::new(guess, Basis::Consistent),
        (None, Sought::Nothing(stop)) => Proposal::last_resort(history.rules(), stop, search),
    })
}

#[cfg(test)]
mod tests {
    use pegwise_game::Rules;

    use super::*;
    use crate::strategy::StrategyError;

    #[test]
    fn the_last_word_is_a_code_that_fits_or_the_contradiction() {
        let rules: Rules = "4x6".parse().unwrap();
        let nearest = rules.parse_code("1111").unwrap();
        let settled = |turns: &[&str], spent| {
            let history = History::parse(&rules, turns.iter().copied()).unwrap();
            settle(&history, spent, Some(nearest.clone()), &mut Search::new(1))
        };
        let fitting = settled(&["1122=0,0", "3344=0,0", "5666=3,0"], StopCause::Effort).unwrap();
        assert_eq!(fitting.basis, Basis::Consistent);
        let error = settled(&["1122=4,0", "3344=1,0"], StopCause::Effort).unwrap_err();
        assert_eq!(error, StrategyError::NO_CODE_FITS);
        let history = |turns: &[&str]| History::parse(&rules, turns.iter().copied()).unwrap();
        let best = |turns: &[&str], code| best_of(&history(turns), code, &mut Search::new(1));
        let fits = best(&["1122=2,0"], Some(nearest.clone())).unwrap();
        assert_eq!((fits.guess, fits.basis), (nearest.clone(), Basis::Consistent));
        let misfit = best(&["1122=1,0"], Some(nearest.clone())).unwrap();
        assert_eq!(misfit.guess, nearest);
        assert!(matches!(misfit.basis, Basis::BestEffort(_)));
        assert_eq!(best(&["1122=1,0"], None).unwrap().basis, Basis::Consistent);
        assert!(best(&["1122=4,0", "3344=1,0"], Some(nearest.clone())).is_err());
        let limited = settled(&["1122=0,0"], StopCause::Limit(Stop::Time)).unwrap();
        assert_eq!(limited.guess, nearest);
        assert!(matches!(limited.basis, Basis::BestEffort(why) if why.contains("the time was up")));
    }
}
