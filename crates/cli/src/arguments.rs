//! Arguments shared by several subcommands, and their parsers.

use std::{
    ffi::OsStr,
    num::NonZeroU16,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
    time::Duration,
};

use anstream::ColorChoice;
use anyhow::{Context as _, anyhow, bail};
use clap::{
    Arg, Command, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use pegwise_coach::{Note, Notes};
use pegwise_game::{Code, Judge, Rules, RulesError, Turn, TurnError};
use pegwise_lab::external::{self, Program};
use pegwise_solve::{
    Limits, Spec, Strategy, StrategyError,
    catalog::{self, Capability, CatalogError, Row},
    secrets::SecretList,
    tree::TreeFile,
};

use crate::{
    exit,
    files::{self, FileArg},
};

/// Rules of the classic game, the default.
pub(crate) const DEFAULT_RULES: &str = "4x6";
pub(crate) use pegwise_solve::{catalog::DEFAULT_STRATEGY, seeds::DEFAULT_SEED};

/// Output formats of all subcommands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Text for people
    Text,
    /// One JSON value
    Json,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with a header
    Csv,
    /// CSV with codes as letters, which pandas and spreadsheets keep as text
    Pandas,
    /// LaTeX tables
    Latex,
    /// Markdown
    Markdown,
    /// A self-contained HTML page
    Html,
    /// Graphviz
    Dot,
    /// The grammar of the public contest for 5 pegs and 8 colors
    Contest,
    /// The notation in which Knuth, and Koyama and Lai, printed their trees
    Knuth,
    /// Vector graphics that follow the light or dark mode of the viewer
    Svg,
    /// Raster image, at twice the size of the SVG
    Png,
    /// One page, sized by --width and --height
    Pdf,
}

/// Returns a parser that accepts only some formats.
pub(crate) fn one_of(formats: &'static [OutputFormat]) -> impl TypedValueParser<Value = OutputFormat> {
    let values = formats.iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(values).try_map(|name| OutputFormat::from_str(&name, false))
}

/// Use of colors in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ColorMode {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// In pipes and files, too.
    Always,
    Never,
}

impl ColorMode {
    /// Applies the choice to all output of this process.
    pub(crate) fn apply(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Threads {
    /// Number of threads [default: one per core].
    #[arg(long, value_name = "N", value_parser = whole::<NonZeroU16>(1..=1024), allow_negative_numbers = true)]
    threads: Option<NonZeroU16>,
}

impl Threads {
    pub(crate) fn count(self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, Into::into);
        self.threads.map_or_else(cores, |threads| threads.get().into())
    }

    /// Runs `work` in a pool of this size; in the global pool, if no number was given.
    pub(crate) fn install<T: Send>(self, work: impl FnOnce() -> anyhow::Result<T> + Send) -> anyhow::Result<T> {
        match self.threads {
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get().into());
                pool.build().context("--threads")?.install(work)
            }
            None => work(),
        }
    }

    /// Gives the global pool this size, for work that other threads start.
    pub(crate) fn set_global(self) -> anyhow::Result<()> {
        let Some(threads) = self.threads else { return Ok(()) };
        rayon::ThreadPoolBuilder::new().num_threads(threads.get().into()).build_global().context("--threads")
    }
}

/// Strategy, its time limit and its knowledge of the secret.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StrategyArgs {
    /// Strategy, with parameters as in 'entropy(guesses=consistent)'; `pegwise strategies` lists them.
    #[arg(long, short, value_name = "SPEC", default_value = DEFAULT_STRATEGY)]
    #[arg(value_parser = StrategyParser, hide_possible_values = true)]
    pub(crate) strategy: Spec,

    /// Time limit per guess, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) time_per_guess: Option<Duration>,

    #[command(flatten)]
    pub(crate) threads: Threads,

    /// Play from this tree file (- for standard input); the strategy plays where the tree has no guess.
    #[arg(long, value_name = "FILE", conflicts_with = "secrets")]
    pub(crate) tree: Option<FileArg>,

    #[command(flatten)]
    pub(crate) secrets: SecretsArg,
}

