// Lab: the games of a store, as tables and plots.

import { fill, h, trouble } from "../dom.js";
import * as engine from "../engine.js";
import { picture } from "../parts/picture.js";
import { thinker } from "../parts/thinking.js";
import { words } from "../words.js";

/** @param {HTMLElement} root @returns {import("../types.js").Page} */
export function open(root) {
  const asking = new AbortController();
  const heading = h("h1", {}, words.lab.title);
  const place = h("div", { class: "report" });
  const work = thinker(place);
  root.append(
    h(
      "div",
      { class: "page-head" },
      h("div", {}, heading, h("p", { class: "muted" }, words.lab.about)),
      h("button", { type: "button", onclick: load }, words.lab.again),
    ),
    place,
  );

  function load() {
    work.think(
      words.thinking.store,
      ({ signal }) => engine.lab(signal),
      (report) => {
        if (!report.store) return fill(place, empty());
        fill(heading, words.lab.title, h("span", { class: "tag" }, report.store));
        if (!report.rows.length)
          return fill(
            place,
            h("div", { class: "card quietly" }, h("p", {}, words.lab.noGames)),
          );
        fill(place, report.blocks.map((/** @type {any} */ one) => block(one, asking.signal)));
      },
    );
  }

  load();
  return {
    update: () => {},
    close() {
      asking.abort();
      work.close();
    },
  };
}

function empty() {
  return h(
    "div",
    { class: "card quietly" },
    h("h2", {}, words.lab.noStore),
    h("p", {}, engine.hasServer ? words.lab.how : words.lab.noServer),
    h(
      "pre",
      {},
      h(
        "code",
        {},
        "pegwise lab run 4x6 -s knuth -s entropy --games 500 -o duel.db\npegwise serve duel.db",
      ),
    ),
    h("p", { class: "muted" }, words.lab.then),
  );
}

/** @param {any} block @param {AbortSignal} signal */
function block(block, signal) {
  if (block.heading) return h("h2", {}, block.heading);
  if (block.text) return h("p", { class: "muted" }, block.text);
  if (block.figure) return plot(block.figure.name, block.figure.title, signal);
  if (!block.table) return trouble({ message: words.lab.odd });
  const side = (/** @type {number} */ at) => (block.table.columns[at].names ? null : "right");
  return h(
    "div",
    { class: "card scroll", tabindex: 0, role: "region", "aria-label": block.table.caption },
    h(
      "table",
      {},
      h("caption", {}, block.table.caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          block.table.columns.map((/** @type {any} */ column, /** @type {number} */ at) =>
            h("th", { scope: "col", class: side(at) }, column.heading),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        block.table.rows.map((/** @type {string[]} */ row) =>
          h(
            "tr",
            {},
            row.map((cell, at) => h("td", { class: side(at) }, cell)),
          ),
        ),
      ),
    ),
  );
}

/** A plot, in the colors of the page. @param {string} name @param {string} title @param {AbortSignal} signal */
function plot(name, title, signal) {
  const place = h("figure", { class: "plot card", "aria-label": title });
  engine.figure(name, signal).then(
    (text) => fill(place, picture(text) ?? trouble({ message: words.lab.odd })),
    (error) => signal.aborted || fill(place, trouble(error)),
  );
  return place;
}
