//! Drawing with clipping, and the places that answer to the mouse.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::Style,
};

use crate::play::model::event::Action;

/// A place on the screen that answers to the mouse.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hit {
    area: Rect,
    /// A click.
    pub(crate) click: Action,
    /// A click with the other button.
    pub(crate) other: Option<Action>,
    /// The wheel turned up, and down.
    pub(crate) wheel: Option<(Action, Action)>,
}

/// All such places; those drawn later lie above.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hits(Vec<Hit>);

impl Hits {
    /// What answers at a place.
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<&Hit> {
        self.0.iter().rev().find(|hit| hit.area.contains(Position::new(column, row)))
    }

    pub(super) fn add(&mut self, area: Rect, click: Action) {
        self.0.push(Hit { area, click, other: None, wheel: None });
    }

    /// Nothing below answers any more.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// A part of the screen that shows a part of something larger.
pub(super) struct Sheet<'a> {
    pub(super) buffer: &'a mut Buffer,
    pub(super) hits: &'a mut Hits,
    pub(super) area: Rect,
    /// What lies at the upper left corner of the area.
    pub(super) left: usize,
    pub(super) top: usize,
}

impl Sheet<'_> {
    /// The part of a text that is seen, and where; `None` when none of it is.
    fn seen(&self, x: usize, y: usize, width: usize) -> Option<(Rect, usize)> {
        let row = y.checked_sub(self.top).filter(|&row| row < usize::from(self.area.height))?;
        let start = x.max(self.left);
        let end = (x + width).min(self.left + usize::from(self.area.width));
        if start >= end {
            return None;
        }
        // Both lie within an area whose sides fit a u16.
        let (column, width) = ((start - self.left) as u16, (end - start) as u16);
        Some((Rect::new(self.area.x + column, self.area.y + row as u16, width, 1), start - x))
    }

    /// Writes a text as far as it is seen.
    pub(super) fn put(&mut self, x: usize, y: usize, text: &str, style: Style) {
        let Some((area, skipped)) = self.seen(x, y, text.chars().count()) else { return };
        let seen: String = text.chars().skip(skipped).take(area.width.into()).collect();
        self.buffer.set_string(area.x, area.y, seen, style);
    }

    /// Makes a place answer to the mouse, as far as it is seen.
    pub(super) fn hit(&mut self, x: usize, y: usize, width: usize, click: Action) -> Option<&mut Hit> {
        let (area, _) = self.seen(x, y, width)?;
        self.hits.add(area, click);
        self.hits.0.last_mut()
    }
}
