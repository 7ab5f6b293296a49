//! `pegwise tree build`: the tree of a strategy, a tree that is proven optimal, or the best one found within a time.

use std::{
    cell::Cell,
    fmt::Display,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::{Context as _, anyhow, ensure};
use clap::{ArgGroup, ValueEnum};
use pegwise_game::{Code, Rules, Space};
use pegwise_solve::{
    PositionStrategy, Spec, Stop, Watch,
    candidates::listed,
    catalog::{self, Capability},
    clock::Moment,
    device,
    secrets::SecretList,
    tree::{
        BuildError, Builder, CertificateError, Journal, Node, Stats, Summary, Tree, TreeFile,
        beam::{self, BeamError},
        certificate_bytes, certify, check_certifiable,
        exact::{self, BoundsSnapshot, ExactError},
        verify_list, verify_part,
    },
};
use serde_json::json;

use super::TreeReport;
use crate::{
    arguments::{self, OutputFormat, SecretsArg, StrategyParser, Threads},
    exit::{self, Exit},
    files::{self, FileArg},
    ui::{self, ProgressDisplay, number, style},
};

/// Build a tree: of a strategy, proven optimal, or the best found.
///
/// --strategy builds the tree of a strategy; --optimal searches until a tree is proven optimal; --best improves a tree
/// until the time limit, if a proof is out of reach. Finished work survives an interrupt.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise tree build 4x6 --strategy knuth -o knuth.tree    the tree of Knuth's strategy
  pegwise tree build 4x6 -s entropy --first-guess 1123     only its results
  pegwise tree build 3x5 --optimal -o optimal.tree         a tree that is proven optimal
  pegwise tree build 3x5 --optimal --objective worst       the fewest guesses at worst
  pegwise tree build 4x6 --best --time-limit 1 -o best.tree
  pegwise tree build 5x26:per-cell --optimal --secrets answers.txt --guesses words.txt

Interrupted builds resume if the command is repeated: --strategy from FILE.journal,
--optimal from FILE.bounds. Exits with 1 if --optimal found no proof."), group = ArgGroup::new("way").required(true))]
pub(super) struct Args {
    /// Rules: PEGSxCOLORS and options.
    #[arg(value_parser = arguments::rules)]
    rules: Rules,

    /// Build the tree of this strategy; `pegwise strategies` lists them.
    #[arg(long, short, value_name = "SPEC", group = "way")]
    #[arg(value_parser = StrategyParser, hide_possible_values = true)]
    strategy: Option<Spec>,

    /// Find a tree that is proven optimal.
    #[arg(long, group = "way")]
    optimal: bool,

    /// Improve a tree until the time limit, resuming from FILE if it exists.
    #[arg(long, group = "way")]
    best: bool,

    /// First guess.
    #[arg(long, value_name = "CODE")]
    first_guess: Option<String>,

    /// Tree file to write; without it, only a summary is printed.
    #[arg(long, short, value_name = "FILE")]
    output: Option<FileArg>,

    /// Replace an existing tree. Not needed to resume a search.
    #[arg(long, short)]
    force: bool,

    /// Time limit, in seconds or with a unit: 2, 0.5, 500ms, 90m [default: 60 with --best, else none].
    #[arg(long, short, value_name = "TIME", value_parser = arguments::duration, allow_hyphen_values = true)]
    time_limit: Option<Duration>,

    #[command(flatten)]
    secrets: SecretsArg,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    strategy_options: StrategyOptions,

    #[command(flatten)]
    optimal_options: OptimalOptions,

    #[command(flatten)]
    best_options: BestOptions,
}

/// Input of every kind of build.
struct BuildTask<'a> {
    rules: Rules,
    /// List of secrets; `None` if any code may be one.
    secrets: Option<Arc<SecretList>>,
    first_guess: Option<Code>,
    output: Option<&'a Path>,
    /// The same if it is a regular file, from which a build can resume.
    resumable: Option<&'a Path>,
    watch: Watch<'a>,
    /// Time limit of `watch`.
    time: Option<Duration>,
    interrupted: &'a AtomicBool,
}

