//! Scoring rules: the kinds of feedback, and known ways to misunderstand black and white pegs.
//!
//! [`check_scorer`] asks a scoring function about pairs of guess and secret and names the rule that it follows.
//! [`explain_answers`] counts the answers of finished games that each rule explains.

use std::{collections::BTreeSet, fmt};

use pegwise_game::{Code, Color, FeedbackError, FeedbackKind, Judge, Rules};
use pegwise_solve::Rng;
use serde::Serialize;

/// An answer of a scoring function: the numbers of each line. Unlike [`pegwise_game::Feedback`], it may be impossible.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct ScorerAnswer(pub Vec<Vec<i64>>);

impl ScorerAnswer {
    /// Parses an answer: integers separated by commas or spaces, with a slash between lines, or any notation of feedback.
    ///
    /// ```
    /// use pegwise_coach::ScorerAnswer;
    /// let rules = "4x6".parse().unwrap();
    /// assert_eq!(ScorerAnswer::parse(&rules, "3,-1").unwrap().0, [[3, -1]]);
    /// assert_eq!(ScorerAnswer::parse(&rules, "2b1w").unwrap().0, [[2, 1]]);
    /// ```
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, FeedbackError> {
        let integers = |line: &str| {
            let words = line.split([',', ' ']).filter(|word| !word.is_empty());
            words.map(|word| word.parse().ok()).collect::<Option<Vec<i64>>>().filter(|numbers| !numbers.is_empty())
        };
        match text.split('/').map(integers).collect() {
            Some(lines) => Ok(Self(lines)),
            None => rules.parse_feedback(text).map(|feedback| Self::from_marks(feedback.marks().iter().copied())),
        }
    }

    fn from_marks(marks: impl Iterator<Item = pegwise_game::Mark>) -> Self {
        Self(
            marks
                .map(|mark| mark.numbers().map(|number| i64::try_from(number).unwrap_or(i64::MAX)).collect())
                .collect(),
        )
    }
}

impl fmt::Display for ScorerAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |numbers: &Vec<i64>| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        f.write_str(&self.0.iter().map(line).collect::<Vec<_>>().join("/"))
    }
}

/// Computes the numbers of a line from the colors of the guess and of the secret.
type LineScore = fn(&[Color], &[Color]) -> Vec<i64>;

/// A way to score guesses: a kind of feedback, or a misunderstanding.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ScoringRule {
    /// Unique name.
    pub name: &'static str,
    /// Meaning of the numbers.
    pub title: &'static str,
    /// True for a misunderstanding.
    pub is_wrong: bool,
    #[serde(skip)]
    score: Scoring,
}

#[derive(Debug, Clone, Copy)]
enum Scoring {
    Kind(FeedbackKind),
    Line(LineScore),
}

