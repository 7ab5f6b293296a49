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

use super::structure::{PublishedFormula, PublishedPartitions, PublishedResponses, PublishedTranscript, evaluate};
use super::table::{
    ClaimLink, MeasuredQuantity, PrintedNumber, PublishedClaim, PublishedMeasure, PublishedRow, PublishedSecrets,
    PublishedTable, PublishedValue, RefutationCause, Statistic, TableContent,
};
use crate::experiment::{Experiment, sweep};
use crate::toml_file::{AllWord, InputFileError, Parsed, TomlFile, read};

/// A file with the keys of all kinds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct TableFile {
    paper: Option<String>,
    title: String,
    source: String,
    reading: Option<String>,
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
    /// Tables that a figure repeats: its claims may name their rows.
    #[serde(default)]
    same_as: Vec<Spanned<String>>,
    #[serde(default)]
    row: Vec<Spanned<RowEntry>>,
    #[serde(default)]
    claim: Vec<Spanned<ClaimEntry>>,
    #[serde(default)]
    cause: Vec<CauseEntry>,
    // Other kinds.
    secret: Option<Spanned<String>>,
    turns: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    without_guess: bool,
    feedbacks: Option<Vec<Spanned<String>>>,
    parts: Option<Vec<Spanned<String>>>,
    number: Option<Vec<FormulaEntry>>,
    reason: Option<String>,
}

