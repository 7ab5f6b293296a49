//! Published tables in TOML files, described in `docs/papers-format.md`, and the library of all tables.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};

use pegwise_game::{History, Rules, Turn};
use pegwise_solve::did_you_mean;
use serde::Deserialize;
use toml::Spanned;

use super::judge::relative_tolerance;
use super::structure::{PublishedPartitions, PublishedResponses, PublishedTranscript};
use super::table::{
    MeasuredQuantity, PrintedNumber, PrintingCorrection, PublishedMeasure, PublishedOrder, PublishedRow,
    PublishedSecrets, PublishedTable, PublishedValue, Statistic, TableContent,
};
use crate::experiment::{Experiment, sweep};
use crate::toml_file::{AllWord, InputFileError, Parsed, TomlFile, read};

/// A file with the keys of all kinds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct TableFile {
    paper: String,
    title: String,
    source: String,
    note: Option<String>,
    #[serde(default)]
    kind: TableKind,
    // Kind `games`. Keys of a row can be given here as defaults for all rows.
    rules: Option<Parsed<Rules>>,
    strategy: Option<Spanned<String>>,
    games: Option<GamesEntry>,
    repeats: Option<NonZeroU32>,
    exact: Option<bool>,
    quick: Option<NonZeroU64>,
    published_games: Option<NonZeroU64>,
    #[serde(default)]
    same_as: Vec<Spanned<SameAsEntry>>,
    #[serde(default)]
    row: Vec<Spanned<RowEntry>>,
    #[serde(default)]
    order: Vec<OrderEntry>,
    #[serde(default)]
    causes: BTreeMap<String, String>,
    // Other kinds.
    secret: Option<Spanned<String>>,
    turns: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    without_guess: bool,
    feedbacks: Option<Vec<Spanned<String>>>,
    parts: Option<Vec<Spanned<String>>>,
    reason: Option<String>,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TableKind {
    #[default]
    Games,
    Partitions,
    Transcript,
    Responses,
    Described,
}

#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "write a number of games, \"all\" or { pattern = \"aabb\" }")]
enum GamesEntry {
    Drawn(NonZeroU64),
    All(AllWord),
    Pattern { pattern: String },
}

/// Rows of another table of the same paper.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SameAsEntry {
    table: String,
    /// Text before the label of each row.
    #[serde(default)]
    prefix: String,
    /// Labels in the other table; by default all rows with published numbers, or all rows if there are none.
    rows: Option<Vec<String>>,
    /// The only number to take from each row, as in `guesses mean`; by default all numbers.
    take: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RowEntry {
    label: String,
    not_run: Option<String>,
    tried: Option<String>,
    rules: Option<Parsed<Rules>>,
    strategy: Option<Spanned<String>>,
    games: Option<GamesEntry>,
    repeats: Option<NonZeroU32>,
    exact: Option<bool>,
    quick: Option<NonZeroU64>,
    published_games: Option<NonZeroU64>,
    guesses: Option<Spanned<ValuesEntry>>,
    identified: Option<Spanned<ValuesEntry>>,
    examined: Option<Spanned<ValuesEntry>>,
    consistent: Option<Spanned<ValuesEntry>>,
    nodes: Option<Spanned<ValuesEntry>>,
    milliseconds: Option<Spanned<ValuesEntry>>,
    run_means: Option<Spanned<ValuesEntry>>,
    codes: Option<Spanned<ValuesEntry>>,
}

