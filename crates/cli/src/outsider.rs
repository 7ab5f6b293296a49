//! A program of somebody else's as the strategy.

use std::time::Duration;

use anyhow::Context as _;
use pegwise_lab::external::{self, Program};
use pegwise_solve::Spec;

use crate::arguments;

/// A program that plays.
#[derive(Debug, clap::Args)]
pub(crate) struct Outsider {
    /// A program that plays instead of a strategy, with its arguments; it speaks the engine protocol.
    #[arg(long, value_name = "PROGRAM", value_parser = Program::parse, conflicts_with = "strategy")]
    strategy_command: Option<Program>,

    #[command(flatten)]
    patience: Patience,
}

/// How long to wait for a program.
#[derive(Debug, clap::Args)]
pub(crate) struct Patience {
    /// The longest that program may take for an answer.
    #[arg(long, value_name = "SECONDS", default_value = "30", requires = "strategy_command")]
    #[arg(value_parser = arguments::time_limit, allow_hyphen_values = true)]
    guess_timeout: Duration,
}

impl Outsider {
    /// Whether a program plays.
    pub(crate) fn is_there(&self) -> bool {
        self.strategy_command.is_some()
    }

    /// Who plays: the program, where there is one.
    pub(crate) fn or(&self, strategy: Spec) -> anyhow::Result<Spec> {
        self.strategy_command.as_ref().map_or(Ok(strategy), |program| self.patience.admit(program))
    }
}

impl Patience {
    /// Lists a program as a strategy.
    pub(crate) fn admit(&self, program: &Program) -> anyhow::Result<Spec> {
        external::register(program, self.guess_timeout).context("--strategy-command")
    }
}
