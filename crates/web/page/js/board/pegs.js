// Pegs: a color and a label. A player may set the colors and names of a real set.

import { save, saved } from "../device.js";
import { h } from "../dom.js";
import { label } from "../notation.js";
import { words } from "../words.js";

/** Colors, most distinct first. */
const PEGS = [
  "#cf3b30", "#2d6cdf", "#2c8f49", "#f0bf2b", "#ee7f22", "#7b45ad", "#35b6cf", "#ec88b9",
  "#875833", "#f3efe6", "#646c78", "#a2cc3a", "#1f3170", "#a81d5d", "#137a75", "#d9b98a",
  "#b09be6", "#1f5a33", "#f19a86", "#93c6f0", "#6f7021", "#7c1f24", "#8fe0b7", "#b8bcc4",
];
const DARK_INK = "#1c1710";
const LIGHT_INK = "#ffffff";

/** Custom name and color. @typedef {{name?: string, fill?: string}} Own */

/** @type {Record<string, Own>} */
let own = saved("set", /** @type {Record<string, Own>} */ ({}));

/** Symbols of the first colors, different in shape. */
const SYMBOLS = ["●", "■", "▲", "◆", "★", "✚", "♥", "☾", "♣", "▼", "♠", "✖"];

/** Returns the kind of text on pegs: labels or symbols. @returns {string} */
export const labels = () => saved("labels", "text");
/** @param {string} kind */
export const setLabels = (kind) => save("labels", kind);

/** Returns the custom set, by color number. */
export const ownSet = () => own;

/** @param {Record<string, Own>} set */
export function setOwn(set) {
  own = set;
  save("set", set);
}

/** Returns the color of a peg as #rrggbb. @param {number} color @returns {string} */
export function fillOf(color) {
  return own[color]?.fill ?? PEGS[color - 1] ?? generatedColor(color);
}

/** Generates further colors by the golden angle at three lightnesses. @param {number} color */
function generatedColor(color) {
  const [hue, depth] = [(color * 137.5) % 360, 0.34 + (color % 3) * 0.1];
  const part = (/** @type {number} */ n) => {
    const k = (n + hue / 30) % 12;
    const value = depth - 0.52 * Math.min(depth, 1 - depth) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

/** Returns a readable text color. @param {string} fill */
function inkFor(fill) {
  const parts = [1, 3, 5].map((at) => Number.parseInt(fill.slice(at, at + 2), 16) / 255);
  const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.0585 ? LIGHT_INK : DARK_INK;
}

/** Returns the name of a color: a custom one, a usual one, or its label. @param {Rules} rules @param {number} color */
export function colorName(rules, color) {
  const usual = rules.in_digits || own[color]?.fill ? "" : words.colors[color - 1];
  return own[color]?.name?.trim() || usual || label(rules, color);
}

/** Draws a peg; null is a question mark, 0 a hole. @param {Rules} rules @param {number | null} color */
export function peg(rules, color) {
  if (color === 0) return h("span", { class: "peg empty" });
  if (color === null) return h("span", { class: "peg unknown" }, "?");
  const fill = fillOf(color);
  const text = (labels() === "symbols" && SYMBOLS[color - 1]) || label(rules, color);
  return h("span", { class: text.length > 2 ? "peg long" : "peg", vars: { fill, ink: inkFor(fill) } }, text);
}
