// Choosing what is played: usual games at a click, any other by its size and options, or in the notation.

import { counted, fill, h } from "../dom.js";
import { describe } from "../engine.js";

/** @typedef {import("../types.js").Rules} Rules */

const USUAL = [
  ["4x6", "Classic", "4 pegs, 6 colors"],
  ["5x8", "Super", "5 pegs, 8 colors"],
  ["4x10:no-repeats", "Bulls and cows", "4 of 10, no repeats"],
  ["8x12", "Marathon", "8 pegs, 12 colors"],
  ["grid:3x3x4", "Grid", "3 by 3, 4 colors"],
  ["triangle:3x5", "Triangle", "3 a side, 5 colors"],
];
const SHAPES = [
  ["row", "Row", "Pegs"],
  ["grid", "Grid", "Rows, columns"],
  ["triangle", "Triangle", "Side"],
  ["ring", "Ring", "Cells"],
  ["cube", "Cube", "Sides"],
];
const FEEDBACKS = [
  ["", "Black and white"],
  ["black-only", "Black only"],
  ["higher-lower", "Higher or lower"],
  ["distance", "Squared distance"],
  ["city-block", "City-block distance"],
];

/**
 * Asks which rules to play.
 * @param {Rules} now @param {string} title
 * @returns {Promise<Rules | null>} The rules chosen; null when none were.
 */
export function chooseRules(now, title) {
  const pieces = {
    shape: now.shape,
    size: now.sides.join("x"),
    colors: now.colors,
    repeats: now.repeats,
    feedback: now.feedback === "black-white" ? "" : now.feedback,
    limit: now.max_guesses,
  };
  /** @type {Rules | null} */
  let chosen = now;
  let asked = 0;

  const text = h("input", {
    type: "text",
    id: "rules-text",
    spellcheck: "false",
    autocomplete: "off",
    value: now.rules,
    oninput: () => check(),
  });
  const verdict = h("p", { class: "verdict", "aria-live": "polite" });
  const start = h("button", { type: "submit", class: "primary" }, "Start");
  const field = (/** @type {string} */ name, /** @type {HTMLElement} */ input) =>
    h("label", { class: "field" }, h("span", {}, name), input);
  const options = (/** @type {string[][]} */ list, /** @type {string} */ value) =>
    list.map(([option, name]) => h("option", { value: option, selected: option === value }, name));

  const shape = h("select", { onchange: compose }, options(SHAPES, pieces.shape));
  const size = h("input", {
    type: "text",
    value: pieces.size,
    inputmode: "text",
    oninput: compose,
    "aria-label": "Size: pegs, or sides with an x between them",
  });
  const colors = h("input", { type: "number", min: 1, max: 400, value: pieces.colors, oninput: compose });
  const repeats = h("input", { type: "checkbox", checked: pieces.repeats, onchange: compose });
  const feedback = h("select", { onchange: compose }, options(FEEDBACKS, pieces.feedback));

  function compose() {
    const sides = size.value.trim().replace(/[\s,×*]+/g, "x");
    const board = shape.value === "row" ? sides : `${shape.value}:${sides}`;
    const parts = [
      `${board}x${colors.value}`,
      repeats.checked ? "" : "no-repeats",
      feedback.value,
      pieces.limit ? `max-guesses=${pieces.limit}` : "",
    ];
    text.value = parts.filter(Boolean).join(":");
    check();
  }

  async function check() {
    const mine = (asked += 1);
    try {
      const rules = await describe(text.value.trim());
      if (mine !== asked) return;
      chosen = rules;
      fill(verdict, `${counted(rules.codes)} codes`);
      verdict.classList.remove("bad");
    } catch (error) {
      if (mine !== asked) return;
      chosen = null;
      fill(verdict, /** @type {Error} */ (error).message.replace(/^rules: /, ""));
      verdict.classList.add("bad");
    }
    start.disabled = chosen === null;
  }

  return new Promise((resolve) => {
    const close = (/** @type {Rules | null} */ rules) => {
      dialog.close();
      dialog.remove();
      resolve(rules);
    };
    const usual = USUAL.map(([rules, name, about]) =>
      h(
        "button",
        {
          type: "button",
          class: "usual",
          "aria-pressed": rules === now.rules ? "true" : "false",
          onclick: async () => close(await describe(rules)),
        },
        h("strong", {}, name),
        h("span", { class: "muted" }, about),
      ),
    );
    const form = h(
      "form",
      {
        method: "dialog",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (chosen) close(chosen);
        },
      },
      h(
        "header",
        {},
        h("h2", { id: "rules-title" }, title),
        h("button", { type: "button", class: "quiet icon", "aria-label": "Close", onclick: () => close(null) }, "✕"),
      ),
      h("div", { class: "usuals" }, usual),
      h(
        "details",
        { open: !USUAL.some(([rules]) => rules === now.rules) },
        h("summary", {}, "Any other game"),
        h(
          "div",
          { class: "fields" },
          field("Board", shape),
          field("Size", size),
          field("Colors", colors),
          field("Feedback", feedback),
          h("label", { class: "field check" }, repeats, h("span", {}, "Colors may repeat")),
        ),
        field("In short", text),
        verdict,
        h("footer", {}, start),
      ),
    );
    const dialog = h(
      "dialog",
      {
        class: "rules-dialog",
        "aria-labelledby": "rules-title",
        oncancel: () => close(null),
        onclick: (/** @type {Event} */ event) => event.target === dialog && close(null),
      },
      form,
    );
    document.body.append(dialog);
    dialog.showModal();
    fill(verdict, `${counted(now.codes)} codes`);
  });
}

/** The game in a few words. @param {Rules} rules */
export function rulesName(rules) {
  const known = USUAL.find(([text]) => text === rules.rules);
  return known ? known[1] : rules.rules;
}
