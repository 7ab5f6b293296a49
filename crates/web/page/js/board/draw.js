// Codes, feedback and turns as they stand on the board.

import { h } from "../dom.js";
import { codeText, feedbackWords, fields, markWords } from "../notation.js";
import { layout } from "./layout.js";
import { peg } from "./pegs.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").Turn} Turn */
/** @typedef {import("../types.js").Mark} Mark */

/** Nobody counts more pegs than these. */
const MOST_KEYS = 8;

/** A mark: key pegs where they are few, numbers where they are many. @param {Rules} rules @param {Mark} mark @param {number} line */
export function drawMark(rules, mark, line) {
  const cells = rules.lines[line].length;
  const known = fields(rules).every((name) => mark[name] !== null);
  const names = fields(rules);
  const words = markWords(rules, mark);
  if (known && rules.shape === "row" && cells <= MOST_KEYS && "black" in mark) {
    const keys = names.flatMap((name) => Array.from({ length: mark[name] ?? 0 }, () => name));
    const pegs = Array.from({ length: cells }, (_, at) => h("i", { class: `key ${keys[at] ?? "none"}` }));
    return h("span", { class: "mark keys", title: words, vars: { across: Math.ceil(cells / 2) } }, pegs);
  }
  return h(
    "span",
    { class: "mark numbers", title: words },
    names.map((name) =>
      h("span", {}, name === "distance" ? "Δ " : h("i", { class: `key ${name}` }), mark[name] ?? "?"),
    ),
  );
}

/** A code on its own. @param {Rules} rules @param {(number | null)[]} code */
export function drawCode(rules, code) {
  const drawn = layout(rules, (cell) => peg(rules, code[cell]));
  return h("div", { class: "code", role: "img", "aria-label": codeText(rules, code), vars: size(rules) }, drawn);
}

/**
 * A turn, with its number and what may be done with it.
 * @param {Rules} rules @param {Turn} turn @param {number} number
 * @param {{fresh?: boolean, wrong?: boolean, actions?: Element[]}} [options]
 */
export function drawTurn(rules, turn, number, { fresh = false, wrong = false, actions = [] } = {}) {
  const words = `Turn ${number}: ${[...codeText(rules, turn.guess)].join(" ")}. ${feedbackWords(rules, turn.feedback)}.`;
  const body = layout(
    rules,
    (cell) => peg(rules, turn.guess[cell]),
    (line) => drawMark(rules, turn.feedback[line], line),
  );
  return h(
    "li",
    { class: `turn${fresh ? " fresh" : ""}${wrong ? " wrong" : ""}` },
    h("span", { class: "unseen" }, words),
    h("span", { class: "number", "aria-hidden": "true" }, number),
    h("div", { class: "turn-body", "aria-hidden": "true" }, body),
    actions.length ? h("span", { class: "actions" }, actions) : null,
  );
}

/** How large pegs are: as large as fit. @param {Rules} rules */
export function size(rules) {
  const across =
    {
      row: rules.cells,
      grid: rules.sides[1],
      triangle: rules.sides[0],
      cube: rules.sides.at(-1),
      ring: 8,
      lines: rules.cells,
    }[rules.shape] ?? rules.cells;
  // What stands beside the pegs: the number of the turn, and the key pegs in two rows.
  const keys = rules.shape === "row" && rules.cells <= MOST_KEYS ? Math.ceil(rules.cells / 2) : 3;
  return { across: Math.min(Math.max(across, 4), 12), beside: `${4.2 + keys}rem` };
}

/** The board: a list of turns. @param {Rules} rules @param {string} name */
export function board(rules, name) {
  return h("ol", { class: `board shape-${rules.shape}`, "aria-label": name, vars: size(rules) });
}

/** Rows of a board that are to come, so that it looks like one, and what is below it stays where it is. */
const ROWS = 7;
const MOST_CELLS_TO_COME = 10;

/** The empty rows after so many. @param {Rules} rules @param {number} used */
export function later(rules, used) {
  const rows = Math.min(ROWS, rules.max_guesses ?? ROWS);
  if (rules.shape !== "row" || rules.cells > MOST_CELLS_TO_COME) return [];
  return Array.from({ length: Math.max(rows - used, 0) }, (_, at) =>
    h(
      "li",
      { class: "turn later", "aria-hidden": "true" },
      h("span", { class: "number" }, used + at + 1),
      h(
        "div",
        { class: "turn-body" },
        layout(rules, () => peg(rules, 0)),
      ),
    ),
  );
}
