//! `engine` and `serve`.

use std::{
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    process::Command,
};

use serde_json::json as value;

use crate::{
    TestFolder, assert_contains, assert_errors, command, normalized,
    processes::{EngineProcess, Served},
};

/// Starts an engine that does not report progress.
pub(crate) fn engine() -> EngineProcess {
    EngineProcess::start(command([""; 0]), &["--progress", "10m"])
}

/// Sends each line and returns a transcript of the answers, without times.
fn transcript(engine: &mut EngineProcess, lines: &str) -> String {
    let mut transcript = String::new();
    for line in lines.trim().lines().map(str::trim) {
        engine.send(line.as_bytes());
        transcript += &format!("> {line}\n{}\n", normalized(engine.next()));
    }
    transcript
}

fn quit(mut engine: EngineProcess) {
    assert_eq!(engine.ask(&value!({ "do": "quit" })), value!({ "reply": "quit" }));
    engine.finish();
}

/// A game as Knuth plays it, invalid requests, and a game about listed secrets with weights.
#[test]
fn requests_are_answered() {
    let mut engine = engine();
    for (line, words) in [(&b"\xff\xfe"[..], "not UTF-8"), (&vec![b'x'; 2_000_000], "more than 1048576 bytes")] {
        engine.send(line);
        assert_contains(&engine.next()["error"].to_string(), &[words]);
    }
    engine.send(b"");
    engine.send(b"   ");
    insta::assert_snapshot!(transcript(
        &mut engine,
        r#"
        {"do":"guess"}
        {"do":"new","rules":"4x6","strategy":"knuth","id":7}
        {"do":"guess"}
        {"do":"turn","guess":[1,1,2,2],"feedback":"1,0"}
        {"do":"guess"}
        {"do":"turn","guess":[1,3,4,4],"feedback":"0,1"}
        {"do":"guess"}
        {"do":"turn","guess":[3,5,2,6],"feedback":"1,2"}
        {"do":"guess"}
        {"do":"turn","guess":[1,4,6,2],"feedback":"1,1"}
        {"do":"guess"}
        {"do":"turn","guess":[3,6,3,2],"feedback":"4,0"}
        {"do":"guess"}
        {"do":"turn","guess":"1111","feedback":"0,0"}
        {"do":"undo"}
        {"do":"rules"}
        hello
        7
        []
        {"do":"dance"}
        {"do":"new","rule":"4x6"}
        {"do":"new","rules":"0x6"}
        {"do":"new","strategy":"knut"}
        {"do":"new","rules":"1000x1000","strategy":"entropy"}
        {"do":"new"}
        {"do":"turn","guess":[1,1,2],"feedback":"1,0"}
        {"do":"turn","guess":"1122","feedback":[{"black":3,"white":1}]}
        {"do":"undo"}
        {"do":"guess","time_limit":-1}
        {"do":"turn","guess":"1122","feedback":"0,0"}
        {"do":"turn","guess":"1111","feedback":"2,0"}
        {"do":"rules"}
        {"do":"stop"}
        {"do":"new","strategy":"norvig","secrets":["1111",[2,2,2,2],"3333"],"weights":[1,1,7.5]}
        {"do":"guess"}
        {"do":"turn","guess":"1166","feedback":"2,0"}
        {"do":"new","strategy":"norvig","secrets":[],"weights":[]}
        {"do":"new","strategy":"norvig","secrets":["1111"],"weights":[1,2]}
        {"do":"new","strategy":"norvig","secrets":["1111","1177"]}
        {"do":"new","strategy":"norvig","secrets":["1111","1111"]}
        {"do":"new","strategy":"norvig","secrets":["1111"],"weights":[-1]}
        {"do":"new","weights":[1]}
        {"do":"turn","guess":"1166","feedback":"0,1"}"#
    ));
    quit(engine);
}