impl BuildTask<'_> {
    /// Returns the file of a tree.
    fn file(&self, tree: Tree, made_by: &str) -> TreeFile {
        let file = TreeFile::new(tree, made_by);
        if self.secrets.is_some() { file.of_list() } else { file }
    }

    /// Writes the tree to the output file, if there is one.
    fn save(&self, file: &TreeFile) -> anyhow::Result<()> {
        self.output.map_or(Ok(()), |output| files::save_tree(file, output))
    }

    /// Returns true if the tree begins with the requested first guess, if there is one.
    fn has_first_guess(&self, root: &Node) -> bool {
        self.first_guess.as_ref().is_none_or(|first| *first == root.guess)
    }

    /// Returns how a build ends whose tree is not proven: `exit`, unless it was interrupted.
    fn unproven(&self, exit: Exit) -> Exit {
        if self.interrupted.load(Ordering::Relaxed) { Exit::Interrupted } else { exit }
    }

    /// Warns that the build was stopped before it had a result.
    fn stopped(&self, what: impl Display) -> BuildOutcome {
        exit::warn(what, self.advice());
        BuildOutcome::Unfinished(self.unproven(Exit::Negative))
    }

    /// Returns the advice that follows a warning about a stopped search.
    fn advice(&self) -> &'static str {
        match (self.unproven(Exit::Negative), self.time) {
            (Exit::Interrupted, _) => "run the command again, and let it finish",
            (_, Some(_)) => "increase --time-limit",
            (_, None) => "choose a smaller game",
        }
    }
}

enum BuildOutcome {
    Tree(Box<BuiltTree>),
    /// No such tree exists.
    NoTree {
        made_by: String,
        reason: String,
    },
    /// Stopped early; a warning has been written.
    Unfinished(Exit),
}

struct BuiltTree {
    file: TreeFile,
    /// Number of positions searched, if counted.
    nodes: Option<u64>,
    /// Number of pairs of guess and code scored, if counted.
    pairs: Option<u64>,
    exit: Exit,
}

pub(super) fn run(args: Args, format: OutputFormat) -> anyhow::Result<Exit> {
    let output = args.output.as_ref().and_then(FileArg::path);
    if let Some(output) = &args.output {
        // --best improves the tree that is there, and --optimal resumes with its bounds.
        let resumes = |path: &Path| args.best || args.optimal && BoundsFile::path(path).exists();
        output.check(args.force || output.path().is_some_and(resumes))?;
    }
    if let Some(certificate) = &args.optimal_options.certificate {
        certificate.check(args.force)?;
        ensure!(
            args.output.as_ref() != Some(certificate),
            "--certificate and --output are the same file\n  write to two files"
        );
    }
    let first_guess = args.first_guess.map(|code| args.rules.parse_code(&code)).transpose().context("--first-guess")?;
    let secrets = args.secrets.load(&args.rules)?;
    if let Some(list) = &secrets {
        ensure!(
            args.strategy.is_none(),
            "--secrets: the tree of a strategy is built for all codes\n  use --optimal or --best instead of --strategy"
        );
        ensure!(
            list.weights().iter().all(|weight| *weight == list.weights()[0]),
            "--secrets: a tree counts every secret once, and the weights differ\n  remove the weights"
        );
    }
    let interrupted = exit::interrupt_flag()?;
    let time = args.time_limit.or(args.best.then_some(BEST_TIME));
    let watch = Watch::new(time, Some(&interrupted));
    let resumable = args.output.as_ref().and_then(FileArg::regular_path);
    let task = BuildTask {
        rules: args.rules,
        secrets,
        first_guess,
        output,
        resumable,
        watch,
        time,
        interrupted: &interrupted,
    };

    let start = Moment::now();
    let built = args.threads.install(|| match &args.strategy {
        Some(strategy) => build_strategy(&task, strategy, &args.strategy_options),
        None if args.optimal => build_optimal(&task, &args.optimal_options),
        None => match &task.secrets {
            Some(list) => build_best_list(&task, list, &args.best_options),
            None => build_best(&task, &args.best_options),
        },
    })?;
    match built {
        BuildOutcome::Tree(made) => {
            match &args.output {
                Some(FileArg::Stdio) => FileArg::Stdio.save_tree(&made.file)?,
                _ if args.optimal_options.certificate == Some(FileArg::Stdio) => (),
                _ => drop(show(&made, output, start.elapsed().as_secs_f64(), format)?),
            }
            Ok(made.exit)
        }
        BuildOutcome::NoTree { made_by, reason } => {
            let value = json!({ "rules": task.rules, "made_by": made_by, "reason": reason });
            ui::print(format, &value, |screen| {
                writeln!(screen, "{}", style::paint(style::BAD, format!("No such tree: {reason}.")))
            })?;
            Ok(Exit::Negative)
        }
        BuildOutcome::Unfinished(exit) => Ok(exit),
    }
}

fn show(made: &BuiltTree, output: Option<&Path>, seconds: f64, format: OutputFormat) -> anyhow::Result<Exit> {
    let report = TreeReport::of(&made.file);
    let place = Some(made.file.tree.place()).filter(|place| !place.turns().is_empty());
    let effort = json!({ "nodes": made.nodes, "pairs": made.pairs, "seconds": seconds });
    let mut value = ui::merged(&report, effort)?;
    if let Some(place) = &place {
        value["place"] = json!(place);
    }
    ui::print(format, &value, |screen| {
        let time = number::seconds(seconds);
        let effort = match made.nodes {
            Some(nodes @ 1..) => ("searched", format!("{} positions in {time}", number::grouped(nodes))),
            _ => ("took", time),
        };
        let pairs = made.pairs.map(|pairs| ("scored", format!("{} pairs of guess and code", number::grouped(pairs))));
        let part = place.as_ref().map(|place| ("part", place.to_string()));
        let facts: Vec<_> = part.into_iter().chain(report.proof()).chain([effort]).chain(pairs).collect();
        report.show(&facts, screen)?;
        output.map_or(Ok(()), |output| screen.note(format!("\nSaved as {}.", output.display())))
    })
}