/// Names, meanings and scores of the misunderstandings.
const MISUNDERSTANDINGS: [(&str, &str, LineScore); 14] = [
    (
        "white-per-guess-cell",
        "whites are counted per cell of the guess: one for every cell that is not black and whose color is anywhere in the \
         code, although each peg of the code counts only once",
        |guess, secret| {
            let in_secret = |&(peg, hidden): &(&Color, &Color)| peg != hidden && secret.contains(peg);
            vec![blacks(guess, secret), count(guess.iter().zip(secret).filter(in_secret))]
        },
    ),
    (
        "blacks-again",
        "blacks are counted again as whites: the second number counts all common colors",
        |guess, secret| vec![blacks(guess, secret), common(guess, secret)],
    ),
    (
        "white-per-code-cell",
        "whites are counted per cell of the code: one for every cell that is not black and whose color is anywhere in the \
         guess",
        |guess, secret| {
            let in_guess = |&(peg, hidden): &(&Color, &Color)| peg != hidden && guess.contains(hidden);
            vec![blacks(guess, secret), count(guess.iter().zip(secret).filter(in_guess))]
        },
    ),
    (
        "code-pegs-reused",
        "a peg of the code that is not black gives a white to every wrong cell of the guess with its color, not to one",
        |guess, secret| {
            let (guess_rest, secret_rest) = unmatched(guess, secret);
            vec![blacks(guess, secret), count(guess_rest.iter().filter(|peg| secret_rest.contains(peg)))]
        },
    ),
    (
        "white-per-pair",
        "whites are counted per pair of cells: every two different cells with the same color give one",
        |guess, secret| {
            let pairs = guess.iter().map(|peg| count(secret.iter().filter(|hidden| *hidden == peg))).sum::<i64>();
            vec![blacks(guess, secret), pairs - blacks(guess, secret)]
        },
    ),
    ("one-white-per-color", "every color gives at most one white", |guess, secret| {
        let (guess_rest, secret_rest) = unmatched(guess, secret);
        vec![blacks(guess, secret), distinct_common(&guess_rest, &secret_rest)]
    }),
    (
        "colors-counted-once",
        "whites are the different colors in common minus the blacks: a repeated color is counted once",
        |guess, secret| vec![blacks(guess, secret), distinct_common(guess, secret) - blacks(guess, secret)],
    ),
    (
        "blacks-lost-to-whites",
        "cells are scored in one pass from the left, so a white uses up a peg of the code that a later cell needs for its \
         black; find all blacks first",
        |guess, secret| {
            let mut rest: Vec<Option<Color>> = secret.iter().copied().map(Some).collect();
            let mut numbers = vec![0, 0];
            for (cell, &peg) in guess.iter().enumerate() {
                let white = rest.iter().position(|&hidden| hidden == Some(peg));
                if rest[cell] == Some(peg) {
                    (rest[cell], numbers[0]) = (None, numbers[0] + 1);
                } else if let Some(place) = white {
                    (rest[place], numbers[1]) = (None, numbers[1] + 1);
                }
            }
            numbers
        },
    ),
    (
        "whites-before-blacks",
        "cells are scored in one pass from the left, so a peg of the code gives a white, and later a black, too; find all \
         blacks first",
        |guess, secret| {
            let mut rest = secret.to_vec();
            let mut numbers = vec![0, 0];
            for (&peg, &hidden) in guess.iter().zip(secret) {
                let place = rest.iter().position(|&one| one == peg);
                if let Some(place) = place {
                    rest.swap_remove(place);
                }
                numbers[0] += i64::from(peg == hidden);
                numbers[1] += i64::from(peg != hidden && place.is_some());
            }
            numbers
        },
    ),
    ("swapped", "the numbers are swapped: whites, then blacks", |guess, secret| {
        vec![common(guess, secret) - blacks(guess, secret), blacks(guess, secret)]
    }),
    (
        "common-then-black",
        "the first number is all common colors, and the second the blacks among them",
        |guess, secret| vec![common(guess, secret), blacks(guess, secret)],
    ),
    (
        "black-then-missing",
        "the second number counts the pegs of the guess that are neither black nor white",
        |guess, secret| vec![blacks(guess, secret), guess.len() as i64 - common(guess, secret)],
    ),
    ("no-whites", "whites are always 0", |guess, secret| vec![blacks(guess, secret), 0]),
    (
        "marks-not-limited",
        "every wrong cell whose color is anywhere in the code is white, more often than the code has the color",
        |guess, secret| {
            let mark = |(peg, hidden): (&Color, &Color)| match peg == hidden {
                true => 2,
                false => i64::from(secret.contains(peg)),
            };
            guess.iter().zip(secret).map(mark).collect()
        },
    ),
];

fn count(items: impl Iterator) -> i64 {
    items.count() as i64
}

fn blacks(guess: &[Color], secret: &[Color]) -> i64 {
    count(guess.iter().zip(secret).filter(|(peg, hidden)| peg == hidden))
}

/// Returns the number of common pegs, in any place.
fn common(guess: &[Color], secret: &[Color]) -> i64 {
    let [mut guess, mut secret] = [guess, secret].map(<[Color]>::to_vec);
    guess.sort_unstable();
    secret.sort_unstable();
    let mut rest = secret.iter().peekable();
    count(guess.iter().filter(|&peg| {
        while rest.next_if(|&hidden| hidden < peg).is_some() {}
        rest.next_if_eq(&peg).is_some()
    }))
}

