//! Verdicts on numbers that are known to be right or wrong.

use std::{collections::BTreeMap, num::NonZeroU32};

use pegwise_labstats::{RunMeans, Scope};

use super::*;
use crate::papers::{Amount, Correction};

/// A row of 4x6 with one published quantity.
fn row(games: Amount, repeats: u32, exact: bool, quantity: Quantity, published: &[(Statistic, &str)]) -> Row {
    let published = published.iter().map(|(statistic, text)| Published {
        measure: Measure { quantity, statistic: *statistic },
        printed: text.parse().unwrap(),
        within: None,
        correction: None,
        information: None,
        cause: None,
    });
    Row {
        label: "row".to_owned(),
        rules: "4x6".parse().unwrap(),
        strategy: Ok("knuth".to_owned()),
        games,
        repeats: NonZeroU32::new(repeats).unwrap(),
        exact,
        quick: None,
        published_games: None,
        published: published.collect(),
        tried: None,
    }
}

const DRAWN: Scope = Scope { census: false, random: true };
const EVERY: Scope = Scope { census: true, random: false };

/// The digest of some games: all secrets, then all secrets again.
fn digest(values: &[f64], secrets: usize, scope: Scope) -> Digest {
    let column = Column::of(values, secrets, scope).unwrap();
    let quantities = [Quantity::Guesses, Quantity::Examined, Quantity::Milliseconds];
    let columns = quantities.map(|quantity| (quantity, column.clone()));
    let runs: Vec<&[f64]> = values.chunks(secrets).collect();
    let (games, codes) = (values.len() as u64, secrets as u64);
    Digest { games, codes, columns: BTreeMap::from(columns), runs: RunMeans::of(&runs) }
}

fn verdicts(row: &Row, digest: &Digest) -> Vec<&'static str> {
    row.published.iter().map(|published| judge(published, row, digest).verdict.name()).collect()
}

/// Guesses 4, 5, 4, 5, …: mean 4.5, standard deviation 0.5.
fn alternating(games: usize) -> Vec<f64> {
    (0..games).map(|game| 4.0 + (game % 2) as f64).collect()
}

use Statistic::{Max, Mean, Median, Min, Sd};

#[test]
fn where_nothing_is_left_to_luck_digits_must_agree() {
    let digest = digest(&alternating(1296), 1296, EVERY);
    let judged = |statistic, text: &str, within| {
        let mut row = row(Amount::All, 1, true, Quantity::Guesses, &[(statistic, text)]);
        row.published[0].within = within;
        verdicts(&row, &digest)[0]
    };
    for (statistic, text, verdict) in [
        (Mean, "4.5", "supported"),
        (Mean, "4.500", "supported"),
        (Mean, "4.501", "refuted"),
        (Mean, "4.49999999", "refuted"),
        (Max, "5", "supported"),
        (Max, "6", "refuted"),
        (Min, "4", "supported"),
        (Median, "4.5", "supported"),
        (Median, "3", "refuted"),
        // With n below it is 0.5, with n - 1 it is 0.50019; a paper may mean either.
        (Sd, "0.5000", "supported"),
        (Sd, "0.5002", "supported"),
        (Sd, "0.5001", "refuted"),
    ] {
        assert_eq!(judged(statistic, text, None), verdict, "{statistic:?} {text}");
    }
    assert_eq!(judged(Mean, "4.58", Some(0.02)), "supported");
    assert_eq!(judged(Mean, "4.62", Some(0.02)), "refuted");
}

