#![doc = include_str!("../README.md")]

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

/// Tests the program in Rust of docs/use-from.md.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/use-from.md")]
pub struct UseFrom;
