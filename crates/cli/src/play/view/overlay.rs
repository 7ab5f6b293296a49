//! What lies over the rest: help, the analysis, the line to share, the name of a file.

use ratatui::{
    buffer::Buffer,
    style::Style,
    symbols,
    text::{Line, Span},
    widgets::{Block, Clear, Widget as _},
};

use super::{Drawing, Room, analysis, column::Column, theme::Look};
use crate::play::model::{Model, Overlay, Purpose, event::Action};

/// Boxes are at most this wide.
const WIDTH: u16 = 76;

pub(super) fn draw(drawing: &mut Drawing<'_>, area: Room, model: &Model) {
    let Some(overlay) = &model.overlay else { return };
    let look = drawing.look;
    let width = area.width.min(WIDTH);
    let mut column = Column::new(look, usize::from(width) - 4);
    let (title, foot) = match overlay {
        Overlay::Help => {
            help(&mut column);
            ("What the keys do", "any key closes")
        }
        Overlay::Analysis => {
            if let Some(game) = &model.game {
                analysis::fill(&mut column, game);
            }
            ("How well it was played", "any key closes")
        }
        Overlay::Share(line) => {
            column.text(Style::new(), line);
            column.gap();
            column.text(
                look.dim(),
                "Whoever has this line goes on from here: pegwise play --from 'LINE', or paste it into the game.",
            );
            ("This game as a line of text", "Enter copies it")
        }
        Overlay::File { purpose, .. } => {
            column.line("");
            column.gap();
            match purpose {
                Purpose::Save => {
                    column.text(look.dim(), "A small text file; pegwise play --load FILE goes on with it.");
                }
                Purpose::Overwrite(_) => column.text(look.bad(), "There is such a file. Enter writes over it."),
                Purpose::Load => column.text(look.dim(), "The name of a saved game."),
            }
            (if *purpose == Purpose::Load { "Open" } else { "Save as" }, "Enter: yes   Esc: no")
        }
    };
    let height = (column.height() as u16).saturating_add(2).min(area.height);
    let room = Room::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let inside = Room::new(room.x + 2, room.y + 1, room.width - 4, room.height - 2);
    let last = column.height().saturating_sub(inside.height.into());
    drawing.drawn.page = last;
    let more = if last > 0 { " ↑↓ scroll ·" } else { "" };

    let (_, buffer, hits) = drawing.parts();
    hits.clear();
    hits.add(area, Action::Escape);
    Clear.render(room, buffer);
    let mut frame = Block::bordered().border_style(look.dim()).title(Span::styled(format!(" {title} "), look.bold()));
    frame = frame.title_bottom(Line::from(Span::styled(format!("{more} {foot} "), look.dim())).right_aligned());
    let set = if look.unicode { symbols::border::ROUNDED } else { ASCII };
    frame.border_set(set).render(room, buffer);
    if matches!(overlay, Overlay::Share(_) | Overlay::File { .. }) {
        hits.add(room, Action::Enter);
    }
    column.draw_from(model.page.min(last), inside, buffer, hits);
    if let Overlay::File { line, .. } = overlay {
        let (before, after) = line.parts();
        typed_line(buffer, Room { height: 1, ..inside }, look, &before, &after);
    }
}

const ASCII: symbols::border::Set<'static> = symbols::border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// A line being typed, moved so that its cursor is seen.
pub(super) fn typed_line(buffer: &mut Buffer, room: Room, look: Look, before: &str, after: &str) {
    let width = usize::from(room.width).max(2);
    let hidden = (before.chars().count() + 1).saturating_sub(width);
    let before: String = before.chars().skip(hidden).collect();
    let mut rest = after.chars();
    let under: String = rest.next().unwrap_or(' ').to_string();
    let line = Line::from(vec![
        Span::styled(before, look.bold()),
        Span::styled(under, look.chosen()),
        Span::styled(rest.collect::<String>(), look.bold()),
    ]);
    buffer.set_line(room.x, room.y, &line, room.width);
}

pub(super) fn too_small(drawing: &mut Drawing<'_>, area: Room) {
    let mut column = Column::new(drawing.look, area.width.max(1).into());
    column.text(drawing.look.bold(), "Please make the window bigger.");
    column.text(drawing.look.dim(), "q quits.");
    let (_, buffer, hits) = drawing.parts();
    column.draw(area, buffer, hits);
}

fn help(column: &mut Column) {
    let look = column.look;
    let groups: [(&str, &[(&str, &str)]); 4] = [
        (
            "Typing",
            &[
                ("1 2 3 …", "a color, or a number of an answer; a b c … from ten colors on"),
                ("← → Tab", "to another place"),
                ("↑ ↓", "another color or number; another row on boards that have rows"),
                ("+ -", "another color or number"),
                ("Backspace", "erases; c erases everything"),
                ("Enter", "plays the guess, gives the answer"),
            ],
        ),
        (
            "Playing",
            &[
                ("h", "a hint; once more takes it"),
                ("u", "takes a turn back (Ctrl-Z)"),
                ("e", "changes an earlier answer, where you give them"),
                ("g", "gives up and shows the code"),
                ("a", "how well it was played: skill, luck, and better guesses"),
                ("Space", "runs and pauses a game that is watched; + and - set its pace"),
                ("Esc", "stops thinking, closes what is open, goes to the menu"),
            ],
        ),
        (
            "Games",
            &[
                ("n", "another game: mode, board, colors, feedback, strategy"),
                ("s o", "saves and opens games (Ctrl-S, Ctrl-O)"),
                ("l", "the game as a line of text; pasting such a line opens it"),
                ("PgUp PgDn", "earlier and later turns; < and > move a wide board"),
                ("q", "quits (Ctrl-C)"),
            ],
        ),
        (
            "Mouse",
            &[
                ("click", "a color of the palette, a place, a key of the last line, an answer"),
                ("wheel", "another color at a place; earlier turns elsewhere"),
                ("other button", "empties a place"),
            ],
        ),
    ];
    for (heading, keys) in groups {
        column.heading(heading);
        for &(key, words) in keys {
            const KEYS: usize = 14;
            let room = column.width.saturating_sub(KEYS).max(10);
            for (index, part) in crate::ui::block::wrap(words, room).into_iter().enumerate() {
                let key = if index == 0 { key } else { "" };
                column.line(Line::from(vec![Span::styled(format!("{key:<KEYS$}"), look.name()), Span::raw(part)]));
            }
        }
    }
    column.gap();
    column.text(look.dim(), "Where letters are colors, commands are upper-case letters: H U E G A N S O L Q.");
}
