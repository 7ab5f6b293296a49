// Confirmation of an action that cannot be undone.

import { h, pushButton } from "../dom.js";

/** @param {string} question @param {string} yes @param {string} no @returns {Promise<boolean>} */
export function confirm(question, yes, no) {
  return new Promise((resolve) => {
    const close = (/** @type {boolean} */ answer) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    const dialog = h(
      "dialog",
      { class: "confirm", "aria-labelledby": "confirm-question", oncancel: () => close(false) },
      h("p", { id: "confirm-question" }, question),
      h("div", { class: "buttons" },
        pushButton({ onclick: () => close(false), autofocus: true }, no),
        pushButton({ class: "primary", onclick: () => close(true) }, yes),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
