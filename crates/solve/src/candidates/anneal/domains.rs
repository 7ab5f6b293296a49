//! The colors each cell may still have, as far as single marks tell.

use pegwise_game::{Code, Color, History, Rules};

use crate::rng::Rng;

/// For each cell the colors that no single mark rules out: a line without black pegs rules out what was guessed in its
/// cells, a line without any peg rules the guessed colors out on all of it, and one whose pegs are all there rules out all
/// other colors.
#[derive(Debug, Clone)]
pub(super) struct Domains {
    colors: usize,
    /// For each cell and color.
    allowed: Vec<bool>,
    /// For each cell, the colors allowed.
    lists: Vec<Vec<u16>>,
    /// Cells with a choice.
    free: Vec<u16>,
}

impl Domains {
    pub(super) fn new(history: &History) -> Self {
        let rules = history.rules();
        let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
        let mut allowed = vec![true; cells * colors];
        // An answer that may be a lie rules nothing out.
        let certain = if rules.lies() == 0 { history.turns() } else { &[] };
        for turn in certain {
            for (line, &mark) in rules.board().lines().zip(turn.feedback.marks()) {
                let (black, pegs) = (mark.black(), mark.pegs());
                if black.is_none() && pegs.is_none() {
                    continue;
                }
                let mut shown = vec![false; if pegs.is_some() { colors } else { 0 }];
                for &cell in line {
                    let color = turn.guess[cell].index();
                    if black == Some(0) {
                        allowed[cell * colors + color] = false;
                    }
                    if let Some(shown) = shown.get_mut(color) {
                        *shown = true;
                    }
                }
                let ruled_out = match pegs {
                    Some(0) => true,
                    Some(pegs) if pegs == line.len() => false,
                    _ => continue,
                };
                for &cell in line {
                    for (color, _) in shown.iter().enumerate().filter(|&(_, &shown)| shown == ruled_out) {
                        allowed[cell * colors + color] = false;
                    }
                }
            }
        }
        let list = |cell: usize| {
            let row = &allowed[cell * colors..][..colors];
            (0..).zip(row).filter(|&(_, &allowed)| allowed).map(|(color, _)| color).collect()
        };
        let lists: Vec<Vec<u16>> = (0..cells).map(list).collect();
        // Without repeats, a cell whose color is known may have to give another one away first.
        let is_free = |list: &Vec<u16>| list.len() > 1 || !rules.repeats();
        let free = (0..).zip(&lists).filter(|&(_, list)| is_free(list)).map(|(cell, _)| cell).collect();
        Self { colors, allowed, lists, free }
    }

    /// Whether a cell may have a color.
    #[inline]
    pub(super) fn allows(&self, cell: usize, color: usize) -> bool {
        self.allowed[cell * self.colors + color]
    }

    /// The colors a cell may have.
    #[inline]
    pub(super) fn of(&self, cell: usize) -> &[u16] {
        &self.lists[cell]
    }

    /// The cells with a choice.
    #[inline]
    pub(super) fn free(&self) -> &[u16] {
        &self.free
    }

    /// A code like this one, with other colors where its own are ruled out. Without repeats, which need cells to change
    /// together, it stays as it is.
    pub(super) fn admit(&self, rules: &Rules, code: &[Color], rng: &mut Rng) -> Code {
        let admitted = code.iter().enumerate().map(|(cell, &color)| match self.of(cell) {
            colors if rules.repeats() && !colors.is_empty() && !self.allows(cell, color.index()) => {
                Color::new(colors[rng.index(colors.len())])
            }
            _ => color,
        });
        Code::new(admitted.collect::<Vec<Color>>())
    }

    /// Whether some cell has no color left.
    pub(super) fn is_empty(&self) -> bool {
        self.lists.iter().any(Vec::is_empty)
    }
}
