//! A client of a server on this machine.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
};

/// A connection that stays open, as a browser's does.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    port: u16,
}

impl Connection {
    pub(crate) fn new(port: u16) -> std::io::Result<Self> {
        Ok(Self { stream: BufReader::new(TcpStream::connect(("127.0.0.1", port))?), port })
    }

    /// Posts a question, and gives the status and the body.
    pub(crate) fn post(&mut self, path: &str, body: &str) -> std::io::Result<(u16, String)> {
        self.send("POST", path, body)?;
        self.receive()
    }

    /// Sends a request without waiting for its answer.
    pub(crate) fn send(&mut self, method: &str, path: &str, body: &str) -> std::io::Result<()> {
        let Self { stream, port } = self;
        let length = body.len();
        let head = format!(
            "{method} /api/v1/{path} HTTP/1.1\r\nhost: localhost:{port}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n"
        );
        stream.get_mut().write_all((head + body).as_bytes())
    }

    /// Waits for an answer, and gives the status and the body.
    pub(crate) fn receive(&mut self) -> std::io::Result<(u16, String)> {
        let stream = &mut self.stream;
        let broken = || std::io::Error::other("not an answer");
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|word| word.parse().ok()).ok_or_else(broken)?;
        let mut length = 0;
        loop {
            line.clear();
            stream.read_line(&mut line)?;
            match line.trim().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().map_err(|_| broken())?;
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body)?;
        String::from_utf8(body).map(|body| (status, body)).map_err(|_| broken())
    }
}
