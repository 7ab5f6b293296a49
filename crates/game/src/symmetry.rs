//! Guesses that are as good as each other.
//!
//! Colors that no guess has shown yet can change names, and positions that no guess told apart can change places, without
//! changing any feedback so far. Two guesses that such a change turns into each other split the codes still possible into
//! parts of the same sizes, so one of them is enough. The one kept is the one with the lowest number, so a search that
//! prefers low numbers finds the same guess with or without symmetry.
//!
//! Finding the symmetries costs a backtracking search over the positions, once for a list of guesses; testing a code costs
//! `cells` steps for each symmetry at worst, and mostly one or two.

use crate::{code::Code, color::Color, rules::Rules};

/// A bound on the symmetries kept. With fewer than all of them, some guesses that are as good as another stay in, and none
/// is lost.
const MAX_SYMMETRIES: usize = 5040;

/// Marks a color that no guess shows.
const UNTOLD: u16 = u16::MAX;

/// Permutations of colors and of cells that may be applied to all codes of a game at once.
///
/// Two properties of a permutation matter:
///
/// - It preserves *partitions* if two codes give a guess equal feedback exactly when their images give the image of the
///   guess equal feedback. Least totals, sizes of parts and everything else that follows from how guesses split sets of
///   codes are then the same for a set and for its image.
/// - It preserves *feedback* if the image of a code gives the image of a guess the same feedback as before. Only then does a
///   permutation that maps every guess of a history to itself also map the set of consistent codes to itself.
///
/// Permutations of the cells of a row preserve partitions for every kind of feedback, but they do not preserve `per-cell`
/// feedback: it names cells, and the whites of a repeated color go to its leftmost cells. Its partitions are preserved
/// because a guess splits codes by the set of black cells and the number of whites per color, and a permutation of cells
/// maps such pairs one to one. On boards with several lines no permutation of cells is used, since feedback names the lines.
/// Permutations of colors preserve both unless the feedback compares color numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllowedSymmetries {
    /// Whether colors may be permuted.
    pub colors: bool,
    /// Whether cells may be permuted.
    pub cells: bool,
}

impl AllowedSymmetries {
    /// Returns the permutations that preserve partitions: enough for keys and values of sets of codes.
    #[must_use]
    pub fn of_partitions(rules: &Rules) -> Self {
        Self { colors: rules.feedback().terms().ignores_color_order(), cells: rules.board().is_row() }
    }

    /// Returns the permutations that also preserve feedback: required wherever a history is kept ([`Symmetry`]).
    #[must_use]
    pub fn of_feedback(rules: &Rules) -> Self {
        let partitions = Self::of_partitions(rules);
        Self { cells: partitions.cells && rules.feedback().terms().ignores_places(), ..partitions }
    }
}

/// The changes of positions and colors that leave a list of guesses as it is.
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
    /// Colors that no guess shows, ascending. They can take each other's names.
    untold: Vec<u16>,
    /// The changes of positions other than none at all, each with the change of told colors that it brings.
    moves: Vec<Move>,
    /// Whether all positions and all colors can change places.
    nothing_told: bool,
}

#[derive(Debug, Clone)]
struct Move {
    /// Where the peg at each position comes from.
    from: Vec<usize>,
    /// The new name of each told color, and `UNTOLD` for the others.
    names: Vec<u16>,
}

