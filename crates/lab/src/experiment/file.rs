//! Experiments in TOML files, and lists of secrets in text files.
//!
//! ```toml
//! rules = ["4x6", "5x8"]             # or one, as "4x6"
//! strategies = [
//!     "knuth",
//!     "entropy(ties=random)",
//!     { strategy = "random-consistent", sweep = { first = ["1122", "1123"] } },
//! ]
//! games = 1000                       # number of drawn secrets, or "all"
//! repeats = 1
//! seed = 7
//!
//! [limits]                           # per guess
//! examined = 100000
//! nodes = 100000
//! seconds = 0.5
//! ```
//!
//! With `secrets = "codes.txt"` instead of `games`, each code of the file is played once, one code per line. With both,
//! secrets are drawn from the file by the weights that follow the codes. With a table of games per board instead of
//! `rules`, as in `games = { "5x8" = 1000, "20x20" = 50 }`, each board has its own number of games.

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;
use std::time::Duration;

use pegwise_game::Rules;
use pegwise_solve::{Limits, Spec, SpecError, catalog, secrets::SecretList, seeds::DEFAULT_SEED};
use serde::{Deserialize, Deserializer, de::Error as _};
use toml::Spanned;

use super::{Experiment, Secrets, sweep};
use crate::toml_file::{AllWord, InputFileError, OneOrMany, Parsed, TomlFile, read};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExperimentFile {
    rules: Option<Spanned<OneOrMany<Parsed<Rules>>>>,
    strategies: Spanned<OneOrMany<StrategyEntry>>,
    games: Option<Spanned<GamesSetting>>,
    secrets: Option<Spanned<String>>,
    repeats: Option<NonZeroU32>,
    seed: Option<u64>,
    #[serde(default)]
    limits: LimitsEntry,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "write a strategy, as in \"knuth\" or { strategy = \"knuth\", sweep = { first = [..] } }"
)]
enum StrategyEntry {
    Text(String),
    Sweep(SweepEntry),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SweepEntry {
    strategy: String,
    #[serde(default)]
    sweep: toml::Table,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsEntry {
    examined: Option<NonZeroU64>,
    nodes: Option<NonZeroU64>,
    #[serde(default, deserialize_with = "seconds")]
    seconds: Option<Duration>,
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let time = Duration::try_from_secs_f64(f64::deserialize(deserializer)?).ok().filter(|time| !time.is_zero());
    time.map(Some).ok_or_else(|| D::Error::custom("write seconds, more than zero, as in 0.5"))
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "write a number of games, \"all\", or a table of rules and numbers of games")]
enum GamesSetting {
    Count(NonZeroU64),
    All(AllWord),
    Each(BTreeMap<String, NonZeroU64>),
}

impl Experiment {
    /// Reads an experiment from a TOML file. A path in it is relative to the file.
    ///
    /// ```
    /// use pegwise_lab::Experiment;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("openings.toml");
    /// std::fs::write(&path, "rules = '4x6'\nstrategies = ['knuth(first=[1122|1123])']\ngames = 'all'")?;
    /// assert_eq!(Experiment::load(&path)?.cells().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(path: &Path) -> Result<Self, InputFileError> {
        parse(TomlFile { path, text: &read(path)? })
    }
}

impl Secrets {
    /// Checks a list of secrets, one code per line, optionally followed by its weight; `path` is for messages. With `games`,
    /// this number of secrets is drawn by weight; otherwise each code is played once.
    pub fn from_list(path: &Path, list: String, rules: &[Rules], games: Option<u64>) -> Result<Self, InputFileError> {
        for rules in rules {
            SecretList::parse(rules, &list).map_err(|error| {
                let (line, problem) = (error.number().unwrap_or(1), format!("{rules}: {error}"));
                InputFileError::At(path.to_owned(), line, problem)
            })?;
        }
        let list = list.into();
        Ok(match games {
            Some(games) => Self::Weighted { list, games },
            None => Self::Each(list),
        })
    }
}

