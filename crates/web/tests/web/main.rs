//! The server as its clients see it: what it answers, what it refuses, and how it bears a crowd.

mod api;
mod ask;
mod capacity;
mod connection;
mod crowd;
mod lab;
mod load;
mod strangers;
