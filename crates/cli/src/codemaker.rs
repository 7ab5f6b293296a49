//! Codemakers of `pegwise solve`: a fixed code, an adversary, or an external program.
//!
//! An external codemaker reads each guess as a line such as `{"rules":"4x6","turn":1,"guess":[1,1,2,2]}` and answers
//! with a line such as `{"feedback":[{"black":1,"white":0}]}`, or `{"feedback":"1,0"}` for short. The end of its input
//! is the end of the game. Any other answer ends the game with an error that names the program.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::ValueEnum;
use pegwise_game::{Code, Feedback, History, Rules, Space, Turn, shorten};
use pegwise_lab::{
    external::{self, Program, ProgramConnection, ProgramError},
    wire,
};
use pegwise_solve::{
    Limits, Rng, Search, Spec, StrategyError, Watch,
    candidates::{CandidateTracker, contradiction},
    codemaker::{Adversary, Codemaker, CodemakerError},
    tree::{Builder, Tree, TreeFile},
};
use serde_json::json;

use crate::{
    arguments::{self, duration},
    contradiction::name_turns,
    solve::GameSetup,
    tree,
    ui::ProgressDisplay,
};

/// Codemaker and its secret.
#[derive(Debug, clap::Args)]
pub(crate) struct CodemakerArgs {
    /// Secret code [default: drawn from the seed].
    #[arg(long, value_name = "CODE")]
    pub(crate) secret: Option<String>,

    /// Codemaker.
    #[arg(long, value_enum, value_name = "KIND", default_value_t)]
    codemaker: CodemakerKind,

    /// External program that answers the guesses, with its arguments (one JSON line per guess).
    #[arg(long, value_name = "PROGRAM", value_parser = Program::parse, conflicts_with_all = ["secret", "codemaker"])]
    codemaker_command: Option<Program>,

    /// Timeout for each answer of that program.
    #[arg(long, value_name = "TIME", default_value = "30", requires = "codemaker_command")]
    #[arg(value_parser = duration, allow_hyphen_values = true)]
    reply_timeout: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum CodemakerKind {
    /// Keeps one code for the whole game
    #[default]
    Fixed,
    /// Changes its code; each answer leaves the most codes
    Adversary,
    /// Changes its code; each answer costs the strategy the most guesses (the time limit also applies to this search)
    Worst,
}

impl CodemakerArgs {
    /// Returns true if the same seed plays the same game; an external program may not.
    pub(crate) fn is_reproducible(&self) -> bool {
        self.codemaker_command.is_none()
    }

    /// Replaces the codemaker of a game as requested; `tree` is the tree of the strategy, if known.
    pub(crate) fn apply(&self, setup: GameSetup, tree: Option<&TreeFile>, limits: Limits) -> anyhow::Result<GameSetup> {
        let rules = setup.rules.clone();
        if let Some(program) = &self.codemaker_command {
            let codemaker = ExternalCodemaker::start(program, &rules, self.reply_timeout);
            return Ok(setup.against(program.to_string(), Box::new(codemaker.context("--codemaker-command")?)));
        }
        if self.codemaker == CodemakerKind::Fixed {
            return Ok(setup);
        }
        let name = self.codemaker.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
        ensure!(rules.lies() == 0, "--codemaker {name} cannot lie; omit lies= from the rules");
        ensure!(self.secret.is_none(), "--codemaker {name} has no fixed secret; omit --secret or --codemaker");
        ensure!(setup.secrets.is_none(), "--codemaker {name} may use any code; omit --secrets or --codemaker");
        // A separate stream: the strategy draws the same numbers against every codemaker.
        let adversary = Adversary::new(&rules, Rng::for_path(setup.seed, [&b"codemaker"[..]]));
        let mut adversary = adversary.with_context(|| format!("--codemaker {name}"))?;
        if self.codemaker == CodemakerKind::Worst {
            let tree = match tree {
                Some(file) => file.tree.clone(),
                None => whole_tree(&setup.strategy, &rules, limits)
                    .context("--codemaker worst needs the whole tree of the strategy")?,
            };
            adversary = adversary.against(tree);
        }
        Ok(setup.against(name, Box::new(adversary)))
    }
}

fn whole_tree(strategy: &Spec, rules: &Rules, limits: Limits) -> anyhow::Result<Tree> {
    if let Some(tree) = arguments::build(strategy, rules)?.tree() {
        return Ok(tree.clone());
    }
    let strategy = tree::position_strategy(strategy, rules)?;
    let builder = Builder::new(rules, Watch::new(limits.time, None));
    let codes = Space::new(rules).count().exact().and_then(|codes| u64::try_from(codes).ok()).unwrap_or(u64::MAX);
    let progress = ProgressDisplay::of_codes(codes);
    Ok(progress.poll(|| builder.done(), || builder.build(&*strategy))?)
}

struct ExternalCodemaker {
    program: Program,
    talk: ProgramConnection,
    timeout: Duration,
    history: History,
    /// Candidates, if they are few enough to detect a contradiction at once.
    remaining: Option<CandidateTracker>,
}

impl ExternalCodemaker {
    fn start(program: &Program, rules: &Rules, timeout: Duration) -> anyhow::Result<Self> {
        Ok(Self {
            program: program.clone(),
            talk: ProgramConnection::start(program)?,
            timeout,
            history: History::new(rules.clone()),
            remaining: CandidateTracker::listed(rules),
        })
    }

