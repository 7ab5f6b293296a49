use std::num::NonZeroU32;

use Statistic::{Max, Mean, Median, Min, Sd};
use pegwise_labstats::{RunMeans, Scope};

use super::*;
use crate::papers::{Library, PublishedSecrets, RefutationCause, ReproduceOptions, Reproducer, TableContent};

const DRAWN: Scope = Scope { census: false, random: true };
const EVERY: Scope = Scope { census: true, random: false };

/// Returns a row at 4x6 with one published quantity.
fn row(games: PublishedSecrets, exact: bool, published: &[(MeasuredQuantity, Statistic, &str)]) -> PublishedRow {
    let published = published.iter().map(|&(quantity, statistic, text)| PublishedValue {
        measure: PublishedMeasure { quantity, statistic },
        printed: text.parse().unwrap(),
        wrong: None,
    });
    PublishedRow {
        label: "row".to_owned(),
        rules: "4x6".parse().unwrap(),
        strategy: Ok("knuth".to_owned()),
        games,
        repeats: NonZeroU32::MIN,
        exact,
        quick: None,
        published_games: None,
        published: published.collect(),
        reading: None,
    }
}

/// Returns the statistics of games: all secrets, then all secrets again.
fn statistics(values: &[f64], secrets: usize, scope: Scope) -> RowStatistics {
    let column = ColumnStatistics::of(values, secrets, scope).unwrap();
    use MeasuredQuantity::{Consistent, Examined, Guesses, Identified, Milliseconds, Nodes};
    let columns = [Guesses, Identified, Examined, Consistent, Nodes, Milliseconds].map(|one| (one, column.clone()));
    let runs: Vec<&[f64]> = values.chunks(secrets).collect();
    let (games, codes) = (values.len() as u64, secrets as u64);
    RowStatistics { games, codes, census: scope.census, columns: BTreeMap::from(columns), runs: RunMeans::of(&runs) }
}

/// Returns `games` values of a bell-shaped distribution with exactly this mean and standard deviation.
fn bell(mean: f64, sd: f64, games: usize) -> Vec<f64> {
    let quantile = |game: usize| {
        let share = (game as f64 + 0.5) / games as f64;
        (share / (1.0 - share)).ln()
    };
    let squares: f64 = (0..games).map(|game| quantile(game).powi(2)).sum();
    let scale = sd / (squares / (games as f64 - 1.0)).sqrt();
    // Neighbors are of different secrets, so that no order remains.
    (0..games).map(|game| mean + scale * quantile((game * 7919) % games)).collect()
}

fn place(row: &PublishedRow, statistics: &RowStatistics) -> Place {
    assess(&row.published[0], row, statistics).unwrap().place
}

#[test]
fn deterministic_digits_must_agree() {
    let values: Vec<f64> = (0..1296).map(|game| 4.0 + f64::from(game % 2)).collect();
    let statistics = statistics(&values, 1296, EVERY);
    for (statistic, text, inside) in [
        (Mean, "4.5", true),
        (Mean, "4.500", true),
        (Mean, "4.501", false),
        (Mean, "4.49999999", false),
        (Max, "5", true),
        (Max, "6", false),
        (Min, "4", true),
        (Median, "4.5", true),
        (Median, "3", false),
        // The standard deviation is 0.5 with divisor n and 0.50019 with divisor n - 1; papers use either.
        (Sd, "0.5000", true),
        (Sd, "0.5002", true),
        (Sd, "0.5001", false),
    ] {
        let row = row(PublishedSecrets::All, true, &[(MeasuredQuantity::Guesses, statistic, text)]);
        assert_eq!(place(&row, &statistics) == Place::Inside, inside, "{statistic:?} {text}");
    }
}