fn parse(source: TomlFile<'_>) -> Result<Experiment, InputFileError> {
    let file: ExperimentFile = source.deserialize()?;
    let games_span = file.games.as_ref().map(Spanned::span);
    let listed_rules = |rules: Option<Spanned<OneOrMany<Parsed<Rules>>>>| {
        let rules = OneOrMany::into_items(source.required(rules, "rules")?);
        Ok(rules.into_iter().map(|rules| rules.into_inner().0).collect::<Vec<_>>())
    };
    let (rules, secrets) = match (file.games.map(Spanned::into_inner), file.secrets) {
        (Some(GamesSetting::Each(each)), secrets) => {
            let repeated =
                [("rules", file.rules.map(|rules| rules.span())), ("secrets", secrets.map(|path| path.span()))];
            if let Some((name, span)) = repeated.into_iter().find(|(_, span)| span.is_some()) {
                return Err(source.error(span, format!("{name} cannot be combined with a table of games; remove one")));
            }
            let rules = each.keys().map(|rules| rules.parse()).collect::<Result<Vec<Rules>, _>>();
            let rules = rules.map_err(|error| source.error(games_span.clone(), error))?;
            let counts = rules.iter().zip(each.values()).map(|(rules, games)| (rules.to_string(), games.get()));
            let secrets = Secrets::DrawnEach(counts.collect());
            (rules, secrets)
        }
        (games, Some(secrets)) => {
            let rules = listed_rules(file.rules)?;
            let path = source.path.parent().unwrap_or(Path::new("")).join(secrets.into_inner());
            let games = match games {
                Some(GamesSetting::Count(games)) => Some(games.get()),
                None => None,
                Some(_) => return Err(source.error(games_span, "with secrets, games must be a number, or absent")),
            };
            let secrets = Secrets::from_list(&path, read(&path)?, &rules, games)?;
            (rules, secrets)
        }
        (Some(GamesSetting::All(AllWord::All)), None) => (listed_rules(file.rules)?, Secrets::All),
        (Some(GamesSetting::Count(games)), None) => (listed_rules(file.rules)?, Secrets::Drawn(games.get())),
        (None, None) => return Err(source.error(None, "games is missing; write a number or \"all\"")),
    };
    let mut strategies = Vec::new();
    for entry in OneOrMany::into_items(file.strategies) {
        let error = |problem: &dyn fmt::Display| source.error(Some(entry.span()), problem);
        for spec in entry.get_ref().specs().map_err(|problem| error(&problem))? {
            for rules in &rules {
                catalog::check(&spec, rules).map_err(|problem| error(&problem))?;
            }
            strategies.push(spec);
        }
    }
    let LimitsEntry { examined, nodes, seconds } = file.limits;
    let limits = Limits { examined: examined.map(NonZeroU64::get), nodes: nodes.map(NonZeroU64::get), time: seconds };
    Experiment::new(rules, strategies, secrets)
        .and_then(|experiment| experiment.with_repeats(file.repeats.unwrap_or(NonZeroU32::MIN)))
        .map(|experiment| experiment.with_seed(file.seed.unwrap_or(DEFAULT_SEED)).with_limits(limits))
        .map_err(|error| source.error(games_span, error))
}

impl StrategyEntry {
    /// Returns the strategies of the entry: one, or one per combination of swept values.
    fn specs(&self) -> Result<Vec<Spec>, SpecError> {
        let (name, sweep) = match self {
            Self::Text(text) => return sweep::expand(text),
            Self::Sweep(SweepEntry { strategy, sweep }) => (strategy.trim(), sweep),
        };
        let mut text = name.strip_suffix(')').map_or_else(|| format!("{name}("), |open| format!("{open},"));
        for (parameter, values) in sweep {
            let values = values.as_array().map_or(std::slice::from_ref(values), Vec::as_slice);
            let values: Vec<String> = values.iter().map(scalar).collect();
            text += &format!("{parameter}=[{}],", values.join("|"));
        }
        sweep::expand(&format!("{text})"))
    }
}

