//! Equivalent guesses.
//!
//! The symmetries of a position are the permutations of cells and colors that map every guess played so far to itself; they
//! do not change any feedback. Two guesses that a symmetry maps to each other split the remaining codes into parts of the same
//! sizes, so only one of them has to be examined. The representative of a class is its lexicographically lowest code, so a
//! search that breaks ties by code finds the same guess with and without symmetry.
//!
//! Finding the symmetries takes a backtracking search over the cells, once for a list of guesses. Testing a code takes up to
//! `cells` steps for each symmetry, typically one or two.

use crate::{code::Code, color::Color, rules::Rules};

/// Maximum number of symmetries stored. If there are more, some equivalent guesses are not recognized, but none is lost.
const MAX_SYMMETRIES: usize = 5040;

/// Image of a color that no guess contains.
const UNUSED: u16 = u16::MAX;

/// The permutations of cells and colors that map every guess of a list to itself.
///
/// ```
/// use pegwise_game::{Rules, symmetry::Symmetry};
/// let rules: Rules = "4x6".parse().unwrap();
/// let first: Vec<String> =
///     Symmetry::new(&rules, &[]).representatives().map(|code| code.notation(6).to_string()).collect();
/// assert_eq!(first, ["1111", "1112", "1122", "1123", "1234"]);
/// ```
#[derive(Debug, Clone)]
pub struct Symmetry {
    cells: usize,
    colors: u16,
    repeats: bool,
    /// Colors that no guess contains, ascending. They are interchangeable.
    unused: Vec<u16>,
    /// Permutations of the cells except the identity, each with the permutation of the used colors that it implies.
    permutations: Vec<Permutation>,
    /// True if all cells and all colors are interchangeable.
    is_full: bool,
}

#[derive(Debug, Clone)]
struct Permutation {
    /// Source cell of each cell.
    from: Vec<usize>,
    /// Image of each used color, and `UNUSED` for the others.
    colors: Vec<u16>,
}

impl Symmetry {
    /// Finds the symmetries of a position after some guesses.
    #[must_use]
    pub fn new<'a>(rules: &Rules, guesses: impl IntoIterator<Item = &'a Code>) -> Self {
        let guesses: Vec<&Code> = guesses.into_iter().collect();
        let (cells, colors) = (rules.cells(), rules.colors());
        let model = rules.feedback().model();
        let colors_fixed = !model.ignores_color_order();
        let mut used = vec![colors_fixed; usize::from(colors)];
        for color in guesses.iter().flat_map(|guess| guess.iter()) {
            used[color.index()] = true;
        }
        let unused = (0..colors).filter(|&color| !used[usize::from(color)]).collect();
        let cells_permute = rules.board().is_row() && model.is_aggregate();
        let is_full = cells_permute && !used.contains(&true);
        let mut symmetry = Self { cells, colors, repeats: rules.repeats(), unused, permutations: Vec::new(), is_full };
        // On a board of several lines a permutation of cells would also permute the marks.
        if cells_permute {
            let fixed = |color: u16| if colors_fixed { color } else { UNUSED };
            let mut finder = SymmetryFinder {
                guesses: &guesses,
                from: Vec::with_capacity(cells),
                colors: (0..colors).map(fixed).collect(),
                permutations: Vec::new(),
            };
            finder.extend(cells);
            symmetry.permutations = finder.permutations;
        }
        symmetry
    }

    /// Returns true if every code is its own representative.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.permutations.is_empty() && self.unused.len() <= 1
    }

    /// Returns true if the code is the lowest of its class.
    #[must_use]
    pub fn is_representative(&self, code: &[Color]) -> bool {
        self.has_unused_in_order(code)
            && self.permutations.iter().all(|permutation| {
                let mut renamed = Renaming::new(&self.unused);
                for cell in 0..self.cells {
                    let image = renamed.image(&permutation.colors, code[permutation.from[cell]]);
                    match image.cmp(&code[cell]) {
                        std::cmp::Ordering::Less => return false,
                        std::cmp::Ordering::Greater => return true,
                        std::cmp::Ordering::Equal => {}
                    }
                }
                true
            })
    }

    /// Returns the lowest code of the class. If there are too many symmetries or the board is large, codes of one class may
    /// have different results, but codes with equal results are always equivalent.
    #[must_use]
    pub fn lowest(&self, code: &[Color]) -> Code {
        if self.cells > MAX_LOWEST_CELLS {
            return Code::new(code);
        }
        let image_of = |color: u16| if self.unused.binary_search(&color).is_ok() { UNUSED } else { color };
        let identity =
            Permutation { from: (0..self.cells).collect(), colors: (0..self.colors).map(image_of).collect() };
        let image = |permutation: &Permutation| {
            let mut renamed = Renaming::new(&self.unused);
            let colors: Vec<Color> =
                permutation.from.iter().map(|&from| renamed.image(&permutation.colors, code[from])).collect();
            Code::new(colors)
        };
        self.permutations.iter().map(&image).fold(image(&identity), Ord::min)
    }

    /// Returns true if the unused colors appear in ascending order.
    fn has_unused_in_order(&self, code: &[Color]) -> bool {
        let mut next = 0;
        code.iter().all(|color| match self.unused.binary_search(&(color.index() as u16)) {
            Ok(at) if at == next => {
                next += 1;
                true
            }
            Ok(at) => at < next,
            Err(_) => true,
        })
    }

    /// Iterates in ascending order over the lowest code of every class. Only codes whose unused colors appear in ascending order
    /// are visited.
    pub fn representatives(&self) -> Box<dyn Iterator<Item = Code> + '_> {
        if self.is_full {
            // Only the multiset of color counts matters: one code for each integer partition of the cells.
            let partitions = IntegerPartitions { next: Some(vec![self.cells]) };
            let fits = |counts: &Vec<usize>| {
                counts.len() <= usize::from(self.colors) && (self.repeats || counts.len() == self.cells)
            };
            let code = |counts: Vec<usize>| {
                Code::from_indices(
                    (0..).zip(counts).flat_map(|(color, times)| std::iter::repeat_n(color as u16, times)),
                )
            };
            return Box::new(partitions.filter(fits).map(code));
        }
        let walk = AscendingCodes { symmetry: self, code: Vec::with_capacity(self.cells), next: Some(0) };
        Box::new(walk.filter(|code| self.is_representative(code)))
    }
}

