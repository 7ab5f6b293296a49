// Watch: two to four strategies race for the same secret.

import * as address from "../address.js";
import { board, drawCode, drawTurn } from "../board/draw.js";
import { fitPegs } from "../board/fit.js";
import { announce, errorNotice, fill, h, keyboardPage, pageHead, pushButton, reducedMotion } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, readCode } from "../notation.js";
import { asSentence, formatCount, formatDuration, formatNumber, log10 } from "../numbers.js";
import { chooseRules, rulesName } from "../parts/rules.js";
import { strategyChoice } from "../parts/strategy.js";
import { requestView } from "../parts/thinking.js";
import { words } from "../words.js";

/** Time per turn of a running race, in milliseconds. */
const PACE = 1100;
const MAX_LANES = 4;
const USUAL = [engine.DEFAULT_STRATEGY, "random-consistent"];

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  /** @type {{rules: Rules, secret: number[], sealed: string, who: string[]} | null} */
  let show = null;
  /** The requested race; `show` follows when its secret is sealed. A null secret is drawn at random. */
  let wanted = { rules: "", secret: /** @type {string | null} */ (null), who: /** @type {string[]} */ ([]) };
  /** @type {ReturnType<typeof lane>[]} */
  let lanes = [];
  let step = 0;
  let opened = 0;
  /** @type {ReturnType<typeof setInterval> | null} */
  let playing = null;

  const heading = h("h1", {});
  const secretPlace = h("div", { class: "watch-secret" });
  const games = h("div", { class: "watch-games" });
  const place = h("span", { class: "muted watch-place" });
  const control = (
    /** @type {string} */ id,
    /** @type {string} */ name,
    /** @type {string} */ text,
    /** @type {() => void} */ act,
  ) => pushButton({ id, "aria-label": name, title: name, onclick: act }, text);
  const pause = control("auto", words.watch.auto, words.watch.play, () => (playing ? halt() : auto()));
  const controls = h("div", { class: "tools watch-controls", role: "group", "aria-label": words.watch.steps },
    pause,
    control("first", words.watch.first, "|◀", () => move(0)),
    control("back", words.watch.back, "◀", () => move(step - 1)),
    control("next", words.watch.next, "▶", () => move(step + 1)),
    control("last", words.watch.last, "▶|", () => move(Infinity)),
    place,
  );
  const add = pushButton({ onclick: addLane }, words.watch.add);
  root.append(
    pageHead(heading, words.watch.about,
      h("div", { class: "buttons" },
        pushButton({ onclick: another }, words.watch.newSecret),
        pushButton({ onclick: change }, words.watch.change),
      ),
    ),
    h("div", { class: "watch-head" }, secretPlace, controls, add),
    games,
  );

  /** The game of one strategy. @param {Rules} rules @param {number} at @param {string} strategy @param {string} sealed */
  function lane(rules, at, strategy, sealed) {
    /** @type {any[]} */
    const turns = [];
    /** @type {any} */
    let end = null;
    const holder = h("div", { class: "table" });
    const list = board(rules, words.watch.turnsOf(strategy));
    holder.append(list);
    const news = h("div", {});
    const about = h("p", { class: "muted" });
    const bar = h("div", { class: "bar race", "aria-hidden": "true" }, h("i", {}));
    const work = requestView(news);
    const fitting = fitPegs(holder, () => ({ rules }));
    const remove = pushButton(
      {
        class: "quiet icon",
        "aria-label": words.watch.remove(strategy),
        onclick: () => go({ who: wanted.who.filter((_, other) => other !== at) }),
      },
      "✕",
    );
    const element = h("section", { class: "card watch-side", "aria-label": strategy },
      h("div", { class: "lane-head" },
        strategyChoice(rules, words.watch.lane(at + 1), strategy, (name) =>
          go({ who: wanted.who.map((old, other) => (other === at ? name : old)) }),
        ),
        wanted.who.length > 2 ? remove : null,
      ),
      bar,
      holder,
      about,
      news,
    );
    work.run(
      words.thinking.hint,
      (watcher) =>
        engine.watch(
          { rules: rules.rules, strategy, sealed, seed: 1 },
          {
            ...watcher,
            line: ({ turn }) => {
              turns.push(turn);
              redraw();
            },
          },
        ),
      (answer) => {
        end = answer;
        redraw();
      },
    );

    /** @param {number} upTo @param {boolean} fresh */
    function draw(upTo, fresh) {
      const shown = turns.slice(0, upTo);
      fill(
        list,
        shown.map((turn, number) => drawTurn(rules, turn, number + 1, { fresh: fresh && number === upTo - 1 })),
      );
      const done = Boolean(end && upTo >= turns.length);
      const last = shown[shown.length - 1];
      list.classList.toggle("won", done && end.outcome === "solved");
      const before = turns[upTo]?.before ?? null;
      // Progress of the race: the logarithm of the excluded codes.
      const left = done ? 0 : before === null ? (upTo ? 1 : rules.digits) : log10(before);
      bar.style.setProperty("--share", String(1 - Math.min(left / Math.max(rules.digits, 1e-9), 1)));
      if (done) {
        const solved = end.outcome === "solved";
        fill(
          about,
          h("strong", {}, (solved ? words.end.solved : words.end.notSolved)(turns.length)),
          words.watch.looked(formatNumber(end.examined), formatDuration(end.seconds)),
        );
      } else {
        const fit = before === null ? "" : before === 1 ? words.watch.oneFits : words.watch.fit(formatCount(before));
        fill(about, last ? asSentence(last.basis) : words.watch.nothing, " ", fit);
      }
      return done;
    }

    return {
      element,
      draw,
      strategy,
      length: () => turns.length,
      finished: () => end !== null,
      solved: () => end?.outcome === "solved",
      close() {
        work.close();
        fitting.close();
      },
    };
  }

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    halt();
    const named = (next.who ?? "").split(";").filter(Boolean).slice(0, MAX_LANES);
    const others = USUAL.filter((name) => !named.includes(name));
    const who = named.length > 1 ? named : [...named, ...others].slice(0, 2);
    wanted = { rules: next.rules ?? "4x6", secret: next.secret ?? null, who };
    const same = show?.rules.rules === wanted.rules && codeText(show.rules, show.secret) === wanted.secret;
    // Only other rules or another secret need a request.
    if (show?.rules.rules === wanted.rules && (same || show.who.join() !== who.join())) {
      show = { ...show, who };
      draw();
    }
    if (same) return;
    try {
      const rules = show?.rules.rules === wanted.rules ? show.rules : await engine.describe(wanted.rules);
      const given = wanted.secret ? readCode(rules, wanted.secret) : null;
      const drawn = given
        ? await engine.seal(rules.rules, /** @type {number[]} */ (given))
        : await engine.drawSecret(rules.rules, Math.floor(Math.random() * 2 ** 48));
      const { secret } = given
        ? { secret: /** @type {number[]} */ (given) }
        : await engine.reveal(rules.rules, drawn.sealed);
      if (mine !== opened) return;
      show = { rules, secret, sealed: drawn.sealed, who };
      wanted.secret = codeText(rules, secret);
      if (!given) address.replace("watch", state({}));
      draw();
    } catch (error) {
      if (mine === opened) fill(games, errorNotice(error));
    }
  }

  /** @param {Partial<typeof wanted>} changed */
  function state(changed) {
    const { rules, who, secret } = { ...wanted, ...changed };
    return { rules, who: who.join(";"), secret };
  }

  /** @param {Partial<typeof wanted>} changed */
  const go = (changed) => address.go("watch", state(changed));

  function draw() {
    if (!show) return;
    const { rules, secret, sealed, who } = show;
    lanes.forEach((old) => old.close());
    fill(heading, words.watch.title, h("span", { class: "tag" }, rulesName(rules)));
    fill(secretPlace, h("span", { class: "muted" }, words.watch.secret), drawCode(rules, secret));
    lanes = who.map((name, at) => lane(rules, at, name, sealed));
    games.style.setProperty("--lanes", String(lanes.length));
    fill(games, lanes.map((one) => one.element));
    add.disabled = lanes.length >= MAX_LANES;
    step = 0;
    redraw();
    if (!reducedMotion()) auto();
  }

  function addLane() {
    if (!show) return;
    const { who } = wanted;
    const next = ["knuth", "entropy", ...USUAL].find((name) => !who.includes(name));
    go({ who: [...who, next ?? engine.DEFAULT_STRATEGY] });
  }

  const most = () => Math.max(0, ...lanes.map((one) => one.length()));

  /** Returns the lanes with the fewest guesses, when all have finished. */
  function winning() {
    const solved = lanes.every((one) => one.finished()) ? lanes.filter((one) => one.solved()) : [];
    const fewest = Math.min(...solved.map((one) => one.length()));
    return solved.filter((one) => one.length() === fewest);
  }

  /** @param {typeof lanes} winners */
  const winnerText = (winners) => words.watch.winner(winners.map((one) => one.strategy), winners[0].length());

  /** Redraws the current step. @param {boolean} [fresh] */
  function redraw(fresh = false) {
    lanes.forEach((one) => one.draw(Math.min(step, one.length()), fresh && step <= one.length()));
    const winners = step >= most() ? winning() : [];
    lanes.forEach((one) => one.element.classList.toggle("winner", winners.includes(one)));
    fill(place, most() ? words.watch.step(step, most()) : "", winners.length ? [" ", h("strong", { class: "good" }, winnerText(winners))] : null);
    const set = (/** @type {string} */ id, /** @type {boolean} */ off) => {
      const element = controls.querySelector(`#${id}`);
      if (element instanceof HTMLButtonElement) element.disabled = off;
    };
    for (const id of ["first", "back"]) set(id, step === 0);
    for (const id of ["next", "last"]) set(id, step >= most());
    if (playing && step >= most() && lanes.every((one) => one.finished())) halt();
  }

  /** @param {number} to */
  function move(to) {
    const on = to > step;
    const before = step;
    step = Math.min(Math.max(to, 0), most());
    if (step === before && playing) return redraw();
    redraw(on);
    announce(place.textContent ?? "");
  }

  function auto() {
    if (step >= most() && lanes.every((one) => one.finished())) step = 0;
    playing = setInterval(() => move(step + 1), PACE);
    label(words.watch.pause, words.watch.pause);
  }

  function halt() {
    if (playing) clearInterval(playing);
    playing = null;
    label(words.watch.play, words.watch.auto);
  }

  /** @param {string} text @param {string} name */
  function label(text, name) {
    pause.textContent = text;
    pause.title = name;
    pause.setAttribute("aria-label", name);
  }

  function another() {
    if (show) go({ secret: null });
  }

  async function change() {
    if (!show) return;
    const rules = await chooseRules(show.rules, words.watch.which);
    if (rules) go({ rules: rules.rules, secret: null });
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.target instanceof Element && event.target.closest("dialog, input, select, textarea")) return;
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    halt();
    move(step + (event.key === "ArrowRight" ? 1 : -1));
  }

  const leave = () => {
    opened += 1;
    halt();
    lanes.forEach((one) => one.close());
  };
  return keyboardPage(query, update, key, [leave]);
}
