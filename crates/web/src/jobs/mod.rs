//! Work that takes longer than an answer may: a bounded queue that is fair to every client, workers, and the way back.
//!
//! A [`Pool`] takes a job with a weight and gives a [`Ticket`]. Whoever holds the ticket learns how the job gets on;
//! whoever drops it, because its client went away, stops the job.

mod desk;
mod pool;
mod queue;
mod ticket;

pub(crate) use self::{
    desk::Desk,
    pool::Pool,
    queue::Client,
    ticket::{News, Ticket},
};
