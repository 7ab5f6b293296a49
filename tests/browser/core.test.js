// The rules of play, help, daily puzzles and statistics, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { distribution, numberOf, streaks } from "../../crates/web/page/js/core/daily.js";
import { counts, helpCount, idsOf, status, unhelpedWin } from "../../crates/web/page/js/core/game.js";
import { session } from "../../crates/web/page/js/core/session.js";
import { ASIDE, format, load, merge } from "../../crates/web/page/js/core/store.js";
import { KNOWN } from "../../crates/web/page/js/engine/known.js";
import { readCode } from "../../crates/web/page/js/notation.js";

const RULES = KNOWN["4x6"];
const TODAY = "2026-11-18";
const SECRET = [3, 6, 3, 2];

/** @param {number[]} guess @param {number[]} secret */
function answer(guess, secret) {
  const black = guess.filter((color, at) => color === secret[at]).length;
  const common = [1, 2, 3, 4, 5, 6].reduce((sum, color) => sum + Math.min(...[guess, secret].map((code) => code.filter((one) => one === color).length)), 0);
  return { feedback: [{ black, white: common - black }], solved: black === 4 };
}

/** A device with a clock and an engine, on which sessions are tabs. @param {() => number} [random] */
function device(random = () => 0.5) {
  /** @type {Map<string, string>} */
  const stored = new Map();
  const asked = { count: 0 };
  const world = {
    today: TODAY,
    stored,
    asked,
    device: { get: (/** @type {string} */ name) => stored.get(name) ?? null, set: (/** @type {string} */ name, /** @type {string} */ text) => void stored.set(name, text) },
    secretOf: (/** @type {number} */ seed) => [0, 1, 2, 3].map((at) => 1 + (Math.floor(seed / 7 ** at) % 6)),
    tab: () =>
      session({
        device: world.device,
        today: () => world.today,
        random,
        engine: {
          describe: async (rules) => KNOWN[rules],
          drawSecret: async (_, seed) => ({ sealed: world.secretOf(seed).join("") }),
          seal: async (_, secret) => ({ sealed: secret.join("") }),
          score: async (_, guess, sealed) => {
            asked.count += 1;
            if (!readCode(RULES, sealed)) throw new Error("bad seal");
            return answer(guess, [...sealed].map(Number));
          },
        },
      }),
    games: () => Object.values(load(world.device, world.today).games),
  };
  return world;
}

/** @param {ReturnType<typeof session>} tab @param {Query} query @returns {Promise<import("../../crates/web/page/js/core/session.js").Opened>} */
async function opened(tab, query) {
  const found = await tab.find(query);
  if (found.kind === "problem") throw new Error(found.problem);
  return found.kind === "fresh" ? tab.deal(found.rules, found.limit) : found.opened;
}
/** Plays guesses. @param {ReturnType<typeof session>} tab @param {Query} query @param {number[][]} codes */
async function play(tab, query, ...codes) {
  let game = await opened(tab, query);
  for (const code of codes) {
    await tab.guess(game, code);
    game = await tab.read(game.rules, game.id, game.sealed);
  }
  return game;
}
const WRONG = [1, 1, 1, 1];
const DAY = { rules: "4x6", day: TODAY };
const DAILY_BEFORE = { rules: "4x6", day: "2026-11-17" };
const daySecret = device().secretOf(20261118);

test("a linked game never counts, and marks in a link are ignored", async () => {
  const world = device();
  const { game, turns } = await play(world.tab(), { rules: "4x6", sealed: "3632", turns: "1111=4,0;3632=0,0" });
  assert.equal(status(game), "won");
  assert.deepEqual(turns[0].feedback, [{ black: 0, white: 0 }]);
  assert.deepEqual(world.games().filter(counts), []);
  assert.deepEqual(await world.tab().find({ rules: "4x6", turns: "1122=1,1;3344=1,1" }).then((found) => found.kind === "problem" && found.problem), "link");
});

test("the daily ignores guesses in its address", async () => {
  const world = device();
  const { turns } = await play(world.tab(), { ...DAY, turns: `${daySecret.join("")}=4,0` });
  assert.deepEqual(turns, []);
});

test("a daily that was given up stays lost, and has no undo", async () => {
  const world = device();
  const tab = world.tab();
  const game = await play(tab, DAY, WRONG);
  tab.undo(game);
  assert.equal((await opened(tab, DAY)).turns.length, 1);
  tab.giveUp(game);
  const after = await play(world.tab(), DAY, daySecret);
  assert.equal(status(after.game), "lost");
  assert.equal(after.turns.length, 1);
  assert.equal(streaks(world.games(), TODAY).current, 0);
});

