//! The board: turns below each other, and the one being typed. A board larger than its area shows the part around the
//! cursor.

use pegwise_coach::Mode;
use pegwise_game::{Color, Feedback, Mark, Palette, Rules, Shape, Turn};
use ratatui::{layout::Rect, style::Style, text::Span};

use super::{
    Canvas,
    widgets::{Theme, Viewport},
};
use crate::{
    play::model::{Focus, GameState, Model, SlotEditor, event::Action},
    ui::{cell_rows, style},
};

const NUMBER: usize = 5;

#[derive(Debug, Clone, Copy)]
enum BoardItem<'a> {
    /// The code, if it may be seen.
    Code(&'a [Color]),
    /// Turn and its index.
    Turn(usize, &'a Turn),
    /// Guess or code being typed.
    Typed(&'a SlotEditor),
    Guess(&'a [Color]),
}

enum RowFeedback<'a> {
    Given(&'a Feedback),
    Typed(&'a SlotEditor),
}

pub(super) fn preferred_width(game: &GameState) -> usize {
    NUMBER + TurnLayout::new(game.rules(), usize::MAX).width
}

pub(super) fn overflows(game: &GameState, width: usize) -> bool {
    NUMBER + TurnLayout::new(game.rules(), width.saturating_sub(NUMBER)).width > width
}

/// Draws the board. Returns the maximum scroll positions.
pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    room: Rect,
    model: &Model,
    game: &GameState,
    counts: bool,
) -> (usize, usize) {
    let plan = TurnLayout::new(game.rules(), usize::from(room.width).saturating_sub(NUMBER));
    let items = items(game);
    let (width, height) = (usize::from(room.width), usize::from(room.height));
    // Empty lines between turns, if there is room.
    const USUAL_TURNS: usize = 8;
    let pitch =
        plan.height + usize::from(plan.height > 1 || items.len().max(USUAL_TURNS) * (plan.height + 1) <= height + 1);
    let total = (items.len() * pitch).saturating_sub(pitch - plan.height);
    let content = NUMBER + plan.width;

    let cursor = cursor(game, &plan, &items);
    let most_shift = content.saturating_sub(width);
    let left = match cursor {
        // Scroll just far enough to show the cursor and a few pegs after it.
        Some((_, x, _)) => (NUMBER + x + 3 * plan.peg()).saturating_sub(width).min(most_shift),
        None => model.shift.min(most_shift),
    };
    let bottom = total.saturating_sub(height);
    let top = match cursor {
        Some((item, _, y)) if item + 1 < items.len() || plan.height > height => {
            (item * pitch + y).saturating_sub(height / 2).min(bottom)
        }
        _ => bottom,
    };
    let top_seen = top.saturating_sub(model.scroll);

    let (theme, buffer, hits) = canvas.parts();
    let mut board = BoardView {
        viewport: Viewport { buffer, hits, area: room, left, top: top_seen },
        theme,
        pegs: Pegs::new(theme, game.rules()),
        plan: &plan,
        game,
        counts,
    };
    for (index, &item) in items.iter().enumerate() {
        let y = index * pitch;
        // Only visible rows are drawn.
        if y + plan.height > top_seen && y < top_seen + height {
            board.item(item, y);
        }
    }
    (top, most_shift)
}

fn items(game: &GameState) -> Vec<BoardItem<'_>> {
    let secret = game.secret.as_deref();
    let turns = game.history.turns().iter().enumerate().map(|(index, turn)| BoardItem::Turn(index, turn));
    let mut items: Vec<BoardItem<'_>> = Vec::new();
    items.extend(secret.filter(|_| game.mode() == Mode::Watch).map(BoardItem::Code));
    items.extend(turns);
    if game.is_over() {
        let missed = game.mode() == Mode::Break && !game.history.is_solved();
        items.extend(secret.filter(|_| missed).map(BoardItem::Code));
    } else if let Some(computer_guess) = &game.computer_guess {
        items.push(BoardItem::Guess(&computer_guess.guess));
    } else if game.mode() == Mode::Break || !game.ready {
        items.push(BoardItem::Typed(&game.entry));
    }
    items
}

/// Returns the row of the cursor and its position in the row.
fn cursor(game: &GameState, plan: &TurnLayout, items: &[BoardItem<'_>]) -> Option<(usize, usize, usize)> {
    let entry = game.typed()?;
    let item = match game.editing {
        Some(turn) => turn,
        None => items.len().checked_sub(1)?,
    };
    if game.focus() == Focus::Guess {
        let &(x, y) = plan.pegs.get(entry.cursor)?;
        return Some((item, x, y));
    }
    let numbers = entry.len() / plan.marks.len();
    let spot = plan.marks.get(entry.cursor / numbers)?;
    Some((item, spot.x, spot.y))
}

struct BoardView<'a> {
    viewport: Viewport<'a>,
    theme: Theme,
    pegs: Pegs,
    plan: &'a TurnLayout,
    game: &'a GameState,
    /// True if turns show the number of remaining codes.
    counts: bool,
}

impl BoardView<'_> {
    fn item(&mut self, item: BoardItem<'_>, y: usize) {
        let game = self.game;
        match item {
            BoardItem::Code(code) => {
                self.viewport.put(0, y, "code", self.theme.of(style::HEADING));
                self.code(code, y);
            }
            BoardItem::Turn(index, turn) => {
                let blamed = game.repairs.as_ref().is_some_and(|repairs| {
                    repairs.contradiction.turns.iter().any(|turns| turns.contains(&(index + 1)))
                });
                let style = if blamed { self.theme.of(style::BAD) } else { self.theme.of(style::DIM) };
                let number = if blamed { format!("!{:>2}", index + 1) } else { format!("{:>3}", index + 1) };
                self.viewport.put(0, y, &number, style);
                self.code(&turn.guess, y);
                if game.editing == Some(index) {
                    self.answer(RowFeedback::Typed(&game.marks), y);
                } else {
                    self.answer(RowFeedback::Given(&turn.feedback), y);
                    self.edit_on_click(index, y);
                }
                self.count(index + 1, y);
            }
            BoardItem::Typed(entry) => {
                let label = if game.ready { format!("{:>3}", game.history.len() + 1) } else { "code".to_owned() };
                self.viewport.put(0, y, &label, self.theme.of(style::NAME));
                self.typed(entry, y);
            }
            BoardItem::Guess(guess) => {
                self.viewport.put(0, y, &format!("{:>3}", game.history.len() + 1), self.theme.of(style::NAME));
                self.code(guess, y);
                let asks = game.mode() == Mode::Make && game.focus() == Focus::Marks && game.editing.is_none();
                if asks {
                    self.answer(RowFeedback::Typed(&game.marks), y);
                }
            }
        }
    }

    fn spans(&mut self, x: usize, y: usize, spans: &[Span<'_>]) {
        let mut x = x;
        for span in spans {
            self.viewport.put(x, y, &span.content, span.style);
            x += span.content.chars().count();
        }
    }

    fn code(&mut self, code: &[Color], y: usize) {
        for (&color, &(x, line)) in code.iter().zip(&self.plan.pegs) {
            let peg = self.pegs.peg(Some(color), false);
            self.spans(NUMBER + x, y + line, &peg);
        }
    }

    fn typed(&mut self, entry: &SlotEditor, y: usize) {
        for (cell, &(x, line)) in self.plan.pegs.iter().enumerate() {
            let color = entry.value(cell).and_then(|number| Color::from_number(u16::try_from(number).ok()?));
            let peg = self.pegs.peg(color, cell == entry.cursor);
            self.spans(NUMBER + x, y + line, &peg);
            self.viewport.hit_slot(NUMBER + x, y + line, self.plan.peg(), cell);
        }
    }

    fn answer(&mut self, answer: RowFeedback<'_>, y: usize) {
        for (x, line, word) in &self.plan.words {
            self.viewport.put(NUMBER + x, y + line, word, self.theme.of(style::DIM));
        }
        for (line, spot) in self.plan.marks.iter().enumerate() {
            let (mut x, y) = (NUMBER + spot.x, y + spot.y);
            let mark = match &answer {
                RowFeedback::Given(feedback) => feedback.marks().get(line).copied(),
                RowFeedback::Typed(entry) => self.preview(entry, line),
            };
            if spot.pegs {
                let pegs = mark.map(|mark| self.pegs.mark(mark)).unwrap_or_default();
                self.spans(x, y, &pegs);
                x += self.plan.room + 2;
            }
            match &answer {
                RowFeedback::Typed(entry) => self.fields(entry, line, x, y),
                _ => {
                    let text = mark.map(|mark| mark.to_string()).unwrap_or_default();
                    let style = if spot.pegs { self.theme.of(style::DIM) } else { Style::new() };
                    self.viewport.put(x, y, &text, style);
                }
            }
        }
    }

    /// Returns the mark being typed, if its pegs fit.
    fn preview(&self, entry: &SlotEditor, line: usize) -> Option<Mark> {
        let numbers: Vec<u64> = entry.of_line(line).map(|slot| entry.value(slot).unwrap_or(0)).collect();
        let mark = Mark::of(self.game.rules().feedback(), &numbers)?;
        let pegs = mark.key_pegs().iter().map(|(count, _)| count).sum::<usize>();
        (pegs <= self.plan.room).then_some(mark)
    }

    fn fields(&mut self, entry: &SlotEditor, line: usize, x: usize, y: usize) {
        let digits = self.plan.digits;
        for (index, slot) in entry.of_line(line).enumerate() {
            let x = x + index * (digits + 1);
            if index > 0 {
                self.viewport.put(x - 1, y, ",", self.theme.of(style::DIM));
            }
            let value = entry.value(slot).map_or_else(|| "_".to_owned(), |value| value.to_string());
            let style = if slot == entry.cursor { self.theme.chosen() } else { self.theme.of(style::HEADING) };
            self.viewport.put(x, y, &format!("{value:>digits$}"), style);
            self.viewport.hit_slot(x, y, digits, slot);
        }
    }

    /// Makes the marks of a turn clickable, if the player gave them.
    fn edit_on_click(&mut self, index: usize, y: usize) {
        if self.game.mode() != Mode::Make || self.game.secret.is_some() {
            return;
        }
        for spot in &self.plan.marks {
            let width = self.plan.digits + if spot.pegs { self.plan.room + 2 } else { 0 };
            self.viewport.hit(NUMBER + spot.x, y + spot.y, width, Action::Edit(Some(index)));
        }
    }

    fn count(&mut self, turns: usize, y: usize) {
        let left = self.game.left(turns).filter(|left| self.counts && !left.is_unknown());
        let Some(left) = left else { return };
        let x = NUMBER + self.plan.width + 2;
        let room = (self.viewport.left + usize::from(self.viewport.area.width)).saturating_sub(x);
        let number = left.short();
        let texts = [format!("{number} left"), number];
        if let Some(text) = texts.iter().find(|text| text.chars().count() <= room) {
            self.viewport.put(x, y, text, self.theme.of(style::DIM));
        }
    }
}

/// Renderer of the pegs of one game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pegs {
    theme: Theme,
    palette: Palette,
    label: usize,
}

impl Pegs {
    pub(super) fn new(theme: Theme, rules: &Rules) -> Self {
        let palette = rules.palette();
        Self { theme, palette, label: palette.label(Color::new(rules.colors() - 1)).len() }
    }

    /// Draws a peg or an empty place: left edge, label, right edge.
    pub(super) fn peg(&self, color: Option<Color>, is_cursor: bool) -> [Span<'static>; 3] {
        let Some(color) = color else { return self.hole('·', is_cursor) };
        let label = format!("{:>width$}", self.palette.label(color), width = self.label);
        let (body, edge) = self.theme.peg(color);
        let (left, right, edge) = match (is_cursor, self.theme.color) {
            (true, _) => ("[", "]", self.theme.of(style::HEADING)),
            (false, true) if self.theme.unicode => ("▐", "▌", edge),
            (false, true) => (" ", " ", body),
            (false, false) => ("(", ")", Style::new()),
        };
        [Span::styled(left, edge), Span::styled(label, body), Span::styled(right, edge)]
    }

    pub(super) fn hole(&self, sign: char, is_cursor: bool) -> [Span<'static>; 3] {
        let label = format!("{sign:>width$}", width = self.label);
        let (left, right, style) = match is_cursor {
            true => ("[", "]", self.theme.of(style::HEADING)),
            false => (" ", " ", self.theme.of(style::DIM)),
        };
        [Span::styled(left, style), Span::styled(label, style), Span::styled(right, style)]
    }

    pub(super) fn code(&self, code: &[Color]) -> Vec<Span<'static>> {
        code.iter().flat_map(|&color| self.peg(Some(color), false)).collect()
    }

    pub(super) fn width(&self, cells: usize) -> usize {
        cells * (self.label + 2)
    }

    pub(super) fn mark(&self, mark: Mark) -> Vec<Span<'static>> {
        let drawn = mark.key_pegs().into_iter().map(|(count, peg)| {
            let (sign, style) = style::key_peg(peg);
            let sign = if peg.is_some() { sign } else { self.theme.dot() };
            Span::styled(sign.repeat(count), self.theme.of(style))
        });
        drawn.collect()
    }
}

