//! Finding few guesses that decide every code: a greedy set first, then smaller ones by exchanging guesses.

use pegwise_game::{Code, Rules};

use super::{
    answers::Answers,
    classes::{Classes, Scratch},
};
use crate::{Rng, Watch};

/// Guesses compared for each place of the greedy set; all of them where there are no more.
const GREEDY: usize = 4096;
/// Guesses compared in each exchange.
const EXCHANGED: usize = 48;
/// Exchanges before a size is given up.
const EXCHANGES: usize = 3000;
/// How often an exchange for the worse is kept, so that the search does not get stuck.
const WORSE: f64 = 0.02;

/// Looks for guesses that decide every code.
pub(super) struct Finder<'a> {
    pub(super) rules: &'a Rules,
    pub(super) answers: &'a mut Answers,
    pub(super) rng: Rng,
    pub(super) watch: Watch<'a>,
    pub(super) scratch: Scratch,
}

impl Finder<'_> {
    /// Guess after guess, each the one that leaves fewest pairs of codes undecided.
    pub(super) fn greedy(&mut self) -> Vec<Code> {
        let codes = self.answers.codes.len();
        let mut classes = Classes::new(codes);
        let mut guesses = Vec::new();
        while !classes.is_decided() {
            let candidates = self.rng.sample(codes as u32, GREEDY);
            let mut best: Option<(u64, Code, Vec<u16>)> = None;
            for row in candidates {
                // Out of time the best so far will do: every guess that splits a class brings the end nearer.
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
                // An undecided code decides itself, at least.
                guess = self.answers.codes.code(classes.rows[0] as usize);
                answers = self.answers.to(&guess);
                next = classes.refine(&answers, &mut self.scratch);
            }
            classes = next;
            guesses.push(guess);
        }
        guesses
    }

    /// As many guesses as asked for, if some that decide every code are found. They start as those given, which are at
    /// least as many.
    pub(super) fn exchange(&mut self, size: usize, start: &[Code]) -> Option<Vec<Code>> {
        let mut guesses = start[..size].to_vec();
        let mut asked: Vec<Vec<u16>> = guesses.iter().map(|guess| self.answers.to(guess)).collect();
        let mut current = u64::MAX;
        for _ in 0..EXCHANGES {
            if guesses.is_empty() || self.watch.stop().is_some() {
                return None;
            }
            let place = self.rng.index(size);
            let mut others = Classes::new(self.answers.codes.len());
            for (_, answers) in asked.iter().enumerate().filter(|&(other, _)| other != place) {
                others = others.refine(answers, &mut self.scratch);
            }
            let mut best: Option<(u64, Code, Vec<u16>)> = None;
            for number in 0..EXCHANGED {
                let guess = self.candidate(&guesses[place], number);
                let (pairs, answers) = self.undecided(&others, &guess);
                if guess != guesses[place] && best.as_ref().is_none_or(|(fewest, ..)| pairs < *fewest) {
                    best = Some((pairs, guess, answers));
                }
            }
            let Some((pairs, guess, answers)) = best else { continue };
            if pairs <= current || self.rng.chance(WORSE) {
                (current, guesses[place], asked[place]) = (pairs, guess, answers);
            }
            if pairs == 0 {
                return Some(guesses);
            }
        }
        None
    }

    /// Another guess to try: near the one that is there, or anywhere.
    fn candidate(&mut self, guess: &Code, number: usize) -> Code {
        if number.is_multiple_of(2) || !self.rules.repeats() {
            return self.rng.code(self.rules);
        }
        let mut near = guess.clone();
        let cell = self.rng.index(near.len());
        near.colors_mut()[cell] = pegwise_game::Color::new(self.rng.below(self.rules.colors().into()) as u16);
        near
    }

    fn undecided(&mut self, classes: &Classes, guess: &Code) -> (u64, Vec<u16>) {
        let answers = self.answers.to(guess);
        (classes.undecided_pairs(&answers, self.answers.kinds, &mut self.scratch), answers)
    }
}
