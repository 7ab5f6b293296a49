// Watch: two strategies side by side on the same secret, step by step.

import * as address from "../address.js";
import { board, drawCode, drawTurn } from "../board/draw.js";
import { announce, counted, fill, grouped, h, sentence, things, trouble } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, readCode } from "../notation.js";
import { chooseRules, rulesName } from "../parts/rules.js";
import { strategyChoice } from "../parts/strategy.js";
import { thinker } from "../parts/thinking.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").Query} Query */

export const title = "Watch";

/** How long a turn is shown while the game plays by itself, in milliseconds. */
const PACE = 1100;

/** @param {HTMLElement} root @param {Query} query @returns {import("../types.js").Page} */
export function open(root, query) {
  /** @type {{rules: Rules, secret: number[], sealed: string, left: string, right: string} | null} */
  let show = null;
  /** @type {ReturnType<typeof side>[]} */
  let sides = [];
  let step = 0;
  let opened = 0;
  /** @type {ReturnType<typeof setInterval> | null} */
  let playing = null;

  const heading = h("h1", {});
  const secretPlace = h("div", { class: "watch-secret" });
  const choices = h("div", { class: "watch-choices" });
  const games = h("div", { class: "watch-games" });
  const place = h("span", { class: "muted watch-place" });
  const button = (
    /** @type {string} */ id,
    /** @type {string} */ name,
    /** @type {string} */ text,
    /** @type {() => void} */ act,
  ) => h("button", { type: "button", id, "aria-label": name, title: name, onclick: act }, text);
  const pause = button("auto", "Play by itself", "▶ Play", () => (playing ? halt() : auto()));
  const controls = h(
    "div",
    { class: "tools watch-controls", role: "group", "aria-label": "Steps" },
    button("first", "To the start", "|◀", () => move(0)),
    button("back", "One step back", "◀", () => move(step - 1)),
    button("next", "One step on", "Next ▶", () => move(step + 1)),
    button("last", "To the end", "▶|", () => move(Infinity)),
    pause,
    place,
  );
  root.append(
    h(
      "div",
      { class: "page-head" },
      h("div", {}, heading, h("p", { class: "muted" }, "Two strategies look for the same code.")),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", onclick: another }, "New secret"),
        h("button", { type: "button", onclick: change }, "Change game"),
      ),
    ),
    secretPlace,
    choices,
    controls,
    games,
  );

  /** One strategy's game. @param {Rules} rules @param {string} strategy @param {string} sealed */
  function side(rules, strategy, sealed) {
    /** @type {any[]} */
    const turns = [];
    /** @type {any} */
    let end = null;
    const list = board(rules, `Turns of ${strategy}`);
    const news = h("div", {});
    const words = h("p", { class: "muted" });
    const work = thinker(news);
    const element = h(
      "section",
      { class: "card watch-side", "aria-label": strategy },
      h("h2", {}, strategy),
      list,
      words,
      news,
    );
    work.think(
      "Thinking",
      (watcher) =>
        engine.watch(
          { rules: rules.rules, strategy, sealed, seed: 1 },
          {
            ...watcher,
            line: ({ turn }) => {
              turns.push(turn);
              tell();
            },
          },
        ),
      (answer) => {
        end = answer;
        tell();
      },
    );

    /** @param {number} upTo @param {boolean} fresh */
    function draw(upTo, fresh) {
      const shown = turns.slice(0, upTo);
      fill(
        list,
        shown.map((turn, at) => drawTurn(rules, turn, at + 1, { fresh: fresh && at === upTo - 1 })),
      );
      const done = end && upTo >= turns.length;
      const last = shown[shown.length - 1];
      list.classList.toggle("won", Boolean(done && end.outcome === "solved"));
      const before = turns[upTo]?.before ?? null;
      if (done)
        fill(
          words,
          h(
            "strong",
            {},
            end.outcome === "solved"
              ? `Solved in ${things(turns.length, "guess", "guesses")}`
              : `Not solved in ${things(turns.length, "guess", "guesses")}`,
          ),
          ` · ${grouped(end.examined)} codes looked at · ${end.seconds < 1 ? `${Math.round(end.seconds * 1000)} ms` : `${end.seconds.toFixed(1)} s`}`,
        );
      else
        fill(
          words,
          last ? sentence(last.basis) : "Nothing played yet.",
          before === null ? "" : before === 1 ? " One code fits." : ` ${counted(before)} codes fit.`,
        );
    }

    return { element, draw, length: () => turns.length, finished: () => end !== null, close: work.close };
  }

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    halt();
    try {
      const rules =
        show?.rules.rules === (next.rules ?? "4x6") ? show.rules : await engine.describe(next.rules ?? "4x6");
      const given = next.secret ? readCode(rules, next.secret) : null;
      const drawn = given
        ? await engine.seal(rules.rules, /** @type {number[]} */ (given))
        : await engine.deal(rules.rules, Math.floor(Math.random() * 2 ** 48));
      const { secret } = given
        ? { secret: /** @type {number[]} */ (given) }
        : await engine.reveal(rules.rules, drawn.sealed);
      if (mine !== opened) return;
      show = {
        rules,
        secret,
        sealed: drawn.sealed,
        left: next.left || "adaptive",
        right: next.right || "random-consistent",
      };
      if (!given) address.replace("watch", state({}));
      draw();
    } catch (error) {
      if (mine === opened) fill(games, trouble(error));
    }
  }

  /** @param {Partial<{rules: string, secret: string | null, left: string, right: string}>} changed */
  function state(changed) {
    if (!show) return {};
    return {
      rules: show.rules.rules,
      left: show.left,
      right: show.right,
      secret: codeText(show.rules, show.secret),
      ...changed,
    };
  }

  function draw() {
    if (!show) return;
    const { rules, secret, sealed, left, right } = show;
    sides.forEach((old) => old.close());
    fill(heading, "Watch", h("span", { class: "tag" }, rulesName(rules)));
    fill(secretPlace, h("span", { class: "muted" }, "The secret"), drawCode(rules, secret));
    fill(
      choices,
      strategyChoice(rules, "Left", left, (name) => address.go("watch", state({ left: name }))),
      strategyChoice(rules, "Right", right, (name) => address.go("watch", state({ right: name }))),
    );
    sides = [side(rules, left, sealed), side(rules, right, sealed)];
    fill(
      games,
      sides.map((one) => one.element),
    );
    step = 0;
    tell();
  }

  /** Shows the step as it is known now. @param {boolean} [fresh] */
  function tell(fresh = false) {
    const most = Math.max(0, ...sides.map((one) => one.length()));
    sides.forEach((one) => one.draw(Math.min(step, one.length()), fresh && step <= one.length()));
    fill(place, most ? `Step ${step} of ${most}` : "");
    const set = (/** @type {string} */ id, /** @type {boolean} */ off) => {
      const element = controls.querySelector(`#${id}`);
      if (element instanceof HTMLButtonElement) element.disabled = off;
    };
    for (const id of ["first", "back"]) set(id, step === 0);
    for (const id of ["next", "last"]) set(id, step >= most);
    if (playing && step >= most && sides.every((one) => one.finished())) halt();
  }

  /** @param {number} to */
  function move(to) {
    const most = Math.max(0, ...sides.map((one) => one.length()));
    const on = to > step;
    step = Math.min(Math.max(to, 0), most);
    tell(on);
    announce(`Step ${step} of ${most}.`);
  }

  function auto() {
    const most = Math.max(0, ...sides.map((one) => one.length()));
    if (step >= most && sides.every((one) => one.finished())) step = 0;
    playing = setInterval(() => move(step + 1), PACE);
    pause.textContent = "Pause";
    move(step + 1);
  }

  function halt() {
    if (playing) clearInterval(playing);
    playing = null;
    pause.textContent = "▶ Play";
  }

  function another() {
    if (show) address.go("watch", state({ secret: null }));
  }

  async function change() {
    if (!show) return;
    const rules = await chooseRules(show.rules, "Which game?");
    if (rules) address.go("watch", state({ rules: rules.rules, secret: null }));
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.target instanceof Element && event.target.closest("dialog, input, select, textarea")) return;
    if (event.key === "ArrowRight") move(step + 1);
    else if (event.key === "ArrowLeft") move(step - 1);
  }

  document.addEventListener("keydown", key);
  update(query);
  return {
    update,
    close() {
      opened += 1;
      halt();
      document.removeEventListener("keydown", key);
      sides.forEach((one) => one.close());
    },
  };
}
