//! Analysis of a game, guess by guess.
//!
//! *Guesses lost* compares a guess with the best guess of the position, with best play afterwards; *luck* is the share
//! of answers that would have left more codes. `docs/analysis.md` defines both.

use std::{cmp::Ordering, collections::BTreeMap, fmt, ops::ControlFlow, sync::Arc, time::Duration};

use pegwise_game::{Code, CodeErrorReason, Count, Feedback, History, Judge, Rules, Table, Turn, symmetry::Symmetry};
use pegwise_solve::{
    Game, Outcome, Position, Renaming, Rng, Search, Strategy, candidates::listed, catalog, codemaker::Fixed,
    exact::ExactValues, play, secrets::SecretList, tree,
};
use serde::{Deserialize, Serialize};

use crate::candidates::Candidates;
use crate::figure::{Amount, Uncertain, field};
use crate::hint::MAX_LISTED;
use crate::mend::{self, Contradiction};
use crate::notes::{Note, Notes};
use crate::valuation::{self, Valuation};
use crate::{advice, rate};

/// Analysis of a game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Analysis {
    /// The rules.
    pub rules: Rules,
    /// The secret, if it was given, found, or is the only remaining code.
    pub secret: Option<Code>,
    /// True if the last guess was right.
    pub solved: bool,
    /// Analysis of each turn.
    pub turns: Vec<TurnAnalysis>,
    /// Total of the guesses lost.
    #[serde(flatten, with = "field::lost")]
    pub lost: Uncertain<f64>,
    /// Mean skill of the guesses, from 0 to 100.
    #[serde(flatten, with = "field::skill")]
    pub skill: Uncertain<f64>,
    /// Mean luck of the answers, from 0 to 100; 50 is average.
    #[serde(flatten, with = "field::luck")]
    pub luck: Uncertain<f64>,
    /// Number of remaining codes; zero once solved.
    #[serde(flatten, with = "field::remaining")]
    pub remaining: Amount,
    /// The remaining codes, if there are at most ten.
    pub possible: Vec<Code>,
    /// Games of reference strategies against the same secret, if it is known.
    pub others: Vec<ReferenceGame>,
    /// Summary in words.
    pub summary: String,
}

/// Analysis of a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnAnalysis {
    /// The guess and its answer, possibly with unknown parts.
    #[serde(flatten)]
    pub note: Note,
    /// Number of consistent codes before the guess.
    #[serde(flatten, with = "field::before")]
    pub before: Amount,
    /// Number of remaining codes after the answer; zero if the guess was right.
    #[serde(flatten, with = "field::after")]
    pub after: Amount,
    /// Expected number of remaining codes.
    #[serde(flatten, with = "field::expected")]
    pub expected: Uncertain<f64>,
    /// True if the guess was consistent; `None` if parts of it are unknown.
    pub consistent: Option<bool>,
    /// Best known guess of the position.
    pub best: Option<BestGuess>,
    /// Expected number of guesses lost against the best guess, with best play afterwards.
    #[serde(flatten, with = "field::lost")]
    pub lost: Uncertain<f64>,
    /// Expected number of guesses with the best guess, in percent of the expected number with this guess.
    #[serde(flatten, with = "field::skill")]
    pub skill: Uncertain<f64>,
    /// Luck of the answer, from 0 to 100; unknown if only one answer was possible.
    #[serde(flatten, with = "field::luck")]
    pub luck: Uncertain<f64>,
    /// Advice in words.
    pub advice: String,
    /// True if `before`, `expected` and `lost` are exact.
    pub exact: bool,
    /// True if every consistent code would have given the same answer.
    #[serde(skip)]
    pub(crate) uninformative: bool,
}

/// Best known guess of a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BestGuess {
    /// The guess.
    pub guess: Code,
    /// True if it is consistent.
    pub consistent: bool,
    /// Expected number of remaining codes.
    #[serde(flatten, with = "field::expected")]
    pub expected: Uncertain<f64>,
}

/// Game of a reference strategy against the same secret.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReferenceGame {
    /// Name of the strategy in the catalog.
    pub strategy: &'static str,
    /// True if it found the secret.
    pub solved: bool,
    /// Number of guesses.
    pub guesses: usize,
    /// Turns of the game.
    pub turns: Vec<ReferenceTurn>,
}

