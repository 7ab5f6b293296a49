//! The game in a browser: a page, and the HTTP API that it asks, from one program.
//!
//! A [`Server`] binds a port and serves until it is told to end. `api` has one file a question; each says how it reads a
//! request and what it computes. `jobs` computes on a bounded number of workers behind a bounded, fair queue, so that
//! no client can keep the others waiting; `guard` refuses strangers and sends the headers that hold for every answer;
//! the page itself lies in `page/`, plain files that need no building, and is part of the program. Without the feature
//! `server` there are the questions alone, for a page that has the engine in itself.
//!
//! ```no_run
//! use pegwise_web::{Options, Server};
//! let server = Server::bind(Options::default())?;
//! println!("{}", server.address());
//! server.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod api;
mod error;
mod jobs;
mod limits;
mod wire;

#[cfg(feature = "server")]
mod assets;
#[cfg(feature = "server")]
mod connections;
#[cfg(feature = "server")]
mod guard;
#[cfg(feature = "server")]
mod metrics;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod tree_page;

pub use api::answer;
pub use limits::Limits;
#[cfg(feature = "server")]
pub use server::{Options, ServeError, Server, router};
#[cfg(feature = "server")]
pub use tree_page::tree_page;

/// The README's example is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
