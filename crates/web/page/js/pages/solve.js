// Solve: the turns of a game on a table, the next guess, and repairs of mistakes.

import * as address from "../address.js";
import { spokenCode } from "../board/draw.js";
import { announce, errorNotice, fill, h, keyboardPage, pageHead, pushButton } from "../dom.js";
import * as engine from "../engine.js";
import { turnsText } from "../notation.js";
import { formatCount } from "../numbers.js";
import { colorSet } from "../parts/colors.js";
import { hintCard } from "../parts/hint.js";
import { MAX_DOTS, remainingCard } from "../parts/left.js";
import { linkedGame } from "../parts/linked.js";
import { counted, position } from "../parts/list.js";
import { mendCard, NAMED } from "../parts/mend.js";
import { chooseRules, rulesName } from "../parts/rules.js";
import { strategyChoice } from "../parts/strategy.js";
import { requestView } from "../parts/thinking.js";
import { turnEditor } from "../parts/turns.js";
import { words } from "../words.js";

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  /** @type {{rules: Rules, turns: Turn[], strategy: string} | null} */
  let game = null;
  let opened = 0;

  const heading = h("h1", {});
  const turns = turnEditor({
    change: (changed) => go({ turns: changed }),
    more: () => game && h("a", { class: "button quiet", href: address.write("analyze", { rules: game.rules.rules, turns: turnsText(game.rules, game.turns) }) }, words.solve.analyze),
  });
  const who = h("div", {});
  const left = remainingCard({ use: turns.use });
  const remainingPlace = h("div", {});
  const colors = h("div", {});
  const advice = h("div", {});
  const hints = requestView(advice);
  const asking = new AbortController();
  root.append(
    pageHead(heading, words.solve.about, pushButton({ onclick: change }, words.solve.change)),
    h("div", { class: "columns" }, turns.element, h("aside", { "aria-label": words.solve.whatToPlay }, advice, remainingPlace, who, colors)),
  );

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    try {
      const { rules, turns: read } = await linkedGame(next, game?.rules);
      if (mine !== opened) return;
      const another = game?.rules !== rules;
      game = { rules, turns: read, strategy: next.strategy || engine.DEFAULT_STRATEGY };
      if (another) {
        fill(who, strategyChoice(rules, words.solve.hintsBy, game.strategy, (strategy) => go({ strategy })));
        fill(colors, colorSet(rules, turns.repaint));
      }
      fill(heading, words.solve.title, h("span", { class: "tag" }, rulesName(rules)));
      turns.show(rules, read);
      think();
    } catch (error) {
      if (mine === opened) fill(advice, errorNotice(error));
    }
  }

  /** @param {Partial<{rules: Rules, turns: Turn[], strategy: string}>} changed */
  function go(changed) {
    if (!game) return;
    const now = { ...game, ...changed };
    const strategy = now.strategy === engine.DEFAULT_STRATEGY ? null : now.strategy;
    address.go("solve", { rules: now.rules.rules, turns: turnsText(now.rules, now.turns), strategy });
  }

  /** Finds the next guess, or explains a contradiction. */
  function think() {
    if (!game) return;
    const { rules, turns: played, strategy } = game;
    const mine = opened;
    fill(remainingPlace);
    hints.run(
      words.thinking.hint,
      (watcher) => engine.hint({ ...position(rules, played), strategy, alternatives: 5 }, watcher),
      ({ hint, contradiction, solved }) => {
        if (contradiction) {
          turns.outline(contradiction.turns.slice(0, NAMED).flat());
          const mend = (/** @type {Turn[]} */ mended) => {
            announce(words.mend.mended);
            go({ turns: mended });
          };
          fill(advice, mendCard(rules, played, contradiction, mend));
        } else if (solved) {
          fill(advice, h("div", { class: "card win" }, h("h2", {}, words.end.solved(played.length))));
        } else if (hint) {
          fill(advice, hintCard(rules, hint, turns.use, left.point));
          announce(words.solve.plays(spokenCode(rules, hint.guess), hint.remaining === null ? null : formatCount(hint.remaining)));
          count(mine);
        }
      },
    );
  }

  /** @param {number} mine */
  async function count(mine) {
    if (!game || !game.turns.length) return;
    const { rules, turns: played } = game;
    const answer = await engine.remaining({ ...position(rules, played), list: MAX_DOTS }, asking.signal);
    if (mine !== opened) return;
    left.show(counted(rules), played, answer);
    fill(remainingPlace, left.element);
  }

  async function change() {
    const rules = game && (await chooseRules(game.rules, words.solve.which));
    if (rules) go({ rules, turns: [] });
  }

  const leave = () => {
    opened += 1;
    asking.abort();
  };
  return keyboardPage(query, update, turns.key, [leave, hints.close, left.close, turns.close]);
}