/// Positions of the pegs and marks of one turn, from its upper left corner.
#[derive(Debug, Clone)]
pub(super) struct TurnLayout {
    pub(super) pegs: Vec<(usize, usize)>,
    pub(super) marks: Vec<MarkPlace>,
    pub(super) words: Vec<(usize, usize, String)>,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Width of a color's label.
    pub(super) label: usize,
    /// Width of one number of a mark.
    pub(super) digits: usize,
    /// Columns for the pegs of a mark; 0 if marks are numbers only.
    pub(super) room: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct MarkPlace {
    pub(super) x: usize,
    pub(super) y: usize,
    /// True if pegs are drawn before the numbers.
    pub(super) pegs: bool,
}

/// Longest line whose marks are drawn as pegs.
const MAX_PEGS: usize = 10;
/// Columns between pegs and marks.
const GAP: usize = 2;
/// Columns between the layers of a cube, and between marks in a list.
const APART: usize = 3;

impl TurnLayout {
    /// Lays out a turn in `width` columns, if possible.
    pub(super) fn new(rules: &Rules, width: usize) -> Self {
        let longest = rules.board().longest_line();
        let model = rules.feedback().model();
        let largest = model.max_number(longest, rules.colors());
        let draws_pegs = longest <= MAX_PEGS && model.cell.is_count();
        let label = rules.palette().label(Color::new(rules.colors() - 1)).len();
        let mut plan = Self {
            pegs: Vec::new(),
            marks: Vec::new(),
            words: Vec::new(),
            width: 0,
            height: 0,
            label,
            digits: largest.to_string().len(),
            room: if draws_pegs { longest } else { 0 },
        };
        let numbers = plan.numbers(rules);
        match rules.board().shape() {
            Shape::Row(cells) => plan.row(*cells, width.saturating_sub(GAP + plan.mark_width(numbers))),
            Shape::Grid { rows, columns } => plan.layers(rules, (*rows, *columns), numbers),
            Shape::Cube(sides) => {
                let (rows, columns) = (sides[sides.len() - 2], sides[sides.len() - 1]);
                plan.layers(rules, (rows, columns), numbers);
                plan.list(rules, columns * rows, numbers, |_| "·".to_owned());
            }
            Shape::Triangle(side) => plan.triangle(rules, *side, numbers),
            Shape::Ring(cells) => plan.ring(*cells, width, numbers),
            // Other boards are drawn as a row of cells and a list of lines.
            _ => {
                let lines: Vec<&[usize]> = rules.board().lines().collect();
                plan.cells(rules.cells(), width, plan.peg());
                plan.list(rules, 1, numbers, |line| name(lines[line]));
            }
        }
        let end = |spot: &MarkPlace| spot.x + if spot.pegs { plan.mark_width(numbers) } else { numbers };
        plan.width = plan.marks.iter().map(end).fold(plan.width, usize::max);
        plan
    }

