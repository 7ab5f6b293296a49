// Analyze: skill and luck of each guess.

import * as address from "../address.js";
import { drawCode, drawTurn } from "../board/draw.js";
import { fitPegs } from "../board/fit.js";
import { announce, errorNotice, field, fill, h, keyboardPage, pageHead, pushButton } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, isWinning, readCode, turnsText } from "../notation.js";
import { asSentence, formatCount, formatNumber, log10 } from "../numbers.js";
import { gauge, meter, shrinking } from "../parts/chart.js";
import { linkedGame } from "../parts/linked.js";
import { position } from "../parts/list.js";
import { mendCard, NAMED } from "../parts/mend.js";
import { chooseRules, rulesName } from "../parts/rules.js";
import { requestView } from "../parts/thinking.js";
import { turnEditor } from "../parts/turns.js";
import { words } from "../words.js";

const EXAMPLE = { rules: "4x6", turns: "1122=1,1;1344=0,1;2516=2,2;6512=4,0" };

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  let opened = 0;
  const place = h("div", { class: "analysis" });
  const work = requestView(place);
  /** @type {{rules: Rules, turns: Turn[]} | null} */
  let game = null;
  const fitting = fitPegs(place, () => game && { rules: game.rules, rated: place.clientWidth > 760 ? 380 : 0 });
  const turns = turnEditor({ change: (changed) => go(changed) });
  const secretInput = h("input", { type: "text", spellcheck: "false", autocomplete: "off", placeholder: words.analyze.ifKnown, onchange: () => go(game?.turns ?? []) });
  const text = h("textarea", { rows: 4, spellcheck: "false", placeholder: "1122=1,1\n1344=0,2" });
  const form = h("form", { class: "analyze-form", onsubmit: read },
    field(words.analyze.turns, text),
    h("div", { class: "buttons" },
      h("button", { class: "primary", type: "submit" }, words.analyze.analyze),
      h("a", { class: "button quiet", href: address.write("analyze", EXAMPLE) }, words.analyze.example),
    ),
  );
  const entering = h("details", { class: "card" },
    h("summary", {}, words.analyze.turnsOf),
    turns.element,
    field(words.analyze.secret, secretInput),
    h("details", {}, h("summary", {}, words.analyze.asText), form),
  );
  const heading = h("h1", {});
  root.append(pageHead(heading, words.analyze.about, pushButton({ onclick: change }, words.solve.change)), place, entering);

  /** Opens the turns typed as text. @param {Event} event */
  function read(event) {
    event.preventDefault();
    const typed = text.value.trim().split(/[\s;]+/).filter(Boolean).join(";");
    address.go("analyze", { rules: game?.rules.rules, turns: typed, secret: secretInput.value.trim() });
  }

  /** @param {Turn[]} played */
  function go(played) {
    if (game) address.go("analyze", { rules: game.rules.rules, turns: turnsText(game.rules, played), secret: secretInput.value.trim() });
  }

  async function change() {
    const rules = game && (await chooseRules(game.rules, words.solve.which));
    if (rules) address.go("analyze", { rules: rules.rules });
  }

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    work.close();
    fill(place);
    text.value = (next.turns ?? "").split(";").join("\n");
    secretInput.value = next.secret ?? "";
    try {
      const { rules, turns: played } = await linkedGame(next, game?.rules);
      if (mine !== opened) return;
      game = { rules, turns: played };
      fill(heading, words.analyze.title, h("span", { class: "tag" }, rulesName(rules)));
      const last = played.at(-1);
      entering.open = !last || !isWinning(rules, last.feedback);
      turns.show(rules, played);
      if (!last) return;
      const known = next.secret ? readCode(rules, next.secret) : null;
      const secret = known ? /** @type {number[]} */ (known) : undefined;
      work.run(
        words.thinking.analysis,
        (watcher) => engine.analyze({ ...position(rules, played), secret }, watcher),
        ({ analysis, contradiction }) => {
          if (analysis) return show(rules, analysis);
          turns.outline(contradiction.turns.slice(0, NAMED).flat());
          fill(place, mendCard(rules, played, contradiction, go));
        },
      );
    } catch (error) {
      if (mine !== opened) return;
      entering.open = true;
      fill(place, errorNotice(error));
    }
  }

  /** @param {Rules} rules @param {any} analysis */
  function show(rules, analysis) {
    const verdicts = /** @type {any[]} */ (analysis.turns);
    const bars = [
      ...verdicts.map((verdict, at) => ({
        label: at === 0 ? words.analyze.start : words.analyze.turn(at),
        log10: log10(verdict.before),
        words: formatCount(verdict.before),
      })),
      {
        label: words.analyze.turn(verdicts.length),
        log10: log10(analysis.remaining),
        words: analysis.solved ? words.analyze.solved : formatCount(analysis.remaining),
      },
    ];
    const list = h("div", { class: "verdicts", role: "table", "aria-label": words.analyze.title },
      verdicts.map((verdict, at) => turn(rules, verdict, at)),
    );
    fill(
      place,
      h("section", { class: "card verdict-card" },
        h("div", { class: "gauges" },
          gauge(words.end.skill, analysis.skill, words.end.ofGuesses),
          gauge(words.end.luck, analysis.luck, words.end.withAnswers, "luck"),
        ),
        h("div", {}, h("p", { class: "summary" }, asSentence(analysis.summary)), shrinking(bars)),
      ),
      list,
      others(rules, analysis),
    );
    fitting.fit();
    announce(
      `${words.analyze.spoken(Math.round(analysis.skill ?? 0), Math.round(analysis.luck ?? 0))} ${asSentence(analysis.summary)}`,
    );
  }

  /** @param {Rules} rules @param {any} verdict @param {number} at */
  function turn(rules, verdict, at) {
    const drawn = drawTurn(rules, verdict, at + 1);
    const expected = verdict.expected === null ? null : words.analyze.expected(formatNumber(verdict.expected, 1));
    const better =
      verdict.best &&
      codeText(rules, verdict.best.guess) !== codeText(rules, verdict.guess) &&
      (verdict.skill ?? 100) < 99.5;
    drawn.append(
      h("div", { class: "verdict", role: "cell" },
        h("p", { class: "muted" }, words.analyze.left(formatCount(verdict.before), formatCount(verdict.after)), expected),
        h("div", { class: "meters" }, meter(words.end.skill, verdict.skill), meter(words.end.luck, verdict.luck, "luck")),
        h("p", {}, asSentence(verdict.advice)),
        better
          ? h("p", { class: "better" },
              h("span", { class: "muted" }, words.analyze.bestThere),
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
    return h("section", { class: "card" },
      h("h2", {}, words.analyze.others),
      h("ul", { class: "others" },
        analysis.solved
          ? h("li", {}, h("strong", {}, words.analyze.thisGame), h("span", {}, words.guesses(own)))
          : null,
        analysis.others.map((/** @type {any} */ other) =>
          h("li", {},
            h("strong", {}, other.strategy),
            h("span", {}, other.solved ? words.guesses(other.guesses) : words.analyze.notSolved),
            analysis.secret
              ? h(
                  "a",
                  {
                    href: address.write("watch", {
                      rules: rules.rules,
                      who: other.strategy,
                      secret: codeText(rules, analysis.secret),
                    }),
                  },
                  words.analyze.watch,
                )
              : null,
          ),
        ),
      ),
    );
  }

  const leave = () => (opened += 1);
  return keyboardPage(query, update, turns.key, [leave, work.close, turns.close, fitting.close]);
}
