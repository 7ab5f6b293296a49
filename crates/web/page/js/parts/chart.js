// Charts of an analysis.

import { h, s } from "../dom.js";
import { words } from "../words.js";

/**
 * Bar chart of the remaining codes after each turn, on a logarithmic scale.
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
      "aria-label": `${words.chart.possible}. ${bars.map((bar) => `${bar.label}: ${bar.words}`).join("; ")}.`,
    },
    bars.map((bar, at) => {
      const [x, top] = [at * step, height - foot - tall(bar.log10)];
      return s("g", {},
        s("rect", { class: "column", x: x + step * 0.16, y: top, width: step * 0.68, height: tall(bar.log10), rx: 5 }),
        s("text", { class: "value", x: x + step / 2, y: top - 6, "text-anchor": "middle" }, bar.words),
        s("text", { class: "label", x: x + step / 2, y: height - 8, "text-anchor": "middle" }, bar.label),
      );
    }),
  );
  return h("figure", { class: "chart" },
    h("div", { class: "scroll" }, picture),
    h("figcaption", { class: "muted" }, words.chart.caption),
  );
}

/** A number from 0 to 100 as part of a circle. @param {string} name @param {number | null} value @param {string} about @param {"skill" | "luck"} [kind] */
export function gauge(name, value, about, kind = "skill") {
  const shown = value === null ? "–" : Math.round(value);
  const around = 2 * Math.PI * 42;
  return h("div", { class: `gauge ${kind}` },
    s("svg", { viewBox: "0 0 100 100", role: "img", "aria-label": words.chart.of(name, shown) },
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

/** A bar from 0 to 100. @param {string} name @param {number | null} value @param {"skill" | "luck"} [kind] */
export function meter(name, value, kind = "skill") {
  return h("span", { class: `meter ${kind}` },
    h("span", { class: "meter-name" }, name),
    h("span", { class: "bar", vars: { share: (value ?? 0) / 100 } }, h("i", {})),
    h("b", {}, value === null ? "–" : Math.round(value)),
  );
}
