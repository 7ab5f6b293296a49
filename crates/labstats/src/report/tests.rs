//! What a report says about small experiments.

use super::*;

/// Sixty games, whose guesses vary around a number.
fn sample(rules: &str, codes: f64, strategy: &str, guesses: u32) -> Sample {
    let mut sample = Sample::new(rules, strategy).with_codes(codes);
    for game in 0..60u64 {
        let guesses = guesses + (game * 7 % 3) as u32;
        let (examined, seconds) = (40 + game, 0.001 * (game + 1) as f64);
        let consistent = if strategy.starts_with("evorank") { 10 } else { 0 };
        let (run, game, solved) = (game as u32 / 30, game % 30, game > 0);
        sample.push(Trial { run, game, solved, guesses, examined, consistent, seconds });
    }
    sample
}

fn experiment() -> Report {
    let mut samples = vec![sample("4x6", 1296.0, "random", 5), sample("4x6", 1296.0, "knuth", 4)];
    samples.extend([sample("5x8", 32768.0, "knuth", 5), Sample::new("6x9", "unplayed")]);
    samples.extend(
        [64, 128, 256].map(|population| sample("5x8", 32768.0, &format!("evorank(population={population})"), 6)),
    );
    Report::new(&samples)
}

fn table<'a>(report: &'a Report, caption: &str) -> &'a Table {
    let mut tables = report.blocks.iter().filter_map(|block| match block {
        Block::Table(table) if table.caption.starts_with(caption) => Some(table),
        _ => None,
    });
    tables.next().unwrap()
}

#[test]
fn json_has_the_promised_fields() {
    let report = experiment();
    let json = serde_json::to_value(&report.rows).unwrap();
    assert_eq!((&json[0]["rules"], &json[0]["strategy"]), (&"4x6".into(), &"random".into()));
    assert_eq!((&json[0]["games"], &json[0]["solved"]), (&60.into(), &59.into()));
    for measure in ["guesses", "examined", "seconds"] {
        let fields: Vec<&String> = json[0][measure].as_object().unwrap().keys().collect();
        let mut expected = ["mean", "sd", "median", "min", "max", "ci95"];
        expected.sort_unstable();
        assert_eq!(fields, expected);
    }
    assert_eq!(json.as_array().unwrap().len(), 6, "a sample without games has no row");
}

#[test]
fn tables_list_the_best_first() {
    let report = experiment();
    let guesses = table(&report, "Guesses");
    assert_eq!(guesses.rows[0][..4], ["knuth", "60", "59", "5.000 ± 0.213"]);
    assert_eq!([&guesses.rows[0][8], &guesses.rows[1][8]], ["a", "b"]);
    let runs = table(&report, "Mean guesses of whole runs");
    assert_eq!(runs.rows[0][..3], ["knuth", "2", "5.000"]);
    let pairs = table(&report, "Differences");
    assert_eq!(pairs.rows[0][..5], ["knuth", "random", "60", "-1.000", "< 0.0001"]);
}

#[test]
fn consistent_codes_are_summed_up_where_a_strategy_collects_them() {
    let report = experiment();
    let json = serde_json::to_value(&report.rows).unwrap();
    assert_eq!(json[0].get("consistent"), None);
    assert_eq!(json[3]["consistent"]["mean"], 10.0);
    let consistent = table(&report, "Consistent codes found");
    assert_eq!(consistent.rows.len(), 3);
    assert_eq!(consistent.rows[0][1], "10 ± 0");
}

#[test]
fn plots_have_names_of_their_own() {
    let report = experiment();
    let names: Vec<&str> = report.figures().map(|figure| figure.name.as_str()).collect();
    for name in [
        "4x6-histogram",
        "4x6-box",
        "4x6-evaluations",
        "5x8-sweep-evorank-population",
        "scaling-guesses",
        "scaling-time",
    ] {
        assert_eq!(names.iter().filter(|other| **other == name).count(), 1, "{names:?}");
    }
    for kind in Kind::ALL {
        assert!(report.figures().any(|figure| figure.kind == kind), "{kind:?}");
    }
}

#[test]
fn names_cannot_leave_their_place() {
    let evil = "<script>alert(1)</script>\"'|`";
    let report = Report::new(&[sample(evil, 1296.0, evil, 4), sample(evil, 1296.0, "b", 4)]);
    let page = report.html(evil);
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("href="));
    let markdown = report.markdown(evil, Some("plots"));
    assert!(!markdown.contains("<script") && markdown.contains("\\|\\`"));
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    let rows: Vec<usize> = markdown.lines().filter(|line| line.starts_with("| ")).map(columns).collect();
    assert_eq!(rows[..4], [10, 10, 10, 10]);
}

#[test]
fn markdown_links_plots_only_if_they_have_a_folder() {
    let report = experiment();
    assert!(report.markdown("t", Some("plots/")).contains("(<plots/4x6-histogram.svg>)"));
    assert!(!report.markdown("t", None).contains(".svg"));
}

#[test]
fn an_experiment_without_games_is_an_empty_report() {
    let report = Report::new(&[Sample::new("4x6", "knuth")]);
    assert_eq!((report.rows.len(), report.blocks.len()), (0, 0));
    assert!(report.html("Nothing").ends_with("</html>\n"));
}
