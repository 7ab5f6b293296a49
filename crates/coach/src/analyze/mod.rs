//! How well a game was played, guess by guess.
//!
//! *Guesses lost* compares a guess with the best one there, with the best play after either; *luck* says how many other answers
//! would have left more. `docs/skill-and-luck.md` defines both.

mod advice;
mod others;
mod split;

use std::{fmt, time::Duration};

use pegwise_game::{Code, CodeErrorReason, Feedback, Judge, Rules, Table, Turn};
use pegwise_solve::{Position, Search, Strategy, candidates::listed, catalog, tree, tree::exact::Outlook};
use serde::{Deserialize, Serialize};

use crate::{
    figure::{Amount, Figure, field},
    hint::FEW,
    mend::{self, Contradiction, mend},
    notes::{Note, Notes},
    possible::Possible,
    stakes::{self, Price, Stakes},
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
    /// How many guesses were lost in all, on average over all codes that were possible at each guess.
    #[serde(flatten, with = "field::lost")]
    pub lost: Figure<f64>,
    /// The mean skill of the guesses, from 0 to 100.
    #[serde(flatten, with = "field::skill")]
    pub skill: Figure<f64>,
    /// The mean luck of the answers, from 0 to 100; 50 is what chance gives.
    #[serde(flatten, with = "field::luck")]
    pub luck: Figure<f64>,
    /// How many codes are still to be tried.
    #[serde(flatten, with = "field::remaining")]
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
    /// The guess and what it was answered, as far as they are remembered.
    #[serde(flatten)]
    pub note: Note,
    /// Codes that were possible before the guess.
    #[serde(flatten, with = "field::before")]
    pub before: Amount,
    /// Codes still to be tried after the answer; none when the guess was right.
    #[serde(flatten, with = "field::after")]
    pub after: Amount,
    /// How many the guess was expected to leave.
    #[serde(flatten, with = "field::expected")]
    pub expected: Figure<f64>,
    /// Whether the guess could have been the secret; `None` where it is not remembered whole.
    pub consistent: Option<bool>,
    /// The best guess there, as far as is known.
    pub best: Option<Choice>,
    /// How many guesses it costs on average, against the best guess and the best play after either.
    #[serde(flatten, with = "field::lost")]
    pub lost: Figure<f64>,
    /// What the best guess takes of what this one takes, in guesses to come, from 0 to 100.
    #[serde(flatten, with = "field::skill")]
    pub skill: Figure<f64>,
    /// How kind the answer was, from 0 to 100; unknown where only one answer was possible.
    #[serde(flatten, with = "field::luck")]
    pub luck: Figure<f64>,
    /// What to learn from it.
    pub advice: String,
    /// Whether every number of it is exact.
    pub exact: bool,
    /// Whether it could tell nothing: every code left would be answered alike.
    #[serde(skip)]
    pub(crate) idle: bool,
}

/// A guess that could have been played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The guess.
    pub guess: Code,
    /// Whether it could have been the secret.
    pub consistent: bool,
    /// How many codes it was expected to leave.
    #[serde(flatten, with = "field::expected")]
    pub expected: Figure<f64>,
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
    #[serde(flatten, with = "field::after")]
    pub after: Amount,
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
    OtherAnswer(Box<OtherAnswer>),
    /// A turn with forgotten parts that the secret does not fit, whatever they were.
    #[error("turn {turn} cannot be with that secret, whatever was forgotten")]
    CannotBe {
        /// The turn, by one-based number.
        turn: usize,
    },
    /// What an answer was worth cannot be told where it may be a lie.
    #[error(
        "a game with lies is not analyzed: what an answer was worth depends on whether it was true; leave lies= away"
    )]
    Lies,
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
        let (secret, guess) = (secret.notation(rules.palette()), was.guess.notation(rules.palette()));
        let given = &was.feedback;
        write!(f, "turn {turn}: with the secret {secret}, {guess} is answered {answer}, not {given}")
    }
}

