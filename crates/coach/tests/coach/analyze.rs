//! Guesses lost and luck of games, as `docs/analysis.md` defines them: computed by hand, by exact searches, and by a
//! naive reference implementation.

#[path = "../shared/reference.rs"]
mod reference;

use std::time::Duration;

use pegwise_coach::{Analysis, AnalyzeError, Notes, Uncertain, analyze, plot};
use pegwise_game::{Code, History, Rules, Space, Table, Turn, feedback};
use pegwise_solve::tree::exact::{ExactSolver, Options, solve};
use pegwise_solve::{Limits, Position, Rng, Search, Watch, catalog};
use reference::{ComparisonTally, Reference};

fn analysis(rules: &str, turns: &[&str], secret: Option<&str>) -> Result<Analysis, AnalyzeError> {
    let rules: Rules = rules.parse().unwrap();
    let notes = Notes::parse(&rules, turns.iter().copied()).unwrap();
    let secret = secret.map(|secret| rules.parse_code(secret).unwrap());
    analyze(&notes, secret.as_ref(), &mut Search::new(1))
}

fn near(figure: Uncertain<f64>, expected: f64) -> bool {
    figure.exact_value().is_some_and(|value| (value - expected).abs() < 1e-9)
}

/// The parts of 1122 are those of Knuth's paper, the minimal totals those of Koyama and Lai.
#[test]
fn the_first_guess_of_the_classic_game() {
    let analysis = analysis("4x6", &["1122=1,1"], None).unwrap();
    let turn = &analysis.turns[0];
    assert_eq!((turn.before.exact(), turn.after.exact()), (Some(1296), Some(208)));
    assert!(near(turn.expected, 265_077.0 / 1296.0), "{turn:?}");
    let rules: Rules = "4x6".parse().unwrap();
    let first = Options { first_guess: Some(rules.parse_code("1122").unwrap()), ..Options::default() };
    let least = solve(&rules, &first, Watch::default(), |_| ()).unwrap();
    assert!(least.proven && least.total > 5625);
    assert!(near(turn.lost, (least.total - 5625) as f64 / 1296.0), "{turn:?}");
    assert!(near(turn.skill, 100.0 * 5625.0 / least.total as f64), "{turn:?}");
    assert!(near(turn.luck, 100.0 * (768.0 + 104.0) / 1296.0));
    assert!(turn.exact && turn.consistent == Some(true));
    assert_eq!(analysis.remaining.exact(), Some(208));
    assert!(analysis.secret.is_none() && analysis.others.is_empty());
}

/// One peg in three colors: every number can be verified by hand.
#[test]
fn a_whole_game_by_hand() {
    let analysis = analysis("1x3", &["1=0,0", "1=0,0", "2=0,0", "3=1,0"], None).unwrap();
    let lost: Vec<f64> = analysis.turns.iter().map(|turn| turn.lost.exact_value().unwrap()).collect();
    // A repeated guess gives no information, which loses one guess.
    assert_eq!(lost, [0.0, 1.0, 0.0, 0.0]);
    let skills: Vec<f64> = analysis.turns.iter().map(|turn| turn.skill.exact_value().unwrap()).collect();
    assert_eq!(skills, [100.0, 0.0, 100.0, 100.0]);
    assert!(near(analysis.turns[0].expected, 4.0 / 3.0));
    assert!(near(analysis.turns[1].expected, 2.0));
    assert!(near(analysis.turns[2].expected, 0.5));
    assert!(near(analysis.turns[3].expected, 0.0));
    assert!(near(analysis.turns[0].luck, 100.0 / 3.0));
    assert!(analysis.turns[1].luck.is_unknown());
    assert!(near(analysis.turns[2].luck, 25.0));
    assert!(analysis.turns[3].luck.is_unknown());
    assert!(near(analysis.lost, 1.0) && near(analysis.skill, 75.0));
    assert!(near(analysis.luck, (100.0 / 3.0 + 25.0) / 2.0));
    assert!(analysis.solved);
    let left: Vec<Option<u128>> = analysis.turns.iter().map(|turn| turn.after.exact()).collect();
    assert_eq!(left, [Some(2), Some(2), Some(1), Some(0)]);
    assert_eq!(analysis.turns[1].advice, "The same guess as in turn 1: you learned nothing.");
    assert_eq!(analysis.turns[3].advice, "The only code left.");
    assert!(
        analysis.summary.starts_with("Solved in 4 guesses. 1.00 guesses lost; luck 29 of 100."),
        "{}",
        analysis.summary
    );
}

#[test]
fn a_guess_beside_the_only_code_left_loses_one() {
    let analysis = analysis("1x2", &["1=0,0", "1=0,0"], None).unwrap();
    assert!(near(analysis.turns[1].lost, 1.0) && near(analysis.turns[1].skill, 0.0));
    assert_eq!(analysis.turns[1].advice, "The same guess as in turn 1: you learned nothing.");
    assert_eq!(analysis.secret.as_ref().map(|secret| secret[0].number()), Some(2));
}

