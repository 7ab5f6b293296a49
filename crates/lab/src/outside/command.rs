//! Another program as a strategy: it speaks the engine protocol, and this program asks.

use std::{sync::Arc, time::Duration};

use pegwise_game::{Code, History, Rules, Trail};
use pegwise_solve::{
    Basis, Proposal, Search, Spec, Strategy, StrategyError,
    catalog::{self, ExternalStrategy, RegisterError},
};
use serde_json::{Value, json};

use super::{Program, Talk, TalkError, most_guesses};
use crate::wire;

/// What precedes the name of a program among the strategies.
const PREFIX: &str = "command";

/// Lists a program as a strategy. It is started when it is asked for its first guess, once a thread, and again when it was
/// ended because it failed.
pub fn admit(program: &Program, patience: Duration) -> Result<Spec, RegisterError> {
    let (name, about) = (format!("{PREFIX}-{}", program.label()), format!("the program {program}"));
    let made = program.clone();
    let make = move |rules: &Rules| Ok(Box::new(Engine::new(&made, rules, patience)) as Box<dyn Strategy>);
    catalog::register_external(ExternalStrategy {
        name,
        about,
        fingerprint: program.fingerprint(),
        make: Arc::new(make),
    })
}

/// A program that plays.
pub struct Engine {
    program: Program,
    rules: Rules,
    patience: Duration,
    /// The program, while it runs.
    talk: Option<Talk>,
    /// The turns that it was told.
    trail: Trail,
}

impl Engine {
    /// A player of these rules that may take so long for each answer.
    #[must_use]
    pub fn new(program: &Program, rules: &Rules, patience: Duration) -> Self {
        let (program, rules) = (program.clone(), rules.clone());
        Self { program, rules, patience, talk: None, trail: Trail::default() }
    }

    /// The next guess, or what the program did instead.
    fn guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Code, String> {
        if history.len() >= most_guesses(&self.rules) {
            return Err(format!("has not found the code in {} guesses", history.len()));
        }
        let course = self.trail.follow(history);
        let known = if self.talk.is_some() { course.known() } else { 0 };
        if known == 0 {
            // A seed is drawn for each game, whether or not the program makes use of it.
            let seed = search.rng.word();
            self.ask(&json!({ "do": "new", "rules": self.rules.to_string(), "seed": seed }), "new")?;
        }
        for turn in &history.turns()[known..] {
            self.ask(&json!({ "do": "turn", "guess": turn.guess, "feedback": turn.feedback }), "turn")?;
        }
        let question = match search.limits().time {
            Some(time) => json!({ "do": "guess", "time_limit": time.as_secs_f64() }),
            None => json!({ "do": "guess" }),
        };
        let answer = self.ask(&question, "guess")?;
        let line = || wire::excerpt(&answer.to_string());
        let guess = answer.get("guess").ok_or_else(|| format!("wrote '{}', which has no field \"guess\"", line()))?;
        wire::code(&self.rules, guess).map_err(|error| format!("wrote '{}': {error}", line()))
    }

    /// Asks, and waits for the answer behind lines that tell of progress.
    fn ask(&mut self, question: &Value, reply: &str) -> Result<Value, String> {
        let talk = match &mut self.talk {
            Some(talk) => talk,
            none => none.insert(Talk::start(&self.program).map_err(|error| error.to_string())?),
        };
        let trouble = |error: TalkError| error.to_string();
        let mut answer = talk.ask(question, self.patience).map_err(trouble)?;
        loop {
            match answer.get("reply").and_then(Value::as_str) {
                Some("progress") => answer = talk.listen(self.patience).map_err(trouble)?,
                Some("error") => {
                    let error = answer.get("error").and_then(Value::as_str).unwrap_or("an error without a text");
                    return Err(format!("reports an error: {}", wire::excerpt(error)));
                }
                Some(found) if found == reply => return Ok(answer),
                _ => {
                    let line = wire::excerpt(&answer.to_string());
                    return Err(format!("wrote '{line}' instead of an answer with \"reply\":\"{reply}\""));
                }
            }
        }
    }
}

impl Strategy for Engine {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        match self.guess(history, search) {
            Ok(guess) => Ok(Proposal::new(guess, Basis::Planned)),
            Err(trouble) => {
                // What it says next belongs to a game that is lost.
                self.talk = None;
                Err(StrategyError::Failed { reason: format!("'{}' {trouble}", self.program) })
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(talk) = &mut self.talk {
            talk.say_goodbye();
        }
    }
}
