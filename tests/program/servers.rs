//! `engine` and `serve`.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json as value};

use crate::{command, pegwise};

/// Arguments of an engine that does not report progress.
const QUIET: &[&str] = &["--progress", "10m"];

/// Running engine.
struct Engine {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Engine {
    fn start(args: &[&str]) -> Self {
        let mut command = command(std::iter::once(&"engine").chain(args));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
        let answers = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, answers }
    }

    fn send(&mut self, line: &[u8]) {
        let stdin = self.child.stdin.as_mut().expect("its input");
        stdin.write_all(line).and_then(|()| stdin.write_all(b"\n")).and_then(|()| stdin.flush()).expect("it listens");
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("it answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    fn ask(&mut self, request: Value) -> Value {
        self.send(request.to_string().as_bytes());
        self.next()
    }

    /// Returns the error of a line.
    fn refused(&mut self, line: &[u8]) -> String {
        self.send(line);
        let answer = self.next();
        assert_eq!(answer["reply"], "error", "{answer}");
        answer["error"].as_str().expect("words").to_owned()
    }

    fn quit(mut self) {
        assert_eq!(self.ask(value!({ "do": "quit" })), value!({ "reply": "quit" }));
        assert!(self.child.wait().expect("it ends").success());
    }
}

#[test]
fn a_game_about_listed_secrets_is_scored_by_their_weights() {
    let mut engine = Engine::start(QUIET);
    let new = |secrets: Value, weights: Value| value!({ "do": "new", "rules": "4x6", "strategy": "norvig", "secrets": secrets, "weights": weights });
    let game = engine.ask(new(value!(["1111", [2, 2, 2, 2], "3333"]), value!([1, 1, 7.5])));
    assert_eq!((&game["reply"], &game["codes"]), (&value!("new"), &value!(3)));
    let guess = engine.ask(value!({ "do": "guess" }));
    assert_eq!((&guess["guess"], &guess["remaining"]), (&value!([3, 3, 3, 3]), &value!(3)));
    let turn = engine.ask(value!({ "do": "turn", "guess": "1166", "feedback": "2,0" }));
    assert_eq!(turn["remaining"], 1);
    for (request, words) in [
        (new(value!([]), value!([])), "no code is listed"),
        (new(value!(["1111"]), value!([1, 2])), "write one per secret; there are 2 for 1"),
        (new(value!(["1111", "1177"]), value!(null)), "secrets: number 2: "),
        (new(value!(["1111", "1111"]), value!(null)), "secrets: number 2: 1111 is listed already"),
        (new(value!(["1111"]), value!([-1])), "secrets: number 1: the weight -1 is not a number from zero on"),
        (value!({ "do": "new", "weights": [1] }), "weights: write secrets, too"),
        (value!({ "do": "turn", "guess": "1166", "feedback": "0,1" }), "no code of the list fits"),
    ] {
        let error = engine.refused(request.to_string().as_bytes());
        assert!(error.contains(words), "{error}");
    }
    engine.quit();
}

#[test]
fn a_game_is_played_as_knuth_plays_it() {
    let mut engine = Engine::start(QUIET);
    let game = engine.ask(value!({ "do": "new", "rules": "4x6", "strategy": "knuth", "id": 7 }));
    assert_eq!((&game["reply"], &game["id"], &game["codes"]), (&value!("new"), &value!(7), &value!(1296)));
    assert_eq!((&game["feedback"], &game["lines"]), (&value!("black-white"), &value!(1)));
    let mut remaining = Vec::new();
    for (guess, feedback) in [("1122", "1,0"), ("1344", "0,1"), ("3526", "1,2"), ("1462", "1,1"), ("3632", "4,0")] {
        let found = engine.ask(value!({ "do": "guess" }));
        let colors: Vec<u32> = guess.chars().filter_map(|color| color.to_digit(10)).collect();
        assert_eq!(found["guess"], value!(colors), "{found}");
        let turn = engine.ask(value!({ "do": "turn", "guess": found["guess"], "feedback": feedback }));
        remaining.push(turn["remaining"].as_u64().expect("counted"));
        assert_eq!(turn["solved"], guess == "3632");
    }
    assert_eq!(remaining, [256, 44, 7, 1, 1]);
    assert!(engine.refused(br#"{"do":"guess"}"#).contains("nothing left to guess"));
    assert!(engine.refused(br#"{"do":"turn","guess":"1111","feedback":"0,0"}"#).contains("the game is over"));
    assert_eq!(engine.ask(value!({ "do": "undo" }))["turns"], 4);
    assert_eq!(engine.ask(value!({ "do": "rules" }))["turns"], 4);
    engine.quit();
}

#[test]
fn the_engine_survives_invalid_requests() {
    let mut engine = Engine::start(QUIET);
    let long = vec![b'x'; 2_000_000];
    for (line, words) in [
        (&b"hello"[..], "is not JSON"),
        (b"7", "is not a request"),
        (b"[]", "is not a request"),
        (br#"{"do":"dance"}"#, "unknown variant `dance`"),
        (br#"{"do":"new","rule":"4x6"}"#, "unknown field `rule`"),
        (br#"{"do":"guess"}"#, "no game"),
        (br#"{"do":"new","rules":"0x6"}"#, "at least one cell"),
        (br#"{"do":"new","strategy":"knut"}"#, "did you mean knuth?"),
        (br#"{"do":"new","rules":"1000x1000","strategy":"entropy"}"#, "cannot play 1000x1000"),
        (b"\xff\xfe", "not UTF-8"),
        (&long, "more than 1048576 bytes"),
    ] {
        let error = engine.refused(line);
        assert!(error.contains(words), "{error}");
    }
    engine.send(b"");
    engine.send(b"   ");
    engine.ask(value!({ "do": "new" }));
    for (line, words) in [
        (r#"{"do":"turn","guess":[1,1,2],"feedback":"1,0"}"#, "it has 3 cells"),
        (r#"{"do":"turn","guess":"1122","feedback":[{"black":3,"white":1}]}"#, "is impossible"),
        (r#"{"do":"undo"}"#, "no turn to undo"),
        (r#"{"do":"guess","time_limit":-1}"#, "a number of seconds above zero"),
    ] {
        let error = engine.refused(line.as_bytes());
        assert!(error.contains(words), "{error}");
    }
    assert_eq!(engine.ask(value!({ "do": "turn", "guess": "1122", "feedback": "0,0" }))["remaining"], 256);
    let error = engine.refused(br#"{"do":"turn","guess":"1111","feedback":"2,0"}"#);
    assert!(error.contains("turns 1 and 2 cannot ") && error.contains("was not added"), "{error}");
    assert_eq!(engine.ask(value!({ "do": "rules" }))["turns"], 1);
    assert_eq!(engine.ask(value!({ "do": "stop" }))["thinking"], false);
    engine.quit();
}

#[test]
fn a_search_reports_progress_and_can_be_stopped() {
    let mut engine = Engine::start(&["--progress", "10ms"]);
    engine.ask(value!({ "do": "new", "rules": "100x100" }));
    engine.ask(value!({ "do": "turn", "guess": (1..=100).collect::<Vec<_>>(), "feedback": "40,20" }));
    let progress = engine.ask(value!({ "do": "guess", "id": "long", "time_limit": 6000 }));
    assert_eq!((&progress["reply"], &progress["id"]), (&value!("progress"), &value!("long")));
    engine.send(br#"{"do":"undo"}"#);
    engine.send(br#"{"do":"stop"}"#);
    let mut replies = Vec::new();
    while replies.len() < 3 {
        let answer = engine.next();
        if answer["reply"] != "progress" {
            replies.push(answer);
        }
    }
    assert!(replies[0]["error"].as_str().is_some_and(|error| error.contains("is running")), "{replies:?}");
    assert_eq!(replies[1]["reply"], "stop");
    assert_eq!((&replies[2]["reply"], &replies[2]["id"]), (&value!("guess"), &value!("long")));
    engine.quit();
}

#[test]
fn the_end_of_the_input_is_the_end_also_while_it_thinks() {
    let mut engine = Engine::start(QUIET);
    engine.ask(value!({ "do": "new", "rules": "6x9" }));
    engine.ask(value!({ "do": "turn", "guess": [1, 1, 2, 3, 4, 5], "feedback": "0,2" }));
    engine.send(br#"{"do":"guess"}"#);
    drop(engine.child.stdin.take());
    assert!(engine.child.wait().expect("it ends").success());
}

#[test]
fn the_example_is_answered() {
    crate::drive_the_engine::main();
}

#[test]
fn the_client_in_python_breaks_a_code() {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/engine_client.py");
    let mut python = Command::new("python3");
    let Ok(output) = python.arg(client).args([env!("CARGO_BIN_EXE_pegwise"), "knuth"]).output() else {
        return; // Python is not installed.
    };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.lines().last(), Some("5 [3, 6, 3, 2] {'black': 4, 'white': 0} 1"), "{text}");
}

/// Requests are answered even if the client closes its end.
#[test]
fn requests_are_answered_before_the_end() {
    let mut engine = Engine::start(QUIET);
    engine.send(br#"{"do":"new","rules":"4x6","strategy":"knuth"}"#);
    engine.send(br#"{"do":"turn","guess":[1,1,2,2],"feedback":"1,0"}"#);
    engine.send(br#"{"do":"guess"}"#);
    drop(engine.child.stdin.take());
    let replies = ["new", "turn"].map(|_| engine.next()["reply"].take());
    assert_eq!(replies, ["new", "turn"]);
    let guess = loop {
        let answer = engine.next();
        if answer["reply"] != "progress" {
            break answer;
        }
    };
    assert_eq!(guess["guess"], value!([1, 3, 4, 4]));
    assert_eq!(engine.next()["reply"], "quit");
    assert!(engine.child.wait().expect("it ends").success());
}

/// Server that is killed at the end of the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        // It may already have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_address_comes_first_and_is_answered() {
    let child = command(["serve", "--port", "0", "--request-timeout", "7s"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut served = Served(child);
    let mut line = String::new();
    BufReader::new(served.0.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let host = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).expect("an address");
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(stream, "GET /api/v1/health HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("\"status\":\"ok\"") && answer.contains("\"time\":7.0"),
        "{answer}"
    );
}

#[test]
fn errors_of_serve_are_reported() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("bound").port();
    for (line, part) in [
        (format!("serve --port {port}"), "choose another port"),
        ("serve --port 0 --host no.such.host.invalid".to_owned(), "not a host"),
        ("serve no-such-file.db --port 0".to_owned(), "no such store"),
        ("serve --port 70000".to_owned(), "70000"),
        ("serve --port 0 --request-timeout 0".to_owned(), "above zero"),
        ("serve --port 0 --threads 0".to_owned(), "threads"),
    ] {
        let run = pegwise(&line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}: {}", run.stderr);
        assert!(run.stderr.contains(part), "{line}: {}", run.stderr);
    }
}
