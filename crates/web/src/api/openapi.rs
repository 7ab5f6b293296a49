//! The OpenAPI document, generated from the route table and from the tables below.
//!
//! The tables are written by hand instead of derived: a derive library would add a dependency and an attribute to the
//! types of five crates, and would still need custom schemas for [`Uncertain`](pegwise_coach::Uncertain) fields, marks,
//! codes and counts. Tests validate an answer of every route against its schema, and every request field against the
//! parsers.
//!
//! An entry begins at the margin with its name; lines indented by four spaces continue a line. A property is written
//! `name: type -- description`; `name?` is optional, and `~name` is an `Uncertain` value with its companion fields. Types
//! are `integer` (from 0), `number`, `string`, `boolean`, `object`, named schemas, `[T]` for an array, `T?` for null,
//! `T or U`, `one|of|these` words, `feedback-kind`, and JSON Schema in braces.

use std::{collections::BTreeMap, sync::LazyLock};

use pegwise_game::FeedbackKind;
use serde_json::{Map, Value, json};

use super::http;

/// Operations by path below `/api/v1/`: the summary, then an example of the request, properties of the request (`>`) and
/// of the answer (`<`), a parameter in the `query` or `path`, and `stream` with the intermediate results of an answer that
/// can be streamed.
const OPERATIONS: &str = r#"
health: Status, limits and load of the server.
  < status, version: string
  < limits: Limits
  < load: Load
openapi.json: This document.
  < object
strategies: The catalog: every strategy with its paper, parameters and published results.
  query rules: Rules -- Report which strategies can play these rules.
  < rules: Rules?
  < strategies: [CatalogEntry]
lab: The report of the server's store: rows, and blocks of headings, texts, tables and figures. Empty without a store.
  < store: string?
  < rows: [Measured]
  < blocks: [object]
lab/figures/{name}: A figure of the report, as SVG.
  path name: string -- Name of the figure, with the extension .svg.
  svg
rules: Describes rules.
  example {"rules":"grid:3x3x4"}
  > rules: Rules
  < rules: Rules
  < shape: row|grid|triangle|cube|ring|lines
  < sides: [integer]
  < cells, colors: integer
  < repeats: boolean
  < feedback: feedback-kind
  < max_guesses: integer?
  < lines: [[integer]] -- Cells of each line, numbered from 1.
  < codes: Count
  < digits: number -- Base-10 logarithm of the number of codes.
  < winning: [Mark] -- The winning feedback.
  < number_names: [string] -- Names of the numbers of a mark, in written order.
  < number_words: [string] -- The same for people, such as bulls and cows.
  < in_digits: boolean -- True if the ten colors are written as digits, 0 for the tenth.
  < feedback_kinds: [string] -- Every kind of feedback.
secret: Draws a secret from a seed, seals a secret, or opens a seal. A seal hides the code from the player and still holds
    it exactly.
  example {"rules":"4x6","seed":7}
  > rules: Rules
  > seed?: Seed?
  > secret?: CodeText
  > sealed?: string?
  > reveal?: boolean -- Include the code in the answer.
  < rules: Rules
  < sealed: string
  < secret: Code?
feedback: The feedback of a guess.
  example {"rules":"4x6","guess":[1,1,2,2],"secret":[2,1,2,3]}
  > rules: Rules
  > guess: CodeText
  > secret?: CodeText
  > sealed?: string?
  < feedback: feedback
  < solved: boolean
hint: The next guess, at any position, by any strategy.
  example {"rules":"4x6","turns":[{"guess":[1,1,2,2],"feedback":[{"black":1,"white":1}]},"13?4=0,2"],"alternatives":3}
  > rules: Rules
  > turns?: Turns
  > strategy?: Strategy?
  > seed?: Seed?
  > alternatives?: integer? -- Number of next best guesses to return, at most 100.
  > seconds?: number? -- Thinking time, for strategies that can use more.
  > secrets?: [CodeText]? -- Possible secrets, if they are listed; the turns must then be complete.
  > guesses?: [CodeText]? -- Further codes that may be guessed; any code, if omitted.
  < hint: Hint?
  < contradiction: Contradiction? -- Null if some code is consistent.
  < solved: boolean -- True if the last turn found the code.
  < examined, scored: integer
  < seconds: number
  stream
remaining: Number of codes left, and the codes.
  example {"rules":"4x6","turns":["1122=1,1","1344=0,2"],"list":50}
  > rules: Rules
  > turns?: Turns
  > list?: integer? -- List the codes if there are at most this many; at most 4096.
  > secrets?: [CodeText]? -- Possible secrets, if they are listed.
  < ~remaining: Count
  < digits: number? -- Base-10 logarithm.
  < codes: [Code]
  stream