/// The proven tree loses nothing, and neither does the best guess named by the analysis.
#[test]
fn the_best_guess_loses_nothing() {
    let rules: Rules = "4x6".parse().unwrap();
    let mut rng = Rng::new(8);
    for _ in 0..6 {
        let secret = rng.code(&rules);
        let mut notes = Notes::new(rules.clone());
        let mut tree = catalog::strategy("optimal", &rules).unwrap();
        while let Ok(proposal) = tree.next_guess(&notes.history().unwrap(), &mut Search::new(1)) {
            notes.push(Turn::against(&rules, &secret, proposal.guess).into()).unwrap();
        }
        let analysis = analyze(&notes, None, &mut Search::new(1)).unwrap();
        assert_eq!(analysis.lost, Uncertain::Exact(0.0), "{:?}", analysis.turns);
    }
    for _ in 0..12 {
        let (secret, guesses): (Code, [Code; 2]) = (rng.code(&rules), std::array::from_fn(|_| rng.code(&rules)));
        let mut notes = Notes::from(&History::against(&rules, &secret, guesses));
        let Ok(first) = analyze(&notes, None, &mut Search::new(1)) else { continue };
        let Some(best) = &first.turns[1].best else { panic!("no best guess") };
        notes.pop();
        notes.push(Turn::against(&rules, &secret, best.guess.clone()).into()).unwrap();
        let second = analyze(&notes, None, &mut Search::new(1)).unwrap();
        assert_eq!(second.turns[1].lost, Uncertain::Exact(0.0));
    }
}

/// Averaged over all answers to a guess, weighted by their probabilities, luck is 50.
#[test]
fn luck_is_fair() {
    let rules: Rules = "3x4".parse().unwrap();
    let mut sum = 0.0;
    for secret in Space::new(&rules).iter() {
        let notes = Notes::from(&History::against(&rules, &secret, [rules.parse_code("112").unwrap()]));
        sum += analyze(&notes, None, &mut Search::new(1)).unwrap().turns[0].luck.exact_value().unwrap_or(50.0);
    }
    assert!((sum / 64.0 - 50.0).abs() < 1e-9);
}

#[test]
fn others_play_against_the_same_secret() {
    let analysis = analysis("4x6", &["1122=1,0", "1344=0,1", "3526=1,2", "1462=1,1", "3632=4,0"], None).unwrap();
    let others: Vec<(&str, usize)> = analysis.others.iter().map(|other| (other.strategy, other.guesses)).collect();
    assert_eq!(others, [("knuth", 5), ("entropy", 5), ("optimal", 5)]);
    for other in &analysis.others {
        assert!(other.solved && other.turns.len() == other.guesses);
        assert!(other.turns.iter().all(|turn| turn.after.is_exact()));
    }
    let svg = plot(&analysis);
    assert!(["this game", "knuth", "entropy", "optimal"].iter().all(|name| svg.contains(name)));
}

#[test]
fn games_that_cannot_be_are_refused() {
    let error = |turns: &[&str], secret| analysis("4x6", turns, secret).unwrap_err();
    let AnalyzeError::Contradiction(mended) = error(&["1234=0,0", "1111=2,0"], None) else { panic!() };
    assert_eq!(mended.turns, [[1, 2]]);
    assert_eq!(
        error(&["1122=1,0"], Some("1122")).to_string(),
        "turn 1: with the secret 1122, 1122 is answered 4,0, not 1,0"
    );
    assert!(matches!(error(&["1122=4,0", "1122=4,0"], None), AnalyzeError::TurnAfterWin(1)));
    let AnalyzeError::Contradiction(_) = error(&["3456=1,1", "1122=4,0"], None) else { panic!() };
}

/// Inexact numbers are marked as such, and in range.
#[test]
fn large_boards_are_judged_by_samples() {
    for (rules, turns) in [("8x12", &["AABBCCDD=1,2", "ABEFGHCI=2,1"][..]), ("20x20", &["AABBCCDDEEFFGGHHIIJJ=2,5"])] {
        let analysis = analysis(rules, turns, None).unwrap();
        for turn in &analysis.turns {
            assert!(!turn.exact);
            let luck = turn.luck.value();
            assert!(luck.is_none_or(|luck| (0.0..=100.0).contains(&luck)), "{rules}: {turn:?}");
        }
        assert!(analysis.remaining.value().is_some(), "{rules}: {:?}", analysis.remaining);
    }
    // The plot works even if the space exceeds the range of a double.
    let analysis = analysis("256x256", &[], None).unwrap();
    assert!(plot(&analysis).starts_with("<svg "));
}

