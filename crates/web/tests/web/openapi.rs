//! Requests and answers have the schemas of the OpenAPI document.

use axum::http::{Method, StatusCode};
use pegwise_game::FeedbackKind;
use serde_json::{Value, json};

use crate::{SERVER, answer, ask, request};

/// Returns the first violation of a schema, for the part of JSON Schema that the document uses.
fn violation(document: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let schema = document.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("no {name}"));
        return violation(document, schema, value, at);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let violations: Vec<_> = choices.iter().map(|choice| violation(document, choice, value, at)).collect();
        return if violations.iter().any(Option::is_none) { None } else { violations.into_iter().flatten().next() };
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.clone(),
        one => vec![one.clone()],
    };
    let fits = types.iter().any(|kind| match kind.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => panic!("{at}: {kind} is not a type"),
    });
    if !fits {
        return Some(format!("{at}: {value} is not {types:?}"));
    }
    if schema["enum"].as_array().is_some_and(|values| !values.contains(value)) {
        return Some(format!("{at}: {value} is not one of {}", schema["enum"]));
    }
    if let (Some(minimum), Some(number)) = (schema["minimum"].as_f64(), value.as_f64())
        && number < minimum
    {
        return Some(format!("{at}: {number} is less than {minimum}"));
    }
    if let (Some(items), Some(list)) = (schema.get("items"), value.as_array()) {
        return list
            .iter()
            .enumerate()
            .find_map(|(index, item)| violation(document, items, item, &format!("{at}[{index}]")));
    }
    let fields = value.as_object()?;
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.into_iter().find(|name| !fields.contains_key(*name)) {
        return Some(format!("{at}: no {missing}"));
    }
    fields.iter().find_map(|(name, field)| {
        let here = format!("{at}.{name}");
        match (schema["properties"].get(name), &schema["additionalProperties"]) {
            (Some(schema), _) => violation(document, schema, field, &here),
            (None, Value::Bool(false)) => Some(format!("{here} is not in the document")),
            (None, Value::Null) => None,
            (None, schema) => violation(document, schema, field, &here),
        }
    })
}

/// Returns the method, path and operation of every route.
fn operations(document: &Value) -> impl Iterator<Item = (Method, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (method.to_uppercase().parse().unwrap(), path.as_str(), operation))
    })
}

fn success(operation: &Value) -> &Value {
    &operation["responses"]["200"]["content"]["application/json"]["schema"]
}

#[tokio::test]
async fn answers_to_the_examples_match_their_schemas() {
    let document = pegwise_web::openapi();
    for (method, path, operation) in operations(&document) {
        let failure = &operation["responses"]["default"]["content"]["application/json"]["schema"];
        let question = &operation["requestBody"]["content"]["application/json"];
        let name = format!("{method} {path}");
        if let Some(example) = question.get("example") {
            assert_eq!(violation(&document, &question["schema"], example, &name), None);
        }
        if !path.contains('{') {
            let body = question.get("example").map_or(String::new(), Value::to_string);
            let (status, value) = answer(&SERVER, request(method.clone(), path, body)).await;
            assert_eq!(status, StatusCode::OK, "{name}: {value}");
            assert_eq!(violation(&document, success(operation), &value, &name), None);
        }
        if method != Method::GET {
            let (status, value) = answer(&SERVER, request(method, &path.replace("{job}", "none"), "[]")).await;
            assert!(status.is_client_error(), "{name}: {status}");
            assert_eq!(violation(&document, failure, &value, &name), None);
        }
    }
}

/// The parsers accept exactly the documented fields, and require those documented as required.
#[tokio::test]
async fn questions_accept_the_documented_fields() {
    let document = pegwise_web::openapi();
    for (_, path, operation) in operations(&document).filter(|(method, ..)| method == Method::POST) {
        let question = &operation["requestBody"]["content"]["application/json"];
        let (schema, example) = (&question["schema"], &question["example"]);
        let refuses = async |body: &Value, word: &str| {
            let (status, value) = answer(&SERVER, request(Method::POST, path, body.to_string())).await;
            status == StatusCode::BAD_REQUEST && value["error"]["message"].as_str().unwrap().contains(word)
        };
        for name in schema["properties"].as_object().unwrap().keys() {
            let mut odd = example.clone();
            odd[name] = json!({ "odd": 1 });
            assert!(!refuses(&odd, "unknown field").await, "{path}: {name}");
        }
        let mut more = example.clone();
        more["more"] = json!(1);
        assert!(refuses(&more, "unknown field").await, "{path}");
        for name in schema["required"].as_array().unwrap().iter().filter_map(Value::as_str) {
            let mut less = example.clone();
            less.as_object_mut().unwrap().remove(name);
            assert!(refuses(&less, &format!("missing field `{name}`")).await, "{path}: {name}");
        }
    }
}

/// Marks of every kind match the schema.
#[tokio::test]
async fn feedback_of_every_kind_matches_the_schema() {
    let document = pegwise_web::openapi();
    let schema = success(&document["paths"]["/api/v1/feedback"]["post"]);
    for kind in FeedbackKind::ALL {
        let rules = format!("4x6:{}", kind.name());
        let value = ask("feedback", json!({ "rules": rules, "guess": "1122", "secret": "2123" })).await;
        assert_eq!(violation(&document, schema, &value, kind.name()), None);
    }
}
