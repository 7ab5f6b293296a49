//! Draws the model. Nothing here changes it: the same model in the same window is the same picture.

mod analysis;
mod board;
mod column;
mod game;
mod layout;
mod legend;
mod menu;
mod overlay;
mod pegs;
mod sheet;
mod side;
#[cfg(test)]
mod tests;
mod theme;

use ratatui::{Frame, buffer::Buffer, layout::Rect, text::Line, widgets::Widget as _};

pub(crate) use self::{sheet::Hits, theme::Look};
use crate::play::model::Model;

/// A part of the screen.
type Room = Rect;

/// What the view found out while it drew.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drawn {
    /// What answers to the mouse, and where.
    pub(crate) hits: Hits,
    /// How many lines can be scrolled back.
    pub(crate) scroll: usize,
    /// How far the board can be moved sideways.
    pub(crate) shift: usize,
    /// How far what lies over the rest can be scrolled.
    pub(crate) page: usize,
}

/// What is drawn on, and with.
struct Drawing<'a> {
    look: Look,
    buffer: &'a mut Buffer,
    drawn: Drawn,
}

/// Smaller windows show a note.
const LEAST: (u16, u16) = (30, 9);

impl Drawing<'_> {
    fn parts(&mut self) -> (Look, &mut Buffer, &mut Hits) {
        (self.look, self.buffer, &mut self.drawn.hits)
    }

    fn line(&mut self, x: u16, y: u16, width: u16, line: impl Into<Line<'static>>) {
        line.into().render(Rect::new(x, y, width, 1).intersection(self.buffer.area), self.buffer);
    }

    /// A line across.
    fn rule(&mut self, room: Room) {
        let rule = self.look.signs().rule.to_string().repeat(room.width.into());
        self.buffer.set_string(room.x, room.y, rule, self.look.dim());
    }
}

/// Draws the model into a window.
pub(crate) fn draw(frame: &mut Frame<'_>, model: &Model, look: Look) -> Drawn {
    let area = frame.area();
    let mut drawing = Drawing { look, buffer: frame.buffer_mut(), drawn: Drawn::default() };
    if area.width < LEAST.0 || area.height < LEAST.1 {
        overlay::too_small(&mut drawing, area);
        return drawing.drawn;
    }
    match &model.game {
        Some(game) if !model.in_menu => game::draw(&mut drawing, area, model, game),
        _ => menu::draw(&mut drawing, area, model),
    }
    overlay::draw(&mut drawing, area, model);
    if !look.unicode {
        theme::make_plain(drawing.buffer);
    }
    drawing.drawn
}
