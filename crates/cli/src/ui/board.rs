//! Codes and feedback as they stand on the board.

use pegwise_coach::PartialMark;
use pegwise_game::{Code, Color, Feedback, KeyPeg, Mark, Rules, Shape};

use super::{Block, Look, palette, style};

/// A peg, if it is known.
type Peg = Option<Color>;

/// Draws codes and feedback of one game.
#[derive(Debug, Clone)]
pub(crate) struct Drawing {
    rules: Rules,
    look: Look,
}

/// Longer lines answer in numbers alone: nobody counts that many pegs.
const MOST_PEGS: usize = 10;
/// What stands beside a code on the widest usual line.
const BESIDE_A_CODE: usize = 44;
/// What stands before a code in a list at most.
const INDENT: usize = 18;
/// What a peg takes beside its label when there is room: a border, and a space to the next.
const ROOM: usize = 3;
/// Marks of lines that cannot be drawn at their line, on one line of text.
const MARKS_A_LINE: usize = 8;

impl Drawing {
    pub(crate) fn new(rules: &Rules, look: Look) -> Self {
        Self { rules: rules.clone(), look }
    }

    /// A code: blocks of color with the color's name on them, or the plain notation.
    pub(crate) fn code(&self, code: &Code) -> Block {
        self.guess(&code.iter().copied().map(Some).collect::<Vec<Peg>>())
    }

    /// A code of which some colors may be unknown.
    pub(crate) fn guess(&self, code: &[Peg]) -> Block {
        match self.rules.board().shape() {
            Shape::Grid { columns, .. } => self.rows(code.chunks(*columns)),
            Shape::Cube(sides) => self.slices(code, sides),
            Shape::Triangle(side) => self.triangle(code, *side),
            _ if self.look.color => self.rows(code.chunks(self.a_line())),
            _ => self.plain(code),
        }
    }

    /// A code as it is written on the command line, in one line where the screen is wide enough.
    pub(crate) fn notation(&self, code: &Code) -> Block {
        self.plain(&code.iter().copied().map(Some).collect::<Vec<Peg>>())
    }

    /// Pegs as they are written on the command line.
    fn plain(&self, pegs: &[Peg]) -> Block {
        let palette = self.rules.palette();
        let wide = self.label_width() + palette.separator().len();
        let mut block = Block::default();
        // A code is one word, unless it is longer than the screen is wide.
        for row in pegs.chunks(self.look.width.map_or(usize::MAX, |width| width.saturating_sub(INDENT) / wide).max(1)) {
            block.line();
            block.push(style::PLAIN, palette.pegs(row));
        }
        block
    }

