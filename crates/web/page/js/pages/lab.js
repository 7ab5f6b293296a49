// Lab: the games of a store, as tables and plots.

import { fill, h, trouble } from "../dom.js";
import * as engine from "../engine.js";
import { thinker } from "../parts/thinking.js";

export const title = "Lab";

/** @param {HTMLElement} root @returns {import("../types.js").Page} */
export function open(root) {
  const heading = h("h1", {}, "Lab");
  const place = h("div", { class: "report" });
  const work = thinker(place);
  root.append(
    h(
      "div",
      { class: "page-head" },
      h("div", {}, heading, h("p", { class: "muted" }, "Experiments that anyone can repeat.")),
      h("button", { type: "button", onclick: load }, "Read again"),
    ),
    place,
  );

  function load() {
    work.think(
      "Reading the store",
      ({ signal }) => engine.lab(signal),
      (report) => {
        if (!report.store) return fill(place, empty());
        fill(heading, "Lab", h("span", { class: "tag" }, report.store));
        if (!report.rows.length)
          return fill(
            place,
            h("div", { class: "card quietly" }, h("p", {}, "No games yet. They show up here as they are played.")),
          );
        fill(place, report.blocks.map(block));
      },
    );
  }

  load();
  return { update: () => {}, close: work.close };
}

function empty() {
  return h(
    "div",
    { class: "card quietly" },
    h("h2", {}, "No store to show"),
    h("p", {}, "Play an experiment into a file, and start the server with it:"),
    h(
      "pre",
      {},
      h(
        "code",
        {},
        "pegwise lab run --rules 4x6 --strategy knuth --strategy entropy --games 500 --store duel.db\npegwise serve --store duel.db",
      ),
    ),
    h("p", { class: "muted" }, "The tables and plots then stand here, and fill up while games are played."),
  );
}

/** @param {any} block */
function block(block) {
  if (block.heading) return h("h2", {}, block.heading);
  if (block.text) return h("p", { class: "muted" }, block.text);
  if (block.figure)
    return h(
      "figure",
      { class: "plot card" },
      h("img", { src: engine.figure(block.figure.name), alt: block.figure.title, loading: "lazy" }),
    );
  if (!block.table) return trouble({ message: "This part of the report cannot be shown" });
  const side = (/** @type {number} */ at) => (block.table.columns[at].names ? null : "right");
  return h(
    "div",
    { class: "card scroll" },
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