/// Parameter of strategies for the first guess.
const FIRST: &str = "first";

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of --strategy")]
struct StrategyOptions {
    /// Device that evaluates guesses [default: auto]; does not change the tree.
    #[arg(long, value_enum, value_name = "DEVICE", conflicts_with_all = ["optimal", "best"])]
    device: Option<DeviceChoice>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum DeviceChoice {
    /// A GPU if there is one and the game is large enough
    #[default]
    Auto,
    /// The CPU
    Cpu,
    /// A GPU with CUDA; without one, the CPU is used
    Cuda,
}

/// Minimum number of codes for which starting a GPU, which takes a second, pays.
const MIN_CODES_FOR_GPU: u64 = 1 << 18;

/// Attaches a GPU to the strategy, if requested and available.
fn use_device(strategy: &mut dyn PositionStrategy, choice: DeviceChoice, codes: u64) {
    if choice == DeviceChoice::Cpu || choice == DeviceChoice::Auto && codes < MIN_CODES_FOR_GPU {
        return;
    }
    let problem: Box<dyn Display> = match device::cuda() {
        Ok(gpu) => {
            let name = gpu.name();
            if strategy.use_device(gpu) {
                return;
            }
            Box::new(format!("{name} does not support this game"))
        }
        Err(error) => Box::new(error),
    };
    if choice == DeviceChoice::Cuda {
        exit::warn(problem, USES_CPU);
    }
}

const USES_CPU: &str = "the CPU is used instead";

fn build_strategy(task: &BuildTask<'_>, spec: &Spec, options: &StrategyOptions) -> anyhow::Result<BuildOutcome> {
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
    let journal = task.resumable.map(|output| files::beside(output, ".journal"));
    if let Some(path) = &journal {
        let opened = Journal::open(path, rules, &made_by).with_context(|| path.display().to_string())?;
        builder = builder.with_journal(opened);
    }

    let progress = ProgressDisplay::of_codes(codes);
    let built = progress.poll(|| builder.done(), || builder.build(&*strategy));
    drop(progress);
    if let Some(problem) = strategy.device_error() {
        exit::warn(problem, USES_CPU);
    }
    let tree = match built {
        Ok(tree) => tree,
        Err(BuildError::Stopped(stop)) => {
            let (done, codes) = (number::grouped(builder.done()), number::grouped(codes));
            let what = if stop == Stop::Cancelled { "interrupted".to_owned() } else { stop.to_string() };
            let next = match &journal {
                Some(path) => format!("the same command resumes from {}", path.display()),
                None => "nothing was saved; with -o FILE, the same command can resume".to_owned(),
            };
            exit::warn(format!("{what} after {done} of {codes} codes"), next);
            return Ok(BuildOutcome::Unfinished(task.unproven(Exit::Negative)));
        }
        Err(error) => return Err(error.into()),
    };

    let nodes = Summary::of(&tree.root).nodes;
    let file = TreeFile::new(tree, made_by);
    task.save(&file)?;
    if let Some(journal) = builder.into_journal() {
        let path = journal.path().display().to_string();
        journal.remove().with_context(|| format!("{path} is no longer needed but cannot be removed"))?;
    }
    let pairs = Some(strategy.scored()).filter(|&pairs| pairs > 0);
    Ok(BuildOutcome::Tree(Box::new(BuiltTree { file, nodes: Some(nodes), pairs, exit: Exit::Success })))
}

/// Returns the strategy with another first guess.
fn with_first_guess(spec: &Spec, code: &str) -> anyhow::Result<Spec> {
    let row = spec.row();
    if row.parameters.iter().all(|parameter| parameter.name != FIRST) {
        return Err(anyhow!("--first-guess: {} does not support it; choose another strategy", row.name));
    }
    let value = |name: &str| if name == FIRST { code } else { spec.arguments().text(name) }.to_owned();
    let settings = row.parameters.iter().map(|parameter| format!("{}={}", parameter.name, value(parameter.name)));
    let text = format!("{}({})", row.name, settings.collect::<Vec<_>>().join(","));
    text.parse().context("--first-guess")
}

/// Returns the strategy as a function of the position. If it is random or depends on more than the position, the error
/// lists strategies that can be used instead.
pub(crate) fn position_strategy(spec: &Spec, rules: &Rules) -> anyhow::Result<Box<dyn PositionStrategy>> {
    if let Some(strategy) = arguments::build(spec, rules)?.position_strategy() {
        return Ok(strategy);
    }
    if !listed::is_listable(rules) {
        let codes = number::codes(Space::new(rules).count());
        return Err(anyhow!("{spec} has no tree for {rules}: {codes} are too many to list\n  choose a smaller game"));
    }
    ensure!(
        !spec.can(Capability::Tree, rules),
        "{spec} plays from a tree that was built before\n  `pegwise tree build {rules} --optimal` builds one"
    );
    let has_tree = |row: &&'static catalog::Row| Spec::of(row).can(Capability::ByPosition, rules);
    let others: Vec<&str> = catalog::rows().iter().filter(has_tree).map(|row| row.name).collect();
    let reason = match spec.can(Capability::Deterministic, rules) {
        true => "does not choose by the position alone",
        false => "is random",
    };
    Err(anyhow!("{spec} {reason}, so it has no single tree\n  choose one of these strategies: {}", others.join(", ")))
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of --optimal")]
struct OptimalOptions {
    /// Objective [default: mean].
    #[arg(long, value_enum, value_name = "OBJECTIVE", conflicts_with_all = ["strategy", "best"])]
    objective: Option<ObjectiveArg>,

    /// Maximum number of guesses for any code.
    #[arg(long, value_name = "D", conflicts_with_all = ["strategy", "best"], value_parser = arguments::whole::<u32>(1..=1024), allow_negative_numbers = true)]
    max_depth: Option<u32>,

    /// Of the trees with the fewest guesses over all codes, one in which the fewest codes need more than K guesses.
    #[arg(long, value_name = "K", conflicts_with_all = ["strategy", "best", "objective", "max_depth"], value_parser = arguments::whole::<u32>(0..=1024), allow_negative_numbers = true)]
    fewest_after: Option<u32>,

    /// Only consistent guesses, which can be the code.
    #[arg(long, conflicts_with_all = ["strategy", "best"])]
    consistent_only: bool,

    /// Size of the transposition table, in bytes or with a unit, as in 512M [default: 1G].
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["strategy", "best"], value_parser = arguments::size)]
    memory: Option<usize>,