impl Symmetry {
    /// The symmetries of a game in which these guesses were played.
    #[must_use]
    pub fn new<'a>(rules: &Rules, guesses: impl IntoIterator<Item = &'a Code>) -> Self {
        let guesses: Vec<&Code> = guesses.into_iter().collect();
        let (cells, colors) = (rules.cells(), rules.colors());
        let allowed = AllowedSymmetries::of_feedback(rules);
        let names_matter = !allowed.colors;
        let mut told = vec![names_matter; usize::from(colors)];
        for color in guesses.iter().flat_map(|guess| guess.iter()) {
            told[color.index()] = true;
        }
        let untold = (0..colors).filter(|&color| !told[usize::from(color)]).collect();
        let nothing_told = allowed.cells && !told.contains(&true);
        let mut symmetry = Self { cells, colors, repeats: rules.repeats(), untold, moves: Vec::new(), nothing_told };
        // On a board of several lines a change of places moves marks from line to line, and marks tell lines apart.
        if allowed.cells {
            let fixed = |color: u16| if names_matter { color } else { UNTOLD };
            let mut finder = Finder {
                guesses: &guesses,
                from: Vec::with_capacity(cells),
                names: (0..colors).map(fixed).collect(),
                moves: Vec::new(),
            };
            finder.extend(cells);
            symmetry.moves = finder.moves;
        }
        symmetry
    }

    /// Whether nothing can change, so that every guess stands for itself alone.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.moves.is_empty() && self.untold.len() <= 1
    }

    /// Whether this code has the lowest number among those it is as good as.
    #[must_use]
    pub fn is_representative(&self, code: &[Color]) -> bool {
        let unmoved = |cell: usize| code[cell];
        self.names_untold_in_order(code)
            && self.moves.iter().all(|change| {
                let mut renamed = Renaming::new(&self.untold);
                for cell in 0..self.cells {
                    let image = renamed.image(&change.names, code[change.from[cell]]);
                    match image.cmp(&unmoved(cell)) {
                        std::cmp::Ordering::Less => return false,
                        std::cmp::Ordering::Greater => return true,
                        std::cmp::Ordering::Equal => {}
                    }
                }
                true
            })
    }

    /// The code with the lowest number among those this one is as good as. Where symmetries were left out for their
    /// number, or the board is large, codes that share it are still as good as each other, but not all of those do.
    #[must_use]
    pub fn lowest(&self, code: &[Color]) -> Code {
        if self.cells > LARGE {
            return Code::new(code);
        }
        let told = |color: u16| if self.untold.binary_search(&color).is_ok() { UNTOLD } else { color };
        let unmoved = Move { from: (0..self.cells).collect(), names: (0..self.colors).map(told).collect() };
        let image = |change: &Move| {
            let mut renamed = Renaming::new(&self.untold);
            let colors: Vec<Color> = change.from.iter().map(|&from| renamed.image(&change.names, code[from])).collect();
            Code::new(colors)
        };
        self.moves.iter().map(&image).fold(image(&unmoved), Ord::min)
    }

    /// UnsupportedRules colors must appear lowest first.
    fn names_untold_in_order(&self, code: &[Color]) -> bool {
        let mut next = 0;
        code.iter().all(|color| match self.untold.binary_search(&(color.index() as u16)) {
            Ok(at) if at == next => {
                next += 1;
                true
            }
            Ok(at) => at < next,
            Err(_) => true,
        })
    }

    /// One code of every class, the lowest, in ascending order. Walks only codes whose untold colors appear lowest first.
    pub fn representatives(&self) -> Box<dyn Iterator<Item = Code> + '_> {
        if self.nothing_told {
            // Before the first guess only the number of pegs of each color matters.
            let partitions = Partitions { next: Some(vec![self.cells]) };
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
        let walk = Ascending { symmetry: self, code: Vec::with_capacity(self.cells), next: Some(0) };
        Box::new(walk.filter(|code| self.is_representative(code)))
    }
}

/// Finds every change of positions that some change of colors makes up for.
struct Finder<'a> {
    guesses: &'a [&'a Code],
    from: Vec<usize>,
    names: Vec<u16>,
    moves: Vec<Move>,
}

