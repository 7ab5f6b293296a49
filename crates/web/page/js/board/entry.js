// Entry of a guess with keys, clicks or drags.

import { h, pushButton } from "../dom.js";
import { words } from "../words.js";
import { dragging } from "./drag.js";
import { layout } from "./layout.js";
import { label } from "../notation.js";
import { noMark } from "./marks.js";
import { colorName, peg } from "./pegs.js";

/** @typedef {(number | null)[]} Guess Colors; null for unknown, 0 for an empty hole. */

/** Maximum time in milliseconds between two digits of a color. */
const TYPING = 900;

/**
 * @param {Rules} rules
 * @param {{value?: Guess, unknown?: boolean, submit: () => void, change?: () => void, full?: () => void, markOf?: (line: number) => Element}} options `full` is called when a key has filled the row.
 */
export function entry(rules, { value, unknown = false, submit, change = () => {}, full = () => {}, markOf }) {
  /** @type {Guess} */
  let cells = value ? [...value] : Array(rules.cells).fill(0);
  let at = Math.max(cells.indexOf(0), 0);
  let typed = { digits: "", when: 0 };

  const holes = cells.map((_, cell) =>
    pushButton({ class: "hole", "data-cell": cell, onclick: () => tap(cell) }),
  );
  const holder = h("div", { class: "entry", role: "group", "aria-label": words.entry.guess },
    layout(rules, (cell) => holes[cell], markOf ?? ((line) => noMark(rules, line))),
  );
  const colors = Array.from({ length: rules.colors }, (_, index) => index + 1);
  const choices = colors.map((color) =>
    pushButton(
      {
        class: "choice",
        "data-color": color,
        tabindex: color === 1 ? 0 : -1,
        "aria-label": words.entry.color(label(rules, color), colorName(rules, color)),
        onclick: () => put(color),
      },
      peg(rules, color),
    ),
  );
  if (unknown)
    choices.push(
      pushButton(
        {
          class: "choice",
          tabindex: -1,
          "aria-label": words.entry.forgotten,
          title: words.entry.forgotten,
          onclick: () => put(null),
        },
        peg(rules, null),
      ),
    );
  const palette = h(
    "div",
    { class: rules.colors > 40 ? "palette many" : "palette", role: "toolbar", "aria-label": words.entry.colors, onkeydown: rove },
    choices,
  );

  /** @param {number} cell */
  function paint(cell) {
    const color = cells[cell];
    holes[cell].replaceChildren(peg(rules, color));
    const name = color === 0 ? words.entry.empty : color === null ? words.entry.forgotten : colorName(rules, color);
    holes[cell].setAttribute("aria-label", words.entry.hole(cell + 1, name));
  }

  function mark() {
    holes.forEach((hole, cell) => {
      hole.tabIndex = cell === at ? 0 : -1;
      hole.classList.toggle("selected", cell === at);
    });
  }

  /** @param {number} cell @param {boolean} [focus] */
  function select(cell, focus = true) {
    at = Math.min(Math.max(cell, 0), rules.cells - 1);
    mark();
    if (focus) holes[at].focus();
  }

  /** Selects a cell; a second tap empties it. @param {number} cell */
  function tap(cell) {
    if (cell === at) set(cell, 0);
    select(cell);
  }

  /** @param {number} cell @param {number | null} color */
  function set(cell, color) {
    if (!rules.repeats && color) {
      const other = cells.indexOf(color);
      if (other >= 0 && other !== cell) {
        cells[other] = 0;
        paint(other);
      }
    }
    cells[cell] = color;
    paint(cell);
    change();
  }

  /** Sets the selected cell and moves to the next empty one. @param {number | null} color @param {boolean} [focus] */
  function put(color, focus = false) {
    const here = at;
    const filled = cells[here] === 0;
    set(here, color);
    const next = [...cells.keys()].map((step) => (here + 1 + step) % rules.cells).find((cell) => cells[cell] === 0);
    select(next ?? Math.min(here + 1, rules.cells - 1), focus);
    if (focus && filled && next === undefined) full();
  }

  /** Moves the focus between colors. @param {KeyboardEvent} event */
  function rove(event) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const now = choices.findIndex((choice) => choice === document.activeElement);
    const next = (now + step + choices.length) % choices.length;
    choices.forEach((choice, index) => (choice.tabIndex = index === next ? 0 : -1));
    choices[next].focus();
  }

  /** Returns the color of a key. @param {string} key */
  function colorOf(key) {
    if (rules.in_digits && /^\d$/.test(key)) return Number(key) || 10;
    if (rules.colors <= 9 || rules.colors > 26) return /^\d$/.test(key) ? Number(key) : -1;
    return /^[a-z]$/i.test(key) ? key.toUpperCase().charCodeAt(0) - 64 : -1;
  }

  /** @param {number} digit */
  function type(digit) {
    const now = Date.now();
    const digits = now - typed.when < TYPING ? typed.digits + digit : String(digit);
    const number = Number(digits) <= rules.colors ? Number(digits) : digit;
    if (number < 1) return;
    typed = { digits: String(number), when: now };
    set(at, number);
    if (number * 10 > rules.colors) {
      typed = { digits: "", when: 0 };
      select(at + 1);
    }
  }

  /** @param {number} step */
  function cycle(step) {
    const color = cells[at] ?? 0;
    set(at, ((color - 1 + step + rules.colors) % rules.colors) + 1);
  }

  /** Handles a key; returns true if it belongs to the guess. @param {KeyboardEvent} event @returns {boolean} */
  function key(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return false;
    if (target.closest("input, select, textarea, dialog, summary")) return false;
    const here = target === document.body || target.id === "main" || holder.contains(target);
    const columns = rules.shape === "grid" || rules.shape === "cube" ? rules.sides[rules.sides.length - 1] : 0;
    const color = colorOf(event.key);
    // Enter on a color of a full row guesses.
    const guessed = event.key === "Enter" && palette.contains(target) && !cells.includes(0);
    if (guessed) submit();
    else if (color >= 1 && color <= rules.colors && rules.colors <= 26) put(color, true);
    else if (rules.colors > 26 && color >= 0) type(color);
    else if (unknown && event.key === "?") put(null, true);
    else if (event.key === "Backspace" || event.key === "Delete") {
      if (cells[at] === 0 && event.key === "Backspace") select(at - 1);
      set(at, 0);
    } else if (!here) return false;
    else if (event.key === "ArrowLeft") select(at - 1);
    else if (event.key === "ArrowRight") select(at + 1);
    else if (event.key === "ArrowUp") columns ? select(at - columns) : cycle(1);
    else if (event.key === "ArrowDown") columns ? select(at + columns) : cycle(-1);
    else if (event.key === "Enter") submit();
    else return false;
    event.preventDefault();
    return true;
  }

  dragging(palette, "[data-color]", (choice, hole) => set(Number(hole.dataset.cell), Number(choice.dataset.color)));
  dragging(holder, "[data-cell]:not(:has(.empty))", (from, to) => {
    const [one, other] = [Number(from.dataset.cell), Number(to.dataset.cell)];
    const [color, instead] = [cells[one], cells[other]];
    cells[one] = 0;
    cells[other] = 0;
    set(other, color);
    set(one, instead);
  });
  cells.forEach((_, cell) => paint(cell));
  mark();

  return {
    element: holder,
    palette,
    key,
    value: () => [...cells],
    isFull: () => !cells.includes(0),
    /** @param {Guess} guess */
    fill(guess) {
      cells = [...guess];
      cells.forEach((_, cell) => paint(cell));
      select(rules.cells - 1, false);
      change();
    },
    /** Selects the first empty cell. */
    selectEmpty: () => select(cells.indexOf(0)),
    focus: () => holes[at].focus({ preventScroll: true }),
  };
}
