// Finished games on this device, by day and by board.

import { save, saved } from "./device.js";

/** @typedef {{guesses: number | null, turns: string, helped: boolean}} DailyGame `guesses` is null if it was not solved. */
/** @typedef {Record<string, Record<string, DailyGame>>} Days Games by day and rules. */

/** Boards with a daily code. */
export const DAILY = ["4x6", "5x8", "4x10:no-repeats"];

/** Number of games remembered to count each once. */
const MAX_REMEMBERED = 200;

/** Returns the local date. @param {Date} [now] */
export function today(now = new Date()) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Returns the seed of a day, or null if it is invalid. @param {string} day @returns {number | null} */
export function seedOf(day) {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? Number(day.replaceAll("-", "")) : null;
}

/** @returns {Days} */
export const days = () => saved("days", {});

/** @param {string} day @param {string} rules @returns {DailyGame | null} */
export const daily = (day, rules) => days()[day]?.[rules] ?? null;

/** Saves a daily game. @param {string} day @param {string} rules @param {DailyGame} game */
export function keepDaily(day, rules, game) {
  const all = days();
  save("days", { ...all, [day]: { ...all[day], [rules]: game } });
}

/** Current and longest streak of days with a solved game. @param {Days} all @param {string} now */
export function streaks(all, now) {
  const found = (/** @type {string} */ day) => Object.values(all[day] ?? {}).some((game) => game.guesses !== null);
  const before = (/** @type {string} */ day) =>
    new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  const row = (/** @type {string} */ day) => {
    let length = 0;
    for (let at = day; found(at); at = before(at)) length += 1;
    return length;
  };
  // Today does not break a streak.
  const current = row(found(now) ? now : before(now));
  const played = Object.keys(all).filter(found);
  return { current, longest: Math.max(0, ...played.map(row)), played: played.length };
}

/** Histograms of guesses by rules. @returns {Record<string, Record<string, number>>} */
export const finished = () => saved("finished", {});

/** Counts a finished game once. @param {string} name Its identity. @param {string} rules @param {number} guesses */
export function finish(name, rules, guesses) {
  const known = /** @type {string[]} */ (saved("counted", []));
  const own = `${rules} ${name}`;
  if (known.includes(own)) return;
  save("counted", [...known, own].slice(-MAX_REMEMBERED));
  const all = finished();
  const here = all[rules] ?? {};
  save("finished", { ...all, [rules]: { ...here, [guesses]: (here[guesses] ?? 0) + 1 } });
}
