//! Where pegs and marks stand: one turn on the board, in columns and lines from its upper left corner.

use pegwise_game::{Color, Rules, Shape};

use crate::play::model::place;

/// The places of one turn.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// Where each cell's peg starts.
    pub(super) pegs: Vec<(usize, usize)>,
    /// Where each line's mark starts.
    pub(super) marks: Vec<Spot>,
    /// Words between them.
    pub(super) words: Vec<(usize, usize, String)>,
    pub(super) width: usize,
    pub(super) height: usize,
    /// The width of a color's name.
    pub(super) label: usize,
    /// The width of one number of a mark.
    pub(super) digits: usize,
    /// The most pegs of a mark that are drawn; longer lines answer in numbers alone.
    pub(super) room: usize,
}

/// The place of a mark.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) x: usize,
    pub(super) y: usize,
    /// Whether there is room for pegs before the numbers.
    pub(super) pegs: bool,
}

/// Nobody counts more pegs than these.
const MOST_PEGS: usize = 10;
/// Between the pegs and the marks.
const GAP: usize = 2;
/// Between the layers of a cube, and between marks in a list.
const APART: usize = 3;

impl Layout {
    /// The places on a board that is drawn in this width, as far as that can be.
    pub(super) fn new(rules: &Rules, width: usize) -> Self {
        let longest = rules.board().lines().map(<[usize]>::len).max().unwrap_or(1);
        let model = rules.feedback().model();
        let largest = model.max_number(longest, rules.colors());
        let draws_pegs = longest <= MOST_PEGS && model.cell.is_count();
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
            Shape::Grid { rows, columns } => plan.layers(1, *rows, *columns, numbers),
            Shape::Cube(sides) => {
                let (rows, columns) = (sides[sides.len() - 2], sides[sides.len() - 1]);
                let layers = rules.cells() / (rows * columns);
                plan.layers(layers, rows, columns, numbers);
                plan.list(rules, columns * rows, numbers, |_| "·".to_owned());
            }
            Shape::Triangle(side) => plan.triangle(rules, *side, numbers),
            Shape::Ring(cells) => plan.ring(*cells, width, numbers),
            // Any other board is drawn as its lines.
            _ => {
                let lines: Vec<&[usize]> = rules.board().lines().collect();
                plan.cells(rules.cells(), width, plan.peg());
                plan.list(rules, 1, numbers, |line| name(lines[line]));
            }
        }
        let end = |spot: &Spot| spot.x + if spot.pegs { plan.mark_width(numbers) } else { numbers };
        plan.width = plan.marks.iter().map(end).fold(plan.width, usize::max);
        plan
    }

    /// The width of a peg.
    pub(super) fn peg(&self) -> usize {
        self.label + 2
    }

    /// The width of a mark in numbers.
    fn numbers(&self, rules: &Rules) -> usize {
        let longest = rules.board().lines().map(<[usize]>::len).max().unwrap_or(1);
        let numbers = rules.feedback().model().arity(longest);
        numbers * self.digits + numbers - 1
    }

    /// The width of a mark that stands beside its line.
    fn mark_width(&self, numbers: usize) -> usize {
        numbers + if self.room > 0 { self.room + GAP } else { 0 }
    }

    /// Cells one after the other, on as many lines as they need.
    fn cells(&mut self, cells: usize, width: usize, pitch: usize) -> usize {
        let a_line = (width / pitch).clamp(1, cells);
        self.pegs = (0..cells).map(|cell| (cell % a_line * pitch, cell / a_line)).collect();
        self.width = a_line * pitch;
        self.height = cells.div_ceil(a_line);
        a_line
    }

    fn row(&mut self, cells: usize, width: usize) {
        self.cells(cells, width, self.peg());
        self.mark_beside(0, self.width + GAP);
    }

    fn mark_beside(&mut self, y: usize, x: usize) {
        self.marks.push(Spot { x, y, pegs: self.room > 0 });
    }

    /// Grids side by side: marks of rows beside them, marks of columns below.
    fn layers(&mut self, layers: usize, rows: usize, columns: usize, numbers: usize) {
        let pitch = self.peg().max(numbers + 1);
        let layer = columns * pitch + GAP + self.mark_width(numbers) + APART;
        for cell in 0..layers * rows * columns {
            let (number, row, column) = (cell / (rows * columns), cell / columns % rows, cell % columns);
            self.pegs.push((number * layer + column * pitch, row));
        }
        for number in 0..layers {
            for row in 0..rows {
                self.mark_beside(row, number * layer + columns * pitch + GAP);
            }
        }
        for number in 0..layers {
            let spot = |column| Spot { x: number * layer + column * pitch, y: rows, pegs: false };
            self.marks.extend((0..columns).map(spot));
        }
        self.width = layers * layer - APART;
        self.height = rows + 1;
    }

    fn triangle(&mut self, rules: &Rules, side: usize, numbers: usize) {
        let pitch = self.peg() + self.peg() % 2;
        for (row, cells) in place::rows(rules.board()).into_iter().enumerate() {
            let start = (side - 1 - row) * pitch / 2;
            self.pegs.extend((0..cells.len()).map(|column| (start + column * pitch, row)));
        }
        self.width = side * pitch;
        for row in 0..side {
            self.mark_beside(row, side * pitch + GAP);
        }
        self.height = side;
        let mut direction = |name: &str| {
            self.words.push((0, self.height, name.to_owned()));
            let spot = |line| Spot { x: GAP + line * (numbers + 2), y: self.height, pegs: false };
            self.marks.extend((0..side).map(spot));
            self.height += 1;
        };
        direction("╱");
        direction("╲");
    }

    /// A mark below the middle of each arc.
    fn ring(&mut self, cells: usize, width: usize, numbers: usize) {
        let pitch = self.peg().max(numbers + 1);
        self.cells(cells, width, pitch);
        for peg in &mut self.pegs {
            peg.1 *= 2;
        }
        self.height *= 2;
        let arc = 3.min(cells);
        let middle = |line: usize| self.pegs[(line + arc / 2) % cells];
        self.marks = (0..cells).map(middle).map(|(x, y)| Spot { x, y: y + 1, pegs: false }).collect();
    }

    /// The marks that have no place of their own yet, in rows below.
    fn list(&mut self, rules: &Rules, a_row: usize, numbers: usize, name: impl Fn(usize) -> String) {
        let (first, lines) = (self.marks.len(), rules.board().line_count());
        let names: Vec<String> = (first..lines).map(name).collect();
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let pitch = longest + 1 + numbers + APART;
        let a_row = (self.width.max(pitch * a_row.min(4)) / pitch).max(1);
        for (index, name) in names.into_iter().enumerate() {
            let (x, y) = (index % a_row * pitch, self.height + index / a_row);
            self.words.push((x, y, format!("{name:>longest$}")));
            self.marks.push(Spot { x: x + longest + 1, y, pegs: false });
        }
        self.width = self.width.max(a_row * pitch - APART);
        self.height += (lines - first).div_ceil(a_row);
    }
}

/// A line of cells by its one-based numbers, where they are few.
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
        for rules in [
            "4x6",
            "100x100",
            "1x1",
            "grid:4x4x6",
            "grid:1x9x300",
            "triangle:4x6",
            "triangle:1x2",
            "cube:3x3x3x6",
            "cube:2x2x2x2x3",
            "ring:8x6",
            "ring:2x2",
            "lines:1.2.3/3.4.5x6",
            "4x6:distance",
            "grid:3x3x9:distance",
        ] {
            let rules: Rules = rules.parse().unwrap();
            for width in [0, 20, 60, 200] {
                let plan = Layout::new(&rules, width);
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
