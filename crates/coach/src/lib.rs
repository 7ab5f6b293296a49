//! What a player wants to know.
//!
//! A player writes down [`Notes`]: turns, in which a peg or a number may be forgotten (`11?2=1,?`). From them come a
//! [`hint`](fn@hint), how many codes [`remaining`] fit, and, when none does, what to [`mend`](fn@mend): which turns
//! cannot all be true, and the likeliest mistakes. A game is [analyzed](fn@analyze) guess by guess: how well each was
//! chosen, and how kind the answer was. A [`Record`] is a game that can be saved, loaded and shared.
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
//! Nothing in this crate touches a file, a terminal or a network.

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
mod valuation;

pub use analyze::{
    Analysis, AnalyzeError, AnswerMismatch, BestGuess, ReferenceGame, ReferenceTurn, TurnAnalysis, analyze,
    analyze_with_progress,
};
pub use figure::{Amount, Magnitude, Size, Uncertain};
pub use hint::{Hint, HintError, RemainingCodes, best_hint, hint, hint_among, remaining};
pub use mend::{Contradiction, Repair, RepairKind, RepairPair, mend};
pub use notes::{Note, Notes, PartialMark};
#[cfg(feature = "plot")]
pub use plot::plot;
pub use rate::RatedGuess;
pub use record::{Mode, Record, RecordError, seal, unseal};

/// The README's example is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
