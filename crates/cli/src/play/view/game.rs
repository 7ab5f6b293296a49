//! A game: header, board, panel, palette, what to do, and the keys.

use pegwise_coach::Mode;
use pegwise_game::{Color, Rules, Space};
use ratatui::text::{Line, Span};

use super::{
    Drawing, Room, board,
    column::Column,
    legend,
    pegs::{Pegs, Place},
    side,
};
use crate::{
    play::model::{About, Focus, Game, Model, Note, Tone, event::Action},
    ui::number,
};

/// A panel beside the board is at least this wide, and at most this.
const SIDE: (u16, u16) = (28, 46);
/// Boards get at least this much before a panel does.
const LEAST_BOARD: u16 = 30;
/// The lines of a panel below the board.
const BELOW: u16 = 7;
/// Shorter windows have no panel below the board.
const TALL: u16 = 22;

pub(super) fn draw(drawing: &mut Drawing<'_>, area: Room, model: &Model, game: &Game) {
    let inner = Room { x: area.x + 1, width: area.width - 2, ..area };
    let mut keys = legend::of_game(game);
    let (board_room, _) = split(inner, game);
    if game.typed().is_none() && board::overflows(game, board_room.width.into()) {
        keys.insert(keys.len() - 2, (">", "sideways", Action::Shift(8)));
    }
    let most_keys = match area.height {
        ..14 => 1,
        14..TALL => 2,
        _ => 3,
    };
    let legend_height = legend::height(&keys, inner.width, most_keys);
    let status = status(drawing, inner.width.into(), game);
    let status_height = status.height().clamp(1, 3) as u16;
    let palette_height = palette_height(drawing, inner, game);

    header(drawing, Room { height: 1, ..inner }, game);
    drawing.rule(Room { y: area.y + 1, height: 1, ..area });
    let legend_room = Room { y: area.bottom() - legend_height, height: legend_height, ..inner };
    legend::draw(drawing, legend_room, &keys, game.letters_are_colors());
    let status_room = Room { y: legend_room.y - status_height, height: status_height, ..inner };
    let (_, buffer, hits) = drawing.parts();
    status.draw(status_room, buffer, hits);
    drawing.rule(Room { y: status_room.y.saturating_sub(1), height: 1, ..area });
    let palette_room = Room { y: (status_room.y - 1).saturating_sub(palette_height), height: palette_height, ..inner };
    if palette_height > 0 {
        palette(drawing, palette_room, game);
    }
    let body = Room { y: area.y + 2, height: palette_room.y.saturating_sub(area.y + 2), ..inner };
    let (board_room, side_room) = split(body, game);
    if game.trouble.is_some() && side_room.is_none() {
        // What to do about it matters more than the board does.
        panel(drawing, body, game);
        return;
    }
    (drawing.drawn.scroll, drawing.drawn.shift) = board::draw(drawing, board_room, model, game, side_room.is_none());
    if let Some(room) = side_room {
        panel(drawing, room, game);
    }
}

/// The board's room, and the panel's, where there is one.
fn split(body: Room, game: &Game) -> (Room, Option<Room>) {
    let wished = u16::try_from(board::wished_width(game)).unwrap_or(u16::MAX);
    if body.width >= LEAST_BOARD + SIDE.0 + 2 {
        // The board takes what it needs, and the panel the rest.
        let side = body.width.saturating_sub(wished.max(LEAST_BOARD) + 3).clamp(SIDE.0, SIDE.1);
        let board = Room { width: body.width - side - 2, ..body };
        return (board, Some(Room { x: board.right() + 2, width: side, ..body }));
    }
    if body.height >= TALL - BELOW {
        let board = Room { height: body.height - BELOW - 1, ..body };
        return (board, Some(Room { y: board.bottom() + 1, height: BELOW, ..body }));
    }
    (body, None)
}

