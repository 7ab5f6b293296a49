//! The next guess, and why.

use pegwise_game::{Code, Count, History, Space};
use pegwise_solve::{Alternative, Basis, Proposal, Search, Strategy, StrategyError};
use serde::{Deserialize, Serialize};

use crate::{
    mend::{Contradiction, mend},
    notes::{Note, Notes},
    possible::{self, Possible},
    rank::{self, Ranker},
    words,
};

/// The next guess for a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    /// The guess.
    pub guess: Code,
    /// What it rests on.
    pub basis: Basis,
    /// How many codes fit the notes, where they were counted.
    pub remaining: Option<Count>,
    /// How the guess compares with the alternatives.
    pub rated: Option<Alternative>,
    /// The next best guesses, as many as [`Search::alternatives`] asks for.
    pub alternatives: Vec<Alternative>,
    /// Why this guess, in words.
    pub why: String,
}

/// Why there is no hint.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HintError {
    /// No code fits the notes.
    #[error("{0}")]
    Contradiction(Contradiction),
    /// The last turn won.
    #[error("the game is over: the last turn found the code; there is nothing left to guess")]
    Solved,
    /// The strategy has no guess.
    #[error(transparent)]
    Strategy(StrategyError),
}

/// The next guess of a strategy, how many codes remain, and the best alternatives.
///
/// Where parts of the notes are unknown, a strategy that looks at nothing but the codes that fit is given those; for any
/// other, guesses are compared by what they tell about those codes, as the default strategy does. Where these are too many
/// to list, a sample of them serves, and the basis says so.
///
/// ```
/// use pegwise_coach::{Notes, hint};
/// use pegwise_game::{Count, Rules};
/// use pegwise_solve::{Search, catalog};
/// let rules: Rules = "4x6".parse()?;
/// let notes = Notes::parse(&rules, ["1122=1,1", "1344=0,?"])?;
/// let mut search = Search::new(1);
/// search.alternatives = 3;
/// let hint = hint(&notes, &mut *catalog::strategy("knuth", &rules)?, &mut search)?;
/// assert_eq!(hint.alternatives.len(), 3);
/// assert_eq!(hint.remaining, Some(Count::Exact(109)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hint(notes: &Notes, strategy: &mut dyn Strategy, search: &mut Search<'_>) -> Result<Hint, HintError> {
    match notes.history() {
        Some(history) => of_history(notes, &history, strategy, search),
        None => of_partial(notes, strategy, search),
    }
}

/// How many codes fit the notes; `None` where they are too many to count within the limits.
pub fn remaining(notes: &Notes, search: &mut Search<'_>) -> Option<Count> {
    if notes.notes().is_empty() {
        return Some(Space::new(notes.rules()).count());
    }
    possible::count(notes, search)
}

fn of_history(
    notes: &Notes,
    history: &History,
    strategy: &mut dyn Strategy,
    search: &mut Search<'_>,
) -> Result<Hint, HintError> {
    let proposal = strategy.next_guess(history, search).map_err(|error| match error {
        StrategyError::Contradiction { turns } => {
            search.begin_guess();
            let mended = mend(notes, search);
            HintError::Contradiction(mended.unwrap_or_else(|| Contradiction::of_turns(turns)))
        }
        // A last turn that claims to have won may contradict the others all the same.
        StrategyError::AlreadySolved => mend(notes, search).map_or(HintError::Solved, HintError::Contradiction),
        error => HintError::Strategy(error),
    })?;
    let Proposal { guess, basis, remaining, rated, alternatives } = proposal;
    let mut hint = Hint { guess, basis, remaining, rated, alternatives, why: String::new() };
    let unrated = search.alternatives > 0 && hint.rated.is_none();
    let mut counted = true;
    if hint.remaining.is_none() || unrated {
        let possible = Possible::of(notes, search);
        hint.remaining = hint.remaining.or_else(|| possible.count());
        if unrated {
            compare(&mut hint, notes, &possible, search);
            counted = possible.complete;
        }
    }
    Ok(hint.explained(notes, counted))
}

