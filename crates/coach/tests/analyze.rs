//! Skill and luck of games computed by hand, as `docs/skill-and-luck.md` defines them.

use pegwise_coach::{Analysis, AnalyzeError, analyze, picture};
use pegwise_game::{History, Rules};
use pegwise_solve::Search;

fn analysis(rules: &str, turns: &[&str], secret: Option<&str>) -> Result<Analysis, AnalyzeError> {
    let rules: Rules = rules.parse().unwrap();
    let history = History::parse(&rules, turns.iter().copied()).unwrap();
    let secret = secret.map(|secret| rules.parse_code(secret).unwrap());
    analyze(&history, secret.as_ref(), &mut Search::new(1))
}

fn near(value: Option<f64>, expected: f64) -> bool {
    value.is_some_and(|value| (value - expected).abs() < 1e-9)
}

/// The parts of 1122 and of 1123 are in Knuth's paper and in every one since.
#[test]
fn the_first_guess_of_the_classic_game() {
    let analysis = analysis("4x6", &["1122=1,1"], None).unwrap();
    let turn = &analysis.turns[0];
    assert_eq!((turn.before.exact(), turn.after.exact()), (Some(1296), Some(208)));
    assert!(near(turn.expected, 265_077.0 / 1296.0), "{turn:?}");
    let best = turn.best.as_ref().unwrap();
    assert_eq!(best.guess.notation(6).to_string(), "1123");
    assert!(near(best.expected, 240_107.0 / 1296.0));
    assert!(near(turn.skill, 100.0 * 240_107.0 / 265_077.0));
    assert!(near(turn.luck, 100.0 * (768.0 + 104.0) / 1296.0));
    assert!(turn.exact && turn.consistent);
    assert_eq!(analysis.remaining.exact(), Some(208));
    assert!(analysis.secret.is_none() && analysis.others.is_empty());
}

/// One peg of three colors: every number can be seen at a glance.
#[test]
fn a_whole_game_by_hand() {
    let analysis = analysis("1x3", &["1=0,0", "1=0,0", "2=0,0", "3=1,0"], None).unwrap();
    let skills: Vec<f64> = analysis.turns.iter().map(|turn| turn.skill.unwrap()).collect();
    // Two of three codes are left twice out of three times; the same guess again leaves both, where 2 leaves half of one.
    assert_eq!(skills, [100.0, 25.0, 100.0, 100.0]);
    assert!(near(analysis.turns[0].expected, 4.0 / 3.0));
    assert!(near(analysis.turns[1].expected, 2.0));
    assert!(near(analysis.turns[2].expected, 0.5));
    assert!(near(analysis.turns[3].expected, 0.0));
    assert!(near(analysis.turns[0].luck, 100.0 / 3.0));
    assert_eq!(analysis.turns[1].luck, None);
    assert!(near(analysis.turns[2].luck, 25.0));
    assert_eq!(analysis.turns[3].luck, None);
    assert!(near(analysis.skill, 81.25));
    assert!(near(analysis.luck, (100.0 / 3.0 + 25.0) / 2.0));
    assert!(analysis.solved);
    let left: Vec<Option<u128>> = analysis.turns.iter().map(|turn| turn.after.exact()).collect();
    assert_eq!(left, [Some(2), Some(2), Some(1), Some(0)]);
    assert_eq!(analysis.turns[1].advice, "The same guess as in turn 1: it could tell nothing.");
    assert_eq!(analysis.turns[3].advice, "The only code left.");
}

#[test]
fn a_guess_beside_the_only_code_left_has_no_skill() {
    let analysis = analysis("1x2", &["1=0,0", "1=0,0"], None).unwrap();
    assert_eq!(analysis.turns[1].skill, Some(0.0));
    assert_eq!(analysis.turns[1].advice, "The same guess as in turn 1: it could tell nothing.");
    assert_eq!(analysis.secret.as_ref().map(|secret| secret[0].number()), Some(2));
}

/// Luck is fair: over all answers to a guess, weighted by their chances, it is 50 on average.
#[test]
fn luck_is_fair() {
    let rules: Rules = "3x4".parse().unwrap();
    let mut sum = 0.0;
    for secret in pegwise_game::Space::new(&rules).iter() {
        let guess = rules.parse_code("112").unwrap();
        let feedback = pegwise_game::feedback(&rules, &guess, &secret);
        let mut history = History::new(rules.clone());
        history.push(pegwise_game::Turn { guess, feedback }).unwrap();
        sum += analyze(&history, None, &mut Search::new(1)).unwrap().turns[0].luck.unwrap();
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
        assert!(other.turns.iter().all(|turn| turn.after.is_some()));
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

#[test]
fn large_boards_are_judged_by_samples() {
    for (rules, turns) in [("8x12", &["AABBCCDD=1,2", "ABEFGHCI=2,1"][..]), ("20x20", &["AABBCCDDEEFFGGHHIIJJ=2,5"])] {
        let analysis = analysis(rules, turns, None).unwrap();
        for turn in &analysis.turns {
            assert!(!turn.exact);
            assert!(turn.skill.is_some_and(|skill| (0.0..=100.0).contains(&skill)), "{rules}: {turn:?}");
            assert!(turn.luck.is_some_and(|luck| (0.0..=100.0).contains(&luck)), "{rules}: {turn:?}");
        }
    }
    // Nothing can be said of a board this large, and that is said.
    let analysis = analysis("256x256", &[], None).unwrap();
    assert!(picture(&analysis).starts_with("<svg "));
}