fn panel(drawing: &mut Drawing<'_>, room: Room, game: &Game) {
    let column = side::column(drawing.look, room.width.into(), room.height.into(), game);
    let (_, buffer, hits) = drawing.parts();
    column.draw(room, buffer, hits);
}

fn header(drawing: &mut Drawing<'_>, room: Room, game: &Game) {
    let look = drawing.look;
    let dot = format!(" {} ", look.signs().dot);
    let who = match game.mode() {
        Mode::Break => "break the code".to_owned(),
        Mode::Make => format!("{} breaks your code", game.setup.spec),
        Mode::Watch => format!("watching {}", game.setup.spec),
    };
    let mut spans = vec![
        Span::styled("Pegwise", look.name()),
        Span::raw("  "),
        Span::styled(game.rules().to_string(), look.bold()),
        Span::styled(dot.clone(), look.dim()),
        Span::raw(who),
    ];
    if let Some(most) = game.rules().max_guesses() {
        spans.extend([Span::styled(dot, look.dim()), Span::raw(format!("{} of {most} guesses", game.history.len()))]);
    }
    let line = Line::from(spans);
    let right = number::codes(Space::new(game.rules()).count());
    let used = line.width() + right.chars().count() + 2;
    drawing.line(room.x, room.y, room.width, line);
    if used <= room.width.into() {
        let width = right.chars().count() as u16;
        drawing.line(room.right() - width, room.y, width, Span::styled(right, look.dim()));
    }
}

/// The palette is there while pegs are typed.
fn palette_height(drawing: &Drawing<'_>, room: Room, game: &Game) -> u16 {
    if game.focus() != Focus::Guess {
        return 0;
    }
    let width = Pegs::new(drawing.look, game.rules()).width(game.rules().colors().into());
    let most = if room.height > 16 { 2 } else { 1 };
    width.div_ceil(room.width.into()).clamp(1, most) as u16
}

fn palette(drawing: &mut Drawing<'_>, room: Room, game: &Game) {
    let pegs = Pegs::new(drawing.look, game.rules());
    let (_, buffer, hits) = drawing.parts();
    let peg_width = pegs.width(1) as u16;
    let a_line = room.width / peg_width;
    let colors = game.rules().colors();
    let shown = (a_line * room.height).min(colors);
    for index in 0..shown {
        let (x, y) = (room.x + index % a_line * peg_width, room.y + index / a_line);
        let more = index + 1 == shown && shown < colors;
        let peg = if more { pegs.hole('…', Place::Plain) } else { pegs.peg(Some(Color::new(index)), Place::Plain) };
        buffer.set_line(x, y, &Line::from(peg.to_vec()), peg_width);
        if !more {
            hits.add(Room::new(x, y, peg_width, 1), Action::Put(u64::from(index) + 1));
        }
    }
}

/// What to do, or what happened.
fn status(drawing: &Drawing<'_>, width: usize, game: &Game) -> Column {
    let look = drawing.look;
    let mut column = Column::new(look, width);
    if let Some(thinking) = game.thinking.as_ref().filter(|thinking| thinking.ticks > 1) {
        let spinner = look.signs().spinner;
        let sign = spinner[thinking.ticks as usize % spinner.len()];
        let examined = if thinking.examined > 0 {
            format!(", {} codes examined", number::grouped(thinking.examined))
        } else {
            String::new()
        };
        let text = match thinking.about {
            About::Guess if thinking.hurried => "Coming to an end…".to_owned(),
            About::Guess => format!("Thinking{examined}. Esc: play what it has."),
            About::Hint => format!("Looking for a hint{examined}. Esc: never mind."),
            About::Mend => "Looking for what went wrong. Esc: never mind.".to_owned(),
        };
        column.text(look.name(), &format!("{sign} {text}"));
        return column;
    }
    let note = game.note.clone().unwrap_or_else(|| what_to_do(game));
    let style = match note.tone {
        Tone::Good => look.good(),
        Tone::Bad => look.bad(),
        Tone::Plain => ratatui::style::Style::new(),
    };
    column.text(style, &note.text);
    column
}

