//! Who may ask, and what a browser may do with the answers.
//!
//! A page elsewhere must not drive this server, not even when its name was made to point here. So the name under which
//! the server is asked, and the page that asks, must be ones the server knows itself by.

use std::{
    future::poll_fn,
    net::{IpAddr, SocketAddr},
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

use crate::{error::ApiError, metrics::Line, server::Shared};

/// The names under which a server may be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names {
    /// Names without a port, in lower case; an IPv6 address is in brackets.
    names: Vec<String>,
    /// Names that the server was told. Whoever told them may have put a proxy there, with a port and a scheme of its own:
    /// a name with a port has that one, a name without has the usual ones.
    told: Vec<String>,
    /// Whether any address will do: a server for all of a machine's addresses does not know them. Addresses, unlike
    /// names, cannot be made to point elsewhere.
    any_address: bool,
    port: u16,
}

impl Names {
    /// The names of a server that listens on this host and port, and those it was told.
    pub(crate) fn new(host: &str, port: u16, told: &[String]) -> Self {
        let address: Option<IpAddr> = host.parse().ok();
        let shown = match address {
            Some(IpAddr::V6(address)) => format!("[{address}]"),
            _ => host.to_ascii_lowercase(),
        };
        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned(), shown];
        let told = told.iter().map(|name| name.to_ascii_lowercase()).collect();
        Self { names, told, any_address: address.is_some_and(|address| address.is_unspecified()), port }
    }

    /// Whether this is one of the names, with the port of the server or of a proxy before it.
    pub(crate) fn know(&self, authority: &str) -> bool {
        const USUAL_PORT: u16 = 80;
        let authority = authority.to_ascii_lowercase();
        if self.was_told(&authority) {
            return true;
        }
        let (name, port) = match authority.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (authority.as_str(), Some(USUAL_PORT)),
        };
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let known = self.names.iter().any(|known| known == name) || self.any_address && bare.parse::<IpAddr>().is_ok();
        port == Some(self.port) && (known || self.told.iter().any(|told| told == name))
    }

    /// Whether this is a name that the server was told, as a proxy passes it on.
    fn was_told(&self, authority: &str) -> bool {
        let bare = authority.strip_suffix(":443").or_else(|| authority.strip_suffix(":80")).unwrap_or(authority);
        self.told.iter().any(|told| told == authority || told == bare)
    }

    fn check(&self, request: &Request) -> Result<(), ApiError> {
        let foreign = |what: &str| {
            ApiError::new(StatusCode::FORBIDDEN, "foreign", format!("{what} is not this server"))
                .with_hint("open the address that the server printed, or start it with --allow-host")
        };
        let headers = request.headers();
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(ApiError::bad_request("bad-host", "a request names its host once"));
        };
        if !host.to_str().is_ok_and(|host| self.know(host)) {
            return Err(foreign("the host"));
        }
        if request.uri().authority().is_some_and(|authority| !self.know(authority.as_str())) {
            return Err(foreign("the host"));
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let own = |origin: &HeaderValue| {
            let Ok(origin) = origin.to_str() else { return false };
            // This server speaks no TLS; a proxy at a name that was told may.
            match origin.strip_prefix("https://") {
                Some(name) => self.was_told(&name.to_ascii_lowercase()),
                None => origin.strip_prefix("http://").is_some_and(|name| self.know(name)),
            }
        };
        if !origins.all(own) {
            return Err(foreign("the page that asks"));
        }
        // A link from elsewhere may open a page, and nothing else.
        if request.uri().path().starts_with("/api/") && is_cross_site(headers) {
            return Err(foreign("the page that asks"));
        }
        Ok(())
    }
}

/// Whether a browser says that another site asks.
fn is_cross_site(headers: &HeaderMap) -> bool {
    const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
    headers.get(FETCH_SITE).is_some_and(|site| site != "same-origin" && site != "none")
}

/// What a page may load: its own files, and nothing else from anywhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Pictures carry their own styles, and load nothing.
pub(crate) const PICTURE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");

/// Who asks: whom a proxy on this machine names, if there is to be one, or the other end of the connection.
pub(crate) fn client(request: &Request, behind_proxy: bool) -> Option<SocketAddr> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| *peer)?;
    if !behind_proxy || !peer.ip().is_loopback() {
        return Some(peer);
    }
    // The last is the one that the proxy saw; those before it anybody may have written.
    let named = request.headers().get_all(FORWARDED_FOR).iter().next_back()?.to_str().ok()?;
    let named = named.rsplit(',').next()?.trim().parse().ok()?;
    Some(SocketAddr::new(named, peer.port()))
}

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const REQUEST_NUMBER: HeaderName = HeaderName::from_static("x-request-id");

