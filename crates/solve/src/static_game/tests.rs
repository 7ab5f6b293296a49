//! Published numbers, and small games tried out in full.

use pegwise_game::{Code, Rules, Space};

use super::*;

fn found(rules: &str, nodes: u64) -> (usize, bool) {
    let rules: Rules = rules.parse().unwrap();
    let report = solve(&rules, &Options { nodes, ..Options::default() }, Watch::default()).unwrap();
    let verdict = verify(&rules, &report.guesses).unwrap();
    assert!(verdict.undecided.is_empty() && verdict.decided == verdict.codes, "{rules}: {:?}", report.guesses);
    assert!(report.at_least <= report.guesses.len());
    assert_eq!(report.minimal, report.at_least == report.guesses.len());
    (report.guesses.len(), report.minimal)
}

#[test]
fn two_pegs_take_as_many_guesses_as_goddard_proves() {
    // Goddard's ceil(2N/3 + 1) counts the guess that plays the code.
    for colors in 3..=7 {
        let guesses = (2 * colors as usize).div_ceil(3);
        assert_eq!(found(&format!("2x{colors}"), 1_000_000), (guesses, true), "2x{colors}");
    }
    for colors in 8..=12 {
        assert_eq!(found(&format!("2x{colors}"), 0).0, (2 * colors as usize).div_ceil(3), "2x{colors}");
    }
}

#[test]
fn six_guesses_decide_the_classic_game() {
    assert_eq!(found("4x6", 0).0, 6, "as many as Greenwell's");
}

/// The fewest guesses by trying every set of them.
fn brute_force(rules: &Rules) -> usize {
    let codes: Vec<Code> = Space::new(rules).iter().collect();
    (0..).find(|&size| any_set(rules, &codes, &mut Vec::new(), size)).unwrap()
}

fn any_set(rules: &Rules, codes: &[Code], chosen: &mut Vec<Code>, left: usize) -> bool {
    if left == 0 {
        return verify(rules, chosen).unwrap().undecided.is_empty();
    }
    (0..codes.len()).any(|first| {
        chosen.push(codes[first].clone());
        let found = any_set(rules, &codes[first + 1..], chosen, left - 1);
        chosen.pop();
        found
    })
}

#[test]
fn proofs_agree_with_trying_every_set() {
    for text in [
        "1x1",
        "1x4",
        "2x2",
        "2x3",
        "3x2",
        "2x4",
        "3x3:no-repeats",
        "2x4:no-repeats",
        "3x2:black-only",
        "2x3:higher-lower",
        "2x3:distance",
        "grid:2x2x2",
        "2x3:city-block",
    ] {
        let rules: Rules = text.parse().unwrap();
        assert_eq!(found(text, 1_000_000), (brute_force(&rules), true), "{text}");
    }
}

#[test]
fn the_same_seed_finds_the_same_guesses() {
    let rules: Rules = "3x6".parse().unwrap();
    let find = |seed| solve(&rules, &Options { seed, nodes: 10 }, Watch::default()).unwrap();
    assert_eq!(find(3), find(3));
}

#[test]
fn undecided_codes_are_named() {
    let rules: Rules = "2x3".parse().unwrap();
    let verdict = verify(&rules, &[rules.parse_code("12").unwrap()]).unwrap();
    let text = |code: &Code| code.notation(3).to_string();
    let groups: Vec<Vec<String>> = verdict.undecided.iter().map(|group| group.iter().map(text).collect()).collect();
    assert!(groups.contains(&["11", "13", "22", "32"].map(str::to_owned).to_vec()), "{groups:?}");
    assert_eq!(verdict.decided, 3, "12, 21 and 33");
    assert!(verify(&rules, &[Code::from_indices([0u16, 7])]).is_err());
    assert!(matches!(
        solve(&"8x8".parse().unwrap(), &Options::default(), Watch::default()),
        Err(StaticError::TooManyCodes { .. })
    ));
}

/// Two pegs are solved: the formula and the proof agree.
#[test]
fn two_pegs_take_as_many_guesses_as_goddard_says() {
    for colors in 2..=6 {
        let text = format!("2x{colors}");
        let published = goddard(&text.parse().unwrap()).unwrap();
        assert_eq!(found(&text, 1_000_000), (published.guesses, true), "{text}");
    }
}
