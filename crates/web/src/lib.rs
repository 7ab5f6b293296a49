//! The game in a browser: a page, and the HTTP API that it asks, from one program.
//!
//! A [`Server`] binds a port and serves until the program ends. `api` has one file a question; each says how it reads a
//! request and what it computes. `jobs` computes on a bounded number of workers behind a bounded, fair queue, so that
//! no client can keep the others waiting; `guard` refuses strangers and sends the headers that hold for every answer;
//! the page itself lies in `page/`, plain files that need no building, and is part of the program.
//!
//! ```no_run
//! use pegwise_web::{Options, Server};
//! let server = Server::bind(Options::default())?;
//! println!("{}", server.address());
//! server.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod api;
mod assets;
mod error;
mod guard;
mod jobs;
mod limits;
mod server;
mod wire;

pub use limits::Limits;
pub use server::{Options, ServeError, Server, router};

/// The README's example is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
