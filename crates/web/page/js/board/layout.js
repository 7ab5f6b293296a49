// Positions of the cells and marks of a board. Sizes are multiples of the variables that `fit.js` sets for the whole board, so that
// cells align in all turns.

import { h } from "../dom.js";
import { lineName } from "../notation.js";
import { words } from "../words.js";

/** @typedef {(line: number) => Element} MarkOf */

/**
 * Lays out the cells of a board, and the mark of each line at its end.
 * @param {Rules} rules
 * @param {(cell: number) => Element} cellOf
 * @param {MarkOf | null} [markOf]
 */
export function layout(rules, cellOf, markOf = null) {
  const cells = Array.from({ length: rules.cells }, (_, cell) => cellOf(cell));
  switch (rules.shape) {
    case "grid":
      return grid(cells, rules.sides[1], markOf, 0, rules.sides[0]);
    case "triangle":
      return placed(cells, trianglePlaces(rules.sides[0]), markOf);
    case "cube":
      return cube(rules, cells, markOf);
    case "ring":
      return placed(cells, ringPlaces(rules), markOf);
    case "lines":
      return h("div", { class: "layout lines" }, h("div", { class: "cells" }, cells), list(rules, markOf));
    default:
      return h("div", { class: "layout row" },
        h("div", { class: "cells" }, cells),
        markOf ? h("div", { class: "beside" }, markOf(0)) : null,
      );
  }
}

/**
 * A grid: marks of rows at the right, marks of columns below.
 * @param {Element[]} cells @param {number} columns @param {MarkOf | null} markOf
 * @param {number} firstRow Index of the line of the first row. @param {number} firstColumn Index of the line of the first column.
 */
function grid(cells, columns, markOf, firstRow, firstColumn) {
  const rows = cells.length / columns;
  const children = [];
  for (let row = 0; row < rows; row += 1) {
    children.push(...cells.slice(row * columns, (row + 1) * columns));
    if (markOf) children.push(markOf(firstRow + row));
  }
  if (markOf) for (let column = 0; column < columns; column += 1) children.push(markOf(firstColumn + column));
  return h("div", { class: "layout grid", vars: { columns: columns + (markOf ? 1 : 0) } }, children);
}

/**
 * A cube, layer by layer; the marks of the lines through the layers follow.
 * @param {Rules} rules @param {Element[]} cells @param {MarkOf | null} markOf
 */
function cube(rules, cells, markOf) {
  const [rows, columns] = rules.sides.slice(-2);
  const [size, lines] = [rows * columns, rules.lines.length];
  const layers = cells.length / size;
  const [allRows, allColumns] = [layers * rows, layers * columns];
  const shown = Array.from({ length: layers }, (_, layer) =>
    h("div", { class: "layer" },
      h("span", { class: "layer-name" }, words.board.layer(layer + 1)),
      grid(cells.slice(layer * size, (layer + 1) * size), columns, markOf, layer * rows, allRows + layer * columns),
    ),
  );
  if (markOf) {
    const through = Array.from({ length: lines - allRows - allColumns }, (_, at) => markOf(allRows + allColumns + at));
    shown.push(
      h("div", { class: "layer through" },
        h("span", { class: "layer-name" }, words.board.through),
        h("div", { class: "layout grid", vars: { columns } }, through),
      ),
    );
  }
  return h("div", { class: "layout cube" }, shown);
}

/** @typedef {{cells: number[][], marks: number[][]}} Places Positions, in units of cells. */

/** Distance between the rows of a triangle: each cell touches six others. */
const ROW = Math.sqrt(3) / 2;

/** A triangle: rows end at the right, the other two directions below and at the left. @param {number} side @returns {Places} */
function trianglePlaces(side) {
  const at = (/** @type {number} */ row, /** @type {number} */ column) => [column + (side - 1 - row) / 2, row * ROW];
  const numbers = Array.from({ length: side }, (_, number) => number);
  return {
    cells: numbers.flatMap((row) => Array.from({ length: row + 1 }, (_, column) => at(row, column))),
    marks: [
      ...numbers.map((row) => at(row, row + 1)),
      ...numbers.map((column) => at(side, column)),
      ...numbers.map((below) => at(below - 1, -1)),
    ],
  };
}

/** A ring, with the mark of each line outside of its middle cell. @param {Rules} rules @returns {Places} */
function ringPlaces(rules) {
  const around = rules.cells;
  const radius = Math.max(0.5 / Math.sin(Math.PI / Math.max(around, 2)), 0.75);
  const at = (/** @type {number} */ turn, /** @type {number} */ far) => [
    far * Math.sin(2 * Math.PI * turn),
    -far * Math.cos(2 * Math.PI * turn),
  ];
  const middle = (/** @type {number[]} */ line) => {
    const [x, y] = line
      .map((cell) => at((cell - 1) / around, 1))
      .reduce(([left, top], [dx, dy]) => [left + dx, top + dy], [0, 0]);
    return Math.atan2(x, -y) / (2 * Math.PI);
  };
  return {
    cells: Array.from({ length: around }, (_, cell) => at(cell / around, radius)),
    marks: rules.lines.map((line, index) =>
      // A line around the whole ring has no middle.
      rules.lines.length === 1 ? [0, 0] : at(line.length === around ? index / around : middle(line), radius + 1.02),
    ),
  };
}

/** @param {Element[]} cells @param {Places} places @param {MarkOf | null} markOf */
function placed(cells, places, markOf) {
  const all = [...places.cells, ...(markOf ? places.marks : [])];
  const [left, top] = [0, 1].map((axis) => Math.min(...all.map((place) => place[axis])));
  const [width, height] = [0, 1].map((axis) => Math.max(...all.map((place) => place[axis])) - [left, top][axis] + 1);
  const things = [...cells, ...(markOf ? places.marks.map((_, line) => markOf(line)) : [])];
  return h("div", { class: "layout placed", vars: { wide: width, tall: height } },
    things.map((thing, index) => {
      const [x, y] = all[index];
      return h("div", { class: "place", vars: { x: x - left, y: y - top } }, thing);
    }),
  );
}

/** Lists the marks of arbitrary lines. @param {Rules} rules @param {MarkOf | null} markOf */
function list(rules, markOf) {
  if (!markOf) return null;
  return h("div", { class: "marks-list" },
    rules.lines.map((_, line) =>
      h("span", { class: "mark-item" }, h("span", { class: "line-name" }, lineName(rules, line)), markOf(line)),
    ),
  );
}

/** Width of a shape in cells; 0 for shapes that wrap. @param {Rules} rules @param {boolean} marked */
export function span(rules, marked) {
  const more = marked ? 1 : 0;
  switch (rules.shape) {
    case "grid":
      return rules.sides[1] + more;
    case "cube":
      return (rules.sides.at(-1) ?? 1) + more;
    case "triangle":
    case "ring": {
      const { cells, marks } = rules.shape === "ring" ? ringPlaces(rules) : trianglePlaces(rules.sides[0]);
      const across = [...cells, ...(marked ? marks : [])].map(([x]) => x);
      return Math.max(...across) - Math.min(...across) + 1;
    }
    default:
      return 0;
  }
}
