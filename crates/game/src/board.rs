//! Boards: a set of cells, and the lines of cells that answer a guess.
//!
//! The classic game is one line over all cells. A grid answers for each row and each column, a cube for each line along
//! each axis, a triangle along its three directions, a ring for every arc of three neighbors. A strategy written in terms of
//! cells and lines plays them all.

use std::{fmt, str::FromStr, sync::Arc};

/// Maximum number of cells on a board.
pub const MAX_CELLS: usize = 4096;

/// Length of an arc of a ring: the smallest that gives more information than a pair.
const RING_ARC: usize = 3;

/// The shape of a board, which determines its lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// One line of cells: the classic game.
    Row(usize),
    /// Rows and columns.
    Grid {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A triangle with this number of cells per side and lines in its three directions.
    Triangle(usize),
    /// A box in three or more dimensions, with lines along every axis.
    Cube(Vec<usize>),
    /// A circle of cells, with a line for each arc of three neighbors.
    Ring(usize),
    /// Any set of lines, each a list of zero-based cells.
    Lines(Vec<Vec<usize>>),
}

impl Shape {
    /// Returns the name in the notation of rules.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Row(_) => "row",
            Self::Grid { .. } => "grid",
            Self::Triangle(_) => "triangle",
            Self::Cube(_) => "cube",
            Self::Ring(_) => "ring",
            Self::Lines(_) => "lines",
        }
    }

    /// Returns the sizes in the notation of rules, such as rows and columns; the number of lines for a set of lines.
    pub fn sides(&self) -> Vec<usize> {
        match self {
            Self::Row(size) | Self::Triangle(size) | Self::Ring(size) => vec![*size],
            Self::Grid { rows, columns } => vec![*rows, *columns],
            Self::Cube(sides) => sides.clone(),
            Self::Lines(lines) => vec![lines.len()],
        }
    }
}

/// Error for an impossible board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A dimension of zero, or no lines.
    #[error("a board needs at least one cell")]
    NoCells,
    /// More than [`MAX_CELLS`] cells.
    #[error("a board has at most {MAX_CELLS} cells")]
    TooManyCells,
    /// A cube of fewer than three dimensions.
    #[error("a cube needs at least three dimensions, as in cube:3x3x3x6 (use grid: for two)")]
    TooFewDimensions,
    /// A line without cells, by its one-based number.
    #[error("line {0} is empty")]
    EmptyLine(usize),
    /// A line that visits a cell twice: one-based numbers of line and cell.
    #[error("line {0} visits cell {1} twice")]
    RepeatedCell(usize, usize),
    /// A cell on no line, by its one-based number. No answer would depend on its color.
    #[error("no line visits cell {0}: cells are numbered from 1 without gaps")]
    UnvisitedCell(usize),
    /// The lines have too many cells in total.
    #[error("the lines visit cells {0} times; the maximum is {MAX_VISITS}")]
    TooManyVisits(usize),
    /// Text that is not a list of lines.
    #[error("'{0}' is not a list of lines such as 1.2.3/3.4.5 (one-based cells, lines separated by '/')")]
    NotLines(String),
}

/// Maximum total length of the lines, which bounds the memory of a hostile board: sixteen lines per cell.
const MAX_VISITS: usize = 16 * MAX_CELLS;

/// A board: cells and lines. Cheap to clone.
///
/// ```
/// use pegwise_game::Board;
/// let grid = Board::grid(2, 3).unwrap();
/// assert_eq!(grid.cells(), 6);
/// let lines: Vec<Vec<usize>> = grid.lines().map(|line| line.to_vec()).collect();
/// assert_eq!(lines, [vec![0, 1, 2], vec![3, 4, 5], vec![0, 3], vec![1, 4], vec![2, 5]]);
/// ```
#[derive(Clone)]
pub struct Board(Arc<Inner>);

struct Inner {
    shape: Shape,
    cells: usize,
    /// Cells of all lines, concatenated; `ends` has the end of each line.
    visits: Vec<usize>,
    ends: Vec<usize>,
}

impl Board {
    /// Creates the classic board: one line.
    pub fn row(cells: usize) -> Result<Self, BoardError> {
        Self::new(Shape::Row(cells))
    }

    /// Creates a grid that answers for each row, then for each column.
    pub fn grid(rows: usize, columns: usize) -> Result<Self, BoardError> {
        Self::new(Shape::Grid { rows, columns })
    }

