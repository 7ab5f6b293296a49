//! Metrics of the server, and its request log.

use std::{
    io::Write as _,
    net::IpAddr,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use crate::jobs::Scheduler;

/// Counters since the start of the server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: AtomicU64,
    /// Answers by the first digit of their status.
    answers: [AtomicU64; 6],
    /// Total time to answer, in microseconds.
    micros: AtomicU64,
    /// Open connections.
    pub(crate) connections: AtomicUsize,
    /// Connections refused because of the limit per address.
    pub(crate) refused: AtomicU64,
}

impl Metrics {
    /// Counts a request and returns its number.
    pub(crate) fn next_request(&self) -> u64 {
        self.requests.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Counts an answer.
    pub(crate) fn answered(&self, status: u16, time: Duration) {
        if let Some(count) = self.answers.get(usize::from(status / 100)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.micros.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Returns the metrics in the text format of Prometheus.
    pub(crate) fn text(&self, scheduler: &Scheduler) -> String {
        let load = scheduler.load();
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed).to_string();
        let answers = self.answers.iter().enumerate().skip(2);
        let answers = answers.map(|(digit, answers)| (format!("{{status=\"{digit}xx\"}}"), count(answers)));
        let one = |value: String| vec![(String::new(), value)];
        let seconds = self.micros.load(Ordering::Relaxed) as f64 / 1e6;
        let metrics = [
            ("requests_total", "counter", one(count(&self.requests))),
            ("answers_total", "counter", answers.collect()),
            ("connections", "gauge", one(self.connections.load(Ordering::Relaxed).to_string())),
            ("workers_busy", "gauge", one(load.working.to_string())),
            ("workers_given_up", "gauge", one(scheduler.abandoned_workers().to_string())),
            ("requests_waiting", "gauge", one(load.waiting.to_string())),
            ("answer_seconds_total", "counter", one(format!("{seconds:.6}"))),
            ("connections_refused_total", "counter", one(count(&self.refused))),
        ];
        let mut text = String::new();
        for (name, kind, values) in metrics {
            text += &format!("# TYPE pegwise_{name} {kind}\n");
            text.extend(values.iter().map(|(label, value)| format!("pegwise_{name}{label} {value}\n")));
        }
        text
    }
}

pub(crate) struct LogLine<'a> {
    pub(crate) number: u64,
    pub(crate) client: Option<IpAddr>,
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) status: u16,
    pub(crate) time: Duration,
}

impl LogLine<'_> {
    /// Writes the line to standard error.
    pub(crate) fn write(&self) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
        let client = self.client.map_or_else(|| "-".to_owned(), |client| client.to_string());
        let Self { number, method, path, status, time, .. } = self;
        let line = format!("{now:.3} #{number} {client} {method} {path} {status} {:.1}ms\n", time.as_secs_f64() * 1e3);
        // A failed log line must not stop the server.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}