/// Looks at a game, finished or not, also with parts forgotten. The limits of the search hold for each guess.
///
/// ```
/// use pegwise_coach::{Notes, analyze};
/// use pegwise_game::Rules;
/// use pegwise_solve::Search;
/// let rules: Rules = "4x6".parse()?;
/// let notes = Notes::parse(&rules, ["1111=1,0", "1122=1,0", "1344=4,0"])?;
/// let analysis = analyze(&notes, None, &mut Search::new(1))?;
/// assert!(analysis.solved);
/// assert_eq!(analysis.turns[0].before.exact(), Some(1296));
/// assert_eq!(analysis.turns[0].after.exact(), Some(500));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyze(notes: &Notes, secret: Option<&Code>, search: &mut Search<'_>) -> Result<Analysis, AnalyzeError> {
    analyze_telling(notes, secret, search, |_| ())
}

/// [`analyze`] that tells how many guesses it has looked at.
///
/// # Errors
/// When no code fits the notes, or the secret does not.
pub fn analyze_telling(
    notes: &Notes,
    secret: Option<&Code>,
    search: &mut Search<'_>,
    mut tell: impl FnMut(usize),
) -> Result<Analysis, AnalyzeError> {
    let rules = notes.rules();
    check(notes, secret)?;
    let winner = winner(notes);
    if mend::is_plain(notes, search) || winner.as_ref().is_some_and(|winner| !notes.fit(winner)) {
        return Err(contradiction(notes, search));
    }
    let solved = winner.is_some();
    let known = secret.or(winner.as_ref());
    search.begin_guess();
    let outlook = Outlook::new(rules, search.watch());
    let mut judge = Adjudicator { stakes: Stakes::new(rules, outlook.as_ref()), best: best_player(rules) };
    let mut turns: Vec<Verdict> = Vec::new();
    let mut before = Notes::new(rules.clone());
    for (number, note) in notes.notes().iter().enumerate() {
        search.begin_guess();
        let mut possible = Possible::of(&before, known, search);
        if let Some(last) = turns.last_mut() {
            possible.amount = possible.amount.no_more_than(last.before);
            last.after = possible.amount;
        }
        if possible.is_contradiction() {
            return Err(contradiction(notes, search));
        }
        turns.push(judge.verdict(note, &before, &possible, search));
        before = notes.only(0..=number);
        tell(number + 1);
    }
    search.begin_guess();
    let (mut remaining, mut left, mut unfound) = (Amount::count(0), Vec::new(), false);
    if !solved {
        let possible = Possible::of(&before, known, search);
        if possible.is_contradiction() {
            return Err(contradiction(notes, search));
        }
        let earlier = turns.last().map_or(Figure::Unknown, |last| last.before);
        remaining = possible.amount.no_more_than(earlier);
        left = possible.few(FEW);
        unfound = possible.codes.is_empty();
    }
    if let Some(last) = turns.last_mut() {
        last.after = remaining;
    }
    for (at, verdict) in turns.iter_mut().enumerate() {
        verdict.advice = advice::of(notes, at, verdict);
    }
    let only = if left.len() == 1 && remaining.exact() == Some(1) { left.first() } else { None };
    let secret = known.or(only).cloned();
    let others = secret.as_ref().map(|secret| others::plays(rules, secret, search)).unwrap_or_default();
    let lost = sum(turns.iter().map(|turn| turn.lost));
    let skill = mean(turns.iter().map(|turn| turn.skill));
    let luck = mean(turns.iter().map(|turn| turn.luck).filter(|luck| !luck.is_unknown()));
    let summary = advice::summary(&turns, solved, lost, luck, (remaining, unfound), &others);
    Ok(Analysis {
        rules: rules.clone(),
        secret,
        solved,
        turns,
        lost,
        skill,
        luck,
        remaining,
        possible: left,
        others,
        summary,
    })
}

