//! Hosts and origins, security headers, and malformed requests.

use axum::{
    body::Body,
    http::{HeaderName, Method, Request, StatusCode, header},
};
use pegwise_web::ServerLimits;
use proptest::{prelude::*, test_runner::Config};
use serde_json::{Value, json};

use crate::{PORT, SERVER, answer, ask, patient, refused, request, send, server};

#[tokio::test]
async fn foreign_hosts_and_pages_are_refused() {
    let own = format!("localhost:{PORT}");
    let asked = async |host: &str, header: Option<(&str, &str)>| {
        let mut request = Request::builder().uri("/api/v1/health").header(header::HOST, host);
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        send(&SERVER, request.body(Body::empty()).unwrap()).await.status()
    };
    assert_eq!(asked(&own, None).await, StatusCode::OK);
    for host in ["evil.example", "evil.example:7411", "localhost:80", "localhost", "", "127.0.0.1.evil.example:7411"] {
        assert_eq!(asked(host, None).await, StatusCode::FORBIDDEN, "{host}");
    }
    assert_eq!(asked(&own, Some(("origin", "http://localhost:7411"))).await, StatusCode::OK);
    let foreign = "null http://evil.example https://localhost:7411 http://localhost:7412 localhost:7411 \
        http://localhost:7411.evil.example";
    for origin in foreign.split(' ') {
        assert_eq!(asked(&own, Some(("origin", origin))).await, StatusCode::FORBIDDEN, "{origin}");
    }
    for (site, status) in [
        ("same-origin", StatusCode::OK),
        ("none", StatusCode::OK),
        ("cross-site", StatusCode::FORBIDDEN),
        ("same-site", StatusCode::FORBIDDEN),
    ] {
        assert_eq!(asked(&own, Some(("sec-fetch-site", site))).await, status, "{site}");
    }
    let nameless = Request::builder().uri("/").body(Body::empty()).unwrap();
    assert_eq!(send(&SERVER, nameless).await.status(), StatusCode::BAD_REQUEST);
    let two =
        Request::builder().uri("/").header(header::HOST, &own).header(header::HOST, "evil.example").body(Body::empty());
    assert_eq!(send(&SERVER, two.unwrap()).await.status(), StatusCode::BAD_REQUEST);
    let absolute = Request::builder().uri("http://evil.example:7411/api/v1/health").header(header::HOST, &own);
    assert_eq!(send(&SERVER, absolute.body(Body::empty()).unwrap()).await.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_link_on_another_site_may_open_the_page() {
    let link =
        Request::builder().uri("/").header(header::HOST, "localhost:7411").header("sec-fetch-site", "cross-site");
    assert_eq!(send(&SERVER, link.body(Body::empty()).unwrap()).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn every_answer_has_security_headers() {
    let requests = [
        request(Method::GET, "/", ""),
        request(Method::GET, "/js/main.js", ""),
        request(Method::GET, "/nowhere", ""),
        request(Method::GET, "/api/v1/health", ""),
        request(Method::POST, "/api/v1/hint", "{"),
        Request::builder().uri("/").header(header::HOST, "evil.example").body(Body::empty()).unwrap(),
    ];
    for request in requests {
        let name = request.uri().to_string();
        let response = send(&SERVER, request).await;
        let header = |name: HeaderName| response.headers()[name].to_str().unwrap().to_owned();
        let policy = header(header::CONTENT_SECURITY_POLICY);
        for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{name}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{name}: {policy}");
        assert_eq!(header(header::X_CONTENT_TYPE_OPTIONS), "nosniff", "{name}");
        assert_eq!(header(header::REFERRER_POLICY), "no-referrer", "{name}");
        assert_eq!(header(header::X_FRAME_OPTIONS), "DENY", "{name}");
    }
}

#[tokio::test]
async fn unchanged_files_are_not_sent_again() {
    let first = send(&SERVER, request(Method::GET, "/js/main.js", "")).await;
    let tag = first.headers()[header::ETAG].clone();
    let mut again = request(Method::GET, "/js/main.js", "");
    again.headers_mut().insert(header::IF_NONE_MATCH, tag);
    assert_eq!(send(&SERVER, again).await.status(), StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn files_are_compressed_for_clients_that_accept_it() {
    for (accepted, encoding) in [("gzip, deflate, br", Some("gzip")), ("br", None)] {
        let mut file = request(Method::GET, "/js/main.js", "");
        file.headers_mut().insert(header::ACCEPT_ENCODING, accepted.parse().unwrap());
        let response = send(&SERVER, file).await;
        assert_eq!(response.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap()), encoding);
        assert_eq!(response.headers()[header::VARY], "accept-encoding");
    }
}

#[tokio::test]
async fn wrong_methods_paths_and_types_get_a_clear_answer() {
    for (method, path, status) in [
        (Method::GET, "/api/v1/hint", StatusCode::METHOD_NOT_ALLOWED),
        (Method::DELETE, "/api/v1/hint", StatusCode::METHOD_NOT_ALLOWED),
        (Method::PUT, "/api/v1/health", StatusCode::METHOD_NOT_ALLOWED),
        (Method::POST, "/", StatusCode::METHOD_NOT_ALLOWED),
        (Method::GET, "/api/v1/nothing", StatusCode::NOT_FOUND),
        (Method::GET, "/../../etc/passwd", StatusCode::NOT_FOUND),
        (Method::GET, "/%2e%2e/Cargo.toml", StatusCode::NOT_FOUND),
        (Method::DELETE, "/api/v1/jobs/0", StatusCode::NOT_FOUND),
        (Method::DELETE, "/api/v1/jobs/%ff", StatusCode::BAD_REQUEST),
        (Method::GET, "/api/v1/lab/figures/%ff", StatusCode::BAD_REQUEST),
        (Method::POST, "/nowhere", StatusCode::NOT_FOUND),
        (Method::POST, "/api/v1/nothing", StatusCode::NOT_FOUND),
        (Method::DELETE, "/api/v1", StatusCode::NOT_FOUND),
    ] {
        let (found, body) = answer(&SERVER, request(method.clone(), path, "{}")).await;
        assert_eq!(found, status, "{method} {path}: {body}");
        assert!(body["error"]["message"].is_string(), "{method} {path}: {body}");
    }
    for (path, allowed) in [("/api/v1/hint", "POST"), ("/api/v1/lab", "GET,HEAD"), ("/", "GET,HEAD")] {
        let refused = send(&SERVER, request(Method::PUT, path, "{}")).await;
        assert_eq!(refused.status(), StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert_eq!(refused.headers()[header::ALLOW], allowed, "{path}");
    }
    let mut form = request(Method::POST, "/api/v1/rules", json!({ "rules": "4x6" }).to_string());
    form.headers_mut().insert(header::CONTENT_TYPE, "text/plain".parse().unwrap());
    assert_eq!(answer(&SERVER, form).await.0, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn huge_bodies_games_and_lists_are_refused() {
    let server = server(ServerLimits { body: 1000, turns: 3, cells: 10, colors: 10, ..patient() });
    let ask = async |body: String| answer(&server, request(Method::POST, "/api/v1/hint", body)).await.0;
    assert_eq!(ask(format!("{{\"rules\":\"{}\"}}", "4".repeat(1000))).await, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(ask(json!({ "rules": "4x6", "turns": vec!["1111=0,0"; 4] }).to_string()).await, StatusCode::BAD_REQUEST);
    assert_eq!(ask(json!({ "rules": "11x6" }).to_string()).await, StatusCode::BAD_REQUEST);
    assert_eq!(ask(json!({ "rules": "4x11" }).to_string()).await, StatusCode::BAD_REQUEST);
    assert_eq!(ask(json!({ "rules": "4x6" }).to_string()).await, StatusCode::OK);
    assert_eq!(ask("[".repeat(900)).await, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn arrays_are_not_objects() {
    let (status, message) = refused("rules", json!(["4x6"])).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(message.contains("expected an object"), "{message}");
    let turn = json!([[1, 1, 2, 2], [{ "black": 1, "white": 0 }]]);
    let (status, message) = refused("hint", json!({ "rules": "4x6", "turns": [turn] })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(message.starts_with("turn 1: a turn is text"), "{message}");
}

const QUESTIONS: [&str; 9] =
    ["rules", "secret", "feedback", "hint", "remaining", "mend", "analyze", "watch", "measure"];

/// Generates JSON that is often almost a valid question.
fn almost_questions() -> impl Strategy<Value = Value> {
    let rules = prop::sample::select(vec![
        "4x6", "3x4", "0x0", "65535x65535", "2x2:no-repeats", "grid:2x2x3", "1x1", "x", "3x3:distance", "é",
    ]);
    let turn = prop::sample::select(vec![
        "112=1,1", "1122=1,1", "11?2=1,?", "1122=?", "=", "1122=", "??=?", "1122=9,9", "12=1,0/0,1/1,0/0,1",
    ]);
    let strategy = prop::sample::select(vec!["knuth", "adaptive", "entropy(bonus=1)", "entropy(", "unknown", ""]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        rules.clone().prop_map(Value::from),
        turn.clone().prop_map(Value::from),
        prop::collection::vec(0u64..8, 0..5).prop_map(Value::from),
    ];
    let odd = leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z]{1,8}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    let text = |strategy: prop::sample::Select<&'static str>| strategy.prop_map(Value::from);
    let field = prop_oneof![
        text(rules.clone()).prop_map(|value| ("rules", value)),
        prop::collection::vec(text(turn), 0..4).prop_map(|value| ("turns", Value::from(value))),
        text(strategy).prop_map(|value| ("strategy", value)),
        (0u64..20).prop_map(|value| ("games", Value::from(value))),
        odd.clone().prop_flat_map(|value| {
            let names = vec![
                "rules", "turns", "guess", "secret", "sealed", "seed", "list", "alternatives", "seconds", "games",
                "reveal", "other",
            ];
            prop::sample::select(names).prop_map(move |name| (name, value.clone()))
        }),
    ];
    let nearly = (text(rules), prop::collection::vec(field, 0..4)).prop_map(|(rules, fields)| {
        let mut object = json!({ "rules": rules });
        for (name, value) in fields {
            object[name] = value;
        }
        object
    });
    prop_oneof![3 => nearly, 1 => odd]
}

proptest! {
    #![proptest_config(Config { cases: 400, ..Config::default() })]

    /// Every body gets a JSON answer with status 200 or a client error.
    #[test]
    fn no_body_breaks_the_server(
        path in prop::sample::select(&QUESTIONS[..]),
        body in almost_questions(),
        cut in any::<prop::sample::Index>(),
        whole in prop::bool::weighted(0.8),
    ) {
        let mut text = body.to_string().into_bytes();
        if !whole {
            text.truncate(cut.index(text.len() + 1));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let asked = request(Method::POST, &format!("/api/v1/{path}"), text);
        let (status, value) = runtime.block_on(answer(&SERVER, asked));
        prop_assert!(status == StatusCode::OK || status.is_client_error(), "{path} {body}: {status} {value}");
        prop_assert!(status == StatusCode::OK || value["error"]["message"].is_string(), "{path} {body}: {value}");
    }
}

#[tokio::test]
async fn echoed_input_is_data() {
    let rules = "<script>alert(1)</script>";
    let (status, value) = crate::post("rules", json!({ "rules": rules })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(value["error"]["message"].as_str().unwrap().contains("<script>"));
    assert!(ask("rules", json!({ "rules": "4x6" })).await["rules"].is_string());
}
