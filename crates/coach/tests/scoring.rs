//! Wrong scoring functions are named, and the rules of finished games are identified.

use pegwise_coach::{ScoredGuess, ScorerAnswer, ScorerCheck, check_scorer, explain_answers};
use pegwise_game::{Code, Judge, Rules};

type Scorer = fn(&[u16], &[u16]) -> Vec<i64>;

fn equal(guess: &[u16], code: &[u16]) -> i64 {
    (0..guess.len()).filter(|&cell| guess[cell] == code[cell]).count() as i64
}

fn of(colors: &[u16], color: u16) -> i64 {
    colors.iter().filter(|&&other| other == color).count() as i64
}

/// Sums `term` over all colors, with the numbers of a color in guess and code.
fn per_color(guess: &[u16], code: &[u16], term: impl Fn(i64, i64) -> i64) -> i64 {
    (0..100).map(|color| term(of(guess, color), of(code, color))).sum()
}

fn wrong_cells(guess: &[u16], code: &[u16]) -> (Vec<u16>, Vec<u16>) {
    (0..guess.len()).filter(|&cell| guess[cell] != code[cell]).map(|cell| (guess[cell], code[cell])).unzip()
}

/// Each misunderstanding, computed in another way than by the library: from the numbers of each color where possible.
const PLANTED: [(&str, Scorer); 13] = [
    ("white-per-guess-cell", |guess, code| {
        let (rest, _) = wrong_cells(guess, code);
        vec![equal(guess, code), per_color(&rest, code, |asked, hidden| if hidden > 0 { asked } else { 0 })]
    }),
    ("blacks-again", |guess, code| vec![equal(guess, code), per_color(guess, code, i64::min)]),
    ("white-per-code-cell", |guess, code| {
        let (_, rest) = wrong_cells(guess, code);
        vec![equal(guess, code), per_color(guess, &rest, |asked, hidden| if asked > 0 { hidden } else { 0 })]
    }),
    ("code-pegs-reused", |guess, code| {
        let (asked, hidden) = wrong_cells(guess, code);
        vec![equal(guess, code), per_color(&asked, &hidden, |asked, hidden| if hidden > 0 { asked } else { 0 })]
    }),
    ("white-per-pair", |guess, code| {
        let mut white = 0;
        for (cell, color) in guess.iter().enumerate() {
            for (other, hidden) in code.iter().enumerate() {
                white += i64::from(cell != other && color == hidden);
            }
        }
        vec![equal(guess, code), white]
    }),
    ("one-white-per-color", |guess, code| {
        let (asked, hidden) = wrong_cells(guess, code);
        vec![equal(guess, code), per_color(&asked, &hidden, |asked, hidden| asked.min(hidden).min(1))]
    }),
    ("colors-counted-once", |guess, code| {
        let black = equal(guess, code);
        vec![black, per_color(guess, code, |asked, hidden| asked.min(hidden).min(1)) - black]
    }),
    ("blacks-lost-to-whites", |guess, code| {
        let mut rest: Vec<i64> = code.iter().map(|&color| color.into()).collect();
        let (mut black, mut white) = (0, 0);
        for cell in 0..guess.len() {
            let color = i64::from(guess[cell]);
            if rest[cell] == color {
                rest[cell] = -1;
                black += 1;
            } else {
                for hidden in &mut rest {
                    if *hidden == color {
                        *hidden = -1;
                        white += 1;
                        break;
                    }
                }
            }
        }
        vec![black, white]
    }),
    ("whites-before-blacks", |guess, code| {
        let mut left: Vec<i64> = (0..100).map(|color| of(code, color)).collect();
        let (mut black, mut white) = (0, 0);
        for cell in 0..guess.len() {
            let left = &mut left[usize::from(guess[cell])];
            if guess[cell] == code[cell] {
                black += 1;
            } else if *left > 0 {
                white += 1;
            }
            *left -= i64::from(*left > 0);
        }
        vec![black, white]
    }),
    ("swapped", |guess, code| {
        let black = equal(guess, code);
        vec![per_color(guess, code, i64::min) - black, black]
    }),
    ("common-then-black", |guess, code| vec![per_color(guess, code, i64::min), equal(guess, code)]),
    ("black-then-missing", |guess, code| {
        vec![equal(guess, code), per_color(guess, code, |asked, hidden| asked - asked.min(hidden))]
    }),
    ("no-whites", |guess, code| vec![equal(guess, code), 0]),
];

