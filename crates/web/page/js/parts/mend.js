// A contradiction: the turns involved, and possible repairs.

import { h, pushButton } from "../dom.js";
import { turnText } from "../notation.js";
import { asSentence, formatCount } from "../numbers.js";
import { words } from "../words.js";

const MAX_SHOWN = 8;
/** Maximum number of sets of turns that are named. */
export const NAMED = 3;

/**
 * @param {Rules} rules @param {Turn[]} turns @param {Contradiction} contradiction
 * @param {(mended: Turn[]) => void} mend Called with the repaired turns.
 */
export function mendCard(rules, turns, contradiction, mend) {
  const singles = contradiction.repairs.map((repair) => ({ repairs: [repair], leaves: repair.leaves }));
  const pairs = contradiction.pairs;
  const all = singles.length ? singles : pairs;
  const item = (
    /** @type {{repairs: Repair[], leaves: number | string | null}} */ { repairs, leaves },
  ) =>
    h("li", {},
      h("div", {},
        repairs.map((repair) =>
          h("p", {}, asSentence(repair.words).replace(/\.$/, ""), " ", h("code", {}, turnText(rules, repair.now))),
        ),
        h("p", { class: "muted" },
          leaves === null ? words.mend.someFit : leaves === 1 ? words.mend.oneFits : words.mend.fit(formatCount(leaves)),
        ),
      ),
      pushButton(
        {
          class: "small",
          "aria-label": words.mend.mending(repairs.map((repair) => repair.words).join(", ")),
          onclick: () => mend(turns.map((turn, at) => repairs.find((repair) => repair.turn === at + 1)?.now ?? turn)),
        },
        words.mend.mend,
      ),
    );
  return h("section", { class: "card mend", role: "alert" },
    h("h2", {}, words.mend.title),
    h("p", {}, asSentence(named(contradiction.turns))),
    all.length
      ? h("p", { class: "muted" },
          singles.length ? words.mend.single : words.mend.pairs,
        )
      : h("p", { class: "muted" }, words.mend.look),
    h("ol", { class: "repairs" }, all.slice(0, MAX_SHOWN).map(item)),
  );
}

/** @param {number[][]} sets */
function named(sets) {
  if (!sets.length) return words.mend.contradict;
  const named = sets
    .slice(0, NAMED)
    .map((turns) =>
      turns.length === 1
        ? words.mend.alone(turns[0])
        : words.mend.together(turns),
    );
  return named.join("; ");
}
