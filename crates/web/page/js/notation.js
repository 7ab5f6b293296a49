// Codes and turns as text, the way the whole program writes them.

import { words } from "./words.js";

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").Turn} Turn */
/** @typedef {import("./types.js").Mark} Mark */

/** What stands on a peg. @param {Rules} rules @param {number} color */
export function label(rules, color) {
  if (rules.in_digits) return String(color % 10);
  return rules.colors > 9 && rules.colors <= 26 ? String.fromCharCode(64 + color) : String(color);
}

/** @param {Rules} rules @param {(number | null)[]} code */
export function codeText(rules, code) {
  return code.map((color) => (color === null ? "?" : label(rules, color))).join(rules.colors > 26 ? "," : "");
}

/** What is told of a cell, and the letter for it. @type {Record<string, string>} */
const LETTERS = { black: "b", white: "w", nothing: "-" };

/** Whether marks tell cells one by one. @param {Rules} rules */
export const tellsCells = (rules) => Array.isArray(rules.winning[0]);

/** @param {Rules} rules @param {Mark} mark */
export function markText(rules, mark) {
  if (Array.isArray(mark)) return mark.map((told) => LETTERS[told] ?? "?").join("");
  const numbers = rules.number_names.map((field) => mark[field]);
  if (numbers.every((number) => number === null)) return "?";
  return numbers.map((number) => number ?? "?").join(",");
}

/** @param {Rules} rules @param {Turn} turn */
export function turnText(rules, turn) {
  return `${codeText(rules, turn.guess)}=${turn.feedback.map((mark) => markText(rules, mark)).join("/")}`;
}

/** The code that a text spells; null when it spells none. @param {Rules} rules @param {string} text @returns {(number | null)[] | null} */
export function readCode(rules, text) {
  const parts = /[, ]/.test(text) ? text.split(/[, ]+/).filter(Boolean) : rules.cells === 1 ? [text] : [...text];
  const colors = parts.map((word) => {
    if (word === "?") return null;
    if (/^[a-z]$/i.test(word) && rules.colors <= 26) return word.toUpperCase().charCodeAt(0) - 64;
    if (rules.in_digits && word === "0") return 10;
    return /^\d+$/.test(word) ? Number(word) : 0;
  });
  const fit =
    colors.length === rules.cells && colors.every((color) => color === null || (color >= 1 && color <= rules.colors));
  return fit ? colors : null;
}

/** The mark that a text spells; null when it spells none. @param {Rules} rules @param {string} text @returns {Mark | null} */
export function readMark(rules, text) {
  if (tellsCells(rules)) {
    const told = [...text.trim()].map((letter) =>
      letter === "?" ? null : Object.keys(LETTERS).find((name) => LETTERS[name] === letter),
    );
    return told.length && told.every((one) => one !== undefined) ? told : null;
  }
  const names = rules.number_names;
  const parts = text.trim() === "?" ? names.map(() => "?") : text.split(/[,\s]+/).filter(Boolean);
  if (parts.length !== names.length || !parts.every((word) => word === "?" || /^\d{1,9}$/.test(word))) return null;
  return Object.fromEntries(names.map((name, at) => [name, parts[at] === "?" ? null : Number(parts[at])]));
}

/** The turn that a text spells; null when it spells none. @param {Rules} rules @param {string} text @returns {Turn | null} */
export function readTurn(rules, text) {
  const [guessText, feedbackText, more] = text.split("=");
  if (feedbackText === undefined || more !== undefined) return null;
  const guess = readCode(rules, guessText.trim());
  const marks = feedbackText.split("/").map((mark) => readMark(rules, mark));
  if (!guess || marks.length !== rules.lines.length || marks.some((mark) => mark === null)) return null;
  return { guess, feedback: /** @type {Mark[]} */ (marks) };
}

/** What a number of a mark is called: as the game has it, where that is another word. @param {Rules} rules @param {string} name @param {number} at */
export function markName(rules, name, at) {
  const word = rules.number_words[at];
  return word === name ? (words.marks[name] ?? name) : word;
}

/** A mark in words. @param {Rules} rules @param {Mark} mark */
export function markWords(rules, mark) {
  if (Array.isArray(mark)) return mark.map((told) => words.marks[told ?? "unknown"] ?? told).join(", ");
  return rules.number_names
    .map((name, at) => `${mark[name] ?? words.marks.unknown} ${markName(rules, name, at)}`)
    .join(", ");
}

/** A feedback in words. @param {Rules} rules @param {Mark[]} feedback */
export function feedbackWords(rules, feedback) {
  if (feedback.length === 1) return markWords(rules, feedback[0]);
  return feedback.map((mark, line) => `${lineName(rules, line)}: ${markWords(rules, mark)}`).join("; ");
}

/** What a line of the board is called. @param {Rules} rules @param {number} line */
export function lineName(rules, line) {
  const { row, column, all, cells } = words.lines;
  if (rules.shape === "grid") return line < rules.sides[0] ? row(line + 1) : column(line - rules.sides[0] + 1);
  if (rules.shape === "triangle" && line < rules.sides[0]) return row(line + 1);
  if (rules.shape === "row") return all;
  return cells(rules.lines[line].join(" "));
}

/** Whether a feedback is that of the secret. @param {Rules} rules @param {Mark[]} feedback */
export function isWinning(rules, feedback) {
  return feedback.every((mark, line) => markText(rules, mark) === markText(rules, rules.winning[line]));
}