#[test]
fn the_window_is_three_standard_errors_of_the_paper() {
    let ours = statistics(&bell(4.5, 0.5, 10_000), 10_000, DRAWN);
    let judged = |mean: &str, sd: &str, games: u64| {
        let published = [(MeasuredQuantity::Guesses, Mean, mean), (MeasuredQuantity::Guesses, Sd, sd)];
        place(&row(PublishedSecrets::Drawn(games), false, &published), &ours)
    };
    // A hundred games with a deviation of 0.5 have a standard error of 0.05; ours is 4.5 with 0.0098 to both sides.
    assert_eq!(judged("4.63", "0.50", 100), Place::Inside);
    assert_eq!(judged("4.70", "0.50", 100), Place::Outside);
    assert!(matches!(judged("4.65", "0.50", 100), Place::Open(Some(10_000..))));
    // A printed deviation that ours refutes does not widen the window.
    assert_eq!(judged("4.70", "5.00", 100), Place::Outside);
    let few = statistics(&bell(4.5, 0.5, 20), 20, DRAWN);
    let row = row(PublishedSecrets::Drawn(100), false, &[(MeasuredQuantity::Guesses, Mean, "9.0")]);
    assert!(matches!(place(&row, &few), Place::Open(_)));
}

#[test]
fn standard_deviations_have_chi_square_intervals() {
    let ours = statistics(&bell(4.5, 0.5, 100_000), 100_000, DRAWN);
    let judged =
        |sd: &str| place(&row(PublishedSecrets::Drawn(200), false, &[(MeasuredQuantity::Guesses, Sd, sd)]), &ours);
    assert_eq!(
        ["0.43", "0.50", "0.58", "0.70", "0.35"].map(|sd| judged(sd) == Place::Inside),
        [true, true, true, false, false]
    );
}

#[test]
fn extremes_are_judged_by_their_probability() {
    let test = |beyond, games, theirs| ExtremeTest::counted(false, beyond, games, theirs).place(games);
    // One percent of our games exceed the printed maximum and five reach it, so a hundred games stay within it often.
    assert_eq!(test([100, 500], 10_000, 100.0), Place::Inside);
    assert_eq!(test([1000, 2000], 10_000, 1000.0), Place::Outside);
    assert_eq!(test([0, 0], 100_000, 10.0), Place::Outside);
    assert!(matches!(test([0, 0], 100, 1000.0), Place::Open(_)));
    // The maximum of ten run means is about 1.5 standard deviations above their mean.
    let run = |off: f64| ExtremeTest::normal(off, 0.0005, 0.002, 0.013, 10.0).place(1000);
    assert_eq!([run(0.02), run(0.1), run(-0.02)], [Place::Inside, Place::Outside, Place::Outside]);
}

/// Judges a table of games that are not played: rows with their statistics.
fn judged(rows: &[(PublishedRow, RowStatistics)], claims: Vec<PublishedClaim>) -> (Vec<Finding>, Vec<ClaimFinding>) {
    let mut table = Library::built_in().unwrap().find("xu/table-1").unwrap()[0].clone();
    table.causes =
        vec![RefutationCause { why: "because".into(), of: vec!["guesses".into()], met_by: Some("b".into()) }];
    let played: Vec<_> = rows.iter().map(|(row, statistics)| (row, Some(statistics))).collect();
    (judge_numbers(&table, &played), claims.iter().map(|claim| judge_claim(claim, &table, &played)).collect())
}

fn named(label: &str, mean: &str, ours: f64) -> (PublishedRow, RowStatistics) {
    let published = [(MeasuredQuantity::Guesses, Mean, mean)];
    let mut row = row(PublishedSecrets::Drawn(400), false, if mean.is_empty() { &[] } else { &published });
    (row.label, row.strategy) = (label.to_owned(), Ok(label.to_owned()));
    (row, statistics(&bell(ours, 0.5, 4000), 4000, DRAWN))
}

#[test]
fn a_number_is_reproduced_if_no_other_row_would_pass() {
    use PublishedVerdict::{Compatible, Refuted, Reproduced};
    let (findings, _) =
        judged(&[named("a", "4.50", 4.5), named("b", "5.00", 5.0), named("c", "4.99", 4.0)], Vec::new());
    assert_eq!([0, 1, 2].map(|at| findings[at].verdict.unwrap()), [Reproduced, Reproduced, Refuted]);
    let cause = findings[2].cause.as_ref().unwrap();
    assert_eq!((cause.why.as_str(), cause.met_by.as_deref()), ("because", Some("b")));
    let (findings, _) = judged(&[named("a", "4.50", 4.5), named("b", "", 4.52)], Vec::new());
    assert_eq!((findings[0].verdict, findings[0].note.as_deref()), (Some(Compatible), Some("not told from b")));
    let (findings, _) = judged(&[named("a", "4.50", 4.5)], Vec::new());
    assert_eq!(findings[0].verdict, Some(Compatible), "nothing to tell it from");
}