/// The code that the last turn found.
fn winner(notes: &Notes) -> Option<Code> {
    let last = notes.notes().last().and_then(Note::turn)?;
    last.feedback.is_winning(notes.rules()).then_some(last.guess)
}

fn check(notes: &Notes, secret: Option<&Code>) -> Result<(), AnalyzeError> {
    if notes.rules().lies() > 0 {
        return Err(AnalyzeError::Lies);
    }
    let rules = notes.rules();
    let wins = |note: &Note| note.turn().is_some_and(|turn| turn.feedback.is_winning(rules));
    let ended = notes.notes().iter().position(wins);
    if let Some(turn) = ended.filter(|turn| turn + 1 < notes.notes().len()) {
        return Err(AnalyzeError::AfterTheEnd { turn: turn + 1 });
    }
    let Some(secret) = secret else { return Ok(()) };
    rules.check_code(secret).map_err(AnalyzeError::Secret)?;
    let mut judge = Judge::new(rules);
    for (number, note) in (1..).zip(notes.notes()) {
        let Some(turn) = note.turn() else {
            if !notes.only([number - 1]).fit(secret) {
                return Err(AnalyzeError::CannotBe { turn: number });
            }
            continue;
        };
        let answer = judge.feedback(&turn.guess, secret);
        if answer != turn.feedback {
            let (rules, secret) = (rules.clone(), secret.clone());
            return Err(AnalyzeError::OtherAnswer(Box::new(OtherAnswer {
                rules,
                secret,
                turn: number,
                was: turn,
                answer,
            })));
        }
    }
    Ok(())
}

fn contradiction(notes: &Notes, search: &mut Search<'_>) -> AnalyzeError {
    search.begin_guess();
    let all = || Contradiction::of_turns((1..=notes.notes().len()).collect());
    AnalyzeError::Contradiction(mend(notes, search).unwrap_or_else(all))
}

/// Who finds a good guess where nobody can search to the end: by entropy, or on large boards the default strategy.
const BEST: [&str; 2] = ["entropy", "adaptive"];

fn best_player(rules: &Rules) -> Option<Box<dyn Strategy>> {
    let player = |name: &&str| catalog::strategy(name, rules).ok();
    if listed::is_listable(rules) { BEST.iter().find_map(player) } else { BEST.iter().rev().find_map(player) }
}

/// Judges the guesses of a game.
struct Adjudicator<'a> {
    stakes: Stakes<'a>,
    best: Option<Box<dyn Strategy>>,
}

impl<'a> Adjudicator<'a> {
    fn verdict<'s: 'a>(
        &mut self,
        note: &Note,
        before: &Notes,
        possible: &Possible,
        search: &mut Search<'s>,
    ) -> Verdict {
        let rules = before.rules();
        let mut verdict = Verdict {
            note: note.clone(),
            before: possible.amount,
            after: Figure::Unknown,
            expected: Figure::Unknown,
            consistent: None,
            best: None,
            lost: Figure::Unknown,
            skill: Figure::Unknown,
            luck: Figure::Unknown,
            advice: String::new(),
            exact: false,
            idle: false,
        };
        let Some(guess) = note.code() else { return verdict };
        verdict.expected = split::expected(rules, &guess, possible);
        verdict.consistent = Some(before.fit(&guess));
        verdict.idle = split::tells_nothing(rules, &guess, possible);
        if let Some(turn) = note.turn() {
            verdict.luck = split::luck(rules, &guess, &turn.feedback, possible);
        }
        let price = self.price(&guess, before, possible, search);
        let best = match price {
            Some(Price { best, guesses, lost }) => {
                verdict.lost = lost.first().copied().unwrap_or_default();
                verdict.skill = verdict.lost.map(|lost| 100.0 * guesses / (guesses + lost));
                Some(best)
            }
            None => self.proposed(before, search),
        };
        verdict.best = best.map(|best| Choice {
            consistent: before.fit(&best),
            expected: split::expected(rules, &best, possible),
            guess: best,
        });
        verdict.exact = verdict.before.is_exact() && verdict.expected.is_exact() && verdict.lost.is_exact();
        verdict
    }