    fn ask(&mut self, guess: &Code) -> Result<Feedback, String> {
        let rules = self.history.rules();
        let question = json!({ "rules": rules.to_string(), "turn": self.history.len() + 1, "guess": guess });
        let answer = self.talk.ask(&question, self.timeout).map_err(|error| match error {
            ProgramError::Slow(_) => format!("{error}; increase --reply-timeout"),
            error => error.to_string(),
        })?;
        if let Some(error) = answer.get("error") {
            let error = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
            return Err(format!("reports an error: {}", shorten(&error)));
        }
        let Some(feedback) = answer.get("feedback") else {
            return Err(format!("wrote '{}', which has no field \"feedback\"", shorten(&answer.to_string())));
        };
        wire::feedback(rules, feedback).map_err(|error| format!("wrote '{}': {error}", shorten(&answer.to_string())))
    }

    /// Returns a message if the answers so far are found to contradict each other.
    fn contradiction(&mut self) -> Option<String> {
        let (last, before) = self.history.turns().split_last()?;
        let repeated = before.iter().position(|turn| turn.guess == last.guess && turn.feedback != last.feedback);
        let mut search = Search::new(0);
        let turns = if let Some(first) = repeated {
            vec![first + 1, self.history.len()]
        } else {
            let fits = match self.history.is_solved() {
                true => self.history.is_consistent(&last.guess),
                false => {
                    let view = self.remaining.as_mut()?.after(&self.history, &mut search);
                    !matches!(view, Err(StrategyError::Contradiction { .. }))
                }
            };
            (!fits).then(|| contradiction(&self.history, &mut search))?
        };
        Some(format!("contradicts itself: {}", name_turns(&turns, &self.history)))
    }
}

impl Codemaker for ExternalCodemaker {
    fn reply(&mut self, guess: &Code) -> Result<Feedback, CodemakerError> {
        let named = |this: &Self, problem: String| CodemakerError::Peer(format!("'{}' {problem}", this.program));
        let feedback = self.ask(guess).map_err(|problem| named(self, problem))?;
        self.history.push(Turn { guess: guess.clone(), feedback: feedback.clone() })?;
        if let Some(problem) = self.contradiction() {
            return Err(named(self, problem));
        }
        let max = external::max_guesses(self.history.rules());
        if self.history.len() >= max && !self.history.is_solved() {
            return Err(named(self, format!("was not solved in {max} guesses; its answers cannot all be true")));
        }
        Ok(feedback)
    }

    /// Returns the code once it was played.
    fn reveal(&self) -> Option<Code> {
        let last = self.history.turns().last().filter(|_| self.history.is_solved())?;
        Some(last.guess.clone())
    }
}

impl Drop for ExternalCodemaker {
    fn drop(&mut self) {
        if self.history.is_solved() {
            self.talk.close();
        }
    }
}
