//! Draws the model, without changing it.

mod board;
mod panel;
mod screens;
#[cfg(test)]
mod tests;
mod widgets;

use ratatui::{Frame, buffer::Buffer, layout::Rect, text::Line, widgets::Widget as _};

use self::widgets::TextColumn;
pub(crate) use self::widgets::{ClickMap, Theme};
use crate::{play::model::Model, ui::style};

/// Result of drawing: clickable areas and limits of scrolling.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drawn {
    /// Areas that react to the mouse.
    pub(crate) hits: ClickMap,
    /// Maximum number of lines to scroll back.
    pub(crate) scroll: usize,
    /// Maximum number of columns to scroll sideways.
    pub(crate) shift: usize,
    /// Maximum number of lines to scroll in a box.
    pub(crate) page: usize,
}

struct Canvas<'a> {
    theme: Theme,
    buffer: &'a mut Buffer,
    drawn: Drawn,
}

const LEAST: (u16, u16) = (30, 9);

impl Canvas<'_> {
    fn parts(&mut self) -> (Theme, &mut Buffer, &mut ClickMap) {
        (self.theme, self.buffer, &mut self.drawn.hits)
    }

    fn line(&mut self, x: u16, y: u16, width: u16, line: impl Into<Line<'static>>) {
        line.into().render(Rect::new(x, y, width, 1).intersection(self.buffer.area), self.buffer);
    }

    fn column(&mut self, column: TextColumn, room: Rect) {
        column.draw_from(0, room, self.buffer, &mut self.drawn.hits);
    }

    fn rule(&mut self, room: Rect) {
        self.buffer.set_string(room.x, room.y, "─".repeat(room.width.into()), self.theme.of(style::DIM));
    }
}

pub(crate) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme) -> Drawn {
    let area = frame.area();
    let mut canvas = Canvas { theme, buffer: frame.buffer_mut(), drawn: Drawn::default() };
    if area.width < LEAST.0 || area.height < LEAST.1 {
        screens::too_small(&mut canvas, area);
        return canvas.drawn;
    }
    match &model.game {
        Some(game) if !model.in_menu => screens::draw_game(&mut canvas, area, model, game),
        _ => screens::draw_menu(&mut canvas, area, model),
    }
    screens::draw_overlay(&mut canvas, area, model);
    if !theme.unicode {
        widgets::make_plain(canvas.buffer);
    }
    canvas.drawn
}
