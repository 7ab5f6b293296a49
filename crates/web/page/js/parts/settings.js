// Settings of the device: labels and colors of pegs, and sound.

import { labels, ownSet, setLabels, setOwn } from "../board/pegs.js";
import { save, saved } from "../device.js";
import { field, h, openDialog, pushButton } from "../dom.js";
import { words } from "../words.js";

const { sets } = words.settings;

/** Names and colors of a set, by color number. @param {string} name @returns {Record<string, import("../board/pegs.js").Own>} */
export const setOf = (name) =>
  Object.fromEntries((sets[/** @type {keyof typeof sets} */ (name)]?.pegs ?? []).map(([called, fill], at) => [String(at + 1), { name: called, fill }]));

/** Opens the dialog. @param {() => void} changed Called after each change. */
export function openSettings(changed) {
  const choice = (/** @type {string} */ name, /** @type {[string, string][]} */ options, /** @type {string} */ value, /** @type {(value: string) => void} */ choose) => {
    const select = h("select", { onchange: () => (choose(select.value), changed()) }, options.map(([option, title]) => h("option", { value: option, selected: option === value }, title)));
    return field(name, select);
  };
  const sound = h("input", { type: "checkbox", checked: saved("sound", false), onchange: () => save("sound", sound.checked) });
  const now = JSON.stringify(ownSet());
  const known = Object.keys(sets).find((name) => JSON.stringify(setOf(name)) === now);
  const dialog = openDialog(
    { class: "settings", "aria-labelledby": "settings-title" },
    h("h2", { id: "settings-title" }, words.settings.title),
    choice(words.settings.labels, Object.entries(words.settings.labelKinds), labels(), setLabels),
    choice(words.settings.colors, [...Object.entries(sets).map(([name, { title }]) => /** @type {[string, string]} */ ([name, title])), ...(known ? [] : [/** @type {[string, string]} */ (["", words.settings.own])])], known ?? "", (name) => name && setOwn(setOf(name))),
    h("label", { class: "field check" }, sound, h("span", {}, words.settings.sound)),
    h("div", { class: "buttons" }, pushButton({ class: "primary", onclick: () => dialog.close() }, words.close)),
  );
}
