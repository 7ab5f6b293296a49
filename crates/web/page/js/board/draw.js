// Codes and turns as they stand on the board, which is a table to those who listen.

import { h } from "../dom.js";
import { codeText, feedbackWords } from "../notation.js";
import { words } from "../words.js";
import { layout } from "./layout.js";
import { drawMark, noMark } from "./marks.js";
import { colorName, peg } from "./pegs.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").Turn} Turn */

/** A code as it is said. @param {Rules} rules @param {(number | null)[]} code */
export function said(rules, code) {
  return code.map((color) => (color === null ? "?" : colorName(rules, color))).join(" ");
}

/** How many cells of a code on its own stand side by side. */
const MOST_ACROSS = 10;

/** A code on its own. @param {Rules} rules @param {(number | null)[]} code */
export function drawCode(rules, code) {
  const lines = Math.ceil(rules.cells / MOST_ACROSS);
  const drawn = layout(rules, (cell) => peg(rules, code[cell]));
  const across = Math.ceil(rules.cells / lines);
  return h("div", { class: "code", role: "img", "aria-label": codeText(rules, code), vars: { across } }, drawn);
}

/**
 * A row of the board: a number, what stands there, and what may be done with it.
 * @param {number} number @param {string} kind @param {Element} body
 * @param {{said?: string, rated?: Element | null, actions?: Element[]}} [more]
 */
export function row(number, kind, body, { said, rated = null, actions = [] } = {}) {
  return h(
    "div",
    { class: `turn${kind}`, role: "row" },
    h("span", { class: "number", role: "rowheader" }, h("span", { class: "unseen" }, words.board.turn), number),
    h(
      "div",
      { class: "turn-body", role: "cell" },
      said ? h("span", { class: "unseen" }, said) : null,
      said ? h("div", { "aria-hidden": "true" }, body) : body,
    ),
    rated ? h("div", { class: "rated", role: "cell" }, rated) : null,
    actions.length ? h("div", { class: "actions", role: "cell" }, actions) : null,
  );
}

/**
 * A turn that was played.
 * @param {Rules} rules @param {Turn} turn @param {number} number
 * @param {{fresh?: boolean, wrong?: boolean, rated?: Element | null, actions?: Element[]}} [options]
 */
export function drawTurn(rules, turn, number, { fresh = false, wrong = false, rated = null, actions = [] } = {}) {
  const body = layout(
    rules,
    (cell) => peg(rules, turn.guess[cell]),
    (line) => drawMark(rules, turn.feedback[line], line),
  );
  return row(number, `${fresh ? " fresh" : ""}${wrong ? " wrong" : ""}`, body, {
    said: `${said(rules, turn.guess)}. ${feedbackWords(rules, turn.feedback)}.`,
    rated,
    actions,
  });
}

/** The board: a table of turns. @param {Rules} rules @param {string} name */
export function board(rules, name) {
  return h("div", { class: `board shape-${rules.shape}`, role: "table", "aria-label": name });
}

/** Rows of a board that are to come, so that it looks like one, and what is below it stays where it is. */
const ROWS = 7;
/** Cells that are drawn for nothing but looks, at most. */
const MOST_CELLS_TO_COME = 160;

/** The empty rows after so many. @param {Rules} rules @param {number} used */
export function later(rules, used) {
  const rows = Math.min(ROWS, rules.max_guesses ?? ROWS);
  if (rules.shape !== "row") return [];
  const count = Math.min(Math.max(rows - used, 0), Math.floor(MOST_CELLS_TO_COME / rules.cells));
  return Array.from({ length: count }, (_, at) =>
    h(
      "div",
      { class: "turn later", "aria-hidden": "true" },
      h("span", { class: "number" }, used + at + 1),
      h(
        "div",
        { class: "turn-body" },
        layout(
          rules,
          () => peg(rules, 0),
          (line) => noMark(rules, line),
        ),
      ),
    ),
  );
}
