//! Searches for small sets of guesses that decide every code, and proofs that no smaller set does.
//!
//! [`Finder`] builds a greedy set and then looks for smaller ones by exchanging guesses.
//!
//! [`Prover`] is exhaustive. Any two codes must be separated by some guess, so it branches on the guesses that separate
//! two codes, for a pair with few such guesses. A guess that leads nowhere is excluded from then on, together with its
//! images under the symmetries of the chosen guesses: a solution with one of them could be mapped to a solution with
//! the excluded guess.

use pegwise_game::{Code, Rules, symmetry::Symmetry};

use super::classes::{ClassBuffers, EquivalenceClasses, FeedbackTable};
use pegwise_search::{Rng, Stop, Watch};

/// Maximum number of guesses compared per guess of the greedy set.
const GREEDY_SAMPLE: usize = 4096;
/// Number of guesses compared per exchange.
const EXCHANGE_SAMPLE: usize = 48;
/// Maximum number of exchanges per size.
const MAX_EXCHANGES: usize = 3000;
/// Probability that a worsening exchange is accepted, to escape local optima.
const WORSE_ACCEPTANCE: f64 = 0.02;

/// Heuristic search for sets of guesses that decide every code.
pub(super) struct Finder<'a> {
    pub(super) rules: &'a Rules,
    pub(super) answers: &'a mut FeedbackTable,
    pub(super) rng: Rng,
    pub(super) watch: Watch<'a>,
    pub(super) scratch: ClassBuffers,
}

impl Finder<'_> {
    /// Builds a set greedily: each guess leaves the fewest undecided pairs of codes.
    pub(super) fn greedy(&mut self) -> Vec<Code> {
        let codes = self.answers.codes.len();
        let mut classes = EquivalenceClasses::new(codes);
        let mut guesses = Vec::new();
        while !classes.is_decided() {
            let candidates = self.rng.sample(codes as u32, GREEDY_SAMPLE);
            let mut best: Option<(u64, Code, Vec<u16>)> = None;
            for row in candidates {
                // Out of time, the best guess so far is taken: every guess that splits a class is progress.
                if best.is_some() && self.watch.stop().is_some() {
                    break;
                }
                let guess = self.answers.codes.code(row as usize);
                let (pairs, answers) = self.undecided(&classes, &guess);
                if best.as_ref().is_none_or(|(fewest, ..)| pairs < *fewest) {
                    best = Some((pairs, guess, answers));
                }
            }
            let Some((_, mut guess, mut answers)) = best else { break };
            let mut next = classes.refine(&answers, &mut self.scratch);
            if next == classes {
                // An undecided code as a guess separates at least itself.
                guess = self.answers.codes.code(classes.rows[0] as usize);
                answers = self.answers.to(&guess);
                next = classes.refine(&answers, &mut self.scratch);
            }
            classes = next;
            guesses.push(guess);
        }
        guesses
    }

    /// Searches for a set of `size` guesses that decides every code, starting from the first `size` guesses of `start`.
    pub(super) fn exchange(&mut self, size: usize, start: &[Code]) -> Option<Vec<Code>> {
        let mut guesses = start[..size].to_vec();
        let mut asked: Vec<Vec<u16>> = guesses.iter().map(|guess| self.answers.to(guess)).collect();
        let mut current = u64::MAX;
        for _ in 0..MAX_EXCHANGES {
            if guesses.is_empty() || self.watch.stop().is_some() {
                return None;
            }
            let place = self.rng.index(size);
            let mut others = EquivalenceClasses::new(self.answers.codes.len());
            for (_, answers) in asked.iter().enumerate().filter(|&(other, _)| other != place) {
                others = others.refine(answers, &mut self.scratch);
            }
            let mut best: Option<(u64, Code, Vec<u16>)> = None;
            for number in 0..EXCHANGE_SAMPLE {
                let guess = self.candidate(&guesses[place], number);
                let (pairs, answers) = self.undecided(&others, &guess);
                if guess != guesses[place] && best.as_ref().is_none_or(|(fewest, ..)| pairs < *fewest) {
                    best = Some((pairs, guess, answers));
                }
            }
            let Some((pairs, guess, answers)) = best else { continue };
            if pairs <= current || self.rng.chance(WORSE_ACCEPTANCE) {
                (current, guesses[place], asked[place]) = (pairs, guess, answers);
            }
            if pairs == 0 {
                return Some(guesses);
            }
        }
        None
    }

    /// Draws a guess: alternately a random one and a neighbor of the present one.
    fn candidate(&mut self, guess: &Code, number: usize) -> Code {
        if number.is_multiple_of(2) || !self.rules.repeats() {
            return self.rng.code(self.rules);
        }
        let mut near = guess.clone();
        let cell = self.rng.index(near.len());
        near.colors_mut()[cell] = pegwise_game::Color::new(self.rng.below(self.rules.colors().into()) as u16);
        near
    }

    fn undecided(&mut self, classes: &EquivalenceClasses, guess: &Code) -> (u64, Vec<u16>) {
        let answers = self.answers.to(guess);
        (classes.undecided_pairs(&answers, self.answers.kinds, &mut self.scratch), answers)
    }
}