test("help is remembered across reloads, and undo is help", async () => {
  const world = device();
  const tab = world.tab();
  let game = await play(tab, DAY, WRONG);
  tab.help(game, "hint");
  tab.help(game, "hint");
  game = await play(world.tab(), DAY, daySecret);
  assert.deepEqual([status(game.game), helpCount(game.game, "hint"), unhelpedWin(game.game)], ["won", 1, false]);
  const own = await play(tab, {}, WRONG, WRONG);
  tab.undo(own);
  assert.equal(helpCount((await opened(tab, {})).game, "undo"), 1);
  assert.deepEqual(distribution(world.games(), true).wins, { 2: 1 });
  assert.deepEqual(distribution(world.games(), false).played, 0);
});

test("days that do not exist, are not here yet or have no puzzle are refused", async () => {
  const tab = device().tab();
  const problem = async (/** @type {Query} */ query) => tab.find(query).then((found) => found.kind === "problem" && found.problem);
  assert.equal(await problem({ rules: "4x6", day: "2031-01-01" }), "future");
  assert.equal(await problem({ rules: "4x6", day: "2026-02-31" }), "day");
  assert.equal(await problem({ rules: "4x6", day: "2025-12-31" }), "day");
  assert.equal(await problem({ rules: "8x12", day: TODAY }), "day");
  assert.deepEqual([numberOf("2026-01-01"), numberOf(TODAY)], [1, 322]);
});

test("tabs share one game: no guess is overwritten", async () => {
  const world = device();
  const [one, other] = [world.tab(), world.tab()];
  const [left, right] = [await opened(one, DAY), await opened(other, DAY)];
  await one.guess(left, WRONG);
  // This guess belongs to a position that has passed.
  await other.guess(right, [2, 2, 2, 2]);
  assert.deepEqual((await opened(other, DAY)).game.guesses, ["1111"]);
  await play(other, DAY, [2, 2, 2, 2], [3, 3, 3, 3], [4, 4, 4, 4]);
  assert.equal((await opened(one, DAY)).turns.length, 4);
});

test("Play returns to the running game, also after a link", async () => {
  const world = device();
  const game = await play(world.tab(), {}, WRONG);
  await play(world.tab(), { rules: "4x6", sealed: "3632", guesses: "3632" });
  assert.deepEqual((await opened(world.tab(), {})).id, game.id);
  assert.deepEqual((await opened(world.tab(), { rules: "4x6" })).turns.length, 1);
  world.tab().giveUp(game);
  assert.equal((await world.tab().find({})).kind, "fresh");
});

test("ten wrong guesses lose a classic game", async () => {
  const world = device();
  const { game } = await play(world.tab(), {}, ...Array(10).fill(WRONG));
  assert.deepEqual([status(game), game.limit, distribution(world.games(), false).lost], ["lost", 10, 1]);
});

test("a game of two players does not count, one against a strategy does", async () => {
  for (const [rival, counted] of /** @type {const} */ ([["2", 0], ["knuth", 1]])) {
    const world = device();
    const tab = world.tab();
    const game = await tab.deal(RULES, 10, { rival });
    await tab.guess(game, [...game.sealed].map(Number));
    const { game: after } = await tab.read(RULES, game.id, game.sealed);
    assert.deepEqual([after.rival, status(after), world.games().filter(counts).length], [rival, "won", counted]);
  }
});

test("a code of a list is dealt, and every code of the list can be", async () => {
  let drawn = 0;
  const tab = device(() => (drawn += 0.25) - 0.25).tab();
  const list = [[1, 2, 3, 4], [4, 3, 2, 1], [6, 6, 6, 6], [1, 1, 2, 2]];
  const dealt = [];
  for (const _ of list) dealt.push((await tab.deal(RULES, 10, { list })).sealed);
  assert.deepEqual(dealt, list.map((code) => code.join("")));
});

test("the same code can be dealt twice", async () => {
  const world = device();
  const tab = world.tab();
  tab.giveUp(await opened(tab, {}));
  const { game, id } = await opened(tab, {});
  assert.equal(status(game), "running");
  assert.equal(idsOf(tab.store(), "4x6", game.sealed).last, id);
});

test("unreadable storage is set aside, and its days do not count", async () => {
  for (const text of ["null", "x", "[]", '{"store":{"games":7}}']) {
    const world = device();
    world.stored.set("games", text);
    const { game } = await play(world.tab(), DAY, daySecret);
    assert.deepEqual([world.stored.get(ASIDE), status(game), counts(game)], [text, "won", false], text);
  }
});

test("an old answer of the engine is not asked for again", async () => {
  const world = device();
  const tab = world.tab();
  await play(tab, {}, WRONG, [2, 2, 2, 2]);
  await opened(tab, {});
  assert.equal(world.asked.count, 2);
});

