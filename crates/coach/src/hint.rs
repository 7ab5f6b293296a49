//! Hints: the next guess and its justification.

use pegwise_game::{Code, History, Space, Table};
use pegwise_solve::{Basis, Position, Proposal, Search, Strategy, StrategyError, tree::exact::ExactSolver};
use serde::{Deserialize, Serialize};

use crate::candidates::{self, Candidates};
use crate::figure::{Amount, Magnitude as _, Uncertain, field};
use crate::mend::{self, Contradiction, mend};
use crate::notes::{Note, Notes};
use crate::rate::{self, BITS, Ranker, RatedGuess, Rater};
use crate::valuation::{self, GuessValuation, Valuation};

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

/// Number of consistent codes, as a serializable answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RemainingCodes {
    /// Number of consistent codes.
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
/// If parts of the notes are unknown, a position strategy receives the set of consistent codes. Instead of any other
/// strategy, the one-step ranking of the guesses decides, as for the default strategy. It uses a sample if the codes
/// cannot be listed, and then says so in the basis.
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
    advise(notes, strategy, HintPolicy::FollowStrategy, search)
}

/// Returns a [`hint`], replaced by a better guess if an exact search finds one.
///
/// # Errors
/// The same as for [`hint`].
pub fn best_hint(notes: &Notes, strategy: &mut dyn Strategy, search: &mut Search<'_>) -> Result<Hint, HintError> {
    advise(notes, strategy, HintPolicy::PreferBest, search)
}

/// Choice between the strategy's guess and a better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HintPolicy {
    FollowStrategy,
    PreferBest,
}

fn advise(
    notes: &Notes,
    strategy: &mut dyn Strategy,
    policy: HintPolicy,
    search: &mut Search<'_>,
) -> Result<Hint, HintError> {
    if mend::is_obvious(notes, search) {
        return Err(HintError::Contradiction(mend::explain(notes, search)));
    }
    match notes.history() {
        Some(history) => hint_for_history(notes, &history, strategy, policy, search),
        None => hint_for_partial_notes(notes, strategy, search),
    }
}

/// Returns the next guess for a secret from a list known to the strategy. The numbers refer to that list.
///
/// # Errors
/// Returns an error if no code of the list is consistent, or if the game is over.
pub fn hint_among(history: &History, strategy: &mut dyn Strategy, search: &mut Search<'_>) -> Result<Hint, HintError> {
    let notes = Notes::from(history);
    let Proposal { guess, basis, remaining, rated, alternatives } = proposal(&notes, history, strategy, search)?;
    let rated_guess = |other: pegwise_solve::Alternative| RatedGuess {
        rank: 1,
        consistent: other.consistent,
        score: Uncertain::Exact(other.score),
        unit: other.unit.into_owned(),
        expected_remaining: Uncertain::Exact(other.expected_remaining),
        chance: if other.consistent { Uncertain::Unknown } else { Uncertain::Exact(0.0) },
        lost: Uncertain::Unknown,
        guess: other.guess,
    };
    let mut hint = Hint {
        guess,
        basis,
        remaining: remaining.map_or(Uncertain::Unknown, Amount::from),
        possible: Vec::new(),
        rated: rated.map(rated_guess),
        alternatives: alternatives.into_iter().map(rated_guess).collect(),
        why: String::new(),
    };
    hint.rank();
    Ok(hint.with_reason(&notes))
}

/// Returns the number of codes consistent with the notes: exact, estimated, or an upper bound.
pub fn remaining(notes: &Notes, search: &mut Search<'_>) -> Amount {
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
    policy: HintPolicy,
    search: &mut Search<'_>,
) -> Result<Hint, HintError> {
    let Proposal { guess, basis, rated, alternatives, .. } = proposal(notes, history, strategy, search)?;
    let candidates = Candidates::find(notes, None, search);
    if candidates.is_contradiction() {
        return Err(HintError::Contradiction(mend::explain(notes, search)));
    }
    let unit = rated.as_ref().map_or_else(|| BITS.to_owned(), |rated| rated.unit.to_string());
    let mut others: Vec<Code> = alternatives.into_iter().map(|other| other.guess).collect();
    if search.alternatives > 0 && rated.is_none() {
        others = Ranker::new(notes, &candidates, search)
            .map_or_else(Vec::new, |mut ranker| ranker.best(search.alternatives + 1, search).0);
        others.retain(|other| *other != guess);
        others.truncate(search.alternatives);
    }
    let mut hint = Hint::new(guess, basis, &candidates);
    if candidates.codes.is_empty() {
        hint.basis = Basis::BestEffort("no code that fits was found, which is no proof that there is none".to_owned());
    }
    let mut asked: Vec<Code> = std::iter::once(hint.guess.clone()).chain(others).collect();
    let mut lost: Vec<(Code, Uncertain<f64>)> = Vec::new();
    if hint.basis == Basis::Proven {
        lost.push((hint.guess.clone(), Uncertain::Exact(0.0)));
    }
    if let Some(value) = valuation_of(history, &candidates, &asked, search) {
        let loses = value.lost.first().and_then(|lost| lost.exact_value()).is_some_and(|lost| lost > 0.0);
        lost = asked.iter().cloned().zip(value.lost).chain([(value.best.clone(), Uncertain::Exact(0.0))]).collect();
        if policy == HintPolicy::PreferBest && loses {
            // The replaced guess becomes the best alternative.
            asked.retain(|other| *other != value.best);
            asked.insert(0, value.best.clone());
            asked.truncate(search.alternatives + 1);
            (hint.guess, hint.basis) = (value.best, Basis::Scored);
        }
    }
    hint.compare(notes, &candidates, asked.split_off(1), &unit, search);
    for rated in hint.rated.iter_mut().chain(&mut hint.alternatives) {
        let known = lost.iter().find(|(guess, _)| *guess == rated.guess);
        rated.lost = known.map_or(Uncertain::Unknown, |(_, lost)| *lost);
    }
    hint.rank();
    Ok(hint.with_reason(notes))
}

