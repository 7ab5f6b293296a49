//! Middleware: host and origin checks, security headers, panics, metrics and the log.
//!
//! Pages of other sites must not use the API, not even by DNS rebinding. So the `Host` and `Origin` of a request must be
//! names of this server.

use std::{
    future::poll_fn,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    panic::AssertUnwindSafe,
    pin::pin,
    task::Poll,
    time::Instant,
};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
        header::{self, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS},
    },
    middleware::Next,
    response::{IntoResponse as _, Response},
};

use crate::{error::ApiError, metrics::LogLine, server::Shared};

/// Host names of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AllowedHosts {
    /// Host names without a port, in lower case; IPv6 addresses in brackets.
    names: Vec<String>,
    /// Configured names, possibly of a proxy with its own port and scheme. A name without a port stands for ports 80 and
    /// 443, too.
    configured: Vec<String>,
    /// True if the server listens on all addresses of the machine. IP addresses are not subject to DNS rebinding.
    any_address: bool,
    port: u16,
}

impl AllowedHosts {
    /// Creates the names of a server on `host` and `port` with further configured names.
    pub(crate) fn new(host: &str, port: u16, configured: &[String]) -> Self {
        let address: Option<IpAddr> = host.parse().ok();
        let shown = match address {
            Some(IpAddr::V6(address)) => format!("[{address}]"),
            _ => host.to_ascii_lowercase(),
        };
        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned(), shown];
        let configured = configured.iter().map(|name| name.to_ascii_lowercase()).collect();
        Self { names, configured, any_address: address.is_some_and(|address| address.is_unspecified()), port }
    }

    /// Returns true if `authority` is a name of the server, with the port of the server or of its proxy.
    pub(crate) fn contains(&self, authority: &str) -> bool {
        const DEFAULT_PORT: u16 = 80;
        let authority = authority.to_ascii_lowercase();
        if self.is_configured(&authority) {
            return true;
        }
        let (name, port) = match authority.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (authority.as_str(), Some(DEFAULT_PORT)),
        };
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let known = self.names.iter().any(|known| known == name) || self.any_address && bare.parse::<IpAddr>().is_ok();
        port == Some(self.port) && (known || self.configured.iter().any(|configured| configured == name))
    }

    /// Returns true if `authority` is a configured name as a proxy forwards it.
    fn is_configured(&self, authority: &str) -> bool {
        let bare = authority.strip_suffix(":443").or_else(|| authority.strip_suffix(":80")).unwrap_or(authority);
        self.configured.iter().any(|name| name == authority || name == bare)
    }

    fn check(&self, request: &Request) -> Result<(), ApiError> {
        let foreign = |subject: &str| {
            ApiError::new(StatusCode::FORBIDDEN, "foreign", format!("{subject} is not this server"))
                .with_hint("open the address that the server printed, or start it with --allow-host")
        };
        let headers = request.headers();
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(ApiError::bad_request("bad-host", "a request must have one Host header"));
        };
        if !host.to_str().is_ok_and(|host| self.contains(host)) {
            return Err(foreign("the host"));
        }
        if request.uri().authority().is_some_and(|authority| !self.contains(authority.as_str())) {
            return Err(foreign("the host"));
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let own = |origin: &HeaderValue| {
            let Ok(origin) = origin.to_str() else { return false };
            // Only a proxy with a configured name speaks TLS.
            match origin.strip_prefix("https://") {
                Some(name) => self.is_configured(&name.to_ascii_lowercase()),
                None => origin.strip_prefix("http://").is_some_and(|name| self.contains(name)),
            }
        };
        if !origins.all(own) {
            return Err(foreign("the requesting page"));
        }
        // A link on another site may open a page, but not use the API.
        if request.uri().path().starts_with("/api/") && is_cross_site(headers) {
            return Err(foreign("the requesting page"));
        }
        Ok(())
    }
}

/// Returns true if the browser marks the request as coming from another site.
fn is_cross_site(headers: &HeaderMap) -> bool {
    const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
    headers.get(FETCH_SITE).is_some_and(|site| site != "same-origin" && site != "none")
}

/// Content security policy of pages: only files of this server.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Content security policy of figures, which contain styles and load nothing.
pub(crate) const FIGURE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");

/// Returns the address of the client: as named by a proxy on this machine, or of the connection.
pub(crate) fn client_address(request: &Request, behind_proxy: bool) -> Option<SocketAddr> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| *peer)?;
    if !behind_proxy || !peer.ip().is_loopback() {
        return Some(peer);
    }
    // The proxy appends the last address; a client can forge the others.
    let named = request.headers().get_all(FORWARDED_FOR).iter().next_back()?.to_str().ok()?;
    let named: IpAddr = named.rsplit(',').next()?.trim().parse().ok()?;
    Some(SocketAddr::new(named.to_canonical(), peer.port()))
}

