// The possible codes: one dot per code; the last ones are drawn as pegs.

import { drawCode } from "../board/draw.js";
import { fill, h, pushButton, reducedMotion } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, feedbackWords } from "../notation.js";
import { formatCount, formatNumber } from "../numbers.js";
import { words } from "../words.js";
import { position } from "./list.js";

/** Maximum number of dots. */
export const MAX_DOTS = 4096;
/** Maximum number of codes drawn as pegs. */
const MAX_ROWS = 12;
/** Duration of the animation of excluded codes in milliseconds. */
const FALL = 700;
/** Dots are enlarged when this share of them is left. */
const THINNED = 1 / 12;

/** @param {{use?: (code: number[]) => void, list?: () => void}} [options] `list` is called to list the last codes; without it they are listed at once. */
export function remainingCard({ use, list } = {}) {
  /** Codes with a dot, as text. @type {string[]} */
  let all = [];
  /** @type {Set<string>} */
  let fitting = new Set();
  /** Codes in the animation. @type {Set<string>} */
  let falling = new Set();
  let since = 0;
  /** Part of each code for the hovered guess. @type {Map<string, number> | null} */
  let parts = null;
  /** @type {{rules: Rules, turns: Turn[], codes: number[][]} | null} */
  let now = null;
  let asked = 0;
  let frame = 0;

  const title = h("p", { class: "left-count" });
  const bar = h("div", { class: "bar" }, h("i", {}));
  const canvas = h("canvas", { class: "dots", role: "img" });
  const rows = h("div", { class: "codes" });
  const about = h("p", { class: "muted split-words" });
  const element = h("section", { class: "card remaining", "aria-label": words.left.title },
    title,
    bar,
    canvas,
    rows,
    about,
  );
  const observer = new ResizeObserver(() => paint());
  observer.observe(canvas);

  /** @param {Rules} rules @param {Turn[]} turns @param {Left} left @param {boolean} [listed] */
  function show(rules, turns, left, listed = !list) {
    const texts = left.codes.map((code) => codeText(rules, code));
    const same = now?.rules.rules === rules.rules && texts.every((text) => fitting.has(text));
    const share = left.remaining === 0 ? 0 : left.digits === null ? 1 : Math.max(left.digits, 0) / Math.max(rules.digits, 1e-9);
    element.style.setProperty("--share", String(Math.min(share, 1)));
    fill(title, counting(rules, left));
    now = { rules, turns, codes: left.codes };
    asked += 1;
    parts = null;
    fill(about);
    falling = same ? new Set([...fitting].filter((text) => !texts.includes(text))) : new Set();
    if (!same || !texts.length) all = texts;
    fitting = new Set(texts);
    since = performance.now();
    const dotted = texts.length > 0 && (all.length > 1 || falling.size > 0);
    canvas.hidden = !dotted;
    bar.hidden = dotted;
    canvas.setAttribute("aria-label", words.left.picture(formatNumber(texts.length)));
    const few = texts.length > 0 && texts.length <= MAX_ROWS;
    fill(rows, few && (listed ? left.codes.map((code) => last(rules, code)) : pushButton({ class: "small", onclick: list }, words.left.list)));
    rows.hidden = !rows.children.length;
    paint();
  }

  /** Draws one of the last codes. @param {Rules} rules @param {number[]} code */
  function last(rules, code) {
    const drawn = drawCode(rules, code);
    if (!use) return drawn;
    return pushButton(
      {
        class: "quiet last-code",
        "aria-label": words.left.use(codeText(rules, code)),
        onclick: () => use(code),
        onpointerenter: () => point(code),
        onpointerleave: () => point(null),
        onfocus: () => point(code),
        onblur: () => point(null),
      },
      drawn,
    );
  }

  /** Shows the partition by a guess. @param {number[] | null} guess */
  async function point(guess) {
    const mine = (asked += 1);
    if (!guess || !now?.codes.length) {
      if (parts) {
        parts = null;
        fill(about);
        paint();
      }
      return;
    }
    const { rules, turns, codes } = now;
    try {
      const split = await engine.split({ ...position(rules, turns), guess });
      if (mine !== asked || !split.parts.length) return;
      parts = new Map(codes.map((code, at) => [codeText(rules, code), split.part_of[at]]));
      const largest = split.parts
        .slice(0, 3)
        .map((part) => `${feedbackWords(rules, part.feedback)}: ${formatNumber(part.codes)}`);
      fill(
        about,
        h("b", {}, codeText(rules, guess)),
        ` ${words.left.split(split.parts.length, formatCount(split.expected))}. ${largest.join(" · ")}`,
      );
      paint();
    } catch {
      // The partition is optional.
    }
  }

  /** Draws a frame. */
  function paint() {
    cancelAnimationFrame(frame);
    const width = canvas.clientWidth;
    if (!width || canvas.hidden) return;
    const count = Math.max(all.length, 1);
    // The picture is about a third as tall as wide.
    const across = Math.max(Math.min(Math.ceil(Math.sqrt(count * 2.6)), count), Math.ceil(width / 26));
    const step = width / across;
    const height = Math.ceil(Math.ceil(count / across) * step);
    const scale = devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext("2d");
    if (!context) return;
    const { color: plain, outlineColor: faint } = getComputedStyle(canvas);
    context.scale(scale, scale);
    const time = reducedMotion() ? FALL : Math.min(performance.now() - since, FALL);
    const gone = time / FALL;
    all.forEach((text, at) => {
      const [x, y] = [(at % across) * step + step / 2, Math.floor(at / across) * step + step / 2];
      const falls = falling.has(text);
      const fits = fitting.has(text);
      const part = fits && parts ? (parts.get(text) ?? 0) : null;
      context.globalAlpha = falls ? 1 - gone : 1;
      context.fillStyle = fits || falls ? (part === null ? plain : hue(part)) : faint;
      const drop = falls ? gone * gone * (height * 0.4 + 12) : 0;
      const radius = Math.max(step * (fits || falls ? 0.36 : 0.14), 0.7);
      context.beginPath();
      context.arc(x, y + drop, radius, 0, 2 * Math.PI);
      context.fill();
    });
    if (falling.size && gone < 1) frame = requestAnimationFrame(paint);
    else if (falling.size) {
      falling = new Set();
      if (fitting.size < all.length * THINNED) all = all.filter((text) => fitting.has(text));
      canvas.hidden = all.length < 2;
      paint();
    }
  }

  return {
    element,
    show,
    point,
    close() {
      observer.disconnect();
      cancelAnimationFrame(frame);
    },
  };
}

/** Returns the color of a part; neighbors also differ in lightness. @param {number} part */
const hue = (part) => `hsl(${Math.round((part * 137.5 + 174) % 360)} 55% ${[50, 30, 70][part % 3]}%)`;

/** Describes the number of possible codes. @param {Rules} rules @param {Left} left */
function counting(rules, left) {
  if (left.remaining === null) return words.left.uncounted;
  if (left.remaining === 0) return words.left.none;
  if (left.remaining === 1) return words.left.one;
  if (left.remaining_is === "bound") return words.left.atMost(formatCount(left.remaining));
  const estimated = left.remaining_is !== undefined && left.remaining_is !== "exact";
  const say = estimated ? words.left.about : words.left.of;
  return say(formatCount(left.remaining), formatCount(rules.codes));
}