/// Backtracking search for the symmetries.
struct SymmetryFinder<'a> {
    guesses: &'a [&'a Code],
    from: Vec<usize>,
    colors: Vec<u16>,
    permutations: Vec<Permutation>,
}

impl SymmetryFinder<'_> {
    fn extend(&mut self, cells: usize) {
        if self.permutations.len() >= MAX_SYMMETRIES {
            return;
        }
        let to = self.from.len();
        if to == cells {
            let moved = self.from.iter().enumerate().any(|(to, &from)| to != from);
            if moved {
                self.permutations.push(Permutation { from: self.from.clone(), colors: self.colors.clone() });
            }
            return;
        }
        for from in 0..cells {
            if self.from.contains(&from) {
                continue;
            }
            let colors_before = self.colors.clone();
            if self.guesses.iter().all(|guess| map_color(&mut self.colors, guess[from], guess[to])) {
                self.from.push(from);
                self.extend(cells);
                self.from.pop();
            }
            self.colors = colors_before;
        }
    }
}

/// Sets the image of a color; returns false if it has another image, or another color has this one.
fn map_color(colors: &mut [u16], color: Color, new: Color) -> bool {
    let new = new.index() as u16;
    let old = colors[color.index()];
    if old != UNUSED {
        return old == new;
    }
    if colors.contains(&new) {
        return false;
    }
    colors[color.index()] = new;
    true
}

/// Maximum number of cells for which [`Symmetry::lowest`] searches for the lowest code.
const MAX_LOWEST_CELLS: usize = 32;

/// Number of unused colors of a code that are renamed without an allocation.
const INLINE_RENAMED: usize = 32;

/// Renames unused colors in order of appearance.
struct Renaming<'a> {
    unused: &'a [u16],
    /// Unused colors seen so far; the first is mapped to the lowest.
    seen: [u16; INLINE_RENAMED],
    count: usize,
    /// Colors seen after the first [`INLINE_RENAMED`].
    more: Vec<u16>,
}

