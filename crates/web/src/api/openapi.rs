//! The OpenAPI document, generated from the route table and from the schemas below.
//!
//! The schemas are written by hand instead of derived: a derive library would add a dependency and an attribute to the
//! types of five crates, and would still need custom schemas for [`Uncertain`](pegwise_coach::Uncertain) fields, marks,
//! codes and counts. Tests validate an answer of every route against its schema, and every request field against the
//! parsers.

use std::sync::LazyLock;

use pegwise_game::FeedbackKind;
use serde_json::{Map, Value, json};

use super::http;

/// Returns the OpenAPI document of the HTTP API.
#[must_use]
pub fn openapi() -> Value {
    let mut paths = Map::new();
    for (method, path, _) in http::table() {
        let name = path.trim_start_matches("/api/v1/");
        paths.insert(path.to_owned(), json!({ method: operation(name) }));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Pegwise",
            "version": "1",
            "description": "Generalized Mastermind: hints, repair of contradictory notes, analysis, games of every strategy, \
                and experiments. Codes are lists of colors numbered from 1; unknown parts are null, or ? in text. Every \
                error has the same shape. With Accept: application/x-ndjson, long questions answer line by line and report \
                their progress; DELETE /api/v1/jobs/{job} stops them. Only pages of this server may send requests from a \
                browser.",
        },
        "paths": paths,
        "components": { "schemas": components() },
    })
}

/// Returns the document as text.
pub(super) fn document() -> &'static str {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| openapi().to_string());
    &DOCUMENT
}

