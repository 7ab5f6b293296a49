// Sharing a game: its address, or a line of text that the terminal game reads too.

import { announce, h } from "../dom.js";

/** @param {HTMLElement} place @param {string} line */
export function share(place, line) {
  place.querySelector(".share")?.remove();
  const copied = (/** @type {string} */ text, /** @type {string} */ name) => async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
      announce(`${name} copied.`);
    } catch {
      // Not every address may use the clipboard; a person may.
      button.closest(".share-row")?.querySelector("input")?.select();
      announce("Selected: press Ctrl C to copy.");
    }
  };
  const row = (/** @type {string} */ name, /** @type {string} */ text) =>
    h(
      "div",
      { class: "share-row" },
      h(
        "label",
        {},
        h("span", {}, name),
        h("input", {
          type: "text",
          readonly: true,
          value: text,
          onfocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select(),
        }),
      ),
      h("button", { type: "button", class: "small", onclick: copied(text, name) }, "Copy"),
    );
  place.append(h("div", { class: "share card" }, row("Address", location.href), row("For the terminal", line)));
}