fn colors(code: &Code) -> Vec<u16> {
    code.iter().map(|color| color.index() as u16).collect()
}

/// Scores the single line of a row.
fn answer(score: Scorer, guess: &Code, secret: &Code) -> ScorerAnswer {
    ScorerAnswer(vec![score(&colors(guess), &colors(secret))])
}

fn check(rules: &str, score: Scorer) -> ScorerCheck {
    let rules: Rules = rules.parse().unwrap();
    check_scorer(&rules, 1, 1000, |guess, secret| Ok::<_, ()>(answer(score, guess, secret))).unwrap()
}

fn names(check: &ScorerCheck) -> Vec<&str> {
    check.explanations.iter().map(|rule| rule.name).collect()
}

#[test]
fn planted_misunderstandings_are_named() {
    for rules in ["4x6", "5x8", "6x3", "12x30"] {
        for (name, score) in PLANTED {
            let check = check(rules, score);
            assert!(check.failure.is_some(), "{rules} {name}");
            assert_eq!(names(&check), [name], "{rules}");
            assert!(check.cases <= 110, "{rules} {name}: {}", check.cases);
        }
    }
}

#[test]
fn a_wrong_word_game_is_named() {
    let check = check("5x26:per-cell", |guess, code| {
        (0..5).map(|cell| if guess[cell] == code[cell] { 2 } else { of(code, guess[cell]).min(1) }).collect()
    });
    assert_eq!(names(&check), ["marks-not-limited"]);
}

/// With every kind of feedback and shape. Without repeats, some misunderstandings give only right answers.
#[test]
fn right_scorers_pass() {
    for rules in [
        "4x6", "4x10:no-repeats", "3x3:no-repeats", "4x6:black-only", "4x6:color-only", "5x8:per-cell",
        "4x6:higher-lower", "4x6:distance", "4x6:city-block", "grid:3x3x4", "triangle:3x5", "1x1",
    ] {
        let rules: Rules = rules.parse().unwrap();
        let mut judge = Judge::new(&rules);
        let check = check_scorer(&rules, 7, 300, |guess, secret| {
            ScorerAnswer::parse(&rules, &judge.feedback(guess, secret).to_string())
        });
        let check = check.unwrap();
        assert!(check.failure.is_none() && check.cases == 300, "{rules}: {check:?}");
        // On lines of three cells, no color gives two whites.
        if rules.repeats() && rules.board().is_row() && rules.cells() > 3 {
            assert_eq!(names(&check), [""; 0], "{rules}");
        }
        let hidden = names(&check).contains(&"white-per-guess-cell");
        assert_eq!(hidden, rules.to_string().contains("4x10") || rules.cells() == 1 || rules.cells() == 3, "{rules}");
    }
}

#[test]
fn an_unknown_mistake_has_no_name() {
    let check = check("4x6", |guess, code| vec![equal(guess, code), i64::from(guess[0])]);
    assert!(check.failure.is_some() && check.explanations.is_empty());
    let failed = check_scorer(&"4x6".parse().unwrap(), 1, 10, |_, _| Err("no answer"));
    assert_eq!(failed.unwrap_err(), "no answer");
}

#[test]
fn two_games_identify_the_rules() {
    let rules: Rules = "4x6".parse().unwrap();
    let games = [("3632", ["1122", "1344", "3526", "3362"]), ("5421", ["1122", "1255", "4412", "5412"])];
    let code = |text: &str| rules.parse_code(text).unwrap();
    for (name, score) in PLANTED {
        let scored = games.iter().flat_map(|(secret, guesses)| {
            guesses.iter().map(move |guess| {
                let (guess, secret) = (code(guess), code(secret));
                ScoredGuess { answer: answer(score, &guess, &secret), guess, secret }
            })
        });
        let explanations = explain_answers(&rules, &scored.collect::<Vec<_>>());
        let complete: Vec<&str> =
            explanations.iter().filter(|one| one.difference.is_none()).map(|one| one.rule.name).collect();
        assert!(complete.contains(&name), "{name}: {complete:?}");
        if name == "white-per-guess-cell" {
            assert_eq!(complete, [name]);
            let right = explanations.iter().find(|one| one.rule.name == "black-white").unwrap();
            assert!(right.explained < 8 && right.difference.is_some());
            assert!(!explanations.iter().any(|one| one.rule.name == "distance"), "marks of one number");
        }
    }
}
