//! The types of the npm package are those of the OpenAPI document.

use std::{fmt::Write as _, fs, path::Path};

use serde_json::Value;

/// Questions that are answered without a server.
const QUESTIONS: [&str; 10] =
    ["rules", "secret", "feedback", "hint", "remaining", "split", "mend", "analyze", "watch", "strategies"];

/// Returns the TypeScript of a schema.
fn typescript(schema: &Value) -> String {
    let joined = |types: Vec<String>| types.join(" | ");
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        return joined(choices.iter().map(typescript).collect());
    }
    if let Some(values) = schema["enum"].as_array() {
        return joined(values.iter().map(Value::to_string).collect());
    }
    let of_type = |name: &str| match name {
        "integer" => "number".to_owned(),
        "array" => match typescript(&schema["items"]) {
            item if item.contains(" | ") => format!("({item})[]"),
            item => format!("{item}[]"),
        },
        "object" if schema["properties"].is_object() => properties(schema, ""),
        "object" if schema["additionalProperties"].is_object() => {
            format!("{{ [name: string]: {} }}", typescript(&schema["additionalProperties"]))
        }
        name => name.to_owned(),
    };
    match &schema["type"] {
        Value::Array(types) => joined(types.iter().filter_map(Value::as_str).map(of_type).collect()),
        one => of_type(one.as_str().unwrap_or_else(|| panic!("{schema} has no type"))),
    }
}

/// Returns the properties of an object, indented by `indent`, or on one line.
fn properties(schema: &Value, indent: &str) -> String {
    let is_required =
        |name: &String| schema["required"].as_array().is_some_and(|names| names.contains(&Value::from(name.as_str())));
    let fields = schema["properties"].as_object().into_iter().flatten().map(|(name, field)| {
        let about = field["description"].as_str().filter(|about| !about.is_empty() && !indent.is_empty());
        let about = about.map(|about| format!("{indent}/** {about} */\n")).unwrap_or_default();
        let mark = if is_required(name) { "" } else { "?" };
        format!("{about}{indent}{name}{mark}: {};", typescript(field))
    });
    let fields: Vec<String> = fields.collect();
    if indent.is_empty() { format!("{{ {} }}", fields.join(" ")) } else { format!("{{\n{}\n}}", fields.join("\n")) }
}

fn declaration(out: &mut String, name: &str, schema: &Value) {
    if let Some(about) = schema["description"].as_str() {
        writeln!(out, "/** {about} */").unwrap();
    }
    match schema["properties"].is_object() {
        true => writeln!(out, "export interface {name} {}", properties(schema, "  ")).unwrap(),
        false => writeln!(out, "export type {name} = {};", typescript(schema)).unwrap(),
    }
}

#[test]
fn the_package_for_npm_has_the_types_of_the_api() {
    let document = pegwise_web::openapi();
    let mut out = "// Generated from the OpenAPI document by a test; do not edit.\n\n".to_owned();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        declaration(&mut out, name, schema);
    }
    for (side, table) in [("Question", "Questions"), ("Answer", "Answers")] {
        let mut all = String::new();
        for path in QUESTIONS {
            let operations = &document["paths"][format!("/api/v1/{path}")];
            let operation = operations.get("post").unwrap_or(&operations["get"]);
            let json = |part: &Value| part["content"]["application/json"]["schema"].clone();
            let schema = match side {
                "Answer" => json(&operation["responses"]["200"]),
                _ if operation["requestBody"].is_object() => json(&operation["requestBody"]),
                _ => {
                    serde_json::json!({ "type": "object", "properties": { "rules": operation["parameters"][0]["schema"] } })
                }
            };
            let name = format!("{}{}{side}", path[..1].to_uppercase(), &path[1..]);
            declaration(&mut out, &name, &schema);
            writeln!(all, "  {path}: {name};").unwrap();
        }
        writeln!(out, "export interface {table} {{\n{all}}}").unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("npm/types.d.ts");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        fs::write(&path, &out).unwrap();
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == out,
        "npm/types.d.ts is out of date; INSTA_UPDATE=always updates it"
    );
}
