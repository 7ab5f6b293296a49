// Learn: lessons with a position and a question each.

import * as address from "../address.js";
import { board, codeName, drawCode, drawTurn } from "../board/draw.js";
import { fitPegs } from "../board/fit.js";
import { drawMark } from "../board/marks.js";
import { markPad } from "../board/pad.js";
import { colorName } from "../board/pegs.js";
import { save, saved } from "../device.js";
import { announce, errorNotice, fill, h, pageHead, pushButton } from "../dom.js";
import * as engine from "../engine.js";
import { drawLesson, LESSONS, RULES } from "../lessons.js";
import { feedbackWords, markText } from "../notation.js";
import { formatCount } from "../numbers.js";
import { words } from "../words.js";

/** Lessons passed on this device. @returns {string[]} */
const passed = () => saved("lessons", []);

/** @type {import("../lessons.js").Ask} */
const ASK = {
  score: async (guess, secret) => (await engine.scoreOpen(RULES, guess, secret)).feedback,
  left: async (turns) => (await engine.remaining({ rules: RULES, turns, list: 1296 })).codes,
  expected: async (turns, guess) => (await engine.split({ rules: RULES, turns, guess })).expected ?? Infinity,
};

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  let opened = 0;
  let current = "";
  let seed = 1;
  /** @type {Rules | null} */
  let shown = null;
  const ladder = h("ol", { class: "ladder" });
  const progress = h("p", { class: "muted" });
  const place = h("div", { class: "lesson" });
  const fitting = fitPegs(place, () => shown && { rules: shown });
  root.append(pageHead(words.learn.title, words.learn.about), ladder, progress, place);

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    current = LESSONS.find((id) => id === next.lesson) ?? LESSONS.find((id) => !passed().includes(id)) ?? LESSONS[0];
    seed = Number.parseInt(next.seed, 10) || 1;
    drawLadder();
    try {
      const [rules, lesson] = await Promise.all([engine.describe(RULES), drawLesson(current, seed, ASK)]);
      if (mine !== opened) return;
      shown = rules;
      show(rules, lesson, current);
      fitting.fit();
    } catch (error) {
      if (mine === opened) fill(place, errorNotice(error));
    }
  }

  function drawLadder() {
    fill(progress, words.learn.progress(LESSONS.filter((id) => passed().includes(id)).length, LESSONS.length));
    fill(
      ladder,
      LESSONS.map((id) =>
        h("li", {},
          h("a", { href: address.write("learn", { lesson: id }), class: passed().includes(id) ? "passed" : null, "aria-current": id === current ? "step" : null },
            titleOf(id),
            passed().includes(id) ? h("span", { class: "unseen" }, ` (${words.learn.done})`) : null,
          ),
        ),
      ),
    );
  }

  /** @param {Rules} rules @param {Awaited<ReturnType<typeof drawLesson>>} lesson @param {string} id */
  function show(rules, lesson, id) {
    const mine = opened;
    const at = LESSONS.indexOf(id);
    const verdict = h("div", { class: "lesson-verdict", role: "status" });
    const question = lesson.kind === "feedback" ? reading(rules, lesson) : choosing(rules, lesson);
    const check = pushButton({ class: "primary", disabled: true, onclick: answer }, words.learn.check);
    question.changed = () => (check.disabled = !question.isReady());

    async function answer() {
      check.disabled = true;
      try {
        const { right, explained } = await question.judge();
        if (right && !passed().includes(id)) save("lessons", [...passed(), id]);
        drawLadder();
        if (mine !== opened) return;
        const next = LESSONS[at + 1];
        fill(
          verdict,
          h("p", { class: right ? "good" : "poor" }, h("strong", {}, right ? words.learn.right : words.learn.notQuite)),
          explained,
          right
            ? h("div", { class: "buttons" },
                h("a", { class: "button primary", href: next ? address.write("learn", { lesson: next }) : "#play" }, next ? words.learn.next : words.pages.play),
                h("a", { class: "button", href: address.write("learn", { lesson: id, seed: seed + 1 }) }, words.learn.again),
              )
            : null,
        );
        announce(right ? words.learn.right : words.learn.notQuite);
        check.disabled = false;
      } catch (error) {
        fill(verdict, errorNotice(error));
      }
    }

    fill(
      place,
      h("section", { class: "card", "aria-label": titleOf(id) },
        h("span", { class: "eyebrow" }, words.learn.number(at + 1, LESSONS.length)),
        h("h2", {}, titleOf(id)),
        h("p", {}, lessonWords(id)[1]),
        question.element,
        h("div", { class: "buttons" }, check),
        verdict,
      ),
    );
  }

  update(query);
  return {
    update,
    close() {
      opened += 1;
      fitting.close();
    },
  };
}

/** @param {string} id @returns {string[]} */
const lessonWords = (id) => words.learn.lessons[/** @type {keyof typeof words.learn.lessons} */ (id)];
/** @param {string} id */
const titleOf = (id) => lessonWords(id)[0];

