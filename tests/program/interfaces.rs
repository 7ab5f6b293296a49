//! One position has one answer: the library, the command, the engine and the server give the same advice.

#[path = "../../crates/web/tests/web/client.rs"]
#[expect(dead_code, reason = "the load test uses the rest")]
mod client;
#[path = "../../crates/coach/tests/shared/laws.rs"]
#[expect(dead_code, reason = "the laws themselves are tests of the library")]
mod laws;

use pegwise_game::{History, Rules, Turn};
use pegwise_solve::Rng;
use serde_json::{Value, json as value};

use self::client::Connection;
use crate::{
    TestFolder, command, finish, normalized, parse,
    processes::{EngineProcess, Served},
    servers,
};

const ALTERNATIVES: usize = 5;

/// Returns the number of positions per board, and of codes left up to which hints are compared with an exhaustive search. The
/// environment variable `PEGWISE_POSITIONS` asks for more.
fn size() -> (usize, usize) {
    let positions = std::env::var("PEGWISE_POSITIONS").ok().and_then(|number| number.parse().ok());
    positions.map_or((1, 40), |positions| (positions, 200))
}

/// An engine and a server.
struct Interfaces {
    engine: EngineProcess,
    port: u16,
    _served: Served,
}

impl Interfaces {
    fn start() -> Self {
        let (served, port) = Served::start(command([""; 0]), &[]);
        Self { engine: servers::engine(), port, _served: served }
    }

    /// Returns the answer of the server.
    fn served(&self, path: &str, question: &Value) -> Value {
        // The server closes idle connections.
        let mut connection = Connection::new(self.port).expect("the server listens");
        let (status, answer) = connection.post(path, &question.to_string()).expect("an answer");
        assert_eq!(status, 200, "{question}: {answer}");
        serde_json::from_str(&answer).expect("JSON")
    }

    /// Panics unless all interfaces give the hint of the library and count the codes left alike.
    fn check(&mut self, history: &History) {
        let rules = history.rules();
        let turns: Vec<String> = history.turns().iter().map(|turn| turn.notation(rules).to_string()).collect();
        let context = format!("{rules} {}", turns.join(" "));
        let hint = value!(laws::ask(history, "adaptive", 1, ALTERNATIVES));
        let question = value!({ "rules": rules, "turns": turns, "alternatives": ALTERNATIVES });
        assert_eq!(normalized(self.served("hint", &question)["hint"].take()), normalized(hint.clone()), "{context}");
        let arguments = ["hint", &rules.to_string()].map(str::to_owned).into_iter().chain(turns.clone());
        let printed = parse(&finish(command(arguments.chain(["--json".to_owned()]))).done(&context));
        for (field, known) in hint.as_object().expect("an object") {
            assert_eq!(normalized(printed[field].clone()), normalized(known.clone()), "{field} {context}");
        }
        self.engine.ask(&value!({ "do": "new", "rules": rules, "seed": 5 }));
        let mut left = Value::Null;
        for turn in history.turns() {
            left = self.turn(turn);
        }
        assert!(left.is_null() || left == hint["remaining"], "{left} {context}");
        let guess = self.engine.ask(&value!({ "do": "guess", "alternatives": ALTERNATIVES }));
        assert_eq!((&guess["guess"], &guess["basis"]), (&hint["guess"], &hint["basis"]), "{context}");
        let guesses = |alternatives: &Value| -> Vec<Value> {
            alternatives.as_array().expect("a list").iter().map(|other| other["guess"].clone()).collect()
        };
        assert_eq!(guesses(&guess["alternatives"]), guesses(&hint["alternatives"]), "{context}");
    }

    /// Adds a turn to the game of the engine, and returns the number of codes left.
    fn turn(&mut self, turn: &Turn) -> Value {
        let mut answer = self.engine.ask(&value!({ "do": "turn", "guess": turn.guess, "feedback": turn.feedback }));
        assert_eq!(answer["reply"], "turn", "{answer}");
        answer["remaining"].take()
    }
}

#[test]
fn every_interface_gives_the_same_advice() {
    let mut interfaces = Interfaces::start();
    let (positions, max_codes) = size();
    for board in laws::BOARDS {
        let (rules, mut rng): (Rules, Rng) = (board.parse().unwrap(), Rng::for_path(3, [board.as_bytes()]));
        (0..positions).for_each(|_| interfaces.check(&laws::position(&rules, &mut rng)));
    }
    for board in ["4x6", "4x7", "5x6"] {
        let (rules, mut rng): (Rules, Rng) = (board.parse().unwrap(), Rng::for_path(4, [board.as_bytes()]));
        let mut checked = 0;
        while checked < positions {
            let history = laws::position(&rules, &mut rng);
            if laws::check_optimal(&history, max_codes) {
                interfaces.check(&history);
                checked += 1;
            }
        }
    }
}

