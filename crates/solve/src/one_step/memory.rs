//! What the best guess costs at positions that were met before under other names.
//!
//! Which guess it is depends on the names, because ties go to the lowest number; what it costs does not. So a position that
//! is known is scanned up to the first guess of that cost, and not at all where no guess was good enough.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// The most positions that are remembered, at some 50 bytes each.
const MOST: usize = 1 << 20;

/// Maps of their own for different keys, so that threads seldom wait for each other.
const SHARDS: usize = 64;

/// The lowest cost at a position among the guesses that are better than its codes themselves; `None` where none is.
type Lowest = Option<u64>;

/// Costs of positions by their keys. A clone shares them.
#[derive(Debug, Clone)]
pub(super) struct CostCache(Arc<[Mutex<HashMap<u128, Lowest>>; SHARDS]>);

impl CostCache {
    pub(super) fn new() -> Self {
        Self(Arc::new(std::array::from_fn(|_| Mutex::default())))
    }

    fn shard(&self, key: u128) -> &Mutex<HashMap<u128, Lowest>> {
        &self.0[key as usize % SHARDS]
    }

    /// What is known of a position.
    pub(super) fn recall(&self, key: u128) -> Option<Lowest> {
        // A map is whole even when a thread that held it has panicked.
        self.shard(key).lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied()
    }

    /// Remembers a position, as long as there is room.
    pub(super) fn remember(&self, key: u128, lowest: Lowest) {
        let mut shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        if shard.len() < MOST / SHARDS {
            shard.insert(key, lowest);
        }
    }
}
