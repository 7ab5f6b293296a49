// A hint: guess, reason and alternatives.

import { drawCode } from "../board/draw.js";
import { h, pushButton } from "../dom.js";
import { codeText } from "../notation.js";
import { asSentence, formatCount, formatNumber } from "../numbers.js";
import { words } from "../words.js";

/**
 * @param {Rules} rules @param {Hint} hint
 * @param {(guess: number[]) => void} use
 * @param {(guess: number[] | null) => void} [point] Called with the hovered guess.
 */
export function hintCard(rules, hint, use, point = () => {}) {
  const pointed = (/** @type {number[]} */ guess) => ({
    onpointerenter: () => point(guess),
    onpointerleave: () => point(null),
    onfocusin: () => point(guess),
    onfocusout: () => point(null),
  });
  // In the order of the engine, which the reason refers to.
  const ranked = [...(hint.rated ? [hint.rated] : []), ...hint.alternatives];
  return h("section", { class: "card hint", "aria-label": words.hint.name },
    h("div", { class: "hint-guess", ...pointed(hint.guess) },
      h("span", { class: "eyebrow" }, words.hint.play),
      drawCode(rules, hint.guess),
      pushButton({ class: "primary", onclick: () => use(hint.guess) }, words.hint.useIt),
    ),
    h("p", { class: "why" }, asSentence(hint.why)),
    ranked.length > 1
      ? h("details", { class: "alternatives" },
          h("summary", {}, words.hint.others),
          h("ul", {},
            ranked.map((other) =>
              h(
                "li",
                pointed(other.guess),
                drawCode(rules, other.guess),
                h("span", { class: "muted" }, worth(hint, other), other.consistent ? words.hint.canBe : ""),
                pushButton(
                  {
                    class: "small",
                    "aria-label": words.left.use(codeText(rules, other.guess)),
                    onclick: () => use(other.guess),
                  },
                  words.hint.use,
                ),
              ),
            ),
          ),
        )
      : null,
  );
}

/**
 * Describes the value of a guess: the guesses it loses, if they are known, and the expected remaining codes, or its score if they were
 * only sampled.
 * @param {Hint} hint @param {Alternative} other
 */
function worth(hint, other) {
  const left = isListed(hint, other)
    ? words.hint.leaves(formatCount(other.expected_remaining))
    : `${formatNumber(other.score, 2)} ${other.unit}`;
  if (other.lost_is !== "exact") return left;
  return `${other.lost === 0 ? words.hint.best : words.hint.lost(formatNumber(other.lost, 3))}; ${left}`;
}

/** Returns true if the expected number of codes was counted, not sampled. @param {Hint} hint @param {Alternative} other */
const isListed = (hint, other) => typeof hint.remaining === "number" && other.expected_remaining <= hint.remaining;
