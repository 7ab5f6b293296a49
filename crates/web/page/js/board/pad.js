// Entry of feedback: a button for each number of pegs, and "?" for forgotten. A missing number is not 0.

import { h, pushButton } from "../dom.js";
import { lineName, isPerCell } from "../notation.js";
import { words } from "../words.js";
import { hasKeys, keysAcross } from "./fit.js";
import { keysOf, sign } from "./marks.js";

/** A number, null for forgotten, undefined for not yet. @typedef {Record<string, any>} Draft */

/** Numbers of more cells are typed. */
const MAX_BUTTONS = 8;
/** Next state of a key peg when it is tapped. */
const NEXT = { none: "black", black: "white", white: "unknown", unknown: "none" };
/** Next state of a cell of per-cell feedback. @type {Record<string, string | null>} */
const NEXT_CELL = { undefined: "black", black: "white", white: "nothing", nothing: null, null: "black" };

/**
 * @param {Rules} rules
 * @param {{value?: Mark[], change: () => void, submit: () => void}} options
 */
export function markPad(rules, { value, change, submit }) {
  const perCell = isPerCell(rules);
  /** @type {Draft[]} */
  const drafts = rules.lines.map((_, line) => ({ ...(value?.[line] ?? {}) }));
  // Per-cell feedback has one entry per cell.
  const namesOf = (/** @type {number} */ at) => (perCell ? rules.lines[at].map((_, cell) => String(cell)) : rules.number_names);
  let names = namesOf(0);
  let line = 0;
  const isDone = (/** @type {Draft} */ draft) =>
    namesOf(drafts.indexOf(draft)).every((name) => draft[name] !== undefined);

  // Marks on the board, which can be tapped.
  const shown = rules.lines.map((_, at) => h("span", { class: "mark draft", "data-line": at }));
  /** @param {number} at */
  function paint(at) {
    const cells = rules.lines[at].length;
    const draft = drafts[at];
    const name = lineName(rules, at);
    if (perCell) {
      shown[at].className = `mark draft ${rules.shape === "row" ? "keys" : "tile per-cell"}${at === line ? " current" : ""}${isDone(draft) ? "" : " awaited"}`;
      shown[at].style.setProperty("--keys", String(keysAcross(rules)));
      shown[at].onclick = () => go(at);
      shown[at].replaceChildren(
        ...namesOf(at).map((cell) => {
          const now = draft[cell];
          return h("i", { class: `key ${now === null ? "unknown" : now === undefined || now === "nothing" ? "none" : now}` });
        }),
      );
      return;
    }
    if (hasKeys(rules)) {
      const keys = isDone(draft)
        ? keysOf(rules, /** @type {Mark} */ (draft), cells)
        : names.some((key) => draft[key])
          ? keysOf(rules, Object.fromEntries(names.map((key) => [key, draft[key] ?? 0])), cells)
          : null;
      shown[at].className = `mark keys draft${isDone(draft) ? "" : " awaited"}`;
      shown[at].style.setProperty("--keys", String(keysAcross(rules)));
      shown[at].replaceChildren(
        ...Array.from({ length: cells }, (_, hole) => {
          const key = keys?.[hole] ?? (isDone(draft) ? "unknown" : "none");
          return pushButton({
            class: `key ${key}`,
            tabindex: -1,
            "aria-label": words.pad.hole(hole + 1, words.marks[key] ?? key),
            onclick: () => tap(at, keys ?? Array(cells).fill(key), hole),
          });
        }),
      );
      return;
    }
    shown[at].className = `mark draft ${rules.shape === "row" || rules.shape === "lines" ? "numbers" : "tile"}${at === line ? " current" : ""}${isDone(draft) ? "" : " awaited"}`;
    shown[at].replaceChildren(
      pushButton(
        { class: "mark-button", tabindex: rules.lines.length > 1 ? 0 : -1, "aria-label": words.pad.line(name), onclick: () => go(at) },
        names.map((key) =>
          h("span", { class: `chip ${key}` }, sign(key), h("b", {}, draft[key] === undefined ? "·" : (draft[key] ?? "?"))),
        ),
      ),
    );
  }

  /** Advances a key peg to its next state. @param {number} at @param {string[]} keys @param {number} hole */
  function tap(at, keys, hole) {
    const now = keys.map((key, other) => (other === hole ? NEXT[/** @type {keyof typeof NEXT} */ (key)] : key));
    // A forgotten peg makes all numbers unknown.
    for (const name of names)
      drafts[at][name] = now.includes("unknown") ? null : now.filter((key) => key === name).length;
    touched(at);
  }

  /** @param {number} at */
  function touched(at) {
    paint(at);
    drawPad();
    change();
  }

  const pad = h("div", { class: "pad", role: "group", "aria-label": words.pad.title });

  /** @param {number} at */
  function go(at) {
    const before = line;
    line = Math.min(Math.max(at, 0), rules.lines.length - 1);
    names = namesOf(line);
    paint(before);
    paint(line);
    drawPad();
  }

  /** Enters a number and moves to the next missing one. @param {string} name @param {number | null} number */
  function enter(name, number) {
    drafts[line][name] = number;
    const focused = pad.contains(document.activeElement);
    const here = names.find((other) => drafts[line][other] === undefined);
    if (!here) {
      const next = drafts.findIndex((draft) => !isDone(draft));
      if (next >= 0) {
        paint(line);
        go(next);
      }
    }
    touched(line);
    if (focused) focus(here ?? names.find((other) => drafts[line][other] === undefined) ?? name);
  }

  function drawPad() {
    const cells = rules.lines[line].length;
    if (perCell) return pad.replaceChildren(h("span", { class: "pad-line" }, words.pad.line(lineName(rules, line))), cellButtons());
    pad.replaceChildren(
      ...(rules.lines.length > 1 ? [h("span", { class: "pad-line" }, words.pad.line(lineName(rules, line)))] : []),
      ...names.map((name) => (cells <= MAX_BUTTONS && name !== "distance" ? choices(name, cells) : typed(name))),
    );
  }

  /** One button per cell, which cycles through its states. */
  function cellButtons() {
    return h("div", { class: "pad-row" },
      names.map((name, at) => {
        const now = drafts[line][name];
        const key = now === null ? "unknown" : now === undefined || now === "nothing" ? "none" : String(now);
        return pushButton(
          {
            class: now === undefined ? "pad-number awaited" : "pad-number",
            "aria-label": words.pad.hole(at + 1, words.marks[String(now ?? "unknown")] ?? ""),
            onclick: () => {
              drafts[line][name] = /** @type {any} */ (NEXT_CELL[String(now)]);
              touched(line);
              const again = pad.querySelectorAll("button")[at];
              if (again instanceof HTMLElement) again.focus();
            },
          },
          h("i", { class: `key ${key}` }),
        );
      }),
    );
  }

  /** @param {string} name @param {number} cells */
  function choices(name, cells) {
    const now = drafts[line][name];
    const values = [...Array.from({ length: cells + 1 }, (_, number) => number), null];
    const at = values.findIndex((number) => number === now);
    const group = h(
      "div",
      {
        class: `pad-row ${name}`,
        role: "radiogroup",
        "aria-label": words.marks[name] ?? name,
        "data-name": name,
        onkeydown: (/** @type {KeyboardEvent} */ event) => key(event, name, values),
      },
      h("span", { class: "pad-sign", "aria-hidden": "true" }, sign(name)),
      values.map((number, index) =>
        pushButton(
          {
            role: "radio",
            class: "pad-number",
            "aria-checked": index === at ? "true" : "false",
            "aria-label": number === null ? words.pad.forgotten(words.marks[name] ?? name) : `${number} ${words.marks[name] ?? name}`,
            tabindex: index === Math.max(at, 0) ? 0 : -1,
            onclick: () => enter(name, number),
          },
          number === null ? "?" : String(number),
        ),
      ),
    );
    return group;
  }

  /** @param {KeyboardEvent} event @param {string} name @param {(number | null)[]} values */
  function key(event, name, values) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const number = event.key === "?" ? null : /^\d$/.test(event.key) ? Number(event.key) : undefined;
    if (event.key === "Enter") submit();
    else if (number !== undefined && values.includes(number)) enter(name, number);
    else if (step) {
      const buttons = [...(pad.querySelectorAll(`[data-name="${name}"] button`) ?? [])];
      const now = buttons.findIndex((button) => button === document.activeElement);
      const next = /** @type {HTMLElement} */ (buttons[(now + step + buttons.length) % buttons.length]);
      next.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} name */
  function typed(name) {
    const now = drafts[line][name];
    const input = h("input", {
      type: "text",
      class: "pad-input",
      inputmode: "numeric",
      autocomplete: "off",
      value: now === undefined ? "" : (now ?? "?"),
      "aria-label": words.pad.number(words.marks[name] ?? name),
      oninput: () => set(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        const missing = names.find((other) => drafts[line][other] === undefined);
        if (missing && missing !== name) return focus(missing);
        const next = drafts.findIndex((draft) => !isDone(draft));
        if (next < 0) return submit();
        go(next);
        focus(names[0]);
      },
    });
    const set = () => {
      const text = input.value.trim();
      drafts[line][name] = text === "?" ? null : /^\d{1,9}$/.test(text) ? Number(text) : undefined;
      paint(line);
      change();
    };
    const step = (/** @type {number} */ by) => {
      input.value = String(Math.max(0, (Number(input.value) || 0) + by));
      set();
    };
    const small = (/** @type {string} */ text, /** @type {string} */ about, /** @type {() => void} */ act) =>
      pushButton({ class: "pad-number", tabindex: -1, "aria-label": about, onclick: act }, text);
    const called = words.marks[name] ?? name;
    return h("div", { class: `pad-row ${name}`, "data-name": name },
      h("span", { class: "pad-sign", "aria-hidden": "true" }, sign(name)),
      small("−", words.pad.fewer(called), () => step(-1)),
      input,
      small("+", words.pad.more(called), () => step(1)),
      small("?", words.pad.forgotten(called), () => {
        input.value = "?";
        set();
      }),
    );
  }

  /** @param {string} [name] */
  function focus(name = names.find((other) => drafts[line][other] === undefined) ?? names[0]) {
    const row = pad.querySelector(`[data-name="${name}"]`);
    const target = row?.querySelector("input, button[tabindex='0']");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  drafts.forEach((_, at) => paint(at));
  drawPad();

  return {
    element: pad,
    /** @param {number} at */
    markOf: (at) => shown[at],
    /** Returns the marks, or null while one is missing. @returns {Mark[] | null} */
    value: () => (drafts.every(isDone) ? /** @type {Mark[]} */ (drafts.map((draft, at) => (perCell ? namesOf(at).map((name) => draft[name]) : { ...draft }))) : null),
    /** @param {Mark[]} marks */
    fill(marks) {
      marks.forEach((mark, at) => Object.assign(drafts[at], mark));
      drafts.forEach((_, at) => paint(at));
      drawPad();
      change();
    },
    focus: () => focus(),
  };
}