#[test]
fn the_interval_of_ours_must_lie_in_the_window() {
    // 10,000 games of ours: 4.5 ± 0.0098. The window of 2 % is wider than the luck of a million games.
    let many = digest(&alternating(10_000), 10_000, DRAWN);
    let judged = |mean: &str, digest: &Digest| {
        let published = [(Mean, mean), (Sd, "0.50")];
        let row = row(Amount::Drawn(1_000_000), 1, false, Quantity::Guesses, &published);
        judge(&row.published[0], &row, digest)
    };
    let near = judged("4.57", &many);
    assert_eq!(near.verdict, Verdict::Supported);
    assert_eq!(near.window.as_deref(), Some("2 %"));
    assert!((near.margin.unwrap() - (0.02 * 4.57 + 0.005)).abs() < 1e-12);
    let [low, high] = near.interval.unwrap();
    assert!((low - 4.4902).abs() < 1e-4 && (high - 4.5098).abs() < 1e-4);
    assert_eq!(judged("4.70", &many).verdict, Verdict::Refuted);
    // At the edge of the window the games do not tell, and say how many would.
    let Verdict::Undecided { needs: Some(needs) } = judged("4.59", &many).verdict else { panic!("undecided") };
    assert!(needs > 10_000, "{needs}");
    // So do few games anywhere: 20 of them are 4.5 ± 0.22.
    let few = digest(&alternating(20), 20, DRAWN);
    assert!(matches!(judged("4.50", &few).verdict, Verdict::Undecided { needs: Some(100..200) }));
    assert_eq!(judged("6.50", &few).verdict, Verdict::Refuted);
}

#[test]
fn the_luck_of_a_paper_is_not_held_against_it() {
    let digest = digest(&alternating(10_000), 10_000, DRAWN);
    let judged = |mean: &str, games: u64| {
        let row = row(Amount::Drawn(games), 1, false, Quantity::Guesses, &[(Mean, mean), (Sd, "0.60")]);
        judge(&row.published[0], &row, &digest)
    };
    // A hundred games with sd 0.6 have an error of 0.06: three of them are 0.18.
    let finding = judged("4.66", 100);
    assert_eq!((finding.verdict, finding.window.as_deref()), (Verdict::Supported, Some("3 s.e. of the paper")));
    assert_eq!(judged("4.66", 100_000).verdict, Verdict::Refuted);
    assert_eq!(judged("4.75", 100).verdict, Verdict::Refuted);
}

#[test]
fn evaluations_are_granted_more_than_guesses() {
    let digest = digest(&alternating(10_000), 10_000, DRAWN);
    let judged = |quantity, mean: &str| {
        verdicts(&row(Amount::Drawn(1_000_000), 1, false, quantity, &[(Mean, mean)]), &digest)[0]
    };
    assert_eq!(judged(Quantity::Guesses, "4.80"), "refuted");
    assert_eq!(judged(Quantity::Examined, "4.80"), "supported");
    assert_eq!(judged(Quantity::Examined, "5.20"), "refuted");
}

#[test]
fn spreads_and_medians_have_windows_too() {
    let digest = digest(&alternating(1000), 1000, DRAWN);
    let published = [(Sd, "0.50"), (Sd, "0.70"), (Median, "4"), (Median, "7")];
    let row = row(Amount::Drawn(1000), 1, false, Quantity::Guesses, &published);
    let judged = verdicts(&row, &digest);
    assert_eq!((judged[0], judged[1], judged[3]), ("supported", "refuted", "refuted"));
}

#[test]
fn a_few_games_decide_nothing_however_alike_they_are() {
    let means = [(Mean, "4.0"), (Mean, "9.0"), (Median, "9")];
    let row = |published: &[_]| row(Amount::Drawn(1000), 1, false, Quantity::Guesses, published);
    // A printed spread would say how far the printed mean may be off.
    let (means, spread) = (row(&means), row(&[(Sd, "9.0")]));
    for games in [1, 3, 9] {
        let few = digest(&vec![4.0; games], games, DRAWN);
        assert_eq!(verdicts(&means, &few), ["undecided"; 3]);
        assert_eq!(verdicts(&spread, &few), ["undecided"]);
    }
    let enough = digest(&alternating(20), 20, DRAWN);
    assert_eq!(verdicts(&means, &enough), ["refuted", "refuted", "undecided"]);
    assert_eq!(verdicts(&spread, &enough), ["undecided"]);
}

#[test]
fn times_are_never_judged_and_everything_else_is() {
    let digest = digest(&alternating(1000), 1000, DRAWN);
    let judged =
        |quantity, statistic| verdicts(&row(Amount::Drawn(1000), 1, false, quantity, &[(statistic, "9")]), &digest)[0];
    for statistic in Statistic::ALL {
        assert_eq!(judged(Quantity::Milliseconds, statistic), "not judged");
        assert_ne!(judged(Quantity::Guesses, statistic), "not judged");
        assert_ne!(judged(Quantity::Examined, statistic), "not judged");
    }
}

