//! A tree that is proven to be the best.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;
use pegwise_game::{Rules, Space};
use pegwise_solve::{
    Watch,
    tree::{
        Stats, Tree, TreeFile, beam,
        exact::{self, BoundsSnapshot, ExactError},
    },
};

use super::{Built, MORE_TIME, Made, Task};
use crate::{
    exit::Exit,
    tree::file::{self, Source},
    ui::{Progress, number},
};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of --optimal")]
pub(super) struct Optimal {
    /// What makes a tree the best [default: mean].
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["strategy", "best"])]
    objective: Option<Objective>,

    /// The most guesses any code may take.
    #[arg(long, value_name = "D", conflicts_with_all = ["strategy", "best"], value_parser = clap::value_parser!(u32).range(1..))]
    max_depth: Option<u32>,

    /// Only guesses that can be the code.
    #[arg(long, conflicts_with_all = ["strategy", "best"])]
    consistent_only: bool,

    /// The most memory for positions seen before: bytes, or with a unit, as in 512M [default: 1G].
    #[arg(long, value_name = "BYTES", conflicts_with_all = ["strategy", "best"], value_parser = memory)]
    memory: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Objective {
    /// The fewest guesses over all codes
    #[default]
    Mean,
    /// The fewest guesses for the worst code
    Worst,
    /// Of all trees with the fewest guesses, one with the best worst code
    MeanThenWorst,
    /// Of all trees with the best worst code, one with the fewest guesses
    WorstThenMean,
}

impl From<Objective> for exact::Objective {
    fn from(objective: Objective) -> Self {
        match objective {
            Objective::Mean => Self::Mean,
            Objective::Worst => Self::Worst,
            Objective::MeanThenWorst => Self::MeanThenWorst,
            Objective::WorstThenMean => Self::WorstThenMean,
        }
    }
}

pub(super) fn build(task: &Task<'_>, options: &Optimal) -> anyhow::Result<Built> {
    let Task { rules, first_guess, output, watch, .. } = task;
    let objective = options.objective.unwrap_or_default();
    let wanted = exact::Options {
        objective: objective.into(),
        // A tree that needs more guesses than the rules allow wins no game of theirs.
        max_depth: options.max_depth.into_iter().chain(rules.max_guesses()).min(),
        consistent_only: options.consistent_only,
        first_guess: first_guess.clone(),
        anytime: task.time.is_some(),
        cache_bytes: options.memory.unwrap_or(exact::Options::default().cache_bytes),
        ..exact::Options::default()
    };
    let made_by = name(objective, &wanted, rules.colors());
    let kept = output.map(|output| Kept::beside(output, rules, &made_by));
    let known = kept.as_ref().map(Kept::load).transpose()?.flatten();
    let before = match output {
        // A search that was killed before it was stopped left no tree.
        Some(output) if known.is_some() && output.exists() => Some(tree_so_far(output, rules)?),
        _ => None,
    };
    let start = if plain(objective, options) { first_tree(task, before) } else { None };
    let wanted = exact::Options { start, known: known.unwrap_or_default(), ..wanted };

    let progress = Progress::of_search("preparing");
    let tell = |now: exact::Progress| {
        progress.say(|| {
            let best = now.total.map_or(String::new(), |total| format!("best {} · ", number::grouped(total)));
            let (bound, nodes) = (number::grouped(now.lower_bound), number::grouped(now.nodes));
            format!("{best}at least {bound} · {nodes} positions")
        });
    };
    let keep = |found: BoundsSnapshot| kept.as_ref().map_or((), |kept| kept.save(&found));
    let searched = exact::solve_with_snapshots(rules, &wanted, *watch, tell, keep);
    drop(progress);
    let report = match searched {
        Ok(report) => report,
        Err(error @ ExactError::NoTree { .. }) => {
            kept.as_ref().map_or(Ok(()), Kept::remove)?;
            let reason = error.to_string();
            return Ok(Built::NoTree { made_by, reason });
        }
        Err(error @ ExactError::Stopped(_)) => return Ok(Built::unfinished(error, MORE_TIME, Exit::No)),
        Err(error @ (ExactError::TooManyCodes { .. } | ExactError::TooManyFeedbacks { .. })) => {
            return Err(anyhow!("{error}\n  --best finds good trees of larger games"));
        }
        Err(error) => return Err(error.into()),
    };
    let better =
        (plain(objective, options) && !report.proven && wanted.start.is_none()).then(|| last_tree(task)).flatten();
    let allowed = |stats: &Stats| wanted.max_depth.is_none_or(|depth| stats.max <= depth) && stats.total < report.total;
    let tree = better.filter(|better| allowed(&better.stats())).unwrap_or(report.tree);
    let file = TreeFile::new(tree, &*made_by).with_proof(report.proven, Some(report.lower_bound));
    if let Some(output) = output {
        file::save(&file, output)?;
    }
    if report.proven {
        kept.as_ref().map_or(Ok(()), Kept::remove)?;
    }
    let exit = if report.proven { Exit::Done } else { Exit::No };
    Ok(Built::Tree(Box::new(Made { file, nodes: Some(report.nodes), pairs: None, exit })))
}