/// Published statistics of one quantity.
#[derive(Deserialize)]
struct ValuesEntry {
    within: Option<String>,
    errs: Option<String>,
    right: Option<BTreeMap<Statistic, Parsed<PrintedNumber>>>,
    information: Option<String>,
    cause: Option<String>,
    #[serde(flatten)]
    printed: BTreeMap<Statistic, Parsed<PrintedNumber>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderEntry {
    says: String,
    of: MeasuredQuantity,
    rows: Vec<Spanned<String>>,
    information: Option<String>,
    cause: Option<String>,
}

impl RowEntry {
    fn values(&self) -> [(MeasuredQuantity, &Option<Spanned<ValuesEntry>>); 8] {
        [
            (MeasuredQuantity::Guesses, &self.guesses),
            (MeasuredQuantity::Identified, &self.identified),
            (MeasuredQuantity::Examined, &self.examined),
            (MeasuredQuantity::Consistent, &self.consistent),
            (MeasuredQuantity::Nodes, &self.nodes),
            (MeasuredQuantity::Milliseconds, &self.milliseconds),
            (MeasuredQuantity::RunMeans, &self.run_means),
            (MeasuredQuantity::Codes, &self.codes),
        ]
    }
}

impl From<GamesEntry> for PublishedSecrets {
    fn from(games: GamesEntry) -> Self {
        match games {
            GamesEntry::Drawn(count) => Self::Drawn(count.get()),
            GamesEntry::All(AllWord::All) => Self::All,
            GamesEntry::Pattern { pattern } => Self::Pattern(pattern),
        }
    }
}

/// Function that finds another table of the same paper.
type Lookup<'a> = &'a dyn Fn(&str) -> Result<Option<PublishedTable>, InputFileError>;

impl PublishedTable {
    /// Parses the text of a file; `path` is for messages. `lookup` finds the tables of `same-as`.
    pub(super) fn parse(id: &str, path: &Path, text: &str, lookup: Lookup<'_>) -> Result<Self, InputFileError> {
        let source = TomlFile { path, text };
        let file: TableFile = source.deserialize()?;
        let content = source.content(&file, lookup)?;
        let TableFile { paper, title, source, note, .. } = file;
        Ok(Self { id: id.to_owned(), paper, title, source, note, content })
    }
}

impl TableFile {
    /// Returns a key that the kind of the file does not have.
    fn foreign_key(&self) -> Option<&'static str> {
        use TableKind::{Described, Games, Partitions, Responses, Transcript};
        let for_games = self.games.is_some() || self.repeats.is_some() || self.exact.is_some() || self.quick.is_some();
        let keys: [(&str, bool, &[TableKind]); 12] = [
            ("rules", self.rules.is_some(), &[Games, Partitions, Transcript, Responses]),
            ("strategy", self.strategy.is_some(), &[Games]),
            ("games, repeats, exact or quick", for_games, &[Games]),
            ("published-games", self.published_games.is_some(), &[Games]),
            ("row", !self.row.is_empty() || !self.same_as.is_empty(), &[Games]),
            ("order", !self.order.is_empty() || !self.causes.is_empty(), &[Games]),
            ("secret", self.secret.is_some(), &[Transcript]),
            ("turns", self.turns.is_some(), &[Partitions, Transcript]),
            ("without-guess", self.without_guess, &[Partitions]),
            ("feedbacks", self.feedbacks.is_some(), &[Partitions, Responses]),
            ("parts", self.parts.is_some(), &[Partitions]),
            ("reason", self.reason.is_some(), &[Described]),
        ];
        keys.into_iter().find(|(_, given, kinds)| *given && !kinds.contains(&self.kind)).map(|(key, ..)| key)
    }
}