split: Partition of the consistent codes by a guess.
  example {"rules":"4x6","turns":["1122=1,1"],"guess":[1,3,4,4]}
  > rules: Rules
  > turns?: Turns
  > guess: CodeText
  > secrets?: [CodeText]? -- Possible secrets, if they are listed.
  < parts: [part] -- The parts, largest first; empty if the codes cannot be listed.
  < part_of: [integer] -- Index of the part of each code, in the order in which the codes are listed.
  < expected: number? -- Expected number of remaining codes.
  < consistent: boolean? -- True if the guess is consistent.
  stream
mend: Explains and repairs contradictory turns.
  example {"rules":"4x6","turns":["1122=0,0","3344=0,1","5566=0,0"]}
  > rules: Rules
  > turns?: Turns
  < contradiction: Contradiction? -- Null if some code is consistent.
  stream
analyze: Analyzes a game: skill and luck of every guess.
  example {"rules":"4x6","turns":["1111=1,0","1122=1,0","1344=4,0"]}
  > rules: Rules
  > turns: Turns
  > secret?: CodeText
  > secrets?: [CodeText]? -- Possible secrets, if they are listed.
  > guesses?: [CodeText]? -- Further codes that may be guessed; any code, if omitted.
  < analysis: Analysis?
  < contradiction: Contradiction? -- Null if some code is consistent.
  stream
watch: A whole game of a strategy against a secret: given, sealed, or drawn from the seed.
  example {"rules":"4x6","strategy":"knuth","secret":"3632"}
  > rules: Rules
  > strategy?: Strategy?
  > secret?: CodeText
  > sealed?: string?
  > seed?: Seed?
  < rules: Rules
  < strategy: Strategy
  < secret: Code
  < turns: [PlayedTurn]
  < outcome: solved|out-of-guesses|abandoned
  < examined, scored: integer
  < seconds: number
  stream , and {"turn":…} for each turn
measure: Statistics over many games of a strategy.
  example {"rules":"4x6","strategy":"knuth","games":5}
  > rules: Rules
  > strategy: Strategy
  > games: {"type":"integer","minimum":1,"maximum":10000} -- Number of games.
  > seed?: Seed?
  < seed: Seed
  < measured: Measured? -- Null if the job was stopped before the first game.
  stream , and {"played":{games, of, guesses}} for each game
jobs/{job}: Stops a job, which then answers with its best result.
  path job: string -- The name in the first line of a streamed answer.
  < stopped: string
"#;

/// Named schemas: a type, or the properties of an object. Names in lower case are not part of the document: their schemas
/// are inserted where they are used.
const SCHEMAS: &str = r#"
Rules: string -- Rules in notation: 4x6, 4x10:no-repeats, 20x20:black-only, grid:4x4x6.
Code: [{"type":"integer","minimum":1}] -- Color of each cell, numbered from 1.
CodeText: Code or string -- A code as a list of colors, or as text such as 1122.
Count: {"type":["number","string"]} -- A number of codes: text beyond 2^53.
Certainty: {"type":["string","null"],"enum":["exact","estimate","bound",null]} -- Kind of the number beside it: exact, an
    estimate with a 95 % confidence interval, or an upper bound. Null for an unknown number.
Mark: numbers or cells -- Feedback of one line, by the kind of feedback. Null for unknown parts.
numbers: {"type":"object","additionalProperties":{"type":["integer","null"],"minimum":0}} -- Numbers by name: black and
    white; black; colors (color-only); black, higher and lower; or distance.
cells: [{"type":["string","null"],"enum":["nothing","white","black",null]}] -- Mark of each cell (per-cell).
feedback: [Mark] -- A mark for each line of the board.
pegs: [{"type":["integer","null"],"minimum":1}] -- The guess; null for unknown pegs.
Turn:
  guess: pegs
  feedback: feedback
TurnText: Turn or string -- A turn, or text such as 1122=1,0, with ? for unknown parts.
Turns: [TurnText]
Strategy: string -- A strategy with its parameters: knuth, entropy(guesses=consistent).
Seed: integer -- Random seed.
part:
  feedback: feedback
  codes: integer
RatedGuess:
  guess: Code
  rank: integer -- 1 plus the number of significantly better guesses.
  consistent: boolean -- True if it can be the secret.
  ~score: number
  unit: string -- Unit of the score.
  ~expected_remaining: number -- Expected number of remaining codes.
  ~chance: number -- Probability that it is the secret.
  ~lost: number -- Expected guesses lost against the best guess.
Hint:
  guess: Code
  basis: string -- proven, scored, consistent, planned, or best effort with its reason.
  ~remaining: Count
  rated: RatedGuess?
  alternatives: [RatedGuess]
  why: string
  possible: [Code] -- The consistent codes, if there are at most ten.
