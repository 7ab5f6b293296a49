//! Experiments in TOML files, and lists of secrets in text files.
//!
//! ```toml
//! rules = ["4x6", "5x8"]             # or one, as "4x6"
//! strategies = [
//!     "knuth",
//!     "entropy(ties=random)",
//!     { strategy = "random-consistent", sweep = { first = ["1122", "1123"] } },
//! ]
//! games = 1000                       # or "all"; or secrets = "codes.txt", one code a line; with both, secrets
//!                                    # are drawn from the list, each as often as the weight after it says
//!                                    # or a table of rules and their games: { "5x8" = 1000, "20x20" = 50 }, without rules
//! repeats = 1
//! seed = 7
//!
//! [limits]                           # on each guess
//! examined = 100000
//! nodes = 100000
//! seconds = 0.5
//! ```

use std::{
    num::NonZeroU32,
    path::{Path, PathBuf},
    time::Duration,
};

use pegwise_game::Rules;
use pegwise_solve::{Limits, Spec, catalog, secrets::SecretList};
use toml::{Spanned, de::DeTable};

use super::{Experiment, Secrets, sweep};
use crate::toml_file::{FileError, Reader, Value, each, read};

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
    pub fn load(path: &Path) -> Result<Self, FileError> {
        let text = read(path)?;
        Reader { path, text: &text }.experiment()
    }
}

impl Secrets {
    /// Reads a list of secrets, one code a line, and its weight after it where it has one: each is played once or, where a
    /// number of games is given, so many are drawn by weight.
    pub fn load(path: &Path, rules: &[Rules], games: Option<u64>) -> Result<Self, FileError> {
        let list = read(path)?;
        for rules in rules {
            SecretList::parse(rules, &list).map_err(|error| {
                let (line, problem) = (error.number().unwrap_or(1), format!("{rules}: {error}"));
                FileError::At { path: path.to_owned(), line, problem }
            })?;
        }
        let list = list.into();
        Ok(match games {
            Some(games) => Self::Weighted { list, games },
            None => Self::Each(list),
        })
    }
}

