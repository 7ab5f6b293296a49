//! Questions of the API and their answers.

use axum::http::{Method, StatusCode, header};
use pegwise_lab::{Experiment, RunProgress, Runner, Secrets, Store};
use pegwise_web::{ServerOptions, router};
use serde_json::{Value, json};

use crate::{PORT, SERVER, answer, ask, request, send, transcript};

/// Contradictions are normal answers; unknown pegs and numbers are null.
#[tokio::test]
async fn questions_are_answered() {
    insta::assert_snapshot!(
        transcript(
            r#"
            rules {"rules":"grid:2x3x4"}
            rules {"rules":"100x100"}
            rules {"rules":"0x0"}
            rules {"rules":"401x2"}
            hint {"rules":"4x6:upside-down"}
            feedback {"rules":"4x6","guess":[1,1,2,2],"secret":"2123"}
            feedback {"rules":"4x6","guess":[1,1,2],"secret":"1111"}
            feedback {"rules":"4x6","guess":[0,1,1,1],"secret":"1111"}
            feedback {"rules":"4x6","guess":[1,1,1,7],"secret":"1111"}
            feedback {"rules":"4x6","guess":"11a","secret":"1111"}
            feedback {"rules":"4x6","guess":null,"secret":"1111"}
            feedback {"rules":"4x6","guess":{},"secret":"1111"}
            feedback {"rules":"4x6","guess":[1.5,1,1,1],"secret":"1111"}
            feedback {"rules":"4x6","guess":"1111"}
            secret {"rules":"4x6","seed":1,"secret":"1111"}
            secret {"rules":"4x6","sealed":""}
            secret {"rules":"4x6","sealed":"zz"}
            secret {"rules":"4x6","sealed":"00"}
            secret {"rules":"4x6","sealed":"0123456789abcdef"}
            secret {"rules":"4x6","sealed":"a b"}
            secret {"rules":"4x6","sealed":"1 secret:1111"}
            hint {"rules":"4x6","turns":["1122=1,0"],"strategy":"knuth","alternatives":3}
            hint {"rules":"4x6","turns":[{"guess":[1,1,null,2],"feedback":[{"black":1,"white":null}]}]}
            hint {"rules":"4x6","turns":["1122=0,0","3344=0,1","5566=0,0"]}
            hint {"rules":"4x6","strategy":"knut"}
            hint {"rules":"4x6","turns":["1122"]}
            hint {"rules":"4x6","turns":["1122=1,0","1122=5,0"]}
            hint {"rules":"4x6","turns":[5]}
            hint {"rules":"4x6","seconds":-1}
            hint {"rules":"4x6","seconds":1e300}
            hint {"rules":"4x6","surprise":1}
            hint {"rules":"20x20","strategy":"knuth"}
            mend {"rules":"4x6","turns":["1122=0,0","3344=0,1","5566=0,0"]}
            mend {"rules":"4x6","turns":["1122=0,0"]}
            remaining {"rules":"4x6","turns":["1122=1,1","1344=0,2"],"list":37}
            remaining {"rules":"4x6","turns":["1122=1,1","1344=0,2"],"list":36}
            remaining {"rules":"4x6"}
            remaining {"rules":"4x6","turns":["1122=0,0","3456=0,0"]}
            analyze {"rules":"4x6","turns":["1111=1,0","1122=1,0","1344=4,0"]}
            analyze {"rules":"4x6","turns":["1111=1,0","1122=1,0","1344=4,0"],"secret":"1111"}
            analyze {"rules":"4x6","turns":["11?1=1,0"]}
            analyze {"rules":"4x6","turns":["1122=0,0","3344=0,1","5566=0,0"]}
            watch {"rules":"4x6","strategy":"knuth","secret":"3632"}
            watch {"rules":"4x6:max-guesses=1","strategy":"knuth","secret":"3632"}
            measure {"rules":"4x6","strategy":"knuth","games":20,"seed":3}
            measure {"rules":"4x6","strategy":"knuth","games":0}
            measure {"rules":"4x6","strategy":"knuth","games":10001}"#
        )
        .await
    );
}

#[tokio::test]
async fn secrets_are_sealed_and_still_exact() {
    for rules in ["4x6", "5x300", "grid:3x3x4", "4x10:no-repeats:max-guesses=9"] {
        let drawn = ask("secret", json!({ "rules": rules, "seed": 7, "reveal": true })).await;
        assert_eq!(drawn, ask("secret", json!({ "rules": rules, "seed": 7, "reveal": true })).await);
        let (sealed, secret) = (&drawn["sealed"], &drawn["secret"]);
        let opened = ask("secret", json!({ "rules": rules, "sealed": sealed, "reveal": true })).await;
        assert_eq!(&opened["secret"], secret);
        let judged = ask("feedback", json!({ "rules": rules, "guess": secret, "sealed": sealed })).await;
        assert_eq!(judged["solved"], true);
        assert_eq!(ask("secret", json!({ "rules": rules, "sealed": sealed })).await["secret"], Value::Null);
    }
}

#[tokio::test]
async fn answers_are_deterministic() {
    for rules in ["4x6", "5x8", "8x12", "10x10"] {
        let question = json!({ "rules": rules, "seed": 5 });
        let first = ask("hint", question.clone()).await;
        assert_eq!(first["hint"], ask("hint", question).await["hint"], "{rules}");
    }
}

#[tokio::test]
async fn a_repair_leaves_the_codes_that_it_promises() {
    let mut turns = json!(["1122=0,0", "3344=0,1", "5566=0,0"]);
    let mended = ask("mend", json!({ "rules": "4x6", "turns": turns })).await;
    let repair = &mended["contradiction"]["repairs"][0];
    turns[repair["turn"].as_u64().unwrap() as usize - 1] = repair["now"].clone();
    assert_eq!(ask("remaining", json!({ "rules": "4x6", "turns": turns })).await["remaining"], repair["leaves"]);
}

#[tokio::test]
async fn the_catalog_marks_playable_strategies() {
    let (status, all) = answer(&SERVER, request(Method::GET, "/api/v1/strategies?rules=20x20", "")).await;
    assert_eq!(status, StatusCode::OK);
    let of = |name: &str| all["strategies"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
    assert_eq!((&of("adaptive")["playable"], &of("knuth")["playable"]), (&json!(true), &json!(false)));
    let published = all["strategies"].as_array().unwrap().iter().filter(|row| row["published"] != json!([])).count();
    assert!(published > 3, "{published}");
    for query in ["?rules=0x0", "?rules=%ff", "?other=1", "?rules=4x6&rules=4x6"] {
        let (status, _) = answer(&SERVER, request(Method::GET, &format!("/api/v1/strategies{query}"), "")).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{query}");
    }
}

#[tokio::test]
async fn a_store_is_shown_as_it_grows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duel.db");
    let rules = vec!["3x4".parse().unwrap()];
    let strategies = vec!["knuth".parse().unwrap(), "random-consistent".parse().unwrap()];
    let experiment = Experiment::new(rules, strategies, Secrets::Drawn(20)).unwrap();
    let mut store = Store::create(&path, &experiment).unwrap();
    let server = router(&ServerOptions { store: Some(path.clone()), ..ServerOptions::default() }, PORT).unwrap();

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

#[test]
fn the_page_has_the_same_default_strategy() {
    let module = include_str!("../../page/js/engine.js");
    let name = pegwise_solve::catalog::DEFAULT_STRATEGY;
    assert!(module.contains(&format!("DEFAULT_STRATEGY = \"{name}\";")), "{name}");
}
