// Codes and turns on the board, which is a table for screen readers.

import { h } from "../dom.js";
import { codeText, feedbackWords } from "../notation.js";
import { words } from "../words.js";
import { layout } from "./layout.js";
import { drawMark } from "./marks.js";
import { colorName, peg } from "./pegs.js";

/** Returns a code as text for screen readers. @param {Rules} rules @param {(number | null)[]} code */
export function spokenCode(rules, code) {
  return code.map((color) => (color === null ? "?" : colorName(rules, color))).join(" ");
}

/** Returns a code as a label, which contains the text of its pegs. @param {Rules} rules @param {(number | null)[]} code */
export function codeName(rules, code) {
  const [text, spoken] = [codeText(rules, code), spokenCode(rules, code)];
  return spoken.replaceAll(" ", "") === text ? text : `${text}, ${spoken}`;
}

/** Cells per line of a code outside of the board. */
const MAX_ACROSS = 10;

/** Draws a code outside of the board. @param {Rules} rules @param {(number | null)[]} code */
export function drawCode(rules, code) {
  const lines = Math.ceil(rules.cells / MAX_ACROSS);
  const drawn = layout(rules, (cell) => peg(rules, code[cell]));
  const across = Math.ceil(rules.cells / lines);
  return h("div", { class: "code", role: "img", "aria-label": codeName(rules, code), vars: { across } }, drawn);
}

/**
 * Draws a row of the board: number, content, rating and actions.
 * @param {number} number @param {string} kind @param {Element} body
 * @param {{spoken?: string, rated?: Element | null, actions?: Element[]}} [more]
 */
export function row(number, kind, body, { spoken, rated = null, actions = [] } = {}) {
  return h("div", { class: `turn${kind}`, role: "row" },
    h("span", { class: "number", role: "rowheader" }, h("span", { class: "unseen" }, words.board.turn), number),
    h("div", { class: "turn-body", role: "cell" },
      spoken ? h("span", { class: "unseen" }, spoken) : null,
      spoken ? h("div", { "aria-hidden": "true" }, body) : body,
    ),
    rated ? h("div", { class: "rated", role: "cell" }, rated) : null,
    actions.length ? h("div", { class: "actions", role: "cell" }, actions) : null,
  );
}

/**
 * Draws a turn.
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
    spoken: `${spokenCode(rules, turn.guess)}. ${feedbackWords(rules, turn.feedback)}.`,
    rated,
    actions,
  });
}

/** Returns an empty board. A mark that is pointed at, tapped or focused shows the cells that it judges. @param {Rules} rules @param {string} name */
export function board(rules, name) {
  const judged = (/** @type {Event} */ event) => {
    const mark = event.target instanceof Element ? event.target.closest("[data-line]") : null;
    list.querySelectorAll(".judged").forEach((cell) => cell.classList.remove("judged"));
    const cells = mark?.closest(".layout.grid, .layout.placed, .layout.cube, .layout.lines")?.closest(".turn-body")?.querySelectorAll(".peg");
    for (const cell of cells ? rules.lines[Number(mark?.getAttribute("data-line"))] : []) cells?.[cell - 1]?.classList.add("judged");
  };
  const list = h("div", { class: `board shape-${rules.shape}`, role: "table", "aria-label": name, onpointerover: judged, onfocusin: judged });
  return list;
}
