// Strategies: the catalog with measurements, papers, and measurements on demand.

import * as address from "../address.js";
import { errorNotice, fill, h, pageHead, pushButton, table } from "../dom.js";
import * as engine from "../engine.js";
import { formatDuration, formatNumber } from "../numbers.js";
import { rulesTitle } from "../parts/rules.js";
import { requestView } from "../parts/thinking.js";
import { words } from "../words.js";

/** @typedef {keyof typeof words.strategies.columns} Column */

/** Games per measurement. */
const GAMES = 100;
const COLUMNS = /** @type {Column[]} */ (Object.keys(words.strategies.columns));

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  const asking = new AbortController();
  /** @type {(() => void)[]} */
  const closing = [];
  /** @type {{row: any, text: string, head: HTMLElement, body: HTMLElement, values: Record<Column, string | number>}[]} */
  let items = [];
  /** @type {Awaited<ReturnType<typeof engine.results>> | null} */
  let results = null;
  let sorted = { by: /** @type {Column} */ ("mean"), down: false };

  const about = h("p", { class: "muted" });
  const search = h("input", {
    type: "search",
    placeholder: words.strategies.searchBy,
    "aria-label": words.strategies.search,
    value: query.search ?? "",
    oninput: () => filter(),
  });
  const boards = h("select", { "aria-label": words.strategies.board, onchange: () => measure() });
  const found = h("p", { class: "muted", "aria-live": "polite" });
  const heads = COLUMNS.map((column) =>
    h("th", { scope: "col", class: ["mean", "worst", "seconds"].includes(column) ? "right" : `of-${column}` },
      pushButton(
        { class: "quiet sort", "aria-label": words.strategies.sortBy(words.strategies.columns[column]), onclick: () => sort(column) },
        words.strategies.columns[column],
      ),
    ),
  );
  const body = h("tbody", {});
  const place = h("div", {});
  root.append(
    pageHead(words.strategies.title, about),
    h("div", { class: "filter" }, search, h("label", { class: "field inline" }, h("span", {}, words.strategies.board), boards), found),
    place,
    h("div", { class: "card catalog" }, h("table", {}, h("thead", {}, h("tr", {}, heads)), body)),
  );

  async function load() {
    try {
      const [{ strategies }, lab, measured] = await Promise.all([
        engine.strategies(undefined, asking.signal),
        engine.lab(asking.signal).catch(() => ({ rows: [] })),
        engine.results(asking.signal),
      ]);
      results = measured;
      fill(about, words.strategies.about(measured.games));
      const rules = [...new Set(measured.rows.map((row) => row.rules))];
      fill(
        boards,
        rules.map((text) => h("option", { value: text, selected: text === (query.rules ?? "4x6") }, `${rulesTitle(text)} (${text})`)),
      );
      items = strategies.map((row) => item(row, lab.rows));
      measure();
    } catch (error) {
      if (!asking.signal.aborted) fill(place, errorNotice(error));
    }
  }

  /** Fills in the measurements of the selected board. */
  function measure() {
    for (const one of items) {
      const row = results?.rows.find((result) => result.rules === boards.value && result.strategy === one.row.name);
      Object.assign(one.values, { mean: row?.mean ?? Infinity, worst: row?.worst ?? Infinity, seconds: row?.seconds ?? Infinity });
      const set = (/** @type {string} */ name, /** @type {string} */ text) => {
        const cell = one.head.querySelector(`.of-${name}`);
        if (cell) cell.textContent = text;
      };
      const margin = row?.margin ? ` ± ${row.margin.toFixed(2)}` : "";
      set("mean", row ? `${row.mean.toFixed(3)}${margin}` : words.strategies.notMeasured);
      set("worst", row ? formatNumber(row.worst) : words.strategies.notMeasured);
      set("seconds", row ? formatDuration(row.seconds) : words.strategies.notMeasured);
    }
    order();
    filter();
  }

  /** @param {Column} by */
  function sort(by) {
    sorted = { by, down: sorted.by === by && !sorted.down };
    order();
  }

  function order() {
    const { by, down } = sorted;
    const compare = (/** @type {string | number} */ a, /** @type {string | number} */ b) =>
      typeof a === "number" && typeof b === "number" ? (a === b ? 0 : a - b) : String(a).localeCompare(String(b));
    const way = down ? -1 : 1;
    items.sort((a, b) => {
      // Missing values are last in both orders.
      const [one, other] = [a.values[by], b.values[by]];
      if (one === Infinity || other === Infinity) return compare(one, other);
      return way * compare(one, other);
    });
    heads.forEach((head, at) => {
      if (COLUMNS[at] === by) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    fill(body, items.flatMap(({ head, body: more }) => [head, more]));
  }

  function filter() {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { text, head, body: more } of items) {
      const hit = wanted.every((word) => text.includes(word));
      head.hidden = !hit;
      more.hidden = !hit || head.querySelector("[aria-expanded=true]") === null;
      shown += hit ? 1 : 0;
    }
    fill(found, items.length ? words.strategies.found(shown) : "");
    address.replace("strategies", { search: search.value, rules: boards.value === "4x6" ? null : boards.value });
  }

  /** @param {any} row @param {any[]} stored */
  function item(row, stored) {
    const more = h("td", { colspan: COLUMNS.length });
    const below = h("tr", { class: "strategy-more", hidden: true }, more);
    const toggle = pushButton(
      {
        class: "quiet strategy-name",
        "aria-expanded": "false",
        onclick: () => {
          const now = toggle.getAttribute("aria-expanded") !== "true";
          toggle.setAttribute("aria-expanded", String(now));
          below.hidden = !now;
          if (now && !more.children.length) more.append(details(row, stored));
        },
      },
      h("span", { class: "unseen" }, words.strategies.details),
      h("strong", {}, row.title),
      h("code", {}, row.name),
    );
    const head = h("tr", { class: "strategy" },
      h("th", { scope: "row" }, toggle),
      h("td", { class: "of-family muted" }, row.family),
      h("td", { class: "right of-mean" }),
      h("td", { class: "right of-worst" }),
      h("td", { class: "right of-seconds" }),
    );
    const text = [row.title, row.name, row.family, row.about, row.paper, row.plays].join(" ").toLowerCase();
    const values = { title: row.title, family: row.family, mean: Infinity, worst: Infinity, seconds: Infinity };
    return { row, text, head, body: below, values };
  }

  /** @param {any} row @param {any[]} stored */
  function details(row, stored) {
    const own = stored.filter((one) => one.strategy === row.name || one.strategy.startsWith(`${row.name}(`));
    const published = row.published.flatMap((/** @type {any} */ one) =>
      one.numbers.map((/** @type {string[]} */ [measure, printed]) => [
        one.rules,
        one.label,
        `${measure} ${printed}`,
        one.exhibit,
      ]),
    );
    const parameters = row.parameters.map((/** @type {any} */ one) => [one.name, values(one.kind), one.default, one.about]);
    const games = own.map((one) => [one.rules, one.strategy, formatNumber(one.games), mean(one.guesses), formatNumber(one.guesses.max)]);
    const { strategies } = words;
    return h("div", { class: "strategy-body" },
      h("p", {}, row.about),
      h("dl", {}, h("dt", {}, strategies.paper), h("dd", {}, row.paper), h("dt", {}, strategies.plays), h("dd", {}, row.plays)),
      parameters.length ? table(strategies.parameters, strategies.parameterColumns, parameters) : null,
      published.length ? table(strategies.published, strategies.publishedColumns, published) : null,
      games.length ? table(strategies.stored, strategies.storedColumns, games) : null,
      measurement(row),
    );
  }

  /** Form for a measurement. @param {any} row */
  function measurement(row) {
    const shown = h("div", {});
    const work = requestView(shown);
    closing.push(work.close);
    const rules = h("input", {
      type: "text",
      value: boards.value || "4x6",
      size: 12,
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": words.strategies.rulesOf(row.name),
    });
    const go = (/** @type {Event} */ event) => {
      event.preventDefault();
      work.run(
        words.thinking.games(GAMES),
        (watcher) => engine.measure({ rules: rules.value.trim(), strategy: row.name, games: GAMES, seed: 1 }, watcher),
        ({ measured }) => {
          if (!measured?.guesses) return fill(shown, h("p", { class: "muted" }, words.strategies.stopped));
          const time = formatDuration(measured.seconds.mean);
          fill(
            shown,
            h("p", {},
              h("strong", {}, mean(measured.guesses)),
              words.strategies.result(measured.games, measured.rules, formatNumber(measured.guesses.max), formatNumber(measured.examined.mean, 1), time),
            ),
          );
        },
      );
    };
    return h("form", { class: "measure", onsubmit: go },
      h("div", { class: "buttons" },
        engine.hasServer ? h("label", { class: "field inline" }, h("span", {}, words.strategies.rules), rules) : null,
        engine.hasServer ? h("button", { type: "submit", class: "small" }, words.strategies.measure(GAMES)) : null,
        h("a", { class: "button small quiet", href: address.write("watch", { who: row.name }) }, words.strategies.watch),
        h("a", { class: "button small quiet", href: address.write("trees", { strategy: row.name }) }, words.strategies.tree),
      ),
      shown,
    );
  }

  load();
  return {
    update(next) {
      search.value = next.search ?? "";
      if (items.length) filter();
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

/** Describes the values of a parameter. @param {any} kind */
function values(kind) {
  if (kind.choice) return kind.choice.join(" | ");
  if (kind["code-or"]) return `${kind["code-or"].join(" | ")} | ${words.strategies.aCode}`;
  const range = kind.integer ?? kind.decimal;
  return range ? words.strategies.range(formatNumber(range.min, 3), formatNumber(range.max, 3)) : "";
}
