//! The start menu.

use pegwise_game::Space;
use ratatui::text::{Line, Span};

use super::{Drawing, Room, legend, pegs::Pegs};
use crate::{
    play::model::{Field, Model, Tone, event::Action},
    ui::number,
};

/// The column of names.
const NAMES: u16 = 12;
/// The menu is at most this wide.
const WIDTH: u16 = 64;

pub(super) fn draw(drawing: &mut Drawing<'_>, area: Room, model: &Model) {
    let look = drawing.look;
    let fields = model.menu.fields();
    let width = area.width.min(WIDTH) - 2;
    let keys = legend::of_menu(model);
    let legend_height = legend::height(&keys, area.width - 2, 2);
    // Title, a line, the fields, a line, what there is to say.
    let wished = 2 + fields.len() as u16 + 3;
    let free = area.height.saturating_sub(wished + legend_height + 1);
    let (x, mut y) = (area.x + (area.width - width) / 2, area.y + (free / 3).min(4));
    title(drawing, Room::new(x, y, width, 1), model);
    y += 2;

    let room = area.bottom().saturating_sub(y + legend_height + 2).max(1);
    // The chosen line is always seen.
    let first = (model.menu.chosen + 1).saturating_sub(room.into());
    for (index, &field) in fields.iter().enumerate().skip(first).take(room.into()) {
        line(drawing, Room::new(x, y, width, 1), model, index, field);
        y += 1;
    }
    let (text, style) = match &model.note {
        Some(note) if note.tone == Tone::Bad => (note.text.clone(), look.bad()),
        Some(note) => (note.text.clone(), look.good()),
        None => (model.menu.about(model.menu.field()), look.dim()),
    };
    let y = (y + 1).min(area.bottom() - legend_height - 1);
    let mut column = super::column::Column::new(look, width.into());
    column.text(style, &text);
    let room = Room::new(x, y, width, (area.bottom() - legend_height).saturating_sub(y));
    let (_, buffer, hits) = drawing.parts();
    column.draw(room, buffer, hits);
    let legend_room = Room::new(area.x + 1, area.bottom() - legend_height, area.width - 2, legend_height);
    legend::draw(drawing, legend_room, &keys, false);
}

fn title(drawing: &mut Drawing<'_>, room: Room, model: &Model) {
    let look = drawing.look;
    let mut spans = vec![Span::styled("Pegwise", look.name()), Span::raw("  ")];
    if let Ok(rules) = model.menu.rules() {
        // A taste of the pegs.
        let pegs = Pegs::new(look, &rules);
        let codes = number::codes(Space::new(&rules).count());
        let free = usize::from(room.width).saturating_sub(codes.chars().count() + 11);
        let shown = usize::from(rules.colors()).min(free / pegs.width(1));
        let colors: Vec<_> = (0..shown).map(|index| pegwise_game::Color::new(index as u16)).collect();
        spans.extend(pegs.code(&colors));
        spans.push(Span::styled(format!("  {codes}"), look.dim()));
    }
    drawing.line(room.x, room.y, room.width, Line::from(spans));
}

fn line(drawing: &mut Drawing<'_>, room: Room, model: &Model, index: usize, field: Field) {
    let look = drawing.look;
    let chosen = index == model.menu.chosen;
    let mark = if chosen { "> " } else { "  " };
    let name = model.menu.name(field);
    let style = if chosen { look.name() } else { look.dim() };
    let (_, buffer, hits) = drawing.parts();
    hits.add(room, Action::Choose(index));
    buffer.set_stringn(room.x, room.y, format!("{mark}{name}"), NAMES.into(), style);
    let (x, width) = (room.x + NAMES, room.width.saturating_sub(NAMES));
    if let Some(typing) = model.menu.typing.as_ref().filter(|_| field == Field::Rules) {
        let (before, after) = typing.parts();
        super::overlay::typed_line(buffer, Room::new(x, room.y, width, 1), look, &before, &after);
        return;
    }
    if field == Field::Start {
        let style = if chosen { look.chosen() } else { look.bold() };
        buffer.set_string(x, room.y, "[ Start ]", style);
        return;
    }
    let value = model.menu.value(field);
    let style = if chosen { look.bold() } else { ratatui::style::Style::new() };
    if field == Field::Rules {
        buffer.set_stringn(x, room.y, value, width.into(), style);
        return;
    }
    let value: String = value.chars().take(usize::from(width).saturating_sub(4)).collect();
    let end = x + 2 + value.chars().count() as u16;
    let arrow = if chosen { look.name() } else { look.dim() };
    buffer.set_string(x, room.y, "‹ ", arrow);
    buffer.set_string(x + 2, room.y, &value, style);
    buffer.set_string(end, room.y, " ›", arrow);
    hits.add(Room::new(x, room.y, 2, 1), Action::Change(index, false));
    hits.add(Room::new(x + 2, room.y, end - x, 1), Action::Change(index, true));
}