/// Formats a parameter value as in the notation of strategies.
fn scalar(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ExperimentDescription;

    fn load(text: &str) -> Result<Experiment, String> {
        parse(TomlFile { path: Path::new("x.toml"), text }).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_has_all_settings() {
        let text = "rules = ['4x6', '3x4']\n\
            strategies = ['knuth', { strategy = 'entropy(ties=random)', sweep = { bonus = [0, 2] } }]\n\
            games = 10\nrepeats = 3\nseed = 7\n[limits]\nexamined = 100\nseconds = 0.5\n";
        let description = ExperimentDescription::of(&load(text).unwrap());
        assert_eq!(description.strategies, ["entropy(ties=random)", "entropy(ties=random,bonus=0)", "knuth"]);
        assert_eq!((description.counts, description.repeats, description.seed), (vec![10, 10], 3, 7));
        assert_eq!(description.limits, "examined 100, time 500ms");
    }

    #[test]
    fn boards_can_have_their_own_numbers_of_games() {
        let text = "strategies = 'knuth'\nseed = 7\n[games]\n'4x6' = 10\n'3x4' = 30\n";
        let description = ExperimentDescription::of(&load(text).unwrap());
        assert_eq!(
            (&description.rules[..], &description.counts[..]),
            (&["3x4", "4x6"].map(String::from)[..], &[30, 10][..])
        );
        assert_eq!(description.secrets, "drawn: 3x4 30, 4x6 10");
        let error = |text: &str| load(text).unwrap_err();
        assert!(error("strategies = 'knuth'\ngames = { '4by6' = 1 }").starts_with("x.toml:2: "));
        assert!(error("strategies = 'knuth'\ngames = { '4x6' = 0 }").starts_with("x.toml:2: write a number of games"));
        let twice = error("rules = '4x6'\nstrategies = 'knuth'\ngames = { '4x6' = 1 }");
        assert!(twice.starts_with("x.toml:1: rules cannot be combined with a table of games"), "{twice}");
    }

    #[test]
    fn errors_name_their_line() {
        const GOOD: &str = "rules = '4x6'\nstrategies = 'knuth'\n";
        for (text, expected) in [
            ("rules = '4x6'\ngames = 1", "x.toml:1: missing field `strategies`"),
            ("rules = '4x6'\nstrategies = ['knuth',\n 'knut']\ngames = 1", "x.toml:3: 'knut' is not a strategy"),
            ("rules = '4x6'\nstrategies = 'knuth(first=1177)'\ngames = 1", "x.toml:2: first of knuth cannot be"),
            ("rules = '4by6'\nstrategies = 'knuth'\ngames = 1", "x.toml:1: "),
            (&format!("{GOOD}\ngame = 3"), "x.toml:4: unknown field `game`, expected one of `rules`, "),
            (&format!("{GOOD}games = 0"), "x.toml:3: write a number of games, \"all\", or a table"),
            (&format!("{GOOD}games = 'most'"), "x.toml:3: write a number of games"),
            (&format!("{GOOD}games = 1\nrepeats = 0"), "x.toml:4: invalid value: integer `0`"),
            (&format!("{GOOD}games = 1\nseed = -1"), "x.toml:4: invalid value: integer `-1`"),
            (&format!("{GOOD}games = 1\nlimits = {{ seconds = -1 }}"), "x.toml:4: write seconds"),
            (&format!("{GOOD}games = 'all'\nsecrets = 'a'"), "x.toml:3: with secrets, games must be a number"),
            (&format!("{GOOD}games = 1\n[limits]\nsteps = 3"), "x.toml:5: unknown field `steps`"),
            (&format!("{GOOD}games = 3\ngames = 4"), "x.toml:4: "),
            (&format!("{GOOD}secrets = 'none.txt'"), "none.txt cannot be read"),
            (&format!("{GOOD}games = = 1"), "x.toml:3: "),
            (GOOD, "x.toml:1: games is missing"),
        ] {
            let error = load(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}\n{error}");
        }
    }
}