impl<'a> Renaming<'a> {
    fn new(unused: &'a [u16]) -> Self {
        Self { unused, seen: [0; INLINE_RENAMED], count: 0, more: Vec::new() }
    }

    #[inline]
    fn image(&mut self, colors: &[u16], color: Color) -> Color {
        let image = colors[color.index()];
        if image != UNUSED {
            return Color::new(image);
        }
        let color = color.index() as u16;
        let seen = self.seen[..self.count].iter().position(|&seen| seen == color);
        let at = seen.unwrap_or_else(|| match self.seen.get_mut(self.count) {
            Some(free) => {
                *free = color;
                self.count += 1;
                self.count - 1
            }
            None => self.one_more(color),
        });
        Color::new(self.unused[at])
    }

    #[cold]
    fn one_more(&mut self, color: u16) -> usize {
        let seen = self.more.iter().position(|&seen| seen == color);
        let at = seen.unwrap_or_else(|| {
            self.more.push(color);
            self.more.len() - 1
        });
        INLINE_RENAMED + at
    }
}

/// Integer partitions in reverse lexicographic order, parts descending: from the number itself down to all ones. In this order
/// the lowest codes with these color counts ascend.
struct IntegerPartitions {
    next: Option<Vec<usize>>,
}

impl Iterator for IntegerPartitions {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let ones = current.iter().rev().take_while(|&&part| part == 1).count();
        if let Some(last) = (current.len() - ones).checked_sub(1) {
            // The last part above one is decremented, and the rest is redistributed in parts no larger.
            let part = current[last] - 1;
            let mut next = current[..last].to_vec();
            let mut free = ones + 1 + part;
            while free > 0 {
                next.push(part.min(free));
                free -= part.min(free);
            }
            self.next = Some(next);
        }
        Some(current)
    }
}

/// Iterates in ascending order over the codes whose unused colors appear in ascending order.
struct AscendingCodes<'a> {
    symmetry: &'a Symmetry,
    code: Vec<Color>,
    /// Next color to try in the first empty cell; `None` at the end.
    next: Option<u16>,
}

impl AscendingCodes<'_> {
    fn may_follow(&self, color: u16) -> bool {
        let color = Color::new(color);
        if !self.symmetry.repeats && self.code.contains(&color) {
            return false;
        }
        let Ok(at) = self.symmetry.unused.binary_search(&(color.index() as u16)) else { return true };
        at == 0 || self.code.contains(&Color::new(self.symmetry.unused[at - 1]))
    }
}

