// Sharing a game: its address, or a line of text for the terminal game.

import { announce, h, pushButton } from "../dom.js";
import { words } from "../words.js";

/** @param {HTMLElement} place @param {string} line */
export function share(place, line) {
  place.querySelector(".share")?.remove();
  const copied = (/** @type {string} */ text, /** @type {string} */ name) => async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = words.share.copied;
      announce(words.share.copiedIs(name));
    } catch {
      // The clipboard may be unavailable.
      button.closest(".share-row")?.querySelector("input")?.select();
      announce(words.share.selected);
    }
  };
  const row = (/** @type {string} */ name, /** @type {string} */ text) =>
    h("div", { class: "share-row" },
      h("label", {},
        h("span", {}, name),
        h("input", {
          type: "text",
          readonly: true,
          value: text,
          onfocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select(),
        }),
      ),
      pushButton({ class: "small", onclick: copied(text, name) }, words.share.copy),
    );
  place.append(h("div", { class: "share card" }, row(words.share.address, location.href), row(words.share.terminal, line)));
}
