// Analyze: how well a game was played, guess by guess.

import * as address from "../address.js";
import { drawCode, drawTurn, size } from "../board/draw.js";
import { announce, counted, fill, grouped, h, sentence, things, trouble } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, readCode, readTurn, turnText } from "../notation.js";
import { gauge, log10, meter, shrinking } from "../parts/chart.js";
import { mendCard } from "../parts/mend.js";
import { thinker } from "../parts/thinking.js";

/** @typedef {import("../types.js").Rules} Rules */
/** @typedef {import("../types.js").Turn} Turn */
/** @typedef {import("../types.js").Query} Query */

export const title = "Analyze";

const EXAMPLE = { rules: "4x6", turns: "1122=1,1;1344=0,1;2516=2,2;6512=4,0" };

/** @param {HTMLElement} root @param {Query} query @returns {import("../types.js").Page} */
export function open(root, query) {
  let opened = 0;
  const place = h("div", { class: "analysis" });
  const work = thinker(place);
  const rulesText = h("input", { type: "text", spellcheck: "false", autocomplete: "off", value: "4x6" });
  const turnsText = h("textarea", { rows: 4, spellcheck: "false", placeholder: "1122=1,1\n1344=0,2" });
  const secretText = h("input", {
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "if you know it",
  });
  const field = (/** @type {string} */ name, /** @type {HTMLElement} */ input) =>
    h("label", { class: "field" }, h("span", {}, name), input);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    address.go("analyze", {
      rules: rulesText.value.trim(),
      turns: turnsText.value
        .trim()
        .split(/[\s;]+/)
        .filter(Boolean)
        .join(";"),
      secret: secretText.value.trim(),
    });
  };
  const form = h(
    "form",
    { class: "card analyze-form", onsubmit: submit },
    field("Game", rulesText),
    field("Turns, one a line: the guess, =, and its feedback", turnsText),
    field("Secret", secretText),
    h(
      "div",
      { class: "buttons" },
      h("button", { class: "primary", type: "submit" }, "Analyze"),
      h("a", { class: "button quiet", href: address.write("analyze", EXAMPLE) }, "Show an example"),
    ),
  );
  const entering = h("details", {}, h("summary", {}, "Another game"), form);
  root.append(
    h(
      "div",
      { class: "page-head" },
      h(
        "div",
        {},
        h("h1", {}, "How well was it played?"),
        h(
          "p",
          { class: "muted" },
          "Skill is how near each guess was to the best one there. Luck is how kind the answer was; 50 is what chance gives.",
        ),
      ),
    ),
    place,
    entering,
  );

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    rulesText.value = next.rules ?? "4x6";
    turnsText.value = (next.turns ?? "").split(";").join("\n");
    secretText.value = next.secret ?? "";
    entering.open = !next.turns;
    if (!next.turns) return fill(place);
    try {
      const rules = await engine.describe(next.rules ?? "4x6");
      if (mine !== opened) return;
      const texts = next.turns.split(";").filter(Boolean);
      const turns = texts.map((text) => readTurn(rules, text));
      const wrong = turns.indexOf(null);
      if (wrong >= 0) {
        entering.open = true;
        return fill(
          place,
          trouble({
            message: `“${texts[wrong]}” is not a turn of ${rules.rules}`,
            hint: "Write the guess, an equals sign and the feedback, as in 1122=1,1",
          }),
        );
      }
      const played = /** @type {Turn[]} */ (turns);
      const known = next.secret ? readCode(rules, next.secret) : null;
      const secret = known ? /** @type {number[]} */ (known) : undefined;
      work.think(
        "Looking at every guess",
        (watcher) => engine.analyze({ rules: rules.rules, turns: played, secret }, watcher),
        ({ analysis, contradiction }) => {
          if (analysis) return show(rules, analysis);
          fill(
            place,
            mendCard(rules, contradiction, (changes) => {
              const mended = played.map((turn, at) => changes.find((change) => change.turn === at + 1)?.now ?? turn);
              address.go("analyze", { ...next, turns: mended.map((turn) => turnText(rules, turn)).join(";") });
            }),
          );
        },
      );
    } catch (error) {
      if (mine === opened) fill(place, trouble(error));
    }
  }

  /** @param {Rules} rules @param {any} analysis */
  function show(rules, analysis) {
    const verdicts = /** @type {any[]} */ (analysis.turns);
    const bars = [
      ...verdicts.map((verdict, at) => ({
        label: at === 0 ? "start" : `turn ${at}`,
        log10: log10(verdict.before),
        words: counted(verdict.before),
      })),
      {
        label: `turn ${verdicts.length}`,
        log10: log10(analysis.remaining),
        words: analysis.solved ? "solved" : counted(analysis.remaining),
      },
    ];
    fill(
      place,
      h(
        "section",
        { class: "card verdict-card" },
        h(
          "div",
          { class: "gauges" },
          gauge("Skill", analysis.skill, "of your guesses"),
          gauge("Luck", analysis.luck, "with the answers"),
        ),
        h("div", {}, h("p", { class: "summary" }, sentence(analysis.summary)), shrinking(bars)),
      ),
      h(
        "ol",
        { class: "verdicts", vars: size(rules) },
        verdicts.map((verdict, at) => turn(rules, verdict, at)),
      ),
      others(rules, analysis),
    );
    announce(
      `Skill ${Math.round(analysis.skill ?? 0)}, luck ${Math.round(analysis.luck ?? 0)}. ${sentence(analysis.summary)}`,
    );
  }

  /** @param {Rules} rules @param {any} verdict @param {number} at */
  function turn(rules, verdict, at) {
    const drawn = drawTurn(rules, verdict, at + 1);
    const expected = verdict.expected === null ? null : `, ${grouped(verdict.expected, 1)} expected`;
    const better =
      verdict.best &&
      codeText(rules, verdict.best.guess) !== codeText(rules, verdict.guess) &&
      (verdict.skill ?? 100) < 99.5;
    drawn.append(
      h(
        "div",
        { class: "verdict" },
        h("p", { class: "muted" }, `${counted(verdict.before)} → ${counted(verdict.after)}`, expected),
        h("div", { class: "meters" }, meter("Skill", verdict.skill), meter("Luck", verdict.luck)),
        h("p", {}, sentence(verdict.advice)),
        better
          ? h(
              "p",
              { class: "better" },
              h("span", { class: "muted" }, "Best there "),
              drawCode(rules, verdict.best.guess),
            )
          : null,
      ),
    );
    return drawn;
  }

  /** @param {Rules} rules @param {any} analysis */
  function others(rules, analysis) {
    if (!analysis.others.length) return null;
    const own = analysis.turns.length;
    return h(
      "section",
      { class: "card" },
      h("h2", {}, "The same secret, played by others"),
      h(
        "ul",
        { class: "others" },
        analysis.solved
          ? h("li", {}, h("strong", {}, "This game"), h("span", {}, things(own, "guess", "guesses")))
          : null,
        analysis.others.map((/** @type {any} */ other) =>
          h(
            "li",
            {},
            h("strong", {}, other.strategy),
            h("span", {}, other.solved ? things(other.guesses, "guess", "guesses") : "not solved"),
            analysis.secret
              ? h(
                  "a",
                  {
                    href: address.write("watch", {
                      rules: rules.rules,
                      left: other.strategy,
                      secret: codeText(rules, analysis.secret),
                    }),
                  },
                  "Watch",
                )
              : null,
          ),
        ),
      ),
    );
  }

  update(query);
  return {
    update,
    close: () => {
      opened += 1;
      work.close();
    },
  };
}
