// Daily: a code for each of three boards, streaks, and histograms.

import * as address from "../address.js";
import { fill, h, pageHead } from "../dom.js";
import { formatNumber } from "../numbers.js";
import { rulesTitle } from "../parts/rules.js";
import * as record from "../record.js";
import { words } from "../words.js";

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  const boards = h("div", { class: "dailies" });
  const numbers = h("div", { class: "streaks" });
  const charts = h("div", { class: "histograms" });
  root.append(pageHead(words.daily.title, words.daily.about), boards, numbers, charts);

  /** @param {Query} next */
  function update(next) {
    const day = next.day && record.seedOf(next.day) !== null ? next.day : record.today();
    fill(boards, record.DAILY.map((rules) => one(day, rules)));
    const { current, longest, played } = record.streaks(record.days(), record.today());
    const number = (/** @type {string} */ name, /** @type {number} */ value) =>
      h("div", { class: "streak" }, h("b", {}, value), h("span", { class: "muted" }, name));
    fill(
      numbers,
      number(words.daily.streak, current),
      number(words.daily.longest, longest),
      number(words.daily.played, played),
    );
    const all = Object.entries(record.finished());
    fill(
      charts,
      all.length
        ? all.map(([rules, counts]) => histogram(rules, counts))
        : h("section", { class: "card quietly" }, h("h2", {}, words.daily.histogram), h("p", {}, words.daily.nothing)),
    );
  }

  update(query);
  return { update };
}

/** @param {string} day @param {string} rules */
function one(day, rules) {
  const game = record.daily(day, rules);
  const over = game !== null && game.guesses !== null;
  const href = address.write("play", { rules, day, turns: game?.turns, helped: game?.helped ? 1 : null });
  return h("section", { class: `card daily${over ? " win" : ""}`, "aria-label": rules },
    h("h2", {}, rulesTitle(rules)),
    h("p", { class: "muted" }, over ? words.daily.solvedIn(game.guesses ?? 0) : day),
    h("a", { class: over ? "button" : "button primary", href },
      over ? words.daily.see : game ? words.daily.goOn : words.daily.play,
    ),
  );
}

/** Draws a histogram of guesses. @param {string} rules @param {Record<string, number>} counts */
function histogram(rules, counts) {
  const [least, most] = [Math.min(...Object.keys(counts).map(Number)), Math.max(...Object.keys(counts).map(Number))];
  const numbers = Array.from({ length: most - least + 1 }, (_, at) => least + at);
  const games = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const sum = Object.entries(counts).reduce((all, [guesses, count]) => all + Number(guesses) * count, 0);
  const tallest = Math.max(...Object.values(counts));
  return h("section", { class: "card" },
    h("h2", {}, words.daily.histogramOf(rulesTitle(rules))),
    h("p", { class: "muted" }, words.daily.mean(formatNumber(sum / games, 2), games)),
    h("ul", { class: "histogram" },
      numbers.map((number) =>
        h("li", {},
          h("span", { class: "unseen" }, words.daily.bar(number, counts[number] ?? 0)),
          h("span", { "aria-hidden": "true" }, number),
          h("span", { class: "bar", "aria-hidden": "true", vars: { share: (counts[number] ?? 0) / tallest } },
            h("i", {}),
          ),
          h("span", { "aria-hidden": "true", class: "muted" }, counts[number] ?? 0),
        ),
      ),
    ),
  );
}
