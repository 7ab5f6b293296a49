//! The board: turns below each other, and the one being typed. It shows the part that matters when it is larger than
//! its part of the screen.

use pegwise_coach::Mode;
use pegwise_game::{Color, Feedback, Mark, Turn};
use ratatui::{style::Style, text::Span};

use super::{
    Drawing, Room,
    layout::Layout,
    pegs::{Pegs, Place},
    sheet::Sheet,
    theme::Look,
};
use crate::play::model::{Entry, Focus, Game, Model, event::Action};

/// The column of turn numbers.
const NUMBER: usize = 5;

/// Something on the board.
#[derive(Debug, Clone, Copy)]
enum Item<'a> {
    /// The code, where it may be seen.
    Code(&'a [Color]),
    /// A turn by its index.
    Turn(usize, &'a Turn),
    /// The guess being typed, or the code being made.
    Typed(&'a Entry),
    /// The computer's guess.
    Guess(&'a [Color]),
}

/// Where the mark of an item comes from.
enum Answer<'a> {
    None,
    Given(&'a Feedback),
    Typed(&'a Entry),
}

/// The width that a board would like to have.
pub(super) fn wished_width(game: &Game) -> usize {
    NUMBER + Layout::new(game.rules(), usize::MAX).width
}

/// Whether a board is wider than this, whatever is done about it.
pub(super) fn overflows(game: &Game, width: usize) -> bool {
    NUMBER + Layout::new(game.rules(), width.saturating_sub(NUMBER)).width > width
}

/// Draws the board, and says how far it can be scrolled back and moved sideways.
pub(super) fn draw(drawing: &mut Drawing<'_>, room: Room, model: &Model, game: &Game, counts: bool) -> (usize, usize) {
    let plan = Layout::new(game.rules(), usize::from(room.width).saturating_sub(NUMBER));
    let items = items(game);
    let (width, height) = (usize::from(room.width), usize::from(room.height));
    // Air between turns while there is plenty.
    const USUAL_TURNS: usize = 8;
    let pitch =
        plan.height + usize::from(plan.height > 1 || items.len().max(USUAL_TURNS) * (plan.height + 1) <= height + 1);
    let total = (items.len() * pitch).saturating_sub(pitch - plan.height);
    let content = NUMBER + plan.width;

    let cursor = cursor(game, &plan, &items);
    let most_shift = content.saturating_sub(width);
    let left = match cursor {
        // As far as it must be for the cursor to be seen, and a few pegs after it.
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

    let (look, buffer, hits) = drawing.parts();
    let mut board = Board {
        sheet: Sheet { buffer, hits, area: room, left, top: top_seen },
        look,
        pegs: Pegs::new(look, game.rules()),
        plan: &plan,
        game,
        counts,
    };
    for (index, &item) in items.iter().enumerate() {
        let y = index * pitch;
        // Long games on large boards have far more pegs than are seen.
        if y + plan.height > top_seen && y < top_seen + height {
            board.item(item, y);
        }
    }
    (top, most_shift)
}

fn items(game: &Game) -> Vec<Item<'_>> {
    let secret = game.secret.as_deref();
    let turns = game.history.turns().iter().enumerate().map(|(index, turn)| Item::Turn(index, turn));
    let mut items: Vec<Item<'_>> = Vec::new();
    items.extend(secret.filter(|_| game.mode() == Mode::Watch).map(Item::Code));
    items.extend(turns);
    if game.is_over() {
        let missed = game.mode() == Mode::Break && !game.history.is_solved();
        items.extend(secret.filter(|_| missed).map(Item::Code));
    } else if let Some(thought) = &game.thought {
        items.push(Item::Guess(&thought.guess));
    } else if game.mode() == Mode::Break || !game.ready {
        items.push(Item::Typed(&game.entry));
    }
    items
}

/// The item that the cursor is on, and where in it.
fn cursor(game: &Game, plan: &Layout, items: &[Item<'_>]) -> Option<(usize, usize, usize)> {
    let entry = game.typed()?;
    let item = match game.editing {
        Some(turn) => turn,
        None => items.len().checked_sub(1)?,
    };
    if game.focus() == Focus::Guess {
        let &(x, y) = plan.pegs.get(entry.cursor())?;
        return Some((item, x, y));
    }
    let numbers = entry.len() / plan.marks.len();
    let spot = plan.marks.get(entry.cursor() / numbers)?;
    Some((item, spot.x, spot.y))
}

/// The board being drawn.
struct Board<'a> {
    sheet: Sheet<'a>,
    look: Look,
    pegs: Pegs,
    plan: &'a Layout,
    game: &'a Game,
    /// Whether turns say how many codes are left.
    counts: bool,
}

impl Board<'_> {
    fn item(&mut self, item: Item<'_>, y: usize) {
        let game = self.game;
        match item {
            Item::Code(code) => {
                self.sheet.put(0, y, "code", self.look.bold());
                self.code(code, y);
            }
            Item::Turn(index, turn) => {
                let blamed = game.trouble.as_ref().is_some_and(|trouble| {
                    trouble.contradiction.turns.iter().any(|turns| turns.contains(&(index + 1)))
                });
                let style = if blamed { self.look.bad() } else { self.look.dim() };
                let number = if blamed { format!("!{:>2}", index + 1) } else { format!("{:>3}", index + 1) };
                self.sheet.put(0, y, &number, style);
                self.code(&turn.guess, y);
                if game.editing == Some(index) {
                    self.answer(Answer::Typed(&game.marks), y);
                } else {
                    self.answer(Answer::Given(&turn.feedback), y);
                    self.edit_on_click(index, y);
                }
                self.count(index + 1, y);
            }
            Item::Typed(entry) => {
                let label = if game.ready { format!("{:>3}", game.history.len() + 1) } else { "code".to_owned() };
                self.sheet.put(0, y, &label, self.look.name());
                self.typed(entry, y);
            }
            Item::Guess(guess) => {
                self.sheet.put(0, y, &format!("{:>3}", game.history.len() + 1), self.look.name());
                self.code(guess, y);
                let asks = game.mode() == Mode::Make && game.focus() == Focus::Marks && game.editing.is_none();
                self.answer(if asks { Answer::Typed(&game.marks) } else { Answer::None }, y);
            }
        }
    }

    fn spans(&mut self, x: usize, y: usize, spans: &[Span<'_>]) {
        let mut x = x;
        for span in spans {
            self.sheet.put(x, y, &span.content, span.style);
            x += span.content.chars().count();
        }
    }

    fn code(&mut self, code: &[Color], y: usize) {
        for (&color, &(x, line)) in code.iter().zip(&self.plan.pegs) {
            let peg = self.pegs.peg(Some(color), Place::Plain);
            self.spans(NUMBER + x, y + line, &peg);
        }
    }

    fn typed(&mut self, entry: &Entry, y: usize) {
        for (cell, &(x, line)) in self.plan.pegs.iter().enumerate() {
            let color = entry.value(cell).and_then(|number| Color::from_number(u16::try_from(number).ok()?));
            let place = if cell == entry.cursor() { Place::Cursor } else { Place::Plain };
            let peg = self.pegs.peg(color, place);
            self.spans(NUMBER + x, y + line, &peg);
            if let Some(hit) = self.sheet.hit(NUMBER + x, y + line, self.plan.peg(), Action::GoTo(cell)) {
                hit.other = Some(Action::Empty(cell));
                hit.wheel = Some((Action::Turn(cell, true), Action::Turn(cell, false)));
            }
        }
    }

    fn answer(&mut self, answer: Answer<'_>, y: usize) {
        if matches!(answer, Answer::None) {
            return;
        }
        for (x, line, word) in &self.plan.words {
            self.sheet.put(NUMBER + x, y + line, word, self.look.dim());
        }
        for (line, spot) in self.plan.marks.iter().enumerate() {
            let (mut x, y) = (NUMBER + spot.x, y + spot.y);
            let mark = match &answer {
                Answer::Given(feedback) => feedback.marks().get(line).copied(),
                Answer::Typed(entry) => self.preview(entry, line),
                Answer::None => None,
            };
            if spot.pegs {
                let pegs = mark.map(|mark| self.pegs.mark(mark)).unwrap_or_default();
                self.spans(x, y, &pegs);
                x += self.plan.room + 2;
            }
            match &answer {
                Answer::Typed(entry) => self.fields(entry, line, x, y),
                _ => {
                    let text = mark.map(|mark| mark.to_string()).unwrap_or_default();
                    let style = if spot.pegs { self.look.dim() } else { Style::new() };
                    self.sheet.put(x, y, &text, style);
                }
            }
        }
    }

    /// The pegs of a mark that is being typed, as far as they fit their place.
    fn preview(&self, entry: &Entry, line: usize) -> Option<Mark> {
        let numbers: Vec<u64> = entry.of_line(line).map(|slot| entry.value(slot).unwrap_or(0)).collect();
        let mark = Mark::of(self.game.rules().feedback(), &numbers)?;
        let pegs = mark.key_pegs().iter().map(|(count, _)| count).sum::<usize>();
        (pegs <= self.plan.room).then_some(mark)
    }

    /// The numbers of a mark that is being typed.
    fn fields(&mut self, entry: &Entry, line: usize, x: usize, y: usize) {
        let digits = self.plan.digits;
        for (index, slot) in entry.of_line(line).enumerate() {
            let x = x + index * (digits + 1);
            if index > 0 {
                self.sheet.put(x - 1, y, ",", self.look.dim());
            }
            let value = entry.value(slot).map_or_else(|| "_".to_owned(), |value| value.to_string());
            let style = if slot == entry.cursor() { self.look.chosen() } else { self.look.bold() };
            self.sheet.put(x, y, &format!("{value:>digits$}"), style);
            if let Some(hit) = self.sheet.hit(x, y, digits, Action::GoTo(slot)) {
                hit.other = Some(Action::Empty(slot));
                hit.wheel = Some((Action::Turn(slot, true), Action::Turn(slot, false)));
            }
        }
    }

    /// The marks of a turn can be clicked to be changed, where the player gave them.
    fn edit_on_click(&mut self, index: usize, y: usize) {
        if self.game.mode() != Mode::Make || self.game.secret.is_some() {
            return;
        }
        for spot in &self.plan.marks {
            let width = self.plan.digits + if spot.pegs { self.plan.room + 2 } else { 0 };
            self.sheet.hit(NUMBER + spot.x, y + spot.y, width, Action::Edit(Some(index)));
        }
    }

    /// How many codes were left after a turn.
    fn count(&mut self, turns: usize, y: usize) {
        let left = self.game.left(turns).filter(|left| self.counts && !left.is_unknown());
        let Some(left) = left else { return };
        let x = NUMBER + self.plan.width + 2;
        let room = (self.sheet.left + usize::from(self.sheet.area.width)).saturating_sub(x);
        let number = left.short();
        let texts = [format!("{number} left"), number];
        if let Some(text) = texts.iter().find(|text| text.chars().count() <= room) {
            self.sheet.put(x, y, text, self.look.dim());
        }
    }
}
