//! As good a tree as time allows.

use std::time::Duration;

use anyhow::{Context as _, anyhow, ensure};
use pegwise_game::{Code, Space};
use pegwise_solve::{
    Watch,
    tree::{
        BuildError, Tree, TreeFile,
        best::{self, BestError},
        exact, verify,
    },
};

use super::{Built, MORE_TIME, Made, Task};
use crate::{
    exit::Exit,
    tree::file::{self, Source},
    ui::{Progress, number},
};

/// How long to look for better trees, where nobody says.
pub(super) const TIME: Duration = Duration::from_secs(60);

/// The share of the time that goes into a bound from below.
const BOUNDS: u32 = 8;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of --best")]
pub(super) struct Best {
    /// A tree file to improve, or - for the standard input.
    #[arg(long, value_name = "TREE", conflicts_with_all = ["strategy", "optimal"])]
    from: Option<Source>,
}

pub(super) fn build(task: &Task<'_>, options: &Best) -> anyhow::Result<Built> {
    let rules = &task.rules;
    let notation = |code: &Code| code.notation(rules.colors()).to_string();
    let start = start(task, options)?;
    let wanted = best::Options {
        first_guess: task.first_guess.clone(),
        start: start.as_ref().map(|file| file.tree.clone()),
        ..best::Options::default()
    };
    let progress = Progress::of_search("round 1");
    let searching = task.time.map(|time| time - time / BOUNDS);
    let found = best::improve(rules, &wanted, Watch::new(searching, Some(task.interrupted)), |now| {
        progress.say(|| {
            let [total, positions, codes] = [now.total, now.positions, now.codes].map(number::grouped);
            format!("best {total} · round {} · {positions} positions · at sets of up to {codes} codes", now.rounds + 1)
        });
    });
    drop(progress);
    let report = match found {
        Ok(report) => report,
        Err(error @ BestError::Build(BuildError::Stopped(_))) => {
            return Ok(Built::unfinished(error, MORE_TIME, Exit::No));
        }
        Err(error @ BestError::NoKernel { .. }) => {
            return Err(anyhow!("{error}\n  --strategy builds trees of any board"));
        }
        Err(error) => return Err(error.into()),
    };
    let nodes = Some(report.positions);
    // Stopped early, the search answers with any tree at all.
    if let Some(first) = task.first_guess.as_ref().filter(|&first| *first != report.tree.root.guess) {
        let what = format!("no tree that plays {} first was found in time", notation(first));
        return Ok(Built::unfinished(what, MORE_TIME, Exit::No));
    }
    let (tree, known) = match start {
        // Nothing better was found: what is known of it still holds.
        Some(start) if start.tree == report.tree => (report.tree, Some(start)),
        _ => (report.tree, None),
    };
    let bounded = bounded(task, &tree, report.lower_bound);
    let file = match known {
        Some(known) if bounded.tree == tree => {
            let (proven, bound) = (known.proven || bounded.proven, known.lower_bound.max(Some(bounded.lower_bound)));
            known.with_proof(proven, bound)
        }
        _ => {
            let first = task.first_guess.as_ref().map(|code| format!("(first={})", notation(code))).unwrap_or_default();
            TreeFile::new(bounded.tree, format!("best{first}")).with_proof(bounded.proven, Some(bounded.lower_bound))
        }
    };
    if let Some(output) = task.output {
        file::save(&file, output)?;
    }
    Ok(Built::Tree(Box::new(Made { file, nodes, pairs: None, exit: Exit::Done })))
}

/// A tree, and what is known of better ones.
struct Bounded {
    tree: Tree,
    proven: bool,
    lower_bound: u64,
}

/// What the rest of the time shows about trees that are better: in small spaces by exact search, whose bounds rise for as long
/// as it is given, and which may find such a tree.
fn bounded(task: &Task<'_>, tree: &Tree, counted: u64) -> Bounded {
    let total = tree.stats().total;
    let nothing_more = Bounded { tree: tree.clone(), proven: total == counted, lower_bound: counted };
    let codes = Space::new(&task.rules).count().exact();
    if codes.is_none_or(|codes| codes > exact::MAX_CODES as u128) || task.watch.stop().is_some() {
        return nothing_more;
    }
    let progress = Progress::of_search("bounds");
    let wanted = exact::Options { start: Some(tree.clone()), anytime: true, ..exact::Options::default() };
    let searched = exact::solve(&task.rules, &wanted, task.watch, |now| {
        progress.say(|| format!("best {} · at least {}", number::grouped(total), number::grouped(now.lower_bound)));
    });
    match searched {
        Ok(report) => {
            let asked = task.first_guess.as_ref().is_none_or(|first| *first == report.tree.root.guess);
            let lower_bound = report.lower_bound.max(counted);
            let (tree, total) = if asked { (report.tree, report.total) } else { (tree.clone(), total) };
            Bounded { tree, proven: total == lower_bound, lower_bound }
        }
        // Boards that this search is not for, or no time for it.
        Err(_) => nothing_more,
    }
}

/// The best of the trees to go on from: the one in the file that is written, if it is there, and the one that was given.
fn start(task: &Task<'_>, options: &Best) -> anyhow::Result<Option<TreeFile>> {
    let output = task.output.filter(|output| output.exists()).map(|output| Source::File(output.to_owned()));
    let mut start: Option<TreeFile> = None;
    for source in output.iter().chain(&options.from) {
        let file = source.load()?;
        check(&file, task).with_context(|| format!("{source} is no tree to go on from"))?;
        // Of trees as good as each other, the one that is proven says more.
        let rank = |file: &TreeFile| (file.claim.total, !file.proven);
        if start.as_ref().is_none_or(|best| rank(&file) < rank(best)) {
            start = Some(file);
        }
    }
    Ok(start)
}

fn check(file: &TreeFile, task: &Task<'_>) -> anyhow::Result<()> {
    let (found, wanted) = (&file.tree.rules, &task.rules);
    ensure!(found == wanted, "it is of {found}, not of {wanted}; give another file");
    if let Some(first) = task.first_guess.as_ref().filter(|&first| *first != file.tree.root.guess) {
        let text = |code: &Code| code.notation(wanted.colors()).to_string();
        let (found, wanted) = (text(&file.tree.root.guess), text(first));
        return Err(anyhow!("it plays {found} first, and --first-guess says {wanted}; give another file"));
    }
    verify(file).context("it is not verified")?;
    Ok(())
}
