//! Laws of hints: equivalent positions get the same advice, whatever the seed and the number of alternatives; and an
//! independent exhaustive search for the least total.

use std::collections::HashMap;

use pegwise_coach::{Hint, Notes, RatedGuess, best_guesses, hint};
use pegwise_game::symmetry::AllowedSymmetries;
use pegwise_game::{Code, Color, Feedback, History, Rules, Space, Turn, feedback};
use pegwise_solve::{Basis, Renaming, Rng, Search, catalog};

pub(crate) const BOARDS: [&str; 12] = [
    "4x6", "4x7", "4x8", "5x6", "5x8", "6x9", "4x10:no-repeats", "5x8:no-repeats", "4x6:black-only", "4x6:per-cell",
    "4x5:higher-lower", "grid:2x2x4",
];

/// Draws the turns of an unfinished game.
pub(crate) fn position(rules: &Rules, rng: &mut Rng) -> History {
    loop {
        let secret = rng.code(rules);
        let turns = 1 + rng.index(4);
        let guesses: Vec<Code> = (0..turns).map(|_| rng.code(rules)).collect();
        if !guesses.contains(&secret) {
            return History::against(rules, &secret, guesses);
        }
    }
}

/// Permutes colors, cells and turns as far as the rules allow, and repeats a turn.
fn scrambled(history: &History, rng: &mut Rng) -> History {
    let rules = history.rules();
    let allowed = AllowedSymmetries::of_feedback(rules);
    let (mut cells, mut colors): (Vec<usize>, Vec<u16>) = ((0..rules.cells()).collect(), (0..rules.colors()).collect());
    if allowed.cells {
        rng.shuffle(&mut cells);
    }
    if allowed.colors {
        rng.shuffle(&mut colors);
    }
    let image =
        |code: &Code| Code::new(cells.iter().map(|&cell| Color::new(colors[code[cell].index()])).collect::<Vec<_>>());
    let mut turns: Vec<Turn> =
        history.turns().iter().map(|turn| Turn { guess: image(&turn.guess), ..turn.clone() }).collect();
    turns.push(turns[0].clone());
    rng.shuffle(&mut turns);
    let mut scrambled = History::new(rules.clone());
    turns.into_iter().for_each(|turn| scrambled.push(turn).unwrap());
    scrambled
}

pub(crate) fn ask(history: &History, strategy: &str, seed: u64, alternatives: usize) -> Hint {
    let mut search = Search::new(seed);
    search.alternatives = alternatives;
    hint(&Notes::from(history), &mut *catalog::strategy(strategy, history.rules()).unwrap(), &mut search).unwrap()
}

/// A guess in the least equivalent form.
fn form(history: &History, guess: &Code) -> (History, Code) {
    let (form, renaming) = Renaming::canonical(history, Some(guess));
    (form, renaming.apply(guess))
}

fn values(history: &History, hint: &Hint) -> Vec<(Code, RatedGuess)> {
    let rated = hint.rated.iter().chain(&hint.alternatives);
    rated
        .map(|rated| {
            let image = form(history, &rated.guess).1;
            (image.clone(), RatedGuess { guess: image, ..rated.clone() })
        })
        .collect()
}

/// Panics if the advice breaks a law.
pub(crate) fn check(history: &History, rng: &mut Rng) {
    let other = scrambled(history, rng);
    let (one, two) = (ask(history, "adaptive", 1, 5), ask(&other, "adaptive", 2, 5));
    let context = format!("{} {history:?}\n{other:?}\n{one:?}\n{two:?}", history.rules());
    assert_eq!(one.remaining, two.remaining, "{context}");
    assert_eq!((&one.basis, &one.why), (&two.basis, &two.why), "{context}");
    if one.basis != Basis::Proven {
        assert_eq!(form(history, &one.guess), form(&other, &two.guess), "{context}");
        assert_eq!(values(history, &one), values(&other, &two), "{context}");
    }
    let rated: Vec<&RatedGuess> = one.rated.iter().chain(&one.alternatives).collect();
    assert!(
        rated[0].guess == one.guess && rated[0].rank == 1 && rated.is_sorted_by_key(|rated| rated.rank),
        "{context}"
    );
    for alternatives in [0, 1, 12] {
        let more = ask(history, "adaptive", 3, alternatives);
        assert_eq!((&more.guess, &more.why), (&one.guess, &one.why), "-a {alternatives} {context}");
        let shared = alternatives.min(5).min(one.alternatives.len());
        assert_eq!(more.alternatives[..shared], one.alternatives[..shared], "-a {alternatives} {context}");
    }
    let played =
        catalog::strategy("adaptive", history.rules()).unwrap().next_guess(history, &mut Search::new(7)).unwrap();
    assert_eq!(played.guess, one.guess, "{context}");
    if rated[0].lost.exact_value() == Some(0.0)
        && let Some(best) = best_guesses(&Notes::from(history), &mut Search::new(1))
    {
        assert!(best.contains(&one.guess), "{context}");
        let others = best_guesses(&Notes::from(&other), &mut Search::new(1)).unwrap();
        let forms = |history: &History, best: &[Code]| {
            let mut forms: Vec<Code> = best.iter().map(|guess| form(history, guess).1).collect();
            forms.sort_unstable();
            forms
        };
        assert_eq!(forms(history, &best), forms(&other, &others), "{context}");
    }
}

