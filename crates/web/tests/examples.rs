//! The examples find what they say.

#[path = "../examples/ask_over_http.rs"]
mod ask_over_http;

#[test]
fn ask_over_http_is_right() {
    ask_over_http::main();
}
