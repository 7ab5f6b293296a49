//! Canonical forms of histories, so that equivalent positions get the same guess.
//!
//! A permutation of colors and of cells that preserves feedback ([`AllowedSymmetries::of_feedback`]) maps the candidates
//! of a history to those of its image. Neither the order of turns nor their repetition matters, unless answers may be
//! lies. The canonical form is the least image: its turns are sorted by feedback, then by guess, with colors named in
//! order of appearance. It is built turn by turn, keeping every permutation that attains the least image so far.

use pegwise_game::{Code, Color, History, Rules, Table, TableError, Turn, symmetry::AllowedSymmetries};

use crate::tree::{Node, Tree};

/// Maximum number of cells that are permuted, and of permutations kept. Beyond them, some equivalent histories have
/// different forms.
const MAX_PERMUTED_CELLS: usize = 7;
const MAX_STATES: usize = 1 << 14;
/// Placeholder for a color that is not renamed yet.
const UNNAMED: u16 = u16::MAX;

/// Permutation of cells and colors.
///
/// ```
/// use pegwise_game::{History, Rules};
/// use pegwise_search::renaming::Renaming;
/// let rules: Rules = "4x6".parse().unwrap();
/// let [one, other] = [["5566=1,0", "6511=0,2"], ["1312=0,2", "3232=1,0"]]
///     .map(|turns| Renaming::canonical(&History::parse(&rules, turns).unwrap(), None));
/// assert_eq!(one.0, other.0);
/// let code = rules.parse_code("1234").unwrap();
/// assert_eq!(one.1.undo(&one.1.apply(&code)), code);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renaming {
    /// Source of the peg of each cell.
    from: Vec<usize>,
    /// New name of each color.
    names: Vec<u16>,
}

impl Renaming {
    /// Returns the canonical form of a history, and the renaming that produces it. If `guess` is given, the renaming
    /// also makes the image of that guess the least possible one.
    pub fn canonical(history: &History, guess: Option<&Code>) -> (History, Self) {
        let rules = history.rules();
        let mut turns: Vec<&Turn> = history.turns().iter().collect();
        turns.sort_by(|one, other| (&one.feedback, &one.guess).cmp(&(&other.feedback, &other.guess)));
        if rules.lies() == 0 {
            turns.dedup();
        }
        let mut states: Vec<RenamingState> = Self::unnamed(rules)
            .into_iter()
            .map(|renaming| RenamingState { renaming, used: vec![false; turns.len()] })
            .collect();
        let mut form = History::new(rules.clone());
        for place in 0..turns.len() {
            let feedback = &turns[place].feedback;
            let guesses = turns.iter().enumerate().filter(|(_, turn)| turn.feedback == *feedback);
            let guesses: Vec<(usize, &Code)> = guesses.map(|(at, turn)| (at, &turn.guess)).collect();
            let guess = keep_least(&mut states, &guesses);
            // The image of a valid turn is valid.
            let _ = form.push(Turn { guess, feedback: feedback.clone() });
        }
        if let Some(guess) = guess {
            states.iter_mut().for_each(|state| state.used = vec![false]);
            keep_least(&mut states, &[(0, guess)]);
        }
        let mut renaming = states.swap_remove(0).renaming;
        renaming.name_the_rest();
        (form, renaming)
    }

    /// Creates the renaming that changes nothing.
    pub fn identity(rules: &Rules) -> Self {
        Self { from: (0..rules.cells()).collect(), names: (0..rules.colors()).collect() }
    }

    /// Returns the permutations of cells that preserve feedback, with unnamed colors if colors may be renamed. Above
    /// [`MAX_PERMUTED_CELLS`] cells, returns only the identity.
    fn unnamed(rules: &Rules) -> Vec<Self> {
        let allowed = AllowedSymmetries::of_feedback(rules);
        let name = |color: u16| if allowed.colors { UNNAMED } else { color };
        let names: Vec<u16> = (0..rules.colors()).map(name).collect();
        let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
        for cell in 0..rules.cells() {
            let first = if allowed.cells && rules.cells() <= MAX_PERMUTED_CELLS { 0 } else { cell };
            let insert = |order: &Vec<usize>, at: usize| [&order[..at], &[cell], &order[at..]].concat();
            // The identity comes first, so that a canonical history is not permuted.
            orders = orders.iter().flat_map(|order| (first..=cell).rev().map(|at| insert(order, at))).collect();
        }
        orders.into_iter().map(|from| Self { from, names: names.clone() }).collect()
    }

