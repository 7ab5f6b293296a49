//! Adds a strategy to the catalog.
//!
//! Run with `cargo run -p pegwise-solve --example own_strategy`.

#![expect(clippy::print_stdout, reason = "examples print their results")]

use std::{error::Error, ops::ControlFlow};

use pegwise_game::{History, Rules, Space};
use pegwise_solve::catalog::{self, Capability, Row};
use pegwise_solve::codemaker::{Codemaker, Fixed};
use pegwise_solve::{Basis, Proposal, Rng, Search, Strategy, StrategyError, play};

/// Plays the highest consistent code. The catalog wrapper rejects solved games and finds contradicting turns.
struct HighestFirst;

impl Strategy for HighestFirst {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let space = Space::new(history.rules());
        let codes = space.count().exact().unwrap_or_default();
        for code in (0..codes).rev().filter_map(|rank| space.unrank(rank)) {
            let stop = search.examine(1);
            if history.is_consistent(&code) {
                return Ok(Proposal::new(code, Basis::Consistent));
            }
            if stop.is_some() {
                return Ok(Proposal::last_resort(history.rules(), stop, search));
            }
        }
        Err(StrategyError::NO_CODE_FITS)
    }
}

const ROW: Row = Row {
    name: "highest-first",
    title: "Highest code first",
    family: "consistent",
    about: "plays the highest consistent code",
    plays: "spaces of up to a million codes",
    can_play: |rules| Space::new(rules).count().exact().is_some_and(|codes| codes <= 1_000_000),
    capabilities: &[(Capability::Deterministic, catalog::always)],
    build: |_, _, _| Ok(Box::new(HighestFirst)),
    ..Row::BLANK
};

fn main() -> Result<(), Box<dyn Error>> {
    catalog::register(ROW)?;
    let rules: Rules = "4x6".parse()?;
    let mut strategy = catalog::strategy("highest-first", &rules)?;
    let mut codemaker = Fixed::random(&rules, &mut Rng::new(1));
    let game = play(&rules, &mut *strategy, &mut codemaker, &mut Search::new(1), |turn| {
        println!("{} {}", turn.guess.notation(rules.colors()), turn.feedback);
        ControlFlow::Continue(())
    })?;
    assert_eq!(game.turns.last().map(|turn| &turn.guess), codemaker.reveal().as_ref());
    Ok(())
}
