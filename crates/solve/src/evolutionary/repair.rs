//! Making codes valid again where colors must differ.

use pegwise_game::{Color, Rules};

use crate::rng::Rng;

/// Gives each cell that repeats an earlier one a color that the code does not show, each as likely as the other. Does
/// nothing where the rules allow repeats.
pub fn repair(code: &mut [Color], rules: &Rules, rng: &mut Rng) {
    if rules.repeats() {
        return;
    }
    let mut unseen = vec![true; rules.colors().into()];
    let repeated: Vec<usize> =
        (0..code.len()).filter(|&cell| !std::mem::replace(&mut unseen[code[cell].index()], false)).collect();
    let mut unused: Vec<Color> = (0..rules.colors()).map(Color::new).filter(|color| unseen[color.index()]).collect();
    for cell in repeated {
        code[cell] = unused.swap_remove(rng.index(unused.len()));
    }
}

/// The color number `nth`, counted from zero, of those that the code does not show.
pub(super) fn unused(code: &[Color], nth: usize) -> Color {
    let mut others = (0..=u16::MAX).map(Color::new).filter(|color| !code.contains(color));
    others.nth(nth).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Rng;
    use crate::evolutionary::crossover;

    proptest! {
        /// Children of a crossover become valid, keep the first cell of each color, and valid codes stay as they are.
        #[test]
        fn children_become_valid(
            rules in prop::sample::select(vec!["1x1:no-repeats", "4x10:no-repeats", "5x5:no-repeats", "6x9"]),
            seed: u64,
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(seed);
            let (mut one, mut other) = (rng.code(&rules), rng.code(&rules));
            let before = one.clone();
            repair(one.colors_mut(), &rules, &mut rng);
            prop_assert_eq!(&one, &before);
            crossover::uniform(one.colors_mut(), other.colors_mut(), &mut rng);
            let crossed = one.clone();
            repair(one.colors_mut(), &rules, &mut rng);
            prop_assert!(rules.check_code(&one).is_ok(), "{one:?}");
            for cell in 0..one.len() {
                prop_assert!(one[cell] == crossed[cell] || crossed[..cell].contains(&crossed[cell]));
            }
        }
    }

    #[test]
    fn missing_colors_are_equally_likely() {
        let rules: Rules = "3x5:no-repeats".parse().unwrap();
        let mut rng = Rng::new(2);
        let mut seen = [0u32; 5];
        for _ in 0..9_000 {
            let mut code = [0, 3, 0].map(Color::new);
            repair(&mut code, &rules, &mut rng);
            seen[code[2].index()] += 1;
        }
        assert_eq!([seen[0], seen[3]], [0, 0]);
        assert!([1, 2, 4].iter().all(|&color| seen[color].abs_diff(3_000) < 250), "{seen:?}");
    }
}
