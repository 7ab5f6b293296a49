//! Arguments that several subcommands take, and how they are read.

use std::{ffi::OsStr, str::FromStr as _, sync::Arc, time::Duration};

use anstream::ColorChoice;
use clap::{
    Arg, Command, ValueEnum,
    builder::{PossibleValue, TypedValueParser},
};
use pegwise_game::Rules;
use pegwise_solve::{
    Limits, Spec, Strategy, StrategyError,
    catalog::{self, Capability, CatalogError, Row},
    secrets::SecretList,
    tree::TreeFile,
};

use crate::{secrets::Listed, tree::file::Source};

/// The classic game, where no rules are given.
pub(crate) const DEFAULT_RULES: &str = "4x6";
/// Who plays, where no strategy is given.
pub(crate) const DEFAULT_STRATEGY: &str = "adaptive";

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
}

/// When there is color.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` asks for none.
    #[default]
    Auto,
    /// In pipes and files too.
    Always,
    Never,
}

impl Color {
    /// From here on, everything that is written keeps to it.
    pub(crate) fn apply(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// Who plays, and how long it may think.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Player {
    /// The strategy, with parameters as in 'entropy(guesses=consistent)'; `pegwise strategies` lists them all.
    #[arg(long, short, value_name = "SPEC", default_value = DEFAULT_STRATEGY)]
    #[arg(value_parser = StrategyParser, hide_possible_values = true)]
    pub(crate) strategy: Spec,

    /// The longest to think about one guess, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "SECONDS", value_parser = time_limit, allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Duration>,

    /// A tree file to play from, or - for the standard input; the strategy plays where the tree has no guess.
    #[arg(long, value_name = "FILE")]
    pub(crate) tree: Option<Source>,

    #[command(flatten)]
    pub(crate) secrets: Listed,
}

impl Player {
    /// What it may spend on a guess.
    pub(crate) fn limits(&self) -> Limits {
        Limits { time: self.time_limit, ..Limits::default() }
    }

    /// The rules to play, and the tree if there is one: of the rules given, of the tree, or of the classic game.
    pub(crate) fn rules(&self, given: Option<Rules>) -> anyhow::Result<(Rules, Option<TreeFile>)> {
        let Some(source) = &self.tree else {
            return Ok((given.map_or_else(|| DEFAULT_RULES.parse(), Ok)?, None));
        };
        let file = source.load()?;
        let of_tree = &file.tree.rules;
        let rules = given.unwrap_or_else(|| of_tree.clone());
        // A limit on guesses does not change what to play.
        if rules.clone().with_max_guesses(None) != of_tree.clone().with_max_guesses(None) {
            anyhow::bail!("{source}: the tree is of {of_tree}, not of {rules}\n  leave the rules away, or the tree");
        }
        Ok((rules, Some(file)))
    }
}

/// Makes a strategy; where it cannot play the rules, the error says which strategies can.
pub(crate) fn build(strategy: &Spec, rules: &Rules) -> anyhow::Result<Box<dyn Strategy>> {
    build_for(strategy, rules, None)
}

/// Makes a strategy, for a secret from a list where there is one.
pub(crate) fn build_for(
    strategy: &Spec,
    rules: &Rules,
    secrets: Option<&Arc<SecretList>>,
) -> anyhow::Result<Box<dyn Strategy>> {
    let made = match secrets {
        Some(secrets) => catalog::build_for(strategy, secrets),
        None => catalog::build(strategy, rules),
    };
    made.map_err(|error| match error {
        CatalogError::Strategy(StrategyError::Unplayable { .. }) => {
            let can = |row: &&'static Row| match secrets {
                Some(_) => row.spec().can(Capability::Secrets, rules),
                None => row.can_play(rules),
            };
            let others: Vec<&str> = catalog::rows().iter().filter(can).map(|row| row.name).collect();
            let advice = match &others[..] {
                [] => "no strategy can yet; choose a smaller game".to_owned(),
                others => format!("choose other rules, or a strategy that can: {}", others.join(", ")),
            };
            anyhow::anyhow!("{error}\n  {advice}")
        }
        error => error.into(),
    })
}

/// Reads a strategy, and completes its name from the catalog.
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

/// Reads a seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("write a whole number from 0 to {}", u64::MAX))
}

/// Reads a time limit.
pub(crate) fn time_limit(text: &str) -> Result<Duration, &'static str> {
    const EXPECTED: &str = "write a time longer than zero, in seconds or with a unit, as in 2, 0.5, 500ms, 2s or 1m";
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0)];
    let with_unit = units.iter().find_map(|&(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, seconds) = with_unit.unwrap_or((text, 1.0));
    // The standard parser also takes names such as `inf` and `nan`.
    let looks_like_a_number = number.starts_with(|char: char| char.is_ascii_digit() || char == '.');
    let number: f64 = number.parse().ok().filter(|_| looks_like_a_number).ok_or(EXPECTED)?;
    let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| "this is longer than the clock can count")?;
    if time.is_zero() { Err(EXPECTED) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limits_are_seconds_or_have_a_unit() {
        for (text, milliseconds) in
            [("2", 2000), ("0.5", 500), (".5", 500), ("500ms", 500), ("2s", 2000), ("1m", 60_000), ("1e1", 10_000)]
        {
            assert_eq!(time_limit(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn nonsense_is_no_time_limit() {
        for text in
            ["", "s", "ms", "-1", "-1s", "0", "0ms", "nan", "inf", "-inf", "1e400", "1e30", "2 s", "1e-40", "two"]
        {
            assert!(time_limit(text).is_err(), "{text}");
        }
    }
}