/// Returns the address by which a client is counted: an IPv6 client has a whole /64 network of addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [first, second, third, fourth, ..] = address.segments();
            Ipv6Addr::new(first, second, third, fourth, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const REQUEST_NUMBER: HeaderName = HeaderName::from_static("x-request-id");

/// Answers a request for metrics from this machine. A forwarded request comes from another one.
fn metrics(shared: &Shared, request: &Request) -> Option<Response> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let local = peer.is_some_and(|ConnectInfo(peer)| peer.ip().is_loopback());
    let requested = request.uri().path() == "/metrics" && [Method::GET, Method::HEAD].contains(request.method());
    (requested && local && !request.headers().contains_key(FORWARDED_FOR))
        .then(|| shared.metrics.text(&shared.scheduler).into_response())
}

/// Checks the request, catches panics of its handler, and adds the headers that every answer has.
pub(crate) async fn guard(State(shared): State<Shared>, mut request: Request, next: Next) -> Response {
    let (number, start) = (shared.metrics.next_request(), Instant::now());
    let client = client_address(&request, shared.behind_proxy);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    if let Some(client) = client {
        request.extensions_mut().insert(ConnectInfo(client));
    }
    let mut response = match (shared.allowed_hosts.check(&request), metrics(&shared, &request)) {
        (Err(error), _) => error.into_response(),
        (Ok(()), Some(metrics)) => metrics,
        (Ok(()), None) => run_handler(request, next).await,
    };
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(PAGE_POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    for name in ["cross-origin-resource-policy", "cross-origin-opener-policy"] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static("same-origin"));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(REQUEST_NUMBER, HeaderValue::from(number));
    let (status, time) = (response.status().as_u16(), start.elapsed());
    shared.metrics.answered(status, time);
    if shared.log {
        let (client, method) = (client.map(|client| client.ip()), method.as_str());
        LogLine { number, client, method, path: &path, status, time }.write();
    }
    response
}

async fn run_handler(request: Request, next: Next) -> Response {
    let mut answer = pin!(next.run(request));
    poll_fn(|context| {
        let polled = std::panic::catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context)));
        polled.unwrap_or_else(|_| Poll::Ready(ApiError::internal().into_response()))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_the_server_are_allowed() {
        let hosts = AllowedHosts::new("127.0.0.1", 8080, &["Board.Example".to_owned()]);
        for known in ["localhost:8080", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080", "board.example:8080"] {
            assert!(hosts.contains(known), "{known}");
        }
        for foreign in [
            "", ":", "localhost", "localhost:", "localhost:80", "localhost:8081", "evil.example:8080", "[::1]",
            "::1:8080x", "127.0.0.1.evil.example:8080", "localhost:8080@evil.example", "10.0.0.1:8080",
            "localhost:+8080x",
        ] {
            assert!(!hosts.contains(foreign), "{foreign}");
        }
    }

    #[test]
    fn a_server_on_all_addresses_allows_addresses_but_not_names() {
        let hosts = AllowedHosts::new("0.0.0.0", 8080, &[]);
        assert!(
            hosts.contains("192.168.1.7:8080") && hosts.contains("[fe80::1]:8080") && hosts.contains("localhost:8080")
        );
        assert!(!hosts.contains("evil.example:8080") && !hosts.contains("192.168.1.7:80"));
        assert!(AllowedHosts::new("127.0.0.1", 80, &[]).contains("localhost"));
    }

    #[test]
    fn a_configured_name_may_be_that_of_a_proxy() {
        let hosts =
            AllowedHosts::new("127.0.0.1", 8080, &["board.example".to_owned(), "other.example:8443".to_owned()]);
        for known in ["board.example", "BOARD.example:443", "board.example:80", "other.example:8443"] {
            assert!(hosts.contains(known), "{known}");
        }
        for foreign in
            ["board.example:8443", "other.example", "evil.board.example", "board.example.evil", "localhost:443"]
        {
            assert!(!hosts.contains(foreign), "{foreign}");
        }
        let asks = |origin: &str| {
            let request =
                Request::builder().uri("/api/v1/health").header("host", "board.example").header("origin", origin);
            hosts.check(&request.body(axum::body::Body::empty()).unwrap()).is_ok()
        };
        assert!(asks("https://board.example") && asks("http://board.example"));
        assert!(!asks("https://localhost:8080") && !asks("https://evil.example") && !asks("ftp://board.example"));
    }

    #[test]
    fn only_a_local_proxy_names_the_client() {
        let asks = |peer: &str, forwarded: &str| {
            let mut request =
                Request::builder().header("x-forwarded-for", forwarded).body(axum::body::Body::empty()).unwrap();
            request.extensions_mut().insert(ConnectInfo(peer.parse::<SocketAddr>().unwrap()));
            [true, false].map(|behind| client_address(&request, behind).map(|client| client.ip().to_string()))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(asks("127.0.0.1:5", "9.9.9.9, 203.0.113.7"), [some("203.0.113.7"), some("127.0.0.1")]);
        assert_eq!(asks("198.51.100.1:5", "203.0.113.7"), [some("198.51.100.1"), some("198.51.100.1")]);
    }
}