impl Finder<'_> {
    fn extend(&mut self, cells: usize) {
        if self.moves.len() >= MAX_SYMMETRIES {
            return;
        }
        let to = self.from.len();
        if to == cells {
            let moved = self.from.iter().enumerate().any(|(to, &from)| to != from);
            if moved {
                self.moves.push(Move { from: self.from.clone(), names: self.names.clone() });
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

/// Gives a color a new name, unless it has another one or the name is another color's.
fn name(names: &mut [u16], color: Color, new: Color) -> bool {
    let new = new.index() as u16;
    let old = names[color.index()];
    if old != UNTOLD {
        return old == new;
    }
    if names.contains(&new) {
        return false;
    }
    names[color.index()] = new;
    true
}

/// On boards of more cells the lowest code of a class is not looked for: every symmetry would cost a walk over them.
const LARGE: usize = 32;

/// UnsupportedRules colors of one code that are told apart without memory of their own.
const FEW_RENAMED: usize = 32;

/// Renames untold colors in order of appearance.
struct Renaming<'a> {
    untold: &'a [u16],
    /// UnsupportedRules colors met so far; the one met first takes the lowest name.
    met: [u16; FEW_RENAMED],
    count: usize,
    /// Those met after that.
    more: Vec<u16>,
}

impl<'a> Renaming<'a> {
    fn new(untold: &'a [u16]) -> Self {
        Self { untold, met: [0; FEW_RENAMED], count: 0, more: Vec::new() }
    }

    #[inline]
    fn image(&mut self, names: &[u16], color: Color) -> Color {
        let told = names[color.index()];
        if told != UNTOLD {
            return Color::new(told);
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
        Color::new(self.untold[at])
    }

    #[cold]
    fn one_more(&mut self, color: u16) -> usize {
        let met = self.more.iter().position(|&met| met == color);
        let at = met.unwrap_or_else(|| {
            self.more.push(color);
            self.more.len() - 1
        });
        FEW_RENAMED + at
    }
}

/// Ways to write a number as a sum, largest part first, from the number itself down to all ones. In that order the lowest
/// codes with so many pegs of each color ascend.
struct Partitions {
    next: Option<Vec<usize>>,
}

impl Iterator for Partitions {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let ones = current.iter().rev().take_while(|&&part| part == 1).count();
        if let Some(last) = (current.len() - ones).checked_sub(1) {
            // The last part above one gives one away; what is free is dealt out again in parts no larger.
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

/// Walks codes in ascending order, skipping those whose untold colors do not appear lowest first.
struct Ascending<'a> {
    symmetry: &'a Symmetry,
    code: Vec<Color>,
    /// The color to try next at the cell after the last one set; `None` at the end.
    next: Option<u16>,
}

impl Ascending<'_> {
    fn may_follow(&self, color: u16) -> bool {
        let color = Color::new(color);
        if !self.symmetry.repeats && self.code.contains(&color) {
            return false;
        }
        let Ok(at) = self.symmetry.untold.binary_search(&(color.index() as u16)) else { return true };
        at == 0 || self.code.contains(&Color::new(self.symmetry.untold[at - 1]))
    }
}

impl Iterator for Ascending<'_> {
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
    use crate::{
        feedback::{FeedbackKind, feedback},
        space::Space,
    };

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

    /// The lowest code of every orbit, by trying every change of positions and colors.
    fn brute_force(rules: &Rules, guesses: &[Code]) -> BTreeSet<Code> {
        let places =
            if rules.board().is_row() { permutations(rules.cells()) } else { vec![(0..rules.cells()).collect()] };
        let names = if rules.feedback().terms().ignores_color_order() {
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
            "1x3",
            "2x4",
            "3x3",
            "3x4",
            "4x3",
            "3x4:no-repeats",
            "4x4:no-repeats",
            "3x4:black-only",
            "3x4:color-only",
            "3x3:higher-lower",
            "grid:2x2x3",
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

    /// Partition of `codes` by `guess`, as indices of codes.
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
    fn many_untold_colors_are_told_apart() {
        let rules: Rules = "40x90".parse().unwrap();
        let symmetry = Symmetry::new(&rules, &[Code::from_indices([0u16; 40])]);
        assert!(symmetry.is_representative(&Code::from_indices(1u16..41)), "the lowest of all codes without repeats");
        // The naive twin: colors renamed by a list of those met.
        let image = |change: &Move, code: &Code| {
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
            Code::from_indices(change.from.iter().map(rename).collect::<Vec<u16>>())
        };
        let mut kept = 0;
        for number in 0..60u16 {
            // From code to code a color less is new where those before it are.
            let code = Code::from_indices(
                (0..40u16).map(|cell| if cell < 40 - number / 2 { cell + 1 } else { cell * 7 % number }),
            );
            let expected = symmetry.names_untold_in_order(&code)
                && symmetry.moves.iter().all(|change| image(change, &code) >= code);
            assert_eq!(symmetry.is_representative(&code), expected, "{number}");
            kept += usize::from(expected);
        }
        assert!((2..60).contains(&kept), "{kept}");
    }

    #[test]
    fn large_boards_stay_bounded() {
        let rules: Rules = "12x12".parse().unwrap();
        let symmetry = Symmetry::new(&rules, &[]);
        assert!(symmetry.moves.len() <= MAX_SYMMETRIES);
        assert_eq!(symmetry.representatives().count(), 77, "ways to write 12 as a sum");
        let huge: Rules = "100x100".parse().unwrap();
        assert_eq!(Symmetry::new(&huge, &[]).representatives().take(5).count(), 5);
    }
}