#[test]
fn bounds_are_kept_or_not() {
    let digest = digest(&alternating(1000), 1000, DRAWN);
    let published = [(Max, "<=5"), (Max, "<=4")];
    let row = row(Amount::Drawn(1000), 1, false, Quantity::Examined, &published);
    assert_eq!(verdicts(&row, &digest)[1], "refuted");
    assert_ne!(verdicts(&row, &digest)[0], "refuted");
}

#[test]
fn run_means_are_compared_by_their_own_spread() {
    // Two secrets, twenty runs: run means 4.5 and 5.0 in turn, a mean of 4.75.
    let values: Vec<f64> = (0..20).flat_map(|run| [4.0, 5.0 + f64::from(run % 2)]).collect();
    let digest = digest(&values, 2, Scope { census: true, random: true });
    let published = [(Mean, "4.80"), (Sd, "0.25"), (Median, "4.75"), (Min, "4.40"), (Max, "5.10")];
    let row = row(Amount::All, 10, false, Quantity::RunMeans, &published);
    assert!(verdicts(&row, &digest).iter().all(|verdict| *verdict != "refuted"), "{:?}", verdicts(&row, &digest));
    let far = self::row(Amount::All, 10, false, Quantity::RunMeans, &[(Mean, "5.40"), (Sd, "0.25")]);
    assert_eq!(verdicts(&far, &digest)[0], "refuted");
}

#[test]
fn where_the_paper_errs_what_is_right_is_judged() {
    let digest = digest(&alternating(10_000), 10_000, DRAWN);
    let judged = |right: &str| {
        let mut row = row(Amount::Drawn(10_000), 1, false, Quantity::Guesses, &[(Mean, "9.0")]);
        row.published[0].correction = Some(Correction { right: right.parse().unwrap(), reason: "why".to_owned() });
        let finding = judge(&row.published[0], &row, &digest);
        assert_eq!(finding.published.as_deref(), Some("9.0"));
        finding.verdict
    };
    assert_eq!(judged("4.50"), Verdict::Supported);
    assert_eq!(judged("5.50"), Verdict::Refuted);
}

#[test]
fn what_is_not_counted_is_missing() {
    let digest = digest(&alternating(1000), 1000, DRAWN);
    let row = row(Amount::Drawn(1000), 1, false, Quantity::Consistent, &[(Mean, "9.0")]);
    assert_eq!(verdicts(&row, &digest), ["missing"]);
}

#[test]
fn orders_hold_but_for_the_margin() {
    let low = digest(&alternating(10_000), 10_000, DRAWN);
    let same = digest(&alternating(9_000), 9_000, DRAWN);
    let high = digest(&alternating(10_000).iter().map(|value| value + 1.0).collect::<Vec<_>>(), 10_000, DRAWN);
    let few = digest(&alternating(10), 10, DRAWN);
    let named =
        |label: &str| Row { label: label.to_owned(), ..row(Amount::Drawn(100), 1, false, Quantity::Guesses, &[]) };
    let rows = [named("low"), named("same"), named("high"), named("few")];
    let digests = [&low, &same, &high, &few];
    let rows: Vec<(&Row, Option<&Digest>)> = rows.iter().zip(digests.map(Some)).collect();
    let claim = |labels: &[&str]| {
        let order = Order {
            says: "so".to_owned(),
            measure: Measure { quantity: Quantity::Guesses, statistic: Mean },
            rows: labels.iter().map(ToString::to_string).collect(),
            information: None,
            cause: None,
        };
        judge_order(&order, &rows).verdict.name()
    };
    assert_eq!(claim(&["low", "same", "high"]), "supported");
    assert_eq!(claim(&["same", "low", "high"]), "supported");
    assert_eq!(claim(&["high", "low"]), "refuted");
    assert_eq!(claim(&["low", "few"]), "undecided");
    assert_eq!(claim(&["low", "none"]), "missing");
}