fn what_to_do(game: &Game) -> Note {
    let guesses = number::things(game.history.len(), "guess", "guesses");
    let rules = game.rules();
    let (new, undo, edit) = (game.key('n'), game.key('u'), game.key('e'));
    if game.editing.is_some() {
        return Note::plain(format!("Change the answer and press Enter; {edit} goes to the turn before."));
    }
    if game.trouble.is_some() {
        return Note::bad(format!("Something was misjudged: choose what it was, or change an answer with {edit}."));
    }
    if game.is_over() {
        return match (game.mode(), game.history.is_solved()) {
            (Mode::Break, true) => Note::good(format!("You broke the code in {guesses}! {new} plays again.")),
            (Mode::Break, false) if game.revealed => Note::plain(format!("This was the code. {new} plays again.")),
            (Mode::Break, false) => Note::bad(format!("Not in {guesses}. This was the code; {new} plays again.")),
            (Mode::Make, true) => Note::good(format!("I broke your code in {guesses}! {new} plays again.")),
            (Mode::Make, false) => Note::good(format!("You won: I did not break it in {guesses}.")),
            (Mode::Watch, true) => Note::good(format!("Broken in {guesses}. {undo} steps back, {new} starts another.")),
            (Mode::Watch, false) => Note::bad(format!("Not broken in {guesses}.")),
        };
    }
    let palette = rules.palette();
    let key = |color: u16| palette.label(Color::new(color)).to_lowercase();
    let colors = match rules.colors() {
        _ if palette.has_digits() => "digits 0 to 9".to_owned(),
        colors if palette != colors.into() => (0..colors).map(key).collect::<Vec<_>>().join(" "),
        1 => "1".to_owned(),
        colors @ 2..=9 => format!("1 to {colors}"),
        colors @ 10..=26 => format!("a to {}", key(colors - 1)),
        colors => format!("numbers 1 to {colors} with spaces between"),
    };
    let once = if rules.repeats() { "" } else { "; no color twice" };
    match (game.mode(), game.focus()) {
        (Mode::Break, _) if let Some(hint) = &game.hint => {
            const SHORT: usize = 30;
            let guess = hint.guess.notation(rules.palette()).to_string();
            let guess = if guess.len() <= SHORT { format!(": {guess}") } else { String::new() };
            Note::plain(format!("A hint{guess}. {} takes it; or type your own guess.", game.key('h')))
        }
        (Mode::Break, _) => Note::plain(format!("Your guess: type {colors}{once}, then Enter.")),
        (Mode::Make, Focus::Guess) => {
            Note::plain("Think of a code and press Enter. Or type it in: the computer does not look.")
        }
        (Mode::Make, Focus::Marks) if game.secret.is_some() => {
            Note::plain("Is this what your code answers? Enter gives the answer.")
        }
        (Mode::Make, Focus::Marks) => Note::plain(format!("How right is it? Type {}, then Enter.", asked(rules))),
        (Mode::Make, _) => Note::plain("Thinking…"),
        (Mode::Watch, _) if game.running => {
            Note::plain(format!("A turn every {} s. Space pauses.", game.pace.seconds()))
        }
        (Mode::Watch, _) if game.thought.is_none() => Note::plain("Thinking…"),
        (Mode::Watch, _) => Note::plain("Enter plays the guess; Space lets it run."),
    }
}

/// What the player types to answer a guess.
fn asked(rules: &Rules) -> String {
    let model = rules.feedback().model();
    if model.per_cell {
        return "2 for black, 1 for white, 0 for nothing, cell by cell".to_owned();
    }
    let names: Vec<String> = model.numbers.iter().map(|number| format!("the {}", number.counted)).collect();
    names.join(", then ")
}