#[test]
fn a_search_reports_progress_and_can_be_stopped() {
    let mut engine = EngineProcess::start(command([""; 0]), &["--progress", "10ms"]);
    engine.ask(&value!({ "do": "new", "rules": "100x100" }));
    engine.ask(&value!({ "do": "turn", "guess": (1..=100).collect::<Vec<_>>(), "feedback": "40,20" }));
    engine.send(br#"{"do":"guess","id":"long","time_limit":6000}"#);
    let progress = engine.next();
    assert_eq!((&progress["reply"], &progress["id"]), (&value!("progress"), &value!("long")));
    engine.send(br#"{"do":"undo"}"#);
    engine.send(br#"{"do":"stop"}"#);
    let replies = [(); 3].map(|()| engine.answer());
    assert!(replies[0]["error"].as_str().is_some_and(|error| error.contains("is running")), "{replies:?}");
    assert_eq!(replies[1]["reply"], "stop");
    assert_eq!((&replies[2]["reply"], &replies[2]["id"]), (&value!("guess"), &value!("long")));
    quit(engine);
}

#[test]
fn the_end_of_the_input_is_the_end_also_while_it_thinks() {
    let mut engine = engine();
    engine.ask(&value!({ "do": "new", "rules": "6x9" }));
    engine.ask(&value!({ "do": "turn", "guess": [1, 1, 2, 3, 4, 5], "feedback": "0,2" }));
    engine.send(br#"{"do":"guess"}"#);
    engine.finish();
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
    assert_eq!(text.lines().last(), Some("5 [3, 6, 3, 2] {'black': 4, 'white': 0} 0"), "{text}");
}

/// Requests are answered even if the client closes its end.
#[test]
fn requests_are_answered_before_the_end() {
    let mut engine = engine();
    engine.send(br#"{"do":"new","rules":"4x6","strategy":"knuth"}"#);
    engine.send(br#"{"do":"turn","guess":[1,1,2,2],"feedback":"1,0"}"#);
    engine.send(br#"{"do":"guess"}"#);
    drop(engine.child.stdin.take());
    let replies = ["new", "turn"].map(|_| engine.next()["reply"].take());
    assert_eq!(replies, ["new", "turn"]);
    assert_eq!(engine.answer()["guess"], value!([1, 3, 4, 4]));
    assert_eq!(engine.next()["reply"], "quit");
    engine.finish();
}

#[test]
fn the_address_comes_first_and_is_answered() {
    let (_served, port) = Served::start(command([""; 0]), &["--request-timeout", "7s"]);
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    write!(stream, "GET /api/v1/health HTTP/1.1\r\nhost: localhost:{port}\r\nconnection: close\r\n\r\n")
        .expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("\"status\":\"ok\"") && answer.contains("\"time\":7.0"),
        "{answer}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_server_exits_with_130() {
    for signal in ["INT", "TERM"] {
        let (mut served, _) = Served::start(command([""; 0]), &[]);
        let kill = Command::new("kill").args(["-s", signal, &served.0.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
        assert_eq!(served.0.wait().expect("it ends").code(), Some(130), "{signal}");
    }
}

#[test]
fn the_site_does_not_replace_other_folders() {
    let folder = TestFolder::new();
    let site = concat!(env!("CARGO_MANIFEST_DIR"), "/../../site");
    let refused = |name: &str| {
        let ended = Command::new("bash").arg(site).arg(folder.path(name)).output().expect("bash runs");
        let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{name}: {stderr}");
        assert!(stderr.contains("name another folder"), "{name}: {stderr}");
    };
    std::fs::create_dir(folder.path("own")).expect("a folder");
    folder.write("own/files.txt", b"./files.txt\n./index.html\n");
    folder.write("own/index.html", b"");
    folder.write("own/notes.txt", b"mine");
    folder.write("file", b"mine");
    std::os::unix::fs::symlink("own", folder.path("link")).expect("a link");
    ["own", "file", "link", "."].into_iter().for_each(refused);
    assert_eq!((folder.read("own/notes.txt"), folder.read("file")), (b"mine".to_vec(), b"mine".to_vec()));
}

#[test]
fn errors_of_serve_are_reported() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("bound").port();
    assert_errors(&[
        (&format!("serve --port {port}"), "choose another port"),
        ("serve --port 0 --host no.such.host.invalid", "not a host"),
        ("serve no-such-file.db --port 0", "no such store"),
        ("serve --port 70000", "write a whole number from 0 to 65535"),
        ("serve --port 0 --max-connections 0", "write a whole number from 1 to 1000000"),
        ("serve --port 0 --max-connections-per-client -1", "write a whole number from 1 to 1000000"),
        ("serve --port 0 --queue 0", "write a whole number from 1 to 1000000"),
        ("serve --port 0 --max-cells 99999999999999999999", "write a whole number from 1 to 4096"),
        ("serve --port 0 --request-timeout 0", "above zero"),
        ("serve --port 0 --threads 0", "threads"),
    ]);
}