impl StrategyArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits { time: self.time_per_guess, ..Limits::default() }
    }

    /// Returns the rules (those given, those of the tree, or the classic ones) and the tree.
    pub(crate) fn rules(&self, given: Option<Rules>) -> anyhow::Result<(Rules, Option<TreeFile>)> {
        let Some(source) = &self.tree else {
            return Ok((given.map_or_else(|| DEFAULT_RULES.parse(), Ok)?, None));
        };
        let file = source.load_tree()?;
        if file.claim.listed {
            bail!(
                "{source}: the tree is for a list of secrets, and only trees for all codes can be played\n  omit the tree"
            );
        }
        let of_tree = &file.tree.rules;
        let rules = given.unwrap_or_else(|| of_tree.clone());
        // The maximum number of guesses does not change the best play.
        if rules.clone().with_max_guesses(None) != of_tree.clone().with_max_guesses(None) {
            bail!("{source}: the tree is for {of_tree}, not {rules}\n  omit the rules or the tree");
        }
        Ok((rules, Some(file)))
    }
}

/// Files that list the possible secrets and guesses.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct SecretsArg {
    /// File that lists the possible secrets, one per line, each with an optional weight.
    #[arg(long, value_name = "FILE")]
    secrets: Option<PathBuf>,

    /// File that lists the further codes that may be guessed, one per line.
    #[arg(long, value_name = "FILE", requires = "secrets")]
    guesses: Option<PathBuf>,
}

impl SecretsArg {
    pub(crate) fn is_present(&self) -> bool {
        self.secrets.is_some()
    }

    /// Returns the arguments as they were given.
    pub(crate) fn words(&self) -> String {
        let files = [("--secrets", &self.secrets), ("--guesses", &self.guesses)];
        let word = |(option, file): (&str, &Option<PathBuf>)| Some(format!(" {option} {}", file.as_ref()?.display()));
        files.into_iter().filter_map(word).collect()
    }

    /// Reads the lists, and warns of what is ignored in them.
    pub(crate) fn load(&self, rules: &Rules) -> anyhow::Result<Option<Arc<SecretList>>> {
        let mut ignored = Vec::new();
        let mut read = |option: &str, path: &Path| {
            let text = files::read_text(path).with_context(|| option.to_owned())?;
            let list = SecretList::parse(rules, &text).map_err(|error| {
                let line = error.number().map(|line| format!(":{line}")).unwrap_or_default();
                anyhow!("{option}: {}{line}: {error}", path.display())
            })?;
            ignored.extend(list.ignored().map(|what| format!("{}: {what}", path.display())));
            anyhow::Ok(list)
        };
        let Some(secrets) = &self.secrets else { return Ok(None) };
        let mut list = read("--secrets", secrets)?;
        if let Some(guesses) = &self.guesses {
            list = list.with_guesses(&read("--guesses", guesses)?);
        }
        if !ignored.is_empty() {
            exit::warn(ignored.join("; "), "this was ignored");
        }
        Ok(Some(Arc::new(list)))
    }
}

/// External program that plays instead of a strategy.
#[derive(Debug, clap::Args)]
pub(crate) struct ExternalStrategyArgs {
    /// External program that plays instead of a strategy, with its arguments (engine protocol).
    #[arg(long, value_name = "PROGRAM", value_parser = Program::parse, conflicts_with = "strategy")]
    strategy_command: Option<Program>,

    #[command(flatten)]
    timeout: GuessTimeout,
}

/// Timeout of an external strategy.
#[derive(Debug, clap::Args)]
pub(crate) struct GuessTimeout {
    /// Timeout for each answer of that program.
    #[arg(long, value_name = "TIME", default_value = "30", requires = "strategy_command")]
    #[arg(value_parser = duration, allow_hyphen_values = true)]
    guess_timeout: Duration,
}

impl ExternalStrategyArgs {
    pub(crate) fn is_present(&self) -> bool {
        self.strategy_command.is_some()
    }

    /// Returns the external program as a strategy, or else `strategy`.
    pub(crate) fn or(&self, strategy: Spec) -> anyhow::Result<Spec> {
        self.strategy_command.as_ref().map_or(Ok(strategy), |program| self.timeout.register(program))
    }
}

impl GuessTimeout {
    /// Registers a program as a strategy of the catalog. An error says why it cannot be started.
    pub(crate) fn register(&self, program: &Program) -> anyhow::Result<Spec> {
        program.check().context("--strategy-command")?;
        external::register(program, self.guess_timeout).context("--strategy-command")
    }
}

