//! Hints: the next guess and its justification.

use std::cell::Cell;

use pegwise_game::{Code, History, Space, Table};
use pegwise_solve::{
    Alternative, Basis, Position, Proposal, Renaming, Search, Strategy, StrategyError,
    exact::{ExactValues, RankedGuesses},
};
use serde::{Deserialize, Serialize};

use crate::candidates::{self, Candidates};
use crate::figure::{Amount, Magnitude as _, Uncertain, field};
use crate::mend::{self, Contradiction, mend};
use crate::notes::Notes;
use crate::rate::{self, BITS, RankOrder, Ranker, RatedGuess, Rater};

/// A proposed guess.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    /// The guess.
    pub guess: Code,
    /// Justification of the guess.
    pub basis: Basis,
    /// Number of codes consistent with the notes.
    #[serde(flatten, with = "field::remaining")]
    pub remaining: Amount,
    /// All consistent codes, if there are at most ten.
    pub possible: Vec<Code>,
    /// Rating of the guess, if alternatives were requested.
    pub rated: Option<RatedGuess>,
    /// Next best guesses, at most [`Search::alternatives`].
    pub alternatives: Vec<RatedGuess>,
    /// Explanation for the player.
    pub why: String,
}

/// Number of codes left, as a serializable answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RemainingCodes {
    /// Number of codes left.
    #[serde(flatten, with = "field::remaining")]
    pub remaining: Amount,
}

/// Maximum number of codes listed in an answer.
pub(crate) const MAX_LISTED: usize = 10;

/// Reason why there is no hint.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HintError {
    /// No code is consistent with the notes.
    #[error("{0}")]
    Contradiction(Contradiction),
    /// The last turn found the code.
    #[error("the game is over: the last turn found the code; there is nothing left to guess")]
    Solved,
    /// The strategy failed.
    #[error(transparent)]
    Strategy(StrategyError),
}

/// Returns the next guess of a strategy, the number of remaining codes, and the best alternatives.
///
/// If parts of the notes are unknown, a position strategy receives the set of consistent codes. Any other strategy is
/// replaced by the one-step ranking of the default strategy. If the codes cannot be listed, the ranking uses a sample,
/// and the basis says so.
///
/// ```
/// use pegwise_coach::{Notes, hint};
/// use pegwise_game::Rules;
/// use pegwise_solve::{Search, catalog};
/// let rules: Rules = "4x6".parse()?;
/// let notes = Notes::parse(&rules, ["1122=1,1", "1344=0,?"])?;
/// let mut search = Search::new(1);
/// search.alternatives = 3;
/// let hint = hint(&notes, &mut *catalog::strategy("knuth", &rules)?, &mut search)?;
/// assert_eq!(hint.alternatives.len(), 3);
/// assert_eq!(hint.remaining.exact(), Some(109));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hint(notes: &Notes, strategy: &mut dyn Strategy, search: &mut Search<'_>) -> Result<Hint, HintError> {
    if mend::is_obvious(notes, search) {
        return Err(HintError::Contradiction(mend::explain(notes, search)));
    }
    with_comparison(search, |search| match notes.history() {
        Some(history) => hint_for_history(notes, &history, strategy, search),
        None => hint_for_partial_notes(notes, strategy, search),
    })
}

/// Finds a hint with at least one alternative, so that guess and explanation do not depend on the number of
/// alternatives, and omits what was not requested.
fn with_comparison<'a>(
    search: &mut Search<'a>,
    find: impl FnOnce(&mut Search<'a>) -> Result<Hint, HintError>,
) -> Result<Hint, HintError> {
    let requested = search.alternatives;
    search.alternatives = requested.max(1);
    let found = find(search);
    search.alternatives = requested;
    let mut hint = found?;
    if requested == 0 {
        (hint.rated, hint.alternatives) = (None, Vec::new());
    }
    Ok(hint)
}