fn claim(links: &[(&[&str], &[&str], f64)], is_ratio: bool) -> PublishedClaim {
    let owned = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect();
    let link = |&(less, more, factor): &(&[&str], &[&str], f64)| ClaimLink {
        says: String::new(),
        less: owned(less),
        more: owned(more),
        factor,
    };
    let links = links.iter().map(link).collect();
    PublishedClaim { says: "claim".to_owned(), quantity: MeasuredQuantity::Guesses, links, is_ratio }
}

#[test]
fn claims_can_fail() {
    use PublishedVerdict::{Refuted, Reproduced, Reversed, Undecided};
    let rows = [named("a", "", 4.0), named("b", "", 4.2), named("c", "", 4.2), named("d", "", 4.0)];
    let verdict = |claim| judged(&rows, vec![claim]).1[0].verdict;
    assert_eq!(verdict(claim(&[(&["a"], &["b"], 1.0)], false)), Reproduced);
    assert_eq!(verdict(claim(&[(&["b"], &["a"], 1.0)], false)), Reversed);
    assert_eq!(verdict(claim(&[(&["b"], &["c"], 1.0)], false)), Undecided);
    // One reversed comparison reverses a chain.
    assert_eq!(verdict(claim(&[(&["a"], &["b"], 1.0), (&["c"], &["d"], 1.0)], false)), Reversed);
    // A band is lower than both sides; here only than one.
    assert_eq!(verdict(claim(&[(&["a"], &["b", "c"], 1.0), (&["a"], &["d"], 1.0)], false)), Undecided);
    let ratio = |low: f64, high: f64| claim(&[(&["b"], &["a"], 1.0 / low), (&["a"], &["b"], high)], true);
    assert_eq!([verdict(ratio(0.94, 0.96)), verdict(ratio(0.6, 0.8))], [Reproduced, Refuted]);
}

/// Returns the statistics of games that agree exactly with a printed number, or are `errors` standard errors and half a unit
/// off; `None` if a standard error has no meaning for it.
fn games_as_printed(value: &PublishedValue, row: &PublishedRow, errors: f64) -> Option<RowStatistics> {
    let PublishedMeasure { quantity, statistic } = value.measure;
    let of = |statistic| {
        let measure = PublishedMeasure { quantity, statistic };
        row.published.iter().find(|published| published.measure == measure).map(|published| published.printed.value())
    };
    let (p, theirs) = (value.printed.value(), row.games_published());
    let off = |error: f64| if errors > 0.0 { p + errors * error + value.printed.half_unit() } else { p };
    if quantity == MeasuredQuantity::Codes || (row.exact && statistic != Sd) {
        let own = off(value.printed.half_unit());
        return Some(RowStatistics { codes: own as u64, ..statistics(&vec![own; 1296], 1296, EVERY) });
    }
    if row.exact {
        let own = off(value.printed.half_unit());
        let around: Vec<f64> = (0..1296).map(|game| if game % 2 == 0 { 9.0 - own } else { 9.0 + own }).collect();
        return Some(statistics(&around, 1296, EVERY));
    }
    if quantity == MeasuredQuantity::RunMeans {
        let (mean, sd, secrets, runs) = (of(Mean)?, of(Sd).unwrap_or(0.015), 1296, 40);
        let error = sd / row.runs_published().sqrt();
        let center = match statistic {
            Mean => off(error),
            Median => off(MEDIAN_FACTOR * error),
            _ if errors > 0.0 => return None,
            _ => mean,
        };
        let within = sd * f64::from(secrets).sqrt() * (1.0 - 1.0 / f64::from(runs)).sqrt();
        let sign = |game: i32| if (game % secrets + game / secrets) % 2 == 0 { 1.0 } else { -1.0 };
        let values: Vec<f64> = (0..secrets * runs).map(|game| center + sign(game) * within).collect();
        return Some(statistics(&values, secrets as usize, Scope { census: true, random: true }));
    }
    // More games than the paper's leave the window alone to decide; of an extreme, two in twice as many reach it.
    let extreme = [Min, Max].contains(&statistic);
    let games = (2 * theirs as usize).max(if extreme { 60 } else { 20_000 });
    let sd = of(Sd).unwrap_or(p / 2.0);
    let values = match statistic {
        Mean => bell(off(sd / theirs.sqrt()), sd, games),
        // Fewer games give no normal errors.
        Sd if errors > 0.0 && theirs < 100.0 => return None,
        Sd => bell(2.0 * p, off(p * (0.8 / theirs).sqrt()), games),
        Median => bell(p, p / 2.0, games),
        Min => (0..games).map(|game| if game < 2 { p } else { p + 1.0 }).collect(),
        Max => (0..games).map(|game| if game < 2 { p } else { p - 1.0 }).collect(),
    };
    (errors == 0.0 || [Mean, Sd].contains(&statistic)).then(|| statistics(&values, games, DRAWN))
}

