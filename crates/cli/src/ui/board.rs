//! Codes and feedback as text, in the shape of the board.

use std::ops::Range;

use pegwise_coach::PartialMark;
use pegwise_game::{Board, Code, Color, Feedback, Mark, Rules, Shape};

use super::{ScreenInfo, TextBlock, style};

/// Peg whose color may be unknown.
type Peg = Option<Color>;

/// Returns the rows of cells, from the top; all cells are one row on boards without rows.
pub(crate) fn cell_rows(board: &Board) -> Vec<Range<usize>> {
    let cells = board.cells();
    let rows_of = |columns: usize| (0..cells).step_by(columns).map(|start| start..start + columns).collect();
    match board.shape() {
        Shape::Grid { columns, .. } => rows_of(*columns),
        Shape::Cube(sides) => rows_of(sides[sides.len() - 1]),
        Shape::Triangle(side) => (0..*side).map(|row| row * (row + 1) / 2..(row + 1) * (row + 2) / 2).collect(),
        _ => std::iter::once(0..cells).collect(),
    }
}

/// Renderer of the codes and feedback of one game.
#[derive(Debug, Clone)]
pub(crate) struct BoardRenderer {
    rules: Rules,
    info: ScreenInfo,
}

/// Longest line whose feedback is drawn as pegs; longer lines show numbers only.
const MAX_PEGS: usize = 10;
/// Columns reserved beside a code.
const BESIDE_CODE: usize = 44;
/// Columns reserved before a code in a list.
const INDENT: usize = 18;
/// Columns of a spaced peg beside its label: two borders and a space.
const PEG_PADDING: usize = 3;
/// Marks per line of text, for board lines that are not drawn as rows.
const MARKS_PER_LINE: usize = 8;

impl BoardRenderer {
    pub(crate) fn new(rules: &Rules, info: ScreenInfo) -> Self {
        Self { rules: rules.clone(), info }
    }

    /// Draws a code: colored blocks with labels, or the plain notation.
    pub(crate) fn code(&self, code: &Code) -> TextBlock {
        self.guess(&code.iter().copied().map(Some).collect::<Vec<Peg>>())
    }

    pub(crate) fn guess(&self, code: &[Peg]) -> TextBlock {
        let board = self.rules.board();
        match board.shape() {
            Shape::Grid { .. } | Shape::Triangle(_) => self.rows(code, &cell_rows(board)),
            Shape::Cube(sides) => {
                let rows = cell_rows(board);
                let layers = rows.chunks(sides[sides.len() - 2]).map(|layer| self.rows(code, layer));
                layers.reduce(|left, right| left.beside(3, right)).unwrap_or_default()
            }
            _ if self.info.color => {
                let per_line = self.pegs_per_line();
                let start = (0..code.len()).step_by(per_line);
                self.rows(code, &start.map(|start| start..code.len().min(start + per_line)).collect::<Vec<_>>())
            }
            _ => self.plain(code),
        }
    }

    /// Writes a code in notation, on one line if it fits.
    pub(crate) fn notation(&self, code: &Code) -> TextBlock {
        self.plain(&code.iter().copied().map(Some).collect::<Vec<Peg>>())
    }

    fn plain(&self, pegs: &[Peg]) -> TextBlock {
        let palette = self.rules.palette();
        let width = self.label_width() + palette.separator().len();
        let mut block = TextBlock::default();
        let per_line = self.info.width.map_or(usize::MAX, |columns| columns.saturating_sub(INDENT) / width);
        for row in pegs.chunks(per_line.max(1)) {
            block.line();
            block.push(style::PLAIN, palette.pegs(row));
        }
        block
    }

    /// Draws rows of cells; shorter rows are centered.
    fn rows(&self, code: &[Peg], rows: &[Range<usize>]) -> TextBlock {
        let centered = matches!(self.rules.board().shape(), Shape::Triangle(_));
        let longest = rows.iter().map(Range::len).max().unwrap_or(0);
        let mut block = TextBlock::default();
        for row in rows {
            block.line();
            if centered {
                block.space((longest - row.len()) * self.peg_width() / 2);
            }
            self.pegs(&mut block, &code[row.clone()]);
        }
        block
    }