fn distinct_common(guess: &[Color], secret: &[Color]) -> i64 {
    let [guess, secret] = [guess, secret].map(|colors| colors.iter().collect::<BTreeSet<_>>());
    count(guess.intersection(&secret))
}

/// Returns the pegs that are not black.
fn unmatched(guess: &[Color], secret: &[Color]) -> (Vec<Color>, Vec<Color>) {
    guess.iter().zip(secret).filter(|(peg, hidden)| peg != hidden).unzip()
}

impl ScoringRule {
    /// Iterates over all known rules: the kinds of feedback, then the misunderstandings.
    pub fn all() -> impl Iterator<Item = Self> {
        let kind = |kind: FeedbackKind| Self {
            name: kind.name(),
            title: kind.model().title,
            is_wrong: false,
            score: Scoring::Kind(kind),
        };
        let wrong = |&(name, title, score)| Self { name, title, is_wrong: true, score: Scoring::Line(score) };
        FeedbackKind::ALL.into_iter().map(kind).chain(MISUNDERSTANDINGS.iter().map(wrong))
    }
}

/// A rule that is applied to a board.
struct Scorer {
    rule: ScoringRule,
    judge: Judge,
}

impl Scorer {
    /// Returns all rules that the board supports.
    fn all(rules: &Rules) -> Vec<Self> {
        let scorer = |rule: ScoringRule| {
            let rules = match rule.score {
                Scoring::Kind(kind) => rules.clone().with_feedback(kind).ok()?,
                Scoring::Line(_) => rules.clone(),
            };
            Some(Self { rule, judge: Judge::new(&rules) })
        };
        ScoringRule::all().filter_map(scorer).collect()
    }

    fn answer(&mut self, guess: &[Color], secret: &[Color]) -> ScorerAnswer {
        let Scoring::Line(score) = self.rule.score else {
            return ScorerAnswer::from_marks(self.judge.marks(guess, secret));
        };
        let line = |cells: &[usize]| {
            let [guess, secret] = [guess, secret].map(|code| cells.iter().map(|&cell| code[cell]).collect::<Vec<_>>());
            score(&guess, &secret)
        };
        ScorerAnswer(self.judge.rules().board().lines().map(line).collect())
    }
}

/// An answer of a scoring function to a guess.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScoredGuess {
    /// The guess.
    pub guess: Code,
    /// Code that the guess was scored against.
    pub secret: Code,
    /// The answer.
    pub answer: ScorerAnswer,
}

/// Result of [`check_scorer`].
#[derive(Debug, Clone, Serialize)]
pub struct ScorerCheck {
    /// Number of pairs that the function was asked about.
    pub cases: usize,
    /// First wrong answer.
    pub failure: Option<ScoredGuess>,
    /// Right answer to the same guess.
    pub expected: Option<ScorerAnswer>,
    /// Rules that give all answers of the function; for a correct one, those that give the same answers to these cases.
    pub explanations: Vec<ScoringRule>,
}