impl Iterator for AscendingCodes<'_> {
    type Item = Code;

    fn next(&mut self) -> Option<Code> {
        let Symmetry { cells, colors, .. } = *self.symmetry;
        let mut color = self.next?;
        loop {
            match (color..colors).find(|&color| self.may_follow(color)) {
                Some(fitting) => {
                    self.code.push(Color::new(fitting));
                    color = 0;
                    if self.code.len() == cells {
                        break;
                    }
                }
                None => match self.code.pop() {
                    Some(last) => color = last.index() as u16 + 1,
                    None => {
                        self.next = None;
                        return None;
                    }
                },
            }
        }
        let code = Code::new(self.code.clone());
        self.next = self.code.pop().map(|last| last.index() as u16 + 1);
        Some(code)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{feedback::FeedbackKind, space::Space};

    fn permutations(items: usize) -> Vec<Vec<usize>> {
        if items == 0 {
            return vec![vec![]];
        }
        let insert = |shorter: Vec<usize>| {
            (0..items).map(move |at| {
                let mut longer = shorter.clone();
                longer.insert(at, items - 1);
                longer
            })
        };
        permutations(items - 1).into_iter().flat_map(insert).collect()
    }

    /// Returns the lowest code of every orbit by trying all permutations of cells and colors.
    fn brute_force(rules: &Rules, guesses: &[Code]) -> BTreeSet<Code> {
        let cells =
            if rules.board().is_row() { permutations(rules.cells()) } else { vec![(0..rules.cells()).collect()] };
        let colors = if rules.feedback().model().ignores_color_order() {
            permutations(rules.colors().into())
        } else {
            vec![(0..rules.colors().into()).collect()]
        };
        let apply = |cells: &[usize], colors: &[usize], code: &Code| {
            Code::from_indices(cells.iter().map(|&from| colors[code[from].index()] as u16))
        };
        let mut group = Vec::new();
        for cells in &cells {
            for colors in &colors {
                if guesses.iter().all(|guess| apply(cells, colors, guess) == *guess) {
                    group.push((cells.clone(), colors.clone()));
                }
            }
        }
        let lowest = |code: Code| group.iter().map(|(cells, colors)| apply(cells, colors, &code)).min();
        Space::new(rules).iter().filter_map(lowest).collect()
    }

    #[test]
    fn representatives_are_the_lowest_of_each_orbit() {
        let texts = "1x3 2x4 3x3 3x4 4x3 3x4:no-repeats 4x4:no-repeats 3x4:black-only 3x4:color-only 3x3:higher-lower grid:2x2x3";
        for text in texts.split(' ') {
            let rules: Rules = text.parse().unwrap();
            let codes: Vec<Code> = Space::new(&rules).iter().collect();
            let mut histories = vec![vec![]];
            histories.extend(codes.iter().map(|guess| vec![guess.clone()]));
            let pairs = codes
                .iter()
                .step_by(5)
                .flat_map(|one| codes.iter().step_by(7).map(|two| vec![one.clone(), two.clone()]));
            histories.extend(pairs);
            for guesses in histories {
                let symmetry = Symmetry::new(&rules, &guesses);
                let found: Vec<Code> = symmetry.representatives().collect();
                assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "ascending");
                let expected = brute_force(&rules, &guesses);
                assert!(found.iter().eq(&expected), "{text} after {guesses:?}: {} of {}", found.len(), expected.len());
                assert!(!symmetry.is_trivial() || expected.len() == codes.len(), "{text}");
                assert!(codes.iter().map(|code| symmetry.lowest(code)).collect::<BTreeSet<_>>() == expected, "{text}");
            }
        }
    }

    #[test]
    fn ordered_colors_are_not_permuted() {
        let rules = Rules::classic(2, 3).unwrap().with_feedback(FeedbackKind::HigherLower).unwrap();
        let found: Vec<String> =
            Symmetry::new(&rules, &[]).representatives().map(|code| code.notation(3).to_string()).collect();
        assert_eq!(found, ["11", "12", "13", "22", "23", "33"]);
    }

    #[test]
    fn many_unused_colors_are_renamed() {
        let rules: Rules = "40x90".parse().unwrap();
        let symmetry = Symmetry::new(&rules, &[Code::from_indices([0u16; 40])]);
        assert!(symmetry.is_representative(&Code::from_indices(1u16..41)), "the lowest code without repeats");
        // Reference implementation: colors renamed by a list of those seen.
        let image = |change: &Permutation, code: &Code| {
            let mut seen = Vec::new();
            let rename = |&from: &usize| {
                let color = code[from].index() as u16;
                if color == 0 {
                    return 0;
                }
                let at = seen.iter().position(|&other| other == color).unwrap_or_else(|| {
                    seen.push(color);
                    seen.len() - 1
                });
                1 + at as u16
            };
            Code::from_indices(change.from.iter().map(rename).collect::<Vec<u16>>())
        };
        let mut kept = 0;
        for number in 0..60u16 {
            // Later codes have fewer distinct colors.
            let code = Code::from_indices(
                (0..40u16).map(|cell| if cell < 40 - number / 2 { cell + 1 } else { cell * 7 % number }),
            );
            let expected = symmetry.has_unused_in_order(&code)
                && symmetry.permutations.iter().all(|change| image(change, &code) >= code);
            assert_eq!(symmetry.is_representative(&code), expected, "{number}");
            kept += usize::from(expected);
        }
        assert!((2..60).contains(&kept), "{kept}");
    }

    #[test]
    fn large_boards_stay_bounded() {
        let rules: Rules = "12x12".parse().unwrap();
        let symmetry = Symmetry::new(&rules, &[]);
        assert!(symmetry.permutations.len() <= MAX_SYMMETRIES);
        assert_eq!(symmetry.representatives().count(), 77, "ways to write 12 as a sum");
        let huge: Rules = "100x100".parse().unwrap();
        assert_eq!(Symmetry::new(&huge, &[]).representatives().take(5).count(), 5);
    }
}
