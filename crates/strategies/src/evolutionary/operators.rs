//! Genetic operators: crossover, mutation, repair and selection.
//!
//! Operators change codes in place. If colors must not repeat, mutations keep a code valid, and [`repair`] makes a code
//! valid after a crossover.

use pegwise_game::{Color, Rules, Turn};

use pegwise_search::Rng;

/// Swaps the cells after one random cut. Both sides of the cut have at least one cell; codes of one cell do not change.
pub(super) fn one_point_crossover(one: &mut [Color], other: &mut [Color], rng: &mut Rng) {
    if one.len() > 1 {
        let cut = 1 + rng.index(one.len() - 1);
        one[cut..].swap_with_slice(&mut other[cut..]);
    }
}

/// Swaps the cells between two different random cuts, neither of them at an end. Codes of fewer than three cells get
/// one cut.
pub(super) fn two_point_crossover(one: &mut [Color], other: &mut [Color], rng: &mut Rng) {
    if one.len() < 3 {
        return one_point_crossover(one, other, rng);
    }
    let (from, to) = rng.two_of(one.len() - 1);
    one[from + 1..to + 1].swap_with_slice(&mut other[from + 1..to + 1]);
}

/// Changes the color of one cell. If colors must not repeat, the new color is one that the code does not show; if it
/// shows all colors, two cells are swapped instead.
pub(super) fn recolor(code: &mut [Color], rules: &Rules, rng: &mut Rng) {
    let colors = usize::from(rules.colors());
    if !rules.repeats() {
        return match colors - code.len() {
            0 => swap(code, rng),
            unused => {
                let cell = rng.index(code.len());
                let nth = rng.index(unused);
                let mut unused = (0..rules.colors()).map(Color::new).filter(|color| !code.contains(color));
                code[cell] = unused.nth(nth).unwrap_or_default();
            }
        };
    }
    if colors > 1 {
        let cell = rng.index(code.len());
        let other = rng.index(colors - 1);
        // Skips the present color.
        let color = other + usize::from(other >= code[cell].index());
        code[cell] = Color::new(color as u16);
    }
}

pub(super) fn swap(code: &mut [Color], rng: &mut Rng) {
    if code.len() > 1 {
        let (one, other) = rng.two_of(code.len());
        code.swap(one, other);
    }
}

/// Reverses the cells between two different cells, inclusive.
pub(super) fn invert(code: &mut [Color], rng: &mut Rng) {
    if code.len() > 1 {
        let (from, to) = rng.two_of(code.len());
        code[from..=to].reverse();
    }
}

