// A hint: the guess, why, and what else would do.

import { drawCode } from "../board/draw.js";
import { counted, grouped, h, sentence } from "../dom.js";

/** @typedef {import("../types.js").Rules} Rules */

/**
 * @param {Rules} rules @param {import("../types.js").Hint} hint
 * @param {(guess: number[]) => void} use
 */
export function hintCard(rules, hint, use) {
  const button = (/** @type {number[]} */ guess, /** @type {string} */ name) =>
    h("button", { type: "button", class: "small", onclick: () => use(guess) }, name);
  const ranked = [...(hint.rated ? [hint.rated] : []), ...hint.alternatives];
  return h(
    "section",
    { class: "card hint", "aria-label": "Hint" },
    h(
      "div",
      { class: "hint-guess" },
      h("span", { class: "eyebrow" }, "Play"),
      drawCode(rules, hint.guess),
      h("button", { type: "button", class: "primary small", onclick: () => use(hint.guess) }, "Use it"),
    ),
    h("p", { class: "why" }, sentence(hint.why)),
    ranked.length > 1
      ? h(
          "details",
          { class: "alternatives" },
          h("summary", {}, "What else would do"),
          h(
            "ul",
            {},
            ranked.map((other) =>
              h(
                "li",
                {},
                drawCode(rules, other.guess),
                h("span", { class: "muted" }, worth(hint, other), other.consistent ? ", can be the code" : ""),
                button(other.guess, "Use"),
              ),
            ),
          ),
        )
      : null,
  );
}

/**
 * What a guess is worth: how many codes it leaves, or, where those were only sampled, how much it tells.
 * @param {import("../types.js").Hint} hint @param {import("../types.js").Alternative} other
 */
function worth(hint, other) {
  return hint.remaining === null
    ? `${grouped(other.score, 2)} ${other.unit}`
    : `leaves ${grouped(other.expected_remaining, 1)} on average`;
}

/**
 * How many codes still fit, as words and as a bar that shrinks with every factor of ten.
 * @param {Rules} rules @param {{remaining: number | string | null, digits: number | null}} left
 */
export function remainingBar(rules, left) {
  const share = left.digits === null ? 1 : Math.max(left.digits, 0) / Math.max(rules.digits, 1e-9);
  const words =
    left.remaining === null
      ? "More codes fit than can be counted"
      : left.remaining === 1
        ? "One code fits"
        : `${counted(left.remaining)} of ${counted(rules.codes)} codes fit`;
  return h(
    "div",
    { class: "remaining" },
    h("span", {}, words),
    h("div", { class: "bar", vars: { share: Math.min(share, 1) } }, h("i", {})),
  );
}
