//! The colors of pegs.

use anstyle::{Ansi256Color, AnsiColor, Style};
use pegwise_game::Color;

/// Peg colors of the 256-color terminal, most different first, and whether their label is black rather than white. Games
/// with more colors use them again: the label tells pegs apart.
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

/// How a peg of this color is drawn.
pub(crate) fn peg(color: Color) -> Style {
    let (background, black) = PEGS[color.index() % PEGS.len()];
    // Black and white of the 256 colors: themes change the first sixteen.
    let label = Ansi256Color(if black { 16 } else { 231 });
    Style::new().bold().bg_color(Some(Ansi256Color(background).into())).fg_color(Some(label.into()))
}

/// Right color, right place.
pub(crate) const BLACK: Style = AnsiColor::Red.on_default().bold();
/// Right color, wrong place; also the direction of a wrong one.
pub(crate) const WHITE: Style = Style::new().bold();
/// A peg that nobody remembers.
pub(super) const UNKNOWN: Style = Style::new().dimmed().invert();
