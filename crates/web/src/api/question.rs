//! What a question is, whoever asks it: over HTTP, or a page that has the engine in itself.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    error::ApiError,
    jobs::Desk,
    limits::{Limits, Weight},
};

/// Something a client may ask.
pub(super) trait Question: DeserializeOwned + Send + 'static {
    /// Reads the request, and tells what there is to compute.
    fn task(self, limits: &Limits) -> Result<Task, ApiError>;
}

type Work = Box<dyn FnOnce(&Desk) -> Result<Value, ApiError> + Send>;

/// What there is to compute.
pub(super) enum Task {
    /// Nothing: the answer is there.
    Done(Value),
    /// This, on a worker.
    #[cfg_attr(not(feature = "server"), expect(dead_code, reason = "without a server there are no ranks"))]
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