    fn pegs(&self, block: &mut TextBlock, pegs: &[Peg]) {
        for (index, &peg) in pegs.iter().enumerate() {
            let label = format!("{:>width$}", self.label(peg), width = self.label_width());
            let style = peg.map_or(style::UNKNOWN_PEG, style::peg);
            if self.info.color && !self.is_spaced() {
                block.push(style, format!(" {label}"));
                continue;
            }
            if index > 0 {
                block.space(1);
            }
            if self.info.color {
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

    /// Returns the width of a peg and the space after it.
    fn peg_width(&self) -> usize {
        self.label_width() + if self.info.color && self.is_spaced() { PEG_PADDING } else { 1 }
    }

    /// Returns true if pegs are separated by spaces; those of long codes are not, so that more fit on a line.
    fn is_spaced(&self) -> bool {
        self.rules.board().longest_line() * (self.label_width() + PEG_PADDING) <= self.code_width()
    }

    /// Returns the columns available for a code.
    fn code_width(&self) -> usize {
        const DEFAULT: usize = 120;
        self.info.width.unwrap_or(DEFAULT).saturating_sub(BESIDE_CODE)
    }

    fn pegs_per_line(&self) -> usize {
        const MIN: usize = 4;
        (self.code_width() / self.peg_width()).max(MIN)
    }

    /// Draws feedback: pegs and numbers beside the rows of the board, numbers below for its other lines.
    pub(crate) fn feedback(&self, feedback: &Feedback) -> TextBlock {
        let board = self.rules.board();
        let rows = match board.shape() {
            Shape::Row(_) | Shape::Grid { .. } | Shape::Triangle(_) => cell_rows(board).len(),
            _ => 0,
        };
        let (beside, below) = feedback.marks().split_at(rows.min(feedback.marks().len()));
        let mut block = TextBlock::default();
        for &mark in beside {
            block.below(self.mark(mark));
        }
        let is_grid = matches!(board.shape(), Shape::Grid { .. });
        let mut label = if is_grid { "columns  " } else { "" };
        for marks in below.chunks(MARKS_PER_LINE) {
            let number = |mark: &Mark| format!("{:<width$}", mark.to_string(), width = self.numbers_width());
            let numbers: Vec<String> = marks.iter().map(number).collect();
            block.below(TextBlock::new(style::DIM, format!("{label}{}", numbers.join("  ").trim_end())));
            label = if is_grid { "         " } else { "" };
        }
        block
    }

    pub(crate) fn marks(&self, marks: &[PartialMark]) -> TextBlock {
        if let Some(known) = marks.iter().map(PartialMark::mark).collect::<Option<Feedback>>() {
            return self.feedback(&known);
        }
        let mut block = TextBlock::default();
        for marks in marks.chunks(MARKS_PER_LINE) {
            let marks: Vec<String> = marks.iter().map(ToString::to_string).collect();
            // Aligned with numbers that follow pegs.
            let pegs = self.rules.board().longest_line();
            let pegs = if pegs <= MAX_PEGS && self.numbers_width() > 0 { pegs + 2 } else { 0 };
            let mut line = TextBlock::default();
            line.space(pegs);
            line.push(style::PLAIN, marks.join("  "));
            block.below(line);
        }
        block
    }

    fn mark(&self, mark: Mark) -> TextBlock {
        let longest = self.rules.board().longest_line();
        let pegs = mark.key_pegs();
        let numbers = TextBlock::new(style::PLAIN, mark.to_string()).widen(self.numbers_width());
        if pegs.is_empty() || longest > MAX_PEGS {
            return numbers;
        }
        let mut block = TextBlock::default().widen(longest);
        for (count, peg) in pegs {
            let (sign, style) = style::key_peg(peg);
            block.push(style, sign.repeat(count));
        }
        block.beside(2, numbers)
    }

    /// Returns the width of the numbers of a mark of the longest line.
    fn numbers_width(&self) -> usize {
        let (longest, model) = (self.rules.board().longest_line(), self.rules.feedback().model());
        let numbers = model.numbers.len();
        match model.cell.is_count() {
            _ if model.per_cell => longest,
            true => numbers * longest.to_string().len() + numbers - 1,
            false => 0,
        }
    }
}