    pub(super) fn peg(&self) -> usize {
        self.label + 2
    }

    /// Returns the width of the numbers of a mark.
    fn numbers(&self, rules: &Rules) -> usize {
        let longest = rules.board().longest_line();
        let numbers = rules.feedback().model().arity(longest);
        numbers * self.digits + numbers - 1
    }

    /// Returns the width of a mark beside its line.
    fn mark_width(&self, numbers: usize) -> usize {
        numbers + if self.room > 0 { self.room + GAP } else { 0 }
    }

    /// Lays out cells one after the other, on as many lines as needed.
    fn cells(&mut self, cells: usize, width: usize, pitch: usize) -> usize {
        let per_line = (width / pitch).clamp(1, cells);
        self.pegs = (0..cells).map(|cell| (cell % per_line * pitch, cell / per_line)).collect();
        self.width = per_line * pitch;
        self.height = cells.div_ceil(per_line);
        per_line
    }

    fn row(&mut self, cells: usize, width: usize) {
        self.cells(cells, width, self.peg());
        self.mark_beside(0, self.width + GAP);
    }

    fn mark_beside(&mut self, y: usize, x: usize) {
        self.marks.push(MarkPlace { x, y, pegs: self.room > 0 });
    }

    /// Lays out grids side by side, with marks of rows beside them and marks of columns below.
    fn layers(&mut self, rules: &Rules, (rows, columns): (usize, usize), numbers: usize) {
        let pitch = self.peg().max(numbers + 1);
        let layer = columns * pitch + GAP + self.mark_width(numbers) + APART;
        for (index, cells) in cell_rows(rules.board()).into_iter().enumerate() {
            let (x, y) = (index / rows * layer, index % rows);
            self.pegs.extend((0..cells.len()).map(|column| (x + column * pitch, y)));
        }
        let layers = rules.cells() / (rows * columns);
        for number in 0..layers {
            for row in 0..rows {
                self.mark_beside(row, number * layer + columns * pitch + GAP);
            }
        }
        for number in 0..layers {
            let place = |column| MarkPlace { x: number * layer + column * pitch, y: rows, pegs: false };
            self.marks.extend((0..columns).map(place));
        }
        self.width = layers * layer - APART;
        self.height = rows + 1;
    }

