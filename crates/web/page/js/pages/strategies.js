// Strategies: the catalog, with the papers, what they published, and what was measured.

import * as address from "../address.js";
import { fill, grouped, h, things, trouble } from "../dom.js";
import * as engine from "../engine.js";
import { thinker } from "../parts/thinking.js";

/** @typedef {import("../types.js").Query} Query */

export const title = "Strategies";

/** Games of a measurement on the page: enough for two digits, and soon over. */
const GAMES = 100;

/** @param {HTMLElement} root @param {Query} query @returns {import("../types.js").Page} */
export function open(root, query) {
  const asking = new AbortController();
  /** @type {(() => void)[]} */
  const closing = [];
  const list = h("div", { class: "families" });
  const search = h("input", {
    type: "search",
    placeholder: "Search by name, idea or author",
    "aria-label": "Search strategies",
    value: query.search ?? "",
    oninput: () => filter(),
  });
  const found = h("p", { class: "muted", "aria-live": "polite" });
  root.append(
    h(
      "div",
      { class: "page-head" },
      h(
        "div",
        {},
        h("h1", {}, "Strategies"),
        h(
          "p",
          { class: "muted" },
          "Every strategy in the program: who described it, what was published, and what you measure yourself.",
        ),
      ),
    ),
    h("div", { class: "filter" }, search, found),
    list,
  );

  async function load() {
    try {
      const [{ strategies }, lab] = await Promise.all([
        engine.strategies(undefined, asking.signal),
        engine.lab(asking.signal).catch(() => ({ rows: [] })),
      ]);
      const families = [...new Set(strategies.map((row) => row.family))];
      fill(
        list,
        families.map((family) =>
          h(
            "section",
            { class: "family" },
            h("h2", {}, family),
            strategies.filter((row) => row.family === family).map((row) => card(row, lab.rows)),
          ),
        ),
      );
      filter();
    } catch (error) {
      if (!asking.signal.aborted) fill(list, trouble(error));
    }
  }

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of list.querySelectorAll("details.strategy")) {
      const hit = words.every((word) => item.textContent?.toLowerCase().includes(word));
      /** @type {HTMLElement} */ (item).hidden = !hit;
      shown += hit ? 1 : 0;
    }
    for (const family of list.querySelectorAll(".family"))
      /** @type {HTMLElement} */ (family).hidden = !family.querySelector("details.strategy:not([hidden])");
    fill(found, list.children.length ? things(shown, "strategy", "strategies") : "");
    address.replace("strategies", { search: search.value });
  }

  /** @param {any} row @param {any[]} measured */
  function card(row, measured) {
    const own = measured.filter((one) => one.strategy === row.name || one.strategy.startsWith(`${row.name}(`));
    return h(
      "details",
      { class: "strategy card" },
      h(
        "summary",
        {},
        h("span", { class: "strategy-name" }, h("strong", {}, row.title), h("code", {}, row.name)),
        h("span", { class: "muted" }, row.about),
      ),
      h(
        "div",
        { class: "strategy-body" },
        h("dl", {}, h("dt", {}, "Paper"), h("dd", {}, row.paper), h("dt", {}, "Plays"), h("dd", {}, row.plays)),
        row.parameters.length
          ? table(
              "Parameters",
              ["Name", "Values", "Default", "What it does"],
              row.parameters.map((/** @type {any} */ one) => [one.name, values(one.kind), one.default, one.about]),
            )
          : null,
        row.published.length
          ? table(
              "Published",
              ["Rules", "As", "Number", "Where"],
              row.published.flatMap((/** @type {any} */ one) =>
                one.numbers.map((/** @type {string[]} */ [measure, printed]) => [
                  one.rules,
                  one.label,
                  `${measure} ${printed}`,
                  one.exhibit,
                ]),
              ),
            )
          : null,
        own.length
          ? table(
              "Measured, in the store",
              ["Rules", "Strategy", "Games", "Mean guesses", "Most"],
              own.map((one) => [
                one.rules,
                one.strategy,
                grouped(one.games),
                mean(one.guesses),
                grouped(one.guesses.max),
              ]),
            )
          : null,
        measurement(row),
      ),
    );
  }

  /** A measurement of one's own. @param {any} row */
  function measurement(row) {
    const place = h("div", {});
    const work = thinker(place);
    closing.push(work.close);
    const rules = h("input", {
      type: "text",
      value: "4x6",
      size: 12,
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": `Rules to measure ${row.name} at`,
    });
    const bar = h("progress", { max: GAMES, value: "0", "aria-label": "Games played" });
    const go = (/** @type {Event} */ event) => {
      event.preventDefault();
      bar.value = 0;
      work.think(
        `Playing ${GAMES} games`,
        (watcher) =>
          engine.measure(
            { rules: rules.value.trim(), strategy: row.name, games: GAMES, seed: 1 },
            {
              ...watcher,
              line: ({ played }) => {
                bar.value = played.games;
              },
            },
          ),
        ({ measured }) => {
          fill(
            place,
            measured
              ? h(
                  "p",
                  {},
                  h("strong", {}, mean(measured.guesses)),
                  ` guesses on average over ${things(measured.games, "game")} at ${measured.rules}, ${grouped(measured.guesses.max)} at most; `,
                  `${grouped(measured.examined.mean, 1)} codes looked at and ${grouped(measured.seconds.mean * 1000, 2)} ms a game`,
                )
              : h("p", { class: "muted" }, "Stopped before the first game ended."),
          );
        },
      );
    };
    return h(
      "form",
      { class: "measure", onsubmit: go },
      h(
        "div",
        { class: "buttons" },
        h("label", { class: "field inline" }, h("span", {}, "Rules"), rules),
        h("button", { type: "submit", class: "small" }, `Measure ${GAMES} games`),
        h("a", { class: "button small quiet", href: address.write("watch", { left: row.name }) }, "Watch it play"),
      ),
      place,
    );
  }

  load();
  return {
    update(next) {
      search.value = next.search ?? "";
      filter();
    },
    close() {
      asking.abort();
      closing.forEach((end) => end());
    },
  };
}

/** @param {any} summary */
function mean(summary) {
  const margin = summary.ci95 ? ` ± ${((summary.ci95[1] - summary.ci95[0]) / 2).toFixed(2)}` : "";
  return `${summary.mean.toFixed(3)}${margin}`;
}

/** The values a parameter may take, in words. @param {any} kind */
function values(kind) {
  if (kind.choice) return kind.choice.join(" | ");
  if (kind["code-or"]) return `${kind["code-or"].join(" | ")} | a code`;
  const range = kind.integer ?? kind.decimal;
  return range ? `${grouped(range.min, 3)} to ${grouped(range.max, 3)}` : "";
}

/** @param {string} caption @param {string[]} heads @param {(string | number)[][]} rows */
function table(caption, heads, rows) {
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((head) => h("th", { scope: "col" }, head)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            row.map((cell) => h("td", {}, cell)),
          ),
        ),
      ),
    ),
  );
}
