//! Styles, text columns, clipped drawing, and the areas that react to the mouse.

use anstyle::Effects;
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::Widget as _,
};

use crate::{
    play::model::event::Action,
    ui::{style, text::wrap},
};

/// Capabilities of the terminal, and styles that respect them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Theme {
    /// True if colors are supported; otherwise labels and borders distinguish pegs.
    pub(crate) color: bool,
    pub(crate) unicode: bool,
}

impl Theme {
    /// Detects the capabilities of the terminal from environment variables.
    pub(crate) fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let terminal = variable("TERM").unwrap_or_default();
        let plain = ["", "dumb", "vt52", "vt100", "vt102", "vt220"].contains(&terminal.as_str());
        // The first variable that is set decides, as usual for locales.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|name| is_set(name)).and_then(&variable);
        let locale = locale.unwrap_or_default().to_lowercase();
        let unicode = locale.is_empty() || locale.contains("utf-8") || locale.contains("utf8");
        Self { color: !plain && !is_set("NO_COLOR"), unicode: !plain && unicode }
    }

    /// Returns the separator of words, which also stands for the absence of a peg.
    pub(super) fn dot(self) -> &'static str {
        if self.unicode { "·" } else { "-" }
    }

    /// Converts a style, without colors if they are not supported.
    pub(super) fn of(self, style: anstyle::Style) -> Style {
        let mut own = Style::new();
        if self.color {
            own.fg = style.get_fg_color().map(color);
            own.bg = style.get_bg_color().map(color);
        }
        let effects = [
            (Effects::BOLD, Modifier::BOLD),
            (Effects::DIMMED, Modifier::DIM),
            (Effects::UNDERLINE, Modifier::UNDERLINED),
        ];
        for (effect, modifier) in effects {
            if style.get_effects().contains(effect) {
                own = own.add_modifier(modifier);
            }
        }
        own
    }

    pub(super) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// Returns the styles of a peg's label and of its edges.
    pub(super) fn peg(self, color: pegwise_game::Color) -> (Style, Style) {
        let body = self.of(style::peg(color));
        let edge = Style { fg: body.bg, ..Style::new() };
        (body, edge)
    }
}

/// Replaces all characters outside ASCII.
pub(super) fn make_plain(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let sign = match cell.symbol() {
            symbol if symbol.is_ascii() => continue,
            "●" => "*",
            "○" => "o",
            "─" => "-",
            "━" => "=",
            "│" => "|",
            "…" | "·" => ".",
            "‹" | "←" => "<",
            "›" | "→" => ">",
            "▲" | "↑" => "^",
            "▼" | "↓" => "v",
            "╱" | "⠙" | "⠴" => "/",
            "╲" | "⠸" | "⠧" => "\\",
            "╭" | "╮" | "╰" | "╯" => "+",
            "⠋" | "⠼" | "⠇" => "|",
            "⠹" | "⠦" | "⠏" => "-",
            _ => "?",
        };
        cell.set_symbol(sign);
    }
}

fn color(color: anstyle::Color) -> Color {
    match color {
        anstyle::Color::Ansi(color) => Color::Indexed(color as u8),
        anstyle::Color::Ansi256(color) => Color::Indexed(color.0),
        anstyle::Color::Rgb(color) => Color::Rgb(color.0, color.1, color.2),
    }
}

pub(super) struct TextColumn {
    pub(super) theme: Theme,
    pub(super) width: usize,
    lines: Vec<(Line<'static>, Option<Action>)>,
}

impl TextColumn {
    pub(super) fn new(theme: Theme, width: usize) -> Self {
        Self { theme, width, lines: Vec::new() }
    }

