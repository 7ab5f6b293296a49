// Confirmation of an action that cannot be undone.

import { h, openDialog, pushButton } from "../dom.js";

/** @param {string} question @param {string} yes @param {string} no @returns {Promise<boolean>} */
export function confirm(question, yes, no) {
  return new Promise((resolve) => {
    let answer = false;
    const choose = (/** @type {boolean} */ chosen) => {
      answer = chosen;
      dialog.close();
    };
    const dialog = openDialog(
      { class: "confirm", "aria-labelledby": "confirm-question", onclose: () => resolve(answer) },
      h("p", { id: "confirm-question" }, question),
      h("div", { class: "buttons" },
        pushButton({ onclick: () => choose(false), autofocus: true }, no),
        pushButton({ class: "primary", onclick: () => choose(true) }, yes),
      ),
    );
  });
}
