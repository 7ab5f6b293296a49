// Daily: numbered puzzles, the same for everyone, with streaks, statistics and an archive.

import * as address from "../address.js";
import { DAILY, dateOf, dayOf, distribution, numberOf, secondsLeft, seedOf, streaks } from "../core/daily.js";
import { dailyId, EMPTY, status } from "../core/game.js";
import { session } from "../core/session.js";
import { ASIDE, format, keep, load, merge } from "../core/store.js";
import { areGames, device, isKept } from "../device.js";
import { announce, fill, h, pageHead, pushButton } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, turnsText } from "../notation.js";
import { formatNumber } from "../numbers.js";
import { rulesTitle } from "../parts/rules.js";
import { words } from "../words.js";

/** Number of days in the archive. */
const ARCHIVE = 60;
/** Maximum number of past games that are listed. */
const PAST = 30;
/** Interval in which the countdown is drawn, in milliseconds. */
const TICK = 15_000;

/** @param {HTMLElement} root @returns {Page} */
export function open(root) {
  const place = h("div", { class: "daily-page" });
  root.append(pageHead(words.daily.title, words.daily.about), place);
  let drawn = "";

  function update() {
    const now = new Date();
    const today = dateOf(now);
    const store = load(device, today);
    const left = secondsLeft(now);
    const countdown = words.daily.next(Math.floor(left / 3600), Math.floor((left % 3600) / 60));
    // Nothing is drawn while nothing changes, so that the focus stays.
    if (drawn === today + countdown + JSON.stringify(store)) return;
    drawn = today + countdown + JSON.stringify(store);
    const games = Object.values(store.games);
    const { current, longest, solved } = streaks(games, today);
    const figure = (/** @type {string} */ name, /** @type {number | string} */ value) =>
      h("div", { class: "streak" }, h("b", {}, value), h("span", { class: "muted" }, name));
    const boards = [...new Set([...DAILY, ...games.map(({ rules }) => rules)])];
    const charts = boards.map((rules) => statistics(rules, games.filter((game) => game.rules === rules))).filter(Boolean);
    const newest = numberOf(today) ?? 0;
    fill(
      place,
      isKept() ? null : h("p", { class: "notice" }, words.daily.notKept),
      device.get(ASIDE) ? h("p", { class: "notice bad" }, words.daily.unreadable) : null,
      h("div", { class: "dailies" }, DAILY.map((rules, at) => puzzle(store, rules, today, words.daily.levels[at]))),
      h("p", { class: "muted" }, countdown),
      h("div", { class: "streaks" },
        figure(words.daily.streak, current),
        figure(words.daily.longest, longest),
        figure(words.daily.solvedDays, solved),
      ),
      h("div", { class: "histograms" },
        charts.length ? charts : h("section", { class: "card quietly" }, h("h2", {}, words.daily.histogram), h("p", {}, words.daily.nothing)),
      ),
      h("section", { class: "card archive", "aria-label": words.daily.archive },
        h("h2", {}, words.daily.archive),
        DAILY.map((rules) => [
          h("h3", {}, rulesTitle(rules)),
          h("ol", {},
            Array.from({ length: Math.min(ARCHIVE, newest - 1) }, (_, at) => newest - 1 - at).map((number) => {
              const game = store.games[dailyId(rules, dayOf(number))];
              const state = game && (status(game) !== "running" || game.guesses.length) ? status(game) : "unplayed";
              return h("li", {},
                h("a", { class: state, href: address.write("play", { rules, day: dayOf(number) }), "aria-label": words.daily.puzzle(number, dayOf(number), words.daily.states[state]) },
                  number,
                  h("span", { "aria-hidden": "true" }, { won: "✓", lost: "✗", running: "…", unplayed: "" }[state]),
                ),
              );
            }),
          ),
        ]).flat(),
      ),
      past(store),
    );
  }

  /** Lists the last games, and keeps them in a file. @param {typeof EMPTY} store */
  function past(store) {
    const games = Object.entries(store.games).filter(([, game]) => game.guesses.length || game.gaveUp).slice(-PAST).reverse();
    const file = h("input", { type: "file", accept: ".json", onchange: () => file.files?.[0]?.text().then(add) });
    const add = (/** @type {string} */ text) => {
      const merged = merge(load(device, dateOf()), text);
      if (merged) keep(device, merged, dateOf());
      update();
      const said = merged ? words.past.imported(Object.keys(merged.games).length - Object.keys(store.games).length) : words.past.unreadable;
      announce(said);
      place.querySelector(".past")?.append(h("p", { class: merged ? "good" : "poor" }, said));
    };
    const href = (/** @type {import("../core/game.js").Game} */ { rules, day, sealed }) => address.write("play", day ? { rules, day } : { rules, sealed });
    return h("section", { class: "card past", "aria-label": words.past.title },
      h("h2", {}, words.past.title),
      h("ol", {},
        games.map(([id, game]) =>
          h("li", {},
            h("a", { href: href(game) }, game.day ? words.daily.name(numberOf(game.day) ?? 0) : rulesTitle(game.rules)),
            " ",
            h("span", { class: "muted" }, [words.daily.states[status(game)], words.guesses(game.guesses.length), game.help.length ? words.end.helped : ""].filter(Boolean).join(", ")),
            status(game) !== "running" && game.guesses.length ? pushButton({ class: "small", onclick: () => analyze(id, game) }, words.solve.analyze) : null,
          ),
        ),
      ),
      h("div", { class: "buttons" },
        pushButton({ onclick: () => download(format(load(device, dateOf()))) }, words.past.export),
        h("label", { class: "button" }, words.past.import, file),
      ),
    );
  }

  /** Opens a finished game on the page Analyze. @param {string} id @param {import("../core/game.js").Game} game */
  async function analyze(id, { rules: name, sealed, day }) {
    const rules = await engine.describe(name);
    const seal = sealed || (await engine.drawSecret(name, seedOf(day))).sealed;
    const [{ turns }, { secret }] = await Promise.all([session({ engine, device, today: dateOf, random: Math.random }).read(rules, id, seal), engine.reveal(name, seal)]);
    address.go("analyze", { rules: name, turns: turnsText(rules, turns), secret: codeText(rules, secret) });
  }

  const stored = (/** @type {StorageEvent} */ event) => areGames(event) && update();
  addEventListener("storage", stored);
  const timer = setInterval(update, TICK);
  update();
  return {
    update,
    close() {
      clearInterval(timer);
      removeEventListener("storage", stored);
    },
  };
}