/// Asks a scoring function about `cases` pairs of guess and secret, drawn from `seed` with many repeated colors.
///
/// Pairs on which the known rules disagree come first. After a wrong answer, the check ends as soon as no known rule gives
/// all answers, or after 100 cases if the remaining rules agree on all pairs. An error of the function ends it at once.
///
/// ```
/// use pegwise_coach::{ScorerAnswer, check_scorer};
/// let rules = "4x6".parse().unwrap();
/// let blacks_alone = |guess: &pegwise_game::Code, secret: &pegwise_game::Code| {
///     let black = guess.iter().zip(secret.iter()).filter(|(one, other)| one == other).count() as i64;
///     Ok::<_, ()>(ScorerAnswer(vec![vec![black, 0]]))
/// };
/// let check = check_scorer(&rules, 1, 1000, blacks_alone).unwrap();
/// assert_eq!(check.explanations[0].name, "no-whites");
/// ```
pub fn check_scorer<E>(
    rules: &Rules,
    seed: u64,
    cases: usize,
    mut scorer: impl FnMut(&Code, &Code) -> Result<ScorerAnswer, E>,
) -> Result<ScorerCheck, E> {
    /// Number of cases that confirm an explanation.
    const CONFIRMED: usize = 100;
    let mut rng = Rng::for_path(seed, [&b"scorer"[..]]);
    let mut pairs: Vec<(Code, Code)> = (0..cases).map(|_| pair(rules, &mut rng)).collect();
    let mut known = Scorer::all(rules);
    let mut judge = Judge::new(rules);
    let mut check = ScorerCheck { cases: 0, failure: None, expected: None, explanations: Vec::new() };
    let mut separable = true;
    while !pairs.is_empty() {
        let best = if separable { separating(&pairs, &mut known) } else { None };
        separable = best.is_some();
        let (guess, secret) = pairs.remove(best.unwrap_or(0));
        let answer = scorer(&guess, &secret)?;
        check.cases += 1;
        known.retain_mut(|known| known.answer(&guess, &secret) == answer);
        let expected = ScorerAnswer::from_marks(judge.marks(&guess, &secret));
        if check.failure.is_none() && answer != expected {
            check.failure = Some(ScoredGuess { guess, secret, answer });
            check.expected = Some(expected);
        }
        if check.failure.is_some() && (known.is_empty() || check.cases >= CONFIRMED && !separable) {
            break;
        }
    }
    let correct = rules.feedback().name();
    check.explanations = known.iter().map(|known| known.rule).filter(|rule| rule.name != correct).collect();
    Ok(check)
}

/// Draws a guess and a secret from a few common colors.
fn pair(rules: &Rules, rng: &mut Rng) -> (Code, Code) {
    let mut colors: Vec<u16> = (0..rules.colors()).collect();
    rng.shuffle(&mut colors);
    let fewest = if rules.repeats() { 1 } else { rules.cells() };
    let most = colors.len().min(rules.cells() + 1).max(fewest);
    let few = fewest + rng.index(most - fewest + 1);
    let mut code = || {
        let indices: Vec<u16> = if rules.repeats() {
            (0..rules.cells()).map(|_| colors[rng.index(few)]).collect()
        } else {
            rng.shuffle(&mut colors[..few]);
            colors[..rules.cells()].to_vec()
        };
        Code::from_indices(indices)
    };
    (code(), code())
}

/// Returns the index of a pair with the most different answers, or `None` if all rules agree on all pairs.
fn separating(pairs: &[(Code, Code)], known: &mut [Scorer]) -> Option<usize> {
    let mut answers = |(guess, secret): &(Code, Code)| {
        known.iter_mut().map(|known| known.answer(guess, secret)).collect::<BTreeSet<_>>().len()
    };
    let best = pairs.iter().enumerate().map(|(index, pair)| (answers(pair), std::cmp::Reverse(index))).max()?;
    (best.0 > 1).then_some(best.1.0)
}

/// How well a rule explains answers.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// The rule.
    #[serde(flatten)]
    pub rule: ScoringRule,
    /// Number of answers that the rule gives, too.
    pub explained: usize,
    /// First guess that it answers in another way, with its answer.
    pub difference: Option<ScoredGuess>,
}

/// Returns how many of the answers each known rule explains, best rules first. Rules with marks of another form are omitted.
pub fn explain_answers(rules: &Rules, answers: &[ScoredGuess]) -> Vec<Explanation> {
    let form = |answer: &ScorerAnswer| answer.0.iter().map(Vec::len).collect::<Vec<_>>();
    let explain = |mut known: Scorer| {
        let mut explanation = Explanation { rule: known.rule, explained: 0, difference: None };
        for one in answers {
            let given = known.answer(&one.guess, &one.secret);
            if form(&given) != form(&one.answer) {
                return None;
            }
            if given == one.answer {
                explanation.explained += 1;
            } else {
                explanation.difference.get_or_insert(ScoredGuess { answer: given, ..one.clone() });
            }
        }
        Some(explanation)
    };
    let mut explanations: Vec<Explanation> = Scorer::all(rules).into_iter().filter_map(explain).collect();
    explanations.sort_by_key(|explanation| std::cmp::Reverse(explanation.explained));
    explanations
}
