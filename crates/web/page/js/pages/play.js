// Play: break a random or a daily code.

import * as address from "../address.js";
import { board, drawTurn, emptyRows, row, spokenCode } from "../board/draw.js";
import { entry } from "../board/entry.js";
import { fitPegs, preferredWidth } from "../board/fit.js";
import { save, saved } from "../device.js";
import { announce, errorNotice, fill, h, keyboardPage, pageHead, pushButton } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, feedbackWords, isWinning, readCode, turnsText } from "../notation.js";
import { asSentence, formatCount } from "../numbers.js";
import { confirm } from "../parts/confirm.js";
import { hintCard } from "../parts/hint.js";
import { MAX_DOTS, remainingCard } from "../parts/left.js";
import { linkedTurns, unreadable } from "../parts/linked.js";
import { rating } from "../parts/rating.js";
import { chooseRules, rulesName } from "../parts/rules.js";
import { share } from "../parts/share.js";
import { requestView } from "../parts/thinking.js";
import { winningCard } from "../parts/winning.js";
import * as record from "../record.js";
import { words } from "../words.js";

/** @typedef {{rules: Rules, sealed: string, turns: Turn[], secret: number[] | null, day: string | null, helped: boolean}} Game */

/** Width of a rating beside a row, and minimum width of the board for it, in pixels. */
const RATED = 132;
const ROOM_FOR_RATING = 460;

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  /** @type {Game | null} */
  let game = null;
  /** @type {ReturnType<typeof entry> | null} */
  let guess = null;
  let opened = 0;
  /** Value of `opened` when the pending guess was submitted. */
  let judging = 0;
  let rated = Boolean(saved("rate", false));
  /** Ratings of the first turns. @type {any[]} */
  let verdicts = [];
  /** Cancels the requests of the current game. */
  let ending = new AbortController();

  const heading = h("h1", {});
  const about = h("p", { class: "muted" });
  const turns = h("div", { class: "table" });
  const status = h("div", { class: "status" });
  const left = remainingCard({ use });
  const remainingPlace = h("div", {});
  const advice = h("div", {});
  const tools = h("div", { class: "tools" });
  const columns = h("div", { class: "columns" },
    h("div", {}, turns, tools),
    h("aside", { "aria-label": words.play.about }, status, advice, remainingPlace),
  );
  const hints = requestView(advice);
  root.append(pageHead(heading, about, pushButton({ onclick: newGame }, words.play.newGame)), columns);
  const fitting = fitPegs(turns, () => {
    if (!game) return null;
    const room = turns.clientWidth >= ROOM_FOR_RATING;
    turns.classList.toggle("narrow", !room);
    return { rules: game.rules, rated: rated && room ? RATED : 0 };
  });

  const lastTurn = () => game?.turns[game.turns.length - 1];
  const solved = () => game !== null && game.turns.length > 0 && isWinning(game.rules, lastTurn()?.feedback ?? []);
  const outOfGuesses = () =>
    game !== null && game.rules.max_guesses !== null && game.turns.length >= game.rules.max_guesses;
  const over = () => game !== null && (game.secret !== null || solved() || outOfGuesses());

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    const here = location.hash;
    hints.close();
    ending.abort();
    ending = new AbortController();
    try {
      const rules =
        game?.rules.rules === (next.rules ?? "4x6") ? game.rules : await engine.describe(next.rules ?? "4x6");
      const seed = next.day ? record.seedOf(next.day) : null;
      const day = seed === null ? null : next.day;
      const drawn = seed ?? Math.floor(Math.random() * 2 ** 48);
      if (mine !== opened) return;
      // A new game is shown at once; its secret arrives later.
      const fresh = !next.sealed && !day && !next.turns && !next.secret;
      const known = !day ? next.sealed : game?.day === day && game.rules === rules ? game.sealed : "";
      const dealt = known ? null : engine.drawSecret(rules.rules, drawn);
      const sealed = known || (fresh ? "" : ((await dealt)?.sealed ?? ""));
      if (mine !== opened) return;
      const read = linkedTurns(rules, next);
      const secret = next.secret ? readCode(rules, next.secret) : null;
      if (next.secret && (!secret || secret.includes(null))) throw unreadable();
      if (next.sealed && !day && next.sealed !== game?.sealed) await opens(rules, next.sealed);
      if (mine !== opened) return;
      const same = game?.sealed === sealed && game.rules === rules;
      const before = same ? (game?.turns.length ?? -1) : -1;
      game = {
        rules,
        sealed,
        turns: read,
        secret: /** @type {number[] | null} */ (secret),
        day,
        helped: Boolean(next.helped),
      };
      verdicts = same ? verdicts.slice(0, read.length) : [];
      if (!next.sealed && !day && !fresh) address.replace("play", state());
      draw(before);
      if (!fresh) return;
      const code = await dealt;
      if (mine !== opened || !game) return;
      game.sealed = code?.sealed ?? "";
      // The player may have left the page.
      if (location.hash === here) address.replace("play", state());
      refresh();
    } catch (error) {
      if (mine !== opened) return;
      game = null;
      guess = null;
      fill(heading, words.play.title);
      fill(about);
      fill(tools);
      fill(status);
      fill(remainingPlace);
      fill(turns, errorNotice(error), h("a", { class: "button", href: "#play?rules=4x6" }, words.play.begin));
    }
  }

  /** Throws if a seal is invalid. @param {Rules} rules @param {string} sealed */
  async function opens(rules, sealed) {
    await engine.reveal(rules.rules, sealed).catch((error) => {
      throw error.code === "bad-seal" ? unreadable() : error;
    });
  }

  /** Returns the query of the address. @param {Partial<Game>} [change] */
  function state(change = {}) {
    if (!game) return {};
    const now = { ...game, ...change };
    return {
      rules: now.rules.rules,
      day: now.day,
      sealed: now.day ? null : now.sealed,
      turns: turnsText(now.rules, now.turns),
      secret: now.secret && codeText(now.rules, now.secret),
      helped: now.helped ? 1 : null,
    };
  }

  /** @param {number} before Number of turns shown before; -1 for another game. */
  function draw(before) {
    if (!game) return;
    const { rules, day } = game;
    columns.style.setProperty("--board", `${preferredWidth(rules, rated ? RATED : 0)}px`);
    fill(heading, rulesName(rules), day ? h("span", { class: "tag" }, words.daily.of(day)) : null);
    fill(about, words.rules.about(rules.cells, rules.colors, rules.repeats, formatCount(rules.codes)));
    const list = board(rules, words.play.table);
    list.append(
      ...game.turns.map((turn, at) =>
        drawTurn(rules, turn, at + 1, {
          fresh: before >= 0 && at >= before,
          rated: rated && verdicts[at] ? rating(verdicts[at]) : null,
        }),
      ),
    );
    if (over()) finish(list);
    else if (!guess || before !== game.turns.length) guess = entry(rules, { submit, change: () => refresh() });
    fill(turns, list);
    if (guess && !over()) {
      list.append(row(game.turns.length + 1, " now", guess.element));
      list.append(...emptyRows(rules, game.turns.length + 1));
      turns.append(guess.palette);
      if (before >= 0) guess.focus();
    }
    fitting.fit();
    if (!over()) fill(status);
    fill(advice);
    drawTools();
    refresh();
    keepDay();
    count();
    rate();
  }

  /** Saves a daily game. */
  function keepDay() {
    if (!game?.day || game.day > record.today()) return;
    const { rules, day, helped, turns: played } = game;
    const known = record.daily(day, rules.rules);
    const text = turnsText(rules, played);
    // A solved game, or a longer one, is not overwritten.
    if (known?.guesses || (known && text.length < known.turns.length)) return;
    if (played.length || game.secret)
      record.keepDaily(day, rules.rules, { guesses: solved() ? played.length : null, turns: text, helped });
  }

  /** @param {HTMLElement} list */
  function finish(list) {
    guess = null;
    if (!game) return;
    const { rules, turns: played, sealed, day, helped } = game;
    const { signal } = ending;
    const end = (/** @type {number[]} */ secret) =>
      fill(status, winningCard({ rules, turns: played, secret, solved: solved(), day, helped, again }, signal));
    if (solved()) {
      list.classList.add("won");
      record.finish(sealed, rules.rules, played.length);
      announce(`${words.end.solved(played.length)}.`);
      return end(/** @type {number[]} */ (lastTurn()?.guess));
    }
    if (game.secret) return end(game.secret);
    engine.reveal(rules.rules, sealed).then(
      ({ secret }) => signal.aborted || end(secret),
      (error) => fill(status, errorNotice(error)),
    );
  }

  function drawTools() {
    if (!game) return;
    if (over()) return fill(tools);
    const { rules, turns: played, day } = game;
    const line = () =>
      `pegwise/1 break ${rules.rules} ${turnsText(rules, played).replaceAll(";", " ")} sealed:${game?.sealed}`;
    fill(
      tools,
      pushButton({ class: "primary", id: "guess", onclick: submit }, words.play.guess),
      pushButton({ id: "hint", onclick: askHint }, words.play.hint, h("kbd", {}, "?")),
      day
        ? null
        : pushButton({ id: "undo", onclick: undo, disabled: played.length === 0 }, words.play.undo),
      pushButton({ class: "quiet needs-code", onclick: giveUp }, words.play.giveUp),
      pushButton(
        { class: "quiet needs-code", onclick: () => share(tools, line().replace(/ +/g, " ")) },
        words.play.share,
      ),
      h("label", { class: "field check" },
        h("input", { type: "checkbox", checked: rated, onchange: switchRating }),
        h("span", {}, words.play.rate),
      ),
    );
  }

  function switchRating() {
    rated = !rated;
    save("rate", rated);
    if (game) draw(game.turns.length);
  }

  /** Rates the guesses so far. */
  async function rate() {
    if (!game || !rated || !game.turns.length || verdicts.length === game.turns.length) return;
    const { rules, turns: played } = game;
    const mine = opened;
    try {
      const { analysis } = await engine.analyze({ rules: rules.rules, turns: played }, { signal: ending.signal });
      if (mine !== opened || !analysis) return;
      verdicts = analysis.turns;
      turns.querySelectorAll(".board > .turn:not(.now, .later)").forEach((shown, at) => {
        shown.querySelector(".rated")?.remove();
        if (verdicts[at])
          shown.querySelector(".turn-body")?.after(h("div", { class: "rated", role: "cell" }, rating(verdicts[at])));
      });
    } catch {
      // Ratings are optional.
    }
  }

  function refresh() {
    for (const button of tools.querySelectorAll("button"))
      if (button.matches("#guess")) button.disabled = judging === opened || !game?.sealed || !guess?.isFull();
      else if (button.matches(".needs-code")) button.disabled = !game?.sealed;
  }

  async function count() {
    if (!game || over()) return fill(remainingPlace);
    const { rules, turns: played } = game;
    const mine = opened;
    if (played.length === 0) fill(remainingPlace, welcome());
    try {
      const answer = await engine.remaining({ rules: rules.rules, turns: played, list: MAX_DOTS }, ending.signal);
      if (mine !== opened) return;
      left.show(rules, played, answer);
      if (played.length) {
        fill(remainingPlace, left.element);
        const remaining = answer.remaining === null ? null : formatCount(answer.remaining);
        announce(words.play.answered(feedbackWords(rules, played[played.length - 1].feedback), remaining));
      }
    } catch (error) {
      if (mine === opened && !ending.signal.aborted) fill(remainingPlace, errorNotice(error));
    }
  }

  function welcome() {
    if (!game) return null;
    const { rules, day } = game;
    const keys =
      rules.colors <= 9 || rules.in_digits ? words.play.numberKeys : rules.colors <= 26 ? words.play.letterKeys : words.play.numbers;
    const key = (/** @type {string} */ name, /** @type {string} */ what) => h("span", {}, h("kbd", {}, name), what);
    return h("div", { class: "card quietly" },
      h("p", {}, words.play.hidden(rules.cells, keys)),
      rules.number_names.join() === "black,white"
        ? h("p", { class: "legend muted" },
            h("span", {}, h("i", { class: "key black" }), words.play.black),
            h("span", {}, h("i", { class: "key white" }), words.play.white),
          )
        : null,
      h("p", { class: "legend muted keyboard" },
        key("Enter", words.play.keyGuess),
        key("?", words.play.keyHint),
        day ? null : key("Ctrl Z", words.play.keyUndo),
      ),
      day ? h("p", { class: "muted" }, words.daily.noUndo) : null,
    );
  }

  async function submit() {
    if (!game?.sealed || !guess || judging === opened) return;
    if (!guess.isFull()) return announce(words.play.fillFirst);
    const code = /** @type {number[]} */ (guess.value());
    const { rules, sealed, turns: played } = game;
    const mine = (judging = opened);
    refresh();
    try {
      const { feedback } = await engine.score(rules.rules, code, sealed);
      // Ignores the answer to an old position.
      if (mine === opened) address.go("play", state({ turns: [...played, { guess: code, feedback }] }));
    } catch (error) {
      if (mine === opened) fill(status, errorNotice(error));
    }
    if (mine === judging) judging = 0;
    refresh();
  }

  /** @param {number[]} code */
  function use(code) {
    guess?.fill(code);
    guess?.focus();
  }

  function askHint() {
    if (!game || over()) return;
    const { rules, turns: played } = game;
    hints.run(
      words.thinking.hint,
      (watcher) => engine.hint({ rules: rules.rules, turns: played, alternatives: 5 }, watcher),
      ({ hint }) => {
        if (!hint || !game) return;
        game.helped = true;
        fill(advice, hintCard(rules, hint, use, left.point));
        announce(`${words.play.hintIs(spokenCode(rules, hint.guess))} ${asSentence(hint.why)}`);
      },
    );
  }

  function undo() {
    if (game?.turns.length && !game.day && !over()) address.go("play", state({ turns: game.turns.slice(0, -1) }));
  }

  async function giveUp() {
    if (!game) return;
    const { rules, sealed } = game;
    const mine = opened;
    if (!(await confirm(words.play.givingUp, words.play.giveUp, words.play.keepPlaying))) return;
    const { secret } = await engine.reveal(rules.rules, sealed);
    if (mine === opened) address.go("play", state({ secret }));
  }

  const again = () => game && address.go("play", { rules: game.rules.rules });

  async function newGame() {
    if (!game) return address.go("play", { rules: "4x6" });
    const rules = await chooseRules(game.rules, words.rules.title);
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

  const leave = () => {
    opened += 1;
    ending.abort();
  };
  return keyboardPage(query, update, key, [leave, hints.close, left.close, fitting.close]);
}
