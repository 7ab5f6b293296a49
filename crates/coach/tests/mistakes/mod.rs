//! Games in which the player makes one mistake in writing a turn down, and goes on from it.

use pegwise_coach::{Contradiction, Note, Notes, Repair, RepairKind, mend};
use pegwise_game::{Code, Color, FeedbackKind, History, Judge, Mark, Rules, Turn};
use pegwise_solve::{Rng, Search, Strategy};

/// A game that ended in a contradiction.
pub(crate) struct Mistaken {
    /// What was written down.
    pub(crate) notes: Notes,
    /// The turn with the mistake, by one-based number.
    pub(crate) turn: usize,
    /// The turn as it should have been written.
    pub(crate) truth: Note,
    /// Whether another row's answer stands there.
    pub(crate) row: bool,
}

/// Every kind of mistake that changes a turn by itself.
pub(crate) const KINDS: [RepairKind; 5] =
    [RepairKind::Misread, RepairKind::Number, RepairKind::Swapped, RepairKind::Neighbors, RepairKind::Peg];

/// The model of how people err, as it is written down: what happens, and the odds.
const MODEL: [(RepairKind, f64); 6] = [
    (RepairKind::Misread, 0.60),
    (RepairKind::Number, 0.12),
    (RepairKind::Swapped, 0.15),
    (RepairKind::Neighbors, 0.07),
    (RepairKind::Peg, 0.03),
    (RepairKind::Row, 0.03),
];
/// How much rarer each further peg is.
const FURTHER: f64 = 0.1;

/// A game with one mistake drawn from the model.
pub(crate) fn any_game(rules: &Rules, strategy: &mut dyn Strategy, seed: u64) -> Option<Mistaken> {
    let mut rng = Rng::for_path(seed, [&b"mistake"[..]]);
    let kind = MODEL[rng.weighted(&MODEL.map(|(_, odds)| odds))].0;
    game(rules, strategy, kind, seed)
}

/// Plays by a strategy against a random secret, with one mistake in one of the first turns. `None` when it led to no
/// contradiction before the code was found, or could not be made.
pub(crate) fn game(rules: &Rules, strategy: &mut dyn Strategy, kind: RepairKind, seed: u64) -> Option<Mistaken> {
    const FIRST_TURNS: usize = 5;
    const MOST_TURNS: usize = 30;
    let mut rng = Rng::new(seed);
    let secret = rng.code(rules);
    let mistaken = rng.index(FIRST_TURNS);
    let mut judge = Judge::new(rules);
    let mut written = History::new(rules.clone());
    let mut truth = None;
    for at in 0..MOST_TURNS {
        let Ok(proposal) = strategy.next_guess(&written, &mut Search::new(seed)) else {
            let notes = Notes::from(&written);
            let row = kind == RepairKind::Row;
            return truth.map(|truth: Note| Mistaken { notes, turn: mistaken + 1, truth, row });
        };
        let played = Turn { feedback: judge.feedback(&proposal.guess, &secret), guess: proposal.guess };
        if played.feedback.is_winning(rules) {
            return None;
        }
        let mut turn = played.clone();
        if at == mistaken {
            turn = spoil(rules, &played, &written, kind, &mut rng)?;
            truth = Some(Note::from(played));
        }
        written.push(turn).ok()?;
    }
    None
}

/// A turn as it may be written down with a mistake of this kind, if there is any; never as a win, which would end the game.
fn spoil(rules: &Rules, turn: &Turn, written: &History, kind: RepairKind, rng: &mut Rng) -> Option<Turn> {
    let mut off = 1;
    while rng.chance(FURTHER) {
        off += 1;
    }
    let mut spoiled = match kind {
        RepairKind::Row => {
            let others = written.turns().iter().map(|other| other.feedback.clone());
            others.map(|feedback| Turn { guess: turn.guess.clone(), feedback }).filter(|other| other != turn).collect()
        }
        _ => spoiled(rules, turn, kind),
    };
    if matches!(kind, RepairKind::Misread | RepairKind::Number) {
        spoiled.retain(|other| pegs_off(turn, other) == off);
    }
    spoiled.retain(|other| !other.feedback.is_winning(rules));
    (!spoiled.is_empty()).then(|| spoiled.swap_remove(rng.index(spoiled.len())))
}

/// By how many pegs the answers of two turns differ at most, number by number.
fn pegs_off(one: &Turn, other: &Turn) -> u64 {
    let numbers = |turn: &Turn| {
        turn.feedback.marks().iter().flat_map(|mark| mark.numbers().collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    numbers(one).into_iter().zip(numbers(other)).map(|(one, other)| one.abs_diff(other)).max().unwrap_or(0)
}

/// Every way to write a turn down with a mistake of this kind.
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
    spoiled
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
        // Pegs of one kind taken for another: what one loses another gains.
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

/// What is found to mend a game, and where the truth stands among the repairs, from zero.
pub(crate) fn mended(game: &Mistaken) -> (Contradiction, Option<usize>) {
    let mended = mend(&game.notes, &mut Search::new(1)).expect("the strategy found no code");
    let is_truth = |repair: &Repair| {
        repair.turn == game.turn && (repair.now == game.truth || game.row && repair.kind == RepairKind::Row)
    };
    let place = mended.repairs.iter().position(is_truth);
    (mended, place)
}
