//! Tests of reports of small experiments.

use super::*;

/// Returns sixty games with guesses close to `guesses`.
fn sample(rules: &str, codes: f64, strategy: &str, guesses: u32) -> TrialSample {
    let mut sample = TrialSample::new(rules, strategy);
    sample.codes = Some(codes);
    for game in 0..60u64 {
        let guesses = guesses + (game * 7 % 3) as u32;
        let (examined, seconds) = (40 + game, 0.001 * (game + 1) as f64);
        let consistent = if strategy.starts_with("evorank") { 10 } else { 0 };
        let (run, game, outcome) = (game as u32 / 30, game % 30, TrialOutcome::Solved);
        sample.push(TrialResult { run, game, outcome, guesses, examined, consistent, seconds });
    }
    sample
}

fn experiment() -> ExperimentReport {
    let mut samples = vec![sample("4x6", 1296.0, "random", 5), sample("4x6", 1296.0, "knuth", 4)];
    samples.extend([sample("5x8", 32768.0, "knuth", 5), TrialSample::new("6x9", "unplayed")]);
    samples.extend(
        [64, 128, 256].map(|population| sample("5x8", 32768.0, &format!("evorank(population={population})"), 6)),
    );
    ExperimentReport::new(&samples)
}

fn table<'a>(report: &'a ExperimentReport, caption: &str) -> &'a ReportTable {
    let mut tables = report.blocks.iter().filter_map(|block| match block {
        ReportBlock::Table(table) if table.caption.starts_with(caption) => Some(table),
        _ => None,
    });
    tables.next().unwrap()
}

#[test]
fn json_has_the_promised_fields() {
    let report = experiment();
    let json = serde_json::to_value(&report.rows).unwrap();
    assert_eq!((&json[0]["rules"], &json[0]["strategy"]), (&"4x6".into(), &"random".into()));
    assert_eq!((&json[0]["games"], &json[0]["solved"]), (&60.into(), &60.into()));
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
    // Thirty secrets, each played twice and averaged.
    assert_eq!(guesses.rows[0][..3], ["knuth", "60", "60"]);
    assert_eq!([&guesses.rows[0][8], &guesses.rows[1][8]], ["a", "b"]);
    let runs = table(&report, "Mean guesses of whole runs");
    assert_eq!(runs.rows[0][..3], ["knuth", "2", "5.000"]);
    let pairs = table(&report, "Differences");
    assert_eq!(pairs.rows[0][..4], ["knuth", "random", "30", "-1.000"]);
    assert_eq!(pairs.rows[0][6..], ["< 0.0001", "< 0.0001"]);
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
        "4x6-histogram", "4x6-box", "4x6-evaluations", "5x8-sweep-evorank-population", "scaling-guesses",
        "scaling-time",
    ] {
        assert_eq!(names.iter().filter(|other| **other == name).count(), 1, "{names:?}");
    }
    for kind in PlotKind::ALL {
        assert!(report.figures().any(|figure| figure.kind == kind), "{kind:?}");
    }
}

#[test]
fn names_cannot_leave_their_place() {
    let evil = "<script>alert(1)</script>\"'|`";
    let report = ExperimentReport::new(&[sample(evil, 1296.0, evil, 4), sample(evil, 1296.0, "b", 4)]);
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
    let report = ExperimentReport::new(&[TrialSample::new("4x6", "knuth")]);
    assert_eq!((report.rows.len(), report.blocks.len()), (0, 0));
    assert!(report.html("Nothing").ends_with("</html>\n"));
}

