//! Where the codes of a generation live.

use pegwise_game::{Code, Color, Rules};

use super::seen::Seen;
use crate::rng::Rng;

/// Codes in one flat list, each with its cost: how far it is from fitting the history.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_solve::evolutionary::Population;
/// let rules: Rules = "4x6".parse().unwrap();
/// let mut population = Population::new(&rules);
/// population.push(&rules.parse_code("1123").unwrap(), 7);
/// assert_eq!((population.len(), population.cost(0)), (1, 7));
/// assert_eq!(population.code(0), rules.parse_code("1123").unwrap());
/// ```
#[derive(Debug, Clone)]
pub struct Population {
    cells: usize,
    colors: Vec<Color>,
    costs: Vec<u32>,
}

impl Population {
    /// How often a code that must be new is drawn before one seen before will do: spaces can be smaller than populations.
    const DRAWS: usize = 64;

    /// Without members.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self { cells: rules.cells(), colors: Vec::new(), costs: Vec::new() }
    }

    /// How many members there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.colors.clear();
        self.costs.clear();
    }

    /// The colors of a member.
    #[inline]
    #[must_use]
    pub fn member(&self, index: usize) -> &[Color] {
        &self.colors[index * self.cells..][..self.cells]
    }

    /// A member as a code of its own.
    #[must_use]
    pub fn code(&self, index: usize) -> Code {
        Code::new(self.member(index))
    }

    /// The cost of a member.
    #[inline]
    #[must_use]
    pub fn cost(&self, index: usize) -> u32 {
        self.costs[index]
    }

    /// The costs, member by member.
    #[must_use]
    pub fn costs(&self) -> &[u32] {
        &self.costs
    }

    /// Adds a member.
    #[inline]
    pub fn push(&mut self, code: &[Color], cost: u32) {
        debug_assert_eq!(code.len(), self.cells);
        self.colors.extend_from_slice(code);
        self.costs.push(cost);
    }

    /// Puts another code in the place of a member.
    #[inline]
    pub fn replace(&mut self, index: usize, code: &[Color], cost: u32) {
        self.colors[index * self.cells..][..self.cells].copy_from_slice(code);
        self.costs[index] = cost;
    }

    /// Prices every member anew.
    pub fn reprice(&mut self, mut price: impl FnMut(&[Color]) -> u32) {
        for (code, cost) in self.colors.chunks_exact(self.cells).zip(&mut self.costs) {
            *cost = price(code);
        }
    }

    /// The first of the members with the lowest cost that pass a test.
    pub fn cheapest(&self, passes: impl Fn(&[Color]) -> bool) -> Option<usize> {
        (0..self.len()).filter(|&index| passes(self.member(index))).min_by_key(|&index| self.costs[index])
    }

    /// The members of lowest cost first, equals in the order they came in.
    #[must_use]
    pub fn by_cost(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&index| self.costs[index]);
        order
    }
}

/// Draws a code, each as likely as the other, into a place that exists already.
pub fn draw(code: &mut [Color], rules: &Rules, rng: &mut Rng) {
    if rules.repeats() {
        let colors = u64::from(rules.colors());
        code.fill_with(|| Color::new(rng.below(colors) as u16));
    } else {
        code.copy_from_slice(&rng.code(rules));
    }
}

/// Draws a code that was not seen before, and notes it as seen. In a space where new codes are hard to come by it may be one
/// seen before.
pub fn draw_new(code: &mut [Color], rules: &Rules, seen: &mut Seen, rng: &mut Rng) {
    for _ in 0..Population::DRAWS {
        draw(code, rules, rng);
        if seen.insert(code) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_kept_apart() {
        let rules: Rules = "3x4".parse().unwrap();
        let mut population = Population::new(&rules);
        for (code, cost) in [("123", 5), ("444", 2), ("321", 5), ("112", 0)] {
            population.push(&rules.parse_code(code).unwrap(), cost);
        }
        assert_eq!(population.by_cost(), [3, 1, 0, 2]);
        assert_eq!(population.cheapest(|_| true), Some(3));
        assert_eq!(population.cheapest(|code| code[0].number() > 2), Some(1));
        assert_eq!(population.cheapest(|_| false), None);
        population.reprice(|code| code[2].number());
        assert_eq!(population.costs(), [3, 4, 1, 2]);
        population.reprice(|code| if code[0] == code[1] { code[2].number() - 2 } else { 5 });
        assert_eq!(population.costs(), [5, 2, 5, 0]);
        population.replace(1, &rules.parse_code("222").unwrap(), 9);
        assert_eq!(population.code(1), rules.parse_code("222").unwrap());
        assert_eq!(population.code(2), rules.parse_code("321").unwrap());
        assert_eq!(population.costs(), [5, 9, 5, 0]);
        population.clear();
        assert!(population.is_empty());
    }

    #[test]
    fn drawn_codes_are_different_while_there_are_others() {
        for (rules, codes) in [("4x6", 200), ("3x6:no-repeats", 60), ("2x2", 4)] {
            let rules: Rules = rules.parse().unwrap();
            let (mut rng, mut seen) = (Rng::new(1), Seen::new(&rules));
            let mut drawn = std::collections::BTreeSet::new();
            let mut code = vec![Color::default(); rules.cells()];
            for _ in 0..codes {
                draw_new(&mut code, &rules, &mut seen, &mut rng);
                rules.check_code(&Code::new(&code[..])).unwrap();
                drawn.insert(code.clone());
            }
            assert_eq!(drawn.len(), codes, "{rules}");
            // Beyond the end of the space it still comes back.
            draw_new(&mut code, &rules, &mut seen, &mut rng);
        }
    }

    #[test]
    fn codes_are_evenly_drawn() {
        for rules in ["2x3", "2x4:no-repeats"] {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(4);
            let mut seen = std::collections::BTreeMap::new();
            let mut code = [Color::default(); 2];
            let codes = pegwise_game::Space::new(&rules).iter().count();
            for _ in 0..1_000 * codes {
                draw(&mut code, &rules, &mut rng);
                *seen.entry(code).or_insert(0u32) += 1;
            }
            assert_eq!(seen.len(), codes);
            assert!(seen.values().all(|count| count.abs_diff(1_000) < 145), "{seen:?}");
        }
    }
}
