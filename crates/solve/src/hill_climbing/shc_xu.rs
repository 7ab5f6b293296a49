//! Xu's re-creation of the stochastic hill climber.
//!
//! As the original without tracker, pool and ruled-out colors: mutated pegs take any color but the one that the
//! favorite has in their cell, and a guess becomes the favorite when it was answered with more pegs, or with as many of
//! which more are black than white.
//!
//! # Cost and limits
//! About a hundred codes a game are examined at 4x6; Xu's program ended at P + N > 18. Beyond the draws granted,
//! backtracking finds the code.
//!
//! # References
//! Y. Xu, Solving Mastermind, Imperial College London. The condition of its inner loop is inverted in print, and the
//! pegs kept and shifted are those of the favorite's answer.

use pegwise_game::{Code, History, Rules, Turn};

use super::{climb::Climb, color_pool::ColorPool, induce::Inducer, score_order::Score};
use crate::{
    search::{Search, Watch},
    spec::Arguments,
    strategy::{Basis, Proposal, Strategy, StrategyError},
};

pub(super) struct ShcXu {
    first: Option<Code>,
    climb: Climb,
    inducer: Inducer,
    pool: ColorPool,
    all_colors: Vec<bool>,
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    Ok(Box::new(ShcXu::new(rules, arguments.code("first", rules))))
}

impl Strategy for ShcXu {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let found = self.guess(history, search, Watch::default())?;
        Ok(found.unwrap_or_else(|| Proposal::last_resort(history.rules(), None, search)))
    }
}

impl ShcXu {
    pub(super) fn new(rules: &Rules, first: Option<Code>) -> Self {
        Self {
            first,
            climb: Climb::new(rules, false),
            inducer: Inducer::new(rules.cells()),
            pool: ColorPool::new(rules.colors()),
            all_colors: vec![true; usize::from(rules.colors())],
        }
    }

    /// The next guess; `None` when the patience ran out.
    pub(super) fn guess(
        &mut self,
        history: &History,
        search: &mut Search<'_>,
        patience: Watch<'_>,
    ) -> Result<Option<Proposal>, StrategyError> {
        let Some(favorite) = favorite(history.turns()) else {
            let guess = self.first.clone().unwrap_or_else(|| search.rng.code(history.rules()));
            return Ok(Some(Proposal::new(guess, Basis::Consistent)));
        };
        let Self { climb, inducer, pool, all_colors, .. } = self;
        let (guess, score, repeats) = (&favorite.guess, Score::of(favorite), history.rules().repeats());
        climb.find(history, search, patience, inducer, |inducer, rng| {
            if !inducer.keep_and_shift(guess, score, false, rng) {
                return false;
            }
            pool.even(all_colors);
            if !repeats {
                inducer.given(guess).for_each(|color| pool.remove(color));
            }
            inducer.fill(|cell| {
                let color = pool.draw_except(guess[cell], rng)?;
                if !repeats {
                    pool.remove(color);
                }
                Some(color)
            })
        })
    }
}

fn favorite(turns: &[Turn]) -> Option<&Turn> {
    turns.iter().reduce(|favorite, turn| {
        let (score, best) = (Score::of(turn), Score::of(favorite));
        let better = score.pegs > best.pegs || (score.pegs == best.pegs && score.black > score.white());
        if better { turn } else { favorite }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_black_than_white_pegs_make_a_favorite() {
        let rules: Rules = "4x6".parse().unwrap();
        let favorite = |turns: &[&str]| {
            let history = History::parse(&rules, turns.iter().copied()).unwrap();
            favorite(history.turns()).map(|turn| turn.guess.notation(6).to_string())
        };
        assert_eq!(favorite(&[]), None);
        assert_eq!(favorite(&["1122=1,1", "1344=1,1"]).as_deref(), Some("1122"));
        assert_eq!(favorite(&["1122=1,1", "1344=2,0"]).as_deref(), Some("1344"));
        assert_eq!(favorite(&["1122=2,0", "1344=0,3"]).as_deref(), Some("1344"));
        assert_eq!(favorite(&["1122=2,0", "1344=1,0"]).as_deref(), Some("1122"));
    }
}
