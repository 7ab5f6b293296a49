// Feedback that is being written down, a field for each number; "?" is what is not remembered.

import { h } from "../dom.js";
import { fields, lineName, markText, readMark } from "../notation.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").Mark} Mark */

/**
 * @param {Rules} rules
 * @param {{value?: Mark[], change: () => void, submit: () => void}} options
 */
export function markEntry(rules, { value, change, submit }) {
  const single = rules.lines.length === 1;
  const names = fields(rules);
  const enter = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    submit();
  };

  /** @type {HTMLInputElement[][]} One field a number on a row, one field a line elsewhere. */
  const inputs = rules.lines.map((_, line) => {
    if (!single) {
      const text = value ? markText(rules, value[line]) : "";
      const hint = names.map(() => "0").join(",");
      return [
        h("input", {
          type: "text",
          class: "mark-text",
          inputmode: "text",
          autocomplete: "off",
          placeholder: hint,
          size: 2 * names.length,
          value: text,
          "aria-label": `${lineName(rules, line)}: ${names.join(", ")}`,
          oninput: change,
          onkeydown: enter,
        }),
      ];
    }
    return names.map((name) => {
      const number = value ? (value[line][name] ?? "?") : name === "distance" ? "" : 0;
      return h("input", {
        type: "text",
        class: "mark-number",
        inputmode: "numeric",
        autocomplete: "off",
        size: 3,
        value: number,
        "aria-label": `${name} (a number, or ? for not remembered)`,
        oninput: change,
        onkeydown: enter,
        onfocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select(),
      });
    });
  });

  /** @param {HTMLInputElement} input @param {number} by */
  const step = (input, by) => () => {
    input.value = String(Math.max(0, (Number(input.value) || 0) + by));
    change();
  };

  /** @param {number} line */
  function markOf(line) {
    if (!single) return h("span", { class: "mark" }, inputs[line][0]);
    return h(
      "span",
      { class: "mark steppers" },
      names.map((name, at) =>
        h(
          "span",
          { class: `stepper ${name}` },
          h("i", { class: `key ${name}`, "aria-hidden": "true" }),
          h(
            "button",
            {
              type: "button",
              class: "small quiet",
              tabindex: -1,
              "aria-label": `fewer ${name}`,
              onclick: step(inputs[0][at], -1),
            },
            "−",
          ),
          inputs[0][at],
          h(
            "button",
            {
              type: "button",
              class: "small quiet",
              tabindex: -1,
              "aria-label": `more ${name}`,
              onclick: step(inputs[0][at], 1),
            },
            "+",
          ),
        ),
      ),
    );
  }

  return {
    markOf,
    /** The marks, or null while they are not all there. @returns {Mark[] | null} */
    value() {
      const marks = inputs.map((line) => readMark(rules, line.map((input) => input.value.trim()).join(",")));
      return marks.every((mark) => mark !== null) ? /** @type {Mark[]} */ (marks) : null;
    },
    focus: () => inputs[0][0].focus(),
  };
}