    fn triangle(&mut self, rules: &Rules, side: usize, numbers: usize) {
        let pitch = self.peg() + self.peg() % 2;
        for (row, cells) in cell_rows(rules.board()).into_iter().enumerate() {
            let start = (side - 1 - row) * pitch / 2;
            self.pegs.extend((0..cells.len()).map(|column| (start + column * pitch, row)));
        }
        self.width = side * pitch;
        (0..side).for_each(|row| self.mark_beside(row, side * pitch + GAP));
        self.height = side;
        let mut direction = |name: &str| {
            self.words.push((0, self.height, name.to_owned()));
            let spot = |line| MarkPlace { x: GAP + line * (numbers + 2), y: self.height, pegs: false };
            self.marks.extend((0..side).map(spot));
            self.height += 1;
        };
        direction("╱");
        direction("╲");
    }

    /// Lays out a ring, with a mark below the middle of each arc.
    fn ring(&mut self, cells: usize, width: usize, numbers: usize) {
        let pitch = self.peg().max(numbers + 1);
        self.cells(cells, width, pitch);
        for peg in &mut self.pegs {
            peg.1 *= 2;
        }
        self.height *= 2;
        let arc = 3.min(cells);
        let middle = |line: usize| self.pegs[(line + arc / 2) % cells];
        self.marks = (0..cells).map(middle).map(|(x, y)| MarkPlace { x, y: y + 1, pegs: false }).collect();
    }