impl Reader<'_> {
    fn experiment(&self) -> Result<Experiment, FileError> {
        let table = &self.document()?;
        self.check_keys(table, &["rules", "strategies", "games", "secrets", "repeats", "seed", "limits"])?;

        let counts = table.get("games").and_then(|games| games.get_ref().as_table());
        let counts = counts.map(|counts| self.games_of_each(table, counts)).transpose()?;
        let rules: Vec<Rules> = match &counts {
            Some(counts) => counts.iter().map(|(rules, _)| rules.clone()).collect(),
            None => {
                let listed = self.required(table, "rules")?;
                let rules = each(listed).map(|value| self.parsed(value, "rules, as in \"4x6\"", str::parse::<Rules>));
                rules.collect::<Result<_, _>>()?
            }
        };
        let mut strategies = Vec::new();
        for value in each(self.required(table, "strategies")?) {
            for spec in self.strategies(value)? {
                for rules in &rules {
                    catalog::check(&spec, rules).map_err(|error| self.at(Some(value.span()), error))?;
                }
                strategies.push(spec);
            }
        }
        let secrets = match &counts {
            Some(counts) => {
                Secrets::DrawnEach(counts.iter().map(|(rules, games)| (rules.to_string(), *games)).collect())
            }
            None => self.secrets(table, &rules)?,
        };
        let whole = |name: &str, most: u64| {
            table.get(name).map(|value| self.whole(value, u64::from(name == "repeats"), most)).transpose()
        };
        let repeats = whole("repeats", u32::MAX.into())?.and_then(|repeats| NonZeroU32::new(repeats as u32));
        let seed = whole("seed", u64::MAX)?.unwrap_or(1);
        let limits = table.get("limits").map(|value| self.limits(value)).transpose()?.unwrap_or_default();
        Experiment::new(rules, strategies, secrets)
            .and_then(|experiment| experiment.with_repeats(repeats.unwrap_or(NonZeroU32::MIN)))
            .map(|experiment| experiment.with_seed(seed).with_limits(limits))
            .map_err(|error| self.at(table.get("games").map(Spanned::span), error))
    }

    /// Rules with a number of games each.
    fn games_of_each(&self, table: &DeTable<'_>, counts: &DeTable<'_>) -> Result<Vec<(Rules, u64)>, FileError> {
        for name in ["rules", "secrets"] {
            if let Some(value) = table.get(name) {
                return Err(
                    self.at(Some(value.span()), format!("{name} stand in the table games already; leave one away"))
                );
            }
        }
        let of_rules = |(name, games): (&Spanned<toml::de::DeString<'_>>, &Value<'_>)| {
            let rules = name.get_ref().parse::<Rules>().map_err(|error| self.at(Some(name.span()), error))?;
            Ok((rules, self.whole(games, 1, Experiment::MOST_GAMES)?))
        };
        counts.iter().map(of_rules).collect()
    }

    fn strategies(&self, value: &Value<'_>) -> Result<Vec<Spec>, FileError> {
        const EXPECTED: &str = "a strategy, as in \"knuth\" or { strategy = \"knuth\", sweep = { first = [..] } }";
        let Some(table) = value.get_ref().as_table() else {
            return self.parsed(value, EXPECTED, sweep::expand);
        };
        self.check_keys(table, &["strategy", "sweep"])?;
        let Some(name) = table.get("strategy").and_then(|name| name.get_ref().as_str()) else {
            return Err(self.at(Some(value.span()), format!("write {EXPECTED}")));
        };
        let mut text = name.trim().strip_suffix(')').map_or_else(|| format!("{name}("), |open| format!("{open},"));
        if let Some(sweep) = table.get("sweep") {
            let Some(parameters) = sweep.get_ref().as_table() else {
                return Err(self.at(Some(sweep.span()), "write { parameter = [value, value] }"));
            };
            for (parameter, values) in parameters {
                let values: Vec<String> = each(values).map(|value| self.scalar(value)).collect::<Result<_, _>>()?;
                text += &format!("{}=[{}],", parameter.get_ref(), values.join("|"));
            }
        }
        sweep::expand(&format!("{text})")).map_err(|error| self.at(Some(value.span()), error))
    }

    fn secrets(&self, table: &DeTable<'_>, rules: &[Rules]) -> Result<Secrets, FileError> {
        match (table.get("games"), table.get("secrets")) {
            (Some(games), None) if games.get_ref().as_str() == Some("all") => Ok(Secrets::All),
            (Some(games), None) => Ok(Secrets::Drawn(self.whole(games, 1, Experiment::MOST_GAMES)?)),
            (games, Some(file)) => {
                let path = self.parsed(file, "the path of a file", str::parse::<PathBuf>)?;
                let path = self.path.parent().unwrap_or(Path::new("")).join(path);
                let games = games.map(|games| self.whole(games, 1, Experiment::MOST_GAMES)).transpose()?;
                Secrets::load(&path, rules, games)
            }
            (None, None) => Err(self.at(None, "games is missing; write a number or \"all\"")),
        }
    }

    fn limits(&self, value: &Value<'_>) -> Result<Limits, FileError> {
        let table = self.table(value, "{ examined = 1000 }")?;
        self.check_keys(table, &["examined", "nodes", "seconds"])?;
        let count = |name: &str| table.get(name).map(|value| self.whole(value, 1, u64::MAX)).transpose();
        let seconds = |value: &Value<'_>| {
            let time = self.scalar(value)?.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            time.filter(|time| !time.is_zero())
                .ok_or_else(|| self.at(Some(value.span()), "write seconds, more than zero, as in 0.5"))
        };
        let time = table.get("seconds").map(seconds).transpose()?;
        Ok(Limits { examined: count("examined")?, nodes: count("nodes")?, time })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Description;

    fn load(text: &str) -> Result<Experiment, String> {
        let reader = Reader { path: Path::new("x.toml"), text };
        reader.experiment().map_err(|error| error.to_string())
    }

    #[test]
    fn everything_can_be_said_in_a_file() {
        let text = "rules = ['4x6', '3x4']\n\
            strategies = ['knuth', { strategy = 'entropy(ties=random)', sweep = { bonus = [0, 2] } }]\n\
            games = 10\nrepeats = 3\nseed = 7\n[limits]\nexamined = 100\nseconds = 0.5\n";
        let description = Description::of(&load(text).unwrap());
        assert_eq!(description.strategies, ["entropy(ties=random)", "entropy(ties=random,bonus=0)", "knuth"]);
        assert_eq!((description.counts, description.repeats, description.seed), (vec![10, 10], 3, 7));
        assert_eq!(description.limits, "examined 100, time 500ms");
    }

    #[test]
    fn boards_may_have_numbers_of_games_of_their_own() {
        let text = "strategies = 'knuth'\nseed = 7\n[games]\n'4x6' = 10\n'3x4' = 30\n";
        let description = Description::of(&load(text).unwrap());
        assert_eq!(
            (&description.rules[..], &description.counts[..]),
            (&["3x4", "4x6"].map(String::from)[..], &[30, 10][..])
        );
        assert_eq!(description.secrets, "drawn: 3x4 30, 4x6 10");
        let error = |text: &str| load(text).unwrap_err();
        assert!(error("strategies = 'knuth'\ngames = { '4by6' = 1 }").starts_with("x.toml:2: "));
        assert!(error("strategies = 'knuth'\ngames = { '4x6' = 0 }").starts_with("x.toml:2: write a whole number"));
        let twice = error("rules = '4x6'\nstrategies = 'knuth'\ngames = { '4x6' = 1 }");
        assert!(twice.starts_with("x.toml:1: rules stand in the table games already"), "{twice}");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        const GOOD: &str = "rules = '4x6'\nstrategies = 'knuth'\n";
        for (text, expected) in [
            ("rules = '4x6'\ngames = 1", "x.toml:1: strategies is missing"),
            ("rules = '4x6'\nstrategies = ['knuth',\n 'knut']\ngames = 1", "x.toml:3: 'knut' is not a strategy"),
            ("rules = '4x6'\nstrategies = 'knuth(first=1177)'\ngames = 1", "x.toml:2: first of knuth cannot be"),
            ("rules = '4by6'\nstrategies = 'knuth'\ngames = 1", "x.toml:1: "),
            (&format!("{GOOD}\ngame = 3"), "x.toml:4: there is no key 'game'; the keys are rules, "),
            (&format!("{GOOD}games = 0"), "x.toml:3: write a whole number from 1 to 1099511627776"),
            (&format!("{GOOD}games = 'most'"), "x.toml:3: write a whole number"),
            (&format!("{GOOD}games = 1\nrepeats = 0"), "x.toml:4: write a whole number from 1 to 4294967295"),
            (&format!("{GOOD}games = 1\nseed = -1"), "x.toml:4: write a whole number from 0"),
            (&format!("{GOOD}games = 1\nlimits = {{ seconds = -1 }}"), "x.toml:4: write seconds"),
            (&format!("{GOOD}games = 'all'\nsecrets = 'a'"), "x.toml:3: write a whole number"),
            (&format!("{GOOD}games = = 1"), "x.toml:3: "),
            (GOOD, "x.toml:1: games is missing"),
        ] {
            let error = load(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}\n{error}");
        }
    }
}