test("a file restores finished games, and changes none that is known", async () => {
  const world = device();
  const tab = world.tab();
  const game = await play(tab, DAILY_BEFORE, WRONG);
  const begun = format(tab.store());
  tab.giveUp(game);
  const merged = merge(tab.store(), begun);
  assert.deepEqual(merged?.games, tab.store().games);
  await play(tab, DAY, daySecret);
  const all = format(tab.store());
  const elsewhere = merge(load(device().device, TODAY), all)?.games ?? {};
  assert.deepEqual(elsewhere, tab.store().games);
  // A game that goes on elsewhere may have been lost there.
  assert.ok(Object.values(merge(load(device().device, TODAY), begun)?.games ?? {}).every(({ edited }) => edited));
  assert.ok(Object.values(merge(load(device().device, TODAY), all.replace('"gaveUp":true', '"gaveUp":false'))?.games ?? {}).every(({ edited }) => edited));
  assert.equal(merge(tab.store(), "null"), null);
});

/** Deterministic random numbers (mulberry32). @param {number} seed */
const randomFrom = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
};

test("no sequence of actions turns a lost, helped or forged game into an unhelped win", async () => {
  let wins = 0;
  for (let seed = 1; seed <= 1500; seed += 1) {
    const random = randomFrom(seed);
    const pick = (/** @type {any[]} */ list) => list[Math.floor(random() * list.length)];
    let dealt = seed;
    const world = device(() => ((dealt += 1) * 0.6180339887498949) % 1);
    const tabs = [world.tab(), world.tab()];
    /** Open game of each tab. @type {any[]} */
    const open = [null, null];
    /** Addresses visited, for Back. @type {Query[]} */
    const history = [{}];
    /** Codes that the player knows without having found them: by rules and day, or seal. @type {Set<string>} */
    const spoiled = new Set();
    /** Codes found without help. @type {Set<string>} */
    const found = new Set();
    const spoil = (/** @type {string} */ name) => void (found.has(name) || spoiled.add(name));
    const nameOf = (/** @type {any} */ { game, sealed }) => game.day || sealed;
    for (let step = 0; step < 25; step += 1) {
      const tab = random() < 0.5 ? 0 : 1;
      const game = open[tab];
      const go = async (/** @type {Query} */ query) => {
        history.push(query);
        try {
          open[tab] = await opened(tabs[tab], query);
        } catch {
          open[tab] = null;
        }
      };
      const action = pick(["guess", "guess", "win", "back", "reload", "give up", "help", "undo", "tab", "storage", "address", "clock", "daily"]);
      if (action === "daily") await go({ rules: "4x6", day: pick([world.today, TODAY, "2026-11-17"]) });
      else if (action === "tab") await go({});
      else if (action === "back") await go(pick(history));
      else if (action === "reload") {
        tabs[tab] = world.tab();
        await go(history[history.length - 1]);
      } else if (action === "clock") world.today = pick([TODAY, "2026-11-10", "2026-11-17", "2026-12-01"]);
      else if (action === "address" && game) {
        const code = game.sealed;
        await go(pick([{ rules: "4x6", sealed: code, guesses: code }, { rules: "4x6", day: TODAY, guesses: code }, { rules: "4x6", sealed: code, limit: "none" }, { rules: "4x6", turns: `${code}=4,0` }]));
      } else if (action === "storage" && world.stored.has("games")) {
        const text = /** @type {string} */ (world.stored.get("games"));
        const before = world.games();
        const edit = pick(["lost", "won", "help", "delete", "null", "cut", "guess", "ended"]);
        if (edit === "delete") world.stored.delete("games");
        else
          world.stored.set("games", {
            lost: text.replaceAll('"gaveUp":true', '"gaveUp":false'),
            won: text.replaceAll('"won":false', '"won":true'),
            help: text.replace(/"help":\[[^\]]*\]/g, '"help":[]'),
            null: "null",
            cut: text.slice(0, text.length / 2),
            guess: text.replace(/"guesses":\[[^\]]*\]/g, '"guesses":[]'),
            ended: text.replace(/"ended":"[^"]*"/g, `"ended":"${TODAY}"`),
          }[edit] ?? text);
        // An edited game is forged, whatever it was before.
        if (world.stored.get("games") !== text)
          for (const { day, sealed } of before) {
            found.delete(day || sealed);
            spoiled.add(day || sealed);
          }
      } else if (!game) continue;
      else if (action === "give up") {
        tabs[tab].giveUp(game);
        spoil(nameOf(game));
      } else if (action === "help") {
        tabs[tab].help(game, pick(["hint", "count", "list", "rating"]));
        spoil(nameOf(game));
      } else if (action === "undo") {
        if (game.turns.length && game.game.origin !== "daily") spoil(nameOf(game));
        tabs[tab].undo(game);
      } else {
        await tabs[tab].guess(game, action === "win" ? [...game.sealed].map(Number) : WRONG);
        open[tab] = await tabs[tab].read(game.rules, game.id, game.sealed).catch(() => null);
      }
      for (const won of world.games().filter(unhelpedWin)) {
        const name = won.day || won.sealed;
        wins += found.has(name) ? 0 : 1;
        found.add(name);
        assert.ok(!spoiled.has(name), `seed ${seed}, step ${step}, ${action}: ${JSON.stringify(won)}`);
      }
    }
  }
  assert.ok(wins > 300, `${wins} games were won fairly`);
});
