//! Coach for Mastermind players: hints, repair of contradictory notes, analysis of games.
//!
//! [`Notes`] are the turns of a game, possibly with forgotten pegs or numbers (`11?2=1,?`). [`hint`](fn@hint) proposes
//! the next guess, [`remaining`] counts the consistent codes, and [`mend`](fn@mend) explains a contradiction: the
//! smallest sets of conflicting turns and the most likely mistakes. [`analyze`](fn@analyze) rates each guess and the
//! luck of each answer. A [`Record`] saves and shares a game. [`check_scorer`] names the misunderstanding of a wrong scoring
//! function.
//!
//! ```
//! use pegwise_coach::{Notes, hint, mend};
//! use pegwise_game::Rules;
//! use pegwise_solve::{Search, catalog};
//! let rules: Rules = "4x6".parse()?;
//! let notes = Notes::parse(&rules, ["1122=1,1", "13?4=0,2"])?;
//! let hint = hint(&notes, &mut *catalog::strategy("adaptive", &rules)?, &mut Search::new(1))?;
//! assert_eq!(hint.guess.len(), 4);
//! let wrong = Notes::parse(&rules, ["1122=0,0", "3344=0,1", "5566=0,0"])?;
//! let mended = mend(&wrong, &mut Search::new(1)).expect("no code fits");
//! assert_eq!(mended.turns, [[1, 2, 3]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate performs no input or output. The feature `plot` adds [`plot`](fn@plot), which draws an analysis;
//! `threads`, `files` and `clock` are those of `pegwise-solve`.

mod advice;
mod analyze;
mod candidates;
mod exact_count;
mod figure;
mod hint;
mod mend;
mod notes;
mod particle_filter;
#[cfg(feature = "plot")]
mod plot;
mod rate;
mod record;
mod scoring;
mod valuation;

pub use analyze::{
    Analysis, AnalyzeError, AnswerMismatch, BestGuess, ReferenceGame, ReferenceTurn, TurnAnalysis, analyze,
    analyze_among, analyze_with_progress,
};
pub use figure::{Amount, Magnitude, Size, Uncertain};
pub use hint::{Hint, HintError, RemainingCodes, best_guesses, hint, hint_among, remaining};
pub use mend::{Contradiction, Repair, RepairKind, RepairPair, mend};
pub use notes::{Note, Notes, PartialMark};
#[cfg(feature = "plot")]
pub use plot::plot;
pub use rate::RatedGuess;
pub use record::{Mode, Record, RecordError, seal, unseal};
pub use scoring::{Explanation, ScoredGuess, ScorerAnswer, ScorerCheck, ScoringRule, check_scorer, explain_answers};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// Tests the program in Rust of docs/use-from.md.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/use-from.md")]
pub struct UseFrom;