    /// Certificate to write, which `pegwise-certify` checks without a search.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["strategy", "best"])]
    certificate: Option<FileArg>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum ObjectiveArg {
    /// Fewest guesses over all codes
    #[default]
    Mean,
    /// Fewest guesses for the worst code
    Worst,
    /// Fewest guesses over all codes, then for the worst code
    MeanThenWorst,
    /// Fewest guesses for the worst code, then over all codes
    WorstThenMean,
}

impl From<ObjectiveArg> for exact::Objective {
    fn from(objective: ObjectiveArg) -> Self {
        match objective {
            ObjectiveArg::Mean => Self::Mean,
            ObjectiveArg::Worst => Self::Worst,
            ObjectiveArg::MeanThenWorst => Self::MeanThenWorst,
            ObjectiveArg::WorstThenMean => Self::WorstThenMean,
        }
    }
}

fn build_optimal(task: &BuildTask<'_>, options: &OptimalOptions) -> anyhow::Result<BuildOutcome> {
    let BuildTask { rules, first_guess, resumable, watch, .. } = task;
    let objective = options.objective.unwrap_or_default();
    ensure!(
        options.fewest_after.is_none() || rules.max_guesses().is_none(),
        "--fewest-after: the rules limit the number of guesses\n  remove max-guesses from the rules"
    );
    let wanted = exact::Options {
        objective: objective.into(),
        // A deeper tree would not win within the guesses that the rules allow.
        max_depth: options.max_depth.into_iter().chain(rules.max_guesses()).min(),
        fewest_after: options.fewest_after,
        consistent_only: options.consistent_only,
        first_guess: first_guess.clone(),
        secrets: task.secrets.clone(),
        anytime: task.time.is_some(),
        keep_proof: options.certificate.is_some(),
        cache_bytes: options.memory.unwrap_or(exact::Options::default().cache_bytes),
        ..exact::Options::default()
    };
    if options.certificate.is_some() {
        check_certificate(&wanted, rules)?;
    }
    let made_by = search_name(objective, &wanted, rules.colors());
    let bounds = resumable.map(|output| BoundsFile::beside(output, rules, &made_by));
    let known = bounds.as_ref().map(BoundsFile::load).transpose()?.flatten();
    let previous = match resumable {
        // A killed search left bounds but no tree.
        Some(output) if known.is_some() && output.exists() && task.secrets.is_none() => {
            Some(previous_tree(output, rules)?)
        }
        _ => None,
    };
    let is_plain = objective == ObjectiveArg::Mean
        && options.fewest_after.is_none()
        && !options.consistent_only
        && task.secrets.is_none();
    let start = if is_plain { first_tree(task, previous) } else { None };
    let wanted = exact::Options { start, known: known.unwrap_or_default(), ..wanted };

    let progress = ProgressDisplay::of_search("preparing");
    let report_progress = |now: exact::Progress| {
        progress.set_message(|| {
            let best = now.total.map_or(String::new(), |total| format!("best {} · ", number::grouped(total)));
            let (bound, nodes) = (number::grouped(now.lower_bound), number::grouped(now.nodes));
            format!("{best}at least {bound} · {nodes} positions")
        });
    };
    let latest = Mutex::default();
    let keep = |found: BoundsSnapshot| {
        if let Some(bounds) = &bounds {
            bounds.save(&found);
        }
        *latest.lock().unwrap_or_else(PoisonError::into_inner) = found;
    };
    let searched = exact::solve_with_snapshots(rules, &wanted, *watch, report_progress, keep);
    drop(progress);
    let report = match searched {
        Ok(report) => report,
        Err(error @ ExactError::NoTree { .. }) => {
            bounds.as_ref().map_or(Ok(()), BoundsFile::remove)?;
            let reason = error.to_string();
            return Ok(BuildOutcome::NoTree { made_by, reason });
        }
        Err(error @ ExactError::Stopped(_)) => return Ok(task.stopped(error)),
        Err(error) if task.secrets.is_some() => return Err(search_error(error)),
        Err(error @ (ExactError::TooManyCodes { .. } | ExactError::TooManyFeedbacks { .. })) => {
            return Err(anyhow!("{error}\n  --best finds good trees for larger games"));
        }
        Err(error) => return Err(search_error(error)),
    };
    let better = (is_plain && !report.proven && wanted.start.is_none()).then(|| last_tree(task)).flatten();
    let allowed = |stats: &Stats| wanted.max_depth.is_none_or(|depth| stats.max <= depth) && stats.total < report.total;
    let tree = better.filter(|better| allowed(&better.stats())).unwrap_or(report.tree);
    let file = task.file(tree, &made_by).with_proof(report.proven, Some(report.lower_bound));
    task.save(&file)?;
    if report.proven {
        bounds.as_ref().map_or(Ok(()), BoundsFile::remove)?;
    }
    let known = latest.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(certificate) = &options.certificate
        && let Some(stopped) = write_certificate(task, wanted.cache_bytes, &known, &file, certificate)?
    {
        return Ok(stopped);
    }
    let exit = if report.proven { Exit::Success } else { task.unproven(Exit::Negative) };
    Ok(BuildOutcome::Tree(Box::new(BuiltTree { file, nodes: Some(report.nodes), pairs: None, exit })))
}

/// Checks that the search is one that `pegwise-certify` can check.
fn check_certificate(wanted: &exact::Options, rules: &Rules) -> anyhow::Result<()> {
    let reason = match wanted {
        exact::Options { objective, .. } if *objective != exact::Objective::Mean => "--objective other than mean",
        exact::Options { max_depth: Some(_), .. } => "a maximum number of guesses",
        exact::Options { consistent_only: true, .. } => "--consistent-only",
        exact::Options { first_guess: Some(_), .. } => "--first-guess",
        exact::Options { secrets: Some(_), .. } => "--secrets",
        _ => return check_certifiable(rules).context("--certificate"),
    };
    Err(anyhow!("--certificate: a certificate shows that no tree at all has a smaller total\n  remove {reason}"))
}

/// Writes the certificate of a proven tree, given bounds of its proof. Returns the outcome of the build if the certificate was not finished.
fn write_certificate(
    task: &BuildTask<'_>,
    cache_bytes: usize,
    known: &BoundsSnapshot,
    file: &TreeFile,
    output: &FileArg,
) -> anyhow::Result<Option<BuildOutcome>> {
    if !file.proven {
        exit::warn("no certificate was written: the tree is not proven optimal", task.advice());
        return Ok(None);
    }
    let _progress = ProgressDisplay::of_search("certificate");
    match certify(&task.rules, file.claim.total, cache_bytes, known, task.watch) {
        Ok(certificate) => output.write(|out| Ok(out.write_all(&certificate_bytes(&certificate))?)).map(|()| None),
        Err(error @ CertificateError::Stopped(_)) => Ok(Some(task.stopped(error))),
        Err(error) => Err(error.into()),
    }
}

/// Bounds found so far, in a file beside the tree, from which the same command resumes.
struct BoundsFile<'a> {
    path: PathBuf,
    rules: &'a Rules,
    search: &'a str,
}

