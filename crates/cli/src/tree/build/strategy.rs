//! The tree of a strategy, with a journal beside it while it is being built.

use std::{fmt::Display, io::Write as _, path::Path};

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;
use pegwise_game::{Rules, Space};
use pegwise_solve::{
    PositionStrategy, Spec, Stop,
    candidates::listed,
    catalog::{self, Capability},
    device,
    tree::{BuildError, Builder, Journal, Summary, TreeFile},
};

use super::{Built, Made, Task};
use crate::{
    arguments,
    exit::Exit,
    tree::file,
    ui::{Progress, number, style},
};

/// The parameter that a first guess is given by.
const FIRST: &str = "first";

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of --strategy")]
pub(super) struct Strategy {
    /// What prices the guesses [default: auto]; the tree is the same.
    #[arg(long, value_enum, value_name = "DEVICE", conflicts_with_all = ["optimal", "best"])]
    device: Option<DeviceChoice>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum DeviceChoice {
    /// A graphics card where there is one and the game is large enough for it
    #[default]
    Auto,
    /// The processor
    Cpu,
    /// A graphics card that speaks CUDA; without one, the processor goes on
    Cuda,
}

/// The fewest codes that are worth the second it takes to start a card.
const CODES_FOR_A_CARD: u64 = 1 << 18;

/// Lets a graphics card help, if it is wanted and there is one.
fn use_device(strategy: &mut dyn PositionStrategy, choice: DeviceChoice, codes: u64) {
    if choice == DeviceChoice::Cpu || choice == DeviceChoice::Auto && codes < CODES_FOR_A_CARD {
        return;
    }
    let trouble: Box<dyn Display> = match device::cuda() {
        Ok(card) => {
            let name = card.name();
            if strategy.use_device(card) {
                return;
            }
            Box::new(format!("{name} does not price the guesses of this game"))
        }
        Err(error) => Box::new(error),
    };
    if choice == DeviceChoice::Cuda {
        without_device(trouble);
    }
}

/// Tells that the processor does the work.
fn without_device(why: impl Display) {
    // Nobody is left to tell when this cannot be written.
    let _ = writeln!(anstream::stderr(), "{}\n  the processor goes on alone", style::paint(style::BAD, why));
}

pub(super) fn build(task: &Task<'_>, spec: &Spec, options: &Strategy) -> anyhow::Result<Built> {
    let rules = &task.rules;
    let spec = match &task.first_guess {
        Some(code) => with_first_guess(spec, &code.notation(rules.colors()).to_string())?,
        None => spec.clone(),
    };
    let made_by = spec.to_string();
    let mut strategy = position_strategy(&spec, rules)?;
    let codes = Space::new(rules).count().exact().and_then(|codes| u64::try_from(codes).ok()).unwrap_or(u64::MAX);
    use_device(&mut *strategy, options.device.unwrap_or_default(), codes);
    let mut builder = Builder::new(rules, task.watch);
    let journal = task.output.map(|output| file::beside(output, ".journal"));
    if let Some(path) = &journal {
        let opened = Journal::open(path, rules, &made_by).with_context(|| path.display().to_string())?;
        builder = builder.with_journal(opened);
    }

    let progress = Progress::of_codes(codes);
    let built = progress.while_counting(|| builder.done(), || builder.build(&*strategy));
    drop(progress);
    if let Some(trouble) = strategy.device_error() {
        without_device(trouble);
    }
    let tree = match built {
        Ok(tree) => tree,
        Err(BuildError::Stopped(stop)) => {
            return Ok(unfinished(stop, builder.done(), codes, journal.as_deref()));
        }
        Err(error) => return Err(error.into()),
    };

    let nodes = Summary::of(&tree.root).nodes;
    let file = TreeFile::new(tree, made_by);
    if let Some(output) = task.output {
        file::save(&file, output)?;
    }
    if let Some(journal) = builder.into_journal() {
        let path = journal.path().display().to_string();
        journal.remove().with_context(|| format!("{path} is no longer needed, but cannot be removed"))?;
    }
    let pairs = Some(strategy.scored()).filter(|&pairs| pairs > 0);
    Ok(Built::Tree(Box::new(Made { file, nodes: Some(nodes), pairs, exit: Exit::Done })))
}

/// The strategy with another first guess.
fn with_first_guess(spec: &Spec, code: &str) -> anyhow::Result<Spec> {
    let row = spec.row();
    if row.parameters.iter().all(|parameter| parameter.name != FIRST) {
        return Err(anyhow!("--first-guess: {} has no parameter for it; choose another strategy", row.name));
    }
    let value = |name: &str| if name == FIRST { code } else { spec.arguments().text(name) }.to_owned();
    let settings = row.parameters.iter().map(|parameter| format!("{}={}", parameter.name, value(parameter.name)));
    let text = format!("{}({})", row.name, settings.collect::<Vec<_>>().join(","));
    text.parse().context("--first-guess")
}

/// The strategy as a function of the position; an error says which strategies are one.
pub(crate) fn position_strategy(spec: &Spec, rules: &Rules) -> anyhow::Result<Box<dyn PositionStrategy>> {
    if let Some(strategy) = arguments::build(spec, rules)?.position_strategy() {
        return Ok(strategy);
    }
    if !listed::is_listable(rules) {
        let codes = number::codes(Space::new(rules).count());
        return Err(anyhow!("{spec} has no tree at {rules}: {codes} are too many to list\n  choose a smaller game"));
    }
    let has_tree = |row: &&'static catalog::Row| row.spec().can(Capability::ByPosition, rules);
    let others: Vec<&str> = catalog::rows().iter().filter(has_tree).map(|row| row.name).collect();
    Err(anyhow!("{spec} draws at random, so it has no one tree\n  strategies that have one: {}", others.join(", ")))
}

fn unfinished(stop: Stop, done: u64, codes: u64, journal: Option<&Path>) -> Built {
    let (done, codes) = (number::grouped(done), number::grouped(codes));
    let (what, exit) = match stop {
        Stop::Cancelled => ("interrupted".to_owned(), Exit::Interrupted),
        stop => (stop.to_string(), Exit::No),
    };
    let next = match journal {
        Some(path) => format!("the same command goes on from there, with what is in {}", path.display()),
        None => "nothing was kept; with -o FILE, the same command would go on from there".to_owned(),
    };
    Built::unfinished(format!("{what} with {done} of {codes} codes done"), next, exit)
}
