//! Exhibits in TOML files; `docs/papers-format.md` describes them.

use std::{num::NonZeroU32, path::Path};

use pegwise_game::{History, Rules, Turn};
use toml::{Spanned, de::DeTable};

use super::{
    exhibit::{Amount, Content, Exhibit, Order, Published, Row, Treatment},
    measure::{Measure, Quantity, Statistic},
    printed::Printed,
    structure::{Partitions, Responses, Transcript},
};
use crate::{
    experiment::{Experiment, sweep},
    toml_file::{FileError, Reader, Value, each},
};

/// What every exhibit says.
const HEAD: [&str; 5] = ["paper", "title", "source", "note", "kind"];
/// What rows say of their games, and what a file may say for all its rows.
const OF_GAMES: [&str; 7] = ["rules", "strategy", "games", "repeats", "exact", "quick", "published-games"];

impl Exhibit {
    /// Reads an exhibit from the text of a file; the path is for messages.
    pub(super) fn parse(id: String, path: &Path, text: &str) -> Result<Self, FileError> {
        let reader = Reader { path, text };
        let table = reader.document()?;
        let text = |name: &str| reader.string(reader.required(&table, name)?);
        let note = table.get("note").map(|note| reader.string(note)).transpose()?;
        let (paper, title, source) = (text("paper")?, text("title")?, text("source")?);
        let content = reader.content(&table)?;
        Ok(Self { id, paper, title, source, note, content })
    }
}

