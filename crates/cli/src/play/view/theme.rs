//! What the terminal can show, and the styles of the game in ratatui's terms.

use anstyle::Effects;
use pegwise_game::KeyPeg;
use ratatui::{
    buffer::Buffer,
    style::{Color, Modifier, Style},
};

use crate::ui::{palette, style};

/// What the terminal can show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// Whether there is color. Without it, the names on the pegs and their borders say everything.
    pub(crate) color: bool,
    /// Whether there is more than ASCII.
    pub(crate) unicode: bool,
}

/// The signs of the game.
pub(super) struct Signs {
    pub(super) black: char,
    pub(super) white: char,
    pub(super) higher: char,
    pub(super) lower: char,
    pub(super) empty: char,
    pub(super) rule: char,
    pub(super) bar: char,
    pub(super) dot: char,
    pub(super) spinner: &'static [char],
}

impl Signs {
    /// The sign of a peg of a mark, or of a cell without one.
    pub(super) fn of(&self, sign: Option<KeyPeg>) -> char {
        match sign {
            Some(KeyPeg::Black) => self.black,
            Some(KeyPeg::White) => self.white,
            Some(KeyPeg::Higher) => self.higher,
            Some(KeyPeg::Lower) => self.lower,
            _ => self.dot,
        }
    }
}

const PRETTY: Signs = Signs {
    black: '●',
    white: '○',
    higher: '▲',
    lower: '▼',
    empty: '·',
    rule: '─',
    bar: '━',
    dot: '·',
    spinner: &['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

const PLAIN: Signs = Signs {
    black: '*',
    white: 'o',
    higher: '^',
    lower: 'v',
    empty: '.',
    rule: '-',
    bar: '=',
    dot: '-',
    spinner: &['|', '/', '-', '\\'],
};

impl Look {
    /// What this terminal can show, by what its environment says.
    pub(crate) fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let terminal = variable("TERM").unwrap_or_default();
        let plain = ["", "dumb", "vt52", "vt100", "vt102", "vt220"].contains(&terminal.as_str());
        // The first of these that is set decides, as in every program that knows locales.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|name| is_set(name)).and_then(&variable);
        let locale = locale.unwrap_or_default().to_lowercase();
        let unicode = locale.is_empty() || locale.contains("utf-8") || locale.contains("utf8");
        Self { color: !plain && !is_set("NO_COLOR"), unicode: !plain && unicode }
    }

    pub(super) fn signs(self) -> &'static Signs {
        if self.unicode { &PRETTY } else { &PLAIN }
    }

    /// A style of the program as ratatui knows it, without colors where there are none.
    pub(super) fn style(self, style: anstyle::Style) -> Style {
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

    pub(super) fn dim(self) -> Style {
        self.style(style::DIM)
    }

    pub(super) fn bold(self) -> Style {
        self.style(style::HEADING)
    }

    pub(super) fn name(self) -> Style {
        self.style(style::NAME)
    }

    pub(super) fn good(self) -> Style {
        self.style(style::GOOD)
    }

    pub(super) fn bad(self) -> Style {
        self.style(style::BAD)
    }

    pub(super) fn bar(self) -> Style {
        self.style(style::BAR)
    }

    pub(super) fn black(self) -> Style {
        self.style(palette::BLACK)
    }

    pub(super) fn white(self) -> Style {
        self.style(palette::WHITE)
    }

    /// What is chosen among several.
    pub(super) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// The name on a peg, and the peg's edge.
    pub(super) fn peg(self, color: pegwise_game::Color) -> (Style, Style) {
        let body = self.style(palette::peg(color));
        let edge = Style { fg: body.bg, ..Style::new() };
        (body, edge)
    }
}

/// Puts a sign that every terminal has in the place of each that some lack.
pub(super) fn make_plain(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let sign = match cell.symbol() {
            symbol if symbol.is_ascii() => continue,
            "…" | "·" => ".",
            "‹" | "←" => "<",
            "›" | "→" => ">",
            "↑" => "^",
            "↓" => "v",
            "╱" => "/",
            "╲" => "\\",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_what_a_terminal_can_show() {
        let look = |pairs: &[(&str, &str)]| {
            let look = Look::of_environment(|name| {
                pairs.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
            });
            (look.color, look.unicode)
        };
        assert_eq!(look(&[("TERM", "xterm-256color"), ("LANG", "en_US.UTF-8")]), (true, true));
        assert_eq!(look(&[("TERM", "xterm")]), (true, true));
        assert_eq!(look(&[("TERM", "xterm"), ("NO_COLOR", "1")]), (false, true));
        assert_eq!(look(&[("TERM", "xterm"), ("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]), (true, false));
        assert_eq!(look(&[("TERM", "vt100"), ("LANG", "en_US.UTF-8")]), (false, false));
        assert_eq!(look(&[("TERM", "dumb")]), (false, false));
    }
}