impl<'a> BoundsFile<'a> {
    fn beside(output: &Path, rules: &'a Rules, search: &'a str) -> Self {
        Self { path: Self::path(output), rules, search }
    }

    fn path(output: &Path) -> PathBuf {
        files::beside(output, ".bounds")
    }

    /// Loads the bounds of an earlier search.
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
        // An error is not reported: saving is repeated, and saving the tree will fail, too.
        let _ = files::write_file(&self.path, found.to_bytes(self.rules, self.search));
    }

    fn remove(&self) -> anyhow::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("{} is no longer needed but cannot be removed", self.path.display()))
            }
            _ => Ok(()),
        }
    }
}

/// Loads the tree of a stopped search.
fn previous_tree(output: &Path, rules: &Rules) -> anyhow::Result<Tree> {
    let source = FileArg::Path(output.to_owned());
    let file = source.load_tree()?;
    ensure!(!file.claim.listed, "{source} is a tree for a list of secrets; write to another file");
    let tree = file.tree;
    if tree.rules != *rules {
        return Err(anyhow!("{source} is a tree for {}, not {rules}; write to another file", tree.rules));
    }
    Ok(tree)
}

/// Reciprocal of the share of the time limit that is spent on a good tree before the proof.
const HEURISTIC_SHARE: u32 = 4;

