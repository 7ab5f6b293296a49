//! Symmetries of games, and guesses that are equivalent under them.
//!
//! Colors that occur in no guess so far can be renamed, and cells that no guess distinguishes can be permuted, without
//! changing any feedback so far. Two guesses that such a permutation maps to each other split the consistent codes into
//! parts of the same sizes, so one of them is enough. The one with the lowest number is kept, so a search that prefers
//! low numbers finds the same guess with or without symmetry.
//!
//! The symmetries of a list of guesses are found once, by backtracking over the cells; testing a code takes at most
//! `cells` steps per symmetry, and usually one or two.

use crate::{code::Code, color::Color, rules::Rules};

/// Maximum number of symmetries that are kept. Without the others, some equivalent guesses are not recognized, and none
/// is lost.
const MAX_SYMMETRIES: usize = 5040;

/// Name of a color that occurs in no guess.
const UNSEEN: u16 = u16::MAX;

/// Permutations of colors and of cells that may be applied to all codes of a game at once.
///
/// Two properties of a permutation matter:
///
/// - It preserves *partitions* if two codes give a guess equal feedback exactly when their images give the image of the
///   guess equal feedback. Least totals, sizes of parts and everything else that follows from how guesses split sets of
///   codes are then the same for a set and for its image.
/// - It preserves *feedback* if the image of a code gives the image of a guess the same feedback as before. Only then
///   does a permutation that maps every guess of a history to itself also map the set of consistent codes to itself.
///
/// Permutations of the cells of a row preserve partitions for every kind of feedback, but they do not preserve
/// `per-cell` feedback: it names cells, and the whites of a repeated color go to its leftmost cells. Its partitions are
/// preserved because a guess splits codes by the set of black cells and the number of whites per color, and a
/// permutation of cells maps such pairs one to one. On boards with several lines no permutation of cells is used, since
/// feedback names the lines. Permutations of colors preserve both unless the feedback compares color numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllowedSymmetries {
    /// True if colors may be permuted.
    pub colors: bool,
    /// True if cells may be permuted.
    pub cells: bool,
}

impl AllowedSymmetries {
    /// Returns the permutations that preserve partitions: sufficient for keys and values of sets of codes.
    pub fn of_partitions(rules: &Rules) -> Self {
        Self { colors: rules.feedback().model().ignores_color_order(), cells: rules.board().is_row() }
    }

    /// Returns the permutations that also preserve feedback: required for histories ([`Symmetry`]).
    pub fn of_feedback(rules: &Rules) -> Self {
        let partitions = Self::of_partitions(rules);
        Self { cells: partitions.cells && rules.feedback().model().is_aggregate(), ..partitions }
    }
}

/// Permutations of cells and colors that map each of a list of guesses to itself.
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
    /// Colors that occur in no guess, ascending. They can be permuted freely.
    unseen: Vec<u16>,
    /// Permutations of cells other than the identity, each with its permutation of the seen colors.
    permutations: Vec<CellPermutation>,
    /// True if all cells and all colors can be permuted freely.
    nothing_seen: bool,
}

#[derive(Debug, Clone)]
struct CellPermutation {
    /// Source of the peg of each cell.
    from: Vec<usize>,
    /// New name of each seen color; `UNSEEN` for the others.
    names: Vec<u16>,
}

