//! Answers line by line: a job's name, how it gets on, what is found on the way, and the answer. A value of JSON a
//! line.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::header,
    response::{IntoResponse as _, Response},
};
use futures_core::Stream;
use serde_json::{Value, json};

use crate::jobs::{News, Ticket};

/// What a client accepts that wants lines.
pub(super) const KIND: &str = "application/x-ndjson";

/// How often to tell that nothing is new.
const TICK: Duration = Duration::from_millis(200);

/// The line of an answer that was there at once.
pub(super) fn of_answer(answer: Value) -> Response {
    ([(header::CONTENT_TYPE, KIND)], line(&json!({ "answer": answer }))).into_response()
}

/// The lines of a job.
pub(super) fn of_ticket(ticket: Ticket) -> Response {
    let first = Some(line(&json!({ "job": ticket.name() })));
    let lines = Lines { first, next: Some(Box::pin(next(ticket))) };
    ([(header::CONTENT_TYPE, KIND)], Body::from_stream(lines)).into_response()
}

fn line(value: &Value) -> Bytes {
    Bytes::from(format!("{value}\n"))
}

/// The next line, and the ticket if there is more to come.
async fn next(mut ticket: Ticket) -> (Bytes, Option<Ticket>) {
    match ticket.next(TICK).await {
        News::Line(value) => (line(&value), Some(ticket)),
        News::Tick => (line(&json!({ "progress": ticket.progress() })), Some(ticket)),
        News::Done(Ok(answer)) => (line(&json!({ "answer": answer })), None),
        News::Done(Err(error)) => (line(&error.body()), None),
    }
}

type Next = Pin<Box<dyn Future<Output = (Bytes, Option<Ticket>)> + Send>>;

/// The lines of a job, for the body of an answer. When the client goes away the body is dropped, the ticket with it,
/// and the job stops.
struct Lines {
    first: Option<Bytes>,
    next: Option<Next>,
}

impl Stream for Lines {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        let Some(future) = &mut self.next else { return Poll::Ready(None) };
        future.as_mut().poll(context).map(|(line, ticket)| {
            self.next = ticket.map(|ticket| -> Next { Box::pin(next(ticket)) });
            Some(Ok(line))
        })
    }
}
