// Names and colors of a real set, saved on the device.

import { colorName, fillOf, ownSet, setOwn } from "../board/pegs.js";
import { fill, h, pushButton } from "../dom.js";
import { label } from "../notation.js";
import { words } from "../words.js";
import { setOf } from "./settings.js";

const MAX_COLORS = 26;

/** @param {Rules} rules @param {() => void} changed */
export function colorSet(rules, changed) {
  const list = h("div", { class: "color-set" });
  const count = Math.min(rules.colors, MAX_COLORS);

  /** @param {number} color @param {import("../board/pegs.js").Own} part */
  function set(color, part) {
    setOwn({ ...ownSet(), [color]: { ...ownSet()[color], ...part } });
    changed();
  }

  function draw() {
    fill(
      list,
      Array.from({ length: count }, (_, at) => at + 1).map((color) => {
        const text = label(rules, color);
        return h("div", { class: "color-row" },
          h("span", { class: "muted", "aria-hidden": "true" }, text),
          h("input", {
            type: "color",
            value: fillOf(color),
            "aria-label": words.solve.colorOf(text),
            oninput: (/** @type {Event} */ event) =>
              set(color, { fill: /** @type {HTMLInputElement} */ (event.target).value }),
          }),
          h("input", {
            type: "text",
            value: ownSet()[color]?.name ?? "",
            placeholder: colorName(rules, color),
            maxlength: 20,
            autocomplete: "off",
            "aria-label": words.solve.nameOf(text),
            onchange: (/** @type {Event} */ event) =>
              set(color, { name: /** @type {HTMLInputElement} */ (event.target).value }),
          }),
        );
      }),
    );
  }

  /** @param {Record<string, import("../board/pegs.js").Own>} next */
  const replace = (next) => () => {
    setOwn(next);
    draw();
    changed();
  };
  draw();
  return h("details", { class: "card colors" },
    h("summary", {}, words.solve.colors),
    h("p", { class: "muted" }, words.solve.colorsHelp),
    list,
    h("div", { class: "buttons" },
      pushButton({ onclick: replace(setOf("classic")) }, words.settings.sets.classic.title),
      pushButton({ class: "quiet", onclick: replace({}) }, words.solve.reset),
    ),
  );
}