/// The answer that finds the code leaves none.
#[test]
fn every_interface_counts_no_code_after_a_win() {
    let mut interfaces = Interfaces::start();
    let folder = TestFolder::new();
    for (rules, secret) in [("4x6", "3632"), ("4x6:color-only", "1123"), ("grid:2x2x3", "1231")] {
        let game = folder.json(&format!("solve {rules} --secret {secret} --seed 1"));
        let turns = game["turns"].as_array().expect("turns");
        let answers: Vec<Value> =
            turns.iter().map(|turn| value!({ "guess": turn["guess"], "feedback": turn["feedback"] })).collect();
        let last = turns.len() - 1;
        assert_eq!(turns[last]["remaining"], 0, "{game}");
        let question = value!({ "rules": rules, "turns": answers, "list": 10 });
        let left = interfaces.served("remaining", &question);
        assert_eq!((&left["remaining"], &left["codes"]), (&value!(0), &value!([])), "{rules}");
        let question = value!({ "rules": rules, "turns": answers });
        let analysis = interfaces.served("analyze", &question)["analysis"].take();
        assert_eq!((&analysis["remaining"], &analysis["turns"][last]["after"]), (&value!(0), &value!(0)), "{rules}");
        interfaces.engine.ask(&value!({ "do": "new", "rules": rules }));
        let mut left = Value::Null;
        for turn in &answers {
            let answer =
                interfaces.engine.ask(&value!({ "do": "turn", "guess": turn["guess"], "feedback": turn["feedback"] }));
            left = answer["remaining"].clone();
        }
        assert_eq!(left, 0, "{rules}");
        // A guess that may find the code is expected to leave as many codes as a hint says.
        let before = value!({ "rules": rules, "turns": &answers[..last - 1], "guess": answers[last - 1]["guess"] });
        let expected = interfaces.served("split", &before)["expected"].take();
        assert_eq!(normalized(expected), normalized(analysis["turns"][last - 1]["expected"].clone()), "{rules}");
    }
}

#[test]
fn every_interface_takes_lists_of_secrets_and_guesses() {
    let mut interfaces = Interfaces::start();
    let folder = TestFolder::new();
    let (secrets, guesses) = (["crane", "slate", "brick", "click", "flick", "stick"], ["adieu", "flesh", "crane"]);
    folder.write("secrets.txt", secrets.join("\n").as_bytes());
    folder.write("guesses.txt", guesses.join("\n").as_bytes());
    let rules = "5x26:per-cell";
    for turns in [&[][..], &["adieu=--g--"]] {
        let lists = format!("--secrets secrets.txt --guesses guesses.txt --alternatives {ALTERNATIVES}");
        let printed = folder.json(&format!("hint {rules} {} {lists}", turns.join(" ")));
        let question = value!({
            "rules": rules, "turns": turns, "alternatives": ALTERNATIVES, "secrets": secrets, "guesses": guesses
        });
        let served = interfaces.served("hint", &question)["hint"].take();
        for (field, known) in served.as_object().expect("an object") {
            assert_eq!(normalized(printed[field].clone()), normalized(known.clone()), "{field}");
        }
        interfaces.engine.ask(&value!({ "do": "new", "rules": rules, "secrets": secrets, "guesses": guesses }));
        for turn in turns {
            let (guess, feedback) = turn.split_once('=').expect("a turn");
            let answer = interfaces.engine.ask(&value!({ "do": "turn", "guess": guess, "feedback": feedback }));
            assert_eq!(answer["remaining"], printed["remaining"], "{answer}");
        }
        let guess = interfaces.engine.ask(&value!({ "do": "guess", "alternatives": ALTERNATIVES }));
        assert_eq!((&guess["guess"], &guess["basis"]), (&printed["guess"], &printed["basis"]));
        let guesses = |alternatives: &Value| -> Vec<Value> {
            alternatives.as_array().expect("a list").iter().map(|other| other["guess"].clone()).collect()
        };
        assert_eq!(guesses(&guess["alternatives"]), guesses(&printed["alternatives"]));
    }
    for (field, error) in [("weights", "weights: write secrets, too"), ("guesses", "guesses: write secrets, too")] {
        let answer = interfaces.engine.ask(&value!({ "do": "new", "rules": "4x6", field: [] }));
        assert_eq!((&answer["reply"], &answer["error"]), (&value!("error"), &value!(error)));
    }
    let answer = interfaces.engine.ask(&value!({ "do": "new", "secrets": ["1111"], "guesses": ["1122", "1177"] }));
    assert!(answer["error"].as_str().is_some_and(|error| error.starts_with("guesses: number 2: ")), "{answer}");
}