/// Adds how the guess and the best others do.
fn compare(hint: &mut Hint, notes: &Notes, possible: &Possible, search: &mut Search<'_>) {
    let Some(mut ranker) = Ranker::new(notes, possible, search) else { return };
    hint.rated = Some(ranker.rate(hint.guess.clone()));
    let (best, _) = ranker.best(search.alternatives + 1, search);
    hint.alternatives = best.into_iter().filter(|other| other.guess != hint.guess).take(search.alternatives).collect();
}

fn of_partial(notes: &Notes, strategy: &mut dyn Strategy, search: &mut Search<'_>) -> Result<Hint, HintError> {
    if notes.notes().last().and_then(Note::turn).is_some_and(|turn| turn.feedback.is_winning(notes.rules())) {
        return Err(mend(notes, search).map_or(HintError::Solved, HintError::Contradiction));
    }
    let possible = Possible::of(notes, search);
    let remaining = possible.count();
    if possible.codes.is_empty() {
        if let Some(contradiction) = mend(notes, search) {
            return Err(HintError::Contradiction(contradiction));
        }
        let guess = strategy.next_guess(&notes.known(), search).map_err(HintError::Strategy)?.guess;
        let basis = Basis::BestEffort("no code that fits was found; only the whole turns were looked at".to_owned());
        let hint = Hint { guess, basis, remaining, rated: None, alternatives: Vec::new(), why: String::new() };
        return Ok(hint.explained(notes, false));
    }
    let guess = rank::by_position(notes, &possible, strategy, search);
    let first = possible.codes[0].clone();
    let Some(mut ranker) = Ranker::new(notes, &possible, search) else {
        let guess = guess.unwrap_or(first);
        let basis = Basis::Consistent;
        let hint = Hint { guess, basis, remaining, rated: None, alternatives: Vec::new(), why: String::new() };
        return Ok(hint.explained(notes, false));
    };
    let (ranked, mut basis) = ranker.best(search.alternatives + 1, search);
    if guess.is_some() {
        basis = Basis::Scored;
    }
    let guess = guess.or_else(|| ranked.first().map(|best| best.guess.clone())).unwrap_or(first);
    if possible.complete && possible.codes.len() == 1 {
        basis = Basis::Proven;
    }
    let others = ranked.into_iter().filter(|other| other.guess != guess).take(search.alternatives);
    let alternatives = others.collect();
    let rated = (search.alternatives > 0).then(|| ranker.rate(guess.clone()));
    let hint = Hint { guess, basis, remaining, rated, alternatives, why: String::new() };
    Ok(hint.explained(notes, possible.complete))
}

impl Hint {
    /// The same hint with its reason. Guesses were compared by all codes that fit if they were `counted`, or by a sample.
    fn explained(self, notes: &Notes, counted: bool) -> Self {
        Self { why: why(notes, &self, counted), ..self }
    }
}

/// Why a guess, in words.
fn why(notes: &Notes, hint: &Hint, counted: bool) -> String {
    if hint.remaining == Some(Count::Exact(1)) && notes.fit(&hint.guess) {
        return "the only code left".to_owned();
    }
    let basis = match &hint.basis {
        Basis::Proven => "a proven tree plays it: no strategy needs fewer guesses on average".to_owned(),
        Basis::Scored => "it tells most of the guesses compared".to_owned(),
        Basis::Consistent => "it fits every turn so far".to_owned(),
        Basis::Planned => "a question of the strategy's plan".to_owned(),
        Basis::BestEffort(why) => why.clone(),
        other => other.to_string(),
    };
    let Some(rated) = &hint.rated else { return basis };
    let secret =
        if rated.consistent { "it can be the secret" } else { "it cannot be the secret, but tells the others apart" };
    match hint.remaining.filter(|_| counted) {
        Some(count) => {
            let (left, of) = (words::average(rated.expected_remaining), words::codes(count));
            format!("{basis}; {secret}; it leaves {left} of {of} on average")
        }
        // What it leaves of a sample says little to people.
        None => format!("{basis}; {secret}"),
    }
}
