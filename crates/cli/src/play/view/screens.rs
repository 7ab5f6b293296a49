//! The screens: a game, the menu, and the boxes over them.

use pegwise_coach::Mode;
use pegwise_game::{Color, Rules, Space};
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    style::Style,
    symbols,
    text::{Line, Span},
    widgets::{Block, Clear, Widget as _},
};

use super::{
    Canvas,
    board::{self, Pegs},
    panel,
    widgets::{TextColumn, Theme},
};
use crate::{
    play::model::{
        Field, FilePurpose, Focus, GameState, Model, Overlay, QueryPurpose, StatusMessage, Tone, bad, event::Action,
        good, plain,
    },
    ui::{number, style, text::wrap},
};

const PANEL_WIDTH: (u16, u16) = (28, 46);
const MIN_BOARD_WIDTH: u16 = 30;
const PANEL_HEIGHT: u16 = 7;
/// Minimum height for a panel below the board.
const TALL: u16 = 22;

pub(super) fn draw_game(canvas: &mut Canvas<'_>, area: Rect, model: &Model, game: &GameState) {
    let inner = Rect { x: area.x + 1, width: area.width - 2, ..area };
    let mut keys = game_keys(game);
    let (board_room, _) = split(inner, game);
    if game.typed().is_none() && board::overflows(game, board_room.width.into()) {
        keys.insert(keys.len() - 2, (">", "sideways", Action::Shift(8)));
    }
    let most_keys = match area.height {
        ..14 => 1,
        14..TALL => 2,
        _ => 3,
    };
    let legend_rows = legend_height(&keys, inner.width, most_keys);
    let status = status(canvas, inner.width.into(), game);
    let status_height = status.height().clamp(1, 3) as u16;
    let palette_height = palette_height(canvas, inner, game);

    header(canvas, Rect { height: 1, ..inner }, game);
    canvas.rule(Rect { y: area.y + 1, height: 1, ..area });
    let legend_room = Rect { y: area.bottom() - legend_rows, height: legend_rows, ..inner };
    draw_legend(canvas, legend_room, &keys, game.letters_are_colors());
    let status_room = Rect { y: legend_room.y - status_height, height: status_height, ..inner };
    canvas.column(status, status_room);
    canvas.rule(Rect { y: status_room.y.saturating_sub(1), height: 1, ..area });
    let palette_room = Rect { y: (status_room.y - 1).saturating_sub(palette_height), height: palette_height, ..inner };
    if palette_height > 0 {
        palette(canvas, palette_room, game);
    }
    let body = Rect { y: area.y + 2, height: palette_room.y.saturating_sub(area.y + 2), ..inner };
    let (board_room, side_room) = split(body, game);
    if game.repairs.is_some() && side_room.is_none() {
        // Repairs are more important than the board.
        draw_panel(canvas, body, game);
        return;
    }
    (canvas.drawn.scroll, canvas.drawn.shift) = board::draw(canvas, board_room, model, game, side_room.is_none());
    if let Some(room) = side_room {
        draw_panel(canvas, room, game);
    }
}

/// Splits the area between the board and the panel, if there is room for both.
fn split(body: Rect, game: &GameState) -> (Rect, Option<Rect>) {
    let requested = u16::try_from(board::preferred_width(game)).unwrap_or(u16::MAX);
    if body.width >= MIN_BOARD_WIDTH + PANEL_WIDTH.0 + 2 {
        // The board takes its preferred width, the panel the rest.
        let panel = body.width.saturating_sub(requested.max(MIN_BOARD_WIDTH) + 3).clamp(PANEL_WIDTH.0, PANEL_WIDTH.1);
        let board = Rect { width: body.width - panel - 2, ..body };
        return (board, Some(Rect { x: board.right() + 2, width: panel, ..body }));
    }
    if body.height >= TALL - PANEL_HEIGHT {
        let board = Rect { height: body.height - PANEL_HEIGHT - 1, ..body };
        return (board, Some(Rect { y: board.bottom() + 1, height: PANEL_HEIGHT, ..body }));
    }
    (body, None)
}

fn draw_panel(canvas: &mut Canvas<'_>, room: Rect, game: &GameState) {
    canvas.column(panel::panel(canvas.theme, room.width.into(), room.height.into(), game), room);
}

