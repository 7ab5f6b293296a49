// Trees: explores a strategy answer by answer.

import * as address from "../address.js";
import { board, drawCode, drawTurn } from "../board/draw.js";
import { fitPegs, preferredWidth } from "../board/fit.js";
import { drawMark } from "../board/marks.js";
import { markPad } from "../board/pad.js";
import { announce, errorNotice, fill, h, pageHead, pushButton } from "../dom.js";
import * as engine from "../engine.js";
import { codeText, feedbackWords, isWinning, turnsText } from "../notation.js";
import { treePicture } from "../parts/branches.js";
import { MAX_DOTS, remainingCard } from "../parts/left.js";
import { linkedGame } from "../parts/linked.js";
import { chooseRules, rulesName } from "../parts/rules.js";
import { strategyChoice } from "../parts/strategy.js";
import { requestView } from "../parts/thinking.js";
import { words } from "../words.js";

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  /** @type {{rules: Rules, strategy: string, turns: Turn[]} | null} */
  let walk = null;
  let opened = 0;
  const heading = h("h1", {});
  const who = h("div", { class: "tree-who" });
  const path = h("div", { class: "table" });
  const node = h("div", {});
  const picture = h("div", {});
  /** Partitions on the path, by rules, strategy, turns and guess. @type {Map<string, Promise<Split>>} */
  const splits = new Map();
  const tools = h("div", { class: "tools" });
  const left = remainingCard();
  const remainingPlace = h("div", {});
  const work = requestView(node);
  const columns = h("div", { class: "columns" },
    h("div", {}, path, tools),
    h("aside", { "aria-label": words.trees.answer }, node, remainingPlace),
  );
  root.append(
    pageHead(heading, words.trees.about, engine.only ? null : pushButton({ onclick: change }, words.trees.change)),
    who,
    picture,
    columns,
  );
  const fitting = fitPegs(path, () => walk && { rules: walk.rules });

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    try {
      const { rules, turns: read } = await linkedGame({ ...next, ...engine.only }, walk?.rules);
      if (mine !== opened) return;
      walk = { rules, strategy: engine.only?.strategy ?? (next.strategy || "optimal"), turns: read };
      fill(heading, words.trees.title, h("span", { class: "tag" }, rulesName(rules)));
      fill(
        who,
        engine.only
          ? h("p", {}, engine.only.strategy)
          : strategyChoice(rules, words.trees.strategy, walk.strategy, (strategy) => go({ strategy, turns: [] })),
      );
      root.style.setProperty("--board", `${preferredWidth(rules)}px`);
      draw(mine);
    } catch (error) {
      if (mine === opened) fill(node, errorNotice(error));
    }
  }

  /** @param {Partial<{rules: Rules, strategy: string, turns: Turn[]}>} changed */
  function go(changed) {
    if (!walk) return;
    const now = { ...walk, ...changed };
    address.go("trees", {
      rules: now.rules.rules,
      strategy: now.strategy === "optimal" ? null : now.strategy,
      turns: turnsText(now.rules, now.turns),
    });
  }

  /** Partitions the codes after turns by a guess. @param {Rules} rules @param {Turn[]} turns @param {number[]} guess */
  function split(rules, turns, guess) {
    const key = `${rules.rules} ${turnsText(rules, turns)} ${codeText(rules, guess)}`;
    const asked = splits.get(key) ?? engine.split({ rules: rules.rules, turns, guess });
    splits.set(key, asked);
    asked.catch(() => splits.delete(key));
    return asked;
  }

  /** Draws the tree along the path, and the answers to a guess at its end. @param {number} mine @param {number[]} [guess] */
  async function drawPicture(mine, guess) {
    const { rules, turns } = /** @type {NonNullable<typeof walk>} */ (walk);
    const path = [...turns.map((turn) => ({ guess: /** @type {number[]} */ (turn.guess), taken: turn.feedback })), ...(guess ? [{ guess, taken: null }] : [])];
    try {
      const levels = await Promise.all(path.map(async (step, at) => ({ ...step, guess: codeText(rules, step.guess), parts: (await split(rules, turns.slice(0, at), step.guess)).parts })));
      if (mine === opened) fill(picture, levels.every(({ parts }) => parts.length) ? treePicture(rules, levels) : null);
    } catch {
      // The picture is optional.
    }
  }

  /** @param {number} mine */
  function draw(mine) {
    if (!walk) return;
    const { rules, strategy, turns } = walk;
    const list = board(rules, words.trees.path);
    list.append(...turns.map((turn, at) => drawTurn(rules, turn, at + 1, { fresh: at === turns.length - 1 })));
    fill(path, turns.length ? list : null);
    fitting.fit();
    fill(
      tools,
      turns.length
        ? [
            pushButton({ onclick: () => go({ turns: turns.slice(0, -1) }) }, words.trees.back),
            pushButton({ class: "quiet", onclick: () => go({ turns: [] }) }, words.trees.start),
          ]
        : null,
    );
    fill(remainingPlace);
    const last = turns[turns.length - 1];
    if (last && isWinning(rules, last.feedback)) {
      work.close();
      announce(words.trees.found(turns.length));
      drawPicture(mine);
      return fill(node, h("section", { class: "card win" }, h("h2", {}, words.trees.found(turns.length))));
    }
    work.run(
      words.thinking.hint,
      async (watcher) => {
        const { hint, contradiction } = await engine.hint({ rules: rules.rules, turns, strategy }, watcher);
        if (!hint) return { hint, contradiction, split: null };
        return { hint, contradiction, split: await split(rules, turns, hint.guess) };
      },
      ({ hint, split: parted }) => {
        if (!hint || !parted) return fill(node, errorNotice({ message: words.trees.contradiction }));
        fill(node, question(rules, turns, hint.guess, parted));
        drawPicture(mine, hint.guess);
        engine.remaining({ rules: rules.rules, turns, list: MAX_DOTS }).then(
          (answer) => {
            if (mine !== opened) return;
            left.show(rules, turns, answer);
            fill(remainingPlace, left.element);
            left.point(hint.guess);
          },
          // The picture is optional.
          () => {},
        );
      },
    );
  }

  /** Draws the guess and a branch for each answer. @param {Rules} rules @param {Turn[]} turns @param {number[]} guess @param {Split} parted */
  function question(rules, turns, guess, parted) {
    const take = (/** @type {Mark[]} */ feedback) => go({ turns: [...turns, { guess, feedback }] });
    const most = parted.parts[0]?.codes ?? 1;
    const branches = parted.parts.map(({ feedback, codes }) =>
      h("li", {},
        pushButton(
          {
            class: "quiet branch",
            "aria-label": words.trees.chosen(feedbackWords(rules, feedback), words.trees.codes(codes)),
            onclick: () => take(feedback),
          },
          rules.lines.length === 1
            ? drawMark(rules, feedback[0], 0)
            : h("span", {}, feedbackWords(rules, feedback)),
          h("span", { class: "bar", vars: { share: codes / most } }, h("i", {})),
          h("span", { class: "muted" }, words.trees.codes(codes)),
        ),
      ),
    );
    return h("section", { class: "card tree-node", "aria-label": words.trees.answer },
      h("div", { class: "hint-guess" }, h("span", { class: "eyebrow" }, words.hint.play), drawCode(rules, guess)),
      h("h2", {}, words.trees.answer),
      branches.length ? h("ul", { class: "branches" }, branches) : tapped(rules, take),
    );
  }

  /** Entry of the answer if the answers cannot be listed. @param {Rules} rules @param {(feedback: Mark[]) => void} take */
  function tapped(rules, take) {
    const pad = markPad(rules, {
      change: () => (enter.disabled = pad.value() === null),
      submit: () => pad.value() && take(/** @type {any} */ (pad.value())),
    });
    const enter = pushButton(
      { class: "primary", disabled: true, onclick: () => take(/** @type {any} */ (pad.value())) },
      words.solve.enter,
    );
    const marks = rules.lines.length > 1 ? h("div", { class: "buttons" }, rules.lines.map((_, at) => pad.markOf(at))) : null;
    return h("div", { class: "tapped" }, h("p", { class: "muted" }, words.trees.tooMany), marks, pad.element, enter);
  }

  async function change() {
    if (!walk) return;
    const rules = await chooseRules(walk.rules, words.trees.which);
    if (rules) go({ rules, turns: [], strategy: rules.digits > 3.3 ? engine.DEFAULT_STRATEGY : walk.strategy });
  }

  update(query);
  return {
    update,
    close() {
      opened += 1;
      work.close();
      left.close();
      fitting.close();
    },
  };
}