    pub(super) fn height(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn line(&mut self, line: impl Into<Line<'static>>) {
        self.lines.push((line.into(), None));
    }

    pub(super) fn spans(&mut self, spans: &[(anstyle::Style, &str)]) {
        let spans = spans.iter().map(|&(style, text)| Span::styled(text.to_owned(), self.theme.of(style)));
        self.line(spans.collect::<Line<'static>>());
    }

    pub(super) fn button(&mut self, line: impl Into<Line<'static>>, action: Action) {
        self.lines.push((line.into(), Some(action)));
    }

    /// Adds a wrapped text; words longer than a line are broken.
    pub(super) fn text(&mut self, style: anstyle::Style, text: &str) {
        let style = self.theme.of(style);
        for line in wrap(text, self.width) {
            let chars: Vec<char> = line.chars().collect();
            for part in chars.chunks(self.width.max(1)) {
                self.line(Span::styled(part.iter().collect::<String>(), style));
            }
        }
    }

    pub(super) fn heading(&mut self, text: &str) {
        self.gap();
        self.text(style::HEADING, text);
    }

    /// Adds an empty line, unless there is one or the column is empty.
    pub(super) fn gap(&mut self) {
        if self.lines.last().is_some_and(|(line, _)| line.width() > 0) {
            self.line("");
        }
    }

    /// Draws the lines that fit, from `first` on.
    pub(super) fn draw_from(self, first: usize, area: Rect, buffer: &mut Buffer, hits: &mut ClickMap) {
        for ((line, action), y) in self.lines.into_iter().skip(first).zip(area.top()..area.bottom()) {
            let area = Rect { y, height: 1, ..area };
            line.render(area, buffer);
            if let Some(action) = action {
                hits.add(area, action);
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ClickTarget {
    area: Rect,
    pub(crate) click: Action,
    /// Action of another mouse button.
    pub(crate) other: Option<Action>,
    pub(crate) wheel: Option<(Action, Action)>,
}

/// All areas that react to the mouse; later ones are above.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClickMap(Vec<ClickTarget>);

impl ClickMap {
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<&ClickTarget> {
        self.0.iter().rev().find(|hit| hit.area.contains(Position::new(column, row)))
    }

    pub(super) fn add(&mut self, area: Rect, click: Action) {
        self.0.push(ClickTarget { area, click, other: None, wheel: None });
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Area that shows a part of something larger.
pub(super) struct Viewport<'a> {
    pub(super) buffer: &'a mut Buffer,
    pub(super) hits: &'a mut ClickMap,
    pub(super) area: Rect,
    /// Coordinates at the upper left corner of the area.
    pub(super) left: usize,
    pub(super) top: usize,
}

impl Viewport<'_> {
    /// Clips a text; returns the visible area and the number of characters hidden before it.
    fn seen(&self, x: usize, y: usize, width: usize) -> Option<(Rect, usize)> {
        let row = y.checked_sub(self.top).filter(|&row| row < usize::from(self.area.height))?;
        let start = x.max(self.left);
        let end = (x + width).min(self.left + usize::from(self.area.width));
        if start >= end {
            return None;
        }
        // Both are within an area whose sides fit into u16.
        let (column, width) = ((start - self.left) as u16, (end - start) as u16);
        Some((Rect::new(self.area.x + column, self.area.y + row as u16, width, 1), start - x))
    }

    /// Writes the visible part of a text.
    pub(super) fn put(&mut self, x: usize, y: usize, text: &str, style: Style) {
        let Some((area, skipped)) = self.seen(x, y, text.chars().count()) else { return };
        let seen: String = text.chars().skip(skipped).take(area.width.into()).collect();
        self.buffer.set_string(area.x, area.y, seen, style);
    }

    /// Makes the visible part of an area clickable.
    pub(super) fn hit(&mut self, x: usize, y: usize, width: usize, click: Action) {
        if let Some((area, _)) = self.seen(x, y, width) {
            self.hits.add(area, click);
        }
    }

    /// Makes a slot of an entry clickable.
    pub(super) fn hit_slot(&mut self, x: usize, y: usize, width: usize, slot: usize) {
        if let Some((area, _)) = self.seen(x, y, width) {
            let (other, wheel) =
                (Some(Action::Empty(slot)), Some((Action::Turn(slot, true), Action::Turn(slot, false))));
            self.hits.0.push(ClickTarget { area, click: Action::GoTo(slot), other, wheel });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_capabilities_from_the_environment() {
        let theme = |pairs: &[(&str, &str)]| {
            let theme = Theme::of_environment(|name| {
                pairs.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
            });
            (theme.color, theme.unicode)
        };
        assert_eq!(theme(&[("TERM", "xterm-256color"), ("LANG", "en_US.UTF-8")]), (true, true));
        assert_eq!(theme(&[("TERM", "xterm")]), (true, true));
        assert_eq!(theme(&[("TERM", "xterm"), ("NO_COLOR", "1")]), (false, true));
        assert_eq!(theme(&[("TERM", "xterm"), ("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]), (true, false));
        assert_eq!(theme(&[("TERM", "vt100"), ("LANG", "en_US.UTF-8")]), (false, false));
        assert_eq!(theme(&[("TERM", "dumb")]), (false, false));
    }
}
