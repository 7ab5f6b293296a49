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
const ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Returns the text of a file of the page.
///
/// # Panics
/// Panics if there is no such file, or if it is not UTF-8.
pub(crate) fn text(path: &str) -> &'static str {
    let asset = ASSETS.iter().find(|asset| asset.path == path).unwrap_or_else(|| panic!("the page has no {path}"));
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

/// Returns the entity tag of all files together.
fn version() -> String {
    let mut hasher = std::hash::DefaultHasher::new();
    for asset in ASSETS {
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
    let Some(asset) = ASSETS.iter().find(|asset| asset.path == path) else {
        return ApiError::not_found("there is no such page")
            .with_hint("the game is at /, the API at /api/v1")
            .into_response();
    };
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return ([(header::ALLOW, "GET,HEAD")], api::method_not_allowed().await).into_response();
    }
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type(path))),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
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

    /// The page preloads all modules instead of loading them one after the other.
    #[test]
    fn every_module_is_preloaded() {
        let page = text("index.html");
        for asset in ASSETS.iter().filter(|asset| {
            asset.path.ends_with(".js") && !["js/types.js", "js/engine/worker.js"].contains(&asset.path)
        }) {
            assert!(page.contains(&format!("=\"{}\"", asset.path)), "{}", asset.path);
        }
    }

    #[test]
    fn the_page_is_light() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.gzip.len()).sum();
        assert!(bytes < 150_000, "{bytes}");
    }
}