/// Schema of an object without other properties.
#[derive(Default)]
struct Object {
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl Object {
    fn new() -> Self {
        Self::default()
    }

    fn optional(mut self, name: &str, schema: Value) -> Self {
        self.properties.insert(name.to_owned(), schema);
        self
    }

    fn required(mut self, name: &str, schema: Value) -> Self {
        self.required.push(name.to_owned());
        self.optional(name, schema)
    }

    /// Required properties with the same schema.
    fn each(self, names: &[&str], schema: fn() -> Value) -> Self {
        names.iter().fold(self, |object, name| object.required(name, schema()))
    }

    /// An `Uncertain` value: the number, its certainty, and the interval of an estimate.
    fn uncertain(self, name: &str, schema: Value, description: &str) -> Self {
        self.required(name, described(nullable(schema.clone()), description))
            .required(&format!("{name}_is"), reference("Certainty"))
            .optional(&format!("{name}_interval"), array(schema))
    }

    fn build(self) -> Value {
        json!({
            "type": "object",
            "properties": self.properties,
            "required": self.required,
            "additionalProperties": false,
        })
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn nullable(schema: Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

fn array(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn integer() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn number() -> Value {
    json!({ "type": "number" })
}

fn string() -> Value {
    json!({ "type": "string" })
}

fn boolean() -> Value {
    json!({ "type": "boolean" })
}

fn words<'a>(values: impl IntoIterator<Item = &'a str>) -> Value {
    json!({ "type": "string", "enum": values.into_iter().collect::<Vec<_>>() })
}

fn described(mut schema: Value, description: &str) -> Value {
    if !description.is_empty() {
        schema["description"] = description.into();
    }
    schema
}

fn feedback() -> Value {
    described(array(reference("Mark")), "A mark for each line of the board.")
}

/// An operation with its answer.
fn get(summary: &str, answer: Value) -> Value {
    json!({
        "summary": summary,
        "responses": {
            "200": { "description": "The answer.", "content": { "application/json": { "schema": answer } } },
            "default": {
                "description": "Error. 503: try again after the seconds in Retry-After. 422: the question takes longer than \
                    the server allows.",
                "content": { "application/json": { "schema": reference("Error") } },
            },
        },
    })
}

/// An operation with a request body.
fn post(summary: &str, request: Object, example: Value, answer: Value) -> Value {
    let mut operation = get(summary, answer);
    let content = json!({ "application/json": { "schema": request.build(), "example": example } });
    operation["requestBody"] = json!({ "required": true, "content": content });
    operation
}

/// Adds the streamed form of the answer; `lines` describes its intermediate results.
fn streamed(mut operation: Value, lines: &str) -> Value {
    let description = format!(
        "One JSON value per line. First {{\"job\":NAME}}; then {{\"progress\":{{state, seconds, examined, nodes}}}}{lines}; \
         last {{\"answer\":…}} or {{\"error\":…}}."
    );
    let schema = json!({ "type": "object", "description": description });
    operation["responses"]["200"]["content"]["application/x-ndjson"] = json!({ "schema": schema });
    operation
}

fn with_parameter(mut operation: Value, place: &str, name: &str, schema: Value, description: &str) -> Value {
    let required = place == "path";
    operation["parameters"] =
        json!([{ "name": name, "in": place, "required": required, "schema": schema, "description": description }]);
    operation
}

/// A request about rules.
fn about_rules() -> Object {
    Object::new().required("rules", reference("Rules"))
}

/// A request about a position.
fn about_position() -> Object {
    about_rules().optional("turns", reference("Turns"))
}

/// Returns the operation of a route, by its path below `/api/v1/`.
fn operation(path: &str) -> Value {
    let (code, seed, strategy) = (reference("CodeText"), nullable(reference("Seed")), reference("Strategy"));
    let sealed = || nullable(string());
    let contradiction = || described(nullable(reference("Contradiction")), "Null if some code is consistent.");
    match path {
        "health" => {
            let answer = Object::new().required("status", string()).required("version", string());
            let answer = answer.required("limits", reference("Limits")).required("load", reference("Load"));
            get("Status, limits and load of the server.", answer.build())
        }
        "openapi.json" => get("This document.", json!({ "type": "object" })),
        "strategies" => {
            let answer = Object::new().required("rules", nullable(reference("Rules")));
            let answer = answer.required("strategies", array(reference("CatalogEntry")));
            let operation =
                get("The catalog: every strategy with its paper, parameters and published results.", answer.build());
            let about = "Report which strategies can play these rules.";
            with_parameter(operation, "query", "rules", reference("Rules"), about)
        }
        "lab" => {
            let answer = Object::new().required("store", nullable(string()));
            let answer = answer.required("rows", array(reference("Measured")));
            let answer = answer.required("blocks", array(json!({ "type": "object" })));
            let about = "The report of the server's store: rows, and blocks of headings, texts, tables and figures. Empty \
                without a store.";
            get(about, answer.build())
        }
        "lab/figures/{name}" => {
            let mut operation = get("A figure of the report, as SVG.", Value::Null);
            operation["responses"]["200"]["content"] = json!({ "image/svg+xml": { "schema": string() } });
            with_parameter(operation, "path", "name", string(), "Name of the figure, with the extension .svg.")
        }
        "rules" => post("Describes rules.", about_rules(), json!({ "rules": "grid:3x3x4" }), rules_answer()),
        "secret" => {
            let request = about_rules().optional("seed", seed).optional("secret", code).optional("sealed", sealed());
            let request = request.optional("reveal", described(boolean(), "Include the code in the answer."));
            let answer = about_rules().required("sealed", string()).required("secret", nullable(reference("Code")));
            let about = "Draws a secret from a seed, seals a secret, or opens a seal. A seal hides the code from the player \
                and still holds it exactly.";
            post(about, request, json!({ "rules": "4x6", "seed": 7 }), answer.build())
        }
        "feedback" => {
            let request = about_rules().required("guess", code.clone()).optional("secret", code);
            let example = json!({ "rules": "4x6", "guess": [1, 1, 2, 2], "secret": [2, 1, 2, 3] });
            let answer = Object::new().required("feedback", feedback()).required("solved", boolean());
            post("The feedback of a guess.", request.optional("sealed", sealed()), example, answer.build())
        }
        "hint" => {
            let request = about_position().optional("strategy", nullable(strategy)).optional("seed", seed);
            let alternatives = "Number of next best guesses to return, at most 100.";
            let request = request.optional("alternatives", described(nullable(integer()), alternatives));
            let seconds = "Thinking time, for strategies that can use more.";
            let request = request.optional("seconds", described(nullable(number()), seconds));
            let example = json!({
                "rules": "4x6",
                "turns": [{ "guess": [1, 1, 2, 2], "feedback": [{ "black": 1, "white": 1 }] }, "13?4=0,2"],
                "alternatives": 3,
            });
            let answer = Object::new()
                .required("hint", nullable(reference("Hint")))
                .required("contradiction", contradiction())
                .required("solved", described(boolean(), "True if the last turn found the code."))
                .each(&["examined", "scored"], integer)
                .required("seconds", number());
            streamed(post("The next guess, at any position, by any strategy.", request, example, answer.build()), "")
        }
        "remaining" => {
            let list = "List the codes if there are at most this many; at most 4096.";
            let request = about_position().optional("list", described(nullable(integer()), list));
            let example = json!({ "rules": "4x6", "turns": ["1122=1,1", "1344=0,2"], "list": 50 });
            let answer = Object::new()
                .uncertain("remaining", reference("Count"), "")
                .required("digits", described(nullable(number()), "Base-10 logarithm."))
                .required("codes", array(reference("Code")));
            streamed(post("Number of consistent codes, and the codes.", request, example, answer.build()), "")
        }
        "split" => {
            let request = about_position().required("guess", code);
            let example = json!({ "rules": "4x6", "turns": ["1122=1,1"], "guess": [1, 3, 4, 4] });
            let part = Object::new().required("feedback", feedback()).required("codes", integer()).build();
            let part_of = "Index of the part of each code, in the order in which the codes are listed.";
            let answer = Object::new()
                .required(
                    "parts",
                    described(array(part), "The parts, largest first; empty if the codes cannot be listed."),
                )
                .required("part_of", described(array(integer()), part_of))
                .required("expected", described(nullable(number()), "Expected number of remaining codes."))
                .required("consistent", described(nullable(boolean()), "True if the guess is consistent."));
            streamed(post("Partition of the consistent codes by a guess.", request, example, answer.build()), "")
        }
        "mend" => {
            let example = json!({ "rules": "4x6", "turns": ["1122=0,0", "3344=0,1", "5566=0,0"] });
            let answer = Object::new().required("contradiction", contradiction());
            streamed(post("Explains and repairs contradictory turns.", about_position(), example, answer.build()), "")
        }
        "analyze" => {
            let request = about_rules().required("turns", reference("Turns")).optional("secret", code);
            let example = json!({ "rules": "4x6", "turns": ["1111=1,0", "1122=1,0", "1344=4,0"] });
            let answer = Object::new().required("analysis", nullable(reference("Analysis")));
            let answer = answer.required("contradiction", contradiction());
            streamed(post("Analyzes a game: skill and luck of every guess.", request, example, answer.build()), "")
        }
        "watch" => {
            let request = about_rules().optional("strategy", nullable(strategy.clone())).optional("secret", code);
            let request = request.optional("sealed", sealed()).optional("seed", seed);
            let example = json!({ "rules": "4x6", "strategy": "knuth", "secret": "3632" });
            let answer = about_rules()
                .required("strategy", strategy)
                .required("secret", reference("Code"))
                .required("turns", array(reference("PlayedTurn")))
                .required("outcome", words(["solved", "out-of-guesses", "abandoned"]))
                .each(&["examined", "scored"], integer)
                .required("seconds", number());
            let about = "A whole game of a strategy against a secret: given, sealed, or drawn from the seed.";
            streamed(post(about, request, example, answer.build()), ", and {\"turn\":…} for each turn")
        }
        "measure" => {
            let games =
                json!({ "type": "integer", "minimum": 1, "maximum": 10_000, "description": "Number of games." });
            let request = about_rules().required("strategy", strategy).required("games", games).optional("seed", seed);
            let example = json!({ "rules": "4x6", "strategy": "knuth", "games": 5 });
            let measured =
                described(nullable(reference("Measured")), "Null if the job was stopped before the first game.");
            let answer = Object::new().required("seed", reference("Seed")).required("measured", measured);
            let operation = post("Statistics over many games of a strategy.", request, example, answer.build());
            streamed(operation, ", and {\"played\":{games, of, guesses}} for each game")
        }
        "jobs/{job}" => {
            let answer = Object::new().required("stopped", string());
            let operation = get("Stops a job, which then answers with its best result.", answer.build());
            with_parameter(operation, "path", "job", string(), "The name in the first line of a streamed answer.")
        }
        _ => panic!("no operation for {path}"),
    }
}

fn rules_answer() -> Value {
    about_rules()
        .required("shape", words(["row", "grid", "triangle", "cube", "ring", "lines"]))
        .required("sides", array(integer()))
        .each(&["cells", "colors"], integer)
        .required("repeats", boolean())
        .required("feedback", words(FeedbackKind::ALL.iter().map(|kind| kind.name())))
        .required("max_guesses", nullable(integer()))
        .required("lines", described(array(array(integer())), "Cells of each line, numbered from 1."))
        .required("codes", reference("Count"))
        .required("digits", described(number(), "Base-10 logarithm of the number of codes."))
        .required("winning", described(array(reference("Mark")), "The winning feedback."))
        .required("number_names", described(array(string()), "Names of the numbers of a mark, in written order."))
        .required("number_words", described(array(string()), "The same for people, such as bulls and cows."))
        .required("in_digits", described(boolean(), "True if the ten colors are written as digits, 0 for the tenth."))
        .required("feedback_kinds", described(array(string()), "Every kind of feedback."))
        .build()
}

/// Returns the named schemas.
fn components() -> Value {
    let (code, codes, count) = (reference("Code"), array(reference("Code")), reference("Count"));
    let (rules, strategy) = (reference("Rules"), reference("Strategy"));
    let color = json!({ "type": ["integer", "null"], "minimum": 1 });
    let partial_guess = described(array(color), "The guess; null for unknown pegs.");
    let turn = || Object::new().required("guess", partial_guess.clone()).required("feedback", feedback());
    let played = || Object::new().required("guess", code.clone()).required("feedback", feedback());
    let names = described(
        json!({ "type": "object", "additionalProperties": { "type": ["integer", "null"], "minimum": 0 } }),
        "Numbers by name: black and white; black; colors (color-only); black, higher and lower; or distance.",
    );
    let cell = json!({ "type": ["string", "null"], "enum": ["nothing", "white", "black", null] });
    let cells = described(array(cell), "Mark of each cell (per-cell).");
    let leaves = "Number of codes consistent with the corrected turns.";
    let likelihood = described(number(), "Posterior probability among those listed.");
    let kinds = "Pegs taken for another kind, a wrong number, black and white swapped, neighboring pegs swapped, a peg of \
        another color, or the answer of another row.";
    let conflicts = described(array(array(integer())), "Smallest sets of conflicting turns, numbered from 1.");
    let number_or_null = || nullable(number());
    let limits = ["cells", "colors", "turns", "body", "workers", "queue", "connections", "connections_each"];
    let limits = Object::new().each(&limits, integer);
    let entry = Object::new().each(&["name", "title", "family", "paper", "about", "plays"], string);
    let about_certainty = "Kind of the number beside it: exact, an estimate with a 95 % confidence interval, or an upper \
        bound. Null for an unknown number.";
    let error = Object::new()
        .required("code", described(string(), "Short name for programs."))
        .required("message", string())
        .required("hint", described(nullable(string()), "Suggested action."));
    json!({
        "Rules": described(string(), "Rules in notation: 4x6, 4x10:no-repeats, 20x20:black-only, grid:4x4x6."),
        "Code": described(array(json!({ "type": "integer", "minimum": 1 })), "Color of each cell, numbered from 1."),
        "CodeText": described(json!({ "anyOf": [code, string()] }), "A code as a list of colors, or as text such as 1122."),
        "Count": described(json!({ "type": ["number", "string"] }), "A number of codes: text beyond 2^53."),
        "Certainty": described(
            json!({ "type": ["string", "null"], "enum": ["exact", "estimate", "bound", null] }), about_certainty
        ),
        "Mark": described(
            json!({ "anyOf": [names, cells] }), "Feedback of one line, by the kind of feedback. Null for unknown parts."
        ),
        "Turn": turn().build(),
        "TurnText": described(
            json!({ "anyOf": [reference("Turn"), string()] }), "A turn, or text such as 1122=1,0, with ? for unknown parts."
        ),
        "Turns": array(reference("TurnText")),
        "Strategy": described(string(), "A strategy with its parameters: knuth, entropy(guesses=consistent)."),
        "Seed": described(integer(), "Random seed."),
        "RatedGuess": Object::new()
            .required("guess", code.clone())
            .required("rank", described(integer(), "1 plus the number of significantly better guesses."))
            .required("consistent", described(boolean(), "True if it can be the secret."))
            .uncertain("score", number(), "")
            .required("unit", described(string(), "Unit of the score."))
            .uncertain("expected_remaining", number(), "Expected number of remaining codes.")
            .uncertain("chance", number(), "Probability that it is the secret.")
            .uncertain("lost", number(), "Expected guesses lost against the best guess.")
            .build(),
        "Hint": Object::new()
            .required("guess", code.clone())
            .required("basis", described(string(), "proven, scored, consistent, planned, or best effort with its reason."))
            .uncertain("remaining", count.clone(), "")
            .required("rated", nullable(reference("RatedGuess")))
            .required("alternatives", array(reference("RatedGuess")))
            .required("why", string())
            .required("possible", described(codes.clone(), "The consistent codes, if there are at most ten."))
            .build(),
        "Repair": Object::new()
            .required("turn", described(integer(), "The turn, numbered from 1."))
            .required("kind", described(words(["misread", "number", "swapped", "neighbors", "peg", "row"]), kinds))
            .required("was", reference("Turn"))
            .required("now", reference("Turn"))
            .uncertain("leaves", count.clone(), leaves)
            .required("likelihood", likelihood.clone())
            .required("words", string())
            .build(),
        "RepairPair": Object::new()
            .required("repairs", array(reference("Repair")))
            .uncertain("leaves", count.clone(), leaves)
            .required("likelihood", likelihood)
            .build(),
        "Contradiction": Object::new()
            .required("turns", conflicts)
            .required("repairs", described(array(reference("Repair")), "Single mistakes, most likely first."))
            .required("pairs", described(array(reference("RepairPair")), "Two mistakes, if no single one explains the turns."))
            .required("complete", described(boolean(), "True if nothing is missing."))
            .build(),
        "BestGuess": Object::new()
            .required("guess", code.clone())
            .required("consistent", boolean())
            .uncertain("expected", number(), "Expected number of remaining codes.")
            .build(),
        "TurnAnalysis": turn()
            .uncertain("before", count.clone(), "")
            .uncertain("after", count.clone(), "")
            .uncertain("expected", number(), "Expected number of remaining codes.")
            .required("consistent", nullable(boolean()))
            .required("best", nullable(reference("BestGuess")))
            .uncertain("skill", number(), "0 to 100: expected guesses of the best guess relative to this one.")
            .uncertain("luck", number(), "0 to 100: luck of the answer; 50 is average.")
            .uncertain("lost", number(), "Expected guesses lost against the best guess.")
            .required("advice", string())
            .required("exact", boolean())
            .build(),
        "ReferenceTurn": played().uncertain("after", count.clone(), "").build(),
        "ReferenceGame": Object::new()
            .required("strategy", string())
            .required("solved", boolean())
            .required("guesses", integer())
            .required("turns", array(reference("ReferenceTurn")))
            .build(),
        "Analysis": about_rules()
            .required("secret", nullable(code.clone()))
            .required("solved", boolean())
            .required("turns", array(reference("TurnAnalysis")))
            .uncertain("skill", number(), "")
            .uncertain("luck", number(), "")
            .uncertain("remaining", count.clone(), "")
            .uncertain("lost", number(), "Total of the guesses lost.")
            .required("possible", codes)
            .required("others", array(reference("ReferenceGame")))
            .required("summary", string())
            .build(),
        "Summary": Object::new()
            .required("mean", number())
            .required("sd", number_or_null())
            .each(&["median", "min", "max"], number)
            .required("ci95", nullable(array(number())))
            .build(),
        "Measured": about_rules()
            .required("strategy", strategy.clone())
            .each(&["games", "solved"], integer)
            .required("guesses", reference("Summary"))
            .required("examined", reference("Summary"))
            .optional("consistent", reference("Summary"))
            .required("seconds", reference("Summary"))
            .required("secrets", described(integer(), "Number of different secrets."))
            .required("basis", described(string(), "Sources of randomness in the mean number of guesses."))
            .optional("total", described(integer(), "Total number of guesses, if nothing is random."))
            .build(),
        "PlayedTurn": played().required("before", nullable(count)).required("basis", string()).build(),
        "Parameter": Object::new()
            .required("name", string())
            .required("kind", json!({ "type": "object", "description": "choice, integer, decimal or code-or, with its values." }))
            .each(&["default", "about"], string)
            .build(),
        "PublishedRow": Object::new()
            .each(&["exhibit", "paper", "label"], string)
            .required("rules", rules)
            .required("strategy", strategy)
            .required("numbers", array(array(string())))
            .build(),
        "CatalogEntry": entry
            .required("parameters", array(reference("Parameter")))
            .required("playable", described(nullable(boolean()), "True if it can play the given rules."))
            .required("published", array(reference("PublishedRow")))
            .build(),
        "Limits": limits
            .required("time", described(number(), "Seconds in the queue, and again on a worker."))
            .required("sending", described(number(), "Seconds for the head of a request, and again for its body."))
            .build(),
        "Load": Object::new().each(&["working", "waiting"], integer).build(),
        "Error": Object::new().required("error", error.build()).build(),
    })
}

#[cfg(test)]
mod tests {
    use axum::{
        Router,
        body::{Body, to_bytes},
        http::{Request, StatusCode, header},
    };
    use serde_json::{Value, json};
    use tower::ServiceExt as _;

    use pegwise_game::FeedbackKind;

    use super::{http, openapi};
    use crate::{Options, router};

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

    #[test]
    fn every_route_is_in_the_document() {
        let document = openapi();
        let mut documented: Vec<(String, String)> = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            documented.extend(methods.as_object().unwrap().keys().map(|method| (method.clone(), path.clone())));
        }
        let mut routes: Vec<(String, String)> =
            http::table().into_iter().map(|(method, path, _)| (method.to_owned(), path.to_owned())).collect();
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
    async fn answers_to_the_examples_match_their_schemas() {
        let (document, server) = (openapi(), router(&Options::default(), 80).unwrap());
        for (method, path, _) in http::table() {
            let operation = &document["paths"][path][method];
            let success = &operation["responses"]["200"]["content"]["application/json"]["schema"];
            let failure = &operation["responses"]["default"]["content"]["application/json"]["schema"];
            let request = &operation["requestBody"]["content"]["application/json"];
            let name = format!("{method} {path}");
            if let Some(example) = request.get("example") {
                assert_eq!(violation(&document, &request["schema"], example, &name), None);
            }
            if !path.contains('{') {
                let body = request.get("example").map_or(String::new(), Value::to_string);
                let (status, value) = answer(&server, &method.to_uppercase(), path, body).await;
                assert_eq!(status, StatusCode::OK, "{name}: {value}");
                assert_eq!(violation(&document, success, &value, &name), None);
            }
            if method != "get" {
                let path = path.replace("{job}", "none");
                let (status, value) = answer(&server, &method.to_uppercase(), &path, "[]".to_owned()).await;
                assert!(status.is_client_error(), "{name}: {status}");
                assert_eq!(violation(&document, failure, &value, &name), None);
            }
        }
    }

    /// The parsers accept exactly the documented fields, and require those documented as required.
    #[tokio::test]
    async fn questions_accept_the_documented_fields() {
        let (document, server) = (openapi(), router(&Options::default(), 80).unwrap());
        for (method, path, _) in http::table().into_iter().filter(|(method, ..)| *method == "post") {
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

    /// Marks of every kind match the schema.
    #[tokio::test]
    async fn feedback_of_every_kind_matches_the_schema() {
        let (document, server) = (openapi(), router(&Options::default(), 80).unwrap());
        let schema =
            &document["paths"]["/api/v1/feedback"]["post"]["responses"]["200"]["content"]["application/json"]["schema"];
        for kind in FeedbackKind::ALL {
            let question = json!({ "rules": format!("4x6:{}", kind.name()), "guess": "1122", "secret": "2123" });
            let (status, value) = answer(&server, "POST", "/api/v1/feedback", question.to_string()).await;
            assert_eq!(status, StatusCode::OK, "{question}: {value}");
            assert_eq!(violation(&document, schema, &value, kind.name()), None);
        }
    }
}
