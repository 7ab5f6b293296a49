// Pegs: a color, and a label that tells them apart without it.

import { h } from "../dom.js";
import { label } from "../notation.js";

/** @typedef {import("../types.js").Rules} Rules */

/** Colors and the ink on them, most different first. */
const PEGS = [
  ["#cf3b30", "#fff"],
  ["#2d6cdf", "#fff"],
  ["#2c8f49", "#fff"],
  ["#f0bf2b", "#3a2c00"],
  ["#ee7f22", "#331a00"],
  ["#7b45ad", "#fff"],
  ["#35b6cf", "#04252c"],
  ["#ec88b9", "#3a0b22"],
  ["#875833", "#fff"],
  ["#f3efe6", "#33302a"],
  ["#646c78", "#fff"],
  ["#a2cc3a", "#223000"],
  ["#1f3170", "#fff"],
  ["#a81d5d", "#fff"],
  ["#137a75", "#fff"],
  ["#d9b98a", "#38280f"],
  ["#b09be6", "#211347"],
  ["#1f5a33", "#fff"],
  ["#f19a86", "#3c120a"],
  ["#93c6f0", "#0b2a45"],
  ["#6f7021", "#fff"],
  ["#7c1f24", "#fff"],
  ["#8fe0b7", "#0b3322"],
  ["#b8bcc4", "#24262b"],
];

/** @param {number} color @returns {[string, string]} */
function look(color) {
  const [fill, ink] = PEGS[color - 1] ?? [
    `hsl(${Math.round((color * 137.5) % 360)} 52% ${34 + (color % 3) * 10}%)`,
    "#fff",
  ];
  return [fill, ink];
}

/** A peg; a question mark for null, a hole for 0. @param {Rules} rules @param {number | null} color */
export function peg(rules, color) {
  if (color === 0) return h("span", { class: "peg empty" });
  if (color === null) return h("span", { class: "peg unknown" }, "?");
  const [fill, ink] = look(color);
  const text = label(rules, color);
  return h("span", { class: text.length > 2 ? "peg long" : "peg", vars: { fill, ink } }, text);
}
