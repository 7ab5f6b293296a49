//! Who hides the code in `pegwise solve`.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::ValueEnum;
use pegwise_game::{Rules, Space};
use pegwise_lab::external::Program;
use pegwise_solve::{
    Limits, Rng, Spec, Watch,
    codemaker::Adversary,
    tree::{Builder, Tree, TreeFile},
};

use crate::{arguments, game::Setup, peer::Peer, tree, ui::Progress};

/// Who hides the code, and which.
#[derive(Debug, clap::Args)]
pub(crate) struct Hiding {
    /// The code to break; without it, one is drawn from the seed.
    #[arg(long, value_name = "CODE")]
    pub(crate) secret: Option<String>,

    /// Who hides the code.
    #[arg(long, value_enum, value_name = "WHO", default_value_t)]
    codemaker: Who,

    /// A program that answers the guesses, with its arguments; it reads and writes a JSON line for each.
    #[arg(long, value_name = "PROGRAM", value_parser = Program::parse, conflicts_with_all = ["secret", "codemaker"])]
    codemaker_command: Option<Program>,

    /// The longest that program may take for an answer.
    #[arg(long, value_name = "SECONDS", default_value = "30", requires = "codemaker_command")]
    #[arg(value_parser = arguments::time_limit, allow_hyphen_values = true)]
    reply_timeout: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Who {
    /// One code from the first guess to the last
    #[default]
    Fixed,
    /// Any code that fits the answers so far; each answer leaves most codes
    Adversary,
    /// Any code that fits, and each answer costs the strategy most guesses; a time limit also holds for finding them
    Worst,
}

impl Hiding {
    /// Whether the same seed plays the same game: who knows what a program does.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.codemaker_command.is_none()
    }

    /// The game against the codemaker asked for; its secret, if there is one, is in the game already.
    pub(crate) fn hide(&self, setup: Setup, tree: Option<&TreeFile>, limits: Limits) -> anyhow::Result<Setup> {
        let rules = setup.rules.clone();
        if let Some(program) = &self.codemaker_command {
            let peer = Peer::start(program, &rules, self.reply_timeout).context("--codemaker-command")?;
            return Ok(setup.against(program.to_string(), Box::new(peer)));
        }
        if self.codemaker == Who::Fixed {
            return Ok(setup);
        }
        let name = self.codemaker.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
        ensure!(rules.lies() == 0, "--codemaker {name} switches codes and does not lie; leave lies= away");
        ensure!(self.secret.is_none(), "--secret: the codemaker {name} hides no one code; leave one of the two away");
        ensure!(
            setup.secrets.is_none(),
            "--secrets: the codemaker {name} may switch to any code of the rules; leave one of the two away"
        );
        // A stream of its own: the strategy draws the same numbers against anybody.
        let adversary = Adversary::new(&rules, Rng::for_path(setup.seed, [&b"codemaker"[..]]));
        let mut adversary = adversary.with_context(|| format!("--codemaker {name}"))?;
        if self.codemaker == Who::Worst {
            let tree = match tree {
                Some(file) => file.tree.clone(),
                None => whole_tree(&setup.strategy, &rules, limits)
                    .context("--codemaker worst has to know the whole strategy")?,
            };
            adversary = adversary.against(tree);
        }
        Ok(setup.against(name, Box::new(adversary)))
    }
}

/// What a strategy plays in every position.
fn whole_tree(strategy: &Spec, rules: &Rules, limits: Limits) -> anyhow::Result<Tree> {
    if let Some(tree) = arguments::build(strategy, rules)?.tree() {
        return Ok(tree.clone());
    }
    let strategy = tree::position_strategy(strategy, rules)?;
    let builder = Builder::new(rules, Watch::new(limits.time, None));
    let codes = Space::new(rules).count().exact().and_then(|codes| u64::try_from(codes).ok()).unwrap_or(u64::MAX);
    let progress = Progress::of_codes(codes);
    Ok(progress.while_counting(|| builder.done(), || builder.build(&*strategy))?)
}
