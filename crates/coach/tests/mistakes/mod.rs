//! Games in which the player makes one mistake in writing a turn down, and goes on from it.

use pegwise_coach::{Contradiction, Note, Notes, Repair, RepairKind, mend};
use pegwise_game::{Code, FeedbackKind, History, Judge, Mark, Rules, Turn};
use pegwise_solve::{Rng, Search, Strategy};

/// A game that ended in a contradiction.
pub(crate) struct Mistaken {
    /// What was written down.
    pub(crate) notes: Notes,
    /// The turn with the mistake, by one-based number.
    pub(crate) turn: usize,
    /// The turn as it should have been written.
    pub(crate) truth: Note,
}

/// Every kind of mistake.
pub(crate) const KINDS: [RepairKind; 3] = [RepairKind::Number, RepairKind::Swapped, RepairKind::Neighbors];

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
            return truth.map(|truth: Note| Mistaken { notes, turn: mistaken + 1, truth });
        };
        let played = Turn { feedback: judge.feedback(&proposal.guess, &secret), guess: proposal.guess };
        if played.feedback.is_winning(rules) {
            return None;
        }
        let mut turn = played.clone();
        if at == mistaken {
            turn = spoil(rules, &played, kind, &mut rng)?;
            truth = Some(Note::from(played));
        }
        written.push(turn).ok()?;
    }
    None
}

/// A turn as it may be written down with a mistake of this kind, if there is any; never as a win, which would end the game.
fn spoil(rules: &Rules, turn: &Turn, kind: RepairKind, rng: &mut Rng) -> Option<Turn> {
    let mut spoiled = spoiled(rules, turn, kind);
    spoiled.retain(|other| !other.feedback.is_winning(rules));
    (!spoiled.is_empty()).then(|| spoiled.swap_remove(rng.index(spoiled.len())))
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
        RepairKind::Swapped | RepairKind::Number => {
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
        // These add up to the line: what one loses another gains.
        (_, FeedbackKind::HigherLower) => {
            let pairs =
                (0..3).flat_map(|one| (0..3).map(move |other| (one, other))).filter(|(one, other)| one != other);
            let moved = pairs.flat_map(|(one, other)| (1..=numbers[one]).map(move |moved| (one, other, moved)));
            moved
                .map(|(one, other, moved)| with(&[(one, numbers[one] - moved), (other, numbers[other] + moved)]))
                .collect()
        }
        _ => (0..numbers.len())
            .flat_map(|at| (0..=12).map(move |number| (at, number)))
            .map(|change| with(&[change]))
            .collect(),
    }
}

/// What is found to mend a game, and where the truth stands among the repairs, from zero.
pub(crate) fn mended(game: &Mistaken) -> (Contradiction, Option<usize>) {
    let mended = mend(&game.notes, &mut Search::new(1)).expect("the strategy found no code");
    let is_truth = |repair: &Repair| repair.turn == game.turn && repair.now == game.truth;
    let place = mended.repairs.iter().position(is_truth);
    (mended, place)
}
