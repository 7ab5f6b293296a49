//! Guesses lost and luck of games computed by hand, as `docs/skill-and-luck.md` defines them.

use std::time::Duration;

use pegwise_coach::{Analysis, AnalyzeError, Figure, Notes, analyze, picture};
use pegwise_game::{Code, Rules, Turn};
use pegwise_solve::{
    Limits, Rng, Search, Watch, catalog,
    tree::exact::{Options, solve},
};

fn analysis(rules: &str, turns: &[&str], secret: Option<&str>) -> Result<Analysis, AnalyzeError> {
    let rules: Rules = rules.parse().unwrap();
    let notes = Notes::parse(&rules, turns.iter().copied()).unwrap();
    let secret = secret.map(|secret| rules.parse_code(secret).unwrap());
    analyze(&notes, secret.as_ref(), &mut Search::new(1))
}

fn near(figure: Figure<f64>, expected: f64) -> bool {
    figure.known().is_some_and(|value| (value - expected).abs() < 1e-9)
}

/// The parts of 1122 are in Knuth's paper and in every one since, the least totals in those of Koyama and Lai.
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

/// One peg of three colors: every number can be seen at a glance.
#[test]
fn a_whole_game_by_hand() {
    let analysis = analysis("1x3", &["1=0,0", "1=0,0", "2=0,0", "3=1,0"], None).unwrap();
    let lost: Vec<f64> = analysis.turns.iter().map(|turn| turn.lost.known().unwrap()).collect();
    // The same guess again tells nothing, so a guess is lost.
    assert_eq!(lost, [0.0, 1.0, 0.0, 0.0]);
    let skills: Vec<f64> = analysis.turns.iter().map(|turn| turn.skill.known().unwrap()).collect();
    // Two codes take three guesses together, and five after one that tells nothing.
    assert_eq!(skills, [100.0, 60.0, 100.0, 100.0]);
    assert!(near(analysis.turns[0].expected, 4.0 / 3.0));
    assert!(near(analysis.turns[1].expected, 2.0));
    assert!(near(analysis.turns[2].expected, 0.5));
    assert!(near(analysis.turns[3].expected, 0.0));
    assert!(near(analysis.turns[0].luck, 100.0 / 3.0));
    assert!(analysis.turns[1].luck.is_unknown());
    assert!(near(analysis.turns[2].luck, 25.0));
    assert!(analysis.turns[3].luck.is_unknown());
    assert!(near(analysis.lost, 1.0) && near(analysis.skill, 90.0));
    assert!(near(analysis.luck, (100.0 / 3.0 + 25.0) / 2.0));
    assert!(analysis.solved);
    let left: Vec<Option<u128>> = analysis.turns.iter().map(|turn| turn.after.exact()).collect();
    assert_eq!(left, [Some(2), Some(2), Some(1), Some(0)]);
    assert_eq!(analysis.turns[1].advice, "The same guess as in turn 1: it could tell nothing.");
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
    assert!(near(analysis.turns[1].lost, 1.0) && near(analysis.turns[1].skill, 50.0));
    assert_eq!(analysis.turns[1].advice, "The same guess as in turn 1: it could tell nothing.");
    assert_eq!(analysis.secret.as_ref().map(|secret| secret[0].number()), Some(2));
}

/// Whoever plays the proven tree loses nothing, whatever the secret; nor does who takes the best guess that the analysis
/// names at any position.
#[test]
fn the_best_guess_loses_nothing() {
    let rules: Rules = "4x6".parse().unwrap();
    let mut rng = Rng::new(8);
    for _ in 0..6 {
        let secret = rng.code(&rules);
        let mut notes = Notes::new(rules.clone());
        let mut tree = catalog::strategy("optimal", &rules).unwrap();
        while let Ok(proposal) = tree.next_guess(&notes.history().unwrap(), &mut Search::new(1)) {
            let feedback = pegwise_game::feedback(&rules, &proposal.guess, &secret);
            notes.push(Turn { guess: proposal.guess, feedback }.into()).unwrap();
        }
        let analysis = analyze(&notes, None, &mut Search::new(1)).unwrap();
        assert_eq!(analysis.lost, Figure::Exact(0.0), "{:?}", analysis.turns);
    }
    for _ in 0..12 {
        let (secret, guesses): (Code, [Code; 2]) = (rng.code(&rules), std::array::from_fn(|_| rng.code(&rules)));
        let mut notes = Notes::new(rules.clone());
        for guess in guesses {
            let feedback = pegwise_game::feedback(&rules, &guess, &secret);
            notes.push(Turn { guess, feedback }.into()).unwrap();
        }
        let Ok(first) = analyze(&notes, None, &mut Search::new(1)) else { continue };
        let Some(best) = &first.turns[1].best else { panic!("no best guess") };
        let feedback = pegwise_game::feedback(&rules, &best.guess, &secret);
        notes.pop();
        notes.push(Turn { guess: best.guess.clone(), feedback }.into()).unwrap();
        let second = analyze(&notes, None, &mut Search::new(1)).unwrap();
        assert_eq!(second.turns[1].lost, Figure::Exact(0.0));
    }
}

