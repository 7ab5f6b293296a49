// The end of a game: the code, skill and luck, other strategies, and a text to share.

import * as address from "../address.js";
import { drawCode } from "../board/draw.js";
import { keysOf } from "../board/marks.js";
import { numberOf } from "../core/daily.js";
import { TWO } from "../core/game.js";
import { fill, h, pushButton } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, turnsText } from "../notation.js";
import { asSentence } from "../numbers.js";
import { words } from "../words.js";
import { gauge } from "./chart.js";
import { position } from "./list.js";
import { quality } from "./rating.js";
import { shareButton } from "./share.js";

/** @typedef {import("../core/game.js").Game} Game */

/** @type {Record<string, string>} */
const SIGNS = { black: "⚫", white: "⚪", none: "▫️", higher: "🔼", lower: "🔽" };

/** Returns a game as lines of symbols without spoilers. @param {Rules} rules @param {Turn[]} turns @param {Game} game */
function textGrid(rules, turns, { won, day, limit, help }) {
  const head = [
    day ? `${words.name} #${numberOf(day)}` : words.name,
    rules.rules,
    day ? `${won ? turns.length : "✗"}/${limit}` : won ? words.guesses(turns.length) : "✗",
    help.length ? words.end.helped : null,
  ];
  const line = (/** @type {Turn} */ turn) => {
    const keys = turn.feedback.length === 1 ? keysOf(rules, turn.feedback[0], rules.cells) : null;
    if (keys && rules.cells <= 12) return keys.map((key) => SIGNS[key] ?? "▫️").join("");
    return rules.number_names
      .map((name) => `${SIGNS[name] ?? name} ${turn.feedback.reduce((sum, mark) => sum + (mark[name] ?? 0), 0)}`)
      .join("  ");
  };
  const link = day ? [new URL(address.write("play", { rules: rules.rules, day }), location.href).href] : [];
  return [head.filter(Boolean).join(" · "), ...turns.map(line), ...link].join("\n");
}

/** Describes the end of a game. @param {Game} game @param {number} guesses */
export function headline({ won, rival }, guesses) {
  if (!won) return words.play.codeWas;
  return rival === TWO ? words.race.wins(2 - (guesses % 2), guesses) : words.end.solved(guesses);
}

/**
 * @param {{rules: Rules, turns: Turn[], secret: number[], game: Game, again: () => void, race?: Element}} ended
 * @param {AbortSignal} signal
 */
export function winningCard({ rules, turns, secret, game, again, race }, signal) {
  const text = textGrid(rules, turns, game);
  const verdict = h("div", { class: "end-verdict" });
  const others = h("p", { class: "muted" });
  const analyzed = { rules: rules.rules, turns: turnsText(rules, turns), secret: codeText(rules, secret) };
  if (turns.length) {
    engine.analyze({ ...position(rules, turns), secret }, { signal }).then(
      ({ analysis }) => {
        if (!analysis || signal.aborted) return;
        fill(
          verdict,
          h("div", { class: "gauges" },
            gauge(words.end.skill, analysis.skill, words.end.ofGuesses),
            gauge(words.end.luck, analysis.luck, words.end.withAnswers, "luck"),
          ),
          h("ol", { class: "qualities" },
            analysis.turns.map((/** @type {any} */ verdict) => h("li", { class: quality(verdict) }, words.rating.kinds[quality(verdict)])),
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
  const sharing = shareButton(words.end.shareText, words.end.textGrid, text, () => getSelection()?.selectAllChildren(grid));
  return h("section", { class: `card ${game.won ? "win" : "lost"}`, tabindex: -1, "aria-label": words.end.sheet },
    h("h2", {}, headline(game, turns.length)),
    h("div", { class: "opening" }, drawCode(rules, secret)),
    race,
    verdict,
    others,
    h("div", { class: "buttons" },
      game.day
        ? h("a", { class: "button primary", href: "#daily" }, words.end.nextDaily)
        : pushButton({ class: "primary", onclick: again }, words.end.again),
      turns.length ? h("a", { class: "button", href: address.write("analyze", analyzed) }, words.end.how) : null,
      turns.length ? sharing : null,
    ),
    turns.length ? grid : null,
  );
}