/// Maximum number of codes whose feedback to every guess is stored.
const MAX_CODES: usize = 2048;
/// Number of pairs of codes compared to find one with few separating guesses.
const PAIR_SAMPLE: usize = 48;
/// Number of chosen guesses from which computing symmetries no longer pays.
const MAX_SYMMETRIC: usize = 3;

/// Exhaustive search over all sets of guesses.
pub(super) struct Prover<'a> {
    rules: &'a Rules,
    codes: Vec<Code>,
    /// Feedback of each code, by guess.
    answers: Vec<Vec<u16>>,
    kinds: usize,
    watch: Watch<'a>,
    nodes_left: u64,
    scratch: ClassBuffers,
}

impl<'a> Prover<'a> {
    /// Creates a prover; `None` if there are too many codes.
    pub(super) fn new(rules: &'a Rules, answers: &mut FeedbackTable, max_nodes: u64, watch: Watch<'a>) -> Option<Self> {
        if answers.codes.len() > MAX_CODES {
            return None;
        }
        let codes: Vec<Code> = answers.codes.codes().collect();
        let to_each = codes.iter().map(|guess| answers.to(guess)).collect();
        let kinds = answers.kinds;
        Some(Self {
            rules,
            codes,
            answers: to_each,
            kinds,
            watch,
            nodes_left: max_nodes,
            scratch: ClassBuffers::default(),
        })
    }

    /// Searches for `size` guesses that decide every code; `None` if no such set exists, and an error if the search was
    /// stopped.
    pub(super) fn find(&mut self, size: usize) -> Result<Option<Vec<Code>>, Stop> {
        let mut chosen = Vec::new();
        let excluded = vec![false; self.codes.len()];
        let found = self.search(&EquivalenceClasses::new(self.codes.len()), &mut chosen, excluded, size)?;
        Ok(found.then(|| chosen.into_iter().map(|guess| self.codes[guess].clone()).collect()))
    }

    fn search(
        &mut self,
        classes: &EquivalenceClasses,
        chosen: &mut Vec<usize>,
        mut excluded: Vec<bool>,
        left: usize,
    ) -> Result<bool, Stop> {
        if classes.is_decided() {
            return Ok(true);
        }
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(Stop::Nodes)?;
        if let Some(stop) = self.watch.stop() {
            return Err(stop);
        }
        let ways = u32::try_from(left).ok().and_then(|left| self.kinds.checked_pow(left)).unwrap_or(usize::MAX);
        if left == 0 || classes.largest() > ways {
            return Ok(false);
        }
        if left == 1 {
            let last = (0..self.codes.len()).find(|&guess| !excluded[guess] && self.decides(classes, guess));
            chosen.extend(last);
            return Ok(last.is_some());
        }
        let orbits = (chosen.len() < MAX_SYMMETRIC).then(|| {
            let symmetry = Symmetry::new(self.rules, chosen.iter().map(|&guess| &self.codes[guess]));
            self.codes.iter().map(|code| symmetry.lowest(code)).collect::<Vec<Code>>()
        });
        for guess in self.separating_guesses(classes, &excluded) {
            if excluded[guess] {
                continue;
            }
            chosen.push(guess);
            let next = classes.refine(&self.answers[guess], &mut self.scratch);
            if self.search(&next, chosen, excluded.clone(), left - 1)? {
                return Ok(true);
            }
            chosen.pop();
            match &orbits {
                Some(orbits) => {
                    let equals = orbits.iter().zip(&mut excluded).filter(|(orbit, _)| **orbit == orbits[guess]);
                    equals.for_each(|(_, excluded)| *excluded = true);
                }
                None => excluded[guess] = true,
            }
        }
        Ok(false)
    }

    fn decides(&mut self, classes: &EquivalenceClasses, guess: usize) -> bool {
        classes.undecided_pairs(&self.answers[guess], self.kinds, &mut self.scratch) == 0
    }

    /// Returns the guesses that separate two codes of one class, for a pair with few such guesses.
    fn separating_guesses(&self, classes: &EquivalenceClasses, excluded: &[bool]) -> Vec<usize> {
        let groups = classes.groups();
        let pairs = groups.iter().flat_map(|group| group.windows(2).map(|pair| (pair[0], pair[1])));
        let step = (classes.rows.len() / PAIR_SAMPLE).max(1);
        let separating = |(one, other): (u32, u32)| -> Vec<usize> {
            let apart = |answers: &Vec<u16>| answers[one as usize] != answers[other as usize];
            (0..self.codes.len()).filter(|&guess| !excluded[guess] && apart(&self.answers[guess])).collect()
        };
        pairs.step_by(step).map(separating).min_by_key(Vec::len).unwrap_or_default()
    }
}
