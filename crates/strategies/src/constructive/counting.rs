//! Counting the colors of the code before their cells are determined.
//!
//! [`Counting`] counts one color at a time, as in chapter 4 of the thesis: the colors counted so far stay in the guess
//! and the next one fills the rest, so that the pegs beyond those already accounted for count it. The last color fills
//! the remaining cells.
//!
//! [`Pairs`] counts two colors per guess, as chapter 7 proposes. Three colors take two guesses: the first two share one
//! half and half, as in `1122`, then the third shares one with the first, which changes sides, as in `3311`. Counts
//! that the pegs leave open are determined by a guess of one color in every cell; the thesis does not define this part.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's
//! thesis, University of Florida, 2005, chapters 4 and 7, figure 7-1.

use pegwise_game::{Code, Color, Mark, Rules};

use super::ImpossibleFeedback;
use pegwise_search::{Arguments, Parameter};

/// Parameter that selects the counting method.
pub(crate) const PREPROCESSING: Parameter =
    Parameter::choice("preprocessing", &["counting", "pairs"], "counting of colors: one or two per guess");

#[derive(Debug, Clone)]
pub(crate) enum ColorCounter {
    OneByOne(Counting),
    InPairs(Pairs),
}

impl ColorCounter {
    /// Creates the counter that the parameter selects. With `to_the_end`, every color but the last is counted even if
    /// all cells are accounted for.
    pub(crate) fn new(rules: &Rules, arguments: &Arguments, to_the_end: bool) -> Self {
        match arguments.text(PREPROCESSING.name) {
            "pairs" => Self::InPairs(Pairs::new(rules)),
            _ => Self::OneByOne(Counting::new(rules, to_the_end)),
        }
    }

    /// Returns the next guess, until the colors are known.
    pub(crate) fn question(&self) -> Option<Code> {
        match self {
            Self::OneByOne(counting) => counting.question().map(descending),
            Self::InPairs(pairs) => pairs.question(),
        }
    }

    /// Updates with the feedback to the question, whose colors may have been guessed in any order.
    pub(crate) fn learn(&mut self, mark: Mark) -> Result<(), ImpossibleFeedback> {
        match self {
            Self::OneByOne(counting) => counting.learn(mark),
            Self::InPairs(pairs) => pairs.learn(mark),
        }
    }

    /// Returns true if the next question may be guessed in any order of its colors.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self, Self::OneByOne(_)) || self.question().is_none()
    }

    /// Returns the colors of the next guess, descending: those of the question, or those of the code.
    pub(crate) fn next_colors(&self) -> Code {
        self.question().unwrap_or_else(|| self.colors())
    }

    /// Updates with a turn. Returns false if it does not show the next colors, in any order, or is impossible.
    pub(crate) fn update(&mut self, guess: &[Color], mark: Mark) -> bool {
        let (mut shown, mut expected) = (guess.to_vec(), self.next_colors().to_vec());
        shown.sort_unstable();
        expected.sort_unstable();
        shown == expected && (self.question().is_none() || self.learn(mark).is_ok())
    }

    /// Returns the colors of the code, descending, once they are known.
    pub(crate) fn colors(&self) -> Code {
        descending(match self {
            Self::OneByOne(counting) => counting.colors(),
            Self::InPairs(pairs) => pairs.colors(),
        })
    }
}

fn descending(mut ascending: Vec<Color>) -> Code {
    ascending.reverse();
    Code::new(ascending)
}

fn pegs(mark: Mark) -> Result<usize, ImpossibleFeedback> {
    mark.pegs().ok_or(ImpossibleFeedback)
}

#[derive(Debug, Clone)]
pub(crate) struct Counting {
    cells: usize,
    last: Color,
    to_the_end: bool,
    /// Colors of the cells accounted for, ascending.
    known: Vec<Color>,
    next: Color,
}

impl Counting {
    fn new(rules: &Rules, to_the_end: bool) -> Self {
        let last = Color::new(rules.colors() - 1);
        Self { cells: rules.cells(), last, to_the_end, known: Vec::new(), next: Color::new(0) }
    }

