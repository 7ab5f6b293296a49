//! Pegs and marks, drawn the same way wherever they stand.

use pegwise_game::{Color, KeyPeg, Mark, Palette, Rules};
use ratatui::{style::Style, text::Span};

use super::theme::Look;

/// Draws the pegs of one game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pegs {
    look: Look,
    palette: Palette,
    /// The width of a color's name.
    label: usize,
}

/// What a peg's place is to the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Plain,
    /// The next key goes here.
    Cursor,
}

impl Pegs {
    pub(super) fn new(look: Look, rules: &Rules) -> Self {
        let palette = rules.palette();
        Self { look, palette, label: palette.label(Color::new(rules.colors() - 1)).len() }
    }

    /// A peg, or the hole for one: its left edge, its middle and its right edge.
    pub(super) fn peg(&self, color: Option<Color>, place: Place) -> [Span<'static>; 3] {
        let Some(color) = color else { return self.hole(self.look.signs().empty, place) };
        let label = format!("{:>width$}", self.palette.label(color), width = self.label);
        let (body, edge) = self.look.peg(color);
        let edges = match place {
            Place::Cursor => [("[", self.look.bold()), ("]", self.look.bold())],
            Place::Plain if self.look.color && self.look.unicode => [("▐", edge), ("▌", edge)],
            Place::Plain if self.look.color => [(" ", body), (" ", body)],
            Place::Plain => [("(", Style::new()), (")", Style::new())],
        };
        let [(left, left_style), (right, right_style)] = edges;
        [Span::styled(left, left_style), Span::styled(label, body), Span::styled(right, right_style)]
    }

    /// A place without a peg.
    pub(super) fn hole(&self, sign: char, place: Place) -> [Span<'static>; 3] {
        let label = format!("{sign:>width$}", width = self.label);
        let (left, right, style) = match place {
            Place::Cursor => ("[", "]", self.look.bold()),
            Place::Plain => (" ", " ", self.look.dim()),
        };
        [Span::styled(left, style), Span::styled(label, style), Span::styled(right, style)]
    }

    /// A whole code on one line.
    pub(super) fn code(&self, code: &[Color]) -> Vec<Span<'static>> {
        code.iter().flat_map(|&color| self.peg(Some(color), Place::Plain)).collect()
    }

    /// How wide a code is on one line.
    pub(super) fn width(&self, cells: usize) -> usize {
        cells * (self.label + 2)
    }

    /// The pegs of a mark.
    pub(super) fn mark(&self, mark: Mark) -> Vec<Span<'static>> {
        let signs = self.look.signs();
        let drawn = mark.key_pegs().into_iter().map(|(count, sign)| {
            let style = if sign == Some(KeyPeg::Black) { self.look.black() } else { self.look.white() };
            Span::styled(signs.of(sign).to_string().repeat(count), style)
        });
        drawn.collect()
    }
}
