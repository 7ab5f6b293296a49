// Picture of a tree along a path: the answers to each guess, with the one taken.

import { h, s } from "../dom.js";
import { feedbackWords, markText } from "../notation.js";
import { words } from "../words.js";

/** Maximum number of answers drawn per level. */
const MAX = 18;
/** Distance of nodes, distance of levels, and largest radius, in pixels. */
const [STEP, LEVEL, RADIUS] = [30, 100, 12];

/** A guess on the path. @typedef {{guess: string, parts: {feedback: Mark[], codes: number}[], taken: Mark[] | null}} Level */

/** @param {Rules} rules @param {Level[]} levels */
export function treePicture(rules, levels) {
  const text = (/** @type {Mark[]} */ feedback) => feedback.map((mark) => markText(rules, mark)).join("/");
  const rows = levels.map(({ parts, taken }) => {
    const at = taken ? parts.findIndex(({ feedback }) => text(feedback) === text(taken)) : -1;
    // The answer taken is drawn, also if there are many.
    const shown = at >= MAX ? [...parts.slice(0, MAX - 1), parts[at]] : parts.slice(0, MAX);
    return { shown, hidden: parts.length - shown.length, at: at >= MAX ? MAX - 1 : at };
  });
  const across = Math.max(...rows.map(({ shown, hidden }) => shown.length + Math.sign(hidden)), 4);
  const [width, height] = [across * STEP, levels.length * LEVEL + 10];
  let root = width / 2;
  const drawn = rows.map(({ shown, hidden, at }, level) => {
    // A guess is below its node and the labels beside it.
    const y = level * LEVEL + 16;
    const below = y + LEVEL - 36;
    const x = (/** @type {number} */ index) => (width - (shown.length + Math.sign(hidden) - 1) * STEP) / 2 + index * STEP;
    const most = Math.max(...shown.map(({ codes }) => codes), 1);
    const from = root;
    root = at < 0 ? root : x(at);
    return s("g", {},
      shown.map((_, index) => s("path", { class: index === at ? "edge taken" : "edge", d: `M${from} ${y + 8}C${from} ${y + 36} ${x(index)} ${y + 26} ${x(index)} ${below}` })),
      s("text", { class: "guess", x: from, y: y + 4, "text-anchor": "middle" }, levels[level].guess),
      shown.map(({ feedback, codes }, index) =>
        s("g", {},
          s("circle", { class: index === at ? "node taken" : "node", cx: x(index), cy: below, r: 4 + (RADIUS - 4) * Math.sqrt(codes / most) }),
          rules.lines.length === 1 ? s("text", { class: "label", x: x(index), y: below + 24, "text-anchor": "middle" }, text(feedback)) : null,
        ),
      ),
      hidden ? s("text", { class: "label", x: x(shown.length), y: below + 4, "text-anchor": "middle" }, words.trees.others(hidden)) : null,
    );
  });
  const path = levels.flatMap(({ guess, taken }) => (taken ? [`${guess}: ${feedbackWords(rules, taken)}`] : []));
  return h("figure", { class: "tree-picture scroll", tabindex: 0, role: "group", "aria-label": words.trees.title },
    s("svg", { viewBox: `0 0 ${width} ${height}`, width, role: "img", "aria-label": words.trees.picture(path) }, drawn),
  );
}