    /// Returns the colors of the next guess, ascending.
    fn question(&self) -> Option<Vec<Color>> {
        let open = self.next < self.last && (self.to_the_end || self.known.len() < self.cells);
        open.then(|| self.filled_with(self.next))
    }

    fn learn(&mut self, mark: Mark) -> Result<(), ImpossibleFeedback> {
        let counted = pegs(mark)?.checked_sub(self.known.len()).ok_or(ImpossibleFeedback)?;
        self.known = self.filled_with(self.next)[..self.known.len() + counted].to_vec();
        self.next = Color::new(self.next.index() as u16 + 1);
        Ok(())
    }

    fn colors(&self) -> Vec<Color> {
        self.filled_with(self.last)
    }

    fn filled_with(&self, color: Color) -> Vec<Color> {
        let mut colors = self.known.clone();
        colors.resize(self.cells, color);
        colors
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Pairs {
    cells: usize,
    /// Groups of three colors; the last may have fewer.
    groups: Vec<Group>,
    /// Lower and upper bound of the count of each color.
    bounds: Vec<(usize, usize)>,
}

/// Up to three colors that are counted together.
#[derive(Debug, Clone)]
struct Group {
    colors: Vec<Color>,
    /// Total pegs of each guess of two halves.
    pegs: Vec<usize>,
    counts: Vec<[usize; 3]>,
}

impl Group {
    /// Returns the colors of the larger and the smaller half of a question.
    fn halves(&self, question: usize) -> (Color, Color) {
        if question == 0 { (self.colors[0], self.colors[1]) } else { (self.colors[2], self.colors[0]) }
    }

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
        if pairs.next_half().is_none() {
            pairs.bounds[0].0 = pairs.cells;
        }
        pairs
    }

    /// Returns the group and number of the next question about halves.
    fn next_half(&self) -> Option<(usize, usize)> {
        let open = self.groups.iter().enumerate().find(|(_, group)| group.pegs.len() < group.questions());
        open.map(|(number, group)| (number, group.pegs.len()))
    }

    fn uncertain_color(&self) -> Option<usize> {
        self.bounds.iter().position(|(least, most)| least < most)
    }

    pub(super) fn question(&self) -> Option<Code> {
        if let Some((group, question)) = self.next_half() {
            let (larger, smaller) = self.groups[group].halves(question);
            let mut code = vec![smaller; self.cells];
            code[..self.cells.div_ceil(2)].fill(larger);
            return Some(Code::new(code));
        }
        self.uncertain_color().map(|color| Code::new(vec![Color::new(color as u16); self.cells]))
    }

    pub(super) fn learn(&mut self, mark: Mark) -> Result<(), ImpossibleFeedback> {
        let pegs = pegs(mark)?;
        if let Some((group, _)) = self.next_half() {
            self.groups[group].pegs.push(pegs);
        } else {
            let color = self.uncertain_color().ok_or(ImpossibleFeedback)?;
            self.bounds[color] = (pegs, pegs);
        }
        if self.next_half().is_some() { Ok(()) } else { self.narrow() }
    }

    pub(super) fn colors(&self) -> Vec<Color> {
        let counts = (0..).map(Color::new).zip(&self.bounds);
        counts.flat_map(|(color, &(least, _))| std::iter::repeat_n(color, least)).collect()
    }

    /// Narrows the bounds by the pegs and the number of cells.
    fn narrow(&mut self) -> Result<(), ImpossibleFeedback> {
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
        // Possible sums of the groups before and after each group.
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
                let least = group.counts.iter().map(|counts| counts[place]).min().ok_or(ImpossibleFeedback)?;
                let most = group.counts.iter().map(|counts| counts[place]).max().ok_or(ImpossibleFeedback)?;
                self.bounds[color.index()] = (least, most);
            }
        }
        Ok(())
    }
}

/// Counts of the colors of a group that agree with the pegs of its questions.
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

/// Returns the possible sums of the groups before each group.
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
