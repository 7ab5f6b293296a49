// The end of a game: the code, skill and luck, other strategies, and a text to share.

import * as address from "../address.js";
import { drawCode } from "../board/draw.js";
import { keysOf } from "../board/marks.js";
import { announce, fill, h, pushButton } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, turnsText } from "../notation.js";
import { asSentence } from "../numbers.js";
import { words } from "../words.js";
import { gauge } from "./chart.js";

/** @type {Record<string, string>} */
const SIGNS = { black: "⚫", white: "⚪", none: "▫️", higher: "🔼", lower: "🔽" };

/** Returns a game as lines of symbols without spoilers. @param {Rules} rules @param {Turn[]} turns @param {{solved: boolean, daily?: string | null, helped?: boolean}} about */
export function textGrid(rules, turns, { solved, daily = null, helped = false }) {
  const head = [
    words.name,
    daily ? words.end.daily(daily) : null,
    rules.rules,
    solved ? words.guesses(turns.length) : "✗",
    helped ? words.end.helped : null,
  ];
  const line = (/** @type {Turn} */ turn) => {
    const keys = turn.feedback.length === 1 ? keysOf(rules, turn.feedback[0], rules.cells) : null;
    if (keys && rules.cells <= 12) return keys.map((key) => SIGNS[key] ?? "▫️").join("");
    return rules.number_names
      .map((name) => `${SIGNS[name] ?? name} ${turn.feedback.reduce((sum, mark) => sum + (mark[name] ?? 0), 0)}`)
      .join("  ");
  };
  return [head.filter(Boolean).join(" · "), ...turns.map(line)].join("\n");
}

/**
 * @param {{rules: Rules, turns: Turn[], secret: number[], solved: boolean, day: string | null, helped: boolean, again: () => void}} game
 * @param {AbortSignal} signal
 */
export function winningCard({ rules, turns, secret, solved, day: daily, helped, again }, signal) {
  const text = textGrid(rules, turns, { solved, daily, helped });
  const verdict = h("div", { class: "end-verdict" });
  const others = h("p", { class: "muted" });
  const analyzed = { rules: rules.rules, turns: turnsText(rules, turns), secret: codeText(rules, secret) };
  if (turns.length) {
    engine.analyze({ rules: rules.rules, turns, secret }, { signal }).then(
      ({ analysis }) => {
        if (!analysis || signal.aborted) return;
        fill(
          verdict,
          h("div", { class: "gauges" },
            gauge(words.end.skill, analysis.skill, words.end.ofGuesses),
            gauge(words.end.luck, analysis.luck, words.end.withAnswers, "luck"),
          ),
          h("p", {}, asSentence(analysis.summary)),
        );
        const named = analysis.others.map((/** @type {any} */ other) =>
          other.solved ? words.end.other(other.strategy, other.guesses) : words.end.otherNot(other.strategy),
        );
        if (named.length) fill(others, h("b", {}, words.end.others), ": ", named.join(" · "));
      },
      // The rating is optional.
      () => {},
    );
  }
  const grid = h("pre", { class: "text-grid", "aria-label": words.end.textGrid, tabindex: 0 }, text);
  const sharing = pushButton(
    {
      onclick: async () => {
        try {
          if ("share" in navigator && matchMedia("(pointer: coarse)").matches) return await navigator.share({ text });
          await navigator.clipboard.writeText(text);
          sharing.textContent = words.end.copied;
          announce(words.share.copiedIs(words.end.textGrid));
        } catch {
          // The clipboard may be unavailable.
          getSelection()?.selectAllChildren(grid);
          announce(words.share.selected);
        }
      },
    },
    words.end.shareText,
  );
  return h("section", { class: `card ${solved ? "win" : "lost"}` },
    h("h2", {}, solved ? words.end.solved(turns.length) : words.play.codeWas),
    h("div", { class: "opening" }, drawCode(rules, secret)),
    verdict,
    others,
    h("div", { class: "buttons" },
      daily
        ? h("a", { class: "button primary", href: "#daily" }, words.end.nextDaily)
        : pushButton({ class: "primary", onclick: again }, words.end.again),
      turns.length ? h("a", { class: "button", href: address.write("analyze", analyzed) }, words.end.how) : null,
      turns.length ? sharing : null,
    ),
    turns.length ? grid : null,
  );
}