/** A question of a lesson. @typedef {{element: Element, isReady: () => boolean, changed: () => void, judge: () => Promise<{right: boolean, explained: Element}>}} Asked */

/** Question for the feedback of a guess. @param {Rules} rules @param {import("../lessons.js").Reading} lesson @returns {Asked} */
function reading(rules, { guess, secret }) {
  const pad = markPad(rules, { change: () => asked.changed(), submit: () => {} });
  /** @type {Asked} */
  const asked = {
    element: h("div", { class: "lesson-question" },
      h("div", { class: "lesson-code" }, h("span", { class: "muted" }, words.learn.secret), drawCode(rules, secret)),
      h("div", { class: "lesson-code" }, h("span", { class: "muted" }, words.learn.theGuess), drawCode(rules, guess)),
      h("p", {}, words.learn.feedback),
      pad.element,
    ),
    isReady: () => pad.value() !== null,
    changed: () => {},
    async judge() {
      const given = pad.value() ?? [];
      const feedback = await ASK.score(guess, secret);
      const right = feedback.every((mark, line) => markText(rules, mark) === markText(rules, given[line]));
      return {
        right,
        explained: h("p", { class: "lesson-answer" },
          drawMark(rules, feedback[0], 0),
          `${words.learn.wouldSay(feedbackWords(rules, feedback))} ${why(rules, guess, secret)}`,
        ),
      };
    },
  };
  return asked;
}

/** Explains the feedback of a guess by its pegs. @param {Rules} rules @param {number[]} guess @param {number[]} secret */
function why(rules, guess, secret) {
  const right = guess.flatMap((color, cell) => (color === secret[cell] ? [cell + 1] : []));
  const [asked, left] = [guess, secret].map((code) => code.filter((_, cell) => guess[cell] !== secret[cell]));
  const moved = asked.flatMap((color) => {
    const at = left.indexOf(color);
    return at < 0 ? [] : [colorName(rules, left.splice(at, 1)[0])];
  });
  return words.learn.why(right, moved);
}

/** Question for one or more codes. @param {Rules} rules @param {import("../lessons.js").Choosing} lesson @returns {Asked} */
function choosing(rules, { kind, turns, codes }) {
  const many = kind === "fit";
  /** @type {Set<number>} */
  const chosen = new Set();
  const notes = codes.map(() => h("span", { class: "muted choice-note" }));
  const buttons = codes.map((code, at) =>
    pushButton(
      {
        class: "code-choice",
        "aria-pressed": "false",
        "aria-label": codeName(rules, code),
        onclick: () => {
          if (many && chosen.has(at)) chosen.delete(at);
          else {
            if (!many) chosen.clear();
            chosen.add(at);
          }
          buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(chosen.has(other))));
          asked.changed();
        },
      },
      drawCode(rules, code),
    ),
  );
  /** Names the first turn that excludes a code. @param {number[]} code */
  async function excluded(code) {
    const answers = await Promise.all(turns.map((turn) => ASK.score(/** @type {number[]} */ (turn.guess), code)));
    const at = answers.findIndex((feedback, turn) => markText(rules, feedback[0]) !== markText(rules, turns[turn].feedback[0]));
    return at < 0 ? null : words.learn.turnWould(at + 1, feedbackWords(rules, answers[at]));
  }
  const list = board(rules, words.learn.turns);
  list.append(...turns.map((turn, at) => drawTurn(rules, turn, at + 1)));
  /** @type {Asked} */
  const asked = {
    element: h("div", { class: "lesson-question" },
      turns.length ? list : null,
      h("p", {}, many ? words.learn.fit : words.learn.picks),
      h("div", { class: "code-choices" }, buttons.map((button, at) => h("div", {}, button, notes[at]))),
    ),
    isReady: () => chosen.size > 0,
    changed: () => {},
    async judge() {
      const picked = new Set(chosen);
      const splits = await Promise.all(codes.map((guess) => engine.split({ rules: rules.rules, turns, guess })));
      const worth = splits.map((split) => split.expected ?? Infinity);
      const right = many
        ? splits.every((split, at) => split.consistent === picked.has(at))
        : worth.every((value, at) => picked.has(at) === (value === Math.min(...worth)));
      const reasons = await Promise.all(codes.map((code, at) => (splits[at].consistent ? null : excluded(code))));
      splits.forEach((split, at) => {
        const fits = split.consistent ? words.learn.fits : words.learn.fitsNot(reasons[at]);
        fill(notes[at], many ? fits : `${words.learn.leaves(formatCount(split.expected), split.parts.length, split.parts[0]?.codes ?? 0)}; ${fits}`);
      });
      return { right, explained: h("p", {}, many ? words.learn.whyFit : words.learn.whyPick) };
    },
  };
  return asked;
}
