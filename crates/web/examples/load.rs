//! A crowd of clients that ask a server for hints, and what becomes of them.
//!
//! ```sh
//! cargo build --release -p pegwise && cargo run --release -p pegwise-web --example load -- target/release/pegwise
//! ```
//!
//! Starts the program as a server, lets 200 clients ask for hints at 5x8 for 30 seconds, while one more asks about a
//! board of 100x100 all the time, and tells how many answers there were, how the clients shared them, how long they
//! waited, and how much memory the server took at most.

#[path = "../tests/web/crowd.rs"]
mod crowd;

use std::{
    env,
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use crowd::{Connection, Seen};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = env::args().skip(1);
    let program = words.next().ok_or("name the program: target/release/pegwise")?;
    let clients: u64 = words.next().map_or(Ok(200), |word| word.parse())?;
    let seconds: u64 = words.next().map_or(Ok(30), |word| word.parse())?;
    let mut server = Command::new(program).args(["serve", "--port", "0"]).stdout(Stdio::piped()).spawn()?;
    let mut address = String::new();
    BufReader::new(server.stdout.take().ok_or("no output")?).read_line(&mut address)?;
    let port: u16 = address.trim().trim_end_matches('/').rsplit(':').next().ok_or("no port")?.parse()?;

    static OVER: AtomicBool = AtomicBool::new(false);
    static HUGE: AtomicUsize = AtomicUsize::new(0);
    let glutton = thread::spawn(move || {
        let turn = format!("{}=50,0", (1..=100).map(|color| color.to_string()).collect::<Vec<_>>().join(","));
        let question = format!("{{\"rules\":\"100x100:black-only\",\"turns\":[\"{}\"]}}", turn.replace(",0", ""));
        let Ok(mut connection) = Connection::new(port) else { return };
        while !OVER.load(Ordering::Relaxed) {
            if connection.post("hint", &question).is_ok_and(|(status, _)| status == 200) {
                HUGE.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let seen = crowd::hints(port, "5x8", clients, Duration::from_secs(seconds));
    OVER.store(true, Ordering::Relaxed);
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap_or_default();
    let memory = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: not known here").to_owned();
    glutton.join().map_err(|_| "the glutton broke")?;
    server.kill()?;
    server.wait()?;

    let total = |count: fn(&Seen) -> usize| seen.iter().map(count).sum::<usize>();
    let mut shares: Vec<usize> = seen.iter().map(|one| one.answered).collect();
    shares.sort_unstable();
    let answered = total(|one| one.answered);
    let waited: Duration = seen.iter().map(|one| one.waited).sum();
    let slowest = seen.iter().map(|one| one.slowest).max().unwrap_or_default();
    let failed: Vec<&String> = seen.iter().flat_map(|one| &one.failed).collect();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{clients} clients, {seconds} s: {answered} answers, {:.0} a second",
        answered as f64 / seconds as f64
    )?;
    writeln!(out, "shares: {} to {}, median {}", shares[0], shares[shares.len() - 1], shares[shares.len() / 2])?;
    writeln!(
        out,
        "waits: {:.3} s on average, {:.3} s at most",
        waited.as_secs_f64() / answered.max(1) as f64,
        slowest.as_secs_f64()
    )?;
    writeln!(out, "asked to come again: {}; failed: {} {:?}", total(|one| one.busy), failed.len(), failed.first())?;
    writeln!(out, "100x100 answers meanwhile: {}", HUGE.load(Ordering::Relaxed))?;
    writeln!(out, "{memory}")?;
    Ok(())
}
