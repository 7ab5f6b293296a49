//! Connections: how many there may be, how long they may take to say what they want, and their end.
//!
//! A client that sends the head of its request slowly is cut off, so that no number of slow ones keeps others out. At the
//! end of the server, what is under way is answered, and no more is taken.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
    time::Duration,
};

use axum::{Extension, Router, extract::ConnectInfo};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use pegwise_solve::clock::Moment;
use tokio::{
    net::TcpListener,
    sync::{OwnedSemaphorePermit, Semaphore},
    time,
};

use crate::{limits::Limits, metrics::Metrics};

/// How long requests that are under way may take when the server ends.
const LAST_ANSWERS: Duration = Duration::from_secs(5);
/// How long to wait when no connection can be taken, because the system has no more to give.
const BREATH: Duration = Duration::from_millis(50);

/// Connections of each address that are open.
#[derive(Debug, Default)]
struct Open(Mutex<HashMap<IpAddr, usize>>);

/// A connection that counts as open as long as it lasts.
struct Counted {
    open: Arc<Open>,
    metrics: Arc<Metrics>,
    address: IpAddr,
    _place: OwnedSemaphorePermit,
}

impl Open {
    /// Counts one more, unless the address has as many as it may. This machine may have any number.
    fn enter(&self, address: IpAddr, most: usize) -> bool {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        let room = address.is_loopback() || *count < most;
        *count += usize::from(room);
        room
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.metrics.connections.fetch_sub(1, Ordering::Relaxed);
        let mut open = self.open.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

/// Serves connections until told to end.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &Limits,
    metrics: &Arc<Metrics>,
    end: impl Future<Output = ()>,
) {
    let places = Arc::new(Semaphore::new(limits.connections.max(1)));
    let open = Arc::<Open>::default();
    let graceful = GracefulShutdown::new();
    let mut end = std::pin::pin!(end);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.sending).max_headers(64);
    loop {
        let place = tokio::select! {
            () = &mut end => break,
            place = Arc::clone(&places).acquire_owned() => place,
        };
        // The semaphore is never closed.
        let Ok(place) = place else { break };
        let (stream, peer) = tokio::select! {
            () = &mut end => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(_) => {
                    time::sleep(BREATH).await;
                    continue;
                }
            },
        };
        let address = SocketAddr::new(peer.ip().to_canonical(), peer.port());
        if !open.enter(address.ip(), limits.connections_each) {
            metrics.refused.fetch_add(1, Ordering::Relaxed);
            continue;
        }
        metrics.connections.fetch_add(1, Ordering::Relaxed);
        let counted =
            Counted { open: Arc::clone(&open), metrics: Arc::clone(metrics), address: address.ip(), _place: place };
        // Answers are small, and wait for no others.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone().layer(Extension(ConnectInfo(address))));
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A connection that breaks off concerns nobody else.
            let _ = connection.await;
            drop(counted);
        });
    }
    drop(listener);
    // Repeated, because a test clock may be slower than tokio's.
    let (ending, mut shutdown) = (Moment::now(), std::pin::pin!(graceful.shutdown()));
    while let Some(left) = LAST_ANSWERS.checked_sub(ending.elapsed())
        && time::timeout(left, &mut shutdown).await.is_err()
    {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_connections_and_this_machine_any() {
        let open = Open::default();
        let [far, other, here] = ["203.0.113.7", "203.0.113.8", "127.0.0.1"].map(|text| text.parse().unwrap());
        assert_eq!([open.enter(far, 2), open.enter(far, 2), open.enter(far, 2)], [true, true, false]);
        assert!(open.enter(other, 2));
        assert!((0..10).all(|_| open.enter(here, 2)));
    }
}
