//! How well a game was played, guess by guess.
//!
//! *Skill* compares what a guess was expected to leave with what the best guess there was expected to leave; *luck* says how
//! many other answers would have left more. `docs/skill-and-luck.md` defines both.

mod advice;
mod field;
mod others;
mod split;

use std::fmt;

use pegwise_game::{Code, CodeErrorReason, Count, Feedback, History, Judge, Rules, Turn};
use pegwise_solve::{
    Basis, Search, Strategy,
    candidates::{self, listed},
    catalog,
};
use serde::{Deserialize, Serialize};

use self::{field::Field, split::Split};
use crate::{
    amount::Amount,
    mend::{Contradiction, mend},
    notes::Notes,
};

/// How well a game was played.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Analysis {
    /// The rules.
    pub rules: Rules,
    /// The secret, where it is known: it was given, or found, or is the only code left.
    pub secret: Option<Code>,
    /// Whether the last guess was right.
    pub solved: bool,
    /// What there is to say of each guess.
    pub turns: Vec<Verdict>,
    /// The mean skill of the guesses, from 0 to 100.
    pub skill: Option<f64>,
    /// The mean luck of the answers, from 0 to 100; 50 is what chance gives.
    pub luck: Option<f64>,
    /// How many codes are still to be tried.
    pub remaining: Amount,
    /// The codes still to be tried, where they are few.
    pub possible: Vec<Code>,
    /// How others would have played against the same secret, where it is known.
    pub others: Vec<OtherPlay>,
    /// The game in a sentence or two.
    pub summary: String,
}

/// What there is to say of a guess.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// The guess.
    pub guess: Code,
    /// What it was answered.
    pub feedback: Feedback,
    /// Codes that were possible before the guess.
    pub before: Amount,
    /// Codes still to be tried after the answer; none when the guess was right.
    pub after: Amount,
    /// How many the guess was expected to leave; `None` where that is not known, or past what a double holds.
    pub expected: Option<f64>,
    /// Whether the guess could have been the secret.
    pub consistent: bool,
    /// The best guess there.
    pub best: Option<Choice>,
    /// How near the guess was to the best, from 0 to 100.
    pub skill: Option<f64>,
    /// How kind the answer was, from 0 to 100; `None` where only one answer was possible.
    pub luck: Option<f64>,
    /// What to learn from it.
    pub advice: String,
    /// Whether every code and every guess was looked at, so that the numbers are exact.
    pub exact: bool,
}

/// A guess that could have been played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The guess.
    pub guess: Code,
    /// Whether it could have been the secret.
    pub consistent: bool,
    /// How many codes it was expected to leave.
    pub expected: Option<f64>,
}

/// A strategy against the same secret.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherPlay {
    /// The strategy, by its name in the catalog.
    pub strategy: &'static str,
    /// Whether it found the secret.
    pub solved: bool,
    /// How many guesses it took.
    pub guesses: usize,
    /// Its turns.
    pub turns: Vec<OtherTurn>,
}

/// A turn of a strategy against the same secret.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OtherTurn {
    /// The guess.
    pub guess: Code,
    /// What it was answered.
    pub feedback: Feedback,
    /// Codes still to be tried after it, where the strategy counted.
    pub after: Option<Count>,
}

/// Why a game cannot be analyzed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyzeError {
    /// No code fits the turns.
    #[error("{0}")]
    Contradiction(Contradiction),
    /// The secret is no code of the rules.
    #[error("the secret is not a code of these rules: {0}")]
    Secret(CodeErrorReason),
    /// The secret would have been answered otherwise.
    #[error("{0}")]
    OtherAnswer(OtherAnswer),
    /// A turn follows the one that found the code.
    #[error("turn {turn} found the code, so the game was over there; leave the later turns away")]
    AfterTheEnd {
        /// The turn that found it, by one-based number.
        turn: usize,
    },
}

/// A turn that was not answered as the secret asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherAnswer {
    /// The rules.
    pub rules: Rules,
    /// The secret.
    pub secret: Code,
    /// The turn, by one-based number.
    pub turn: usize,
    /// The turn as it was given.
    pub was: Turn,
    /// What the guess is answered with that secret.
    pub answer: Feedback,
}

impl fmt::Display for OtherAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, secret, turn, was, answer } = self;
        let (secret, guess) = (secret.notation(rules.colors()), was.guess.notation(rules.colors()));
        let given = &was.feedback;
        write!(f, "turn {turn}: with the secret {secret}, {guess} is answered {answer}, not {given}")
    }
}

