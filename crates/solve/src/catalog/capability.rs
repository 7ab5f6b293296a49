//! What strategies can do beside proposing guesses, told without making them.

use pegwise_game::Rules;

use crate::spec::Arguments;

/// Something that some strategies can do, or are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// It plays from a tree that is there already: [`Strategy::tree`](crate::Strategy::tree).
    Tree,
    /// Against the same code it plays the same game whatever the random numbers, if it has all the time it wants.
    Deterministic,
    /// Its guess depends on the position alone: [`Strategy::position_strategy`](crate::Strategy::position_strategy).
    ByPosition,
    /// It makes use of a list of secrets: [`Strategy::for_secrets`](crate::Strategy::for_secrets).
    Secrets,
    /// It plays from what is still possible, so that answers may be lies: rules with lies are for those alone.
    Lies,
}

impl Capability {
    /// Every one.
    pub const ALL: [Self; 5] = [Self::Tree, Self::Deterministic, Self::ByPosition, Self::Secrets, Self::Lies];
}

/// Under which rules and with which parameters something holds. It is asked only about rules that the strategy can play.
pub type When = fn(&Rules, &Arguments) -> bool;

/// Holds whatever is played.
#[must_use]
pub fn always(_: &Rules, _: &Arguments) -> bool {
    true
}
