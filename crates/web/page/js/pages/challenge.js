// Challenge: a code of your own, sealed in a link for a friend.

import * as address from "../address.js";
import { board, row } from "../board/draw.js";
import { entry } from "../board/entry.js";
import { fitPegs, preferredWidth } from "../board/fit.js";
import { errorNotice, fill, h, keyboardPage, pageHead, pushButton } from "../dom.js";
import * as engine from "../engine.js";
import { chooseRules, rulesName } from "../parts/rules.js";
import { shareRow } from "../parts/share.js";
import { words } from "../words.js";

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  /** @type {{rules: Rules, code: ReturnType<typeof entry>} | null} */
  let form = null;
  let opened = 0;
  const heading = h("h1", {});
  const table = h("div", { class: "table" });
  const note = h("p", { class: "note", role: "status" });
  const made = h("div", {});
  root.append(
    pageHead(heading, words.challenge.about, pushButton({ onclick: change }, words.solve.change)),
    h("div", { class: "columns" }, h("div", {}, table, note, h("div", { class: "tools" }, pushButton({ class: "primary", onclick: make }, words.challenge.make)), made)),
  );
  const fitting = fitPegs(table, () => form && { rules: form.rules });

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    try {
      const rules = await engine.describe(next.rules ?? "4x6");
      if (mine !== opened) return;
      form = { rules, code: entry(rules, { submit: make, change: () => [note, made].forEach((place) => fill(place)) }) };
      root.style.setProperty("--board", `${preferredWidth(rules)}px`);
      fill(heading, words.challenge.title, h("span", { class: "tag" }, rulesName(rules)));
      const list = board(rules, words.challenge.table);
      list.append(row(1, " now", form.code.element));
      fill(table, list, form.code.palette);
      fill(made);
      fitting.fit();
    } catch (error) {
      if (mine === opened) fill(made, errorNotice(error));
    }
  }

  async function make() {
    if (!form) return;
    const { rules, code } = form;
    if (!code.isFull()) {
      code.selectEmpty();
      return fill(note, words.play.fillFirst);
    }
    const mine = opened;
    try {
      const { sealed } = await engine.seal(rules.rules, /** @type {number[]} */ (code.value()));
      if (mine !== opened) return;
      const hash = address.write("play", { rules: rules.rules, sealed });
      fill(
        made,
        h("section", { class: "card", "aria-label": words.challenge.sealed },
          shareRow(words.challenge.sealed, new URL(hash, location.href).href),
          h("div", { class: "buttons" }, h("a", { class: "button", href: hash }, words.challenge.play)),
        ),
      );
      made.querySelector("input")?.focus();
    } catch (error) {
      if (mine === opened) fill(made, errorNotice(error));
    }
  }

  async function change() {
    const rules = form && (await chooseRules(form.rules, words.rules.title));
    if (rules) address.go("challenge", { rules: rules.rules });
  }

  const leave = () => (opened += 1);
  return keyboardPage(query, update, (event) => form?.code.key(event), [leave, fitting.close]);
}
