// Formatting of numbers and durations.

import { words } from "./words.js";

/** @param {number} number @param {number} [digits] */
export function formatNumber(number, digits = 0) {
  return number.toLocaleString(words.language, { maximumFractionDigits: digits });
}

/** Larger counts are written in words or as powers of ten. */
const MANY = 1e6;
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** @param {number} exponent */
const superscript = (exponent) => [...String(exponent)].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");

/** Decimal logarithm of a count of the engine. @param {number | string | null} count */
export function log10(count) {
  if (typeof count === "number") return count > 0 ? Math.log10(count) : 0;
  const about = /([\d.]+)e(\d+)/.exec(count ?? "");
  if (about) return Math.log10(Number(about[1])) + Number(about[2]);
  const digits = /^\d+$/.exec(count ?? "")?.[0] ?? "1";
  return Math.log10(Number(`0.${digits}`)) + digits.length;
}

/** Formats a count of the engine: a number, a string for large numbers, or null. @param {number | string | null} count */
export function formatCount(count) {
  if (count === null) return words.tooMany;
  if (typeof count === "number" && count < MANY) return formatNumber(count, Number.isInteger(count) ? 0 : 1);
  return formatPower(log10(count));
}

/** Formats a power of ten. @param {number} exponent */
function formatPower(exponent) {
  if (exponent < 6) return formatNumber(Math.round(10 ** exponent));
  const name = words.large[Math.floor(exponent / 3) - 2];
  if (name) return `${formatNumber(10 ** (exponent % 3), exponent % 3 < 1 ? 1 : 0)} ${name}`;
  const [whole, part] = [Math.floor(exponent + 1e-9), exponent % 1];
  const lead = (10 ** (part > 1 - 1e-9 ? 0 : part)).toFixed(1);
  return lead === "1.0" ? `10${superscript(whole)}` : `${lead} × 10${superscript(whole)}`;
}

/** Formats a duration. @param {number} seconds */
export function formatDuration(seconds) {
  if (seconds < 0.0000995) return `${(seconds * 1e6).toFixed(seconds < 0.00000995 ? 1 : 0)} µs`;
  if (seconds < 0.0095) return `${(seconds * 1000).toFixed(seconds < 0.00095 ? 2 : 1)} ms`;
  if (seconds < 0.95) return `${Math.round(seconds * 1000)} ms`;
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`;
}

/** Returns a text of the engine as a sentence, with its powers of ten as on the rest of the page. @param {string} text */
export function asSentence(text) {
  const trimmed = text.trim().replace(/(\d(?:\.\d)?)e(\d+)/g, (_, lead, exponent) => `${lead} × 10${superscript(Number(exponent))}`);
  const end = /[.!?…:]$/.test(trimmed) ? "" : ".";
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + end;
}