impl Reader<'_> {
    fn content(&self, table: &DeTable<'_>) -> Result<Content, FileError> {
        let kind = table.get("kind");
        let keys = |own: &[&str]| self.check_keys(table, &[&HEAD[..], own].concat());
        match kind.map(|kind| self.string(kind)).transpose()?.as_deref() {
            None | Some("games") => {
                keys(&[&OF_GAMES[..], &["row", "order"]].concat())?;
                self.games(table)
            }
            Some("partitions") => {
                keys(&["rules", "turns", "without-guess", "feedbacks", "parts", "errs"])?;
                self.partitions(table).map(Content::Partitions)
            }
            Some("transcript") => {
                keys(&["rules", "secret", "turns"])?;
                self.transcript(table).map(Content::Transcript)
            }
            Some("responses") => {
                keys(&["rules", "feedbacks"])?;
                let rules = self.rules(table)?;
                let feedbacks = self.list(self.required(table, "feedbacks")?, |text| rules.parse_feedback(text))?;
                Ok(Content::Responses(Responses { rules, feedbacks }))
            }
            Some("described") => {
                keys(&["reason"])?;
                Ok(Content::Described(self.string(self.required(table, "reason")?)?))
            }
            Some(other) => {
                let kinds = "games, partitions, transcript, responses, described";
                Err(self.at(kind.map(Spanned::span), format!("there is no kind '{other}'; the kinds are {kinds}")))
            }
        }
    }

    fn games(&self, table: &DeTable<'_>) -> Result<Content, FileError> {
        let mut rows: Vec<Row> = Vec::new();
        for value in each(self.required(table, "row")?) {
            let more = self.rows(table, value)?;
            if let Some(twice) = more.iter().find(|new| rows.iter().any(|row| row.label == new.label)) {
                return Err(self.at(Some(value.span()), format!("there are two rows '{}'", twice.label)));
            }
            rows.extend(more);
        }
        let orders = table.get("order").into_iter().flat_map(each);
        let orders = orders.map(|value| self.order(value, &rows)).collect::<Result<_, _>>()?;
        Ok(Content::Games { rows, orders })
    }

    /// The rows that one of the file stands for: one, or one for each value of a sweep.
    fn rows(&self, file: &DeTable<'_>, value: &Value<'_>) -> Result<Vec<Row>, FileError> {
        let table = self.table(value, "[[row]]")?;
        let quantities = Quantity::ALL.map(Quantity::name);
        self.check_keys(table, &[&["label", "not-run"], &OF_GAMES[..], &quantities].concat())?;
        let here = |problem: &str| self.at(Some(value.span()), problem);
        let get = |name: &str| table.get(name).or_else(|| file.get(name));
        let label = self.string(table.get("label").ok_or_else(|| here("label is missing"))?)?;
        let rules = get("rules").ok_or_else(|| here("rules is missing"))?;
        let rules = self.parsed(rules, "rules, as in \"4x6\"", str::parse::<Rules>)?;
        let games = get("games").map(|games| self.amount(games)).transpose()?;
        let whole = |name: &str| get(name).map(|value| self.whole(value, 1, Experiment::MOST_GAMES)).transpose();
        let repeats = get("repeats").map(|value| self.whole(value, 1, u32::MAX.into())).transpose()?;
        let repeats = repeats.and_then(|repeats| NonZeroU32::new(repeats as u32)).unwrap_or(NonZeroU32::MIN);
        let exact = match get("exact").map(|exact| (exact, exact.get_ref().as_bool())) {
            None => false,
            Some((_, Some(exact))) => exact,
            Some((value, None)) => return Err(self.at(Some(value.span()), "write true or false")),
        };
        let strategies = match (table.get("not-run"), get("strategy")) {
            (Some(reason), _) => vec![Err(self.string(reason)?)],
            (None, Some(strategy)) => {
                let expand = |text: &str| sweep::variants(text).ok_or("this list of values has no end or no sense");
                self.parsed(strategy, "a strategy", expand)?.into_iter().map(Ok).collect()
            }
            (None, None) => return Err(here("strategy is missing; or say in not-run why none is run")),
        };
        let games = match games {
            Some(games) => games,
            None if strategies.iter().all(Result::is_err) => Amount::All,
            None => return Err(here("games is missing; write a number, \"all\" or { pattern = \"aabb\" }")),
        };
        if matches!(games, Amount::Drawn(_)) && (exact || repeats.get() > 1) {
            return Err(here("only games = \"all\" can be exact or have repeats"));
        }
        let row = Row {
            label,
            rules,
            strategy: Err(String::new()),
            games,
            repeats,
            exact,
            quick: whole("quick")?,
            published_games: whole("published-games")?,
            published: self.published(table)?,
        };
        let of_strategy = |strategy: Result<sweep::Variant, String>| {
            let values = strategy.iter().flat_map(|variant| &variant.values);
            let label = values.fold(row.label.clone(), |label, value| format!("{label} {value}"));
            Row { label, strategy: strategy.map(|variant| variant.text), ..row.clone() }
        };
        Ok(strategies.into_iter().map(of_strategy).collect())
    }

    fn amount(&self, value: &Value<'_>) -> Result<Amount, FileError> {
        if value.get_ref().as_str() == Some("all") {
            return Ok(Amount::All);
        }
        if let Some(table) = value.get_ref().as_table() {
            self.check_keys(table, &["pattern"])?;
            let pattern = table.get("pattern").ok_or_else(|| self.at(Some(value.span()), "pattern is missing"))?;
            return self.string(pattern).map(Amount::Pattern);
        }
        self.whole(value, 1, Experiment::MOST_GAMES).map(Amount::Drawn)
    }

    /// The numbers of a row.
    fn published(&self, row: &DeTable<'_>) -> Result<Vec<Published>, FileError> {
        let mut published = Vec::new();
        for quantity in Quantity::ALL {
            let Some(value) = row.get(quantity.name()) else { continue };
            let table = self.table(value, "{ mean = \"4.41\", sd = \"0.85\" }")?;
            let statistics = Statistic::ALL.map(Statistic::name);
            self.check_keys(table, &[&statistics[..], &["within", "errs", "information"]].concat())?;
            let treatment = self.treatment(table)?;
            for statistic in Statistic::ALL {
                let Some(value) = table.get(statistic.name()) else { continue };
                let printed = self.parsed(value, "the printed digits as a text", str::parse::<Printed>)?;
                let measure = Measure { quantity, statistic };
                // What is granted to a mean is because the paper leaves something open, and that moves all statistics.
                let treatment = match &treatment {
                    Treatment::Within(_) if statistic != Statistic::Mean && !printed.is_bound() => {
                        Treatment::Information("it depends on what the paper leaves open".to_owned())
                    }
                    treatment => treatment.clone(),
                };
                published.push(Published { measure, printed, treatment });
            }
        }
        Ok(published)
    }

    fn treatment(&self, table: &DeTable<'_>) -> Result<Treatment, FileError> {
        let given = |name: &str| table.get(name);
        match (given("within"), given("errs"), given("information")) {
            (None, None, None) => Ok(Treatment::Judged),
            (None, Some(reason), None) => self.string(reason).map(Treatment::Errs),
            (None, None, Some(reason)) => self.string(reason).map(Treatment::Information),
            (Some(share), None, None) => self.parsed(share, "a share, as in \"10%\"", |text| {
                let percent = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
                let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
                percent.map(|percent| Treatment::Within(percent / 100.0)).ok_or("write a share, as in \"10%\"")
            }),
            (_, Some(value), _) | (_, _, Some(value)) => {
                Err(self.at(Some(value.span()), "give one of within, errs and information"))
            }
        }
    }

    fn order(&self, value: &Value<'_>, rows: &[Row]) -> Result<Order, FileError> {
        let table = self.table(value, "[[order]]")?;
        self.check_keys(table, &["says", "of", "rows", "information", "errs"])?;
        let here = |name: &str| self.at(Some(value.span()), format!("{name} is missing"));
        let says = self.string(table.get("says").ok_or_else(|| here("says"))?)?;
        let quantity = self.parsed(table.get("of").ok_or_else(|| here("of"))?, "what is compared", |text| {
            let names = || format!("write one of {}", Quantity::ALL.map(Quantity::name).join(", "));
            Quantity::ALL.into_iter().find(|quantity| quantity.name() == text).ok_or_else(names)
        })?;
        let labels = self.list(table.get("rows").ok_or_else(|| here("rows"))?, |label| {
            let known = rows.iter().any(|row| row.label == label);
            if known { Ok(label.to_owned()) } else { Err(format!("there is no row '{label}'")) }
        })?;
        let reason = |name: &str| table.get(name).map(|value| self.string(value)).transpose();
        let measure = Measure { quantity, statistic: Statistic::Mean };
        Ok(Order { says, measure, rows: labels, information: reason("information")?, errs: reason("errs")? })
    }

    fn partitions(&self, table: &DeTable<'_>) -> Result<Partitions, FileError> {
        let rules = self.rules(table)?;
        let turns = table.get("turns").map(|turns| self.list(turns, |turn| Turn::parse(&rules, turn))).transpose()?;
        let mut history = History::new(rules.clone());
        for turn in turns.into_iter().flatten() {
            history.push(turn).map_err(|error| self.at(table.get("turns").map(Spanned::span), error))?;
        }
        let without_guess = table.get("without-guess").is_some_and(|value| value.get_ref().as_bool() == Some(true));
        let feedbacks = self.list(self.required(table, "feedbacks")?, |text| {
            rules.parse_feedback(text).map(|feedback| feedback.to_string())
        })?;
        let parts = self.list(self.required(table, "parts")?, |line| {
            let mut words = line.split_whitespace();
            let guess = rules.parse_code(words.next().unwrap_or_default()).map_err(|error| error.to_string())?;
            let sizes: Result<Vec<u64>, _> = words.map(str::parse).collect();
            match sizes {
                Ok(sizes) if sizes.len() == feedbacks.len() => Ok((guess, sizes)),
                _ => Err(format!("write a guess and {} numbers", feedbacks.len())),
            }
        })?;
        let mut errs = Vec::new();
        if let Some(value) = table.get("errs") {
            for (feedback, reason) in self.table(value, "{ \"1,3\" = \"why\" }")? {
                errs.push((feedback.get_ref().to_string(), self.string(reason)?));
            }
        }
        Ok(Partitions { history, without_guess, feedbacks, parts, errs })
    }

    fn transcript(&self, table: &DeTable<'_>) -> Result<Transcript, FileError> {
        let rules = self.rules(table)?;
        let secret = self.parsed(self.required(table, "secret")?, "a code", |text| rules.parse_code(text))?;
        let turns = self.list(self.required(table, "turns")?, |turn| Turn::parse(&rules, turn))?;
        Ok(Transcript { rules, secret, turns })
    }

    fn rules(&self, table: &DeTable<'_>) -> Result<Rules, FileError> {
        self.parsed(self.required(table, "rules")?, "rules, as in \"4x6\"", str::parse::<Rules>)
    }

    fn list<T, E: std::fmt::Display>(
        &self,
        value: &Value<'_>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Vec<T>, FileError> {
        each(value).map(|value| self.parsed(value, "a list of texts", &parse)).collect()
    }
}
