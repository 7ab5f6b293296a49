//! Recorded results: the files of the folder `results`.
//!
//! Each file has one table or figure at one [`Level`]. Comment lines (`#`) give the seed, program, machine and date. Each
//! further line is a number with tab-separated fields: row, measure, published, corrected, ours, both ends of its 95 %
//! interval, margin, origin of the margin, games, verdict. Orders follow in the same form, with their statement as the row.
//! Times are omitted, so that a file changes only with its results.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::judge::{Finding, OrderFinding, TableReport};
use super::reproduce::Level;
use super::table::MeasuredQuantity;
use crate::provenance::{Origin, behavior_of};

/// Files of the folder `results`: level with id, and text.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/results.rs"));

/// Returns the recorded file of a table at a level.
pub fn recorded(level: Level, id: &str) -> Option<&'static str> {
    let name = format!("{}/{id}", level.name());
    BUILT_IN.iter().find(|(key, _)| *key == name).map(|(_, text)| *text)
}

/// Formats the file of a report.
pub fn format_report(report: &TableReport, level: Level, seed: u64, threads: usize) -> String {
    let Origin { program, commit, compiler, machine, threads, date } = Origin::current(threads);
    let mut text = format!(
        "# {}: {}\n# {} run, seed {seed}; {program}, commit {commit}, {compiler}\n# {machine}, {threads} threads, {date}\n",
        report.id,
        report.title,
        level.name()
    );
    let strategies: BTreeSet<&str> = report.findings.iter().filter_map(|finding| finding.strategy.as_deref()).collect();
    for strategy in strategies {
        if let Ok(spec) = strategy.parse() {
            text += &format!("# behavior {} {strategy}\n", behavior_of(&spec));
        }
    }
    lines(report).for_each(|line| text += &(line + "\n"));
    text
}

/// Returns one line per number and order.
fn lines(report: &TableReport) -> impl Iterator<Item = String> {
    report.findings.iter().map(finding_line).chain(report.claims.iter().map(order_line))
}

fn finding_line(finding: &Finding) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let number = |value: Option<f64>| value.map_or(String::new(), significant);
    let timed = finding.measure.starts_with(MeasuredQuantity::Milliseconds.name());
    let right = finding.correction.as_ref().map_or(String::new(), |correction| correction.right.to_string());
    let [low, high] = [0, 1].map(|end| number(finding.interval.map(|interval| interval[end])));
    let ours = if timed { String::new() } else { text(&finding.ours) };
    let games = finding.games.map_or(String::new(), |games| games.to_string());
    let fields = [
        finding.row.clone(),
        finding.measure.clone(),
        text(&finding.published),
        right,
        ours,
        low,
        high,
        number(finding.margin),
        text(&finding.tolerance),
        games,
        finding.verdict.name().to_owned(),
    ];
    line(fields)
}

fn order_line(claim: &OrderFinding) -> String {
    let ours: Vec<String> = claim.ours.iter().map(|value| significant(*value)).collect();
    let timed = claim.measure.starts_with(MeasuredQuantity::Milliseconds.name());
    let ours = if timed { String::new() } else { ours.join(" ") };
    let verdict = claim.verdict.name();
    line([&claim.says, &claim.measure, "", "", &ours, "", "", "", "order", "", verdict].map(str::to_owned))
}

/// Joins the fields of a line.
fn line(fields: [String; 11]) -> String {
    fields.map(|field| field.replace(['\t', '\n'], " ")).join("\t")
}