/// Returns a good tree to start from. With a time limit, part of it is spent on improving `previous`, so that the result
/// is good even without a proof; without a limit, the proof needs no other tree.
fn first_tree(task: &BuildTask<'_>, previous: Option<Tree>) -> Option<Tree> {
    let Some(time) = task.time else { return previous };
    good_tree(task, previous.clone(), Watch::new(Some(time / HEURISTIC_SHARE), Some(task.interrupted))).or(previous)
}

/// Time spent on a good tree after the interrupt of an unlimited proof.
const LAST_TREE_TIME: Duration = Duration::from_secs(1);

/// Finds a good tree after an interrupt: that of the interrupted proof is rarely better than a one-step strategy.
fn last_tree(task: &BuildTask<'_>) -> Option<Tree> {
    good_tree(task, None, Watch::new(Some(LAST_TREE_TIME), None))
}

/// Finds a good tree within the time of `watch`.
fn good_tree(task: &BuildTask<'_>, start: Option<Tree>, watch: Watch<'_>) -> Option<Tree> {
    if !is_bounded(task) {
        return None;
    }
    let wanted = beam::Options { first_guess: task.first_guess.clone(), start, ..beam::Options::default() };
    let progress = ProgressDisplay::of_search("good trees");
    let found = beam::improve(&task.rules, &wanted, watch, |now| {
        progress.set_message(|| format!("best {} so far", number::grouped(now.total)));
    });
    // Boards that this search does not support only get a proof.
    found.ok().map(|report| report.tree).filter(|tree| task.has_first_guess(&tree.root))
}

/// Returns the name of the search, written like a strategy with parameters.
fn search_name(objective: ObjectiveArg, options: &exact::Options, colors: u16) -> String {
    let objective = objective.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let depth = options.max_depth.map(|depth| format!(",max-depth={depth}")).unwrap_or_default();
    let fewest = options.fewest_after.map(|after| format!(",fewest-after={after}")).unwrap_or_default();
    let guesses = if options.consistent_only { ",guesses=consistent" } else { "" };
    let first = options.first_guess.as_ref();
    let first = first.map(|code| format!(",first={}", code.notation(colors))).unwrap_or_default();
    let list = options.secrets.as_ref().map(|list| list_name(list)).unwrap_or_default();
    format!("optimal(objective={objective}{depth}{fewest}{guesses}{first}{list})")
}

/// Adds advice to the error of a search for a list of secrets or with a given first guess.
fn search_error(error: ExactError) -> anyhow::Error {
    let advice = match error {
        ExactError::TooManyCodes { .. } => "list fewer codes, or only those that may be guessed, with --guesses",
        ExactError::WrongFirstGuess { .. } => "add it to the file of --guesses",
        ExactError::UselessFirstGuess => "choose another --first-guess",
        _ => return error.into(),
    };
    anyhow!("{error}\n  {advice}")
}

/// Returns the name of a list as a parameter of a search.
fn list_name(list: &SecretList) -> String {
    let guesses = list.guesses().map(|guesses| format!(",guesses={}", guesses.len())).unwrap_or_default();
    format!(",secrets={}{guesses},list={:08x}", list.len(), exact::list_checksum(list))
}

/// Default time limit of --best.
const BEST_TIME: Duration = Duration::from_secs(60);

/// Reciprocal of the share of the time limit that is spent on a lower bound.
const BOUND_SHARE: u32 = 8;
/// The same for a part of a tree, which is often small enough for a proof.
const PART_BOUND_SHARE: u32 = 2;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of --best")]
struct BestOptions {
    /// Tree file to start from, or a part of a tree; - for standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["strategy", "optimal"])]
    start: Option<FileArg>,
}