impl TomlFile<'_> {
    fn content(&self, file: &TableFile, lookup: Lookup<'_>) -> Result<TableContent, InputFileError> {
        if let Some(key) = file.foreign_key() {
            return Err(self.error(None, format!("tables of this kind have no key {key}")));
        }
        let rules = || self.required(file.rules.as_ref(), "rules").map(|rules| rules.0.clone());
        let turns = |rules: &Rules| {
            let turns = self.required(file.turns.as_ref(), "turns")?;
            self.parse_all(turns, |turn| Turn::parse(rules, turn))
        };
        let feedbacks = |rules: &Rules| {
            let feedbacks = self.required(file.feedbacks.as_ref(), "feedbacks")?;
            self.parse_all(feedbacks, |text| rules.parse_feedback(text))
        };
        Ok(match file.kind {
            TableKind::Games => self.games(file, lookup)?,
            TableKind::Partitions => {
                let rules = rules()?;
                let mut history = History::new(rules.clone());
                if file.turns.is_some() {
                    for turn in turns(&rules)? {
                        history.push(turn).map_err(|error| self.error(None, error))?;
                    }
                }
                let feedbacks: Vec<String> = feedbacks(&rules)?.iter().map(ToString::to_string).collect();
                let parts = self.parse_all(self.required(file.parts.as_ref(), "parts")?, |line| {
                    let mut words = line.split_whitespace();
                    let guess =
                        rules.parse_code(words.next().unwrap_or_default()).map_err(|error| error.to_string())?;
                    match words.map(str::parse).collect::<Result<Vec<u64>, _>>() {
                        Ok(sizes) if sizes.len() == feedbacks.len() => Ok((guess, sizes)),
                        _ => Err(format!("write a guess and {} numbers", feedbacks.len())),
                    }
                })?;
                TableContent::Partitions(PublishedPartitions {
                    history,
                    without_guess: file.without_guess,
                    feedbacks,
                    parts,
                })
            }
            TableKind::Transcript => {
                let rules = rules()?;
                let secret = self.required(file.secret.as_ref(), "secret")?;
                let secret = self.parse(secret, |text| rules.parse_code(text))?;
                let turns = turns(&rules)?;
                TableContent::Transcript(PublishedTranscript { rules, secret, turns })
            }
            TableKind::Responses => {
                let rules = rules()?;
                let feedbacks = feedbacks(&rules)?;
                TableContent::Responses(PublishedResponses { rules, feedbacks })
            }
            TableKind::Described => TableContent::Described(self.required(file.reason.clone(), "reason")?),
        })
    }

    fn games(&self, file: &TableFile, lookup: Lookup<'_>) -> Result<TableContent, InputFileError> {
        let mut rows: Vec<PublishedRow> = Vec::new();
        for entry in &file.same_as {
            rows.extend(self.same_as(entry, lookup)?);
        }
        for entry in &file.row {
            let more = self.rows(file, entry)?;
            if let Some(twice) = more.iter().find(|new| rows.iter().any(|row| row.label == new.label)) {
                return Err(self.error(Some(entry.span()), format!("there are two rows '{}'", twice.label)));
            }
            rows.extend(more);
        }
        if rows.is_empty() {
            return Err(self.error(None, "row is missing"));
        }
        let order = |entry: &OrderEntry| {
            let labels = self.parse_all(&entry.rows, |label| {
                let known = rows.iter().any(|row| row.label == label);
                if known { Ok(label.to_owned()) } else { Err(format!("there is no row '{label}'")) }
            })?;
            Ok(PublishedOrder {
                says: entry.says.clone(),
                measure: PublishedMeasure { quantity: entry.of, statistic: Statistic::Mean },
                rows: labels,
                information: entry.information.clone(),
                cause: entry.cause.as_deref().map(|cause| file.cause(cause)),
            })
        };
        let orders = file.order.iter().map(order).collect::<Result<_, _>>()?;
        Ok(TableContent::Games { rows, orders })
    }

    fn same_as(&self, entry: &Spanned<SameAsEntry>, lookup: Lookup<'_>) -> Result<Vec<PublishedRow>, InputFileError> {
        let error = |problem: String| self.error(Some(entry.span()), problem);
        let SameAsEntry { table: name, prefix, rows, take } = entry.get_ref();
        let table = lookup(name)?.ok_or_else(|| error(format!("there is no table '{name}'")))?;
        let labels = match rows {
            Some(labels) => labels.clone(),
            None => {
                let printed = table.rows().iter().any(|row| !row.published.is_empty());
                let rows = table.rows().iter().filter(|row| !printed || !row.published.is_empty());
                rows.map(|row| row.label.clone()).collect()
            }
        };
        let same = |label: &String| {
            let row = table.rows().iter().find(|row| row.label == *label);
            let mut row = row.cloned().ok_or_else(|| error(format!("{name} has no row '{label}'")))?;
            row.label.insert_str(0, prefix);
            if let Some(take) = take {
                row.published.retain(|published| published.measure.to_string() == *take);
                if row.published.is_empty() {
                    return Err(error(format!("row '{label}' of {name} has no '{take}'")));
                }
            }
            Ok(row)
        };
        labels.iter().map(same).collect()
    }

    /// Returns the rows of an entry: one, or one for each value of a sweep.
    fn rows(&self, file: &TableFile, entry: &Spanned<RowEntry>) -> Result<Vec<PublishedRow>, InputFileError> {
        let row = entry.get_ref();
        let error = |problem: &str| self.error(Some(entry.span()), problem);
        let rules = row.rules.as_ref().or(file.rules.as_ref()).ok_or_else(|| error("rules is missing"))?;
        let repeats = row.repeats.or(file.repeats).unwrap_or(NonZeroU32::MIN);
        let exact = row.exact.or(file.exact).unwrap_or(false);
        let strategies = match (&row.not_run, row.strategy.as_ref().or(file.strategy.as_ref())) {
            (Some(reason), _) => vec![Err(reason.clone())],
            (None, Some(strategy)) => {
                let expand = |text: &str| sweep::variants(text).ok_or("the list of values is not valid");
                self.parse(strategy, expand)?.into_iter().map(Ok).collect()
            }
            (None, None) => return Err(error("strategy is missing; or write in not-run why none is run")),
        };
        let games = match row.games.as_ref().or(file.games.as_ref()) {
            Some(games) => games.clone().into(),
            None if row.not_run.is_some() => PublishedSecrets::All,
            None => return Err(error("games is missing; write a number, \"all\" or { pattern = \"aabb\" }")),
        };
        match games {
            PublishedSecrets::Drawn(_) if exact || repeats.get() > 1 => {
                return Err(error("only games = \"all\" can be exact or have repeats"));
            }
            PublishedSecrets::Drawn(count) if count > Experiment::MAX_GAMES => return Err(error("too many games")),
            _ => {}
        }
        let common = PublishedRow {
            label: row.label.clone(),
            rules: rules.0.clone(),
            strategy: Err(String::new()),
            games,
            repeats,
            exact,
            quick: row.quick.or(file.quick).map(NonZeroU64::get),
            published_games: row.published_games.or(file.published_games).map(NonZeroU64::get),
            published: self.published(file, row, exact)?,
            tried: row.tried.clone(),
        };
        let of_strategy = |strategy: Result<sweep::SweepVariant, String>| {
            let values = strategy.iter().flat_map(|variant| &variant.values);
            let label = values.fold(common.label.clone(), |label, value| format!("{label} {value}"));
            PublishedRow { label, strategy: strategy.map(|variant| variant.text), ..common.clone() }
        };
        Ok(strategies.into_iter().map(of_strategy).collect())
    }

    fn published(&self, file: &TableFile, row: &RowEntry, exact: bool) -> Result<Vec<PublishedValue>, InputFileError> {
        let mut published = Vec::new();
        for (quantity, entry) in row.values() {
            let Some(entry) = entry else { continue };
            let (values, error) = (entry.get_ref(), |problem: &str| self.error(Some(entry.span()), problem));
            if values.right.is_some() && values.errs.is_none() {
                return Err(error("write in errs why the paper errs"));
            }
            for (&statistic, Parsed(printed)) in &values.printed {
                let measure = PublishedMeasure { quantity, statistic };
                let right = values.right.as_ref().and_then(|right| right.get(&statistic));
                let correction = match (&values.errs, right) {
                    (Some(reason), Some(Parsed(right))) => {
                        Some(PrintingCorrection { right: right.clone(), reason: reason.clone() })
                    }
                    (Some(_), None) => {
                        let name = statistic.name();
                        return Err(error(&format!(
                            "the paper errs: write the correct number as right = {{ {name} = \"…\" }}"
                        )));
                    }
                    (None, _) => None,
                };
                let within = values.within.as_ref().map(|within| parse_within(within, measure, exact)).transpose();
                published.push(PublishedValue {
                    measure,
                    printed: printed.clone(),
                    within: within.map_err(error)?,
                    correction,
                    information: values.information.clone(),
                    cause: values.cause.as_deref().map(|cause| file.cause(cause)),
                });
            }
        }
        Ok(published)
    }
}

