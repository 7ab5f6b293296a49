// The picture of a game: how the possibilities shrank.

import { h, s } from "../dom.js";

/**
 * A bar for each moment, as tall as the number of its codes has digits, so that each factor of ten is one step.
 * @param {{label: string, log10: number, words: string}[]} bars
 */
export function shrinking(bars) {
  const [width, height, foot, head] = [Math.max(bars.length * 64, 240), 180, 26, 22];
  const most = Math.max(...bars.map((bar) => bar.log10), 1);
  const step = width / bars.length;
  const tall = (/** @type {number} */ log10) => 3 + (Math.max(log10, 0) / most) * (height - foot - head - 3);
  const picture = s(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `Codes still possible. ${bars.map((bar) => `${bar.label}: ${bar.words}`).join("; ")}.`,
    },
    bars.map((bar, at) => {
      const [x, top] = [at * step, height - foot - tall(bar.log10)];
      return s(
        "g",
        {},
        s("rect", { class: "column", x: x + step * 0.16, y: top, width: step * 0.68, height: tall(bar.log10), rx: 5 }),
        s("text", { class: "value", x: x + step / 2, y: top - 6, "text-anchor": "middle" }, bar.words),
        s("text", { class: "label", x: x + step / 2, y: height - 8, "text-anchor": "middle" }, bar.label),
      );
    }),
  );
  return h(
    "figure",
    { class: "chart" },
    h("div", { class: "scroll" }, picture),
    h("figcaption", { class: "muted" }, "Codes still possible; each step up is ten times as many."),
  );
}

/** A number from 0 to 100 as part of a circle. @param {string} name @param {number | null} value @param {string} about */
export function gauge(name, value, about) {
  const shown = value === null ? "–" : Math.round(value);
  const around = 2 * Math.PI * 42;
  return h(
    "div",
    { class: `gauge ${name.toLowerCase()}` },
    s(
      "svg",
      { viewBox: "0 0 100 100", role: "img", "aria-label": `${name} ${shown} of 100` },
      s("circle", { class: "track", cx: 50, cy: 50, r: 42 }),
      s("circle", {
        class: "value",
        cx: 50,
        cy: 50,
        r: 42,
        "stroke-dasharray": `${((value ?? 0) / 100) * around} ${around}`,
        transform: "rotate(-90 50 50)",
      }),
      s("text", { x: 50, y: 51, "text-anchor": "middle", "dominant-baseline": "middle" }, String(shown)),
    ),
    h("strong", {}, name),
    h("span", { class: "muted" }, about),
  );
}

/** The logarithm to base ten of a count as the engine gives it. @param {number | string | null} count */
export function log10(count) {
  if (typeof count === "number") return count > 0 ? Math.log10(count) : 0;
  const about = /([\d.]+)e(\d+)/.exec(count ?? "");
  return about ? Math.log10(Number(about[1])) + Number(about[2]) : Math.log10(Number(count) || 1);
}

/** A bar from 0 to 100. @param {string} name @param {number | null} value */
export function meter(name, value) {
  return h(
    "span",
    { class: `meter ${name.toLowerCase()}` },
    h("span", { class: "meter-name" }, name),
    h("span", { class: "bar", vars: { share: (value ?? 0) / 100 } }, h("i", {})),
    h("b", {}, value === null ? "–" : Math.round(value)),
  );
}
