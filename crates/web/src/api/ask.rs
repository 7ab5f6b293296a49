//! How every question is answered.

use std::net::SocketAddr;

use axum::{
    Extension, Json,
    extract::{ConnectInfo, State},
    http::{HeaderMap, header},
    response::{IntoResponse as _, Response},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{body::Body, stream};
use crate::{
    error::ApiError,
    jobs::{Client, Desk},
    limits::Weight,
    server::{App, Shared},
};

/// Something a client may ask.
pub(super) trait Question: DeserializeOwned + Send + 'static {
    /// Reads the request, and tells what there is to compute.
    fn task(self, app: &App) -> Result<Task, ApiError>;
}

type Work = Box<dyn FnOnce(&Desk) -> Result<Value, ApiError> + Send>;

/// What there is to compute.
pub(super) enum Task {
    /// Nothing: the answer is there.
    Done(Value),
    /// This, on a worker.
    Work(Weight, Work),
}

impl Task {
    pub(super) fn done(answer: &impl Serialize) -> Result<Self, ApiError> {
        value(answer).map(Self::Done)
    }

    pub(super) fn work<T: Serialize>(
        weight: Weight,
        work: impl FnOnce(&Desk) -> Result<T, ApiError> + Send + 'static,
    ) -> Self {
        Self::Work(weight, Box::new(move |desk| work(desk).and_then(|answer| value(&answer))))
    }
}

/// An answer as JSON.
pub(super) fn value(answer: &impl Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(answer).map_err(|_| ApiError::broken())
}

/// Answers a question: as one value, or line by line to a client that wants to see how it gets on.
pub(super) async fn ask<Q: Question>(
    State(shared): State<Shared>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    Body(question): Body<Q>,
) -> Response {
    let client = peer.map_or(Client::Here(0), |Extension(ConnectInfo(address))| address.into());
    let by_line = headers.get(header::ACCEPT).is_some_and(|accept| accept == stream::KIND);
    let task = match question.task(&shared) {
        Ok(task) => task,
        Err(error) => return error.into_response(),
    };
    match task {
        Task::Done(answer) if by_line => stream::of_answer(answer),
        Task::Done(answer) => Json(answer).into_response(),
        Task::Work(weight, work) => match shared.pool.submit(client, weight, work) {
            Err(error) => error.into_response(),
            Ok(ticket) if by_line => stream::of_ticket(ticket),
            Ok(ticket) => match ticket.result().await {
                Ok(answer) => Json(answer).into_response(),
                Err(error) => error.into_response(),
            },
        },
    }
}