/// Returns the next guess for a secret from a list known to the strategy. The numbers refer to that list.
///
/// # Errors
/// Returns an error if no code of the list is consistent, or if the game is over.
pub fn hint_among(history: &History, strategy: &mut dyn Strategy, search: &mut Search<'_>) -> Result<Hint, HintError> {
    let notes = Notes::from(history);
    with_comparison(search, |search| {
        let Proposal { guess, basis, remaining, rated, alternatives } = proposal(&notes, history, strategy, search)?;
        let rated_guess = |other: Alternative| RatedGuess {
            rank: 1,
            consistent: other.consistent,
            score: Uncertain::Exact(other.score),
            unit: other.unit.into_owned(),
            expected_remaining: Uncertain::Exact(other.expected_remaining),
            chance: if other.consistent { Uncertain::Unknown } else { Uncertain::Exact(0.0) },
            lost: Uncertain::Unknown,
            guess: other.guess,
        };
        let order = rated.as_ref().map_or(RankOrder::Unknown, |_| RankOrder::Scores);
        let mut hint = Hint {
            guess,
            basis,
            remaining: remaining.map_or(Uncertain::Unknown, Amount::from),
            possible: Vec::new(),
            rated: rated.map(rated_guess),
            alternatives: alternatives.into_iter().map(rated_guess).collect(),
            why: String::new(),
        };
        hint.rank(order);
        Ok(hint.with_reason(&notes, order))
    })
}

/// Returns the number of codes left: exact, estimated, or an upper bound. None is left once the code is found.
pub fn remaining(notes: &Notes, search: &mut Search<'_>) -> Amount {
    if notes.is_solved() {
        return Amount::count(0);
    }
    if notes.notes().is_empty() {
        return Space::new(notes.rules()).count().into();
    }
    candidates::count(notes, search)
}

fn proposal(
    notes: &Notes,
    history: &History,
    strategy: &mut dyn Strategy,
    search: &mut Search<'_>,
) -> Result<Proposal, HintError> {
    strategy.next_guess(history, search).map_err(|error| match error {
        StrategyError::Contradiction { turns } => {
            let mended = mend(notes, search);
            HintError::Contradiction(mended.unwrap_or_else(|| Contradiction::from_turns(turns)))
        }
        // A winning last turn may still contradict earlier turns.
        StrategyError::AlreadySolved => mend(notes, search).map_or(HintError::Solved, HintError::Contradiction),
        error => HintError::Strategy(error),
    })
}

fn hint_for_history(
    notes: &Notes,
    history: &History,
    strategy: &mut dyn Strategy,
    search: &mut Search<'_>,
) -> Result<Hint, HintError> {
    let Proposal { guess, basis, rated, alternatives, .. } = proposal(notes, history, strategy, search)?;
    let candidates = Candidates::find(notes, None, search);
    if candidates.is_contradiction() {
        return Err(HintError::Contradiction(mend::explain(notes, search)));
    }
    let compared: Vec<Alternative> = rated.iter().cloned().chain(alternatives).collect();
    let unit = compared.first().map_or_else(|| BITS.to_owned(), |first| first.unit.to_string());
    let mut lost: Vec<(Code, Uncertain<f64>)> =
        compared.iter().filter_map(|one| Some((one.guess.clone(), Uncertain::Exact(one.lost?)))).collect();
    let mut order = match (&rated, &basis) {
        _ if !lost.is_empty() || basis == Basis::Proven => RankOrder::Lost,
        (Some(_), _) => RankOrder::Scores,
        (None, _) => RankOrder::Unknown,
    };
    let mut others: Vec<Code> = compared.iter().map(|other| other.guess.clone()).collect();
    if compared.is_empty() {
        others = Ranker::new(notes, &candidates, search)
            .map_or_else(Vec::new, |mut ranker| ranker.best(search.alternatives + 1, search).0);
    }
    others.retain(|other| *other != guess);
    others.truncate(search.alternatives);
    let mut asked: Vec<Code> = std::iter::once(guess.clone()).chain(others.iter().cloned()).collect();
    asked.retain(|one| lost.iter().all(|(known, _)| known != one));
    if strategy.searches_exactly() {
        asked.retain(|one| compared.iter().all(|other| other.guess != *one));
    }
    if !asked.is_empty() {
        lost.extend(values(history, &candidates, asked, search));
    }
    let mut hint = Hint::new(guess, basis, &candidates);
    if candidates.codes.is_empty() {
        hint.basis = Basis::BestEffort("no code that fits was found, but one may still exist".to_owned());
        order = RankOrder::Unknown;
    }
    if hint.basis == Basis::Proven {
        lost.insert(0, (hint.guess.clone(), Uncertain::Exact(0.0)));
    }
    hint.compare(notes, &candidates, others, &unit, search);
    hint.take_scores(&compared);
    hint.set_lost(&lost);
    hint.rank(order);
    Ok(hint.with_reason(notes, order))
}

