// Entry of the turns of a game. Each turn can be edited and removed.

import { board, drawTurn, row } from "../board/draw.js";
import { entry } from "../board/entry.js";
import { fitPegs, preferredWidth } from "../board/fit.js";
import { markPad } from "../board/pad.js";
import { announce, fill, h, pushButton, s } from "../dom.js";
import { isImpossible, isWinning } from "../notation.js";
import { words } from "../words.js";

/** Width of the buttons to edit and remove a turn, in pixels. */
const ACTIONS = 84;

function pencil() {
  const d = "M2.5 13.5l.7-3.2 7.6-7.6 2.5 2.5-7.6 7.6z";
  return s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, s("path", { d, fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linejoin": "round" }));
}

/** @param {{change: (turns: Turn[]) => void, more?: () => Element | null}} options `change` is called with the new turns; `more` returns a further tool. */
export function turnEditor({ change, more = () => null }) {
  /** @type {{rules: Rules, turns: Turn[]} | null} */
  let game = null;
  /** @type {{guess: ReturnType<typeof entry>, marks: ReturnType<typeof markPad>} | null} */
  let form = null;
  /** Index of the edited turn; null when a new one is entered. @type {number | null} */
  let editing = null;
  const table = h("div", { class: "table" });
  const tools = h("div", { class: "tools" });
  const note = h("p", { class: "note", role: "status" });
  const element = h("div", { class: "turns" }, table, note, tools);
  const fitting = fitPegs(table, () => {
    const room = table.clientWidth >= 400;
    table.classList.toggle("narrow", !room);
    return game && { rules: game.rules, rated: room ? ACTIONS : ACTIONS / 2 };
  });

  /** @param {Rules} rules @param {Turn[]} turns */
  function show(rules, turns) {
    game = { rules, turns };
    editing = null;
    draw();
  }

  /** @param {number[]} [wrong] */
  function draw(wrong = []) {
    const { rules, turns } = /** @type {NonNullable<typeof game>} */ (game);
    /** @type {HTMLElement} */ (element.closest("main")).style.setProperty("--board", `${preferredWidth(rules, ACTIONS)}px`);
    const list = board(rules, words.solve.table);
    list.classList.add("editable");
    list.append(
      ...turns.map((turn, at) => (at === editing ? editor(at, turn) : drawTurn(rules, turn, at + 1, { wrong: wrong.includes(at + 1), actions: actions(at) }))),
    );
    const done = turns.length > 0 && isWinning(rules, turns[turns.length - 1].feedback);
    if (editing === null && !done) list.append(editor(turns.length));
    if (editing === null && done) form = null;
    fill(table, list, form ? [form.guess.palette, form.marks.element] : null);
    fitting.fit();
    drawTools();
  }

  /** @param {number} at */
  function actions(at) {
    const button = (/** @type {string} */ name, /** @type {() => void} */ act, /** @type {Node | string} */ sign) =>
      pushButton({ class: "quiet icon", "aria-label": name, title: name, onclick: act }, sign);
    return [button(words.solve.edit(at + 1), () => edit(at), pencil()), button(words.solve.remove(at + 1), () => remove(at), "✕")];
  }

  /** @param {number} at */
  const remove = (at) => game && change(game.turns.filter((_, other) => other !== at));

  /** @param {number | null} at */
  function edit(at) {
    editing = at;
    draw();
    form?.guess.focus();
  }

  /** Returns the row for entry. @param {number} at @param {Turn} [turn] */
  function editor(at, turn) {
    const { rules } = /** @type {NonNullable<typeof game>} */ (game);
    const marks = markPad(rules, { value: turn?.feedback, change: refresh, submit });
    const answer = () => marks.focus();
    const guess = entry(rules, { value: turn?.guess, unknown: true, submit: answer, full: answer, change: refresh, markOf: marks.markOf });
    form = { guess, marks };
    return row(at + 1, " now", guess.element);
  }

  function drawTools() {
    const adding = editing === null;
    if (!form) return fill(tools, h("p", { class: "muted" }, words.solve.found), more());
    fill(
      tools,
      pushButton({ class: "primary", id: "enter", onclick: submit }, adding ? words.solve.enter : words.solve.save),
      adding ? null : pushButton({ onclick: () => edit(null) }, words.cancel),
      adding ? null : pushButton({ class: "quiet", onclick: () => remove(/** @type {number} */ (editing)) }, words.solve.removeIt),
      game?.turns.length && adding ? more() : null,
    );
    refresh();
  }

  function refresh() {
    const button = tools.querySelector("#enter");
    const marks = form?.marks.value();
    const wrong = game && marks && isImpossible(game.rules, marks);
    fill(note, wrong ? words.solve.impossible : null);
    if (button instanceof HTMLButtonElement) button.disabled = !form?.guess.isFull() || !marks || Boolean(wrong);
  }

  function submit() {
    const feedback = form?.marks.value();
    if (!game || !form || !feedback || !form.guess.isFull()) return announce(words.solve.notYet);
    if (isImpossible(game.rules, feedback)) return;
    const turn = { guess: form.guess.value(), feedback };
    change(editing === null ? [...game.turns, turn] : game.turns.map((old, at) => (at === editing ? turn : old)));
  }

  return {
    element,
    show,
    /** Outlines turns that cannot all be true. */
    outline: draw,
    /** Handles a key. @param {KeyboardEvent} event */
    key: (event) => form?.guess.key(event),
    /** Fills in a guess. @param {number[]} code */
    use(code) {
      form?.guess.fill(code);
      form?.marks.focus();
    },
    /** Redraws the pegs after a change of the color set. */
    repaint() {
      const [code, marks] = [form?.guess.value(), form?.marks.value()];
      draw();
      if (code?.some((color) => color !== 0)) form?.guess.fill(code);
      if (marks) form?.marks.fill(marks);
    },
    close: fitting.close,
  };
}
