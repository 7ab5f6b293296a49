//! The published strategies, one module per family. One-step strategies such as Knuth's are in `pegwise_search::one_step`.
//!
//! Each family lists its catalog rows in `ROWS`. The catalog itself, with parsing of names and parameters, is in
//! `pegwise-solve`.
//!
//! ```
//! use pegwise_game::{History, Rules};
//! use pegwise_search::{Arguments, Search};
//! use pegwise_strategies::consistent;
//! let rules: Rules = "4x6".parse()?;
//! let row = consistent::ROWS.iter().find(|row| row.name == "shapiro").unwrap();
//! let mut shapiro = (row.build)(row.name, &rules, &Arguments::defaults(row))?;
//! let history = History::parse(&rules, ["1122=1,0"])?;
//! let guess = shapiro.next_guess(&history, &mut Search::new(1))?.guess;
//! assert!(history.is_consistent(&guess));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod annealing;
pub mod consistent;
pub mod constructive;
pub mod evolutionary;
pub mod hill_climbing;
pub mod tabu;