/// Turn of a reference game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReferenceTurn {
    /// The guess.
    pub guess: Code,
    /// The answer.
    pub feedback: Feedback,
    /// Number of remaining codes, if the strategy counted them.
    #[serde(flatten, with = "field::after")]
    pub after: Amount,
}

/// Reason why a game cannot be analyzed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyzeError {
    /// No code is consistent with the turns.
    #[error("{0}")]
    Contradiction(Contradiction),
    /// The secret is not a valid code for the rules.
    #[error("the secret is not a code of these rules: {0}")]
    Secret(CodeErrorReason),
    /// An answer does not match the secret.
    #[error("{0}")]
    WrongAnswer(Box<AnswerMismatch>),
    /// No completion of a partial turn, by its one-based number, matches the secret.
    #[error("turn {0} is impossible with that secret, whatever the forgotten parts are")]
    ImpossibleTurn(usize),
    /// The value of an answer is undefined if it may be a lie.
    #[error(
        "games with lies cannot be analyzed, because the value of an answer depends on whether it is true; remove lies= from the rules"
    )]
    Lies,
    /// A turn follows the winning one, whose one-based number this is.
    #[error("turn {0} found the code, so the game was over there; remove the later turns")]
    TurnAfterWin(usize),
    /// The secret is not on the list.
    #[error("{0} is not on the list of secrets; add it, or omit the list")]
    NotListed(String),
    /// No code of the list is consistent with the turns.
    #[error("no listed code fits these turns; correct a turn, or add the code to the list")]
    NoListedCode,
}

/// A turn whose answer does not match the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerMismatch {
    /// The rules.
    pub rules: Rules,
    /// The secret.
    pub secret: Code,
    /// One-based number of the turn.
    pub turn: usize,
    /// The given turn.
    pub was: Turn,
    /// Answer of the secret.
    pub answer: Feedback,
}

impl fmt::Display for AnswerMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, secret, turn, was, answer } = self;
        let (secret, guess) = (secret.notation(rules.palette()), was.guess.notation(rules.palette()));
        let given = &was.feedback;
        write!(f, "turn {turn}: with the secret {secret}, {guess} is answered {answer}, not {given}")
    }
}

/// Analyzes a game, finished or not, possibly with unknown parts. The limits of `search` apply to each guess.
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
    analyze_with_progress(notes, secret, search, |_| ())
}

/// Analyzes a game and calls `report` with the number of guesses analyzed so far.
///
/// # Errors
/// Returns an error if no code is consistent with the notes, or if the secret is not.
pub fn analyze_with_progress(
    notes: &Notes,
    secret: Option<&Code>,
    search: &mut Search<'_>,
    report: impl FnMut(usize),
) -> Result<Analysis, AnalyzeError> {
    analyze_listed(notes, secret, None, search, report)
}

/// Analyzes a game whose secret is on a list. Guesses lost are unknown.
///
/// # Errors
/// Returns an error if no listed code is consistent with the notes, or if the secret is not listed.
pub fn analyze_among(
    notes: &Notes,
    secret: Option<&Code>,
    secrets: &Arc<SecretList>,
    search: &mut Search<'_>,
    report: impl FnMut(usize),
) -> Result<Analysis, AnalyzeError> {
    analyze_listed(notes, secret, Some(secrets), search, report)
}