Repair:
  turn: integer -- The turn, numbered from 1.
  kind: misread|number|swapped|neighbors|peg|row -- Pegs taken for another kind, a wrong number, black and white swapped,
    neighboring pegs swapped, a peg of another color, or the answer of another row.
  was, now: Turn
  ~leaves: Count -- Number of codes consistent with the corrected turns.
  likelihood: number -- Posterior probability among those listed.
  words: string
RepairPair:
  repairs: [Repair]
  ~leaves: Count -- Number of codes consistent with the corrected turns.
  likelihood: number -- Posterior probability among those listed.
Contradiction:
  turns: [[integer]] -- Smallest sets of conflicting turns, numbered from 1.
  repairs: [Repair] -- Single mistakes, most likely first.
  pairs: [RepairPair] -- Two mistakes, if no single one explains the turns.
  complete: boolean -- True if nothing is missing.
BestGuess:
  guess: Code
  consistent: boolean
  ~expected: number -- Expected number of remaining codes.
TurnAnalysis:
  guess: pegs
  feedback: feedback
  ~before, ~after: Count
  ~expected: number -- Expected number of remaining codes.
  consistent: boolean?
  best: BestGuess?
  ~skill: number -- 0 to 100: expected guesses of the best guess relative to this one.
  ~luck: number -- 0 to 100: luck of the answer; 50 is average.
  ~lost: number -- Expected guesses lost against the best guess.
  advice: string
  exact: boolean
ReferenceTurn:
  guess: Code
  feedback: feedback
  ~after: Count
ReferenceGame:
  strategy: string
  solved: boolean
  guesses: integer
  turns: [ReferenceTurn]
Analysis:
  rules: Rules
  secret: Code?
  solved: boolean
  turns: [TurnAnalysis]
  ~skill, ~luck: number
  ~remaining: Count
  ~lost: number -- Total of the guesses lost.
  possible: [Code]
  others: [ReferenceGame]
  summary: string
Summary:
  mean: number
  sd: number?
  median, min, max: number
  ci95: [number]?
Measured:
  rules: Rules
  strategy: Strategy
  games, solved, lost, failed: integer
  failure?: string -- Failure reason of the first failed game.
  solved_ci95?: [number] -- Wilson's 95 % confidence interval of the share of games solved.
  guesses: Summary? -- Guesses per solved game. Null if none is solved.
  examined, consistent?, seconds: Summary
  secrets: integer -- Number of different secrets that were solved.
  basis: string -- Sources of randomness in the mean number of guesses.
  total?: integer -- Total number of guesses, if nothing is random.
PlayedTurn:
  guess: Code
  feedback: feedback
  before: Count?
  basis: string
Parameter:
  name: string
  kind: object -- choice, integer, decimal or code-or, with its values.
  default, about: string
PublishedRow:
  exhibit, paper, label: string
  rules: Rules
  strategy: Strategy
  numbers: [[string]]
CatalogEntry:
  name, title, family, paper, about, plays: string
  parameters: [Parameter]
  playable: boolean? -- True if it can play the given rules.
  published: [PublishedRow]
Limits:
  cells, colors, turns, body, workers, queue, connections, connections_each: integer
  time: number -- Seconds in the queue, and again on a worker.
  sending: number -- Seconds for the head of a request, and again for its body.
Load:
  working, waiting: integer
Error:
  error: error
error:
  code: string -- Short name for programs.
  message: string
  hint: string? -- Suggested action.
"#;

/// Returns the OpenAPI document of the HTTP API.
#[must_use]
pub fn openapi() -> Value {
    let operations = entries(OPERATIONS);
    let path = |(method, path, _): (&'static str, &'static str, _)| {
        let (summary, lines) = &operations[path.trim_start_matches("/api/v1/")];
        (path.to_owned(), json!({ method: operation(summary, lines) }))
    };
    let schemas = entries(SCHEMAS).into_iter().filter(|(name, _)| name.starts_with(char::is_uppercase));
    let schemas = schemas.map(|(name, entry)| (name, named(&entry)));
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
        "paths": http::table().into_iter().map(path).collect::<Map<_, _>>(),
        "components": { "schemas": schemas.collect::<Map<_, _>>() },
    })
}

/// Returns the document as text.
pub(super) fn document() -> &'static str {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| openapi().to_string());
    &DOCUMENT
}

type TableEntry = (String, Vec<String>);

/// Returns the entries of a table by name: the rest of the first line, and the lines below it.
fn entries(table: &str) -> BTreeMap<String, TableEntry> {
    let mut entries: Vec<(String, TableEntry)> = Vec::new();
    for line in table.trim().replace("\n    ", " ").lines() {
        match (line.strip_prefix("  "), entries.last_mut()) {
            (Some(line), Some((_, (_, lines)))) => lines.push(line.to_owned()),
            _ => {
                let (name, rest) = line.split_once(':').expect("an entry has a name");
                entries.push((name.to_owned(), (rest.trim().to_owned(), Vec::new())));
            }
        }
    }
    entries.into_iter().collect()
}

