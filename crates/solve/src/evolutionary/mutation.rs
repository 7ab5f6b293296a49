//! One code changes, in place. Every operator leaves a code that is valid under its rules, also where colors must differ.

use pegwise_game::{Color, Rules};

use super::repair::unused;
use crate::rng::Rng;

/// Gives one cell another color. Where colors must differ it is one that the code does not show; if the code shows them all,
/// two cells trade places instead.
pub fn recolor(code: &mut [Color], rules: &Rules, rng: &mut Rng) {
    let colors = usize::from(rules.colors());
    if !rules.repeats() {
        return match colors - code.len() {
            0 => swap(code, rng),
            others => {
                let cell = rng.index(code.len());
                code[cell] = unused(code, rng.index(others));
            }
        };
    }
    if colors > 1 {
        let cell = rng.index(code.len());
        let other = rng.index(colors - 1);
        // One of the others: from the old color on, each stands for the next.
        let color = other + usize::from(other >= code[cell].index());
        code[cell] = Color::new(color as u16);
    }
}

/// Two different cells trade places: a permutation.
pub fn swap(code: &mut [Color], rng: &mut Rng) {
    if code.len() > 1 {
        let (one, other) = rng.two_of(code.len());
        code.swap(one, other);
    }
}

/// The stretch between two different cells, with both, is turned around: an inversion.
pub fn invert(code: &mut [Color], rng: &mut Rng) {
    if code.len() > 1 {
        let (from, to) = rng.two_of(code.len());
        code[from..=to].reverse();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pegwise_game::Code;
    use proptest::prelude::*;

    use super::*;
    use crate::Rng;

    fn outcomes(rules: &str, code: &str, change: impl Fn(&mut [Color], &Rules, &mut Rng)) -> BTreeMap<String, u32> {
        let rules: Rules = rules.parse().unwrap();
        let mut rng = Rng::new(1);
        let mut seen = BTreeMap::new();
        for _ in 0..12_000 {
            let mut changed = rules.parse_code(code).unwrap();
            change(changed.colors_mut(), &rules, &mut rng);
            *seen.entry(changed.notation(rules.colors()).to_string()).or_insert(0) += 1;
        }
        seen
    }

    fn are_even(seen: &BTreeMap<String, u32>, expected: &[&str]) {
        assert_eq!(seen.keys().map(String::as_str).collect::<Vec<_>>(), expected);
        let each = 12_000.0 / expected.len() as f64;
        assert!(seen.values().all(|&count| (f64::from(count) - each).abs() < 4.5 * each.sqrt()), "{seen:?}");
    }

    #[test]
    fn every_change_is_as_likely_as_the_other() {
        are_even(&outcomes("2x3", "12", recolor), &["11", "13", "22", "32"]);
        are_even(&outcomes("2x4:no-repeats", "12", recolor), &["13", "14", "32", "42"]);
        are_even(&outcomes("3x3:no-repeats", "123", recolor), &["132", "213", "321"]);
        are_even(&outcomes("2x1", "11", recolor), &["11"]);
        are_even(&outcomes("3x4", "124", |code, _, rng| swap(code, rng)), &["142", "214", "421"]);
        are_even(
            &outcomes("4x4", "1234", |code, _, rng| invert(code, rng)),
            &["1243", "1324", "1432", "2134", "3214", "4321"],
        );
    }

    proptest! {
        #[test]
        fn changed_codes_are_valid(
            rules in prop::sample::select(vec!["1x1", "1x9", "6x1", "8x12", "4x10:no-repeats", "5x5:no-repeats",
                "grid:3x3x12:no-repeats"]),
            seed: u64,
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(seed);
            let mut code: Code = rng.code(&rules);
            for _ in 0..20 {
                match rng.below(3) {
                    0 => recolor(code.colors_mut(), &rules, &mut rng),
                    1 => swap(code.colors_mut(), &mut rng),
                    _ => invert(code.colors_mut(), &mut rng),
                }
                prop_assert!(rules.check_code(&code).is_ok(), "{code:?}");
            }
        }
    }
}
