//! Starts a server and asks it for a hint: `cargo run -p pegwise-web --example ask_over_http`.

#![expect(clippy::print_stdout, reason = "an example prints its results")]

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    thread,
};

use pegwise_web::{Server, ServerOptions};

pub(crate) fn main() {
    let server = Server::bind(ServerOptions { port: 0, ..ServerOptions::default() }).expect("a free port");
    let address = server.address().trim_start_matches("http://").trim_end_matches('/').to_owned();
    thread::spawn(|| server.run());

    let question = r#"{"rules":"4x6","strategy":"knuth","turns":["1122=1,0"]}"#;
    let mut connection = TcpStream::connect(&address).expect("the server listens");
    let length = question.len();
    write!(
        connection,
        "POST /api/v1/hint HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{question}"
    )
    .expect("the server reads");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).expect("the server answers");
    println!("{answer}");
    assert!(answer.contains(r#""guess":[1,3,4,4]"#), "{answer}");
}