/// Returns a schema of the table.
fn named((written, lines): &TableEntry) -> Value {
    if lines.is_empty() { typed(written) } else { object(lines.iter().map(String::as_str)) }
}

/// Returns the schema of a type.
fn schema(written: &str) -> Value {
    let words = |words: Vec<&str>| json!({ "type": "string", "enum": words });
    if let Some(inner) = written.strip_suffix('?') {
        json!({ "anyOf": [schema(inner), { "type": "null" }] })
    } else if let Some(items) = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        json!({ "type": "array", "items": schema(items) })
    } else if written.starts_with('{') {
        serde_json::from_str(written).expect("a schema as JSON")
    } else if written.contains(" or ") {
        json!({ "anyOf": written.split(" or ").map(schema).collect::<Vec<_>>() })
    } else if written.contains('|') {
        words(written.split('|').collect())
    } else {
        match written {
            "feedback-kind" => words(FeedbackKind::ALL.iter().map(|kind| kind.name()).collect()),
            "integer" => json!({ "type": "integer", "minimum": 0 }),
            "number" | "string" | "boolean" | "object" => json!({ "type": written }),
            name if name.starts_with(char::is_uppercase) => json!({ "$ref": format!("#/components/schemas/{name}") }),
            name => named(&entries(SCHEMAS)[name]),
        }
    }
}

/// Returns the schema of a type with an optional description.
fn typed(written: &str) -> Value {
    let (written, description) = written.split_once(" -- ").unwrap_or((written, ""));
    let mut schema = schema(written);
    if !description.is_empty() {
        schema["description"] = description.into();
    }
    schema
}

/// Returns the schema of an object without other properties.
fn object<'a>(lines: impl IntoIterator<Item = &'a str>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for line in lines {
        let (names, written) = line.split_once(": ").expect("a property has a type");
        for name in names.split(", ") {
            if let Some(name) = name.strip_prefix('~') {
                let (plain, description) = written.split_once(" -- ").unwrap_or((written, ""));
                properties.insert(name.to_owned(), typed(&format!("{plain}? -- {description}")));
                properties.insert(format!("{name}_is"), schema("Certainty"));
                properties.insert(format!("{name}_interval"), schema(&format!("[{plain}]")));
                required.extend([name.to_owned(), format!("{name}_is")]);
            } else {
                let optional = name.strip_suffix('?');
                properties.insert(optional.unwrap_or(name).to_owned(), typed(written));
                required.extend(optional.is_none().then(|| name.to_owned()));
            }
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn operation(summary: &str, lines: &[String]) -> Value {
    let starting = |start: &'static str| lines.iter().filter_map(move |line| line.strip_prefix(start));
    let answer = match starting("< ").next() {
        Some(written) if !written.contains(": ") => schema(written),
        _ => object(starting("< ")),
    };
    let mut operation = json!({
        "summary": summary,
        "responses": {
            "200": { "description": "The answer.", "content": { "application/json": { "schema": answer } } },
            "default": {
                "description": "Error. 503: try again after the seconds in Retry-After. 422: the question takes longer than \
                    the server allows.",
                "content": { "application/json": { "schema": schema("Error") } },
            },
        },
    });
    let content = &mut operation["responses"]["200"]["content"];
    if starting("svg").next().is_some() {
        *content = json!({ "image/svg+xml": { "schema": schema("string") } });
    }
    if let Some(lines) = starting("stream").next() {
        let description = format!(
            "One JSON value per line. First {{\"job\":NAME}}; then {{\"progress\":{{state, seconds, examined, nodes}}}}\
             {}; last {{\"answer\":…}} or {{\"error\":…}}.",
            lines.trim_start()
        );
        content["application/x-ndjson"] = json!({ "schema": { "type": "object", "description": description } });
    }
    if let Some(example) = starting("example ").next() {
        let example: Value = serde_json::from_str(example).expect("an example as JSON");
        let content = json!({ "application/json": { "schema": object(starting("> ")), "example": example } });
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    for (place, line) in ["query", "path"].into_iter().flat_map(|place| starting(place).map(move |line| (place, line)))
    {
        let (name, written) = line.trim().split_once(": ").expect("a parameter has a type");
        let (plain, description) = written.split_once(" -- ").unwrap_or((written, ""));
        let required = place == "path";
        operation["parameters"] = json!([{
            "name": name, "in": place, "required": required, "schema": schema(plain), "description": description,
        }]);
    }
    operation
}

#[cfg(test)]
mod tests {
    use super::{http, openapi};

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
}
