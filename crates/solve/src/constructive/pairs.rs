//! Counting colors two in a guess.
//!
//! Three colors take two guesses: the first two share one half and half, as in `1122`, then the third shares one with the
//! first, whose places change sides, as in `3311`. What the pegs leave open is decided by asking for a color in every cell,
//! one such guess for each color still in doubt: the thesis leaves this part to whoever builds it.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis,
//! University of Florida, 2005, figure 7-1.

use pegwise_game::{Code, Color, Mark, Rules};

use super::{counting::pegs, procedure::Unforeseen};

/// Counts colors two in a guess.
#[derive(Debug, Clone)]
pub(crate) struct Pairs {
    cells: usize,
    /// Groups of three colors, the last perhaps of fewer.
    groups: Vec<Group>,
    /// For each color the least and the most cells it may have.
    bounds: Vec<(usize, usize)>,
}

/// Three colors that are asked about together.
#[derive(Debug, Clone)]
struct Group {
    colors: Vec<Color>,
    /// The pegs of each question about halves.
    pegs: Vec<usize>,
    /// How often each color may be in the code.
    counts: Vec<[usize; 3]>,
}

impl Group {
    /// The colors of the halves of a question: larger half, smaller half.
    fn halves(&self, question: usize) -> (Color, Color) {
        if question == 0 { (self.colors[0], self.colors[1]) } else { (self.colors[2], self.colors[0]) }
    }

    /// Questions about halves: one less than there are colors.
    fn questions(&self) -> usize {
        self.colors.len() - 1
    }
}

impl Pairs {
    pub(super) fn new(rules: &Rules) -> Self {
        let colors: Vec<Color> = (0..rules.colors()).map(Color::new).collect();
        let group = |colors: &[Color]| Group { colors: colors.to_vec(), pegs: Vec::new(), counts: Vec::new() };
        let mut pairs = Self {
            cells: rules.cells(),
            groups: colors.chunks(3).map(group).collect(),
            bounds: vec![(0, rules.cells()); colors.len()],
        };
        if pairs.half_asked().is_none() {
            pairs.bounds[0].0 = pairs.cells;
        }
        pairs
    }

    /// The group and the question about halves that is next.
    fn half_asked(&self) -> Option<(usize, usize)> {
        let open = self.groups.iter().enumerate().find(|(_, group)| group.pegs.len() < group.questions());
        open.map(|(number, group)| (number, group.pegs.len()))
    }

    fn color_in_doubt(&self) -> Option<usize> {
        self.bounds.iter().position(|(least, most)| least < most)
    }

    pub(super) fn question(&self) -> Option<Code> {
        if let Some((group, question)) = self.half_asked() {
            let (larger, smaller) = self.groups[group].halves(question);
            let mut code = vec![smaller; self.cells];
            code[..self.cells.div_ceil(2)].fill(larger);
            return Some(Code::new(code));
        }
        self.color_in_doubt().map(|color| Code::new(vec![Color::new(color as u16); self.cells]))
    }

    pub(super) fn learn(&mut self, mark: Mark) -> Result<(), Unforeseen> {
        let pegs = pegs(mark)?;
        if let Some((group, _)) = self.half_asked() {
            self.groups[group].pegs.push(pegs);
        } else {
            let color = self.color_in_doubt().ok_or(Unforeseen)?;
            self.bounds[color] = (pegs, pegs);
        }
        if self.half_asked().is_some() { Ok(()) } else { self.narrow() }
    }

    /// The colors of the code, ascending, once there are no more questions.
    pub(super) fn colors(&self) -> Vec<Color> {
        let counts = (0..).map(Color::new).zip(&self.bounds);
        counts.flat_map(|(color, &(least, _))| std::iter::repeat_n(color, least)).collect()
    }

    /// Narrows the bounds to what the pegs and the number of cells allow.
    fn narrow(&mut self) -> Result<(), Unforeseen> {
        let cells = self.cells;
        for group in &mut self.groups {
            if group.counts.is_empty() {
                group.counts = possible_counts(group, cells);
            }
            let bounds = &self.bounds[group.colors[0].index()..];
            group
                .counts
                .retain(|counts| counts.iter().zip(bounds).all(|(n, (least, most))| (least..=most).contains(&n)));
        }
        // The sums that the groups before and after each group can have.
        let before = sums(self.groups.iter(), cells);
        let after = sums(self.groups.iter().rev(), cells);
        let groups = self.groups.len();
        for (number, group) in self.groups.iter_mut().enumerate() {
            let (before, after) = (&before[number], &after[groups - 1 - number]);
            let fits =
                |sum: usize| sum <= cells && (0..=cells - sum).any(|one| before[one] && after[cells - sum - one]);
            let fits: Vec<bool> = (0..=cells).map(fits).collect();
            group.counts.retain(|counts| fits[counts.iter().sum::<usize>()]);
            for (place, color) in group.colors.iter().enumerate() {
                let least = group.counts.iter().map(|counts| counts[place]).min().ok_or(Unforeseen)?;
                let most = group.counts.iter().map(|counts| counts[place]).max().ok_or(Unforeseen)?;
                self.bounds[color.index()] = (least, most);
            }
        }
        Ok(())
    }
}

/// How often the colors of a group may be in the code, by the pegs of its questions.
fn possible_counts(group: &Group, cells: usize) -> Vec<[usize; 3]> {
    let (larger, smaller) = (cells.div_ceil(2), cells / 2);
    let most = |place: usize| if place < group.colors.len() { cells } else { 0 };
    let agrees = |question: usize, one: usize, other: usize| {
        group.pegs.get(question).is_none_or(|&pegs| one.min(larger) + other.min(smaller) == pegs)
    };
    let mut found = Vec::new();
    for a in 0..=most(0) {
        for b in (0..=most(1).min(cells - a)).filter(|&b| agrees(0, a, b)) {
            found.extend((0..=most(2).min(cells - a - b)).filter(|&c| agrees(1, c, a)).map(|c| [a, b, c]));
        }
    }
    found
}

/// For each group, the sums that the groups before it can have.
fn sums<'a>(groups: impl Iterator<Item = &'a Group>, cells: usize) -> Vec<Vec<bool>> {
    let mut reached = vec![false; cells + 1];
    reached[0] = true;
    let mut sums = Vec::new();
    for group in groups {
        let mut next = vec![false; cells + 1];
        let mut own: Vec<usize> = group.counts.iter().map(|counts| counts.iter().sum()).collect();
        own.sort_unstable();
        own.dedup();
        for sum in own {
            for before in (0..=cells - sum).filter(|&before| reached[before]) {
                next[before + sum] = true;
            }
        }
        sums.push(std::mem::replace(&mut reached, next));
    }
    sums
}
