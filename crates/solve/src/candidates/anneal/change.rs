//! What a move does to a line, and to how much its turns are off.

use pegwise_game::CellTerm;

use super::{
    field::cell_gain,
    number::{Gaps, Lanes, Number},
};

/// What a move does to a line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change {
    /// One of its cells gets another color.
    Color { cell: usize, from: usize, to: usize },
    /// Two of its cells exchange their colors.
    Exchange { one: usize, other: usize, first: usize, second: usize },
}

impl Change {
    /// Whether only the first number of a mark can change: a line shows the same colors after an exchange.
    #[inline(always)]
    pub(super) fn spares_second(self, term: CellTerm) -> bool {
        matches!(self, Self::Exchange { .. }) && term != CellTerm::Ordered
    }
}

/// Takes off what a cell that changed its color adds to the turns that others are compared with.
#[inline(always)]
pub(super) fn compare<N: Number, const L: usize>(
    gaps: &mut Gaps<N, L>,
    before: Option<&[Lanes<N, L>]>,
    block: usize,
    old: usize,
    new: usize,
) {
    let Some(before) = before else { return };
    let (old, new) = (N::of(old as i64), N::of(new as i64));
    for turn in 0..L {
        let color = before[block][turn];
        gaps[0][turn] = gaps[0][turn] + N::from_flag(color == old) - N::from_flag(color == new);
    }
}

/// The gaps after a cell has changed its color, for kinds of feedback to which each cell adds on its own.
#[inline(always)]
pub(super) fn recolor<N: Number, const L: usize>(
    term: CellTerm,
    gaps: &Gaps<N, L>,
    guessed: &Lanes<N, L>,
    old: N,
    new: N,
) -> Gaps<N, L> {
    // Named one by one, so that the term is known where the loop is.
    match term {
        CellTerm::Equal => regain(CellTerm::Equal, gaps, guessed, old, new),
        CellTerm::Ordered => regain(CellTerm::Ordered, gaps, guessed, old, new),
        CellTerm::Distance => regain(CellTerm::Distance, gaps, guessed, old, new),
        CellTerm::SquaredDistance => regain(CellTerm::SquaredDistance, gaps, guessed, old, new),
        term => regain(term, gaps, guessed, old, new),
    }
}

#[inline(always)]
fn regain<N: Number, const L: usize>(
    term: CellTerm,
    gaps: &Gaps<N, L>,
    guessed: &Lanes<N, L>,
    old: N,
    new: N,
) -> Gaps<N, L> {
    let mut after = *gaps;
    for turn in 0..L {
        let (before, now) = (cell_gain(term, guessed[turn], old), cell_gain(term, guessed[turn], new));
        after[0][turn] = after[0][turn] + now[0] - before[0];
        if term == CellTerm::Ordered {
            after[1][turn] = after[1][turn] + now[1] - before[1];
        }
    }
    after
}

/// The same for black and white pegs, to which the colors of the whole line add.
#[inline(always)]
pub(super) fn recolor_pegs<N: Number, const L: usize>(
    term: CellTerm,
    gaps: &Gaps<N, L>,
    guessed: &Lanes<N, L>,
    [old, new]: [N; 2],
    [shown_old, shown_new]: [&Lanes<N, L>; 2],
    [held_old, held_new]: [N; 2],
) -> Gaps<N, L> {
    let mut after = *gaps;
    for (turn, &guess) in guessed.iter().enumerate() {
        let (before, now) = (cell_gain(term, guess, old), cell_gain(term, guess, new));
        after[0][turn] = after[0][turn] + now[0] - before[0];
        after[1][turn] =
            after[1][turn] + N::from_flag(shown_new[turn] > held_new) - N::from_flag(shown_old[turn] >= held_old);
    }
    after
}
