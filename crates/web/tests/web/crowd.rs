//! Many clients at once, over a real network.

use std::{
    thread,
    time::{Duration, Instant},
};

use pegwise_game::{History, Rules, Turn};
use pegwise_solve::Rng;

use crate::connection::Connection;

/// What one client saw.
#[derive(Debug, Default, Clone)]
pub(crate) struct Seen {
    pub(crate) answered: usize,
    pub(crate) busy: usize,
    pub(crate) failed: Vec<String>,
    pub(crate) slowest: Duration,
    pub(crate) waited: Duration,
}

/// Lets clients ask for hints at some rules while `goes_on`, one question after the other, each at a different position.
pub(crate) fn hints(port: u16, rules: &str, clients: u64, goes_on: impl Fn(&Seen) -> bool + Sync) -> Vec<Seen> {
    let (rules, goes_on) = (&rules.parse().expect("rules"), &goes_on);
    thread::scope(|scope| {
        let ask = |client| scope.spawn(move || ask_on(port, rules, client, goes_on));
        let threads: Vec<_> = (0..clients).map(ask).collect();
        threads.into_iter().map(|thread| thread.join().expect("a client")).collect()
    })
}

fn ask_on(port: u16, rules: &Rules, client: u64, goes_on: impl Fn(&Seen) -> bool) -> Seen {
    let mut rng = Rng::new(client);
    let mut seen = Seen::default();
    let mut connection = match Connection::new(port) {
        Ok(connection) => connection,
        Err(error) => return Seen { failed: vec![error.to_string()], ..seen },
    };
    while goes_on(&seen) {
        let body = question(rules, &mut rng);
        let start = Instant::now();
        match connection.post("hint", &body) {
            Ok((200, answer)) if answer.contains("\"guess\"") => seen.answered += 1,
            Ok((503, _)) => {
                seen.busy += 1;
                thread::sleep(Duration::from_millis(200));
            }
            Ok((status, answer)) => seen.failed.push(format!("{status} {answer}")),
            Err(error) => {
                seen.failed.push(error.to_string());
                break;
            }
        }
        seen.waited += start.elapsed();
        seen.slowest = seen.slowest.max(start.elapsed());
    }
    seen
}

/// A game that has gone on for a few turns.
fn question(rules: &Rules, rng: &mut Rng) -> String {
    let secret = rng.code(rules);
    let mut history = History::new(rules.clone());
    for _ in 0..rng.below(4) {
        let guess = rng.code(rules);
        let feedback = pegwise_game::feedback(rules, &guess, &secret);
        history.push(Turn { guess, feedback }).expect("a code of the rules");
        if history.is_solved() {
            history.pop();
        }
    }
    serde_json::json!({ "rules": rules, "turns": history.turns(), "alternatives": 5 }).to_string()
}