fn analyze_listed(
    notes: &Notes,
    secret: Option<&Code>,
    secrets: Option<&Arc<SecretList>>,
    search: &mut Search<'_>,
    mut report: impl FnMut(usize),
) -> Result<Analysis, AnalyzeError> {
    let rules = notes.rules();
    check(notes, secret)?;
    let winner = winner(notes);
    if mend::is_obvious(notes, search) || winner.as_ref().is_some_and(|winner| !notes.is_consistent(winner)) {
        return Err(contradiction(notes, search));
    }
    let solved = winner.is_some();
    let known = secret.or(winner.as_ref());
    if let (Some(secrets), Some(known)) = (secrets, known)
        && secrets.weight(known) == 0.0
    {
        return Err(AnalyzeError::NotListed(known.notation(rules.palette()).to_string()));
    }
    let find = |notes: &Notes, search: &mut Search<'_>| match secrets {
        Some(secrets) => Candidates::among(secrets, notes),
        None => Candidates::find(notes, known, search),
    };
    let contradiction = |search: &mut Search<'_>| match secrets {
        Some(_) => AnalyzeError::NoListedCode,
        None => contradiction(notes, search),
    };
    search.begin_guess();
    let mut analyzer =
        TurnAnalyzer { exact: secrets.is_none().then(ExactValues::default), best: default_strategy(rules, secrets) };
    let mut turns: Vec<TurnAnalysis> = Vec::new();
    let mut before = Notes::new(rules.clone());
    for (number, note) in notes.notes().iter().enumerate() {
        search.begin_guess();
        let mut candidates = find(&before, search);
        if let Some(last) = turns.last_mut() {
            candidates.count = candidates.count.capped_by(last.before);
            last.after = candidates.count;
        }
        if candidates.is_contradiction() {
            return Err(contradiction(search));
        }
        turns.push(analyzer.analyze_turn(note, &before, &candidates, search));
        before = notes.subset(0..=number);
        report(number + 1);
    }
    search.begin_guess();
    let (mut remaining, mut left, mut no_code_found) = (Amount::count(0), Vec::new(), false);
    if !solved {
        let candidates = find(&before, search);
        if candidates.is_contradiction() {
            return Err(contradiction(search));
        }
        let earlier = turns.last().map_or(Uncertain::Unknown, |last| last.before);
        remaining = candidates.count.capped_by(earlier);
        left = candidates.if_at_most(MAX_LISTED);
        no_code_found = candidates.codes.is_empty();
    }
    if let Some(last) = turns.last_mut() {
        last.after = remaining;
    }
    for (at, turn) in turns.iter_mut().enumerate() {
        turn.advice = advice::for_guess(notes, at, turn);
    }
    let only = if left.len() == 1 && remaining.exact() == Some(1) { left.first() } else { None };
    let secret = known.or(only).cloned();
    let others = secret.as_ref().map(|secret| reference_games(rules, secret, secrets, search)).unwrap_or_default();
    let lost = sum(turns.iter().map(|turn| turn.lost));
    let skill = average(turns.iter().map(|turn| turn.skill));
    let luck = average(turns.iter().map(|turn| turn.luck).filter(|luck| !luck.is_unknown()));
    let summary = advice::summary(&turns, solved, lost, luck, (remaining, no_code_found), &others);
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