    /// What a guess costs, where all codes are there and a search or games come to an end.
    fn price<'s: 'a>(
        &mut self,
        guess: &Code,
        before: &Notes,
        possible: &Possible,
        search: &mut Search<'s>,
    ) -> Option<Price> {
        let rules = before.rules();
        if !possible.complete {
            return None;
        }
        let codes = Table::from_codes(rules, &possible.codes).ok()?;
        // With guesses forgotten, nobody knows which codes are alike; none is, among all of them.
        let history = before.history();
        let played = history.as_ref().map(|history| history.turns().iter().map(|turn| turn.guess.clone()).collect());
        let guesses: Vec<Code> = match played {
            Some(guesses) => guesses,
            None => crate::rank::all_different(rules, search)?,
        };
        let position = Position { codes: &codes, guesses: &guesses };
        let tree = tree::shipped(rules).filter(|file| file.proven);
        let node = tree.zip(history.as_ref()).and_then(|(file, history)| file.tree.position(history.turns()).ok());
        let known =
            node.map(|node| (node.guess.clone(), tree::Summary::of(node).total as f64 / possible.codes.len() as f64));
        if let Some((best, guesses)) = known.clone().filter(|(best, _)| best == guess) {
            return Some(Price { best, guesses, lost: vec![Figure::Exact(0.0)] });
        }
        let exact = if stakes::is_searched(rules, codes.len()) {
            let watch = search.watch_share(0.5);
            self.stakes.exact(position, std::slice::from_ref(guess), watch)
        } else {
            None
        };
        if let Some(price) = exact.filter(|price| price.lost.iter().all(|lost| lost.is_exact())) {
            return Some(price);
        }
        let best = match known {
            Some((best, _)) => best,
            None => self.proposed(before, search)?,
        };
        self.stakes.estimate(position, guess, &best, search)
    }

    /// The guess of a strong strategy, where nothing is forgotten.
    fn proposed(&mut self, before: &Notes, search: &mut Search<'_>) -> Option<Code> {
        let (history, best) = (before.history()?, self.best.as_mut()?);
        let proposal = unhurried(search, |search| best.next_guess(&history, search));
        proposal.ok().map(|proposal| proposal.guess)
    }
}

/// Up to this time for a guess, a strategy is told of it and hurries. Beyond, its usual effort is enough: a game has many guesses
/// and the player waits for all of them.
const HURRIED: Duration = Duration::from_secs(1);

fn unhurried<T>(search: &mut Search<'_>, work: impl FnOnce(&mut Search<'_>) -> T) -> T {
    if search.limits().time.is_some_and(|time| time < HURRIED) { work(search) } else { search.at_usual_effort(work) }
}

/// The sum of figures, of which none may be unknown. Errors are taken to have nothing to do with each other.
fn sum(figures: impl Iterator<Item = Figure<f64>>) -> Figure<f64> {
    let (mut value, mut below, mut above, mut exact, mut any) = (0.0, 0.0, 0.0, true, false);
    for figure in figures {
        let (Some(own), Some((low, high))) = (figure.value(), figure.interval()) else { return Figure::Unknown };
        value += own;
        below += (own - low).powi(2);
        above += (high - own).powi(2);
        exact &= figure.is_exact();
        any = true;
    }
    match (any, exact) {
        (false, _) => Figure::Unknown,
        (true, true) => Figure::Exact(value),
        (true, false) => Figure::Estimate { value, low: value - f64::sqrt(below), high: value + f64::sqrt(above) },
    }
}

fn mean(figures: impl Iterator<Item = Figure<f64>>) -> Figure<f64> {
    let figures: Vec<Figure<f64>> = figures.collect();
    let count = figures.len() as f64;
    sum(figures.into_iter()).map(|sum| sum / count)
}
