//! Two codes trade cells, in place. Where colors must differ, [`repair`](super::repair::repair) the codes afterwards.

use pegwise_game::Color;

use crate::rng::Rng;

/// Trades everything behind one cut. The cut leaves a cell on either side; codes of one cell stay as they are.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_solve::{Rng, evolutionary::crossover};
/// let rules: Rules = "2x6".parse().unwrap();
/// let [mut one, mut other] = ["12", "34"].map(|code| rules.parse_code(code).unwrap());
/// crossover::one_point(one.colors_mut(), other.colors_mut(), &mut Rng::new(1));
/// assert_eq!([one, other], ["14", "32"].map(|code| rules.parse_code(code).unwrap()));
/// ```
pub fn one_point(one: &mut [Color], other: &mut [Color], rng: &mut Rng) {
    if one.len() > 1 {
        let cut = 1 + rng.index(one.len() - 1);
        one[cut..].swap_with_slice(&mut other[cut..]);
    }
}

/// Trades everything between two different cuts, each with a cell on either side. Codes too short for two cuts get one.
pub fn two_point(one: &mut [Color], other: &mut [Color], rng: &mut Rng) {
    if one.len() < 3 {
        return one_point(one, other, rng);
    }
    let (from, to) = rng.two_of(one.len() - 1);
    one[from + 1..to + 1].swap_with_slice(&mut other[from + 1..to + 1]);
}

/// Trades each cell or not, as a coin falls.
pub fn uniform(one: &mut [Color], other: &mut [Color], rng: &mut Rng) {
    for (one, other) in one.iter_mut().zip(other) {
        if rng.below(2) == 1 {
            std::mem::swap(one, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Crossover = fn(&mut [Color], &mut [Color], &mut Rng);

    /// How often each set of cells is traded.
    fn traded(cross: Crossover, cells: usize, times: u32) -> Vec<u32> {
        let mut rng = Rng::new(1);
        let mut seen = vec![0; 1 << cells];
        for _ in 0..times {
            let (mut one, mut other) = (vec![Color::new(0); cells], vec![Color::new(1); cells]);
            cross(&mut one, &mut other, &mut rng);
            assert!(one.iter().zip(&other).all(|(one, other)| one != other), "a cell was lost");
            seen[one.iter().fold(0, |set, color| 2 * set + color.index())] += 1;
        }
        seen
    }

    /// These sets of cells are traded equally often, and no other.
    fn check(cross: Crossover, cells: usize, sets: &[usize]) {
        let times = 20_000;
        let expected = f64::from(times) / sets.len() as f64;
        for (set, seen) in traded(cross, cells, times).into_iter().enumerate() {
            let wanted = if sets.contains(&set) { expected } else { 0.0 };
            assert!((f64::from(seen) - wanted).abs() <= 4.5 * wanted.sqrt(), "{set:b}: {seen} instead of {wanted}");
        }
    }

    #[test]
    fn cuts_are_evenly_spread() {
        check(one_point, 1, &[0b0]);
        check(one_point, 2, &[0b01]);
        check(one_point, 4, &[0b0001, 0b0011, 0b0111]);
        check(two_point, 1, &[0b0]);
        check(two_point, 2, &[0b01]);
        check(two_point, 3, &[0b010]);
        check(two_point, 4, &[0b0100, 0b0110, 0b0010]);
        check(uniform, 3, &(0..8).collect::<Vec<_>>());
    }
}
