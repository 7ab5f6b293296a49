// Solve my game: the turns on a table elsewhere, the next guess, and what to do when a peg was misread.

import * as address from "../address.js";
import { board, drawCode, drawTurn, size } from "../board/draw.js";
import { entry } from "../board/entry.js";
import { markEntry } from "../board/marks.js";
import { announce, counted, fill, h, s, things, trouble } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, isWinning, readTurn, turnText } from "../notation.js";
import { hintCard, remainingBar } from "../parts/hint.js";
import { mendCard } from "../parts/mend.js";
import { chooseRules, rulesName } from "../parts/rules.js";
import { strategyChoice } from "../parts/strategy.js";
import { thinker } from "../parts/thinking.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").Turn} Turn */
/** @typedef {import("../types.js").Query} Query */

export const title = "Solve";

/** Codes that fit are listed when they are as few as these. */
const FEW = 24;

function pencil() {
  return s(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    s("path", {
      d: "M2.5 13.5l.7-3.2 7.6-7.6 2.5 2.5-7.6 7.6z",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.5,
      "stroke-linejoin": "round",
    }),
  );
}

/** @param {HTMLElement} root @param {Query} query @returns {import("../types.js").Page} */
export function open(root, query) {
  /** @type {{rules: Rules, turns: Turn[], strategy: string} | null} */
  let game = null;
  /** @type {{guess: ReturnType<typeof entry>, marks: ReturnType<typeof markEntry>} | null} */
  let form = null;
  /** The turn that is edited; none when a new one is entered. @type {number | null} */
  let editing = null;
  let opened = 0;

  const heading = h("h1", {});
  const turns = h("div", { class: "table" });
  const tools = h("div", { class: "tools" });
  const who = h("div", {});
  const left = h("div", {});
  const advice = h("div", {});
  const columns = h(
    "div",
    { class: "columns" },
    h("div", {}, turns, tools),
    h("aside", { "aria-label": "What to play" }, advice, left, who),
  );
  const hints = thinker(advice);
  const asking = new AbortController();
  root.append(
    h(
      "div",
      { class: "page-head" },
      h(
        "div",
        {},
        heading,
        h("p", { class: "muted" }, "Enter the turns of the game on your table. What you do not remember is a ?."),
      ),
      h("button", { type: "button", onclick: change }, "Change game"),
    ),
    columns,
  );

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    try {
      const rules =
        game?.rules.rules === (next.rules ?? "4x6") ? game.rules : await engine.describe(next.rules ?? "4x6");
      if (mine !== opened) return;
      const read = (next.turns ?? "")
        .split(";")
        .filter(Boolean)
        .map((text) => readTurn(rules, text))
        .filter((turn) => turn !== null);
      const another = game?.rules !== rules;
      game = { rules, turns: read, strategy: next.strategy || "adaptive" };
      editing = null;
      if (another)
        fill(
          who,
          strategyChoice(rules, "Hints by", game.strategy, (strategy) => go({ strategy })),
        );
      draw();
      think();
    } catch (error) {
      if (mine === opened) fill(turns, trouble(error));
    }
  }

  /** @param {Partial<{rules: Rules, turns: Turn[], strategy: string}>} changed */
  function go(changed) {
    if (!game) return;
    const now = { ...game, ...changed };
    const strategy = now.strategy === "adaptive" ? null : now.strategy;
    address.go("solve", {
      rules: now.rules.rules,
      turns: now.turns.map((turn) => turnText(now.rules, turn)).join(";"),
      strategy,
    });
  }

  /** @param {number[]} [wrong] Turns that cannot all be true. */
  function draw(wrong = []) {
    if (!game) return;
    const { rules, turns: played } = game;
    columns.style.setProperty("--across", String(size(rules).across + 1));
    fill(heading, "Solve my game", h("span", { class: "tag" }, rulesName(rules)));
    const list = board(rules, "Turns on your table");
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
    fill(turns, list, form ? form.guess.palette : null);
    drawTools();
  }

  /** @param {number} at */
  function actions(at) {
    const name = `turn ${at + 1}`;
    return [
      h(
        "button",
        { type: "button", class: "small quiet", "aria-label": `Edit ${name}`, title: "Edit", onclick: () => edit(at) },
        pencil(),
      ),
      h(
        "button",
        {
          type: "button",
          class: "small quiet",
          "aria-label": `Remove ${name}`,
          onclick: () => game && go({ turns: game.turns.filter((_, other) => other !== at) }),
        },
        "✕",
      ),
    ];
  }

  /** @param {number | null} at */
  function edit(at) {
    editing = at;
    draw();
    form?.guess.focus();
  }

  /** The row that is being written. @param {number} at @param {Turn} [turn] */
  function editor(at, turn) {
    const { rules } = /** @type {NonNullable<typeof game>} */ (game);
    const marks = markEntry(rules, { value: turn?.feedback, change: refresh, submit });
    const guess = entry(rules, {
      value: turn?.guess,
      unknown: true,
      submit: () => marks.focus(),
      change: refresh,
      markOf: marks.markOf,
    });
    form = { guess, marks };
    return h(
      "li",
      { class: "turn now" },
      h("span", { class: "number", "aria-hidden": "true" }, at + 1),
      h("div", { class: "turn-body" }, guess.element),
    );
  }

  function drawTools() {
    if (!form) return fill(tools, h("p", { class: "muted" }, "The last turn found the code."));
    fill(
      tools,
      h(
        "button",
        { type: "button", class: "primary", id: "enter", onclick: submit },
        editing === null ? "Enter turn" : "Save turn",
      ),
      editing === null ? null : h("button", { type: "button", onclick: () => edit(null) }, "Cancel"),
      game?.turns.length && editing === null
        ? h(
            "a",
            {
              class: "button quiet",
              href: address.write("analyze", {
                rules: game.rules.rules,
                turns: game.turns.map((turn) => turnText(/** @type {any} */ (game).rules, turn)).join(";"),
              }),
            },
            "Analyze",
          )
        : null,
    );
    refresh();
  }

  function refresh() {
    const button = tools.querySelector("#enter");
    if (button instanceof HTMLButtonElement) button.disabled = !(form?.guess.isFull() && form.marks.value());
  }

  function submit() {
    const feedback = form?.marks.value();
    if (!game || !form || !feedback || !form.guess.isFull())
      return announce("Fill every hole and every number; ? is what you do not remember.");
    const turn = { guess: form.guess.value(), feedback };
    go({
      turns: editing === null ? [...game.turns, turn] : game.turns.map((old, at) => (at === editing ? turn : old)),
    });
  }

  /** Finds the next guess, or what is wrong. */
  function think() {
    if (!game) return;
    const { rules, turns: played, strategy } = game;
    const mine = opened;
    fill(left);
    hints.think(
      "Thinking",
      (watcher) => engine.hint({ rules: rules.rules, turns: played, strategy, alternatives: 5 }, watcher),
      ({ hint, contradiction, solved }) => {
        if (contradiction) {
          draw(contradiction.turns[0] ?? []);
          fill(
            advice,
            mendCard(rules, contradiction, (changes) => {
              const mended = played.map((turn, at) => changes.find((change) => change.turn === at + 1)?.now ?? turn);
              announce("Mended.");
              go({ turns: mended });
            }),
          );
        } else if (solved) {
          fill(
            advice,
            h("div", { class: "card win" }, h("h2", {}, `Solved in ${things(played.length, "guess", "guesses")}`)),
          );
        } else if (hint) {
          fill(
            advice,
            hintCard(rules, hint, (code) => {
              form?.guess.fill(code);
              form?.marks.focus();
            }),
          );
          announce(
            `Play ${[...codeText(rules, hint.guess)].join(" ")}. ${hint.remaining === null ? "" : `${counted(hint.remaining)} codes fit.`}`,
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
    const answer = await engine.remaining({ rules: rules.rules, turns: played, list: FEW }, asking.signal);
    if (mine !== opened) return;
    const codes =
      answer.codes.length > 1
        ? h(
            "details",
            { open: answer.codes.length <= 8 },
            h("summary", {}, "The codes that fit"),
            h(
              "div",
              { class: "codes" },
              answer.codes.map((code) => drawCode(rules, code)),
            ),
          )
        : null;
    fill(left, h("div", { class: "card" }, remainingBar(rules, answer), codes));
  }

  async function change() {
    if (!game) return;
    const rules = await chooseRules(game.rules, "Which game is on your table?");
    if (rules) go({ rules, turns: [] });
  }

  /** @param {KeyboardEvent} event */
  const key = (event) => form?.guess.key(event);

  document.addEventListener("keydown", key);
  update(query);
  return {
    update,
    close() {
      opened += 1;
      document.removeEventListener("keydown", key);
      hints.close();
      asking.abort();
    },
  };
}
