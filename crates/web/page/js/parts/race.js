// A race against a strategy that breaks the same code: its answers, without its guesses.

import * as address from "../address.js";
import { drawMark } from "../board/marks.js";
import { errorNotice, fill, h } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, feedbackWords } from "../notation.js";
import { words } from "../words.js";

/** @param {Rules} rules @param {string} strategy @param {string} sealed @param {AbortSignal} signal */
export function raceCard(rules, strategy, sealed, signal) {
  const list = h("ol", { class: "race-marks" });
  const about = h("p", { class: "muted" });
  /** Result of the race, for the result of the game. */
  const verdict = h("p", {});
  const element = h("section", { class: "card race-card", "aria-label": words.race.title(strategy) }, h("h2", {}, words.race.title(strategy)), list, about);
  /** Answers of the strategy. @type {Mark[][]} */
  const answers = [];
  /** Number of guesses of the strategy; infinite if it does not find the code. @type {number | null} */
  let needed = null;
  /** The state of the player. */
  let now = { played: 0, won: false, secret: /** @type {number[] | null} */ (null) };

  const line = (/** @type {any} */ { turn }) => {
    if (turn) answers.push(turn.feedback);
    show(now);
  };
  engine.watch({ rules: rules.rules, strategy, sealed, seed: 1 }, { signal, line }).then(
    ({ outcome }) => {
      needed = outcome === "solved" ? answers.length : Infinity;
      show(now);
    },
    (error) => signal.aborted || fill(about, errorNotice(error)),
  );

  /** Shows as many answers as the player has, and all at the end. @param {typeof now} state */
  function show(state) {
    now = state;
    const shown = answers.slice(0, now.secret ? answers.length : now.played);
    fill(
      list,
      shown.map((feedback) =>
        h("li", {}, h("span", { class: "unseen" }, feedbackWords(rules, feedback)), h("span", { "aria-hidden": "true" }, feedback.map((mark, line) => drawMark(rules, mark, line)))),
      ),
    );
    if (needed === null) return;
    if (!now.secret) return fill(about, shown.length === needed ? words.race.found(strategy, needed) : null);
    const mine = now.won ? now.played : Infinity;
    fill(about);
    fill(
      verdict,
      mine === needed ? words.race.tie : mine < needed ? words.race.won(mine, needed) : words.race.lost(strategy, needed),
      " ",
      h("a", { href: address.write("watch", { rules: rules.rules, who: strategy, secret: codeText(rules, now.secret) }) }, words.race.see),
    );
  }

  return { element, verdict, show };
}