/// The numbers of the papers agree with themselves, and five standard errors of noise are refuted.
#[test]
fn the_papers_own_numbers_agree_and_noise_does_not() {
    let (mut agree, mut noisy) = (0, 0);
    for table in Library::built_in().unwrap().tables() {
        for row in table.rows().iter().filter(|row| row.strategy.is_ok()) {
            for value in row.published.iter().filter(|value| value.measure.quantity != MeasuredQuantity::Milliseconds) {
                let name = format!("{}, {}, {}", table.id, row.label, value.measure);
                let judged = |errors| {
                    let statistics = games_as_printed(value, row, errors)?;
                    // The spread of the other statistics is not that of the games made up here.
                    let alone = PublishedRow {
                        published: row
                            .published
                            .iter()
                            .filter(|other| other.measure.statistic == Sd || other.measure == value.measure)
                            .cloned()
                            .collect(),
                        ..row.clone()
                    };
                    Some(assess(value, &alone, &statistics).unwrap().place)
                };
                assert_eq!(judged(0.0), Some(Place::Inside), "{name}");
                agree += 1;
                if let Some(place) = judged(5.0).filter(|_| !value.printed.is_bound()) {
                    assert_eq!(place, Place::Outside, "{name}");
                    noisy += 1;
                }
            }
        }
    }
    assert!(agree > 500 && noisy > 300, "{agree} {noisy}");
}

/// Exchanges the strategies of every two rows of a table: fewer numbers are reproduced.
#[test]
fn exchanged_strategies_reproduce_less() {
    let library = Library::built_in().unwrap();
    let table = library.find("singley-2005/section-3-1").unwrap()[0];
    let mut reproducer = Reproducer::new(ReproduceOptions::default());
    let mut reproduced = |table: &PublishedTable| -> Vec<String> {
        let findings = reproducer.reproduce(table).unwrap().findings.into_iter();
        findings.filter(|one| one.verdict == Some(PublishedVerdict::Reproduced)).map(|one| one.row).collect()
    };
    let before = reproduced(table);
    assert!(before.len() >= 2, "{before:?}");
    for one in 0..table.rows().len() {
        for other in 0..one {
            let mut swapped = table.clone();
            let TableContent::Games { rows, .. } = &mut swapped.content else { panic!("games") };
            let [left, right] = [one, other].map(|at| rows[at].clone());
            for (at, from) in [(one, right), (other, left)] {
                let PublishedRow { strategy, games, exact, .. } = from;
                (rows[at].strategy, rows[at].games, rows[at].exact) = (strategy, games, exact);
            }
            let after = reproduced(&swapped).len();
            let had_some = [one, other].iter().any(|&at| before.contains(&table.rows()[at].label));
            assert!(after < before.len() || !had_some, "{one} and {other}: {after} of {before:?}");
        }
    }
}