/// Looks at a game, finished or not. The limits of the search hold for each guess.
///
/// ```
/// use pegwise_coach::analyze;
/// use pegwise_game::{History, Rules};
/// use pegwise_solve::Search;
/// let rules: Rules = "4x6".parse()?;
/// let history = History::parse(&rules, ["1111=1,0", "1122=1,0", "1344=4,0"])?;
/// let analysis = analyze(&history, None, &mut Search::new(1))?;
/// assert!(analysis.solved);
/// assert_eq!(analysis.turns[0].before.exact(), Some(1296));
/// assert_eq!(analysis.turns[0].after.exact(), Some(500));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyze(history: &History, secret: Option<&Code>, search: &mut Search<'_>) -> Result<Analysis, AnalyzeError> {
    let rules = history.rules();
    check(history, secret)?;
    if winner(history).is_some_and(|winner| !history.is_consistent(winner)) {
        return Err(contradiction(history, search));
    }
    let mut before = History::new(rules.clone());
    let mut field = Field::new(rules, secret.or(winner(history)));
    let mut best = best_player(rules);
    let mut turns: Vec<Verdict> = Vec::new();
    for turn in history.turns() {
        search.begin_guess();
        let codes = field.at(&before, search);
        if let Some(last) = turns.last_mut() {
            last.after = codes.amount;
        }
        if codes.is_contradiction() {
            return Err(contradiction(history, search));
        }
        let split = Split::of(rules, &turn.guess, &codes);
        field.answered(&codes, split.as_ref().map_or(1.0, |split| split.share(&turn.feedback)));
        turns.push(verdict(turn, split.as_ref(), &before, &codes, &mut best, search));
        // Turns of a history fit its rules.
        let _ = before.push(turn.clone());
    }
    search.begin_guess();
    let mut remaining = Amount::Exact(Count::Exact(0));
    let mut left = Vec::new();
    if !history.is_solved() {
        let codes = field.at(&before, search);
        if codes.is_contradiction() {
            return Err(contradiction(history, search));
        }
        remaining = codes.amount;
        left = codes.few();
    }
    if let Some(last) = turns.last_mut() {
        last.after = remaining;
    }
    let solved = history.is_solved();
    for (at, verdict) in turns.iter_mut().enumerate() {
        verdict.advice = advice::of(history, at, verdict);
    }
    let only = if left.len() == 1 && remaining.exact() == Some(1) { left.first() } else { None };
    let secret = secret.or(winner(history)).or(only).cloned();
    let others = secret.as_ref().map(|secret| others::plays(rules, secret, search)).unwrap_or_default();
    let mean = |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let skill = mean(turns.iter().filter_map(|turn| turn.skill).collect());
    let luck = mean(turns.iter().filter_map(|turn| turn.luck).collect());
    let summary = advice::summary(&turns, solved, skill, luck, remaining, &others);
    Ok(Analysis {
        rules: rules.clone(),
        secret,
        solved,
        turns,
        skill,
        luck,
        remaining,
        possible: left,
        others,
        summary,
    })
}

/// The code that the last turn found.
fn winner(history: &History) -> Option<&Code> {
    history.turns().last().filter(|_| history.is_solved()).map(|turn| &turn.guess)
}

fn check(history: &History, secret: Option<&Code>) -> Result<(), AnalyzeError> {
    let rules = history.rules();
    let ended = history.turns().iter().position(|turn| turn.feedback.is_winning(rules));
    if let Some(turn) = ended.filter(|turn| turn + 1 < history.len()) {
        return Err(AnalyzeError::AfterTheEnd { turn: turn + 1 });
    }
    let Some(secret) = secret else { return Ok(()) };
    rules.check_code(secret).map_err(AnalyzeError::Secret)?;
    let mut judge = Judge::new(rules);
    for (number, turn) in (1..).zip(history.turns()) {
        let answer = judge.feedback(&turn.guess, secret);
        if answer != turn.feedback {
            let (rules, secret, was) = (rules.clone(), secret.clone(), turn.clone());
            return Err(AnalyzeError::OtherAnswer(OtherAnswer { rules, secret, turn: number, was, answer }));
        }
    }
    Ok(())
}

fn contradiction(history: &History, search: &mut Search<'_>) -> AnalyzeError {
    search.begin_guess();
    let mended = mend(&Notes::from(history), search);
    AnalyzeError::Contradiction(
        mended.unwrap_or_else(|| Contradiction::of_turns(candidates::contradiction(history, search))),
    )
}

/// Who finds the best guess: the one that is expected to leave the fewest codes, or on large boards the default strategy.
const BEST: [&str; 2] = ["irving", "adaptive"];

fn best_player(rules: &Rules) -> Option<Box<dyn Strategy>> {
    let player = |name: &&str| catalog::strategy(name, rules).ok();
    if listed::is_listable(rules) { BEST.iter().find_map(player) } else { BEST.iter().rev().find_map(player) }
}

fn verdict(
    turn: &Turn,
    split: Option<&Split>,
    before: &History,
    codes: &field::Codes,
    best: &mut Option<Box<dyn Strategy>>,
    search: &mut Search<'_>,
) -> Verdict {
    let rules = before.rules();
    let expected = split.and_then(|split| split.expected(codes));
    let is_consistent = |guess: &Code| before.is_consistent(guess);
    let proposal = best.as_mut().and_then(|best| best.next_guess(before, search).ok());
    let exact_best = proposal.as_ref().is_some_and(|proposal| !matches!(proposal.basis, Basis::BestEffort(_)));
    let proposed = proposal.and_then(|proposal| Some((Split::of(rules, &proposal.guess, codes)?, proposal.guess)));
    let (skill, best) = match (split, proposed) {
        (Some(own), Some((other, guess))) => {
            let better = other.left() < own.left();
            let (guess, split) = if better { (guess, &other) } else { (turn.guess.clone(), own) };
            let choice = Choice { consistent: is_consistent(&guess), guess, expected: split.expected(codes) };
            (Some(split::skill(split, own)), Some(choice))
        }
        _ => (None, None),
    };
    let luck = split.and_then(|split| split.luck(&turn.feedback));
    Verdict {
        guess: turn.guess.clone(),
        feedback: turn.feedback.clone(),
        before: codes.amount,
        after: codes.amount,
        expected,
        consistent: is_consistent(&turn.guess),
        best,
        skill,
        luck,
        advice: String::new(),
        exact: codes.complete && exact_best,
    }
}
