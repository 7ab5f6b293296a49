//! The document of the API and the API itself say the same.

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode, header},
};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::{openapi::DOCUMENT, routes::table};
use crate::{Options, router};

fn document() -> Value {
    serde_json::from_str(DOCUMENT).unwrap()
}

/// What of a value is not as a schema says: the part of JSON Schema that the document uses.
fn trouble(document: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let schema = document.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("no {name}"));
        return trouble(document, schema, value, at);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let troubles: Vec<_> = choices.iter().map(|choice| trouble(document, choice, value, at)).collect();
        return if troubles.iter().any(Option::is_none) { None } else { troubles.into_iter().flatten().next() };
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
        _ => panic!("{at}: {kind} is no type"),
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
            .find_map(|(index, item)| trouble(document, items, item, &format!("{at}[{index}]")));
    }
    let fields = value.as_object()?;
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.into_iter().find(|name| !fields.contains_key(*name)) {
        return Some(format!("{at}: no {missing}"));
    }
    fields.iter().find_map(|(name, field)| {
        let here = format!("{at}.{name}");
        match (schema["properties"].get(name), &schema["additionalProperties"]) {
            (Some(schema), _) => trouble(document, schema, field, &here),
            (None, Value::Bool(false)) => Some(format!("{here} is not in the document")),
            (None, Value::Null) => None,
            (None, schema) => trouble(document, schema, field, &here),
        }
    })
}

#[test]
fn every_route_is_in_the_document_and_no_other() {
    let document = document();
    let mut documented: Vec<(String, String)> = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        documented.extend(methods.as_object().unwrap().keys().map(|method| (method.clone(), path.clone())));
    }
    let mut routes: Vec<(String, String)> =
        table().into_iter().map(|(method, path, _)| (method.to_owned(), path.to_owned())).collect();
    documented.sort();
    routes.sort();
    assert_eq!(documented, routes);
}

async fn answer(server: &Router, method: &str, path: &str, body: String) -> (StatusCode, Value) {
    let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost:80");
    let request = request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body)).unwrap();
    let response = server.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap())
}

#[tokio::test]
async fn the_examples_are_answered_as_the_document_says() {
    let (document, server) = (document(), router(&Options::default(), 80).unwrap());
    for (method, path, _) in table() {
        let operation = &document["paths"][path][method];
        let success = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        let failure = &operation["responses"]["default"]["content"]["application/json"]["schema"];
        let request = &operation["requestBody"]["content"]["application/json"];
        let name = format!("{method} {path}");
        if let Some(example) = request.get("example") {
            assert_eq!(trouble(&document, &request["schema"], example, &name), None);
        }
        if !path.contains('{') {
            let body = request.get("example").map_or(String::new(), Value::to_string);
            let (status, value) = answer(&server, &method.to_uppercase(), path, body).await;
            assert_eq!(status, StatusCode::OK, "{name}: {value}");
            assert_eq!(trouble(&document, success, &value, &name), None);
        }
        if method != "get" {
            let path = path.replace("{job}", "none");
            let (status, value) = answer(&server, &method.to_uppercase(), &path, "[]".to_owned()).await;
            assert!(status.is_client_error(), "{name}: {status}");
            assert_eq!(trouble(&document, failure, &value, &name), None);
        }
    }
}

/// Every field that the document lists is read, and every field that a question needs is required.
#[tokio::test]
async fn questions_take_the_fields_of_the_document_and_no_others() {
    let (document, server) = (document(), router(&Options::default(), 80).unwrap());
    for (method, path, _) in table().into_iter().filter(|(method, ..)| *method == "post") {
        let request = &document["paths"][path][method]["requestBody"]["content"]["application/json"];
        let (schema, example) = (&request["schema"], &request["example"]);
        let refuses = async |body: &Value, word: &str| {
            let (status, value) = answer(&server, "POST", path, body.to_string()).await;
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