/// Rules and turns of a game.
#[derive(Debug, clap::Args)]
pub(crate) struct GameArgs {
    /// Rules [default: 4x6].
    #[arg(value_parser = RulesOrTurn::parse)]
    rules: Option<RulesOrTurn>,

    /// Turns so far, in order, as GUESS=FEEDBACK.
    #[arg(value_name = "TURN")]
    turns: Vec<String>,
}

/// First positional argument: the rules, or the first turn of a classic game.
#[derive(Debug, Clone)]
enum RulesOrTurn {
    Rules(Rules),
    Turn(String),
}

impl RulesOrTurn {
    fn parse(text: &str) -> Result<Self, String> {
        // Options of rules contain `=`, too, but only after a colon. Plain digits are a guess without feedback.
        if text.contains('=') && !text.contains(':') || text.parse::<u64>().is_ok() {
            return Ok(Self::Turn(text.to_owned()));
        }
        rules(text).map(Self::Rules)
    }
}

impl GameArgs {
    /// Returns the rules, if they were given.
    pub(crate) fn rules(&self) -> Option<Rules> {
        match &self.rules {
            Some(RulesOrTurn::Rules(rules)) => Some(rules.clone()),
            Some(RulesOrTurn::Turn(_)) | None => None,
        }
    }

    /// Iterates over the turns as they were written.
    pub(crate) fn turns(&self) -> impl Iterator<Item = &String> {
        let first = match &self.rules {
            Some(RulesOrTurn::Turn(turn)) => Some(turn),
            Some(RulesOrTurn::Rules(_)) | None => None,
        };
        first.into_iter().chain(&self.turns)
    }

    /// Parses the turns. Guesses without feedback are scored against `secret`, if there is one.
    pub(crate) fn notes(&self, rules: &Rules, secret: Option<&Code>) -> anyhow::Result<Notes> {
        let mut notes = Notes::new(rules.clone());
        for (number, text) in (1..).zip(self.turns()) {
            let note = match secret.filter(|_| !text.contains('=')) {
                Some(secret) => rules.parse_code(text).map_err(TurnError::from).map(|guess| {
                    let feedback = Judge::new(rules).feedback(&guess, secret);
                    Note::from(Turn { guess, feedback })
                }),
                None => Note::parse(rules, text),
            };
            notes.push(note.with_context(|| format!("turn {number}"))?)?;
        }
        Ok(notes)
    }
}

/// Builds a strategy. If it does not support the rules, the error lists the strategies that do.
pub(crate) fn build(strategy: &Spec, rules: &Rules) -> anyhow::Result<Box<dyn Strategy>> {
    build_for(strategy, rules, None)
}

/// Builds a strategy that knows the list of possible secrets, if there is one.
pub(crate) fn build_for(
    strategy: &Spec,
    rules: &Rules,
    secrets: Option<&Arc<SecretList>>,
) -> anyhow::Result<Box<dyn Strategy>> {
    let built = match secrets {
        Some(secrets) => catalog::build_for(strategy, secrets),
        None => catalog::build(strategy, rules),
    };
    built.map_err(|error| match error {
        CatalogError::Strategy(StrategyError::Unplayable(..)) => {
            let can = |row: &&'static Row| match secrets {
                Some(_) => Spec::of(row).can(Capability::Secrets, rules),
                None => row.can_play(rules),
            };
            let others: Vec<&str> = catalog::rows().iter().filter(can).map(|row| row.name).collect();
            let advice = match &others[..] {
                [] => "no strategy supports these rules; choose a smaller game".to_owned(),
                others => format!("choose other rules, or one of these strategies: {}", others.join(", ")),
            };
            anyhow!("{error}\n  {advice}")
        }
        error => error.into(),
    })
}

/// Parser of strategies that offers the names of the catalog for completion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StrategyParser;

impl TypedValueParser for StrategyParser {
    type Value = Spec;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Spec, clap::Error> {
        Spec::from_str.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(catalog::rows().iter().map(|row| PossibleValue::new(row.name).help(row.title))))
    }
}