/// Luck is fair: over all answers to a guess, weighted by their chances, it is 50 on average.
#[test]
fn luck_is_fair() {
    let rules: Rules = "3x4".parse().unwrap();
    let mut sum = 0.0;
    for secret in pegwise_game::Space::new(&rules).iter() {
        let guess = rules.parse_code("112").unwrap();
        let feedback = pegwise_game::feedback(&rules, &guess, &secret);
        let mut notes = Notes::new(rules.clone());
        notes.push(Turn { guess, feedback }.into()).unwrap();
        sum += analyze(&notes, None, &mut Search::new(1)).unwrap().turns[0].luck.known().unwrap_or(50.0);
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
    let svg = picture(&analysis);
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
    assert!(matches!(error(&["1122=4,0", "1122=4,0"], None), AnalyzeError::AfterTheEnd { turn: 1 }));
    let AnalyzeError::Contradiction(_) = error(&["3456=1,1", "1122=4,0"], None) else { panic!() };
}

/// A number that is not exact says so, and none is absurd.
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
    // Nothing can be said of a board this large, and that is said.
    let analysis = analysis("256x256", &[], None).unwrap();
    assert!(picture(&analysis).starts_with("<svg "));
}

/// What is left after a turn is never told to be more than what was left before it.
#[test]
fn bounds_do_not_widen() {
    let rules: Rules = "30x30".parse().unwrap();
    let mut rng = Rng::new(4);
    let secret = rng.code(&rules);
    let mut notes = Notes::new(rules.clone());
    for _ in 0..6 {
        let guess = rng.code(&rules);
        notes.push(Turn { feedback: pegwise_game::feedback(&rules, &guess, &secret), guess }.into()).unwrap();
    }
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let analysis = analyze(&notes, None, &mut Search::new(1).with_limits(limits)).unwrap();
    let mut bounds = 0;
    for turn in &analysis.turns {
        if let (Figure::Exact(before) | Figure::AtMost(before), Figure::AtMost(after)) = (turn.before, turn.after) {
            assert!(after <= before, "{turn:?}");
            bounds += 1;
        }
    }
    assert!(bounds > 0, "nothing was bounded: {:?}", analysis.remaining);
}

/// What is expected and what is left are on the same footing, or luck is not given.
#[test]
fn a_grid_gets_no_absurd_verdict() {
    let rules: Rules = "grid:4x4x6".parse().unwrap();
    let [guess, secret] = ["1122334455661122", "1234561234561234"].map(|code| rules.parse_code(code).unwrap());
    let feedback = pegwise_game::feedback(&rules, &guess, &secret);
    let turn = Turn { guess, feedback }.notation(&rules).to_string();
    let analysis = analysis("grid:4x4x6", &[&turn], None).unwrap();
    let turn = &analysis.turns[0];
    assert!(turn.before.is_exact() && turn.luck.is_unknown() && turn.expected.is_unknown(), "{turn:?}");
    assert!(!turn.advice.contains("kind"), "{turn:?}");
}

/// Forgotten parts do not keep the rest from being judged.
#[test]
fn forgotten_parts_are_left_out() {
    let analysis = analysis("4x6", &["1122=1,?", "13?4=0,2", "1456=1,1"], None).unwrap();
    let [first, second, third] = &analysis.turns[..] else { panic!() };
    assert!(first.lost.is_exact() && first.luck.is_unknown() && first.after.exact() == Some(500), "{first:?}");
    assert!(second.lost.is_unknown() && second.expected.is_unknown());
    assert_eq!(second.advice, "The guess is not remembered whole.");
    assert!(third.lost.is_exact() && third.luck.is_exact(), "{third:?}");
}
