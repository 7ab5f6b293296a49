// Rating of a guess beside its row.

import { h } from "../dom.js";
import { formatCount, formatNumber } from "../numbers.js";
import { words } from "../words.js";

/** Skill that is rounded to best. */
const BEST = 99.5;

/** @param {any} verdict */
export function rating(verdict) {
  const says = [];
  const best = (verdict.skill ?? 100) >= BEST;
  if (best) says.push(words.rating.best);
  // If guesses lost are unknown, the remaining codes are compared.
  else if (typeof verdict.lost === "number") says.push(words.rating.lost(formatNumber(verdict.lost, 2)));
  else if (verdict.best && verdict.expected !== null && verdict.best.expected !== null)
    says.push(words.rating.leaves(formatCount(verdict.expected), formatCount(verdict.best.expected)));
  else says.push(words.rating.about(formatNumber(verdict.skill ?? 0)));
  if (!verdict.consistent) says.push(words.rating.cannotWin);
  const kind = best ? "best" : (verdict.skill ?? 0) >= 80 ? "good" : "poor";
  return h("span", { class: `rating ${kind}`, title: verdict.advice }, says.map((text) => h("span", {}, text)));
}
