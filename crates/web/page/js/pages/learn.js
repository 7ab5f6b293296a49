// Learn: lessons with a position and a question each.

import * as address from "../address.js";
import { board, drawCode, drawTurn } from "../board/draw.js";
import { fitPegs } from "../board/fit.js";
import { drawMark } from "../board/marks.js";
import { markPad } from "../board/pad.js";
import { save, saved } from "../device.js";
import { announce, errorNotice, fill, h, pageHead, pushButton } from "../dom.js";
import * as engine from "../engine.js";
import { LESSONS } from "../lessons.js";
import { codeText, feedbackWords, markText, readCode, readTurn } from "../notation.js";
import { formatCount } from "../numbers.js";
import { words } from "../words.js";

/** Lessons passed on this device. @returns {string[]} */
const passed = () => saved("lessons", []);

/** @param {HTMLElement} root @param {Query} query @returns {Page} */
export function open(root, query) {
  let opened = 0;
  let current = "";
  /** @type {Rules | null} */
  let shown = null;
  const ladder = h("ol", { class: "ladder" });
  const place = h("div", { class: "lesson" });
  const fitting = fitPegs(place, () => shown && { rules: shown });
  root.append(pageHead(words.learn.title, words.learn.about), ladder, place);

  /** @param {Query} next */
  async function update(next) {
    const mine = (opened += 1);
    const first = LESSONS.find((one) => !passed().includes(one.id)) ?? LESSONS[0];
    const lesson = LESSONS.find((one) => one.id === next.lesson) ?? first;
    current = lesson.id;
    drawLadder();
    try {
      const rules = await engine.describe(lesson.rules);
      if (mine !== opened) return;
      shown = rules;
      show(rules, lesson);
      fitting.fit();
    } catch (error) {
      if (mine === opened) fill(place, errorNotice(error));
    }
  }

  function drawLadder() {
    fill(
      ladder,
      LESSONS.map(({ id }) =>
        h("li", {},
          h(
            "a",
            {
              href: address.write("learn", { lesson: id }),
              class: passed().includes(id) ? "passed" : null,
              "aria-current": id === current ? "step" : null,
            },
            titleOf(id),
            passed().includes(id) ? h("span", { class: "unseen" }, ` (${words.learn.done})`) : null,
          ),
        ),
      ),
    );
  }

  /** @param {Rules} rules @param {typeof LESSONS[number]} lesson */
  function show(rules, lesson) {
    const at = LESSONS.indexOf(lesson);
    const verdict = h("div", { class: "lesson-verdict", role: "status" });
    const question = lesson.kind === "feedback" ? reading(rules, lesson) : choosing(rules, lesson);
    const check = pushButton({ class: "primary", disabled: true, onclick: answer }, words.learn.check);
    question.changed = () => (check.disabled = !question.isReady());

    async function answer() {
      check.disabled = true;
      try {
        const { right, explained } = await question.judge();
        if (right && !passed().includes(lesson.id)) save("lessons", [...passed(), lesson.id]);
        drawLadder();
        if (current !== lesson.id) return;
        const next = LESSONS[at + 1];
        fill(
          verdict,
          h("p", { class: right ? "good" : "poor" }, h("strong", {}, right ? words.learn.right : words.learn.notQuite)),
          explained,
          right && next
            ? h("a", { class: "button primary", href: address.write("learn", { lesson: next.id }) }, words.learn.next)
            : right
              ? h("a", { class: "button primary", href: "#play" }, words.pages.play)
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
      h("section", { class: "card", "aria-label": titleOf(lesson.id) },
        h("span", { class: "eyebrow" }, words.learn.number(at + 1, LESSONS.length)),
        h("h2", {}, titleOf(lesson.id)),
        h("p", {}, lessonWords(lesson.id)[1]),
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

/** Question for the feedback of a guess. @param {Rules} rules @param {import("../lessons.js").ReadLesson} lesson @returns {Asked} */
function reading(rules, lesson) {
  const [guess, secret] = [lesson.guess, lesson.secret].map((text) => /** @type {number[]} */ (readCode(rules, text)));
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
      const { feedback } = await engine.scoreOpen(rules.rules, guess, secret);
      const right = feedback.every((mark, line) => markText(rules, mark) === markText(rules, given[line]));
      return {
        right,
        explained: h("p", { class: "lesson-answer" },
          drawMark(rules, feedback[0], 0),
          words.learn.wouldSay(feedbackWords(rules, feedback)),
        ),
      };
    },
  };
  return asked;
}

/** Question for one or more codes. @param {Rules} rules @param {import("../lessons.js").CodesLesson} lesson @returns {Asked} */
function choosing(rules, lesson) {
  const many = lesson.kind === "fit";
  const turns = /** @type {Turn[]} */ (lesson.turns.map((text) => readTurn(rules, text)));
  const codes = lesson.codes.map((text) => /** @type {number[]} */ (readCode(rules, text)));
  /** @type {Set<number>} */
  const chosen = new Set();
  const notes = codes.map(() => h("span", { class: "muted choice-note" }));
  const buttons = codes.map((code, at) =>
    pushButton(
      {
        class: "code-choice",
        "aria-pressed": "false",
        "aria-label": codeText(rules, code),
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
      splits.forEach((split, at) => {
        const fits = split.consistent ? words.learn.fits : words.learn.fitsNot;
        fill(
          notes[at],
          many
            ? fits
            : `${words.learn.leaves(formatCount(split.expected), split.parts.length, split.parts[0]?.codes ?? 0)}; ${fits}`,
        );
      });
      return { right, explained: h("span", {}) };
    },
  };
  return asked;
}
