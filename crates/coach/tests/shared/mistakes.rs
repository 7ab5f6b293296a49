//! Games in which the player writes one turn down wrong and continues.
//!
//! An independent implementation of the error model in the forward direction, from the mistake to the written turn.

use pegwise_coach::{Contradiction, Note, Notes, Repair, RepairKind, mend};
use pegwise_game::{Code, Color, FeedbackKind, History, Judge, Mark, Rules, Turn};
use pegwise_solve::{Rng, Search, Strategy};

/// A game that ended in a contradiction.
pub(crate) struct Mistaken {
    /// The written notes.
    pub(crate) notes: Notes,
    /// One-based number of the wrong turn.
    pub(crate) turn: usize,
    /// The true turn.
    pub(crate) truth: Note,
    /// Kind of the mistake.
    pub(crate) kind: RepairKind,
}

/// Outcome of a game.
pub(crate) enum MistakeOutcome {
    /// No mistake happened: the game ended first, or no mistake of the kind was possible.
    Flawless,
    /// The code was found despite the mistake.
    Unnoticed,
    Contradiction(Box<Mistaken>),
}

/// Kinds of mistakes that change a turn by itself.
pub(crate) const KINDS: [RepairKind; 5] =
    [RepairKind::Misread, RepairKind::Number, RepairKind::Swapped, RepairKind::Neighbors, RepairKind::Peg];

/// Kinds of mistakes and their odds.
pub(crate) const MODEL: [(RepairKind, f64); 6] = [
    (RepairKind::Misread, 0.60),
    (RepairKind::Number, 0.12),
    (RepairKind::Swapped, 0.15),
    (RepairKind::Neighbors, 0.07),
    (RepairKind::Peg, 0.03),
    (RepairKind::Row, 0.03),
];
/// Factors for each further peg, and for a winning answer.
const EXTRA_PEG_FACTOR: f64 = 0.1;
const WIN_FACTOR: f64 = 0.01;

/// Plays a game with a mistake drawn from the model.
pub(crate) fn any_game(rules: &Rules, strategy: &mut dyn Strategy, seed: u64) -> MistakeOutcome {
    let mut rng = Rng::for_path(seed, [&b"mistake"[..]]);
    let kind = MODEL[rng.weighted(&MODEL.map(|(_, odds)| odds))].0;
    game(rules, strategy, kind, seed)
}

/// Plays a strategy against a random secret, with one mistake of a kind in a random turn.
pub(crate) fn game(rules: &Rules, strategy: &mut dyn Strategy, kind: RepairKind, seed: u64) -> MistakeOutcome {
    /// Upper bound on the number of turns of the boards measured.
    const MAX_GAME: usize = 12;
    const MAX_TURNS: usize = 30;
    let mut rng = Rng::new(seed);
    let secret = rng.code(rules);
    let mistaken = rng.index(MAX_GAME);
    let mut judge = Judge::new(rules);
    let mut written = History::new(rules.clone());
    let mut truth = None;
    for at in 0..MAX_TURNS {
        let Ok(proposal) = strategy.next_guess(&written, &mut Search::new(seed)) else {
            let notes = Notes::from(&written);
            let truth = truth.expect("turns that are true do not contradict each other");
            return MistakeOutcome::Contradiction(Box::new(Mistaken { notes, turn: mistaken + 1, truth, kind }));
        };
        let played = Turn { feedback: judge.feedback(&proposal.guess, &secret), guess: proposal.guess };
        let mut turn = played.clone();
        if at == mistaken {
            let ways = ways(rules, &played, written.turns(), kind);
            let chances: Vec<f64> = ways.iter().map(|(_, chance)| *chance).collect();
            let none = 1.0 - chances.iter().sum::<f64>();
            let drawn = rng.weighted(&[chances, vec![none.max(0.0)]].concat());
            if let Some((spoiled, _)) = ways.into_iter().nth(drawn) {
                turn = spoiled;
                truth = Some(Note::from(played.clone()));
            }
        }
        // A solved game ends, unless the win was overlooked.
        let over = played.feedback.is_winning(rules) && turn == played || turn.feedback.is_winning(rules);
        if over || at == mistaken && truth.is_none() {
            return if truth.is_some() { MistakeOutcome::Unnoticed } else { MistakeOutcome::Flawless };
        }
        written.push(turn).expect("a valid turn");
    }
    MistakeOutcome::Unnoticed
}

/// Returns the ways to write a turn down wrong with their probabilities, given the kind of mistake. The remaining
/// probability is that of no mistake.
pub(crate) fn ways(rules: &Rules, turn: &Turn, written: &[Turn], kind: RepairKind) -> Vec<(Turn, f64)> {
    let wins = |turn: &Turn| turn.feedback.is_winning(rules);
    let seen = |other: &Turn| if wins(turn) || wins(other) { WIN_FACTOR } else { 1.0 };
    if kind == RepairKind::Row {
        let others = written.iter().map(|other| Turn { guess: turn.guess.clone(), feedback: other.feedback.clone() });
        let others = others.filter(|other| other != turn);
        return others
            .map(|other| {
                let chance = seen(&other) / written.len() as f64;
                (other, chance)
            })
            .collect();
    }
    let all = spoiled(rules, turn, kind);
    let mut ways = Vec::new();
    if !matches!(kind, RepairKind::Misread | RepairKind::Number) {
        let count = all.len() as f64;
        return all
            .into_iter()
            .map(|other| {
                let chance = seen(&other) / count;
                (other, chance)
            })
            .collect();
    }
    for off in 1..=all.iter().map(|other| pegs_off(turn, other)).max().unwrap_or(0) {
        let just: Vec<&Turn> = all.iter().filter(|other| pegs_off(turn, other) == off).collect();
        let chance = (1.0 - EXTRA_PEG_FACTOR) * EXTRA_PEG_FACTOR.powi(off as i32 - 1) / just.len() as f64;
        ways.extend(just.into_iter().map(|other| (other.clone(), chance * seen(other))));
    }
    ways
}