fn header(canvas: &mut Canvas<'_>, room: Rect, game: &GameState) {
    let theme = canvas.theme;
    let dot = format!(" {} ", theme.dot());
    let who = match game.mode() {
        Mode::Break => "break the code".to_owned(),
        Mode::Make => format!("{} breaks your code", game.setup.spec),
        Mode::Watch => format!("watching {}", game.setup.spec),
    };
    let mut spans = vec![
        Span::styled("Pegwise", theme.of(style::NAME)),
        Span::raw("  "),
        Span::styled(game.rules().to_string(), theme.of(style::HEADING)),
        Span::styled(dot.clone(), theme.of(style::DIM)),
        Span::raw(who),
    ];
    if let Some(most) = game.rules().max_guesses() {
        let guesses = format!("{} of {most} guesses", game.history.len());
        spans.extend([Span::styled(dot, theme.of(style::DIM)), Span::raw(guesses)]);
    }
    let line = Line::from(spans);
    let right = number::codes(Space::new(game.rules()).count());
    let used = line.width() + right.chars().count() + 2;
    canvas.line(room.x, room.y, room.width, line);
    if used <= room.width.into() {
        let width = right.chars().count() as u16;
        canvas.line(room.right() - width, room.y, width, Span::styled(right, theme.of(style::DIM)));
    }
}

/// Returns the height of the palette, which is shown while pegs are typed.
fn palette_height(canvas: &Canvas<'_>, room: Rect, game: &GameState) -> u16 {
    if game.focus() != Focus::Guess {
        return 0;
    }
    let width = Pegs::new(canvas.theme, game.rules()).width(game.rules().colors().into());
    let most = if room.height > 16 { 2 } else { 1 };
    width.div_ceil(room.width.into()).clamp(1, most) as u16
}

fn palette(canvas: &mut Canvas<'_>, room: Rect, game: &GameState) {
    let pegs = Pegs::new(canvas.theme, game.rules());
    let (_, buffer, hits) = canvas.parts();
    let peg_width = pegs.width(1) as u16;
    let per_line = room.width / peg_width;
    let colors = game.rules().colors();
    let shown = (per_line * room.height).min(colors);
    for index in 0..shown {
        let (x, y) = (room.x + index % per_line * peg_width, room.y + index / per_line);
        let more = index + 1 == shown && shown < colors;
        let peg = if more { pegs.hole('…', false) } else { pegs.peg(Some(Color::new(index)), false) };
        buffer.set_line(x, y, &Line::from(peg.to_vec()), peg_width);
        if !more {
            hits.add(Rect::new(x, y, peg_width, 1), Action::Put(u64::from(index) + 1));
        }
    }
}

fn status(canvas: &Canvas<'_>, width: usize, game: &GameState) -> TextColumn {
    let theme = canvas.theme;
    let mut column = TextColumn::new(theme, width);
    if let Some(pending) = game.pending.as_ref().filter(|pending| pending.ticks > 1) {
        const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
        let sign = SPINNER[pending.ticks as usize % SPINNER.len()];
        let examined = match pending.examined {
            0 => String::new(),
            examined => format!(", {} codes examined", number::grouped(examined)),
        };
        let text = match pending.purpose {
            QueryPurpose::Guess if pending.finishing => "Finishing…".to_owned(),
            QueryPurpose::Guess => format!("Thinking{examined}. Esc: use the best guess so far."),
            QueryPurpose::Hint => format!("Looking for a hint{examined}. Esc: cancel."),
            QueryPurpose::Repairs => "Looking for the mistake. Esc: cancel.".to_owned(),
        };
        column.text(style::NAME, &format!("{sign} {text}"));
        return column;
    }
    let note = game.note.clone().unwrap_or_else(|| instructions(game));
    let style = match note.tone {
        Tone::Good => style::GOOD,
        Tone::Bad => style::BAD,
        Tone::Plain => style::PLAIN,
    };
    column.text(style, &note.text);
    column
}

