// Lab: tables and plots of a store.

import { errorNotice, fill, h, pageHead, pushButton, table } from "../dom.js";
import * as engine from "../engine.js";
import { picture } from "../parts/picture.js";
import { requestView } from "../parts/thinking.js";
import { words } from "../words.js";

/** @param {HTMLElement} root @returns {Page} */
export function open(root) {
  const asking = new AbortController();
  const heading = h("h1", {}, words.lab.title);
  const place = h("div", { class: "report" });
  const work = requestView(place);
  root.append(
    pageHead(heading, words.lab.about, pushButton({ onclick: load }, words.lab.again)),
    place,
  );

  function load() {
    work.run(
      words.thinking.store,
      ({ signal }) => engine.lab(signal),
      (report) => {
        if (!report.store) return fill(place, empty());
        fill(heading, words.lab.title, h("span", { class: "tag" }, report.store));
        if (!report.rows.length)
          return fill(place, h("div", { class: "card quietly" }, h("p", {}, words.lab.noGames)));
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
  return h("div", { class: "card quietly" },
    h("h2", {}, words.lab.noStore),
    h("p", {}, engine.hasServer ? words.lab.how : words.lab.noServer),
    h("pre", { tabindex: 0 },
      h("code", {},
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
  if (!block.table) return errorNotice({ message: words.lab.odd });
  const { caption, columns, rows } = block.table;
  const names = columns.map((/** @type {any} */ column) => column.heading);
  const drawn = table(caption, names, rows, (at) => (columns[at].names ? null : "right"));
  drawn.classList.add("card");
  return drawn;
}

/** Draws a plot. @param {string} name @param {string} title @param {AbortSignal} signal */
function plot(name, title, signal) {
  const place = h("figure", { class: "plot card", "aria-label": title });
  engine.figure(name, signal).then(
    (text) => fill(place, picture(text) ?? errorNotice({ message: words.lab.odd })),
    (error) => signal.aborted || fill(place, errorNotice(error)),
  );
  return place;
}