impl Symmetry {
    /// Finds the symmetries of a game in which `guesses` were played.
    pub fn new<'a>(rules: &Rules, guesses: impl IntoIterator<Item = &'a Code>) -> Self {
        let guesses: Vec<&Code> = guesses.into_iter().collect();
        let (cells, colors) = (rules.cells(), rules.colors());
        let allowed = AllowedSymmetries::of_feedback(rules);
        let names_matter = !allowed.colors;
        let mut seen = vec![names_matter; usize::from(colors)];
        for color in guesses.iter().flat_map(|guess| guess.iter()) {
            seen[color.index()] = true;
        }
        let unseen = (0..colors).filter(|&color| !seen[usize::from(color)]).collect();
        let nothing_seen = allowed.cells && !seen.contains(&true);
        let mut symmetry =
            Self { cells, colors, repeats: rules.repeats(), unseen, permutations: Vec::new(), nothing_seen };
        if allowed.cells {
            let fixed = |color: u16| if names_matter { color } else { UNSEEN };
            let mut finder = PermutationSearch {
                guesses: &guesses,
                from: Vec::with_capacity(cells),
                names: (0..colors).map(fixed).collect(),
                permutations: Vec::new(),
            };
            finder.extend(cells);
            symmetry.permutations = finder.permutations;
        }
        symmetry
    }

    /// Returns true if no two guesses are equivalent.
    pub fn is_trivial(&self) -> bool {
        self.permutations.is_empty() && self.unseen.len() <= 1
    }

    /// Returns true if no equivalent code has a lower number.
    pub fn is_representative(&self, code: &[Color]) -> bool {
        let unmoved = |cell: usize| code[cell];
        self.unseen_in_order(code)
            && self.permutations.iter().all(|permutation| {
                let mut renamed = UnseenRenaming::new(&self.unseen);
                for cell in 0..self.cells {
                    let image = renamed.image(&permutation.names, code[permutation.from[cell]]);
                    match image.cmp(&unmoved(cell)) {
                        std::cmp::Ordering::Less => return false,
                        std::cmp::Ordering::Greater => return true,
                        std::cmp::Ordering::Equal => {}
                    }
                }
                true
            })
    }

    /// Returns the equivalent code with the lowest number. If the board is large or there are more than the maximum
    /// number of symmetries, not all equivalent codes yield the same code.
    pub fn lowest(&self, code: &[Color]) -> Code {
        if self.cells > MAX_LOWEST_CELLS {
            return Code::new(code);
        }
        let seen = |color: u16| if self.unseen.binary_search(&color).is_ok() { UNSEEN } else { color };
        let unmoved = CellPermutation { from: (0..self.cells).collect(), names: (0..self.colors).map(seen).collect() };
        let image = |permutation: &CellPermutation| {
            let mut renamed = UnseenRenaming::new(&self.unseen);
            let colors: Vec<Color> =
                permutation.from.iter().map(|&from| renamed.image(&permutation.names, code[from])).collect();
            Code::new(colors)
        };
        self.permutations.iter().map(&image).fold(image(&unmoved), Ord::min)
    }

    /// Returns true if the unseen colors appear in ascending order.
    fn unseen_in_order(&self, code: &[Color]) -> bool {
        let mut next = 0;
        code.iter().all(|color| match self.unseen.binary_search(&(color.index() as u16)) {
            Ok(at) if at == next => {
                next += 1;
                true
            }
            Ok(at) => at < next,
            Err(_) => true,
        })
    }

    /// Returns the lowest code of every class, in ascending order.
    pub fn representatives(&self) -> Box<dyn Iterator<Item = Code> + '_> {
        if self.nothing_seen {
            // Before the first guess, only the number of pegs of each color matters.
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

/// Search for all permutations of cells that some permutation of colors compensates.
struct PermutationSearch<'a> {
    guesses: &'a [&'a Code],
    from: Vec<usize>,
    names: Vec<u16>,
    permutations: Vec<CellPermutation>,
}

impl PermutationSearch<'_> {
    fn extend(&mut self, cells: usize) {
        if self.permutations.len() >= MAX_SYMMETRIES {
            return;
        }
        let to = self.from.len();
        if to == cells {
            let moved = self.from.iter().enumerate().any(|(to, &from)| to != from);
            if moved {
                self.permutations.push(CellPermutation { from: self.from.clone(), names: self.names.clone() });
            }
            return;
        }
        for from in 0..cells {
            if self.from.contains(&from) {
                continue;
            }
            let named_before = self.names.clone();
            if self.guesses.iter().all(|guess| name(&mut self.names, guess[from], guess[to])) {
                self.from.push(from);
                self.extend(cells);
                self.from.pop();
            }
            self.names = named_before;
        }
    }
}

/// Assigns a new name to a color; false if it has another name, or if the name is taken.
fn name(names: &mut [u16], color: Color, new: Color) -> bool {
    let new = new.index() as u16;
    let old = names[color.index()];
    if old != UNSEEN {
        return old == new;
    }
    if names.contains(&new) {
        return false;
    }
    names[color.index()] = new;
    true
}

