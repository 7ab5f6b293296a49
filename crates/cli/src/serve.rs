//! `pegwise serve`: the game in a browser.

use std::{io::Write as _, path::PathBuf, time::Duration};

use pegwise_lab::Store;
use pegwise_web::{Limits, Options, Server};

use crate::{arguments, exit::Exit, interrupt, ui::Screen};

/// Play, solve, analyze and watch games in a browser.
///
/// The first line printed is the address to open. Nothing leaves this machine: the page asks this program alone, and the
/// program listens on this machine alone unless told otherwise. Ctrl-C ends it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The port; 0 takes any that is free.
    #[arg(long, short, value_name = "N", default_value_t = 7411)]
    port: u16,

    /// The name or address to listen on; 0.0.0.0 lets every network in.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,

    /// One more name under which the server may be asked, besides localhost and the host: that of a proxy before it, as in
    /// board.example, or board.example:8443 where its port is not a usual one; may be given again.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// A proxy on this machine passes requests on, and tells in X-Forwarded-For whose they are.
    #[arg(long)]
    behind_proxy: bool,

    /// Write a line for each request to the standard error.
    #[arg(long)]
    log: bool,

    /// A store of games to show on the lab page.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,

    /// The most cells of a board.
    #[arg(long, value_name = "N", default_value_t = Limits::default().cells)]
    max_cells: usize,

    /// The most colors of a game.
    #[arg(long, value_name = "N", default_value_t = Limits::default().colors)]
    max_colors: u16,

    /// The most turns of a game.
    #[arg(long, value_name = "N", default_value_t = Limits::default().turns)]
    max_turns: usize,

    /// The longest that a request may wait, and then be worked on, in seconds or with a unit: 2, 500ms, 1m.
    #[arg(long, value_name = "SECONDS", default_value = "20")]
    #[arg(value_parser = arguments::time_limit, allow_hyphen_values = true)]
    time_limit: Duration,

    /// The most bytes in the body of a request.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().body)]
    max_body: usize,

    /// How many quick questions are worked on at once; half as many others are, beside them [default: one a core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,

    /// How many connections may be open; more wait until one ends.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections)]
    max_connections: usize,

    /// How many connections one address may have open; more are closed. This machine may have any number.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_each)]
    max_connections_each: usize,

    /// How many requests may wait for a worker; more are asked to come again.
    #[arg(long, value_name = "N", default_value_t = Limits::default().queue)]
    queue: usize,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise serve                        on port 7411 of this machine
  pegwise serve --port 0               on any free port; the first line tells the address
  pegwise serve --store duel.db        with the games of a store on the lab page
  curl -s localhost:7411/api/v1/hint -H 'content-type: application/json' -d '{\"rules\":\"4x6\",\"turns\":[\"1122=1,0\"]}'";

pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    // A store that cannot be read is better known now than on the page.
    if let Some(store) = &args.store {
        Store::open(store)?;
    }
    let defaults = Limits::default();
    let limits = Limits {
        cells: args.max_cells,
        colors: args.max_colors,
        turns: args.max_turns,
        time: args.time_limit,
        body: args.max_body,
        workers: args.workers.map_or(defaults.workers, usize::from),
        queue: args.queue,
        connections: args.max_connections,
        connections_each: args.max_connections_each,
        sending: defaults.sending,
    };
    let Args { host, port, allow_host: allowed_hosts, behind_proxy, log, store, .. } = args;
    let end = interrupt::flag()?;
    let server = Server::bind(Options { host, port, allowed_hosts, behind_proxy, log, store, limits })?;
    let mut screen = Screen::new();
    writeln!(screen, "{}", server.address())?;
    screen.flush()?;
    server.run_until(&end)?;
    Ok(Exit::Done)
}