/// Least totals of sets of codes, by exhaustive search with a bound from the sizes of the parts.
pub(crate) struct Exhaustive {
    /// Mark of each guess for each code.
    marks: Vec<Vec<u8>>,
    totals: HashMap<Vec<u16>, u32>,
}

impl Exhaustive {
    pub(crate) fn new(rules: &Rules, codes: &[Code]) -> Self {
        let mut numbers: HashMap<Feedback, u8> = HashMap::from([(Feedback::winning(rules), 0)]);
        let mut mark = |guess: &Code, code: &Code| {
            let next = numbers.len() as u8;
            *numbers.entry(feedback(rules, guess, code)).or_insert(next)
        };
        let guesses: Vec<Code> = Space::new(rules).iter().collect();
        let marks = guesses.iter().map(|guess| codes.iter().map(|code| mark(guess, code)).collect()).collect();
        Self { marks, totals: HashMap::new() }
    }

    fn parts(&self, guess: usize, set: &[u16]) -> Vec<Vec<u16>> {
        let mut parts: Vec<Vec<u16>> = vec![Vec::new(); 64];
        set.iter().for_each(|&code| parts[usize::from(self.marks[guess][usize::from(code)])].push(code));
        parts[0].clear();
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// Returns the least total if it is below `limit`, or else a number that is not.
    pub(crate) fn total(&mut self, set: &[u16], limit: u32) -> u32 {
        let codes = set.len() as u32;
        if codes <= 2 {
            return 2 * codes - 1;
        }
        if let Some(&known) = self.totals.get(set) {
            return known;
        }
        let mut counts = [0u16; 64];
        let mut order: Vec<(u32, usize)> = (0..self.marks.len())
            .map(|guess| {
                let marks = &self.marks[guess];
                set.iter().for_each(|&code| counts[usize::from(marks[usize::from(code)])] += 1);
                let wins = u32::from(std::mem::take(&mut counts[0]) > 0);
                let low: u32 = counts
                    .iter_mut()
                    .map(std::mem::take)
                    .map(|size| if size == 0 { 0 } else { 2 * u32::from(size) - 1 })
                    .sum();
                (codes + low, usize::from(wins == 0) * self.marks.len() + guess)
            })
            .collect();
        order.sort_unstable();
        let mut best = limit;
        for (low, guess) in order {
            if low >= best {
                break;
            }
            best = best.min(self.after(guess % self.marks.len(), set, best));
        }
        if best < limit {
            self.totals.insert(set.to_vec(), best);
        }
        best
    }

    /// Returns the total after a guess if it is below `limit`, or else a number that is not.
    pub(crate) fn after(&mut self, guess: usize, set: &[u16], limit: u32) -> u32 {
        let parts = self.parts(guess, set);
        if parts.iter().any(|part| part.len() == set.len()) {
            return u32::MAX;
        }
        let mut low = set.len() as u32 + parts.iter().map(|part| 2 * part.len() as u32 - 1).sum::<u32>();
        for part in &parts {
            if low >= limit {
                break;
            }
            let least = 2 * part.len() as u32 - 1;
            low = low - least + self.total(part, limit - (low - least));
        }
        low
    }
}

/// Panics if the hint for a position of at most `max_codes` codes does not lead to the least total. Returns false if there
/// are more codes.
pub(crate) fn check_optimal(history: &History, max_codes: usize) -> bool {
    let rules = history.rules();
    let codes: Vec<Code> = Space::new(rules).iter().filter(|code| history.is_consistent(code)).collect();
    if codes.len() > max_codes {
        return false;
    }
    let found = ask(history, "adaptive", 1, 1);
    let mut search = Exhaustive::new(rules, &codes);
    let set: Vec<u16> = (0..codes.len() as u16).collect();
    let least = search.total(&set, u32::MAX);
    let guess = Space::new(rules).iter().position(|code| code == found.guess).unwrap();
    assert_eq!(search.after(guess, &set, least + 1), least, "{rules} {history:?}: {found:?}");
    true
}