/// Maximum number of cells for which the lowest code of a class is computed.
const MAX_LOWEST_CELLS: usize = 32;

/// Number of unseen colors per code that need no allocation.
const INLINE_COLORS: usize = 32;

/// Renaming of unseen colors in order of appearance.
struct UnseenRenaming<'a> {
    unseen: &'a [u16],
    /// Unseen colors found so far; the first takes the lowest name.
    met: [u16; INLINE_COLORS],
    count: usize,
    /// Unseen colors beyond [`INLINE_COLORS`].
    more: Vec<u16>,
}

impl<'a> UnseenRenaming<'a> {
    fn new(unseen: &'a [u16]) -> Self {
        Self { unseen, met: [0; INLINE_COLORS], count: 0, more: Vec::new() }
    }

    #[inline]
    fn image(&mut self, names: &[u16], color: Color) -> Color {
        let seen = names[color.index()];
        if seen != UNSEEN {
            return Color::new(seen);
        }
        let color = color.index() as u16;
        let met = self.met[..self.count].iter().position(|&met| met == color);
        let at = met.unwrap_or_else(|| match self.met.get_mut(self.count) {
            Some(free) => {
                *free = color;
                self.count += 1;
                self.count - 1
            }
            None => self.one_more(color),
        });
        Color::new(self.unseen[at])
    }

    #[cold]
    fn one_more(&mut self, color: u16) -> usize {
        let met = self.more.iter().position(|&met| met == color);
        let at = met.unwrap_or_else(|| {
            self.more.push(color);
            self.more.len() - 1
        });
        INLINE_COLORS + at
    }
}

/// Partitions of an integer in descending order, largest part first. In that order, the lowest codes with these
/// numbers of pegs per color ascend.
struct IntegerPartitions {
    next: Option<Vec<usize>>,
}