/// Parses rules. The lines of a board may be in a file: `lines:@star.txtx6`.
///
/// Each line of that file lists one-based cells, separated by spaces, commas or dots; `#` starts a comment.
pub(crate) fn rules(text: &str) -> Result<Rules, String> {
    let Some(rest) = text.trim().strip_prefix("lines:@") else {
        return text.parse().map_err(|error: RulesError| error.to_string());
    };
    let (size, options) = rest.split_once(':').map_or((rest, None), |(size, options)| (size, Some(options)));
    let (path, colors) = size
        .rsplit_once('x')
        .filter(|(path, colors)| !path.is_empty() && colors.parse::<u64>().is_ok())
        .ok_or("write the file and the colors, as in lines:@star.txtx6")?;
    let text = files::read_text(Path::new(path)).map_err(|error| format!("{error:#}"))?;
    let lines = board_lines(&text).map_err(|(line, problem)| format!("{path}:{line}: {problem}"))?;
    let options = options.map(|options| format!(":{options}")).unwrap_or_default();
    let notation = format!("lines:{}x{colors}{options}", lines.join("/"));
    notation.parse().map_err(|error: RulesError| format!("{path}: {error}"))
}

/// Converts the lines of a board file to the notation of rules. An error comes with its line number.
fn board_lines(text: &str) -> Result<Vec<String>, (usize, String)> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.trim_end().lines()) {
        let cells = line.split('#').next().unwrap_or_default();
        if cells.trim().is_empty() && line.contains('#') {
            continue;
        }
        let mut line = Vec::new();
        for cell in cells.split(|char: char| char.is_whitespace() || matches!(char, ',' | '.')) {
            if cell.is_empty() {
                continue;
            }
            match cell.parse::<usize>() {
                Ok(cell) if (1..=pegwise_game::MAX_CELLS).contains(&cell) && !line.contains(&cell) => line.push(cell),
                Ok(cell) if line.contains(&cell) => return Err((number, format!("cell {cell} appears twice"))),
                _ => {
                    let shown: String = cell.chars().take(20).collect();
                    let max = pegwise_game::MAX_CELLS;
                    return Err((number, format!("'{shown}' is not a cell: write numbers from 1 to {max}")));
                }
            }
        }
        if line.is_empty() {
            return Err((number, "the line is empty: write its cells, as in 1 2 3".to_owned()));
        }
        lines.push(line.iter().map(usize::to_string).collect::<Vec<_>>().join("."));
    }
    if lines.is_empty() {
        Err((1, "the file has no line of cells; write one, as in 1 2 3".to_owned()))
    } else {
        Ok(lines)
    }
}

pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("write a whole number from 0 to {}", u64::MAX))
}

/// Returns a parser of whole numbers in a range.
pub(crate) fn whole<T: FromStr>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number)).and_then(|_| text.parse().ok());
        number.ok_or_else(|| format!("write a whole number from {} to {}", range.start(), range.end()))
    }
}

pub(crate) fn duration(text: &str) -> Result<Duration, &'static str> {
    const EXPECTED: &str = "write a time above zero, in seconds or with a unit, as in 2, 0.5, 500ms, 2s, 1m or 1h";
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let with_unit = units.iter().find_map(|&(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, seconds) = with_unit.unwrap_or((text, 1.0));
    // The standard parser also accepts `inf` and `nan`.
    let is_number = number.starts_with(|char: char| char.is_ascii_digit() || char == '.');
    let number: f64 = number.parse().ok().filter(|_| is_number).ok_or(EXPECTED)?;
    let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| "this time is too long")?;
    if time.is_zero() { Err(EXPECTED) } else { Ok(time) }
}

/// Parses a number of bytes.
pub(crate) fn size(text: &str) -> Result<usize, &'static str> {
    const EXPECTED: &str = "write a whole number of bytes, or with a unit, as in 512K, 512M or 4G";
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
    fn parses_times() {
        for (text, milliseconds) in [
            ("2", 2000),
            ("0.5", 500),
            (".5", 500),
            ("500ms", 500),
            ("2s", 2000),
            ("1m", 60_000),
            ("1h", 3_600_000),
            ("1e1", 10_000),
            ("1e9", 1_000_000_000_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in
            ["", "s", "ms", "-1", "-1s", "0", "0ms", "nan", "inf", "-inf", "1e400", "1e30", "2 s", "1e-40", "two"]
        {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parses_sizes() {
        assert_eq!([size("0"), size("4096"), size("512M"), size("4G")], [Ok(0), Ok(4096), Ok(512 << 20), Ok(4 << 30)]);
        for text in ["", "G", "-1", "1.5G", "4g", "99999999999G", "much"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