/// Returns the exact valuation of the guesses, if the position can be searched.
fn valuation_of(history: &History, candidates: &Candidates, asked: &[Code], search: &Search<'_>) -> Option<Valuation> {
    let rules = history.rules();
    // Before the first turn the tree provides the guess, and a search would take too long.
    if !candidates.complete || history.is_empty() || !valuation::is_searchable(rules, candidates.codes.len()) {
        return None;
    }
    let codes = Table::from_codes(rules, &candidates.codes).ok()?;
    let watch = search.watch();
    let outlook = ExactSolver::new(rules, watch)?;
    let guesses: Vec<Code> = history.turns().iter().map(|turn| turn.guess.clone()).collect();
    let position = Position { codes: &codes, guesses: &guesses };
    GuessValuation::new(rules, Some(&outlook)).exact(position, asked, watch)
}

fn hint_for_partial_notes(
    notes: &Notes,
    strategy: &mut dyn Strategy,
    search: &mut Search<'_>,
) -> Result<Hint, HintError> {
    if notes.notes().last().and_then(Note::turn).is_some_and(|turn| turn.feedback.is_winning(notes.rules())) {
        return Err(mend(notes, search).map_or(HintError::Solved, HintError::Contradiction));
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
        let reason = "no code that fits was found, which is no proof that there is none";
        let basis = Basis::BestEffort(reason.to_owned());
        return Ok(Hint::new(guess, basis, &candidates).with_reason(notes));
    }
    let guess = rate::choose_by_position(notes, &candidates, strategy, search);
    let first = candidates.codes[0].clone();
    let Some(mut ranker) = Ranker::new(notes, &candidates, search) else {
        let guess = guess.unwrap_or(first);
        return Ok(Hint::new(guess, Basis::Consistent, &candidates).with_reason(notes));
    };
    let (ranked, mut basis) = ranker.best(search.alternatives + 1, search);
    if guess.is_some() {
        basis = Basis::Scored;
    }
    let guess = guess.or_else(|| ranked.first().cloned()).unwrap_or(first);
    if candidates.complete && candidates.codes.len() == 1 {
        basis = Basis::Proven;
    }
    let others = ranked.into_iter().filter(|other| *other != guess).take(search.alternatives).collect();
    let mut hint = Hint::new(guess, basis, &candidates);
    hint.compare(notes, &candidates, others, BITS, search);
    hint.rank();
    Ok(hint.with_reason(notes))
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

    /// Assigns ranks and sorts the alternatives by rank.
    fn rank(&mut self) {
        let mut all: Vec<&mut RatedGuess> = self.rated.iter_mut().chain(&mut self.alternatives).collect();
        rate::rank(&mut all);
        self.alternatives.sort_by_key(|rated| rated.rank);
    }

    /// Adds the explanation.
    fn with_reason(self, notes: &Notes) -> Self {
        Self { why: reason(notes, &self), ..self }
    }
}

/// Returns the explanation of a hint.
fn reason(notes: &Notes, hint: &Hint) -> String {
    if hint.remaining.exact() == Some(1) && notes.is_consistent(&hint.guess) {
        return "the only code left".to_owned();
    }
    let lost = hint.rated.as_ref().and_then(|rated| rated.lost.exact_value());
    let basis = match (&hint.basis, lost) {
        (Basis::Proven, _) => "a proven tree plays it: no strategy needs fewer guesses on average".to_owned(),
        (_, Some(0.0)) => "all ways to go on were searched: no guess takes fewer guesses on average".to_owned(),
        (Basis::Scored, _) if hint.rated.as_ref().is_some_and(|rated| !rated.score.is_exact()) => {
            "no guess that was compared is known to tell more".to_owned()
        }
        (Basis::Scored, _) => "it tells most of the guesses compared".to_owned(),
        (Basis::Consistent, _) => "it fits every turn so far".to_owned(),
        (Basis::Planned, _) => "a question of the strategy's plan".to_owned(),
        (Basis::BestEffort(reason), _) => reason.clone(),
        (other, _) => other.to_string(),
    };
    let Some(rated) = &hint.rated else { return basis };
    let secret =
        if rated.consistent { "it can be the secret" } else { "it cannot be the secret, but tells the others apart" };
    match rated.expected_remaining {
        Uncertain::Exact(left) => {
            format!("{basis}; {secret}; it leaves {} of {} on average", left.text(), hint.remaining.codes())
        }
        left @ Uncertain::Estimate { .. } => format!("{basis}; {secret}; it leaves {left} on average"),
        _ => format!("{basis}; {secret}"),
    }
}
