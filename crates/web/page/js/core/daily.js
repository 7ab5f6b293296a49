// Daily puzzles: days, numbers, streaks and distributions, as plain functions of the stored games.

import { counts, status, unhelpedWin } from "./game.js";

/** @typedef {import("./game.js").Game} Game */

/** Boards with a daily puzzle: the usual one, and a harder one. */
export const DAILY = ["4x6", "5x8"];

const DAY = 86_400_000;
/** The day before puzzle 1. */
const START = Date.parse("2025-12-31");

/** Returns the local date. @param {Date} [now] */
export function dateOf(now = new Date()) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Returns the number of a day's puzzles; null without a puzzle or date. @param {string} day @returns {number | null} */
export function numberOf(day) {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : NaN;
  const number = (time - START) / DAY;
  return number >= 1 && dayOf(number) === day ? number : null;
}

/** Returns the day of a puzzle number. @param {number} number */
export const dayOf = (number) => new Date(START + number * DAY).toISOString().slice(0, 10);

/** Returns the seed of a day's codes. @param {string} day */
export const seedOf = (day) => Number(day.replaceAll("-", ""));

/** Seconds until the next local midnight. @param {Date} now */
export const secondsLeft = (now) =>
  Math.max(0, Math.ceil((new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime()) / 1000));

/** Current and longest streak of days with a puzzle solved on its day without help. @param {Game[]} games @param {string} today */
export function streaks(games, today) {
  const solved = new Set(
    games.filter((game) => unhelpedWin(game) && game.day && game.ended === game.day && game.day <= today).map((game) => numberOf(game.day) ?? 0),
  );
  const run = (/** @type {number} */ number) => {
    let length = 0;
    while (solved.has(number - length)) length += 1;
    return length;
  };
  const now = numberOf(today) ?? 0;
  return { current: run(now) || run(now - 1), longest: Math.max(0, ...[...solved].map(run)), solved: solved.size };
}

/**
 * Counts of finished games on a board: wins by number of guesses, and losses.
 * @param {Game[]} games @param {boolean} helped Games with help, or those without.
 */
export function distribution(games, helped) {
  const counted = games.filter((game) => counts(game) && game.help.length > 0 === helped);
  const won = counted.filter((game) => status(game) === "won");
  /** @type {Record<number, number>} */
  const wins = {};
  for (const { guesses } of won) wins[guesses.length] = (wins[guesses.length] ?? 0) + 1;
  const total = won.reduce((sum, { guesses }) => sum + guesses.length, 0);
  return { wins, played: counted.length, lost: counted.length - won.length, mean: won.length ? total / won.length : null };
}