/// Returns the exact loss of each guess, as far as the position can be searched.
fn values(
    history: &History,
    candidates: &Candidates,
    asked: Vec<Code>,
    search: &Search<'_>,
) -> Vec<(Code, Uncertain<f64>)> {
    let rules = history.rules();
    // Before the first turn a search would take too long.
    let codes = Table::from_codes(rules, &candidates.codes).ok().filter(|_| candidates.complete && !history.is_empty());
    // Equivalent positions take the same work.
    let (form, renaming) = Renaming::canonical(history, None);
    let Some(codes) = codes.and_then(|codes| renaming.apply_to_all(rules, &codes).ok()) else { return Vec::new() };
    let guesses = form.guesses();
    let position = Position { codes: &codes, guesses: &guesses };
    let images: Vec<Code> = asked.iter().map(|guess| renaming.apply(guess)).collect();
    let found = ExactValues::default().lost(rules, position, &images, search.watch());
    let lost = found.map_or_else(Vec::new, |(_, lost)| lost);
    asked
        .into_iter()
        .zip(lost)
        .map(|(guess, lost)| (guess, lost.map_or(Uncertain::Unknown, Uncertain::Exact)))
        .collect()
}

fn hint_for_partial_notes(
    notes: &Notes,
    strategy: &mut dyn Strategy,
    search: &mut Search<'_>,
) -> Result<Hint, HintError> {
    if notes.is_solved() {
        return Err(mend(notes, search).map_or(HintError::Solved, HintError::Contradiction));
    }
    if let Some(most) = notes.rules().max_guesses().filter(|&most| notes.notes().len() >= most as usize) {
        return Err(HintError::Strategy(StrategyError::OutOfGuesses(most)));
    }
    let candidates = Candidates::find(notes, None, search);
    if candidates.codes.is_empty() {
        // After the time limit, neither repairs nor the strategy's guess are computed.
        let late = search.watch().stop().is_some();
        if let Some(contradiction) = (!late).then(|| mend(notes, search)).flatten() {
            return Err(HintError::Contradiction(contradiction));
        }
        let guess = match late {
            true => search.rng.code(notes.rules()),
            false => strategy.next_guess(&notes.complete_turns(), search).map_err(HintError::Strategy)?.guess,
        };
        let reason = "no code that fits was found, but one may still exist";
        let basis = Basis::BestEffort(reason.to_owned());
        return Ok(Hint::new(guess, basis, &candidates).with_reason(notes, RankOrder::Unknown));
    }
    let guess = rate::choose_by_position(notes, &candidates, strategy, search);
    let first = candidates.codes[0].clone();
    let Some(mut ranker) = Ranker::new(notes, &candidates, search) else {
        let guess = guess.unwrap_or(first);
        return Ok(Hint::new(guess, Basis::Consistent, &candidates).with_reason(notes, RankOrder::Unknown));
    };
    let exact = if guess.is_none() { best_by_search(notes, &candidates, search) } else { None };
    let (mut order, lost) = (RankOrder::Unknown, exact.unwrap_or_default());
    let (mut ranked, mut basis): (Vec<Code>, Basis) =
        (lost.iter().map(|(guess, _)| guess.clone()).collect(), Basis::Scored);
    if ranked.len() <= search.alternatives {
        let (others, how) = ranker.best(search.alternatives + 1, search);
        if ranked.is_empty() && guess.is_none() {
            (basis, order) = (how, RankOrder::Scores);
        }
        ranked.extend(others);
    }
    if !lost.is_empty() {
        order = RankOrder::Lost;
    }
    let guess = guess.or_else(|| ranked.first().cloned()).unwrap_or(first);
    if candidates.complete && candidates.codes.len() == 1 {
        basis = Basis::Proven;
    }
    let mut others: Vec<Code> = Vec::new();
    for other in ranked.into_iter().filter(|other| *other != guess) {
        if !others.contains(&other) && others.len() < search.alternatives {
            others.push(other);
        }
    }
    let mut hint = Hint::new(guess, basis, &candidates);
    hint.compare(notes, &candidates, others, BITS, search);
    hint.set_lost(&lost);
    hint.rank(order);
    Ok(hint.with_reason(notes, order))
}

