//! Simulated annealing with a fixed budget of steps, by Bernier et al.
//!
//! A run starts at a random code. Each step recolors a cell or swaps two. The energy of a code is its distance from the
//! history. A step that does not raise the energy is accepted; one that raises it by `d` is accepted with probability
//! `p^d`, where `p` falls linearly from one half to zero. This is the Metropolis rule with a temperature of -1/ln(p), in
//! integers only. The run ends at a consistent code or when the steps are used up; then the best code found is played,
//! even if it is inconsistent. `--time-per-guess` ends the run by the clock instead.
//!
//! The paper is known here through descriptions. They give the two moves, the energy, the limit, and that the best code is
//! played; the acceptance probability, the equal probability of both moves, the number of steps and a new start for each
//! guess are interpretations. With 20,000 steps nearly every guess is consistent at 6x6, and the mean is close to the
//! quoted 5.45 guesses. A code is never played twice, which the paper may not require: otherwise an inconsistent best code
//! could be played forever.
//!
//! # Cost
//! A step compares one code with each turn. If no consistent code was found, backtracking checks whether one exists, to
//! detect contradictions; its code is played only if the run found no new code.
//!
//! # Limits
//! Plays any rules. On large boards most guesses are inconsistent, and games become long.
//!
//! # References
//! - J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda, A. Prieto, Solving MasterMind using GAs and simulated
//!   annealing: a case of dynamic constraint optimization, PPSN IV, LNCS 1141, 553-563, 1996.
//! - As described by S. Singley, 2005, and V. van Oijen, 2018.

use pegwise_game::{Code, Color, History, Rules};

use pegwise_search::candidates::TurnSet;
use pegwise_search::candidates::fallback::play_best;
use pegwise_search::row::{Arguments, Row};
use pegwise_search::{Built, Parameter, Proposal, Proposed, Rng, Search, Strategy};

const BERNIER: &str = "J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda, A. Prieto, Solving MasterMind using GAs \
    and simulated annealing: a case of dynamic constraint optimization, PPSN IV, 1996";

/// The rows of this family.
pub const ROWS: &[Row] = &[Row {
    name: "bernier-sa",
    title: "Bernier et al.'s annealing",
    family: "annealing",
    paper: BERNIER,
    about: "anneals the distance from the feedback for a number of steps, and plays the best code found, even if it does \
            not fit",
    parameters: &[
        Parameter::integer("steps", 1..=1_000_000_000, "20000", "maximum number of codes tried per guess"),
        Parameter::code_or("first", &["random"], "the first guess"),
    ],
    build,
    ..Row::BLANK
}];

struct Annealing {
    steps: u64,
    first: Option<Code>,
    turns: TurnSet,
}

fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let (steps, first) = (arguments.integer("steps"), arguments.code("first", rules));
    Ok(Box::new(Annealing { steps, first, turns: TurnSet::new(rules) }))
}

impl Strategy for Annealing {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        if history.is_empty() {
            return Ok(Proposal::opening(self.first.as_ref(), history.rules(), search));
        }
        self.turns.follow(history);
        let best = self.anneal(search);
        play_best(history, best, search)
    }
}

impl Annealing {
    /// Anneals until a code is consistent or the steps are used up. Returns the best code that was not played before.
    fn anneal(&mut self, search: &mut Search<'_>) -> Option<Code> {
        let rules = self.turns.rules().clone();
        let mut code = search.rng.code(&rules);
        let mut energy = self.turns.distance(&code);
        let (mut best, mut lowest) = (None, u32::MAX);
        for step in 0..self.steps {
            let stop = search.examine(1);
            if energy < lowest && self.turns.turns().iter().all(|turn| turn.guess != code) {
                (best, lowest) = (Some(code.clone()), energy);
            }
            if energy == 0 || stop.is_some() {
                break;
            }
            let undo = AnnealingMove::random(&rules, &code, &mut search.rng).apply(code.colors_mut());
            let next = self.turns.distance(&code);
            // Each trial succeeds in `left` of `2 * steps` cases.
            let left = self.steps - step - 1;
            if (energy..next).all(|_| search.rng.below(2 * self.steps) < left) {
                energy = next;
            } else {
                undo.apply(code.colors_mut());
            }
        }
        best
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnnealingMove {
    Set(usize, Color),
    Swap(usize, usize),
}

impl AnnealingMove {
    /// Draws a recoloring or a swap with equal probability. Without repeats, a color in use is swapped in instead.
    fn random(rules: &Rules, code: &[Color], rng: &mut Rng) -> Self {
        let (cell, other) = (rng.index(code.len()), rng.index(code.len()));
        if rng.below(2) == 0 {
            return Self::Swap(cell, other);
        }
        let color = Color::new(rng.below(rules.colors().into()) as u16);
        match code.iter().position(|&used| used == color) {
            Some(used) if !rules.repeats() => Self::Swap(cell, used),
            _ => Self::Set(cell, color),
        }
    }

    /// Applies the move to a code, and returns the move that undoes it.
    fn apply(self, code: &mut [Color]) -> Self {
        match self {
            Self::Set(cell, color) => Self::Set(cell, std::mem::replace(&mut code[cell], color)),
            Self::Swap(cell, other) => {
                code.swap(cell, other);
                self
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_keep_the_rules_and_can_be_undone() {
        for rules in ["4x6", "4x6:no-repeats", "4x4:no-repeats", "1x1", "3x1", "grid:3x3x4"] {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(1);
            let mut code = rng.code(&rules);
            for _ in 0..200 {
                let before = code.clone();
                let undo = AnnealingMove::random(&rules, &code, &mut rng).apply(code.colors_mut());
                rules.check_code(&code).unwrap();
                let after = code.clone();
                undo.apply(code.colors_mut());
                assert_eq!(code, before);
                code = after;
            }
        }
    }

    #[test]
    fn a_short_run_plays_inconsistent_codes_and_never_repeats_one() {
        let rules: Rules = "4x6".parse().unwrap();
        let arguments = "bernier-sa(steps=3)".parse::<pegwise_solve::spec::Spec>().unwrap();
        let secret = rules.parse_code("2651").unwrap();
        let mut strategy = build("bernier-sa", &rules, arguments.arguments()).unwrap();
        let (mut history, mut search) = (History::new(rules.clone()), Search::new(1));
        let mut inconsistent = 0;
        while !history.is_solved() {
            let proposal = strategy.next_guess(&history, &mut search).unwrap();
            let is_best_effort = matches!(proposal.basis, pegwise_search::Basis::BestEffort(_));
            assert_eq!(is_best_effort, !history.is_consistent(&proposal.guess));
            assert!(history.turns().iter().all(|turn| turn.guess != proposal.guess));
            inconsistent += usize::from(is_best_effort);
            let feedback = pegwise_game::feedback(&rules, &proposal.guess, &secret);
            history.push(pegwise_game::Turn { guess: proposal.guess, feedback }).unwrap();
        }
        assert!(inconsistent > 3);
    }
}
