//! Questions about a game that are answered at once: rules, secrets, feedback.

use pegwise_coach::{seal, unseal};
use pegwise_game::{Code, Feedback, FeedbackKind, Rules, SerializedCode, Space};
use pegwise_solve::seeds;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Question, Reply, parse_code};
use crate::{error::ApiError, limits::ServerLimits};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RulesQuestion {
    rules: String,
}

impl Question for RulesQuestion {
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError> {
        let rules = limits.rules(&self.rules)?;
        Reply::done(&describe(&rules))
    }
}

/// Describes rules; the OpenAPI document explains the fields.
pub(crate) fn describe(rules: &Rules) -> Value {
    let board = rules.board();
    let codes = Space::new(rules).count();
    let lines = board.lines().map(|line| line.iter().map(|cell| cell + 1).collect());
    json!({
        "rules": rules,
        "shape": board.shape().name(),
        "sides": board.shape().sides(),
        "cells": rules.cells(),
        "colors": rules.colors(),
        "repeats": rules.repeats(),
        "feedback": rules.feedback().name(),
        "max_guesses": rules.max_guesses(),
        "lines": lines.collect::<Vec<Vec<usize>>>(),
        "codes": codes,
        "digits": codes.log10(),
        "winning": Feedback::winning(rules),
        "number_names": rules.feedback().number_names().map(ToString::to_string).collect::<Vec<_>>(),
        "number_words": rules.number_words().collect::<Vec<_>>(),
        "in_digits": rules.palette().has_digits(),
        "feedback_kinds": FeedbackKind::ALL.map(FeedbackKind::name),
    })
}

/// Request to draw a secret from a seed, to seal a given secret, or to open a seal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SecretQuestion {
    rules: String,
    seed: Option<u64>,
    secret: Option<SerializedCode>,
    sealed: Option<String>,
    /// Include the code in the answer.
    #[serde(default)]
    reveal: bool,
}

impl Question for SecretQuestion {
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let code = match (self.seed, self.secret, self.sealed) {
            (Some(seed), None, None) => seeds::secret(seed, &rules),
            (None, given, sealed) => given_secret(&rules, given.as_ref(), sealed.as_deref())?,
            _ => return Err(ApiError::bad_request("bad-secret", "give exactly one of seed, secret and sealed")),
        };
        let revealed = self.reveal.then_some(&code);
        Reply::done(&json!({ "rules": rules, "sealed": seal(&rules, &code), "secret": revealed }))
    }
}

/// Returns the secret given in plain text or sealed.
pub(super) fn given_secret(
    rules: &Rules,
    secret: Option<&SerializedCode>,
    sealed: Option<&str>,
) -> Result<Code, ApiError> {
    match (secret, sealed) {
        (Some(secret), None) => parse_code(secret, rules, "secret"),
        (None, Some(sealed)) => open_seal(rules, sealed),
        _ => Err(ApiError::bad_request("bad-secret", "give either secret or sealed")),
    }
}

fn open_seal(rules: &Rules, sealed: &str) -> Result<Code, ApiError> {
    unseal(rules, sealed).ok_or_else(|| {
        ApiError::bad_request("bad-seal", "the sealed code is damaged, or belongs to other rules")
            .with_hint("copy the whole address of the game")
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FeedbackQuestion {
    rules: String,
    guess: SerializedCode,
    secret: Option<SerializedCode>,
    sealed: Option<String>,
}

impl Question for FeedbackQuestion {
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError> {
        let rules = limits.rules(&self.rules)?;
        if rules.lies() > 0 {
            let why = "an answer that may be a lie depends on earlier turns, but this request has a single guess";
            return Err(ApiError::bad_request("bad-rules", why).with_hint("remove lies=, or play in the terminal"));
        }
        let guess = parse_code(&self.guess, &rules, "guess")?;
        let secret = given_secret(&rules, self.secret.as_ref(), self.sealed.as_deref())?;
        let feedback = pegwise_game::feedback(&rules, &guess, &secret);
        Reply::done(&json!({ "feedback": feedback, "solved": feedback.is_winning(&rules) }))
    }
}
