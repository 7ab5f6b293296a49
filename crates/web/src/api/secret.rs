//! Secrets: drawn, sealed so that an honest player does not see them, and opened again.

use pegwise_coach::{Mode, Record};
use pegwise_game::{Code, History, Rules};
use pegwise_solve::Rng;
use serde::Deserialize;
use serde_json::json;

use super::{Question, Task};
use crate::{
    error::ApiError,
    server::App,
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
    fn task(self, app: &App) -> Result<Task, ApiError> {
        let rules = app.limits.rules(&self.rules)?;
        let code = match (self.seed, self.secret, self.sealed) {
            (Some(seed), None, None) => drawn(&rules, seed),
            (None, given, sealed) => one_of(&rules, given.as_ref(), sealed.as_deref())?,
            _ => return Err(ApiError::bad_request("bad-secret", "give a seed, a secret or a seal, and one only")),
        };
        let shown = self.reveal.then_some(&code);
        Task::done(&json!({ "rules": rules, "sealed": seal(&rules, &code)?, "secret": shown }))
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

/// The word that a seal follows in the line of a game.
const SEALED: &str = "sealed:";

fn seal(rules: &Rules, code: &Code) -> Result<String, ApiError> {
    let record = Record { secret: Some(code.clone()), ..Record::new(Mode::Break, &History::new(rules.clone())) };
    let line = record.line();
    let sealed = line.split(' ').find_map(|word| word.strip_prefix(SEALED));
    sealed.map(str::to_owned).ok_or_else(ApiError::broken)
}

fn open(rules: &Rules, sealed: &str) -> Result<Code, ApiError> {
    let damaged = || {
        ApiError::bad_request("bad-seal", "the sealed code is damaged, or of other rules")
            .with_hint("copy the whole address of the game")
    };
    if sealed.is_empty() || !sealed.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(damaged());
    }
    let mut line = Record::new(Mode::Break, &History::new(rules.clone())).line();
    line.push(' ');
    line.push_str(SEALED);
    line.push_str(sealed);
    Record::from_line(&line).ok().and_then(|record| record.secret).ok_or_else(damaged)
}