/// Formats a number with six significant digits.
fn significant(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return value.to_string();
    }
    let decimals = (5 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Lists the differences from a recorded file. At level `slice` with the same seed, every number must be equal. Otherwise
/// only verdicts are compared, and with a different seed only contradictions count.
pub fn changes(report: &TableReport, recorded: &str, level: Level, same_seed: bool) -> Vec<String> {
    let fields = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    let key = |fields: &[String]| fields.iter().take(2).cloned().collect::<Vec<_>>().join(", ");
    // The same statement about several boards occurs once per board, in order.
    let mut known: BTreeMap<String, VecDeque<Vec<String>>> = BTreeMap::new();
    for then in recorded.lines().filter(|line| !line.starts_with('#')).map(fields) {
        known.entry(key(&then)).or_default().push_back(then);
    }
    let mut changes = Vec::new();
    for now in lines(report).map(|line| fields(&line)) {
        let name = key(&now);
        let Some(then) = known.get_mut(&name).and_then(VecDeque::pop_front) else {
            changes.push(format!("{}: {name} is not recorded", report.id));
            continue;
        };
        let (is, was) = (now.last().map_or("", String::as_str), then.last().map_or("", String::as_str));
        let opposite = [is, was].contains(&"supported") && [is, was].contains(&"refuted");
        if if same_seed { is != was } else { opposite } {
            changes.push(format!("{}: {name} was {was} and is now {is}", report.id));
        } else if level == Level::Slice && same_seed && now != then {
            changes.push(format!("{}: {name} was {} and is now {}", report.id, then.join(" "), now.join(" ")));
        }
    }
    let left = known.into_iter().flat_map(|(name, left)| left.into_iter().map(move |_| name.clone()));
    changes.extend(left.map(|name| format!("{}: {name} is recorded but no longer exists", report.id)));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::{Library, PublishedTable, ReproduceOptions, Reproducer, TableContent};

    /// Returns the fields of all lines without comments.
    fn numbers(text: &str) -> impl Iterator<Item = Vec<&str>> {
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
    }

    fn has_cause(table: &PublishedTable, what: &str, measure: &str) -> bool {
        let orders = match &table.content {
            TableContent::Games { orders, .. } => orders.as_slice(),
            _ => &[],
        };
        let rows = table.rows().iter().filter(|row| row.label == what);
        let mut published = rows.flat_map(|row| &row.published);
        let mut orders = orders.iter().filter(|order| order.says == what && order.measure.to_string() == measure);
        published.any(|published| published.measure.to_string() == measure && published.cause.is_some())
            || orders.any(|order| order.cause.is_some())
    }

    #[test]
    fn all_tables_are_recorded_and_refutations_have_a_cause() {
        for table in Library::built_in().unwrap().tables() {
            for level in [Level::Slice, Level::Quick, Level::Full] {
                let text = recorded(level, &table.id);
                let text = text.unwrap_or_else(|| panic!("{} is not recorded: {}", table.id, level.name()));
                for fields in numbers(text).filter(|fields| fields.last() == Some(&"refuted")) {
                    assert!(has_cause(table, fields[0], fields[1]), "{}, {}: {fields:?}", table.id, level.name());
                }
            }
        }
    }

    /// Documents quote full runs, so these must be complete, of a clean commit, and of strategies that still behave the same.
    #[test]
    fn full_runs_are_complete_and_current() {
        let mut behaviors = BTreeMap::new();
        for table in Library::built_in().unwrap().tables() {
            let text = recorded(Level::Full, &table.id).unwrap();
            let again = format!("`pegwise lab reproduce {} --record crates/lab/results` records it again", table.id);
            let commit = text.split_once(", commit ").and_then(|(_, rest)| rest.split_once(',')).unwrap().0;
            let clean = commit.len() == 12 && commit.chars().all(|digit| digit.is_ascii_hexdigit());
            assert!(clean, "{}: commit {commit}; {again}", table.id);
            for line in text.lines().filter_map(|line| line.strip_prefix("# behavior ")) {
                let (hash, strategy) = line.split_once(' ').unwrap();
                let behavior = behaviors.entry(strategy).or_insert_with(|| behavior_of(&strategy.parse().unwrap()));
                assert_eq!(behavior.to_string(), hash, "{}: {strategy}; {again}", table.id);
            }
            for row in table.rows().iter().filter(|row| row.strategy.is_ok()) {
                let mut lines = numbers(text).filter(|fields| fields[0] == row.label).peekable();
                assert!(lines.peek().is_some(), "{}: {} is missing; {again}", table.id, row.label);
                let games = row.games_in_full().to_string();
                assert!(
                    lines.all(|fields| fields[9] == games),
                    "{}: {} does not have {games} games",
                    table.id,
                    row.label
                );
            }
        }
    }

    #[test]
    fn a_file_has_the_findings_and_shows_changes() {
        let library = Library::built_in().unwrap();
        let table = library.find("singley-2005/table-3-1").unwrap()[0];
        let report = Reproducer::new(ReproduceOptions::default()).reproduce(table).unwrap();
        let text = format_report(&report, Level::Full, 0, 2);
        assert!(text.contains("\naabc\tcodes\t360\t720\t720\t\t\t0.5\tdigits\t720\tsupported\n"), "{text}");
        assert!(text.contains("# behavior ") && text.starts_with("# singley-2005/table-3-1: "), "{text}");
        assert_eq!(changes(&report, &text, Level::Full, true), [] as [String; 0]);
        assert_eq!(changes(&report, &text, Level::Slice, true), [] as [String; 0]);
        let other = text.replacen("supported", "refuted", 1);
        assert_eq!(changes(&report, &other, Level::Full, true).len(), 1);
        assert_eq!(changes(&report, &other, Level::Full, false).len(), 1, "a contradiction counts with any seed");
        let open = text.replacen("supported", "undecided", 1);
        assert_eq!(changes(&report, &open, Level::Full, false).len(), 0);
        let shorter: String =
            text.lines().filter(|line| !line.starts_with("aabc\tcodes")).map(|line| format!("{line}\n")).collect();
        assert!(changes(&report, &shorter, Level::Full, true)[0].ends_with("aabc, codes is not recorded"));
    }

    #[test]
    fn numbers_have_six_digits() {
        assert_eq!(
            [4.476_080_2, 133.25, 1_139_040.76, 0.01].map(significant),
            ["4.47608", "133.25", "1139041", "0.01"]
        );
    }
}
