// Codes and turns in the notation of the command line.

import { words } from "./words.js";

/** Returns the label of a color. @param {Rules} rules @param {number} color */
export function label(rules, color) {
  if (rules.in_digits) return String(color % 10);
  return rules.colors > 9 && rules.colors <= 26 ? String.fromCharCode(64 + color) : String(color);
}

/** @param {Rules} rules @param {(number | null)[]} code */
export function codeText(rules, code) {
  return code.map((color) => (color === null ? "?" : label(rules, color))).join(rules.colors > 26 ? "," : "");
}

/** Letters of per-cell marks. @type {Record<string, string>} */
const LETTERS = { black: "b", white: "w", nothing: "-" };

/** Returns true for per-cell feedback. @param {Rules} rules */
export const isPerCell = (rules) => Array.isArray(rules.winning[0]);

/** @param {Rules} rules @param {Mark} mark */
export function markText(rules, mark) {
  if (Array.isArray(mark)) return mark.map((cell) => LETTERS[cell] ?? "?").join("");
  const numbers = rules.number_names.map((field) => mark[field]);
  if (numbers.every((number) => number === null)) return "?";
  return numbers.map((number) => number ?? "?").join(",");
}

/** @param {Rules} rules @param {Turn} turn */
export function turnText(rules, turn) {
  return `${codeText(rules, turn.guess)}=${turn.feedback.map((mark) => markText(rules, mark)).join("/")}`;
}

/** Formats turns for an address. @param {Rules} rules @param {Turn[]} turns */
export const turnsText = (rules, turns) => turns.map((turn) => turnText(rules, turn)).join(";");

/** Parses a code; null if it is invalid. @param {Rules} rules @param {string} text @returns {(number | null)[] | null} */
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

/** Parses a mark; null if it is invalid. @param {Rules} rules @param {string} text @returns {Mark | null} */
function readMark(rules, text) {
  if (isPerCell(rules)) {
    const cells = [...text.trim()].map((letter) =>
      letter === "?" ? null : Object.keys(LETTERS).find((name) => LETTERS[name] === letter),
    );
    return cells.length && cells.every((cell) => cell !== undefined) ? cells : null;
  }
  const names = rules.number_names;
  const parts = text.trim() === "?" ? names.map(() => "?") : text.split(/[,\s]+/).filter(Boolean);
  if (parts.length !== names.length || !parts.every((word) => word === "?" || /^\d{1,9}$/.test(word))) return null;
  return Object.fromEntries(names.map((name, at) => [name, parts[at] === "?" ? null : Number(parts[at])]));
}

/** Parses a turn; null if it is invalid. @param {Rules} rules @param {string} text @returns {Turn | null} */
export function readTurn(rules, text) {
  const [guessText, feedbackText, more] = text.split("=");
  if (feedbackText === undefined || more !== undefined) return null;
  const guess = readCode(rules, guessText.trim());
  const marks = feedbackText.split("/").map((mark) => readMark(rules, mark));
  if (!guess || marks.length !== rules.lines.length || marks.some((mark) => mark === null)) return null;
  return { guess, feedback: /** @type {Mark[]} */ (marks) };
}

/** Returns the name of a number of a mark in this game. @param {Rules} rules @param {string} name @param {number} at */
function markName(rules, name, at) {
  const word = rules.number_words[at];
  return word === name ? (words.marks[name] ?? name) : word;
}

/** Describes a mark. @param {Rules} rules @param {Mark} mark */
export function markWords(rules, mark) {
  if (Array.isArray(mark)) return mark.map((cell) => words.marks[cell ?? "unknown"] ?? cell).join(", ");
  return rules.number_names
    .map((name, at) => `${mark[name] ?? words.marks.unknown} ${markName(rules, name, at)}`)
    .join(", ");
}

/** Describes feedback. @param {Rules} rules @param {Mark[]} feedback */
export function feedbackWords(rules, feedback) {
  if (feedback.length === 1) return markWords(rules, feedback[0]);
  return feedback.map((mark, line) => `${lineName(rules, line)}: ${markWords(rules, mark)}`).join("; ");
}

/** Returns the name of a line. @param {Rules} rules @param {number} line */
export function lineName(rules, line) {
  const { row, column, all, cells } = words.lines;
  if (rules.shape === "grid") return line < rules.sides[0] ? row(line + 1) : column(line - rules.sides[0] + 1);
  if (rules.shape === "triangle" && line < rules.sides[0]) return row(line + 1);
  if (rules.shape === "row") return all;
  return cells(rules.lines[line].join(" "));
}

/** Returns true if a line has fewer pegs than black and white ones. @param {Rules} rules @param {Mark[]} feedback */
export const isImpossible = (rules, feedback) =>
  feedback.some(({ black, white }, line) => black + white > rules.lines[line].length || (white === 1 && black === rules.lines[line].length - 1));

/** Returns true for the feedback of a solved game. @param {Rules} rules @param {Mark[]} feedback */
export function isWinning(rules, feedback) {
  return feedback.every((mark, line) => markText(rules, mark) === markText(rules, rules.winning[line]));
}
