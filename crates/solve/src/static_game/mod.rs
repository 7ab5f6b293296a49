//! The static game: all guesses are made at once, and their feedback must determine the code.
//!
//! [`solve`] searches for a small set of guesses that decides every code, and [`verify`] checks a given set. The final
//! guess of the code is not counted; much of the literature counts it.
//!
//! # Search
//! First a greedy set, each guess the one that leaves the fewest undecided pairs of codes; then smaller sets by
//! exchanging one guess at a time for the best of a sample. In small spaces all smaller sets are then excluded by
//! branching on guesses that separate two codes, up to symmetry, which proves that the result is minimal.
//!
//! # Cost and limits
//! The greedy search compares up to 4096 guesses per step, and each exchange 48, with one pass of the partition kernel
//! over all codes each: spaces of up to 2^16 codes are supported. Proofs store the feedback of all pairs of at most
//! 2048 codes, and take exponential time in the number of guesses: 2 pegs and 8 colors are fast, 4 pegs and 6 colors
//! are out of reach. The result is determined by the seed, unless the time limit is reached.
//!
//! # References
//! - D. L. Greenwell: Mastermind. Journal of Recreational Mathematics 30 (1999-2000), 191-192: six guesses decide 4x6.
//! - W. Goddard: Static Mastermind. Journal of Combinatorial Mathematics and Combinatorial Computing 47 (2003),
//!   225-236.

mod classes;
mod search;

use pegwise_game::{Code, FeedbackKind, Rules, Space, TableError};
use serde::{Deserialize, Serialize};

use self::classes::{ClassBuffers, EquivalenceClasses, FeedbackTable};
use self::search::{Finder, Prover};
use pegwise_search::{Rng, Watch, tree::UnsupportedRules};

/// Options of [`solve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaticOptions {
    /// Random seed.
    pub seed: u64,
    /// Maximum number of nodes of a proof.
    pub nodes: u64,
}

impl Default for StaticOptions {
    fn default() -> Self {
        Self { seed: 1, nodes: 20_000 }
    }
}

/// A set of guesses that decides every code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticSolution {
    /// The guesses, ascending.
    pub guesses: Vec<Code>,
    /// True if it is proven that no smaller set exists.
    pub minimal: bool,
    /// Proven lower bound on the number of guesses.
    pub at_least: usize,
}

/// Result of [`verify`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaticVerdict {
    /// Number of codes.
    pub codes: usize,
    /// Number of codes whose feedback is unique.
    pub decided: usize,
    /// The other codes, in groups of equal feedback, ascending.
    pub undecided: Vec<Vec<Code>>,
}

/// Error of the static game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StaticError {
    /// The feedback does not separate all codes.
    #[error(transparent)]
    UnsupportedRules(#[from] UnsupportedRules),
    /// The space does not fit a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The space is too large: its number of codes, and the maximum.
    #[error("{0} codes are too many; the limit is {1}")]
    TooManyCodes(String, u64),
    /// A guess is not a valid code.
    #[error("a guess does not fit the rules: {0}")]
    Guess(#[from] pegwise_game::CodeErrorReason),
}

/// Maximum number of codes for [`solve`].
const MAX_SOLVE_CODES: u64 = 1 << 16;
/// Maximum number of codes for [`verify`].
const MAX_VERIFY_CODES: u64 = 1 << 20;

/// Searches for a small set of guesses that decides every code, and for a proof that no smaller set exists.
///
/// ```
/// use pegwise_solve::{Watch, static_game::{StaticOptions, solve}};
/// let report = solve(&"2x3".parse()?, &StaticOptions::default(), Watch::default())?;
/// assert_eq!((report.guesses.len(), report.minimal), (2, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(rules: &Rules, options: &StaticOptions, watch: Watch<'_>) -> Result<StaticSolution, StaticError> {
    UnsupportedRules::check_search(rules)?;
    let mut answers = listed(rules, MAX_SOLVE_CODES)?;
    let mut at_least = counting_bound(answers.codes.len(), answers.kinds);
    let rng = Rng::for_path(options.seed, [&b"static"[..]]);
    let mut finder = Finder { rules, answers: &mut answers, rng, watch, scratch: ClassBuffers::default() };
    let mut guesses = finder.greedy();
    while guesses.len() > at_least {
        let Some(fewer) = finder.exchange(guesses.len() - 1, &guesses) else { break };
        guesses = fewer;
    }
    if let Some(mut prover) = Prover::new(rules, &mut answers, options.nodes, watch) {
        while at_least < guesses.len() {
            match prover.find(at_least) {
                Ok(Some(fewer)) => guesses = fewer,
                Ok(None) => at_least += 1,
                Err(_stopped) => break,
            }
        }
    }
    guesses.sort_unstable();
    Ok(StaticSolution { minimal: at_least == guesses.len(), guesses, at_least })
}

/// Determines which codes a set of guesses decides.
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
pub fn verify(rules: &Rules, guesses: &[Code]) -> Result<StaticVerdict, StaticError> {
    let mut answers = listed(rules, MAX_VERIFY_CODES)?;
    let mut scratch = ClassBuffers::default();
    let mut classes = EquivalenceClasses::new(answers.codes.len());
    for guess in guesses {
        rules.check_code(guess)?;
        let asked = answers.to(guess);
        classes = classes.refine(&asked, &mut scratch);
    }
    let code = |row: u32| answers.codes.code(row as usize);
    let undecided: Vec<Vec<Code>> =
        classes.groups().into_iter().map(|group| group.into_iter().map(code).collect()).collect();
    let codes = answers.codes.len();
    Ok(StaticVerdict { codes, decided: codes - classes.rows.len(), undecided })
}

