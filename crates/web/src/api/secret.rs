//! Secrets: drawn, sealed so that an honest player does not see them, and opened again.

use pegwise_coach::seal;
use pegwise_game::{Code, Rules};
use pegwise_solve::Rng;
use serde::Deserialize;
use serde_json::json;

use super::{Question, Task};
use crate::{
    error::ApiError,
    limits::Limits,
    wire::{self, CodeText},
};

/// Draws a secret by a seed, seals one that is given, or opens a seal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SecretQuestion {
    rules: String,
    seed: Option<u64>,
    secret: Option<CodeText>,
    sealed: Option<String>,
    /// Whether to show the code.
    #[serde(default)]
    reveal: bool,
}

impl Question for SecretQuestion {
    fn task(self, limits: &Limits) -> Result<Task, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let code = match (self.seed, self.secret, self.sealed) {
            (Some(seed), None, None) => drawn(&rules, seed),
            (None, given, sealed) => one_of(&rules, given.as_ref(), sealed.as_deref())?,
            _ => return Err(ApiError::bad_request("bad-secret", "give a seed, a secret or a seal, and one only")),
        };
        let shown = self.reveal.then_some(&code);
        Task::done(&json!({ "rules": rules, "sealed": seal(&rules, &code), "secret": shown }))
    }
}

/// The secret that a seed draws.
pub(super) fn drawn(rules: &Rules, seed: u64) -> Code {
    Rng::for_path(seed, [b"secret".as_slice(), rules.to_string().as_bytes()]).code(rules)
}

/// The secret that is given open or sealed.
pub(super) fn one_of(rules: &Rules, secret: Option<&CodeText>, sealed: Option<&str>) -> Result<Code, ApiError> {
    match (secret, sealed) {
        (Some(secret), None) => wire::code(rules, "secret", secret),
        (None, Some(sealed)) => open(rules, sealed),
        _ => Err(ApiError::bad_request("bad-secret", "give a secret or a seal, and one only")),
    }
}

fn open(rules: &Rules, sealed: &str) -> Result<Code, ApiError> {
    pegwise_coach::unseal(rules, sealed).ok_or_else(|| {
        ApiError::bad_request("bad-seal", "the sealed code is damaged, or of other rules")
            .with_hint("copy the whole address of the game")
    })
}
