// A game in progress: deals codes, scores guesses with the engine, and stores every action at once. Tabs share the stored games.

import { codeText, readCode } from "../notation.js";
import { DAILY, numberOf, seedOf } from "./daily.js";
import { dailyId, defaultLimit, idsOf, reduce } from "./game.js";
import { keep, load } from "./store.js";

/** @typedef {import("./game.js").Action} Action @typedef {import("./game.js").Game} Game */
/** @typedef {{rules: Rules, id: string, sealed: string, game: Game, turns: Turn[]}} Opened A game with its marks. */
/** What an address asks for. @typedef {{kind: "fresh", rules: Rules, limit: number | null} | {kind: "opened", opened: Opened} | {kind: "problem", problem: "turn" | "code" | "link" | "day" | "future" | "lies", text: string, rules: Rules}} Found */

/**
 * @typedef {object} Engine
 * @property {(rules: string) => Promise<Rules>} describe
 * @property {(rules: string, seed: number) => Promise<{sealed: string}>} drawSecret
 * @property {(rules: string, secret: number[]) => Promise<{sealed: string}>} seal
 * @property {(rules: string, guess: number[], sealed: string) => Promise<{feedback: Mark[], solved: boolean}>} score
 */

/** Maximum number of guesses in a link to a game without a limit. */
const MAX_LINKED = 200;

