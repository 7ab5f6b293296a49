// Size of the pegs: as large as fits, in whole pixels, and the same in every row.

import { isPerCell } from "../notation.js";
import { span } from "./layout.js";

const LARGEST = 46;
/** Smaller pegs are unreadable or hard to tap, so a row is wrapped instead. */
const SMALLEST = 20;
const SMALLEST_ON_A_PHONE = 26;
const PHONE = 500;
/** Shapes other than rows cannot wrap. */
const SMALLEST_IN_SHAPE = 14;
/** Height of everything but the board, and the height of a row beyond its pegs, in pixels: on phones, and on larger screens. */
const HEIGHTS = [[256, 6], [352, 15]];
const LARGE_SCREEN = 704;
/** Pixels beside the pegs of a row: padding, number of the turn, gaps. */
const FRAME = 2 * 10 + 2 * 8;
const NUMBER = 22;
const BETWEEN = 10;
/** Maximum number of cells whose feedback is shown as key pegs. */
const MAX_KEYS = 8;

/** @param {number} peg */
const gapOf = (peg) => Math.max(2, Math.round(peg * 0.13));

/** Number of key pegs side by side: two rows for counts, one for per-cell feedback. @param {Rules} rules */
export function keysAcross(rules) {
  const cells = rules.lines[0].length;
  return isPerCell(rules) ? Math.min(cells, MAX_KEYS) : Math.ceil(cells / 2);
}

/** Width of the mark of a row in pixels. @param {Rules} rules */
function markWidth(rules) {
  if (hasKeys(rules)) return keysAcross(rules) * 16 + 10;
  const digits = Math.max(...Object.values(rules.winning[0] ?? {}).map((number) => String(number ?? 0).length), 2);
  return rules.number_names.length > 1 ? 30 + digits * 9 : 40 + digits * 8;
}

/** Returns true if feedback is shown as key pegs. @param {Rules} rules */
export function hasKeys(rules) {
  if (isPerCell(rules)) return rules.shape === "row";
  const counts = rules.number_names.every((name) => name === "black" || name === "white");
  return rules.shape === "row" && rules.lines.length === 1 && rules.cells <= MAX_KEYS && counts;
}

/**
 * Returns the sizes of a board of `width` pixels.
 * @param {Rules} rules @param {number} width
 * @param {{rated?: number, rows?: number}} [more] `rated`: pixels for a rating beside each row; `rows`: number of rows to fit into the
 * height of the window.
 */
function measures(rules, width, { rated = 0, rows = 0 } = {}) {
  const beside = FRAME + NUMBER + 2 * BETWEEN + rated;
  if (rules.shape === "row" || rules.shape === "lines") {
    const mark = rules.shape === "row" ? markWidth(rules) : 0;
    const free = width - beside - (mark ? mark + BETWEEN : 0);
    const smallest = width < PHONE ? SMALLEST_ON_A_PHONE : SMALLEST;
    for (let lines = 1; ; lines += 1) {
      const across = Math.ceil(rules.cells / lines);
      const [around, beyond] = HEIGHTS[innerWidth < LARGE_SCREEN ? 0 : 1];
      const tallest = rows && lines === 1 ? Math.max(Math.floor((innerHeight - around) / rows) - beyond, smallest) : LARGEST;
      const peg = Math.min(largest(free, across), tallest);
      if (peg >= smallest || across <= 2) return { across, peg, gap: gapOf(peg), mark, number: NUMBER };
    }
  }
  const across = span(rules, true);
  const peg = Math.max(largest(width - beside, across), SMALLEST_IN_SHAPE);
  return { across, peg: Math.min(peg, LARGEST - 4), gap: gapOf(peg), mark: 0, number: NUMBER };
}

/** Largest peg so that `across` of them fit. @param {number} free @param {number} across */
function largest(free, across) {
  let peg = LARGEST;
  while (peg > 4 && peg * across + gapOf(peg) * (across - 1) > free) peg -= 1;
  return peg;
}

/** Preferred width of a board in pixels. @param {Rules} rules @param {number} [beside] */
export function preferredWidth(rules, beside = 0) {
  const frame = FRAME + NUMBER + 2 * BETWEEN + beside;
  if (rules.shape === "row" || rules.shape === "lines") {
    const peg = rules.cells <= 6 ? LARGEST : rules.cells <= 10 ? 40 : 32;
    const across = rules.cells <= 26 ? rules.cells : Math.ceil(rules.cells / Math.ceil(rules.cells / 25));
    return Math.max(frame + markWidth(rules) + across * (peg + gapOf(peg)), 340);
  }
  const block = span(rules, true) * (LARGEST - 4 + 5) + 40;
  return Math.max(Math.min(block * 2 + 60, 860), 420);
}

/**
 * Adapts the size of pegs in `place` whenever its width changes.
 * @param {HTMLElement} place @param {() => {rules: Rules, rated?: number, rows?: number} | null} what
 */
export function fitPegs(place, what) {
  const fit = () => {
    const now = what();
    const width = place.clientWidth;
    if (!now || !width) return;
    const { across, peg, gap, mark, number } = measures(now.rules, width, now);
    const set = (/** @type {string} */ name, /** @type {string | number} */ value) =>
      place.style.setProperty(`--${name}`, String(value));
    set("across", Math.floor(across));
    for (const [name, pixels] of Object.entries({ peg, gap, mark, number, rated: now.rated ?? 0 }))
      set(name, `${pixels}px`);
  };
  const observer = new ResizeObserver(fit);
  observer.observe(place);
  addEventListener("resize", fit);
  return {
    fit,
    close() {
      observer.disconnect();
      removeEventListener("resize", fit);
    },
  };
}
