//! The report of a store over HTTP.

use crate::ask::{PORT, SERVER, answer, request, send};
use axum::http::{Method, StatusCode, header};
use pegwise_lab::{Experiment, RunProgress, Runner, Secrets, Store};
use pegwise_web::{Options, router};
use serde_json::{Value, json};

#[tokio::test]
async fn a_store_is_shown_as_it_grows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duel.db");
    let rules = vec!["3x4".parse().unwrap()];
    let strategies = vec!["knuth".parse().unwrap(), "random-consistent".parse().unwrap()];
    let experiment = Experiment::new(rules, strategies, Secrets::Drawn(20)).unwrap();
    let mut store = Store::create(&path, &experiment).unwrap();
    let server = router(&Options { store: Some(path.clone()), ..Options::default() }, PORT).unwrap();

    let (status, empty) = answer(&server, request(Method::GET, "/api/v1/lab", "")).await;
    assert_eq!((status, &empty["store"], &empty["rows"]), (StatusCode::OK, &json!("duel.db"), &json!([])));
    Runner::new(&experiment).run(&mut store, &RunProgress::default()).unwrap();
    let (_, full) = answer(&server, request(Method::GET, "/api/v1/lab", "")).await;
    assert_eq!(full["rows"].as_array().map(Vec::len), Some(2));
    assert_eq!(full["rows"][0]["games"], 20);

    let blocks = full["blocks"].as_array().unwrap();
    let figures: Vec<&Value> = blocks.iter().filter_map(|block| block.get("figure")).collect();
    assert!(!figures.is_empty() && blocks.iter().any(|block| block.get("table").is_some()));
    for figure in figures {
        let path = format!("/api/v1/lab/figures/{}.svg", figure["name"].as_str().unwrap());
        let response = send(&server, request(Method::GET, &path, "")).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "image/svg+xml");
        assert!(
            response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().starts_with("default-src 'none'")
        );
    }
    let (status, _) = answer(&server, request(Method::GET, "/api/v1/lab/figures/none.svg", "")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn without_a_store_the_report_is_empty() {
    let (status, report) = answer(&SERVER, request(Method::GET, "/api/v1/lab", "")).await;
    assert_eq!((status, report), (StatusCode::OK, json!({ "store": null, "rows": [], "blocks": [] })));
    let (status, _) = answer(&SERVER, request(Method::GET, "/api/v1/lab/figures/a.svg", "")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}
