//! Lines of text below each other, some of which answer to the mouse.

use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    text::{Line, Span},
    widgets::Widget as _,
};

use super::{sheet::Hits, theme::Look};
use crate::{play::model::event::Action, ui::block::wrap};

/// A column of lines that fit its width.
pub(super) struct Column {
    pub(super) look: Look,
    pub(super) width: usize,
    lines: Vec<(Line<'static>, Option<Action>)>,
}

impl Column {
    pub(super) fn new(look: Look, width: usize) -> Self {
        Self { look, width, lines: Vec::new() }
    }

    pub(super) fn height(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn line(&mut self, line: impl Into<Line<'static>>) {
        self.lines.push((line.into(), None));
    }

    /// A line that answers to a click.
    pub(super) fn button(&mut self, line: impl Into<Line<'static>>, action: Action) {
        self.lines.push((line.into(), Some(action)));
    }

    /// A text on as many lines as it needs; a word that is longer than a line is broken.
    pub(super) fn text(&mut self, style: Style, text: &str) {
        for line in wrap(text, self.width) {
            let chars: Vec<char> = line.chars().collect();
            for part in chars.chunks(self.width.max(1)) {
                self.line(Span::styled(part.iter().collect::<String>(), style));
            }
        }
    }

    pub(super) fn heading(&mut self, text: &str) {
        self.gap();
        self.text(self.look.bold(), text);
    }

    /// An empty line, unless there is one already or nothing is above.
    pub(super) fn gap(&mut self) {
        if self.lines.last().is_some_and(|(line, _)| line.width() > 0) {
            self.line("");
        }
    }

    /// Draws as many lines as there is room for.
    pub(super) fn draw(self, area: Rect, buffer: &mut Buffer, hits: &mut Hits) {
        self.draw_from(0, area, buffer, hits);
    }

    /// Draws as many lines as there is room for, without the first ones.
    pub(super) fn draw_from(self, first: usize, area: Rect, buffer: &mut Buffer, hits: &mut Hits) {
        for ((line, action), y) in self.lines.into_iter().skip(first).zip(area.top()..area.bottom()) {
            let area = Rect { y, height: 1, ..area };
            line.render(area, buffer);
            if let Some(action) = action {
                hits.add(area, action);
            }
        }
    }
}
