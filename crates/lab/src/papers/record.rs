//! What was measured, as text: the files of the folder `results`.
//!
//! A file holds one table or figure at one level. Lines that begin with `#` say what was run, by what and when; then there is
//! a line for each number, its fields parted by tabs: row, measure, published, held to be right, ours, the ends of its 95 %
//! interval, margin, where the margin comes from, games, verdict. Claims follow in the same form, their text as the row. Times
//! are left out, so that a file changes only when a result does.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{
    finding::{Claim, Finding, Report},
    measure::Quantity,
    run::Level,
};
use crate::provenance::{Origin, behavior_of};

/// The files of the folder `results` of the repository: level, id and text.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/results.rs"));

/// What a table or figure came to when it was recorded: the text of its file, if it was recorded at this level.
#[must_use]
pub fn recorded(level: Level, id: &str) -> Option<&'static str> {
    let name = format!("{}/{id}", level.name());
    BUILT_IN.iter().find(|(key, _)| *key == name).map(|(_, text)| *text)
}

/// The file of a table or figure that was run.
#[must_use]
pub fn written(report: &Report, level: Level, seed: u64, threads: usize) -> String {
    let Origin { program, commit, compiler, machine, threads, date } = Origin::here(threads);
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

/// A line for each number and claim.
fn lines(report: &Report) -> impl Iterator<Item = String> {
    report.findings.iter().map(line_of).chain(report.claims.iter().map(line_of_claim))
}

fn line_of(finding: &Finding) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let number = |value: Option<f64>| value.map_or(String::new(), significant);
    let timed = finding.measure.starts_with(Quantity::Milliseconds.name());
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
        text(&finding.window),
        games,
        finding.verdict.name().to_owned(),
    ];
    fields.map(|field| field.replace(['\t', '\n'], " ")).join("\t")
}

fn line_of_claim(claim: &Claim) -> String {
    let ours: Vec<String> = claim.ours.iter().map(|value| significant(*value)).collect();
    let timed = claim.measure.starts_with(Quantity::Milliseconds.name());
    let ours = if timed { String::new() } else { ours.join(" ") };
    let blank = String::new;
    let fields = [
        claim.says.clone(),
        claim.measure.clone(),
        blank(),
        blank(),
        ours,
        blank(),
        blank(),
        blank(),
        "order".to_owned(),
        blank(),
        claim.verdict.name().to_owned(),
    ];
    fields.map(|field| field.replace(['\t', '\n'], " ")).join("\t")
}

/// Six digits, as plainly as they can be written.
fn significant(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return value.to_string();
    }
    let decimals = (5 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// What differs from a recorded file, a sentence each. A slice must be the same in every number; otherwise verdicts count,
/// and with another seed than the recorded one only those that contradict.
#[must_use]
pub fn changes(report: &Report, recorded: &str, level: Level, same_seed: bool) -> Vec<String> {
    let fields = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    let key = |fields: &[String]| fields.iter().take(2).cloned().collect::<Vec<_>>().join(", ");
    // A claim about several boards stands there once for each, in their order.
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
            changes.push(format!("{}: {name} was {was}, and is {is} now", report.id));
        } else if level == Level::Slice && same_seed && now != then {
            changes.push(format!("{}: {name} was {}, and is {} now", report.id, then.join(" "), now.join(" ")));
        }
    }
    let left = known.into_iter().flat_map(|(name, left)| left.into_iter().map(move |_| name.clone()));
    changes.extend(left.map(|name| format!("{}: {name} is recorded, and not there any more", report.id)));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::{Content, Exhibit, Library, Options, Reproducer};

    /// The lines of a file that are no comment, in fields.
    fn numbers(text: &str) -> impl Iterator<Item = Vec<&str>> {
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
    }

    fn has_cause(exhibit: &Exhibit, what: &str, measure: &str) -> bool {
        let orders = match &exhibit.content {
            Content::Games { orders, .. } => orders.as_slice(),
            _ => &[],
        };
        let rows = exhibit.rows().iter().filter(|row| row.label == what);
        let mut published = rows.flat_map(|row| &row.published);
        let mut orders = orders.iter().filter(|order| order.says == what && order.measure.to_string() == measure);
        published.any(|published| published.measure.to_string() == measure && published.cause.is_some())
            || orders.any(|order| order.cause.is_some())
    }

    #[test]
    fn everything_is_recorded_and_all_that_is_refuted_has_a_cause() {
        for exhibit in Library::built_in().unwrap().exhibits() {
            for level in [Level::Slice, Level::Quick, Level::Full] {
                let text = recorded(level, &exhibit.id);
                let text = text.unwrap_or_else(|| panic!("{} is not recorded: {}", exhibit.id, level.name()));
                for fields in numbers(text).filter(|fields| fields.last() == Some(&"refuted")) {
                    assert!(has_cause(exhibit, fields[0], fields[1]), "{}, {}: {fields:?}", exhibit.id, level.name());
                }
            }
        }
    }

    /// Documents quote full runs, so they are of a program that others can build, have every game, and are of strategies that
    /// still play so.
    #[test]
    fn full_runs_are_whole_and_of_strategies_as_they_are() {
        let mut behaviors = BTreeMap::new();
        for exhibit in Library::built_in().unwrap().exhibits() {
            let text = recorded(Level::Full, &exhibit.id).unwrap();
            let again = format!("`pegwise lab reproduce {} --record crates/lab/results` records it anew", exhibit.id);
            let commit = text.split_once(", commit ").and_then(|(_, rest)| rest.split_once(',')).unwrap().0;
            let clean = commit.len() == 12 && commit.chars().all(|digit| digit.is_ascii_hexdigit());
            assert!(clean, "{}: commit {commit}; {again}", exhibit.id);
            for line in text.lines().filter_map(|line| line.strip_prefix("# behavior ")) {
                let (hash, strategy) = line.split_once(' ').unwrap();
                let behavior = behaviors.entry(strategy).or_insert_with(|| behavior_of(&strategy.parse().unwrap()));
                assert_eq!(behavior.to_string(), hash, "{}: {strategy}; {again}", exhibit.id);
            }
            for row in exhibit.rows().iter().filter(|row| row.strategy.is_ok()) {
                let mut lines = numbers(text).filter(|fields| fields[0] == row.label).peekable();
                assert!(lines.peek().is_some(), "{}: {} is missing; {again}", exhibit.id, row.label);
                let games = row.games_in_full().to_string();
                assert!(lines.all(|fields| fields[9] == games), "{}: {} has not {games} games", exhibit.id, row.label);
            }
        }
    }

    #[test]
    fn a_file_says_what_was_found_and_what_changed() {
        let library = Library::built_in().unwrap();
        let exhibit = library.find("singley-2005/table-3-1").unwrap()[0];
        let report = Reproducer::new(Options::default()).reproduce(exhibit).unwrap();
        let text = written(&report, Level::Full, 0, 2);
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
