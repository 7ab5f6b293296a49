// Dialog for the rules: common boards, size and options, or the notation.

import { write } from "../address.js";
import { field, fill, h, openDialog, pushButton } from "../dom.js";
import { describe, feedbackKinds } from "../engine.js";
import { TWO } from "../core/game.js";
import { formatCount } from "../numbers.js";
import { words } from "../words.js";
import { keepList, listed, listText } from "./list.js";
import { strategyChoice } from "./strategy.js";

const USUAL = words.rules.usual;
const SHAPES = Object.entries(words.rules.shapes);
/** The word game, which asks for a list. */
const WORDS = "5x26:per-cell";
/** The default kind of feedback, which rules omit. */
const PLAIN = "black-white";

/**
 * Opens the dialog.
 * @param {Rules} now @param {string} title @param {{game?: boolean}} [options] `game`: offers rivals, and a game without a limit.
 * @returns {Promise<(Rules & {unlimited: boolean, rival: string}) | null>} The rules chosen, or null.
 */
export function chooseRules(now, title, { game = false } = {}) {
  const pieces = {
    shape: now.shape,
    size: now.sides.join("x"),
    colors: now.colors,
    repeats: now.repeats,
    feedback: now.feedback,
    limit: now.max_guesses,
  };
  /** Current rules; null if they are invalid. @type {Promise<Rules | null>} */
  let chosen = Promise.resolve(now);

  const text = h("input", {
    type: "text",
    id: "rules-text",
    spellcheck: "false",
    autocomplete: "off",
    value: now.rules,
    oninput: () => check(),
  });
  const list = h("textarea", { rows: 3, spellcheck: "false", oninput: () => check() }, listText(now));
  const verdict = h("p", { class: "verdict", "aria-live": "polite" });
  const start = h("button", { type: "submit", class: "primary" }, words.rules.start);
  const options = (/** @type {string[][]} */ list, /** @type {string} */ value) =>
    list.map(([option, name]) => h("option", { value: option, selected: option === value }, name));

  const shape = h("select", { onchange: compose }, options(SHAPES, pieces.shape));
  const size = h("input", {
    type: "text",
    value: pieces.size,
    inputmode: "text",
    oninput: compose,
    "aria-label": words.rules.sizeHelp,
  });
  const colors = h("input", { type: "number", min: 1, max: 400, value: pieces.colors, oninput: compose });
  const repeats = h("input", { type: "checkbox", checked: pieces.repeats, onchange: compose });
  const feedback = h("select", { onchange: compose }, options([[now.feedback, called(now.feedback)]], now.feedback));

  feedbackKinds().then(
    (kinds) => {
      const chosenKind = feedback.value;
      fill(feedback, options(kinds.map((kind) => [kind, called(kind)]), chosenKind));
    },
    // Without an answer, other kinds can be typed in the notation.
    () => {},
  );

  function compose() {
    const sides = size.value.trim().replace(/[\s,×*]+/g, "x");
    const board = shape.value === "row" ? sides : `${shape.value}:${sides}`;
    const parts = [
      `${board}x${colors.value}`,
      repeats.checked ? "" : "no-repeats",
      feedback.value === PLAIN ? "" : feedback.value,
      pieces.limit ? `max-guesses=${pieces.limit}` : "",
    ];
    text.value = parts.filter(Boolean).join(":");
    check();
  }

  function check() {
    const say = (/** @type {Rules | null} */ rules, /** @type {string} */ said) => {
      if (mine === chosen) {
        fill(verdict, said);
        verdict.classList.toggle("bad", !rules);
        start.disabled = !rules;
      }
      return rules;
    };
    const mine = describe(text.value.trim()).then(
      (rules) => (game && /:lies=/.test(rules.rules) ? say(null, words.rules.lies) : say(rules, words.rules.codes(formatCount(listed(rules, list.value).length || rules.codes)))),
      (/** @type {Error} */ error) => say(null, error.message.replace(/^rules: /, "")),
    );
    chosen = mine;
    start.disabled = false;
  }

  const unlimited = h("input", { type: "checkbox" });
  let rival = "";
  const against = () => strategyChoice(now, words.rules.against, rival, (name) => (rival = name), [["", words.rules.alone], [TWO, words.rules.two]]);
  return new Promise((resolve) => {
    /** @type {Rules | null} */
    let answer = null;
    const close = (/** @type {Rules | null} */ rules) => {
      answer = rules;
      dialog.close();
    };
    const usual = USUAL.map(([rules, name, about]) =>
      pushButton(
        {
          class: "usual",
          "aria-pressed": rules === now.rules ? "true" : "false",
          onclick: async () => (rules === WORDS ? describe(rules).then(choose) : close(await describe(rules))),
        },
        h("strong", {}, name),
        h("span", { class: "muted" }, about),
      ),
    );
    /** Asks for the list of a word game. @param {Rules} rules */
    function choose(rules) {
      text.value = rules.rules;
      list.value = listText(rules);
      check();
      custom.open = true;
      list.focus();
    }
    const custom = h("details", { open: !USUAL.some(([rules]) => rules === now.rules) || now.rules === WORDS },
      h("summary", {}, words.rules.other),
      h("div", { class: "fields" },
        field(words.rules.board, shape),
        field(words.rules.size, size),
        field(words.rules.colors, colors),
        field(words.rules.feedback, feedback),
        h("label", { class: "field check" }, repeats, h("span", {}, words.rules.repeats)),
      ),
      field(words.rules.short, text),
      field(words.rules.list, list),
      verdict,
      h("footer", {}, start),
    );
    const form = h(
      "form",
      {
        method: "dialog",
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          const rules = await chosen;
          if (!rules) return;
          keepList(rules, list.value);
          close(rules);
        },
      },
      h("header", {},
        h("h2", { id: "rules-title" }, title),
        pushButton({ class: "quiet icon", "aria-label": words.close, onclick: () => close(null) }, "✕"),
      ),
      game ? h("div", { class: "fields" }, against(), h("label", { class: "field check" }, unlimited, h("span", {}, words.rules.unlimited))) : null,
      h("div", { class: "usuals" }, usual),
      game ? h("a", { class: "button", href: write("challenge", { rules: now.rules }) }, words.challenge.title) : null,
      custom,
    );
    const dialog = openDialog(
      {
        class: "rules-dialog",
        "aria-labelledby": "rules-title",
        onclose: () => resolve(answer && { ...answer, unlimited: unlimited.checked, rival }),
      },
      form,
    );
    fill(verdict, words.rules.codes(formatCount(now.codes)));
  });
}

/** Returns the name of a kind of feedback. @param {string} kind */
const called = (kind) => words.feedbacks[kind] ?? kind;

/** Returns the title of rules. @param {Rules} rules */
export const rulesName = (rules) => rulesTitle(rules.rules);

/** Returns the title of rules given as text. @param {string} text */
export function rulesTitle(text) {
  const known = USUAL.find(([rules]) => rules === text);
  return known ? known[1] : text;
}