/// Parses the relative tolerance of an exact row, which is at most the general one.
fn parse_within(text: &str, measure: PublishedMeasure, exact: bool) -> Result<f64, &'static str> {
    if !exact {
        return Err("within is allowed only in rows with exact = true");
    }
    let percent = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
    let valid = percent.filter(|percent| (0.0..=100.0 * relative_tolerance(measure)).contains(percent));
    valid.map(|percent| percent / 100.0).ok_or("write a percentage, as in \"2%\": at most 2% of guesses, 10% of others")
}

impl TableFile {
    /// Returns the text of a cause, which may be a key of `causes`.
    fn cause(&self, text: &str) -> String {
        self.causes.get(text).map_or(text, String::as_str).to_owned()
    }
}

/// Files of the folder `papers` of this crate: id and text.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/papers.rs"));

/// Published tables and figures, sorted by id.
#[derive(Debug, Clone)]
pub struct Library(Vec<PublishedTable>);

/// Error for an unknown name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is not a table, figure or paper; {}`pegwise lab list` shows all of them", did_you_mean(nearest.as_deref()))]
pub struct UnknownTable {
    /// Name given by the caller.
    pub name: String,
    /// Most similar known name.
    pub nearest: Option<String>,
}

impl Library {
    /// Returns the tables that are built into the program.
    pub fn built_in() -> Result<Self, InputFileError> {
        Self::parse(BUILT_IN.iter().map(|(id, text)| ((*id).to_owned(), format!("papers/{id}.toml").into(), *text)))
    }