    /// Lays out the remaining marks as a list below.
    fn list(&mut self, rules: &Rules, per_row: usize, numbers: usize, name: impl Fn(usize) -> String) {
        let (first, lines) = (self.marks.len(), rules.board().line_count());
        let names: Vec<String> = (first..lines).map(name).collect();
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let pitch = longest + 1 + numbers + APART;
        let per_row = (self.width.max(pitch * per_row.min(4)) / pitch).max(1);
        for (index, name) in names.into_iter().enumerate() {
            let (x, y) = (index % per_row * pitch, self.height + index / per_row);
            self.words.push((x, y, format!("{name:>longest$}")));
            self.marks.push(MarkPlace { x: x + longest + 1, y, pegs: false });
        }
        self.width = self.width.max(per_row * pitch - APART);
        self.height += (lines - first).div_ceil(per_row);
    }
}

/// Returns the name of a line: its first cells, one-based.
fn name(line: &[usize]) -> String {
    let cells: Vec<String> = line.iter().take(4).map(|cell| (cell + 1).to_string()).collect();
    let more = if line.len() > 4 { "…" } else { "" };
    format!("{}{more}", cells.join("."))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_peg_and_mark_has_a_place_of_its_own() {
        let all = "4x6 100x100 1x1 grid:4x4x6 grid:1x9x300 triangle:4x6 triangle:1x2 cube:3x3x3x6 cube:2x2x2x2x3 \
            ring:8x6 ring:2x2 lines:1.2.3/3.4.5x6 4x6:distance grid:3x3x9:distance";
        for rules in all.split(' ') {
            let rules: Rules = rules.parse().unwrap();
            for width in [0, 20, 60, 200] {
                let plan = TurnLayout::new(&rules, width);
                assert_eq!((plan.pegs.len(), plan.marks.len()), (rules.cells(), rules.board().line_count()), "{rules}");
                let mut taken = HashSet::new();
                let numbers = plan.numbers(&rules);
                for &(x, y) in &plan.pegs {
                    assert!(x + plan.peg() <= plan.width && y < plan.height, "{rules} at {width}");
                    assert!((x..x + plan.peg()).all(|x| taken.insert((x, y))), "{rules} at {width}");
                }
                for spot in &plan.marks {
                    let width = if spot.pegs { plan.mark_width(numbers) } else { numbers };
                    assert!(
                        spot.x + width <= plan.width && spot.y < plan.height,
                        "{rules} at {width}: {spot:?} {plan:?}"
                    );
                    assert!((spot.x..spot.x + width).all(|x| taken.insert((x, spot.y))), "{rules}: {spot:?}");
                }
            }
        }
    }
}