/** Saves a text as a file. @param {string} text */
function download(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  h("a", { href: url, download: "pegwise-games.json" }).click();
  URL.revokeObjectURL(url);
}

/** @param {typeof EMPTY} store @param {string} rules @param {string} day @param {string} level */
function puzzle(store, rules, day, level) {
  const game = store.games[dailyId(rules, day)];
  const state = game ? status(game) : "running";
  const begun = game && game.guesses.length > 0;
  return h("section", { class: `card daily${state === "won" ? " win" : ""}`, "aria-label": rules },
    h("h2", {}, words.daily.name(numberOf(day) ?? 0), " · ", level),
    h("p", { class: "muted" },
      state === "won" ? words.daily.solvedIn(game.guesses.length) : state === "lost" ? words.daily.notSolved : rulesTitle(rules),
    ),
    h("a", { class: state === "running" ? "button primary" : "button", href: address.write("play", { rules, day }) },
      state !== "running" ? words.daily.see : begun ? words.daily.goOn : words.daily.play,
    ),
  );
}

/** Draws the statistics of a board; null without finished games. @param {string} rules @param {import("../core/game.js").Game[]} games */
function statistics(rules, games) {
  const { wins, played, lost, mean } = distribution(games, false);
  const helped = distribution(games, true);
  if (!played && !helped.played) return null;
  const numbers = Object.keys(wins).map(Number);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const tallest = Math.max(lost, ...Object.values(wins));
  const bar = (/** @type {number | string} */ name, /** @type {string} */ spoken, /** @type {number} */ count) =>
    h("li", {},
      h("span", { class: "unseen" }, spoken),
      h("span", { "aria-hidden": "true" }, name),
      h("span", { class: "bar", "aria-hidden": "true", vars: { share: count / tallest } }, h("i", {})),
      h("span", { "aria-hidden": "true", class: "muted" }, count),
    );
  return h("section", { class: "card" },
    h("h2", {}, words.daily.histogramOf(rulesTitle(rules))),
    mean === null ? null : h("p", { class: "muted" }, words.daily.mean(formatNumber(mean, 2), played - lost)),
    played ? h("p", { class: "muted" }, words.daily.rate(Math.round((100 * (played - lost)) / played), played)) : null,
    played
      ? h("ul", { class: "histogram" },
          numbers.length
            ? Array.from({ length: most - least + 1 }, (_, at) => least + at).map((number) => bar(number, words.daily.bar(number, wins[number] ?? 0), wins[number] ?? 0))
            : [],
          lost ? bar("✗", words.daily.lostBar(lost), lost) : null,
        )
      : null,
    helped.played ? h("p", { class: "muted" }, words.daily.withHelp(helped.played - helped.lost, helped.played)) : null,
  );
}