/// What was found so far, in a file beside the tree, so that the same command goes on from there.
struct Kept<'a> {
    path: PathBuf,
    rules: &'a Rules,
    search: &'a str,
}

impl<'a> Kept<'a> {
    fn beside(output: &Path, rules: &'a Rules, search: &'a str) -> Self {
        Self { path: file::beside(output, ".bounds"), rules, search }
    }

    /// What an earlier search left, if there was one.
    fn load(&self) -> anyhow::Result<Option<BoundsSnapshot>> {
        let name = || self.path.display().to_string();
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(name),
        };
        let found = BoundsSnapshot::from_bytes(&bytes, self.rules, self.search);
        found.map(Some).map_err(|error| anyhow!("{}: {error}\n  remove it, or write to another file", name()))
    }

    fn save(&self, found: &BoundsSnapshot) {
        // Where it cannot be saved now, it is tried again later; the tree, which cannot be saved either then, is told of.
        let _ = file::write_whole(&self.path, |out| Ok(out.write_all(&found.to_bytes(self.rules, self.search))?));
    }

    fn remove(&self) -> anyhow::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error)
                .with_context(|| format!("{} is no longer needed, but cannot be removed", self.path.display())),
            _ => Ok(()),
        }
    }
}

/// The tree that a search left which was stopped.
fn tree_so_far(output: &Path, rules: &Rules) -> anyhow::Result<Tree> {
    let source = Source::File(output.to_owned());
    let tree = source.load()?.tree;
    if tree.rules != *rules {
        return Err(anyhow!("{source} is a tree of {}, not of {rules}: write to another file", tree.rules));
    }
    Ok(tree)
}

/// Whether any tree is as good as its mean.
fn plain(objective: Objective, options: &Optimal) -> bool {
    objective == Objective::Mean && !options.consistent_only
}

/// The share of the time that goes into good trees before bounds are looked for.
const GOOD_TREES: u32 = 4;

/// Where the time is limited, as good a tree as a part of it allows, better than the one there was before: whatever is proven
/// in the rest, the answer is no worse. Without a limit the proof comes to its end, and needs no other tree.
fn first_tree(task: &Task<'_>, before: Option<Tree>) -> Option<Tree> {
    let Some(time) = task.time else { return before };
    good_tree(task, before.clone(), Watch::new(Some(time / GOOD_TREES), Some(task.interrupted))).or(before)
}

/// How long good trees are looked for after a proof without a limit was interrupted.
const LAST_TREE: Duration = Duration::from_secs(1);

/// A good tree for who interrupted a proof, whose own tree is then seldom better than one step ahead.
fn last_tree(task: &Task<'_>) -> Option<Tree> {
    good_tree(task, None, Watch::new(Some(LAST_TREE), None))
}

/// As good a tree as the watch allows, where there is one to be had.
fn good_tree(task: &Task<'_>, start: Option<Tree>, watch: Watch<'_>) -> Option<Tree> {
    // What cannot be proven is refused before anything is looked for.
    Space::new(&task.rules).count().exact().filter(|&codes| codes <= exact::MAX_CODES as u128)?;
    let wanted = beam::Options { first_guess: task.first_guess.clone(), start, ..beam::Options::default() };
    let progress = Progress::of_search("good trees");
    let found = beam::improve(&task.rules, &wanted, watch, |now| {
        progress.say(|| format!("best {} so far", number::grouped(now.total)));
    });
    // Boards that this search is not for have their proof alone.
    let asked = |tree: &Tree| task.first_guess.as_ref().is_none_or(|first| *first == tree.root.guess);
    found.ok().map(|report| report.tree).filter(asked)
}

/// What made the tree, written like a strategy with its parameters.
fn name(objective: Objective, options: &exact::Options, colors: u16) -> String {
    let objective = objective.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let depth = options.max_depth.map(|depth| format!(",max-depth={depth}")).unwrap_or_default();
    let guesses = if options.consistent_only { ",guesses=consistent" } else { "" };
    let first = options.first_guess.as_ref();
    let first = first.map(|code| format!(",first={}", code.notation(colors))).unwrap_or_default();
    format!("optimal(objective={objective}{depth}{guesses}{first})")
}

/// Reads a number of bytes.
fn memory(text: &str) -> Result<usize, &'static str> {
    const EXPECTED: &str = "write a whole number of bytes, or with a unit, as in 512M or 4G";
    let units = [("K", 10), ("M", 20), ("G", 30), ("", 0)];
    let (number, shift) =
        units.iter().find_map(|&(unit, shift)| Some((text.strip_suffix(unit)?, shift))).ok_or(EXPECTED)?;
    let number: usize = number.parse().map_err(|_| EXPECTED)?;
    number.checked_mul(1 << shift).ok_or("this is more memory than can be addressed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bytes_or_has_a_unit() {
        assert_eq!(memory("0"), Ok(0));
        assert_eq!(memory("4096"), Ok(4096));
        assert_eq!(memory("512M"), Ok(512 << 20));
        assert_eq!(memory("4G"), Ok(4 << 30));
        for text in ["", "G", "-1", "1.5G", "4g", "99999999999G", "much"] {
            assert!(memory(text).is_err(), "{text}");
        }
    }
}