    /// Loads a folder with one subfolder per paper and one TOML file per table or figure.
    pub fn load(folder: &Path) -> Result<Self, InputFileError> {
        let mut files = Vec::new();
        for paper in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            for path in entries(&paper)? {
                if path.extension().is_some_and(|extension| extension == "toml") {
                    let names = [paper.file_name(), path.file_stem()].map(Option::unwrap_or_default);
                    let text = read(&path)?;
                    files.push((names.map(OsStr::to_string_lossy).join("/"), path, text));
                }
            }
        }
        Self::parse(files.iter().map(|(id, path, text)| (id.clone(), path.clone(), text.as_str())))
    }

    /// Parses files with their ids and paths.
    fn parse<'a>(files: impl Iterator<Item = (String, PathBuf, &'a str)>) -> Result<Self, InputFileError> {
        let files: Vec<(String, PathBuf, &str)> = files.collect();
        let table = |(id, path, text): &(String, PathBuf, &str)| {
            let paper = id.split_once('/').map_or(id.as_str(), |(paper, _)| paper);
            let lookup = |name: &str| {
                let other = files.iter().find(|(other, ..)| *other == format!("{paper}/{name}"));
                other.map(|(id, path, text)| PublishedTable::parse(id, path, text, &|_| Ok(None))).transpose()
            };
            PublishedTable::parse(id, path, text, &lookup)
        };
        let mut tables = files.iter().map(table).collect::<Result<Vec<_>, _>>()?;
        tables.sort_by(|one, other| order(&one.id).cmp(&order(&other.id)));
        Ok(Self(tables))
    }

    /// Returns all tables.
    pub fn tables(&self) -> &[PublishedTable] {
        &self.0
    }

    /// Returns the table with this id, the tables of this paper, or with `all` every table.
    pub fn find(&self, name: &str) -> Result<Vec<&PublishedTable>, UnknownTable> {
        let found: Vec<&PublishedTable> =
            self.0.iter().filter(|table| name == "all" || table.id == name || table.paper_id() == name).collect();
        if found.is_empty() { Err(self.unknown(name)) } else { Ok(found) }
    }

    fn unknown(&self, name: &str) -> UnknownTable {
        let ids = self.0.iter().flat_map(|table| [table.id.as_str(), table.paper_id()]);
        let nearest = pegwise_solve::catalog::nearest_of(name, ids).map(str::to_owned);
        UnknownTable { name: name.to_owned(), nearest }
    }
}

