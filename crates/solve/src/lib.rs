#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod adaptive;
pub mod catalog;
pub mod exact;
mod row_by_row;
pub mod seeds;
mod shipped;
pub mod spec;
pub mod static_game;

pub use pegwise_search::{
    Alternative, Arguments, Basis, Built, Counts, Fnv1a, Game, GameError, GameTurn, Limits, Meter, Outcome, Parameter,
    ParameterKind, Position, PositionStrategy, Proposal, Proposed, Rng, Search, Stop, Strategy, StrategyError, Watch,
    clock, codemaker, one_step, parallel, play, renaming::Renaming, secrets,
};
pub use pegwise_strategies::evolutionary;
pub use spec::{Spec, SpecError, did_you_mean};

/// Consistent codes: listed, by backtracking, and sampled.
pub mod candidates {
    pub use pegwise_sampling::{beliefs, tempering};
    pub use pegwise_search::candidates::*;
}

/// Strategy trees: building, proving, storing and verifying them, and those that are part of the program.
pub mod tree {
    pub use pegwise_trees::*;

    pub use crate::shipped::shipped;
}

/// Devices that evaluate guesses for many positions at once.
pub mod device {
    pub use pegwise_search::device::{BatchPosition, Costs, Device, DeviceError};

    /// Returns the graphics card of this machine, or the reason why there is no usable one.
    pub fn cuda() -> Result<std::sync::Arc<dyn Device>, DeviceError> {
        #[cfg(all(feature = "cuda", unix))]
        return pegwise_cuda::card();
        #[cfg(not(all(feature = "cuda", unix)))]
        Err(DeviceError { what: "no graphics card".into(), why: "this program was built without support".into() })
    }
}
