//! Load test of a server: many clients ask for hints.
//!
//! ```sh
//! cargo build --release -p pegwise && cargo run --release -p pegwise-web --example load -- target/release/pegwise
//! ```
//!
//! Starts the program as a server. For 30 seconds, 200 clients ask for hints at 5x8, one more client asks for hints at
//! 100x100, and slow clients send incomplete requests. Prints the number of answers, their distribution over the clients,
//! the waiting times, and the memory of the server. Arguments after the program: clients, seconds, slow clients.

#[path = "../tests/web/client.rs"]
mod client;

use std::{
    env,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use client::{ClientStats, Connection, ask_hints};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = env::args().skip(1);
    let program = words.next().ok_or("name the program: target/release/pegwise")?;
    let clients: u64 = words.next().map_or(Ok(200), |word| word.parse())?;
    let seconds: u64 = words.next().map_or(Ok(30), |word| word.parse())?;
    let slow: usize = words.next().map_or(Ok(0), |word| word.parse())?;
    let mut server = Command::new(program).args(["serve", "--port", "0"]).stdout(Stdio::piped()).spawn()?;
    let mut address = String::new();
    BufReader::new(server.stdout.take().ok_or("no output")?).read_line(&mut address)?;
    let port: u16 = address.trim().trim_end_matches('/').rsplit(':').next().ok_or("no port")?.parse()?;

    static OVER: AtomicBool = AtomicBool::new(false);
    static HEAVY_ANSWERS: AtomicUsize = AtomicUsize::new(0);
    let heavy = thread::spawn(move || {
        let turn = format!("{}=50,0", (1..=100).map(|color| color.to_string()).collect::<Vec<_>>().join(","));
        let question = format!("{{\"rules\":\"100x100:black-only\",\"turns\":[\"{}\"]}}", turn.replace(",0", ""));
        let Ok(mut connection) = Connection::new(port) else { return };
        while !OVER.load(Ordering::Relaxed) {
            if connection.post("hint", &question).is_ok_and(|(status, _)| status == 200) {
                HEAVY_ANSWERS.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    static DISCONNECTED: AtomicUsize = AtomicUsize::new(0);
    for number in 0..slow {
        thread::spawn(move || {
            while !OVER.load(Ordering::Relaxed) {
                let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { continue };
                let half = ["GET / HTTP/1.1\r\nHost: local", HALF_BODY][number % 2].replace("PORT", &port.to_string());
                // The server is expected to disconnect.
                let _ = stream.write_all(half.as_bytes());
                let _ = stream.read_to_end(&mut Vec::new());
                DISCONNECTED.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    let id = server.id();
    let early = thread::spawn(move || {
        thread::sleep(Duration::from_secs(seconds) / 3);
        memory(id, "VmRSS")
    });
    let end = Instant::now() + Duration::from_secs(seconds);
    let seen = ask_hints(port, "5x8", clients, |_| Instant::now() < end);
    OVER.store(true, Ordering::Relaxed);
    let memories = [early.join().map_err(|_| "no measurement of memory")?, memory(id, "VmRSS"), memory(id, "VmHWM")];
    heavy.join().map_err(|_| "the heavy client failed")?;
    server.kill()?;
    server.wait()?;

    let total = |count: fn(&ClientStats) -> usize| seen.iter().map(count).sum::<usize>();
    let mut shares: Vec<usize> = seen.iter().map(|one| one.answered).collect();
    shares.sort_unstable();
    let answered = total(|one| one.answered);
    let waited: Duration = seen.iter().map(|one| one.waited).sum();
    let slowest = seen.iter().map(|one| one.slowest).max().unwrap_or_default();
    let failed: Vec<&String> = seen.iter().flat_map(|one| &one.failed).collect();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{clients} clients, {seconds} s: {answered} answers, {:.0} per second",
        answered as f64 / seconds as f64
    )?;
    writeln!(out, "shares: {} to {}, median {}", shares[0], shares[shares.len() - 1], shares[shares.len() / 2])?;
    writeln!(
        out,
        "waits: {:.3} s on average, {:.3} s at most",
        waited.as_secs_f64() / answered.max(1) as f64,
        slowest.as_secs_f64()
    )?;
    writeln!(out, "refused as busy: {}; failed: {} {:?}", total(|one| one.busy), failed.len(), failed.first())?;
    writeln!(out, "100x100 answers meanwhile: {}", HEAVY_ANSWERS.load(Ordering::Relaxed))?;
    writeln!(out, "slow clients disconnected: {} times", DISCONNECTED.load(Ordering::Relaxed))?;
    writeln!(out, "memory after a third of the time, at the end, and maximum: {}", memories.join(", "))?;
    Ok(())
}

const HALF_BODY: &str = "POST /api/v1/hint HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Type: application/json\r\n\
                         Content-Length: 40\r\n\r\n{";

/// Returns a memory figure of a process as the system reports it.
fn memory(process: u32, name: &str) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap_or("unknown");
    line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
}
