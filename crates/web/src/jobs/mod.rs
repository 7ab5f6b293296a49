//! Work that takes longer than an answer may: a bounded queue that is fair to every client, workers, and the way back.
//!
//! A [`Pool`] takes a job with a weight and gives a [`Ticket`]. Whoever holds the ticket learns how the job gets on;
//! whoever drops it, because its client went away, stops the job. Without a server there is a [`Desk`] and nobody waits.

mod desk;
#[cfg(feature = "server")]
mod pool;
#[cfg(feature = "server")]
mod queue;
#[cfg(feature = "server")]
mod ticket;

pub(crate) use self::desk::Desk;
#[cfg(feature = "server")]
pub(crate) use self::{
    pool::Pool,
    queue::Client,
    ticket::{News, Ticket},
};