fn build_best(task: &BuildTask<'_>, options: &BestOptions) -> anyhow::Result<BuildOutcome> {
    let rules = &task.rules;
    let notation = |code: &Code| code.notation(rules.colors()).to_string();
    let start = starting_tree(task, options)?;
    let wanted = beam::Options {
        first_guess: task.first_guess.clone(),
        start: start.as_ref().map(|file| file.tree.clone()),
        ..beam::Options::default()
    };
    let progress = ProgressDisplay::of_search("round 1");
    let is_part = start.as_ref().is_some_and(|start| !start.tree.place().turns().is_empty());
    let share = if is_part { PART_BOUND_SHARE } else { BOUND_SHARE };
    let searching = task.time.map(|time| if is_bounded(task) { time - time / share } else { time });
    let saver = TreeSaver { task, last: Cell::new(Moment::now()) };
    let watch = Watch::new(searching, Some(task.interrupted));
    let report_progress = |now: beam::Progress| {
        progress.set_message(|| {
            let [total, positions, codes] = [now.total, now.positions, now.codes].map(number::grouped);
            format!("best {total} · round {} · {positions} positions · at sets of up to {codes} codes", now.rounds + 1)
        });
    };
    let found = beam::improve_with_updates(rules, &wanted, watch, report_progress, |root| saver.save(root));
    drop(progress);
    let report = match found {
        Ok(report) => report,
        Err(error @ BeamError::Build(BuildError::Stopped(_))) => {
            return Ok(task.stopped(error));
        }
        Err(error @ BeamError::NoKernel { .. }) => {
            return Err(anyhow!("{error}\n  --strategy supports all boards"));
        }
        Err(error) => return Err(error.into()),
    };
    let nodes = Some(report.positions);
    // A search that is stopped early returns any tree.
    if let Some(first) = task.first_guess.as_ref().filter(|&first| *first != report.tree.root.guess) {
        let what = format!("no tree that plays {} first was found in time", notation(first));
        return Ok(task.stopped(what));
    }
    let (tree, known) = match start {
        // Nothing better was found: the known bounds still apply.
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
    task.save(&file)?;
    let exit = if file.proven { Exit::Success } else { task.unproven(Exit::Success) };
    Ok(BuildOutcome::Tree(Box::new(BuiltTree { file, nodes, pairs: None, exit })))
}

/// Builds the best tree found for a list of secrets, and spends the rest of the time on a lower bound.
fn build_best_list(
    task: &BuildTask<'_>,
    list: &Arc<SecretList>,
    options: &BestOptions,
) -> anyhow::Result<BuildOutcome> {
    let existing = task.resumable.filter(|output| output.exists()).map(|output| FileArg::Path(output.to_owned()));
    let mut start: Option<Tree> = None;
    for source in existing.iter().chain(&options.start) {
        let file = source.load_tree()?;
        let (found, wanted) = (&file.tree.rules, &task.rules);
        ensure!(found == wanted, "{source} is for {found}, not {wanted}; use another file");
        verify_list(&file, list).with_context(|| format!("{source} cannot be improved"))?;
        let fits = task.has_first_guess(&file.tree.root);
        ensure!(fits, "{source} begins with another guess than --first-guess; write to another file");
        if start.as_ref().is_none_or(|start| file.claim.total < start.stats().total) {
            start = Some(file.tree);
        }
    }
    let name = format!("best({})", list_name(list).trim_start_matches(','));
    let saver = TreeSaver { task, last: Cell::new(Moment::now()) };
    let watch = Watch::new(task.time.map(|time| time - time / BOUND_SHARE), Some(task.interrupted));
    let progress = ProgressDisplay::of_search("round 1");
    let report_progress = |now: exact::Progress| {
        let total = now.total.map_or(String::new(), number::grouped);
        progress.set_message(|| format!("best {total} · {} positions", number::grouped(now.nodes)));
    };
    let keep = |tree: &Tree| saver.save(&tree.root);
    let found = exact::improve_list(list, task.first_guess.as_ref(), start, watch, report_progress, keep);
    drop(progress);
    let report = match found {
        Err(error @ ExactError::Stopped(_)) => return Ok(task.stopped(error)),
        other => other.map_err(search_error)?,
    };
    let nodes = Some(report.nodes);
    let wanted = exact::Options {
        secrets: Some(list.clone()),
        first_guess: task.first_guess.clone(),
        anytime: true,
        ..exact::Options::default()
    };
    let searched = (!report.proven).then(|| exact::solve(&task.rules, &wanted, task.watch, |_| ()));
    let (mut tree, mut bound) = (report.tree, report.lower_bound);
    // With a given first guess, the bound is that of the trees that begin with it.
    if let Some(Ok(exact)) = searched {
        bound = bound.max(exact.lower_bound);
        if exact.total < report.total {
            tree = exact.tree;
        }
    }
    let proven = tree.stats().total == bound;
    let file = task.file(tree, &name).with_proof(proven, Some(bound));
    task.save(&file)?;
    let exit = if proven { Exit::Success } else { task.unproven(Exit::Success) };
    Ok(BuildOutcome::Tree(Box::new(BuiltTree { file, nodes, pairs: None, exit })))
}

/// Interval between saves of improved trees.
const SAVE_INTERVAL: Duration = Duration::from_secs(20);

/// Saver of improved trees at intervals, so that a killed search can be resumed.
struct TreeSaver<'a> {
    task: &'a BuildTask<'a>,
    last: Cell<Moment>,
}

