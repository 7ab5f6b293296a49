// Where the cells and the marks of a board stand.

import { h } from "../dom.js";
import { lineName } from "../notation.js";

/** @typedef {import("../types.js").Rules} Rules */

/** A ring with more cells is shown as a row. */
const MOST_ON_A_RING = 16;

/**
 * Lays out a board: its cells, and beside or below them the marks of its lines.
 * @param {Rules} rules
 * @param {(cell: number) => Element} cellOf
 * @param {((line: number) => Element) | null} [markOf]
 */
export function layout(rules, cellOf, markOf = null) {
  const cells = Array.from({ length: rules.cells }, (_, cell) => cellOf(cell));
  const marks = markOf ? rules.lines.map((_, line) => markOf(line)) : [];
  switch (rules.shape) {
    case "grid":
      return grid(cells, marks, rules.sides);
    case "triangle":
      return triangle(rules, cells, marks);
    case "cube":
      return h("div", { class: "layout cube" }, layers(cells, rules.sides), list(rules, marks, 0));
    case "ring":
      return h(
        "div",
        { class: "layout ring" },
        rules.cells <= MOST_ON_A_RING ? ring(cells) : h("div", { class: "cells" }, cells),
        list(rules, marks, 0),
      );
    case "lines":
      return h("div", { class: "layout lines" }, h("div", { class: "cells" }, cells), list(rules, marks, 0));
    default:
      return h("div", { class: "layout row" }, h("div", { class: "cells" }, cells), marks);
  }
}

/** @param {Element[]} cells @param {Element[]} marks @param {number[]} sides */
function grid(cells, marks, [rows, columns]) {
  const children = [];
  for (let row = 0; row < rows; row += 1) {
    children.push(...cells.slice(row * columns, (row + 1) * columns));
    if (marks.length) children.push(marks[row]);
  }
  children.push(...marks.slice(rows));
  return h("div", { class: marks.length ? "layout grid marked" : "layout grid", vars: { columns } }, children);
}

/** @param {Rules} rules @param {Element[]} cells @param {Element[]} marks */
function triangle(rules, cells, marks) {
  const side = rules.sides[0];
  const rows = Array.from({ length: side }, (_, row) => {
    const first = (row * (row + 1)) / 2;
    return h("div", { class: "cells" }, cells.slice(first, first + row + 1), marks[row] ?? null);
  });
  return h("div", { class: "layout triangle" }, rows, list(rules, marks, side));
}

/** @param {Element[]} cells @param {number[]} sides */
function layers(cells, sides) {
  const [rows, columns] = sides.slice(-2);
  const count = cells.length / (rows * columns);
  return h(
    "div",
    { class: "layers" },
    Array.from({ length: count }, (_, layer) => {
      const here = cells.slice(layer * rows * columns, (layer + 1) * rows * columns);
      return h("div", { class: "layout grid", vars: { columns } }, here);
    }),
  );
}

/** @param {Element[]} cells */
function ring(cells) {
  return h(
    "div",
    { class: "circle", vars: { around: cells.length } },
    cells.map((cell, at) => h("div", { class: "on-circle", vars: { turn: `${at / cells.length}turn` } }, cell)),
  );
}

/** The marks that stand at no line of their own. @param {Rules} rules @param {Element[]} marks @param {number} from */
function list(rules, marks, from) {
  if (marks.length <= from) return null;
  return h(
    "div",
    { class: "marks-list" },
    marks
      .slice(from)
      .map((mark, at) =>
        h(
          "span",
          { class: "mark-item" },
          h("span", { class: "muted" }, lineName(rules, from + at).replace("cells ", "")),
          mark,
        ),
      ),
  );
}