/// Returns the best guesses by an exact search and what they lose, if all codes are known and few.
fn best_by_search(
    notes: &Notes,
    candidates: &Candidates,
    search: &mut Search<'_>,
) -> Option<Vec<(Code, Uncertain<f64>)>> {
    let wanted = search.alternatives + 1;
    let ranked = search_position(notes, candidates, search, |ranked, _| ranked < wanted)?;
    Some(ranked.lost.into_iter().map(|(guess, lost)| (guess, Uncertain::Exact(lost))).collect())
}

fn search_position(
    notes: &Notes,
    candidates: &Candidates,
    search: &mut Search<'_>,
    wanted: impl Fn(usize, bool) -> bool,
) -> Option<RankedGuesses> {
    let rules = notes.rules();
    if !candidates.complete || candidates.codes.is_empty() {
        return None;
    }
    let codes = Table::from_codes(rules, &candidates.codes).ok()?;
    // Equivalent positions take the same work.
    let canonical = notes.history().map(|history| Renaming::canonical(&history, None));
    let (codes, guesses) = match &canonical {
        Some((form, renaming)) => (renaming.apply_to_all(rules, &codes).ok()?, form.guesses()),
        None => (codes, rate::guesses_of(notes, search)?),
    };
    let position = Position { codes: &codes, guesses: &guesses };
    let mut ranked = ExactValues::default().ranked(rules, position, search.watch(), wanted)?;
    if let Some((_, renaming)) = canonical {
        ranked.lost.iter_mut().for_each(|(guess, _)| *guess = renaming.undo(guess));
    }
    Some(ranked)
}

/// Returns every guess of least expected further guesses: codes that can be the secret first, then lower codes. `None` if the
/// position cannot be searched completely.
///
/// ```
/// use pegwise_coach::{Notes, best_guesses};
/// use pegwise_game::Rules;
/// use pegwise_solve::Search;
/// let rules: Rules = "4x6".parse()?;
/// let notes = Notes::parse(&rules, ["1111=2,0", "2222=0,0"])?;
/// assert_eq!(best_guesses(&notes, &mut Search::new(1)).map(|best| best.len()), Some(72));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_guesses(notes: &Notes, search: &mut Search<'_>) -> Option<Vec<Code>> {
    let candidates = Candidates::find(notes, None, search);
    let worse = Cell::new(false);
    let ranked = search_position(notes, &candidates, search, |_, is_best| {
        worse.set(!is_best);
        is_best
    })?;
    // A search that was stopped, or that ran out of guesses, has not seen a worse one.
    let all = Space::new(notes.rules()).count().exact() == Some(ranked.lost.len() as u128);
    let mut best: Vec<Code> = ranked.lost.into_iter().map(|(guess, _)| guess).collect();
    best.sort_by_cached_key(|guess| (!notes.is_consistent(guess), guess.clone()));
    (worse.get() || all).then_some(best)
}

impl Hint {
    fn new(guess: Code, basis: Basis, candidates: &Candidates) -> Self {
        let (remaining, possible) = (candidates.count, candidates.if_at_most(MAX_LISTED));
        Self { guess, basis, remaining, possible, rated: None, alternatives: Vec::new(), why: String::new() }
    }

