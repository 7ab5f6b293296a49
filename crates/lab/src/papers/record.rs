//! Recorded results: the files of the folder `results`.
//!
//! Each file has one table or figure at one [`Level`]. Comment lines (`#`) give the seed, program, machine and date. Each
//! further line is a number with tab-separated fields: row, measure, published, ours, both ends of its 95 % interval, both ends
//! of the window, games, verdict. The comparisons of claims follow in the same form, with the statement as the row. Times are
//! omitted, so that a file changes only with its results.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::judge::{ClaimFinding, Finding, PublishedVerdict, TableReport};
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

/// Returns one line per number, claim and comparison of a claim.
fn lines(report: &TableReport) -> impl Iterator<Item = String> {
    let claim = |claim: &ClaimFinding| {
        let whole = Finding::new(&claim.says, &claim.measure, Some(claim.verdict));
        [vec![whole], claim.links.clone()].concat()
    };
    report.findings.iter().cloned().chain(report.claims.iter().flat_map(claim)).map(|finding| line(&finding))
}

/// Formats a finding as one line.
fn line(finding: &Finding) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let ends = |ends: Option<[f64; 2]>| ends.map_or([String::new(), String::new()], |ends| ends.map(significant));
    let timed = finding.measure.starts_with(MeasuredQuantity::Milliseconds.name());
    let [[low, high], [least, most]] = [ends(finding.interval), ends(finding.window)];
    let fields = [
        finding.row.clone(),
        finding.measure.clone(),
        text(&finding.published),
        if timed { String::new() } else { text(&finding.ours) },
        low,
        high,
        least,
        most,
        finding.games.map_or(String::new(), |games| games.to_string()),
        finding.verdict.map_or("", PublishedVerdict::name).to_owned(),
    ];
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
    let key = |fields: &[String]| fields.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    // The same statement about several boards occurs once per board, in order.
    let mut known: BTreeMap<String, VecDeque<Vec<String>>> = BTreeMap::new();
    for then in recorded.lines().filter(|line| !line.starts_with('#')).map(fields) {
        known.entry(key(&then)).or_default().push_back(then);
    }
    let agrees = |verdict: &str| ["reproduced", "compatible"].contains(&verdict);
    let contradicts = |verdict: &str| ["refuted", "reversed"].contains(&verdict);
    let mut changes = Vec::new();
    for now in lines(report).map(|line| fields(&line)) {
        let name = key(&now);
        let Some(then) = known.get_mut(&name).and_then(VecDeque::pop_front) else {
            changes.push(format!("{}: {name} is not recorded", report.id));
            continue;
        };
        let (is, was) = (now.last().map_or("", String::as_str), then.last().map_or("", String::as_str));
        let opposite = agrees(is) && contradicts(was) || contradicts(is) && agrees(was);
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
    use crate::papers::{Library, ReproduceOptions, Reproducer};

    /// Returns the fields of all lines without comments.
    fn numbers(text: &str) -> impl Iterator<Item = Vec<&str>> {
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
    }

    #[test]
    fn all_tables_are_recorded() {
        for table in Library::built_in().unwrap().tables() {
            for level in [Level::Slice, Level::Quick, Level::Full] {
                assert!(recorded(level, &table.id).is_some(), "{} is not recorded: {}", table.id, level.name());
            }
        }
    }

    /// A cause explains a contradiction; one that explains nothing is deleted.
    #[test]
    fn causes_are_of_refuted_numbers() {
        for table in Library::built_in().unwrap().tables() {
            let text = recorded(Level::Full, &table.id).unwrap();
            for cause in &table.causes {
                let of = |fields: Vec<&str>| {
                    ["refuted", "reversed"].contains(&fields[9]) && cause.covers(fields[0], fields[1])
                };
                assert!(numbers(text).any(of), "{}: nothing is refuted of: {}", table.id, cause.why);
            }
        }
    }

    /// With the games of another row of the same board, a reproduced number is not reproduced.
    #[test]
    fn swapped_rows_are_not_reproduced() {
        let mut swaps = 0;
        for table in Library::built_in().unwrap().tables() {
            let text = recorded(Level::Full, &table.id).unwrap();
            let ends = |fields: &[&str], first: usize| {
                Some([fields[first].parse().ok()?, fields[first + 1].parse::<f64>().ok()?])
            };
            let row = |label: &str| table.rows().iter().find(|row| row.label == label);
            for one in numbers(text).filter(|fields| fields[9] == "reproduced") {
                let (Some([least, most]), Some(own)) = (ends(&one, 6), row(one[0])) else { continue };
                for other in numbers(text).filter(|other| other[1] == one[1]) {
                    let Some(rival) = row(other[0]).filter(|rival| rival.rules == own.rules) else { continue };
                    let Ok(value) = other[3].parse::<f64>() else { continue };
                    if (&rival.strategy, &rival.games) != (&own.strategy, &own.games) {
                        let [low, high] = ends(&other, 4).unwrap_or([value; 2]);
                        assert!(high < least || low > most, "{}: {} passes as {}", table.id, other[0], one[0]);
                        swaps += 1;
                    }
                }
            }
        }
        assert!(swaps > 15, "{swaps}");
    }

    /// Documents quote full runs, so these must be of a clean commit, of strategies that still behave the same, and of the
    /// games that the table declares; tables with fewer are named in the documents.
    #[test]
    fn full_runs_are_current() {
        let mut behaviors = BTreeMap::new();
        let page = include_str!("../../../../docs/results.md");
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
            let row =
                |label: &str| table.rows().iter().find(|row| row.label == label).filter(|row| row.strategy.is_ok());
            let fewer =
                |fields: Vec<&str>| row(fields[0]).is_some_and(|row| fields[8] != row.games_in_full().to_string());
            let named = page.contains(&format!("`{}` with fewer games", table.id));
            assert_eq!(numbers(text).any(fewer), named, "{}: fewer games in the record or the document", table.id);
        }
    }

    #[test]
    fn a_file_has_the_findings_and_shows_changes() {
        let library = Library::built_in().unwrap();
        let table = library.find("singley-2005/table-3-1").unwrap()[0];
        let report = Reproducer::new(ReproduceOptions::default()).reproduce(table).unwrap();
        let text = format_report(&report, Level::Full, 0, 2);
        assert!(text.contains("\naabc\tcodes\t360\t720\t\t\t359.5\t360.5\t720\tpaper wrong\n"), "{text}");
        assert!(text.contains("# behavior ") && text.starts_with("# singley-2005/table-3-1: "), "{text}");
        assert_eq!(changes(&report, &text, Level::Full, true), [] as [String; 0]);
        assert_eq!(changes(&report, &text, Level::Slice, true), [] as [String; 0]);
        let other = text.replacen("reproduced", "refuted", 1);
        assert_eq!(changes(&report, &other, Level::Full, true).len(), 1);
        assert_eq!(changes(&report, &other, Level::Full, false).len(), 1, "a contradiction counts with any seed");
        let open = text.replacen("reproduced", "undecided", 1);
        assert_eq!(changes(&report, &open, Level::Full, false).len(), 0);
        let shorter: String =
            text.lines().filter(|line| !line.starts_with("aabc\tcodes")).map(|line| format!("{line}\n")).collect();
        assert!(changes(&report, &shorter, Level::Full, true)[0].ends_with("aabc, codes, 360 is not recorded"));
    }

    #[test]
    fn numbers_have_six_digits() {
        assert_eq!(
            [4.476_080_2, 133.25, 1_139_040.76, 0.01].map(significant),
            ["4.47608", "133.25", "1139041", "0.01"]
        );
    }
}
