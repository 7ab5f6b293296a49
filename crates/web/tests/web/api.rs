//! Questions of the API and their answers.

use axum::http::{Method, StatusCode, header};
use pegwise_lab::{Experiment, RunProgress, Runner, Secrets, Store};
use pegwise_web::{Options, router};
use serde_json::{Value, json};

use crate::{PORT, SERVER, answer, ask, refused, request, send};

#[tokio::test]
async fn rules_are_described() {
    let grid = ask("rules", json!({ "rules": "grid:2x3x4" })).await;
    assert_eq!(grid["lines"], json!([[1, 2, 3], [4, 5, 6], [1, 4], [2, 5], [3, 6]]));
    assert_eq!((&grid["cells"], &grid["codes"], &grid["shape"]), (&json!(6), &json!(4096), &json!("grid")));
    let large = ask("rules", json!({ "rules": "100x100" })).await;
    assert_eq!(large["codes"], "100^100 (about 1.0e200)");
    assert_eq!(large["digits"], 200.0);
}

#[tokio::test]
async fn nonsense_rules_are_refused() {
    for rules in
        ["", "0x0", "65535x65535", "4x", "x", "4x6:upside-down", "grid:0x4x6", "99999999999999999999x2", "401x2"]
    {
        let (status, message) = refused("rules", json!({ "rules": rules })).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{rules}");
        assert!(!message.is_empty());
        refused("hint", json!({ "rules": rules })).await;
    }
}

#[tokio::test]
async fn feedback_is_computed() {
    let judged = ask("feedback", json!({ "rules": "4x6", "guess": [1, 1, 2, 2], "secret": "2123" })).await;
    assert_eq!(judged, json!({ "feedback": [{ "black": 2, "white": 1 }], "solved": false }));
    for guess in [
        json!([1, 1, 2]),
        json!([0, 1, 1, 1]),
        json!([1, 1, 1, 7]),
        json!("11a"),
        json!(null),
        json!({}),
        json!([1.5, 1, 1, 1]),
    ] {
        refused("feedback", json!({ "rules": "4x6", "guess": guess, "secret": "1111" })).await;
    }
    refused("feedback", json!({ "rules": "4x6", "guess": "1111" })).await;
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
    for sealed in ["", "zz", "00", "0123456789abcdef", "a b", "1 secret:1111"] {
        refused("secret", json!({ "rules": "4x6", "sealed": sealed })).await;
    }
    refused("secret", json!({ "rules": "4x6", "seed": 1, "secret": "1111" })).await;
}