/// Returns a sort key that compares numbers in ids numerically: `table-4-2` precedes `table-4-10`.
fn order(id: &str) -> Vec<(u64, &str)> {
    id.split(['-', '/']).map(|part| (part.parse().unwrap_or(0), part)).collect()
}

/// Returns the paths in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, InputFileError> {
    let failed = |error| InputFileError::Io(folder.to_owned(), error);
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use pegwise_solve::{Spec, SpecError};

    use super::*;
    use crate::papers::{Level, ReproduceOptions, Reproducer};

    fn parse(text: &str) -> Result<PublishedTable, String> {
        PublishedTable::parse("x/table", Path::new("x.toml"), text, &|_| Ok(None)).map_err(|error| error.to_string())
    }

    #[test]
    fn the_documented_files_are_valid() {
        let page = include_str!("../../../../docs/papers-format.md");
        let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
        let tables: Vec<PublishedTable> = blocks.map(|block| parse(block).unwrap()).collect();
        assert_eq!(tables.len(), 2);
        let rows = tables[0].rows();
        let games: Vec<u64> = rows.iter().map(PublishedRow::games_in_full).collect();
        assert_eq!(games, [12960, 1296, 1000, 12960]);
        assert_eq!(rows[0].published.len(), 5);
        assert!(rows[1].exact && rows[3].spec().is_err());
        let report = Reproducer::new(ReproduceOptions { level: Level::Quick, ..ReproduceOptions::default() })
            .reproduce(&tables[0])
            .unwrap();
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
        assert_eq!(swept.rows()[3].spec().unwrap_err(), "strategy unbuilt is not implemented");
    }

    #[test]
    fn errors_name_their_line() {
        let head = "paper = 'a'\ntitle = 'b'\nsource = 'c'\n";
        let row = format!("{head}rules = '4x6'\ngames = 10\n[[row]]\nlabel = 'r'\nstrategy = 'knuth'\n");
        let exact = row.replace("games = 10", "games = 'all'\nexact = true");
        for (text, expected) in [
            ("title = 'b'".to_owned(), "x.toml:1: missing field `paper`"),
            (
                format!("{head}kind = 'described'\nreason = 'x'\nparts = []"),
                "x.toml:1: tables of this kind have no key parts",
            ),
            (row.replace("[[row]]", "reason = 'x'\n[[row]]"), "x.toml:1: tables of this kind have no key reason"),
            (format!("{head}kind = 'cake'"), "x.toml:4: unknown variant `cake`, expected one of `games`, "),
            (format!("{head}rows = 1"), "x.toml:4: unknown field `rows`"),
            (head.to_owned(), "x.toml:1: row is missing"),
            (format!("{head}[[row]]\nlabel = 'r'\nstrategy = 'knuth'"), "x.toml:4: rules is missing"),
            (
                format!("{row}guesses = {{ mean = 4.5 }}"),
                "x.toml:9: invalid type: floating point `4.5`, expected a string",
            ),
            (format!("{row}guesses = {{ mean = 'many' }}"), "x.toml:9: 'many' is not a printed number"),
            (format!("{row}guesses = {{ mode = '4' }}"), "x.toml:9: unknown variant `mode`"),
            (format!("{exact}guesses = {{ mean = '4', within = 'much' }}"), "x.toml:10: write a percentage"),
            (format!("{exact}guesses = {{ mean = '4', within = '3%' }}"), "x.toml:10: write a percentage"),
            (format!("{row}guesses = {{ mean = '4', within = '1%' }}"), "x.toml:9: within is allowed only"),
            (
                format!("{row}guesses = {{ mean = '4', errs = 'a' }}"),
                "x.toml:9: the paper errs: write the correct number",
            ),
            (format!("{row}guesses = {{ mean = '4', right = {{ mean = '5' }} }}"), "x.toml:9: write in errs"),
            (format!("{row}exact = true"), "x.toml:6: only games = \"all\" can be exact or have repeats"),
            (format!("{row}repeats = 0"), "x.toml:9: invalid value: integer `0`"),
            (format!("{row}[[row]]\nlabel = 'r'\nstrategy = 'kooi'"), "x.toml:9: there are two rows 'r'"),
            (format!("{row}[[order]]\nsays = 's'\nof = 'guesses'\nrows = ['q']"), "x.toml:12: there is no row 'q'"),
            (format!("{row}strategy = ["), "x.toml:9: "),
            (format!("{head}same-as = [{{ table = 'y' }}]"), "x.toml:4: there is no table 'y'"),
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

    #[test]
    fn ids_are_unique_and_every_paper_is_complete() {
        let library = Library::built_in().unwrap();
        let mut ids: Vec<&str> = library.tables().iter().map(|table| table.id.as_str()).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        for paper in ["temporel-2003", "merelo-2010", "xu", "van-oijen-2018", "singley-2005"] {
            let of_paper = library.find(paper).unwrap();
            assert!(of_paper.len() >= 4, "{paper}");
            assert!(of_paper.iter().all(|table| table.paper == of_paper[0].paper), "{paper}");
        }
        assert_eq!(library.find("all").unwrap().len(), count);
        let names = library.find("van-oijen-2018").unwrap();
        let place = |id: &str| names.iter().position(|table| table.id == id).unwrap();
        assert!(place("van-oijen-2018/table-4-9") < place("van-oijen-2018/table-4-10"), "numbers order as numbers");
    }

    /// Strategies that are not implemented may be named; all others must have valid parameters.
    #[test]
    fn strategies_have_valid_parameters() {
        for table in Library::built_in().unwrap().tables() {
            for row in table.rows() {
                let Ok(text) = &row.strategy else { continue };
                match text.parse::<Spec>() {
                    Err(SpecError::UnknownStrategy(..)) => {}
                    Err(error) => panic!("{}, {}: {error}", table.id, row.label),
                    Ok(_) => assert_eq!(row.spec().err(), None, "{}, {}", table.id, row.label),
                }
            }
        }
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        let library = Library::built_in().unwrap();
        let error = |name: &str| library.find(name).unwrap_err().to_string();
        assert!(
            error("merelo-2010/tabel-4").contains("did you mean merelo-2010/table-4?"),
            "{}",
            error("merelo-2010/tabel-4")
        );
        assert!(error("merelo-2011").contains("did you mean merelo-2010?"));
        assert!(
            error("zzzzzzzzzzzz").starts_with("'zzzzzzzzzzzz' is not a table, figure or paper; `pegwise lab list`")
        );
    }

    #[test]
    fn the_folder_equals_the_built_in_tables() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("papers");
        let (loaded, built_in) = (Library::load(&folder).unwrap(), Library::built_in().unwrap());
        assert_eq!(format!("{loaded:?}"), format!("{built_in:?}"));
    }
}
