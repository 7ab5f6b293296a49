//! Contradictions that are certain at a glance, on boards of any size.
//!
//! The same guess cannot be answered in two ways; and where colors count, a code has so many pegs of each color, which must
//! come to what every answer says of the guess as a whole. Whether any numbers of pegs do is searched exactly, color by
//! color: far fewer ways than there are codes, because places do not matter.

use std::collections::HashSet;

use crate::notes::{Note, Notes};

/// Steps of the search for numbers of pegs.
const STEPS: u64 = 300_000;

/// Whether some of these notes certainly contradict each other.
pub(super) fn contradict(notes: &Notes) -> bool {
    // Where answers may be lies, two of them say nothing for certain.
    notes.rules().lies() == 0 && (same_guess_twice(notes.notes()) || !pegs_can_be(notes))
}

/// Whether a guess was answered in two ways.
fn same_guess_twice(notes: &[Note]) -> bool {
    let differ = |one: &Note, other: &Note| {
        let marks = one.feedback.iter().zip(&other.feedback);
        let mut numbers = marks.flat_map(|(one, other)| one.numbers().iter().zip(other.numbers()));
        one.guess.iter().all(Option::is_some)
            && one.guess == other.guess
            && numbers.any(|(one, other)| one.zip(*other).is_some_and(|(one, other)| one != other))
    };
    notes.iter().enumerate().any(|(at, one)| notes[at + 1..].iter().any(|other| differ(one, other)))
}

/// Whether some numbers of pegs of each color fit every whole turn, on every line; also where that could not be told.
fn pegs_can_be(notes: &Notes) -> bool {
    let rules = notes.rules();
    let terms = rules.feedback().terms();
    if !terms.colors || terms.cell_by_cell {
        return true;
    }
    let turns: Vec<_> = notes.notes().iter().filter_map(Note::turn).collect();
    let colors = usize::from(rules.colors());
    rules.board().lines().enumerate().all(|(line, cells)| {
        // For each color, how often each guess shows it.
        let mut shown = vec![vec![0u16; turns.len()]; colors];
        for (turn, played) in turns.iter().enumerate() {
            cells.iter().for_each(|&cell| shown[played.guess[cell].index()][turn] += 1);
        }
        let goals = turns.iter().map(|turn| turn.feedback.marks()[line].sums()[1] as u16).collect();
        // Colors that no guess shows take up what is left.
        let hidden = shown.iter().filter(|shown| shown.iter().all(|&count| count == 0)).count();
        shown.retain(|shown| shown.iter().any(|&count| count > 0));
        // Those that are shown most leave the fewest ways.
        shown.sort_by_key(|shown| std::cmp::Reverse(shown.iter().sum::<u16>()));
        let most = if rules.repeats() { cells.len() as u16 } else { 1 };
        let room = if rules.repeats() && hidden > 0 { cells.len() } else { hidden.min(cells.len()) } as u16;
        let mut pegs = Pegs { shown, goals, most, room, dead: HashSet::new(), steps: 0 };
        let start = vec![0; turns.len()];
        pegs.can_be(0, cells.len() as u16, start)
    })
}

struct Pegs {
    shown: Vec<Vec<u16>>,
    goals: Vec<u16>,
    /// The most pegs of one color, and of all colors that no guess shows.
    most: u16,
    room: u16,
    /// What was found to lead nowhere.
    dead: HashSet<(usize, u16, Vec<u16>)>,
    steps: u64,
}

impl Pegs {
    /// Whether the colors from this one on can have so many pegs, after these were met.
    fn can_be(&mut self, from: usize, left: u16, met: Vec<u16>) -> bool {
        self.steps += 1;
        // What cannot be told in time may be.
        if self.steps > STEPS {
            return true;
        }
        let Some(shown) = self.shown.get(from) else { return left <= self.room && met == self.goals };
        let ahead = |turn: usize| self.shown[from..].iter().map(|shown| shown[turn]).sum::<u16>();
        let lacking = met.iter().zip(&self.goals).enumerate();
        let reachable =
            lacking.into_iter().all(|(turn, (met, goal))| met <= goal && goal - met <= left.min(ahead(turn)));
        if !reachable || self.dead.contains(&(from, left, met.clone())) {
            return false;
        }
        let shown = shown.clone();
        for pegs in 0..=left.min(self.most) {
            let next = met.iter().zip(&shown).map(|(met, shown)| met + pegs.min(*shown)).collect();
            if self.can_be(from + 1, left - pegs, next) {
                return true;
            }
        }
        self.dead.insert((from, left, met));
        false
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Rules, Space, Turn, feedback};
    use pegwise_solve::Rng;

    use super::*;

    fn certain(rules: &str, turns: &[&str]) -> bool {
        contradict(&Notes::parse(&rules.parse().unwrap(), turns.iter().copied()).unwrap())
    }

    #[test]
    fn plain_contradictions_are_seen() {
        assert!(certain("20x20", &["AABBCCDDEEFFGGHHIIJJ=1,9", "AABBCCDDEEFFGGHHIIJJ=2,9"]));
        assert!(certain("20x20", &["AABBCCDDEEFFGGHHIIJJ=1,10", "KKLLMMNNOOPPQQRRSSTT=2,10"]));
        assert!(!certain("20x20", &["AABBCCDDEEFFGGHHIIJJ=1,9", "KKLLMMNNOOPPQQRRSSTT=2,8"]));
        assert!(certain("4x6", &["1122=0,0", "3344=0,1", "5566=0,0"]));
        assert!(certain("4x6", &["1122=1,?", "1122=2,?"]) && !certain("4x6", &["1122=1,?", "1122=?,1"]));
        assert!(certain("grid:2x2x3", &["1111=1,0/0,0/0,0/0,0", "1111=0,0/0,0/0,0/0,0"]));
    }

    /// What is called a contradiction is one, over random answers.
    #[test]
    fn nothing_is_called_a_contradiction_that_is_none() {
        let mut rng = Rng::new(2);
        let mut met = 0;
        for text in ["3x3", "3x4:no-repeats", "4x3:color-only", "grid:2x2x2", "3x4:black-only"] {
            let rules: Rules = text.parse().unwrap();
            for _ in 0..200 {
                let mut notes = Notes::new(rules.clone());
                for _ in 0..3 {
                    let (guess, secret) = (rng.code(&rules), rng.code(&rules));
                    notes.push(Turn { feedback: feedback(&rules, &guess, &secret), guess }.into()).unwrap();
                }
                if contradict(&notes) {
                    assert!(Space::new(&rules).iter().all(|code| !notes.fit(&code)), "{text}: {notes:?}");
                    met += 1;
                }
            }
        }
        assert!(met > 100, "{met}");
    }
}