    /// Creates the board of a shape.
    pub fn new(shape: Shape) -> Result<Self, BoardError> {
        let (cells, lines) = match &shape {
            Shape::Row(cells) => {
                let cells = within_limit(&[*cells])?;
                (cells, vec![(0..cells).collect()])
            }
            Shape::Grid { rows, columns } => box_lines(&[*rows, *columns])?,
            Shape::Triangle(side) => triangle_lines(*side)?,
            Shape::Cube(sides) if sides.len() < 3 => return Err(BoardError::TooFewDimensions),
            Shape::Cube(sides) => box_lines(sides)?,
            Shape::Ring(cells) => {
                let cells = within_limit(&[*cells])?;
                let arc = RING_ARC.min(cells);
                let line = |start| (start..start + arc).map(|cell| cell % cells).collect();
                (cells, (0..cells).map(line).collect())
            }
            Shape::Lines(lines) => (check_lines(lines)?, lines.clone()),
        };
        let ends = lines.iter().scan(0, |end, line: &Vec<usize>| {
            *end += line.len();
            Some(*end)
        });
        let ends = ends.collect();
        Ok(Self(Arc::new(Inner { shape, cells, visits: lines.concat(), ends })))
    }

    /// Returns the number of cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.0.cells
    }

    /// Returns the shape.
    pub fn shape(&self) -> &Shape {
        &self.0.shape
    }

    /// Returns the number of lines; a feedback has one mark for each.
    pub fn line_count(&self) -> usize {
        self.0.ends.len()
    }

    /// Iterates over the lines, each a list of cells.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = &[usize]> {
        let inner = &*self.0;
        (0..inner.ends.len()).map(|line| {
            let start = if line == 0 { 0 } else { inner.ends[line - 1] };
            &inner.visits[start..inner.ends[line]]
        })
    }

    /// Returns the number of cells of the longest line.
    pub fn longest_line(&self) -> usize {
        self.lines().map(<[usize]>::len).max().unwrap_or(0)
    }

    /// Returns true if the board is one line over all cells in order: the classic game, which has the fast kernels.
    pub fn is_row(&self) -> bool {
        self.0.ends.len() == 1 && self.0.visits.iter().copied().eq(0..self.0.cells)
    }
}

/// Returns the product of the sides if it is a valid number of cells.
fn within_limit(sides: &[usize]) -> Result<usize, BoardError> {
    let product = sides.iter().try_fold(1usize, |product, &side| product.checked_mul(side));
    match product {
        Some(0) => Err(BoardError::NoCells),
        Some(cells) if cells <= MAX_CELLS => Ok(cells),
        _ if sides.contains(&0) => Err(BoardError::NoCells),
        _ => Err(BoardError::TooManyCells),
    }
}

/// Returns the lines along every axis of a box; the last axis first, so that a grid lists its rows before its columns.
fn box_lines(sides: &[usize]) -> Result<(usize, Vec<Vec<usize>>), BoardError> {
    let cells = within_limit(sides)?;
    let visits = cells * sides.len();
    if visits > MAX_VISITS {
        return Err(BoardError::TooManyVisits(visits));
    }
    let mut lines = Vec::new();
    let mut stride = 1;
    for &side in sides.iter().rev() {
        let starts = (0..cells).filter(|cell| (cell / stride) % side == 0);
        lines.extend(starts.map(|start| (0..side).map(|step| start + step * stride).collect()));
        stride *= side;
    }
    Ok((cells, lines))
}

/// Returns the lines of a triangle. Row r has r + 1 cells; the other two directions keep the offset from the left or from
/// the right edge.
fn triangle_lines(side: usize) -> Result<(usize, Vec<Vec<usize>>), BoardError> {
    if side > MAX_CELLS {
        return Err(BoardError::TooManyCells);
    }
    let cells = within_limit(&[side * (side + 1) / 2])?;
    let cell = |row: usize, column: usize| row * (row + 1) / 2 + column;
    let rows = (0..side).map(|row| (0..=row).map(|column| cell(row, column)).collect());
    let from_left = (0..side).map(|column| (column..side).map(|row| cell(row, column)).collect());
    let from_right = (0..side).map(|offset| (offset..side).map(|row| cell(row, row - offset)).collect());
    Ok((cells, rows.chain(from_left).chain(from_right).collect()))
}

