// Play: break a random, a linked or a daily code. The rules of play are in `core`; this page shows them.

import * as address from "../address.js";
import { board, drawTurn, row, spokenCode } from "../board/draw.js";
import { entry } from "../board/entry.js";
import { fitPegs, preferredWidth } from "../board/fit.js";
import { dateOf, numberOf } from "../core/daily.js";
import { defaultLimit, helpCount, status as statusOf, TWO } from "../core/game.js";
import { session } from "../core/session.js";
import { areGames, device, save, saved } from "../device.js";
import { announce, errorNotice, fill, h, keyboardPage, openDialog, pageHead, pushButton } from "../dom.js";
import * as engine from "../engine.js";
import { feedbackWords, turnsText } from "../notation.js";
import { asSentence, formatCount } from "../numbers.js";
import { confirm } from "../parts/confirm.js";
import { hintCard } from "../parts/hint.js";
import { MAX_DOTS, remainingCard } from "../parts/left.js";
import { unreadable } from "../parts/linked.js";
import { counted, listed, position } from "../parts/list.js";
import { raceCard } from "../parts/race.js";
import { rating } from "../parts/rating.js";
import { chooseRules, rulesName } from "../parts/rules.js";
import { share } from "../parts/share.js";
import { requestView, SOON } from "../parts/thinking.js";
import { headline, winningCard } from "../parts/winning.js";
import { tone } from "../sound.js";
import { words } from "../words.js";

/** @typedef {import("../core/session.js").Opened} Opened */
/** Help that stays on display. @typedef {"count" | "list" | "rating"} Display */

