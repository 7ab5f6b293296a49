//! What the model wants done, collected while it changes.

use super::event::{Effect, Job, Ticket};

/// Effects in the order they were wished for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wishes {
    last: Ticket,
    effects: Vec<Effect>,
}

impl Wishes {
    /// Asks for a job, and gives the ticket that its answer will have.
    pub(super) fn ask(&mut self, job: Job) -> Ticket {
        self.last += 1;
        self.effects.push(Effect::Ask(self.last, job));
        self.last
    }

    pub(super) fn add(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Everything wished for since the last time.
    pub(super) fn take(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }
}
