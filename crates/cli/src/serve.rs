//! `pegwise serve`: the game in a browser.

use std::{io::Write as _, path::PathBuf, time::Duration};

use pegwise_lab::Store;
use pegwise_web::{Server, ServerLimits, ServerOptions};
use serde_json::json;

use crate::{
    arguments::{self, OutputFormat},
    exit::{self, Exit},
    ui::Screen,
};

/// Play, solve, analyze and watch games in a browser.
///
/// Prints the address to open. The server only listens on this machine, unless --host says otherwise, and the page only
/// talks to this server. Stop it with Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise serve            on port 7411 of this machine
  pegwise serve --port 0   on any free port, which is printed
  pegwise serve duel.db    with the games of a store on the lab page
  curl -s localhost:7411/api/v1/hint -H 'content-type: application/json' -d '{\"rules\":\"4x6\",\"turns\":[\"1122=1,0\"]}'"))]
pub(crate) struct Args {
    /// Store of games to show on the lab page.
    #[arg(value_name = "STORE")]
    store: Option<PathBuf>,

    /// Port; 0 for any free port.
    #[arg(long, short, value_name = "N", default_value_t = 7411, allow_negative_numbers = true)]
    #[arg(value_parser = arguments::whole::<u16>(0..=65_535))]
    port: u16,

    /// Host name or address to listen on; 0.0.0.0 for all networks.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,

    /// Additional host name that requests may use, such as that of a proxy: board.example, or board.example:8443 for an
    /// unusual port. May be repeated.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// Take the address of clients from X-Forwarded-For, which a proxy on this machine sets.
    #[arg(long)]
    behind_proxy: bool,

    /// Log each request to standard error.
    #[arg(long)]
    log: bool,

    /// Maximum number of cells of a board.
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().cells, allow_negative_numbers = true)]
    #[arg(value_parser = arguments::whole::<usize>(1..=4096))]
    max_cells: usize,

    /// Maximum number of colors of a game.
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().colors, allow_negative_numbers = true)]
    #[arg(value_parser = arguments::whole::<u16>(1..=4096))]
    max_colors: u16,

    /// Maximum number of turns of a game.
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().turns, allow_negative_numbers = true)]
    #[arg(value_parser = arguments::whole::<usize>(1..=1_000_000))]
    max_turns: usize,

    /// Time limit of a request in the queue, and again of its computation: 2, 500ms, 1m.
    #[arg(long, value_name = "TIME", default_value = "20")]
    #[arg(value_parser = arguments::duration, allow_hyphen_values = true)]
    request_timeout: Duration,

    /// Maximum size of a request body, in bytes or with a unit.
    #[arg(long, value_name = "SIZE", default_value = "256K", value_parser = arguments::size)]
    max_body: usize,

    /// Number of threads for short requests [default: one per core]; half as many are added for long ones.
    #[arg(long, value_name = "N", value_parser = arguments::whole::<u16>(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,

    /// Maximum number of open connections; more have to wait.
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().connections, allow_negative_numbers = true)]
    #[arg(value_parser = arguments::whole::<usize>(1..=1_000_000))]
    max_connections: usize,

    /// Maximum number of open connections per client, which is an IPv4 address or an IPv6 /64 network; more are closed. Does not apply to this machine.
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().connections_each, allow_negative_numbers = true)]
    #[arg(value_parser = arguments::whole::<usize>(1..=1_000_000))]
    max_connections_per_client: usize,

    /// Maximum number of queued requests; more are rejected.
    #[arg(long, value_name = "N", default_value_t = ServerLimits::default().queue, allow_negative_numbers = true)]
    #[arg(value_parser = arguments::whole::<usize>(1..=1_000_000))]
    queue: usize,
}

pub(crate) fn run(args: Args, format: OutputFormat) -> anyhow::Result<Exit> {
    // Report an unreadable store now rather than on the page.
    if let Some(store) = &args.store {
        Store::open(store)?;
    }
    let defaults = ServerLimits::default();
    let limits = ServerLimits {
        cells: args.max_cells,
        colors: args.max_colors,
        turns: args.max_turns,
        time: args.request_timeout,
        body: args.max_body,
        workers: args.threads.map_or(defaults.workers, usize::from),
        queue: args.queue,
        connections: args.max_connections,
        connections_each: args.max_connections_per_client,
        sending: defaults.sending,
    };
    let Args { host, port, allow_host: allowed_hosts, behind_proxy, log, store, .. } = args;
    let interrupted = exit::interrupt_flag()?;
    let server = Server::bind(ServerOptions { host, port, allowed_hosts, behind_proxy, log, store, limits })?;
    let mut screen = Screen::new();
    match format {
        OutputFormat::Json => screen.json(&json!({ "address": server.address() }))?,
        _ => writeln!(screen, "{}", server.address())?,
    }
    screen.flush()?;
    server.run_until(&interrupted)?;
    Ok(Exit::Interrupted)
}