/// The file `paper.toml` of a folder, with what its tables share.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct PaperFile {
    paper: String,
    #[serde(default)]
    causes: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TableKind {
    #[default]
    Games,
    Partitions,
    Transcript,
    Responses,
    Arithmetic,
    Described,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormulaEntry {
    label: String,
    printed: Parsed<PrintedNumber>,
    is: Spanned<String>,
}

#[derive(Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "write a number of games, \"all\", { pattern = \"aabb\" } or { opening = \"1122\", answers = [\"1,0\"] }"
)]
enum GamesEntry {
    Drawn(NonZeroU64),
    All(AllWord),
    Pattern { pattern: String },
    Answered { opening: String, answers: Vec<String> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RowEntry {
    label: String,
    not_run: Option<String>,
    reading: Option<String>,
    rules: Option<Parsed<Rules>>,
    strategy: Option<Spanned<String>>,
    games: Option<GamesEntry>,
    repeats: Option<NonZeroU32>,
    exact: Option<bool>,
    quick: Option<NonZeroU64>,
    published_games: Option<NonZeroU64>,
    guesses: Option<ValuesEntry>,
    identified: Option<ValuesEntry>,
    examined: Option<ValuesEntry>,
    consistent: Option<ValuesEntry>,
    nodes: Option<ValuesEntry>,
    milliseconds: Option<ValuesEntry>,
    run_means: Option<ValuesEntry>,
    codes: Option<ValuesEntry>,
}

/// Published statistics of one quantity.
#[derive(Deserialize)]
struct ValuesEntry {
    #[serde(default)]
    wrong: BTreeMap<Statistic, String>,
    #[serde(flatten)]
    printed: BTreeMap<Statistic, Parsed<PrintedNumber>>,
}

/// A claim: chains of rows in increasing order, or two rows with a ratio of their means.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimEntry {
    says: String,
    of: MeasuredQuantity,
    #[serde(default)]
    rows: Vec<String>,
    #[serde(default)]
    chains: Vec<Vec<String>>,
    ratio: Option<[f64; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct CauseEntry {
    why: String,
    of: Vec<String>,
    met_by: Option<String>,
}

impl RowEntry {
    fn values(&self) -> [(MeasuredQuantity, &Option<ValuesEntry>); 8] {
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

impl GamesEntry {
    fn secrets(&self, rules: &Rules) -> Result<PublishedSecrets, String> {
        Ok(match self {
            Self::Drawn(count) => PublishedSecrets::Drawn(count.get()),
            Self::All(AllWord::All) => PublishedSecrets::All,
            Self::Pattern { pattern } => PublishedSecrets::Pattern(pattern.clone()),
            Self::Answered { opening, answers } => {
                let opening = rules.parse_code(opening).map_err(|error| error.to_string())?;
                let answers = answers.iter().map(|answer| rules.parse_feedback(answer)).collect::<Result<_, _>>();
                PublishedSecrets::Answered(opening, answers.map_err(|error| error.to_string())?)
            }
        })
    }
}

/// Function that finds another table of the same paper.
type Lookup<'a> = &'a dyn Fn(&str) -> Result<Option<PublishedTable>, InputFileError>;

impl PublishedTable {
    /// Parses the text of a file; `path` is for messages. `lookup` finds the tables of `same-as`.
    fn parse(
        id: &str,
        path: &Path,
        text: &str,
        shared: &PaperFile,
        lookup: Lookup<'_>,
    ) -> Result<Self, InputFileError> {
        let source = TomlFile { path, text };
        let file: TableFile = source.deserialize()?;
        let content = source.content(&file, lookup)?;
        let same_as = file.same_as.into_iter().map(Spanned::into_inner).collect();
        let TableFile { paper, title, source: place, reading, .. } = file;
        let paper = paper.or_else(|| Some(shared.paper.clone()).filter(|paper| !paper.is_empty()));
        let paper = source.required(paper, "paper")?;
        let cause = |CauseEntry { why, of, met_by }: CauseEntry| RefutationCause {
            why: shared.causes.get(&why).cloned().unwrap_or(why),
            of,
            met_by,
        };
        let causes = file.cause.into_iter().map(cause).collect();
        Ok(Self { id: id.to_owned(), paper, title, source: place, reading, same_as, content, causes })
    }
}

impl TableFile {
    /// Returns a key that the kind of the file does not have.
    fn foreign_key(&self) -> Option<&'static str> {
        use TableKind::{Arithmetic, Described, Games, Partitions, Responses, Transcript};
        let for_games = self.games.is_some() || self.repeats.is_some() || self.exact.is_some() || self.quick.is_some();
        let keys: [(&str, bool, &[TableKind]); 14] = [
            ("rules", self.rules.is_some(), &[Games, Partitions, Transcript, Responses]),
            ("strategy", self.strategy.is_some(), &[Games]),
            ("games, repeats, exact or quick", for_games, &[Games]),
            ("published-games", self.published_games.is_some(), &[Games]),
            ("row", !self.row.is_empty(), &[Games]),
            ("same-as", !self.same_as.is_empty(), &[Games]),
            ("claim", !self.claim.is_empty(), &[Games]),
            ("secret", self.secret.is_some(), &[Transcript]),
            ("turns", self.turns.is_some(), &[Partitions, Transcript]),
            ("without-guess", self.without_guess, &[Partitions]),
            ("feedbacks", self.feedbacks.is_some(), &[Partitions, Responses]),
            ("parts", self.parts.is_some(), &[Partitions]),
            ("number", self.number.is_some(), &[Arithmetic]),
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
            TableKind::Arithmetic => {
                let formula = |FormulaEntry { label, printed, is }: &FormulaEntry| {
                    let value = self.parse(is, evaluate)?;
                    let (label, printed, formula) = (label.clone(), printed.0.clone(), is.get_ref().clone());
                    Ok(PublishedFormula { label, printed, formula, value })
                };
                let numbers = self.required(file.number.as_ref(), "number")?;
                TableContent::Arithmetic(numbers.iter().map(formula).collect::<Result<_, _>>()?)
            }
            TableKind::Described => TableContent::Described(self.required(file.reason.clone(), "reason")?),
        })
    }

    fn games(&self, file: &TableFile, lookup: Lookup<'_>) -> Result<TableContent, InputFileError> {
        let mut rows: Vec<PublishedRow> = Vec::new();
        for name in &file.same_as {
            let table = lookup(name.get_ref())?;
            let table = table
                .ok_or_else(|| self.error(Some(name.span()), format!("there is no table '{}'", name.get_ref())))?;
            // The other table counts these numbers.
            let repeat = |row: &PublishedRow| PublishedRow {
                label: if file.same_as.len() > 1 {
                    format!("{}: {}", name.get_ref(), row.label)
                } else {
                    row.label.clone()
                },
                published: Vec::new(),
                ..row.clone()
            };
            rows.extend(table.rows().iter().map(repeat));
        }
        let repeated = rows.len();
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
        if !file.row.is_empty() && file.reading.is_none() {
            return Err(self.error(None, "reading is missing: write how the paper is read, with its section"));
        }
        let claim = |entry: &Spanned<ClaimEntry>| {
            let claim = entry.get_ref().resolve(&rows);
            claim.map_err(|problem| self.error(Some(entry.span()), problem))
        };
        let claims: Vec<PublishedClaim> = file.claim.iter().map(claim).collect::<Result<_, _>>()?;
        // Of a table that is repeated, only the rows of claims are played.
        let links = || claims.iter().flat_map(|claim| &claim.links);
        let claimed =
            |row: &PublishedRow| links().any(|link| link.less.iter().chain(&link.more).any(|of| *of == row.label));
        let own = rows.split_off(repeated);
        rows.retain(claimed);
        rows.extend(own);
        Ok(TableContent::Games { rows, claims })
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
            Some(games) => games.secrets(&rules.0).map_err(|problem| error(&problem))?,
            None if row.not_run.is_some() => PublishedSecrets::All,
            None => {
                return Err(error(
                    "games is missing; write a number, \"all\", { pattern = \"aabb\" } or { opening = \"1122\", answers = [\"1,0\"] }",
                ));
            }
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
            published: published(row),
            reading: row.reading.clone(),
        };
        let of_strategy = |strategy: Result<sweep::SweepVariant, String>| {
            let values = strategy.iter().flat_map(|variant| &variant.values);
            let label = values.fold(common.label.clone(), |label, value| format!("{label} {value}"));
            PublishedRow { label, strategy: strategy.map(|variant| variant.text), ..common.clone() }
        };
        Ok(strategies.into_iter().map(of_strategy).collect())
    }
}

/// Returns the printed numbers of a row.
fn published(row: &RowEntry) -> Vec<PublishedValue> {
    let of_quantity = |(quantity, entry): (MeasuredQuantity, Option<&ValuesEntry>)| {
        let values = entry.into_iter().flat_map(|entry| entry.printed.iter().map(move |one| (entry, one)));
        let values = values.map(move |(entry, (&statistic, Parsed(printed)))| PublishedValue {
            measure: PublishedMeasure { quantity, statistic },
            printed: printed.clone(),
            wrong: entry.wrong.get(&statistic).cloned(),
        });
        values.collect::<Vec<_>>()
    };
    row.values().into_iter().flat_map(|(quantity, entry)| of_quantity((quantity, entry.as_ref()))).collect()
}

impl ClaimEntry {
    /// Returns the claim with its comparisons, or the problem with it.
    fn resolve(&self, rows: &[PublishedRow]) -> Result<PublishedClaim, String> {
        let group = |text: &str| {
            let found = labels(text, rows);
            if found.is_empty() { Err(format!("there is no row '{text}'")) } else { Ok(found) }
        };
        let link = |less: &String, more: &String, factor: f64, says: String| {
            Ok::<_, String>(ClaimLink { says, less: group(less)?, more: group(more)?, factor })
        };
        let links = match (&self.rows[..], self.ratio) {
            ([first, second], Some([low, high])) if 0.0 < low && low < high => vec![
                link(second, first, 1.0 / low, format!("more than {low} times"))?,
                link(first, second, high, format!("less than {high} times"))?,
            ],
            (_, Some(_)) => return Err("a ratio has two rows and two increasing bounds".to_owned()),
            (_, None) => {
                let chains = self.chains.iter().chain([&self.rows]).flat_map(|chain| chain.windows(2));
                let links = chains.map(|pair| link(&pair[0], &pair[1], 1.0, format!("{} < {}", pair[0], pair[1])));
                links.collect::<Result<_, _>>()?
            }
        };
        if links.is_empty() {
            return Err("write rows or chains, each of at least two rows in increasing order".to_owned());
        }
        Ok(PublishedClaim { says: self.says.clone(), quantity: self.of, links, is_ratio: self.ratio.is_some() })
    }
}

/// Returns the labels of a row, or of the rows `name 4` to `name 8` for `name 4..8`.
fn labels(text: &str, rows: &[PublishedRow]) -> Vec<String> {
    let range = || {
        let (name, range) = text.rsplit_once(' ')?;
        let (from, to) = range.split_once("..")?;
        Some((name, from.parse::<u32>().ok()?..=to.parse().ok()?))
    };
    let is_named = |label: &str| match range() {
        Some((name, range)) => {
            let value =
                label.rsplit_once(' ').filter(|(own, _)| *own == name).and_then(|(_, value)| value.parse().ok());
            value.is_some_and(|value| range.contains(&value))
        }
        None => label == text,
    };
    rows.iter().map(|row| row.label.clone()).filter(|label| is_named(label)).collect()
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
        let (shared, files): (Vec<_>, Vec<_>) = files.partition(|(id, ..)| id.ends_with("/paper"));
        let mut papers: BTreeMap<&str, PaperFile> = BTreeMap::new();
        for (id, path, text) in &shared {
            papers.insert(paper_of(id), TomlFile { path, text }.deserialize()?);
        }
        let none = PaperFile::default();
        let parse = |(id, path, text): &(String, PathBuf, &str), lookup: Lookup<'_>| {
            PublishedTable::parse(id, path, text, papers.get(paper_of(id)).unwrap_or(&none), lookup)
        };
        let table = |file: &(String, PathBuf, &str)| {
            let lookup = |name: &str| {
                let other = files.iter().find(|(other, ..)| *other == format!("{}/{name}", paper_of(&file.0)));
                other.map(|other| parse(other, &|_| Ok(None))).transpose()
            };
            parse(file, &lookup)
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

/// Returns the part of an id before the slash.
fn paper_of(id: &str) -> &str {
    id.split_once('/').map_or(id, |(paper, _)| paper)
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
    use super::*;
    use crate::papers::{Level, ReproduceOptions, Reproducer};

    fn parse(text: &str) -> Result<PublishedTable, String> {
        let parsed = PublishedTable::parse("x/table", Path::new("x.toml"), text, &PaperFile::default(), &|_| Ok(None));
        parsed.map_err(|error| error.to_string())
    }

    #[test]
    fn the_documented_files_are_valid() {
        let page = include_str!("../../../../docs/papers-format.md");
        let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
        let tables: Vec<PublishedTable> = blocks.map(|block| parse(block).unwrap()).collect();
        assert_eq!(tables.len(), 4);
        let rows = tables[0].rows();
        let games: Vec<u64> = rows.iter().map(PublishedRow::games_in_full).collect();
        assert_eq!(games, [12960, 1296, 4000, 12960]);
        assert_eq!(rows[0].published.len(), 5);
        assert!(rows[1].exact && rows[3].spec().is_err());
        let report = Reproducer::new(ReproduceOptions { level: Level::Quick, ..ReproduceOptions::default() })
            .reproduce(&tables[0])
            .unwrap();
        assert!(report.verdicts().all(|(verdict, ..)| !verdict.contradicts()), "{report:?}");
        assert_eq!((report.findings.len(), report.claims.len()), (10, 2));
    }

    #[test]
    fn a_sweep_is_a_row_for_each_value() {
        let head = "paper = 'a'\ntitle = 'b'\nsource = 'c'\nreading = 'd'\nrules = '4x6'\ngames = 10\n";
        let swept = parse(&format!("{head}[[row]]\nlabel = 'w'\nstrategy = 'unbuilt(w=[1..3|9],x=2)'")).unwrap();
        let labels: Vec<&str> = swept.rows().iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["w 1", "w 2", "w 3", "w 9"]);
        assert_eq!(swept.rows()[3].strategy.as_deref(), Ok("unbuilt(w=9,x=2)"));
        assert_eq!(swept.rows()[3].spec().unwrap_err(), "strategy unbuilt is not implemented");
    }

    #[test]
    fn errors_name_their_line() {
        let head = "paper = 'a'\ntitle = 'b'\nsource = 'c'\n";
        let row = format!("{head}reading = 'd'\nrules = '4x6'\ngames = 10\n[[row]]\nlabel = 'r'\nstrategy = 'knuth'\n");
        let claim = |links: &str| format!("{row}[[claim]]\nsays = 's'\nof = 'guesses'\n{links}");
        for (text, expected) in [
            ("title = 'b'".to_owned(), "x.toml:1: missing field `source`"),
            (head.replace("paper = 'a'", "kind = 'described'\nreason = 'd'"), "x.toml:1: paper is missing"),
            (row.replace("reading = 'd'", ""), "x.toml:1: reading is missing"),
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
                "x.toml:10: invalid type: floating point `4.5`, expected a string",
            ),
            (format!("{row}guesses = {{ mean = 'many' }}"), "x.toml:10: 'many' is not a printed number"),
            (format!("{row}guesses = {{ mode = '4' }}"), "x.toml:10: unknown variant `mode`"),
            (format!("{row}exact = true"), "x.toml:7: only games = \"all\" can be exact or have repeats"),
            (row.replace("games = 10", "games = { opening = '1122', answers = ['5,0'] }"), "x.toml:7: "),
            (format!("{row}repeats = 0"), "x.toml:10: invalid value: integer `0`"),
            (format!("{row}[[row]]\nlabel = 'r'\nstrategy = 'kooi'"), "x.toml:10: there are two rows 'r'"),
            (claim("rows = ['q', 'r']"), "x.toml:10: there is no row 'q'"),
            (claim("rows = ['r']"), "x.toml:10: write rows or chains"),
            (claim("rows = ['r', 'r']\nratio = [2, 1]"), "x.toml:10: a ratio has two rows"),
            (format!("{row}strategy = ["), "x.toml:10: "),
            (format!("{head}same-as = ['y']"), "x.toml:4: there is no table 'y'"),
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

    #[test]
    fn strategies_have_valid_parameters() {
        for table in Library::built_in().unwrap().tables() {
            for row in table.rows().iter().filter(|row| row.strategy.is_ok()) {
                assert_eq!(row.spec().err(), None, "{}, {}", table.id, row.label);
            }
        }
    }

    /// The poor and the other answers to an opening divide the space; the first of them are 512 codes.
    #[test]
    fn codes_are_selected_by_their_answer_to_an_opening() {
        let count = |answers: &str| {
            let text = format!(
                "paper = 'a'\ntitle = 'b'\nsource = 'c'\nreading = 'd'\nrules = '4x6'\n\
                 games = {{ opening = '1122', answers = [{answers}] }}\n[[row]]\nlabel = 'r'\nstrategy = 'shc'"
            );
            let table = parse(&text).unwrap();
            table.rows()[0].games_in_full()
        };
        let others = count("'0,0', '0,2', '0,3', '0,4', '1,1', '1,2', '2,0', '2,1', '2,2', '3,0', '4,0'");
        assert_eq!((count("'0,1', '1,0'"), others), (512, 1296 - 512));
    }

    #[test]
    fn ranges_name_rows() {
        let sweep = "paper = 'a'\ntitle = 'b'\nsource = 'c'\nreading = 'd'\nrules = '4x6'\ngames = 10\n\
            [[row]]\nlabel = 'w'\nstrategy = 'shc(fps-weight=[1..9])'\n\
            [[claim]]\nsays = 's'\nof = 'examined'\nchains = [['w 4..6', 'w 1..3'], ['w 4..6', 'w 7..9']]";
        let table = parse(sweep).unwrap();
        let TableContent::Games { claims, .. } = &table.content else { panic!("games") };
        assert_eq!(claims[0].links[1].more, ["w 7", "w 8", "w 9"]);
        assert_eq!(claims[0].links[0].says, "w 4..6 < w 1..3");
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
