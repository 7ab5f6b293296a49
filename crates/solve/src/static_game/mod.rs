//! The static game: all guesses are played at once, and their answers must decide the code.
//!
//! [`solve`] looks for few guesses that decide every code, and [`verify`] tells whether given ones do. The guess that
//! then plays the code is not counted; much of the literature counts it.
//!
//! # The search
//! First a greedy set, each guess the one that leaves fewest pairs of codes undecided; then smaller sets by exchanging
//! one guess at a time for the best of some others. Where the space is small, all smaller sets are ruled out one by one
//! by branching on two codes that few guesses tell apart, up to symmetry, so that the answer is proven minimal.
//!
//! # Cost and limits
//! The greedy set compares up to 4096 guesses for each place, and every exchange 48, each in one pass of the partition
//! kernel over all codes: spaces of up to 2^16 codes are taken. Proofs keep the answers of all pairs of codes, 2048 of
//! them at most, and grow exponentially with the number of guesses: 2 pegs and 8 colors are quick, 4 pegs and 6 colors
//! out of reach. The result is the same for the same seed, unless time runs out.
//!
//! # References
//! - D. L. Greenwell: Mastermind. Journal of Recreational Mathematics 30 (1999-2000), 191-192: six guesses decide 4x6.
//! - W. Goddard: Static Mastermind. Journal of Combinatorial Mathematics and Combinatorial Computing 47 (2003),
//!   225-236.

mod answers;
mod classes;
mod find;
mod goddard;
mod prove;
#[cfg(test)]
mod tests;

use pegwise_game::{Code, Rules, Space, TableError};
use serde::{Deserialize, Serialize};

pub use self::goddard::{Published, goddard};
use self::{
    answers::Answers,
    classes::{Classes, Scratch},
    find::Finder,
    prove::Prover,
};
use crate::{rng::Rng, search::Watch, tree::Untold};

/// How hard to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Decides all that is random.
    pub seed: u64,
    /// Sets of guesses that a proof may look at.
    pub nodes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 1, nodes: 20_000 }
    }
}

/// Guesses that decide every code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The guesses, ascending.
    pub guesses: Vec<Code>,
    /// Whether it is proven that no fewer do.
    pub minimal: bool,
    /// No fewer than this do.
    pub at_least: usize,
}

/// What guesses decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Codes in all.
    pub codes: usize,
    /// Codes that no other is answered like.
    pub decided: usize,
    /// The others, each with those that are answered alike, ascending.
    pub undecided: Vec<Vec<Code>>,
}

/// Why no guesses are looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StaticError {
    /// The feedback does not tell all codes apart.
    #[error(transparent)]
    Untold(#[from] Untold),
    /// The space does not fit a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The space is too large.
    #[error("{codes} codes are too many: {most} is the most")]
    TooManyCodes {
        /// Codes of the rules.
        codes: String,
        /// The most that are taken.
        most: u64,
    },
    /// A guess is not a code of the rules.
    #[error("a guess does not fit the rules: {0}")]
    Guess(#[from] pegwise_game::CodeErrorReason),
}

/// The most codes guesses are looked for.
const MAX_SEARCHED: u64 = 1 << 16;
/// The most codes guesses are verified for.
const MAX_VERIFIED: u64 = 1 << 20;

/// Looks for few guesses that decide every code, and for a proof that fewer do not.
///
/// ```
/// use pegwise_solve::{Watch, static_game::{Options, solve}};
/// let report = solve(&"2x3".parse()?, &Options::default(), Watch::default())?;
/// assert_eq!((report.guesses.len(), report.minimal), (2, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(rules: &Rules, options: &Options, watch: Watch<'_>) -> Result<Report, StaticError> {
    Untold::check_search(rules)?;
    let mut answers = listed(rules, MAX_SEARCHED)?;
    let mut at_least = by_counting(answers.codes.len(), answers.kinds);
    let rng = Rng::for_path(options.seed, [&b"static"[..]]);
    let mut finder = Finder { rules, answers: &mut answers, rng, watch, scratch: Scratch::default() };
    let mut guesses = finder.greedy();
    while guesses.len() > at_least {
        let Some(fewer) = finder.exchange(guesses.len() - 1, &guesses) else { break };
        guesses = fewer;
    }
    if let Some(mut prover) = Prover::new(rules, &mut answers, options.nodes, watch) {
        while at_least < guesses.len() {
            match prover.any_of_size(at_least) {
                Ok(Some(fewer)) => guesses = fewer,
                Ok(None) => at_least += 1,
                Err(_out_of_time) => break,
            }
        }
    }
    guesses.sort_unstable();
    Ok(Report { minimal: at_least == guesses.len(), guesses, at_least })
}

/// Tells which codes these guesses decide.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_solve::static_game::verify;
/// let rules: Rules = "4x6".parse()?;
/// let greenwell = ["1221", "2354", "3311", "4524", "5656", "6643"];
/// let guesses = greenwell.iter().map(|code| rules.parse_code(code)).collect::<Result<Vec<_>, _>>()?;
/// assert!(verify(&rules, &guesses)?.undecided.is_empty());
/// assert_eq!(verify(&rules, &guesses[1..])?.codes, 1296);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(rules: &Rules, guesses: &[Code]) -> Result<Verdict, StaticError> {
    let mut answers = listed(rules, MAX_VERIFIED)?;
    let mut scratch = Scratch::default();
    let mut classes = Classes::new(answers.codes.len());
    for guess in guesses {
        rules.check_code(guess)?;
        let asked = answers.to(guess);
        classes = classes.refine(&asked, &mut scratch);
    }
    let code = |row: u32| answers.codes.code(row as usize);
    let undecided: Vec<Vec<Code>> =
        classes.groups().into_iter().map(|group| group.into_iter().map(code).collect()).collect();
    let codes = answers.codes.len();
    Ok(Verdict { codes, decided: codes - classes.rows.len(), undecided })
}

fn listed(rules: &Rules, most: u64) -> Result<Answers, StaticError> {
    let count = Space::new(rules).count();
    if count.exact().is_none_or(|count| count > u128::from(most)) {
        return Err(StaticError::TooManyCodes { codes: count.to_string(), most });
    }
    Ok(Answers::new(rules)?)
}

/// How many guesses there must be, for as many answers in a row as there are codes.
fn by_counting(codes: usize, kinds: usize) -> usize {
    let enough = |guesses: &u32| kinds.checked_pow(*guesses).is_none_or(|ways| ways >= codes);
    if codes <= 1 { 0 } else { (1..).take(64).find(enough).unwrap_or(64) as usize }
}
