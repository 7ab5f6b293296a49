// Games that were finished on this device: how many guesses they took, day by day and board by board.

import { keep, kept } from "./device.js";

/** @typedef {{guesses: number | null, turns: string, helped: boolean}} DailyGame Of a day; null where it was not solved. */
/** @typedef {Record<string, Record<string, DailyGame>>} Days Games by day and rules. */

/** The boards that have a code each day. */
export const DAILY = ["4x6", "5x8", "4x10:no-repeats"];

/** Games that are remembered, so that none is counted twice. */
const MOST_REMEMBERED = 200;

/** The day it is here. @param {Date} [now] */
export function today(now = new Date()) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** The seed of a day: the same for everybody. @param {string} day @returns {number | null} */
export function seedOf(day) {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? Number(day.replaceAll("-", "")) : null;
}

/** @returns {Days} */
export const days = () => kept("days", {});

/** @param {string} day @param {string} rules @returns {DailyGame | null} */
export const daily = (day, rules) => days()[day]?.[rules] ?? null;

/** Keeps how far a daily game is. @param {string} day @param {string} rules @param {DailyGame} game */
export function keepDaily(day, rules, game) {
  const all = days();
  keep("days", { ...all, [day]: { ...all[day], [rules]: game } });
}

/** Days in a row up to today on which a code was found, and the longest such row. @param {Days} all @param {string} now */
export function streaks(all, now) {
  const found = (/** @type {string} */ day) => Object.values(all[day] ?? {}).some((game) => game.guesses !== null);
  const before = (/** @type {string} */ day) =>
    new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  const row = (/** @type {string} */ day) => {
    let length = 0;
    for (let at = day; found(at); at = before(at)) length += 1;
    return length;
  };
  // A day that is not over does not end a row.
  const current = row(found(now) ? now : before(now));
  const played = Object.keys(all).filter(found);
  return { current, longest: Math.max(0, ...played.map(row)), played: played.length };
}

/** Guesses of finished games by rules: how many games took how many. @returns {Record<string, Record<string, number>>} */
export const finished = () => kept("finished", {});

/** Counts a finished game, once. @param {string} name What tells it from others. @param {string} rules @param {number} guesses */
export function finish(name, rules, guesses) {
  const known = /** @type {string[]} */ (kept("counted", []));
  const own = `${rules} ${name}`;
  if (known.includes(own)) return;
  keep("counted", [...known, own].slice(-MOST_REMEMBERED));
  const all = finished();
  const here = all[rules] ?? {};
  keep("finished", { ...all, [rules]: { ...here, [guesses]: (here[guesses] ?? 0) + 1 } });
}
