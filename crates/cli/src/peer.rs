//! Another program as the codemaker: it is asked for each feedback over its standard input and output.
//!
//! Each guess is a line such as `{"rules":"4x6","turn":1,"guess":[1,1,2,2]}`, and is answered with a line such as
//! `{"feedback":[{"black":1,"white":0}]}`, or `{"feedback":"1,0"}` for short. The end of its input is the end of the
//! game. Whatever the program does instead, the game ends with an error that names it, and the program is ended.

use std::time::Duration;

use pegwise_game::{Code, Feedback, History, Rules, Turn};
use pegwise_lab::{
    external::{self, Program, ProgramConnection, ProgramError},
    wire,
};
use pegwise_solve::{
    Search, StrategyError,
    candidates::{CandidateTracker, contradiction},
    codemaker::{Codemaker, CodemakerError},
};
use serde_json::json;

use crate::mended;

/// A program that answers guesses.
pub(crate) struct Peer {
    program: Program,
    talk: ProgramConnection,
    timeout: Duration,
    history: History,
    /// The codes that fit the answers, where they are few enough to see a contradiction at once.
    remaining: Option<CandidateTracker>,
}

impl Peer {
    /// Starts the program.
    pub(crate) fn start(program: &Program, rules: &Rules, timeout: Duration) -> anyhow::Result<Self> {
        let talk = ProgramConnection::start(program)?;
        Ok(Self {
            program: program.clone(),
            talk,
            timeout,
            history: History::new(rules.clone()),
            remaining: CandidateTracker::new(rules).ok().filter(|remaining| remaining.all().is_some()),
        })
    }

    /// What the program answers to a guess, if that is a feedback.
    fn ask(&mut self, guess: &Code) -> Result<Feedback, String> {
        let rules = self.history.rules();
        let question = json!({ "rules": rules.to_string(), "turn": self.history.len() + 1, "guess": guess });
        let answer = self.talk.ask(&question, self.timeout).map_err(|error| match error {
            ProgramError::Slow { .. } => format!("{error}; --reply-timeout lets it take longer"),
            error => error.to_string(),
        })?;
        if let Some(error) = answer.get("error") {
            let error = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
            return Err(format!("reports an error: {}", wire::excerpt(&error)));
        }
        let Some(feedback) = answer.get("feedback") else {
            return Err(format!("wrote '{}', which has no field \"feedback\"", wire::excerpt(&answer.to_string())));
        };
        wire::feedback(rules, feedback)
            .map_err(|error| format!("wrote '{}': {error}", wire::excerpt(&answer.to_string())))
    }

    /// Why the answers so far cannot all be true, if that is plain to see.
    fn contradiction(&mut self) -> Option<String> {
        let (last, before) = self.history.turns().split_last()?;
        if let Some(first) = before.iter().position(|turn| turn.guess == last.guess && turn.feedback != last.feedback) {
            let turns = [first + 1, self.history.len()];
            return Some(format!("contradicts itself: {}", mended::name_turns(&turns, &self.history)));
        }
        let mut search = Search::new(0);
        let fits = match self.history.is_solved() {
            true => self.history.is_consistent(&last.guess),
            false => {
                let view = self.remaining.as_mut()?.after(&self.history, &mut search);
                !matches!(view, Err(StrategyError::Contradiction { .. }))
            }
        };
        let turns = (!fits).then(|| contradiction(&self.history, &mut search))?;
        Some(format!("contradicts itself: {}", mended::name_turns(&turns, &self.history)))
    }
}

impl Codemaker for Peer {
    fn reply(&mut self, guess: &Code) -> Result<Feedback, CodemakerError> {
        let named = |peer: &Self, trouble: String| CodemakerError::Peer(format!("'{}' {trouble}", peer.program));
        let feedback = self.ask(guess).map_err(|trouble| named(self, trouble))?;
        self.history.push(Turn { guess: guess.clone(), feedback: feedback.clone() })?;
        if let Some(trouble) = self.contradiction() {
            return Err(named(self, trouble));
        }
        let most = external::max_guesses(self.history.rules());
        if self.history.len() >= most && !self.history.is_solved() {
            let trouble = format!("has no code that {most} guesses find; its answers cannot all be true");
            return Err(named(self, trouble));
        }
        Ok(feedback)
    }

    /// The code, once it was played; before that only the program knows.
    fn reveal(&self) -> Option<Code> {
        let last = self.history.turns().last().filter(|_| self.history.is_solved())?;
        Some(last.guess.clone())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if self.history.is_solved() {
            self.talk.close();
        }
    }
}