/// Checks a list of lines and returns the number of cells.
fn check_lines(lines: &[Vec<usize>]) -> Result<usize, BoardError> {
    let visits = lines.iter().map(Vec::len).sum();
    if visits > MAX_VISITS {
        return Err(BoardError::TooManyVisits(visits));
    }
    let last = lines.iter().flatten().copied().max().ok_or(BoardError::NoCells)?;
    if last >= MAX_CELLS {
        return Err(BoardError::TooManyCells);
    }
    // One-based number of the last line that visited each cell; zero for none.
    let mut visited_by = vec![0; last + 1];
    for (number, line) in (1..).zip(lines) {
        if line.is_empty() {
            return Err(BoardError::EmptyLine(number));
        }
        for &cell in line {
            if visited_by[cell] == number {
                return Err(BoardError::RepeatedCell(number, cell + 1));
            }
            visited_by[cell] = number;
        }
    }
    match visited_by.iter().position(|&line| line == 0) {
        Some(cell) => Err(BoardError::UnvisitedCell(cell + 1)),
        None => Ok(last + 1),
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.0.shape == other.0.shape
    }
}

impl Eq for Board {}

impl std::hash::Hash for Board {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.shape.hash(state);
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

/// The board's part of the rules notation: `4`, `grid:4x4`, `lines:1.2/2.3`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |numbers: &[usize], separator: &str| -> String {
            numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
        };
        let shape = self.shape();
        match shape {
            Shape::Row(cells) => write!(f, "{cells}"),
            Shape::Lines(lines) => {
                let line = |line: &Vec<usize>| joined(&line.iter().map(|cell| cell + 1).collect::<Vec<_>>(), ".");
                write!(f, "lines:{}", lines.iter().map(line).collect::<Vec<_>>().join("/"))
            }
            _ => write!(f, "{}:{}", shape.name(), joined(&shape.sides(), "x")),
        }
    }
}

/// Parses a list of lines in the notation `1.2.3/3.4.5`: one-based cells, lines separated by `/`.
pub(crate) fn parse_lines(text: &str) -> Result<Shape, BoardError> {
    let wrong = || BoardError::NotLines(text.to_owned());
    let cell = |cell: &str| usize::from_str(cell).ok().and_then(|number| number.checked_sub(1));
    let line = |line: &str| line.split('.').map(cell).collect::<Option<Vec<usize>>>();
    let lines = text.split('/').map(line).collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
    Ok(Shape::Lines(lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(board: &Board) -> Vec<Vec<usize>> {
        board.lines().map(<[usize]>::to_vec).collect()
    }

    #[test]
    fn shapes_have_their_lines() {
        let board = Board::row(4).unwrap();
        assert!(board.is_row());
        assert_eq!(lines(&board), [[0, 1, 2, 3]]);
        let board = Board::new(Shape::Triangle(3)).unwrap();
        let expected: [&[usize]; 9] = [&[0], &[1, 2], &[3, 4, 5], &[0, 1, 3], &[2, 4], &[5], &[0, 2, 5], &[1, 4], &[3]];
        assert_eq!(lines(&board), expected);
        let board = Board::new(Shape::Cube(vec![2, 3, 4])).unwrap();
        assert_eq!(board.cells(), 24);
        assert_eq!(board.line_count(), 6 + 8 + 12);
        assert!(board.lines().take(6).all(|line| line.len() == 4));
        let board = Board::new(Shape::Ring(5)).unwrap();
        assert_eq!(lines(&board)[4], [4, 0, 1]);
        assert_eq!(Board::new(Shape::Ring(2)).unwrap().line_count(), 2);
    }

    #[test]
    fn impossible_boards_are_refused() {
        assert_eq!(Board::row(0), Err(BoardError::NoCells));
        assert_eq!(Board::row(usize::MAX), Err(BoardError::TooManyCells));
        assert_eq!(Board::grid(0, usize::MAX), Err(BoardError::NoCells));
        assert_eq!(Board::grid(usize::MAX, 2), Err(BoardError::TooManyCells));
        assert_eq!(Board::new(Shape::Triangle(usize::MAX)), Err(BoardError::TooManyCells));
        assert_eq!(Board::new(Shape::Cube(vec![2, 2])), Err(BoardError::TooFewDimensions));
        assert_eq!(Board::new(Shape::Lines(vec![])), Err(BoardError::NoCells));
        assert_eq!(Board::new(Shape::Lines(vec![vec![0], vec![]])), Err(BoardError::EmptyLine(2)));
        assert_eq!(Board::new(Shape::Lines(vec![vec![0, 0]])), Err(BoardError::RepeatedCell(1, 1)));
        assert_eq!(Board::new(Shape::Lines(vec![vec![0, 2]])), Err(BoardError::UnvisitedCell(2)));
        assert_eq!(Board::new(Shape::Lines(vec![vec![usize::MAX]])), Err(BoardError::TooManyCells));
    }
}