/// The counts of the server, for this machine alone: a request that was passed on comes from elsewhere.
fn counts(shared: &Shared, request: &Request) -> Option<Response> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let here = peer.is_some_and(|ConnectInfo(peer)| peer.ip().is_loopback());
    let asked = request.uri().path() == "/metrics" && request.method() == Method::GET;
    (asked && here && !request.headers().contains_key(FORWARDED_FOR))
        .then(|| shared.metrics.text(&shared.pool).into_response())
}

/// Refuses strangers, answers even when a handler breaks down, and sends the headers that hold for every answer.
pub(crate) async fn guard(State(shared): State<Shared>, mut request: Request, next: Next) -> Response {
    let (number, start) = (shared.metrics.number(), Instant::now());
    let client = client(&request, shared.behind_proxy);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    if let Some(client) = client {
        request.extensions_mut().insert(ConnectInfo(client));
    }
    let mut response = match (shared.names.check(&request), counts(&shared, &request)) {
        (Err(error), _) => error.into_response(),
        (Ok(()), Some(counts)) => counts,
        (Ok(()), None) => answer(request, next).await,
    };
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
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
        Line { number, client, method, path: &path, status, time }.write();
    }
    response
}

async fn answer(request: Request, next: Next) -> Response {
    let mut answer = pin!(next.run(request));
    poll_fn(|context| {
        let polled = std::panic::catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context)));
        polled.unwrap_or_else(|_| Poll::Ready(ApiError::broken().into_response()))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_knows_its_names_and_no_others() {
        let names = Names::new("127.0.0.1", 8080, &["Board.Example".to_owned()]);
        for known in ["localhost:8080", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080", "board.example:8080"] {
            assert!(names.know(known), "{known}");
        }
        for foreign in [
            "",
            ":",
            "localhost",
            "localhost:",
            "localhost:80",
            "localhost:8081",
            "evil.example:8080",
            "[::1]",
            "::1:8080x",
            "127.0.0.1.evil.example:8080",
            "localhost:8080@evil.example",
            "10.0.0.1:8080",
            "localhost:+8080x",
        ] {
            assert!(!names.know(foreign), "{foreign}");
        }
    }

    #[test]
    fn a_server_for_every_address_knows_addresses_but_not_names() {
        let names = Names::new("0.0.0.0", 8080, &[]);
        assert!(names.know("192.168.1.7:8080") && names.know("[fe80::1]:8080") && names.know("localhost:8080"));
        assert!(!names.know("evil.example:8080") && !names.know("192.168.1.7:80"));
        assert!(Names::new("127.0.0.1", 80, &[]).know("localhost"));
    }

    #[test]
    fn a_name_that_was_told_may_be_that_of_a_proxy() {
        let names = Names::new("127.0.0.1", 8080, &["board.example".to_owned(), "other.example:8443".to_owned()]);
        for known in ["board.example", "BOARD.example:443", "board.example:80", "other.example:8443"] {
            assert!(names.know(known), "{known}");
        }
        for foreign in
            ["board.example:8443", "other.example", "evil.board.example", "board.example.evil", "localhost:443"]
        {
            assert!(!names.know(foreign), "{foreign}");
        }
        let asks = |origin: &str| {
            let request =
                Request::builder().uri("/api/v1/health").header("host", "board.example").header("origin", origin);
            names.check(&request.body(axum::body::Body::empty()).unwrap()).is_ok()
        };
        assert!(asks("https://board.example") && asks("http://board.example"));
        assert!(!asks("https://localhost:8080") && !asks("https://evil.example") && !asks("ftp://board.example"));
    }

    #[test]
    fn a_proxy_names_the_client_and_nobody_else_does() {
        let asks = |peer: &str, forwarded: &str| {
            let mut request =
                Request::builder().header("x-forwarded-for", forwarded).body(axum::body::Body::empty()).unwrap();
            request.extensions_mut().insert(ConnectInfo(peer.parse::<SocketAddr>().unwrap()));
            [true, false].map(|behind| client(&request, behind).map(|client| client.ip().to_string()))
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(asks("127.0.0.1:5", "9.9.9.9, 203.0.113.7"), [some("203.0.113.7"), some("127.0.0.1")]);
        assert_eq!(asks("198.51.100.1:5", "203.0.113.7"), [some("198.51.100.1"), some("198.51.100.1")]);
    }
}
