// Solve: the turns of a game on a table, the next guess, and repairs of mistakes.

import * as address from "../address.js";
import { board, drawTurn, row, spokenCode } from "../board/draw.js";
import { entry } from "../board/entry.js";
import { fitPegs, preferredWidth } from "../board/fit.js";
import { markPad } from "../board/pad.js";
import { announce, errorNotice, fill, h, keyboardPage, pageHead, pushButton, s } from "../dom.js";
import * as engine from "../engine.js";
import { isImpossible, isWinning, turnsText } from "../notation.js";
import { formatCount } from "../numbers.js";
import { colorSet } from "../parts/colors.js";
import { hintCard } from "../parts/hint.js";
import { MAX_DOTS, remainingCard } from "../parts/left.js";
import { linkedGame } from "../parts/linked.js";
import { mendCard, NAMED } from "../parts/mend.js";
import { chooseRules, rulesName } from "../parts/rules.js";
import { strategyChoice } from "../parts/strategy.js";
import { requestView } from "../parts/thinking.js";
import { words } from "../words.js";

/** Width of the buttons to edit and remove a turn, in pixels. */
const ACTIONS = 84;

function pencil() {
  return s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    s("path", {
      d: "M2.5 13.5l.7-3.2 7.6-7.6 2.5 2.5-7.6 7.6z",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.5,
      "stroke-linejoin": "round",
    }),
  );
}

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  /** @type {{rules: Rules, turns: Turn[], strategy: string} | null} */
  let game = null;
  /** @type {{guess: ReturnType<typeof entry>, marks: ReturnType<typeof markPad>} | null} */
  let form = null;
  /** Index of the edited turn; null when a new one is entered. @type {number | null} */
  let editing = null;
  let opened = 0;

  const heading = h("h1", {});
  const turns = h("div", { class: "table" });
  const tools = h("div", { class: "tools" });
  const note = h("p", { class: "note", role: "status" });
  const who = h("div", {});
  const left = remainingCard({ use });
  const remainingPlace = h("div", {});
  const colors = h("div", {});
  const advice = h("div", {});
  const columns = h("div", { class: "columns" },
    h("div", {}, turns, note, tools),
    h("aside", { "aria-label": words.solve.whatToPlay }, advice, remainingPlace, who, colors),
  );
  const hints = requestView(advice);
  const asking = new AbortController();
  root.append(
    pageHead(heading, words.solve.about, pushButton({ onclick: change }, words.solve.change)),
    columns,
  );
  const fitting = fitPegs(turns, () => {
    const room = turns.clientWidth >= 400;
    turns.classList.toggle("narrow", !room);
    return game && { rules: game.rules, rated: room ? ACTIONS : ACTIONS / 2 };
  });

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    try {
      const { rules, turns: read } = await linkedGame(next, game?.rules);
      if (mine !== opened) return;
      const another = game?.rules !== rules;
      game = { rules, turns: read, strategy: next.strategy || "adaptive" };
      editing = null;
      if (another) {
        fill(who, strategyChoice(rules, words.solve.hintsBy, game.strategy, (strategy) => go({ strategy })));
        fill(colors, colorSet(rules, repaint));
      }
      draw();
      think();
    } catch (error) {
      if (mine === opened) fill(turns, errorNotice(error));
    }
  }

  /** @param {Partial<{rules: Rules, turns: Turn[], strategy: string}>} changed */
  function go(changed) {
    if (!game) return;
    const now = { ...game, ...changed };
    const strategy = now.strategy === "adaptive" ? null : now.strategy;
    address.go("solve", { rules: now.rules.rules, turns: turnsText(now.rules, now.turns), strategy });
  }

  /** @param {number[]} [wrong] Turns that cannot all be true. */
  function draw(wrong = []) {
    if (!game) return;
    const { rules, turns: played } = game;
    columns.style.setProperty("--board", `${preferredWidth(rules, ACTIONS)}px`);
    fill(heading, words.solve.title, h("span", { class: "tag" }, rulesName(rules)));
    const list = board(rules, words.solve.table);
    list.classList.add("editable");
    played.forEach((turn, at) =>
      list.append(
        at === editing
          ? editor(at, turn)
          : drawTurn(rules, turn, at + 1, { wrong: wrong.includes(at + 1), actions: actions(at) }),
      ),
    );
    const done = played.length > 0 && isWinning(rules, played[played.length - 1].feedback);
    if (editing === null && !done) list.append(editor(played.length));
    if (editing === null && done) form = null;
    fill(turns, list, form ? [form.guess.palette, form.marks.element] : null);
    fitting.fit();
    drawTools();
  }

  /** Redraws the pegs after a change of the color set. */
  function repaint() {
    const [code, marks] = [form?.guess.value(), form?.marks.value()];
    draw();
    if (code?.some((color) => color !== 0)) form?.guess.fill(code);
    if (marks) form?.marks.fill(marks);
  }

  /** @param {number} at */
  function actions(at) {
    const button = (/** @type {string} */ name, /** @type {() => void} */ act, /** @type {Node | string} */ sign) =>
      pushButton({ class: "quiet icon", "aria-label": name, title: name, onclick: act }, sign);
    return [
      button(words.solve.edit(at + 1), () => edit(at), pencil()),
      button(words.solve.remove(at + 1), () => remove(at), "✕"),
    ];
  }

  /** @param {number} at */
  const remove = (at) => game && go({ turns: game.turns.filter((_, other) => other !== at) });

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
    const guess = entry(rules, {
      value: turn?.guess,
      unknown: true,
      submit: () => marks.focus(),
      full: () => marks.focus(),
      change: refresh,
      markOf: marks.markOf,
    });
    form = { guess, marks };
    return row(at + 1, " now", guess.element);
  }

  function drawTools() {
    if (!form) return fill(tools, h("p", { class: "muted" }, words.solve.found));
    fill(
      tools,
      pushButton({ class: "primary", id: "enter", onclick: submit },
        editing === null ? words.solve.enter : words.solve.save,
      ),
      editing === null ? null : pushButton({ onclick: () => edit(null) }, words.cancel),
      editing === null
        ? null
        : pushButton({ class: "quiet", onclick: () => remove(/** @type {number} */ (editing)) }, words.solve.removeIt),
      game?.turns.length && editing === null
        ? h(
            "a",
            {
              class: "button quiet",
              href: address.write("analyze", { rules: game.rules.rules, turns: turnsText(game.rules, game.turns) }),
            },
            words.solve.analyze,
          )
        : null,
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
    go({
      turns: editing === null ? [...game.turns, turn] : game.turns.map((old, at) => (at === editing ? turn : old)),
    });
  }

  /** Finds the next guess, or explains a contradiction. */
  function think() {
    if (!game) return;
    const { rules, turns: played, strategy } = game;
    const mine = opened;
    fill(remainingPlace);
    hints.run(
      words.thinking.hint,
      (watcher) => engine.hint({ rules: rules.rules, turns: played, strategy, alternatives: 5 }, watcher),
      ({ hint, contradiction, solved }) => {
        if (contradiction) {
          draw(contradiction.turns.slice(0, NAMED).flat());
          fill(
            advice,
            mendCard(rules, played, contradiction, (mended) => {
              announce(words.mend.mended);
              go({ turns: mended });
            }),
          );
        } else if (solved) {
          fill(advice, h("div", { class: "card win" }, h("h2", {}, words.end.solved(played.length))));
        } else if (hint) {
          fill(advice, hintCard(rules, hint, use, left.point));
          announce(
            words.solve.plays(spokenCode(rules, hint.guess), hint.remaining === null ? null : formatCount(hint.remaining)),
          );
          count(mine);
        }
      },
    );
  }

  /** @param {number} mine */
  async function count(mine) {
    if (!game || !game.turns.length) return;
    const { rules, turns: played } = game;
    const answer = await engine.remaining({ rules: rules.rules, turns: played, list: MAX_DOTS }, asking.signal);
    if (mine !== opened) return;
    left.show(rules, played, answer);
    fill(remainingPlace, left.element);
  }

  /** @param {number[]} code */
  function use(code) {
    form?.guess.fill(code);
    form?.marks.focus();
  }

  async function change() {
    if (!game) return;
    const rules = await chooseRules(game.rules, words.solve.which);
    if (rules) go({ rules, turns: [] });
  }

  /** @param {KeyboardEvent} event */
  const key = (event) => form?.guess.key(event);

  const leave = () => {
    opened += 1;
    asking.abort();
  };
  return keyboardPage(query, update, key, [leave, hints.close, left.close, fitting.close]);
}
