//! The server: its port, its connections, and the runtime of its routes.
//!
//! A client that sends its request or reads its answer too slowly is disconnected, so that slow clients cannot exhaust the connections. When the
//! server shuts down, it accepts no more connections and answers the requests in progress.

use std::{
    collections::HashMap,
    io,
    net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs as _},
    path::PathBuf,
    pin::pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{Extension, Router, extract::ConnectInfo, middleware};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use pegwise_solve::clock::Moment;
use tokio::{
    runtime,
    sync::{OwnedSemaphorePermit, Semaphore},
    time,
};

use crate::{
    api, assets,
    guard::{self, AllowedHosts},
    jobs::Scheduler,
    limits::ServerLimits,
    metrics::Metrics,
    timed_stream::TimedStream,
};

/// Options of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerOptions {
    /// Host name or address to listen on.
    pub host: String,
    /// Port; zero for any free one.
    pub port: u16,
    /// Further names accepted in the `Host` header.
    pub allowed_hosts: Vec<String>,
    /// True if a proxy on this machine forwards requests and names the client in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// Log each request to standard error.
    pub log: bool,
    /// Store of games to show.
    pub store: Option<PathBuf>,
    /// Limits on requests.
    pub limits: ServerLimits,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: 0,
            allowed_hosts: Vec::new(),
            behind_proxy: false,
            log: false,
            store: None,
            limits: ServerLimits::default(),
        }
    }
}

/// Error of a server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The host does not resolve to an address.
    #[error("'{host}' is not a host of this machine; use localhost, or 0.0.0.0 for every network")]
    Host {
        /// The host given.
        host: String,
    },
    /// The port is not available.
    #[error("cannot listen on {host} port {port}: {error}; choose another port, or 0 for any free one")]
    Port {
        /// The host given.
        host: String,
        /// The port given.
        port: u16,
        /// Error of the operating system.
        error: io::Error,
    },
    /// A thread or the network failed.
    #[error("the server cannot run: {0}")]
    Run(#[from] io::Error),
}

/// State shared by all requests.
pub(crate) struct App {
    pub(crate) limits: ServerLimits,
    pub(crate) allowed_hosts: AllowedHosts,
    pub(crate) scheduler: Scheduler,
    pub(crate) lab: api::Lab,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) behind_proxy: bool,
    pub(crate) log: bool,
}

pub(crate) type Shared = Arc<App>;

/// Returns the router of a server on `port`, to embed it or to test it.
pub fn router(options: &ServerOptions, port: u16) -> io::Result<Router> {
    router_with_metrics(options, port, Arc::default())
}

fn router_with_metrics(options: &ServerOptions, port: u16, metrics: Arc<Metrics>) -> io::Result<Router> {
    let shared: Shared = Arc::new(App {
        limits: options.limits.clone(),
        allowed_hosts: AllowedHosts::new(&options.host, port, &options.allowed_hosts),
        scheduler: Scheduler::new(&options.limits)?,
        lab: api::Lab::new(options.store.clone()),
        metrics,
        behind_proxy: options.behind_proxy,
        log: options.log,
    });
    let routes =
        api::routes().fallback(assets::serve).layer(middleware::from_fn_with_state(shared.clone(), guard::guard));
    Ok(routes.with_state(shared))
}

/// A server bound to a port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: ServerOptions,
}

