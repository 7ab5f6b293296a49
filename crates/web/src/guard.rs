//! Who may ask, and what a browser may do with the answers.
//!
//! A page elsewhere must not drive this server, not even when its name was made to point here. So the name under which
//! the server is asked, and the page that asks, must be ones the server knows itself by.

use std::{future::poll_fn, net::IpAddr, panic::AssertUnwindSafe, pin::pin, task::Poll};

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue, StatusCode,
        header::{self, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS},
    },
    middleware::Next,
    response::{IntoResponse as _, Response},
};

use crate::{error::ApiError, server::Shared};

/// The names under which a server may be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names {
    /// Names without a port, in lower case; an IPv6 address is in brackets.
    names: Vec<String>,
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
        let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned(), shown];
        names.extend(told.iter().map(|name| name.to_ascii_lowercase()));
        Self { names, any_address: address.is_some_and(|address| address.is_unspecified()), port }
    }

    /// Whether this is one of the names, with the port of the server.
    pub(crate) fn know(&self, authority: &str) -> bool {
        const USUAL_PORT: u16 = 80;
        let authority = authority.to_ascii_lowercase();
        let (name, port) = match authority.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (authority.as_str(), Some(USUAL_PORT)),
        };
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let known = self.names.iter().any(|known| known == name) || self.any_address && bare.parse::<IpAddr>().is_ok();
        port == Some(self.port) && known
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
            let origin = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            origin.is_some_and(|origin| self.know(origin))
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

/// Refuses strangers, answers even when a handler breaks down, and sends the headers that hold for every answer.
pub(crate) async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = match shared.names.check(&request) {
        Ok(()) => answer(request, next).await,
        Err(error) => error.into_response(),
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
}