    fn rows<'a>(&self, rows: impl Iterator<Item = &'a [Peg]>) -> Block {
        let mut block = Block::default();
        for row in rows {
            block.line();
            self.pegs(&mut block, row);
        }
        block
    }

    fn triangle(&self, code: &[Peg], side: usize) -> Block {
        let mut block = Block::default();
        let mut rest = code;
        for row in 0..side {
            let (cells, below) = rest.split_at(row + 1);
            rest = below;
            block.line();
            block.space((side - row - 1) * self.peg_width() / 2);
            self.pegs(&mut block, cells);
        }
        block
    }

    /// The layers of a box side by side.
    fn slices(&self, code: &[Peg], sides: &[usize]) -> Block {
        let columns = sides[sides.len() - 1];
        let layers = code.chunks(columns * sides[sides.len() - 2]);
        let layers = layers.map(|layer| self.rows(layer.chunks(columns)));
        layers.reduce(|left, right| left.beside(3, right)).unwrap_or_default()
    }

    fn pegs(&self, block: &mut Block, pegs: &[Peg]) {
        for (index, &peg) in pegs.iter().enumerate() {
            let label = format!("{:>width$}", self.label(peg), width = self.label_width());
            let style = peg.map_or(palette::UNKNOWN, palette::peg);
            if self.look.color && !self.is_roomy() {
                block.push(style, format!(" {label}"));
                continue;
            }
            if index > 0 {
                block.space(1);
            }
            if self.look.color {
                block.push(style, format!(" {label} "));
            } else {
                block.push(style::PLAIN, label);
            }
        }
    }

    fn label(&self, peg: Peg) -> String {
        peg.map_or_else(|| "?".to_owned(), |color| self.rules.palette().label(color))
    }

    fn label_width(&self) -> usize {
        self.label(Some(Color::new(self.rules.colors() - 1))).len()
    }

    /// The width of a peg and the space after it.
    fn peg_width(&self) -> usize {
        self.label_width() + if self.look.color && self.is_roomy() { ROOM } else { 1 }
    }

    /// Whether pegs may stand apart. Those of long codes stand close, so that more of them fit on a line.
    fn is_roomy(&self) -> bool {
        self.longest_line() * (self.label_width() + ROOM) <= self.room()
    }

    /// What a code may take of a line.
    fn room(&self) -> usize {
        const WITHOUT_A_TERMINAL: usize = 120;
        self.look.width.unwrap_or(WITHOUT_A_TERMINAL).saturating_sub(BESIDE_A_CODE)
    }

    /// How many pegs of a long row go on a line.
    fn a_line(&self) -> usize {
        const SHORTEST: usize = 4;
        (self.room() / self.peg_width()).max(SHORTEST)
    }

    /// A feedback: pegs and numbers beside the rows of the board, and numbers for the other lines below.
    pub(crate) fn feedback(&self, feedback: &Feedback) -> Block {
        let rows = match self.rules.board().shape() {
            Shape::Row(_) => 1,
            Shape::Grid { rows, .. } => *rows,
            Shape::Triangle(side) => *side,
            _ => 0,
        };
        let (beside, below) = feedback.marks().split_at(rows.min(feedback.marks().len()));
        let mut block = Block::default();
        for &mark in beside {
            block.below(self.mark(mark));
        }
        let is_grid = matches!(self.rules.board().shape(), Shape::Grid { .. });
        let mut label = if is_grid { "columns  " } else { "" };
        for marks in below.chunks(MARKS_A_LINE) {
            let number = |mark: &Mark| format!("{:<width$}", mark.to_string(), width = self.numbers_width());
            let numbers: Vec<String> = marks.iter().map(number).collect();
            block.below(Block::new(style::DIM, format!("{label}{}", numbers.join("  ").trim_end())));
            label = if is_grid { "         " } else { "" };
        }
        block
    }

    /// A feedback of which some numbers may be unknown.
    pub(crate) fn marks(&self, marks: &[PartialMark]) -> Block {
        if let Some(known) = marks.iter().map(PartialMark::mark).collect::<Option<Feedback>>() {
            return self.feedback(&known);
        }
        let mut block = Block::default();
        for marks in marks.chunks(MARKS_A_LINE) {
            let marks: Vec<String> = marks.iter().map(ToString::to_string).collect();
            // As deep in the column as the numbers that follow pegs.
            let pegs = self.longest_line();
            let pegs = if pegs <= MOST_PEGS && self.numbers_width() > 0 { pegs + 2 } else { 0 };
            let mut line = Block::default();
            line.space(pegs);
            line.push(style::PLAIN, marks.join("  "));
            block.below(line);
        }
        block
    }

    fn mark(&self, mark: Mark) -> Block {
        let longest = self.longest_line();
        let pegs = mark.key_pegs();
        let numbers = Block::new(style::PLAIN, mark.to_string()).widen(self.numbers_width());
        if pegs.is_empty() || longest > MOST_PEGS {
            return numbers;
        }
        let mut block = Block::default().widen(longest);
        for (count, sign) in pegs {
            let (peg, style) = match sign {
                Some(KeyPeg::Black) => ("●", palette::BLACK),
                Some(KeyPeg::White) => ("○", palette::WHITE),
                Some(KeyPeg::Higher) => ("▲", palette::WHITE),
                Some(KeyPeg::Lower) => ("▼", palette::WHITE),
                _ => ("·", style::DIM),
            };
            block.push(style, peg.repeat(count));
        }
        block.beside(2, numbers)
    }

    fn longest_line(&self) -> usize {
        self.rules.board().lines().map(<[usize]>::len).max().unwrap_or(0)
    }

    /// The width of the numbers of the longest line's mark.
    fn numbers_width(&self) -> usize {
        let (longest, model) = (self.longest_line(), self.rules.feedback().model());
        let numbers = model.numbers.len();
        match model.cell.is_count() {
            _ if model.per_cell => longest,
            true => numbers * longest.to_string().len() + numbers - 1,
            false => 0,
        }
    }
}
