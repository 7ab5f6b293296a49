//! Evolutionary strategies: populations of codes are crossed, mutated and selected by their distance from consistency
//! with the history.
//!
//! All of them run on one engine, which follows the game and holds the population; each strategy is an algorithm that
//! turns a population into a guess:
//! - `berghman` collects eligible codes and plays one of them; `van_oijen` has variations of it.
//! - `evorank` collects eligible codes and plays the one that splits them best.
//! - `first_eligible`, `bento` and `kalisker_camens` are earlier strategies, as far as later papers describe them: none
//!   of the original texts was available. Each module separates the published details from the choices made here.
//!
//! Operators work in place on flat arrays, so that breeding rarely allocates. If breeding finds no eligible code,
//! [`fallback`](pegwise_search::candidates::fallback) chooses the guess.

mod bento;
mod berghman;
mod engine;
mod evorank;
mod first_eligible;
mod kalisker_camens;
mod operators;
mod population;
mod splitter;
#[cfg(test)]
mod tests;
mod van_oijen;

use pegwise_game::{Code, Rules};

use pegwise_search::row::Row;

pub(crate) use self::population::Population;
pub(crate) use self::splitter::Splitter;

/// Common part of the rows of strategies whose populations are limited to boards of 1,024 cells.
const BASE: Row = Row {
    family: "evolutionary",
    plays: "boards of up to 1,024 cells",
    can_play: |rules| rules.cells() <= 1_024,
    ..Row::BLANK
};

/// Catalog rows of this family.
pub const ROWS: &[Row] = &[
    berghman::ROW,
    van_oijen::FAMILY_COMPETITION,
    van_oijen::GENETIC_LOCAL_SEARCH,
    van_oijen::MULTI_START_LOCAL_SEARCH,
    evorank::EVORANK,
    evorank::CGA,
    first_eligible::BERNIER,
    first_eligible::MERELO,
    bento::ROW,
    kalisker_camens::ROW,
];

/// Returns the opening of Berghman, Goossens and Leus: colors in pairs, and the last two cells different: 1123, 112234,
/// 11223345. An odd number of cells ends with a single one: 11223. Colors that run out start again; if colors must not
/// repeat, all differ.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_strategies::evolutionary::opening;
/// for (rules, code) in [("4x6", "1123"), ("5x8", "11223"), ("6x9", "112234"), ("4x6:no-repeats", "1234")] {
///     let rules: Rules = rules.parse().unwrap();
///     assert_eq!(opening(&rules), rules.parse_code(code).unwrap());
/// }
/// ```
pub fn opening(rules: &Rules) -> Code {
    let last = rules.cells() - 1;
    Code::from_indices((0..=last).map(|cell| {
        let color = match rules.repeats() {
            // The last of an even number of cells does not complete its pair.
            true => cell / 2 + usize::from(cell == last && cell % 2 == 1),
            false => cell,
        };
        (color % usize::from(rules.colors())) as u16
    }))
}
