// The stored games as text, with a checksum that detects edits. Games in an edited store are kept, but do not count.

import { EMPTY, status } from "./game.js";

/** @typedef {import("./game.js").Game} Game @typedef {import("./game.js").Store} Store */
/** Text storage of a device. @typedef {{get: (name: string) => string | null, set: (name: string, text: string) => void}} Device */

const KEY = "games";
/** The last day on which games were stored, which reveals that they were removed. */
const USED = "used";
/** Unreadable text is moved here. */
export const ASIDE = "games.unreadable";

/** 53-bit hash of a text (cyrb53). @param {string} text */
function checksum(text) {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    high = Math.imul(high ^ text.charCodeAt(at), 2654435761);
    low = Math.imul(low ^ text.charCodeAt(at), 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** @param {any} value */
const isTexts = (value) => Array.isArray(value) && value.every((text) => typeof text === "string");

/** @param {any} game @returns {game is Game} */
const isGame = (game) =>
  typeof game === "object" && game !== null &&
  ["rules", "sealed", "day", "ended"].every((name) => typeof game[name] === "string") &&
  ["won", "gaveUp", "edited"].every((name) => typeof game[name] === "boolean") &&
  ["dealt", "daily", "linked"].includes(game.origin) &&
  (game.limit === null || Number.isSafeInteger(game.limit)) &&
  ["string", "undefined"].includes(typeof game.rival) &&
  isTexts(game.guesses) && isTexts(game.help);

/** Parses the text of a store; null if it is unreadable. @param {string} text @param {string} barred @returns {Store | null} */
function parse(text, barred) {
  try {
    const { sum, store } = JSON.parse(text);
    if (typeof store?.games !== "object" || store.games === null) return null;
    const games = Object.entries(store.games).filter(([, game]) => isGame(game));
    if (sum === checksum(JSON.stringify(store))) return store;
    return {
      games: Object.fromEntries(games.map(([id, game]) => [id, { .../** @type {Game} */ (game), edited: true }])),
      current: String(store.current),
      barred,
    };
  } catch {
    return null;
  }
}

/** @param {Device} device @param {string} today */
const lastDay = (device, today) => [device.get(USED) ?? "", today].sort()[1];

/** Reads the games. Unreadable text is set aside. @param {Device} device @param {string} today @returns {Store} */
export function load(device, today) {
  const text = device.get(KEY);
  const barred = lastDay(device, today);
  if (text === null) return device.get(USED) ? { ...EMPTY, barred } : EMPTY;
  const store = parse(text, barred);
  if (store) return store;
  device.set(ASIDE, text);
  const empty = { ...EMPTY, barred };
  keep(device, empty, today);
  return empty;
}

/** Formats a store with its checksum. @param {Store} store */
export const format = (store) => JSON.stringify({ sum: checksum(JSON.stringify(store)), store });

/** Adds the games of a file; null if it is unreadable. Games that can go on do not count. @param {Store} store @param {string} text @returns {Store | null} */
export function merge(store, text) {
  const added = parse(text, "");
  if (!added) return null;
  const games = Object.entries(added.games).map(([id, game]) => [id, status(game) === "running" ? { ...game, edited: true } : game]);
  return { ...store, games: { ...Object.fromEntries(games), ...store.games } };
}

/** @param {Device} device @param {Store} store @param {string} today */
export function keep(device, store, today) {
  device.set(KEY, format(store));
  device.set(USED, lastDay(device, today));
}