/// Gives each cell that repeats the color of an earlier cell a random color that the code does not show. Does nothing
/// if the rules allow repeats.
pub(super) fn repair(code: &mut [Color], rules: &Rules, rng: &mut Rng) {
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

/// Roulette wheel selection: each member is drawn with a probability proportional to its weight.
#[derive(Debug, Clone, Default)]
pub(super) struct Roulette {
    /// Cumulative weights.
    ends: Vec<u64>,
}

impl Roulette {
    /// Sets the weights, whose sum must be below 2^64.
    pub(super) fn load(&mut self, weights: impl IntoIterator<Item = u64>) {
        self.ends.clear();
        let mut end = 0;
        self.ends.extend(weights.into_iter().map(|weight| {
            end += weight;
            end
        }));
    }

    /// Draws a member; uniformly if all weights are zero.
    #[inline]
    pub(super) fn spin(&self, rng: &mut Rng) -> usize {
        match self.ends.last() {
            None | Some(0) => rng.index(self.ends.len()),
            Some(&total) => {
                let point = rng.below(total);
                self.ends.partition_point(|&end| end <= point)
            }
        }
    }
}

/// Colors that no empty feedback has ruled out: a guess without a black or white peg shows no color of the secret.
///
/// All colors if they must not repeat: codes then need the other colors to be valid.
#[derive(Debug)]
pub(super) struct AllowedColors {
    rules: Rules,
    /// The colors, ascending; never empty.
    colors: Vec<Color>,
}

impl AllowedColors {
    pub(super) fn new(rules: &Rules) -> Self {
        Self { rules: rules.clone(), colors: (0..rules.colors()).map(Color::new).collect() }
    }

    pub(super) fn follow(&mut self, turns: &[Turn]) {
        let all = (0..self.rules.colors()).map(Color::new);
        self.colors.clear();
        self.colors.extend(all.clone());
        let is_empty = |turn: &&Turn| {
            let mut marks = turn.feedback.marks().iter();
            marks.all(|mark| mark.pegs() == Some(0))
        };
        if self.rules.repeats() {
            for turn in turns.iter().filter(is_empty) {
                self.colors.retain(|color| !turn.guess.contains(color));
            }
        }
        if self.colors.is_empty() {
            // The turns contradict each other, which is detected elsewhere.
            self.colors.extend(all);
        }
    }

    /// Gives each cell of a color that is not allowed a random allowed one.
    pub(super) fn purge(&self, code: &mut [Color], rng: &mut Rng) {
        for color in code {
            if self.colors.binary_search(color).is_err() {
                *color = self.colors[rng.index(self.colors.len())];
            }
        }
    }

    /// Changes the color of one cell to another allowed color.
    pub(super) fn recolor(&self, code: &mut [Color], rng: &mut Rng) {
        if self.colors.len() == usize::from(self.rules.colors()) {
            return recolor(code, &self.rules, rng);
        }
        if self.colors.len() > 1 {
            let cell = rng.index(code.len());
            let other = self.colors[rng.index(self.colors.len() - 1)];
            // The last color replaces the present one.
            code[cell] = if other == code[cell] { self.colors[self.colors.len() - 1] } else { other };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pegwise_game::{Code, History};
    use proptest::prelude::*;

    use super::*;
    use pegwise_search::Rng;

    type Crossover = fn(&mut [Color], &mut [Color], &mut Rng);

    /// Checks that `cross` swaps exactly these sets of cells (as bits), equally often.
    fn check(cross: Crossover, cells: usize, sets: &[usize]) {
        let times = 20_000;
        let mut rng = Rng::new(1);
        let mut swapped = vec![0u32; 1 << cells];
        for _ in 0..times {
            let (mut one, mut other) = (vec![Color::new(0); cells], vec![Color::new(1); cells]);
            cross(&mut one, &mut other, &mut rng);
            assert!(one.iter().zip(&other).all(|(one, other)| one != other), "a cell was lost");
            swapped[one.iter().fold(0, |set, color| 2 * set + color.index())] += 1;
        }
        let expected = f64::from(times) / sets.len() as f64;
        for (set, count) in swapped.into_iter().enumerate() {
            let wanted = if sets.contains(&set) { expected } else { 0.0 };
            assert!((f64::from(count) - wanted).abs() <= 4.5 * wanted.sqrt(), "{set:b}: {count} instead of {wanted}");
        }
    }

    #[test]
    fn cuts_are_uniformly_distributed() {
        check(one_point_crossover, 1, &[0b0]);
        check(one_point_crossover, 2, &[0b01]);
        check(one_point_crossover, 4, &[0b0001, 0b0011, 0b0111]);
        check(two_point_crossover, 1, &[0b0]);
        check(two_point_crossover, 2, &[0b01]);
        check(two_point_crossover, 3, &[0b010]);
        check(two_point_crossover, 4, &[0b0100, 0b0110, 0b0010]);
    }

    /// Checks that a mutation has exactly these outcomes, equally often.
    fn check_mutation(rules: &str, code: &str, mutate: impl Fn(&mut [Color], &Rules, &mut Rng), expected: &[&str]) {
        let rules: Rules = rules.parse().unwrap();
        let mut rng = Rng::new(1);
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        for _ in 0..12_000 {
            let mut mutated = rules.parse_code(code).unwrap();
            mutate(mutated.colors_mut(), &rules, &mut rng);
            *seen.entry(mutated.notation(rules.colors()).to_string()).or_insert(0) += 1;
        }
        assert_eq!(seen.keys().map(String::as_str).collect::<Vec<_>>(), expected);
        let each = 12_000.0 / expected.len() as f64;
        assert!(seen.values().all(|&count| (f64::from(count) - each).abs() < 4.5 * each.sqrt()), "{seen:?}");
    }

    #[test]
    fn mutations_are_uniformly_distributed() {
        check_mutation("2x3", "12", recolor, &["11", "13", "22", "32"]);
        check_mutation("2x4:no-repeats", "12", recolor, &["13", "14", "32", "42"]);
        check_mutation("3x3:no-repeats", "123", recolor, &["132", "213", "321"]);
        check_mutation("2x1", "11", recolor, &["11"]);
        check_mutation("3x4", "124", |code, _, rng| swap(code, rng), &["142", "214", "421"]);
        let inverted = ["1243", "1324", "1432", "2134", "3214", "4321"];
        check_mutation("4x4", "1234", |code, _, rng| invert(code, rng), &inverted);
    }

    proptest! {
        #[test]
        fn mutated_codes_are_valid(
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

        /// Repaired codes are valid and keep the first cell of each color; valid codes do not change.
        #[test]
        fn repaired_codes_are_valid(
            rules in prop::sample::select(vec!["1x1:no-repeats", "4x10:no-repeats", "5x5:no-repeats", "6x9"]),
            seed: u64,
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(seed);
            let (mut one, mut other) = (rng.code(&rules), rng.code(&rules));
            let before = one.clone();
            repair(one.colors_mut(), &rules, &mut rng);
            prop_assert_eq!(&one, &before);
            two_point_crossover(one.colors_mut(), other.colors_mut(), &mut rng);
            let crossed = one.clone();
            repair(one.colors_mut(), &rules, &mut rng);
            prop_assert!(rules.check_code(&one).is_ok(), "{one:?}");
            for cell in 0..one.len() {
                prop_assert!(one[cell] == crossed[cell] || crossed[..cell].contains(&crossed[cell]));
            }
        }
    }

    #[test]
    fn repairs_are_uniformly_distributed() {
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

    #[test]
    fn roulette_selects_by_weight() {
        let mut rng = Rng::new(1);
        let mut wheel = Roulette::default();
        for (weights, expected) in [
            ([1, 0, 3, 6], [1_000.0, 0.0, 3_000.0, 6_000.0]),
            ([0; 4], [2_500.0; 4]),
            ([7, 0, 0, 0], [1e4, 0.0, 0.0, 0.0]),
        ] {
            wheel.load(weights);
            let mut seen = [0u32; 4];
            for _ in 0..10_000 {
                seen[wheel.spin(&mut rng)] += 1;
            }
            for (seen, expected) in seen.into_iter().zip::<[f64; 4]>(expected) {
                assert!((f64::from(seen) - expected).abs() <= 4.5 * expected.sqrt(), "{seen} instead of {expected}");
            }
        }
    }

    #[test]
    fn empty_feedback_rules_colors_out() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["1122=0,0", "3456=2,2", "1115=0,0"]).unwrap();
        let mut allowed = AllowedColors::new(&rules);
        allowed.follow(history.turns());
        assert_eq!(allowed.colors, [2, 3, 5].map(Color::new));
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let mut code = rng.code(&rules);
            allowed.purge(code.colors_mut(), &mut rng);
            let before = code.clone();
            allowed.recolor(code.colors_mut(), &mut rng);
            assert!(code.iter().all(|color| allowed.colors.contains(color)));
            assert_eq!(code.iter().zip(&before[..]).filter(|(one, other)| one != other).count(), 1);
        }
        allowed.follow(&[]);
        assert_eq!(allowed.colors.len(), 6);
    }

    #[test]
    fn other_feedback_rules_no_colors_out() {
        for (rules, turn) in [("4x6:black-only", "1122=0"), ("3x6:no-repeats", "123=0,0"), ("2x2:distance", "11=0")] {
            let rules: Rules = rules.parse().unwrap();
            let history = History::parse(&rules, [turn]).unwrap();
            let mut allowed = AllowedColors::new(&rules);
            allowed.follow(history.turns());
            assert_eq!(allowed.colors.len(), usize::from(rules.colors()), "{rules}");
        }
    }
}