/** @param {{engine: Engine, device: import("./store.js").Device, today: () => string, random: () => number}} world */
export function session({ engine, device, today, random }) {
  /** Answers by rules, seal and guess. @type {Map<string, {feedback: Mark[], solved: boolean}>} */
  const answers = new Map();

  const store = () => load(device, today());

  /** @param {Action} action */
  function commit(action) {
    const before = store();
    const after = reduce(before, action);
    if (after !== before) keep(device, after, today());
  }

  /** @param {Rules} rules @param {string} sealed @param {string} text */
  async function score(rules, sealed, text) {
    const key = `${rules.rules} ${sealed} ${text}`;
    const code = /** @type {number[]} */ (readCode(rules, text));
    const answer = answers.get(key) ?? (await engine.score(rules.rules, code, sealed));
    answers.set(key, answer);
    return answer;
  }

  /** Reads a stored game and computes its marks. @param {Rules} rules @param {string} id @param {string} sealed @returns {Promise<Opened>} */
  async function read(rules, id, sealed) {
    const { guesses } = store().games[id];
    const marks = await Promise.all(guesses.map((text) => score(rules, sealed, text)));
    commit({ type: "check", id, solved: marks.findIndex(({ solved }) => solved) });
    commit({ type: "open", id });
    const game = store().games[id];
    const turns = game.guesses.flatMap((text, at) =>
      // Another tab may have changed the game meanwhile.
      marks[at] && text === guesses[at] ? [{ guess: /** @type {number[]} */ (readCode(rules, text)), feedback: marks[at].feedback }] : [],
    );
    return turns.length === game.guesses.length ? { rules, id, sealed, game, turns } : read(rules, id, sealed);
  }

  /** @param {Rules} rules @param {string} day @returns {Promise<Found>} */
  async function daily(rules, day) {
    if (numberOf(day) === null || !DAILY.includes(rules.rules)) return { kind: "problem", problem: "day", text: day, rules };
    if (day > today()) return { kind: "problem", problem: "future", text: day, rules };
    const { sealed } = await engine.drawSecret(rules.rules, seedOf(day));
    const id = dailyId(rules.rules, day);
    commit({ type: "deal", id, rules: rules.rules, sealed: "", origin: "daily", day, limit: defaultLimit(rules) });
    return { kind: "opened", opened: await read(rules, id, sealed) };
  }

  /** Returns the running game that Play returns to: of given rules, or any. @param {string} [rules] */
  function running(rules) {
    const { games, current } = store();
    const is = (/** @type {string} */ id) =>
      games[id]?.origin === "dealt" && !games[id].won && !games[id].gaveUp && games[id].guesses.length < (games[id].limit ?? Infinity) && (!rules || games[id].rules === rules);
    return is(current) ? current : (Object.keys(games).reverse().find(is) ?? null);
  }

  return {
    store,
    read,

    /** Finds the game of an address: a daily one, a linked one, the running one, or a new one. @param {Query} query @returns {Promise<Found>} */
    async find(query) {
      const resumed = query.sealed || query.day ? null : running(query.rules && (await engine.describe(query.rules)).rules);
      const rules = await engine.describe(query.rules ?? (resumed ? store().games[resumed].rules : "4x6"));
      // An answer that may be a lie depends on earlier turns.
      if (/:lies=/.test(rules.rules)) return { kind: "problem", problem: "lies", text: "", rules };
      if (query.day) return daily(rules, query.day);
      // Links of earlier versions have marks, which are ignored.
      const texts = (query.guesses ?? query.turns ?? "").split(";").filter(Boolean).map((text) => text.split("=")[0]);
      const wrong = texts.find((text) => !readCode(rules, text) || readCode(rules, text)?.includes(null));
      if (wrong !== undefined) return { kind: "problem", problem: "turn", text: wrong, rules };
      if (query.sealed) {
        const { last, next } = idsOf(store(), rules.rules, query.sealed);
        // The engine refuses an invalid seal.
        if (!last) await score(rules, query.sealed, texts[0] ?? codeText(rules, Array.from({ length: rules.cells }, (_, cell) => (rules.repeats ? 1 : cell + 1))));
        commit({ type: "deal", id: last ?? next, rules: rules.rules, sealed: query.sealed, origin: "linked", limit: limitOf(rules, query), guesses: texts.slice(0, limitOf(rules, query) ?? MAX_LINKED) });
        return { kind: "opened", opened: await read(rules, last ?? next, query.sealed) };
      }
      if (texts.length) return { kind: "problem", problem: "link", text: "", rules };
      if (resumed) return { kind: "opened", opened: await read(rules, resumed, store().games[resumed].sealed) };
      return { kind: "fresh", rules, limit: limitOf(rules, query) };
    },

    /**
     * Deals a new game, with a code of `list` if it is not empty.
     * @param {Rules} rules @param {number | null} limit @param {{rival?: string, list?: number[][]}} [options] @returns {Promise<Opened>}
     */
    async deal(rules, limit, { rival, list = [] } = {}) {
      const drawn = list.length ? engine.seal(rules.rules, list[Math.floor(random() * list.length)]) : engine.drawSecret(rules.rules, Math.floor(random() * 2 ** 48));
      const { sealed } = await drawn;
      const id = idsOf(store(), rules.rules, sealed).next;
      commit({ type: "deal", id, rules: rules.rules, sealed, origin: "dealt", limit, ...(rival && { rival }) });
      return read(rules, id, sealed);
    },

    /** Scores and stores a guess. A game that was changed elsewhere meanwhile stays as it is. @param {Opened} opened @param {number[]} code */
    async guess({ rules, id, sealed, turns }, code) {
      const text = codeText(rules, code);
      const { solved } = await score(rules, sealed, text);
      commit({ type: "guess", id, at: turns.length, guess: text, solved, today: today() });
    },

    /** @param {Opened} opened @param {typeof import("./game.js").HELP[number]} kind */
    help: ({ id }, kind) => commit({ type: "help", id, kind }),
    /** @param {Opened} opened */
    undo: ({ id }) => commit({ type: "undo", id }),
    /** @param {Opened} opened */
    giveUp: ({ id }) => commit({ type: "giveUp", id, today: today() }),
  };
}

/** @param {Rules} rules @param {Query} query */
const limitOf = (rules, query) => (query.limit === "none" ? rules.max_guesses : defaultLimit(rules));
