#![doc = include_str!("../README.md")]

pub mod bench;
mod experiment;
pub mod export;
pub mod external;
pub mod papers;
mod provenance;
mod runner;
mod store;
mod toml_file;
pub mod wire;

pub use experiment::{
    Experiment, ExperimentCell, ExperimentDescription, ExperimentError, GAME_BITS, SecretSource, Secrets, sweep,
};
pub use export::{report, report_unless};
pub use provenance::{Behavior, Origin, behavior_of};
pub use runner::{CellPlayer, PlayedGame, RunEnd, RunError, RunProgress, Runner, Shard, ShardError};
pub use store::{Failure, MergeError, Mixing, OriginSummary, Store, StoreError, StoredGames, Trial, TrialBatch};
pub use toml_file::InputFileError;