fn instructions(game: &GameState) -> StatusMessage {
    let guesses = number::things(game.history.len(), "guess", "guesses");
    let rules = game.rules();
    let (new, undo, edit) = (game.key('n'), game.key('u'), game.key('e'));
    if game.editing.is_some() {
        return plain(format!("Change the answer and press Enter; {edit} edits the turn before."));
    }
    if game.repairs.is_some() {
        return bad(format!("An answer is wrong: choose a correction, or press {edit} to edit."));
    }
    if game.is_over() {
        return match (game.mode(), game.history.is_solved()) {
            (Mode::Break, true) => good(format!("You broke the code in {guesses}! {new} plays again.")),
            (Mode::Break, false) if game.revealed => plain(format!("This was the code. {new} plays again.")),
            (Mode::Break, false) => bad(format!("Not in {guesses}. This was the code; {new} plays again.")),
            (Mode::Make, true) => good(format!("I broke your code in {guesses}! {new} plays again.")),
            (Mode::Make, false) => good(format!("You won: I did not break it in {guesses}.")),
            (Mode::Watch, true) => good(format!("Broken in {guesses}. {undo} steps back, {new} starts another.")),
            (Mode::Watch, false) => bad(format!("Not broken in {guesses}.")),
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
            plain(format!("Hint{guess}. Press {} to use it, or type your own guess.", game.key('h')))
        }
        (Mode::Break, _) => plain(format!("Your guess: type {colors}{once}, then Enter.")),
        (Mode::Make, Focus::Guess) => plain("Think of a code and press Enter, or type it: the computer will not look."),
        (Mode::Make, Focus::Marks) if game.secret.is_some() => {
            plain("This is the feedback of your code. Press Enter to answer.")
        }
        (Mode::Make, Focus::Marks) => plain(format!("Your feedback: type {}, then Enter.", feedback_prompt(rules))),
        (Mode::Make, _) => plain("Thinking…"),
        (Mode::Watch, _) if game.running => plain(format!("A turn every {} s. Space pauses.", game.seconds_per_turn())),
        (Mode::Watch, _) if game.computer_guess.is_none() => plain("Thinking…"),
        (Mode::Watch, _) => plain("Enter plays the guess; Space runs the game."),
    }
}

fn feedback_prompt(rules: &Rules) -> String {
    let model = rules.feedback().model();
    if model.per_cell {
        return "for each cell, 2 for black, 1 for white or 0 for none".to_owned();
    }
    let names: Vec<String> = model.numbers.iter().map(|number| format!("the {}", number.counted)).collect();
    names.join(", then ")
}

const NAMES: u16 = 12;
const MENU_WIDTH: u16 = 64;

pub(super) fn draw_menu(canvas: &mut Canvas<'_>, area: Rect, model: &Model) {
    let theme = canvas.theme;
    let fields = model.menu.fields();
    let width = area.width.min(MENU_WIDTH) - 2;
    let keys = menu_keys(model);
    let legend_rows = legend_height(&keys, area.width - 2, 2);
    // Title, empty line, fields, empty line, help text.
    let requested = 2 + fields.len() as u16 + 3;
    let free = area.height.saturating_sub(requested + legend_rows + 1);
    let (x, mut y) = (area.x + (area.width - width) / 2, area.y + (free / 3).min(4));
    title(canvas, Rect::new(x, y, width, 1), model);
    y += 2;

    let room = area.bottom().saturating_sub(y + legend_rows + 2).max(1);
    // The selected line is always visible.
    let first = (model.menu.chosen + 1).saturating_sub(room.into());
    for (index, &field) in fields.iter().enumerate().skip(first).take(room.into()) {
        menu_line(canvas, Rect::new(x, y, width, 1), model, index, field);
        y += 1;
    }
    let (text, style) = match &model.note {
        Some(note) if note.tone == Tone::Bad => (note.text.clone(), style::BAD),
        Some(note) => (note.text.clone(), style::GOOD),
        None => (model.menu.about(model.menu.field()), style::DIM),
    };
    let y = (y + 1).min(area.bottom() - legend_rows - 1);
    let mut column = TextColumn::new(theme, width.into());
    column.text(style, &text);
    let room = Rect::new(x, y, width, (area.bottom() - legend_rows).saturating_sub(y));
    canvas.column(column, room);
    let legend_room = Rect::new(area.x + 1, area.bottom() - legend_rows, area.width - 2, legend_rows);
    draw_legend(canvas, legend_room, &keys, false);
}

