//! How every question is answered over HTTP.

use std::net::SocketAddr;

use axum::{
    Extension, Json,
    extract::{ConnectInfo, State},
    http::{HeaderMap, header},
    response::{IntoResponse as _, Response},
};

use super::{Question, Task, body::Body, stream};
use crate::{jobs::Client, server::Shared};

/// Answers a question: as one value, or line by line to a client that wants to see how it gets on.
pub(super) async fn ask<Q: Question>(
    State(shared): State<Shared>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    Body(question): Body<Q>,
) -> Response {
    let client = peer.map_or(Client::Here(0), |Extension(ConnectInfo(address))| address.into());
    let by_line = headers.get(header::ACCEPT).is_some_and(|accept| accept == stream::KIND);
    let task = match question.task(&shared.limits) {
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