    /// Returns the image of a code, and names its unnamed colors in order of appearance.
    fn name(&mut self, code: &Code) -> Code {
        let mut named = self.names.iter().filter(|&&name| name != UNNAMED).count() as u16;
        let mut image = |&cell: &usize| {
            let name = &mut self.names[code[cell].index()];
            if *name == UNNAMED {
                *name = named;
                named += 1;
            }
            Color::new(*name)
        };
        Code::new(self.from.iter().map(&mut image).collect::<Vec<_>>())
    }

    /// Gives the colors without a name the free names in ascending order.
    fn name_the_rest(&mut self) {
        let mut free =
            (0..self.names.len() as u16).filter(|name| !self.names.contains(name)).collect::<Vec<_>>().into_iter();
        for name in self.names.iter_mut().filter(|name| **name == UNNAMED) {
            *name = free.next().unwrap_or_default();
        }
    }

    /// Returns the image of a code.
    pub fn apply(&self, code: &[Color]) -> Code {
        Code::from_indices(self.from.iter().map(|&cell| self.names[code[cell].index()]))
    }

    /// Returns the images of codes, ascending.
    pub fn apply_to_all(&self, rules: &Rules, codes: &Table) -> Result<Table, TableError> {
        let mut images: Vec<Code> = codes.codes().map(|code| self.apply(&code)).collect();
        images.sort_unstable();
        Table::from_codes(rules, &images)
    }

    /// Returns the code with this image.
    pub fn undo(&self, image: &[Color]) -> Code {
        let mut colors = vec![Color::new(0); self.names.len()];
        for (color, &name) in (0..).zip(&self.names) {
            colors[usize::from(name)] = Color::new(color);
        }
        let mut code = vec![Color::new(0); self.from.len()];
        for (&cell, color) in self.from.iter().zip(image) {
            code[cell] = colors[color.index()];
        }
        Code::new(code)
    }

    /// Extends the names so that the image of `code` is `image`; false if they cannot be.
    fn match_code(&mut self, code: &Code, image: &Code) -> bool {
        self.from.iter().zip(image.iter()).all(|(&cell, color)| {
            let (color, new) = (code[cell].index(), color.index() as u16);
            if self.names[color] == UNNAMED && !self.names.contains(&new) {
                self.names[color] = new;
            }
            self.names[color] == new
        })
    }
}

/// Partial renaming, and the turns whose images are part of the canonical form.
#[derive(Clone)]
struct RenamingState {
    renaming: Renaming,
    used: Vec<bool>,
}

/// Extends each state by each unused code of `codes`, keeps the states with the least image, and returns that image.
fn keep_least(states: &mut Vec<RenamingState>, codes: &[(usize, &Code)]) -> Code {
    let mut least: Option<Code> = None;
    let mut kept: Vec<RenamingState> = Vec::new();
    for state in states.iter() {
        for &(at, code) in codes.iter().filter(|(at, _)| !state.used[*at]) {
            let mut renaming = state.renaming.clone();
            let image = renaming.name(code);
            if least.as_ref().is_some_and(|least| image > *least) {
                continue;
            }
            if least.as_ref() != Some(&image) {
                kept.clear();
                least = Some(image);
            }
            if kept.len() < MAX_STATES {
                let mut used = state.used.clone();
                used[at] = true;
                kept.push(RenamingState { renaming, used });
            }
        }
    }
    *states = kept;
    least.unwrap_or_else(|| codes[0].1.clone())
}

impl Tree {
    /// Returns the position of a history, or of an equivalent one with the renaming that maps the history to it. The
    /// caller compares the rules.
    pub fn equivalent_position(&self, history: &History) -> Option<(&Node, Renaming)> {
        if let Ok(node) = self.position(history.turns()) {
            return Some((node, Renaming::identity(history.rules())));
        }
        let (form, canonical) = Renaming::canonical(history, None);
        let turns: Vec<&Turn> = form.turns().iter().collect();
        let starts = Renaming::unnamed(history.rules());
        let (node, mut onward) = starts.into_iter().find_map(|start| equivalent(&self.root, &turns, start))?;
        onward.name_the_rest();
        let from = onward.from.iter().map(|&cell| canonical.from[cell]).collect();
        let names = canonical.names.iter().map(|&name| onward.names[usize::from(name)]).collect();
        Some((node, Renaming { from, names }))
    }
}

/// Returns a position below `node` that `turns` lead to in some order after an extension of `renaming`.
fn equivalent<'t>(node: &'t Node, turns: &[&Turn], renaming: Renaming) -> Option<(&'t Node, Renaming)> {
    if turns.is_empty() {
        return Some((node, renaming));
    }
    turns.iter().enumerate().find_map(|(at, turn)| {
        let below = node.after(&turn.feedback)?;
        let mut renaming = renaming.clone();
        let rest = || [&turns[..at], &turns[at + 1..]].concat();
        if renaming.match_code(&turn.guess, &node.guess) { equivalent(below, &rest(), renaming) } else { None }
    })
}