/// Simulates two strategies with these mean guesses on the same secrets.
fn simulated(seed: u64, games: u64, means: [f64; 2]) -> ExperimentReport {
    // splitmix64
    let mut state = seed;
    let mut unit = move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((word ^ (word >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut samples = [TrialSample::new("4x6", "one"), TrialSample::new("4x6", "other")];
    for game in 0..games {
        // Some secrets are harder for both strategies.
        let hard = (unit() + unit() - 1.0) * 0.9;
        for (sample, mean) in samples.iter_mut().zip(means) {
            let guesses = mean + hard + (unit() + unit() + unit() - 1.5) * 1.5;
            let guesses = (guesses.floor() + f64::from(u8::from(unit() < guesses.fract()))).max(1.0) as u32;
            let outcome = TrialOutcome::Solved;
            sample.push(TrialResult { run: 0, game, outcome, guesses, examined: 1, consistent: 0, seconds: 0.0 });
        }
    }
    ExperimentReport::new(&samples)
}

#[test]
fn equal_strategies_rarely_differ() {
    let winners = |seeds: std::ops::Range<u64>| {
        seeds.filter(|seed| simulated(*seed, 300, [4.6; 2]).boards[0].winner.is_some()).count()
    };
    let hundred = winners(0..100);
    assert!(hundred < 6, "{hundred} of 100");
    // The expected number is 50; far fewer would mean that the intervals are too wide.
    let thousand = hundred + winners(100..1000);
    assert!((29..60).contains(&thousand), "{thousand} of 1000");
}

#[test]
fn a_tenth_of_a_guess_is_found_in_two_thousand_games() {
    let found = (0..100).filter(|seed| simulated(*seed, 2000, [4.5, 4.6]).boards[0].winner.as_deref() == Some("one"));
    let found = found.count();
    assert!(found >= 95, "{found} of 100");
}

#[test]
fn a_board_begins_with_its_conclusion() {
    let report = experiment();
    assert_eq!(report.boards[0].winner.as_deref(), Some("knuth"));
    let conclusions: Vec<&str> = report.conclusions().collect();
    assert!(conclusions[0].starts_with("4x6: knuth is best with 5.000 ± "), "{conclusions:?}");
    assert!(conclusions[0].contains("1.000 fewer than random, the next"), "{conclusions:?}");
    let even = simulated(1, 100, [4.6; 2]);
    let even = even.conclusions().next().unwrap();
    assert!(even.starts_with("4x6: no clear winner between "), "{even}");
    assert!(even.ends_with(" more games would detect a difference of 0.05."), "{even}");
}

#[test]
fn over_all_codes_totals_are_exact_and_nothing_is_tested() {
    let exact = crate::Scope { census: true, random: false };
    let mut samples = [sample("4x6", 1296.0, "random", 5), sample("4x6", 1296.0, "knuth", 4)];
    samples.iter_mut().for_each(|sample| sample.scope = exact);
    let report = ExperimentReport::new(&samples);
    assert_eq!(
        report.boards[0].conclusion,
        "4x6: knuth is best with 300 guesses over all 60 codes, 5.000 each, 60 fewer than random, the next."
    );
    let guesses = table(&report, "Guesses");
    assert_eq!((guesses.rows[0][3].as_str(), guesses.rows[0][8].as_str()), ("5.000", "300"));
    let page = report.markdown("t", None);
    assert!(!page.contains("0.0001") && page.contains("exact"), "{page}");
    let json = serde_json::to_value(&report.boards).unwrap();
    assert_eq!(
        (&json[0]["rows"][0]["total"], &json[0]["differences"][0]["p"]),
        (&300.into(), &serde_json::Value::Null)
    );
}

#[test]
fn tables_for_papers_and_programs_hold_the_same_rows() {
    let report = experiment();
    let latex = report.latex("t");
    assert_eq!(latex.matches("\\begin{tabular}").count(), latex.matches("\\end{tabular}").count());
    assert!(latex.contains("knuth & 60 & 60 & 5.000 $\\pm$ "), "{latex}");
    let csv = report.csv();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 7);
    let fields = lines[0].split(',').count();
    assert!(lines.iter().all(|line| line.split(',').count() == fields), "{csv}");
    assert!(lines[1].starts_with("4x6,knuth,60,60,0,0,30,sample,,5,"), "{csv}");
}

/// Returns a hundred games, each with an outcome and a number of guesses.
fn with_outcomes(strategy: &str, outcome: impl Fn(u64) -> (TrialOutcome, u32)) -> TrialSample {
    let mut sample = TrialSample::new("4x6", strategy);
    for game in 0..100 {
        let (outcome, guesses) = outcome(game);
        sample.push(TrialResult { run: 0, game, outcome, guesses, examined: 1, consistent: 0, seconds: 0.0 });
    }
    sample
}

#[test]
fn a_strategy_that_failed_is_never_best() {
    let mut crash = with_outcomes("crash", |_| (TrialOutcome::Failed, 0));
    crash.failure = Some("exit status: 3".to_owned());
    let quits =
        with_outcomes("quits", |game| if game < 72 { (TrialOutcome::Failed, 1) } else { (TrialOutcome::Solved, 3) });
    let knuth = with_outcomes("knuth", |game| (TrialOutcome::Solved, 4 + (game % 3) as u32));
    let report = ExperimentReport::new(&[crash, quits, knuth]);
    let board = &report.boards[0];
    assert_eq!(board.winner, None);
    assert_eq!(
        board.conclusion,
        "4x6: knuth needs 4.990 ± 0.163 guesses. quits failed in 72 of 100 games and is not ranked. crash failed in 100 of \
         100 games and is not ranked: exit status: 3."
    );
    let rows: Vec<&str> = board.rows.iter().map(|row| row.strategy.as_str()).collect();
    assert_eq!((rows, board.differences.len()), (vec!["knuth", "quits", "crash"], 0));
    let guesses = table(&report, "Guesses");
    assert_eq!(guesses.rows[2][..5], ["crash", "100", "0", "100", "0.0 (0.0 to 3.7)"]);
    assert_eq!(guesses.rows[2][5..], ["–", "–", "–", "–", "–"]);
    let json = serde_json::to_value(board).unwrap();
    assert_eq!((&json["rows"][2]["guesses"], &json["rows"][2]["failed"]), (&serde_json::Value::Null, &100.into()));
    for text in [report.latex("t"), report.html("t"), report.markdown("t", None)] {
        assert!(text.contains("crash failed in 100 of 100 games") && !text.contains("is best"), "{text}");
    }
    assert!(report.csv().contains("4x6,crash,100,0,0,100,0,sample,,,,,,,,,1,"), "{}", report.csv());
    assert!(report.csv().ends_with(",exit status: 3\n"), "{}", report.csv());
}

#[test]
fn strategies_are_ranked_by_the_share_solved_then_by_guesses_on_common_secrets() {
    let lost = |solved: u64, guesses: u32| {
        move |game| if game < solved { (TrialOutcome::Solved, guesses) } else { (TrialOutcome::OutOfGuesses, 3) }
    };
    let report = ExperimentReport::new(&[with_outcomes("few", lost(1, 2)), with_outcomes("more", lost(19, 3))]);
    let board = &report.boards[0];
    assert_eq!(board.winner.as_deref(), Some("more"));
    assert_eq!(board.conclusion, "4x6: more is best: it solves 19.0 % of the games, few, the next, 1.0 %.");
    let difference = &board.differences[0];
    assert_eq!((difference.shared, difference.solved), (1, Some(0.18)));
    // Eighteen of eighteen discordant secrets: two times a half to the eighteenth.
    assert!((difference.p_solved.unwrap() - 2f64.powi(-17)).abs() < 1e-12);
    // The mean of every solved game would be 6 and 5, but on the secret that both solved it is 4 and 5.
    let uneven = |game| if game == 0 { (TrialOutcome::Solved, 4) } else { lost(2, 8)(game) };
    let even = |game| if game == 0 || game == 50 { (TrialOutcome::Solved, 5) } else { (TrialOutcome::OutOfGuesses, 3) };
    let report = ExperimentReport::new(&[with_outcomes("even", even), with_outcomes("uneven", uneven)]);
    let board = &report.boards[0];
    assert_eq!((board.rows[0].strategy.as_str(), board.winner.as_deref()), ("uneven", None));
    // The guesses are those of one secret, so nothing is known about their spread.
    let difference = &board.differences[0];
    assert_eq!((difference.paired, difference.shared, difference.difference), (true, 1, Some(-1.0)));
    assert_eq!((difference.ci95, difference.p, difference.additional_secrets), (None, None, None));
    assert!(board.conclusion.ends_with("; more games are needed to detect any difference."), "{}", board.conclusion);
    // Without a common secret only the shares are compared.
    let other = |game| if game > 50 { (TrialOutcome::Solved, 9) } else { (TrialOutcome::OutOfGuesses, 3) };
    let report = ExperimentReport::new(&[with_outcomes("other", other), with_outcomes("uneven", uneven)]);
    let difference = &report.boards[0].differences[0];
    assert_eq!((difference.shared, difference.difference, difference.solved), (0, None, Some(0.47)));
    assert_eq!(report.boards[0].winner.as_deref(), Some("other"));
    // Forty more secrets solved by both are eighty more games if half of the games are solved.
    let half = |more: u64| {
        move |game: u64| match game % 4 {
            0 | 1 => (TrialOutcome::Solved, 4 + (game % 4 * more) as u32),
            _ => (TrialOutcome::OutOfGuesses, 3),
        }
    };
    let report = ExperimentReport::new(&[with_outcomes("half", half(1)), with_outcomes("plain", half(0))]);
    let difference = &report.boards[0].differences[0];
    let spread: f64 = difference.ci95.map(|[low, high]| high - low).unwrap() / 2.0 / 2.009_575_237;
    let more = (50.0 * ((1.959_964 + 0.841_621) * spread / 0.05).powi(2)).ceil() - 50.0;
    assert_eq!(difference.additional_secrets, Some(2 * more as u64));
}

#[test]
fn only_strategies_that_differ_after_correction_are_called_worse() {
    // Of a hundred secrets, `c` needs more guesses than `a` on 13 and fewer on 4: p is 0.03, and 0.09 after correction.
    let a = |_| (TrialOutcome::Solved, 4);
    let b = |game| (TrialOutcome::Solved, [3, 4, 5][usize::from(game >= 4) + usize::from(game >= 95)]);
    let c = |game: u64| match game {
        10..23 => (TrialOutcome::Solved, 5),
        30..34 => (TrialOutcome::Solved, 3),
        _ => (TrialOutcome::Solved, 4),
    };
    let samples = [with_outcomes("a", a), with_outcomes("b", b), with_outcomes("c", c)];
    let report = ExperimentReport::new(&samples);
    let board = &report.boards[0];
    let p: Vec<f64> = board.differences.iter().filter_map(|difference| difference.p).collect();
    assert!(p[1] < 0.05 && board.differences[1].p_holm > Some(0.05), "{p:?}");
    let conclusion = &board.conclusion;
    assert!(conclusion.starts_with("4x6: no clear winner between a, b and c; "), "{conclusion}");
    let worst = with_outcomes("d", |game| (TrialOutcome::Solved, 6 + (game % 2) as u32));
    let report = ExperimentReport::new(&[&samples[..], &[worst]].concat());
    let conclusion = &report.boards[0].conclusion;
    assert!(conclusion.starts_with("4x6: no clear winner between a, b and c, all others are worse; "), "{conclusion}");
}

#[test]
fn an_unfinished_experiment_says_so_first() {
    let report = ExperimentReport::new(&[sample("4x6", 1296.0, "knuth", 4)]);
    assert_eq!(report.clone().with_planned(60), report);
    let unfinished = report.with_planned(6000);
    assert_eq!(unfinished.blocks[0], ReportBlock::Text("Unfinished: 60 of 6,000 games.".to_owned()));
}
