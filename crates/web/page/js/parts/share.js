// Sharing: addresses and lines of text to copy.

import { announce, h, pushButton } from "../dom.js";
import { words } from "../words.js";

/** Returns a text with a button that shares it, on phones, or copies it. @param {string} name @param {string} text */
export function shareRow(name, text) {
  const input = h("input", { type: "text", readonly: true, value: text, onfocus: () => input.select() });
  return h("div", { class: "share-row" }, h("label", {}, h("span", {}, name), input), shareButton(words.share.copy, name, text, () => input.select()));
}

/**
 * Returns a button that shares a text, on phones, or copies it.
 * @param {string} title @param {string} name @param {string} text @param {() => void} select Called if the clipboard is unavailable.
 */
export function shareButton(title, name, text, select) {
  const button = pushButton(
    {
      onclick: async () => {
        try {
          if ("share" in navigator && matchMedia("(pointer: coarse)").matches) return await navigator.share({ text });
          await navigator.clipboard.writeText(text);
          button.textContent = words.share.copied;
          announce(words.share.copiedIs(name));
        } catch {
          select();
          announce(words.share.selected);
        }
      },
    },
    title,
  );
  return button;
}

/** Shows the address of a game, and a line for the terminal game. @param {HTMLElement} place @param {string} line */
export function share(place, line) {
  place.querySelector(".share")?.remove();
  place.append(h("div", { class: "share card" }, shareRow(words.share.address, location.href), shareRow(words.share.terminal, line)));
}
