//! Where games come from: which program played them, how it behaves, how it was built, on which machine and when.
//!
//! Version and commit name a program; they do not say whether two programs play alike. A [behavior](behavior_of) does: the
//! games of a strategy on a few small boards, as one number. Games of one strategy with different behaviors are games of
//! different strategies under one name, so a store does not mix them unless somebody insists.

mod behavior;
mod date;

pub use behavior::{Behavior, behavior_of};

use std::{fs, thread};

use serde::Serialize;

/// The program, build, machine and time of some games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The program and its version.
    pub program: String,
    /// The commit it was built from, with a `+` where files differed from it.
    pub commit: String,
    /// The compiler, and what it compiled for.
    pub compiler: String,
    /// Processor, cores and system.
    pub machine: String,
    /// On how many threads games were played.
    pub threads: u32,
    /// When the first of them was played: date and time, UTC.
    pub date: String,
}

impl Origin {
    /// This program, on this machine, now.
    #[must_use]
    pub fn here(threads: usize) -> Self {
        Self {
            program: concat!("pegwise ", env!("CARGO_PKG_VERSION")).to_owned(),
            commit: env!("PEGWISE_COMMIT").to_owned(),
            compiler: concat!(env!("PEGWISE_COMPILER"), ", ", env!("PEGWISE_TARGET")).to_owned(),
            machine: machine(),
            threads: threads.try_into().unwrap_or(u32::MAX),
            date: date::now(),
        }
    }
}

/// Processor, cores and system, as far as they can be found out.
fn machine() -> String {
    let described = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = described.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let processor = named.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    format!("{processor}, {cores} cores, {}", std::env::consts::OS)
}