fn listed(rules: &Rules, most: u64) -> Result<FeedbackTable, StaticError> {
    let count = Space::new(rules).count();
    if count.exact().is_none_or(|count| count > u128::from(most)) {
        return Err(StaticError::TooManyCodes(count.to_string(), most));
    }
    Ok(FeedbackTable::new(rules)?)
}

/// Returns a lower bound on the number of guesses by counting: there must be at least as many sequences of feedbacks as
/// codes.
fn counting_bound(codes: usize, kinds: usize) -> usize {
    let enough = |guesses: &u32| kinds.checked_pow(*guesses).is_none_or(|ways| ways >= codes);
    if codes <= 1 { 0 } else { (1..).take(64).find(enough).unwrap_or(64) as usize }
}

/// Number of guesses published by Goddard, without the final guess of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoddardNumber {
    /// Number of guesses.
    pub guesses: usize,
    /// True if the number is proven only for sufficiently many colors.
    pub for_many_colors: bool,
}

/// Returns the smallest number of guesses according to Goddard, who counts the final guess, too: ⌈2N/3 + 1⌉ for two
/// pegs and N colors, and N for three and four pegs if N is large enough.
///
/// ```
/// use pegwise_solve::static_game::goddard;
/// assert_eq!(goddard(&"2x6".parse()?).map(|published| published.guesses), Some(4));
/// assert_eq!(goddard(&"4x6".parse()?).map(|published| published.guesses), Some(5));
/// assert_eq!(goddard(&"5x8".parse()?), None);
/// # Ok::<(), pegwise_game::RulesError>(())
/// ```
pub fn goddard(rules: &Rules) -> Option<GoddardNumber> {
    let colors = usize::from(rules.colors());
    let classic = rules.board().is_row() && rules.repeats() && rules.feedback() == FeedbackKind::BlackWhite;
    if !classic || colors < 2 {
        return None;
    }
    match rules.cells() {
        2 => Some(GoddardNumber { guesses: (2 * colors).div_ceil(3), for_many_colors: false }),
        3 | 4 => Some(GoddardNumber { guesses: colors - 1, for_many_colors: true }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rules: &str, nodes: u64) -> (usize, bool) {
        let rules: Rules = rules.parse().unwrap();
        let report = solve(&rules, &StaticOptions { nodes, ..StaticOptions::default() }, Watch::default()).unwrap();
        let verdict = verify(&rules, &report.guesses).unwrap();
        assert!(verdict.undecided.is_empty() && verdict.decided == verdict.codes, "{rules}: {:?}", report.guesses);
        assert!(report.at_least <= report.guesses.len());
        assert_eq!(report.minimal, report.at_least == report.guesses.len());
        (report.guesses.len(), report.minimal)
    }

    #[test]
    fn two_pegs_take_as_many_guesses_as_goddard_proves() {
        for colors in 2..=12 {
            let text = format!("2x{colors}");
            let published = goddard(&text.parse().unwrap()).unwrap().guesses;
            let (guesses, minimal) = found(&text, if colors < 8 { 1_000_000 } else { 0 });
            assert_eq!(guesses, published, "{text}");
            assert!(minimal || colors >= 8, "{text}");
        }
    }

    #[test]
    fn six_guesses_decide_the_classic_game() {
        assert_eq!(found("4x6", 0).0, 6, "as many as Greenwell's");
    }

    /// Returns the smallest number of guesses, by trying every set.
    fn brute_force(rules: &Rules) -> usize {
        let codes: Vec<Code> = Space::new(rules).iter().collect();
        (0..).find(|&size| any_set(rules, &codes, &mut Vec::new(), size)).unwrap()
    }

    fn any_set(rules: &Rules, codes: &[Code], chosen: &mut Vec<Code>, left: usize) -> bool {
        if left == 0 {
            return verify(rules, chosen).unwrap().undecided.is_empty();
        }
        (0..codes.len()).any(|first| {
            chosen.push(codes[first].clone());
            let found = any_set(rules, &codes[first + 1..], chosen, left - 1);
            chosen.pop();
            found
        })
    }

    #[test]
    fn proofs_agree_with_brute_force() {
        for text in [
            "1x1", "1x4", "2x2", "2x3", "3x2", "2x4", "3x3:no-repeats", "2x4:no-repeats", "3x2:black-only",
            "2x3:higher-lower", "2x3:distance", "grid:2x2x2", "2x3:city-block",
        ] {
            let rules: Rules = text.parse().unwrap();
            assert_eq!(found(text, 1_000_000), (brute_force(&rules), true), "{text}");
        }
    }

    #[test]
    fn the_seed_determines_the_guesses() {
        let rules: Rules = "3x6".parse().unwrap();
        let find = |seed| solve(&rules, &StaticOptions { seed, nodes: 10 }, Watch::default()).unwrap();
        assert_eq!(find(3), find(3));
    }

    #[test]
    fn undecided_codes_are_named() {
        let rules: Rules = "2x3".parse().unwrap();
        let verdict = verify(&rules, &[rules.parse_code("12").unwrap()]).unwrap();
        let text = |code: &Code| code.notation(3).to_string();
        let groups: Vec<Vec<String>> = verdict.undecided.iter().map(|group| group.iter().map(text).collect()).collect();
        assert!(groups.contains(&["11", "13", "22", "32"].map(str::to_owned).to_vec()), "{groups:?}");
        assert_eq!(verdict.decided, 3, "12, 21 and 33");
        assert!(verify(&rules, &[Code::from_indices([0u16, 7])]).is_err());
        assert!(matches!(
            solve(&"8x8".parse().unwrap(), &StaticOptions::default(), Watch::default()),
            Err(StaticError::TooManyCodes(..))
        ));
    }
}
