//! Mastermind in a browser: a page and its HTTP API.
//!
//! A [`Server`] binds a port and serves the page, which is embedded into the program, and the API. `api` validates requests
//! and computes answers; `jobs` runs long computations on a fixed number of workers behind bounded fair queues; `guard`
//! checks hosts and origins. Without the feature `server` only [`answer`] is available, for the WebAssembly build of the
//! page.
//!
//! ```no_run
//! use pegwise_web::{Server, ServerOptions};
//! let server = Server::bind(ServerOptions::default())?;
//! println!("{}", server.address());
//! server.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
