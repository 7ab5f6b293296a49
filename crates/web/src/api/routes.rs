//! Every address of the API.

use axum::{
    Router,
    http::StatusCode,
    routing::{MethodRouter, delete, get, post},
};

use super::{
    analyze, ask::ask, feedback, health, hint, jobs, lab, measure, mend, openapi, remaining, rules, secret, split,
    strategies, watch,
};
use crate::{error::ApiError, server::Shared};

/// Every route: method, path, and who answers.
pub(super) fn table() -> [(&'static str, &'static str, MethodRouter<Shared>); 16] {
    [
        ("get", "/api/v1/health", get(health::health)),
        ("get", "/api/v1/openapi.json", get(openapi::document)),
        ("get", "/api/v1/strategies", get(strategies::strategies)),
        ("get", "/api/v1/lab", get(lab::report)),
        ("get", "/api/v1/lab/figures/{name}", get(lab::figure)),
        ("post", "/api/v1/rules", post(ask::<rules::RulesQuestion>)),
        ("post", "/api/v1/secret", post(ask::<secret::SecretQuestion>)),
        ("post", "/api/v1/feedback", post(ask::<feedback::FeedbackQuestion>)),
        ("post", "/api/v1/hint", post(ask::<hint::HintQuestion>)),
        ("post", "/api/v1/remaining", post(ask::<remaining::RemainingQuestion>)),
        ("post", "/api/v1/split", post(ask::<split::SplitQuestion>)),
        ("post", "/api/v1/mend", post(ask::<mend::MendQuestion>)),
        ("post", "/api/v1/analyze", post(ask::<analyze::AnalyzeQuestion>)),
        ("post", "/api/v1/watch", post(ask::<watch::WatchQuestion>)),
        ("post", "/api/v1/measure", post(ask::<measure::MeasureQuestion>)),
        ("delete", "/api/v1/jobs/{job}", delete(jobs::stop)),
    ]
}

/// The routes of the API.
pub(crate) fn routes() -> Router<Shared> {
    let routes = table().into_iter().fold(Router::new(), |router, (_, path, handler)| router.route(path, handler));
    routes.method_not_allowed_fallback(wrong_method)
}

/// The answer to a method that an address does not take.
pub(crate) async fn wrong_method() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", "this address takes another method")
        .with_hint("/api/v1/openapi.json tells every address and its method")
}