fn title(canvas: &mut Canvas<'_>, room: Rect, model: &Model) {
    let theme = canvas.theme;
    let mut spans = vec![Span::styled("Pegwise", theme.of(style::NAME)), Span::raw("  ")];
    if let Ok(rules) = model.menu.rules() {
        // Sample of the pegs.
        let pegs = Pegs::new(theme, &rules);
        let codes = number::codes(Space::new(&rules).count());
        let free = usize::from(room.width).saturating_sub(codes.chars().count() + 11);
        let shown = usize::from(rules.colors()).min(free / pegs.width(1));
        let colors: Vec<_> = (0..shown).map(|index| Color::new(index as u16)).collect();
        spans.extend(pegs.code(&colors));
        spans.push(Span::styled(format!("  {codes}"), theme.of(style::DIM)));
    }
    canvas.line(room.x, room.y, room.width, Line::from(spans));
}

fn menu_line(canvas: &mut Canvas<'_>, room: Rect, model: &Model, index: usize, field: Field) {
    let theme = canvas.theme;
    let chosen = index == model.menu.chosen;
    let mark = if chosen { "> " } else { "  " };
    let name = model.menu.name(field);
    let style = if chosen { theme.of(style::NAME) } else { theme.of(style::DIM) };
    let (_, buffer, hits) = canvas.parts();
    hits.add(room, Action::Choose(index));
    buffer.set_stringn(room.x, room.y, format!("{mark}{name}"), NAMES.into(), style);
    let (x, width) = (room.x + NAMES, room.width.saturating_sub(NAMES));
    if let Some(typing) = model.menu.typing.as_ref().filter(|_| field == Field::Rules) {
        let (before, after) = typing.parts();
        typed_line(buffer, Rect::new(x, room.y, width, 1), theme, &before, &after);
        return;
    }
    if field == Field::Start {
        let style = if chosen { theme.chosen() } else { theme.of(style::HEADING) };
        buffer.set_string(x, room.y, "[ Start ]", style);
        return;
    }
    let value = model.menu.value(field);
    let style = if chosen { theme.of(style::HEADING) } else { Style::new() };
    if field == Field::Rules {
        buffer.set_stringn(x, room.y, value, width.into(), style);
        return;
    }
    let value: String = value.chars().take(usize::from(width).saturating_sub(4)).collect();
    let end = x + 2 + value.chars().count() as u16;
    let arrow = if chosen { theme.of(style::NAME) } else { theme.of(style::DIM) };
    buffer.set_string(x, room.y, "‹ ", arrow);
    buffer.set_string(x + 2, room.y, &value, style);
    buffer.set_string(end, room.y, " ›", arrow);
    hits.add(Rect::new(x, room.y, 2, 1), Action::Change(index, false));
    hits.add(Rect::new(x + 2, room.y, end - x, 1), Action::Change(index, true));
}

/// Key, description, and action of a click.
type Key = (&'static str, &'static str, Action);

fn game_keys(game: &GameState) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    match game.focus() {
        Focus::Guess if game.ready => keys.push(("Enter", "guess", Action::Enter)),
        Focus::Guess => keys.push(("Enter", "ready", Action::Enter)),
        Focus::Marks if game.editing.is_some() => {
            keys.extend([("Enter", "change", Action::Enter), ("Esc", "cancel", Action::Escape)]);
        }
        Focus::Marks => keys.push(("Enter", "answer", Action::Enter)),
        Focus::Repairs => keys.push(("Enter", "correct", Action::Enter)),
        Focus::Nothing if game.mode() == Mode::Watch && !game.is_over() => {
            let run = if game.running { "pause" } else { "run" };
            keys.extend([("Enter", "next", Action::Enter), ("Space", run, Action::Run)]);
            keys.extend([("+", "faster", Action::Faster(true)), ("-", "slower", Action::Faster(false))]);
        }
        Focus::Nothing => {}
    }
    if game.mode() == Mode::Break && !game.is_over() {
        keys.push(("h", if game.hint.is_some() { "use it" } else { "hint" }, Action::Hint));
    }
    keys.push(("u", "undo", Action::Undo));
    if game.mode() == Mode::Make && game.secret.is_none() && !game.history.is_empty() {
        keys.push(("e", "edit", Action::Edit(None)));
    }
    if game.mode() == Mode::Break && !game.is_over() {
        keys.push(("g", "give up", Action::GiveUp));
    }
    keys.push(("n", "new", Action::Menu));
    if !game.history.is_empty() {
        keys.push(("a", "analysis", Action::Analyze));
    }
    keys.extend([("s", "save", Action::Save), ("l", "share", Action::Share)]);
    keys.extend([("?", "help", Action::Help), ("q", "quit", Action::Quit)]);
    keys
}

