// Rating of a guess: beside its row, and in one word.

import { h } from "../dom.js";
import { formatCount, formatNumber } from "../numbers.js";
import { words } from "../words.js";

/** Skill that is rounded to best. */
const BEST = 99.5;
const GOOD = 80;

/** Classifies a guess. @param {any} verdict @returns {"best" | "good" | "slip" | "wasted"} */
export function quality({ skill, before, after }) {
  if ((skill ?? 100) >= BEST) return "best";
  if (before !== null && before === after) return "wasted";
  return skill >= GOOD ? "good" : "slip";
}

/** @param {any} verdict */
export function rating(verdict) {
  const says = [];
  const kind = quality(verdict);
  if (kind === "best") says.push(words.rating.best);
  // If guesses lost are unknown, the remaining codes are compared.
  else if (typeof verdict.lost === "number") says.push(words.rating.lost(formatNumber(verdict.lost, 2)));
  else if (verdict.best && verdict.expected !== null && verdict.best.expected !== null)
    says.push(words.rating.leaves(formatCount(verdict.expected), formatCount(verdict.best.expected)));
  else says.push(words.rating.about(formatNumber(verdict.skill ?? 0)));
  if (!verdict.consistent) says.push(words.rating.cannotWin);
  return h("span", { class: `rating ${kind}`, title: verdict.advice }, says.map((text) => h("span", {}, text)));
}