impl Server {
    /// Binds the port.
    pub fn bind(options: ServerOptions) -> Result<Self, ServeError> {
        let ServerOptions { host, port, .. } = &options;
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

    /// Returns the URL for a browser on this machine.
    #[must_use]
    pub fn address(&self) -> String {
        let port = self.address.port();
        match self.address {
            address if address.ip().is_unspecified() => format!("http://127.0.0.1:{port}/"),
            address => format!("http://{address}/"),
        }
    }

    /// Serves until the process ends.
    pub fn run(self) -> Result<(), ServeError> {
        self.run_until(&AtomicBool::new(false))
    }

    /// Serves until `end` is set, and then answers the requests in progress.
    pub fn run_until(self, end: &AtomicBool) -> Result<(), ServeError> {
        /// Interval between checks of the flag.
        const POLL_INTERVAL: Duration = Duration::from_millis(50);
        let metrics = Arc::<Metrics>::default();
        let router = router_with_metrics(&self.options, self.address.port(), Arc::clone(&metrics))?;
        // These threads only wait; the workers compute.
        let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            self.listener.set_nonblocking(true)?;
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let ended = async {
                while !end.load(Ordering::Relaxed) {
                    time::sleep(POLL_INTERVAL).await;
                }
            };
            serve_connections(listener, router, &self.options.limits, &metrics, ended).await;
            io::Result::Ok(())
        })?;
        // Does not wait for stuck workers.
        runtime.shutdown_background();
        Ok(())
    }
}

/// Time that requests in progress have when the server shuts down.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);
/// Pause after a failed accept, for example without free file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Number of open connections by network.
#[derive(Debug, Default)]
struct OpenConnections(Mutex<HashMap<IpAddr, usize>>);

struct ConnectionGuard {
    open: Arc<OpenConnections>,
    metrics: Arc<Metrics>,
    network: IpAddr,
    _permit: OwnedSemaphorePermit,
}

impl OpenConnections {
    /// Counts a connection. Returns false if the network has `max` connections; this machine may have any number.
    fn try_add(&self, network: IpAddr, max: usize) -> bool {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(network).or_default();
        let allowed = network.is_loopback() || *count < max;
        *count += usize::from(allowed);
        allowed
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.metrics.connections.fetch_sub(1, Ordering::Relaxed);
        let mut open = self.open.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.network);
            }
        }
    }
}

/// Serves connections until `end` completes.
async fn serve_connections(
    listener: tokio::net::TcpListener,
    router: Router,
    limits: &ServerLimits,
    metrics: &Arc<Metrics>,
    end: impl Future<Output = ()>,
) {
    let permits = Arc::new(Semaphore::new(limits.connections.max(1)));
    let open = Arc::<OpenConnections>::default();
    let graceful = GracefulShutdown::new();
    let mut end = pin!(end);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.sending).max_headers(64);
    loop {
        let permit = tokio::select! {
            () = &mut end => break,
            permit = Arc::clone(&permits).acquire_owned() => permit,
        };
        // The semaphore is never closed.
        let Ok(permit) = permit else { break };
        let (stream, peer) = tokio::select! {
            () = &mut end => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(_) => {
                    time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
        };
        let address = SocketAddr::new(peer.ip().to_canonical(), peer.port());
        let network = guard::network(address.ip());
        if !open.try_add(network, limits.connections_each) {
            metrics.refused.fetch_add(1, Ordering::Relaxed);
            continue;
        }
        metrics.connections.fetch_add(1, Ordering::Relaxed);
        let guard = ConnectionGuard { open: Arc::clone(&open), metrics: Arc::clone(metrics), network, _permit: permit };
        // Answers are small and must not be delayed.
        let _ = stream.set_nodelay(true);
        let stream = TimedStream::new(stream, limits.sending);
        let service = TowerToHyperService::new(router.clone().layer(Extension(ConnectInfo(address))));
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // An aborted connection is not an error of the server.
            let _ = connection.await;
            drop(guard);
        });
    }
    drop(listener);
    // In a loop, because a test clock may be slower than that of tokio.
    let (ending, mut shutdown) = (Moment::now(), pin!(graceful.shutdown()));
    while let Some(left) = SHUTDOWN_GRACE.checked_sub(ending.elapsed())
        && time::timeout(left, &mut shutdown).await.is_err()
    {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_per_address_are_limited_except_on_this_machine() {
        let open = OpenConnections::default();
        let [far, other, here] = ["203.0.113.7", "203.0.113.8", "127.0.0.1"].map(|text| text.parse().unwrap());
        assert_eq!([open.try_add(far, 2), open.try_add(far, 2), open.try_add(far, 2)], [true, true, false]);
        assert!(open.try_add(other, 2));
        assert!((0..10).all(|_| open.try_add(here, 2)));
    }
}
