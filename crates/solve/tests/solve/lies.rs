//! Games in which the codemaker may lie.

use pegwise_game::{Code, Feedback, Judge, Rules, Space};
use pegwise_solve::catalog::Capability;
use pegwise_solve::codemaker::{Codemaker, CodemakerError, Fixed};
use pegwise_solve::tree::{TreeFile, verify};
use pegwise_solve::{Rng, Search, catalog};

use crate::{game, tree};

/// Codemaker that gives the answer `lie` in turn `at`.
struct LiesOnce {
    judge: Judge,
    secret: Code,
    turns: usize,
    at: usize,
    lie: Feedback,
}

impl Codemaker for LiesOnce {
    fn reply(&mut self, guess: &Code) -> Result<Feedback, CodemakerError> {
        let truth = self.judge.feedback(guess, &self.secret);
        self.turns += 1;
        let lies = self.turns == self.at && !truth.is_winning(self.judge.rules());
        Ok(if lies { self.lie.clone() } else { truth })
    }

    fn reveal(&self) -> Option<Code> {
        Some(self.secret.clone())
    }
}

/// Every code, every turn, and every possible answer as the lie.
#[test]
fn every_code_is_found_despite_one_lie() {
    let rules: Rules = "3x4:lies=1".parse().unwrap();
    let codes: Vec<Code> = Space::new(&rules).iter().collect();
    let mut lies: Vec<Feedback> =
        codes.iter().flat_map(|one| codes.iter().map(|other| pegwise_game::feedback(&rules, one, other))).collect();
    lies.sort_unstable();
    lies.dedup();
    lies.retain(|lie| !lie.is_winning(&rules));
    let mut strategy = catalog::strategy("random-consistent", &rules).unwrap();
    for (number, secret) in (0..).zip(&codes) {
        for at in 1..=8 {
            for lie in &lies {
                let judge = Judge::new(&rules);
                let mut liar = LiesOnce { judge, secret: secret.clone(), turns: 0, at, lie: lie.clone() };
                let game = game(&rules, &mut *strategy, &mut liar, &mut Search::new(number));
                assert!(game.is_solved(), "{secret:?} with {lie} in turn {at}");
            }
        }
    }
}

/// On boards that cannot be listed, annealing ignores the answers that a code misses most.
#[test]
fn codes_of_large_boards_are_found_despite_lies() {
    for (text, most) in [("10x10:lies=1", 20), ("8x8:lies=2", 20), ("grid:4x4x6:lies=1", 12)] {
        let rules: Rules = text.parse().unwrap();
        let mut lied = 0;
        for seed in 1..4 {
            let mut strategy = catalog::strategy("adaptive", &rules).unwrap();
            let secret = Rng::new(seed).code(&rules);
            let mut liar = Fixed::new(&rules, secret.clone()).unwrap().with_seed(seed);
            let game = game(&rules, &mut *strategy, &mut liar, &mut Search::new(seed));
            assert!(game.is_solved() && game.guesses() < most, "{text}: {}", game.guesses());
            let is_lie =
                |turn: &pegwise_solve::GameTurn| turn.feedback != pegwise_game::feedback(&rules, &turn.guess, &secret);
            lied += game.turns.iter().filter(|turn| is_lie(turn)).count();
        }
        assert!(lied > 0, "{text}: there was no lie");
    }
}

/// Strategies with the capability solve games with lies; the others refuse the rules.
#[test]
fn strategies_that_support_lies_solve_games() {
    for text in ["3x4:lies=2", "3x3:per-cell:lies=1", "grid:2x2x3:lies=1", "8x8:lies=1"] {
        let rules: Rules = text.parse().unwrap();
        let honest = rules.clone().with_lies(0);
        for row in catalog::rows() {
            let declared = row.capabilities.iter().any(|(capability, _)| *capability == Capability::Lies);
            assert_eq!(row.can_play(&rules), declared && row.can_play(&honest), "{}", row.name);
            let games = if rules.cells() == 8 { 1 } else { 12 };
            for seed in
                (0..games).filter(|_| row.can_play(&rules) && (rules.cells() < 8 || row.name == "random-consistent"))
            {
                let mut strategy = catalog::strategy(row.name, &rules).unwrap();
                let mut liar = Fixed::random(&rules, &mut Rng::new(seed)).with_seed(seed);
                let game = game(&rules, &mut *strategy, &mut liar, &mut Search::new(seed));
                assert!(game.is_solved() && game.guesses() < 60, "{} at {text}: {}", row.name, game.guesses());
            }
        }
    }
}

#[test]
fn trees_cover_every_lie() {
    for (text, most) in [("2x3:lies=1", 6), ("3x3:lies=1", 7), ("2x3:lies=2", 8), ("2x3:per-cell:lies=1", 6)] {
        let rules: Rules = text.parse().unwrap();
        let mut file = TreeFile::new(tree("entropy", &rules), "entropy");
        let mut bytes = Vec::new();
        file.write(&mut bytes).unwrap();
        assert_eq!(TreeFile::read(&*bytes).unwrap(), file);
        let verdict = verify(&file).unwrap();
        assert!(
            verdict.max <= most && verdict.codes > Space::new(&rules).count().exact().unwrap() as u64,
            "{text}: {verdict:?}"
        );
        file.tree.root.branches.pop();
        assert!(verify(&file).is_err(), "a branch is missing");
    }
}
