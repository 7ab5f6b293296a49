// Marks: the answer of a line, as key pegs or numbers.

import { h } from "../dom.js";
import { markWords, isPerCell } from "../notation.js";
import { hasKeys, keysAcross } from "./fit.js";

/** Numbers with their own style of key peg. */
const KNOWN = ["black", "white", "higher", "lower"];

/** Returns the symbol of a number of a mark. @param {string} name */
export function sign(name) {
  if (name === "distance") return h("i", { class: "sign" }, "Δ");
  return KNOWN.includes(name)
    ? h("i", { class: `key ${name}` })
    : h("i", { class: "sign" }, name.charAt(0).toUpperCase());
}

/** Returns the key pegs of a mark, or null if a number is forgotten. @param {Rules} rules @param {Mark} mark @param {number} cells */
export function keysOf(rules, mark, cells) {
  if (Array.isArray(mark)) return mark.map((cell) => (cell === "nothing" ? "none" : (cell ?? "unknown")));
  if (rules.number_names.some((name) => mark[name] === null)) return null;
  const keys = rules.number_names.flatMap((name) => Array.from({ length: mark[name] ?? 0 }, () => name));
  return Array.from({ length: cells }, (_, at) => keys[at] ?? "none");
}

/** @param {Rules} rules @param {Mark} mark @param {number} line */
export function drawMark(rules, mark, line) {
  const cells = rules.lines[line].length;
  const keys = hasKeys(rules) || isPerCell(rules) ? keysOf(rules, mark, cells) : null;
  const title = markWords(rules, mark);
  if (keys) {
    return h(
      "span",
      { class: rules.shape === "row" ? "mark keys" : "mark tile per-cell", title, "data-line": line, vars: { keys: keysAcross(rules) } },
      keys.map((key) => h("i", { class: `key ${key}` })),
    );
  }
  return h("span", { class: rules.shape === "row" || rules.shape === "lines" ? "mark numbers" : "mark tile", title, "data-line": line },
    rules.number_names.map((name) => chip(name, mark[name] ?? null)),
  );
}

/** A number of a mark. @param {string} name @param {number | null} number */
function chip(name, number) {
  return h("span", { class: `chip ${KNOWN.includes(name) ? name : "other"}` }, sign(name), h("b", {}, number ?? "?"));
}

/** Returns the placeholder of a mark. @param {Rules} rules @param {number} line */
export function noMark(rules, line) {
  const cells = rules.lines[line].length;
  if (hasKeys(rules))
    return h("span", { class: "mark keys", vars: { keys: keysAcross(rules) } },
      Array.from({ length: cells }, () => h("i", { class: "key none" })),
    );
  if (rules.shape !== "row" && rules.shape !== "lines") return h("span", { class: "mark tile none" });
  // Same height as the mark, so that rows keep their height.
  return h("span", { class: "mark numbers none" }, rules.number_names.map((name) => chip(name, 0)));
}