/// The bound after a turn never exceeds the bound before it.
#[test]
fn bounds_do_not_widen() {
    let rules: Rules = "30x30".parse().unwrap();
    let mut rng = Rng::new(4);
    let secret = rng.code(&rules);
    let notes = Notes::from(&History::against(&rules, &secret, (0..6).map(|_| rng.code(&rules))));
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let analysis = analyze(&notes, None, &mut Search::new(1).with_limits(limits)).unwrap();
    let mut bounds = 0;
    for turn in &analysis.turns {
        if let (Uncertain::Exact(before) | Uncertain::AtMost(before), Uncertain::AtMost(after)) =
            (turn.before, turn.after)
        {
            assert!(after <= before, "{turn:?}");
            bounds += 1;
        }
    }
    assert!(bounds > 0, "nothing was bounded: {:?}", analysis.remaining);
}

/// Without a sample there is no luck and no expectation.
#[test]
fn a_grid_gets_no_absurd_verdict() {
    let rules: Rules = "grid:4x4x6".parse().unwrap();
    let [guess, secret] = ["1122334455661122", "1234561234561234"].map(|code| rules.parse_code(code).unwrap());
    let feedback = feedback(&rules, &guess, &secret);
    let turn = Turn { guess, feedback }.notation(&rules).to_string();
    let analysis = analysis("grid:4x4x6", &[&turn], None).unwrap();
    let turn = &analysis.turns[0];
    assert!(turn.before.is_exact() && turn.luck.is_unknown() && turn.expected.is_unknown(), "{turn:?}");
    assert!(!turn.advice.contains("kind"), "{turn:?}");
}

/// Forgotten parts do not prevent the analysis of the other turns.
#[test]
fn forgotten_parts_are_left_out() {
    let analysis = analysis("4x6", &["1122=1,?", "13?4=0,2", "1456=1,1"], None).unwrap();
    let [first, second, third] = &analysis.turns[..] else { panic!() };
    assert!(first.lost.is_exact() && first.luck.is_unknown() && first.after.exact() == Some(500), "{first:?}");
    assert!(second.lost.is_unknown() && second.expected.is_unknown());
    assert_eq!(second.advice, "Part of the guess is unknown.");
    assert!(third.lost.is_exact() && third.luck.is_exact(), "{third:?}");
}

/// At random positions the loss is the difference of two exact totals, and the best guess loses nothing.
/// `POSITIONS=2000 cargo test -p pegwise-coach --test coach lost` tests more positions.
#[test]
fn lost_is_the_difference_of_two_totals() {
    let positions = std::env::var("POSITIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(120);
    let rules: Rules = "4x6".parse().unwrap();
    let outlook = ExactSolver::new(&rules, Watch::default()).unwrap();
    let mut totals = outlook.position_values();
    let mut rng = Rng::new(21);
    let (mut met, mut lossy) = (0, 0);
    while met < positions {
        let secret = rng.code(&rules);
        let guesses: Vec<Code> = (0..1 + rng.index(3)).map(|_| rng.code(&rules)).collect();
        let last = rng.code(&rules);
        if guesses.contains(&secret) {
            continue;
        }
        let notes = Notes::from(&History::against(&rules, &secret, guesses.iter().chain([&last]).cloned()));
        let before =
            |code: &Code| guesses.iter().all(|guess| feedback(&rules, guess, code) == feedback(&rules, guess, &secret));
        let codes: Vec<Code> = Space::new(&rules).iter().filter(before).collect();
        let table = Table::from_codes(&rules, &codes).unwrap();
        let position = Position { codes: &table, guesses: &guesses };
        let least = totals.least(position, Watch::default()).unwrap();
        let own = totals.after(position, &last, Watch::default()).unwrap();
        let lost = (own - least) as f64 / codes.len() as f64;
        let analysis = analyze(&notes, None, &mut Search::new(1)).unwrap();
        let turn = analysis.turns.last().unwrap();
        assert_eq!(turn.lost, Uncertain::Exact(lost), "{notes:?}");
        let best = turn.best.as_ref().unwrap();
        assert_eq!(totals.after(position, &best.guess, Watch::default()), Some(least), "{notes:?}");
        met += 1;
        lossy += usize::from(lost > 0.0);
    }
    assert!(lossy > positions / 2);
}

#[test]
fn exact_numbers_are_those_of_a_naive_program() {
    for (text, positions) in [("4x6", 12), ("5x8", 3), ("3x20", 3), ("4x20", 1), ("grid:2x2x4", 9), ("grid:3x3x3", 1)] {
        let reference = Reference::new(text);
        let mut tally = ComparisonTally::default();
        for seed in 0..positions {
            reference.check_position(1 + seed as usize % 3, 1000 + seed, &mut tally);
        }
        assert!(tally.exact >= 10 * tally.positions, "{text}: {tally:?}");
    }
}
