//! The server: a port, the routes, and the runtime they run on.

use std::{
    io,
    net::{SocketAddr, TcpListener, ToSocketAddrs as _},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{Router, middleware};
use tokio::runtime;

use crate::{
    api, assets, connections,
    guard::{self, Names},
    jobs::Pool,
    limits::Limits,
    metrics::Metrics,
};

/// How a server is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The name or address to listen on.
    pub host: String,
    /// The port; zero for any that is free.
    pub port: u16,
    /// More names under which the server may be asked.
    pub allowed_hosts: Vec<String>,
    /// Whether a proxy on this machine passes requests on, and tells in `X-Forwarded-For` whose they are.
    pub behind_proxy: bool,
    /// Whether each request is a line on the standard error.
    pub log: bool,
    /// A store of games to show.
    pub store: Option<PathBuf>,
    /// How much a request may ask for.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: 0,
            allowed_hosts: Vec::new(),
            behind_proxy: false,
            log: false,
            store: None,
            limits: Limits::default(),
        }
    }
}

/// Why a server could not be started, or ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The host has no address.
    #[error("'{host}' is not a host of this machine; use localhost, or 0.0.0.0 for every network")]
    Host {
        /// The host given.
        host: String,
    },
    /// The port cannot be had.
    #[error("cannot listen on {host} port {port}: {error}; choose another port, or 0 for any that is free")]
    Port {
        /// The host given.
        host: String,
        /// The port given.
        port: u16,
        /// What the system says.
        error: io::Error,
    },
    /// Threads or the network failed.
    #[error("the server cannot run: {0}")]
    Run(#[from] io::Error),
}

/// What every request can reach.
pub(crate) struct App {
    pub(crate) limits: Limits,
    pub(crate) names: Names,
    pub(crate) pool: Pool,
    pub(crate) lab: api::Lab,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) behind_proxy: bool,
    pub(crate) log: bool,
}

pub(crate) type Shared = Arc<App>;

/// The routes of a server on this port, for a server of one's own or for tests.
pub fn router(options: &Options, port: u16) -> io::Result<Router> {
    counted(options, port, Arc::default())
}

fn counted(options: &Options, port: u16, metrics: Arc<Metrics>) -> io::Result<Router> {
    let shared: Shared = Arc::new(App {
        limits: options.limits.clone(),
        names: Names::new(&options.host, port, &options.allowed_hosts),
        pool: Pool::new(&options.limits)?,
        lab: api::Lab::new(options.store.clone()),
        metrics,
        behind_proxy: options.behind_proxy,
        log: options.log,
    });
    let routes =
        api::routes().fallback(assets::serve).layer(middleware::from_fn_with_state(shared.clone(), guard::guard));
    Ok(routes.with_state(shared))
}

/// A server that has its port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: Options,
}

impl Server {
    /// Takes the port.
    pub fn bind(options: Options) -> Result<Self, ServeError> {
        let Options { host, port, .. } = &options;
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let addresses: Vec<SocketAddr> = (bare, *port).to_socket_addrs().map(Iterator::collect).unwrap_or_default();
        if addresses.is_empty() {
            return Err(ServeError::Host { host: host.clone() });
        }
        let failed = |error| ServeError::Port { host: host.clone(), port: *port, error };
        let listener = TcpListener::bind(&addresses[..]).map_err(failed)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, options })
    }

    /// Where a browser on this machine finds it.
    #[must_use]
    pub fn address(&self) -> String {
        let port = self.address.port();
        match self.address {
            address if address.ip().is_unspecified() => format!("http://127.0.0.1:{port}/"),
            address => format!("http://{address}/"),
        }
    }

    /// Serves until the program ends.
    pub fn run(self) -> Result<(), ServeError> {
        self.run_until(&AtomicBool::new(false))
    }

    /// Serves until the flag is raised; what is under way then is still answered.
    pub fn run_until(self, end: &AtomicBool) -> Result<(), ServeError> {
        /// How often to look at the flag.
        const LOOK: Duration = Duration::from_millis(50);
        let metrics = Arc::<Metrics>::default();
        let router = counted(&self.options, self.address.port(), Arc::clone(&metrics))?;
        // Requests only wait here; the workers compute.
        let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            self.listener.set_nonblocking(true)?;
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let ended = async {
                while !end.load(Ordering::Relaxed) {
                    tokio::time::sleep(LOOK).await;
                }
            };
            connections::serve(listener, router, &self.options.limits, &metrics, ended).await;
            io::Result::Ok(())
        })?;
        // Workers that do not come back are not waited for.
        runtime.shutdown_background();
        Ok(())
    }
}
