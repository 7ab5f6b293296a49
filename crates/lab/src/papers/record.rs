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
    use crate::papers::{Library, Options, Reproducer};

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
