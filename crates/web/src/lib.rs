#![doc = include_str!("../README.md")]

mod api;
mod error;
mod jobs;
mod limits;

#[cfg(feature = "server")]
mod assets;
#[cfg(feature = "server")]
mod guard;
#[cfg(feature = "server")]
mod metrics;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod timed_stream;
#[cfg(feature = "server")]
mod tree_page;

pub use api::answer;
#[cfg(feature = "server")]
pub use api::openapi;
pub use limits::ServerLimits;
#[cfg(feature = "server")]
pub use server::{ServeError, Server, ServerOptions, router};
#[cfg(feature = "server")]
pub use tree_page::tree_page;
