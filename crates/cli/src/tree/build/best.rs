//! As good a tree as time allows.

use std::{cell::Cell, time::Duration};

use anyhow::{Context as _, anyhow, ensure};
use pegwise_game::{Code, Space};
use pegwise_solve::{
    Watch,
    clock::Moment,
    tree::{
        BuildError, Node, Tree, TreeFile,
        beam::{self, BeamError},
        exact, verify_part,
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
/// The same of a part, which is often small enough to be proven.
const BOUNDS_OF_PART: u32 = 2;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of --best")]
pub(super) struct Best {
    /// A tree file to improve, or a part of one, or - for the standard input.
    #[arg(long, value_name = "TREE", conflicts_with_all = ["strategy", "optimal"])]
    from: Option<Source>,
}

pub(super) fn build(task: &Task<'_>, options: &Best) -> anyhow::Result<Built> {
    let rules = &task.rules;
    let notation = |code: &Code| code.notation(rules.colors()).to_string();
    let start = start(task, options)?;
    let wanted = beam::Options {
        first_guess: task.first_guess.clone(),
        start: start.as_ref().map(|file| file.tree.clone()),
        ..beam::Options::default()
    };
    let progress = Progress::of_search("round 1");
    let is_part = start.as_ref().is_some_and(|start| !start.tree.place().turns().is_empty());
    let share = if is_part { BOUNDS_OF_PART } else { BOUNDS };
    let searching = task.time.map(|time| if is_bounded(task) { time - time / share } else { time });
    let kept = Kept { task, last: Cell::new(Moment::now()) };
    let watch = Watch::new(searching, Some(task.interrupted));
    let tell = |now: beam::Progress| {
        progress.say(|| {
            let [total, positions, codes] = [now.total, now.positions, now.codes].map(number::grouped);
            format!("best {total} · round {} · {positions} positions · at sets of up to {codes} codes", now.rounds + 1)
        });
    };
    let found = beam::improve_with_updates(rules, &wanted, watch, tell, |root| kept.keep(root));
    drop(progress);
    let report = match found {
        Ok(report) => report,
        Err(error @ BeamError::Build(BuildError::Stopped(_))) => {
            return Ok(Built::unfinished(error, MORE_TIME, Exit::No));
        }
        Err(error @ BeamError::NoKernel { .. }) => {
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

/// How often a better tree is saved while better ones are looked for.
const KEPT_EVERY: Duration = Duration::from_secs(20);

/// Saves better trees now and then, so that a search that is killed can be gone on from.
struct Kept<'a> {
    task: &'a Task<'a>,
    last: Cell<Moment>,
}

impl Kept<'_> {
    fn keep(&self, root: &Node) {
        let Some(output) = self.task.output.filter(|_| self.last.get().elapsed() >= KEPT_EVERY) else { return };
        // A tree that does not begin as asked is not what the file is for.
        if self.task.first_guess.as_ref().is_some_and(|first| *first != root.guess) {
            return;
        }
        self.last.set(Moment::now());
        let tree = Tree { rules: self.task.rules.clone(), root: root.clone() };
        // Where it cannot be saved now, it is tried again at the end, and told then.
        let _ = file::save(&TreeFile::new(tree, "best"), output);
    }
}

/// A tree, and what is known of better ones.
struct Bounded {
    tree: Tree,
    proven: bool,
    lower_bound: u64,
}

/// Whether the space is small enough for a bound by search.
fn is_bounded(task: &Task<'_>) -> bool {
    Space::new(&task.rules).count().exact().is_some_and(|codes| codes <= exact::MAX_CODES as u128)
}

/// What the rest of the time shows about trees that are better: in small spaces by exact search, whose bounds rise for as long
/// as it is given, and which may find such a tree.
fn bounded(task: &Task<'_>, tree: &Tree, counted: u64) -> Bounded {
    let total = tree.stats().total;
    let nothing_more = Bounded { tree: tree.clone(), proven: total == counted, lower_bound: counted };
    if !is_bounded(task) || task.watch.stop().is_some() {
        return nothing_more;
    }
    let progress = Progress::of_search("bounds");
    let tell = |now: exact::Progress| {
        progress.say(|| format!("best {} · at least {}", number::grouped(total), number::grouped(now.lower_bound)));
    };
    let wanted = exact::Options { start: Some(tree.clone()), anytime: true, ..exact::Options::default() };
    let searched = if tree.place().turns().is_empty() {
        exact::solve(&task.rules, &wanted, task.watch, tell)
    } else {
        exact::solve_part(tree, wanted.cache_bytes, task.watch, tell)
    };
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
        if let Some(other) = start.as_ref().filter(|start| start.tree.place() != file.tree.place()) {
            let (here, there) = (file.tree.place(), other.tree.place());
            return Err(anyhow!(
                "{source} begins {here}, and the tree that is there already {there}; give another file"
            ));
        }
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
    verify_part(file).context("it is not verified")?;
    Ok(())
}