impl Iterator for IntegerPartitions {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let ones = current.iter().rev().take_while(|&&part| part == 1).count();
        if let Some(last) = (current.len() - ones).checked_sub(1) {
            // Decrease the last part above one, and distribute the remainder in parts no larger than it.
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

/// Codes in ascending order whose unseen colors appear in ascending order.
struct AscendingCodes<'a> {
    symmetry: &'a Symmetry,
    code: Vec<Color>,
    /// Next color to try in the first free cell; `None` at the end.
    next: Option<u16>,
}

impl AscendingCodes<'_> {
    fn may_follow(&self, color: u16) -> bool {
        let color = Color::new(color);
        if !self.symmetry.repeats && self.code.contains(&color) {
            return false;
        }
        let Ok(at) = self.symmetry.unseen.binary_search(&(color.index() as u16)) else { return true };
        at == 0 || self.code.contains(&Color::new(self.symmetry.unseen[at - 1]))
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
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::feedback::{FeedbackKind, feedback};
    use crate::space::Space;

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

    /// Returns the lowest code of every orbit, by trying all permutations of cells and colors.
    fn brute_force(rules: &Rules, guesses: &[Code]) -> BTreeSet<Code> {
        let places =
            if rules.board().is_row() { permutations(rules.cells()) } else { vec![(0..rules.cells()).collect()] };
        let names = if rules.feedback().model().ignores_color_order() {
            permutations(rules.colors().into())
        } else {
            vec![(0..rules.colors().into()).collect()]
        };
        let apply = |places: &[usize], names: &[usize], code: &Code| {
            Code::from_indices(places.iter().map(|&from| names[code[from].index()] as u16))
        };
        let mut group = Vec::new();
        for places in &places {
            for names in &names {
                if guesses.iter().all(|guess| apply(places, names, guess) == *guess) {
                    group.push((places.clone(), names.clone()));
                }
            }
        }
        let lowest = |code: Code| group.iter().map(|(places, names)| apply(places, names, &code)).min();
        Space::new(rules).iter().filter_map(lowest).collect()
    }

    #[test]
    fn representatives_are_the_lowest_of_each_orbit() {
        for text in [
            "1x3", "2x4", "3x3", "3x4", "4x3", "3x4:no-repeats", "4x4:no-repeats", "3x4:black-only", "3x4:color-only",
            "3x3:higher-lower", "grid:2x2x3",
        ] {
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

    /// Returns the partition of `codes` by `guess`, as indices of codes.
    fn parts(rules: &Rules, guess: &Code, codes: &[Code]) -> BTreeSet<Vec<usize>> {
        let mut parts: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, code) in codes.iter().enumerate() {
            parts.entry(feedback(rules, guess, code)).or_default().push(at);
        }
        parts.into_values().collect()
    }

    #[test]
    fn allowed_symmetries_preserve_partitions_and_feedback() {
        for text in ["3x3", "3x3:black-only", "3x3:color-only", "3x3:per-cell", "3x3:higher-lower", "3x3:city-block"] {
            let rules: Rules = text.parse().unwrap();
            let codes: Vec<Code> = Space::new(&rules).iter().collect();
            let identity = vec![vec![0, 1, 2]];
            let apply = |cells: &[usize], colors: &[usize], code: &Code| {
                Code::from_indices(cells.iter().map(|&from| colors[code[from].index()] as u16))
            };
            // For permutations of cells and of colors: whether all of them preserve partitions, and feedback.
            let preserved = |cells: &[Vec<usize>], colors: &[Vec<usize>]| {
                let (mut partitions, mut marks) = (true, true);
                for (cells, colors) in cells.iter().flat_map(|cells| colors.iter().map(move |colors| (cells, colors))) {
                    let images: Vec<Code> = codes.iter().map(|code| apply(cells, colors, code)).collect();
                    for (guess, image) in codes.iter().zip(&images) {
                        partitions &= parts(&rules, guess, &codes) == parts(&rules, image, &images);
                        let same = |(code, moved): (&Code, &Code)| {
                            feedback(&rules, guess, code) == feedback(&rules, image, moved)
                        };
                        marks &= codes.iter().zip(&images).all(same);
                    }
                }
                (partitions, marks)
            };
            let by_cells = preserved(&permutations(3), &identity);
            let by_colors = preserved(&identity, &permutations(3));
            let AllowedSymmetries { colors, cells } = AllowedSymmetries::of_partitions(&rules);
            assert_eq!((by_cells.0, by_colors.0), (cells, colors), "partitions of {text}");
            let AllowedSymmetries { colors, cells } = AllowedSymmetries::of_feedback(&rules);
            assert_eq!((by_cells.1, by_colors.1), (cells, colors), "feedback of {text}");
        }
    }

    #[test]
    fn colors_with_an_order_keep_their_names() {
        let rules = Rules::classic(2, 3).unwrap().with_feedback(FeedbackKind::HigherLower).unwrap();
        let found: Vec<String> =
            Symmetry::new(&rules, &[]).representatives().map(|code| code.notation(3).to_string()).collect();
        assert_eq!(found, ["11", "12", "13", "22", "23", "33"]);
    }

    #[test]
    fn many_unseen_colors_are_distinguished() {
        let rules: Rules = "40x90".parse().unwrap();
        let symmetry = Symmetry::new(&rules, &[Code::from_indices([0u16; 40])]);
        assert!(symmetry.is_representative(&Code::from_indices(1u16..41)), "the lowest of all codes without repeats");
        // Reference implementation: colors renamed by a list.
        let image = |permutation: &CellPermutation, code: &Code| {
            let mut met = Vec::new();
            let rename = |&from: &usize| {
                let color = code[from].index() as u16;
                if color == 0 {
                    return 0;
                }
                let at = met.iter().position(|&other| other == color).unwrap_or_else(|| {
                    met.push(color);
                    met.len() - 1
                });
                1 + at as u16
            };
            Code::from_indices(permutation.from.iter().map(rename).collect::<Vec<u16>>())
        };
        let mut kept = 0;
        for number in 0..60u16 {
            // Each code has one unseen color fewer than the code before it.
            let code = Code::from_indices(
                (0..40u16).map(|cell| if cell < 40 - number / 2 { cell + 1 } else { cell * 7 % number }),
            );
            let expected = symmetry.unseen_in_order(&code)
                && symmetry.permutations.iter().all(|permutation| image(permutation, &code) >= code);
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
