// Play: break the engine's code.

import * as address from "../address.js";
import { board, drawCode, drawTurn, later, size } from "../board/draw.js";
import { entry } from "../board/entry.js";
import { announce, counted, fill, h, sentence, things, trouble } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, feedbackWords, isWinning, readCode, readTurn, turnText } from "../notation.js";
import { hintCard, remainingBar } from "../parts/hint.js";
import { chooseRules, rulesName } from "../parts/rules.js";
import { share } from "../parts/share.js";
import { thinker } from "../parts/thinking.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").Turn} Turn */
/** @typedef {import("../types.js").Query} Query */

export const title = "Play";

/** @param {HTMLElement} root @param {Query} query @returns {import("../types.js").Page} */
export function open(root, query) {
  /** @type {{rules: Rules, sealed: string, turns: Turn[], secret: number[] | null} | null} */
  let game = null;
  /** @type {ReturnType<typeof entry> | null} */
  let guess = null;
  let opened = 0;
  let busy = false;

  const heading = h("h1", {});
  const about = h("p", { class: "muted" });
  const turns = h("div", { class: "table" });
  const status = h("div", { class: "status" });
  const left = h("div", {});
  const advice = h("div", {});
  const tools = h("div", { class: "tools" });
  const columns = h(
    "div",
    { class: "columns" },
    h("div", {}, turns, tools),
    h("aside", { "aria-label": "About this game" }, status, left, advice),
  );
  const hints = thinker(advice);
  const asking = new AbortController();
  root.append(
    h(
      "div",
      { class: "page-head" },
      h("div", {}, heading, about),
      h("button", { type: "button", onclick: newGame }, "New game"),
    ),
    columns,
  );

  const over = () => game !== null && (game.secret !== null || solved() || outOfGuesses());
  const solved = () =>
    game !== null && game.turns.length > 0 && isWinning(game.rules, game.turns[game.turns.length - 1].feedback);
  const outOfGuesses = () =>
    game !== null && game.rules.max_guesses !== null && game.turns.length >= game.rules.max_guesses;

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    hints.close();
    try {
      const rules =
        game?.rules.rules === (next.rules ?? "4x6") ? game.rules : await engine.describe(next.rules ?? "4x6");
      const sealed = next.sealed || (await engine.deal(rules.rules, Math.floor(Math.random() * 2 ** 48))).sealed;
      if (mine !== opened) return;
      const read = (next.turns ?? "")
        .split(";")
        .filter(Boolean)
        .map((text) => readTurn(rules, text));
      const played = read.filter((turn) => turn !== null);
      const before = game?.sealed === sealed && game.rules === rules ? game.turns.length : -1;
      game = {
        rules,
        sealed,
        turns: played,
        secret: next.secret ? /** @type {number[] | null} */ (readCode(rules, next.secret)) : null,
      };
      if (!next.sealed) address.replace("play", state());
      draw(before);
    } catch (error) {
      if (mine === opened) fill(turns, trouble(error));
    }
  }

  /** What the address says. @param {Partial<{turns: Turn[], secret: number[] | null}>} [change] */
  function state(change = {}) {
    if (!game) return {};
    const now = { ...game, ...change };
    return {
      rules: now.rules.rules,
      sealed: now.sealed,
      turns: now.turns.map((turn) => turnText(now.rules, turn)).join(";"),
      secret: now.secret && codeText(now.rules, now.secret),
    };
  }

  /** @param {number} before How many turns were shown before; -1 for another game. */
  function draw(before) {
    if (!game) return;
    const { rules } = game;
    columns.style.setProperty("--across", String(size(rules).across));
    fill(heading, rulesName(rules));
    fill(
      about,
      `${things(rules.cells, "peg")} from ${things(rules.colors, "color")}${rules.repeats ? "" : ", no repeats"} · ${counted(rules.codes)} codes`,
    );
    const list = board(rules, "Your turns");
    list.append(...game.turns.map((turn, at) => drawTurn(rules, turn, at + 1, { fresh: before >= 0 && at >= before })));
    if (over()) finish(list);
    else if (!guess || before !== game.turns.length) guess = entry(rules, { submit, change: () => refresh() });
    fill(turns, list);
    if (guess && !over()) {
      list.append(
        h(
          "li",
          { class: "turn now" },
          h("span", { class: "number", "aria-hidden": "true" }, game.turns.length + 1),
          h("div", { class: "turn-body" }, guess.element),
        ),
      );
      list.append(...later(rules, game.turns.length + 1));
      turns.append(guess.palette);
      if (before >= 0) guess.focus();
    }
    fill(advice);
    drawTools();
    refresh();
    count();
  }

  /** @param {HTMLElement} list */
  function finish(list) {
    guess = null;
    if (!game) return;
    const { rules, turns: played } = game;
    if (solved()) {
      list.classList.add("won");
      fill(
        status,
        h(
          "div",
          { class: "card win" },
          h("h2", {}, `Solved in ${things(played.length, "guess", "guesses")}`),
          h(
            "p",
            {},
            played.length <= 4 ? "Beautifully played." : played.length <= 6 ? "Well played." : "You got there.",
          ),
          ends(),
        ),
      );
      announce(`Solved in ${things(played.length, "guess", "guesses")}.`);
      return;
    }
    const show = (/** @type {number[]} */ secret) =>
      fill(status, h("div", { class: "card lost" }, h("h2", {}, "The code was"), drawCode(rules, secret), ends()));
    if (game.secret) show(game.secret);
    else
      engine.reveal(rules.rules, game.sealed).then(
        ({ secret }) => show(secret),
        (error) => fill(status, trouble(error)),
      );
  }

  function ends() {
    if (!game) return null;
    const turnsText = game.turns.map((turn) => turnText(/** @type {any} */ (game).rules, turn)).join(";");
    const query = {
      rules: game.rules.rules,
      turns: turnsText,
      secret: game.secret && codeText(game.rules, game.secret),
    };
    return h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "primary", onclick: again }, "Play again"),
      game.turns.length
        ? h("a", { class: "button", href: address.write("analyze", query) }, "How well did I play?")
        : null,
    );
  }

  function drawTools() {
    if (!game) return;
    const shared = () =>
      share(
        tools,
        `pegwise/1 break ${game?.rules.rules} ${game?.turns.map((turn) => turnText(/** @type {any} */ (game).rules, turn)).join(" ")} sealed:${game?.sealed}`.replace(
          / +/g,
          " ",
        ),
      );
    if (over()) return fill(tools);
    fill(
      tools,
      h("button", { type: "button", class: "primary", id: "guess", onclick: submit }, "Guess"),
      h("button", { type: "button", id: "hint", onclick: askHint }, "Hint", h("kbd", {}, "?")),
      h("button", { type: "button", id: "undo", onclick: undo, disabled: game.turns.length === 0 }, "Undo"),
      h("button", { type: "button", class: "quiet", onclick: giveUp }, "Give up"),
      h("button", { type: "button", class: "quiet", onclick: shared }, "Share"),
    );
  }

  function refresh() {
    const button = tools.querySelector("#guess");
    if (button instanceof HTMLButtonElement) button.disabled = busy || !guess?.isFull();
    if (!over()) fill(status);
  }

  async function count() {
    if (!game || over()) return fill(left);
    const { rules, turns: played } = game;
    const mine = opened;
    if (played.length === 0) return fill(left, welcome());
    try {
      const answer = await engine.remaining({ rules: rules.rules, turns: played }, asking.signal);
      if (mine !== opened) return;
      fill(left, h("div", { class: "card" }, remainingBar(rules, answer)));
      const last = played[played.length - 1];
      announce(
        `${feedbackWords(rules, last.feedback)}. ${answer.remaining === null ? "" : `${counted(answer.remaining)} codes fit.`}`,
      );
    } catch (error) {
      if (mine === opened && !asking.signal.aborted) fill(left, trouble(error));
    }
  }

  function welcome() {
    const keys =
      game && game.rules.colors <= 9
        ? "the number keys"
        : game && game.rules.colors <= 26
          ? "the letter keys"
          : "numbers";
    return h(
      "div",
      { class: "card quietly" },
      h("p", {}, "I have hidden a code. Fill the row and guess: click a color, drag it, or use ", keys, "."),
      game?.rules.feedback === "black-white"
        ? h(
            "p",
            { class: "legend muted" },
            h("span", {}, h("i", { class: "key black" }), "right color, right place"),
            h("span", {}, h("i", { class: "key white" }), "right color, wrong place"),
          )
        : null,
      h(
        "p",
        { class: "legend muted" },
        h("span", {}, h("kbd", {}, "Enter"), "guess"),
        h("span", {}, h("kbd", {}, "?"), "hint"),
        h("span", {}, h("kbd", {}, "Ctrl Z"), "undo"),
      ),
    );
  }

  async function submit() {
    if (!game || !guess || busy) return;
    if (!guess.isFull()) return announce("Fill every hole first.");
    const code = /** @type {number[]} */ (guess.value());
    const { rules, sealed, turns: played } = game;
    busy = true;
    refresh();
    try {
      const { feedback } = await engine.judge(rules.rules, code, sealed);
      busy = false;
      address.go("play", state({ turns: [...played, { guess: code, feedback }] }));
    } catch (error) {
      busy = false;
      fill(status, trouble(error));
    }
  }

  function askHint() {
    if (!game || over()) return;
    const { rules, turns: played } = game;
    hints.think(
      "Thinking",
      (watcher) => engine.hint({ rules: rules.rules, turns: played, alternatives: 5 }, watcher),
      ({ hint }) => {
        if (!hint) return;
        fill(
          advice,
          hintCard(rules, hint, (code) => {
            guess?.fill(code);
            guess?.focus();
          }),
        );
        announce(`Hint: ${[...codeText(rules, hint.guess)].join(" ")}. ${sentence(hint.why)}`);
      },
    );
  }

  function undo() {
    if (game?.turns.length && !over()) address.go("play", state({ turns: game.turns.slice(0, -1) }));
  }

  async function giveUp() {
    if (!game) return;
    const { secret } = await engine.reveal(game.rules.rules, game.sealed);
    address.go("play", state({ secret }));
  }

  const again = () => game && address.go("play", { rules: game.rules.rules });

  async function newGame() {
    if (!game) return address.go("play", { rules: "4x6" });
    const rules = await chooseRules(game.rules, "New game");
    if (!rules) return;
    game = null;
    guess = null;
    if (address.write("play", { rules: rules.rules }) === location.hash) update({ rules: rules.rules });
    else address.go("play", { rules: rules.rules });
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.target instanceof Element && event.target.closest("dialog, input, select, textarea")) return;
    if (event.key === "?") {
      event.preventDefault();
      askHint();
    } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      undo();
    } else guess?.key(event);
  }

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