fn menu_keys(model: &Model) -> Vec<Key> {
    let back = if model.game.is_some() { "back" } else { "quit" };
    vec![
        ("Enter", "play", Action::Enter),
        ("o", "open a saved game", Action::Load),
        ("?", "help", Action::Help),
        ("Esc", back, Action::Escape),
    ]
}

fn legend_lines(keys: &[Key], width: usize) -> Vec<Vec<Key>> {
    let mut lines: Vec<Vec<Key>> = vec![Vec::new()];
    let mut used = 0;
    for &key in keys {
        let length = key_width(key);
        if used > 0 && used + length > width {
            lines.push(Vec::new());
            used = 0;
        }
        used += length + KEY_GAP;
        if let Some(line) = lines.last_mut() {
            line.push(key);
        }
    }
    lines
}

const KEY_GAP: usize = 3;

fn key_width((key, word, _): Key) -> usize {
    key.chars().count() + 1 + word.chars().count()
}

/// Returns the number of lines of the keys, at most `most`.
fn legend_height(keys: &[Key], width: u16, most: u16) -> u16 {
    (legend_lines(keys, width.into()).len() as u16).min(most)
}

/// Returns the keys that fit into `most` lines; the last two, help and quit, always stay.
fn fitting(keys: &[Key], width: usize, most: usize) -> Vec<Key> {
    let mut keys = keys.to_vec();
    while legend_lines(&keys, width).len() > most && keys.len() > 3 {
        keys.remove(keys.len() - 3);
    }
    keys
}

/// Draws the keys; commands are upper-case letters if `upper` is set.
fn draw_legend(canvas: &mut Canvas<'_>, room: Rect, keys: &[Key], upper: bool) {
    let (theme, buffer, hits) = canvas.parts();
    let keys = fitting(keys, room.width.into(), room.height.into());
    for (line, y) in legend_lines(&keys, room.width.into()).into_iter().zip(room.top()..room.bottom()) {
        let mut x = room.x;
        for (key, word, action) in line {
            let key = if upper && key.len() == 1 { key.to_uppercase() } else { key.to_owned() };
            let width = key_width(("", word, action)) as u16 + key.chars().count() as u16;
            let text = Line::from(vec![
                Span::styled(key, theme.of(style::NAME)),
                Span::raw(" "),
                Span::styled(word, theme.of(style::DIM)),
            ]);
            buffer.set_line(x, y, &text, width);
            hits.add(Rect::new(x, y, width, 1), action);
            x += width + KEY_GAP as u16;
        }
    }
}

const WIDTH: u16 = 76;