    /// Rates the guess and the alternatives, if alternatives were requested.
    fn compare(
        &mut self,
        notes: &Notes,
        candidates: &Candidates,
        others: Vec<Code>,
        unit: &str,
        search: &mut Search<'_>,
    ) {
        if search.alternatives == 0 {
            return;
        }
        let mut rater = Rater::new(notes, candidates);
        self.rated = Some(rater.rate(self.guess.clone(), unit, search));
        self.alternatives = others.into_iter().map(|other| rater.rate(other, unit, search)).collect();
    }

    /// Takes over the strategy's scores in the unit that only the strategy can compute.
    fn take_scores(&mut self, compared: &[Alternative]) {
        let rated = self.rated.iter_mut().chain(&mut self.alternatives);
        for rated in rated.filter(|rated| rated.unit == rate::WEIGHTED_BITS) {
            let own = compared.iter().find(|own| own.guess == rated.guess);
            rated.score = own.map_or(Uncertain::Unknown, |own| Uncertain::Exact(own.score));
        }
    }

    fn set_lost(&mut self, lost: &[(Code, Uncertain<f64>)]) {
        for rated in self.rated.iter_mut().chain(&mut self.alternatives) {
            let known = lost.iter().find(|(guess, _)| *guess == rated.guess);
            rated.lost = known.map_or(Uncertain::Unknown, |(_, lost)| *lost);
        }
    }

    /// Assigns ranks and sorts the alternatives by rank.
    fn rank(&mut self, order: RankOrder) {
        let mut all: Vec<&mut RatedGuess> = self.rated.iter_mut().chain(&mut self.alternatives).collect();
        rate::rank(&mut all, order);
        self.alternatives.sort_by_key(|rated| rated.rank);
    }

    /// Adds the explanation.
    fn with_reason(self, notes: &Notes, order: RankOrder) -> Self {
        Self { why: reason(notes, &self, order), ..self }
    }
}

/// Returns the explanation of a hint: by the criterion that chose the guess.
fn reason(notes: &Notes, hint: &Hint, order: RankOrder) -> String {
    if hint.remaining.exact() == Some(1) && notes.is_consistent(&hint.guess) {
        return "the only code left".to_owned();
    }
    let rated = hint.rated.as_ref();
    let basis = match (&hint.basis, order, rated) {
        (Basis::Proven, ..) => "proven optimal: nothing does better on average",
        (Basis::Scored, RankOrder::Lost, Some(rated)) if rated.lost.exact_value() == Some(0.0) => {
            "best possible: no guess does better on average"
        }
        (Basis::Scored, RankOrder::Scores, Some(rated)) => match rated.unit.as_str() {
            _ if !rated.score.is_exact() => "no guess compared is known to be more informative",
            "codes at worst" => "no guess compared leaves fewer codes in the worst case",
            "codes on average" => "no guess compared leaves smaller parts on average",
            "parts" => "no guess compared has more possible answers",
            rate::WEIGHTED_BITS => "no guess compared has a higher weighted entropy",
            // A small bonus for guesses that can win may outweigh a little information.
            _ if rated.consistent => "no guess compared is clearly more informative",
            _ => "the most informative of the guesses compared",
        },
        (Basis::Scored, ..) => "the choice of the strategy",
        (Basis::Consistent, ..) => "it fits every turn so far",
        (Basis::Planned, ..) => "part of the strategy's plan",
        (Basis::BestEffort(reason), ..) => reason,
        _ => "the choice of the strategy",
    };
    let Some(rated) = rated else { return basis.to_owned() };
    let secret = if rated.consistent {
        "it can be the secret"
    } else {
        "it cannot be the secret, but separates the codes that can"
    };
    match rated.expected_remaining {
        Uncertain::Exact(left) => {
            format!("{basis}; {secret}; it leaves {} of {} on average", left.text(), hint.remaining.codes())
        }
        left @ Uncertain::Estimate { .. } => format!("{basis}; {secret}; it leaves {left} on average"),
        _ => format!("{basis}; {secret}"),
    }
}
