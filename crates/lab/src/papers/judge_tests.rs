//! Verdicts on numbers that are known to be right or wrong.

use std::{collections::BTreeMap, num::NonZeroU32};

use pegwise_labstats::RunMeans;

use super::*;
use crate::papers::Amount;

/// A row of 4x6 with one published quantity.
fn row(games: Amount, repeats: u32, exact: bool, quantity: Quantity, published: &[(Statistic, &str)]) -> Row {
    let published = published.iter().map(|(statistic, text)| Published {
        measure: Measure { quantity, statistic: *statistic },
        printed: text.parse().unwrap(),
        treatment: Treatment::Judged,
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
    }
}

/// The digest of some games: all secrets, then all secrets again.
fn digest(values: &[f64], secrets: usize, whole: bool) -> Digest {
    let column = Column::of(values, secrets, whole).unwrap();
    let columns = [Quantity::Guesses, Quantity::Examined, Quantity::Milliseconds].map(|quantity| (quantity, column));
    let runs: Vec<&[f64]> = values.chunks(secrets).collect();
    let (games, codes) = (values.len() as u64, secrets as u64);
    Digest { games, codes, whole, columns: BTreeMap::from(columns), runs: RunMeans::of(&runs) }
}

fn verdicts(row: &Row, digest: &Digest) -> Vec<Verdict> {
    row.published.iter().map(|published| judge(published, row, digest).verdict).collect()
}

/// Guesses 4, 5, 4, 5, …: mean 4.5, standard deviation 0.5.
fn alternating(games: usize) -> Vec<f64> {
    (0..games).map(|game| 4.0 + (game % 2) as f64).collect()
}

use Statistic::{Max, Mean, Median, Min, Sd};

#[test]
fn where_nothing_is_left_to_luck_digits_must_agree() {
    let digest = digest(&alternating(1296), 1296, true);
    let judged = |statistic, text: &str| {
        let row = row(Amount::All, 1, true, Quantity::Guesses, &[(statistic, text)]);
        verdicts(&row, &digest)[0] == Verdict::Agrees
    };
    for (statistic, text, agrees) in [
        (Mean, "4.5", true),
        (Mean, "4.500", true),
        (Mean, "4.501", false),
        (Mean, "4.49999999", false),
        (Max, "5", true),
        (Max, "6", false),
        (Min, "4", true),
        (Median, "4.5", true),
        (Median, "3", false),
        // With n below it is 0.5, with n - 1 it is 0.50019; a paper may mean either.
        (Sd, "0.5000", true),
        (Sd, "0.5002", true),
        (Sd, "0.5001", false),
    ] {
        assert_eq!(judged(statistic, text), agrees, "{statistic:?} {text}");
    }
}

#[test]
fn both_samples_have_their_luck() {
    // 10,000 games of ours with an error of 0.005; 100 of theirs with sd 0.6, an error of 0.06.
    let digest = digest(&alternating(10_000), 10_000, false);
    let judged = |mean: &str| {
        let published = [(Mean, mean), (Sd, "0.60")];
        let row = row(Amount::Drawn(100), 1, false, Quantity::Guesses, &published);
        let finding = judge(&row.published[0], &row, &digest);
        (finding.verdict, finding.standard_errors.unwrap())
    };
    let (verdict, errors) = judged("4.65");
    assert_eq!(verdict, Verdict::Agrees);
    assert!((errors + (0.15 - 0.005) / 0.0602).abs() < 0.01, "{errors}: below, rounding granted");
    assert_eq!(judged("4.68").0, Verdict::Agrees);
    assert_eq!(judged("4.70").0, Verdict::Disagrees);
    assert_eq!(judged("4.30").0, Verdict::Disagrees);
}

#[test]
fn without_a_printed_spread_ours_stands_for_it() {
    let digest = digest(&alternating(10_000), 10_000, false);
    let judged = |mean: &str| verdicts(&row(Amount::Drawn(100), 1, false, Quantity::Guesses, &[(Mean, mean)]), &digest);
    assert_eq!(judged("4.64"), [Verdict::Agrees]);
    assert_eq!(judged("4.67"), [Verdict::Disagrees]);
}

#[test]
fn a_quick_look_at_every_code_is_judged_by_its_own_luck() {
    let digest = digest(&alternating(100), 100, false);
    let judged = |mean: &str| verdicts(&row(Amount::All, 1, true, Quantity::Guesses, &[(Mean, mean)]), &digest);
    assert_eq!(judged("4.640"), [Verdict::Agrees]);
    assert_eq!(judged("4.660"), [Verdict::Disagrees]);
}

#[test]
fn spreads_and_medians_have_their_luck_too() {
    let digest = digest(&alternating(1000), 1000, false);
    let published = [(Sd, "0.50"), (Sd, "0.70"), (Median, "4"), (Median, "6")];
    let row = row(Amount::Drawn(1000), 1, false, Quantity::Guesses, &published);
    assert_eq!(verdicts(&row, &digest), [Verdict::Agrees, Verdict::Disagrees, Verdict::Agrees, Verdict::Disagrees]);
}

#[test]
fn what_has_no_sound_test_is_information() {
    let digest = digest(&alternating(1000), 1000, false);
    let judged = |quantity, statistic| {
        let verdict = &verdicts(&row(Amount::Drawn(1000), 1, false, quantity, &[(statistic, "9")]), &digest)[0];
        matches!(verdict, Verdict::Information(_))
    };
    for (quantity, statistic) in [
        (Quantity::Guesses, Max),
        (Quantity::Guesses, Min),
        (Quantity::Examined, Sd),
        (Quantity::Examined, Max),
        (Quantity::Milliseconds, Mean),
    ] {
        assert!(judged(quantity, statistic), "{quantity:?} {statistic:?}");
    }
    assert!(!judged(Quantity::Examined, Mean));
}

#[test]
fn bounds_are_kept_or_not() {
    let digest = digest(&alternating(1000), 1000, false);
    let published = [(Max, "<=5"), (Max, "<=4")];
    let row = row(Amount::Drawn(1000), 1, false, Quantity::Examined, &published);
    assert_eq!(verdicts(&row, &digest), [Verdict::Agrees, Verdict::Disagrees]);
}

#[test]
fn run_means_are_compared_by_their_own_spread() {
    // Two secrets, ten runs: run means 4.5 and 5.0 in turn, a mean of 4.75.
    let values: Vec<f64> = (0..10).flat_map(|run| [4.0, 5.0 + f64::from(run % 2)]).collect();
    let digest = digest(&values, 2, true);
    let published = [(Mean, "4.80"), (Sd, "0.25"), (Median, "4.75"), (Min, "4.50"), (Max, "5.00")];
    let row = row(Amount::All, 10, false, Quantity::RunMeans, &published);
    let luck = Verdict::Information("the extremes of a few runs are luck".to_owned());
    assert_eq!(verdicts(&row, &digest), [Verdict::Agrees, Verdict::Agrees, Verdict::Agrees, luck.clone(), luck]);
    let far = self::row(Amount::All, 10, false, Quantity::RunMeans, &[(Mean, "5.20"), (Sd, "0.25")]);
    assert_eq!(verdicts(&far, &digest)[0], Verdict::Disagrees);
}

#[test]
fn a_tolerance_grants_a_share_and_luck_as_well() {
    let digest = digest(&alternating(10_000), 10_000, false);
    let judged = |mean: &str, share: f64| {
        let mut row = row(Amount::Drawn(10_000), 1, false, Quantity::Examined, &[(Mean, mean)]);
        row.published[0].treatment = Treatment::Within(share);
        verdicts(&row, &digest).remove(0)
    };
    assert_eq!(judged("4.90", 0.1), Verdict::Agrees);
    assert_eq!(judged("5.10", 0.1), Verdict::Disagrees);
    assert_eq!(judged("4.51", 0.0001), Verdict::Agrees, "by luck, though not by the share");
}

#[test]
fn what_is_marked_or_not_counted_is_not_judged() {
    let digest = digest(&alternating(1000), 1000, false);
    let judged = |quantity, treatment| {
        let mut row = row(Amount::Drawn(1000), 1, false, quantity, &[(Mean, "9.0")]);
        row.published[0].treatment = treatment;
        verdicts(&row, &digest).remove(0)
    };
    let reason = || "why".to_owned();
    assert_eq!(judged(Quantity::Guesses, Treatment::Judged), Verdict::Disagrees);
    assert_eq!(judged(Quantity::Guesses, Treatment::Errs(reason())), Verdict::PaperErrs(reason()));
    assert_eq!(judged(Quantity::Guesses, Treatment::Information(reason())), Verdict::Information(reason()));
    assert_eq!(
        judged(Quantity::Consistent, Treatment::Judged),
        Verdict::Missing("consistent is not counted".to_owned())
    );
}

#[test]
fn orders_hold_but_for_luck() {
    let low = digest(&alternating(100), 100, false);
    let same = digest(&alternating(90), 90, false);
    let high = digest(&alternating(100).iter().map(|value| value + 1.0).collect::<Vec<_>>(), 100, false);
    let named =
        |label: &str| Row { label: label.to_owned(), ..row(Amount::Drawn(100), 1, false, Quantity::Guesses, &[]) };
    let (one, other, third) = (named("low"), named("same"), named("high"));
    let rows = [(&one, Some(&low)), (&other, Some(&same)), (&third, Some(&high))];
    let claim = |labels: &[&str]| {
        let order = Order {
            says: "so".to_owned(),
            measure: Measure { quantity: Quantity::Guesses, statistic: Mean },
            rows: labels.iter().map(ToString::to_string).collect(),
            information: None,
            errs: None,
        };
        judge_order(&order, &rows).verdict
    };
    assert_eq!(claim(&["low", "same", "high"]), Verdict::Agrees);
    assert_eq!(claim(&["same", "low", "high"]), Verdict::Agrees);
    assert_eq!(claim(&["high", "low"]), Verdict::Disagrees);
    assert_eq!(claim(&["low", "none"]), Verdict::Missing("1 of its 2 rows are not run".to_owned()));
}