/// Returns the probability that the whole model gives to a written turn.
#[allow(dead_code, reason = "the benchmark draws mistakes, and does not weigh them")]
pub(crate) fn chance(rules: &Rules, truth: &Turn, written: &Turn, before: &[Turn], only: Option<RepairKind>) -> f64 {
    let kinds = MODEL.iter().filter(|(kind, _)| match only {
        Some(only) => *kind == only,
        None => *kind != RepairKind::Row,
    });
    let of_kind = |(kind, odds): &(RepairKind, f64)| {
        let ways = ways(rules, truth, before, *kind);
        odds * ways.iter().filter(|(other, _)| other == written).map(|(_, chance)| chance).sum::<f64>()
    };
    kinds.map(of_kind).sum()
}

/// Returns the largest difference of any number between two answers.
fn pegs_off(one: &Turn, other: &Turn) -> u64 {
    let numbers = |turn: &Turn| {
        turn.feedback.marks().iter().flat_map(|mark| mark.numbers().collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    numbers(one).into_iter().zip(numbers(other)).map(|(one, other)| one.abs_diff(other)).max().unwrap_or(0)
}

/// Returns every turn that a mistake of this kind can produce.
pub(crate) fn spoiled(rules: &Rules, turn: &Turn, kind: RepairKind) -> Vec<Turn> {
    let mut spoiled = Vec::new();
    match kind {
        RepairKind::Neighbors => {
            for line in rules.board().lines() {
                for pair in line.windows(2) {
                    let mut colors = turn.guess.to_vec();
                    colors.swap(pair[0], pair[1]);
                    spoiled.push(Turn { guess: Code::new(colors), feedback: turn.feedback.clone() });
                }
            }
        }
        RepairKind::Peg => {
            for cell in 0..rules.cells() {
                for color in 0..rules.colors() {
                    let mut colors = turn.guess.to_vec();
                    colors[cell] = Color::new(color);
                    let guess = Code::new(colors);
                    if rules.check_code(&guess).is_ok() {
                        spoiled.push(Turn { guess, feedback: turn.feedback.clone() });
                    }
                }
            }
        }
        RepairKind::Swapped | RepairKind::Number | RepairKind::Misread => {
            for (line, cells) in rules.board().lines().enumerate() {
                let marks = turn.feedback.marks();
                for numbers in spoiled_numbers(rules, &marks[line].numbers().collect::<Vec<_>>(), kind) {
                    let mark = Mark::from_numbers(rules.feedback(), &numbers, cells.len(), rules.colors());
                    let Ok(mark) = mark else { continue };
                    let mut marks = marks.to_vec();
                    marks[line] = mark;
                    spoiled.push(Turn { guess: turn.guess.clone(), feedback: marks.into_iter().collect() });
                }
            }
        }
        other => panic!("how {other:?} is made is not known here"),
    }
    spoiled.retain(|other| other != turn);
    let mut different: Vec<Turn> = Vec::new();
    for other in spoiled {
        if !different.contains(&other) {
            different.push(other);
        }
    }
    different
}

fn spoiled_numbers(rules: &Rules, numbers: &[u64], kind: RepairKind) -> Vec<Vec<u64>> {
    let with = |changes: &[(usize, u64)]| {
        let mut numbers = numbers.to_vec();
        changes.iter().for_each(|&(at, number)| numbers[at] = number);
        numbers
    };
    match (kind, rules.feedback()) {
        (RepairKind::Swapped, FeedbackKind::BlackWhite) => vec![with(&[(0, numbers[1]), (1, numbers[0])])],
        (RepairKind::Swapped, FeedbackKind::HigherLower) => vec![with(&[(1, numbers[2]), (2, numbers[1])])],
        (RepairKind::Swapped, _) => Vec::new(),
        // Pegs move from one number to another.
        (RepairKind::Misread, FeedbackKind::HigherLower | FeedbackKind::BlackWhite) => {
            let count = numbers.len();
            let pairs = (0..count).flat_map(|one| (0..count).map(move |other| (one, other)));
            let pairs = pairs.filter(|(one, other)| one != other);
            let moved = pairs.flat_map(|(one, other)| (1..=numbers[one]).map(move |moved| (one, other, moved)));
            moved
                .map(|(one, other, moved)| with(&[(one, numbers[one] - moved), (other, numbers[other] + moved)]))
                .collect()
        }
        (RepairKind::Misread, _) | (_, FeedbackKind::HigherLower) => Vec::new(),
        _ => (0..numbers.len())
            .flat_map(|at| (0..=12).map(move |number| (at, number)))
            .map(|change| with(&[change]))
            .collect(),
    }
}

/// Repairs a game. Returns the zero-based rank of the true repair, if it is listed.
pub(crate) fn mended(game: &Mistaken) -> (Contradiction, Option<usize>) {
    let mended = mend(&game.notes, &mut Search::new(1)).expect("the strategy found no code");
    let is_truth = |repair: &Repair| {
        repair.turn == game.turn
            && (repair.now == game.truth || game.kind == RepairKind::Row && repair.kind == RepairKind::Row)
    };
    let place = mended.repairs.iter().position(is_truth);
    (mended, place)
}
