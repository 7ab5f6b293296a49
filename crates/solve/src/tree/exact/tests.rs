use super::*;

fn report(rules: &str, options: Options) -> Report {
    let rules: Rules = rules.parse().unwrap();
    let report = solve(&rules, &options, Watch::default(), |_| ()).unwrap();
    let stats = report.tree.stats();
    assert_eq!((stats.total, stats.max), (report.total, report.depth));
    assert_eq!(u128::from(stats.codes), Space::new(&rules).count().exact().unwrap());
    assert!(report.proven);
    report
}

#[test]
fn four_cells_six_colors() {
    assert_eq!(report("4x6", Options::default()).total, 5625);
    assert_eq!(report("4x6", Options { max_depth: Some(5), ..Options::default() }).total, 5626);
    assert_eq!(report("4x6", Options { consistent_only: true, ..Options::default() }).total, 5660);
    let objective = Objective::WorstThenMean;
    let report = report("4x6", Options { objective, ..Options::default() });
    assert_eq!((report.depth, report.total), (5, 5626));
}

#[test]
fn without_repeats() {
    assert_eq!(report("4x6:no-repeats", Options::default()).total, 1446);
    assert_eq!(report("4x7:no-repeats", Options::default()).total, 3639);
}