#[tokio::test]
async fn hints_are_those_of_the_strategy() {
    let knuth = json!({ "rules": "4x6", "turns": ["1122=1,0"], "strategy": "knuth", "alternatives": 3 });
    let answer = ask("hint", knuth).await;
    assert_eq!(answer["hint"]["guess"], json!([1, 3, 4, 4]));
    assert_eq!(answer["hint"]["remaining"], 256);
    assert_eq!(answer["hint"]["alternatives"].as_array().map(Vec::len), Some(3));
    let partial =
        json!({ "rules": "4x6", "turns": [{ "guess": [1, 1, null, 2], "feedback": [{ "black": 1, "white": null }] }] });
    assert!(ask("hint", partial).await["hint"]["guess"].is_array());
    for (question, part) in [
        (json!({ "rules": "4x6", "strategy": "knut" }), "knuth"),
        (json!({ "rules": "4x6", "turns": ["1122"] }), "turn 1"),
        (json!({ "rules": "4x6", "turns": ["1122=1,0", "1122=5,0"] }), "turn 2"),
        (json!({ "rules": "4x6", "turns": [5] }), "turn 1"),
        (json!({ "rules": "4x6", "seconds": -1 }), "seconds"),
        (json!({ "rules": "4x6", "seconds": 1e300 }), "seconds"),
        (json!({ "rules": "4x6", "surprise": 1 }), "surprise"),
        (json!({ "rules": "20x20", "strategy": "knuth" }), "cannot play"),
    ] {
        let (_, message) = refused("hint", question.clone()).await;
        assert!(message.contains(part), "{question}: {message}");
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
async fn a_contradiction_is_a_normal_answer() {
    let turns = json!(["1122=0,0", "3344=0,1", "5566=0,0"]);
    let hint = ask("hint", json!({ "rules": "4x6", "turns": turns })).await;
    assert_eq!(hint["hint"], Value::Null);
    let mended = ask("mend", json!({ "rules": "4x6", "turns": turns })).await;
    assert_eq!(hint["contradiction"], mended["contradiction"]);
    assert_eq!(mended["contradiction"]["turns"], json!([[1, 2, 3]]));
    let repair = &mended["contradiction"]["repairs"][0];
    let mut repaired: Vec<Value> = turns.as_array().unwrap().clone();
    repaired[repair["turn"].as_u64().unwrap() as usize - 1] = repair["now"].clone();
    let left = ask("remaining", json!({ "rules": "4x6", "turns": repaired })).await;
    assert_eq!(left["remaining"], repair["leaves"]);
    assert_eq!(ask("mend", json!({ "rules": "4x6", "turns": ["1122=0,0"] })).await["contradiction"], Value::Null);
    assert!(ask("analyze", json!({ "rules": "4x6", "turns": turns })).await["contradiction"].is_object());
}

#[tokio::test]
async fn remaining_codes_are_counted_and_listed() {
    let left = ask("remaining", json!({ "rules": "4x6", "turns": ["1122=1,1", "1344=0,2"], "list": 100 })).await;
    assert_eq!((&left["remaining"], left["codes"].as_array().map(Vec::len)), (&json!(37), Some(37)));
    let few = ask("remaining", json!({ "rules": "4x6", "turns": ["1122=1,1", "1344=0,2"], "list": 36 })).await;
    assert_eq!(few["codes"], json!([]));
    assert_eq!(ask("remaining", json!({ "rules": "4x6" })).await["remaining"], 1296);
    assert_eq!(ask("remaining", json!({ "rules": "4x6", "turns": ["1122=0,0", "3456=0,0"] })).await["remaining"], 0);
}

#[tokio::test]
async fn games_are_analyzed() {
    let turns = json!(["1111=1,0", "1122=1,0", "1344=4,0"]);
    let answer = ask("analyze", json!({ "rules": "4x6", "turns": turns })).await;
    let analysis = &answer["analysis"];
    assert_eq!((&analysis["solved"], &analysis["secret"]), (&json!(true), &json!([1, 3, 4, 4])));
    assert_eq!(analysis["turns"][0]["before"], 1296);
    refused("analyze", json!({ "rules": "4x6", "turns": turns, "secret": "1111" })).await;
    let forgotten = ask("analyze", json!({ "rules": "4x6", "turns": ["11?1=1,0"] })).await;
    assert_eq!(forgotten["analysis"]["remaining_is"], "exact");
}

#[tokio::test]
async fn strategies_play_whole_games_and_many() {
    let game = ask("watch", json!({ "rules": "4x6", "strategy": "knuth", "secret": "3632" })).await;
    assert_eq!((&game["outcome"], &game["secret"]), (&json!("solved"), &json!([3, 6, 3, 2])));
    let last = game["turns"].as_array().unwrap().last().unwrap();
    assert_eq!(last["guess"], game["secret"]);
    let limited = ask("watch", json!({ "rules": "4x6:max-guesses=1", "strategy": "knuth", "secret": "3632" })).await;
    assert_eq!(limited["outcome"], "out-of-guesses");
    let measured = ask("measure", json!({ "rules": "4x6", "strategy": "knuth", "games": 20, "seed": 3 })).await;
    let again = ask("measure", json!({ "rules": "4x6", "strategy": "knuth", "games": 20, "seed": 3 })).await;
    assert_eq!(measured["measured"]["guesses"], again["measured"]["guesses"]);
    assert_eq!(measured["measured"]["solved"], 20);
    refused("measure", json!({ "rules": "4x6", "strategy": "knuth", "games": 0 })).await;
    refused("measure", json!({ "rules": "4x6", "strategy": "knuth", "games": 10_001 })).await;
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
async fn health_reports_limits() {
    let (status, health) = answer(&SERVER, request(Method::GET, "/api/v1/health", "")).await;
    assert_eq!((status, &health["status"]), (StatusCode::OK, &json!("ok")));
    assert!(health["limits"]["queue"].as_u64().is_some());
}

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
