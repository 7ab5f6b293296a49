// Marks: what a line answers, as key pegs where they are few, as numbers elsewhere.

import { h } from "../dom.js";
import { markWords, tellsCells } from "../notation.js";
import { hasKeys, keysAcross } from "./fit.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").Mark} Mark */

/** A key peg's look, by the name of what it counts; names that are new get one that says nothing. */
const KNOWN = ["black", "white", "higher", "lower"];

/** The sign of a number of a mark. @param {string} name */
export function sign(name) {
  if (name === "distance") return h("i", { class: "sign" }, "Δ");
  return KNOWN.includes(name)
    ? h("i", { class: `key ${name}` })
    : h("i", { class: "sign" }, name.charAt(0).toUpperCase());
}

/** The key pegs of a mark, or null where it is not all known. @param {Rules} rules @param {Mark} mark @param {number} cells */
export function keysOf(rules, mark, cells) {
  if (Array.isArray(mark)) return mark.map((told) => (told === "nothing" ? "none" : (told ?? "unknown")));
  if (rules.number_names.some((name) => mark[name] === null)) return null;
  const keys = rules.number_names.flatMap((name) => Array.from({ length: mark[name] ?? 0 }, () => name));
  return Array.from({ length: cells }, (_, at) => keys[at] ?? "none");
}

/** @param {Rules} rules @param {Mark} mark @param {number} line */
export function drawMark(rules, mark, line) {
  const cells = rules.lines[line].length;
  const keys = hasKeys(rules) || tellsCells(rules) ? keysOf(rules, mark, cells) : null;
  const title = markWords(rules, mark);
  if (keys) {
    return h(
      "span",
      { class: rules.shape === "row" ? "mark keys" : "mark tile told", title, vars: { keys: keysAcross(rules) } },
      keys.map((key) => h("i", { class: `key ${key}` })),
    );
  }
  return h(
    "span",
    { class: rules.shape === "row" || rules.shape === "lines" ? "mark numbers" : "mark tile", title },
    rules.number_names.map((name) => chip(name, mark[name] ?? null)),
  );
}

/** A number of a mark. @param {string} name @param {number | null} number */
function chip(name, number) {
  return h("span", { class: `chip ${KNOWN.includes(name) ? name : "other"}` }, sign(name), h("b", {}, number ?? "?"));
}

/** Where a mark will stand. @param {Rules} rules @param {number} line */
export function noMark(rules, line) {
  const cells = rules.lines[line].length;
  if (hasKeys(rules))
    return h(
      "span",
      { class: "mark keys", vars: { keys: keysAcross(rules) } },
      Array.from({ length: cells }, () => h("i", { class: "key none" })),
    );
  if (rules.shape !== "row" && rules.shape !== "lines") return h("span", { class: "mark tile none" });
  // As tall as the mark that will stand there, so that rows keep their height.
  return h(
    "span",
    { class: "mark numbers none" },
    rules.number_names.map((name) => chip(name, 0)),
  );
}
