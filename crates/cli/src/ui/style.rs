//! Text styles and peg colors.

use anstyle::{Ansi256Color, AnsiColor, Style};
use pegwise_game::{Color, KeyPeg};

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const COLUMN: Style = Style::new().underline().dimmed();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const BAR: Style = AnsiColor::Cyan.on_default();
/// Style of a peg for the right color in the right place.
pub(crate) const BLACK_PEG: Style = AnsiColor::Red.on_default().bold();
/// Style of a peg for the right color in the wrong place, and of the direction of a wrong color.
pub(crate) const WHITE_PEG: Style = Style::new().bold();
pub(crate) const UNKNOWN_PEG: Style = Style::new().dimmed().invert();

/// Returns `text` with the escape sequences of `style`.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Returns the sign and the style of a peg of a mark, or of a cell without one.
pub(crate) fn key_peg(peg: Option<KeyPeg>) -> (&'static str, Style) {
    match peg {
        Some(KeyPeg::Black) => ("●", BLACK_PEG),
        Some(KeyPeg::White) => ("○", WHITE_PEG),
        Some(KeyPeg::Higher) => ("▲", WHITE_PEG),
        Some(KeyPeg::Lower) => ("▼", WHITE_PEG),
        _ => ("·", DIM),
    }
}

/// Background colors of pegs, most distinct first, each with true if the label is black. Games with more colors repeat
/// them; the labels differ.
const PEGS: [(u8, bool); 24] = [
    (160, false), // red
    (27, false),  // blue
    (34, false),  // green
    (220, true),  // yellow
    (208, true),  // orange
    (91, false),  // purple
    (51, true),   // cyan
    (213, true),  // pink
    (94, false),  // brown
    (255, true),  // white
    (240, false), // gray
    (154, true),  // lime
    (17, false),  // navy
    (125, false), // raspberry
    (30, false),  // teal
    (180, true),  // sand
    (141, true),  // lavender
    (22, false),  // forest
    (209, true),  // salmon
    (117, true),  // sky
    (58, false),  // olive
    (88, false),  // maroon
    (121, true),  // mint
    (248, true),  // silver
];

pub(crate) fn peg(color: Color) -> Style {
    let (background, black) = PEGS[color.index() % PEGS.len()];
    // Themes change the first 16 colors, so black and white are taken from the 256.
    let label = Ansi256Color(if black { 16 } else { 231 });
    Style::new().bold().bg_color(Some(Ansi256Color(background).into())).fg_color(Some(label.into()))
}