pub(super) fn draw_overlay(canvas: &mut Canvas<'_>, area: Rect, model: &Model) {
    let Some(overlay) = &model.overlay else { return };
    let theme = canvas.theme;
    let width = area.width.min(WIDTH);
    let mut column = TextColumn::new(theme, usize::from(width) - 4);
    let (title, foot) = match overlay {
        Overlay::Help => {
            help(&mut column);
            ("Keys", "any key: close")
        }
        Overlay::Analysis => {
            if let Some(game) = &model.game {
                panel::fill_analysis(&mut column, game);
            }
            ("Analysis", "any key: close")
        }
        Overlay::Share(line) => {
            column.text(style::PLAIN, line);
            column.gap();
            column.text(style::DIM, "Resume it anywhere with pegwise play --load 'LINE', or paste it into the game.");
            ("This game as a line of text", "Enter: copy")
        }
        Overlay::File { purpose, .. } => {
            column.line("");
            column.gap();
            match purpose {
                FilePurpose::Save => column.text(style::DIM, "Resume it with pegwise play --load FILE."),
                FilePurpose::Overwrite(_) => column.text(style::BAD, "The file exists. Enter replaces it."),
                FilePurpose::Load => column.text(style::DIM, "Name of a saved game."),
            }
            (if *purpose == FilePurpose::Load { "Open" } else { "Save as" }, "Enter: yes   Esc: no")
        }
    };
    let height = (column.height() as u16).saturating_add(2).min(area.height);
    let room = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let inside = Rect::new(room.x + 2, room.y + 1, room.width - 4, room.height - 2);
    let last = column.height().saturating_sub(inside.height.into());
    canvas.drawn.page = last;
    let more = if last > 0 { " ↑↓ scroll ·" } else { "" };

    let (_, buffer, hits) = canvas.parts();
    hits.clear();
    hits.add(area, Action::Escape);
    Clear.render(room, buffer);
    let mut frame = Block::bordered()
        .border_style(theme.of(style::DIM))
        .title(Span::styled(format!(" {title} "), theme.of(style::HEADING)));
    frame =
        frame.title_bottom(Line::from(Span::styled(format!("{more} {foot} "), theme.of(style::DIM))).right_aligned());
    frame.border_set(symbols::border::ROUNDED).render(room, buffer);
    if matches!(overlay, Overlay::Share(_) | Overlay::File { .. }) {
        hits.add(room, Action::Enter);
    }
    column.draw_from(model.page.min(last), inside, buffer, hits);
    if let Overlay::File { line, .. } = overlay {
        let (before, after) = line.parts();
        typed_line(buffer, Rect { height: 1, ..inside }, theme, &before, &after);
    }
}

/// Draws a line being typed, scrolled to its cursor.
fn typed_line(buffer: &mut Buffer, room: Rect, theme: Theme, before: &str, after: &str) {
    let width = usize::from(room.width).max(2);
    let hidden = (before.chars().count() + 1).saturating_sub(width);
    let before: String = before.chars().skip(hidden).collect();
    let mut rest = after.chars();
    let under: String = rest.next().unwrap_or(' ').to_string();
    let line = Line::from(vec![
        Span::styled(before, theme.of(style::HEADING)),
        Span::styled(under, theme.chosen()),
        Span::styled(rest.collect::<String>(), theme.of(style::HEADING)),
    ]);
    buffer.set_line(room.x, room.y, &line, room.width);
}

pub(super) fn too_small(canvas: &mut Canvas<'_>, area: Rect) {
    let mut column = TextColumn::new(canvas.theme, area.width.max(1).into());
    column.text(style::HEADING, "Please enlarge the window.");
    column.text(style::DIM, "q: quit");
    canvas.column(column, area);
}

/// Help by group: a heading, then lines with a key, two spaces and its meaning.
const HELP: [&str; 4] = [
    "Typing
1 2 3 …  a color, or a number of an answer; a b c … for ten or more colors
← → Tab  move the cursor
↑ ↓  change the color or number; move between rows
+ -  change the color or number
Backspace  erase; c erases everything
Enter  play the guess, give the answer",
    "Playing
h  hint; press again to use it
u  undo a turn (Ctrl-Z)
e  change an earlier answer of yours
g  give up and see the code
a  analysis: skill, luck, and better guesses
Space  run or pause a watched game; + and - change its speed
Esc  stop thinking, close a box, open the menu",
    "Games
n  new game: mode, board, colors, feedback, strategy
s o  save and open games (Ctrl-S, Ctrl-O)
l  the game as a line of text, which can be pasted to open it
PgUp PgDn  earlier and later turns; < and > scroll a wide board
q  quit (Ctrl-C)",
    "Mouse
click  a color, a cell, a key in the last line, an answer
wheel  change the color of a cell; scroll elsewhere
right click  clear a cell",
];

fn help(column: &mut TextColumn) {
    for group in HELP {
        let mut lines = group.lines();
        column.heading(lines.next().unwrap_or_default());
        for (key, words) in lines.map(|line| line.split_once("  ").unwrap_or((line, ""))) {
            const KEYS: usize = 14;
            let room = column.width.saturating_sub(KEYS).max(10);
            for (index, part) in wrap(words, room).into_iter().enumerate() {
                let key = if index == 0 { key } else { "" };
                column.spans(&[(style::NAME, &format!("{key:<KEYS$}")), (style::PLAIN, &part)]);
            }
        }
    }
    column.gap();
    column.text(style::DIM, "If letters are colors, use upper-case letters for commands: H U E G A N S O L Q.");
}
