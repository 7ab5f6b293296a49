//! Files of the page, embedded into the program.

use axum::{
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header},
    response::{IntoResponse as _, Response},
};

use crate::{api, error::ApiError};

/// A file of the page.
struct Asset {
    path: &'static str,
    bytes: &'static [u8],
    gzip: &'static [u8],
}

/// Every file below `page/`, sorted by path.
const SOURCES: &[Asset] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));
/// The files that the server sends: a bundle of the sources if the build names one.
const SERVED: &[Asset] = include!(concat!(env!("OUT_DIR"), "/served.rs"));

/// Returns the text of a source file of the page.
///
/// # Panics
/// Panics if there is no such file, or if it is not UTF-8.
pub(crate) fn text(path: &str) -> &'static str {
    let asset = SOURCES.iter().find(|asset| asset.path == path).unwrap_or_else(|| panic!("the page has no {path}"));
    str::from_utf8(asset.bytes).unwrap_or_else(|_| panic!("{path} is not UTF-8"))
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        _ => "image/svg+xml",
    }
}

/// Returns how long browsers may keep a file: forever if its name has a hash of its contents (`main-0123abcd.js`).
fn caching(path: &str) -> &'static str {
    let hash = path.rsplit_once('.').and_then(|(stem, _)| stem.rsplit_once('-')).map_or("", |(_, hash)| hash);
    let hashed = hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    if hashed { "public, max-age=31536000, immutable" } else { "no-cache" }
}

/// Returns the entity tag of all files together.
fn version() -> String {
    let mut hasher = std::hash::DefaultHasher::new();
    for asset in SERVED {
        std::hash::Hash::hash(asset.bytes, &mut hasher);
    }
    // Weak, because it is the same for both encodings.
    format!("W/\"{:016x}\"", std::hash::Hasher::finish(&hasher))
}

pub(crate) async fn serve(request: Request) -> Response {
    static VERSION: std::sync::LazyLock<HeaderValue> =
        std::sync::LazyLock::new(|| HeaderValue::from_str(&version()).unwrap_or(HeaderValue::from_static("\"0\"")));
    let path = request.uri().path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(asset) = SERVED.iter().find(|asset| asset.path == path) else {
        return ApiError::not_found("there is no such page")
            .with_hint("the game is at /, the API at /api/v1")
            .into_response();
    };
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return ([(header::ALLOW, "GET,HEAD")], api::method_not_allowed().await).into_response();
    }
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type(path))),
        (header::CACHE_CONTROL, HeaderValue::from_static(caching(path))),
        (header::ETAG, VERSION.clone()),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    if request.headers().get(header::IF_NONE_MATCH) == Some(&*VERSION) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let accepted =
        request.headers().get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if accepted.split(',').any(|coding| coding.trim() == "gzip") {
        return (headers, [(header::CONTENT_ENCODING, "gzip")], asset.gzip).into_response();
    }
    (headers, asset.bytes).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_a_hash_are_kept() {
        assert_eq!(caching("main-0123abcd.js"), "public, max-age=31536000, immutable");
        for path in ["index.html", "js/main.js", "a-b.js", "icon-0123abcx.svg"] {
            assert_eq!(caching(path), "no-cache", "{path}");
        }
    }

    #[test]
    fn the_page_is_light() {
        let bytes: usize = SERVED.iter().map(|asset| asset.gzip.len()).sum();
        assert!(bytes < 150_000, "{bytes}");
    }
}
