// When no code fits: which turns cannot all be true, and what may have gone wrong.

import { counted, h, sentence } from "../dom.js";
import { turnText } from "../notation.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").Turn} Turn */

/** More would not be read. */
const MOST_SHOWN = 8;

/**
 * @param {Rules} rules @param {import("../types.js").Contradiction} contradiction
 * @param {(changes: {turn: number, now: Turn}[]) => void} mend
 */
export function mendCard(rules, contradiction, mend) {
  const singles = contradiction.repairs.map((repair) => ({ repairs: [repair], leaves: repair.leaves }));
  const pairs = contradiction.pairs;
  const all = singles.length ? singles : pairs;
  const item = (
    /** @type {{repairs: import("../types.js").Repair[], leaves: number | string | null}} */ { repairs, leaves },
  ) =>
    h(
      "li",
      {},
      h(
        "div",
        {},
        repairs.map((repair) =>
          h("p", {}, sentence(repair.words).replace(/\.$/, ""), " ", h("code", {}, turnText(rules, repair.now))),
        ),
        h(
          "p",
          { class: "muted" },
          leaves === null
            ? "Some codes fit then"
            : leaves === 1
              ? "One code fits then"
              : `${counted(leaves)} codes fit then`,
        ),
      ),
      h(
        "button",
        {
          type: "button",
          class: "small",
          "aria-label": `Mend: ${repairs.map((repair) => repair.words).join(", ")}`,
          onclick: () => mend(repairs.map(({ turn, now }) => ({ turn, now }))),
        },
        "Mend",
      ),
    );
  return h(
    "section",
    { class: "card mend", role: "alert" },
    h("h2", {}, "No code fits these turns"),
    h("p", {}, sentence(named(contradiction.turns))),
    all.length
      ? h(
          "p",
          { class: "muted" },
          singles.length
            ? "One of these may have happened, the likeliest first:"
            : "No single slip explains it. These pairs would:",
        )
      : h("p", { class: "muted" }, "Look at the pegs on the table again, and edit the turn that is wrong."),
    h("ol", { class: "repairs" }, all.slice(0, MOST_SHOWN).map(item)),
  );
}

/** @param {number[][]} sets */
function named(sets) {
  if (!sets.length) return "The turns contradict each other";
  const words = sets
    .slice(0, 3)
    .map((turns) =>
      turns.length === 1
        ? `turn ${turns[0]} alone cannot be true`
        : `turns ${turns.slice(0, -1).join(", ")} and ${turns.at(-1)} cannot all be true`,
    );
  return words.join("; ");
}