/// Returns the guess of a winning last turn.
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
        return Err(AnalyzeError::TurnAfterWin(turn + 1));
    }
    let Some(secret) = secret else { return Ok(()) };
    rules.check_code(secret).map_err(AnalyzeError::Secret)?;
    let mut judge = Judge::new(rules);
    for (number, note) in (1..).zip(notes.notes()) {
        let Some(turn) = note.turn() else {
            if !notes.subset([number - 1]).is_consistent(secret) {
                return Err(AnalyzeError::ImpossibleTurn(number));
            }
            continue;
        };
        let answer = judge.feedback(&turn.guess, secret);
        if answer != turn.feedback {
            let (rules, secret) = (rules.clone(), secret.clone());
            return Err(AnalyzeError::WrongAnswer(Box::new(AnswerMismatch {
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
    AnalyzeError::Contradiction(mend::explain(notes, search))
}

/// Returns the strategy of hints, so that an analysis recommends the same guesses.
fn default_strategy(rules: &Rules, secrets: Option<&Arc<SecretList>>) -> Option<Box<dyn Strategy>> {
    match secrets {
        Some(secrets) => listed_strategy(catalog::DEFAULT_STRATEGY, secrets),
        None => catalog::strategy(catalog::DEFAULT_STRATEGY, rules).ok(),
    }
}

/// Returns a strategy that plays against the secrets of a list.
fn listed_strategy(name: &str, secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
    catalog::build_for(&name.parse().ok()?, secrets).ok()
}

/// Analyzer of the turns of a game.
struct TurnAnalyzer {
    /// `None` for secrets from a list.
    exact: Option<ExactValues>,
    best: Option<Box<dyn Strategy>>,
}

impl TurnAnalyzer {
    fn analyze_turn(
        &mut self,
        note: &Note,
        before: &Notes,
        candidates: &Candidates,
        search: &mut Search<'_>,
    ) -> TurnAnalysis {
        let rules = before.rules();
        let mut analysis = TurnAnalysis {
            note: note.clone(),
            before: candidates.count,
            after: Uncertain::Unknown,
            expected: Uncertain::Unknown,
            consistent: None,
            best: None,
            lost: Uncertain::Unknown,
            skill: Uncertain::Unknown,
            luck: Uncertain::Unknown,
            advice: String::new(),
            exact: false,
            uninformative: false,
        };
        let Some(guess) = note.code() else { return analysis };
        analysis.expected = expected_remaining(rules, &guess, candidates);
        analysis.consistent = Some(before.is_consistent(&guess));
        analysis.uninformative = is_uninformative(rules, &guess, candidates);
        if let Some(turn) = note.turn() {
            analysis.luck = answer_luck(rules, &guess, &turn.feedback, candidates);
        }
        let value = self.value(&guess, before, candidates, search);
        let best = match value {
            Some(Valuation { best, guesses, lost }) => {
                analysis.lost = lost;
                analysis.skill = if analysis.uninformative {
                    Uncertain::Exact(0.0)
                } else {
                    lost.map(|lost| 100.0 * guesses / (guesses + lost))
                };
                Some(best)
            }
            None => before.history().and_then(|history| self.proposed(&history, search)),
        };
        analysis.best = best.map(|best| BestGuess {
            consistent: before.is_consistent(&best),
            expected: expected_remaining(rules, &best, candidates),
            guess: best,
        });
        analysis.exact = analysis.before.is_exact() && analysis.expected.is_exact() && analysis.lost.is_exact();
        analysis
    }

    /// Returns the valuation of a guess, if all codes are listed and the search or the rollouts finish in time.
    ///
    /// It is computed for the canonical form of the turns and the guess, with random numbers that depend on this form
    /// only, so that equivalent positions have equal values.
    fn value(
        &mut self,
        guess: &Code,
        before: &Notes,
        candidates: &Candidates,
        search: &mut Search<'_>,
    ) -> Option<Valuation> {
        let rules = before.rules();
        if !candidates.complete || self.exact.is_none() {
            return None;
        }
        let codes = Table::from_codes(rules, &candidates.codes).ok()?;
        let Some(history) = before.history() else {
            let guesses = rate::guesses_of(before, search)?;
            return self.exact_value(rules, Position { codes: &codes, guesses: &guesses }, guess, None, search);
        };
        let (form, renaming) = Renaming::canonical(&history, Some(guess));
        let (codes, guess) = (renaming.apply_to_all(rules, &codes).ok()?, renaming.apply(guess));
        let label = Note::from(Turn { guess: guess.clone(), feedback: Feedback::winning(rules) });
        let text: String = Notes::from(&form)
            .notes()
            .iter()
            .chain([&label])
            .map(|note| note.notation(rules).to_string() + " ")
            .collect();
        let before =
            std::mem::replace(&mut search.rng, Rng::for_path(0, [rules.to_string().as_bytes(), text.as_bytes()]));
        let value = self.canonical_value(&form, &codes, &guess, search);
        search.rng = before;
        let value = value?;
        // Of equally good guesses, the one that a hint proposes.
        let best = if value.best == guess { None } else { self.proposed(&history, search) };
        Some(Valuation { best: best.unwrap_or_else(|| renaming.undo(&value.best)), ..value })
    }

    fn canonical_value(
        &mut self,
        history: &History,
        codes: &Table,
        guess: &Code,
        search: &mut Search<'_>,
    ) -> Option<Valuation> {
        let rules = history.rules();
        let guesses = history.guesses();
        let position = Position { codes, guesses: &guesses };
        let tree = tree::shipped(rules).filter(|file| file.proven);
        let node = tree.and_then(|file| file.tree.equivalent_position(history));
        let known = node.map(|(node, renaming)| {
            (renaming.undo(&node.guess), tree::Summary::of(node).total as f64 / codes.len() as f64)
        });
        if let Some((best, guesses_left)) = &known {
            let symmetry = Symmetry::new(rules, &guesses);
            if symmetry.lowest(best) == symmetry.lowest(guess) {
                return Some(Valuation { best: guess.clone(), guesses: *guesses_left, lost: Uncertain::Exact(0.0) });
            }
        }
        let known = known.map(|(best, _)| best);
        if let Some(value) = self.exact_value(rules, position, guess, known.as_ref(), search) {
            return Some(value);
        }
        let best = match known {
            Some(best) => best,
            None => self.proposed(history, search)?,
        };
        valuation::estimate(rules, position, guess, &best, search)
    }

    /// Returns the exact valuation of a guess; `known` is a best guess, if one is known.
    fn exact_value(
        &mut self,
        rules: &Rules,
        position: Position<'_>,
        guess: &Code,
        known: Option<&Code>,
        search: &Search<'_>,
    ) -> Option<Valuation> {
        let watch = search.watch_share(0.5);
        let exact = self.exact.as_mut()?;
        let (guesses, lost) = exact.lost(rules, position, std::slice::from_ref(guess), watch)?;
        let lost = lost[0]?;
        let best = match known {
            _ if lost == 0.0 => guess.clone(),
            Some(best) => best.clone(),
            None => exact.ranked(rules, position, watch, |ranked, _| ranked == 0)?.lost.swap_remove(0).0,
        };
        Some(Valuation { best, guesses, lost: Uncertain::Exact(lost) })
    }

    /// Returns the guess of the default strategy.
    fn proposed(&mut self, history: &History, search: &mut Search<'_>) -> Option<Code> {
        let best = self.best.as_mut()?;
        let proposal = with_usual_effort(search, |search| best.next_guess(history, search));
        proposal.ok().map(|proposal| proposal.guess)
    }
}

/// Time per guess below which reference strategies receive the limit. Above it they use their default effort, because
/// an analysis runs them for every guess.
const SHORT_LIMIT: Duration = Duration::from_secs(1);

fn with_usual_effort<T>(search: &mut Search<'_>, work: impl FnOnce(&mut Search<'_>) -> T) -> T {
    if search.limits().time.is_some_and(|time| time < SHORT_LIMIT) {
        work(search)
    } else {
        search.at_usual_effort(work)
    }
}

/// Returns the sum; unknown if any summand is. Treats the errors as independent.
fn sum(figures: impl Iterator<Item = Uncertain<f64>>) -> Uncertain<f64> {
    let (mut value, mut below, mut above, mut exact, mut any) = (0.0, 0.0, 0.0, true, false);
    for figure in figures {
        let (Some(own), Some((low, high))) = (figure.value(), figure.interval()) else { return Uncertain::Unknown };
        value += own;
        below += (own - low).powi(2);
        above += (high - own).powi(2);
        exact &= figure.is_exact();
        any = true;
    }
    match (any, exact) {
        (false, _) => Uncertain::Unknown,
        (true, true) => Uncertain::Exact(value),
        (true, false) => Uncertain::Estimate { value, low: value - f64::sqrt(below), high: value + f64::sqrt(above) },
    }
}

fn average(figures: impl Iterator<Item = Uncertain<f64>>) -> Uncertain<f64> {
    let figures: Vec<Uncertain<f64>> = figures.collect();
    let count = figures.len() as f64;
    sum(figures.into_iter()).map(|sum| sum / count)
}

// Partition of the codes by a guess.

/// Partition of the consistent codes by the feedback of a guess.
#[derive(Debug, Clone)]
struct FeedbackPartition {
    /// Number of codes by feedback.
    parts: BTreeMap<Feedback, f64>,
    codes: f64,
    winning: Feedback,
}

impl FeedbackPartition {
    /// Partitions the codes. Returns `None` if they are not all listed.
    fn of(rules: &Rules, guess: &Code, candidates: &Candidates) -> Option<Self> {
        if !candidates.complete || candidates.codes.is_empty() {
            return None;
        }
        let mut judge = Judge::new(rules);
        let mut parts: BTreeMap<Feedback, f64> = BTreeMap::new();
        for code in &candidates.codes {
            *parts.entry(judge.feedback(guess, code)).or_default() += 1.0;
        }
        Some(Self { parts, codes: candidates.codes.len() as f64, winning: Feedback::winning(rules) })
    }

    /// Returns the expected number of remaining codes.
    fn expected(&self) -> f64 {
        let squares = |(answer, &size): (&Feedback, &f64)| if *answer == self.winning { 0.0 } else { size * size };
        self.parts.iter().map(squares).sum::<f64>() / self.codes
    }

    /// Returns the luck of an answer from 0 to 100: the probability of an answer that leaves more codes, plus half that
    /// of one that leaves equally many. `None` if only one answer is possible.
    fn luck(&self, answer: &Feedback) -> Option<f64> {
        if self.parts.len() == 1 {
            return None;
        }
        let left = |answer: &Feedback, size: f64| if *answer == self.winning { 0.0 } else { size };
        let own = left(answer, *self.parts.get(answer)?);
        let kinder = self.parts.iter().map(|(answer, &size)| match left(answer, size).total_cmp(&own) {
            Ordering::Greater => size,
            Ordering::Equal => size / 2.0,
            Ordering::Less => 0.0,
        });
        Some(100.0 * kinder.sum::<f64>() / self.codes)
    }
}

/// Returns the expected number of codes that a guess leaves.
fn expected_remaining(rules: &Rules, guess: &Code, candidates: &Candidates) -> Uncertain<f64> {
    match (FeedbackPartition::of(rules, guess, candidates), &candidates.sample) {
        (Some(split), _) => Uncertain::Exact(split.expected()),
        // In an estimate, the code that wins at once is negligible.
        (None, Some(sample)) => rate::scale(sample.rate_guess(rules, guess).collision, candidates.count),
        (None, None) => Uncertain::Unknown,
    }
}

/// Returns the luck of an answer; unknown if only one was possible, or without a sample.
fn answer_luck(rules: &Rules, guess: &Code, answer: &Feedback, candidates: &Candidates) -> Uncertain<f64> {
    match (FeedbackPartition::of(rules, guess, candidates), &candidates.sample) {
        (Some(split), _) => split.luck(answer).map_or(Uncertain::Unknown, Uncertain::Exact),
        (None, Some(sample)) => sample.luck(rules, guess, answer),
        (None, None) => Uncertain::Unknown,
    }
}

/// Returns true if every code gives the same answer, and the guess cannot win.
fn is_uninformative(rules: &Rules, guess: &Code, candidates: &Candidates) -> bool {
    FeedbackPartition::of(rules, guess, candidates)
        .is_some_and(|split| split.parts.len() == 1 && !split.parts.contains_key(&split.winning))
}

// Reference games.

/// Reference strategies on boards whose codes can be listed.
const LISTABLE_REFERENCES: [&str; 3] = ["knuth", "entropy", "optimal"];
/// Reference strategies on larger boards.
const LARGE_REFERENCES: [&str; 1] = [catalog::DEFAULT_STRATEGY];

/// Plays the reference strategies against a secret, each within the time for one guess.
fn reference_games(
    rules: &Rules,
    secret: &Code,
    secrets: Option<&Arc<SecretList>>,
    search: &mut Search<'_>,
) -> Vec<ReferenceGame> {
    let names: &[&str] =
        if secrets.is_none() && listed::is_listable(rules) { &LISTABLE_REFERENCES } else { &LARGE_REFERENCES };
    names.iter().filter_map(|name| reference_game(name, rules, secret, secrets, search)).collect()
}

fn reference_game(
    name: &str,
    rules: &Rules,
    secret: &Code,
    secrets: Option<&Arc<SecretList>>,
    search: &mut Search<'_>,
) -> Option<ReferenceGame> {
    let row = catalog::row(name).filter(|row| row.can_play(rules))?;
    let mut strategy = match secrets {
        Some(secrets) => listed_strategy(name, secrets)?,
        None => catalog::strategy(name, rules).ok()?,
    };
    let mut codemaker = Fixed::new(rules, secret.clone()).ok()?;
    search.begin_guess();
    let watch = search.watch();
    let enough = |_: &_| if watch.stop().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let game = with_usual_effort(search, |search| play(rules, &mut *strategy, &mut codemaker, search, enough)).ok()?;
    // Unfinished games are omitted.
    (!matches!(game.outcome, Outcome::Abandoned | Outcome::Failed)).then(|| summarize_game(row.name, &game))
}

fn summarize_game(strategy: &'static str, game: &Game) -> ReferenceGame {
    let solved = game.is_solved();
    // The count after a turn is the count before the next.
    let after = game.turns.iter().skip(1).map(|turn| turn.before);
    let after = after.chain([solved.then_some(Count::Exact(0))]);
    let after = after.map(|count| count.map_or(Uncertain::Unknown, Amount::from));
    let turns = game.turns.iter().zip(after).map(|(turn, after)| ReferenceTurn {
        guess: turn.guess.clone(),
        feedback: turn.feedback.clone(),
        after,
    });
    ReferenceGame { strategy, solved, guesses: game.guesses(), turns: turns.collect() }
}