impl TreeSaver<'_> {
    fn save(&self, root: &Node) {
        let Some(output) = self.task.resumable.filter(|_| self.last.get().elapsed() >= SAVE_INTERVAL) else { return };
        if !self.task.has_first_guess(root) {
            return;
        }
        self.last.set(Moment::now());
        let tree = Tree { rules: self.task.rules.clone(), root: root.clone() };
        // An error is not reported: the tree is saved again at the end.
        let _ = files::save_tree(&self.task.file(tree, "best"), output);
    }
}

/// Tree and its lower bound.
struct Bounded {
    tree: Tree,
    proven: bool,
    lower_bound: u64,
}

/// Returns true if the space is small enough for exact search.
fn is_bounded(task: &BuildTask<'_>) -> bool {
    Space::new(&task.rules).count().exact().is_some_and(|codes| codes <= exact::MAX_CODES as u128)
}

/// Spends the rest of the time on a lower bound by exact search, which may also find a better tree. In small spaces
/// only.
fn bounded(task: &BuildTask<'_>, tree: &Tree, static_bound: u64) -> Bounded {
    let total = tree.stats().total;
    let unchanged = Bounded { tree: tree.clone(), proven: total == static_bound, lower_bound: static_bound };
    if !is_bounded(task) || task.watch.stop().is_some() {
        return unchanged;
    }
    let progress = ProgressDisplay::of_search("bounds");
    let report_progress = |now: exact::Progress| {
        progress
            .set_message(|| format!("best {} · at least {}", number::grouped(total), number::grouped(now.lower_bound)));
    };
    let wanted = exact::Options { start: Some(tree.clone()), anytime: true, ..exact::Options::default() };
    let searched = if tree.place().turns().is_empty() {
        exact::solve(&task.rules, &wanted, task.watch, report_progress)
    } else {
        exact::solve_part(tree, wanted.cache_bytes, task.watch, report_progress)
    };
    match searched {
        Ok(report) => {
            let asked = task.has_first_guess(&report.tree.root);
            let lower_bound = report.lower_bound.max(static_bound);
            let (tree, total) = if asked { (report.tree, report.total) } else { (tree.clone(), total) };
            Bounded { tree, proven: total == lower_bound, lower_bound }
        }
        // An unsupported board, or not enough time.
        Err(_) => unchanged,
    }
}

/// Returns the better of the tree in the output file and the tree given by --start.
fn starting_tree(task: &BuildTask<'_>, options: &BestOptions) -> anyhow::Result<Option<TreeFile>> {
    let output = task.resumable.filter(|output| output.exists()).map(|output| FileArg::Path(output.to_owned()));
    let mut start: Option<TreeFile> = None;
    for source in output.iter().chain(&options.start) {
        let file = source.load_tree()?;
        check(&file, task).with_context(|| format!("{source} cannot be improved"))?;
        if let Some(other) = start.as_ref().filter(|start| start.tree.place() != file.tree.place()) {
            let (here, there) = (file.tree.place(), other.tree.place());
            return Err(anyhow!("{source} begins {here}, but the existing tree begins {there}; use another file"));
        }
        // Of equal trees, a proven one is preferred.
        let rank = |file: &TreeFile| (file.claim.total, !file.proven);
        if start.as_ref().is_none_or(|best| rank(&file) < rank(best)) {
            start = Some(file);
        }
    }
    Ok(start)
}

fn check(file: &TreeFile, task: &BuildTask<'_>) -> anyhow::Result<()> {
    let (found, wanted) = (&file.tree.rules, &task.rules);
    ensure!(found == wanted, "it is for {found}, not {wanted}; use another file");
    ensure!(!file.claim.listed, "it is for a list of secrets; use another file, or give the list with --secrets");
    if let Some(first) = task.first_guess.as_ref().filter(|&first| *first != file.tree.root.guess) {
        let text = |code: &Code| code.notation(wanted.colors()).to_string();
        let (found, wanted) = (text(&file.tree.root.guess), text(first));
        return Err(anyhow!("its first guess is {found}, not {wanted} (--first-guess); use another file"));
    }
    verify_part(file).context("it is not verified")?;
    Ok(())
}
