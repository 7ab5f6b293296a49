// The rules of play, help and counting, as plain functions of the stored games.

/** Kinds of help that are counted. */
export const HELP = /** @type {const} */ (["hint", "count", "list", "rating", "undo"]);

/** Rival of a game in which two players guess in turns. */
export const TWO = "2";

/**
 * A stored game. Marks are computed from the code, never stored. `help` has a kind and the number of guesses before it per entry. `rival`
 * is a strategy that breaks the same code, or `TWO`.
 * @typedef {{rules: string, sealed: string, origin: "dealt" | "daily" | "linked", day: string, limit: number | null, guesses: string[], won: boolean, gaveUp: boolean, help: string[], edited: boolean, ended: string, rival?: string}} Game
 */

/**
 * All games by id. `current` is the id of the game that Play returns to. Daily games up to the day `barred` do not count, because
 * their records may have been removed.
 * @typedef {{games: Record<string, Game>, current: string, barred: string}} Store
 */

/**
 * @typedef {{type: "deal", id: string, rules: string, sealed: string, origin: Game["origin"], day?: string, limit: number | null, guesses?: string[], rival?: string}
 *   | {type: "guess", id: string, at: number, guess: string, solved: boolean, today: string}
 *   | {type: "check", id: string, solved: number}
 *   | {type: "help", id: string, kind: typeof HELP[number]}
 *   | {type: "undo", id: string}
 *   | {type: "open", id: string}
 *   | {type: "giveUp", id: string, today: string}} Action
 */

/** @type {Store} */
export const EMPTY = { games: {}, current: "", barred: "" };

/** Returns the maximum number of guesses if none is chosen. @param {Rules} rules */
export const defaultLimit = (rules) => rules.max_guesses ?? Math.max(10, Math.ceil(rules.digits * 2.5));

/** @param {Game} game @returns {"running" | "won" | "lost"} */
export function status({ won, gaveUp, limit, guesses }) {
  if (gaveUp) return "lost";
  return won ? "won" : limit !== null && guesses.length >= limit ? "lost" : "running";
}

/** Number of uses of a kind of help. @param {Game} game @param {string} kind */
export const helpCount = (game, kind) => game.help.filter((used) => used.startsWith(`${kind} `)).length;

/** Returns true for a finished game in the statistics. @param {Game} game */
export const counts = (game) => game.origin !== "linked" && game.rival !== TWO && !game.edited && status(game) !== "running";

/** @param {Game} game */
export const unhelpedWin = (game) => counts(game) && status(game) === "won" && !game.help.length;

/** Returns the id of a daily game. @param {string} rules @param {string} day */
export const dailyId = (rules, day) => `${rules} ${day}`;

/** Returns the id of the last game with a code, or of the next one. @param {Store} store @param {string} rules @param {string} sealed */
export function idsOf({ games }, rules, sealed) {
  let number = 1;
  while (games[`${rules} ${sealed} ${number}`]) number += 1;
  return { last: number > 1 ? `${rules} ${sealed} ${number - 1}` : null, next: `${rules} ${sealed} ${number}` };
}

/** Applies an action; an invalid or late one changes nothing. @param {Store} store @param {Action} action @returns {Store} */
export function reduce(store, action) {
  const game = store.games[action.id];
  const put = (/** @type {Partial<Game>} */ change) => ({
    ...store,
    games: { ...store.games, [action.id]: { ...game, ...change } },
  });
  if (action.type === "deal") {
    if (game) return store;
    const { type: _, id, day = "", guesses = [], ...dealt } = action;
    const fresh = { ...dealt, day, guesses, won: false, gaveUp: false, help: [], edited: day !== "" && day <= store.barred, ended: "" };
    return { ...store, games: { ...store.games, [id]: fresh } };
  }
  if (!game) return store;
  if (action.type === "check") {
    // A code that was found earlier than stored, or not at all, was not found in this game.
    const last = game.guesses.length - 1;
    const won = action.solved >= 0;
    if (won === game.won && (!won || action.solved === last)) return store;
    return put({ won, guesses: won ? game.guesses.slice(0, action.solved + 1) : game.guesses, edited: true });
  }
  if (status(game) !== "running") return store;
  const helped = (/** @type {string} */ kind) => [...new Set([...game.help, `${kind} ${game.guesses.length}`])];
  switch (action.type) {
    case "open":
      return game.origin === "daily" ? store : { ...store, current: action.id };
    case "guess": {
      if (game.guesses.length !== action.at) return store;
      const next = { ...game, guesses: [...game.guesses, action.guess], won: action.solved };
      return put(status(next) === "running" ? next : { ...next, ended: action.today });
    }
    case "help":
      return put({ help: helped(action.kind) });
    case "undo":
      if (game.origin === "daily" || !game.guesses.length) return store;
      return put({ help: helped("undo"), guesses: game.guesses.slice(0, -1) });
    case "giveUp":
      return put({ gaveUp: true, ended: action.today });
  }
}