/** Width of a rating beside a row, and minimum width of the board for it, in pixels. */
const RATED = 132;
const ROOM_FOR_RATING = 460;
/** Number of rows that are visible together. */
const ROWS = 10;

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  const games = session({ engine, device, today: dateOf, random: Math.random });
  /** The board on display; `opened` is null until its code is dealt. @type {{rules: Rules, limit: number | null, opened: Opened | null} | null} */
  let view = null;
  /** @type {ReturnType<typeof entry> | null} */
  let guess = null;
  /** Address of the position. */
  let here = "";
  /** Number of positions opened. */
  let visit = 0;
  /** Value of `visit` when the pending guess was submitted. */
  let judging = 0;
  /** Value of `visit` when a guess was entered before its code was dealt. */
  let early = 0;
  /** @type {Set<Display>} */
  let displays = new Set();
  /** Ratings of the first turns. @type {any[]} */
  let verdicts = [];
  /** Cancels the requests of the current game. */
  let ending = new AbortController();
  /** Cancels the game of the rival. */
  let racing = new AbortController();

  const heading = h("h1", {});
  const about = h("p", { class: "muted about" });
  const turns = h("div", { class: "table" });
  const status = h("div", { class: "status" });
  const left = remainingCard({ use, list: () => display("list") });
  const remainingPlace = h("div", {});
  /** The rival's card, and the game that it belongs to. @type {{id: string, shown: ReturnType<typeof raceCard>} | null} */
  let race = null;
  const racePlace = h("div", {});
  const advice = h("div", {});
  const note = h("p", { class: "note", "aria-live": "polite" });
  const palette = h("div", {});
  const tools = h("div", { class: "tools" });
  const dock = h("div", { class: "dock" }, advice, note, palette, tools);
  const columns = h("div", { class: "columns" },
    turns,
    h("aside", { "aria-label": words.play.about }, status, racePlace, remainingPlace),
    dock,
  );
  const hints = requestView(advice);
  root.append(pageHead(heading, about, pushButton({ onclick: newGame }, words.play.newGame)), columns);
  const fitting = fitPegs(turns, () => {
    if (!view) return null;
    const room = turns.clientWidth >= ROOM_FOR_RATING;
    turns.classList.toggle("narrow", !room);
    return { rules: view.rules, rated: displays.has("rating") && room ? RATED : 0, rows: Math.min(view.limit ?? ROWS, ROWS) };
  });

  const played = () => view?.opened?.turns ?? [];
  const ended = () => view?.opened && statusOf(view.opened.game) !== "running";

  /** @param {Query} next */
  async function update(next) {
    const mine = restart();
    here = location.hash;
    turns.setAttribute("aria-busy", "true");
    try {
      const found = await games.find(next);
      if (mine !== visit) return;
      if (found.kind === "problem") throw problem(found);
      if (found.kind === "opened") return show(found.opened);
      // A new game is shown at once; its code arrives later.
      view = { rules: found.rules, limit: found.limit, opened: null };
      guess = null;
      displays.clear();
      draw(-1);
      const dealt = await slow(games.deal(found.rules, found.limit, { list: listed(found.rules) }));
      if (mine === visit) show(dealt);
    } catch (error) {
      if (mine !== visit) return;
      turns.removeAttribute("aria-busy");
      view = guess = null;
      fill(heading, words.play.title);
      const refused = /** @type {any} */ (error).code === "bad-seal" ? unreadable() : error;
      for (const place of [about, tools, palette, note, status, racePlace, remainingPlace]) fill(place);
      fill(turns, errorNotice(refused), h("a", { class: "button", href: "#play" }, words.play.begin));
    }
  }

  /** Says that the engine is slow. @template T @param {Promise<T>} work @returns {Promise<T>} */
  function slow(work) {
    const late = setTimeout(() => fill(note, words.engine.slow), SOON);
    return work.finally(() => {
      clearTimeout(late);
      fill(note);
    });
  }

  /** Cancels all requests, and returns the number of the next position. */
  function restart() {
    hints.close();
    ending.abort();
    ending = new AbortController();
    return (visit += 1);
  }

  /** @param {Opened} opened */
  function show(opened) {
    turns.removeAttribute("aria-busy");
    // The event of another address is on its way.
    if (location.hash !== here) return;
    const { rules, game, id, sealed, turns: now } = opened;
    const old = view?.opened;
    const same = old?.id === id;
    const fresh = !old && view?.rules === rules && !now.length;
    if (!same) displays = new Set(/** @type {Display[]} */ (["count", "rating"]).filter((kind) => game.help.includes(`${kind} ${now.length}`)));
    verdicts = same ? verdicts.slice(0, now.length) : [];
    if (!same || old?.turns.length !== now.length || statusOf(game) !== "running") {
      if (!fresh) guess = null;
      fill(advice);
    }
    view = { rules, limit: game.limit, opened };
    const guesses = game.guesses.join(";");
    address.replace("play", game.day ? { rules: rules.rules, day: game.day } : { rules: rules.rules, sealed, guesses });
    here = location.hash;
    if (race?.id !== id) {
      racing.abort();
      racing = new AbortController();
      race = game.rival && game.rival !== TWO ? { id, shown: raceCard(rules, game.rival, sealed, racing.signal) } : null;
      fill(racePlace, race?.shown.element);
    }
    draw(same ? (old?.turns.length ?? 0) : -1);
    if (fresh && early === visit) submit();
  }

  /** Shows the stored game again, after an action here or in another tab. */
  async function reopen() {
    const old = view?.opened;
    if (!old) return;
    const mine = restart();
    const opened = await games.read(old.rules, old.id, old.sealed);
    if (mine === visit) show(opened);
  }

  /** @param {number} before Number of turns shown before; -1 for another game. */
  function draw(before) {
    if (!view) return;
    const { rules } = view;
    const now = played();
    root.style.setProperty("--board", `${preferredWidth(rules, displays.has("rating") ? RATED : 0)}px`);
    drawHeading();
    fill(about, words.rules.about(rules.cells, rules.colors, rules.repeats, formatCount(rules.codes)));
    const list = board(rules, words.play.table);
    list.append(
      ...now.map((turn, at) =>
        drawTurn(rules, turn, at + 1, {
          fresh: before >= 0 && at >= before,
          rated: displays.has("rating") && verdicts[at] ? rating(verdicts[at]) : null,
        }),
      ),
    );
    fill(turns, list);
    fill(status);
    fill(note);
    race?.shown.show({ played: now.length, won: false, secret: null });
    if (before >= 0 && now.length > before) tone(view.opened?.game.won ? "won" : "turn");
    if (ended()) finish(list, before >= 0);
    else {
      const value = draft();
      guess ??= entry(rules, { value, submit, change: changed });
      list.append(row(now.length + 1, " now", guess.element));
      fill(palette, guess.palette);
      if (before >= 0 && before !== now.length) guess.focus();
    }
    fitting.fit();
    if (now.length) list.querySelector(".now")?.scrollIntoView({ block: "nearest" });
    drawTools();
    count();
    rate();
  }

  function drawHeading() {
    if (!view) return;
    const { rules, limit, opened } = view;
    const day = opened?.game.day;
    const number = played().length + 1;
    fill(
      heading,
      day ? words.daily.name(numberOf(day) ?? 0) : rulesName(rules),
      ended() ? null : h("span", { class: "tag" }, limit === null ? words.play.turn(number) : words.play.turnOf(number, limit)),
      opened?.game.rival === TWO && !ended() ? h("span", { class: "tag" }, words.race.turnOf(1 + (played().length % 2))) : null,
      opened?.game.origin === "linked" ? h("span", { class: "tag" }, words.play.linked) : null,
      opened?.game.help.length ? h("span", { class: "tag" }, words.play.helped(helpText(opened))) : null,
    );
  }

  /** Returns the pegs that were placed when this position was left. */
  function draft() {
    const { id = "", cells = [] } = saved("draft", /** @type {{id?: string, cells?: number[]}} */ ({}));
    const fits = view?.opened && id === `${view.opened.id} ${played().length}` && cells.length === view.rules.cells;
    return fits && cells.every((color) => Number.isInteger(color) && color >= 0 && color <= (view?.rules.colors ?? 0)) ? cells : undefined;
  }

  function changed() {
    fill(note);
    if (view?.opened) save("draft", { id: `${view.opened.id} ${played().length}`, cells: guess?.value() });
  }

  /** @param {HTMLElement} list @param {boolean} live The game ended on this page. */
  function finish(list, live) {
    const { rules, game, sealed, turns: now } = /** @type {Opened} */ (view?.opened);
    guess = null;
    fill(palette);
    if (game.won) list.classList.add("won");
    const { signal } = ending;
    const end = (/** @type {number[]} */ secret) => {
      if (signal.aborted) return;
      race?.shown.show({ played: now.length, won: game.won, secret });
      const card = winningCard({ rules, turns: now, secret, game, again, race: race?.shown.verdict }, signal);
      if (!live) return fill(status, card);
      announce(`${headline(game, now.length)}.`);
      const close = pushButton({ class: "quiet icon close", "aria-label": words.close, onclick: () => sheet.close() }, "✕");
      const onclose = () => signal.aborted || (fill(status, card), card.focus());
      const sheet = openDialog({ class: "sheet", "aria-label": words.end.sheet, onclose }, close, card);
      card.focus();
    };
    if (game.won) return end(/** @type {number[]} */ (now[now.length - 1].guess));
    engine.reveal(rules.rules, sealed).then(
      ({ secret }) => end(secret),
      (error) => signal.aborted || fill(status, errorNotice(error)),
    );
  }

  function drawTools() {
    if (!view || ended()) return fill(tools);
    const { opened } = view;
    const line = () =>
      `pegwise/1 break ${view?.rules.rules} ${turnsText(/** @type {Rules} */ (view?.rules), played()).replaceAll(";", " ")} sealed:${opened?.sealed}`;
    const toggle = (/** @type {Display} */ kind, /** @type {string} */ name) =>
      pushButton({ class: "quiet needs-code", "aria-pressed": String(displays.has(kind)), onclick: () => display(kind) }, name);
    fill(
      tools,
      pushButton({ class: "primary", id: "guess", onclick: submit }, words.play.guess),
      pushButton({ id: "hint", onclick: askHint }, words.play.hint, h("kbd", {}, "?")),
      opened?.game.day ? null : pushButton({ id: "undo", onclick: undo, disabled: !played().length }, words.play.undo),
      pushButton({ class: "icon menu-button", popovertarget: "actions", "aria-label": words.play.more }, "⋯"),
      h("div", { class: "menu", id: "actions", popover: "auto", onclick: () => /** @type {HTMLElement | null} */ (tools.querySelector(":popover-open"))?.hidePopover() },
        toggle("count", words.play.count),
        toggle("rating", words.play.rate),
        opened?.game.day ? null : pushButton({ class: "quiet needs-code", onclick: () => share(tools, line().replace(/ +/g, " ")) }, words.play.share),
        pushButton({ class: "quiet needs-code", onclick: giveUp }, words.play.giveUp),
      ),
    );
    refresh();
  }

  /** Shows or hides a kind of help. @param {Display} kind */
  function display(kind) {
    if (!view?.opened) return;
    if (!displays.delete(kind)) displays.add(kind);
    draw(played().length);
    if (kind !== "list") /** @type {HTMLElement | undefined} */ ([...tools.querySelectorAll("[aria-pressed]")].at(kind === "count" ? 0 : 1))?.focus();
  }

  /** Stores that help was shown. @param {Opened} opened @param {Display | "hint"} kind */
  function helped(opened, kind) {
    games.help(opened, kind);
    opened.game = games.store().games[opened.id] ?? opened.game;
    drawHeading();
  }

  /** Rates the guesses so far. */
  async function rate() {
    const opened = view?.opened;
    if (!opened || !displays.has("rating") || !opened.turns.length || ended() || verdicts.length === opened.turns.length) return;
    const { rules, turns: now } = opened;
    const mine = visit;
    try {
      const { analysis } = await engine.analyze(position(rules, now), { signal: ending.signal });
      if (mine !== visit || !analysis) return;
      helped(opened, "rating");
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
      if (button.matches("#guess")) button.disabled = judging === visit || !view?.opened;
      else if (button.matches(".needs-code")) button.disabled = !view?.opened;
  }

  /** Counts the possible codes if the player asked for it. */
  async function count() {
    const opened = view?.opened;
    if (ended()) return fill(remainingPlace);
    if (!played().length) fill(remainingPlace, welcome());
    else if (!displays.has("count")) fill(remainingPlace);
    if (opened && played().length) announce(`${feedbackWords(opened.rules, played()[played().length - 1].feedback)}.`);
    if (!opened || !displays.has("count")) return;
    const { rules, turns: now } = opened;
    const mine = visit;
    try {
      const answer = await engine.remaining({ ...position(rules, now), list: MAX_DOTS }, ending.signal);
      if (mine !== visit) return;
      helped(opened, "count");
      if (displays.has("list")) helped(opened, "list");
      left.show(counted(rules), now, answer, displays.has("list"));
      fill(remainingPlace, left.element);
      if (answer.remaining !== null) announce(words.play.left(formatCount(answer.remaining)));
    } catch (error) {
      if (mine === visit && !ending.signal.aborted) fill(remainingPlace, errorNotice(error));
    }
  }

  function welcome() {
    if (!view) return null;
    const { rules, opened } = view;
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
        opened?.game.day ? null : key("Ctrl Z", words.play.keyUndo),
      ),
      opened?.game.day ? h("p", { class: "muted" }, words.daily.noUndo) : null,
    );
  }

  async function submit() {
    const opened = view?.opened;
    if (!guess || judging === visit) return;
    if (!guess.isFull()) {
      guess.selectEmpty();
      return fill(note, words.play.fillFirst);
    }
    if (!opened) {
      early = visit;
      return;
    }
    const code = /** @type {number[]} */ (guess.value());
    const mine = (judging = visit);
    refresh();
    try {
      await slow(games.guess(opened, code));
      if (opened.id === view?.opened?.id) await reopen();
    } catch (error) {
      if (mine === visit) fill(status, errorNotice(error));
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
    const opened = view?.opened;
    if (!opened || ended()) return;
    const { rules, turns: now } = opened;
    hints.run(
      words.thinking.hint,
      (watcher) => engine.hint({ ...position(rules, now), alternatives: 5 }, watcher),
      ({ hint }) => {
        if (!hint) return;
        helped(opened, "hint");
        fill(advice, hintCard(rules, hint, use, left.point));
        announce(`${words.play.hintIs(spokenCode(rules, hint.guess))} ${asSentence(hint.why)}`);
      },
    );
  }

  function undo() {
    const opened = view?.opened;
    if (!opened?.turns.length || opened.game.day || ended()) return;
    games.undo(opened);
    reopen();
  }

  async function giveUp() {
    const opened = view?.opened;
    if (!opened || !(await confirm(words.play.givingUp, words.play.giveUp, words.play.keepPlaying))) return;
    games.giveUp(opened);
    if (opened.id === view?.opened?.id) reopen();
  }

  const again = () => view && deal(view.rules, view.limit, view.opened?.game.rival);

  async function newGame() {
    const chosen = await chooseRules(view?.rules ?? (await engine.describe("4x6")), words.rules.title, { game: true });
    if (chosen) deal(chosen, chosen.unlimited ? chosen.max_guesses : defaultLimit(chosen), chosen.rival);
  }

  /** Opens a new game, with an entry of its own in the history. @param {Rules} rules @param {number | null} limit @param {string} [rival] */
  async function deal(rules, limit, rival) {
    const mine = restart();
    try {
      const dealt = await games.deal(rules, limit, { rival, list: listed(rules) });
      if (mine === visit) address.go("play", { rules: rules.rules, sealed: dealt.sealed });
    } catch (error) {
      if (mine === visit) fill(status, errorNotice(error));
    }
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

  /** @param {StorageEvent} event */
  const stored = (event) => areGames(event) && reopen();
  addEventListener("storage", stored);
  const leave = () => {
    visit += 1;
    view = null;
    ending.abort();
    racing.abort();
    removeEventListener("storage", stored);
  };
  return keyboardPage(query, update, key, [leave, hints.close, left.close, fitting.close]);
}

/** Describes the help used in a game. @param {Opened} opened */
const helpText = ({ game }) =>
  Object.entries(words.play.helps)
    .map(([kind, name]) => ({ name, uses: helpCount(game, kind) }))
    .filter(({ uses }) => uses)
    .map(({ name, uses }) => (uses === 1 ? name : `${name} × ${uses}`))
    .join(", ");

/** Returns the error for an address. @param {{problem: string, text: string, rules: Rules}} found */
function problem({ problem: kind, text, rules }) {
  if (kind === "turn") return unreadable(words.play.unreadableTurn(text, rules.rules));
  if (kind === "day") return { message: words.daily.noDay(text), hint: words.daily.noDayHint };
  if (kind === "lies") return { message: words.rules.lies };
  if (kind === "future") return { message: words.daily.future(text), hint: words.daily.futureHint };
  return { message: words.play.noCode, hint: words.play.noCodeHint };
}
