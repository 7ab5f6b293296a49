//! Exhibits in TOML files; `docs/papers-format.md` describes them.

use std::{num::NonZeroU32, path::Path};

use pegwise_game::{History, Rules, Turn};
use toml::{Spanned, de::DeTable};

use super::{
    exhibit::{Amount, Content, Correction, Exhibit, Order, Published, Row},
    measure::{Measure, Quantity, Statistic},
    printed::Printed,
    structure::{Partitions, Responses, Transcript},
    window,
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
                keys(&["rules", "turns", "without-guess", "feedbacks", "parts"])?;
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
        self.check_keys(table, &[&["label", "not-run", "tried"], &OF_GAMES[..], &quantities].concat())?;
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
            published: self.published(table, exact)?,
            tried: table.get("tried").map(|tried| self.string(tried)).transpose()?,
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

    /// The numbers of a row. Where nothing is left to luck, a share may be granted instead of the digits.
    fn published(&self, row: &DeTable<'_>, exact: bool) -> Result<Vec<Published>, FileError> {
        let mut published = Vec::new();
        for quantity in Quantity::ALL {
            let Some(value) = row.get(quantity.name()) else { continue };
            let table = self.table(value, "{ mean = \"4.41\", sd = \"0.85\" }")?;
            let statistics = Statistic::ALL.map(Statistic::name);
            let own = ["within", "errs", "right", "information", "cause"];
            self.check_keys(table, &[&statistics[..], &own].concat())?;
            let text = |name: &str| table.get(name).map(|value| self.string(value)).transpose();
            let (errs, information, cause) = (text("errs")?, text("information")?, text("cause")?);
            let right = table.get("right").map(|value| self.table(value, "{ mean = \"4.41\" }")).transpose()?;
            if let Some(value) = table.get("right").filter(|_| errs.is_none()) {
                return Err(self.at(Some(value.span()), "say in errs why the paper errs"));
            }
            for statistic in Statistic::ALL {
                let Some(value) = table.get(statistic.name()) else { continue };
                let printed = |value| self.parsed(value, "the printed digits as a text", str::parse::<Printed>);
                let measure = Measure { quantity, statistic };
                let within = table.get("within").map(|value| self.within(value, measure, exact)).transpose()?;
                let right = right.and_then(|right| right.get(statistic.name())).map(printed).transpose()?;
                let correction = match (&errs, right) {
                    (Some(reason), Some(right)) => Some(Correction { right, reason: reason.clone() }),
                    (Some(_), None) => {
                        let name = statistic.name();
                        let problem = format!("the paper errs: write in right = {{ {name} = \"…\" }} what is right");
                        return Err(self.at(Some(value.span()), problem));
                    }
                    (None, _) => None,
                };
                let (information, cause) = (information.clone(), cause.clone());
                let printed = printed(value)?;
                published.push(Published { measure, printed, within, correction, information, cause });
            }
        }
        Ok(published)
    }

    /// The share that is granted instead of digits: no more than to a number that rests on luck.
    fn within(&self, value: &Value<'_>, measure: Measure, exact: bool) -> Result<f64, FileError> {
        let most = window::share(measure);
        let percent = self.parsed(value, "a share, as in \"2%\"", |text| {
            let percent = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
            percent
                .filter(|percent| (0.0..=100.0 * most).contains(percent))
                .ok_or("write a share, as in \"2%\", of at most 2 % of guesses and 10 % of others")
        })?;
        match exact {
            true => Ok(percent / 100.0),
            false => Err(self.at(Some(value.span()), "a share is granted only to rows with exact = true")),
        }
    }

    fn order(&self, value: &Value<'_>, rows: &[Row]) -> Result<Order, FileError> {
        let table = self.table(value, "[[order]]")?;
        self.check_keys(table, &["says", "of", "rows", "information", "cause"])?;
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
        Ok(Order { says, measure, rows: labels, information: reason("information")?, cause: reason("cause")? })
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
        Ok(Partitions { history, without_guess, feedbacks, parts })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::{Level, Options, Reproducer};

    fn parse(text: &str) -> Result<Exhibit, String> {
        Exhibit::parse("x/table".to_owned(), Path::new("x.toml"), text).map_err(|error| error.to_string())
    }

    /// What is documented is what is read.
    #[test]
    fn the_documented_files_are_read() {
        let page = include_str!("../../../../docs/papers-format.md");
        let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
        let exhibits: Vec<Exhibit> = blocks.map(|block| parse(block).unwrap()).collect();
        assert_eq!(exhibits.len(), 2);
        let rows = exhibits[0].rows();
        let games: Vec<u64> = rows.iter().map(Row::games_in_full).collect();
        assert_eq!(games, [12960, 1296, 1000, 12960]);
        assert_eq!(rows[0].published.len(), 5);
        assert!(rows[1].exact && rows[3].spec().is_err());
        let report =
            Reproducer::new(Options { level: Level::Quick, ..Options::default() }).reproduce(&exhibits[0]).unwrap();
        assert_eq!(report.refuted().count(), 0, "{:?}", report.findings);
        assert_eq!((report.findings.len(), report.claims.len()), (10, 1));
    }

    #[test]
    fn a_sweep_is_a_row_for_each_value() {
        let head = "paper = 'a'\ntitle = 'b'\nsource = 'c'\nrules = '4x6'\ngames = 10\n";
        let swept = parse(&format!("{head}[[row]]\nlabel = 'w'\nstrategy = 'unbuilt(w=[1..3|9],x=2)'")).unwrap();
        let labels: Vec<&str> = swept.rows().iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["w 1", "w 2", "w 3", "w 9"]);
        assert_eq!(swept.rows()[3].strategy.as_deref(), Ok("unbuilt(w=9,x=2)"));
        assert_eq!(swept.rows()[3].spec().unwrap_err(), "strategy unbuilt is not built");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let head = "paper = 'a'\ntitle = 'b'\nsource = 'c'\n";
        let row = format!("{head}rules = '4x6'\ngames = 10\n[[row]]\nlabel = 'r'\nstrategy = 'knuth'\n");
        for (text, expected) in [
            ("title = 'b'".to_owned(), "x.toml:1: paper is missing"),
            (format!("{head}kind = 'cake'"), "x.toml:4: there is no kind 'cake'; the kinds are games, "),
            (format!("{head}rows = 1"), "x.toml:4: there is no key 'rows'"),
            (head.to_owned(), "x.toml:1: row is missing"),
            (format!("{head}[[row]]\nlabel = 'r'\nstrategy = 'knuth'"), "x.toml:4: rules is missing"),
            (format!("{row}guesses = {{ mean = 4.5 }}"), "x.toml:9: write the printed digits as a text"),
            (format!("{row}guesses = {{ mean = 'many' }}"), "x.toml:9: 'many' is not a printed number"),
            (format!("{row}guesses = {{ mode = '4' }}"), "x.toml:9: there is no key 'mode'"),
            (format!("{row}guesses = {{ mean = '4', within = 'much' }}"), "x.toml:9: write a share"),
            (format!("{row}guesses = {{ mean = '4', within = '3%' }}"), "x.toml:9: write a share"),
            (format!("{row}guesses = {{ mean = '4', within = '1%' }}"), "x.toml:9: a share is granted only"),
            (format!("{row}guesses = {{ mean = '4', errs = 'a' }}"), "x.toml:9: the paper errs: write in right"),
            (format!("{row}guesses = {{ mean = '4', right = {{ mean = '5' }} }}"), "x.toml:9: say in errs"),
            (format!("{row}exact = true"), "x.toml:6: only games = \"all\" can be exact or have repeats"),
            (format!("{row}repeats = 0"), "x.toml:9: write a whole number from 1"),
            (format!("{row}[[row]]\nlabel = 'r'\nstrategy = 'kooi'"), "x.toml:9: there are two rows 'r'"),
            (format!("{row}[[order]]\nsays = 's'\nof = 'guesses'\nrows = ['q']"), "x.toml:12: there is no row 'q'"),
            (format!("{row}strategy = ["), "x.toml:9: "),
            (format!("{head}kind = 'transcript'\nrules = '4x6'\nsecret = '1177'\nturns = []"), "x.toml:6: '1177'"),
            (
                format!("{head}kind = 'partitions'\nrules = '4x6'\nfeedbacks = ['1,0']\nparts = ['1122 1 2']"),
                "x.toml:7: write a guess and 1 numbers",
            ),
        ] {
            let error = parse(&text).unwrap_err();
            assert!(error.starts_with(expected), "{text}\n{error}");
        }
    }
}
